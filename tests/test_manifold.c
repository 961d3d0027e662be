// Contact points: known configurations, faces of any number of sides, names that stay.
#include "support.h"

#include <trivet/mesh.h>

#include "../src/narrow/clip.h"
#include "../src/narrow/narrow.h"
#include "box_hull.h"
#include "hulls.h"

static trv_pose at(float x, float y, float z)
{
    return trv_make_pose((trv_vec3){x, y, z});
}

static trv_pose turned_about_y(float x, float y, float z, float angle)
{
    trv_pose pose = at(x, y, z);
    pose.rotation = trv_quat_about((trv_vec3){0.0f, 1.0f, 0.0f}, angle);
    return pose;
}

// The box that holds the contact points.
static trv_aabb bounds_of(const trv_manifold *m)
{
    trv_aabb box = {m->points[0].point, m->points[0].point};
    for (uint32_t i = 1; i < m->count; i++) {
        box.lower = trvi_min(box.lower, m->points[i].point);
        box.upper = trvi_max(box.upper, m->points[i].point);
    }
    return box;
}

static void stacked_boxes_touch_at_four_corners(void **state)
{
    (void)state;
    trv_shape box = trv_make_box((trv_vec3){0.5f, 0.5f, 0.5f});
    const float gaps[] = {-0.01f, -1.0e-5f, 0.0f, 1.0e-5f, 0.01f};
    for (size_t i = 0; i < sizeof gaps / sizeof gaps[0]; i++) {
        trv_manifold m;
        expect_result(
            trv_collide(&box, at(0, 0, 0), &box, at(0.2f, 1.0f + gaps[i], 0.0f), 0.02f, NULL, &m),
            TRV_OK);
        assert_int_equal(m.count, 4);
        expect_near(m.normal.y, 1.0, 1.0e-6);
        trv_aabb box_of = bounds_of(&m);
        expect_near(box_of.lower.x, -0.3, 1.0e-3);
        expect_near(box_of.upper.x, 0.5, 1.0e-3);
        expect_near(box_of.lower.z, -0.5, 1.0e-3);
        expect_near(box_of.upper.z, 0.5, 1.0e-3);
        for (uint32_t p = 0; p < 4; p++) {
            expect_near(m.points[p].separation, gaps[i], 1.0e-6);
            expect_near(m.points[p].point.y, 0.5 + 0.5 * gaps[i], 1.0e-6);
        }
    }
}

static void boxes_further_apart_than_the_margin_have_no_contact(void **state)
{
    (void)state;
    trv_shape box = trv_make_box((trv_vec3){0.5f, 0.5f, 0.5f});
    trv_manifold m;
    expect_result(trv_collide(&box, at(0, 0, 0), &box, at(0, 1.021f, 0), 0.02f, NULL, &m), TRV_OK);
    assert_int_equal(m.count, 0);
    // Corner to corner across a diagonal: every axis is within the margin, the distance is not.
    float d = 1.0f + 0.015f;
    expect_result(trv_collide(&box, at(0, 0, 0), &box, at(d, d, d), 0.02f, NULL, &m), TRV_OK);
    assert_int_equal(m.count, 0);
}

static void crossed_edges_touch_at_one_point_between_them(void **state)
{
    (void)state;
    trv_shape box = trv_make_box((trv_vec3){0.5f, 0.5f, 0.5f});
    trv_pose lower = at(0, 0, 0), upper = at(0, 1.4142135f - 0.01f, 0);
    lower.rotation = trv_quat_about((trv_vec3){0.0f, 0.0f, 1.0f}, 0.78539816f);
    upper.rotation = trv_quat_about((trv_vec3){1.0f, 0.0f, 0.0f}, 0.78539816f);
    trv_manifold m;
    expect_result(trv_collide(&box, lower, &box, upper, 0.0f, NULL, &m), TRV_OK);
    assert_int_equal(m.count, 1);
    expect_near(m.normal.y, 1.0, 1.0e-6);
    expect_near(m.points[0].separation, -0.01, 1.0e-6);
    expect_near(m.points[0].point.x, 0.0, 1.0e-5);
    expect_near(m.points[0].point.y, 0.7071068 - 0.005, 1.0e-5);
    expect_near(m.points[0].point.z, 0.0, 1.0e-5);
}

static void twisted_prisms_of_any_number_of_sides_touch_at_four_points_that_span(void **state)
{
    (void)state;
    const uint32_t sides[] = {3, 7, 33, 48, 49, 100, 1000, 5000};
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        trv_hull *hull = make_prism(sides[i], 1.0f, 0.5f);
        trv_shape prism = trv_make_hull(hull);
        trv_pose above = turned_about_y(0.1f, 0.999f, 0.0f, 3.1415927f / (float)sides[i]);
        trv_manifold m;
        expect_result(trv_collide(&prism, at(0, 0, 0), &prism, above, 0.01f, NULL, &m), TRV_OK);
        assert_int_equal(m.count, 4);
        expect_near(m.normal.y, 1.0, 1.0e-6);
        trv_aabb box = bounds_of(&m);
        float wanted = sides[i] > 7 ? 1.2f : 0.7f; // of a width of 1.9, less where it is a triangle
        assert_true(box.upper.x - box.lower.x > wanted || box.upper.z - box.lower.z > wanted);
        for (uint32_t p = 0; p < 4; p++) {
            trv_vec3 point = m.points[p].point;
            expect_near(m.points[p].separation, -0.001, 1.0e-5);
            expect_near(point.y, 0.4995, 1.0e-5);
            assert_true(point.x * point.x + point.z * point.z <= 1.01f);
        }
        trvi_convex_release(hull);
    }
}

static bool has_feature(const trv_manifold *m, uint32_t feature)
{
    for (uint32_t i = 0; i < m->count; i++)
        if (m->points[i].feature == feature)
            return true;
    return false;
}

static trv_manifold lay_on(const trv_shape *floor, const trv_shape *shape, float direction,
                           float tilt, const trvi_held *held)
{
    trv_manifold m;
    trv_vec3 axis = {trvi_cos(direction), 0.0f, trvi_sin(direction)};
    trv_pose pose = turned_about_y(0.01f, 0.999f, 0.02f, 0.75f);
    pose.rotation = trv_quat_multiply(trv_quat_about(axis, tilt), pose.rotation);
    trvi_collide(floor, at(0, 0, 0), shape, pose, 0.01f, NULL, held, &m);
    return m;
}

// Twice the area that the points span about the middle, as seen along y; they are sorted about it.
static double spanned_by(const trv_manifold *m)
{
    double angles[TRV_MANIFOLD_POINTS], twice = 0;
    trv_vec3 middle = {0, 0, 0}, order[TRV_MANIFOLD_POINTS];
    for (uint32_t i = 0; i < m->count; i++)
        middle = trvi_mul_add(middle, m->points[i].point, 1.0f / (float)m->count);
    for (uint32_t i = 0; i < m->count; i++) {
        trv_vec3 p = trvi_sub(m->points[i].point, middle);
        double angle = atan2(p.z, p.x);
        uint32_t at = i;
        for (; at > 0 && angles[at - 1] > angle; at--) {
            angles[at] = angles[at - 1];
            order[at] = order[at - 1];
        }
        angles[at] = angle;
        order[at] = p;
    }
    for (uint32_t i = 0; i < m->count; i++) {
        trv_vec3 p = order[i], q = order[(i + 1) % m->count];
        twice += (double)p.x * (double)q.z - (double)p.z * (double)q.x;
    }
    return twice;
}

// A base like a canoe's: 12 corners on two arcs that meet at the tips.
static trv_hull *make_lens(float length, float width, double *area)
{
    enum { ARC = 5, CORNERS = 2 * ARC + 2 };
    trv_vec3 points[2 * CORNERS];
    float previous_x = -length, previous_z = 0;
    *area = 0;
    for (int i = 0; i <= ARC + 1; i++) {
        float x = length * (-1.0f + 2.0f * (float)i / (float)(ARC + 1));
        float z = width * (1.0f - x * x / (length * length));
        *area += (double)((z + previous_z) * (x - previous_x));
        previous_x = x;
        previous_z = z;
        for (int side = 0; side < 4 && i <= ARC; side++) {
            int at = side < 2 ? i : ARC + 1 + i; // there, and back on the other side
            float turn = side < 2 ? 1.0f : -1.0f;
            points[2 * at + side % 2] = trv_make_vec3(turn * x, side % 2 ? 0.1f : -0.1f, turn * z);
        }
    }
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull = NULL;
    expect_result(trv_hull_create(points, 2 * CORNERS, &def, &hull), TRV_OK);
    return hull;
}

static void narrow_bases_are_held_at_their_sides_too(void **state)
{
    (void)state;
    trv_shape plane = trv_make_half_space((trv_vec3){0, 0, 0}, (trv_vec3){0, 1, 0});
    trv_shape slab = trv_make_box((trv_vec3){5, 1, 5});
    const float widths[] = {0.4f, 0.2f, 0.1f, 0.05f, 0.02f};
    for (int i = 0; i < 5 * 48; i++) {
        double area;
        trv_hull *hull = make_lens(1.0f, widths[i / 48], &area);
        trv_shape lens = trv_make_hull(hull);
        trv_pose pose = turned_about_y(0, 0.0999f, 0, 6.2831853f / 24.0f * (float)(i / 2 % 24));
        trv_manifold m;
        if (i % 2)
            expect_result(trv_collide(&slab, at(0, -1, 0), &lens, pose, 0.01f, NULL, &m), TRV_OK);
        else
            expect_result(trv_collide(&plane, at(0, 0, 0), &lens, pose, 0.01f, NULL, &m), TRV_OK);
        assert_int_equal(m.count, 4);
        assert_true(spanned_by(&m) > 0.6 * 2 * area);
        trv_hull_release(hull);
    }
}

// Two planks that cross at 14 degrees and touch along one side of what they share, which is seven times as long as
// wide: its other side, 9 mm above, has points at both ends, in whichever frame.
static void long_patches_that_touch_along_a_side_are_held_at_both_ends(void **state)
{
    (void)state;
    trv_shape plank = trv_make_box((trv_vec3){1, 0.02f, 0.1f});
    const trv_pose lower = {{-0.193f, 0.055f, -0.171f}, {-0.0074f, 0.9438f, -0.0088f, 0.3304f}};
    const trv_pose upper = {{0.160f, 0.108f, 0.173f}, {0.0147f, -0.4436f, 0.0133f, 0.8960f}};
    for (int i = 0; i < 48; i++) {
        trv_quat turn = trv_quat_about((trv_vec3){0.36f, 0.48f, 0.8f}, 0.26f * (float)(i / 2));
        trv_pose poses[2] = {lower, upper};
        for (int k = 0; k < 2; k++) {
            poses[k].position = trv_rotate(turn, poses[k].position);
            poses[k].rotation = trv_quat_multiply(turn, poses[k].rotation);
        }
        trv_manifold m;
        expect_result(trv_collide(&plank, poses[i % 2], &plank, poses[1 - i % 2], 0.02f, NULL, &m),
                      TRV_OK);
        assert_int_equal(m.count, 4);
        const trv_vec3 ends[2] = {{-0.52f, 0.07f, -0.56f}, {0.53f, 0.1f, 0.52f}};
        for (int end = 0; end < 2; end++) {
            float nearest = 10;
            for (uint32_t p = 0; p < m.count; p++)
                nearest = fminf(
                    nearest, trvi_length(trvi_sub(m.points[p].point, trv_rotate(turn, ends[end]))));
            assert_true(nearest < 0.03f);
        }
    }
}

typedef struct place {
    double x, z;
} place;

// What of a convex outline, at most so many corners, is not above `limit` along x or z, by `sign`.
static int cut_off(place *outline, int count, bool along_z, double sign, double limit)
{
    place kept[16];
    int left = 0;
    for (int i = 0; i < count; i++) {
        place from = outline[i], to = outline[(i + 1) % count];
        double from_out = sign * (along_z ? from.z : from.x) - limit;
        double to_out = sign * (along_z ? to.z : to.x) - limit;
        if (from_out <= 0)
            kept[left++] = from;
        if ((from_out < 0 && to_out > 0) || (from_out > 0 && to_out < 0)) {
            double t = from_out / (from_out - to_out);
            kept[left++] = (place){from.x + (to.x - from.x) * t, from.z + (to.z - from.z) * t};
        }
    }
    memcpy(outline, kept, (size_t)left * sizeof *kept);
    return left;
}

// Twice the area that a flat box shares with one below it, whose middle is the origin.
static double shared_by(trv_vec3 below, trv_vec3 above, trv_vec3 position, float angle)
{
    const double signs[5] = {-1, 1, 1, -1, -1}, c = cos((double)angle), s = sin((double)angle);
    place outline[16];
    double twice = 0;
    int count = 4;
    for (int i = 0; i < 4; i++) {
        double x = signs[i] * (double)above.x, z = signs[i + 1] * (double)above.z;
        outline[i] =
            (place){(double)position.x + c * x + s * z, (double)position.z - s * x + c * z};
    }
    for (int i = 0; i < 4; i++)
        count = cut_off(outline, count, i / 2 == 1, i % 2 ? 1 : -1,
                        (double)(i / 2 == 1 ? below.z : below.x));
    for (int i = 0; i < count; i++) {
        place from = outline[i], to = outline[(i + 1) % count];
        twice += from.x * to.z - from.z * to.x;
    }
    return fabs(twice);
}

// Of any outline the widest four corners cover some two thirds, at least. Corners side by side may be the
// farthest ones along several directions, and cover next to nothing.
static void flat_boxes_are_held_by_points_that_cover_what_they_share(void **state)
{
    (void)state;
    test_random random = {11};
    int looked_at = 0;
    for (int i = 0; i < 12000; i++) {
        trv_vec3 below = {random_float(&random, 0.5f, 1.5f), 0.5f,
                          random_float(&random, 0.5f, 1.5f)};
        trv_vec3 above = {random_float(&random, 0.5f, 1.5f), 0.5f,
                          random_float(&random, 0.5f, 1.5f)};
        trv_vec3 over = {random_float(&random, -1, 1), 0.999f, random_float(&random, -1, 1)};
        float angle = random_float(&random, -3, 3);
        double shared = shared_by(below, above, over, angle);
        if (shared < 0.1)
            continue;
        trv_hull *hull = NULL;
        trv_shape one = trv_make_box(below);
        trv_shape two = i % 4 == 3 ? box_as_hull(above, &hull) : trv_make_box(above);
        trv_manifold m;
        expect_result(trv_collide(&one, at(0, 0, 0), &two,
                                  turned_about_y(over.x, over.y, over.z, angle), 0.01f, NULL, &m),
                      TRV_OK);
        if (!(spanned_by(&m) >= 0.3 * shared))
            fail_msg("case %d: points cover %g of %g", i, spanned_by(&m), shared);
        trv_hull_release(hull);
        looked_at++;
    }
    assert_true(looked_at > 9000);
}

// The outline that the faces share has more corners than there is room for. What leans far touches at
// some that would not be chosen when it leans less: held, they stay, beside what is deepest.
static void points_that_are_held_stay_while_there_are_such_corners(void **state)
{
    (void)state;
    enum { TURNS = 24 };
    trv_hull *hull = make_prism(12, 0.45f, 0.5f);
    const trv_shape box = trv_make_box((trv_vec3){0.5f, 0.5f, 0.5f}), prism = trv_make_hull(hull);
    const trv_shape plane =
        trv_make_half_space((trv_vec3){0.0f, 1.0f, 0.0f}, (trv_vec3){0.0f, 0.5f, 0.0f});
    const trv_shape *pairs[][2] = {{&box, &box}, {&box, &prism}, {&plane, &prism}};
    for (int k = 0; k < 3; k++) {
        int others = 0;
        for (int i = 0; i < TURNS * TURNS; i++) {
            float before = 0.2618f * (float)(i % TURNS), now = 0.2618f * (float)(i / TURNS);
            float lowest = 0.0f, wanted = 0.0f;
            trv_manifold old = lay_on(pairs[k][0], pairs[k][1], before, 0.025f, NULL);
            trvi_held held = {.count = old.count < 3 ? old.count : 3};
            for (uint32_t p = 0; p < held.count; p++)
                held.features[p] = old.points[p].feature;
            trv_manifold free = lay_on(pairs[k][0], pairs[k][1], now, 0.004f, NULL);
            trv_manifold m = lay_on(pairs[k][0], pairs[k][1], now, 0.004f, &held);
            assert_int_equal(m.count, 4);
            for (uint32_t p = 0; p < held.count; p++) {
                assert_true(has_feature(&m, held.features[p]));
                others += !has_feature(&free, held.features[p]);
            }
            for (uint32_t p = 0; p < 4; p++) {
                lowest = fminf(lowest, m.points[p].separation);
                wanted = fminf(wanted, free.points[p].separation);
            }
            assert_true(lowest <= 0.5f * wanted);
        }
        assert_true(others > 100);
    }
    trvi_convex_release(hull);
}

static void a_tilted_box_on_the_ground_touches_along_its_lower_edge(void **state)
{
    (void)state;
    trv_shape ground = trv_make_box((trv_vec3){10.0f, 1.0f, 10.0f});
    trv_shape plane =
        trv_make_half_space((trv_vec3){0.0f, 1.0f, 0.0f}, (trv_vec3){0.0f, 1.0f, 0.0f});
    trv_shape box = trv_make_box((trv_vec3){0.5f, 0.5f, 0.5f});
    float tilt = 0.3f;
    trv_pose pose = at(0, 1.0f + 0.5f * (trvi_cos(tilt) + trvi_sin(tilt)) - 0.001f, 0);
    pose.rotation = trv_quat_about((trv_vec3){0.0f, 0.0f, 1.0f}, tilt);
    const trv_shape *floors[] = {&ground, &plane};
    for (int i = 0; i < 2; i++) {
        trv_manifold m;
        expect_result(trv_collide(floors[i], at(0, 0, 0), &box, pose, 0.01f, NULL, &m), TRV_OK);
        assert_int_equal(m.count, 2);
        expect_near(m.normal.y, 1.0, 1.0e-6);
        expect_near(m.points[0].separation, -0.001, 1.0e-5);
        expect_near(fabsf(m.points[0].point.z - m.points[1].point.z), 1.0, 1.0e-5);
    }
}

static void parallel_capsules_touch_at_both_ends_of_what_they_share(void **state)
{
    (void)state;
    trv_vec3 left = {-0.5f, 0.0f, 0.0f}, right = {0.5f, 0.0f, 0.0f};
    trv_shape capsule = trv_make_capsule(left, right, 0.25f);
    trv_manifold m;
    expect_result(trv_collide(&capsule, at(0, 0, 0), &capsule, at(0.4f, 0.49f, 0.0f), 0, NULL, &m),
                  TRV_OK);
    assert_int_equal(m.count, 2);
    trv_aabb box = bounds_of(&m);
    expect_near(box.lower.x, -0.1, 1.0e-5);
    expect_near(box.upper.x, 0.5, 1.0e-5);
    expect_near(m.points[0].separation, -0.01, 1.0e-6);
    expect_near(m.points[0].point.y, 0.245, 1.0e-6);
    // Crossed: one point.
    expect_result(trv_collide(&capsule, at(0, 0, 0), &capsule,
                              turned_about_y(0.0f, 0.49f, 0.0f, 1.0f), 0, NULL, &m),
                  TRV_OK);
    assert_int_equal(m.count, 1);
    expect_near(m.points[0].separation, -0.01, 1.0e-6);
}

static void a_lying_capsule_rests_on_two_points_of_a_box(void **state)
{
    (void)state;
    trv_shape capsule =
        trv_make_capsule((trv_vec3){-2.0f, 0.0f, 0.0f}, (trv_vec3){2.0f, 0.0f, 0.0f}, 0.25f);
    trv_shape box = trv_make_box((trv_vec3){1.0f, 0.5f, 1.0f});
    for (int i = 0; i < 3; i++) { // apart, touching, and with the segment inside the box
        const float heights[] = {0.755f, 0.74f, 0.4f};
        trv_manifold m;
        expect_result(
            trv_collide(&box, at(0, 0, 0), &capsule, at(0, heights[i], 0), 0.01f, NULL, &m),
            TRV_OK);
        assert_int_equal(m.count, 2);
        trv_aabb bounds = bounds_of(&m);
        expect_near(bounds.lower.x, -1.0, 2.0e-3);
        expect_near(bounds.upper.x, 1.0, 2.0e-3);
        expect_near(m.points[0].separation, heights[i] - 0.75, 1.0e-6);
    }
}

static void resting_contacts_keep_normal_and_names_while_rounding_stirs(void **state)
{
    (void)state;
    test_random random = {41};
    trv_shape box = trv_make_box((trv_vec3){0.5f, 0.5f, 0.5f});
    uint32_t names[4] = {0, 0, 0, 0};
    for (int frame = 0; frame < 2000; frame++) {
        trv_vec3 stir = random_vec3(&random, 1.0e-4f), tilt = random_vec3(&random, 1.0f);
        trv_pose upper = at(stir.x, 1.0f + stir.y, stir.z);
        upper.rotation = trv_quat_about(tilt, 1.0e-5f);
        trv_manifold m;
        expect_result(trv_collide(&box, at(0, 0, 0), &box, upper, 0.02f, NULL, &m), TRV_OK);
        assert_int_equal(m.count, 4);
        assert_true(m.normal.y > 0.99999f);
        for (uint32_t i = 0; i < 4; i++) {
            if (frame == 0)
                names[i] = m.points[i].feature;
            assert_int_equal(m.points[i].feature, names[i]);
        }
    }
    assert_true(names[0] != names[1] && names[1] != names[2] && names[2] != names[3]);
}

static void depth_changes_smoothly_through_the_surface(void **state)
{
    (void)state;
    trv_hull *globe = make_globe(6, 7, (trv_vec3){0.5f, 0.5f, 0.5f});
    trv_shape a = trv_make_hull(globe), b = trv_make_box((trv_vec3){0.5f, 0.3f, 0.5f});
    float before = 0.0f;
    for (int step = 0; step <= 400; step++) {
        float height = 0.82f - 0.0001f * (float)step;
        trv_manifold m;
        trv_pose pose = turned_about_y(0.1f, height, 0.05f, 0.4f);
        expect_result(trv_collide(&b, at(0, 0, 0), &a, pose, 0.05f, NULL, &m), TRV_OK);
        assert_true(m.count > 0);
        float deepest = m.points[0].separation;
        for (uint32_t i = 1; i < m.count; i++)
            deepest = fminf(deepest, m.points[i].separation);
        if (step > 0)
            expect_near(deepest - before, -0.0001, 2.0e-6);
        before = deepest;
    }
    trvi_convex_release(globe);
}

static void add_corner(trvi_polygon *p, trvi_corner corner)
{
    p->corners[p->count] = corner;
    p->count = trvi_polygon_bounded(p, p->count + 1);
}

static void polygons_stay_within_bounds_and_keep_the_deepest_corner(void **state)
{
    (void)state;
    trvi_polygon p, cut;
    p.count = 0;
    for (uint32_t i = 0; i < 500; i++) { // tilted, so that one corner is the deepest
        double angle = 6.283185307179586 * i / 500.0;
        add_corner(&p, (trvi_corner){sin(angle), cos(angle), -0.6 * cos(angle), i, i});
        assert_true(p.count <= TRVI_POLYGON_MAX);
    }
    expect_near(trvi_polygon_lowest(&p), -0.6, 1.0e-15);
    assert_true(trvi_polygon_cut(&p, 0.0, 1.0, 0.5, 0.0, 7, &cut));
    for (uint32_t i = 0; i < cut.count; i++)
        assert_true(cut.corners[i].v <= 0.5 + 1.0e-12);
    assert_true(cut.count > TRV_MANIFOLD_POINTS);
    const trvi_depths depths = {trvi_polygon_lowest(&cut), -HUGE_VAL, TRVI_DEPTH_WORTH};
    trvi_polygon_choose_four(&cut, &depths, 0, NULL);
    assert_int_equal(cut.count, 4);
    expect_near(trvi_polygon_lowest(&cut), -0.3, 1.0e-12);
    assert_true(trvi_polygon_cut(&cut, 0.0, 1.0, -5.0, 0.0, 8, &p));
    assert_int_equal(p.count, 0);
}

static void a_segment_is_cut_at_both_ends(void **state)
{
    (void)state;
    trvi_polygon p, half, part;
    p.count = 0;
    add_corner(&p, (trvi_corner){-2.0, 0.0, 0.0, TRVI_NO_EDGE, 0});
    add_corner(&p, (trvi_corner){2.0, 0.0, 0.0, 0, TRVI_NO_EDGE});
    assert_true(trvi_polygon_cut(&p, 1.0, 0.0, 1.0, 0.0, 7, &half));
    assert_true(trvi_polygon_cut(&half, -1.0, 0.0, 1.5, 0.0, 8, &part));
    assert_false(trvi_polygon_cut(&part, 0.0, 1.0, 0.5, 0.0, 9, &half));
    assert_int_equal(part.count, 2);
    expect_near(part.corners[0].u, -1.5, 1.0e-12);
    expect_near(part.corners[1].u, 1.0, 1.0e-12);
    assert_int_equal(part.corners[0].before, 8);
    assert_int_equal(part.corners[1].after, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stacked_boxes_touch_at_four_corners),
        cmocka_unit_test(boxes_further_apart_than_the_margin_have_no_contact),
        cmocka_unit_test(crossed_edges_touch_at_one_point_between_them),
        cmocka_unit_test(twisted_prisms_of_any_number_of_sides_touch_at_four_points_that_span),
        cmocka_unit_test(narrow_bases_are_held_at_their_sides_too),
        cmocka_unit_test(long_patches_that_touch_along_a_side_are_held_at_both_ends),
        cmocka_unit_test(flat_boxes_are_held_by_points_that_cover_what_they_share),
        cmocka_unit_test(points_that_are_held_stay_while_there_are_such_corners),
        cmocka_unit_test(a_tilted_box_on_the_ground_touches_along_its_lower_edge),
        cmocka_unit_test(parallel_capsules_touch_at_both_ends_of_what_they_share),
        cmocka_unit_test(a_lying_capsule_rests_on_two_points_of_a_box),
        cmocka_unit_test(resting_contacts_keep_normal_and_names_while_rounding_stirs),
        cmocka_unit_test(depth_changes_smoothly_through_the_surface),
        cmocka_unit_test(polygons_stay_within_bounds_and_keep_the_deepest_corner),
        cmocka_unit_test(a_segment_is_cut_at_both_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
