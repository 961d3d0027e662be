// Principal axes of inertia.
#ifndef TRVI_PRINCIPAL_H
#define TRVI_PRINCIPAL_H

#include "linear.h"

// The principal axes of the symmetric matrix m (order xx yy zz xy xz yz, positive trace) as the columns
// of a rotation.
trvi_dmat3 trvi_principal_axes(const double m[6]);

// The unit quaternion of a rotation matrix.
trv_quat trvi_quat_from_dmat3(const trvi_dmat3 *r);

#endif
