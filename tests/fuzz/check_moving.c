// When two moving shapes meet: nothing before the first time is contact, and at it the shapes touch.
//
// The oracle is trv_distance at many fractions of the step, in poses rounded to float32.
#include "moving.h"

#include <math.h>
#include <string.h>

#include "narrow/impact.h"
#include "narrow/narrow.h"
#include "solid.h"

enum { SAMPLES = 24 };

typedef struct course {
    const fuzz_moving *pair;
    double near;   // how far off distances are, by poses rounded to float32
    double speed;  // no distance changes faster (m per step)
    double rounds; // fractions are float32: so far off may be what is where at one of them
    double size;   // of the smaller shape, at most
    bool turns, turns_fast;
    bool has_compound, has_plane;
} course;

// False where a shape has left the world, of which there is nothing to ask.
static bool distance_at(const fuzz_moving *p, float fraction, double *distance)
{
    trv_gap gap;
    trv_pose pose_a = trv_motion_at(&p->motion_a, fraction);
    trv_pose pose_b = trv_motion_at(&p->motion_b, fraction);
    trv_result result = trv_distance(&p->a, pose_a, &p->b, pose_b, &gap);
    demand(result == TRV_OK || result == TRV_ERROR_RANGE);
    *distance = gap.distance;
    return result == TRV_OK;
}

static double length(trv_vec3 v)
{
    return trvi_dlength(trvi_dvec3_from(v));
}

static double way(const trv_motion *m)
{
    return length(m->pose.position) + length(m->travel) + 2.0 * length(m->center_local);
}

static void measure(course *c, const fuzz_moving *p)
{
    const trv_motion *ma = &p->motion_a, *mb = &p->motion_b;
    double reach_a = shape_reach(&p->a), reach_b = shape_reach(&p->b);
    double all = reach_a + reach_b + way(ma) + way(mb);
    double rate_a = length(ma->turn), rate_b = length(mb->turn);
    c->pair = p;
    c->has_compound = p->a.kind == TRV_SHAPE_COMPOUND || p->b.kind == TRV_SHAPE_COMPOUND;
    c->has_plane = p->a.kind == TRV_SHAPE_PLANE || p->b.kind == TRV_SHAPE_PLANE;
    c->size = p->a.kind == TRV_SHAPE_PLANE   ? reach_b
              : p->b.kind == TRV_SHAPE_PLANE ? reach_a
                                             : fmin(reach_a, reach_b);
    c->turns = rate_a > 0.0 || rate_b > 0.0;
    c->turns_fast = rate_a + rate_b > 40.0;
    c->near = 4.0e-7 * all;
    c->speed = length(ma->travel) + length(mb->travel);
    c->speed += rate_a * (reach_a + length(ma->center_local));
    c->speed += rate_b * (reach_b + length(mb->center_local));
    if (c->has_plane)
        c->speed += (rate_a + rate_b) * all;
    c->rounds = 1.3e-7 * c->speed + c->near;
}

static void tell(const course *c, const char *name, double fraction, double distance)
{
    scene_note(name, fraction);
    scene_note("distance", distance);
    scene_note("tolerance", c->near);
    scene_note("with rounding of fractions", c->rounds);
}

// No closer than `target` at any fraction from `from` to `to`.
static void check_free(const course *c, float from, float to, double target)
{
    for (int i = 0; i <= SAMPLES; i++) {
        float t = from + (to - from) * ((float)i / (float)SAMPLES);
        double distance;
        if (!distance_at(c->pair, t, &distance))
            continue;
        if (!(distance >= target - c->near))
            tell(c, "not apart at", t, distance);
        demand(distance >= target - c->near);
    }
}

// Where two convex shapes touch: the normal parts them, and the point is on both.
static void check_touch(const course *c, const trv_impact_hit *hit, double target)
{
    const fuzz_moving *p = c->pair;
    trv_pose pose_a = trv_motion_at(&p->motion_a, hit->fraction);
    trv_pose pose_b = trv_motion_at(&p->motion_b, hit->fraction);
    trvi_dvec3 origin = trvi_dvec3_from(pose_a.position), n = trvi_dvec3_from(hit->normal);
    fuzz_solid a, b;
    solid_set(&a, &p->a, pose_a, origin);
    solid_set(&b, &p->b, pose_b, origin);
    double room = c->rounds + 2.0e-7 * (a.reach + b.reach), distance;
    if (!distance_at(p, hit->fraction, &distance))
        return;
    double gap = solid_gap(&a, &b, n);
    if (!(gap >= fmin(distance, target) - room)) {
        tell(c, "normal does not part at", hit->fraction, distance);
        scene_note("gap along it", gap);
    }
    demand(gap >= fmin(distance, target) - room);
    if (hit->start)
        return;
    trvi_dvec3 point = trvi_dsub(trvi_dvec3_from(hit->point), origin);
    double beyond = fmax(solid_height(&a, point), solid_height(&b, point));
    double most = target + 2.0 * room + 1.0e-3 * c->size;
    if (!(beyond <= most)) {
        tell(c, "point is off at", hit->fraction, distance);
        scene_note("by", beyond);
    }
    demand(beyond <= most);
}

// `target`: as close as this is contact. `limited`: the search gave up where it had come to.
static void check_first(const course *c, const trv_impact_hit *hit, double target, float until,
                        bool limited)
{
    double distance;
    demand(hit->fraction >= 0.0f && hit->fraction <= until);
    if (!hit->hit) {
        static const trv_impact_hit none;
        demand(memcmp(hit, &none, sizeof none) == 0);
        check_free(c, 0.0f, until, target);
        return;
    }
    demand(fabs(length(hit->normal) - 1.0) < 1.0e-5 && length(hit->point) < HUGE_VAL);
    demand(!hit->start || hit->fraction == 0.0f);
    if (!hit->start && hit->fraction > 0.0f)
        check_free(c, 0.0f, nextafterf(hit->fraction, 0.0f), target);
    if (limited || !distance_at(c->pair, hit->fraction, &distance))
        return;
    if (!(distance <= target + c->rounds && (hit->start || distance >= target - c->rounds)))
        tell(c, "does not touch at", hit->fraction, distance);
    demand(distance <= target + c->rounds && (hit->start || distance >= target - c->rounds));
    if (!c->has_compound)
        check_touch(c, hit, target);
}

static void check_start(const course *c, const trv_impact_hit *hit)
{
    const fuzz_moving *p = c->pair;
    double distance, exact = 1.0e-4 * c->near; // what rounding in double leaves
    bool overlap;
    demand(trv_overlap(&p->a, p->motion_a.pose, &p->b, p->motion_b.pose, &overlap) == TRV_OK);
    if (distance_at(p, 0.0f, &distance) && fabs(distance) > exact && hit->start != overlap)
        tell(c, overlap ? "overlap at" : "do not overlap at", 0.0, distance);
    if (fabs(distance) > exact)
        demand(hit->start == overlap);
}

// Contact from the first to the last time, and none at once after it; `limited` as above.
static void check_last(const course *c, const trv_impact_hit *hit, float last, bool limited)
{
    double distance, part = c->rounds + 2.0e-6 * c->size;
    if (!hit->hit) {
        demand(last == 0.0f);
        return;
    }
    demand(last >= hit->fraction && last <= 1.0f);
    if (limited) // there may be no contact where it had come to
        return;
    for (int i = 1; i < SAMPLES && !c->turns; i++) {
        float t = hit->fraction + (last - hit->fraction) * ((float)i / (float)SAMPLES);
        if (distance_at(c->pair, t, &distance) && !(distance <= part))
            tell(c, "no contact at", t, distance);
        demand(!(distance > part));
    }
    if (last < 1.0f && last > hit->fraction && distance_at(c->pair, last, &distance) &&
        !c->turns_fast) {
        if (!(fabs(distance) <= part))
            tell(c, "contact does not end at", last, distance);
        demand(fabs(distance) <= part);
    }
    if (!c->turns && !c->has_compound && last < 1.0f)
        check_free(c, nextafterf(last, 2.0f), 1.0f, -1.3e-7 * c->speed);
}

// Two answers to one question: where they are not the same, the shapes graze in between.
static void check_same(const course *c, const trv_impact_hit *x, const trv_impact_hit *y)
{
    double distance;
    if (x->hit && y->hit) {
        float middle = 0.5f * (x->fraction + y->fraction);
        if (distance_at(c->pair, middle, &distance) && !(distance <= c->rounds))
            tell(c, "two first times, and apart at", middle, distance);
        demand(!(distance > c->rounds));
    } else if (x->hit != y->hit) { // the miss was checked for being one
        const trv_impact_hit *hit = x->hit ? x : y;
        if (!distance_at(c->pair, hit->fraction, &distance))
            return;
        if (!(fabs(distance) <= c->rounds))
            tell(c, "a hit and a miss at", hit->fraction, distance);
        demand(fabs(distance) <= c->rounds);
    }
}

static void check_mirror(const course *c, const trv_impact_hit *hit)
{
    const fuzz_moving *p = c->pair;
    trvi_impact_times times;
    trv_impact_hit mirrored;
    trvi_impact_find(&p->b, &p->motion_b, &p->a, &p->motion_a, false, &times);
    demand(trv_impact(&p->b, &p->motion_b, &p->a, &p->motion_a, &mirrored) == TRV_OK);
    demand(mirrored.hit == times.hit && mirrored.start == times.start);
    trv_impact_hit back = mirrored;
    back.normal = trvi_negate(mirrored.normal);
    back.part_a = mirrored.part_b;
    back.part_b = mirrored.part_a;
    if (!mirrored.hit)
        back.normal = mirrored.normal;
    check_first(c, &back, 0.0, 1.0f, times.ended_by_limit);
    if (!times.ended_by_limit)
        check_same(c, hit, &back);
}

// What the world asks: up to a fraction, to within a margin, with a plane that was remembered.
static void check_options(const course *c, const trv_impact_hit *hit)
{
    const fuzz_moving *p = c->pair;
    trv_plane_cache cache = p->cache;
    trv_separation apart;
    trv_impact_hit found;
    trvi_impact_options options = trvi_default_impact_options();
    demand(trv_separate(&p->a, p->motion_a.pose, &p->b, p->motion_b.pose, &cache, &apart) ==
           TRV_OK);
    options.cache = &cache;
    trvi_impact(&p->a, &p->motion_a, &p->b, &p->motion_b, &options, &found);
    if (!c->turns_fast)
        check_first(c, &found, 0.0, 1.0f, false);
    if (!c->turns_fast)
        check_same(c, hit, &found);
    options.max_fraction = p->until;
    options.margin = c->has_compound ? 0.0f : p->margin; // of each pair of parts by its own gap
    double distance;
    trvi_impact(&p->a, &p->motion_a, &p->b, &p->motion_b, &options, &found);
    if (!distance_at(p, 0.0f, &distance))
        return;
    double target = fmin((double)options.margin, 0.5 * fmax(distance, 0.0));
    check_first(c, &found, target, p->until, c->turns_fast);
}

static bool fits(trv_vec3 v)
{
    return fabsf(v.x) <= TRV_COORD_MAX && fabsf(v.y) <= TRV_COORD_MAX &&
           fabsf(v.z) <= TRV_COORD_MAX;
}

static bool fits_motion(const trv_motion *m)
{
    return fits(m->travel) && fits(m->turn) && fits(m->center_local);
}

// True where the questions are answered.
static bool check_refused(const fuzz_moving *p)
{
    static const trv_impact_hit none;
    trv_impact_hit hit, span, cast;
    bool overlap;
    float last = -1.0f;
    memset(&hit, 0x55, sizeof hit);
    memset(&span, 0x55, sizeof span);
    memset(&cast, 0x55, sizeof cast);
    trv_result still = trv_overlap(&p->a, p->motion_a.pose, &p->b, p->motion_b.pose, &overlap);
    trv_result result = trv_impact(&p->a, &p->motion_a, &p->b, &p->motion_b, &hit);
    bool good = fits_motion(&p->motion_a) && fits_motion(&p->motion_b);
    demand((result == TRV_OK) == (still == TRV_OK && good));
    demand(still == TRV_OK || result == still);
    trv_result casted =
        trv_shape_cast(&p->a, p->motion_a.pose, p->motion_a.travel, &p->b, p->motion_b.pose, &cast);
    demand((casted == TRV_OK) == (still == TRV_OK && fits(p->motion_a.travel)));
    if (casted != TRV_OK)
        demand(memcmp(&cast, &none, sizeof none) == 0);
    if (result == TRV_OK)
        return true;
    demand(memcmp(&hit, &none, sizeof none) == 0);
    demand(trv_impact_span(&p->a, &p->motion_a, &p->b, &p->motion_b, &span, &last) == result);
    demand(memcmp(&span, &none, sizeof none) == 0 && last == 0.0f);
    trv_pose end = trv_motion_at(&p->motion_a, 1.0f); // finite all the same
    demand(fabsf(end.position.x) < HUGE_VALF && fabsf(end.rotation.w) < HUGE_VALF);
    return false;
}

static void check_cast(const fuzz_moving *p)
{
    fuzz_moving straight = *p;
    trv_impact_hit hit, cast;
    course c;
    straight.motion_a = trv_make_motion(p->motion_a.pose);
    straight.motion_b = trv_make_motion(p->motion_b.pose);
    straight.motion_a.travel = p->motion_a.travel;
    demand(trv_shape_cast(&p->a, p->motion_a.pose, p->motion_a.travel, &p->b, p->motion_b.pose,
                          &cast) == TRV_OK);
    demand(trv_impact(&p->a, &straight.motion_a, &p->b, &straight.motion_b, &hit) == TRV_OK);
    demand(memcmp(&hit, &cast, sizeof hit) == 0);
    measure(&c, &straight);
    check_first(&c, &cast, 0.0, 1.0f, false);
}

void check_moving(const fuzz_moving *p)
{
    trv_impact_hit hit, span;
    trvi_impact_times times;
    float last;
    course c;
    if (!check_refused(p))
        return;
    measure(&c, p);
    trvi_impact_find(&p->a, &p->motion_a, &p->b, &p->motion_b, false, &times);
    demand(trv_impact(&p->a, &p->motion_a, &p->b, &p->motion_b, &hit) == TRV_OK);
    demand(trv_impact_span(&p->a, &p->motion_a, &p->b, &p->motion_b, &span, &last) == TRV_OK);
    demand(memcmp(&hit, &span, sizeof hit) == 0);
    demand(!times.ended_by_limit || c.turns);
    check_first(&c, &hit, 0.0, 1.0f, times.ended_by_limit);
    check_start(&c, &hit);
    check_last(&c, &hit, last, times.ended_by_limit);
    if (!times.ended_by_limit)
        check_mirror(&c, &hit);
    if (!times.ended_by_limit && p->margin >= 0.0f && p->margin <= TRV_COORD_MAX)
        check_options(&c, &hit);
    check_cast(p);
}
