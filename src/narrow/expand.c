// Depth of overlapping cores: a polytope inside B - A grows towards the nearest facet.
//
// Starts from a tetrahedron that holds the origin and pushes its nearest face outward to the
// support in that direction. The nearest face's distance is a lower bound on the depth, the
// support's an upper one; only an answer where both agree is given, else the caller walks all
// facets instead.
// Invariant: faces wind outward and form one closed surface; each new point replaces the faces that
// it can see, whose outline must be a single loop, or the search gives up.
// Based on: van den Bergen 2001, "Proximity queries and penetration depth computation on 3D game
// objects" (expanding polytope).
#include "backing.h"

#include <string.h>

enum { MAX_POINTS = 72, MAX_FACES = 2 * MAX_POINTS, MAX_OUTLINE = 96 };
enum { MAX_WITNESSES = TRVI_WITNESSES + TRVI_FACET_CORNERS };

typedef struct face {
    trvi_dvec3 normal; // unit, outward
    double distance;   // of its plane from the origin
    uint8_t corner[3];
    uint8_t reserved[5];
} face;

typedef struct polytope {
    const trvi_couple *couple;
    double tiny;   // lengths below it are rounding
    double far;    // a remembered point is of use that lies so much farther out than a face
    double lowest; // no face may have the origin farther outside
    uint32_t point_count, face_count, witness_count;
    trvi_simplex_point witnesses[MAX_WITNESSES]; // remembered ones that are not points yet
    uint8_t next[MAX_POINTS];                    // along an outline
    trvi_simplex_point points[MAX_POINTS];
    face faces[MAX_FACES];
} polytope;

static bool add_face(polytope *p, uint32_t a, uint32_t b, uint32_t c)
{
    if (p->face_count == MAX_FACES)
        return false;
    trvi_dvec3 at_a = p->points[a].w, at_b = p->points[b].w, at_c = p->points[c].w;
    trvi_dvec3 ab = trvi_dsub(at_b, at_a), ac = trvi_dsub(at_c, at_a);
    trvi_dvec3 n = trvi_dcross(ab, ac), from = at_a;
    double square = trvi_ddot(n, n), of_ab = trvi_ddot(ab, ab), of_ac = trvi_ddot(ac, ac);
    if (!(square > TRVI_BLUNT * TRVI_BLUNT * of_ab * of_ac)) {
        const uint32_t corners[3] = {a, b, c};
        uint32_t corner;
        n = trvi_triangle_normal(at_a, at_b, at_c, &corner);
        from = p->points[corners[corner]].w;
        square = trvi_ddot(n, n);
    }
    // Twice the sum is at least the sum squared.
    if (!(square > 2.0 * p->tiny * p->tiny * (of_ab + of_ac)))
        return false;
    face *f = &p->faces[p->face_count++];
    f->normal = trvi_dscale(n, 1.0 / sqrt(square));
    f->distance = trvi_ddot(f->normal, from);
    f->corner[0] = (uint8_t)a;
    f->corner[1] = (uint8_t)b;
    f->corner[2] = (uint8_t)c;
    return f->distance > p->lowest;
}

// The point of B - A farthest along d, searched from the vertices of another.
static void support(const polytope *p, const trvi_dvec3 *d, const trvi_simplex_point *from,
                    trvi_simplex_point *out)
{
    const trvi_dvec3 back = {-d->x, -d->y, -d->z};
    trvi_dvec3 in_b = trvi_dmat3_mul_transposed(&p->couple->rotation, *d);
    out->a = trvi_support_at(&p->couple->a, &back, from->a);
    out->b = trvi_support_at(&p->couple->b, &in_b, from->b);
    out->w = trvi_pair_point(p->couple, out->a, out->b);
}

// Adds the support along d or -d, whichever leaves the hull of the points so far by more.
static bool add_along(polytope *p, trvi_dvec3 d)
{
    trvi_simplex_point up, down;
    trvi_dvec3 back = trvi_dnegate(d);
    support(p, &d, &p->points[0], &up);
    support(p, &back, &p->points[0], &down);
    double base = trvi_ddot(d, p->points[0].w);
    double rise = trvi_ddot(d, up.w) - base, fall = base - trvi_ddot(d, down.w);
    p->points[p->point_count++] = rise >= fall ? up : down;
    return trvi_dmax(rise, fall) > 1.0e3 * p->tiny;
}

// Completes one to three points to a tetrahedron.
static bool grow(polytope *p)
{
    static const trvi_dvec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int i = 0; i < 3 && p->point_count == 1; i++)
        if (!add_along(p, axes[i]))
            p->point_count = 1;
    if (p->point_count == 2) {
        trvi_dvec3 d = trvi_dsub(p->points[1].w, p->points[0].w);
        trvi_dvec3 side = trvi_perpendicular(d);
        trvi_dvec3 other = trvi_dnormalize_or(trvi_dcross(d, side), side);
        if (!add_along(p, side)) {
            p->point_count = 2;
            if (!add_along(p, other))
                return false;
        }
    }
    if (p->point_count == 3) {
        trvi_dvec3 a = p->points[0].w;
        trvi_dvec3 n = trvi_dcross(trvi_dsub(p->points[1].w, a), trvi_dsub(p->points[2].w, a));
        trvi_dvec3 none = {0.0, 0.0, 0.0}, d = trvi_dnormalize_or(n, none);
        if (!(trvi_ddot(d, d) > 0.0) || !add_along(p, d))
            return false;
    }
    return p->point_count == 4;
}

static bool close_tetrahedron(polytope *p)
{
    trvi_dvec3 a = p->points[0].w, ab = trvi_dsub(p->points[1].w, a);
    trvi_dvec3 ac = trvi_dsub(p->points[2].w, a), ad = trvi_dsub(p->points[3].w, a);
    if (trvi_ddot(trvi_dcross(ab, ac), ad) > 0.0) { // the fourth point must be below the first face
        trvi_simplex_point swap = p->points[1];
        p->points[1] = p->points[2];
        p->points[2] = swap;
    }
    return add_face(p, 0, 1, 2) && add_face(p, 0, 3, 1) && add_face(p, 1, 3, 2) &&
           add_face(p, 2, 3, 0);
}

// Takes one directed edge of a face that is removed: two opposite ones cancel.
static bool outline_edge(uint8_t (*edges)[2], uint32_t *count, uint8_t from, uint8_t to)
{
    for (uint32_t i = 0; i < *count; i++) {
        if (edges[i][0] == to && edges[i][1] == from) {
            edges[i][0] = edges[*count - 1][0];
            edges[i][1] = edges[*count - 1][1];
            (*count)--;
            return true;
        }
    }
    if (*count == MAX_OUTLINE)
        return false;
    edges[*count][0] = from;
    edges[*count][1] = to;
    (*count)++;
    return true;
}

// Every edge is followed by exactly one that starts where it ends, in a single turn.
static bool is_single_loop(polytope *p, uint8_t (*edges)[2], uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        p->next[edges[i][0]] = edges[i][1];
    uint32_t begin = edges[0][0], at = begin, steps = 0;
    // Of two edges that start in one point only the later one is seen: the turn comes out short.
    do {
        at = p->next[at];
        steps++;
    } while (at != begin && steps < count);
    return at == begin && steps == count;
}

// Replaces the faces that the point behind the last sees by a cone from it.
static bool add_point(polytope *p)
{
    uint8_t edges[MAX_OUTLINE][2];
    uint32_t count = 0, kept = 0, added = p->point_count++;
    trvi_dvec3 w = p->points[added].w;
    for (uint32_t i = 0; i < p->face_count; i++) {
        const face *f = &p->faces[i];
        const uint8_t *c = f->corner;
        if (!(trvi_ddot(f->normal, w) > f->distance + p->tiny)) {
            if (kept != i)
                p->faces[kept] = *f;
            kept++;
        } else if (!outline_edge(edges, &count, c[0], c[1]) ||
                   !outline_edge(edges, &count, c[1], c[2]) ||
                   !outline_edge(edges, &count, c[2], c[0])) {
            return false;
        }
    }
    p->face_count = kept;
    if (count < 3 || !is_single_loop(p, edges, count))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!add_face(p, edges[i][0], edges[i][1], added))
            return false;
    return true;
}

// The remembered point that lies farthest out over a face, which it takes from those that are left;
// false where none is beyond it.
static bool take_witness(polytope *p, const face *f, trvi_simplex_point *out)
{
    double highest = f->distance + p->far;
    uint32_t best = p->witness_count;
    for (uint32_t i = 0; i < p->witness_count; i++) {
        double height = trvi_ddot(f->normal, p->witnesses[i].w);
        best = height > highest ? i : best;
        highest = trvi_dmax(height, highest);
    }
    if (best == p->witness_count)
        return false;
    *out = p->witnesses[best];
    p->witnesses[best] = p->witnesses[--p->witness_count];
    return true;
}

// Grows the polytope until its nearest face is no nearer than the best axis found, but for `slack`.
// `axis` is the best one known so far, and then the best.
static bool grow_towards(polytope *p, double slack, trvi_axis *axis)
{
    for (;;) { // each turn adds a point, of which there may be so many
        const face *nearest = &p->faces[0];
        for (uint32_t i = 1; i < p->face_count; i++)
            if (p->faces[i].distance < nearest->distance)
                nearest = &p->faces[i];
        if (-axis->gap - nearest->distance <= slack)
            return true;
        if (p->point_count == MAX_POINTS)
            return false;
        const trvi_dvec3 *d = &nearest->normal;
        trvi_simplex_point *s = &p->points[p->point_count];
        if (p->witness_count > 0 && take_witness(p, nearest, s)) {
            if (!add_point(p))
                return false;
            continue;
        }
        support(p, d, &p->points[nearest->corner[0]], s);
        double depth = trvi_ddot(*d, s->w);
        if (-depth > axis->gap) {
            // B - A reaches `depth` along d, so moving B by -d * depth parts them: n = -d.
            axis->normal = trvi_dnegate(*d);
            axis->gap = -depth;
            axis->vertex_a = s->a;
            axis->vertex_b = s->b;
        }
        if (-axis->gap - nearest->distance <= slack)
            return true;
        if (!add_point(p))
            return false;
    }
}

// Where the origin's foot lies on a face: false unless it is over it, but for rounding.
static bool weigh_corners(const polytope *p, const face *f, trvi_simplex *simplex)
{
    double sum = 0.0, least = 0.0;
    simplex->count = 3;
    for (uint32_t i = 0; i < 3; i++) {
        simplex->points[i] = p->points[f->corner[i]];
        trvi_dvec3 to = p->points[f->corner[(i + 1) % 3]].w;
        trvi_dvec3 across = trvi_dcross(to, p->points[f->corner[(i + 2) % 3]].w);
        simplex->weights[i] = trvi_ddot(f->normal, across);
        least = trvi_dmin(least, simplex->weights[i]);
        sum += simplex->weights[i];
    }
    if (!(sum > 0.0) || !(least >= -TRVI_FOOT_SLACK * sum))
        return false;
    double kept = 0.0;
    for (uint32_t i = 0; i < 3; i++)
        kept += simplex->weights[i] = trvi_dmax(simplex->weights[i], 0.0);
    for (uint32_t i = 0; i < 3; i++)
        simplex->weights[i] /= kept;
    return true;
}

// The face of those that lie in the plane of the axis that the origin's foot is on. The facet of
// B - A there may be in several pieces.
static bool find_foot(const polytope *p, const trvi_axis *axis, double slack, trvi_simplex *simplex)
{
    for (uint32_t i = 0; i < p->face_count; i++) {
        const face *f = &p->faces[i];
        if (-axis->gap - f->distance > slack ||
            !(-trvi_ddot(f->normal, axis->normal) > 1.0 - TRVI_SAME_NORMAL))
            continue;
        if (weigh_corners(p, f, simplex))
            return true;
    }
    return false;
}

static void begin(polytope *p, const trvi_couple *couple)
{
    p->couple = couple;
    p->tiny = TRVI_TOUCH * couple->scale;
    p->point_count = p->face_count = p->witness_count = 0;
    memset(p->next, 0, sizeof p->next);
}

// From one to four points to the best axis and its foot.
static bool settle(polytope *p, trvi_axis *axis, trvi_simplex *foot)
{
    const trvi_couple *couple = p->couple;
    double settled = TRVI_DEPTH_GAP * (couple->a.extent + couple->b.extent) + p->tiny;
    foot->count = 0;
    p->far = settled;
    if ((p->point_count < 4 && !grow(p)) || !close_tetrahedron(p) ||
        !grow_towards(p, settled, axis))
        return false;
    if (!find_foot(p, axis, settled, foot))
        foot->count = 0;
    return true;
}

bool trvi_expand(const trvi_couple *couple, const trvi_simplex *start, trvi_axis *axis,
                 trvi_simplex *foot)
{
    polytope p;
    begin(&p, couple);
    axis->gap = -HUGE_VAL;
    p.lowest = -p.tiny;
    for (uint32_t i = 0; i < start->count; i++)
        p.points[p.point_count++] = start->points[i];
    return settle(&p, axis, foot);
}

// Places the pairs, up to one that does not name vertices.
static void place_witnesses(polytope *p, const trvi_witnesses *known)
{
    const trvi_couple *c = p->couple;
    for (uint32_t i = 0; i < TRVI_WITNESSES; i++) {
        uint32_t a = known->a[i], b = known->b[i];
        if (a >= c->a.vertex_count || b >= c->b.vertex_count)
            break;
        trvi_simplex_point *w = &p->witnesses[p->witness_count++];
        w->w = trvi_pair_point(c, a, b);
        w->a = a;
        w->b = b;
    }
}

// The farthest of the remembered points against the axis, or of all.
static void find_opposite(polytope *p, const trvi_axis *axis, const trvi_simplex_point *near,
                          trvi_simplex_point *out)
{
    face behind = {axis->normal, 0.0, {0, 0, 0}, {0}}; // through the origin
    if (p->witness_count == 0 || !take_witness(p, &behind, out))
        support(p, &axis->normal, near, out);
}

// Keeps the points that were added to a facet of `count` corners, which were given in order or,
// where `turned`, against it; and the triangles that are not the facet's, unless they are too many.
static void keep_backing(const polytope *p, uint32_t count, bool turned, trvi_witnesses *known)
{
    trvi_triangles triangles = {0};
    for (uint32_t i = 0; i < TRVI_WITNESSES; i++) {
        bool used = count + i < p->point_count;
        known->a[i] = used ? p->points[count + i].a : TRVI_NO_VERTEX;
        known->b[i] = used ? p->points[count + i].b : TRVI_NO_VERTEX;
    }
    memset(known->faces, 0, sizeof known->faces);
    if (p->point_count > TRVI_BACKING_POINTS || p->point_count > count + TRVI_WITNESSES)
        return;
    for (uint32_t i = 0; i < p->face_count && triangles.count < TRVI_BACKING_FACES; i++) {
        uint8_t *corner = triangles.corner[triangles.count];
        bool behind = false;
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t c = p->faces[i].corner[k];
            behind = behind || c >= count;
            corner[k] = (uint8_t)(turned && c < count ? count - 1 - c : c);
        }
        triangles.count += behind;
    }
    trvi_backing_keep(&triangles, count, turned, known);
}

bool trvi_expand_facet(const trvi_couple *couple, const trvi_simplex_point *corners, uint32_t count,
                       double slack, trvi_axis *axis, trvi_witnesses *known)
{
    polytope p;
    begin(&p, couple);
    p.far = slack;
    p.lowest = -HUGE_VAL; // the sides that lead away from the facet go out later
    p.point_count = count + 1;
    place_witnesses(&p, known);
    trvi_dvec3 ab = trvi_dsub(corners[1].w, corners[0].w),
               ac = trvi_dsub(corners[2].w, corners[0].w);
    bool turned = trvi_ddot(trvi_dcross(ab, ac), axis->normal) > 0.0; // they must face against it
    for (uint32_t i = 0; i < count; i++)
        p.points[turned ? count - 1 - i : i] = corners[i];
    find_opposite(&p, axis, &corners[0], &p.points[count]);
    for (uint32_t i = 0; i < count; i++) {
        if (i >= 2) // a piece of the facet
            p.faces[p.face_count++] = (face){
                trvi_dnegate(axis->normal), -axis->gap, {0, (uint8_t)(i - 1), (uint8_t)i}, {0}};
        if (!add_face(&p, i + 1 < count ? i + 1 : 0, i, count))
            return false;
    }
    if (!grow_towards(&p, slack, axis))
        return false;
    keep_backing(&p, count, turned, known);
    return true;
}

// Keeps all of the polytope, its first face first, unless it is too large.
static void keep_whole(const polytope *p, trvi_witnesses *known)
{
    trvi_triangles triangles = {0};
    uint8_t place[TRVI_WITNESSES];
    uint32_t placed = 3;
    trvi_end_witnesses(known, 0);
    memset(known->faces, 0, sizeof known->faces);
    if (p->point_count > TRVI_WITNESSES || p->face_count > TRVI_BACKING_FACES + 1)
        return;
    for (uint32_t i = 0; i < p->point_count; i++)
        place[i] = TRVI_WITNESSES;
    for (uint32_t k = 0; k < 3; k++)
        place[p->faces[0].corner[k]] = (uint8_t)k;
    for (uint32_t i = 0; i < p->point_count; i++) {
        if (place[i] == TRVI_WITNESSES)
            place[i] = (uint8_t)placed++;
        known->a[place[i]] = p->points[i].a;
        known->b[place[i]] = p->points[i].b;
    }
    trvi_end_witnesses(known, placed);
    for (uint32_t i = 1; i < p->face_count; i++, triangles.count++)
        for (uint32_t k = 0; k < 3; k++)
            triangles.corner[triangles.count][k] = place[p->faces[i].corner[k]];
    trvi_backing_keep(&triangles, 0, false, known);
}

bool trvi_expand_again(const trvi_couple *couple, const trvi_simplex_point *corners, uint32_t count,
                       trvi_witnesses *known, trvi_axis *axis, trvi_simplex *foot)
{
    polytope p;
    begin(&p, couple);
    axis->gap = -HUGE_VAL;
    p.lowest = -HUGE_VAL; // where it begins the origin may be outside
    place_witnesses(&p, known);
    for (uint32_t i = 0; i < count; i++) // three that are far from one another are the first
        if (i == p.point_count * count / 3)
            p.points[p.point_count++] = corners[i];
        else
            p.witnesses[p.witness_count++] = corners[i];
    if (!settle(&p, axis, foot))
        return false;
    keep_whole(&p, known);
    return true;
}
