// Are two shapes apart, and by which plane?
//
// Asks the remembered plane first, then the boxes' axes or the distance search. The plane that is
// handed out is measured anew with its float32 normal, so that it parts the shapes as it stands.
// Based on: Lander 1999, "Crashing into the New Year".
#include "carry.h"
#include "halfspace.h"
#include "order.h"
#include "questions.h"
#include "quick.h"
#include "remember.h"
#include "spheres.h"

#include <float.h>
#include <string.h>

// Of the surfaces, where that of an axis is of the cores.
static double surfaces_gap(const trvi_couple *couple, const trvi_axis *axis)
{
    return axis->gap - couple->a.radius - couple->b.radius;
}

// Half-way between the supports along the rounded normal; -dot(n, point) rounded once. Across a
// wide gap those along the normal itself do: rounding moves them by far less.
static trv_plane plane_between(const trvi_couple *couple, trvi_axis axis)
{
    trv_plane plane;
    trvi_dvec3 in_world = trvi_dmat3_mul(&couple->a.rotation, axis.normal);
    plane.normal = trvi_vec3_from_double(in_world);
    trvi_dvec3 n = trvi_dvec3_from(plane.normal);
    double length = trvi_dlength(n);
    trvi_dvec3 in_a = trvi_dscale(trvi_dmat3_mul_transposed(&couple->a.rotation, n), 1.0 / length);
    double gap = surfaces_gap(couple, &axis) > TRVI_WIDE_GAP * couple->scale
                     ? axis.gap
                     : trvi_gap_along_near(couple, in_a, &axis.vertex_a, &axis.vertex_b);
    trvi_dvec3 top = trvi_vertex(&couple->a, axis.vertex_a);
    double up = couple->a.radius + 0.5 * (gap - couple->a.radius - couple->b.radius);
    trvi_dvec3 point = trvi_to_world(&couple->a, trvi_dmul_add(top, in_a, up));
    plane.offset = (float)-trvi_ddot(n, point);
    return plane;
}

// What is apart by less than float32 can say is apart all the same.
static float gap_told(double gap)
{
    return fmaxf((float)gap, FLT_TRUE_MIN);
}

static void tell(const trvi_couple *couple, const trvi_axis *axis, bool remembered,
                 trv_plane_cache *cache, trv_separation *out)
{
    double surfaces = surfaces_gap(couple, axis);
    cache->gap = trvi_gap_to_keep(surfaces, couple->scale);
    out->apart = true;
    out->remembered = remembered;
    out->source = (trv_plane_source)cache->source;
    out->index_a = cache->index_a;
    out->index_b = cache->index_b;
    out->gap = gap_told(surfaces);
    out->plane = plane_between(couple, *axis);
}

typedef struct counts {
    uint32_t vertices, edges, faces; // half-edges
} counts;

static counts counts_of(const trv_shape *shape)
{
    switch (shape->kind) {
    case TRV_SHAPE_HULL:
        return (counts){shape->as.hull->vertex_count, shape->as.hull->half_edge_count,
                        shape->as.hull->face_count};
    case TRV_SHAPE_BOX:
        return (counts){8, 24, 6};
    case TRV_SHAPE_CAPSULE:
        return (counts){2, 0, 0};
    default:
        return (counts){1, 0, 0};
    }
}

bool trvi_is_known_source(const trv_shape *shape_a, const trv_shape *shape_b,
                          const trv_plane_cache *cache)
{
    uint32_t a = cache->index_a, b = cache->index_b;
    counts of_a = counts_of(shape_a), of_b = counts_of(shape_b);
    switch (cache->source) {
    case TRV_PLANE_FACE_A:
        return a < of_a.faces && b < of_b.vertices;
    case TRV_PLANE_FACE_B:
        return a < of_a.vertices && b < of_b.faces;
    case TRV_PLANE_EDGES:
        return a < of_a.edges && b < of_b.edges;
    case TRV_PLANE_EDGE_A:
        return a < of_a.edges && b < of_b.vertices;
    case TRV_PLANE_EDGE_B:
        return a < of_a.vertices && b < of_b.edges;
    case TRV_PLANE_VERTICES:
        return a < of_a.vertices && b < of_b.vertices;
    default:
        return false;
    }
}

// Lander's first choice: the plane of a face, of those that look at the other shape, where it parts
// the shapes about as well as the plane that was found.
static bool prefer_face(const trvi_couple *couple, double limit, trvi_axis *axis,
                        trv_plane_source *source, uint32_t *index_a, uint32_t *index_b)
{
    bool found = false;
    trvi_axis best = *axis;
    double radii = couple->a.radius + couple->b.radius;
    best.gap = radii + TRVI_FACE_PREFERENCE * (best.gap - radii);
    trvi_dvec3 in_b = trvi_dnegate(trvi_dmat3_mul_transposed(&couple->rotation, axis->normal));
    for (int of_b = 0; of_b < 2 && !(found && couple->hasty); of_b++) {
        const trvi_view *view = of_b ? &couple->b : &couple->a;
        if (view->face_count == 0)
            continue;
        uint32_t face = of_b ? trvi_face_around(view, &in_b, axis->vertex_b)
                             : trvi_face_around(view, &axis->normal, axis->vertex_a);
        trvi_axis own = *axis;
        own.normal = trvi_face_normal(view, face);
        if (of_b)
            own.normal = trvi_dnegate(trvi_dmat3_mul(&couple->rotation, own.normal));
        own.gap = trvi_gap_along(couple, own.normal, &own.vertex_a, &own.vertex_b);
        if (!(own.gap > best.gap) || !trvi_gap_exceeds(couple, own.normal, own.gap, limit))
            continue;
        best = own;
        found = true;
        *source = of_b ? TRV_PLANE_FACE_B : TRV_PLANE_FACE_A;
        *index_a = of_b ? own.vertex_a : face;
        *index_b = of_b ? face : own.vertex_b;
    }
    if (found)
        *axis = best;
    return found;
}

// Is a gap so small that the plane in its middle, as it is told in the world, may touch a shape?
static bool is_narrow(const trvi_couple *couple, const trvi_axis *axis)
{
    double away = trvi_dlength(trvi_to_world(&couple->a, couple->a.center));
    return surfaces_gap(couple, axis) < TRVI_NARROW_GAP * (couple->scale + away);
}

// Of those the best plane is known at once, but to whoever is hasty.
static bool are_boxes(const trvi_couple *couple)
{
    return couple->a.is_box && couple->b.is_box;
}

// The best of all planes, of two that are apart; leaves what is told of the axis where rounding finds none.
static void find_best(const trvi_couple *couple, double limit, trvi_nearest *nearest)
{
    trvi_nearest best;
    if (are_boxes(couple)) {
        trvi_couple patient = *couple;
        patient.hasty = false;
        if (!trvi_nearest_apart(&patient, limit, &best))
            return;
    } else {
        trvi_nearest_find(couple, HUGE_VAL, &best);
    }
    if (best.axis.gap > nearest->axis.gap)
        *nearest = best;
}

// The first axis that proves them apart may do so by next to nothing: then the best is looked for.
static bool find_apart(const trvi_couple *couple, double limit, trvi_nearest *nearest)
{
    if (!trvi_nearest_apart(couple, limit, nearest))
        return false;
    if (is_narrow(couple, &nearest->axis))
        find_best(couple, limit, nearest);
    return true;
}

// So may the remembered one; it stays where none is much better.
static bool still_parts(const trvi_couple *couple, trv_plane_cache *cache, double limit,
                        trvi_axis *axis)
{
    double radii = couple->a.radius + couple->b.radius;
    if (!trvi_remembered(couple, cache, radii, axis))
        return false;
    if (!is_narrow(couple, axis))
        return true;
    trvi_nearest best = {.axis = *axis};
    find_best(couple, limit, &best);
    return surfaces_gap(couple, axis) >= TRVI_GOOD_PLANE * surfaces_gap(couple, &best.axis);
}

static void separate_couple(const trvi_couple *couple, trv_plane_cache *cache, bool known,
                            trv_separation *out)
{
    double radii = couple->a.radius + couple->b.radius;
    double limit = radii + TRVI_TOUCH * couple->scale;
    trvi_nearest nearest;
    if (known && still_parts(couple, cache, limit, &nearest.axis)) {
        tell(couple, &nearest.axis, true, cache, out);
        return;
    }
    out->remembered = trvi_still_meet(couple, cache);
    if (out->remembered)
        return;
    if (!find_apart(couple, limit, &nearest)) {
        if (nearest.has_simplex && nearest.simplex.count == 4)
            trvi_remember_meeting(&nearest.simplex, cache);
        return;
    }
    uint32_t index_a, index_b;
    trv_plane_source source;
    bool boxes = are_boxes(couple);
    if (boxes || !prefer_face(couple, limit, &nearest.axis, &source, &index_a, &index_b)) {
        // Edges or vertices: which ones, the shortest way between the shapes tells, where rounding
        // leaves one that parts them.
        trvi_nearest shortest;
        if (!boxes)
            trvi_nearest_find(couple, HUGE_VAL, &shortest);
        if (!boxes && shortest.axis.gap > limit)
            nearest = shortest;
        trvi_plane_source(couple, &nearest.axis, &source, &index_a, &index_b);
    }
    trvi_remember(&nearest.axis, true, cache);
    if (nearest.has_simplex)
        trvi_remember_nearest(&nearest.simplex, cache);
    cache->source = (uint32_t)source;
    cache->index_a = index_a;
    cache->index_b = index_b;
    tell(couple, &nearest.axis, false, cache, out);
}

// The answer is turned round where the half-space is B.
static void separate_halfspace(const trvi_view *view, const trv_plane *plane, trv_pose plane_pose,
                               bool plane_is_a, trv_separation *out)
{
    trvi_halfspace half;
    uint32_t vertex = TRVI_NO_VERTEX;
    trvi_halfspace_set(&half, plane, plane_pose, view);
    double gap = trvi_halfspace_gap(&half, view, &vertex);
    double scale = view->reach + view->radius + fabs(half.limit);
    if (!(gap > TRVI_TOUCH * scale))
        return;
    out->apart = true;
    out->source = plane_is_a ? TRV_PLANE_FACE_A : TRV_PLANE_FACE_B;
    out->gap = gap_told(gap);
    out->plane.normal = trvi_vec3_from_double(half.in_world);
    trvi_dvec3 low =
        trvi_dmul_add(trvi_vertex(view, vertex), half.normal, -view->radius - 0.5 * gap);
    trvi_dvec3 n = trvi_dvec3_from(out->plane.normal);
    out->plane.offset = (float)-trvi_ddot(n, trvi_to_world(view, low));
    if (!plane_is_a) {
        out->plane.normal = trvi_negate(out->plane.normal);
        out->plane.offset = -out->plane.offset;
    }
}

static const trvi_separators separators = {separate_couple, separate_halfspace};

// In the order that the shapes themselves have; `cache` may be NULL.
static void separate_in_order(const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                              trv_pose pose_b, trv_plane_cache *cache, trv_separation *out)
{
    trvi_couple couple;
    trv_plane_cache own, turned;
    bool hasty = cache == NULL;
    if (hasty) {
        memset(&own, 0, sizeof own);
        cache = &own;
    }
    bool known = !hasty && trvi_is_known_source(a, b, cache);
    if (!trvi_is_turned(a, &pose_a, b, &pose_b)) {
        trvi_couple_set(&couple, a, pose_a, b, pose_b);
        couple.hasty = hasty;
        separate_couple(&couple, cache, known, out);
        return;
    }
    if (hasty)
        turned = own;
    else
        trvi_turn_cache(cache, a, &pose_a, b, &pose_b, &turned);
    trvi_memory before = trvi_memory_of(&turned);
    trvi_couple_set(&couple, b, pose_b, a, pose_a);
    couple.hasty = hasty;
    separate_couple(&couple, &turned, known, out);
    uint32_t index = out->index_a;
    out->index_a = out->index_b;
    out->index_b = index;
    out->source = (trv_plane_source)trvi_turned_source((uint32_t)out->source);
    if (out->apart) {
        out->plane.normal = trvi_negate(out->plane.normal);
        out->plane.offset = -out->plane.offset;
    }
    if (!hasty)
        trvi_turn_back(&before, &turned, a, &pose_a, b, &pose_b, cache);
}

trv_result trvi_separate_anew(const trv_shape *a, const trv_pose *pose_a, const trv_shape *b,
                              const trv_pose *pose_b, trv_plane_cache *cache, trv_separation *out)
{
    memset(out, 0, sizeof *out);
    trv_result result = trvi_check_question(a, *pose_a, b, *pose_b);
    if (result != TRV_OK)
        return result;
    if (cache != NULL)
        cache->gap = 0.0f; // until it is told
    if (trvi_has_compound(a, b)) {
        trvi_compound_separate(a, *pose_a, b, *pose_b, &separators, cache, out);
        return TRV_OK;
    }
    if (a->kind == TRV_SHAPE_PLANE || b->kind == TRV_SHAPE_PLANE) {
        bool plane_is_a = a->kind == TRV_SHAPE_PLANE;
        trvi_view view;
        trvi_view_set(&view, plane_is_a ? b : a, plane_is_a ? *pose_b : *pose_a);
        separate_halfspace(&view, plane_is_a ? &a->as.plane : &b->as.plane,
                           plane_is_a ? *pose_a : *pose_b, plane_is_a, out);
        return TRV_OK;
    }
    separate_in_order(a, *pose_a, b, *pose_b, cache, out);
    return TRV_OK;
}
