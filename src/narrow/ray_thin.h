// Where a ray truly meets a hull, once its planes say that it does.
#ifndef TRVI_RAY_THIN_H
#define TRVI_RAY_THIN_H

#include "ray_hull.h"

// Takes the span that trvi_ray_hull gave for the same ray. Its fraction and face, or that the ray
// begins inside, are put right where planes alone do not tell them well. False where the ray passes
// by after all.
bool trvi_ray_settle(const trv_hull *hull, trvi_dvec3 origin, trvi_dvec3 travel, trvi_span *span);

#endif
