// Faces of OBJ text: references v, v/t, v//n or v/t/n, from 1, or from -1 counting back.
//
// A face may name vertices that follow it, so an index beyond the vertices read so far is only
// remembered; the caller reads the text again with the totals known when one may be wrong.
// Invariant: once the totals are known, every corner kept is below the number of vertices.
// Based on: Wavefront Technologies 1992, "Advanced Visualizer Manual", Appendix B1.
#include "obj_reader.h"
#include "obj_text.h"

// Far beyond any index; larger ones are cut to this.
#define HUGE_INDEX INT64_C(1000000000000)

// [+-] digits at *cursor. False, and *cursor stays, where there are none.
static bool read_integer(const char **cursor, const char *end, int64_t *value)
{
    const char *p = *cursor;
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+'))
        ++p;
    const char *digits = p;
    int64_t number = 0;
    for (; p < end && (unsigned char)(*p - '0') < 10; ++p)
        if (number < HUGE_INDEX)
            number = number * 10 + (*p - '0');
    if (p == digits)
        return false;
    *value = negative ? -number : number;
    *cursor = p;
    return true;
}

// The index from 1 that a written index stands for; 0 where it cannot name anything.
static uint64_t resolve(trvi_obj_reader *reader, int kind, int64_t written)
{
    uint32_t count = reader->counts[kind];
    if (written < 0)
        return -written <= (int64_t)count ? (uint64_t)((int64_t)count + 1 + written) : 0;
    if ((uint64_t)written > count) {
        if ((uint64_t)written > reader->totals[kind])
            return 0;
        reader->ahead[kind]++;
        if ((uint64_t)written > reader->furthest[kind])
            reader->furthest[kind] = (uint64_t)written;
    }
    return (uint64_t)written;
}

static trv_result fail_index(trvi_obj_reader *reader, const char *token, int64_t written)
{
    uint32_t count = reader->counts[TRVI_OBJ_POSITION];
    if (written == 0)
        return trvi_obj_fail(reader, token, TRV_ERROR_INDEX,
                             "face refers to vertex 0; indices start at 1");
    if (written < 0)
        return trvi_obj_fail(reader, token, TRV_ERROR_INDEX,
                             "face refers to vertex %lld, but only %lu precede it",
                             (long long)written, (unsigned long)count);
    return trvi_obj_fail(reader, token, TRV_ERROR_INDEX, "face refers to vertex %lld of %llu",
                         (long long)written, (unsigned long long)reader->totals[TRVI_OBJ_POSITION]);
}

// One reference; *corner is its position's index from 0, *normal its normal's or TRV_NO_NORMAL.
static trv_result read_reference(trvi_obj_reader *reader, const char **cursor, uint32_t *corner,
                                 uint32_t *normal)
{
    const char *token = *cursor, *p = token, *end = reader->end;
    int64_t written;
    if (!read_integer(&p, end, &written))
        return trvi_obj_fail(reader, token, TRV_ERROR_SYNTAX, "\"%s\" is not a face reference",
                             trvi_obj_quoted(reader, token).text);
    uint64_t index = resolve(reader, TRVI_OBJ_POSITION, written);
    if (index == 0)
        return fail_index(reader, token, written);
    // An index that is too far ahead fails when the totals are known; until then it is cut.
    *corner = (uint32_t)((index < UINT32_MAX ? index : UINT32_MAX) - 1);

    for (int kind = TRVI_OBJ_TEXTURE; kind < TRVI_OBJ_KINDS && p < end && *p == '/'; ++kind) {
        ++p;
        if (!read_integer(&p, end, &written))
            continue;
        index = resolve(reader, kind, written);
        reader->report->ignored_indices += index == 0;
        if (kind == TRVI_OBJ_NORMAL && index > 0 && index < UINT32_MAX)
            *normal = (uint32_t)(index - 1);
    }
    if (!trvi_obj_at_token_end(p, end))
        return trvi_obj_fail(reader, token, TRV_ERROR_SYNTAX,
                             "\"%s\" is not a face reference (v, v/t, v//n or v/t/n)",
                             trvi_obj_quoted(reader, token).text);
    *cursor = p;
    return TRV_OK;
}

// Copies a name, each run of blanks and joined lines as one space.
static bool append_name(trvi_obj_reader *reader, uint32_t *offset)
{
    trvi_array *names = &reader->names;
    const char *p = reader->name_first, *last = reader->name_last;
    *offset = names->count;
    uint32_t room = (uint32_t)(last - p) + 1;
    if (!trvi_array_reserve(reader->allocator, names, names->count + room))
        return false;
    char *out = names->items;
    while (p < last) {
        const char *token = trvi_obj_skip_blanks(p, last);
        if (token == p) {
            out[names->count++] = *p++;
        } else {
            out[names->count++] = ' ';
            p = token;
        }
    }
    out[names->count++] = 0;
    return true;
}

bool trvi_obj_begin_part(trvi_obj_reader *reader)
{
    trvi_array *parts = &reader->parts;
    trvi_obj_part part = {reader->face_first.count, 0};
    if (!append_name(reader, &part.name) ||
        !trvi_array_reserve(reader->allocator, parts, parts->count + 1))
        return false;
    ((trvi_obj_part *)parts->items)[parts->count++] = part;
    reader->name_used = true;
    return true;
}

static bool append_face(trvi_obj_reader *reader, uint32_t first)
{
    trvi_array *faces = &reader->face_first;
    if (!reader->name_used && !trvi_obj_begin_part(reader))
        return false;
    if (faces->count == faces->capacity &&
        !trvi_array_reserve(reader->allocator, faces, faces->count + 1))
        return false;
    ((uint32_t *)faces->items)[faces->count++] = first;
    return true;
}

// Room for one corner more. False when memory ran out.
static bool reserve_corner(trvi_obj_reader *reader)
{
    trvi_array *corners = &reader->corners, *normals = &reader->of_corners;
    uint32_t count = corners->count + 1;
    if (count > corners->capacity && !trvi_array_reserve(reader->allocator, corners, count))
        return false;
    return !reader->def->keep_normals || count <= normals->capacity ||
           trvi_array_reserve(reader->allocator, normals, corners->capacity);
}

trv_result trvi_obj_read_face(trvi_obj_reader *reader, const char **cursor)
{
    trvi_array *corners = &reader->corners;
    const char *p = *cursor, *end = reader->end;
    uint32_t first = corners->count;
    for (;;) { // each round moves p
        p = trvi_obj_skip_blanks(p, end);
        if (trvi_obj_at_end(p, end))
            break;
        if (corners->count >= reader->def->max_corners)
            return trvi_obj_fail(reader, p, TRV_ERROR_LIMIT, "more than %lu face corners",
                                 (unsigned long)reader->def->max_corners);
        if (!reserve_corner(reader))
            return trvi_obj_fail(reader, p, TRV_ERROR_MEMORY, "out of memory");
        uint32_t corner = 0, normal = TRV_NO_NORMAL;
        trv_result result = read_reference(reader, &p, &corner, &normal);
        if (result != TRV_OK)
            return result;
        if (reader->def->keep_normals)
            ((uint32_t *)reader->of_corners.items)[corners->count] = normal;
        ((uint32_t *)corners->items)[corners->count++] = corner;
    }
    *cursor = p;
    if (corners->count - first < 3) {
        corners->count = first;
        reader->report->skipped_faces++;
        return TRV_OK;
    }
    if (!append_face(reader, first))
        return trvi_obj_fail(reader, p, TRV_ERROR_MEMORY, "out of memory");
    return TRV_OK;
}
