// Keeps the feature that carries a contact, and proves in the next frame that it still does.
//
// Overlapping polyhedra are parted by the least move along the normal of a face of one of them, or
// along the product of an edge of each; where a face is bent within the tolerance that united it,
// by half of it, which is known by its corners. Shapes that rest on one another keep that feature
// for long. It is measured where it is now. Often its facet of B - A and a ball deep inside are
// proof that no other direction can be better, or a surface round such a ball that was kept; else a
// polytope between the facet and the point farthest behind it is grown only until no side of it is
// nearer than the facet: mostly a few points, where a search from nothing takes dozens. Where the
// contact left the facet over a side, the feature next to it there (roll.c) is measured and proven
// in its place. Where the cores are apart by a gap, a place inside the facet is proof enough, since
// a distance has one minimum only.
// Invariant: what is accepted is the answer of the full search but for TRVI_CARRY_SLACK.
// Based on: Lander 1999 (the plane remembered per pair); van den Bergen 2001 (expanding polytope).
#include "carry.h"

#include "backing.h"
#include "near.h"

#include "remember.h"
#include "roll.h"

#include <string.h>

// Facets with more are taken by some of their corners.
#define MAX_CORNERS TRVI_FACET_CORNERS

enum { ROLLS = 3 }; // from facet to facet, before a search is as well

static trvi_dvec3 edge_of(const trvi_view *view, uint32_t edge)
{
    return trvi_dsub(trvi_vertex(view, view->edge_origin[trvi_view_next(view, edge)]),
                     trvi_vertex(view, view->edge_origin[edge]));
}

// A face, with its normal in its own frame; or an edge of each, in A's frame; or three corners of
// B - A, where what they are is not known.
typedef struct feature {
    uint32_t source;
    trvi_dvec3 own;
    trvi_dvec3 from_a, along_a, from_b, along_b;
    double sine_square; // of the edges' angle, times both their squares
    trvi_simplex_point corners[3];
} feature;

// Filled in where it is to stay: a copy would wait for what was just written.
static inline void place_point(const trvi_couple *couple, uint32_t a, uint32_t b,
                               trvi_simplex_point *out)
{
    out->w = trvi_pair_point(couple, a, b);
    out->a = a;
    out->b = b;
}

// The corners in the cache, where such vertices exist.
static bool place_corners(const trvi_couple *couple, const trv_plane_cache *cache, feature *f)
{
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t a = cache->meeting[i], b = cache->meeting[i + 3];
        if (a >= couple->a.vertex_count || b >= couple->b.vertex_count)
            return false;
        place_point(couple, a, b, &f->corners[i]);
    }
    return true;
}

static void place_edges(const trvi_couple *couple, const trv_plane_cache *cache, feature *f)
{
    const trvi_view *a = &couple->a, *b = &couple->b;
    f->from_a = trvi_vertex(a, a->edge_origin[cache->index_a]);
    f->along_a = edge_of(a, cache->index_a);
    f->from_b = trvi_vertex_of_b(couple, b->edge_origin[cache->index_b]);
    f->along_b = trvi_dmat3_mul(&couple->rotation, edge_of(b, cache->index_b));
}

// The normal of the feature in the cache, from A to B. False where it is none, or has no direction.
static bool feature_normal(const trvi_couple *couple, const trv_plane_cache *cache, feature *f,
                           trvi_dvec3 *n)
{
    static const trvi_dvec3 none = {0.0, 0.0, 0.0};
    const trvi_view *a = &couple->a, *b = &couple->b;
    f->source = cache->source;
    if (a->face_count == 0 || b->face_count == 0)
        return false; // it was kept for another pair
    switch (cache->source) {
    case TRVI_CARRIES | TRV_PLANE_FACE_A:
        if (cache->index_a >= a->face_count)
            return false;
        *n = f->own = trvi_face_normal(a, cache->index_a);
        return true;
    case TRVI_CARRIES | TRV_PLANE_FACE_B:
        if (cache->index_b >= b->face_count)
            return false;
        f->own = trvi_face_normal(b, cache->index_b);
        *n = trvi_dnegate(trvi_dmat3_mul(&couple->rotation, f->own));
        return true;
    case TRVI_CARRIES | TRV_PLANE_EDGES: {
        if (cache->index_a >= a->half_edge_count || cache->index_b >= b->half_edge_count)
            return false;
        place_edges(couple, cache, f);
        trvi_dvec3 across = trvi_dcross(f->along_a, f->along_b);
        double lengths = trvi_ddot(f->along_a, f->along_a) * trvi_ddot(f->along_b, f->along_b);
        f->sine_square = trvi_ddot(across, across);
        if (!(f->sine_square > TRVI_CARRY_SINE * TRVI_CARRY_SINE * lengths))
            return false;
        *n = trvi_dnormalize_or(across, none);
        return true;
    }
    case TRVI_CARRIES | TRV_PLANE_VERTICES: {
        if (!place_corners(couple, cache, f))
            return false;
        uint32_t corner;
        const trvi_simplex_point *w = f->corners;
        *n = trvi_dnormalize_or(trvi_triangle_normal(w[0].w, w[1].w, w[2].w, &corner), none);
        if (trvi_ddot(*n, w[corner].w) > 0.0) // the cores overlap
            *n = trvi_dnegate(*n);
        return trvi_ddot(*n, *n) > 0.0;
    }
    default:
        return false;
    }
}

// The corners, in order, of the facet of B - A that the feature makes.
static uint32_t facet_of(const trvi_couple *couple, const trv_plane_cache *cache,
                         const trvi_axis *axis, const feature *f, trvi_simplex_point *corners)
{
    if (cache->source == (TRVI_CARRIES | TRV_PLANE_VERTICES)) {
        for (uint32_t i = 0; i < 3; i++)
            corners[i] = f->corners[i];
        return 3;
    }
    if (cache->source == (TRVI_CARRIES | TRV_PLANE_EDGES)) {
        const trvi_view *a = &couple->a, *b = &couple->b;
        uint32_t a0 = a->edge_origin[cache->index_a], b0 = b->edge_origin[cache->index_b];
        uint32_t a1 = a->edge_origin[trvi_view_next(a, cache->index_a)];
        uint32_t b1 = b->edge_origin[trvi_view_next(b, cache->index_b)];
        place_point(couple, a0, b0, &corners[0]);
        place_point(couple, a1, b0, &corners[1]);
        place_point(couple, a1, b1, &corners[2]);
        place_point(couple, a0, b1, &corners[3]);
        return 4;
    }
    bool of_a = cache->source == (TRVI_CARRIES | TRV_PLANE_FACE_A);
    const trvi_view *view = of_a ? &couple->a : &couple->b;
    uint32_t face = of_a ? cache->index_a : cache->index_b, first = view->face_first[face];
    uint32_t sides = view->face_first[face + 1] - first;
    uint32_t count = sides < MAX_CORNERS ? sides : MAX_CORNERS;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t vertex = view->edge_origin[first + (uint32_t)((uint64_t)i * sides / count)];
        place_point(couple, of_a ? vertex : axis->vertex_a, of_a ? axis->vertex_b : vertex,
                    &corners[i]);
    }
    return count;
}

// True where the neighbours of a vertex, but for one, are lower than that.
static bool leads_back(const trvi_view *view, const trvi_dvec3 *d, uint32_t vertex, uint32_t but,
                       double least)
{
    const trvi_dvec3 direction = {d->x, d->y, d->z};
    uint32_t last = view->neighbor_first[vertex + 1];
    double highest = -HUGE_VAL;
    for (uint32_t i = view->neighbor_first[vertex]; i < last; i++)
        if (view->neighbors[i] != but)
            highest = trvi_dmax(trvi_height_of(view, direction, view->neighbors[i]), highest);
    return highest < least;
}

// Where the other sides of both its faces lead back, so does all of the core. Where faces are bent,
// that is to be true of all sides about the edge, by as much as is proof about a vertex alone: the
// two ends then cut their faces' other corners off as one end does.
uint32_t trvi_end_of_edge(const trvi_view *view, uint32_t edge, trvi_dvec3 d)
{
    uint32_t twin = view->edge_twin[edge];
    uint32_t from = view->edge_origin[edge], to = view->edge_origin[twin];
    double at_from = trvi_height_of(view, d, from), at_to = trvi_height_of(view, d, to);
    double least = trvi_dmin(at_from, at_to);
    // Of all, and not of as many as needed: which it is cannot be guessed.
    uint32_t end = (at_to > at_from) | ((at_to == at_from) & (to < from)) ? to : from;
    bool alone = fabs(at_to - at_from) <= TRVI_TOUCH * view->reach;
    if (view->united) {
        least -= trvi_support_doubt(view, fabs(d.x) + fabs(d.y) + fabs(d.z));
        alone =
            alone && leads_back(view, &d, from, to, least) && leads_back(view, &d, to, from, least);
    } else {
        uint32_t left = view->edge_origin[trvi_view_previous(view, edge)];
        uint32_t right = view->edge_origin[trvi_view_previous(view, twin)];
        least -= TRVI_CLIMB_SLACK * view->extent;
        alone = alone && trvi_height_of(view, d, left) < least &&
                trvi_height_of(view, d, right) < least;
    }
    return alone ? end : trvi_support_at(view, &d, end);
}

// The gap along the feature's normal. A face supports its own normal: only the other core is
// searched.
static void measure(const trvi_couple *couple, const trv_plane_cache *cache, trvi_axis *axis)
{
    const trvi_view *a = &couple->a, *b = &couple->b;
    trvi_dvec3 in_b = trvi_dmat3_mul_transposed(&couple->rotation, axis->normal);
    const trvi_dvec3 back_in_b = trvi_dnegate(in_b);
    if (cache->source == (TRVI_CARRIES | TRV_PLANE_EDGES)) {
        axis->vertex_a = trvi_end_of_edge(a, cache->index_a, axis->normal);
        axis->vertex_b = trvi_end_of_edge(b, cache->index_b, back_in_b);
    } else if (cache->source == (TRVI_CARRIES | TRV_PLANE_FACE_A)) {
        axis->vertex_a = a->edge_origin[a->face_first[cache->index_a]];
        axis->vertex_b = trvi_support_near(b, &back_in_b, cache->vertex_b);
    } else if (cache->source == (TRVI_CARRIES | TRV_PLANE_VERTICES)) {
        axis->vertex_a = trvi_support(a, axis->normal, cache->vertex_a);
        axis->vertex_b = trvi_support(b, back_in_b, cache->vertex_b);
    } else {
        axis->vertex_a = trvi_support_near(a, &axis->normal, cache->vertex_a);
        axis->vertex_b = b->edge_origin[b->face_first[cache->index_b]];
    }
    axis->gap = trvi_ddot(axis->normal, couple->offset) +
                trvi_ddot(in_b, trvi_vertex(b, axis->vertex_b)) -
                trvi_ddot(axis->normal, trvi_vertex(a, axis->vertex_a));
}

// How far inside of the face's sides the point over it is; negative where it is not inside, or
// where `gap` is not its height over a corner. Of a face with many sides as many corners are looked
// at as the facet has.
static double room_over_face(const trvi_view *view, uint32_t face, trvi_dvec3 n, trvi_dvec3 point,
                             double gap, double slack)
{
    uint32_t first = view->face_first[face], sides = view->face_first[face + 1] - first;
    uint32_t count = sides < MAX_CORNERS ? sides : MAX_CORNERS;
    double least = HUGE_VAL; // the square of the room
    trvi_dvec3 start = trvi_vertex(view, view->edge_origin[first]), from = start;
    for (uint32_t i = 1; i <= count; i++) {
        trvi_dvec3 to = start;
        if (i < count) {
            uint32_t corner = sides == count ? i : (uint32_t)((uint64_t)i * sides / count);
            to = trvi_vertex(view, view->edge_origin[first + corner]);
        }
        trvi_dvec3 along = trvi_dsub(to, from), over = trvi_dsub(point, from);
        double side = trvi_ddot(n, trvi_dcross(along, over)), square = trvi_ddot(along, along);
        if (!(fabs(trvi_ddot(n, over) - gap) <= slack) || !(side >= 0.0))
            return -1.0;
        least = trvi_dmin(side * side / square, least);
        from = to;
    }
    return sqrt(least);
}

// The same between two edges, which are to cross: how far inside of the parallelogram that they
// make.
static double room_at_crossing(const feature *f, const trvi_axis *axis, double s, double t,
                               double slack)
{
    trvi_dvec3 between = trvi_dsub(f->from_b, f->from_a);
    double inside_a = trvi_dmin(s, 1.0 - s), inside_b = trvi_dmin(t, 1.0 - t);
    if (!(fabs(trvi_ddot(axis->normal, between) - axis->gap) <= slack) || !(inside_a >= 0.0) ||
        !(inside_b >= 0.0))
        return -1.0;
    double of_a = inside_a * inside_a * trvi_ddot(f->along_a, f->along_a);
    double of_b = inside_b * inside_b * trvi_ddot(f->along_b, f->along_b);
    double squares = trvi_ddot(f->along_a, f->along_a) * trvi_ddot(f->along_b, f->along_b);
    return sqrt(trvi_dmin(of_a, of_b) * f->sine_square / squares);
}

// True where the facet and a ball deep inside suffice as proof. Seen from the origin, a direction
// that leans from the facet's by an angle t meets B - A no nearer than the facet for
// depth cos t + room sin t >= depth, that is up to tan(t / 2) = room / depth; and no nearer than
// the ball for radius + height cos t - aside sin t >= depth, with the ball's centre `height`
// towards the facet (negative: behind the origin) and `aside` from its normal. Where the second
// holds at the end of the first, and goes on growing from there, no direction is nearer.
static bool is_backed(const trvi_couple *couple, const trvi_axis *axis, double room)
{
    double depth = -axis->gap, radius = couple->a.inner + couple->b.inner;
    trvi_dvec3 middle_b =
        trvi_dadd(trvi_dmat3_mul(&couple->rotation, couple->b.center), couple->offset);
    trvi_dvec3 ball = trvi_dsub(couple->a.center, middle_b);
    double behind = -trvi_ddot(axis->normal, ball);
    double aside = sqrt(trvi_dmax(trvi_ddot(ball, ball) - behind * behind, 0.0));
    // Cosine and sine of the angle, both times depth^2 + room^2.
    double cosine = depth * depth - room * room, sine = 2.0 * room * depth;
    double whole = depth * depth + room * room;
    return behind > 0.0 && (radius - depth) * whole >= behind * cosine + aside * sine &&
           behind * sine >= aside * cosine;
}

// The same of three corners of B - A, seen from the origin, which is to be behind them.
static double room_between(const trvi_simplex_point *corners, const trvi_axis *axis, double slack)
{
    double turn = 0.0, least = HUGE_VAL; // the sign of the corners' order; the square of the room
    for (uint32_t i = 0; i < 3; i++) {
        trvi_dvec3 from = corners[i].w, along = trvi_dsub(corners[(i + 1) % 3].w, from);
        double side = trvi_ddot(axis->normal, trvi_dcross(from, along));
        double square = trvi_ddot(along, along);
        if (!(fabs(trvi_ddot(axis->normal, from) - axis->gap) <= slack) || !(side * turn >= 0.0))
            return -1.0;
        turn = side != 0.0 ? side : turn;
        least = trvi_dmin(side * side / square, least);
    }
    return turn != 0.0 && axis->gap < 0.0 ? sqrt(least) : -1.0;
}

// Which face the feature is, and where it touches: a vertex over that face, or two edges that
// cross. Returns how far inside of the facet that is; negative where it is not: nothing is told
// then.
static double tell_feature(const trvi_couple *couple, const trv_plane_cache *cache,
                           const feature *f, trvi_nearest *out)
{
    const trvi_axis *axis = &out->axis;
    bool of_a = f->source == (TRVI_CARRIES | TRV_PLANE_FACE_A);
    bool of_b = f->source == (TRVI_CARRIES | TRV_PLANE_FACE_B);
    double slack = TRVI_CARRY_SLACK * couple->size, room;
    trvi_dvec3 on_a, on_b;
    bool has_points = f->source != (TRVI_CARRIES | TRV_PLANE_VERTICES);
    if (!has_points) {
        room = room_between(f->corners, axis, slack);
        on_a = on_b = axis->normal; // not told
    } else if (of_a) {
        on_b = trvi_vertex_of_b(couple, axis->vertex_b);
        on_a = trvi_dmul_add(on_b, axis->normal, -axis->gap);
        room = room_over_face(&couple->a, cache->index_a, f->own, on_b, axis->gap, slack);
    } else if (of_b) {
        on_a = trvi_vertex(&couple->a, axis->vertex_a);
        on_b = trvi_dmul_add(on_a, axis->normal, axis->gap);
        trvi_dvec3 in_b =
            trvi_dmat3_mul_transposed(&couple->rotation, trvi_dsub(on_a, couple->offset));
        room = room_over_face(&couple->b, cache->index_b, f->own, in_b, axis->gap, slack);
    } else {
        double s, t;
        trvi_nearest_shares(f->from_a, f->along_a, f->from_b, f->along_b, &s, &t);
        on_a = trvi_dmul_add(f->from_a, f->along_a, s);
        on_b = trvi_dmul_add(f->from_b, f->along_b, t);
        room = room_at_crossing(f, axis, s, t, slack);
    }
    out->on_a = on_a;
    out->on_b = on_b;
    if (room >= 0.0) {
        out->face_a = of_a ? cache->index_a : TRVI_NO_VERTEX;
        out->face_b = of_b ? cache->index_b : TRVI_NO_VERTEX;
        out->has_points = has_points;
        out->has_simplex = false;
    }
    return room;
}

// A face or two edges, which leave room in the cache for what backs them: a pair of vertices in a
// number, or two pairs where none of the shapes has so many that they take more than a byte each.
// A's are in the lower half.
static bool has_witnesses(const trv_plane_cache *cache)
{
    return trvi_is_carried(cache) && cache->source != (TRVI_CARRIES | TRV_PLANE_VERTICES);
}

enum { PAIR_NUMBERS = 6, NO_BYTE = 0xFF };

static bool is_packed(const trvi_couple *couple)
{
    return couple->a.vertex_count <= NO_BYTE && couple->b.vertex_count <= NO_BYTE;
}

static void read_witnesses(const trvi_couple *couple, const trv_plane_cache *cache,
                           trvi_witnesses *w)
{
    bool packed = is_packed(couple);
    uint32_t count = !has_witnesses(cache) ? 0 : packed ? TRVI_WITNESSES : PAIR_NUMBERS;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t pairs = cache->meeting[packed ? i / 2 : i] >> (packed ? i % 2 * 8 : 0);
        w->a[i] = packed ? pairs & 0xFFu : pairs & 0xFFFFu;
        w->b[i] = packed ? pairs >> 16 & 0xFFu : pairs >> 16;
        if (w->a[i] >= couple->a.vertex_count)
            count = i;
    }
    trvi_end_witnesses(w, count);
    for (uint32_t i = 0; i < 3; i++)
        w->faces[i] = has_witnesses(cache) ? cache->backing[i] : 0;
}

static void write_witnesses(const trvi_couple *couple, const trvi_witnesses *w,
                            trv_plane_cache *cache)
{
    if (!has_witnesses(cache))
        return;
    bool packed = is_packed(couple), all = true;
    memset(cache->meeting, 0xFF, sizeof cache->meeting);
    for (uint32_t i = 0; i < TRVI_WITNESSES && w->a[i] != TRVI_NO_VERTEX; i++) {
        uint32_t a = w->a[i], b = w->b[i], shift = i % 2 * 8;
        if (packed)
            cache->meeting[i / 2] &= ~((NO_BYTE ^ a) << shift | (NO_BYTE ^ b) << (16 + shift));
        else if (i < PAIR_NUMBERS && a < 0xFFFFu && b < 0xFFFFu)
            cache->meeting[i] = a | b << 16;
        else
            all = false;
    }
    for (uint32_t i = 0; i < 3; i++)
        cache->backing[i] = all ? w->faces[i] : 0;
}

void trvi_turn_meeting(const trv_plane_cache *cache, trv_plane_cache *turned)
{
    if (has_witnesses(cache)) {
        for (uint32_t i = 0; i < PAIR_NUMBERS; i++)
            turned->meeting[i] = cache->meeting[i] >> 16 | cache->meeting[i] << 16;
        for (uint32_t i = 0; i < 3; i++)
            turned->backing[i] = cache->backing[i];
        return;
    }
    turned->in_world = trvi_negate(cache->in_world);
    for (uint32_t i = 0; i < 3; i++) {
        turned->meeting[i] = cache->meeting[i + 3];
        turned->meeting[i + 3] = cache->meeting[i];
    }
}

// A face is measured at one of its corners: where its plane is off by rounding, or the face is bent,
// another is higher. That the cores are apart by more than was asked is told of all.
static TRVI_RARE bool parts(const trvi_couple *couple, double beyond, trvi_axis *axis)
{
    axis->gap = trvi_gap_along(couple, axis->normal, &axis->vertex_a, &axis->vertex_b);
    return trvi_gap_exceeds(couple, axis->normal, axis->gap, beyond);
}

// Of A's two half-edges along an edge, the one whose product with B's points from A to B: so it
// does for as long as the feature lasts, whichever of the two shapes is taken for A.
static void turn_edge(const trvi_couple *couple, const trvi_dvec3 *normal, trv_plane_cache *cache)
{
    feature f;
    place_edges(couple, cache, &f);
    if (trvi_ddot(trvi_dcross(f.along_a, f.along_b), *normal) < 0.0)
        cache->index_a = couple->a.edge_twin[cache->index_a];
}

// Proves the feature of a contact that is deep, which leaves so much room in its facet.
static bool is_proven(const trvi_couple *couple, const feature *f, double room,
                      const trvi_axis *axis, trv_plane_cache *cache)
{
    trvi_simplex_point corners[MAX_CORNERS];
    if (is_backed(couple, axis, room))
        return true;
    uint32_t count = facet_of(couple, cache, axis, f, corners);
    trvi_axis best = *axis;
    trvi_witnesses known;
    read_witnesses(couple, cache, &known);
    double slack = TRVI_CARRY_SLACK * couple->size;
    trvi_backing backing = trvi_backing_holds(couple, corners, count, slack, axis, &known);
    if (backing == TRVI_BACKING_MENDED)
        write_witnesses(couple, &known, cache);
    if (backing != TRVI_BACKING_UNSURE)
        return backing != TRVI_BACKING_LOST;
    if (!trvi_expand_facet(couple, corners, count, slack, &best, &known))
        return false;
    write_witnesses(couple, &known, cache);
    return best.gap <= axis->gap;
}

// Is the feature that the contact left over one of its sides next to the one that carries it now? That
// is then in the cache.
static TRVI_RARE bool rolls_on(const trvi_couple *couple, trv_plane_cache *cache, trvi_nearest *out)
{
    trvi_axis *axis = &out->axis;
    trv_plane_cache next = *cache;
    if (!has_witnesses(cache))
        return false;
    if (!trvi_backing_is_whole(next.backing))
        memset(next.backing, 0, sizeof next.backing);
    for (int roll = 0; roll < ROLLS; roll++) {
        trvi_facet facet = {(trv_plane_source)(next.source & ~TRVI_CARRIES),
                            next.index_a,
                            next.index_b,
                            axis->vertex_a,
                            axis->vertex_b,
                            axis->normal};
        feature f;
        if (!(axis->gap < 0.0) || !trvi_roll_on(couple, &out->on_a, &out->on_b, &facet))
            return false;
        next.source = TRVI_CARRIES | (uint32_t)facet.source;
        next.index_a = facet.index_a;
        next.index_b = facet.index_b;
        next.vertex_a = facet.vertex_a;
        next.vertex_b = facet.vertex_b;
        if (facet.source == TRV_PLANE_EDGES)
            turn_edge(couple, &facet.normal, &next);
        if (!feature_normal(couple, &next, &f, &axis->normal))
            return false;
        measure(couple, &next, axis);
        double room = tell_feature(couple, &next, &f, out);
        if (!(room >= 0.0))
            continue;
        if (!(axis->gap < 0.0) || !is_proven(couple, &f, room, axis, &next))
            return false;
        next.normal = trvi_vec3_from_double(axis->normal);
        *cache = next;
        return true;
    }
    return false;
}

bool trvi_carries_on(const trvi_couple *couple, double beyond, trv_plane_cache *cache,
                     trvi_nearest *out)
{
    trvi_axis *axis = &out->axis;
    feature f;
    if (!feature_normal(couple, cache, &f, &axis->normal))
        return false;
    measure(couple, cache, axis);
    double room = tell_feature(couple, cache, &f, out);
    out->beyond = false;
    if (!(room >= 0.0))
        return rolls_on(couple, cache, out);
    if (axis->gap > 0.0)
        return axis->gap > beyond ? parts(couple, beyond, axis)
                                  : trvi_gap_exceeds(couple, axis->normal, axis->gap, 0.0);
    return is_proven(couple, &f, room, axis, cache);
}

bool trvi_grows_on(const trvi_couple *couple, const trv_plane_cache *cache, trvi_nearest *out,
                   trvi_witnesses *known)
{
    trvi_simplex_point corners[MAX_CORNERS];
    trvi_axis *axis = &out->axis;
    feature f;
    if (!feature_normal(couple, cache, &f, &axis->normal))
        return false;
    measure(couple, cache, axis);
    double touch = TRVI_TOUCH * couple->scale;
    if (!(axis->gap < -touch))
        return false;
    uint32_t count = facet_of(couple, cache, axis, &f, corners);
    read_witnesses(couple, cache, known);
    if (!trvi_expand_again(couple, corners, count, known, axis, &out->simplex) ||
        !(axis->gap < -touch))
        return false;
    out->face_a = out->face_b = TRVI_NO_VERTEX;
    out->beyond = out->has_points = false;
    out->has_simplex = out->simplex.count > 0;
    return true;
}

// Into the cache, in an order of their own: the normal is then the same to the bit however they
// were found.
static bool keep_corners(const trvi_nearest *nearest, trv_plane_cache *cache)
{
    trvi_simplex_point p[3], swap;
    cache->source = TRVI_CARRIES | TRV_PLANE_VERTICES;
    if (!nearest->has_simplex || nearest->simplex.count != 3 || !(nearest->axis.gap < 0.0))
        return false;
    for (uint32_t i = 0; i < 3; i++) {
        p[i] = nearest->simplex.points[i];
        for (uint32_t k = i;
             k > 0 && (p[k].a < p[k - 1].a || (p[k].a == p[k - 1].a && p[k].b < p[k - 1].b)); k--) {
            swap = p[k];
            p[k] = p[k - 1];
            p[k - 1] = swap;
        }
    }
    for (uint32_t i = 0; i < 3; i++) {
        cache->meeting[i] = p[i].a;
        cache->meeting[i + 3] = p[i].b;
    }
    return true;
}

void trvi_carry(const trvi_couple *couple, trvi_nearest *nearest, const trvi_witnesses *known,
                trv_plane_cache *cache)
{
    trv_plane_source source = TRV_PLANE_NONE;
    trvi_remember(&nearest->axis, false, cache);
    if (couple->a.face_count == 0 || couple->b.face_count == 0)
        return;
    trvi_plane_source(couple, &nearest->axis, &source, &cache->index_a, &cache->index_b);
    cache->source = TRVI_CARRIES | (uint32_t)source;
    memset(cache->meeting, 0xFF, sizeof cache->meeting); // no vertices
    bool is_named =
        source == TRV_PLANE_FACE_A || source == TRV_PLANE_FACE_B || source == TRV_PLANE_EDGES;
    if (!is_named && !keep_corners(nearest, cache))
        return;
    if (known != NULL)
        write_witnesses(couple, known, cache);
    if (source == TRV_PLANE_EDGES)
        turn_edge(couple, &nearest->axis.normal, cache);
    trvi_axis own = nearest->axis;
    feature f;
    if (!feature_normal(couple, cache, &f, &own.normal))
        return;
    measure(couple, cache, &own);
    // More than the best is none either: the corner that the face is measured at is not its
    // highest.
    if (!(fabs(own.gap - nearest->axis.gap) <= TRVI_CARRY_SLACK * couple->size))
        return;
    nearest->axis = own;
    // Flat sides often come in pieces: the face is the right one only where it holds the contact.
    (void)tell_feature(couple, cache, &f, nearest);
}

uint32_t trvi_turned_source(uint32_t source)
{
    uint32_t mark = source & TRVI_CARRIES;
    switch (source & ~TRVI_CARRIES) {
    case TRV_PLANE_FACE_A:
        return mark | TRV_PLANE_FACE_B;
    case TRV_PLANE_FACE_B:
        return mark | TRV_PLANE_FACE_A;
    case TRV_PLANE_EDGE_A:
        return mark | TRV_PLANE_EDGE_B;
    case TRV_PLANE_EDGE_B:
        return mark | TRV_PLANE_EDGE_A;
    default:
        return source;
    }
}

bool trvi_is_carried(const trv_plane_cache *cache)
{
    return (cache->source & TRVI_CARRIES) != 0;
}
