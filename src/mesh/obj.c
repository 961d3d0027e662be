// Reading OBJ: checks, one or two passes over the text, and the mesh made of what they found.
//
// The second pass happens only where the first met an index beyond the lines before it that may
// name nothing at all: the totals are known then, and the pass finds the place to report
// (positions) or the exact count (texture and normal indices, which geometry ignores).
// Invariant: a mesh leaves this file whole or not at all.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "math/math.h"
#include "mesh_data.h"
#include "obj_reader.h"
#include "obj_text.h"

trv_obj_def trv_default_obj_def(void)
{
    trv_obj_def def = {0};
    def.cookie = TRVI_COOKIE_OBJ;
    def.max_vertices = UINT32_C(1) << 28;
    def.max_corners = UINT32_C(1) << 28;
    def.max_bytes = UINT32_MAX;
    return def;
}

// Skips a byte order mark and refuses what is no text.
static trv_result check_encoding(trvi_obj_reader *reader)
{
    const char *text = reader->text;
    size_t size = (size_t)(reader->end - text);
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        reader->report->byte_order_mark = true;
    if (size >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0))
        return trvi_obj_fail(reader, text, TRV_ERROR_SYNTAX,
                             "the text is UTF-16; UTF-8 or ASCII is needed");
    const char *zero = size > 0 ? memchr(text, 0, size) : NULL;
    if (zero)
        return trvi_obj_fail(reader, zero, TRV_ERROR_SYNTAX,
                             "zero byte: binary data or UTF-16, not OBJ text");
    reader->has_carriage_returns = size > 0 && memchr(text, '\r', size) != NULL;
    return TRV_OK;
}

static void start_pass(trvi_obj_reader *reader)
{
    reader->vertices.count = 0;
    reader->face_first.count = 0;
    reader->corners.count = 0;
    reader->parts.count = 0;
    reader->names.count = 0;
    reader->normals.count = 0;
    for (int kind = 0; kind < TRVI_OBJ_KINDS; ++kind) {
        reader->counts[kind] = 0;
        reader->ahead[kind] = 0;
        reader->furthest[kind] = 0;
    }
    reader->name_first = reader->name_last = reader->text;
    reader->name_used = false;
    reader->report->skipped_faces = 0;
    reader->report->ignored_lines = 0;
    reader->report->ignored_indices = 0;
}

static trv_result read_passes(trvi_obj_reader *reader)
{
    for (int kind = 0; kind < TRVI_OBJ_KINDS; ++kind)
        reader->totals[kind] = UINT64_MAX;
    start_pass(reader);
    trv_result result = trvi_obj_read_lines(reader);
    if (result != TRV_OK)
        return result;
    bool again = reader->furthest[TRVI_OBJ_POSITION] > reader->counts[TRVI_OBJ_POSITION];
    uint32_t unnamed = 0;
    for (int kind = TRVI_OBJ_TEXTURE; kind < TRVI_OBJ_KINDS; ++kind) {
        if (reader->counts[kind] == 0)
            unnamed += reader->ahead[kind];
        else
            again = again || reader->furthest[kind] > reader->counts[kind];
    }
    if (!again) {
        reader->report->ignored_indices += unnamed;
        return TRV_OK;
    }
    for (int kind = 0; kind < TRVI_OBJ_KINDS; ++kind)
        reader->totals[kind] = reader->counts[kind];
    start_pass(reader);
    return trvi_obj_read_lines(reader);
}

// Cuts an array to its count and hands its block over. False when memory ran out.
static bool take_items(const trv_allocator *allocator, trvi_array *array, void **items)
{
    if (array->count == 0) {
        trvi_array_free(allocator, array);
    } else if (array->count < array->capacity) {
        size_t old_size = (size_t)array->capacity * array->stride;
        size_t new_size = (size_t)array->count * array->stride;
        void *cut = allocator->reallocate(allocator->user, array->items, old_size, new_size);
        if (cut == NULL)
            return false;
        array->items = cut;
        array->capacity = array->count;
    }
    *items = array->items;
    *array = (trvi_array){.stride = array->stride};
    return true;
}

static trv_aabb bounds_of(const trv_vec3 *points, uint32_t count)
{
    trv_aabb box = {points[0], points[0]};
    for (uint32_t i = 1; i < count; ++i) {
        box.lower = trvi_min(box.lower, points[i]);
        box.upper = trvi_max(box.upper, points[i]);
    }
    return box;
}

// Moves the normals into `mesh`, which has its faces. All that corners name are there: where one named
// another, the text was read again with the totals known. False when memory ran out.
static bool take_normals(trvi_obj_reader *reader, trv_mesh *mesh)
{
    uint32_t count = reader->normals.count, corners = mesh->face_first[mesh->face_count];
    if (count == 0 || corners == 0)
        return true;
    void *items = NULL;
    if (!take_items(reader->allocator, &reader->normals, &items))
        return false;
    mesh->normals = items;
    mesh->normal_count = count;
    reader->of_corners.count = corners;
    if (!take_items(reader->allocator, &reader->of_corners, &items))
        return false;
    mesh->of_corners = items;
    return true;
}

// Moves what was read into `mesh`, whose destruction frees it. False when memory ran out.
static bool fill_mesh(trvi_obj_reader *reader, trv_mesh *mesh)
{
    const trv_allocator *allocator = reader->allocator;
    uint32_t vertex_count = reader->vertices.count, face_count = reader->face_first.count;
    uint32_t part_count = reader->parts.count, names_size = reader->names.count;
    if (!trvi_array_reserve(allocator, &reader->face_first, face_count + 1))
        return false;
    ((uint32_t *)reader->face_first.items)[face_count] = reader->corners.count;
    reader->face_first.count++;

    void *items = NULL;
    if (!take_items(allocator, &reader->vertices, &items))
        return false;
    mesh->vertices = items;
    mesh->vertex_count = vertex_count;
    // The size of `corners` is known from face_first, so that one is handed over after it.
    void *corners = NULL;
    if (!take_items(allocator, &reader->corners, &corners))
        return false;
    if (!take_items(allocator, &reader->face_first, &items)) {
        trvi_free(allocator, corners,
                  ((uint32_t *)reader->face_first.items)[face_count] * sizeof(uint32_t));
        return false;
    }
    mesh->corners = corners;
    mesh->face_first = items;
    mesh->face_count = face_count;
    if (!take_items(allocator, &reader->names, &items))
        return false;
    mesh->names = items;
    mesh->names_size = names_size;
    if (!take_normals(reader, mesh))
        return false;

    mesh->parts = trvi_allocate(allocator, part_count * sizeof(trv_mesh_part));
    if (mesh->parts == NULL)
        return false;
    mesh->part_count = part_count;
    const trvi_obj_part *parts = reader->parts.items;
    for (uint32_t i = 0; i < part_count; ++i) {
        uint32_t last = i + 1 < part_count ? parts[i + 1].first_face : face_count;
        mesh->parts[i] = (trv_mesh_part){mesh->names + parts[i].name, parts[i].first_face,
                                         last - parts[i].first_face};
    }
    mesh->aabb = bounds_of(mesh->vertices, vertex_count);
    return true;
}

static trv_result make_mesh(trvi_obj_reader *reader, trv_mesh **out)
{
    if (reader->vertices.count == 0)
        return trvi_obj_fail(reader, NULL, TRV_ERROR_NO_GEOMETRY, "the text has no vertex");
    trv_mesh *mesh = trvi_allocate(reader->allocator, sizeof *mesh);
    if (mesh == NULL)
        return TRV_ERROR_MEMORY;
    mesh->allocator = *reader->allocator;
    if ((reader->parts.count == 0 && !trvi_obj_begin_part(reader)) || !fill_mesh(reader, mesh)) {
        trv_mesh_destroy(mesh);
        return TRV_ERROR_MEMORY;
    }
    reader->report->vertices = mesh->vertex_count;
    reader->report->faces = mesh->face_count;
    reader->report->parts = mesh->part_count;
    *out = mesh;
    return TRV_OK;
}

static trv_result read_text(trvi_obj_reader *reader, trv_mesh **mesh)
{
    trv_result result = check_encoding(reader);
    const char *whole = reader->text;
    if (result == TRV_OK) {
        reader->text += reader->report->byte_order_mark ? 3 : 0;
        result = read_passes(reader);
    }
    if (result == TRV_OK)
        result = make_mesh(reader, mesh);
    reader->text = whole; // columns count the mark's bytes
    trvi_array_free(reader->allocator, &reader->vertices);
    trvi_array_free(reader->allocator, &reader->face_first);
    trvi_array_free(reader->allocator, &reader->corners);
    trvi_array_free(reader->allocator, &reader->parts);
    trvi_array_free(reader->allocator, &reader->names);
    trvi_array_free(reader->allocator, &reader->normals);
    trvi_array_free(reader->allocator, &reader->of_corners);
    return result;
}

// What both ways of reading start with. `allocator` is where the hook to use goes.
static trv_result start_reading(trvi_obj_reader *reader, const void *source, const trv_obj_def *def,
                                trv_mesh **mesh, trv_allocator *allocator)
{
    if (mesh)
        *mesh = NULL;
    if (source == NULL || def == NULL || mesh == NULL)
        return trvi_obj_fail(reader, NULL, TRV_ERROR_NULL, "%s is NULL",
                             source == NULL ? "text or path"
                             : def == NULL  ? "def"
                                            : "mesh");
    if (def->cookie != TRVI_COOKIE_OBJ)
        return trvi_obj_fail(reader, NULL, TRV_ERROR_DEF,
                             "the def was not made by trv_default_obj_def");
    *allocator = trvi_allocator_or_default(def->allocator);
    reader->def = def;
    reader->allocator = allocator;
    reader->vertices.stride = sizeof(trv_vec3);
    reader->face_first.stride = sizeof(uint32_t);
    reader->corners.stride = sizeof(uint32_t);
    reader->parts.stride = sizeof(trvi_obj_part);
    reader->names.stride = 1;
    reader->normals.stride = sizeof(trv_vec3);
    reader->of_corners.stride = sizeof(uint32_t);
    return TRV_OK;
}

static trv_result fail_size(trvi_obj_reader *reader)
{
    return trvi_obj_fail(reader, NULL, TRV_ERROR_LIMIT, "the text is larger than %lu bytes",
                         (unsigned long)reader->def->max_bytes);
}

trv_result trv_mesh_read_obj_memory(const void *text, size_t size, const trv_obj_def *def,
                                    trv_mesh **mesh, trv_obj_report *report)
{
    trv_obj_report own_report;
    trv_allocator allocator;
    trvi_obj_reader reader = {.report = report ? report : &own_report};
    *reader.report = (trv_obj_report){0};
    trv_result result = start_reading(&reader, text, def, mesh, &allocator);
    if (result == TRV_OK && size > def->max_bytes)
        result = fail_size(&reader);
    if (result == TRV_OK) {
        reader.text = text;
        reader.end = reader.text + size;
        result = read_text(&reader, mesh);
    }
    return trvi_obj_conclude(&reader, result);
}

static const char *describe_error(int number)
{
    switch (number) {
    case ENOENT:
        return "no such file";
    case EACCES:
        return "permission denied";
    case EISDIR:
        return "it is a directory";
    case EMFILE:
    case ENFILE:
        return "too many open files";
    default:
        return "input error";
    }
}

// The size to read at once: the file's where it can be told, else a start that grows.
static size_t guess_size(FILE *file)
{
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    bool back = fseek(file, 0, SEEK_SET) == 0; // also where the end is nowhere, as a directory's
    bool told = size >= 0 && size < LONG_MAX && back;
    return told ? (size_t)size + 1 : 65536;
}

// Reads the whole file into `block`, up to the limit.
static trv_result read_block(trvi_obj_reader *reader, FILE *file, trvi_array *block)
{
    size_t limit = reader->def->max_bytes, wanted = guess_size(file);
    errno = 0;
    for (;;) { // each round reads at least one byte or ends
        if (wanted > limit)
            wanted = limit;
        if (!trvi_array_reserve(reader->allocator, block, wanted > 0 ? (uint32_t)wanted : 1))
            return TRV_ERROR_MEMORY;
        size_t room = (block->capacity < limit ? block->capacity : limit) - block->count;
        size_t count = fread((char *)block->items + block->count, 1, room, file);
        block->count += (uint32_t)count;
        if (ferror(file))
            return trvi_obj_fail(reader, NULL, TRV_ERROR_FILE, "cannot read the file: %s",
                                 describe_error(errno));
        if (count < room)
            return TRV_OK;
        if (block->count >= limit)
            return fgetc(file) == EOF ? TRV_OK : fail_size(reader);
        wanted = (size_t)block->count + block->count / 2 + 1;
    }
}

trv_result trv_mesh_read_obj_file(const char *path, const trv_obj_def *def, trv_mesh **mesh,
                                  trv_obj_report *report)
{
    trv_obj_report own_report;
    trv_allocator allocator;
    trvi_obj_reader reader = {.report = report ? report : &own_report};
    *reader.report = (trv_obj_report){0};
    trv_result result = start_reading(&reader, path, def, mesh, &allocator);
    if (result != TRV_OK)
        return trvi_obj_conclude(&reader, result);
    errno = 0;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        result = trvi_obj_fail(&reader, NULL, TRV_ERROR_FILE, "cannot open the file: %s",
                               describe_error(errno));
        return trvi_obj_conclude(&reader, result);
    }
    trvi_array block = {.stride = 1};
    result = read_block(&reader, file, &block);
    fclose(file);
    if (result == TRV_OK) {
        reader.text = block.items ? block.items : "";
        reader.end = reader.text + block.count;
        result = read_text(&reader, mesh);
    }
    result = trvi_obj_conclude(&reader, result);
    trvi_array_free(&allocator, &block);
    return result;
}
