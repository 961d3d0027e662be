// Prints the state hash of the mixed scene as it goes, for machines and compilers to be compared:
//
//   mixed_hash [WORKERS]
#include "dealt.h"
#include "mixed_scene.h"

int main(int argc, char **argv)
{
    uint32_t count = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1;
    trv_workers workers = dealt_workers(&count);
    mixed_scene scene;
    if (count < 1 || count > 64)
        return 2;
    mixed_begin_in(&scene, mixed_world(&workers, NULL), trv_make_vec3(0, 0, 0), 40, 11);
    for (int i = 0; i < 240; i++)
        mixed_step(&scene);
    expect_sound(scene.world);
    printf("state hash 0x%016llx\n", (unsigned long long)trv_world_hash(scene.world));
    mixed_end(&scene);
    return 0;
}
