// Tells what an OBJ file holds, and what Trivet makes of it: counts, whether the surface is closed,
// manifold and convex and where it is not, area, volume, mass properties, boxes, the convex hull.
//
//   obj_inspect [--json] [--hull out.obj] [--box out.obj] FILE...        "-" is standard input
//
// --json prints one object per file, each on a line of its own. --hull and --box write the convex hull
// and the fitted box of the one file given. A file that is refused is named on standard error as
// file:line:column: reason (0:0 is the file as a whole), and the exit code is 2; wrong use is 1.
//
// Numbers are metres, square and cubic metres; inertia is that of unit density about the centroid, as
// xx yy zz xy xz yz, products as they stand in the tensor. "null" or "-" is what the mesh does not
// have: an open surface has no mass, a flat one no hull. volume_signed is the sum over all triangles
// of the volume between each and the file's origin; it is a volume where the surface is closed, and
// below zero where that is inside out.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <trivet/mesh.h>

typedef struct options {
    bool json;
    const char *hull_path, *box_path;
    const char **files;
    int file_count;
} options;

typedef struct findings {
    const char *file;
    trv_mesh *mesh;
    trv_obj_report report;
    double milliseconds; // for all of it

    uint32_t triangles, used_vertices, degenerate_triangles;
    double area, volume_signed;
    trv_aabb bounds;
    trv_mesh_topology topology;
    trv_result mass_result; // TRV_OK: `mass` holds
    trv_mass mass;          // at 1 kg/m^3
    trv_result hull_result; // TRV_OK: all below holds
    trv_hull *hull;
    trv_mass hull_mass;
    trv_obb box;
} findings;

static void *need(void *block)
{
    if (block == NULL) {
        fprintf(stderr, "obj_inspect: out of memory\n");
        exit(1);
    }
    return block;
}

static double milliseconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return 1.0e3 * (double)now.tv_sec + 1.0e-6 * (double)now.tv_nsec;
}

// As few digits as read back as the same float32.
static void print_number(FILE *to, float value)
{
    char text[32];
    value += 0.0f; // no negative zero
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value)
            break;
    }
    fputs(text, to);
}

static void print_numbers(FILE *to, const float *values, int count, const char *between)
{
    for (int i = 0; i < count; i++) {
        fputs(i > 0 ? between : "", to);
        print_number(to, values[i]);
    }
}

static void print_vec3(FILE *to, trv_vec3 v, const char *between)
{
    const float values[3] = {v.x, v.y, v.z};
    print_numbers(to, values, 3, between);
}

static char *read_input(size_t *size)
{
    size_t capacity = 1 << 16;
    char *text = need(malloc(capacity));
    *size = 0;
    for (size_t got; (got = fread(text + *size, 1, capacity - *size, stdin)) > 0;) {
        *size += got;
        if (*size == capacity)
            text = need(realloc(text, capacity *= 2));
    }
    return text;
}

// False, and said why, where the file is refused.
static bool read_mesh(findings *found)
{
    trv_obj_def def = trv_default_obj_def();
    trv_result result;
    if (strcmp(found->file, "-") == 0) {
        size_t size;
        char *text = read_input(&size);
        result = trv_mesh_read_obj_memory(text, size, &def, &found->mesh, &found->report);
        free(text);
    } else {
        result = trv_mesh_read_obj_file(found->file, &def, &found->mesh, &found->report);
    }
    if (result != TRV_OK)
        fprintf(stderr, "%s:%u:%u: %s\n", found->file, found->report.line, found->report.column,
                found->report.reason);
    return result == TRV_OK;
}

static void measure_vertices(findings *found)
{
    uint32_t count;
    const uint32_t *first, *corners;
    const trv_vec3 *vertices = trv_mesh_vertices(found->mesh, &count);
    uint32_t faces = trv_mesh_faces(found->mesh, &first, &corners);
    found->bounds = trv_bounds_of_vertices(vertices, count, trv_make_pose(trv_make_vec3(0, 0, 0)));
    unsigned char *used = need(calloc(count, 1));
    for (uint32_t i = 0; i < first[faces]; i++) {
        found->used_vertices += !used[corners[i]];
        used[corners[i]] = 1;
    }
    free(used);
}

// Twice the vector area of the triangle a, b, c, and six times its volume above the origin.
static void cross_triangle(trv_vec3 a, trv_vec3 b, trv_vec3 c, double *cross, double *volume)
{
    double ux = (double)b.x - a.x, uy = (double)b.y - a.y, uz = (double)b.z - a.z;
    double vx = (double)c.x - a.x, vy = (double)c.y - a.y, vz = (double)c.z - a.z;
    cross[0] = uy * vz - uz * vy;
    cross[1] = uz * vx - ux * vz;
    cross[2] = ux * vy - uy * vx;
    *volume = cross[0] * a.x + cross[1] * a.y + cross[2] * a.z;
}

static trv_result measure_triangles(findings *found)
{
    const trv_vec3 *vertices = trv_mesh_vertices(found->mesh, NULL);
    uint32_t count;
    trv_result result = trv_mesh_triangulate(found->mesh, TRV_ALL_PARTS, NULL, 0, &count);
    if (result != TRV_OK || count == 0)
        return result;
    uint32_t *triangles = need(malloc(3 * sizeof *triangles * count));
    result = trv_mesh_triangulate(found->mesh, TRV_ALL_PARTS, triangles, count, &count);
    for (const uint32_t *t = triangles; t < triangles + 3 * (size_t)count; t += 3) {
        double cross[3], volume;
        cross_triangle(vertices[t[0]], vertices[t[1]], vertices[t[2]], cross, &volume);
        found->area += 0.5 * sqrt(cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]);
        found->volume_signed += volume / 6.0;
        found->degenerate_triangles += t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
    }
    found->triangles = count;
    free(triangles);
    return result;
}

// What fails here fails for want of memory; what a mesh lacks is noted in the results.
static trv_result inspect(findings *found)
{
    trv_hull_def def = trv_default_hull_def();
    measure_vertices(found);
    trv_result result = measure_triangles(found);
    if (result == TRV_OK)
        result = trv_mesh_check(found->mesh, TRV_ALL_PARTS, &found->topology);
    if (result != TRV_OK)
        return result;
    found->mass_result = trv_mesh_mass(found->mesh, TRV_ALL_PARTS, 1.0f, &found->mass);
    found->hull_result = trv_hull_create_from_mesh(found->mesh, TRV_ALL_PARTS, &def, &found->hull);
    if (found->hull_result == TRV_OK)
        found->hull_result = trv_hull_mass(found->hull, 1.0f, &found->hull_mass);
    if (found->hull_result == TRV_OK)
        found->hull_result = trv_hull_fit_box(found->hull, TRV_BOX_FIT_TIGHT, &found->box);
    return found->mass_result == TRV_ERROR_MEMORY   ? found->mass_result
           : found->hull_result == TRV_ERROR_MEMORY ? found->hull_result
                                                    : TRV_OK;
}

static double box_volume(trv_vec3 half)
{
    return 8.0 * half.x * half.y * half.z;
}

static double bounds_volume(trv_aabb box)
{
    return ((double)box.upper.x - box.lower.x) * ((double)box.upper.y - box.lower.y) *
           ((double)box.upper.z - box.lower.z);
}

// Key and value of one JSON member, with the comma before it.
static void json_numbers(const char *key, const float *values, int count)
{
    printf(", \"%s\": [", key);
    print_numbers(stdout, values, count, ", ");
    printf("]");
}

static void json_vector(const char *key, trv_vec3 v)
{
    const float values[3] = {v.x, v.y, v.z};
    json_numbers(key, values, 3);
}

static void json_number(const char *key, double value)
{
    printf(", \"%s\": %.12g", key, value);
}

static void json_count(const char *key, uint32_t value)
{
    printf(", \"%s\": %u", key, value);
}

static void json_bool(const char *key, bool value)
{
    printf(", \"%s\": %s", key, value ? "true" : "false");
}

static void json_text(const char *text)
{
    putchar('"');
    for (const char *p = text; *p != 0; p++) {
        unsigned char c = (unsigned char)*p;
        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < ' ')
            printf("\\u%04x", (unsigned)c);
        else
            putchar(c);
    }
    putchar('"');
}

static void json_nulls(const char *const *keys)
{
    for (; *keys != NULL; keys++)
        printf(", \"%s\": null", *keys);
}

// Faces are counted from 1, as they stand in the file; null where there is none to name.
static void json_face(const char *key, uint32_t face)
{
    if (face == TRV_NO_FACE)
        printf(", \"%s\": null", key);
    else
        json_count(key, face + 1);
}

static void json_surface(const findings *found)
{
    static const char *const mass_keys[] = {"mesh_centroid", "mesh_inertia", NULL};
    const trv_mesh_topology *topology = &found->topology;
    json_number("area", found->area);
    json_number("volume_signed", found->volume_signed);
    json_bool("closed_weld", topology->closed);
    json_bool("manifold_weld", topology->manifold);
    json_count("boundary_edges_weld", topology->boundary_edges);
    json_bool("convex", topology->convex);
    json_face("open_face", topology->open_face);
    json_face("nonmanifold_face", topology->nonmanifold_face);
    json_face("concave_face", topology->concave_face);
    if (found->mass_result != TRV_OK) {
        json_nulls(mass_keys);
        return;
    }
    json_vector(mass_keys[0], found->mass.center);
    json_numbers(mass_keys[1], found->mass.inertia, 6);
}

static void json_hull(const findings *found)
{
    static const char *const keys[] = {
        "hull_vertices",  "hull_faces",   "hull_volume",    "hull_centroid",    "hull_inertia",
        "obb_min_volume", "obb_min_half", "obb_min_center", "obb_min_rotation", NULL};
    if (found->hull_result != TRV_OK) {
        json_nulls(keys);
        printf(", \"hull_refused\": ");
        json_text(trv_result_text(found->hull_result));
        return;
    }
    uint32_t vertices;
    trv_hull_vertices(found->hull, &vertices);
    json_count(keys[0], vertices);
    json_count(keys[1], trv_hull_faces(found->hull, NULL, NULL));
    json_number(keys[2], (double)found->hull_mass.mass);
    json_vector(keys[3], found->hull_mass.center);
    json_numbers(keys[4], found->hull_mass.inertia, 6);
    trv_quat q = found->box.rotation;
    const float rotation[4] = {q.x, q.y, q.z, q.w};
    json_number(keys[5], box_volume(found->box.half));
    json_vector(keys[6], found->box.half);
    json_vector(keys[7], found->box.center);
    json_numbers(keys[8], rotation, 4);
}

static void print_json(const findings *found)
{
    const trv_obj_report *report = &found->report;
    printf("{\"file\": ");
    json_text(found->file);
    json_count("vertices", report->vertices);
    json_count("used_vertices", found->used_vertices);
    json_count("distinct_positions", found->used_vertices - found->topology.welded);
    json_count("faces", report->faces);
    json_count("triangles", found->triangles);
    json_count("degenerate_triangles", found->degenerate_triangles);
    json_count("parts", report->parts);
    json_vector("aabb_min", found->bounds.lower);
    json_vector("aabb_max", found->bounds.upper);
    json_number("aabb_volume", bounds_volume(found->bounds));
    json_surface(found);
    json_hull(found);
    printf(", \"repairs\": {\"skipped_faces\": %u, \"ignored_lines\": %u, "
           "\"ignored_indices\": %u, \"byte_order_mark\": %s}",
           report->skipped_faces, report->ignored_lines, report->ignored_indices,
           report->byte_order_mark ? "true" : "false");
    printf(", \"ms\": %.3f}\n", found->milliseconds);
}

static void print_line(const char *name, const float *values, int count)
{
    printf("  %-14s ", name);
    print_numbers(stdout, values, count, " ");
    printf("\n");
}

static void print_vector(const char *name, trv_vec3 v)
{
    const float values[3] = {v.x, v.y, v.z};
    print_line(name, values, 3);
}

// A verdict, and where it is no: the face, its part, and the face's first corner.
static void print_verdict(const char *name, bool yes, const findings *found, uint32_t face)
{
    printf("  %-14s %s", name, yes ? "yes" : "no");
    if (!yes && face != TRV_NO_FACE) {
        const uint32_t *first, *corners;
        trv_mesh_part part = {0};
        trv_mesh_faces(found->mesh, &first, &corners);
        for (uint32_t i = 0; face >= part.first_face + part.face_count; i++)
            if (trv_mesh_part_get(found->mesh, i, &part) != TRV_OK)
                break;
        trv_vec3 at = trv_mesh_vertices(found->mesh, NULL)[corners[first[face]]];
        printf(", first at face %u", face + 1);
        if (part.name != NULL && part.name[0] != 0)
            printf(" (of \"%s\")", part.name);
        printf(" near ");
        print_vec3(stdout, at, " ");
    }
    printf("\n");
}

static void print_hull(const findings *found)
{
    if (found->hull_result != TRV_OK) {
        printf("  %-14s - (%s)\n", "hull", trv_result_text(found->hull_result));
        return;
    }
    uint32_t vertices, faces = trv_hull_faces(found->hull, NULL, NULL);
    trv_hull_vertices(found->hull, &vertices);
    print_vector("box half", found->box.half);
    print_vector("box center", found->box.center);
    trv_quat q = found->box.rotation;
    const float rotation[4] = {q.x, q.y, q.z, q.w};
    print_line("box rotation", rotation, 4);
    printf("  %-14s %.9g\n", "box volume", box_volume(found->box.half));
    printf("  %-14s %u vertices, %u faces\n", "hull", vertices, faces);
    print_line("hull volume", &found->hull_mass.mass, 1);
    print_vector("hull centroid", found->hull_mass.center);
    print_line("hull inertia", found->hull_mass.inertia, 6);
}

static void print_text(const findings *found)
{
    const trv_obj_report *report = &found->report;
    const trv_mesh_topology *topology = &found->topology;
    printf("%s\n", found->file);
    printf("  %-14s %u (%u used, in %u places)\n", "vertices", report->vertices,
           found->used_vertices, found->used_vertices - topology->welded);
    printf("  %-14s %u\n  %-14s %u\n  %-14s %u\n", "faces", report->faces, "triangles",
           found->triangles, "parts", report->parts);
    print_verdict("closed", topology->closed, found, topology->open_face);
    print_verdict("manifold", topology->manifold, found, topology->nonmanifold_face);
    print_verdict("convex", topology->convex, found, topology->concave_face);
    printf("  %-14s %.9g\n", "area", found->area);
    if (found->mass_result == TRV_OK) {
        printf("  %-14s %.9g\n", "volume", found->volume_signed);
        print_vector("centroid", found->mass.center);
        print_line("inertia", found->mass.inertia, 6);
    } else {
        printf("  %-14s - (%s)\n", "volume", trv_result_text(found->mass_result));
    }
    print_vector("aabb min", found->bounds.lower);
    print_vector("aabb max", found->bounds.upper);
    print_hull(found);
    printf("  %-14s skipped faces %u, ignored lines %u, ignored indices %u%s\n", "repairs",
           report->skipped_faces, report->ignored_lines, report->ignored_indices,
           report->byte_order_mark ? ", byte order mark skipped" : "");
    printf("  %-14s %.3f\n", "ms", found->milliseconds);
}

static void write_vertices(FILE *file, const trv_vec3 *vertices, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        fputs("v ", file);
        print_vec3(file, vertices[i], " ");
        fputs("\n", file);
    }
}

static bool close_written(FILE *file, const char *path)
{
    bool good = ferror(file) == 0;
    good = fclose(file) == 0 && good;
    if (!good)
        fprintf(stderr, "obj_inspect: cannot write %s\n", path);
    return good;
}

static FILE *open_to_write(const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL)
        fprintf(stderr, "obj_inspect: cannot write %s\n", path);
    return file;
}

static bool write_hull(const findings *found, const char *path)
{
    uint32_t count;
    const uint32_t *first, *corners;
    const trv_vec3 *vertices = trv_hull_vertices(found->hull, &count);
    uint32_t faces = trv_hull_faces(found->hull, &first, &corners);
    FILE *file = open_to_write(path);
    if (file == NULL)
        return false;
    fprintf(file, "# convex hull\no hull\n");
    write_vertices(file, vertices, count);
    for (uint32_t f = 0; f < faces; f++) {
        fprintf(file, "f");
        for (uint32_t c = first[f]; c < first[f + 1]; c++)
            fprintf(file, " %u", corners[c] + 1);
        fprintf(file, "\n");
    }
    return close_written(file, path);
}

static bool write_box(const findings *found, const char *path)
{
    const trv_obb *box = &found->box;
    trv_pose pose = {box->center, box->rotation};
    trv_vec3 vertices[8];
    for (int i = 0; i < 8; i++)
        vertices[i] = trv_pose_apply(pose, trv_make_vec3(i & 1 ? box->half.x : -box->half.x,
                                                         i & 2 ? box->half.y : -box->half.y,
                                                         i & 4 ? box->half.z : -box->half.z));
    FILE *file = open_to_write(path);
    if (file == NULL)
        return false;
    fprintf(file, "# fitted box\no box\n");
    write_vertices(file, vertices, 8);
    fprintf(file, "f 1 5 7 3\nf 2 4 8 6\nf 1 2 6 5\nf 3 7 8 4\nf 1 3 4 2\nf 5 6 8 7\n");
    return close_written(file, path);
}

// 0, 1 where a result cannot be written or made, 2 where the file is refused.
static int inspect_file(const options *o, const char *path)
{
    findings found = {.file = path};
    double start = milliseconds();
    if (!read_mesh(&found))
        return 2;
    trv_result result = inspect(&found);
    found.milliseconds = milliseconds() - start;
    bool good = result == TRV_OK;
    if (!good)
        fprintf(stderr, "obj_inspect: %s: %s\n", path, trv_result_text(result));
    else if (o->json)
        print_json(&found);
    else
        print_text(&found);
    if (good && (o->hull_path != NULL || o->box_path != NULL)) {
        good = found.hull_result == TRV_OK;
        if (!good)
            fprintf(stderr, "obj_inspect: %s has no hull: %s\n", path,
                    trv_result_text(found.hull_result));
        good = good && (o->hull_path == NULL || write_hull(&found, o->hull_path));
        good = good && (o->box_path == NULL || write_box(&found, o->box_path));
    }
    trv_hull_release(found.hull);
    trv_mesh_destroy(found.mesh);
    return good ? 0 : 1;
}

static bool read_options(options *o, int argc, char **argv)
{
    bool files_only = false;
    o->files = need(calloc((size_t)argc, sizeof *o->files));
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (files_only || strncmp(word, "--", 2) != 0)
            o->files[o->file_count++] = word;
        else if (strcmp(word, "--") == 0)
            files_only = true;
        else if (strcmp(word, "--json") == 0)
            o->json = true;
        else if (strcmp(word, "--hull") == 0 && i + 1 < argc)
            o->hull_path = argv[++i];
        else if (strcmp(word, "--box") == 0 && i + 1 < argc)
            o->box_path = argv[++i];
        else
            return false;
    }
    bool writes = o->hull_path != NULL || o->box_path != NULL;
    return o->file_count == 1 || (o->file_count > 1 && !writes);
}

int main(int argc, char **argv)
{
    options o = {0};
    int worst = 0;
    if (!read_options(&o, argc, argv)) {
        fprintf(stderr, "usage: obj_inspect [--json] [--hull out.obj] [--box out.obj] FILE...\n"
                        "       (\"-\" is standard input; --hull and --box take one FILE)\n");
        worst = 1;
    }
    for (int i = 0; worst != 1 && i < o.file_count; i++) {
        int code = inspect_file(&o, o.files[i]);
        worst = code == 1 || worst == 0 ? code : worst;
    }
    free((void *)o.files);
    return worst;
}
