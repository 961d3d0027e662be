// The mesh layer's door.
#ifndef TRVI_MESH_H
#define TRVI_MESH_H

#include <trivet/mesh.h>

#include "base.h"

#endif
