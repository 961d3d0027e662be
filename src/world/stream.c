// Numbers to bytes and back.
#include "stream.h"

#include <string.h>

// True where there is room for `size` bytes; measuring needs none.
static bool advance(trvi_stream *stream, size_t size)
{
    if (stream->direction == TRVI_MEASURE) {
        stream->at += size;
        return false;
    }
    if (stream->result != TRV_OK || size > trvi_stream_left(stream)) {
        trvi_stream_fail(stream, TRV_ERROR_RANGE);
        return false;
    }
    stream->at += size;
    return true;
}

static uint64_t load(const char *at, uint32_t width)
{
    uint8_t byte;
    uint16_t half;
    uint32_t word;
    uint64_t whole;
    switch (width) {
    case 1:
        memcpy(&byte, at, 1);
        return byte;
    case 2:
        memcpy(&half, at, 2);
        return half;
    case 4:
        memcpy(&word, at, 4);
        return word;
    default:
        memcpy(&whole, at, 8);
        return whole;
    }
}

static void store(char *at, uint32_t width, uint64_t value)
{
    uint8_t byte = (uint8_t)value;
    uint16_t half = (uint16_t)value;
    uint32_t word = (uint32_t)value;
    switch (width) {
    case 1:
        memcpy(at, &byte, 1);
        break;
    case 2:
        memcpy(at, &half, 2);
        break;
    case 4:
        memcpy(at, &word, 4);
        break;
    default:
        memcpy(at, &value, 8);
        break;
    }
}

void trvi_stream_numbers(trvi_stream *stream, void *items, uint32_t width, size_t count)
{
    char *at = items;
    bool reads = stream->direction == TRVI_READ;
    if (!advance(stream, width * count)) {
        if (reads && count > 0)
            memset(items, 0, width * count);
        return;
    }
    uint8_t *bytes = stream->bytes + stream->at - width * count;
    for (size_t i = 0; i < count; i++, at += width, bytes += width) {
        uint64_t value = 0;
        if (!reads)
            value = load(at, width);
        for (uint32_t b = 0; b < width; b++) {
            if (reads)
                value |= (uint64_t)bytes[b] << 8 * b;
            else
                bytes[b] = (uint8_t)(value >> 8 * b);
        }
        if (reads)
            store(at, width, value);
    }
}

void trvi_stream_record(trvi_stream *stream, const trvi_record *record, void *item,
                        uint32_t element)
{
    for (uint32_t i = 0; i < record->field_count; i++) {
        const trvi_field *field = &record->fields[i];
        char *at = (char *)item + field->offset + (size_t)field->stride * element;
        trvi_stream_numbers(stream, at, field->width, field->count);
    }
}

void trvi_stream_bytes(trvi_stream *stream, void *bytes, size_t size)
{
    if (!advance(stream, size) || size == 0)
        return;
    uint8_t *at = stream->bytes + stream->at - size;
    if (stream->direction == TRVI_READ)
        memcpy(bytes, at, size);
    else
        memcpy(at, bytes, size);
}
