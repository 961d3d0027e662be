// Convex hulls of clouds and meshes, Trivet beside its peers; README.md tells how to read it.
//
//   bench_hull [--rounds N] [FILE.obj ...]
#include <math.h>

#include <trivet/mesh.h>

#include "bench.h"
#include "hull_peers.h"

enum { MOST_ROUNDS = 50 };

// --- Trivet's turn ---

static bool build_ours(const bench_cloud *cloud, bench_hull_judge *judge, void *context)
{
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull;
    if (trv_hull_create((const trv_vec3 *)cloud->singles, cloud->count, &def, &hull) != TRV_OK)
        return false;
    if (judge) {
        bench_hull out;
        const trv_vec3 *v = trv_hull_vertices(hull, &out.vertex_count);
        out.face_count = trv_hull_faces(hull, &out.first, &out.corners);
        double(*places)[3] = malloc(out.vertex_count * sizeof *places);
        for (uint32_t i = 0; places && i < out.vertex_count; i++) {
            places[i][0] = v[i].x;
            places[i][1] = v[i].y;
            places[i][2] = v[i].z;
        }
        if (places == NULL)
            return false;
        out.vertices = (const double(*)[3])places;
        judge(context, &out);
        free(places);
    }
    trv_hull_release(hull);
    return true;
}

// --- judging ---

typedef struct verdict {
    const bench_cloud *cloud;
    uint32_t vertices, faces;
    bool closed;
    double volume;
    double outside; // farthest point above a face, relative to the diagonal
} verdict;

static int compare_edges(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Every edge once, and once the other way round.
static bool is_closed(const bench_hull *hull)
{
    uint32_t edges = hull->first[hull->face_count];
    uint64_t *forth = malloc(2 * edges * sizeof *forth), *back = forth + edges;
    bool closed = forth != NULL && edges > 0;
    for (uint32_t f = 0; closed && f < hull->face_count; f++)
        for (uint32_t i = hull->first[f]; i < hull->first[f + 1]; i++) {
            uint64_t a = hull->corners[i];
            uint64_t b = hull->corners[i + 1 < hull->first[f + 1] ? i + 1 : hull->first[f]];
            forth[i] = a << 32 | b;
            back[i] = b << 32 | a;
        }
    if (closed) {
        qsort(forth, edges, sizeof *forth, compare_edges);
        qsort(back, edges, sizeof *back, compare_edges);
    }
    for (uint32_t i = 0; closed && i < edges; i++)
        closed = forth[i] == back[i] && (i == 0 || forth[i] != forth[i - 1]);
    free(forth);
    return closed;
}

static void subtract(const double a[3], const double b[3], double d[3])
{
    for (int k = 0; k < 3; k++)
        d[k] = a[k] - b[k];
}

// Newell's normal about the face's first corner.
static void normal_of(const bench_hull *hull, uint32_t face, double normal[3])
{
    const double *origin = hull->vertices[hull->corners[hull->first[face]]];
    double a[3] = {0.0, 0.0, 0.0}, b[3];
    normal[0] = normal[1] = normal[2] = 0.0;
    for (uint32_t i = hull->first[face] + 1; i < hull->first[face + 1]; i++) {
        subtract(hull->vertices[hull->corners[i]], origin, b);
        for (int k = 0; k < 3; k++)
            normal[k] += a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
        memcpy(a, b, sizeof a);
    }
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// How far a point stands out of a face's plane; of many points and faces every so-manieth is looked at.
static double farthest_outside(const bench_hull *hull, const bench_cloud *cloud, double sense)
{
    double farthest = 0.0, work = (double)cloud->count * hull->face_count;
    uint32_t stride = 1 + (uint32_t)(work / 2.0e8);
    for (uint32_t f = 0; f < hull->face_count; f++) {
        double normal[3], d[3];
        normal_of(hull, f, normal);
        double length = sqrt(dot(normal, normal));
        if (!(length > 1.0e-12)) // a sliver, whose normal is noise
            continue;
        for (uint32_t i = f % stride; i < cloud->count; i += stride) {
            subtract(cloud->doubles[i], hull->vertices[hull->corners[hull->first[f]]], d);
            farthest = fmax(farthest, sense * dot(normal, d) / length);
        }
    }
    return farthest;
}

static void judge(void *context, const bench_hull *hull)
{
    verdict *v = context;
    double lower[3], upper[3], size[3], sum = 0.0;
    memcpy(lower, v->cloud->doubles[0], sizeof lower);
    memcpy(upper, lower, sizeof upper);
    for (uint32_t i = 1; i < v->cloud->count; i++)
        for (int k = 0; k < 3; k++) {
            lower[k] = fmin(lower[k], v->cloud->doubles[i][k]);
            upper[k] = fmax(upper[k], v->cloud->doubles[i][k]);
        }
    subtract(upper, lower, size);
    for (uint32_t f = 0; f < hull->face_count; f++) {
        double normal[3], d[3];
        normal_of(hull, f, normal);
        subtract(hull->vertices[hull->corners[hull->first[f]]], lower, d);
        sum += dot(normal, d);
    }
    v->vertices = hull->vertex_count;
    v->faces = hull->face_count;
    v->closed = is_closed(hull);
    v->volume = fabs(sum) / 6.0;
    v->outside = farthest_outside(hull, v->cloud, sum < 0.0 ? -1.0 : 1.0) / sqrt(dot(size, size));
}

// --- rounds ---

typedef struct contestant {
    const char *name;
    bench_hull_build *build;
} contestant;

static const contestant contestants[] = {
    {"trivet", build_ours},
#ifdef BENCH_QHULL
    {"qhull", bench_hull_qhull},
#endif
#ifdef BENCH_BULLET
    {"bullet", bench_hull_bullet},
#endif
};
enum { CONTESTANTS = sizeof contestants / sizeof *contestants };

static void run(const char *name, const bench_cloud *cloud, int rounds)
{
    static double times[CONTESTANTS][MOST_ROUNDS];
    verdict verdicts[CONTESTANTS] = {{0}};
    bool built[CONTESTANTS];
    uint32_t batch = 1 + 20000 / cloud->count;
    for (int c = 0; c < CONTESTANTS; c++) {
        verdicts[c].cloud = cloud;
        built[c] = contestants[c].build(cloud, judge, &verdicts[c]);
    }
    for (int r = 0; r < rounds; r++) // all in turn, so that a disturbance hits all alike
        for (int c = 0; c < CONTESTANTS; c++) {
            double start = bench_cpu();
            for (uint32_t i = 0; i < batch && built[c]; i++)
                contestants[c].build(cloud, NULL, NULL);
            times[c][r] = (bench_cpu() - start) * 1.0e-6 / batch;
        }
    for (int c = 0; c < CONTESTANTS; c++) {
        const verdict *v = &verdicts[c];
        qsort(times[c], (size_t)rounds, sizeof **times, bench_compare);
        printf("{\"bench\": \"hull\", \"scene\": \"%s\", \"n\": %u, \"contestant\": \"%s\", "
               "\"unit\": \"ms/hull\", ",
               name, cloud->count, contestants[c].name);
        if (built[c])
            printf("\"median\": %.4g, \"min\": %.4g, \"ratio\": %.3g, \"vertices\": %u, "
                   "\"faces\": %u, \"closed\": %s, \"volume\": %.9g, \"outside\": %.2g}\n",
                   times[c][rounds / 2], times[c][0], times[c][0] / times[0][0], v->vertices,
                   v->faces, v->closed ? "true" : "false", v->volume, v->outside);
        else
            printf("\"note\": \"no hull\"}\n");
    }
    fflush(stdout);
}

// --- clouds ---

enum { SPHERE, BALL, LATTICE, CLOUDS };
static const char *const cloud_names[CLOUDS] = {"sphere", "ball", "lattice"};

static void run_points(const char *name, const trv_vec3 *points, uint32_t count, int rounds)
{
    double(*doubles)[3] = malloc(count * sizeof *doubles);
    if (doubles == NULL)
        exit(1);
    for (uint32_t i = 0; i < count; i++) {
        doubles[i][0] = points[i].x;
        doubles[i][1] = points[i].y;
        doubles[i][2] = points[i].z;
    }
    bench_cloud cloud = {count, (const float(*)[3])points, (const double(*)[3])doubles};
    run(name, &cloud, rounds);
    free(doubles);
}

static void run_cloud(int kind, uint32_t count, int rounds)
{
    bench_random random = {7};
    trv_vec3 *points = malloc(count * sizeof *points);
    if (points == NULL)
        exit(1);
    for (uint32_t i = 0; i < count; i++) {
        if (kind == SPHERE)
            points[i] = bench_direction(&random);
        else if (kind == LATTICE) {
            trv_vec3 p = bench_vec3(&random, 8.0f);
            points[i] = trv_make_vec3(floorf(p.x) / 8.0f, floorf(p.y) / 8.0f, floorf(p.z) / 8.0f);
        } else {
            do
                points[i] = bench_vec3(&random, 1.0f);
            while (points[i].x * points[i].x + points[i].y * points[i].y +
                       points[i].z * points[i].z >
                   1.0f);
        }
    }
    run_points(cloud_names[kind], points, count, rounds);
    free(points);
}

static void run_mesh(const char *path, int rounds)
{
    trv_obj_def def = trv_default_obj_def();
    trv_mesh *mesh;
    if (trv_mesh_read_obj_file(path, &def, &mesh, NULL) != TRV_OK) {
        fprintf(stderr, "bench: cannot read %s\n", path);
        return;
    }
    uint32_t count;
    const trv_vec3 *points = trv_mesh_vertices(mesh, &count);
    const char *slash = strrchr(path, '/');
    run_points(slash ? slash + 1 : path, points, count, rounds);
    trv_mesh_destroy(mesh);
}

int main(int argc, char **argv)
{
    static const uint32_t sizes[] = {32, 128, 512, 2000, 20000};
    int rounds = BENCH_ROUNDS, files = 0;
    bench_print_machine(stdout);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc) {
            rounds = atoi(argv[++i]);
            if (rounds < 1 || rounds > MOST_ROUNDS) {
                fprintf(stderr, "usage: bench_hull [--rounds N] [FILE.obj ...]\n");
                return 2;
            }
        } else {
            run_mesh(argv[i], rounds);
            files++;
        }
    }
    for (int kind = 0; kind < CLOUDS && files == 0; kind++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            run_cloud(kind, sizes[s], rounds);
    return 0;
}
