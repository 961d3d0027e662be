// What a body on a floor comes upon in the step: the floor's next pieces, seen as they will be met.
//
// A contact made before two shapes touch stands for all that they will do in the step by a plane, across
// the way between the nearest places. To who rolls or slides along that is no more than the edge of the
// piece ahead, which looks back at it: as a plane that is a wall, although the body is going to pass over
// the edge, and what it meets is the face behind. So where it would run into that plane, it is followed, as
// if nothing held it, to where the shapes touch, or to the end, and what is found there takes the place of
// what was seen from afar. What it touches on its way leads it aside before it comes to the next piece.
//
// Where it touches something, and is on that at the end, the plane of the end is the surface that was touched
// if it was reached by that time; then it counts, as an edge that is just touched has no one normal. Else the
// plane of the first touch does: the body is in what stopped it. Of seams, which are no obstacle, only what
// rises in such a way is shown.
//
// Based on: the time of impact as in B. Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems"
// (1996), without the impact, which is the solver's.
#include "contact_points.h"

// So many pieces are met on one way, no more; those beyond stay as they were seen.
enum { PIECES = 12 };

// The place where a piece is nearest is found to a part of 1 / 2^HALVINGS of the way.
enum { HALVINGS = 6 };

// The step, and one more sub-step: as it is relaxed for the last time, bodies are stopped from what they
// would be in by the end of another one.
static float time_ahead(const trv_world *world)
{
    uint32_t substeps = world->resume_substeps;
    return substeps == 0 ? 0.0f : world->resume_dt * (1.0f + 1.0f / (float)substeps);
}

static bool is_a_bearer(const trv_world *world, const trvi_contact *contact)
{
    const trvi_body *bodies = trvi_bodies(world);
    const trvi_body *a = &bodies[contact->body_a], *b = &bodies[contact->body_b];
    return b->kind != TRV_BODY_DYNAMIC || trvi_comes_along(a, b);
}

uint32_t trvi_who_comes_upon(const trv_world *world, const trvi_contact *contact)
{
    return is_a_bearer(world, contact) ? contact->body_a : contact->body_b;
}

// How fast the bearer goes past a place of the other, however it turns, m/s.
static float speed_past(const trv_world *world, const trvi_contact *contact, trv_vec3 at)
{
    const trvi_body *bodies = trvi_bodies(world);
    uint32_t bearer = trvi_who_comes_upon(world, contact);
    uint32_t floor = bearer == contact->body_a ? contact->body_b : contact->body_a;
    trv_vec3 linear = trvi_mobile_of(world, &bodies[bearer])->linear_velocity;
    return trvi_length(trvi_sub(linear, trvi_velocity_at(world, &bodies[floor], at)));
}

// Will a point be in the other within the time, by the plane that is seen?
static bool is_run_into(const trv_world *world, const trvi_contact *contact, uint32_t i, float time,
                        bool seam)
{
    const trv_manifold_point *p = &contact->manifold.points[i];
    const trvi_body *bearer = &trvi_bodies(world)[trvi_who_comes_upon(world, contact)];
    trv_vec3 past = trvi_velocity_past(world, contact->body_a, contact->body_b, p->point);
    float closing = trvi_dot(past, contact->manifold.normal), way = closing * time;
    if (seam)
        return way > trvi_larger(p->separation, TRVI_SEAM * bearer->extent);
    return way > p->separation && closing > TRVI_AHEAD_TILT * speed_past(world, contact, p->point);
}

bool trvi_comes_upon(const trv_world *world, const trvi_contact *contact, bool seam)
{
    float time = TRVI_AHEAD_MORE * time_ahead(world);
    bool any = false;
    for (uint32_t i = 0; i < contact->manifold.count; i++) {
        float separation = contact->manifold.points[i].separation;
        bool bears = contact->impulses[i].normal > 0.0f && separation <= TRVI_TOUCH_M;
        if (!seam && (!(separation > 0.0f) || bears))
            return false;
        any = any || is_run_into(world, contact, i, time, seam);
    }
    return any && !(contact->flags & TRVI_CONTACT_ASKS);
}

// One who comes along, on its way.
typedef struct traveller {
    const trv_world *world;
    const trvi_body *body;
    trv_pose pose;
    trv_vec3 linear, angular;
    float gone, left; // s
} traveller;

// A piece that it comes upon.
typedef struct piece {
    uint32_t contact;
    const trvi_body *floor;
    const trv_shape *own, *solid; // of the traveller, and of the floor
    bool own_is_a, seam, done;
} piece;

// What counts as flush, and how far places are rounded.
static float slack_of(const traveller *t)
{
    return TRVI_SEAM * t->body->extent + TRVI_PLACE_DOUBT * trvi_length(t->body->center);
}

// What is left of the way of either.
static trv_motion own_motion(const traveller *t)
{
    return trvi_motion_on(t->world, t->body, t->pose, t->linear, t->angular, t->left);
}

static trv_motion floor_motion(const traveller *t, const piece *at)
{
    if (!(at->floor->flags & TRVI_BODY_AWAKE))
        return trv_make_motion(at->floor->frame);
    const trvi_mobile *mobile = trvi_mobile_of(t->world, at->floor);
    trv_motion gone = trvi_motion_on(t->world, at->floor, at->floor->frame, mobile->linear_velocity,
                                     mobile->angular_velocity, t->gone);
    return trvi_motion_on(t->world, at->floor, trv_motion_at(&gone, 1.0f), mobile->linear_velocity,
                          mobile->angular_velocity, t->left);
}

static trv_impact_hit meet(const traveller *t, const piece *at)
{
    trv_motion own = own_motion(t), other = floor_motion(t, at);
    trv_impact_hit hit;
    trvi_sweep_past(at->own, &own, at->solid, &other, 0.0f, NULL, &hit);
    return hit;
}

// From the contact's A to its B, from the traveller's side.
static trv_vec3 outward(const piece *at, trv_vec3 normal)
{
    return at->own_is_a ? normal : trvi_negate(normal);
}

// How the two are at a part of what is left of the way.
typedef struct glimpse {
    trv_pose own, other;
    trv_manifold manifold;
} glimpse;

static void look_at(const traveller *t, const piece *at, float fraction, glimpse *seen)
{
    trv_plane_cache none = {0};
    trv_motion own = own_motion(t), other = floor_motion(t, at);
    float margin = trvi_contacts(t->world)[at->contact].margin;
    seen->own = trv_motion_at(&own, fraction);
    seen->other = trv_motion_at(&other, fraction);
    if (at->own_is_a)
        trvi_collide(at->own, seen->own, at->solid, seen->other, margin, &none, NULL,
                     &seen->manifold);
    else
        trvi_collide(at->solid, seen->other, at->own, seen->own, margin, &none, NULL,
                     &seen->manifold);
}

// How fast the traveller goes towards a piece at a point of what is seen there, along its normal, m/s.
static float closing_at(const traveller *t, const piece *at, const glimpse *seen, trv_vec3 point)
{
    trv_vec3 middle = trv_pose_apply(seen->own, trvi_mobile_of(t->world, t->body)->local_center);
    trv_vec3 speed = trvi_add(t->linear, trvi_cross(t->angular, trvi_sub(point, middle)));
    trv_vec3 past = trvi_sub(speed, trvi_velocity_at(t->world, at->floor, point));
    return trvi_dot(past, outward(at, seen->manifold.normal));
}

// Is what is seen some time after a touch the surface that was touched?
static bool was_touched(const traveller *t, const piece *at, const glimpse *then, float since)
{
    const trv_manifold_point *p = &then->manifold.points[trvi_deepest_of(&then->manifold)];
    float gap = p->separation + closing_at(t, at, then, p->point) * since;
    return fabsf(gap) <= slack_of(t);
}

// Was the traveller beyond the plane that is seen, some time before?
static bool was_beyond(const traveller *t, const piece *at, const glimpse *then, float before)
{
    for (uint32_t i = 0; i < then->manifold.count; i++) {
        const trv_manifold_point *p = &then->manifold.points[i];
        if (p->separation + closing_at(t, at, then, p->point) * before < -slack_of(t))
            return true;
    }
    return false;
}

// Looks at the piece where the traveller comes nearest to it on a part of the way, at whose end it leaves it.
static void look_nearest(const traveller *t, const piece *at, float from, float until,
                         glimpse *seen)
{
    for (int i = 0; i < HALVINGS; i++) {
        glimpse half;
        float middle = 0.5f * (from + until);
        look_at(t, at, middle, &half);
        if (half.manifold.count == 0)
            return; // not near there: it comes from aside
        const trv_manifold_point *p = &half.manifold.points[trvi_deepest_of(&half.manifold)];
        if (closing_at(t, at, &half, p->point) < 0.0f) {
            *seen = half;
            until = middle;
        } else {
            from = middle;
        }
    }
}

// Looks at the piece as it is when the traveller has gone on over it from where it touches, at a part of the
// way: at the end, or before, as it may have left the piece by then. False where that is not what it touches;
// but what it is only a little in by the end is no obstacle either.
static bool look_on(const traveller *t, const piece *at, float touch, glimpse *seen)
{
    glimpse end;
    for (float share = 1.0f; share >= 0.25f; share *= 0.5f) {
        float on = share * (1.0f - touch);
        look_at(t, at, touch + on, seen);
        if (seen->manifold.count > 0 && was_touched(t, at, seen, on * t->left))
            return true;
        if (share == 1.0f)
            end = *seen;
    }
    *seen = end;
    if (was_beyond(t, at, &end, (1.0f - touch) * t->left))
        look_nearest(t, at, touch, 1.0f, seen);
    return seen->manifold.count > 0 &&
           trvi_nearest_of(&seen->manifold) > -TRVI_AHEAD_LITTLE * t->body->extent;
}

// Looks at a piece that is passed without a touch: at the end, or before, where it is left behind by then. Who
// leaves it has been beyond that plane, if it came close: then where that was.
static void look_past(const traveller *t, const piece *at, glimpse *seen)
{
    float share = 1.0f;
    look_at(t, at, share, seen);
    while (share > 0.25f && seen->manifold.count == 0) {
        share *= 0.5f;
        look_at(t, at, share, seen);
    }
    if (was_beyond(t, at, seen, share * t->left))
        look_nearest(t, at, 0.0f, share, seen);
}

// A place on a shape's surface, from where it is in one pose to where it is in another. What is round touches
// at the same side however it turns.
static trv_vec3 carry(trv_pose from, trv_pose to, trv_vec3 place, trv_vec3 round)
{
    trv_vec3 own = trv_pose_apply_inverse(from, trvi_sub(place, round));
    return trvi_add(trv_pose_apply(to, own), round);
}

// The points that are seen, as they are to one another now. They are where the traveller has them; what the
// piece's plane would be beyond now already is no overlap.
static void bring_back(const traveller *t, const piece *at, glimpse *seen)
{
    trv_manifold *m = &seen->manifold;
    trv_vec3 n = outward(at, m->normal);
    trv_vec3 round_own = trvi_scale(n, trvi_radius_of(at->own));
    trv_vec3 round_other = trvi_scale(n, -trvi_radius_of(at->solid));
    for (uint32_t i = 0; i < m->count; i++) {
        trv_manifold_point *p = &m->points[i];
        trv_vec3 own = trvi_mul_add(p->point, n, -0.5f * p->separation);
        trv_vec3 other = trvi_mul_add(p->point, n, 0.5f * p->separation);
        own = carry(seen->own, t->body->frame, own, round_own);
        other = carry(seen->other, at->floor->frame, other, round_other);
        p->separation = trvi_larger(trvi_dot(trvi_sub(other, own), n), 0.0f);
        p->point = trvi_mul_add(own, n, 0.5f * p->separation);
    }
}

// What counts as seen of a piece that is touched at a part of the way, or not at all; false where that is no
// more than a seam, or nothing.
static bool see(const traveller *t, const piece *at, const trv_impact_hit *hit, glimpse *seen)
{
    if (hit->hit && look_on(t, at, hit->fraction, seen))
        return !at->seam || trvi_nearest_of(&seen->manifold) < -slack_of(t);
    if (at->seam)
        return false;
    if (hit->hit)
        look_at(t, at, hit->fraction, seen);
    else
        look_past(t, at, seen);
    return seen->manifold.count > 0;
}

static bool add_piece(const trv_world *world, uint32_t index, uint32_t contact, piece *out)
{
    const trvi_contact *c = &trvi_contacts(world)[contact];
    // Where it is somebody else's, that one may be changing it.
    if (trvi_who_comes_upon(world, c) != index || !(c->flags & TRVI_CONTACT_AHEAD))
        return false;
    bool own_is_a = c->body_a == index;
    const trv_shape *a = &trvi_shapes(world)[c->shape_a].solid;
    const trv_shape *b = &trvi_shapes(world)[c->shape_b].solid;
    *out = (piece){contact,
                   &trvi_bodies(world)[own_is_a ? c->body_b : c->body_a],
                   own_is_a ? a : b,
                   own_is_a ? b : a,
                   own_is_a,
                   (c->flags & TRVI_CONTACT_SEAM) != 0,
                   false};
    return true;
}

static uint32_t list_pieces(const trv_world *world, uint32_t index, piece *pieces)
{
    uint32_t count = 0, link = trvi_bodies(world)[index].first_contact;
    for (; link != TRVI_NONE && count < PIECES;
         link = trvi_contacts(world)[link / 2].next[link % 2])
        count += add_piece(world, index, link / 2, &pieces[count]);
    return count;
}

// The first piece that is touched; `count` where none is.
static uint32_t first_of(const traveller *t, const piece *pieces, uint32_t count,
                         trv_impact_hit *first)
{
    uint32_t found = count;
    for (uint32_t i = 0; i < count; i++) {
        if (pieces[i].done)
            continue;
        trv_impact_hit hit = meet(t, &pieces[i]);
        if (hit.hit && (found == count || hit.fraction < first->fraction)) {
            found = i;
            *first = hit;
        }
    }
    return found;
}

// How fast two bodies close in at the points of a manifold at most, m/s.
static float closing_of(const trv_world *world, const trvi_contact *contact, const trv_manifold *m)
{
    float most = 0.0f;
    for (uint32_t i = 0; i < m->count; i++)
        most = trvi_larger(most, trvi_dot(trvi_velocity_past(world, contact->body_a,
                                                             contact->body_b, m->points[i].point),
                                          m->normal));
    return most;
}

// Nothing where it is as much of an obstacle as what was seen from afar: that is the surface that is met.
static void show(trv_world *world, const traveller *t, const piece *at, glimpse *seen)
{
    const trvi_contact *contact = &trvi_contacts(world)[at->contact];
    bring_back(t, at, seen);
    if (at->seam || closing_of(world, contact, &seen->manifold) <
                        TRVI_AHEAD_LESS * closing_of(world, contact, &contact->manifold))
        trvi_contact_show(world, at->contact, &seen->manifold);
}

// Goes on from a part of the way, aside from what is met there.
static void go_on(traveller *t, const piece *at, const glimpse *met, float fraction)
{
    trv_motion own = own_motion(t);
    if (met != NULL) {
        trv_vec3 n = outward(at, met->manifold.normal);
        trv_vec3 past = trvi_sub(
            t->linear, trvi_velocity_at(t->world, at->floor, met->manifold.points[0].point));
        float closing = trvi_larger(trvi_dot(past, n), 0.0f);
        t->linear = trvi_mul_add(t->linear, n, -closing);
    }
    t->pose = trv_motion_at(&own, fraction);
    t->gone += fraction * t->left;
    t->left *= 1.0f - fraction;
}

void trvi_look_ahead(trv_world *world, uint32_t index)
{
    const trvi_body *body = &trvi_bodies(world)[index];
    const trvi_mobile *mobile = trvi_mobile_of(world, body);
    traveller t = {world,
                   body,
                   body->frame,
                   mobile->linear_velocity,
                   mobile->angular_velocity,
                   0.0f,
                   time_ahead(world)};
    piece pieces[PIECES];
    glimpse seen;
    trv_impact_hit hit, none = {0};
    uint32_t count = list_pieces(world, index, pieces), at;
    while ((at = first_of(&t, pieces, count, &hit)) < count) { // each turn is done with one of them
        pieces[at].done = true;
        bool shows = see(&t, &pieces[at], &hit, &seen);
        go_on(&t, &pieces[at], shows ? &seen : NULL, hit.fraction);
        if (shows)
            show(world, &t, &pieces[at], &seen);
    }
    for (uint32_t i = 0; i < count; i++)
        if (!pieces[i].done && see(&t, &pieces[i], &none, &seen))
            show(world, &t, &pieces[i], &seen);
}
