// Where two bodies touch while a step goes on: with whom the place goes.
//
// A corner, an edge or what is round takes the place along over the face of another, and that face takes
// the normal along as it turns. Where edges cross, or what is round meets, neither has more of it. To act on
// each body where its own surface has got to would be to act at two places: of what slides or rolls, the
// torques of both would no longer be opposite, and angular momentum would come from nowhere.
#include "contact_margin.h"
#include "solver_data.h"

enum { FACES_ABOUT = 64 }; // of a vertex that are looked at: few have more

// Is it the normal of one of a box's faces, but for how it is rounded?
static bool is_of_face(const trvi_shape *shape, trv_quat rotation, trv_vec3 normal)
{
    if (shape->solid.kind != TRV_SHAPE_BOX)
        return false;
    trv_vec3 n = trvi_rotate_inverse(rotation, normal);
    n = trvi_rotate_inverse(shape->solid.as.box.rotation, n);
    return trvi_largest_of(n) >= 1.0f - TRVI_FACE_NORMAL;
}

// Does a side's turning move what bears on the other?
static bool swings(const trvi_lane_vec3 *core, const uint32_t *bodies, uint32_t lane)
{
    return bodies[lane] != TRVI_UNMOVED &&
           (core->x[lane] != 0.0f || core->y[lane] != 0.0f || core->z[lane] != 0.0f);
}

static bool are_balls(const trv_world *world, const trvi_contact *contact)
{
    return trvi_is_ball(world, contact->shape_a) && trvi_is_ball(world, contact->shape_b);
}

// Is it the normal, out of a hull, of one of the first faces about a vertex?
static bool is_of_hull(const trvi_shape *shape, trv_quat rotation, uint32_t vertex, trv_vec3 out)
{
    if (shape->solid.kind != TRV_SHAPE_HULL || vertex >= shape->solid.as.hull->vertex_count)
        return false;
    const trv_hull *hull = shape->solid.as.hull;
    trv_vec3 n = trvi_rotate_inverse(rotation, out);
    uint32_t first = hull->neighbor_first[vertex], last = hull->neighbor_first[vertex + 1];
    for (uint32_t i = first; i < last && i < first + FACES_ABOUT; i++)
        if (trvi_dot(hull->planes[hull->vertex_faces[i]].normal, n) >= 1.0f - TRVI_FACE_NORMAL)
            return true;
    return false;
}

// Is it known to be the normal, out of a shape, of one of its faces?
static bool is_flat(const trvi_shape *shape, trv_quat rotation, uint32_t vertex, trv_vec3 out)
{
    return shape->solid.kind == TRV_SHAPE_PLANE || is_of_face(shape, rotation, out) ||
           is_of_hull(shape, rotation, vertex, out);
}

// On which sides the contact is known to lie on a face.
typedef struct flat_sides {
    bool a, b;
} flat_sides;

static flat_sides flat_sides_of(const trv_world *world, const trvi_contact *contact,
                                const trvi_stand *stand)
{
    const trvi_shape *shapes = trvi_shapes(world);
    return (flat_sides){is_flat(&shapes[contact->shape_a], stand->rotation_a,
                                stand->plane->vertex_a, stand->normal),
                        is_flat(&shapes[contact->shape_b], stand->rotation_b,
                                stand->plane->vertex_b, trvi_negate(stand->normal))};
}

int trvi_carrying_side(const trv_world *world, const trvi_contact *contact, const trvi_stand *stand)
{
    const trvi_body *bodies = trvi_bodies(world);
    flat_sides flat = flat_sides_of(world, contact, stand);
    if (flat.a && flat.b)
        flat.a = !trvi_is_seen_from_b(&bodies[contact->body_a], &bodies[contact->body_b]);
    return flat.a ? 1 : flat.b ? -1 : trvi_carrying_face(stand->plane);
}

// As the step began, but for the normal, which blows have not changed since.
static trvi_stand stand_of(const trv_world *world, const trvi_contact *contact, trv_vec3 normal)
{
    const trvi_body *bodies = trvi_bodies(world);
    return (trvi_stand){bodies[contact->body_a].rotation, bodies[contact->body_b].rotation, normal,
                        &contact->plane};
}

// Of a lane with something round that passes by: true where its normal follows both. What stands for pieces of a
// floor (ahead.c) is a plane for all of the step.
static bool follows(const trv_world *world, trvi_block *block, uint32_t lane, trv_vec3 normal)
{
    const trvi_contact *contact = &trvi_contacts(world)[block->contact[lane]];
    if (are_balls(world, contact)) {
        block->over_a[lane] = block->over_b[lane] = -1.0f;
        return true;
    }
    trv_vec3 none = {0.0f, 0.0f, 0.0f},
             spin = block->carried ? trvi_lane_get(&block->carrier, lane) : none;
    bool by_hand = trvi_dot(spin, spin) > 0.0f; // as turned_by_hand has it
    if (by_hand || contact->travelled < 0.0)
        return false;
    const trvi_stand stand = stand_of(world, contact, normal);
    flat_sides flat = flat_sides_of(world, contact, &stand);
    if (flat.a || flat.b)
        return false;
    block->over_a[lane] = -1.0f;
    return true;
}

// Contacts, shapes and bodies lie far from one another: those of all lanes are fetched at once, else each lane
// would wait for its own, one after the other.
static void fetch_lanes(const trv_world *world, const trvi_block *block)
{
    const trvi_contact *contacts = trvi_contacts(world);
    for (uint32_t lane = 0; lane < TRVI_BLOCK_LANES; lane++)
        if (block->contact[lane] != TRVI_NONE)
            trvi_prefetch_bytes(&contacts[block->contact[lane]], offsetof(trvi_contact, next));
    for (uint32_t lane = 0; lane < TRVI_BLOCK_LANES; lane++) {
        if (block->contact[lane] == TRVI_NONE)
            continue;
        const trvi_contact *contact = &contacts[block->contact[lane]];
        const uint32_t shapes[2] = {contact->shape_a, contact->shape_b};
        const uint32_t bodies[2] = {contact->body_a, contact->body_b};
        for (int side = 0; side < 2; side++) {
            const trvi_shape *shape = &trvi_shapes(world)[shapes[side]];
            trvi_prefetch_bytes(shape, offsetof(trvi_shape, solid.as) + sizeof shape->solid.as.box);
            trvi_prefetch_bytes(&trvi_bodies(world)[bodies[side]].frame, sizeof(trv_pose));
        }
    }
}

void trvi_block_place(const trvi_step *step, trvi_block *block)
{
    fetch_lanes(step->world, block);
    block->normal_then = block->normal;
    block->tangent_then = block->tangent_1;
    block->placed = true;
    for (uint32_t lane = 0; lane < TRVI_BLOCK_LANES; lane++) {
        block->over_a[lane] = block->over_b[lane] = 0.0f;
        if (block->contact[lane] == TRVI_NONE)
            continue;
        trv_vec3 normal = trvi_lane_get(&block->normal, lane);
        if ((block->balls >> lane & 1u) && follows(step->world, block, lane, normal))
            continue;
        block->balls &= (uint8_t) ~(1u << lane); // it is not asked about again
        if (!(swings(&block->core_a, block->body_a, lane) ||
              swings(&block->core_b, block->body_b, lane)))
            continue; // as it would be in a block where nothing swings
        const trvi_contact *contact = &trvi_contacts(step->world)[block->contact[lane]];
        bool round_a = block->radius_a[lane] > 0.0f, round_b = block->radius_b[lane] > 0.0f;
        const trvi_stand stand = stand_of(step->world, contact, normal);
        int face = round_a || round_b // what alone is round counts as standing on a face
                       ? (int)round_b - (int)round_a
                       : trvi_carrying_side(step->world, contact, &stand);
        block->over_a[lane] = 0.5f + 0.5f * (float)face;
        block->over_b[lane] = 0.5f - 0.5f * (float)face;
    }
}
