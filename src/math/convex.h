// The convex polyhedron in its rest pose, as the mesh layer builds it and the narrow layer tests it.
//
// It is what `trv_hull` is: one immutable block, shared by reference count. Faces are polygons of
// any number of sides, counter-clockwise seen from outside. The half-edges of a face lie side by
// side, so "next" is index + 1 inside [face_first[f], face_first[f + 1]) and needs no storage.
// Invariants (checked when built): closed, Euler characteristic 2, every half-edge has one twin in
// the opposite direction, every vertex has at least three neighbours.
#ifndef TRVI_CONVEX_H
#define TRVI_CONVEX_H

#include <float.h>
#include <math.h>
#include <stdatomic.h>

#include "linear.h"

// Volume integrals at unit density, in the hull's own frame.
typedef struct trvi_solid {
    double volume;       // m^3
    trvi_dvec3 centroid; // m
    double inertia[6]; // xx yy zz xy xz yz about the centroid; products as they stand in the tensor
} trvi_solid;

// Directions fall into cells: the faces of a cube about the origin, each cut into a square grid.
// A search for the farthest vertex in a direction starts at the seed of the direction's cell. There
// are about as many cells as vertices, so that the search is a step or two from its end, whatever
// the size of the hull; beyond this grid the table stops growing.
enum { TRVI_SEED_GRID_MAX = 128 };

// Up to the first count of vertices a search looks at one after the other, up to the second at four at
// a time; beyond, it climbs the vertex graph from its seed. Larger: linear cost where a climb is
// shorter. Smaller: climbs where a look at each is shorter. No answer moves, but where vertices tie exactly.
enum { TRVI_FEW_VERTICES = 12, TRVI_SCAN_VERTICES = 48 };

// Up to this count vertices stand in columns, too, so that several are looked at at once: no more than a number has
// bits.
enum { TRVI_COLUMN_VERTICES = 64 };

// Beyond this count a vertex that was the farthest is compared with its neighbours only, of which few
// have more than eight; up to it, every vertex is looked at. As above, but for what is remembered.
enum { TRVI_FAN_VERTICES = 16 };

// Bounds of the planes of some faces: their normals are within `spread` of `normal`, and none is
// lower than `height` below the point `at`, which is near the faces. So the height of a place p over
// each is at most height + dot(normal, p - at) + dot(spread, |p - at|).
typedef struct trvi_plane_bounds {
    trv_vec3 at, normal, spread;
    float height;
} trvi_plane_bounds;

// Four vertices, each a lane, no longer than a line of a processor's cache.
typedef struct trvi_four {
    float x[4], y[4], z[4];
    uint32_t vertex[4];
} trvi_four;

// A vertex and its neighbours, the first of them where there are more than eight. Lanes that are left
// over hold the last one again.
enum { TRVI_FAN_NEIGHBORS = 8 };
typedef struct trvi_fan {
    trvi_four near[2];
    // Of the vertex; and what it has to be higher than these neighbours by to be the highest for
    // certain: a tie, or more than any height (below) where they are not all, or do not tell.
    float place[4];
} trvi_fan;

// Where a vertex has more neighbours; and where a face round it has dents, which leaves it in doubt
// whatever its neighbours are.
#define TRVI_FAN_CROWD FLT_MAX
#define TRVI_FAN_DENT  HUGE_VALF

// From so many vertices on they are sorted into clusters, some dozens in each. Larger: each is looked at where
// a few would do. Smaller: to look at the clusters takes as long. No answer moves.
enum { TRVI_CLUSTER_VERTICES = 256 };

// A ball that holds some vertices, and which: cluster_order[first .. first + count).
typedef struct trvi_cluster {
    trv_vec3 at;
    float radius;
    uint32_t first, count;
} trvi_cluster;

// What the bits of `face_united` mean.
enum {
    TRVI_FACE_UNITED = 1, // of several faces, or corners inside its sides are left out
    TRVI_FACE_DENTED = 2  // and no convex polygon within the tie
};

struct trv_hull {
    trv_allocator allocator;
    size_t block_size;
    atomic_uint references;

    uint32_t vertex_count;
    uint32_t face_count;
    uint32_t half_edge_count; // twice the number of edges
    uint32_t seed_grid;       // cells along each side of a cube's face
    bool united;              // some faces are flat only within a tolerance
    bool dented;              // ... and are no convex polygons within it
    uint32_t plane_leaves;    // of the tree of planes: a power of two; 0 without a tree

    trv_aabb bounds;    // of the vertices
    trv_vec3 center;    // of `bounds`
    float radius;       // of the ball about `center` that holds all vertices, rounded up
    float inner_radius; // of a ball about `center` that is inside, rounded down; 0: none
    float thickness;    // of the largest ball known to be inside
    float reach;        // no vertex is farther from the frame's origin, but for rounding
    float tie;          // heights in float32 nearer to one another are not certain at any vertex
    // Filled in by the mesh layer; the last three are what trv_hull_deviation_get tells.
    trvi_solid solid;
    double volume_ratio;
    double moved; // m
    uint32_t full_vertex_count;

    // Arrays inside the same block.
    trv_vec3 *vertices;     // [vertex_count]
    float *columns;         // [3 * trvi_column_length] their x, then y, then z; none for many
    trv_plane *planes;      // [face_count] unit outward normal; no vertex of the face is above
    float *face_areas;      // [face_count]
    uint32_t *face_first;   // [face_count + 1] first half-edge of each face
    uint32_t *edge_origin;  // [half_edge_count] vertex where the half-edge starts
    uint32_t *edge_twin;    // [half_edge_count]
    uint32_t *edge_face;    // [half_edge_count]
    uint32_t *vertex_edge;  // [vertex_count] one half-edge that starts here
    uint32_t *vertex_faces; // [half_edge_count] in order round a vertex, from neighbor_first of it
    uint32_t *neighbor_first; // [vertex_count + 1] into `neighbors`
    uint32_t *neighbors;      // [half_edge_count] vertices joined to a vertex by an edge, ascending
    trvi_fan *fans;           // [vertex_count]; none for few vertices, nor the next two
    uint32_t *crowd_first;    // [vertex_count + 1] into `crowds`
    trvi_four *crowds;        // neighbours that a fan has no place for
    uint32_t *seeds;          // [6 seed_grid^2] a vertex far out in the direction of each cell
    trvi_cluster *clusters;   // [trvi_cluster_count]
    uint32_t *cluster_order;  // [vertex_count]; none without clusters
    uint8_t *face_pieces;     // [face_count] 1: a neighbour is all but in the same plane
    uint8_t *face_united;     // [face_count] bits, above
    uint32_t *face_order;     // [face_count] as the tree's leaves hold them; none without a tree
    trvi_plane_bounds *plane_bounds; // [2 * plane_leaves] of node n; its children are 2n, 2n + 1
};

typedef struct trv_hull trv_hull;

// How many numbers a column has: vertex 0 fills up the last eight. 0 where there are none.
static inline uint32_t trvi_column_length(uint32_t vertex_count)
{
    return vertex_count <= TRVI_COLUMN_VERTICES ? (vertex_count + 7u) & ~7u : 0u;
}

// How many fours of crowds there are at most: d neighbours, three at least, need no more than
// (d - 3) / 4.
static inline uint32_t trvi_crowd_limit(uint32_t vertex_count, uint32_t half_edge_count)
{
    return (uint32_t)((half_edge_count - 3 * (uint64_t)vertex_count) / 4);
}

// Cells of clusters along each side of a face of a cube, of which each takes some dozens of the seeds.
static inline uint32_t trvi_cluster_grid(uint32_t seed_grid)
{
    return (seed_grid + 7) / 8;
}

// How many clusters there are: 0 for few vertices.
static inline uint32_t trvi_cluster_count(uint32_t vertex_count, uint32_t seed_grid)
{
    uint32_t grid = trvi_cluster_grid(seed_grid);
    return vertex_count >= TRVI_CLUSTER_VERTICES ? 6 * grid * grid : 0;
}

// Builds the block from vertices and face loops: the loop of face f is
// loops[face_first[f] .. face_first[f + 1]). Copies everything; `solid` is left zero.
// TRV_ERROR_INDEX, TRV_ERROR_OPEN (not a closed two-manifold of Euler characteristic 2, or a vertex
// without edges), TRV_ERROR_MEMORY. One reference is held by the caller.
trv_result trvi_convex_build(const trv_allocator *allocator, const trv_vec3 *vertices,
                             uint32_t vertex_count, const uint32_t *face_first,
                             const uint32_t *loops, uint32_t face_count, trv_hull **hull);

// The same without what only questions need, for hulls that are not to stay: the table of seeds, the
// columns, the faces round vertices, what faces are like and the inner ball, which trvi_convex_finish()
// fills in.
// `normals` are the unit normals of the faces, or NULL for those that follow from their corners.
trv_result trvi_convex_build_bare(const trv_allocator *allocator, const trv_vec3 *vertices,
                                  uint32_t vertex_count, const uint32_t *face_first,
                                  const uint32_t *loops, uint32_t face_count,
                                  const trv_vec3 *normals, trv_hull **hull);
void trvi_convex_finish(trv_hull *hull);

// Gives a face the plane with this unit normal and an offset that no vertex of the face is above,
// rounded to the safe side. Part of building: never after the hull has been handed out.
void trvi_convex_set_plane(trv_hull *hull, uint32_t face, trv_vec3 normal);

// The tree of planes, which finds the few planes that a point may be above. The root is node 1, and
// leaf i of the `plane_leaves` is node plane_leaves + i. How many leaves there are to be, 0 for few
// faces:
uint32_t trvi_plane_leaves(uint32_t face_count);

// Grows the tree, where there is to be one, when the last plane has been set. Part of building; a hull
// without a tree does as well, but more slowly.
void trvi_plane_tree_build(trv_hull *hull);

// clusters.c: part of building.
void trvi_clusters_build(trv_hull *hull);

// The faces of a leaf: face_order[trvi_leaf_first(hull, i) .. trvi_leaf_first(hull, i + 1)).
static inline uint32_t trvi_leaf_first(const trv_hull *hull, uint32_t leaf)
{
    return (uint32_t)((uint64_t)hull->face_count * leaf / hull->plane_leaves);
}

// Adds a reference; drops one and frees the block with the last. Safe from any thread.
void trvi_convex_retain(const trv_hull *hull);
void trvi_convex_release(const trv_hull *hull);

static inline uint32_t trvi_grid_place(double ratio, uint32_t grid)
{
    double place = (ratio + 1.0) * (0.5 * grid);
    if (!(place > 0.0))
        return 0;
    return place < grid ? (uint32_t)place : grid - 1;
}

// The cell of a direction, which need not be unit; any cell for zero or NaN.
static inline uint32_t trvi_seed_cell(uint32_t grid, trvi_dvec3 d)
{
    double x = fabs(d.x), y = fabs(d.y), z = fabs(d.z);
    uint32_t side;
    double largest, u, v;
    if (x >= y && x >= z) {
        side = d.x < 0.0 ? 1 : 0, largest = x, u = d.y, v = d.z;
    } else if (y >= z) {
        side = d.y < 0.0 ? 3 : 2, largest = y, u = d.z, v = d.x;
    } else {
        side = d.z < 0.0 ? 5 : 4, largest = z, u = d.x, v = d.y;
    }
    double inverse = largest > 0.0 ? 1.0 / largest : 0.0;
    uint32_t row = trvi_grid_place(u * inverse, grid);
    return (side * grid + row) * grid + trvi_grid_place(v * inverse, grid);
}

// All bits of the faces round a vertex.
static inline uint8_t trvi_bits_around(const uint32_t *neighbor_first, const uint32_t *vertex_faces,
                                       const uint8_t *face_united, uint32_t vertex)
{
    uint8_t bits = 0;
    for (uint32_t i = neighbor_first[vertex]; i < neighbor_first[vertex + 1]; i++)
        bits |= face_united[vertex_faces[i]];
    return bits;
}

// Are all faces round a vertex as the exact hull has them, and so all its neighbours? Where it is
// higher than these, it is the highest vertex: no uniting elsewhere can put one above it.
static inline bool trvi_is_whole(const uint32_t *neighbor_first, const uint32_t *vertex_faces,
                                 const uint8_t *face_united, uint32_t vertex)
{
    return trvi_bits_around(neighbor_first, vertex_faces, face_united, vertex) == 0;
}

// Has a face round a vertex dents? Then only a look at every vertex tells whether it is the highest.
static inline bool trvi_is_dented(const uint32_t *neighbor_first, const uint32_t *vertex_faces,
                                  const uint8_t *face_united, uint32_t vertex)
{
    uint8_t bits = trvi_bits_around(neighbor_first, vertex_faces, face_united, vertex);
    return (bits & TRVI_FACE_DENTED) != 0;
}

// The half-edge after / before `edge` round its face.
static inline uint32_t trvi_edge_next(const trv_hull *hull, uint32_t edge)
{
    uint32_t face = hull->edge_face[edge];
    return edge + 1 < hull->face_first[face + 1] ? edge + 1 : hull->face_first[face];
}

static inline uint32_t trvi_edge_previous(const trv_hull *hull, uint32_t edge)
{
    uint32_t face = hull->edge_face[edge];
    return edge > hull->face_first[face] ? edge - 1 : hull->face_first[face + 1] - 1;
}

static inline uint32_t trvi_edge_end(const trv_hull *hull, uint32_t edge)
{
    return hull->edge_origin[trvi_edge_next(hull, edge)];
}

#endif
