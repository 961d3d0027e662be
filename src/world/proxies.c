// Bounding boxes of shapes, by either of Lander's ways, and their proxies in the broadphase.
//
// Based on: J. Lander, "When Two Hearts Collide" (1999), Listings 1 and 2.
#include "world_data.h"

static trv_aabb ball_bounds(trv_vec3 center, float radius)
{
    return trvi_aabb_grown((trv_aabb){center, center}, radius);
}

// The half-space fills all but the part of space above it; only where its plane is along an axis
// can a box say more than "everywhere".
static trv_aabb half_space_bounds(trv_plane plane, trv_pose frame)
{
    trv_vec3 n = trvi_rotate(frame.rotation, plane.normal);
    float offset = plane.offset - trvi_dot(n, frame.position);
    const float far = TRV_COORD_MAX;
    trv_aabb box = {{-far, -far, -far}, {far, far, far}};
    float *lower[3] = {&box.lower.x, &box.lower.y, &box.lower.z};
    float *upper[3] = {&box.upper.x, &box.upper.y, &box.upper.z};
    const float normal[3] = {n.x, n.y, n.z};
    for (int axis = 0; axis < 3; axis++) {
        if (normal[axis] == 1.0f)
            *upper[axis] = trvi_smaller(far, -offset);
        else if (normal[axis] == -1.0f)
            *lower[axis] = trvi_larger(-far, offset);
    }
    return box;
}

static trv_aabb solid_bounds(const trv_shape *solid, trv_pose frame)
{
    switch (solid->kind) {
    case TRV_SHAPE_SPHERE:
        return ball_bounds(trvi_pose_apply(frame, solid->as.sphere.center),
                           solid->as.sphere.radius);
    case TRV_SHAPE_CAPSULE: {
        float radius = solid->as.capsule.radius;
        return trvi_aabb_union(ball_bounds(trvi_pose_apply(frame, solid->as.capsule.a), radius),
                               ball_bounds(trvi_pose_apply(frame, solid->as.capsule.b), radius));
    }
    case TRV_SHAPE_BOX:
        return trv_bounds_of_box(solid->as.box, frame);
    case TRV_SHAPE_HULL: {
        trv_aabb box; // no cache: what it remembers would have to be part of the state
        if (trv_bounds_of_hull(solid->as.hull, frame, NULL, &box) == TRV_OK)
            return box;
        uint32_t count;
        const trv_vec3 *vertices = trv_hull_vertices(solid->as.hull, &count);
        return trv_bounds_of_vertices(vertices, count, frame); // NaN where the frame has it
    }
    default:
        return half_space_bounds(solid->as.plane, frame);
    }
}

// The box around the shape in the body's frame: what the rest-box way turns and re-boxes.
trv_obb trvi_rest_box(const trv_shape *solid)
{
    if (solid->kind == TRV_SHAPE_BOX)
        return solid->as.box;
    if (solid->kind == TRV_SHAPE_HULL)
        return trvi_aabb_as_obb(solid->as.hull->bounds);
    return trvi_aabb_as_obb(solid_bounds(solid, trv_make_pose(trvi_vec3(0.0f, 0.0f, 0.0f))));
}

// What the broadphase may take: never beyond the largest coordinate.
trv_aabb trvi_within_range(trv_aabb box, float margin)
{
    const float far = TRV_COORD_MAX;
    trv_aabb grown = trvi_aabb_grown(box, margin);
    trv_vec3 low = {-far, -far, -far}, high = {far, far, far};
    return (trv_aabb){trvi_min(trvi_max(grown.lower, low), high),
                      trvi_max(trvi_min(grown.upper, high), low)};
}

static trv_aabb bounds_at(const trvi_shape *shape, trv_pose frame)
{
    if (shape->flags & TRVI_SHAPE_REST_BOX)
        return trv_bounds_of_box(trvi_rest_box(&shape->solid), frame);
    return solid_bounds(&shape->solid, frame);
}

static void bound_shape(trvi_shape *shape, trv_pose frame)
{
    shape->bounds = bounds_at(shape, frame);
}

// Of a shape with such bounds.
static trv_aabb proxy_box(trv_aabb bounds, float margin)
{
    return trvi_within_range(bounds, trvi_sight_within(bounds) + margin);
}

trv_aabb trvi_shape_place(trvi_shape *shape, trv_pose frame, float margin)
{
    bound_shape(shape, frame);
    return proxy_box(shape->bounds, margin);
}

trv_aabb trvi_shape_way(const trvi_shape *shape, trv_pose from, trv_pose to, float swing)
{
    return trvi_aabb_union(proxy_box(bounds_at(shape, from), swing),
                           proxy_box(bounds_at(shape, to), swing));
}

// A shape's box has a side of at least this share of the shape's width, and none above that.
static const float least_side = 0.57735f; // the root of a third

float trvi_least_sight(const trv_world *world, const trvi_body *body)
{
    float least = TRVI_SPECULATIVE_M;
    for (uint32_t s = body->first_shape; s != TRVI_NONE; s = trvi_shapes(world)[s].next)
        least = trvi_smaller(least, least_side * TRVI_SPECULATIVE_SIZE *
                                        trvi_aabb_longest(trvi_shapes(world)[s].bounds));
    return least;
}

void trvi_body_bound_shapes(trv_world *world, uint32_t index)
{
    const trvi_body *body = &trvi_bodies(world)[index];
    for (uint32_t s = body->first_shape; s != TRVI_NONE; s = trvi_shapes(world)[s].next)
        bound_shape(&trvi_shapes(world)[s], body->frame);
}

static void cover(trv_world *world, const trvi_body *body, float margin)
{
    if (body->mobile != TRVI_IMMOBILE)
        trvi_own_mobile(world, body)->covered = margin;
}

// What the boxes of a body are to cover: where it is with a margin, or, where it goes, what is between
// two poses.
typedef struct stretch {
    float margin; // 0 where it goes
    bool goes;
    trv_pose from, to;
    float swing;
} stretch;

static trv_aabb box_over(const trvi_shape *shape, const stretch *over)
{
    return over->goes ? trvi_shape_way(shape, over->from, over->to, over->swing)
                      : proxy_box(shape->bounds, over->margin);
}

static void move_over(trv_world *world, uint32_t index, const stretch *over)
{
    const trvi_body *body = &trvi_bodies(world)[index];
    cover(world, body, over->margin);
    for (uint32_t s = body->first_shape; s != TRVI_NONE; s = trvi_shapes(world)[s].next) {
        const trvi_shape *shape = &trvi_shapes(world)[s];
        trv_result result = trv_broad_move(world->broad, shape->proxy, box_over(shape, over));
        TRVI_ASSERT(result == TRV_OK);
        (void)result;
    }
}

void trvi_body_move_proxies(trv_world *world, uint32_t index, float margin)
{
    const stretch over = {.margin = margin};
    move_over(world, index, &over);
}

static bool has_bits(const trv_world *world, const trvi_body *body)
{
    uint32_t count = 0;
    for (uint32_t s = body->first_shape; s != TRVI_NONE; s = trvi_shapes(world)[s].next)
        if (++count > TRVI_SHIFT_BITS)
            return false;
    return true;
}

static uint32_t shift_over(trv_world *world, uint32_t index, const stretch *over)
{
    const trvi_body *body = &trvi_bodies(world)[index];
    uint32_t shifted = 0, bit = 1;
    if (!has_bits(world, body))
        return TRVI_SHIFT_LATER;
    cover(world, body, over->margin);
    for (uint32_t s = body->first_shape; s != TRVI_NONE; s = trvi_shapes(world)[s].next, bit *= 2) {
        const trvi_shape *shape = &trvi_shapes(world)[s];
        if (trvi_broad_shift(world->broad, shape->proxy, box_over(shape, over)))
            shifted |= bit;
    }
    return shifted;
}

uint32_t trvi_body_shift_proxies(trv_world *world, uint32_t index, float margin)
{
    const stretch over = {.margin = margin};
    return shift_over(world, index, &over);
}

uint32_t trvi_body_shift_between(trv_world *world, uint32_t index, trv_pose from, trv_pose to,
                                 float swing)
{
    const stretch over = {0.0f, true, from, to, swing};
    return shift_over(world, index, &over);
}

void trvi_body_tell_shifted(trv_world *world, uint32_t index, uint32_t shifted)
{
    uint32_t s = trvi_bodies(world)[index].first_shape;
    for (; s != TRVI_NONE && shifted != 0; s = trvi_shapes(world)[s].next, shifted >>= 1)
        if (shifted & 1u)
            trvi_broad_shifted(world->broad, trvi_shapes(world)[s].proxy);
}

void trvi_body_place_shapes(trv_world *world, uint32_t index, float margin)
{
    trvi_body_bound_shapes(world, index);
    trvi_body_move_proxies(world, index, margin);
}

void trvi_body_place_between(trv_world *world, uint32_t index, trv_pose from, trv_pose to,
                             float swing)
{
    const stretch over = {0.0f, true, from, to, swing};
    move_over(world, index, &over);
}

// Static proxies make no pairs with one another: what wants such pairs is kept among the sleepers.
trv_proxy_set trvi_shape_set(const trvi_body *body, const trvi_shape *shape)
{
    if (trvi_is_disabled(body))
        return TRV_PROXY_STATIC;
    if (body->kind == TRV_BODY_STATIC)
        return shape->flags & (TRV_SHAPE_SENSOR | TRV_SHAPE_BY_HAND) ? TRV_PROXY_ASLEEP
                                                                     : TRV_PROXY_STATIC;
    return body->flags & TRVI_BODY_AWAKE ? TRV_PROXY_AWAKE : TRV_PROXY_ASLEEP;
}

// A disabled body's shapes meet nothing.
trv_filter trvi_shape_filter(const trv_world *world, const trvi_body *body, const trvi_shape *shape)
{
    const trv_filter none = {0, 0, 0, 0};
    return trvi_is_disabled(body) ? none : *trvi_filter_of(world, shape);
}

void trvi_body_set_proxies(trv_world *world, uint32_t index)
{
    const trvi_body *body = &trvi_bodies(world)[index];
    for (uint32_t s = body->first_shape; s != TRVI_NONE; s = trvi_shapes(world)[s].next) {
        const trvi_shape *shape = &trvi_shapes(world)[s];
        trv_broad_set(world->broad, shape->proxy, trvi_shape_set(body, shape));
    }
}

// A body with no more shapes than this has few pairs of its own, and few places of contacts kept for them.
// Those of others cost each pair with them two filters to be looked at.
enum { FEW_SHAPES = 4 };

// From this one on in its body's list.
static bool are_many(const trvi_shape *shapes, uint32_t first)
{
    uint32_t s = first;
    for (int i = 0; i < FEW_SHAPES && s != TRVI_NONE; i++)
        s = shapes[s].next;
    return s != TRVI_NONE;
}

// What is static is no pair with itself anyway.
void trvi_body_own_proxies(trv_world *world, uint32_t index, uint32_t told)
{
    const trvi_body *body = &trvi_bodies(world)[index];
    const trvi_shape *shapes = trvi_shapes(world);
    if (body->kind == TRV_BODY_STATIC || !are_many(shapes, body->first_shape))
        return;
    uint32_t end = are_many(shapes, told) ? told : TRVI_NONE;
    for (uint32_t s = body->first_shape; s != end; s = shapes[s].next)
        trvi_broad_own(world->broad, shapes[s].proxy, index + 1);
}

// The broadphase looks at the pairs of a proxy that was given a filter, even the same one.
void trvi_body_renew_pairs(trv_world *world, uint32_t index)
{
    const trvi_body *body = &trvi_bodies(world)[index];
    for (uint32_t s = body->first_shape; s != TRVI_NONE; s = trvi_shapes(world)[s].next) {
        const trvi_shape *shape = &trvi_shapes(world)[s];
        trv_broad_filter(world->broad, shape->proxy, trvi_shape_filter(world, body, shape));
    }
}

float trvi_reach(const trv_world *world, const trvi_body *body, float dt)
{
    if (!(body->flags & TRVI_BODY_AWAKE))
        return 0.0f;
    const trvi_mobile *mobile = trvi_mobile_of(world, body);
    float speed =
        trvi_length(mobile->linear_velocity) + trvi_length(mobile->angular_velocity) * body->extent;
    return trvi_smaller(speed * dt, TRVI_SPECULATIVE_SHARE * body->extent);
}

typedef struct reach_job {
    trv_world *world;
    float dt;
} reach_job;

static void reach_range(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    const reach_job *job = context;
    const trvi_entry *awake = job->world->awake.items;
    for (uint32_t i = first; i < last; i++) {
        trvi_body *body = &trvi_bodies(job->world)[awake[i].value];
        body->reach = trvi_reach(job->world, body, job->dt);
    }
}

void trvi_find_reaches(trv_world *world, float dt)
{
    reach_job job = {world, dt};
    trvi_parallel_for(&world->workers, world->awake.count, 256, reach_range, &job);
}

void trvi_resume_drop(trv_world *world)
{
    if (world->resume == TRVI_RESUME_PAIRS) // some may never be told again
        for (uint32_t i = 0; i < world->bodies.items.count; i++)
            if (trvi_bodies(world)[i].flags & TRVI_BODY_LIVE)
                trvi_body_renew_pairs(world, i);
    world->resume = TRVI_RESUME_NOTHING;
}
