// The testbed as a player has it: a stage that is stepped in time, seen through a camera, touched by a
// hand, with overlays and panels.
#ifndef TESTBED_APP_H
#define TESTBED_APP_H

#include "render.h"
#include "stage.h"

typedef struct camera {
    trv_vec3 target;
    float yaw, pitch, distance;
} camera;

// A body held by the mouse: its point follows where the mouse points, in the plane through the point
// that faces the camera.
typedef struct hand {
    trv_body_id body; // {0}: nothing is held
    bool kinematic;
    trv_vec3 local;  // where it is held, in the body's frame
    trv_vec3 offset; // of a kinematic body's origin from there
    float depth;     // of the plane, along the view
    trv_vec3 wanted;
} hand;

typedef struct mouse {
    float x, y; // in pixels of the picture
    bool pressed, right, middle;
    bool clicked; // since the last frame; whoever uses it takes it away
} mouse;

enum { HISTORY = 180 };

typedef struct app {
    stage stage;
    renderer render;
    GLFWwindow *window;
    eye eye;
    camera camera;
    hand hand;
    mouse mouse;
    uint32_t overlays; // of trv_draw_part
    bool paused, one_step, show_panels;
    bool keys[6]; // W A S D Q E
    float speed;  // of time; 1 is real time
    trv_stepper stepper;
    double last_time;
    // By body index: pose before the last step, and how brightly it was hit.
    trv_pose *before;
    float *flash;
    uint32_t body_capacity;
    trv_body_id *bodies;                     // scratch, as large
    float history[HISTORY][TRV_PHASE_COUNT]; // ms
    uint32_t history_next;
    const char *files[64];
    uint32_t file_count;
    char message[160];
} app;

double seconds_now(void *unused);

// app.c
bool app_open(app *a, const scene *which); // false where the scene cannot be made; says why
void app_step(app *a);
void app_advance(app *a, double seconds); // steps that are due
void app_draw(app *a);
void app_load(app *a, const char *path); // drops an OBJ file from above the target
void app_close(app *a);

// camera.c
void camera_set(camera *c, trv_vec3 place, trv_vec3 target);
trv_vec3 camera_eye(const camera *c);
void camera_drag(camera *c, float dx, float dy, bool pan);
void camera_zoom(camera *c, float steps);
void camera_fly(camera *c, const bool keys[6], float seconds);
// From the eye through a pixel, 300 m long.
trv_ray camera_ray(const eye *e, float x, float y);
// False behind the eye.
bool camera_project(const eye *e, trv_vec3 place, float *x, float *y);

// hand.c
void hand_grab(app *a);
void hand_release(app *a);
void hand_pull(app *a); // before each step
void hand_shoot(app *a, float speed, bool bullet);

// overlay.c
typedef struct overlay {
    int key;
    uint32_t part;
    const char *text;
} overlay;
const overlay *overlay_get(uint32_t index); // NULL past the end
void overlay_draw(app *a);

// ui.c
void ui_draw(app *a);

// window.c
bool window_open(app *a, int width, int height, bool visible);
void window_read(app *a); // sizes and keys that are held
void window_close(app *a);
bool window_save(const app *a, const char *path); // a PNG of what was drawn

#endif
