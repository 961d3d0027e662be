// What is pressed by things that do not yield, with no room left: nothing is right for it, but it must not be
// pressed harder and harder, nor burst.
#include "world_support.h"

enum { BALLS = 300 };

// Balls of .2 m in a pit of 4 by 4 m with a lid, of which two walls close in, m/s.
typedef struct crusher {
    trv_world *world;
    trv_body_id balls[BALLS];
} crusher;

static void add_wall(trv_world *world, trv_body_kind kind, trv_vec3 at, trv_vec3 half, float speed)
{
    trv_body_id wall = add_body(world, kind, at);
    add_shape_of(world, wall, trv_make_box(half), 0.6f, 0);
    if (kind == TRV_BODY_KINEMATIC)
        expect_result(trv_body_set_linear_velocity(world, wall, trv_make_vec3(speed, 0, 0)),
                      TRV_OK);
}

static crusher make_crusher(float speed)
{
    crusher c = {make_world(), {{0}}};
    add_wall(c.world, TRV_BODY_STATIC, trv_make_vec3(0, -0.5f, 0), trv_make_vec3(10, 0.5f, 10), 0);
    add_wall(c.world, TRV_BODY_STATIC, trv_make_vec3(0, 3, 0), trv_make_vec3(10, 0.5f, 10), 0);
    for (int side = -1; side <= 1; side += 2) {
        float s = (float)side;
        add_wall(c.world, TRV_BODY_STATIC, trv_make_vec3(0, 5, 2.5f * s),
                 trv_make_vec3(10, 10, 0.5f), 0);
        add_wall(c.world, TRV_BODY_KINEMATIC, trv_make_vec3(2.5f * s, 5, 0),
                 trv_make_vec3(0.5f, 10, 2), -s * speed);
    }
    for (int i = 0; i < BALLS; i++)
        c.balls[i] = add_dynamic(c.world,
                                 trv_make_vec3(-1.7f + 0.45f * (float)(i % 8),
                                               0.3f + 0.45f * (float)(i / 64),
                                               -1.7f + 0.45f * (float)(i / 8 % 8)),
                                 trv_make_sphere(trv_make_vec3(0, 0, 0), 0.2f));
    return c;
}

static float fastest_of(const crusher *c)
{
    float most = 0;
    for (int i = 0; i < BALLS; i++)
        most = fmaxf(most, trvi_length(velocity_of(c->world, c->balls[i])));
    return most;
}

// Up to when the walls are so near that the balls would need several times the room.
static void what_a_crusher_closes_on_does_not_burst(void **state)
{
    (void)state;
    static const struct {
        float speed;
        int steps;
    } rows[] = {{1, 116}, {4, 26}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        crusher c = make_crusher(rows[i].speed);
        float most = 0;
        for (int s = 0; s < rows[i].steps; s++) {
            step_world(c.world, 1);
            most = fmaxf(most, fastest_of(&c));
        }
        expect_near(most, 0, 80); // m/s
        trv_world_destroy(c.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_crusher_closes_on_does_not_burst),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
