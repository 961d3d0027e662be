// The proxies nearest to a point.
//
// Looks through a cube around the point, and while that holds too few, through one twice as wide.
// Each round takes those that are farther away than the radius of the round before and within its
// own, so that each is found once. A cube holds the ball of its radius: when there are enough, no
// other is nearer.
//
// Invariant: after a round all proxies within its radius have been offered.
#include "query.h"

#define LEAST_RADIUS 1.0e-3 // of the first cube, m; any will do

// No box that is accepted is farther from a point that is, m.
#define MOST_RADIUS 1.0e9f

// Each round's cube is twice as wide: 40 rounds go from the least radius to the largest.
enum { MAX_ROUNDS = 48 };

typedef struct ring {
    const trv_broad *broad;
    trvi_best *best;
    trv_vec3 point;
    float inner, outer; // distances found before, and to be found now: in (inner, outer]
    trv_filter filter;
} ring;

static double gap(float point, float lower, float upper)
{
    if (point < lower)
        return (double)lower - (double)point;
    return point > upper ? (double)point - (double)upper : 0.0;
}

static float distance_to(trv_vec3 point, trv_aabb box)
{
    double x = gap(point.x, box.lower.x, box.upper.x);
    double y = gap(point.y, box.lower.y, box.upper.y);
    double z = gap(point.z, box.lower.z, box.upper.z);
    return (float)sqrt(x * x + y * y + z * z);
}

static bool offer(void *context, uint32_t index)
{
    ring *r = context;
    float at = distance_to(r->point, trvi_fat_boxes(r->broad)[index]);
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

// Half the width of a cube that would hold as many proxies as wanted if they were spread evenly,
// and the distance to them; any guess will do.
static float guess_radius(const trv_broad *broad, trv_vec3 point, uint32_t wanted)
{
    trv_aabb all = {{0, 0, 0}, {0, 0, 0}};
    uint32_t count = 0;
    for (uint32_t k = 0; k < TRVI_SET_COUNT; k++) {
        const trvi_columns *columns = &broad->sets[k];
        if (columns->column_count == 0)
            continue;
        all = count > 0 ? trvi_aabb_union(all, columns->bounds) : columns->bounds;
        count += columns->member_count;
    }
    double share = trvi_least(1.0, ((double)wanted + 1.0) / ((double)count + 1.0)), size = 0.0;
    double sides[3] = {(double)all.upper.x - (double)all.lower.x,
                       (double)all.upper.y - (double)all.lower.y,
                       (double)all.upper.z - (double)all.lower.z};
    for (uint32_t k = 0; k < 3; k++)
        size = trvi_most(size, sides[k]);
    // Of a flat set the volume says nothing; a thousandth of its size is thin enough to count.
    double volume = share;
    for (uint32_t k = 0; k < 3; k++)
        volume *= trvi_most(sides[k], 0.001 * size);
    double part = volume > 0.0 ? 0.5 * cube_root(volume) : 0.0;
    return (float)trvi_most((double)distance_to(point, all) + part, LEAST_RADIUS);
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
    float wanted = guess_radius(broad, point, best->capacity);
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
