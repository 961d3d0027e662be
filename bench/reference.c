// Signed distance of two convex solids with a certificate, in long double.
//
// The Minkowski difference A - B is approached from inside by the hull P of some of its points. The
// signed distance of the origin from P is an upper bound; it is taken at the nearest feature of P,
// which also yields a direction n, and minus the height of A - B along n is a lower bound. The
// highest point along n joins P, until the bounds meet. Apart or not makes no difference to any of
// this, and neither bound rests on how P came about, only on P being closed, which each step checks.
//
// Based on: van den Bergen 2001, "Proximity Queries and Penetration Depth Computation on 3D Game
// Objects" (the expanding polytope); Ericson 2005, "Real-Time Collision Detection", 5.1.5 (the
// point of a triangle nearest to another).
#include "reference.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define POINTS 1500 // 2 * POINTS faces; a search that needs more ends with what it has
#define EDGES  1024

typedef long double real;

typedef struct vec {
    real x, y, z;
} vec;

typedef struct face {
    uint32_t corner[3];
    vec normal;
    real offset; // along the normal; > 0 has the origin inside
} face;

typedef struct polytope {
    uint32_t count, faces;
    vec points[POINTS];
    face face[2 * POINTS];
    uint32_t edge[EDGES][2];
} polytope;

typedef struct pair {
    bench_points a, b;
    const bench_place *place_a, *place_b;
} pair;

static vec sub(vec a, vec b)
{
    vec v = {a.x - b.x, a.y - b.y, a.z - b.z};
    return v;
}

static vec add(vec a, vec b, real t)
{
    vec v = {a.x + t * b.x, a.y + t * b.y, a.z + t * b.z};
    return v;
}

static real dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vec cross(vec a, vec b)
{
    vec v = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return v;
}

static vec scaled(vec a, real t)
{
    vec v = {a.x * t, a.y * t, a.z * t};
    return v;
}

// The vertex that lies highest along `n`, in the world. The choice is made in double, which decides
// among vertices equal but for rounding; the point that it yields is exact to long double.
static vec support(bench_points set, const bench_place *place, vec n)
{
    const double *m = place->rotation;
    double x = (double)(m[0] * n.x + m[3] * n.y + m[6] * n.z);
    double y = (double)(m[1] * n.x + m[4] * n.y + m[7] * n.z);
    double z = (double)(m[2] * n.x + m[5] * n.y + m[8] * n.z);
    double best = -HUGE_VAL;
    uint32_t found = 0;
    for (uint32_t i = 0; i < set.count; i++) {
        double height = x * set.points[i][0] + y * set.points[i][1] + z * set.points[i][2];
        if (height > best) {
            best = height;
            found = i;
        }
    }
    const double *p = set.points[found];
    vec v;
    v.x = (real)m[0] * p[0] + (real)m[1] * p[1] + (real)m[2] * p[2] + place->position[0];
    v.y = (real)m[3] * p[0] + (real)m[4] * p[1] + (real)m[5] * p[2] + place->position[1];
    v.z = (real)m[6] * p[0] + (real)m[7] * p[1] + (real)m[8] * p[2] + place->position[2];
    return v;
}

static vec difference_support(const pair *p, vec n)
{
    return sub(support(p->a, p->place_a, n), support(p->b, p->place_b, scaled(n, -1)));
}

static vec nearest_on_segment(vec a, vec b)
{
    vec ab = sub(b, a);
    real t = -dot(a, ab), square = dot(ab, ab);
    return t <= 0 ? a : t >= square ? b : add(a, ab, t / square);
}

// The point of a triangle that is nearest to the origin.
static vec nearest_on_triangle(vec a, vec b, vec c, vec normal, real offset)
{
    vec foot = scaled(normal, offset);
    vec corner[3] = {a, b, c};
    vec best = a;
    bool inside = true;
    for (int i = 0; i < 3; i++) {
        vec p = corner[i], q = corner[(i + 1) % 3];
        if (dot(cross(sub(q, p), sub(foot, p)), normal) >= 0)
            continue;
        vec candidate = nearest_on_segment(p, q);
        if (inside || dot(candidate, candidate) < dot(best, best))
            best = candidate;
        inside = false;
    }
    return inside ? foot : best;
}

static bool add_face(polytope *p, uint32_t a, uint32_t b, uint32_t c)
{
    if (p->faces == 2 * POINTS)
        return false;
    face *f = &p->face[p->faces];
    vec normal = cross(sub(p->points[b], p->points[a]), sub(p->points[c], p->points[a]));
    real length = sqrtl(dot(normal, normal));
    if (!(length > 0))
        return false;
    f->corner[0] = a;
    f->corner[1] = b;
    f->corner[2] = c;
    f->normal = scaled(normal, 1 / length);
    f->offset = dot(f->normal, p->points[a]);
    p->faces++;
    return true;
}

// Four points of A - B with volume between them. False where it is flat.
static bool start(polytope *p, const pair *of)
{
    vec n = {1, 0, 0};
    p->points[0] = difference_support(of, n);
    p->points[1] = difference_support(of, scaled(n, -1));
    vec along = sub(p->points[1], p->points[0]);
    vec side = fabsl(along.y) < fabsl(along.z) ? (vec){0, 1, 0} : (vec){0, 0, 1};
    real best = 0;
    n = cross(along, side);
    for (int sign = -1; sign <= 1; sign += 2) {
        vec w = difference_support(of, scaled(n, sign));
        vec area = cross(along, sub(w, p->points[0]));
        if (dot(area, area) > best) {
            best = dot(area, area);
            p->points[2] = w;
        }
    }
    if (!(best > 0))
        return false;
    n = cross(along, sub(p->points[2], p->points[0]));
    best = 0;
    bool above = false;
    for (int sign = -1; sign <= 1; sign += 2) {
        vec w = difference_support(of, scaled(n, sign));
        real height = dot(n, sub(w, p->points[0]));
        if (fabsl(height) > best) {
            best = fabsl(height);
            above = height > 0;
            p->points[3] = w;
        }
    }
    p->count = 4;
    p->faces = 0;
    uint32_t b = above ? 2 : 1, c = above ? 1 : 2;
    return best > 0 && add_face(p, 0, b, c) && add_face(p, 0, 3, b) && add_face(p, b, 3, c) &&
           add_face(p, c, 3, 0);
}

// The edges along which the faces that see the new point end; 0 where they are not one closed loop.
static uint32_t horizon(polytope *p, const bool *seen)
{
    uint32_t count = 0;
    for (uint32_t f = 0; f < p->faces; f++) {
        for (int i = 0; seen[f] && i < 3; i++) {
            uint32_t from = p->face[f].corner[i], to = p->face[f].corner[(i + 1) % 3], e = 0;
            while (e < count && !(p->edge[e][0] == to && p->edge[e][1] == from))
                e++;
            if (e < count) { // seen from both sides
                memcpy(p->edge[e], p->edge[--count], sizeof p->edge[e]);
            } else if (count < EDGES) {
                p->edge[count][0] = from;
                p->edge[count++][1] = to;
            } else {
                return 0;
            }
        }
    }
    for (uint32_t e = 0; e + 1 < count; e++) { // into the order of the loop
        uint32_t next = e + 1;
        while (next < count && p->edge[next][0] != p->edge[e][1])
            next++;
        if (next == count || p->edge[e][1] == p->edge[0][0])
            return 0;
        uint32_t swap[2] = {p->edge[next][0], p->edge[next][1]};
        memcpy(p->edge[next], p->edge[e + 1], sizeof swap);
        memcpy(p->edge[e + 1], swap, sizeof swap);
    }
    return count >= 3 && p->edge[count - 1][1] == p->edge[0][0] ? count : 0;
}

// P becomes the hull of P and `w`. False, and P is of no more use, where it cannot.
static bool grow(polytope *p, vec w, real rounding)
{
    bool seen[2 * POINTS], outside = false;
    for (uint32_t f = 0; f < p->faces; f++) {
        real height = dot(p->face[f].normal, w) - p->face[f].offset;
        outside = outside || height > rounding;
        seen[f] = height > -rounding; // faces in one plane with it grow, none stays beside a sliver
    }
    uint32_t edges = outside && p->count < POINTS ? horizon(p, seen) : 0, kept = 0;
    if (edges == 0)
        return false;
    for (uint32_t f = 0; f < p->faces; f++)
        if (!seen[f])
            p->face[kept++] = p->face[f];
    p->faces = kept;
    p->points[p->count++] = w;
    for (uint32_t e = 0; e < edges; e++)
        if (!add_face(p, p->edge[e][0], p->edge[e][1], p->count - 1))
            return false;
    return true;
}

// The signed distance of the origin from P, and the direction from P to it (from inside: out).
static real nearest(const polytope *p, vec *direction)
{
    uint32_t lowest = 0;
    bool outside = false;
    vec best = {0, 0, 0};
    for (uint32_t f = 0; f < p->faces; f++) {
        const face *at = &p->face[f];
        if (at->offset < p->face[lowest].offset)
            lowest = f;
        if (at->offset >= 0)
            continue;
        vec q = nearest_on_triangle(p->points[at->corner[0]], p->points[at->corner[1]],
                                    p->points[at->corner[2]], at->normal, at->offset);
        if (!outside || dot(q, q) < dot(best, best))
            best = q;
        outside = true;
    }
    *direction = p->face[lowest].normal;
    if (!outside)
        return -p->face[lowest].offset;
    real length = sqrtl(dot(best, best));
    if (length > 0)
        *direction = scaled(best, -1 / length);
    return length;
}

bench_truth bench_reference(bench_points a, const bench_place *place_a, bench_points b,
                            const bench_place *place_b, double tolerance)
{
    pair of = {a, b, place_a, place_b};
    bench_truth truth = {-HUGE_VAL, HUGE_VAL, {1, 0, 0}};
    polytope p;
    bool sound = start(&p, &of);
    vec size = sub(p.points[1], p.points[0]);
    real rounding = 1e-16L * sqrtl(dot(size, size));
    while (sound) { // each turn adds a point, and there is an end to those
        vec n;
        real upper = nearest(&p, &n);
        vec w = difference_support(&of, n);
        real lower = -dot(n, w);
        if ((double)upper < truth.high)
            truth.high = (double)upper;
        if ((double)lower > truth.low) {
            truth.low = (double)lower;
            truth.normal[0] = (double)n.x;
            truth.normal[1] = (double)n.y;
            truth.normal[2] = (double)n.z;
        }
        sound = truth.high - truth.low > tolerance && grow(&p, w, rounding);
    }
    return truth;
}
