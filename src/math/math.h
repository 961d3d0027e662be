// The math layer's door: vectors, poses, boxes, trigonometry, principal axes, tolerances, and the
// convex polyhedron that the mesh layer builds and the narrow layer tests.
#ifndef TRVI_MATH_H
#define TRVI_MATH_H

#include "bounds.h"
#include "check.h"
#include "convex.h"
#include "lanes.h"
#include "linear.h"
#include "predicates.h"
#include "principal.h"
#include "sort_key.h"
#include "tolerance.h"
#include "trig.h"

#endif
