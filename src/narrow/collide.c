// The public questions about two posed shapes: distance, overlap, contact points.
//
// Spheres, capsules, boxes and hulls are couples of views; a half-space is asked on its own, always
// as A, and the answer is turned round where it came as B.
#include "carry.h"
#include "halfspace.h"
#include "nearest.h"
#include "order.h"
#include "questions.h"
#include "quick.h"
#include "spheres.h"
#include "touch.h"

#include <string.h>

trvi_answer trvi_collide_half_space(const trvi_view *view, const trv_plane *plane,
                                    trv_pose plane_pose, bool plane_is_a, double margin,
                                    const trvi_held *held, uint32_t *vertex, trv_manifold *out)
{
    trvi_halfspace half;
    trvi_halfspace_set(&half, plane, plane_pose, view);
    if (trvi_halfspace_gap(&half, view, vertex) > margin)
        return TRVI_APART_REMEMBERED;
    trvi_halfspace_manifold(&half, view, plane_is_a, margin, held, out);
    if (!plane_is_a)
        out->normal = trvi_negate(out->normal);
    return TRVI_CONTACT;
}

// The cache's vertex of the other shape is a start for the climb.
static trvi_answer collide_with_plane(const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                                      trv_pose pose_b, double margin, trv_plane_cache *cache,
                                      const trvi_held *held, trv_manifold *out)
{
    trvi_view view;
    cache->gap = 0.0f; // not told
    if (a->kind == TRV_SHAPE_PLANE && b->kind == TRV_SHAPE_PLANE)
        return TRVI_APART_SEARCHED; // two planes are never asked
    if (a->kind == TRV_SHAPE_PLANE) {
        trvi_view_set(&view, b, pose_b);
        return trvi_collide_half_space(&view, &a->as.plane, pose_a, true, margin, held,
                                       &cache->vertex_b, out);
    }
    trvi_view_set(&view, a, pose_a);
    return trvi_collide_half_space(&view, &b->as.plane, pose_b, false, margin, held,
                                   &cache->vertex_a, out);
}

trvi_answer trvi_collide_couple(trvi_couple *couple, double margin, trv_plane_cache *cache,
                                trv_manifold *out)
{
#if defined(TRVI_CAN_EIGHT)
    if (__builtin_cpu_supports("avx"))
        return trvi_touch_eight(couple, margin, cache, out);
#endif
    return trvi_touch(couple, margin, cache, out);
}

trvi_answer trvi_collide_good(const trv_shape *a, const trv_pose *pose_a, const trv_shape *b,
                              const trv_pose *pose_b, float margin, trv_plane_cache *cache,
                              const trvi_held *held, trv_manifold *out)
{
    trv_plane_cache none;
    bool hasty = cache == NULL;
    if (hasty) {
        memset(&none, 0, sizeof none);
        cache = &none;
    }
    if (a->kind == TRV_SHAPE_PLANE || b->kind == TRV_SHAPE_PLANE)
        return collide_with_plane(a, *pose_a, b, *pose_b, margin, cache, held, out);
    trvi_answer answer;
    if (trvi_are_spheres(a, b) &&
        trvi_collide_spheres(a, pose_a, b, pose_b, (double)margin, cache, out, &answer))
        return answer;
    trvi_couple couple;
    trvi_couple_sketch(&couple, a, pose_a, b, pose_b);
    couple.hasty = hasty;
    couple.held = held;
    return trvi_collide_couple(&couple, (double)margin, cache, out);
}

// The same, in the order that the shapes themselves have; `cache` may be NULL.
static void collide_in_order(const trv_shape *a, const trv_pose *pose_a, const trv_shape *b,
                             const trv_pose *pose_b, float margin, trv_plane_cache *cache,
                             trv_manifold *out)
{
    trvi_answer answer;
    if (trvi_are_spheres(a, b) &&
        trvi_collide_spheres(a, pose_a, b, pose_b, (double)margin, cache, out, &answer))
        return;
    if (a->kind == TRV_SHAPE_PLANE || b->kind == TRV_SHAPE_PLANE ||
        !trvi_is_turned(a, pose_a, b, pose_b)) {
        (void)trvi_collide_good(a, pose_a, b, pose_b, margin, cache, NULL, out);
        return;
    }
    trv_plane_cache turned;
    if (cache != NULL)
        trvi_turn_cache(cache, a, pose_a, b, pose_b, &turned);
    else
        memset(&turned, 0, sizeof turned);
    trvi_memory before = trvi_memory_of(&turned);
    trvi_couple couple;
    trvi_couple_sketch(&couple, b, pose_b, a, pose_a);
    couple.turned = true;
    couple.hasty = cache == NULL;
    if (trvi_collide_couple(&couple, (double)margin, &turned, out) == TRVI_CONTACT)
        out->normal = trvi_negate(out->normal);
    if (cache != NULL)
        trvi_turn_back(&before, &turned, a, pose_a, b, pose_b, cache);
}

static inline bool is_sound_box(const trv_obb *box)
{
    const trv_vec3 *c = &box->center;
    float size =
        (box->half.x + box->half.y) + (box->half.z + fabsf(c->x)) + (fabsf(c->y) + fabsf(c->z));
    return box->half.x > 0.0f && box->half.y > 0.0f && box->half.z > 0.0f &&
           size <= TRV_COORD_MAX && trvi_is_nearly_unit(&box->rotation);
}

// True for most boxes and hulls that are in order, none of which is not; else it takes a check to
// tell.
static inline bool is_sound(const trv_shape *shape, const trv_pose *pose)
{
    const trv_vec3 *p = &pose->position;
    float far_off = fabsf(p->x) + fabsf(p->y) + fabsf(p->z);
    bool sound = shape->kind == TRV_SHAPE_BOX
                     ? is_sound_box(&shape->as.box)
                     : shape->kind == TRV_SHAPE_HULL && shape->as.hull != NULL;
    return sound && far_off <= TRV_COORD_MAX && trvi_is_nearly_unit(&pose->rotation);
}

static trv_result check_collide(const trv_shape *a, const trv_pose *pose_a, const trv_shape *b,
                                const trv_pose *pose_b, float margin)
{
    trv_result result = TRV_OK;
    if (a == NULL || b == NULL || !is_sound(a, pose_a) || !is_sound(b, pose_b))
        result = trvi_check_question(a, *pose_a, b, *pose_b);
    if (result == TRV_OK)
        result = trvi_check_range(margin, 0.0f, TRV_COORD_MAX);
    if (result == TRV_OK && trvi_has_compound(a, b))
        result = TRV_ERROR_KIND;
    return result;
}

trv_result trvi_collide_anew(const trv_shape *a, const trv_pose *pose_a, const trv_shape *b,
                             const trv_pose *pose_b, float margin, trv_plane_cache *cache,
                             trv_manifold *out)
{
    trv_result result = check_collide(a, pose_a, b, pose_b, margin);
    if (result == TRV_OK)
        collide_in_order(a, pose_a, b, pose_b, margin, cache, out);
    return result;
}

// Signed distance from a half-space.
static void gap_to_halfspace(const trvi_view *view, const trv_plane *plane, trv_pose plane_pose,
                             bool plane_is_a, trv_gap *out)
{
    trvi_halfspace half;
    uint32_t vertex = TRVI_NO_VERTEX;
    trvi_halfspace_set(&half, plane, plane_pose, view);
    double gap = trvi_halfspace_gap(&half, view, &vertex);
    trvi_dvec3 core = trvi_vertex(view, vertex);
    trvi_dvec3 surface = trvi_dmul_add(core, half.normal, -view->radius);
    trvi_dvec3 foot = trvi_dmul_add(surface, half.normal, -gap);
    trv_vec3 on_plane = trvi_vec3_from_double(trvi_to_world(view, foot));
    trv_vec3 on_shape = trvi_vec3_from_double(trvi_to_world(view, surface));
    out->distance = (float)gap;
    out->normal = trvi_vec3_from_double(half.in_world);
    if (!plane_is_a)
        out->normal = trvi_negate(out->normal);
    out->point_a = plane_is_a ? on_plane : on_shape;
    out->point_b = plane_is_a ? on_shape : on_plane;
}

static void gap_of_couple(const trvi_couple *couple, trv_gap *out)
{
    trvi_nearest nearest;
    trvi_dvec3 on_a, on_b;
    trvi_nearest_find(couple, HUGE_VAL, &nearest);
    trvi_nearest_points(couple, &nearest, &on_a, &on_b);
    trvi_dvec3 n = nearest.axis.normal;
    on_a = trvi_dmul_add(on_a, n, couple->a.radius);
    on_b = trvi_dmul_add(on_b, n, -couple->b.radius);
    out->distance = (float)(nearest.axis.gap - couple->a.radius - couple->b.radius);
    out->normal = trvi_vec3_from_double(trvi_dmat3_mul(&couple->a.rotation, n));
    out->point_a = trvi_vec3_from_double(trvi_to_world(&couple->a, on_a));
    out->point_b = trvi_vec3_from_double(trvi_to_world(&couple->a, on_b));
}

static const trvi_measures measures = {gap_of_couple, gap_to_halfspace};

static void find_gap(const trv_shape *a, trv_pose pose_a, const trv_shape *b, trv_pose pose_b,
                     trv_gap *out)
{
    trvi_view view;
    trvi_couple couple;
    if (trvi_has_compound(a, b)) {
        trvi_compound_distance(a, pose_a, b, pose_b, &measures, out);
    } else if (a->kind == TRV_SHAPE_PLANE) {
        trvi_view_set(&view, b, pose_b);
        gap_to_halfspace(&view, &a->as.plane, pose_a, true, out);
    } else if (b->kind == TRV_SHAPE_PLANE) {
        trvi_view_set(&view, a, pose_a);
        gap_to_halfspace(&view, &b->as.plane, pose_b, false, out);
    } else {
        trvi_couple_in_order(&couple, a, pose_a, b, pose_b);
        gap_of_couple(&couple, out);
        if (couple.turned)
            *out = (trv_gap){.distance = out->distance,
                             .normal = trvi_negate(out->normal),
                             .point_a = out->point_b,
                             .point_b = out->point_a};
    }
}

trv_result trv_distance(const trv_shape *a, trv_pose pose_a, const trv_shape *b, trv_pose pose_b,
                        trv_gap *out)
{
    if (out == NULL)
        return TRV_ERROR_NULL;
    memset(out, 0, sizeof *out);
    trv_result result = trvi_check_question(a, pose_a, b, pose_b);
    if (result == TRV_OK)
        find_gap(a, pose_a, b, pose_b, out);
    return result;
}

trv_result trv_distance_to_point(const trv_shape *shape, trv_pose pose, trv_vec3 point,
                                 trv_gap *out)
{
    if (out == NULL)
        return TRV_ERROR_NULL;
    memset(out, 0, sizeof *out);
    trv_result result = trv_shape_check(shape);
    if (result == TRV_OK)
        result = trvi_check_pose(pose);
    if (result == TRV_OK)
        result = trvi_check_vec3(point);
    if (result != TRV_OK)
        return result;
    const trv_vec3 origin = {0.0f, 0.0f, 0.0f};
    trv_shape ball = trv_make_sphere(origin, 0.0f); // which callers may not have
    find_gap(shape, pose, &ball, trv_make_pose(point), out);
    return TRV_OK;
}

trv_result trv_overlap(const trv_shape *a, trv_pose pose_a, const trv_shape *b, trv_pose pose_b,
                       bool *overlap)
{
    if (overlap == NULL)
        return TRV_ERROR_NULL;
    *overlap = false;
    trv_result result = trvi_check_question(a, pose_a, b, pose_b);
    if (result != TRV_OK)
        return result;
    if (a->kind == TRV_SHAPE_PLANE || b->kind == TRV_SHAPE_PLANE) {
        trv_separation separation;
        result = trv_separate(a, pose_a, b, pose_b, NULL, &separation);
        *overlap = !separation.apart;
        return result;
    }
    if (trvi_has_compound(a, b)) {
        *overlap = trvi_compound_overlap(a, pose_a, b, pose_b);
        return TRV_OK;
    }
    trvi_couple couple;
    trvi_nearest nearest;
    trvi_couple_in_order(&couple, a, pose_a, b, pose_b);
    couple.hasty = true;
    double limit = couple.a.radius + couple.b.radius + TRVI_TOUCH * couple.scale;
    *overlap = !trvi_nearest_apart(&couple, limit, &nearest);
    return TRV_OK;
}

int trvi_carrying_face(const trv_plane_cache *cache)
{
    if (cache->source == (TRVI_CARRIES | TRV_PLANE_FACE_A))
        return 1;
    return cache->source == (TRVI_CARRIES | TRV_PLANE_FACE_B) ? -1 : 0;
}
