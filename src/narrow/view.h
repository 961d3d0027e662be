// What the convex tests see of a shape: a core polyhedron, segment or point, and a radius round it.
//
// Spheres are a point with a radius, capsules a segment with a radius, boxes and hulls polyhedra
// with radius zero. A box is given the arrays that a hull has, so that nothing further on asks
// which of the two it is, except where the box's symmetry makes an answer cheap. A couple is two
// views and the place of B in A's frame, formed once in double: everything later works in A's
// frame, and far from the origin nothing cancels.
#ifndef TRVI_VIEW_H
#define TRVI_VIEW_H

#include "base.h"
#include "math/math.h"
#include "narrow.h"

#define TRVI_NO_VERTEX UINT32_MAX

// Holds pointers into itself: fill it where it stays, never copy it.
typedef struct trvi_view {
    const trv_vec3 *vertices;
    const trv_plane *planes; // per face; NULL without faces
    const float *face_areas; // not of a box, nor the next
    const uint8_t *face_pieces;
    const uint8_t *face_united;
    const uint32_t *face_first;
    const uint32_t *edge_origin;
    const uint32_t *edge_twin;
    const uint32_t *edge_face;
    const uint32_t *vertex_edge;
    const uint32_t *vertex_faces; // round vertex v, from neighbor_first[v]
    const uint32_t *neighbor_first;
    const uint32_t *neighbors;
    const uint32_t *seeds; // NULL: no climbs, every vertex is looked at
    const trv_hull *many;  // the hull, where its vertices are clustered; else NULL
    const float *columns;  // of the vertices, of a hull that has neither few nor many; else NULL
    uint32_t seed_grid;
    uint32_t vertex_count;
    uint32_t face_count; // 0 for points and segments
    uint32_t half_edge_count;
    bool is_box;
    bool united; // some faces are flat only within a tolerance
    bool dented; // ... and are no convex polygons within it
    double radius;
    double inner;        // radius of a ball about `center` inside the core; 0: none known
    double extent;       // no core vertex is farther from `center`
    double reach;        // no core vertex is farther from the frame's origin
    trvi_dvec3 half;     // of a box
    trvi_dvec3 center;   // of the core's bounds
    trvi_dmat3 rotation; // from the view's frame to the world
    trvi_dvec3 position;
    trvi_dvec3 rest; // what rounding took from the position: far out it is more than a touch
    trv_vec3 own_vertices[8];
    trv_plane own_planes[6];
} trvi_view;

typedef struct trvi_couple {
    trvi_view a, b;
    bool turned;           // A is the caller's B: only the names of contact points tell
    bool hasty;            // no plane is remembered: any will do that parts the cores
    const trvi_held *held; // NULL: none
    trvi_dmat3 rotation;   // from B's frame to A's
    trvi_dvec3 offset;     // B's origin in A's frame
    double scale;          // largest length in the sums below: rounding errors are relative to it
    // Of the smaller shape, radius included, or what rounding makes of none: what contact tolerances
    // refer to.
    double size;
} trvi_couple;

// How the vertices, edges and faces of a polyhedron are joined.
typedef struct trvi_sides {
    uint32_t half_edge_count;
    const uint32_t *face_first;
    const uint32_t *edge_origin;
    const uint32_t *edge_twin;
    const uint32_t *edge_face;
    const uint32_t *vertex_edge;
} trvi_sides;

// Those of a box.
extern const uint32_t trvi_box_edge_origin[24];

// The lower one of the two half-edges along each of its edges.
extern const uint32_t trvi_box_edge[24];

// Straight from the shape; false where it has no faces.
bool trvi_sides_of(const trv_shape *shape, trvi_sides *sides);

// Any kind but a plane and a compound.
void trvi_view_set(trvi_view *view, const trv_shape *shape, trv_pose pose);
// Where the view's frame was placed in the world it is now placed in a frame that is itself so
// placed.
void trvi_view_nest(trvi_view *view, const trvi_dmat3 *rotation, trvi_dvec3 position);
void trvi_couple_set(trvi_couple *couple, const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                     trv_pose pose_b);

// The same in two steps. Without the second, a box has no vertices and planes of its own yet, which
// is all that the tests of two boxes need.
void trvi_couple_sketch(trvi_couple *couple, const trv_shape *a, const trv_pose *pose_a,
                        const trv_shape *b, const trv_pose *pose_b);
void trvi_couple_fill(trvi_couple *couple);

// Places views that are set: their rotations to the world, and the way from A's origin to B's
// there.
void trvi_couple_place(trvi_couple *couple, const trvi_dmat3 *rotation_a,
                       const trvi_dmat3 *rotation_b, const trvi_dvec3 *between);

// The same from two views that are placed, or set, already.
void trvi_couple_join(trvi_couple *couple);

// The farthest vertex in `direction` (the view's frame, any length). `start` is where a climb over
// the vertex graph begins, TRVI_NO_VERTEX for the seed table; it never changes the height that is
// reached by more than TRVI_CLIMB_SLACK of the extent.
uint32_t trvi_support_at(const trvi_view *view, const trvi_dvec3 *direction, uint32_t start);

// The same for a direction that is not in memory yet. Three doubles handed over by value are copied
// in pairs right after they were written one by one, which processors wait for.
static inline uint32_t trvi_support(const trvi_view *view, trvi_dvec3 direction, uint32_t start)
{
    return trvi_support_at(view, &direction, start);
}

// The farthest vertex by looking at each one.
uint32_t trvi_support_every(const trvi_view *view, trvi_dvec3 direction);

// The gap between the supporting planes of the cores along unit `n` (A's frame, from A to B):
// negative where they overlap along it. `at_a` and `at_b` are starts, and then the vertices found.
double trvi_gap_along(const trvi_couple *couple, trvi_dvec3 n, uint32_t *at_a, uint32_t *at_b);

// The same where it is likely that the starts are the vertices.
double trvi_gap_along_near(const trvi_couple *couple, trvi_dvec3 n, uint32_t *at_a, uint32_t *at_b);

// The same by looking at every vertex: no climb can have missed one.
double trvi_gap_along_every(const trvi_couple *couple, trvi_dvec3 n);

// True when gap > limit holds for certain along unit `n`: a gap that a climb may have overrated is
// looked at again vertex by vertex.
bool trvi_gap_exceeds(const trvi_couple *couple, trvi_dvec3 n, double gap, double limit);

// The face of a view with faces whose normal is best aligned with `direction`.
uint32_t trvi_best_face(const trvi_view *view, const trvi_dvec3 *direction, uint32_t start);

// The face's normal as its corners have it, of twice the face's area's length.
trvi_dvec3 trvi_face_spread(const trvi_view *view, uint32_t face);

// Plain comparisons: fmin and fmax are calls.
static inline double trvi_dmax(double a, double b)
{
    return a > b ? a : b;
}

static inline double trvi_dmin(double a, double b)
{
    return a < b ? a : b;
}

// `a` at unit length; `fallback` where it has no direction.
static inline trvi_dvec3 trvi_dnormalize_or(trvi_dvec3 a, trvi_dvec3 fallback)
{
    double square = trvi_ddot(a, a);
    if (square > 1.0e-200 && square < 1.0e200)
        return trvi_dscale(a, 1.0 / sqrt(square));
    double biggest = trvi_dmax(trvi_dmax(fabs(a.x), fabs(a.y)), fabs(a.z));
    if (!(biggest > 1.0e-150) || !(biggest < 1.0e150))
        return fallback;
    trvi_dvec3 scaled = trvi_dscale(a, 1.0 / biggest);
    return trvi_dscale(scaled, 1.0 / trvi_dlength(scaled));
}

static inline trvi_dvec3 trvi_dnegate(trvi_dvec3 a)
{
    return (trvi_dvec3){-a.x, -a.y, -a.z};
}

// A vector at right angles to `a`: its product with the axis that it is farthest from.
static inline trvi_dvec3 trvi_across(trvi_dvec3 a)
{
    double x = fabs(a.x), y = fabs(a.y), z = fabs(a.z);
    if (x <= y && x <= z)
        return (trvi_dvec3){0.0, a.z, -a.y};
    if (y <= z)
        return (trvi_dvec3){-a.z, 0.0, a.x};
    return (trvi_dvec3){a.y, -a.x, 0.0};
}

// The same at unit length; `a` is not zero.
static inline trvi_dvec3 trvi_perpendicular(trvi_dvec3 a)
{
    return trvi_dnormalize_or(trvi_across(a), (trvi_dvec3){1.0, 0.0, 0.0});
}

static inline trvi_dvec3 trvi_vertex(const trvi_view *view, uint32_t vertex)
{
    return trvi_dvec3_from(view->vertices[vertex]);
}

// A vertex of B in A's frame.
static inline trvi_dvec3 trvi_vertex_of_b(const trvi_couple *couple, uint32_t vertex)
{
    return trvi_dadd(trvi_dmat3_mul(&couple->rotation, trvi_vertex(&couple->b, vertex)),
                     couple->offset);
}

// The point of B - A that two vertices make, in A's frame.
static inline trvi_dvec3 trvi_pair_point(const trvi_couple *couple, uint32_t a, uint32_t b)
{
    return trvi_dsub(trvi_vertex_of_b(couple, b), trvi_vertex(&couple->a, a));
}

// The face's unit normal, of full length in double. Stored normals are a hair off unit length: the
// root is then its series, whose next term is below rounding.
static inline trvi_dvec3 trvi_face_normal(const trvi_view *view, uint32_t face)
{
    const trv_vec3 *stored = &view->planes[face].normal;
    const trvi_dvec3 n = {stored->x, stored->y, stored->z};
    double off = trvi_ddot(n, n) - 1.0;
    if (fabs(off) < 1.0e-6)
        return trvi_dscale(n, 1.0 - off * (0.5 - 0.375 * off));
    return trvi_dnormalize_or(n, (trvi_dvec3){0.0, 1.0, 0.0});
}

// How far out the face's plane is along its normal. No vertex of the face is above it; where the
// face was united of several, some may be below.
static inline double trvi_face_base(const trvi_view *view, uint32_t face)
{
    const trv_plane *plane = &view->planes[face];
    return -(double)plane->offset / trvi_dlength(trvi_dvec3_from(plane->normal));
}

static inline uint32_t trvi_view_next(const trvi_view *view, uint32_t edge)
{
    uint32_t face = view->edge_face[edge];
    return edge + 1 < view->face_first[face + 1] ? edge + 1 : view->face_first[face];
}

static inline uint32_t trvi_view_previous(const trvi_view *view, uint32_t edge)
{
    uint32_t face = view->edge_face[edge];
    return edge > view->face_first[face] ? edge - 1 : view->face_first[face + 1] - 1;
}

// The shares of the ways along two lines, which are not parallel, at which they are nearest each
// other. By the cross product, as a difference of dot products loses by the square of the sine.
static inline void trvi_nearest_shares(trvi_dvec3 a, trvi_dvec3 along_a, trvi_dvec3 b,
                                       trvi_dvec3 along_b, double *of_a, double *of_b)
{
    trvi_dvec3 between = trvi_dsub(b, a), n = trvi_dcross(along_a, along_b);
    double square = trvi_ddot(n, n);
    *of_a = trvi_ddot(trvi_dcross(between, along_b), n) / square;
    *of_b = trvi_ddot(trvi_dcross(between, along_a), n) / square;
}

// How well the face's normal is aligned with `d`, times its length.
static inline double trvi_alignment(const trvi_view *view, uint32_t face, trvi_dvec3 d)
{
    const trv_vec3 *n = &view->planes[face].normal;
    return d.x * n->x + d.y * n->y + d.z * n->z;
}

// The best aligned of the faces round a vertex.
static inline uint32_t trvi_face_around(const trvi_view *view, const trvi_dvec3 *direction,
                                        uint32_t vertex)
{
    const trvi_dvec3 d = {direction->x, direction->y, direction->z};
    const uint32_t *face = view->vertex_faces + view->neighbor_first[vertex];
    const uint32_t *end = view->vertex_faces + view->neighbor_first[vertex + 1];
    uint32_t best = *face;
    double best_dot = trvi_alignment(view, best, d);
    for (face++; face < end; face++) {
        double dot = trvi_alignment(view, *face, d);
        if (dot > best_dot) {
            best = *face;
            best_dot = dot;
        }
    }
    return best;
}

// The best aligned face, from one that is near it, over sides of faces.
static inline uint32_t trvi_best_face_from(const trvi_view *view, const trvi_dvec3 *direction,
                                           uint32_t start)
{
    const trvi_dvec3 d = {direction->x, direction->y, direction->z};
    uint32_t best = start;
    double best_dot = trvi_alignment(view, best, d);
    for (uint32_t step = 0; step < view->face_count; step++) {
        uint32_t from = best;
        for (uint32_t e = view->face_first[from]; e < view->face_first[from + 1]; e++) {
            uint32_t face = view->edge_face[view->edge_twin[e]];
            double dot = trvi_alignment(view, face, d);
            if (dot > best_dot) {
                best = face;
                best_dot = dot;
            }
        }
        if (best == from)
            break;
    }
    return best;
}

// From A's frame to the world.
static inline trvi_dvec3 trvi_to_world(const trvi_view *view, trvi_dvec3 point)
{
    return trvi_dadd(trvi_dmat3_mul(&view->rotation, point), view->position);
}

#endif
