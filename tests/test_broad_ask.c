// Casts of boxes, closest hits, neighbours, and questions by the array, against brute force; and many
// threads that ask at once.
#include "broad_scenes.h"
#include "broad_support.h"

#include <pthread.h>

enum { ROOM = 64, MOST_QUESTIONS = 200 };

static trv_question any_question(test_random *random, const box_scene *s, int kind)
{
    trv_question q;
    memset(&q, 0, sizeof q);
    q.kind = (trv_question_kind)(kind % 7);
    q.filter = query_filter(random);
    trv_aabb box = scene_box(random, s), to = scene_box(random, s);
    trv_vec3 travel = {to.lower.x - box.lower.x, to.lower.y - box.lower.y,
                       to.lower.z - box.lower.z};
    if (kind % 3 == 0)
        travel.y = 0;
    if (kind % 5 == 0)
        travel.x = 0;
    switch (q.kind) {
    case TRV_ASK_AABB:
        q.as.aabb = box;
        break;
    case TRV_ASK_OBB:
        q.as.obb = (trv_obb){box.lower, {3, 2, 1}, random_quat(random)};
        break;
    case TRV_ASK_PLANES: {
        static const trv_plane wedge[2] = {{{1, 1, 0}, 0}, {{-1, 0.5f, 0}, 1}};
        q.as.volume.planes = wedge;
        q.as.volume.count = 2;
        break;
    }
    case TRV_ASK_RAY:
    case TRV_ASK_RAY_ANY:
        q.as.ray = (trv_ray){box.lower, travel};
        break;
    case TRV_ASK_SWEEP:
        q.as.sweep.box = box;
        q.as.sweep.travel = travel;
        break;
    case TRV_ASK_NEAREST:
        q.as.ball.center = kind % 4 ? box.lower : trv_make_vec3(500, -300, 1e4f);
        q.as.ball.radius = kind % 6 ? random_float(random, 0, s->extent[0]) : TRV_COORD_MAX;
        break;
    }
    return q;
}

// ---- Oracles ----

// Where a box that travels first touches another, to rounding in double; 2: never. `slack` in m.
static double touch(trv_aabb moving, trv_vec3 travel, trv_aabb box, double slack)
{
    const double from_lower[3] = {moving.lower.x, moving.lower.y, moving.lower.z};
    const double from_upper[3] = {moving.upper.x, moving.upper.y, moving.upper.z};
    const double d[3] = {travel.x, travel.y, travel.z};
    const double lower[3] = {box.lower.x, box.lower.y, box.lower.z};
    const double upper[3] = {box.upper.x, box.upper.y, box.upper.z};
    double enter = 0, leave = 1;
    for (int k = 0; k < 3; k++) {
        double a = lower[k] - from_upper[k] - slack, b = upper[k] - from_lower[k] + slack;
        if (d[k] == 0) {
            if (a > 0 || b < 0)
                return 2;
            continue;
        }
        enter = fmax(enter, fmin(a / d[k], b / d[k]));
        leave = fmin(leave, fmax(a / d[k], b / d[k]));
    }
    return enter <= leave ? enter : 2;
}

static double distance_to(trv_vec3 p, trv_aabb box)
{
    double x = fmax(0, fmax((double)box.lower.x - p.x, (double)p.x - box.upper.x));
    double y = fmax(0, fmax((double)box.lower.y - p.y, (double)p.y - box.upper.y));
    double z = fmax(0, fmax((double)box.lower.z - p.z, (double)p.z - box.upper.z));
    return sqrt(x * x + y * y + z * z);
}

// By (at, index), each once, live, and with what it was added with.
static void check_order(const box_world *w, const trv_proxy_found *found, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        assert_true(found[i].user < w->count && w->live[found[i].user]);
        assert_memory_equal(&found[i].proxy, &w->ids[found[i].user], sizeof found[i].proxy);
        assert_int_equal(found[i].reserved, 0);
        if (i > 0)
            assert_true(found[i - 1].at < found[i].at ||
                        (!(found[i - 1].at > found[i].at) &&
                         found[i - 1].proxy.index1 < found[i].proxy.index1));
    }
}

// What was found is met, and at that fraction.
static void check_met(const box_world *w, const box_scene *s, trv_aabb from, trv_vec3 travel,
                      trv_filter filter, const trv_proxy_found *found, uint32_t count)
{
    double slack = 1e-12 * (1e3 + 8 * (double)s->extent[0] + 3 * (double)s->center);
    check_order(w, found, count);
    for (uint32_t i = 0; i < count; i++) {
        trv_aabb box = w->boxes[found[i].user];
        double nearly = touch(from, travel, box, slack), at = touch(from, travel, box, 0);
        assert_true(trv_filters_agree(filter, w->filters[found[i].user]));
        assert_true(nearly < 2);
        expect_near(found[i].at, at < 2 ? at : nearly, 1e-7);
    }
}

// What was not found is not met, or comes after all for which there was room.
static void check_not_met(const box_world *w, trv_aabb from, trv_vec3 travel, trv_filter filter,
                          const trv_proxy_found *found, uint32_t count, uint32_t room)
{
    for (uint32_t i = 0; i < w->count; i++) {
        if (!w->live[i] || !trv_filters_agree(filter, w->filters[i]))
            continue;
        double at = touch(from, travel, w->boxes[i], 0);
        bool told = false;
        for (uint32_t j = 0; j < count; j++)
            told = told || found[j].user == i;
        bool no_room = count == room && (count == 0 || (float)at >= found[count - 1].at);
        assert_true(at > 1 || told || no_room);
    }
}

static void check_nearest(const box_world *w, trv_question q, const trv_proxy_found *found,
                          uint32_t count, uint32_t room)
{
    check_order(w, found, count);
    uint32_t wanted = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        if (!w->live[i] || !trv_filters_agree(q.filter, w->filters[i]))
            continue;
        float at = (float)distance_to(q.as.ball.center, w->boxes[i]);
        bool told = false;
        for (uint32_t j = 0; j < count; j++) {
            if (found[j].user != i)
                continue;
            told = true;
            expect_near(found[j].at, at, 0);
        }
        bool within = at <= q.as.ball.radius;
        wanted += within;
        bool earlier =
            count > 0 &&
            (at < found[count - 1].at ||
             (at <= found[count - 1].at && w->ids[i].index1 <= found[count - 1].proxy.index1));
        assert_int_equal(told, within && (count < room || earlier));
    }
    assert_int_equal(count, wanted < room ? wanted : room);
}

// The first of a visitor's boxes, by index.
typedef struct first_boxes {
    uint32_t total;
    bool found[MAX_COUNT];
} first_boxes;

static bool mark(void *context, trv_proxy_id proxy, uint64_t user)
{
    (void)proxy;
    first_boxes *f = context;
    f->total++;
    f->found[user] = true;
    return true;
}

static void check_volume(const box_world *w, trv_question q, const trv_proxy_found *found,
                         uint32_t count, uint32_t room)
{
    static first_boxes wanted;
    memset(&wanted, 0, sizeof wanted);
    if (q.kind == TRV_ASK_AABB)
        expect_result(trv_broad_query_aabb(w->broad, q.as.aabb, q.filter, mark, &wanted), TRV_OK);
    else if (q.kind == TRV_ASK_OBB)
        expect_result(trv_broad_query_obb(w->broad, q.as.obb, q.filter, mark, &wanted), TRV_OK);
    else
        expect_result(trv_broad_query_planes(w->broad, q.as.volume.planes, q.as.volume.count,
                                             q.filter, mark, &wanted),
                      TRV_OK);
    assert_int_equal(count, wanted.total);
    uint32_t held = count < room ? count : room;
    check_order(w, found, held);
    for (uint32_t j = 0; j < held; j++)
        assert_true(wanted.found[found[j].user]);
    uint32_t in_front = 0; // those that had no room come later
    for (uint32_t i = 0; i < w->count && held > 0; i++)
        in_front += wanted.found[i] && w->ids[i].index1 <= found[held - 1].proxy.index1;
    assert_int_equal(in_front, held);
}

static void check_answer(const box_world *w, const box_scene *s, trv_question q,
                         const trv_proxy_found *found, uint32_t count, uint32_t room)
{
    trv_aabb from = {{0, 0, 0}, {0, 0, 0}};
    trv_vec3 travel = {0, 0, 0};
    if (q.kind == TRV_ASK_RAY || q.kind == TRV_ASK_RAY_ANY) {
        from = (trv_aabb){q.as.ray.origin, q.as.ray.origin};
        travel = q.as.ray.travel;
    } else if (q.kind == TRV_ASK_SWEEP) {
        from = q.as.sweep.box;
        travel = q.as.sweep.travel;
    }
    switch (q.kind) {
    case TRV_ASK_RAY:
    case TRV_ASK_SWEEP:
        assert_true(count <= room);
        check_met(w, s, from, travel, q.filter, found, count);
        check_not_met(w, from, travel, q.filter, found, count, room);
        break;
    case TRV_ASK_RAY_ANY:
        assert_true(count <= 1 && count <= room);
        check_met(w, s, from, travel, q.filter, found, count);
        if (room > 0 && count == 0)
            check_not_met(w, from, travel, q.filter, found, 0, 1);
        break;
    case TRV_ASK_NEAREST:
        check_nearest(w, q, found, count, room);
        break;
    default:
        check_volume(w, q, found, count, room);
    }
}

// ---- Arrays of questions ----

typedef struct answers {
    trv_proxy_found found[MOST_QUESTIONS * ROOM];
    uint32_t counts[MOST_QUESTIONS];
} answers;

static void ask(const box_world *w, const trv_question *questions, uint32_t count, uint32_t room,
                answers *to)
{
    memset(to, 0, sizeof *to);
    expect_result(
        trv_broad_ask(w->broad, questions, count, room, room > 0 ? to->found : NULL, to->counts),
        TRV_OK);
}

static void arrays_of_questions_get_the_answers_of_brute_force(void **state)
{
    (void)state;
    static answers got;
    static const uint32_t rooms[] = {0, 1, 5, ROOM};
    uint32_t found[7] = {0}, full[7] = {0};
    for (size_t n = 0; n < SCENE_COUNT; n++) {
        const box_scene *s = &scenes[n];
        test_random random = {900 + n};
        print_message("%s, seed %u\n", s->name, (unsigned)(900 + n));
        box_world *w = create_world(s, &random);
        for (int round = 0; round < 8; round++) {
            trv_question questions[42];
            for (int k = 0; k < 42; k++)
                questions[k] = any_question(&random, s, k);
            uint32_t room = rooms[round % 4];
            ask(w, questions, 42, room, &got);
            for (uint32_t k = 0; k < 42; k++) {
                check_answer(w, s, questions[k], got.found + k * room, got.counts[k], room);
                found[questions[k].kind] += got.counts[k];
                full[questions[k].kind] += got.counts[k] >= room;
            }
            if (round % 3 == 2)
                change_world(w, &random, s);
            else
                update_world(w);
        }
        destroy_world(w);
    }
    for (int kind = 0; kind < 7; kind++)
        assert_true(found[kind] > 20 && full[kind] > 20);
}

static void single_questions_get_the_answers_of_arrays(void **state)
{
    (void)state;
    static answers got;
    for (size_t n = 0; n < SCENE_COUNT; n++) {
        const box_scene *s = &scenes[n];
        test_random random = {1000 + n};
        box_world *w = create_world(s, &random);
        update_world(w);
        change_world(w, &random, s);
        trv_question questions[70];
        for (int k = 0; k < 70; k++)
            questions[k] = any_question(&random, s, k);
        ask(w, questions, 70, 1, &got);
        for (uint32_t k = 0; k < 70; k++) {
            trv_question q = questions[k];
            trv_proxy_found one = {.at = -1};
            uint32_t count = 7;
            bool met = false;
            if (q.kind == TRV_ASK_RAY) {
                expect_result(trv_broad_cast_closest(w->broad, q.as.ray, q.filter, &one), TRV_OK);
                assert_memory_equal(&one, &got.found[k], sizeof one);
                expect_result(trv_broad_cast_any(w->broad, q.as.ray, q.filter, &met), TRV_OK);
                assert_int_equal(met, got.counts[k]);
            } else if (q.kind == TRV_ASK_NEAREST) {
                memset(&one, 0, sizeof one);
                expect_result(trv_broad_find_nearest(w->broad, q.as.ball.center, q.as.ball.radius,
                                                     q.filter, 1, &one, &count),
                              TRV_OK);
                assert_int_equal(count, got.counts[k]);
                assert_memory_equal(&one, &got.found[k], sizeof one);
            }
        }
        destroy_world(w);
    }
}

static void any_number_of_workers_gives_the_same_answers(void **state)
{
    (void)state;
    static answers wanted, got;
    static uint32_t counts[] = {1, 2, 3, 64};
    const box_scene *s = &scenes[6];
    trv_question questions[MOST_QUESTIONS];
    for (int way = 0; way < 4; way++) {
        test_random random = {1100};
        trv_broad_def def = trv_default_broad_def();
        def.workers = (trv_workers){&counts[way], counts[way], deal_backwards};
        box_world *w = create_world_of(s, &random, &def);
        update_world(w);
        change_world(w, &random, s);
        for (int k = 0; k < MOST_QUESTIONS; k++)
            questions[k] = any_question(&random, s, k);
        ask(w, questions, MOST_QUESTIONS, ROOM, &got);
        if (way == 0)
            wanted = got;
        assert_memory_equal(&wanted, &got, sizeof got);
        destroy_world(w);
    }
}

// ---- Sweeps ----

typedef struct sweep_visits {
    uint32_t times[MAX_COUNT];
} sweep_visits;

static float visit_sweep(void *context, trv_proxy_id proxy, uint64_t user, float limit)
{
    (void)proxy;
    sweep_visits *v = context;
    v->times[user]++;
    return limit;
}

static void swept_boxes_meet_what_brute_force_meets(void **state)
{
    (void)state;
    static sweep_visits v;
    for (size_t n = 0; n < SCENE_COUNT; n++) {
        const box_scene *s = &scenes[n];
        double slack = 1e-12 * (1e3 + 8 * (double)s->extent[0] + 3 * (double)s->center);
        test_random random = {1200 + n};
        box_world *w = create_world(s, &random);
        for (int k = 0; k < 200; k++) {
            trv_question q = any_question(&random, s, 5 + 7 * k);
            trv_aabb box = q.as.sweep.box;
            float grow = k % 4 == 0 ? s->extent[0] * .3f : 0;
            grow = s->lattice ? floorf(grow) : grow;
            box.upper = trv_make_vec3(box.upper.x + grow, box.upper.y, box.upper.z + grow);
            memset(&v, 0, sizeof v);
            expect_result(
                trv_broad_cast_box(w->broad, box, q.as.sweep.travel, q.filter, visit_sweep, &v),
                TRV_OK);
            for (uint32_t i = 0; i < w->count; i++) {
                bool asked = w->live[i] && trv_filters_agree(q.filter, w->filters[i]);
                double at = asked ? touch(box, q.as.sweep.travel, w->boxes[i], 0) : 2;
                double nearly = asked ? touch(box, q.as.sweep.travel, w->boxes[i], slack) : 2;
                assert_true(v.times[i] >= (at < 2));
                assert_true(v.times[i] <= (nearly < 2));
            }
            if (k == 60)
                update_world(w);
            if (k == 140)
                change_world(w, &random, s);
        }
        destroy_world(w);
    }
}

// ---- Threads ----

typedef struct asker {
    const box_world *world;
    const trv_question *questions;
    answers got;
} asker;

static void *ask_again_and_again(void *context)
{
    asker *a = context;
    for (int i = 0; i < 5; i++)
        (void)trv_broad_ask(a->world->broad, a->questions, MOST_QUESTIONS, ROOM, a->got.found,
                            a->got.counts);
    return NULL;
}

static void many_threads_that_ask_at_once_get_the_same_answers(void **state)
{
    (void)state;
    enum { threads = 4 };
    static asker askers[threads];
    static answers wanted;
    const box_scene *s = &scenes[6];
    test_random random = {1300};
    box_world *w = create_world(s, &random);
    update_world(w);
    change_world(w, &random, s);
    trv_question questions[MOST_QUESTIONS];
    for (int k = 0; k < MOST_QUESTIONS; k++)
        questions[k] = any_question(&random, s, k);
    ask(w, questions, MOST_QUESTIONS, ROOM, &wanted);
    pthread_t running[threads];
    for (int i = 0; i < threads; i++) {
        askers[i].world = w;
        askers[i].questions = questions;
        assert_int_equal(pthread_create(&running[i], NULL, ask_again_and_again, &askers[i]), 0);
    }
    for (int i = 0; i < threads; i++)
        assert_int_equal(pthread_join(running[i], NULL), 0);
    for (int i = 0; i < threads; i++)
        assert_memory_equal(&askers[i].got, &wanted, sizeof wanted);
    destroy_world(w);
}

// ---- Edges ----

static void equal_fractions_and_distances_are_told_by_index(void **state)
{
    (void)state;
    box_world *w = create_crowd(40, 1400);
    for (uint32_t i = 0; i < 40; i++)
        expect_result(trv_broad_filter(w->broad, w->ids[i], trv_default_filter()), TRV_OK);
    for (int updated = 0; updated < 2; updated++) {
        trv_proxy_found closest, nearest[3];
        uint32_t count;
        trv_ray ray = {{-5, 0, 0}, {8, 0, 0}};
        expect_result(trv_broad_cast_closest(w->broad, ray, trv_default_filter(), &closest),
                      TRV_OK);
        assert_int_equal(closest.proxy.index1, 1);
        expect_near(closest.at, .5, 0);
        expect_result(trv_broad_find_nearest(w->broad, trv_make_vec3(0, 4, 0), 100,
                                             trv_default_filter(), 3, nearest, &count),
                      TRV_OK);
        assert_int_equal(count, 3);
        for (uint32_t i = 0; i < 3; i++) {
            assert_int_equal(nearest[i].proxy.index1, i + 1);
            expect_near(nearest[i].at, 3, 0);
        }
        update_world(w);
    }
    destroy_world(w);
}

static void an_empty_broadphase_answers_nothing(void **state)
{
    (void)state;
    static answers got;
    const box_scene s = {.name = "empty", .extent = {3, 3, 3}};
    test_random random = {1500};
    box_world *w = create_world(&s, &random);
    trv_question questions[7];
    for (int updated = 0; updated < 2; updated++) {
        for (int k = 0; k < 7; k++)
            questions[k] = any_question(&random, &s, k);
        ask(w, questions, 7, ROOM, &got);
        for (int k = 0; k < 7; k++)
            assert_int_equal(got.counts[k], 0);
        update_world(w);
    }
    expect_result(trv_broad_ask(w->broad, NULL, 0, 0, NULL, NULL), TRV_OK);
    destroy_world(w);
}

static void bad_questions_are_refused_and_none_answered(void **state)
{
    (void)state;
    const box_scene *s = &scenes[0];
    test_random random = {1600};
    box_world *w = create_world(s, &random);
    trv_filter filter = trv_default_filter();
    trv_ray ray = {{0, 0, 0}, {1, 1, 1}}, bad = {{0, NAN, 0}, {1, 1, 1}};
    trv_vec3 zero = {0, 0, 0};
    trv_proxy_found found[8];
    uint32_t count = 9, counts[8];
    bool met = true;
    expect_result(trv_broad_cast_closest(NULL, ray, filter, found), TRV_ERROR_NULL);
    expect_result(trv_broad_cast_closest(w->broad, ray, filter, NULL), TRV_ERROR_NULL);
    found[0].proxy.index1 = 7;
    expect_result(trv_broad_cast_closest(w->broad, bad, filter, found), TRV_ERROR_NUMBER);
    assert_int_equal(found[0].proxy.index1, 0);
    expect_result(trv_broad_cast_any(NULL, ray, filter, &met), TRV_ERROR_NULL);
    expect_result(trv_broad_cast_any(w->broad, ray, filter, NULL), TRV_ERROR_NULL);
    met = true;
    expect_result(trv_broad_cast_any(w->broad, bad, filter, &met), TRV_ERROR_NUMBER);
    assert_false(met);
    expect_result(trv_broad_find_nearest(NULL, zero, 1, filter, 8, found, &count), TRV_ERROR_NULL);
    expect_result(trv_broad_find_nearest(w->broad, zero, 1, filter, 8, NULL, &count),
                  TRV_ERROR_NULL);
    expect_result(trv_broad_find_nearest(w->broad, zero, 1, filter, 8, found, NULL),
                  TRV_ERROR_NULL);
    count = 9;
    expect_result(trv_broad_find_nearest(w->broad, zero, -1, filter, 8, found, &count),
                  TRV_ERROR_RANGE);
    assert_int_equal(count, 0);
    expect_result(trv_broad_find_nearest(w->broad, zero, NAN, filter, 8, found, &count),
                  TRV_ERROR_NUMBER);
    expect_result(trv_broad_find_nearest(w->broad, bad.origin, 1, filter, 8, found, &count),
                  TRV_ERROR_NUMBER);

    trv_question good = any_question(&random, s, TRV_ASK_AABB);
    for (int kind = 0; kind < 8; kind++) { // the last kind is none
        trv_question questions[3] = {good, good, good};
        questions[2] = any_question(&random, s, kind);
        questions[2].kind = (trv_question_kind)kind;
        questions[2].as.aabb.lower.x = kind == 7 ? 0 : NAN;
        if (kind == TRV_ASK_PLANES)
            questions[2].as.volume.planes = NULL;
        counts[0] = counts[2] = 5;
        expect_result(trv_broad_ask(w->broad, questions, 3, 2, found, counts),
                      kind == 7                ? TRV_ERROR_RANGE
                      : kind == TRV_ASK_PLANES ? TRV_ERROR_NULL
                                               : TRV_ERROR_NUMBER);
        assert_true(counts[0] == 0 && counts[2] == 0);
    }
    expect_result(trv_broad_ask(NULL, &good, 1, 2, found, counts), TRV_ERROR_NULL);
    expect_result(trv_broad_ask(w->broad, NULL, 1, 2, found, counts), TRV_ERROR_NULL);
    expect_result(trv_broad_ask(w->broad, &good, 1, 2, NULL, counts), TRV_ERROR_NULL);
    expect_result(trv_broad_ask(w->broad, &good, 1, 2, found, NULL), TRV_ERROR_NULL);
    expect_result(trv_broad_cast_box(NULL, good.as.aabb, zero, filter, visit_sweep, NULL),
                  TRV_ERROR_NULL);
    expect_result(trv_broad_cast_box(w->broad, good.as.aabb, zero, filter, NULL, NULL),
                  TRV_ERROR_NULL);
    trv_aabb inverted = {{1, 0, 0}, {0, 1, 1}};
    expect_result(trv_broad_cast_box(w->broad, inverted, zero, filter, visit_sweep, NULL),
                  TRV_ERROR_RANGE);
    expect_result(trv_broad_query_point(w->broad, bad.origin, filter, mark, NULL),
                  TRV_ERROR_NUMBER);
    destroy_world(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_of_questions_get_the_answers_of_brute_force),
        cmocka_unit_test(single_questions_get_the_answers_of_arrays),
        cmocka_unit_test(any_number_of_workers_gives_the_same_answers),
        cmocka_unit_test(swept_boxes_meet_what_brute_force_meets),
        cmocka_unit_test(many_threads_that_ask_at_once_get_the_same_answers),
        cmocka_unit_test(equal_fractions_and_distances_are_told_by_index),
        cmocka_unit_test(an_empty_broadphase_answers_nothing),
        cmocka_unit_test(bad_questions_are_refused_and_none_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
