// Every call on bodies and shapes x {no world, null, stale, foreign, NaN, during a step}: a result
// code, and nothing changes.
#include "world_support.h"

#include <trivet/query.h>

// One call each, with everything good but the id, or with a bad number where `bad` is not 0.
typedef struct trial {
    trv_world *world;
    trv_body_id body;
    trv_shape_id shape;
    float bad;
} trial;

typedef trv_result call_fn(const trial *t);

static trv_vec3 vec(const trial *t)
{
    return trv_make_vec3(t->bad, 1, 0);
}

static trv_pose pose(const trial *t)
{
    return trv_make_pose(vec(t));
}

// The calls that need a body, change the world, and take a number.
#define BODY_CHANGE(name, ...)                                                                     \
    static trv_result name(const trial *t)                                                         \
    {                                                                                              \
        return trv_##name(t->world, t->body, __VA_ARGS__);                                         \
    }
static const float six[6] = {1, 1, 1, 0, 0, 0};
BODY_CHANGE(body_set_pose, pose(t))
BODY_CHANGE(body_set_velocity, vec(t), vec(t))
BODY_CHANGE(body_set_linear_velocity, vec(t))
BODY_CHANGE(body_set_angular_velocity, vec(t))
BODY_CHANGE(body_apply_impulse, vec(t), vec(t))
BODY_CHANGE(body_apply_impulse_to_center, vec(t))
BODY_CHANGE(body_apply_angular_impulse, vec(t))
BODY_CHANGE(body_apply_force, vec(t), vec(t), vec(t))
BODY_CHANGE(body_apply_force_to_center, vec(t))
BODY_CHANGE(body_apply_torque, vec(t))
BODY_CHANGE(body_set_gravity_scale, 1 + t->bad)
BODY_CHANGE(body_set_damping, 1 + t->bad, 1)
BODY_CHANGE(body_set_mass, 1 + t->bad, vec(t), six)
BODY_CHANGE(body_set_locks, 0)
BODY_CHANGE(body_set_awake, true)
BODY_CHANGE(body_set_never_sleeps, true)
BODY_CHANGE(body_set_enabled, true)
BODY_CHANGE(body_set_kind, TRV_BODY_DYNAMIC)
BODY_CHANGE(body_set_user, 1)

static trv_result body_move_to(const trial *t)
{
    trv_result result = trv_body_move_to(t->world, t->body, pose(t), 0.1f);
    return result == TRV_ERROR_KIND ? TRV_OK : result; // the body at hand is dynamic
}

static trv_result body_reset_mass(const trial *t)
{
    return trv_body_reset_mass(t->world, t->body);
}

static trv_result shape_create(const trial *t)
{
    trv_shape_def def = trv_default_shape_def();
    trv_shape shape = ball(0.5f);
    trv_shape_id id;
    shape.as.sphere.radius += t->bad;
    return trv_shape_create(t->world, t->body, &def, &shape, &id);
}

static trv_result shape_set_solid(const trial *t)
{
    trv_shape solid = ball(0.5f);
    solid.as.sphere.center.x = t->bad;
    return trv_shape_set_solid(t->world, t->shape, &solid);
}

static trv_result shape_set_material(const trial *t)
{
    trv_material material = trv_default_shape_def().material;
    material.friction += t->bad;
    return trv_shape_set_material(t->world, t->shape, &material);
}

static trv_result shape_set_filter(const trial *t)
{
    return trv_shape_set_filter(t->world, t->shape, trv_default_filter());
}

static trv_result shape_set_user(const trial *t)
{
    return trv_shape_set_user(t->world, t->shape, 1);
}

static trv_result shape_set_switch(const trial *t)
{
    return trv_shape_set_switch(t->world, t->shape, TRV_SHAPE_HIT_EVENTS, true);
}

static trv_result world_set_gravity(const trial *t)
{
    return trv_world_set_gravity(t->world, vec(t));
}

static trv_result world_set_settings(const trial *t)
{
    trv_world_settings settings = {true, 1, 1, 1, 1};
    settings.push_speed += t->bad;
    return trv_world_set_settings(t->world, &settings);
}

static trv_result world_shift_origin(const trial *t)
{
    return trv_world_shift_origin(t->world, vec(t));
}

static trv_result world_set_pre_solve(const trial *t)
{
    trv_pre_solve none = {NULL, NULL};
    return trv_world_set_pre_solve(t->world, none);
}

static trv_result world_collide(const trial *t)
{
    return trv_world_collide(t->world);
}

enum { BODY = 1, SHAPE = 2, NUMBER = 4 };

static const struct {
    const char *name;
    call_fn *call;
    int takes;
} changes[] = {
    {"set_pose", body_set_pose, BODY | NUMBER},
    {"set_velocity", body_set_velocity, BODY | NUMBER},
    {"set_linear_velocity", body_set_linear_velocity, BODY | NUMBER},
    {"set_angular_velocity", body_set_angular_velocity, BODY | NUMBER},
    {"apply_impulse", body_apply_impulse, BODY | NUMBER},
    {"apply_impulse_to_center", body_apply_impulse_to_center, BODY | NUMBER},
    {"apply_angular_impulse", body_apply_angular_impulse, BODY | NUMBER},
    {"apply_force", body_apply_force, BODY | NUMBER},
    {"apply_force_to_center", body_apply_force_to_center, BODY | NUMBER},
    {"apply_torque", body_apply_torque, BODY | NUMBER},
    {"set_gravity_scale", body_set_gravity_scale, BODY | NUMBER},
    {"set_damping", body_set_damping, BODY | NUMBER},
    {"set_mass", body_set_mass, BODY | NUMBER},
    {"set_locks", body_set_locks, BODY},
    {"set_awake", body_set_awake, BODY},
    {"set_never_sleeps", body_set_never_sleeps, BODY},
    {"set_enabled", body_set_enabled, BODY},
    {"set_kind", body_set_kind, BODY},
    {"set_user", body_set_user, BODY},
    {"move_to", body_move_to, BODY},
    {"reset_mass", body_reset_mass, BODY},
    {"shape_create", shape_create, BODY | NUMBER},
    {"set_solid", shape_set_solid, SHAPE | NUMBER},
    {"set_material", shape_set_material, SHAPE | NUMBER},
    {"set_filter", shape_set_filter, SHAPE},
    {"shape_set_user", shape_set_user, SHAPE},
    {"set_switch", shape_set_switch, SHAPE},
    {"set_gravity", world_set_gravity, NUMBER},
    {"set_settings", world_set_settings, NUMBER},
    {"shift_origin", world_shift_origin, NUMBER},
    {"set_pre_solve", world_set_pre_solve, 0},
    {"collide", world_collide, 0},
};
enum { CHANGES = sizeof changes / sizeof *changes };

static trial make_trial(uint16_t tag)
{
    trial t = {NULL, {0, 0, 0}, {0, 0, 0}, 0};
    trv_world_def def = trv_default_world_def();
    def.tag = tag;
    expect_result(trv_world_create(&def, &t.world), TRV_OK);
    add_ground(t.world);
    t.body = add_body(t.world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 0.5f, 0));
    t.shape = add_shape(t.world, t.body, cube(0.5f));
    step_world(t.world, 2);
    return t;
}

static void expect_refusal(const trial *t, int c, trv_result wanted)
{
    uint64_t before = trv_world_hash(t->world);
    trv_result got = changes[c].call(t);
    if (got != wanted || trv_world_hash(t->world) != before)
        fail_msg("%s: '%s', wanted '%s', or the world changed", changes[c].name,
                 trv_result_text(got), trv_result_text(wanted));
}

static void no_call_takes_a_bad_id_number_or_world(void **state)
{
    (void)state;
    trial good = make_trial(5), other = make_trial(6);
    trv_body_id dead_body = add_dynamic(good.world, trv_make_vec3(5, 5, 5), ball(1));
    trv_shape_id dead_shape = add_shape(good.world, dead_body, ball(1));
    expect_result(trv_body_destroy(good.world, dead_body), TRV_OK);
    for (int c = 0; c < CHANGES; c++) {
        trial t = good;
        t.world = NULL;
        expect_refusal(&t, c, TRV_ERROR_NULL);
        if (changes[c].takes & NUMBER) {
            const float bad[] = {NAN, INFINITY, -INFINITY};
            for (int i = 0; i < 3; i++) {
                t = good;
                t.bad = bad[i];
                expect_refusal(&t, c, TRV_ERROR_NUMBER);
            }
        }
        if (!(changes[c].takes & (BODY | SHAPE)))
            continue;
        t = good;
        t.body = dead_body;
        t.shape = dead_shape;
        expect_refusal(&t, c, TRV_ERROR_STALE);
        t.body = (trv_body_id){0, 0, 0};
        t.shape = (trv_shape_id){0, 0, 0};
        expect_refusal(&t, c, TRV_ERROR_STALE);
        t.body = (trv_body_id){UINT32_MAX, 5, 1};
        t.shape = (trv_shape_id){UINT32_MAX, 5, 1};
        expect_refusal(&t, c, TRV_ERROR_STALE);
        t.body = other.body;
        t.shape = other.shape;
        expect_refusal(&t, c, TRV_ERROR_FOREIGN);
    }
    for (int c = 0; c < CHANGES; c++) { // and all of them do work
        trv_result result = changes[c].call(&good);
        if (result != TRV_OK)
            fail_msg("%s: '%s'", changes[c].name, trv_result_text(result));
    }
    step_world(good.world, 5);
    trv_world_destroy(good.world);
    trv_world_destroy(other.world);
}

typedef struct busy_probe {
    trial t;
    uint32_t wrong;
    uint32_t tried;
} busy_probe;

static void probing_parallel_for(void *user, uint32_t items, uint32_t grain, trv_range_fn *fn,
                                 void *context)
{
    busy_probe *probe = user;
    (void)grain;
    if (probe->t.body.index1 != 0)
        for (int c = 0; c < CHANGES; c++) {
            probe->tried++;
            probe->wrong += changes[c].call(&probe->t) != TRV_ERROR_BUSY;
        }
    trv_world_hit hit;
    trv_ray ray = {{0, 5, 0}, {0, -9, 0}};
    probe->wrong += trv_world_ray_closest(probe->t.world, ray, NULL, &hit) != TRV_ERROR_BUSY;
    fn(context, 0, items, 0);
}

static void no_call_changes_a_world_that_is_stepping(void **state)
{
    (void)state;
    busy_probe probe;
    memset(&probe, 0, sizeof probe);
    trv_world_def def = trv_default_world_def();
    def.workers = (trv_workers){&probe, 2, probing_parallel_for};
    expect_result(trv_world_create(&def, &probe.t.world), TRV_OK);
    add_ground(probe.t.world);
    for (int i = 0; i < 100; i++) {
        trv_vec3 at = {3.0f * (float)i, 0.5f, 0};
        probe.t.body = add_body(probe.t.world, TRV_BODY_DYNAMIC, at);
        probe.t.shape = add_shape(probe.t.world, probe.t.body, ball(0.5f));
    }
    step_world(probe.t.world, 1);
    expect_result(trv_world_collide(probe.t.world), TRV_OK);
    assert_true(probe.tried > 0);
    assert_int_equal(probe.wrong, 0);
    trv_world_destroy(probe.t.world);
}

static void every_getter_refuses_null_and_stale_and_empties_its_answer(void **state)
{
    (void)state;
    trial t = make_trial(5);
    trv_world *w = t.world;
    const trv_body_id no = {0, 0, 0};
    const trv_shape_id none = {0, 0, 0};
    trv_vec3 v, u;
    float f, g, six_out[6];
    uint32_t n;
    uint64_t user;
    bool b;
    trv_pose p;
    trv_body_kind kind;
    trv_material material;
    trv_filter filter;
    trv_shape solid;
    trv_aabb box;
    trv_body_id owner;
#define REFUSES(name, id, bad, out, ...)                                                           \
    do {                                                                                           \
        memset(&out, 0x55, sizeof out);                                                            \
        expect_result(trv_##name(w, bad, __VA_ARGS__), TRV_ERROR_STALE);                           \
        const char zeros[sizeof out] = {0};                                                        \
        assert_memory_equal(&out, zeros, sizeof out);                                              \
        expect_result(trv_##name(NULL, id, __VA_ARGS__), TRV_ERROR_NULL);                          \
        expect_result(trv_##name(w, id, __VA_ARGS__), TRV_OK);                                     \
    } while (0)
    REFUSES(body_pose, t.body, no, p, &p);
    REFUSES(body_velocity, t.body, no, v, &v, &u);
    REFUSES(body_linear_velocity, t.body, no, v, &v);
    REFUSES(body_angular_velocity, t.body, no, v, &v);
    REFUSES(body_velocity_at, t.body, no, v, p.position, &v);
    REFUSES(body_gravity_scale, t.body, no, f, &f);
    REFUSES(body_damping, t.body, no, f, &f, &g);
    REFUSES(body_locks, t.body, no, n, &n);
    REFUSES(body_mass, t.body, no, f, &f, &v, six_out);
    REFUSES(body_awake, t.body, no, b, &b);
    REFUSES(body_never_sleeps, t.body, no, b, &b);
    REFUSES(body_enabled, t.body, no, b, &b);
    REFUSES(body_kind_get, t.body, no, kind, &kind);
    REFUSES(body_user, t.body, no, user, &user);
    REFUSES(body_shapes, t.body, no, n, NULL, 0, &n);
    REFUSES(body_contacts, t.body, no, n, NULL, 0, &n);
    REFUSES(shape_body, t.shape, none, owner, &owner);
    REFUSES(shape_part_count, t.shape, none, n, &n);
    REFUSES(shape_solid, t.shape, none, solid, &solid);
    REFUSES(shape_part, t.shape, none, solid, 0, &solid);
    REFUSES(shape_bounds, t.shape, none, box, &box);
    REFUSES(shape_user, t.shape, none, user, &user);
    REFUSES(shape_material, t.shape, none, material, &material);
    REFUSES(shape_filter, t.shape, none, filter, &filter);
    REFUSES(shape_switched, t.shape, none, b, TRV_SHAPE_SENSOR, &b);
    expect_result(trv_body_velocity(w, t.body, &v, NULL), TRV_ERROR_NULL);
    expect_result(trv_body_linear_velocity(w, t.body, NULL), TRV_ERROR_NULL);
    expect_result(trv_body_angular_velocity(w, t.body, NULL), TRV_ERROR_NULL);
    expect_result(trv_body_velocity_at(w, t.body, v, NULL), TRV_ERROR_NULL);
    expect_result(trv_body_gravity_scale(w, t.body, NULL), TRV_ERROR_NULL);
    expect_result(trv_body_damping(w, t.body, &f, NULL), TRV_ERROR_NULL);
    expect_result(trv_body_locks(w, t.body, NULL), TRV_ERROR_NULL);
    expect_result(trv_body_enabled(w, t.body, NULL), TRV_ERROR_NULL);
    expect_result(trv_body_never_sleeps(w, t.body, NULL), TRV_ERROR_NULL);
    expect_result(trv_body_shapes(w, t.body, NULL, 1, &n), TRV_ERROR_NULL);
    expect_result(trv_body_shapes(w, t.body, NULL, 0, NULL), TRV_ERROR_NULL);
    expect_result(trv_body_contacts(w, t.body, NULL, 1, &n), TRV_ERROR_NULL);
    expect_result(trv_world_bodies(w, NULL, 1, &n), TRV_ERROR_NULL);
    expect_result(trv_world_bodies(w, NULL, 0, NULL), TRV_ERROR_NULL);
    expect_result(trv_shape_material(w, t.shape, NULL), TRV_ERROR_NULL);
    expect_result(trv_shape_filter(w, t.shape, NULL), TRV_ERROR_NULL);
    expect_result(trv_shape_part(w, t.shape, 0, NULL), TRV_ERROR_NULL);
    expect_result(trv_shape_part_count(w, t.shape, NULL), TRV_ERROR_NULL);
    expect_result(trv_shape_switched(w, t.shape, TRV_SHAPE_SENSOR, NULL), TRV_ERROR_NULL);
    expect_result(trv_world_gravity(w, NULL), TRV_ERROR_NULL);
    expect_result(trv_world_settings_get(w, NULL), TRV_ERROR_NULL);
    expect_result(trv_body_set_mass(w, t.body, 1, v, NULL), TRV_ERROR_NULL);
    trv_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_call_takes_a_bad_id_number_or_world),
        cmocka_unit_test(no_call_changes_a_world_that_is_stepping),
        cmocka_unit_test(every_getter_refuses_null_and_stale_and_empties_its_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
