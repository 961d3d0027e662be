// When two shapes on their flights meet, and how.
//
// A sweep along the chords of both flights finds the first time at which they come near; from there
// bouncing bodies are followed along their parabolas to the touch itself. Where surfaces touch from
// the start it is their speed that decides, and where they turn, whether they are going to get into
// one another: a swept pair that is left touching must be as safe as one that comes from afar.
//
// Based on: B. Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems" (1996), chapter 2.
#include "impact_data.h"

#include <string.h>

// Blows of a pair in a sub-step after which none is the first of a corner. More: time. Fewer: what rolls over many small
// faces hops.
enum { MOST_DULL = 3 };

trvi_pairing trvi_pairing_of(const trv_world *world, uint32_t index)
{
    const trvi_contact *contact = &trvi_contacts(world)[index];
    return (trvi_pairing){contact->shape_a,
                          contact->shape_b,
                          trvi_awake_solver(&trvi_bodies(world)[contact->body_a]),
                          trvi_awake_solver(&trvi_bodies(world)[contact->body_b]),
                          index,
                          contact->friction,
                          contact->restitution,
                          false,
                          false,
                          false};
}

bool trvi_waits(const trvi_step *step, uint32_t solver)
{
    return solver == TRVI_UNMOVED || (trvi_flight_of(step, solver)->flags & TRVI_FLIGHT_WAITS) != 0;
}

bool trvi_is_swept(const trvi_step *step, const trvi_pairing *pair)
{
    float inside = trvi_body_of_shape(step->world, pair->shape_a)->thickness +
                   trvi_body_of_shape(step->world, pair->shape_b)->thickness;
    return trvi_are_followed(step, pair->a, pair->b, inside, pair->unseen, pair->met) ||
           (pair->restitution == 0.0f &&
            trvi_are_sent(step, pair->a, pair->b, pair->contact, pair->held));
}

static float margin_of(const trvi_step *step, const trvi_pairing *pair)
{
    return trvi_smaller(TRVI_SWEEP_MARGIN_M, TRVI_SWEEP_MARGIN_SHARE * trvi_thinner_of(step, pair));
}

// The manifold of the pair at a time.
static bool collide_at(const trvi_step *step, const trvi_pairing *pair, float time, float margin,
                       trv_manifold *out)
{
    const trvi_shape *a = &trvi_shapes(step->world)[pair->shape_a];
    const trvi_shape *b = &trvi_shapes(step->world)[pair->shape_b];
    const trvi_body *bodies = trvi_bodies(step->world);
    trv_pose pose_a = trvi_flight_pose(step, &bodies[a->body], pair->a, time);
    trv_pose pose_b = trvi_flight_pose(step, &bodies[b->body], pair->b, time);
    out->count = 0;
    if (trvi_check_pose(pose_a) != TRV_OK || trvi_check_pose(pose_b) != TRV_OK)
        return false; // thrown out of the range of numbers; it is stopped at the end of the step
    trv_plane_cache cache; // what was known when the step began is a good guess
    memset(&cache, 0, sizeof cache);
    if (pair->contact != TRVI_NONE)
        cache = trvi_contacts(step->world)[pair->contact].plane;
    trvi_collide(&a->solid, pose_a, &b->solid, pose_b, margin, &cache, NULL, out);
    return out->count > 0;
}

// What the body of a shape does at a time.
typedef struct moving {
    trv_vec3 center, linear, angular;
    bool moves;
} moving;

static moving moving_at(const trvi_step *step, uint32_t shape, uint32_t solver, float time)
{
    moving m = {.moves = solver != TRVI_UNMOVED};
    if (!m.moves)
        return m;
    m.center = trvi_add(trvi_body_of_shape(step->world, shape)->center,
                        trvi_flight_way(step, solver, time));
    m.linear = trvi_flight_speed(step, solver, time);
    m.angular = trvi_flight_spin(step, solver, time);
    return m;
}

static trv_vec3 speed_at(const moving *m, trv_vec3 point)
{
    if (!m->moves)
        return (trv_vec3){0.0f, 0.0f, 0.0f};
    return trvi_add(m->linear, trvi_cross(m->angular, trvi_sub(point, m->center)));
}

// How fast the nearest points of the manifold close in, m/s, and how near they are.
static float closing_at(const trvi_step *step, const trvi_pairing *pair,
                        const trv_manifold *manifold, float time, float *nearest)
{
    float fastest = -TRV_COORD_MAX;
    float face = trvi_strike_face(trvi_body_of_shape(step->world, pair->shape_a),
                                  trvi_body_of_shape(step->world, pair->shape_b));
    *nearest = trvi_nearest_of(manifold);
    moving a = moving_at(step, pair->shape_a, pair->a, time);
    moving b = moving_at(step, pair->shape_b, pair->b, time);
    for (uint32_t i = 0; i < manifold->count; i++) {
        const trv_manifold_point *p = &manifold->points[i];
        if (p->separation > *nearest + face)
            continue;
        trv_vec3 speed = trvi_sub(speed_at(&a, p->point), speed_at(&b, p->point));
        fastest = trvi_larger(fastest, trvi_dot(speed, manifold->normal));
    }
    return fastest;
}

// Is that speed, so near to one another, a blow, for this pair?
static bool is_blow(const trvi_step *step, const trvi_pairing *pair, float closing, float gap)
{
    if (pair->restitution > 0.0f && closing > trvi_pairing_threshold(step->world, pair))
        return true;
    if (!(closing > TRVI_SWEEP_CLOSING) || !trvi_is_swept(step, pair))
        return false;
    float leeway = trvi_leeway_of(step, pair);
    return leeway == 0.0f || closing * step->h - gap > leeway;
}

static trv_vec3 acceleration_of(const trvi_step *step, uint32_t solver)
{
    if (solver == TRVI_UNMOVED)
        return (trv_vec3){0.0f, 0.0f, 0.0f};
    return trvi_flight_of(step, solver)->acceleration;
}

// The relative speed of two surfaces where they touch, m/s.
static float slip_of(const trvi_step *step, const trvi_pairing *pair, const trv_manifold *manifold,
                     float time)
{
    trv_vec3 point = manifold->points[0].point;
    moving a = moving_at(step, pair->shape_a, pair->a, time);
    moving b = moving_at(step, pair->shape_b, pair->b, time);
    return trvi_length(trvi_sub(speed_at(&b, point), speed_at(&a, point)));
}

// Half the speed at which surfaces that touch close in a little later, because they turn: who parts
// with that is apart until then. Looked at over a small turn, so that it is small beside the slip.
static float curl_of(const trvi_step *step, const trvi_pairing *pair, const trv_manifold *manifold,
                     float time, float closing)
{
    float spin =
        trvi_length(step->motions[pair->a].angular) + trvi_length(step->motions[pair->b].angular);
    float left = step->h - time;
    if (!(spin > 0.0f) || !(left > 0.0f))
        return 0.0f;
    float later = trvi_smaller(left, TRVI_STRIKE_TURN / spin), gap;
    trv_manifold then;
    if (!collide_at(step, pair, time + later, 2.0f * margin_of(step, pair), &then))
        return 0.0f;
    float more = closing_at(step, pair, &then, time + later, &gap) - closing;
    float most = spin * later * slip_of(step, pair, manifold, time);
    return trvi_smaller(trvi_larger(0.55f * more, 0.0f), most);
}

// At what speed surfaces have to part that touch, do not close in, and get into one another by
// their turning before the sub-step ends; 0 where they do not.
static float parting_of(const trvi_step *step, const trvi_pairing *pair, float from, float gap)
{
    bool turns = trvi_length(step->motions[pair->a].angular) > 0.0f ||
                 trvi_length(step->motions[pair->b].angular) > 0.0f;
    if (!turns || !trvi_is_swept(step, pair))
        return 0.0f;
    float margin = margin_of(step, pair), part = 0.125f;
    for (int i = 0; i < 4; i++, part *= 2.0f) {
        trv_manifold manifold;
        float time = part * (step->h - from);
        if (!collide_at(step, pair, from + time, margin, &manifold))
            continue;
        float lost = trvi_smaller(gap, 0.0f) - trvi_nearest_of(&manifold);
        if (lost > margin)
            return lost / (part * time);
    }
    return 0.0f;
}

static bool may_leave(const trvi_step *step, const trvi_pairing *pair, float closing,
                      uint32_t blows)
{
    return trvi_is_swept(step, pair) && (blows > 0 || !(closing > TRVI_SWEEP_CLOSING));
}

// What a blow that does not bounce leaves surfaces with that are swept: nothing at first. Where
// they meet again in the same sub-step, they turn into one another: they part as keeps them apart until
// the sub-step's end, and, but for what rolls on to another corner (`dull`), as fast as they met, so that
// there is an end of blows.
static float leave_of(const trvi_step *step, const trvi_pairing *pair, const trv_manifold *manifold,
                      float time, float closing, float gap, uint32_t blows, bool dull)
{
    if (!may_leave(step, pair, closing, blows))
        return 0.0f;
    float curl = curl_of(step, pair, manifold, time, closing);
    if (closing > TRVI_SWEEP_CLOSING)
        return dull ? curl : trvi_larger(curl, closing);
    float most = TRVI_STRIKE_TURN * slip_of(step, pair, manifold, time);
    return trvi_larger(trvi_larger(curl, closing),
                       trvi_smaller(parting_of(step, pair, time, gap), most));
}

// Surfaces that turn into one another lose the speed that they part with all the while, and gain
// way: they are struck again when they have lost a good part of what they should have.
static bool parts_too_slowly(float closing, float leave)
{
    return closing > -TRVI_STRIKE_AGAIN * leave;
}

// The sweep goes along chords and stops a margin short; from there to the touch along the parabola.
// A time after the sub-step's end is the next one's business.
static float refine(const trvi_step *step, const trvi_pairing *pair, float time)
{
    trv_manifold manifold;
    float margin = margin_of(step, pair) + step->h * step->h * TRVI_REFINE_ACCELERATION;
    for (int round = 0; round < 2; round++) {
        if (!collide_at(step, pair, time, 2.0f * margin, &manifold))
            return time;
        float gap, closing = closing_at(step, pair, &manifold, time, &gap);
        trv_vec3 bend = trvi_sub(acceleration_of(step, pair->a), acceleration_of(step, pair->b));
        float square = closing * closing + 2.0f * trvi_dot(bend, manifold.normal) * gap;
        if (!is_blow(step, pair, closing, gap) || !(square > 0.0f))
            return time;
        time = trvi_larger(time + 2.0f * gap / (closing + sqrtf(square)), 0.0f);
        if (time >= step->h)
            return time;
    }
    return time;
}

static void sweep(const trvi_step *step, const trvi_pairing *pair, float from, trv_impact_hit *hit)
{
    const trvi_shape *a = &trvi_shapes(step->world)[pair->shape_a];
    const trvi_shape *b = &trvi_shapes(step->world)[pair->shape_b];
    const trvi_body *bodies = trvi_bodies(step->world);
    trv_motion motion_a = trvi_flight_motion(step, &bodies[a->body], pair->a, from);
    trv_motion motion_b = trvi_flight_motion(step, &bodies[b->body], pair->b, from);
    const trv_plane_cache *plane =
        pair->contact == TRVI_NONE ? NULL : &trvi_contacts(step->world)[pair->contact].plane;
    trvi_sweep_past(&a->solid, &motion_a, &b->solid, &motion_b, margin_of(step, pair), plane, hit);
}

float trvi_short_while(const trvi_step *step, const trvi_pairing *pair, trv_vec3 normal, float from)
{
    const uint32_t solvers[2] = {pair->a, pair->b};
    const uint32_t shapes[2] = {pair->shape_a, pair->shape_b};
    float speed = 0.0f;
    for (int side = 0; side < 2; side++) {
        const trvi_body *body = trvi_body_of_shape(step->world, shapes[side]);
        if (solvers[side] == TRVI_UNMOVED)
            continue;
        const trvi_flight *flight = trvi_flight_of(step, solvers[side]);
        float along = fabsf(trvi_dot(trvi_flight_speed(step, solvers[side], from), normal));
        speed += along + trvi_length(flight->spin) * body->extent;
    }
    float left = step->h - from;
    if (left < TRVI_LOOK_LAST * step->h)
        return left; // else the end would be come nearer to for ever
    return trvi_smaller(
        TRVI_SWEEP_SHARE * trvi_thinner_of(step, pair) / trvi_larger(speed, 1.0e-6f), 0.5f * left);
}

float trvi_glide_end(const trvi_step *step, const trvi_pairing *pair, const trv_manifold *manifold,
                     float from)
{
    if (manifold->count == 0)
        return from; // it is off again
    float later = trvi_short_while(step, pair, manifold->normal, from);
    return from + trvi_smaller(later, TRVI_LOOK_AGAIN * step->h);
}

// Surfaces that part, and meet again because they turn: when they do, looked for from where they
// are apart. False where they are not, after a small turn.
static bool meets_again(const trvi_step *step, const trvi_pairing *pair, float from, float later,
                        float *time, bool *hits)
{
    float spin =
        trvi_length(step->motions[pair->a].angular) + trvi_length(step->motions[pair->b].angular);
    later = from + trvi_smaller(later, TRVI_STRIKE_TURN / trvi_larger(spin, 1.0e-6f));
    trv_impact_hit hit;
    sweep(step, pair, later, &hit);
    if (hit.start)
        return false;
    *hits = hit.hit;
    *time = later + hit.fraction * (step->h - later);
    return true;
}

// Two shapes on their ways from a time of the sub-step to its end.
typedef struct ways {
    trv_motion a, b;
    float swings; // no point of them goes farther by turning, m
} ways;

static float swing_of(const trv_motion *motion, const trvi_body *body)
{
    float turn = trvi_length(motion->turn);
    return turn > 0.0f ? turn * body->extent : 0.0f; // half-spaces have no end
}

static ways ways_of(const trvi_step *step, const trvi_pairing *pair, float from)
{
    const trvi_body *body_a = trvi_body_of_shape(step->world, pair->shape_a);
    const trvi_body *body_b = trvi_body_of_shape(step->world, pair->shape_b);
    ways on = {trvi_flight_motion(step, body_a, pair->a, from),
               trvi_flight_motion(step, body_b, pair->b, from), 0.0f};
    on.swings = swing_of(&on.a, body_a) + swing_of(&on.b, body_b);
    return on;
}

// How much nearer to B the middle of A comes along a normal, m.
static float nearing(const ways *on, trv_vec3 normal)
{
    return trvi_dot(trvi_sub(on->a.travel, on->b.travel), normal);
}

// Does one turn far, or its middle come so much nearer to the other, before the sub-step ends, that
// it may be through it between two looks?
static bool goes_deep(const trvi_step *step, const trvi_pairing *pair, trv_vec3 normal, float from)
{
    const ways on = ways_of(step, pair, from);
    return nearing(&on, normal) > TRVI_SWEEP_SHARE * trvi_thinner_of(step, pair) ||
           trvi_length(on.a.turn) + trvi_length(on.b.turn) > TRVI_STRIKE_FAR_TURN;
}

// The two touch, or all but do, where they do not close in. When does another point of the manifold come
// to bounce? One that is farther off than what a look at their nearest points takes in.
static bool corner_comes(const trvi_step *step, const trvi_pairing *pair, float from, float *time)
{
    if (!(pair->restitution > 0.0f))
        return false;
    float threshold = trvi_pairing_threshold(step->world, pair), left = step->h - from;
    float spins =
        trvi_length(step->motions[pair->a].angular) + trvi_length(step->motions[pair->b].angular);
    float reach = 2.0f * trvi_thinner_of(step, pair) * trvi_smaller(spins * left, 1.0f);
    trv_manifold manifold;
    if (!(reach > 0.0f) || !collide_at(step, pair, from, reach, &manifold))
        return false;
    float soonest = left;
    moving a = moving_at(step, pair->shape_a, pair->a, from);
    moving b = moving_at(step, pair->shape_b, pair->b, from);
    for (uint32_t i = 0; i < manifold.count; i++) {
        const trv_manifold_point *p = &manifold.points[i];
        trv_vec3 speed = trvi_sub(speed_at(&a, p->point), speed_at(&b, p->point));
        float closing = trvi_dot(speed, manifold.normal);
        if (closing > threshold)
            soonest = trvi_smaller(soonest, trvi_larger(p->separation, 0.0f) / closing);
    }
    *time = from + soonest;
    return soonest < left;
}

static bool stands_still(const trvi_step *step, uint32_t solver)
{
    return solver != TRVI_UNMOVED && trvi_waits(step, solver);
}

bool trvi_is_held_up(const trvi_step *step, const trvi_pairing *pair, const trv_manifold *manifold,
                     float time)
{
    if (stands_still(step, pair->a) == stands_still(step, pair->b) || manifold->count == 0)
        return false;
    const ways on = ways_of(step, pair, time);
    return nearing(&on, manifold->normal) > margin_of(step, pair);
}

// Of two that touch along a normal: see trvi_shallow_room. Or are they no deeper at the sub-step's end, and
// turn by too little to be so on the way?
static bool ends_shallow(const trvi_step *step, const trvi_pairing *pair, float from,
                         trv_vec3 normal)
{
    float depth;
    trv_manifold manifold;
    if (trvi_stays_shallow_along(step, pair, from, normal, &depth))
        return true;
    return depth > 0.0f && (!collide_at(step, pair, step->h, margin_of(step, pair), &manifold) ||
                            trvi_nearest_of(&manifold) > -depth);
}

// The two touch.
static bool blows_at_once(const trvi_step *step, const trvi_pairing *pair, float from, float *time)
{
    trv_manifold manifold;
    float gap;
    *time = from;
    if (!collide_at(step, pair, from, margin_of(step, pair), &manifold))
        return false;
    float closing = closing_at(step, pair, &manifold, from, &gap);
    if (is_blow(step, pair, closing, gap) || trvi_is_held_up(step, pair, &manifold, from) ||
        corner_comes(step, pair, from, time))
        return true;
    if (ends_shallow(step, pair, from, manifold.normal))
        return false;
    if (!goes_deep(step, pair, manifold.normal, from) &&
        !(parting_of(step, pair, from, gap) > 0.0f))
        return false;
    float later = trvi_short_while(step, pair, manifold.normal, from);
    bool hits = false;
    if (closing < 0.0f && meets_again(step, pair, from, later, time, &hits))
        return hits;
    *time = from;
    if (!parts_too_slowly(closing, leave_of(step, pair, &manifold, from, closing, gap, 1, false)))
        *time = from + trvi_larger(later, TRVI_LOOK_AGAIN * step->h); // it needs no blow by now
    return *time < step->h;
}

// What no turn of a body from a time of the sub-step on adds up to, as long as nothing strikes it,
// rad. What turns freely may spin faster by its spin's own square, see haste_of in bounce.c.
static float turn_left(const trvi_step *step, uint32_t solver, const trvi_flight *flight,
                       float from)
{
    if (flight != NULL)
        return trvi_length(flight->rate) * (step->h - from);
    float angle = trvi_length(step->motions[solver].angular) * step->h;
    return angle <= 0.5f ? angle * (1.0f + angle) : 2.0f;
}

trvi_drift trvi_drift_of(const trvi_step *step, uint32_t solver, float from)
{
    trvi_drift drift = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, 0.0f};
    if (solver == TRVI_UNMOVED)
        return drift;
    const trvi_flight *flight = trvi_flight_if_known(step, solver);
    const trvi_motion *motion = &step->motions[solver];
    trv_quat turned = motion->turned;
    drift.moved = motion->moved;
    drift.speed = motion->linear;
    float start = 0.0f;
    if (flight != NULL) {
        trvi_flight_at(step, solver, from, &drift.moved, &turned);
        drift.bend = flight->acceleration;
        drift.speed = flight->speed;
        start = flight->start;
    } else if (trvi_flies_freely(step, solver)) {
        drift.bend = step->bodies[solver].acceleration;
        drift.speed = trvi_mul_add(drift.speed, drift.bend, -step->h);
    }
    float flown = from - start;
    if (flight == NULL) {
        trv_vec3 mean = trvi_mul_add(drift.speed, drift.bend, 0.5f * flown);
        drift.moved = trvi_mul_add(drift.moved, mean, flown);
    }
    drift.speed = trvi_mul_add(drift.speed, drift.bend, flown);
    float turn = trvi_chord_of(turned) + turn_left(step, solver, flight, from);
    drift.swing = trvi_smaller(turn, 2.0f) * step->bodies[solver].extent;
    return drift;
}

// Seen from one of them, no point of the other comes farther from where it was when the step began,
// up to the sub-step's end.
static float way_between(const trvi_drift *a, const trvi_drift *b, float left)
{
    return a->swing + b->swing + trvi_length(trvi_sub(b->moved, a->moved)) +
           trvi_length(trvi_sub(b->speed, a->speed)) * left +
           trvi_length(trvi_sub(b->bend, a->bend)) * left * left;
}

float trvi_drift_room(const trvi_step *step, const trvi_drift *a, const trvi_drift *b, float from,
                      float budget)
{
    return budget - (1.001f * way_between(a, b, step->h - from) + TRVI_SWEEP_MARGIN_M);
}

float trvi_drift_past(const trvi_step *step, uint32_t a, const trvi_drift *of_a, uint32_t b,
                      const trvi_drift *of_b, float from)
{
    const trvi_solver_body *body_a = &step->bodies[a], *body_b = &step->bodies[b];
    trv_vec3 apart =
        trvi_add(trvi_sub(body_b->center, body_a->center), trvi_sub(of_b->moved, of_a->moved));
    float distance = trvi_length(apart), left = step->h - from;
    float nearer = trvi_dot(trvi_sub(of_a->speed, of_b->speed), apart) * left;
    float bent = trvi_length(trvi_sub(of_b->bend, of_a->bend)) * left * left;
    float rounded = TRVI_PLACE_DOUBT * trvi_length(body_a->center);
    float near = body_a->extent + body_b->extent + bent + TRVI_SWEEP_MARGIN_M + rounded;
    return distance > near ? distance - near - trvi_larger(nearer, 0.0f) / distance : 0.0f;
}

// The motion budget of the contact's last test: too far apart to meet in the sub-step, whatever the
// way.
static bool is_out_of_reach(const trvi_step *step, const trvi_pairing *pair, float from)
{
    if (pair->contact == TRVI_NONE)
        return false;
    const trvi_contact *contact = &trvi_contacts(step->world)[pair->contact];
    if (!(contact->plane.gap > TRVI_SWEEP_MARGIN_M) || !(contact->travelled >= 0.0))
        return false;
    const trvi_body *a = trvi_body_of_shape(step->world, pair->shape_a);
    const trvi_body *b = trvi_body_of_shape(step->world, pair->shape_b);
    double since = a->travelled + b->travelled - contact->travelled;
    trvi_drift of_a = trvi_drift_of(step, pair->a, from), of_b = trvi_drift_of(step, pair->b, from);
    double way = 1.001 * (double)way_between(&of_a, &of_b, step->h - from);
    return since + way + (double)TRVI_SWEEP_MARGIN_M < (double)contact->plane.gap;
}

// What part of their ways leaves more than nothing of a gap along a normal, and, of the whole, how much.
static float part_free(const ways *on, trv_vec3 normal, float gap, float *room)
{
    float nearer = nearing(on, normal) + on->swings;
    *room = trvi_larger(*room, gap - nearer);
    return !(gap > 0.0f) ? 0.0f : nearer > gap ? 0.999f * (gap / nearer) : 1.0f;
}

float trvi_apart_until(const trvi_step *step, const trvi_pairing *pair, float from, bool *touch,
                       float *room)
{
    const trv_shape *a = &trvi_shapes(step->world)[pair->shape_a].solid;
    const trv_shape *b = &trvi_shapes(step->world)[pair->shape_b].solid;
    *touch = false;
    *room = 0.0f;
    if (a->kind == TRV_SHAPE_COMPOUND || b->kind == TRV_SHAPE_COMPOUND)
        return from;
    ways on = ways_of(step, pair, from);
    trv_plane_cache cache;
    memset(&cache, 0, sizeof cache);
    if (pair->contact != TRVI_NONE)
        cache = trvi_contacts(step->world)[pair->contact].plane;
    float margin = margin_of(step, pair), gap, part = 0.0f;
    trv_vec3 normal;
    if (trvi_glance(a, &on.a.pose, b, &on.b.pose, &cache, &normal, &gap))
        part = part_free(&on, normal, gap - margin, room);
    trv_separation found;
    if (part < TRVI_PUT_OFF && trv_separate(a, on.a.pose, b, on.b.pose, &cache, &found) == TRV_OK) {
        *touch = !found.apart;
        if (found.apart)
            part = trvi_larger(part, part_free(&on, found.plane.normal, found.gap - margin, room));
    }
    return part < 1.0f ? from + part * (step->h - from) : step->h;
}

bool trvi_next_blow(const trvi_step *step, const trvi_pairing *pair, float from, bool touch,
                    float *time)
{
    if ((trvi_waits(step, pair->a) && trvi_waits(step, pair->b)) ||
        is_out_of_reach(step, pair, from))
        return false;
    const uint32_t solvers[2] = {pair->a, pair->b};
    for (int side = 0; side < 2; side++)
        if (trvi_flight_is_whirling(step, solvers[side]))
            trvi_flight_commit(step, solvers[side], from);
    if (touch)
        return blows_at_once(step, pair, from, time);
    trv_impact_hit hit;
    sweep(step, pair, from, &hit);
    if (!hit.hit)
        return false;
    float way = hit.fraction * (step->h - from);
    if (hit.start || way <= TRVI_SWEEP_AT_ONCE * step->h)
        return blows_at_once(step, pair, from, time);
    *time = from + way;
    if (pair->restitution > 0.0f)
        *time = trvi_larger(refine(step, pair, *time), from);
    return *time < step->h;
}

// What a search comes short of a touch by, and more, m.
static float short_of(const trvi_step *step, const trvi_pairing *pair)
{
    return 2.0f * (margin_of(step, pair) + step->h * step->h * TRVI_REFINE_ACCELERATION);
}

// How they are at a time, with all of the face that is nearest; false where that is nowhere near.
static bool look_at(const trvi_step *step, const trvi_pairing *pair, float time, trvi_blow *blow,
                    float *gap)
{
    float face = trvi_strike_face(trvi_body_of_shape(step->world, pair->shape_a),
                                  trvi_body_of_shape(step->world, pair->shape_b));
    if (!collide_at(step, pair, time, short_of(step, pair) + face, &blow->manifold))
        return false;
    blow->closing = closing_at(step, pair, &blow->manifold, time, gap);
    return true;
}

uint32_t trvi_corner_of(const trv_manifold *manifold)
{
    return manifold->points[trvi_deepest_of(manifold)].feature;
}

bool trvi_blow_at(const trvi_step *step, const trvi_pairing *pair, float time,
                  const trvi_meeting *meeting, trvi_blow *blow)
{
    float gap;
    if (!look_at(step, pair, time, blow, &gap))
        return false;
    if (gap > short_of(step, pair)) {
        blow->manifold.count = 0;
        return false;
    }
    bool dull = meeting->blows < MOST_DULL && meeting->corner != trvi_corner_of(&blow->manifold);
    blow->leave =
        leave_of(step, pair, &blow->manifold, time, blow->closing, gap, meeting->blows, dull);
    return is_blow(step, pair, blow->closing, gap) ||
           (blow->leave > 0.0f && parts_too_slowly(blow->closing, blow->leave));
}

// What closes in leaves, where it may, with no less than its speed.
bool trvi_closes_at(const trvi_step *step, const trvi_pairing *pair, float time, uint32_t blows,
                    float reach, trvi_blow *blow)
{
    float gap;
    blow->leave = 0.0f; // not told
    return look_at(step, pair, time, blow, &gap) && gap <= reach && blow->closing > 0.0f &&
           (is_blow(step, pair, blow->closing, gap) || may_leave(step, pair, blow->closing, blows));
}
