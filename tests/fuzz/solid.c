// Measures solids vertex by vertex: slow, and simple enough to be believed.
#include "solid.h"

static trvi_dvec3 place(const trvi_dmat3 *rotation, trvi_dvec3 offset, trvi_dvec3 p)
{
    return trvi_dadd(trvi_dmat3_mul(rotation, p), offset);
}

static trvi_dvec3 unit(trvi_dvec3 a)
{
    return trvi_dscale(a, 1.0 / trvi_dlength(a));
}

static double highest(const fuzz_solid *s, trvi_dvec3 n)
{
    double best = trvi_ddot(n, s->points[0]);
    for (uint32_t i = 1; i < s->count; i++)
        best = fmax(best, trvi_ddot(n, s->points[i]));
    return best;
}

static void set_box(fuzz_solid *s, const trv_obb *box, const trvi_dmat3 *rotation,
                    trvi_dvec3 offset)
{
    trvi_dmat3 own = trvi_dmat3_from_quat(box->rotation);
    trvi_dvec3 center = trvi_dvec3_from(box->center);
    for (uint32_t i = 0; i < 8; i++) {
        trvi_dvec3 corner = {i & 1 ? (double)box->half.x : -(double)box->half.x,
                             i & 2 ? (double)box->half.y : -(double)box->half.y,
                             i & 4 ? (double)box->half.z : -(double)box->half.z};
        s->points[s->count++] = place(rotation, offset, place(&own, center, corner));
    }
    for (int k = 0; k < 6; k++) {
        trvi_dvec3 axis = {k / 2 == 0, k / 2 == 1, k / 2 == 2};
        axis = trvi_dmat3_mul(rotation, trvi_dmat3_mul(&own, axis));
        s->normals[s->face_count++] = trvi_dscale(axis, k % 2 ? 1.0 : -1.0);
    }
}

static void set_hull(fuzz_solid *s, const trv_hull *hull, const trvi_dmat3 *rotation,
                     trvi_dvec3 offset)
{
    uint32_t planes;
    const trv_vec3 *vertices = trv_hull_vertices(hull, &s->count);
    const trv_plane *plane = trv_hull_planes(hull, &planes);
    demand(s->count <= SCENE_POINTS && planes <= 2 * SCENE_POINTS);
    for (uint32_t i = 0; i < s->count; i++)
        s->points[i] = place(rotation, offset, trvi_dvec3_from(vertices[i]));
    for (uint32_t i = 0; i < planes; i++)
        s->normals[s->face_count++] =
            trvi_dmat3_mul(rotation, unit(trvi_dvec3_from(plane[i].normal)));
}

// Faces of more than three corners may be many of the exact hull's, see trv_hull_create.
static double uneven(const fuzz_solid *s, const trv_hull *hull)
{
    const uint32_t *first, *corners;
    uint32_t count = trv_hull_faces(hull, &first, &corners);
    double lowest = 0.0;
    for (uint32_t f = 0; f < count; f++) {
        for (uint32_t i = first[f]; i < first[f + 1] && first[f + 1] - first[f] > 3; i++)
            lowest = fmax(lowest, s->limits[f] - trvi_ddot(s->normals[f], s->points[corners[i]]));
    }
    return lowest;
}

static void set_plane(fuzz_solid *s, const trv_plane *plane, const trvi_dmat3 *rotation,
                      trvi_dvec3 offset)
{
    trvi_dvec3 normal = trvi_dvec3_from(plane->normal);
    double length = trvi_dlength(normal);
    s->is_plane = true;
    s->normals[0] = trvi_dmat3_mul(rotation, trvi_dscale(normal, 1.0 / length));
    s->limits[0] = trvi_ddot(s->normals[0], offset) - (double)plane->offset / length;
    s->reach = fabs((double)plane->offset) + trvi_dlength(offset);
}

void solid_set(fuzz_solid *s, const trv_shape *shape, trv_pose pose, trvi_dvec3 origin)
{
    trvi_dmat3 rotation = trvi_dmat3_from_quat(pose.rotation);
    trvi_dvec3 offset = trvi_dsub(trvi_dvec3_from(pose.position), origin);
    s->is_plane = false;
    s->count = s->face_count = 0;
    s->radius = s->extent = s->thickness = s->uneven = s->reach = 0.0;
    switch (shape->kind) {
    case TRV_SHAPE_SPHERE:
        s->radius = shape->as.sphere.radius;
        s->points[s->count++] = place(&rotation, offset, trvi_dvec3_from(shape->as.sphere.center));
        break;
    case TRV_SHAPE_CAPSULE:
        s->radius = shape->as.capsule.radius;
        s->points[s->count++] = place(&rotation, offset, trvi_dvec3_from(shape->as.capsule.a));
        s->points[s->count++] = place(&rotation, offset, trvi_dvec3_from(shape->as.capsule.b));
        break;
    case TRV_SHAPE_BOX:
        set_box(s, &shape->as.box, &rotation, offset);
        break;
    case TRV_SHAPE_HULL:
        set_hull(s, shape->as.hull, &rotation, offset);
        break;
    default:
        set_plane(s, &shape->as.plane, &rotation, offset);
        return;
    }
    for (uint32_t f = 0; f < s->face_count; f++)
        s->limits[f] = highest(s, s->normals[f]);
    s->uneven = shape->kind == TRV_SHAPE_HULL ? uneven(s, shape->as.hull) : 0.0;
    for (uint32_t i = 0; i < s->count; i++) {
        s->reach = fmax(s->reach, trvi_dlength(s->points[i]) + s->radius);
        for (uint32_t j = 0; j < i; j++)
            s->extent = fmax(s->extent, trvi_dlength(trvi_dsub(s->points[i], s->points[j])));
    }
    s->extent += 2.0 * s->radius;
    s->thickness = s->extent;
    for (uint32_t f = 0; f < s->face_count; f++)
        s->thickness =
            fmin(s->thickness, s->limits[f] + highest(s, trvi_dscale(s->normals[f], -1.0)));
    // What the pose and the shape's own place were rounded from counts too.
    s->reach = fmax(s->reach, trvi_dlength(offset));
    s->reach = fmax(s->reach, trvi_dlength(trvi_dsub(s->points[0], offset)));
}

double solid_gap(const fuzz_solid *a, const fuzz_solid *b, trvi_dvec3 n)
{
    if (a->is_plane || b->is_plane) {
        const fuzz_solid *plane = a->is_plane ? a : b, *other = a->is_plane ? b : a;
        trvi_dvec3 own = plane->normals[0];
        demand(trvi_ddot(own, n) * (a->is_plane ? 1.0 : -1.0) > 1.0 - 1.0e-6);
        double low = -highest(other, trvi_dscale(own, -1.0)) - other->radius;
        return low - plane->limits[0];
    }
    return -highest(b, trvi_dscale(n, -1.0)) - b->radius - highest(a, n) - a->radius;
}

// The planes of a sliver, which are rounded, need not close it: nothing beyond its bounds is inside.
static double height_over_bounds(const fuzz_solid *s, trvi_dvec3 p)
{
    static const trvi_dvec3 axes[6] = {{1.0, 0.0, 0.0},  {-1.0, 0.0, 0.0}, {0.0, 1.0, 0.0},
                                       {0.0, -1.0, 0.0}, {0.0, 0.0, 1.0},  {0.0, 0.0, -1.0}};
    double height = -HUGE_VAL;
    for (int i = 0; i < 6; i++)
        height = fmax(height, trvi_ddot(axes[i], p) - highest(s, axes[i]));
    return height;
}

double solid_height(const fuzz_solid *s, trvi_dvec3 p)
{
    if (s->face_count > 0 || s->is_plane) {
        uint32_t count = s->is_plane ? 1 : s->face_count;
        double height = s->is_plane ? -HUGE_VAL : height_over_bounds(s, p);
        for (uint32_t f = 0; f < count; f++)
            height = fmax(height, trvi_ddot(s->normals[f], p) - s->limits[f]);
        return height;
    }
    trvi_dvec3 a = s->points[0], d = trvi_dsub(s->points[s->count - 1], a);
    double square = trvi_ddot(d, d), along = trvi_ddot(trvi_dsub(p, a), d), share = 0.0;
    if (square > 0.0)
        share = fmin(fmax(along / square, 0.0), 1.0);
    return trvi_dlength(trvi_dsub(p, trvi_dmul_add(a, d, share))) - s->radius;
}
