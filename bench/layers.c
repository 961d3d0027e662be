// One figure or two from each layer: reading, hulls, broadphase, convex pairs, the world.
//
//   bench_layers        prints JSON lines; single thread
#include <math.h>
#include <string.h>

#include <trivet/broad.h>
#include <trivet/mesh.h>
#include <trivet/world.h>

#include "bench.h"

// An OBJ text of a grid of quads, about 30 bytes a vertex.
static char *make_obj(uint32_t side, size_t *size)
{
    size_t capacity = (size_t)side * side * 80 + 64, used = 0;
    char *text = malloc(capacity);
    if (text == NULL)
        exit(1);
    for (uint32_t i = 0; i < side * side; i++)
        used +=
            (size_t)snprintf(text + used, capacity - used, "v %.6f %.6f %.6f\n",
                             (double)(i % side) * 0.01, sin(0.001 * i), (double)(i / side) * 0.01);
    for (uint32_t i = 0; i + side < side * side; i++)
        if (i % side + 1 < side)
            used += (size_t)snprintf(text + used, capacity - used, "f %u %u %u %u\n", i + 1,
                                     i + side + 1, i + side + 2, i + 2);
    *size = used;
    return text;
}

static void bench_reading(void)
{
    size_t size;
    char *text = make_obj(400, &size);
    double rounds[BENCH_ROUNDS];
    for (int r = 0; r < BENCH_ROUNDS; r++) {
        trv_obj_def def = trv_default_obj_def();
        trv_mesh *mesh;
        double start = bench_now();
        bench_need(trv_mesh_read_obj_memory(text, size, &def, &mesh, NULL), "read");
        rounds[r] = (bench_now() - start) / (double)size * 1000.0;
        trv_mesh_destroy(mesh);
    }
    bench_print("read OBJ", "ns per 1000 bytes", rounds, BENCH_ROUNDS);
    free(text);
}

static trv_hull *make_hull(uint32_t count, uint64_t seed)
{
    bench_random random = {seed};
    trv_vec3 *points = malloc(count * sizeof *points);
    trv_hull *hull = NULL;
    trv_hull_def def = trv_default_hull_def();
    if (points == NULL)
        exit(1);
    for (uint32_t i = 0; i < count; i++)
        points[i] = bench_direction(&random);
    bench_need(trv_hull_create(points, count, &def, &hull), "hull");
    free(points);
    return hull;
}

static void bench_hulls(void)
{
    const uint32_t counts[] = {32, 1000, 20000};
    for (int c = 0; c < 3; c++) {
        double rounds[BENCH_ROUNDS];
        char name[64];
        for (int r = 0; r < BENCH_ROUNDS; r++) {
            double start = bench_now();
            trv_hull_release(make_hull(counts[c], 1));
            rounds[r] = (bench_now() - start) * 1.0e-6;
        }
        snprintf(name, sizeof name, "hull of %u points on a sphere", counts[c]);
        bench_print(name, "ms", rounds, BENCH_ROUNDS);
    }
}

// The box of a hull that turns by half a degree in each frame; `climb` from the last frame's vertices.
static void bench_bounds(uint32_t count, bool climb)
{
    enum { frames = 2000 };
    trv_hull *hull = make_hull(count, 5);
    uint32_t vertex_count;
    const trv_vec3 *vertices = trv_hull_vertices(hull, &vertex_count);
    double rounds[BENCH_ROUNDS];
    trv_bounds_cache cache = {{0}};
    volatile float sink = 0.0f;
    for (int r = 0; r < BENCH_ROUNDS; r++) {
        double spent = 0.0;
        for (int first = 0; first < frames; first += 100) { // poses are made outside the clock
            trv_pose poses[100];
            trv_aabb box;
            for (int f = 0; f < 100; f++)
                poses[f] = (trv_pose){
                    trv_make_vec3(0.01f * (float)f, 1, 2),
                    trv_quat_about(trv_make_vec3(1, 2, 3), 0.0087f * (float)(first + f))};
            double start = bench_now();
            for (int f = 0; f < 100; f++) {
                if (climb)
                    bench_need(trv_bounds_of_hull(hull, poses[f], &cache, &box), "bounds");
                else
                    box = trv_bounds_of_vertices(vertices, vertex_count, poses[f]);
                sink = sink + box.lower.x;
            }
            spent += bench_now() - start;
        }
        rounds[r] = spent / frames;
    }
    char name[64];
    snprintf(name, sizeof name, "box of a turning hull of %u, %s", count,
             climb ? "climbed" : "every vertex");
    bench_print(name, "ns", rounds, BENCH_ROUNDS);
    trv_hull_release(hull);
}

static trv_aabb cube_at(trv_vec3 p)
{
    trv_aabb box = {{p.x - 0.5f, p.y - 0.5f, p.z - 0.5f}, {p.x + 0.5f, p.y + 0.5f, p.z + 0.5f}};
    return box;
}

// Boxes of 1 m in a cube so large that each meets two others; all move a little in each frame.
static void bench_broad(uint32_t count)
{
    bench_random random = {2};
    trv_broad_def def = trv_default_broad_def();
    trv_broad *broad;
    trv_pairs pairs;
    trv_vec3 *places = malloc(count * sizeof *places);
    trv_proxy_id *proxies = malloc(count * sizeof *proxies);
    if (places == NULL || proxies == NULL)
        exit(1);
    bench_need(trv_broad_create(&def, &broad), "broad");
    float extent = 0.5f * cbrtf(4.0f * (float)count);
    for (uint32_t i = 0; i < count; i++) {
        places[i] = bench_vec3(&random, extent);
        bench_need(trv_broad_add(broad, cube_at(places[i]), trv_default_filter(), TRV_PROXY_AWAKE,
                                 i, &proxies[i]),
                   "add");
    }
    bench_need(trv_broad_update(broad, &pairs), "update");
    double rounds[BENCH_ROUNDS];
    for (int r = 0; r < BENCH_ROUNDS; r++) {
        for (uint32_t i = 0; i < count; i++) {
            trv_vec3 d = bench_vec3(&random, 0.03f);
            places[i] = trv_make_vec3(places[i].x + d.x, places[i].y + d.y, places[i].z + d.z);
        }
        double start = bench_now();
        for (uint32_t i = 0; i < count; i++)
            bench_need(trv_broad_move(broad, proxies[i], cube_at(places[i])), "move");
        bench_need(trv_broad_update(broad, &pairs), "update");
        rounds[r] = (bench_now() - start) / count;
    }
    char name[64];
    snprintf(name, sizeof name, "broadphase, %u boxes, all moving", count);
    bench_print(name, "ns per box", rounds, BENCH_ROUNDS);
    trv_broad_destroy(broad);
    free(places);
    free(proxies);
}

// Slow coherent motion: half a degree and some millimetres in each frame.
static void bench_pair(const char *name, const trv_shape *a, const trv_shape *b, trv_vec3 at,
                       trv_vec3 axis)
{
    enum { frames = 2000 };
    static trv_pose poses[frames]; // made before the clock starts: they cost more than some answers
    double rounds[BENCH_ROUNDS];
    trv_plane_cache cache;
    memset(&cache, 0, sizeof cache);
    for (int f = 0; f < frames; f++) {
        float swing = 0.02f * sinf(0.05f * (float)f);
        poses[f].position = trv_make_vec3(at.x + swing, at.y, at.z - swing);
        poses[f].rotation = trv_quat_about(axis, 0.0087f * (float)f);
    }
    trv_pose pose_a = trv_make_pose(trv_make_vec3(0, 0, 0));
    for (int r = 0; r < BENCH_ROUNDS; r++) {
        double start = bench_now();
        for (int f = 0; f < frames; f++) {
            trv_manifold manifold;
            bench_need(trv_collide(a, pose_a, b, poses[f], 0.02f, &cache, &manifold), "collide");
        }
        rounds[r] = (bench_now() - start) / frames;
    }
    bench_print(name, "ns", rounds, BENCH_ROUNDS);
}

// The first contact of two hulls of 2 m, 3 m apart, in a step in which one of them comes by from one side
// of the other to the other. Turning ones turn by up to half a radian about each axis meanwhile.
static void bench_impact(int vertices, bool turning)
{
    enum { steps = 500 };
    static trv_motion motions[2][steps];
    double rounds[BENCH_ROUNDS];
    bench_random random = {6};
    trv_hull *hull = make_hull((uint32_t)vertices, 5);
    trv_shape shape = trv_make_hull(hull);
    for (int i = 0; i < steps; i++) {
        for (int k = 0; k < 2; k++) {
            motions[k][i] = trv_make_motion(trv_make_pose(trv_make_vec3(3.0f * (float)k, 0, 0)));
            trv_vec3 axis = bench_vec3(&random, 1.0f);
            motions[k][i].pose.rotation = trv_quat_about(axis, bench_vec3(&random, 3.0f).x);
            if (turning)
                motions[k][i].turn = bench_vec3(&random, 0.5f);
        }
        motions[1][i].travel = bench_vec3(&random, 2.0f);
        motions[1][i].travel.x = -5.0f;
    }
    for (int r = 0; r < BENCH_ROUNDS; r++) {
        double start = bench_now();
        for (int i = 0; i < steps; i++) {
            trv_impact_hit hit;
            bench_need(trv_impact(&shape, &motions[0][i], &shape, &motions[1][i], &hit), "impact");
        }
        rounds[r] = (bench_now() - start) / steps;
    }
    char name[64];
    snprintf(name, sizeof name, "first contact, %d vertices%s", vertices,
             turning ? ", turning" : "");
    bench_print(name, "ns", rounds, BENCH_ROUNDS);
    trv_hull_release(hull);
}

static void bench_convex(void)
{
    trv_shape box = trv_make_box(trv_make_vec3(0.5f, 0.5f, 0.5f));
    trv_hull *small = make_hull(32, 3), *large = make_hull(1000, 4);
    trv_shape rock = trv_make_hull(small), globe = trv_make_hull(large);
    trv_vec3 up = trv_make_vec3(0, 1, 0), askew = trv_make_vec3(1, 2, 3);
    bench_pair("boxes apart", &box, &box, trv_make_vec3(0, 1.1f, 0), up);
    bench_pair("boxes face to face", &box, &box, trv_make_vec3(0, 0.999f, 0), up);
    bench_pair("32 vertices apart", &rock, &rock, trv_make_vec3(0, 2.1f, 0), askew);
    bench_pair("32 vertices touching", &rock, &rock, trv_make_vec3(0, 1.8f, 0), askew);
    bench_pair("1000 vertices apart", &globe, &globe, trv_make_vec3(0, 2.1f, 0), askew);
    bench_pair("1000 vertices touching", &globe, &globe, trv_make_vec3(0, 1.97f, 0), askew);
    trv_hull_release(small);
    trv_hull_release(large);
}

// A pyramid of boxes, each row one shorter; sleep off.
static void bench_pyramid(int base)
{
    trv_world_def def = trv_default_world_def();
    trv_world *world;
    trv_body_id id;
    trv_shape_id shape_id;
    trv_shape_def surface = trv_default_shape_def();
    def.sleep = false;
    bench_need(trv_world_create(&def, &world), "world");
    trv_body_def body = trv_default_body_def();
    trv_shape ground = trv_make_half_space(trv_make_vec3(0, 0, 0), trv_make_vec3(0, 1, 0));
    trv_shape box = trv_make_box(trv_make_vec3(0.5f, 0.5f, 0.5f));
    bench_need(trv_body_create(world, &body, &id), "ground");
    bench_need(trv_shape_create(world, id, &surface, &ground, &shape_id), "ground");
    body.kind = TRV_BODY_DYNAMIC;
    for (int row = 0; row < base; row++) {
        for (int i = row; i < base; i++) {
            body.position =
                trv_make_vec3(0.5f * (float)(row + 1) + (float)(i - row), // half a box in
                              0.5f + (float)row, 0.0f);
            bench_need(trv_body_create(world, &body, &id), "box");
            bench_need(trv_shape_create(world, id, &surface, &box, &shape_id), "box");
        }
    }
    for (int i = 0; i < 60; i++)
        bench_need(trv_world_step(world, 1.0f / 60.0f, 4), "step");
    double rounds[BENCH_ROUNDS];
    for (int r = 0; r < BENCH_ROUNDS; r++) {
        double start = bench_now();
        for (int i = 0; i < 20; i++)
            bench_need(trv_world_step(world, 1.0f / 60.0f, 4), "step");
        rounds[r] = (bench_now() - start) / 20 * 1.0e-6;
    }
    char name[64];
    snprintf(name, sizeof name, "pyramid of %d boxes", base * (base + 1) / 2);
    bench_print(name, "ms per step", rounds, BENCH_ROUNDS);
    trv_world_destroy(world);
}

int main(void)
{
    bench_reading();
    bench_hulls();
    bench_bounds(32, true);
    bench_bounds(32, false);
    bench_bounds(10000, true);
    bench_bounds(10000, false);
    bench_broad(10000);
    bench_broad(100000);
    bench_broad(1000000);
    bench_convex();
    bench_impact(8, false);
    bench_impact(8, true);
    bench_impact(32, false);
    bench_impact(32, true);
    bench_pyramid(20);
    bench_pyramid(100);
    return 0;
}
