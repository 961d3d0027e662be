// By which normal something round meets what is no ball within a sub-step.
//
// Over an edge or a corner a ball's normal goes from there to its centre, over a face it stays, and on the way from
// one to the other it follows the nearest point; a capsule's does so about its ends. Which of these it is hangs on
// where both are as they touch. So they are led along their ways of this sub-step, up to where they meet, or to its
// end: by that normal, at that place, they act on one another. The normal of the step's beginning would turn dull
// hits aslant, as if the ball had met a plane that stands far from the edge.
//
// Both are placed from where one of them began the step, so that far from the world's origin nothing is rounded more.
#include "solver_data.h"

#include <trivet/collide.h>

// Both sides through the sub-step.
typedef struct pair_ways {
    const trv_shape *solids[2];
    trv_motion motions[2];
    trv_vec3 centers[2]; // of mass, as it begins
} pair_ways;

static void lead(const trvi_step *step, uint32_t index, uint32_t solver, trv_vec3 origin,
                 trv_motion *motion, trv_vec3 *center)
{
    const trvi_body *body = &trvi_bodies(step->world)[index];
    trv_motion way = trv_make_motion(body->frame);
    way.pose.position = trvi_sub(body->frame.position, origin);
    *center = trvi_sub(body->center, origin);
    if (solver != TRVI_UNMOVED) {
        const trvi_motion *now = &step->motions[solver];
        trv_vec3 middle = trvi_mobile_of(step->world, body)->local_center;
        trv_pose pose = {.rotation =
                             trvi_quat_normalize(trvi_quat_mul(now->turned, body->rotation))};
        *center = trvi_add(*center, now->moved);
        pose.position = trvi_sub(*center, trvi_rotate(pose.rotation, middle));
        way = trvi_motion_on(step->world, body, pose, now->linear, now->angular, step->h);
    }
    *motion = way;
}

static void lead_both(const trvi_step *step, const trvi_block *block, uint32_t lane,
                      pair_ways *ways)
{
    const trvi_contact *contact = &trvi_contacts(step->world)[block->contact[lane]];
    trv_vec3 origin =
        trvi_bodies(step->world)[block->radius_a[lane] > 0.0f ? contact->body_a : contact->body_b]
            .center;
    ways->solids[0] = &trvi_shapes(step->world)[contact->shape_a].solid;
    ways->solids[1] = &trvi_shapes(step->world)[contact->shape_b].solid;
    lead(step, contact->body_a, block->body_a[lane], origin, &ways->motions[0], &ways->centers[0]);
    lead(step, contact->body_b, block->body_b[lane], origin, &ways->motions[1], &ways->centers[1]);
}

// Where they meet, or how they stand as the sub-step ends; false where one is inside of the other by then.
static bool find_meeting(const pair_ways *ways, trv_impact_hit *hit)
{
    trvi_impact(ways->solids[0], &ways->motions[0], ways->solids[1], &ways->motions[1], NULL, hit);
    if (hit->hit)
        return true;
    trv_gap gap;
    hit->fraction = 1.0f;
    if (trv_distance(ways->solids[0], trv_motion_at(&ways->motions[0], 1.0f), ways->solids[1],
                     trv_motion_at(&ways->motions[1], 1.0f), &gap) != TRV_OK ||
        !(gap.distance > 0.0f))
        return false;
    hit->normal = gap.normal;
    hit->point = trvi_scale(trvi_add(gap.point_a, gap.point_b), 0.5f);
    return true;
}

// By the shortest turn from one normal to the other.
static trv_vec3 turned_along(trv_vec3 tangent, trv_vec3 from, trv_vec3 to)
{
    float share = trvi_dot(to, tangent) / trvi_larger(1.0f + trvi_dot(from, to), 1.0f);
    return trvi_mul_add(tangent, trvi_add(from, to), -share);
}

// To where they meet.
static void reach(const pair_ways *ways, const trv_impact_hit *hit, int side, uint32_t lane,
                  trvi_lane_vec3 *arm)
{
    trv_vec3 center = trvi_mul_add(ways->centers[side], ways->motions[side].travel, hit->fraction);
    trvi_lane_set(arm, lane, trvi_sub(hit->point, center));
}

// What of an arm goes from the core to the surface turns with the normal.
static void turn_rim(const trvi_lane_vec3 *then, const trvi_lane_vec3 *core, uint32_t lane,
                     trv_vec3 normal, trv_vec3 change, trvi_lane_vec3 *arm)
{
    float rim = trvi_dot(trvi_sub(trvi_lane_get(then, lane), trvi_lane_get(core, lane)), normal);
    trvi_lane_set(arm, lane, trvi_mul_add(trvi_lane_get(arm, lane), change, rim));
}

// Of two points, do both touch by the other normal, too? It turns about the line through them.
static bool turns_about(const trv_manifold *m, trv_vec3 change)
{
    trv_vec3 line = trvi_sub(m->points[1].point, m->points[0].point);
    float along = trvi_dot(change, line);
    return along * along <=
           TRVI_BALLS_LEFT * TRVI_BALLS_LEFT * trvi_dot(change, change) * trvi_dot(line, line);
}

void trvi_block_meet(const trvi_step *step, trvi_block *block, uint32_t lane, trvi_lane_vec3 *arm_a,
                     trvi_lane_vec3 *arm_b)
{
    const trv_manifold *m = &trvi_contacts(step->world)[block->contact[lane]].manifold;
    pair_ways ways;
    trv_impact_hit hit;
    lead_both(step, block, lane, &ways);
    if (!find_meeting(&ways, &hit))
        return;
    trv_vec3 then = trvi_lane_get(&block->normal_then, lane), change = trvi_sub(hit.normal, then);
    if (!(trvi_dot(change, change) > TRVI_BALLS_LEFT * TRVI_BALLS_LEFT) ||
        (m->count > 1 && !turns_about(m, change)))
        return;
    trvi_lane_set(&block->normal, lane, hit.normal);
    trvi_lane_set(&block->tangent_1, lane,
                  turned_along(trvi_lane_get(&block->tangent_then, lane), then, hit.normal));
    if (m->count > 1) {
        turn_rim(&block->arm_a, &block->core_a, lane, then, change, arm_a);
        turn_rim(&block->arm_b, &block->core_b, lane, then, change, arm_b);
    } else {
        reach(&ways, &hit, 0, lane, arm_a);
        reach(&ways, &hit, 1, lane, arm_b);
    }
}
