// Trivet's own questions, with what was remembered of the frame before and without.
#include "contestant.h"

typedef struct self {
    const bench_pair *pair;
    trv_pose (*poses)[2];
    trv_plane_cache cache;
} self;

static void *create(const bench_pair *pair, uint32_t frames)
{
    self *s = bench_allocate(1, sizeof *s);
    s->pair = pair;
    s->poses = bench_allocate(frames, sizeof *s->poses);
    for (uint32_t f = 0; f < frames; f++) {
        s->poses[f][0] = pair->frames[f].pose[0];
        s->poses[f][1] = pair->frames[f].pose[1];
    }
    return s;
}

static void separate(self *s, uint32_t frame, trv_plane_cache *cache, bench_answer *answer)
{
    trv_separation out;
    (void)trv_separate(&s->pair->solid[0].shape, s->poses[frame][0], &s->pair->solid[1].shape,
                       s->poses[frame][1], cache, &out);
    answer->overlap = !out.apart;
    answer->remembered = out.apart && out.remembered;
}

static void separate_cached(void *at, uint32_t frame, bench_answer *answer)
{
    self *s = at;
    separate(s, frame, &s->cache, answer);
}

static void separate_cold(void *at, uint32_t frame, bench_answer *answer)
{
    separate(at, frame, NULL, answer);
}

static void overlap(void *at, uint32_t frame, bench_answer *answer)
{
    self *s = at;
    (void)trv_overlap(&s->pair->solid[0].shape, s->poses[frame][0], &s->pair->solid[1].shape,
                      s->poses[frame][1], &answer->overlap);
}

static void distance(void *at, uint32_t frame, bench_answer *answer)
{
    self *s = at;
    trv_gap out;
    (void)trv_distance(&s->pair->solid[0].shape, s->poses[frame][0], &s->pair->solid[1].shape,
                       s->poses[frame][1], &out);
    answer->overlap = out.distance <= 0.0f;
    answer->measured = true;
    answer->distance = (double)out.distance;
}

// What a caller does who wants no distance of shapes that are apart.
static void depth(void *at, uint32_t frame, bench_answer *answer)
{
    separate_cached(at, frame, answer);
    if (answer->overlap)
        distance(at, frame, answer);
}

static void collide(self *s, uint32_t frame, trv_plane_cache *cache, bench_answer *answer)
{
    trv_manifold out;
    (void)trv_collide(&s->pair->solid[0].shape, s->poses[frame][0], &s->pair->solid[1].shape,
                      s->poses[frame][1], BENCH_MARGIN, cache, &out);
    answer->points = out.count;
    for (uint32_t i = 0; i < out.count; i++) {
        double separation = (double)out.points[i].separation;
        if (!answer->measured || separation < answer->distance)
            answer->distance = separation;
        answer->measured = true;
    }
    answer->overlap = answer->measured && answer->distance <= 0.0;
}

static void collide_cached(void *at, uint32_t frame, bench_answer *answer)
{
    self *s = at;
    collide(s, frame, &s->cache, answer);
}

static void collide_cold(void *at, uint32_t frame, bench_answer *answer)
{
    collide(at, frame, NULL, answer);
}

const bench_library *bench_library_get(void)
{
    static const bench_contestant contestants[] = {
        {"trivet-separate", BENCH_VERDICT, true, create, separate_cached},
        {"trivet-separate-cold", BENCH_VERDICT, false, create, separate_cold},
        {"trivet-overlap", BENCH_VERDICT, false, create, overlap},
        {"trivet-depth", BENCH_DEPTH, true, create, depth},
        {"trivet-distance", BENCH_DISTANCE, false, create, distance},
        {"trivet-collide", BENCH_MANIFOLD, true, create, collide_cached},
        {"trivet-collide-cold", BENCH_MANIFOLD, false, create, collide_cold},
    };
    static const bench_library library = {"this", contestants,
                                          sizeof contestants / sizeof *contestants};
    return &library;
}
