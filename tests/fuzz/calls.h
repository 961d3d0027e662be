// Calls on a world, read from bytes: which one, and with what.
#ifndef TRV_TESTS_FUZZ_CALLS_H
#define TRV_TESTS_FUZZ_CALLS_H

#include "bytes.h"

#include <trivet/trivet.h>

enum { CALL_BODIES = 12, CALL_SHAPES = 20, CALL_HULLS = 2, CALL_KINDS = 40 };

// What calls can name. Ids stay here when their objects are gone.
typedef struct call_names {
    trv_body_id bodies[CALL_BODIES];
    trv_shape_id shapes[CALL_SHAPES];
    uint32_t next_body, next_shape;
} call_names;

typedef struct call_things {
    trv_hull *hulls[CALL_HULLS];
    trv_compound *compound;
    bool bounces; // shapes do that were given restitution
} call_things;

typedef struct call {
    uint32_t kind; // below CALL_KINDS
    trv_body_id body;
    trv_shape_id shape;
    trv_body_def body_def;
    trv_shape_def shape_def;
    trv_shape solid;
    trv_pose pose;
    trv_vec3 a, b;
    float numbers[6];
    uint32_t word;
} call;

// What a call answered, to be compared bit for bit.
typedef struct call_answer {
    trv_result result;
    trv_body_id body;
    trv_shape_id shape;
    float numbers[16];
    uint32_t counts[4];
} call_answer;

void call_read(call *what, fuzz_bytes *bytes, const call_names *names, const call_things *things);
call_answer call_make(const call *w, trv_world *world);
// Notes the ids that a call made.
void call_note(const call_answer *answer, call_names *names);

#endif
