// Reading OBJ files: Trivet beside tinyobjloader, where that is installed, on the same files in turn.
//
//   bench_obj [FILE ...]      without files: a grid of 40 MB and one with attributes are written,
//                             read and removed
//
// Prints JSON lines: megabytes per second of each reader from the opened path to the finished mesh, and
// the ratio, above 1 where Trivet is faster. Trivet's peak of memory is in terms of the file's size.
#include <stdbool.h>

#include <trivet/mesh.h>

#include "bench.h"
#include "peer_tinyobj.h"

// What a file is read into, for one round.
typedef struct outcome {
    unsigned long vertices, faces;
} outcome;

typedef struct meter {
    size_t live, peak;
} meter;

static void *measured(void *user, void *block, size_t old_size, size_t new_size)
{
    meter *m = user;
    if (new_size == 0) {
        free(block);
        m->live -= old_size;
        return NULL;
    }
    void *moved = realloc(block, new_size);
    if (moved != NULL)
        m->live += new_size - old_size;
    m->peak = m->live > m->peak ? m->live : m->peak;
    return moved;
}

static size_t size_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    long size = file != NULL && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (size <= 0) {
        fprintf(stderr, "bench: cannot read %s\n", path);
        exit(1);
    }
    fclose(file);
    return (size_t)size;
}

static outcome read_with_trivet(const char *path, meter *m)
{
    trv_obj_def def = trv_default_obj_def();
    trv_obj_report report;
    trv_mesh *mesh;
    if (m != NULL)
        def.allocator = (trv_allocator){m, measured};
    bench_need(trv_mesh_read_obj_file(path, &def, &mesh, &report), path);
    trv_mesh_destroy(mesh);
    return (outcome){report.vertices, report.faces};
}

static outcome read_with_peer(const char *path)
{
    outcome o = {0, 0};
    if (!peer_tinyobj_read(path, &o.vertices, &o.faces)) {
        fprintf(stderr, "bench: tinyobjloader refuses %s\n", path);
        exit(1);
    }
    return o;
}

static void print_rate(const char *what, const char *path, double size, double *times)
{
    char name[512];
    for (int r = 0; r < BENCH_ROUNDS; r++)
        times[r] *= 1.0e-6;
    snprintf(name, sizeof name, "read %s, %s", path, what);
    bench_print(name, "ms", times, BENCH_ROUNDS);
    printf("{\"name\": \"%s\", \"unit\": \"MB/s\", \"median\": %.4g, \"max\": %.4g}\n", name,
           size * 1.0e-3 / times[BENCH_ROUNDS / 2], size * 1.0e-3 / times[0]);
}

static void bench_file(const char *path)
{
    double own[BENCH_ROUNDS], peer[BENCH_ROUNDS], size = (double)size_of(path);
    meter m = {0, 0};
    outcome a = read_with_trivet(path, &m), b = a; // also the first look at the file
    bool beside = peer_tinyobj_is_there();
    for (int r = 0; r < BENCH_ROUNDS; r++) {
        double start = bench_cpu();
        a = read_with_trivet(path, NULL);
        own[r] = bench_cpu() - start;
        if (!beside)
            continue;
        start = bench_cpu();
        b = read_with_peer(path);
        peer[r] = bench_cpu() - start;
    }
    if (beside && (a.vertices != b.vertices || a.faces != b.faces))
        printf("# %s: %lu vertices and %lu faces, but %lu and %lu by tinyobjloader\n", path,
               a.vertices, a.faces, b.vertices, b.faces);
    print_rate("trivet", path, size, own);
    printf(
        "{\"name\": \"read %s, trivet\", \"unit\": \"bytes of memory per byte\", \"max\": %.3g}\n",
        path, (double)m.peak / size);
    if (!beside)
        return;
    print_rate("tinyobjloader", path, size, peer);
    printf("{\"name\": \"read %s, trivet\", \"unit\": \"times as fast\", \"median\": %.3g}\n", path,
           peer[BENCH_ROUNDS / 2] / own[BENCH_ROUNDS / 2]);
}

// A grid as exporters write it: triangles, or quads with texture coordinates and normals.
static void write_grid(const char *path, int side, bool attributes)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        fprintf(stderr, "bench: cannot write %s\n", path);
        exit(1);
    }
    for (int i = 0; i <= side; i++)
        for (int j = 0; j <= side; j++)
            fprintf(file, "v %.6f %.6f %.6f\n", 0.01 * i, 0.001 * ((7 * i + 11 * j) % 31),
                    0.01 * j);
    for (int i = 0; attributes && i <= side; i++)
        for (int j = 0; j <= side; j++)
            fprintf(file, "vt %.6f %.6f\nvn 0.0000 1.0000 0.0000\n", 0.01 * i, 0.01 * j);
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++) {
            int a = i * (side + 1) + j + 1, b = a + 1, c = b + side + 1, d = a + side + 1;
            if (attributes)
                fprintf(file, "f %d/%d/%d %d/%d/%d %d/%d/%d %d/%d/%d\n", a, a, a, b, b, b, c, c, c,
                        d, d, d);
            else
                fprintf(file, "f %d %d %d\nf %d %d %d\n", a, b, c, a, c, d);
        }
    fclose(file);
}

int main(int argc, char **argv)
{
    bench_print_machine(stdout);
    if (!peer_tinyobj_is_there())
        printf("# tinyobjloader is left out (Debian: libtinyobjloader-dev)\n");
    for (int i = 1; i < argc; i++)
        bench_file(argv[i]);
    for (int attributes = 0; argc == 1 && attributes < 2; attributes++) {
        const char *path = attributes ? "bench_obj_full.obj" : "bench_obj_bare.obj";
        write_grid(path, attributes ? 500 : 750, attributes);
        bench_file(path);
        remove(path);
    }
    return 0;
}
