// Hulls for tests: pools of exact hulls from CSV, prisms and globes by formula.
#ifndef TRV_TESTS_HULLS_H
#define TRV_TESTS_HULLS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <trivet/mesh.h>

#include "math/math.h"

typedef struct hull_pool {
    trv_hull **hulls; // index is the id
    size_t count;
} hull_pool;

static inline void hull_pool_free(hull_pool *pool)
{
    for (size_t i = 0; i < pool->count; i++)
        trvi_convex_release(pool->hulls[i]);
    free(pool->hulls);
    pool->hulls = NULL;
    pool->count = 0;
}

// A hull from the texts of a row: "x y z x y z ..." and "i j k;i j k l;...". NULL where malformed.
static inline trv_hull *hull_from_text(const char *verts, const char *faces)
{
    size_t length = strlen(verts) + strlen(faces) + 2;
    float *numbers = malloc(length * sizeof *numbers);
    uint32_t *loops = malloc(length * sizeof *loops), *first = malloc(length * sizeof *first);
    uint32_t number_count = 0, loop_count = 0, face_count = 0;
    trv_hull *hull = NULL;
    trv_allocator allocator = {NULL, NULL};
    if (numbers == NULL || loops == NULL || first == NULL)
        goto done;
    for (char *end; *verts != '\0'; verts = end) {
        numbers[number_count] = strtof(verts, &end);
        if (end == verts)
            break;
        number_count++;
    }
    first[0] = 0;
    for (char *end; *faces != '\0'; faces = end) {
        loops[loop_count] = (uint32_t)strtoul(faces, &end, 10);
        if (end == faces)
            break;
        loop_count++;
        if (*end == ';' || *end == '\0') {
            first[++face_count] = loop_count;
            end += *end == ';';
        }
    }
    allocator = trvi_allocator_or_default(allocator);
    if (number_count % 3 == 0 &&
        trvi_convex_build(&allocator, (const trv_vec3 *)numbers, number_count / 3, first, loops,
                          face_count, &hull) != TRV_OK)
        hull = NULL;
done:
    free(numbers);
    free(loops);
    free(first);
    return hull;
}

// The whole file with a NUL behind it, to be freed; NULL where there is none.
static inline char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    if (file == NULL)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        long size = ftell(file);
        rewind(file);
        text = size < 0 ? NULL : calloc((size_t)size + 1, 1);
        if (text != NULL && fread(text, 1, (size_t)size, file) != (size_t)size) {
            free(text);
            text = NULL;
        }
    }
    fclose(file);
    return text;
}

static inline bool hull_pool_put(hull_pool *pool, size_t id, trv_hull *hull)
{
    if (hull == NULL || id > 100000)
        return false;
    if (id >= pool->count) {
        trv_hull **grown = realloc(pool->hulls, (id + 1) * sizeof(trv_hull *));
        if (grown == NULL)
            return false;
        memset(grown + pool->count, 0, (id + 1 - pool->count) * sizeof(trv_hull *));
        pool->hulls = grown;
        pool->count = id + 1;
    }
    pool->hulls[id] = hull;
    return true;
}

// Reads directory/name.csv with the columns id,class,strict,nv,nf,nt,size,verts,faces. Ids may have
// gaps (NULL hulls). False where the file is absent or malformed.
static inline bool hull_pool_read(hull_pool *pool, const char *directory, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.csv", directory, name);
    char *text = read_text(path);
    bool good = text != NULL;
    pool->hulls = NULL;
    pool->count = 0;
    for (char *line = text; good && line != NULL && *line != '\0';) {
        char *next = strchr(line, '\n'), *field[9] = {line};
        if (next != NULL)
            *next++ = '\0';
        if (*line >= '0' && *line <= '9') {
            for (int i = 1; i < 9 && field[i - 1] != NULL; i++) {
                field[i] = strchr(field[i - 1], ',');
                if (field[i] != NULL)
                    *field[i]++ = '\0';
            }
            good = field[8] != NULL && hull_pool_put(pool, (size_t)strtoul(line, NULL, 10),
                                                     hull_from_text(field[7], field[8]));
        }
        line = next;
    }
    free(text);
    return good && pool->count > 0;
}

// A prism with `sides` sides about the y axis. Float32 places the corners of its ends exactly in
// two planes, and those of its sides in planes too.
static inline trv_hull *make_prism(uint32_t sides, float radius, float half_height)
{
    trv_vec3 *v = malloc(2 * (size_t)sides * sizeof *v);
    uint32_t *first = malloc(((size_t)sides + 3) * sizeof *first), n = 0;
    uint32_t *loops = malloc(6 * (size_t)sides * sizeof *loops);
    for (uint32_t i = 0; i < sides; i++) {
        double angle = 6.283185307179586 * i / sides;
        float x = (float)(radius * cos(angle)), z = (float)(radius * sin(angle));
        v[i] = (trv_vec3){x, -half_height, z};
        v[sides + i] = (trv_vec3){x, half_height, z};
    }
    for (uint32_t i = 0; i < sides; i++, n += 4) {
        uint32_t next = (i + 1) % sides;
        first[i] = n;
        loops[n] = i, loops[n + 1] = sides + i, loops[n + 2] = sides + next, loops[n + 3] = next;
    }
    first[sides] = n;
    for (uint32_t i = 0; i < sides; i++)
        loops[n++] = i;
    first[sides + 1] = n;
    for (uint32_t i = sides; i-- > 0;)
        loops[n++] = sides + i;
    first[sides + 2] = n;
    trv_hull *hull = NULL;
    trv_allocator none = {NULL, NULL}, allocator = trvi_allocator_or_default(none);
    if (trvi_convex_build(&allocator, v, 2 * sides, first, loops, sides + 2, &hull) != TRV_OK)
        hull = NULL;
    free(v);
    free(first);
    free(loops);
    return hull;
}

// A wheel about the z axis, that stands on one of its sides: with its mass, as trv_hull_create has it.
static inline trv_hull *make_wheel(uint32_t sides, float radius, float half_width)
{
    trv_vec3 *v = malloc(2 * (size_t)sides * sizeof *v);
    for (uint32_t i = 0; i < 2 * sides; i++) {
        float angle = 6.2831853f * ((float)(i / 2) + 0.5f) / (float)sides;
        v[i] = (trv_vec3){radius * trvi_sin(angle), -radius * trvi_cos(angle),
                          i % 2 ? half_width : -half_width};
    }
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull = NULL;
    if (trv_hull_create(v, 2 * sides, &def, &hull) != TRV_OK)
        hull = NULL;
    free(v);
    return hull;
}

// A globe of rings and meridians, its quads flat only up to the rounding of float32: convex, but
// not quite. 2 + (rings - 1) * meridians vertices.
static inline trv_hull *make_globe(uint32_t rings, uint32_t meridians, trv_vec3 half)
{
    uint32_t count = 2 + (rings - 1) * meridians, n = 0, f = 0;
    trv_vec3 *v = malloc(count * sizeof *v);
    uint32_t *first = malloc(((size_t)rings * meridians + 1) * sizeof *first);
    uint32_t *loops = malloc(4 * (size_t)rings * meridians * sizeof *loops);
    v[count - 2] = (trv_vec3){0.0f, half.y, 0.0f};
    v[count - 1] = (trv_vec3){0.0f, -half.y, 0.0f};
    for (uint32_t r = 1; r < rings; r++) {
        for (uint32_t m = 0; m < meridians; m++) {
            double polar = 3.141592653589793 * r / rings, round = 6.283185307179586 * m / meridians;
            double radius = sin(polar);
            v[(r - 1) * meridians + m] =
                (trv_vec3){(float)(half.x * radius * cos(round)), (float)(half.y * cos(polar)),
                           (float)(half.z * radius * sin(round))};
        }
    }
    for (uint32_t r = 0; r < rings; r++) {
        for (uint32_t m = 0; m < meridians; m++) {
            uint32_t next = (m + 1) % meridians, up = (r - 1) * meridians, down = r * meridians;
            first[f++] = n;
            if (r == 0)
                loops[n++] = count - 2;
            else
                loops[n++] = up + next, loops[n++] = up + m;
            if (r + 1 == rings) {
                loops[n - 2] = up + next, loops[n - 1] = up + m;
                loops[n++] = count - 1;
            } else if (r == 0) {
                loops[n++] = down + next, loops[n++] = down + m;
            } else {
                loops[n++] = down + m, loops[n++] = down + next;
            }
        }
    }
    first[f] = n;
    // Rings wind with the meridians, which turn clockwise seen from +y: every loop is turned round.
    for (uint32_t face = 0; face < f; face++) {
        trvi_dvec3 a = trvi_dvec3_from(v[loops[first[face]]]);
        trvi_dvec3 b = trvi_dvec3_from(v[loops[first[face] + 1]]);
        trvi_dvec3 c = trvi_dvec3_from(v[loops[first[face] + 2]]);
        if (trvi_ddot(trvi_dcross(trvi_dsub(b, a), trvi_dsub(c, a)), a) < 0.0) {
            for (uint32_t i = first[face], j = first[face + 1] - 1; i < j; i++, j--) {
                uint32_t swap = loops[i];
                loops[i] = loops[j];
                loops[j] = swap;
            }
        }
    }
    trv_hull *hull = NULL;
    trv_allocator none = {NULL, NULL}, allocator = trvi_allocator_or_default(none);
    if (trvi_convex_build(&allocator, v, count, first, loops, f, &hull) != TRV_OK)
        hull = NULL;
    free(v);
    free(first);
    free(loops);
    return hull;
}

// A ramp as long and as wide as 2 s, and s high, its foot about the origin.
static inline trv_hull *make_wedge(float s)
{
    const trv_vec3 points[] = {{-s, 0, -s}, {s, 0, -s}, {-s, s, -s},
                               {-s, 0, s},  {s, 0, s},  {-s, s, s}};
    trv_hull_def def = trv_default_hull_def();
    trv_hull *wedge = NULL;
    return trv_hull_create(points, 6, &def, &wedge) == TRV_OK ? wedge : NULL;
}

#endif
