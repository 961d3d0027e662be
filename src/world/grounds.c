// Grounds: what a body bears on that has many contacts, so that each of these need not be asked about all
// others whether it is a seam of their surface.
//
// Contacts show a surface by its normal and its height. Those that are alike in both stand together, in a
// tree whose nodes know the bounds of theirs. A flat floor of however many tiles is told at the root: a
// surface whose normal is one's own has no seam in it. So is a wall that rises over such a floor, from the
// heights of its points.
//
// Whether a contact that is found is what is wanted is asked again, by who looks for it; what is left out is
// none, however numbers were rounded. So nothing of what a step comes to hangs on who is listed here.
//
// Invariant: a node's bounds hold for all its contacts; numbers that are none bound nothing.
//
// Based on: J. L. Bentley, "Multidimensional Binary Search Trees Used for Associative Searching" (1975).
#include "grounds.h"

#include <math.h>

enum { LEAF = 4 }; // contacts

// Of some contacts.
typedef struct node {
    trv_vec3 low, high;     // of the normals
    double lowest, highest; // of the surfaces' heights over the body's centre, along the normals, m
    float deepest;          // of all points, m; at most 0
    uint32_t first_shape, last_shape; // of the body
    bool faces;                       // each has more than two points
} node;

static trvi_entry *entries_of(const trv_world *world, const trvi_crowd *crowd)
{
    return (trvi_entry *)world->grounds.items + crowd->first;
}

// The root is nodes[1], and below nodes[i] are nodes[2 i] and nodes[2 i + 1]; the last ones are the leaves.
static node *nodes_of(const trv_world *world, const trvi_crowd *crowd)
{
    return (node *)world->ground_nodes.items + crowd->first_node;
}

void trvi_grounds_init(trv_world *world)
{
    world->crowds.stride = sizeof(trvi_crowd);
    world->grounds.stride = sizeof(trvi_entry);
    world->ground_nodes.stride = sizeof(node);
    world->crowds.bare = world->grounds.bare = world->ground_nodes.bare = true;
}

static const node nothing = {{HUGE_VALF, HUGE_VALF, HUGE_VALF},
                             {-HUGE_VALF, -HUGE_VALF, -HUGE_VALF},
                             HUGE_VAL,
                             -HUGE_VAL,
                             0.0f,
                             UINT32_MAX,
                             0,
                             true};

// Which of so many parts of the range from -most to most.
static uint32_t part_of(float value, float most, uint32_t parts)
{
    float part = (0.5f * value / most + 0.5f) * (float)parts;
    return part > 0.0f ? (part < (float)parts ? (uint32_t)part : parts - 1) : 0;
}

// Brings together what is alike: by shape, by the normal's direction, by height.
static uint64_t key_of(uint32_t shape, trv_vec3 normal, float height, float far)
{
    enum { DIRECTION_BITS = 5, HEIGHT_PARTS = 1 << 17 };
    const float along[3] = {normal.x, normal.y, normal.z};
    uint64_t key = shape;
    for (int bit = DIRECTION_BITS; bit-- > 0;)
        for (int axis = 0; axis < 3; axis++)
            key = key << 1 | (part_of(along[axis], 1.0f, 1u << DIRECTION_BITS) >> bit & 1u);
    return key * HEIGHT_PARTS + part_of(height, far, HEIGHT_PARTS);
}

static trv_vec3 arm_to(const trv_world *world, const trvi_crowd *crowd, const trvi_bearing *seen)
{
    return trvi_sub(seen->level, trvi_bodies(world)[crowd->body].center);
}

// The body's contacts as they come, and the distance of the farthest one.
static void gather(const trv_world *world, trvi_crowd *crowd)
{
    trvi_entry *entries = entries_of(world, crowd);
    uint32_t link = trvi_bodies(world)[crowd->body].first_contact, count = 0;
    crowd->far = 0.0f;
    for (; link != TRVI_NONE; link = trvi_contacts(world)[link / 2].next[link % 2]) {
        const trvi_contact *contact = &trvi_contacts(world)[link / 2];
        if (!trvi_is_ground(contact))
            continue;
        trvi_bearing seen = trvi_see(contact, crowd->body);
        float far = trvi_length(arm_to(world, crowd, &seen));
        crowd->far = far > crowd->far ? far : crowd->far;
        entries[count++].value = link / 2;
    }
    TRVI_ASSERT(count == crowd->count);
}

static void sort(const trv_world *world, const trvi_crowd *crowd)
{
    trvi_entry *entries = entries_of(world, crowd);
    float far = crowd->far > 0.0f ? crowd->far : 1.0f;
    for (uint32_t i = 0; i < crowd->count; i++) {
        const trvi_contact *contact = &trvi_contacts(world)[entries[i].value];
        trvi_bearing seen = trvi_see(contact, crowd->body);
        float height = trvi_dot(arm_to(world, crowd, &seen), seen.normal);
        entries[i].key = key_of(trvi_shape_in(contact, crowd->body), seen.normal, height, far);
    }
    trvi_sort_entries(entries, crowd->count);
}

static double dot(trv_vec3 a, trv_vec3 b)
{
    return (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z;
}

static node node_of(const trv_world *world, const trvi_crowd *crowd, const trvi_contact *contact)
{
    trvi_bearing seen = trvi_see(contact, crowd->body);
    double height = dot(arm_to(world, crowd, &seen), seen.normal);
    uint32_t shape = trvi_shape_in(contact, crowd->body);
    node own = {seen.normal,
                seen.normal,
                height,
                height,
                trvi_smaller(seen.deepest, 0.0f),
                shape,
                shape,
                contact->manifold.count > 2};
    if (!(fabs(height) < HUGE_VAL) || !trvi_is_finite(seen.deepest)) { // spoilt: no bound holds
        own.low = nothing.high;
        own.high = nothing.low;
        own.lowest = -HUGE_VAL;
        own.highest = HUGE_VAL;
        own.deepest = -HUGE_VALF;
    }
    return own;
}

static node both(const node *a, const node *b)
{
    return (node){trvi_min(a->low, b->low),
                  trvi_max(a->high, b->high),
                  a->lowest < b->lowest ? a->lowest : b->lowest,
                  a->highest > b->highest ? a->highest : b->highest,
                  trvi_smaller(a->deepest, b->deepest),
                  a->first_shape < b->first_shape ? a->first_shape : b->first_shape,
                  a->last_shape > b->last_shape ? a->last_shape : b->last_shape,
                  a->faces && b->faces};
}

// From the leaves up.
static void bound(const trv_world *world, const trvi_crowd *crowd)
{
    node *nodes = nodes_of(world, crowd);
    const trvi_entry *entries = entries_of(world, crowd);
    for (uint32_t i = 0; i < crowd->leaves; i++)
        nodes[crowd->leaves + i] = nothing;
    for (uint32_t i = 0; i < crowd->count; i++) {
        node *leaf = &nodes[crowd->leaves + i / LEAF];
        node own = node_of(world, crowd, &trvi_contacts(world)[entries[i].value]);
        *leaf = both(leaf, &own);
    }
    for (uint32_t i = crowd->leaves; i-- > 1;)
        nodes[i] = both(&nodes[2 * i], &nodes[2 * i + 1]);
}

static void list_range(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    const trv_world *world = context;
    for (uint32_t i = first; i < last; i++) {
        trvi_crowd *crowd = (trvi_crowd *)world->crowds.items + i;
        gather(world, crowd);
        sort(world, crowd);
        bound(world, crowd);
    }
}

static uint32_t count_grounds(const trv_world *world, uint32_t body)
{
    uint32_t link = trvi_bodies(world)[body].first_contact, count = 0;
    for (; link != TRVI_NONE; link = trvi_contacts(world)[link / 2].next[link % 2])
        count += trvi_is_ground(&trvi_contacts(world)[link / 2]);
    return count;
}

bool trvi_grounds_list(trv_world *world)
{
    trvi_crowd *crowds = world->crowds.items;
    uint32_t grounds = 0, nodes = 0;
    for (uint32_t i = 0; i < world->crowds.count; i++) {
        crowds[i].first = grounds;
        crowds[i].first_node = nodes;
        crowds[i].count = count_grounds(world, crowds[i].body);
        crowds[i].leaves = 1;
        while (crowds[i].leaves * LEAF < crowds[i].count)
            crowds[i].leaves *= 2;
        grounds += crowds[i].count;
        nodes += 2 * crowds[i].leaves;
    }
    if (!trvi_array_reserve(&world->allocator, &world->grounds, grounds) ||
        !trvi_array_reserve(&world->allocator, &world->ground_nodes, nodes))
        return false;
    trvi_parallel_for(&world->workers, world->crowds.count, 1, list_range, world);
    return true;
}

// ---- Looking for them ----

static trv_vec3 middle_of(const node *n)
{
    return trvi_scale(trvi_add(n->low, n->high), 0.5f);
}

static trv_vec3 half_of(const node *n)
{
    return trvi_scale(trvi_sub(n->high, n->low), 0.5f);
}

// Is no normal turned from the wanted one by more than what two parallel ones may be? The sine is that of
// the middle at most, and what any of the box may add.
static bool are_parallel(const node *n, const trvi_wanted *wanted)
{
    float doubt = n->faces && wanted->count > 2 ? TRVI_SEAM_FACES : TRVI_SEAM_SINE;
    trv_vec3 off = trvi_abs(trvi_cross(middle_of(n), wanted->normal));
    trv_vec3 half = half_of(n), m = trvi_abs(wanted->normal);
    trv_vec3 more = {half.y * m.z + half.z * m.y, half.z * m.x + half.x * m.z,
                     half.x * m.y + half.y * m.x};
    return trvi_length(trvi_add(off, more)) + TRVI_SEAM_ROUNDING <= doubt;
}

// Is a wanted point above all surfaces, or below?
static bool is_off(const node *n, const trvi_wanted *wanted, float far)
{
    const trv_vec3 middle = middle_of(n), half = half_of(n);
    const double below = (double)wanted->slack - (double)n->deepest;
    for (uint32_t i = 0; i < wanted->count; i++) {
        trv_vec3 point = wanted->points[i];
        double height = dot(point, middle), more = dot(trvi_abs(point), half);
        double rounding = (double)TRVI_SEAM_ROUNDING * (double)(trvi_length(point) + far);
        if (height - more - n->highest - rounding > (double)wanted->slack ||
            height + more - n->lowest + rounding < -below)
            return true;
    }
    return false;
}

static bool is_other_shape(const node *n, const trvi_wanted *wanted)
{
    return wanted->shape != TRVI_NONE &&
           (wanted->shape < n->first_shape || wanted->shape > n->last_shape);
}

// A node without contacts is out, too.
static bool is_out(const node *n, const trvi_wanted *wanted, float far)
{
    return n->lowest > n->highest || is_other_shape(n, wanted) || are_parallel(n, wanted) ||
           is_off(n, wanted, far);
}

// The node that comes after all that is below one; 0 at the end.
static uint32_t after(uint32_t at)
{
    while (at & 1)
        at /= 2; // from the second of two, and from the root
    return at == 0 ? 0 : at + 1;
}

bool trvi_any_ground(const trv_world *world, const trvi_crowd *crowd, const trvi_wanted *wanted,
                     trvi_ground_fn *fn, const void *context)
{
    const node *nodes = nodes_of(world, crowd);
    const trvi_entry *entries = entries_of(world, crowd);
    for (uint32_t at = 1; at != 0;) {
        if (is_out(&nodes[at], wanted, crowd->far)) {
            at = after(at);
            continue;
        }
        if (at < crowd->leaves) {
            at *= 2;
            continue;
        }
        uint32_t first = (at - crowd->leaves) * LEAF;
        for (uint32_t i = first; i < first + LEAF && i < crowd->count; i++)
            if (fn(context, entries[i].value))
                return true;
        at = after(at);
    }
    return false;
}
