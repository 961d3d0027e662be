// A hull in the file form: its vertices, its faces as loops, their normals, which of them were united,
// and what the mesh layer measured of it. The rest, twins, neighbours, offsets and tables, follows from these by the same
// functions that made it first.
#include "stream.h"

#include <string.h>

// What a file says of a hull, in one block of scratch.
typedef struct hull_text {
    uint32_t vertex_count, face_count, half_edge_count;
    trv_vec3 *vertices;
    trv_vec3 *normals;
    uint32_t *face_first;
    uint32_t *loops;
    void *block;
    size_t block_size;
} hull_text;

static void pass_measures(trvi_stream *stream, trv_hull *hull)
{
    uint8_t united = hull->united;
    trvi_stream_numbers(stream, &united, 1, 1);
    if (united != 0)
        trvi_stream_numbers(stream, hull->face_united, 1, hull->face_count);
    trvi_stream_numbers(stream, &hull->solid.volume, 8, 1);
    trvi_stream_numbers(stream, &hull->solid.centroid, 8, 3);
    trvi_stream_numbers(stream, hull->solid.inertia, 8, 6);
    trvi_stream_numbers(stream, &hull->volume_ratio, 8, 1);
    trvi_stream_numbers(stream, &hull->moved, 8, 1);
    trvi_stream_u32(stream, &hull->full_vertex_count);
    if (stream->direction == TRVI_READ)
        hull->united = united != 0;
    for (uint32_t f = 0; stream->direction == TRVI_READ && f < hull->face_count; f++)
        hull->face_united[f] &= TRVI_FACE_UNITED;
}

static void put_hull(trvi_stream *stream, const trv_hull *hull)
{
    uint32_t counts[3] = {hull->vertex_count, hull->face_count, hull->half_edge_count};
    trvi_stream_numbers(stream, counts, 4, 3);
    trvi_stream_numbers(stream, hull->vertices, 4, 3 * (size_t)counts[0]);
    trvi_stream_numbers(stream, hull->face_first, 4, (size_t)counts[1] + 1);
    trvi_stream_numbers(stream, hull->edge_origin, 4, counts[2]);
    for (uint32_t f = 0; f < counts[1]; f++)
        trvi_stream_numbers(stream, &hull->planes[f].normal, 4, 3);
    pass_measures(stream, (trv_hull *)hull);
}

// The counts are held against what is left to read before anything is allocated by them.
static bool make_room(trvi_stream *stream, const trv_allocator *allocator, hull_text *text)
{
    uint32_t counts[3];
    trvi_stream_numbers(stream, counts, 4, 3);
    uint64_t words = 3 * (uint64_t)counts[0] + 4 * (uint64_t)counts[1] + 1 + counts[2];
    if (stream->result != TRV_OK || words > trvi_stream_left(stream) / 4) {
        trvi_stream_fail(stream, TRV_ERROR_RANGE);
        return false;
    }
    text->vertex_count = counts[0];
    text->face_count = counts[1];
    text->half_edge_count = counts[2];
    text->block_size = (size_t)words * 4;
    text->block = trvi_allocate(allocator, text->block_size);
    if (text->block == NULL) {
        trvi_stream_fail(stream, TRV_ERROR_MEMORY);
        return false;
    }
    text->vertices = text->block;
    text->normals = text->vertices + counts[0];
    text->face_first = (uint32_t *)(void *)(text->normals + counts[1]);
    text->loops = text->face_first + counts[1] + 1;
    return true;
}

static bool is_sound(const hull_text *text)
{
    if (text->face_first[text->face_count] != text->half_edge_count)
        return false;
    for (uint32_t v = 0; v < text->vertex_count; v++)
        if (trvi_check_vec3(text->vertices[v]) != TRV_OK)
            return false;
    for (uint32_t f = 0; f < text->face_count; f++) {
        float square = trvi_dot(text->normals[f], text->normals[f]);
        if (!(square > 0.99f && square < 1.01f))
            return false;
    }
    return true;
}

static bool are_sound_measures(const trv_hull *hull)
{
    const double largest = 1.0e300;
    bool sound = hull->solid.volume > 0.0 && hull->solid.volume < largest;
    const double numbers[] = {hull->solid.centroid.x, hull->solid.centroid.y,
                              hull->solid.centroid.z, hull->volume_ratio, hull->moved};
    for (int i = 0; i < 5; i++)
        sound = sound && fabs(numbers[i]) < largest;
    for (int i = 0; i < 6; i++)
        sound = sound && fabs(hull->solid.inertia[i]) < largest;
    return sound;
}

static trv_hull *build(trvi_stream *stream, const trv_allocator *allocator, const hull_text *text)
{
    trv_hull *hull;
    trv_result result =
        trvi_convex_build_bare(allocator, text->vertices, text->vertex_count, text->face_first,
                               text->loops, text->face_count, text->normals, &hull);
    if (result != TRV_OK) {
        trvi_stream_fail(stream, result == TRV_ERROR_MEMORY ? result : TRV_ERROR_RANGE);
        return NULL;
    }
    pass_measures(stream, hull);
    if (!are_sound_measures(hull))
        trvi_stream_fail(stream, TRV_ERROR_RANGE);
    trvi_convex_finish(hull);
    trvi_plane_tree_build(hull);
    return hull;
}

static trv_hull *get_hull(trvi_stream *stream, const trv_allocator *allocator)
{
    hull_text text;
    trv_hull *hull = NULL;
    if (!make_room(stream, allocator, &text))
        return NULL;
    trvi_stream_numbers(stream, text.vertices, 4, 3 * (size_t)text.vertex_count);
    trvi_stream_numbers(stream, text.face_first, 4, (size_t)text.face_count + 1);
    trvi_stream_numbers(stream, text.loops, 4, text.half_edge_count);
    trvi_stream_numbers(stream, text.normals, 4, 3 * (size_t)text.face_count);
    if (stream->result == TRV_OK && !is_sound(&text))
        trvi_stream_fail(stream, TRV_ERROR_RANGE);
    if (stream->result == TRV_OK)
        hull = build(stream, allocator, &text);
    trvi_free(allocator, text.block, text.block_size);
    return hull;
}

void trvi_stream_hull(trvi_stream *stream, const trv_allocator *allocator, const trv_hull **hull)
{
    if (stream->direction == TRVI_READ)
        *hull = get_hull(stream, allocator);
    else
        put_hull(stream, *hull);
}
