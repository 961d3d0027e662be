// Sweeps: what moves far in one frame is stopped where it first touches, not where it ends up.
//
//   sweeps
//
// A bullet, then a rod with two heads that whirls, meet a pane one millimetre thick and a post. Frame
// by frame both pass through: no frame's end shows an overlap. A sweep asks for the whole way, and
// tells the fraction of it at which they touch, with the normal there, and when they would part again.
// The idea is that of Gomez 1999, "Simple Intersection Tests for Games".
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <trivet/collide.h>

#define FRAME (1.0f / 60.0f) // s
#define PI    3.14159265f

typedef struct obstacle {
    const char *name;
    trv_shape shape;
    trv_pose pose;
} obstacle;

static void stop_if(trv_result result, const char *what)
{
    if (result == TRV_OK)
        return;
    fprintf(stderr, "sweeps: %s: %s\n", what, trv_result_text(result));
    exit(2);
}

// No minus before a zero.
static double shown(float x)
{
    return fabsf(x) < 0.00005f ? 0.0 : (double)x;
}

// Sweeps a shape through one frame and tells what it meets first. True where it was stopped in time.
static bool sweep(const char *name, const trv_shape *shape, const trv_motion *motion,
                  const obstacle *target)
{
    trv_impact_hit hit;
    float last;
    bool overlap;
    trv_gap gap;
    trv_motion rests = trv_make_motion(target->pose);
    stop_if(trv_overlap(shape, trv_motion_at(motion, 1.0f), &target->shape, target->pose, &overlap),
            "overlap");
    printf("%s, %s: at the frame's end %s\n", name, target->name, overlap ? "inside" : "past it");
    stop_if(trv_impact_span(shape, motion, &target->shape, &rests, &hit, &last), "sweep");
    if (!hit.hit) {
        printf("  no contact on the way\n");
        return false;
    }
    printf("  touches at %.4f of the frame, would part at %.4f\n", shown(hit.fraction),
           shown(last));
    printf("  normal %.3f %.3f %.3f, part %u\n", shown(hit.normal.x), shown(hit.normal.y),
           shown(hit.normal.z), hit.part_a);
    stop_if(trv_distance(shape, trv_motion_at(motion, hit.fraction), &target->shape, target->pose,
                         &gap),
            "distance");
    bool stopped = gap.distance > -1.0e-5f && gap.distance < 1.0e-4f;
    printf("  stopped there it %s\n", stopped ? "just touches" : "does not touch");
    return stopped && !overlap;
}

// A thin shaft along x with a ball at each end.
static trv_compound *make_rod(void)
{
    trv_pose here = trv_make_pose(trv_make_vec3(0, 0, 0));
    trv_vec3 left = trv_make_vec3(-0.6f, 0, 0), right = trv_make_vec3(0.6f, 0, 0);
    const trv_compound_part parts[3] = {{trv_make_capsule(left, right, 0.01f), here},
                                        {trv_make_sphere(left, 0.05f), here},
                                        {trv_make_sphere(right, 0.05f), here}};
    trv_compound_def def = trv_default_compound_def();
    trv_compound *rod;
    stop_if(trv_compound_create(parts, 3, &def, &rod), "rod");
    return rod;
}

int main(void)
{
    const obstacle pane = {"pane", trv_make_box(trv_make_vec3(0.0005f, 1.5f, 1.5f)),
                           trv_make_pose(trv_make_vec3(5, 0, 0))};
    const obstacle post = {"post",
                           trv_make_capsule(trv_make_vec3(0, -2, 0), trv_make_vec3(0, 2, 0), 0.05f),
                           trv_make_pose(trv_make_vec3(3, 0, 0.3f))};
    bool good = true;

    // 800 m/s: more than 13 m in a frame.
    trv_shape bullet = trv_make_sphere(trv_make_vec3(0, 0, 0), 0.004f);
    trv_motion flight = trv_make_motion(trv_make_pose(trv_make_vec3(0, 0, 0)));
    flight.travel = trv_make_vec3(800.0f * FRAME, 0, 0);
    good &= sweep("bullet", &bullet, &flight, &pane);
    flight.travel.z = 80.0f * FRAME; // a little to the side, where the post is
    good &= sweep("bullet", &bullet, &flight, &post);

    // The rod makes three turns and a quarter about the y axis while it goes 9 m.
    trv_compound *parts = make_rod();
    trv_shape rod = trv_make_compound(parts);
    trv_motion whirl = trv_make_motion(trv_make_pose(trv_make_vec3(0, 0, 0)));
    whirl.travel = trv_make_vec3(9, 0, 0);
    whirl.turn = trv_make_vec3(0, 6.5f * PI, 0);
    good &= sweep("rod", &rod, &whirl, &post);
    good &= sweep("rod", &rod, &whirl, &pane);
    trv_compound_release(parts);

    printf(good ? "nothing passed through\n" : "something passed through\n");
    return good ? 0 : 1;
}
