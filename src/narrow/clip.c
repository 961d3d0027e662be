// Cuts the polygon of one face by the sides of another, and chooses four contact points from it.
//
// Invariant: the corners stand in order round a convex polygon, at most TRVI_POLYGON_MAX of them. A
// cut adds at most one corner to a convex polygon. Where one is too many, the corner that spans the
// least area with its neighbours goes, unless it is the deepest: the polygon shrinks by a sliver,
// and never loses what the choice of four looks for.
// Based on: Sutherland and Hodgman 1974, "Reentrant polygon clipping".
#include "clip.h"

// The square of twice the triangle's area: it is only compared.
static double area_square(const trvi_corner *a, const trvi_corner *b, const trvi_corner *c)
{
    trvi_dvec3 n = trvi_dcross(trvi_dsub(b->point, a->point), trvi_dsub(c->point, a->point));
    return trvi_ddot(n, n);
}

static void drop_least(trvi_polygon *p)
{
    uint32_t deepest = 0, least = 0;
    double depth = -HUGE_VAL, least_area = HUGE_VAL;
    for (uint32_t i = 0; i < p->count; i++) {
        double d = trvi_ddot(p->down, p->corners[i].point);
        if (d > depth) {
            depth = d;
            deepest = i;
        }
    }
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t before = i > 0 ? i - 1 : p->count - 1, after = i + 1 < p->count ? i + 1 : 0;
        double area = area_square(&p->corners[before], &p->corners[i], &p->corners[after]);
        if (i != deepest && area < least_area) {
            least_area = area;
            least = i;
        }
    }
    // The edge before it now ends at the next corner; its name stays.
    for (uint32_t i = least + 1; i < p->count; i++)
        p->corners[i - 1] = p->corners[i];
    p->count--;
}

void trvi_polygon_push(trvi_polygon *polygon, trvi_corner corner)
{
    polygon->corners[polygon->count++] = corner;
    if (polygon->count > TRVI_POLYGON_MAX)
        drop_least(polygon);
}

static trvi_corner crossing(const trvi_corner *from, const trvi_corner *to, double height_from,
                            double height_to, uint32_t side)
{
    // A corner within the slack may be on the far side of the plane itself: it is the crossing
    // then.
    double t = height_from / (height_from - height_to);
    t = trvi_dmin(trvi_dmax(t, 0.0), 1.0);
    trvi_corner c;
    c.point = trvi_dmul_add(from->point, trvi_dsub(to->point, from->point), t);
    c.feature = trvi_feature(side, from->edge);
    c.edge = from->edge;
    return c;
}

void trvi_polygon_cut(trvi_polygon *p, trvi_dvec3 normal, double limit, double slack, uint32_t side)
{
    double highest = -HUGE_VAL, allowed = slack * trvi_dlength(normal);
    for (uint32_t i = 0; i < p->count; i++)
        highest = trvi_dmax(highest, trvi_ddot(normal, p->corners[i].point));
    if (!(highest - limit > allowed))
        return;
    trvi_polygon whole;
    whole.count = p->count;
    for (uint32_t i = 0; i < p->count; i++)
        whole.corners[i] = p->corners[i];
    uint32_t edges = whole.count == 2 ? 1 : whole.count; // a segment has one edge, and no way back
    p->count = 0;
    for (uint32_t i = 0; i < whole.count; i++) {
        const trvi_corner *from = &whole.corners[i];
        const trvi_corner *to = &whole.corners[i + 1 < whole.count ? i + 1 : 0];
        double h0 = trvi_ddot(normal, from->point) - limit;
        double h1 = trvi_ddot(normal, to->point) - limit;
        bool in0 = h0 <= allowed, in1 = h1 <= allowed;
        if (in0)
            trvi_polygon_push(p, *from);
        if (i >= edges || in0 == in1)
            continue;
        trvi_corner c = crossing(from, to, h0, h1, side);
        if (in0 && edges > 1)
            c.edge = side; // from here the polygon runs along the side
        trvi_polygon_push(p, c);
    }
}

// The corner farthest from `from`, square of the distance.
static uint32_t farthest(const trvi_polygon *p, trvi_dvec3 from)
{
    uint32_t best = 0;
    double best_square = -1.0;
    for (uint32_t i = 0; i < p->count; i++) {
        trvi_dvec3 d = trvi_dsub(p->corners[i].point, from);
        double square = trvi_ddot(d, d);
        if (square > best_square) {
            best_square = square;
            best = i;
        }
    }
    return best;
}

// The corner that lies farthest to the side `across` of a line through `from`.
static uint32_t farthest_aside(const trvi_polygon *p, trvi_dvec3 from, trvi_dvec3 across)
{
    uint32_t best = 0;
    double most = -HUGE_VAL;
    for (uint32_t i = 0; i < p->count; i++) {
        double aside = trvi_ddot(across, trvi_dsub(p->corners[i].point, from));
        if (aside > most) {
            most = aside;
            best = i;
        }
    }
    return best;
}

static void keep_low(trvi_polygon *p, double base, double top)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->count; i++)
        if (-trvi_ddot(p->down, p->corners[i].point) - base <= top)
            p->corners[kept++] = p->corners[i];
    p->count = kept;
}

void trvi_polygon_choose(trvi_polygon *p, double base, double top, double even)
{
    keep_low(p, base, top);
    if (p->count <= TRV_MANIFOLD_POINTS)
        return;
    double deepest = -HUGE_VAL;
    for (uint32_t i = 0; i < p->count; i++)
        deepest = trvi_dmax(deepest, trvi_ddot(p->down, p->corners[i].point));
    // Along a direction that is square to nothing in particular, so that rounding decides nothing.
    trvi_dvec3 one = trvi_perpendicular(p->down), two = trvi_dcross(p->down, one);
    trvi_dvec3 aside = trvi_dmul_add(one, two, 0.37);
    uint32_t chosen[4] = {0, 0, 0, 0};
    double most = -HUGE_VAL;
    for (uint32_t i = 0; i < p->count; i++) {
        trvi_dvec3 point = p->corners[i].point;
        if (trvi_ddot(p->down, point) >= deepest - even && trvi_ddot(aside, point) > most) {
            most = trvi_ddot(aside, point);
            chosen[0] = i;
        }
    }
    trvi_dvec3 first = p->corners[chosen[0]].point;
    chosen[1] = farthest(p, first);
    trvi_dvec3 across = trvi_dcross(p->down, trvi_dsub(p->corners[chosen[1]].point, first));
    chosen[2] = farthest_aside(p, first, across);
    chosen[3] = farthest_aside(p, first, trvi_dnegate(across));
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->count; i++)
        if (i == chosen[0] || i == chosen[1] || i == chosen[2] || i == chosen[3])
            p->corners[kept++] = p->corners[i];
    p->count = kept;
}
