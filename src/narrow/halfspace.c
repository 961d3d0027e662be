// A half-space against a core with a radius: only the core's deepest vertices count.
//
// Works in the core's frame. Contact points are the corners of the face that looks at the plane
// most.
#include "halfspace.h"

#include "manifold.h"

void trvi_halfspace_set(trvi_halfspace *half, const trv_plane *plane, trv_pose pose,
                        const trvi_view *other)
{
    trvi_dmat3 rotation = trvi_dmat3_from_quat(pose.rotation);
    trvi_dvec3 up = {0.0, 1.0, 0.0}, normal = trvi_dvec3_from(plane->normal);
    double length = trvi_dlength(normal);
    trvi_dvec3 unit = trvi_dnormalize_or(normal, up);
    // The plane's point nearest its own origin, and from there to the other's origin in the world.
    trvi_dvec3 foot = trvi_dscale(unit, -(double)plane->offset / length);
    half->in_world = trvi_dmat3_mul(&rotation, unit);
    trvi_dvec3 from = trvi_dsub(trvi_dvec3_from(pose.position), other->position);
    trvi_dvec3 point = trvi_dadd(from, trvi_dmat3_mul(&rotation, foot));
    half->normal = trvi_dmat3_mul_transposed(&other->rotation, half->in_world);
    half->limit = trvi_ddot(half->in_world, point);
}

double trvi_halfspace_gap(const trvi_halfspace *half, const trvi_view *view, uint32_t *vertex)
{
    trvi_dvec3 down = trvi_dnegate(half->normal);
    *vertex = trvi_support(view, down, *vertex);
    double gap = trvi_ddot(half->normal, trvi_vertex(view, *vertex)) - half->limit;
    // A climb may have stopped short by a sliver; near the plane that would show.
    if (view->seeds != NULL && fabs(gap) < TRVI_CLIMB_DOUBT * view->extent) {
        *vertex = trvi_support_every(view, down);
        gap = trvi_ddot(half->normal, trvi_vertex(view, *vertex)) - half->limit;
    }
    return gap - view->radius;
}

void trvi_halfspace_manifold(const trvi_halfspace *half, const trvi_view *view, double margin,
                             trv_manifold *out)
{
    static const trvi_dmat3 same = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    trvi_dvec3 nowhere = {0.0, 0.0, 0.0};
    trvi_polygon polygon;
    polygon.count = 0;
    polygon.down = trvi_dnegate(half->normal);
    uint32_t face = 0;
    if (view->face_count > 0)
        face = trvi_best_face(view, polygon.down, TRVI_NO_VERTEX);
    trvi_polygon_of_face(view, face, &same, nowhere, &polygon);
    double size = view->extent + view->radius, top = margin + view->radius;
    uint32_t vertex = TRVI_NO_VERTEX;
    double gap = trvi_halfspace_gap(half, view, &vertex) + view->radius;
    bool deepest = trvi_polygon_lowest(&polygon, half->limit) <= gap + TRVI_DEEPEST_SLACK * size;
    trvi_polygon_choose(&polygon, half->normal, half->limit, top, TRVI_EVEN_DEPTH * size);
    if (!deepest) { // the deepest vertex is not on that face
        trvi_corner corner = {trvi_vertex(view, vertex), trvi_feature(vertex, 0x5u), 0};
        if (polygon.count == TRV_MANIFOLD_POINTS)
            trvi_polygon_drop_nearest(&polygon, corner.point);
        trvi_polygon_push(&polygon, corner);
    }
    out->count = 0;
    out->normal = trvi_vec3_from_double(half->in_world);
    for (uint32_t i = 0; i < polygon.count; i++) {
        const trvi_corner *corner = &polygon.corners[i];
        double apart = trvi_ddot(half->normal, corner->point) - half->limit - view->radius;
        trvi_dvec3 middle = trvi_dmul_add(corner->point, half->normal, -view->radius - 0.5 * apart);
        trvi_manifold_add(out, trvi_to_world(view, middle), apart, corner->feature);
    }
}
