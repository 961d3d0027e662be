// A broadphase with the model that says what it must be.
#ifndef TRV_TESTS_FUZZ_BROAD_FUZZ_H
#define TRV_TESTS_FUZZ_BROAD_FUZZ_H

#include <math.h>

#include "bytes.h"
#include "memory.h"

#define model_demand(condition) demand(condition)
#include "../broad_model.h"

enum { MOST_BOXES = 700 };

typedef struct fuzz_broad {
    trv_broad_def def;
    trv_broad *broad;
    model *model;
    fuzz_memory memory;
    float size;         // of all that is made, about
    trv_proxy_id stale; // one, once there is one
    uint64_t users;     // given so far
    uint32_t live_count;
} fuzz_broad;

trv_aabb take_box(fuzz_broad *f, fuzz_bytes *r); // valid, mostly
trv_filter take_filter(fuzz_bytes *r);

// check_broad.c: asks one question of any kind, and looks at all boxes for the answer.
void ask_broad(fuzz_broad *f, fuzz_bytes *r);

#endif
