// The questions of bench_broad: boxes and rays, one by one and by the array. Some are answered by
// brute force first; who does not agree has no figure.
#include "broad_figures.h"

#include <math.h>
#include <string.h>

enum { QUESTIONS = 2000, CHECKED = 40, RAY_LENGTH = 20 };

typedef struct question_set {
    trv_aabb boxes[QUESTIONS];
    trv_ray rays[QUESTIONS];
} question_set;

// Cubes of 2 m, and rays of 20 m, both around boxes of the scene.
static question_set *make_questions(const broad_scene *s)
{
    question_set *q = broad_memory(1, sizeof *q);
    bench_random random = {77};
    for (uint32_t i = 0; i < QUESTIONS; i++) {
        trv_aabb at = s->start[(uint64_t)i * 7919 % s->count];
        trv_vec3 p = bench_vec3(&random, 1.0f), d = bench_direction(&random);
        p = trv_make_vec3(p.x + at.lower.x, p.y + at.lower.y, p.z + at.lower.z);
        q->boxes[i] = (trv_aabb){{p.x - 1, p.y - 1, p.z - 1}, {p.x + 1, p.y + 1, p.z + 1}};
        q->rays[i] = (trv_ray){p, {RAY_LENGTH * d.x, RAY_LENGTH * d.y, RAY_LENGTH * d.z}};
    }
    return q;
}

static bool meets(trv_ray ray, trv_aabb box)
{
    const double o[3] = {(double)ray.origin.x, (double)ray.origin.y, (double)ray.origin.z};
    const double d[3] = {(double)ray.travel.x, (double)ray.travel.y, (double)ray.travel.z};
    const double l[3] = {(double)box.lower.x, (double)box.lower.y, (double)box.lower.z};
    const double u[3] = {(double)box.upper.x, (double)box.upper.y, (double)box.upper.z};
    double enter = 0.0, leave = 1.0;
    for (int k = 0; k < 3; k++) {
        double a = (l[k] - o[k]) / d[k], b = (u[k] - o[k]) / d[k];
        enter = fmax(enter, fmin(a, b));
        leave = fmin(leave, fmax(a, b));
    }
    return enter <= leave;
}

// Some of the questions, by brute force. Rays in float may differ by a box or so.
static bool are_right(const bench_broad *c, void *it, const broad_scene *s, const question_set *q,
                      bool rays)
{
    bench_sink got = {.count = 0}, wanted = {.count = 0};
    for (uint32_t i = 0; i < CHECKED; i++) {
        if (rays)
            c->cast(it, q->rays[i], &got);
        else
            c->query(it, q->boxes[i], &got);
        for (uint32_t b = 0; b < s->count; b++) {
            if (rays ? meets(q->rays[i], s->start[b]) : bench_overlap(q->boxes[i], s->start[b]))
                bench_put(&wanted, b);
        }
    }
    bool right = rays ? got.count + 2 >= wanted.count && got.count <= wanted.count + 2
                      : bench_same(&got, &wanted);
    if (!right)
        bench_print_wrong(s, rays ? "rays" : "boxes", c, &got, &wanted);
    return right;
}

static double ask(const bench_broad *c, void *it, const question_set *q, bool rays,
                  uint64_t *answers)
{
    bench_sink sink = {.count = 0};
    double start = bench_cpu();
    for (uint32_t i = 0; i < QUESTIONS; i++) {
        if (rays)
            c->cast(it, q->rays[i], &sink);
        else
            c->query(it, q->boxes[i], &sink);
    }
    *answers = sink.count;
    return (bench_cpu() - start) / QUESTIONS * 1.0e-3;
}

void bench_questions(const bench_field *field, const broad_scene *s, int rounds)
{
    question_set *q = make_questions(s);
    void *its[MAX_CONTESTANTS] = {NULL};
    for (uint32_t c = 0; c < field->count; c++) {
        const bench_broad *it = field->contestants[c];
        if (takes_part(it, s->count) && (it->query != NULL || it->cast != NULL))
            its[c] = bench_create_with(it, s);
    }
    for (int rays = 0; rays < 2; rays++) {
        figure figures[MAX_CONTESTANTS];
        bool in[MAX_CONTESTANTS];
        for (uint32_t c = 0; c < field->count; c++) {
            const bench_broad *it = field->contestants[c];
            in[c] = its[c] != NULL && (rays ? it->cast != NULL : it->query != NULL) &&
                    are_right(it, its[c], s, q, rays);
            figures[c] = (figure){s->name,  rays ? "ray of 20 m, all hits" : "box of 2 m",
                                  it->name, "us",
                                  s->count, -1,
                                  0.0,      {0.0},
                                  rounds};
        }
        for (int r = -1; r < rounds; r++) {
            for (uint32_t c = 0; c < field->count; c++) {
                uint64_t answers = 0;
                double spent = in[c] ? ask(field->contestants[c], its[c], q, rays, &answers) : 0.0;
                figures[c].per_item = (double)answers / QUESTIONS;
                if (r >= 0)
                    figures[c].rounds[r] = spent;
            }
        }
        for (uint32_t c = 0; c < field->count; c++) {
            if (in[c])
                bench_print_figure(&figures[c]);
        }
    }
    for (uint32_t c = 0; c < field->count; c++) {
        if (its[c] != NULL)
            field->contestants[c]->destroy(its[c]);
    }
    free(q);
}

// Trivet's kinds of questions, by the array.
static const char *const array_names[] = {"box of 2 m, by the array",
                                          "turned box of 2 m",
                                          "wedge of 4 planes",
                                          "ray of 20 m, by the array",
                                          "ray of 20 m, any",
                                          "box of 1 m swept by 20 m",
                                          "8 nearest",
                                          "ray of 20 m, closest"};
enum { ARRAY_KINDS = sizeof array_names / sizeof *array_names, CLOSEST = ARRAY_KINDS - 1 };

typedef trv_plane wedge[4];

// 10 m deep from the point on, and 4 m wide there.
static void make_wedge(trv_vec3 p, wedge planes)
{
    static const trv_vec3 normals[4] = {
        {1, 0, 0}, {-0.2f, 1, 0}, {-0.2f, -0.5f, 0.9f}, {-0.2f, -0.5f, -0.9f}};
    for (int k = 0; k < 4; k++) {
        trv_vec3 n = normals[k];
        planes[k].normal = n;
        planes[k].offset = -(n.x * p.x + n.y * p.y + n.z * p.z) - (k == 0 ? 10.0f : 0.0f);
    }
}

static trv_question array_question(int kind, trv_aabb box, trv_ray ray, wedge planes)
{
    trv_question q;
    trv_vec3 p = ray.origin;
    memset(&q, 0, sizeof q);
    q.kind = kind == CLOSEST ? TRV_ASK_RAY : (trv_question_kind)kind;
    q.filter = trv_default_filter();
    switch (q.kind) {
    case TRV_ASK_AABB:
        q.as.aabb = box;
        break;
    case TRV_ASK_OBB:
        q.as.obb = (trv_obb){p, {1, 1, 1}, trv_quat_about(ray.travel, 1.0f)};
        break;
    case TRV_ASK_PLANES:
        make_wedge(p, planes);
        q.as.volume.planes = planes;
        q.as.volume.count = 4;
        break;
    case TRV_ASK_RAY:
    case TRV_ASK_RAY_ANY:
        q.as.ray = ray;
        break;
    case TRV_ASK_SWEEP:
        q.as.sweep.box =
            (trv_aabb){{p.x - .5f, p.y - .5f, p.z - .5f}, {p.x + .5f, p.y + .5f, p.z + .5f}};
        q.as.sweep.travel = ray.travel;
        break;
    case TRV_ASK_NEAREST:
        q.as.ball = (trv_sphere){p, TRV_COORD_MAX};
        break;
    }
    return q;
}

void bench_arrays(const broad_scene *s, int rounds)
{
    enum { room = 16 };
    question_set *q = make_questions(s);
    trv_question *questions = broad_memory(QUESTIONS, sizeof *questions);
    wedge *planes = broad_memory(QUESTIONS, sizeof *planes);
    trv_proxy_found *found = broad_memory(QUESTIONS * room, sizeof *found);
    uint32_t *counts = broad_memory(QUESTIONS, sizeof *counts);
    void *it = bench_create_with(&bench_broad_trivet[0], s);
    for (int kind = 0; kind < ARRAY_KINDS; kind++) {
        for (uint32_t i = 0; i < QUESTIONS; i++)
            questions[i] = array_question(kind, q->boxes[i], q->rays[i], planes[i]);
        uint32_t capacity = kind == TRV_ASK_NEAREST ? 8 : kind == CLOSEST ? 1 : room;
        figure f = {s->name, array_names[kind], "trivet", "us", s->count, -1, 0, {0}, rounds};
        for (int r = -1; r < rounds; r++) {
            double start = bench_cpu();
            bench_need(
                trv_broad_ask(bench_broad_of(it), questions, QUESTIONS, capacity, found, counts),
                "ask");
            if (r >= 0)
                f.rounds[r] = (bench_cpu() - start) / QUESTIONS * 1.0e-3;
        }
        for (uint32_t i = 0; i < QUESTIONS; i++)
            f.per_item += (double)counts[i] / QUESTIONS;
        bench_print_figure(&f);
    }
    bench_broad_trivet[0].destroy(it);
    free(counts);
    free(found);
    free(planes);
    free(questions);
    free(q);
}
