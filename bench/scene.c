// Scenes for pairs of convex solids. All that a contestant is told is a float number.
#include "scene.h"

#include <math.h>
#include <string.h>

#include <trivet/mesh.h>

#include "bench.h"

#define PI 3.14159265358979323846

void *bench_allocate(size_t count, size_t size)
{
    void *block = calloc(count, size);
    if (block == NULL) {
        fprintf(stderr, "bench: no memory\n");
        exit(1);
    }
    return block;
}

static double between(bench_random *random, double low, double high)
{
    return low + (high - low) * 0.5 * (1.0 + (double)bench_float(random, 1.0f));
}

// -------------------------------------------------------------------------------------- solids

// The neighbours of each vertex: each edge is a side of two faces, once in either direction.
static void find_neighbours(bench_solid *solid)
{
    uint32_t sides = solid->first[solid->faces];
    solid->around_first = bench_allocate(solid->count + 2, sizeof *solid->around_first);
    solid->around = bench_allocate(sides, sizeof *solid->around);
    uint32_t *start = solid->around_first + 1; // shifted: filling it moves the starts into place
    for (uint32_t i = 0; i < sides; i++)
        start[solid->corners[i] + 1]++;
    for (uint32_t v = 0; v < solid->count; v++)
        start[v + 1] += start[v];
    for (uint32_t f = 0; f < solid->faces; f++) {
        for (uint32_t i = solid->first[f]; i < solid->first[f + 1]; i++) {
            uint32_t next = i + 1 < solid->first[f + 1] ? i + 1 : solid->first[f];
            solid->around[start[solid->corners[i]]++] = solid->corners[next];
        }
    }
}

static void to_double(bench_solid *solid)
{
    solid->points = bench_allocate(solid->count, sizeof *solid->points);
    for (uint32_t i = 0; i < solid->count; i++) {
        solid->points[i][0] = solid->vertices[i].x;
        solid->points[i][1] = solid->vertices[i].y;
        solid->points[i][2] = solid->vertices[i].z;
    }
}

// Vertices along a spiral around an ellipsoid, each shaken by a part of their distance.
static void make_round(bench_solid *solid, uint32_t count, bench_random *random)
{
    trv_vec3 *points = bench_allocate(count, sizeof *points);
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull;
    double axes[3], shake = 0.5 / sqrt(count);
    for (int k = 0; k < 3; k++)
        axes[k] = between(random, 0.6, 1.0);
    for (uint32_t i = 0; i < count; i++) {
        double z = 1.0 - (2.0 * i + 1.0) / count, turn = i * PI * (3.0 - sqrt(5.0));
        double p[3] = {sqrt(1.0 - z * z) * cos(turn), sqrt(1.0 - z * z) * sin(turn), z};
        double square = 0.0;
        for (int k = 0; k < 3; k++) {
            p[k] += between(random, -shake, shake);
            square += p[k] * p[k];
        }
        double length = sqrt(square);
        points[i] =
            trv_make_vec3((float)(axes[0] * p[0] / length), (float)(axes[1] * p[1] / length),
                          (float)(axes[2] * p[2] / length));
    }
    bench_need(trv_hull_create(points, count, &def, &hull), "hull");
    free(points);
    solid->shape = trv_make_hull(hull);
    solid->vertices = trv_hull_vertices(hull, &solid->count);
    solid->faces = trv_hull_faces(hull, &solid->first, &solid->corners);
    to_double(solid);
    find_neighbours(solid);
}

static void make_cube(bench_solid *solid)
{
    trv_vec3 *corners = bench_allocate(8, sizeof *corners);
    for (int i = 0; i < 8; i++)
        corners[i] =
            trv_make_vec3(i & 1 ? 0.5f : -0.5f, i & 2 ? 0.5f : -0.5f, i & 4 ? 0.5f : -0.5f);
    solid->shape = trv_make_box(trv_make_vec3(0.5f, 0.5f, 0.5f));
    solid->count = 8;
    solid->vertices = corners;
    to_double(solid);
}

// -------------------------------------------------------------------------------------- motion

// What a pose means: the rotation by its quaternion, made unit.
static bench_place place_of(trv_pose pose)
{
    bench_place place = {{0}, {pose.position.x, pose.position.y, pose.position.z}};
    double x = pose.rotation.x, y = pose.rotation.y, z = pose.rotation.z, w = pose.rotation.w;
    double s = 2.0 / (x * x + y * y + z * z + w * w), *m = place.rotation;
    m[0] = 1.0 - s * (y * y + z * z);
    m[1] = s * (x * y - z * w);
    m[2] = s * (x * z + y * w);
    m[3] = s * (x * y + z * w);
    m[4] = 1.0 - s * (x * x + z * z);
    m[5] = s * (y * z - x * w);
    m[6] = s * (x * z - y * w);
    m[7] = s * (y * z + x * w);
    m[8] = 1.0 - s * (x * x + y * y);
    return place;
}

static bench_truth truth_of(const bench_pair *pair, const bench_frame *frame, double tolerance)
{
    bench_points a = {(const double(*)[3])pair->solid[0].points, pair->solid[0].count};
    bench_points b = {(const double(*)[3])pair->solid[1].points, pair->solid[1].count};
    return bench_reference(a, &frame->place[0], b, &frame->place[1], tolerance);
}

void bench_frame_settle(bench_pair *pair, bench_frame *frame)
{
    frame->place[0] = place_of(frame->pose[0]);
    frame->place[1] = place_of(frame->pose[1]);
    frame->truth = truth_of(pair, frame, 1.0e-7);
}

static void move_along(bench_pair *pair, uint32_t frame, double way)
{
    float *u = pair->way[frame];
    bench_frame *at = &pair->frames[frame];
    at->pose[1].position =
        trv_make_vec3((float)(way * u[0]), (float)(way * u[1]), (float)(way * u[2]));
    at->place[1] = place_of(at->pose[1]);
}

// Newton's method from outside. The distance is a convex function of the way, so that it comes
// nearer in each step and never passes.
static double find_touch(bench_pair *pair, uint32_t frame, double from)
{
    const float *u = pair->way[frame];
    double way = from;
    for (int i = 0; i < 40; i++) {
        move_along(pair, frame, way);
        bench_truth truth = truth_of(pair, &pair->frames[frame], 1.0e-4);
        double slope = truth.normal[0] * u[0] + truth.normal[1] * u[1] + truth.normal[2] * u[2];
        if (truth.low < -1.0e-4)
            way += 0.5; // started too near
        else if (truth.high < 2.0e-4 || slope < 1.0e-3)
            break;
        else
            way -= truth.low / slope;
    }
    return way;
}

static void move_pair(bench_pair *pair, uint32_t frames, double low, double high,
                      bench_random *random)
{
    trv_quat base[2], swing_turn;
    trv_vec3 axis[2], corner, swing = bench_direction(random);
    double rate[2], phase = between(random, 0.0, 2.0 * PI), way = 3.0;
    for (int side = 0; side < 2; side++) {
        axis[side] = bench_direction(random);
        base[side] = trv_quat_about(axis[side], (float)between(random, 0.0, 6.0));
        axis[side] = bench_direction(random);
        rate[side] = between(random, low, high) * PI / 180.0;
    }
    corner.x = bench_float(random, 1.0f) < 0.0f ? -0.57735f : 0.57735f; // where boxes overlap most
    corner.y = bench_float(random, 1.0f) < 0.0f ? -0.57735f : 0.57735f;
    corner.z = bench_float(random, 1.0f) < 0.0f ? -0.57735f : 0.57735f;
    for (uint32_t f = 0; f < frames; f++) {
        bench_frame *at = &pair->frames[f];
        for (int side = 0; side < 2; side++) {
            trv_quat turn = trv_quat_about(axis[side], (float)remainder(rate[side] * f, 2.0 * PI));
            at->pose[side] = trv_make_pose(trv_make_vec3(0, 0, 0));
            at->pose[side].rotation = trv_quat_multiply(turn, base[side]);
            at->place[side] = place_of(at->pose[side]);
        }
        swing_turn = trv_quat_about(swing, (float)(0.3 * sin(0.5 * rate[0] * f + phase)));
        trv_vec3 u = trv_rotate(swing_turn, corner);
        memcpy(pair->way[f], &u, sizeof u);
        pair->touch[f] = way = find_touch(pair, f, way + 0.05);
    }
}

bench_scene bench_scene_create(uint32_t vertices, uint32_t pairs, uint32_t frames, double low,
                               double high, uint64_t seed)
{
    bench_scene scene = {pairs, frames, bench_allocate(pairs, sizeof *scene.pairs)};
    bench_random random = {seed + 1000 * (uint64_t)vertices};
    for (uint32_t i = 0; i < pairs; i++) {
        bench_pair *pair = &scene.pairs[i];
        for (int side = 0; side < 2; side++) {
            if (vertices == 0)
                make_cube(&pair->solid[side]);
            else
                make_round(&pair->solid[side], vertices, &random);
        }
        pair->frames = bench_allocate(frames, sizeof *pair->frames);
        pair->touch = bench_allocate(frames, sizeof *pair->touch);
        pair->way = bench_allocate(frames, sizeof *pair->way);
        move_pair(pair, frames, low, high, &random);
    }
    return scene;
}

// ------------------------------------------------------------------------------------- placing

static bool bounds_overlap(const bench_pair *pair, const bench_frame *frame)
{
    trv_aabb box[2];
    for (int side = 0; side < 2; side++)
        box[side] = trv_bounds_of_vertices(pair->solid[side].vertices, pair->solid[side].count,
                                           frame->pose[side]);
    return box[0].lower.x <= box[1].upper.x && box[1].lower.x <= box[0].upper.x &&
           box[0].lower.y <= box[1].upper.y && box[1].lower.y <= box[0].upper.y &&
           box[0].lower.z <= box[1].upper.z && box[1].lower.z <= box[0].upper.z;
}

uint32_t bench_scene_place(bench_scene *scene, bench_gap gap)
{
    uint32_t unsure = 0;
    for (uint32_t i = 0; i < scene->count; i++) {
        bench_pair *pair = &scene->pairs[i];
        for (uint32_t f = 0; f < scene->frames; f++) {
            bench_frame *frame = &pair->frames[f];
            double off = gap.middle + gap.swing * sin(0.025 * f + i);
            do {
                move_along(pair, f, pair->touch[f] + off);
                off *= 0.7;
            } while (off > 1.0e-6 && !bounds_overlap(pair, frame));
            bench_frame_settle(pair, frame);
            unsure += frame->truth.high - frame->truth.low > 1.0e-6;
        }
    }
    return unsure;
}

void bench_scene_destroy(bench_scene *scene)
{
    for (uint32_t i = 0; i < scene->count; i++) {
        bench_pair *pair = &scene->pairs[i];
        for (int side = 0; side < 2; side++) {
            bench_solid *solid = &pair->solid[side];
            if (solid->shape.kind == TRV_SHAPE_HULL)
                trv_hull_release(solid->shape.as.hull);
            else
                free((void *)(uintptr_t)solid->vertices);
            free(solid->points);
            free(solid->around_first);
            free(solid->around);
        }
        free(pair->frames);
        free(pair->touch);
        free(pair->way);
    }
    free(scene->pairs);
}
