// Slivers and needles, vast beside tiny, all but touching, far from their own origins; each a few
// numbers that may be changed one by one.
#include "plan.h"

#include <math.h>
#include <string.h>

#include "math/math.h"

static uint64_t state; // of the random numbers

void plan_seed(uint64_t seed)
{
    state = seed;
}

uint64_t plan_bits(void) // splitmix64
{
    uint64_t z = state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static double unit(void)
{
    return (double)(plan_bits() >> 11) * 0x1p-53;
}

static double between(double low, double high)
{
    return low + (high - low) * unit();
}

static bool one_in(uint32_t n)
{
    return plan_bits() % n == 0;
}

static double in_powers(double low, double high)
{
    return pow(10.0, between(low, high));
}

static void make_turn(float *q)
{
    static const double steps[5] = {-1.0, 0.0, 0.0, 0.5, 1.0};
    double v[4], square = 0.0;
    bool hardly = one_in(4), snapped = one_in(3);
    for (int i = 0; i < 4; i++) {
        v[i] = snapped ? steps[plan_bits() % 5] : between(-1.0, 1.0);
        if (i < 3 && hardly)
            v[i] *= in_powers(-9.0, -1.0);
        square += v[i] * v[i];
    }
    if (one_in(5) || !(square > 1.0e-20))
        v[0] = v[1] = v[2] = 0.0, v[3] = square = 1.0;
    for (int i = 0; i < 4; i++)
        q[i] = (float)(v[i] / sqrt(square));
}

// From -1 to 1: even, in steps, or of any power of ten.
static double make_place(uint32_t style)
{
    static const double steps[7] = {-1.0, -1.0, 1.0, 1.0, 0.0, 0.5, -0.25};
    if (style == 0)
        return steps[plan_bits() % 7];
    return style == 1 && one_in(2) ? between(-1.0, 1.0) * in_powers(-16.0, 0.0)
                                   : between(-1.0, 1.0);
}

// Of the given length; as long along x, flat, or thin by up to so many powers of ten.
static void make_solid(fuzz_plan_solid *s, double size)
{
    uint32_t style = (uint32_t)(plan_bits() % 4), choice = (uint32_t)(plan_bits() % 10);
    double thinnest = one_in(3) ? -16.0 : one_in(2) ? -7.0 : -1.0, sides[3] = {size, size, size};
    if (!one_in(3)) {
        sides[1] *= one_in(3) ? 1.0 : in_powers(thinnest, 0.0);
        sides[2] = one_in(2) ? sides[1] : size * in_powers(thinnest, 0.0);
    } else if (one_in(2)) { // a blade
        sides[1] *= in_powers(-3.0, 0.0);
        sides[2] *= in_powers(-15.0, -8.0);
    }
    memset(s, 0, sizeof *s);
    s->kind = choice < 6   ? PLAN_HULL
              : choice < 8 ? PLAN_BOX
              : choice < 9 ? PLAN_CAPSULE
                           : PLAN_SPHERE;
    s->count = s->kind == PLAN_HULL
                   ? 4 + (uint32_t)(plan_bits() % (one_in(2) ? 2 : PLAN_POINTS - 3))
               : s->kind == PLAN_SPHERE ? 1
                                        : 2;
    for (uint32_t i = 0; i < s->count; i++)
        for (int k = 0; k < 3; k++)
            s->points[i][k] = (float)(sides[k] * make_place(style));
    for (int k = 0; k < 3 && s->kind == PLAN_BOX; k++) {
        s->points[0][k] = (float)sides[k];
        s->points[1][k] = one_in(2) ? 0.0f : s->points[1][k];
    }
    if (one_in(3)) { // the last points are far out, or close by
        double times = in_powers(-9.0, 9.0);
        bool diagonal = one_in(2);
        for (uint32_t i = s->count - 1 - one_in(2); i < s->count; i++)
            for (int k = 0; k < 3; k++)
                s->points[i][k] = (float)(s->points[i][diagonal ? 0 : k] * times);
    }
    if (one_in(4)) // far from its own origin
        for (int k = 0; k < 3; k++) {
            float off = (float)(between(-1.0, 1.0) * size * in_powers(0.0, 5.0));
            for (uint32_t i = s->kind == PLAN_BOX; i < s->count; i++)
                s->points[i][k] += off;
        }
    s->radius = (float)(size * in_powers(one_in(2) ? -6.0 : -1.0, 0.0));
    s->turn[3] = 1.0f;
    if (one_in(2))
        make_turn(s->turn);
    make_turn(s->rotation);
}

// Any place of the solid, in the world's directions, from its position.
static trvi_dvec3 any_place(const fuzz_plan_solid *s)
{
    const float *q = s->rotation, *p = s->points[plan_bits() % s->count];
    trvi_dvec3 place = {p[0], p[1], p[2]};
    if (s->kind == PLAN_BOX) {
        const float *c = s->points[1], *h = s->points[0];
        place = (trvi_dvec3){c[0] + (one_in(2) ? h[0] : -h[0]), c[1] + (one_in(2) ? h[1] : -h[1]),
                             c[2] + (one_in(2) ? h[2] : -h[2])};
    } else if (one_in(2)) {
        const float *o = s->points[plan_bits() % s->count];
        double share = unit();
        place = trvi_dadd(trvi_dscale(place, share),
                          trvi_dscale((trvi_dvec3){o[0], o[1], o[2]}, 1.0 - share));
    }
    trvi_dmat3 turned = trvi_dmat3_from_quat((trv_quat){q[0], q[1], q[2], q[3]});
    return trvi_dmat3_mul(&turned, place);
}

// A place of B comes to lie near one of A.
static void bring_near(fuzz_plan *p, double size)
{
    trvi_dvec3 way = trvi_dsub(any_place(&p->a), any_place(&p->b));
    double off = one_in(3) ? 0.0 : size * in_powers(-12.0, 0.0);
    double far_out = one_in(4) ? size * in_powers(0.0, 4.0) : 0.0;
    double ways[3] = {way.x, way.y, way.z};
    for (int k = 0; k < 3; k++) {
        p->a.position[k] = (float)(between(-1.0, 1.0) * far_out);
        p->b.position[k] = (float)(p->a.position[k] + ways[k] + between(-1.0, 1.0) * off);
    }
}

// Their x axes cross, and nothing is rounded: needles meet, however thin they are.
static void bring_across(fuzz_plan *p, double size)
{
    static const float upright[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    double angle = one_in(2) ? between(-3.0, 3.0) : in_powers(-9.0, 0.0);
    memcpy(p->a.rotation, upright, sizeof upright);
    p->b.position[0] = one_in(3) ? 0.0f : (float)(between(-1.0, 1.0) * size);
    if (one_in(3))
        p->b.position[2] = (float)(size * between(-1.0, 1.0) * in_powers(-17.0, -5.0));
    if (one_in(2))
        return;
    memcpy(p->b.rotation, upright, sizeof upright);
    p->b.rotation[2] = (float)angle; // written as a unit one
}

void plan_scene(fuzz_plan *p)
{
    double size = one_in(8) ? in_powers(-44.0, 8.0) : in_powers(-2.0, one_in(2) ? 1.0 : 5.0);
    double other = size * in_powers(one_in(2) ? -7.0 : -1.0, 0.0);
    memset(p, 0, sizeof *p);
    make_solid(&p->a, one_in(2) ? size : other);
    make_solid(&p->b, one_in(2) ? size : other);
    if (one_in(4)) {
        float turn[4];
        memcpy(turn, p->b.rotation, sizeof turn);
        p->b = p->a;
        memcpy(p->b.rotation, turn, sizeof turn);
    }
    if (one_in(4))
        memcpy(p->b.rotation, p->a.rotation, sizeof p->b.rotation);
    if (one_in(3))
        bring_across(p, size);
    else
        bring_near(p, size);
    for (int i = 0; i < PLAN_TAIL; i++)
        p->tail[i] = (uint8_t)plan_bits();
}

// The number anew, by a hair, by some part, or as another one is.
static void change_number(float *number, float another)
{
    switch (plan_bits() % 6) {
    case 0:
        *number = nextafterf(*number, one_in(2) ? HUGE_VALF : -HUGE_VALF);
        break;
    case 1:
        *number = one_in(2) ? another : -*number;
        break;
    case 2:
        *number = (float)(*number + between(-1.0, 1.0) * another);
        break;
    default:
        *number = (float)(*number * (1.0 + between(-1.0, 1.0) * in_powers(-7.0, 0.0)));
    }
}

void plan_change(fuzz_plan *p)
{
    fuzz_plan_solid *s = one_in(2) ? &p->a : &p->b;
    float *point = s->points[plan_bits() % s->count], *other = s->points[plan_bits() % s->count];
    uint32_t k = (uint32_t)(plan_bits() % 3), l = (uint32_t)(plan_bits() % 3);
    switch (plan_bits() % 8) {
    case 0:
    case 1:
        change_number(&s->position[k], point[l]);
        break;
    case 2:
        for (int i = 0; i < 4; i++)
            s->rotation[i] = (float)(s->rotation[i] + between(-1.0, 1.0) * in_powers(-8.0, 0.0));
        break;
    case 3:
        make_turn(one_in(3) ? s->turn : s->rotation);
        break;
    case 4:
        change_number(&s->radius, s->radius);
        p->tail[plan_bits() % PLAN_TAIL] = (uint8_t)plan_bits();
        break;
    case 5: { // all of it
        float by = (float)in_powers(-1.0, 1.0);
        for (uint32_t i = 0; i < s->count; i++)
            s->points[i][k] *= by;
        break;
    }
    default:
        change_number(&point[k], other[l]);
    }
}

// As scene.c reads them.
enum { ANY_BITS = 252, ANY_TURN = 255, TURNED = 60 };

static uint8_t *put(uint8_t *at, const float *numbers, uint32_t count)
{
    memcpy(at, numbers, count * sizeof *numbers);
    return at + count * sizeof *numbers;
}

// Rotations are to be good, and as good as unit at that.
static uint8_t *put_turn(uint8_t *at, const float *q)
{
    float unit_q[4], length = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++)
        unit_q[i] = length == 1.0f ? q[i] : q[i] / length;
    *at++ = ANY_TURN;
    return put(at, unit_q, 4);
}

static uint8_t *put_pose(uint8_t *at, const fuzz_plan_solid *s)
{
    *at++ = TURNED;
    *at++ = ANY_BITS;
    *at++ = 0; // of size 1
    return put_turn(put(at, s->position, 3), s->rotation);
}

static uint8_t *put_solid(uint8_t *at, const fuzz_plan_solid *s)
{
    static const uint8_t kinds[PLAN_KINDS] = {160, 120, 31, 0};
    float radius = fabsf(s->radius), half[3];
    *at++ = kinds[s->kind];
    if (s->kind == PLAN_HULL)
        *at++ = (uint8_t)(s->count - 4);
    *at++ = ANY_BITS;
    *at++ = 0; // of size 1
    if (s->kind == PLAN_HULL || s->kind == PLAN_BOX)
        *at++ = 0; // its sides are as they are
    if (s->kind == PLAN_HULL) {
        *at++ = 0; // and so is its middle
        return put(at, s->points[0], 3 * s->count);
    }
    if (s->kind == PLAN_BOX) {
        for (int k = 0; k < 3; k++)
            half[k] = fabsf(s->points[0][k]);
        return put_turn(put(put(at, half, 3), s->points[1], 3), s->turn);
    }
    return put(put(at, s->points[0], 3 * s->count), &radius, 1);
}

size_t plan_write(const fuzz_plan *p, uint8_t *bytes)
{
    uint8_t *at = bytes;
    *at++ = 2; // two solids, neither moved far away
    at = put_pose(put_pose(at, &p->a), &p->b);
    *at++ = p->tail[0]; // the margin
    if (p->tail[0] >= 100) {
        *at++ = p->tail[1];
        *at++ = p->tail[2];
    }
    at = put_solid(put_solid(at, &p->a), &p->b);
    memcpy(at, p->tail + 3, PLAN_TAIL - 3);
    return (size_t)(at - bytes) + PLAN_TAIL - 3;
}
