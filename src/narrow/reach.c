// How far shapes reach along a direction, in float32, where that takes more than a look at a vertex
// and its neighbours.
//
// On its own so that the short way, which most questions take, stays short.
// Based on: Cameron 1997, "Enhancing GJK" (hill climbing).
#include "reach.h"

// As good as unit: rounding in a normalisation leaves a tenth of this.
static inline bool is_quick_unit(const trv_quat *q)
{
    float square = (q->x * q->x + q->y * q->y) + (q->z * q->z + q->w * q->w);
    return fabsf(square - 1.0f) <= TRVI_QUICK_TURN;
}

// Between corners that float32 cannot tell apart; what is left after these is in the doubt.
enum { FINE_STEPS = 16 };

// The highest neighbour of `from` that is higher, or `from`: by the difference of their places, in
// double. Along an edge much shorter than the hull the heights themselves are the same in float32,
// and yet at its other end long edges may lead far up. Round a vertex that is not whole the hull is
// convex within a tolerance only: over an edge as short as that the way up may lead down at first,
// and `*sure` is then false.
static uint32_t step_finely(const trv_hull *hull, const trv_vec3 *d, uint32_t from, bool whole,
                            bool *sure)
{
    trvi_dvec3 fine = trvi_dvec3_from(*d), here = trvi_dvec3_from(hull->vertices[from]);
    uint32_t best = from, last = hull->neighbor_first[from + 1];
    double rise = 0.0, brief = whole ? 0.0 : TRVI_QUICK_SHORT * hull->radius;
    *sure = true;
    for (uint32_t i = hull->neighbor_first[from]; i < last; i++) {
        trvi_dvec3 way = trvi_dsub(trvi_dvec3_from(hull->vertices[hull->neighbors[i]]), here);
        double r = trvi_ddot(fine, way);
        if (fabs(way.x) + fabs(way.y) + fabs(way.z) < brief)
            *sure = false;
        if (r > rise) {
            rise = r;
            best = hull->neighbors[i];
        }
    }
    return best;
}

// The highest corner of the united faces round `from` that is above `*height`, which is then its
// own, or `from`. Where a united face bends, a corner of it may be higher than both its neighbours
// there, and the way on to the face's highest leads down at first.
static uint32_t step_across(const trv_hull *hull, const trv_vec3 *d, uint32_t from, float *height)
{
    uint32_t best = from, last = hull->neighbor_first[from + 1];
    for (uint32_t i = hull->neighbor_first[from]; i < last; i++) {
        uint32_t face = hull->vertex_faces[i];
        uint32_t begin = hull->face_first[face], end = hull->face_first[face + 1];
        for (uint32_t e = begin; hull->face_united[face] && e < end; e++) {
            float h = trvi_float_height(d, &hull->vertices[hull->edge_origin[e]]);
            if (h > *height) {
                best = hull->edge_origin[e];
                *height = h;
            }
        }
    }
    return best;
}

// The neighbour that is so high: the first of them.
static uint32_t neighbor_at(const trv_hull *hull, const trvi_wide3 *d, float height, uint32_t from)
{
    const trvi_lanes wanted = trvi_lanes_splat(height);
    const trvi_fan *fan = &hull->fans[from];
    uint32_t at = trvi_lanes_at_least(trvi_heights_of_four(d, &fan->near[0]), wanted) |
                  trvi_lanes_at_least(trvi_heights_of_four(d, &fan->near[1]), wanted) << 4;
    if (at != 0) {
        uint32_t place = trvi_lowest_bit(at);
        return fan->near[place / 4].vertex[place % 4];
    }
    for (uint32_t i = hull->crowd_first[from]; i < hull->crowd_first[from + 1]; i++) {
        at = trvi_lanes_at_least(trvi_heights_of_four(d, &hull->crowds[i]), wanted);
        if (at != 0)
            return hull->crowds[i].vertex[trvi_lowest_bit(at)];
    }
    return from; // numbers that are none
}

// How much lower than a vertex others may be whose heights do not tell which way is up: by rounding,
// and round one that is not whole by the slab that united faces lie in, of which the tie is four.
static float bend_about(const trv_hull *hull, uint32_t vertex)
{
    bool whole = trvi_is_whole(hull->neighbor_first, hull->vertex_faces, hull->face_united, vertex);
    float rounding = TRVI_QUICK_TIE * hull->reach;
    return whole ? rounding : fmaxf(rounding, 0.25f * hull->tie);
}

bool trvi_climb_fans(const trv_hull *hull, trvi_lanes along, float second, uint32_t *vertex,
                     float *top)
{
    const trvi_wide3 wide = trvi_widened(along);
    uint32_t best = *vertex, fine = 0;
    float height = *top;
    bool sure = false;
    for (uint32_t step = 0; step < hull->vertex_count; step++) {
        uint32_t from = best;
        if (trvi_is_summit(hull, from, height, second)) {
            sure = true;
            break;
        }
        if (second > height) {
            best = neighbor_at(hull, &wide, second, from);
            height = second;
        } else {
            const trv_vec3 d = trvi_narrowed(along);
            bool whole =
                trvi_is_whole(hull->neighbor_first, hull->vertex_faces, hull->face_united, from);
            sure = false;
            if (fine < FINE_STEPS) {
                best = step_finely(hull, &d, from, whole, &sure);
                // Never back down by rounding.
                height = fmaxf(height, trvi_float_height(&d, &hull->vertices[best]));
                fine++;
            }
            if (best == from && !whole)
                best = step_across(hull, &d, from, &height);
            sure = sure && hull->fans[from].place[3] < TRVI_FAN_DENT;
        }
        if (best == from) {
            // Where faces bend, what is lower by no more than that may lead farther up.
            sure = sure && !(hull->united && second >= height - bend_about(hull, from));
            break;
        }
        (void)trvi_heights_about(hull, &wide, best, &second);
    }
    *vertex = best;
    *top = height;
    return sure;
}

// The vertex that is as high as the highest.
static uint32_t find_at(const trv_hull *hull, const trv_vec3 *d, float top)
{
    for (uint32_t v = 0; v < hull->vertex_count; v++)
        if (trvi_float_height(d, &hull->vertices[v]) == top)
            return v;
    return 0; // numbers that are none
}

// Every vertex, four at a time.
static float scan(const trv_hull *hull, trvi_lanes along, uint32_t *vertex)
{
    const trv_vec3 d = trvi_narrowed(along);
    const trvi_wide3 wide = trvi_widened(along);
    uint32_t length = trvi_column_length(hull->vertex_count);
    trvi_lanes most = trvi_heights_of(&wide, hull->columns, length); // there are four at least
    for (uint32_t i = TRVI_LANES; i < length; i += TRVI_LANES)
        most = trvi_lanes_max(trvi_heights_of(&wide, hull->columns + i, length), most);
    float top = trvi_lanes_highest(most);
    if (*vertex >= hull->vertex_count || trvi_float_height(&d, &hull->vertices[*vertex]) != top)
        *vertex = find_at(hull, &d, top);
    return top;
}

// Not below the length; NaN or infinite if any coordinate is.
static float spread_of(const trv_vec3 *v)
{
    return fabsf(v->x) + fabsf(v->y) + fabsf(v->z);
}

static bool reach_of_turned_box(const trv_obb *box, trvi_lanes d, uint32_t *vertex,
                                trvi_stretch *out)
{
    trvi_lanes in_box = trvi_lanes_rotate_inverse(trvi_lanes_load(&box->rotation.x), d);
    return trvi_reach_of_box(box, d, in_box, vertex, out) && is_quick_unit(&box->rotation);
}

static bool reach_of_round(const trv_shape *shape, trvi_lanes along, uint32_t *vertex,
                           trvi_stretch *out)
{
    const trv_vec3 place = trvi_narrowed(along), *d = &place;
    const trv_capsule *c = &shape->as.capsule;
    const trv_vec3 *a = shape->kind == TRV_SHAPE_SPHERE ? &shape->as.sphere.center : &c->a;
    const trv_vec3 *b = shape->kind == TRV_SHAPE_SPHERE ? &shape->as.sphere.center : &c->b;
    float radius = shape->kind == TRV_SHAPE_SPHERE ? shape->as.sphere.radius : c->radius;
    out->size = spread_of(a) + spread_of(b) + radius;
    if (!(radius > 0.0f) || !(out->size <= TRV_COORD_MAX))
        return false;
    float at_a = trvi_float_height(d, a), at_b = trvi_float_height(d, b);
    *vertex = at_b > at_a ? 1 : 0;
    out->along = (at_b > at_a ? at_b : at_a) + radius;
    return true;
}

bool trvi_reach_of_rare(const trv_shape *shape, trvi_lanes d, uint32_t *vertex, trvi_stretch *out)
{
    *out = (trvi_stretch){0.0f, 0.0f};
    switch (shape->kind) {
    case TRV_SHAPE_SPHERE:
    case TRV_SHAPE_CAPSULE:
        return reach_of_round(shape, d, vertex, out);
    case TRV_SHAPE_BOX:
        return reach_of_turned_box(&shape->as.box, d, vertex, out);
    case TRV_SHAPE_HULL:
        if (shape->as.hull == NULL)
            return false;
        *out = (trvi_stretch){scan(shape->as.hull, d, vertex), shape->as.hull->reach};
        return true;
    default:
        return false;
    }
}
