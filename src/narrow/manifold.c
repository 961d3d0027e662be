// Contact points: the face that carries the contact, and the other shape's face cut to its outline.
//
// Where the direction of nearness is a face's normal but for a few degrees, and the gap along that
// normal is the true one but for a sliver, the face carries the contact and gives the normal. A
// contact that rests then keeps its normal and its points from frame to frame although rounding
// moves the nearest features about. Else one point between the nearest points is the contact.
// Invariant: everything is a function of shapes and poses alone. Which of two faces carries is
// decided by area, then by a direction fixed in the world, so that exchanging A and B mirrors the
// answer.
// Based on: Gregorius 2015, "Robust Contact Creation for Physics Simulations".
#include "manifold.h"

// A face that may carry the contact; `normal` points from A to B, in A's frame.
typedef struct carrier {
    bool fits;
    uint32_t face;
    trvi_dvec3 normal;
    double gap;
    uint32_t vertex_a, vertex_b; // supporting along the normal
} carrier;

static double face_area(const trvi_view *view, uint32_t face)
{
    uint32_t first = view->face_first[face], last = view->face_first[face + 1];
    trvi_dvec3 origin = trvi_vertex(view, view->edge_origin[first]), sum = {0.0, 0.0, 0.0};
    for (uint32_t e = first + 1; e + 1 < last; e++) {
        trvi_dvec3 a = trvi_dsub(trvi_vertex(view, view->edge_origin[e]), origin);
        trvi_dvec3 b = trvi_dsub(trvi_vertex(view, view->edge_origin[e + 1]), origin);
        sum = trvi_dadd(sum, trvi_dcross(a, b));
    }
    return trvi_dlength(sum);
}

static carrier carrier_on(const trvi_couple *couple, bool on_b, const trvi_axis *axis)
{
    carrier c = {false, 0, {0.0, 0.0, 0.0}, 0.0, 0, 0};
    const trvi_view *view = on_b ? &couple->b : &couple->a;
    if (view->face_count == 0)
        return c;
    if (on_b) {
        trvi_dvec3 in_b = trvi_dnegate(trvi_dmat3_mul_transposed(&couple->rotation, axis->normal));
        c.face = trvi_best_face(view, in_b, axis->vertex_b);
        c.normal = trvi_dnegate(trvi_dmat3_mul(&couple->rotation, trvi_face_normal(view, c.face)));
    } else {
        c.face = trvi_best_face(view, axis->normal, axis->vertex_a);
        c.normal = trvi_face_normal(view, c.face);
    }
    if (!(trvi_ddot(c.normal, axis->normal) >= TRVI_FACE_COSINE))
        return c;
    uint32_t at_a = axis->vertex_a, at_b = axis->vertex_b;
    c.gap = trvi_gap_along(couple, c.normal, &at_a, &at_b);
    c.vertex_a = at_a;
    c.vertex_b = at_b;
    c.fits = c.gap >= axis->gap - TRVI_FACE_SLACK * couple->size;
    return c;
}

// True where B's face is to carry the contact.
static bool prefer_b(const trvi_couple *couple, const carrier *on_a, const carrier *on_b)
{
    static const trvi_dvec3 fixed = {0.36, 0.80, 0.48};
    if (!on_a->fits || !on_b->fits)
        return on_b->fits;
    double area_a = face_area(&couple->a, on_a->face), area_b = face_area(&couple->b, on_b->face);
    if (fabs(area_a - area_b) > 1.0e-3 * (area_a + area_b))
        return area_b > area_a;
    return trvi_ddot(trvi_dmat3_mul(&couple->a.rotation, on_a->normal), fixed) < 0.0;
}

void trvi_polygon_of_face(const trvi_view *view, uint32_t face, const trvi_dmat3 *rotation,
                          trvi_dvec3 offset, trvi_polygon *polygon)
{
    uint32_t first = 0, last = view->vertex_count;
    if (view->face_count > 0) {
        first = view->face_first[face];
        last = view->face_first[face + 1];
    }
    for (uint32_t i = first; i < last; i++) {
        uint32_t vertex = view->face_count > 0 ? view->edge_origin[i] : i;
        trvi_dvec3 turned = trvi_dmat3_mul(rotation, trvi_vertex(view, vertex));
        trvi_corner corner = {trvi_dadd(turned, offset), trvi_feature(vertex, 0x5u), i};
        trvi_polygon_push(polygon, corner);
    }
}

void trvi_manifold_add(trv_manifold *manifold, trvi_dvec3 point, double separation,
                       uint32_t feature)
{
    trv_manifold_point *p = &manifold->points[manifold->count++];
    p->point = trvi_vec3_from_double(point);
    p->separation = (float)separation;
    p->feature = feature;
}

static void cut_by_sides(const trvi_view *view, uint32_t face, trvi_dvec3 normal, double slack,
                         trvi_polygon *polygon)
{
    uint32_t last = view->face_first[face + 1];
    trvi_dvec3 from = trvi_vertex(view, view->edge_origin[last - 1]);
    uint32_t edge = last - 1;
    for (uint32_t e = view->face_first[face]; e < last && polygon->count > 0; e++) {
        trvi_dvec3 to = trvi_vertex(view, view->edge_origin[e]);
        trvi_dvec3 outward = trvi_dcross(trvi_dsub(to, from), normal);
        trvi_polygon_cut(polygon, outward, trvi_ddot(outward, from), slack, edge | 0x80000000u);
        from = to;
        edge = e;
    }
}

// Works in the frame of the shape whose face carries. False where no point is within the margin.
static bool make_on_face(const trvi_couple *couple, const carrier *c, bool on_b, double margin,
                         trv_manifold *out)
{
    const trvi_view *view = on_b ? &couple->b : &couple->a;
    const trvi_view *other = on_b ? &couple->a : &couple->b;
    trvi_dmat3 rotation = couple->rotation; // from the other frame to the carrier's
    trvi_dvec3 offset = couple->offset;
    if (on_b) {
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                rotation.m[i][j] = couple->rotation.m[j][i];
        offset = trvi_dnegate(trvi_dmat3_mul(&rotation, couple->offset));
    }
    trvi_dvec3 normal = trvi_face_normal(view, c->face);
    trvi_polygon polygon;
    polygon.down = trvi_dnegate(normal);
    polygon.count = 0;
    uint32_t face = 0;
    if (other->face_count > 0) {
        trvi_dvec3 facing = trvi_dmat3_mul_transposed(&rotation, polygon.down);
        face = trvi_face_around(other, facing,
                                trvi_support(other, facing, on_b ? c->vertex_a : c->vertex_b));
    }
    trvi_polygon_of_face(other, face, &rotation, offset, &polygon);
    cut_by_sides(view, c->face, normal, TRVI_SIDE_SLACK * couple->size, &polygon);
    // The plane through the supporting vertex: the carrier lies wholly below it.
    uint32_t top = view->edge_origin[view->face_first[c->face]];
    double base = trvi_ddot(normal, trvi_vertex(view, trvi_support(view, normal, top)));
    double radius = other->radius;
    trvi_polygon_choose(&polygon, base, margin + radius, TRVI_EVEN_DEPTH * couple->size);
    trvi_dvec3 away = trvi_dmat3_mul(&view->rotation, normal);
    out->normal = trvi_vec3_from_double(on_b ? trvi_dnegate(away) : away);
    for (uint32_t i = 0; i < polygon.count; i++) {
        const trvi_corner *corner = &polygon.corners[i];
        double separation = trvi_ddot(normal, corner->point) - base - radius;
        trvi_dvec3 middle = trvi_dmul_add(corner->point, normal, -radius - 0.5 * separation);
        trvi_manifold_add(out, trvi_to_world(view, middle), separation,
                          trvi_feature(corner->feature, on_b ? 1u : 0u));
    }
    return out->count > 0;
}

// Two segments side by side: the ends of what they share. False where they are not parallel.
static bool make_side_by_side(const trvi_couple *couple, const trvi_axis *axis, double margin,
                              trv_manifold *out)
{
    trvi_dvec3 a0 = trvi_vertex(&couple->a, 0), a1 = trvi_vertex(&couple->a, 1);
    trvi_dvec3 b0 = trvi_vertex_of_b(couple, 0), b1 = trvi_vertex_of_b(couple, 1);
    trvi_dvec3 da = trvi_dsub(a1, a0), db = trvi_dsub(b1, b0);
    double square_a = trvi_ddot(da, da), square_b = trvi_ddot(db, db), dot = trvi_ddot(da, db);
    double cosine_square = TRVI_FACE_COSINE * TRVI_FACE_COSINE;
    if (!(dot * dot >= cosine_square * square_a * square_b))
        return false;
    double begin = trvi_ddot(trvi_dsub(b0, a0), da) / square_a;
    double end = trvi_ddot(trvi_dsub(b1, a0), da) / square_a;
    double low = trvi_dmax(trvi_dmin(begin, end), 0.0),
           high = trvi_dmin(trvi_dmax(begin, end), 1.0);
    if (!(high - low > TRVI_SIDE_SLACK))
        return false;
    double radii = couple->a.radius + couple->b.radius;
    out->normal = trvi_vec3_from_double(trvi_dmat3_mul(&couple->a.rotation, axis->normal));
    for (uint32_t i = 0; i < 2; i++) {
        double at = i == 0 ? low : high;
        trvi_dvec3 on_a = trvi_dmul_add(a0, da, at);
        trvi_dvec3 on_b = trvi_dmul_add(b0, db, (at - begin) / (end - begin));
        double gap = trvi_ddot(axis->normal, trvi_dsub(on_b, on_a));
        if (!(gap - radii <= margin))
            continue;
        trvi_dvec3 middle =
            trvi_dmul_add(on_a, axis->normal, couple->a.radius + 0.5 * (gap - radii));
        trvi_manifold_add(out, trvi_to_world(&couple->a, middle), gap - radii, i + 1u);
    }
    return out->count > 0;
}

// Sum of the names of the vertices in use, each once: the order of the simplex does not matter.
static uint32_t name_vertices(const trvi_simplex *s, bool of_b)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t vertex = of_b ? s->points[i].b : s->points[i].a;
        bool seen = false;
        for (uint32_t j = 0; j < i; j++)
            seen = seen || (of_b ? s->points[j].b : s->points[j].a) == vertex;
        if (!seen)
            sum += trvi_feature(vertex, 0x77u);
    }
    return sum;
}

static void make_point(const trvi_couple *couple, trvi_nearest *nearest, trv_manifold *out)
{
    trvi_dvec3 on_a, on_b, n = nearest->axis.normal;
    trvi_nearest_points(couple, nearest, &on_a, &on_b);
    trvi_dvec3 surface_a = trvi_dmul_add(on_a, n, couple->a.radius);
    trvi_dvec3 surface_b = trvi_dmul_add(on_b, n, -couple->b.radius);
    trvi_dvec3 middle = trvi_dscale(trvi_dadd(surface_a, surface_b), 0.5);
    double separation = nearest->axis.gap - couple->a.radius - couple->b.radius;
    // A rolling ball has one contact, and it is the same one wherever it is.
    bool rolls = couple->a.vertex_count == 1 || couple->b.vertex_count == 1;
    uint32_t feature = 1;
    if (!rolls)
        feature = trvi_feature(name_vertices(&nearest->simplex, false),
                               name_vertices(&nearest->simplex, true));
    out->count = 0;
    out->normal = trvi_vec3_from_double(trvi_dmat3_mul(&couple->a.rotation, n));
    trvi_manifold_add(out, trvi_to_world(&couple->a, middle), separation, feature);
}

void trvi_manifold_make(const trvi_couple *couple, trvi_nearest *nearest, double margin,
                        trv_manifold *out)
{
    uint32_t count_a = couple->a.vertex_count, count_b = couple->b.vertex_count;
    out->count = 0;
    if (count_a > 1 && count_b > 1) {
        carrier on_a = carrier_on(couple, false, &nearest->axis);
        carrier on_b = carrier_on(couple, true, &nearest->axis);
        bool b_carries = prefer_b(couple, &on_a, &on_b);
        const carrier *chosen = b_carries ? &on_b : &on_a;
        if (chosen->fits && make_on_face(couple, chosen, b_carries, margin, out))
            return;
        if (count_a == 2 && count_b == 2 && make_side_by_side(couple, &nearest->axis, margin, out))
            return;
    }
    make_point(couple, nearest, out);
}
