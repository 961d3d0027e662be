// Rays against needles, sheets and wedges, by their corners.
//
// Planes have float32 normals, and where sharp edges and tips are, those meet far outside of the
// hull: by as much more than their rounding as the hull is longer than thick. What such planes say
// is looked at once more. A place above a face, between its edges, is on the hull for certain.
// Elsewhere the ray's point goes along as far as the plane between it and the hull lets it, which
// is found anew at each stop, until it touches or is past where it left the planes.
// Invariant: the point never goes past a place on the hull, as that is beyond the plane.
// Based on: van den Bergen 2004, "Ray casting against general convex objects with application to
// continuous collision detection" (the advance along supporting planes).
#include "ray_thin.h"

#include "gjk.h"

enum { MAX_STOPS = 64 }; // then the ray, which is within the widened planes yet, counts as a hit

// Between the edges of the face? A sliver beside two that meet at a sharp angle may be far past
// their corner: nothing is allowed for rounding.
static bool is_over_face(const trv_hull *hull, uint32_t face, trvi_dvec3 p)
{
    trvi_dvec3 n = trvi_dvec3_from(hull->planes[face].normal);
    for (uint32_t e = hull->face_first[face]; e < hull->face_first[face + 1]; e++) {
        trvi_dvec3 a = trvi_dvec3_from(hull->vertices[hull->edge_origin[e]]);
        trvi_dvec3 b = trvi_dvec3_from(hull->vertices[hull->edge_origin[hull->edge_twin[e]]]);
        if (!(trvi_ddot(trvi_dcross(n, trvi_dsub(b, a)), trvi_dsub(p, a)) >= 0.0))
            return false;
    }
    return true;
}

// Of the faces that the ray comes down on, the one that the point is highest above.
static uint32_t face_at(const trv_hull *hull, trvi_dvec3 travel, trvi_dvec3 p, uint32_t face)
{
    double highest = -HUGE_VAL;
    for (uint32_t f = 0; f < hull->face_count; f++) {
        trvi_dvec3 n = trvi_dvec3_from(hull->planes[f].normal);
        double height = trvi_ddot(n, p) + (double)hull->planes[f].offset;
        if (trvi_ddot(n, travel) < 0.0 && height > highest) {
            highest = height;
            face = f;
        }
    }
    return face;
}

// The hull, and the beginning of the ray as a point.
static void set_couple(const trv_hull *hull, trvi_dvec3 origin, trvi_couple *couple)
{
    const trv_vec3 zero = {0.0f, 0.0f, 0.0f};
    const trv_shape solid = trv_make_hull(hull), point = trv_make_sphere(zero, 0.0f);
    trvi_couple_set(couple, &solid, trv_make_pose(zero), &point, trv_make_pose(zero));
    trvi_couple_place(couple, &couple->a.rotation, &couple->b.rotation, &origin);
}

// The point goes from `*fraction` to where it touches; false where it is past `last` before.
static bool advance(const trvi_couple *couple, trvi_dvec3 travel, double slack, double last,
                    double *fraction)
{
    for (uint32_t stop = 0; stop < MAX_STOPS; stop++) {
        trvi_gjk gjk;
        trvi_gjk_run(couple, trvi_dscale(travel, *fraction), HUGE_VAL, &gjk);
        if (gjk.state != TRVI_GJK_APART || !(gjk.gap > slack))
            return true;
        double closing = -trvi_ddot(gjk.normal, travel);
        if (!(closing > 0.0))
            return false;
        *fraction += (gjk.gap - 0.5 * slack) / closing;
        if (!(*fraction <= last))
            return false;
    }
    return true;
}

bool trvi_ray_settle(const trv_hull *hull, trvi_dvec3 origin, trvi_dvec3 travel, trvi_span *span)
{
    if (hull->inner_radius >= TRVI_RAY_THIN * hull->radius)
        return true;
    double reach = trvi_dlength(trvi_dvec3_from(hull->center)) + (double)hull->radius;
    double slack = TRVI_RAY_SLACK * reach, told = fmin(span->fraction, span->leave);
    trvi_dvec3 at = trvi_dmul_add(origin, travel, told);
    if (span->outside && is_over_face(hull, span->face, at))
        return true;
    trvi_couple couple;
    set_couple(hull, origin, &couple);
    double fraction = span->outside ? span->enter : 0.0;
    if (!advance(&couple, travel, slack, span->leave, &fraction))
        return false;
    bool knows_face = span->outside; // else it is within the slack of all planes
    span->outside |= fraction > 0.0;
    if (!span->outside || (knows_face && fabs(fraction - told) * trvi_dlength(travel) <= slack))
        return true;
    at = trvi_dmul_add(origin, travel, fraction);
    span->fraction = fraction;
    span->face = face_at(hull, travel, at, span->face);
    return true;
}
