// The lines of OBJ text: vertices, faces, object and group names; all other keywords are skipped.
//
// Every line is read once from left to right. A first, coarse look at how lines begin sizes the
// arrays; it is a hint only, and they grow where it falls short.
// Based on: Wavefront Technologies 1992, "Advanced Visualizer Manual", Appendix B1.
#include <string.h>

#include "math/math.h"
#include "obj_number.h"
#include "obj_reader.h"
#include "obj_text.h"

// The end of the physical line that p is in.
static const char *find_line_end(const trvi_obj_reader *reader, const char *p)
{
    if (!reader->has_carriage_returns) {
        const char *found = memchr(p, '\n', (size_t)(reader->end - p));
        return found ? found : reader->end;
    }
    while (p < reader->end && !trvi_obj_is_line_end(*p))
        ++p;
    return p;
}

// What a line consists of: names, and words that are not known, may hold a '#'; of numbers it is the end.
typedef enum line_kind { LINE_OF_WORDS, LINE_OF_NUMBERS } line_kind;

static bool has_comment(const char *first, const char *last, line_kind kind)
{
    for (const char *p = first; p < last; ++p)
        if (*p == '#' && (kind == LINE_OF_NUMBERS || p == first || trvi_obj_is_blank(p[-1])))
            return true;
    return false;
}

// The end of a line that may be joined with the next ones; a comment's backslash joins nothing.
static const char *find_joined_end(const trvi_obj_reader *reader, const char *p, line_kind kind)
{
    for (;;) { // each round passes a physical line
        const char *last = find_line_end(reader, p);
        if (last == reader->end || last == p || last[-1] != '\\' || has_comment(p, last, kind))
            return last;
        p = trvi_obj_skip_line_end(last, reader->end);
    }
}

static trv_result fail_number(trvi_obj_reader *reader, const char *token, trv_result result)
{
    trvi_obj_quote quote = trvi_obj_quoted(reader, token);
    if (result == TRV_ERROR_RANGE)
        return trvi_obj_fail(reader, token, result, "coordinate \"%s\" is beyond %ld m", quote.text,
                             (long)TRV_COORD_MAX);
    if (result == TRV_ERROR_NUMBER)
        return trvi_obj_fail(reader, token, result, "coordinate \"%s\" is not finite", quote.text);
    return trvi_obj_fail(reader, token, result, "\"%s\" is not a number", quote.text);
}

// Three coordinates; what follows them (weight, colour) is not looked at.
static trv_result read_vertex(trvi_obj_reader *reader, const char **cursor)
{
    const char *p = *cursor, *end = reader->end;
    float values[3];
    for (int axis = 0; axis < 3; ++axis) {
        p = trvi_obj_skip_blanks(p, end);
        if (trvi_obj_at_end(p, end))
            return trvi_obj_fail(reader, p, TRV_ERROR_SYNTAX, "vertex has %d of 3 coordinates",
                                 axis);
        const char *token = p;
        trv_result result = trvi_obj_number(&p, end, &values[axis]);
        if (result == TRV_OK && !trvi_obj_at_token_end(p, end))
            result = TRV_ERROR_SYNTAX;
        if (result == TRV_OK)
            result = trvi_check_coordinate(values[axis]);
        if (result != TRV_OK)
            return fail_number(reader, token, result);
    }
    *cursor = find_joined_end(reader, p, LINE_OF_NUMBERS);

    trvi_array *vertices = &reader->vertices;
    if (vertices->count >= reader->def->max_vertices)
        return trvi_obj_fail(reader, p, TRV_ERROR_LIMIT, "more than %lu vertices",
                             (unsigned long)reader->def->max_vertices);
    if (vertices->count == vertices->capacity &&
        !trvi_array_reserve(reader->allocator, vertices, vertices->count + 1))
        return trvi_obj_fail(reader, p, TRV_ERROR_MEMORY, "out of memory");
    ((trv_vec3 *)vertices->items)[vertices->count++] = trvi_vec3(values[0], values[1], values[2]);
    reader->counts[TRVI_OBJ_POSITION]++;
    return TRV_OK;
}

// Three numbers, which are zeros where they are no direction: geometry does not hang on it.
static trv_result read_normal(trvi_obj_reader *reader, const char **cursor)
{
    const char *p = *cursor, *end = reader->end;
    float values[3] = {0.0f, 0.0f, 0.0f};
    bool valid = true;
    for (int axis = 0; axis < 3 && valid; ++axis) {
        p = trvi_obj_skip_blanks(p, end);
        valid = trvi_obj_number(&p, end, &values[axis]) == TRV_OK && trvi_obj_at_token_end(p, end);
    }
    *cursor = find_joined_end(reader, p, LINE_OF_NUMBERS);
    reader->report->ignored_lines += !valid;

    trvi_array *normals = &reader->normals;
    if (normals->count >= reader->def->max_vertices)
        return trvi_obj_fail(reader, p, TRV_ERROR_LIMIT, "more than %lu normals",
                             (unsigned long)reader->def->max_vertices);
    if (normals->count == normals->capacity &&
        !trvi_array_reserve(reader->allocator, normals, normals->count + 1))
        return trvi_obj_fail(reader, p, TRV_ERROR_MEMORY, "out of memory");
    ((trv_vec3 *)normals->items)[normals->count++] =
        valid ? trvi_vec3(values[0], values[1], values[2]) : trvi_vec3(0.0f, 0.0f, 0.0f);
    return TRV_OK;
}

// An object or a group: the rest of the line, without a comment, is its name.
static const char *read_name(trvi_obj_reader *reader, const char *p)
{
    p = trvi_obj_skip_blanks(p, reader->end);
    const char *end = find_joined_end(reader, p, LINE_OF_WORDS), *last = p;
    for (const char *q = p; q < end; ++q) { // up to a comment, less trailing blanks
        if (*q == '#' && (q == p || trvi_obj_is_blank(q[-1]) || trvi_obj_is_line_end(q[-1])))
            break;
        if (!trvi_obj_is_blank(*q) && !trvi_obj_is_line_end(*q) && *q != '\\')
            last = q + 1;
    }
    reader->name_first = p;
    reader->name_last = last;
    reader->name_used = false;
    return end;
}

// A line from its first character that is not blank; *cursor moves to the line's end.
static trv_result read_line(trvi_obj_reader *reader, const char **cursor)
{
    const char *p = *cursor, *end = reader->end;
    if (trvi_obj_at_end(p, end)) {
        *cursor = find_line_end(reader, p);
        return TRV_OK;
    }
    const char *after = p + 1;
    bool single = trvi_obj_at_token_end(after, end);
    if (*p == 'v' && single) {
        *cursor = after;
        return read_vertex(reader, cursor);
    }
    if (*p == 'f' && single) {
        *cursor = after;
        return trvi_obj_read_face(reader, cursor);
    }
    if ((*p == 'o' || *p == 'g') && single) {
        *cursor = read_name(reader, after);
        return TRV_OK;
    }
    bool numbers = *p == 'v' && after < end && trvi_obj_at_token_end(after + 1, end);
    if (numbers) { // vt, vn, vp
        reader->counts[TRVI_OBJ_TEXTURE] += *after == 't';
        reader->counts[TRVI_OBJ_NORMAL] += *after == 'n';
        if (*after == 'n' && reader->def->keep_normals) {
            *cursor = after + 1;
            return read_normal(reader, cursor);
        }
    }
    reader->report->ignored_lines++;
    *cursor = find_joined_end(reader, p, numbers ? LINE_OF_NUMBERS : LINE_OF_WORDS);
    return TRV_OK;
}

// Room for about as many elements as the text will need; counts tokens of face lines too high
// rather than too low. False when memory ran out.
static bool reserve_arrays(trvi_obj_reader *reader)
{
    uint32_t vertices = 0, faces = 0, corners = 0;
    const char *end = reader->end;
    for (const char *p = reader->text; p < end; ++p) {
        const char *last = find_line_end(reader, p);
        bool single = last - p > 2 && trvi_obj_is_blank(p[1]);
        if (single && *p == 'v') {
            ++vertices;
        } else if (single && *p == 'f') {
            ++faces;
            for (const char *q = p + 1; q + 1 < last; ++q)
                corners += trvi_obj_is_blank(*q) && !trvi_obj_is_blank(q[1]);
        }
        p = last;
    }
    const trv_obj_def *def = reader->def;
    vertices = vertices < def->max_vertices ? vertices : def->max_vertices;
    corners = corners < def->max_corners ? corners : def->max_corners;
    return trvi_array_reserve(reader->allocator, &reader->vertices, vertices) &&
           trvi_array_reserve(reader->allocator, &reader->face_first, faces + 1) &&
           trvi_array_reserve(reader->allocator, &reader->corners, corners);
}

trv_result trvi_obj_read_lines(trvi_obj_reader *reader)
{
    if (reader->vertices.capacity == 0 && !reserve_arrays(reader))
        return trvi_obj_fail(reader, NULL, TRV_ERROR_MEMORY, "out of memory");
    const char *p = reader->text, *end = reader->end;
    while (p < end) { // each round passes a line
        p = trvi_obj_skip_blanks(p, end);
        trv_result result = read_line(reader, &p);
        if (result != TRV_OK)
            return result;
        p = trvi_obj_skip_line_end(p, end);
    }
    return TRV_OK;
}
