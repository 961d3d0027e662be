// Volume, centroid and inertia of closed surfaces of polygons.
//
// The solid is the signed sum of the tetrahedra between an origin and the surface's triangles, and
// a polynomial of degree two integrates over a tetrahedron in closed form. Everything is in double.
// The first pass takes the middle of the bounds as origin and finds the centroid; the second takes
// the centroid, so that nothing cancels when inertia is moved there, and so that for a convex solid
// every term is positive: a needle's three moments are each right to their own size.
//
// Based on: Mirtich 1996, "Fast and Accurate Computation of Polyhedral Mass Properties"; Eberly
// 2002, "Polyhedral Mass Properties (Revisited)"; the integrals over tetrahedra are those of
// Tonon 2004, "Explicit Exact Formulas for the 3-D Tetrahedron Inertia Tensor".
#include "solid.h"

// Integrals over the tetrahedra so far, times 6 (volume), 24 (first) and 120 (second moments).
typedef struct integrals {
    double volume, gross;
    trvi_dvec3 first;
    double second[6]; // xx yy zz xy xz yz
} integrals;

// The tetrahedron of the origin and a, b, c, whose determinant is `det`.
static void add_tetrahedron(integrals *sum, double det, trvi_dvec3 a, trvi_dvec3 b, trvi_dvec3 c)
{
    trvi_dvec3 s = trvi_dadd(trvi_dadd(a, b), c);
    sum->volume += det;
    sum->gross += fabs(det);
    sum->first = trvi_dmul_add(sum->first, s, det);
    sum->second[0] += det * (s.x * s.x + a.x * a.x + b.x * b.x + c.x * c.x);
    sum->second[1] += det * (s.y * s.y + a.y * a.y + b.y * b.y + c.y * c.y);
    sum->second[2] += det * (s.z * s.z + a.z * a.z + b.z * b.z + c.z * c.z);
    sum->second[3] += det * (s.x * s.y + a.x * a.y + b.x * b.y + c.x * c.y);
    sum->second[4] += det * (s.x * s.z + a.x * a.z + b.x * b.z + c.x * c.z);
    sum->second[5] += det * (s.y * s.z + a.y * a.z + b.y * b.z + c.y * c.z);
}

static trvi_dvec3 corner(const trvi_shell *shell, uint32_t at, trvi_dvec3 origin)
{
    return trvi_dsub(trvi_dvec3_from(shell->vertices[shell->corners[at]]), origin);
}

static integrals integrate(const trvi_shell *shell, trvi_dvec3 origin)
{
    integrals sum = {0};
    for (uint32_t f = shell->begin; f < shell->end; f++) {
        trvi_dvec3 a = corner(shell, shell->first[f], origin);
        trvi_dvec3 b = corner(shell, shell->first[f] + 1, origin);
        for (uint32_t i = shell->first[f] + 2; i < shell->first[f + 1]; i++) {
            trvi_dvec3 c = corner(shell, i, origin);
            add_tetrahedron(&sum, trvi_ddot(a, trvi_dcross(b, c)), a, b, c);
            b = c;
        }
    }
    return sum;
}

// A corner of the surface, the same one whatever the numbers of the vertices.
static trv_vec3 first_corner(const trvi_shell *shell)
{
    return shell->vertices[shell->corners[shell->first[shell->begin]]];
}

// The same with the first corner as origin and exact determinants, none of which is negative on a
// convex solid: for hulls so flat that the others are noise.
static integrals integrate_flat(const trvi_shell *shell)
{
    integrals sum = {0};
    const trv_vec3 *v = shell->vertices;
    trv_vec3 start = first_corner(shell);
    trvi_dvec3 origin = trvi_dvec3_from(start);
    for (uint32_t f = shell->begin; f < shell->end; f++) {
        const uint32_t *corners = shell->corners;
        uint32_t first = shell->first[f];
        for (uint32_t i = first + 1; i + 1 < shell->first[f + 1]; i++) {
            double det =
                trvi_orient3d_value(start, v[corners[first]], v[corners[i]], v[corners[i + 1]]);
            add_tetrahedron(&sum, det, corner(shell, first, origin), corner(shell, i, origin),
                            corner(shell, i + 1, origin));
        }
    }
    return sum;
}

static trvi_dvec3 centroid_of(const integrals *sum, trvi_dvec3 origin)
{
    return trvi_dmul_add(origin, sum->first, 0.25 / sum->volume);
}

static trvi_solid solid_from(const integrals *sum, trvi_dvec3 origin)
{
    trvi_solid solid = {.volume = sum->volume / 6.0, .centroid = centroid_of(sum, origin)};
    trvi_dvec3 d = trvi_dsub(solid.centroid, origin);
    double shift[6] = {d.x * d.x, d.y * d.y, d.z * d.z, d.x * d.y, d.x * d.z, d.y * d.z};
    double m[6]; // second moments about the centroid
    for (int i = 0; i < 6; i++)
        m[i] = sum->second[i] / 120.0 - solid.volume * shift[i];
    solid.inertia[0] = m[1] + m[2];
    solid.inertia[1] = m[0] + m[2];
    solid.inertia[2] = m[0] + m[1];
    for (int i = 3; i < 6; i++)
        solid.inertia[i] = -m[i];
    return solid;
}

trvi_solid trvi_solid_of_shell(const trvi_shell *shell, trvi_dvec3 center, double *gross)
{
    integrals sum = integrate(shell, center);
    if (gross)
        *gross = sum.gross / 6.0;
    if (!(sum.volume > 0.0))
        return (trvi_solid){.volume = sum.volume / 6.0};
    trvi_dvec3 middle = centroid_of(&sum, center);
    integrals about_middle = integrate(shell, middle);
    if (about_middle.volume > 0.0)
        return solid_from(&about_middle, middle);
    return solid_from(&sum, center);
}

trvi_solid trvi_solid_of_hull(const trv_hull *hull)
{
    trvi_shell shell = {.vertices = hull->vertices,
                        .first = hull->face_first,
                        .corners = hull->edge_origin,
                        .end = hull->face_count};
    double gross;
    trvi_solid solid = trvi_solid_of_shell(&shell, trvi_dvec3_from(hull->center), &gross);
    if (solid.volume > TRVI_FLAT_VOLUME * gross)
        return solid;
    integrals sum = integrate_flat(&shell);
    return solid_from(&sum, trvi_dvec3_from(first_corner(&shell)));
}

double trvi_volume_of_hull(const trv_hull *hull)
{
    trvi_shell shell = {.vertices = hull->vertices,
                        .first = hull->face_first,
                        .corners = hull->edge_origin,
                        .end = hull->face_count};
    trvi_dvec3 center = trvi_dvec3_from(hull->center);
    double sum = 0.0, gross = 0.0;
    for (uint32_t f = 0; f < shell.end; f++) {
        trvi_dvec3 a = corner(&shell, shell.first[f], center);
        trvi_dvec3 b = corner(&shell, shell.first[f] + 1, center);
        for (uint32_t i = shell.first[f] + 2; i < shell.first[f + 1]; i++) {
            trvi_dvec3 c = corner(&shell, i, center);
            double det = trvi_ddot(a, trvi_dcross(b, c));
            sum += det;
            gross += fabs(det);
            b = c;
        }
    }
    if (sum > TRVI_FLAT_VOLUME * gross)
        return sum / 6.0;
    return integrate_flat(&shell).volume / 6.0;
}

trv_result trvi_mass_of_solid(const trvi_solid *solid, float density, trv_mass *out)
{
    if (!trvi_is_finite(density))
        return TRV_ERROR_NUMBER;
    if (!(density > 0.0f))
        return TRV_ERROR_RANGE;
    trv_mass mass = {.mass = (float)(solid->volume * density),
                     .center = trvi_vec3_from_double(solid->centroid)};
    bool representable = mass.mass > 0.0f && trvi_is_finite(mass.mass);
    for (int i = 0; i < 6; i++) {
        mass.inertia[i] = (float)(solid->inertia[i] * density);
        representable = representable && trvi_is_finite(mass.inertia[i]);
    }
    for (int i = 0; i < 3; i++)
        representable = representable && mass.inertia[i] > 0.0f;
    if (!representable)
        return TRV_ERROR_VOLUME;
    *out = mass;
    return TRV_OK;
}
