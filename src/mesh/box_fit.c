// Boxes fitted around hulls: along the frame's axes, along the principal axes, and nearly smallest.
//
// The smallest box of one given direction comes from the smallest rectangle around the projection
// along it, which rotating calipers find exactly. The search takes the normals of the largest faces
// as directions (the smallest box often lies flush with one), then improves the best ones: the box
// is turned about each of its own axes in turn, again by calipers, while that makes it smaller. The
// box of few vertices need not lie flush with any face, so the ways from vertex to vertex are tried
// as well, and of very few vertices directions all round.
// Every result is made by box_along(), which contains all vertices whatever the search did.
//
// Based on: Toussaint 1983, "Solving Geometric Problems with the Rotating Calipers"; O'Rourke 1985,
// "Finding Minimal Enclosing Boxes"; Chang, Gorissen and Melchior 2011, "Fast Oriented Bounding Box
// Optimization on the Rotation Group SO(3,R)" (the alternation). Planar hulls: Andrew 1979, "Another
// Efficient Algorithm for Convex Hulls in Two Dimensions".
#include <string.h>

#include "mesh.h"

// The smallest box of that orientation: its centre is rounded first, then the half extents reach
// every vertex from there.
static trv_obb box_along(const trv_hull *hull, trv_quat rotation)
{
    trvi_dmat3 axes = trvi_dmat3_from_quat(rotation);
    trvi_dvec3 near = trvi_dvec3_from(hull->vertices[0]); // heights are relative to it
    trvi_dvec3 lower = {0.0, 0.0, 0.0}, upper = lower;
    for (uint32_t v = 1; v < hull->vertex_count; v++) {
        trvi_dvec3 d = trvi_dsub(trvi_dvec3_from(hull->vertices[v]), near);
        trvi_dvec3 h = trvi_dmat3_mul_transposed(&axes, d);
        lower = (trvi_dvec3){fmin(lower.x, h.x), fmin(lower.y, h.y), fmin(lower.z, h.z)};
        upper = (trvi_dvec3){fmax(upper.x, h.x), fmax(upper.y, h.y), fmax(upper.z, h.z)};
    }
    trvi_dvec3 middle = trvi_dmat3_mul(&axes, trvi_dscale(trvi_dadd(lower, upper), 0.5));
    trv_vec3 center = trvi_vec3_from_double(trvi_dadd(near, middle));
    trvi_dvec3 off = trvi_dsub(near, trvi_dvec3_from(center));
    off = trvi_dmat3_mul_transposed(&axes, off);
    trv_vec3 half = {trvi_round_up(fmax(upper.x + off.x, -(lower.x + off.x))),
                     trvi_round_up(fmax(upper.y + off.y, -(lower.y + off.y))),
                     trvi_round_up(fmax(upper.z + off.z, -(lower.z + off.z)))};
    return (trv_obb){center, half, rotation};
}

// How many boxes of a round are improved at most, and how many turns each gets. Beyond that the gain
// is next to nothing.
enum { CANDIDATES = 40, TURNS = 24 };

// A start costs time in proportion to the vertices, so the more there are the fewer starts are tried
// and improved: these numbers are divided by that of the vertices, but there are as many at least.
enum { FACES = 200000, FACES_LEAST = 64, WORTH = 2000, WORTH_LEAST = 12 };
enum { PAIRS = 10000, PAIRS_WORTH = 800, PAIRS_WORTH_LEAST = 4 };

// With no more vertices than FEW, directions all round are tried: a grid of GRID x GRID on the sides
// of a cube. With more, the pairs of vertices are dense enough.
enum { FEW = 12, GRID = 6 };

typedef struct flat_point {
    double x, y;
} flat_point;

typedef struct candidate {
    double volume;
    trvi_dmat3 axes; // in the columns
} candidate;

typedef struct fitter {
    const trv_hull *hull;
    flat_point *flat;           // [vertex_count] the projection, sorted
    flat_point *ring;           // [2 * vertex_count] its convex hull, counter-clockwise
    candidate best[CANDIDATES]; // ascending by volume
    uint32_t count;
} fitter;

static trvi_dvec3 column_of(const trvi_dmat3 *m, int k)
{
    return (trvi_dvec3){m->m[0][k], m->m[1][k], m->m[2][k]};
}

static bool flat_less(flat_point a, flat_point b)
{
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}

static void sift_down(flat_point *points, uint32_t root, uint32_t count)
{
    flat_point moved = points[root];
    for (uint32_t child = 2 * root + 1; child < count; child = 2 * root + 1) {
        if (child + 1 < count && flat_less(points[child], points[child + 1]))
            child++;
        if (!flat_less(moved, points[child]))
            break;
        points[root] = points[child];
        root = child;
    }
    points[root] = moved;
}

static void sort_flat(flat_point *points, uint32_t count)
{
    for (uint32_t i = count / 2; i-- > 0;)
        sift_down(points, i, count);
    for (uint32_t end = count; end-- > 1;) {
        flat_point last = points[end];
        points[end] = points[0];
        points[0] = last;
        sift_down(points, 0, end);
    }
}

// Twice the area of a, b, c; positive when they turn left.
static double turn_of(flat_point a, flat_point b, flat_point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// The convex hull of the sorted projection, up to rounding, which may put nearly collinear points
// on both sides: up to twice `count` corners. Returns their number.
static uint32_t make_ring(const flat_point *flat, uint32_t count, flat_point *ring)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) { // the lower side, left to right
        while (kept >= 2 && turn_of(ring[kept - 2], ring[kept - 1], flat[i]) <= 0.0)
            kept--;
        ring[kept++] = flat[i];
    }
    uint32_t lower = kept + 1;
    for (uint32_t i = count - 1; i-- > 0;) { // the upper side, back
        while (kept >= lower && turn_of(ring[kept - 2], ring[kept - 1], flat[i]) <= 0.0)
            kept--;
        ring[kept++] = flat[i];
    }
    return kept - 1; // the first corner came again
}

// From corner `at` on to the furthest corner along d; each full turn passes it, so at most `count`
// steps are made.
static uint32_t climb(const flat_point *ring, uint32_t count, uint32_t at, flat_point d)
{
    for (uint32_t step = 0; step < count; step++) {
        uint32_t next = at + 1 < count ? at + 1 : 0;
        if (d.x * (ring[next].x - ring[at].x) + d.y * (ring[next].y - ring[at].y) <= 0.0)
            return at;
        at = next;
    }
    return at;
}

// A side (unit) of the smallest rectangle around the ring; it lies along a side of the ring.
static flat_point smallest_rectangle(const flat_point *ring, uint32_t count)
{
    flat_point side = {1.0, 0.0};
    double least = HUGE_VAL;
    uint32_t right = 0, top = 0, left = 0;
    for (uint32_t i = 0; i < count; i++) {
        flat_point a = ring[i], b = ring[i + 1 < count ? i + 1 : 0];
        double length = sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
        if (!(length > 0.0))
            continue;
        flat_point d = {(b.x - a.x) / length, (b.y - a.y) / length}, up = {-d.y, d.x};
        right = climb(ring, count, i == 0 ? 1 % count : right, d);
        top = climb(ring, count, i == 0 ? right : top, up);
        left = climb(ring, count, i == 0 ? top : left, (flat_point){-d.x, -d.y});
        flat_point across = {ring[right].x - ring[left].x, ring[right].y - ring[left].y};
        flat_point high = {ring[top].x - a.x, ring[top].y - a.y};
        double area = (across.x * d.x + across.y * d.y) * (high.x * up.x + high.y * up.y);
        if (area < least) {
            least = area;
            side = d;
        }
    }
    return side;
}

// The extent of the projection along a unit vector.
static double extent_along(const flat_point *flat, uint32_t count, flat_point d)
{
    double lower = HUGE_VAL, upper = -HUGE_VAL;
    for (uint32_t i = 0; i < count; i++) {
        double x = flat[i].x * d.x + flat[i].y * d.y;
        lower = x < lower ? x : lower;
        upper = x > upper ? x : upper;
    }
    return upper - lower;
}

// A unit vector square to the unit vector n.
static trvi_dvec3 square_to(trvi_dvec3 n)
{
    trvi_dvec3 axis = {0.0, 0.0, 0.0};
    if (fabs(n.x) <= fabs(n.y) && fabs(n.x) <= fabs(n.z))
        axis.x = 1.0;
    else if (fabs(n.y) <= fabs(n.z))
        axis.y = 1.0;
    else
        axis.z = 1.0;
    trvi_dvec3 u = trvi_dcross(n, axis);
    return trvi_dscale(u, 1.0 / trvi_dlength(u));
}

// The smallest box with one axis along the unit vector n. Its volume is that of the extents of all
// vertices, whatever rounding did to the ring. O(n log n).
static candidate smallest_along(const fitter *fit, trvi_dvec3 n)
{
    const trv_hull *hull = fit->hull;
    trvi_dvec3 center = trvi_dvec3_from(hull->center), u = square_to(n), v = trvi_dcross(n, u);
    double lower = HUGE_VAL, upper = -HUGE_VAL;
    for (uint32_t i = 0; i < hull->vertex_count; i++) {
        trvi_dvec3 d = trvi_dsub(trvi_dvec3_from(hull->vertices[i]), center);
        double height = trvi_ddot(d, n);
        lower = height < lower ? height : lower;
        upper = height > upper ? height : upper;
        fit->flat[i] = (flat_point){trvi_ddot(d, u), trvi_ddot(d, v)};
    }
    sort_flat(fit->flat, hull->vertex_count);
    uint32_t corners = make_ring(fit->flat, hull->vertex_count, fit->ring);
    flat_point side = smallest_rectangle(fit->ring, corners), up = {-side.y, side.x};
    double volume = (upper - lower) * extent_along(fit->flat, hull->vertex_count, side) *
                    extent_along(fit->flat, hull->vertex_count, up);
    trvi_dvec3 a = trvi_dmul_add(trvi_dscale(u, side.x), v, side.y), b = trvi_dcross(n, a);
    return (candidate){volume, {{{a.x, b.x, n.x}, {a.y, b.y, n.y}, {a.z, b.z, n.z}}}};
}

// Keeps the smallest ones, in order.
static void offer(fitter *fit, candidate box)
{
    uint32_t at = fit->count < CANDIDATES ? fit->count++ : CANDIDATES;
    for (; at > 0 && box.volume < fit->best[at - 1].volume; at--)
        if (at < CANDIDATES)
            fit->best[at] = fit->best[at - 1];
    if (at < CANDIDATES)
        fit->best[at] = box;
}

// Turns the box about its own axes while it shrinks.
static candidate improve(const fitter *fit, candidate box)
{
    int idle = 0; // axes in a row that gave nothing
    for (int i = 0; i < TURNS && idle < 3; i++) {
        candidate next = smallest_along(fit, column_of(&box.axes, i % 3));
        bool gain = next.volume < box.volume * (1.0 - TRVI_BOX_GAIN);
        idle = gain ? 0 : idle + 1;
        if (gain)
            box = next;
    }
    return box;
}

static double area_of(const trv_hull *hull, uint32_t face)
{
    uint32_t first = hull->face_first[face];
    trvi_dvec3 a = trvi_dvec3_from(hull->vertices[hull->edge_origin[first]]), sum = {0.0, 0.0, 0.0};
    for (uint32_t e = first + 1; e + 1 < hull->face_first[face + 1]; e++) {
        trvi_dvec3 b = trvi_dvec3_from(hull->vertices[hull->edge_origin[e]]);
        trvi_dvec3 c = trvi_dvec3_from(hull->vertices[hull->edge_origin[e + 1]]);
        sum = trvi_dadd(sum, trvi_dcross(trvi_dsub(b, a), trvi_dsub(c, a)));
    }
    return 0.5 * trvi_dlength(sum);
}

// Tries the face normals: all of up to `most` faces, or else one for each `most`-th part of the
// surface, so that every face that is larger than such a part gets its turn.
static void try_faces(fitter *fit, uint32_t most)
{
    const trv_hull *hull = fit->hull;
    double total = 0.0, passed = 0.0;
    for (uint32_t f = 0; f < hull->face_count; f++)
        total += area_of(hull, f);
    double due = 0.5;
    for (uint32_t f = 0; f < hull->face_count; f++) {
        passed += area_of(hull, f);
        if (hull->face_count > most) {
            double part = passed / total * most;
            if (part < due)
                continue;
            due = floor(part) + 1.0;
        }
        trvi_dvec3 normal = trvi_dvec3_from(hull->planes[f].normal);
        normal = trvi_dscale(normal, 1.0 / trvi_dlength(normal));
        offer(fit, smallest_along(fit, normal));
    }
}

static void try_direction(fitter *fit, trvi_dvec3 d)
{
    offer(fit, smallest_along(fit, trvi_dscale(d, 1.0 / trvi_dlength(d))));
}

static void try_way(fitter *fit, uint32_t from, uint32_t to)
{
    const trv_vec3 *vertices = fit->hull->vertices;
    try_direction(fit, trvi_dsub(trvi_dvec3_from(vertices[to]), trvi_dvec3_from(vertices[from])));
}

// Tries the ways from vertex to vertex: all of up to `most`, or else up to `most` of the edges.
static void try_pairs(fitter *fit, uint32_t most)
{
    const trv_hull *hull = fit->hull;
    uint64_t count = hull->vertex_count;
    if (count * (count - 1) / 2 <= most) {
        for (uint32_t i = 1; i < count; i++)
            for (uint32_t k = 0; k < i; k++)
                try_way(fit, k, i);
        return;
    }
    uint64_t edges = hull->half_edge_count / 2, seen = 0;
    for (uint32_t e = 0; e < hull->half_edge_count; e++) {
        uint32_t twin = hull->edge_twin[e];
        if (e > twin)
            continue;
        if ((seen + 1) * most / edges > seen * most / edges) // evenly, `most` of them
            try_way(fit, hull->edge_origin[e], hull->edge_origin[twin]);
        seen++;
    }
}

static void try_all_round(fitter *fit)
{
    for (int i = 1 - GRID; i < GRID; i += 2)
        for (int k = 1 - GRID; k < GRID; k += 2) {
            try_direction(fit, (trvi_dvec3){GRID, i, k});
            try_direction(fit, (trvi_dvec3){k, GRID, i});
            try_direction(fit, (trvi_dvec3){i, k, GRID});
        }
}

// Improves up to `most` boxes of this round and begins another: starts of one kind do not keep those
// of another from being improved. Returns the smallest one so far, an earlier round's rather than one
// that rounding makes smaller.
static candidate end_round(fitter *fit, uint32_t most, candidate least)
{
    candidate found = {.volume = HUGE_VAL};
    for (uint32_t i = 0; i < fit->count && i < most; i++) {
        candidate box = improve(fit, fit->best[i]);
        if (box.volume < found.volume)
            found = box;
    }
    fit->count = 0;
    return found.volume < least.volume * (1.0 - TRVI_BOX_GAIN) ? found : least;
}

static uint32_t share(uint32_t whole, uint32_t vertices, uint32_t least)
{
    return whole / vertices < least ? least : whole / vertices;
}

static trvi_dmat3 search_with(fitter *fit)
{
    uint32_t count = fit->hull->vertex_count;
    try_faces(fit, share(FACES, count, FACES_LEAST));
    trvi_dmat3 principal = trvi_principal_axes(fit->hull->solid.inertia);
    for (int k = 0; k < 3; k++) {
        offer(fit, smallest_along(fit, column_of(&principal, k)));
        offer(fit, smallest_along(fit, (trvi_dvec3){k == 0, k == 1, k == 2}));
    }
    candidate least = {.volume = HUGE_VAL};
    least = end_round(fit, share(WORTH, count, WORTH_LEAST), least);
    try_pairs(fit, PAIRS / count);
    least = end_round(fit, share(PAIRS_WORTH, count, PAIRS_WORTH_LEAST), least);
    if (count <= FEW) {
        try_all_round(fit);
        least = end_round(fit, CANDIDATES, least);
    }
    return least.axes;
}

// Works out the axes of a nearly smallest box. TRV_ERROR_MEMORY.
static trv_result search(const trv_hull *hull, trvi_dmat3 *axes)
{
    fitter fit = {.hull = hull};
    size_t flat_size = sizeof(flat_point) * hull->vertex_count;
    size_t ring_size = 2 * flat_size;
    fit.flat = trvi_allocate(&hull->allocator, flat_size);
    fit.ring = trvi_allocate(&hull->allocator, ring_size);
    bool ready = fit.flat && fit.ring;
    if (ready)
        *axes = search_with(&fit);
    trvi_free(&hull->allocator, fit.flat, flat_size);
    trvi_free(&hull->allocator, fit.ring, ring_size);
    return ready ? TRV_OK : TRV_ERROR_MEMORY;
}

trv_result trv_hull_fit_box(const trv_hull *hull, trv_box_fit fit, trv_obb *out)
{
    if (out == NULL)
        return TRV_ERROR_NULL;
    memset(out, 0, sizeof *out);
    if (hull == NULL)
        return TRV_ERROR_NULL;
    trvi_dmat3 axes = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    switch (fit) {
    case TRV_BOX_FIT_AXES:
        break;
    case TRV_BOX_FIT_PCA:
        axes = trvi_principal_axes(hull->solid.inertia);
        break;
    case TRV_BOX_FIT_TIGHT: {
        trv_result result = search(hull, &axes);
        if (result != TRV_OK)
            return result;
        break;
    }
    default:
        return TRV_ERROR_RANGE;
    }
    *out = box_along(hull, trvi_quat_from_dmat3(&axes));
    return TRV_OK;
}
