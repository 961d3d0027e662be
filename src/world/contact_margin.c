// How far contacts of a pair are looked for: as far as two surfaces may come nearer to one another in
// a step along the direction that parts them, as both go on or while a third body stops either. What
// flies side by side is then not taken for what meets; what falls one above another meets in the very
// step in which the lower one lands.
// Invariant: a bound, not a guess: what is parted along that direction by more than is found here is
// so at the step's end, however the two turn, unless something drives them together.
#include "contact_margin.h"

// What a body goes on with.
typedef struct pace {
    trv_vec3 linear, angular, acceleration;
} pace;

static pace pace_of(const trv_world *world, const trvi_body *body)
{
    pace p = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    if (!(body->flags & TRVI_BODY_AWAKE))
        return p;
    const trvi_mobile *mobile = trvi_mobile_of(world, body);
    p.linear = mobile->linear_velocity;
    p.angular = mobile->angular_velocity;
    if (body->kind == TRV_BODY_DYNAMIC)
        p.acceleration = trvi_acceleration_of(world, mobile);
    return p;
}

static const pace held; // what is stopped goes on with nothing

// How much nearer S comes to L in the step, as far as the rates tell that they go on with; see below.
static float closing(const pace *of_s, const pace *of_l, trv_vec3 d, trv_vec3 out, float dt)
{
    trv_vec3 past = trvi_sub(of_s->linear, of_l->linear);
    float way = -dt * trvi_dot(out, trvi_sub(past, trvi_cross(of_l->angular, d)));
    float pull = -dt * dt * trvi_dot(out, trvi_sub(of_s->acceleration, of_l->acceleration));
    return trvi_larger(way + trvi_larger(pull, 0.0f), 0.0f);
}

// How much nearer B comes to A in the step, at most, along a plane's normal n that points from A to
// B and turns with the larger one of the two, L: seen from there, the middle of the other, S, which
// is at d from that of L, goes at v = v_S - v_L - w_L x d, and what is lost along n of S's extent e
// is what n turns by in S, at |n x (w_S - w_L)|. Beyond these rates turns by t_L and t_S (rad)
// bend the ways, by no more than t_L^2 |d| / 2 + t_L |v_S - v_L| dt and e (t_L + t_S)^2 / 2: the
// second terms of the turns' series, whose rests are no larger.
// What is dynamic may be stopped.
static float approach_along(const trv_world *world, const trvi_body *a, const trvi_body *b,
                            trv_vec3 n, float dt)
{
    bool from_b = trvi_is_seen_from_b(a, b);
    const trvi_body *large = from_b ? b : a, *small = from_b ? a : b;
    const pace of_l = pace_of(world, large), of_s = pace_of(world, small);
    trv_vec3 out = from_b ? trvi_negate(n) : n; // from L to S
    trv_vec3 d = trvi_sub(small->center, large->center);
    trv_vec3 past = trvi_sub(of_s.linear, of_l.linear);
    trv_vec3 spin = trvi_sub(of_s.angular, of_l.angular);
    float turn_l = trvi_length(of_l.angular) * dt, turn_s = trvi_length(of_s.angular) * dt;
    float near = closing(&of_s, &of_l, d, out, dt);
    if (large->kind == TRV_BODY_DYNAMIC)
        near = trvi_larger(near, closing(&of_s, &held, d, out, dt));
    if (small->kind == TRV_BODY_DYNAMIC)
        near = trvi_larger(near, closing(&held, &of_l, d, out, dt));
    float bend = 0.5f * turn_l * turn_l * trvi_length(d) + turn_l * trvi_length(past) * dt;
    float swing = small->extent * (dt * trvi_length(trvi_cross(out, spin)) +
                                   0.5f * (turn_l + turn_s) * (turn_l + turn_s));
    return near + bend + swing;
}

// The direction, from A to B, in which the surfaces of a pair that was tested are nearest, or in
// which a plane last parted them. False where none is known.
static bool last_normal(const trvi_contact *contact, const trvi_body *a, const trv_shape *solid_a,
                        trv_vec3 *n)
{
    const trv_plane_cache *plane = &contact->plane;
    if (contact->travelled < 0.0)
        return false;
    if (trvi_answer_of(contact) == TRVI_CONTACT) {
        *n = trvi_rotate(a->rotation, contact->normal_local);
        return contact->manifold.count > 0;
    }
    if (plane->source < TRV_PLANE_FACE_A || plane->source > TRV_PLANE_VERTICES)
        return false;
    *n = plane->in_world;
    if (plane->steady)
        return true;
    *n = plane->normal;
    if (solid_a->kind == TRV_SHAPE_BOX)
        *n = trvi_rotate(solid_a->as.box.rotation, *n);
    *n = trvi_rotate(a->rotation, *n);
    return true;
}

float trvi_margin_along(const trv_world *world, const trvi_contact *contact, float sight,
                        float most, float dt)
{
    const trvi_body *a = &trvi_bodies(world)[contact->body_a];
    const trvi_body *b = &trvi_bodies(world)[contact->body_b];
    trv_vec3 n;
    if (!last_normal(contact, a, &trvi_shapes(world)[contact->shape_a].solid, &n))
        return most;
    return trvi_smaller(most, sight + approach_along(world, a, b, n, dt));
}
