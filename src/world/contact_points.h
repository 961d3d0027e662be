// The points of a contact, from one step to the next.
//
// Private to contact_test.c and who shows contacts otherwise.
#ifndef TRVI_CONTACT_POINTS_H
#define TRVI_CONTACT_POINTS_H

#include "world_data.h"

// A body's frame, in lanes; their last one is zero where there are three.
typedef struct trvi_frame {
    trvi_lanes rotation, position;
} trvi_frame;

static inline trvi_frame trvi_frame_of(const trvi_body *body)
{
    return (trvi_frame){trvi_lanes_load(&body->rotation.x), trvi_lanes_load3(&body->position.x)};
}

// How B stands to A, in A's frame: as trvi_contact has it.
typedef struct trvi_relation {
    trv_vec3 between, stance;
} trvi_relation;

// As exact for half turns as for none, which a root of what x y z leave for w is not.
// Source: modified Rodrigues parameters; M. D. Shuster, "A Survey of Attitude Representations", 1993.
static inline trv_quat trvi_stance_turn(trv_vec3 stance)
{
    float square = trvi_dot(stance, stance), share = 1.0f / (1.0f + square);
    return (trv_quat){2.0f * share * stance.x, 2.0f * share * stance.y, 2.0f * share * stance.z,
                      share * (1.0f - square)};
}

// Where the points of the old manifold have got to, and how far their anchors have drifted apart;
// what slid begins to be held where it is now.
void trvi_points_follow(const trvi_contact *contact, trvi_point_step *points, trv_manifold *before,
                        const trvi_frame *a, const trvi_frame *b);
// Points that were there before go on with their impulses, while they are no farther than `reach` from there.
void trvi_points_match(trvi_contact *contact, trvi_point_step *points, const trv_manifold *before,
                       float reach);
// The manifold stays: only how far its points are apart is measured anew.
void trvi_points_refresh(trvi_contact *contact, trvi_point_step *points, const trvi_body *body_a,
                         const trvi_body *body_b, bool from_b);
// What a manifold that was made is to be kept by.
void trvi_points_place(trvi_contact *contact, const trvi_point_step *points, const trvi_frame *a,
                       const trvi_frame *b, const trvi_relation *now);
// What a contact fell asleep with, as of where the bodies came to lie.
void trvi_points_untested(const trv_world *world, uint32_t index);
// Another manifold takes the place of the one that a test has found, for this step.
void trvi_contact_show(trv_world *world, uint32_t contact, const trv_manifold *manifold);

// turned.c
// Where two turn so fast that more meets in the step, dt s, than a manifold shows, it becomes one that shows it;
// then true.
bool trvi_see_turned(const trv_world *world, const trvi_contact *contact, float dt,
                     trv_manifold *manifold);

#endif
