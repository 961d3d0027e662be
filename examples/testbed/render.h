// The renderer: collects what a frame shows, and draws it with sun, shadow and sky.
#ifndef TESTBED_RENDER_H
#define TESTBED_RENDER_H

#include <trivet/collide.h>

#include "gl.h"
#include "space.h"

typedef struct list {
    void *items;
    uint32_t count, capacity;
} list;

// Room for one more item of `size` bytes at the end, or NULL.
void *list_add(list *l, size_t size);

typedef struct instance {
    float place[4]; // and the flash
    trv_quat turn;
    float scale[4];
    float color[4]; // alpha 0: glass
} instance;

typedef struct batch {
    const void *key; // the hull, or NULL for a batch of the renderer's own
    GLuint array, corners, instances;
    GLsizei corner_count;
    list solid, glass; // of instance
} batch;

typedef struct stroke {
    trv_vec3 from, to; // the same for points
    float color[4];
} stroke;

typedef struct flat {
    trv_vec3 place;
    float u, v; // u < 0: no texture
    float color[4];
} flat;

#define LENS 0.75f // angle of the picture's height, rad

enum { BATCH_BOX, BATCH_BALL, BATCH_HALF_BALL, BATCH_TUBE, BATCH_OWN };

typedef struct renderer {
    GLuint solid, depth, ground, strokes, flats; // programs
    GLuint shadow_texture, shadow_frame, atlas;
    GLuint ground_array, ground_corners, stroke_array, stroke_data, flat_array, flat_data;
    list batches; // of batch
    list segments, triangles, screen;
} renderer;

typedef struct eye {
    trv_vec3 place, target;
    int width, height; // of the picture
    float pixel_ratio;
    matrix view; // set by render_aim
} eye;

// False, with the reason on standard error, where the machine cannot.
bool render_start(renderer *r);
void render_stop(renderer *r);
// One byte for each pixel: how much of a glyph covers it.
void render_set_atlas(renderer *r, const unsigned char *pixels, int width, int height);
void render_forget_hulls(renderer *r);

void render_aim(eye *e);
void render_shape(renderer *r, const trv_shape *shape, trv_pose pose, trv_vec3 color, float flash,
                  bool glass);
void render_stroke(renderer *r, trv_vec3 from, trv_vec3 to, trv_vec3 color, float alpha);
void render_triangle(renderer *r, trv_triangle t, trv_vec3 color, float alpha);
// Draws all that was collected since the last time; `ground` is the plane y = 0.
void render_draw(renderer *r, const eye *e, bool ground);

#endif
