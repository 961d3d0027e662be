// Bytes of the file form, in either direction by the same calls, so that what is written is read.
//
// Numbers are little-endian, without gaps. Nothing is read or written beyond the end: the stream
// then turns bad, reads give zeros, and stays so.
#ifndef TRVI_STREAM_H
#define TRVI_STREAM_H

#include "fields.h"

typedef enum trvi_direction { TRVI_MEASURE, TRVI_WRITE, TRVI_READ } trvi_direction;

typedef struct trvi_stream {
    trvi_direction direction;
    trv_result result; // TRV_OK until something is wrong
    uint8_t *bytes;    // only read when reading
    size_t at, size;
} trvi_stream;

static inline size_t trvi_stream_left(const trvi_stream *stream)
{
    return stream->size - stream->at;
}

static inline void trvi_stream_fail(trvi_stream *stream, trv_result result)
{
    if (stream->result == TRV_OK)
        stream->result = result;
}

// `count` numbers of `width` bytes each.
void trvi_stream_numbers(trvi_stream *stream, void *items, uint32_t width, size_t count);
void trvi_stream_record(trvi_stream *stream, const trvi_record *record, void *item,
                        uint32_t element);
// Bytes as they are.
void trvi_stream_bytes(trvi_stream *stream, void *bytes, size_t size);

static inline void trvi_stream_u32(trvi_stream *stream, uint32_t *value)
{
    trvi_stream_numbers(stream, value, sizeof *value, 1);
}

// file_hull.c: writes the hull, or makes the one that was written. All that it does not hold
// follows from what it holds; so it is the same to the bit.
void trvi_stream_hull(trvi_stream *stream, const trv_allocator *allocator, const trv_hull **hull);

#endif
