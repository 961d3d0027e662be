// The math layer's door: vectors, poses, boxes, trigonometry, principal axes, tolerances,
// rounding, the convex polyhedron that the mesh layer builds and the narrow layer tests; and bytes of saves.
#ifndef TRVI_MATH_H
#define TRVI_MATH_H

#include "bounds.h"
#include "bytes.h"
#include "check.h"
#include "convex.h"
#include "lanes.h"
#include "linear.h"
#include "pack.h"
#include "predicates.h"
#include "principal.h"
#include "rounding.h"
#include "sort_key.h"
#include "tolerance.h"
#include "trig.h"

#endif
