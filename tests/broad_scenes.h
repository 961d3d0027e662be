// Scenes of boxes of many kinds, with changes that no update has seen, to ask questions about.
#ifndef TRV_TESTS_BROAD_SCENES_H
#define TRV_TESTS_BROAD_SCENES_H

#include "support.h"

#include <trivet/broad.h>

enum { MAX_COUNT = 3000 };

typedef struct box_world {
    trv_broad *broad;
    uint32_t count;
    bool live[MAX_COUNT];
    trv_proxy_id ids[MAX_COUNT];
    trv_aabb boxes[MAX_COUNT];
    trv_filter filters[MAX_COUNT];
} box_world;

typedef struct box_scene {
    const char *name;
    uint32_t count;
    float extent[3], center;
    float half_lower, half_upper; // log-uniform
    bool lattice;                 // centres on whole numbers and a half
    uint32_t outlier_one_in;      // boxes, about, that are giants or far away; 0: none
} box_scene;

static const box_scene scenes[] = {
    {"few", 10, {3, 3, 3}, 0, .2f, 2, false, 0},
    {"cube", 300, {8, 8, 8}, 0, .2f, 1, false, 0},
    {"lattice", 2800, {20, 10, 20}, 0, .5f, .5f, true, 0},
    {"divided", 2800, {60, 60, 60}, 0, .5f, 2, false, 0},
    {"sparse", 2800, {200, 200, 200}, 0, .5f, 2, false, 0},
    {"level", 2800, {150, 1, 150}, 50, 1, 2, false, 0},
    {"sizes", 2800, {100, 100, 100}, 0, .05f, 60, false, 0},
    {"far", 2800, {50, 50, 50}, 1.0e6f, 1, 2, false, 0},
    {"points", 2800, {5, 5, 5}, 0, 0, 0, true, 0},
    {"outliers", 2800, {100, 1, 100}, 0, .5f, 1, false, 60},
};
enum { SCENE_COUNT = sizeof scenes / sizeof *scenes };

static inline trv_aabb scene_box(test_random *random, const box_scene *s)
{
    float p[3], half[3];
    for (int k = 0; k < 3; k++) {
        p[k] = random_float(random, -s->extent[k], s->extent[k]) + s->center;
        half[k] = s->half_lower;
        if (s->half_upper > s->half_lower)
            half[k] *= powf(s->half_upper / s->half_lower, random_float(random, 0, 1));
        if (s->lattice)
            p[k] = floorf(p[k]) + .5f;
    }
    trv_aabb box = {{p[0] - half[0], p[1] - half[1], p[2] - half[2]},
                    {p[0] + half[0], p[1] + half[1], p[2] + half[2]}};
    return box;
}

// Of one that is there, which may be an outlier.
static inline trv_aabb member_box(test_random *random, const box_scene *s)
{
    trv_aabb box = scene_box(random, s);
    if (s->outlier_one_in == 0 || random_bits(random) % s->outlier_one_in != 0)
        return box;
    float far = random_bits(random) % 2 ? 1.0e5f : -1.0e7f, top = box.upper.y;
    switch (random_bits(random) % 4) {
    case 0: // below a plane
        return (trv_aabb){{-TRV_COORD_MAX, -TRV_COORD_MAX, -TRV_COORD_MAX},
                          {TRV_COORD_MAX, top, TRV_COORD_MAX}};
    case 1:
        return (trv_aabb){{-500, -10, -500}, {500, top, 500}};
    case 2:
        return (trv_aabb){{far - 1, 0, 0}, {far + 1, 1, 1}};
    default:
        return (trv_aabb){{0, far - 1, 0}, {1, far + 1, 1}};
    }
}

static inline void add_box(box_world *w, test_random *random, const box_scene *s, uint32_t i)
{
    w->boxes[i] = member_box(random, s);
    w->filters[i] = trv_default_filter();
    w->filters[i].category = random_bits(random) % 4 ? 1 : 2;
    // Most of large scenes in one set, so that it is divided along two axes.
    trv_proxy_set set = (trv_proxy_set)(random_bits(random) % 3);
    if (s->count > 1000 && random_bits(random) % 16 != 0)
        set = TRV_PROXY_ASLEEP;
    expect_result(trv_broad_add(w->broad, w->boxes[i], w->filters[i], set, i, &w->ids[i]), TRV_OK);
    w->live[i] = true;
}

static inline box_world *create_world_of(const box_scene *s, test_random *random,
                                         const trv_broad_def *def)
{
    box_world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    expect_result(trv_broad_create(def, &w->broad), TRV_OK);
    w->count = s->count;
    for (uint32_t i = 0; i < s->count; i++)
        add_box(w, random, s, i);
    return w;
}

static inline box_world *create_world(const box_scene *s, test_random *random)
{
    trv_broad_def def = trv_default_broad_def();
    return create_world_of(s, random, &def);
}

static inline void destroy_world(box_world *w)
{
    trv_broad_destroy(w->broad);
    free(w);
}

static inline void update_world(box_world *w)
{
    trv_pairs pairs;
    expect_result(trv_broad_update(w->broad, &pairs), TRV_OK);
}

// Some of all kinds of change, without an update.
static inline void change_world(box_world *w, test_random *random, const box_scene *s)
{
    for (uint32_t i = 0; i < w->count; i++) {
        uint64_t kind = random_bits(random) % 40;
        if (!w->live[i]) {
            add_box(w, random, s, i);
        } else if (kind < 2) {
            w->boxes[i] = member_box(random, s);
            expect_result(trv_broad_move(w->broad, w->ids[i], w->boxes[i]), TRV_OK);
        } else if (kind < 4) {
            trv_proxy_set set = (trv_proxy_set)(random_bits(random) % 3);
            expect_result(trv_broad_set(w->broad, w->ids[i], set), TRV_OK);
        } else if (kind < 5) {
            w->filters[i].category = 3 - w->filters[i].category;
            expect_result(trv_broad_filter(w->broad, w->ids[i], w->filters[i]), TRV_OK);
        } else if (kind < 7) {
            expect_result(trv_broad_remove(w->broad, w->ids[i]), TRV_OK);
            w->live[i] = false;
        }
    }
}

// Boxes of 2 m, all in one place.
static inline box_world *create_crowd(uint32_t count, uint64_t seed)
{
    const box_scene s = {"one place", count, {0, 0, 0}, 0, 1, 1, false, 0};
    test_random random = {seed};
    return create_world(&s, &random);
}

// Asks question number k of a round, and looks at all boxes for the answer; returns how many there are.
typedef uint32_t scene_check(const box_world *w, const box_scene *s, test_random *random, int k,
                             void *context);

// Makes `checks` of each scene in each of some rounds, between which it is updated and changed by turns; they
// must find more than `least` in each scene.
static inline void check_scenes(uint64_t seed, int checks, scene_check *check, void *context,
                                uint32_t least)
{
    for (size_t n = 0; n < SCENE_COUNT; n++) {
        const box_scene *s = &scenes[n];
        test_random random = {seed + n};
        print_message("%s, seed %u\n", s->name, (unsigned)(seed + n));
        box_world *w = create_world(s, &random);
        uint32_t found = 0;
        for (int round = 0; round < 6; round++) {
            for (int k = 0; k < checks; k++)
                found += check(w, s, &random, k, context);
            if (round % 2)
                change_world(w, &random, s);
            else
                update_world(w);
        }
        assert_true(found > least);
        destroy_world(w);
    }
}

static inline bool boxes_overlap(trv_aabb a, trv_aabb b)
{
    return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y &&
           b.lower.y <= a.upper.y && a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

static inline trv_filter query_filter(test_random *random)
{
    trv_filter filter = trv_default_filter();
    filter.mask = 1 + random_bits(random) % 3;
    return filter;
}

#endif
