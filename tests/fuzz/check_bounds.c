// Bounds hold every vertex, and little more.
#include "narrow_checks.h"

#include <string.h>

static void check_one(const measured *m, const trv_shape *shape, trv_pose pose,
                      const fuzz_solid *solid)
{
    trv_aabb box;
    double margin = m->scene->margin, out = solid->radius + margin;
    memset(&box, 0x55, sizeof box);
    trv_result result = trv_bounds_of_shape(shape, pose, m->scene->margin, &box);
    if (solid->is_plane) {
        demand(result == TRV_ERROR_KIND && box.lower.x == 0.0f && box.upper.z == 0.0f);
        return;
    }
    demand(result == TRV_OK);
    const double lower[3] = {box.lower.x, box.lower.y, box.lower.z};
    const double upper[3] = {box.upper.x, box.upper.y, box.upper.z};
    for (int k = 0; k < 3; k++) {
        trvi_dvec3 axis = {k == 0, k == 1, k == 2};
        double low = HUGE_VAL, high = -HUGE_VAL, at = trvi_ddot(axis, m->origin);
        for (uint32_t i = 0; i < solid->count; i++) {
            low = fmin(low, trvi_ddot(axis, solid->points[i]) + at);
            high = fmax(high, trvi_ddot(axis, solid->points[i]) + at);
        }
        double most = 2.0e-45 + 3.0e-7 * (fabs(low) + fabs(high) + out) +
                      1.0e-14 * (m->scale + trvi_dlength(m->origin));
        double least = 1.0e-15 * (m->scale + trvi_dlength(m->origin)); // rounding of the oracle
        bool is_low = within(lower[k] - (low - out), least) && within(low - out - lower[k], most);
        bool is_high =
            within(high + out - upper[k], least) && within(upper[k] - (high + out), most);
        if (!is_low) {
            scene_note("lower", lower[k]);
            scene_note("of the vertices", low - out);
            scene_note("may be lower by", most);
        }
        demand(is_low);
        demand(is_high);
    }
}

void check_bounds(const measured *m)
{
    check_one(m, &m->scene->a, m->scene->pose_a, &m->a);
    check_one(m, &m->scene->b, m->scene->pose_b, &m->b);
}
