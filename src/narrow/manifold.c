// Contact points: the faces that look at each other, cut to the outline that they share.
//
// The direction of nearness is straightened to a face's normal where it leans from it by a few
// degrees only and the gap along that normal is the true one but for a sliver; a contact that rests
// then keeps its normal although rounding moves the nearest features about. Where it leans more the
// normal passes over to the direction of nearness bit by bit, so that it never jumps unless that
// direction does. Along the normal the two faces are laid over one another, and the corners of what
// they share are the points. Edges side by side give the ends of what they share; else one point
// between the nearest points is the contact, which also joins the others where faces do not show
// the deepest place.
// Invariants: everything is a function of shapes and poses alone. The least separation among the
// points is at most the true one (but for what trvi_polygon_choose passes over) and at least the gap
// along the normal. Points are named after what makes them (a vertex, or two edges) whichever face
// was cut. Which of two faces leads is decided by area, then by a direction fixed in the world, so
// that exchanging A and B mirrors the answer.
// Based on: Gregorius 2015, "Robust Contact Creation for Physics Simulations".
#include "manifold.h"

#define OF_REFERENCE 0x80000000u // marks the sides of the reference face in polygons
#define OF_B         0x40000000u // marks names of B's vertices and edges

enum { FACE_STEPS = 8 }; // neighbours that are tried for the place under a point

// The face of one shape that looks at the other.
typedef struct facing {
    bool exists;
    uint32_t face;
    trvi_dvec3 normal; // from A to B, in A's frame
    double weight;     // 1: gives the contact its normal, 0: leans too much to have a say
} facing;

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

// From 1 where `value` is at most `full` to 0 where it is `none`.
static double fade(double value, double full, double none)
{
    return trvi_dmin(trvi_dmax((none - value) / (none - full), 0.0), 1.0);
}

// A direction of A's frame in the frame of one of the two, pointing out of it.
static trvi_dvec3 outward(const trvi_couple *couple, bool of_b, trvi_dvec3 n)
{
    return of_b ? trvi_dnegate(trvi_dmat3_mul_transposed(&couple->rotation, n)) : n;
}

static trvi_dvec3 normal_from_a(const trvi_couple *couple, bool of_b, uint32_t face)
{
    trvi_dvec3 n = trvi_face_normal(of_b ? &couple->b : &couple->a, face);
    return of_b ? trvi_dnegate(trvi_dmat3_mul(&couple->rotation, n)) : n;
}

// Over which edge of the face the point lies farthest out; TRVI_NO_VERTEX where over none.
static uint32_t side_beyond(const trvi_view *view, uint32_t face, trvi_dvec3 point, double slack)
{
    uint32_t side = TRVI_NO_VERTEX;
    double most = slack;
    trvi_dvec3 normal = trvi_face_normal(view, face);
    for (uint32_t e = view->face_first[face]; e < view->face_first[face + 1]; e++) {
        trvi_dvec3 from = trvi_vertex(view, view->edge_origin[e]);
        trvi_dvec3 to = trvi_vertex(view, view->edge_origin[trvi_view_next(view, e)]);
        trvi_dvec3 out = trvi_dcross(trvi_dsub(to, from), normal);
        double beyond = trvi_ddot(out, trvi_dsub(point, from)), length = trvi_dlength(out);
        if (beyond > most * length) {
            most = beyond / length;
            side = e;
        }
    }
    return side;
}

// Flat sides often come in pieces that lean by rounding only: from `f` over to the piece over which
// the other shape's deepest vertex lies, while that looks on as well as `f` does.
static double move_under(const trvi_couple *couple, bool of_b, const trvi_axis *axis, facing *f)
{
    const trvi_view *view = of_b ? &couple->b : &couple->a;
    uint32_t at_a = axis->vertex_a, at_b = axis->vertex_b;
    double gap = trvi_gap_along(couple, f->normal, &at_a, &at_b);
    for (int i = 0; i < FACE_STEPS && !view->is_box; i++) {
        trvi_dvec3 point = trvi_vertex_of_b(couple, at_b);
        if (of_b) {
            trvi_dvec3 of_a = trvi_dsub(trvi_vertex(&couple->a, at_a), couple->offset);
            point = trvi_dmat3_mul_transposed(&couple->rotation, of_a);
        }
        uint32_t side = side_beyond(view, f->face, point, TRVI_SIDE_SLACK * couple->size);
        if (side == TRVI_NO_VERTEX)
            break;
        uint32_t face = view->edge_face[view->edge_twin[side]];
        trvi_dvec3 normal = normal_from_a(couple, of_b, face);
        double next_gap = trvi_gap_along(couple, normal, &at_a, &at_b);
        if (!(trvi_ddot(normal, f->normal) >= TRVI_PIECE_COSINE) ||
            !(next_gap >= gap - TRVI_PIECE_SLACK * couple->size))
            break;
        f->face = face;
        f->normal = normal;
        gap = next_gap;
    }
    return gap;
}

static facing facing_of(const trvi_couple *couple, bool of_b, const trvi_axis *axis)
{
    facing f = {false, 0, {0.0, 0.0, 0.0}, 0.0};
    const trvi_view *view = of_b ? &couple->b : &couple->a;
    if (view->face_count == 0)
        return f;
    f.exists = true;
    uint32_t vertex = of_b ? axis->vertex_b : axis->vertex_a;
    f.face = trvi_best_face(view, outward(couple, of_b, axis->normal), vertex);
    f.normal = normal_from_a(couple, of_b, f.face);
    // Two faces that lean against one another take turns as the direction of least overlap: neither
    // is out of reach of the other then.
    bool two = couple->a.face_count > 0 && couple->b.face_count > 0;
    double full = 1.0 - (two ? TRVI_LEAN_COSINE : TRVI_FACE_COSINE);
    double none = 1.0 - (two ? TRVI_FAR_COSINE : TRVI_LEAN_COSINE);
    double leaning = 1.0 - trvi_ddot(f.normal, axis->normal);
    if (!(leaning < none))
        return f;
    double lost = axis->gap - move_under(couple, of_b, axis, &f);
    f.weight = fade(leaning, full, none) *
               fade(lost, TRVI_FACE_SLACK * couple->size, TRVI_LEAN_SLACK * couple->size);
    return f;
}

// True where B's face leads.
static bool prefer_b(const trvi_couple *couple, const facing *a, const facing *b)
{
    static const trvi_dvec3 fixed = {0.36, 0.80, 0.48};
    if (!a->exists || !b->exists)
        return b->exists;
    double area_a = face_area(&couple->a, a->face), area_b = face_area(&couple->b, b->face);
    if (fabs(area_a - area_b) > 1.0e-3 * (area_a + area_b))
        return area_b > area_a;
    return trvi_ddot(trvi_dmat3_mul(&couple->a.rotation, a->normal), fixed) < 0.0;
}

static trvi_dvec3 lean(trvi_dvec3 from, trvi_dvec3 to, double weight)
{
    if (!(weight > 0.0))
        return from;
    if (!(weight < 1.0))
        return to;
    return trvi_dnormalize_or(trvi_dmul_add(trvi_dscale(from, 1.0 - weight), to, weight), from);
}

// Two faces laid over one another along the normal, in the frame of the reference.
typedef struct patch {
    const trvi_view *reference, *incident;
    bool reference_is_b;
    uint32_t face, other_face;
    trvi_dmat3 rotation; // from the incident's frame
    trvi_dvec3 offset;
    trvi_dvec3 out;  // the normal, pointing out of the reference
    trvi_dvec3 axis; // normal of the reference face
    double base;     // heights are -dot(polygon.down, p) - base
    trvi_polygon polygon;
} patch;

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

static void cut_by_sides(patch *p, double slack)
{
    const trvi_view *view = p->reference;
    uint32_t last = view->face_first[p->face + 1], edge = last - 1;
    trvi_dvec3 from = trvi_vertex(view, view->edge_origin[edge]);
    for (uint32_t e = view->face_first[p->face]; e < last && p->polygon.count > 0; e++) {
        trvi_dvec3 to = trvi_vertex(view, view->edge_origin[e]);
        trvi_dvec3 outside = trvi_dcross(trvi_dsub(to, from), p->out);
        trvi_polygon_cut(&p->polygon, outside, trvi_ddot(outside, from), slack,
                         edge | OF_REFERENCE);
        from = to;
        edge = e;
    }
}

static uint32_t vertex_name(uint32_t vertex, bool of_b)
{
    return trvi_feature(vertex | (of_b ? OF_B : 0), 0x5u);
}

// An edge has two half-edges: its name is that of the lower one.
static uint32_t edge_name(const trvi_view *view, uint32_t edge, bool of_b)
{
    uint32_t twin = edge;
    if (view->face_count > 0)
        twin = view->edge_twin[edge];
    return (edge < twin ? edge : twin) | (of_b ? OF_B : 0);
}

// A corner lies on the edge before it and on its own. Two of one face are a vertex of it: the
// polygon runs along the reference's sides against their direction. Else two edges cross.
static void name_corners(patch *p)
{
    trvi_polygon *polygon = &p->polygon;
    bool b = p->reference_is_b;
    for (uint32_t i = 0; i < polygon->count; i++) {
        trvi_corner *corner = &polygon->corners[i];
        uint32_t before = polygon->corners[i > 0 ? i - 1 : polygon->count - 1].edge;
        uint32_t sides =
            (before & OF_REFERENCE ? 1u : 0u) + (corner->edge & OF_REFERENCE ? 1u : 0u);
        uint32_t side = before & OF_REFERENCE ? before : corner->edge;
        uint32_t other = before & OF_REFERENCE ? corner->edge : before;
        side &= ~OF_REFERENCE;
        if (polygon->count < 3 || sides == 0) {
            corner->feature ^= b ? 0u : OF_B;
        } else if (sides == 2) {
            corner->feature = vertex_name(p->reference->edge_origin[side], b);
        } else {
            uint32_t one = edge_name(p->reference, side, b);
            uint32_t two = edge_name(p->incident, other, !b);
            corner->feature = b ? trvi_feature(two, one) : trvi_feature(one, two);
        }
    }
}

static void lay_over(const trvi_couple *couple, trvi_dvec3 n, const facing *lead, bool on_b,
                     patch *p)
{
    p->reference = on_b ? &couple->b : &couple->a;
    p->incident = on_b ? &couple->a : &couple->b;
    p->reference_is_b = on_b;
    p->face = lead->face;
    p->rotation = couple->rotation;
    p->offset = couple->offset;
    if (on_b) {
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                p->rotation.m[i][j] = couple->rotation.m[j][i];
        p->offset = trvi_dnegate(trvi_dmat3_mul(&p->rotation, couple->offset));
    }
    p->out = outward(couple, on_b, n);
    p->axis = trvi_face_normal(p->reference, p->face);
    // The plane through the supporting vertex: the reference lies wholly below it.
    uint32_t top = p->reference->edge_origin[p->reference->face_first[p->face]];
    trvi_dvec3 highest = trvi_vertex(p->reference, trvi_support(p->reference, p->axis, top));
    double steep = 1.0 / trvi_ddot(p->axis, p->out);
    p->base = trvi_ddot(p->axis, highest) * steep;
    p->polygon.down = trvi_dscale(p->axis, -steep);
    p->polygon.count = 0;
    p->other_face = 0;
    if (p->incident->face_count > 0) {
        trvi_dvec3 in_other = trvi_dmat3_mul_transposed(&p->rotation, trvi_dnegate(p->out));
        uint32_t deepest = trvi_support(p->incident, in_other, TRVI_NO_VERTEX);
        p->other_face = trvi_face_around(p->incident, in_other, deepest);
    }
    trvi_polygon_of_face(p->incident, p->other_face, &p->rotation, p->offset, &p->polygon);
    cut_by_sides(p, TRVI_SIDE_SLACK * couple->size);
    name_corners(p);
}

static void set_normal(const trvi_couple *couple, trvi_dvec3 n, trv_manifold *out)
{
    out->count = 0;
    out->normal = trvi_vec3_from_double(trvi_dmat3_mul(&couple->a.rotation, n));
}

// True where a point of this gap shows the deepest place.
static bool is_deep_enough(const trvi_couple *couple, const trvi_axis *axis, double gap)
{
    return gap <=
           axis->gap + TRVI_DEEPEST_SLACK * couple->size + TRVI_DEEPEST_SHARE * fabs(axis->gap);
}

// The corners of the patch. False where they do not show the deepest place.
static bool make_on_faces(const trvi_couple *couple, const trvi_axis *axis, trvi_dvec3 n,
                          const facing *lead, bool on_b, double margin, trv_manifold *out)
{
    patch p;
    lay_over(couple, n, lead, on_b, &p);
    double lowest = trvi_polygon_lowest(&p.polygon, p.base), radius = p.incident->radius;
    trvi_polygon_choose(&p.polygon, p.axis, p.base, margin + radius,
                        TRVI_EVEN_DEPTH * couple->size);
    for (uint32_t i = 0; i < p.polygon.count; i++) {
        const trvi_corner *corner = &p.polygon.corners[i];
        double separation = -trvi_ddot(p.polygon.down, corner->point) - p.base - radius;
        trvi_dvec3 middle = trvi_dmul_add(corner->point, p.out, -radius - 0.5 * separation);
        trvi_manifold_add(out, trvi_to_world(p.reference, middle), separation, corner->feature);
    }
    return is_deep_enough(couple, axis, lowest);
}

// An edge that starts at the vertex nearest to the other shape.
typedef struct beam {
    trvi_dvec3 from, along; // in A's frame
    uint32_t name;
} beam;

// The edges of one shape that leave its supporting vertex at right angles to the normal, but for a
// few degrees; their number, at most `limit`.
static uint32_t beams_of(const trvi_couple *couple, bool of_b, const trvi_axis *axis, beam *out,
                         uint32_t limit)
{
    const trvi_view *view = of_b ? &couple->b : &couple->a;
    uint32_t vertex = of_b ? axis->vertex_b : axis->vertex_a, count = 0;
    uint32_t last = view->neighbor_first[vertex + 1];
    double sine_square = 1.0 - TRVI_FACE_COSINE * TRVI_FACE_COSINE;
    trvi_dvec3 from = of_b ? trvi_vertex_of_b(couple, vertex) : trvi_vertex(view, vertex);
    for (uint32_t i = view->neighbor_first[vertex]; i < last && count < limit; i++) {
        uint32_t end = view->neighbors[i];
        trvi_dvec3 to = of_b ? trvi_vertex_of_b(couple, end) : trvi_vertex(view, end);
        trvi_dvec3 along = trvi_dsub(to, from);
        double rise = trvi_ddot(axis->normal, along);
        if (rise * rise <= sine_square * trvi_ddot(along, along))
            out[count++] = (beam){
                from, along, vertex < end ? trvi_feature(vertex, end) : trvi_feature(end, vertex)};
    }
    return count;
}

// The pair that is most nearly parallel, where it is so but for a few degrees.
static bool find_parallel(const trvi_couple *couple, const trvi_axis *axis, beam *a, beam *b)
{
    enum { LIMIT = 8 };
    beam of_a[LIMIT], of_b[LIMIT];
    uint32_t count_a = beams_of(couple, false, axis, of_a, LIMIT);
    uint32_t count_b = beams_of(couple, true, axis, of_b, LIMIT);
    double best = TRVI_FACE_COSINE * TRVI_FACE_COSINE;
    bool found = false;
    for (uint32_t i = 0; i < count_a; i++) {
        for (uint32_t j = 0; j < count_b; j++) {
            double dot = trvi_ddot(of_a[i].along, of_b[j].along);
            double squares =
                trvi_ddot(of_a[i].along, of_a[i].along) * trvi_ddot(of_b[j].along, of_b[j].along);
            if (dot * dot >= best * squares) {
                best = dot * dot / squares;
                *a = of_a[i];
                *b = of_b[j];
                found = true;
            }
        }
    }
    return found;
}

// Two edges or segments side by side: the ends of what they share. Nothing where there are none. False
// where they do not show the deepest place.
static bool make_side_by_side(const trvi_couple *couple, const trvi_axis *axis, double margin,
                              trv_manifold *out)
{
    beam a, b;
    if (!find_parallel(couple, axis, &a, &b))
        return false;
    double square = trvi_ddot(a.along, a.along);
    double begin = trvi_ddot(trvi_dsub(b.from, a.from), a.along) / square;
    double end = begin + trvi_ddot(b.along, a.along) / square;
    double low = trvi_dmax(trvi_dmin(begin, end), 0.0);
    double high = trvi_dmin(trvi_dmax(begin, end), 1.0);
    if (!(high - low > TRVI_SIDE_SLACK))
        return false;
    trvi_dvec3 ends_a[2], ends_b[2], aside = trvi_dcross(axis->normal, a.along);
    double miss[2], near = TRVI_SIDE_SLACK * couple->size * sqrt(square);
    for (uint32_t i = 0; i < 2; i++) {
        double at = i == 0 ? low : high;
        ends_a[i] = trvi_dmul_add(a.from, a.along, at);
        ends_b[i] = trvi_dmul_add(b.from, b.along, (at - begin) / (end - begin));
        miss[i] = trvi_ddot(aside, trvi_dsub(ends_b[i], ends_a[i]));
    }
    // Seen along the normal they must cross, or all but lie on one another.
    if ((miss[0] > near && miss[1] > near) || (miss[0] < -near && miss[1] < -near))
        return false;
    double radii = couple->a.radius + couple->b.radius;
    uint32_t name = trvi_feature(a.name, b.name);
    double lowest = HUGE_VAL;
    set_normal(couple, axis->normal, out);
    for (uint32_t i = 0; i < 2; i++) {
        trvi_dvec3 on_a = ends_a[i], on_b = ends_b[i];
        double gap = trvi_ddot(axis->normal, trvi_dsub(on_b, on_a));
        lowest = trvi_dmin(lowest, gap);
        if (!(gap - radii <= margin))
            continue;
        trvi_dvec3 middle =
            trvi_dmul_add(on_a, axis->normal, couple->a.radius + 0.5 * (gap - radii));
        trvi_manifold_add(out, trvi_to_world(&couple->a, middle), gap - radii, name + i);
    }
    return is_deep_enough(couple, axis, lowest);
}

// The vertex of one shape that alone is nearest, else TRVI_NO_VERTEX.
static uint32_t only_vertex(const trvi_simplex *s, bool of_b)
{
    uint32_t first = of_b ? s->points[0].b : s->points[0].a;
    for (uint32_t i = 1; i < s->count; i++)
        if ((of_b ? s->points[i].b : s->points[i].a) != first)
            return TRVI_NO_VERTEX;
    return first;
}

// A vertex on a face is named like a corner of the patch; other places share one name.
static uint32_t name_nearest(const trvi_couple *couple, const trvi_simplex *s)
{
    // A rolling ball has one contact, and it is the same one wherever it is.
    if (couple->a.vertex_count == 1 || couple->b.vertex_count == 1)
        return 1;
    uint32_t a = only_vertex(s, false), b = only_vertex(s, true);
    if (a != TRVI_NO_VERTEX)
        return vertex_name(a, false);
    return b != TRVI_NO_VERTEX ? vertex_name(b, true) : 2;
}

// The contact between the nearest points joins the others, for the one nearest to it where there
// are four.
static void add_nearest(const trvi_couple *couple, trvi_nearest *nearest, trv_manifold *out)
{
    trvi_dvec3 on_a, on_b, n = nearest->axis.normal;
    trvi_nearest_points(couple, nearest, &on_a, &on_b);
    trvi_dvec3 surface_a = trvi_dmul_add(on_a, n, couple->a.radius);
    trvi_dvec3 surface_b = trvi_dmul_add(on_b, n, -couple->b.radius);
    trvi_dvec3 middle = trvi_dscale(trvi_dadd(surface_a, surface_b), 0.5);
    trvi_dvec3 point = trvi_to_world(&couple->a, middle);
    double separation = nearest->axis.gap - couple->a.radius - couple->b.radius;
    uint32_t feature = name_nearest(couple, &nearest->simplex), place = 0;
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < out->count; i++) {
        trvi_dvec3 d = trvi_dsub(trvi_dvec3_from(out->points[i].point), point);
        if (out->points[i].feature == feature) // moved: it would be there twice
            d = (trvi_dvec3){0.0, 0.0, 0.0};
        if (trvi_ddot(d, d) < least) {
            least = trvi_ddot(d, d);
            place = i;
        }
    }
    bool full = out->count == TRV_MANIFOLD_POINTS;
    if (full || (out->count > 0 && out->points[place].feature == feature))
        out->points[place] = out->points[--out->count];
    trvi_manifold_add(out, point, separation, feature);
}

void trvi_manifold_make(const trvi_couple *couple, trvi_nearest *nearest, double margin,
                        trv_manifold *out)
{
    const trvi_axis *axis = &nearest->axis;
    set_normal(couple, axis->normal, out);
    if (couple->a.vertex_count == 1 || couple->b.vertex_count == 1) {
        add_nearest(couple, nearest, out);
        return;
    }
    facing a = facing_of(couple, false, axis), b = facing_of(couple, true, axis);
    bool b_leads = prefer_b(couple, &a, &b);
    const facing *lead = b_leads ? &b : &a, *other = b_leads ? &a : &b;
    trvi_dvec3 n =
        lean(lean(axis->normal, other->normal, other->weight), lead->normal, lead->weight);
    double flat_a = trvi_ddot(a.normal, n), flat_b = trvi_ddot(b.normal, n);
    bool both_flat = flat_a >= TRVI_PATCH_COSINE && flat_b >= TRVI_PATCH_COSINE;
    bool deepest = false;
    if (both_flat || lead->weight > 0.0 || other->weight > 0.0) {
        bool on_b = both_flat ? b_leads : flat_b > flat_a;
        set_normal(couple, n, out);
        deepest = make_on_faces(couple, axis, n, on_b ? &b : &a, on_b, margin, out);
    }
    if (out->count == 0)
        deepest = make_side_by_side(couple, axis, margin, out);
    if (!deepest)
        add_nearest(couple, nearest, out);
}
