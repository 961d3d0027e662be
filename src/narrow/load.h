// Where the load on a contact passes through it, so that its points are under it.
//
// Of a face with many corners four are contact points. What stands on it tips over a side of these, not
// of the face: so the side that it would tip over first has to be among them.
#ifndef TRVI_LOAD_H
#define TRVI_LOAD_H

#include "clip.h"

// A contact's plane in the world, and the chart in it: u and v along two of three unit vectors from a point
// in it.
typedef struct trvi_ground {
    trvi_dvec3 one, two, out, from;
} trvi_ground;

// Where the line through the centre of mass of what lies on the plane, along its load, meets it. That is
// the body above, which presses against `out`, or else the one below, along it. The plane is one of B's, where
// `on_b`, else of A's; `held` may be NULL. False where neither presses, or at a slant that leaves the place to
// chance.
bool trvi_load_place(const trvi_held *held, bool on_b, const trvi_ground *ground, trvi_place *spot);

// Four or fewer of the corners that `some` and `chosen` have bits of: those chosen, or, where the load
// passes near a side of these, or past it, but not far past what all cover, the side of all that it is
// nearest to, and two of the chosen. That side's corners are told in `*side`, else nothing. Corners may
// stand in any order. The cost is the square of how many there are, where it passes there.
uint64_t trvi_bear_load(const trvi_corner *corners, uint64_t some, uint64_t chosen,
                        const trvi_place *load, uint64_t *side);

#endif
