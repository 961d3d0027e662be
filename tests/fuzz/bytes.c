// Numbers from bytes: snapped, fine, tiny, huge, raw, and such that no caller should send.
#include "bytes.h"

#include <math.h>
#include <string.h>

uint8_t take_byte(fuzz_bytes *r)
{
    return r->at < r->end ? *r->at++ : 0;
}

uint32_t take_word(fuzz_bytes *r)
{
    uint32_t word = take_byte(r);
    word |= (uint32_t)take_byte(r) << 8;
    word |= (uint32_t)take_byte(r) << 16;
    return word | (uint32_t)take_byte(r) << 24;
}

float take_bits(fuzz_bytes *r)
{
    uint32_t word = take_word(r);
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

float take_special(fuzz_bytes *r)
{
    static const float values[16] = {0.0f,     -0.0f,    1.0f,    -1.0f,        INFINITY, -INFINITY,
                                     NAN,      1.0e8f,   -1.0e8f, 1.0e-4f,      1.0e-3f,  1.0e6f,
                                     1.1e-38f, 1.0e-45f, 3.4e38f, 1.00000008e8f};
    return values[take_byte(r) & 15];
}

fuzz_style take_style(fuzz_bytes *r)
{
    uint8_t choice = take_byte(r);
    if (choice < 90)
        return SNAPPED;
    if (choice < 140)
        return EIGHTHS;
    if (choice < 252)
        return FINE;
    return choice < 254 ? RAW : SPECIAL;
}

float take_number(fuzz_bytes *r, fuzz_style how)
{
    switch (how) {
    case SNAPPED:
        return (float)((int)(take_byte(r) & 7) - 3);
    case EIGHTHS:
        return (float)((int)take_byte(r) - 128) * 0.0625f;
    case FINE: {
        int high = take_byte(r), low = take_byte(r);
        return (float)(high * 256 + low - 32768) * (1.0f / 4096.0f);
    }
    case RAW:
        return take_bits(r);
    default:
        return take_special(r);
    }
}

float take_size(fuzz_bytes *r)
{
    static const float sizes[16] = {1.0f,    1.0f,    1.0f, 0.5f,   0.125f, 2.0f,   10.0f,  0.1f,
                                    1.0e-3f, 1.0e-4f, 1e2f, 1.0e3f, 1.0e5f, 1.0e6f, 0.001f, 0.3f};
    return sizes[take_byte(r) & 15];
}

trv_vec3 take_vec3(fuzz_bytes *r, fuzz_style how, float size)
{
    trv_vec3 v;
    v.x = take_number(r, how) * size;
    v.y = take_number(r, how) * size;
    v.z = take_number(r, how) * size;
    return v;
}

float take_length(fuzz_bytes *r, fuzz_style how, float size)
{
    float length = take_number(r, how);
    if (how == RAW || how == SPECIAL)
        return length * size;
    length = fabsf(length);
    return (length > 0.0f ? length : 1.0f) * size;
}

trv_quat take_quat(fuzz_bytes *r)
{
    static const trv_quat turns[8] = {{0, 0, 0, 1},
                                      {0, 0, 0, -1},
                                      {1, 0, 0, 0},
                                      {0, 1, 0, 0},
                                      {0.5f, 0.5f, 0.5f, 0.5f},
                                      {-0.5f, 0.5f, 0.5f, 0.5f},
                                      {0.70710677f, 0, 0, 0.70710677f},
                                      {0, 0.70710677f, 0, 0.70710677f}};
    uint8_t choice = take_byte(r);
    if (choice < 100)
        return turns[choice & 7];
    trv_quat q;
    if (choice == 255) {
        q.x = take_bits(r), q.y = take_bits(r), q.z = take_bits(r), q.w = take_bits(r);
        return q;
    }
    double x = (int)take_byte(r) - 128, y = (int)take_byte(r) - 128;
    double z = (int)take_byte(r) - 128, w = (int)take_byte(r) - 128;
    if (choice < 120) // hardly turned
        x *= 1.0e-6, y *= 1.0e-6, z *= 1.0e-6;
    double length = sqrt(x * x + y * y + z * z + w * w);
    if (!(length > 0.0))
        return turns[0];
    if (choice >= 250) // not unit, within what is accepted or just beyond
        length *= choice >= 252 ? 1.0009 : 0.998;
    q.x = (float)(x / length), q.y = (float)(y / length);
    q.z = (float)(z / length), q.w = (float)(w / length);
    return q;
}
