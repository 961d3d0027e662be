/// @file
/// Trivet meshes: OBJ text to polygons, polygons to convex hulls, bounds and mass.
///
/// A mesh is what the file says: vertices, polygons, parts (one per object or group). A hull is what
/// the convex tests take: immutable, shared by reference count, any number of vertices and sides.
#ifndef TRIVET_MESH_H
#define TRIVET_MESH_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What an OBJ file says: vertices, polygons, parts.
typedef struct trv_mesh trv_mesh;
/// A convex hull: immutable, shared by reference count.
typedef struct trv_hull trv_hull;

/// How to read an OBJ file. Make it with trv_default_obj_def().
typedef struct trv_obj_def {
    uint32_t cookie;
    uint32_t max_vertices; ///< TRV_ERROR_LIMIT beyond; default 1 << 28
    uint32_t max_corners;  ///< face corners in all; TRV_ERROR_LIMIT beyond; default 1 << 28
    uint32_t max_bytes; ///< of text; TRV_ERROR_LIMIT beyond; default 4 GiB - 1, the most there is
    bool keep_normals; ///< keep `vn` lines, for trv_mesh_normals(); default false: they are skipped
    trv_allocator allocator;
} trv_obj_def;

/// What holds where nothing else is said.
TRV_API trv_obj_def trv_default_obj_def(void);

/// What reading a file came to. On failure `line`, `column` (both from 1; columns in bytes) and
/// `reason` say where and why, line 0 means the file as a whole, and the counts are zero.
typedef struct trv_obj_report {
    trv_result result;
    uint32_t line;
    uint32_t column;
    char reason[128];       ///< English, no line end, never empty on failure
    uint32_t vertices;      ///< `v` lines
    uint32_t faces;         ///< polygons kept
    uint32_t parts;         ///< objects or groups that own at least one face, or 1 for points only
    uint32_t skipped_faces; ///< faces with fewer than three corners
    uint32_t ignored_lines; ///< lines with a keyword that has no bearing on geometry
    uint32_t ignored_indices; ///< texture and normal indices that name nothing
    bool byte_order_mark;     ///< one was skipped
} trv_obj_report;

/// A run of faces that the file put under one object (`o`) or group (`g`). Every such statement
/// begins a new part, also one that repeats an earlier name; one without faces leaves none. Faces
/// before the first statement are a part named "".
typedef struct trv_mesh_part {
    const char *name; ///< zero-terminated, bytes as in the file, blanks as single spaces
    uint32_t first_face;
    uint32_t face_count; ///< 0 in a mesh of points only
} trv_mesh_part;

/// Reads Wavefront OBJ text: polygons and points; everything else is skipped. Numbers are decimal
/// whatever the locale, and round to the nearest float. Refuses with the place and reason in
/// `report` (which may be NULL), and leaves no mesh:
/// TRV_ERROR_SYNTAX     a malformed number or face reference, a vertex with fewer than three
///                      numbers, a zero byte, UTF-16
/// TRV_ERROR_NUMBER     a coordinate spelled nan or inf
/// TRV_ERROR_RANGE      a coordinate beyond TRV_COORD_MAX
/// TRV_ERROR_INDEX      a face that names no vertex; faces may precede the vertices they name
/// TRV_ERROR_NO_GEOMETRY, _LIMIT, _MEMORY, _FILE, _DEF, _NULL
/// Accepts LF, CR LF and CR, a UTF-8 byte order mark, comments anywhere, negative indices, v, v/t,
/// v//n and v/t/n mixed in one face, more than three numbers in a vertex, and lines joined by a
/// backslash at their end (which counts as a blank; in a comment it does nothing). Skips, and
/// counts in `report`: faces with fewer than three corners (their indices must be right all the same),
/// texture and normal indices that name nothing.
/// Cost: linear; a second pass only where such indices, or an error, have to be found again. Opens
/// no other file. Memory: the file, its mesh, and little more.
/// Normals that are to be kept never make it refuse a file, but for TRV_ERROR_LIMIT where there are more
/// of them than `max_vertices`: one that is malformed or not finite is zero, and an ignored line.
/// Source: Wavefront Technologies 1992, "Advanced Visualizer Manual", Appendix B1.
TRV_API trv_result trv_mesh_read_obj_memory(const void *text, size_t size, const trv_obj_def *def,
                                            trv_mesh **mesh, trv_obj_report *report);
TRV_API trv_result trv_mesh_read_obj_file(const char *path, const trv_obj_def *def, trv_mesh **mesh,
                                          trv_obj_report *report);

/// Frees a mesh; NULL is allowed.
TRV_API void trv_mesh_destroy(trv_mesh *mesh);

/// The arrays of a mesh; they live as long as it does. NULL meshes have none (NULL, 0).
TRV_API const trv_vec3 *trv_mesh_vertices(const trv_mesh *mesh, uint32_t *count);
/// Face f has the corners corners[first[f] .. first[f + 1]), indices from 0 into the vertices.
TRV_API uint32_t trv_mesh_faces(const trv_mesh *mesh, const uint32_t **first,
                                const uint32_t **corners);
/// How many parts; 0 for NULL.
TRV_API uint32_t trv_mesh_part_count(const trv_mesh *mesh);
/// TRV_ERROR_INDEX where part >= trv_mesh_part_count().
TRV_API trv_result trv_mesh_part_get(const trv_mesh *mesh, uint32_t part, trv_mesh_part *out);

/// "No such normal" of a corner.
#define TRV_NO_NORMAL UINT32_MAX
/// The normals of the file (`vn`), of the lengths that they have there; they live as long as the mesh.
/// NULL and 0 where it has none, has no faces, or they were not kept (trv_obj_def). Corner i has the normal
/// of_corners[i], or TRV_NO_NORMAL.
TRV_API const trv_vec3 *trv_mesh_normals(const trv_mesh *mesh, uint32_t *count,
                                         const uint32_t **of_corners);

/// Stands for all parts of a mesh at once.
#define TRV_ALL_PARTS UINT32_MAX
/// "No such face" in a topology.
#define TRV_NO_FACE UINT32_MAX

/// What a surface is. Vertices at equal positions count as one; polygons count as the fan of
/// triangles from their first corner; triangles with two corners at one position are passed over.
/// Without any triangle every verdict is false.
typedef struct trv_mesh_topology {
    bool closed;   ///< every edge is used twice, once in each direction
    bool manifold; ///< no edge is used more than twice, and the triangles at a vertex form one fan
    bool oriented; ///< no edge is used twice in the same direction
    /// Closed, manifold, facing outward round a volume, and no vertex above a face by more than
    /// 1e-5 of the bounding box's diagonal and what rounding the face's corners explains.
    /// Faces that are planar to that measure are judged whole, others by their triangles.
    bool convex;
    uint32_t open_face;        ///< first face at an edge that is not closed, or TRV_NO_FACE
    uint32_t nonmanifold_face; ///< first face at an edge or vertex that is not, or TRV_NO_FACE
    uint32_t concave_face;     ///< first face with a vertex above; only where closed and manifold
    uint32_t welded;           ///< vertices in use that share a position with another one before
    uint32_t boundary_edges;   ///< edges that are used once
} trv_mesh_topology;

/// The topology of one part or of TRV_ALL_PARTS. TRV_ERROR_NULL, _INDEX, _MEMORY. Cost O(n log n)
/// for n corners, but for the test of convexity: that is nearly linear on flat sides, however finely
/// divided, takes O(n^1.5) on smooth convex surfaces, O(n^2) at worst, and ends at the first concave
/// face.
TRV_API trv_result trv_mesh_check(const trv_mesh *mesh, uint32_t part, trv_mesh_topology *out);

/// How to come to the normal of a face.
typedef enum trv_face_normal {
    /// The cross product of a triangle's sides; of polygons Newell's sum, which is the direction of
    /// their vector area, be they concave or warped.
    TRV_FACE_NORMAL_CROSS,
    /// The mean of the normals that the file gives the face's corners (trv_obj_def.keep_normals). For
    /// shading that has the face's look. It is not perpendicular to the face: as a separating plane
    /// it separates what overlaps.
    TRV_FACE_NORMAL_AVERAGE
} trv_face_normal;

/// How much each face has to say in the normal of a vertex.
typedef enum trv_vertex_normal {
    /// Its angle at the vertex: the same however flat sides are cut into faces.
    TRV_VERTEX_NORMAL_ANGLE,
    TRV_VERTEX_NORMAL_AREA ///< Its area.
} trv_vertex_normal;

/// What there is to say of normals that were made.
typedef struct trv_normal_report {
    uint32_t zero; ///< normals that are zero, since there is no direction to give
    uint32_t
        replaced; ///< faces that AVERAGE gave their CROSS normal: a corner has none, or they cancel
} trv_normal_report;

/// One unit normal for each face of the mesh, in the order of the faces, good to float32. CROSS gives
/// zero for a face without area, which is decided exactly for triangles; AVERAGE does not look at the
/// area where it has a mean. `capacity` is that of `out`, no less than the count of faces; `report`
/// may be NULL. TRV_ERROR_NULL, _RANGE (unknown `how`), _LIMIT; `out` is then zero. Cost: corners.
/// Source: Sutherland, Sproull and Schumacker 1974, "A Characterization of Ten Hidden-Surface
/// Algorithms", which has the sum from Newell; Lander 1999 (the mean).
TRV_API trv_result trv_mesh_face_normals(const trv_mesh *mesh, trv_face_normal how, trv_vec3 *out,
                                         uint32_t capacity, trv_normal_report *report);

/// One unit normal for each vertex: the mean of the normals (CROSS) of the faces that name it, by weight.
/// Vertices at equal positions stay apart, as they do at hard edges. Zero for one that no face with an
/// area names, or where they cancel. Else as trv_mesh_face_normals; TRV_ERROR_MEMORY of the mesh's
/// allocator. Source: Thuermer and Wuethrich 1998, "Computing Vertex Normals from Polygonal Facets".
TRV_API trv_result trv_mesh_vertex_normals(const trv_mesh *mesh, trv_vertex_normal how,
                                           trv_vec3 *out, uint32_t capacity,
                                           trv_normal_report *report);

/// Which faces meet at which edges, of one part of a mesh or of all; it outlives the mesh.
typedef struct trv_adjacency trv_adjacency;

/// "No such side": the twin of a side that has none.
#define TRV_NO_SIDE UINT32_MAX
/// "No such edge": of a side that is none.
#define TRV_NO_EDGE UINT32_MAX

/// An edge, whatever the directions in which faces run along it.
typedef struct trv_mesh_edge {
    uint32_t vertices[2]; ///< of the mesh, in the direction of its first side
    uint32_t
        faces[2]; ///< of the mesh, at its first two sides; the second is TRV_NO_FACE where open
    uint32_t first_side; ///< the others by going from twin to twin
    uint32_t side_count; ///< 1 where open, 2 inside a surface, 3 and more where not manifold
} trv_mesh_edge;

/// A side of a face: from one corner to the next.
typedef struct trv_mesh_side {
    uint32_t edge; ///< TRV_NO_EDGE for a side without length, or of a face that is passed over
    uint32_t twin; ///< the next side at this edge, after the last the first; TRV_NO_SIDE where open
    uint32_t neighbor; ///< the face of the twin; TRV_NO_FACE where open
    bool reversed;     ///< runs against its edge
} trv_mesh_side;

/// Finds the edges of one part or of TRV_ALL_PARTS. As in trv_mesh_topology, vertices at equal positions
/// count as one, and faces without any triangle are passed over. Edges are in the order of their first
/// sides. TRV_ERROR_NULL, _INDEX, _MEMORY (of the mesh's allocator). Cost: linear in corners, by sorting
/// numbers. Source: Weiler 1988, "The Radial Edge Structure".
TRV_API trv_result trv_adjacency_create(const trv_mesh *mesh, uint32_t part, trv_adjacency **out);

/// NULL is allowed.
TRV_API void trv_adjacency_destroy(trv_adjacency *adjacency);

/// The arrays, as long as it lives; NULL and 0 of NULL. Side i begins at corner i of the part: that is
/// corners[first[first_face] + i] of trv_mesh_faces, where first_face is the part's, or 0.
TRV_API const trv_mesh_edge *trv_adjacency_edges(const trv_adjacency *adjacency, uint32_t *count);
TRV_API const trv_mesh_side *trv_adjacency_sides(const trv_adjacency *adjacency, uint32_t *count);

/// Cuts the faces of one part, or of TRV_ALL_PARTS, into triangles: n - 2 of a face with n corners,
/// wound as it is, in the order of the faces. `triangles` takes three vertex indices for each of at
/// most `capacity` triangles; with NULL (and 0) they are only counted. Convex faces are cut as fans
/// from their first corner. Concave ones are cut inside their outline as seen along their normal,
/// which may touch itself, as around a hole joined by a bridge; where it crosses itself, some
/// triangles overlap. TRV_ERROR_NULL, _INDEX, _LIMIT (capacity too small), _MEMORY (of the mesh's
/// allocator). Cost: corners, and for concave faces about corners^2 until that comes to some 10^7 for
/// a face, twice that for all, and from then on some hundred for each corner: what is left of a face
/// by then, which sane ones of up to some thousand corners never need, is cut as a fan. Source:
/// Meisters 1975, "Polygons Have Ears".
TRV_API trv_result trv_mesh_triangulate(const trv_mesh *mesh, uint32_t part, uint32_t *triangles,
                                        uint32_t capacity, uint32_t *count);

/// Volume, centre of mass and inertia at a density.
typedef struct trv_mass {
    float mass;       ///< kg
    trv_vec3 center;  ///< of mass, m
    float inertia[6]; ///< about `center`, kg m^2: xx yy zz xy xz yz, products as in the tensor
} trv_mass;

/// Mass of a closed, outward mesh at `density` kg/m^3 (> 0). TRV_ERROR_OPEN, _INVERTED; _VOLUME where
/// there is none, or so much of it is negative, of surfaces that run through one another, that the
/// centroid is outside the bounds. Accumulated in double about the centre of the bounding box.
TRV_API trv_result trv_mesh_mass(const trv_mesh *mesh, uint32_t part, float density, trv_mass *out);

/// What a hull with a limited number of vertices is to the hull of the points.
typedef enum trv_hull_limit {
    TRV_HULL_INNER, ///< inside: its vertices are some of the points
    TRV_HULL_OUTER  ///< outside: it contains every point, and its vertices are new ones
} trv_hull_limit;

/// How to build a hull. Make it with trv_default_hull_def().
typedef struct trv_hull_def {
    uint32_t cookie;
    uint32_t max_vertices; ///< the most that the hull may have, 4 and up, or 0 for any; default 0
    trv_hull_limit limit;  ///< what to do where there are more; default TRV_HULL_INNER
    uint32_t max_points;   ///< TRV_ERROR_LIMIT beyond; default 1 << 26, at most 1 << 28
    trv_vec3 scale;        ///< applied to each point first, each component not 0; default (1, 1, 1)
    trv_vec3 offset;       ///< added after scaling, m; default 0
    trv_allocator allocator;
} trv_hull_def;

/// What holds where nothing else is said.
TRV_API trv_hull_def trv_default_hull_def(void);

/// The convex hull of `count` points. The hull of the float32 input is found exactly; then faces that
/// are coplanar but for rounding become one, so that what was modelled as a polygon is a polygon. A
/// face's corners lie in a slab no thicker than 4e-6 of the bounding box's diagonal plus 4.8e-7 of
/// the largest coordinate (less for thin hulls: 1e-3 of volume over surface), and no point, whether
/// corner or not, is farther outside a plane than that. Points that are no corner are dropped; the
/// others keep their order. Mass is that of the exact hull. The same points in any order give the same
/// set of faces and the same mass, bit for bit; in the same order they give the same arrays. Exactly
/// coplanar triangles are always one face. TRV_ERROR_TOO_FEW, _COINCIDENT, _COLLINEAR, _COPLANAR
/// (decided exactly, after scale and offset), _NULL, _DEF, _NUMBER, _RANGE, _LIMIT, _MEMORY, _VOLUME. Cost O(n log n) expected; no recursion.
/// Where that has more than `max_vertices` it is made simpler. TRV_HULL_INNER keeps those vertices with
/// which it keeps most of its volume, nearly. TRV_HULL_OUTER keeps the planes without which it would
/// grow most and moves them out until every point is inside the hull of the new vertices, exactly; that
/// is a few millionths of the size for solids that are not thin. What a limit changed is told by
/// trv_hull_deviation_get(). Mass is that of the simpler hull. TRV_ERROR_RANGE for 1 to 3 vertices, and
/// where outer vertices would be beyond TRV_COORD_MAX. Cost O(n log n) in the vertices of the full hull,
/// and O(n max_vertices).
/// Source: Barber, Dobkin and Huhdanpaa 1996, "The Quickhull algorithm for convex hulls".
TRV_API trv_result trv_hull_create(const trv_vec3 *points, uint32_t count, const trv_hull_def *def,
                                   trv_hull **hull);

/// The hull of one part of a mesh (or of TRV_ALL_PARTS): of the vertices that its faces use, or of
/// all vertices where it has no faces.
TRV_API trv_result trv_hull_create_from_mesh(const trv_mesh *mesh, uint32_t part,
                                             const trv_hull_def *def, trv_hull **hull);

/// Another owner; every owner calls trv_hull_release once, and the last one frees. Thread-safe.
/// Worlds own the hulls of their shapes. NULL is allowed.
TRV_API void trv_hull_retain(const trv_hull *hull);
TRV_API void trv_hull_release(const trv_hull *hull);

/// What a limit of vertices changed. Without need of one, the ratio is 1 and the distance 0: what counts as
/// flat (see trv_hull_create) is not in it.
typedef struct trv_hull_deviation {
    uint32_t full_vertex_count; ///< of the hull without the limit
    double volume_ratio;        ///< the hull's volume over that of the exact hull of the points
    double distance;            ///< m, the largest between the surface of one and the other's
} trv_hull_deviation;

/// TRV_ERROR_NULL.
TRV_API trv_result trv_hull_deviation_get(const trv_hull *hull, trv_hull_deviation *out);

/// The arrays of a hull, in its own frame.
TRV_API const trv_vec3 *trv_hull_vertices(const trv_hull *hull, uint32_t *count);
/// Face f has the corners corners[first[f] .. first[f + 1]), counter-clockwise from outside.
TRV_API uint32_t trv_hull_faces(const trv_hull *hull, const uint32_t **first,
                                const uint32_t **corners);
/// One for each face: unit outward normal; no corner of the face is above it.
TRV_API const trv_plane *trv_hull_planes(const trv_hull *hull, uint32_t *count);
/// Of the vertices; zero for NULL.
TRV_API trv_aabb trv_hull_bounds(const trv_hull *hull);
/// Mass at `density` kg/m^3 (> 0).
TRV_API trv_result trv_hull_mass(const trv_hull *hull, float density, trv_mass *out);

/// Lander's first way: the box of every vertex under the pose. Exact up to rounding; O(count).
/// No points yield the box of the pose's position; a NaN or infinite number anywhere yields NaN
/// bounds, which overlap nothing. Source: Lander 1999, Listing 1.
TRV_API trv_aabb trv_bounds_of_vertices(const trv_vec3 *points, uint32_t count, trv_pose pose);

/// Lander's second way: the box of the eight corners of a rest-pose box under the pose. O(1), and
/// looser. NaN yields NaN bounds. Source: Lander 1999, Listing 2, evaluated as centre and extents.
TRV_API trv_aabb trv_bounds_of_box(trv_obb rest, trv_pose pose);

/// Where the search for a hull's bounds ended, so that the next one begins there: one for each body,
/// owned by the caller, all zero at first. Its numbers are hints, right or wrong.
typedef struct trv_bounds_cache {
    uint32_t vertex[6]; ///< the farthest along -x, +x, -y, +y, -z, +z
} trv_bounds_cache;

/// Lander's first way for a hull, without looking at every vertex: the box of its six farthest ones
/// under the pose, each found by climbing from the last one. Contains every vertex. Tight, and equal
/// to trv_bounds_of_vertices up to rounding in double; may be larger by 1e-6 of the hull's radius on each
/// side where some face of the hull is flat only within a tolerance. `cache` may be NULL; it only saves
/// time. TRV_ERROR_NULL, _NUMBER, _RANGE, _ROTATION. Cost: a few edges for each side of the box while
/// the hull turns slowly, about twice that without a cache; not the number of vertices.
TRV_API trv_result trv_bounds_of_hull(const trv_hull *hull, trv_pose pose, trv_bounds_cache *cache,
                                      trv_aabb *out);

/// The same for many bodies: hull, pose, cache and box i belong together, and hulls may repeat. Refuses
/// all, and zeroes all boxes, where one hull or pose is bad. `caches` may be NULL.
TRV_API trv_result trv_bounds_of_hulls(const trv_hull *const *hulls, const trv_pose *poses,
                                       uint32_t count, trv_bounds_cache *caches, trv_aabb *out);

/// trv_bounds_of_box for many bodies. TRV_ERROR_NULL; NaN yields NaN bounds.
TRV_API trv_result trv_bounds_of_boxes(const trv_obb *rests, const trv_pose *poses, uint32_t count,
                                       trv_aabb *out);

/// How to fit a box around points.
typedef enum trv_box_fit {
    TRV_BOX_FIT_AXES, ///< along the axes of the frame
    TRV_BOX_FIT_PCA,  ///< along the principal axes of the convex hull's volume
    TRV_BOX_FIT_TIGHT ///< nearly the smallest: a search over normals, edges and turns
} trv_box_fit;

/// A box around a hull, in the hull's frame; contains every vertex. TRV_ERROR_RANGE for an unknown
/// `fit`. Cost O(n); TIGHT some hundreds of sorts of n points (of up to 100 vertices milliseconds), and
/// the hull's allocator is called, hence TRV_ERROR_MEMORY. Source: O'Rourke 1985, "Finding Minimal
/// Enclosing Boxes".
TRV_API trv_result trv_hull_fit_box(const trv_hull *hull, trv_box_fit fit, trv_obb *out);

#ifdef __cplusplus
}
#endif

#endif
