// Who builds hulls in bench_hull, and what they hand over to be judged.
#ifndef TRV_BENCH_HULL_PEERS_H
#define TRV_BENCH_HULL_PEERS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The same points in both types; all are exact in float.
typedef struct bench_cloud {
    uint32_t count;
    const float (*singles)[3];
    const double (*doubles)[3];
} bench_cloud;

// A hull to be judged. Face f has the corners corners[first[f] .. first[f + 1]), in either sense, which
// must be the same for all. The arrays are the builder's.
typedef struct bench_hull {
    uint32_t vertex_count, face_count;
    const double (*vertices)[3];
    const uint32_t *first, *corners;
} bench_hull;

typedef void bench_hull_judge(void *context, const bench_hull *hull);

// Builds the hull of the cloud and lets it go again; shows it to `judge` before, unless that is NULL.
// False where it fails.
typedef bool bench_hull_build(const bench_cloud *cloud, bench_hull_judge *judge, void *context);

bench_hull_build bench_hull_bullet, bench_hull_qhull;

#ifdef __cplusplus
}
#endif

#endif
