// The public questions about two posed shapes: distance, overlap, contact points.
//
// Spheres, capsules, boxes and hulls are couples of views; a half-space is asked on its own, always
// as A, and the answer is turned round where it came as B.
#include "box_contact.h"
#include "halfspace.h"
#include "manifold.h"
#include "questions.h"
#include "quick.h"
#include "remember.h"

#include <string.h>

// `b` is the half-space. The cache's vertex of the other shape is a start for the climb.
static trvi_answer collide_halfspace(const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                                     trv_pose pose_b, double margin, uint32_t *vertex,
                                     trv_manifold *out)
{
    trvi_view view;
    trvi_halfspace half;
    trvi_view_set(&view, a, pose_a);
    trvi_halfspace_set(&half, &b->as.plane, pose_b, &view);
    if (trvi_halfspace_gap(&half, &view, vertex) > margin)
        return TRVI_APART_REMEMBERED;
    trvi_halfspace_manifold(&half, &view, margin, out);
    return TRVI_CONTACT;
}

static trvi_answer collide_with_plane(const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                                      trv_pose pose_b, double margin, trv_plane_cache *cache,
                                      trv_manifold *out)
{
    bool plane_is_a = a->kind == TRV_SHAPE_PLANE;
    if (plane_is_a && b->kind == TRV_SHAPE_PLANE)
        return TRVI_APART_SEARCHED; // two planes are never asked
    trvi_answer answer;
    if (plane_is_a)
        return collide_halfspace(b, pose_b, a, pose_a, margin, &cache->vertex_b, out);
    answer = collide_halfspace(a, pose_a, b, pose_b, margin, &cache->vertex_a, out);
    out->normal = trvi_negate(out->normal);
    return answer;
}

// True where the cache's plane is worth asking: it parted the shapes, and did not carry a contact.
static bool is_parting(const trv_plane_cache *cache)
{
    return cache->source != TRV_PLANE_NONE;
}

// All that comes after the remembered plane in float32.
static trvi_answer collide_couple(const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                                  trv_pose pose_b, float margin, trv_plane_cache *cache,
                                  trv_manifold *out)
{
    if (a->kind == TRV_SHAPE_PLANE || b->kind == TRV_SHAPE_PLANE)
        return collide_with_plane(a, pose_a, b, pose_b, margin, cache, out);
    trvi_couple couple;
    trvi_couple_place(&couple, a, pose_a, b, pose_b);
    // Touching within rounding is touching: it counts as within the margin.
    double closed = (double)margin + TRVI_TOUCH * couple.scale;
    double beyond = closed + couple.a.radius + couple.b.radius;
    trvi_nearest nearest;
    if (couple.a.is_box && couple.b.is_box) {
        trvi_box_gaps gaps;
        trvi_box_axes(&couple, beyond, &gaps, &nearest.axis);
        if (nearest.axis.gap > beyond ||
            trvi_box_contact(&couple, &gaps, &nearest.axis, closed, out)) {
            bool apart = nearest.axis.gap > beyond;
            trvi_remember(&nearest.axis, apart, cache);
            return apart ? TRVI_APART_SEARCHED : TRVI_CONTACT;
        }
    }
    trvi_couple_fill(&couple);
    if (is_parting(cache) && trvi_remembered(&couple, cache, beyond, &nearest.axis))
        return TRVI_APART_REMEMBERED;
    trvi_nearest_find(&couple, beyond, &nearest);
    bool apart = nearest.axis.gap > beyond;
    trvi_remember(&nearest.axis, apart, cache);
    if (apart)
        return TRVI_APART_SEARCHED;
    trvi_manifold_make(&couple, &nearest, closed, out);
    return TRVI_CONTACT;
}

trvi_answer trvi_collide(const trv_shape *a, trv_pose pose_a, const trv_shape *b, trv_pose pose_b,
                         float margin, trv_plane_cache *cache, trv_manifold *out)
{
    trvi_quick quick;
    trv_plane_cache none;
    memset(out, 0, sizeof *out);
    if (cache == NULL) {
        memset(&none, 0, sizeof none);
        cache = &none;
    }
    if (is_parting(cache) && trvi_quick_apart(a, &pose_a, b, &pose_b, cache, margin, &quick))
        return TRVI_APART_REMEMBERED;
    return collide_couple(a, pose_a, b, pose_b, margin, cache, out);
}

trv_result trv_collide(const trv_shape *a, trv_pose pose_a, const trv_shape *b, trv_pose pose_b,
                       float margin, trv_plane_cache *cache, trv_manifold *out)
{
    if (out == NULL)
        return TRV_ERROR_NULL;
    memset(out, 0, sizeof *out);
    trvi_quick quick;
    trv_plane_cache none;
    if (cache == NULL) {
        memset(&none, 0, sizeof none);
        cache = &none;
    }
    if (a != NULL && b != NULL && is_parting(cache) && margin >= 0.0f && margin <= TRV_COORD_MAX &&
        trvi_quick_apart(a, &pose_a, b, &pose_b, cache, margin, &quick))
        return TRV_OK;
    trv_result result = trvi_check_question(a, pose_a, b, pose_b);
    if (result == TRV_OK)
        result = trvi_check_range(margin, 0.0f, TRV_COORD_MAX);
    if (result == TRV_OK)
        collide_couple(a, pose_a, b, pose_b, margin, cache, out);
    return result;
}

// Signed distance of a shape from a half-space, seen from the half-space.
static void gap_to_halfspace(const trv_shape *shape, trv_pose pose, const trv_shape *plane,
                             trv_pose plane_pose, trv_gap *out)
{
    trvi_view view;
    trvi_halfspace half;
    uint32_t vertex = TRVI_NO_VERTEX;
    trvi_view_set(&view, shape, pose);
    trvi_halfspace_set(&half, &plane->as.plane, plane_pose, &view);
    double gap = trvi_halfspace_gap(&half, &view, &vertex);
    trvi_dvec3 core = trvi_vertex(&view, vertex);
    trvi_dvec3 surface = trvi_dmul_add(core, half.normal, -view.radius);
    trvi_dvec3 foot = trvi_dmul_add(surface, half.normal, -gap);
    out->distance = (float)gap;
    out->normal = trvi_vec3_from_double(half.in_world);
    out->point_a = trvi_vec3_from_double(trvi_to_world(&view, foot));
    out->point_b = trvi_vec3_from_double(trvi_to_world(&view, surface));
}

static void find_gap(const trv_shape *a, trv_pose pose_a, const trv_shape *b, trv_pose pose_b,
                     trv_gap *out)
{
    if (a->kind == TRV_SHAPE_PLANE) {
        gap_to_halfspace(b, pose_b, a, pose_a, out);
        return;
    }
    if (b->kind == TRV_SHAPE_PLANE) {
        gap_to_halfspace(a, pose_a, b, pose_b, out);
        trv_vec3 point = out->point_a;
        out->point_a = out->point_b;
        out->point_b = point;
        out->normal = trvi_negate(out->normal);
        return;
    }
    trvi_couple couple;
    trvi_nearest nearest;
    trvi_dvec3 on_a, on_b;
    trvi_couple_set(&couple, a, pose_a, b, pose_b);
    trvi_nearest_find(&couple, HUGE_VAL, &nearest);
    trvi_nearest_points(&couple, &nearest, &on_a, &on_b);
    trvi_dvec3 n = nearest.axis.normal;
    on_a = trvi_dmul_add(on_a, n, couple.a.radius);
    on_b = trvi_dmul_add(on_b, n, -couple.b.radius);
    out->distance = (float)(nearest.axis.gap - couple.a.radius - couple.b.radius);
    out->normal = trvi_vec3_from_double(trvi_dmat3_mul(&couple.a.rotation, n));
    out->point_a = trvi_vec3_from_double(trvi_to_world(&couple.a, on_a));
    out->point_b = trvi_vec3_from_double(trvi_to_world(&couple.a, on_b));
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

trv_result trv_overlap(const trv_shape *a, trv_pose pose_a, const trv_shape *b, trv_pose pose_b,
                       bool *overlap)
{
    if (overlap == NULL)
        return TRV_ERROR_NULL;
    *overlap = false;
    trv_separation separation;
    trv_result result = trv_separate(a, pose_a, b, pose_b, NULL, &separation);
    if (result == TRV_OK)
        *overlap = !separation.apart;
    return result;
}
