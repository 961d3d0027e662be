// Compounds read from bytes, and their parts as shapes of their own.
#ifndef TRV_TESTS_FUZZ_CROWD_H
#define TRV_TESTS_FUZZ_CROWD_H

#include "scene.h"

#include "math/math.h"

enum { CROWD_PARTS = 6 };

// A compound, mostly.
typedef struct fuzz_crowd {
    trv_shape shape;
    bool is_compound;
    trv_compound *compound;
    uint32_t count; // of parts; 1 where it is no compound
    trv_compound_part parts[CROWD_PARTS];
    trv_hull *hulls[CROWD_PARTS]; // owned; NULL where not used
} fuzz_crowd;

// Refusals of parts are checked on the way: bad ones are left out.
void crowd_read(fuzz_crowd *crowd, fuzz_bytes *bytes);
// Takes the place of a compound where the bytes said that there is none.
void crowd_be(fuzz_crowd *crowd, const trv_shape *shape);
void crowd_free(fuzz_crowd *crowd);

// Where part `index` of a posed crowd is, rounded to float32.
trv_pose crowd_pose(const fuzz_crowd *crowd, trv_pose pose, uint32_t index);

// What must hold of the answers about two crowds in the scene's poses. True where they are answered.
bool check_crowds(const fuzz_crowd *a, const fuzz_crowd *b, const fuzz_scene *scene);

#endif
