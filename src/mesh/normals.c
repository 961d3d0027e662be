// Normals of faces and vertices.
//
// A face's is the direction of its vector area, the sum of the cross products of a fan. That is taken
// from the corners' differences in double, and exactly where a product cancels, so that slivers have
// normals as good as any face's. A vertex has the mean of its faces' normals by a weight.
// Invariant: every normal that goes out is of unit length but for rounding to float32, or zero.
//
// Based on: Sutherland, Sproull and Schumacker 1974, "A Characterization of Ten Hidden-Surface
// Algorithms" (Newell's sum); Thuermer and Wuethrich 1998, "Computing Vertex Normals from Polygonal
// Facets"; Lander 1999 (the mean of the corners' normals).
#include "math/math.h"
#include "mesh_data.h"

// Normals added up so far, and their lengths: a sum that is tiny beside them is rounding.
typedef struct normal_sum {
    trvi_dvec3 sum;
    double gross;
} normal_sum;

static double largest(trvi_dvec3 v)
{
    double x = fabs(v.x), y = fabs(v.y), z = fabs(v.z);
    return x > y ? (x > z ? x : z) : (y > z ? y : z);
}

static trv_vec3 corner_at(const trv_mesh *mesh, uint32_t corner)
{
    return mesh->vertices[mesh->corners[corner]];
}

// Twice a face's area along its normal; zero where it has none.
static trvi_dvec3 vector_area(const trv_mesh *mesh, uint32_t face)
{
    uint32_t first = mesh->face_first[face], last = mesh->face_first[face + 1];
    trv_vec3 origin = corner_at(mesh, first);
    trvi_dvec3 start = trvi_dvec3_from(origin), sum = {0.0, 0.0, 0.0};
    trvi_dvec3 before = trvi_dsub(trvi_dvec3_from(corner_at(mesh, first + 1)), start);
    double gross = 0.0;
    for (uint32_t i = first + 2; i < last; i++) {
        trvi_dvec3 side = trvi_dsub(trvi_dvec3_from(corner_at(mesh, i)), start);
        trvi_dvec3 cross = trvi_dcross(before, side);
        double product = largest(before) * largest(side);
        if (product > 0.0 && !(largest(cross) > TRVI_NORMAL_SLIVER * product))
            cross = trvi_exact_cross(origin, corner_at(mesh, i - 1), corner_at(mesh, i));
        sum = trvi_dadd(sum, cross);
        gross += trvi_dlength(cross);
        before = side;
    }
    if (!(trvi_dlength(sum) > TRVI_NORMAL_NOISE * (last - first) * gross))
        return (trvi_dvec3){0.0, 0.0, 0.0};
    return sum;
}

// At unit length; zero stays zero.
static trvi_dvec3 unit(trvi_dvec3 v)
{
    double scale = largest(v);
    if (!(scale > 0.0))
        return (trvi_dvec3){0.0, 0.0, 0.0};
    v = (trvi_dvec3){v.x / scale, v.y / scale, v.z / scale};
    return trvi_dscale(v, 1.0 / trvi_dlength(v));
}

static void add_normal(normal_sum *to, trvi_dvec3 normal, double length)
{
    to->sum = trvi_dadd(to->sum, normal);
    to->gross += length;
}

static trv_vec3 direction(const normal_sum *from)
{
    if (!(trvi_dlength(from->sum) > TRVI_NORMAL_CANCEL * from->gross))
        return (trv_vec3){0.0f, 0.0f, 0.0f};
    return trvi_vec3_from_double(unit(from->sum));
}

static bool is_zero(trv_vec3 v)
{
    return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f;
}

// The mean of the normals that the file gives a face; zero where a corner has none.
static trv_vec3 average(const trv_mesh *mesh, uint32_t face)
{
    normal_sum mean = {{0.0, 0.0, 0.0}, 0.0};
    if (mesh->of_corners == NULL)
        return (trv_vec3){0.0f, 0.0f, 0.0f};
    for (uint32_t i = mesh->face_first[face]; i < mesh->face_first[face + 1]; i++) {
        uint32_t normal = mesh->of_corners[i];
        if (normal == TRV_NO_NORMAL || is_zero(mesh->normals[normal]))
            return (trv_vec3){0.0f, 0.0f, 0.0f};
        add_normal(&mean, unit(trvi_dvec3_from(mesh->normals[normal])), 1.0);
    }
    return direction(&mean);
}

// What both kinds begin with: zeroes what goes out, and checks that `count` normals fit.
static trv_result start(const trv_mesh *mesh, uint32_t count, bool known, trv_vec3 *out,
                        uint32_t capacity, trv_normal_report *report)
{
    if (report)
        *report = (trv_normal_report){0};
    for (uint32_t i = 0; out != NULL && i < capacity; i++)
        out[i] = (trv_vec3){0.0f, 0.0f, 0.0f};
    if (mesh == NULL || (out == NULL && capacity > 0))
        return TRV_ERROR_NULL;
    if (!known)
        return TRV_ERROR_RANGE;
    return capacity >= count ? TRV_OK : TRV_ERROR_LIMIT;
}

trv_result trv_mesh_face_normals(const trv_mesh *mesh, trv_face_normal how, trv_vec3 *out,
                                 uint32_t capacity, trv_normal_report *report)
{
    bool known = how == TRV_FACE_NORMAL_CROSS || how == TRV_FACE_NORMAL_AVERAGE;
    uint32_t count = mesh ? mesh->face_count : 0;
    trv_result result = start(mesh, count, known, out, capacity, report);
    if (result != TRV_OK)
        return result;
    trv_normal_report found = {0};
    for (uint32_t f = 0; f < count; f++) {
        if (how == TRV_FACE_NORMAL_AVERAGE)
            out[f] = average(mesh, f);
        if (is_zero(out[f])) {
            out[f] = trvi_vec3_from_double(unit(vector_area(mesh, f)));
            found.replaced += how == TRV_FACE_NORMAL_AVERAGE;
        }
        found.zero += is_zero(out[f]);
    }
    if (report)
        *report = found;
    return TRV_OK;
}

// The angle inside a face with that normal, from the side `next` to the side `previous` of a corner.
static double angle_between(trvi_dvec3 next, trvi_dvec3 previous, trvi_dvec3 normal, bool triangle)
{
    next = unit(next);
    previous = unit(previous);
    trvi_dvec3 cross = trvi_dcross(next, previous);
    double sine = trvi_dlength(cross);
    if (!triangle && trvi_ddot(cross, normal) < 0.0)
        sine = -sine;
    double angle = trvi_dangle(sine, trvi_ddot(next, previous));
    if (angle < -TRVI_NORMAL_SPIKE)
        return angle + 6.28318530717958647692; // a notch
    return angle > 0.0 ? angle : 0.0;
}

static bool same_place(const trv_mesh *mesh, uint32_t a, uint32_t b)
{
    trv_vec3 p = corner_at(mesh, a), q = corner_at(mesh, b);
    return p.x == q.x && p.y == q.y && p.z == q.z;
}

// Adds a face, which has an area, to its vertices by its angles there. Of corners in one place that
// follow one another the first counts.
static void add_angles(const trv_mesh *mesh, uint32_t face, trvi_dvec3 normal, normal_sum *sums)
{
    uint32_t first = mesh->face_first[face], last = mesh->face_first[face + 1];
    for (uint32_t i = first; i < last; i++) {
        uint32_t before = i > first ? i - 1 : last - 1, after = i + 1 < last ? i + 1 : first;
        if (same_place(mesh, before, i))
            continue;
        while (same_place(mesh, after, i)) // ends at `before`
            after = after + 1 < last ? after + 1 : first;
        trvi_dvec3 at = trvi_dvec3_from(corner_at(mesh, i));
        trvi_dvec3 next = trvi_dsub(trvi_dvec3_from(corner_at(mesh, after)), at);
        trvi_dvec3 previous = trvi_dsub(trvi_dvec3_from(corner_at(mesh, before)), at);
        double angle = angle_between(next, previous, normal, last - first == 3);
        add_normal(&sums[mesh->corners[i]], trvi_dscale(normal, angle), angle);
    }
}

static void add_faces(const trv_mesh *mesh, trv_vertex_normal how, normal_sum *sums)
{
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        trvi_dvec3 area = vector_area(mesh, f);
        double length = trvi_dlength(area);
        if (!(length > 0.0))
            continue;
        if (how == TRV_VERTEX_NORMAL_ANGLE) {
            add_angles(mesh, f, unit(area), sums);
            continue;
        }
        for (uint32_t i = mesh->face_first[f]; i < mesh->face_first[f + 1]; i++)
            add_normal(&sums[mesh->corners[i]], area, length);
    }
}

trv_result trv_mesh_vertex_normals(const trv_mesh *mesh, trv_vertex_normal how, trv_vec3 *out,
                                   uint32_t capacity, trv_normal_report *report)
{
    bool known = how == TRV_VERTEX_NORMAL_ANGLE || how == TRV_VERTEX_NORMAL_AREA;
    uint32_t count = mesh ? mesh->vertex_count : 0;
    trv_result result = start(mesh, count, known, out, capacity, report);
    if (result != TRV_OK)
        return result;
    size_t size = sizeof(normal_sum);
    if (count > SIZE_MAX / size)
        return TRV_ERROR_MEMORY;
    size *= count;
    normal_sum *sums = trvi_allocate(&mesh->allocator, size);
    if (sums == NULL)
        return TRV_ERROR_MEMORY;
    add_faces(mesh, how, sums);
    trv_normal_report found = {0};
    for (uint32_t i = 0; i < count; i++) {
        out[i] = direction(&sums[i]);
        found.zero += is_zero(out[i]);
    }
    trvi_free(&mesh->allocator, sums, size);
    if (report)
        *report = found;
    return TRV_OK;
}
