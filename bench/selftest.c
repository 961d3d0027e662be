// Proves what the benchmarks judge by: the certified distances and the solids of the scenes.
#include <math.h>
#include <string.h>

#include "bench.h"
#include "scene.h"

static int failures;

static void expect(bool claim, const char *text, double value)
{
    if (claim)
        return;
    fprintf(stderr, "bench_selftest: not so: %s (%.17g)\n", text, value);
    failures++;
}

// Cubes of 1 m, the second at `position` and turned about z.
static bench_truth cubes(double x, double y, double z, double angle)
{
    static const double corners[8][3] = {{-0.5, -0.5, -0.5}, {0.5, -0.5, -0.5}, {-0.5, 0.5, -0.5},
                                         {0.5, 0.5, -0.5},   {-0.5, -0.5, 0.5}, {0.5, -0.5, 0.5},
                                         {-0.5, 0.5, 0.5},   {0.5, 0.5, 0.5}};
    double c = cos(angle), s = sin(angle);
    bench_points cube = {corners, 8};
    bench_place first = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
    bench_place second = {{c, -s, 0, s, c, 0, 0, 0, 1}, {x, y, z}};
    return bench_reference(cube, &first, cube, &second, 1.0e-12);
}

static void cubes_have_the_distances_of_the_formulas(void)
{
    const struct {
        const char *name;
        double x, y, z, angle, distance;
    } cases[] = {
        {"face to face", 1.25, 0.3, 0.2, 0.0, 0.25},
        {"edge to edge", 1.3, 1.4, 0.2, 0.0, 0.5},
        {"corner to corner", 1.2, 1.3, 1.6, 0.0, 0.7},
        {"face to a turned edge", 1.5, 0.0, 0.0, 0.78539816339744831, 1.0 - 0.70710678118654752},
        {"touching", 1.0, 0.0, 0.0, 0.0, 0.0},
        {"a little deep", 0.999, 0.1, 0.2, 0.0, -0.001},
        {"deep", 0.5, 0.25, 0.0, 0.0, -0.5},
        {"one in the other", 0.0, 0.0, 0.0, 0.0, -1.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bench_truth t = cubes(cases[i].x, cases[i].y, cases[i].z, cases[i].angle);
        double error = fmax(fabs(t.low - cases[i].distance), fabs(t.high - cases[i].distance));
        expect(error < 1.0e-11, cases[i].name, error);
    }
}

static void turn(const bench_place *place, const double local[3], double world[3])
{
    for (int k = 0; k < 3; k++)
        world[k] = place->rotation[3 * k] * local[0] + place->rotation[3 * k + 1] * local[1] +
                   place->rotation[3 * k + 2] * local[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// The directions of all edges of a solid, and the normals of all its faces, in the world.
static uint32_t directions(const bench_solid *solid, const bench_place *place, bool normals,
                           double (*out)[3])
{
    uint32_t count = 0;
    for (uint32_t f = 0; normals && f < solid->faces; f++) {
        const uint32_t *corner = solid->corners + solid->first[f];
        double u[3], v[3], n[3];
        for (int k = 0; k < 3; k++) {
            u[k] = solid->points[corner[1]][k] - solid->points[corner[0]][k];
            v[k] = solid->points[corner[2]][k] - solid->points[corner[0]][k];
        }
        cross(u, v, n);
        turn(place, n, out[count++]);
    }
    for (uint32_t i = 0; !normals && i < solid->count; i++) {
        for (uint32_t k = solid->around_first[i]; k < solid->around_first[i + 1]; k++) {
            const double *p = solid->points[i], *q = solid->points[solid->around[k]];
            double edge[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
            if (i < solid->around[k])
                turn(place, edge, out[count++]);
        }
    }
    return count;
}

static void extent(const bench_solid *solid, const bench_place *place, const double n[3],
                   double *low, double *high)
{
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (uint32_t i = 0; i < solid->count; i++) {
        double p[3], height = 0.0;
        turn(place, solid->points[i], p);
        for (int k = 0; k < 3; k++)
            height += n[k] * (p[k] + place->position[k]);
        *low = fmin(*low, height);
        *high = fmax(*high, height);
    }
}

// How far the direction keeps the two apart, either way round.
static double gap_along(const bench_pair *pair, const bench_frame *frame, const double n[3])
{
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), low[2], high[2];
    if (length < 1.0e-9)
        return -HUGE_VAL;
    for (int side = 0; side < 2; side++)
        extent(&pair->solid[side], &frame->place[side], n, &low[side], &high[side]);
    return fmax(low[0] - high[1], low[1] - high[0]) / length;
}

// The widest gap over all face normals and all pairs of edges: the signed distance of solids that
// overlap, a lower bound of others that has the right sign.
static double widest_gap(const bench_pair *pair, const bench_frame *frame)
{
    enum { most = 128 };
    static double normals[2][most][3], edges[2][most][3];
    uint32_t faces[2], count[2];
    double widest = -HUGE_VAL;
    for (int side = 0; side < 2; side++) {
        faces[side] = directions(&pair->solid[side], &frame->place[side], true, normals[side]);
        count[side] = directions(&pair->solid[side], &frame->place[side], false, edges[side]);
        for (uint32_t i = 0; i < faces[side]; i++)
            widest = fmax(widest, gap_along(pair, frame, normals[side][i]));
    }
    for (uint32_t i = 0; i < count[0]; i++) {
        for (uint32_t k = 0; k < count[1]; k++) {
            double n[3];
            cross(edges[0][i], edges[1][k], n);
            widest = fmax(widest, gap_along(pair, frame, n));
        }
    }
    return widest;
}

static void distances_agree_with_all_separating_axes(void)
{
    bench_gap gap = {"mixed", 0.0, 0.2};
    bench_scene scene = bench_scene_create(12, 3, 120, 2.0, 5.0, 11);
    uint32_t unsure = bench_scene_place(&scene, gap), apart = 0, overlap = 0;
    expect(unsure == 0, "truths are certain", unsure);
    for (uint32_t i = 0; i < scene.count; i++) {
        for (uint32_t f = 0; f < scene.frames; f++) {
            const bench_frame *frame = &scene.pairs[i].frames[f];
            double widest = widest_gap(&scene.pairs[i], frame);
            const bench_truth *t = &frame->truth;
            if (t->low > 1.0e-6) {
                expect(widest > 0.0 && widest < t->high + 1.0e-9, "apart by an axis", widest);
                apart++;
            } else if (t->high < -1.0e-6) {
                expect(widest > t->low - 1.0e-9 && widest < t->high + 1.0e-9, "deep by an axis",
                       widest);
                overlap++;
            }
        }
    }
    expect(apart > 50 && overlap > 50, "frames of both kinds", apart);
    bench_scene_destroy(&scene);
}

static double height(const bench_solid *solid, uint32_t vertex, const trv_vec3 n)
{
    const double *p = solid->points[vertex];
    return n.x * p[0] + n.y * p[1] + n.z * p[2];
}

static void walks_over_the_edges_end_at_the_highest_vertex(void)
{
    bench_random random = {3};
    bench_scene scene = bench_scene_create(500, 1, 1, 1.0, 1.0, 5);
    const bench_solid *solid = &scene.pairs[0].solid[0];
    expect(solid->count == 500, "every point is a corner", solid->count);
    for (int i = 0; i < 200; i++) {
        trv_vec3 n = bench_direction(&random);
        uint32_t at = 0, from;
        double best = -HUGE_VAL;
        do {
            from = at;
            for (uint32_t k = solid->around_first[from]; k < solid->around_first[from + 1]; k++)
                if (height(solid, solid->around[k], n) > height(solid, at, n))
                    at = solid->around[k];
        } while (at != from);
        for (uint32_t v = 0; v < solid->count; v++)
            best = fmax(best, height(solid, v, n));
        expect(best - height(solid, at, n) < 2.0e-5, "the walk ends at the top", (double)i);
    }
    bench_scene_destroy(&scene);
}

int main(void)
{
    cubes_have_the_distances_of_the_formulas();
    distances_agree_with_all_separating_axes();
    walks_over_the_edges_end_at_the_highest_vertex();
    return failures == 0 ? 0 : 1;
}
