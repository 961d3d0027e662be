// Proves that a facet of B - A is the one to leave by, by a surface that was kept.
//
// The facet and some points of B - A behind it are the corners of a closed surface of triangles.
// Where each of these, seen from the origin, is turned the same way, the surface goes round the
// origin, and where none is nearer than the facet, it goes round the ball that touches the facet.
// That ball is then within the hull of the points, and so within B - A: no direction leaves it
// sooner. The surface need not be convex, so it holds while the points move, and how its triangles
// are joined is all that is to be known: nothing is built. Where some are too near, the farthest
// point of B - A over one of them takes the place of one of its corners, if all triangles round that
// are far enough out then.
// What is remembered may be anything. It is measured: that the triangles leave no border, and where
// they are. They are told by their third corners alone: the surface grows from the facet, each time
// over the last edge of its border. A whole one grows from a triangle of its own, and does not depend
// on the facet.
// Invariant: true is a proof.
// Based on: van den Bergen 2001 (the polytope that grows in expand.c); the winding number of a
// closed surface, which is that of all points that it does not pass.
#include "backing.h"

#include <string.h>

enum { IN_NUMBER = 8, MENDS = 4 };

// Stands in place of the last third corner where the surface has nothing of the facet.
#define IS_WHOLE 0xF0000000u

// The border of a part of the surface: a walk along its edges, the way that its triangles wind, that
// ends where it begins. Corners may be passed more than once.
typedef struct border {
    uint8_t *begin, *end; // the same: there is none
    uint8_t corner[TRVI_FACET_CORNERS + TRVI_BACKING_FACES + 1];
} border;

// That of the facet.
static inline void begin_border(border *b, uint32_t count, bool turned)
{
    b->corner[0] = b->corner[count] = 0;
    for (uint32_t i = 1; i < count; i++)
        b->corner[i] = (uint8_t)(turned ? count - i : i);
    b->begin = b->corner;
    b->end = b->corner + count;
}

// Adds a triangle on the other side of the border's last edge; its third corner is none of that
// edge. What the border then goes to and at once back is no border: at least three edges remain, or
// none.
static inline void join(border *b, uint8_t third)
{
    uint8_t *end = b->end, last = end[0];
    if (end[-2] == third) {
        *--end = last;
        while (end - b->begin >= 2 && end[-2] == last)
            end -= 2;
    } else {
        end[0] = third;
        *++end = last;
    }
    while (end - b->begin >= 2 && end[-1] == b->begin[1]) {
        b->begin++;
        end--;
    }
    b->end = end;
}

void trvi_backing_keep(const trvi_triangles *triangles, uint32_t count, bool turned,
                       trvi_witnesses *known)
{
    uint8_t thirds[TRVI_BACKING_POINTS][TRVI_BACKING_POINTS];
    uint32_t told = 0, faces[3] = {0, 0, 0};
    border b;
    memset(known->faces, 0, sizeof known->faces);
    memset(thirds, 0xFF, sizeof thirds);
    for (uint32_t i = 0; i < triangles->count; i++) {
        const uint8_t *c = triangles->corner[i];
        thirds[c[0]][c[1]] = c[2];
        thirds[c[1]][c[2]] = c[0];
        thirds[c[2]][c[0]] = c[1];
    }
    begin_border(&b, count == 0 ? 3 : count, turned);
    for (; b.end > b.begin; told++) {
        uint8_t third = thirds[b.end[0]][b.end[-1]];
        if (told == TRVI_BACKING_FACES || third >= TRVI_BACKING_POINTS)
            return;
        join(&b, third);
        faces[told / IN_NUMBER] |= (uint32_t)third << 4 * (told % IN_NUMBER);
    }
    memcpy(known->faces, faces, sizeof faces);
    if (count == 0)
        known->faces[2] |= IS_WHOLE;
}

bool trvi_backing_is_whole(const uint32_t faces[3])
{
    return (faces[2] & IS_WHOLE) == IS_WHOLE;
}

// Do the facet's triangles all look the same way, which is the way out? `turned` is set where their
// corners wind clockwise.
static bool look_at_facet(const trvi_dvec3 *w, uint32_t count, const trvi_axis *axis, bool *turned)
{
    double turn = 0.0;
    for (uint32_t i = 2; i < count; i++) {
        trvi_dvec3 across = trvi_dcross(trvi_dsub(w[i - 1], w[0]), trvi_dsub(w[i], w[0]));
        double out = -trvi_ddot(axis->normal, across);
        if (!(i == 2 ? out != 0.0 : out * turn > 0.0))
            return false;
        turn = out;
    }
    *turned = turn < 0.0;
    return true;
}

// How far out triangles have to be, squared; and what squared normal none has that is thin.
typedef struct bounds_of_far {
    double square, thick;
} bounds_of_far;

// No two points of B - A are farther from one another than twice the sum of both extents.
static bounds_of_far bounds_from(const trvi_couple *couple, double least)
{
    double most = 2.0 * (couple->a.extent + couple->b.extent);
    return (bounds_of_far){least * least, TRVI_BLUNT * TRVI_BLUNT * most * most * most * most};
}

// True where the origin is behind the triangle, by as much as it has to be at least. One that is too
// thin to tell is not.
static inline bool is_far(const trvi_dvec3 *w, const uint8_t *corner, bounds_of_far bounds)
{
    trvi_dvec3 a = w[corner[0]], ab = trvi_dsub(w[corner[1]], a), ac = trvi_dsub(w[corner[2]], a);
    trvi_dvec3 n = trvi_dcross(ab, ac);
    double out = trvi_ddot(n, a), of_normal = trvi_ddot(n, n);
    bool is_thick = of_normal > bounds.thick ||
                    of_normal > TRVI_BLUNT * TRVI_BLUNT * trvi_ddot(ab, ab) * trvi_ddot(ac, ac);
    return out > 0.0 && out * out >= bounds.square * of_normal && is_thick;
}

// The points that are known, up to one that is none. Returns how many there are, with the facet's.
static uint32_t place_points(const trvi_couple *couple, const trvi_simplex_point *corners,
                             uint32_t count, const trvi_witnesses *known, trvi_dvec3 *w)
{
    for (uint32_t i = 0; i < count; i++)
        w[i] = corners[i].w;
    for (uint32_t i = 0; i < TRVI_WITNESSES && count < TRVI_BACKING_POINTS; i++) {
        uint32_t a = known->a[i], b = known->b[i];
        if (a >= couple->a.vertex_count || b >= couple->b.vertex_count)
            break;
        w[count++] = trvi_pair_point(couple, a, b);
    }
    return count;
}

// The surface as it is mended.
typedef struct surface {
    const trvi_couple *couple;
    trvi_witnesses *known;
    uint32_t count, points; // the facet's, and in all
    bounds_of_far bounds;
    uint32_t near;  // bit i: triangle i is too near
    uint32_t first; // the triangle that the surface grows from, if that is not the facet
    bool split;     // there are more triangles than were told
    trvi_triangles triangles;
    trvi_dvec3 w[TRVI_BACKING_POINTS];
} surface;

static inline void add_triangle(surface *s, uint8_t a, uint8_t b, uint8_t c)
{
    uint32_t number = s->triangles.count++;
    uint8_t *corner = s->triangles.corner[number];
    corner[0] = a;
    corner[1] = b;
    corner[2] = c;
    s->near |= is_far(s->w, corner, s->bounds) ? 0u : 1u << number;
}

// The triangles that were told. False where they make no closed surface.
static bool read_triangles(surface *s, bool turned)
{
    const trvi_witnesses *known = s->known;
    border b;
    uint32_t told = 0, bits = known->faces[0];
    s->near = s->triangles.count = 0;
    begin_border(&b, s->count == 0 ? 3 : s->count, turned);
    for (; b.end > b.begin; told++, bits >>= 4) {
        if (told % IN_NUMBER == 0)
            bits = known->faces[told / IN_NUMBER];
        uint8_t from = b.end[0], to = b.end[-1], third = (uint8_t)(bits & 15u);
        if (told == TRVI_BACKING_FACES || third >= s->points || third == from || third == to)
            return false;
        add_triangle(s, from, to, third);
        join(&b, third);
    }
    s->first = UINT32_MAX;
    if (s->count == 0) {
        s->first = told;
        add_triangle(s, 0, 1, 2);
    }
    return true;
}

// The triangles round a corner.
static uint32_t find_round(const trvi_triangles *t, uint32_t corner)
{
    uint32_t round = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        const uint8_t *c = t->corner[i];
        round |= c[0] == corner || c[1] == corner || c[2] == corner ? 1u << i : 0u;
    }
    return round;
}

// Are all triangles of these bits far enough out?
static bool are_far(const trvi_dvec3 *w, const trvi_triangles *t, uint32_t bits,
                    bounds_of_far bounds)
{
    for (; bits != 0; bits &= bits - 1)
        if (!is_far(w, t->corner[trvi_lowest_bit(bits)], bounds))
            return false;
    return true;
}

// Puts the point in the place of a corner of the triangle that is not the facet's; those that were
// too near round that are so no more. False where no corner will do.
static bool exchange(surface *s, const uint8_t *corner, trvi_dvec3 far, uint32_t *changed)
{
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t c = corner[k];
        if (c < s->count)
            continue;
        trvi_dvec3 before = s->w[c];
        uint32_t round = find_round(&s->triangles, c);
        s->w[c] = far;
        if (are_far(s->w, &s->triangles, round, s->bounds)) {
            s->near &= ~round;
            *changed = c;
            return true;
        }
        s->w[c] = before;
    }
    return false;
}

// Raises the point over the triangle, for three in its place. False where these are too near as well,
// or too many.
static bool split(surface *s, uint32_t number, trvi_dvec3 far, uint32_t *changed)
{
    trvi_triangles *t = &s->triangles;
    uint8_t *c = t->corner[number], added = (uint8_t)s->points;
    if (number == s->first || t->count + 2 > TRVI_BACKING_FACES ||
        s->points == TRVI_BACKING_POINTS || s->points == s->count + TRVI_WITNESSES)
        return false;
    const uint8_t pieces[3][3] = {{c[0], c[1], added}, {c[1], c[2], added}, {c[2], c[0], added}};
    s->w[added] = far;
    for (uint32_t i = 0; i < 3; i++)
        if (!is_far(s->w, pieces[i], s->bounds))
            return false;
    memcpy(c, pieces[0], 3);
    memcpy(t->corner[t->count++], pieces[1], 3);
    memcpy(t->corner[t->count++], pieces[2], 3);
    *changed = s->points++;
    trvi_end_witnesses(s->known, s->points - s->count);
    s->near &= ~(1u << number);
    return s->split = true;
}

// Brings in the farthest point over one of the triangles that are too near. False where that will not
// do; `*lost` is set where it is too near itself, so that the axis is not the best.
static bool mend(surface *s, bool *lost)
{
    uint32_t number = trvi_lowest_bit(s->near), changed;
    const uint8_t *c = s->triangles.corner[number];
    trvi_dvec3 n =
        trvi_dcross(trvi_dsub(s->w[c[1]], s->w[c[0]]), trvi_dsub(s->w[c[2]], s->w[c[0]]));
    trvi_dvec3 in_b = trvi_dmat3_mul_transposed(&s->couple->rotation, n);
    uint32_t k = c[2] >= s->count ? 2 : (c[1] >= s->count ? 1 : 0);
    if (c[k] < s->count) // all are the facet's
        return false;
    k = c[k] - s->count;
    uint32_t a = trvi_support(&s->couple->a, trvi_dnegate(n), s->known->a[k]);
    uint32_t b = trvi_support(&s->couple->b, in_b, s->known->b[k]);
    trvi_dvec3 far = trvi_pair_point(s->couple, a, b);
    double height = trvi_ddot(n, far);
    *lost = height < 0.0 || height * height < s->bounds.square * trvi_ddot(n, n);
    if (*lost || (!exchange(s, c, far, &changed) && !split(s, number, far, &changed)))
        return false;
    s->known->a[changed - s->count] = a;
    s->known->b[changed - s->count] = b;
    return true;
}

trvi_backing trvi_backing_holds(const trvi_couple *couple, const trvi_simplex_point *corners,
                                uint32_t count, double slack, const trvi_axis *axis,
                                trvi_witnesses *known)
{
    surface s;
    double least = -axis->gap - slack;
    bool turned = false, lost = false;
    // The third corner of the first triangle, which is on the side that ends in 0, is not 0.
    if ((known->faces[0] & 15u) == 0 || !(least > 0.0))
        return TRVI_BACKING_UNSURE;
    s.couple = couple;
    s.known = known;
    s.count = trvi_backing_is_whole(known->faces) ? 0 : count;
    s.bounds = bounds_from(couple, least);
    s.split = false;
    s.points = place_points(couple, corners, s.count, known, s.w);
    if (s.count > 0 && !look_at_facet(s.w, count, axis, &turned))
        return TRVI_BACKING_UNSURE;
    if (s.points < 3 || !read_triangles(&s, turned))
        return TRVI_BACKING_UNSURE;
    if (s.near == 0)
        return TRVI_BACKING_HOLDS;
    for (int i = 0; i < MENDS && s.near != 0; i++)
        if (!mend(&s, &lost))
            return lost ? TRVI_BACKING_LOST : TRVI_BACKING_UNSURE;
    if (s.near != 0)
        return TRVI_BACKING_UNSURE;
    if (s.split)
        trvi_backing_keep(&s.triangles, s.count, turned, known);
    return TRVI_BACKING_MENDED;
}
