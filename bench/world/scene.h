// Scenes for bench_world, told in a way that any engine can be built from.
#ifndef TRV_BENCH_WORLD_SCENE_H
#define TRV_BENCH_WORLD_SCENE_H

#include <stdbool.h>
#include <stdint.h>

#include <trivet/mesh.h>
#include <trivet/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum world_solid_kind { WORLD_BOX, WORLD_BALL, WORLD_HULL } world_solid_kind;

// Its own centre of mass is at the origin, but for parts of bodies that have several.
typedef struct world_solid {
    world_solid_kind kind;
    trv_vec3 half; // WORLD_BOX
    float radius;  // WORLD_BALL
    trv_hull *hull;
} world_solid;

typedef struct world_body {
    trv_body_kind kind;
    uint32_t solid, solids; // the first one, and how many
    float density;
    trv_vec3 position;
    trv_quat rotation;
    trv_vec3 velocity, spin; // of a kinematic body: kept up
    float orbit, orbit_rate; // it goes round the origin at this radius, m, and rate, rad/s; 0: not
    uint32_t from_step;      // it comes with this step
    bool asleep;
} world_body;

typedef struct world_scene {
    const char *name;
    float gravity; // along -y, m/s^2
    float dt;
    float friction; // of a contact
    uint32_t steps;
    bool sleep;
    uint32_t solid_count, body_count;
    world_solid *solids;
    world_body *bodies;
} world_scene;

trv_shape world_shape_of(const world_solid *solid);

// The velocity with which step `step` brings an orbiting body on.
trv_vec3 world_orbit_velocity(const world_scene *scene, const world_body *body, uint32_t step);

// What a body is doing.
typedef struct world_state {
    trv_pose pose;
    trv_vec3 velocity, spin;
} world_state;

// An engine. Bodies are named by their index in the scene.
typedef struct world_engine {
    const char *name;
    void *(*create)(const world_scene *scene);
    void (*step)(void *self, uint32_t step); // after adding what comes with it
    void (*get)(void *self, world_state *states);
    // Where the time of the last step went, s by trv_phase, and bytes held; NULL: it cannot tell
    void (*tell)(void *self, double *phases, uint64_t *bytes);
    void (*destroy)(void *self);
} world_engine;

extern const world_engine world_trivet, world_trivet_two;
extern const world_engine world_bullet;
extern const world_engine world_ode;

// Makes the scene of that index, each body and hull of it new; NULL name at the end of the list.
enum { WORLD_SCENES = 21 };
const char *world_scene_name(uint32_t index);
bool world_scene_has_peers(uint32_t index); // other engines do it in minutes, too
void world_scene_make(uint32_t index, world_scene *out);
void world_scene_free(world_scene *scene);

// How well the scene stands at the end.
typedef struct world_quality {
    double energy;  // kinetic and potential above y = 0, J, of a unit of mass of all bodies: J/kg
    double fastest; // m/s
    double deepest; // m, of any pair
    double aside;   // m, the farthest that a body went sideways from its start
    double sunk;    // m, the farthest that one fell
    uint32_t lost;  // not finite, below the ground, or far away
} world_quality;

void world_judge(const world_scene *scene, const world_state *states, world_quality *out);

#ifdef __cplusplus
}
#endif

#endif
