// Questions to a broadphase, answered by looking at all boxes of the model.
#include "broad_fuzz.h"

enum { ROOM = 8 };

// What a question told: how often each index.
typedef struct told {
    const fuzz_broad *f;
    uint32_t last, count;
    bool ordered;
    uint8_t times[MODEL_MAX_PROXIES];
} told;

static void mark(told *t, trv_proxy_id id, uint64_t user)
{
    demand(id.index1 > 0 && id.index1 < t->f->model->limit);
    const model_proxy *p = &t->f->model->proxies[id.index1];
    demand(p->live && p->id.generation == id.generation && p->user == user);
    demand(!t->ordered || id.index1 > t->last);
    demand(t->times[id.index1]++ == 0);
    t->last = id.index1;
    t->count++;
}

static bool visit(void *context, trv_proxy_id id, uint64_t user)
{
    mark(context, id, user);
    return true;
}

static float visit_ray(void *context, trv_proxy_id id, uint64_t user, float limit)
{
    demand(limit >= 1.0f);
    mark(context, id, user);
    return limit;
}

static void begin(told *t, const fuzz_broad *f)
{
    memset(t, 0, sizeof *t);
    t->f = f;
}

static bool fits(trv_vec3 v)
{
    return fabsf(v.x) <= TRV_COORD_MAX && fabsf(v.y) <= TRV_COORD_MAX &&
           fabsf(v.z) <= TRV_COORD_MAX;
}

// TRV_OK and good numbers go together; bad ones are told as such.
static bool went_well(trv_result result, bool good)
{
    demand(good ? result == TRV_OK
                : result == TRV_ERROR_NUMBER || result == TRV_ERROR_RANGE ||
                      result == TRV_ERROR_ROTATION);
    return good;
}

static void axes_of(trv_vec3 v, double out[3])
{
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = (double)v.z;
}

static void ask_box(fuzz_broad *f, fuzz_bytes *r, told *t)
{
    trv_aabb box = take_box(f, r);
    trv_filter filter = take_filter(r);
    bool good = fits(box.lower) && fits(box.upper) && box.lower.x <= box.upper.x &&
                box.lower.y <= box.upper.y && box.lower.z <= box.upper.z;
    t->ordered = true;
    if (!went_well(trv_broad_query_aabb(f->broad, box, filter, visit, t), good))
        return;
    for (uint32_t i = 1; i < f->model->limit; i++) {
        const model_proxy *p = &f->model->proxies[i];
        demand(t->times[i] ==
               (p->live && boxes_overlap(p->fat, box) && trv_filters_agree(p->filter, filter)));
    }
}

// When a box on its way first touches another, taken larger by `slack`; 2: never.
static double touch(trv_aabb from, trv_vec3 travel, trv_aabb box, double slack)
{
    double from_lower[3], from_upper[3], d[3], lower[3], upper[3], enter = 0.0, leave = 1.0;
    axes_of(from.lower, from_lower);
    axes_of(from.upper, from_upper);
    axes_of(travel, d);
    axes_of(box.lower, lower);
    axes_of(box.upper, upper);
    for (int k = 0; k < 3; k++) {
        double a = lower[k] - from_upper[k] - slack, b = upper[k] - from_lower[k] + slack;
        if (d[k] == 0.0) {
            if (a > 0.0 || b < 0.0)
                return 2.0;
            continue;
        }
        enter = fmax(enter, fmin(a / d[k], b / d[k]));
        leave = fmin(leave, fmax(a / d[k], b / d[k]));
    }
    return enter <= leave ? enter : 2.0;
}

static double largest(trv_vec3 v)
{
    return fmax(fabs((double)v.x), fmax(fabs((double)v.y), fabs((double)v.z)));
}

static void ask_cast(fuzz_broad *f, fuzz_bytes *r, told *t)
{
    trv_aabb box = take_box(f, r);
    uint8_t choice = take_byte(r);
    trv_vec3 travel = take_vec3(r, take_style(r), choice & 1 ? f->size : 0.1f * f->size);
    if (choice & 2)
        box.upper = box.lower;
    if (choice & 4)
        travel.x = 0.0f;
    if (choice & 8)
        travel.z = 0.0f;
    trv_filter filter = take_filter(r);
    bool good = fits(box.lower) && fits(box.upper) && fits(travel) && box.lower.x <= box.upper.x &&
                box.lower.y <= box.upper.y && box.lower.z <= box.upper.z;
    trv_result result = trv_broad_cast_box(f->broad, box, travel, filter, visit_ray, t);
    if (!went_well(result, good))
        return;
    double reach = largest(box.lower) + largest(box.upper) + largest(travel);
    float first = 2.0f;
    for (uint32_t i = 1; i < f->model->limit; i++) {
        const model_proxy *p = &f->model->proxies[i];
        bool asked = p->live && trv_filters_agree(p->filter, filter);
        double slack = 1.0e-13 * (reach + largest(p->fat.lower) + largest(p->fat.upper));
        double at = asked ? touch(box, travel, p->fat, 0.0) : 2.0;
        demand(t->times[i] || at > 1.0);
        demand(!t->times[i] || (asked && touch(box, travel, p->fat, slack) <= 1.0));
        first = at <= 1.0 ? fminf(first, (float)at) : first;
    }
    if (!(choice & 2))
        return;
    trv_ray ray = {box.lower, travel};
    trv_proxy_found closest;
    bool met;
    demand(trv_broad_cast_closest(f->broad, ray, filter, &closest) == TRV_OK);
    demand(trv_broad_cast_any(f->broad, ray, filter, &met) == TRV_OK);
    demand(met == (t->count > 0) && met == (closest.proxy.index1 != 0));
    demand(!met || (t->times[closest.proxy.index1] && closest.at <= first + 1.0e-6f));
}

static double distance_to(trv_vec3 point, trv_aabb box)
{
    double p[3], lower[3], upper[3], sum = 0.0;
    axes_of(point, p);
    axes_of(box.lower, lower);
    axes_of(box.upper, upper);
    for (int k = 0; k < 3; k++) {
        double d = fmax(0.0, fmax(lower[k] - p[k], p[k] - upper[k]));
        sum += d * d;
    }
    return sqrt(sum);
}

static void ask_nearest(fuzz_broad *f, fuzz_bytes *r, told *t)
{
    trv_vec3 point = take_vec3(r, take_style(r), f->size);
    fuzz_style how = take_style(r);
    float reach = take_length(r, how, take_byte(r) & 1 ? 4.0e7f : f->size);
    trv_filter filter = take_filter(r);
    uint32_t room = take_byte(r) % (ROOM + 1), count = 99, within = 0, ahead = 0;
    trv_proxy_found found[ROOM];
    bool good = fits(point) && fabsf(reach) <= 3.4e38f && reach >= 0.0f;
    trv_result result = trv_broad_find_nearest(f->broad, point, reach, filter, room, found, &count);
    if (!went_well(result, good)) {
        demand(count == 0);
        return;
    }
    t->ordered = false;
    for (uint32_t i = 0; i < count; i++) {
        mark(t, found[i].proxy, found[i].user);
        float at = (float)distance_to(point, f->model->proxies[found[i].proxy.index1].fat);
        demand(found[i].at == at);
    }
    for (uint32_t i = 1; i < f->model->limit; i++) {
        const model_proxy *p = &f->model->proxies[i];
        float at = (float)distance_to(point, p->fat);
        if (!p->live || !trv_filters_agree(p->filter, filter) || at > reach)
            continue;
        within++;
        ahead += count > 0 && (at < found[count - 1].at ||
                               (at == found[count - 1].at && i <= found[count - 1].proxy.index1));
    }
    demand(count == (within < room ? within : room) && ahead == count);
}

// The least and the most of dot(normal, p) + offset over a box.
static void heights(trv_plane plane, trv_aabb box, double *least, double *most, double *slack)
{
    double n[3], lower[3], upper[3];
    axes_of(plane.normal, n);
    axes_of(box.lower, lower);
    axes_of(box.upper, upper);
    *least = *most = (double)plane.offset;
    *slack = 1.0e-13 * fabs((double)plane.offset);
    for (int k = 0; k < 3; k++) {
        *least += fmin(n[k] * lower[k], n[k] * upper[k]);
        *most += fmax(n[k] * lower[k], n[k] * upper[k]);
        *slack += 1.0e-13 * fmax(fabs(n[k] * lower[k]), fabs(n[k] * upper[k]));
    }
}

// A box that lies below all planes is told; one that lies above one of them is not.
static void ask_planes(fuzz_broad *f, fuzz_bytes *r, told *t)
{
    trv_plane planes[4];
    uint32_t count = take_byte(r) % 5;
    bool good = true;
    double scale = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        planes[i].normal = take_vec3(r, take_style(r), 1.0f);
        planes[i].offset = take_number(r, take_style(r)) * f->size;
        trv_vec3 n = planes[i].normal;
        good = good && fits(n) && fabsf(planes[i].offset) <= 3.4e38f && largest(n) > 0.0;
    }
    trv_filter filter = take_filter(r);
    trv_result result = trv_broad_query_planes(f->broad, planes, count, filter, visit, t);
    if (!went_well(result, good))
        return;
    for (uint32_t i = 1; i < f->model->limit; i++) // rounding is told of the whole set's size
        scale = fmax(scale, fmax(largest(f->model->proxies[i].fat.lower),
                                 largest(f->model->proxies[i].fat.upper)));
    for (uint32_t i = 1; i < f->model->limit; i++) {
        const model_proxy *p = &f->model->proxies[i];
        bool asked = p->live && trv_filters_agree(p->filter, filter), inside = asked;
        for (uint32_t k = 0; k < count; k++) {
            double least, most, slack;
            heights(planes[k], p->fat, &least, &most, &slack);
            inside = inside && most <= -slack;
            slack += 3.0e-13 * scale * largest(planes[k].normal);
            demand(!t->times[i] || (asked && least <= slack));
        }
        demand(t->times[i] || !inside);
    }
}

// A box that holds the middle of the turned one is told; one that is far from it is not.
static void ask_turned(fuzz_broad *f, fuzz_bytes *r, told *t)
{
    trv_obb box = {take_vec3(r, take_style(r), f->size), {0, 0, 0}, {0, 0, 0, 1}};
    fuzz_style how = take_style(r);
    box.half.x = take_length(r, how, 0.3f * f->size);
    box.half.y = take_length(r, how, 0.3f * f->size);
    box.half.z = take_length(r, how, 0.3f * f->size);
    box.rotation = take_quat(r);
    trv_quat q = box.rotation;
    double length =
        sqrt((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w);
    bool sized = box.half.x >= 0.0f && box.half.y >= 0.0f && box.half.z >= 0.0f;
    bool good = fits(box.center) && fits(box.half) && sized && fabs(length - 1.0) < 1.0e-3;
    trv_filter filter = take_filter(r);
    if (!went_well(trv_broad_query_obb(f->broad, box, filter, visit, t), good))
        return;
    double radius = sqrt((double)box.half.x * box.half.x + (double)box.half.y * box.half.y +
                         (double)box.half.z * box.half.z);
    double least = fmin((double)box.half.x, fmin((double)box.half.y, (double)box.half.z));
    for (uint32_t i = 1; i < f->model->limit; i++) {
        const model_proxy *p = &f->model->proxies[i];
        bool asked = p->live && trv_filters_agree(p->filter, filter);
        double distance = distance_to(box.center, p->fat);
        double slack = 1.0e-12 * (radius + largest(box.center) + largest(p->fat.lower) +
                                  largest(p->fat.upper) + 1.0e9);
        demand(t->times[i] || !asked || distance > least * 0.999999);
        demand(!t->times[i] || (asked && distance <= radius + slack));
    }
}

void ask_broad(fuzz_broad *f, fuzz_bytes *r)
{
    told t;
    begin(&t, f);
    switch (take_byte(r) % 5) {
    case 0:
        ask_box(f, r, &t);
        break;
    case 1:
        ask_cast(f, r, &t);
        break;
    case 2:
        ask_nearest(f, r, &t);
        break;
    case 3:
        ask_planes(f, r, &t);
        break;
    default:
        ask_turned(f, r, &t);
    }
}
