// The passes over a block of contacts, all lanes at once: warm start, solve.
//
// Each point is solved by itself with the impulses accumulated and clamped: the normal one to push
// only, the tangential pair to the circle of Coulomb's law. Where friction held, the anchors on either
// surface stay together: what they have drifted apart is taken back with the overlap. A lane that is
// not used has zero masses, so its impulses stay zero.
//
// Based on: E. Catto, "Iterative Dynamics with Temporal Coherence" (2005); "Solver2D" (2024).
#include "solver_data.h"

#include <string.h>

// The velocities of a block's bodies.
typedef struct pair_state {
    trvi_wide3 linear_a, angular_a;
    trvi_wide3 linear_b, angular_b;
} pair_state;

static trvi_wide3 load3(const trvi_lane_vec3 *v)
{
    return (trvi_wide3){trvi_lanes_load(v->x), trvi_lanes_load(v->y), trvi_lanes_load(v->z)};
}

static trvi_wide_symmetric load_symmetric(const trvi_lane_symmetric *m)
{
    return (trvi_wide_symmetric){trvi_lanes_load(m->xx), trvi_lanes_load(m->yy),
                                 trvi_lanes_load(m->zz), trvi_lanes_load(m->xy),
                                 trvi_lanes_load(m->xz), trvi_lanes_load(m->yz)};
}

static void gather_velocities(const trvi_motion *motions, const uint32_t *bodies,
                              trvi_wide3 *linear, trvi_wide3 *angular)
{
    trvi_lane_vec3 v, w;
    for (int lane = 0; lane < TRVI_LANES; lane++) {
        const trvi_motion *motion = &motions[bodies[lane]];
        v.x[lane] = motion->linear.x;
        v.y[lane] = motion->linear.y;
        v.z[lane] = motion->linear.z;
        w.x[lane] = motion->angular.x;
        w.y[lane] = motion->angular.y;
        w.z[lane] = motion->angular.z;
    }
    *linear = load3(&v);
    *angular = load3(&w);
}

// Bodies that cannot be pushed are shared by many contacts and must not be written; nor are those of
// lanes that are not `on`.
static void scatter_velocities(trvi_motion *motions, const uint32_t *bodies, const float *on,
                               trvi_wide3 linear, trvi_wide3 angular)
{
    trvi_lane_vec3 v, w;
    trvi_lanes_store(v.x, linear.x);
    trvi_lanes_store(v.y, linear.y);
    trvi_lanes_store(v.z, linear.z);
    trvi_lanes_store(w.x, angular.x);
    trvi_lanes_store(w.y, angular.y);
    trvi_lanes_store(w.z, angular.z);
    for (int lane = 0; lane < TRVI_LANES; lane++) {
        trvi_motion *motion = &motions[bodies[lane]];
        if (motion->pushable == 0.0f || on[lane] == 0.0f)
            continue;
        motion->linear = (trv_vec3){v.x[lane], v.y[lane], v.z[lane]};
        motion->angular = (trv_vec3){w.x[lane], w.y[lane], w.z[lane]};
    }
}

static pair_state gather(const trvi_step *step, const trvi_block *block)
{
    pair_state s;
    gather_velocities(step->motions, block->body_a, &s.linear_a, &s.angular_a);
    gather_velocities(step->motions, block->body_b, &s.linear_b, &s.angular_b);
    return s;
}

static void scatter(const trvi_step *step, const trvi_block *block, const float *on,
                    const pair_state *s)
{
    scatter_velocities(step->motions, block->body_a, on, s->linear_a, s->angular_a);
    scatter_velocities(step->motions, block->body_b, on, s->linear_b, s->angular_b);
}

// Where the anchors have got to, less where they were: moved + (turned - 1) anchor.
static trvi_wide3 displacement(const trvi_motion *motions, const uint32_t *bodies,
                               trvi_wide3 anchor)
{
    trvi_lane_vec3 moved, axis;
    trvi_lane_floats w;
    for (int lane = 0; lane < TRVI_LANES; lane++) {
        const trvi_motion *motion = &motions[bodies[lane]];
        moved.x[lane] = motion->moved.x;
        moved.y[lane] = motion->moved.y;
        moved.z[lane] = motion->moved.z;
        axis.x[lane] = motion->turned.x;
        axis.y[lane] = motion->turned.y;
        axis.z[lane] = motion->turned.z;
        w[lane] = motion->turned.w;
    }
    trvi_wide3 u = load3(&axis);
    trvi_wide3 t = trvi_wide_cross(u, anchor);
    t = trvi_wide_add(t, t);
    trvi_wide3 turned =
        trvi_wide_add(trvi_wide_scale(t, trvi_lanes_load(w)), trvi_wide_cross(u, t));
    return trvi_wide_add(load3(&moved), turned);
}

// What the impulses act through, loaded once for all points of a block.
typedef struct pair_mass {
    trvi_wide3 inverse_mass_a, inverse_mass_b;
    trvi_wide_symmetric inverse_inertia_a, inverse_inertia_b;
} pair_mass;

static pair_mass load_mass(const trvi_block *block)
{
    return (pair_mass){load3(&block->inverse_mass_a), load3(&block->inverse_mass_b),
                       load_symmetric(&block->inverse_inertia_a),
                       load_symmetric(&block->inverse_inertia_b)};
}

static trvi_wide3 each_mul(trvi_wide3 a, trvi_wide3 b)
{
    return (trvi_wide3){trvi_lanes_mul(a.x, b.x), trvi_lanes_mul(a.y, b.y),
                        trvi_lanes_mul(a.z, b.z)};
}

static void push_apart(pair_state *s, const pair_mass *m, trvi_wide3 anchor_a, trvi_wide3 anchor_b,
                       trvi_wide3 impulse)
{
    s->linear_a = trvi_wide_sub(s->linear_a, each_mul(impulse, m->inverse_mass_a));
    s->angular_a =
        trvi_wide_sub(s->angular_a, trvi_wide_symmetric_mul(&m->inverse_inertia_a,
                                                            trvi_wide_cross(anchor_a, impulse)));
    s->linear_b = trvi_wide_add(s->linear_b, each_mul(impulse, m->inverse_mass_b));
    s->angular_b =
        trvi_wide_add(s->angular_b, trvi_wide_symmetric_mul(&m->inverse_inertia_b,
                                                            trvi_wide_cross(anchor_b, impulse)));
}

static trvi_wide3 relative_velocity(const pair_state *s, trvi_wide3 anchor_a, trvi_wide3 anchor_b)
{
    trvi_wide3 at_a = trvi_wide_add(s->linear_a, trvi_wide_cross(s->angular_a, anchor_a));
    trvi_wide3 at_b = trvi_wide_add(s->linear_b, trvi_wide_cross(s->angular_b, anchor_b));
    return trvi_wide_sub(at_b, at_a);
}

void trvi_block_warm_start(const trvi_step *step, trvi_block *block)
{
    memset(&block->rolled, 0, sizeof block->rolled);
    pair_state s = gather(step, block);
    pair_mass m = load_mass(block);
    trvi_wide3 normal = load3(&block->normal);
    trvi_wide3 tangent_1 = load3(&block->tangent_1), tangent_2 = load3(&block->tangent_2);
    for (uint32_t p = 0; p < block->points; p++) {
        const trvi_block_point *point = &block->point[p];
        trvi_wide3 impulse = trvi_wide_scale(normal, trvi_lanes_load(point->normal));
        impulse = trvi_wide_mul_add(impulse, tangent_1, trvi_lanes_load(point->tangent_1));
        impulse = trvi_wide_mul_add(impulse, tangent_2, trvi_lanes_load(point->tangent_2));
        push_apart(&s, &m, load3(&point->anchor_a), load3(&point->anchor_b), impulse);
    }
    scatter(step, block, block->solving, &s);
}

// Where the anchors of a point are now.
typedef struct offset {
    trvi_lanes normal, tangent_1, tangent_2; // B's from A's, m
} offset;

static offset offset_at(const trvi_step *step, const trvi_block *block,
                        const trvi_block_point *point)
{
    trvi_wide3 anchor_a = load3(&point->anchor_a), anchor_b = load3(&point->anchor_b);
    // Round shapes touch at the same side, however they spin: only their cores turn.
    trvi_wide3 normal = load3(&block->normal);
    trvi_wide3 core_a = trvi_wide_mul_sub(anchor_a, normal, trvi_lanes_load(block->radius_a));
    trvi_wide3 core_b = trvi_wide_mul_add(anchor_b, normal, trvi_lanes_load(block->radius_b));
    trvi_wide3 shift = trvi_wide_sub(displacement(step->motions, block->body_b, core_b),
                                     displacement(step->motions, block->body_a, core_a));
    trvi_wide3 apart = trvi_wide_add(shift, trvi_wide_sub(anchor_b, anchor_a));
    trvi_lanes gap = trvi_lanes_add(trvi_lanes_load(point->gap), trvi_lanes_load(block->held));
    return (offset){trvi_lanes_add(trvi_wide_dot(apart, normal), gap),
                    trvi_lanes_add(trvi_wide_dot(apart, load3(&block->tangent_1)),
                                   trvi_lanes_load(point->slip_1)),
                    trvi_lanes_add(trvi_wide_dot(apart, load3(&block->tangent_2)),
                                   trvi_lanes_load(point->slip_2))};
}

// The speed to aim for and how hard: a gap may be closed within the sub-step, overlap beyond the slop
// is pushed out (when `push`), by the spring where there is one, and what is left is held still. What friction
// let go by is taken back, too.
typedef struct aim {
    trvi_lanes bias, mass_scale, impulse_scale;
    trvi_lanes back_1, back_2; // against what was dragged along the surface
} aim;

// What of an error lies beyond the slop.
static trvi_lanes beyond(trvi_lanes error, trvi_lanes slop)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f), low = trvi_lanes_sub(zero, slop);
    return trvi_lanes_sub(error, trvi_lanes_max(trvi_lanes_min(error, slop), low));
}

static aim aim_at(const trvi_step *step, const trvi_block *block, offset at, bool push)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f), one = trvi_lanes_splat(1.0f);
    trvi_lanes separation = at.normal, rate = trvi_lanes_load(block->bias_rate);
    trvi_lanes hold = trvi_lanes_load(block->hold_rate);
    trvi_lanes close = trvi_lanes_mul(separation, trvi_lanes_splat(step->inverse_h));
    if (!push)
        return (aim){trvi_lanes_if_greater(separation, zero, close, zero), one, zero, zero, zero};
    trvi_lanes deep = trvi_lanes_add(separation, trvi_lanes_load(block->slop));
    trvi_lanes out = trvi_lanes_max(trvi_lanes_mul(rate, trvi_lanes_min(deep, zero)),
                                    trvi_lanes_splat(-step->push_speed));
    return (aim){
        trvi_lanes_if_greater(separation, zero, close, out),
        trvi_lanes_if_greater(separation, zero, one, trvi_lanes_load(block->mass_scale)),
        trvi_lanes_if_greater(separation, zero, zero, trvi_lanes_load(block->impulse_scale)),
        trvi_lanes_mul(hold, beyond(at.tangent_1, trvi_lanes_load(block->hold_slop))),
        trvi_lanes_mul(hold, beyond(at.tangent_2, trvi_lanes_load(block->hold_slop)))};
}

// What has settled keeps what it had.
static trvi_lanes while_solving(const trvi_block *block, trvi_lanes after, trvi_lanes before)
{
    return trvi_lanes_if_greater(trvi_lanes_load(block->solving), trvi_lanes_splat(0.0f), after,
                                 before);
}

static void solve_normal(const trvi_block *block, trvi_block_point *point, aim goal, pair_state *s,
                         const pair_mass *m)
{
    trvi_wide3 normal = load3(&block->normal);
    trvi_wide3 anchor_a = load3(&point->anchor_a), anchor_b = load3(&point->anchor_b);
    trvi_lanes speed = trvi_wide_dot(relative_velocity(s, anchor_a, anchor_b), normal);
    trvi_lanes before = trvi_lanes_load(point->normal);
    trvi_lanes wanted =
        trvi_lanes_mul(trvi_lanes_mul(trvi_lanes_load(point->normal_mass), goal.mass_scale),
                       trvi_lanes_add(speed, goal.bias));
    trvi_lanes after =
        trvi_lanes_sub(trvi_lanes_sub(before, wanted), trvi_lanes_mul(goal.impulse_scale, before));
    after = while_solving(block, trvi_lanes_max(after, trvi_lanes_splat(0.0f)), before);
    trvi_lanes_store(point->normal, after);
    trvi_lanes_store(point->largest, trvi_lanes_max(after, trvi_lanes_load(point->largest)));
    push_apart(s, m, anchor_a, anchor_b, trvi_wide_scale(normal, trvi_lanes_sub(after, before)));
}

// The tangential pair of impulses, scaled back into the circle of radius friction * normal impulse.
static void solve_friction(const trvi_block *block, trvi_block_point *point, aim goal,
                           pair_state *s, const pair_mass *m)
{
    trvi_wide3 tangent_1 = load3(&block->tangent_1), tangent_2 = load3(&block->tangent_2);
    trvi_wide3 anchor_a = load3(&point->anchor_a), anchor_b = load3(&point->anchor_b);
    trvi_wide3 slip = relative_velocity(s, anchor_a, anchor_b);
    trvi_lanes slip_1 =
        trvi_lanes_add(trvi_wide_dot(slip, tangent_1), trvi_lanes_load(block->surface_1));
    trvi_lanes slip_2 =
        trvi_lanes_add(trvi_wide_dot(slip, tangent_2), trvi_lanes_load(block->surface_2));
    trvi_lanes before_1 = trvi_lanes_load(point->tangent_1);
    trvi_lanes before_2 = trvi_lanes_load(point->tangent_2);
    trvi_lanes after_1 =
        trvi_lanes_sub(before_1, trvi_lanes_mul(trvi_lanes_load(point->tangent_mass_1),
                                                trvi_lanes_add(slip_1, goal.back_1)));
    trvi_lanes after_2 =
        trvi_lanes_sub(before_2, trvi_lanes_mul(trvi_lanes_load(point->tangent_mass_2),
                                                trvi_lanes_add(slip_2, goal.back_2)));
    trvi_lanes most =
        trvi_lanes_mul(trvi_lanes_load(block->friction), trvi_lanes_load(point->normal));
    trvi_lanes length = trvi_lanes_sqrt(
        trvi_lanes_add(trvi_lanes_mul(after_1, after_1), trvi_lanes_mul(after_2, after_2)));
    trvi_lanes one = trvi_lanes_splat(1.0f);
    trvi_lanes divisor = trvi_lanes_if_greater(length, most, length, one);
    trvi_lanes scale = trvi_lanes_if_greater(length, most, trvi_lanes_div(most, divisor), one);
    after_1 = while_solving(block, trvi_lanes_mul(after_1, scale), before_1);
    after_2 = while_solving(block, trvi_lanes_mul(after_2, scale), before_2);
    trvi_lanes_store(point->tangent_1, after_1);
    trvi_lanes_store(point->tangent_2, after_2);
    trvi_wide3 impulse = trvi_wide_scale(tangent_1, trvi_lanes_sub(after_1, before_1));
    impulse = trvi_wide_mul_add(impulse, tangent_2, trvi_lanes_sub(after_2, before_2));
    push_apart(s, m, anchor_a, anchor_b, impulse);
}

// A torque against the relative spin, at most the lever arm times what the contact presses.
static void solve_rolling(trvi_block *block, pair_state *s, const pair_mass *m)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f), one = trvi_lanes_splat(1.0f), pressed = zero;
    for (uint32_t p = 0; p < block->points; p++)
        pressed = trvi_lanes_add(pressed, trvi_lanes_load(block->point[p].normal));
    trvi_lanes most = trvi_lanes_mul(trvi_lanes_load(block->rolling), pressed);
    trvi_wide3 spin = trvi_wide_sub(s->angular_b, s->angular_a);
    trvi_wide3 before = load3(&block->rolled);
    trvi_wide3 after = trvi_wide_mul_sub(before, spin, trvi_lanes_load(block->rolling_mass));
    trvi_lanes length = trvi_lanes_sqrt(trvi_wide_dot(after, after));
    trvi_lanes divisor = trvi_lanes_if_greater(length, most, length, one);
    trvi_lanes scale = trvi_lanes_if_greater(length, most, trvi_lanes_div(most, divisor), one);
    after = trvi_wide_scale(after, scale);
    after = (trvi_wide3){while_solving(block, after.x, before.x),
                         while_solving(block, after.y, before.y),
                         while_solving(block, after.z, before.z)};
    trvi_lanes_store(block->rolled.x, after.x);
    trvi_lanes_store(block->rolled.y, after.y);
    trvi_lanes_store(block->rolled.z, after.z);
    trvi_wide3 impulse = trvi_wide_sub(after, before);
    s->angular_a =
        trvi_wide_sub(s->angular_a, trvi_wide_symmetric_mul(&m->inverse_inertia_a, impulse));
    s->angular_b =
        trvi_wide_add(s->angular_b, trvi_wide_symmetric_mul(&m->inverse_inertia_b, impulse));
}

static bool any_rolling(const trvi_block *block)
{
    float most = 0.0f;
    for (int lane = 0; lane < TRVI_LANES; lane++)
        most = block->rolling[lane] > most ? block->rolling[lane] : most;
    return most > 0.0f;
}

// Where one side turns by itself, the point that bears on it goes to places of another speed: what
// counts is where it is at the end of the sub-step, which lies `ahead` of the bodies (s).
static void add_carrying(const trvi_step *step, const trvi_block *block, float ahead, aim *goals)
{
    trvi_lane_vec3 way;
    for (int lane = 0; lane < TRVI_LANES; lane++) {
        const trvi_motion *a = &step->motions[block->body_a[lane]];
        const trvi_motion *b = &step->motions[block->body_b[lane]];
        trv_vec3 moved =
            trvi_mul_add(trvi_sub(b->moved, a->moved), trvi_sub(b->linear, a->linear), ahead);
        way.x[lane] = moved.x;
        way.y[lane] = moved.y;
        way.z[lane] = moved.z;
    }
    trvi_wide3 speed = trvi_wide_cross(load3(&way), load3(&block->carrier));
    trvi_lanes along_1 = trvi_wide_dot(speed, load3(&block->tangent_1));
    trvi_lanes along_2 = trvi_wide_dot(speed, load3(&block->tangent_2));
    trvi_lanes off = trvi_wide_dot(speed, load3(&block->normal));
    for (uint32_t p = 0; p < block->points; p++) {
        goals[p].bias = trvi_lanes_add(goals[p].bias, off);
        goals[p].back_1 = trvi_lanes_add(goals[p].back_1, along_1);
        goals[p].back_2 = trvi_lanes_add(goals[p].back_2, along_2);
    }
}

void trvi_block_solve(const trvi_step *step, trvi_block *block, bool push)
{
    pair_state s = gather(step, block);
    pair_mass m = load_mass(block);
    uint32_t count = block->points;
    aim goals[TRV_MANIFOLD_POINTS]; // bodies don't move during the pass
    for (uint32_t p = 0; p < count; p++)
        goals[p] = aim_at(step, block, offset_at(step, block, &block->point[p]), push);
    if (block->carried)
        add_carrying(step, block, push ? step->h : 0.0f, goals);
    // Forth and back, so that no corner is favoured.
    for (uint32_t p = 0; p < count; p++)
        solve_normal(block, &block->point[p], goals[p], &s, &m);
    for (uint32_t p = count; p-- > 0;)
        solve_normal(block, &block->point[p], goals[p], &s, &m);
    for (uint32_t p = 0; p < count; p++)
        solve_friction(block, &block->point[p], goals[p], &s, &m);
    if (any_rolling(block))
        solve_rolling(block, &s, &m);
    scatter(step, block, block->solving, &s);
}

static const float *impulse_of(const trvi_block_point *point, int k)
{
    return k == 0 ? point->normal : (k == 1 ? point->tangent_1 : point->tangent_2);
}

static const float *mass_of(const trvi_block_point *point, int k)
{
    return k == 0 ? point->normal_mass : (k == 1 ? point->tangent_mass_1 : point->tangent_mass_2);
}

void trvi_block_remember(const trvi_block *block, trvi_trial *trial)
{
    for (uint32_t p = 0; p < block->points; p++)
        for (int k = 0; k < 3; k++)
            memcpy(trial->before[p][k], impulse_of(&block->point[p], k), sizeof(trvi_lane_floats));
}

trvi_change trvi_block_change(const trvi_block *block, const trvi_trial *trial)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f), one = trvi_lanes_splat(1.0f);
    trvi_lanes made = zero, whole = zero;
    for (uint32_t p = 0; p < block->points; p++)
        for (int k = 0; k < 3; k++) {
            trvi_lanes mass = trvi_lanes_load(mass_of(&block->point[p], k));
            mass = trvi_lanes_if_greater(mass, zero, mass, one); // unused lanes hold no impulse
            trvi_lanes now = trvi_lanes_load(impulse_of(&block->point[p], k));
            trvi_lanes change = trvi_lanes_sub(now, trvi_lanes_load(trial->before[p][k]));
            made = trvi_lanes_add(made, trvi_lanes_div(trvi_lanes_mul(change, change), mass));
            whole = trvi_lanes_add(whole, trvi_lanes_div(trvi_lanes_mul(now, now), mass));
        }
    trvi_change change;
    trvi_lanes_store(change.made, made);
    trvi_lanes_store(change.whole, whole);
    return change;
}

void trvi_block_go_on(const trvi_step *step, trvi_block *block, trvi_trial *trial,
                      const trvi_lane_floats shares)
{
    pair_state s = gather(step, block);
    pair_mass m = load_mass(block);
    const trvi_wide3 axes[3] = {load3(&block->normal), load3(&block->tangent_1),
                                load3(&block->tangent_2)};
    trvi_lanes zero = trvi_lanes_splat(0.0f), part = trvi_lanes_load(shares);
    for (uint32_t p = 0; p < block->points; p++) {
        trvi_block_point *point = &block->point[p];
        float *impulses[3] = {point->normal, point->tangent_1, point->tangent_2};
        trvi_wide3 push = {zero, zero, zero};
        for (int k = 0; k < 3; k++) {
            trvi_lanes now = trvi_lanes_load(impulses[k]);
            trvi_lanes change = trvi_lanes_sub(now, trvi_lanes_load(trial->before[p][k]));
            trvi_lanes way = trvi_lanes_load(trial->way[p][k]); // the first one is none yet
            trvi_lanes on = trvi_lanes_if_greater(part, zero, trvi_lanes_mul(part, way), zero);
            trvi_lanes_store(impulses[k],
                             trvi_lanes_if_greater(part, zero, trvi_lanes_add(now, on), now));
            trvi_lanes_store(trial->way[p][k], trvi_lanes_add(on, change));
            push = trvi_wide_mul_add(push, axes[k], on);
        }
        push_apart(&s, &m, load3(&point->anchor_a), load3(&point->anchor_b), push);
    }
    scatter(step, block, shares, &s);
}
