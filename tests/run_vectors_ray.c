// Rays against exact vectors.
//
// The vectors give origin, direction and tmax, the library takes origin and travel. So each row is
// asked twice: with travel = direction * 2^k, which is exact and reaches past everything in the row
// (the verdict then compares t with tmax); and with travel = direction * tmax, where the end of the
// travel matters, leaving out rows that the rounding of this product could turn.
#include <math.h>

#include "vectors.h"
#include <trivet/primitives.h>

#define EPSILON (1.0 / 16777216.0) // 2^-24

typedef struct vector_ray {
    trv_vec3 origin, direction;
    double length; // of the direction
    double tmax;
    double reach;  // 2^k
    trv_ray far;   // travel = direction * reach
    trv_ray exact; // travel = direction * tmax, rounded; only with a finite tmax
} vector_ray;

static trv_vec3 scaled(trv_vec3 v, double s)
{
    return trv_make_vec3((float)(v.x * s), (float)(v.y * s), (float)(v.z * s));
}

static vector_ray read_ray(vector_table *table)
{
    vector_ray ray;
    ray.origin = vector_vec3(table, "o");
    ray.direction = vector_vec3(table, "d");
    ray.tmax = vector_number(table, "tmax");
    trv_vec3 d = ray.direction;
    ray.length = sqrt((double)d.x * d.x + (double)d.y * d.y + (double)d.z * d.z);
    // Everything lies within 4 scales of the world's origin: 16 scales reach past it.
    int exponent = 0;
    (void)frexp(16.0 * vector_number(table, "scale") / ray.length, &exponent);
    ray.reach = ldexp(1.0, exponent);
    ray.far = (trv_ray){ray.origin, scaled(d, ray.reach)};
    ray.exact = (trv_ray){ray.origin, scaled(d, isfinite(ray.tmax) ? ray.tmax : 0.0)};
    return ray;
}

// True when the rounding of direction * tmax could not turn the row's verdict.
static bool end_is_clear(vector_table *table, const vector_ray *ray)
{
    if (!isfinite(ray->tmax))
        return false;
    trv_vec3 d = ray->direction, travel = ray->exact.travel;
    if (travel.x == d.x * ray->tmax && travel.y == d.y * ray->tmax && travel.z == d.z * ray->tmax)
        return true;
    double margin = fabs(vector_number(table, "margin"));
    double band = table->band * EPSILON * vector_number(table, "scale");
    return margin > band + 2.0 * EPSILON * ray->length * ray->tmax;
}

// A hit beyond tmax is none.
static trv_ray_hit cut(trv_ray_hit hit, const vector_ray *ray)
{
    if (hit.hit && hit.fraction * ray->reach > ray->tmax)
        return (trv_ray_hit){.hit = false};
    return hit;
}

// t and the point reached; `amplified` is how much t moves per length.
static void check_t(vector_table *table, vector_score *score, const vector_ray *ray,
                    trv_ray_hit hit, double amplified)
{
    double scale = vector_number(table, "scale"), t = vector_number(table, "t");
    double tolerance = vector_tolerance(table, "t") * (scale * amplified + t);
    if (!isfinite(amplified))
        return;
    vector_check_number(table, score, "t", hit.fraction * ray->reach, tolerance);
    trv_vec3 o = ray->origin, d = ray->direction;
    double slack = tolerance * ray->length + 4.0 * EPSILON * scale;
    vector_check_near(table, score, "point.x", hit.point.x, o.x + t * d.x, slack);
    vector_check_near(table, score, "point.y", hit.point.y, o.y + t * d.y, slack);
    vector_check_near(table, score, "point.z", hit.point.z, o.z + t * d.z, slack);
}

// The verdict, the t, and `inside` where the row asks for it. True when there is a normal to check.
static bool check_solid(vector_table *table, vector_score *score, const vector_ray *ray,
                        trv_ray_hit far, trv_ray_hit exact)
{
    trv_ray_hit hit = cut(far, ray);
    if (end_is_clear(table, ray) && !vector_in_band(table))
        vector_check(table, score, "hit with its end at tmax",
                     exact.hit == vector_flag(table, "hit"));
    if (!vector_check_verdict(table, score, "hit", hit.hit) || !hit.hit)
        return false;
    double amplified = vector_number(table, "tcond");
    check_t(table, score, ray, hit, amplified);
    // An origin within rounding of the surface may be on either side of it.
    bool near = vector_number(table, "t") <=
                table->band * EPSILON * vector_number(table, "scale") * amplified;
    if (!near || amplified == 0.0 || vector_flag(table, "strict"))
        vector_check(table, score, "inside", hit.inside == vector_flag(table, "inside"));
    return !hit.inside && isfinite(amplified);
}

// The entry's normal, where the row has one. A normal turns by how far the entry point moves,
// over the radius.
static void check_round_normal(vector_table *table, vector_score *score, const vector_ray *ray,
                               trv_ray_hit hit, float radius)
{
    if (isnan(vector_number(table, "nx")) || !(radius > 0.0f))
        return;
    double scale = vector_number(table, "scale");
    double moved = scale * (1.0 + ray->length * vector_number(table, "tcond")) +
                   ray->length * vector_number(table, "t");
    double tolerance = vector_tolerance(table, "t") * (1.0 + moved / radius);
    if (tolerance < 0.05)
        vector_check_vec3(table, score, "n", hit.normal, tolerance);
}

static bool run_ray_sphere(const char *directory, vector_table *table, vector_score *score)
{
    (void)directory;
    while (vector_next(table, score)) {
        vector_ray ray = read_ray(table);
        trv_sphere sphere = {vector_vec3(table, "c"), vector_float(table, "r")};
        trv_ray_hit far = trv_ray_sphere(ray.far, sphere);
        if (check_solid(table, score, &ray, far, trv_ray_sphere(ray.exact, sphere)))
            check_round_normal(table, score, &ray, far, sphere.radius);
    }
    return !table->failed;
}

static bool run_ray_capsule(const char *directory, vector_table *table, vector_score *score)
{
    (void)directory;
    while (vector_next(table, score)) {
        vector_ray ray = read_ray(table);
        trv_capsule capsule = {vector_vec3(table, "p"), vector_vec3(table, "q"),
                               vector_float(table, "r")};
        trv_ray_hit far = trv_ray_capsule(ray.far, capsule);
        if (check_solid(table, score, &ray, far, trv_ray_capsule(ray.exact, capsule)))
            check_round_normal(table, score, &ray, far, capsule.radius);
    }
    return !table->failed;
}

// A box is entered through a face: its outward normal, where only one face is.
static void check_flat_normal(vector_table *table, vector_score *score, trv_ray_hit hit,
                              trv_quat rotation)
{
    int axis = vector_integer(table, "nax");
    if (axis < 0)
        return;
    float sign = (float)vector_integer(table, "nsg");
    trv_vec3 local = {axis == 0 ? sign : 0.0f, axis == 1 ? sign : 0.0f, axis == 2 ? sign : 0.0f};
    trv_vec3 n = trv_rotate(rotation, local);
    double along =
        (double)hit.normal.x * n.x + (double)hit.normal.y * n.y + (double)hit.normal.z * n.z;
    vector_check_near(table, score, "normal of the face", along, 1.0, 64.0 * EPSILON);
}

static bool run_ray_aabb(const char *directory, vector_table *table, vector_score *score)
{
    (void)directory;
    while (vector_next(table, score)) {
        vector_ray ray = read_ray(table);
        trv_vec3 c = vector_vec3(table, "c"), e = vector_vec3(table, "e");
        trv_obb box = {c, e, trv_identity_quat()};
        trv_ray_hit far = trv_ray_obb(ray.far, box);
        if (check_solid(table, score, &ray, far, trv_ray_obb(ray.exact, box)))
            check_flat_normal(table, score, far, box.rotation);
        if (!vector_flag(table, "mm_ok"))
            continue;
        trv_aabb bounds = {trv_make_vec3(c.x - e.x, c.y - e.y, c.z - e.z),
                           trv_make_vec3(c.x + e.x, c.y + e.y, c.z + e.z)};
        far = trv_ray_aabb(ray.far, bounds);
        if (check_solid(table, score, &ray, far, trv_ray_aabb(ray.exact, bounds)))
            check_flat_normal(table, score, far, box.rotation);
    }
    return !table->failed;
}

static bool run_ray_obb(const char *directory, vector_table *table, vector_score *score)
{
    (void)directory;
    while (vector_next(table, score)) {
        vector_ray ray = read_ray(table);
        trv_obb box = {vector_vec3(table, "c"), vector_vec3(table, "e"), vector_quat(table, "q")};
        trv_ray_hit far = trv_ray_obb(ray.far, box);
        if (check_solid(table, score, &ray, far, trv_ray_obb(ray.exact, box)))
            check_flat_normal(table, score, far, box.rotation);
    }
    return !table->failed;
}

static trv_triangle read_triangle(vector_table *table)
{
    trv_triangle triangle = {vector_vec3(table, "a"), vector_vec3(table, "b"),
                             vector_vec3(table, "c")};
    return triangle;
}

// (b - a) x (c - a) . v
static double ccw_along(trv_triangle t, trv_vec3 v)
{
    double ux = (double)t.b.x - t.a.x, uy = (double)t.b.y - t.a.y, uz = (double)t.b.z - t.a.z;
    double vx = (double)t.c.x - t.a.x, vy = (double)t.c.y - t.a.y, vz = (double)t.c.z - t.a.z;
    return (uy * vz - uz * vy) * v.x + (uz * vx - ux * vz) * v.y + (ux * vy - uy * vx) * v.z;
}

// The point hit is (1 - u - v) a + u b + v c.
static void check_barycentric(vector_table *table, vector_score *score, trv_triangle t,
                              trv_ray_hit hit, double slack)
{
    double u = vector_number(table, "u"), v = vector_number(table, "v"), w = 1.0 - u - v;
    vector_check_near(table, score, "x by u, v", hit.point.x, w * t.a.x + u * t.b.x + v * t.c.x,
                      slack);
    vector_check_near(table, score, "y by u, v", hit.point.y, w * t.a.y + u * t.b.y + v * t.c.y,
                      slack);
    vector_check_near(table, score, "z by u, v", hit.point.z, w * t.a.z + u * t.b.z + v * t.c.z,
                      slack);
}

static bool run_ray_triangle(const char *directory, vector_table *table, vector_score *score)
{
    (void)directory;
    while (vector_next(table, score)) {
        vector_ray ray = read_ray(table);
        trv_triangle triangle = read_triangle(table);
        trv_ray_hit hit = cut(trv_ray_triangle(ray.far, triangle), &ray);
        trv_ray_hit exact = trv_ray_triangle(ray.exact, triangle);
        // A segment is a ray that ends, and counts touches in the plane as well.
        trv_segment segment = {ray.origin, trv_make_vec3(ray.origin.x + ray.exact.travel.x,
                                                         ray.origin.y + ray.exact.travel.y,
                                                         ray.origin.z + ray.exact.travel.z)};
        if (end_is_clear(table, &ray) && !vector_in_band(table)) {
            vector_check(table, score, "hit with its end at tmax",
                         exact.hit == vector_flag(table, "hit"));
            if (vector_integer(table, "front") != 0 && !vector_flag(table, "strict"))
                vector_check(table, score, "segment",
                             trv_segment_overlaps_triangle(segment, triangle) ==
                                 vector_flag(table, "hit"));
        }
        if (!vector_check_verdict(table, score, "hit", hit.hit) || !hit.hit)
            continue;
        double amplified = vector_number(table, "tcond") * vector_number(table, "shape");
        check_t(table, score, &ray, hit, amplified);
        double scale = vector_number(table, "scale"), t = vector_number(table, "t");
        if (isfinite(amplified))
            check_barycentric(table, score, triangle, hit,
                              vector_tolerance(table, "t") * (scale * amplified + t) * ray.length +
                                  16.0 * EPSILON * scale);
        bool front = ccw_along(triangle, hit.normal) > 0.0;
        vector_check(table, score, "front", front == (vector_integer(table, "front") > 0));
        vector_check(table, score, "inside", !hit.inside);
    }
    return !table->failed;
}

const vector_file ray_vector_files[] = {
    {"ray_sphere", run_ray_sphere},     {"ray_aabb", run_ray_aabb},       {"ray_obb", run_ray_obb},
    {"ray_triangle", run_ray_triangle}, {"ray_capsule", run_ray_capsule}, {NULL, NULL},
};
