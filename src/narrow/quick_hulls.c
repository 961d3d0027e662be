// The remembered plane between two hulls of many vertices, which is what large scenes ask most: both
// are looked at side by side.
//
// What along.h does for any two shapes, with the same doubts. Almost always both vertices are those of
// the last time, or the question is one of a few that take more: those go the careful way, which is
// the same once more with all that may come between.
// Invariant: true is a proof.
// Based on: Lander 1999, "Crashing into the New Year" (the plane remembered per pair); Cameron 1997,
// "Enhancing GJK" (hill climbing).
//
// Compiled twice: for all processors, and by quick_eight.c for those that have AVX.
#include "quick.h"
#include "twin.h"

#include <float.h>

#if defined(TRVI_TWIN_EIGHT)
#define SEPARATE trvi_separate_hulls_eight
#else
#define SEPARATE trvi_separate_hulls
#endif

// Two hulls seen along a plane.
typedef struct sight {
    const trv_hull *a, *b;
    trvi_twin along; // from A to B in A's frame, and from B to A in B's
    uint32_t vertex_a, vertex_b;
    float height_a, height_b;
} sight;

static inline trvi_twin heights_of(const trvi_twin d[3], const trvi_four *a, const trvi_four *b)
{
    trvi_twin x = trvi_twin_mul(d[0], trvi_twin_load(a->x, b->x));
    trvi_twin y = trvi_twin_mul(d[1], trvi_twin_load(a->y, b->y));
    trvi_twin z = trvi_twin_mul(d[2], trvi_twin_load(a->z, b->z));
    return trvi_twin_add(trvi_twin_add(x, y), z);
}

// The heights of both vertices. False where they are not the farthest for certain, or have crowds
// about them.
static inline bool are_farthest(sight *s)
{
    const trvi_twin d[3] = {trvi_twin_splat_0(s->along), trvi_twin_splat_1(s->along),
                            trvi_twin_splat_2(s->along)};
    const trvi_fan *a = &s->a->fans[s->vertex_a], *b = &s->b->fans[s->vertex_b];
    trvi_twin most = trvi_twin_highest(trvi_twin_max(heights_of(d, &a->near[0], &b->near[0]),
                                                     heights_of(d, &a->near[1], &b->near[1])));
    trvi_twin parts = trvi_twin_mul(trvi_twin_load(a->place, b->place), s->along);
    trvi_twin heights =
        trvi_twin_add(trvi_twin_add(parts, trvi_twin_splat_1(parts)), trvi_twin_splat_2(parts));
    s->height_a = trvi_lanes_first(trvi_twin_a(heights));
    s->height_b = trvi_lanes_first(trvi_twin_b(heights));
    return trvi_lanes_first(trvi_twin_a(most)) < s->height_a - s->a->tie &&
           trvi_lanes_first(trvi_twin_b(most)) < s->height_b - s->b->tie &&
           !(a->place[3] + b->place[3] > 0.0f);
}

// To the farthest vertices from any. False where they are not certain.
static inline bool climb(sight *s)
{
    trvi_lanes of_a = trvi_twin_a(s->along), of_b = trvi_twin_b(s->along);
    const trvi_wide3 wide_a = trvi_widened(of_a), wide_b = trvi_widened(of_b);
    float second_a, second_b;
    s->height_a = trvi_heights_about(s->a, &wide_a, s->vertex_a, &second_a);
    s->height_b = trvi_heights_about(s->b, &wide_b, s->vertex_b, &second_b);
    bool sure = true;
    if (!(second_a < s->height_a - s->a->tie))
        sure = trvi_climb_fans(s->a, of_a, second_a, &s->vertex_a, &s->height_a);
    if (sure && !(second_b < s->height_b - s->b->tie))
        sure = trvi_climb_fans(s->b, of_b, second_b, &s->vertex_b, &s->height_b);
    return sure;
}

// The direction in the world, and as both hulls see it.
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

// True where the poses and the direction are good, and the plane parts the hulls beyond all doubt
// also as it is handed out, with its offset rounded.
static inline bool measure(const sight *s, trvi_twin rotations, trvi_lanes own, trvi_lanes at_a,
                           trvi_lanes at_b, plane *p)
{
    // Squared lengths of both rotations and of the direction; the sum of the coordinates'
    // magnitudes. Lanes 2 and 3 hold nothing.
    static const float wanted[2 * TRVI_LANES] = {1.0f, 1.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f};
    static const float allowed[2 * TRVI_LANES] = {TRVI_QUICK_UNIT, TRVI_QUICK_UNIT, 0.0f, 0.0f,
                                                  TRVI_QUICK_UNIT, TRV_COORD_MAX,   0.0f, 0.0f};
    trvi_lanes far_off = trvi_lanes_add(trvi_lanes_abs(at_a), trvi_lanes_abs(at_b));
    trvi_twin off =
        trvi_twin_abs(trvi_twin_sub(trvi_twin_sums(trvi_twin_mul(rotations, rotations),
                                                   trvi_twin_of(trvi_lanes_mul(own, own), far_off)),
                                    trvi_twin_load_both(wanted)));
    if ((trvi_twin_at_least(trvi_twin_load_both(allowed), off) & 0x33u) != 0x33u)
        return false;
    // From A to B, and from the origin to A: along the normal, and in all.
    trvi_twin ways = trvi_twin_of(trvi_lanes_sub(at_b, at_a), at_a);
    trvi_twin sums = trvi_twin_sums(trvi_twin_mul(ways, trvi_twin_of(p->normal, p->normal)),
                                    trvi_twin_abs(ways));
    trvi_lanes between = trvi_twin_a(sums), place = trvi_twin_b(sums);
    float spread = trvi_lanes_first(trvi_lanes_splat_1(between));
    float far_out = trvi_lanes_first(trvi_lanes_splat_1(place));
    p->gap = (trvi_lanes_first(between) - s->height_b) - s->height_a;
    p->doubt = TRVI_QUICK_DOUBT * (spread + s->a->reach + s->b->reach);
    float middle = s->height_a + 0.5f * p->gap;
    p->offset = -(trvi_lanes_first(place) + middle);
    // Four roundings in the offset at most, of half an epsilon each.
    float rounding = 2.0f * FLT_EPSILON * (far_out + fabsf(middle));
    return 0.5f * p->gap > p->doubt + rounding;
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
    out->plane.normal = n;
    out->plane.offset = p->offset;
    out->part_a = out->part_b = 0;
}

static inline void set_hulls(sight *s, const trv_shape *a, const trv_shape *b)
{
    s->a = a->as.hull;
    s->b = b->as.hull;
}

// The careful way: from any vertices, and along a plane that turns with A, too.
static TRVI_RARE trv_result look_carefully(const trv_shape *a, const trv_shape *b,
                                           trv_plane_cache *cache, trv_separation *out,
                                           const trv_pose *pose_a, const trv_pose *pose_b)
{
    sight s;
    set_hulls(&s, a, b);
    s.vertex_a = cache->vertex_a < s.a->vertex_count ? cache->vertex_a : 0;
    s.vertex_b = cache->vertex_b < s.b->vertex_count ? cache->vertex_b : 0;
    bool steady = cache->steady != 0;
    trvi_lanes own = trvi_lanes_load3(steady ? &cache->in_world.x : &cache->normal.x);
    trvi_twin rotations = trvi_twin_load(&pose_a->rotation.x, &pose_b->rotation.x);
    plane p;
    p.normal = set_along(&s, rotations, own, steady);
    if ((steady || trvi_is_known_source(a, b, cache)) && climb(&s) &&
        measure(&s, rotations, own, trvi_lanes_load3(&pose_a->position.x),
                trvi_lanes_load3(&pose_b->position.x), &p)) {
        keep(&s, &p, steady, cache, out);
        return TRV_OK;
    }
    return trvi_separate_any(a, b, cache, out, pose_a, pose_b);
}

trv_result SEPARATE(const trv_shape *a, const trv_shape *b, trv_plane_cache *cache,
                    trv_separation *out, const trv_pose *pose_a, const trv_pose *pose_b)
{
    sight s;
    set_hulls(&s, a, b);
    s.vertex_a = cache->vertex_a;
    s.vertex_b = cache->vertex_b;
    if (s.vertex_a >= s.a->vertex_count || s.vertex_b >= s.b->vertex_count || cache->steady == 0)
        return look_carefully(a, b, cache, out, pose_a, pose_b);
    trvi_lanes own = trvi_lanes_load3(&cache->in_world.x);
    trvi_twin rotations = trvi_twin_load(&pose_a->rotation.x, &pose_b->rotation.x);
    plane p;
    p.normal = set_along(&s, rotations, own, true);
    if (!are_farthest(&s))
        return look_carefully(a, b, cache, out, pose_a, pose_b);
    if (!measure(&s, rotations, own, trvi_lanes_load3(&pose_a->position.x),
                 trvi_lanes_load3(&pose_b->position.x), &p))
        return trvi_separate_any(a, b, cache, out, pose_a, pose_b);
    keep(&s, &p, true, cache, out);
    return TRV_OK;
}
