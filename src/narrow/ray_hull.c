// Rays against hulls of any size.
//
// A hull is the common part of the half-spaces below its faces: the ray is cut by each in turn, in
// the hull's frame and in double, and enters by the last one that it enters. Plane normals are
// float32, so planes count as a sliver farther out when it is asked whether the ray meets the hull
// at all: a ray at a vertex or along an edge hits. Nor does a ray hit that misses the hull's box,
// widened by that sliver: beyond sharp tips the widened planes meet far outside.
//
// Of many faces few matter, and the tree of planes finds them. First the ray climbs from plane to
// plane: the one that it is farthest above at the point of entry so far moves that point on. Then
// the tree is walked once, and what cannot change the answer is passed over, which is every subtree
// whose planes have both the point of entry into the widened hull and that into the hull itself
// below them.
// Invariant: a face that is passed over would change nothing, in any bit, if it were cut. With h
// its height over the origin and r its rise, s the sliver, E and T the fractions at the two points:
// let h + E r < s - m and h + T r < -m, where m exceeds every rounding here. Where h > s and r < 0
// the face is entered at (h - s) / -r < E and h / -r < T; h > s and r >= 0 cannot be; and where h
// <= s and r > 0 it is left at (s - h) / r > E. T may grow later without harm. If E does, left
// faces may have been passed over too soon, and the walk begins again.
// Based on: Cyrus and Beck 1978, "Generalized two- and three-dimensional clipping"; Haines 1991,
// "Fast ray - convex polyhedron intersection"; Land and Doig 1960, "An automatic method of solving
// discrete programming problems" (branch and bound).
#include "ray_hull.h"

enum {
    MAX_CLIMBS = 12, // leaves that the ray climbs over; from then on the walk does it
    MAX_HOPS = 12,   // faces that it hops over from each
    MAX_WALKS = 6,   // of the tree; then every face is cut
    MAX_DEPTH = 34   // of the stack: the tree has at most 2^30 leaves
};

// A point of the ray.
typedef struct place {
    trvi_dvec3 at;
    double least; // planes that it is less high above do not matter
} place;

typedef struct caster {
    const trv_hull *hull;
    trvi_dvec3 origin, travel;
    double slack;
    double noise;  // exceeds the rounding of heights of the origin
    double length; // of the travel
    trvi_span span;
    uint32_t last;          // the face by which the ray enters the widened hull
    place in_wide, in_hull; // the points of entry into the widened hull and into the hull itself
} caster;

static void start(caster *c, const trv_hull *hull, trvi_dvec3 origin, trvi_dvec3 travel)
{
    double reach = trvi_dlength(trvi_dvec3_from(hull->center)) + (double)hull->radius;
    c->hull = hull;
    c->origin = origin;
    c->travel = travel;
    c->slack = TRVI_RAY_SLACK * reach;
    c->noise = TRVI_RAY_NOISE * (trvi_dlength(origin) + reach);
    c->length = trvi_dlength(travel);
    c->span = (trvi_span){0.0, 1.0, 0.0, 0, false};
    c->last = 0;
}

// True where a plane parts the ray from the hull's box, widened: the box's sides, and those along
// the ray and an axis.
static bool misses_box(const caster *c)
{
    const trv_aabb *box = &c->hull->bounds;
    double wide = c->slack + c->noise + TRVI_RAY_NOISE * c->length;
    trvi_dvec3 lower = trvi_dvec3_from(box->lower), upper = trvi_dvec3_from(box->upper);
    trvi_dvec3 h = trvi_dscale(trvi_dsub(upper, lower), 0.5);
    trvi_dvec3 m = trvi_dmul_add(trvi_dsub(c->origin, trvi_dscale(trvi_dadd(lower, upper), 0.5)),
                                 c->travel, 0.5);
    trvi_dvec3 d = trvi_dscale(c->travel, 0.5), a = {fabs(d.x), fabs(d.y), fabs(d.z)};
    h = (trvi_dvec3){h.x + wide, h.y + wide, h.z + wide};
    if (fabs(m.x) > h.x + a.x || fabs(m.y) > h.y + a.y || fabs(m.z) > h.z + a.z)
        return true;
    return fabs(m.y * d.z - m.z * d.y) > h.y * a.z + h.z * a.y ||
           fabs(m.z * d.x - m.x * d.z) > h.z * a.x + h.x * a.z ||
           fabs(m.x * d.y - m.y * d.x) > h.x * a.y + h.y * a.x;
}

// Cuts the ray by a face that the origin is `height` above; false where nothing is left.
static bool cut_at(caster *c, uint32_t face, double height, double rise)
{
    trvi_span *s = &c->span;
    if (height > c->slack) {
        if (!(rise < 0.0))
            return false;
        double fraction = height / -rise, enter = (height - c->slack) / -rise;
        if (fraction > s->fraction || (fraction == s->fraction && face < s->face)) {
            s->fraction = fraction;
            s->face = face;
        }
        if (enter > s->enter) {
            s->enter = enter;
            c->last = face;
        }
    } else if (rise > 0.0) {
        double leave = (c->slack - height) / rise;
        s->leave = leave < s->leave ? leave : s->leave;
    }
    return s->enter <= s->leave;
}

// The same. Few faces bring about any change, which products tell but for rounding: those are seen
// to without a division, and without a branch that nobody can foretell.
static bool cut(caster *c, uint32_t face)
{
    const double almost = 1.0 - 1.0e-15;
    const trvi_span *s = &c->span;
    trvi_dvec3 n = trvi_dvec3_from(c->hull->planes[face].normal);
    double height = trvi_ddot(n, c->origin) + (double)c->hull->planes[face].offset;
    double rise = trvi_ddot(n, c->travel), above = height - c->slack, fall = -almost * rise;
    int is_above = height > c->slack;
    int may_enter = is_above & ((height >= s->fraction * fall) | (above >= s->enter * fall));
    int may_leave = !is_above & (rise > 0.0) & (-above * almost <= s->leave * rise);
    c->span.outside |= is_above;
    return !(may_enter | may_leave) || cut_at(c, face, height, rise);
}

static bool cut_every(caster *c)
{
    for (uint32_t f = 0; f < c->hull->face_count; f++)
        if (!cut(c, f))
            return false;
    return true;
}

static void set_place(const caster *c, double fraction, double level, place *p)
{
    p->at = trvi_dmul_add(c->origin, c->travel, fraction);
    p->least = level - c->noise - TRVI_RAY_NOISE * fraction * c->length;
}

static void set_places(caster *c)
{
    set_place(c, c->span.enter, c->slack, &c->in_wide);
    set_place(c, c->span.fraction, 0.0, &c->in_hull);
}

// The place is no higher above any plane of the node than this.
static double highest(const trvi_plane_bounds *bounds, const place *p)
{
    trvi_dvec3 d = trvi_dsub(p->at, trvi_dvec3_from(bounds->at));
    trvi_dvec3 a = {fabs(d.x), fabs(d.y), fabs(d.z)};
    return (double)bounds->height + trvi_ddot(trvi_dvec3_from(bounds->normal), d) +
           trvi_ddot(trvi_dvec3_from(bounds->spread), a);
}

// About how high the place is above the planes of the node.
static double height_over(const trvi_plane_bounds *bounds, const place *p)
{
    trvi_dvec3 d = trvi_dsub(p->at, trvi_dvec3_from(bounds->at));
    return (double)bounds->height + trvi_ddot(trvi_dvec3_from(bounds->normal), d);
}

static bool cut_leaf(caster *c, uint32_t node)
{
    const trv_hull *hull = c->hull;
    uint32_t leaf = node - hull->plane_leaves, last = trvi_leaf_first(hull, leaf + 1);
    for (uint32_t i = trvi_leaf_first(hull, leaf); i < last; i++)
        if (!cut(c, hull->face_order[i]))
            return false;
    return true;
}

// The leaf whose planes the point of entry seems to be farthest above.
static uint32_t find_leaf(const caster *c)
{
    const trv_hull *hull = c->hull;
    uint32_t node = 1;
    while (node < hull->plane_leaves) {
        const trvi_plane_bounds *below = &hull->plane_bounds[2 * node];
        double first = height_over(&below[0], &c->in_wide);
        node = 2 * node + (height_over(&below[1], &c->in_wide) > first ? 1 : 0);
    }
    return node;
}

// From face to face over edges, while that moves the point of entry on.
static bool hop(caster *c)
{
    const trv_hull *hull = c->hull;
    for (uint32_t turn = 0; turn < MAX_HOPS; turn++) {
        double enter = c->span.enter;
        uint32_t from = c->last;
        for (uint32_t e = hull->face_first[from]; e < hull->face_first[from + 1]; e++)
            if (!cut(c, hull->edge_face[hull->edge_twin[e]]))
                return false;
        if (!(c->span.enter > enter))
            break;
    }
    return true;
}

// Moves the point of entry on, from plane to plane, until it seems to be above none.
static bool climb(caster *c)
{
    for (uint32_t turn = 0; turn < MAX_CLIMBS; turn++) {
        double enter = c->span.enter;
        if (!cut_leaf(c, find_leaf(c)))
            return false;
        if (!(c->span.enter > enter))
            break;
        if (turn > 0 && !hop(c))
            return false;
        set_places(c);
    }
    return true;
}

// Cuts the ray by every face that may matter. False where nothing is left; *settled tells whether
// what was passed over still does not matter.
static bool walk(caster *c, bool *settled)
{
    const trv_hull *hull = c->hull;
    uint32_t stack[MAX_DEPTH], count = 0;
    bool passed = false;
    *settled = true;
    stack[count++] = 1;
    while (count > 0) { // each node is pushed once at most
        uint32_t node = stack[--count];
        const trvi_plane_bounds *bounds = &hull->plane_bounds[node];
        if (highest(bounds, &c->in_wide) < c->in_wide.least &&
            highest(bounds, &c->in_hull) < c->in_hull.least) {
            passed = true;
        } else if (node < hull->plane_leaves) {
            stack[count++] = 2 * node;
            stack[count++] = 2 * node + 1;
        } else {
            double enter = c->span.enter, fraction = c->span.fraction;
            if (!cut_leaf(c, node))
                return false;
            if (c->span.enter > enter || c->span.fraction > fraction)
                set_places(c);
            if (c->span.enter > enter && passed)
                *settled = false;
        }
    }
    return true;
}

static bool cut_by_tree(caster *c)
{
    bool settled = false;
    set_places(c);
    if (!climb(c))
        return false;
    for (uint32_t turn = 0; turn < MAX_WALKS && !settled; turn++)
        if (!walk(c, &settled))
            return false;
    return settled || cut_every(c);
}

bool trvi_ray_hull(const trv_hull *hull, trvi_dvec3 origin, trvi_dvec3 travel, trvi_span *span)
{
    caster c;
    start(&c, hull, origin, travel);
    bool met = !misses_box(&c) && (hull->plane_leaves > 0 ? cut_by_tree(&c) : cut_every(&c));
    *span = c.span;
    return met;
}

bool trvi_ray_hull_every(const trv_hull *hull, trvi_dvec3 origin, trvi_dvec3 travel,
                         trvi_span *span)
{
    caster c;
    start(&c, hull, origin, travel);
    bool met = !misses_box(&c) && cut_every(&c);
    *span = c.span;
    return met;
}
