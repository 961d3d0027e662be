// How far two moving shapes can go until a plane between them no longer parts them, for certain.
//
// A plane parts the shapes at some time. Its normal is then let turn on at a constant pace, and the
// gap along it is bounded from below: of each pair of vertices the height over the plane is its
// value and its slope at the start, less half the square of the time times the largest second
// derivative that the motion can have. The least of such heights over all pairs is found by one
// support of each shape, in the normal leaned by slope times time; being a least of straight lines
// less a square, it is concave. So one time at which it is not negative proves the whole way to it
// free of contact, and its root, which is the step, comes from a few supports. With the pace of the
// feature that carries the contact (a face's own, or that of the normal of two edges) what is lost
// is of second order, and the steps converge on the contact like Newton's method. Any pace gives a
// proof; the best is taken.
// Invariant: no time is passed at which the shapes touch by more than trvi_course_touch.
// Based on: Mirtich 1996, "Impulse-based Dynamic Simulation" (conservative advancement); Zhang, Lee
// and Kim 2006, "Interactive continuous collision detection for non-convex polyhedra" (bounds along
// a direction); van den Bergen 2004, "Ray casting against general convex objects" (translation).
#include "impact.h"

enum { ROOT_TURNS = 16 }; // supports for one root; then the chord, which concavity makes safe

// The lower bound on the gap along a turning normal.
typedef struct bound {
    const trvi_course *course;
    trvi_dvec3 normal, pace;   // the normal now, and how it turns: rad per step
    trvi_dvec3 lean_a, lean_b; // the supporting directions' change in time
    double height, climb;      // of the turning centres along the normal, and its slope
    double bend;               // the most that any height can curve
    uint32_t vertex_a, vertex_b;
    double level, slope; // of the pair of vertices found last: level + slope t - bend t^2 / 2
    double ideal;        // when that of now would be spent without bend
} bound;

static uint32_t support(const trvi_view *view, trvi_dvec3 d, uint32_t start, bool every)
{
    return every ? trvi_support_every(view, d) : trvi_support(view, d, start);
}

// The bound at `time` from now; keeps the vertices that it is due to.
static double measure(bound *f, double time, bool every)
{
    const trvi_course *c = f->course;
    const trvi_view *a = &c->couple.a, *b = &c->couple.b;
    trvi_dvec3 da = trvi_dmul_add(f->normal, f->lean_a, time);
    trvi_dvec3 db = trvi_dnegate(trvi_dmul_add(f->normal, f->lean_b, time));
    f->vertex_a = support(a, trvi_dmat3_mul_transposed(&c->a.rotation, da), f->vertex_a, every);
    f->vertex_b = support(b, trvi_dmat3_mul_transposed(&c->b.rotation, db), f->vertex_b, every);
    trvi_dvec3 ra =
        trvi_dadd(trvi_dmat3_mul(&c->a.rotation, trvi_vertex(a, f->vertex_a)), c->a.origin);
    trvi_dvec3 rb =
        trvi_dadd(trvi_dmat3_mul(&c->b.rotation, trvi_vertex(b, f->vertex_b)), c->b.origin);
    f->level = f->height + trvi_ddot(f->normal, rb) - trvi_ddot(f->normal, ra) - c->radii;
    f->slope = f->climb + trvi_ddot(f->lean_b, rb) - trvi_ddot(f->lean_a, ra);
    return f->level + time * (f->slope - 0.5 * f->bend * time);
}

// When the height of the vertices found last may be down to `target`; infinity for never.
static double root_of(const bound *f, double target)
{
    double over = f->level - target;
    if (f->bend > 0.0) {
        double root = sqrt(trvi_dmax(f->slope * f->slope + 2.0 * f->bend * over, 0.0));
        return f->slope < 0.0 ? 2.0 * over / (root - f->slope) : (root + f->slope) / f->bend;
    }
    return f->slope < 0.0 ? over / -f->slope : HUGE_VAL;
}

// How strongly the heights of a mover's vertices over the turning plane may curve.
static double bend_of(const trvi_mover *m, trvi_dvec3 turn, trvi_dvec3 pace, trvi_dvec3 n)
{
    // d2/dt2 of n . r is r . (D x (D x n)) + r . ((pace x turn) x n), D = turn - pace.
    trvi_dvec3 d = trvi_dsub(turn, pace);
    double square = trvi_ddot(d, d);
    if (!(square > 0.0))
        return 0.0;
    trvi_dvec3 twist = trvi_dcross(pace, turn);
    double twisted = trvi_dlength(twist);
    if (twisted > 0.0)
        return m->reach * (square + twisted);
    // About one axis: only what is across it counts, of the vertex and of the normal.
    return (m->rate > 0.0 ? m->swing : m->reach) * sqrt(square) * trvi_dlength(trvi_dcross(d, n));
}

static void set_bound(bound *f, const trvi_course *c, const trvi_front *front, trvi_dvec3 pace,
                      double end)
{
    trvi_dvec3 n = front->normal, travel = trvi_dscale(c->travel, c->sense);
    trvi_dvec3 turn_a = trvi_dscale(c->a.turn, c->sense);
    trvi_dvec3 turn_b = trvi_dscale(c->b.turn, c->sense);
    trvi_dvec3 change = trvi_dcross(pace, n);
    f->course = c;
    f->normal = n;
    f->pace = pace;
    f->lean_a = trvi_dcross(n, trvi_dsub(turn_a, pace));
    f->lean_b = trvi_dcross(n, trvi_dsub(turn_b, pace));
    f->height = trvi_ddot(n, c->apart);
    f->climb = trvi_ddot(n, travel) + trvi_ddot(change, c->apart);
    double speed = trvi_dlength(travel), farthest = trvi_dlength(c->apart) + speed * end;
    f->bend = bend_of(&c->a, turn_a, pace, n) + bend_of(&c->b, turn_b, pace, n) +
              trvi_dlength(change) * (trvi_dlength(pace) * farthest + 2.0 * speed);
    f->vertex_a = front->vertex_a;
    f->vertex_b = front->vertex_b;
}

// A climb may miss a sliver: where the gap is wide, slivers are left out of it; near contact every
// vertex is looked at.
static bool is_near(const trvi_course *c, const trvi_front *front)
{
    return front->gap <= 4.0 * TRVI_CLIMB_DOUBT * c->widest;
}

// The longest time up to `end` at which the bound is at least `target`, where it is now; `*value`
// is the bound there.
static double farthest(bound *f, double target, double tiny, double end, double *value)
{
    double now = measure(f, 0.0, false);
    *value = now;
    f->ideal = 0.0;
    if (!(now > target))
        return 0.0;
    f->ideal = f->slope < 0.0 ? (now - target) / -f->slope : HUGE_VAL;
    double time = trvi_dmin(root_of(f, target), end);
    for (int i = 0; i < ROOT_TURNS; i++) {
        *value = measure(f, time, false);
        if (*value >= target - tiny)
            return time;
        double sooner = root_of(f, target);
        if (!(sooner < time) || i + 1 == ROOT_TURNS)
            break;
        time = sooner;
    }
    time *= (now - target) / (now - *value);
    *value = measure(f, time, false);
    return time;
}

// The same with the shapes replaced by what they sweep when they turn for ever: straight in time.
static double farthest_swept(const trvi_course *c, trvi_dvec3 n, double end)
{
    const trvi_mover *movers[2] = {&c->a, &c->b};
    double gap = trvi_ddot(n, c->apart) - c->radii - trvi_course_touch(c);
    for (int i = 0; i < 2; i++) {
        const trvi_mover *m = movers[i];
        double swept = m->reach;
        if (m->rate > 0.0) {
            double up = fabs(trvi_ddot(n, m->turn)) / m->rate;
            double across = trvi_dlength(trvi_dcross(n, m->turn)) / m->rate;
            swept = trvi_dmin(swept, up * m->rise + across * m->swing);
        }
        gap -= swept;
    }
    if (!(gap > 0.0))
        return 0.0;
    double slope = c->sense * trvi_ddot(n, c->travel);
    return slope < 0.0 ? trvi_dmin(end, gap / -slope) : end;
}

static trvi_dvec3 edge_between(const trvi_mover *m, const trvi_view *view, const uint32_t *v)
{
    trvi_dvec3 e = trvi_dsub(trvi_vertex(view, v[1]), trvi_vertex(view, v[0]));
    return trvi_dmat3_mul(&m->rotation, trvi_dnormalize_or(e, (trvi_dvec3){1.0, 0.0, 0.0}));
}

// How the points of the simplex nearest each other part, per step.
static trvi_dvec3 parting(const trvi_course *c, const trvi_simplex *s)
{
    trvi_dvec3 on_a, on_b;
    trvi_gjk_points(&c->couple, s, &on_a, &on_b);
    trvi_dvec3 ra = trvi_dadd(trvi_dmat3_mul(&c->a.rotation, on_a), c->a.origin);
    trvi_dvec3 rb =
        trvi_dsub(trvi_dadd(trvi_dmat3_mul(&c->a.rotation, on_b), c->a.origin), c->apart);
    trvi_dvec3 v =
        trvi_dadd(c->travel, trvi_dsub(trvi_dcross(c->b.turn, rb), trvi_dcross(c->a.turn, ra)));
    return trvi_dscale(v, c->sense);
}

// ... at right angles to both edges, unit vectors in the world, of two shapes. False where they are
// parallel.
static bool pace_of_edges(const trvi_course *c, trvi_dvec3 n, trvi_dvec3 edge_a, trvi_dvec3 edge_b,
                          trvi_dvec3 *pace)
{
    trvi_dvec3 ua = trvi_dcross(edge_a, n), ub = trvi_dcross(edge_b, n);
    double aa = trvi_ddot(ua, ua), bb = trvi_ddot(ub, ub), ab = trvi_ddot(ua, ub);
    double squared = aa * bb - ab * ab;
    if (!(squared > TRVI_CROSS_LENGTH))
        return false;
    double pa = c->sense * trvi_ddot(c->a.turn, ua), pb = c->sense * trvi_ddot(c->b.turn, ub);
    double x = (pa * bb - pb * ab) / squared, y = (pb * aa - pa * ab) / squared;
    *pace = trvi_dadd(trvi_dscale(ua, x), trvi_dscale(ub, y));
    return true;
}

// ... with a point and an edge: it stays at right angles to that, and goes with the point the other way.
static trvi_dvec3 pace_of_edge(const trvi_course *c, trvi_dvec3 n, trvi_dvec3 edge, trvi_dvec3 turn,
                               trvi_dvec3 parts, double distance)
{
    trvi_dvec3 u = trvi_dcross(edge, n);
    double across = c->sense * trvi_ddot(turn, u);
    return trvi_dmul_add(trvi_dscale(u, across), edge, trvi_ddot(u, parts) / distance);
}

static trvi_dvec3 column(const trvi_dmat3 *m, int i)
{
    return (trvi_dvec3){m->m[0][i], m->m[1][i], m->m[2][i]};
}

static bool pace_of_box_axis(const trvi_course *c, const trvi_front *front, trvi_dvec3 *pace)
{
    if (front->edge_a >= 0)
        return pace_of_edges(c, front->normal, column(&c->a.rotation, front->edge_a),
                             column(&c->b.rotation, front->edge_b), pace);
    *pace = trvi_dscale(front->face_of_a ? c->a.turn : c->b.turn, c->sense);
    return true;
}

// The pace at which the line between the nearest features turns. False where they are not known.
static bool pace_of_features(const trvi_course *c, const trvi_front *front, trvi_dvec3 *pace)
{
    uint32_t va[4], vb[4];
    if (front->of_boxes)
        return pace_of_box_axis(c, front, pace);
    if (!front->has_simplex)
        return false;
    uint32_t count_a = trvi_simplex_vertices(&front->simplex, false, va);
    uint32_t count_b = trvi_simplex_vertices(&front->simplex, true, vb);
    if (count_a > 2 || count_b > 2) { // a face's normal goes with the shape
        *pace = trvi_dscale(count_a > 2 ? c->a.turn : c->b.turn, c->sense);
        return true;
    }
    trvi_dvec3 n = front->normal, parts = parting(c, &front->simplex);
    double distance = trvi_dmax(front->gap + c->radii, trvi_course_touch(c));
    if (count_a == 1 && count_b == 1) { // the line between two points
        *pace = trvi_dscale(trvi_dcross(n, parts), 1.0 / distance);
        return true;
    }
    trvi_dvec3 ea = {0.0, 0.0, 0.0}, eb = ea;
    if (count_a == 2)
        ea = edge_between(&c->a, &c->couple.a, va);
    if (count_b == 2)
        eb = edge_between(&c->b, &c->couple.b, vb);
    if (count_a == 2 && count_b == 2 && pace_of_edges(c, n, ea, eb, pace))
        return true;
    *pace = count_a == 2 ? pace_of_edge(c, n, ea, c->a.turn, parts, distance)
                         : pace_of_edge(c, n, eb, c->b.turn, parts, distance);
    return true;
}

// Turns a unit vector by a rotation vector.
static trvi_dvec3 turned(trvi_dvec3 n, trvi_dvec3 turn)
{
    double angle = trvi_dlength(turn), sine, cosine;
    if (!(angle > 0.0))
        return n;
    trvi_dsincos(angle, &sine, &cosine);
    trvi_dvec3 k = trvi_dscale(turn, 1.0 / angle);
    trvi_dvec3 r = trvi_dscale(n, cosine);
    r = trvi_dmul_add(r, trvi_dcross(k, n), sine);
    r = trvi_dmul_add(r, k, trvi_ddot(k, n) * (1.0 - cosine));
    return trvi_dnormalize_or(r, n);
}

// The paces to try, the likeliest first; returns how many.
static uint32_t choose_paces(const trvi_course *c, const trvi_front *front, trvi_dvec3 paces[4])
{
    trvi_dvec3 none = {0.0, 0.0, 0.0};
    uint32_t count = 0;
    if (c->half_space != NULL) {
        paces[0] = trvi_dscale(c->half_space->turn, c->sense);
        return 1;
    }
    bool turns = c->a.rate > 0.0 || c->b.rate > 0.0;
    if (turns)
        count += pace_of_features(c, front, &paces[count]);
    if (c->a.rate > 0.0)
        paces[count++] = trvi_dscale(c->a.turn, c->sense);
    if (c->b.rate > 0.0)
        paces[count++] = trvi_dscale(c->b.turn, c->sense);
    paces[count++] = none;
    return count;
}

void trvi_front_stride(const trvi_course *c, const trvi_front *front, double end,
                       trvi_stride *stride)
{
    trvi_dvec3 paces[4];
    uint32_t count = choose_paces(c, front, paces);
    double touch = trvi_course_touch(c), tiny = 0.25 * touch;
    bool near = is_near(c, front);
    double target = near ? 0.0 : TRVI_CLIMB_DOUBT * c->widest;
    stride->length = c->half_space != NULL ? 0.0 : farthest_swept(c, front->normal, end);
    stride->free = stride->length >= end;
    stride->normal = front->normal;
    bound best = {0};
    for (uint32_t i = 0; i < count && !stride->free; i++) {
        bound f;
        double value;
        set_bound(&f, c, front, paces[i], end);
        double time = farthest(&f, target, tiny, end, &value);
        if (time > stride->length) {
            stride->length = time;
            stride->free = time >= end && value > touch;
            best = f;
        }
        if (i == 0 && time >= 0.5 * f.ideal)
            break; // Newton's step nearly: none of the others is much longer
    }
    if (best.course == NULL)
        return;
    stride->normal = turned(best.normal, trvi_dscale(best.pace, stride->length));
    if (!near || c->widest == 0.0)
        return;
    double value = measure(&best, stride->length, true);
    if (value >= -tiny) {
        stride->free = stride->free && value > touch;
        return;
    }
    // A climb stopped short: down along the chord from now, whose gap was measured at every vertex.
    stride->free = false;
    stride->length *= front->gap / (front->gap - value);
    stride->normal = turned(best.normal, trvi_dscale(best.pace, stride->length));
}

// The gap along a normal at the course's time, from the vertices in the front, which it puts there.
static double gap_along(const trvi_course *c, trvi_dvec3 n, trvi_front *front, bool every)
{
    bound f;
    trvi_dvec3 none = {0.0, 0.0, 0.0};
    front->normal = n;
    set_bound(&f, c, front, none, 0.0);
    front->gap = measure(&f, 0.0, every);
    front->vertex_a = f.vertex_a;
    front->vertex_b = f.vertex_b;
    return front->gap;
}

// Offers a normal, and keeps it where the gap along it is larger.
static void offer(const trvi_course *c, trvi_dvec3 n, trvi_front *front)
{
    trvi_front other = *front;
    if (gap_along(c, n, &other, false) > front->gap)
        *front = other;
}

// True where the gap of the best normal is one; near contact it is measured at every vertex.
static bool parts(const trvi_course *c, trvi_front *front)
{
    double touch = trvi_course_touch(c);
    if (c->widest > 0.0 && front->gap > touch && is_near(c, front))
        gap_along(c, front->normal, front, true);
    return front->gap > touch;
}

// The normal of a simplex that is a triangle: near contact it is far more accurate than the line
// between two points that nearly coincide.
static bool normal_of_simplex(const trvi_simplex *s, trvi_dvec3 along, trvi_dvec3 *n)
{
    if (s->count != 3)
        return false;
    trvi_dvec3 ab = trvi_dsub(s->points[1].w, s->points[0].w);
    trvi_dvec3 ac = trvi_dsub(s->points[2].w, s->points[0].w);
    trvi_dvec3 across = trvi_dcross(ab, ac);
    if (trvi_ddot(across, along) < 0.0)
        across = trvi_dnegate(across);
    *n = trvi_dnormalize_or(across, along);
    return trvi_dlength(across) > TRVI_FLAT * trvi_dlength(ab) * trvi_dlength(ac);
}

static trvi_dvec3 to_world(const trvi_course *c, trvi_dvec3 n)
{
    return trvi_dmat3_mul(&c->a.rotation, n);
}

bool trvi_front_follow(const trvi_course *c, trvi_dvec3 normal, trvi_front *front)
{
    gap_along(c, normal, front, false);
    return parts(c, front);
}

// The axis of two boxes that leaves the widest gap. Where that is none, nor are they apart; but those
// that are grown by a margin may be, across a corner.
static bool find_between_boxes(const trvi_course *c, trvi_front *front)
{
    trvi_axis axis;
    trvi_box_gaps gaps;
    trvi_box_axes(&c->couple, HUGE_VAL, &gaps, &axis);
    trvi_dvec3 n = axis.normal;
    front->normal = to_world(c, n);
    front->gap = axis.gap - c->radii;
    front->vertex_a = axis.vertex_a;
    front->vertex_b = axis.vertex_b;
    front->of_boxes = true;
    front->edge_a = gaps.edge_a;
    front->edge_b = gaps.edge_b;
    front->face_of_a = gaps.edge_a < 0 && fabs(n.x) + fabs(n.y) + fabs(n.z) == 1.0;
    return front->gap > trvi_course_touch(c);
}

bool trvi_front_find(const trvi_course *c, const trvi_dvec3 *former, trvi_front *front)
{
    const trvi_couple *couple = &c->couple;
    double touch = trvi_course_touch(c);
    trvi_dvec3 unmoved = {0.0, 0.0, 0.0}, n;
    front->gap = -HUGE_VAL;
    front->has_simplex = front->of_boxes = false;
    front->vertex_a = front->vertex_b = TRVI_NO_VERTEX;
    if (c->half_space != NULL) {
        offer(c, trvi_dmat3_mul(&c->half_space->turned, c->plane), front);
        return parts(c, front);
    }
    if (couple->a.is_box && couple->b.is_box) {
        if (find_between_boxes(c, front) || !(c->radii > 0.0))
            return front->gap > touch;
        front->gap = -HUGE_VAL;
        front->of_boxes = false;
    }
    if (former != NULL)
        offer(c, *former, front);
    trvi_gjk gjk;
    trvi_gjk_run(couple, unmoved, HUGE_VAL, &gjk);
    if (gjk.state == TRVI_GJK_TOUCH) {
        if (c->radii < 0.0) { // they may overlap by so much: along the way out
            trvi_nearest nearest;
            trvi_nearest_find(couple, HUGE_VAL, &nearest);
            offer(c, to_world(c, nearest.axis.normal), front);
        }
        return parts(c, front);
    }
    front->vertex_a = gjk.vertex_a;
    front->vertex_b = gjk.vertex_b;
    front->has_simplex = true;
    front->simplex = gjk.simplex;
    offer(c, to_world(c, gjk.normal), front);
    if (normal_of_simplex(&gjk.simplex, gjk.normal, &n))
        offer(c, to_world(c, n), front);
    if (!(front->gap > touch) && gjk.state == TRVI_GJK_UNSURE) {
        trvi_nearest nearest;
        trvi_nearest_find(couple, HUGE_VAL, &nearest);
        offer(c, to_world(c, nearest.axis.normal), front);
    }
    return parts(c, front);
}
