// The points of a contact: how they go on from the manifold of the step before, and what they are kept by.
//
// A point that was there before keeps its impulses, and what friction has held it by. Where each lies on either
// body is remembered by two anchors, so that a manifold that is kept is measured anew by them alone.
#include "contact_points.h"

#include <string.h>

static float distance_squared(trv_vec3 a, trv_vec3 b)
{
    trv_vec3 d = trvi_sub(a, b);
    return trvi_dot(d, d);
}

static trvi_lanes out_of_world(const trvi_frame *of, trvi_lanes world)
{
    return trvi_lanes_rotate_inverse(of->rotation, trvi_lanes_sub(world, of->position));
}

// A place on either body, seen from the origin of its frame, along the world's axes.
typedef struct places {
    trvi_lanes a, b;
} places;

// From places in the bodies' frames.
static places turn_both(const trvi_frame *a, const trvi_frame *b, trvi_lanes on_a, trvi_lanes on_b)
{
    return (places){trvi_lanes_rotate(a->rotation, on_a), trvi_lanes_rotate(b->rotation, on_b)};
}

static places turn_anchors(const trvi_contact *contact, uint32_t i, const trvi_frame *a,
                           const trvi_frame *b)
{
    return turn_both(a, b, trvi_lanes_load3(&contact->anchor_a[i].x),
                     trvi_lanes_load3(&contact->anchor_b[i].x));
}

// From the place on A to that on B. However far both bodies are from the world's origin, only the way from
// one to the other is rounded.
static trvi_lanes between(const trvi_frame *a, const trvi_frame *b, const places *at)
{
    trvi_lanes offset = trvi_lanes_sub(b->position, a->position);
    return trvi_lanes_add(trvi_lanes_sub(at->b, at->a), offset);
}

static void put_middle(const trvi_frame *a, const trvi_frame *b, const places *at, trv_vec3 *middle)
{
    trvi_lanes sum =
        trvi_lanes_add(trvi_lanes_add(at->a, a->position), trvi_lanes_add(at->b, b->position));
    trvi_lanes_store3(&middle->x, trvi_lanes_mul(sum, trvi_lanes_splat(0.5f)));
}

void trvi_points_follow(const trvi_contact *contact, trvi_point_step *points, trv_manifold *before,
                        const trvi_frame *a, const trvi_frame *b)
{
    for (uint32_t j = 0; j < before->count; j++) {
        const places at = turn_anchors(contact, j, a, b);
        put_middle(a, b, &at, &before->points[j].point);
        trvi_lanes_store3(&points[j].drift.x, between(a, b, &at));
        if (trvi_slides_at(contact, j))
            points[j].drift = (trv_vec3){0.0f, 0.0f, 0.0f};
    }
}

// As the step begins, nothing has been felt.
static trvi_point_step point_with(trv_vec3 drift)
{
    return (trvi_point_step){0.0f, 0.0f, drift};
}

// What is left of the drift of an old point that is now a distance away from the one that goes on
// from it: that is held where the old one was unless the bodies have rolled on to other parts of
// their surfaces.
static trv_vec3 drift_on(trv_vec3 drift, trv_vec3 normal, float square, float reach)
{
    return square > reach * reach ? trvi_vec3(0.0f, 0.0f, 0.0f)
                                  : trvi_mul_add(drift, normal, -trvi_dot(drift, normal));
}

// What is known of the points of the old manifold.
typedef struct old_points {
    trvi_impulse impulses[TRV_MANIFOLD_POINTS];
    trvi_point_step points[TRV_MANIFOLD_POINTS];
    uint32_t slides; // the contact's flags
} old_points;

static void take_over(trvi_contact *contact, trvi_point_step *points, uint32_t i,
                      const old_points *old, uint32_t j, float square, float reach)
{
    contact->impulses[i] = old->impulses[j];
    trvi_set_slides_at(contact, i, (old->slides & (uint32_t)TRVI_CONTACT_SLIDES << j) != 0);
    points[i] = point_with(drift_on(old->points[j].drift, contact->manifold.normal, square, reach));
}

// No point is that of a manifold before.
static void begin_points(trvi_contact *contact, trvi_point_step *points)
{
    memset(contact->impulses, 0, sizeof contact->impulses);
    contact->rolled = 0;
    memset(points, 0, TRV_MANIFOLD_POINTS * sizeof *points);
    contact->flags &= ~(uint32_t)TRVI_CONTACT_SLIDES_ALL;
}

// Do the same points follow one another, in the same order?
static bool are_same_points(const trv_manifold *now, const trv_manifold *before)
{
    if (now->count != before->count)
        return false;
    for (uint32_t i = 0; i < now->count; i++)
        if (now->points[i].feature != before->points[i].feature)
            return false;
    return true;
}

// What trvi_points_match comes to where they do: each stays where it is.
static void go_on_in_place(const trv_manifold *now, trvi_point_step *points,
                           const trv_manifold *before, float reach)
{
    for (uint32_t i = 0; i < now->count; i++) {
        float square = distance_squared(now->points[i].point, before->points[i].point);
        points[i] = point_with(drift_on(points[i].drift, now->normal, square, reach));
    }
}

// A new point takes over from the nearest of those that are gone, so that what a contact carries is not dropped
// when it is held elsewhere.
void trvi_points_match(trvi_contact *contact, trvi_point_step *points, const trv_manifold *before,
                       float reach)
{
    const trv_manifold *now = &contact->manifold;
    if (before->count == 0) {
        begin_points(contact, points);
        return;
    }
    if (are_same_points(now, before)) {
        go_on_in_place(now, points, before, reach);
        return;
    }
    old_points old = {.slides = contact->flags};
    bool taken[TRV_MANIFOLD_POINTS] = {false}, matched[TRV_MANIFOLD_POINTS] = {false};
    memcpy(old.impulses, contact->impulses, sizeof old.impulses);
    memcpy(old.points, points, sizeof old.points);
    uint64_t rolled = contact->rolled;
    begin_points(contact, points);
    contact->rolled = rolled;
    for (uint32_t i = 0; i < now->count; i++)
        for (uint32_t j = 0; j < before->count && !matched[i]; j++)
            if (!taken[j] && now->points[i].feature == before->points[j].feature) {
                float square = distance_squared(now->points[i].point, before->points[j].point);
                take_over(contact, points, i, &old, j, square, reach);
                taken[j] = matched[i] = true;
            }
    for (uint32_t i = 0; i < now->count; i++) {
        uint32_t nearest = TRVI_NONE;
        float least = 0.0f;
        for (uint32_t j = 0; j < before->count && !matched[i]; j++) {
            float square = distance_squared(now->points[i].point, before->points[j].point);
            if (taken[j] || (nearest != TRVI_NONE && square >= least))
                continue;
            nearest = j;
            least = square;
        }
        if (nearest == TRVI_NONE)
            continue;
        take_over(contact, points, i, &old, nearest, least, reach);
        taken[nearest] = true;
    }
}

// Places a point's anchors: where it is, B's dragged on from A's by what it has drifted. The one farther from
// its body's middle, which is rounded more, stays where it got to, and the other is placed from there: else
// rounding drags what stands far from the middle of a large body along, a little in each step.
static void place_anchors(trvi_contact *contact, uint32_t i, const trv_vec3 *dragged,
                          const trvi_frame *a, const trvi_frame *b)
{
    const trv_manifold_point *p = &contact->manifold.points[i];
    trvi_lanes normal = trvi_lanes_load3(&contact->manifold.normal.x);
    trvi_lanes apart = trvi_lanes_mul(normal, trvi_lanes_splat(p->separation));
    trvi_lanes way = trvi_lanes_add(trvi_lanes_load3(&dragged->x), apart);
    trvi_lanes half = trvi_lanes_mul(way, trvi_lanes_splat(0.5f));
    trvi_lanes point = trvi_lanes_load3(&p->point.x);
    trvi_lanes on_a = out_of_world(a, trvi_lanes_sub(point, half));
    trvi_lanes on_b = out_of_world(b, trvi_lanes_add(point, half));
    trvi_lanes_store3(&contact->anchor_a[i].x, on_a);
    trvi_lanes_store3(&contact->anchor_b[i].x, on_b);
    const places at = turn_both(a, b, on_a, on_b);
    trvi_lanes missing = trvi_lanes_sub(way, between(a, b, &at));
    if (trvi_dot(contact->anchor_a[i], contact->anchor_a[i]) >
        trvi_dot(contact->anchor_b[i], contact->anchor_b[i])) {
        on_b = trvi_lanes_add(on_b, trvi_lanes_rotate_inverse(b->rotation, missing));
        trvi_lanes_store3(&contact->anchor_b[i].x, on_b);
    } else {
        on_a = trvi_lanes_sub(on_a, trvi_lanes_rotate_inverse(a->rotation, missing));
        trvi_lanes_store3(&contact->anchor_a[i].x, on_a);
    }
}

// The normal goes with the body that it is seen from. What slid begins to be held where it is now.
void trvi_points_refresh(trvi_contact *contact, trvi_point_step *points, const trvi_body *body_a,
                         const trvi_body *body_b, bool from_b)
{
    trv_manifold *manifold = &contact->manifold;
    const trvi_frame a = trvi_frame_of(body_a), b = trvi_frame_of(body_b);
    manifold->normal = trvi_rotate(body_a->rotation, contact->normal_local);
    if (from_b)
        manifold->normal =
            trvi_rotate(body_b->rotation, trvi_rotate_inverse(trvi_stance_turn(contact->stance),
                                                              contact->normal_local));
    for (uint32_t i = 0; i < manifold->count; i++) {
        const places at = turn_anchors(contact, i, &a, &b);
        trv_vec3 apart;
        trvi_lanes_store3(&apart.x, between(&a, &b, &at));
        float separation = trvi_dot(apart, manifold->normal);
        manifold->points[i].separation = separation;
        put_middle(&a, &b, &at, &manifold->points[i].point);
        points[i] = point_with(trvi_mul_add(apart, manifold->normal, -separation));
        if (trvi_slides_at(contact, i)) {
            points[i].drift = trvi_vec3(0.0f, 0.0f, 0.0f);
            place_anchors(contact, i, &points[i].drift, &a, &b);
        }
    }
}

void trvi_points_place(trvi_contact *contact, const trvi_point_step *points, const trvi_frame *a,
                       const trvi_frame *b, const trvi_relation *now)
{
    contact->between = now->between;
    contact->stance = now->stance;
    trvi_lanes normal = trvi_lanes_load3(&contact->manifold.normal.x);
    trvi_lanes_store3(&contact->normal_local.x, trvi_lanes_rotate_inverse(a->rotation, normal));
    for (uint32_t i = 0; i < contact->manifold.count; i++)
        place_anchors(contact, i, &points[i].drift, a, b);
}

void trvi_contact_show(trv_world *world, uint32_t index, const trv_manifold *manifold)
{
    trvi_contact *contact = &trvi_contacts(world)[index];
    trvi_point_step *points = trvi_point_steps(world, index);
    const trvi_body *a = &trvi_bodies(world)[contact->body_a];
    const trvi_body *b = &trvi_bodies(world)[contact->body_b];
    const trvi_frame frame_a = trvi_frame_of(a), frame_b = trvi_frame_of(b);
    const trvi_relation stand = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    contact->manifold = *manifold;
    contact->travelled = -1.0;
    begin_points(contact, points);
    trvi_points_place(contact, points, &frame_a, &frame_b, &stand);
}

void trvi_points_untested(const trv_world *world, uint32_t index)
{
    const trvi_contact *contact = &trvi_contacts(world)[index];
    trvi_point_step *points = trvi_point_steps(world, index);
    const trvi_frame a = trvi_frame_of(&trvi_bodies(world)[contact->body_a]);
    const trvi_frame b = trvi_frame_of(&trvi_bodies(world)[contact->body_b]);
    for (uint32_t i = 0; i < contact->manifold.count; i++) {
        const places at = turn_anchors(contact, i, &a, &b);
        trv_vec3 apart, normal = contact->manifold.normal;
        trvi_lanes_store3(&apart.x, between(&a, &b, &at));
        points[i] = point_with(trvi_mul_add(apart, normal, -trvi_dot(apart, normal)));
        if (trvi_slides_at(contact, i))
            points[i].drift = trvi_vec3(0.0f, 0.0f, 0.0f);
    }
}
