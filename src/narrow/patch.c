// Lays two faces over one another along a contact's normal: the corners of what they share are the
// contact points.
//
// The face that carries the contact, the reference, gives the plane from which heights are measured
// and the sides by which the other one, the incident, is cut. Points are named after what makes
// them (a vertex, or two edges), whichever of the two was cut.
// Based on: Gregorius 2015, "Robust Contact Creation for Physics Simulations".
#include "patch.h"
#include "load.h"
#include "near.h"

#define OF_REFERENCE 0x80000000u // marks the sides of the reference face in polygons

// Of a point, or a segment with one edge.
static void polygon_of_vertices(const trvi_view *view, const trvi_chart *chart,
                                trvi_polygon *polygon)
{
    uint32_t count = view->vertex_count;
    for (uint32_t i = 0; i < count; i++)
        trvi_corner_place(view, i, chart, i == 0 ? TRVI_NO_EDGE : 0,
                          i + 1 == count ? TRVI_NO_EDGE : 0, &polygon->corners[i]);
    polygon->count = count;
}

static void polygon_of_side(const trvi_view *view, uint32_t face, const trvi_chart *chart,
                            trvi_polygon *polygon)
{
    if (trvi_may_be_piece(view, face) && trvi_side_outline(view, face, chart, true, polygon))
        return;
    uint32_t last = view->face_first[face + 1], before = last - 1, count = 0;
    for (uint32_t e = view->face_first[face]; e < last; e++) {
        trvi_corner_place(view, view->edge_origin[e], chart, before, e, &polygon->corners[count]);
        count = trvi_polygon_bounded(polygon, count + 1);
        before = e;
    }
    polygon->count = count;
}

void trvi_polygon_of_face(const trvi_view *view, uint32_t face, const trvi_chart *chart,
                          double margin, trvi_polygon *polygon, trvi_depths *depths)
{
    *depths = (trvi_depths){0.0, -HUGE_VAL, TRVI_DEPTH_WORTH};
    if (view->face_count == 0) {
        polygon_of_vertices(view, chart, polygon);
        return;
    }
    polygon_of_side(view, face, chart, polygon);
    if (!view->is_box)
        trvi_side_spread(view, chart, margin, polygon, depths);
}

// Cuts what is left by a side of the reference that leads from one place to another, and whose name is that of
// the half-edge.
static inline void cut_by_side(trvi_patch *p, double from_u, double from_v, double to_u,
                               double to_v, uint32_t edge, double slack)
{
    trvi_polygon *cut = p->polygon == &p->polygons[0] ? &p->polygons[1] : &p->polygons[0];
    double nu = to_v - from_v, nv = from_u - to_u;
    if (trvi_polygon_cut(p->polygon, nu, nv, nu * from_u + nv * from_v, slack, edge | OF_REFERENCE,
                         cut))
        p->polygon = cut;
}

// By the outline of the side that the reference is a piece of; false where it is none.
static TRVI_RARE bool cut_by_outline(trvi_patch *p, double slack)
{
    const trvi_chart flat = {.u = p->one, .v = p->two};
    trvi_polygon outline;
    if (!trvi_side_outline(p->reference, p->face, &flat, false, &outline))
        return false;
    for (uint32_t i = 0; i < outline.count && p->polygon->count > 0; i++) {
        const trvi_corner *from = &outline.corners[i];
        const trvi_corner *to = &outline.corners[i + 1 < outline.count ? i + 1 : 0];
        cut_by_side(p, from->u, from->v, to->u, to->v, from->after, slack);
    }
    return true;
}

static void cut_by_sides(trvi_patch *p, double slack)
{
    const trvi_view *view = p->reference;
    p->polygon = &p->polygons[0];
    if (trvi_may_be_piece(view, p->face) && cut_by_outline(p, slack))
        return;
    uint32_t last = view->face_first[p->face + 1], edge = last - 1;
    trvi_dvec3 from = trvi_vertex(view, view->edge_origin[edge]);
    double from_u = trvi_ddot(p->one, from), from_v = trvi_ddot(p->two, from);
    for (uint32_t e = view->face_first[p->face]; e < last && p->polygon->count > 0; e++) {
        trvi_dvec3 to = trvi_vertex(view, view->edge_origin[e]);
        double to_u = trvi_ddot(p->one, to), to_v = trvi_ddot(p->two, to);
        cut_by_side(p, from_u, from_v, to_u, to_v, edge, slack);
        from_u = to_u;
        from_v = to_v;
        edge = e;
    }
}

// No less than half of a face's width is known from its area: that is at most the width times the
// way between its two farthest corners, which is at most twice the way from any one to the farthest
// from that. The ways are looked at where the face may be too narrow for the slack that the size
// gives.
static double slack_over(const trvi_view *view, uint32_t face, double size)
{
    const double half[3] = {view->half.x, view->half.y, view->half.z};
    if (view->is_box)
        return trvi_side_slack(2.0 * trvi_dmin(half[(face / 2 + 1) % 3], half[(face / 2 + 2) % 3]),
                               size);
    double area = (double)view->face_areas[face], slack;
    slack = trvi_side_slack(area / (4.0 * view->extent), size); // no two are farther apart
    if (slack >= TRVI_SIDE_SLACK * size)
        return slack;
    trvi_dvec3 from = trvi_vertex(view, view->edge_origin[view->face_first[face]]);
    double square = 0.0;
    for (uint32_t e = view->face_first[face] + 1; e < view->face_first[face + 1]; e++) {
        trvi_dvec3 way = trvi_dsub(trvi_vertex(view, view->edge_origin[e]), from);
        square = trvi_dmax(square, trvi_ddot(way, way));
    }
    return trvi_side_slack(area / (2.0 * sqrt(square)), size);
}

// An edge has two half-edges: its name is that of the lower one.
static uint32_t edge_name(const trvi_view *view, uint32_t edge)
{
    uint32_t twin = edge;
    if (view->face_count > 0)
        twin = view->edge_twin[edge];
    return edge < twin ? edge : twin;
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
    uint32_t mark = b ? TRVI_NAME_OF_B : 0;
    return trvi_feature(edge_name(reference, one) | mark, edge_name(reference, two) | mark);
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
    uint32_t one = edge_name(p->reference, side);
    uint32_t two = edge_name(p->incident, before ? corner->after : corner->before);
    return trvi_crossing_name(one, two, b);
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
                    const trvi_patch_face *reference, bool on_b, uint32_t around, double margin,
                    trvi_patch *p)
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
    trvi_polygon_of_face(p->incident, p->other_face, &chart, margin, &p->polygons[0], &p->depths);
    cut_by_sides(p, slack_over(p->reference, p->face, couple->size));
    p->lowest = trvi_polygon_lowest(p->polygon);
    const trvi_dmat3 *to_world = &p->reference->rotation;
    p->world_one = trvi_dmat3_mul(to_world, p->one);
    p->world_two = trvi_dmat3_mul(to_world, p->two);
    p->world_out = trvi_dmat3_mul(to_world, p->out);
}

bool trvi_patch_shows(const trvi_couple *couple, const trvi_axis *axis, const trvi_patch *p)
{
    double radii = couple->a.radius + couple->b.radius;
    return trvi_shows_depth(p->lowest - radii, axis->gap - radii, couple->size);
}

static uint64_t held_corners(const trvi_patch *p, const trvi_held *held)
{
    uint64_t corners = 0;
    uint32_t left = held != NULL ? held->count : 0;
    for (uint32_t i = 0; i < p->polygon->count && left > 0; i++) {
        bool stays = trvi_is_held(held, corner_name(p, &p->polygon->corners[i]));
        corners |= (uint64_t)stays << i;
        left -= stays;
    }
    return corners;
}

// Where the load on the contact passes through the patch; false where that is not known.
static bool find_patch_load(const trvi_patch *p, const trvi_held *held, trvi_place *spot)
{
    trvi_ground ground = {p->world_one, p->world_two, p->world_out,
                          trvi_dmul_add(p->reference->position, p->world_out, p->base)};
    return trvi_load_place(held, p->reference_is_b, &ground, spot);
}

// Which point of a manifold has a name; `count` where none has. A side that is hardly wider than nothing goes there
// and back along one edge, and is cut twice by what cuts that.
static uint32_t named(const trv_manifold *m, uint32_t name)
{
    uint32_t i = 0;
    while (i < m->count && m->points[i].feature != name)
        i++;
    return i;
}

void trvi_patch_points(const trvi_couple *couple, trvi_patch *p, double margin, trv_manifold *out)
{
    double radius = p->incident->radius, even = trvi_even_depth(p->lowest - radius, couple->size);
    trvi_polygon_keep_low(p->polygon, margin + radius);
    if (p->polygon->count > TRV_MANIFOLD_POINTS) {
        trvi_place load;
        bool loaded = find_patch_load(p, couple->held, &load);
        p->depths.deep = p->lowest + even;
        trvi_polygon_choose_four(p->polygon, &p->depths, held_corners(p, couple->held),
                                 loaded ? &load : NULL);
    }
    for (uint32_t i = 0; i < p->polygon->count; i++) {
        const trvi_corner *c = &p->polygon->corners[i];
        double separation = c->height - radius;
        uint32_t name = corner_name(p, c), at = named(out, name);
        if (at < out->count && separation >= (double)out->points[at].separation)
            continue;
        out->count += at == out->count;
        double along = c->height + p->base - c->u * p->slope_u - c->v * p->slope_v;
        trvi_dvec3 middle =
            trvi_dmul_add(p->reference->position, p->world_out, along - radius - 0.5 * separation);
        middle = trvi_dmul_add(trvi_dmul_add(middle, p->world_one, c->u), p->world_two, c->v);
        trvi_manifold_set(&out->points[at], &middle, separation, name);
    }
}
