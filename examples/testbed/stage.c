// The stage: scenes are opened, stepped and closed here, and made with these helpers.
//
// Invariant: once `result` is not TRV_OK nothing more is added, so scenes need not look at each call.
#include "stage.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "own_meshes.h" // generated: the paths of the project's own meshes

static const scene *const scenes[] = {&scene_hearts,   &scene_pyramid, &scene_wall,  &scene_hulls,
                                      &scene_dominoes, &scene_arch,    &scene_cards, &scene_washer,
                                      &scene_bullets,  &scene_balls,   &scene_tiles, &scene_spin,
                                      &scene_obj};

const scene *stage_scene(uint32_t index)
{
    return index < sizeof scenes / sizeof *scenes ? scenes[index] : NULL;
}

const scene *stage_find(const char *name)
{
    for (uint32_t i = 0; stage_scene(i) != NULL; i++)
        if (strcmp(scenes[i]->name, name) == 0)
            return scenes[i];
    return NULL;
}

uint32_t own_mesh_total(void)
{
    return own_mesh_count;
}

const char *own_mesh_path(uint32_t index)
{
    return own_meshes[index % own_mesh_count];
}

trv_result stage_open(stage *s, const scene *which, trv_clock clock, const char *const *files,
                      uint32_t file_count)
{
    memset(s, 0, sizeof *s);
    s->scene = which;
    s->random = 1;
    s->files = files;
    s->file_count = file_count;
    trv_world_def def = trv_default_world_def();
    def.tag = 1;
    def.clock = clock;
    s->result = trv_world_create(&def, &s->world);
    if (s->result == TRV_OK)
        which->build(s);
    trv_result result = s->result;
    if (result != TRV_OK)
        stage_close(s);
    return result;
}

trv_result stage_step(stage *s)
{
    if (s->scene->before_step != NULL)
        s->scene->before_step(s);
    if (s->result != TRV_OK)
        return s->result;
    s->steps++;
    return trv_world_step(s->world, STAGE_STEP, STAGE_SUBSTEPS);
}

void stage_close(stage *s)
{
    trv_world_destroy(s->world);
    for (uint32_t i = 0; i < s->hull_count; i++)
        trv_hull_release(s->hulls[i]);
    trv_compound_release(s->compound);
    free(s->hulls);
    free(s->memory);
    memset(s, 0, sizeof *s);
}

trv_shape_def stage_skin(uint32_t color)
{
    trv_shape_def def = trv_default_shape_def();
    def.user = color;
    return def;
}

trv_vec3 vec(float x, float y, float z)
{
    return trv_make_vec3(x, y, z);
}

trv_pose at(float x, float y, float z)
{
    return trv_make_pose(vec(x, y, z));
}

trv_pose turned(float x, float y, float z, trv_vec3 axis, float angle)
{
    trv_pose pose = at(x, y, z);
    pose.rotation = trv_quat_about(axis, angle);
    return pose;
}

trv_shape box(float x, float y, float z)
{
    return trv_make_box(vec(x, y, z));
}

trv_shape ball(float radius)
{
    return trv_make_sphere(vec(0, 0, 0), radius);
}

trv_body_id stage_body(stage *s, trv_body_kind kind, trv_pose pose)
{
    trv_body_id body = {0, 0, 0};
    trv_body_def def = trv_default_body_def();
    def.kind = kind;
    def.position = pose.position;
    def.rotation = pose.rotation;
    if (s->result == TRV_OK)
        s->result = trv_body_create(s->world, &def, &body);
    return body;
}

void stage_shape(stage *s, trv_body_id body, trv_shape shape, const trv_shape_def *skin)
{
    trv_shape_id id;
    if (s->result == TRV_OK)
        s->result = trv_shape_create(s->world, body, skin, &shape, &id);
}

trv_body_id stage_put(stage *s, trv_body_kind kind, trv_pose pose, trv_shape shape,
                      const trv_shape_def *skin)
{
    trv_body_id body = stage_body(s, kind, pose);
    stage_shape(s, body, shape, skin);
    return body;
}

void stage_ground(stage *s)
{
    trv_shape_def skin = stage_skin(COLOR_STONE);
    stage_put(s, TRV_BODY_STATIC, at(0, 0, 0), trv_make_half_space(vec(0, 0, 0), vec(0, 1, 0)),
              &skin);
}

void stage_pit(stage *s, float half, float height, bool glass)
{
    trv_shape_def skin = stage_skin(COLOR_STONE), clear = skin;
    if (glass)
        clear.user |= STAGE_GLASS;
    trv_body_id body = stage_body(s, TRV_BODY_STATIC, at(0, 0, 0));
    const float t = 0.2f;
    for (int side = 0; side < 4; side++) {
        bool along_z = side >= 2;
        float sign = side % 2 ? 1.0f : -1.0f, place = sign * (half + t);
        trv_obb wall = {vec(along_z ? 0.0f : place, 0.5f * height, along_z ? place : 0.0f),
                        vec(along_z ? half + 2.0f * t : t, 0.5f * height, along_z ? t : half),
                        {0, 0, 0, 1}};
        stage_shape(s, body, trv_make_placed_box(wall), side % 2 ? &clear : &skin);
    }
}

// splitmix64
float stage_random(stage *s)
{
    uint64_t z = s->random += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (float)((z ^ (z >> 31)) >> 40) * (1.0f / 16777216.0f);
}

float stage_between(stage *s, float least, float most)
{
    return least + (most - least) * stage_random(s);
}

trv_vec3 stage_any_direction(stage *s)
{
    for (int i = 0; i < 100; i++) { // about every second point of a cube is in its ball
        float x = stage_between(s, -1, 1), y = stage_between(s, -1, 1), z = stage_between(s, -1, 1);
        float square = x * x + y * y + z * z;
        if (square > 0.01f && square <= 1.0f) {
            float scale = 1.0f / sqrtf(square);
            return vec(x * scale, y * scale, z * scale);
        }
    }
    return vec(0, 1, 0);
}

trv_quat stage_any_rotation(stage *s)
{
    trv_vec3 axis = stage_any_direction(s);
    return trv_quat_about(axis, stage_between(s, -3.14f, 3.14f));
}

static const trv_hull *keep(stage *s, trv_hull *hull)
{
    if (s->hull_count == s->hull_capacity) {
        uint32_t capacity = s->hull_capacity ? 2 * s->hull_capacity : 32;
        trv_hull **grown = realloc(s->hulls, capacity * sizeof *grown);
        if (grown == NULL) {
            trv_hull_release(hull);
            s->result = TRV_ERROR_MEMORY;
            return NULL;
        }
        s->hulls = grown;
        s->hull_capacity = capacity;
    }
    return s->hulls[s->hull_count++] = hull;
}

const trv_hull *stage_hull(stage *s, const trv_vec3 *points, uint32_t count)
{
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull = NULL;
    if (s->result == TRV_OK)
        s->result = trv_hull_create(points, count, &def, &hull);
    return s->result == TRV_OK ? keep(s, hull) : NULL;
}

const trv_hull *stage_stone(stage *s, float radius, uint32_t points)
{
    trv_vec3 corners[128];
    if (points > 128)
        points = 128;
    // One number after the other: the order of a call's arguments is the compiler's.
    float wide = stage_between(s, 0.7f, 1.0f), high = stage_between(s, 0.6f, 1.0f);
    float deep = stage_between(s, 0.7f, 1.0f);
    for (uint32_t i = 0; i < points; i++) {
        trv_vec3 d = stage_any_direction(s);
        corners[i] = vec(radius * wide * d.x, radius * high * d.y, radius * deep * d.z);
    }
    return stage_hull(s, corners, points);
}

void stage_note(stage *s, uint32_t line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (line < STAGE_NOTES)
        vsnprintf(s->notes[line], STAGE_NOTE_LENGTH, format, arguments);
    va_end(arguments);
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static float longest_side(trv_aabb bounds)
{
    float x = bounds.upper.x - bounds.lower.x, y = bounds.upper.y - bounds.lower.y;
    float z = bounds.upper.z - bounds.lower.z;
    return fmaxf(fmaxf(x, y), z);
}

// All parts as one body, so that an artist's set of convex pieces stays together. Parts that have no
// volume are left out.
static uint32_t drop_mesh(stage *s, const trv_mesh *mesh, trv_pose place, float size)
{
    trv_hull_def def = trv_default_hull_def();
    trv_hull *whole, *hull;
    uint32_t taken = 0;
    trv_shape_def skin = stage_skin(1 + (uint32_t)(stage_random(s) * (COLOR_COUNT - 1)));
    if (trv_hull_create_from_mesh(mesh, TRV_ALL_PARTS, &def, &whole) != TRV_OK)
        return 0;
    trv_aabb bounds = trv_hull_bounds(whole);
    trv_hull_release(whole);
    float scale = size / longest_side(bounds);
    def.scale = vec(scale, scale, scale);
    def.offset = vec(-0.5f * scale * (bounds.lower.x + bounds.upper.x),
                     -0.5f * scale * (bounds.lower.y + bounds.upper.y),
                     -0.5f * scale * (bounds.lower.z + bounds.upper.z));
    trv_body_id body = stage_body(s, TRV_BODY_DYNAMIC, place);
    for (uint32_t i = 0; i < trv_mesh_part_count(mesh) && s->result == TRV_OK; i++)
        if (trv_hull_create_from_mesh(mesh, i, &def, &hull) == TRV_OK && keep(s, hull) != NULL) {
            stage_shape(s, body, trv_make_hull(hull), &skin);
            taken++;
        }
    if (taken == 0 && s->result == TRV_OK)
        s->result = trv_body_destroy(s->world, body);
    return taken;
}

void stage_drop_file(stage *s, const char *path, trv_pose place, float size)
{
    trv_mesh *mesh;
    trv_obj_report report;
    trv_obj_def def = trv_default_obj_def();
    if (trv_mesh_read_obj_file(path, &def, &mesh, &report) != TRV_OK) {
        stage_note(s, STAGE_NOTES - 1, "%s:%u: %s", name_of(path), report.line, report.reason);
        return;
    }
    uint32_t taken = drop_mesh(s, mesh, place, size), parts = trv_mesh_part_count(mesh);
    trv_mesh_destroy(mesh);
    stage_note(s, STAGE_NOTES - 1, "%s: %u of %u parts with a volume", name_of(path), taken, parts);
}
