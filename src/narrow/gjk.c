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

static trvi_dvec3 weigh(const trvi_simplex *s)
{
    trvi_dvec3 sum = trvi_dscale(s->points[0].w, s->weights[0]);
    for (uint32_t i = 1; i < s->count; i++)
        sum = trvi_dmul_add(sum, s->points[i].w, s->weights[i]);
    return sum;
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

static void nearest_on_segment(trvi_simplex *s)
{
    trvi_dvec3 a = s->points[0].w, d = trvi_dsub(s->points[1].w, a);
    double along = -trvi_ddot(a, d), square = trvi_ddot(d, d);
    if (!(along > 0.0))
        keep_one(s, 0);
    else if (along >= square)
        keep_one(s, 1);
    else
        keep_two(s, 0, 1, along / square);
}

// The best of those edges that lie opposite to a corner without share: the origin is outside of
// these only, so the nearest point is on one of them.
static void nearest_on_edges(trvi_simplex *s, double u, double v, double w)
{
    static const uint32_t ends[3][2] = {{1, 2}, {2, 0}, {0, 1}};
    const double shares[3] = {u, v, w};
    uint32_t best = 0;
    double best_share = 0.0, best_square = HUGE_VAL;
    for (uint32_t k = 0; k < 3; k++) {
        if (shares[k] > 0.0)
            continue;
        trvi_dvec3 a = s->points[ends[k][0]].w, d = trvi_dsub(s->points[ends[k][1]].w, a);
        double along = -trvi_ddot(a, d), square = trvi_ddot(d, d), share = 0.0;
        if (along > 0.0)
            share = along >= square ? 1.0 : along / square;
        trvi_dvec3 nearest = trvi_dmul_add(a, d, share);
        if (trvi_ddot(nearest, nearest) < best_square) {
            best_square = trvi_ddot(nearest, nearest);
            best_share = share;
            best = k;
        }
    }
    trvi_simplex_point from = s->points[ends[best][0]], to = s->points[ends[best][1]];
    s->points[0] = from;
    s->points[1] = to;
    if (best_share <= 0.0)
        keep_one(s, 0);
    else if (best_share >= 1.0)
        keep_one(s, 1);
    else
        keep_two(s, 0, 1, best_share);
}

static void nearest_on_triangle(trvi_simplex *s)
{
    trvi_dvec3 a = s->points[0].w, b = s->points[1].w, c = s->points[2].w;
    trvi_dvec3 ab = trvi_dsub(b, a), ac = trvi_dsub(c, a), n = trvi_dcross(ab, ac);
    double square = trvi_ddot(n, n);
    if (!(square > TRVI_FLAT * TRVI_FLAT * trvi_ddot(ab, ab) * trvi_ddot(ac, ac))) {
        nearest_on_edges(s, 0.0, 0.0, 0.0); // no area: any edge may be nearest
        return;
    }
    // Shares of the whole area, each the signed area that the origin's foot makes with an edge.
    double u = trvi_ddot(n, trvi_dcross(b, c)), v = trvi_ddot(n, trvi_dcross(c, a));
    double w = trvi_ddot(n, trvi_dcross(a, b)), sum = u + v + w;
    if (!(u > 0.0) || !(v > 0.0) || !(w > 0.0)) {
        nearest_on_edges(s, u, v, w);
        return;
    }
    s->weights[0] = u / sum;
    s->weights[1] = v / sum;
    s->weights[2] = w / sum;
}

// The sum of the parts, which is no shorter than the vector and at most 1.8 times as long.
static double rough_length(trvi_dvec3 a)
{
    return fabs(a.x) + fabs(a.y) + fabs(a.z);
}

// Three of the points of `s` and their share in the point nearest the origin.
static void nearest_on_face(const trvi_simplex *s, const uint8_t *corners, trvi_simplex *out)
{
    trvi_simplex_point a = s->points[corners[0]], b = s->points[corners[1]];
    trvi_simplex_point c = s->points[corners[2]];
    out->points[0] = a;
    out->points[1] = b;
    out->points[2] = c;
    out->count = 3;
    nearest_on_triangle(out);
}

// True when the origin lies strictly inside; else the nearest of the faces that it is outside of.
static bool nearest_on_tetrahedron(trvi_simplex *s)
{
    static const uint8_t corners[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
    uint32_t outside[4], count = 0, best = 0;
    for (uint32_t f = 0; f < 4; f++) {
        const uint8_t *k = corners[f];
        trvi_dvec3 a = s->points[k[0]].w, b = s->points[k[1]].w, c = s->points[k[2]].w;
        trvi_dvec3 ab = trvi_dsub(b, a), ac = trvi_dsub(c, a);
        trvi_dvec3 ad = trvi_dsub(s->points[k[3]].w, a), n = trvi_dcross(ab, ac);
        double fourth = trvi_ddot(n, ad), origin = -trvi_ddot(n, a);
        double flat = TRVI_FLAT * rough_length(n) * (rough_length(ad) + rough_length(a));
        if (fabs(fourth) > flat && (fourth > 0.0 ? origin > 0.0 : origin < 0.0))
            continue; // on the inner side of this face
        outside[count++] = f;
    }
    if (count == 0)
        return true;
    double best_square = HUGE_VAL;
    for (uint32_t i = 0; count > 1 && i < count; i++) {
        trvi_simplex face;
        nearest_on_face(s, corners[outside[i]], &face);
        trvi_dvec3 v = weigh(&face);
        if (trvi_ddot(v, v) < best_square) {
            best_square = trvi_ddot(v, v);
            best = i;
        }
    }
    nearest_on_face(s, corners[outside[best]], s);
    return false;
}

bool trvi_simplex_nearest(trvi_simplex *simplex, trvi_dvec3 *nearest)
{
    *nearest = (trvi_dvec3){0.0, 0.0, 0.0};
    switch (simplex->count) {
    case 1:
        simplex->weights[0] = 1.0;
        break;
    case 2:
        nearest_on_segment(simplex);
        break;
    case 3:
        nearest_on_triangle(simplex);
        break;
    default:
        if (nearest_on_tetrahedron(simplex))
            return false;
        break;
    }
    *nearest = weigh(simplex);
    return true;
}

void trvi_gjk_points(const trvi_couple *couple, const trvi_simplex *s, trvi_dvec3 *on_a,
                     trvi_dvec3 *on_b)
{
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

static void finish(trvi_gjk *out, trvi_gjk_state state, trvi_dvec3 v, double distance)
{
    out->state = state;
    out->distance = distance;
    out->normal = trvi_dnormalize_or(v, (trvi_dvec3){0.0, 1.0, 0.0});
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
    support_against(couple, &shift, &along, out->vertex_a, out->vertex_b, &s->points[0]);
    out->vertex_a = s->points[0].a;
    out->vertex_b = s->points[0].b;
    s->weights[0] = 1.0;
    s->count = 1;
    trvi_dvec3 v = s->points[0].w;
    double length = trvi_dlength(v);
    for (int i = 0; i < MAX_ITERATIONS && length > touch; i++) {
        trvi_simplex_point *p = &s->points[s->count]; // of four: the simplex is no tetrahedron
        support_against(couple, &shift, &v, out->vertex_a, out->vertex_b, p);
        bound = trvi_ddot(v, p->w); // times 1 / length: a lower bound on the distance
        out->vertex_a = p->a;
        out->vertex_b = p->b;
        if (bound > beyond * length && bound > TRVI_GOOD_PLANE * length * length &&
            trvi_gap_exceeds(couple, trvi_dscale(v, 1.0 / length), bound / length, beyond)) {
            finish(out, TRVI_GJK_BEYOND, v, bound / length);
            return;
        }
        double gap = length * length - bound;
        if (gap <= TRVI_GJK_GAP * length * length || gap <= 0.001 * touch * length ||
            holds(s, p->a, p->b))
            break;
        record before;
        trvi_dvec3 nearest;
        write_down(s, &before);
        s->count++;
        if (!trvi_simplex_nearest(s, &nearest)) {
            finish(out, TRVI_GJK_TOUCH, v, 0.0);
            return;
        }
        double shorter = trvi_dlength(nearest);
        if (!(shorter < length)) { // rounding has the last word
            restore(couple, &shift, &before, s);
            break;
        }
        v = nearest;
        length = shorter;
    }
    trvi_simplex_point last;
    make_point(couple, &shift, out->vertex_a, out->vertex_b, &last);
    bound = trvi_ddot(v, last.w);
    if (!(length > touch))
        finish(out, TRVI_GJK_TOUCH, v, 0.0);
    else
        finish(out, bound > touch * length ? TRVI_GJK_APART : TRVI_GJK_UNSURE, v, length);
}
