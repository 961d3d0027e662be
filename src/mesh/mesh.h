// The mesh layer's door.
#ifndef TRVI_MESH_H
#define TRVI_MESH_H

#include <trivet/mesh.h>

#include "base.h"
#include "math/math.h"

// The solid at a density, in float32. TRV_ERROR_NUMBER, TRV_ERROR_RANGE for the density;
// TRV_ERROR_VOLUME where mass or inertia leaves the range of float32.
trv_result trvi_mass_of_solid(const trvi_solid *solid, float density, trv_mass *out);

#endif
