/// @file
/// Trivet broadphase: which of many moving boxes overlap, told as pairs begun, kept and ended.
///
/// Usable without a world. Boxes are proxies; each is static (never moves), asleep (does not move
/// now) or awake. Only pairs with an awake proxy are looked for; a pair of two that are not awake
/// stays as it is. Proxies that were added, moved out of their fat box (see trv_broad_move), given
/// another filter, or made static or no longer so since the last update count as awake in the next one.
/// Two static proxies are never a pair.
/// Pairs come sorted by proxy index, the same on every machine and for any number of workers.
///
/// Only creating, adding, updating and restoring allocate, and giving the first filter that is not
/// the default one. Boxes have coordinates within TRV_COORD_MAX and lower <= upper
/// (TRV_ERROR_NUMBER, _RANGE); they may have no extent, and touching is overlap.
/// A proxy takes up to 100 bytes, where boxes are alike: 47 of its own, 29 for each column that it
/// meets (1.2 to 1.6 on average), and up to 2 where all move. 24 more where there is a margin, 24 more
/// where any filter is not the default one, and up to 50 more where thousands crowd in one place; a
/// pair that is told 32 to 90. Up to twice as much until 128 updates after so many came.
#ifndef TRIVET_BROAD_H
#define TRIVET_BROAD_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A broadphase: boxes, and which of them overlap.
typedef struct trv_broad trv_broad;

/// Names a proxy: index from 1 and a generation that tells it from earlier users of the index.
/// {0} is null.
typedef struct trv_proxy_id {
    uint32_t index1;
    uint32_t generation;
} trv_proxy_id;

/// How a box moves: never, not now, or now and then.
typedef enum trv_proxy_set { TRV_PROXY_STATIC, TRV_PROXY_ASLEEP, TRV_PROXY_AWAKE } trv_proxy_set;

/// Make it with trv_default_broad_def().
typedef struct trv_broad_def {
    uint32_t cookie;
    float margin;         ///< boxes are kept this much fatter on each side, so that small moves
                          ///< change no pair; >= 0, m; default 0: pairs are of the exact boxes
    float margin_share;   ///< but by no more than this share of a box's longest side, so that small
                          ///< boxes among large ones are not lost in theirs; >= 0; default 0: by
                          ///< `margin`, whatever their size
    uint32_t max_proxies; ///< TRV_ERROR_LIMIT beyond; 1 .. 1 << 28, default 1 << 24
    uint32_t max_pairs;   ///< TRV_ERROR_LIMIT beyond; 1 .. 1 << 30, default 1 << 26
    trv_allocator allocator;
    trv_workers workers;
} trv_broad_def;

/// What holds where nothing else is said.
TRV_API trv_broad_def trv_default_broad_def(void);

/// TRV_ERROR_NULL, _DEF, _NUMBER, _RANGE (also for more than 64 workers), _MEMORY.
TRV_API trv_result trv_broad_create(const trv_broad_def *def, trv_broad **broad);
TRV_API void trv_broad_destroy(trv_broad *broad); ///< NULL is allowed

/// Adds a box; `user` comes back in pairs and queries. Its pairs begin with the next update.
TRV_API trv_result trv_broad_add(trv_broad *broad, trv_aabb box, trv_filter filter,
                                 trv_proxy_set set, uint64_t user, trv_proxy_id *proxy);

/// Moves a box. Cheap while the box stays inside its fat one, which then stays as it is unless it is
/// much too large by now (by more than the box's longest side and four margins); else the fat box
/// becomes `box` with its margin on each side. Any set; pairs of a proxy whose fat box
/// changed are looked for in the next update even where it is not awake.
TRV_API trv_result trv_broad_move(trv_broad *broad, trv_proxy_id proxy, trv_aabb box);

/// Changes the set or the filter. Pairs that the new filter forbids end with the next update. A proxy
/// that is given a filter, be it the one it has, counts as awake in the next update.
TRV_API trv_result trv_broad_set(trv_broad *broad, trv_proxy_id proxy, trv_proxy_set set);
TRV_API trv_result trv_broad_filter(trv_broad *broad, trv_proxy_id proxy, trv_filter filter);

/// Removes a box; its pairs are reported as ended by the next update, with its user value. The id
/// is stale at once; the index is used again, with another generation, only after that update.
TRV_API trv_result trv_broad_remove(trv_broad *broad, trv_proxy_id proxy);

/// What trv_broad_add_many takes for each box.
typedef struct trv_proxy_def {
    trv_aabb box;
    trv_proxy_set set;
    trv_filter filter;
    uint64_t user;
} trv_proxy_def;

/// The same for many at once, with less to do for each. All or nothing: the first error is returned,
/// and nothing has changed then (ids are zeroed). An id that is given to trv_broad_remove_many twice
/// counts once; of two boxes for one id, the last one counts. Arrays may be NULL where `count` is 0.
TRV_API trv_result trv_broad_add_many(trv_broad *broad, const trv_proxy_def *defs, uint32_t count,
                                      trv_proxy_id *proxies);
TRV_API trv_result trv_broad_move_many(trv_broad *broad, const trv_proxy_id *proxies,
                                       const trv_aabb *boxes, uint32_t count);
TRV_API trv_result trv_broad_remove_many(trv_broad *broad, const trv_proxy_id *proxies,
                                         uint32_t count);

/// Two overlapping boxes. `slot` is a small number that stays the pair's own from begun to ended,
/// to index an array with. Pairs that begin in later updates use it again, those of the update that
/// reports the end do not.
typedef struct trv_pair {
    uint32_t a, b; ///< proxy indices (index1), a < b
    uint32_t slot;
    uint32_t reserved;
    uint64_t user_a, user_b;
} trv_pair;

/// Sorted by (a, b); valid until the next update, also while proxies are added, changed or removed.
typedef struct trv_pairs {
    const trv_pair *begun;
    const trv_pair *kept; ///< overlapped before and now; at least one proxy counts as awake
    const trv_pair *ended;
    uint32_t begun_count;
    uint32_t kept_count;
    uint32_t ended_count;
    uint32_t slot_limit; ///< all slots in use are below this
} trv_pairs;

/// Brings the pairs up to date. On TRV_ERROR_LIMIT or _MEMORY nothing has changed, and the same
/// call may be made again. Costs for each proxy that changed, and for each pair that is told (a read
/// and a copy); where a tenth or less changed, all of it awake, only pairs that begin and end are
/// looked at, and the kept ones moved apart. Nothing for proxies that rest, whatever their set, and
/// nothing at all where neither a proxy nor a pair changed. Where boxes crowd in one place, their
/// filters are looked at first: those that may not meet cost no comparison, for up to fifteen
/// different filters; boxes with further ones are compared before that is seen, as are crowds of
/// static boxes with others.
/// No allocation when there are no more proxies and pairs than before; but what the first updates
/// of many that are new take is given back after 128 updates, and taken again when as much changes.
/// Source: Baraff 1992 (sweep and prune), here in columns.
TRV_API trv_result trv_broad_update(trv_broad *broad, trv_pairs *pairs);

/// What a broadphase holds, in bytes.
typedef struct trv_broad_bytes {
    size_t proxies;
    size_t columns; ///< the places of proxies, where pairs and answers are looked for
    size_t pairs;   ///< their lists, and what updates find and sort them by
    size_t work;    ///< what else updates write
} trv_broad_bytes;

/// TRV_ERROR_NULL.
TRV_API trv_result trv_broad_bytes_get(const trv_broad *broad, trv_broad_bytes *bytes);

/// Saves the whole broadphase, for snapshots: a flat copy of about 100 bytes for each proxy and 40
/// for each pair. `buffer` needs no alignment; TRV_ERROR_RANGE where it is smaller than
/// trv_broad_save_size (0 for NULL) says. A save is for the same version on a machine with the same
/// order of bytes.
TRV_API size_t trv_broad_save_size(const trv_broad *broad);
TRV_API trv_result trv_broad_save(const trv_broad *broad, void *buffer, size_t capacity,
                                  size_t *size);

/// Makes a broadphase what another, or this one, was when it was saved, with its margin and limits:
/// ids name the same proxies again, and what follows gives the same bits. Only the hooks stay its
/// own. Reported pairs are no longer valid. TRV_ERROR_KIND: begins otherwise than saves of this
/// version; TRV_ERROR_RANGE: cut short or damaged; nothing has changed then. Allocates only to grow.
TRV_API trv_result trv_broad_restore(trv_broad *broad, const void *buffer, size_t size);

// Questions. All are about the fat boxes, right at any time, and cost a look at each proxy that changed
// since the last update. They write nothing: many threads may ask together, as long as none changes the
// broadphase. No box that a question is about is left out; where others may be among the answers, the
// comment says which. Bad numbers are told as those of boxes are.

/// Called for each proxy found; false stops the search. Must not change the broadphase.
typedef bool trv_proxy_visitor(void *context, trv_proxy_id proxy, uint64_t user);

/// Every proxy whose box overlaps `box`, or holds the point, and whose filter agrees; in ascending
/// order of index. Exact.
TRV_API trv_result trv_broad_query_aabb(const trv_broad *broad, trv_aabb box, trv_filter filter,
                                        trv_proxy_visitor *visit, void *context);
TRV_API trv_result trv_broad_query_point(const trv_broad *broad, trv_vec3 point, trv_filter filter,
                                         trv_proxy_visitor *visit, void *context);

/// Every proxy whose box overlaps the turned box (half extents >= 0), and whose filter agrees; each
/// once, in an order that is fixed by the calls so far. One that misses by less than the rounding of
/// sums in double may be among them. TRV_ERROR_ROTATION
/// Source: Gottschalk, Lin, Manocha 1996, "OBBTree" (the separating axes of two boxes).
TRV_API trv_result trv_broad_query_obb(const trv_broad *broad, trv_obb box, trv_filter filter,
                                       trv_proxy_visitor *visit, void *context);

/// As trv_broad_query_obb, for what lies below all of up to 32 planes, whose normals may have any length
/// but zero: a view frustum, a beam, a half-space. A box beyond an edge of the volume that none of the
/// planes has wholly above it may be among the answers; add a plane where that is too much.
/// TRV_ERROR_RANGE for more planes, or a zero normal.
/// Source: Assarsson, Moller 2000, "Optimized View Frustum Culling Algorithms for Bounding Boxes".
TRV_API trv_result trv_broad_query_planes(const trv_broad *broad, const trv_plane *planes,
                                          uint32_t count, trv_filter filter,
                                          trv_proxy_visitor *visit, void *context);

/// Called for each proxy whose box the ray meets before `limit`; returns the new limit: 0 stops, the
/// argument goes on, less shortens the ray. A negative number and NaN stop, too.
typedef float trv_proxy_ray_visitor(void *context, trv_proxy_id proxy, uint64_t user, float limit);

/// Every proxy whose box the ray meets up to the limit, which is 1 at first, and whose filter agrees;
/// each once, in an order that is fixed by the calls so far (not that of the fractions). A box that
/// the ray misses by less than the rounding of its fraction may be among them.
/// Source: Amanatides, Woo 1987, "A Fast Voxel Traversal Algorithm for Ray Tracing".
TRV_API trv_result trv_broad_cast_ray(const trv_broad *broad, trv_ray ray, trv_filter filter,
                                      trv_proxy_ray_visitor *visit, void *context);

/// As trv_broad_cast_ray, for a box on its way along `travel`.
TRV_API trv_result trv_broad_cast_box(const trv_broad *broad, trv_aabb box, trv_vec3 travel,
                                      trv_filter filter, trv_proxy_ray_visitor *visit,
                                      void *context);

/// A proxy found, with what orders it.
typedef struct trv_proxy_found {
    trv_proxy_id proxy; ///< {0}: none
    float at; ///< of casts the fraction at which the box is met, of neighbours the distance
              ///< in m (both rounded to float), else 0
    uint32_t reserved;
    uint64_t user;
} trv_proxy_found;

/// The first box that the ray meets, of equal fractions the one of the lowest index; and whether it
/// meets any, which costs less. No box is TRV_OK with a null proxy.
TRV_API trv_result trv_broad_cast_closest(const trv_broad *broad, trv_ray ray, trv_filter filter,
                                          trv_proxy_found *closest);
TRV_API trv_result trv_broad_cast_any(const trv_broad *broad, trv_ray ray, trv_filter filter,
                                      bool *met);

/// The up to `capacity` boxes nearest to the point, no farther than `reach` (>= 0, m), whose filter
/// agrees; by distance, equal ones by index. *count: how many were found. A box that holds the point
/// is at distance 0.
TRV_API trv_result trv_broad_find_nearest(const trv_broad *broad, trv_vec3 point, float reach,
                                          trv_filter filter, uint32_t capacity,
                                          trv_proxy_found *found, uint32_t *count);

/// What a question of an array asks.
typedef enum trv_question_kind {
    TRV_ASK_AABB,    ///< as trv_broad_query_aabb; all are counted
    TRV_ASK_OBB,     ///< as trv_broad_query_obb; all are counted
    TRV_ASK_PLANES,  ///< as trv_broad_query_planes; all are counted
    TRV_ASK_RAY,     ///< by fraction; 1 answer is the closest
    TRV_ASK_RAY_ANY, ///< any one box that the ray meets
    TRV_ASK_SWEEP,   ///< a box on its way, by fraction
    TRV_ASK_NEAREST  ///< as trv_broad_find_nearest: within `radius` of `center`
} trv_question_kind;

/// One question of an array.
typedef struct trv_question {
    trv_question_kind kind;
    trv_filter filter;
    union {
        trv_aabb aabb;
        trv_obb obb;
        struct {
            const trv_plane *planes;
            uint32_t count;
        } volume;
        trv_ray ray;
        struct {
            trv_aabb box;
            trv_vec3 travel;
        } sweep;
        trv_sphere ball;
    } as;
} trv_question;

/// Answers many questions, of any kinds, with the workers of the broadphase. Question i has the room of
/// found[i * capacity] and `capacity` - 1 more, and gets the first of its answers, sorted by (at,
/// index). counts[i] is how many it got; where all are counted it is how many there are, which may be
/// more. Capacity 0 with `found` NULL only counts. The same for any number of workers; only which box
/// TRV_ASK_RAY_ANY tells, and what the others may give in addition, depends on the calls so far.
/// An error of any question answers none, and zeroes `counts`; an unknown kind is TRV_ERROR_RANGE.
/// Together with other calls it may be made where the workers' parallel_for may.
TRV_API trv_result trv_broad_ask(const trv_broad *broad, const trv_question *questions,
                                 uint32_t count, uint32_t capacity, trv_proxy_found *found,
                                 uint32_t *counts);

/// The box as it was given, and the fat one that pairs are made of. Neither pointer may be NULL.
TRV_API trv_result trv_broad_get(const trv_broad *broad, trv_proxy_id proxy, trv_aabb *tight,
                                 trv_aabb *fat);

#ifdef __cplusplus
}
#endif

#endif
