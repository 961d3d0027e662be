// Boxes along the axes around posed shapes.
//
// Every vertex is looked at, or the farthest ones are climbed to where there are many; in double,
// and the result is rounded outward: no point of the shape is outside.
// Based on: Lander 1999, "When Two Hearts Collide", Listing 1.
#include <string.h>

#include "compound.h"
#include "near.h"

// Up to this many vertices, looking at all takes less time than six climbs (count). No answer moves
// by more than what a climb may miss.
enum { FEW_VERTICES = 64 };

// By climbing, along one axis of the world at a time.
static void climb_extremes(const trvi_view *view, trvi_dvec3 *low, trvi_dvec3 *high)
{
    double *lowest[3] = {&low->x, &low->y, &low->z}, *highest[3] = {&high->x, &high->y, &high->z};
    const double at[3] = {view->position.x, view->position.y, view->position.z};
    for (int axis = 0; axis < 3; axis++) {
        const double *row = view->rotation.m[axis];
        trvi_dvec3 up = {row[0], row[1], row[2]};
        uint32_t bottom = trvi_support(view, trvi_dnegate(up), TRVI_NO_VERTEX);
        uint32_t top = trvi_support(view, up, TRVI_NO_VERTEX);
        *lowest[axis] = trvi_ddot(up, trvi_vertex(view, bottom)) + at[axis];
        *highest[axis] = trvi_ddot(up, trvi_vertex(view, top)) + at[axis];
    }
}

static void look_at_all(const trvi_view *view, trvi_dvec3 *lowest, trvi_dvec3 *highest)
{
    trvi_dvec3 low = trvi_to_world(view, trvi_vertex(view, 0)), high = low;
    for (uint32_t v = 1; v < view->vertex_count; v++) {
        trvi_dvec3 p = trvi_to_world(view, trvi_vertex(view, v));
        low = (trvi_dvec3){trvi_dmin(low.x, p.x), trvi_dmin(low.y, p.y), trvi_dmin(low.z, p.z)};
        high = (trvi_dvec3){trvi_dmax(high.x, p.x), trvi_dmax(high.y, p.y), trvi_dmax(high.z, p.z)};
    }
    *lowest = low;
    *highest = high;
}

// What climbs may miss of a hull. Bends of united faces hide more than bumps do.
static double missed(const trvi_view *view)
{
    return (view->united ? TRVI_CLIMB_DOUBT : TRVI_CLIMB_SLACK) * trvi_climb_size(view);
}

trv_aabb trvi_view_bounds(const trvi_view *view, double margin)
{
    bool climbs = view->seeds != NULL && view->vertex_count > FEW_VERTICES;
    trvi_dvec3 low, high;
    (climbs ? climb_extremes : look_at_all)(view, &low, &high);
    double size = view->reach + trvi_dlength(view->position) + view->radius + margin;
    double out = view->radius + margin + (climbs ? missed(view) : 0.0);
    double slack = TRVI_PLACE_SLACK * size;
    trv_aabb box;
    box.lower =
        (trv_vec3){trvi_round_down(low.x - out - slack), trvi_round_down(low.y - out - slack),
                   trvi_round_down(low.z - out - slack)};
    box.upper = (trv_vec3){trvi_round_up(high.x + out + slack), trvi_round_up(high.y + out + slack),
                           trvi_round_up(high.z + out + slack)};
    return box;
}

static trv_aabb bounds_of_shape(const trv_shape *shape, trv_pose pose, double margin)
{
    trvi_view view;
    trvi_view_set(&view, shape, pose);
    return trvi_view_bounds(&view, margin);
}

static trv_aabb bounds_of_compound(const trv_compound *compound, trv_pose pose, double margin)
{
    trvi_dmat3 rotation = trvi_dmat3_from_quat(pose.rotation);
    trv_aabb box = {{HUGE_VALF, HUGE_VALF, HUGE_VALF}, {-HUGE_VALF, -HUGE_VALF, -HUGE_VALF}};
    trvi_view view;
    for (uint32_t i = 0; i < compound->part_count; i++) {
        trvi_view_set(&view, &compound->parts[i].shape, compound->parts[i].pose);
        trvi_view_nest(&view, &rotation, trvi_dvec3_from(pose.position));
        box = trvi_aabb_union(box, trvi_view_bounds(&view, margin));
    }
    return box;
}

trv_result trv_bounds_of_shape(const trv_shape *shape, trv_pose pose, float margin, trv_aabb *out)
{
    if (out == NULL)
        return TRV_ERROR_NULL;
    memset(out, 0, sizeof *out);
    trv_result result = trv_shape_check(shape);
    if (result == TRV_OK)
        result = trvi_check_pose(pose);
    if (result == TRV_OK)
        result = trvi_check_range(margin, 0.0f, TRV_COORD_MAX);
    if (result == TRV_OK && shape->kind == TRV_SHAPE_PLANE)
        result = TRV_ERROR_KIND;
    if (result != TRV_OK)
        return result;
    *out = shape->kind == TRV_SHAPE_COMPOUND
               ? bounds_of_compound(shape->as.compound, pose, (double)margin)
               : bounds_of_shape(shape, pose, (double)margin);
    return TRV_OK;
}
