// Reads scenes from bytes: sizes from 1e-4 to 1e6, flat, thin, snapped, doubled, turned, far away,
// and numbers that no caller should send.
//
// Bytes are read one after the other. Small choices take a byte each; most values of it mean
// something ordinary, so that random bytes are often a scene worth asking about.
#include "scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const uint8_t *at, *end;
} reader;

static uint8_t read_byte(reader *r)
{
    return r->at < r->end ? *r->at++ : 0;
}

static uint32_t read_word(reader *r)
{
    uint32_t word = read_byte(r);
    word |= (uint32_t)read_byte(r) << 8;
    word |= (uint32_t)read_byte(r) << 16;
    return word | (uint32_t)read_byte(r) << 24;
}

static float read_bits(reader *r)
{
    uint32_t word = read_word(r);
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static float read_special(reader *r)
{
    static const float values[16] = {0.0f,     -0.0f,    1.0f,    -1.0f,        INFINITY, -INFINITY,
                                     NAN,      1.0e8f,   -1.0e8f, 1.0e-4f,      1.0e-3f,  1.0e6f,
                                     1.1e-38f, 1.0e-45f, 3.4e38f, 1.00000008e8f};
    return values[read_byte(r) & 15];
}

// How the numbers of one thing are written.
typedef enum style { SNAPPED, EIGHTHS, FINE, RAW, SPECIAL } style;

static style read_style(reader *r)
{
    uint8_t choice = read_byte(r);
    if (choice < 90)
        return SNAPPED;
    if (choice < 140)
        return EIGHTHS;
    if (choice < 252)
        return FINE;
    return choice < 254 ? RAW : SPECIAL;
}

// In about -8..8, but for raw and special ones.
static float read_number(reader *r, style how)
{
    switch (how) {
    case SNAPPED:
        return (float)((int)(read_byte(r) & 7) - 3);
    case EIGHTHS:
        return (float)((int)read_byte(r) - 128) * 0.0625f;
    case FINE: {
        int high = read_byte(r), low = read_byte(r);
        return (float)(high * 256 + low - 32768) * (1.0f / 4096.0f);
    }
    case RAW:
        return read_bits(r);
    default:
        return read_special(r);
    }
}

static float read_size(reader *r)
{
    static const float sizes[16] = {1.0f,    1.0f,    1.0f, 0.5f,   0.125f, 2.0f,   10.0f,  0.1f,
                                    1.0e-3f, 1.0e-4f, 1e2f, 1.0e3f, 1.0e5f, 1.0e6f, 0.001f, 0.3f};
    return sizes[read_byte(r) & 15];
}

static trv_vec3 read_vec3(reader *r, style how, float size)
{
    trv_vec3 v;
    v.x = read_number(r, how) * size;
    v.y = read_number(r, how) * size;
    v.z = read_number(r, how) * size;
    return v;
}

// > 0, but for raw and special ones.
static float read_length(reader *r, style how, float size)
{
    float length = read_number(r, how);
    if (how == RAW || how == SPECIAL)
        return length * size;
    length = fabsf(length);
    return (length > 0.0f ? length : 1.0f) * size;
}

static trv_quat read_quat(reader *r)
{
    static const trv_quat turns[8] = {{0, 0, 0, 1},
                                      {0, 0, 0, -1},
                                      {1, 0, 0, 0},
                                      {0, 1, 0, 0},
                                      {0.5f, 0.5f, 0.5f, 0.5f},
                                      {-0.5f, 0.5f, 0.5f, 0.5f},
                                      {0.70710677f, 0, 0, 0.70710677f},
                                      {0, 0.70710677f, 0, 0.70710677f}};
    uint8_t choice = read_byte(r);
    if (choice < 100)
        return turns[choice & 7];
    trv_quat q;
    if (choice == 255) {
        q.x = read_bits(r), q.y = read_bits(r), q.z = read_bits(r), q.w = read_bits(r);
        return q;
    }
    double x = (int)read_byte(r) - 128, y = (int)read_byte(r) - 128;
    double z = (int)read_byte(r) - 128, w = (int)read_byte(r) - 128;
    if (choice < 120) // hardly turned
        x *= 1.0e-6, y *= 1.0e-6, z *= 1.0e-6;
    double length = sqrt(x * x + y * y + z * z + w * w);
    if (!(length > 0.0))
        return turns[0];
    if (choice >= 250) // not unit, within what is accepted or just beyond
        length *= choice >= 252 ? 1.0009 : 0.998;
    q.x = (float)(x / length), q.y = (float)(y / length);
    q.z = (float)(z / length), q.w = (float)(w / length);
    return q;
}

// Some sides may be far shorter than others.
static trv_vec3 read_sides(reader *r)
{
    static const float sides[8] = {1.0f, 1.0f, 1.0f, 1.0e-1f, 1.0e-2f, 1.0e-4f, 1.0e-6f, 3.0f};
    uint8_t choice = read_byte(r);
    trv_vec3 v = {1.0f, 1.0f, 1.0f};
    if (choice < 128)
        return v;
    v.x = sides[choice & 7];
    v.y = sides[choice >> 3 & 7];
    v.z = sides[read_byte(r) & 7];
    return v;
}

static trv_shape read_hull(reader *r, trv_hull **owned)
{
    trv_vec3 points[SCENE_POINTS];
    uint8_t choice = read_byte(r);
    uint32_t count = 4u + choice % (SCENE_POINTS - 3u);
    style how = read_style(r);
    float size = read_size(r);
    trv_vec3 sides = read_sides(r), middle = {0.0f, 0.0f, 0.0f};
    bool round = choice >= 192;
    if (read_byte(r) > 200)
        middle = read_vec3(r, EIGHTHS, read_size(r));
    for (uint32_t i = 0; i < count; i++) {
        trv_vec3 p = read_vec3(r, how, 1.0f);
        float length = sqrtf(p.x * p.x + p.y * p.y + p.z * p.z);
        if (round && length > 0.0f)
            p.x /= length, p.y /= length, p.z /= length;
        points[i] = trv_make_vec3(p.x * size * sides.x + middle.x, p.y * size * sides.y + middle.y,
                                  p.z * size * sides.z + middle.z);
    }
    trv_hull_def def = trv_default_hull_def();
    trv_result result = trv_hull_create(points, count, &def, owned);
    if (result == TRV_OK)
        return trv_make_hull(*owned);
    demand(*owned == NULL);
    if (choice == 255)
        return trv_make_hull(NULL);
    return trv_make_box(trv_make_vec3(size * sides.x, size * sides.y, size * sides.z));
}

static trv_shape read_shape(reader *r, trv_hull **owned)
{
    trv_shape shape;
    uint8_t choice = read_byte(r);
    if (choice >= 160 && choice < 250)
        return read_hull(r, owned);
    if (choice >= 254) {
        memset(&shape, 0, sizeof shape);
        shape.kind = (trv_shape_kind)(choice == 254 ? 0 : read_byte(r) & 7);
        bool pointer = shape.kind == TRV_SHAPE_HULL || shape.kind == TRV_SHAPE_COMPOUND;
        if (pointer) // bytes are no pointer that a caller could have
            shape.kind = TRV_SHAPE_SPHERE;
        for (size_t i = 0; i + 4 <= sizeof shape.as.box; i += 4) {
            float value = read_bits(r);
            memcpy((unsigned char *)&shape.as + i, &value, sizeof value);
        }
        return shape;
    }
    style how = read_style(r);
    float size = read_size(r);
    if (choice < 30) {
        trv_vec3 center = read_vec3(r, how, size);
        return trv_make_sphere(center, read_length(r, how, size));
    }
    if (choice < 70) {
        trv_vec3 from = read_vec3(r, how, size), to = read_vec3(r, how, size);
        return trv_make_capsule(from, to, read_length(r, how, size * (choice & 1 ? 1.0f : 0.05f)));
    }
    if (choice < 160) {
        trv_vec3 sides = read_sides(r);
        trv_obb box = {{0.0f, 0.0f, 0.0f}, sides, trv_identity_quat()};
        box.half.x *= read_length(r, how, size);
        box.half.y *= read_length(r, how, size);
        box.half.z *= read_length(r, how, size);
        if (choice >= 120) {
            box.center = read_vec3(r, how, size);
            box.rotation = read_quat(r);
        }
        return trv_make_placed_box(box);
    }
    trv_quat turn = read_quat(r);
    trv_vec3 normal = trv_rotate(turn, trv_make_vec3(0.0f, 1.0f, 0.0f));
    return trv_make_half_space(read_vec3(r, how, size), normal);
}

static trv_pose read_pose(reader *r)
{
    trv_pose pose;
    uint8_t choice = read_byte(r);
    style how = read_style(r);
    pose.position = read_vec3(r, how, read_size(r));
    pose.rotation = read_quat(r);
    return choice < 60 ? trv_make_pose(pose.position) : pose;
}

void scene_read(fuzz_scene *scene, const uint8_t *data, size_t size)
{
    reader r = {data, data + size};
    memset(scene, 0, sizeof *scene);
    uint8_t choice = read_byte(&r);
    scene->pose_a = read_pose(&r);
    scene->pose_b = read_pose(&r);
    if (choice >= 200 && choice < 250) { // both far away, at the same place
        float far_off = choice < 230 ? 1.0e4f : choice < 245 ? 1.0e6f : 5.0e7f;
        trv_vec3 *p = &scene->pose_a.position, *q = &scene->pose_b.position;
        p->x += far_off, q->x += far_off, p->z -= far_off, q->z -= far_off;
    }
    scene->margin = read_byte(&r) < 100 ? 0.0f : read_length(&r, EIGHTHS, read_size(&r)) * 0.1f;
    if (choice == 255)
        scene->margin = read_special(&r);
    scene->a = read_shape(&r, &scene->hulls[0]);
    if (choice & 1 && choice < 40 && scene->a.kind != TRV_SHAPE_PLANE)
        scene->b = scene->a; // the same solid twice
    else
        scene->b = read_shape(&r, &scene->hulls[1]);
    scene->ray.origin = read_vec3(&r, read_style(&r), read_size(&r));
    scene->ray.travel = read_vec3(&r, read_style(&r), read_size(&r));
    style how = read_style(&r);
    trv_vec3 normal = read_vec3(&r, how, 0.5f);
    float length = sqrtf(normal.x * normal.x + normal.y * normal.y + normal.z * normal.z);
    if (read_byte(&r) < 200 && length > 0.0f)
        normal.x /= length, normal.y /= length, normal.z /= length;
    scene->cache.normal = normal;
    scene->cache.vertex_a = read_byte(&r) < 200 ? read_byte(&r) : read_word(&r);
    scene->cache.vertex_b = read_byte(&r) < 200 ? read_byte(&r) : read_word(&r);
    scene->cache.source = read_byte(&r) & 7;
    scene->cache.index_a = read_byte(&r) < 200 ? read_byte(&r) : read_word(&r);
    scene->cache.index_b = read_byte(&r) < 200 ? read_byte(&r) : read_word(&r);
}

void scene_free(fuzz_scene *scene)
{
    trv_hull_release(scene->hulls[0]);
    trv_hull_release(scene->hulls[1]);
}

void scene_fail(const char *condition, const char *file, int line, const char *function)
{
    fprintf(stderr, "%s:%d: %s: not so: %s\n", file, line, function, condition);
    fflush(stderr);
    abort();
}

void scene_note(const char *name, double value)
{
    fprintf(stderr, "  %s = %.17g\n", name, value);
}
