// The testbed between its parts: steps are made when they are due, and what the world has is drawn.
//
// Invariant: the world is touched only between steps; the hand pulls right before each.
#include "app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double seconds_now(void *unused)
{
    struct timespec now;
    (void)unused;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1.0e-9 * (double)now.tv_nsec;
}

bool app_open(app *a, const scene *which)
{
    const trv_clock clock = {NULL, seconds_now};
    const char *const *files = a->file_count > 0 ? a->files : NULL;
    if (a->stage.world != NULL)
        stage_close(&a->stage);
    hand_release(a);
    render_forget_hulls(&a->render);
    memset(a->history, 0, sizeof a->history);
    if (a->flash != NULL && a->before != NULL) {
        memset(a->flash, 0, a->body_capacity * sizeof *a->flash);
        memset(a->before, 0, a->body_capacity * sizeof *a->before);
    }
    a->message[0] = '\0';
    trv_result result = stage_open(&a->stage, which, clock, files, a->file_count);
    if (result != TRV_OK) {
        fprintf(stderr, "testbed: scene %s: %s\n", which->name, trv_result_text(result));
        return false;
    }
    a->overlays = which->overlays;
    camera_set(&a->camera, which->eye, which->target);
    return true;
}

// The ids of all bodies, with room for what is known of each; how many there are.
static uint32_t find_bodies(app *a)
{
    uint32_t count;
    if (trv_world_bodies(a->stage.world, NULL, 0, &count) != TRV_OK)
        return 0;
    // Places are numbered densely enough: no scene destroys many bodies.
    uint32_t needed = 2 * count + 64;
    if (needed > a->body_capacity) {
        trv_pose *before = realloc(a->before, needed * sizeof *before);
        float *flash = realloc(a->flash, needed * sizeof *flash);
        trv_body_id *bodies = realloc(a->bodies, needed * sizeof *bodies);
        a->before = before != NULL ? before : a->before;
        a->flash = flash != NULL ? flash : a->flash;
        a->bodies = bodies != NULL ? bodies : a->bodies;
        if (before == NULL || flash == NULL || bodies == NULL)
            return 0;
        memset(flash + a->body_capacity, 0, (needed - a->body_capacity) * sizeof *flash);
        memset(before + a->body_capacity, 0, (needed - a->body_capacity) * sizeof *before);
        a->body_capacity = needed;
    }
    trv_world_bodies(a->stage.world, a->bodies, a->body_capacity, &count);
    return count;
}

// Rotations of zero length say that a body was not there before the step.
static void remember_poses(app *a)
{
    uint32_t count = find_bodies(a);
    if (a->body_capacity > 0)
        memset(a->before, 0, a->body_capacity * sizeof *a->before);
    for (uint32_t i = 0; i < count; i++)
        if (a->bodies[i].index1 < a->body_capacity)
            trv_body_pose(a->stage.world, a->bodies[i], &a->before[a->bodies[i].index1]);
}

static void light_up(app *a, trv_shape_id shape, float speed)
{
    trv_body_id body;
    trv_body_kind kind;
    if (trv_shape_body(a->stage.world, shape, &body) == TRV_OK && body.index1 < a->body_capacity &&
        trv_body_kind_get(a->stage.world, body, &kind) == TRV_OK && kind == TRV_BODY_DYNAMIC)
        a->flash[body.index1] = fminf(1.0f, fmaxf(a->flash[body.index1], 0.12f * speed));
}

void app_step(app *a)
{
    trv_world_profile profile;
    remember_poses(a);
    hand_pull(a);
    trv_result result = stage_step(&a->stage);
    if (result != TRV_OK) {
        snprintf(a->message, sizeof a->message, "%s", trv_result_text(result));
        a->paused = true;
        return;
    }
    trv_events events = trv_world_events(a->stage.world);
    for (uint32_t i = 0; i < a->body_capacity; i++)
        a->flash[i] *= 0.86f;
    for (uint32_t i = 0; i < events.hit_count; i++) {
        light_up(a, events.hits[i].shape_a, events.hits[i].speed);
        light_up(a, events.hits[i].shape_b, events.hits[i].speed);
    }
    if (trv_world_profile_get(a->stage.world, &profile) == TRV_OK)
        for (int k = 0; k < TRV_PHASE_COUNT; k++)
            a->history[a->history_next][k] = (float)(1000.0 * profile.seconds[k]);
    a->history_next = (a->history_next + 1) % HISTORY;
}

void app_advance(app *a, double seconds)
{
    uint32_t steps = 0;
    if (a->paused)
        steps = a->one_step;
    else
        steps = trv_stepper_advance(&a->stepper, seconds * (double)a->speed);
    if (a->paused)
        a->stepper.alpha = 1.0f;
    a->one_step = false;
    for (uint32_t i = 0; i < steps; i++)
        app_step(a);
}

void app_load(app *a, const char *path)
{
    if (a->file_count < sizeof a->files / sizeof *a->files) {
        char *copy = malloc(strlen(path) + 1);
        if (copy != NULL)
            a->files[a->file_count++] = strcpy(copy, path);
    }
    trv_vec3 above = add(a->camera.target, trv_make_vec3(0, 4, 0));
    stage_drop_file(&a->stage, path, at(above.x, above.y, above.z), 2.0f);
}

// Colours as they shine, from those of the palette as they look.
static trv_vec3 color_of(uint64_t user, bool awake)
{
    static const uint32_t palette[COLOR_COUNT] = {0xA7ADB8, 0xE4505A, 0xF5893C, 0xFFC24A, 0x6BB567,
                                                  0x35A79C, 0x4B86D9, 0x9A6FD0, 0xF3E3C3};
    uint32_t rgb = palette[(user & 0xFFFFFFFFu) % COLOR_COUNT];
    const float channels[3] = {(float)(rgb >> 16), (float)(rgb >> 8 & 255), (float)(rgb & 255)};
    float c[3], gray = 0.0f;
    for (int i = 0; i < 3; i++) {
        c[i] = powf(channels[i] / 255.0f, 2.2f);
        gray += c[i] / 3.0f;
    }
    if (!awake) // what sleeps is paler
        for (int i = 0; i < 3; i++)
            c[i] = 0.78f * (0.7f * c[i] + 0.3f * gray);
    return trv_make_vec3(c[0], c[1], c[2]);
}

static void draw_shape(app *a, trv_shape_id id, trv_pose pose, bool awake, float flash)
{
    uint64_t user;
    uint32_t parts;
    trv_shape solid;
    if (trv_shape_user(a->stage.world, id, &user) != TRV_OK ||
        trv_shape_part_count(a->stage.world, id, &parts) != TRV_OK)
        return;
    for (uint32_t i = 0; i < parts; i++)
        if (trv_shape_part(a->stage.world, id, i, &solid) == TRV_OK)
            render_shape(&a->render, &solid, pose, color_of(user, awake), flash,
                         (user & STAGE_GLASS) != 0);
}

static void draw_body(app *a, trv_body_id body)
{
    trv_world *world = a->stage.world;
    trv_shape_id shapes[64];
    trv_body_kind kind;
    trv_pose pose;
    uint32_t count;
    bool awake;
    if (trv_body_pose(world, body, &pose) != TRV_OK ||
        trv_body_awake(world, body, &awake) != TRV_OK ||
        trv_body_kind_get(world, body, &kind) != TRV_OK ||
        trv_body_shapes(world, body, shapes, 64, &count) != TRV_OK)
        return;
    bool known = body.index1 < a->body_capacity;
    trv_quat turn = known ? a->before[body.index1].rotation : trv_identity_quat();
    bool moved = turn.x * turn.x + turn.y * turn.y + turn.z * turn.z + turn.w * turn.w > 0.5f;
    if (known && moved && kind != TRV_BODY_STATIC)
        pose = trv_pose_between(a->before[body.index1], pose, a->stepper.alpha);
    for (uint32_t i = 0; i < count && i < 64; i++)
        draw_shape(a, shapes[i], pose, awake || kind != TRV_BODY_DYNAMIC,
                   known ? a->flash[body.index1] : 0.0f);
}

void app_draw(app *a)
{
    a->eye.place = camera_eye(&a->camera);
    a->eye.target = a->camera.target;
    render_aim(&a->eye);
    uint32_t count = find_bodies(a);
    for (uint32_t i = 0; i < count; i++)
        draw_body(a, a->bodies[i]);
    overlay_draw(a);
    ui_draw(a);
    render_draw(&a->render, &a->eye, true);
}

void app_close(app *a)
{
    if (a->stage.world != NULL)
        stage_close(&a->stage);
    for (uint32_t i = 0; i < a->file_count; i++)
        free((void *)a->files[i]);
    free(a->before);
    free(a->flash);
    free(a->bodies);
}
