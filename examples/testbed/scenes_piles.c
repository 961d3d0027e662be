// Scenes that stand, or fall and come to rest: pyramid, wall, dominoes, cards, arch, hulls.
#include "stage.h"

#include <math.h>

static void build_pyramid(stage *s)
{
    stage_ground(s);
    enum { ROWS = 14 };
    for (uint32_t row = 0; row < ROWS; row++) {
        trv_shape_def skin = stage_skin(1 + row % (COLOR_COUNT - 1));
        for (uint32_t i = 0; i < ROWS - row; i++)
            stage_put(s, TRV_BODY_DYNAMIC,
                      at(1.05f * ((float)i - 0.5f * (float)(ROWS - 1 - row)), 0.5f + (float)row, 0),
                      box(0.5f, 0.5f, 0.5f), &skin);
    }
    // Towers of ten on either side, each a little askew.
    for (int side = -1; side <= 1; side += 2)
        for (int i = 0; i < 10; i++) {
            trv_shape_def skin = stage_skin(side < 0 ? COLOR_TEAL : COLOR_ORANGE);
            stage_put(s, TRV_BODY_DYNAMIC,
                      turned(9.5f * (float)side, 0.25f + 0.5f * (float)i, 1.5f, vec(0, 1, 0),
                             0.2f * (float)i),
                      box(0.7f, 0.25f, 0.7f), &skin);
        }
}

const scene scene_pyramid = {
    "pyramid",     "Pyramid",    "A hundred boxes and two towers stand, and sleep. Shoot at them.",
    build_pyramid, NULL,         NULL,
    {8, 9, 27},    {0, 5.3f, 0}, 0};

// Courses of bricks, each brick over the joint of two below.
static void build_wall(stage *s)
{
    stage_ground(s);
    enum { COURSES = 25, BRICKS = 60 };
    for (int course = 0; course < COURSES; course++)
        for (int i = 0; i < BRICKS; i++) {
            trv_shape_def skin = stage_skin(1 + (uint32_t)(i / 5 + course / 5) % (COLOR_COUNT - 1));
            float aside = 0.5f * ((float)(i - BRICKS / 2) + 0.5f * (float)(course % 2));
            stage_put(s, TRV_BODY_DYNAMIC, at(aside, 0.1f + 0.2f * (float)course, 0),
                      box(0.25f, 0.1f, 0.25f), &skin);
        }
}

const scene scene_wall = {
    "wall",     "Wall",    "1,500 bricks stand from the first step on. Shoot at them.",
    build_wall, NULL,      NULL,
    {6, 7, 27}, {1, 2, 0}, 0};

// A spiral: the next stone stands a fixed way along the curve from the last one.
static void build_dominoes(stage *s)
{
    stage_ground(s);
    enum { COUNT = 170 };
    float angle = 0.0f;
    for (int i = 0; i < COUNT; i++) {
        float radius = 2.2f + 0.42f * angle;
        trv_quat about = trv_quat_about(vec(0, 1, 0), angle);
        trv_vec3 place = trv_rotate(about, vec(radius, 0.5f, 0));
        trv_shape_def skin = stage_skin(1 + (uint32_t)(i / 10) % (COLOR_COUNT - 1));
        skin.material.friction = 0.4f;
        trv_pose pose = {place, about};
        trv_body_id stone = stage_put(s, TRV_BODY_DYNAMIC, pose, box(0.25f, 0.5f, 0.06f), &skin);
        if (i == COUNT - 1 && s->result == TRV_OK) // the outer end falls inwards along the curve
            s->result =
                trv_body_set_angular_velocity(s->world, stone, trv_rotate(about, vec(2.5f, 0, 0)));
        angle += 0.42f / radius;
    }
}

const scene scene_dominoes = {"dominoes",     "Dominoes", "A spiral of 170 stones, pushed once.",
                              build_dominoes, NULL,       NULL,
                              {5, 10, 16},    {0, 0, 0},  0};

// Cards lean on one another in pairs, with flat cards across.
static void build_cards(stage *s)
{
    stage_ground(s);
    enum { STOREYS = 5 };
    const float half = 0.6f, thick = 0.012f, wide = 0.4f, lean = 0.38f;
    trv_quat right = trv_quat_about(vec(0, 0, 1), lean);
    trv_vec3 up = trv_rotate(right, vec(0, half, 0)); // half a leaning card
    float foot = -up.x, rise = up.y;
    float corner = trv_rotate(right, vec(thick, 0, 0)).x; // half the thickness, level
    float low = trv_rotate(right, vec(thick, 0, 0)).y;
    low = low < 0.0f ? -low : low;
    float pitch = 4.0f * foot + 4.0f * corner, base = 0.0f;
    for (int storey = 0; storey < STOREYS; storey++) {
        int pairs = STOREYS - storey;
        float y = base + rise + low;
        for (int i = 0; i < pairs; i++) {
            float x = pitch * ((float)i - 0.5f * (float)(pairs - 1));
            trv_shape_def skin = stage_skin(storey % 2 ? COLOR_RED : COLOR_CREAM);
            skin.material.friction = 0.9f;
            skin.material.density = 300.0f;
            for (int side = -1; side <= 1; side += 2)
                stage_put(s, TRV_BODY_DYNAMIC,
                          turned(x + (float)side * (foot + corner), y, 0, vec(0, 0, 1),
                                 (float)side * lean),
                          box(thick, half, wide), &skin);
        }
        base += 2.0f * (rise + low);
        for (int i = 0; i + 1 < pairs; i++) {
            trv_shape_def skin = stage_skin(COLOR_BLUE);
            skin.material.friction = 0.9f;
            skin.material.density = 300.0f;
            float x = pitch * ((float)i - 0.5f * (float)(pairs - 2));
            stage_put(s, TRV_BODY_DYNAMIC, at(x, base + thick, 0), box(0.55f * pitch, thick, wide),
                      &skin);
        }
        base += 2.0f * thick;
    }
}

const scene scene_cards = {"cards",
                           "House of cards",
                           "Friction holds five storeys. Touch one.",
                           build_cards,
                           NULL,
                           NULL,
                           {2.5f, 4.5f, 9},
                           {0, 2.6f, 0},
                           0};

// A semicircle of wedges on two pillars; nothing but their shape holds them.
static void build_arch(stage *s)
{
    stage_ground(s);
    enum { STONES = 15 };
    const float inner = 3.0f, outer = 4.0f, deep = 0.8f, step = 3.14159265f / STONES;
    const float pillar = 2.5f;
    for (int side = -1; side <= 1; side += 2) {
        trv_shape_def skin = stage_skin(COLOR_STONE);
        stage_put(s, TRV_BODY_STATIC, at((float)side * 0.5f * (inner + outer), 0.5f * pillar, 0),
                  box(0.75f, 0.5f * pillar, 1.0f), &skin);
    }
    for (int i = 0; i < STONES; i++) {
        trv_vec3 points[8], middle = vec(0, 0, 0);
        for (uint32_t k = 0; k < 8; k++) {
            trv_quat about = trv_quat_about(vec(0, 0, 1), step * (float)(i + (k & 1 ? 1 : 0)));
            points[k] = trv_rotate(about, vec(k & 2 ? outer : inner, 0, 0));
            points[k].z = k & 4 ? deep : -deep;
            middle = vec(middle.x + 0.125f * points[k].x, middle.y + 0.125f * points[k].y, 0);
        }
        for (uint32_t k = 0; k < 8; k++)
            points[k] = vec(points[k].x - middle.x, points[k].y - middle.y, points[k].z);
        trv_shape_def skin = stage_skin(i == STONES / 2 ? COLOR_ORANGE
                                        : i % 2         ? COLOR_CREAM
                                                        : COLOR_YELLOW);
        skin.material.friction = 0.8f;
        stage_put(s, TRV_BODY_DYNAMIC, at(middle.x, middle.y + pillar, 0),
                  trv_make_hull(stage_hull(s, points, 8)), &skin);
    }
    // A parapet to load it with.
    for (int i = 0; i < 3; i++) {
        trv_shape_def skin = stage_skin(COLOR_TEAL);
        stage_put(s, TRV_BODY_DYNAMIC, at(0, pillar + outer + 0.3f + 0.5f * (float)i, 0),
                  box(0.3f, 0.25f, 0.5f), &skin);
    }
}

const scene scene_arch = {
    "arch",        "Arch",       "Fifteen wedges and a keystone; pull one out.",
    build_arch,    NULL,         NULL,
    {6, 6.5f, 14}, {0, 3.4f, 0}, 0};

static void build_hulls(stage *s)
{
    stage_ground(s);
    stage_pit(s, 5.0f, 2.6f, true);
    const trv_hull *stones[12];
    for (uint32_t i = 0; i < 12; i++)
        stones[i] = stage_stone(s, stage_between(s, 0.4f, 0.75f), 8 + 8 * i);
    for (uint32_t i = 0; i < 260; i++) {
        float x = 1.25f * (float)(i % 6) - 3.1f + stage_between(s, -0.2f, 0.2f);
        float z = 1.25f * (float)(i / 6 % 6) - 3.1f + stage_between(s, -0.2f, 0.2f);
        trv_pose pose = at(x, 1.0f + 1.2f * (float)(i / 36), z);
        pose.rotation = stage_any_rotation(s);
        trv_shape shape = trv_make_hull(stones[i % 12]);
        if (i % 7 == 5)
            shape = trv_make_capsule(vec(0, -0.3f, 0), vec(0, 0.3f, 0), 0.25f);
        else if (i % 7 == 6)
            shape = box(0.45f, 0.3f, 0.35f);
        trv_shape_def skin = stage_skin(1 + i % (COLOR_COUNT - 1));
        skin.bounds = i % 2 ? TRV_BOUNDS_REST_BOX : TRV_BOUNDS_EXACT;
        if (s->result == TRV_OK)
            stage_put(s, TRV_BODY_DYNAMIC, pose, shape, &skin);
    }
}

const scene scene_hulls = {"hulls",
                           "Heap of hulls",
                           "Convex stones of 8 to 96 corners, capsules and boxes in a pit.",
                           build_hulls,
                           NULL,
                           NULL,
                           {9, 9.5f, 14},
                           {0, 1.6f, 0},
                           0};
