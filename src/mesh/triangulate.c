// Polygons cut into triangles, concave ones by clipping ears.
//
// A face is seen along the axis that its normal is nearest to; which way three of its corners turn
// there is decided exactly. A convex face is a fan. Of any other one an ear at a time is cut off: a
// corner that turns left and whose triangle holds no other corner. Where the outline touches or crosses
// itself there may be no such corner; then the conditions are eased step by step.
// Invariant: a face of n corners yields n - 2 triangles, whose areas as vectors add up to the face's.
//
// Based on: Meisters 1975, "Polygons Have Ears"; Held 2001, "FIST: Fast Industrial-Strength
// Triangulation of Polygons".
#include "math/math.h"
#include "mesh_data.h"

// Tests of a corner against a triangle that are spent for each corner of a face. What is left of the
// face by then becomes a fan.
enum { TESTS_PER_CORNER = 1024 };

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
    uint32_t *previous;      // of each corner not yet cut off
    uint32_t *next;
    uint32_t count;
    uint64_t tests; // left to spend
    int u, v;       // the axes of the view: seen against w, u turns to v counter-clockwise
    double sign;    // -1: seen from the other side
} outline;

static trv_vec3 place(const outline *o, uint32_t corner)
{
    return o->vertices[o->corners[corner]];
}

// 1 where corners a, b, c turn left as seen, -1 where right, 0 where they are in line.
static int turn(const outline *o, uint32_t a, uint32_t b, uint32_t c)
{
    trv_vec3 p = place(o, a), q = place(o, b), r = place(o, c);
    double pu = (&p.x)[o->u], pv = (&p.x)[o->v];
    double left = ((double)(&q.x)[o->u] - pu) * ((double)(&r.x)[o->v] - pv);
    double right = ((double)(&q.x)[o->v] - pv) * ((double)(&r.x)[o->u] - pu);
    double area = left - right;
    if (!(fabs(area) > 1.0e-15 * (fabs(left) + fabs(right)))) { // more than six roundings
        trvi_dvec3 cross = trvi_exact_cross(p, q, r);
        area = (&cross.x)[3 - o->u - o->v];
    }
    area *= o->sign;
    return (area > 0.0) - (area < 0.0);
}

static bool same_place(const outline *o, uint32_t a, uint32_t b)
{
    trv_vec3 p = place(o, a), q = place(o, b);
    return (&p.x)[o->u] == (&q.x)[o->u] && (&p.x)[o->v] == (&q.x)[o->v];
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
static bool is_beside(const outline *o, uint32_t p, const uint32_t *ear)
{
    const int axes[2] = {o->u, o->v};
    for (int i = 0; i < 2; i++) {
        const float *at = &o->vertices->x + axes[i];
        float x = at[3 * (size_t)o->corners[p]], a = at[3 * (size_t)o->corners[ear[0]]];
        float b = at[3 * (size_t)o->corners[ear[1]]], c = at[3 * (size_t)o->corners[ear[2]]];
        if ((x < a && x < b && x < c) || (x > a && x > b && x > c))
            return true;
    }
    return false;
}

static bool is_ear(outline *o, uint32_t corner, ear_grade grade)
{
    const uint32_t ear[3] = {o->previous[corner], corner, o->next[corner]};
    int way = turn(o, ear[0], ear[1], ear[2]);
    if (grade == EAR_FLAT || grade == EAR_ANY)
        return way == 0 || grade == EAR_ANY;
    if (way <= 0 || grade == EAR_LEFT)
        return way > 0;
    for (uint32_t p = o->next[ear[2]]; p != ear[0]; p = o->next[p]) {
        if (o->tests == 0)
            return false;
        o->tests--;
        if (!is_beside(o, p, ear) && blocks(o, p, ear, grade == EAR_CLEAR))
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
    o->tests = (uint64_t)o->count * TESTS_PER_CORNER;
    uint32_t at = 0;
    for (uint32_t left = o->count; left > 3; left--) {
        uint32_t ear = find_ear(o, at, left), before = o->previous[ear], after = o->next[ear];
        out = put(o, out, before, ear, after);
        o->next[before] = after;
        o->previous[after] = before;
        at = o->next[after]; // two ears in a row make slivers
    }
    put(o, out, o->previous[at], at, o->next[at]);
}

// Sets the view of a face. False where it has no normal to be seen along.
static bool set_view(outline *o)
{
    trvi_dvec3 normal = {0.0, 0.0, 0.0}, first = trvi_dvec3_from(place(o, 0));
    trvi_dvec3 before = {0.0, 0.0, 0.0};
    for (uint32_t i = 1; i < o->count; i++) {
        trvi_dvec3 side = trvi_dsub(trvi_dvec3_from(place(o, i)), first);
        normal = trvi_dadd(normal, trvi_dcross(before, side));
        before = side;
    }
    double x = fabs(normal.x), y = fabs(normal.y), z = fabs(normal.z);
    int w = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    o->u = (w + 1) % 3;
    o->v = (w + 2) % 3;
    double along = (&normal.x)[w];
    o->sign = along < 0.0 ? -1.0 : 1.0;
    return along != 0.0;
}

static int compare_places(const outline *o, uint32_t a, uint32_t b)
{
    trv_vec3 p = place(o, a), q = place(o, b);
    float pu = (&p.x)[o->u], qu = (&q.x)[o->u], pv = (&p.x)[o->v], qv = (&q.x)[o->v];
    return pu != qu ? (pu > qu ? 1 : -1) : (pv > qv) - (pv < qv);
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

static void cut_face(outline *o, uint32_t *out)
{
    if (o->count > 3 && set_view(o) && !is_convex(o)) {
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
    size_t size = 2 * (size_t)most * sizeof(uint32_t);
    uint32_t *links = trvi_allocate(&mesh->allocator, size);
    if (links == NULL) {
        *count = 0;
        return TRV_ERROR_MEMORY;
    }
    outline o = {.vertices = mesh->vertices, .previous = links, .next = links + most};
    for (uint32_t f = 0; f < run.face_count; f++) {
        o.corners = mesh->corners + first[f];
        o.count = first[f + 1] - first[f];
        cut_face(&o, triangles);
        triangles += 3 * (size_t)(o.count - 2);
    }
    trvi_free(&mesh->allocator, links, size);
    return TRV_OK;
}
