// The farthest vertex of a polyhedron in a direction, and the gap between two along it.
//
// Few vertices are looked at one by one. Many are climbed over the vertex graph: on a convex
// polyhedron a vertex with no higher neighbour is the highest. Hulls of float32 points are convex
// only up to rounding where faces were merged, so a climb does not stop before it has also looked
// past the neighbours that are lower by no more than a sliver of the size.
// Invariant: what a climb misses is hardly more than TRVI_CLIMB_SLACK times trvi_climb_size, and no
// verdict "apart" rests on less than ten times that: trvi_gap_exceeds counts every vertex then.
// Based on: Gilbert, Johnson and Keerthi 1988, "A fast procedure for computing the distance between
// complex objects"; Cameron 1997, "Enhancing GJK" (hill climbing).
#include "near.h"

enum { PLATEAU_LIMIT = 24 }; // vertices looked at, or stepped over, near a summit; then it stands

// Climbs from `*vertex` by the steepest step each time, to vertices above `least`. Returns the
// height reached, or `least`; `second` is that of the highest neighbour of the summit.
static inline double ascend(const trvi_view *view, trvi_dvec3 d, double least, uint32_t *vertex,
                            double *second)
{
    uint32_t best = *vertex;
    double height = trvi_dmax(trvi_height_of(view, d, best), least);
    for (uint32_t step = 0; step < view->vertex_count; step++) { // no vertex is reached twice
        const uint32_t *next = view->neighbors + view->neighbor_first[best];
        const uint32_t *end = view->neighbors + view->neighbor_first[best + 1];
        uint32_t from = best;
        double highest = -HUGE_VAL;
        for (; next != end; next++) {
            double h = trvi_height_of(view, d, *next);
            highest = trvi_dmax(highest, h);
            if (h > height) {
                height = h;
                best = *next;
            }
        }
        *second = highest;
        if (best == from)
            break;
    }
    *vertex = best;
    return height;
}

// The neighbour of `summit` that is higher by the difference of their places, or `summit`. Vertices
// that all but coincide have the same height but for rounding, and only one of them has the edge
// that leads on.
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

// Looks beyond the neighbours of `summit` that are hardly lower: a vertex that is higher, or
// `summit`.
static uint32_t look_beyond(const trvi_view *view, trvi_dvec3 d, uint32_t summit, double height,
                            double slack)
{
    uint32_t plateau[PLATEAU_LIMIT] = {summit}, count = 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t from = plateau[i], last = view->neighbor_first[from + 1];
        for (uint32_t k = view->neighbor_first[from]; k < last; k++) {
            uint32_t v = view->neighbors[k], seen = 0;
            double h = trvi_height_of(view, d, v);
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

// The highest corner of the faces round `summit`, or `summit`. Where a united face bends, a corner
// of it may be higher than both its neighbours there and yet not the face's highest.
static uint32_t step_across(const trvi_view *view, trvi_dvec3 d, uint32_t summit, double height)
{
    uint32_t first = view->vertex_edge[summit], edge = first, best = summit;
    for (uint32_t i = 0; i < view->half_edge_count; i++) { // once round the vertex
        uint32_t face = view->edge_face[edge];
        uint32_t begin = view->face_first[face], end = view->face_first[face + 1];
        for (uint32_t e = begin; end - begin > 3 && e < end; e++) {
            double h = trvi_height_of(view, d, view->edge_origin[e]);
            if (h > height) {
                best = view->edge_origin[e];
                height = h;
            }
        }
        edge = view->edge_twin[edge > begin ? edge - 1 : end - 1];
        if (edge == first)
            break;
    }
    return best;
}

// The farthest vertex so far, of several as far the first.
typedef struct farthest_yet {
    double height;
    uint32_t vertex;
} farthest_yet;

static void look_at_cluster(const trvi_view *view, trvi_dvec3 d, const trvi_cluster *cluster,
                            farthest_yet *best)
{
    const uint32_t *order = view->many->cluster_order + cluster->first;
    for (uint32_t i = 0; i < cluster->count; i++) {
        double h = trvi_height_of(view, d, order[i]);
        if (h > best->height || (h == best->height && order[i] < best->vertex))
            *best = (farthest_yet){h, order[i]};
    }
}

// Clusters that do not reach as far as what is known already are passed over.
static uint32_t look_through(const trvi_view *view, trvi_dvec3 d)
{
    const trv_hull *hull = view->many;
    uint32_t count = trvi_cluster_count(hull->vertex_count, hull->seed_grid);
    uint32_t seed = hull->seeds[trvi_seed_cell(hull->seed_grid, d)];
    farthest_yet best = {trvi_height_of(view, d, seed), seed};
    double length = trvi_dlength(d), rounding = TRVI_CLUSTER_ROUNDING * length * hull->reach;
    for (uint32_t i = 0; i < count; i++) {
        const trvi_cluster *cluster = &hull->clusters[i];
        double middle = trvi_ddot(d, trvi_dvec3_from(cluster->at));
        if (!(middle + (length * (double)cluster->radius + rounding) < best.height))
            look_at_cluster(view, d, cluster, &best);
    }
    return best.vertex;
}

// Even and odd vertices each have a best of their own, so that comparisons need not wait for one
// another.
uint32_t trvi_support_every(const trvi_view *view, trvi_dvec3 d)
{
    if (view->many != NULL)
        return look_through(view, d);
    uint32_t best = 0, other = 0;
    double height = trvi_height_of(view, d, 0), other_height = height, h;
    for (uint32_t v = 1; v < view->vertex_count; v += 2) {
        h = trvi_height_of(view, d, v);
        if (h > other_height) {
            other = v;
            other_height = h;
        }
        if (v + 1 == view->vertex_count)
            break;
        h = trvi_height_of(view, d, v + 1);
        if (h > height) {
            best = v + 1;
            height = h;
        }
    }
    bool first = other_height == height && other < best; // as if one by one
    return other_height > height || first ? other : best;
}

static uint32_t climb(const trvi_view *view, trvi_dvec3 d, uint32_t start)
{
    uint32_t best = start;
    double length = fabs(d.x) + fabs(d.y) + fabs(d.z);
    double slack = TRVI_CLIMB_SLACK * trvi_climb_size(view) * length;
    double slab = slack + trvi_slab_of(view) * length;
    // Each turn starts higher than the last one ended. Fine steps rise by what rounding hides: the
    // height stays, so that no climb goes back, and their number is limited.
    double height = -HUGE_VAL;
    for (uint32_t turn = 0, fine = 0; turn < view->vertex_count; turn++) {
        double second;
        height = ascend(view, d, height, &best, &second);
        if (trvi_stands_out(view, best, height, second, length))
            break;
        uint32_t higher = best;
        if (second >= height - slack && fine < PLATEAU_LIMIT)
            higher = step_finely(view, d, best);
        fine += higher != best;
        if (higher == best && view->united && second >= height - slab)
            higher = look_beyond(view, d, best, height, slab);
        if (higher == best && view->united)
            higher = step_across(view, d, best, height);
        if (higher == best)
            break;
        best = higher;
    }
    bool dented = view->dented &&
                  trvi_is_dented(view->neighbor_first, view->vertex_faces, view->face_united, best);
    return dented ? trvi_support_every(view, d) : best;
}

// The same as by looking at every vertex, four at a time: in float32, where all that rounding
// leaves in doubt are then compared in double.
static uint32_t scan(const trvi_view *view, trvi_dvec3 d)
{
    float heights[TRVI_SCAN_VERTICES + 8];
    uint32_t length = trvi_column_length(view->vertex_count);
    const float *x = view->columns, *y = x + length, *z = y + length;
    double bound = trvi_float_bound(view, d);
    if (bound == 0.0)
        return trvi_support_every(view, d);
    const trvi_wide3 wide = trvi_widened_from(d);
    // Two fours at a time, so that they need not wait for one another.
    const trvi_lanes none = trvi_lanes_splat(-HUGE_VALF);
    trvi_lanes top = none, other = none;
    uint32_t i = 0;
    for (; i < length; i += 2 * TRVI_LANES) {
        trvi_wide3 p = {trvi_lanes_load(x + i), trvi_lanes_load(y + i), trvi_lanes_load(z + i)};
        trvi_wide3 q = {trvi_lanes_load(x + i + 4), trvi_lanes_load(y + i + 4),
                        trvi_lanes_load(z + i + 4)};
        trvi_lanes h = trvi_wide_dot(p, wide), k = trvi_wide_dot(q, wide);
        trvi_lanes_store(heights + i, h);
        trvi_lanes_store(heights + i + 4, k);
        top = trvi_lanes_max(h, top);
        other = trvi_lanes_max(k, other);
    }
    trvi_lanes_store(heights + i, none); // sixteen are compared at once
    trvi_lanes_store(heights + i + 4, none);
    float most = trvi_lanes_highest(trvi_lanes_max(top, other));
    trvi_lanes least = trvi_lanes_splat(most - (float)(TRVI_SCAN_SLACK * bound));
    uint64_t near = trvi_lanes_at_least_16(heights, least);
    for (i = 16; i < length; i += 16)
        near |= (uint64_t)trvi_lanes_at_least_16(heights + i, least) << i;
    uint32_t best = trvi_lowest_bit(near); // which the vertex that fills up the lanes never is
    near &= near - 1;
    if (near == 0)
        return best;
    double best_height = trvi_height_of(view, d, best);
    for (; near != 0; near &= near - 1) {
        uint32_t v = trvi_lowest_bit(near);
        double h = v < view->vertex_count ? trvi_height_of(view, d, v) : -HUGE_VAL;
        if (h > best_height) {
            best = v;
            best_height = h;
        }
    }
    return best;
}

uint32_t trvi_support_at(const trvi_view *view, const trvi_dvec3 *direction, uint32_t start)
{
    trvi_dvec3 d = {direction->x, direction->y, direction->z};
    if (view->is_box)
        return (d.x > 0.0 ? 1u : 0u) | (d.y > 0.0 ? 2u : 0u) | (d.z > 0.0 ? 4u : 0u);
    if (view->seeds == NULL)
        return view->columns != NULL ? scan(view, d) : trvi_support_every(view, d);
    uint32_t seed = view->seeds[trvi_seed_cell(view->seed_grid, d)];
    if (start >= view->vertex_count ||
        trvi_height_of(view, d, seed) > trvi_height_of(view, d, start))
        start = seed;
    return climb(view, d, start);
}

// The gap along `n`, which is `in_b` in B's frame, where these vertices are the farthest.
static inline double gap_between(const trvi_couple *couple, trvi_dvec3 n, trvi_dvec3 in_b,
                                 uint32_t a, uint32_t b)
{
    return trvi_ddot(n, couple->offset) + trvi_height_of(&couple->b, in_b, b) -
           trvi_height_of(&couple->a, n, a);
}

double trvi_gap_along(const trvi_couple *couple, trvi_dvec3 n, uint32_t *at_a, uint32_t *at_b)
{
    trvi_dvec3 in_b = trvi_dmat3_mul_transposed(&couple->rotation, n);
    *at_a = trvi_support(&couple->a, n, *at_a);
    *at_b = trvi_support(&couple->b, trvi_dnegate(in_b), *at_b);
    return gap_between(couple, n, in_b, *at_a, *at_b);
}

double trvi_gap_along_near(const trvi_couple *couple, trvi_dvec3 n, uint32_t *at_a, uint32_t *at_b)
{
    trvi_dvec3 in_b = trvi_dmat3_mul_transposed(&couple->rotation, n);
    const trvi_dvec3 back = trvi_dnegate(in_b);
    *at_a = trvi_support_near(&couple->a, &n, *at_a);
    *at_b = trvi_support_near(&couple->b, &back, *at_b);
    return gap_between(couple, n, in_b, *at_a, *at_b);
}

double trvi_gap_along_every(const trvi_couple *couple, trvi_dvec3 n)
{
    trvi_dvec3 in_b = trvi_dmat3_mul_transposed(&couple->rotation, n);
    uint32_t a = trvi_support_every(&couple->a, n);
    uint32_t b = trvi_support_every(&couple->b, trvi_dnegate(in_b));
    return gap_between(couple, n, in_b, a, b);
}

bool trvi_gap_exceeds(const trvi_couple *couple, trvi_dvec3 n, double gap, double limit)
{
    if (!(gap > limit))
        return false;
    double slack = (couple->a.seeds != NULL ? trvi_climb_size(&couple->a) : 0.0) +
                   (couple->b.seeds != NULL ? trvi_climb_size(&couple->b) : 0.0);
    if (gap > limit + slack * TRVI_CLIMB_DOUBT)
        return true;
    return trvi_gap_along_every(couple, n) > limit;
}

// The best of the faces round the farthest vertex; from there over edges while that is better
// still.
uint32_t trvi_best_face(const trvi_view *view, const trvi_dvec3 *d, uint32_t start)
{
    if (view->is_box) {
        double x = fabs(d->x), y = fabs(d->y), z = fabs(d->z);
        if (x >= y && x >= z)
            return d->x > 0.0 ? 1 : 0;
        if (y >= z)
            return d->y > 0.0 ? 3 : 2;
        return d->z > 0.0 ? 5 : 4;
    }
    return trvi_best_face_from(view, d, trvi_face_around(view, d, trvi_support_at(view, d, start)));
}

trvi_dvec3 trvi_face_spread(const trvi_view *view, uint32_t face)
{
    uint32_t first = view->face_first[face], last = view->face_first[face + 1];
    trvi_dvec3 origin = trvi_vertex(view, view->edge_origin[first]), sum = {0.0, 0.0, 0.0};
    for (uint32_t e = first + 1; e + 1 < last; e++) {
        trvi_dvec3 a = trvi_dsub(trvi_vertex(view, view->edge_origin[e]), origin);
        trvi_dvec3 b = trvi_dsub(trvi_vertex(view, view->edge_origin[e + 1]), origin);
        sum = trvi_dadd(sum, trvi_dcross(a, b));
    }
    return sum;
}
