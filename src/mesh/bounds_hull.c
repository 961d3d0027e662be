// Bounding boxes of posed hulls by climbing, and of many bodies at once.
//
// The box of a posed hull is bounded by six vertices, each the farthest along an axis of the world. On
// a convex polyhedron a vertex with no farther neighbour is the farthest of all, so each is found by
// climbing the vertex graph from where the last search for it ended: a body that turns a little is
// a step or two away. The seed of the direction's cell takes over where it is not.
// Invariant: neighbours are compared by what the edge between them gains, never by two heights, in
// which a short edge drowns. On united hulls, whose faces may bend, a climb also looks past what is
// lower by no more than a slab that a face may lie in, and at a face with dents at every vertex; the
// box is larger by TRVI_CLIMB_SLACK of the size.
//
// Based on: Lander 1999, "When Two Hearts Collide: Axis-Aligned Bounding Boxes" (why only the extremes
// matter); Gilbert, Johnson and Keerthi 1988, "A fast procedure for computing the distance between
// complex objects", and Cameron 1997, "Enhancing GJK" (hill climbing).
#include <string.h>

#include "mesh.h"

enum {
    PLATEAU_LIMIT = 24, // vertices looked at beyond a summit; then the summit stands
    NEAR_STEPS = 4,     // from an old summit, before the seed is asked; no answer moves
    FEW_VERTICES = 48   // up to here, looking at all takes less time than six climbs
};

// How much farther along d vertex `to` is than `from`.
static inline double gain(const trv_hull *hull, trvi_dvec3 d, uint32_t from, uint32_t to)
{
    trv_vec3 a = hull->vertices[from], b = hull->vertices[to];
    return d.x * ((double)b.x - a.x) + d.y * ((double)b.y - a.y) + d.z * ((double)b.z - a.z);
}

static inline double height_of(const trv_hull *hull, trvi_dvec3 d, uint32_t vertex)
{
    return trvi_ddot(d, trvi_dvec3_from(hull->vertices[vertex]));
}

// Climbs by the steepest step each time. *second is the gain of the last vertex's highest neighbour,
// above zero where `steps` were not enough.
static uint32_t ascend(const trv_hull *hull, trvi_dvec3 d, uint32_t vertex, uint32_t steps,
                       double *second)
{
    for (uint32_t step = 0; step < steps; step++) {
        uint32_t last = hull->neighbor_first[vertex + 1], best = vertex;
        double most = -HUGE_VAL;
        for (uint32_t i = hull->neighbor_first[vertex]; i < last; i++) {
            double more = gain(hull, d, vertex, hull->neighbors[i]);
            if (more > most) {
                most = more;
                best = hull->neighbors[i];
            }
        }
        *second = most;
        if (!(most > 0.0))
            break;
        vertex = best;
    }
    return vertex;
}

// A vertex that is farther than `summit`, found past neighbours that are lower by no more than the
// slack; or `summit`.
static uint32_t look_beyond(const trv_hull *hull, trvi_dvec3 d, uint32_t summit, double slack)
{
    uint32_t plateau[PLATEAU_LIMIT] = {summit}, count = 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t last = hull->neighbor_first[plateau[i] + 1];
        for (uint32_t k = hull->neighbor_first[plateau[i]]; k < last; k++) {
            uint32_t v = hull->neighbors[k], seen = 0;
            double more = gain(hull, d, summit, v);
            if (more > 0.0)
                return v;
            if (!(more >= -slack) || count == PLATEAU_LIMIT)
                continue;
            while (seen < count && plateau[seen] != v)
                seen++;
            if (seen == count)
                plateau[count++] = v;
        }
    }
    return summit;
}

// The farthest corner of the faces round `summit`, or `summit`: a corner of a face that bends may be
// farther than both its neighbours there and yet not the face's farthest.
static uint32_t step_across(const trv_hull *hull, trvi_dvec3 d, uint32_t summit)
{
    uint32_t first = hull->vertex_edge[summit], edge = first, best = summit;
    double most = 0.0;
    for (uint32_t i = 0; i < hull->half_edge_count; i++) { // once round the vertex
        uint32_t face = hull->edge_face[edge], end = hull->face_first[face + 1];
        uint32_t begin = hull->face_first[face];
        if (end - begin == 3) // both other corners are neighbours
            begin = end;
        for (uint32_t e = begin; e < end; e++) {
            double more = gain(hull, d, summit, hull->edge_origin[e]);
            if (more > most) {
                most = more;
                best = hull->edge_origin[e];
            }
        }
        edge = hull->edge_twin[trvi_edge_previous(hull, edge)];
        if (edge == first)
            break;
    }
    return best;
}

// By looking at every vertex.
static uint32_t farthest(const trv_hull *hull, trvi_dvec3 d)
{
    uint32_t best = 0;
    double most = height_of(hull, d, 0);
    for (uint32_t v = 1; v < hull->vertex_count; v++) {
        double height = height_of(hull, d, v);
        if (height > most) {
            most = height;
            best = v;
        }
    }
    return best;
}

// A vertex that no other is farther than, by more than TRVI_CLIMB_SLACK of the size where the hull is
// united: its faces lie in slabs of thickness `slab`. `d` is a unit vector. Where a climb is begun
// does not decide where it ends, but among equals.
static uint32_t climb(const trv_hull *hull, trvi_dvec3 d, uint32_t start, double slab)
{
    uint32_t best = start, steps = hull->vertex_count;
    double second = HUGE_VAL;
    if (start < hull->vertex_count)
        best = ascend(hull, d, start, NEAR_STEPS, &second);
    if (second > 0.0) {
        uint32_t seed = hull->seeds[trvi_seed_cell(hull->seed_grid, d)];
        if (start >= hull->vertex_count || gain(hull, d, best, seed) > 0.0)
            best = seed;
    } else {
        steps = 0;
    }
    for (uint32_t turn = 0; turn < hull->vertex_count; turn++) { // each starts farther out
        best = ascend(hull, d, best, steps, &second);
        steps = hull->vertex_count;
        if (!hull->united)
            break;
        uint32_t farther = best;
        if (second >= -slab)
            farther = look_beyond(hull, d, best, slab);
        if (farther == best)
            farther = step_across(hull, d, best);
        if (farther == best)
            break;
        best = farther;
    }
    bool dented = hull->dented &&
                  trvi_is_dented(hull->neighbor_first, hull->vertex_faces, hull->face_united, best);
    return dented ? farthest(hull, d) : best;
}

static trv_aabb bounds_of(const trv_hull *hull, trv_pose pose, trv_bounds_cache *cache)
{
    if (hull->vertex_count <= FEW_VERTICES)
        return trv_bounds_of_vertices(hull->vertices, hull->vertex_count, pose);
    trvi_dmat3 rotation = trvi_dmat3_from_quat(pose.rotation);
    const double at[3] = {pose.position.x, pose.position.y, pose.position.z};
    double slack = hull->united ? TRVI_CLIMB_SLACK * (double)hull->radius : 0.0;
    double slab = 0.25 * (double)hull->tie; // it is four of them where there are any
    trv_aabb box;
    for (int axis = 0; axis < 3; axis++) {
        const double *row = rotation.m[axis];
        trvi_dvec3 up = {row[0], row[1], row[2]}, down = {-row[0], -row[1], -row[2]};
        uint32_t *ends = &cache->vertex[2 * axis];
        ends[0] = climb(hull, down, ends[0], slab);
        ends[1] = climb(hull, up, ends[1], slab);
        double lower = height_of(hull, up, ends[0]) + at[axis] - slack;
        double upper = height_of(hull, up, ends[1]) + at[axis] + slack;
        (&box.lower.x)[axis] = trvi_round_down(lower);
        (&box.upper.x)[axis] = trvi_round_up(upper);
    }
    return box;
}

trv_result trv_bounds_of_hull(const trv_hull *hull, trv_pose pose, trv_bounds_cache *cache,
                              trv_aabb *out)
{
    return trv_bounds_of_hulls(&hull, &pose, 1, cache, out);
}

trv_result trv_bounds_of_hulls(const trv_hull *const *hulls, const trv_pose *poses, uint32_t count,
                               trv_bounds_cache *caches, trv_aabb *out)
{
    if (count == 0)
        return TRV_OK;
    if (out == NULL)
        return TRV_ERROR_NULL;
    trv_result result = hulls == NULL || poses == NULL ? TRV_ERROR_NULL : TRV_OK;
    for (uint32_t i = 0; i < count && result == TRV_OK; i++)
        result = hulls[i] == NULL ? TRV_ERROR_NULL : trvi_check_pose(poses[i]);
    if (result != TRV_OK) {
        memset(out, 0, sizeof *out * count);
        return result;
    }
    for (uint32_t i = 0; i < count; i++) {
        trv_bounds_cache none = {{0}};
        out[i] = bounds_of(hulls[i], poses[i], caches ? &caches[i] : &none);
    }
    return TRV_OK;
}

trv_result trv_bounds_of_boxes(const trv_obb *rests, const trv_pose *poses, uint32_t count,
                               trv_aabb *out)
{
    if (count == 0)
        return TRV_OK;
    if (out == NULL)
        return TRV_ERROR_NULL;
    if (rests == NULL || poses == NULL) {
        memset(out, 0, sizeof *out * count);
        return TRV_ERROR_NULL;
    }
    for (uint32_t i = 0; i < count; i++)
        out[i] = trv_bounds_of_box(rests[i], poses[i]);
    return TRV_OK;
}
