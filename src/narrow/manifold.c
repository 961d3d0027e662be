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
// Invariants: everything is a function of shapes and poses alone, and of what is held. The least separation among the
// points is at most the true one (but for what trvi_polygon_choose_four passes over) and at least the
// gap along the normal. Points are named after what makes them (a vertex, or two edges) whichever
// face was cut. Which of two faces leads is decided by area, then by a direction fixed in the
// world, so that exchanging A and B mirrors the answer.
// Based on: Gregorius 2015, "Robust Contact Creation for Physics Simulations".
#include "manifold.h"
#include "near.h"

#include "facing.h"
#include "patch.h"

enum { FACE_STEPS = 8 }; // neighbours that are tried for the place under a point

// The face of one shape that looks at the other.
typedef struct facing {
    bool exists;
    bool in_pieces; // a neighbour is all but in the same plane
    uint32_t face;
    uint32_t around;   // the best about the deepest vertex, or TRVI_NO_VERTEX
    trvi_dvec3 normal; // from A to B, in A's frame
    double base;       // trvi_face_base, where the weight is not known yet
    double leaning;    // 1 minus the cosine between it and the axis
    double weight; // 1: gives the contact its normal, 0: leans too much to have a say, < 0: open
} facing;

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

// How far the other shape's vertex is over the plane of a face of one shape, which is what contact
// points are measured from.
static double gap_over(const trvi_couple *couple, bool of_b, const facing *f, uint32_t vertex)
{
    trvi_dvec3 at = of_b ? trvi_dsub(couple->offset, trvi_vertex(&couple->a, vertex))
                         : trvi_vertex_of_b(couple, vertex);
    return trvi_ddot(f->normal, at) - f->base;
}

// The gap along the normal of a face of one shape, and the other's vertex there.
static double gap_along_face(const trvi_couple *couple, bool of_b, const facing *f, uint32_t *at)
{
    const trvi_view *other = of_b ? &couple->a : &couple->b;
    trvi_dvec3 out = f->normal;
    if (!of_b)
        out = trvi_dnegate(trvi_dmat3_mul_transposed(&couple->rotation, f->normal));
    *at = trvi_support_near(other, &out, *at);
    return gap_over(couple, of_b, f, *at);
}

// Flat sides often come in pieces that lean by rounding only: from `f` over to the piece over which
// the other shape's deepest vertex lies, while that looks on as well as `f` does.
static double move_under(const trvi_couple *couple, bool of_b, const trvi_axis *axis, facing *f)
{
    const trvi_view *view = of_b ? &couple->b : &couple->a;
    uint32_t at = of_b ? axis->vertex_a : axis->vertex_b;
    double gap = gap_along_face(couple, of_b, f, &at);
    for (int i = 0; i < FACE_STEPS && f->in_pieces; i++) {
        trvi_dvec3 point = trvi_vertex_of_b(couple, at);
        if (of_b) {
            trvi_dvec3 of_a = trvi_dsub(trvi_vertex(&couple->a, at), couple->offset);
            point = trvi_dmat3_mul_transposed(&couple->rotation, of_a);
        }
        uint32_t side = trvi_side_beyond(view, f->face, point, TRVI_SIDE_SLACK * couple->size);
        if (side == TRVI_NO_VERTEX)
            break;
        facing next = *f;
        next.face = view->edge_face[view->edge_twin[side]];
        next.normal = normal_from_a(couple, of_b, next.face);
        next.base = trvi_face_base(view, next.face);
        double next_gap = gap_along_face(couple, of_b, &next, &at);
        if (!(trvi_ddot(next.normal, f->normal) >= TRVI_PIECE_COSINE) ||
            !(next_gap >= gap - TRVI_PIECE_SLACK * couple->size))
            break;
        *f = next;
        gap = next_gap;
    }
    return gap;
}

// How much of a say the face has, where that is not known yet.
static void weigh(const trvi_couple *couple, bool of_b, const trvi_axis *axis, facing *f)
{
    if (!(f->weight < 0.0))
        return;
    bool two = couple->a.face_count > 0 && couple->b.face_count > 0;
    double most = gap_over(couple, of_b, f, of_b ? axis->vertex_a : axis->vertex_b);
    double lost = axis->gap - most;
    f->weight = trvi_facing_weight(f->leaning, lost, couple->size, two);
    if (!f->in_pieces && !(f->weight > 0.0))
        return; // lost is at least that much
    lost = axis->gap - move_under(couple, of_b, axis, f);
    f->weight = trvi_facing_weight(f->leaning, lost, couple->size, two);
}

// Most neighbours of a face are round the vertex themselves, and only the others are looked at.
uint32_t trvi_best_face_beyond(const trvi_view *view, const trvi_dvec3 *out, uint32_t around,
                               uint32_t vertex)
{
    const trvi_dvec3 d = {out->x, out->y, out->z};
    double best = trvi_alignment(view, around, d);
    uint32_t first = view->face_first[around], last = view->face_first[around + 1];
    uint32_t before = view->edge_origin[last - 1], side = last - 1;
    for (uint32_t e = first; e < last; e++) {
        uint32_t here = view->edge_origin[e];
        if (before != vertex && here != vertex &&
            trvi_alignment(view, view->edge_face[view->edge_twin[side]], d) > best)
            return trvi_best_face_from(view, out, around);
        before = here;
        side = e;
    }
    return around;
}

// Filled in where it is to stay: a copy would wait for what was just written.
static void find_facing(const trvi_couple *couple, bool of_b, const trvi_nearest *nearest,
                        facing *f)
{
    const trvi_axis *axis = &nearest->axis;
    uint32_t known = of_b ? nearest->face_b : nearest->face_a;
    f->exists = f->in_pieces = false;
    f->face = 0;
    f->around = TRVI_NO_VERTEX;
    f->normal = (trvi_dvec3){0.0, 0.0, 0.0};
    f->base = f->leaning = f->weight = 0.0;
    const trvi_view *view = of_b ? &couple->b : &couple->a;
    if (view->face_count == 0)
        return;
    f->exists = true;
    if (known != TRVI_NO_VERTEX) {
        f->face = known;
        f->normal = axis->normal;
        f->weight = 1.0;
        return;
    }
    uint32_t vertex = of_b ? axis->vertex_b : axis->vertex_a;
    trvi_dvec3 out = outward(couple, of_b, axis->normal);
    // The distance search ends at vertices that are near the farthest, the others at these.
    if (nearest->has_simplex || view->is_box) {
        f->face = trvi_best_face(view, &out, vertex);
    } else {
        f->around = trvi_face_around(view, &out, vertex);
        f->face = trvi_best_face_beyond(view, &out, f->around, vertex);
    }
    f->normal = normal_from_a(couple, of_b, f->face);
    bool two = couple->a.face_count > 0 && couple->b.face_count > 0;
    f->leaning = 1.0 - trvi_ddot(f->normal, axis->normal);
    if (!(trvi_facing_weight(f->leaning, 0.0, couple->size, two) > 0.0))
        return;
    f->weight = -1.0;
    f->base = trvi_face_base(view, f->face);
    f->in_pieces = !view->is_box && view->face_pieces[f->face] != 0;
    if (f->in_pieces) // another piece may have another area
        weigh(couple, of_b, axis, f);
}

static double face_area(const trvi_view *view, uint32_t face)
{
    const trvi_dvec3 *h = &view->half;
    if (!view->is_box)
        return (double)view->face_areas[face];
    return 4.0 * (face < 2 ? h->y * h->z : face < 4 ? h->x * h->z : h->x * h->y);
}

// True where B's face leads.
static bool prefer_b(const trvi_couple *couple, const facing *a, const facing *b)
{
    if (!a->exists || !b->exists)
        return b->exists;
    return trvi_prefer_b(couple, face_area(&couple->a, a->face), face_area(&couple->b, b->face),
                         a->normal);
}

static trvi_dvec3 lean(trvi_dvec3 from, trvi_dvec3 to, double weight)
{
    if (!(weight > 0.0))
        return from;
    if (!(weight < 1.0))
        return to;
    return trvi_dnormalize_or(trvi_dmul_add(trvi_dscale(from, 1.0 - weight), to, weight), from);
}

static void set_normal(const trvi_couple *couple, const trvi_dvec3 *n, trv_manifold *out)
{
    out->count = 0;
    out->normal = trvi_vec3_from_double(trvi_dmat3_mul(&couple->a.rotation, *n));
}

// True where corners of the patch are deeper than anything is along `n`. A face that leans is a
// slope there, and the slack at its sides reaches far past the tip of a sliver, where the slope
// goes on and the shape does not.
static bool is_past_the_face(const trvi_couple *couple, const trvi_axis *axis, const trvi_dvec3 *n,
                             const trvi_patch *patch)
{
    double slack = TRVI_FACE_SLACK * couple->size + TRVI_DEEPEST_SHARE * fabs(axis->gap);
    if (patch->lowest >= axis->gap - slack || (patch->slope_u == 0.0 && patch->slope_v == 0.0))
        return false;
    uint32_t a = axis->vertex_a, b = axis->vertex_b;
    return patch->lowest < trvi_gap_along(couple, *n, &a, &b) - slack;
}

// The corners of the two faces laid over one another. False where they do not show the deepest
// place.
static bool make_on_faces(const trvi_couple *couple, const trvi_axis *axis, const trvi_dvec3 *n,
                          const facing *on, uint32_t around, bool on_b, double margin,
                          trv_manifold *out)
{
    trvi_patch patch;
    trvi_patch_face reference = {on->face, on->normal};
    trvi_patch_lay(couple, axis, n, &reference, on_b, around, margin, &patch);
    if (is_past_the_face(couple, axis, n, &patch))
        return false;
    bool deepest = trvi_patch_shows(couple, axis, &patch);
    trvi_patch_points(couple, &patch, margin, out);
    return deepest;
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
    bool any = false;
    for (uint32_t i = 0; i < count_a; i++) {
        for (uint32_t j = 0; j < count_b; j++) {
            double dot = trvi_ddot(of_a[i].along, of_b[j].along);
            double squares =
                trvi_ddot(of_a[i].along, of_a[i].along) * trvi_ddot(of_b[j].along, of_b[j].along);
            if (dot * dot >= best * squares) {
                best = dot * dot / squares;
                *a = of_a[i];
                *b = of_b[j];
                any = true;
            }
        }
    }
    return any;
}

// Two edges that lie over one another as seen along a normal: from where to where along A's, 0 to 1, and how far B's
// is aside from A's at both ends, m.
typedef struct shared_part {
    beam a, b;
    double b_begins, b_ends; // along A's
    double at[2], aside[2];
} shared_part;

static void ends_of(const shared_part *shared, uint32_t i, trvi_dvec3 *on_a, trvi_dvec3 *on_b)
{
    double of_b = (shared->at[i] - shared->b_begins) / (shared->b_ends - shared->b_begins);
    *on_a = trvi_dmul_add(shared->a.from, shared->a.along, shared->at[i]);
    *on_b = trvi_dmul_add(shared->b.from, shared->b.along, of_b);
}

static bool is_long(const shared_part *shared)
{
    return shared->at[1] - shared->at[0] > TRVI_SIDE_SLACK;
}

// False where there is none.
static bool find_shared(trvi_dvec3 normal, shared_part *out)
{
    trvi_dvec3 along = out->a.along;
    double square = trvi_ddot(along, along);
    out->b_begins = trvi_ddot(trvi_dsub(out->b.from, out->a.from), along) / square;
    out->b_ends = out->b_begins + trvi_ddot(out->b.along, along) / square;
    out->at[0] = trvi_dmax(trvi_dmin(out->b_begins, out->b_ends), 0.0);
    out->at[1] = trvi_dmin(trvi_dmax(out->b_begins, out->b_ends), 1.0);
    if (!is_long(out))
        return false;
    trvi_dvec3 sideways = trvi_dscale(trvi_dcross(normal, along), 1.0 / sqrt(square));
    for (uint32_t i = 0; i < 2; i++) {
        trvi_dvec3 on_a, on_b;
        ends_of(out, i, &on_a, &on_b);
        out->aside[i] = trvi_ddot(sideways, trvi_dsub(on_b, on_a));
    }
    return true;
}

// Leaves of it where they are aside by no more than so much; false where that is nothing.
static bool cut_shared(shared_part *shared, double most)
{
    const shared_part all = *shared;
    double change = all.aside[1] - all.aside[0];
    for (uint32_t i = 0; i < 2; i++) {
        double aside = trvi_dmax(trvi_dmin(all.aside[i], most), -most);
        if (aside == all.aside[i])
            continue;
        double part = trvi_dmax(trvi_dmin((aside - all.aside[0]) / change, 1.0), 0.0);
        shared->at[i] = all.at[0] + part * (all.at[1] - all.at[0]);
    }
    return is_long(shared);
}

// The gap of the cores at one of the ends, and the point half-way between the surfaces, on A's edge where neither is
// round, in A's view. Round ones are farther apart there than along the normal.
static double gap_at_end(const trvi_couple *couple, trvi_dvec3 normal, const shared_part *shared,
                         uint32_t i, trvi_dvec3 *point)
{
    trvi_dvec3 on_a, on_b;
    ends_of(shared, i, &on_a, &on_b);
    trvi_dvec3 across = trvi_dsub(on_b, on_a);
    double gap = trvi_ddot(normal, across), radii = couple->a.radius + couple->b.radius;
    if (gap > 0.0 && radii > 0.0) {
        double length = trvi_dlength(across);
        *point = trvi_dmul_add(on_a, across, (couple->a.radius + 0.5 * (length - radii)) / length);
        return length;
    }
    *point = trvi_dmul_add(on_a, normal, couple->a.radius + 0.5 * (gap - radii));
    return gap;
}

// Two edges or segments side by side: the ends of what they share. Nothing where there are none.
// False where they do not show the deepest place.
static bool make_side_by_side(const trvi_couple *couple, const trvi_axis *axis, double margin,
                              trv_manifold *out)
{
    shared_part shared;
    if (!find_parallel(couple, axis, &shared.a, &shared.b) || !find_shared(axis->normal, &shared))
        return false;
    double near = TRVI_SIDE_SLACK * couple->size, radii = couple->a.radius + couple->b.radius;
    // Seen along the normal they must cross, or all but lie on one another.
    if ((shared.aside[0] > near && shared.aside[1] > near) ||
        (shared.aside[0] < -near && shared.aside[1] < -near))
        return false;
    double thin = trvi_dmax(TRVI_SIDE_ASIDE * trvi_dmin(couple->a.inner, couple->b.inner), near);
    double most = radii > 0.0 ? TRVI_SIDE_ROUND * radii : thin;
    if (!cut_shared(&shared, trvi_dmax(most, radii - axis->gap)))
        return false;
    uint32_t name_a = shared.a.name, name_b = shared.b.name;
    uint32_t name = couple->turned ? trvi_feature(name_b, name_a) : trvi_feature(name_a, name_b);
    double lowest = HUGE_VAL;
    set_normal(couple, &axis->normal, out);
    for (uint32_t i = 0; i < 2; i++) {
        trvi_dvec3 point;
        double gap = gap_at_end(couple, axis->normal, &shared, i, &point);
        lowest = trvi_dmin(lowest, gap);
        if (!(gap - radii <= margin))
            continue;
        point = trvi_to_world(&couple->a, point);
        trvi_manifold_add(out, &point, gap - radii, name + i);
    }
    double share = TRVI_DEEPEST_SHARE * fabs(axis->gap - radii);
    double deep = TRVI_DEEPEST_SLACK * couple->size + share;
    return out->count > 0 && lowest <= axis->gap + deep;
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

// A vertex on a face is named like a corner of the patch.
static uint32_t name_nearest(const trvi_couple *couple, const trvi_nearest *nearest)
{
    if (couple->a.vertex_count == 1 || couple->b.vertex_count == 1)
        return TRVI_NAME_BALL;
    uint32_t a = TRVI_NO_VERTEX, b = TRVI_NO_VERTEX;
    if (!nearest->has_points) {
        a = only_vertex(&nearest->simplex, false);
        b = only_vertex(&nearest->simplex, true);
    } else if (nearest->face_a != TRVI_NO_VERTEX) {
        b = nearest->axis.vertex_b;
    } else if (nearest->face_b != TRVI_NO_VERTEX) {
        a = nearest->axis.vertex_a;
    }
    if (a != TRVI_NO_VERTEX)
        return trvi_vertex_name(a, couple->turned);
    return b != TRVI_NO_VERTEX ? trvi_vertex_name(b, !couple->turned) : TRVI_NAME_NONE;
}

// The contact between the nearest points joins the others, for the one nearest to it where there
// are four.
static void add_nearest(const trvi_couple *couple, trvi_nearest *nearest, trv_manifold *out)
{
    trvi_dvec3 on_a, on_b;
    trvi_nearest_points(couple, nearest, &on_a, &on_b);
    trvi_dvec3 point = trvi_half_way(couple, nearest->axis.normal, on_a, on_b);
    double separation = nearest->axis.gap - couple->a.radius - couple->b.radius;
    uint32_t name = name_nearest(couple, nearest), near = 0;
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < out->count; i++) {
        trvi_dvec3 d = trvi_dsub(trvi_dvec3_from(out->points[i].point), point);
        // The same one, moved, would be there twice; others may be as near as not to be told apart.
        double square = out->points[i].feature == name ? -1.0 : trvi_ddot(d, d);
        if (square < least) {
            least = square;
            near = i;
        }
    }
    bool full = out->count == TRV_MANIFOLD_POINTS;
    if (full || (out->count > 0 && out->points[near].feature == name))
        out->points[near] = out->points[--out->count];
    trvi_manifold_add(out, &point, separation, name);
}

void trvi_manifold_make(const trvi_couple *couple, trvi_nearest *nearest, double margin,
                        trv_manifold *out)
{
    const trvi_axis *axis = &nearest->axis;
    if (couple->a.vertex_count == 1 || couple->b.vertex_count == 1) {
        set_normal(couple, &axis->normal, out);
        add_nearest(couple, nearest, out);
        return;
    }
    facing a, b;
    find_facing(couple, false, nearest, &a);
    find_facing(couple, true, nearest, &b);
    bool b_leads = prefer_b(couple, &a, &b);
    facing *lead = b_leads ? &b : &a, *other = b_leads ? &a : &b;
    weigh(couple, b_leads, axis, lead);
    trvi_dvec3 n = lead->normal;
    if (lead->weight < 1.0) {
        weigh(couple, !b_leads, axis, other);
        n = lean(lean(axis->normal, other->normal, other->weight), n, lead->weight);
    }
    double flat_a = trvi_ddot(a.normal, n), flat_b = trvi_ddot(b.normal, n);
    bool both_flat = flat_a >= TRVI_PATCH_COSINE && flat_b >= TRVI_PATCH_COSINE;
    bool deepest = false;
    if (both_flat || lead->weight > 0.0 || other->weight > 0.0) {
        bool on_b = both_flat ? b_leads : flat_b > flat_a;
        set_normal(couple, &n, out);
        deepest = make_on_faces(couple, axis, &n, on_b ? &b : &a, on_b ? a.around : b.around, on_b,
                                margin, out);
    } else {
        set_normal(couple, &axis->normal, out);
    }
    if (out->count == 0)
        deepest = make_side_by_side(couple, axis, margin, out);
    if (!deepest)
        add_nearest(couple, nearest, out);
}
