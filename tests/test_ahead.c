// Floors whose pieces lie at small angles, or a little higher or lower than one another: what rolls and
// slides along loses what the bends take, and does not trip over edges that it passes above.
#include "world_support.h"

// A road of slabs of `length`, each turned by `bend` against the one before, between two long ones; every
// other one of the short ones is lower by `sunk`.
typedef struct road {
    float length, bend, sunk;
    int slabs;
} road;

static void lay(trv_world *world, const road *of)
{
    float angle = 0, x = -10, y = 0;
    for (int i = 0; i < of->slabs + 2; i++) {
        bool ends = i == 0 || i == of->slabs + 1;
        float half = ends ? 5 : of->length / 2, low = i % 2 == 1 && !ends ? of->sunk : 0;
        float c = cosf(angle), s = sinf(angle);
        trv_body_def def = trv_default_body_def();
        def.position = trv_make_vec3(x + half * c + 0.25f * s, y + half * s - 0.25f * c - low, 0);
        def.rotation = trv_quat_about(trv_make_vec3(0, 0, 1), angle);
        trv_body_id slab;
        expect_result(trv_body_create(world, &def, &slab), TRV_OK);
        add_shape_of(world, slab, trv_make_box(trv_make_vec3(half, 0.25f, 2)), 0.6f, 0);
        x += 2 * half * c;
        y += 2 * half * s;
        angle += of->bend;
    }
}

typedef struct way {
    float energy; // of that at the start, with that of height
    float up;     // the greatest speed away from the road's last slab, m/s
} way;

// Goes over all of it, begun a part of a step before it. What rolls turns as it goes.
static way go(const road *of, trv_shape shape, float high, float friction, float speed, float rate,
              float part, bool rolls)
{
    trv_world *world = make_world();
    lay(world, of);
    trv_vec3 at = {-1.5f - high - part * speed / rate, high, 0};
    trv_body_id body = add_moving(world, shape, at, trv_make_vec3(speed, 0, 0), friction, 0);
    float spin = rolls ? -speed / high : 0;
    expect_result(
        trv_body_set_velocity(world, body, trv_make_vec3(speed, 0, 0), trv_make_vec3(0, 0, spin)),
        TRV_OK);
    float length = 2.5f + 2 * high + of->length * (float)of->slabs;
    float last = of->bend * (float)(of->slabs + 1);
    way went = {0, 0};
    for (int s = 0; s < (int)(length / speed * rate); s++) {
        expect_result(trv_world_step(world, 1.0f / rate, 4), TRV_OK);
        trv_vec3 v = velocity_of(world, body);
        went.up = fmaxf(went.up, v.y * cosf(last) - v.x * sinf(last));
    }
    trv_vec3 v, w;
    expect_result(trv_body_velocity(world, body, &v, &w), TRV_OK);
    float share = rolls ? 0.4f * high * high : 0; // of a ball's spin
    float has =
        trvi_dot(v, v) + share * trvi_dot(w, w) + 2 * 9.81f * (position_of(world, body).y - high);
    went.energy = has / (speed * speed + share * spin * spin);
    trv_world_destroy(world);
    return went;
}

// Energy and speed upwards: no less, and no more, than given.
static void expect_way(way went, float least, float up, int i)
{
    if (!(went.energy >= least && went.energy <= 1.005f && went.up <= up))
        fail_msg("case %d: %g of the energy, %g m/s up", i, (double)went.energy, (double)went.up);
}

// A plastic blow at each bend takes the square of its angle, of which half is left to what turns along.
static void balls_roll_over_bends(void **state)
{
    (void)state;
    const float rates[] = {30, 60, 120}, bends[] = {0.003f, 0.01f, 0.03f};
    test_random random = {3};
    for (int i = 0; i < 54; i++) {
        float bend = bends[i % 3] * (i % 2 == 0 ? 1.0f : -1.0f), radius = 0.3f;
        road of = {random_float(&random, 0.08f, 0.4f), bend, 0, 4};
        float speed = random_float(&random, 3, 15), part = random_float(&random, 0, 1);
        way went = go(&of, ball(radius), radius, 0.6f, speed, rates[i / 3 % 3], part, true);
        float least = 0.99f - 5 * bend * bend * 5;
        expect_way(went, least, speed * fabsf(bend) * 6 + 0.2f, i);
    }
}

static void balls_roll_over_slabs_that_are_lower(void **state)
{
    (void)state;
    const float lows[] = {0.0005f, 0.002f, 0.01f, 0.1f};
    test_random random = {4};
    for (int i = 0; i < 24; i++) {
        road of = {0.1f, 0, lows[i % 4], 1};
        float speed = random_float(&random, 5, 12), part = random_float(&random, 0, 1);
        expect_way(go(&of, ball(0.3f), 0.3f, 0.6f, speed, 60, part, true), 0.99f, 0.3f, i);
    }
}

static void capsules_and_boxes_slide_over_bends(void **state)
{
    (void)state;
    const float bends[] = {-0.003f, -0.01f, 0.01f, -0.1f};
    test_random random = {5};
    for (int i = 0; i < 48; i++) {
        float bend = bends[i / 2 % 4], half = 0.3f;
        road of = {random_float(&random, 0.5f, 1), bend, 0, i % 3 == 0 && bend != -0.1f ? 2 : 0};
        trv_shape box = trv_make_box(trv_make_vec3(half, half, half));
        trv_shape lies =
            trv_make_capsule(trv_make_vec3(0, 0, -half), trv_make_vec3(0, 0, half), half);
        float speed = random_float(&random, 3, 12), part = random_float(&random, 0, 1);
        way went = go(&of, i % 2 == 0 ? box : lies, half, 0, speed, 60, part, false);
        expect_way(went, 0.99f - 2 * fabsf(bend) * fabsf(bend), speed * fabsf(bend) * 3 + 0.2f, i);
    }
}

// Onto a floor of flush tiles, close to a seam, from `fall` m/s.
static void land(trv_shape shape, float radius, trv_vec3 fall, float rate, float tile, int phase)
{
    trv_world *world = make_world();
    for (int i = -4; i < 20; i++)
        for (int k = -2; k < 2; k++) {
            trv_vec3 at = {tile * ((float)i + 0.5f), -0.5f, tile * ((float)k + 0.5f)};
            trv_body_id body = add_body(world, TRV_BODY_STATIC, at);
            trv_vec3 half = {tile / 2, 0.5f, tile / 2};
            add_shape_of(world, body, trv_make_box(half), 0, 0);
        }
    float time = (2 + 0.041f * (float)phase) / rate;
    trv_vec3 at = {tile * (0.9f + 0.01f * (float)(phase % 20)), radius, 0.3f * tile};
    trv_body_id body = add_moving(world, shape, trvi_mul_add(at, fall, -time), fall, 0, 0);
    for (int s = 0; s < 20; s++) {
        expect_result(trv_world_step(world, 1 / rate, 4), TRV_OK);
        if (!(velocity_of(world, body).y <= 0.1f))
            fail_msg("radius %g, phase %d: %g m/s up", (double)radius, phase,
                     (double)velocity_of(world, body).y);
    }
    trv_vec3 off = trvi_sub(velocity_of(world, body), fall);
    off.y = 0;
    if (!(trvi_length(off) <= 0.015f * trvi_length(fall)))
        fail_msg("radius %g, phase %d: %g m/s off", (double)radius, phase,
                 (double)trvi_length(off));
    trv_world_destroy(world);
}

// Whichever tile it comes to first, the edge of the next one is no obstacle, nor does that of the one before push.
static void what_lands_by_a_seam_slides_on(void **state)
{
    (void)state;
    const struct {
        float radius, along, down, rate, tile;
    } falls[] = {{0.1f, 3, 1, 60, 0.5f},
                 {0.1f, 3, 3, 60, 0.5f},
                 {0.1f, 1, 3, 60, 0.5f},
                 {0.1f, 2, 2, 30, 0.5f},
                 {0.05f, 1, 1, 60, 0.2f}};
    for (size_t i = 0; i < sizeof falls / sizeof *falls; i++)
        for (int phase = 0; phase < 200; phase++) {
            float radius = falls[i].radius;
            trv_vec3 end = {radius, 0, 0}, fall = {falls[i].along, -falls[i].down, 0};
            trv_shape lies = trv_make_capsule(trvi_negate(end), end, radius);
            fall.z = 0.3f * fall.x;
            land(phase % 4 == 3 ? lies : ball(radius), radius, fall, falls[i].rate, falls[i].tile,
                 phase);
        }
}

// What is too high to pass over stops who runs into it, however near to its edge it was seen before.
static void kerbs_and_walls_stop_what_comes(void **state)
{
    (void)state;
    const float highs[] = {0.15f, 0.3f, 1};
    test_random random = {6};
    for (int i = 0; i < 24; i++) {
        trv_world *world = make_world();
        float high = highs[i % 3], speed = random_float(&random, 2, 15);
        trv_body_id ground = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, -0.25f, 0));
        add_shape_of(world, ground, trv_make_box(trv_make_vec3(20, 0.25f, 2)), 0, 0);
        trv_body_id wall = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0.5f, high / 2, 0));
        add_shape_of(world, wall, trv_make_box(trv_make_vec3(0.5f, high / 2, 2)), 0, 0);
        trv_vec3 at = {-1 - random_float(&random, 0, 0.3f), 0.3f, 0};
        trv_shape box = trv_make_box(trv_make_vec3(0.3f, 0.3f, 0.3f));
        trv_body_id body =
            add_moving(world, i % 2 == 0 ? box : ball(0.3f), at, trv_make_vec3(speed, 0, 0), 0, 0);
        bool stops = high >= 0.3f;
        for (int s = 0; s < 60; s++) {
            expect_result(trv_world_step(world, 1.0f / 60, 4), TRV_OK);
            if (stops && !(position_of(world, body).x <= -0.295f))
                fail_msg("case %d: at %g with %g m/s", i, (double)position_of(world, body).x,
                         (double)velocity_of(world, body).x);
        }
        trv_vec3 v = velocity_of(world, body);
        if (stops)
            expect_near(v.x, 0, 0.01);
        else // balls go over a kerb of half their height, slower than along its tangent; boxes tip at most
            assert_true(v.x <= 0.6f * speed);
        trv_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_roll_over_bends),
        cmocka_unit_test(balls_roll_over_slabs_that_are_lower),
        cmocka_unit_test(capsules_and_boxes_slide_over_bends),
        cmocka_unit_test(what_lands_by_a_seam_slides_on),
        cmocka_unit_test(kerbs_and_walls_stop_what_comes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
