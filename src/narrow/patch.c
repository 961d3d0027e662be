// Lays two faces over one another along a contact's normal: the corners of what they share are the
// contact points.
//
// The face that carries the contact, the reference, gives the plane from which heights are measured
// and the sides by which the other one, the incident, is cut. Points are named after what makes
// them (a vertex, or two edges), whichever of the two was cut.
// Based on: Gregorius 2015, "Robust Contact Creation for Physics Simulations".
#include "patch.h"
#include "near.h"

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
        trvi_corner *corner = &polygon->corners[polygon->count++];
        corner->u = trvi_ddot(chart->u, x) + chart->at_u;
        corner->v = trvi_ddot(chart->v, x) + chart->at_v;
        corner->height = trvi_ddot(chart->height, x) + chart->at_height;
        corner->before = i > first ? i - 1 : last - 1;
        corner->after = i;
        if (!flat) { // a point, or a segment with one edge
            corner->before = i == first ? TRVI_NO_EDGE : 0;
            corner->after = i + 1 == last ? TRVI_NO_EDGE : 0;
        }
        if (polygon->count > TRVI_POLYGON_MAX)
            trvi_polygon_shrink(polygon);
    }
}

void trvi_manifold_add(trv_manifold *manifold, const trvi_dvec3 *point, double separation,
                       uint32_t feature)
{
    trv_manifold_point *p = &manifold->points[manifold->count++];
    p->point.x = (float)point->x;
    p->point.y = (float)point->y;
    p->point.z = (float)point->z;
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

// The incident's face that looks at the reference most, of those about its deepest vertex. `near`
// is that vertex along the axis, which the normal may be (`on_axis`), and to which it is close.
static uint32_t face_across(const trvi_couple *couple, const trvi_patch *p, uint32_t near,
                            bool on_axis)
{
    trvi_dvec3 back = p->reference_is_b
                          ? trvi_dmat3_mul(&couple->rotation, trvi_dnegate(p->out))
                          : trvi_dmat3_mul_transposed(&couple->rotation, trvi_dnegate(p->out));
    if (p->incident->is_box)
        return trvi_best_face(p->incident, &back, near);
    return trvi_face_around(p->incident, &back,
                            on_axis ? near : trvi_support_near(p->incident, &back, near));
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

// Places the frame in which the polygon is cut. Returns the face's normal over its cosine with
// `out`.
static trvi_dvec3 place_frame(const trvi_couple *couple, trvi_dvec3 n, trvi_dvec3 of_face,
                              trvi_patch *p)
{
    trvi_dvec3 normal = trvi_face_normal(p->reference, p->face);
    p->base = trvi_face_base(p->reference, p->face);
    if (is_same(n, of_face)) {
        p->out = normal;
        p->one = trvi_perpendicular(normal);
        p->two = trvi_dcross(normal, p->one);
        p->slope_u = p->slope_v = 0.0;
        return normal;
    }
    p->out = p->reference_is_b ? trvi_dnegate(trvi_dmat3_mul_transposed(&couple->rotation, n)) : n;
    trvi_dvec3 across = trvi_across(normal); // of the face, so that it stays while the normal sways
    p->one = trvi_dnormalize_or(trvi_dmul_add(across, p->out, -trvi_ddot(across, p->out)), across);
    p->two = trvi_dcross(p->out, p->one);
    double inverse = 1.0 / trvi_ddot(normal, p->out);
    trvi_dvec3 steep = trvi_dscale(normal, inverse);
    p->base *= inverse;
    p->slope_u = trvi_ddot(steep, p->one);
    p->slope_v = trvi_ddot(steep, p->two);
    return steep;
}

void trvi_patch_lay(const trvi_couple *couple, const trvi_axis *axis, const trvi_dvec3 *n,
                    const trvi_patch_face *reference, bool on_b, uint32_t around, trvi_patch *p)
{
    begin(couple, reference->face, on_b, p);
    trvi_dvec3 steep = place_frame(couple, *n, reference->normal, p);
    bool on_axis = is_same(*n, axis->normal);
    if (p->incident->face_count == 0)
        p->other_face = 0;
    else if (on_axis && around != TRVI_NO_VERTEX)
        p->other_face = around;
    else
        p->other_face = face_across(couple, p, on_b ? axis->vertex_a : axis->vertex_b, on_axis);
    trvi_chart chart = chart_of(couple, p, steep);
    trvi_polygon_of_face(p->incident, p->other_face, &chart, p->polygon);
    cut_by_sides(p, TRVI_SIDE_SLACK * couple->size);
    p->lowest = trvi_polygon_lowest(p->polygon);
    const trvi_dmat3 *to_world = &p->reference->rotation;
    p->world_one = trvi_dmat3_mul(to_world, p->one);
    p->world_two = trvi_dmat3_mul(to_world, p->two);
    p->world_out = trvi_dmat3_mul(to_world, p->out);
}

// As what trvi_perpendicular gives for the normal of each face: the axis and sign of `one`; `two`
// is the remaining axis, against it. The sides are those where u and v are least and most.
typedef struct box_chart {
    uint32_t one, two;
    double sign;
    uint32_t sides_one[2], sides_two[2];
} box_chart;

static const box_chart box_charts[6] = {
    {2, 1, -1.0, {1 | OF_REFERENCE, 3 | OF_REFERENCE}, {2 | OF_REFERENCE, 0 | OF_REFERENCE}},
    {2, 1, 1.0, {4 | OF_REFERENCE, 6 | OF_REFERENCE}, {5 | OF_REFERENCE, 7 | OF_REFERENCE}},
    {2, 0, 1.0, {8 | OF_REFERENCE, 10 | OF_REFERENCE}, {9 | OF_REFERENCE, 11 | OF_REFERENCE}},
    {2, 0, -1.0, {13 | OF_REFERENCE, 15 | OF_REFERENCE}, {14 | OF_REFERENCE, 12 | OF_REFERENCE}},
    {1, 0, -1.0, {17 | OF_REFERENCE, 19 | OF_REFERENCE}, {18 | OF_REFERENCE, 16 | OF_REFERENCE}},
    {1, 0, 1.0, {20 | OF_REFERENCE, 22 | OF_REFERENCE}, {21 | OF_REFERENCE, 23 | OF_REFERENCE}}};

// A box's face starts at its lower corner; its first side runs up this axis, and its second that.
static const uint32_t box_turns[6][2] = {{2, 1}, {1, 2}, {0, 2}, {2, 0}, {1, 0}, {0, 1}};

// One coordinate of the four corners of a box's face: the box's centre is `at`, and its axes are
// `along` that coordinate.
static inline void place_corners(const double half[3], const double along[3], double at,
                                 uint32_t face, double out[4])
{
    uint32_t axis = face / 2, first = box_turns[face][0], second = box_turns[face][1];
    double over = half[axis] * along[axis];
    double one = half[first] * along[first], two = half[second] * along[second];
    double middle = face % 2 == 1 ? at + over : at - over;
    double low = middle - one, high = middle + one;
    out[0] = low - two;
    out[1] = high - two;
    out[2] = high + two;
    out[3] = low + two;
}

// One of the axes of A, as seen from B, or of B, as seen from A.
static inline void axis_across(const trvi_couple *couple, bool of_b, uint32_t axis, double sign,
                               double out[3])
{
    const double(*r)[3] = couple->rotation.m;
    for (uint32_t i = 0; i < 3; i++)
        out[i] = sign * (of_b ? r[i][axis] : r[axis][i]);
}

static inline trvi_dvec3 axis_in_world(const trvi_view *box, uint32_t axis, double sign)
{
    const double(*r)[3] = box->rotation.m;
    return (trvi_dvec3){sign * r[0][axis], sign * r[1][axis], sign * r[2][axis]};
}

// The incident's face that looks at the reference most.
static void lay_box_face(const trvi_couple *couple, const double places[3], trvi_patch *p)
{
    const box_chart *chart = &box_charts[p->face];
    const trvi_dvec3 *h = &p->incident->half;
    const double half[3] = {h->x, h->y, h->z}, sign = p->face % 2 == 1 ? 1.0 : -1.0;
    bool of_b = p->reference_is_b;
    double u[3], v[3], height[3], at_u[4], at_v[4], at_height[4];
    axis_across(couple, of_b, chart->one, chart->sign, u);
    axis_across(couple, of_b, chart->two, -1.0, v);
    axis_across(couple, of_b, p->face / 2, sign, height);
    trvi_dvec3 back = {-height[0], -height[1], -height[2]};
    uint32_t face = trvi_best_face(p->incident, &back, 0);
    place_corners(half, u, chart->sign * places[chart->one], face, at_u);
    place_corners(half, v, -places[chart->two], face, at_v);
    place_corners(half, height, sign * places[p->face / 2] - p->base, face, at_height);
    p->other_face = face;
    p->polygon->count = 4;
    for (uint32_t i = 0; i < 4; i++)
        p->polygon->corners[i] =
            (trvi_corner){at_u[i], at_v[i], at_height[i], 4 * face + (i + 3) % 4, 4 * face + i};
}

void trvi_patch_lay_boxes(const trvi_couple *couple, const double places[3], uint32_t face,
                          bool on_b, trvi_patch *p)
{
    begin(couple, face, on_b, p);
    const box_chart *chart = &box_charts[face];
    const trvi_dvec3 *h = &p->reference->half;
    const double half[3] = {h->x, h->y, h->z}, slack = TRVI_SIDE_SLACK * couple->size;
    p->base = half[face / 2];
    p->slope_u = p->slope_v = 0.0;
    p->world_one = axis_in_world(p->reference, chart->one, chart->sign);
    p->world_two = axis_in_world(p->reference, chart->two, -1.0);
    p->world_out = axis_in_world(p->reference, face / 2, face % 2 == 1 ? 1.0 : -1.0);
    lay_box_face(couple, places, p);
    trvi_polygon *cut = spare(p);
    if (trvi_polygon_cut_slab(p->polygon, false, half[chart->one], slack, chart->sides_one, cut))
        p->polygon = cut;
    cut = spare(p);
    if (trvi_polygon_cut_slab(p->polygon, true, half[chart->two], slack, chart->sides_two, cut))
        p->polygon = cut;
    p->lowest = trvi_polygon_lowest(p->polygon);
}

bool trvi_patch_shows(const trvi_couple *couple, const trvi_axis *axis, const trvi_patch *p)
{
    double radii = couple->a.radius + couple->b.radius, gap = axis->gap - radii;
    return p->lowest - radii <=
           gap + TRVI_DEEPEST_SLACK * couple->size + TRVI_DEEPEST_SHARE * fabs(gap);
}

void trvi_patch_points(const trvi_couple *couple, trvi_patch *p, double margin, trv_manifold *out)
{
    double radius = p->incident->radius, even = trvi_even_depth(p->lowest - radius, couple->size);
    trvi_polygon_choose(p->polygon, margin + radius, p->lowest, even);
    for (uint32_t i = 0; i < p->polygon->count; i++) {
        const trvi_corner *c = &p->polygon->corners[i];
        double separation = c->height - radius;
        double along = c->height + p->base - c->u * p->slope_u - c->v * p->slope_v;
        trvi_dvec3 middle =
            trvi_dmul_add(p->reference->position, p->world_out, along - radius - 0.5 * separation);
        middle = trvi_dmul_add(trvi_dmul_add(middle, p->world_one, c->u), p->world_two, c->v);
        trvi_manifold_add(out, &middle, separation, corner_name(p, c));
    }
}
