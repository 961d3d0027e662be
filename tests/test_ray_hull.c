// Rays at hulls of many faces: the tree of planes must find what a look at every face finds, bit for
// bit, on every kind of hull and for rays that graze, touch and lie in what the hull is made of.
#include "support.h"

#include <trivet/collide.h>
#include <trivet/mesh.h>

#include "../src/narrow/ray_hull.h"
#include "hulls.h"

// Faces times rays for each hull; more for a longer run.
#ifndef TEST_WORK
#define TEST_WORK 3000000u
#endif

static trv_hull *create(const trv_vec3 *points, uint32_t count, trv_vec3 scale, trv_vec3 offset)
{
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull = NULL;
    def.scale = scale;
    def.offset = offset;
    expect_result(trv_hull_create(points, count, &def, &hull), TRV_OK);
    if (hull->plane_leaves == 0)
        fail_msg("%u faces are too few for a tree", hull->face_count);
    return hull;
}

static trv_vec3 random_direction(test_random *random)
{
    return trv_rotate(random_quat(random), (trv_vec3){1.0f, 0.0f, 0.0f});
}

enum { HULLS = 15, MOST_POINTS = 10000 };

// Smooth, flat-sided, pointed, lean, tiny, huge and far from the origin; with united faces and
// faces of thousands of sides.
static trv_hull *make_hull_number(int number)
{
    const struct {
        uint32_t count;
        int form; // 0 sphere, 1 cylinder, 2 cone, 3 lattice of integers, 4 rings and meridians, 5 cube
        trv_vec3 scale, offset;
    } rows[HULLS] = {
        {60, 0, {1.0f, 1.0f, 1.0f}, {0.0f, 0.0f, 0.0f}},
        {250, 0, {1.0f, 2.0f, 0.5f}, {0.3f, 0.2f, 0.1f}},
        {10000, 0, {1.0f, 1.0f, 1.0f}, {0.0f, 0.0f, 0.0f}},
        {3000, 0, {1.0f, 1.0e-3f, 1.0e-3f}, {0.0f, 0.0f, 0.0f}},
        {3000, 0, {1.0f, 1.0e-4f, 1.0f}, {0.0f, 0.0f, 0.0f}},
        {200, 0, {1.0e-3f, 1.0e-3f, 1.0e-3f}, {0.0f, 0.0f, 0.0f}},
        {200, 0, {1.0e6f, 2.0e6f, 1.0e6f}, {0.0f, 0.0f, 0.0f}},
        {400, 0, {1.0f, 1.0f, 1.0f}, {1.0e4f, -2.0e4f, 3.0e3f}},
        {2000, 1, {1.0f, 1.0f, 1.0f}, {0.0f, 0.0f, 0.0f}},
        {300, 1, {1.0f, 1.0f, 1.0f}, {0.0f, 1.0f, 0.0f}},
        {1000, 2, {1.0f, 3.0f, 1.0f}, {0.0f, 0.0f, 0.0f}},
        {300, 2, {0.01f, 3.0f, 0.01f}, {0.0f, 0.0f, 0.0f}},
        {600, 3, {1.0f, 1.0f, 1.0f}, {0.0f, 0.0f, 0.0f}},
        {1200, 4, {1.0f, 0.7f, 0.9f}, {0.0f, 0.0f, 0.0f}},
        {2000, 5, {1.0f, 1.0f, 1.0f}, {0.0f, 0.0f, 0.0f}},
    };
    static trv_vec3 points[MOST_POINTS];
    test_random random = {100 + (uint64_t)number};
    uint32_t count = rows[number].count;
    for (uint32_t i = 0; i < count; i++) {
        double turn = 6.283185307179586 * (i / 2) / (count / 2);
        trv_vec3 p = random_direction(&random);
        if (rows[number].form == 1 || rows[number].form == 2)
            p = (trv_vec3){(float)cos(turn), i % 2 ? 1.0f : -1.0f, (float)sin(turn)};
        if (rows[number].form == 2 && i % 2)
            p = (trv_vec3){0.0f, 1.0f, 0.0f};
        if (rows[number].form == 3)
            p = (trv_vec3){rintf(9.0f * p.x), rintf(9.0f * p.y), rintf(9.0f * p.z)};
        if (rows[number].form == 4) {
            double polar = 3.141592653589793 * (i / 40 + 0.5) / (count / 40);
            double round = 6.283185307179586 * (i % 40) / 40.0;
            p = (trv_vec3){(float)(sin(polar) * cos(round)), (float)cos(polar),
                           (float)(sin(polar) * sin(round))};
        }
        if (rows[number].form == 5) { // the edges cut off in many steps, the sides left flat
            float most = fmaxf(fabsf(p.x), fmaxf(fabsf(p.y), fabsf(p.z)));
            p = trvi_mul_add(trvi_scale(p, 0.1f), trvi_scale(p, 1.0f / most), 1.0f);
        }
        points[i] = p;
    }
    return create(points, count, rows[number].scale, rows[number].offset);
}

// GCC 12 takes a way to float and back for none where it handles two numbers at once.
static trvi_dvec3 rounded(trvi_dvec3 v)
{
    volatile float x = (float)v.x, y = (float)v.y, z = (float)v.z;
    return (trvi_dvec3){x, y, z};
}

static trvi_dvec3 corner(const trv_hull *hull, test_random *random)
{
    return trvi_dvec3_from(hull->vertices[random_bits(random) % hull->vertex_count]);
}

// A point of a face's plane, near it: its corners weighed, now and then beyond them.
static trvi_dvec3 in_face(const trv_hull *hull, uint32_t face, test_random *random)
{
    uint32_t first = hull->face_first[face], sides = hull->face_first[face + 1] - first;
    trvi_dvec3 p[3];
    for (int i = 0; i < 3; i++)
        p[i] =
            trvi_dvec3_from(hull->vertices[hull->edge_origin[first + random_bits(random) % sides]]);
    double u = random_float(random, -0.3f, 1.0f);
    double v = random_float(random, -0.3f, 1.0f);
    p[0] = trvi_dmul_add(p[0], trvi_dsub(p[1], p[0]), u);
    return trvi_dmul_add(p[0], trvi_dsub(p[2], p[0]), v);
}

typedef struct line {
    trvi_dvec3 from, travel;
} line;

enum { KINDS = 12 };

static line random_line(const trv_hull *hull, int kind, test_random *random)
{
    double size = hull->radius;
    trvi_dvec3 center = trvi_dvec3_from(hull->center);
    trvi_dvec3 out = trvi_dscale(trvi_dvec3_from(random_direction(random)), size);
    trvi_dvec3 from = trvi_dmul_add(center, out, random_float(random, 1.0f, 4.0f)), to = center;
    double share = random_float(random, 0.0f, 1.0f), other = random_float(random, -1.0f, 1.0f);
    uint32_t face = (uint32_t)(random_bits(random) % hull->face_count);
    uint32_t edge = (uint32_t)(random_bits(random) % hull->half_edge_count);
    trvi_dvec3 a = trvi_dvec3_from(hull->vertices[hull->edge_origin[edge]]);
    trvi_dvec3 b = trvi_dvec3_from(hull->vertices[hull->edge_origin[hull->edge_twin[edge]]]);
    switch (kind) {
    case 0: // anywhere
        to = trvi_dadd(center, trvi_dscale(trvi_dvec3_from(random_vec3(random, 1.5f)), size));
        break;
    case 1: // to a corner, or through it
        to = corner(hull, random);
        break;
    case 2: // along an edge, from beyond its end
        from = trvi_dmul_add(a, trvi_dsub(a, b), random_float(random, -0.5f, 3.0f));
        to = b;
        break;
    case 3: // across an edge
        to = trvi_dmul_add(a, trvi_dsub(b, a), random_float(random, 0.0f, 1.0f));
        break;
    case 4: // in the plane of a face
        from = in_face(hull, face, random);
        to = in_face(hull, face, random);
        from = trvi_dmul_add(from, trvi_dsub(from, to), random_float(random, -1.0f, 9.0f));
        break;
    case 5: // from inside
        from = trvi_dmul_add(center, trvi_dsub(corner(hull, random), center), 0.9 * share);
        to = trvi_dadd(from, out);
        break;
    case 6: // from the surface
        from = in_face(hull, face, random);
        to = trvi_dadd(from, out);
        break;
    case 7: // from far away, at a corner
        from = trvi_dmul_add(center, out, random_float(random, 1.0e3f, 1.0e6f));
        to = trvi_dmul_add(corner(hull, random), out, other * 1.0e-6);
        break;
    case 8: // along an axis, through a corner: sides of boxes and lattices
        to = corner(hull, random);
        from = to;
        *(face % 3 == 0 ? &from.x : face % 3 == 1 ? &from.y : &from.z) += 3.0 * size;
        break;
    case 9: // just over a face, nearly in its plane
        to = trvi_dmul_add(in_face(hull, face, random), trvi_dvec3_from(hull->planes[face].normal),
                           size * (5.0 * share - 1.0) * TRVI_RAY_SLACK);
        from =
            trvi_dmul_add(in_face(hull, face, random), trvi_dvec3_from(hull->planes[face].normal),
                          size * (4.0 + 5.0 * other) * TRVI_RAY_SLACK);
        from = trvi_dmul_add(from, trvi_dsub(from, to), random_float(random, 0.0f, 9.0f));
        break;
    case 10: // short
        from = trvi_dmul_add(in_face(hull, face, random), out, 1.0e-4);
        to = trvi_dmul_add(from, out, -random_float(random, 0.0f, 2.0e-4f));
        break;
    default: // no travel
        from = face % 2 ? corner(hull, random) : in_face(hull, face, random);
        to = from;
        break;
    }
    line l = {from, trvi_dsub(to, from)};
    if (kind != 11 && random_bits(random) % 2)
        l.travel = trvi_dscale(l.travel, 2.0); // through, and out again
    if (random_bits(random) % 2) {             // as floats are
        l.from = rounded(l.from);
        l.travel = rounded(l.travel);
    }
    return l;
}

// The clip against every face, written out: nothing is left out, and the order is that of the faces.
static bool clip_every(const trv_hull *hull, line l, trvi_span *s)
{
    double reach = trvi_dlength(trvi_dvec3_from(hull->center)) + (double)hull->radius;
    double slack = TRVI_RAY_SLACK * reach;
    *s = (trvi_span){0.0, 1.0, 0.0, 0, false};
    for (uint32_t f = 0; f < hull->face_count; f++) {
        trvi_dvec3 n = trvi_dvec3_from(hull->planes[f].normal);
        double height = trvi_ddot(n, l.from) + (double)hull->planes[f].offset;
        double rise = trvi_ddot(n, l.travel);
        if (height > slack) {
            s->outside = true;
            if (!(rise < 0.0))
                return false;
            if (height / -rise > s->fraction) {
                s->fraction = height / -rise;
                s->face = f;
            }
            s->enter = fmax(s->enter, (height - slack) / -rise);
        } else if (rise > 0.0) {
            s->leave = fmin(s->leave, (slack - height) / rise);
        }
    }
    return s->enter <= s->leave;
}

// How far the ray stays outside the hull's box, by the slabs, or not at all (0 or less).
static double outside_box(const trv_hull *hull, line l)
{
    double low = 0.0, high = 1.0, wide = 1.0e-7 * (double)hull->radius;
    const double from[3] = {l.from.x, l.from.y, l.from.z};
    const double travel[3] = {l.travel.x, l.travel.y, l.travel.z};
    const double lower[3] = {hull->bounds.lower.x, hull->bounds.lower.y, hull->bounds.lower.z};
    const double upper[3] = {hull->bounds.upper.x, hull->bounds.upper.y, hull->bounds.upper.z};
    for (int i = 0; i < 3; i++) {
        double a = lower[i] - wide - from[i], b = upper[i] + wide - from[i];
        if (travel[i] == 0.0) {
            if (a > 0.0 || b < 0.0)
                return 1.0;
            continue;
        }
        low = fmax(low, fmin(a / travel[i], b / travel[i]));
        high = fmin(high, fmax(a / travel[i], b / travel[i]));
    }
    return low - high;
}

static void the_tree_finds_what_every_face_does(void **state)
{
    (void)state;
    uint64_t rays = 0, hits = 0, inside = 0, misses = 0, tips = 0;
    for (int number = 0; number < HULLS; number++) {
        trv_hull *hull = make_hull_number(number);
        test_random random = {(uint64_t)number};
        uint32_t count = TEST_WORK / hull->face_count;
        for (uint32_t i = 0; i < count; i++, rays++) {
            line l = random_line(hull, (int)(i % KINDS), &random);
            trvi_span wanted, got, every;
            bool meets = clip_every(hull, l, &wanted);
            bool met = trvi_ray_hull(hull, l.from, l.travel, &got);
            if (met != trvi_ray_hull_every(hull, l.from, l.travel, &every))
                fail_msg("hull %d ray %u: %d, and the other by every face", number, i, met);
            if (meets && !met) { // nothing but a ray that passes beyond the box
                assert_true(outside_box(hull, l) > 0.0);
                tips++;
                continue;
            }
            if (meets != met || (met && wanted.outside != got.outside))
                fail_msg("hull %d ray %u: hit %d outside %d, wanted %d %d", number, i, met,
                         got.outside, meets, wanted.outside);
            misses += !met;
            inside += met && !got.outside;
            if (!met || !got.outside)
                continue;
            hits++;
            if (wanted.fraction != got.fraction || wanted.face != got.face ||
                every.fraction != got.fraction || every.face != got.face)
                fail_msg("hull %d ray %u: face %u at %.17g, wanted %u at %.17g", number, i,
                         got.face, got.fraction, wanted.face, wanted.fraction);
        }
        trv_hull_release(hull);
    }
    print_message("%llu rays: %llu hits, %llu inside, %llu misses, %llu beyond tips\n",
                  (unsigned long long)rays, (unsigned long long)hits, (unsigned long long)inside,
                  (unsigned long long)misses, (unsigned long long)tips);
    assert_true(hits > rays / 5 && inside > rays / 20 && misses > rays / 10 && tips < rays / 100);
}

// By halves, in order: every face is in one leaf, and every node's bounds hold for its faces.
static void the_tree_bounds_every_plane(void **state)
{
    (void)state;
    test_random random = {7};
    for (int number = 0; number < HULLS; number++) {
        trv_hull *hull = make_hull_number(number);
        uint32_t *seen = calloc(hull->face_count, sizeof *seen);
        assert_non_null(seen);
        for (uint32_t leaf = 0; leaf < hull->plane_leaves; leaf++) {
            uint32_t first = trvi_leaf_first(hull, leaf), last = trvi_leaf_first(hull, leaf + 1);
            assert_true(last > first);
            for (uint32_t i = first; i < last; i++) {
                uint32_t face = hull->face_order[i];
                const trv_plane *plane = &hull->planes[face];
                seen[face]++;
                for (uint32_t node = hull->plane_leaves + leaf; node > 0; node /= 2) {
                    const trvi_plane_bounds *b = &hull->plane_bounds[node];
                    trv_vec3 p = random_vec3(&random, 3.0f * hull->radius);
                    trvi_dvec3 to = trvi_dsub(trvi_dvec3_from(p), trvi_dvec3_from(b->at));
                    trvi_dvec3 size = {fabs(to.x), fabs(to.y), fabs(to.z)};
                    double most = b->height + trvi_ddot(trvi_dvec3_from(b->normal), to) +
                                  trvi_ddot(trvi_dvec3_from(b->spread), size);
                    double height = trvi_ddot(trvi_dvec3_from(plane->normal), trvi_dvec3_from(p)) +
                                    (double)plane->offset;
                    assert_true(height <= most + 1.0e-12 * (trvi_dlength(to) + fabs(height)));
                }
            }
        }
        for (uint32_t f = 0; f < hull->face_count; f++)
            assert_int_equal(seen[f], 1);
        free(seen);
        trv_hull_release(hull);
    }
}

static void hulls_of_few_faces_have_no_tree(void **state)
{
    (void)state;
    const trv_vec3 points[4] = {
        {0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull;
    expect_result(trv_hull_create(points, 4, &def, &hull), TRV_OK);
    assert_int_equal(hull->plane_leaves, 0);
    trvi_dvec3 from = {0.1, 0.1, -1.0}, travel = {0.0, 0.0, 2.0};
    trvi_span span;
    assert_true(trvi_ray_hull(hull, from, travel, &span) && span.outside);
    expect_near(span.fraction, 0.5, 0.0);
    trv_hull_release(hull);
}

// Beyond the tip of a needle its planes, a sliver farther out, still have room between them.
static void a_ray_past_the_tip_of_a_needle_misses(void **state)
{
    (void)state;
    const trv_vec3 points[4] = {{0.0f, 1.0f, 0.0f},
                                {1.0e-5f, 0.0f, 0.0f},
                                {-1.0e-5f, 0.0f, 1.0e-5f},
                                {-1.0e-5f, 0.0f, -1.0e-5f}};
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull;
    expect_result(trv_hull_create(points, 4, &def, &hull), TRV_OK);
    trvi_dvec3 past = {-1.0, 1.001, 0.0}, at = {-1.0, 1.0, 0.0}, travel = {2.0, 0.0, 0.0};
    trvi_span span;
    assert_true(clip_every(hull, (line){past, travel}, &span));
    assert_false(trvi_ray_hull(hull, past, travel, &span));
    assert_true(trvi_ray_hull(hull, at, travel, &span));
    trv_hull_release(hull);
}

// A wedge or a needle that is as thin as this, about the origin, and turned anyhow.
static uint32_t make_thin(test_random *random, bool needle, double thin, trv_vec3 *points)
{
    const trvi_dvec3 wedge[6] = {{-1, -1, 0},  {-1, 1, 0}, {1, -1, thin},
                                 {1, 1, thin}, {1, -1, 0}, {1, 1, 0}};
    const trvi_dvec3 pin[4] = {{-1, 0, 0}, {1, thin, 0}, {1, -thin, thin}, {1, -thin, -thin}};
    trvi_dmat3 turn = trvi_dmat3_from_quat(random_quat(random));
    uint32_t count = needle ? 4 : 6;
    for (uint32_t i = 0; i < count; i++)
        points[i] = trvi_vec3_from_double(trvi_dmat3_mul(&turn, needle ? pin[i] : wedge[i]));
    return count;
}

// Past the tip, where boxes about the hull do not help: most of these are turned.
static void rays_hit_thin_hulls_where_they_are_and_only_there(void **state)
{
    (void)state;
    test_random random = {31};
    uint32_t hits = 0, misses = 0;
    for (int i = 0; i < 200; i++) {
        trv_vec3 points[6];
        uint32_t count = make_thin(&random, i % 2, pow(10.0, -1.0 - i % 50 / 10.0), points);
        trv_hull_def def = trv_default_hull_def();
        trv_hull *hull;
        if (trv_hull_create(points, count, &def, &hull) != TRV_OK)
            continue;
        trv_shape shape = trv_make_hull(hull), point = trv_make_sphere((trv_vec3){0, 0, 0}, 1e-7f);
        trv_vec3 middle = {0.0f, 0.0f, 0.0f};
        for (uint32_t k = 0; k < count; k++)
            middle = trvi_add(middle, trvi_scale(points[k], 1.0f / (float)count));
        for (int k = 0; k < 100; k++) {
            trv_vec3 tip = points[k % 2], inside = points[random_bits(&random) % count];
            float share = random_float(&random, 0.001f, 1.0f);
            inside = trvi_add(inside, trvi_scale(trvi_sub(middle, inside), share));
            trv_vec3 aim = k % 3 == 0 ? inside : trvi_add(tip, random_vec3(&random, 0.05f));
            trv_ray ray = {trvi_add(aim, random_vec3(&random, 2.0f)), {0, 0, 0}};
            ray.travel = trvi_scale(trvi_sub(aim, ray.origin), 2.0f);
            trv_ray_hit hit;
            trv_gap gap;
            expect_result(trv_shape_cast_ray(&shape, trv_make_pose((trv_vec3){0, 0, 0}), ray, &hit),
                          TRV_OK);
            assert_true(hit.hit || k % 3 != 0);
            misses += !hit.hit;
            hits += hit.hit;
            if (!hit.hit)
                continue;
            expect_result(trv_distance(&shape, trv_make_pose((trv_vec3){0, 0, 0}), &point,
                                       trv_make_pose(hit.point), &gap),
                          TRV_OK);
            assert_true(gap.distance <= 5.0e-6f);
        }
        trv_hull_release(hull);
    }
    assert_true(hits > 2000 && misses > 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_finds_what_every_face_does),
        cmocka_unit_test(the_tree_bounds_every_plane),
        cmocka_unit_test(hulls_of_few_faces_have_no_tree),
        cmocka_unit_test(a_ray_past_the_tip_of_a_needle_misses),
        cmocka_unit_test(rays_hit_thin_hulls_where_they_are_and_only_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
