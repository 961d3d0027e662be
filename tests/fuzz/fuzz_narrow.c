// Asks every question about two posed shapes, and fails where an answer is not to be believed.
//
// An entry point for libFuzzer, and for the replay of kept inputs (replay.c).
#include "narrow_checks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void measure(measured *m, const fuzz_scene *scene)
{
    m->scene = scene;
    m->origin = trvi_dvec3_from(scene->pose_a.position);
    solid_set(&m->a, &scene->a, scene->pose_a, m->origin);
    solid_set(&m->b, &scene->b, scene->pose_b, m->origin);
    m->scale = m->a.reach + m->b.reach + m->a.extent + m->b.extent;
    m->size = m->a.extent + m->b.extent;
    m->coarse = 1.5e-7 * (trvi_dlength(m->origin) + m->scale) + LEAST_STEP;
    m->exact = 2.0e-11 * m->scale + 4.0e-16 * trvi_dlength(m->origin);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const checks[])(const measured *) = {
        check_core,   check_separate, check_distance, check_collide, check_mirror,
        check_motion, check_ray,      check_bounds,   check_points};
    fuzz_scene scene;
    measured m;
    fuzz_bytes bytes = {data, data + size};
    scene_read(&scene, &bytes);
    if (check_refusals(&scene)) {
        measure(&m, &scene);
        for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++)
            checks[i](&m);
    }
    scene_free(&scene);
    return 0;
}
