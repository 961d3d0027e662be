// The remembered plane between two hulls or two boxes, which is what large scenes ask most: both are
// looked at side by side.
//
// What along.h does for any two shapes, with the same doubts. Of few vertices all are looked at. Of
// many, those round the vertices of the last time: mostly these are still the farthest, or a neighbour
// is. What is left over goes the general way: vertices that float32 cannot tell apart or that have too
// many neighbours, few beside many, and whatever is not good.
// Invariant: true is a proof.
// Based on: Lander 1999, "Crashing into the New Year" (the plane remembered per pair); Cameron 1997,
// "Enhancing GJK" (hill climbing).
//
// Compiled twice: for all processors, and by quick_eight.c for those that have AVX.
#include "carry.h"
#include "quick.h"
#include "twin.h"

#include <float.h>

#if defined(TRVI_TWIN_EIGHT)
#define SEPARATE trvi_separate_eight
#else
#define SEPARATE trvi_separate_four
#endif

enum {
    CLIMB_STEPS = 8, // a longer way is as well gone from the start
    A_IS = 0x0f,     // all lanes of the first of twins, and of the second
    B_IS = 0xf0
};

// Two hulls or boxes seen along a plane.
typedef struct sight {
    const trv_hull *a, *b; // of hulls
    trvi_twin along;       // from A to B in A's frame, and from B to A in B's
    uint32_t vertex_a, vertex_b;
    float height_a, height_b;
    float size; // of both, about their origins
} sight;

static inline void set_directions(const sight *s, trvi_twin d[3])
{
    d[0] = trvi_twin_splat_0(s->along);
    d[1] = trvi_twin_splat_1(s->along);
    d[2] = trvi_twin_splat_2(s->along);
}

// Of four vertices each, whose numbers are so far apart.
static inline trvi_twin heights_of(const trvi_twin d[3], const float *a, size_t apart_a,
                                   const float *b, size_t apart_b)
{
    trvi_twin x = trvi_twin_mul(d[0], trvi_twin_load(a, b));
    trvi_twin y = trvi_twin_mul(d[1], trvi_twin_load(a + apart_a, b + apart_b));
    trvi_twin z = trvi_twin_mul(d[2], trvi_twin_load(a + 2 * apart_a, b + 2 * apart_b));
    return trvi_twin_add(trvi_twin_add(x, y), z);
}

static inline trvi_twin heights_of_fours(const trvi_twin d[3], const trvi_four *a,
                                         const trvi_four *b)
{
    return heights_of(d, a->x, TRVI_LANES, b->x, TRVI_LANES);
}

// The first neighbour whose bit is set.
static inline uint32_t neighbor_at(const trvi_fan *fan, uint32_t bits)
{
    uint32_t place = trvi_lowest_bit(bits);
    return fan->near[place / 4].vertex[place % 4];
}

// The heights of both vertices, in all lanes, and of their neighbours.
typedef struct around {
    trvi_twin own, low, high;
} around;

// The heights of both vertices. The bits of A_IS and B_IS are set where they are the farthest for
// certain.
static inline uint32_t look(sight *s, const trvi_twin d[3], const trvi_fan *a, const trvi_fan *b,
                            around *found)
{
    found->low = heights_of_fours(d, &a->near[0], &b->near[0]);
    found->high = heights_of_fours(d, &a->near[1], &b->near[1]);
    trvi_twin places = trvi_twin_load(a->place, b->place);
    trvi_twin own = trvi_twin_add(trvi_twin_mul(d[0], trvi_twin_splat_0(places)),
                                  trvi_twin_mul(d[1], trvi_twin_splat_1(places)));
    own = trvi_twin_add(own, trvi_twin_mul(d[2], trvi_twin_splat_2(places)));
    s->height_a = trvi_lanes_first(trvi_twin_a(own));
    s->height_b = trvi_lanes_first(trvi_twin_b(own));
    found->own = own;
    trvi_twin enough = trvi_twin_sub(own, trvi_twin_splat_3(places));
    return trvi_twin_at_least(enough, trvi_twin_max(found->low, found->high));
}

// To the highest neighbours where these are higher. False where vertices are neither certain nor
// surpassed, which is left to the general way. Without branches: which of both moves on is any.
static inline bool step_up(sight *s, const trvi_fan *a, const trvi_fan *b, uint32_t farthest,
                           const around *found)
{
    trvi_twin most = trvi_twin_highest(trvi_twin_max(found->low, found->high));
    uint32_t up = ~trvi_twin_at_least(found->own, most); // all bits of either, or none
    uint32_t up_a = 0u - (up & 1u), up_b = 0u - (up >> 4 & 1u);
    uint32_t low = trvi_twin_at_least(found->low, most);
    uint32_t high = trvi_twin_at_least(found->high, most);
    uint32_t above_a = neighbor_at(a, (low & 15u) | (high & 15u) << 4);
    uint32_t above_b = neighbor_at(b, low >> 4 | (high & 0xf0u));
    s->vertex_a ^= (s->vertex_a ^ above_a) & up_a;
    s->vertex_b ^= (s->vertex_b ^ above_b) & up_b;
    return ((farthest | up) & (A_IS | B_IS)) == (A_IS | B_IS);
}

// To the farthest vertices over neighbours. False where they are not certain.
static inline bool climb(sight *s)
{
    trvi_twin d[3];
    around found;
    set_directions(s, d);
    for (int step = 0; step < CLIMB_STEPS; step++) {
        const trvi_fan *a = &s->a->fans[s->vertex_a], *b = &s->b->fans[s->vertex_b];
        uint32_t farthest = look(s, d, a, b, &found);
        if (farthest == (A_IS | B_IS))
            return true;
        if (!step_up(s, a, b, farthest, &found))
            return false;
    }
    return false;
}

// The last one goes on where it is as far as the others.
static inline uint32_t vertex_at(uint32_t last, uint32_t bits)
{
    return bits >> last & 1u ? last : trvi_lowest_bit(bits);
}

// The farthest of at most sixteen vertices each; columns hold eight or sixteen.
static inline void scan(sight *s)
{
    trvi_twin d[3], heights[4];
    set_directions(s, d);
    size_t of_a = trvi_column_length(s->a->vertex_count);
    size_t of_b = trvi_column_length(s->b->vertex_count);
    const float *a = s->a->columns, *b = s->b->columns;
    heights[0] = heights_of(d, a, of_a, b, of_b);
    heights[1] = heights_of(d, a + 4, of_a, b + 4, of_b);
    trvi_twin most = trvi_twin_max(heights[0], heights[1]);
    bool more = of_a + of_b > 16;
    if (more) { // the shorter one's once more
        a += of_a - 8;
        b += of_b - 8;
        heights[2] = heights_of(d, a, of_a, b, of_b);
        heights[3] = heights_of(d, a + 4, of_a, b + 4, of_b);
        most = trvi_twin_max(most, trvi_twin_max(heights[2], heights[3]));
    }
    most = trvi_twin_highest(most);
    s->height_a = trvi_lanes_first(trvi_twin_a(most));
    s->height_b = trvi_lanes_first(trvi_twin_b(most));
    uint32_t low = trvi_twin_at_least(heights[0], most),
             high = trvi_twin_at_least(heights[1], most);
    uint32_t at_a = (low & 15u) | (high & 15u) << 4, at_b = low >> 4 | (high & 0xf0u);
    if (more) {
        low = trvi_twin_at_least(heights[2], most);
        high = trvi_twin_at_least(heights[3], most);
        at_a |= ((low & 15u) | (high & 15u) << 4) << 8;
        at_b |= (low >> 4 | (high & 0xf0u)) << 8;
    }
    s->vertex_a = vertex_at(s->vertex_a, at_a);
    s->vertex_b = vertex_at(s->vertex_b, at_b);
}

// trvi_reach_of_box of two that are not turned in their shapes. False for others, and for what is not
// good.
static inline bool reach_of_boxes(sight *s, const trv_obb *a, const trv_obb *b)
{
    static const float upright[2 * TRVI_LANES] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f};
    const trvi_twin zero = trvi_twin_of(trvi_lanes_splat(0.0f), trvi_lanes_splat(0.0f));
    trvi_twin turned = trvi_twin_load(&a->rotation.x, &b->rotation.x);
    trvi_twin half = trvi_twin_load3(&a->half.x, &b->half.x);
    trvi_twin center = trvi_twin_load3(&a->center.x, &b->center.x);
    trvi_twin off = trvi_twin_abs(trvi_twin_sub(turned, trvi_twin_load_both(upright)));
    trvi_twin reaches = trvi_twin_add(trvi_twin_mul(half, trvi_twin_abs(s->along)),
                                      trvi_twin_mul(center, s->along));
    trvi_twin sums = trvi_twin_sums(reaches, trvi_twin_add(half, trvi_twin_abs(center)));
    trvi_lanes of_a = trvi_twin_a(sums), of_b = trvi_twin_b(sums);
    uint32_t low = trvi_twin_at_least(zero, s->along);
    s->vertex_a = ~low & 7u;
    s->vertex_b = ~low >> 4 & 7u;
    s->height_a = trvi_lanes_first(of_a);
    s->height_b = trvi_lanes_first(of_b);
    s->size =
        trvi_lanes_first(trvi_lanes_splat_1(of_a)) + trvi_lanes_first(trvi_lanes_splat_1(of_b));
    return trvi_twin_at_least(zero, off) == 0xffu && s->size <= TRV_COORD_MAX &&
           (trvi_twin_at_least(zero, half) & 0x77u) == 0;
}

// The direction as both hulls see it; returns it in the world. `own` is the cache's.
static inline trvi_lanes set_along(sight *s, trvi_twin rotations, trvi_lanes own, bool steady)
{
    trvi_lanes in_world = own;
    trvi_twin ahead;
    if (steady) {
        ahead = trvi_twin_rotate_inverse(rotations, trvi_twin_of(own, own));
    } else {
        in_world = trvi_lanes_rotate(trvi_twin_a(rotations), own);
        ahead = trvi_twin_of(own, trvi_lanes_rotate_inverse(trvi_twin_b(rotations), in_world));
    }
    s->along = trvi_twin_against(ahead);
    return in_world;
}

// What the cache and the answer hold of a plane that parts both.
typedef struct plane {
    trvi_lanes normal;
    float gap, doubt, offset;
} plane;

typedef enum verdict {
    NOT_GOOD, // the question is not, or not for certain
    CLOSE,
    APART // beyond all doubt, also as it is handed out, with its offset rounded
} verdict;

// `own` is the cache's direction; `ways` are from A to B, and from the origin to A.
static inline verdict measure(const sight *s, trvi_twin rotations, trvi_lanes own, trvi_twin ways,
                              plane *p)
{
    // Squared lengths of the rotations, and of the direction and what that is in the world.
    static const float ones[2 * TRVI_LANES] = {1.0f, 1.0f, 0.0f, 0.0f, 1.0f, 1.0f, 0.0f, 0.0f};
    static const float allowed[2 * TRVI_LANES] = {TRVI_QUICK_TURN, TRVI_QUICK_UNIT,   0.0f, 0.0f,
                                                  TRVI_QUICK_TURN, TRVI_QUICK_NORMAL, 0.0f, 0.0f};
    trvi_twin owns = trvi_twin_of(own, p->normal);
    trvi_twin normals = trvi_twin_of(p->normal, p->normal);
    trvi_twin squares =
        trvi_twin_sums(trvi_twin_mul(rotations, rotations), trvi_twin_mul(owns, owns));
    trvi_twin off = trvi_twin_abs(trvi_twin_sub(squares, trvi_twin_load_both(ones)));
    // Along the normal, and in all.
    trvi_twin sums = trvi_twin_sums(trvi_twin_mul(ways, normals), trvi_twin_abs(ways));
    trvi_lanes between = trvi_twin_a(sums), place = trvi_twin_b(sums);
    float spread = trvi_lanes_first(trvi_lanes_splat_1(between));
    float far_out = trvi_lanes_first(trvi_lanes_splat_1(place));
    if ((trvi_twin_at_least(trvi_twin_load_both(allowed), off) & 0x33u) != 0x33u ||
        !(far_out + spread <= TRV_COORD_MAX)) // which B's place then is, too
        return NOT_GOOD;
    // Four roundings in the offset at most, of half an epsilon of what is at most `far_out` and one
    // and a half times `size`.
    float size = spread + s->size;
    p->doubt = (TRVI_QUICK_DOUBT + 3.0f * FLT_EPSILON) * size +
               (2.0f * FLT_EPSILON * far_out + TRVI_QUICK_LEAST);
    p->gap = (trvi_lanes_first(between) - s->height_b) - s->height_a;
    p->offset = -(trvi_lanes_first(place) + (s->height_a + 0.5f * p->gap));
    return 0.5f * p->gap > p->doubt ? APART : CLOSE;
}

static inline void keep(const sight *s, const plane *p, bool steady, trv_plane_cache *cache,
                        trv_separation *out)
{
    const trv_vec3 n = trvi_narrowed(p->normal);
    if (steady) {
        cache->source = TRV_PLANE_VERTICES;
        cache->index_a = s->vertex_a;
        cache->index_b = s->vertex_b;
    } else if (trvi_is_zero(&cache->in_world)) { // the plane is new
        cache->in_world = n;
    }
    cache->gap = p->gap - p->doubt;
    cache->vertex_a = s->vertex_a;
    cache->vertex_b = s->vertex_b;
    out->apart = out->remembered = true;
    out->source = (trv_plane_source)cache->source;
    out->index_a = cache->index_a;
    out->index_b = cache->index_b;
    out->gap = p->gap;
    trvi_lanes_store((float *)&out->plane, p->normal); // and what comes next to it
    out->plane.offset = p->offset;
    out->part_a = out->part_b = 0;
}

// What is looked at: the corners of two boxes, every vertex of hulls that have few, or a few steps
// from the vertices of the last time.
typedef enum manner { BOXES, EVERY, CLIMB } manner;

// One piece, of which each caller has what it needs. The pair is as SEPARATE below lets it in.
TRVI_LEAF trv_result separate(manner how, bool steady, const trv_shape *a, const trv_shape *b,
                              trv_plane_cache *cache, trv_separation *out, const trv_pose *pose_a,
                              const trv_pose *pose_b)
{
    sight s;
    plane p;
    bool found = true;
    s.vertex_a = cache->vertex_a;
    s.vertex_b = cache->vertex_b;
    trvi_lanes own = trvi_lanes_load3(steady ? &cache->in_world.x : &cache->normal.x);
    trvi_twin rotations = trvi_twin_load(&pose_a->rotation.x, &pose_b->rotation.x);
    p.normal = set_along(&s, rotations, own, steady);
    if (how == BOXES) {
        found = reach_of_boxes(&s, &a->as.box, &b->as.box);
    } else {
        s.a = a->as.hull;
        s.b = b->as.hull;
        if (how == EVERY)
            scan(&s);
        else
            found = climb(&s);
        s.size = s.a->reach + s.b->reach;
    }
    if (!found)
        return trvi_separate_any(a, b, cache, out, pose_a, pose_b);
    trvi_lanes at_a = trvi_lanes_load3(&pose_a->position.x);
    trvi_lanes at_b = trvi_lanes_load3(&pose_b->position.x);
    trvi_twin ways = trvi_twin_of(trvi_lanes_sub(at_b, at_a), at_a);
    verdict is = measure(&s, rotations, own, ways, &p);
    if (is == NOT_GOOD || !(steady || trvi_is_known(a, b, cache)))
        return trvi_separate_any(a, b, cache, out, pose_a, pose_b);
    cache->vertex_a = s.vertex_a;
    cache->vertex_b = s.vertex_b;
    if (is == CLOSE)
        return trvi_separate_led(a, b, cache, out, pose_a, pose_b);
    keep(&s, &p, steady, cache, out);
    return TRV_OK;
}

// By whether the direction stays in the world.
TRVI_LEAF trv_result separate_as(manner how, const trv_shape *a, const trv_shape *b,
                                 trv_plane_cache *cache, trv_separation *out,
                                 const trv_pose *pose_a, const trv_pose *pose_b)
{
    if (cache->steady == 0)
        return separate(how, false, a, b, cache, out, pose_a, pose_b);
    return separate(how, true, a, b, cache, out, pose_a, pose_b);
}

static TRVI_RARE trv_result separate_boxes(const trv_shape *a, const trv_shape *b,
                                           trv_plane_cache *cache, trv_separation *out,
                                           const trv_pose *pose_a, const trv_pose *pose_b)
{
    return separate_as(BOXES, a, b, cache, out, pose_a, pose_b);
}

static TRVI_RARE trv_result separate_few(const trv_shape *a, const trv_shape *b,
                                         trv_plane_cache *cache, trv_separation *out,
                                         const trv_pose *pose_a, const trv_pose *pose_b)
{
    if (a->as.hull->vertex_count > TRVI_FAN_VERTICES ||
        b->as.hull->vertex_count > TRVI_FAN_VERTICES)
        return trvi_separate_any(a, b, cache, out, pose_a, pose_b);
    return separate_as(EVERY, a, b, cache, out, pose_a, pose_b);
}

static TRVI_RARE trv_result separate_turning(const trv_shape *a, const trv_shape *b,
                                             trv_plane_cache *cache, trv_separation *out,
                                             const trv_pose *pose_a, const trv_pose *pose_b)
{
    return separate(CLIMB, false, a, b, cache, out, pose_a, pose_b);
}

// Hulls of many vertices, along a direction that stays in the world, take the shortest way: no other
// pair costs as much to look at.
trv_result SEPARATE(const trv_shape *a, const trv_shape *b, trv_plane_cache *cache,
                    trv_separation *out, const trv_pose *pose_a, const trv_pose *pose_b)
{
    if (a == NULL || b == NULL || cache == NULL || out == NULL || !trvi_is_parting(cache) ||
        a->kind != b->kind)
        return trvi_separate_any(a, b, cache, out, pose_a, pose_b);
    if (a->kind != TRV_SHAPE_HULL)
        return a->kind == TRV_SHAPE_BOX ? separate_boxes(a, b, cache, out, pose_a, pose_b)
                                        : trvi_separate_any(a, b, cache, out, pose_a, pose_b);
    const trv_hull *of_a = a->as.hull, *of_b = b->as.hull;
    if (of_a == NULL || of_b == NULL || cache->vertex_a >= of_a->vertex_count ||
        cache->vertex_b >= of_b->vertex_count)
        return trvi_separate_any(a, b, cache, out, pose_a, pose_b);
    if (of_a->vertex_count <= TRVI_FAN_VERTICES || of_b->vertex_count <= TRVI_FAN_VERTICES)
        return separate_few(a, b, cache, out, pose_a, pose_b);
    if (cache->steady == 0)
        return separate_turning(a, b, cache, out, pose_a, pose_b);
    return separate(CLIMB, true, a, b, cache, out, pose_a, pose_b);
}
