// Where a blow met that the solver found, along which normal, and how fast.
//
// Contacts know how the two stood as the step began, up to a step's way before they met: by then what is round has
// another normal, and all have another speed. So their ways are followed to where they met, as if nothing had
// pushed them before. What met in an impact is told by that, unless contacts had slowed it to next to nothing.
#include "impact_data.h"

#include <trivet/collide.h>

// One side from the beginning of the step on.
typedef struct side_way {
    const trv_shape *solid;
    trv_vec3 center; // of mass
    trv_vec3 linear, angular;
    trv_vec3 gains; // of speed, by weight and forces, m/s^2
    trv_motion motion;
} side_way;

static side_way way_of(const trvi_step *step, uint32_t shape, uint32_t solver)
{
    const trv_world *world = step->world;
    const trvi_body *body = trvi_body_of_shape(world, shape);
    const trvi_mobile *mobile = trvi_mobile_of(world, body);
    side_way way = {.solid = &trvi_shapes(world)[shape].solid, .center = body->center};
    way.motion = trv_make_motion(body->frame);
    if (solver == TRVI_UNMOVED)
        return way;
    way.linear = mobile->linear_velocity;
    way.angular = mobile->angular_velocity;
    way.gains = step->bodies[solver].acceleration;
    trv_vec3 mean = trvi_mul_add(way.linear, way.gains, 0.5f * step->dt);
    way.motion = trvi_motion_on(world, body, body->frame, mean, way.angular, step->dt);
    return way;
}

// Of the side's material that is at a place after so many seconds, but for what weight has made of it.
static trv_vec3 speed_at(const side_way *way, trv_vec3 place, float time)
{
    trv_vec3 center = trvi_mul_add(way->center, way->linear, time);
    return trvi_add(way->linear, trvi_cross(way->angular, trvi_sub(place, center)));
}

// What approaches so fast, after so much more of the way.
static float speed_after(const side_way *a, const side_way *b, trv_vec3 normal, float began,
                         float way)
{
    float square = began * began + 2.0f * trvi_dot(trvi_sub(a->gains, b->gains), normal) * way;
    return began > 0.0f && square > 0.0f ? sqrtf(square) : began;
}

// Followed by their shapes. False where they do not meet within the step.
static bool follow(const trvi_step *step, const side_way *a, const side_way *b,
                   trvi_blow_place *place)
{
    trv_impact_hit hit;
    trvi_impact(a->solid, &a->motion, b->solid, &b->motion, NULL, &hit);
    if (!hit.hit || hit.start)
        return false;
    float time = hit.fraction * step->dt;
    trv_vec3 nearing = trvi_sub(speed_at(a, hit.point, time), speed_at(b, hit.point, time));
    trv_vec3 travel = trvi_sub(a->motion.travel, b->motion.travel);
    float way = hit.fraction * trvi_dot(travel, hit.normal);
    float speed = speed_after(a, b, hit.normal, trvi_dot(nearing, hit.normal), way);
    *place = (trvi_blow_place){hit.point, hit.normal, speed, 0.0f};
    return true;
}

// Of a point of the manifold, over its gap: faces keep their normals.
static trvi_blow_place approach_of(const side_way *a, const side_way *b,
                                   const trv_manifold *manifold, uint32_t point)
{
    trv_vec3 at = manifold->points[point].point, n = manifold->normal;
    float gap = manifold->points[point].separation;
    trv_vec3 of_a = speed_at(a, at, 0.0f), of_b = speed_at(b, at, 0.0f);
    float began = trvi_dot(trvi_sub(of_a, of_b), n);
    trvi_blow_place place = {at, n, began, 0.0f};
    if (!(gap > 0.0f && began > 0.0f))
        return place;
    place.speed = speed_after(a, b, n, began, gap);
    float time = 2.0f * gap / (began + place.speed);
    place.point = trvi_mul_add(at, trvi_add(of_a, of_b), 0.5f * time);
    return place;
}

// How fast both come nearer to one another, as the solver has left them.
static float left_of(const trvi_step *step, const trvi_block *block, uint32_t lane)
{
    const trvi_motion *a = &step->motions[block->body_a[lane]];
    const trvi_motion *b = &step->motions[block->body_b[lane]];
    trv_vec3 middle_a = trvi_lane_get(&block->middle_a, lane);
    trv_vec3 middle_b = trvi_lane_get(&block->middle_b, lane);
    trv_vec3 of_a = trvi_add(a->linear, trvi_cross(a->angular, middle_a));
    trv_vec3 of_b = trvi_add(b->linear, trvi_cross(b->angular, middle_b));
    return trvi_dot(trvi_sub(of_a, of_b), trvi_lane_get(&block->normal, lane));
}

static trvi_blow_place place_of(const trvi_step *step, const trvi_block *block, uint32_t lane,
                                bool expected)
{
    const trvi_contact *contact = &trvi_contacts(step->world)[block->contact[lane]];
    const trv_manifold *manifold = &contact->manifold;
    side_way a = way_of(step, contact->shape_a, block->body_a[lane]);
    side_way b = way_of(step, contact->shape_b, block->body_b[lane]);
    trvi_blow_place place = {manifold->points[0].point, manifold->normal, 0.0f, 0.0f};
    bool found = false;
    bool round = block->radius_a[lane] > 0.0f || block->radius_b[lane] > 0.0f;
    if ((round || !expected) && follow(step, &a, &b, &place))
        return place;
    for (uint32_t p = 0; p < manifold->count; p++) {
        trvi_blow_place here = approach_of(&a, &b, manifold, p);
        if (!(block->point[p].largest[lane] > 0.0f) || (found && here.speed <= place.speed))
            continue;
        place = here;
        found = true;
    }
    return place;
}

void trvi_place_blow(const trvi_step *step, const trvi_block *block, uint32_t lane, uint32_t marks)
{
    const trvi_contact *contact = &trvi_contacts(step->world)[block->contact[lane]];
    trvi_blow_place *told = &trvi_blow_places(step->world)[block->active[lane]];
    bool met = (marks & TRVI_ENTRY_MET) != 0;
    if (!trvi_wants_hits(step->world, contact->shape_a, contact->shape_b) ||
        (met && told->speed > step->world->hit_threshold))
        return;
    trvi_blow_place place = place_of(step, block, lane, !met && (marks & TRVI_ENTRY_STRUCK));
    place.left = met ? 0.0f : left_of(step, block, lane);
    if (!met || place.speed > told->speed)
        *told = place;
}
