// Builds hulls of any points, and fails where one is not the hull of its points.
//
// An entry point for libFuzzer, and for the replay of kept inputs (replay.c). The points come in styles
// that builders are known to break on: on lattices, doubled, nearly in one plane or on one line, on
// balls and prisms, of very different sizes, and as raw bits.
#include "mesh_fuzz.h"

#include "math/math.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_POINTS = 160 };

typedef struct point_set {
    trv_vec3 points[MOST_POINTS];
    uint32_t count;
    double diagonal, largest; // of the bounding box; coordinate
} point_set;

static float read_float(fuzz_bytes *bytes)
{
    uint32_t word = 0;
    float value;
    for (int i = 0; i < 4; i++)
        word = word << 8 | fuzz_byte(bytes);
    memcpy(&value, &word, sizeof value);
    return value;
}

static float read_sixteen(fuzz_bytes *bytes) // -1..1
{
    int high = fuzz_byte(bytes);
    return (float)(high * 256 + fuzz_byte(bytes) - 32768) * (1.0f / 32768.0f);
}

static trv_vec3 read_three(fuzz_bytes *bytes, float (*read)(fuzz_bytes *))
{
    trv_vec3 p;
    p.x = read(bytes);
    p.y = read(bytes);
    p.z = read(bytes);
    return p;
}

static trv_vec3 read_point(fuzz_bytes *bytes, const point_set *set, int style, uint32_t i)
{
    uint8_t byte = fuzz_byte(bytes);
    trv_vec3 p = {(float)(byte & 7), (float)(byte >> 3 & 7), (float)(byte >> 6)}; // a lattice
    if (style == 1 && i > 0 && byte & 1) { // beside a point before
        p = set->points[(byte >> 1) % i];
        (&p.x)[byte % 3] = nextafterf((&p.x)[byte % 3], byte & 64 ? 9.0f : -9.0f);
    } else if (style == 2) { // a ball
        p = trvi_normalize_or(read_three(bytes, read_sixteen), trvi_vec3(0, 1, 0));
    } else if (style == 3) { // nearly a plane
        p = read_three(bytes, read_sixteen);
        p.y = (float)(byte & 7) * 1.0e-7f;
    } else if (style == 4) { // nearly a line
        float t = read_sixteen(bytes);
        p = trvi_vec3(t + (float)(byte & 3) * 1.0e-7f, 3.0f * t, (float)(byte >> 6) * 1.0e-7f - t);
    } else if (style == 5) { // a prism of many sides
        float turn = 0.0245436926f * (float)fuzz_byte(bytes);
        p = trvi_vec3(trvi_cos(turn), byte & 1 ? 0.5f : -0.5f, trvi_sin(turn));
    } else if (style == 6) { // anywhere
        p = read_three(bytes, read_sixteen);
    } else if (style == 7) {
        p = read_three(bytes, read_float);
    }
    return p;
}

static void measure(point_set *set)
{
    trv_vec3 lower = set->points[0], upper = lower;
    for (uint32_t i = 0; i < set->count; i++) {
        trv_vec3 a = trvi_abs(set->points[i]);
        lower = trvi_min(lower, set->points[i]);
        upper = trvi_max(upper, set->points[i]);
        set->largest = fmax(set->largest, fmax(a.x, fmax(a.y, a.z)));
    }
    set->diagonal = trvi_dlength(trvi_dsub(trvi_dvec3_from(upper), trvi_dvec3_from(lower)));
}

static void read_points(point_set *set, const uint8_t *data, size_t size)
{
    static const float scales[8] = {1.0f, 1.0f, 1.0f, 1.0e-3f, 1.0e3f, 1.0e6f, 1.0e-20f, 0.1f};
    fuzz_bytes bytes = {data, data + size};
    uint8_t choice = fuzz_byte(&bytes), how = fuzz_byte(&bytes);
    trv_quat turn = trv_quat_about(trvi_vec3(1, 2, 3), (float)(how >> 4));
    float scale = scales[how & 7];
    int style = choice % 8;
    memset(set, 0, sizeof *set);
    for (; bytes.at < bytes.end && set->count < MOST_POINTS; set->count++)
        set->points[set->count] = read_point(&bytes, set, style, set->count);
    for (uint32_t i = 0; i < set->count && style != 7; i++) {
        trv_vec3 p = how & 8 ? trv_rotate(turn, set->points[i]) : set->points[i];
        set->points[i] = trvi_scale(p, scale);
        if (choice >= 224)
            set->points[i].x += 100.0f * scale;
    }
    measure(set);
}

static bool all_good(const point_set *set)
{
    for (uint32_t i = 0; i < set->count; i++)
        if (trvi_check_vec3(set->points[i]) != TRV_OK)
            return false;
    return true;
}

// What exact arithmetic says of the points; TRV_OK where they span a solid.
static trv_result rank_of(const point_set *set)
{
    const trv_vec3 *p = set->points;
    uint32_t b = 1, c, d;
    if (set->count < 4)
        return TRV_ERROR_TOO_FEW;
    while (b < set->count && trvi_coincident(p[0], p[b]))
        b++;
    if (b == set->count)
        return TRV_ERROR_COINCIDENT;
    for (c = b + 1; c < set->count && trvi_collinear(p[0], p[b], p[c]);)
        c++;
    if (c >= set->count)
        return TRV_ERROR_COLLINEAR;
    for (d = 1; d < set->count && trvi_orient3d(p[0], p[b], p[c], p[d]) == 0;)
        d++;
    return d == set->count ? TRV_ERROR_COPLANAR : TRV_OK;
}

// The corner after c round its face.
static uint32_t after(const uint32_t *first, uint32_t face, uint32_t c)
{
    return c + 1 < first[face + 1] ? c + 1 : first[face];
}

static void check_closed(const trv_hull *hull)
{
    static uint8_t edges[MOST_POINTS][MOST_POINTS]; // from, to: how many faces have it
    uint32_t vertices;
    const uint32_t *first, *corners;
    trv_hull_vertices(hull, &vertices);
    uint32_t faces = trv_hull_faces(hull, &first, &corners);
    demand(vertices >= 4 && vertices <= MOST_POINTS && faces >= 4 && first[0] == 0);
    demand(first[faces] % 2 == 0 && vertices + faces == first[faces] / 2 + 2); // Euler
    memset(edges, 0, sizeof edges);
    for (uint32_t f = 0; f < faces; f++) {
        demand(first[f + 1] >= first[f] + 3);
        for (uint32_t c = first[f]; c < first[f + 1]; c++) {
            uint32_t next = after(first, f, c);
            demand(corners[c] < vertices && corners[next] != corners[c]);
            demand(edges[corners[c]][corners[next]]++ == 0);
        }
    }
    for (uint32_t a = 0; a < vertices; a++)
        for (uint32_t b = 0; b < vertices; b++)
            demand(edges[a][b] == edges[b][a]);
}

static void check_contains(const trv_hull *hull, const point_set *set)
{
    uint32_t planes, vertices;
    const trv_plane *plane = trv_hull_planes(hull, &planes);
    const trv_vec3 *vertex = trv_hull_vertices(hull, &vertices);
    // What the header promises, and its rounding.
    double slack = 4.01e-6 * set->diagonal + 4.9e-7 * set->largest;
    demand(planes == trv_hull_faces(hull, NULL, NULL));
    for (uint32_t f = 0; f < planes; f++) {
        trvi_dvec3 n = trvi_dvec3_from(plane[f].normal);
        demand(fabs(trvi_dlength(n) - 1.0) <= 3.0e-7);
        for (uint32_t i = 0; i < set->count; i++) {
            double height = trvi_ddot(n, trvi_dvec3_from(set->points[i]));
            demand(height + (double)plane[f].offset <= slack);
        }
    }
    for (uint32_t v = 0; v < vertices; v++) {
        uint32_t i = 0;
        while (i < set->count && !trvi_coincident(set->points[i], vertex[v]))
            i++;
        demand(i < set->count); // every vertex is one of the points
    }
}

static void check_bounds(const trv_hull *hull, const point_set *set)
{
    uint32_t count;
    const trv_vec3 *vertices = trv_hull_vertices(hull, &count);
    trv_pose pose = {{1.0f, -2.0f, 0.5f}, trv_quat_about(trvi_vec3(3, 1, 2), (float)set->count)};
    trv_aabb every = trv_bounds_of_vertices(vertices, count, pose), climbed;
    demand(trv_bounds_of_hull(hull, pose, NULL, &climbed) == TRV_OK);
    double step = 2.5e-7 * (3.0 + set->largest) + 1.1e-6 * set->diagonal;
    for (int i = 0; i < 3; i++) {
        double below = (double)(&every.lower.x)[i] - (double)(&climbed.lower.x)[i];
        double above = (double)(&climbed.upper.x)[i] - (double)(&every.upper.x)[i];
        demand(fabs(below) <= step && fabs(above) <= step);
    }
}

static void check_boxes(const trv_hull *hull, const point_set *set)
{
    uint32_t count;
    const trv_vec3 *vertices = trv_hull_vertices(hull, &count);
    double slack = 1.0e-9 * (set->largest + set->diagonal);
    for (int fit = TRV_BOX_FIT_AXES; fit <= TRV_BOX_FIT_TIGHT; fit++) {
        trv_obb box;
        demand(trv_hull_fit_box(hull, (trv_box_fit)fit, &box) == TRV_OK);
        trvi_dmat3 axes = trvi_dmat3_from_quat(box.rotation);
        for (uint32_t v = 0; v < count; v++) {
            trvi_dvec3 d = trvi_dsub(trvi_dvec3_from(vertices[v]), trvi_dvec3_from(box.center));
            d = trvi_dmat3_mul_transposed(&axes, d);
            demand(fabs(d.x) <= (double)box.half.x + slack);
            demand(fabs(d.y) <= (double)box.half.y + slack);
            demand(fabs(d.z) <= (double)box.half.z + slack);
        }
    }
}

// Whether `hull` has a face with the corners that face f of the other has, in the same order.
static bool has_face(const trv_hull *hull, const trv_hull *other, uint32_t f)
{
    const uint32_t *first, *corners, *other_first, *other_corners;
    const trv_vec3 *p = trv_hull_vertices(hull, NULL), *q = trv_hull_vertices(other, NULL);
    uint32_t faces = trv_hull_faces(hull, &first, &corners);
    trv_hull_faces(other, &other_first, &other_corners);
    uint32_t n = other_first[f + 1] - other_first[f];
    const uint32_t *loop = other_corners + other_first[f];
    for (uint32_t g = 0; g < faces; g++) {
        const uint32_t *own = corners + first[g];
        for (uint32_t shift = 0; shift < n && first[g + 1] - first[g] == n; shift++) {
            uint32_t same = 0;
            while (same < n && trvi_coincident(p[own[(same + shift) % n]], q[loop[same]]))
                same++;
            if (same == n)
                return true;
        }
    }
    return false;
}

static void shuffle(point_set *set, uint64_t seed)
{
    for (uint32_t i = set->count; i-- > 1;) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        uint32_t j = (uint32_t)((seed >> 33) % (i + 1));
        trv_vec3 p = set->points[i];
        set->points[i] = set->points[j];
        set->points[j] = p;
    }
}

// The same points in another order give the same faces.
static void check_order(const trv_hull *hull, trv_result result, const point_set *set)
{
    point_set other = *set;
    trv_hull_def def = trv_default_hull_def();
    trv_hull *again;
    shuffle(&other, set->count);
    demand(trv_hull_create(other.points, other.count, &def, &again) == result);
    if (hull == NULL)
        return;
    uint32_t faces = trv_hull_faces(hull, NULL, NULL);
    demand(trv_hull_faces(again, NULL, NULL) == faces);
    for (uint32_t f = 0; f < faces; f++)
        demand(has_face(again, hull, f));
    trv_hull_release(again);
}

static void check_hull(const trv_hull *hull, const point_set *set)
{
    trv_mass mass;
    check_closed(hull);
    check_contains(hull, set);
    check_bounds(hull, set);
    check_boxes(hull, set);
    trv_result result = trv_hull_mass(hull, 1.0f, &mass);
    demand(result == TRV_ERROR_VOLUME || (result == TRV_OK && mass.mass > 0.0f));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    point_set set;
    trv_hull *hull = NULL;
    fuzz_memory memory = {.fail_at = SIZE_MAX};
    trv_hull_def def = trv_default_hull_def();
    def.allocator = (trv_allocator){&memory, fuzz_reallocate};
    read_points(&set, data, size);
    trv_result result = trv_hull_create(set.points, set.count, &def, &hull);
    demand((result == TRV_OK) == (hull != NULL));
    if (set.count >= 4 && !all_good(&set)) {
        demand(result == TRV_ERROR_NUMBER || result == TRV_ERROR_RANGE);
    } else {
        trv_result rank = rank_of(&set);
        demand(result == rank || (rank == TRV_OK && result == TRV_ERROR_VOLUME));
        check_order(hull, result, &set);
    }
    size_t calls = memory.calls;
    if (hull != NULL)
        check_hull(hull, &set);
    trv_hull_release(hull);
    demand(memory.live == 0);
    memory.calls = 0;
    memory.fail_at = size % (calls + 1);
    trv_result without = trv_hull_create(set.points, set.count, &def, &hull);
    demand(without == result || (without == TRV_ERROR_MEMORY && hull == NULL));
    trv_hull_release(hull);
    demand(memory.live == 0);
    return 0;
}
