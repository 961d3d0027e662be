// The panels: scenes and overlays to click on, what the scene says, and where the time goes.
#include "app.h"

#include <stdio.h>

#include "text.h"

static const trv_vec3 ink = {0.93f, 0.94f, 0.96f}, faint = {0.62f, 0.66f, 0.72f};
static const trv_vec3 dark = {0.04f, 0.05f, 0.07f}, bright = {1.0f, 0.76f, 0.33f};
static const trv_vec3 phase_colors[TRV_PHASE_COUNT] = {
    {0.55f, 0.60f, 0.68f}, {0.35f, 0.62f, 0.95f}, {0.30f, 0.80f, 0.70f},
    {0.62f, 0.85f, 0.38f}, {0.98f, 0.74f, 0.25f}, {0.95f, 0.42f, 0.28f},
    {0.80f, 0.45f, 0.85f}, {0.55f, 0.45f, 0.90f}, {0.45f, 0.50f, 0.55f}};

// Where the next line goes, in units of the pixel ratio.
typedef struct pane {
    app *a;
    float x, y, width, unit;
} pane;

static pane open_pane(app *a, float x, float y, float width, float height)
{
    float unit = a->eye.pixel_ratio;
    pane p = {a, x * unit, y * unit, width * unit, unit};
    text_box(&a->render, p.x, p.y, p.width, height * unit, dark, 0.62f);
    p.x += 10.0f * unit;
    p.width -= 20.0f * unit;
    p.y += 8.0f * unit;
    return p;
}

static void say(pane *p, float size, trv_vec3 color, const char *words)
{
    p->y += 1.28f * size * p->unit;
    text_write(&p->a->render, p->x, p->y, size * p->unit, color, 1.0f, words);
}

// A line that can be clicked.
static bool row(pane *p, bool on, const char *words)
{
    const float high = 18.0f * p->unit;
    app *a = p->a;
    bool over = a->mouse.x >= p->x && a->mouse.x < p->x + p->width && a->mouse.y >= p->y &&
                a->mouse.y < p->y + high;
    if (on || over)
        text_box(&a->render, p->x - 4.0f * p->unit, p->y, p->width + 8.0f * p->unit, high,
                 on ? bright : ink, on ? 0.20f : 0.08f);
    text_write(&a->render, p->x, p->y + 13.5f * p->unit, 13.0f * p->unit, on ? bright : ink, 1.0f,
               words);
    p->y += high;
    bool clicked = over && a->mouse.clicked;
    if (clicked)
        a->mouse.clicked = false;
    return clicked;
}

static void draw_scenes(app *a)
{
    uint32_t count = 0;
    while (stage_scene(count) != NULL)
        count++;
    pane p = open_pane(a, 12, 12, 168, 34.0f + 18.0f * (float)count);
    say(&p, 12, faint, "SCENES   [ and ]");
    p.y += 5.0f * p.unit;
    for (uint32_t i = 0; i < count; i++)
        if (row(&p, stage_scene(i) == a->stage.scene, stage_scene(i)->title)) {
            app_open(a, stage_scene(i));
            return;
        }
}

static void draw_overlays(app *a)
{
    uint32_t count = 0, scenes = 0;
    while (overlay_get(count) != NULL)
        count++;
    while (stage_scene(scenes) != NULL)
        scenes++;
    pane p = open_pane(a, 12, 56.0f + 18.0f * (float)scenes, 168, 34.0f + 18.0f * (float)count);
    say(&p, 12, faint, "SHOW");
    p.y += 5.0f * p.unit;
    for (uint32_t i = 0; i < count; i++) {
        const overlay *o = overlay_get(i);
        if (row(&p, (a->overlays & o->part) != 0, o->text))
            a->overlays ^= o->part;
    }
}

static void draw_notes(app *a)
{
    uint32_t lines = 0;
    for (uint32_t i = 0; i < STAGE_NOTES; i++)
        lines += a->stage.notes[i][0] != '\0';
    float room = (float)a->eye.width / a->eye.pixel_ratio - 192.0f - 274.0f;
    pane p =
        open_pane(a, 192, 12, fmaxf(300.0f, fminf(560.0f, room)), 60.0f + 18.5f * (float)lines);
    say(&p, 20, ink, a->stage.scene->title);
    say(&p, 13, faint, a->stage.scene->text);
    for (uint32_t i = 0; i < STAGE_NOTES; i++)
        if (a->stage.notes[i][0] != '\0')
            say(&p, 14, i == 0 ? bright : ink, a->stage.notes[i]);
}

static float total(const float *phases)
{
    float sum = 0.0f;
    for (int i = 0; i < TRV_PHASE_COUNT; i++)
        sum += phases[i];
    return sum;
}

// The scale is the next of 1, 2, 5, 10 ... ms above the worst of the steps that are shown.
static float graph_top(const app *a)
{
    static const float steps[] = {0.5f, 1, 2, 5, 10, 20, 50, 100, 200, 500};
    float worst = 0.0f;
    for (uint32_t i = 0; i < HISTORY; i++)
        worst = fmaxf(worst, total(a->history[i]));
    uint32_t k = 0;
    while (k + 1 < sizeof steps / sizeof *steps && steps[k] < worst)
        k++;
    return steps[k];
}

static void draw_graph(app *a, pane *p)
{
    const float high = 90.0f * p->unit, wide = p->width / HISTORY;
    float top = graph_top(a);
    char words[32];
    text_box(&a->render, p->x, p->y, p->width, high, dark, 0.5f);
    for (uint32_t i = 0; i < HISTORY; i++) {
        const float *phases = a->history[(a->history_next + i) % HISTORY];
        float y = p->y + high;
        for (int k = 0; k < TRV_PHASE_COUNT; k++) {
            float tall = fminf(phases[k] / top * high, y - p->y);
            if (tall > 0.05f)
                text_box(&a->render, p->x + wide * (float)i, y - tall, wide + 0.5f, tall,
                         phase_colors[k], 0.95f);
            y -= tall;
        }
    }
    snprintf(words, sizeof words, "%g ms", (double)top);
    text_write(&a->render, p->x + 4.0f * p->unit, p->y + 13.0f * p->unit, 11.0f * p->unit, faint,
               1.0f, words);
    p->y += high + 6.0f * p->unit;
}

static void draw_legend(app *a, pane *p)
{
    float left = p->x, start = p->y;
    for (int k = 0; k < TRV_PHASE_COUNT; k++) {
        float mean = 0.0f;
        char words[48];
        for (uint32_t i = 0; i < HISTORY; i++)
            mean += a->history[i][k] / HISTORY;
        p->x = left + (k % 2 ? 0.5f * p->width : 0.0f);
        p->y = start + 16.0f * p->unit * (float)(k / 2);
        text_box(&a->render, p->x, p->y + 4.0f * p->unit, 9.0f * p->unit, 9.0f * p->unit,
                 phase_colors[k], 1.0f);
        snprintf(words, sizeof words, "%s", trv_phase_text((trv_phase)k));
        text_write(&a->render, p->x + 15.0f * p->unit, p->y + 12.5f * p->unit, 12.0f * p->unit, ink,
                   1.0f, words);
        snprintf(words, sizeof words, "%.2f", (double)mean);
        text_write(&a->render,
                   p->x + 0.5f * p->width - 8.0f * p->unit - text_width(12.0f * p->unit, words),
                   p->y + 12.5f * p->unit, 12.0f * p->unit, faint, 1.0f, words);
    }
    p->x = left;
    p->y = start + 16.0f * p->unit * (float)((TRV_PHASE_COUNT + 1) / 2);
}

static void count(pane *p, const char *what, double value)
{
    char words[32];
    p->y += 16.0f * p->unit;
    text_write(&p->a->render, p->x, p->y, 12.5f * p->unit, faint, 1.0f, what);
    snprintf(words, sizeof words, "%.0f", value);
    text_write(&p->a->render, p->x + p->width - text_width(12.5f * p->unit, words), p->y,
               12.5f * p->unit, ink, 1.0f, words);
}

static void draw_figures(app *a)
{
    trv_world_counters c;
    char words[64];
    if (trv_world_counters_get(a->stage.world, &c) != TRV_OK)
        return;
    float wide = (float)a->eye.width / a->eye.pixel_ratio;
    pane p = open_pane(a, wide - 262.0f, 12, 250, 408);
    say(&p, 12, faint, "MILLISECONDS OF EACH STEP");
    p.y += 6.0f * p.unit;
    draw_graph(a, &p);
    draw_legend(a, &p);
    p.y += 4.0f * p.unit;
    count(&p, "step", a->stage.steps);
    count(&p, "bodies", c.bodies);
    count(&p, "awake", c.awake_bodies);
    count(&p, "pairs near each other", c.pairs);
    count(&p, "touching", c.touching);
    count(&p, "tests of convex pairs", c.convex_tests);
    count(&p, "found apart", c.apart);
    count(&p, "by the remembered plane", c.apart_remembered);
    count(&p, "sweeps over small islands", c.sweeps);
    count(&p, "kilobytes", (double)c.bytes / 1024.0);
    p.y += 18.0f * p.unit;
    snprintf(words, sizeof words, "state %016llx",
             (unsigned long long)trv_world_hash(a->stage.world));
    text_write(&a->render, p.x, p.y, 12.0f * p.unit, faint, 1.0f, words);
}

static void draw_help(app *a)
{
    static const char *const lines[] = {"left: grab and throw    right: turn    middle: shift    "
                                        "wheel: near and far    W A S D Q E: fly",
                                        "space: shoot    B: bullet    P: pause    O: one step    - "
                                        "and +: speed    R: again    H: panels"
                                        "    drop OBJ files"};
    float high = (float)a->eye.height / a->eye.pixel_ratio;
    pane p = open_pane(a, 192, high - 58.0f, 690, 46);
    say(&p, 12.5f, ink, lines[0]);
    say(&p, 12.5f, ink, lines[1]);
    char words[96] = "";
    if (a->paused)
        snprintf(words, sizeof words, "PAUSED");
    else if (a->speed < 0.99f || a->speed > 1.01f)
        snprintf(words, sizeof words, "time x %g", (double)a->speed);
    if (a->message[0] != '\0')
        snprintf(words, sizeof words, "%.95s", a->message);
    text_write(&a->render, p.x, p.y - 48.0f * p.unit, 18.0f * p.unit, bright, 1.0f, words);
}

void ui_draw(app *a)
{
    if (!a->show_panels)
        return;
    draw_notes(a);
    draw_figures(a);
    draw_help(a);
    draw_overlays(a);
    draw_scenes(a); // last: it may open another scene
}
