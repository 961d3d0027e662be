// The questions about two shapes, one of which is a compound, at least.
//
// Each comes down to the same question about a few pairs of parts, which a walk over both trees picks
// out: the nearest for distance and separation, the first that touches for overlap, all within the
// margin for contact. A half-space is asked part by part in the order of their lowest points.
// Invariant: a pair of parts gets the answer that it would get on its own, and the order of the walk
// shows in nothing.
// Based on: Roussopoulos, Kelley and Vincent 1995, "Nearest neighbor queries"; Lander 1999,
// "Crashing into the New Year", for the plane that is remembered.
#include <string.h>

#include "halfspace.h"
#include "heap_sort.h"
#include "questions.h"
#include "remember.h"

#define NO_PART UINT32_MAX

// Two sets of parts, and the couple of the pair at hand.
typedef struct part_pair {
    trvi_parts a, b;
    trvi_couple couple;
    uint32_t held_a, held_b; // whose views the couple holds
} part_pair;

static void duo_set(part_pair *duo, const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                    trv_pose pose_b)
{
    trvi_parts_set(&duo->a, a, pose_a);
    trvi_parts_set(&duo->b, b, pose_b);
    duo->held_a = duo->held_b = NO_PART;
}

static const trvi_couple *hold(part_pair *duo, uint32_t part_a, uint32_t part_b)
{
    if (duo->held_a != part_a)
        trvi_part_view(&duo->a, part_a, &duo->couple.a);
    if (duo->held_b != part_b)
        trvi_part_view(&duo->b, part_b, &duo->couple.b);
    duo->held_a = part_a;
    duo->held_b = part_b;
    trvi_couple_join(&duo->couple);
    return &duo->couple;
}

static double radii_of(const trvi_couple *couple)
{
    return couple->a.radius + couple->b.radius;
}

typedef struct best_pair {
    double gap; // between the surfaces
    trvi_axis axis;
    uint32_t part_a, part_b;
} best_pair;

// Ties go to the lower numbers, whatever the tree.
static bool is_better(const best_pair *best, double gap, uint32_t part_a, uint32_t part_b)
{
    if (gap != best->gap)
        return gap < best->gap;
    return part_a < best->part_a || (part_a == best->part_a && part_b < best->part_b);
}

// The pair of least signed distance. With `only_apart` it returns false at the first pair found that
// is not apart.
static bool find_nearest(part_pair *duo, bool only_apart, best_pair *best)
{
    trvi_pair_walk walk;
    uint32_t part_a, part_b;
    memset(best, 0, sizeof *best);
    best->gap = HUGE_VAL;
    best->part_a = best->part_b = NO_PART;
    trvi_pair_walk_start(&walk, &duo->a, &duo->b);
    while (trvi_pair_walk_next(&walk, best->gap, &part_a, &part_b)) {
        const trvi_couple *couple = hold(duo, part_a, part_b);
        trvi_nearest nearest;
        trvi_nearest_find(couple, best->gap + radii_of(couple), &nearest);
        double gap = nearest.axis.gap - radii_of(couple);
        if (only_apart && !(gap > TRVI_TOUCH * couple->scale))
            return false;
        if (nearest.beyond || !is_better(best, gap, part_a, part_b))
            continue;
        best->gap = gap;
        best->axis = nearest.axis;
        best->part_a = part_a;
        best->part_b = part_b;
    }
    return true;
}

// How far above a level a set begins along a direction of its frame.
typedef struct height {
    trvi_dvec3 direction;
    double level;
    double slack;
} height;

static double lowest_of_box(const void *context, const trvi_node *node)
{
    const height *h = context;
    trvi_dvec3 low = trvi_dvec3_from(node->lower), high = trvi_dvec3_from(node->upper);
    trvi_dvec3 d = h->direction;
    return d.x * (d.x > 0.0 ? low.x : high.x) + d.y * (d.y > 0.0 ? low.y : high.y) +
           d.z * (d.z > 0.0 ? low.z : high.z) - h->level - h->slack;
}

// The part that reaches lowest along unit `direction`, but for what climbs may miss.
static double lowest_part(const trvi_parts *parts, trvi_dvec3 direction, uint32_t *part)
{
    height h = {direction, 0.0, TRVI_BOUND_SLACK * parts->reach};
    double lowest = HUGE_VAL;
    trvi_part_walk walk;
    uint32_t next;
    *part = NO_PART;
    trvi_part_walk_start(&walk, parts, lowest_of_box, &h);
    while (trvi_part_walk_next(&walk, lowest, &next)) {
        trvi_view view;
        trvi_view_set(&view, &parts->parts[next].shape, parts->parts[next].pose);
        trvi_dvec3 down = trvi_dnegate(trvi_dmat3_mul_transposed(&view.rotation, direction));
        uint32_t vertex = trvi_support(&view, down, TRVI_NO_VERTEX);
        trvi_dvec3 point = trvi_to_world(&view, trvi_vertex(&view, vertex));
        double low = trvi_ddot(direction, point) - view.radius;
        if (low < lowest || (low == lowest && next < *part)) {
            lowest = low;
            *part = next;
        }
    }
    return lowest;
}

// Asks one pair of parts for the plane along a normal (in A's view of the pair), and notes it.
static bool tell_plane(part_pair *duo, const trvi_axis *axis, const best_pair *pair,
                       trv_plane_cache *cache, trv_separation *out)
{
    const trvi_couple *couple = hold(duo, pair->part_a, pair->part_b);
    trv_plane_cache own;
    trv_plane_source source;
    trvi_axis measured = *axis;
    memset(&own, 0, sizeof own);
    measured.gap = trvi_gap_along(couple, axis->normal, &measured.vertex_a, &measured.vertex_b);
    trvi_remember(&measured, &own);
    trvi_plane_source(couple, &measured, &source, &own.index_a, &own.index_b);
    own.source = (uint32_t)source;
    trvi_separate_couple(couple, &own, out);
    if (!out->apart)
        return false;
    out->part_a = pair->part_a;
    out->part_b = pair->part_b;
    trvi_dvec3 in_world = trvi_dmat3_mul(&couple->a.rotation, trvi_dvec3_from(own.normal));
    *cache = own;
    cache->normal = trvi_vec3_from_double(trvi_dmat3_mul_transposed(&duo->a.rotation, in_world));
    return true;
}

// True where the plane in the cache still has all of A on one side and all of B on the other, and
// by more than climbs and rounding leave in doubt.
static bool tell_remembered(part_pair *duo, trv_plane_cache *cache, trv_separation *out)
{
    trvi_dvec3 n = trvi_dvec3_from(cache->normal);
    double square = trvi_ddot(n, n);
    if (!(square > 0.5) || !(square < 2.0)) // also NaN
        return false;
    n = trvi_dscale(n, 1.0 / sqrt(square));
    best_pair pair;
    trvi_dvec3 in_world = trvi_dmat3_mul(&duo->a.rotation, n);
    trvi_dvec3 in_b = trvi_dmat3_mul_transposed(&duo->b.rotation, in_world);
    trvi_dvec3 between = trvi_dsub(duo->b.position, duo->a.position);
    double gap = trvi_ddot(in_world, between);
    gap += lowest_part(&duo->a, trvi_dnegate(n), &pair.part_a);
    gap += lowest_part(&duo->b, in_b, &pair.part_b);
    double scale = duo->a.reach + duo->b.reach + trvi_dlength(between);
    if (!(gap > TRVI_CLIMB_DOUBT * scale))
        return false;
    const trvi_couple *couple = hold(duo, pair.part_a, pair.part_b);
    trvi_axis axis = {trvi_dmat3_mul_transposed(&couple->a.rotation, in_world), gap, TRVI_NO_VERTEX,
                      TRVI_NO_VERTEX};
    if (!tell_plane(duo, &axis, &pair, cache, out))
        return false;
    out->remembered = true;
    return true;
}

// A compound and a half-space, sorted out.
typedef struct grounded {
    trvi_parts parts;
    const trv_plane *plane;
    trv_pose plane_pose;
    bool plane_is_a;
} grounded;

// False where neither is a half-space.
static bool grounded_set(grounded *g, const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                         trv_pose pose_b)
{
    if (a->kind != TRV_SHAPE_PLANE && b->kind != TRV_SHAPE_PLANE)
        return false;
    g->plane_is_a = a->kind == TRV_SHAPE_PLANE;
    g->plane = g->plane_is_a ? &a->as.plane : &b->as.plane;
    g->plane_pose = g->plane_is_a ? pose_a : pose_b;
    trvi_parts_set(&g->parts, g->plane_is_a ? b : a, g->plane_is_a ? pose_b : pose_a);
    return true;
}

// The half-space in the frame of the parts. All that it needs of a view is the frame.
static height height_of(const grounded *g)
{
    trvi_view frame;
    trvi_halfspace half;
    frame.rotation = g->parts.rotation;
    frame.position = g->parts.position;
    trvi_halfspace_set(&half, g->plane, g->plane_pose, &frame);
    double slack = TRVI_BOUND_SLACK * (g->parts.reach + fabs(half.limit)) +
                   TRVI_PLACE_SLACK * trvi_dlength(g->parts.position);
    return (height){half.normal, half.limit, slack};
}

// The part with the least gap to the half-space, and its view.
static uint32_t lowest_above(const grounded *g, trvi_view *view)
{
    height h = height_of(g);
    double least = HUGE_VAL;
    trvi_part_walk walk;
    uint32_t next, nearest = NO_PART;
    trvi_part_walk_start(&walk, &g->parts, lowest_of_box, &h);
    while (trvi_part_walk_next(&walk, least, &next)) {
        uint32_t vertex = TRVI_NO_VERTEX;
        trvi_halfspace half;
        trvi_part_view(&g->parts, next, view);
        trvi_halfspace_set(&half, g->plane, g->plane_pose, view);
        double gap = trvi_halfspace_gap(&half, view, &vertex);
        if (gap < least || (gap == least && next < nearest)) {
            least = gap;
            nearest = next;
        }
    }
    trvi_part_view(&g->parts, nearest, view);
    return nearest;
}

void trvi_compound_separate(const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                            trv_pose pose_b, trv_plane_cache *cache, trv_separation *out)
{
    grounded g;
    if (grounded_set(&g, a, pose_a, b, pose_b)) {
        trvi_view view;
        uint32_t part = lowest_above(&g, &view);
        trvi_separate_half_space(&view, g.plane, g.plane_pose, g.plane_is_a, out);
        if (out->apart)
            *(g.plane_is_a ? &out->part_b : &out->part_a) = part;
        return;
    }
    part_pair duo;
    best_pair best;
    trv_plane_cache none;
    memset(&none, 0, sizeof none);
    if (cache == NULL)
        cache = &none;
    duo_set(&duo, a, pose_a, b, pose_b);
    if (tell_remembered(&duo, cache, out))
        return;
    memset(out, 0, sizeof *out);
    if (!find_nearest(&duo, true, &best) || !tell_plane(&duo, &best.axis, &best, cache, out))
        return;
    out->remembered = false;
}

bool trvi_compound_overlap(const trv_shape *a, trv_pose pose_a, const trv_shape *b, trv_pose pose_b)
{
    grounded g;
    if (grounded_set(&g, a, pose_a, b, pose_b)) {
        trv_separation separation;
        memset(&separation, 0, sizeof separation);
        trvi_compound_separate(a, pose_a, b, pose_b, NULL, &separation);
        return !separation.apart;
    }
    part_pair duo;
    trvi_pair_walk walk;
    uint32_t part_a, part_b;
    duo_set(&duo, a, pose_a, b, pose_b);
    trvi_pair_walk_start(&walk, &duo.a, &duo.b);
    while (trvi_pair_walk_next(&walk, 0.0, &part_a, &part_b)) {
        const trvi_couple *couple = hold(&duo, part_a, part_b);
        trvi_nearest nearest;
        if (!trvi_nearest_apart(couple, radii_of(couple) + TRVI_TOUCH * couple->scale, &nearest))
            return true;
    }
    return false;
}

void trvi_compound_distance(const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                            trv_pose pose_b, trv_gap *out)
{
    grounded g;
    if (grounded_set(&g, a, pose_a, b, pose_b)) {
        trvi_view view;
        uint32_t part = lowest_above(&g, &view);
        trvi_gap_half_space(&view, g.plane, g.plane_pose, g.plane_is_a, out);
        *(g.plane_is_a ? &out->part_b : &out->part_a) = part;
        return;
    }
    part_pair duo;
    best_pair best;
    duo_set(&duo, a, pose_a, b, pose_b);
    find_nearest(&duo, false, &best);
    trvi_gap_couple(hold(&duo, best.part_a, best.part_b), out);
    out->part_a = best.part_a;
    out->part_b = best.part_b;
}

// The manifolds that trv_collide_all hands out, as far as there is room.
typedef struct collection {
    trv_manifold *manifolds;
    uint32_t capacity;
    uint32_t count;
} collection;

static void collect(collection *to, trv_manifold *manifold, uint32_t part_a, uint32_t part_b)
{
    manifold->part_a = part_a;
    manifold->part_b = part_b;
    if (to->count < to->capacity)
        to->manifolds[to->count] = *manifold;
    to->count += to->count < UINT32_MAX; // more than can be counted, and than there is room for
}

static void collect_grounded(const grounded *g, double margin, collection *to)
{
    trvi_view view;
    height h = height_of(g);
    trvi_part_walk walk;
    uint32_t part;
    trvi_part_walk_start(&walk, &g->parts, lowest_of_box, &h);
    while (trvi_part_walk_next(&walk, margin, &part)) {
        uint32_t vertex = TRVI_NO_VERTEX;
        trv_manifold manifold;
        memset(&manifold, 0, sizeof manifold);
        trvi_part_view(&g->parts, part, &view);
        if (trvi_collide_half_space(&view, g->plane, g->plane_pose, g->plane_is_a, margin, &vertex,
                                    &manifold) == TRVI_CONTACT)
            collect(to, &manifold, g->plane_is_a ? 0 : part, g->plane_is_a ? part : 0);
    }
}

static void collect_pairs(part_pair *duo, double margin, collection *to)
{
    trvi_pair_walk walk;
    uint32_t part_a, part_b;
    trvi_pair_walk_start(&walk, &duo->a, &duo->b);
    while (trvi_pair_walk_next(&walk, margin, &part_a, &part_b)) {
        trv_manifold manifold;
        trv_plane_cache none;
        memset(&manifold, 0, sizeof manifold);
        memset(&none, 0, sizeof none);
        if (trvi_collide_couple(hold(duo, part_a, part_b), margin, &none, &manifold) ==
            TRVI_CONTACT)
            collect(to, &manifold, part_a, part_b);
    }
}

static bool comes_before(const void *context, uint32_t i, uint32_t j)
{
    const collection *c = context;
    const trv_manifold *a = &c->manifolds[i], *b = &c->manifolds[j];
    return a->part_a < b->part_a || (a->part_a == b->part_a && a->part_b < b->part_b);
}

static void swap_manifolds(void *context, uint32_t i, uint32_t j)
{
    collection *c = context;
    trv_manifold manifold = c->manifolds[i];
    c->manifolds[i] = c->manifolds[j];
    c->manifolds[j] = manifold;
}

trv_result trv_collide_all(const trv_shape *a, trv_pose pose_a, const trv_shape *b, trv_pose pose_b,
                           float margin, trv_manifold *manifolds, uint32_t capacity,
                           uint32_t *count)
{
    if (count == NULL)
        return TRV_ERROR_NULL;
    *count = 0;
    if (manifolds == NULL && capacity > 0)
        return TRV_ERROR_NULL;
    trv_result result = trvi_check_question(a, pose_a, b, pose_b);
    if (result == TRV_OK)
        result = trvi_check_range(margin, 0.0f, TRV_COORD_MAX);
    collection to = {manifolds, capacity, 0};
    if (result == TRV_OK) {
        grounded g;
        part_pair duo;
        if (grounded_set(&g, a, pose_a, b, pose_b)) {
            collect_grounded(&g, (double)margin, &to);
        } else {
            duo_set(&duo, a, pose_a, b, pose_b);
            collect_pairs(&duo, (double)margin, &to);
        }
        *count = to.count;
        result = to.count > capacity ? TRV_ERROR_LIMIT : TRV_OK;
    }
    if (result == TRV_OK)
        trvi_heap_sort(to.count, comes_before, swap_manifolds, &to);
    else if (capacity > 0)
        memset(manifolds, 0, capacity * sizeof *manifolds);
    return result;
}
