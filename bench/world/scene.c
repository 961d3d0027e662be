// The scenes: pyramids, piles and levels as others measure them, what all falls on one body or place, and
// the four of the peers' harness.
#include "scene.h"

#include "../bench.h"

#include <math.h>

#define PI 3.14159265358979323846

static void *grow(void *block, size_t size)
{
    block = realloc(block, size);
    if (block == NULL)
        bench_need(TRV_ERROR_MEMORY, "scene");
    return block;
}

static uint32_t add_solid(world_scene *scene, world_solid solid)
{
    scene->solids = grow(scene->solids, (scene->solid_count + 1) * sizeof *scene->solids);
    scene->solids[scene->solid_count] = solid;
    return scene->solid_count++;
}

static uint32_t add_box(world_scene *scene, float x, float y, float z)
{
    world_solid solid = {.kind = WORLD_BOX, .half = {x, y, z}};
    return add_solid(scene, solid);
}

static uint32_t add_ball(world_scene *scene, float radius)
{
    world_solid solid = {.kind = WORLD_BALL, .radius = radius};
    return add_solid(scene, solid);
}

// A hull as it stands, or moved so that its centre of mass is at the origin.
static uint32_t add_hull(world_scene *scene, const trv_vec3 *points, uint32_t count, bool centred)
{
    world_solid solid = {.kind = WORLD_HULL};
    trv_hull_def def = trv_default_hull_def();
    bench_need(trv_hull_create(points, count, &def, &solid.hull), "hull");
    if (centred) {
        trv_mass mass;
        bench_need(trv_hull_mass(solid.hull, 1, &mass), "mass");
        trv_hull_release(solid.hull);
        def.offset = trv_make_vec3(-mass.center.x, -mass.center.y, -mass.center.z);
        bench_need(trv_hull_create(points, count, &def, &solid.hull), "hull");
    }
    return add_solid(scene, solid);
}

static world_body *add_body(world_scene *scene, trv_body_kind kind, uint32_t solid, float density,
                            float x, float y, float z)
{
    uint32_t count = scene->body_count++;
    if ((count & (count - 1)) == 0)
        scene->bodies = grow(scene->bodies, (count > 0 ? 2 * count : 1) * sizeof *scene->bodies);
    world_body body = {.kind = kind,
                       .solid = solid,
                       .solids = 1,
                       .density = density,
                       .position = {x, y, z},
                       .rotation = {0, 0, 0, 1}};
    scene->bodies[count] = body;
    return &scene->bodies[count];
}

static void add_wall(world_scene *scene, float x, float y, float z, float hx, float hy, float hz)
{
    add_body(scene, TRV_BODY_STATIC, add_box(scene, hx, hy, hz), 0, x, y, z);
}

// A floor with its top at y = 0, and four walls about a square of 2 `half` where `height` > 0.
static void add_pit(world_scene *scene, float half, float height)
{
    float far = half + 2, middle = 0.5f * height;
    add_wall(scene, 0, -2, 0, half + 4, 2, half + 4);
    if (height == 0)
        return;
    add_wall(scene, far, middle, 0, 2, middle, half + 4);
    add_wall(scene, -far, middle, 0, 2, middle, half + 4);
    add_wall(scene, 0, middle, far, half + 4, middle, 2);
    add_wall(scene, 0, middle, -far, half + 4, middle, 2);
}

static void large_pyramid(world_scene *scene)
{
    add_wall(scene, 0, -1, 0, 400, 1, 400);
    uint32_t box = add_box(scene, 0.5f, 0.5f, 0.5f);
    for (int i = 0; i < 100; i++)
        for (int j = i; j < 100; j++)
            add_body(scene, TRV_BODY_DYNAMIC, box, 100, 0.5f * (float)(i + 1) + (float)(j - i) - 50,
                     (float)i + 0.5f, 0);
}

static void many_pyramids(world_scene *scene)
{
    add_wall(scene, 0, -1, 0, 77, 1, 77);
    uint32_t box = add_box(scene, 0.5f, 0.5f, 0.5f);
    for (int p = 0; p < 14 * 14; p++) {
        float x = 11.0f * (float)(p % 14) - 71.5f, z = 152.0f / 13.0f * (float)(p / 14) - 76;
        for (int i = 0; i < 10; i++)
            for (int j = i; j < 10; j++)
                add_body(scene, TRV_BODY_DYNAMIC, box, 100,
                         x + 0.5f * (float)(i + 1) + (float)(j - i) - 5, (float)i + 0.5f, z);
    }
    scene->steps = 100;
}

static uint32_t add_random_hull(world_scene *scene, bench_random *random, uint32_t points,
                                trv_vec3 axes)
{
    trv_vec3 cloud[64];
    for (uint32_t i = 0; i < points; i++) {
        trv_vec3 v = bench_direction(random);
        cloud[i] = trv_make_vec3(axes.x * v.x, axes.y * v.y, axes.z * v.z);
    }
    return add_hull(scene, cloud, points, true);
}

static void convex_pile(world_scene *scene)
{
    bench_random random = {42};
    add_wall(scene, 0, -1, 0, 250, 1, 250);
    uint32_t hull = add_random_hull(scene, &random, 32, trv_make_vec3(2, 2, 2));
    for (int i = 0; i < 8 * 8 * 80; i++)
        add_body(scene, TRV_BODY_DYNAMIC, hull, 1000, 4.0f * (float)(i % 8) - 14,
                 2 + 4.0f * (float)(i / 64), 4.0f * (float)(i / 8 % 8) - 14);
    scene->steps = 500;
}

static void junkyard(world_scene *scene)
{
    trv_vec3 points[32];
    add_wall(scene, 0, -1, 0, 120, 1, 120);
    for (int side = -1; side <= 1; side += 2) {
        add_wall(scene, 50.0f * (float)side, 8, 0, 1, 8, 50);
        add_wall(scene, 0, 8, 50.0f * (float)side, 50, 8, 1);
    }
    for (int i = 0; i < 10; i++) { // Fibonacci's points on a sphere
        double y = 1 - (i + 0.5) * 0.2, around = i * PI * (3 - sqrt(5.0)), r = sqrt(1 - y * y);
        points[i] = trv_make_vec3((float)(1.5 * r * cos(around)), (float)(1.5 * y),
                                  (float)(1.5 * r * sin(around)));
    }
    uint32_t hull = add_hull(scene, points, 10, true);
    for (int layer = 0; layer < 24; layer++)
        for (int i = 0; i < 21 * 21; i++)
            add_body(scene, TRV_BODY_DYNAMIC, hull, 1000, 4.0f * (float)(i % 21) - 40,
                     25 + 4.0f * (float)layer, 4.0f * (float)(i / 21) - 40);
    for (int i = 0; i < 32; i++) {
        double around = 2 * PI * (i / 2) / 16;
        points[i] = trv_make_vec3((float)(4 * cos(around)), i % 2 == 0 ? 0.0f : 24.0f,
                                  (float)(4 * sin(around)));
    }
    world_body *pusher =
        add_body(scene, TRV_BODY_KINEMATIC, add_hull(scene, points, 32, false), 0, 35, 0, 0);
    pusher->orbit = 35;
    pusher->orbit_rate = (float)(6 * PI / 180);
    scene->steps = 500;
}

// A piece of a drum about z, from one angle to another (degrees) and one radius to another.
static uint32_t add_segment(world_scene *scene, double from, double to, double inner, double outer)
{
    trv_vec3 points[8];
    for (int i = 0; i < 8; i++) {
        double angle = (i & 1 ? to : from) * PI / 180, r = i & 2 ? outer : inner;
        points[i] =
            trv_make_vec3((float)(r * cos(angle)), (float)(r * sin(angle)), i & 4 ? 10.0f : -10.0f);
    }
    return add_hull(scene, points, 8, false);
}

static void washer(world_scene *scene)
{
    add_wall(scene, 0, -1, 0, 60, 1, 60);
    uint32_t first = scene->solid_count;
    for (int i = 0; i < 36; i++)
        add_segment(scene, 10 * i - 0.5, 10 * i + 10.5, 16, 18);
    for (int i = 0; i < 36; i += 9)
        add_segment(scene, 10 * i, 10 * i + 10, 14, 16);
    world_body *drum = add_body(scene, TRV_BODY_KINEMATIC, first, 0, 0, 21, 0);
    drum->solids = 40;
    drum->spin = trv_make_vec3(0, 0, (float)(25 * PI / 180));
    uint32_t box = add_box(scene, 0.2f, 0.2f, 0.2f);
    for (int i = 0; i < 8000; i++)
        add_body(scene, TRV_BODY_DYNAMIC, box, 1000, -8 + 0.8f * (float)(i % 20),
                 13 + 0.8f * (float)(i / 20 % 20), -8 + 0.8f * (float)(i / 400));
    scene->steps = 1000;
}

static void million(world_scene *scene)
{
    uint32_t tile = add_box(scene, 5, 0.25f, 5), ball = add_ball(scene, 0.5f);
    for (int i = 0; i < 1000 * 1000; i++)
        add_body(scene, TRV_BODY_STATIC, tile, 0, 10.0f * (float)(i % 1000) - 5000, -0.25f,
                 10.0f * (float)(i / 1000) - 5000);
    for (int i = 0; i < 100; i++) {
        world_body *drop = add_body(scene, TRV_BODY_DYNAMIC, ball, 1000, 3.0f * (float)(i % 10),
                                    1.5f, 3.0f * (float)(i / 10));
        drop->from_step = 5 * (uint32_t)i;
    }
    scene->steps = 500;
    scene->sleep = true;
}

static void square_pyramid(world_scene *scene)
{
    add_wall(scene, 0, -1, 0, 100, 1, 100);
    uint32_t box = add_box(scene, 0.5f, 0.5f, 0.5f);
    for (int layer = 0; layer < 20; layer++)
        for (int i = 0; i < (20 - layer) * (20 - layer); i++) {
            int wide = 20 - layer;
            add_body(scene, TRV_BODY_DYNAMIC, box, 1000,
                     (float)(i % wide) - 0.5f * (float)(wide - 1), (float)layer + 0.5f,
                     (float)(i / wide) - 0.5f * (float)(wide - 1));
        }
}

static trv_quat random_turn(bench_random *random)
{
    trv_vec3 axis = bench_direction(random);
    return trv_quat_about(axis, bench_float(random, (float)PI));
}

static void hull_pit(world_scene *scene, uint32_t count, uint32_t across, float half)
{
    bench_random random = {7};
    add_pit(scene, half, 60);
    uint32_t first = scene->solid_count;
    for (int k = 0; k < 8; k++) {
        trv_vec3 axes = bench_vec3(&random, 0.1f);
        axes = trv_make_vec3(0.55f + axes.x, 0.55f + axes.y, 0.55f + axes.z);
        add_random_hull(scene, &random, 16, axes);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t layer = i / (across * across), place = i % (across * across);
        float middle = 0.5f * (float)(across - 1);
        world_body *body =
            add_body(scene, TRV_BODY_DYNAMIC, first + i % 8, 1,
                     ((float)(place % across) - middle) * 1.4375f + bench_float(&random, 0.05f),
                     0.75f + 1.375f * (float)layer, ((float)(place / across) - middle) * 1.4375f);
        body->rotation = random_turn(&random);
        body->velocity.y = -4;
    }
}

static void pile_of_4000(world_scene *scene)
{
    hull_pit(scene, 4000, 13, 10);
}

static void peers_pile(world_scene *scene)
{
    hull_pit(scene, 2000, 9, 7);
}

static void peers_pyramid(world_scene *scene)
{
    add_pit(scene, 60, 0);
    uint32_t box = add_box(scene, 0.5f, 0.5f, 0.5f);
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 20 - i; j++)
            add_body(scene, TRV_BODY_DYNAMIC, box, 1, ((float)j - 0.5f * (float)(19 - i)) * 1.0625f,
                     0.5f + (float)i, 0);
}

static void peers_towers(world_scene *scene)
{
    bench_random random = {78};
    add_pit(scene, 60, 0);
    uint32_t box = add_box(scene, 0.5f, 0.5f, 0.5f);
    for (int i = 0; i < 400; i++) {
        trv_vec3 off = bench_vec3(&random, 0.02f);
        int tower = i / 20;
        add_body(scene, TRV_BODY_DYNAMIC, box, 1, 4.0f * (float)(tower % 5 - 2) + off.x,
                 0.5f + (float)(i % 20), 4.0f * (float)(tower / 5) - 6 + off.z);
    }
}

static void peers_rain(world_scene *scene)
{
    bench_random random = {80};
    add_pit(scene, 20, 60);
    uint32_t ball = add_ball(scene, 0.5f);
    for (int i = 0; i < 5000; i++) {
        trv_vec3 off = bench_vec3(&random, 0.2f);
        int layer = i / (26 * 26), place = i % (26 * 26);
        world_body *body =
            add_body(scene, TRV_BODY_DYNAMIC, ball, 1, ((float)(place % 26) - 12.5f) * 1.5f + off.x,
                     1.5f + 4.0f * (float)layer + 3.75f * off.y,
                     ((float)(place / 26) - 12.5f) * 1.5f + off.z);
        body->velocity.y = -5;
    }
}

// Dice that drop into a heap, five layers of them: at the same rate they come as far for their size in a step
// as things of half a metre do at 15 steps a second.
static void dice(world_scene *scene)
{
    bench_random random = {7};
    const float size = 0.03f, pitch = 1.9f * size;
    add_wall(scene, 0, -1, 0, 20, 1, 20);
    uint32_t box = add_box(scene, 0.5f * size, 0.5f * size, 0.5f * size);
    for (int i = 0; i < 3000; i++) {
        world_body *body =
            add_body(scene, TRV_BODY_DYNAMIC, box, 1000, pitch * (float)(i % 25 - 12),
                     2 * size + pitch * (float)(i / 600), pitch * (float)(i / 25 % 24 - 12));
        body->rotation = random_turn(&random);
    }
}

// Forty dice in a closed box with walls of 3 mm that turns over and over.
static void tumbler(world_scene *scene)
{
    const float size = 0.016f, half[3] = {4 * size, 6 * size, 4 * size}, wall = 0.0015f;
    uint32_t first = scene->solid_count;
    for (int k = 0; k < 6; k++) {
        int axis = k / 2;
        float h[3] = {half[0] + 2 * wall, half[1] + 2 * wall, half[2] + 2 * wall};
        float at[3] = {0, 0, 0};
        h[axis] = wall;
        at[axis] = (k % 2 == 0 ? 1.0f : -1.0f) * (half[axis] + wall);
        trv_vec3 corners[8];
        for (int i = 0; i < 8; i++)
            corners[i] =
                trv_make_vec3(at[0] + (i & 1 ? h[0] : -h[0]), at[1] + (i & 2 ? h[1] : -h[1]),
                              at[2] + (i & 4 ? h[2] : -h[2]));
        add_hull(scene, corners, 8, false);
    }
    world_body *box = add_body(scene, TRV_BODY_KINEMATIC, first, 0, 0, 1, 0);
    box->solids = 6;
    box->spin = trv_make_vec3(0, 0, 10);
    uint32_t die = add_box(scene, 0.5f * size, 0.5f * size, 0.5f * size);
    for (int i = 0; i < 40; i++)
        add_body(scene, TRV_BODY_DYNAMIC, die, 1000, 1.3f * size * (float)(i % 5 - 2),
                 1 - half[1] + size * (1 + 1.1f * (float)(i / 25)),
                 1.3f * size * (float)(i / 5 % 5 - 2));
    scene->steps = 600;
}

// 20,000 boxes that sleep in small stacks, and fifty that fall among them.
static void sleeping_level(world_scene *scene)
{
    add_wall(scene, 0, -1, 0, 300, 1, 300);
    uint32_t box = add_box(scene, 0.5f, 0.5f, 0.5f), ball = add_ball(scene, 0.4f);
    for (int i = 0; i < 20000; i++) {
        world_body *body =
            add_body(scene, TRV_BODY_DYNAMIC, box, 1000, 5.0f * (float)(i / 2 % 100) - 250,
                     0.5f + (float)(i % 2), 5.0f * (float)(i / 200) - 250);
        body->asleep = true;
    }
    for (int i = 0; i < 50; i++) {
        world_body *body =
            add_body(scene, TRV_BODY_DYNAMIC, ball, 1000, 10.0f * (float)(i % 10) - 47.5f, 3,
                     10.0f * (float)(i / 10) - 47.5f);
        body->velocity.x = 4;
    }
    scene->sleep = true;
}

// A slab slides over three thousand tiles: all its contacts are with one floor.
static void slab(world_scene *scene)
{
    uint32_t tile = add_box(scene, 0.5f, 0.5f, 0.5f);
    for (int i = 0; i < 60 * 60; i++)
        add_body(scene, TRV_BODY_STATIC, tile, 0, (float)(i % 60) - 29.5f, -0.5f,
                 (float)(i / 60) - 29.5f);
    world_body *body =
        add_body(scene, TRV_BODY_DYNAMIC, add_box(scene, 27, 0.2f, 27), 1000, -1.5f, 0.2f, -0.7f);
    body->velocity = trv_make_vec3(5, 0, 1);
}

// Two hundred boxes in one place: each is in all others.
static void crowd(world_scene *scene)
{
    bench_random random = {81};
    add_wall(scene, 0, -1, 0, 200, 1, 200);
    uint32_t box = add_box(scene, 0.25f, 0.25f, 0.25f);
    for (int i = 0; i < 200; i++) {
        trv_vec3 off = bench_vec3(&random, 0.05f);
        world_body *body = add_body(scene, TRV_BODY_DYNAMIC, box, 1000, off.x, 3 + off.y, off.z);
        body->rotation = random_turn(&random);
    }
}

// Two walls close in on three hundred balls in a pit with a lid, until there is a third of the room that these
// would need.
static void crusher(world_scene *scene)
{
    uint32_t ram = add_box(scene, 0.5f, 10, 2), ball = add_ball(scene, 0.2f);
    for (int side = -1; side <= 1; side += 2) {
        world_body *body = add_body(scene, TRV_BODY_KINEMATIC, ram, 0, 2.5f * (float)side, 5, 0);
        body->velocity.x = -(float)side;
    }
    add_wall(scene, 0, -0.5f, 0, 10, 0.5f, 10);
    add_wall(scene, 0, 3, 0, 10, 0.5f, 10);
    add_wall(scene, 0, 5, -2.5f, 10, 10, 0.5f);
    add_wall(scene, 0, 5, 2.5f, 10, 10, 0.5f);
    for (int i = 0; i < 300; i++)
        add_body(scene, TRV_BODY_DYNAMIC, ball, 1000, 0.45f * (float)(i % 8) - 1.7f,
                 0.3f + 0.45f * (float)(i / 64), 0.45f * (float)(i / 8 % 8) - 1.7f);
    scene->steps = 110;
}

// Columns of five boxes, each above the one before with a gap, land and stand side by side.
static void columns(world_scene *scene)
{
    uint32_t box = add_box(scene, 0.5f, 0.5f, 0.5f);
    add_wall(scene, 0, -1, 0, 200, 1, 200);
    for (int i = 0; i < 8000; i++)
        add_body(scene, TRV_BODY_DYNAMIC, box, 1000, 2.0f * (float)(i % 40),
                 1.0f + 1.2f * (float)(i / 1600), 2.0f * (float)(i / 40 % 40));
    scene->steps = 60;
}

// A thousand planks of 4 m come down any way into a pit, layer after layer.
static void planks(world_scene *scene)
{
    bench_random random = {7};
    add_pit(scene, 12, 40);
    uint32_t plank = add_box(scene, 2, 0.05f, 0.15f);
    for (int i = 0; i < 1000; i++) {
        world_body *body = add_body(scene, TRV_BODY_DYNAMIC, plank, 600, 4.5f * (float)(i % 5 - 2),
                                    2 + 0.9f * (float)(i / 25), 4.5f * (float)(i / 5 % 5 - 2));
        body->rotation = random_turn(&random);
    }
    scene->steps = 300;
}

// One body of a thousand cubes, side by side, falls on its edge.
static void lattice(world_scene *scene)
{
    add_wall(scene, 0, -1, 0, 50, 1, 50);
    uint32_t first = scene->solid_count;
    for (int i = 0; i < 1000; i++) {
        trv_vec3 corners[8],
            at = {(float)(i % 10) - 4.5f, (float)(i / 10 % 10) - 4.5f, (float)(i / 100) - 4.5f};
        for (int k = 0; k < 8; k++)
            corners[k] = trv_make_vec3(at.x + (k & 1 ? 0.5f : -0.5f), at.y + (k & 2 ? 0.5f : -0.5f),
                                       at.z + (k & 4 ? 0.5f : -0.5f));
        add_hull(scene, corners, 8, false);
    }
    world_body *body = add_body(scene, TRV_BODY_DYNAMIC, first, 1000, 0, 9, 0);
    body->solids = 1000;
    body->rotation = trv_quat_about(trv_make_vec3(0, 0, 1), 0.6f);
}

static const struct {
    const char *name;
    void (*make)(world_scene *scene);
    float gravity, friction;
    bool alone; // hours for others
} scenes[WORLD_SCENES] = {
    {"large_pyramid", large_pyramid, 10, 0.6f, false},
    {"many_pyramids", many_pyramids, 10, 0.6f, false},
    {"convex_pile", convex_pile, 10, 0.6f, false},
    {"junkyard", junkyard, 10, 0.6f, false},
    {"washer", washer, 10, 0.6f, false},
    {"million", million, 10, 0.6f, true},
    {"pyramid_2870", square_pyramid, 10, 0.6f, false},
    {"pile_4000", pile_of_4000, 10, 0.6f, false},
    {"dice", dice, 10, 0.6f, false},
    {"tumbler", tumbler, 10, 0.6f, false},
    {"sleeping_level", sleeping_level, 10, 0.6f, true},
    {"slab", slab, 10, 0.1f, false},
    {"crowd", crowd, 10, 0.6f, false},
    {"crusher", crusher, 10, 0.6f, false},
    {"columns", columns, 10, 0.6f, false},
    {"planks", planks, 10, 0.6f, false},
    {"lattice", lattice, 10, 0.6f, false},
    {"peers_pyramid", peers_pyramid, 9.8125f, 0.5625f, false},
    {"peers_towers", peers_towers, 9.8125f, 0.5625f, false},
    {"peers_pile", peers_pile, 9.8125f, 0.5625f, false},
    {"peers_rain", peers_rain, 9.8125f, 0.5625f, false},
};

const char *world_scene_name(uint32_t index)
{
    return scenes[index].name;
}

bool world_scene_has_peers(uint32_t index)
{
    return !scenes[index].alone;
}

void world_scene_make(uint32_t index, world_scene *out)
{
    bool of_peers = strncmp(scenes[index].name, "peers_", 6) == 0;
    memset(out, 0, sizeof *out);
    out->name = scenes[index].name;
    out->gravity = scenes[index].gravity;
    out->friction = scenes[index].friction;
    out->dt = 1.0f / 60.0f;
    out->steps = of_peers ? 300 : 200;
    scenes[index].make(out);
}

trv_shape world_shape_of(const world_solid *solid)
{
    if (solid->kind == WORLD_BOX)
        return trv_make_box(solid->half);
    if (solid->kind == WORLD_BALL)
        return trv_make_sphere(trv_make_vec3(0, 0, 0), solid->radius);
    return trv_make_hull(solid->hull);
}

trv_vec3 world_orbit_velocity(const world_scene *scene, const world_body *body, uint32_t step)
{
    double rate = (double)body->orbit_rate * scene->dt, from = rate * step, to = rate * (step + 1);
    double speed = body->orbit / scene->dt;
    return trv_make_vec3((float)(speed * (cos(to) - cos(from))), 0,
                         (float)(speed * (sin(to) - sin(from))));
}

void world_scene_free(world_scene *scene)
{
    for (uint32_t i = 0; i < scene->solid_count; i++)
        trv_hull_release(scene->solids[i].hull);
    free(scene->solids);
    free(scene->bodies);
}
