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

#include "math/math.h"

// Some sides may be far shorter than others.
static trv_vec3 read_sides(fuzz_bytes *r)
{
    static const float sides[8] = {1.0f, 1.0f, 1.0f, 1.0e-1f, 1.0e-2f, 1.0e-4f, 1.0e-6f, 3.0f};
    uint8_t choice = take_byte(r);
    trv_vec3 v = {1.0f, 1.0f, 1.0f};
    if (choice < 128)
        return v;
    v.x = sides[choice & 7];
    v.y = sides[choice >> 3 & 7];
    v.z = sides[take_byte(r) & 7];
    return v;
}

static trv_shape read_hull(fuzz_bytes *r, trv_hull **owned)
{
    trv_vec3 points[SCENE_POINTS];
    uint8_t choice = take_byte(r);
    uint32_t count = 4u + choice % (SCENE_POINTS - 3u);
    fuzz_style how = take_style(r);
    float size = take_size(r);
    trv_vec3 sides = read_sides(r), middle = {0.0f, 0.0f, 0.0f};
    bool round = choice >= 192;
    if (take_byte(r) > 200)
        middle = take_vec3(r, EIGHTHS, take_size(r));
    for (uint32_t i = 0; i < count; i++) {
        trv_vec3 p = take_vec3(r, how, 1.0f);
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

trv_shape scene_read_shape(fuzz_bytes *r, trv_hull **owned)
{
    trv_shape shape;
    uint8_t choice = take_byte(r);
    if (choice >= 160 && choice < 250)
        return read_hull(r, owned);
    if (choice >= 254) {
        memset(&shape, 0, sizeof shape);
        shape.kind = (trv_shape_kind)(choice == 254 ? 0 : take_byte(r) & 7);
        bool pointer = shape.kind == TRV_SHAPE_HULL || shape.kind == TRV_SHAPE_COMPOUND;
        if (pointer) // bytes are no pointer that a caller could have
            shape.kind = TRV_SHAPE_SPHERE;
        for (size_t i = 0; i + 4 <= sizeof shape.as.box; i += 4) {
            float value = take_bits(r);
            memcpy((unsigned char *)&shape.as + i, &value, sizeof value);
        }
        return shape;
    }
    fuzz_style how = take_style(r);
    float size = take_size(r);
    if (choice < 30) {
        trv_vec3 center = take_vec3(r, how, size);
        return trv_make_sphere(center, take_length(r, how, size));
    }
    if (choice < 70) {
        trv_vec3 from = take_vec3(r, how, size), to = take_vec3(r, how, size);
        return trv_make_capsule(from, to, take_length(r, how, size * (choice & 1 ? 1.0f : 0.05f)));
    }
    if (choice < 160) {
        trv_vec3 sides = read_sides(r);
        trv_obb box = {{0.0f, 0.0f, 0.0f}, sides, trv_identity_quat()};
        box.half.x *= take_length(r, how, size);
        box.half.y *= take_length(r, how, size);
        box.half.z *= take_length(r, how, size);
        if (choice >= 120) {
            box.center = take_vec3(r, how, size);
            box.rotation = take_quat(r);
        }
        return trv_make_placed_box(box);
    }
    trv_quat turn = take_quat(r);
    trv_vec3 normal = trv_rotate(turn, trv_make_vec3(0.0f, 1.0f, 0.0f));
    return trv_make_half_space(take_vec3(r, how, size), normal);
}

trv_pose scene_read_pose(fuzz_bytes *r)
{
    trv_pose pose;
    uint8_t choice = take_byte(r);
    fuzz_style how = take_style(r);
    pose.position = take_vec3(r, how, take_size(r));
    pose.rotation = take_quat(r);
    return choice < 60 ? trv_make_pose(pose.position) : pose;
}

void scene_read(fuzz_scene *scene, fuzz_bytes *r)
{
    memset(scene, 0, sizeof *scene);
    uint8_t choice = take_byte(r);
    scene->pose_a = scene_read_pose(r);
    scene->pose_b = scene_read_pose(r);
    if (choice >= 200 && choice < 250) { // both far away, at the same place
        float far_off = choice < 230 ? 1.0e4f : choice < 245 ? 1.0e6f : 5.0e7f;
        trv_vec3 *p = &scene->pose_a.position, *q = &scene->pose_b.position;
        p->x += far_off, q->x += far_off, p->z -= far_off, q->z -= far_off;
    }
    scene->margin = take_byte(r) < 100 ? 0.0f : take_length(r, EIGHTHS, take_size(r)) * 0.1f;
    if (choice == 255)
        scene->margin = take_special(r);
    scene->a = scene_read_shape(r, &scene->hulls[0]);
    if (choice & 1 && choice < 40 && scene->a.kind != TRV_SHAPE_PLANE)
        scene->b = scene->a; // the same solid twice
    else
        scene->b = scene_read_shape(r, &scene->hulls[1]);
    fuzz_style how = take_style(r); // arguments are read in no certain order
    scene->ray.origin = take_vec3(r, how, take_size(r));
    how = take_style(r);
    scene->ray.travel = take_vec3(r, how, take_size(r));
    how = take_style(r);
    trv_vec3 normal = take_vec3(r, how, 0.5f);
    float length = sqrtf(normal.x * normal.x + normal.y * normal.y + normal.z * normal.z);
    if (take_byte(r) < 200 && length > 0.0f)
        normal.x /= length, normal.y /= length, normal.z /= length;
    scene->cache.normal = normal;
    scene->cache.vertex_a = take_byte(r) < 200 ? take_byte(r) : take_word(r);
    scene->cache.vertex_b = take_byte(r) < 200 ? take_byte(r) : take_word(r);
    scene->cache.source = take_byte(r) & 7;
    scene->cache.index_a = take_byte(r) < 200 ? take_byte(r) : take_word(r);
    scene->cache.index_b = take_byte(r) < 200 ? take_byte(r) : take_word(r);
    scene->cache.gap = take_byte(r) < 200 ? take_number(r, EIGHTHS) : take_bits(r);
    for (int i = 0; i < 6; i++)
        scene->cache.meeting[i] = take_byte(r) < 200 ? take_byte(r) & 15u : take_word(r);
    scene->cache.steady = take_byte(r) < 200 ? take_byte(r) & 1u : take_word(r);
    how = take_style(r);
    trv_vec3 still = take_vec3(r, how, 0.5f);
    scene->cache.in_world = trvi_normalize_or(still, still);
}

void scene_free(fuzz_scene *scene)
{
    trv_hull_release(scene->hulls[0]);
    trv_hull_release(scene->hulls[1]);
}

// Of the run at hand: what is asked has no room for them.
static scene_share all_shares[SCENE_SHARES];
static uint32_t share_count;

bool scene_within(double used, double allowed, const char *file, int line)
{
    uint32_t i = 0;
    while (i < share_count && (all_shares[i].line != line || all_shares[i].file != file))
        i++;
    if (i == share_count && i < SCENE_SHARES)
        all_shares[share_count++] = (scene_share){file, line, 0.0};
    if (i < SCENE_SHARES && used > all_shares[i].share * allowed)
        all_shares[i].share = allowed > 0.0 ? used / allowed : HUGE_VAL;
    return used <= allowed;
}

uint32_t scene_shares(const scene_share **shares)
{
    *shares = all_shares;
    return share_count;
}

void scene_forget_shares(void)
{
    for (uint32_t i = 0; i < share_count; i++)
        all_shares[i].share = 0.0;
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
