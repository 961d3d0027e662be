// The narrowphase of a step: tests the active contacts, carries impulses over from the manifolds of
// the step before, and wakes what is about to be touched.
#include "contact_margin.h"
#include "contact_points.h"

enum { AHEAD = 8 }; // contacts that the next ones are fetched before they are tested

static bool was_apart(const trvi_contact *contact)
{
    return trvi_answer_of(contact) != TRVI_CONTACT && contact->travelled >= 0.0;
}

// By more than rounding.
static bool exceeds(double gap, float margin)
{
    return gap > (double)margin * 1.000001;
}

// The motion budget: what was apart by a gap stays apart while the two bodies together have not
// moved as far as that, wherever they went; exact, and nothing has to be looked at.
static bool is_still_apart(const trvi_contact *contact, double travelled, float margin)
{
    return was_apart(contact) &&
           exceeds((double)contact->plane.gap - (travelled - contact->travelled), margin);
}

static trvi_relation relation_of(const trvi_body *a, const trvi_body *b)
{
    trv_quat turn = trvi_quat_mul(trvi_quat_conjugate(a->rotation), b->rotation);
    float share = (turn.w < 0.0f ? -1.0f : 1.0f) / (1.0f + fabsf(turn.w));
    return (trvi_relation){trvi_rotate_inverse(a->rotation, trvi_sub(b->center, a->center)),
                           trvi_scale((trv_vec3){turn.x, turn.y, turn.z}, share)};
}

// Has no point of the other body moved farther than a limit since the manifold was made, seen so?
static bool has_moved_within(const trvi_contact *contact, const trvi_body *a, const trvi_body *b,
                             const trvi_relation *now, float limit)
{
    trv_vec3 from = contact->between, to = now->between;
    bool from_b = trvi_is_seen_from_b(a, b);
    if (!from_b && trvi_length(trvi_sub(to, from)) > limit)
        return false; // turned or not
    trv_quat before = trvi_stance_turn(contact->stance), after = trvi_stance_turn(now->stance);
    if (from_b) {
        from = trvi_rotate_inverse(before, from);
        to = trvi_rotate_inverse(after, to);
    }
    return trvi_length(trvi_sub(to, from)) +
               trvi_chord_of_turn(after, before) * (from_b ? a : b)->extent <=
           limit;
}

static bool has_point_within(const trv_manifold *manifold, float margin)
{
    for (uint32_t i = 0; i < manifold->count; i++)
        if (manifold->points[i].separation <= margin)
            return true;
    return false;
}

// What presses the body, where that is; in its own frame.
static trvi_load load_within(const trv_world *world, const trvi_body *body)
{
    const trvi_mobile *mobile = trvi_mobile_of(world, body);
    return (trvi_load){mobile->local_center,
                       trvi_rotate_inverse(body->rotation, trvi_acceleration_of(world, mobile))};
}

// Does what presses a body come from elsewhere in each step?
static bool is_load_moving(const trv_world *world, const trvi_body *body)
{
    if (body->kind != TRV_BODY_DYNAMIC)
        return false;
    const trvi_mobile *mobile = trvi_mobile_of(world, body);
    return trvi_dot(mobile->force, mobile->force) > 0.0f ||
           trvi_dot(mobile->angular_velocity, mobile->angular_velocity) >
               TRVI_REUSE_SPIN * TRVI_REUSE_SPIN;
}

// As two tilt together, or are pushed, other points than those chosen may be needed to bear the load.
static bool is_well_borne(const trv_world *world, const trvi_contact *contact, const trvi_body *a,
                          const trvi_body *b)
{
    if (contact->manifold.count < TRV_MANIFOLD_POINTS)
        return true; // there were no more
    if (is_load_moving(world, a)) {
        const trvi_load load = load_within(world, a);
        if (!trvi_is_well_borne(contact->anchor_a, trvi_negate(contact->normal_local), &load))
            return false;
    }
    if (!is_load_moving(world, b))
        return true;
    const trvi_load load = load_within(world, b);
    trv_vec3 normal = trvi_rotate(a->rotation, contact->normal_local);
    return trvi_is_well_borne(contact->anchor_b, trvi_rotate_inverse(b->rotation, normal), &load);
}

// True where the two have all but stayed as they were to one another when the manifold was made,
// and it would still be made.
// What is round is tested at little cost, and rolls on to other parts of its surface by as much as
// it moves: it has to lie still; then there is no `now`.
static bool has_stayed(const trvi_contact *contact, const trvi_body *a, const trvi_body *b,
                       const trvi_relation *now, float margin)
{
    if (trvi_answer_of(contact) != TRVI_CONTACT || contact->travelled < 0.0 ||
        !(margin <= TRVI_REUSE_MARGIN * contact->margin) ||
        !has_point_within(&contact->manifold, margin))
        return false;
    float thinner = trvi_smaller(a->thickness, b->thickness);
    if (now == NULL)
        return a->travelled + b->travelled - contact->travelled <=
               TRVI_REUSE_ROUND * (double)thinner;
    float limit = trvi_smaller(TRVI_REUSE * thinner, TRVI_REUSE_MOST_M);
    return has_moved_within(contact, a, b, now, limit);
}

// What was apart when it was last tested has none: that is told by what lies side by side in
// memory.
static bool has_points(const trvi_contact *contact)
{
    return !was_apart(contact) && contact->manifold.count > 0;
}

// Sensors overlap or not: no margin, no manifold. Whether they still do is looked at in each step.
static void test_sensor(trv_world *world, trvi_contact *contact)
{
    const trvi_body *a = &trvi_bodies(world)[contact->body_a];
    const trvi_body *b = &trvi_bodies(world)[contact->body_b];
    double travelled = a->travelled + b->travelled;
    if (is_still_apart(contact, travelled, 0.0f)) {
        trvi_set_answer(contact, TRVI_APART_REMEMBERED);
        return;
    }
    trv_manifold manifold;
    trvi_answer answer = trvi_collide(&trvi_shapes(world)[contact->shape_a].solid, a->frame,
                                      &trvi_shapes(world)[contact->shape_b].solid, b->frame, 0.0f,
                                      &contact->plane, NULL, &manifold);
    trvi_set_answer(contact, answer);
    contact->travelled = travelled;
}

static trvi_load load_of(const trv_world *world, const trvi_body *body)
{
    if (body->kind != TRV_BODY_DYNAMIC)
        return (trvi_load){body->center, {0.0f, 0.0f, 0.0f}};
    return (trvi_load){body->center, trvi_acceleration_of(world, trvi_mobile_of(world, body))};
}

// Those of the manifold before that carry load, or overlap, and where the load comes from.
static trvi_held held_points(const trv_world *world, const trvi_contact *contact,
                             const trv_manifold *before, const trvi_body *a, const trvi_body *b)
{
    trvi_held held = {0, {0}, {load_of(world, a), load_of(world, b)}};
    for (uint32_t i = 0; i < before->count; i++)
        if (contact->impulses[i].normal > 0.0f || before->points[i].separation <= 0.0f)
            held.features[held.count++] = before->points[i].feature;
    return held;
}

// How far contacts are looked for.
typedef struct range {
    float sight, most; // m
    bool along; // by how much nearer the two come along the plane between them, if that is less
} range;

static float margin_of(const trv_world *world, const trvi_contact *contact, const range *r,
                       float dt)
{
    return r->along ? trvi_margin_along(world, contact, r->sight, r->most, dt) : r->most;
}

// Does the plane that parted the two still do so, by more than they may come nearer in the step?
static bool is_parted(const trv_world *world, trvi_contact *contact, const range *r, float dt)
{
    if (!was_apart(contact))
        return false;
    float gap = trvi_gap_left(&trvi_shapes(world)[contact->shape_a].solid,
                              &trvi_bodies(world)[contact->body_a].frame,
                              &trvi_shapes(world)[contact->shape_b].solid,
                              &trvi_bodies(world)[contact->body_b].frame, &contact->plane);
    return exceeds(gap, r->most) ||
           (gap > r->sight && exceeds(gap, margin_of(world, contact, r, dt)));
}

static void test_contact(trv_world *world, trvi_contact *contact, trvi_point_step *points, float dt)
{
    const trvi_body *a = &trvi_bodies(world)[contact->body_a];
    const trvi_body *b = &trvi_bodies(world)[contact->body_b];
    const trvi_shape *shape_a = &trvi_shapes(world)[contact->shape_a];
    const trvi_shape *shape_b = &trvi_shapes(world)[contact->shape_b];
    const trv_shape *solid_a = &shape_a->solid, *solid_b = &shape_b->solid;
    bool round = trvi_radius_of(solid_a) > 0.0f || trvi_radius_of(solid_b) > 0.0f;
    range r = {.sight = trvi_sight_between(shape_a, shape_b), .along = !round};
    r.most = r.sight + trvi_found_reach(a) + trvi_found_reach(b);
    double travelled = a->travelled + b->travelled;
    if (is_still_apart(contact, travelled, r.most)) {
        trvi_set_answer(contact, TRVI_APART_REMEMBERED);
        return;
    }
    if (is_parted(world, contact, &r, dt)) {
        trvi_set_answer(contact, TRVI_APART_REMEMBERED);
        contact->travelled = travelled;
        return;
    }
    trvi_relation stand = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    if (!round)
        stand = relation_of(a, b);
    float margin = margin_of(world, contact, &r, dt);
    if (has_stayed(contact, a, b, round ? NULL : &stand, margin) &&
        is_well_borne(world, contact, a, b)) {
        trvi_points_refresh(contact, points, a, b, !round && trvi_is_seen_from_b(a, b));
        return;
    }
    const trvi_frame frame_a = trvi_frame_of(a), frame_b = trvi_frame_of(b);
    const trvi_plane_direction parted = trvi_direction_of(&contact->plane);
    bool touched = trvi_answer_of(contact) == TRVI_CONTACT;
    trv_manifold before, first, *now = &first;
    before.count = 0;
    if (has_points(contact) || contact->travelled < 0.0) {
        before = contact->manifold;
        trvi_points_follow(contact, points, &before, &frame_a, &frame_b);
        now = &contact->manifold;
    }
    const trvi_held held = held_points(world, contact, &before, a, b);
    trvi_answer answer =
        trvi_collide(solid_a, a->frame, solid_b, b->frame, margin, &contact->plane, &held, now);
    trvi_set_answer(contact, answer);
    contact->travelled = travelled;
    // Where another direction parts them now, it tells how far is far enough.
    if (margin < r.most && answer != TRVI_CONTACT &&
        (touched || !trvi_is_same_plane(&contact->plane, &parted))) {
        float needed = margin_of(world, contact, &r, dt);
        if (!(contact->plane.gap > needed)) {
            margin = needed;
            answer = trvi_collide(solid_a, a->frame, solid_b, b->frame, margin, &contact->plane,
                                  &held, now);
            trvi_set_answer(contact, answer);
        }
    }
    contact->margin = margin;
    if (now->count == 0)
        return;
    if (now == &first)
        contact->manifold = first;
    bool turned = !round && trvi_see_turned(world, contact, dt, &contact->manifold);
    float extent = trvi_smaller(a->extent, b->extent);
    trvi_points_match(contact, points, &before, TRVI_ANCHOR_REACH * extent);
    trvi_points_place(contact, points, &frame_a, &frame_b, &stand);
    if (turned)
        contact->travelled = -1.0;
}

static bool is_asleep(const trvi_body *body)
{
    return body->kind == TRV_BODY_DYNAMIC && !(body->flags & TRVI_BODY_AWAKE);
}

static uint32_t marks_of(const trv_world *world, const trvi_contact *contact)
{
    const trvi_body *a = &trvi_bodies(world)[contact->body_a];
    const trvi_body *b = &trvi_bodies(world)[contact->body_b];
    bool sensor = (contact->flags & TRVI_CONTACT_SENSOR) != 0;
    bool touches = trvi_answer_of(contact) == TRVI_CONTACT;
    uint32_t marks = TRVI_ENTRY_TESTED;
    if (sensor ? touches : has_points(contact))
        marks |= TRVI_ENTRY_NEAR | trvi_marks_of_points(contact);
    if ((contact->flags & TRVI_CONTACT_TOUCHING) || contact->blow != 0.0f)
        marks |= TRVI_ENTRY_NEAR;
    if ((marks & TRVI_ENTRY_NEAR) && (trvi_is_floor(world, a, b) || trvi_is_floor(world, b, a)))
        marks |= TRVI_ENTRY_FLOOR;
    if (is_asleep(a) || is_asleep(b))
        marks |= TRVI_ENTRY_ASLEEP;
    if (!touches)
        marks |= TRVI_ENTRY_APART;
    if (trvi_answer_of(contact) == TRVI_APART_REMEMBERED)
        marks |= TRVI_ENTRY_REMEMBERED;
    if (contact->restitution > 0.0f)
        marks |= TRVI_ENTRY_BOUNCES;
    if (contact->flags & (TRVI_CONTACT_SENSOR | TRVI_CONTACT_BY_HAND))
        marks |= TRVI_ENTRY_PASSES;
    else if (has_points(contact) && (trvi_comes_along(a, b) || trvi_comes_along(b, a)))
        marks |= trvi_slides(world, contact, marks);
    return marks;
}

// Of the motion budget, what is left of it; a little less than all.
static float budget_of(const trvi_contact *contact, double travelled)
{
    if (!(contact->plane.gap > 0.0f) || contact->travelled < 0.0)
        return -1.0f;
    double gap = (double)contact->plane.gap, since = travelled - contact->travelled;
    return (float)(gap - 1.001 * since - 1.0e-6 * fabs(gap));
}

// By how much farther apart the other points of a manifold are than its lowest, m, up to `most`: what is a single
// point, or nearly so, has none.
static float alone_by(const trv_manifold *manifold, float most)
{
    float lowest = HUGE_VALF, second = HUGE_VALF;
    for (uint32_t p = 0; p < manifold->count; p++) {
        float gap = manifold->points[p].separation;
        second = trvi_smaller(second, trvi_larger(gap, lowest));
        lowest = trvi_smaller(lowest, gap);
    }
    return trvi_smaller(second - lowest, most);
}

// Lever arm of what resists turning, m. Round shapes roll as their materials say; others have at a
// single point the friction of a corner that is not quite sharp, as of the smaller that can be pushed. Others
// that are just near do not change that; where they all but touch it tips over them.
static float rolling_of(const trv_world *world, const trvi_contact *contact, const trvi_body *a,
                        const trvi_body *b, bool round)
{
    if (round || !(contact->friction > 0.0f))
        return contact->rolling_friction;
    float extent = a->kind == TRV_BODY_DYNAMIC ? a->extent : b->extent;
    if (b->kind == TRV_BODY_DYNAMIC)
        extent = trvi_smaller(extent, b->extent);
    float arm = TRVI_BLUNT_CORNER * extent, least = TRVI_BLUNT_LEAST * arm;
    arm = alone_by(&contact->manifold, arm + least) - least;
    if (!(arm > 0.0f))
        return contact->rolling_friction;
    trv_vec3 spin = trvi_sub(trvi_mobile_of(world, b)->angular_velocity,
                             trvi_mobile_of(world, a)->angular_velocity);
    float fast = trvi_larger(trvi_length(spin), TRVI_BLUNT_SPIN);
    return trvi_larger(contact->rolling_friction, arm * (TRVI_BLUNT_SPIN / fast));
}

static trvi_sides sides_of(const trv_world *world, const trvi_contact *contact)
{
    const trvi_body *a = &trvi_bodies(world)[contact->body_a];
    const trvi_body *b = &trvi_bodies(world)[contact->body_b];
    trvi_sides sides = {.body_a = contact->body_a,
                        .body_b = contact->body_b,
                        .inside = a->thickness + b->thickness,
                        .thinner = trvi_smaller(a->thickness, b->thickness),
                        .friction = contact->friction,
                        .rolling = contact->rolling_friction,
                        .budget = budget_of(contact, a->travelled + b->travelled)};
    if (has_points(contact)) {
        sides.radius_a = trvi_radius_of(&trvi_shapes(world)[contact->shape_a].solid);
        sides.radius_b = trvi_radius_of(&trvi_shapes(world)[contact->shape_b].solid);
        sides.rolling =
            rolling_of(world, contact, a, b, sides.radius_a > 0.0f || sides.radius_b > 0.0f);
    }
    return sides;
}

// Contacts and bodies lie anywhere, each in many lines of the cache: they are fetched in time,
// first what tells whether there is anything to do.
static void expect_head(const trv_world *world, const trvi_entry *entry)
{
    trvi_prefetch_bytes(&trvi_contacts(world)[entry->value], offsetof(trvi_contact, normal_local));
}

static void expect_rest(const trv_world *world, const trvi_entry *entry)
{
    const trvi_contact *contact = &trvi_contacts(world)[entry->value];
    trvi_prefetch_bytes(&trvi_bodies(world)[contact->body_b], sizeof(trvi_body));
    trvi_prefetch_bytes(&trvi_shapes(world)[contact->shape_b].solid, sizeof(trv_shape));
    if (trvi_answer_of(contact) != TRVI_CONTACT)
        return;
    trvi_prefetch_bytes(&contact->normal_local,
                        sizeof *contact - offsetof(trvi_contact, normal_local));
    trvi_prefetch_bytes(trvi_point_steps(world, entry->value),
                        TRV_MANIFOLD_POINTS * sizeof(trvi_point_step));
}

// Last, as the body has to be there for it.
static void expect_pace(const trv_world *world, const trvi_entry *entry)
{
    const trvi_contact *contact = &trvi_contacts(world)[entry->value];
    const trvi_body *body = &trvi_bodies(world)[contact->body_b];
    if (body->flags & TRVI_BODY_AWAKE)
        trvi_prefetch_bytes(trvi_mobile_of(world, body), offsetof(trvi_mobile, covered));
}

static void test_entry(trv_world *world, uint32_t active, float dt)
{
    trvi_entry *entry = &((trvi_entry *)world->active.items)[active];
    trvi_contact *contact = &trvi_contacts(world)[entry->value];
    bool fresh = contact->travelled < 0.0;
    if (contact->flags & TRVI_CONTACT_SENSOR) {
        test_sensor(world, contact);
    } else {
        test_contact(world, contact, trvi_point_steps(world, entry->value), dt);
        if (contact->flags & (TRVI_CONTACT_ASKS | TRVI_CONTACT_SURFACE))
            trvi_pre_solve(world, contact);
    }
    entry->extra = marks_of(world, contact) | (fresh ? TRVI_ENTRY_FRESH : 0);
    trvi_sides_of_active(world)[active] = sides_of(world, contact);
}

typedef struct test_job {
    trv_world *world;
    float dt;
} test_job;

static void test_range(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    const test_job *job = context;
    trv_world *world = job->world;
    const trvi_entry *active = world->active.items;
    for (uint32_t i = first; i < last; i++) {
        if (i + 2 * AHEAD < last)
            expect_head(world, &active[i + 2 * AHEAD]);
        if (i + AHEAD < last)
            expect_rest(world, &active[i + AHEAD]);
        if (i + AHEAD / 2 < last)
            expect_pace(world, &active[i + AHEAD / 2]);
        test_entry(world, i, job->dt);
    }
}

// A fresh contact of something asleep is the doing of a call: something was put there, or has
// changed. Only what was made asleep stays so.
static bool is_disturbed(const trvi_entry *entry, const trvi_body *sleeper)
{
    return (entry->extra & TRVI_ENTRY_FRESH) && is_asleep(sleeper) &&
           !(sleeper->settings & TRVI_BODY_BORN_ASLEEP);
}

static bool wakes(const trv_world *world, const trvi_body *by, const trvi_body *sleeper)
{
    return (by->flags & TRVI_BODY_AWAKE) && is_asleep(sleeper) &&
           (by->kind == TRV_BODY_DYNAMIC || trvi_has_speed(world, by));
}

static void activate_untested(trv_world *world, uint32_t index)
{
    trvi_activate(world, index);
    trvi_points_untested(world, index);
    trvi_entry *entry = &((trvi_entry *)world->active.items)[world->active.count - 1];
    entry->extra = marks_of(world, &trvi_contacts(world)[index]) & ~(uint32_t)TRVI_ENTRY_TESTED;
}

static void sort_active(trv_world *world)
{
    const trvi_entry *active = world->active.items;
    trvi_sort_entries(world->active.items, world->active.count);
    for (uint32_t i = 0; i < world->active.count; i++)
        trvi_sides_of_active(world)[i] = sides_of(world, &trvi_contacts(world)[active[i].value]);
}

// Wakes what is about to be touched; the contacts of the woken join the active ones with the
// manifolds that they fell asleep with.
static void wake_touched(trv_world *world, float dt)
{
    uint32_t awake_before = world->awake.count, active_before = world->active.count;
    for (uint32_t i = 0; i < active_before; i++) {
        const trvi_entry *entry = &((trvi_entry *)world->active.items)[i];
        if (!(entry->extra & TRVI_ENTRY_ASLEEP)) // nor has anything fallen asleep since
            continue;
        const trvi_contact *contact = &trvi_contacts(world)[entry->value];
        const trvi_body *a = &trvi_bodies(world)[contact->body_a];
        const trvi_body *b = &trvi_bodies(world)[contact->body_b];
        bool wakes_a = wakes(world, b, a) || is_disturbed(entry, a);
        bool wakes_b = wakes(world, a, b) || is_disturbed(entry, b);
        if (!wakes_a && !wakes_b)
            continue;
        if (contact->manifold.count == 0 && !trvi_may_meet(world, contact, dt))
            continue;
        if (wakes_b)
            trvi_wake(world, contact->body_b);
        if (wakes_a)
            trvi_wake(world, contact->body_a);
    }
    const trvi_entry *awake = world->awake.items;
    for (uint32_t i = awake_before; i < world->awake.count; i++) {
        uint32_t link = trvi_bodies(world)[awake[i].value].first_contact;
        for (; link != TRVI_NONE; link = trvi_contacts(world)[link / 2].next[link % 2])
            if (!(trvi_contacts(world)[link / 2].flags & TRVI_CONTACT_ACTIVE))
                activate_untested(world, link / 2);
    }
    if (world->active.count > active_before)
        sort_active(world);
}

void trvi_test_contacts(trv_world *world, float dt)
{
    trvi_find_reaches(world, dt);
    test_job job = {world, dt};
    trvi_parallel_for(&world->workers, world->active.count, 32, test_range, &job);
    wake_touched(world, dt);
    if (!world->awake_sorted) {
        trvi_sort_entries(world->awake.items, world->awake.count);
        world->awake_sorted = true;
    }
}
