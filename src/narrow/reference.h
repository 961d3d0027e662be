// Lander's enumeration of separating planes, as it was published: the tests compare with it.
#ifndef TRVI_REFERENCE_H
#define TRVI_REFERENCE_H

#include "narrow.h"

// The answer of trv_separate by trying every plane: each face of A and of B, each edge of one with
// each vertex of the other, each edge of A with each edge of B. `gap` is the largest gap found,
// negative where the shapes overlap: then minus the depth (exactly so for polyhedra). Boxes and
// hulls only, checked by the caller; cost O(E_a V_b + E_b V_a + E_a E_b) times the vertices.
void trvi_separate_reference(const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                             trv_pose pose_b, trv_separation *out);

#endif
