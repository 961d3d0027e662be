// The separating axis tests: box against box on 15 axes, segment against box on 6.
//
// Two convex polytopes are disjoint iff a face normal of one, or a cross product of an edge of
// each, separates their shadows. Everything is in A's (the box's) frame and in double; the largest
// gap over all unit axes is the separation, its negative the penetration depth.
// Invariant: overlap is separation <= 0, one predicate for both questions.
//
// Based on: Gomez, "Simple Intersection Tests for Games", 1999, Listings 6 and 7; Gottschalk, Lin
// and Manocha, "OBBTree", 1996.
#include "primitive_math.h"

// The widest gap so far, and the axis that has it but for rounding: of equal ones, the lowest.
typedef struct search {
    double widest;
    double axis_gap; // of `axis`
    uint32_t axis;
    double sign; // of the way from A to B along the axis
    bool stop_when_apart;
} search;

static search begin_search(bool stop_when_apart)
{
    return (search){-HUGE_VAL, -HUGE_VAL, 0, 1.0, stop_when_apart};
}

// A candidate: t is the distance of the centres along it, reach the sum of both shadows' halves.
// True when the search may end.
static bool try_axis(search *best, uint32_t axis, double t, double reach, double length)
{
    double gap = (fabs(t) - reach) / length;
    best->widest = fmax(best->widest, gap);
    if (gap > best->axis_gap + TRVI_AXIS_TIE * (fabs(t) + reach) / length) {
        best->axis_gap = gap;
        best->axis = axis;
        best->sign = t < 0.0 ? -1.0 : 1.0;
    }
    return best->stop_when_apart && gap > 0.0;
}

// The two other axes, cyclically: {i, others[i][0], others[i][1]} is right-handed.
static const int others[3][2] = {{1, 2}, {2, 0}, {0, 1}};

// What 15 axes need: T in both frames, R[i][j] = A_i . B_j and its absolute value.
typedef struct box_pair {
    double ta[3], tb[3];
    double r[3][3], abs_r[3][3];
} box_pair;

static void relate(const trvi_box_frame *a, const trvi_box_frame *b, box_pair *pair)
{
    trvi_dvec3 t = trvi_dsub(b->center, a->center);
    for (int i = 0; i < 3; ++i) {
        pair->ta[i] = trvi_ddot(a->axis[i], t);
        pair->tb[i] = trvi_ddot(b->axis[i], t);
        for (int j = 0; j < 3; ++j) {
            pair->r[i][j] = trvi_ddot(a->axis[i], b->axis[j]);
            pair->abs_r[i][j] = fabs(pair->r[i][j]);
        }
    }
}

// A_i x B_j is (0, -R[i2][j], R[i1][j]) in A's axes i, i1, i2: no product of the frames is formed.
static bool try_edges(const trvi_box_frame *a, const trvi_box_frame *b, const box_pair *pair,
                      search *best)
{
    for (int i = 0; i < 3; ++i) {
        int i1 = others[i][0], i2 = others[i][1];
        for (int j = 0; j < 3; ++j) {
            int j1 = others[j][0], j2 = others[j][1];
            double s1 = pair->r[i1][j], s2 = pair->r[i2][j];
            double square = s1 * s1 + s2 * s2;
            if (square <= TRVI_PARALLEL_EDGES * TRVI_PARALLEL_EDGES)
                continue;
            double t = pair->ta[i2] * s1 - pair->ta[i1] * s2;
            double ra = a->half[i1] * pair->abs_r[i2][j] + a->half[i2] * pair->abs_r[i1][j];
            double rb = b->half[j1] * pair->abs_r[i][j2] + b->half[j2] * pair->abs_r[i][j1];
            if (try_axis(best, (uint32_t)(6 + 3 * i + j), t, ra + rb, sqrt(square)))
                return true;
        }
    }
    return false;
}

static void separate_boxes(const trvi_box_frame *a, const trvi_box_frame *b, search *best)
{
    box_pair pair;
    relate(a, b, &pair);
    for (int i = 0; i < 3; ++i) {
        double rb = b->half[0] * pair.abs_r[i][0] + b->half[1] * pair.abs_r[i][1] +
                    b->half[2] * pair.abs_r[i][2];
        if (try_axis(best, (uint32_t)i, pair.ta[i], a->half[i] + rb, 1.0))
            return;
    }
    for (int j = 0; j < 3; ++j) {
        double ra = a->half[0] * pair.abs_r[0][j] + a->half[1] * pair.abs_r[1][j] +
                    a->half[2] * pair.abs_r[2][j];
        if (try_axis(best, (uint32_t)(3 + j), pair.tb[j], ra + b->half[j], 1.0))
            return;
    }
    try_edges(a, b, &pair, best);
}

bool trv_obb_overlaps_obb(trv_obb a, trv_obb b)
{
    trvi_box_frame frame_a, frame_b;
    if (!trvi_box_frame_of(a, &frame_a) || !trvi_box_frame_of(b, &frame_b))
        return false;
    search best = begin_search(true);
    separate_boxes(&frame_a, &frame_b, &best);
    return best.widest <= 0.0;
}

static bool give_separation(bool good, const search *best, trvi_dvec3 axis,
                            trv_axis_separation *out)
{
    trv_axis_separation answer = {0};
    if (good) {
        answer.separation = trvi_narrow(best->widest);
        answer.axis = best->axis;
        answer.normal = trvi_narrow_vec3(trvi_dscale(trvi_dunit(axis), best->sign));
    }
    if (out != NULL)
        *out = answer;
    return good;
}

bool trv_obb_separation(trv_obb a, trv_obb b, trv_axis_separation *out)
{
    trvi_box_frame frame_a, frame_b;
    search best = begin_search(false);
    trvi_dvec3 axis = {0.0, 0.0, 0.0};
    bool good = trvi_box_frame_of(a, &frame_a) && trvi_box_frame_of(b, &frame_b);
    if (good) {
        separate_boxes(&frame_a, &frame_b, &best);
        if (best.axis < 3)
            axis = frame_a.axis[best.axis];
        else if (best.axis < 6)
            axis = frame_b.axis[best.axis - 3];
        else
            axis = trvi_dcross(frame_a.axis[(best.axis - 6) / 3], frame_b.axis[best.axis % 3]);
    }
    return give_separation(good, &best, axis, out);
}

// The segment is mid +- along in the box's axes. From A, the segment, to B, the box: minus mid.
static void separate_segment(trvi_dvec3 mid, trvi_dvec3 along, const double half[3], search *best)
{
    const double t[3] = {-mid.x, -mid.y, -mid.z};
    const double l[3] = {along.x, along.y, along.z};
    const double abs_l[3] = {fabs(along.x), fabs(along.y), fabs(along.z)};
    double least = TRVI_PARALLEL_EDGES * TRVI_PARALLEL_EDGES * trvi_ddot(along, along);
    for (int i = 0; i < 3; ++i)
        if (try_axis(best, (uint32_t)i, t[i], half[i] + abs_l[i], 1.0))
            return;
    for (int i = 0; i < 3; ++i) { // l x e_i is (0, l2, -l1) in the axes i, i1, i2
        int i1 = others[i][0], i2 = others[i][1];
        double square = l[i1] * l[i1] + l[i2] * l[i2];
        if (square <= least)
            continue;
        double reach = half[i1] * abs_l[i2] + half[i2] * abs_l[i1];
        if (try_axis(best, (uint32_t)(3 + i), t[i1] * l[i2] - t[i2] * l[i1], reach, sqrt(square)))
            return;
    }
}

// False where an argument is bad; else the search over all axes, or until one is apart.
static bool search_segment(trv_segment segment, const trvi_box_frame *frame, search *best,
                           trvi_dvec3 *along)
{
    if (!trvi_finite_vec3(segment.a) || !trvi_finite_vec3(segment.b))
        return false;
    trvi_dvec3 p = trvi_dvec3_from(segment.a), q = trvi_dvec3_from(segment.b);
    trvi_dvec3 mid = trvi_dsub(trvi_dscale(trvi_dadd(p, q), 0.5), frame->center);
    *along = trvi_dscale(trvi_dsub(q, p), 0.5);
    separate_segment(trvi_box_local(frame, mid), trvi_box_local(frame, *along), frame->half, best);
    return true;
}

static bool segment_overlaps(trv_segment segment, const trvi_box_frame *frame)
{
    search best = begin_search(true);
    trvi_dvec3 along;
    return search_segment(segment, frame, &best, &along) && best.widest <= 0.0;
}

static bool segment_separation(bool good, trv_segment segment, const trvi_box_frame *frame,
                               trv_axis_separation *out)
{
    search best = begin_search(false);
    trvi_dvec3 axis = {0.0, 0.0, 0.0}, along;
    good = good && search_segment(segment, frame, &best, &along);
    if (good)
        axis =
            best.axis < 3 ? frame->axis[best.axis] : trvi_dcross(along, frame->axis[best.axis - 3]);
    return give_separation(good, &best, axis, out);
}

bool trv_segment_overlaps_aabb(trv_segment segment, trv_aabb box)
{
    trvi_box_frame frame;
    return trvi_box_frame_of_aabb(box, &frame) && segment_overlaps(segment, &frame);
}

bool trv_segment_overlaps_obb(trv_segment segment, trv_obb box)
{
    trvi_box_frame frame;
    return trvi_box_frame_of(box, &frame) && segment_overlaps(segment, &frame);
}

bool trv_segment_aabb_separation(trv_segment segment, trv_aabb box, trv_axis_separation *out)
{
    trvi_box_frame frame = {0};
    return segment_separation(trvi_box_frame_of_aabb(box, &frame), segment, &frame, out);
}

bool trv_segment_obb_separation(trv_segment segment, trv_obb box, trv_axis_separation *out)
{
    trvi_box_frame frame = {0};
    return segment_separation(trvi_box_frame_of(box, &frame), segment, &frame, out);
}
