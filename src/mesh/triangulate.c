// Polygons cut into triangles, concave ones by clipping ears.
//
// A face is seen along its normal, or, where its corners lie exactly in one plane or that axis is as good,
// along the axis nearest to it, which rounds nothing: corners in line are then seen in line. Aslant, what
// leaves the plane of a warped face would be seen as a shift within it. Which way three places turn is decided
// exactly. A convex face is a fan. Of any other one an ear at a time is cut off: a corner that turns left and
// whose triangle holds no other corner. Where the outline touches or crosses itself there may be no such
// corner; then the conditions are eased step by step.
// Invariant: a face of n corners yields n - 2 triangles, whose areas as vectors add up to the face's.
//
// Based on: Meisters 1975, "Polygons Have Ears"; Held 2001, "FIST: Fast Industrial-Strength
// Triangulation of Polygons".
#include "math/math.h"
#include "mesh_data.h"

// What is spent to find ears: a look at a corner costs 1, and TURNS more where it has to be compared
// with the sides of a triangle. All faces together spend TESTS (less than a second) and TESTS_LEAST
// for each of their corners, but none more than half of what is left of the former. What is left of a
// face when its own are spent becomes a fan.
enum { TESTS = 1 << 26, TESTS_LEAST = 256, TURNS = 8 };

// What a corner that is to be cut off must be, from best to worst.
typedef enum ear_grade {
    EAR_CLEAR,   // turns left, and no other corner is in or on the triangle
    EAR_TOUCHED, // turns left, and the outline does not go on into the triangle
    EAR_FLAT,    // does not turn
    EAR_LEFT,    // turns left
    EAR_ANY
} ear_grade;

typedef struct outline {
    const trv_vec3 *vertices;
    const uint32_t *corners; // of the face
    trvi_spot *seen;         // the corners as seen, against the normal: the face turns left
    uint32_t *previous;      // of each corner not yet cut off
    uint32_t *next;
    uint32_t count;
    uint64_t tests; // left to spend on this face
    uint64_t spare; // left of TESTS
} outline;

static trv_vec3 place(const outline *o, uint32_t corner)
{
    return o->vertices[o->corners[corner]];
}

static int turn(const outline *o, uint32_t a, uint32_t b, uint32_t c)
{
    return trvi_turn(o->seen[a], o->seen[b], o->seen[c]);
}

static bool same_place(const outline *o, uint32_t a, uint32_t b)
{
    return o->seen[a].x == o->seen[b].x && o->seen[a].y == o->seen[b].y;
}

// Whether the outline at `at`, which lies on the corner `tip` of a triangle tip, right, left, goes on
// into the triangle.
static bool enters(const outline *o, uint32_t at, uint32_t tip, uint32_t right, uint32_t left)
{
    const uint32_t ways[2] = {o->previous[at], o->next[at]};
    for (int i = 0; i < 2; i++)
        if (turn(o, tip, right, ways[i]) > 0 && turn(o, tip, ways[i], left) > 0)
            return true;
    return false;
}

// Whether corner `p` keeps the triangle a, b, c, which turns left, from being an ear.
static bool blocks(const outline *o, uint32_t p, const uint32_t *ear, bool touching)
{
    int on = -1; // the side that p is on
    for (int i = 0; i < 3; i++) {
        uint32_t from = ear[i], to = ear[(i + 1) % 3];
        if (same_place(o, p, from))
            return enters(o, p, from, to, ear[(i + 2) % 3]);
        int side = turn(o, from, to, p);
        if (side < 0)
            return false;
        on = side == 0 ? i : on;
    }
    if (on < 0 || touching)
        return true;
    uint32_t from = ear[on], to = ear[(on + 1) % 3];
    return turn(o, from, to, o->previous[p]) > 0 || turn(o, from, to, o->next[p]) > 0;
}

// Whether p is beside the box of the triangle, which most corners are.
static bool is_beside(const outline *o, uint32_t at, const uint32_t *ear)
{
    trvi_spot p = o->seen[at], a = o->seen[ear[0]], b = o->seen[ear[1]], c = o->seen[ear[2]];
    return (p.x < a.x && p.x < b.x && p.x < c.x) || (p.x > a.x && p.x > b.x && p.x > c.x) ||
           (p.y < a.y && p.y < b.y && p.y < c.y) || (p.y > a.y && p.y > b.y && p.y > c.y);
}

static void spend(outline *o, uint64_t cost)
{
    o->tests -= cost < o->tests ? cost : o->tests;
}

static bool is_ear(outline *o, uint32_t corner, ear_grade grade)
{
    const uint32_t ear[3] = {o->previous[corner], corner, o->next[corner]};
    spend(o, 1);
    int way = turn(o, ear[0], ear[1], ear[2]);
    if (grade == EAR_FLAT || grade == EAR_ANY)
        return way == 0 || grade == EAR_ANY;
    if (way <= 0 || grade == EAR_LEFT)
        return way > 0;
    for (uint32_t p = o->next[ear[2]]; p != ear[0]; p = o->next[p]) {
        if (o->tests == 0)
            return false;
        spend(o, 1);
        if (is_beside(o, p, ear))
            continue;
        spend(o, TURNS);
        if (blocks(o, p, ear, grade == EAR_CLEAR))
            return false;
    }
    return true;
}

// A corner to cut off, looked for from `start` on.
static uint32_t find_ear(outline *o, uint32_t start, uint32_t left)
{
    for (int grade = EAR_CLEAR; grade < EAR_ANY; grade++) {
        uint32_t corner = start;
        for (uint32_t i = 0; i < left && o->tests > 0; i++, corner = o->next[corner])
            if (is_ear(o, corner, (ear_grade)grade))
                return corner;
    }
    return start;
}

static uint32_t *put(const outline *o, uint32_t *out, uint32_t a, uint32_t b, uint32_t c)
{
    out[0] = o->corners[a];
    out[1] = o->corners[b];
    out[2] = o->corners[c];
    return out + 3;
}

static void clip_ears(outline *o, uint32_t *out)
{
    for (uint32_t i = 0; i < o->count; i++) {
        o->previous[i] = i > 0 ? i - 1 : o->count - 1;
        o->next[i] = i + 1 < o->count ? i + 1 : 0;
    }
    uint64_t share = o->spare / 2;
    o->tests = share + (uint64_t)o->count * TESTS_LEAST;
    uint32_t at = 0;
    for (uint32_t left = o->count; left > 3; left--) {
        uint32_t ear = find_ear(o, at, left), before = o->previous[ear], after = o->next[ear];
        out = put(o, out, before, ear, after);
        o->next[before] = after;
        o->previous[after] = before;
        at = o->next[after]; // two ears in a row make slivers
    }
    put(o, out, o->previous[at], at, o->next[at]);
    o->spare -= o->tests < share ? share - o->tests : 0;
}

static trvi_dvec3 normal_of(const outline *o)
{
    trvi_dvec3 normal = {0.0, 0.0, 0.0}, first = trvi_dvec3_from(place(o, 0));
    trvi_dvec3 before = {0.0, 0.0, 0.0};
    for (uint32_t i = 1; i < o->count; i++) {
        trvi_dvec3 side = trvi_dsub(trvi_dvec3_from(place(o, i)), first);
        normal = trvi_dadd(normal, trvi_dcross(before, side));
        before = side;
    }
    return normal;
}

// The axis that is nearest to the normal.
static int main_axis(trvi_dvec3 normal)
{
    double x = fabs(normal.x), y = fabs(normal.y), z = fabs(normal.z);
    return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

static void see_along_axis(outline *o, trvi_dvec3 normal)
{
    int w = main_axis(normal), u = (w + 1) % 3, v = (w + 2) % 3;
    double sign = (&normal.x)[w] < 0.0 ? -1.0 : 1.0; // -1: seen from the other side
    for (uint32_t i = 0; i < o->count; i++) {
        trv_vec3 p = place(o, i);
        o->seen[i] = (trvi_spot){(&p.x)[u], sign * (&p.x)[v]};
    }
}

static void see_along_normal(outline *o, trvi_dvec3 normal)
{
    trvi_dvec3 n = trvi_dscale(normal, 1.0 / trvi_dlength(normal)), side = {0.0, 0.0, 0.0};
    (&side.x)[(main_axis(n) + 1) % 3] = 1.0;
    trvi_dvec3 v = trvi_dcross(n, side);
    v = trvi_dscale(v, 1.0 / trvi_dlength(v));
    trvi_dvec3 u = trvi_dcross(v, n), first = trvi_dvec3_from(place(o, 0));
    for (uint32_t i = 0; i < o->count; i++) {
        trvi_dvec3 p = trvi_dsub(trvi_dvec3_from(place(o, i)), first);
        o->seen[i] = (trvi_spot){trvi_ddot(p, u), trvi_ddot(p, v)};
    }
}

// Whether all corners lie exactly in one plane. The first ones are expected to span it.
static bool is_flat(const outline *o)
{
    uint32_t b = 1;
    while (b < o->count && trvi_coincident(place(o, 0), place(o, b)))
        b++;
    uint32_t c = b + 1;
    while (c < o->count && trvi_collinear(place(o, 0), place(o, b), place(o, c)))
        c++;
    for (uint32_t i = c + 1; i < o->count; i++)
        if (trvi_orient3d(place(o, 0), place(o, b), place(o, c), place(o, i)) != 0)
            return false;
    return true;
}

static int compare_places(const outline *o, uint32_t a, uint32_t b)
{
    trvi_spot p = o->seen[a], q = o->seen[b];
    return p.x != q.x ? (p.x > q.x ? 1 : -1) : (p.y > q.y) - (p.y < q.y);
}

// No corner turns right, and the outline goes round once.
static bool is_convex(const outline *o)
{
    uint32_t summits = 0;
    int rising = 0;
    for (uint32_t i = 0; i < 2 * o->count; i++) { // the first round finds how the second one begins
        uint32_t a = i % o->count, b = (a + 1) % o->count, c = (a + 2) % o->count;
        int way = compare_places(o, b, a);
        if (i >= o->count && way < 0 && rising > 0)
            summits++;
        rising = way != 0 ? way : rising;
        if (i < o->count && turn(o, a, b, c) < 0)
            return false;
    }
    return summits == 1;
}

// Sees the face, and tells whether a fan will do.
static bool is_fan(outline *o)
{
    if (o->count == 3)
        return true;
    trvi_dvec3 n = normal_of(o);
    if (n.x == 0.0 && n.y == 0.0 && n.z == 0.0)
        return true; // no view is better than another
    see_along_axis(o, n);
    bool convex = is_convex(o);
    if (trvi_dlength(n) - fabs((&n.x)[main_axis(n)]) <= TRVI_VIEW_TILT * trvi_dlength(n))
        return convex;
    see_along_normal(o, n);
    bool warped_convex = is_convex(o);
    if ((convex && warped_convex) || !is_flat(o))
        return warped_convex;
    see_along_axis(o, n);
    return convex;
}

static void cut_face(outline *o, uint32_t *out)
{
    if (!is_fan(o)) {
        clip_ears(o, out);
        return;
    }
    for (uint32_t i = 2; i < o->count; i++)
        out = put(o, out, 0, i - 1, i);
}

trv_result trv_mesh_triangulate(const trv_mesh *mesh, uint32_t part, uint32_t *triangles,
                                uint32_t capacity, uint32_t *count)
{
    if (count == NULL)
        return TRV_ERROR_NULL;
    *count = 0;
    if (mesh == NULL || (triangles == NULL && capacity > 0))
        return TRV_ERROR_NULL;
    trv_mesh_part run;
    trv_result result = trvi_mesh_run(mesh, part, &run);
    if (result != TRV_OK)
        return result;
    const uint32_t *first = mesh->face_first + run.first_face;
    uint32_t needed = first[run.face_count] - first[0] - 2 * run.face_count, most = 0;
    if (triangles != NULL && capacity < needed)
        return TRV_ERROR_LIMIT;
    *count = needed;
    if (triangles == NULL || needed == 0)
        return TRV_OK;
    for (uint32_t f = 0; f < run.face_count; f++)
        most = first[f + 1] - first[f] > most ? first[f + 1] - first[f] : most;
    size_t size = (size_t)most * (sizeof(trvi_spot) + 2 * sizeof(uint32_t));
    trvi_spot *seen = trvi_allocate(&mesh->allocator, size);
    if (seen == NULL) {
        *count = 0;
        return TRV_ERROR_MEMORY;
    }
    uint32_t *links = (uint32_t *)(seen + most);
    outline o = {.vertices = mesh->vertices,
                 .seen = seen,
                 .previous = links,
                 .next = links + most,
                 .spare = TESTS};
    for (uint32_t f = 0; f < run.face_count; f++) {
        o.corners = mesh->corners + first[f];
        o.count = first[f + 1] - first[f];
        cut_face(&o, triangles);
        triangles += 3 * (size_t)(o.count - 2);
    }
    trvi_free(&mesh->allocator, seen, size);
    return TRV_OK;
}
