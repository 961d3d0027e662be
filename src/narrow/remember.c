// Remembers a pair's separating plane, and asks it again in the next frame.
//
// A plane that parted two solids a moment ago most often still does: one support of each, found by
// a short climb from where the last one ended, tells. What the cache holds comes from the caller
// and may be anything; it is measured, never believed.
// Based on: Lander 1999, "Crashing into the New Year"; Baraff 1992 (witness planes between frames).
#include "remember.h"

#include "carry.h"

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

// The face, or TRVI_NO_VERTEX, that is best aligned with `n` where that is the face's plane.
static uint32_t face_along(const trvi_view *view, trvi_dvec3 n, uint32_t vertex)
{
    if (view->face_count == 0)
        return TRVI_NO_VERTEX;
    uint32_t face = trvi_best_face(view, &n, vertex);
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
    bool of_a = *index_a != TRVI_NO_VERTEX, of_b = *index_b != TRVI_NO_VERTEX;
    if (!of_a)
        *index_a = axis->vertex_a;
    if (!of_b)
        *index_b = axis->vertex_b;
    *source = of_a ? (of_b ? TRV_PLANE_EDGES : TRV_PLANE_EDGE_A)
                   : (of_b ? TRV_PLANE_EDGE_B : TRV_PLANE_VERTICES);
}

void trvi_remember(const trvi_axis *axis, bool apart, trv_plane_cache *cache)
{
    cache->normal = trvi_vec3_from_double(axis->normal);
    cache->in_world = (trv_vec3){0.0f, 0.0f, 0.0f};
    cache->steady = 0;
    cache->vertex_a = axis->vertex_a;
    cache->vertex_b = axis->vertex_b;
    cache->source = apart ? TRV_PLANE_VERTICES : TRV_PLANE_NONE;
    cache->index_a = axis->vertex_a;
    cache->index_b = axis->vertex_b;
    for (uint32_t i = 0; i < 3; i++) {
        cache->meeting[i] = axis->vertex_a;
        cache->meeting[i + 3] = axis->vertex_b;
    }
}

void trvi_remember_nearest(const trvi_simplex *simplex, trv_plane_cache *cache)
{
    for (uint32_t i = 0; i < 3; i++) { // fewer stand there twice
        const trvi_simplex_point *p = &simplex->points[i < simplex->count ? i : 0];
        cache->meeting[i] = p->a;
        cache->meeting[i + 3] = p->b;
    }
}

void trvi_remember_meeting(const trvi_simplex *simplex, trv_plane_cache *cache)
{
    cache->source = TRVI_MEETING;
    cache->gap = 0.0f;
    cache->vertex_a = simplex->points[0].a;
    cache->vertex_b = simplex->points[0].b;
    for (uint32_t i = 0; i < 3; i++) {
        cache->meeting[i] = simplex->points[i + 1].a;
        cache->meeting[i + 3] = simplex->points[i + 1].b;
    }
}

bool trvi_still_meet(const trvi_couple *couple, const trv_plane_cache *cache)
{
    trvi_dvec3 w[4];
    if (cache->source != TRVI_MEETING)
        return false;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t a = i == 0 ? cache->vertex_a : cache->meeting[i - 1];
        uint32_t b = i == 0 ? cache->vertex_b : cache->meeting[i + 2];
        if (a >= couple->a.vertex_count || b >= couple->b.vertex_count)
            return false;
        w[i] = trvi_pair_point(couple, a, b);
    }
    // The origin's shares of the tetrahedron: volumes that all have the same sign.
    double shares[4] = {
        trvi_ddot(w[1], trvi_dcross(w[2], w[3])), -trvi_ddot(w[0], trvi_dcross(w[2], w[3])),
        trvi_ddot(w[0], trvi_dcross(w[1], w[3])), -trvi_ddot(w[0], trvi_dcross(w[1], w[2]))};
    double certain = TRVI_TOUCH * couple->scale * couple->scale * couple->scale;
    double sign = shares[0] < 0.0 ? -1.0 : 1.0;
    return sign * shares[0] > certain && sign * shares[1] > certain && sign * shares[2] > certain &&
           sign * shares[3] > certain;
}
