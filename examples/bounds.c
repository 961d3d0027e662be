// Bounds: the box around a body that turns, found in three ways.
//
//   bounds
//
// A spindle of some thousand vertices tumbles. The tight box looks at every vertex. The fast one looks
// at the box of the rest pose alone: its eight corners are turned, which costs the same for any mesh,
// and the box around them is larger. The third is tight and nearly as fast: from the six vertices that
// were farthest out in the frame before it climbs along edges to those of this frame. The first two are
// those of Lander 1999, "When Two Hearts Collide".
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <trivet/collide.h>
#include <trivet/mesh.h>
#include <trivet/primitives.h>

enum { RINGS = 63, AROUND = 32, POINTS = RINGS * AROUND + 2, FRAMES = 240 };

static void stop_if(trv_result result, const char *what)
{
    if (result == TRV_OK)
        return;
    fprintf(stderr, "bounds: %s: %s\n", what, trv_result_text(result));
    exit(2);
}

// Long along x, with rings whose radii follow a circle.
static trv_hull *make_spindle(void)
{
    static trv_vec3 points[POINTS];
    for (int ring = 0; ring < RINGS; ring++) {
        float along = 2.0f * (float)(ring + 1) / (float)(RINGS + 1) - 1.0f;
        float radius = 0.4f * sqrtf(1.0f - along * along);
        for (int i = 0; i < AROUND; i++) {
            trv_quat turn = trv_quat_about(trv_make_vec3(1, 0, 0), 0.19634954f * (float)i);
            points[ring * AROUND + i] = trv_rotate(turn, trv_make_vec3(2.0f * along, radius, 0));
        }
    }
    points[POINTS - 2] = trv_make_vec3(-2, 0, 0);
    points[POINTS - 1] = trv_make_vec3(2, 0, 0);
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull;
    stop_if(trv_hull_create(points, POINTS, &def, &hull), "hull");
    return hull;
}

static double volume(trv_aabb box)
{
    return (double)(box.upper.x - box.lower.x) * (double)(box.upper.y - box.lower.y) *
           (double)(box.upper.z - box.lower.z);
}

// Whether `outer` holds `inner`, but for rounding.
static bool holds(trv_aabb outer, trv_aabb inner)
{
    const float r = 1.0e-5f; // m
    return outer.lower.x <= inner.lower.x + r && outer.lower.y <= inner.lower.y + r &&
           outer.lower.z <= inner.lower.z + r && outer.upper.x >= inner.upper.x - r &&
           outer.upper.y >= inner.upper.y - r && outer.upper.z >= inner.upper.z - r;
}

int main(void)
{
    trv_hull *hull = make_spindle();
    trv_obb rest; // the box of the rest pose
    uint32_t count;
    const trv_vec3 *vertices = trv_hull_vertices(hull, &count);
    stop_if(trv_hull_fit_box(hull, TRV_BOX_FIT_AXES, &rest), "rest box");
    printf("%u vertices; rest box %.2f x %.2f x %.2f m\n", count, 2.0 * (double)rest.half.x,
           2.0 * (double)rest.half.y, 2.0 * (double)rest.half.z);
    trv_motion tumble = trv_make_motion(trv_make_pose(trv_make_vec3(0, 1, 0)));
    tumble.turn = trv_make_vec3(2, 3, 1);
    trv_bounds_cache cache = {{0}};
    double worst = 1.0, sum = 0.0;
    bool good = true;
    for (int frame = 0; frame < FRAMES; frame++) {
        trv_pose pose = trv_motion_at(&tumble, (float)frame / (float)FRAMES);
        trv_aabb climbed, every = trv_bounds_of_vertices(vertices, count, pose);
        trv_aabb corners = trv_bounds_of_box(rest, pose);
        stop_if(trv_bounds_of_hull(hull, pose, &cache, &climbed), "bounds");
        good = good && holds(corners, every) && holds(climbed, every) && holds(every, climbed);
        double ratio = volume(corners) / volume(every);
        worst = ratio > worst ? ratio : worst;
        sum += ratio;
        if (frame % 60 == 0)
            printf("frame %3d  every vertex %.3f m^3, rest box %.3f m^3\n", frame, volume(every),
                   volume(corners));
    }
    printf("the fast box is %.2f times as large, %.2f at worst\n", sum / FRAMES, worst);
    printf(good ? "it always holds the tight one, and climbing finds the tight one\n"
                : "a box is wrong\n");
    trv_hull_release(hull);
    return good ? 0 : 1;
}
