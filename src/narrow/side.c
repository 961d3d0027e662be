// Sides that come in pieces: several faces that lie all but in one plane, as in meshes whose coordinates were
// rounded.
//
// What stands on such a side stands on the corners of all its pieces. Which piece looks at the other shape
// most is a matter of rounding, and points on that one alone let the side tip over until another piece meets
// the ground. So the corners of all are taken, as one face: their outline, seen along the contact's normal.
// Where the side bulges, what is deepest may be within; the contact between the nearest points has that.
// What leans away bit by bit, and goes on to do so, is no side but round, as a wheel of some hundred sides is:
// it rolls on, and is borne by one face at a time.
//
// A shape that is bent by more, by a few degrees, lies on one face in the end, but on its way there comes down on
// others within a step. So what is low beside the face counts, too: all that is, or of many what would be the lowest
// once the shape had tilted. What another is under however it tilts does not count.
// Invariant: corners are vertices of the pieces, each with the height that it has.
// Based on: A. Andrew, "Another efficient algorithm for convex hulls in two dimensions" (1979).
#include "near.h"
#include "patch.h"

#include <float.h>

// Enough for what float32 cuts a flat side into.
enum { MOST_PIECES = 16, MOST_CORNERS = TRVI_POLYGON_MAX };

typedef struct pieces {
    uint32_t faces[MOST_PIECES];
    uint32_t count;
} pieces;

static bool has_face(const pieces *side, uint32_t face)
{
    for (uint32_t i = 0; i < side->count; i++)
        if (side->faces[i] == face)
            return true;
    return false;
}

// Does the face lie in the plane of the first piece, but for a hair?
static bool is_piece(const trvi_view *view, uint32_t first, uint32_t face)
{
    trvi_dvec3 n = trvi_face_normal(view, first);
    double base = trvi_face_base(view, first), slack = TRVI_PIECE_BENT * view->extent;
    if (!(trvi_ddot(n, trvi_face_normal(view, face)) >= TRVI_PIECE_COSINE))
        return false;
    for (uint32_t e = view->face_first[face]; e < view->face_first[face + 1]; e++)
        if (!(base - trvi_ddot(n, trvi_vertex(view, view->edge_origin[e])) <= slack))
            return false;
    return true;
}

// False where there are too many, or where it goes on beyond the plane with hardly a bend.
static bool collect(const trvi_view *view, uint32_t face, pieces *side)
{
    side->faces[0] = face;
    side->count = 1;
    for (uint32_t i = 0; i < side->count; i++) {
        const uint32_t from = side->faces[i], last = view->face_first[from + 1];
        const trvi_dvec3 n = trvi_face_normal(view, from);
        for (uint32_t e = view->face_first[from]; e < last; e++) {
            uint32_t next = view->edge_face[view->edge_twin[e]];
            if (view->face_pieces[next] == 0 || has_face(side, next) ||
                !(trvi_ddot(n, trvi_face_normal(view, next)) >= TRVI_PIECE_COSINE))
                continue;
            if (side->count == MOST_PIECES || !is_piece(view, face, next))
                return false;
            side->faces[side->count++] = next;
        }
    }
    return side->count > 1;
}

static bool is_before(const trvi_corner *a, const trvi_corner *b)
{
    return a->u < b->u || (a->u == b->u && a->v < b->v);
}

// Puts the corner in its place by u, then v.
static void sort_in(trvi_corner *corners, uint32_t count, const trvi_corner *corner)
{
    uint32_t at = count;
    for (; at > 0 && is_before(corner, &corners[at - 1]); at--)
        corners[at] = corners[at - 1];
    corners[at] = *corner;
}

// The corners where the side ends, each with the half-edge that runs along the end from there. None where there
// are too many.
static uint32_t list_corners(const trvi_view *view, const pieces *side, const trvi_chart *chart,
                             trvi_corner *corners)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < side->count; i++) {
        const uint32_t face = side->faces[i];
        for (uint32_t e = view->face_first[face]; e < view->face_first[face + 1]; e++) {
            if (has_face(side, view->edge_face[view->edge_twin[e]]))
                continue;
            if (count == MOST_CORNERS)
                return 0;
            trvi_corner corner;
            trvi_corner_place(view, view->edge_origin[e], chart, e, e, &corner);
            sort_in(corners, count++, &corner);
        }
    }
    return count;
}

// Does the way from a over b to c turn to the left?
static bool turns_left(const trvi_corner *a, const trvi_corner *b, const trvi_corner *c)
{
    return (b->u - a->u) * (c->v - a->v) - (b->v - a->v) * (c->u - a->u) > 0.0;
}

// Goes on along the lower ends of what is sorted, or, from its last on, along the upper ones.
static uint32_t go_round(const trvi_corner *sorted, uint32_t count, bool back, trvi_corner *to,
                         uint32_t kept)
{
    const uint32_t begin = kept;
    for (uint32_t n = 0; n < count; n++) {
        const trvi_corner *next = &sorted[back ? count - 1 - n : n];
        while (kept >= begin + 2 && !turns_left(&to[kept - 2], &to[kept - 1], next))
            kept--;
        to[kept++] = *next;
    }
    return kept - 1; // the last begins the other way
}

// The outline of sorted corners, three or more, goes to the polygon; false, and nothing filled in, where it is none or has too many.
static bool set_outline(const trvi_corner *sorted, uint32_t count, bool clockwise,
                        trvi_polygon *polygon)
{
    trvi_corner round[2 * MOST_CORNERS];
    uint32_t kept = go_round(sorted, count, false, round, 0);
    kept = go_round(sorted, count, true, round, kept);
    if (kept < 3 || kept > TRVI_POLYGON_MAX)
        return false;
    polygon->count = kept;
    for (uint32_t i = 0; i < kept; i++)
        polygon->corners[i] = round[clockwise ? kept - 1 - i : i];
    return true;
}

bool trvi_side_outline(const trvi_view *view, uint32_t face, const trvi_chart *chart,
                       bool clockwise, trvi_polygon *polygon)
{
    trvi_corner sorted[MOST_CORNERS];
    pieces side;
    uint32_t count = collect(view, face, &side) ? list_corners(view, &side, chart, sorted) : 0;
    if (count < 3 || !set_outline(sorted, count, clockwise, polygon))
        return false;
    for (uint32_t i = 0; i < polygon->count; i++)
        polygon->corners[i].before = polygon->corners[i > 0 ? i - 1 : polygon->count - 1].after;
    return true;
}

// From here on the corners have their vertex as `after`, until they have edges.

static bool has_vertex(const trvi_polygon *low, uint32_t vertex)
{
    for (uint32_t i = 0; i < low->count; i++)
        if (low->corners[i].after == vertex)
            return true;
    return false;
}

// The bits of vertices, of which as many are told apart as a number has bits.
enum { MARKS = TRVI_COLUMN_VERTICES };

static uint64_t mark_of(uint32_t vertex)
{
    return (uint64_t)1 << vertex % MARKS;
}

// The marks of all vertices that may be no higher than `top`, for what float32 tells of all at once; every mark where
// it does not. What fills up the columns is none.
static uint64_t find_low(const trvi_view *view, const trvi_chart *chart, double top)
{
    const trvi_dvec3 d = chart->height;
    double bound = trvi_float_bound(view, d);
    if (view->columns == NULL || bound == 0.0)
        return UINT64_MAX;
    // The sums in double, where these are far larger, are rounded too.
    double slack = TRVI_SCAN_SLACK * bound + DBL_EPSILON * (fabs(top) + fabs(chart->at_height));
    const trvi_lanes most = trvi_lanes_splat((float)(top - chart->at_height + slack));
    const trvi_wide3 up = trvi_widened_from(d);
    const uint32_t length = trvi_column_length(view->vertex_count);
    uint64_t marks = 0;
    for (uint32_t i = length; i > 0;) {
        const float *next = view->columns + (i -= 2 * TRVI_LANES), *last = next + TRVI_LANES;
        uint32_t low = trvi_lanes_at_least(most, trvi_heights_of(&up, next, length));
        uint32_t high = trvi_lanes_at_least(most, trvi_heights_of(&up, last, length));
        marks = marks << 2 * TRVI_LANES | low | high << TRVI_LANES;
    }
    return marks & UINT64_MAX >> (MARKS - view->vertex_count);
}

// The same but for the corners of a polygon, where marks tell vertices apart.
static uint64_t find_open(const trvi_view *view, const trvi_chart *chart, double top,
                          const trvi_polygon *polygon)
{
    if (view->vertex_count > MARKS)
        return UINT64_MAX;
    uint64_t open = find_low(view, chart, top);
    for (uint32_t i = 0; i < polygon->count; i++)
        open &= ~mark_of(view->edge_origin[polygon->corners[i].after]);
    return open;
}

// To the corners the vertices that are no higher than `top` and joined to a low one by edges; false where there are
// too many. `open` are the marks of those that may be.
static bool spread_low(const trvi_view *view, const trvi_chart *chart, double top, uint64_t open,
                       trvi_polygon *low)
{
    const bool many = view->vertex_count > MARKS;
    for (uint32_t i = 0; i < low->count && open != 0; i++) {
        const uint32_t vertex = low->corners[i].after, last = view->neighbor_first[vertex + 1];
        if (!(low->corners[i].height <= top))
            continue;
        for (uint32_t k = view->neighbor_first[vertex]; k < last; k++) {
            const uint32_t next = view->neighbors[k];
            if ((open & mark_of(next)) == 0)
                continue;
            bool is_low = trvi_height_of(view, chart->height, next) + chart->at_height <= top;
            if (!is_low || (many && has_vertex(low, next)))
                continue;
            if (low->count == MOST_CORNERS)
                return false;
            trvi_corner_place(view, next, chart, 0, next, &low->corners[low->count++]);
            open &= many ? UINT64_MAX : ~mark_of(next);
        }
    }
    return true;
}

// The half-edge from one vertex to another; TRVI_NO_EDGE where they do not share one.
static uint32_t edge_between(const trvi_view *view, uint32_t from, uint32_t to)
{
    uint32_t edge = view->vertex_edge[from];
    do {
        if (view->edge_origin[view->edge_twin[edge]] == to)
            return edge;
        edge = trvi_view_next(view, view->edge_twin[edge]);
    } while (edge != view->vertex_edge[from]);
    return TRVI_NO_EDGE;
}

// A half-edge from a vertex that is not one of the polygon's either way, if there is any: what crosses is named after
// it.
static uint32_t edge_beside(const trvi_view *view, const trvi_polygon *polygon, uint32_t from)
{
    uint32_t edge = view->vertex_edge[from];
    do {
        bool taken = false;
        for (uint32_t i = 0; i < polygon->count && !taken; i++)
            taken = polygon->corners[i].before == edge ||
                    polygon->corners[i].before == view->edge_twin[edge];
        if (!taken)
            return edge;
        edge = trvi_view_next(view, view->edge_twin[edge]);
    } while (edge != view->vertex_edge[from]);
    return edge;
}

static void name_edges(const trvi_view *view, trvi_polygon *polygon)
{
    for (uint32_t i = 0; i < polygon->count; i++) {
        trvi_corner *next = &polygon->corners[i + 1 < polygon->count ? i + 1 : 0];
        next->before = edge_between(view, polygon->corners[i].after, next->after);
    }
    for (uint32_t i = 0; i < polygon->count; i++) {
        uint32_t *edge = &polygon->corners[i + 1 < polygon->count ? i + 1 : 0].before;
        if (*edge == TRVI_NO_EDGE)
            *edge = edge_beside(view, polygon, polygon->corners[i].after);
        polygon->corners[i].after = *edge;
    }
}

// Is it lower than another however the shape tilts? All that overlaps comes up in a step, and is as low.
static bool is_under(const trvi_corner *one, const trvi_corner *other, const trvi_depths *depths)
{
    double u = one->u - other->u, v = one->v - other->v;
    double higher = depths->worth * (other->height - trvi_dmax(one->height, depths->level));
    return higher > 0.0 && higher * higher > u * u + v * v;
}

// Leaves the corners that are lowest of all, or become so as the shape tilts. No other is lower than one that is down
// at the level.
static void keep_lowest(trvi_polygon *low, const trvi_depths *depths)
{
    bool high[MOST_CORNERS];
    for (uint32_t i = 0; i < low->count; i++) {
        const bool may_be = low->corners[i].height > depths->level;
        high[i] = false;
        for (uint32_t k = 0; may_be && k < low->count && !high[i]; k++)
            high[i] = is_under(&low->corners[k], &low->corners[i], depths);
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < low->count; i++)
        if (!high[i])
            low->corners[kept++] = low->corners[i];
    low->count = kept;
}

// Directions of u and v, in turn round.
static const double octants[8][2] = {{0.94, 0.34},    {0.424, 0.905}, {-0.34, 0.94},
                                     {-0.905, 0.424}, {-0.94, -0.34}, {-0.424, -0.905},
                                     {0.34, -0.94},   {0.905, -0.424}};

// To the corners, of many, the lowest once the shape has tilted any way by 1 / worth.
static void add_tilted(const trvi_view *view, const trvi_chart *chart, double top, double worth,
                       trvi_polygon *low)
{
    uint32_t from = low->corners[0].after;
    for (uint32_t k = 0; k < 8 && low->count < MOST_CORNERS; k++) {
        trvi_dvec3 way = trvi_dscale(chart->height, -worth);
        way = trvi_dmul_add(trvi_dmul_add(way, chart->u, octants[k][0]), chart->v, octants[k][1]);
        from = trvi_support_near(view, &way, from);
        trvi_corner *next = &low->corners[low->count];
        trvi_corner_place(view, from, chart, 0, from, next);
        if (next->height <= top && !has_vertex(low, from))
            low->count++;
    }
}

// Puts the lowest of all in place of the nearest corner of an outline, where it is within.
static void join_lowest(const trvi_polygon *low, trvi_polygon *outline)
{
    const trvi_corner *lowest = &low->corners[trvi_polygon_deepest(low)];
    outline->corners[trvi_polygon_nearest(outline, lowest->u, lowest->v, UINT64_MAX)] = *lowest;
}

// By how much a shape tilts in a step at most, rad, that is `lowest` over the plane and may come nearer by the margin.
static double tilt_of(const trvi_view *view, double lowest, double margin)
{
    const double level = view->radius, top = margin + level;
    double deep = (level - lowest) / view->extent - TRVI_SPREAD_DEEP;
    double tilt = (top - trvi_dmax(lowest, level)) / (TRVI_SPREAD_WORTH * view->extent);
    tilt = trvi_dmax(tilt, TRVI_SPREAD_LEAST) + trvi_dmax(deep, 0.0);
    return trvi_dmin(tilt, 1.0 / TRVI_DEPTH_WORTH);
}

void trvi_side_spread(const trvi_view *view, const trvi_chart *chart, double margin,
                      trvi_polygon *polygon, trvi_depths *depths)
{
    trvi_polygon low;
    trvi_corner sorted[MOST_CORNERS];
    const double level = view->radius, top = margin + level, lowest = trvi_polygon_lowest(polygon);
    if (!(lowest < top))
        return;
    uint64_t open = find_open(view, chart, top, polygon);
    if (open == 0)
        return;
    low.count = polygon->count;
    for (uint32_t i = 0; i < low.count; i++) {
        low.corners[i] = polygon->corners[i];
        low.corners[i].after = view->edge_origin[low.corners[i].after];
    }
    bool all = spread_low(view, chart, top, open, &low);
    if (all && low.count == polygon->count)
        return;
    const trvi_depths spread = {0.0, level, 1.0 / tilt_of(view, lowest, margin)};
    if (!all) {
        low.count = polygon->count;
        add_tilted(view, chart, top, spread.worth, &low);
    }
    keep_lowest(&low, &spread);
    if (low.count < 3)
        return;
    for (uint32_t i = 0; i < low.count; i++)
        sort_in(sorted, i, &low.corners[i]);
    if (!set_outline(sorted, low.count, true, polygon))
        return;
    join_lowest(&low, polygon);
    name_edges(view, polygon);
    *depths = spread;
}
