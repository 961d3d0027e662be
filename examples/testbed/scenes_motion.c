// Scenes that keep moving: rolling balls, bullets, a drum, tiles, spin in free fall.
#include "stage.h"

// Ramps in a zigzag, each a plank that leads to the next one below.
static void build_balls(stage *s)
{
    stage_ground(s);
    enum { RAMPS = 5 };
    const float slope = 0.13f;
    trv_shape_def stone = stage_skin(COLOR_STONE), glass = stone;
    glass.user |= STAGE_GLASS;
    for (int i = 0; i < RAMPS; i++) {
        float sign = i % 2 ? -1.0f : 1.0f, y = 11.2f - 2.35f * (float)i;
        trv_pose pose = turned(-0.7f * sign, y, 0, vec(0, 0, 1), -sign * slope);
        trv_body_id body = stage_put(s, TRV_BODY_STATIC, pose, box(4.6f, 0.1f, 1.2f), &stone);
        for (int side = -1; side <= 1; side += 2) {
            trv_obb rail = {
                vec(0, 0.35f, 1.25f * (float)side), vec(4.6f, 0.45f, 0.05f), {0, 0, 0, 1}};
            stage_shape(s, body, trv_make_placed_box(rail), side > 0 ? &glass : &stone);
        }
        // What stops them at the end of the ramp above.
        stage_put(s, TRV_BODY_STATIC, at(-5.6f * sign, y + 1.3f, 0), box(0.1f, 1.1f, 1.3f), &glass);
    }
    for (uint32_t i = 0; i < 60; i++) {
        trv_shape_def skin = stage_skin(1 + i % (COLOR_COUNT - 1));
        skin.material.restitution = i % 3 ? 0.2f : 0.6f;
        skin.material.rolling_friction = 0.001f;
        float radius = 0.16f + 0.03f * (float)(i % 5);
        stage_put(s, TRV_BODY_DYNAMIC,
                  at(-4.6f + 0.62f * (float)(i % 4), 12.6f + 0.65f * (float)(i / 12),
                     -0.7f + 0.65f * (float)(i / 4 % 3)),
                  ball(radius), &skin);
    }
    for (int i = 0; i < 10; i++) { // skittles at the foot
        trv_shape_def skin = stage_skin(COLOR_CREAM);
        stage_put(s, TRV_BODY_DYNAMIC,
                  at(7.0f + 0.45f * (float)(i % 3), 0.4f, -0.9f + 0.6f * (float)(i / 3)),
                  box(0.09f, 0.4f, 0.09f), &skin);
    }
}

const scene scene_balls = {"balls",
                           "Rolling balls",
                           "Sixty balls roll down a zigzag.",
                           build_balls,
                           NULL,
                           NULL,
                           {8, 10, 21},
                           {0.5f, 6, 0},
                           0};

// Plates a few millimetres thin, hung in a row of frames; what is behind them stays whole.
static void build_bullets(stage *s)
{
    stage_ground(s);
    for (int i = 0; i < 6; i++) {
        trv_shape_def skin = stage_skin(1 + (uint32_t)i);
        skin.material.density = 7800.0f;
        float x = -4.0f + 2.2f * (float)i, thin = 0.012f - 0.0018f * (float)i;
        for (int k = 0; k < 5; k++)
            stage_put(s, TRV_BODY_DYNAMIC, at(x, 0.75f, -2.4f + 1.2f * (float)k),
                      box(thin, 0.75f, 0.55f), &skin);
    }
    trv_shape_def wall = stage_skin(COLOR_STONE);
    wall.user |= STAGE_GLASS;
    stage_put(s, TRV_BODY_STATIC, at(9.2f, 2, 0), box(0.001f, 2, 4), &wall);
    for (int i = 0; i < 9; i++) { // behind the wall, where nothing may ever come
        trv_shape_def skin = stage_skin(COLOR_CREAM);
        stage_put(s, TRV_BODY_DYNAMIC, at(10.5f, 0.35f, -2.4f + 0.6f * (float)i),
                  box(0.08f, 0.35f, 0.08f), &skin);
    }
}

static void fire(stage *s)
{
    if (s->steps % 20 != 10 || s->steps > 1200)
        return;
    trv_shape_def skin = stage_skin(COLOR_YELLOW);
    skin.material.density = 11000.0f;
    skin.material.restitution = 0.3f;
    uint32_t shot = s->steps / 20;
    float y = stage_between(s, 0.4f, 1.9f), z = stage_between(s, -2.8f, 2.8f);
    trv_shape shape = shot % 2 ? ball(0.04f) : box(0.06f, 0.02f, 0.02f);
    trv_body_id bullet = stage_put(s, TRV_BODY_DYNAMIC, at(-12, y, z), shape, &skin);
    if (s->result == TRV_OK)
        s->result =
            trv_body_set_velocity(s->world, bullet, vec(350.0f, 1.0f, 0), vec(0, 60.0f, 30.0f));
    stage_note(s, 0, "%u bullets at 350 m/s: 5.8 m from step to step, walls down to 2 mm",
               shot + 1);
}

const scene scene_bullets = {"bullets",
                             "Bullets",
                             "Bullets at thin plates; none gets behind the glass.",
                             build_bullets,
                             fire,
                             NULL,
                             {-4, 6, 14},
                             {1.5f, 0.8f, 0},
                             TRV_DRAW_HITS};

// Sixteen staves on one kinematic body make the drum; its front is glass.
static void build_washer(stage *s)
{
    stage_ground(s);
    enum { STAVES = 16 };
    const float radius = 4.0f, half_length = 1.7f;
    trv_shape_def stone = stage_skin(COLOR_STONE), glass = stone, fin = stage_skin(COLOR_BLUE);
    glass.user |= STAGE_GLASS;
    trv_body_id drum = stage_body(s, TRV_BODY_KINEMATIC, at(0, 4.8f, 0));
    for (int i = 0; i < STAVES; i++) {
        trv_quat about = trv_quat_about(vec(0, 0, 1), 6.2831853f / STAVES * (float)i);
        trv_obb stave = {trv_rotate(about, vec(0, radius + 0.3f, 0)), vec(0.86f, 0.3f, half_length),
                         about};
        stage_shape(s, drum, trv_make_placed_box(stave), &stone);
        if (i % 4 == 0) {
            trv_obb blade = {trv_rotate(about, vec(0, radius - 0.45f, 0)),
                             vec(0.25f, 0.45f, half_length), about};
            stage_shape(s, drum, trv_make_placed_box(blade), &fin);
        }
    }
    trv_obb back = {vec(0, 0, -half_length - 0.3f), vec(4.25f, 4.25f, 0.3f), {0, 0, 0, 1}};
    trv_obb front = {vec(0, 0, half_length + 0.3f), vec(4.25f, 4.25f, 0.3f), {0, 0, 0, 1}};
    back.rotation = front.rotation = trv_quat_about(vec(0, 0, 1), 0.3926991f);
    glass.material.friction = 0.0f;
    stage_shape(s, drum, trv_make_placed_box(front), &glass);
    stage_shape(s, drum, trv_make_placed_box(back), &glass);
    if (s->result == TRV_OK)
        s->result = trv_body_set_angular_velocity(s->world, drum, vec(0, 0, 0.8f));
    const trv_hull *stone_hull = stage_stone(s, 0.3f, 24);
    for (uint32_t i = 0; i < 200; i++) {
        trv_shape_def skin = stage_skin(1 + i % (COLOR_COUNT - 1));
        trv_pose pose = at(-2.1f + 0.6f * (float)(i % 8), 2.4f + 0.6f * (float)(i / 40),
                           -1.2f + 0.6f * (float)(i / 8 % 5));
        pose.rotation = stage_any_rotation(s);
        trv_shape shape = i % 4 == 0   ? ball(0.24f)
                          : i % 4 == 1 ? box(0.25f, 0.2f, 0.2f)
                          : i % 4 == 2
                              ? trv_make_capsule(vec(0, -0.15f, 0), vec(0, 0.15f, 0), 0.15f)
                              : trv_make_hull(stone_hull);
        if (s->result == TRV_OK)
            stage_put(s, TRV_BODY_DYNAMIC, pose, shape, &skin);
    }
}

const scene scene_washer = {
    "washer",      "Washing drum", "A kinematic drum turns 200 bodies over.",
    build_washer,  NULL,           NULL,
    {3.5f, 6, 15}, {0, 4.3f, 0},   0};

// A floor of separate bodies: what slides over their joints must not stumble.
static void build_tiles(stage *s)
{
    stage_ground(s);
    enum { ALONG = 24, ACROSS = 6 };
    for (int i = 0; i < ALONG; i++)
        for (int k = 0; k < ACROSS; k++) {
            trv_shape_def skin = stage_skin((i + k) % 2 ? COLOR_STONE : COLOR_CREAM);
            stage_put(s, TRV_BODY_STATIC,
                      at((float)i - 0.5f * (ALONG - 1), 0.25f, (float)k - 0.5f * (ACROSS - 1)),
                      box(0.5f, 0.25f, 0.5f), &skin);
        }
    for (int i = 0; i < 6; i++) {
        trv_shape_def skin = stage_skin(1 + (uint32_t)i);
        skin.material.friction = 0.04f * (float)i;
        float z = (float)i - 0.5f * (ACROSS - 1) + 0.07f;
        trv_shape shape = i % 3 == 2   ? ball(0.3f)
                          : i % 3 == 1 ? trv_make_capsule(vec(0, 0, -0.2f), vec(0, 0, 0.2f), 0.2f)
                                       : box(0.4f, 0.2f, 0.3f);
        float high = i % 3 == 2 ? 0.8f : 0.7f;
        trv_body_id body = stage_put(s, TRV_BODY_DYNAMIC, at(-11, high, z), shape, &skin);
        if (s->result == TRV_OK)
            s->result = trv_body_set_linear_velocity(s->world, body, vec(6.0f, 0, 0));
    }
}

const scene scene_tiles = {
    "tiles",     "Tiles",    "144 bodies make a floor; sliders feel no joint.",
    build_tiles, NULL,       NULL,
    {-9, 7, 11}, {-2, 0, 0}, TRV_DRAW_CONTACTS};

// In free fall: a body that spins about its middle axis of inertia turns over again and again.
static void build_spin(stage *s)
{
    stage_ground(s);
    for (int i = 0; i < 3; i++) {
        trv_body_def def = trv_default_body_def();
        def.kind = TRV_BODY_DYNAMIC;
        def.gravity_scale = 0.0f;
        def.never_sleeps = true;
        def.position = vec(-4.0f + 4.0f * (float)i, 3.5f, 0);
        trv_body_id body = {0, 0, 0};
        if (s->result == TRV_OK)
            s->result = trv_body_create(s->world, &def, &body);
        trv_shape_def handle = stage_skin(COLOR_TEAL + (uint32_t)i);
        trv_shape_def bar = stage_skin(COLOR_ORANGE);
        stage_shape(s, body, box(0.22f, 0.9f, 0.22f), &bar);
        trv_obb across = {vec(0, 0.9f, 0), vec(1.0f, 0.2f, 0.2f), {0, 0, 0, 1}};
        stage_shape(s, body, trv_make_placed_box(across), &handle);
        // About the least, the middle and the greatest moment; when there is a centre to turn about.
        trv_vec3 spin = i == 0   ? vec(0.01f, 7.0f, 0)
                        : i == 1 ? vec(7.0f, 0.01f, 0.01f)
                                 : vec(0.01f, 0.01f, 7.0f);
        if (s->result == TRV_OK)
            s->result = trv_body_set_angular_velocity(s->world, body, spin);
    }
}

static void tell_spin(stage *s)
{
    trv_body_id ids[8];
    uint32_t count;
    if (trv_world_bodies(s->world, ids, 8, &count) != TRV_OK || count < 4)
        return;
    for (uint32_t i = 1; i < 4; i++) {
        trv_vec3 linear, w;
        if (trv_body_velocity(s->world, ids[i], &linear, &w) == TRV_OK)
            stage_note(s, i - 1, "spin %5.2f %5.2f %5.2f rad/s", (double)w.x, (double)w.y,
                       (double)w.z);
    }
}

const scene scene_spin = {
    "spin",     "Spin",       "The one in the middle, about its middle axis, keeps turning over.",
    build_spin, tell_spin,    NULL,
    {0, 5, 12}, {0, 3.3f, 0}, TRV_DRAW_VELOCITIES};
