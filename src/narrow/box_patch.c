// Lays a face of one box over a face of another: the corners of what they share, for the contact
// points.
//
// Seen along the reference face's normal, that face is a rectangle along u and v, and the other
// one, the incident, a parallelogram. No polygon is cut: what they share has at most twelve
// corners, four of each kind, which are all found at once, each side of the incident in a lane.
// Where a side enters the rectangle; where it leaves it; and the rectangle's own corners inside the
// parallelogram. Heights are linear. That is done in float32, of lengths that were subtracted in
// double: shares of the parallelogram's sides, of which the few corners that become contact points
// are formed in double.
// Corners of the incident may stand out over the rectangle by a slack and count as over it. What
// crosses a side is put on that side itself.
// Invariant: a side of the incident passes through the rectangle grown by the slack, or the
// rectangle's corner that it passes is inside of it: a corner of what they share is never lost.
// Based on: Liang and Barsky 1984, "A new concept and method for line clipping"; Gregorius 2015,
// "Robust Contact Creation for Physics Simulations".
#include "box_patch.h"

#include "dfour.h"
#include "load.h"
#include "patch.h"

#include <string.h>

// Corners by number: where side k enters the rectangle or starts in it, 4 more where it leaves, 8
// more for the rectangle's own.
enum { SIDES = 4, CORNERS = 12, EACH = (1 << SIDES) - 1 };

// A side of the incident is nowhere shorter than this along u or v, so that it has a share.
#define SHORTEST 1.0e-30f

// An incident so many times the size of the smaller box is too large for float32: its sides have to
// be told apart to a part of the slack.
#define MOST_TIMES 64.0

// A box not larger than this is too small for it: what is shorter than SHORTEST shows in its sides.
#define LEAST_SIZE 1.0e-24

// Corners that are not there are so high.
#define NOWHERE 1.0e30f

// As what trvi_perpendicular gives for the normal of each face: the axis and sign of u; v is along
// the remaining axis, against it. `sides` are the edges where u, then v, are least and most.
typedef struct box_chart {
    uint32_t one, two;
    double sign;
    uint32_t sides[2][2];
} box_chart;

static const box_chart charts[6] = {
    {2, 1, -1.0, {{1, 3}, {2, 0}}},  {2, 1, 1.0, {{4, 6}, {5, 7}}},
    {2, 0, 1.0, {{8, 10}, {7, 0}}},  {2, 0, -1.0, {{13, 15}, {5, 2}}},
    {1, 0, -1.0, {{15, 8}, {4, 3}}}, {1, 0, 1.0, {{10, 13}, {6, 1}}}};

// A box's face starts at its lower corner; its first side runs up this axis, and its second that.
static const uint32_t turns[6][2] = {{2, 1}, {1, 2}, {0, 2}, {2, 0}, {1, 0}, {0, 1}};

// Corner k of a face lies this far along its first axis and along its second; the rectangle's along
// u and v. Side k starts there and runs along one of them.
static const float first_of[SIDES] = {-1.0f, 1.0f, 1.0f, -1.0f};
static const float second_of[SIDES] = {-1.0f, -1.0f, 1.0f, 1.0f};
static const float run_of_first[SIDES] = {2.0f, 0.0f, -2.0f, 0.0f};
static const float run_of_second[SIDES] = {0.0f, 2.0f, 0.0f, -2.0f};

// Where something is along u, along v and up, or how far it goes there.
typedef struct place {
    double u, v, height;
} place;

typedef struct box_patch {
    const box_chart *chart;
    bool of_b, turned; // the reference is B; names take B for A
    uint32_t face, other;
    double sign;                 // of the reference face's normal
    double half_u, half_v, base; // the rectangle
    double slack;
    place middle, first, second; // of the incident face: its centre, and half its sides
    trvi_dfour out;              // the reference face's normal in the world
    trvi_dfour world[3]; // these half-way to the reference face, in the world; their heights
} box_patch;

// The corners: their shares of half the incident's sides, and where these lead from its middle.
typedef struct found {
    float first[CORNERS], second[CORNERS];
    trvi_lanes u[3], v[3], height[3];
    uint32_t exists;     // bit i: corner i
    uint32_t is_vertex;  // of those on sides: the incident's own
    uint32_t by_v, high; // the rectangle's side that they are on: one of those along v; the upper
} found;

// How long the incident's axis is in the chart, times `length`.
static inline place axis_in_chart(const box_patch *p, const double *r, uint32_t step, double length)
{
    return (place){p->chart->sign * r[step * p->chart->one] * length,
                   -r[step * p->chart->two] * length, p->sign * r[step * (p->face / 2)] * length};
}

// An axis of a view in the world.
static inline trvi_dfour axis_in_world(const trvi_view *view, uint32_t axis)
{
    const double(*r)[3] = view->rotation.m;
    return trvi_dfour_set3(r[0][axis], r[1][axis], r[2][axis]);
}

// A way along an axis of the incident in the world, less half of its height over the reference.
static inline trvi_dfour half_way(trvi_dfour out, const trvi_view *incident, uint32_t axis,
                                  double length, double height)
{
    return trvi_dfour_sub(trvi_dfour_mul(axis_in_world(incident, axis), trvi_dfour_splat(length)),
                          trvi_dfour_mul(out, trvi_dfour_splat(0.5 * height)));
}

// The incident's face that looks at the reference most, and where it is.
static inline void place_incident(const trvi_couple *couple, const trvi_view *incident,
                                  const double places[3], box_patch *p)
{
    // The incident's axis i along the reference's axis k: r[i * next + k * step].
    const double *r = &couple->rotation.m[0][0];
    const double half[3] = {incident->half.x, incident->half.y, incident->half.z};
    uint32_t next = p->of_b ? 3 : 1, step = p->of_b ? 1 : 3, up = p->face / 2;
    const double *looks = r + up * step;
    uint32_t k = fabs(looks[next]) > fabs(looks[0]) ? 1 : 0;
    k = fabs(looks[2 * next]) > fabs(looks[k * next]) ? 2 : k;
    bool against = p->sign * looks[k * next] < 0.0;
    p->other = 2 * k + (against ? 1 : 0);
    uint32_t first = turns[p->other][0], second = turns[p->other][1];
    double over = against ? half[k] : -half[k];
    place out = axis_in_chart(p, r + k * next, step, over);
    p->first = axis_in_chart(p, r + first * next, step, half[first]);
    p->second = axis_in_chart(p, r + second * next, step, half[second]);
    p->middle.u = p->chart->sign * places[p->chart->one] + out.u;
    p->middle.v = -places[p->chart->two] + out.v;
    p->middle.height = p->sign * places[up] - p->base + out.height;
    trvi_dfour to_face = half_way(p->out, incident, k, over, p->middle.height);
    trvi_dfour to_first = half_way(p->out, incident, first, half[first], p->first.height);
    trvi_dfour to_second = half_way(p->out, incident, second, half[second], p->second.height);
    to_face = trvi_dfour_add(trvi_dfour_load3(&incident->position.x), to_face);
    p->world[0] = trvi_dfour_with_last(to_face, p->middle.height);
    p->world[1] = trvi_dfour_with_last(to_first, p->first.height);
    p->world[2] = trvi_dfour_with_last(to_second, p->second.height);
}

static inline void set_patch(const trvi_couple *couple, const double places[3], uint32_t face,
                             bool on_b, box_patch *p)
{
    const trvi_view *reference = on_b ? &couple->b : &couple->a;
    const double half[3] = {reference->half.x, reference->half.y, reference->half.z};
    p->of_b = on_b;
    p->turned = couple->turned;
    p->face = face;
    p->chart = &charts[face];
    p->sign = face % 2 == 1 ? 1.0 : -1.0;
    p->half_u = half[p->chart->one];
    p->half_v = half[p->chart->two];
    p->base = half[face / 2];
    p->slack = trvi_side_slack(2.0 * trvi_dmin(p->half_u, p->half_v), couple->size);
    p->out = trvi_dfour_mul(trvi_dfour_splat(p->sign), axis_in_world(reference, face / 2));
    place_incident(couple, on_b ? &couple->a : &couple->b, places, p);
}

// A coordinate in the chart, of places that are shares of the incident's sides.
typedef struct course {
    trvi_lanes first, second;
} course;

static inline course course_of(double first, double second)
{
    return (course){trvi_lanes_splat((float)first), trvi_lanes_splat((float)second)};
}

static inline trvi_lanes at_shares(course c, trvi_lanes first, trvi_lanes second)
{
    return trvi_lanes_add(trvi_lanes_mul(c.first, first), trvi_lanes_mul(c.second, second));
}

// The whole chart.
typedef struct courses {
    course u, v, height;
} courses;

// Four corners, of which there are those with a bit in `exists`.
static inline void put(const courses *c, found *f, uint32_t four, trvi_lanes first,
                       trvi_lanes second, uint32_t exists)
{
    trvi_lanes_store(f->first + 4 * four, first);
    trvi_lanes_store(f->second + 4 * four, second);
    f->u[four] = at_shares(c->u, first, second);
    f->v[four] = at_shares(c->v, first, second);
    f->height[four] = at_shares(c->height, first, second);
    f->exists |= exists << 4 * four;
}

// How far the incident's corners, a lane each, are inside of the strip that two opposite sides of the
// rectangle bound, grown by the slack: from the lower one, and from the upper.
typedef struct rooms {
    trvi_lanes low, high;
    uint32_t inside; // which of them are
} rooms;

static inline rooms rooms_in_strip(course c, double middle, double half, double slack)
{
    double most = half + slack;
    trvi_lanes at = at_shares(c, trvi_lanes_load(first_of), trvi_lanes_load(second_of));
    rooms r;
    r.low = trvi_lanes_add(trvi_lanes_splat((float)(most + middle)), at);
    r.high = trvi_lanes_sub(trvi_lanes_splat((float)(most - middle)), at);
    r.inside = trvi_lanes_at_least(trvi_lanes_min(r.low, r.high), trvi_lanes_splat(0.0f));
    return r;
}

// Where the incident's sides enter the strip, and where they leave it, in shares of their length:
// grown by the slack, and not.
typedef struct strip {
    trvi_lanes enters, leaves, enters_itself, leaves_itself;
    uint32_t rises; // which run upward
} strip;

static inline strip cross_strip(course c, const rooms *r, double slack)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f), least = trvi_lanes_splat(SHORTEST);
    trvi_lanes run = at_shares(c, trvi_lanes_load(run_of_first), trvi_lanes_load(run_of_second));
    run = trvi_lanes_if_greater(trvi_lanes_abs(run), least, run, least);
    trvi_lanes share = trvi_lanes_div(trvi_lanes_splat(1.0f), run);
    trvi_lanes to_low = trvi_lanes_sub(zero, trvi_lanes_mul(r->low, share));
    trvi_lanes to_high = trvi_lanes_mul(r->high, share);
    trvi_lanes step = trvi_lanes_mul(trvi_lanes_splat((float)slack), trvi_lanes_abs(share));
    strip s;
    s.enters = trvi_lanes_min(to_low, to_high);
    s.leaves = trvi_lanes_max(to_low, to_high);
    s.enters_itself = trvi_lanes_add(s.enters, step);
    s.leaves_itself = trvi_lanes_sub(s.leaves, step);
    s.rises = trvi_lanes_at_least(run, zero);
    return s;
}

static inline trvi_lanes clamp(trvi_lanes x, trvi_lanes low, trvi_lanes high)
{
    return trvi_lanes_min(trvi_lanes_max(x, low), high);
}

// The places at these shares of the incident's sides.
static inline void put_on_sides(const courses *c, found *f, uint32_t four, trvi_lanes share,
                                uint32_t exists)
{
    put(c, f, four,
        trvi_lanes_add(trvi_lanes_load(first_of),
                       trvi_lanes_mul(trvi_lanes_load(run_of_first), share)),
        trvi_lanes_add(trvi_lanes_load(second_of),
                       trvi_lanes_mul(trvi_lanes_load(run_of_second), share)),
        exists);
}

// False where all of the incident is over the rectangle, as it is in most stacks: nothing is
// crossed then, and there are no other corners.
static inline bool cross_sides(const box_patch *p, const courses *c, found *f)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f), one = trvi_lanes_splat(1.0f);
    rooms of_u = rooms_in_strip(c->u, p->middle.u, p->half_u, p->slack);
    rooms of_v = rooms_in_strip(c->v, p->middle.v, p->half_v, p->slack);
    uint32_t inside = of_u.inside & of_v.inside, ends_inside = (inside >> 1 | inside << 3) & EACH;
    f->is_vertex = inside;
    f->by_v = f->high = 0;
    if (inside == EACH) {
        put_on_sides(c, f, 0, zero, inside);
        f->height[1] = f->height[2] = trvi_lanes_splat(NOWHERE);
        return false;
    }
    strip u = cross_strip(c->u, &of_u, p->slack), v = cross_strip(c->v, &of_v, p->slack);
    trvi_lanes begin = trvi_lanes_max(trvi_lanes_max(u.enters, v.enters), zero);
    trvi_lanes end = trvi_lanes_min(trvi_lanes_min(u.leaves, v.leaves), one);
    uint32_t crosses = trvi_lanes_at_least(end, begin) | inside;
    // What crosses does so on the side itself. What does not is nowhere near at first: a side that
    // does not run across the strip would reach it so far out that float32 has no number for it.
    begin = trvi_lanes_min(begin, one);
    end = trvi_lanes_max(end, zero);
    // The last strip that is entered, and the first that is left.
    uint32_t in_by_v = trvi_lanes_at_least(v.enters, u.enters);
    uint32_t out_by_v = trvi_lanes_at_least(u.leaves, v.leaves);
    trvi_lanes in = trvi_lanes_if_greater(u.enters, v.enters, u.enters_itself, v.enters_itself);
    trvi_lanes out = trvi_lanes_if_greater(v.leaves, u.leaves, u.leaves_itself, v.leaves_itself);
    in = trvi_lanes_if_greater(begin, zero, clamp(in, begin, end), zero); // or it starts there
    f->by_v = in_by_v | out_by_v << SIDES;
    uint32_t in_rises = (v.rises & in_by_v) | (u.rises & ~in_by_v);
    uint32_t out_rises = (v.rises & out_by_v) | (u.rises & ~out_by_v);
    f->high = (~in_rises & EACH) | out_rises << SIDES;
    put_on_sides(c, f, 0, in, crosses);
    put_on_sides(c, f, 1, clamp(out, begin, end), crosses & ~ends_inside);
    return true;
}

// The rectangle's corners that are so far inside of the incident that none of its sides passes by
// within the slack.
static inline void add_own_corners(const box_patch *p, const courses *c, found *f)
{
    const place *one = &p->first, *two = &p->second;
    const trvi_lanes zero = trvi_lanes_splat(0.0f);
    trvi_lanes high = trvi_lanes_load(first_of);
    trvi_lanes u =
        trvi_lanes_if_greater(high, zero, trvi_lanes_splat((float)(p->half_u - p->middle.u)),
                              trvi_lanes_splat((float)(-p->half_u - p->middle.u)));
    high = trvi_lanes_load(second_of);
    trvi_lanes v =
        trvi_lanes_if_greater(high, zero, trvi_lanes_splat((float)(p->half_v - p->middle.v)),
                              trvi_lanes_splat((float)(-p->half_v - p->middle.v)));
    double area = one->u * two->v - one->v * two->u, inverse = 1.0 / area,
           room = p->slack * fabs(inverse);
    double least_first = 1.0 - room * (fabs(two->u) + fabs(two->v));
    double least_second = 1.0 - room * (fabs(one->u) + fabs(one->v));
    trvi_lanes first =
        trvi_lanes_sub(trvi_lanes_mul(u, trvi_lanes_splat((float)(two->v * inverse))),
                       trvi_lanes_mul(v, trvi_lanes_splat((float)(two->u * inverse))));
    trvi_lanes second =
        trvi_lanes_sub(trvi_lanes_mul(v, trvi_lanes_splat((float)(one->u * inverse))),
                       trvi_lanes_mul(u, trvi_lanes_splat((float)(one->v * inverse))));
    put(c, f, 2, first, second,
        trvi_lanes_at_least(trvi_lanes_splat((float)least_first), trvi_lanes_abs(first)) &
            trvi_lanes_at_least(trvi_lanes_splat((float)least_second), trvi_lanes_abs(second)));
}

static void find_corners(const box_patch *p, found *f)
{
    const courses c = {course_of(p->first.u, p->second.u), course_of(p->first.v, p->second.v),
                       course_of(p->first.height, p->second.height)};
    f->exists = 0;
    if (cross_sides(p, &c, f))
        add_own_corners(p, &c, f);
}

// The corners that are no higher than `height`.
static inline uint32_t no_higher(const found *f, float height)
{
    trvi_lanes top = trvi_lanes_splat(height);
    return trvi_lanes_at_least(top, f->height[0]) | trvi_lanes_at_least(top, f->height[1]) << 4 |
           trvi_lanes_at_least(top, f->height[2]) << 8;
}

// For each lane's bit: as high as what is not there, or lower than all that is.
#define N NOWHERE
#define L (-NOWHERE)
static const float absence[1 << SIDES][SIDES] = {
    {N, N, N, N}, {L, N, N, N}, {N, L, N, N}, {L, L, N, N}, {N, N, L, N}, {L, N, L, N},
    {N, L, L, N}, {L, L, L, N}, {N, N, N, L}, {L, N, N, L}, {N, L, N, L}, {L, L, N, L},
    {N, N, L, L}, {L, N, L, L}, {N, L, L, L}, {L, L, L, L}};
#undef N
#undef L

// Those that do not exist are put nowhere. Returns the least height.
static inline float remove_absent(found *f)
{
    float least[4];
    for (uint32_t i = 0; i < 3; i++)
        f->height[i] =
            trvi_lanes_max(f->height[i], trvi_lanes_load(absence[f->exists >> 4 * i & EACH]));
    trvi_lanes_store(least,
                     trvi_lanes_min(trvi_lanes_min(f->height[0], f->height[1]), f->height[2]));
    float a = least[0] < least[1] ? least[0] : least[1];
    float b = least[2] < least[3] ? least[2] : least[3];
    return a < b ? a : b;
}

// Two directions at right angles; the other two of the four are against them. The first are turned
// away from the axes, along which boxes have their sides.
static const float compasses[2][2][2] = {{{0.94f, 0.34f}, {-0.34f, 0.94f}},
                                         {{0.424f, 0.905f}, {-0.905f, 0.424f}}};

// The farthest corners along each of the four, where what is higher than `deep` counts as less far
// out, by `worth`. Of corners as far the first.
static inline void find_farthest(const found *f, const float to[2][2], float deep, float worth,
                                 uint32_t best[4])
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f), absent = trvi_lanes_splat(0.5f * NOWHERE);
    const trvi_lanes low = trvi_lanes_splat(deep), much = trvi_lanes_splat(worth);
    trvi_lanes far[4][3], most[4];
    for (uint32_t i = 0; i < 3; i++) {
        trvi_lanes over = trvi_lanes_max(trvi_lanes_sub(f->height[i], low), zero);
        trvi_lanes loss = trvi_lanes_max(trvi_lanes_mul(much, over), trvi_lanes_sub(over, absent));
        trvi_lanes back = trvi_lanes_sub(zero, loss);
        for (uint32_t k = 0; k < 2; k++) {
            trvi_lanes out = trvi_lanes_add(trvi_lanes_mul(trvi_lanes_splat(to[k][0]), f->u[i]),
                                            trvi_lanes_mul(trvi_lanes_splat(to[k][1]), f->v[i]));
            far[k][i] = trvi_lanes_add(back, out);
            far[k + 2][i] = trvi_lanes_sub(back, out);
        }
    }
    for (uint32_t k = 0; k < 4; k++)
        most[k] = trvi_lanes_max(trvi_lanes_max(far[k][0], far[k][1]), far[k][2]);
    trvi_lanes_transpose(most);
    most[0] = trvi_lanes_max(trvi_lanes_max(most[0], most[1]), trvi_lanes_max(most[2], most[3]));
    const trvi_lanes top[4] = {trvi_lanes_splat_0(most[0]), trvi_lanes_splat_1(most[0]),
                               trvi_lanes_splat_2(most[0]), trvi_lanes_splat_3(most[0])};
    for (uint32_t k = 0; k < 4; k++)
        best[k] = trvi_lowest_bit(trvi_lanes_at_least(far[k][0], top[k]) |
                                  trvi_lanes_at_least(far[k][1], top[k]) << 4 |
                                  trvi_lanes_at_least(far[k][2], top[k]) << 8);
}

static inline void store_places(const found *f, float u[CORNERS], float v[CORNERS])
{
    for (uint32_t i = 0; i < 3; i++) {
        trvi_lanes_store(u + 4 * i, f->u[i]);
        trvi_lanes_store(v + 4 * i, f->v[i]);
    }
}

// The chosen with the deepest corner for the one of some of them that is nearest to it.
static uint32_t with_deepest(const found *f, uint32_t chosen, uint32_t some)
{
    float u[CORNERS], v[CORNERS], height[CORNERS], least = HUGE_VALF;
    uint32_t deepest = 0, nearest = 0;
    store_places(f, u, v);
    for (uint32_t i = 0; i < 3; i++)
        trvi_lanes_store(height + 4 * i, f->height[i]);
    for (uint32_t i = 1; i < CORNERS; i++)
        deepest = height[i] < height[deepest] ? i : deepest;
    for (uint32_t i = 0; i < CORNERS; i++) {
        float du = u[i] - u[deepest], dv = v[i] - v[deepest];
        if ((some >> i & 1u) != 0 && du * du + dv * dv < least) {
            least = du * du + dv * dv;
            nearest = i;
        }
    }
    return (chosen & ~(1u << nearest)) | 1u << deepest;
}

// The rectangle's corner k as a vertex of its box.
static inline uint32_t own_vertex(const box_patch *p, uint32_t k)
{
    bool high_one = (first_of[k] > 0.0f) == (p->chart->sign > 0.0), high_two = second_of[k] < 0.0f;
    return (high_one ? 1u << p->chart->one : 0u) | (high_two ? 1u << p->chart->two : 0u) |
           (p->face % 2 == 1 ? 1u << p->face / 2 : 0u);
}

static inline uint32_t name_of(const box_patch *p, const found *f, uint32_t corner)
{
    bool reference_is_b = p->of_b != p->turned;
    uint32_t k = corner % SIDES, side = 4 * p->other + k;
    if (corner >= 2 * SIDES)
        return trvi_vertex_name(own_vertex(p, k), reference_is_b);
    if ((f->is_vertex >> corner & 1u) != 0)
        return trvi_vertex_name(trvi_box_edge_origin[side], !reference_is_b);
    uint32_t over = p->chart->sides[f->by_v >> corner & 1u][f->high >> corner & 1u];
    return trvi_crossing_name(over, trvi_box_edge[side], reference_is_b);
}

static inline bool has_more_than_four(uint32_t bits)
{
    for (uint32_t i = 0; i < TRV_MANIFOLD_POINTS; i++)
        bits &= bits - 1; // where none is left, none is taken
    return bits != 0;
}

// Of two by the same name the first.
static uint32_t held_of(const box_patch *p, const found *f, const trvi_held *held, uint32_t *count)
{
    uint32_t corners = 0, most = held != NULL ? held->count : 0;
    *count = 0;
    for (uint32_t left = f->exists; left != 0 && *count < most; left &= left - 1) {
        uint32_t corner = trvi_lowest_bit(left);
        bool stays = trvi_is_held(held, name_of(p, f, corner));
        corners |= (uint32_t)stays << corner;
        *count += stays;
    }
    return corners;
}

// How long and wide the rectangle is that holds all corners.
static inline void measure_patch(const found *f, float *wide, float *deep)
{
    const trvi_lanes zero = trvi_lanes_splat(0.0f), far = trvi_lanes_splat(NOWHERE);
    const trvi_lanes none = trvi_lanes_splat(0.5f * NOWHERE);
    trvi_lanes least[4] = {far, far, far, far};
    float low[4];
    for (uint32_t i = 0; i < 3; i++) {
        const trvi_lanes ways[4] = {f->u[i], f->v[i], trvi_lanes_sub(zero, f->u[i]),
                                    trvi_lanes_sub(zero, f->v[i])};
        for (uint32_t k = 0; k < 4; k++)
            least[k] =
                trvi_lanes_min(least[k], trvi_lanes_if_greater(f->height[i], none, far, ways[k]));
    }
    trvi_lanes_transpose(least);
    trvi_lanes_store(low, trvi_lanes_min(trvi_lanes_min(least[0], least[1]),
                                         trvi_lanes_min(least[2], least[3])));
    *wide = -(low[0] + low[2]);
    *deep = -(low[1] + low[3]);
}

// Twice the area that some corners cover, which are four at most.
static inline float area_over(const float *u, const float *v, uint32_t some)
{
    float to_u[TRV_MANIFOLD_POINTS], to_v[TRV_MANIFOLD_POINTS];
    uint32_t corner = 0;
    for (uint32_t i = 0; i < TRV_MANIFOLD_POINTS; i++, some &= some - 1) {
        corner = some != 0 ? trvi_lowest_bit(some) : corner;
        to_u[i] = u[corner];
        to_v[i] = v[corner];
    }
    float most = 0.0f; // in whichever order the four go round
    for (uint32_t i = 1; i < TRV_MANIFOLD_POINTS; i++) {
        uint32_t j = i % 3 + 1, k = j % 3 + 1;
        float area =
            (to_u[i] - to_u[0]) * (to_v[k] - to_v[j]) - (to_v[i] - to_v[0]) * (to_u[k] - to_u[j]);
        most = trvi_larger(most, fabsf(area));
    }
    return most;
}

// Places all corners; those that touch when the patch, so wide and long together, bears with all of it.
static uint32_t list_touching(const found *f, const float *u, const float *v, float size,
                              float deep, trvi_corner corners[CORNERS])
{
    for (uint32_t i = 0; i < CORNERS; i++) {
        corners[i].u = (double)u[i];
        corners[i].v = (double)v[i];
    }
    return f->exists & no_higher(f, deep + (float)TRVI_OUTGROWN_TILT * size);
}

// Those that cover most, where the chosen, which cover `area`, cover less than `enough` of that.
static TRVI_RARE uint32_t cover_enough(const found *f, const float *u, const float *v,
                                       uint32_t chosen, double area, float deep, double enough)
{
    trvi_corner corners[CORNERS];
    float size_u, size_v;
    double most;
    measure_patch(f, &size_u, &size_v);
    if (area >= TRVI_WIDE_PATCH * (double)size_u * (double)size_v)
        return chosen;
    uint32_t touching = list_touching(f, u, v, size_u + size_v, deep, corners);
    uint64_t widest = trvi_widest_four(corners, touching, &most);
    return area >= enough * most ? chosen : (uint32_t)widest;
}

// The chosen, unless others cover much more: corners side by side may be the farthest along several
// directions. No more touches than the smaller face.
static uint32_t check_cover(const box_patch *p, const found *f, uint32_t chosen, bool held,
                            float deep)
{
    float u[CORNERS], v[CORNERS];
    store_places(f, u, v);
    double area = (double)area_over(u, v, chosen);
    double face =
        trvi_dmin(p->half_u * p->half_v, fabs(p->first.u * p->second.v - p->first.v * p->second.u));
    return area >= TRVI_WIDE_PATCH * 4.0 * face
               ? chosen
               : cover_enough(f, u, v, chosen, area, deep,
                              held ? TRVI_OUTGROWN_PATCH : TRVI_WIDE_OF_WIDEST);
}

// Where the load on the contact passes, from the incident's middle; false where that is not known.
static bool find_box_load(const trvi_couple *couple, const box_patch *p, trvi_place *spot)
{
    const trvi_view *reference = p->of_b ? &couple->b : &couple->a;
    trvi_dmat3 r = reference->rotation;
    const trvi_dvec3 axes[3] = {{r.m[0][0], r.m[1][0], r.m[2][0]},
                                {r.m[0][1], r.m[1][1], r.m[2][1]},
                                {r.m[0][2], r.m[1][2], r.m[2][2]}};
    trvi_ground ground = {trvi_dscale(axes[p->chart->one], p->chart->sign),
                          trvi_dnegate(axes[p->chart->two]),
                          trvi_dscale(axes[p->face / 2], p->sign), reference->position};
    ground.from = trvi_dmul_add(ground.from, ground.out, p->base);
    if (!trvi_load_place(couple->held, p->of_b, &ground, spot))
        return false;
    spot->u -= p->middle.u;
    spot->v -= p->middle.v;
    return true;
}

// The chosen, but for what a load there needs: its side is told, as trvi_bear_load does.
static uint32_t bear_load(const found *f, uint32_t chosen, float deep, const trvi_place *load,
                          uint32_t *side)
{
    trvi_corner corners[CORNERS];
    float u[CORNERS], v[CORNERS], wide, high;
    store_places(f, u, v);
    measure_patch(f, &wide, &high);
    uint64_t touching = list_touching(f, u, v, wide + high, deep, corners), edge;
    uint64_t borne = trvi_bear_load(corners, touching, chosen, load, &edge);
    *side = (uint32_t)edge;
    return (uint32_t)borne;
}

// At most four of the corners, as trvi_polygon_choose_four does: those that are held, those that reach
// farthest, and one that is not higher than `deep`.
static uint32_t choose(const trvi_couple *couple, const box_patch *p, const found *f, float deep)
{
    if (!has_more_than_four(f->exists))
        return f->exists;
    const trvi_held *held = couple->held;
    uint32_t count, stays = held_of(p, f, held, &count), chosen = stays;
    for (uint32_t turn = 0; turn < 4 && count < TRV_MANIFOLD_POINTS; turn++) {
        uint32_t best[4];
        find_farthest(f, compasses[turn % 2], deep, turn < 2 ? (float)TRVI_DEPTH_WORTH : 0.0f,
                      best);
        for (uint32_t k = 0; k < 4 && count < TRV_MANIFOLD_POINTS; k++) {
            count += ~(chosen >> best[k]) & 1u;
            chosen |= 1u << best[k];
        }
    }
    uint32_t covering = check_cover(p, f, chosen, stays != 0, deep);
    stays = covering == chosen ? stays : 0;
    chosen = covering;
    trvi_place load;
    if (find_box_load(couple, p, &load)) {
        uint32_t side;
        chosen = bear_load(f, chosen, deep, &load, &side);
        stays = side != 0 ? side : stays;
    }
    uint32_t some = (chosen & ~stays) != 0 ? chosen & ~stays : chosen;
    return (chosen & no_higher(f, deep)) != 0 ? chosen : with_deepest(f, chosen, some);
}

// Unless it is above the margin after all, but for what float32 rounded.
static inline void add_point(const box_patch *p, const found *f, uint32_t corner, trvi_dfour margin,
                             trv_manifold *out)
{
    trvi_dfour s = trvi_dfour_splat((double)f->first[corner]);
    trvi_dfour t = trvi_dfour_splat((double)f->second[corner]);
    trvi_dfour at = trvi_dfour_add(p->world[0], trvi_dfour_add(trvi_dfour_mul(s, p->world[1]),
                                                               trvi_dfour_mul(t, p->world[2])));
    if ((trvi_dfour_greater(at, margin) & 8u) != 0)
        return;
    trv_manifold_point *point = &out->points[out->count++];
    float numbers[4];
    trvi_dfour_store_floats(numbers, at);
    _Static_assert(offsetof(trv_manifold_point, separation) == 3 * sizeof *numbers, "one by one");
    memcpy(point, numbers, sizeof numbers); // its place and its separation
    point->feature = name_of(p, f, corner);
}

// In the order of the incident's sides, so that a point keeps its place while its side stays.
static inline void add_points(const box_patch *p, const found *f, uint32_t chosen, double margin,
                              trv_manifold *out)
{
    static const uint16_t spread[1 << SIDES] = {0,     01,    010,   011,   0100,  0101,
                                                0110,  0111,  01000, 01001, 01010, 01011,
                                                01100, 01101, 01110, 01111};
    static const uint8_t corner_of[CORNERS] = {0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11};
    uint32_t ordered = spread[chosen & EACH] | (uint32_t)spread[chosen >> 4 & EACH] << 1 |
                       (uint32_t)spread[chosen >> 8 & EACH] << 2;
    for (; ordered != 0; ordered &= ordered - 1)
        add_point(p, f, corner_of[trvi_lowest_bit(ordered)], trvi_dfour_splat(margin), out);
}

// How far a corner is from the rectangle, squared. Over the slack that is more than its height.
static double square_to_patch(const box_patch *p, const found *f, uint32_t corner)
{
    double s = (double)f->first[corner], t = (double)f->second[corner];
    double u = p->middle.u + (s * p->first.u + t * p->second.u);
    double v = p->middle.v + (s * p->first.v + t * p->second.v);
    double height = p->middle.height + (s * p->first.height + t * p->second.height);
    double out_u = trvi_dmax(fabs(u) - p->half_u, 0.0), out_v = trvi_dmax(fabs(v) - p->half_v, 0.0);
    return height * height + out_u * out_u + out_v * out_v;
}

bool trvi_box_patch(const trvi_couple *couple, const double places[3], uint32_t face, bool on_b,
                    double gap, double margin, trv_manifold *out)
{
    box_patch p;
    found f;
    double extent = (on_b ? &couple->a : &couple->b)->extent; // which the sum is, where not tiny
    double least = trvi_dmin(couple->a.extent, couple->b.extent);
    if (extent + MOST_TIMES * LEAST_SIZE > MOST_TIMES * least)
        return false;
    set_patch(couple, places, face, on_b, &p);
    find_corners(&p, &f);
    // Heights so far are those over the middle of the incident.
    f.exists &= no_higher(&f, (float)(margin - p.middle.height));
    float low = remove_absent(&f);
    double lowest = (double)low + p.middle.height;
    if (f.exists == 0 || !trvi_shows_depth(lowest, gap, couple->size))
        return false;
    if (gap > TRVI_TOUCH * couple->scale &&
        square_to_patch(&p, &f, trvi_lowest_bit(no_higher(&f, low))) > margin * margin)
        return false;
    float normal[4];
    trvi_dfour_store_floats(normal, p.out);
    out->normal = (trv_vec3){normal[0], normal[1], normal[2]};
    if (on_b)
        out->normal = trvi_negate(out->normal);
    float deep = low + (float)trvi_even_depth(lowest, couple->size);
    uint32_t chosen = choose(couple, &p, &f, deep);
    add_points(&p, &f, chosen, margin, out);
    return out->count > 0;
}
