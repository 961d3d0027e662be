// Parts under a tree of boxes, and the walks over one tree and over two that all questions about
// compounds use.
//
// Whatever is asked, a shape is a set of parts: a shape that is no compound is a set of one. Walks
// hand out the parts (or pairs of parts) that may matter, the most promising first; what was found
// for them lowers the limit of the next step, and what lies beyond the limit is never looked at.
#ifndef TRVI_COMPOUND_H
#define TRVI_COMPOUND_H

#include <stdatomic.h>

#include "view.h"

// The most parts of a compound; a tree of so many is TRVI_TREE_DEPTH steps deep.
#define TRVI_MAX_PARTS (1u << 24)
enum { TRVI_TREE_DEPTH = 24 };

// The left child of node i is i + 1.
typedef struct trvi_node {
    trv_vec3 lower; // of the parts below, in the compound's frame, rounded outward
    uint32_t right; // the right child; 0 for a leaf
    trv_vec3 upper;
    uint32_t part; // of a leaf
} trvi_node;

// One immutable block.
struct trv_compound {
    trv_allocator allocator;
    size_t block_size;
    atomic_uint references;
    uint32_t part_count;
    double reach;             // no length in the sums about any part is larger
    trv_compound_part *parts; // [part_count]
    trvi_node *nodes;         // [2 * part_count - 1], the root first
};

// A posed shape as a set of parts. Holds pointers into itself: fill it where it stays.
typedef struct trvi_parts {
    const trvi_node *nodes;
    const trv_compound_part *parts;
    trvi_dmat3 rotation; // from the set's frame to the world
    trvi_dvec3 position;
    double reach;
    trvi_node own_node; // of a set of one
    trv_compound_part own_part;
} trvi_parts;

// Any kind but a plane.
void trvi_parts_set(trvi_parts *parts, const trv_shape *shape, trv_pose pose);

// The view of a part, in the world, placed in double.
void trvi_part_view(const trvi_parts *parts, uint32_t part, trvi_view *view);

// The least value that a question can have for parts below the node. Never too large.
typedef double trvi_node_bound(const void *context, const trvi_node *node);

typedef struct trvi_part_walk {
    const trvi_parts *parts;
    trvi_node_bound *bound;
    const void *context;
    uint32_t count;
    struct {
        uint32_t node;
        double bound;
    } stack[TRVI_TREE_DEPTH + 2];
} trvi_part_walk;

void trvi_part_walk_start(trvi_part_walk *walk, const trvi_parts *parts, trvi_node_bound *bound,
                          const void *context);

// The next part whose bound is not above `limit`, which may become lower from call to call. False
// at the end.
bool trvi_part_walk_next(trvi_part_walk *walk, double limit, uint32_t *part);

typedef struct trvi_pair_walk trvi_pair_walk;

// The least value that a question can have for parts below two nodes. Never too large. `known` is
// what was found for nodes that hold these.
typedef double trvi_pair_bound(const trvi_pair_walk *walk, const trvi_node *a, const trvi_node *b,
                               double known);

// Two sets.
struct trvi_pair_walk {
    const trvi_parts *a, *b;
    trvi_pair_bound *bound;
    const void *context; // for the bound
    trvi_dmat3 rotation; // from B's frame to A's; this and what follows for trvi_box_gap alone
    trvi_dmat3 absolute; // of the rotation's entries
    trvi_dvec3 offset;   // B's origin in A's frame
    double slack;        // for rounding, m
    uint32_t count;
    struct {
        uint32_t a, b;
        double bound;
    } stack[2 * TRVI_TREE_DEPTH + 2];
};

// A walk by distance: bounds are those of trvi_box_gap.
void trvi_pair_walk_start(trvi_pair_walk *walk, const trvi_parts *a, const trvi_parts *b);

// A walk by another question. What the sets' poses are is the bound's affair.
void trvi_pair_walk_ask(trvi_pair_walk *walk, const trvi_parts *a, const trvi_parts *b,
                        trvi_pair_bound *bound, const void *context);

// The next pair of parts whose value may be `limit` or less; as above.
bool trvi_pair_walk_next(trvi_pair_walk *walk, double limit, uint32_t *part_a, uint32_t *part_b);

// No part below `a` has a smaller signed distance from one below `b`: the distance of the boxes
// where they are apart, else minus the way along an axis that parts them, which parts what they
// hold too.
double trvi_box_gap(const trvi_pair_walk *walk, const trvi_node *a, const trvi_node *b);

// Bounds in the world of a view's surface and `margin` round it, rounded outward.
trv_aabb trvi_view_bounds(const trvi_view *view, double margin);

#endif
