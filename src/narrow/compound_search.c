// Branch and bound over the trees of parts: a walk hands out candidates, the best so far is the
// limit of what it hands out next.
//
// Invariant: the order of the walk shows in nothing; ties go to the lower numbers.
// Based on: Roussopoulos, Kelley and Vincent 1995, "Nearest neighbor queries".
#include "compound_search.h"

#include <string.h>

#include "halfspace.h"

void trvi_duo_set(trvi_duo *duo, const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                  trv_pose pose_b)
{
    trvi_parts_set(&duo->a, a, pose_a);
    trvi_parts_set(&duo->b, b, pose_b);
    duo->held_a = duo->held_b = TRVI_NO_PART;
}

const trvi_couple *trvi_duo_hold(trvi_duo *duo, uint32_t part_a, uint32_t part_b)
{
    if (duo->held_a != part_a)
        trvi_part_view(&duo->a, part_a, &duo->couple.a);
    if (duo->held_b != part_b)
        trvi_part_view(&duo->b, part_b, &duo->couple.b);
    duo->held_a = part_a;
    duo->held_b = part_b;
    trvi_couple_join(&duo->couple);
    return &duo->couple;
}

// Ties go to the lower numbers, whatever the tree.
static bool is_better(const trvi_best_pair *best, double gap, uint32_t part_a, uint32_t part_b)
{
    if (gap != best->gap)
        return gap < best->gap;
    return part_a < best->part_a || (part_a == best->part_a && part_b < best->part_b);
}

bool trvi_find_nearest(trvi_duo *duo, bool only_apart, trvi_best_pair *best)
{
    trvi_pair_walk walk;
    uint32_t part_a, part_b;
    memset(best, 0, sizeof *best);
    best->gap = HUGE_VAL;
    trvi_pair_walk_start(&walk, &duo->a, &duo->b);
    while (trvi_pair_walk_next(&walk, best->gap, &part_a, &part_b)) {
        const trvi_couple *couple = trvi_duo_hold(duo, part_a, part_b);
        trvi_nearest nearest;
        trvi_nearest_find(couple, best->gap + trvi_radii(couple), &nearest);
        double gap = nearest.axis.gap - trvi_radii(couple);
        if (only_apart && !(gap > TRVI_TOUCH * couple->scale))
            return false;
        if (nearest.beyond || !is_better(best, gap, part_a, part_b))
            continue;
        best->gap = gap;
        best->axis = nearest.axis;
        best->part_a = part_a;
        best->part_b = part_b;
    }
    return true;
}

// How far above a level a set begins along a direction of its frame.
static double lowest_of_box(const void *context, const trvi_node *node)
{
    const trvi_ground_walk *h = context;
    trvi_dvec3 low = trvi_dvec3_from(node->lower), high = trvi_dvec3_from(node->upper);
    trvi_dvec3 d = h->direction;
    return d.x * (d.x > 0.0 ? low.x : high.x) + d.y * (d.y > 0.0 ? low.y : high.y) +
           d.z * (d.z > 0.0 ? low.z : high.z) - h->level - h->slack;
}

double trvi_lowest_part(const trvi_parts *parts, trvi_dvec3 direction, uint32_t *part)
{
    trvi_ground_walk h;
    double lowest = HUGE_VAL;
    uint32_t next;
    h.direction = direction;
    h.level = 0.0;
    h.slack = TRVI_BOUND_SLACK * parts->reach;
    *part = 0;
    trvi_part_walk_start(&h.walk, parts, lowest_of_box, &h);
    while (trvi_part_walk_next(&h.walk, lowest, &next)) {
        trvi_view view;
        trvi_view_set(&view, &parts->parts[next].shape, parts->parts[next].pose);
        trvi_dvec3 down = trvi_dnegate(trvi_dmat3_mul_transposed(&view.rotation, direction));
        uint32_t vertex = trvi_support(&view, down, TRVI_NO_VERTEX);
        trvi_dvec3 point = trvi_to_world(&view, trvi_vertex(&view, vertex));
        double low = trvi_ddot(direction, point) - view.radius;
        if (low < lowest || (low == lowest && next < *part)) {
            lowest = low;
            *part = next;
        }
    }
    return lowest;
}

bool trvi_ground_set(trvi_ground *ground, const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                     trv_pose pose_b)
{
    if (a->kind != TRV_SHAPE_PLANE && b->kind != TRV_SHAPE_PLANE)
        return false;
    ground->plane_is_a = a->kind == TRV_SHAPE_PLANE;
    ground->plane = ground->plane_is_a ? &a->as.plane : &b->as.plane;
    ground->plane_pose = ground->plane_is_a ? pose_a : pose_b;
    trvi_parts_set(&ground->parts, ground->plane_is_a ? b : a,
                   ground->plane_is_a ? pose_b : pose_a);
    return true;
}

void trvi_ground_walk_start(trvi_ground_walk *walk, const trvi_ground *ground)
{
    trvi_view frame; // all that the half-space needs of a view is its frame
    trvi_halfspace half;
    frame.rotation = ground->parts.rotation;
    frame.position = ground->parts.position;
    trvi_halfspace_set(&half, ground->plane, ground->plane_pose, &frame);
    walk->direction = half.normal;
    walk->level = half.limit;
    walk->slack = TRVI_BOUND_SLACK * (ground->parts.reach + fabs(half.limit)) +
                  TRVI_PLACE_SLACK * trvi_dlength(ground->parts.position);
    trvi_part_walk_start(&walk->walk, &ground->parts, lowest_of_box, walk);
}

uint32_t trvi_ground_nearest(const trvi_ground *ground, trvi_view *view)
{
    trvi_ground_walk walk;
    double least = HUGE_VAL;
    uint32_t next, nearest = 0;
    trvi_ground_walk_start(&walk, ground);
    while (trvi_part_walk_next(&walk.walk, least, &next)) {
        uint32_t vertex = TRVI_NO_VERTEX;
        trvi_halfspace half;
        trvi_part_view(&ground->parts, next, view);
        trvi_halfspace_set(&half, ground->plane, ground->plane_pose, view);
        double gap = trvi_halfspace_gap(&half, view, &vertex);
        if (gap < least || (gap == least && next < nearest)) {
            least = gap;
            nearest = next;
        }
    }
    trvi_part_view(&ground->parts, nearest, view);
    return nearest;
}
