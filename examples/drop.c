// Drop: load OBJ files, drop their parts into a pit, and watch them come to rest.
//
//   drop [--bodies N] [--seconds S] [--workers W] [--scale] [--write scene.obj] [file.obj ...]
//
// Every object or group of the files is one convex part (its hull, where it is not convex). Parts are
// scaled so that their longest side is 1 m; --scale keeps the files' own units. Without files, the
// project's own meshes are dropped. A file that cannot be read is named with line and reason, and
// nothing is dropped: exit status 2. Bodies that leave the pit: exit status 1.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <trivet/mesh.h>
#include <trivet/threads.h>
#include <trivet/world.h>

#include "own_meshes.h" // generated: the paths of the project's own meshes

#define STEPS_PER_SECOND 60
#define SUBSTEPS         4

typedef struct options {
    uint32_t bodies, seconds, workers;
    bool keep_units;
    const char *scene;
    const char *const *files;
    uint32_t file_count;
} options;

typedef struct part_list {
    trv_hull **hulls;
    uint32_t count, capacity;
    float largest; // longest side of any part, m
} part_list;

typedef struct arena {
    trv_world *world;
    trv_body_id *bodies;
    const trv_hull **shapes; // of each body
    uint32_t count;
    float half;  // of the floor's side, m
    float depth; // of the walls, m
    trv_contact *contacts;
    uint32_t contact_capacity;
} arena;

static void stop_if(trv_result result, const char *what)
{
    if (result == TRV_OK)
        return;
    fprintf(stderr, "drop: %s: %s\n", what, trv_result_text(result));
    exit(2);
}

static void *need(void *memory)
{
    if (memory == NULL)
        stop_if(TRV_ERROR_MEMORY, "memory");
    return memory;
}

static uint32_t number_after(int argc, char **argv, int i, uint32_t least, uint32_t most)
{
    char *end = NULL;
    unsigned long value = i + 1 < argc ? strtoul(argv[i + 1], &end, 10) : 0;
    if (end == NULL || *end != '\0' || end == argv[i + 1] || value < least || value > most) {
        fprintf(stderr, "drop: %s needs a whole number from %u to %u\n", argv[i], least, most);
        exit(2);
    }
    return (uint32_t)value;
}

static options read_options(int argc, char **argv)
{
    options o = {300, 12, 1, false, "drop.obj", own_meshes, own_mesh_count};
    const char **files = need(calloc((size_t)argc, sizeof *files));
    uint32_t file_count = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--bodies") == 0) {
            o.bodies = number_after(argc, argv, i++, 1, 100000);
        } else if (strcmp(argv[i], "--seconds") == 0) {
            o.seconds = number_after(argc, argv, i++, 1, 3600);
        } else if (strcmp(argv[i], "--workers") == 0) {
            o.workers = number_after(argc, argv, i++, 1, 64);
        } else if (strcmp(argv[i], "--scale") == 0) {
            o.keep_units = true;
        } else if (strcmp(argv[i], "--write") == 0 && i + 1 < argc) {
            o.scene = argv[++i];
        } else if (argv[i][0] == '-') {
            fprintf(stderr, "usage: drop [--bodies N] [--seconds S] [--workers W] [--scale] "
                            "[--write scene.obj] [file.obj ...]\n");
            exit(2);
        } else {
            files[file_count++] = argv[i];
        }
    }
    if (file_count == 0) {
        free(files);
        return o;
    }
    o.files = files;
    o.file_count = file_count;
    return o;
}

// The hull of one part, centred, scaled so that its longest side is 1 m unless units are kept.
static trv_result build_part(const trv_mesh *mesh, uint32_t part, bool keep_units, trv_hull **out)
{
    trv_hull_def def = trv_default_hull_def();
    trv_result result = trv_hull_create_from_mesh(mesh, part, &def, out);
    if (result != TRV_OK)
        return result;
    trv_aabb box = trv_hull_bounds(*out);
    float x = box.upper.x - box.lower.x, y = box.upper.y - box.lower.y;
    float z = box.upper.z - box.lower.z;
    float longest = x > y ? (x > z ? x : z) : (y > z ? y : z);
    float scale = keep_units ? 1.0f : 1.0f / longest;
    def.scale = trv_make_vec3(scale, scale, scale);
    def.offset = trv_make_vec3(-0.5f * scale * (box.lower.x + box.upper.x),
                               -0.5f * scale * (box.lower.y + box.upper.y),
                               -0.5f * scale * (box.lower.z + box.upper.z));
    trv_hull_release(*out);
    return trv_hull_create_from_mesh(mesh, part, &def, out);
}

static void add_part(part_list *parts, trv_hull *hull)
{
    if (parts->count == parts->capacity) {
        parts->capacity = parts->capacity ? 2 * parts->capacity : 64;
        parts->hulls = need(realloc(parts->hulls, parts->capacity * sizeof *parts->hulls));
    }
    parts->hulls[parts->count++] = hull;
    trv_aabb box = trv_hull_bounds(hull);
    const float sides[3] = {box.upper.x - box.lower.x, box.upper.y - box.lower.y,
                            box.upper.z - box.lower.z};
    for (int i = 0; i < 3; i++)
        if (parts->largest < sides[i])
            parts->largest = sides[i];
}

// Parts without volume (a flat pane, say) cannot be bodies: they are named and left out.
static void load_file(part_list *parts, const char *path, bool keep_units)
{
    trv_mesh *mesh;
    trv_obj_report report;
    trv_obj_def def = trv_default_obj_def();
    if (trv_mesh_read_obj_file(path, &def, &mesh, &report) != TRV_OK) {
        if (report.line > 0)
            fprintf(stderr, "%s:%u: %s\n", path, report.line, report.reason);
        else
            fprintf(stderr, "%s: %s\n", path, report.reason);
        exit(2);
    }
    uint32_t before = parts->count;
    for (uint32_t i = 0; i < trv_mesh_part_count(mesh); i++) {
        trv_mesh_part part;
        trv_hull *hull;
        stop_if(trv_mesh_part_get(mesh, i, &part), path);
        trv_result result = build_part(mesh, i, keep_units, &hull);
        if (result == TRV_OK)
            add_part(parts, hull);
        else
            fprintf(stderr, "%s: part '%s' is left out: %s\n", path, part.name,
                    trv_result_text(result));
    }
    trv_mesh_destroy(mesh);
    printf("%s: %u parts\n", path, parts->count - before);
}

static void add_wall(trv_world *world, trv_vec3 center, trv_vec3 half)
{
    trv_body_def body = trv_default_body_def();
    trv_shape_def def = trv_default_shape_def();
    trv_shape box = trv_make_box(half);
    trv_body_id id;
    trv_shape_id shape;
    body.position = center;
    stop_if(trv_body_create(world, &body, &id), "wall");
    stop_if(trv_shape_create(world, id, &def, &box, &shape), "wall");
}

// A floor and four walls, a metre thick at least.
static void build_pit(arena *pit, float thick)
{
    float half = pit->half, outer = half + thick, up = 0.5f * pit->depth;
    add_wall(pit->world, trv_make_vec3(0, -0.5f * thick, 0),
             trv_make_vec3(outer, 0.5f * thick, outer));
    for (int side = -1; side <= 1; side += 2) {
        float at = (float)side * (half + 0.5f * thick);
        add_wall(pit->world, trv_make_vec3(at, up, 0), trv_make_vec3(0.5f * thick, up, outer));
        add_wall(pit->world, trv_make_vec3(0, up, at), trv_make_vec3(outer, up, 0.5f * thick));
    }
}

// A fixed sequence of numbers in [-1, 1): the same drop on every machine.
static float scatter(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) * (2.0f / 16777216.0f) - 1.0f;
}

static void drop_bodies(arena *pit, const part_list *parts, uint32_t across, float pitch)
{
    uint32_t state = 2026;
    for (uint32_t i = 0; i < pit->count; i++) {
        trv_body_def body = trv_default_body_def();
        trv_shape_def def = trv_default_shape_def();
        def.material.rolling_friction = 0.02f; // what is round comes to rest, too
        uint32_t layer = i / (across * across), cell = i % (across * across);
        float x = (float)(cell % across) - 0.5f * (float)(across - 1);
        float z = (float)(cell / across) - 0.5f * (float)(across - 1);
        body.kind = TRV_BODY_DYNAMIC;
        body.position = trv_make_vec3(pitch * x, pitch * ((float)layer + 1.0f), pitch * z);
        trv_vec3 axis = {scatter(&state), scatter(&state), scatter(&state)};
        body.rotation = trv_quat_about(axis, 3.14159f * scatter(&state));
        pit->shapes[i] = parts->hulls[i % parts->count];
        trv_shape hull = trv_make_hull(pit->shapes[i]);
        trv_shape_id shape;
        stop_if(trv_body_create(pit->world, &body, &pit->bodies[i]), "body");
        stop_if(trv_shape_create(pit->world, pit->bodies[i], &def, &hull, &shape), "body");
    }
}

// The deepest overlap of any two bodies as they are now, asked of the collision layer directly.
static float deepest_penetration(arena *pit)
{
    uint32_t count;
    stop_if(trv_world_contacts(pit->world, NULL, 0, &count), "contacts");
    if (count > pit->contact_capacity) {
        pit->contact_capacity = 2 * count;
        pit->contacts = need(realloc(pit->contacts, pit->contact_capacity * sizeof *pit->contacts));
    }
    stop_if(trv_world_contacts(pit->world, pit->contacts, pit->contact_capacity, &count),
            "contacts");
    float deepest = 0.0f;
    for (uint32_t i = 0; i < count; i++) {
        const trv_contact *contact = &pit->contacts[i];
        trv_shape a, b;
        trv_pose pose_a, pose_b;
        trv_gap gap;
        stop_if(trv_shape_solid(pit->world, contact->shape_a, &a), "contact");
        stop_if(trv_shape_solid(pit->world, contact->shape_b, &b), "contact");
        stop_if(trv_body_pose(pit->world, contact->body_a, &pose_a), "contact");
        stop_if(trv_body_pose(pit->world, contact->body_b, &pose_b), "contact");
        stop_if(trv_distance(&a, pose_a, &b, pose_b, &gap), "distance");
        if (gap.distance < -deepest)
            deepest = -gap.distance;
    }
    return deepest;
}

// Bodies whose centre of mass is outside the pit.
static uint32_t count_lost(const arena *pit)
{
    uint32_t lost = 0;
    for (uint32_t i = 0; i < pit->count; i++) {
        trv_pose pose;
        trv_vec3 center;
        float mass, inertia[6];
        stop_if(trv_body_pose(pit->world, pit->bodies[i], &pose), "body");
        stop_if(trv_body_mass(pit->world, pit->bodies[i], &mass, &center, inertia), "body");
        trv_vec3 p = trv_pose_apply(pose, center);
        bool inside = p.x >= -pit->half && p.x <= pit->half && p.z >= -pit->half &&
                      p.z <= pit->half && p.y >= 0.0f;
        lost += !inside;
    }
    return lost;
}

static double milliseconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return 1.0e3 * (double)now.tv_sec + 1.0e-6 * (double)now.tv_nsec;
}

// One line for each simulated second. True when everything sleeps at the end.
static bool run(arena *pit, uint32_t seconds)
{
    trv_world_counters now = {0};
    printf("   s  awake  pairs  touching  remembered  deepest mm  ms/step\n");
    for (uint32_t s = 1; s <= seconds; s++) {
        uint64_t apart = 0, remembered = 0;
        double before = milliseconds();
        for (int i = 0; i < STEPS_PER_SECOND; i++) {
            stop_if(trv_world_step(pit->world, 1.0f / STEPS_PER_SECOND, SUBSTEPS), "step");
            stop_if(trv_world_counters_get(pit->world, &now), "counters");
            apart += now.apart;
            remembered += now.apart_remembered;
        }
        double each = (milliseconds() - before) / STEPS_PER_SECOND;
        printf("%4u  %5u  %5u  %8u  ", s, now.awake_bodies, now.pairs, now.touching);
        if (apart > 0)
            printf("%8.1f %%", 100.0 * (double)remembered / (double)apart);
        else
            printf("%10s", "-"); // no test found its pair apart
        printf("  %10.3f  %7.3f\n", 1000.0 * deepest_penetration(pit), each);
    }
    return now.awake_bodies == 0;
}

static bool write_scene(const arena *pit, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return false;
    uint32_t base = 1;
    fprintf(file, "# bodies dropped into a pit, as they came to rest (metres, y up)\n");
    for (uint32_t i = 0; i < pit->count; i++) {
        trv_pose pose;
        uint32_t vertex_count;
        const uint32_t *first, *corners;
        const trv_vec3 *vertices = trv_hull_vertices(pit->shapes[i], &vertex_count);
        uint32_t face_count = trv_hull_faces(pit->shapes[i], &first, &corners);
        stop_if(trv_body_pose(pit->world, pit->bodies[i], &pose), "body");
        fprintf(file, "o body_%u\n", i);
        for (uint32_t v = 0; v < vertex_count; v++) {
            trv_vec3 p = trv_pose_apply(pose, vertices[v]);
            fprintf(file, "v %.6g %.6g %.6g\n", p.x, p.y, p.z);
        }
        for (uint32_t f = 0; f < face_count; f++) {
            fprintf(file, "f");
            for (uint32_t c = first[f]; c < first[f + 1]; c++)
                fprintf(file, " %u", corners[c] + base);
            fprintf(file, "\n");
        }
        base += vertex_count;
    }
    bool written = ferror(file) == 0;
    return fclose(file) == 0 && written;
}

static void fill_pit(arena *pit, const options *o, const part_list *parts, trv_workers workers)
{
    trv_world_def def = trv_default_world_def();
    def.workers = workers;
    stop_if(trv_world_create(&def, &pit->world), "world");
    pit->count = o->bodies;
    pit->bodies = need(calloc(o->bodies, sizeof *pit->bodies));
    pit->shapes = need(calloc(o->bodies, sizeof *pit->shapes));
    // About as wide as the heap will be high when it has settled; a part turns freely in its cell.
    uint32_t across = 2;
    while (across * across * across < 2 * o->bodies)
        across++;
    float pitch = 1.75f * parts->largest;
    pit->half = 0.5f * pitch * (float)across;
    pit->depth = pitch * ((float)(o->bodies / (across * across)) + 3.0f);
    build_pit(pit, parts->largest > 1.0f ? parts->largest : 1.0f);
    drop_bodies(pit, parts, across, pitch);
}

int main(int argc, char **argv)
{
    options o = read_options(argc, argv);
    part_list parts = {0};
    for (uint32_t i = 0; i < o.file_count; i++)
        load_file(&parts, o.files[i], o.keep_units);
    if (parts.count == 0) {
        fprintf(stderr, "drop: no part with a volume to drop\n");
        return 2;
    }
    trv_threads_def threads_def = trv_default_threads_def();
    trv_threads *threads;
    threads_def.count = o.workers;
    stop_if(trv_threads_create(&threads_def, &threads), "threads");
    trv_workers workers = trv_threads_workers(threads);
    arena pit = {0};
    fill_pit(&pit, &o, &parts, workers);
    printf("%u bodies of %u parts, %u workers\n", pit.count, parts.count, workers.count);

    bool rests = run(&pit, o.seconds);
    uint32_t lost = count_lost(&pit);
    bool written = write_scene(&pit, o.scene);
    printf("%s after %u s\n", rests ? "all at rest" : "still moving", o.seconds);
    printf("bodies lost: %u\n", lost);
    printf("state hash 0x%016llx\n", (unsigned long long)trv_world_hash(pit.world));
    printf(written ? "scene written to %s\n" : "cannot write the scene to %s\n", o.scene);

    trv_world_destroy(pit.world);
    trv_threads_destroy(threads);
    for (uint32_t i = 0; i < parts.count; i++)
        trv_hull_release(parts.hulls[i]);
    free(parts.hulls);
    free(pit.bodies);
    free(pit.shapes);
    free(pit.contacts);
    if (o.files != own_meshes)
        free((void *)o.files);
    return lost > 0 ? 1 : written ? 0 : 2;
}
