// Cuts the polygon of one face by the sides of another, and chooses four contact points from it.
//
// Invariant: the corners stand in order round a convex polygon, at most TRVI_POLYGON_MAX of them. A
// cut adds at most one corner to a convex polygon. Where one is too many, the corner that spans the
// least area with its neighbours goes, unless it is the deepest: the polygon shrinks by a sliver,
// and never loses what the choice of four looks for.
// Based on: Sutherland and Hodgman 1974, "Reentrant polygon clipping".
#include "clip.h"

#include "load.h"

// Twice the triangle's area.
static double area_between(const trvi_corner *a, const trvi_corner *b, const trvi_corner *c)
{
    return fabs((b->u - a->u) * (c->v - a->v) - (b->v - a->v) * (c->u - a->u));
}

static void remove_corner(trvi_polygon *p, uint32_t corner)
{
    for (uint32_t i = corner + 1; i < p->count; i++)
        p->corners[i - 1] = p->corners[i];
    p->count--;
}

uint32_t trvi_polygon_deepest(const trvi_polygon *p)
{
    uint32_t deepest = 0;
    for (uint32_t i = 1; i < p->count; i++)
        if (p->corners[i].height < p->corners[deepest].height)
            deepest = i;
    return deepest;
}

void trvi_polygon_shrink(trvi_polygon *p)
{
    uint32_t deepest = trvi_polygon_deepest(p), least = 0;
    double least_area = HUGE_VAL;
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t before = i > 0 ? i - 1 : p->count - 1, after = i + 1 < p->count ? i + 1 : 0;
        double area = area_between(&p->corners[before], &p->corners[i], &p->corners[after]);
        if (i != deepest && area < least_area) {
            least_area = area;
            least = i;
        }
    }
    remove_corner(p, least); // the edge before it now ends at the next corner; its name stays
}

static double distance_square(const trvi_corner *corner, double u, double v)
{
    double du = corner->u - u, dv = corner->v - v;
    return du * du + dv * dv;
}

uint32_t trvi_polygon_nearest(const trvi_polygon *p, double u, double v, uint64_t some)
{
    uint32_t nearest = 0;
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < p->count; i++) {
        double square = distance_square(&p->corners[i], u, v);
        if ((some >> i & 1u) != 0 && square < least) {
            least = square;
            nearest = i;
        }
    }
    return nearest;
}

void trvi_polygon_drop_nearest(trvi_polygon *p, double u, double v)
{
    if (p->count > 0)
        remove_corner(p, trvi_polygon_nearest(p, u, v, UINT64_MAX));
}

// Where the edge between two corners crosses the line, of which they are `from_out` and `to_out`
// outside; what lies behind it on the way, is cut away where `leaving`.
static inline void cross(trvi_corner *c, const trvi_corner *from, const trvi_corner *to,
                         double from_out, double to_out, bool leaving, uint32_t side)
{
    // A corner within the slack may be on the far side of the line itself: it is the crossing then.
    double t = from_out / (from_out - to_out);
    t = trvi_dmin(trvi_dmax(t, 0.0), 1.0);
    c->u = from->u + (to->u - from->u) * t;
    c->v = from->v + (to->v - from->v) * t;
    c->height = from->height + (to->height - from->height) * t;
    c->before = leaving ? from->after : side; // the polygon runs along the side in between
    c->after = leaving ? side : from->after;
}

// Where rounding has bent a polygon that is hardly wider than nothing, a line may cut it into pieces,
// and would bound each of them: points of one name. The piece of most corners stays.
static TRVI_RARE void keep_one_piece(const trvi_polygon *p, const double *outside, double allowed,
                                     uint32_t side, trvi_polygon *cut)
{
    uint32_t count = p->count, begin = 0, most = 0, before = count - 1;
    for (uint32_t i = 0; i < count; before = i++) {
        uint32_t run = 0;
        while (run < count && outside[before] > allowed && outside[(i + run) % count] <= allowed)
            run++;
        if (run > most) {
            most = run;
            begin = i;
        }
    }
    uint32_t from = (begin + count - 1) % count, last = (begin + most - 1) % count;
    uint32_t to = (last + 1) % count;
    cross(&cut->corners[0], &p->corners[from], &p->corners[begin], outside[from], outside[begin],
          false, side);
    for (uint32_t k = 0; k < most; k++)
        cut->corners[1 + k] = p->corners[(begin + k) % count];
    cross(&cut->corners[1 + most], &p->corners[last], &p->corners[to], outside[last], outside[to],
          true, side);
    cut->count = most + 2; // no more than it was: a line that cuts off two pieces takes two corners
}

void trvi_polygon_split(const trvi_polygon *p, const double *outside, double allowed, uint32_t side,
                        trvi_polygon *cut)
{
    const trvi_corner *from = p->corners;
    double from_out = outside[0];
    uint32_t count = p->count, kept = 0, crossings = 0;
    if (from_out <= allowed)
        cut->corners[kept++] = *from;
    for (uint32_t i = 1; i < count; i++) {
        const trvi_corner *to = &p->corners[i];
        double to_out = outside[i];
        bool leaving = from_out <= allowed;
        if (leaving != (to_out <= allowed)) {
            cross(&cut->corners[kept], from, to, from_out, to_out, leaving, side);
            kept = trvi_polygon_bounded(cut, kept + 1);
            crossings++;
        }
        if (to_out <= allowed) {
            cut->corners[kept] = *to;
            kept = trvi_polygon_bounded(cut, kept + 1);
        }
        from = to;
        from_out = to_out;
    }
    bool leaving = from_out <= allowed;
    if (count != 2 && leaving != (outside[0] <= allowed)) { // a segment has no way back
        cross(&cut->corners[kept], from, p->corners, from_out, outside[0], leaving, side);
        kept = trvi_polygon_bounded(cut, kept + 1);
    }
    cut->count = kept;
    if (crossings > 2)
        keep_one_piece(p, outside, allowed, side, cut);
}

// Four directions, each a lane: their parts along u, then along v; and how long they are.
typedef struct compass {
    float u[TRVI_LANES], v[TRVI_LANES], length[TRVI_LANES];
} compass;

// At right angles. The first is turned away from the axes, along which boxes have their sides.
static const compass compass_points[2] = {
    {{0.94f, -0.34f, -0.94f, 0.34f}, {0.34f, 0.94f, -0.34f, -0.94f}, {1, 1, 1, 1}},
    {{0.424f, -0.905f, -0.424f, 0.905f}, {0.905f, 0.424f, -0.905f, -0.424f}, {1, 1, 1, 1}}};

// The farthest corners along each. Places count from the first corner, and what is higher than
// `deep` as less far out, by `worth`.
static void look_farthest(const trvi_polygon *p, const compass *to, double deep, double worth,
                          uint32_t best[4])
{
    const trvi_lanes du = trvi_lanes_load(to->u), dv = trvi_lanes_load(to->v);
    const trvi_lanes length = trvi_lanes_load(to->length);
    const trvi_lanes one = trvi_lanes_splat(1.0f);
    trvi_lanes most = trvi_lanes_splat(-HUGE_VALF), at = trvi_lanes_splat(0.0f), index = at;
    const trvi_corner *first = p->corners;
    for (uint32_t i = 0; i < p->count; i++) {
        const trvi_corner *c = &p->corners[i];
        trvi_lanes u = trvi_lanes_splat((float)(c->u - first->u));
        trvi_lanes v = trvi_lanes_splat((float)(c->v - first->v));
        trvi_lanes loss = trvi_lanes_splat((float)(worth * trvi_dmax(c->height - deep, 0.0)));
        trvi_lanes far = trvi_lanes_add(trvi_lanes_mul(du, u), trvi_lanes_mul(dv, v));
        far = trvi_lanes_sub(far, trvi_lanes_mul(length, loss));
        at = trvi_lanes_if_greater(far, most, index, at);
        most = trvi_lanes_max(far, most);
        index = trvi_lanes_add(index, one);
    }
    float last[TRVI_LANES];
    trvi_lanes_store(last, at);
    for (int k = 0; k < TRVI_LANES; k++)
        best[k] = (uint32_t)last[k];
}

// From one of the corners to the one that is farthest from it, of which `some` names a few.
static trvi_corner longest_of(const trvi_polygon *p, const uint32_t some[4])
{
    trvi_corner along = {0};
    double most = -1.0;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < i; k++) {
            const trvi_corner *from = &p->corners[some[k]], *to = &p->corners[some[i]];
            double square = distance_square(to, from->u, from->v);
            if (square <= most)
                continue;
            most = square;
            along.u = to->u - from->u;
            along.v = to->v - from->v;
        }
    return along;
}

// Of a polygon that is far longer than wide the tips are the farthest corners along nearly all
// directions. Then `points` become directions that see it as being as wide as long, shorter ones along it, so that
// what is higher loses as much of the way as before; else false.
static bool widen(const trvi_polygon *p, const uint32_t farthest[4], compass points[2])
{
    trvi_corner along = longest_of(p, farthest);
    double square = along.u * along.u + along.v * along.v, low = HUGE_VAL, high = -HUGE_VAL;
    for (uint32_t i = 0; i < p->count; i++) {
        double side = along.u * p->corners[i].v - along.v * p->corners[i].u;
        low = trvi_dmin(low, side);
        high = trvi_dmax(high, side);
    }
    double width = (high - low) / square; // of its length
    if (!(width > 0.0 && width < TRVI_NARROW_PATCH))
        return false;
    double length = sqrt(square), u = along.u / length, v = along.v / length;
    for (int i = 0; i < 2 * TRVI_LANES; i++) {
        float *to_u = &points[i / TRVI_LANES].u[i % TRVI_LANES];
        float *to_v = &points[i / TRVI_LANES].v[i % TRVI_LANES];
        double on = width * (double)*to_u, beside = (double)*to_v;
        *to_u = (float)(on * u - beside * v);
        *to_v = (float)(on * v + beside * u);
        points[i / TRVI_LANES].length[i % TRVI_LANES] = (float)sqrt(on * on + beside * beside);
    }
    return true;
}

// To what is held, the farthest corners along four directions, then, where some of these are the same,
// along those between. A corner that is higher than `deep` counts as less far out, unless there is room
// for it at last.
// Bit i of the answer is corner i.
static uint64_t span(const trvi_polygon *p, const trvi_depths *depths, uint64_t held)
{
    const double deep = trvi_dmax(depths->deep, depths->level), worth = depths->worth;
    uint64_t chosen = held;
    uint32_t count = 0, best[4];
    for (uint64_t left = held; left != 0; left &= left - 1)
        count++;
    if (count >= TRV_MANIFOLD_POINTS)
        return chosen;
    compass points[2] = {compass_points[0], compass_points[1]};
    look_farthest(p, &points[0], deep, worth, best);
    bool narrow = widen(p, best, points);
    for (uint32_t turn = 0; turn < 4 && count < TRV_MANIFOLD_POINTS; turn++) {
        if (turn > 0 || narrow)
            look_farthest(p, &points[turn % 2], deep, turn < 2 ? worth : 0.0, best);
        for (uint32_t k = 0; k < 4 && count < TRV_MANIFOLD_POINTS; k++) {
            count += (chosen >> best[k] & 1u) == 0 ? 1u : 0u;
            chosen |= (uint64_t)1 << best[k];
        }
    }
    return chosen;
}

// The chosen with the deepest corner among them, where all of these are higher than `deep`: in place of
// the nearest one that is not held, if there is any.
static uint64_t keep_deepest(const trvi_polygon *p, double deep, uint64_t chosen, uint64_t held)
{
    for (uint32_t i = 0; i < p->count; i++)
        if ((chosen >> i & 1u) != 0 && p->corners[i].height <= deep)
            return chosen;
    uint32_t deepest = trvi_polygon_deepest(p);
    const trvi_corner *low = &p->corners[deepest];
    uint64_t some = (chosen & ~held) != 0 ? chosen & ~held : chosen;
    uint32_t nearest = trvi_polygon_nearest(p, low->u, low->v, some);
    return (chosen & ~((uint64_t)1 << nearest)) | (uint64_t)1 << deepest;
}

// How far any corner is from the first one.
static double reach_of(const trvi_polygon *p)
{
    double most = 0.0;
    for (uint32_t i = 1; i < p->count; i++)
        most = trvi_dmax(most, distance_square(&p->corners[i], p->corners[0].u, p->corners[0].v));
    return sqrt(most);
}

// Twice the area within the corners of which bit i tells, or that are no higher than `low`, in their order.
static double area_within(const trvi_polygon *p, double low, uint64_t some)
{
    const trvi_corner *first = NULL, *from = NULL;
    double area = 0.0;
    for (uint32_t i = 0; i < p->count; i++) {
        const trvi_corner *to = &p->corners[i];
        if ((some >> i & 1u) == 0 && !(to->height <= low))
            continue;
        if (first == NULL)
            first = to;
        else
            area += (from->u - first->u) * (to->v - first->v) -
                    (from->v - first->v) * (to->u - first->u);
        from = to;
    }
    return fabs(area);
}

// What was held while a face touched with one end alone bears nothing when all of it does; and corners side
// by side may be the farthest along several directions.
static bool is_outgrown(const trvi_polygon *p, double deep, uint64_t chosen)
{
    double low = deep + TRVI_OUTGROWN_TILT * reach_of(p);
    return area_within(p, -HUGE_VAL, chosen) < TRVI_OUTGROWN_PATCH * area_within(p, low, 0);
}

uint64_t trvi_widest_four(const trvi_corner *corners, uint64_t some, double *area)
{
    uint64_t widest = 0;
    *area = 0.0;
    for (uint64_t left = some; left != 0; left &= left - 1) {
        const uint32_t i = trvi_lowest_bit(left);
        for (uint64_t behind = left & (left - 1); behind != 0; behind &= behind - 1) {
            const uint32_t k = trvi_lowest_bit(behind);
            double along_u = corners[k].u - corners[i].u, along_v = corners[k].v - corners[i].v;
            double low = 0.0, high = 0.0;
            uint32_t lowest = i, highest = i;
            for (uint64_t others = some; others != 0; others &= others - 1) {
                const uint32_t c = trvi_lowest_bit(others);
                double side = along_u * (corners[c].v - corners[i].v) -
                              along_v * (corners[c].u - corners[i].u);
                lowest = side < low ? c : lowest;
                low = trvi_dmin(low, side);
                highest = side > high ? c : highest;
                high = trvi_dmax(high, side);
            }
            if (high - low <= *area)
                continue;
            *area = high - low;
            widest = (uint64_t)1 << i | (uint64_t)1 << k | (uint64_t)1 << lowest |
                     (uint64_t)1 << highest;
        }
    }
    return widest;
}

// Those that touch when it bears with all of its face.
static uint64_t touching(const trvi_polygon *p, double deep)
{
    double low = deep + TRVI_OUTGROWN_TILT * reach_of(p);
    uint64_t some = 0;
    for (uint32_t i = 0; i < p->count; i++)
        some |= (uint64_t)(p->corners[i].height <= low) << i;
    return some;
}

void trvi_polygon_choose_four(trvi_polygon *p, const trvi_depths *depths, uint64_t held,
                              const trvi_place *load)
{
    const double deep = depths->deep;
    double area;
    uint64_t all = span(p, depths, held);
    if (held != 0 && is_outgrown(p, deep, all)) {
        held = 0;
        all = span(p, depths, held);
    }
    if (held == 0 && is_outgrown(p, deep, all))
        all = trvi_widest_four(p->corners, touching(p, deep), &area);
    if (load != NULL) {
        uint64_t side;
        all = trvi_bear_load(p->corners, touching(p, deep), all, load, &side);
        held = side != 0 ? side : held;
    }
    uint64_t chosen = keep_deepest(p, deep, all, held);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->count; i++)
        if (chosen >> i & 1u)
            p->corners[kept++] = p->corners[i];
    p->count = kept;
}
