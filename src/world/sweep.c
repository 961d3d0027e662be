// What moves far in a step, before it moves: broadphase boxes that hold the whole way, and sleepers
// that may be hit, woken in time.
#include "world_data.h"

#include <string.h>

// What the coming step moves a body by, as far as that is known before it.
typedef struct way {
    trv_vec3 travel;
    float swing; // no point of the body is moved more than this by its turning
    float length;
} way;

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
    w.swing = fminf(trvi_length(mobile->angular_velocity) * dt, 2.0f) * body->extent;
    w.length = trvi_length(w.travel) + w.swing;
    return w;
}

float trvi_tunnel_way(const trvi_body *body)
{
    return body->flags & TRVI_BODY_DISCRETE ? TRV_COORD_MAX : TRVI_SWEEP_SHARE * body->thickness;
}

bool trvi_cover_ways(trv_world *world, float dt, uint32_t substeps)
{
    bool any = false;
    const trvi_entry *awake = world->awake.items;
    for (uint32_t i = 0; i < world->awake.count; i++) {
        uint32_t index = awake[i].value;
        const trvi_body *body = &trvi_bodies(world)[index];
        way w = way_of(world, body, dt);
        any |= w.length > trvi_tunnel_way(body) * (float)substeps * 0.5f;
        if (w.length <= trvi_mobile_of(world, body)->covered)
            continue;
        if (w.length <= TRVI_SPECULATIVE_SHARE * body->extent) {
            trvi_body_move_proxies(world, index, w.length);
            continue;
        }
        any |= !(body->flags & TRVI_BODY_DISCRETE);
        trv_pose from = trvi_body_frame(body), to = from;
        to.position = trvi_add(from.position, w.travel);
        trvi_body_place_between(world, index, from, to, w.swing);
    }
    return any;
}

bool trvi_is_foreseen(const trv_world *world, const trvi_body *body, float dt, trv_vec3 moved,
                      trv_quat turned)
{
    way w = way_of(world, body, dt);
    trv_vec3 axis = {turned.x, turned.y, turned.z}, none = {0.0f, 0.0f, 0.0f};
    trv_vec3 low = trvi_min(w.travel, none), high = trvi_max(w.travel, none);
    const float slack = 0.5f * TRVI_SPECULATIVE_M;
    return 2.0f * trvi_length(axis) * body->extent <= w.swing + slack && moved.x >= low.x - slack &&
           moved.y >= low.y - slack && moved.z >= low.z - slack && moved.x <= high.x + slack &&
           moved.y <= high.y + slack && moved.z <= high.z + slack;
}

static trv_motion motion_of(const trv_world *world, const trvi_body *body, float dt)
{
    const trvi_mobile *mobile = trvi_mobile_of(world, body);
    trv_motion motion = {
        trvi_body_frame(body), {0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, mobile->local_center};
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
    trv_impact_hit hit;
    trvi_sweep(&trvi_shapes(world)[contact->shape_a].solid, &motion_a,
               &trvi_shapes(world)[contact->shape_b].solid, &motion_b, TRVI_SPECULATIVE_M, &hit);
    return hit.hit;
}
