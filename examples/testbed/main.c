// Testbed: see and touch what Trivet does.
//
//   testbed [--scene NAME] [--size WxH] [--show N,N,...] [file.obj ...]
//   testbed --scene NAME --frames N [--screenshot FILE.png] [--hash] [--headless] [--clean]
//   testbed --list
//
// With --frames it makes N steps as fast as it can, then a picture or the hash of the world's state,
// and ends. With --headless it opens no window. --show switches overlays on by their numbers (1, 2, 4
// ...: the values of trv_draw_part); --clean leaves the panels out. Exit status 2: bad arguments, or
// something that cannot be opened.
#include "app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

#if defined(__EMSCRIPTEN__)
#include <emscripten.h>
#endif

typedef struct options {
    const scene *scene;
    uint32_t frames; // 0: until the window is closed
    uint32_t show;
    int width, height;
    const char *screenshot;
    bool hash, headless, clean, list;
    char **files;
    int file_count;
} options;

static const char usage[] =
    "usage: testbed [--scene NAME] [--size WxH] [--show PARTS] [file.obj ...]\n"
    "       testbed --scene NAME --frames N [--screenshot FILE.png] [--hash] [--headless] "
    "[--clean]\n"
    "       testbed --list\n";

static bool read_number(const char *text, uint32_t *number)
{
    char *end;
    unsigned long value = text != NULL ? strtoul(text, &end, 10) : 0;
    *number = (uint32_t)value;
    return text != NULL && end != text && *end == '\0' && value <= 10000000;
}

// True where the argument takes the next one with it.
static bool read_pair(options *o, const char *name, const char *value, bool *fine)
{
    *fine = value != NULL;
    if (strcmp(name, "--scene") == 0) {
        o->scene = value != NULL ? stage_find(value) : NULL;
        *fine = o->scene != NULL;
    } else if (strcmp(name, "--frames") == 0) {
        *fine = read_number(value, &o->frames);
    } else if (strcmp(name, "--show") == 0) {
        *fine = read_number(value, &o->show) && o->show <= TRV_DRAW_ALL;
    } else if (strcmp(name, "--screenshot") == 0) {
        o->screenshot = value;
    } else if (strcmp(name, "--size") == 0) {
        *fine = value != NULL && sscanf(value, "%dx%d", &o->width, &o->height) == 2 &&
                o->width >= 64 && o->height >= 64 && o->width <= 8192 && o->height <= 8192;
    } else {
        *fine = true;
        return false;
    }
    return true;
}

static bool read_options(options *o, int argc, char **argv)
{
    memset(o, 0, sizeof *o);
    o->width = 1280;
    o->height = 720;
    o->files = argv; // overwritten from the front, behind what is read
    for (int i = 1; i < argc; i++) {
        bool fine = true;
        if (read_pair(o, argv[i], i + 1 < argc ? argv[i + 1] : NULL, &fine))
            i++;
        else if (strcmp(argv[i], "--hash") == 0)
            o->hash = true;
        else if (strcmp(argv[i], "--headless") == 0)
            o->headless = true;
        else if (strcmp(argv[i], "--clean") == 0)
            o->clean = true;
        else if (strcmp(argv[i], "--list") == 0)
            o->list = true;
        else if (argv[i][0] != '-')
            o->files[o->file_count++] = argv[i];
        else
            fine = false;
        if (!fine)
            return false;
    }
    if (o->scene == NULL) // files have a scene of their own
        o->scene = o->file_count > 0 ? stage_find("obj") : stage_scene(0);
    return true;
}

// The hash of a scene after so many steps, without a window; 0 where something failed.
static uint64_t hash_after(const scene *which, uint32_t steps, const char *const *files,
                           uint32_t file_count)
{
    stage s;
    const trv_clock none = {NULL, NULL};
    trv_result result = stage_open(&s, which, none, files, file_count);
    if (result != TRV_OK) {
        fprintf(stderr, "testbed: scene %s: %s\n", which->name, trv_result_text(result));
        return 0;
    }
    for (uint32_t i = 0; i < steps && result == TRV_OK; i++)
        result = stage_step(&s);
    if (result != TRV_OK)
        fprintf(stderr, "testbed: scene %s: %s\n", which->name, trv_result_text(result));
    uint64_t hash = result == TRV_OK ? trv_world_hash(s.world) : 0;
    stage_close(&s);
    return hash;
}

static void print_hash(const scene *which, uint64_t hash)
{
    printf("%s 0x%016llx\n", which->name, (unsigned long long)hash);
}

static int run_headless(const options *o)
{
    uint64_t hash =
        hash_after(o->scene, o->frames, (const char *const *)o->files, (uint32_t)o->file_count);
    if (o->hash)
        print_hash(o->scene, hash);
    return hash != 0 ? 0 : 2;
}

static void frame(void *user)
{
    app *a = user;
    double now = glfwGetTime(), seconds = now - a->last_time;
    a->last_time = now;
    window_read(a);
    if (a->eye.width < 1 || a->eye.height < 1)
        return;
    camera_fly(&a->camera, a->keys, (float)seconds);
    if (a->stage.world != NULL) { // else the last scene could not be made
        app_advance(a, seconds);
        app_draw(a);
    }
    a->mouse.clicked = false;
    glfwSwapBuffers(a->window);
    glfwPollEvents();
}

static bool start(app *a, const options *o)
{
    memset(a, 0, sizeof *a);
    a->speed = 1.0f;
    a->show_panels = !o->clean;
    a->stepper = trv_make_stepper(STAGE_STEP, 3);
    a->stepper.alpha = 1.0f;
    for (int i = 0; i < o->file_count; i++) {
        char *copy = malloc(strlen(o->files[i]) + 1);
        if (copy != NULL && a->file_count < sizeof a->files / sizeof *a->files)
            a->files[a->file_count++] = strcpy(copy, o->files[i]);
    }
    if (!window_open(a, o->width, o->height, o->frames == 0))
        return false;
    if (!render_start(&a->render))
        return false;
    text_start(&a->render, TESTBED_FONT);
    window_read(a);
    if (!app_open(a, o->scene))
        return false;
    a->overlays |= o->show;
    a->last_time = glfwGetTime();
    return true;
}

#if !defined(__EMSCRIPTEN__)
static int run_frames(app *a, const options *o)
{
    for (uint32_t i = 0; i < o->frames; i++)
        app_step(a);
    if (o->screenshot != NULL) {
        app_draw(a);
        if (!window_save(a, o->screenshot)) {
            fprintf(stderr, "testbed: %s cannot be written\n", o->screenshot);
            return 2;
        }
    }
    if (o->hash)
        print_hash(a->stage.scene, trv_world_hash(a->stage.world));
    return a->message[0] == '\0' ? 0 : 2;
}
#endif

static app testbed; // outlives main() in the browser

#if defined(__EMSCRIPTEN__)
// What the page may ask.
EMSCRIPTEN_KEEPALIVE const char *testbed_hash(const char *name, int steps);
EMSCRIPTEN_KEEPALIVE int testbed_steps(void);
EMSCRIPTEN_KEEPALIVE const char *testbed_state(void);
EMSCRIPTEN_KEEPALIVE void testbed_open(const char *name);
EMSCRIPTEN_KEEPALIVE void testbed_load(const char *path);

static const char *text_of(uint64_t hash)
{
    static char words[24];
    snprintf(words, sizeof words, "0x%016llx", (unsigned long long)hash);
    return words;
}

const char *testbed_hash(const char *name, int steps)
{
    const scene *which = stage_find(name);
    return text_of(which != NULL ? hash_after(which, (uint32_t)steps, NULL, 0) : 0);
}

const char *testbed_state(void)
{
    return text_of(trv_world_hash(testbed.stage.world));
}

int testbed_steps(void)
{
    return (int)testbed.stage.steps;
}

void testbed_open(const char *name)
{
    const scene *which = stage_find(name);
    if (which != NULL)
        app_open(&testbed, which);
}

void testbed_load(const char *path)
{
    app_load(&testbed, path);
}
#endif

int main(int argc, char **argv)
{
    options o;
    if (!read_options(&o, argc, argv)) {
        fputs(usage, stderr);
        return 2;
    }
    if (o.list) {
        for (uint32_t i = 0; stage_scene(i) != NULL; i++)
            printf("%-10s %s\n", stage_scene(i)->name, stage_scene(i)->text);
        return 0;
    }
    if (o.headless)
        return run_headless(&o);
    if (!start(&testbed, &o)) {
        fprintf(stderr, "testbed: no window with OpenGL 3.3 (or WebGL 2) can be had here\n");
        return 2;
    }
#if defined(__EMSCRIPTEN__)
    emscripten_set_main_loop_arg(frame, &testbed, 0, 1);
#else
    int status = 0;
    if (o.frames > 0)
        status = run_frames(&testbed, &o);
    while (o.frames == 0 && !glfwWindowShouldClose(testbed.window))
        frame(&testbed);
    app_close(&testbed);
    render_stop(&testbed.render);
    window_close(&testbed);
    return status;
#endif
}
