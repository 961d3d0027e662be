// Whether regions of a hull's faces lie in one thin slab: what hull_unite.c makes one face of.
//
// All vertices of both regions count, along the sum of their vector areas. A face of many corners is
// asked about for each of the many faces beside it; that its outermost vertices alone do not lie in so
// thin a slab is proof enough, and so it takes no look at all corners for each of them. In the same way,
// that the hull is below the plane of each of its faces is proof that it is below the sum of some of them
// nearly everywhere, and so a vertex in which many edges meet is seldom climbed from.
//
// Invariant: what is said is what looking at every vertex says.
#include "hull_slab.h"

// A region of more corners than this has its outermost vertices looked at first.
#define MANY_CORNERS 24

static trvi_dvec3 from_center(const trv_hull *hull, uint32_t vertex)
{
    return trvi_dsub(trvi_dvec3_from(hull->vertices[vertex]), trvi_dvec3_from(hull->center));
}

static float along(trv_vec3 v, uint32_t axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

// Makes a span reach out to a vertex, too.
static void widen(const trv_hull *hull, trvi_span *span, uint32_t vertex)
{
    for (uint32_t axis = 0; axis < 3; axis++) {
        uint32_t *lowest = &span->vertex[2 * axis], *highest = lowest + 1;
        float at = along(hull->vertices[vertex], axis);
        if (at < along(hull->vertices[*lowest], axis))
            *lowest = vertex;
        if (at > along(hull->vertices[*highest], axis))
            *highest = vertex;
    }
}

static trvi_span span_of_face(const trv_hull *hull, uint32_t face)
{
    trvi_span span;
    for (uint32_t k = 0; k < 6; k++)
        span.vertex[k] = hull->edge_origin[hull->face_first[face]];
    for (uint32_t e = hull->face_first[face] + 1; e < hull->face_first[face + 1]; e++)
        widen(hull, &span, hull->edge_origin[e]);
    return span;
}

// Newell's sum, what lies highest along it, and whether the face is thinner than the tolerance. The hull is
// exact: it is below the face but for the rounding of the sum.
static void measure_face(trvi_regions *regions, uint32_t face)
{
    const trv_hull *hull = regions->hull;
    uint32_t begin = hull->face_first[face], end = hull->face_first[face + 1];
    trvi_dvec3 origin = trvi_dvec3_from(hull->vertices[hull->edge_origin[begin]]);
    trvi_dvec3 a = {0.0, 0.0, 0.0}, sum = {0.0, 0.0, 0.0};
    double square = 0.0;
    for (uint32_t e = begin + 1; e < end; e++) {
        trvi_dvec3 b = trvi_dsub(trvi_dvec3_from(hull->vertices[hull->edge_origin[e]]), origin);
        sum = trvi_dadd(sum, trvi_dcross(a, b));
        square = fmax(square, trvi_ddot(b, b));
        a = b;
    }
    regions->area[face] = sum;
    regions->lift[face] = trvi_ddot(sum, from_center(hull, hull->edge_origin[begin])) +
                          TRVI_AREA_ROUNDING * (double)(end - begin) * square * 2.0 * regions->far;
    regions->sliver[face] = trvi_dlength(sum) <= regions->tolerance * sqrt(square);
}

// How thick a slab may be for its vertices to count as coplanar.
static double tolerance_of(const trv_hull *hull)
{
    const trv_aabb *box = &hull->bounds;
    trvi_dvec3 size = trvi_dsub(trvi_dvec3_from(box->upper), trvi_dvec3_from(box->lower));
    double surface = 0.0, largest = trvi_aabb_reach(*box);
    for (uint32_t f = 0; f < hull->face_count; f++) {
        trvi_dvec3 sum = {0.0, 0.0, 0.0}, a = sum;
        trvi_dvec3 origin = from_center(hull, hull->edge_origin[hull->face_first[f]]);
        for (uint32_t e = hull->face_first[f] + 1; e < hull->face_first[f + 1]; e++) {
            trvi_dvec3 b = trvi_dsub(from_center(hull, hull->edge_origin[e]), origin);
            sum = trvi_dadd(sum, trvi_dcross(a, b));
            a = b;
        }
        surface += 0.5 * trvi_dlength(sum);
    }
    double wanted = TRVI_COPLANAR * trvi_dlength(size) + TRVI_COPLANAR_ROUNDING * largest;
    return fmin(wanted, TRVI_COPLANAR_THIN * hull->solid.volume / surface);
}

void trvi_regions_start(trvi_regions *regions)
{
    const trv_hull *hull = regions->hull;
    regions->tolerance = tolerance_of(hull);
    regions->far = 0.0;
    for (uint32_t v = 0; v < hull->vertex_count; v++)
        regions->far = fmax(regions->far, trvi_dlength(from_center(hull, v)));
    for (uint32_t f = 0; f < hull->face_count; f++) {
        measure_face(regions, f);
        regions->span[f] = span_of_face(hull, f);
        regions->corners[f] = hull->face_first[f + 1] - hull->face_first[f];
        regions->next_face[f] = f;
    }
}

// Two rings become one, or one that was so made becomes two again.
static void swap_next(trvi_regions *regions, uint32_t a, uint32_t b)
{
    uint32_t swap = regions->next_face[a];
    regions->next_face[a] = regions->next_face[b];
    regions->next_face[b] = swap;
}

trvi_region_before trvi_regions_join(trvi_regions *regions, uint32_t stays, uint32_t goes)
{
    trvi_region_before before = {regions->area[stays], regions->lift[stays], regions->span[stays]};
    regions->area[stays] = trvi_dadd(regions->area[stays], regions->area[goes]);
    regions->lift[stays] += regions->lift[goes];
    for (uint32_t k = 0; k < 6; k++)
        widen(regions->hull, &regions->span[stays], regions->span[goes].vertex[k]);
    regions->corners[stays] += regions->corners[goes];
    swap_next(regions, stays, goes);
    return before;
}

void trvi_regions_part(trvi_regions *regions, uint32_t stays, uint32_t goes,
                       const trvi_region_before *before)
{
    regions->area[stays] = before->area;
    regions->lift[stays] = before->lift;
    regions->span[stays] = before->span;
    regions->corners[stays] -= regions->corners[goes];
    swap_next(regions, stays, goes);
}

// Adds a vertex to a slab.
static inline void grow(const trv_hull *hull, trvi_dvec3 normal, uint32_t vertex, trvi_slab *s)
{
    double height = trvi_ddot(normal, from_center(hull, vertex));
    if (height > s->high) {
        s->high = height;
        s->top = vertex;
    }
    s->low = height < s->low ? height : s->low;
}

static bool is_thin(const trvi_slab *s)
{
    return s->high - s->low <= s->limit;
}

// Adds a region to a slab; false where that is thicker than the tolerance.
static bool grow_slab(const trvi_regions *regions, uint32_t root, trvi_slab *s)
{
    const trv_hull *hull = regions->hull;
    trvi_dvec3 normal = trvi_dvec3_from(s->normal);
    uint32_t face = root;
    do {
        for (uint32_t e = hull->face_first[face]; e < hull->face_first[face + 1]; e++)
            grow(hull, normal, hull->edge_origin[e], s);
        if (!is_thin(s))
            return false;
        face = regions->next_face[face];
    } while (face != root);
    return true;
}

// Some vertices of a region, and all where they are few. The heights are those that grow_slab finds.
static bool grow_by_span(const trvi_regions *regions, uint32_t root, trvi_slab *s)
{
    if (regions->corners[root] <= MANY_CORNERS)
        return grow_slab(regions, root, s);
    for (uint32_t k = 0; k < 6; k++)
        grow(regions->hull, trvi_dvec3_from(s->normal), regions->span[root].vertex[k], s);
    return is_thin(s);
}

// A height over the hull's centre that no vertex is above, along a normal that is that of the area but for
// its rounding to float32; the last term is for the rounding of heights.
static double most_along(const trvi_regions *regions, trvi_dvec3 area, double lift, trv_vec3 normal)
{
    double inverse = 1.0 / trvi_dlength(area);
    trvi_dvec3 off = trvi_dsub(trvi_dvec3_from(normal), trvi_dscale(area, inverse));
    return lift * inverse + (trvi_dlength(off) + TRVI_AREA_ROUNDING) * regions->far;
}

bool trvi_find_slab(const trvi_regions *regions, uint32_t a, uint32_t b, trvi_slab *s)
{
    trvi_dvec3 sum = trvi_dadd(regions->area[a], regions->area[b]);
    double length = trvi_dlength(sum);
    if (!(length > 0.0))
        return false;
    s->normal = trvi_vec3_from_double(trvi_dscale(sum, 1.0 / length));
    s->low = HUGE_VAL;
    s->high = -HUGE_VAL;
    s->limit = fmin(regions->tolerance, TRVI_COPLANAR_SLOPE * sqrt(length));
    if (regions->corners[a] > MANY_CORNERS || regions->corners[b] > MANY_CORNERS) {
        trvi_slab part = *s;
        if (!grow_by_span(regions, a, &part) || !grow_by_span(regions, b, &part))
            return false;
    }
    return grow_slab(regions, a, s) && grow_slab(regions, b, s);
}

static bool faces_along(const trvi_regions *regions, uint32_t root, trv_vec3 normal)
{
    uint32_t face = root;
    do {
        if (!regions->sliver[face] &&
            !(trvi_dot(regions->hull->planes[face].normal, normal) >= TRVI_COPLANAR_COSINE))
            return false;
        face = regions->next_face[face];
    } while (face != root);
    return true;
}

// The height of the hull's highest vertex, by climbing from the slab's. Each step goes up.
static double climb(const trv_hull *hull, const trvi_slab *s)
{
    trvi_dvec3 normal = trvi_dvec3_from(s->normal);
    uint32_t at = s->top, before = TRVI_NONE;
    double high = s->high;
    while (at != before) {
        before = at;
        for (uint32_t i = hull->neighbor_first[before]; i < hull->neighbor_first[before + 1]; i++) {
            double height = trvi_ddot(normal, from_center(hull, hull->neighbors[i]));
            if (height > high) {
                high = height;
                at = hull->neighbors[i];
            }
        }
    }
    return high;
}

// Whether what stands highest is no higher over the slab than it may be.
static bool is_level(const trvi_slab *s, double highest)
{
    return highest - s->low <= s->limit && highest - s->high <= TRVI_COPLANAR_OUTSIDE * s->limit;
}

bool trvi_is_one_plane(const trvi_regions *regions, uint32_t a, uint32_t b)
{
    trvi_slab s;
    if (!trvi_find_slab(regions, a, b, &s) || !faces_along(regions, a, s.normal) ||
        !faces_along(regions, b, s.normal))
        return false;
    double most = most_along(regions, trvi_dadd(regions->area[a], regions->area[b]),
                             regions->lift[a] + regions->lift[b], s.normal);
    if (!is_level(&s, most))
        return is_level(&s, climb(regions->hull, &s));
    TRVI_ASSERT(climb(regions->hull, &s) <= most);
    return true;
}
