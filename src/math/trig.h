// Sine, cosine and arc tangent with the same bits on every target, unlike the C runtime's.
#ifndef TRVI_TRIG_H
#define TRVI_TRIG_H

// Radians. Within 2 ulp for |angle| <= 1e5; beyond, and for NaN or infinity, see trig.c.
float trvi_sin(float angle);
float trvi_cos(float angle);

// The angle of (x, y) in [-pi, pi], within 2 ulp; 0 for (0, 0).
float trvi_atan2(float y, float x);

#endif
