// What bears a body that much bears: whoever looks for a surface finds it, and nobody asks about a flat floor.
#include "dealt.h"
#include "world_support.h"

#include "world/grounds.h"

enum { SIDE = 12, TILES = SIDE * SIDE };

static void add_piece(trv_world *world, trv_vec3 at, trv_shape shape)
{
    add_shape_of(world, add_body(world, TRV_BODY_STATIC, at), shape, 0, 0);
}

// Half a metre wide, in a square about the origin.
static void add_tiles(trv_world *world, int side)
{
    for (int i = 0; i < side * side; i++) {
        float x = 0.5f * (float)(i % side) - 0.25f * (float)(side - 1);
        float z = 0.5f * (float)(i / side) - 0.25f * (float)(side - 1);
        add_piece(world, trv_make_vec3(x, -0.25f, z), cube(0.25f));
    }
}

// A slab with an upright plate on it, on tiles and beside a wall; not yet moved.
static trv_world *make_scene(trv_body_id *slab)
{
    trv_world *world = make_world();
    const trv_obb plate = {{0, 0.4f, 0}, {2.9f, 0.4f, 2.9f}, {0, 0, 0, 1}};
    add_tiles(world, SIDE);
    for (int i = 0; i < 8; i++)
        add_piece(world, trv_make_vec3(3.49f, 0.2f, (float)i - 3.5f), cube(0.5f));
    *slab =
        add_dynamic(world, trv_make_vec3(0, 0.098f, 0), trv_make_box(trv_make_vec3(3, 0.1f, 3)));
    add_shape(world, *slab, trv_make_placed_box(plate));
    expect_result(trv_world_collide(world), TRV_OK);
    return world;
}

// Contacts become others: surfaces turned by up to `tilt`, up to `rough` m higher or lower.
static void scramble(trv_world *world, float rough, float tilt, uint64_t seed)
{
    test_random random = {seed};
    for (uint32_t i = 0; i < world->contacts.count; i++) {
        trvi_contact *contact = &trvi_contacts(world)[i];
        if (!(contact->flags & TRVI_CONTACT_LIVE) || !trvi_is_ground(contact))
            continue;
        trv_manifold *m = &contact->manifold;
        m->count = 1 + (uint32_t)(random_bits(&random) % TRV_MANIFOLD_POINTS);
        m->normal =
            trvi_normalize_or(trvi_mul_add(m->normal, random_vec3(&random, 1), tilt), m->normal);
        for (uint32_t p = 0; p < m->count; p++) {
            m->points[p].point = random_vec3(&random, 3);
            m->points[p].point.y = random_float(&random, -rough, rough);
            m->points[p].separation = random_float(&random, -2 * rough, rough);
        }
    }
}

static const trvi_crowd *list_crowd(trv_world *world, trv_body_id body)
{
    assert_true(trvi_array_reserve(&world->allocator, &world->crowds, 1));
    world->crowds.count = 1;
    trvi_crowd *crowd = world->crowds.items;
    crowd->body = body.index1 - 1;
    assert_true(trvi_grounds_list(world));
    return crowd;
}

typedef struct found {
    uint8_t *seen; // by contact
    uint32_t calls;
} found;

static bool note(const void *context, uint32_t contact)
{
    found *f = *(found *const *)context;
    assert_int_equal(f->seen[contact], 0);
    f->seen[contact] = 1;
    f->calls++;
    return false;
}

// Of one contact on a body; all that seam.c asks about a surface first.
typedef struct query {
    const trv_world *world;
    const trvi_contact *contact;
    uint32_t bearer;
    trvi_wanted wanted;
    trv_vec3 points[TRV_MANIFOLD_POINTS];
} query;

static query ask_about(const trv_world *world, const trvi_contact *contact, uint32_t bearer,
                       bool any_shape)
{
    const trvi_body *body = &trvi_bodies(world)[bearer];
    trvi_bearing at = trvi_see(contact, bearer);
    query q = {.world = world, .contact = contact, .bearer = bearer};
    q.wanted.normal = at.normal;
    q.wanted.count = contact->manifold.count;
    q.wanted.slack = TRVI_SEAM * body->extent;
    q.wanted.shape = any_shape ? TRVI_NONE : trvi_shape_in(contact, bearer);
    for (uint32_t i = 0; i < q.wanted.count; i++) {
        const trv_manifold_point *p = &contact->manifold.points[i];
        q.points[i] = trvi_mul_add(p->point, at.normal, -0.5f * p->separation);
        q.wanted.points[i] = trvi_sub(q.points[i], body->center);
    }
    return q;
}

static bool is_wanted(const query *q, const trvi_contact *other)
{
    trvi_bearing on = trvi_see(other, q->bearer);
    trv_vec3 turn = trvi_cross(on.normal, q->wanted.normal);
    bool faces = q->contact->manifold.count > 2 && other->manifold.count > 2;
    float doubt = faces ? TRVI_SEAM_FACES : TRVI_SEAM_SINE;
    float below = q->wanted.slack - trvi_smaller(on.deepest, 0.0f);
    bool wanted =
        trvi_dot(turn, turn) > doubt * doubt &&
        (q->wanted.shape == TRVI_NONE || q->wanted.shape == trvi_shape_in(other, q->bearer));
    for (uint32_t i = 0; i < q->wanted.count; i++) {
        float height = trvi_dot(trvi_sub(q->points[i], on.level), on.normal);
        wanted = wanted && height <= q->wanted.slack && height >= -below;
    }
    return wanted;
}

// How many of all pairs of contacts were wanted, and looked at.
typedef struct tally {
    uint32_t grounds, wanted, looked_at;
} tally;

static void compare_with_all(const query *q, const trvi_crowd *crowd, found *f, tally *sum)
{
    memset(f->seen, 0, q->world->contacts.count);
    f->calls = 0;
    assert_false(trvi_any_ground(q->world, crowd, &q->wanted, note, &f));
    for (uint32_t i = 0; i < q->world->contacts.count; i++) {
        const trvi_contact *other = &trvi_contacts(q->world)[i];
        if (!(other->flags & TRVI_CONTACT_LIVE) || !trvi_is_ground(other))
            continue;
        bool wanted = is_wanted(q, other);
        if (wanted && !f->seen[i])
            fail_msg("contact %u was not found", (unsigned)i);
        sum->wanted += wanted;
    }
    sum->looked_at += f->calls;
    sum->grounds++;
}

static tally look_for_all(trv_world *world, trv_body_id body)
{
    tally sum = {0, 0, 0};
    found f = {calloc(world->contacts.count, 1), 0};
    assert_non_null(f.seen);
    const trvi_crowd *crowd = list_crowd(world, body);
    for (uint32_t i = 0; i < 2 * world->contacts.count; i++) {
        const trvi_contact *contact = &trvi_contacts(world)[i / 2];
        if (!(contact->flags & TRVI_CONTACT_LIVE) || !trvi_is_ground(contact))
            continue;
        query q = ask_about(world, contact, crowd->body, i % 2 == 1);
        compare_with_all(&q, crowd, &f, &sum);
    }
    free(f.seen);
    return sum;
}

static void each_surface_that_is_wanted_is_found(void **state)
{
    (void)state;
    uint32_t wanted = 0;
    for (uint64_t seed = 1; seed <= 24; seed++) {
        const float roughs[3] = {1e-4f, 0.004f, 0.3f}, tilts[4] = {1e-5f, 1e-3f, 0.06f, 0.7f};
        trv_body_id slab;
        print_message("seed %u\n", (unsigned)seed);
        trv_world *world = make_scene(&slab);
        scramble(world, roughs[seed % 3], tilts[seed % 4], seed);
        tally sum = look_for_all(world, slab);
        assert_true(sum.grounds > 60);
        wanted += sum.wanted;
        trv_world_destroy(world);
    }
    assert_true(wanted > 10000);
}

static void numbers_that_are_none_hide_nothing(void **state)
{
    (void)state;
    trv_body_id slab;
    trv_world *world = make_scene(&slab);
    scramble(world, 0.004f, 0.06f, 3);
    uint32_t spoilt = 0;
    for (uint32_t i = 0; i < world->contacts.count; i += 5)
        if (trvi_is_ground(&trvi_contacts(world)[i])) {
            trvi_contacts(world)[i].manifold.normal.y = NAN;
            spoilt++;
        }
    const trvi_crowd *crowd = list_crowd(world, slab);
    found f = {calloc(world->contacts.count, 1), 0}, *at = &f;
    trvi_wanted far_off = {
        .normal = {1, 0, 0}, .points = {{0, 900, 0}}, .count = 1, .shape = TRVI_NONE};
    assert_non_null(f.seen);
    assert_false(trvi_any_ground(world, crowd, &far_off, note, &at));
    for (uint32_t i = 0; i < world->contacts.count; i += 5)
        if (trvi_is_ground(&trvi_contacts(world)[i]))
            assert_int_equal(f.seen[i], 1);
    assert_true(spoilt > 10);
    free(f.seen);
    trv_world_destroy(world);
}

static void nobody_asks_about_a_flat_floor(void **state)
{
    (void)state;
    trv_body_id slab;
    trv_world *world = make_scene(&slab);
    tally sum = look_for_all(world, slab);
    // But for the few that stand between those of the floor and of the wall.
    assert_true(sum.grounds > 2 * TILES && sum.looked_at <= 4 * sum.grounds);
    trv_world_destroy(world);
}

// ---- What bodies do ----

// A slab slides over tiles, and from one row to the next.
static trv_world *make_slide(trv_allocator allocator, const trv_workers *workers, trv_body_id *slab)
{
    trv_world_def def = trv_default_world_def();
    trv_world *world;
    def.allocator = allocator;
    if (workers != NULL)
        def.workers = *workers;
    expect_result(trv_world_create(&def, &world), TRV_OK);
    add_tiles(world, 2 * SIDE);
    *slab = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(-2, 0.1f, 0.1f));
    add_shape_of(world, *slab, trv_make_box(trv_make_vec3(2, 0.1f, 2)), 0, 0);
    trv_vec3 speed = {3, 0, 0.5f}, spin = {0, 0.1f, 0};
    expect_result(trv_body_set_velocity(world, *slab, speed, spin), TRV_OK);
    return world;
}

static void a_slab_on_many_tiles_slides_as_on_one(void **state)
{
    (void)state;
    const trv_allocator usual = {NULL, NULL};
    trv_body_id slab;
    trv_world *world = make_slide(usual, NULL, &slab);
    uint32_t crowds = 0;
    for (int i = 0; i < 60; i++) {
        step_world(world, 1);
        crowds += world->crowds.count;
        trv_vec3 v = velocity_of(world, slab);
        expect_near(v.x, 3, 0.003);
        expect_near(v.y, 0, 0.01);
        expect_near(v.z, 0.5, 0.003);
    }
    assert_int_equal(crowds, 60);
    trv_world_destroy(world);
}

static void it_slides_the_same_for_any_number_of_workers(void **state)
{
    (void)state;
    const trv_allocator usual = {NULL, NULL};
    uint64_t hashes[2];
    for (uint32_t k = 0; k < 2; k++) {
        uint32_t count = 1 + 2 * k;
        trv_workers workers = dealt_workers(&count);
        trv_body_id slab;
        trv_world *world = make_slide(usual, &workers, &slab);
        step_world(world, 30);
        hashes[k] = trv_world_hash(world);
        trv_world_destroy(world);
    }
    assert_true(hashes[0] == hashes[1]);
}

// One allocation fails, and those after it do not.
typedef struct hitch {
    test_memory memory;
    size_t at;
} hitch;

static void *reallocate_but_once(void *user, void *block, size_t old_size, size_t new_size)
{
    hitch *of = user;
    of->memory.fail_at = of->memory.calls == of->at ? of->at : SIZE_MAX;
    return test_reallocate(&of->memory, block, old_size, new_size);
}

// Allocation `fail_at` of the first step fails; *calls: how many there are. *unlisted: the step was made
// without it.
static uint64_t slide_with_hitch(size_t fail_at, size_t *calls, uint32_t *unlisted)
{
    hitch of = {.at = SIZE_MAX};
    const trv_allocator allocator = {&of, reallocate_but_once};
    trv_body_id slab;
    trv_world *world = make_slide(allocator, NULL, &slab);
    size_t begin = of.memory.calls;
    of.at = fail_at == SIZE_MAX ? SIZE_MAX : begin + fail_at;
    trv_result result = trv_world_step(world, 1.0f / 60.0f, 4);
    *calls = of.memory.calls - begin;
    *unlisted += result == TRV_OK;
    if (result != TRV_OK) {
        expect_result(result, TRV_ERROR_MEMORY);
        expect_result(trv_world_step(world, 1.0f / 60.0f, 4), TRV_OK);
    }
    step_world(world, 2);
    uint64_t hash = trv_world_hash(world);
    trv_world_destroy(world);
    assert_int_equal(of.memory.live, 0);
    return hash;
}

// Each contact is asked about all others then.
static void without_memory_for_the_list_it_slides_the_same(void **state)
{
    (void)state;
    size_t calls, ignored;
    uint32_t unlisted = 0;
    uint64_t wanted = slide_with_hitch(SIZE_MAX, &calls, &unlisted);
    assert_int_equal(unlisted, 1);
    for (size_t k = 0; k < calls; k++)
        assert_true(slide_with_hitch(k, &ignored, &unlisted) == wanted);
    assert_true(unlisted >= 4); // the bodies, their contacts and the tree were missing in turn
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_surface_that_is_wanted_is_found),
        cmocka_unit_test(numbers_that_are_none_hide_nothing),
        cmocka_unit_test(nobody_asks_about_a_flat_floor),
        cmocka_unit_test(a_slab_on_many_tiles_slides_as_on_one),
        cmocka_unit_test(it_slides_the_same_for_any_number_of_workers),
        cmocka_unit_test(without_memory_for_the_list_it_slides_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
