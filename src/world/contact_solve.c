// The passes over a block of contacts, all lanes at once: warm start, solve.
//
// Each point is solved by itself with the impulses accumulated and clamped: the normal one to push
// only, the tangential pair to the circle of Coulomb's law. Where friction held, the anchors on
// either surface stay together: what they have drifted apart is taken back with the overlap. A lane
// that is not used has zero masses, so its impulses stay zero.
//
// What the points of a contact do to one another is followed at the contact's middle
// (contact_response.h), in the frame of its normal; the bodies learn the sum.
//
// Based on: E. Catto, "Iterative Dynamics with Temporal Coherence" (2005); "Solver2D" (2024).
//
// Compiled twice: for vectors of four lanes, and for eight by contact_eight.c. Blocks have eight;
// each function here goes over the lanes from `first` on that a vector holds.
#include "contact_store.h"

#if TRVI_LANES == 8
#define PASSES static const trvi_passes passes_eight
#else
#define PASSES const trvi_passes trvi_passes_four
#endif

static void scatter_side(trvi_motion *motions, const uint32_t *bodies, uint32_t which,
                         const side_state *s)
{
    const trvi_lanes v[4] = {s->linear.x, s->linear.y, s->linear.z, s->pushable};
    const trvi_lanes w[4] = {s->angular.x, s->angular.y, s->angular.z, s->touched};
    float *linear[TRVI_LANES], *angular[TRVI_LANES];
    for (int lane = 0; lane < TRVI_LANES; lane++) {
        linear[lane] = &motions[bodies[lane]].linear.x;
        angular[lane] = &motions[bodies[lane]].angular.x;
    }
    trvi_lanes_store_rows(linear, which, v);
    trvi_lanes_store_rows(angular, which, w);
}

// Bodies that cannot be pushed are shared by many contacts and must not be written; nor are those
// of lanes that are not `on`.
static void scatter(const trvi_step *step, const trvi_block *block, uint32_t first, const float *on,
                    const pair_state *s)
{
    uint32_t off = trvi_lanes_at_least(trvi_lanes_splat(0.0f), trvi_lanes_load(on + first));
    scatter_side(step->motions, block->body_a + first, block->pushes_a >> first & ~off, &s->a);
    scatter_side(step->motions, block->body_b + first, block->pushes_b >> first & ~off, &s->b);
}

// What acts at the contact's middle on side B, and against A, in the frame of the block: N s, N m
// s.
typedef struct wide_wrench {
    trvi_wide3 force, torque;
} wide_wrench;

static wide_wrench no_wrench(void)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f);
    return (wide_wrench){{zero, zero, zero}, {zero, zero, zero}};
}

static void add_impulse(wide_wrench *wrench, const trvi_block_point *point, uint32_t first,
                        trvi_wide3 impulse)
{
    wrench->force = trvi_wide_add(wrench->force, impulse);
    wrench->torque =
        trvi_wide_add(wrench->torque, trvi_wide_cross(trvi_wide_load(&point->at, first), impulse));
}

static trvi_wide3 move_by(const trvi_block *block, uint32_t first, const trvi_lane_floats *mass,
                          const trvi_lane_vec3 *free, trvi_wide3 force)
{
    if (block->locked)
        return trvi_wide_mul(force, trvi_wide_load(free, first));
    return trvi_wide_scale(force, trvi_lanes_load(*mass + first));
}

// A force in the frame of the block, and a torque along the axes of the world.
static void push_sides(const trvi_block *block, uint32_t first, pair_state *s, trvi_wide3 force,
                       trvi_wide3 turn_a, trvi_wide3 turn_b)
{
    trvi_wide_symmetric inertia_a = trvi_wide_load_symmetric(&block->inverse_inertia_a, first);
    trvi_wide_symmetric inertia_b = trvi_wide_load_symmetric(&block->inverse_inertia_b, first);
    s->a.linear = trvi_wide_sub(
        s->a.linear, move_by(block, first, &block->inverse_mass_a, &block->free_a, force));
    s->b.linear = trvi_wide_add(
        s->b.linear, move_by(block, first, &block->inverse_mass_b, &block->free_b, force));
    s->a.angular = trvi_wide_sub(s->a.angular, trvi_wide_symmetric_mul(&inertia_a, turn_a));
    s->b.angular = trvi_wide_add(s->b.angular, trvi_wide_symmetric_mul(&inertia_b, turn_b));
}

static void push_apart(const trvi_block *block, uint32_t first, const trvi_wide_frame *frame,
                       pair_state *s, const wide_wrench *wrench)
{
    trvi_wide3 force = trvi_out_of_frame(frame, wrench->force);
    trvi_wide3 turn_a = trvi_wide_cross(trvi_wide_load(&block->middle_a, first), force);
    trvi_wide3 turn_b = trvi_wide_cross(trvi_wide_load(&block->middle_b, first), force);
    if (block->points > 1) { // else all of it acts at the middle
        trvi_wide3 torque = trvi_out_of_frame(frame, wrench->torque);
        turn_a = trvi_wide_add(torque, turn_a);
        turn_b = trvi_wide_add(torque, turn_b);
    }
    push_sides(block, first, s, force, turn_a, turn_b);
}

static wide_wrench impulses_of(const trvi_block *block, uint32_t first)
{
    wide_wrench sum = no_wrench();
    for (uint32_t p = 0; p < block->points; p++) {
        const trvi_block_point *point = &block->point[p];
        add_impulse(&sum, point, first,
                    (trvi_wide3){trvi_lanes_load(point->normal + first),
                                 trvi_lanes_load(point->tangent_1 + first),
                                 trvi_lanes_load(point->tangent_2 + first)});
    }
    return sum;
}

static void warm_start_part(const trvi_step *step, trvi_block *block, uint32_t first)
{
    pair_state s = gather(step, block, first);
    wide_wrench sum = impulses_of(block, first);
    trvi_lanes_store(block->given + first,
                     trvi_lanes_add(trvi_lanes_load(block->given + first), sum.force.x));
    trvi_wide_frame frame = trvi_block_frame(block, first);
    push_apart(block, first, &frame, &s, &sum);
    if (block->rolls)
        turn_apart(block, first, &s, trvi_wide_load(&block->rolled, first));
    scatter(step, block, first, block->solving, &s);
}

// The sides' relative motion at the contact's middle, and the impulses that are being found.
typedef struct solving {
    trvi_wide3 speed, spin; // B's from A's, in the frame of the block
    trvi_wide3 impulse[TRV_MANIFOLD_POINTS];
} solving;

static inline void see_motion(const trvi_block *block, uint32_t first, uint32_t points,
                              const trvi_wide_frame *frame, const pair_state *s, solving *now)
{
    now->speed = relative_speed(block, first, frame, s);
    now->spin = trvi_into_frame(frame, trvi_wide_sub(s->b.angular, s->a.angular));
    for (uint32_t p = 0; p < points; p++) {
        const trvi_block_point *point = &block->point[p];
        now->impulse[p] = (trvi_wide3){trvi_lanes_load(point->normal + first),
                                       trvi_lanes_load(point->tangent_1 + first),
                                       trvi_lanes_load(point->tangent_2 + first)};
    }
}

// How the speed along the normal and the spins about the tangents give way to force and torques
// there.
static trvi_wide_symmetric press_of(const trvi_block *block, uint32_t first)
{
    const trvi_lane_turning *by = &block->turning;
    return (trvi_wide_symmetric){
        trvi_lanes_load(block->speeds.xx + first), trvi_lanes_load(by->spins.yy + first),
        trvi_lanes_load(by->spins.zz + first),     trvi_lanes_load(by->turns[0].y + first),
        trvi_lanes_load(by->turns[0].z + first),   trvi_lanes_load(by->spins.yz + first)};
}

// The speeds along the tangents and the spin about the normal.
static trvi_wide_symmetric drag_of(const trvi_block *block, uint32_t first)
{
    const trvi_lane_turning *by = &block->turning;
    return (trvi_wide_symmetric){
        trvi_lanes_load(block->speeds.yy + first), trvi_lanes_load(block->speeds.zz + first),
        trvi_lanes_load(by->spins.xx + first),     trvi_lanes_load(block->speeds.yz + first),
        trvi_lanes_load(by->turns[1].x + first),   trvi_lanes_load(by->turns[2].x + first)};
}

// The latter three by what acts on the former three.
static void see_between(const trvi_block *block, uint32_t first, trvi_wide3 between[3])
{
    const trvi_lane_turning *by = &block->turning;
    between[0] = (trvi_wide3){trvi_lanes_load(block->speeds.xy + first),
                              trvi_lanes_load(by->turns[1].y + first),
                              trvi_lanes_load(by->turns[1].z + first)};
    between[1] = (trvi_wide3){trvi_lanes_load(block->speeds.xz + first),
                              trvi_lanes_load(by->turns[2].y + first),
                              trvi_lanes_load(by->turns[2].z + first)};
    between[2] =
        (trvi_wide3){trvi_lanes_load(by->turns[0].x + first), trvi_lanes_load(by->spins.xy + first),
                     trvi_lanes_load(by->spins.xz + first)};
}

// What the normal impulses of a contact do to each other's points: the speed at one by a unit at
// another.
typedef struct normals {
    trvi_lanes speed[TRV_MANIFOLD_POINTS]; // over the speed to aim for
    trvi_lanes by[TRV_MANIFOLD_POINTS][TRV_MANIFOLD_POINTS];
} normals;

static inline void see_normals(const trvi_block *block, uint32_t first, uint32_t points,
                               const trvi_aims *aims, const solving *now, normals *out)
{
    trvi_wide_symmetric m = press_of(block, first);
    trvi_wide3 press = {now->speed.x, now->spin.y, now->spin.z};
    for (uint32_t p = 0; p < points; p++) {
        const trvi_block_point *point = &block->point[p];
        trvi_lanes y = trvi_lanes_load(point->at.z + first),
                   z = trvi_lanes_load(point->at.y + first);
        trvi_wide3 given = {mul_sub(mul_add(m.xx, m.xy, y), m.xz, z),
                            mul_sub(mul_add(m.xy, m.yy, y), m.yz, z),
                            mul_sub(mul_add(m.xz, m.yz, y), m.zz, z)};
        out->speed[p] = trvi_lanes_add(speed_at(point, first, press),
                                       trvi_lanes_load(aims->of[p].bias + first));
        for (uint32_t q = 0; q <= p; q++)
            out->by[p][q] = out->by[q][p] = speed_at(&block->point[q], first, given);
    }
}

static inline void solve_normal(normals *all, const trvi_block *block, uint32_t first,
                                uint32_t points, uint32_t p, const trvi_aim *aim,
                                trvi_lanes *impulse)
{
    trvi_lanes before = *impulse;
    trvi_lanes kept = mul_sub(before, trvi_lanes_load(aim->leak + first), before);
    trvi_lanes after = mul_sub(kept, trvi_lanes_load(aim->mass + first), all->speed[p]);
    *impulse = trvi_lanes_max(after, trvi_lanes_load(block->point[p].least + first));
    trvi_lanes change = trvi_lanes_sub(*impulse, before);
    for (uint32_t q = 0; q < points; q++)
        all->speed[q] = mul_add(all->speed[q], all->by[p][q], change);
}

// Forth and back, so that no corner is favoured.
static inline void solve_normals(const trvi_block *block, uint32_t first, uint32_t points,
                                 const trvi_aims *aims, solving *now)
{
    normals all;
    see_normals(block, first, points, aims, now, &all);
    for (uint32_t p = 0; p < points; p++)
        solve_normal(&all, block, first, points, p, &aims->of[p], &now->impulse[p].x);
    for (uint32_t p = points; p-- > 0;)
        solve_normal(&all, block, first, points, p, &aims->of[p], &now->impulse[p].x);
}

// What the normal impulses do to the contact's motion.
static inline void carry_over(const trvi_block *block, uint32_t first, uint32_t points,
                              solving *now)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f);
    trvi_wide3 sum = {zero, zero, zero};
    for (uint32_t p = 0; p < points; p++) {
        const trvi_block_point *point = &block->point[p];
        trvi_lanes change =
            trvi_lanes_sub(now->impulse[p].x, trvi_lanes_load(point->normal + first));
        sum.x = trvi_lanes_add(sum.x, change);
        sum.y = mul_add(sum.y, trvi_lanes_load(point->at.z + first), change);
        sum.z = mul_sub(sum.z, trvi_lanes_load(point->at.y + first), change);
    }
    trvi_wide_symmetric m = press_of(block, first);
    trvi_wide3 press = trvi_wide_symmetric_mul(&m, sum);
    trvi_wide3 between[3];
    see_between(block, first, between);
    trvi_wide3 drag = {trvi_wide_dot(between[0], sum), trvi_wide_dot(between[1], sum),
                       trvi_wide_dot(between[2], sum)};
    now->speed = trvi_wide_add(now->speed, (trvi_wide3){press.x, drag.x, drag.y});
    now->spin = trvi_wide_add(now->spin, (trvi_wide3){drag.z, press.y, press.z});
}

// One mass for both tangents: the smaller, on the safe side, but for one that is locked and has none.
static trvi_lanes sliding_mass(trvi_lanes mass_1, trvi_lanes mass_2)
{
    trvi_lanes smaller = trvi_lanes_if_greater(mass_1, mass_2, mass_2, mass_1);
    trvi_lanes larger = trvi_lanes_if_greater(mass_1, mass_2, mass_1, mass_2);
    return trvi_lanes_if_greater(smaller, trvi_lanes_splat(0.0f), smaller, larger);
}

// A pair of impulses against a slip, within the circle. What holds takes back all of the slip, by the
// mass of each tangent; what slides is pushed straight against it, which takes one mass for both.
static void resist(const trvi_block_point *point, uint32_t first, trvi_lanes slip_1,
                   trvi_lanes slip_2, trvi_lanes most, trvi_wide3 *impulse)
{
    trvi_lanes before_1 = impulse->y, before_2 = impulse->z;
    trvi_lanes mass_1 = trvi_lanes_load(point->tangent_mass_1 + first);
    trvi_lanes mass_2 = trvi_lanes_load(point->tangent_mass_2 + first);
    trvi_lanes hold_1 = mul_sub(before_1, mass_1, slip_1);
    trvi_lanes hold_2 = mul_sub(before_2, mass_2, slip_2);
    impulse->y = hold_1;
    impulse->z = hold_2;
    trvi_lanes square = mul_add(trvi_lanes_mul(hold_1, hold_1), hold_2, hold_2);
    trvi_lanes full = trvi_lanes_mul(most, most);
    if (all_at_least(full, square))
        return; // as mostly: then nobody waits for the root
    trvi_lanes mass = sliding_mass(mass_1, mass_2);
    trvi_lanes slide_1 = mul_sub(before_1, mass, slip_1);
    trvi_lanes slide_2 = mul_sub(before_2, mass, slip_2);
    trvi_lanes way = mul_add(trvi_lanes_mul(slide_1, slide_1), slide_2, slide_2);
    trvi_lanes one = trvi_lanes_splat(1.0f);
    trvi_lanes length = trvi_lanes_sqrt(trvi_lanes_if_greater(way, full, way, one));
    trvi_lanes scale = trvi_lanes_if_greater(way, full, trvi_lanes_div(most, length), one);
    impulse->y = trvi_lanes_if_greater(square, full, trvi_lanes_mul(slide_1, scale), hold_1);
    impulse->z = trvi_lanes_if_greater(square, full, trvi_lanes_mul(slide_2, scale), hold_2);
}

static inline trvi_lanes most_friction(const trvi_block *block, uint32_t first, const trvi_aim *aim,
                                       trvi_lanes normal)
{
    trvi_lanes most = trvi_lanes_mul(trvi_lanes_load(block->friction + first), normal);
    if (!block->bound)
        return most;
    trvi_lanes bound = trvi_lanes_load(aim->most + first);
    return trvi_lanes_if_greater(trvi_lanes_splat(0.0f), bound, most, bound);
}

// What friction does to a contact's motion while it is being found: the speeds along the tangents and the spin
// about the normal, and the spins about the tangents.
typedef struct dragging {
    trvi_wide3 drag;
    trvi_lanes spin_1, spin_2;
} dragging;

// Friction at a point off the plane through the middle tilts the contact, too: sweeps that leave that out find
// nothing where a thin body is turned about its length. In lanes that do not tilt by much it is left to the next sweep.
static TRVI_RARE void add_tilt(const trvi_block *block, uint32_t first, trvi_wide3 at,
                               trvi_lanes change_1, trvi_lanes change_2, trvi_lanes torque,
                               dragging *now)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f), tilts = trvi_lanes_load(block->tilts + first);
    trvi_wide_symmetric spins = trvi_wide_load_symmetric(&block->turning.spins, first);
    trvi_wide3 by_1 = trvi_wide_load(&block->turning.turns[1], first);
    trvi_wide3 by_2 = trvi_wide_load(&block->turning.turns[2], first);
    trvi_wide3 tilt = {zero, trvi_lanes_sub(zero, trvi_lanes_mul(at.x, change_2)),
                       trvi_lanes_mul(at.x, change_1)};
    trvi_wide3 drag = {trvi_wide_dot(by_1, tilt), trvi_wide_dot(by_2, tilt),
                       trvi_wide_symmetric_mul(&spins, tilt).x};
    tilt.x = torque;
    trvi_wide3 spin = trvi_wide_symmetric_mul(&spins, tilt);
    spin = trvi_wide_mul_add(trvi_wide_mul_add(spin, by_1, change_1), by_2, change_2);
    now->drag = if_greater3(tilts, zero, trvi_wide_add(now->drag, drag), now->drag);
    now->spin_1 =
        trvi_lanes_if_greater(tilts, zero, trvi_lanes_add(now->spin_1, spin.y), now->spin_1);
    now->spin_2 =
        trvi_lanes_if_greater(tilts, zero, trvi_lanes_add(now->spin_2, spin.z), now->spin_2);
}

// The tangential pairs of impulses, within circles of radius friction * normal impulse.
static inline void solve_friction(const trvi_block *block, uint32_t first, uint32_t points,
                                  const trvi_aims *aims, solving *now)
{
    trvi_wide_symmetric m = drag_of(block, first);
    dragging is = {{now->speed.y, now->speed.z, now->spin.x}, now->spin.y, now->spin.z};
    bool tilt = !all_at_least(trvi_lanes_splat(0.0f), trvi_lanes_load(block->tilts + first));
    for (uint32_t p = 0; p < points; p++) {
        const trvi_block_point *point = &block->point[p];
        const trvi_aim *aim = &aims->of[p];
        trvi_wide3 at = trvi_wide_load(&point->at, first), *impulse = &now->impulse[p];
        trvi_lanes slip_1 = mul_add(trvi_lanes_load(aim->back_1 + first), is.spin_2, at.x);
        trvi_lanes slip_2 = mul_sub(trvi_lanes_load(aim->back_2 + first), is.spin_1, at.x);
        slip_1 = mul_sub(trvi_lanes_add(slip_1, is.drag.x), is.drag.z, at.z);
        slip_2 = mul_add(trvi_lanes_add(slip_2, is.drag.y), is.drag.z, at.y);
        trvi_lanes before_1 = impulse->y, before_2 = impulse->z;
        resist(point, first, slip_1, slip_2, most_friction(block, first, aim, impulse->x), impulse);
        trvi_lanes change_1 = trvi_lanes_sub(impulse->y, before_1);
        trvi_lanes change_2 = trvi_lanes_sub(impulse->z, before_2);
        trvi_lanes torque =
            trvi_lanes_sub(trvi_lanes_mul(at.y, change_2), trvi_lanes_mul(at.z, change_1));
        is.drag = trvi_wide_add(
            is.drag, trvi_wide_symmetric_mul(&m, (trvi_wide3){change_1, change_2, torque}));
        if (tilt)
            add_tilt(block, first, at, change_1, change_2, torque, &is);
    }
}

// Keeps the impulses that were found, and tells the bodies.
static inline void apply(trvi_block *block, uint32_t first, uint32_t points,
                         const trvi_wide_frame *frame, const solving *now, pair_state *s)
{
    trvi_lanes on = trvi_lanes_load(block->solving + first), zero = trvi_lanes_splat(0.0f);
    wide_wrench sum = no_wrench();
    for (uint32_t p = 0; p < points; p++) {
        trvi_block_point *point = &block->point[p];
        float *impulses[3] = {point->normal + first, point->tangent_1 + first,
                              point->tangent_2 + first};
        trvi_wide3 before = {trvi_lanes_load(point->normal + first),
                             trvi_lanes_load(point->tangent_1 + first),
                             trvi_lanes_load(point->tangent_2 + first)};
        trvi_wide3 after = now->impulse[p];
        after = if_greater3(on, zero, after, before); // what has settled keeps what it had
        trvi_lanes_store(impulses[0], after.x);
        trvi_lanes_store(impulses[1], after.y);
        trvi_lanes_store(impulses[2], after.z);
        trvi_lanes_store(point->largest + first,
                         trvi_lanes_max(after.x, trvi_lanes_load(point->largest + first)));
        add_impulse(&sum, point, first, trvi_wide_sub(after, before));
    }
    push_apart(block, first, frame, s, &sum);
}

// A single point is at the contact's middle, where only forces act, and there are but three ways to
// slip.
static inline void solve_single(trvi_block *block, uint32_t first, const trvi_aims *aims,
                                pair_state *s)
{
    trvi_block_point *point = &block->point[0];
    const trvi_aim *aim = &aims->of[0];
    trvi_wide_frame frame = trvi_block_frame(block, first);
    trvi_wide_symmetric m = trvi_wide_load_symmetric(&block->speeds, first);
    trvi_wide3 speed = relative_speed(block, first, &frame, s);
    trvi_wide3 before = {trvi_lanes_load(point->normal + first),
                         trvi_lanes_load(point->tangent_1 + first),
                         trvi_lanes_load(point->tangent_2 + first)};
    trvi_wide3 after = before;
    normals all = {{trvi_lanes_add(speed.x, trvi_lanes_load(aim->bias + first))}, {{m.xx}}};
    for (int times = 0; times < 2; times++) // forth and back, as where there are more
        solve_normal(&all, block, first, 1, 0, aim, &after.x);
    trvi_lanes pressed = trvi_lanes_sub(after.x, before.x);
    trvi_lanes slip_1 =
        trvi_lanes_add(trvi_lanes_load(aim->back_1 + first), mul_add(speed.y, m.xy, pressed));
    trvi_lanes slip_2 =
        trvi_lanes_add(trvi_lanes_load(aim->back_2 + first), mul_add(speed.z, m.xz, pressed));
    resist(point, first, slip_1, slip_2, most_friction(block, first, aim, after.x), &after);
    solving now = {.impulse = {after}};
    apply(block, first, 1, &frame, &now, s);
}

static inline void solve_points(trvi_block *block, uint32_t first, uint32_t points,
                                const trvi_aims *aims, pair_state *s)
{
    trvi_wide_frame frame = trvi_block_frame(block, first);
    solving now;
    see_motion(block, first, points, &frame, s, &now);
    solve_normals(block, first, points, aims, &now);
    carry_over(block, first, points, &now);
    solve_friction(block, first, points, aims, &now);
    apply(block, first, points, &frame, &now, s);
}

static void solve_part(const trvi_step *step, trvi_block *block, uint32_t first,
                       const trvi_aims *aims)
{
    pair_state s = gather(step, block, first);
    if (block->points == TRV_MANIFOLD_POINTS) // loops that the compiler can count
        solve_points(block, first, TRV_MANIFOLD_POINTS, aims, &s);
    else if (block->points == 1)
        solve_single(block, first, aims, &s);
    else
        solve_points(block, first, block->points, aims, &s);
    if (block->rolls)
        solve_rolling(block, first, &s);
    scatter(step, block, first, block->solving, &s);
}

static const float *impulse_of(const trvi_block_point *point, int k)
{
    return k == 0 ? point->normal : (k == 1 ? point->tangent_1 : point->tangent_2);
}

static void remember(const trvi_block *block, trvi_trial *trial)
{
    for (uint32_t p = 0; p < block->points; p++)
        for (int k = 0; k < 3; k++)
            memcpy(trial->before[p][k], impulse_of(&block->point[p], k), sizeof(trvi_lane_floats));
    if (block->rolls)
        trial->rolled_before = block->rolled;
}

// An impulse at the contact's middle, times what it changes the sides' speeds by. Four points hold what
// three could: what they merely pass on to one another moves nothing, and so counts for nothing.
static trvi_lanes energy_of(const trvi_block *block, uint32_t first, const wide_wrench *by)
{
    trvi_lanes zero = trvi_lanes_splat(0.0f);
    // What changes no speed at all.
    trvi_lanes least = trvi_lanes_mul(trvi_lanes_splat(TRVI_SPEED_NONE),
                                      trvi_lanes_load(block->point[0].normal_mass + first));
    trvi_wide3 force = trvi_wide_unless_less(by->force, least);
    trvi_wide3 torque = trvi_wide_unless_less(by->torque, least);
    if (block->points == 1) {
        trvi_wide_symmetric m = trvi_wide_load_symmetric(&block->speeds, first);
        return trvi_wide_dot(force, trvi_wide_symmetric_mul(&m, force));
    }
    trvi_wide_symmetric m = press_of(block, first), n = drag_of(block, first);
    trvi_wide3 press = {force.x, torque.y, torque.z};
    trvi_wide3 drag = {force.y, force.z, torque.x};
    trvi_wide3 between[3];
    see_between(block, first, between);
    trvi_wide3 both = {trvi_wide_dot(between[0], press), trvi_wide_dot(between[1], press),
                       trvi_wide_dot(between[2], press)};
    both = trvi_wide_add(trvi_wide_add(both, both), trvi_wide_symmetric_mul(&n, drag));
    trvi_lanes energy = trvi_lanes_add(trvi_wide_dot(press, trvi_wide_symmetric_mul(&m, press)),
                                       trvi_wide_dot(drag, both));
    return trvi_lanes_max(energy, zero);
}

static void change_part(const trvi_block *block, uint32_t first, const trvi_trial *trial,
                        float *change)
{
    wide_wrench sum = no_wrench();
    for (uint32_t p = 0; p < block->points; p++) {
        const trvi_block_point *point = &block->point[p];
        trvi_lanes by[3];
        for (int k = 0; k < 3; k++)
            by[k] = trvi_lanes_sub(trvi_lanes_load(impulse_of(point, k) + first),
                                   trvi_lanes_load(trial->before[p][k] + first));
        add_impulse(&sum, point, first, (trvi_wide3){by[0], by[1], by[2]});
    }
    trvi_lanes made = energy_of(block, first, &sum);
    if (block->rolls) {
        trvi_wide3 by = trvi_wide_sub(trvi_wide_load(&block->rolled, first),
                                      trvi_wide_load(&trial->rolled_before, first));
        made = trvi_lanes_add(made, rolling_energy(block, first, by));
    }
    trvi_lanes_store(change + first, made);
}

static void whole_part(const trvi_block *block, uint32_t first, float *whole)
{
    wide_wrench sum = impulses_of(block, first);
    trvi_lanes energy = energy_of(block, first, &sum);
    if (block->rolls)
        energy = trvi_lanes_add(
            energy, rolling_energy(block, first, trvi_wide_load(&block->rolled, first)));
    trvi_lanes_store(whole + first, energy);
}

static void go_on_part(const trvi_step *step, trvi_block *block, uint32_t first, trvi_trial *trial,
                       const trvi_lane_floats shares)
{
    pair_state s = gather(step, block, first);
    wide_wrench sum = no_wrench();
    trvi_lanes zero = trvi_lanes_splat(0.0f), part = trvi_lanes_load(shares + first);
    for (uint32_t p = 0; p < block->points; p++) {
        trvi_block_point *point = &block->point[p];
        float *impulses[3] = {point->normal + first, point->tangent_1 + first,
                              point->tangent_2 + first};
        trvi_lanes ons[3];
        for (int k = 0; k < 3; k++) {
            trvi_lanes now = trvi_lanes_load(impulses[k]);
            trvi_lanes change = trvi_lanes_sub(now, trvi_lanes_load(trial->before[p][k] + first));
            trvi_lanes way = trvi_lanes_load(trial->way[p][k] + first); // the first one is none yet
            ons[k] = trvi_lanes_mul(part, trvi_lanes_if_greater(part, zero, way, zero));
            trvi_lanes_store(impulses[k],
                             trvi_lanes_if_greater(part, zero, trvi_lanes_add(now, ons[k]), now));
            trvi_lanes_store(trial->way[p][k] + first, trvi_lanes_add(ons[k], change));
        }
        add_impulse(&sum, point, first, (trvi_wide3){ons[0], ons[1], ons[2]});
    }
    trvi_wide_frame frame = trvi_block_frame(block, first);
    push_apart(block, first, &frame, &s, &sum);
    if (block->rolls)
        go_on_rolling(block, first, trial, part, &s);
    scatter(step, block, first, shares, &s);
}

// The lanes of a block are dealt from the first one on: parts behind the last one are empty.
static bool has_part(const trvi_block *block, uint32_t first)
{
    return first < block->lanes;
}

static void fill(const trvi_step *step, trvi_block *block, const trvi_sources *from)
{
    for (uint32_t first = 0; first < TRVI_BLOCK_LANES; first += TRVI_LANES)
        if (has_part(block, first))
            fill_part(step, block, from, first);
        else
            leave_empty(block, first);
}

static void store(const trvi_step *step, const trvi_block *block)
{
    for (uint32_t first = 0; has_part(block, first); first += TRVI_LANES)
        store_part(step, block, first);
}

static void follow(const trvi_step *step, trvi_block *block)
{
    for (uint32_t first = 0; has_part(block, first); first += TRVI_LANES)
        follow_arms(step, block, first);
    block->aimed = false;
}

static void warm_start(const trvi_step *step, trvi_block *block)
{
    for (uint32_t first = 0; has_part(block, first); first += TRVI_LANES)
        warm_start_part(step, block, first);
}

static void aim(const trvi_step *step, trvi_block *block, bool push, trvi_aims *aims)
{
    for (uint32_t first = 0; has_part(block, first); first += TRVI_LANES)
        aim_part(step, block, first, push, aims);
    block->aimed = true;
}

static void carry(const trvi_step *step, const trvi_block *block, bool push, trvi_aims *aims)
{
    for (uint32_t first = 0; has_part(block, first); first += TRVI_LANES)
        carry_part(step, block, first, push ? step->h : 0.0f, aims);
}

static void solve(const trvi_step *step, trvi_block *block, const trvi_aims *aims)
{
    for (uint32_t first = 0; has_part(block, first); first += TRVI_LANES)
        solve_part(step, block, first, aims);
}

static void change(const trvi_block *block, const trvi_trial *trial, trvi_lane_floats energies)
{
    memset(energies, 0, sizeof(trvi_lane_floats));
    for (uint32_t first = 0; has_part(block, first); first += TRVI_LANES)
        change_part(block, first, trial, energies);
}

static void whole(const trvi_block *block, trvi_lane_floats energies)
{
    memset(energies, 0, sizeof(trvi_lane_floats));
    for (uint32_t first = 0; has_part(block, first); first += TRVI_LANES)
        whole_part(block, first, energies);
}

static void go_on(const trvi_step *step, trvi_block *block, trvi_trial *trial,
                  const trvi_lane_floats shares)
{
    for (uint32_t first = 0; has_part(block, first); first += TRVI_LANES)
        go_on_part(step, block, first, trial, shares);
}

PASSES = {fill, store, follow, warm_start, aim, carry, solve, remember, change, whole, go_on};
