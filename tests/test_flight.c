// What is remembered of flights: how far blows have bent them, by which it is told who need not be looked at
// again.
#include "solver_step.h"
#include "world_support.h"

#include "world/impact_data.h"

enum { BODIES = 6, TURNS = 5, TIMES = 8, CORNERS = 6 };

// Where six points of each body are at some times of the sub-step, as far out as any.
typedef struct ways {
    trv_vec3 at[BODIES][TIMES][CORNERS];
} ways;

static float time_of(const trvi_step *step, int k)
{
    return step->h * (float)(k + 1) / TIMES;
}

static void take_ways(const trvi_step *step, ways *w)
{
    static const trv_vec3 axes[CORNERS] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                           {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    for (uint32_t i = 0; i < BODIES; i++)
        for (int k = 0; k < TIMES; k++)
            for (int c = 0; c < CORNERS; c++) {
                trv_vec3 moved, arm = trvi_scale(axes[c], step->bodies[i + 1].extent);
                trv_quat turned;
                trvi_flight_at(step, i + 1, time_of(step, k), &moved, &turned);
                w->at[i][k][c] = trvi_add(moved, trvi_rotate(turned, arm));
            }
}

static float farthest(const trvi_step *step, const ways *plan, const ways *now, uint32_t body,
                      float from)
{
    float most = 0.0f;
    for (int k = 0; k < TIMES; k++)
        for (int c = 0; c < CORNERS && time_of(step, k) >= from; c++)
            most =
                trvi_larger(most, trvi_length(trvi_sub(now->at[body][k][c], plan->at[body][k][c])));
    return most;
}

// Bodies of all sorts that fly and spin, and one step of theirs, by which the solver knows them.
static trv_world *make_flying(test_random *random)
{
    trv_world *world = make_world();
    for (uint32_t i = 0; i < BODIES; i++) {
        trv_body_def def = trv_default_body_def();
        trv_body_id body;
        def.kind = TRV_BODY_DYNAMIC;
        def.position = trv_make_vec3(20.0f * (float)i, 0, 0);
        def.linear_velocity = random_vec3(random, 10.0f);
        def.angular_velocity = random_vec3(random, i % 3 == 0 ? 900.0f : 20.0f);
        expect_result(trv_body_create(world, &def, &body), TRV_OK);
        add_shape_of(world, body,
                     i % 2 == 0 ? trv_make_box(trv_make_vec3(2, 0.05f, 0.15f))
                                : trv_make_sphere(trv_make_vec3(0, 0, 0), 0.5f),
                     0.6f, 0);
    }
    step_world(world, 1);
    assert_true(trvi_impacts_reserve(world));
    trvi_impacts_list(world);
    world->impact_stamp++;
    return world;
}

static void no_point_leaves_its_first_way_by_more_than_the_flight_is_bent_by(void **state)
{
    (void)state;
    test_random random = {11};
    uint32_t turned = 0, waited = 0;
    float tightest = 0.0f;
    for (int round = 0; round < 200; round++) {
        trv_world *world = make_flying(&random);
        trvi_step step = solver_step_of(world, NULL);
        static ways plan, now;
        take_ways(&step, &plan);
        for (int turn = 0; turn < TURNS; turn++) {
            uint32_t solver = 1 + (uint32_t)(random_bits(&random) % BODIES);
            float bent = trvi_flight_of(&step, solver)->bent;
            float start = trvi_flight_of(&step, solver)->start;
            float time = start + random_float(&random, 0.0f, 1.0f) * (step.h - start);
            if (random_bits(&random) % 8 == 0) {
                trvi_flight_wait(&step, solver, time);
                waited++;
            } else {
                trv_vec3 linear = trvi_flight_speed(&step, solver, time);
                trv_vec3 angular = trvi_flight_spin(&step, solver, time);
                float much = random_float(&random, 0.0f, 5.0f);
                linear = trvi_add(linear, random_vec3(&random, much));
                angular = trvi_add(angular, random_vec3(&random, much));
                trvi_flight_turn(&step, solver, time, linear, angular);
                turned++;
            }
            assert_true(trvi_flight_of(&step, solver)->bent >= bent);
            take_ways(&step, &now);
            for (uint32_t i = 0; i < BODIES; i++) {
                const trvi_flight *flight = trvi_flight_of(&step, i + 1);
                float off = farthest(&step, &plan, &now, i, flight->start);
                assert_true(off <= 1.001f * flight->bent + 2.0e-6f);
                tightest = trvi_larger(tightest, flight->bent > 1.0e-3f ? off / flight->bent : 0);
            }
        }
        trv_world_destroy(world);
    }
    assert_true(turned > 800 && waited > 100);
    assert_true(tightest > 0.8f); // it is no more than it has to be
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_point_leaves_its_first_way_by_more_than_the_flight_is_bent_by),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
