// A hull with few vertices round one with many: which of its planes to keep.
//
// Seen from a point inside, a plane at the distance d with the normal n is the point n / d: the hull of
// these points has a vertex for each plane and a face for each corner of the solid, and a plane that is
// dropped is a vertex that goes. So the solid is thinned by its planes as others are by their vertices
// (hull_thin.c); the cost is what the solid grows by. Which planes stay decides how good the result is,
// but nothing rests on it: each of them is moved out to the farthest point and some way beyond, its
// corners are rounded, and whoever builds their hull has to ask whether it holds all points, and to
// come back for a wider one if it does not. The last resort is a box, or a corner of one.
//
// Based on: Preparata and Muller 1979, "Finding the Intersection of n Half-Spaces in Time O(n log n)"
// (the points for planes).
#include <string.h>

#include "hull_limit.h"
#include "hull_thin.h"
#include "mesh.h"

// Where three planes meet: `normal` is that of the triangle of their points, whose plane has `height`
// over the origin. False where they do not meet on the solid's side, or so far away that the place is
// noise; lengths are in half extents of the solid.
static bool meet(trvi_dvec3 a, trvi_dvec3 b, trvi_dvec3 c, trvi_dvec3 *place)
{
    trvi_dvec3 normal = trvi_dcross(trvi_dsub(b, a), trvi_dsub(c, a));
    double height = trvi_ddot(normal, a);
    if (!(height * TRVI_LIMIT_REACH > trvi_dlength(normal)))
        return false;
    *place = trvi_dscale(normal, 1.0 / height);
    return true;
}

static trvi_dvec3 plane_at(const trvi_thinner *thinner, const trvi_patch *patch, uint32_t place)
{
    return trvi_dvec3_from(thinner->points[patch->ring[place]]);
}

// The places where the new corners are, and the old ones that go.
static bool find_corners(const trvi_thinner *thinner, const trvi_patch *patch, trvi_dvec3 *fresh,
                         trvi_dvec3 *old)
{
    trvi_dvec3 apex = trvi_dvec3_from(thinner->points[patch->vertex]);
    for (uint32_t i = 0; i < patch->sides; i++)
        if (!meet(apex, plane_at(thinner, patch, i),
                  plane_at(thinner, patch, i + 1 < patch->sides ? i + 1 : 0), &old[i]))
            return false;
    for (uint32_t t = 0; t < patch->sides - 2; t++) {
        const uint32_t *k = patch->triangle[t];
        if (!meet(plane_at(thinner, patch, k[0]), plane_at(thinner, patch, k[1]),
                  plane_at(thinner, patch, k[2]), &fresh[t]))
            return false;
    }
    return true;
}

// Six times the volume between the plane that goes and those beside it. A face of that piece lies in
// the plane of each neighbour i; cut into triangles from its corner old[i], it is the base of pyramids
// with the apex old[0]. An edge of the piece lies between the corners of two triangles of the
// patch that share an edge, in the planes of the edge's ends. The face in the plane that goes holds
// the apex and adds nothing.
static double added_volume(const trvi_thinner *thinner, const trvi_patch *patch)
{
    trvi_dvec3 fresh[TRVI_PATCH_RING], old[TRVI_PATCH_RING];
    if (!find_corners(thinner, patch, fresh, old))
        return HUGE_VAL;
    double sum = 0.0;
    for (uint32_t t = 0; t < patch->sides - 2; t++) {
        trvi_dvec3 here = trvi_dsub(fresh[t], old[0]);
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t beside = patch->beside[t][k];
            bool inner = beside < TRVI_PATCH_RING;
            uint32_t start = patch->triangle[t][k], end = patch->triangle[t][k == 2 ? 0 : k + 1];
            trvi_dvec3 there =
                trvi_dsub(inner ? fresh[beside] : old[beside - TRVI_PATCH_RING], old[0]);
            trvi_dvec3 base = trvi_dsub(old[start], old[0]);
            if (inner) { // the edge's end has its turn in the triangle beside
                sum += trvi_ddot(base, trvi_dcross(there, here));
            } else { // at its start `there` is the base itself
                base = trvi_dsub(old[end], old[0]);
                sum += trvi_ddot(base, trvi_dcross(here, there));
            }
        }
    }
    return fmax(sum, 0.0);
}

// --- planes as points, and back ---

static bool comes_before(trv_vec3 a, trv_vec3 b)
{
    if (a.x != b.x)
        return a.x < b.x;
    return a.y != b.y ? a.y < b.y : a.z < b.z;
}

static trvi_dvec3 multiply(trvi_dvec3 a, trvi_dvec3 b)
{
    return (trvi_dvec3){a.x * b.x, a.y * b.y, a.z * b.z};
}

// A face's direction, summed from its least corner on, so that it does not depend on where the loop
// begins; and the distance from the centre of its farthest corner along it, with zero where there is
// no direction.
static double face_distance(const trv_hull *full, uint32_t face, trvi_dvec3 center,
                            trvi_dvec3 *normal)
{
    uint32_t begin = full->face_first[face], end = full->face_first[face + 1], least = begin;
    const trv_vec3 *v = full->vertices;
    const uint32_t *corner = full->edge_origin;
    for (uint32_t e = begin + 1; e < end; e++)
        if (comes_before(v[corner[e]], v[corner[least]]))
            least = e;
    trvi_dvec3 origin = trvi_dvec3_from(v[corner[least]]);
    trvi_dvec3 sum = {0.0, 0.0, 0.0}, a = sum;
    for (uint32_t e = trvi_edge_next(full, least); e != least; e = trvi_edge_next(full, e)) {
        trvi_dvec3 b = trvi_dsub(trvi_dvec3_from(v[corner[e]]), origin);
        sum = trvi_dadd(sum, trvi_dcross(a, b));
        a = b;
    }
    double length = trvi_dlength(sum), distance = 0.0;
    if (!(length > 0.0))
        return 0.0;
    *normal = trvi_dscale(sum, 1.0 / length);
    for (uint32_t e = begin; e < end; e++)
        distance =
            fmax(distance, trvi_ddot(*normal, trvi_dsub(trvi_dvec3_from(v[corner[e]]), center)));
    return distance;
}

// The points of the planes; their number. Planes that pass by the centre too near are left out.
static uint32_t turn_planes(const trv_hull *full, const trvi_hull_outer *outer, trv_vec3 *points)
{
    uint32_t count = 0;
    for (uint32_t f = 0; f < full->face_count; f++) {
        trvi_dvec3 normal;
        double distance = face_distance(full, f, outer->center, &normal);
        if (!(distance > 0.0))
            continue;
        trvi_dvec3 point = trvi_dscale(multiply(normal, outer->half), 1.0 / distance);
        if (trvi_dlength(point) < TRVI_LIMIT_FLAT)
            points[count++] = trvi_vec3_from_double(point);
    }
    return count;
}

// The planes that are left, each moved out to the farthest vertex, and the triples of them that meet.
static trv_result keep_planes(trvi_hull_outer *outer, const trv_hull *exact,
                              const trvi_thinner *thinner)
{
    size_t planes = thinner->vertex_count, corners = 2 * planes - 4;
    size_t planes_size = sizeof(trvi_outer_plane) * planes;
    outer->block_size = planes_size + 3 * sizeof(uint32_t) * corners;
    outer->block = trvi_allocate(&outer->allocator, outer->block_size);
    if (outer->block == NULL)
        return TRV_ERROR_MEMORY;
    outer->planes = outer->block;
    outer->corners = (void *)((char *)outer->block + planes_size);
    uint32_t count = 0;
    for (uint32_t v = 0; v < thinner->point_count; v++) {
        if (thinner->face_at[v] == TRVI_NONE)
            continue;
        thinner->place[v] = count; // the queue is done with
        trvi_outer_plane *plane = &outer->planes[count++];
        trvi_dvec3 point = trvi_dvec3_from(thinner->points[v]);
        trvi_dvec3 normal = {point.x / outer->half.x, point.y / outer->half.y,
                             point.z / outer->half.z};
        plane->normal = trvi_dscale(normal, 1.0 / trvi_dlength(normal));
        plane->distance = -HUGE_VAL;
        for (uint32_t i = 0; i < exact->vertex_count; i++)
            plane->distance =
                fmax(plane->distance,
                     trvi_ddot(plane->normal,
                               trvi_dsub(trvi_dvec3_from(exact->vertices[i]), outer->center)));
    }
    for (uint32_t f = 0; f < thinner->face_count; f++)
        if (thinner->faces[f].vertex[0] != TRVI_NONE)
            for (uint32_t k = 0; k < 3; k++)
                outer->corners[3 * outer->corner_count + k] =
                    thinner->place[thinner->faces[f].vertex[k]],
                                                         outer->corner_count += k == 2;
    return TRV_OK;
}

// To the nearest of 2^32 parts of a size.
static double round_to(double value, double size)
{
    return floor(value / size * 0x1p32 + 0.5) * 0x1p-32 * size;
}

trv_result trvi_hull_outer_start(trvi_hull_outer *outer, const trv_hull *full,
                                 const trv_hull *exact, uint32_t most)
{
    trv_vec3 lower = exact->bounds.lower, upper = exact->bounds.upper;
    trvi_dvec3 size = trvi_dsub(trvi_dvec3_from(upper), trvi_dvec3_from(lower));
    // The last bits of the centroid depend on the order of the faces, and nothing else here does.
    trvi_dvec3 middle = trvi_dscale(trvi_dadd(trvi_dvec3_from(lower), trvi_dvec3_from(upper)), 0.5);
    trvi_dvec3 arm = trvi_dsub(exact->solid.centroid, middle);
    arm = (trvi_dvec3){round_to(arm.x, size.x), round_to(arm.y, size.y), round_to(arm.z, size.z)};
    *outer = (trvi_hull_outer){.allocator = full->allocator,
                               .full = full,
                               .center = trvi_dadd(middle, arm),
                               .half = trvi_dscale(size, 0.5),
                               .most = most};
    double flat = TRVI_COPLANAR * trvi_dlength(size) +
                  TRVI_COPLANAR_ROUNDING * trvi_aabb_reach(exact->bounds);
    outer->step = flat * TRVI_LIMIT_STEP;
    uint32_t planes = most / 2 + 2; // three of them at each of at most 2 * planes - 4 corners
    size_t points_size = sizeof(trv_vec3) * full->face_count;
    trv_vec3 *points = trvi_allocate(&outer->allocator, points_size);
    if (points == NULL)
        return TRV_ERROR_MEMORY;
    uint32_t count = turn_planes(full, outer, points);
    trvi_hull_corners all = {.count = 0};
    trvi_thinner thinner = {.block = NULL};
    trv_result result = count < 4 ? TRV_ERROR_COPLANAR
                                  : trvi_hull_corners_find(&all, &outer->allocator, points, count);
    if (result == TRV_OK) {
        result = trvi_thinner_start(&thinner, &all.builder, added_volume);
        if (result == TRV_OK)
            trvi_thinner_run(&thinner, planes);
        if (result == TRV_OK && thinner.vertex_count <= planes)
            result = keep_planes(outer, exact, &thinner);
        trvi_thinner_free(&thinner);
    }
    if (count >= 4)
        trvi_hull_corners_free(&all);
    trvi_free(&outer->allocator, points, points_size);
    return result == TRV_ERROR_MEMORY ? result : TRV_OK; // without planes, a box has to do
}

void trvi_hull_outer_free(trvi_hull_outer *outer)
{
    trvi_free(&outer->allocator, outer->block, outer->block_size);
}

// --- corners ---

// Where three planes meet that stand out by `margin`, to float32; false where that is nowhere.
static bool place_corner(const trvi_hull_outer *outer, const uint32_t corner[3], double margin,
                         trv_vec3 *placed)
{
    const trvi_outer_plane *a = &outer->planes[corner[0]], *b = &outer->planes[corner[1]];
    const trvi_outer_plane *c = &outer->planes[corner[2]];
    trvi_dvec3 bc = trvi_dcross(b->normal, c->normal), ca = trvi_dcross(c->normal, a->normal);
    trvi_dvec3 ab = trvi_dcross(a->normal, b->normal);
    double determinant = trvi_ddot(a->normal, bc);
    trvi_dvec3 sum = trvi_dscale(bc, a->distance + margin);
    sum = trvi_dmul_add(sum, ca, b->distance + margin);
    sum = trvi_dmul_add(sum, ab, c->distance + margin);
    if (!(determinant > 0.0))
        return false;
    trvi_dvec3 place = trvi_dadd(trvi_dscale(sum, 1.0 / determinant), outer->center);
    double largest = fmax(fmax(fabs(place.x), fabs(place.y)), fabs(place.z));
    if (!(largest < (double)TRV_COORD_MAX))
        return false;
    *placed = trvi_vec3_from_double(place);
    return true;
}

// The corners of the box where there is room for eight, or else the tetrahedron in one of its
// corners that holds it. TRV_ERROR_RANGE where they are too far away.
static trv_result place_box(const trvi_hull_outer *outer, double margin, trv_vec3 *placed,
                            uint32_t *count)
{
    trv_obb box;
    trv_result result = trv_hull_fit_box(outer->full, TRV_BOX_FIT_TIGHT, &box);
    trvi_dmat3 axes = trvi_dmat3_from_quat(box.rotation);
    trvi_dvec3 half = {box.half.x + margin, box.half.y + margin, box.half.z + margin};
    *count = outer->most >= 8 ? 8 : 4;
    for (uint32_t i = 0; i < *count && result == TRV_OK; i++) {
        trvi_dvec3 d = {i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0};
        if (*count == 4) // three sides of the box along each of its edges from one corner on
            d = (trvi_dvec3){i == 1 ? 5.0 : -1.0, i == 2 ? 5.0 : -1.0, i == 3 ? 5.0 : -1.0};
        trvi_dvec3 place =
            trvi_dadd(trvi_dvec3_from(box.center), trvi_dmat3_mul(&axes, multiply(d, half)));
        placed[i] = trvi_vec3_from_double(place);
        result = trvi_check_vec3(placed[i]);
    }
    return result;
}

trv_result trvi_hull_outer_place(const trvi_hull_outer *outer, uint32_t attempt, trv_vec3 *placed,
                                 uint32_t *count)
{
    const uint32_t half = TRVI_OUTER_ATTEMPTS / 2;
    double margin = outer->step * ldexp(1.0, (int)(attempt % half));
    *count = 0;
    if (attempt >= half)
        return place_box(outer, margin, placed, count);
    while (*count < outer->corner_count &&
           place_corner(outer, &outer->corners[(size_t)3 * *count], margin, &placed[*count]))
        ++*count;
    return *count < outer->corner_count || *count == 0 ? TRV_ERROR_RANGE : TRV_OK;
}
