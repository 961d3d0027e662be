// Planes: two hulls turn past one another, kept apart by a plane that is remembered between frames.
//
//   planes
//
// Each frame asks trv_separate with the pair's cache. What it prints is what makes the plane (a face of
// one hull and a vertex of the other, an edge and a vertex, an edge of each, two vertices), for each run
// of frames with one maker, and how often the plane of the frame before was enough. Where the hulls
// touch it prints the contact manifold instead. The idea is that of Lander 1999, "Crashing into the New
// Year".
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <trivet/collide.h>
#include <trivet/mesh.h>

enum { FRAMES = 360 };

typedef struct tally {
    trv_plane_source source; // of the frames since `first`
    int first;
    uint32_t apart, remembered, touching;
    float least; // gap since `first`, m
} tally;

static void stop_if(trv_result result, const char *what)
{
    if (result == TRV_OK)
        return;
    fprintf(stderr, "planes: %s: %s\n", what, trv_result_text(result));
    exit(2);
}

static trv_hull *make_hull(const trv_vec3 *points, uint32_t count)
{
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull;
    stop_if(trv_hull_create(points, count, &def, &hull), "hull");
    return hull;
}

// A roof: two slopes over a rectangle.
static trv_hull *make_roof(void)
{
    const trv_vec3 points[6] = {{-1, -0.4f, -0.6f}, {1, -0.4f, -0.6f}, {-1, -0.4f, 0.6f},
                                {1, -0.4f, 0.6f},   {-0.5f, 0.6f, 0},  {0.5f, 0.6f, 0}};
    return make_hull(points, 6);
}

// A crystal: an octahedron drawn out along y.
static trv_hull *make_crystal(void)
{
    const trv_vec3 points[6] = {{-0.5f, 0, 0}, {0.5f, 0, 0},  {0, -0.9f, 0},
                                {0, 0.9f, 0},  {0, 0, -0.5f}, {0, 0, 0.5f}};
    return make_hull(points, 6);
}

// No minus before a zero.
static double shown(float x)
{
    return fabsf(x) < 0.00005f ? 0.0 : (double)x;
}

static const char *name_of(trv_plane_source source)
{
    static const char *const names[] = {"none",
                                        "a face of A, a vertex of B",
                                        "a vertex of A, a face of B",
                                        "an edge of A, an edge of B",
                                        "an edge of A, a vertex of B",
                                        "a vertex of A, an edge of B",
                                        "a vertex of A, a vertex of B"};
    return names[source];
}

// Ends the run of frames before `frame`.
static void tell_run(const tally *sum, int frame)
{
    if (frame > sum->first && sum->source != TRV_PLANE_NONE)
        printf("frames %3d..%3d  %-28s  gap down to %.3f m\n", sum->first, frame - 1,
               name_of(sum->source), shown(sum->least));
}

static void tell_contact(int frame, const trv_manifold *m)
{
    float deepest = 0.0f;
    for (uint32_t i = 0; i < m->count; i++)
        if (m->points[i].separation < deepest)
            deepest = m->points[i].separation;
    printf("frame  %3d       touch: %u points, normal %.3f %.3f %.3f, %.4f m deep\n", frame,
           m->count, shown(m->normal.x), shown(m->normal.y), shown(m->normal.z), shown(-deepest));
}

int main(void)
{
    trv_hull *hulls[2] = {make_roof(), make_crystal()};
    trv_shape a = trv_make_hull(hulls[0]), b = trv_make_hull(hulls[1]);
    // A turns where it is; B turns the other way and comes past, through A's tip on its way.
    trv_motion turns = trv_make_motion(trv_make_pose(trv_make_vec3(0, 0, 0)));
    trv_motion passes = trv_make_motion(trv_make_pose(trv_make_vec3(-2.5f, 1.0f, 0.3f)));
    turns.turn = trv_make_vec3(1.5f, 4.0f, 0.5f);
    passes.turn = trv_make_vec3(-0.5f, -3.0f, 2.0f);
    passes.travel = trv_make_vec3(5, 0, -0.4f);
    trv_plane_cache cache = {0};
    tally sum = {TRV_PLANE_NONE, 0, 0, 0, 0, 0.0f};
    for (int frame = 0; frame < FRAMES; frame++) {
        float t = (float)frame / (float)(FRAMES - 1);
        trv_pose pose_a = trv_motion_at(&turns, t), pose_b = trv_motion_at(&passes, t);
        trv_separation s;
        stop_if(trv_separate(&a, pose_a, &b, pose_b, &cache, &s), "separate");
        if (s.source != sum.source) {
            tell_run(&sum, frame);
            sum.source = s.source;
            sum.first = frame;
            sum.least = s.gap;
        }
        sum.least = s.gap < sum.least ? s.gap : sum.least;
        sum.apart += s.apart;
        sum.remembered += s.apart && s.remembered;
        if (s.apart)
            continue;
        trv_manifold m;
        stop_if(trv_collide(&a, pose_a, &b, pose_b, 0.0f, NULL, &m), "collide");
        if (sum.touching++ % 8 == 0)
            tell_contact(frame, &m);
    }
    tell_run(&sum, FRAMES);
    printf("%u frames apart, %u of them by the plane of the frame before; %u in touch\n", sum.apart,
           sum.remembered, sum.touching);
    trv_hull_release(hulls[0]);
    trv_hull_release(hulls[1]);
    return 0;
}
