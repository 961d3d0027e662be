// What moves far in a step, before it moves: broadphase boxes that hold the whole way, and sleepers
// that may be hit, woken in time.
#include "world_data.h"

#include <string.h>

// Planes that the way of a pair in a sub-step is worth. What flies, rolls and tumbles takes a few dozen; what
// whirls, some hundred turns in a sub-step, takes thousands for each time that it is looked for, and is
// rather looked for again from where this many lead to, until it waits.
enum { PAST_STEPS = 256 };

// What the coming step moves a body by, as far as that is known before it.
typedef struct way {
    trv_vec3 travel;
    float swing; // no point of the body is moved more than this by its turning
    float length;
} way;

// What a body may leave its straight way by, and turn more than was foreseen, each: half of what its
// boxes are grown by in any case, and what they are grown by beside. What is thrown up goes beyond where
// it begins and ends by no more than it falls from rest.
typedef struct slack {
    float of_each, beside;
} slack;

static slack slack_of(const trv_world *world, const trvi_body *body, float dt)
{
    trv_vec3 pull = trvi_acceleration_of(world, trvi_mobile_of(world, body));
    float half = 0.5f * trvi_least_sight(world, body);
    float falls = body->kind == TRV_BODY_DYNAMIC ? 0.5f * trvi_length(pull) * dt * dt : 0.0f;
    return falls > half ? (slack){falls, 2.0f * (falls - half)} : (slack){half, 0.0f};
}

static way way_of(const trv_world *world, const trvi_body *body, float dt)
{
    const trvi_mobile *mobile = trvi_mobile_of(world, body);
    trv_vec3 speed = mobile->linear_velocity;
    if (body->kind == TRV_BODY_DYNAMIC) {
        speed = trvi_mul_add(speed, world->gravity, mobile->gravity_scale * dt);
        speed = trvi_mul_add(speed, mobile->force, mobile->inverse_mass * dt);
    }
    way w;
    w.travel = trvi_scale(speed, dt);
    w.swing = trvi_smaller(trvi_length(mobile->angular_velocity) * dt, 2.0f) * body->extent;
    w.length = trvi_length(w.travel) + w.swing;
    return w;
}

float trvi_tunnel_way(const trvi_body *body)
{
    return body->flags & TRVI_BODY_DISCRETE ? TRV_COORD_MAX : TRVI_SWEEP_SHARE * body->thickness;
}

// Beside a shift: the body may have to be swept.
#define SWEPT (1u << 31)

typedef struct ways_job {
    trv_world *world;
    float dt;
    uint32_t substeps;
} ways_job;

// Up to where it goes straight on.
static trv_pose end_of(const trvi_body *body, const way *w)
{
    trv_pose to = body->frame;
    to.position = trvi_add(to.position, w->travel);
    return to;
}

static bool is_short(const trvi_body *body, const way *w)
{
    return w->length <= TRVI_SPECULATIVE_SHARE * body->extent;
}

static bool is_swept_over(const trvi_body *body, const way *w, uint32_t substeps)
{
    return w->length > trvi_tunnel_way(body) * (float)substeps * 0.5f ||
           (!is_short(body, w) && !(body->flags & TRVI_BODY_DISCRETE));
}

bool trvi_has_to_be_swept(const trv_world *world, const trvi_body *body, float dt,
                          uint32_t substeps)
{
    way w = way_of(world, body, dt);
    return is_swept_over(body, &w, substeps);
}

static uint32_t shift_way(const ways_job *job, uint32_t index)
{
    const trvi_body *body = &trvi_bodies(job->world)[index];
    way w = way_of(job->world, body, job->dt);
    uint32_t swept = is_swept_over(body, &w, job->substeps) ? SWEPT : 0;
    float beside = slack_of(job->world, body, job->dt).beside;
    if (w.length + beside <= trvi_mobile_of(job->world, body)->covered)
        return swept;
    if (is_short(body, &w))
        return swept | trvi_body_shift_proxies(job->world, index, w.length + beside);
    return swept | trvi_body_shift_between(job->world, index, body->frame, end_of(body, &w),
                                           w.swing + beside);
}

static void shift_ways(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    const ways_job *job = context;
    const trvi_entry *awake = job->world->awake.items;
    for (uint32_t i = first; i < last; i++)
        ((uint32_t *)job->world->shifts.items)[i] = shift_way(job, awake[i].value);
}

// Of a body that was left for later.
static void place_way(trv_world *world, uint32_t index, float dt)
{
    const trvi_body *body = &trvi_bodies(world)[index];
    way w = way_of(world, body, dt);
    float beside = slack_of(world, body, dt).beside;
    if (is_short(body, &w))
        trvi_body_move_proxies(world, index, w.length + beside);
    else
        trvi_body_place_between(world, index, body->frame, end_of(body, &w), w.swing + beside);
}

bool trvi_cover_ways(trv_world *world, float dt, uint32_t substeps)
{
    bool any = false;
    const trvi_entry *awake = world->awake.items;
    const uint32_t *shifts = world->shifts.items;
    ways_job job = {world, dt, substeps};
    trvi_parallel_for(&world->workers, world->awake.count, 128, shift_ways, &job);
    for (uint32_t i = 0; i < world->awake.count; i++) {
        any |= (shifts[i] & SWEPT) != 0;
        if (shifts[i] & TRVI_SHIFT_LATER)
            place_way(world, awake[i].value, dt);
        else if (shifts[i] & ~SWEPT)
            trvi_body_tell_shifted(world, awake[i].value, shifts[i] & ~SWEPT);
    }
    return any;
}

bool trvi_is_foreseen(const trv_world *world, const trvi_body *body, float dt, trv_vec3 moved,
                      trv_quat turned)
{
    way w = way_of(world, body, dt);
    const trv_vec3 none = {0.0f, 0.0f, 0.0f};
    float off = slack_of(world, body, dt).of_each;
    trv_vec3 low = trvi_min(w.travel, none), high = trvi_max(w.travel, none);
    return trvi_chord_of(turned) * body->extent <= w.swing + off && moved.x >= low.x - off &&
           moved.y >= low.y - off && moved.z >= low.z - off && moved.x <= high.x + off &&
           moved.y <= high.y + off && moved.z <= high.z + off;
}

// The most that a tumbling body may spin within the step, rad/s. It grows by no more than
// w^2 (most - least) / (2 least) in a second, with the largest and the least of its moments; nor
// beyond where its energy, that of the most for it, would be that of the least.
static float fastest_spin(const trvi_mobile *mobile, float dt)
{
    float spin = trvi_length(mobile->angular_velocity);
    trv_vec3 i = mobile->moments;
    float least = trvi_smaller(trvi_smaller(i.x, i.y), i.z),
          most = trvi_larger(trvi_larger(i.x, i.y), i.z);
    if (!(least > 0.0f))
        return spin;
    float grows = 0.5f * (most - least) / least * spin * dt, limit = sqrtf(most / least);
    return spin * (grows < 1.0f ? trvi_smaller(1.0f / (1.0f - grows), limit) : limit);
}

bool trvi_stays_foreseen(const trv_world *world, const trvi_body *body, float dt)
{
    const trvi_mobile *mobile = trvi_mobile_of(world, body);
    float swing = trvi_smaller(fastest_spin(mobile, dt) * dt, 2.0f) * body->extent;
    return trvi_dot(mobile->torque, mobile->torque) == 0.0f &&
           swing <= way_of(world, body, dt).swing + slack_of(world, body, dt).of_each;
}

static trv_motion motion_of(const trv_world *world, const trvi_body *body, float dt)
{
    const trvi_mobile *mobile = trvi_mobile_of(world, body);
    trv_motion motion = {body->frame, {0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, mobile->local_center};
    if (!(body->flags & TRVI_BODY_AWAKE))
        return motion;
    motion.travel = way_of(world, body, dt).travel;
    motion.turn = trvi_scale(mobile->angular_velocity, dt);
    return motion;
}

static void sweep(const trv_shape *a, const trv_motion *motion_a, const trv_shape *b,
                  const trv_motion *motion_b, const trvi_impact_options *options,
                  trv_impact_hit *hit)
{
    memset(hit, 0, sizeof *hit);
    if (trvi_check_motion(motion_a) == TRV_OK && trvi_check_motion(motion_b) == TRV_OK)
        trvi_impact(a, motion_a, b, motion_b, options, hit);
}

void trvi_sweep(const trv_shape *a, const trv_motion *motion_a, const trv_shape *b,
                const trv_motion *motion_b, float margin, trv_impact_hit *hit)
{
    trvi_impact_options options = trvi_default_impact_options();
    options.margin = margin;
    sweep(a, motion_a, b, motion_b, &options, hit);
}

void trvi_sweep_past(const trv_shape *a, const trv_motion *motion_a, const trv_shape *b,
                     const trv_motion *motion_b, float margin, const trv_plane_cache *plane,
                     trv_impact_hit *hit)
{
    trvi_impact_options options = trvi_default_impact_options();
    options.margin = margin;
    options.cache = plane;
    options.steps = PAST_STEPS;
    options.times_only = true;
    sweep(a, motion_a, b, motion_b, &options, hit);
}

bool trvi_may_meet(const trv_world *world, const trvi_contact *contact, float dt)
{
    const trvi_body *a = &trvi_bodies(world)[contact->body_a];
    const trvi_body *b = &trvi_bodies(world)[contact->body_b];
    if (contact->flags & TRVI_CONTACT_SENSOR)
        return false;
    bool far = way_of(world, a, dt).length > trvi_tunnel_way(a) ||
               way_of(world, b, dt).length > trvi_tunnel_way(b);
    if (contact->restitution == 0.0f && !far)
        return false;
    trv_motion motion_a = motion_of(world, a, dt), motion_b = motion_of(world, b, dt);
    const trvi_shape *shape_a = &trvi_shapes(world)[contact->shape_a];
    const trvi_shape *shape_b = &trvi_shapes(world)[contact->shape_b];
    float sight = trvi_sight_between(shape_a, shape_b);
    trv_impact_hit hit;
    trvi_sweep(&shape_a->solid, &motion_a, &shape_b->solid, &motion_b, sight, &hit);
    return hit.hit;
}
