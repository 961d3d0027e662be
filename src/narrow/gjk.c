// Distance of two convex cores: walks a simplex in the set B - A towards the origin.
//
// All in double on float32 vertices, so that slivers which are degenerate in float32 still have
// some thirty bits to spare. Each support gives a lower bound on the distance, the simplex an upper
// one; the search ends when they agree, when a vertex comes twice, or when rounding stops progress.
// Invariant: "apart" is only ever said on the strength of a direction along which the supports
// leave a gap; running out of iterations is not such a proof, and the answer is then that there is
// none.
// Based on: Gilbert, Johnson and Keerthi 1988; van den Bergen 1999, "A fast and robust GJK
// implementation" (termination); Ericson 2004, "Real-Time Collision Detection", chapter 5
// (regions).
#include "gjk.h"

#include <string.h>

enum { MAX_ITERATIONS = 128 };

// The point at share t of the segment from a along d that is nearest the origin, once more made
// normal to d: over a long segment far from the origin the rounding of the sum would tilt it.
static trvi_dvec3 foot_on(trvi_dvec3 a, trvi_dvec3 d, double t)
{
    return trvi_straightened(trvi_dmul_add(a, d, t), d);
}

static void keep_one(trvi_simplex *s, uint32_t i)
{
    s->points[0] = s->points[i];
    s->weights[0] = 1.0;
    s->count = 1;
}

// Keeps points i < j, at the share t of j.
static void keep_two(trvi_simplex *s, uint32_t i, uint32_t j, double t)
{
    s->points[0] = s->points[i];
    s->points[1] = s->points[j];
    s->weights[0] = 1.0 - t;
    s->weights[1] = t;
    s->count = 2;
}

static trvi_dvec3 nearest_on_segment(trvi_simplex *s)
{
    trvi_dvec3 a = s->points[0].w, d = trvi_dsub(s->points[1].w, a);
    double along = -trvi_ddot(a, d), square = trvi_ddot(d, d);
    if (along > 0.0 && along < square) {
        keep_two(s, 0, 1, along / square);
        return foot_on(a, d, s->weights[1]);
    }
    keep_one(s, along > 0.0 ? 1 : 0);
    return s->points[0].w;
}

// The best of those edges that lie opposite to a corner without share: the origin is outside of
// these only, so the nearest point is on one of them.
static trvi_dvec3 nearest_on_edges(trvi_simplex *s, const double *shares)
{
    static const uint32_t ends[3][2] = {{1, 2}, {2, 0}, {0, 1}};
    trvi_simplex best = *s;
    trvi_dvec3 nearest = {0.0, 0.0, 0.0};
    double best_square = HUGE_VAL;
    for (uint32_t k = 0; k < 3; k++) {
        if (shares[k] > 0.0)
            continue;
        trvi_simplex edge;
        edge.points[0] = s->points[ends[k][0]];
        edge.points[1] = s->points[ends[k][1]];
        trvi_dvec3 v = nearest_on_segment(&edge);
        if (trvi_ddot(v, v) < best_square) {
            best_square = trvi_ddot(v, v);
            best = edge;
            nearest = v;
        }
    }
    *s = best;
    return nearest;
}

// Two sides of a triangle and their product.
typedef struct spread {
    trvi_dvec3 to_j, to_k, n;
    double square; // of the length of `n`
} spread;

// How much of either side `v` is made of, but for its part along the normal.
static inline double share_of_j(const spread *t, trvi_dvec3 v)
{
    return trvi_ddot(t->n, trvi_dcross(v, t->to_k)) / t->square;
}

static inline double share_of_k(const spread *t, trvi_dvec3 v)
{
    return trvi_ddot(t->n, trvi_dcross(t->to_j, v)) / t->square;
}

// Rounding of a sliver's shares moves the point that they make along its long sides: what that
// misses the foot by is shared out once more.
static void share_rest(const spread *t, const trvi_simplex *s, trvi_dvec3 foot, uint32_t i,
                       double *shares)
{
    uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
    trvi_dvec3 rest = trvi_dsub(foot, s->points[i].w);
    rest = trvi_dmul_add(rest, t->to_j, -shares[j]);
    rest = trvi_dmul_add(rest, t->to_k, -shares[k]);
    double more_j = share_of_j(t, rest), more_k = share_of_k(t, rest);
    if (shares[i] - more_j - more_k > 0.0 && shares[j] + more_j > 0.0 && shares[k] + more_k > 0.0) {
        shares[i] -= more_j + more_k;
        shares[j] += more_j;
        shares[k] += more_k;
    }
}

// Where the nearest point lies inside of the triangle it is taken from the plane, not from the
// shares: in a sliver far from the origin those would move it along the long sides.
static trvi_dvec3 nearest_on_triangle(trvi_simplex *s)
{
    trvi_simplex_point *p = s->points;
    uint32_t i;
    spread t;
    t.n = trvi_triangle_normal(p[0].w, p[1].w, p[2].w, &i);
    uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
    trvi_dvec3 at = p[i].w, back = trvi_dnegate(at);
    t.to_j = trvi_dsub(p[j].w, at);
    t.to_k = trvi_dsub(p[k].w, at);
    t.square = trvi_ddot(t.n, t.n);
    double of_j = trvi_ddot(t.to_j, t.to_j), of_k = trvi_ddot(t.to_k, t.to_k);
    if (!(t.square > TRVI_FLAT * TRVI_FLAT * of_j * of_k)) {
        static const double none[3] = {0.0, 0.0, 0.0}; // no area: any edge may be nearest
        return nearest_on_edges(s, none);
    }
    bool sliver = !(t.square > TRVI_BLUNT * TRVI_BLUNT * of_j * of_k);
    if (sliver)
        t.n = trvi_straightened(t.n, of_j > of_k ? t.to_j : t.to_k);
    // Shares of the whole area, each the signed area that the origin's foot makes with an edge.
    double shares[3];
    shares[j] = share_of_j(&t, back);
    shares[k] = share_of_k(&t, back);
    shares[i] = 1.0 - shares[j] - shares[k];
    if (!(shares[0] > 0.0) || !(shares[1] > 0.0) || !(shares[2] > 0.0))
        return nearest_on_edges(s, shares);
    trvi_dvec3 foot = trvi_dscale(t.n, trvi_ddot(t.n, at) / t.square);
    if (sliver)
        share_rest(&t, s, foot, i, shares);
    for (uint32_t corner = 0; corner < 3; corner++)
        s->weights[corner] = shares[corner];
    return foot;
}

// Three of the points of `s` and their share in the point nearest the origin, which it returns.
static trvi_dvec3 nearest_on_face(const trvi_simplex *s, const uint8_t *corners, trvi_simplex *out)
{
    trvi_simplex_point a = s->points[corners[0]], b = s->points[corners[1]];
    trvi_simplex_point c = s->points[corners[2]];
    out->points[0] = a;
    out->points[1] = b;
    out->points[2] = c;
    out->count = 3;
    return nearest_on_triangle(out);
}

// The square of a distance from three points of a simplex, made larger by what rounding may take
// from it.
static double rounded_up(const trvi_simplex_point *p, double square)
{
    double size =
        sqrt(trvi_ddot(p[0].w, p[0].w) + trvi_ddot(p[1].w, p[1].w) + trvi_ddot(p[2].w, p[2].w));
    double most = sqrt(square) + TRVI_GJK_ROUNDING * size;
    return most * most;
}

static const uint8_t face_corners[4][4] = { // and the corner that is not of the face
    {0, 1, 2, 3},
    {0, 2, 3, 1},
    {0, 3, 1, 2},
    {1, 3, 2, 0}};

// True when the origin lies strictly inside; else the nearest of the faces that it is outside of. Of
// those that are as near but for rounding, one that has the last point: where that was added because
// it lies beyond the triangle of the others, this one cannot be as near.
static bool nearest_on_tetrahedron(trvi_simplex *s, trvi_dvec3 *nearest)
{
    double shares[4] = {0.0, 0.0, 0.0, 0.0};
    uint32_t outside[4], count = 0, best = 0;
    for (uint32_t f = 0; f < 4; f++) {
        const uint8_t *k = face_corners[f];
        uint32_t corner;
        trvi_dvec3 n =
            trvi_triangle_normal(s->points[k[0]].w, s->points[k[1]].w, s->points[k[2]].w, &corner);
        trvi_dvec3 at = s->points[k[corner]].w, to = trvi_dsub(s->points[k[3]].w, at);
        double fourth = trvi_ddot(n, to), origin = -trvi_ddot(n, at);
        // Squares of the rounding, which save roots: twice a sum of squares is at least the sum's
        // square.
        double square = 2.0 * trvi_ddot(n, n) * (trvi_ddot(to, to) + trvi_ddot(at, at));
        bool thick = fourth * fourth > TRVI_THIN * TRVI_THIN * square;
        bool clear = origin * origin > TRVI_FLAT * TRVI_FLAT * square;
        if (thick && clear && (fourth > 0.0) == (origin > 0.0))
            shares[k[3]] = origin / fourth; // on the inner side of this face
        else
            outside[count++] = f;
    }
    if (count == 0) {
        double sum = shares[0] + shares[1] + shares[2] + shares[3];
        for (uint32_t i = 0; i < 4; i++)
            s->weights[i] = shares[i] / sum;
        *nearest = (trvi_dvec3){0.0, 0.0, 0.0};
        return true;
    }
    double best_square = HUGE_VAL;
    for (uint32_t i = 0; count > 1 && i < count; i++) {
        trvi_simplex face;
        trvi_dvec3 v = nearest_on_face(s, face_corners[outside[i]], &face);
        double square = trvi_ddot(v, v);
        if (square < best_square) { // the first face, of the others, comes first
            best_square = outside[i] == 0 ? rounded_up(s->points, square) : square;
            best = i;
        }
    }
    *nearest = nearest_on_face(s, face_corners[outside[best]], s);
    return false;
}

bool trvi_simplex_nearest(trvi_simplex *simplex, trvi_dvec3 *nearest)
{
    switch (simplex->count) {
    case 1:
        simplex->weights[0] = 1.0;
        *nearest = simplex->points[0].w;
        return true;
    case 2:
        *nearest = nearest_on_segment(simplex);
        return true;
    case 3:
        *nearest = nearest_on_triangle(simplex);
        return true;
    default:
        return !nearest_on_tetrahedron(simplex, nearest);
    }
}

// The square of how far the point that the weights make is from the origin.
static double square_missed(const trvi_simplex *s)
{
    trvi_dvec3 sum = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < s->count; i++)
        sum = trvi_dmul_add(sum, s->points[i].w, s->weights[i]);
    return trvi_ddot(sum, sum);
}

// In a sliver all of whose corners are nearly in line the weights that make the origin are lost to
// rounding. It is near the faces then, and one of these makes it better.
static const trvi_simplex *best_made(const trvi_simplex *s, double touch, trvi_simplex *face)
{
    if (s->count < 4)
        return s;
    double least = square_missed(s);
    const trvi_simplex *best = s;
    if (least <= touch * touch)
        return s;
    for (uint32_t f = 0; f < 4; f++) {
        trvi_simplex other;
        nearest_on_face(s, face_corners[f], &other);
        double square = square_missed(&other);
        if (square < least) {
            least = square;
            *face = other;
            best = face;
        }
    }
    return best;
}

void trvi_gjk_points(const trvi_couple *couple, const trvi_simplex *simplex, trvi_dvec3 *on_a,
                     trvi_dvec3 *on_b)
{
    trvi_simplex face;
    const trvi_simplex *s = best_made(simplex, TRVI_TOUCH * couple->scale, &face);
    trvi_dvec3 a = {0.0, 0.0, 0.0}, b = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < s->count; i++) {
        a = trvi_dmul_add(a, trvi_vertex(&couple->a, s->points[i].a), s->weights[i]);
        b = trvi_dmul_add(b, trvi_vertex(&couple->b, s->points[i].b), s->weights[i]);
    }
    *on_a = a;
    *on_b = trvi_dadd(trvi_dmat3_mul(&couple->rotation, b), couple->offset);
}

// The point of B - A that two vertices make, with B moved by `shift`.
static inline void make_point(const trvi_couple *couple, const trvi_dvec3 *shift, uint32_t a,
                              uint32_t b, trvi_simplex_point *p)
{
    p->a = a;
    p->b = b;
    p->w = trvi_dsub(trvi_dadd(trvi_vertex_of_b(couple, b), *shift), trvi_vertex(&couple->a, a));
}

// The point of B - A that lies farthest against `v`, searched from two vertices.
static void support_against(const trvi_couple *couple, const trvi_dvec3 *shift, const trvi_dvec3 *v,
                            uint32_t from_a, uint32_t from_b, trvi_simplex_point *p)
{
    const trvi_dvec3 back = {-v->x, -v->y, -v->z};
    trvi_dvec3 in_b = trvi_dmat3_mul_transposed(&couple->rotation, back);
    uint32_t a = trvi_support_at(&couple->a, v, from_a);
    uint32_t b = trvi_support_at(&couple->b, &in_b, from_b);
    make_point(couple, shift, a, b, p);
}

// What a simplex is made of: less to keep than its points.
typedef struct record {
    uint32_t a[3], b[3], count;
    double weights[3];
} record;

static void write_down(const trvi_simplex *s, record *r)
{
    r->count = s->count;
    for (uint32_t i = 0; i < s->count; i++) {
        r->a[i] = s->points[i].a;
        r->b[i] = s->points[i].b;
        r->weights[i] = s->weights[i];
    }
}

static void restore(const trvi_couple *couple, const trvi_dvec3 *shift, const record *r,
                    trvi_simplex *s)
{
    s->count = r->count;
    for (uint32_t i = 0; i < r->count; i++) {
        make_point(couple, shift, r->a[i], r->b[i], &s->points[i]);
        s->weights[i] = r->weights[i];
    }
}

static bool holds(const trvi_simplex *s, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->points[i].a == a && s->points[i].b == b)
            return true;
    return false;
}

// Notes the supports taken last, along `v` of that length; `bound` is their gap times the length.
static void note_gap(trvi_gjk *out, trvi_dvec3 v, double bound, double length)
{
    if (!(bound > out->widest.gap * length))
        return;
    out->widest.along = v;
    out->widest.gap = bound / length;
    out->widest.vertex_a = out->vertex_a;
    out->widest.vertex_b = out->vertex_b;
}

// Lengths agree to rounding while directions are still apart by its square root. There the lower
// bound tells which one is better: it has to rise.
static bool is_better(const trvi_couple *couple, const trvi_dvec3 *shift, trvi_dvec3 v,
                      double length, const trvi_gjk *out, double bound)
{
    double own = trvi_dlength(v);
    trvi_simplex_point p;
    if (!(own <= length * (1.0 + TRVI_GJK_GAP) + TRVI_GJK_ROUNDING * couple->scale))
        return false;
    support_against(couple, shift, &v, out->vertex_a, out->vertex_b, &p);
    return trvi_ddot(v, p.w) > bound * own;
}

// Of two vertices that are as far along `v` but for rounding, the wrong one may have been taken: from
// the far end of a long edge nothing leads to the answer. Where the simplex has a vertex that is as
// far, that is tried in its place. `*nearest` is then the point that came of it, nearer than `length`;
// else the simplex is as it was.
static bool try_others(const trvi_couple *couple, const trvi_dvec3 *shift, const record *before,
                       trvi_dvec3 v, double length, double bound, trvi_gjk *out,
                       trvi_dvec3 *nearest)
{
    trvi_simplex *s = &out->simplex;
    double slack = TRVI_GJK_ROUNDING * couple->scale * length;
    for (uint32_t i = 0; i < 2 * before->count; i++) {
        uint32_t a = i % 2 == 0 ? before->a[i / 2] : out->vertex_a;
        uint32_t b = i % 2 == 0 ? out->vertex_b : before->b[i / 2];
        restore(couple, shift, before, s);
        if (holds(s, a, b) || (a == out->vertex_a && b == out->vertex_b))
            continue;
        make_point(couple, shift, a, b, &s->points[s->count]);
        if (!(trvi_ddot(v, s->points[s->count].w) <= bound + slack))
            continue;
        s->count++;
        if (trvi_simplex_nearest(s, nearest) && trvi_dlength(*nearest) < length)
            return true;
    }
    restore(couple, shift, before, s);
    return false;
}

static void finish(trvi_gjk *out, trvi_gjk_state state, trvi_dvec3 v, double distance, double gap)
{
    out->gap = gap;
    out->state = state;
    out->distance = distance;
    out->normal = trvi_dnormalize_or(v, (trvi_dvec3){0.0, 1.0, 0.0});
}

// The tetrahedron holds the origin, by the signs of volumes, which of needles are rounding. That it does
// is certain where the weights make a point that touches it; else the cores may be apart, and the way
// so far tells by how much at most.
static void finish_inside(trvi_gjk *out, trvi_dvec3 v, double length, double gap, double touch)
{
    trvi_simplex face;
    if (square_missed(best_made(&out->simplex, touch, &face)) <= touch * touch)
        finish(out, TRVI_GJK_TOUCH, v, 0.0, 0.0);
    else
        finish(out, TRVI_GJK_UNSURE, v, length, gap);
}

// Takes the support along `v`, as the simplex's next point, but does not count it yet. Returns the
// lower bound on the distance times the length of `v`.
static double take_support(const trvi_couple *couple, const trvi_dvec3 *shift, const trvi_dvec3 *v,
                           trvi_gjk *out)
{
    trvi_simplex_point *p =
        &out->simplex.points[out->simplex.count]; // of four: it is no tetrahedron
    support_against(couple, shift, v, out->vertex_a, out->vertex_b, p);
    out->vertex_a = p->a;
    out->vertex_b = p->b;
    return trvi_ddot(*v, p->w);
}

// True where the supports along `v` prove that the cores are further apart than the limit, and by a
// plane that is worth remembering, or none is. `bound` is their gap times the length of `v`, and
// `most` is no less than the distance.
static inline bool is_beyond(const trvi_couple *couple, const trvi_dvec3 *v, double bound,
                             double length, double most, double beyond, trvi_gjk *out)
{
    if (!(bound > beyond * length) || !(couple->hasty || bound > TRVI_GOOD_PLANE * most * length) ||
        !trvi_gap_exceeds(couple, trvi_dscale(*v, 1.0 / length), bound / length, beyond))
        return false;
    finish(out, TRVI_GJK_BEYOND, *v, bound / length, bound / length);
    return true;
}

void trvi_gjk_run(const trvi_couple *couple, trvi_dvec3 shift, double beyond, trvi_gjk *out)
{
    trvi_dvec3 middle_b =
        trvi_dadd(trvi_dmat3_mul(&couple->rotation, couple->b.center), couple->offset);
    trvi_dvec3 v = trvi_dadd(trvi_dsub(middle_b, couple->a.center), shift);
    out->vertex_a = out->vertex_b = TRVI_NO_VERTEX;
    trvi_gjk_resume(couple, shift, v, beyond, out);
}

void trvi_gjk_resume(const trvi_couple *couple, trvi_dvec3 shift, trvi_dvec3 along, double beyond,
                     trvi_gjk *out)
{
    trvi_simplex *s = &out->simplex;
    double touch = TRVI_TOUCH * couple->scale, bound = 0.0;
    if (!(trvi_ddot(along, along) > touch * touch))
        along = (trvi_dvec3){1.0, 0.0, 0.0};
    s->count = 0;
    bound = take_support(couple, &shift, &along, out);
    s->weights[0] = 1.0;
    s->count = 1;
    trvi_dvec3 v = s->points[0].w;
    double length = trvi_dlength(v);
    double stride = trvi_dlength(along);
    if (is_beyond(couple, &along, bound, stride, length, beyond, out))
        return;
    out->widest = (trvi_widest){along, bound / stride, out->vertex_a, out->vertex_b};
    int turn = 0;
    for (; turn < MAX_ITERATIONS && length > touch; turn++) {
        bound = take_support(couple, &shift, &v, out);
        if (is_beyond(couple, &v, bound, length, length, beyond, out))
            return;
        double gap = length * length - bound;
        note_gap(out, v, bound, length);
        if (gap <= TRVI_GJK_GAP * length * length || gap <= 0.001 * touch * length ||
            holds(s, out->vertex_a, out->vertex_b))
            break;
        record before;
        trvi_dvec3 nearest;
        write_down(s, &before);
        s->count++;
        if (!trvi_simplex_nearest(s, &nearest)) {
            finish_inside(out, v, length, bound / length, touch);
            return;
        }
        if (!(trvi_dlength(nearest) < length) &&
            !is_better(couple, &shift, nearest, length, out, bound / length) &&
            !try_others(couple, &shift, &before, v, length, bound, out, &nearest))
            break; // rounding has the last word
        v = nearest;
        length = trvi_dlength(v);
    }
    if (!(length > touch)) {
        finish(out, TRVI_GJK_TOUCH, v, 0.0, 0.0);
        return;
    }
    if (turn == MAX_ITERATIONS) { // the last support was asked for along another direction
        bound = take_support(couple, &shift, &v, out);
        note_gap(out, v, bound, length);
    }
    double gap = bound / length;
    finish(out, gap > touch ? TRVI_GJK_APART : TRVI_GJK_UNSURE, v, length, gap);
}

uint32_t trvi_simplex_vertices(const trvi_simplex *simplex, bool of_b, uint32_t *vertices)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < simplex->count; i++) {
        uint32_t v = of_b ? simplex->points[i].b : simplex->points[i].a, k = 0;
        while (k < count && vertices[k] != v)
            k++;
        vertices[k] = v;
        count += k == count;
    }
    return count;
}
