// Shapes as strokes: their edges, their faces, and boxes.
//
// Boxes and hulls are drawn from one outline of vertices and faces; round shapes by circles about their
// axes. Each edge of a hull belongs to two faces and is drawn once, from its lower vertex.
#include "draw_data.h"

enum { CIRCLE = 24, RINGS = 12 }; // segments of a circle; rings of a ball's faces, pole to pole

void trvi_stroke(const trv_pen *pen, trv_vec3 a, trv_vec3 b, trv_ink ink)
{
    if (pen->segment != NULL)
        pen->segment(pen->user, a, b, ink);
}

void trvi_dot_at(const trv_pen *pen, trv_vec3 at, trv_ink ink)
{
    if (pen->point != NULL)
        pen->point(pen->user, at, ink);
}

void trvi_fill(const trv_pen *pen, trv_vec3 a, trv_vec3 b, trv_vec3 c, trv_ink ink)
{
    trv_triangle triangle = {a, b, c};
    if (pen->triangle != NULL)
        pen->triangle(pen->user, triangle, ink);
}

void trvi_write(const trv_pen *pen, trv_vec3 at, const char *text, trv_ink ink)
{
    if (pen->text != NULL)
        pen->text(pen->user, at, text, ink);
}

static void set_box(trvi_outline *outline, const trv_obb *box)
{
    static const uint32_t first[7] = {0, 4, 8, 12, 16, 20, 24};
    static const uint32_t corners[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
                                         2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
    for (uint32_t v = 0; v < 8; v++) {
        trv_vec3 h = box->half;
        trv_vec3 corner = {v & 1 ? h.x : -h.x, v & 2 ? h.y : -h.y, v & 4 ? h.z : -h.z};
        outline->own[v] = trvi_add(trvi_rotate(box->rotation, corner), box->center);
    }
    outline->vertex_count = 8;
    outline->face_count = 6;
    outline->face_first = first;
    outline->corners = corners;
}

void trvi_outline_set(trvi_outline *outline, const trv_shape *solid, trv_pose pose)
{
    outline->frame = pose;
    outline->vertices = outline->own;
    outline->vertex_count = outline->face_count = 0;
    outline->face_first = outline->corners = NULL;
    switch (solid->kind) {
    case TRV_SHAPE_SPHERE:
        outline->own[0] = solid->as.sphere.center;
        outline->vertex_count = 1;
        break;
    case TRV_SHAPE_CAPSULE:
        outline->own[0] = solid->as.capsule.a;
        outline->own[1] = solid->as.capsule.b;
        outline->vertex_count = 2;
        break;
    case TRV_SHAPE_BOX:
        set_box(outline, &solid->as.box);
        break;
    case TRV_SHAPE_HULL:
        outline->vertices = solid->as.hull->vertices;
        outline->vertex_count = solid->as.hull->vertex_count;
        outline->face_count = solid->as.hull->face_count;
        outline->face_first = solid->as.hull->face_first;
        outline->corners = solid->as.hull->edge_origin;
        break;
    default:
        break;
    }
}

void trvi_draw_face_edges(const trvi_outline *outline, uint32_t face, const trv_pen *pen,
                          trv_ink ink)
{
    uint32_t last = outline->face_first[face + 1];
    trv_vec3 from = trvi_outline_vertex(outline, outline->corners[last - 1]);
    for (uint32_t e = outline->face_first[face]; e < last; e++) {
        trv_vec3 to = trvi_outline_vertex(outline, outline->corners[e]);
        trvi_stroke(pen, from, to, ink);
        from = to;
    }
}

static void draw_outline(const trvi_outline *outline, const trv_pen *pen, trv_ink ink)
{
    for (uint32_t f = 0; f < outline->face_count; f++) {
        uint32_t last = outline->face_first[f + 1], from = outline->corners[last - 1];
        for (uint32_t e = outline->face_first[f]; e < last; from = outline->corners[e++])
            if (from < outline->corners[e])
                trvi_stroke(pen, trvi_outline_vertex(outline, from),
                            trvi_outline_vertex(outline, outline->corners[e]), ink);
    }
}

static void fill_outline(const trvi_outline *outline, const trv_pen *pen, trv_ink ink)
{
    for (uint32_t f = 0; f < outline->face_count; f++) {
        const uint32_t *corners = outline->corners + outline->face_first[f];
        uint32_t count = outline->face_first[f + 1] - outline->face_first[f];
        trv_vec3 apex = trvi_outline_vertex(outline, corners[0]);
        trv_vec3 from = trvi_outline_vertex(outline, corners[1]);
        for (uint32_t i = 2; i < count; i++) {
            trv_vec3 to = trvi_outline_vertex(outline, corners[i]);
            trvi_fill(pen, apex, from, to, ink);
            from = to;
        }
    }
}

trv_vec3 trvi_across(trv_vec3 n)
{
    trv_vec3 axis = fabsf(n.x) < 0.6f ? trvi_vec3(1.0f, 0.0f, 0.0f) : trvi_vec3(0.0f, 1.0f, 0.0f);
    return trvi_normalize_or(trvi_cross(axis, n), axis);
}

// The point at an angle, in steps of a whole number-th of a turn, from u to v.
static trv_vec3 on_circle(trv_vec3 center, trv_vec3 u, trv_vec3 v, uint32_t step, uint32_t steps)
{
    float angle = 6.2831853f * (float)step / (float)steps;
    return trvi_mul_add(trvi_mul_add(center, u, trvi_cos(angle)), v, trvi_sin(angle));
}

// `steps` of the circle through u towards v, which have its radius as length.
static void draw_arc(const trv_pen *pen, trv_vec3 center, trv_vec3 u, trv_vec3 v, uint32_t steps,
                     trv_ink ink)
{
    trv_vec3 from = trvi_add(center, u);
    for (uint32_t i = 1; i <= steps; i++) {
        trv_vec3 to = on_circle(center, u, v, i, CIRCLE);
        trvi_stroke(pen, from, to, ink);
        from = to;
    }
}

// All points within a radius of the segment from a to b: as a ball where these are one.
typedef struct round_solid {
    trv_vec3 a, b;
    trv_vec3 along, u, v; // of the radius' length, at right angles to one another
} round_solid;

static round_solid make_round(const trvi_outline *outline, float radius)
{
    round_solid s;
    s.a = trvi_outline_vertex(outline, 0);
    s.b = trvi_outline_vertex(outline, outline->vertex_count - 1);
    // A ball shows its turning by its circles.
    trv_vec3 axis = trvi_rotate(outline->frame.rotation, trvi_vec3(0.0f, 1.0f, 0.0f));
    trv_vec3 along = trvi_normalize_or(trvi_sub(s.b, s.a), axis);
    trv_vec3 u = trvi_normalize_or(
        trvi_rotate(outline->frame.rotation, trvi_vec3(1.0f, 0.0f, 0.0f)), trvi_across(along));
    u = trvi_normalize_or(trvi_mul_add(u, along, -trvi_dot(u, along)), trvi_across(along));
    s.along = trvi_scale(along, radius);
    s.u = trvi_scale(u, radius);
    s.v = trvi_scale(trvi_cross(along, u), radius);
    return s;
}

static void draw_round(const round_solid *s, bool ball, const trv_pen *pen, trv_ink ink)
{
    draw_arc(pen, s->b, s->u, s->v, CIRCLE, ink);
    draw_arc(pen, s->b, s->u, s->along, CIRCLE / 2, ink);
    draw_arc(pen, s->b, s->v, s->along, CIRCLE / 2, ink);
    draw_arc(pen, s->a, s->u, trvi_negate(s->along), CIRCLE / 2, ink);
    draw_arc(pen, s->a, s->v, trvi_negate(s->along), CIRCLE / 2, ink);
    if (ball)
        return;
    draw_arc(pen, s->a, s->u, s->v, CIRCLE, ink);
    for (uint32_t i = 0; i < 4; i++) {
        trv_vec3 side = i % 2 ? s->v : s->u;
        side = i < 2 ? side : trvi_negate(side);
        trvi_stroke(pen, trvi_add(s->a, side), trvi_add(s->b, side), ink);
    }
}

// Ring i of RINGS, from the pole at a's end to that at b's; the two middle rings bound a capsule's side.
static trv_vec3 round_point(const round_solid *s, uint32_t ring, uint32_t step)
{
    bool upper = ring > RINGS / 2;
    uint32_t from_pole = upper ? ring - 1 : ring; // the middle ring comes twice
    float angle = 3.14159265f * (float)from_pole / (float)RINGS;
    float wide = trvi_sin(angle), high = -trvi_cos(angle);
    trv_vec3 center = trvi_mul_add(upper ? s->b : s->a, s->along, high);
    return on_circle(center, trvi_scale(s->u, wide), trvi_scale(s->v, wide), step, CIRCLE);
}

static void fill_round(const round_solid *s, const trv_pen *pen, trv_ink ink)
{
    for (uint32_t ring = 0; ring <= RINGS; ring++)
        for (uint32_t i = 0; i < CIRCLE; i++) {
            trv_vec3 a = round_point(s, ring, i), b = round_point(s, ring, i + 1);
            trv_vec3 c = round_point(s, ring + 1, i + 1), d = round_point(s, ring + 1, i);
            if (ring > 0)
                trvi_fill(pen, a, b, c, ink);
            if (ring < RINGS)
                trvi_fill(pen, a, c, d, ink);
        }
}

void trvi_draw_square(const trv_pen *pen, trv_vec3 middle, trv_vec3 normal, float half, bool fill,
                      trv_ink ink)
{
    trv_vec3 u = trvi_scale(trvi_across(normal), half), v = trvi_cross(normal, u);
    trv_vec3 low = trvi_sub(middle, u), high = trvi_add(middle, u);
    trv_vec3 corners[4] = {trvi_sub(low, v), trvi_sub(high, v), trvi_add(high, v),
                           trvi_add(low, v)};
    if (fill) {
        trvi_fill(pen, corners[0], corners[1], corners[2], ink);
        trvi_fill(pen, corners[0], corners[2], corners[3], ink);
        return;
    }
    for (uint32_t i = 0; i < 4; i++)
        trvi_stroke(pen, corners[i], corners[(i + 1) % 4], ink);
}

static void draw_half_space(const trv_plane *plane, trv_pose pose, bool faces, trv_vec3 near,
                            float reach, trv_ink ink, const trv_pen *pen)
{
    trv_vec3 normal = trvi_rotate(pose.rotation, plane->normal);
    float above = trvi_dot(plane->normal, trvi_pose_apply_inverse(pose, near)) + plane->offset;
    trv_vec3 middle = trvi_mul_add(near, normal, -above);
    trvi_draw_square(pen, middle, normal, reach, faces, ink);
}

void trvi_draw_solid(const trv_shape *solid, trv_pose pose, bool faces, trv_vec3 near, float reach,
                     trv_ink ink, const trv_pen *pen)
{
    if (solid->kind == TRV_SHAPE_PLANE) {
        draw_half_space(&solid->as.plane, pose, faces, near, reach, ink, pen);
        return;
    }
    trvi_outline outline;
    trvi_outline_set(&outline, solid, pose);
    if (solid->kind == TRV_SHAPE_SPHERE || solid->kind == TRV_SHAPE_CAPSULE) {
        bool ball = solid->kind == TRV_SHAPE_SPHERE;
        round_solid round =
            make_round(&outline, ball ? solid->as.sphere.radius : solid->as.capsule.radius);
        if (faces)
            fill_round(&round, pen, ink);
        else
            draw_round(&round, ball, pen, ink);
        return;
    }
    if (faces)
        fill_outline(&outline, pen, ink);
    else
        draw_outline(&outline, pen, ink);
}

void trvi_draw_aabb(const trv_pen *pen, trv_aabb box, trv_ink ink)
{
    trv_shape shape = trv_make_placed_box(trvi_aabb_as_obb(box));
    trvi_outline outline;
    trvi_outline_set(&outline, &shape, trv_make_pose(trvi_vec3(0.0f, 0.0f, 0.0f)));
    draw_outline(&outline, pen, ink);
}

static trv_result draw_shape(const trv_shape *shape, trv_pose pose, bool faces, trv_ink ink,
                             const trv_pen *pen)
{
    if (pen == NULL)
        return TRV_ERROR_NULL;
    trv_result result = trvi_check_posed(shape, pose);
    if (result != TRV_OK)
        return result;
    if (shape->kind != TRV_SHAPE_COMPOUND) {
        trvi_draw_solid(shape, pose, faces, pose.position, 1.0f, ink, pen);
        return TRV_OK;
    }
    trv_compound_part part;
    for (uint32_t i = 0; trv_compound_part_get(shape->as.compound, i, &part) == TRV_OK; i++) {
        trv_pose at = {trvi_pose_apply(pose, part.pose.position),
                       trv_quat_multiply(pose.rotation, part.pose.rotation)};
        trvi_draw_solid(&part.shape, at, faces, at.position, 1.0f, ink, pen);
    }
    return TRV_OK;
}

trv_result trv_shape_draw(const trv_shape *shape, trv_pose pose, trv_ink ink, const trv_pen *pen)
{
    return draw_shape(shape, pose, false, ink, pen);
}

trv_result trv_shape_draw_faces(const trv_shape *shape, trv_pose pose, trv_ink ink,
                                const trv_pen *pen)
{
    return draw_shape(shape, pose, true, ink, pen);
}
