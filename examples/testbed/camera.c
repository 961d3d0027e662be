// The camera: round a target by dragging, and flying with it by keys.
#include "app.h"

static trv_vec3 backward(const camera *c)
{
    return trv_make_vec3(cosf(c->pitch) * sinf(c->yaw), sinf(c->pitch),
                         cosf(c->pitch) * cosf(c->yaw));
}

void camera_set(camera *c, trv_vec3 place, trv_vec3 target)
{
    trv_vec3 back = sub(place, target);
    c->target = target;
    c->distance = length(back);
    c->yaw = atan2f(back.x, back.z);
    c->pitch = asinf(back.y / c->distance);
}

trv_vec3 camera_eye(const camera *c)
{
    return add(c->target, scaled(backward(c), c->distance));
}

void camera_drag(camera *c, float dx, float dy, bool pan)
{
    trv_vec3 back = backward(c), right = unit(cross(trv_make_vec3(0, 1, 0), back));
    if (pan) {
        float scale = 0.0011f * c->distance;
        trv_vec3 up = cross(back, right);
        c->target = add(c->target, add(scaled(right, -dx * scale), scaled(up, dy * scale)));
        return;
    }
    c->yaw -= 0.006f * dx;
    c->pitch = fmaxf(-1.5f, fminf(1.5f, c->pitch + 0.006f * dy));
}

void camera_zoom(camera *c, float steps)
{
    c->distance = fmaxf(0.5f, fminf(200.0f, c->distance * expf(-0.12f * steps)));
}

void camera_fly(camera *c, const bool keys[6], float seconds)
{
    trv_vec3 back = backward(c), right = unit(cross(trv_make_vec3(0, 1, 0), back));
    float way = seconds * fmaxf(2.0f, 0.8f * c->distance);
    float ahead = (float)keys[0] - (float)keys[2], aside = (float)keys[3] - (float)keys[1];
    float up = (float)keys[5] - (float)keys[4];
    c->target = add(c->target, add(scaled(back, -ahead * way), scaled(right, aside * way)));
    c->target.y += up * way;
}

trv_ray camera_ray(const eye *e, float x, float y)
{
    trv_vec3 back = unit(sub(e->place, e->target));
    trv_vec3 right = unit(cross(trv_make_vec3(0, 1, 0), back)), up = cross(back, right);
    float half = tanf(0.5f * LENS), aspect = (float)e->width / (float)e->height;
    float u = (2.0f * x / (float)e->width - 1.0f) * half * aspect;
    float v = (1.0f - 2.0f * y / (float)e->height) * half;
    trv_vec3 way = sub(add(scaled(right, u), scaled(up, v)), back);
    trv_ray ray = {e->place, scaled(unit(way), 300.0f)};
    return ray;
}

bool camera_project(const eye *e, trv_vec3 p, float *x, float *y)
{
    const float *m = e->view.m;
    float w = m[3] * p.x + m[7] * p.y + m[11] * p.z + m[15];
    if (w < 0.05f)
        return false;
    *x = 0.5f * (float)e->width * (1.0f + (m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12]) / w);
    *y = 0.5f * (float)e->height * (1.0f - (m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13]) / w);
    return true;
}
