// trv_world_draw and its kin: strokes say what is so, change nothing, and come in a fixed order.
#include "world_support.h"

#include <trivet/draw.h>

// What a pen was told.
typedef struct strokes {
    uint32_t segments[TRV_INK_COUNT], triangles[TRV_INK_COUNT], points[TRV_INK_COUNT];
    uint32_t texts[TRV_INK_COUNT], count;
    uint64_t hash;
    trv_aabb reach;                                // of all of them
    double volume;                                 // enclosed by the triangles
    trv_vec3 normal;                               // heights are measured along it
    float low[TRV_INK_COUNT], high[TRV_INK_COUNT]; // of segments and points
    trv_vec3 last_point;
    float climbed; // height where the last climb's segment ended
    bool always_up;
    const trv_world *world;
    const trv_draw_def *again;
    trv_result asked;
} strokes;

static void add_bytes(strokes *s, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        s->hash = (s->hash ^ ((const uint8_t *)bytes)[i]) * UINT64_C(1099511628211);
}

static void add_point(strokes *s, trv_vec3 p, trv_ink ink)
{
    assert_true((uint32_t)ink < TRV_INK_COUNT);
    trv_aabb at = {p, p};
    s->reach = s->count++ == 0 ? at : trvi_aabb_union(s->reach, at);
    float height = trvi_dot(s->normal, p);
    s->low[ink] = fminf(s->low[ink], height);
    s->high[ink] = fmaxf(s->high[ink], height);
    add_bytes(s, &p, sizeof p);
    add_bytes(s, &ink, sizeof ink);
}

static void take_segment(void *user, trv_vec3 a, trv_vec3 b, trv_ink ink)
{
    strokes *s = user;
    add_point(s, a, ink);
    add_point(s, b, ink);
    s->segments[ink]++;
    s->climbed = trvi_dot(s->normal, b);
    s->always_up = s->always_up && s->climbed > trvi_dot(s->normal, a);
}

static void take_triangle(void *user, trv_triangle t, trv_ink ink)
{
    strokes *s = user;
    add_point(s, t.a, ink);
    add_point(s, t.b, ink);
    add_point(s, t.c, ink);
    s->triangles[ink]++;
    s->volume += (double)trvi_dot(t.a, trvi_cross(t.b, t.c)) / 6.0;
}

static void take_point(void *user, trv_vec3 at, trv_ink ink)
{
    strokes *s = user;
    add_point(s, at, ink);
    s->points[ink]++;
    s->last_point = at;
}

static void take_text(void *user, trv_vec3 at, const char *text, trv_ink ink)
{
    strokes *s = user;
    add_point(s, at, ink);
    add_bytes(s, text, strlen(text));
    assert_true(strlen(text) > 0);
    s->texts[ink]++;
}

static trv_pen pen_of(strokes *s)
{
    memset(s, 0, sizeof *s);
    s->hash = UINT64_C(14695981039346656037);
    s->always_up = true;
    for (int i = 0; i < TRV_INK_COUNT; i++) {
        s->low[i] = HUGE_VALF;
        s->high[i] = -HUGE_VALF;
    }
    return (trv_pen){s, take_segment, take_triangle, take_point, take_text};
}

static trv_draw_def draw_with(strokes *s, uint32_t parts)
{
    trv_draw_def def = trv_default_draw_def();
    def.parts = parts;
    def.pen = pen_of(s);
    return def;
}

static void draw_world(const trv_world *world, uint32_t parts, strokes *s)
{
    trv_draw_def def = draw_with(s, parts);
    expect_result(trv_world_draw(world, &def), TRV_OK);
}

// Points about a ball: all of them corners of their hull.
static trv_hull *make_pebble(uint32_t count, uint64_t seed)
{
    test_random random = {seed};
    trv_vec3 points[200];
    assert_true(count <= 200);
    for (uint32_t i = 0; i < count; i++)
        points[i] =
            trvi_scale(trvi_normalize_or(random_vec3(&random, 1.0f), trv_make_vec3(1, 0, 0)), 0.5f);
    trv_hull *hull;
    trv_hull_def def = trv_default_hull_def();
    expect_result(trv_hull_create(points, count, &def, &hull), TRV_OK);
    return hull;
}

// Something of everything: asleep, awake, apart, in touch, a sensor, a ball, a capsule, hulls.
static trv_world *make_scene(trv_allocator allocator)
{
    trv_world_def world_def = trv_default_world_def();
    trv_world *world;
    world_def.tag = 3;
    world_def.allocator = allocator;
    expect_result(trv_world_create(&world_def, &world), TRV_OK);
    add_ground(world);
    for (int i = 0; i < 3; i++)
        add_dynamic(world, trv_make_vec3(0, 0.5f + (float)i, 0), cube(0.5f));
    trv_hull *pebble = make_pebble(120, 1);
    trv_body_def def = trv_default_body_def();
    def.kind = TRV_BODY_DYNAMIC;
    def.never_sleeps = true;
    def.gravity_scale = 0.0f;
    for (int i = 0; i < 2; i++) { // near one another, and turning
        trv_body_id body;
        def.position = trv_make_vec3(5.0f + 1.02f * (float)i, 2, 0);
        def.rotation = trv_quat_about(trv_make_vec3(1, 1, 0), 0.4f);
        def.angular_velocity = trv_make_vec3(0, 0.2f, 0.1f);
        expect_result(trv_body_create(world, &def, &body), TRV_OK);
        trv_shape_def shape_def = trv_default_shape_def();
        shape_def.bounds = i ? TRV_BOUNDS_REST_BOX : TRV_BOUNDS_EXACT;
        add_shape_with(world, body, shape_def, trv_make_hull(pebble));
    }
    trv_hull_release(pebble);
    for (int i = 0; i < 2; i++) { // faces opposite each other
        trv_body_id body;
        def.position = trv_make_vec3(12, 2.0f + 1.01f * (float)i, 0);
        def.rotation = trv_identity_quat();
        def.angular_velocity = trv_make_vec3(0, 0.01f, 0);
        expect_result(trv_body_create(world, &def, &body), TRV_OK);
        add_shape(world, body, cube(0.5f));
    }
    def.gravity_scale = 1.0f;
    def.position = trv_make_vec3(-4, 6, 0);
    trv_body_id dropped;
    expect_result(trv_body_create(world, &def, &dropped), TRV_OK);
    trv_shape_def bouncy = trv_default_shape_def();
    bouncy.material.restitution = 0.9f;
    add_shape_with(world, dropped, bouncy, ball(0.4f));
    add_shape(world, add_body(world, TRV_BODY_KINEMATIC, trv_make_vec3(-8, 2, 0)),
              trv_make_capsule(trv_make_vec3(0, -1, 0), trv_make_vec3(0, 1, 0), 0.3f));
    trv_shape_def sensor = trv_default_shape_def();
    sensor.sensor = true;
    add_shape_with(world, add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 1, 5)), sensor,
                   cube(1.0f));
    return world;
}

static trv_world *make_usual_scene(void)
{
    trv_allocator usual = {NULL, NULL};
    return make_scene(usual);
}

static void drawing_changes_nothing_and_allocates_nothing(void **state)
{
    (void)state;
    test_memory memory = {.fail_at = SIZE_MAX};
    trv_world *world = make_scene(test_allocator(&memory));
    for (int i = 0; i < 90; i++) {
        strokes s;
        uint64_t hash = trv_world_hash(world);
        size_t calls = memory.calls;
        draw_world(world, TRV_DRAW_ALL, &s);
        assert_true(s.count > 0);
        assert_true(trv_world_hash(world) == hash);
        assert_true(memory.calls == calls);
        step_world(world, 1);
    }
    trv_world_destroy(world);
    assert_true(memory.live == 0);
}

static void worlds_of_equal_state_draw_the_same(void **state)
{
    (void)state;
    trv_world *world = make_usual_scene(), *other = make_usual_scene();
    strokes a, b, later;
    step_world(world, 70);
    for (int i = 0; i < 70; i++) { // one that is drawn all along
        draw_world(other, TRV_DRAW_ALL, &b);
        step_world(other, 1);
    }
    draw_world(world, TRV_DRAW_ALL, &a);
    draw_world(other, TRV_DRAW_ALL, &b);
    assert_true(a.count == b.count && a.hash == b.hash);
    size_t size = trv_world_write_size(world), written;
    char *file = malloc(size);
    expect_result(trv_world_write(world, file, size, &written), TRV_OK);
    step_world(other, 5);
    draw_world(other, TRV_DRAW_ALL, &later);
    assert_true(later.hash != a.hash);
    expect_result(trv_world_read(other, file, size), TRV_OK);
    draw_world(other, TRV_DRAW_ALL, &b);
    assert_true(a.count == b.count && a.hash == b.hash);
    free(file);
    trv_world_destroy(world);
    trv_world_destroy(other);
}

#define INK(name)      (1u << TRV_INK_##name)
#define INKS_OF_SHAPES (INK(STATIC) | INK(KINEMATIC) | INK(AWAKE) | INK(ASLEEP) | INK(SENSOR))

// The inks in which something was drawn.
static uint32_t inks_of(const strokes *s)
{
    uint32_t used = 0;
    for (int i = 0; i < TRV_INK_COUNT; i++)
        if (s->segments[i] + s->triangles[i] + s->points[i] + s->texts[i] > 0)
            used |= 1u << i;
    return used;
}

static void each_part_has_inks_of_its_own(void **state)
{
    (void)state;
    static const struct {
        trv_draw_part part;
        uint32_t inks;
    } rows[] = {{TRV_DRAW_SHAPES, INKS_OF_SHAPES},
                {TRV_DRAW_FACES, INKS_OF_SHAPES},
                {TRV_DRAW_BOUNDS_EXACT, INK(BOUNDS_EXACT)},
                {TRV_DRAW_BOUNDS_REST, INK(BOUNDS_REST)},
                {TRV_DRAW_REST_BOXES, INK(REST_BOX)},
                {TRV_DRAW_BOUNDS_FAT, INK(BOUNDS_FAT)},
                {TRV_DRAW_PAIRS, INK(PAIR)},
                {TRV_DRAW_CONTACTS, INK(CONTACT) | INK(NEAR) | INK(NORMAL)},
                {TRV_DRAW_PLANES, INK(PLANE) | INK(FEATURE) | INK(SUPPORT) | INK(NORMAL)},
                {TRV_DRAW_CLIMBS, INK(CLIMB) | INK(SUPPORT)},
                {TRV_DRAW_HEAPS, INK(HEAP)},
                {TRV_DRAW_CENTERS, INK(CENTER)},
                {TRV_DRAW_VELOCITIES, INK(VELOCITY)},
                {TRV_DRAW_HITS, INK(HIT)},
                {TRV_DRAW_NUMBERS, INK(CENTER)}};
    enum { ROWS = sizeof rows / sizeof *rows };
    trv_world *world = make_usual_scene();
    uint32_t seen[ROWS] = {0}, all = 0;
    for (int step = 0; step < 120; step++) {
        for (int i = 0; i < ROWS; i++) {
            strokes s;
            draw_world(world, rows[i].part, &s);
            seen[i] |= inks_of(&s);
        }
        step_world(world, 1);
    }
    for (int i = 0; i < ROWS; i++) {
        if (seen[i] != rows[i].inks)
            fail_msg("part %d: inks %x, wanted %x", i, seen[i], rows[i].inks);
        all |= rows[i].part;
    }
    assert_int_equal(all, TRV_DRAW_ALL);
    trv_world_destroy(world);
}

static void edges_and_faces_are_those_of_the_shape(void **state)
{
    (void)state;
    trv_hull *pebble = make_pebble(60, 2);
    trv_pose pose = {{1, 2, 3}, {0, 0, 0, 1}};
    pose.rotation = trv_quat_about(trv_make_vec3(1, 2, -1), 0.7f);
    const uint32_t *first, *corners;
    uint32_t vertices, faces = trv_hull_faces(pebble, &first, &corners);
    trv_hull_vertices(pebble, &vertices);
    trv_mass mass;
    expect_result(trv_hull_mass(pebble, 1.0f, &mass), TRV_OK);
    const double pi = 3.14159265358979;
    const struct {
        trv_shape shape;
        uint32_t edges, triangles; // 0: round
        double volume;
    } rows[] = {{trv_make_box(trv_make_vec3(1, 2, 3)), 12, 12, 48.0},
                {trv_make_hull(pebble), vertices + faces - 2,
                 corners ? first[faces] - 2 * faces : 0, (double)mass.mass},
                {ball(0.5f), 0, 0, pi / 6.0},
                {trv_make_capsule(trv_make_vec3(-1, 0, 0), trv_make_vec3(1, 1, 0), 0.5f), 0, 0,
                 pi / 6.0 + pi / 4.0 * sqrt(5.0)}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        strokes s;
        trv_pen pen = pen_of(&s);
        trv_aabb box;
        expect_result(trv_bounds_of_shape(&rows[i].shape, pose, 0.0f, &box), TRV_OK);
        expect_result(trv_shape_draw(&rows[i].shape, pose, TRV_INK_AWAKE, &pen), TRV_OK);
        assert_true(trvi_aabb_contains(trvi_aabb_grown(box, 1e-5f), s.reach));
        if (rows[i].edges > 0)
            assert_int_equal(s.segments[TRV_INK_AWAKE], rows[i].edges);
        assert_true(s.segments[TRV_INK_AWAKE] > 0 && s.triangles[TRV_INK_AWAKE] == 0);
        pen = pen_of(&s);
        expect_result(trv_shape_draw_faces(&rows[i].shape, pose, TRV_INK_AWAKE, &pen), TRV_OK);
        assert_true(trvi_aabb_contains(trvi_aabb_grown(box, 1e-5f), s.reach));
        if (rows[i].triangles > 0)
            assert_int_equal(s.triangles[TRV_INK_AWAKE], rows[i].triangles);
        assert_int_equal(s.segments[TRV_INK_AWAKE], 0);
        // Round ones are inscribed. All faces outward: else volumes would cancel.
        double least = rows[i].triangles > 0 ? 1.0 - 1e-5 : 0.95;
        expect_near(s.volume / rows[i].volume, 0.5 * (least + 1.0), 0.5 * (1.0 - least) + 1e-5);
    }
    trv_hull_release(pebble);
}

static void compounds_are_drawn_by_their_parts(void **state)
{
    (void)state;
    trv_compound_part parts[2] = {{cube(0.5f), trv_make_pose(trv_make_vec3(-2, 0, 0))},
                                  {cube(0.5f), trv_make_pose(trv_make_vec3(2, 0, 0))}};
    trv_compound_def def = trv_default_compound_def();
    trv_compound *compound;
    expect_result(trv_compound_create(parts, 2, &def, &compound), TRV_OK);
    trv_shape shape = trv_make_compound(compound);
    strokes s;
    trv_pen pen = pen_of(&s);
    trv_pose pose = {{0, 1, 0}, trv_quat_about(trv_make_vec3(0, 1, 0), 1.5707963f)};
    expect_result(trv_shape_draw(&shape, pose, TRV_INK_AWAKE, &pen), TRV_OK);
    assert_int_equal(s.segments[TRV_INK_AWAKE], 24);
    expect_near(s.reach.upper.z, 2.5f, 1e-5);
    expect_near(s.reach.lower.z, -2.5f, 1e-5);
    expect_near(s.reach.upper.x, 0.5f, 1e-5);
    trv_compound_release(compound);
}

static void the_two_bounds_are_drawn_side_by_side(void **state)
{
    (void)state;
    trv_world *world = make_usual_scene();
    strokes exact, rest, box;
    step_world(world, 10);
    trv_draw_def def = draw_with(&exact, TRV_DRAW_BOUNDS_EXACT);
    def.within = (trv_aabb){{4, 0, -2}, {8, 5, 2}}; // the pebbles alone
    expect_result(trv_world_draw(world, &def), TRV_OK);
    def.parts = TRV_DRAW_BOUNDS_REST;
    def.pen = pen_of(&rest);
    expect_result(trv_world_draw(world, &def), TRV_OK);
    def.parts = TRV_DRAW_REST_BOXES;
    def.pen = pen_of(&box);
    expect_result(trv_world_draw(world, &def), TRV_OK);
    assert_int_equal(exact.segments[TRV_INK_BOUNDS_EXACT], 24);
    assert_int_equal(rest.segments[TRV_INK_BOUNDS_REST], 24);
    assert_int_equal(box.segments[TRV_INK_REST_BOX], 24);
    assert_true(trvi_aabb_contains(trvi_aabb_grown(rest.reach, 1e-5f), exact.reach));
    assert_false(trvi_aabb_contains(trvi_aabb_grown(exact.reach, 1e-2f), rest.reach));
    assert_true(trvi_aabb_contains(trvi_aabb_grown(rest.reach, 1e-5f), box.reach));
    trv_world_destroy(world);
}

static float support(const trv_shape *shape, trv_pose pose, trv_vec3 normal)
{
    strokes s;
    trv_pen pen = pen_of(&s);
    s.normal = normal;
    expect_result(trv_shape_draw(shape, pose, TRV_INK_AWAKE, &pen), TRV_OK);
    return s.high[TRV_INK_AWAKE];
}

// Boxes and hulls as they come: what is drawn of each lies at its height nearest the plane.
static void the_features_of_a_plane_lean_on_it(void **state)
{
    (void)state;
    test_random random = {5};
    trv_hull *pebble = make_pebble(20, 3);
    uint32_t sources[TRV_PLANE_VERTICES + 1] = {0};
    for (int i = 0; i < 3000; i++) {
        trv_vec3 half = {random_float(&random, 0.2f, 1), random_float(&random, 0.2f, 1), 0.5f};
        trv_obb placed = {random_vec3(&random, 0.5f), half, random_quat(&random)};
        trv_shape a = i % 3 ? trv_make_placed_box(placed) : trv_make_hull(pebble);
        trv_shape b = i % 2 ? trv_make_box(half) : trv_make_hull(pebble);
        trv_pose pose_a = {random_vec3(&random, 1), random_quat(&random)};
        trv_pose pose_b = {random_vec3(&random, 2), random_quat(&random)};
        trv_separation separation;
        expect_result(trv_separate(&a, pose_a, &b, pose_b, NULL, &separation), TRV_OK);
        strokes s;
        trv_pen pen = pen_of(&s);
        s.normal = separation.plane.normal;
        expect_result(trv_separation_draw(&separation, &a, pose_a, &b, pose_b, &pen), TRV_OK);
        sources[separation.source]++;
        if (!separation.apart) {
            assert_int_equal(s.count, 0);
            continue;
        }
        assert_int_equal(s.segments[TRV_INK_PLANE], 4);
        assert_int_equal(s.triangles[TRV_INK_PLANE], 2);
        expect_near(s.low[TRV_INK_PLANE], -separation.plane.offset, 1e-4);
        expect_near(s.high[TRV_INK_PLANE], -separation.plane.offset, 1e-4);
        float top = support(&a, pose_a, separation.plane.normal);
        float bottom = -support(&b, pose_b, trvi_negate(separation.plane.normal));
        assert_true(top < -separation.plane.offset && bottom > -separation.plane.offset);
        bool of_both = separation.source == TRV_PLANE_EDGES;
        bool of_a = separation.source == TRV_PLANE_FACE_A || separation.source == TRV_PLANE_EDGE_A;
        bool of_b = separation.source == TRV_PLANE_FACE_B || separation.source == TRV_PLANE_EDGE_B;
        if (of_both || of_a || of_b) {
            expect_near(s.low[TRV_INK_FEATURE], of_b ? bottom : top, 1e-4);
            expect_near(s.high[TRV_INK_FEATURE], of_a ? top : bottom, 1e-4);
        }
        if (of_a || of_b)
            expect_near(s.low[TRV_INK_SUPPORT], of_b ? top : bottom, 1e-4);
    }
    assert_true(sources[TRV_PLANE_NONE] > 0 && sources[TRV_PLANE_FACE_A] > 0 &&
                sources[TRV_PLANE_FACE_B] > 0 && sources[TRV_PLANE_EDGES] > 0);
    trv_hull_release(pebble);
}

static void planes_of_compounds_are_drawn_at_the_parts_they_are_of(void **state)
{
    (void)state;
    trv_compound_part parts[2] = {{cube(0.5f), trv_make_pose(trv_make_vec3(-2, 0, 0))},
                                  {cube(0.5f), {{2, 0, 0}, {0, 0, 0, 1}}}};
    parts[1].pose.rotation = trv_quat_about(trv_make_vec3(0, 1, 0), 0.5f);
    trv_compound_def def = trv_default_compound_def();
    trv_compound *compound;
    expect_result(trv_compound_create(parts, 2, &def, &compound), TRV_OK);
    trv_shape a = trv_make_compound(compound), b = cube(0.3f);
    trv_pose pose_a = {{1, 2, 3}, trv_quat_about(trv_make_vec3(0, 0, 1), 0.3f)};
    uint32_t reached[2] = {0, 0};
    test_random random = {7};
    for (int i = 0; i < 200; i++) {
        trv_pose pose_b = {random_vec3(&random, 3), random_quat(&random)};
        pose_b.position = trvi_add(pose_b.position, pose_a.position);
        trv_separation separation, lie;
        expect_result(trv_separate(&a, pose_a, &b, pose_b, NULL, &separation), TRV_OK);
        if (!separation.apart)
            continue;
        strokes s;
        trv_pen pen = pen_of(&s);
        s.normal = separation.plane.normal;
        expect_result(trv_separation_draw(&separation, &a, pose_a, &b, pose_b, &pen), TRV_OK);
        const trv_compound_part *part = &parts[separation.part_a];
        trv_pose at = {trv_pose_apply(pose_a, part->pose.position),
                       trv_quat_multiply(pose_a.rotation, part->pose.rotation)};
        float top = support(&part->shape, at, separation.plane.normal);
        if (separation.source == TRV_PLANE_FACE_A || separation.source == TRV_PLANE_EDGE_A) {
            expect_near(s.high[TRV_INK_FEATURE], top, 1e-4);
            reached[separation.part_a]++;
        }
        lie = separation;
        lie.part_a = 2;
        expect_result(trv_separation_draw(&lie, &a, pose_a, &b, pose_b, &pen), TRV_ERROR_INDEX);
    }
    assert_true(reached[0] > 0 && reached[1] > 0);
    trv_compound_release(compound);
}

static void climbs_go_up_to_the_farthest_vertex(void **state)
{
    (void)state;
    trv_hull *pebble = make_pebble(200, 4);
    trv_shape shape = trv_make_hull(pebble), box = cube(1);
    test_random random = {6};
    uint32_t longest = 0;
    for (int i = 0; i < 300; i++) {
        trv_pose pose = {random_vec3(&random, 1), random_quat(&random)};
        trv_vec3 direction = random_vec3(&random, 3);
        strokes s;
        trv_pen pen = pen_of(&s);
        s.normal = direction;
        expect_result(trv_climb_draw(&shape, pose, direction, &pen), TRV_OK);
        assert_true(s.always_up);
        assert_int_equal(s.points[TRV_INK_CLIMB], 1);
        assert_int_equal(s.points[TRV_INK_SUPPORT], 1);
        expect_near(trvi_dot(direction, s.last_point), support(&shape, pose, direction), 1e-5);
        if (s.segments[TRV_INK_CLIMB] > longest)
            longest = s.segments[TRV_INK_CLIMB];
        pen = pen_of(&s);
        expect_result(trv_climb_draw(&box, pose, direction, &pen), TRV_OK);
        assert_int_equal(s.count, 0);
    }
    assert_true(longest >= 2);
    trv_hull_release(pebble);
}

static void what_is_elsewhere_is_left_out(void **state)
{
    (void)state;
    trv_world *world = make_usual_scene();
    step_world(world, 5);
    strokes s;
    trv_draw_def def = draw_with(&s, TRV_DRAW_ALL & ~(uint32_t)TRV_DRAW_SHAPES);
    def.within = (trv_aabb){{-9, 0.5f, -1}, {-7, 4, 1}}; // the capsule
    def.parts = TRV_DRAW_BOUNDS_EXACT;
    expect_result(trv_world_draw(world, &def), TRV_OK);
    assert_int_equal(s.segments[TRV_INK_BOUNDS_EXACT], 12);
    def = draw_with(&s, TRV_DRAW_ALL);
    def.within = (trv_aabb){{50, 50, 50}, {51, 51, 51}};
    expect_result(trv_world_draw(world, &def), TRV_OK);
    assert_int_equal(s.count, 0);
    trv_world_destroy(world);
}

static void defs_and_shapes_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    trv_world *world = make_usual_scene();
    strokes s;
    trv_draw_def good = draw_with(&s, TRV_DRAW_ALL), bad;
    expect_result(trv_world_draw(NULL, &good), TRV_ERROR_NULL);
    expect_result(trv_world_draw(world, NULL), TRV_ERROR_NULL);
    memset(&bad, 0, sizeof bad);
    expect_result(trv_world_draw(world, &bad), TRV_ERROR_DEF);
    bad = good, bad.parts = (uint32_t)TRV_DRAW_ALL + 1;
    expect_result(trv_world_draw(world, &bad), TRV_ERROR_RANGE);
    bad = good, bad.within.lower.y = NAN;
    expect_result(trv_world_draw(world, &bad), TRV_ERROR_NUMBER);
    bad = good, bad.within.lower.y = 1, bad.within.upper.y = 0;
    expect_result(trv_world_draw(world, &bad), TRV_ERROR_RANGE);
    float *const lengths[] = {&bad.normal_length, &bad.velocity_time, &bad.plane_reach};
    for (int i = 0; i < 3; i++) {
        bad = good, *lengths[i] = NAN;
        expect_result(trv_world_draw(world, &bad), TRV_ERROR_NUMBER);
        bad = good, *lengths[i] = INFINITY;
        expect_result(trv_world_draw(world, &bad), TRV_ERROR_NUMBER);
        bad = good, *lengths[i] = -1.0f;
        expect_result(trv_world_draw(world, &bad), TRV_ERROR_RANGE);
    }
    trv_shape box = cube(1), none = {TRV_SHAPE_NONE, {{{0, 0, 0}, 0}}};
    trv_pose pose = trv_make_pose(trv_make_vec3(0, 0, 0)), spoilt = pose;
    trv_pose far = trv_make_pose(trv_make_vec3(9, 0, 0));
    spoilt.rotation.w = 2.0f;
    trv_vec3 up = {0, 1, 0}, nowhere = {0, 0, 0};
    expect_result(trv_shape_draw(NULL, pose, TRV_INK_AWAKE, &good.pen), TRV_ERROR_NULL);
    expect_result(trv_shape_draw(&box, pose, TRV_INK_AWAKE, NULL), TRV_ERROR_NULL);
    expect_result(trv_shape_draw(&none, pose, TRV_INK_AWAKE, &good.pen), TRV_ERROR_KIND);
    expect_result(trv_shape_draw_faces(&box, spoilt, TRV_INK_AWAKE, &good.pen), TRV_ERROR_ROTATION);
    trv_hull *pebble = make_pebble(8, 1);
    trv_shape stone = trv_make_hull(pebble);
    expect_result(trv_climb_draw(&stone, pose, nowhere, &good.pen), TRV_ERROR_RANGE);
    expect_result(trv_climb_draw(&stone, spoilt, up, &good.pen), TRV_ERROR_ROTATION);
    expect_result(trv_climb_draw(NULL, pose, up, &good.pen), TRV_ERROR_NULL);
    expect_result(trv_climb_draw(&stone, pose, up, NULL), TRV_ERROR_NULL);
    trv_hull_release(pebble);
    trv_separation separation, lie;
    expect_result(trv_separate(&box, pose, &box, far, NULL, &separation), TRV_OK);
    assert_true(separation.apart);
    expect_result(trv_separation_draw(NULL, &box, pose, &box, far, &good.pen), TRV_ERROR_NULL);
    expect_result(trv_separation_draw(&separation, NULL, pose, &box, far, &good.pen),
                  TRV_ERROR_NULL);
    expect_result(trv_separation_draw(&separation, &box, pose, &none, far, &good.pen),
                  TRV_ERROR_KIND);
    for (int source = TRV_PLANE_FACE_A; source <= TRV_PLANE_VERTICES; source++)
        for (int of_b = 0; of_b < 2; of_b++) {
            lie = separation, lie.source = (trv_plane_source)source;
            lie.index_a = lie.index_b = 0;
            *(of_b ? &lie.index_b : &lie.index_a) = 24;
            expect_result(trv_separation_draw(&lie, &box, pose, &box, far, &good.pen),
                          TRV_ERROR_INDEX);
        }
    assert_int_equal(s.count, 0);
    trv_world_destroy(world);
}

static void a_half_space_is_drawn_as_a_piece_of_its_plane(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    strokes s;
    trv_draw_def def = draw_with(&s, TRV_DRAW_SHAPES | TRV_DRAW_FACES);
    def.plane_reach = 3.0f;
    def.within = (trv_aabb){{90, -5, -10}, {110, 20, 10}};
    expect_result(trv_world_draw(world, &def), TRV_OK);
    assert_int_equal(s.segments[TRV_INK_STATIC], 4);
    assert_int_equal(s.triangles[TRV_INK_STATIC], 2);
    expect_near(s.reach.lower.y, 0, 1e-5);
    expect_near(s.reach.upper.y, 0, 1e-5);
    expect_near(s.reach.lower.x, 97, 1e-4);
    expect_near(s.reach.upper.z, 3, 1e-5);
    trv_world_destroy(world);
}

static void pens_that_miss_strokes_get_the_others(void **state)
{
    (void)state;
    trv_world *world = make_usual_scene();
    step_world(world, 30);
    strokes s, all;
    draw_world(world, TRV_DRAW_ALL, &all);
    for (int missing = 0; missing < 16; missing++) {
        trv_draw_def def = draw_with(&s, TRV_DRAW_ALL);
        if (missing & 1)
            def.pen.segment = NULL;
        if (missing & 2)
            def.pen.triangle = NULL;
        if (missing & 4)
            def.pen.point = NULL;
        if (missing & 8)
            def.pen.text = NULL;
        expect_result(trv_world_draw(world, &def), TRV_OK);
        for (int i = 0; i < TRV_INK_COUNT; i++) {
            assert_int_equal(s.segments[i], missing & 1 ? 0 : all.segments[i]);
            assert_int_equal(s.triangles[i], missing & 2 ? 0 : all.triangles[i]);
            assert_int_equal(s.points[i], missing & 4 ? 0 : all.points[i]);
            assert_int_equal(s.texts[i], missing & 8 ? 0 : all.texts[i]);
        }
    }
    trv_world_destroy(world);
}

static double draw_from_the_clock(void *user)
{
    strokes *s = user;
    if (s->world != NULL)
        s->asked = trv_world_draw(s->world, s->again);
    return 0.0;
}

static void a_world_that_steps_is_not_drawn(void **state)
{
    (void)state;
    trv_world_def def = trv_default_world_def();
    strokes s, clock;
    trv_draw_def draw = draw_with(&s, TRV_DRAW_ALL);
    pen_of(&clock);
    def.clock = (trv_clock){&clock, draw_from_the_clock};
    trv_world *world;
    expect_result(trv_world_create(&def, &world), TRV_OK);
    add_dynamic(world, trv_make_vec3(0, 0, 0), cube(1));
    clock.world = world;
    clock.again = &draw;
    step_world(world, 1);
    expect_result(clock.asked, TRV_ERROR_BUSY);
    assert_int_equal(s.count, 0);
    trv_world_destroy(world);
}

static void every_ink_has_a_name_and_a_colour_of_its_own(void **state)
{
    (void)state;
    for (int a = 0; a <= TRV_INK_COUNT; a++) {
        assert_non_null(trv_ink_text((trv_ink)a));
        assert_true(trv_ink_rgb((trv_ink)a) <= 0xFFFFFF);
        for (int b = 0; b < a; b++) {
            assert_string_not_equal(trv_ink_text((trv_ink)a), trv_ink_text((trv_ink)b));
            if (a < TRV_INK_COUNT)
                assert_true(trv_ink_rgb((trv_ink)a) != trv_ink_rgb((trv_ink)b));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawing_changes_nothing_and_allocates_nothing),
        cmocka_unit_test(worlds_of_equal_state_draw_the_same),
        cmocka_unit_test(each_part_has_inks_of_its_own),
        cmocka_unit_test(edges_and_faces_are_those_of_the_shape),
        cmocka_unit_test(compounds_are_drawn_by_their_parts),
        cmocka_unit_test(the_two_bounds_are_drawn_side_by_side),
        cmocka_unit_test(the_features_of_a_plane_lean_on_it),
        cmocka_unit_test(planes_of_compounds_are_drawn_at_the_parts_they_are_of),
        cmocka_unit_test(climbs_go_up_to_the_farthest_vertex),
        cmocka_unit_test(what_is_elsewhere_is_left_out),
        cmocka_unit_test(defs_and_shapes_that_make_no_sense_are_refused),
        cmocka_unit_test(a_half_space_is_drawn_as_a_piece_of_its_plane),
        cmocka_unit_test(pens_that_miss_strokes_get_the_others),
        cmocka_unit_test(a_world_that_steps_is_not_drawn),
        cmocka_unit_test(every_ink_has_a_name_and_a_colour_of_its_own),
    };
    return cmocka_run_group_tests_name("draw", tests, NULL, NULL);
}
