// Every public call on a world x {no world, null, stale, foreign, NaN, infinite, huge, during a step}: a
// result code, and nothing changes. The last test sees that no call of the headers is missing here.
#include "world_support.h"

#include <trivet/query.h>

// One call each, with everything good but the id, or with a bad number where `bad` is not 0.
typedef struct trial {
    trv_world *world;
    trv_body_id body;
    trv_shape_id shape;
    float bad;
    int hole; // which pointer is NULL; 0: none
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
    trial t = {NULL, {0, 0, 0}, {0, 0, 0}, 0, 0};
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
            const float bad[] = {NAN, INFINITY, -INFINITY, 1.0e30f};
            for (int i = 0; i < 4; i++) {
                t = good;
                t.bad = bad[i];
                expect_refusal(&t, c, i < 3 ? TRV_ERROR_NUMBER : TRV_ERROR_RANGE);
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

// Questions, saves, and what else takes pointers ------------------------------------------------------

// An address, or NULL where this pointer is the hole.
static void *or_null(const trial *t, int which, void *at)
{
    return t->hole == which ? NULL : at;
}

// A call by name, with `w` the trial's world. P(k, x) is the address of x, unless that is the hole.
#define P(which, at) or_null(t, which, &(at))
#define ASK(name, locals, ...)                                                                     \
    static trv_result ask_##name(const trial *t)                                                   \
    {                                                                                              \
        trv_world *w = t->world;                                                                   \
        locals return trv_##name(w, __VA_ARGS__);                                                  \
    }
#define RAY   trv_ray ray = {vec(t), {0, -1, 0}};
#define HIT   trv_world_hit hit;
#define GAP   trv_world_gap gap;
#define COUNT uint32_t count;
#define BALL  trv_shape solid = ball(0.5f);
#define WAY   trv_motion way = trv_make_motion(pose(t));
#define FOUND trv_world_found found;
#define BYTES                                                                                      \
    char bytes[8192];                                                                              \
    size_t size = 0;
ASK(body_create, trv_body_def def = trv_default_body_def(); trv_body_id id; def.position = vec(t);
    , P(1, def), P(2, id))
ASK(body_check, , t->body)
ASK(shape_alive, , t->shape)
ASK(shape_destroy, , t->shape)
ASK(body_destroy, , t->body)
ASK(world_ray_closest, RAY HIT, ray, NULL, P(1, hit))
ASK(world_ray_any, RAY bool any;, ray, NULL, P(1, any))
ASK(world_ray_all, RAY HIT COUNT, ray, NULL, P(1, hit), 1, P(2, count))
ASK(world_rays, RAY HIT, P(1, ray), 1, NULL, P(2, hit))
ASK(world_cast_ray, RAY trv_shape_id id; trv_ray_hit hit;
    , ray, trv_default_filter(), P(1, id), P(2, hit))
ASK(world_cast_closest, BALL WAY HIT, P(1, solid), P(2, way), NULL, P(3, hit))
ASK(world_cast_all, BALL WAY HIT COUNT, P(1, solid), P(2, way), NULL, P(3, hit), 1, P(4, count))
ASK(world_overlap_shape, BALL FOUND COUNT, P(1, solid), pose(t), NULL, P(2, found), 1, P(3, count))
ASK(world_overlap_point, FOUND COUNT, vec(t), NULL, P(1, found), 1, P(2, count))
ASK(world_closest_to_point, GAP, vec(t), 1.0f, NULL, P(1, gap))
ASK(world_closest_to_shape, BALL GAP, P(1, solid), pose(t), 1.0f, NULL, P(2, gap))
ASK(shape_ray, RAY HIT, t->shape, ray, P(1, hit))
ASK(shape_closest, GAP, t->shape, vec(t), P(1, gap))
ASK(shape_contains, bool inside;, t->shape, vec(t), P(1, inside))
ASK(world_step, , 1.0f / 60.0f + t->bad, 1)
ASK(world_save, BYTES, P(1, bytes), sizeof bytes, P(2, size))
ASK(world_write, BYTES, P(1, bytes), sizeof bytes, P(2, size))
ASK(world_contacts, trv_contact contact; COUNT, P(1, contact), 1, P(2, count))
ASK(world_bodies, trv_body_id id; COUNT, P(1, id), 1, P(2, count))
ASK(world_counters_get, trv_world_counters counters;, P(1, counters))
ASK(world_gravity, trv_vec3 gravity;, P(1, gravity))
ASK(world_settings_get, trv_world_settings settings;, P(1, settings))

static trv_result ask_world_overlap_aabb(const trial *t)
{
    trv_aabb box = {{t->bad, 0, 0}, {1, 1, 1}};
    trv_world_found found;
    uint32_t count;
    return trv_world_overlap_aabb(t->world, box, NULL, P(1, found), 1, P(2, count));
}

static trv_result ask_world_closest_to_points(const trial *t)
{
    trv_vec3 point = vec(t);
    trv_world_gap gap;
    return trv_world_closest_to_points(t->world, P(1, point), 1, 1.0f, NULL, P(2, gap));
}

static trv_result ask_world_casts(const trial *t)
{
    trv_shape solid = ball(0.5f);
    trv_world_cast cast = {&solid, trv_make_motion(pose(t))};
    trv_world_hit hit;
    return trv_world_casts(t->world, P(1, cast), 1, NULL, P(2, hit));
}

// What was saved or written of this very world, unless something is wrong with the call.
static trv_result ask_world_restore(const trial *t)
{
    char bytes[8192];
    size_t size = 0;
    trv_result result = trv_world_save(t->world, bytes, sizeof bytes, &size);
    return result == TRV_OK ? trv_world_restore(t->world, P(1, bytes), size) : result;
}

static trv_result ask_world_read(const trial *t)
{
    char bytes[8192];
    size_t size = 0;
    trv_result result = trv_world_write(t->world, bytes, sizeof bytes, &size);
    return result == TRV_OK ? trv_world_read(t->world, P(1, bytes), size) : result;
}

enum { READS = 8, ANY_TIME = 16 }; // changes nothing; may be called during a step

static const struct {
    const char *name;
    call_fn *call;
    int takes;
    int pointers;
} questions[] = {
#define ROW(name, takes, pointers)                                                                 \
    {                                                                                              \
#name, ask_##name, takes, pointers                                                         \
    }
    ROW(body_create, NUMBER, 2),
    ROW(body_check, BODY | READS | ANY_TIME, 0),
    ROW(shape_alive, SHAPE | READS | ANY_TIME, 0),
    ROW(world_ray_closest, NUMBER | READS, 1),
    ROW(world_ray_any, NUMBER | READS, 1),
    ROW(world_ray_all, NUMBER | READS, 2),
    ROW(world_rays, NUMBER | READS, 2),
    ROW(world_cast_ray, NUMBER | READS, 2),
    ROW(world_cast_closest, NUMBER | READS, 3),
    ROW(world_cast_all, NUMBER | READS, 4),
    ROW(world_casts, NUMBER | READS, 2),
    ROW(world_overlap_shape, NUMBER | READS, 3),
    ROW(world_overlap_point, NUMBER | READS, 2),
    ROW(world_overlap_aabb, NUMBER | READS, 2),
    ROW(world_closest_to_point, NUMBER | READS, 1),
    ROW(world_closest_to_points, NUMBER | READS, 2),
    ROW(world_closest_to_shape, NUMBER | READS, 2),
    ROW(shape_ray, SHAPE | NUMBER | READS, 1),
    ROW(shape_closest, SHAPE | NUMBER | READS, 1),
    ROW(shape_contains, SHAPE | NUMBER | READS, 1),
    ROW(world_save, READS, 2),
    ROW(world_write, READS, 2),
    ROW(world_restore, READS, 1),
    ROW(world_read, READS, 1),
    ROW(world_contacts, READS | ANY_TIME, 2),
    ROW(world_bodies, READS | ANY_TIME, 2),
    ROW(world_counters_get, READS | ANY_TIME, 1),
    ROW(world_gravity, READS | ANY_TIME, 1),
    ROW(world_settings_get, READS | ANY_TIME, 1),
    ROW(world_step, NUMBER, 0),
    ROW(shape_destroy, SHAPE, 0),
    ROW(body_destroy, BODY, 0),
};
enum { QUESTIONS = sizeof questions / sizeof *questions };

static void expect_answer(const trial *t, int q, trv_result wanted)
{
    uint64_t before = trv_world_hash(t->world);
    trv_result got = questions[q].call(t);
    if (got != wanted || trv_world_hash(t->world) != before)
        fail_msg("%s: '%s', wanted '%s', or the world changed", questions[q].name,
                 trv_result_text(got), trv_result_text(wanted));
}

static void no_question_takes_a_bad_id_number_or_pointer(void **state)
{
    (void)state;
    trial good = make_trial(5), other = make_trial(6);
    const float bad[] = {NAN, INFINITY, -INFINITY, 1.0e30f, -1.0e30f};
    for (int q = 0; q < QUESTIONS; q++) {
        trial t = good;
        t.world = NULL;
        expect_answer(&t, q, TRV_ERROR_NULL);
        for (int hole = 1; hole <= questions[q].pointers; hole++) {
            t = good;
            t.hole = hole;
            t.bad = 0.25f;
            expect_answer(&t, q, TRV_ERROR_NULL);
        }
        for (int i = 0; i < 5 && (questions[q].takes & NUMBER); i++) {
            t = good;
            t.bad = bad[i];
            expect_answer(&t, q, i < 3 ? TRV_ERROR_NUMBER : TRV_ERROR_RANGE);
        }
        if (!(questions[q].takes & (BODY | SHAPE)))
            continue;
        t = good;
        t.body = (trv_body_id){0, 0, 0};
        t.shape = (trv_shape_id){0, 0, 0};
        expect_answer(&t, q, TRV_ERROR_STALE);
        t.body = (trv_body_id){UINT32_MAX, 5, 1};
        t.shape = (trv_shape_id){UINT32_MAX, 5, 1};
        expect_answer(&t, q, TRV_ERROR_STALE);
        t.body = other.body;
        t.shape = other.shape;
        expect_answer(&t, q, TRV_ERROR_FOREIGN);
    }
    good.bad = 0.25f;
    for (int q = 0; q < QUESTIONS; q++) { // and all of them do work
        uint64_t before = trv_world_hash(good.world);
        trv_result result = questions[q].call(&good);
        if (result != TRV_OK)
            fail_msg("%s: '%s'", questions[q].name, trv_result_text(result));
        if ((questions[q].takes & READS) && trv_world_hash(good.world) != before)
            fail_msg("%s changes the world", questions[q].name);
    }
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
    for (int q = 0; q < QUESTIONS && probe->t.body.index1 != 0; q++) {
        trv_result wanted = questions[q].takes & ANY_TIME ? TRV_OK : TRV_ERROR_BUSY;
        probe->tried++;
        probe->wrong += questions[q].call(&probe->t) != wanted;
    }
    fn(context, 0, items, 0);
}

static void no_call_changes_a_world_that_is_stepping(void **state)
{
    (void)state;
    busy_probe probe;
    memset(&probe, 0, sizeof probe);
    probe.t.bad = 0.25f;
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
    REFUSES(body_bounds, t.body, no, box, &box);
    REFUSES(shape_contacts, t.shape, none, n, NULL, 0, &n);
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
    expect_result(trv_shape_contacts(w, t.shape, NULL, 1, &n), TRV_ERROR_NULL);
    expect_result(trv_body_bounds(w, t.body, NULL), TRV_ERROR_NULL);
    expect_result(trv_sensor_visitors(w, t.shape, NULL, 0, &n), TRV_ERROR_KIND);
    expect_result(trv_shape_set_switch(w, t.shape, TRV_SHAPE_SENSOR, true), TRV_OK);
    REFUSES(sensor_visitors, t.shape, none, n, NULL, 0, &n);
    expect_result(trv_sensor_visitors(w, t.shape, NULL, 1, &n), TRV_ERROR_NULL);
    expect_result(trv_shape_set_switch(w, t.shape, TRV_SHAPE_SENSOR, false), TRV_OK);
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

// What takes no world, or answers with a value: tested where it lives.
static const char *const elsewhere[] = {
    "trv_default_world_def", "trv_default_body_def",
    "trv_default_shape_def", "trv_default_query",
    "trv_make_stepper",      "trv_stepper_advance",
    "trv_pose_between",      "trv_compound_create_from_mesh",
    "trv_world_create",      "trv_world_events",
    "trv_world_destroy",     "trv_world_save_size",
    "trv_world_write_size",  "trv_world_hash",
    "trv_phase_text",        "trv_world_profile_get",
    "trv_mass_of_shape",
};

static bool is_named(const char *text, const char *name, size_t length)
{
    for (const char *at = text; (at = strstr(at, name)) != NULL; at++)
        if (strchr(",)(\"", at[length]) != NULL && at > text && strchr(" (_\"", at[-1]) != NULL)
            return true;
    return false;
}

static char *read_text(const char *path)
{
    char full[1024];
    snprintf(full, sizeof full, "%s/../%s", TRV_TEST_DATA, path);
    FILE *file = fopen(full, "rb");
    char *text = calloc(1, 1 << 17);
    assert_non_null(file);
    assert_true(fread(text, 1, (1 << 17) - 1, file) > 1000);
    fclose(file);
    return text;
}

static void no_public_call_is_missing_here(void **state)
{
    (void)state;
    const char *const headers[] = {"../include/trivet/world.h", "../include/trivet/query.h"};
    char *own = read_text("test_world_refusals.c");
    const size_t others = sizeof elsewhere / sizeof *elsewhere;
    uint32_t calls = 0, found = 0;
    for (int h = 0; h < 2; h++) {
        char *header = read_text(headers[h]);
        for (size_t i = 0; i < others; i++)
            found += is_named(header, elsewhere[i] + 4, strlen(elsewhere[i]) - 4);
        for (const char *at = header; (at = strstr(at, "TRV_API ")) != NULL;) {
            at += 8;
            const char *end = strchr(at, '('), *start = end;
            while (start > at && start[-1] != ' ' && start[-1] != '*')
                start--;
            char name[64];
            size_t length = (size_t)(end - start);
            assert_true(length > 4 && length < sizeof name);
            memcpy(name, start, length);
            name[length] = '\0';
            calls++;
            if (!is_named(own, name + 4, length - 4))
                fail_msg("%s is in no table", name);
        }
        free(header);
    }
    assert_true(calls > 80);
    assert_true(found >= others);
    free(own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_call_takes_a_bad_id_number_or_world),
        cmocka_unit_test(no_question_takes_a_bad_id_number_or_pointer),
        cmocka_unit_test(no_call_changes_a_world_that_is_stepping),
        cmocka_unit_test(no_public_call_is_missing_here),
        cmocka_unit_test(every_getter_refuses_null_and_stale_and_empties_its_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
