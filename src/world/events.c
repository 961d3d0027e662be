// Events: what a step tells, as arrays in the order of the active contacts and of the bodies.
//
// Calls between steps may end touches; these ends wait behind those of the last step for the next
// one. Every begin that was told has left a mark on its contact, so that its end is told, too, and
// none else. The arrays have room for whatever may come, so that telling never fails: ends for all
// contacts, sleeps for all bodies that may move. Who was put to sleep by a call is told by the next
// step, if that still holds.
#include "solver_data.h"

#include <string.h>

enum { ITEMS_EACH = 256 }; // are worth waking another worker

void trvi_events_init(trv_world *world)
{
    world->begins.stride = sizeof(trv_touch_event);
    world->ends.stride = sizeof(trv_touch_event);
    world->hits.stride = sizeof(trv_hit_event);
    world->blow_places.stride = sizeof(trvi_blow_place);
    world->blow_places.bare = true;
    world->sensor_begins.stride = sizeof(trv_sensor_event);
    world->sensor_ends.stride = sizeof(trv_sensor_event);
    world->moves.stride = sizeof(trv_move_event);
    world->sleeps.stride = sizeof(trv_sleep_event);
    world->wakes.stride = sizeof(trv_sleep_event);
    world->quarantines.stride = sizeof(trv_quarantine_event);
    world->put_to_sleep.stride = sizeof(uint32_t);
    // Room for all that there may be, of which there is little. Saves hold them as they are: the events of
    // moves have bytes that nothing writes, and stay clear.
    trvi_array *const told[] = {&world->begins,        &world->ends,        &world->hits,
                                &world->sensor_begins, &world->sensor_ends, &world->sleeps,
                                &world->wakes};
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        told[i]->bare = true;
}

// Drops what was told and moves up what has come since.
static void drop_told(trvi_array *events, uint32_t *told)
{
    char *items = events->items;
    uint32_t later = events->count - *told;
    if (later > 0 && *told > 0)
        memmove(items, items + (size_t)*told * events->stride, (size_t)later * events->stride);
    events->count = later;
    *told = 0;
}

void trvi_events_start(trv_world *world)
{
    drop_told(&world->ends, &world->ends_told);
    drop_told(&world->sensor_ends, &world->sensor_ends_told);
    world->begins.count = 0;
    world->hits.count = 0;
    world->sensor_begins.count = 0;
    world->moves.count = 0;
    world->sleeps.count = 0;
    world->wakes.count = 0;
    world->quarantines.count = 0;
}

bool trvi_events_reserve_bodies(trv_world *world)
{
    return trvi_array_reserve(&world->allocator, &world->sleeps, world->mobiles.capacity) &&
           trvi_array_reserve(&world->allocator, &world->put_to_sleep,
                              world->bodies.items.capacity);
}

bool trvi_events_reserve_contacts(trv_world *world, uint32_t contacts)
{
    const trv_allocator *allocator = &world->allocator;
    uint32_t seen = world->sensors > 0 ? 2 * contacts : 0; // each may see the other
    return trvi_array_reserve(allocator, &world->begins, contacts) &&
           trvi_array_reserve(allocator, &world->hits, contacts) &&
           trvi_array_reserve(allocator, &world->blow_places, contacts) &&
           trvi_array_reserve(allocator, &world->ends, world->ends.count + contacts) &&
           trvi_array_reserve(allocator, &world->sensor_begins, seen) &&
           trvi_array_reserve(allocator, &world->sensor_ends, world->sensor_ends.count + seen);
}

// Once it is known which bodies are awake.
bool trvi_events_reserve_step(trv_world *world)
{
    return trvi_array_reserve(&world->allocator, &world->moves, world->awake.count) &&
           trvi_array_reserve(&world->allocator, &world->wakes, world->awake.count);
}

static trv_touch_event touch_event(const trv_world *world, const trvi_contact *contact)
{
    const trvi_shape *a = &trvi_shapes(world)[contact->shape_a];
    const trvi_shape *b = &trvi_shapes(world)[contact->shape_b];
    return (trv_touch_event){trvi_shape_id(world, contact->shape_a),
                             trvi_shape_id(world, contact->shape_b),
                             trvi_body_id(world, contact->body_a),
                             trvi_body_id(world, contact->body_b),
                             a->user,
                             b->user,
                             a->part,
                             b->part};
}

// A sees B, or with `back` B sees A.
static trv_sensor_event sensor_event(const trv_world *world, const trvi_contact *contact, bool back)
{
    trv_touch_event t = touch_event(world, contact);
    if (back)
        return (trv_sensor_event){t.shape_b, t.shape_a, t.body_b, t.body_a,
                                  t.user_b,  t.user_a,  t.part_b, t.part_a};
    return (trv_sensor_event){t.shape_a, t.shape_b, t.body_a, t.body_b,
                              t.user_a,  t.user_b,  t.part_a, t.part_b};
}

static void add_sensor_event(trvi_array *events, trv_sensor_event event)
{
    TRVI_ASSERT(events->count < events->capacity);
    trv_sensor_event *items = events->items;
    items[events->count++] = event;
}

static void begin_sensor(trv_world *world, trvi_contact *contact)
{
    const trvi_shape *a = &trvi_shapes(world)[contact->shape_a];
    const trvi_shape *b = &trvi_shapes(world)[contact->shape_b];
    if (trvi_sees(a, b)) {
        add_sensor_event(&world->sensor_begins, sensor_event(world, contact, false));
        contact->flags |= TRVI_CONTACT_TOLD;
    }
    if (trvi_sees(b, a)) {
        add_sensor_event(&world->sensor_begins, sensor_event(world, contact, true));
        contact->flags |= TRVI_CONTACT_TOLD_BACK;
    }
}

static void begin_touch(trv_world *world, trvi_contact *contact)
{
    contact->flags |= TRVI_CONTACT_TOUCHING;
    if (contact->flags & TRVI_CONTACT_SENSOR) {
        begin_sensor(world, contact);
        return;
    }
    if (!(trvi_shapes(world)[contact->shape_a].flags & trvi_shapes(world)[contact->shape_b].flags &
          TRV_SHAPE_TOUCH_EVENTS))
        return;
    trv_touch_event *begins = world->begins.items;
    begins[world->begins.count++] = touch_event(world, contact);
    contact->flags |= TRVI_CONTACT_TOLD;
}

// The arrays of ends have room for every contact: this never allocates.
void trvi_tell_end(trv_world *world, trvi_contact *contact)
{
    uint32_t told = contact->flags & (TRVI_CONTACT_TOLD | TRVI_CONTACT_TOLD_BACK);
    contact->flags &=
        ~(uint32_t)(TRVI_CONTACT_TOUCHING | TRVI_CONTACT_TOLD | TRVI_CONTACT_TOLD_BACK);
    if (!(contact->flags & TRVI_CONTACT_SENSOR)) {
        if (!(told & TRVI_CONTACT_TOLD))
            return;
        TRVI_ASSERT(world->ends.count < world->ends.capacity);
        trv_touch_event *ends = world->ends.items;
        ends[world->ends.count++] = touch_event(world, contact);
        return;
    }
    if (told & TRVI_CONTACT_TOLD)
        add_sensor_event(&world->sensor_ends, sensor_event(world, contact, false));
    if (told & TRVI_CONTACT_TOLD_BACK)
        add_sensor_event(&world->sensor_ends, sensor_event(world, contact, true));
}

// Touching: something was pushed in this step, or the surfaces are so near that it makes no odds.
// Letting go takes a little more distance than taking hold, so that resting bodies do not flicker.
static bool is_touching(const trvi_contact *contact, const trvi_point_step *points, bool solved)
{
    if (contact->flags & TRVI_CONTACT_SENSOR)
        return trvi_answer_of(contact) == TRVI_CONTACT;
    float limit = contact->flags & TRVI_CONTACT_TOUCHING ? TRVI_RELEASE_M : TRVI_TOUCH_M;
    for (uint32_t i = 0; i < contact->manifold.count; i++)
        if ((solved && points[i].largest > 0.0f) || contact->manifold.points[i].separation <= limit)
            return true;
    return false;
}

static bool is_asleep(const trv_world *world, uint32_t body)
{
    const trvi_body *b = &trvi_bodies(world)[body];
    return trvi_body_moves(b) && !(b->flags & TRVI_BODY_AWAKE);
}

// What was seen of one share.
typedef struct tally {
    uint32_t touching, tested, apart, remembered;
} tally;

typedef struct judging {
    trv_world *world;
    bool solved;     // impulses are those of this step
    float threshold; // who closes in faster as the step begins may meet fast enough to be told, m/s
    uint32_t shares;
    uint32_t telling[TRVI_SHARES_MAX]; // how many have something to tell
    tally seen[TRVI_SHARES_MAX];
} judging;

// May there be a blow to tell? What is slower may meet faster, by its weight.
static bool is_struck(const trvi_contact *contact, const trvi_point_step *points, float threshold)
{
    bool struck = false;
    for (uint32_t i = 0; i < contact->manifold.count; i++)
        struck |= points[i].largest > 0.0f && -points[i].approach > threshold;
    return struck;
}

static uint32_t judge(const judging *job, uint32_t index)
{
    const trv_world *world = job->world;
    const trvi_contact *contact = &trvi_contacts(world)[index];
    const trvi_point_step *points = trvi_point_steps(world, index);
    bool was = (contact->flags & TRVI_CONTACT_TOUCHING) != 0;
    if (!was && contact->manifold.count == 0 && !(contact->flags & TRVI_CONTACT_SENSOR))
        return 0;
    bool asleep = is_asleep(world, contact->body_a) || is_asleep(world, contact->body_b);
    bool pushed = job->solved && !asleep && !(contact->flags & TRVI_CONTACT_BY_HAND);
    // What rests asleep stays as it was told, though nothing is pushed.
    bool touching =
        is_touching(contact, points, pushed) || (asleep && was && contact->manifold.count > 0);
    if (!touching)
        return was ? TRVI_ENTRY_ENDS : 0;
    uint32_t word = was ? TRVI_ENTRY_TOUCHES : TRVI_ENTRY_TOUCHES | TRVI_ENTRY_BEGINS;
    return pushed && is_struck(contact, points, job->threshold) ? word | TRVI_ENTRY_BLOWS : word;
}

// The same of one that was solved: its marks tell all of it.
static uint32_t judge_solved(uint32_t marks)
{
    bool was = (marks & TRVI_ENTRY_TOUCHED) != 0;
    if (!(marks & (TRVI_ENTRY_CLOSE | TRVI_ENTRY_PUSHED)))
        return was ? TRVI_ENTRY_ENDS : 0;
    uint32_t word = was ? TRVI_ENTRY_TOUCHES : TRVI_ENTRY_TOUCHES | TRVI_ENTRY_BEGINS;
    return marks & TRVI_ENTRY_STRUCK ? word | TRVI_ENTRY_BLOWS : word;
}

static uint32_t judge_entry(const judging *job, const trvi_entry *entry)
{
    trvi_contact *contact = &trvi_contacts(job->world)[entry->value];
    bool known = trvi_is_solved(job->world, entry);
    uint32_t word = known ? judge_solved(entry->extra) : judge(job, entry->value);
    bool blows = !known || (entry->extra & TRVI_ENTRY_BLOWING);
    if (blows && contact->blow != 0.0f)
        return word | TRVI_ENTRY_BLOWS; // it goes on, or is over, where they have parted
    if (blows && !(word & TRVI_ENTRY_BLOWS) && contact->given != 0.0f)
        contact->given = 0.0f;
    return word;
}

static void count_entry(tally *seen, uint32_t word)
{
    seen->touching += (word & TRVI_ENTRY_TOUCHES) != 0;
    bool tested = (word & TRVI_ENTRY_TESTED) != 0;
    seen->tested += tested;
    seen->apart += tested && (word & TRVI_ENTRY_APART);
    seen->remembered += tested && (word & TRVI_ENTRY_REMEMBERED);
}

enum { TELLS = TRVI_ENTRY_BEGINS | TRVI_ENTRY_ENDS | TRVI_ENTRY_BLOWS };

// Places among the active ones, of those that have something to tell. Contacts are moved only between steps.
static uint32_t *telling_of(const trv_world *world)
{
    return world->places.items;
}

// Nothing but the contacts themselves is written, and what is kept of each share.
static void judge_shares(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    judging *job = context;
    trvi_entry *active = job->world->active.items;
    for (uint32_t share = first; share < last; share++) {
        const trvi_share s = trvi_share_of(job->world->active.count, job->shares, share);
        uint32_t *telling = telling_of(job->world) + s.first, count = 0;
        tally seen = {0};
        for (uint32_t i = s.first; i < s.last; i++) {
            active[i].extra &= ~(uint32_t)(TRVI_ENTRY_TOUCHES | TELLS);
            if (active[i].extra & TRVI_ENTRY_NEAR)
                active[i].extra |= judge_entry(job, &active[i]);
            count_entry(&seen, active[i].extra);
            if (active[i].extra & TELLS)
                telling[count++] = i;
        }
        job->telling[share] = count;
        job->seen[share] = seen;
    }
}

static void sum_up(const judging *job, trv_world_counters *counters)
{
    counters->pairs = job->world->active.count;
    counters->touching = counters->convex_tests = counters->apart = counters->apart_remembered = 0;
    for (uint32_t share = 0; share < job->shares; share++) {
        counters->touching += job->seen[share].touching;
        counters->convex_tests += job->seen[share].tested;
        counters->apart += job->seen[share].apart;
        counters->apart_remembered += job->seen[share].remembered;
    }
}

// The contacts are looked at by all workers; of those that have something to tell, it is told in
// order.
void trvi_tell_contacts(trv_world *world, float dt)
{
    judging job;
    job.world = world;
    job.solved = dt > 0.0f;
    job.threshold = world->hit_threshold - trvi_length(world->gravity) * dt;
    job.shares = trvi_share_count(&world->workers, world->active.count, ITEMS_EACH);
    trvi_parallel_for(&world->workers, job.shares, 1, judge_shares, &job);
    sum_up(&job, &world->counters);
    uint32_t count = trvi_join_shares(telling_of(world), sizeof(uint32_t), world->active.count,
                                      job.shares, job.telling);
    const trvi_entry *active = world->active.items;
    for (uint32_t i = 0; i < count; i++) {
        const trvi_entry *entry = &active[telling_of(world)[i]];
        trvi_contact *contact = &trvi_contacts(world)[entry->value];
        if (entry->extra & TRVI_ENTRY_BEGINS)
            begin_touch(world, contact);
        if (entry->extra & TRVI_ENTRY_ENDS)
            trvi_tell_end(world, contact);
        if (entry->extra & TRVI_ENTRY_BLOWS)
            trvi_tell_contact_hit(world, telling_of(world)[i]);
    }
}

// Body i of the last step, and whether it was moved; from 1 to the count of solver bodies.
static uint32_t stepped_body(const trv_world *world, uint32_t i)
{
    return ((const trvi_solver_body *)world->solver_bodies.items)[i].body;
}

static bool has_moved(const trv_world *world, uint32_t i)
{
    const trvi_motion *motion = &((const trvi_motion *)world->motions.items)[i];
    const trv_vec3 *m = &motion->moved;
    return m->x != 0.0f || m->y != 0.0f || m->z != 0.0f || trvi_quat_turns(motion->turned);
}

typedef struct moving {
    trv_world *world;
    uint32_t bodies, shares;
    uint32_t moved[TRVI_SHARES_MAX];
} moving;

// Solver bodies are counted from 1: the one before stands for all that does not move.
static void list_moves(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    moving *job = context;
    const trv_world *world = job->world;
    for (uint32_t share = first; share < last; share++) {
        const trvi_share s = trvi_share_of(job->bodies, job->shares, share);
        trv_move_event *moves = (trv_move_event *)world->moves.items + s.first;
        uint32_t count = 0;
        for (uint32_t i = s.first + 1; i <= s.last; i++) {
            uint32_t index = stepped_body(world, i);
            const trvi_body *body = &trvi_bodies(world)[index];
            bool fell_asleep = !(body->flags & TRVI_BODY_AWAKE);
            if (fell_asleep || has_moved(world, i))
                moves[count++] = (trv_move_event){trvi_body_id(world, index), body->user,
                                                  body->frame, fell_asleep};
        }
        job->moved[share] = count;
    }
}

// Of the bodies that the step has moved; some of them have fallen asleep since.
void trvi_tell_moves(trv_world *world)
{
    moving job;
    job.world = world;
    job.bodies = world->solver_bodies.count - 1;
    job.shares = trvi_share_count(&world->workers, job.bodies, ITEMS_EACH);
    trvi_parallel_for(&world->workers, job.shares, 1, list_moves, &job);
    world->moves.count = trvi_join_shares(world->moves.items, sizeof(trv_move_event), job.bodies,
                                          job.shares, job.moved);
}

// Each body is told once in a step, whatever comes first.
static void tell_sleep(trv_world *world, uint32_t index)
{
    trvi_body *body = &trvi_bodies(world)[index];
    if (!(body->settings & TRVI_BODY_TOLD_AWAKE))
        return;
    body->settings &= (uint16_t)~TRVI_BODY_TOLD_AWAKE;
    TRVI_ASSERT(world->sleeps.count < world->sleeps.capacity);
    trv_sleep_event *sleeps = world->sleeps.items;
    sleeps[world->sleeps.count++] = (trv_sleep_event){trvi_body_id(world, index), body->user};
}

void trvi_tell_sleep(trv_world *world, uint32_t index)
{
    trvi_body *body = &trvi_bodies(world)[index];
    if (world->stepping) {
        tell_sleep(world, index);
        return;
    }
    if (body->settings & TRVI_BODY_PUT_TO_SLEEP)
        return;
    body->settings |= TRVI_BODY_PUT_TO_SLEEP;
    TRVI_ASSERT(world->put_to_sleep.count < world->put_to_sleep.capacity);
    ((uint32_t *)world->put_to_sleep.items)[world->put_to_sleep.count++] = index;
}

static void tell_put_to_sleep(trv_world *world)
{
    const uint32_t *list = world->put_to_sleep.items;
    for (uint32_t i = 0; i < world->put_to_sleep.count; i++) {
        trvi_body *body = &trvi_bodies(world)[list[i]];
        body->settings &= (uint16_t)~TRVI_BODY_PUT_TO_SLEEP;
        if ((body->flags & TRVI_BODY_LIVE) && is_asleep(world, list[i]) && !trvi_is_disabled(body))
            tell_sleep(world, list[i]);
    }
    world->put_to_sleep.count = 0;
}

void trvi_events_finish(trv_world *world)
{
    tell_put_to_sleep(world);
    world->ends_told = world->ends.count;
    world->sensor_ends_told = world->sensor_ends.count;
}

// In the order of the awake list, once it is sorted.
void trvi_tell_wakes(trv_world *world)
{
    const trvi_entry *awake = world->awake.items;
    trv_sleep_event *wakes = world->wakes.items;
    for (uint32_t i = 0; i < world->awake.count; i++) {
        trvi_body *body = &trvi_bodies(world)[awake[i].value];
        if (body->settings & TRVI_BODY_TOLD_AWAKE)
            continue;
        body->settings |= TRVI_BODY_TOLD_AWAKE;
        wakes[world->wakes.count++] =
            (trv_sleep_event){trvi_body_id(world, awake[i].value), body->user};
    }
}

trv_events trv_world_events(const trv_world *world)
{
    if (world == NULL)
        return (trv_events){0};
    return (trv_events){.begins = world->begins.items,
                        .ends = world->ends.items,
                        .hits = world->hits.items,
                        .sensor_begins = world->sensor_begins.items,
                        .sensor_ends = world->sensor_ends.items,
                        .moves = world->moves.items,
                        .sleeps = world->sleeps.items,
                        .wakes = world->wakes.items,
                        .quarantines = world->quarantines.items,
                        .begin_count = world->begins.count,
                        .end_count = world->ends_told,
                        .hit_count = world->hits.count,
                        .sensor_begin_count = world->sensor_begins.count,
                        .sensor_end_count = world->sensor_ends_told,
                        .move_count = world->moves.count,
                        .sleep_count = world->sleeps.count,
                        .wake_count = world->wakes.count,
                        .quarantine_count = world->quarantines.count};
}

void trvi_copy_contact(const trv_world *world, const trvi_contact *contact, trv_contact *to)
{
    to->shape_a = trvi_shape_id(world, contact->shape_a);
    to->shape_b = trvi_shape_id(world, contact->shape_b);
    to->body_a = trvi_body_id(world, contact->body_a);
    to->body_b = trvi_body_id(world, contact->body_b);
    to->manifold = contact->manifold;
    to->manifold.part_a = trvi_shapes(world)[contact->shape_a].part;
    to->manifold.part_b = trvi_shapes(world)[contact->shape_b].part;
    to->impulse = 0.0f;
    for (uint32_t p = 0; p < contact->manifold.count; p++)
        to->impulse += contact->impulses[p].normal;
}

static bool is_told_as_contact(const trvi_contact *contact)
{
    return (contact->flags & TRVI_CONTACT_LIVE) && (contact->flags & TRVI_CONTACT_TOUCHING) &&
           !(contact->flags & TRVI_CONTACT_SENSOR);
}

trv_result trv_world_contacts(const trv_world *world, trv_contact *out, uint32_t capacity,
                              uint32_t *count)
{
    if (count == NULL)
        return TRV_ERROR_NULL;
    *count = 0;
    if (world == NULL || (out == NULL && capacity > 0))
        return TRV_ERROR_NULL;
    uint32_t found = 0;
    const trvi_contact *contacts = trvi_contacts(world);
    for (uint32_t i = 0; i < world->contacts.count; i++) {
        if (!is_told_as_contact(&contacts[i]))
            continue;
        if (found < capacity)
            trvi_copy_contact(world, &contacts[i], &out[found]);
        found++;
    }
    *count = found;
    return TRV_OK;
}

// The told contacts of a body, or of one shape of it.
static uint32_t list_contacts(const trv_world *world, const trvi_body *body, uint32_t lead,
                              trv_contact *out, uint32_t capacity)
{
    uint32_t found = 0;
    for (uint32_t link = body->first_contact; link != TRVI_NONE;) {
        const trvi_contact *contact = &trvi_contacts(world)[link / 2];
        uint32_t own = link % 2 ? contact->shape_b : contact->shape_a;
        link = contact->next[link % 2];
        if (!is_told_as_contact(contact) ||
            (lead != TRVI_NONE && trvi_shapes(world)[own].lead != lead))
            continue;
        if (found < capacity)
            trvi_copy_contact(world, contact, &out[found]);
        found++;
    }
    return found;
}

trv_result trv_body_contacts(const trv_world *world, trv_body_id id, trv_contact *out,
                             uint32_t capacity, uint32_t *count)
{
    const trvi_body *body;
    trv_result result = trvi_ask_body_list(world, id, out, capacity, count, &body);
    if (result == TRV_OK)
        *count = list_contacts(world, body, TRVI_NONE, out, capacity);
    return result;
}

trv_result trv_shape_contacts(const trv_world *world, trv_shape_id id, trv_contact *out,
                              uint32_t capacity, uint32_t *count)
{
    const trvi_shape *shape;
    trv_result result = trvi_ask_shape_list(world, id, out, capacity, count, &shape);
    if (result == TRV_OK)
        *count = list_contacts(world, &trvi_bodies(world)[shape->body], shape->lead, out, capacity);
    return result;
}
