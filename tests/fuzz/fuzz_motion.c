// Asks when two moving shapes meet, and fails where an answer is not to be believed.
//
// An entry point for libFuzzer, and for the replay of kept inputs (replay.c).
#include "moving.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, data + size};
    fuzz_moving moving;
    fuzz_scene scene;
    moving_read(&moving, &bytes);
    scene_read(&scene, &bytes);
    moving_ask(&moving, &scene.a, &scene.b, &scene);
    scene_free(&scene);
    return 0;
}
