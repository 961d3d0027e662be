// Vectors and 4x4 matrices for pictures. Column-major, as OpenGL takes them.
#ifndef TESTBED_SPACE_H
#define TESTBED_SPACE_H

#include <math.h>

#include <trivet/types.h>

typedef struct matrix {
    float m[16];
} matrix;

static inline trv_vec3 add(trv_vec3 a, trv_vec3 b)
{
    return trv_make_vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline trv_vec3 sub(trv_vec3 a, trv_vec3 b)
{
    return trv_make_vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline trv_vec3 scaled(trv_vec3 a, float s)
{
    return trv_make_vec3(a.x * s, a.y * s, a.z * s);
}

static inline float dot(trv_vec3 a, trv_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline trv_vec3 cross(trv_vec3 a, trv_vec3 b)
{
    return trv_make_vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline float length(trv_vec3 a)
{
    return sqrtf(dot(a, a));
}

static inline trv_vec3 unit(trv_vec3 a)
{
    float l = length(a);
    return l > 0.0f ? scaled(a, 1.0f / l) : trv_make_vec3(0, 1, 0);
}

static inline matrix times(const matrix *a, const matrix *b)
{
    matrix r;
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 4; row++) {
            float sum = 0.0f;
            for (int k = 0; k < 4; k++)
                sum += a->m[4 * k + row] * b->m[4 * column + k];
            r.m[4 * column + row] = sum;
        }
    return r;
}

static inline matrix perspective(float height_angle, float aspect, float near, float far)
{
    float f = 1.0f / tanf(0.5f * height_angle);
    matrix r = {{f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0,
                 2.0f * far * near / (near - far), 0}};
    return r;
}

static inline matrix box_view(float half, float near, float far)
{
    matrix r = {{1.0f / half, 0, 0, 0, 0, 1.0f / half, 0, 0, 0, 0, -2.0f / (far - near), 0, 0, 0,
                 -(far + near) / (far - near), 1}};
    return r;
}

static inline matrix look_at(trv_vec3 eye, trv_vec3 target, trv_vec3 up)
{
    trv_vec3 back = unit(sub(eye, target)), right = unit(cross(up, back));
    trv_vec3 top = cross(back, right);
    matrix r = {{right.x, top.x, back.x, 0, right.y, top.y, back.y, 0, right.z, top.z, back.z, 0,
                 -dot(right, eye), -dot(top, eye), -dot(back, eye), 1}};
    return r;
}

#endif
