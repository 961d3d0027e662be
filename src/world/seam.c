// Seams: a body that slides from one tile to the next does not trip over the edge between them.
//
// Each tile knows only itself: to it, what comes along flush with its top is about to run into its
// side. So where a body bears on a surface, a contact with something else of the same support is no
// obstacle when that rises nowhere above the surface: all its points lie in the surface's plane.
// Such a contact is left out of the step. Of two contacts that could each say so of the other, the
// deeper one bears the body, and stays.
//
// Based on: the internal-edge utility of E. Coumans' Bullet (2010), which knows the neighbours of a
// triangle in its mesh; here the neighbours are whatever the body touches.
#include "world_data.h"

static bool holds_still(const trvi_body *body)
{
    return body->kind == TRV_BODY_STATIC;
}

// One contact as seen from the body that bears on the other side.
typedef struct bearing {
    trv_vec3 normal; // away from the support
    float deepest;
    uint32_t deepest_point;
    bool support_is_a;
} bearing;

static bearing see(const trvi_contact *contact, uint32_t body)
{
    const trv_manifold *m = &contact->manifold;
    bearing seen = {m->normal, m->points[0].separation, 0, contact->body_b == body};
    if (!seen.support_is_a)
        seen.normal = trvi_negate(m->normal);
    for (uint32_t i = 1; i < m->count; i++)
        if (m->points[i].separation < seen.deepest) {
            seen.deepest = m->points[i].separation;
            seen.deepest_point = i;
        }
    return seen;
}

// A manifold's point on the support's surface.
static trv_vec3 on_support(const trvi_contact *contact, const bearing *seen, uint32_t i)
{
    const trv_manifold_point *p = &contact->manifold.points[i];
    return trvi_mul_add(p->point, seen->normal, -0.5f * p->separation);
}

// Does the contact `ghost` show no more than the surface that `ground` shows already? `struck`:
// only what is struck has to lie in it, and the ghost was met a little after the ground was seen,
// as near as sweeps lead.
static bool is_flush(const trvi_contact *ghost, const trvi_contact *ground, uint32_t body,
                     float size, bool struck)
{
    bearing on = see(ground, body), at = see(ghost, body);
    trv_vec3 turn = trvi_cross(on.normal, at.normal);
    float sine = trvi_dot(turn, turn), doubt = TRVI_SEAM_SINE * TRVI_SEAM_SINE;
    bool faces = ghost->manifold.count > 2 && ground->manifold.count > 2;
    float late = struck ? TRVI_SWEEP_MARGIN_M : 0.0f;
    float reach = struck ? at.deepest + TRVI_STRIKE_FACE_M : TRV_COORD_MAX;
    if (sine <= (faces ? TRVI_SEAM_FACES * TRVI_SEAM_FACES : doubt) ||
        !(on.deepest < at.deepest + late))
        return false;
    trv_vec3 level = on_support(ground, &on, on.deepest_point);
    float slack = TRVI_SEAM * size, below = slack - fminf(on.deepest, 0.0f);
    for (uint32_t i = 0; i < ghost->manifold.count; i++) {
        float height = trvi_dot(trvi_sub(on_support(ghost, &at, i), level), on.normal);
        bool near = ghost->manifold.points[i].separation <= reach;
        if (height > slack || (near && height < -below))
            return false;
    }
    return true;
}

// `own`: where the contact is among the others; `struck`: see is_flush.
static bool is_ghost(const trv_world *world, const trvi_contact *contact, const trvi_contact *own,
                     bool struck)
{
    const trvi_body *bodies = trvi_bodies(world);
    bool on_a = holds_still(&bodies[contact->body_a]);
    if (contact->manifold.count == 0 || !(on_a || holds_still(&bodies[contact->body_b])))
        return false;
    uint32_t body = on_a ? contact->body_b : contact->body_a;
    float size = bodies[body].extent;
    uint32_t link = bodies[body].first_contact;
    for (; link != TRVI_NONE; link = trvi_contacts(world)[link / 2].next[link % 2]) {
        const trvi_contact *other = &trvi_contacts(world)[link / 2];
        uint32_t support = link % 2 == 0 ? other->body_b : other->body_a;
        if (other != own && (other->flags & TRVI_CONTACT_ACTIVE) && other->manifold.count > 0 &&
            holds_still(&bodies[support]) && is_flush(contact, other, body, size, struck))
            return true;
    }
    return false;
}

bool trvi_is_seam(const trv_world *world, uint32_t contact, const trv_manifold *manifold)
{
    trvi_contact met = trvi_contacts(world)[contact];
    met.manifold = *manifold;
    return is_ghost(world, &met, &trvi_contacts(world)[contact], true);
}

bool trvi_seams_reserve(trv_world *world)
{
    return trvi_array_reserve(&world->allocator, &world->bearings, world->bodies.items.capacity);
}

// What is moved by hand trips over nothing, and is told of all that it touches.
static bool is_on_ground(const trvi_entry *entry)
{
    const uint32_t on_ground = TRVI_ENTRY_NEAR | TRVI_ENTRY_STATIC;
    return (entry->extra & (on_ground | TRVI_ENTRY_PASSES)) == on_ground;
}

// For the body that an active contact holds up: how many such contacts it has, none, one or more.
static uint8_t *bearings_of(const trv_world *world, uint32_t active)
{
    const trvi_sides *sides = &trvi_sides_of_active(world)[active];
    bool on_a = holds_still(&trvi_bodies(world)[sides->body_a]);
    return (uint8_t *)world->bearings.items + (on_a ? sides->body_b : sides->body_a);
}

static void find_ghosts(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    const trv_world *world = context;
    trvi_entry *active = world->active.items;
    for (uint32_t i = first; i < last; i++) {
        const trvi_contact *contact = &trvi_contacts(world)[active[i].value];
        if (is_on_ground(&active[i]) && *bearings_of(world, i) > 1 &&
            is_ghost(world, contact, contact, false))
            active[i].extra |= TRVI_ENTRY_GHOST;
    }
}

// It takes two contacts with the ground for one of them to be a seam. All are found before any is
// left out: that hangs on one another's points.
void trvi_leave_out_seams(trv_world *world)
{
    trvi_entry *active = world->active.items;
    for (uint32_t i = 0; i < world->active.count; i++)
        if (is_on_ground(&active[i])) {
            uint8_t *count = bearings_of(world, i);
            *count = *count == 0 ? 1 : 2;
        }
    trvi_parallel_for(&world->workers, world->active.count, 256, find_ghosts, world);
    for (uint32_t i = 0; i < world->active.count; i++) {
        if (is_on_ground(&active[i]))
            *bearings_of(world, i) = 0;
        if (active[i].extra & TRVI_ENTRY_GHOST) {
            trvi_contacts(world)[active[i].value].manifold.count = 0;
            active[i].extra %= TRVI_ENTRY_POINTS;
        }
    }
}
