// Makes views of shapes, and places one view in the other's frame.
#include "view.h"

#include "dtwin.h"

// The box's vertex v is at the upper end of axis k where bit k of v is set. Faces: -x +x -y +y -z
// +z, counter-clockwise from outside.
static const uint32_t box_face_first[7] = {0, 4, 8, 12, 16, 20, 24};
const uint32_t trvi_box_edge_origin[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
                                           2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
static const uint32_t box_edge_face[24] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2,
                                           3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5};
static const uint32_t box_edge_twin[24] = {11, 23, 12, 16, 18, 14, 21, 9, 19, 7, 20, 0,
                                           2,  22, 5,  17, 3,  15, 4,  8, 10, 6, 13, 1};
const uint32_t trvi_box_edge[24] = {0, 1,  2, 3,  4, 5,  6, 7, 8,  7, 10, 0,
                                    2, 13, 5, 15, 3, 15, 4, 8, 10, 6, 13, 1};
static const uint32_t box_vertex_edge[8] = {0, 4, 3, 5, 1, 7, 2, 6};
static const uint32_t box_neighbor_first[9] = {0, 3, 6, 9, 12, 15, 18, 21, 24};
static const uint32_t box_neighbors[24] = {1, 2, 4, 0, 3, 5, 0, 3, 6, 1, 2, 7,
                                           0, 5, 6, 1, 4, 7, 2, 4, 7, 3, 5, 6};
static const uint32_t box_vertex_faces[24] = {0, 4, 2, 1, 2, 4, 0, 3, 4, 1, 4, 3,
                                              0, 2, 5, 1, 5, 2, 0, 5, 3, 1, 3, 5};
static const uint32_t segment_neighbor_first[3] = {0, 1, 2};
static const uint32_t segment_neighbors[2] = {1, 0};
static const uint32_t point_neighbor_first[2] = {0, 0};

// The transpose of a times b.
static trvi_dmat3 multiply_transposed(const trvi_dmat3 *a, const trvi_dmat3 *b)
{
    trvi_dmat3 r;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            r.m[i][j] = a->m[0][i] * b->m[0][j] + a->m[1][i] * b->m[1][j] + a->m[2][i] * b->m[2][j];
    return r;
}

// What rounding takes from a + b. Based on: Knuth 1969, "The Art of Computer Programming", 4.2.2.
static double lost_in_sum(double a, double b)
{
    double sum = a + b, of_b = sum - a;
    return (a - (sum - of_b)) + (b - of_b);
}

// The view's frame is moved by `way` in the frame that it is placed in.
static void move_view(trvi_view *view, trvi_dvec3 way)
{
    trvi_dvec3 lost = {lost_in_sum(view->position.x, way.x), lost_in_sum(view->position.y, way.y),
                       lost_in_sum(view->position.z, way.z)};
    view->rest = trvi_dadd(view->rest, lost);
    view->position = trvi_dadd(view->position, way);
}

// Of a point or a segment.
static void set_no_faces(trvi_view *view)
{
    view->vertices = view->own_vertices;
    view->planes = NULL;
    view->seeds = NULL;
    view->many = NULL;
    view->columns = NULL;
    view->face_count = 0;
    view->half_edge_count = 0;
    view->is_box = false;
    view->united = view->dented = false;
    view->inner = 0.0;
}

static void set_point(trvi_view *view, trv_vec3 point)
{
    view->own_vertices[0] = point;
    view->vertex_count = 1;
    view->neighbor_first = point_neighbor_first;
    view->neighbors = segment_neighbors;
    view->center = trvi_dvec3_from(point);
    view->extent = 0.0;
}

static void set_capsule(trvi_view *view, const trv_capsule *capsule)
{
    trvi_dvec3 a = trvi_dvec3_from(capsule->a), b = trvi_dvec3_from(capsule->b);
    double length = trvi_dlength(trvi_dsub(b, a));
    view->radius = capsule->radius;
    if (!(length > 0.0)) {
        set_point(view, capsule->a);
        return;
    }
    view->own_vertices[0] = capsule->a;
    view->own_vertices[1] = capsule->b;
    view->vertex_count = 2;
    view->neighbor_first = segment_neighbor_first;
    view->neighbors = segment_neighbors;
    view->center = trvi_dscale(trvi_dadd(a, b), 0.5);
    view->extent = 0.5 * length;
}

// What a hull has too.
static void fill_box(trvi_view *view)
{
    trv_vec3 h = trvi_vec3_from_double(view->half); // back to what it was
    view->center = (trvi_dvec3){0.0, 0.0, 0.0};
    view->inner = trvi_dmin(trvi_dmin(view->half.x, view->half.y), view->half.z);
    view->vertices = view->own_vertices;
    view->planes = view->own_planes;
    view->seeds = NULL;
    view->many = NULL;
    view->columns = NULL;
    view->united = view->dented = false;
    view->vertex_count = 8;
    view->face_count = 6;
    view->half_edge_count = 24;
    view->face_first = box_face_first;
    view->edge_origin = trvi_box_edge_origin;
    view->edge_twin = box_edge_twin;
    view->edge_face = box_edge_face;
    view->vertex_edge = box_vertex_edge;
    view->vertex_faces = box_vertex_faces;
    view->neighbor_first = box_neighbor_first;
    view->neighbors = box_neighbors;
    for (uint32_t v = 0; v < 8; v++)
        view->own_vertices[v] =
            (trv_vec3){v & 1 ? h.x : -h.x, v & 2 ? h.y : -h.y, v & 4 ? h.z : -h.z};
    view->own_planes[0] = (trv_plane){{-1.0f, 0.0f, 0.0f}, -h.x};
    view->own_planes[1] = (trv_plane){{1.0f, 0.0f, 0.0f}, -h.x};
    view->own_planes[2] = (trv_plane){{0.0f, -1.0f, 0.0f}, -h.y};
    view->own_planes[3] = (trv_plane){{0.0f, 1.0f, 0.0f}, -h.y};
    view->own_planes[4] = (trv_plane){{0.0f, 0.0f, -1.0f}, -h.z};
    view->own_planes[5] = (trv_plane){{0.0f, 0.0f, 1.0f}, -h.z};
}

bool trvi_sides_of(const trv_shape *shape, trvi_sides *sides)
{
    const trv_hull *hull = shape->as.hull;
    if (shape->kind == TRV_SHAPE_BOX)
        *sides = (trvi_sides){24,
                              box_face_first,
                              trvi_box_edge_origin,
                              box_edge_twin,
                              box_edge_face,
                              box_vertex_edge};
    else if (shape->kind == TRV_SHAPE_HULL)
        *sides = (trvi_sides){hull->half_edge_count, hull->face_first, hull->edge_origin,
                              hull->edge_twin,       hull->edge_face,  hull->vertex_edge};
    else
        return false;
    return true;
}

// The rest is filled in later, where it is asked for.
static void set_box(trvi_view *view, const trv_obb *box)
{
    view->half = trvi_dvec3_from(box->half);
    view->radius = 0.0;
    view->is_box = true;
    view->extent = trvi_dlength(view->half);
    // The box's own place in the shape becomes part of the view's pose.
    if (box->center.x != 0.0f || box->center.y != 0.0f || box->center.z != 0.0f)
        move_view(view, trvi_dmat3_mul(&view->rotation, trvi_dvec3_from(box->center)));
    if (trvi_quat_turns(box->rotation)) {
        trvi_dmat3 own = trvi_dmat3_from_quat(box->rotation);
        view->rotation = trvi_dmat3_product(&view->rotation, &own);
    }
}

static void set_hull(trvi_view *view, const trv_hull *hull)
{
    view->radius = 0.0;
    view->is_box = false;
    view->vertices = hull->vertices;
    view->planes = hull->planes;
    view->face_areas = hull->face_areas;
    view->face_pieces = hull->face_pieces;
    view->face_united = hull->face_united;
    view->face_first = hull->face_first;
    view->edge_origin = hull->edge_origin;
    view->edge_twin = hull->edge_twin;
    view->edge_face = hull->edge_face;
    view->vertex_edge = hull->vertex_edge;
    view->vertex_faces = hull->vertex_faces;
    view->neighbor_first = hull->neighbor_first;
    view->neighbors = hull->neighbors;
    view->united = hull->united;
    view->dented = hull->dented;
    view->seeds = hull->vertex_count > TRVI_SCAN_VERTICES ? hull->seeds : NULL;
    view->many = hull->vertex_count >= TRVI_CLUSTER_VERTICES ? hull : NULL;
    bool in_columns =
        hull->vertex_count > TRVI_FEW_VERTICES && hull->vertex_count <= TRVI_COLUMN_VERTICES;
    view->columns = in_columns ? hull->columns : NULL;
    view->seed_grid = hull->seed_grid;
    view->vertex_count = hull->vertex_count;
    view->face_count = hull->face_count;
    view->half_edge_count = hull->half_edge_count;
    view->center = trvi_dvec3_from(hull->center);
    view->extent = hull->radius;
    view->inner = hull->inner_radius;
}

// All but the rotation of its pose, which it has already.
static void place_view(trvi_view *view, const trv_shape *shape, const trv_pose *pose)
{
    view->position = trvi_dvec3_from(pose->position);
    view->rest = (trvi_dvec3){0.0, 0.0, 0.0};
    switch (shape->kind) {
    case TRV_SHAPE_SPHERE:
        set_no_faces(view);
        view->radius = shape->as.sphere.radius;
        set_point(view, shape->as.sphere.center);
        break;
    case TRV_SHAPE_CAPSULE:
        set_no_faces(view);
        set_capsule(view, &shape->as.capsule);
        break;
    case TRV_SHAPE_BOX:
        set_box(view, &shape->as.box);
        break;
    default:
        TRVI_ASSERT(shape->kind == TRV_SHAPE_HULL);
        set_hull(view, shape->as.hull);
        break;
    }
    view->reach = view->extent;
    if (!view->is_box) // which has its centre in the origin
        view->reach += trvi_dlength(view->center);
}

void trvi_view_set(trvi_view *view, const trv_shape *shape, trv_pose pose)
{
    view->rotation = trvi_dmat3_from_quat(pose.rotation);
    place_view(view, shape, &pose);
    if (view->is_box)
        fill_box(view);
}

void trvi_view_nest(trvi_view *view, const trvi_dmat3 *rotation, trvi_dvec3 position)
{
    view->rotation = trvi_dmat3_product(rotation, &view->rotation);
    view->position = trvi_dmat3_mul(rotation, view->position);
    view->rest = trvi_dmat3_mul(rotation, view->rest);
    move_view(view, position);
}

void trvi_couple_place(trvi_couple *couple, const trvi_dmat3 *rotation_a,
                       const trvi_dmat3 *rotation_b, const trvi_dvec3 *between)
{
    couple->hasty = false;
    couple->held = NULL;
    couple->rotation = multiply_transposed(rotation_a, rotation_b);
    couple->offset = trvi_dmat3_mul_transposed(rotation_a, *between);
    couple->scale = couple->a.reach + couple->b.reach + trvi_dlength(couple->offset) +
                    couple->a.radius + couple->b.radius;
}

// 1 - s (p + q)
static inline trvi_dtwin less(trvi_dtwin s, trvi_dtwin p, trvi_dtwin q)
{
    return trvi_dtwin_sub(trvi_dtwin_splat(1.0), trvi_dtwin_mul(s, trvi_dtwin_add(p, q)));
}

// trvi_dmat3_from_quat of both at once: the same sums.
static void rotate_both(const trv_quat *a, const trv_quat *b, trvi_dmat3 *to_a, trvi_dmat3 *to_b)
{
    trvi_dtwin q[4], r[3][3];
    trvi_dtwin_load4(q, &a->x, &b->x);
    trvi_dtwin xx = trvi_dtwin_mul(q[0], q[0]), yy = trvi_dtwin_mul(q[1], q[1]);
    trvi_dtwin zz = trvi_dtwin_mul(q[2], q[2]), ww = trvi_dtwin_mul(q[3], q[3]);
    trvi_dtwin xy = trvi_dtwin_mul(q[0], q[1]), xz = trvi_dtwin_mul(q[0], q[2]);
    trvi_dtwin yz = trvi_dtwin_mul(q[1], q[2]), wx = trvi_dtwin_mul(q[3], q[0]);
    trvi_dtwin wy = trvi_dtwin_mul(q[3], q[1]), wz = trvi_dtwin_mul(q[3], q[2]);
    trvi_dtwin square = trvi_dtwin_add(trvi_dtwin_add(trvi_dtwin_add(xx, yy), zz), ww);
    trvi_dtwin s = trvi_dtwin_div(trvi_dtwin_splat(2.0), square);
    r[0][0] = less(s, yy, zz);
    r[0][1] = trvi_dtwin_mul(s, trvi_dtwin_sub(xy, wz));
    r[0][2] = trvi_dtwin_mul(s, trvi_dtwin_add(xz, wy));
    r[1][0] = trvi_dtwin_mul(s, trvi_dtwin_add(xy, wz));
    r[1][1] = less(s, xx, zz);
    r[1][2] = trvi_dtwin_mul(s, trvi_dtwin_sub(yz, wx));
    r[2][0] = trvi_dtwin_mul(s, trvi_dtwin_sub(xz, wy));
    r[2][1] = trvi_dtwin_mul(s, trvi_dtwin_add(yz, wx));
    r[2][2] = less(s, xx, yy);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            trvi_dtwin_store(&to_a->m[i][j], &to_b->m[i][j], r[i][j]);
}

void trvi_couple_sketch(trvi_couple *couple, const trv_shape *a, const trv_pose *pose_a,
                        const trv_shape *b, const trv_pose *pose_b)
{
    rotate_both(&pose_a->rotation, &pose_b->rotation, &couple->a.rotation, &couple->b.rotation);
    place_view(&couple->a, a, pose_a);
    place_view(&couple->b, b, pose_b);
    trvi_couple_join(couple);
}

void trvi_couple_join(trvi_couple *couple)
{
    couple->turned = false;
    trvi_dvec3 between = trvi_dadd(trvi_dsub(couple->b.position, couple->a.position),
                                   trvi_dsub(couple->b.rest, couple->a.rest));
    trvi_couple_place(couple, &couple->a.rotation, &couple->b.rotation, &between);
    double size_a = couple->a.extent + couple->a.radius;
    double size_b = couple->b.extent + couple->b.radius;
    couple->size = trvi_dmax(trvi_dmin(size_a, size_b), TRVI_LEAST_SIZE * couple->scale);
}

void trvi_couple_fill(trvi_couple *couple)
{
    if (couple->a.is_box)
        fill_box(&couple->a);
    if (couple->b.is_box)
        fill_box(&couple->b);
}

void trvi_couple_set(trvi_couple *couple, const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                     trv_pose pose_b)
{
    trvi_couple_sketch(couple, a, &pose_a, b, &pose_b);
    trvi_couple_fill(couple);
}
