// Contacts: one for each pair of near shapes of which one can be pushed, is a sensor, or is moved
// by hand; found by the broadphase, tested by the narrowphase, told in events.
//
// A contact lives in the place that the broadphase gave its pair, see slots.c. The active
// list holds the contacts with an awake side, in the order of their proxies; it is the only order
// that the rest of the step knows. A pair without a contact where there should be one (memory ran
// out when it began) gets it whenever the pair is reported again.
#include "world_data.h"

#include <string.h>

static bool is_pushed(const trv_world *world, const trvi_shape *a, const trvi_shape *b)
{
    const trvi_body *bodies = trvi_bodies(world);
    return bodies[a->body].kind == TRV_BODY_DYNAMIC || bodies[b->body].kind == TRV_BODY_DYNAMIC;
}

static bool wants_contact(const trv_world *world, const trv_pair *pair)
{
    const trvi_shape *a = &trvi_shapes(world)[pair->user_a];
    const trvi_shape *b = &trvi_shapes(world)[pair->user_b];
    if (a->body == b->body) // of few shapes
        return false;
    if ((a->flags | b->flags) & TRV_SHAPE_SENSOR)
        return trvi_sees(a, b) || trvi_sees(b, a);
    return is_pushed(world, a, b) || ((a->flags | b->flags) & TRV_SHAPE_BY_HAND);
}

static void link_side(trv_world *world, uint32_t index, int side, uint32_t body)
{
    trvi_contact *contacts = trvi_contacts(world);
    uint32_t head = trvi_bodies(world)[body].first_contact;
    contacts[index].next[side] = head;
    contacts[index].previous[side] = TRVI_NONE;
    if (head != TRVI_NONE)
        contacts[head / 2].previous[head % 2] = index * 2 + (uint32_t)side;
    trvi_bodies(world)[body].first_contact = index * 2 + (uint32_t)side;
}

static void unlink_side(trv_world *world, uint32_t index, int side, uint32_t body)
{
    trvi_contact *contacts = trvi_contacts(world);
    uint32_t next = contacts[index].next[side], previous = contacts[index].previous[side];
    if (next != TRVI_NONE)
        contacts[next / 2].previous[next % 2] = previous;
    if (previous != TRVI_NONE)
        contacts[previous / 2].next[previous % 2] = next;
    else
        trvi_bodies(world)[body].first_contact = next;
}

static bool is_zero(trv_vec3 v)
{
    return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f;
}

void trvi_contact_take_materials(const trv_world *world, trvi_contact *contact)
{
    const trvi_shape *a = &trvi_shapes(world)[contact->shape_a];
    const trvi_shape *b = &trvi_shapes(world)[contact->shape_b];
    const trv_material *of_a = trvi_material_of(world, a), *of_b = trvi_material_of(world, b);
    contact->friction = sqrtf(of_a->friction * of_b->friction);
    contact->restitution = trvi_larger(of_a->restitution, of_b->restitution);
    contact->rolling_friction = trvi_larger(of_a->rolling_friction, of_b->rolling_friction);
    contact->surface = (trv_vec3){0.0f, 0.0f, 0.0f};
    contact->flags &= ~(uint32_t)(TRVI_CONTACT_ASKS | TRVI_CONTACT_SURFACE);
    if (contact->flags & (TRVI_CONTACT_SENSOR | TRVI_CONTACT_BY_HAND))
        return;
    if ((a->flags | b->flags) & TRV_SHAPE_PRE_SOLVE)
        contact->flags |= TRVI_CONTACT_ASKS;
    if (!is_zero(of_a->surface_velocity) || !is_zero(of_b->surface_velocity))
        contact->flags |= TRVI_CONTACT_SURFACE;
}

static void create_contact(trv_world *world, const trv_pair *pair)
{
    trvi_contact *contact = &trvi_contacts(world)[pair->slot];
    const trvi_shape *a = &trvi_shapes(world)[pair->user_a];
    const trvi_shape *b = &trvi_shapes(world)[pair->user_b];
    memset(contact, 0, sizeof *contact);
    contact->shape_a = (uint32_t)pair->user_a;
    contact->shape_b = (uint32_t)pair->user_b;
    contact->body_a = a->body;
    contact->body_b = b->body;
    contact->flags = TRVI_CONTACT_LIVE;
    if ((a->flags | b->flags) & TRV_SHAPE_SENSOR)
        contact->flags |= TRVI_CONTACT_SENSOR;
    else if (!is_pushed(world, a, b))
        contact->flags |= TRVI_CONTACT_BY_HAND;
    contact->travelled = -1.0;
    trvi_contact_take_materials(world, contact);
    link_side(world, pair->slot, 0, contact->body_a);
    link_side(world, pair->slot, 1, contact->body_b);
    world->live_contacts++;
}

// The ends array has room for every touching contact: this never allocates.
void trvi_contact_remove(trv_world *world, uint32_t index)
{
    trvi_contact *contact = &trvi_contacts(world)[index];
    trvi_tell_end(world, contact);
    unlink_side(world, index, 0, contact->body_a);
    unlink_side(world, index, 1, contact->body_b);
    contact->flags = 0;
    world->live_contacts--;
}

void trvi_body_remove_contacts(trv_world *world, uint32_t body)
{
    while (trvi_bodies(world)[body].first_contact != TRVI_NONE)
        trvi_contact_remove(world, trvi_bodies(world)[body].first_contact / 2);
}

void trvi_forget_gaps(trv_world *world, uint32_t body)
{
    trvi_contact *contacts = trvi_contacts(world);
    uint32_t link = trvi_bodies(world)[body].first_contact;
    for (; link != TRVI_NONE; link = contacts[link / 2].next[link % 2])
        contacts[link / 2].travelled = -1.0;
}

void trvi_forget_loads(trv_world *world, uint32_t body)
{
    trvi_contact *contacts = trvi_contacts(world);
    uint32_t link = trvi_bodies(world)[body].first_contact;
    for (; link != TRVI_NONE; link = contacts[link / 2].next[link % 2])
        if (trvi_answer_of(&contacts[link / 2]) == TRVI_CONTACT)
            contacts[link / 2].margin = -1.0f; // no manifold was made for that
}

static void remove_ended(trv_world *world, const trv_pairs *pairs)
{
    for (uint32_t i = 0; i < pairs->ended_count; i++) {
        uint32_t slot = pairs->ended[i].slot;
        if (slot >= world->contacts.count)
            continue;
        const trvi_contact *contact = &trvi_contacts(world)[slot];
        if (!(contact->flags & TRVI_CONTACT_LIVE))
            continue;
        if ((contact->flags & TRVI_CONTACT_TOUCHING) && !(contact->flags & TRVI_CONTACT_SENSOR)) {
            trvi_wake(world, contact->body_a);
            trvi_wake(world, contact->body_b);
        }
        trvi_contact_remove(world, slot);
    }
}

// Room for all that this step can need of contacts and events.
static bool reserve_step(trv_world *world, const trv_pairs *pairs)
{
    const trv_allocator *allocator = &world->allocator;
    uint32_t most = world->live_contacts + pairs->begun_count + pairs->kept_count;
    return trvi_array_reserve(allocator, &world->contacts, pairs->slot_limit) &&
           trvi_array_reserve(allocator, &world->point_steps, world->contacts.capacity) &&
           trvi_array_reserve(allocator, &world->places, pairs->slot_limit) &&
           trvi_array_reserve(allocator, &world->active, most) &&
           trvi_array_reserve(allocator, &world->sides, most) && trvi_seams_reserve(world) &&
           trvi_events_reserve_contacts(world, most);
}

// The canonical order of pairs, as key_of tells it.
static uint64_t key_of_contact(const trv_world *world, const trvi_contact *contact)
{
    const trvi_shape *shapes = trvi_shapes(world);
    return (uint64_t)shapes[contact->shape_a].proxy.index1 << 32 |
           shapes[contact->shape_b].proxy.index1;
}

void trvi_activate(trv_world *world, uint32_t index)
{
    trvi_contact *contact = &trvi_contacts(world)[index];
    trvi_entry *active = world->active.items;
    contact->flags |= TRVI_CONTACT_ACTIVE;
    active[world->active.count++] = (trvi_entry){key_of_contact(world, contact), index, 0};
}

// Contacts and shapes lie anywhere: they are fetched so many before they are wanted. And so many
// are worth waking another worker.
enum { AHEAD = 8, CONTACTS_EACH = 1024 };

static uint64_t key_of(const trv_pair *pair)
{
    return (uint64_t)pair->a << 32 | pair->b;
}

static void deactivate(trv_world *world, uint32_t contact)
{
    trvi_contacts(world)[contact].flags &= ~(uint32_t)TRVI_CONTACT_ACTIVE;
}

static void deactivate_all(trv_world *world)
{
    const trvi_entry *active = world->active.items;
    for (uint32_t i = 0; i < world->active.count; i++)
        deactivate(world, active[i].value);
    world->active.count = 0;
}

// Where in a sorted list, from `from` on, the first pair is that does not come before `key`.
static uint32_t skip_pairs(const trv_pair *pairs, uint32_t count, uint32_t from, uint64_t key)
{
    while (from < count && key_of(&pairs[from]) < key)
        from++;
    return from;
}

// The same from the beginning, in a few looks.
static uint32_t find_pair(const trv_pair *pairs, uint32_t count, uint64_t key)
{
    uint32_t from = 0;
    while (count > 0) {
        uint32_t half = count / 2;
        bool before = key_of(&pairs[from + half]) < key;
        from += before ? half + 1 : 0;
        count = before ? count - half - 1 : half;
    }
    return from;
}

static bool is_pair_at(const trv_pair *pairs, uint32_t count, uint32_t at, uint64_t key)
{
    return at < count && key_of(&pairs[at]) == key;
}

// All lists are sorted.
static void deactivate_in(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    trv_world *world = context;
    const trv_pairs *pairs = &world->pairs;
    const trvi_entry *active = world->active.items;
    if (first >= last)
        return; // a hook may hand out nothing
    uint32_t kept = find_pair(pairs->kept, pairs->kept_count, active[first].key);
    uint32_t begun = find_pair(pairs->begun, pairs->begun_count, active[first].key);
    for (uint32_t i = first; i < last; i++) {
        uint64_t key = active[i].key;
        kept = skip_pairs(pairs->kept, pairs->kept_count, kept, key);
        if (is_pair_at(pairs->kept, pairs->kept_count, kept, key))
            continue;
        begun = skip_pairs(pairs->begun, pairs->begun_count, begun, key);
        if (!is_pair_at(pairs->begun, pairs->begun_count, begun, key))
            deactivate(world, active[i].value);
    }
}

// Those that were active and are not told any more. The others, which are nearly all, are as they are
// to be, and need not be fetched for it.
static void deactivate_untold(trv_world *world)
{
    trvi_parallel_for(&world->workers, world->active.count, CONTACTS_EACH, deactivate_in, world);
    world->active.count = 0;
}

// What is to become of a pair, in the `extra` of its entry until it is active.
enum { KEEP, CREATE, LEAVE };

static trvi_entry see_pair(const trv_world *world, const trv_pair *pair)
{
    trvi_entry entry = {key_of(pair), pair->slot, KEEP};
    trvi_contact *contact = &trvi_contacts(world)[pair->slot];
    bool wants = wants_contact(world, pair), live = (contact->flags & TRVI_CONTACT_LIVE) != 0;
    bool active = (contact->flags & TRVI_CONTACT_ACTIVE) != 0; // mostly it was
    if (active != (wants && live))
        contact->flags ^= (uint32_t)TRVI_CONTACT_ACTIVE;
    if (!wants)
        entry.extra = LEAVE;
    else if (!live)
        entry.extra = CREATE;
    return entry;
}

// What was seen of the pairs that were kept, and behind them of those that begun. It lies where the sides of
// contacts are to lie, which are found only after it.
static trvi_entry *seen_of(const trv_world *world)
{
    _Static_assert(sizeof(trvi_entry) <= sizeof(trvi_sides), "there is room for it");
    return world->sides.items;
}

// The new active list, share by share of the pairs that were kept; those that begun between them belong to the
// share before.
typedef struct activating {
    trv_world *world;
    uint32_t shares;
    struct {
        uint32_t stay, create; // of those that were kept
        uint32_t begun_end;    // of those that begun, with the shares before
        uint32_t to;           // where in the list it goes
    } of[TRVI_SHARES_MAX];
} activating;

static void see_kept(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    activating *job = context;
    const trv_world *world = job->world;
    const trv_pair *kept = world->pairs.kept;
    trvi_entry *seen = seen_of(world);
    for (uint32_t share = first; share < last; share++) {
        const trvi_share s = trvi_share_of(world->pairs.kept_count, job->shares, share);
        uint32_t stay = 0, create = 0;
        for (uint32_t i = s.first; i < s.last; i++) {
            if (i + AHEAD < s.last) {
                trvi_prefetch(&trvi_contacts(world)[kept[i + AHEAD].slot].flags);
                trvi_prefetch(&trvi_shapes(world)[kept[i + AHEAD].user_b]);
            }
            seen[i] = see_pair(world, &kept[i]);
            stay += seen[i].extra != LEAVE;
            create += seen[i].extra == CREATE;
        }
        job->of[share].stay = stay;
        job->of[share].create = create;
    }
}

static void create_seen(trv_world *world, const trvi_entry *seen, const trv_pair *pair)
{
    if (seen->extra != CREATE)
        return;
    create_contact(world, pair);
    trvi_contacts(world)[pair->slot].flags |= TRVI_CONTACT_ACTIVE;
}

// Sees those that begun, too, creates what there is to create, and finds each share's place in the list.
static void see_begun(activating *job)
{
    trv_world *world = job->world;
    const trv_pairs *pairs = &world->pairs;
    trvi_entry *seen = seen_of(world), *begun = seen + pairs->kept_count;
    uint32_t b = 0, next = 0;
    for (uint32_t share = 0; share < job->shares; share++) {
        const trvi_share s = trvi_share_of(pairs->kept_count, job->shares, share);
        for (uint32_t i = s.first; job->of[share].create > 0 && i < s.last; i++)
            create_seen(world, &seen[i], &pairs->kept[i]);
        uint64_t end = s.last < pairs->kept_count ? key_of(&pairs->kept[s.last]) : UINT64_MAX;
        job->of[share].to = next;
        for (; b < pairs->begun_count && key_of(&pairs->begun[b]) < end; b++) {
            begun[b] = see_pair(world, &pairs->begun[b]);
            create_seen(world, &begun[b], &pairs->begun[b]);
            next += begun[b].extra != LEAVE;
        }
        job->of[share].begun_end = b;
        next += job->of[share].stay;
    }
    world->active.count = next;
}

// Gives the place behind it.
static inline trvi_entry *add_active(trvi_entry *to, const trvi_entry *seen)
{
    if (seen->extra == LEAVE)
        return to;
    *to = (trvi_entry){seen->key, seen->value, 0};
    return to + 1;
}

// Both lists of what was seen are sorted: merges them.
static void list_active(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    const activating *job = context;
    const trv_world *world = job->world;
    const trvi_entry *seen = seen_of(world), *begun = seen + world->pairs.kept_count;
    for (uint32_t share = first; share < last; share++) {
        const trvi_share s = trvi_share_of(world->pairs.kept_count, job->shares, share);
        trvi_entry *to = (trvi_entry *)world->active.items + job->of[share].to;
        uint32_t k = s.first;
        uint32_t b = share > 0 ? job->of[share - 1].begun_end : 0, end = job->of[share].begun_end;
        for (; b < end; b++) {
            for (; k < s.last && seen[k].key < begun[b].key; k++)
                to = add_active(to, &seen[k]);
            to = add_active(to, &begun[b]);
        }
        for (; k < s.last; k++)
            to = add_active(to, &seen[k]);
    }
}

// A list without pairs may be NULL.
static void activate_pairs(trv_world *world)
{
    const trv_pairs *pairs = &world->pairs;
    if (pairs->begun_count == 0 && pairs->kept_count == 0)
        return; // there may be no array either
    activating job;
    job.world = world;
    job.shares = trvi_share_count(&world->workers, pairs->kept_count, CONTACTS_EACH);
    job.shares += job.shares == 0; // for those that begun
    trvi_parallel_for(&world->workers, job.shares, 1, see_kept, &job);
    see_begun(&job);
    trvi_parallel_for(&world->workers, job.shares, 1, list_active, &job);
}

trv_result trvi_update_pairs(trv_world *world)
{
    // Ends of contacts that are removed below must find room.
    if (!trvi_events_reserve_contacts(world, world->live_contacts))
        return TRV_ERROR_MEMORY;
    if (world->resume != TRVI_RESUME_PAIRS) {
        if (trvi_are_contacts_scattered(world)) {
            deactivate_all(world);
            trvi_sort_contacts(world);
        }
        trv_result result = trv_broad_update(world->broad, &world->pairs);
        if (result != TRV_OK)
            return result;
    }
    // The broadphase does not tell the same pairs twice, where nothing in them moves.
    const trv_pairs pairs = world->pairs;
    world->resume = TRVI_RESUME_PAIRS;
    remove_ended(world, &pairs);
    if (!reserve_step(world, &pairs))
        return TRV_ERROR_MEMORY;
    if (world->contacts.count < pairs.slot_limit)
        world->contacts.count = pairs.slot_limit;
    deactivate_untold(world);
    activate_pairs(world);
    return TRV_OK;
}
