// Rays: exact cases, and random rays against closest points and sampling.
#include "support.h"
#include <trivet/primitives.h>

static trv_vec3 v3(float x, float y, float z)
{
    return trv_make_vec3(x, y, z);
}

static trv_ray ray_of(float ox, float oy, float oz, float dx, float dy, float dz)
{
    trv_ray ray = {{ox, oy, oz}, {dx, dy, dz}};
    return ray;
}

static trv_vec3 point_at(trv_ray ray, float u)
{
    return v3(ray.origin.x + ray.travel.x * u, ray.origin.y + ray.travel.y * u,
              ray.origin.z + ray.travel.z * u);
}

static const trv_sphere unit = {{0, 0, 0}, 1};
static const trv_aabb cube = {{-1, -1, -1}, {1, 1, 1}};

static void an_origin_in_the_solid_hits_at_once_without_a_normal(void **state)
{
    (void)state;
    trv_ray ray = ray_of(0.5f, 0, 0, 9, 0, 0);
    trv_obb box = {{0, 0, 0}, {1, 1, 1}, trv_identity_quat()};
    trv_capsule capsule = {{-1, 0, 0}, {1, 0, 0}, 1};
    trv_ray_hit hits[] = {trv_ray_sphere(ray, unit), trv_ray_aabb(ray, cube), trv_ray_obb(ray, box),
                          trv_ray_capsule(ray, capsule)};
    for (size_t i = 0; i < 4; ++i) {
        assert_true(hits[i].hit && hits[i].inside && hits[i].fraction == 0);
        assert_true(hits[i].point.x == 0.5f && hits[i].normal.x == 0 && hits[i].normal.y == 0);
    }
}

static void a_ray_ends_where_its_travel_ends(void **state)
{
    (void)state;
    assert_true(trv_ray_sphere(ray_of(-3, 0, 0, 2, 0, 0), unit).hit); // just touches
    assert_false(trv_ray_sphere(ray_of(-3, 0, 0, 1.9999f, 0, 0), unit).hit);
    assert_true(trv_ray_aabb(ray_of(-3, 0, 0, 2, 0, 0), cube).fraction == 1);
    assert_false(trv_ray_aabb(ray_of(-3, 0, 0, 1.9999f, 0, 0), cube).hit);
}

static void what_lies_behind_is_not_hit(void **state)
{
    (void)state;
    assert_false(trv_ray_sphere(ray_of(3, 0, 0, 9, 0, 0), unit).hit);
    assert_false(trv_ray_aabb(ray_of(3, 0, 0, 9, 0, 0), cube).hit);
    trv_capsule capsule = {{-1, -1, 0}, {1, 1, 0}, 1};
    assert_false(trv_ray_capsule(ray_of(5, 0, 0, 9, 0, 0), capsule).hit);
}

static void a_ray_in_the_face_of_a_box_hits(void **state)
{
    (void)state; // 0 * infinity in the usual slabs
    trv_ray_hit hit = trv_ray_aabb(ray_of(-3, 1, 1, 8, 0, 0), cube);
    assert_true(hit.hit && hit.fraction == 0.25f && hit.normal.x == -1);
    float above = nextafterf(1, 2);
    assert_false(trv_ray_aabb(ray_of(-3, above, 0, 8, 0, 0), cube).hit);
    assert_false(trv_ray_aabb(ray_of(-3, above, 0, 8, -0.0f, 0), cube).hit);
}

static void a_ray_through_a_corner_hits(void **state)
{
    (void)state;
    trv_ray_hit hit = trv_ray_aabb(ray_of(-2, 0, 0, 4, 4, 4), cube);
    assert_true(hit.hit);
    hit = trv_ray_aabb(ray_of(-3, -1, 1, 4, 4, 0), cube); // past the edge through (-1, 1)
    assert_true(hit.hit && hit.fraction == 0.5f);
    assert_true(hit.point.x == -1 && hit.point.y == 1 && hit.point.z == 1);
}

static void an_exact_graze_of_a_sphere_hits(void **state)
{
    (void)state;
    trv_ray_hit hit = trv_ray_sphere(ray_of(-4, 1, 0, 8, 0, 0), unit);
    assert_true(hit.hit && hit.fraction == 0.5f && hit.normal.y == 1);
    assert_false(trv_ray_sphere(ray_of(-4, nextafterf(1, 2), 0, 8, 0, 0), unit).hit);
}

static void a_point_sized_sphere_is_hit_with_the_normal_against_the_travel(void **state)
{
    (void)state;
    trv_sphere point = {{2, 0, 0}, 0};
    trv_ray_hit hit = trv_ray_sphere(ray_of(0, 0, 0, 4, 0, 0), point);
    assert_true(hit.hit && hit.fraction == 0.5f && hit.normal.x == -1);
}

static void a_ray_without_length_is_a_point(void **state)
{
    (void)state;
    assert_true(trv_ray_sphere(ray_of(1, 0, 0, 0, 0, 0), unit).inside);
    assert_false(trv_ray_sphere(ray_of(2, 0, 0, 0, 0, 0), unit).hit);
    assert_true(trv_ray_aabb(ray_of(1, 1, 1, 0, 0, 0), cube).inside);
    assert_false(trv_ray_aabb(ray_of(2, 0, 0, 0, 0, 0), cube).hit);
}

static void a_ray_along_the_axis_enters_a_capsule_by_its_cap(void **state)
{
    (void)state;
    trv_capsule capsule = {{-1, 0, 0}, {1, 0, 0}, 1};
    trv_ray_hit hit = trv_ray_capsule(ray_of(-6, 0, 0, 8, 0, 0), capsule);
    assert_true(hit.hit && hit.fraction == 0.5f && hit.normal.x == -1);
    hit = trv_ray_capsule(ray_of(-5, 1, 0, 8, 0, 0), capsule); // along its side, touching
    assert_true(hit.hit && hit.fraction == 0.5f && hit.normal.y == 1);
}

static const trv_triangle flat = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};

static void triangles_are_hit_from_either_side_and_the_normal_faces_the_ray(void **state)
{
    (void)state;
    trv_ray_hit above = trv_ray_triangle(ray_of(1, 1, 2, 0, 0, -4), flat);
    trv_ray_hit below = trv_ray_triangle(ray_of(1, 1, -2, 0, 0, 4), flat);
    assert_true(above.hit && above.fraction == 0.5f && above.normal.z == 1);
    assert_true(below.hit && below.fraction == 0.5f && below.normal.z == -1);
    assert_false(above.inside || below.inside);
}

static void edges_and_corners_of_a_triangle_count(void **state)
{
    (void)state;
    assert_true(trv_ray_triangle(ray_of(2, 2, 2, 0, 0, -4), flat).hit);
    assert_true(trv_ray_triangle(ray_of(4, 0, 2, 0, 0, -4), flat).hit);
    assert_true(trv_ray_triangle(ray_of(2, 0, 2, 0, 0, -4), flat).hit);
    assert_false(trv_ray_triangle(ray_of(2, -1e-6f, 2, 0, 0, -4), flat).hit);
    assert_true(trv_ray_triangle(ray_of(1, 1, 0, 0, 0, -4), flat).fraction == 0); // starts on it
}

static void a_ray_in_the_plane_of_a_triangle_does_not_hit_but_a_segment_does(void **state)
{
    (void)state;
    trv_ray in_plane = ray_of(-1, 1, 0, 9, 0, 0);
    assert_false(trv_ray_triangle(in_plane, flat).hit);
    trv_segment across = {{-1, 1, 0}, {8, 1, 0}}, inside = {{1, 1, 0}, {1.5f, 1, 0}};
    trv_segment beside = {{-1, -1, 0}, {8, -1, 0}}, corner = {{4, -1, 0}, {4, 1, 0}};
    trv_segment point = {{1, 1, 0}, {1, 1, 0}}, above = {{0, 0, 1}, {1, 1, 1}};
    assert_true(trv_segment_overlaps_triangle(across, flat));
    assert_true(trv_segment_overlaps_triangle(inside, flat));
    assert_true(trv_segment_overlaps_triangle(corner, flat));
    assert_true(trv_segment_overlaps_triangle(point, flat));
    assert_false(trv_segment_overlaps_triangle(beside, flat));
    assert_false(trv_segment_overlaps_triangle(above, flat));
}

static void a_triangle_without_area_is_not_hit(void **state)
{
    (void)state;
    trv_triangle line = {{0, 0, 0}, {1, 1, 1}, {3, 3, 3}};
    assert_false(trv_ray_triangle(ray_of(2, 2, 1, 0, 0, 4), line).hit);
    trv_segment s = {{2, 2, 1}, {2, 2, 5}};
    assert_false(trv_segment_overlaps_triangle(s, line));
}

static void rays_at_1e30_metres_are_answered(void **state)
{
    (void)state;
    trv_ray ray = ray_of(-4e30f, 0, 0, 8e30f, 0, 0);
    trv_sphere sphere = {{0, 0, 0}, 2e30f};
    trv_aabb box = {{-2e30f, -1e30f, -1e30f}, {1e30f, 1e30f, 1e30f}};
    trv_capsule capsule = {{0, -1e30f, 0}, {0, 1e30f, 0}, 2e30f};
    trv_triangle triangle = {{-2e30f, -1e30f, -1e30f}, {-2e30f, 3e30f, -1e30f}, {-2e30f, 0, 3e30f}};
    expect_near(trv_ray_sphere(ray, sphere).fraction, 0.25, 1e-6);
    expect_near(trv_ray_aabb(ray, box).fraction, 0.25, 1e-6);
    expect_near(trv_ray_capsule(ray, capsule).fraction, 0.25, 1e-6);
    expect_near(trv_ray_triangle(ray, triangle).fraction, 0.25, 1e-6);
}

// The distance from p to a solid of one of four kinds.
typedef struct solid {
    int kind;
    trv_sphere sphere;
    trv_aabb aabb;
    trv_obb obb;
    trv_capsule capsule;
} solid;

static solid random_solid(test_random *random, int kind)
{
    solid s;
    trv_vec3 c = random_vec3(random, 2), e = random_vec3(random, 2);
    e = v3(fabsf(e.x), fabsf(e.y), fabsf(e.z));
    s.kind = kind;
    s.sphere = (trv_sphere){c, random_float(random, 0.1f, 2)};
    s.aabb = (trv_aabb){v3(c.x - e.x, c.y - e.y, c.z - e.z), v3(c.x + e.x, c.y + e.y, c.z + e.z)};
    s.obb = (trv_obb){c, e, random_quat(random)};
    s.capsule = (trv_capsule){c, random_vec3(random, 2), s.sphere.radius};
    return s;
}

static trv_ray_hit cast(trv_ray ray, const solid *s)
{
    switch (s->kind) {
    case 0:
        return trv_ray_sphere(ray, s->sphere);
    case 1:
        return trv_ray_aabb(ray, s->aabb);
    case 2:
        return trv_ray_obb(ray, s->obb);
    default:
        return trv_ray_capsule(ray, s->capsule);
    }
}

static float distance_to(const solid *s, trv_vec3 p)
{
    trv_vec3 q;
    switch (s->kind) {
    case 0:
        return fmaxf(trv_point_distance(s->sphere.center, p) - s->sphere.radius, 0);
    case 1:
        assert_true(trv_aabb_closest_point(s->aabb, p, &q));
        return trv_point_distance(p, q);
    case 2:
        assert_true(trv_obb_closest_point(s->obb, p, &q));
        return trv_point_distance(p, q);
    default:
        assert_true(trv_segment_closest_point((trv_segment){s->capsule.a, s->capsule.b}, p, &q));
        return fmaxf(trv_point_distance(p, q) - s->capsule.radius, 0);
    }
}

static void rays_hit_exactly_where_they_first_come_to_the_solid(void **state)
{
    (void)state;
    test_random random = {71};
    int hits[4] = {0}, misses[4] = {0};
    for (int i = 0; i < 16000; ++i) {
        solid s = random_solid(&random, i % 4);
        trv_vec3 from = random_vec3(&random, 6), by = random_vec3(&random, 3);
        trv_ray ray = {from,
                       v3(1.5f * (by.x - from.x), 1.5f * (by.y - from.y), 1.5f * (by.z - from.z))};
        trv_ray_hit hit = cast(ray, &s);
        hits[s.kind] += hit.hit && !hit.inside;
        misses[s.kind] += !hit.hit;
        assert_true(hit.inside == (distance_to(&s, ray.origin) == 0));
        float end = hit.hit ? hit.fraction : 1;
        for (int k = 0; k < 40; ++k) // nothing before
            assert_true(distance_to(&s, point_at(ray, end * (float)k / 40)) > 0 || hit.inside);
        if (!hit.hit || hit.inside)
            continue;
        assert_true(distance_to(&s, hit.point) < 1e-5f);
        assert_true(trv_point_distance(hit.point, point_at(ray, hit.fraction)) < 1e-5f);
        trv_vec3 n = hit.normal;
        expect_near(n.x * n.x + n.y * n.y + n.z * n.z, 1.0, 1e-6);
        // Into the solid, and out of it along the normal.
        assert_true(n.x * ray.travel.x + n.y * ray.travel.y + n.z * ray.travel.z <= 1e-5f);
        trv_vec3 out =
            v3(hit.point.x + n.x * 0.1f, hit.point.y + n.y * 0.1f, hit.point.z + n.z * 0.1f);
        expect_near(distance_to(&s, out), 0.1, 1e-5);
    }
    for (int k = 0; k < 4; ++k)
        assert_true(hits[k] > 500 && misses[k] > 500);
}

static void segments_meet_triangles_iff_their_rays_do(void **state)
{
    (void)state;
    test_random random = {72};
    int hits = 0;
    for (int i = 0; i < 20000; ++i) {
        trv_triangle t = {random_vec3(&random, 3), random_vec3(&random, 3),
                          random_vec3(&random, 3)};
        trv_segment s = {random_vec3(&random, 3), random_vec3(&random, 3)};
        trv_ray ray = {s.a, v3(s.b.x - s.a.x, s.b.y - s.a.y, s.b.z - s.a.z)};
        trv_ray_hit hit = trv_ray_triangle(ray, t);
        trv_vec3 closest;
        hits += hit.hit;
        if (hit.hit) {
            assert_true(trv_triangle_closest_point(t, hit.point, &closest));
            assert_true(trv_point_distance(hit.point, closest) < 1e-5f);
        }
        // The same from the other end and around the corners.
        trv_segment back = {s.b, s.a};
        trv_triangle turned = {t.b, t.c, t.a}, flipped = {t.a, t.c, t.b};
        bool overlap = trv_segment_overlaps_triangle(s, t);
        assert_true(trv_segment_overlaps_triangle(back, t) == overlap);
        assert_true(trv_segment_overlaps_triangle(s, turned) == overlap);
        assert_true(trv_segment_overlaps_triangle(s, flipped) == overlap);
        if (hit.fraction > 1e-5f && hit.fraction < 1 - 1e-5f)
            assert_true(overlap);
    }
    assert_true(hits > 500);
}

static trv_vec3 even(trv_vec3 p)
{
    return v3(2 * floorf(p.x), 2 * floorf(p.y), 2 * floorf(p.z));
}

// Ends that are a corner, bit by bit, and ends on a side: its middle, of corners with even coordinates.
static void a_segment_that_ends_on_a_triangle_touches_it_from_either_end(void **state)
{
    (void)state;
    test_random random = {73};
    for (int i = 0; i < 5000; ++i) {
        float size = i % 2 ? 3.0f : 4194304.0f; // the determinants of the larger ones are rounded
        trv_triangle t = {random_vec3(&random, size), random_vec3(&random, size),
                          random_vec3(&random, size)};
        trv_vec3 from = random_vec3(&random, size);
        if (i % 4 < 2)
            t = (trv_triangle){even(t.a), even(t.b), even(t.c)};
        const trv_vec3 ends[4] = {
            t.a, t.b, t.c,
            v3(0.5f * (t.a.x + t.b.x), 0.5f * (t.a.y + t.b.y), 0.5f * (t.a.z + t.b.z))};
        trv_vec3 ab = v3(t.b.x - t.a.x, t.b.y - t.a.y, t.b.z - t.a.z);
        trv_vec3 ac = v3(t.c.x - t.a.x, t.c.y - t.a.y, t.c.z - t.a.z);
        if (ab.x * ac.y == ab.y * ac.x && ab.y * ac.z == ab.z * ac.y)
            continue; // no area
        for (int k = 0; k < (i % 4 < 2 ? 4 : 3); ++k) {
            assert_true(trv_segment_overlaps_triangle((trv_segment){ends[k], from}, t));
            assert_true(trv_segment_overlaps_triangle((trv_segment){from, ends[k]}, t));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_origin_in_the_solid_hits_at_once_without_a_normal),
        cmocka_unit_test(a_ray_ends_where_its_travel_ends),
        cmocka_unit_test(what_lies_behind_is_not_hit),
        cmocka_unit_test(a_ray_in_the_face_of_a_box_hits),
        cmocka_unit_test(a_ray_through_a_corner_hits),
        cmocka_unit_test(an_exact_graze_of_a_sphere_hits),
        cmocka_unit_test(a_point_sized_sphere_is_hit_with_the_normal_against_the_travel),
        cmocka_unit_test(a_ray_without_length_is_a_point),
        cmocka_unit_test(a_ray_along_the_axis_enters_a_capsule_by_its_cap),
        cmocka_unit_test(triangles_are_hit_from_either_side_and_the_normal_faces_the_ray),
        cmocka_unit_test(edges_and_corners_of_a_triangle_count),
        cmocka_unit_test(a_ray_in_the_plane_of_a_triangle_does_not_hit_but_a_segment_does),
        cmocka_unit_test(a_triangle_without_area_is_not_hit),
        cmocka_unit_test(rays_at_1e30_metres_are_answered),
        cmocka_unit_test(rays_hit_exactly_where_they_first_come_to_the_solid),
        cmocka_unit_test(segments_meet_triangles_iff_their_rays_do),
        cmocka_unit_test(a_segment_that_ends_on_a_triangle_touches_it_from_either_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
