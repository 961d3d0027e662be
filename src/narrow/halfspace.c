// A half-space against a core with a radius: only the core's deepest vertices count.
//
// Works in the core's frame. Contact points are the corners of the face that looks at the plane
// most.
#include "halfspace.h"

#include "load.h"
#include "patch.h"

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

static uint64_t held_corners(const trvi_view *view, const trvi_held *held,
                             const trvi_polygon *polygon)
{
    uint64_t corners = 0;
    for (uint32_t i = 0, left = held != NULL ? held->count : 0; i < polygon->count && left > 0;
         i++) {
        uint32_t vertex = trvi_vertex_of_corner(view, &polygon->corners[i]);
        bool stays = trvi_is_held(held, trvi_vertex_name(vertex, false));
        corners |= (uint64_t)stays << i;
        left -= stays;
    }
    return corners;
}

static void choose_four(const trvi_halfspace *half, const trvi_view *view, const trvi_chart *chart,
                        const trvi_held *held, bool of_b, const trvi_depths *depths,
                        trvi_polygon *polygon)
{
    trvi_place load;
    const trvi_ground ground = {trvi_dmat3_mul(&view->rotation, chart->u),
                                trvi_dmat3_mul(&view->rotation, chart->v), half->in_world,
                                trvi_dmul_add(view->position, half->in_world, half->limit)};
    bool loaded = trvi_load_place(held, !of_b, &ground, &load);
    trvi_polygon_choose_four(polygon, depths, held_corners(view, held, polygon),
                             loaded ? &load : NULL);
}

void trvi_halfspace_manifold(const trvi_halfspace *half, const trvi_view *view, bool of_b,
                             double margin, const trvi_held *held, trv_manifold *out)
{
    trvi_polygon polygon;
    trvi_dvec3 one = trvi_perpendicular(half->normal), two = trvi_dcross(half->normal, one);
    trvi_chart chart = {one, two, half->normal, 0.0, 0.0, -half->limit};
    trvi_dvec3 down = trvi_dnegate(half->normal);
    uint32_t face = 0;
    if (view->face_count > 0)
        face = trvi_best_face(view, &down, TRVI_NO_VERTEX);
    double size = view->extent + view->radius, top = margin + view->radius;
    trvi_depths depths;
    trvi_polygon_of_face(view, face, &chart, margin, &polygon, &depths);
    uint32_t vertex = TRVI_NO_VERTEX;
    double gap = trvi_halfspace_gap(half, view, &vertex) + view->radius;
    double lowest = trvi_polygon_lowest(&polygon);
    bool deepest = lowest <= top && lowest <= gap + TRVI_DEEPEST_SLACK * size;
    trvi_polygon_keep_low(&polygon, top);
    if (polygon.count > TRV_MANIFOLD_POINTS) {
        depths.deep = lowest + trvi_even_depth(gap - view->radius, size);
        choose_four(half, view, &chart, held, of_b, &depths, &polygon);
    }
    uint32_t vertices[TRV_MANIFOLD_POINTS + 1], count = polygon.count;
    if (!deepest) { // the deepest vertex is not on that face
        trvi_dvec3 low = trvi_vertex(view, vertex);
        if (count == TRV_MANIFOLD_POINTS)
            trvi_polygon_drop_nearest(&polygon, trvi_ddot(one, low), trvi_ddot(two, low));
        count = polygon.count + 1;
        vertices[polygon.count] = vertex;
    }
    for (uint32_t i = 0; i < polygon.count; i++)
        vertices[i] = trvi_vertex_of_corner(view, &polygon.corners[i]);
    out->count = 0;
    out->normal = trvi_vec3_from_double(half->in_world);
    for (uint32_t i = 0; i < count; i++) {
        trvi_dvec3 core = trvi_vertex(view, vertices[i]);
        double apart = trvi_ddot(half->normal, core) - half->limit - view->radius;
        trvi_dvec3 middle = trvi_dmul_add(core, half->normal, -view->radius - 0.5 * apart);
        middle = trvi_to_world(view, middle);
        trvi_manifold_add(out, &middle, apart, trvi_vertex_name(vertices[i], false));
    }
}
