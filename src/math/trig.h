// Sine, cosine and arc tangent with the same bits on every target, unlike the C runtime's.
#ifndef TRVI_TRIG_H
#define TRVI_TRIG_H

// Radians. Within 2 ulp of the exact value for every finite angle; NaN for NaN and infinity.
float trvi_sin(float angle);
float trvi_cos(float angle);

// The angle of (x, y) in [-pi, pi], within 2 ulp, with the signs of C's atan2; but 0 for (0, 0), and
// NaN for NaN and infinity.
float trvi_atan2(float y, float x);

#endif
