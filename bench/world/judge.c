// The state that a scene has come to, judged by Trivet's geometry, the same for every engine.
#include "scene.h"

#include "../bench.h"

#include <trivet/broad.h>
#include <trivet/collide.h>

#include <math.h>

static double squared(trv_vec3 v)
{
    return (double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z;
}

static trv_aabb both(trv_aabb a, trv_aabb b)
{
    trv_aabb box = {
        {fminf(a.lower.x, b.lower.x), fminf(a.lower.y, b.lower.y), fminf(a.lower.z, b.lower.z)},
        {fmaxf(a.upper.x, b.upper.x), fmaxf(a.upper.y, b.upper.y), fmaxf(a.upper.z, b.upper.z)}};
    return box;
}

static bool is_lost(const world_state *state)
{
    trv_vec3 p = state->pose.position;
    double sum = squared(p) + squared(state->velocity) + squared(state->spin);
    return !(sum < 1e12) || p.y < -1.0f || squared(p) > 1e8;
}

static float deeper(const world_scene *scene, const world_state *states, uint32_t a, uint32_t b)
{
    float deepest = 0.0f;
    const world_body *in[2] = {&scene->bodies[a], &scene->bodies[b]};
    if (in[0]->kind != TRV_BODY_DYNAMIC && in[1]->kind != TRV_BODY_DYNAMIC)
        return 0.0f;
    for (uint32_t i = 0; i < in[0]->solids; i++)
        for (uint32_t k = 0; k < in[1]->solids; k++) {
            trv_shape shape_a = world_shape_of(&scene->solids[in[0]->solid + i]);
            trv_shape shape_b = world_shape_of(&scene->solids[in[1]->solid + k]);
            trv_gap gap;
            bench_need(trv_distance(&shape_a, states[a].pose, &shape_b, states[b].pose, &gap),
                       "distance");
            if (-gap.distance > deepest)
                deepest = -gap.distance;
        }
    return deepest;
}

static double deepest_of(const world_scene *scene, const world_state *states)
{
    trv_broad_def def = trv_default_broad_def();
    trv_broad *broad;
    trv_filter all = trv_default_filter();
    double deepest = 0;
    bench_need(trv_broad_create(&def, &broad), "broad");
    for (uint32_t i = 0; i < scene->body_count; i++) {
        const world_body *body = &scene->bodies[i];
        trv_proxy_set set = body->kind == TRV_BODY_STATIC ? TRV_PROXY_STATIC : TRV_PROXY_AWAKE;
        trv_aabb box, whole = {{0, 0, 0}, {0, 0, 0}};
        trv_proxy_id id;
        if (is_lost(&states[i]))
            continue;
        for (uint32_t k = 0; k < body->solids; k++) {
            trv_shape shape = world_shape_of(&scene->solids[body->solid + k]);
            bench_need(trv_bounds_of_shape(&shape, states[i].pose, 0, &box), "bounds");
            whole = k == 0 ? box : both(whole, box);
        }
        bench_need(trv_broad_add(broad, whole, all, set, i, &id), "add");
    }
    trv_pairs pairs;
    bench_need(trv_broad_update(broad, &pairs), "update");
    for (uint32_t i = 0; i < pairs.begun_count; i++)
        deepest = fmax(deepest, deeper(scene, states, (uint32_t)pairs.begun[i].user_a,
                                       (uint32_t)pairs.begun[i].user_b));
    trv_broad_destroy(broad);
    return deepest;
}

void world_judge(const world_scene *scene, const world_state *states, world_quality *out)
{
    uint32_t count = 0;
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < scene->body_count; i++) {
        const world_body *body = &scene->bodies[i];
        if (body->kind != TRV_BODY_DYNAMIC)
            continue;
        count++;
        if (is_lost(&states[i])) {
            out->lost++;
            continue;
        }
        trv_vec3 p = states[i].pose.position, start = body->position;
        double speed = squared(states[i].velocity);
        out->energy += 0.5 * speed + (double)scene->gravity * p.y;
        out->fastest = fmax(out->fastest, sqrt(speed));
        out->aside = fmax(out->aside, hypot(p.x - start.x, p.z - start.z));
        out->sunk = fmax(out->sunk, start.y - p.y);
    }
    out->energy /= count > 0 ? count : 1;
    out->deepest = deepest_of(scene, states);
}
