// trv_world_profile: where the time of a step goes, and that time goes nowhere else.
#include "world_support.h"

// Says each time `tick` seconds more than the last time, until `spoilt_at` readings, then `spoilt`.
typedef struct ticking {
    double time, tick, spoilt;
    uint32_t readings, spoilt_at;
    const trv_world *world;
    trv_result asked;
} ticking;

static double tell_time(void *user)
{
    ticking *clock = user;
    trv_world_profile profile;
    if (clock->world != NULL)
        clock->asked = trv_world_profile_get(clock->world, &profile);
    if (clock->readings++ >= clock->spoilt_at)
        return clock->spoilt;
    return clock->time += clock->tick;
}

static trv_world *make_timed_world(ticking *clock)
{
    trv_world_def def = trv_default_world_def();
    trv_world *world;
    def.tag = 7;
    if (clock != NULL)
        def.clock = (trv_clock){clock, tell_time};
    expect_result(trv_world_create(&def, &world), TRV_OK);
    add_ground(world);
    for (int i = 0; i < 5; i++)
        add_dynamic(world, trv_make_vec3(0.1f * (float)i, 0.6f + 1.1f * (float)i, 0), cube(0.5f));
    trv_body_def fast = trv_default_body_def();
    trv_body_id bullet;
    fast.kind = TRV_BODY_DYNAMIC;
    fast.position = trv_make_vec3(-20, 2, 0);
    fast.linear_velocity = trv_make_vec3(300, 0, 0);
    expect_result(trv_body_create(world, &fast, &bullet), TRV_OK);
    add_shape(world, bullet, ball(0.05f));
    return world;
}

static trv_world_profile profile_of(const trv_world *world)
{
    trv_world_profile profile;
    expect_result(trv_world_profile_get(world, &profile), TRV_OK);
    return profile;
}

static void every_tick_of_a_step_goes_to_a_phase(void **state)
{
    (void)state;
    ticking clock = {.tick = 0.25, .spoilt_at = UINT32_MAX};
    trv_world *world = make_timed_world(&clock);
    bool reached[TRV_PHASE_COUNT] = {false};
    for (int i = 0; i < 30; i++) {
        uint32_t before = clock.readings;
        step_world(world, 1);
        trv_world_profile profile = profile_of(world);
        assert_true(clock.readings >= before + 8);
        expect_near(profile.step, 0.25 * (clock.readings - before - 1), 0);
        double sum = 0.0;
        for (int phase = 0; phase < TRV_PHASE_COUNT; phase++) {
            sum += profile.seconds[phase];
            reached[phase] |= profile.seconds[phase] > 0.0;
        }
        expect_near(profile.step, sum, 0);
    }
    for (int phase = 0; phase < TRV_PHASE_COUNT; phase++)
        assert_true(reached[phase]);
    uint32_t before = clock.readings;
    expect_result(trv_world_collide(world), TRV_OK);
    expect_near(profile_of(world).step, 0.25 * (clock.readings - before - 1), 0);
    expect_near(profile_of(world).seconds[TRV_PHASE_SOLVE], 0, 0);
    trv_world_destroy(world);
}

static void a_spoilt_clock_counts_as_one_that_stands(void **state)
{
    (void)state;
    const double spoilt[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, -5.0};
    ticking sound = {.tick = 1.0, .spoilt_at = UINT32_MAX};
    trv_world *timed = make_timed_world(&sound);
    step_world(timed, 1);
    trv_world_destroy(timed);
    assert_true(sound.readings >= 9);
    for (int i = 0; i < 4; i++)
        for (uint32_t at = 0; at < sound.readings; at++) {
            ticking clock = {.tick = 1.0, .spoilt = spoilt[i], .spoilt_at = at};
            trv_world *world = make_timed_world(&clock);
            step_world(world, 1);
            trv_world_profile profile = profile_of(world);
            expect_near(profile.step, at > 0 ? at - 1 : 0, 0);
            for (int phase = 0; phase < TRV_PHASE_COUNT; phase++)
                assert_true(profile.seconds[phase] >= 0.0);
            trv_world_destroy(world);
        }
}

static void without_a_clock_or_a_step_there_are_zeros(void **state)
{
    (void)state;
    ticking clock = {.tick = 1.0, .spoilt_at = UINT32_MAX};
    trv_world *plain = make_timed_world(NULL), *timed = make_timed_world(&clock);
    trv_world_profile zero = {{0}, 0}, profile = profile_of(timed);
    assert_memory_equal(&profile, &zero, sizeof zero);
    step_world(plain, 3);
    profile = profile_of(plain);
    assert_memory_equal(&profile, &zero, sizeof zero);
    trv_world_destroy(plain);
    trv_world_destroy(timed);
}

static void time_never_reaches_the_state(void **state)
{
    (void)state;
    ticking clock = {.tick = 1.0, .spoilt_at = UINT32_MAX};
    trv_world *plain = make_timed_world(NULL), *timed = make_timed_world(&clock);
    for (int i = 0; i < 40; i++) {
        step_world(plain, 1);
        step_world(timed, 1);
        assert_true(trv_world_hash(plain) == trv_world_hash(timed));
    }
    size_t size = trv_world_write_size(plain), written[2];
    assert_true(size > 0 && trv_world_write_size(timed) == size);
    char *files[2] = {malloc(size), malloc(size)};
    expect_result(trv_world_write(plain, files[0], size, &written[0]), TRV_OK);
    expect_result(trv_world_write(timed, files[1], size, &written[1]), TRV_OK);
    assert_memory_equal(files[0], files[1], size);
    // A file brings a state, no clock, and takes none away.
    expect_result(trv_world_read(timed, files[0], size), TRV_OK);
    expect_result(trv_world_read(plain, files[1], size), TRV_OK);
    step_world(plain, 1);
    step_world(timed, 1);
    assert_true(profile_of(timed).step > 0.0);
    expect_near(profile_of(plain).step, 0, 0);
    assert_true(trv_world_hash(plain) == trv_world_hash(timed));
    free(files[0]);
    free(files[1]);
    trv_world_destroy(plain);
    trv_world_destroy(timed);
}

static void calls_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    ticking clock = {.tick = 1.0, .spoilt_at = UINT32_MAX};
    trv_world *world = make_timed_world(&clock);
    trv_world_profile profile;
    memset(&profile, 1, sizeof profile);
    expect_result(trv_world_profile_get(world, NULL), TRV_ERROR_NULL);
    expect_result(trv_world_profile_get(NULL, &profile), TRV_ERROR_NULL);
    expect_near(profile.step, 0, 0);
    clock.world = world;
    step_world(world, 1);
    expect_result(clock.asked, TRV_ERROR_BUSY);
    trv_world_destroy(world);
}

static void every_phase_has_a_name_of_its_own(void **state)
{
    (void)state;
    for (int a = 0; a <= TRV_PHASE_COUNT; a++) {
        assert_non_null(trv_phase_text((trv_phase)a));
        for (int b = 0; b < a; b++)
            assert_string_not_equal(trv_phase_text((trv_phase)a), trv_phase_text((trv_phase)b));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tick_of_a_step_goes_to_a_phase),
        cmocka_unit_test(a_spoilt_clock_counts_as_one_that_stands),
        cmocka_unit_test(without_a_clock_or_a_step_there_are_zeros),
        cmocka_unit_test(time_never_reaches_the_state),
        cmocka_unit_test(calls_that_make_no_sense_are_refused),
        cmocka_unit_test(every_phase_has_a_name_of_its_own),
    };
    return cmocka_run_group_tests_name("profile", tests, NULL, NULL);
}
