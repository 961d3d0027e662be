// How bench_broad tells what it measured.
#include "broad_figures.h"

void bench_print_figure(figure *f)
{
    if (f->round_count > 0)
        qsort(f->rounds, (size_t)f->round_count, sizeof f->rounds[0], bench_compare);
    printf("{\"bench\": \"broad\", \"name\": \"%s\", \"scene\": \"%s\", \"n\": %u, ", f->name,
           f->scene, f->count);
    if (f->moving >= 0)
        printf("\"moving\": %d, ", f->moving);
    printf("\"contestant\": \"%s\", \"unit\": \"%s\", \"median\": %.4g, \"min\": %.4g, "
           "\"answers\": %.4g}\n",
           f->contestant, f->unit, f->rounds[f->round_count / 2], f->rounds[0], f->per_item);
    fflush(stdout);
}

void bench_print_wrong(const broad_scene *s, const char *what, const bench_broad *by,
                       const bench_sink *got, const bench_sink *wanted)
{
    fprintf(stderr, "bench: %s: %s on %s, %u boxes: %.0f answers, %.0f wanted; no figure\n",
            by->name, what, s->name, s->count, (double)got->count, (double)wanted->count);
}

void *bench_create_with(const bench_broad *c, const broad_scene *s)
{
    void *it = c->create(&s->room);
    for (uint32_t i = 0; i < s->count; i++)
        c->add(it, i, s->start[i], broad_scene_moves(s, i));
    c->update(it);
    return it;
}

void broad_deal(uint32_t *boxes, uint32_t count, uint32_t dealt, bench_random *random)
{
    for (uint32_t i = 0; i < dealt; i++) {
        uint32_t k = i + (uint32_t)((bench_float(random, 0.5f) + 0.5f) * (float)(count - i - 1));
        uint32_t box = boxes[k];
        boxes[k] = boxes[i];
        boxes[i] = box;
    }
}
