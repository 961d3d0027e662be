// Between a contact and its lane of a block: effective masses, softness and starting impulses on
// the way in; on the way out the impulses found, and whether the points slide.
#include "solver_data.h"

static void put_vec3(trvi_lane_vec3 *to, uint32_t lane, trv_vec3 v)
{
    to->x[lane] = v.x;
    to->y[lane] = v.y;
    to->z[lane] = v.z;
}

static trv_vec3 get_vec3(const trvi_lane_vec3 *from, uint32_t lane)
{
    return (trv_vec3){from->x[lane], from->y[lane], from->z[lane]};
}

static void put_symmetric(trvi_lane_symmetric *to, uint32_t lane, const trvi_symmetric *m)
{
    to->xx[lane] = m->xx;
    to->yy[lane] = m->yy;
    to->zz[lane] = m->zz;
    to->xy[lane] = m->xy;
    to->xz[lane] = m->xz;
    to->yz[lane] = m->yz;
}

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

// Inverse masses along the axes of the world.
static trv_vec3 yielding(const trvi_solver_body *body)
{
    float m = body->inverse_mass;
    return trvi_unlocked((trv_vec3){m, m, m}, body->locks);
}

// Of the bodies that can be pushed.
static float least_extent(const trvi_solver_body *a, const trvi_solver_body *b)
{
    if (a->inverse_mass > 0.0f && b->inverse_mass > 0.0f)
        return fminf(a->extent, b->extent);
    return a->inverse_mass > 0.0f ? a->extent : b->extent;
}

// Where a body whirls, its spin carries the points on while it turns, in each sub-step anew: they
// are brought back sooner.
static float hard_share(const trvi_step *step, const trvi_block *block, uint32_t lane)
{
    float spin = fmaxf(trvi_length(step->motions[block->body_a[lane]].angular),
                       trvi_length(step->motions[block->body_b[lane]].angular));
    return fminf(TRVI_HARD_SHARE + TRVI_WHIRL_SHARE * spin * step->h, TRVI_WHIRL_MOST);
}

// A spring of a given frequency and damping, integrated implicitly over h; soft, so that heaps are
// calm.
// Source: Catto 2011, "Soft Constraints", in the form of "Solver2D".
static void put_softness(const trvi_step *step, trvi_block *block, uint32_t lane, bool both_yield,
                         float extent)
{
    if (block->hard[lane]) {
        block->bias_rate[lane] = hard_share(step, block, lane) * step->inverse_h;
        block->mass_scale[lane] = 1.0f;
        block->impulse_scale[lane] = 0.0f;
        block->slop[lane] = TRVI_SLOP * extent;
        return;
    }
    const float two_pi = 6.28318530718f;
    float hertz = both_yield ? TRVI_CONTACT_HZ : 2.0f * TRVI_CONTACT_HZ;
    float omega = two_pi * fminf(hertz, 0.25f * step->inverse_h);
    float rate = 2.0f * TRVI_CONTACT_DAMPING + step->h * omega;
    float stiffness = step->h * omega * rate;
    block->bias_rate[lane] = omega / rate;
    block->mass_scale[lane] = stiffness / (1.0f + stiffness);
    block->impulse_scale[lane] = 1.0f / (1.0f + stiffness);
}

typedef struct lane_bodies {
    const trvi_solver_body *a, *b;
    const trvi_motion *motion_a, *motion_b;
    trv_vec3 center_a, center_b;
} lane_bodies;

static trv_vec3 middle_of(const trv_manifold *manifold, trv_vec3 center)
{
    trv_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (uint32_t p = 0; p < manifold->count; p++)
        sum = trvi_add(sum, trvi_sub(manifold->points[p].point, center));
    return trvi_scale(sum, 1.0f / (float)manifold->count);
}

static trv_vec3 along(const trv_vec3 axes[3], trv_vec3 v)
{
    return (trv_vec3){trvi_dot(v, axes[0]), trvi_dot(v, axes[1]), trvi_dot(v, axes[2])};
}

// The points, about the contact's middle.
static void put_points(const lane_bodies *bodies, const trvi_contact *contact,
                       const trv_vec3 axes[3], trvi_block *block, uint32_t lane)
{
    const trv_manifold *manifold = &contact->manifold;
    const trvi_motion *a = bodies->motion_a, *b = bodies->motion_b;
    trv_vec3 middle_a = middle_of(manifold, bodies->center_a);
    trv_vec3 middle_b = trvi_add(middle_a, trvi_sub(bodies->center_a, bodies->center_b));
    put_vec3(&block->middle_a, lane, middle_a);
    put_vec3(&block->middle_b, lane, middle_b);
    trv_vec3 spin = along(axes, trvi_sub(b->angular, a->angular));
    trv_vec3 speed = trvi_sub(trvi_add(b->linear, trvi_cross(b->angular, middle_b)),
                              trvi_add(a->linear, trvi_cross(a->angular, middle_a)));
    float closing = trvi_dot(speed, axes[0]);
    for (uint32_t p = 0; p < manifold->count; p++) {
        const trv_manifold_point *point = &manifold->points[p];
        const trvi_impulse *impulse = &contact->impulses[p];
        trvi_block_point *to = &block->point[p];
        trv_vec3 from_a = trvi_sub(point->point, bodies->center_a);
        trv_vec3 at = along(axes, trvi_sub(from_a, middle_a));
        put_vec3(&to->at, lane, at);
        block->approach[p][lane] = closing + (at.z * spin.y - at.y * spin.z);
        to->gap[lane] = point->separation;
        to->slip_1[lane] = trvi_dot(impulse->drift, axes[1]);
        to->slip_2[lane] = trvi_dot(impulse->drift, axes[2]);
        to->normal_mass[lane] = 1.0f; // there is one; found with the block's response
        to->normal[lane] = impulse->normal;
        to->tangent_1[lane] = trvi_dot(impulse->tangent, axes[1]);
        to->tangent_2[lane] = trvi_dot(impulse->tangent, axes[2]);
    }
}

// No axis yields more than the sum over the three: a torque found with it never overshoots.
static float rolling_mass(const trvi_solver_body *a, const trvi_solver_body *b)
{
    const trvi_symmetric *i = &a->inverse_inertia, *j = &b->inverse_inertia;
    float trace = i->xx + i->yy + i->zz + j->xx + j->yy + j->zz;
    return trace > 0.0f ? 1.0f / trace : 0.0f;
}

// Lever arm of what resists turning, m. Round shapes roll as their materials say; others have at a
// single point the friction of a corner that is not quite sharp.
static float rolling_of(const trvi_step *step, const trvi_contact *contact, float extent)
{
    const trvi_shape *shapes = trvi_shapes(step->world);
    bool corner = contact->manifold.count == 1 &&
                  trvi_radius_of(&shapes[contact->shape_a].solid) == 0.0f &&
                  trvi_radius_of(&shapes[contact->shape_b].solid) == 0.0f;
    float blunt = corner && contact->friction > 0.0f ? TRVI_BLUNT_CORNER * extent : 0.0f;
    return fmaxf(contact->rolling_friction, blunt);
}

static void lighten(trvi_solver_body *body, float factor)
{
    trvi_symmetric *i = &body->inverse_inertia;
    body->inverse_mass *= factor;
    *i = (trvi_symmetric){i->xx * factor, i->yy * factor, i->zz * factor,
                          i->xy * factor, i->xz * factor, i->yz * factor};
}

// Where a light body bears a load of many times its own weight, the heavy one counts as no more
// than so many times as heavy: the load stays what it is, but the few passes of a sub-step can find
// it. Blows and pushes carry no such load, and keep the true masses. The limit sets in gradually:
// as it lightens the load that is felt, a sudden one would switch itself off and on.
static void limit_mass_ratio(const trvi_step *step, const trvi_contact *contact,
                             trvi_solver_body *a, trvi_solver_body *b)
{
    trvi_solver_body *heavy = a->inverse_mass < b->inverse_mass ? a : b;
    float lightest = fmaxf(a->inverse_mass, b->inverse_mass);
    float least = lightest / TRVI_MASS_RATIO;
    float weight = trvi_length(step->world->gravity) * step->h;
    if (!(heavy->inverse_mass > 0.0f) || !(heavy->inverse_mass < least) || !(weight > 0.0f))
        return;
    float carried = 0.0f;
    for (uint32_t p = 0; p < contact->manifold.count; p++)
        carried += contact->impulses[p].carried;
    float share = carried * lightest / (weight * TRVI_HEAVY_LOAD) - 1.0f;
    share = fminf(fmaxf(share, 0.0f), 1.0f);
    lighten(heavy, 1.0f + share * (least / heavy->inverse_mass - 1.0f));
}

// Round shapes touch at the same side, however they spin: only their cores turn. Where a core is no
// farther from the centre of mass than the surfaces are from one another, as of balls, that moves
// nothing.
static void put_core(const trvi_contact *contact, trvi_block *block, uint32_t lane,
                     trvi_lane_vec3 *to, trv_vec3 middle, float inwards)
{
    trv_vec3 core = middle;
    float gap = contact->manifold.points[0].separation;
    if (inwards != 0.0f)
        core = trvi_mul_add(middle, get_vec3(&block->normal, lane), inwards);
    if (inwards != 0.0f && contact->manifold.count == 1 && trvi_dot(core, core) <= gap * gap)
        return;
    put_vec3(to, lane, core);
    block->swings = true;
}

// What is round, and what is being turned by hand. Round shapes roll where others are held.
static void put_surfaces(const trvi_step *step, const trvi_contact *contact, trvi_block *block,
                         uint32_t lane, float extent)
{
    const trvi_shape *shapes = trvi_shapes(step->world);
    float radius_a = trvi_radius_of(&shapes[contact->shape_a].solid);
    float radius_b = trvi_radius_of(&shapes[contact->shape_b].solid);
    bool round = radius_a > 0.0f || radius_b > 0.0f;
    bool runs = trvi_dot(contact->surface, contact->surface) > 0.0f;
    block->runs = block->runs || runs;
    block->round = block->round || round;
    if (block->body_a[lane] != TRVI_UNMOVED)
        put_core(contact, block, lane, &block->core_a, get_vec3(&block->middle_a, lane), -radius_a);
    if (block->body_b[lane] != TRVI_UNMOVED)
        put_core(contact, block, lane, &block->core_b, get_vec3(&block->middle_b, lane), radius_b);
    block->hold_rate[lane] = round || runs ? 0.0f : block->bias_rate[lane];
    block->hold_slop[lane] = 0.5f * TRVI_SLOP * extent;
    const trvi_motion *a = &step->motions[block->body_a[lane]];
    const trvi_motion *b = &step->motions[block->body_b[lane]];
    trv_vec3 spin = a->pushable == 0.0f ? a->angular : (trv_vec3){0.0f, 0.0f, 0.0f};
    if (b->pushable == 0.0f)
        spin = trvi_add(spin, b->angular); // at most one of them is moved by hand
    put_vec3(&block->carrier, lane, spin);
    block->carried = block->carried || trvi_dot(spin, spin) > 0.0f;
}

// What does not move has no place of its own among the solver's bodies.
static trv_vec3 center_of(const trv_world *world, const trvi_solver_body *solver, uint32_t body)
{
    return solver->body == TRVI_NONE ? trvi_bodies(world)[body].center : solver->center;
}

static void prepare_lane(const trvi_step *step, trvi_block *block, uint32_t lane)
{
    const trv_world *world = step->world;
    const trvi_contact *contact = &trvi_contacts(world)[block->contact[lane]];
    uint32_t a = block->body_a[lane], b = block->body_b[lane];
    trvi_solver_body solver_a = step->bodies[a], solver_b = step->bodies[b];
    if (!block->hard[lane])
        limit_mass_ratio(step, contact, &solver_a, &solver_b);
    lane_bodies bodies = {&solver_a,
                          &solver_b,
                          &step->motions[a],
                          &step->motions[b],
                          center_of(world, &solver_a, contact->body_a),
                          center_of(world, &solver_b, contact->body_b)};
    trv_vec3 normal = contact->manifold.normal, tangent = trvi_tangent_of(normal);
    const trv_vec3 axes[3] = {normal, tangent, trvi_cross(normal, tangent)};
    put_vec3(&block->normal, lane, axes[0]);
    put_vec3(&block->tangent_1, lane, axes[1]);
    block->pushes_a |= (uint32_t)(bodies.motion_a->pushable != 0.0f) << lane;
    block->pushes_b |= (uint32_t)(bodies.motion_b->pushable != 0.0f) << lane;
    block->friction[lane] = contact->friction;
    float extent = least_extent(bodies.a, bodies.b);
    block->rolling[lane] = rolling_of(step, contact, extent);
    block->rolls = block->rolls || block->rolling[lane] > 0.0f;
    block->rolling_mass[lane] = rolling_mass(bodies.a, bodies.b);
    block->surface_1[lane] = trvi_dot(contact->surface, axes[1]);
    block->surface_2[lane] = trvi_dot(contact->surface, axes[2]);
    block->inverse_mass_a[lane] = bodies.a->inverse_mass;
    block->inverse_mass_b[lane] = bodies.b->inverse_mass;
    put_vec3(&block->free_a, lane, yielding(bodies.a));
    put_vec3(&block->free_b, lane, yielding(bodies.b));
    block->locked = block->locked || ((bodies.a->locks | bodies.b->locks) & 7u) != 0;
    put_symmetric(&block->inverse_inertia_a, lane, &bodies.a->inverse_inertia);
    put_symmetric(&block->inverse_inertia_b, lane, &bodies.b->inverse_inertia);
    put_points(&bodies, contact, axes, block, lane);
    bool both_yield = bodies.a->inverse_mass > 0.0f && bodies.b->inverse_mass > 0.0f;
    put_softness(step, block, lane, both_yield, extent);
    put_surfaces(step, contact, block, lane, extent);
}

// How far the spring gives under the load that the contact has been carrying, m: where the solver's
// push and its leak balance. The mean over the points, weighted by what they carry: one height for
// all, because a point that rose by itself would push back late where a body sways, and feed that.
static float sag_of(const trvi_contact *contact, const trvi_block *block, uint32_t lane)
{
    float load = 0.0f, weighted = 0.0f;
    for (uint32_t p = 0; p < contact->manifold.count; p++) {
        float carried = contact->impulses[p].carried, mass = block->point[p].normal_mass[lane];
        if (mass > 0.0f) {
            load += carried;
            weighted += carried * carried / mass;
        }
    }
    if (!(load > 0.0f))
        return 0.0f;
    float push = block->mass_scale[lane] * block->bias_rate[lane];
    return block->impulse_scale[lane] * weighted / (load * push);
}

// Springs are raised against their sag, so that loads rest at the surface and not below it.
static void raise(const trvi_step *step, trvi_block *block, uint32_t lane)
{
    const trvi_contact *contact = &trvi_contacts(step->world)[block->contact[lane]];
    float sag = fminf(sag_of(contact, block, lane), TRVI_SAG_MAX_M);
    for (uint32_t p = 0; p < contact->manifold.count; p++)
        block->point[p].gap[lane] -= sag;
}

// Empties what a block is going to hold, and no more.
static void clear(trvi_block *block)
{
    const size_t dealt = offsetof(trvi_block, pushes_a), rare = offsetof(trvi_block, core_a);
    memset((char *)block + dealt, 0,
           offsetof(trvi_block, point) + block->points * sizeof *block->point - dealt);
    memset((char *)block + rare, 0, sizeof *block - rare);
    for (uint32_t lane = 0; lane < TRVI_BLOCK_LANES; lane++)
        block->solving[lane] = 1.0f;
}

void trvi_block_prepare(const trvi_step *step, trvi_block *block)
{
    clear(block);
    for (uint32_t lane = 0; lane < TRVI_BLOCK_LANES; lane++)
        if (block->contact[lane] != TRVI_NONE)
            prepare_lane(step, block, lane);
    step->passes->respond(block);
    for (uint32_t lane = 0; lane < TRVI_BLOCK_LANES; lane++)
        if (block->contact[lane] != TRVI_NONE && !block->hard[lane])
            raise(step, block, lane);
}

static void store_lane(const trvi_step *step, const trvi_block *block, uint32_t lane)
{
    trvi_contact *contact = &trvi_contacts(step->world)[block->contact[lane]];
    float share = fminf(step->dt / TRVI_SAG_TIME_S, 1.0f);
    trv_vec3 tangent_1 = get_vec3(&block->tangent_1, lane);
    trv_vec3 tangent_2 = trvi_cross(get_vec3(&block->normal, lane), tangent_1);
    for (uint32_t p = 0; p < contact->manifold.count; p++) {
        const trvi_block_point *point = &block->point[p];
        trvi_impulse *impulse = &contact->impulses[p];
        impulse->normal = point->normal[lane];
        impulse->carried += share * (impulse->normal - impulse->carried);
        impulse->largest = point->largest[lane];
        impulse->approach = block->approach[p][lane];
        impulse->tangent = trvi_add(trvi_scale(tangent_1, point->tangent_1[lane]),
                                    trvi_scale(tangent_2, point->tangent_2[lane]));
        float most = block->friction[lane] * impulse->normal;
        impulse->slides = trvi_length(impulse->tangent) >= TRVI_SLIDING * most;
    }
}

void trvi_block_store(const trvi_step *step, const trvi_block *block)
{
    for (uint32_t lane = 0; lane < TRVI_BLOCK_LANES; lane++)
        if (block->contact[lane] != TRVI_NONE)
            store_lane(step, block, lane);
}
