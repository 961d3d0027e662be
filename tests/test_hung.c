// What hangs by two corners comes to rest, also where other corners are near.
#include "hulls.h"
#include "world_support.h"

// A keystone, s long at its top, its middle at the origin: its sides lean by 1 in 5.
static trv_hull *make_keystone(float s)
{
    trv_vec3 points[8];
    for (int i = 0; i < 8; i++) {
        float x = i & 1 ? s : -s, z = i & 2 ? 0.4f * s : -0.4f * s;
        points[i] =
            i & 4 ? trv_make_vec3(0.6f * x, 0.4f * s, z) : trv_make_vec3(0.4f * x, -0.6f * s, z);
    }
    trv_hull_def def = trv_default_hull_def();
    trv_hull *keystone = NULL;
    return trv_hull_create(points, 8, &def, &keystone) == TRV_OK ? keystone : NULL;
}

// A cube beside the keystone, at its right or, turned about, at its left. Its near side all but lies on the keystone's:
// one corner touches it, above its middle, the others are within 1 part in 15 of s.
static void add_block(trv_world *world, bool right, float s)
{
    const float lean = -0.1973956f, off = 0.02f; // rad
    const trv_vec3 y = trv_make_vec3(0, 1, 0), z = trv_make_vec3(0, 0, 1);
    trv_quat turn = trv_quat_multiply(trv_quat_about(y, off), trv_quat_about(z, off));
    turn = trv_quat_multiply(trv_quat_about(z, lean), turn);
    if (!right)
        turn = trv_quat_multiply((trv_quat){0, 1, 0, 0}, turn);
    trv_vec3 corner = trv_rotate(turn, trv_make_vec3(-0.4f * s, 0.4f * s, -0.4f * s));
    trv_vec3 at = trv_make_vec3(right ? 0.56f * s : -0.56f * s, 0.2f * s, 0);
    trv_body_def def = trv_default_body_def();
    def.position = trvi_sub(at, corner);
    def.rotation = turn;
    trv_body_id block;
    expect_result(trv_body_create(world, &def, &block), TRV_OK);
    add_shape(world, block, cube(0.4f * s));
}

// Swung at first. Corners are blunt: it stops, and stays where it hangs.
static void expect_rest(float s, float rate, float swing)
{
    trv_world *world = make_world();
    trv_hull *keystone = make_keystone(s);
    assert_non_null(keystone);
    add_block(world, false, s);
    add_block(world, true, s);
    trv_body_def def = trv_default_body_def();
    def.kind = TRV_BODY_DYNAMIC;
    def.angular_velocity = trv_make_vec3(swing, 0, 0);
    trv_body_id body;
    expect_result(trv_body_create(world, &def, &body), TRV_OK);
    add_shape(world, body, trv_make_hull(keystone));
    uint32_t most = 0;
    for (int i = 0; i < (int)(4 * rate); i++) {
        expect_result(trv_world_step(world, 1 / rate, 4), TRV_OK);
        trv_contact contacts[2];
        uint32_t count;
        expect_result(trv_world_contacts(world, contacts, 2, &count), TRV_OK);
        for (uint32_t k = 0; k < count; k++)
            most = contacts[k].manifold.count > most ? contacts[k].manifold.count : most;
    }
    assert_true(most > 1); // corners beside those by which it hangs
    double sunk = -(double)position_of(world, body).y;
    if (is_awake(world, body) || !(fabs(sunk) <= 0.005 * (double)s))
        fail_msg("s %g m at %g/s: %s, sunk by %g m", (double)s, (double)rate,
                 is_awake(world, body) ? "awake" : "asleep", sunk);
    trv_world_destroy(world);
    trv_hull_release(keystone);
}

static void what_hangs_between_two_corners_comes_to_rest(void **state)
{
    (void)state;
    const float rates[] = {30, 60, 120, 240}, sizes[] = {0.2f, 0.5f, 1};
    for (int i = 0; i < 12; i++)
        for (int k = 1; k <= 3; k++)
            expect_rest(sizes[i / 4], rates[i % 4], 0.2f * (float)k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_hangs_between_two_corners_comes_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
