// A user of trivet in C: two boxes, one metre apart.
#include <stdio.h>

#include <trivet/collide.h>

int main(void)
{
    int major, minor, patch;
    trv_version(&major, &minor, &patch);
    if (major != TRV_VERSION_MAJOR || minor != TRV_VERSION_MINOR || patch != TRV_VERSION_PATCH)
        return 1;

    trv_shape box = trv_make_box(trv_make_vec3(0.5f, 0.5f, 0.5f));
    trv_pose a = trv_make_pose(trv_make_vec3(0.0f, 0.0f, 0.0f));
    trv_pose b = trv_make_pose(trv_make_vec3(2.0f, 0.0f, 0.0f));
    trv_gap gap;
    trv_result result = trv_distance(&box, a, &box, b, &gap);
    printf("C: %s, %g m apart\n", trv_result_text(result), (double)gap.distance);
    return !(result == TRV_OK && gap.distance > 0.9999f && gap.distance < 1.0001f);
}
