// What broadphases cost: frames of moving boxes, questions, insertions and removals, and memory.
//
//   bench_broad [--n N] [--scene TEXT] [--moving PERCENT] [--only TEXT] [--quick] [--part TEXT]
//
// One JSON line for each figure. Contestants take turns in each round, all on the same frames. A figure
// is printed only where the answers agree with the grid's here, which brute force is compared with
// first. Parts: frames, questions, batches.
#include <math.h>
#include <string.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <trivet/broad.h>

#include "bench.h"
#include "broad_scene.h"

enum { MAX_CONTESTANTS = 16, MAX_FRAMES = 200, QUESTIONS = 2000, CHECKED = 40, RAY_LENGTH = 20 };

typedef struct options {
    uint32_t n;
    int moving;
    const char *scene, *only, *part;
    bool quick;
} options;

// Bytes of the heap in use; 0 where nobody tells.
static double heap_bytes(void)
{
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    struct mallinfo2 info = mallinfo2();
    return (double)info.uordblks + (double)info.hblkhd;
#else
    return 0.0;
#endif
}

// ---- Trivet as a contestant ----

typedef struct self {
    trv_broad *broad;
    trv_proxy_id *ids;
    trv_pairs pairs;
    bool asleep; // boxes that do not move are
    uint32_t answers;
    bench_sink *sink;
} self;

static self *create_trivet(const bench_room *room, bool asleep)
{
    self *s = broad_memory(1, sizeof *s);
    trv_broad_def def = trv_default_broad_def();
    bench_need(trv_broad_create(&def, &s->broad), "broad");
    s->ids = broad_memory(room->most, sizeof *s->ids);
    s->asleep = asleep;
    return s;
}

static void *create_awake(const bench_room *room)
{
    return create_trivet(room, false);
}

static void *create_asleep(const bench_room *room)
{
    return create_trivet(room, true);
}

static void add(void *at, uint32_t index, trv_aabb box, bool moves)
{
    self *s = at;
    trv_proxy_set set = s->asleep && !moves ? TRV_PROXY_ASLEEP : TRV_PROXY_AWAKE;
    bench_need(trv_broad_add(s->broad, box, trv_default_filter(), set, index, &s->ids[index]),
               "add");
}

static void move(void *at, uint32_t index, trv_aabb box)
{
    self *s = at;
    bench_need(trv_broad_move(s->broad, s->ids[index], box), "move");
}

static void remove_one(void *at, uint32_t index)
{
    self *s = at;
    bench_need(trv_broad_remove(s->broad, s->ids[index]), "remove");
}

static void update(void *at)
{
    self *s = at;
    bench_need(trv_broad_update(s->broad, &s->pairs), "update");
}

static void pairs(void *at, bench_sink *sink)
{
    const self *s = at;
    const trv_pair *lists[2] = {s->pairs.begun, s->pairs.kept};
    const uint32_t counts[2] = {s->pairs.begun_count, s->pairs.kept_count};
    for (int k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < counts[k]; i++)
            bench_put_pair(sink, (uint32_t)lists[k][i].user_a, (uint32_t)lists[k][i].user_b);
    }
}

static bool put_found(void *context, trv_proxy_id proxy, uint64_t user)
{
    (void)proxy;
    bench_put(context, user);
    return true;
}

static void query(void *at, trv_aabb box, bench_sink *sink)
{
    self *s = at;
    bench_need(trv_broad_query_aabb(s->broad, box, trv_default_filter(), put_found, sink), "query");
}

static float put_hit(void *context, trv_proxy_id proxy, uint64_t user, float limit)
{
    (void)proxy;
    bench_put(context, user);
    return limit;
}

static void cast(void *at, trv_ray ray, bench_sink *sink)
{
    self *s = at;
    bench_need(trv_broad_cast_ray(s->broad, ray, trv_default_filter(), put_hit, sink), "cast");
}

static void destroy(void *at)
{
    self *s = at;
    trv_broad_destroy(s->broad);
    free(s->ids);
    free(s);
}

static const bench_broad trivet[] = {
    {"trivet", 0, false, create_awake, add, move, remove_one, update, pairs, query, cast, destroy},
    {"trivet-asleep", 0, true, create_asleep, add, move, NULL, update, pairs, NULL, NULL, destroy},
    {.name = NULL},
};

// ---- Figures ----

static const bench_broad *contestants[MAX_CONTESTANTS];
static uint32_t contestant_count;

static void enter_all(const bench_broad *list, const char *only)
{
    for (; list->name != NULL && contestant_count < MAX_CONTESTANTS; list++) {
        if (only == NULL || strstr(list->name, only) != NULL)
            contestants[contestant_count++] = list;
    }
}

typedef struct figure {
    const char *scene, *name, *contestant, *unit;
    uint32_t count;
    int moving;      // percent; < 0: none to tell
    double per_item; // answers
    double rounds[BENCH_ROUNDS];
    int round_count;
} figure;

static void print_figure(figure *f)
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

static void print_wrong(const broad_scene *s, const char *what, const bench_broad *by,
                        const bench_sink *got, const bench_sink *wanted)
{
    fprintf(stderr, "bench: %s: %s on %s, %u boxes: %.0f answers, %.0f wanted; no figure\n",
            by->name, what, s->name, s->count, (double)got->count, (double)wanted->count);
}

static bool takes_part(const bench_broad *c, uint32_t count)
{
    return c->most == 0 || count <= c->most;
}

static void *create_with(const bench_broad *c, const broad_scene *s)
{
    void *it = c->create(&s->room);
    for (uint32_t i = 0; i < s->count; i++)
        c->add(it, i, s->start[i], broad_scene_moves(s, i));
    c->update(it);
    return it;
}

static double play(const bench_broad *c, void *it, const broad_scene *s, trv_aabb *const *frames,
                   uint32_t count, bench_sink *last)
{
    double start = bench_cpu();
    for (uint32_t f = 0; f < count; f++) {
        for (uint32_t i = 0; i < s->count; i++) {
            if (s->velocity[i].x != 0.0f)
                c->move(it, i, frames[f][i]);
        }
        c->update(it);
        *last = (bench_sink){.count = 0};
        c->pairs(it, last);
    }
    return (bench_cpu() - start) / count;
}

static uint32_t frames_for(uint32_t count, int moving)
{
    uint32_t frames = count <= 1000 ? 60 : count <= 10000 ? 10 : count <= 100000 ? 3 : 1;
    return moving == 0 ? frames * 3 : frames;
}

static void bench_frames(const broad_scene *s, int rounds)
{
    uint32_t per_round = frames_for(s->count, s->moving);
    trv_aabb *frames[MAX_FRAMES];
    for (uint32_t f = 0; f < per_round; f++)
        frames[f] = broad_memory(s->count, sizeof **frames);
    void *its[MAX_CONTESTANTS] = {NULL};
    figure figures[MAX_CONTESTANTS];
    bench_sink last = {.count = 0};
    for (uint32_t c = 0; c < contestant_count; c++) {
        figures[c] =
            (figure){s->name, "frame", contestants[c]->name, "ns per box", s->count, s->moving, 0.0,
                     {0.0},   rounds};
        if (takes_part(contestants[c], s->count))
            its[c] = create_with(contestants[c], s);
    }
    for (int r = -1; r < rounds; r++) { // the first one warms up
        for (uint32_t f = 0; f < per_round; f++)
            broad_scene_at(s, (uint32_t)(r + 1) * per_round + f + 1, frames[f]);
        for (uint32_t c = 0; c < contestant_count; c++) {
            double spent =
                its[c] != NULL ? play(contestants[c], its[c], s, frames, per_round, &last) : 0.0;
            if (r >= 0)
                figures[c].rounds[r] = spent / s->count;
        }
    }
    bench_sink wanted[2] = {{.count = 0}, {.count = 0}};
    broad_scene_pairs(s, frames[per_round - 1], false, &wanted[0]);
    broad_scene_pairs(s, frames[per_round - 1], true, &wanted[1]);
    for (uint32_t c = 0; c < contestant_count; c++) {
        if (its[c] == NULL)
            continue;
        bench_sink got = {.boxes = frames[per_round - 1]};
        contestants[c]->pairs(its[c], &got);
        const bench_sink *right = &wanted[contestants[c]->movers_only];
        figures[c].per_item = (double)got.count / s->count;
        if (bench_same(&got, right))
            print_figure(&figures[c]);
        else
            print_wrong(s, "pairs", contestants[c], &got, right);
        contestants[c]->destroy(its[c]);
    }
    for (uint32_t f = 0; f < per_round; f++)
        free(frames[f]);
}

// ---- Questions ----

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
        print_wrong(s, rays ? "rays" : "boxes", c, &got, &wanted);
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

static void bench_questions(const broad_scene *s, int rounds)
{
    question_set *q = make_questions(s);
    void *its[MAX_CONTESTANTS] = {NULL};
    for (uint32_t c = 0; c < contestant_count; c++) {
        const bench_broad *it = contestants[c];
        if (takes_part(it, s->count) && (it->query != NULL || it->cast != NULL))
            its[c] = create_with(it, s);
    }
    for (int rays = 0; rays < 2; rays++) {
        figure figures[MAX_CONTESTANTS];
        bool in[MAX_CONTESTANTS];
        for (uint32_t c = 0; c < contestant_count; c++) {
            const bench_broad *it = contestants[c];
            in[c] = its[c] != NULL && (rays ? it->cast != NULL : it->query != NULL) &&
                    are_right(it, its[c], s, q, rays);
            figures[c] = (figure){s->name,  rays ? "ray of 20 m, all hits" : "box of 2 m",
                                  it->name, "us",
                                  s->count, -1,
                                  0.0,      {0.0},
                                  rounds};
        }
        for (int r = -1; r < rounds; r++) {
            for (uint32_t c = 0; c < contestant_count; c++) {
                uint64_t answers = 0;
                double spent = in[c] ? ask(contestants[c], its[c], q, rays, &answers) : 0.0;
                figures[c].per_item = (double)answers / QUESTIONS;
                if (r >= 0)
                    figures[c].rounds[r] = spent;
            }
        }
        for (uint32_t c = 0; c < contestant_count; c++) {
            if (in[c])
                print_figure(&figures[c]);
        }
    }
    for (uint32_t c = 0; c < contestant_count; c++) {
        if (its[c] != NULL)
            contestants[c]->destroy(its[c]);
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

static void bench_arrays(const broad_scene *s, int rounds)
{
    enum { room = 16 };
    question_set *q = make_questions(s);
    trv_question *questions = broad_memory(QUESTIONS, sizeof *questions);
    wedge *planes = broad_memory(QUESTIONS, sizeof *planes);
    trv_proxy_found *found = broad_memory(QUESTIONS * room, sizeof *found);
    uint32_t *counts = broad_memory(QUESTIONS, sizeof *counts);
    self *it = create_with(&trivet[0], s);
    for (int kind = 0; kind < ARRAY_KINDS; kind++) {
        for (uint32_t i = 0; i < QUESTIONS; i++)
            questions[i] = array_question(kind, q->boxes[i], q->rays[i], planes[i]);
        uint32_t capacity = kind == TRV_ASK_NEAREST ? 8 : kind == CLOSEST ? 1 : room;
        figure f = {s->name, array_names[kind], "trivet", "us", s->count, -1, 0, {0}, rounds};
        for (int r = -1; r < rounds; r++) {
            double start = bench_cpu();
            bench_need(trv_broad_ask(it->broad, questions, QUESTIONS, capacity, found, counts),
                       "ask");
            if (r >= 0)
                f.rounds[r] = (bench_cpu() - start) / QUESTIONS * 1.0e-3;
        }
        for (uint32_t i = 0; i < QUESTIONS; i++)
            f.per_item += (double)counts[i] / QUESTIONS;
        print_figure(&f);
    }
    destroy(it);
    free(counts);
    free(found);
    free(planes);
    free(questions);
    free(q);
}

// ---- Insertions, removals, memory ----

// A tenth of the boxes is removed, and added again; each with the update.
static void bench_batches(const broad_scene *s, int rounds)
{
    uint32_t batch = s->count / 10;
    for (uint32_t c = 0; c < contestant_count; c++) {
        const bench_broad *by = contestants[c];
        if (!takes_part(by, s->count) || by->remove == NULL)
            continue;
        figure in = {s->name, "insert", by->name, "ns per box", s->count, -1, 0, {0.0}, rounds};
        figure out = in, whole = in, memory = in;
        out.name = "remove";
        whole.name = "insert with its update";
        memory.name = "memory";
        memory.unit = "bytes per box";
        memory.round_count = 1;
        double before = heap_bytes();
        void *it = create_with(by, s);
        memory.rounds[0] = (heap_bytes() - before) / s->count;
        for (int r = 0; r < rounds; r++) {
            double start = bench_cpu();
            for (uint32_t i = s->count; i > s->count - batch; i--)
                by->remove(it, i - 1);
            out.rounds[r] = (bench_cpu() - start) / batch;
            by->update(it);
            start = bench_cpu();
            for (uint32_t i = s->count - batch; i < s->count; i++)
                by->add(it, i, s->start[i], broad_scene_moves(s, i));
            in.rounds[r] = (bench_cpu() - start) / batch;
            by->update(it);
            whole.rounds[r] = (bench_cpu() - start) / batch;
        }
        bench_sink wanted = {.count = 0}, got = {.boxes = s->start};
        broad_scene_pairs(s, s->start, false, &wanted);
        by->pairs(it, &got);
        if (bench_same(&got, &wanted)) {
            in.per_item = out.per_item = whole.per_item = memory.per_item =
                (double)got.count / s->count;
            print_figure(&in);
            print_figure(&whole);
            print_figure(&out);
            if (before > 0.0)
                print_figure(&memory);
        } else {
            print_wrong(s, "pairs after insertions", by, &got, &wanted);
        }
        by->destroy(it);
    }
}

static options read_options(int argc, char **argv)
{
    options o = {.moving = -1};
    for (int i = 1; i < argc; i++) {
        const char *next = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--quick") == 0)
            o.quick = true;
        else if (strcmp(argv[i], "--n") == 0)
            o.n = (uint32_t)strtoul(next, NULL, 10), i++;
        else if (strcmp(argv[i], "--moving") == 0)
            o.moving = (int)strtol(next, NULL, 10), i++;
        else if (strcmp(argv[i], "--scene") == 0)
            o.scene = next, i++;
        else if (strcmp(argv[i], "--only") == 0)
            o.only = next, i++;
        else if (strcmp(argv[i], "--part") == 0)
            o.part = next, i++;
        else {
            fprintf(stderr, "bench: what is %s?\n", argv[i]);
            exit(2);
        }
    }
    return o;
}

static bool is_wanted(const char *text, const char *name)
{
    return text == NULL || strstr(name, text) != NULL;
}

int main(int argc, char **argv)
{
    static const uint32_t sizes[] = {1000, 10000, 100000, 1000000};
    static const int movings[] = {0, 1, 5, 20, 100};
    options o = read_options(argc, argv);
    enter_all(trivet, o.only);
#if defined(BENCH_BROAD_BULLET)
    enter_all(bench_broad_bullet, o.only);
#endif
#if defined(BENCH_BROAD_ODE)
    enter_all(bench_broad_ode, o.only);
#endif
#if defined(BENCH_BROAD_FCL)
    enter_all(bench_broad_fcl, o.only);
#endif
    bench_print_machine(stdout);
    broad_scene_check();
    for (int k = 0; k < 4; k++) {
        uint32_t n = sizes[k];
        if ((o.n != 0 && n != o.n) || (o.quick && n > 1000))
            continue;
        int rounds = o.quick || n > 100000 ? 3 : BENCH_ROUNDS;
        for (int kind = 0; kind < BROAD_SCENES; kind++) {
            if (!is_wanted(o.scene, broad_scene_names[kind]))
                continue;
            for (int m = 0; m < 5; m++) {
                if (o.moving >= 0 && o.moving != movings[m])
                    continue;
                broad_scene s = broad_scene_make(kind, n, movings[m]);
                if (is_wanted(o.part, "frames"))
                    bench_frames(&s, rounds);
                broad_scene_free(&s);
            }
            broad_scene still = broad_scene_make(kind, n, 0);
            if (is_wanted(o.part, "questions")) {
                bench_questions(&still, rounds);
                if (is_wanted(o.only, "trivet"))
                    bench_arrays(&still, rounds);
            }
            if (is_wanted(o.part, "batches"))
                bench_batches(&still, rounds);
            broad_scene_free(&still);
        }
    }
    return 0;
}
