// Principal axes of symmetric matrices, and the quaternions of rotations.
//
// Based on: Jacobi 1846, in the form of Golub and Van Loan, "Matrix Computations", 8.5.
#include "principal.h"

#include <math.h>

// Turns rows and columns p and q of the symmetric `a` so that a[p][q] vanishes; `axes` collects the
// turns in its columns.
static void turn(double a[3][3], trvi_dmat3 *axes, int p, int q)
{
    if (a[p][q] == 0.0)
        return;
    double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    double t = (theta < 0.0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    int r = 3 - p - q;
    double apr = a[p][r], aqr = a[q][r];
    a[p][p] -= t * a[p][q];
    a[q][q] += t * a[p][q];
    a[p][q] = a[q][p] = 0.0;
    a[p][r] = a[r][p] = c * apr - s * aqr;
    a[q][r] = a[r][q] = s * apr + c * aqr;
    for (int i = 0; i < 3; i++) {
        double ip = axes->m[i][p], iq = axes->m[i][q];
        axes->m[i][p] = c * ip - s * iq;
        axes->m[i][q] = s * ip + c * iq;
    }
}

// Ten sweeps: the method converges quadratically, and three-by-three matrices need four or five.
trvi_dmat3 trvi_principal_axes(const double m[6])
{
    double scale = fmax(m[0], fmax(m[1], m[2]));
    double a[3][3] = {{m[0], m[3], m[4]}, {m[3], m[1], m[5]}, {m[4], m[5], m[2]}};
    for (int i = 0; i < 9; i++) // moments of tiny solids would square to nothing
        a[i / 3][i % 3] /= scale;
    trvi_dmat3 axes = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    for (int sweep = 0; sweep < 10; sweep++) {
        turn(a, &axes, 0, 1);
        turn(a, &axes, 0, 2);
        turn(a, &axes, 1, 2);
    }
    return axes;
}

// From the largest of its four components.
// Based on: Shepperd 1978, "Quaternion from Rotation Matrix".
trv_quat trvi_quat_from_dmat3(const trvi_dmat3 *r)
{
    double trace = r->m[0][0] + r->m[1][1] + r->m[2][2];
    int i = r->m[1][1] > r->m[0][0] ? 1 : 0;
    if (r->m[2][2] > r->m[i][i])
        i = 2;
    int j = (i + 1) % 3, k = (i + 2) % 3;
    double q[4]; // x y z w
    if (trace > r->m[i][i]) {
        q[3] = 1.0 + trace;
        q[0] = r->m[2][1] - r->m[1][2];
        q[1] = r->m[0][2] - r->m[2][0];
        q[2] = r->m[1][0] - r->m[0][1];
    } else {
        q[i] = 1.0 + r->m[i][i] - r->m[j][j] - r->m[k][k];
        q[j] = r->m[j][i] + r->m[i][j];
        q[k] = r->m[k][i] + r->m[i][k];
        q[3] = r->m[k][j] - r->m[j][k];
    }
    double s = 1.0 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return (trv_quat){(float)(q[0] * s), (float)(q[1] * s), (float)(q[2] * s), (float)(q[3] * s)};
}
