// Sine and cosine with the same bits on every target, unlike the C runtime's.
#ifndef TRVI_TRIG_H
#define TRVI_TRIG_H

// Radians. Within 2 ulp of the exact value for every finite angle; NaN for NaN and infinity.
float trvi_sin(float angle);
float trvi_cos(float angle);

// In double: both within 1e-15 and 2^-52 of the angle, for angles up to 2^30; NaN beyond.
void trvi_dsincos(double angle, double *sine, double *cosine);

// The angle in [-pi, pi] from (1, 0) to the finite vector (cosine, sine), of any length whose square
// neither overflows nor vanishes, within 1e-15; 0 for (0, 0).
double trvi_dangle(double sine, double cosine);

#endif
