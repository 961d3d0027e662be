/// @file
/// Trivet keeps things apart: collision tests, a broadphase and a small physics world, in C11.
///
/// The map, from the plainest questions to the whole world:
///   base.h        result codes; the memory, log and worker hooks
///   types.h       vectors, quaternions, poses, simple shapes; conventions and units
///   primitives.h  the classic tests between simple shapes: values in, a bool out
///   collide.h     two posed shapes: separating plane, distance, overlap, contact points, rays
///   mesh.h        OBJ files, convex hulls, fitted boxes, mass properties
///   broad.h       the broadphase by itself: which of many boxes overlap
///   world.h       rigid bodies that fall, stack and sleep; events, a state hash
///   query.h       rays, casts, overlaps and closest points in a world
///   threads.h     a pool of threads, for who has none
///   draw.h        what a world knows, told to a pen: shapes, bounds, contacts, separating planes
/// Not included here: cglm.h, converters for users of cglm, which needs cglm's own headers.
#ifndef TRIVET_TRIVET_H
#define TRIVET_TRIVET_H

#include "base.h"
#include "broad.h"
#include "collide.h"
#include "draw.h"
#include "mesh.h"
#include "primitives.h"
#include "query.h"
#include "threads.h"
#include "types.h"
#include "world.h"

#endif
