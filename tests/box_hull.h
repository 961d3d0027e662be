// A box as a hull of eight corners, for tests that ask the same of both.
#ifndef TRV_TESTS_BOX_HULL_H
#define TRV_TESTS_BOX_HULL_H

#include "support.h"

#include <trivet/collide.h>
#include <trivet/mesh.h>

// The caller releases *hull.
static inline trv_shape box_as_hull(trv_vec3 half, trv_hull **hull)
{
    trv_vec3 corners[8];
    trv_hull_def def = trv_default_hull_def();
    for (int i = 0; i < 8; i++)
        corners[i] = corner_of_box(half, i);
    expect_result(trv_hull_create(corners, 8, &def, hull), TRV_OK);
    return trv_make_hull(*hull);
}

#endif
