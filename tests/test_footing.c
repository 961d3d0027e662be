// What is set up as it stands begins with the loads that it bears: in islands that are too large for sweeps
// to find them at once, nothing falls before they do.
#include "world_support.h"

#define GRAVITY_STEP (9.81f / 60.0f) // what falls gains in a step, m/s

typedef struct tally {
    float fastest; // m/s
    bool asleep;   // all are
} tally;

static tally tally_of(trv_world *world)
{
    tally t = {0.0f, true};
    for (uint32_t i = 0; i < world->bodies.items.count; i++) {
        const trvi_body *body = &trvi_bodies(world)[i];
        if (body->kind != TRV_BODY_DYNAMIC)
            continue;
        t.fastest = fmaxf(t.fastest, trvi_fastest_of(body, trvi_mobile_of(world, body)));
        t.asleep = t.asleep && !(body->flags & TRVI_BODY_AWAKE);
    }
    return t;
}

static void expect_no_faster(trv_world *world, float most)
{
    float fastest = tally_of(world).fastest;
    if (!(fastest <= most))
        fail_msg("%g m/s", (double)fastest);
}

// Nothing moves by more than rounding after any step, and all sleeps as soon as it may.
static void expect_standing(trv_world *world, float most)
{
    for (int i = 0; i < 36; i++) {
        step_world(world, 1);
        expect_no_faster(world, most);
    }
    assert_true(tally_of(world).asleep);
}

static trv_body_id add_box(trv_world *world, trv_vec3 middle, trv_vec3 half)
{
    return add_dynamic(world, middle, trv_make_box(half));
}

// Rows from the first on to before the last of a pyramid: each cube over the joint of two below; those of a
// row `apart` by that.
static void add_rows(trv_world *world, int base, float side, float apart, int first, int last)
{
    trv_vec3 half = trv_make_vec3(0.5f * side, 0.5f * side, 0.5f * side);
    for (int i = first; i < last; i++)
        for (int j = 0; j < base - i; j++)
            add_box(world,
                    trv_make_vec3(0.5f * (side + apart) * (float)(i + 2 * j - base),
                                  side * ((float)i + 0.5f), 0),
                    half);
}

static void high_pyramids_stand(void **state)
{
    (void)state;
    static const struct {
        int base;
        float side, apart;
    } cases[] = {{46, 1, 0}, {60, 0.1f, 0.005f}, {45, 0.03f, 0}};
    for (int i = 0; i < 3; i++) {
        trv_world *world = make_world();
        add_ground(world);
        add_rows(world, cases[i].base, cases[i].side, cases[i].apart, 0, cases[i].base);
        expect_standing(world, 0.003f);
        trv_world_destroy(world);
    }
}

// What is there already hands down what is put on it, whether it sleeps by then or not.
static void they_may_be_built_bit_by_bit(void **state)
{
    (void)state;
    for (int pause = 10; pause <= 40; pause += 30) {
        trv_world *world = make_world();
        add_ground(world);
        add_rows(world, 48, 1, 0.05f, 0, 20);
        step_world(world, pause);
        assert_true(tally_of(world).asleep == (pause == 40));
        add_rows(world, 48, 1, 0.05f, 20, 34);
        step_world(world, pause);
        add_rows(world, 48, 1, 0.05f, 34, 48);
        expect_standing(world, 0.003f);
        trv_world_destroy(world);
    }
}

static void long_walls_stand(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < (i < 11 ? 100 : 99); j++) // one more would balance on its edge
            add_box(world,
                    trv_make_vec3(0.25f * (float)j + 0.125f * (float)(i % 2),
                                  0.05f * (float)(2 * i + 1), 0),
                    trv_make_vec3(0.125f, 0.05f, 0.06f));
    // Heavy ones on top, which count as lighter while the bricks bear them.
    for (int j = 0; j < 10; j++)
        add_box(world, trv_make_vec3(2.5f * (float)j + 1, 1.35f, 0),
                trv_make_vec3(0.15f, 0.15f, 0.15f));
    expect_standing(world, 0.01f);
    trv_world_destroy(world);
}

// Their edges meet in lines, which bear nothing.
static void towers_stand_side_by_side(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    for (int x = 0; x < 8; x++)
        for (int z = 0; z < 8; z++)
            for (int i = 0; i < 14; i++)
                add_box(world, trv_make_vec3((float)x, 0.5f + (float)i, (float)z),
                        trv_make_vec3(0.5f, 0.5f, 0.5f));
    expect_standing(world, 1e-4f);
    trv_world_destroy(world);
}

// Joins all that stands on it to one island, too large to be solved with care.
static void add_raft(trv_world *world)
{
    add_ground(world);
    add_box(world, trv_make_vec3(40, 0.5f, 40), trv_make_vec3(45, 0.5f, 45));
}

typedef void build_fn(trv_world *world, trv_vec3 at);

// Four hundred of them, from the first step on.
static void expect_standing_on_raft(build_fn *build, float most)
{
    trv_world *world = make_world();
    add_raft(world);
    for (int x = 0; x < 20; x++)
        for (int z = 0; z < 20; z++)
            build(world, trv_make_vec3(4.0f * (float)x, 1, 4.0f * (float)z));
    step_world(world, 1);
    assert_true(world->islands.count == 0);
    expect_no_faster(world, most);
    step_world(world, 40);
    assert_true(tally_of(world).asleep);
    trv_world_destroy(world);
}

static trv_vec3 above(trv_vec3 at, float x, float y, float z)
{
    return trv_make_vec3(at.x + x, at.y + y, at.z + z);
}

// Six cubes one on another.
static void build_tower(trv_world *world, trv_vec3 at)
{
    for (int i = 0; i < 6; i++)
        add_box(world, above(at, 0, 0.2f + 0.4f * (float)i, 0), trv_make_vec3(0.2f, 0.2f, 0.2f));
}

// A beam over two posts, with weights at one end and over the other post.
static void build_beam(trv_world *world, trv_vec3 at)
{
    add_box(world, above(at, -0.8f, 0.25f, 0), trv_make_vec3(0.1f, 0.25f, 0.3f));
    add_box(world, above(at, 0.8f, 0.25f, 0), trv_make_vec3(0.1f, 0.25f, 0.3f));
    add_box(world, above(at, 0, 0.6f, 0), trv_make_vec3(1.2f, 0.1f, 0.3f));
    add_box(world, above(at, -0.5f, 0.9f, 0), trv_make_vec3(0.2f, 0.2f, 0.2f));
    add_box(world, above(at, 0.9f, 0.8f, 0.1f), trv_make_vec3(0.1f, 0.1f, 0.1f));
}

// Three legs of a table that bears a weight off its middle.
static void build_table(trv_world *world, trv_vec3 at)
{
    static const float places[3][2] = {{-0.8f, -0.6f}, {0.8f, -0.6f}, {0, 0.8f}};
    for (int i = 0; i < 3; i++)
        add_box(world, above(at, places[i][0], 0.4f, places[i][1]),
                trv_make_vec3(0.08f, 0.4f, 0.08f));
    add_box(world, above(at, 0, 0.85f, 0), trv_make_vec3(1, 0.05f, 1));
    add_box(world, above(at, 0.3f, 1.1f, -0.1f), trv_make_vec3(0.2f, 0.2f, 0.2f));
}

// Two that lean out as far as what lies behind on them allows: the other edge would have to pull.
static void build_overhang(trv_world *world, trv_vec3 at)
{
    for (int i = 0; i < 2; i++) {
        trv_vec3 by = above(at, 0, 0, 1.5f * (float)i);
        add_box(world, above(by, 0, 0.5f, 0), trv_make_vec3(0.5f, 0.5f, 0.5f));
        add_box(world, above(by, 0.45f, 1.1f, 0), trv_make_vec3(1, 0.1f, 0.5f));
        add_box(world, above(by, -0.2f, 1.5f, 0), trv_make_vec3(0.3f, 0.3f, 0.3f));
    }
}

static void posts_bear_their_shares(void **state)
{
    (void)state;
    expect_standing_on_raft(build_tower, 1e-4f);
    expect_standing_on_raft(build_beam, 0.005f);
    expect_standing_on_raft(build_table, 0.005f);
    expect_standing_on_raft(build_overhang, 0.01f);
}

// What the ground is known to bear of a body, in weights of a cube of 1 m.
static float borne_by_ground(trv_world *world, trv_body_id id)
{
    uint32_t body;
    float carried = 0.0f;
    expect_result(trvi_find_body(world, id, &body), TRV_OK);
    for (uint32_t i = 0; i < world->contacts.count; i++) {
        const trvi_contact *contact = &trvi_contacts(world)[i];
        bool on_ground = trvi_bodies(world)[contact->body_a].kind == TRV_BODY_STATIC ||
                         trvi_bodies(world)[contact->body_b].kind == TRV_BODY_STATIC;
        if (!on_ground || (contact->body_a != body && contact->body_b != body))
            continue;
        for (uint32_t p = 0; p < contact->manifold.count; p++)
            carried += contact->impulses[p].carried;
    }
    return carried / (1000.0f * GRAVITY_STEP / 4.0f);
}

static void only_what_rests_is_held_up(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    trv_vec3 half = trv_make_vec3(0.5f, 0.5f, 0.5f), none = trv_make_vec3(0, 0, 0);
    trv_body_id standing = add_box(world, trv_make_vec3(0, 0.5f, 0), half);
    trv_body_id rising = add_box(world, trv_make_vec3(4, 0.5f, 0), half);
    trv_body_id near = add_box(world, trv_make_vec3(8, 0.51f, 0), half);
    trv_body_id sliding = add_box(world, trv_make_vec3(12, 0.5f, 0), half);
    expect_result(trv_body_set_velocity(world, rising, trv_make_vec3(0, 1, 0), none), TRV_OK);
    expect_result(trv_body_set_velocity(world, sliding, trv_make_vec3(3, 0, 0), none), TRV_OK);
    step_world(world, 1);
    expect_near(velocity_of(world, rising).y, 1 - GRAVITY_STEP, 1e-4);
    expect_near(velocity_of(world, near).y, -GRAVITY_STEP, 1e-4);
    expect_near(borne_by_ground(world, standing), 1, 1e-3);
    expect_near(borne_by_ground(world, near), 0, 1e-3);
    expect_near(borne_by_ground(world, sliding), 0,
                0.03); // a sixtieth of it: averaged over a second
    trv_world_destroy(world);
}

// The shelf is locked, and bears what stands on it; what is below bears its own weight alone.
static void what_locks_hold_weighs_on_nothing(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    trv_vec3 half = trv_make_vec3(0.5f, 0.5f, 0.5f);
    trv_body_id foot = add_box(world, trv_make_vec3(0, 0.5f, 0), half);
    trv_body_id shelf = add_box(world, trv_make_vec3(0, 1.5f, 0), half);
    add_box(world, trv_make_vec3(0, 2.5f, 0), half);
    expect_result(trv_body_set_locks(world, shelf, TRV_LOCK_LINEAR_Y), TRV_OK);
    step_world(world, 1);
    expect_near(borne_by_ground(world, foot), 1, 1e-3);
    expect_result(trv_body_set_locks(world, shelf, 0), TRV_OK);
    step_world(world, 60);
    expect_near(position_of(world, foot).y, 0.5, 1e-4);
    trv_world_destroy(world);
}

// Loads are the same for what goes along with its floor.
static void what_is_set_up_on_a_sled_stands_on_it(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        const float speed = i == 0 ? 1.0f : (i == 1 ? 3.0f : 10.0f);
        trv_world *world = make_world();
        trv_body_id ice = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, -1, 0));
        add_shape_of(world, ice, trv_make_box(trv_make_vec3(200, 1, 20)), 0, 0);
        const trv_vec3 along = {speed, 0, 0};
        trv_body_id sled = add_moving(world, trv_make_box(trv_make_vec3(2, 0.1f, 2)),
                                      trv_make_vec3(0, 0.1f, 0), along, 0.6f, 0);
        trv_body_id top = sled;
        for (int k = 0; k < 10; k++)
            top = add_moving(world, cube(0.25f), trv_make_vec3(0, 0.45f + 0.5f * (float)k, 0),
                             along, 0.6f, 0);
        step_world(world, 600);
        trv_vec3 way = trvi_sub(position_of(world, top), position_of(world, sled));
        expect_near(hypotf(way.x, way.z), 0, 3.0e-4);
        trv_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(high_pyramids_stand),
        cmocka_unit_test(they_may_be_built_bit_by_bit),
        cmocka_unit_test(long_walls_stand),
        cmocka_unit_test(towers_stand_side_by_side),
        cmocka_unit_test(posts_bear_their_shares),
        cmocka_unit_test(only_what_rests_is_held_up),
        cmocka_unit_test(what_locks_hold_weighs_on_nothing),
        cmocka_unit_test(what_is_set_up_on_a_sled_stands_on_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
