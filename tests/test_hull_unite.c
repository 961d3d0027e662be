// Uniting nearly coplanar faces: what was modelled as one polygon comes back as one, whatever the
// rounding; what was not stays.
#include "hull_support.h"

#include "mesh/solid.h"

static uint32_t faces_with(const trv_hull *hull, uint32_t corners)
{
    uint32_t count = 0;
    for (uint32_t f = 0; f < hull->face_count; f++)
        count += hull->face_first[f + 1] - hull->face_first[f] == corners;
    return count;
}

static trv_vec3 with_six_decimals(trv_vec3 p)
{
    char text[3][64];
    snprintf(text[0], sizeof text[0], "%.6f", (double)p.x);
    snprintf(text[1], sizeof text[1], "%.6f", (double)p.y);
    snprintf(text[2], sizeof text[2], "%.6f", (double)p.z);
    return trvi_vec3(strtof(text[0], NULL), strtof(text[1], NULL), strtof(text[2], NULL));
}

// How a model's points reach the hull.
enum { FLOAT32, SIX_DECIMALS, FAR_AWAY, WAYS };

static void turn(trv_vec3 *points, uint32_t count, trv_quat rotation)
{
    for (uint32_t i = 0; i < count; i++)
        points[i] = trvi_rotate(rotation, points[i]);
}

static void place(trv_vec3 *points, uint32_t count, test_random *random, int way)
{
    turn(points, count, random_quat(random));
    trv_vec3 offset =
        way == FAR_AWAY ? trvi_vec3(100.0f, -70.0f, 30.0f) : random_vec3(random, 1.0f);
    for (uint32_t i = 0; i < count; i++) {
        points[i] = trvi_add(points[i], offset);
        if (way == SIX_DECIMALS)
            points[i] = with_six_decimals(points[i]);
    }
}

static void make_box(trv_vec3 points[8], trv_vec3 half)
{
    for (int i = 0; i < 8; i++)
        points[i] = corner_of_box(half, i);
}

static void turned_boxes_have_six_faces(void **state)
{
    (void)state;
    static const trv_vec3 halves[4] = {
        {0.5f, 0.5f, 0.5f}, {1.0f, 0.1f, 0.02f}, {0.6f, 0.6f, 0.05f}, {2.0f, 0.1f, 0.1f}};
    uint32_t split = 0;
    for (uint64_t seed = 0; seed < 1200; seed++) {
        test_random random = {seed};
        trv_vec3 points[8];
        make_box(points, halves[seed / WAYS % 4]);
        if (seed % WAYS == FAR_AWAY && seed / WAYS % 4 == 1)
            continue; // the rounding there is a thousandth of what such a plank is thick
        place(points, 8, &random, (int)(seed % WAYS));
        trv_hull *hull = hull_of(points, 8), *exact = exact_hull_of(points, 8);
        split += exact->face_count > 6;
        if (hull->face_count != 6 || hull->vertex_count != 8 || faces_with(hull, 4) != 6)
            fail_msg("seed %u: %u faces", (unsigned)seed, hull->face_count);
        expect_hull_of(hull, points, 8);
        trv_hull_release(hull);
        trv_hull_release(exact);
    }
    assert_true(split > 900);
}

// A prism, or with a waist of 1.3 a barrel of two rows of quads.
static uint32_t prism(trv_vec3 *points, uint32_t sides, uint32_t rings)
{
    uint32_t count = 0;
    for (uint32_t ring = 0; ring < rings; ring++)
        for (uint32_t i = 0; i < sides; i++) {
            double angle = 2.0 * 3.14159265358979323846 * i / sides;
            double radius = rings == 3 && ring == 1 ? 0.65 : 0.5;
            points[count++] = trvi_vec3((float)(radius * cos(angle)), (float)ring - 0.5f,
                                        (float)(radius * sin(angle)));
        }
    return count;
}

static void turned_prisms_and_barrels_have_the_faces_they_were_made_of(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        test_random random = {seed};
        trv_vec3 points[3 * 64];
        uint32_t sides = 5 + (uint32_t)(random_bits(&random) % 60);
        uint32_t rings = 2 + (uint32_t)(random_bits(&random) % 2);
        uint32_t count = prism(points, sides, rings);
        place(points, count, &random, (int)(seed % WAYS));
        trv_hull *hull = hull_of(points, count);
        if (hull->face_count != sides * (rings - 1) + 2 || faces_with(hull, sides) != 2 ||
            hull->vertex_count != count)
            fail_msg("seed %u: %u sides, %u rings, %u faces", (unsigned)seed, sides, rings,
                     hull->face_count);
        expect_hull_of(hull, points, count);
        trv_hull_release(hull);
    }
}

static void the_projects_meshes_have_the_faces_they_were_made_of(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t faces, vertices;
    } meshes[] = {{"anvil", 12, 11}, {"arch", 12, 20},   {"barrel", 58, 70}, {"boulder", 256, 130},
                  {"chair", 16, 16}, {"crate", 6, 8},    {"d20", 20, 12},    {"gear", 26, 48},
                  {"gem", 73, 49},   {"hammer", 20, 18}, {"pillar", 6, 8},   {"plank", 6, 8},
                  {"pyramid", 5, 5}, {"rock", 70, 37},   {"table", 10, 12},  {"wedge", 5, 6}};
    for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++) {
        char path[2048];
        snprintf(path, sizeof path, "%s/meshes/%s.obj", TRV_TEST_DATA, meshes[i].name);
        point_set set = read_points(path);
        assert_non_null(set.points);
        test_random random = {i};
        for (int round = 0; round < 4; round++) { // as it stands, then turned and rounded
            trv_hull *hull = hull_of(set.points, set.count);
            if (hull->face_count != meshes[i].faces || hull->vertex_count != meshes[i].vertices)
                fail_msg("%s, round %d: %u faces", meshes[i].name, round, hull->face_count);
            expect_hull_of(hull, set.points, set.count);
            trv_hull_release(hull);
            place(set.points, set.count, &random, FLOAT32);
        }
        free(set.points);
    }
}

// Fibonacci spheres: neighbours are as far apart as they can be.
static void round_shapes_keep_their_vertices(void **state)
{
    (void)state;
    static const uint32_t counts[3] = {100, 2000, 10000};
    for (int k = 0; k < 3; k++) {
        uint32_t count = counts[k];
        trv_vec3 *points = malloc(count * sizeof *points);
        for (uint32_t i = 0; i < count; i++) {
            double z = 1.0 - (2.0 * i + 1.0) / count, angle = 2.399963229728653 * i;
            double r = sqrt(1.0 - z * z);
            points[i] = trvi_vec3((float)(r * cos(angle)), (float)(r * sin(angle)), (float)z);
        }
        trv_hull *hull = hull_of(points, count);
        assert_int_equal(hull->vertex_count, count);
        assert_true(hull->face_count > (2 * count - 4) * 0.95);
        expect_hull_of(hull, points, count);
        trv_hull_release(hull);
        free(points);
    }
}

// Between neighbours among 4000 sides no step shows. A united side may only reach as far as the height
// of its arc allows, 8 r h = s^2.
static void chains_of_unions_do_not_drift(void **state)
{
    (void)state;
    uint32_t sides = 4000;
    trv_vec3 *points = malloc(2 * sides * sizeof *points);
    uint32_t count = prism(points, sides, 2);
    trv_hull *hull = hull_of(points, count);
    expect_hull_of(hull, points, count);
    double slack = coplanar_slack(points, count), chord = sqrt(8.0 * 0.5 * slack);
    assert_true(hull->face_count - 2 < sides / 4);
    assert_true(hull->face_count - 2 > 3.14159 / chord);
    assert_int_equal(faces_with(hull, 4), hull->face_count - 2);
    trv_hull_release(hull);
    free(points);
}

static void thin_plates_and_needles_keep_their_thickness(void **state)
{
    (void)state;
    static const trv_vec3 halves[4] = {{0.5f, 0.5f, 5.0e-5f},
                                       {0.5f, 0.5f, 5.0e-7f},
                                       {0.5f, 1.0e-5f, 1.0e-5f},
                                       {0.5f, 1.0e-6f, 3.0e-7f}};
    for (uint64_t seed = 0; seed < 80; seed++) {
        test_random random = {seed};
        trv_vec3 points[8], half = halves[seed % 4];
        make_box(points, half);
        if (seed >= 4)
            turn(points, 8, random_quat(&random));
        trv_hull *hull = hull_of(points, 8), *exact = exact_hull_of(points, 8);
        expect_hull_of(hull, points, 8);
        double volume = trvi_solid_of_hull(exact).volume;
        assert_true(hull->face_count >= 6);
        expect_near(hull->solid.volume, volume, 1.0e-6 * volume); // sums in another order
        expect_near(trvi_solid_of_hull(hull).volume, volume, 1.0e-4 * volume);
        trv_hull_release(hull);
        trv_hull_release(exact);
    }
}

// Roofs on both sides of a plate, each as high as the tolerance allows: without them the plate would
// lose more than a ten-thousandth of its volume.
static void volume_is_not_given_away(void **state)
{
    (void)state;
    trv_vec3 points[10];
    const float thin[2] = {0.008f, 0.2f};
    const uint32_t faces[2] = {12, 6};
    for (int k = 0; k < 2; k++) {
        make_box(points, trvi_vec3(0.5f, 0.5f, thin[k]));
        points[8] = trvi_vec3(0.0f, 0.0f, thin[k] + 3.5e-6f);
        points[9] = trvi_vec3(0.0f, 0.0f, -thin[k] - 3.5e-6f);
        trv_hull *hull = hull_of(points, 10);
        assert_int_equal(hull->face_count, faces[k]);
        expect_hull_of(hull, points, 10);
        trv_hull_release(hull);
    }
}

// A bevel of 45 degrees stays, however narrow; one that falls by a thousandth of its width stays while
// that can be told from flat.
static void bevels_are_judged_by_height_and_angle(void **state)
{
    (void)state;
    const float widths[5] = {1.0e-1f, 1.0e-2f, 1.0e-3f, 1.0e-4f, 2.0e-5f};
    for (int k = 0; k < 5; k++) {
        float w = widths[k];
        trv_vec3 points[10];
        make_box(points, trvi_vec3(0.5f, 0.5f, 0.5f));
        points[8] = points[7];
        points[9] = points[6];
        points[7].z = points[6].z = 0.5f - w;
        points[8].y = points[9].y = 0.5f - w;
        trv_hull *hull = hull_of(points, 10);
        assert_int_equal(hull->face_count, 7);
        assert_int_equal(hull->vertex_count, 10);
        points[7].z = points[6].z = 0.5f - 1.0e-3f * w;
        trv_hull *low = hull_of(points, 10);
        assert_int_equal(low->face_count, w >= 1.0e-2f ? 7 : 6);
        trv_hull_release(hull);
        trv_hull_release(low);
    }
}

// The plate is thin enough for its roof to stay, and what rounding did to its side still goes.
static void thin_plates_lower_the_tolerance(void **state)
{
    (void)state;
    trv_vec3 points[10];
    make_box(points, trvi_vec3(0.5f, 0.5f, 0.001f));
    points[8] = trvi_vec3(0.0f, 0.0f, 0.001f + 3.5e-6f);
    points[9] = trvi_vec3(nextafterf(0.5f, 1.0f), 0.0f, 0.0f);
    trv_hull *hull = hull_of(points, 10), *exact = exact_hull_of(points, 10);
    assert_int_equal(exact->face_count, 12);
    assert_int_equal(hull->face_count, 9);
    expect_hull_of(hull, points, 10);
    trv_hull_release(hull);
    trv_hull_release(exact);
}

// Nine strips of 10 degrees round an edge, each 70 micrometres wide: two of them fit into the slab, and
// only their angle keeps them apart.
static void fine_fillets_keep_their_strips(void **state)
{
    (void)state;
    trv_vec3 points[6 + 2 * 10];
    trv_vec3 box[8];
    uint32_t count = 0;
    make_box(box, trvi_vec3(0.5f, 0.5f, 0.5f));
    for (int i = 0; i < 8; i++)
        if (box[i].y < 0.0f || box[i].z < 0.0f)
            points[count++] = box[i];
    for (int i = 0; i <= 9; i++) {
        double angle = 3.14159265358979323846 / 18.0 * i, r = 4.0e-4;
        float y = (float)(0.5 - r + r * cos(angle)), z = (float)(0.5 - r + r * sin(angle));
        points[count++] = trvi_vec3(-0.5f, y, z);
        points[count++] = trvi_vec3(0.5f, y, z);
    }
    assert_int_equal(count, 26);
    trv_hull *hull = hull_of(points, count);
    assert_int_equal(hull->face_count, 6 + 9);
    assert_int_equal(hull->vertex_count, count);
    expect_hull_of(hull, points, count);
    trv_hull_release(hull);
}

static void shuffle(trv_vec3 *points, uint32_t count, test_random *random)
{
    for (uint32_t i = count; i-- > 1;) {
        uint32_t k = (uint32_t)(random_bits(random) % (i + 1));
        trv_vec3 swap = points[i];
        points[i] = points[k];
        points[k] = swap;
    }
}

// The sides of such a prism can be united in thousands of ways, all equally flat.
static void equally_flat_edges_do_not_fall_in_the_order_of_points(void **state)
{
    (void)state;
    static trv_vec3 points[2 * 2048];
    test_random random = {11};
    uint32_t count = prism(points, 2048, 2);
    trv_hull *hull = hull_of(points, count);
    assert_true(hull->face_count < 1024);
    for (int again = 0; again < 4; again++) {
        shuffle(points, count, &random);
        trv_hull *other = hull_of(points, count);
        assert_true(hash_as_set(other) == hash_as_set(hull));
        trv_hull_release(other);
    }
    trv_hull_release(hull);
}

// Faces and mass, bit for bit.
static bool is_same(const trv_hull *a, const trv_hull *b)
{
    const trvi_dvec3 *c = &a->solid.centroid, *d = &b->solid.centroid;
    bool same = hash_as_set(a) == hash_as_set(b) && a->solid.volume == b->solid.volume &&
                c->x == d->x && c->y == d->y && c->z == d->z;
    for (int i = 0; i < 6; i++)
        same = same && a->solid.inertia[i] == b->solid.inertia[i];
    return same;
}

// Needles as thin as floats can be: their volume, their planes and the tolerance are rounding above all,
// and rounding follows the order of sums.
static void rounding_does_not_unite_in_the_order_of_points(void **state)
{
    (void)state;
    uint32_t united = 0;
    float least = ldexpf(1.0f, -149);
    for (uint64_t seed = 0; seed < 400; seed++) {
        test_random random = {seed};
        trv_vec3 points[13] = {{0.0f, 4.0f, 1.0f}};
        for (uint32_t i = 1; i < 13; i++) {
            points[i].x = least * (float)(int)(random_bits(&random) % 3) - least;
            points[i].y = least * (float)(int)(random_bits(&random) % 3) - least;
            points[i].z = least * (float)(int)(random_bits(&random) % 3) - least;
        }
        trv_hull *hull = hull_of(points, 13), *exact = exact_hull_of(points, 13);
        united += hull->face_count < exact->face_count;
        for (int again = 0; again < 10; again++) {
            shuffle(points, 13, &random);
            trv_hull *other = hull_of(points, 13);
            if (!is_same(other, hull))
                fail_msg("seed %u: %u faces, then %u", (unsigned)seed, hull->face_count,
                         other->face_count);
            trv_hull_release(other);
        }
        trv_hull_release(hull);
        trv_hull_release(exact);
    }
    assert_true(united > 0);
}

// Many points on the faces of a turned cube: slivers everywhere, and symmetric prisms full of ties.
static void the_order_of_points_does_not_change_the_faces(void **state)
{
    (void)state;
    uint32_t changed = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        test_random random = {seed};
        trv_vec3 points[400];
        uint32_t count = 400;
        if (seed % 2) {
            for (uint32_t i = 0; i < count; i++) {
                points[i] = random_vec3(&random, 1.0f);
                (&points[i].x)[i % 3] = i & 8 ? 1.0f : -1.0f;
            }
        } else {
            count = prism(points, 4 + 2 * (uint32_t)(seed % 40), 2);
        }
        if (seed % 3)
            place(points, count, &random, (int)(seed % WAYS));
        trv_hull *hull = hull_of(points, count), *exact = exact_hull_of(points, count);
        expect_hull_of(hull, points, count);
        changed += hull->face_count < exact->face_count;
        for (int again = 0; again < 3; again++) {
            if (again == 0)
                qsort(points, count, sizeof *points, compare_points);
            else
                shuffle(points, count, &random);
            trv_hull *other = hull_of(points, count);
            if (!is_same(other, hull))
                fail_msg("seed %u: another order, another hull", (unsigned)seed);
            trv_hull_release(other);
        }
        trv_hull_release(hull);
        trv_hull_release(exact);
    }
    assert_true(changed > 120);
}

// Points in thin noise about faces, over eleven powers of ten of thickness.
static void noise_of_any_height_leaves_a_sound_hull(void **state)
{
    (void)state;
    uint32_t changed = 0, whole = 0;
    for (uint64_t seed = 0; seed < 330; seed++) {
        test_random random = {seed};
        trv_vec3 points[300];
        float noise = 1.0e-8f;
        for (uint64_t i = 0; i < seed % 11; i++)
            noise *= 4.0f;
        for (uint32_t i = 0; i < 300; i++) {
            points[i] = random_vec3(&random, 1.0f);
            float grid = (float)(random_bits(&random) % 5) * 0.5f - 1.0f;
            (&points[i].x)[i % 3] = i & 8 ? 1.0f : -1.0f;
            (&points[i].x)[(i + 1) % 3] = grid;
            points[i] = trvi_mul_add(points[i], random_vec3(&random, 1.0f), noise);
        }
        make_box(points, trvi_vec3(1.0f, 1.0f, 1.0f));
        place(points, 300, &random, FLOAT32);
        trv_hull *hull = hull_of(points, 300), *exact = exact_hull_of(points, 300);
        expect_hull_of(hull, points, 300);
        changed += hull->face_count < exact->face_count;
        whole += seed % 11 <= 4 && hull->face_count == 6; // noise of up to 2.6e-6
        trv_hull_release(hull);
        trv_hull_release(exact);
    }
    assert_true(changed > 200 && whole >= 148);
}

static void running_out_of_memory_leaks_nothing(void **state)
{
    (void)state;
    trv_vec3 points[128];
    test_random random = {3};
    uint32_t count = prism(points, 16, 3);
    place(points, count, &random, SIX_DECIMALS);
    trv_hull *exact = exact_hull_of(points, count);
    trv_allocator plain = exact->allocator;
    size_t failures = 0;
    for (size_t k = 0;; k++) {
        test_memory memory = {0, k, 0, 0};
        trv_hull *hull;
        exact->allocator = test_allocator(&memory);
        trv_result result = trvi_hull_unite(exact, &hull);
        if (result == TRV_OK) {
            assert_int_equal(hull->face_count, 34);
            assert_int_equal(memory.live, 1);
            trv_hull_release(hull);
            assert_int_equal(memory.live, 0);
            break;
        }
        expect_result(result, TRV_ERROR_MEMORY);
        assert_null(hull);
        assert_int_equal(memory.live, 0);
        failures++;
    }
    assert_int_equal(failures, 7);
    exact->allocator = plain;
    trv_hull_release(exact);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turned_boxes_have_six_faces),
        cmocka_unit_test(turned_prisms_and_barrels_have_the_faces_they_were_made_of),
        cmocka_unit_test(the_projects_meshes_have_the_faces_they_were_made_of),
        cmocka_unit_test(round_shapes_keep_their_vertices),
        cmocka_unit_test(chains_of_unions_do_not_drift),
        cmocka_unit_test(thin_plates_and_needles_keep_their_thickness),
        cmocka_unit_test(volume_is_not_given_away),
        cmocka_unit_test(thin_plates_lower_the_tolerance),
        cmocka_unit_test(fine_fillets_keep_their_strips),
        cmocka_unit_test(equally_flat_edges_do_not_fall_in_the_order_of_points),
        cmocka_unit_test(bevels_are_judged_by_height_and_angle),
        cmocka_unit_test(rounding_does_not_unite_in_the_order_of_points),
        cmocka_unit_test(the_order_of_points_does_not_change_the_faces),
        cmocka_unit_test(noise_of_any_height_leaves_a_sound_hull),
        cmocka_unit_test(running_out_of_memory_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
