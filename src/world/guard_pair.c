// Asking two bodies whether one would pass the other on their ways through a sub-step.
//
// Invariant: "no" is said only where a search has proven a way free, from where both were to where
// they are going to be, or where neither came far enough.
//
// Based on: see guard.c.
#include "guard_data.h"

#include <string.h>

static const trv_shape *solid_of(const trvi_step *step, uint32_t shape)
{
    return &trvi_shapes(step->world)[shape].solid;
}

// The radii of balls inside of the two.
typedef struct insides {
    float a, b;
} insides;

static insides insides_of(const trvi_step *step, const trvi_pairing *pair)
{
    return (insides){trvi_body_of_shape(step->world, pair->shape_a)->thickness,
                     trvi_body_of_shape(step->world, pair->shape_b)->thickness};
}

static float inside_of(const trvi_step *step, const trvi_pairing *pair)
{
    insides r = insides_of(step, pair);
    return r.a + trvi_smaller(r.b, 1.0e3f * r.a); // half-spaces have no end
}

// How deep they may get, with so much inside of both and of the thinner one.
static float depth_for(float inside, float thinner)
{
    return TRVI_GUARD_DEPTH * trvi_smaller(inside, TRVI_GUARD_THICK * thinner);
}

static float depth_of(const trvi_step *step, const trvi_pairing *pair)
{
    insides r = insides_of(step, pair);
    return depth_for(r.a + r.b, trvi_smaller(r.a, r.b));
}

// The motion of the body that a shape is part of, between two times that no bend lies between.
static trv_motion motion_of(const trvi_step *step, uint32_t shape, uint32_t solver, float from,
                            float to)
{
    return trvi_guard_motion(step, trvi_body_of_shape(step->world, shape), solver, from, to);
}

static void sweep(const trvi_step *step, const trvi_pairing *pair, float from, float to,
                  float margin, trv_impact_hit *hit)
{
    trv_motion a = motion_of(step, pair->shape_a, pair->a, from, to);
    trv_motion b = motion_of(step, pair->shape_b, pair->b, from, to);
    trvi_sweep(solid_of(step, pair->shape_a), &a, solid_of(step, pair->shape_b), &b, margin, hit);
}

// By how much they overlap when the sub-step begins, m; less than zero where they are apart.
static float depth_at_start(const trvi_step *step, const trvi_pairing *pair)
{
    trv_gap gap;
    trv_pose a = motion_of(step, pair->shape_a, pair->a, 0.0f, 0.0f).pose;
    trv_pose b = motion_of(step, pair->shape_b, pair->b, 0.0f, 0.0f).pose;
    if (trv_distance(solid_of(step, pair->shape_a), a, solid_of(step, pair->shape_b), b, &gap) !=
        TRV_OK)
        return TRV_COORD_MAX;
    return -gap.distance;
}

// The first time at which they would be too deep; `depth` is what counts as that.
static bool gets_deep(const trvi_step *step, const trvi_pairing *pair, float *depth,
                      trv_impact_hit *hit, float *time)
{
    float bends[TRVI_GUARD_BENDS];
    uint32_t count = trvi_guard_bends(step, pair, bends);
    for (uint32_t i = 0; i < count; i++) {
        sweep(step, pair, bends[i], bends[i + 1], -*depth, hit);
        if (i == 0 && hit->hit && hit->start) {
            float inside = inside_of(step, pair), begun = depth_at_start(step, pair);
            if (!(begun < TRVI_GUARD_LOST * inside))
                return false; // nobody knows any more on which side they were
            *depth = trvi_larger(begun, *depth) + TRVI_GUARD_MORE * inside;
            sweep(step, pair, bends[i], bends[i + 1], -*depth, hit);
        }
        if (!hit->hit)
            continue;
        *time = bends[i] + hit->fraction * (bends[i + 1] - bends[i]);
        return true;
    }
    return false;
}

// Where they only touched, if they were apart before.
static void go_back_to_touch(const trvi_step *step, const trvi_pairing *pair, trvi_passage *out)
{
    float bends[TRVI_GUARD_BENDS];
    uint32_t count = trvi_guard_bends(step, pair, bends);
    for (uint32_t i = 0; i < count && bends[i] < out->time; i++) {
        trv_impact_hit hit;
        sweep(step, pair, bends[i], bends[i + 1], TRVI_SWEEP_MARGIN_M, &hit);
        if (hit.hit && hit.start)
            return;
        if (!hit.hit)
            continue;
        out->time = trvi_smaller(out->time, bends[i] + hit.fraction * (bends[i + 1] - bends[i]));
        out->normal = hit.normal;
        out->point = hit.point;
        return;
    }
}

static bool is_let_through(const trvi_step *step, const trvi_passage *at)
{
    if (at->pair.contact == TRVI_NONE)
        return ((trvi_shapes(step->world)[at->pair.shape_a].flags |
                 trvi_shapes(step->world)[at->pair.shape_b].flags) &
                TRV_SHAPE_PRE_SOLVE) != 0;
    trvi_contact *contact = &trvi_contacts(step->world)[at->pair.contact];
    trv_manifold manifold;
    memset(&manifold, 0, sizeof manifold);
    manifold.count = 1;
    manifold.normal = at->normal;
    manifold.points[0].point = at->point;
    return !trvi_pre_solve_blow(step->world, contact, &manifold);
}

// How far the two came to one another at most.
static float way_between(const trvi_step *step, uint32_t a, uint32_t b)
{
    const uint32_t solvers[2] = {a, b};
    trv_vec3 relative = {0.0f, 0.0f, 0.0f};
    float more = 0.0f;
    for (int side = 0; side < 2; side++) {
        if (solvers[side] == TRVI_UNMOVED)
            continue;
        const trvi_guard *g = &trvi_guards(step)[solvers[side]];
        relative = trvi_sub(g->net, relative);
        more += g->swing;
    }
    return trvi_length(relative) + more;
}

// The motion budget of the contact's last test: too far apart for the ways since.
static bool is_out_of_reach(const trvi_step *step, const trvi_pairing *pair)
{
    if (pair->contact == TRVI_NONE)
        return false;
    const trvi_contact *contact = &trvi_contacts(step->world)[pair->contact];
    const uint32_t solvers[2] = {pair->a, pair->b};
    if (!(contact->plane.gap > 0.0f) || !(contact->travelled >= 0.0))
        return false;
    double way = trvi_bodies(step->world)[contact->body_a].travelled +
                 trvi_bodies(step->world)[contact->body_b].travelled - contact->travelled;
    for (int side = 0; side < 2; side++)
        if (solvers[side] != TRVI_UNMOVED)
            way += (double)trvi_guards(step)[solvers[side]].reach;
    return 1.001 * way < (double)contact->plane.gap;
}

// It may have come to touch, and to stand there, before it is carried on.
static bool is_on_board(const trvi_guard *g, float time)
{
    return g->carry_from < g->carry_to && time < g->carry_to;
}

// Each time that it does counts, so that this ends.
static bool can_board(const trvi_guard *g)
{
    bool dropped = g->carries > 0 && g->carry_to < 1.0f;
    return !g->yields && !dropped && g->carries < TRVI_GUARD_CARRIES &&
           g->boards <= TRVI_GUARD_STOPS;
}

// Is it as a part of what is moved by hand, from that time on? It gets no deeper into it then, nor into
// others of which that is so.
static bool is_part_of(const trvi_guard *g, uint32_t carrier, float time)
{
    return g->carries == 1 && g->carrier == carrier && g->carry_from <= time &&
           !(g->carry_to < 1.0f);
}

trvi_verdict trvi_guard_judge(const trvi_step *step, uint32_t solver, uint32_t other, float time)
{
    const trvi_guard *g = &trvi_guards(step)[solver];
    if (!trvi_guard_pushes(step, solver))
        return TRVI_GUARD_LEAVE;
    bool free = other != TRVI_UNMOVED && trvi_guard_pushes(step, other);
    if (other != TRVI_UNMOVED && !free)
        return is_part_of(g, other, time) ? TRVI_GUARD_LEAVE
               : can_board(g)             ? TRVI_GUARD_CARRY
                                          : TRVI_GUARD_YIELD;
    const trvi_guard *of_other = &trvi_guards(step)[other];
    if (free && is_part_of(of_other, of_other->carrier, time) &&
        is_part_of(g, of_other->carrier, time))
        return TRVI_GUARD_LEAVE;
    if (free && is_on_board(of_other, time) && can_board(g))
        return TRVI_GUARD_CARRY;
    if (time < g->stop)
        return TRVI_GUARD_STOP;
    if (!is_on_board(g, time) || (free && can_board(of_other)))
        return TRVI_GUARD_LEAVE;
    return TRVI_GUARD_DROP;
}

// Two bodies straight on from where the sub-step began to where it ends.
typedef struct beeline {
    trv_motion a, b;
    bool bent; // one of them came there by another way
} beeline;

static bool is_bent(const trvi_step *step, uint32_t solver)
{
    if (solver == TRVI_UNMOVED)
        return false;
    const trvi_guard *g = &trvi_guards(step)[solver];
    return g->changed || g->knots != NULL;
}

static beeline beeline_of(const trvi_step *step, const trvi_pairing *pair)
{
    const trvi_body *body_a = trvi_body_of_shape(step->world, pair->shape_a);
    const trvi_body *body_b = trvi_body_of_shape(step->world, pair->shape_b);
    return (beeline){trvi_guard_straight(step, body_a, pair->a),
                     trvi_guard_straight(step, body_b, pair->b),
                     is_bent(step, pair->a) || is_bent(step, pair->b)};
}

// What the plane that the contact remembers leaves of their gap along it is enough.
static bool is_plainly_shallow(const trvi_step *step, const trvi_pairing *pair, const beeline *way,
                               float depth)
{
    const uint32_t solvers[2] = {pair->a, pair->b};
    trv_vec3 normal;
    float gap;
    if (pair->contact == TRVI_NONE ||
        !trvi_glance(solid_of(step, pair->shape_a), &way->a.pose, solid_of(step, pair->shape_b),
                     &way->b.pose, &trvi_contacts(step->world)[pair->contact].plane, &normal, &gap))
        return false;
    float nearer = trvi_dot(trvi_sub(way->a.travel, way->b.travel), normal);
    for (int side = 0; side < 2; side++)
        if (solvers[side] != TRVI_UNMOVED)
            nearer += trvi_guards(step)[solvers[side]].swing;
    return nearer < 0.999f * (gap + depth);
}

// Does the way from the beginning straight to the end lead through the other? Bent ways may have done so
// where that does not: round the end of the other, but through somebody else.
static bool crosses_straight(const trvi_step *step, const trvi_pairing *pair, const beeline *way,
                             float depth)
{
    if (is_plainly_shallow(step, pair, way, depth))
        return false;
    if (!way->bent)
        return true;
    trv_impact_hit hit;
    trvi_sweep(solid_of(step, pair->shape_a), &way->a, solid_of(step, pair->shape_b), &way->b,
               -depth, &hit);
    return hit.hit;
}

// What is asked of the pairs of a body.
typedef enum search_kind {
    SEARCH_FIRST,   // which is passed first
    SEARCH_ANY,     // whether any is, by the ways alone
    SEARCH_STRAIGHT // whether any would be, straight from the beginning to the end
} search_kind;

typedef struct passage_search {
    const trvi_step *step;
    uint32_t solver, shape; // the body's
    search_kind kind;
    bool found;
    trvi_passage first;
    uint64_t key; // of two at the same time the smaller one comes first
} passage_search;

static void ask_all(passage_search *search);

// Does one come to its end by a way that is no more than it would be straight? Nobody is on the wrong side then,
// however it got there. Where it would lead through somebody, it has passed by others that it would not come to.
static bool goes_freely(const trvi_step *step, uint32_t solver)
{
    if (!is_bent(step, solver))
        return true;
    passage_search search = {.step = step, .solver = solver, .kind = SEARCH_STRAIGHT};
    ask_all(&search);
    return !search.found;
}

// As the ways have it.
static bool gets_through(const trvi_step *step, const trvi_pairing *pair, trvi_passage *out)
{
    bool push_a = trvi_guard_pushes(step, pair->a), push_b = trvi_guard_pushes(step, pair->b);
    if (!push_a && !push_b)
        return false;
    if (!(push_a && push_b) && (trvi_guards(step)[push_a ? pair->a : pair->b].yields) &&
        (push_a ? pair->b : pair->a) != TRVI_UNMOVED)
        return false;
    float depth = depth_of(step, pair);
    if (way_between(step, pair->a, pair->b) <= 0.5f * depth || is_out_of_reach(step, pair))
        return false;
    const beeline way = beeline_of(step, pair);
    if (!crosses_straight(step, pair, &way, depth) &&
        (!way.bent || (goes_freely(step, pair->a) && goes_freely(step, pair->b))))
        return false;
    trv_impact_hit hit;
    out->pair = *pair;
    if (!gets_deep(step, pair, &depth, &hit, &out->time))
        return false;
    out->normal = hit.normal;
    out->point = hit.point;
    return true;
}

static bool passes(const trvi_step *step, const trvi_pairing *pair, trvi_passage *out)
{
    if (!gets_through(step, pair, out))
        return false;
    go_back_to_touch(step, pair, out);
    return (trvi_guard_judge(step, pair->a, pair->b, out->time) != TRVI_GUARD_LEAVE ||
            trvi_guard_judge(step, pair->b, pair->a, out->time) != TRVI_GUARD_LEAVE) &&
           !is_let_through(step, out);
}

// Two that are as they were are asked once, for the sake of the first of them.
static bool is_asked(const passage_search *search, uint32_t other)
{
    const trvi_step *step = search->step;
    bool far = trvi_guard_is_far(step, other);
    if (search->kind == SEARCH_STRAIGHT)
        return true;
    if (!far && !trvi_guard_is_far(step, search->solver))
        return false;
    return !far || other > search->solver || trvi_guards(step)[other].changed ||
           trvi_guards(step)[search->solver].changed;
}

// Neither came far enough to reach the other, by what is at hand of a contact.
static bool is_far_off(const passage_search *search, const trvi_neighbor *n)
{
    const trvi_guard *guards = trvi_guards(search->step);
    float reach = guards[search->solver].reach;
    if (n->other != TRVI_UNMOVED)
        reach += guards[n->other].reach;
    return 1.001f * reach < n->budget || way_between(search->step, search->solver, n->other) <=
                                             0.5f * depth_for(n->inside, n->thinner);
}

static bool leads_through(const trvi_step *step, const trvi_pairing *pair)
{
    const beeline way = beeline_of(step, pair);
    return !is_out_of_reach(step, pair) && crosses_straight(step, pair, &way, depth_of(step, pair));
}

static void ask(passage_search *search, const trvi_pairing *pair)
{
    trvi_passage at;
    const trvi_step *step = search->step;
    if (search->kind != SEARCH_FIRST) {
        search->found = search->found || (search->kind == SEARCH_ANY ? gets_through(step, pair, &at)
                                                                     : leads_through(step, pair));
        return;
    }
    if (!passes(step, pair, &at))
        return;
    uint32_t pa = trvi_shapes(step->world)[pair->shape_a].proxy.index1;
    uint32_t pb = trvi_shapes(step->world)[pair->shape_b].proxy.index1;
    uint64_t key = pa < pb ? (uint64_t)pa << 32 | pb : (uint64_t)pb << 32 | pa;
    if (search->found &&
        (search->first.time < at.time || (search->first.time == at.time && search->key <= key)))
        return;
    search->found = true;
    search->first = at;
    search->key = key;
}

// Has it been asked already, as a neighbour?
static bool is_neighbor(const passage_search *search, uint32_t other, uint32_t shape)
{
    const trv_world *world = search->step->world;
    const trvi_entry *active = world->active.items;
    uint32_t count;
    const trvi_neighbor *near = trvi_neighbors_of(world, search->solver, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (near[i].other != other)
            continue;
        const trvi_contact *contact = &trvi_contacts(world)[active[near[i].active].value];
        if ((contact->shape_a == search->shape && contact->shape_b == shape) ||
            (contact->shape_b == search->shape && contact->shape_a == shape))
            return true;
    }
    return false;
}

// Where neither has left the boxes that contacts were found by, the two are neighbours if they are to be asked
// at all.
static bool may_be_new(const trvi_step *step, uint32_t solver, uint32_t other)
{
    return trvi_certified_of(step, solver)->astray || trvi_certified_of(step, other)->astray;
}

// Two of which neither can be pushed are no neighbours, and are asked in vain: nothing holds them.
static bool visit_near_far(void *context, trv_proxy_id proxy, uint64_t user)
{
    (void)proxy;
    passage_search *search = context;
    const trv_world *world = search->step->world;
    uint32_t other = (uint32_t)user, body = trvi_shapes(world)[search->shape].body;
    uint32_t flags = trvi_shapes(world)[search->shape].flags | trvi_shapes(world)[other].flags;
    uint32_t met = trvi_awake_solver(trvi_body_of_shape(world, other));
    if ((flags & TRV_SHAPE_SENSOR) || trvi_shapes(world)[other].body == body ||
        !may_be_new(search->step, search->solver, met) || !is_asked(search, met) ||
        is_neighbor(search, met, other))
        return true;
    trvi_pairing pair = trvi_pairing_of_shapes(search->step, search->shape, other);
    ask(search, &pair);
    return true;
}

// All that the broadphase has about its way.
static void ask_broadphase(passage_search *search)
{
    const trvi_step *step = search->step;
    const trv_world *world = step->world;
    const trvi_body *body = trvi_guard_body(step, search->solver);
    trv_motion way = trvi_guard_straight(step, body, search->solver);
    trv_pose end = {trvi_add(way.pose.position, way.travel), way.pose.rotation};
    float swing = trvi_smaller(trvi_length(way.turn), 2.0f) * body->extent;
    for (uint32_t s = body->first_shape; s != TRVI_NONE; s = trvi_shapes(world)[s].next) {
        const trvi_shape *shape = &trvi_shapes(world)[s];
        search->shape = s;
        trv_broad_query_aabb(world->broad, trvi_shape_way(shape, way.pose, end, swing),
                             trvi_shape_filter(world, body, shape), visit_near_far, search);
    }
}

static void ask_all(passage_search *search)
{
    const trv_world *world = search->step->world;
    const trvi_entry *active = world->active.items;
    uint32_t count;
    const trvi_neighbor *near = trvi_neighbors_of(world, search->solver, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (!is_asked(search, near[i].other) || is_far_off(search, &near[i]))
            continue;
        trvi_pairing pair = trvi_pairing_of(world, active[near[i].active].value);
        ask(search, &pair);
    }
    if (world->guard_strays)
        ask_broadphase(search);
}

bool trvi_guard_find(const trvi_step *step, uint32_t solver, trvi_passage *out)
{
    passage_search search = {.step = step, .solver = solver};
    ask_all(&search);
    *out = search.first;
    return search.found;
}

bool trvi_guard_is_quiet(const trvi_step *step, uint32_t solver)
{
    passage_search search = {.step = step, .solver = solver, .kind = SEARCH_ANY};
    ask_all(&search);
    return !search.found;
}
