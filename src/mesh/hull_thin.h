// A triangulated convex surface that loses one vertex after the other, the cheapest first.
#ifndef TRVI_HULL_THIN_H
#define TRVI_HULL_THIN_H

#include "hull_build.h"

// A vertex with more neighbours than this stays for the time being: what taking it away would leave
// costs the square of their number to find. Most vertices have fewer than seven.
enum { TRVI_PATCH_RING = 48 };

// What a vertex leaves when it goes: the hull of the others has these triangles in place of its fan.
typedef struct trvi_patch {
    uint32_t vertex;
    uint32_t sides;                        // neighbours of the vertex
    uint32_t ring[TRVI_PATCH_RING];        // ... counter-clockwise from outside
    uint32_t outside[TRVI_PATCH_RING];     // the face across the ring's edge from ring[i] on
    uint32_t fan[TRVI_PATCH_RING];         // the face inside of that edge, which falls
    uint32_t triangle[TRVI_PATCH_RING][3]; // [sides - 2] places in the ring, counter-clockwise
    // What is across the edge from corner k on: a triangle of the patch, or TRVI_PATCH_RING and up:
    // that much above it is the ring's edge.
    uint32_t beside[TRVI_PATCH_RING][3];
} trvi_patch;

typedef struct trvi_thin_face {
    uint32_t vertex[3];   // counter-clockwise from outside
    uint32_t neighbor[3]; // across the edge from vertex i on
} trvi_thin_face;

typedef struct trvi_thinner trvi_thinner;

// What it costs to put the patch in the place of the vertex: >= 0, HUGE_VAL where it may not be.
typedef double trvi_patch_cost(const trvi_thinner *thinner, const trvi_patch *patch);

// Invariant: the faces bound the hull of the points that are left.
struct trvi_thinner {
    const trv_vec3 *points; // none of them between others
    uint32_t point_count;
    uint32_t vertex_count;
    uint32_t face_count; // places in `faces`; those of faces that fell are empty
    trvi_patch_cost *cost_of;
    trvi_thin_face *faces;
    uint32_t *face_at; // [point_count] a face with that vertex, or TRVI_NONE
    double *cost;      // [point_count]
    uint32_t *heap;    // [vertex_count] vertices, the cheapest first; ties by number
    uint32_t *place;   // [point_count] in the heap
    void *block;
    size_t block_size;
    trv_allocator allocator;
};

// Takes over the surface that the builder found. TRV_ERROR_MEMORY. Call trvi_thinner_free()
// whatever the result.
trv_result trvi_thinner_start(trvi_thinner *thinner, const trvi_hull_builder *builder,
                              trvi_patch_cost *cost_of);
void trvi_thinner_free(trvi_thinner *thinner);

// Takes vertices away until `most` (>= 4) are left, or until no more may go.
void trvi_thinner_run(trvi_thinner *thinner, uint32_t most);

// The patch of a vertex; false where it has too many neighbours.
bool trvi_thinner_patch(const trvi_thinner *thinner, uint32_t vertex, trvi_patch *patch);

#endif
