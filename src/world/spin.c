// The turning of rigid bodies under no torque, or a constant one.
//
// Euler's equations are split into turns that are exact. With the principal moments I1, I2, I3 and
// the angular momentum l in the body's frame, the energy is |l|^2 / (2 I2), which turns the body
// about its momentum in the world and leaves l as it is, plus a part for each of the other two
// axes, l1^2 (1 / I1 - 1 / I2) / 2, which turns the body about that axis and l back. The latter two
// take turns in micro-steps, symmetrically; taking the middle moment for I2 makes their turns
// small, and one of them nothing where two moments are equal: then all is exact.
// Invariant: without torque the angular momentum in the world is the same bits, whatever the steps
// are. The energy swings by the square of a micro-step and does not drift.
//
// Based on: J. Touma, J. Wisdom, "Lie-Poisson Integrators for Rigid Body Dynamics in the Solar
// System" (1994); E. Hairer, C. Lubich, G. Wanner, "Geometric Numerical Integration" (2006), VII.5.
#include "solver_data.h"

trvi_dquat trvi_dquat_from(trv_quat q, trv_quat rest)
{
    return (trvi_dquat){(double)q.x + (double)rest.x, (double)q.y + (double)rest.y,
                        (double)q.z + (double)rest.z, (double)q.w + (double)rest.w};
}

trvi_dquat trvi_dquat_mul(trvi_dquat a, trvi_dquat b)
{
    return (trvi_dquat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

trvi_dquat trvi_dquat_conjugate(trvi_dquat q)
{
    return (trvi_dquat){-q.x, -q.y, -q.z, q.w};
}

trvi_dquat trvi_dquat_normalize(trvi_dquat q)
{
    double square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (!(square > 1.0e-30) || !(square <= 1.0e30))
        return (trvi_dquat){0.0, 0.0, 0.0, 1.0};
    double s = 1.0 / sqrt(square);
    return (trvi_dquat){q.x * s, q.y * s, q.z * s, q.w * s};
}

trvi_dvec3 trvi_dquat_rotate(trvi_dquat q, trvi_dvec3 v)
{
    trvi_dvec3 u = {q.x, q.y, q.z};
    trvi_dvec3 t = trvi_dscale(trvi_dcross(u, v), 2.0);
    return trvi_dadd(trvi_dmul_add(v, t, q.w), trvi_dcross(u, t));
}

trvi_dvec3 trvi_dquat_rotate_inverse(trvi_dquat q, trvi_dvec3 v)
{
    return trvi_dquat_rotate(trvi_dquat_conjugate(q), v);
}

// The rotation by the vector `angle`, rad.
static trvi_dquat turn_by(trvi_dvec3 angle)
{
    double length = trvi_dlength(angle), sine, cosine;
    if (!(length > 0.0))
        return (trvi_dquat){0.0, 0.0, 0.0, 1.0};
    trvi_dsincos(0.5 * length, &sine, &cosine);
    double s = sine / length;
    return (trvi_dquat){angle.x * s, angle.y * s, angle.z * s, cosine};
}

// Turns the body about its principal axis a, and the momentum in its frame back.
static void turn_about(double q[4], double l[3], int a, double angle)
{
    int b = (a + 1) % 3, c = (a + 2) % 3;
    double sine, cosine;
    trvi_dsincos(0.5 * angle, &sine, &cosine);
    double qa = q[a], qb = q[b], qc = q[c], lb = l[b], lc = l[c];
    q[a] = cosine * qa + sine * q[3];
    q[b] = cosine * qb + sine * qc;
    q[c] = cosine * qc - sine * qb;
    q[3] = cosine * q[3] - sine * qa;
    double s = 2.0 * sine * cosine, k = 1.0 - 2.0 * sine * sine;
    l[b] = k * lb + s * lc;
    l[c] = k * lc - s * lb;
}

// How a body turns: which of its principal axes play which part.
typedef struct top {
    double moments[3];
    int middle;       // the axis of the middle moment
    int outer[2];     // the other two
    double excess[2]; // 1 / moment of theirs, less that of the middle
} top;

static top top_of(const trvi_mobile *mobile)
{
    top t = {{mobile->moments.x, mobile->moments.y, mobile->moments.z}, 0, {0, 0}, {0.0, 0.0}};
    const double *i = t.moments;
    for (int a = 0; a < 3; a++) {
        double b = i[(a + 1) % 3], c = i[(a + 2) % 3];
        if (fmin(b, c) <= i[a] && i[a] <= fmax(b, c))
            t.middle = a;
    }
    for (int k = 0; k < 2; k++) {
        t.outer[k] = (t.middle + 1 + k) % 3;
        t.excess[k] = (i[t.middle] - i[t.outer[k]]) / (i[t.middle] * i[t.outer[k]]);
    }
    return t;
}

static trvi_dvec3 times(const double s[3], trvi_dvec3 v)
{
    return (trvi_dvec3){v.x * s[0], v.y * s[1], v.z * s[2]};
}

static trvi_dvec3 over(trvi_dvec3 v, const double s[3])
{
    return (trvi_dvec3){v.x / s[0], v.y / s[1], v.z / s[2]};
}

// As many micro-steps as keep the error small; 0 where that would be more than TRVI_SPIN_STEPS of
// TRVI_SPIN_LARGEST radians. What the momentum along an outer axis can come to follows from its
// length and the energy: at the most, there is nothing of it along the middle axis.
static int count_steps(const top *t, trvi_dvec3 l, double h)
{
    double square = trvi_ddot(l, l), energy = trvi_ddot(over(l, t->moments), l), angles[2];
    double spread = t->excess[0] - t->excess[1]; // of 1 / moment
    for (int k = 0; k < 2; k++) {
        double other = square / t->moments[t->outer[1 - k]];
        double most = fmax((energy - other) / (k == 0 ? spread : -spread), 0.0);
        angles[k] = fabs(t->excess[k]) * sqrt(fmin(most, square)) * h;
    }
    double largest = fmax(angles[0], angles[1]), product = angles[0] * angles[1];
    if (!(product > 0.0)) // NaN, too
        return product == 0.0 ? 1 : 0;
    if (!(largest <= TRVI_SPIN_STEPS * TRVI_SPIN_LARGEST))
        return 0;
    double wanted = fmax(sqrt(product) / TRVI_SPIN_STEP, largest / TRVI_SPIN_LARGEST);
    return 1 + (int)fmin(wanted, TRVI_SPIN_STEPS - 1);
}

// The free motion over h. `frame` is that of the principal axes, `momentum` in the world. Spin too
// fast to follow keeps its axis, and the momentum is then what goes with it.
static void turn_freely(const top *t, trvi_dquat *frame, trvi_dvec3 *momentum, double h)
{
    trvi_dvec3 local = trvi_dquat_rotate_inverse(*frame, *momentum);
    int steps = count_steps(t, local, h);
    if (steps == 0) {
        trvi_dvec3 spin = trvi_dquat_rotate(*frame, over(local, t->moments));
        *frame = trvi_dquat_normalize(trvi_dquat_mul(turn_by(trvi_dscale(spin, h)), *frame));
        *momentum =
            trvi_dquat_rotate(*frame, times(t->moments, trvi_dquat_rotate_inverse(*frame, spin)));
        return;
    }
    double q[4] = {frame->x, frame->y, frame->z, frame->w}, l[3] = {local.x, local.y, local.z};
    int a = t->outer[0], b = t->outer[1];
    double micro = h / steps, rate_a = t->excess[0] * micro, rate_b = t->excess[1] * micro;
    if (rate_a != 0.0 || rate_b != 0.0) {
        turn_about(q, l, a, 0.5 * rate_a * l[a]);
        for (int s = 0; s < steps; s++) {
            turn_about(q, l, b, rate_b * l[b]);
            turn_about(q, l, a, (s + 1 < steps ? 1.0 : 0.5) * rate_a * l[a]);
        }
    }
    trvi_dquat about = turn_by(trvi_dscale(*momentum, h / t->moments[t->middle]));
    *frame = trvi_dquat_mul(about, (trvi_dquat){q[0], q[1], q[2], q[3]});
    *frame = trvi_dquat_normalize(*frame);
}

static trvi_dquat principal_of(const trvi_mobile *mobile)
{
    const trv_quat none = {0.0f, 0.0f, 0.0f, 0.0f};
    return trvi_dquat_normalize(trvi_dquat_from(mobile->principal, none));
}

// Of the principal axes of a body that is turned so.
static trvi_dquat frame_of(const trvi_mobile *mobile, trvi_dquat rotation)
{
    return trvi_dquat_mul(rotation, principal_of(mobile));
}

trvi_dvec3 trvi_momentum_of(const trvi_mobile *mobile, trvi_dquat rotation, trvi_dvec3 spin)
{
    const double moments[3] = {mobile->moments.x, mobile->moments.y, mobile->moments.z};
    trvi_dquat frame = frame_of(mobile, rotation);
    return trvi_dquat_rotate(frame, times(moments, trvi_dquat_rotate_inverse(frame, spin)));
}

trvi_dvec3 trvi_spin_of(const trvi_mobile *mobile, trvi_dquat rotation, trvi_dvec3 momentum)
{
    const double moments[3] = {mobile->moments.x, mobile->moments.y, mobile->moments.z};
    trvi_dquat frame = frame_of(mobile, rotation);
    return trvi_dquat_rotate(frame, over(trvi_dquat_rotate_inverse(frame, momentum), moments));
}

trv_vec3 trvi_spin_veers(const trvi_mobile *mobile, trv_vec3 spin)
{
    trv_vec3 torque = trvi_cross(trvi_symmetric_mul(&mobile->inertia, spin), spin);
    return trvi_symmetric_mul(&mobile->inverse_inertia, torque);
}

void trvi_turn_gently(const trvi_body *body, const trvi_mobile *mobile, trvi_motion *motion,
                      float h)
{
    trv_quat before = trvi_quat_mul(motion->turned, body->rotation);
    trv_vec3 w = trvi_rotate_inverse(before, motion->angular), mean = w, after = w;
    for (int round = 0; round < 2; round++) {
        trv_vec3 change = trvi_spin_veers(mobile, mean);
        after = trvi_mul_add(w, change, h);
        mean = trvi_mul_add(w, change, 0.5f * h);
    }
    trvi_dvec3 angle = trvi_dscale(trvi_dvec3_from(trvi_rotate(before, mean)), h);
    trvi_dquat turn = turn_by(angle);
    trv_quat by = {(float)turn.x, (float)turn.y, (float)turn.z, (float)turn.w};
    motion->turned = trvi_quat_normalize(trvi_quat_mul(by, motion->turned));
    motion->angular = trvi_rotate(by, trvi_rotate(before, after));
}

void trvi_turn_freely(const trvi_mobile *mobile, trvi_turning *turning, const trvi_turn_way *way)
{
    double keep = 1.0 / (1.0 + way->h * (double)mobile->angular_damping);
    if (!(mobile->moments.x > 0.0f)) { // nothing turns what has no inertia
        for (uint32_t s = 0; s < way->substeps; s++) {
            turning->spin = trvi_dscale(turning->spin, keep);
            trvi_dquat turn = turn_by(trvi_dscale(turning->spin, way->h));
            turning->rotation = trvi_dquat_mul(turn, turning->rotation);
        }
        turning->rotation = trvi_dquat_normalize(turning->rotation);
        return;
    }
    trvi_dquat frame = frame_of(mobile, turning->rotation);
    top t = top_of(mobile);
    const trvi_dvec3 *torque = &way->torque;
    bool alone = torque->x == 0.0 && torque->y == 0.0 && torque->z == 0.0 && keep == 1.0;
    trvi_dvec3 local = times(t.moments, trvi_dquat_rotate_inverse(frame, turning->spin));
    alone = alone && count_steps(&t, local, way->h * way->substeps) > 0;
    uint32_t substeps = alone ? 1 : way->substeps; // nothing to do between them
    double h = alone ? way->h * way->substeps : way->h;
    trvi_dvec3 momentum = trvi_dquat_rotate(frame, local);
    for (uint32_t s = 0; s < substeps; s++) {
        momentum = trvi_dmul_add(momentum, *torque, 0.5 * h);
        turn_freely(&t, &frame, &momentum, h);
        momentum = trvi_dmul_add(momentum, *torque, 0.5 * h);
        momentum = trvi_dscale(momentum, keep);
    }
    turning->spin =
        trvi_dquat_rotate(frame, over(trvi_dquat_rotate_inverse(frame, momentum), t.moments));
    trvi_dquat back = trvi_dquat_conjugate(principal_of(mobile));
    turning->rotation = trvi_dquat_normalize(trvi_dquat_mul(frame, back));
}
