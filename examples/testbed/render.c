// How a frame is drawn: the depths that the sun sees, then everything as the camera sees it.
//
// Solids are instances of a few surfaces, each hull being one of its own, made when it is first seen.
// The shadow is a depth map of what lies about the camera's target, looked up 25 times for a soft edge.
#include "render.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shaders.h"
#include "shapes.h"

enum { SHADOW_SIZE = 2048 };
static const trv_vec3 sun = {0.44f, 0.80f, 0.41f};

void *list_add(list *l, size_t size)
{
    if (l->count == l->capacity) {
        uint32_t capacity = l->capacity ? 2 * l->capacity : 64;
        void *grown = realloc(l->items, capacity * size);
        if (grown == NULL)
            return NULL;
        l->items = grown;
        l->capacity = capacity;
    }
    return (char *)l->items + size * l->count++;
}

static GLuint compile(GLenum kind, const char *text)
{
    const char *const texts[2] = {GLSL_HEADER, text};
    GLuint shader = glCreateShader(kind);
    GLint fine;
    glShaderSource(shader, 2, texts, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &fine);
    if (!fine) {
        char message[1024];
        glGetShaderInfoLog(shader, sizeof message, NULL, message);
        fprintf(stderr, "testbed: a shader does not compile: %s\n%s\n", message, text);
    }
    return shader;
}

// 0 where it cannot be linked.
static GLuint make_program(const char *vertex, const char *fragment)
{
    GLuint program = glCreateProgram();
    GLuint parts[2] = {compile(GL_VERTEX_SHADER, vertex), compile(GL_FRAGMENT_SHADER, fragment)};
    GLint fine;
    for (int i = 0; i < 2; i++)
        glAttachShader(program, parts[i]);
    glLinkProgram(program);
    for (int i = 0; i < 2; i++)
        glDeleteShader(parts[i]);
    glGetProgramiv(program, GL_LINK_STATUS, &fine);
    return fine ? program : 0;
}

static GLuint make_buffer(const void *data, size_t size)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size, data, GL_STATIC_DRAW);
    return buffer;
}

// Attribute `index` of the buffer that is bound: floats at an offset, one for each instance or corner.
static void attribute(GLuint index, GLint floats, size_t stride, size_t offset, GLuint divisor)
{
    glEnableVertexAttribArray(index);
    glVertexAttribPointer(index, floats, GL_FLOAT, GL_FALSE, (GLsizei)stride, (const void *)offset);
    glVertexAttribDivisor(index, divisor);
}

static void add_batch(renderer *r, const void *key, surface s)
{
    batch *b = list_add(&r->batches, sizeof *b);
    if (b != NULL) {
        memset(b, 0, sizeof *b);
        b->key = key;
        b->corner_count = (GLsizei)s.count;
        glGenVertexArrays(1, &b->array);
        glBindVertexArray(b->array);
        b->corners = make_buffer(s.corners, s.count * sizeof(corner));
        attribute(0, 3, sizeof(corner), offsetof(corner, place), 0);
        attribute(1, 3, sizeof(corner), offsetof(corner, normal), 0);
        attribute(2, 4, sizeof(corner), offsetof(corner, edge), 0);
        b->instances = make_buffer(NULL, 0);
        for (GLuint i = 0; i < 4; i++)
            attribute(3 + i, 4, sizeof(instance), 16 * i, 1);
    }
    free_surface(&s);
}

static void free_batch(batch *b)
{
    glDeleteVertexArrays(1, &b->array);
    glDeleteBuffers(1, &b->corners);
    glDeleteBuffers(1, &b->instances);
    free(b->solid.items);
    free(b->glass.items);
}

void render_forget_hulls(renderer *r)
{
    batch *batches = r->batches.items;
    for (uint32_t i = BATCH_OWN; i < r->batches.count; i++)
        free_batch(&batches[i]);
    if (r->batches.count > BATCH_OWN)
        r->batches.count = BATCH_OWN;
}

static void make_shadow(renderer *r)
{
    glGenTextures(1, &r->shadow_texture);
    glBindTexture(GL_TEXTURE_2D, r->shadow_texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, SHADOW_SIZE, SHADOW_SIZE, 0,
                 GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    glGenFramebuffers(1, &r->shadow_frame);
    glBindFramebuffer(GL_FRAMEBUFFER, r->shadow_frame);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, r->shadow_texture,
                           0);
    glDrawBuffers(1, (const GLenum[]){GL_NONE});
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

static void make_arrays(renderer *r)
{
    const float far = 400.0f;
    const trv_vec3 ground[4] = {{-far, 0, -far}, {-far, 0, far}, {far, 0, -far}, {far, 0, far}};
    glGenVertexArrays(1, &r->ground_array);
    glBindVertexArray(r->ground_array);
    r->ground_corners = make_buffer(ground, sizeof ground);
    attribute(0, 3, sizeof(trv_vec3), 0, 0);
    glGenVertexArrays(1, &r->stroke_array);
    glBindVertexArray(r->stroke_array);
    r->stroke_data = make_buffer(NULL, 0);
    attribute(0, 3, sizeof(stroke), offsetof(stroke, from), 1);
    attribute(1, 3, sizeof(stroke), offsetof(stroke, to), 1);
    attribute(2, 4, sizeof(stroke), offsetof(stroke, color), 1);
    glGenVertexArrays(1, &r->flat_array);
    glBindVertexArray(r->flat_array);
    r->flat_data = make_buffer(NULL, 0);
    attribute(0, 3, sizeof(flat), offsetof(flat, place), 0);
    attribute(1, 2, sizeof(flat), offsetof(flat, u), 0);
    attribute(2, 4, sizeof(flat), offsetof(flat, color), 0);
}

bool render_start(renderer *r)
{
    memset(r, 0, sizeof *r);
    r->solid = make_program(solid_vertex, solid_fragment);
    r->depth = make_program(depth_vertex, depth_fragment);
    r->ground = make_program(ground_vertex, ground_fragment);
    r->strokes = make_program(stroke_vertex, stroke_fragment);
    r->flats = make_program(flat_vertex, flat_fragment);
    if (!r->solid || !r->depth || !r->ground || !r->strokes || !r->flats) {
        fprintf(stderr, "testbed: the shaders cannot be used here\n");
        return false;
    }
    make_shadow(r);
    make_arrays(r);
    add_batch(r, NULL, make_box_surface());
    add_batch(r, NULL, make_ball_surface());
    add_batch(r, NULL, make_half_ball_surface());
    add_batch(r, NULL, make_tube_surface());
    return r->batches.count == BATCH_OWN;
}

void render_stop(renderer *r)
{
    const GLuint programs[] = {r->solid, r->depth, r->ground, r->strokes, r->flats};
    const GLuint buffers[] = {r->ground_corners, r->stroke_data, r->flat_data};
    const GLuint arrays[] = {r->ground_array, r->stroke_array, r->flat_array};
    const GLuint textures[] = {r->shadow_texture, r->atlas};
    render_forget_hulls(r);
    for (uint32_t i = 0; i < r->batches.count; i++)
        free_batch((batch *)r->batches.items + i);
    for (int i = 0; i < 5; i++)
        glDeleteProgram(programs[i]);
    glDeleteBuffers(3, buffers);
    glDeleteVertexArrays(3, arrays);
    glDeleteTextures(2, textures);
    glDeleteFramebuffers(1, &r->shadow_frame);
    free(r->batches.items);
    free(r->segments.items);
    free(r->triangles.items);
    free(r->screen.items);
}

void render_set_atlas(renderer *r, const unsigned char *pixels, int width, int height)
{
    glGenTextures(1, &r->atlas);
    glBindTexture(GL_TEXTURE_2D, r->atlas);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, width, height, 0, GL_RED, GL_UNSIGNED_BYTE, pixels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

void render_aim(eye *e)
{
    matrix lens = perspective(LENS, (float)e->width / (float)e->height, 0.05f, 600.0f);
    matrix camera = look_at(e->place, e->target, trv_make_vec3(0, 1, 0));
    e->view = times(&lens, &camera);
}

// Collecting ---------------------------------------------------------------------------------------

static void add_instance(renderer *r, uint32_t index, trv_pose pose, trv_vec3 scale, trv_vec3 color,
                         float flash, bool glass)
{
    batch *b = (batch *)r->batches.items + index;
    instance *i = list_add(glass ? &b->glass : &b->solid, sizeof *i);
    if (i == NULL)
        return;
    instance made = {{pose.position.x, pose.position.y, pose.position.z, flash},
                     pose.rotation,
                     {scale.x, scale.y, scale.z, 1.0f},
                     {color.x, color.y, color.z, glass ? 0.0f : 1.0f}};
    *i = made;
}

static uint32_t hull_batch(renderer *r, const trv_hull *hull)
{
    const batch *batches = r->batches.items;
    for (uint32_t i = BATCH_OWN; i < r->batches.count; i++)
        if (batches[i].key == hull)
            return i;
    add_batch(r, hull, make_hull_surface(hull));
    return r->batches.count - 1;
}

// The rotation that takes +y to unit `to`.
static trv_quat from_up(trv_vec3 to)
{
    trv_vec3 axis = cross(trv_make_vec3(0, 1, 0), to);
    if (length(axis) < 1e-6f)
        return trv_quat_about(trv_make_vec3(1, 0, 0), to.y < 0.0f ? 3.1415927f : 0.0f);
    return trv_quat_about(axis, acosf(fmaxf(-1.0f, fminf(1.0f, to.y))));
}

static void add_capsule(renderer *r, const trv_capsule *c, trv_pose pose, trv_vec3 color,
                        float flash, bool glass)
{
    trv_vec3 a = trv_pose_apply(pose, c->a), b = trv_pose_apply(pose, c->b);
    trv_vec3 way = sub(c->b, c->a), round = trv_make_vec3(c->radius, c->radius, c->radius);
    // Turned with the body, so that the pattern turns about the axis too.
    trv_quat up = trv_quat_multiply(pose.rotation, from_up(unit(way)));
    trv_quat over = trv_quat_about(trv_make_vec3(1, 0, 0), 3.1415927f);
    trv_pose top = {b, up}, bottom = {a, trv_quat_multiply(up, over)};
    trv_pose middle = {scaled(add(a, b), 0.5f), up};
    add_instance(r, BATCH_HALF_BALL, top, round, color, flash, glass);
    add_instance(r, BATCH_HALF_BALL, bottom, round, color, flash, glass);
    add_instance(r, BATCH_TUBE, middle,
                 trv_make_vec3(c->radius, fmaxf(0.5f * length(way), 1e-4f), c->radius), color,
                 flash, glass);
}

void render_shape(renderer *r, const trv_shape *shape, trv_pose pose, trv_vec3 color, float flash,
                  bool glass)
{
    switch (shape->kind) {
    case TRV_SHAPE_SPHERE: {
        trv_pose center = {trv_pose_apply(pose, shape->as.sphere.center), pose.rotation};
        float radius = shape->as.sphere.radius;
        add_instance(r, BATCH_BALL, center, trv_make_vec3(radius, radius, radius), color, flash,
                     glass);
        break;
    }
    case TRV_SHAPE_CAPSULE:
        add_capsule(r, &shape->as.capsule, pose, color, flash, glass);
        break;
    case TRV_SHAPE_BOX: {
        trv_pose center = {trv_pose_apply(pose, shape->as.box.center),
                           trv_quat_multiply(pose.rotation, shape->as.box.rotation)};
        add_instance(r, BATCH_BOX, center, shape->as.box.half, color, flash, glass);
        break;
    }
    case TRV_SHAPE_HULL:
        add_instance(r, hull_batch(r, shape->as.hull), pose, trv_make_vec3(1, 1, 1), color, flash,
                     glass);
        break;
    default:
        break;
    }
}

void render_stroke(renderer *r, trv_vec3 from, trv_vec3 to, trv_vec3 color, float alpha)
{
    stroke *s = list_add(&r->segments, sizeof *s);
    stroke made = {from, to, {color.x, color.y, color.z, alpha}};
    if (s != NULL)
        *s = made;
}

void render_triangle(renderer *r, trv_triangle t, trv_vec3 color, float alpha)
{
    const trv_vec3 places[3] = {t.a, t.b, t.c};
    for (int i = 0; i < 3; i++) {
        flat *f = list_add(&r->triangles, sizeof *f);
        flat made = {places[i], -1.0f, -1.0f, {color.x, color.y, color.z, alpha}};
        if (f != NULL)
            *f = made;
    }
}

// Drawing ------------------------------------------------------------------------------------------

static void set_matrix(GLuint program, const char *name, const matrix *m)
{
    glUniformMatrix4fv(glGetUniformLocation(program, name), 1, GL_FALSE, m->m);
}

static void set_vector(GLuint program, const char *name, trv_vec3 v)
{
    glUniform3f(glGetUniformLocation(program, name), v.x, v.y, v.z);
}

static void fill_buffer(GLuint buffer, const void *items, size_t size)
{
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size, items, GL_STREAM_DRAW);
}

static void draw_batches(const renderer *r, bool glass)
{
    const batch *batches = r->batches.items;
    for (uint32_t i = 0; i < r->batches.count; i++) {
        const list *l = glass ? &batches[i].glass : &batches[i].solid;
        if (l->count == 0 || batches[i].corner_count == 0)
            continue;
        fill_buffer(batches[i].instances, l->items, l->count * sizeof(instance));
        glBindVertexArray(batches[i].array);
        glDrawArraysInstanced(GL_TRIANGLES, 0, batches[i].corner_count, (GLsizei)l->count);
    }
}

// What is about the target fits, the more the farther the camera is; in whole steps of the map's
// pixels, so that shadows do not crawl.
static matrix light_of(const eye *e)
{
    float half = fminf(fmaxf(1.1f * length(sub(e->place, e->target)), 8.0f), 40.0f);
    trv_vec3 toward = unit(sun), right = unit(cross(trv_make_vec3(0, 1, 0), toward));
    trv_vec3 up = cross(toward, right);
    float pixel = 2.0f * half / SHADOW_SIZE;
    float x = floorf(dot(e->target, right) / pixel) * pixel;
    float y = floorf(dot(e->target, up) / pixel) * pixel;
    float z = dot(e->target, toward);
    trv_vec3 at = add(add(scaled(right, x), scaled(up, y)), scaled(toward, z));
    matrix lens = box_view(half, 1.0f, 160.0f);
    matrix camera = look_at(add(at, scaled(toward, 80.0f)), at, trv_make_vec3(0, 1, 0));
    return times(&lens, &camera);
}

static void draw_shadow(const renderer *r, const matrix *light)
{
    glBindFramebuffer(GL_FRAMEBUFFER, r->shadow_frame);
    glViewport(0, 0, SHADOW_SIZE, SHADOW_SIZE);
    glClear(GL_DEPTH_BUFFER_BIT);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1.5f, 2.0f);
    glUseProgram(r->depth);
    set_matrix(r->depth, "light", light);
    draw_batches(r, false);
    glDisable(GL_POLYGON_OFFSET_FILL);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

static void use_lit(GLuint program, const eye *e, const matrix *light)
{
    glUseProgram(program);
    set_matrix(program, "view", &e->view);
    set_matrix(program, "light", light);
    set_vector(program, "sun", unit(sun));
    set_vector(program, "eye", e->place);
    glUniform1i(glGetUniformLocation(program, "shadow_map"), 0);
}

// What is hidden behind solids shows through, dimly.
static void draw_strokes(const renderer *r, const eye *e)
{
    if (r->segments.count == 0)
        return;
    glUseProgram(r->strokes);
    set_matrix(r->strokes, "view", &e->view);
    glUniform2f(glGetUniformLocation(r->strokes, "size"), (float)e->width, (float)e->height);
    glUniform1f(glGetUniformLocation(r->strokes, "wide"), 1.9f * e->pixel_ratio);
    fill_buffer(r->stroke_data, r->segments.items, r->segments.count * sizeof(stroke));
    glBindVertexArray(r->stroke_array);
    for (int hidden = 1; hidden >= 0; hidden--) {
        glDepthFunc(hidden ? GL_GREATER : GL_LEQUAL);
        glUniform1f(glGetUniformLocation(r->strokes, "dim"), hidden ? 0.28f : 1.0f);
        glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)r->segments.count);
    }
    glDepthFunc(GL_LEQUAL);
}

static void draw_flats(const renderer *r, const list *l, const matrix *view)
{
    if (l->count == 0)
        return;
    glUseProgram(r->flats);
    set_matrix(r->flats, "view", view);
    glUniform1i(glGetUniformLocation(r->flats, "atlas"), 0);
    glBindTexture(GL_TEXTURE_2D, r->atlas);
    fill_buffer(r->flat_data, l->items, l->count * sizeof(flat));
    glBindVertexArray(r->flat_array);
    glDrawArrays(GL_TRIANGLES, 0, (GLsizei)l->count);
}

static void draw_lit(const renderer *r, const eye *e, const matrix *light, bool ground)
{
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, r->shadow_texture);
    use_lit(r->solid, e, light);
    draw_batches(r, false);
    if (ground) {
        use_lit(r->ground, e, light);
        glBindVertexArray(r->ground_array);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDepthMask(GL_FALSE);
    use_lit(r->solid, e, light);
    draw_batches(r, true);
}

void render_draw(renderer *r, const eye *e, bool ground)
{
    matrix light = light_of(e);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
    draw_shadow(r, &light);
    glViewport(0, 0, e->width, e->height);
    glClearColor(0.256f, 0.313f, 0.392f, 1.0f); // the horizon, as `shown` shows it
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    draw_lit(r, e, &light, ground);
    draw_flats(r, &r->triangles, &e->view);
    draw_strokes(r, e);
    glDisable(GL_DEPTH_TEST);
    float w = (float)e->width, h = (float)e->height;
    matrix pixels = {{2.0f / w, 0, 0, 0, 0, -2.0f / h, 0, 0, 0, 0, 1, 0, -1, 1, 0, 1}};
    draw_flats(r, &r->screen, &pixels);
    batch *batches = r->batches.items;
    for (uint32_t i = 0; i < r->batches.count; i++)
        batches[i].solid.count = batches[i].glass.count = 0;
    r->segments.count = r->triangles.count = r->screen.count = 0;
}
