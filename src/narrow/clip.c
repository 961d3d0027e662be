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

static void remove_corner(trvi_polygon *p, uint32_t corner)
{
    for (uint32_t i = corner + 1; i < p->count; i++)
        p->corners[i - 1] = p->corners[i];
    p->count--;
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
    remove_corner(p, least); // the edge before it now ends at the next corner; its name stays
}

void trvi_polygon_drop_nearest(trvi_polygon *p, trvi_dvec3 point)
{
    uint32_t nearest = 0;
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < p->count; i++) {
        trvi_dvec3 d = trvi_dsub(p->corners[i].point, point);
        if (trvi_ddot(d, d) < least) {
            least = trvi_ddot(d, d);
            nearest = i;
        }
    }
    if (p->count > 0)
        remove_corner(p, nearest);
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
    double heights[TRVI_POLYGON_MAX];
    for (uint32_t i = 0; i < p->count; i++) {
        heights[i] = trvi_ddot(normal, p->corners[i].point) - limit;
        highest = trvi_dmax(highest, heights[i]);
    }
    if (!(highest > allowed))
        return;
    trvi_corner whole[TRVI_POLYGON_MAX];
    uint32_t count = p->count;
    for (uint32_t i = 0; i < count; i++)
        whole[i] = p->corners[i];
    uint32_t edges = count == 2 ? 1 : count; // a segment has one edge, and no way back
    p->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t next = i + 1 < count ? i + 1 : 0;
        bool in0 = heights[i] <= allowed, in1 = heights[next] <= allowed;
        if (in0)
            trvi_polygon_push(p, whole[i]);
        if (i >= edges || in0 == in1)
            continue;
        trvi_corner c = crossing(&whole[i], &whole[next], heights[i], heights[next], side);
        if (in0 && edges > 1)
            c.edge = side; // from here the polygon runs along the side
        trvi_polygon_push(p, c);
    }
}

static void keep_low(trvi_polygon *p, double base, double top)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->count; i++)
        if (-trvi_ddot(p->down, p->corners[i].point) - base <= top)
            p->corners[kept++] = p->corners[i];
    p->count = kept;
}

double trvi_polygon_lowest(const trvi_polygon *p, double base)
{
    double lowest = HUGE_VAL;
    for (uint32_t i = 0; i < p->count; i++)
        lowest = trvi_dmin(lowest, -trvi_ddot(p->down, p->corners[i].point) - base);
    return lowest;
}

// Farthest corners along four directions at right angles, then, where some of these are the same,
// along those between. The first is turned away from the axes, along which boxes have their sides.
// A corner that is higher than `deep` counts as less far out, unless there is room for it at last.
static uint32_t span(const trvi_polygon *p, trvi_dvec3 axis, const double *depths, double deep,
                     uint32_t chosen[TRV_MANIFOLD_POINTS])
{
    static const double turns[8][2] = {{0.94, 0.34},     {-0.34, 0.94},  {-0.94, -0.34},
                                       {0.34, -0.94},    {0.424, 0.905}, {-0.905, 0.424},
                                       {-0.424, -0.905}, {0.905, -0.424}};
    trvi_dvec3 one = trvi_perpendicular(axis), two = trvi_dcross(axis, one);
    uint32_t count = 0;
    for (uint32_t k = 0; k < 16 && count < TRV_MANIFOLD_POINTS; k++) {
        const double *turn = turns[k % 8], worth = k < 8 ? TRVI_DEPTH_WORTH : 0.0;
        trvi_dvec3 direction = trvi_dmul_add(trvi_dscale(one, turn[0]), two, turn[1]);
        uint32_t best = 0, seen = 0;
        double most = -HUGE_VAL;
        for (uint32_t i = 0; i < p->count; i++) {
            double high = trvi_dmax(deep - depths[i], 0.0);
            double far = trvi_ddot(direction, p->corners[i].point) - worth * high;
            if (far > most) {
                most = far;
                best = i;
            }
        }
        while (seen < count && chosen[seen] != best)
            seen++;
        if (seen == count)
            chosen[count++] = best;
    }
    return count;
}

// Puts the deepest corner among the chosen, where these are higher by more than `even`.
static void hold_deepest(const trvi_polygon *p, const double *depths, uint32_t deepest, double even,
                         uint32_t count, uint32_t *chosen)
{
    uint32_t nearest = 0;
    trvi_dvec3 point = p->corners[deepest].point;
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < count; i++) {
        trvi_dvec3 between = trvi_dsub(p->corners[chosen[i]].point, point);
        if (depths[chosen[i]] >= depths[deepest] - even)
            return;
        if (trvi_ddot(between, between) < least) {
            least = trvi_ddot(between, between);
            nearest = i;
        }
    }
    chosen[nearest] = deepest;
}

void trvi_polygon_choose(trvi_polygon *p, trvi_dvec3 axis, double base, double top, double even)
{
    keep_low(p, base, top);
    if (p->count <= TRV_MANIFOLD_POINTS)
        return;
    double depths[TRVI_POLYGON_MAX];
    uint32_t chosen[TRV_MANIFOLD_POINTS], deepest = 0, kept = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        depths[i] = trvi_ddot(p->down, p->corners[i].point);
        if (depths[i] > depths[deepest])
            deepest = i;
    }
    uint32_t count = span(p, axis, depths, depths[deepest] - even, chosen);
    hold_deepest(p, depths, deepest, even, count, chosen);
    for (uint32_t i = 0; i < p->count; i++) {
        bool keep = false;
        for (uint32_t k = 0; k < count; k++)
            keep = keep || chosen[k] == i;
        if (keep)
            p->corners[kept++] = p->corners[i];
    }
    p->count = kept;
}
