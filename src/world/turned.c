// Contacts of what turns: what comes down within the step is seen before it does.
//
// A contact stands for all that two shapes do to one another in the step by one plane, across the way between
// the nearest places. What lies with its side on an edge, and turns about that, has a plane that leans with the
// side; by the end of the step it may have turned past it, and be in a face of the other with a corner that
// shows nowhere. So where two turn fast past one another they are led to the end of the step, held by the
// points that are known, and are seen as they are by then. Points that are deep by then, and are not among
// those of now, join these, in place of those by which the two were not held; where all that touches now, or
// held them, is among those of then, these take their place. Either way they are as far apart as they are now:
// the solver stops them where they meet.
//
// Based on: the non-smooth contact dynamics of M. Jean (1999), a few rounds of whose iteration hold the pair.
#include "contact_points.h"
#include "solver_data.h"

// Of the way to the end of the step, and of the pair's points in each part of it; more change little.
enum { PARTS = 4, ROUNDS = 2 };

// One side, as it goes through the step.
typedef struct mover {
    const trvi_body *body;
    trv_vec3 linear, angular;
    trv_vec3 moved, turned; // since the step began, m and rad
    float inverse_mass;     // 0 where nothing pushes it
    trvi_symmetric inverse_inertia;
} mover;

static mover mover_of(const trv_world *world, const trvi_body *body, float dt)
{
    const trvi_mobile *mobile = trvi_mobile_of(world, body);
    mover m = {
        .body = body, .linear = mobile->linear_velocity, .angular = mobile->angular_velocity};
    if (body->kind != TRV_BODY_DYNAMIC || !(body->flags & TRVI_BODY_AWAKE))
        return m;
    m.linear = trvi_mul_add(m.linear, trvi_acceleration_of(world, mobile), dt);
    m.inverse_mass = mobile->inverse_mass;
    m.inverse_inertia = trvi_inverse_inertia_at(mobile, body->rotation, body->locks);
    return m;
}

// A point between the two, and the impulse that holds them there in a part of the step, N s.
typedef struct hold_point {
    trv_vec3 arm_a, arm_b;     // from the centres to where it is on each
    float gap;                 // between these, m
    float yield, least, given; // least: how fast they may leave one another, m/s
} hold_point;

static float yield_of(const mover *m, trv_vec3 arm, trv_vec3 normal)
{
    return trvi_yield_along(m->inverse_mass, &m->inverse_inertia, m->body->locks, arm, normal);
}

static trv_vec3 speed_at(const mover *m, trv_vec3 arm)
{
    return trvi_add(m->linear, trvi_cross(m->angular, arm));
}

static void push(mover *m, trv_vec3 arm, trv_vec3 impulse)
{
    trv_vec3 faster = trvi_unlocked(trvi_scale(impulse, m->inverse_mass), m->body->locks);
    m->linear = trvi_add(m->linear, faster);
    m->angular =
        trvi_add(m->angular, trvi_symmetric_mul(&m->inverse_inertia, trvi_cross(arm, impulse)));
}

static void hold_at(mover *a, mover *b, trv_vec3 normal, hold_point *p)
{
    if (!(p->yield > 0.0f))
        return;
    trv_vec3 past = trvi_sub(speed_at(b, p->arm_b), speed_at(a, p->arm_a));
    float sum = trvi_larger(p->given + (p->least - trvi_dot(past, normal)) / p->yield, 0.0f);
    float change = sum - p->given;
    if (change == 0.0f)
        return; // most points: they part
    p->given = sum;
    push(a, p->arm_a, trvi_scale(normal, -change));
    push(b, p->arm_b, trvi_scale(normal, change));
}

// Their speeds, so that no point that is known gets deeper in a part of the step.
static void hold(mover *a, mover *b, trv_vec3 normal, hold_point *points, uint32_t count, float h)
{
    for (uint32_t i = 0; i < count; i++) {
        hold_point *p = &points[i];
        p->yield = yield_of(a, p->arm_a, normal) + yield_of(b, p->arm_b, normal);
        p->least = -trvi_larger(p->gap, 0.0f) / h;
        p->given = 0.0f;
    }
    for (int r = 0; r < ROUNDS; r++)
        for (uint32_t i = 0; i < count; i++)
            hold_at(a, b, normal, &points[i]);
}

static void move(mover *m, float h)
{
    m->moved = trvi_mul_add(m->moved, m->linear, h);
    m->turned = trvi_mul_add(m->turned, m->angular, h);
}

// A turn in a part of the step. Its second order is enough up to half a radian; what turns farther is swept, and is
// led on by that much so that arms stay as long as they are.
static trv_vec3 turn_of(const mover *m, float h)
{
    const float most = 0.5f;
    trv_vec3 turn = trvi_scale(m->angular, h);
    float angle = trvi_length(turn);
    return angle > most ? trvi_scale(turn, most / angle) : turn;
}

// Where a point of a side is led to, whose arm turns.
static trv_vec3 way_of(const mover *m, trv_vec3 turn, trv_vec3 *arm, float h)
{
    trv_vec3 way = trvi_cross(turn, *arm);
    way = trvi_mul_add(way, trvi_cross(turn, way), 0.5f);
    *arm = trvi_add(*arm, way);
    return trvi_mul_add(way, m->linear, h);
}

// Leads them to the end of the step. A bit for each point that they touch at on the way.
static uint32_t lead(mover *a, mover *b, const trv_manifold *m, float dt)
{
    hold_point points[TRV_MANIFOLD_POINTS];
    for (uint32_t i = 0; i < m->count; i++) {
        trv_vec3 half = trvi_scale(m->normal, 0.5f * m->points[i].separation);
        points[i].arm_a = trvi_sub(trvi_sub(m->points[i].point, half), a->body->center);
        points[i].arm_b = trvi_sub(trvi_add(m->points[i].point, half), b->body->center);
        points[i].gap = m->points[i].separation;
    }
    const float h = dt / (float)PARTS;
    uint32_t bears = 0;
    for (int part = 0; part < PARTS; part++) {
        hold(a, b, m->normal, points, m->count, h);
        move(a, h);
        move(b, h);
        const trv_vec3 turn_a = turn_of(a, h), turn_b = turn_of(b, h);
        for (uint32_t i = 0; i < m->count; i++) {
            trv_vec3 way_a = way_of(a, turn_a, &points[i].arm_a, h);
            trv_vec3 way_b = way_of(b, turn_b, &points[i].arm_b, h);
            points[i].gap += trvi_dot(trvi_sub(way_b, way_a), m->normal);
            bears |= points[i].given > 0.0f ? 1u << i : 0;
        }
    }
    return bears;
}

static trv_pose pose_after(const trv_world *world, const mover *m)
{
    const float all = 1.0f; // of its way
    trv_motion way = trvi_motion_on(world, m->body, m->body->frame, m->moved, m->turned, all);
    return trv_motion_at(&way, all);
}

// The pair at the end of the step.
typedef struct outcome {
    const trv_shape *solid_a, *solid_b;
    trv_pose a, b;
    trv_manifold seen;
    int carries; // 1 where B's corners stand on a face of A, -1 the other way round, else 0
} outcome;

static trv_vec3 brought_back(const trv_pose *then, const trvi_body *body, trv_vec3 place)
{
    return trv_pose_apply(body->frame, trv_pose_apply_inverse(*then, place));
}

// Is a place on a box or a hull where two of its faces meet?
static bool is_at_rim(const trv_shape *solid, const trv_pose *pose, trv_vec3 place, float reach)
{
    int faces = 0;
    trv_vec3 at = trv_pose_apply_inverse(*pose, place);
    if (solid->kind == TRV_SHAPE_BOX) {
        const trv_obb *box = &solid->as.box;
        at = trvi_rotate_inverse(box->rotation, trvi_sub(at, box->center));
        faces = (fabsf(at.x) > box->half.x - reach) + (fabsf(at.y) > box->half.y - reach) +
                (fabsf(at.z) > box->half.z - reach);
    } else if (solid->kind == TRV_SHAPE_HULL) {
        const trv_hull *hull = solid->as.hull;
        for (uint32_t i = 0; i < hull->face_count && faces < 2; i++)
            faces += trvi_dot(hull->planes[i].normal, at) + hull->planes[i].offset > -reach;
    }
    return faces > 1;
}

// A point of then, as far apart as its places on both sides are now. It is where the corner is that slides over a
// face; at the face's rim, where edges cross, neither side has more of it.
static trv_manifold_point point_now(const outcome *then, const trvi_body *a, const trvi_body *b,
                                    uint32_t i)
{
    trv_manifold_point p = then->seen.points[i];
    trv_vec3 half = trvi_scale(then->seen.normal, 0.5f * p.separation);
    trv_vec3 then_a = trvi_sub(p.point, half), then_b = trvi_add(p.point, half);
    trv_vec3 on_a = brought_back(&then->a, a, then_a), on_b = brought_back(&then->b, b, then_b);
    p.separation = trvi_dot(trvi_sub(on_b, on_a), then->seen.normal);
    half = trvi_scale(then->seen.normal, 0.5f * p.separation);
    const float rim = TRVI_TURNED_RIM * trvi_smaller(a->extent, b->extent);
    if (then->carries > 0 && !is_at_rim(then->solid_a, &then->a, then_a, rim))
        p.point = trvi_sub(on_b, half);
    else if (then->carries < 0 && !is_at_rim(then->solid_b, &then->b, then_b, rim))
        p.point = trvi_add(on_a, half);
    else
        p.point = trvi_scale(trvi_add(on_a, on_b), 0.5f);
    return p;
}

static bool is_among(const trv_manifold *m, trv_vec3 place, float reach)
{
    for (uint32_t i = 0; i < m->count; i++) {
        trv_vec3 way = trvi_sub(m->points[i].point, place);
        if (trvi_dot(way, way) <= reach * reach)
            return true;
    }
    return false;
}

// Points of now and of then.
typedef struct union_of {
    trv_manifold points;
    float then[TRV_MANIFOLD_POINTS]; // how far apart by then, m; those of now: as if for ever
    uint32_t bears;                  // a bit for each of now that they are going to touch at
} union_of;

// Which of four is needed least, of those that the two are not going to touch at: of now the farthest, or else the
// least deep by then.
static uint32_t least_needed(const union_of *both)
{
    const trv_manifold_point *points = both->points.points;
    uint32_t least = TRVI_NONE;
    for (uint32_t i = 0; i < TRV_MANIFOLD_POINTS; i++) {
        if ((both->bears >> i & 1u) != 0)
            continue;
        if (least == TRVI_NONE || both->then[i] > both->then[least] ||
            (both->then[i] == both->then[least] && points[i].separation > points[least].separation))
            least = i;
    }
    return least;
}

// Adds a point, where there is room, or in place of one that is needed less.
static void join(union_of *both, const trv_manifold_point *point, float then)
{
    uint32_t at = both->points.count;
    if (at < TRV_MANIFOLD_POINTS)
        both->points.count++;
    else
        at = least_needed(both);
    if (at == TRVI_NONE || !(both->then[at] > then))
        return;
    both->points.points[at] = *point;
    both->then[at] = then;
    both->bears &= ~(1u << at);
}

// Is everything that touches, now or on the way, among the points of then, as they are now?
static bool shows_all(const trv_manifold *then, const trv_manifold *now, uint32_t bears,
                      float touch, float reach)
{
    for (uint32_t i = 0; i < now->count; i++)
        if ((now->points[i].separation <= touch || (bears >> i & 1u) != 0) &&
            !is_among(then, now->points[i].point, reach))
            return false;
    return true;
}

static bool see(const outcome *then, const trvi_body *a, const trvi_body *b, float limit,
                uint32_t bears, trv_manifold *manifold)
{
    const float reach = TRVI_TURNED_SAME * trvi_smaller(a->extent, b->extent);
    trv_manifold theirs = then->seen;
    // Nothing is nearer, or is pushed out by more, than what is nearest now.
    const float nearest = manifold->points[trvi_deepest_of(manifold)].separation;
    union_of both = {*manifold, {HUGE_VALF, HUGE_VALF, HUGE_VALF, HUGE_VALF}, bears};
    bool any = false;
    for (uint32_t i = 0; i < theirs.count; i++) {
        float depth = theirs.points[i].separation;
        theirs.points[i] = point_now(then, a, b, i);
        theirs.points[i].separation = trvi_larger(theirs.points[i].separation, nearest);
        if (!(depth < -limit) || is_among(manifold, theirs.points[i].point, reach))
            continue;
        any = true;
        join(&both, &theirs.points[i], depth);
    }
    if (!any)
        return false;
    if (shows_all(&theirs, manifold, bears, limit, reach)) {
        *manifold = theirs;
        return true;
    }
    if (!(trvi_dot(theirs.normal, manifold->normal) > TRVI_TURNED_COSINE))
        return false;
    both.points.normal = theirs.normal;
    *manifold = both.points;
    return true;
}

bool trvi_see_turned(const trv_world *world, const trvi_contact *contact, float dt,
                     trv_manifold *manifold)
{
    const trvi_body *a = &trvi_bodies(world)[contact->body_a];
    const trvi_body *b = &trvi_bodies(world)[contact->body_b];
    const float limit = TRVI_TURNED_DEPTH * trvi_smaller(a->thickness, b->thickness);
    trv_vec3 spin = trvi_sub(trvi_mobile_of(world, b)->angular_velocity,
                             trvi_mobile_of(world, a)->angular_velocity);
    spin = trvi_cross(spin, manifold->normal); // about the normal nothing comes down
    if (!(trvi_length(spin) * dt * trvi_smaller(a->extent, b->extent) > limit))
        return false;
    mover of_a = mover_of(world, a, dt), of_b = mover_of(world, b, dt);
    if (!(of_a.inverse_mass > 0.0f || of_b.inverse_mass > 0.0f))
        return false; // by hand: who asks wants to know how they are now
    uint32_t bears = lead(&of_a, &of_b, manifold, dt);
    const trv_shape *solid_a = &trvi_shapes(world)[contact->shape_a].solid;
    const trv_shape *solid_b = &trvi_shapes(world)[contact->shape_b].solid;
    outcome then = {.solid_a = solid_a,
                    .solid_b = solid_b,
                    .a = pose_after(world, &of_a),
                    .b = pose_after(world, &of_b)};
    float along;
    if (!trvi_glance_along(solid_a, &then.a, solid_b, &then.b, &contact->plane, manifold->normal,
                           &along) ||
        along >= -limit)
        return false;
    trv_plane_cache plane = contact->plane;
    trvi_collide(solid_a, then.a, solid_b, then.b, contact->margin, &plane, NULL, &then.seen);
    const trvi_stand stand = {then.a.rotation, then.b.rotation, then.seen.normal, &plane};
    then.carries = trvi_carrying_side(world, contact, &stand);
    return see(&then, a, b, limit, bears, manifold);
}
