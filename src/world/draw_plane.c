// Separating planes as strokes: the plane, the features that made it, and the climbs to its supports.
//
// Based on: J. Lander, "Crashing into the New Year" (1999), which shows the plane between two objects.
#include "draw_data.h"

// What a separation says of one of its two shapes.
typedef struct side {
    trvi_outline outline;
    trv_vec3 middle;
    float half; // of its box's longest side, m; 0: unbounded
    uint32_t index;
    enum { SIDE_VERTEX, SIDE_EDGE, SIDE_FACE, SIDE_NOTHING } feature;
} side;

static trv_result make_side(side *s, const trv_shape *shape, trv_pose pose, uint32_t part)
{
    trv_result result = trvi_check_posed(shape, pose);
    trv_compound_part placed = {*shape, pose};
    if (result == TRV_OK && shape->kind == TRV_SHAPE_COMPOUND) {
        result = trv_compound_part_get(shape->as.compound, part, &placed);
        trv_pose own = placed.pose;
        placed.pose.position = trvi_pose_apply(pose, own.position);
        placed.pose.rotation = trv_quat_multiply(pose.rotation, own.rotation);
    }
    if (result != TRV_OK)
        return result;
    trvi_outline_set(&s->outline, &placed.shape, placed.pose);
    trv_aabb box;
    s->middle = placed.pose.position;
    s->half = 0.0f;
    if (trv_bounds_of_shape(&placed.shape, placed.pose, 0.0f, &box) == TRV_OK) {
        trv_vec3 size = trvi_sub(box.upper, box.lower);
        s->middle = trvi_aabb_center(box);
        s->half = 0.5f * trvi_larger(trvi_larger(size.x, size.y), size.z);
    }
    return TRV_OK;
}

static void name_features(const trv_separation *separation, side *a, side *b)
{
    a->index = separation->index_a;
    b->index = separation->index_b;
    a->feature = b->feature = SIDE_VERTEX;
    switch (separation->source) {
    case TRV_PLANE_FACE_A:
        a->feature = SIDE_FACE;
        break;
    case TRV_PLANE_FACE_B:
        b->feature = SIDE_FACE;
        break;
    case TRV_PLANE_EDGES:
        a->feature = b->feature = SIDE_EDGE;
        break;
    case TRV_PLANE_EDGE_A:
        a->feature = SIDE_EDGE;
        break;
    case TRV_PLANE_EDGE_B:
        b->feature = SIDE_EDGE;
        break;
    default:
        break;
    }
    // A half-space has one face and no vertices.
    side *sides[2] = {a, b};
    for (int i = 0; i < 2; i++)
        if (sides[i]->outline.vertex_count == 0)
            sides[i]->feature = SIDE_NOTHING;
}

static bool is_in_range(const side *s)
{
    const trvi_outline *o = &s->outline;
    uint32_t edges = o->face_count > 0 ? o->face_first[o->face_count] : 0;
    return s->feature == SIDE_NOTHING ||
           (s->feature == SIDE_VERTEX && s->index < o->vertex_count) ||
           (s->feature == SIDE_EDGE && s->index < edges) ||
           (s->feature == SIDE_FACE && s->index < o->face_count);
}

static uint32_t face_of(const trvi_outline *outline, uint32_t edge)
{
    uint32_t face = 0;
    while (face + 1 < outline->face_count && outline->face_first[face + 1] <= edge)
        face++;
    return face;
}

static void draw_feature(const side *s, const trv_pen *pen)
{
    const trvi_outline *o = &s->outline;
    if (s->feature == SIDE_FACE) {
        trvi_draw_face_edges(o, s->index, pen, TRV_INK_FEATURE);
    } else if (s->feature == SIDE_EDGE) {
        uint32_t face = face_of(o, s->index), next = s->index + 1;
        next = next < o->face_first[face + 1] ? next : o->face_first[face];
        trv_vec3 from = trvi_outline_vertex(o, o->corners[s->index]);
        trv_vec3 to = trvi_outline_vertex(o, o->corners[next]);
        trvi_stroke(pen, from, to, TRV_INK_FEATURE);
        trvi_dot_at(pen, from, TRV_INK_FEATURE);
        trvi_dot_at(pen, to, TRV_INK_FEATURE);
    } else if (s->feature == SIDE_VERTEX) {
        trvi_dot_at(pen, trvi_outline_vertex(o, s->index), TRV_INK_SUPPORT);
    }
}

trv_result trv_separation_draw(const trv_separation *separation, const trv_shape *a,
                               trv_pose pose_a, const trv_shape *b, trv_pose pose_b,
                               const trv_pen *pen)
{
    if (separation == NULL || a == NULL || b == NULL || pen == NULL)
        return TRV_ERROR_NULL;
    side of_a, of_b;
    trv_result result = make_side(&of_a, a, pose_a, separation->part_a);
    if (result == TRV_OK)
        result = make_side(&of_b, b, pose_b, separation->part_b);
    if (result != TRV_OK || !separation->apart)
        return result;
    name_features(separation, &of_a, &of_b);
    if (!is_in_range(&of_a) || !is_in_range(&of_b))
        return TRV_ERROR_INDEX;
    result = trvi_check_vec3(separation->plane.normal);
    if (result != TRV_OK)
        return result;
    const side *small =
        of_b.half > 0.0f && (of_a.half == 0.0f || of_b.half < of_a.half) ? &of_b : &of_a;
    trv_vec3 normal = separation->plane.normal;
    float above = trvi_dot(normal, small->middle) + separation->plane.offset;
    trv_vec3 middle = trvi_mul_add(small->middle, normal, -above);
    float half = small->half > 0.0f ? small->half : 1.0f;
    trvi_draw_square(pen, middle, normal, half, true, TRV_INK_PLANE);
    trvi_draw_square(pen, middle, normal, half, false, TRV_INK_PLANE);
    trvi_stroke(pen, middle, trvi_mul_add(middle, normal, 0.5f * half), TRV_INK_NORMAL);
    draw_feature(&of_a, pen);
    draw_feature(&of_b, pen);
    return TRV_OK;
}

static double height_of(const trv_hull *hull, trvi_dvec3 direction, uint32_t vertex)
{
    return trvi_ddot(direction, trvi_dvec3_from(hull->vertices[vertex]));
}

static uint32_t highest_neighbor(const trv_hull *hull, trvi_dvec3 direction, uint32_t vertex)
{
    uint32_t best = vertex, last = hull->neighbor_first[vertex + 1];
    for (uint32_t i = hull->neighbor_first[vertex]; i < last; i++)
        if (height_of(hull, direction, hull->neighbors[i]) > height_of(hull, direction, best))
            best = hull->neighbors[i];
    return best;
}

trv_result trv_climb_draw(const trv_shape *shape, trv_pose pose, trv_vec3 direction,
                          const trv_pen *pen)
{
    if (pen == NULL)
        return TRV_ERROR_NULL;
    trv_result result = trvi_check_posed(shape, pose);
    if (result == TRV_OK)
        result = trvi_check_vec3(direction);
    if (result != TRV_OK)
        return result;
    if (shape->kind != TRV_SHAPE_HULL)
        return TRV_OK;
    const trv_hull *hull = shape->as.hull;
    trv_vec3 local = trvi_rotate_inverse(pose.rotation, direction);
    trvi_dvec3 d = trvi_dvec3_from(trvi_normalize_or(local, trvi_vec3(0.0f, 0.0f, 0.0f)));
    if (!(trvi_ddot(d, d) > 0.0))
        return TRV_ERROR_RANGE;
    uint32_t at = hull->seeds[trvi_seed_cell(hull->seed_grid, d)];
    trvi_dot_at(pen, trvi_pose_apply(pose, hull->vertices[at]), TRV_INK_CLIMB);
    for (uint32_t step = 0; step < hull->vertex_count; step++) { // each is higher than the last
        uint32_t next = highest_neighbor(hull, d, at);
        if (next == at)
            break;
        trvi_stroke(pen, trvi_pose_apply(pose, hull->vertices[at]),
                    trvi_pose_apply(pose, hull->vertices[next]), TRV_INK_CLIMB);
        at = next;
    }
    trvi_dot_at(pen, trvi_pose_apply(pose, hull->vertices[at]), TRV_INK_SUPPORT);
    return TRV_OK;
}
