/// @file
/// Trivet drawing: what a world knows, told as segments, triangles, points and words, for debugging.
///
/// The library draws nothing itself: it calls a pen that the caller lends, with an ink that says what a
/// stroke means. All of this is const and allocates nothing; strokes come in an order that depends on
/// the world's state alone. Between steps only (TRV_ERROR_BUSY).
#ifndef TRIVET_DRAW_H
#define TRIVET_DRAW_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a stroke means.
typedef enum trv_ink {
    TRV_INK_STATIC, ///< shapes, by what their body does
    TRV_INK_KINEMATIC,
    TRV_INK_AWAKE,
    TRV_INK_ASLEEP,
    TRV_INK_DISABLED,
    TRV_INK_SENSOR,
    TRV_INK_BOUNDS_EXACT, ///< a box round every vertex
    TRV_INK_BOUNDS_REST,  ///< a box round the eight corners of the rest box
    TRV_INK_REST_BOX,     ///< that rest box, turned with its body
    TRV_INK_BOUNDS_FAT,   ///< what pairs are made of
    TRV_INK_PAIR,         ///< two shapes whose fat boxes overlap
    TRV_INK_CONTACT,      ///< a point of contact that touches
    TRV_INK_NEAR,         ///< one that does not touch yet
    TRV_INK_NORMAL,       ///< from A to B
    TRV_INK_PLANE,        ///< keeps two shapes apart
    TRV_INK_FEATURE,      ///< the face, or the edges, that made the plane
    TRV_INK_SUPPORT,      ///< vertices that the plane leans on
    TRV_INK_CLIMB,        ///< edges on which a search climbs to the vertex nearest to a plane
    TRV_INK_HEAP,         ///< joins what sleeps together
    TRV_INK_CENTER,       ///< of mass
    TRV_INK_VELOCITY,     ///< of the centre of mass
    TRV_INK_HIT,          ///< two shapes have just met
    TRV_INK_COUNT
} trv_ink;

/// A colour to begin with, 0xRRGGBB, and one or two words for a legend, never NULL.
TRV_API uint32_t trv_ink_rgb(trv_ink ink);
TRV_API const char *trv_ink_text(trv_ink ink);

/// What draws, in world space. Those that are NULL are left out. They are called from the thread that
/// made the call, may ask the world const questions, and must not change it.
typedef struct trv_pen {
    void *user;
    void (*segment)(void *user, trv_vec3 a, trv_vec3 b, trv_ink ink);
    /// Counter-clockwise seen from outside; planes from the side of B.
    void (*triangle)(void *user, trv_triangle triangle, trv_ink ink);
    void (*point)(void *user, trv_vec3 at, trv_ink ink);
    /// `text` is valid during the call only.
    void (*text)(void *user, trv_vec3 at, const char *text, trv_ink ink);
} trv_pen;

/// What to draw, joined by |.
typedef enum trv_draw_part {
    TRV_DRAW_SHAPES = 1,       ///< edges of shapes; half-spaces as a piece of their plane
    TRV_DRAW_FACES = 2,        ///< their faces, as triangles
    TRV_DRAW_BOUNDS_EXACT = 4, ///< boxes in the one of Lander's ways and in the other, whichever of
    TRV_DRAW_BOUNDS_REST = 8,  ///< them a shape has: side by side they show what each is worth
    TRV_DRAW_REST_BOXES = 16,  ///< what the second way turns
    TRV_DRAW_BOUNDS_FAT = 32,  ///< the broadphase's boxes
    TRV_DRAW_PAIRS = 64,       ///< from middle to middle
    TRV_DRAW_CONTACTS = 128,   ///< points, with normals
    TRV_DRAW_PLANES = 256,     ///< separating planes of near pairs, with what made them
    TRV_DRAW_CLIMBS = 512,     ///< climbs to the vertices that these planes lean on, on large hulls
    TRV_DRAW_HEAPS = 1024,     ///< what fell asleep together
    TRV_DRAW_CENTERS = 2048,   ///< centres of mass
    TRV_DRAW_VELOCITIES = 4096, ///< from the centre to where it would be after `velocity_time`
    TRV_DRAW_HITS = 8192,       ///< hit events of the last step
    TRV_DRAW_NUMBERS = 16384,   ///< index1 of bodies, and what made a plane, as text
    TRV_DRAW_ALL = 32767
} trv_draw_part;

/// How to draw a world. Make it with trv_default_draw_def().
typedef struct trv_draw_def {
    uint32_t cookie;
    uint32_t parts; ///< of trv_draw_part (TRV_ERROR_RANGE for others); default SHAPES and CONTACTS
    /// Only shapes whose bounds overlap it, and what belongs to them; default everywhere.
    trv_aabb within;
    float normal_length; ///< of contacts, m, 0..TRV_COORD_MAX; default 0.2
    float velocity_time; ///< s, 0..TRV_COORD_MAX; default 0.1
    float plane_reach; ///< half the side of the piece that is drawn of a half-space's plane, about
                       ///< the middle of `within`, m, 0..TRV_COORD_MAX; default 10
    trv_pen pen;
} trv_draw_def;

/// What holds where nothing else is said; the pen is empty.
TRV_API trv_draw_def trv_default_draw_def(void);

/// Draws the parts of the world that are asked for. TRV_ERROR_NULL, _DEF, _NUMBER, _RANGE, _BUSY.
/// Cost: linear in shapes and contacts; planes cost a trv_separate each. Planes are those of the
/// bodies' present places, so after a step some are not the ones that the step began with.
TRV_API trv_result trv_world_draw(const trv_world *world, const trv_draw_def *def);

/// Edges of a posed shape, and its faces. Round ones are drawn by circles (24 segments), and have
/// faces in 12 by 24 pieces. Compounds by their parts. Of half-spaces a piece of the plane about the
/// pose's position, 2 m wide. TRV_ERROR_NULL, and what trv_shape_check and the pose's check say.
TRV_API trv_result trv_shape_draw(const trv_shape *shape, trv_pose pose, trv_ink ink,
                                  const trv_pen *pen);
TRV_API trv_result trv_shape_draw_faces(const trv_shape *shape, trv_pose pose, trv_ink ink,
                                        const trv_pen *pen);

/// The plane of trv_separate as a quad as large as the smaller shape, its normal, and on each shape
/// the face, edge or vertex that made it. Draws nothing where the shapes are not apart. The shapes and
/// poses are those that were asked about; of compounds the parts that the separation names.
/// Faces of a box are counted -x +x -y +y -z +z, and vertex v is at the upper end of axis k where
/// bit k of v is set. TRV_ERROR_INDEX where the separation is not of these shapes; else as above.
TRV_API trv_result trv_separation_draw(const trv_separation *separation, const trv_shape *a,
                                       trv_pose pose_a, const trv_shape *b, trv_pose pose_b,
                                       const trv_pen *pen);

/// The climb over a hull's edges to the vertex farthest in `direction` (world space, any length but
/// zero), from where a search without memory begins: edges, and the first and last vertex as points.
/// Other shapes than hulls are not climbed: nothing is drawn.
/// Source: Gilbert, Johnson and Keerthi 1988, hill climbing as in src/narrow.
TRV_API trv_result trv_climb_draw(const trv_shape *shape, trv_pose pose, trv_vec3 direction,
                                  const trv_pen *pen);

#ifdef __cplusplus
}
#endif

#endif
