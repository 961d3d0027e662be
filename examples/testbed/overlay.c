// Overlays: what trv_world_draw tells, drawn with the renderer's strokes. This is all that a game needs
// to see what Trivet sees.
#include "app.h"
#include "text.h"

static const overlay overlays[] = {{GLFW_KEY_1, TRV_DRAW_SHAPES, "1  edges of shapes"},
                                   {GLFW_KEY_2, TRV_DRAW_BOUNDS_EXACT, "2  bounds, exact"},
                                   {GLFW_KEY_3, TRV_DRAW_BOUNDS_REST, "3  bounds by rest box"},
                                   {GLFW_KEY_4, TRV_DRAW_REST_BOXES, "4  rest boxes"},
                                   {GLFW_KEY_5, TRV_DRAW_BOUNDS_FAT, "5  broadphase boxes"},
                                   {GLFW_KEY_6, TRV_DRAW_PAIRS, "6  pairs"},
                                   {GLFW_KEY_7, TRV_DRAW_CONTACTS, "7  contacts, normals"},
                                   {GLFW_KEY_8, TRV_DRAW_PLANES, "8  separating planes"},
                                   {GLFW_KEY_9, TRV_DRAW_CLIMBS, "9  hill climbs"},
                                   {GLFW_KEY_0, TRV_DRAW_HEAPS, "0  sleeping heaps"},
                                   {GLFW_KEY_C, TRV_DRAW_CENTERS, "C  centres of mass"},
                                   {GLFW_KEY_V, TRV_DRAW_VELOCITIES, "V  velocities"},
                                   {GLFW_KEY_I, TRV_DRAW_HITS, "I  hits"},
                                   {GLFW_KEY_N, TRV_DRAW_NUMBERS, "N  numbers"}};

const overlay *overlay_get(uint32_t index)
{
    return index < sizeof overlays / sizeof *overlays ? &overlays[index] : NULL;
}

static trv_vec3 color_of(trv_ink ink)
{
    uint32_t rgb = trv_ink_rgb(ink);
    return trv_make_vec3((float)(rgb >> 16) / 255.0f, (float)(rgb >> 8 & 255) / 255.0f,
                         (float)(rgb & 255) / 255.0f);
}

static float alpha_of(trv_ink ink)
{
    return ink == TRV_INK_BOUNDS_FAT ? 0.5f : ink == TRV_INK_PAIR ? 0.7f : 0.95f;
}

static void draw_segment(void *user, trv_vec3 a, trv_vec3 b, trv_ink ink)
{
    app *to = user;
    render_stroke(&to->render, a, b, color_of(ink), alpha_of(ink));
}

static void draw_triangle(void *user, trv_triangle triangle, trv_ink ink)
{
    app *to = user;
    render_triangle(&to->render, triangle, color_of(ink), 0.22f);
}

static void draw_point(void *user, trv_vec3 at, trv_ink ink)
{
    app *to = user;
    render_stroke(&to->render, at, at, color_of(ink), 1.0f);
}

// Words are drawn with the panels, over everything.
static void draw_text(void *user, trv_vec3 place, const char *text, trv_ink ink)
{
    app *to = user;
    float x, y;
    if (camera_project(&to->eye, place, &x, &y))
        text_write(&to->render, x + 4.0f, y - 4.0f, 13.0f * to->eye.pixel_ratio, color_of(ink),
                   0.95f, text);
}

void overlay_draw(app *a)
{
    const trv_pen pen = {a, draw_segment, draw_triangle, draw_point, draw_text};
    trv_draw_def def = trv_default_draw_def();
    def.parts = a->overlays;
    def.pen = pen;
    def.normal_length = 0.35f;
    def.plane_reach = 0.0f; // the ground has a grid of its own
    // In a heap there are more planes than one can look at: while a body is held, only those about it.
    const uint32_t crowded = TRV_DRAW_PAIRS | TRV_DRAW_PLANES | TRV_DRAW_CLIMBS;
    if (a->hand.body.index1 != 0 && (a->overlays & crowded) != 0) {
        def.parts &= ~crowded;
        trv_world_draw(a->stage.world, &def);
        def.parts = a->overlays & (crowded | TRV_DRAW_NUMBERS);
        def.within.lower = sub(a->hand.wanted, trv_make_vec3(0.5f, 0.5f, 0.5f));
        def.within.upper = add(a->hand.wanted, trv_make_vec3(0.5f, 0.5f, 0.5f));
    }
    if (a->overlays != 0)
        trv_world_draw(a->stage.world, &def);
    if (a->stage.scene->draw != NULL)
        a->stage.scene->draw(&a->stage, &pen);
    if (a->hand.body.index1 != 0) {
        trv_pose pose;
        if (trv_body_pose(a->stage.world, a->hand.body, &pose) == TRV_OK) {
            trv_vec3 held = trv_pose_apply(pose, a->hand.local);
            draw_point(a, held, TRV_INK_CENTER);
            draw_segment(a, held, a->hand.wanted, TRV_INK_CENTER);
        }
    }
}
