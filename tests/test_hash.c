// The hash sees every byte of the state: a changed one changes it, but for scratch and padding.
#include "world_support.h"

#include <trivet/mesh.h>

#include "world/fields.h"

// Bytes [first, last) of a struct that are no state.
typedef struct exempt {
    size_t first, last;
} exempt;

#define MEMBER(type, member)                                                                       \
    {                                                                                              \
        offsetof(type, member), offsetof(type, member) + sizeof(((type *)0)->member)               \
    }
// Padding between two neighbours.
#define BETWEEN(type, before, after)                                                               \
    {                                                                                              \
        offsetof(type, before) + sizeof(((type *)0)->before), offsetof(type, after)                \
    }

static bool is_exempt(const exempt *list, size_t count, size_t byte)
{
    for (size_t i = 0; i < count; i++)
        if (byte >= list[i].first && byte < list[i].last)
            return true;
    return false;
}

static void expect_seen(trv_world *world, const char *what, void *item, size_t size,
                        const exempt *list, size_t count)
{
    uint64_t before = trv_world_hash(world);
    uint8_t *bytes = item;
    for (size_t i = 0; i < size; i++) {
        if (is_exempt(list, count, i))
            continue;
        bytes[i] ^= 0x10;
        bool seen = trv_world_hash(world) != before;
        bytes[i] ^= 0x10;
        if (!seen)
            fail_msg("the hash does not see byte %zu of %s", i, what);
    }
    assert_true(trv_world_hash(world) == before);
}

// A box on a box, both awake, with one contact of four points.
static trv_world *make_pair(void)
{
    trv_world *world = make_world();
    trv_body_id below = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0));
    add_shape(world, below, cube(1.0f));
    add_dynamic(world, trv_make_vec3(0, 1.5f, 0), cube(0.5f));
    step_world(world, 2);
    return world;
}

static void every_byte_of_a_body_counts(void **state)
{
    (void)state;
    trv_world *world = make_pair();
    const exempt list[] = {MEMBER(trvi_body, solver), MEMBER(trvi_body, mobile),
                           MEMBER(trvi_body, reach)};
    const exempt of_mobile[] = {MEMBER(trvi_mobile, body)};
    trvi_body *body = &trvi_bodies(world)[1];
    expect_seen(world, "a body", body, sizeof *body, list, 3);
    expect_seen(world, "what a body has that may move", trvi_own_mobile(world, body),
                sizeof(trvi_mobile), of_mobile, 1);
    trv_world_destroy(world);
}

static void every_byte_of_a_shape_counts(void **state)
{
    (void)state;
    trv_world *world = make_pair();
    const exempt list[] = {
        MEMBER(trvi_shape, hold), MEMBER(trvi_shape, trait), MEMBER(trvi_shape, solid), // below
    };
    const exempt of_trait[] = {
        MEMBER(trvi_trait, users),
        BETWEEN(trvi_trait, users, filter),
        MEMBER(trvi_trait, filter.reserved),
        {offsetof(trvi_trait, next), sizeof(trvi_trait)},
    };
    expect_seen(world, "a shape", &trvi_shapes(world)[1], sizeof(trvi_shape), list, 3);
    trvi_trait *trait = (trvi_trait *)trvi_trait_of(world, &trvi_shapes(world)[1]);
    expect_seen(world, "what shapes share", trait, sizeof *trait, of_trait, 4);
    trv_shape *solid = &trvi_shapes(world)[1].solid;
    expect_seen(world, "a box", &solid->as.box, sizeof solid->as.box, NULL, 0);
    trv_world_destroy(world);
}

static void every_byte_of_a_contact_counts(void **state)
{
    (void)state;
    trv_world *world = make_pair();
    assert_int_equal(world->live_contacts, 1);
    assert_int_equal(trvi_contacts(world)->manifold.count, 4);
    const exempt list[] = {
        MEMBER(trvi_contact, flags), // below
        MEMBER(trvi_contact, manifold.count),
    };
    expect_seen(world, "a contact", trvi_contacts(world), sizeof(trvi_contact), list, 2);
    uint64_t before = trv_world_hash(world);
    trvi_contacts(world)->flags ^= TRVI_CONTACT_TOUCHING;
    assert_true(trv_world_hash(world) != before);
    trvi_contacts(world)->flags ^= TRVI_CONTACT_TOUCHING;
    trvi_contacts(world)->manifold.count--;
    assert_true(trv_world_hash(world) != before);
    trv_world_destroy(world);
}

static void settings_count(void **state)
{
    (void)state;
    trv_world *world = make_pair();
    expect_seen(world, "gravity", &world->gravity, sizeof world->gravity, NULL, 0);
    float *speeds[] = {&world->restitution_threshold, &world->hit_threshold, &world->push_speed,
                       &world->sleep_time};
    for (int i = 0; i < 4; i++)
        expect_seen(world, "a setting", speeds[i], sizeof *speeds[i], NULL, 0);
    uint64_t before = trv_world_hash(world);
    world->sleep = false;
    assert_true(trv_world_hash(world) != before);
    world->sleep = true;
    world->sensors++;
    assert_true(trv_world_hash(world) != before);
    trv_world_destroy(world);
}

// Ids that will be made depend on places that are free, and on their generations.
static void what_was_removed_counts(void **state)
{
    (void)state;
    trv_world *one = make_pair(), *two = make_pair();
    assert_true(trv_world_hash(one) == trv_world_hash(two));
    expect_result(trv_body_destroy(one, add_body(one, TRV_BODY_STATIC, trv_make_vec3(9, 9, 9))),
                  TRV_OK);
    assert_true(trv_world_hash(one) != trv_world_hash(two));
    trv_world_destroy(one);
    trv_world_destroy(two);
}

static void hulls_count_by_their_shape_and_not_by_where_they_are(void **state)
{
    (void)state;
    uint64_t hashes[3];
    for (int i = 0; i < 3; i++) {
        const float size = i == 2 ? 1.01f : 1.0f;
        const trv_vec3 points[4] = {{size, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, -1, -1}};
        trv_hull_def def = trv_default_hull_def();
        trv_hull *hull;
        expect_result(trv_hull_create(points, 4, &def, &hull), TRV_OK);
        trv_world *world = make_world();
        trv_body_id body = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0));
        add_shape(world, body, trv_make_hull(hull));
        hashes[i] = trv_world_hash(world);
        trv_world_destroy(world);
        trv_hull_release(hull);
    }
    assert_true(hashes[0] == hashes[1]);
    assert_true(hashes[0] != hashes[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_of_a_body_counts),
        cmocka_unit_test(every_byte_of_a_shape_counts),
        cmocka_unit_test(every_byte_of_a_contact_counts),
        cmocka_unit_test(settings_count),
        cmocka_unit_test(what_was_removed_counts),
        cmocka_unit_test(hulls_count_by_their_shape_and_not_by_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
