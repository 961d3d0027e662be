// Remembers a pair's separating plane, and asks it again in the next frame.
//
// A plane that parted two solids a moment ago most often still does: one support of each, found by
// a short climb from where the last one ended, tells. What the cache holds comes from the caller
// and may be anything; it is measured, never believed.
// Based on: Lander 1999, "Crashing into the New Year"; Baraff 1992 (witness planes between frames).
#include "remember.h"

bool trvi_remembered(const trvi_couple *couple, trv_plane_cache *cache, double beyond,
                     trvi_axis *axis)
{
    trvi_dvec3 n = trvi_dvec3_from(cache->normal);
    double square = trvi_ddot(n, n);
    if (!(square > 0.5) || !(square < 2.0)) // also NaN
        return false;
    n = trvi_dscale(n, 1.0 / sqrt(square));
    axis->normal = n;
    axis->vertex_a = cache->vertex_a;
    axis->vertex_b = cache->vertex_b;
    axis->gap = trvi_gap_along(couple, n, &axis->vertex_a, &axis->vertex_b);
    cache->vertex_a = axis->vertex_a;
    cache->vertex_b = axis->vertex_b;
    double limit = beyond + TRVI_REMEMBER_SLACK * couple->scale;
    return trvi_gap_exceeds(couple, n, axis->gap, limit);
}

// How far a shape reaches along a direction, and a bound on its size.
typedef struct reach {
    double along;
    double size;
} reach;

// Up the vertex graph from `*vertex` while that leads higher. May stop at a bump: the caller leaves
// room for that.
static double climb(const trv_hull *hull, trvi_dvec3 d, uint32_t *vertex)
{
    uint32_t best = *vertex < hull->vertex_count ? *vertex : hull->seeds[trvi_seed_cell(d)];
    double height = trvi_ddot(d, trvi_dvec3_from(hull->vertices[best]));
    for (uint32_t step = 0; step < hull->vertex_count; step++) {
        uint32_t from = best, last = hull->neighbor_first[from + 1];
        for (uint32_t i = hull->neighbor_first[from]; i < last; i++) {
            double h = trvi_ddot(d, trvi_dvec3_from(hull->vertices[hull->neighbors[i]]));
            if (h > height) {
                height = h;
                best = hull->neighbors[i];
            }
        }
        if (best == from)
            break;
    }
    *vertex = best;
    return height;
}

// False for what has no quick answer. `d` is of about unit length, in the shape's frame.
static bool reach_of(const trv_shape *shape, trvi_dvec3 d, uint32_t *vertex, reach *out)
{
    if (shape->kind == TRV_SHAPE_HULL) {
        const trv_hull *hull = shape->as.hull;
        out->along = climb(hull, d, vertex);
        out->size = hull->radius;
        return true;
    }
    if (shape->kind == TRV_SHAPE_SPHERE) {
        const trv_sphere *s = &shape->as.sphere;
        out->along = trvi_ddot(d, trvi_dvec3_from(s->center)) + (double)s->radius;
        out->size = s->radius;
        return true;
    }
    const trv_obb *box = &shape->as.box;
    const trv_quat *q = &box->rotation;
    if (shape->kind != TRV_SHAPE_BOX || q->x != 0.0f || q->y != 0.0f || q->z != 0.0f)
        return false;
    trvi_dvec3 h = trvi_dvec3_from(box->half);
    out->along = trvi_ddot(d, trvi_dvec3_from(box->center)) + h.x * fabs(d.x) + h.y * fabs(d.y) +
                 h.z * fabs(d.z);
    out->size = h.x + h.y + h.z;
    *vertex = (d.x > 0.0 ? 1u : 0u) | (d.y > 0.0 ? 2u : 0u) | (d.z > 0.0 ? 4u : 0u);
    return true;
}

// v turned by q / |q|, or back where `sign` is -1.
static trvi_dvec3 turn(trv_quat q, double sign, trvi_dvec3 v)
{
    trvi_dvec3 u = {sign * (double)q.x, sign * (double)q.y, sign * (double)q.z};
    double w = q.w, s = 2.0 / (trvi_ddot(u, u) + w * w);
    trvi_dvec3 t = trvi_dscale(trvi_dcross(u, v), s);
    return trvi_dadd(trvi_dmul_add(v, t, w), trvi_dcross(u, t));
}

bool trvi_remembered_at_once(const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                             trv_pose pose_b, trv_plane_cache *cache, double margin)
{
    trvi_dvec3 n = trvi_dvec3_from(cache->normal);
    double square = trvi_ddot(n, n);
    if (!(fabs(square - 1.0) < 1.0e-6)) // also NaN; what trvi_remember wrote is within that
        return false;
    reach reach_a, reach_b;
    trvi_dvec3 in_world = turn(pose_a.rotation, 1.0, n);
    trvi_dvec3 back = trvi_dnegate(turn(pose_b.rotation, -1.0, in_world));
    uint32_t at_a = cache->vertex_a, at_b = cache->vertex_b;
    if (!reach_of(a, n, &at_a, &reach_a) || !reach_of(b, back, &at_b, &reach_b))
        return false;
    trvi_dvec3 between =
        trvi_dsub(trvi_dvec3_from(pose_b.position), trvi_dvec3_from(pose_a.position));
    double gap = trvi_ddot(in_world, between) - reach_a.along - reach_b.along;
    // The normal's length is off by less than 1e-6; doubt covers bumps and that.
    double reaches = reach_a.size + reach_b.size + fabs(reach_a.along) + fabs(reach_b.along);
    if (!(gap > margin * 1.000001 + TRVI_CLIMB_DOUBT * reaches))
        return false;
    cache->vertex_a = at_a;
    cache->vertex_b = at_b;
    return true;
}

// The face, or TRVI_NO_VERTEX, that is best aligned with `n` where that is the face's plane.
static uint32_t face_along(const trvi_view *view, trvi_dvec3 n, uint32_t vertex)
{
    if (view->face_count == 0)
        return TRVI_NO_VERTEX;
    uint32_t face = trvi_best_face(view, n, vertex);
    return trvi_ddot(trvi_face_normal(view, face), n) > 1.0 - TRVI_SAME_NORMAL ? face
                                                                               : TRVI_NO_VERTEX;
}

// A half-edge from the supporting vertex that lies in the plane, or TRVI_NO_VERTEX.
static uint32_t edge_in_plane(const trvi_view *view, trvi_dvec3 n, uint32_t vertex)
{
    if (view->face_count == 0)
        return TRVI_NO_VERTEX;
    uint32_t first = view->vertex_edge[vertex], edge = first;
    trvi_dvec3 from = trvi_vertex(view, vertex);
    for (uint32_t i = 0; i < view->half_edge_count; i++) {
        uint32_t end = view->edge_origin[trvi_view_next(view, edge)];
        trvi_dvec3 along = trvi_dsub(trvi_vertex(view, end), from);
        if (fabs(trvi_ddot(n, along)) <= TRVI_EDGE_IN_PLANE * trvi_dlength(along))
            return edge;
        edge = view->edge_twin[trvi_view_previous(view, edge)];
        if (edge == first)
            break;
    }
    return TRVI_NO_VERTEX;
}

void trvi_plane_source(const trvi_couple *couple, const trvi_axis *axis, trv_plane_source *source,
                       uint32_t *index_a, uint32_t *index_b)
{
    trvi_dvec3 in_b = trvi_dnegate(trvi_dmat3_mul_transposed(&couple->rotation, axis->normal));
    *index_a = face_along(&couple->a, axis->normal, axis->vertex_a);
    *index_b = axis->vertex_b;
    *source = TRV_PLANE_FACE_A;
    if (*index_a != TRVI_NO_VERTEX)
        return;
    *index_a = axis->vertex_a;
    *index_b = face_along(&couple->b, in_b, axis->vertex_b);
    *source = TRV_PLANE_FACE_B;
    if (*index_b != TRVI_NO_VERTEX)
        return;
    *index_a = edge_in_plane(&couple->a, axis->normal, axis->vertex_a);
    *index_b = edge_in_plane(&couple->b, in_b, axis->vertex_b);
    *source = TRV_PLANE_EDGES;
    if (*index_a != TRVI_NO_VERTEX && *index_b != TRVI_NO_VERTEX)
        return;
    *index_a = axis->vertex_a;
    *index_b = axis->vertex_b;
    *source = TRV_PLANE_VERTICES;
}

void trvi_remember(const trvi_axis *axis, trv_plane_cache *cache)
{
    cache->normal = trvi_vec3_from_double(axis->normal);
    cache->vertex_a = axis->vertex_a;
    cache->vertex_b = axis->vertex_b;
    cache->source = TRV_PLANE_VERTICES;
    cache->index_a = axis->vertex_a;
    cache->index_b = axis->vertex_b;
}
