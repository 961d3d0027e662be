// What the files that draw share: solids as corners and faces, and strokes.
#ifndef TRVI_DRAW_DATA_H
#define TRVI_DRAW_DATA_H

#include <trivet/draw.h>

#include "base.h"
#include "math/math.h"

// A box or hull as its vertices and faces, a capsule or sphere as the ends of its segment. The frame
// leads from there to the world. Points into itself where it has vertices of its own: not to be copied.
typedef struct trvi_outline {
    trv_pose frame;
    const trv_vec3 *vertices;
    const uint32_t *face_first;
    const uint32_t *corners; // corner i is where half-edge i begins
    uint32_t vertex_count, face_count;
    trv_vec3 own[8];
} trvi_outline;

static inline trv_result trvi_check_posed(const trv_shape *shape, trv_pose pose)
{
    trv_result result = trv_shape_check(shape);
    return result != TRV_OK ? result : trvi_check_pose(pose);
}

// Any kind but a compound; of half-spaces nothing but the frame.
void trvi_outline_set(trvi_outline *outline, const trv_shape *solid, trv_pose pose);

static inline trv_vec3 trvi_outline_vertex(const trvi_outline *outline, uint32_t vertex)
{
    return trvi_pose_apply(outline->frame, outline->vertices[vertex]);
}

void trvi_stroke(const trv_pen *pen, trv_vec3 a, trv_vec3 b, trv_ink ink);
void trvi_dot_at(const trv_pen *pen, trv_vec3 at, trv_ink ink);
void trvi_fill(const trv_pen *pen, trv_vec3 a, trv_vec3 b, trv_vec3 c, trv_ink ink);
void trvi_write(const trv_pen *pen, trv_vec3 at, const char *text, trv_ink ink);
void trvi_draw_face_edges(const trvi_outline *outline, uint32_t face, const trv_pen *pen,
                          trv_ink ink);
void trvi_draw_aabb(const trv_pen *pen, trv_aabb box, trv_ink ink);
// A square about `middle`, at right angles to unit `normal`.
void trvi_draw_square(const trv_pen *pen, trv_vec3 middle, trv_vec3 normal, float half, bool fill,
                      trv_ink ink);

// One solid, no compound, known to be good: its edges, or its faces. Of half-spaces the piece of the
// plane about the point nearest to `near`.
void trvi_draw_solid(const trv_shape *solid, trv_pose pose, bool faces, trv_vec3 near, float reach,
                     trv_ink ink, const trv_pen *pen);

// A unit vector at right angles to the unit vector `n`.
trv_vec3 trvi_across(trv_vec3 n);

#endif
