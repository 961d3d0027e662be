/// Trivet broadphase: which of many moving boxes overlap, told as pairs begun, kept and ended.
///
/// Usable without a world. Boxes are proxies; each is static (never moves), asleep (does not move
/// now) or awake. Only pairs with an awake proxy are looked for; a pair of two that are not awake
/// stays as it is. Proxies that were added, moved, given another filter, or made static or no longer
/// so since the last update count as awake in the next one. Two static proxies are never a pair.
/// Pairs come sorted by proxy index, the same on every machine and for any number of workers.
///
/// Only creating, adding and updating allocate, and the first filter that is not the default one. Boxes have coordinates within TRV_COORD_MAX and
/// lower <= upper (TRV_ERROR_NUMBER, _RANGE); they may have no extent, and touching is overlap.
#ifndef TRIVET_BROAD_H
#define TRIVET_BROAD_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trv_broad trv_broad;

/// Names a proxy: index from 1 and a generation that tells it from earlier users of the index.
/// {0} is null.
typedef struct trv_proxy_id {
    uint32_t index1;
    uint32_t generation;
} trv_proxy_id;

typedef enum trv_proxy_set { TRV_PROXY_STATIC, TRV_PROXY_ASLEEP, TRV_PROXY_AWAKE } trv_proxy_set;

/// Make it with trv_default_broad_def().
typedef struct trv_broad_def {
    uint32_t cookie;
    float margin;         ///< boxes are kept this much fatter on each side, so that small moves
                          ///< change no pair; >= 0, m; default 0: pairs are of the exact boxes
    uint32_t max_proxies; ///< TRV_ERROR_LIMIT beyond; 1 .. 1 << 28, default 1 << 24
    uint32_t max_pairs;   ///< TRV_ERROR_LIMIT beyond; 1 .. 1 << 30, default 1 << 26
    trv_allocator allocator;
    trv_workers workers;
} trv_broad_def;

TRV_API trv_broad_def trv_default_broad_def(void);

TRV_API trv_result trv_broad_create(const trv_broad_def *def, trv_broad **broad);
TRV_API void trv_broad_destroy(trv_broad *broad); ///< NULL is allowed

/// Adds a box; `user` comes back in pairs and queries. Its pairs begin with the next update.
TRV_API trv_result trv_broad_add(trv_broad *broad, trv_aabb box, trv_filter filter,
                                 trv_proxy_set set, uint64_t user, trv_proxy_id *proxy);

/// Moves a box. Cheap while the box stays inside its fat one, which then stays as it is; else the
/// fat box becomes `box` with the margin on each side. Any set; pairs of a proxy whose fat box
/// changed are looked for in the next update even where it is not awake.
TRV_API trv_result trv_broad_move(trv_broad *broad, trv_proxy_id proxy, trv_aabb box);

/// Changes the set or the filter. Pairs that the new filter forbids end with the next update.
TRV_API trv_result trv_broad_set(trv_broad *broad, trv_proxy_id proxy, trv_proxy_set set);
TRV_API trv_result trv_broad_filter(trv_broad *broad, trv_proxy_id proxy, trv_filter filter);

/// Removes a box; its pairs are reported as ended by the next update, with its user value. The id
/// is stale at once; the index is used again, with another generation, only after that update.
TRV_API trv_result trv_broad_remove(trv_broad *broad, trv_proxy_id proxy);

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
/// call may be made again. Costs nothing for sets in which nothing changed, beyond a search in them
/// for each awake proxy. No allocation when there are no more proxies and pairs than before.
/// Source: Baraff 1992 (sweep and prune), here in columns.
TRV_API trv_result trv_broad_update(trv_broad *broad, trv_pairs *pairs);

/// Saves the whole broadphase, for snapshots: a flat copy of about 200 bytes for each proxy and 40
/// for each pair. `buffer` needs no alignment; TRV_ERROR_RANGE where it is smaller than
/// trv_broad_save_size (0 for NULL) says. A save is for the same version on a machine with the same
/// order of bytes.
TRV_API size_t trv_broad_save_size(const trv_broad *broad);
TRV_API trv_result trv_broad_save(const trv_broad *broad, void *buffer, size_t capacity,
                                  size_t *size);

/// Makes a broadphase what another, or this one, was when it was saved, with its margin and limits:
/// ids name the same proxies again, and what follows gives the same bits. Only the hooks stay its
/// own. Reported pairs are no longer valid. TRV_ERROR_KIND: not a save of this version;
/// TRV_ERROR_RANGE: cut short or damaged; nothing has changed then. Allocates only to grow.
TRV_API trv_result trv_broad_restore(trv_broad *broad, const void *buffer, size_t size);

/// Called for each proxy found, in ascending order of index; false stops the search.
typedef bool trv_proxy_visitor(void *context, trv_proxy_id proxy, uint64_t user);

/// Every proxy whose (fat) box overlaps `box` and whose filter agrees. Right at any time; costs a
/// look at each proxy that changed since the last update. Safe from many threads; the visitor must
/// not change the broadphase.
TRV_API trv_result trv_broad_query_aabb(const trv_broad *broad, trv_aabb box, trv_filter filter,
                                        trv_proxy_visitor *visit, void *context);

/// Called for each proxy whose (fat) box the ray meets before `limit`; returns the new limit: 0
/// stops, the argument goes on, less shortens the ray. A negative number and NaN stop, too.
typedef float trv_proxy_ray_visitor(void *context, trv_proxy_id proxy, uint64_t user, float limit);

/// Every proxy whose (fat) box the ray meets up to the limit, which is 1 at first, and whose filter
/// agrees; each once, in an order that is fixed by the calls so far (not that of the fractions). A
/// box that the ray misses by less than the rounding of its fraction may be among them; none that it
/// meets is left out. Costs and threads as for trv_broad_query_aabb.
TRV_API trv_result trv_broad_cast_ray(const trv_broad *broad, trv_ray ray, trv_filter filter,
                                      trv_proxy_ray_visitor *visit, void *context);

/// The box as it was given, and the fat one that pairs are made of. Neither pointer may be NULL.
TRV_API trv_result trv_broad_get(const trv_broad *broad, trv_proxy_id proxy, trv_aabb *tight,
                                 trv_aabb *fat);

#ifdef __cplusplus
}
#endif

#endif
