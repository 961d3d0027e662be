// The checks that the public questions about two shapes share.
#ifndef TRVI_QUESTIONS_H
#define TRVI_QUESTIONS_H

#include "narrow.h"

// TRV_OK where both shapes and poses are good; two half-spaces are TRV_ERROR_KIND.
trv_result trvi_check_question(const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                               trv_pose pose_b);

#endif
