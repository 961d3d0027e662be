// Lays two faces over one another along a contact's normal: the corners of what they share are the
// contact points.
//
// The face that carries the contact, the reference, gives the plane from which heights are measured
// and the sides by which the other one, the incident, is cut. Points are named after what makes them
// (a vertex, or two edges), whichever of the two was cut.
// Based on: Gregorius 2015, "Robust Contact Creation for Physics Simulations".
#include "patch.h"

#define OF_REFERENCE 0x80000000u // marks the sides of the reference face in polygons
#define OF_B         0x40000000u // marks names of B's vertices and edges
#define A_VERTEX     0xFFFFFFFFu // the second part of a vertex's name: no edge has this number

void trvi_polygon_of_face(const trvi_view *view, uint32_t face, const trvi_chart *chart,
                          trvi_polygon *polygon)
{
    bool flat = view->face_count > 0;
    uint32_t first = flat ? view->face_first[face] : 0;
    uint32_t last = flat ? view->face_first[face + 1] : view->vertex_count;
    polygon->count = 0;
    for (uint32_t i = first; i < last; i++) {
        trvi_dvec3 x = trvi_vertex(view, flat ? view->edge_origin[i] : i);
        trvi_corner corner = {
            trvi_ddot(chart->u, x) + chart->at_u, trvi_ddot(chart->v, x) + chart->at_v,
            trvi_ddot(chart->height, x) + chart->at_height, i > first ? i - 1 : last - 1, i};
        if (!flat) { // a point, or a segment with one edge
            corner.before = i == first ? TRVI_NO_EDGE : 0;
            corner.after = i + 1 == last ? TRVI_NO_EDGE : 0;
        }
        trvi_polygon_push(polygon, &corner);
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

// Where the next cut of the polygon goes.
static trvi_polygon *spare(trvi_patch *p)
{
    return &p->polygons[p->polygon == p->polygons ? 1 : 0];
}

static void cut_by_sides(trvi_patch *p, double slack)
{
    const trvi_view *view = p->reference;
    uint32_t last = view->face_first[p->face + 1], edge = last - 1;
    trvi_dvec3 from = trvi_vertex(view, view->edge_origin[edge]);
    double from_u = trvi_ddot(p->one, from), from_v = trvi_ddot(p->two, from);
    for (uint32_t e = view->face_first[p->face]; e < last && p->polygon->count > 0; e++) {
        trvi_dvec3 to = trvi_vertex(view, view->edge_origin[e]);
        double to_u = trvi_ddot(p->one, to), to_v = trvi_ddot(p->two, to);
        double nu = to_v - from_v, nv = from_u - to_u;
        trvi_polygon *cut = spare(p);
        if (trvi_polygon_cut(p->polygon, nu, nv, nu * from_u + nv * from_v, slack,
                             edge | OF_REFERENCE, cut))
            p->polygon = cut;
        from_u = to_u;
        from_v = to_v;
        edge = e;
    }
}

uint32_t trvi_vertex_name(uint32_t vertex, bool of_b)
{
    return trvi_feature(vertex | (of_b ? OF_B : 0), A_VERTEX);
}

// An edge has two half-edges: its name is that of the lower one.
static uint32_t edge_name(const trvi_view *view, uint32_t edge, bool of_b)
{
    uint32_t twin = edge;
    if (view->face_count > 0)
        twin = view->edge_twin[edge];
    return (edge < twin ? edge : twin) | (of_b ? OF_B : 0);
}

uint32_t trvi_vertex_of_corner(const trvi_view *view, const trvi_corner *corner)
{
    if (view->face_count > 0)
        return view->edge_origin[corner->after];
    return corner->before == TRVI_NO_EDGE ? 0 : 1;
}

// Two sides of the reference meet in its vertex, whichever comes first; sides that do not, where a
// third is hardly longer than nothing, are a name of their own.
static uint32_t sides_name(const trvi_view *reference, uint32_t one, uint32_t two, bool b)
{
    uint32_t from_one = reference->edge_origin[one], from_two = reference->edge_origin[two];
    if (from_one == reference->edge_origin[trvi_view_next(reference, two)])
        return trvi_vertex_name(from_one, b);
    if (from_two == reference->edge_origin[trvi_view_next(reference, one)])
        return trvi_vertex_name(from_two, b);
    return trvi_feature(edge_name(reference, one, b), edge_name(reference, two, b));
}

// A corner of one of the faces is named after that vertex; else two edges cross.
static uint32_t corner_name(const trvi_patch *p, const trvi_corner *corner)
{
    bool b = p->reference_is_b != p->turned, before = (corner->before & OF_REFERENCE) != 0;
    bool after = (corner->after & OF_REFERENCE) != 0;
    if (!before && !after)
        return trvi_vertex_name(trvi_vertex_of_corner(p->incident, corner), !b);
    uint32_t side = (before ? corner->before : corner->after) & ~OF_REFERENCE;
    if (before && after)
        return sides_name(p->reference, side, corner->after & ~OF_REFERENCE, b);
    uint32_t one = edge_name(p->reference, side, b);
    uint32_t two = edge_name(p->incident, before ? corner->after : corner->before, !b);
    return b ? trvi_feature(two, one) : trvi_feature(one, two);
}

// The chart of the patch in the incident's frame; `steep` is the reference face's normal over the
// cosine between it and `out`.
static trvi_chart chart_of(const trvi_couple *couple, const trvi_patch *p, trvi_dvec3 steep)
{
    const trvi_dmat3 *r = &couple->rotation;
    trvi_chart c;
    if (p->reference_is_b) {
        trvi_dvec3 back = trvi_dnegate(couple->offset);
        c = (trvi_chart){.u = trvi_dmat3_mul(r, p->one),
                         .v = trvi_dmat3_mul(r, p->two),
                         .height = trvi_dmat3_mul(r, steep)};
        c.at_u = trvi_ddot(c.u, back);
        c.at_v = trvi_ddot(c.v, back);
        c.at_height = trvi_ddot(c.height, back) - p->base;
    } else {
        c = (trvi_chart){.u = trvi_dmat3_mul_transposed(r, p->one),
                         .v = trvi_dmat3_mul_transposed(r, p->two),
                         .height = trvi_dmat3_mul_transposed(r, steep)};
        c.at_u = trvi_ddot(p->one, couple->offset);
        c.at_v = trvi_ddot(p->two, couple->offset);
        c.at_height = trvi_ddot(steep, couple->offset) - p->base;
    }
    return c;
}

// The incident's face that looks at the reference most, of those about its deepest vertex. `near` is
// that vertex along the axis, which the normal may be (`on_axis`), and to which it is close.
static uint32_t face_across(const trvi_couple *couple, const trvi_patch *p, uint32_t near,
                            bool on_axis)
{
    trvi_dvec3 back = p->reference_is_b
                          ? trvi_dmat3_mul(&couple->rotation, trvi_dnegate(p->out))
                          : trvi_dmat3_mul_transposed(&couple->rotation, trvi_dnegate(p->out));
    if (p->incident->is_box)
        return trvi_best_face(p->incident, back, near);
    return trvi_face_around(p->incident, back,
                            on_axis ? near : trvi_support(p->incident, back, near));
}

static bool is_same(trvi_dvec3 a, trvi_dvec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// What the patch lies on.
static void begin(const trvi_couple *couple, uint32_t face, bool on_b, trvi_patch *p)
{
    p->reference = on_b ? &couple->b : &couple->a;
    p->incident = on_b ? &couple->a : &couple->b;
    p->reference_is_b = on_b;
    p->turned = couple->turned;
    p->face = face;
    p->polygon = &p->polygons[0];
}

// Places the frame in which the polygon is cut. Returns the face's normal over its cosine with `out`.
static trvi_dvec3 place_frame(const trvi_couple *couple, trvi_dvec3 n, trvi_dvec3 of_face,
                              trvi_patch *p)
{
    const trv_plane *plane = &p->reference->planes[p->face];
    trvi_dvec3 normal = trvi_face_normal(p->reference, p->face), one = trvi_perpendicular(normal);
    // No vertex of the face is above its plane.
    p->base = -(double)plane->offset / trvi_dlength(trvi_dvec3_from(plane->normal));
    if (is_same(n, of_face)) {
        p->out = normal;
        p->one = one;
        p->two = trvi_dcross(normal, one);
        p->slope_u = p->slope_v = 0.0;
        return normal;
    }
    p->out = p->reference_is_b ? trvi_dnegate(trvi_dmat3_mul_transposed(&couple->rotation, n)) : n;
    p->one = trvi_dnormalize_or(trvi_dmul_add(one, p->out, -trvi_ddot(one, p->out)), one);
    p->two = trvi_dcross(p->out, p->one);
    double inverse = 1.0 / trvi_ddot(normal, p->out);
    trvi_dvec3 steep = trvi_dscale(normal, inverse);
    p->base *= inverse;
    p->slope_u = trvi_ddot(steep, p->one);
    p->slope_v = trvi_ddot(steep, p->two);
    return steep;
}

void trvi_patch_lay(const trvi_couple *couple, const trvi_axis *axis, trvi_dvec3 n,
                    const trvi_patch_face *reference, bool on_b, uint32_t around, trvi_patch *p)
{
    begin(couple, reference->face, on_b, p);
    trvi_dvec3 steep = place_frame(couple, n, reference->normal, p);
    bool on_axis = is_same(n, axis->normal);
    if (p->incident->face_count == 0)
        p->other_face = 0;
    else if (on_axis && around != TRVI_NO_VERTEX)
        p->other_face = around;
    else
        p->other_face = face_across(couple, p, on_b ? axis->vertex_a : axis->vertex_b, on_axis);
    trvi_chart chart = chart_of(couple, p, steep);
    trvi_polygon_of_face(p->incident, p->other_face, &chart, p->polygon);
    cut_by_sides(p, TRVI_SIDE_SLACK * couple->size);
}

// The half-edge of a box's face that it shares with another face; none with itself and its opposite.
static uint32_t side_between(const trvi_view *box, uint32_t face, uint32_t other)
{
    uint32_t side = box->face_first[face], last = side + 3;
    while (side < last && box->edge_face[box->edge_twin[side]] != other)
        side++;
    return side;
}

// Cuts by the two sides of a box's face across u, or v. They are shared with the faces that the box has
// across that axis: `lower` is the one where u, or v, is negative.
static void cut_box_sides(trvi_patch *p, bool along_v, double half, double slack, uint32_t lower)
{
    trvi_polygon *cut = spare(p);
    const uint32_t sides[2] = {side_between(p->reference, p->face, lower) | OF_REFERENCE,
                               side_between(p->reference, p->face, lower ^ 1u) | OF_REFERENCE};
    if (trvi_polygon_cut_slab(p->polygon, along_v, half, slack, sides, cut))
        p->polygon = cut;
}

// As what trvi_perpendicular gives for the normal of each face: the axis and sign of `one`; `two` is
// the remaining axis, against it.
static const struct {
    uint32_t one, two;
    double sign;
} box_charts[6] = {{2, 1, -1.0}, {2, 1, 1.0}, {2, 0, 1.0}, {2, 0, -1.0}, {1, 0, -1.0}, {1, 0, 1.0}};

static trvi_dvec3 unit_along(uint32_t axis, double sign)
{
    return (trvi_dvec3){axis == 0 ? sign : 0.0, axis == 1 ? sign : 0.0, axis == 2 ? sign : 0.0};
}

// The four corners of a face of the incident box.
static void box_polygon(const trvi_view *box, uint32_t face, const trvi_chart *c, trvi_polygon *p)
{
    uint32_t first = box->face_first[face];
    const double h[3] = {box->half.x, box->half.y, box->half.z};
    const double u[3] = {h[0] * c->u.x, h[1] * c->u.y, h[2] * c->u.z};
    const double v[3] = {h[0] * c->v.x, h[1] * c->v.y, h[2] * c->v.z};
    const double w[3] = {h[0] * c->height.x, h[1] * c->height.y, h[2] * c->height.z};
    p->count = 4;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t vertex = box->edge_origin[first + i];
        double x = vertex & 1 ? 1.0 : -1.0, y = vertex & 2 ? 1.0 : -1.0,
               z = vertex & 4 ? 1.0 : -1.0;
        p->corners[i] = (trvi_corner){
            c->at_u + x * u[0] + y * u[1] + z * u[2], c->at_v + x * v[0] + y * v[1] + z * v[2],
            c->at_height + x * w[0] + y * w[1] + z * w[2], first + (i > 0 ? i - 1 : 3), first + i};
    }
}

void trvi_patch_lay_boxes(const trvi_couple *couple, uint32_t face, bool on_b, trvi_patch *p)
{
    begin(couple, face, on_b, p);
    const trvi_dvec3 *half = &p->reference->half;
    const double h[3] = {half->x, half->y, half->z};
    uint32_t one = box_charts[face].one, two = box_charts[face].two;
    p->out = unit_along(face / 2, face % 2 == 1 ? 1.0 : -1.0);
    p->one = unit_along(one, box_charts[face].sign);
    p->two = unit_along(two, -1.0);
    p->base = h[face / 2];
    p->slope_u = p->slope_v = 0.0;
    trvi_chart chart = chart_of(couple, p, p->out);
    p->other_face = trvi_best_face(p->incident, trvi_dnegate(chart.height), 0);
    box_polygon(p->incident, p->other_face, &chart, p->polygon);
    double allowed = TRVI_SIDE_SLACK * couple->size;
    uint32_t upper = box_charts[face].sign > 0.0 ? 1 : 0;
    cut_box_sides(p, false, h[one], allowed, 2 * one + 1 - upper);
    cut_box_sides(p, true, h[two], allowed, 2 * two + 1);
}

bool trvi_patch_shows(const trvi_couple *couple, const trvi_axis *axis, const trvi_patch *p)
{
    double radii = couple->a.radius + couple->b.radius, gap = axis->gap - radii;
    return trvi_polygon_lowest(p->polygon) - radii <=
           gap + TRVI_DEEPEST_SLACK * couple->size + TRVI_DEEPEST_SHARE * fabs(gap);
}

void trvi_patch_points(const trvi_couple *couple, trvi_patch *p, double margin, trv_manifold *out)
{
    double radius = p->incident->radius, deepest = trvi_polygon_lowest(p->polygon) - radius;
    trvi_polygon_choose(p->polygon, margin + radius, trvi_even_depth(deepest, couple->size));
    for (uint32_t i = 0; i < p->polygon->count; i++) {
        const trvi_corner *c = &p->polygon->corners[i];
        double separation = c->height - radius;
        double along = c->height + p->base - c->u * p->slope_u - c->v * p->slope_v;
        trvi_dvec3 middle = trvi_dscale(p->out, along - radius - 0.5 * separation);
        middle = trvi_dmul_add(trvi_dmul_add(middle, p->one, c->u), p->two, c->v);
        trvi_manifold_add(out, trvi_to_world(p->reference, middle), separation, corner_name(p, c));
    }
}
