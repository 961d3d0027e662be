// Scenes of moving boxes for bench_broad, and which pairs are right: by a grid that brute force is
// compared with.
#include "broad_scene.h"

#include <math.h>

#include "bench.h"

void *broad_memory(size_t count, size_t size)
{
    void *block = calloc(count > 0 ? count : 1, size);
    if (block == NULL) {
        fprintf(stderr, "bench: no memory\n");
        exit(1);
    }
    return block;
}

const char *const broad_scene_names[] = {"uniform", "clustered", "flat", "uneven"};
static float bell(bench_random *random, float deviation)
{
    return bench_float(random, deviation) + bench_float(random, deviation) +
           bench_float(random, deviation);
}

// The factors put the mean at about 2 overlaps for each box.
static trv_vec3 place_of(bench_random *random, int kind, uint32_t i, uint32_t count)
{
    float n = (float)count;
    if (kind == FLAT) {
        trv_vec3 p = bench_vec3(random, 0.5f * sqrtf(2.0f * n));
        p.y = bench_float(random, 0.1f);
        return p;
    }
    if (kind == UNEVEN)
        return bench_vec3(random, 0.5f * cbrtf(43.0f * n));
    if (kind == UNIFORM)
        return bench_vec3(random, 0.5f * cbrtf(4.0f * n));
    bench_random own = {i % (count / 250 + 1)};
    trv_vec3 center = bench_vec3(&own, 2.0f * cbrtf(n));
    float x = bell(random, 2.8f), y = bell(random, 2.8f), z = bell(random, 2.8f);
    return trv_make_vec3(center.x + x, center.y + y, center.z + z);
}

broad_scene broad_scene_make(int kind, uint32_t count, int moving)
{
    broad_scene s = {.name = broad_scene_names[kind], .count = count, .moving = moving};
    bench_random random = {(uint64_t)kind + 1};
    s.start = broad_memory(count, sizeof *s.start);
    s.velocity = broad_memory(count, sizeof *s.velocity);
    s.room = (bench_room){{{0, 0, 0}, {0, 0, 0}}, 0.5f, kind == UNEVEN ? 12.0f : 1.5f, count};
    float reach = 0.0f;
    for (uint32_t i = 0; i < count; i++) {
        trv_vec3 p = place_of(&random, kind, i, count), half = bench_vec3(&random, 0.25f);
        float big = kind == UNEVEN && i % 10 == 0 ? 6.0f + bench_float(&random, 2.0f) : 1.0f;
        half = trv_make_vec3(big * (half.x + 0.5f), big * (half.y + 0.5f), big * (half.z + 0.5f));
        s.start[i] = (trv_aabb){{p.x - half.x, p.y - half.y, p.z - half.z},
                                {p.x + half.x, p.y + half.y, p.z + half.z}};
        reach = fmaxf(reach, fmaxf(fabsf(p.x), fmaxf(fabsf(p.y), fabsf(p.z))) + 10.0f * big);
        trv_vec3 v = bench_vec3(&random, 0.03f * big);
        v.y = kind == FLAT ? 0.0f : v.y;
        if ((i * 37u) % 100 < (uint32_t)moving)
            s.velocity[i] = v;
    }
    s.room.bounds = (trv_aabb){{-reach, -reach, -reach}, {reach, reach, reach}};
    return s;
}

void broad_scene_free(broad_scene *s)
{
    free(s->start);
    free(s->velocity);
}

bool broad_scene_moves(const broad_scene *s, uint32_t i)
{
    trv_vec3 v = s->velocity[i];
    return v.x != 0.0f || v.y != 0.0f || v.z != 0.0f;
}

// Boxes go to and fro, each with a phase of its own.
void broad_scene_at(const broad_scene *s, uint32_t frame, trv_aabb *boxes)
{
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t phase = (frame + i) % 100;
        float t = (float)(phase < 50 ? phase : 100 - phase);
        trv_vec3 d = s->velocity[i];
        trv_aabb b = s->start[i];
        boxes[i] = (trv_aabb){{b.lower.x + t * d.x, b.lower.y + t * d.y, b.lower.z + t * d.z},
                              {b.upper.x + t * d.x, b.upper.y + t * d.y, b.upper.z + t * d.z}};
    }
}

// ---- What is right ----

static bool counts_as_pair(const broad_scene *s, bool movers_only, uint32_t a, uint32_t b)
{
    return !movers_only || broad_scene_moves(s, a) || broad_scene_moves(s, b);
}

static void brute_force(const broad_scene *s, const trv_aabb *boxes, bool movers_only,
                        bench_sink *sink)
{
    for (uint32_t a = 0; a < s->count; a++) {
        for (uint32_t b = a + 1; b < s->count; b++) {
            if (bench_overlap(boxes[a], boxes[b]) && counts_as_pair(s, movers_only, a, b))
                bench_put_pair(sink, a, b);
        }
    }
}

// Cells as wide as the largest box, each compared with itself and with half of its neighbours.
typedef struct grid {
    float width, origin;
    uint32_t side, *start, *member;
} grid;

static uint32_t cell_of(const grid *g, trv_aabb box, uint32_t at[3])
{
    const float middle[3] = {0.5f * (box.lower.x + box.upper.x), 0.5f * (box.lower.y + box.upper.y),
                             0.5f * (box.lower.z + box.upper.z)};
    for (int k = 0; k < 3; k++)
        at[k] = (uint32_t)((middle[k] - g->origin) / g->width);
    return (at[2] * g->side + at[1]) * g->side + at[0];
}

static grid make_grid(const broad_scene *s, const trv_aabb *boxes)
{
    grid g = {.origin = s->room.bounds.lower.x};
    g.width = fmaxf(s->room.large * 1.01f, -2.0f * g.origin / 250.0f);
    g.side = (uint32_t)(-2.0f * g.origin / g.width) + 2;
    size_t cells = (size_t)g.side * g.side * g.side;
    uint32_t at[3];
    g.start = broad_memory(cells + 1, sizeof *g.start);
    g.member = broad_memory(s->count, sizeof *g.member);
    for (uint32_t i = 0; i < s->count; i++)
        g.start[cell_of(&g, boxes[i], at)]++;
    for (size_t c = 1; c <= cells; c++)
        g.start[c] += g.start[c - 1];
    for (uint32_t i = s->count; i > 0; i--)
        g.member[--g.start[cell_of(&g, boxes[i - 1], at)]] = i - 1;
    return g;
}

void broad_scene_pairs(const broad_scene *s, const trv_aabb *boxes, bool movers_only,
                       bench_sink *sink)
{
    grid g = make_grid(s, boxes);
    for (uint32_t a = 0; a < s->count; a++) {
        uint32_t at[3];
        cell_of(&g, boxes[a], at);
        for (uint32_t z = at[2] > 0 ? at[2] - 1 : 0; z <= at[2] + 1 && z < g.side; z++) {
            for (uint32_t y = at[1] > 0 ? at[1] - 1 : 0; y <= at[1] + 1 && y < g.side; y++) {
                uint32_t row = (z * g.side + y) * g.side;
                uint32_t first = g.start[row + (at[0] > 0 ? at[0] - 1 : 0)];
                uint32_t last = g.start[row + (at[0] + 2 < g.side ? at[0] + 2 : g.side)];
                for (uint32_t i = first; i < last; i++) {
                    uint32_t b = g.member[i];
                    if (a < b && bench_overlap(boxes[a], boxes[b]) &&
                        counts_as_pair(s, movers_only, a, b))
                        bench_put_pair(sink, a, b);
                }
            }
        }
    }
    free(g.start);
    free(g.member);
}

void broad_scene_check(void)
{
    for (int kind = 0; kind < BROAD_SCENES; kind++) {
        broad_scene s = broad_scene_make(kind, 2000, 20);
        for (int movers = 0; movers < 2; movers++) {
            bench_sink wanted = {.count = 0}, got = {.count = 0};
            brute_force(&s, s.start, movers != 0, &wanted);
            broad_scene_pairs(&s, s.start, movers != 0, &got);
            if (!bench_same(&wanted, &got)) {
                fprintf(stderr, "bench: the grid is wrong on %s\n", s.name);
                exit(1);
            }
        }
        broad_scene_free(&s);
    }
}
