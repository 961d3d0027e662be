// From the uneven time of frames to steps of one length, and what to draw between two of them.
//
// Based on: G. Fiedler, "Fix Your Timestep!" (2004).
#include "world_data.h"

trv_stepper trv_make_stepper(float step, uint32_t max_steps)
{
    trv_stepper stepper = {1.0f / 60.0f, max_steps > 0 ? max_steps : 1, 0.0, 0.0f};
    if (step == step)
        stepper.step = trvi_smaller(trvi_larger(step, 1.0e-6f), 1.0f);
    return stepper;
}

uint32_t trv_stepper_advance(trv_stepper *stepper, double seconds)
{
    if (stepper == NULL)
        return 0;
    double step = trv_make_stepper(stepper->step, 1).step;
    double most = step * ((double)stepper->max_steps + 1.0);
    double left = stepper->left > 0.0 ? stepper->left : 0.0; // NaN is not
    if (seconds > 0.0)
        left += seconds;
    // Times that are meant to be equal are told as equal: a frame of one step makes one step.
    uint32_t steps = 0;
    double whole = left < most ? floor(left / step + TRVI_STEP_SLACK) : (double)stepper->max_steps;
    if (whole > (double)stepper->max_steps)
        whole = (double)stepper->max_steps;
    steps = (uint32_t)whole;
    left -= whole * step;
    if (!(left < step)) // what the limit of steps leaves is dropped
        left = 0.0;
    stepper->left = left > 0.0 ? left : 0.0;
    stepper->alpha = (float)(stepper->left / step);
    return steps;
}

// Along the straight way between two rotations of one sign: not at quite constant speed, which for
// turns of less than a radian in a step nobody can see.
trv_pose trv_pose_between(trv_pose before, trv_pose after, float alpha)
{
    float t = alpha == alpha ? trvi_smaller(trvi_larger(alpha, 0.0f), 1.0f) : 0.0f;
    trv_quat a = before.rotation, b = after.rotation;
    float dot = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    float side = dot < 0.0f ? -1.0f : 1.0f, s = 1.0f - t;
    trv_quat mixed = {s * a.x + side * t * b.x, s * a.y + side * t * b.y, s * a.z + side * t * b.z,
                      s * a.w + side * t * b.w};
    trv_vec3 position = trvi_add(trvi_scale(before.position, s), trvi_scale(after.position, t));
    return (trv_pose){position, trvi_quat_normalize(mixed)};
}
