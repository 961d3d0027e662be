#include "load.h"

// By how much a body presses along the unit vector; 0 where it does not, or at a slant.
static double press_along(const trvi_load *load, trvi_dvec3 way)
{
    trvi_dvec3 pull = trvi_dvec3_from(load->pull);
    double press = trvi_ddot(pull, way);
    double least = TRVI_LOAD_COSINE * TRVI_LOAD_COSINE * trvi_ddot(pull, pull);
    return press > 0.0 && press * press >= least ? press : 0.0;
}

// Where the load meets the plane, that it presses on along the unit vector; false where it does not.
static bool place_along(const trvi_load *load, trvi_dvec3 way, const trvi_ground *ground,
                        trvi_place *spot)
{
    double press = press_along(load, way);
    if (!(press > 0.0))
        return false;
    trvi_dvec3 from = trvi_dsub(trvi_dvec3_from(load->center), ground->from);
    double share = -trvi_ddot(way, from) / press;
    trvi_dvec3 at = trvi_dmul_add(from, trvi_dvec3_from(load->pull), share);
    *spot = (trvi_place){trvi_ddot(ground->one, at), trvi_ddot(ground->two, at)};
    return true;
}

bool trvi_load_place(const trvi_held *held, bool on_b, const trvi_ground *ground, trvi_place *spot)
{
    if (held == NULL)
        return false;
    const trvi_load *above = &held->loads[on_b ? 0 : 1], *below = &held->loads[on_b ? 1 : 0];
    return place_along(above, trvi_dnegate(ground->out), ground, spot) ||
           place_along(below, ground->out, ground, spot);
}

// A way from a place among corners.
typedef struct ray {
    double u, v, along_u, along_v;
} ray;

static double beside(const ray *r, const trvi_corner *c)
{
    return r->along_u * (c->v - r->v) - r->along_v * (c->u - r->u);
}

static double ahead(const ray *r, const trvi_corner *c)
{
    return r->along_u * (c->u - r->u) + r->along_v * (c->v - r->v);
}

// In how many times its own length a ray leaves what the corners cover, 0 where it never is inside; and
// the side through which it does.
static double way_out(const trvi_corner *corners, uint64_t some, const ray *r, uint64_t *side)
{
    double farthest = 0.0, most = 0.0, square = r->along_u * r->along_u + r->along_v * r->along_v;
    *side = 0;
    for (uint64_t left = some; left != 0; left &= left - 1) {
        const uint32_t i = trvi_lowest_bit(left);
        double left_of = beside(r, &corners[i]), at_left = ahead(r, &corners[i]);
        for (uint64_t others = left_of >= 0.0 ? some : 0; others != 0; others &= others - 1) {
            const uint32_t k = trvi_lowest_bit(others);
            double right_of = beside(r, &corners[k]);
            if (!(right_of < 0.0))
                continue;
            double at_right = ahead(r, &corners[k]);
            double at = (at_right * left_of - at_left * right_of) / (left_of - right_of);
            // Where a corner is on the ray, all sides from there are as far: the foremost is the one.
            if (at < farthest || (at == farthest && !(at_left + at_right > most)))
                continue;
            farthest = at;
            most = at_left + at_right;
            *side = (uint64_t)1 << i | (uint64_t)1 << k;
        }
    }
    return farthest / square;
}

static ray ray_to(const trvi_corner *corners, uint64_t some, const trvi_place *to)
{
    ray r = {0.0, 0.0, 0.0, 0.0};
    double count = 0.0;
    for (uint64_t left = some; left != 0; left &= left - 1) {
        const trvi_corner *c = &corners[trvi_lowest_bit(left)];
        r.u += c->u;
        r.v += c->v;
        count += 1.0;
    }
    r.u /= count;
    r.v /= count;
    r.along_u = to->u - r.u;
    r.along_v = to->v - r.v;
    return r;
}

// The corner farthest from the line through two others, on that side of it where `way` is 1 or -1, on
// either where it is 0; 0 where there is none.
static uint64_t farthest_beside(const trvi_corner *corners, uint64_t some, uint32_t from,
                                uint32_t to, double way, double *most)
{
    const trvi_corner *a = &corners[from], *b = &corners[to];
    const ray line = {a->u, a->v, b->u - a->u, b->v - a->v};
    uint64_t farthest = 0;
    *most = 0.0;
    for (uint64_t left = some; left != 0; left &= left - 1) {
        const uint32_t i = trvi_lowest_bit(left);
        double far = beside(&line, &corners[i]);
        far = way == 0.0 ? fabs(far) : way * far;
        if (far > *most) {
            *most = far;
            farthest = (uint64_t)1 << i;
        }
    }
    return farthest;
}

// The two of a side, and of the others those that cover most with it.
static uint64_t widen_side(const trvi_corner *corners, uint64_t some, uint64_t side)
{
    uint32_t first = trvi_lowest_bit(side), second = trvi_lowest_bit(side & (side - 1));
    double height, most = 0.0;
    uint64_t rest = some & ~side, top = farthest_beside(corners, rest, first, second, 0.0, &height);
    if (top == 0)
        return side;
    uint64_t widest = side | top, last = 0;
    // What is beyond either side of the triangle that leads to its top.
    for (int i = 0; i < 2; i++) {
        const uint32_t from = i == 0 ? first : second, apex = trvi_lowest_bit(top);
        const trvi_corner *a = &corners[from], *b = &corners[apex];
        const ray line = {a->u, a->v, b->u - a->u, b->v - a->v};
        double way = beside(&line, &corners[i == 0 ? second : first]) > 0.0 ? -1.0 : 1.0, far;
        uint64_t beyond = farthest_beside(corners, rest & ~top, from, apex, way, &far);
        if (far > most) {
            most = far;
            last = beyond;
        }
    }
    return widest | last;
}

static bool is_well_within(const trvi_corner *corners, uint64_t chosen, const ray *r)
{
    uint64_t edge;
    return !(r->along_u * r->along_u + r->along_v * r->along_v > 0.0) ||
           way_out(corners, chosen, r, &edge) >= TRVI_LOAD_ROOM;
}

uint64_t trvi_bear_load(const trvi_corner *corners, uint64_t some, uint64_t chosen,
                        const trvi_place *load, uint64_t *side)
{
    const ray r = ray_to(corners, chosen, load);
    uint64_t edge;
    *side = 0;
    if (is_well_within(corners, chosen, &r) ||
        way_out(corners, some | chosen, &r, &edge) < TRVI_LOAD_BEYOND || (edge & ~chosen) == 0)
        return chosen;
    *side = edge;
    return widen_side(corners, chosen, edge);
}

bool trvi_is_well_borne(const trv_vec3 points[TRV_MANIFOLD_POINTS], trv_vec3 out,
                        const trvi_load *load)
{
    const uint64_t all = ((uint64_t)1 << TRV_MANIFOLD_POINTS) - 1;
    trvi_dvec3 up = trvi_dvec3_from(out), one = trvi_perpendicular(up);
    const trvi_ground ground = {one, trvi_dcross(up, one), up, trvi_dvec3_from(points[0])};
    trvi_corner corners[TRV_MANIFOLD_POINTS];
    trvi_place spot;
    if (!place_along(load, trvi_dnegate(up), &ground, &spot))
        return true;
    for (uint32_t i = 0; i < TRV_MANIFOLD_POINTS; i++) {
        trvi_dvec3 at = trvi_dsub(trvi_dvec3_from(points[i]), ground.from);
        corners[i].u = trvi_ddot(ground.one, at);
        corners[i].v = trvi_ddot(ground.two, at);
    }
    const ray r = ray_to(corners, all, &spot);
    return is_well_within(corners, all, &r);
}
