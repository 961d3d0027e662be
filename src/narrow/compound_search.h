// Which parts matter: the nearest pair, the lowest part along a direction or above a half-space.
#ifndef TRVI_COMPOUND_SEARCH_H
#define TRVI_COMPOUND_SEARCH_H

#include "compound.h"
#include "nearest.h"

#define TRVI_NO_PART UINT32_MAX

// Two sets of parts, and the couple of the pair at hand. Fill it where it stays.
typedef struct trvi_duo {
    trvi_parts a, b;
    trvi_couple couple;
    uint32_t held_a, held_b; // whose views the couple holds
} trvi_duo;

// Neither is a half-space.
void trvi_duo_set(trvi_duo *duo, const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                  trv_pose pose_b);

// The couple of a pair of parts; valid until another is held.
const trvi_couple *trvi_duo_hold(trvi_duo *duo, uint32_t part_a, uint32_t part_b);

static inline double trvi_radii(const trvi_couple *couple)
{
    return couple->a.radius + couple->b.radius;
}

typedef struct trvi_best_pair {
    double gap;     // between the surfaces
    trvi_axis axis; // in the frame of the pair's couple
    uint32_t part_a, part_b;
} trvi_best_pair;

// The pair of least signed distance; of equals the one of lowest numbers. With `only_apart` it
// returns false at the first pair found that is not apart.
bool trvi_find_nearest(trvi_duo *duo, bool only_apart, trvi_best_pair *best);

// The part that reaches lowest along unit `direction` (of the set's frame), but for what climbs may
// miss, and how low.
double trvi_lowest_part(const trvi_parts *parts, trvi_dvec3 direction, uint32_t *part);

// A set of parts and a half-space.
typedef struct trvi_ground {
    trvi_parts parts;
    const trv_plane *plane;
    trv_pose plane_pose;
    bool plane_is_a;
} trvi_ground;

// False where neither shape is a half-space.
bool trvi_ground_set(trvi_ground *ground, const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                     trv_pose pose_b);

// A walk that hands out the parts that may be as near to the half-space as its limit.
typedef struct trvi_ground_walk {
    trvi_part_walk walk;
    trvi_dvec3 direction;
    double level;
    double slack;
} trvi_ground_walk;

// Both stay where they are: the walk points to them.
void trvi_ground_walk_start(trvi_ground_walk *walk, const trvi_ground *ground);

// The part with the least signed distance from the half-space, of equals the first, and its view.
uint32_t trvi_ground_nearest(const trvi_ground *ground, trvi_view *view);

#endif
