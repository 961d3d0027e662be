// libccd: GJK, and GJK with EPA. The support function is its caller's: a scan of all vertices, or a
// walk over the edges from where the last one ended.
//
// libccd keeps nothing between queries. "+axis" remembers for it the direction that separated last,
// which is the last one that GJK asked for, and tests that first.
#include "contestant.h"

#include <ccd/ccd.h>

typedef struct side {
    const bench_solid *solid;
    const bench_place *place;
    uint32_t last; // vertex where the last walk ended
    ccd_vec3_t asked;
} side;

typedef struct self {
    side sides[2];
    bench_place (*places)[2];
    ccd_t ccd;
    ccd_vec3_t axis;
    bool have_axis;
} self;

static void to_local(const side *s, const ccd_vec3_t *n, double local[3])
{
    const double *m = s->place->rotation;
    for (int k = 0; k < 3; k++)
        local[k] = m[k] * n->v[0] + m[3 + k] * n->v[1] + m[6 + k] * n->v[2];
}

static void to_world(const side *s, uint32_t vertex, ccd_vec3_t *out)
{
    const double *m = s->place->rotation, *p = s->solid->points[vertex];
    for (int k = 0; k < 3; k++)
        out->v[k] =
            m[3 * k] * p[0] + m[3 * k + 1] * p[1] + m[3 * k + 2] * p[2] + s->place->position[k];
}

static double height(const double n[3], const double p[3])
{
    return n[0] * p[0] + n[1] * p[1] + n[2] * p[2];
}

static void support_scan(const void *object, const ccd_vec3_t *n, ccd_vec3_t *out)
{
    side *s = (side *)(uintptr_t)object;
    const bench_solid *solid = s->solid;
    double local[3];
    uint32_t found = 0;
    to_local(s, n, local);
    double best = height(local, solid->points[0]);
    for (uint32_t i = 1; i < solid->count; i++) {
        double h = height(local, solid->points[i]);
        if (h > best) {
            best = h;
            found = i;
        }
    }
    s->asked = *n;
    to_world(s, found, out);
}

static void support_walk(const void *object, const ccd_vec3_t *n, ccd_vec3_t *out)
{
    side *s = (side *)(uintptr_t)object;
    const bench_solid *solid = s->solid;
    double local[3];
    uint32_t found = s->last, from;
    to_local(s, n, local);
    double best = height(local, solid->points[found]);
    do {
        from = found;
        for (uint32_t i = solid->around_first[from]; i < solid->around_first[from + 1]; i++) {
            double h = height(local, solid->points[solid->around[i]]);
            if (h > best) {
                best = h;
                found = solid->around[i];
            }
        }
    } while (found != from);
    s->last = found;
    s->asked = *n;
    to_world(s, found, out);
}

static void center(const void *object, ccd_vec3_t *out)
{
    const side *s = object;
    for (int k = 0; k < 3; k++)
        out->v[k] = s->place->position[k];
}

static void *create(const bench_pair *pair, uint32_t frames, ccd_support_fn support)
{
    self *s = bench_allocate(1, sizeof *s);
    s->places = bench_allocate(frames, sizeof *s->places);
    for (uint32_t f = 0; f < frames; f++) {
        s->places[f][0] = pair->frames[f].place[0];
        s->places[f][1] = pair->frames[f].place[1];
    }
    s->sides[0].solid = &pair->solid[0];
    s->sides[1].solid = &pair->solid[1];
    CCD_INIT(&s->ccd);
    s->ccd.support1 = s->ccd.support2 = support;
    s->ccd.center1 = s->ccd.center2 = center;
    s->ccd.max_iterations = 500; // by default it never gives up
    // Compared with a squared length: at the default of 1e-4 shallow depths are wrong by their own
    // size; this makes them right, and costs nothing that shows.
    s->ccd.epa_tolerance = CCD_REAL(1e-8);
    return s;
}

static void *create_scan(const bench_pair *pair, uint32_t frames)
{
    return create(pair, frames, support_scan);
}

static void *create_walk(const bench_pair *pair, uint32_t frames)
{
    return create(pair, frames, support_walk);
}

static void enter(self *s, uint32_t frame)
{
    s->sides[0].place = &s->places[frame][0];
    s->sides[1].place = &s->places[frame][1];
}

static bool axis_separates(self *s)
{
    ccd_vec3_t back, a, b;
    if (!s->have_axis)
        return false;
    ccdVec3Copy(&back, &s->axis);
    ccdVec3Scale(&back, -CCD_ONE);
    s->ccd.support1(&s->sides[0], &s->axis, &a);
    s->ccd.support2(&s->sides[1], &back, &b);
    return ccdVec3Dot(&a, &s->axis) < ccdVec3Dot(&b, &s->axis);
}

static void intersect(void *at, uint32_t frame, bench_answer *answer)
{
    self *s = at;
    enter(s, frame);
    answer->overlap = ccdGJKIntersect(&s->sides[0], &s->sides[1], &s->ccd);
}

static void penetrate(void *at, uint32_t frame, bench_answer *answer)
{
    self *s = at;
    ccd_real_t depth;
    ccd_vec3_t way, point;
    enter(s, frame);
    // Here 0 means yes, and -1 no.
    answer->overlap =
        ccdGJKPenetration(&s->sides[0], &s->sides[1], &s->ccd, &depth, &way, &point) == 0;
    answer->measured = answer->overlap;
    answer->distance = answer->overlap ? -depth : 0.0;
}

static void with_axis(self *s, uint32_t frame, bench_answer *answer,
                      void (*query)(void *, uint32_t, bench_answer *))
{
    enter(s, frame);
    answer->remembered = axis_separates(s);
    if (answer->remembered)
        return;
    query(s, frame, answer);
    s->have_axis = !answer->overlap;
    s->axis = s->sides[0].asked;
}

static void intersect_axis(void *at, uint32_t frame, bench_answer *answer)
{
    with_axis(at, frame, answer, intersect);
}

static void penetrate_axis(void *at, uint32_t frame, bench_answer *answer)
{
    with_axis(at, frame, answer, penetrate);
}

const bench_library *bench_library_get(void)
{
    static const bench_contestant contestants[] = {
        {"ccd-gjk-scan", BENCH_VERDICT, false, create_scan, intersect},
        {"ccd-gjk-scan+axis", BENCH_VERDICT, true, create_scan, intersect_axis},
        {"ccd-gjk-walk", BENCH_VERDICT, false, create_walk, intersect},
        {"ccd-gjk-walk+axis", BENCH_VERDICT, true, create_walk, intersect_axis},
        {"ccd-epa-scan", BENCH_DEPTH, false, create_scan, penetrate},
        {"ccd-epa-scan+axis", BENCH_DEPTH, true, create_scan, penetrate_axis},
        {"ccd-epa-walk", BENCH_DEPTH, false, create_walk, penetrate},
        {"ccd-epa-walk+axis", BENCH_DEPTH, true, create_walk, penetrate_axis},
    };
    static const bench_library library = {"2", contestants,
                                          sizeof contestants / sizeof *contestants};
    return &library;
}
