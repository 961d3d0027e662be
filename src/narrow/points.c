// The distance of the hulls of two sets of points of which nothing is known: no faces, no order.
//
// Views without faces are enough for the distance search, and for the growing polytope where the
// sets overlap. That one gives up where the difference of the sets is flat, or as good as flat, or
// has more facets than it holds. Few points are then combined in every way: a facet of B - A is
// parallel to three points of A, to three of B, or to two and two, so the best of their normals is
// the answer. Of many points the normal of the plane that they lie in, if any, and the best of the
// polytope's facets are starts: moved apart along one of them, the sets are nearest one another
// along a direction of less overlap, unless there is none near by. Whatever is told parts the sets,
// and touches where it is told that it does; of many points in shapes as bad as that it may not be
// the least of all.
// Based on: Gilbert, Johnson and Keerthi 1988; van den Bergen 2001 (see gjk.c and expand.c);
// Cameron 1997, "Enhancing GJK" (depth from the distance of sets that were moved apart).
#include "math/math.h"
#include "nearest.h"

#include <string.h>

enum { FEW_POINTS = 8, MAX_DESCENTS = 64 };

static trv_result check_points(const trv_vec3 *points, uint32_t count, trv_pose pose)
{
    if (points == NULL)
        return TRV_ERROR_NULL;
    if (count == 0)
        return TRV_ERROR_TOO_FEW;
    trv_result result = trvi_check_pose(pose);
    for (uint32_t i = 0; i < count && result == TRV_OK; i++)
        result = trvi_check_vec3(points[i]);
    return result;
}

static trv_vec3 middle_of(const trv_vec3 *points, uint32_t count)
{
    trv_vec3 lower = points[0], upper = points[0];
    for (uint32_t i = 1; i < count; i++) {
        lower = trvi_min(lower, points[i]);
        upper = trvi_max(upper, points[i]);
    }
    return trvi_add(trvi_scale(lower, 0.5f), trvi_scale(upper, 0.5f));
}

// Puts the points where the view has the one point that it was made from.
static void spread_view(trvi_view *view, const trv_vec3 *points, uint32_t count)
{
    view->vertices = points;
    view->vertex_count = count;
    double square = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        trvi_dvec3 d = trvi_dsub(trvi_vertex(view, i), view->center);
        square = trvi_dmax(square, trvi_ddot(d, d));
    }
    view->extent = sqrt(square);
    view->reach += view->extent;
}

static void couple_points(trvi_couple *couple, const trv_vec3 *a, uint32_t count_a, trv_pose pose_a,
                          const trv_vec3 *b, uint32_t count_b, trv_pose pose_b)
{
    trv_shape middle_a = trv_make_sphere(middle_of(a, count_a), 0.0f);
    trv_shape middle_b = trv_make_sphere(middle_of(b, count_b), 0.0f);
    trvi_couple_set(couple, &middle_a, pose_a, &middle_b, pose_b);
    spread_view(&couple->a, a, count_a);
    spread_view(&couple->b, b, count_b);
    couple->scale += couple->a.extent + couple->b.extent;
    couple->size = trvi_dmin(couple->a.extent, couple->b.extent);
}

// Keeps `n` or its opposite in `axis` where the gap along it is larger. `n` has any length.
static void offer(const trvi_couple *couple, trvi_dvec3 n, trvi_axis *axis)
{
    const trvi_dvec3 none = {0.0, 0.0, 0.0};
    n = trvi_dnormalize_or(n, none);
    for (int side = 0; side < 2 && trvi_ddot(n, n) > 0.0; side++, n = trvi_dnegate(n)) {
        trvi_axis offered = {n, 0.0, TRVI_NO_VERTEX, TRVI_NO_VERTEX};
        offered.gap = trvi_gap_along(couple, n, &offered.vertex_a, &offered.vertex_b);
        if (offered.gap > axis->gap)
            *axis = offered;
    }
}

// The sides of both sets: from the first point of a set to its others, in A's frame. Two of them
// that are farthest from parallel tell the plane that everything lies in, if there is one.
static trvi_dvec3 side_number(const trvi_couple *couple, uint32_t i)
{
    uint32_t count_a = couple->a.vertex_count;
    if (i < count_a)
        return trvi_dsub(trvi_vertex(&couple->a, i), trvi_vertex(&couple->a, 0));
    trvi_dvec3 side = trvi_dsub(trvi_vertex(&couple->b, i - count_a), trvi_vertex(&couple->b, 0));
    return trvi_dmat3_mul(&couple->rotation, side);
}

static void offer_plane(const trvi_couple *couple, trvi_axis *axis)
{
    uint32_t count = couple->a.vertex_count + couple->b.vertex_count;
    trvi_dvec3 longest = {0.0, 0.0, 0.0}, normal = {0.0, 0.0, 0.0}, up = {0.0, 1.0, 0.0};
    for (uint32_t i = 0; i < count; i++) {
        trvi_dvec3 side = side_number(couple, i);
        if (trvi_ddot(side, side) > trvi_ddot(longest, longest))
            longest = side;
    }
    for (uint32_t i = 0; i < count; i++) {
        trvi_dvec3 cross = trvi_dcross(longest, side_number(couple, i));
        if (trvi_ddot(cross, cross) > trvi_ddot(normal, normal))
            normal = cross;
    }
    double least = TRVI_CROSS_LENGTH * trvi_ddot(longest, longest);
    if (!(trvi_dlength(normal) > least)) // all on a line, or in a point
        normal = trvi_dlength(longest) > 0.0 ? trvi_perpendicular(longest) : up;
    offer(couple, normal, axis);
}

// Every facet that B - A can have.
static void offer_combinations(const trvi_couple *couple, trvi_axis *axis)
{
    trvi_dvec3 point[2][FEW_POINTS], edge[2][FEW_POINTS * FEW_POINTS];
    const uint32_t count[2] = {couple->a.vertex_count, couple->b.vertex_count};
    uint32_t edges[2] = {0, 0};
    for (uint32_t i = 0; i < count[0]; i++)
        point[0][i] = trvi_vertex(&couple->a, i);
    for (uint32_t i = 0; i < count[1]; i++)
        point[1][i] = trvi_dmat3_mul(&couple->rotation, trvi_vertex(&couple->b, i));
    for (int set = 0; set < 2; set++) {
        for (uint32_t i = 0; i < count[set]; i++) {
            for (uint32_t j = 0; j < i; j++) {
                trvi_dvec3 side = trvi_dsub(point[set][j], point[set][i]);
                edge[set][edges[set]++] = side;
                for (uint32_t k = 0; k < j; k++)
                    offer(couple, trvi_dcross(side, trvi_dsub(point[set][k], point[set][i])), axis);
            }
        }
    }
    for (uint32_t i = 0; i < edges[0]; i++)
        for (uint32_t j = 0; j < edges[1]; j++)
            offer(couple, trvi_dcross(edge[0][i], edge[1][j]), axis);
}

// Makes the overlap along the axis less while that goes on. Moved by it the sets touch, or are
// apart where the axis leads past the nearest way out; the direction of that distance has a larger
// gap then.
static void descend(const trvi_couple *couple, trvi_axis *axis)
{
    for (int i = 0; i < MAX_DESCENTS; i++) { // where it ends early the axis is still a true one
        trvi_gjk gjk;
        double before = axis->gap;
        trvi_gjk_run(couple, trvi_parting(couple, axis), HUGE_VAL, &gjk);
        offer(couple, gjk.normal, axis);
        if (gjk.state != TRVI_GJK_APART || !(axis->gap - before > TRVI_TOUCH * couple->scale))
            return;
    }
}

// The best that descents from here and from the six directions along A's axes come to.
static void descend_from_all(const trvi_couple *couple, trvi_axis *axis)
{
    descend(couple, axis);
    for (int i = 0; i < 6; i++) {
        double sign = i & 1 ? 1.0 : -1.0;
        trvi_axis other = {.gap = -HUGE_VAL};
        other.normal =
            (trvi_dvec3){i / 2 == 0 ? sign : 0.0, i / 2 == 1 ? sign : 0.0, i / 2 == 2 ? sign : 0.0};
        other.gap = trvi_gap_along(couple, other.normal, &other.vertex_a, &other.vertex_b);
        descend(couple, &other);
        if (other.gap > axis->gap)
            *axis = other;
    }
}

static void find_depth(const trvi_couple *couple, const trvi_simplex *start, trvi_axis *axis)
{
    trvi_simplex foot;
    if (trvi_expand(couple, start, axis, &foot))
        return;
    offer_plane(couple, axis);
    if (couple->a.vertex_count <= FEW_POINTS && couple->b.vertex_count <= FEW_POINTS)
        offer_combinations(couple, axis);
    else
        descend_from_all(couple, axis);
}

static void find_gap(const trvi_couple *couple, trv_gap *out)
{
    const trvi_dvec3 unmoved = {0.0, 0.0, 0.0};
    trvi_dvec3 on_a, on_b;
    trvi_nearest nearest = {.has_simplex = true};
    trvi_gjk gjk;
    trvi_gjk_run(couple, unmoved, HUGE_VAL, &gjk);
    nearest.simplex = gjk.simplex;
    if (gjk.state == TRVI_GJK_APART) {
        nearest.axis = (trvi_axis){gjk.normal, gjk.distance, gjk.vertex_a, gjk.vertex_b};
    } else {
        find_depth(couple, &gjk.simplex, &nearest.axis);
        // A search that rounding ended all but parts sets of sizes that differ by millions.
        if (gjk.state == TRVI_GJK_UNSURE)
            offer(couple, gjk.normal, &nearest.axis);
        // At depth 0 the point that the search ended at is in both; deeper, it is not the answer.
        nearest.has_simplex = fabs(nearest.axis.gap) <= TRVI_TOUCH * couple->scale;
        if (nearest.has_simplex)
            nearest.axis.gap = 0.0;
    }
    trvi_nearest_points(couple, &nearest, &on_a, &on_b);
    out->distance = (float)nearest.axis.gap;
    out->normal = trvi_vec3_from_double(trvi_dmat3_mul(&couple->a.rotation, nearest.axis.normal));
    out->point_a = trvi_vec3_from_double(trvi_to_world(&couple->a, on_a));
    out->point_b = trvi_vec3_from_double(trvi_to_world(&couple->a, on_b));
}

trv_result trv_distance_points(const trv_vec3 *a, uint32_t count_a, trv_pose pose_a,
                               const trv_vec3 *b, uint32_t count_b, trv_pose pose_b, trv_gap *out)
{
    if (out == NULL)
        return TRV_ERROR_NULL;
    memset(out, 0, sizeof *out);
    trv_result result = check_points(a, count_a, pose_a);
    if (result == TRV_OK)
        result = check_points(b, count_b, pose_b);
    if (result != TRV_OK)
        return result;
    trvi_couple couple;
    couple_points(&couple, a, count_a, pose_a, b, count_b, pose_b);
    find_gap(&couple, out);
    return TRV_OK;
}
