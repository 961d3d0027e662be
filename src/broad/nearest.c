// The proxies nearest to a point, and those about a box, from it outward.
//
// Looks through a cube around the point, and while that holds too few, through one twice as wide.
// Each round takes those that are farther away than the radius of the round before and within its
// own, so that each is found once. A cube holds the ball of its radius: when there are enough, no
// other is nearer. About a box it is the same, until whoever is told has seen enough.
//
// Invariant: after a round all proxies within its radius have been offered.
#include "query.h"

#define LEAST_RADIUS 1.0e-3 // of the first cube, m; any will do

// No box that is accepted is farther from a point that is, m.
#define MOST_RADIUS 1.0e9f

enum {
    MAX_ROUNDS = 48
}; // each round's cube is twice as wide: 40 go from the least radius to the largest

typedef struct ring {
    const trv_broad *broad;
    trvi_best *best;
    trv_vec3 point;
    float inner, outer; // distances found before, and to be found now: in (inner, outer]
    trv_filter filter;
} ring;

static float distance_between(trv_aabb a, trv_aabb b)
{
    return (float)trvi_aabb_distance(a, b);
}

static bool offer(void *context, uint32_t index)
{
    ring *r = context;
    trv_aabb point = {r->point, r->point};
    float at = distance_between(point, trvi_fat_boxes(r->broad)[index]);
    if (at > r->inner && at <= r->outer)
        trvi_best_offer(r->best, index, at);
    return true;
}

// Within a thousandth, by Newton's method; volume > 0.
static double cube_root(double volume)
{
    int exponent;
    (void)frexp(volume, &exponent);
    double root = ldexp(1.0, exponent / 3);
    for (int i = 0; i < 5; i++)
        root = (2.0 * root + volume / (root * root)) / 3.0;
    return root;
}

// Half the width of a cube that would hold as many of a set's proxies as wanted if they were spread
// evenly: such as are no giants, of which there may be more.
static double guess_part(const trvi_columns *columns, uint32_t wanted)
{
    double share = trvi_least(1.0, ((double)wanted + 1.0) / ((double)columns->member_count + 1.0));
    double sides[3], size = 0.0;
    for (uint32_t k = 0; k < 3; k++) {
        sides[k] = (double)trvi_axis_of(columns->bounds.inner.upper, k) -
                   (double)trvi_axis_of(columns->bounds.inner.lower, k);
        size = trvi_most(size, sides[k]);
    }
    // Of a flat set the volume says nothing; a thousandth of its size is thin enough to count.
    double volume = share;
    for (uint32_t k = 0; k < 3; k++)
        volume *= trvi_most(sides[k], 0.001 * size);
    return volume > 0.0 ? 0.5 * cube_root(volume) : 0.0;
}

// How far from the box as many as wanted may be found; any guess will do.
static float guess_radius(const trv_broad *broad, trv_aabb box, uint32_t wanted)
{
    double radius = HUGE_VAL;
    for (uint32_t k = 0; k < TRVI_SET_COUNT; k++) {
        const trvi_columns *columns = &broad->sets[k];
        if (columns->column_count > 0 && columns->member_count > 0)
            radius = trvi_least(radius, (double)distance_between(box, columns->bounds.inner) +
                                            guess_part(columns, wanted));
    }
    return (float)trvi_most(trvi_least(radius, MOST_RADIUS), LEAST_RADIUS);
}

// Coordinates of boxes fit in float32 with room to spare; so does their distance from any point.
static trv_aabb cube_around(trv_vec3 point, float radius)
{
    float wide = radius * (1.0f + TRVI_CUBE_SLACK);
    float slack = TRVI_CUBE_SLACK * (fabsf(point.x) + fabsf(point.y) + fabsf(point.z));
    return trvi_aabb_grown((trv_aabb){point, point}, wide + slack);
}

void trvi_seek_nearest(const trv_broad *broad, trv_vec3 point, float reach, trv_filter filter,
                       trvi_best *best)
{
    if (best->capacity == 0)
        return;
    ring r = {broad, best, point, -1.0f, 0.0f, filter};
    float wanted = guess_radius(broad, (trv_aabb){point, point}, best->capacity);
    reach = reach < MOST_RADIUS ? reach : MOST_RADIUS;
    for (uint32_t round = 0; round < MAX_ROUNDS; round++) {
        bool last = wanted >= reach || round + 1 == MAX_ROUNDS;
        r.outer = last ? reach : wanted;
        trvi_query_aabb(broad, cube_around(point, r.outer), filter, offer, &r);
        if (last || best->count == best->capacity)
            break;
        r.inner = r.outer;
        wanted *= 2.0f;
    }
    trvi_best_sort(best);
}

// A search from a box outward.
typedef struct outward {
    const trv_broad *broad;
    trvi_near_visitor *visit;
    void *context;
    trv_aabb box, inner,
        near; // those that meet `inner` were told, of others those that meet `near` are
    float limit;
    bool begun;
} outward;

static bool visit_near(void *context, uint32_t index)
{
    outward *o = context;
    trv_aabb fat = trvi_fat_boxes(o->broad)[index];
    if ((o->begun && trvi_aabb_overlaps(fat, o->inner)) || !trvi_aabb_overlaps(fat, o->near))
        return true;
    float limit = o->visit(o->context, trvi_users(o->broad)[index]);
    if (limit < o->limit) {
        o->limit = limit;
        o->near = trvi_aabb_grown(o->box, trvi_larger(limit, 0.0f));
    }
    return true;
}

void trvi_broad_seek(const trv_broad *broad, trv_aabb box, trv_aabb within, trv_filter filter,
                     trvi_near_visitor *visit, void *context)
{
    outward o = {broad, visit, context, .box = box, .near = within, .limit = HUGE_VALF};
    float wanted = guess_radius(broad, box, 1);
    for (uint32_t round = 0; round < MAX_ROUNDS; round++) {
        trv_aabb about = trvi_aabb_grown(box, wanted);
        bool last = round + 1 == MAX_ROUNDS || trvi_aabb_contains(about, within);
        about = last ? within : trvi_aabb_cut(about, within);
        trvi_query_aabb(broad, about, filter, visit_near, &o);
        if (last || o.limit <= wanted)
            break;
        o.inner = about;
        o.begun = true;
        wanted = trvi_smaller(2.0f * wanted, o.limit);
    }
}
