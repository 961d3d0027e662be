// The truth for two solids: the signed distance between two posed sets of vertices, as two bounds
// that hold whatever way the search for them took. Slow on purpose.
#ifndef TRV_BENCH_REFERENCE_H
#define TRV_BENCH_REFERENCE_H

#include <stdint.h>

// Where a solid stands: world = rotation * local + position, rotation by rows.
typedef struct bench_place {
    double rotation[9];
    double position[3];
} bench_place;

typedef struct bench_points {
    const double (*points)[3];
    uint32_t count;
} bench_points;

typedef struct bench_truth {
    double low, high; // the signed distance lies between; < 0 is minus the depth
    double normal[3]; // unit, from A to B; B moved along it by -low touches A, or is clear of it
} bench_truth;

// Ends where high - low <= tolerance, or where rounding or a bound ends it earlier.
bench_truth bench_reference(bench_points a, const bench_place *place_a, bench_points b,
                            const bench_place *place_b, double tolerance);

#endif
