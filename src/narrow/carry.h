// The feature that carries a contact from frame to frame.
#ifndef TRVI_CARRY_H
#define TRVI_CARRY_H

#include "nearest.h"

// True where the feature in the cache is still the one along which the cores overlap least, or,
// where they are apart, the one that is nearest: `out` is then its normal and gap. Only a proof
// yields true; what it rests on is kept in the cache. A gap beyond `beyond` is one that the supports
// leave.
TRVI_JOINED bool trvi_carries_on(const trvi_couple *couple, double beyond, trv_plane_cache *cache,
                                 trvi_nearest *out);

// Where the feature in the cache carries no more, and the cores overlap along it: the signed
// distance by a search from there, and what proves it. False where that does not tell, or they are
// apart.
TRVI_JOINED bool trvi_grows_on(const trvi_couple *couple, const trv_plane_cache *cache,
                               trvi_nearest *out, trvi_witnesses *known);

// Finds the feature behind the axis of a contact, and puts both into the cache, with what is `known`
// to prove it; that may be NULL. The axis becomes that of the feature itself, so that it is the same
// to the last bit whichever way it was found.
TRVI_JOINED void trvi_carry(const trvi_couple *couple, trvi_nearest *nearest,
                            const trvi_witnesses *known, trv_plane_cache *cache);

// The farther end of an edge in a direction that is at right angles to it, but for rounding; the
// farthest vertex of all where that is neither.
TRVI_JOINED uint32_t trvi_end_of_edge(const trvi_view *view, uint32_t edge, trvi_dvec3 d);

// The source in a cache that holds no plane but vertices between which the shapes overlap.
#define TRVI_MEETING 0x200u

// The vertices in a cache once A and B have changed places; caches of which `cache` is complete.
TRVI_JOINED void trvi_turn_meeting(const trv_plane_cache *cache, trv_plane_cache *turned);

// The source of a plane, carried or not, once A and B have changed places.
TRVI_JOINED uint32_t trvi_turned_source(uint32_t source);

// Marks the source of a plane that carries a contact.
#define TRVI_CARRIES 0x100u

// True where the cache holds a feature that carries a contact.
TRVI_JOINED bool trvi_is_carried(const trv_plane_cache *cache);

// True where the cache's plane is worth asking: it parted the shapes, and did not carry a contact.
static inline bool trvi_is_parting(const trv_plane_cache *cache)
{
    return cache->source >= TRV_PLANE_FACE_A && cache->source <= TRV_PLANE_VERTICES;
}

#endif
