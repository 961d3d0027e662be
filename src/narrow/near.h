// The farthest vertex of a polyhedron where it is mostly the one of the last time: its neighbours
// tell, and only where they do not the others are looked at. And the side of a face that a point is
// beyond.
#ifndef TRVI_NEAR_H
#define TRVI_NEAR_H

#include "reach.h"
#include "view.h"

// No height of a vertex along `d` is more than this, up or down; 0 where heights are to be looked at in double, as
// float32 might not hold them.
static inline double trvi_float_bound(const trvi_view *view, trvi_dvec3 d)
{
    const double least = 1.0e-24, most = 1.0e30;
    double bound = (fabs(d.x) + fabs(d.y) + fabs(d.z)) * view->reach;
    return bound > least && bound < most ? bound : 0.0;
}

// Along `d`, of any length.
static inline double trvi_height_of(const trvi_view *view, trvi_dvec3 d, uint32_t vertex)
{
    const trv_vec3 *v = &view->vertices[vertex];
    return d.x * v->x + d.y * v->y + d.z * v->z;
}

// What TRVI_CLIMB_SLACK and TRVI_CLIMB_DOUBT are parts of: the extent, and far from its frame's origin
// what rounding bends the united faces of a hull by.
static inline double trvi_climb_size(const trvi_view *view)
{
    const double bent = TRVI_COPLANAR_ROUNDING / TRVI_CLIMB_SLACK;
    return view->extent + (view->united ? bent * (view->reach - view->extent) : 0.0);
}

// How thick a slab may be that the corners of a face lie in which is flat only within a tolerance.
static inline double trvi_slab_of(const trvi_view *view)
{
    return 2.0 * TRVI_COPLANAR * view->extent + TRVI_COPLANAR_ROUNDING * view->reach;
}

// A vertex whose neighbours are all lower by more than this is the only highest one, whatever the
// faces round it are. Seen along the normal of its slab, of thickness t, a face is a convex polygon:
// the summit's neighbours cut it off from the other corners, so where both are lower by more than
// 2 t, so is every other corner. A polygon with dents has no such bound.
static inline double trvi_support_doubt(const trvi_view *view, double length)
{
    double doubt = TRVI_CLIMB_SLACK * view->extent;
    if (view->dented)
        return HUGE_VAL;
    if (view->united)
        doubt += 4.0 * trvi_slab_of(view);
    return doubt * length;
}

// Is the vertex for certain the only highest one, by how high its highest neighbour is?
static inline bool trvi_stands_out(const trvi_view *view, uint32_t vertex, double top,
                                   double highest, double length)
{
    if (!(highest < top - TRVI_CLIMB_SLACK * view->extent * length))
        return false;
    return highest < top - trvi_support_doubt(view, length) ||
           trvi_is_whole(view->neighbor_first, view->vertex_faces, view->face_united, vertex);
}

// trvi_support_at where it is likely that the start is the farthest one.
static inline uint32_t trvi_support_near(const trvi_view *view, const trvi_dvec3 *direction,
                                         uint32_t start)
{
    if ((view->columns == NULL && view->seeds == NULL) || start >= view->vertex_count)
        return trvi_support_at(view, direction, start);
    trvi_dvec3 d = {direction->x, direction->y, direction->z};
    double length = fabs(d.x) + fabs(d.y) + fabs(d.z), slack = TRVI_CLIMB_SLACK * view->extent,
           top = trvi_height_of(view, d, start);
    // Further away it is as well to look at every vertex, or, where these are many, to start anew.
    enum { STEPS = 4 };
    for (uint32_t step = 0; step < STEPS; step++) {
        const uint32_t *next = view->neighbors + view->neighbor_first[start];
        const uint32_t *end = view->neighbors + view->neighbor_first[start + 1];
        double highest = -HUGE_VAL;
        for (const uint32_t *v = next; v != end; v++)
            highest = trvi_dmax(trvi_height_of(view, d, *v), highest);
        if (trvi_stands_out(view, start, top, highest, length))
            return start;
        if (!(highest > top + slack * length))
            break;
        while (next + 1 != end && trvi_height_of(view, d, *next) < highest)
            next++;
        start = *next;
        top = highest;
    }
    return trvi_support_at(view, direction, start);
}

// Over which edge of the face the point lies farthest out by more than the slack; TRVI_NO_VERTEX where
// over none.
static inline uint32_t trvi_side_beyond(const trvi_view *view, uint32_t face, trvi_dvec3 point,
                                        double slack)
{
    uint32_t side = TRVI_NO_VERTEX;
    double most = slack;
    trvi_dvec3 normal = trvi_face_normal(view, face);
    for (uint32_t e = view->face_first[face]; e < view->face_first[face + 1]; e++) {
        trvi_dvec3 from = trvi_vertex(view, view->edge_origin[e]);
        trvi_dvec3 to = trvi_vertex(view, view->edge_origin[trvi_view_next(view, e)]);
        trvi_dvec3 out = trvi_dcross(trvi_dsub(to, from), normal);
        double beyond = trvi_ddot(out, trvi_dsub(point, from)), length = trvi_dlength(out);
        if (beyond > most * length) {
            most = beyond / length;
            side = e;
        }
    }
    return side;
}

#endif
