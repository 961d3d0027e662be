// Asks every question about two shapes that may be compounds, and fails where an answer is not that of
// their parts.
//
// An entry point for libFuzzer, and for the replay of kept inputs (replay.c).
#include "crowd.h"
#include "moving.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, data + size};
    fuzz_moving moving;
    fuzz_crowd a, b;
    fuzz_scene scene;
    moving_read(&moving, &bytes);
    crowd_read(&a, &bytes);
    crowd_read(&b, &bytes);
    scene_read(&scene, &bytes);
    crowd_be(&a, &scene.a);
    crowd_be(&b, &scene.b);
    if (check_crowds(&a, &b, &scene))
        moving_ask(&moving, &a.shape, &b.shape, &scene);
    crowd_free(&a);
    crowd_free(&b);
    scene_free(&scene);
    return 0;
}
