// What hit events tell of blows: each once, how fast, where, and along which normal.
#include "world_support.h"

// How high it falls from (m), pulled so many times as hard as the world does, and steps a second.
typedef struct fall {
    float height, scale, restitution;
    int rate;
    bool flat; // a cube; else a ball
} fall;

static void expect_told(fall l)
{
    float seconds = sqrtf(2.0f * l.height / (9.81f * l.scale)), wanted = 9.81f * l.scale * seconds;
    trv_world *world = make_world();
    add_ground(world);
    trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 0.25f + l.height, 0));
    trv_shape_def def = trv_default_shape_def();
    def.material.restitution = l.restitution;
    add_shape_with(world, body, def, l.flat ? cube(0.25f) : ball(0.25f));
    expect_result(trv_body_set_gravity_scale(world, body, l.scale), TRV_OK);
    uint32_t hits = 0;
    float speed = 0.0f, impulse = 0.0f, mass = l.flat ? 125.0f : 65.45f;
    for (int s = 0; s < (int)((seconds + 0.1f) * (float)l.rate) + 3; s++) {
        expect_result(trv_world_step(world, 1.0f / (float)l.rate, 4), TRV_OK);
        trv_events events = trv_world_events(world);
        hits += events.hit_count;
        if (events.hit_count > 0) {
            const trv_hit_event *hit = &events.hits[0];
            speed = hit->speed;
            impulse = hit->impulse;
            expect_near(fabsf(hit->normal.y), 1, 1e-5);
            expect_near(hit->point.y, 0, 2e-3);
        }
    }
    trv_world_destroy(world);
    if (hits != (wanted > 1.0f ? 1 : 0))
        fail_msg("a landing from %g m at %d/s is told %u times", (double)l.height, l.rate, hits);
    if (hits > 0 && fabsf(speed - wanted) > 0.001f * wanted)
        fail_msg("a landing at %g m/s, %d/s, is told as one at %g", (double)wanted, l.rate,
                 (double)speed);
    assert_true(hits == 0 || impulse > 0.1f * mass * wanted);
}

// However the last step before it happens to end, in which it gains speed: bodies may be caught before
// they meet. Slower than the threshold as that step begins, they may be above it by then.
static void a_landing_is_told_once_with_the_speed_that_it_met_with(void **state)
{
    (void)state;
    for (int i = 0; i < 48; i++) {
        float height = i < 24 ? 0.4f + 0.17f * (float)i : 0.042f + 0.0061f * (float)(i - 24);
        fall l = {height, i % 3 == 0 ? 0.5f : 1.0f, i % 4 == 3 ? 0.5f : 0.0f, 30 << i % 4,
                  i % 2 != 0};
        expect_told(l);
        l.rate = 60;
        expect_told(l);
    }
}

// Two of radius .2 m, the first at 10 m/s, the second beside its way.
static void hits_tell_where_balls_met_and_by_what_normal(void **state)
{
    (void)state;
    for (int i = 0; i < 60; i++) {
        const float radius = 0.2f, off = 0.36f * (float)(i % 10) / 10, rate = (float)(30 << i % 4);
        float restitution = i % 3 == 0 ? 0.5f : 0.0f;
        trv_world *world = make_world();
        expect_result(trv_world_set_gravity(world, trv_make_vec3(0, 0, 0)), TRV_OK);
        trv_vec3 start = trv_make_vec3(-1 - 0.01f * (float)i, 0, 0);
        add_moving(world, ball(radius), start, trv_make_vec3(10, 0, 0), 0, restitution);
        trv_body_id other = add_moving(world, ball(radius), trv_make_vec3(0, off, 0),
                                       trv_make_vec3(0, 0, 0), 0, restitution);
        float along = sqrtf(4 * radius * radius - off * off) / (2 * radius);
        float wanted = 10 * along;
        uint32_t hits = 0;
        for (int s = 0; s < (int)(0.4f * rate); s++) {
            expect_result(trv_world_step(world, 1 / rate, 4), TRV_OK);
            trv_events events = trv_world_events(world);
            hits += events.hit_count;
            if (events.hit_count == 0)
                continue;
            const trv_hit_event *hit = &events.hits[0];
            float sign = same_body(hit->body_b, other) ? 1.0f : -1.0f;
            expect_near(sign * hit->normal.x, along, 1e-3);
            expect_near(hit->speed, wanted, 0.005f * wanted);
            expect_near(hit->point.x, -radius * along, 0.004);
            expect_near(hit->point.y, off / 2, 0.004);
        }
        assert_int_equal(hits, 1);
        trv_world_destroy(world);
    }
}

// A cube beside whose way a ball rests: they meet by an edge, and part at once.
static void glancing_blows_are_told(void **state)
{
    (void)state;
    for (int i = 0; i < 400; i++) {
        float speed = 4 + 0.065f * (float)i, off = 0.39f * (float)(i * 7 % 31) / 31;
        float rate = (float)(30 << i % 4);
        trv_world *world = make_world();
        expect_result(trv_world_set_gravity(world, trv_make_vec3(0, 0, 0)), TRV_OK);
        trv_vec3 along = trv_make_vec3(speed, 0, 0), none = trv_make_vec3(0, 0, 0);
        add_moving(world, cube(0.2f), none, along, 0.6f, 0);
        trv_body_id body = add_moving(world, ball(0.2f), trv_make_vec3(2, off, 0), none, 0.6f, 0);
        uint32_t hits = 0;
        for (int s = 0; s < (int)(4 / speed * rate) + 5; s++) {
            expect_result(trv_world_step(world, 1 / rate, 4), TRV_OK);
            hits += trv_world_events(world).hit_count;
        }
        float struck = trvi_length(velocity_of(world, body));
        if (struck > 1.2f && hits == 0)
            fail_msg("a ball is struck to %g m/s, and it is not told, at %g/s", (double)struck,
                     (double)rate);
        trv_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_landing_is_told_once_with_the_speed_that_it_met_with),
        cmocka_unit_test(glancing_blows_are_told),
        cmocka_unit_test(hits_tell_where_balls_met_and_by_what_normal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
