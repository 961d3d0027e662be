// The window, keys and mouse, by GLFW; and pictures of what was drawn.
#include "app.h"

#include <stdio.h>
#include <stdlib.h>

#if defined(__EMSCRIPTEN__)
#include <emscripten/html5.h>
#else
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#endif
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb/stb_image_write.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
#endif

static app *app_of(GLFWwindow *window)
{
    return glfwGetWindowUserPointer(window);
}

static void next_scene(app *a, int way)
{
    uint32_t count = 0, here = 0;
    for (; stage_scene(count) != NULL; count++)
        if (stage_scene(count) == a->stage.scene)
            here = count;
    app_open(a, stage_scene((here + count + (uint32_t)(way + (int)count)) % count));
}

static void on_overlay_key(app *a, int key)
{
    for (uint32_t i = 0; overlay_get(i) != NULL; i++)
        if (overlay_get(i)->key == key)
            a->overlays ^= overlay_get(i)->part;
}

static void on_key(GLFWwindow *window, int key, int code, int action, int mods)
{
    app *a = app_of(window);
    (void)code;
    (void)mods;
    if (action == GLFW_RELEASE)
        return;
    switch (key) {
    case GLFW_KEY_LEFT_BRACKET:
    case GLFW_KEY_PAGE_UP:
        next_scene(a, -1);
        break;
    case GLFW_KEY_RIGHT_BRACKET:
    case GLFW_KEY_PAGE_DOWN:
        next_scene(a, 1);
        break;
    case GLFW_KEY_SPACE:
        hand_shoot(a, 28.0f, false);
        break;
    case GLFW_KEY_B:
        hand_shoot(a, 300.0f, true);
        break;
    case GLFW_KEY_P:
        a->paused = !a->paused;
        break;
    case GLFW_KEY_O:
        a->one_step = a->paused = true;
        break;
    case GLFW_KEY_MINUS:
        a->speed = fmaxf(a->speed * 0.5f, 1.0f / 64.0f);
        break;
    case GLFW_KEY_EQUAL:
    case GLFW_KEY_KP_ADD:
        a->speed = fminf(a->speed * 2.0f, 4.0f);
        break;
    case GLFW_KEY_R:
        app_open(a, a->stage.scene);
        break;
    case GLFW_KEY_H:
        a->show_panels = !a->show_panels;
        break;
    case GLFW_KEY_ESCAPE:
        glfwSetWindowShouldClose(window, GLFW_TRUE);
        break;
    default:
        on_overlay_key(a, key);
        break;
    }
}

static bool over_panels(const app *a)
{
    return a->show_panels && a->mouse.x < 184.0f * a->eye.pixel_ratio;
}

static void on_button(GLFWwindow *window, int button, int action, int mods)
{
    app *a = app_of(window);
    bool down = action == GLFW_PRESS;
    (void)mods;
    if (button == GLFW_MOUSE_BUTTON_RIGHT)
        a->mouse.right = down;
    if (button == GLFW_MOUSE_BUTTON_MIDDLE)
        a->mouse.middle = down;
    if (button != GLFW_MOUSE_BUTTON_LEFT)
        return;
    a->mouse.pressed = down;
    a->mouse.clicked = down;
    if (!down)
        hand_release(a);
    else if (!over_panels(a))
        hand_grab(a);
}

static void on_move(GLFWwindow *window, double x, double y)
{
    app *a = app_of(window);
    float px = (float)x * a->eye.pixel_ratio, py = (float)y * a->eye.pixel_ratio;
    float dx = px - a->mouse.x, dy = py - a->mouse.y;
    a->mouse.x = px;
    a->mouse.y = py;
    // Where nothing is held, the left button turns the view, too.
    bool idle = a->mouse.pressed && a->hand.body.index1 == 0 && !over_panels(a);
    if (a->mouse.right || a->mouse.middle || idle)
        camera_drag(&a->camera, dx, dy, a->mouse.middle);
}

static void on_wheel(GLFWwindow *window, double x, double y)
{
    (void)x;
    camera_zoom(&app_of(window)->camera, (float)y);
}

static void on_drop(GLFWwindow *window, int count, const char **paths)
{
    for (int i = 0; i < count; i++)
        app_load(app_of(window), paths[i]);
}

static void on_error(int code, const char *text)
{
    fprintf(stderr, "testbed: window: %s (%d)\n", text, code);
}

bool window_open(app *a, int width, int height, bool visible)
{
    glfwSetErrorCallback(on_error);
    if (!glfwInit())
        return false;
#if !defined(__EMSCRIPTEN__)
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_VISIBLE, visible ? GLFW_TRUE : GLFW_FALSE);
#else
    (void)visible;
#endif
    glfwWindowHint(GLFW_SAMPLES, 4);
    a->window = glfwCreateWindow(width, height, "Trivet testbed", NULL, NULL);
    if (a->window == NULL) {
        glfwTerminate();
        return false;
    }
    glfwSetWindowUserPointer(a->window, a);
    glfwMakeContextCurrent(a->window);
    glfwSetKeyCallback(a->window, on_key);
    glfwSetMouseButtonCallback(a->window, on_button);
    glfwSetCursorPosCallback(a->window, on_move);
    glfwSetScrollCallback(a->window, on_wheel);
#if !defined(__EMSCRIPTEN__)
    glfwSetDropCallback(a->window, on_drop);
    glfwSwapInterval(1);
#else
    (void)on_drop; // the page hands files over itself
#endif
    return true;
}

void window_read(app *a)
{
    static const int keys[6] = {GLFW_KEY_W, GLFW_KEY_A, GLFW_KEY_S,
                                GLFW_KEY_D, GLFW_KEY_Q, GLFW_KEY_E};
    int width, height;
#if defined(__EMSCRIPTEN__)
    double css_width, css_height;
    emscripten_get_element_css_size("#canvas", &css_width, &css_height);
    width = (int)css_width, height = (int)css_height;
    glfwGetFramebufferSize(a->window, &a->eye.width, &a->eye.height);
    if (width > 0 && height > 0 && (width != a->eye.width || height != a->eye.height))
        glfwSetWindowSize(a->window, width, height);
#endif
    glfwGetWindowSize(a->window, &width, &height);
    glfwGetFramebufferSize(a->window, &a->eye.width, &a->eye.height);
    a->eye.pixel_ratio = width > 0 ? (float)a->eye.width / (float)width : 1.0f;
    for (int i = 0; i < 6; i++)
        a->keys[i] = glfwGetKey(a->window, keys[i]) == GLFW_PRESS;
}

void window_close(app *a)
{
    glfwDestroyWindow(a->window);
    glfwTerminate();
}

bool window_save(const app *a, const char *path)
{
#if defined(__EMSCRIPTEN__)
    (void)a;
    (void)path;
    return false;
#else
    int width = a->eye.width, height = a->eye.height;
    unsigned char *pixels = malloc((size_t)width * (size_t)height * 3);
    if (pixels == NULL)
        return false;
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, pixels);
    stbi_flip_vertically_on_write(1);
    bool saved = stbi_write_png(path, width, height, 3, pixels, 3 * width) != 0;
    free(pixels);
    return saved;
#endif
}
