// Sides that come in pieces: several faces that lie all but in one plane, as in meshes whose coordinates were
// rounded.
//
// What stands on such a side stands on the corners of all its pieces. Which piece looks at the other shape
// most is a matter of rounding, and points on that one alone let the side tip over until another piece meets
// the ground. So the corners of all are taken, as one face: their outline, seen along the contact's normal.
// Where the side bulges, what is deepest may be within; the contact between the nearest points has that.
// What leans away bit by bit, and goes on to do so, is no side but round, as a wheel of some hundred sides is:
// it rolls on, and is borne by one face at a time.
// Invariant: corners are vertices of the pieces, each with the height that it has.
// Based on: A. Andrew, "Another efficient algorithm for convex hulls in two dimensions" (1979).
#include "patch.h"

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

bool trvi_side_outline(const trvi_view *view, uint32_t face, const trvi_chart *chart,
                       bool clockwise, trvi_polygon *polygon)
{
    trvi_corner sorted[MOST_CORNERS], round[2 * MOST_CORNERS];
    pieces side;
    uint32_t count = collect(view, face, &side) ? list_corners(view, &side, chart, sorted) : 0;
    if (count < 3)
        return false;
    uint32_t kept = go_round(sorted, count, false, round, 0);
    kept = go_round(sorted, count, true, round, kept);
    if (kept < 3 || kept > TRVI_POLYGON_MAX)
        return false;
    polygon->count = kept;
    for (uint32_t i = 0; i < kept; i++)
        polygon->corners[i] = round[clockwise ? kept - 1 - i : i];
    for (uint32_t i = 0; i < kept; i++)
        polygon->corners[i].before = polygon->corners[i > 0 ? i - 1 : kept - 1].after;
    return true;
}
