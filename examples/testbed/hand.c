// The hand: grabs bodies by a point, pulls and throws them, and shoots new ones.
//
// A dynamic body is pulled by impulses, as a critically damped spring would; a kinematic one is moved.
#include "app.h"

static trv_vec3 pointed_at(const app *a)
{
    trv_ray ray = camera_ray(&a->eye, a->mouse.x, a->mouse.y);
    trv_vec3 ahead = unit(sub(a->eye.target, a->eye.place)), way = unit(ray.travel);
    return add(ray.origin, scaled(way, a->hand.depth / fmaxf(dot(way, ahead), 0.05f)));
}

void hand_grab(app *a)
{
    trv_world_hit hit;
    trv_body_kind kind;
    trv_pose pose;
    trv_ray ray = camera_ray(&a->eye, a->mouse.x, a->mouse.y);
    if (trv_world_ray_closest(a->stage.world, ray, NULL, &hit) != TRV_OK || !hit.hit ||
        trv_body_kind_get(a->stage.world, hit.body, &kind) != TRV_OK || kind == TRV_BODY_STATIC ||
        trv_body_pose(a->stage.world, hit.body, &pose) != TRV_OK)
        return;
    a->hand.body = a->stage.held = hit.body;
    a->hand.kinematic = kind == TRV_BODY_KINEMATIC;
    a->hand.local = trv_pose_apply_inverse(pose, hit.point);
    a->hand.offset = sub(pose.position, hit.point);
    a->hand.depth = dot(sub(hit.point, a->eye.place), unit(sub(a->eye.target, a->eye.place)));
}

void hand_release(app *a)
{
    const trv_body_id nothing = {0, 0, 0};
    a->hand.body = a->stage.held = nothing;
}

static void pull(app *a, trv_pose pose)
{
    trv_world *world = a->stage.world;
    trv_vec3 point = trv_pose_apply(pose, a->hand.local), velocity, linear, angular, center;
    float mass, inertia[6];
    if (trv_body_velocity_at(world, a->hand.body, point, &velocity) != TRV_OK ||
        trv_body_velocity(world, a->hand.body, &linear, &angular) != TRV_OK ||
        trv_body_mass(world, a->hand.body, &mass, &center, inertia) != TRV_OK)
        return;
    const float stiffness = 12.0f; // 1/s
    trv_vec3 to = sub(a->hand.wanted, point);
    float far = length(to);
    if (far > 3.0f)
        to = scaled(to, 3.0f / far);
    trv_vec3 change = sub(scaled(to, stiffness), velocity);
    // Half of the mass: a point off the centre is lighter than the body.
    trv_body_set_velocity(world, a->hand.body, linear, scaled(angular, 0.94f));
    trv_body_apply_impulse(world, a->hand.body, scaled(change, 0.35f * mass), point);
}

void hand_pull(app *a)
{
    trv_pose pose;
    if (a->hand.body.index1 == 0)
        return;
    if (trv_body_pose(a->stage.world, a->hand.body, &pose) != TRV_OK) { // gone
        hand_release(a);
        return;
    }
    a->hand.wanted = pointed_at(a);
    if (!a->hand.kinematic) {
        pull(a, pose);
        return;
    }
    trv_vec3 to = sub(add(a->hand.wanted, a->hand.offset), pose.position);
    float far = length(to), most = 0.2f; // m in a step
    trv_pose target = {add(pose.position, far > most ? scaled(to, most / far) : to), pose.rotation};
    trv_body_move_to(a->stage.world, a->hand.body, target, STAGE_STEP);
}

void hand_shoot(app *a, float speed, bool bullet)
{
    stage *s = &a->stage;
    trv_ray ray = camera_ray(&a->eye, a->mouse.x, a->mouse.y);
    trv_vec3 way = unit(ray.travel), from = add(ray.origin, scaled(way, 0.8f));
    trv_shape_def skin = stage_skin(bullet ? COLOR_YELLOW : COLOR_CREAM);
    skin.material.density = bullet ? 8000.0f : 2500.0f;
    trv_body_id body = stage_put(s, TRV_BODY_DYNAMIC, at(from.x, from.y, from.z),
                                 ball(bullet ? 0.06f : 0.35f), &skin);
    if (s->result == TRV_OK)
        s->result = trv_body_set_linear_velocity(s->world, body, scaled(way, speed));
}
