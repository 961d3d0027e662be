// The convex hull of points as triangles: Quickhull with exact decisions.
//
// Each face holds the points above it. The highest of them joins the hull: the faces it sees fall
// away, a fan of new faces from the rim of the hole (the horizon) to the point closes it, and the
// points of the fallen faces move to a new face that they are above, or are inside and done with.
//
// "Above" is strict and exact, so all the theorems hold that a tolerance would break:
// - The faces that a point sees are connected and their rim is one simple loop.
// - A rim edge belongs to a seen face, so the point is not on the edge's line: no new face is flat.
// - A point that was above a fallen face and is outside the new hull is above a new face. (If it
//   sees a face across a rim edge and the fallen face at that edge, it sees the new face there,
//   whose normal is a combination of theirs with positive weights.)
// - Points in the plane of a face are not above it; copies of a vertex are above nothing.
// Each round makes one point a vertex for good, which bounds the rounds by the number of points.
//
// Based on: Barber, Dobkin and Huhdanpaa 1996, "The Quickhull algorithm for convex hulls".
#include "hull_build.h"

// An edge of the rim, in the direction of the fallen face.
typedef struct horizon_edge {
    uint32_t start, end; // points
    uint32_t outside;    // the face that stays
} horizon_edge;

static trvi_hull_face *faces_of(const trvi_hull_builder *builder)
{
    return builder->faces.items;
}

// The height of point q above a face times its normal's length, and whether q is strictly above.
// A face's first vertex is the origin of its heights; `from_origin` is q minus it.
static bool is_above(const trvi_hull_builder *builder, const trvi_hull_face *face, uint32_t q,
                     trvi_dvec3 from_origin, double *height)
{
    *height = trvi_filter_height(&face->filter, from_origin);
    if (fabs(*height) > face->filter.error)
        return *height > 0.0;
    const trv_vec3 *p = builder->points;
    const uint32_t *v = face->vertex;
    return trvi_orient3d(p[v[0]], p[v[1]], p[v[2]], p[q]) > 0;
}

static trvi_dvec3 offset_from(const trv_vec3 *points, uint32_t origin, uint32_t q)
{
    return trvi_dsub(trvi_dvec3_from(points[q]), trvi_dvec3_from(points[origin]));
}

// A face from the free list or a new one; there is room. Its neighbours are left to the caller.
static uint32_t make_face(trvi_hull_builder *builder, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t index = builder->free_face;
    if (index == TRVI_NONE)
        index = builder->faces.count++;
    trvi_hull_face *face = &faces_of(builder)[index];
    if (index == builder->free_face)
        builder->free_face = face->next_free;
    const trv_vec3 *p = builder->points;
    face->vertex[0] = a;
    face->vertex[1] = b;
    face->vertex[2] = c;
    face->filter = trvi_make_side_filter(p[a], p[b], p[c], builder->reach);
    face->height = 0.0;
    face->conflicts = TRVI_NONE;
    face->mark = 0;
    face->alive = true;
    return index;
}

static void free_face(trvi_hull_builder *builder, uint32_t index)
{
    trvi_hull_face *face = &faces_of(builder)[index];
    face->alive = false;
    face->conflicts = TRVI_NONE;
    face->next_free = builder->free_face;
    builder->free_face = index;
}

static void enqueue(trvi_hull_builder *builder, uint32_t index)
{
    trvi_hull_face *faces = faces_of(builder);
    if (faces[index].queued)
        return;
    faces[index].queued = true;
    faces[index].next_queued = TRVI_NONE;
    if (builder->queue_first == TRVI_NONE)
        builder->queue_first = index;
    else
        faces[builder->queue_last].next_queued = index;
    builder->queue_last = index;
}

static uint32_t dequeue(trvi_hull_builder *builder)
{
    uint32_t index = builder->queue_first;
    if (index != TRVI_NONE) {
        trvi_hull_face *face = &faces_of(builder)[index];
        builder->queue_first = face->next_queued;
        face->queued = false;
    }
    return index;
}

// Puts q on a face's list; the highest point stays in front.
static void add_conflict(trvi_hull_builder *builder, trvi_hull_face *face, uint32_t q,
                         double height)
{
    if (face->conflicts == TRVI_NONE || height > face->height) {
        builder->next_point[q] = face->conflicts;
        face->conflicts = q;
        face->height = height;
    } else {
        builder->next_point[q] = builder->next_point[face->conflicts];
        builder->next_point[face->conflicts] = q;
    }
}

// Fills `visible` with the faces that the point is above, from `start`, which is one, outwards; and
// `horizon` with their rim. Visits each visible face and each face beside one once.
static trv_result find_visible(trvi_hull_builder *builder, uint32_t start, uint32_t apex)
{
    const trv_allocator *allocator = &builder->allocator;
    trvi_hull_face *faces = faces_of(builder);
    // A region of n triangles without a hole has a rim of at most n + 2 edges.
    if (!trvi_array_reserve(allocator, &builder->visible, builder->faces.count) ||
        !trvi_array_reserve(allocator, &builder->horizon, builder->faces.count + 2))
        return TRV_ERROR_MEMORY;
    uint32_t *visible = builder->visible.items;
    horizon_edge *horizon = builder->horizon.items;
    uint32_t seen = 2 * ++builder->round, hidden = seen + 1, rim = 0, count = 0;
    visible[count++] = start;
    faces[start].mark = seen;
    for (uint32_t i = 0; i < count; i++) {
        const trvi_hull_face *face = &faces[visible[i]];
        for (uint32_t k = 0; k < 3; k++) {
            trvi_hull_face *beside = &faces[face->neighbor[k]];
            if (beside->mark == seen)
                continue;
            if (beside->mark != hidden) {
                double height;
                trvi_dvec3 offset = offset_from(builder->points, beside->vertex[0], apex);
                bool above = is_above(builder, beside, apex, offset, &height);
                beside->mark = above ? seen : hidden;
                if (above) {
                    visible[count++] = face->neighbor[k];
                    continue;
                }
            }
            horizon[rim++] = (horizon_edge){face->vertex[k], face->vertex[k == 2 ? 0 : k + 1],
                                            face->neighbor[k]};
        }
    }
    builder->visible.count = count;
    builder->horizon.count = rim;
    return TRV_OK;
}

// A new face for each rim edge: (apex, start, end), so that the apex is the origin of its heights.
static trv_result make_fan(trvi_hull_builder *builder, uint32_t apex)
{
    uint32_t count = builder->horizon.count;
    if (!trvi_array_reserve(&builder->allocator, &builder->faces, builder->faces.count + count) ||
        !trvi_array_reserve(&builder->allocator, &builder->fresh, count))
        return TRV_ERROR_MEMORY;
    const horizon_edge *horizon = builder->horizon.items;
    uint32_t *fresh = builder->fresh.items;
    trvi_hull_face *faces = faces_of(builder);
    for (uint32_t i = 0; i < count; i++) {
        fresh[i] = make_face(builder, apex, horizon[i].start, horizon[i].end);
        builder->face_at[horizon[i].start] = fresh[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        trvi_hull_face *face = &faces[fresh[i]], *outside = &faces[horizon[i].outside];
        uint32_t after = builder->face_at[horizon[i].end];
        face->neighbor[1] = horizon[i].outside;
        face->neighbor[2] = after;
        faces[after].neighbor[0] = fresh[i];
        for (uint32_t k = 0; k < 3; k++) // the edge back starts where this one ends
            if (outside->vertex[k] == horizon[i].end)
                outside->neighbor[k] = fresh[i];
    }
    builder->fresh.count = count;
    return TRV_OK;
}

// The points of the fallen faces go to the first new face that they are above.
static void move_conflicts(trvi_hull_builder *builder, uint32_t apex)
{
    const uint32_t *visible = builder->visible.items, *fresh = builder->fresh.items;
    trvi_hull_face *faces = faces_of(builder);
    for (uint32_t i = 0; i < builder->visible.count; i++) {
        uint32_t next = TRVI_NONE;
        for (uint32_t q = faces[visible[i]].conflicts; q != TRVI_NONE; q = next) {
            next = builder->next_point[q];
            if (q == apex)
                continue;
            trvi_dvec3 offset = offset_from(builder->points, apex, q);
            for (uint32_t k = 0; k < builder->fresh.count; k++) {
                trvi_hull_face *face = &faces[fresh[k]];
                double height;
                if (!is_above(builder, face, q, offset, &height))
                    continue;
                add_conflict(builder, face, q, height);
                break;
            }
        }
    }
}

// One round: the highest point above a face becomes a vertex.
static trv_result add_highest(trvi_hull_builder *builder, uint32_t index)
{
    uint32_t apex = faces_of(builder)[index].conflicts;
    trv_result result = find_visible(builder, index, apex);
    if (result == TRV_OK)
        result = make_fan(builder, apex);
    if (result != TRV_OK)
        return result;
    move_conflicts(builder, apex);
    const uint32_t *visible = builder->visible.items, *fresh = builder->fresh.items;
    for (uint32_t i = 0; i < builder->visible.count; i++)
        free_face(builder, visible[i]);
    for (uint32_t i = 0; i < builder->fresh.count; i++)
        if (faces_of(builder)[fresh[i]].conflicts != TRVI_NONE)
            enqueue(builder, fresh[i]);
    return TRV_OK;
}

// The tetrahedron, and every point in conflict with the first of its faces that it is above.
static trv_result start(trvi_hull_builder *builder, const uint32_t s[4])
{
    if (!trvi_array_reserve(&builder->allocator, &builder->faces, 4))
        return TRV_ERROR_MEMORY;
    make_face(builder, s[0], s[1], s[2]);
    make_face(builder, s[0], s[3], s[1]);
    make_face(builder, s[1], s[3], s[2]);
    make_face(builder, s[2], s[3], s[0]);
    static const uint32_t neighbors[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    trvi_hull_face *faces = faces_of(builder);
    for (uint32_t f = 0; f < 4; f++)
        for (uint32_t k = 0; k < 3; k++)
            faces[f].neighbor[k] = neighbors[f][k];
    for (uint32_t q = 0; q < builder->point_count; q++) {
        for (uint32_t f = 0; f < 4; f++) {
            double height;
            trvi_dvec3 offset = offset_from(builder->points, faces[f].vertex[0], q);
            if (!is_above(builder, &faces[f], q, offset, &height))
                continue;
            add_conflict(builder, &faces[f], q, height);
            break;
        }
    }
    for (uint32_t f = 0; f < 4; f++)
        enqueue(builder, f);
    return TRV_OK;
}

static trv_aabb box_of(const trv_vec3 *points, uint32_t count)
{
    trv_aabb box = {points[0], points[0]};
    for (uint32_t i = 1; i < count; i++) {
        box.lower = trvi_min(box.lower, points[i]);
        box.upper = trvi_max(box.upper, points[i]);
    }
    return box;
}

trv_result trvi_hull_triangulate(trvi_hull_builder *builder, const trv_allocator *allocator,
                                 const trv_vec3 *points, uint32_t count)
{
    *builder = (trvi_hull_builder){.allocator = *allocator,
                                   .points = points,
                                   .point_count = count,
                                   .faces = {.stride = sizeof(trvi_hull_face)},
                                   .visible = {.stride = sizeof(uint32_t)},
                                   .fresh = {.stride = sizeof(uint32_t)},
                                   .horizon = {.stride = sizeof(horizon_edge)},
                                   .free_face = TRVI_NONE,
                                   .queue_first = TRVI_NONE,
                                   .queue_last = TRVI_NONE};
    uint32_t simplex[4];
    trv_aabb box = box_of(points, count);
    builder->reach = trvi_dsub(trvi_dvec3_from(box.upper), trvi_dvec3_from(box.lower));
    trv_result result = trvi_hull_find_simplex(points, count, box, simplex);
    if (result != TRV_OK)
        return result;
    builder->next_point = trvi_allocate(allocator, sizeof(uint32_t) * count);
    builder->face_at = trvi_allocate(allocator, sizeof(uint32_t) * count);
    if (builder->next_point == NULL || builder->face_at == NULL)
        return TRV_ERROR_MEMORY;
    result = start(builder, simplex);
    // At most `count` rounds; each enqueues finitely many faces, and the queue holds a face once.
    for (uint32_t f = dequeue(builder); result == TRV_OK && f != TRVI_NONE; f = dequeue(builder))
        if (faces_of(builder)[f].alive && faces_of(builder)[f].conflicts != TRVI_NONE)
            result = add_highest(builder, f);
    TRVI_ASSERT(builder->round <= count);
    return result;
}

void trvi_hull_builder_free(trvi_hull_builder *builder)
{
    const trv_allocator *allocator = &builder->allocator;
    trvi_free(allocator, builder->next_point, sizeof(uint32_t) * builder->point_count);
    trvi_free(allocator, builder->face_at, sizeof(uint32_t) * builder->point_count);
    trvi_array_free(allocator, &builder->faces);
    trvi_array_free(allocator, &builder->visible);
    trvi_array_free(allocator, &builder->fresh);
    trvi_array_free(allocator, &builder->horizon);
}
