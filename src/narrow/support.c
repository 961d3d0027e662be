// The farthest vertex of a polyhedron in a direction, and the gap between two along it.
//
// Few vertices are looked at one by one. Many are climbed over the vertex graph: on a convex
// polyhedron a vertex with no higher neighbour is the highest. Hulls of float32 points are convex
// only up to rounding where faces were merged, so a climb does not stop before it has also looked
// past the neighbours that are lower by no more than a sliver of the size.
// Invariant: what a climb misses is less than TRVI_CLIMB_SLACK times the extent, and no verdict
// "apart" rests on less than that: trvi_gap_exceeds counts every vertex then.
// Based on: Gilbert, Johnson and Keerthi 1988, "A fast procedure for computing the distance between
// complex objects"; Cameron 1997, "Enhancing GJK" (hill climbing).
#include "view.h"

enum { PLATEAU_LIMIT = 24 }; // vertices looked at beyond a summit; then the summit stands

static double height_of(const trvi_view *view, trvi_dvec3 d, uint32_t vertex)
{
    const trv_vec3 *v = &view->vertices[vertex];
    return d.x * v->x + d.y * v->y + d.z * v->z;
}

// Climbs from `*vertex` by the steepest step each time. Returns the height reached; `second` is that
// of the highest neighbour of the summit.
static double ascend(const trvi_view *view, trvi_dvec3 d, uint32_t *vertex, double *second)
{
    uint32_t best = *vertex;
    double height = height_of(view, d, best);
    for (uint32_t step = 0; step < view->vertex_count; step++) { // no vertex is reached twice
        uint32_t from = best, last = view->neighbor_first[from + 1];
        *second = -HUGE_VAL;
        for (uint32_t i = view->neighbor_first[from]; i < last; i++) {
            double h = height_of(view, d, view->neighbors[i]);
            if (h > height) {
                height = h;
                best = view->neighbors[i];
            }
            *second = trvi_dmax(*second, h);
        }
        if (best == from)
            break;
    }
    *vertex = best;
    return height;
}

// The neighbour of `summit` that is higher by the difference of their places, or `summit`. Vertices
// that all but coincide have the same height but for rounding, and only one of them has the edge that
// leads on.
static uint32_t step_finely(const trvi_view *view, trvi_dvec3 d, uint32_t summit)
{
    trvi_dvec3 here = trvi_vertex(view, summit);
    uint32_t best = summit, last = view->neighbor_first[summit + 1];
    double rise = 0.0;
    for (uint32_t i = view->neighbor_first[summit]; i < last; i++) {
        double r = trvi_ddot(d, trvi_dsub(trvi_vertex(view, view->neighbors[i]), here));
        if (r > rise) {
            rise = r;
            best = view->neighbors[i];
        }
    }
    return best;
}

// Looks beyond the neighbours of `summit` that are hardly lower: a vertex that is higher, or `summit`.
static uint32_t look_beyond(const trvi_view *view, trvi_dvec3 d, uint32_t summit, double height,
                            double slack)
{
    uint32_t plateau[PLATEAU_LIMIT] = {summit}, count = 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t from = plateau[i], last = view->neighbor_first[from + 1];
        for (uint32_t k = view->neighbor_first[from]; k < last; k++) {
            uint32_t v = view->neighbors[k], seen = 0;
            double h = height_of(view, d, v);
            if (h > height)
                return v;
            if (!(h >= height - slack) || count == PLATEAU_LIMIT)
                continue;
            while (seen < count && plateau[seen] != v)
                seen++;
            if (seen == count)
                plateau[count++] = v;
        }
    }
    return summit;
}

// The highest corner of the faces round `summit`, or `summit`. Where a united face bends, a corner of
// it may be higher than both its neighbours there and yet not the face's highest.
static uint32_t step_across(const trvi_view *view, trvi_dvec3 d, uint32_t summit, double height)
{
    uint32_t first = view->vertex_edge[summit], edge = first, best = summit;
    for (uint32_t i = 0; i < view->half_edge_count; i++) { // once round the vertex
        uint32_t face = view->edge_face[edge];
        for (uint32_t e = view->face_first[face]; e < view->face_first[face + 1]; e++) {
            double h = height_of(view, d, view->edge_origin[e]);
            if (h > height) {
                best = view->edge_origin[e];
                height = h;
            }
        }
        edge = view->edge_twin[trvi_view_previous(view, edge)];
        if (edge == first)
            break;
    }
    return best;
}

static uint32_t climb(const trvi_view *view, trvi_dvec3 d, uint32_t start)
{
    uint32_t best = start;
    double slack = TRVI_CLIMB_SLACK * view->extent * (fabs(d.x) + fabs(d.y) + fabs(d.z));
    // Each turn starts higher than the last one ended, if only by what rounding hides.
    for (uint32_t turn = 0; turn < view->vertex_count; turn++) {
        double second, height = ascend(view, d, &best, &second);
        uint32_t higher = best;
        if (second >= height - slack)
            higher = step_finely(view, d, best);
        if (higher == best && view->united && second >= height - slack)
            higher = look_beyond(view, d, best, height, slack);
        if (higher == best && view->united)
            higher = step_across(view, d, best, height);
        if (higher == best)
            break;
        best = higher;
    }
    return best;
}

uint32_t trvi_support_every(const trvi_view *view, trvi_dvec3 d)
{
    uint32_t best = 0;
    double best_height = height_of(view, d, 0);
    for (uint32_t v = 1; v < view->vertex_count; v++) {
        double h = height_of(view, d, v);
        if (h > best_height) {
            best = v;
            best_height = h;
        }
    }
    return best;
}

uint32_t trvi_support(const trvi_view *view, trvi_dvec3 d, uint32_t start)
{
    if (view->is_box)
        return (d.x > 0.0 ? 1u : 0u) | (d.y > 0.0 ? 2u : 0u) | (d.z > 0.0 ? 4u : 0u);
    if (view->seeds == NULL)
        return trvi_support_every(view, d);
    uint32_t seed = view->seeds[trvi_seed_cell(view->seed_grid, d)];
    if (start >= view->vertex_count || height_of(view, d, seed) > height_of(view, d, start))
        start = seed;
    return climb(view, d, start);
}

double trvi_gap_along(const trvi_couple *couple, trvi_dvec3 n, uint32_t *at_a, uint32_t *at_b)
{
    trvi_dvec3 in_b = trvi_dmat3_mul_transposed(&couple->rotation, n);
    *at_a = trvi_support(&couple->a, n, *at_a);
    *at_b = trvi_support(&couple->b, trvi_dnegate(in_b), *at_b);
    return trvi_ddot(n, couple->offset) + height_of(&couple->b, in_b, *at_b) -
           height_of(&couple->a, n, *at_a);
}

double trvi_gap_along_every(const trvi_couple *couple, trvi_dvec3 n)
{
    trvi_dvec3 in_b = trvi_dmat3_mul_transposed(&couple->rotation, n);
    uint32_t a = trvi_support_every(&couple->a, n);
    uint32_t b = trvi_support_every(&couple->b, trvi_dnegate(in_b));
    return trvi_ddot(n, couple->offset) + height_of(&couple->b, in_b, b) -
           height_of(&couple->a, n, a);
}

bool trvi_gap_exceeds(const trvi_couple *couple, trvi_dvec3 n, double gap, double limit)
{
    if (!(gap > limit))
        return false;
    double slack = (couple->a.seeds != NULL ? couple->a.extent : 0.0) +
                   (couple->b.seeds != NULL ? couple->b.extent : 0.0);
    if (gap > limit + slack * TRVI_CLIMB_DOUBT)
        return true;
    return trvi_gap_along_every(couple, n) > limit;
}

trvi_dvec3 trvi_face_normal(const trvi_view *view, uint32_t face)
{
    trvi_dvec3 n = trvi_dvec3_from(view->planes[face].normal);
    if (view->is_box)
        return n;
    return trvi_dnormalize_or(n, (trvi_dvec3){0.0, 1.0, 0.0});
}

static double alignment(const trvi_view *view, uint32_t face, trvi_dvec3 d)
{
    const trv_vec3 *n = &view->planes[face].normal;
    return d.x * n->x + d.y * n->y + d.z * n->z;
}

uint32_t trvi_face_around(const trvi_view *view, trvi_dvec3 d, uint32_t vertex)
{
    uint32_t first = view->vertex_edge[vertex], edge = first;
    uint32_t best = view->edge_face[first];
    double best_dot = alignment(view, best, d);
    for (uint32_t i = 0; i < view->half_edge_count; i++) { // once round the vertex
        edge = view->edge_twin[trvi_view_previous(view, edge)];
        if (edge == first)
            break;
        double dot = alignment(view, view->edge_face[edge], d);
        if (dot > best_dot) {
            best = view->edge_face[edge];
            best_dot = dot;
        }
    }
    return best;
}

// The best of the faces round the farthest vertex; from there over edges while that is better still.
uint32_t trvi_best_face(const trvi_view *view, trvi_dvec3 d, uint32_t start)
{
    if (view->is_box) {
        double x = fabs(d.x), y = fabs(d.y), z = fabs(d.z);
        if (x >= y && x >= z)
            return d.x > 0.0 ? 1 : 0;
        if (y >= z)
            return d.y > 0.0 ? 3 : 2;
        return d.z > 0.0 ? 5 : 4;
    }
    return trvi_best_face_at(view, d, trvi_support(view, d, start));
}

uint32_t trvi_best_face_at(const trvi_view *view, trvi_dvec3 d, uint32_t vertex)
{
    uint32_t best = trvi_face_around(view, d, vertex);
    double best_dot = alignment(view, best, d);
    for (uint32_t step = 0; step < view->face_count; step++) {
        uint32_t from = best;
        for (uint32_t e = view->face_first[from]; e < view->face_first[from + 1]; e++) {
            uint32_t face = view->edge_face[view->edge_twin[e]];
            double dot = alignment(view, face, d);
            if (dot > best_dot) {
                best = face;
                best_dot = dot;
            }
        }
        if (best == from)
            break;
    }
    return best;
}
