// What a block is filled from: looked up lane by lane here, as bodies and contacts lie anywhere;
// the arithmetic is done in all lanes at once (contact_fill.h).
#include "solver_data.h"

trv_vec3 trvi_tangent_of(trv_vec3 n)
{
    trv_vec3 a = trvi_abs(n);
    trv_vec3 axis = {0.0f, 0.0f, 1.0f};
    if (a.x <= a.y && a.x <= a.z)
        axis = (trv_vec3){1.0f, 0.0f, 0.0f};
    else if (a.y <= a.z)
        axis = (trv_vec3){0.0f, 1.0f, 0.0f};
    return trvi_normalize_or(trvi_cross(axis, n), axis);
}

// A spring of a given frequency and damping, integrated implicitly over h; soft, so that heaps are
// calm.
// Source: Catto 2011, "Soft Constraints", in the form of "Solver2D".
trvi_softness trvi_softness_of(const trvi_step *step, bool both_yield)
{
    const float two_pi = 6.28318530718f;
    float hertz = both_yield ? TRVI_CONTACT_HZ : 2.0f * TRVI_CONTACT_HZ;
    float omega = two_pi * trvi_smaller(hertz, 0.25f * step->inverse_h);
    float rate = 2.0f * TRVI_CONTACT_DAMPING + step->h * omega;
    float stiffness = step->h * omega * rate;
    return (trvi_softness){omega / rate, stiffness / (1.0f + stiffness), 1.0f / (1.0f + stiffness)};
}

// By so much that few passes do not find what it presses with; inverse masses.
static bool is_far_heavier(float heavy, float light)
{
    return heavy > 0.0f && heavy < light / TRVI_MASS_RATIO;
}

float trvi_lightened(float gain, float carried, float heavy, float light)
{
    if (!is_far_heavier(heavy, light) || !(gain > 0.0f))
        return 1.0f;
    float share = carried * light / (gain * TRVI_HEAVY_LOAD) - 1.0f;
    share = trvi_smaller(trvi_larger(share, 0.0f), 1.0f);
    return 1.0f + share * (light / TRVI_MASS_RATIO / heavy - 1.0f);
}

static float carried_by(const trvi_contact *contact)
{
    float carried = 0.0f;
    for (uint32_t p = 0; p < contact->manifold.count; p++)
        carried += contact->impulses[p].carried;
    return carried;
}

// The heavier of both is A where the sign is 1, B where it is -1. Where it stands under the other, it is
// a floor, and bears many as it is.
static float lightened(const trvi_step *step, const trvi_contact *contact, float sign, float heavy,
                       float light)
{
    if (!is_far_heavier(heavy, light))
        return 1.0f;
    const trv_vec3 gravity = step->world->gravity;
    float pull = trvi_length(gravity);
    if (-sign * trvi_dot(contact->manifold.normal, gravity) > TRVI_FOOTING_COSINE * pull)
        return 1.0f;
    return trvi_lightened(pull * step->h, carried_by(contact), heavy, light);
}

static void share_masses(const trvi_step *step, const trvi_contact *contact, uint32_t lane,
                         float inverse_mass_a, float inverse_mass_b, trvi_sources *from)
{
    if (inverse_mass_a < inverse_mass_b)
        from->share_a[lane] = lightened(step, contact, 1.0f, inverse_mass_a, inverse_mass_b);
    else
        from->share_b[lane] = lightened(step, contact, -1.0f, inverse_mass_b, inverse_mass_a);
}

// What does not move has no place of its own among the solver's bodies.
static const float *center_of(const trv_world *world, const trvi_solver_body *solver,
                              const uint32_t *body)
{
    const void *center =
        solver->body == TRVI_NONE ? &trvi_bodies(world)[*body].center : &solver->center;
    return center;
}

static void look_up(const trvi_step *step, trvi_block *block, uint32_t lane, trvi_sources *from)
{
    const trvi_contact *contact = &trvi_contacts(step->world)[block->contact[lane]];
    const trvi_entry *active =
        &((const trvi_entry *)step->world->active.items)[block->active[lane]];
    const trvi_sides *sides = &trvi_sides_of_active(step->world)[block->active[lane]];
    const trvi_solver_body *a = &step->bodies[block->body_a[lane]];
    const trvi_solver_body *b = &step->bodies[block->body_b[lane]];
    const void *words = contact, *points = trvi_point_steps(step->world, block->contact[lane]);
    from->contact[lane] = words;
    from->points[lane] = points;
    from->center_a[lane] = center_of(step->world, a, &sides->body_a);
    from->center_b[lane] = center_of(step->world, b, &sides->body_b);
    from->hard[lane] = block->hard[lane] ? 1.0f : 0.0f;
    from->thinner[lane] = sides->thinner;
    if (block->hard[lane] && block->counts[lane] > 2.0f && (a->stands || b->stands))
        from->no_gap[lane] = TRVI_GAP_LEAST * sides->thinner;
    from->load[lane] = step->h * trvi_smaller(trvi_larger(a->load, b->load),
                                              TRVI_JAM_BODIES * (a->pull + b->pull));
    if (!block->hard[lane])
        share_masses(step, contact, lane, a->inverse_mass, b->inverse_mass, from);
    // Round shapes roll where others are held.
    bool round = block->radius_a[lane] > 0.0f || block->radius_b[lane] > 0.0f;
    bool runs = (active->extra & TRVI_ENTRY_RUNS) != 0;
    from->holds[lane] = round || runs ? 0.0f : 1.0f;
    from->moved_a |= (uint32_t)(block->body_a[lane] != TRVI_UNMOVED) << lane;
    from->moved_b |= (uint32_t)(block->body_b[lane] != TRVI_UNMOVED) << lane;
    block->runs = block->runs || runs;
    block->locked = block->locked || ((a->locks | b->locks) & 7u) != 0;
}

void trvi_block_prepare(const trvi_step *step, trvi_block *block)
{
    static const trvi_contact none; // unused lanes are filled from it, and stay empty
    const void *nothing = &none;
    trvi_sources from;
    block->pushes_a = block->pushes_b = 0;
    block->balls = 0;
    block->carried = block->locked = block->swings = block->runs = block->aimed = false;
    block->bound = block->placed = false;
    from.moved_a = from.moved_b = 0;
    for (uint32_t lane = 0; lane < TRVI_BLOCK_LANES; lane++) {
        from.contact[lane] = from.points[lane] = from.center_a[lane] = from.center_b[lane] =
            nothing;
        from.hard[lane] = from.holds[lane] = from.load[lane] = from.no_gap[lane] = 0.0f;
        from.share_a[lane] = from.share_b[lane] = 1.0f;
        block->solving[lane] = from.thinner[lane] = 1.0f;
        if (block->contact[lane] != TRVI_NONE)
            look_up(step, block, lane, &from);
    }
    step->passes->fill(step, block, &from);
}
