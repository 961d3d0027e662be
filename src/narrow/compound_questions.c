// Distance, separation and overlap of two shapes, one of which is a compound, at least.
//
// Each comes down to the same question about the pair of parts that matters most. How pairs of
// convex shapes are answered is handed in by the files that know: they ask this one, which asks
// nobody back.
// Based on: Lander 1999, "Crashing into the New Year", for the plane that is remembered.
#include <string.h>

#include "compound_search.h"
#include "questions.h"
#include "remember.h"

// Asks one pair of parts for the plane along a normal (in A's view of the pair), and notes it.
static bool tell_plane(trvi_duo *duo, const trvi_axis *axis, const trvi_best_pair *pair,
                       const trvi_separators *ways, trv_plane_cache *cache, trv_separation *out)
{
    const trvi_couple *couple = trvi_duo_hold(duo, pair->part_a, pair->part_b);
    trv_plane_cache own;
    trv_plane_source source;
    trvi_axis measured = *axis;
    memset(&own, 0, sizeof own);
    measured.gap = trvi_gap_along(couple, axis->normal, &measured.vertex_a, &measured.vertex_b);
    trvi_remember(&measured, true, &own);
    trvi_plane_source(couple, &measured, &source, &own.index_a, &own.index_b);
    own.source = (uint32_t)source;
    ways->couple(couple, &own, true, out);
    if (!out->apart)
        return false;
    out->part_a = pair->part_a;
    out->part_b = pair->part_b;
    trvi_dvec3 in_world = trvi_dmat3_mul(&couple->a.rotation, trvi_dvec3_from(own.normal));
    *cache = own;
    cache->gap = 0.0f; // that of one pair of parts is not kept
    cache->normal = trvi_vec3_from_double(trvi_dmat3_mul_transposed(&duo->a.rotation, in_world));
    return true;
}

// True where the plane in the cache still has all of A on one side and all of B on the other, and
// by more than climbs and rounding leave in doubt.
static bool tell_remembered(trvi_duo *duo, const trvi_separators *ways, trv_plane_cache *cache,
                            trv_separation *out)
{
    trvi_dvec3 n = trvi_dvec3_from(cache->normal);
    double square = trvi_ddot(n, n);
    if (!(square > 0.5) || !(square < 2.0)) // also NaN
        return false;
    n = trvi_dscale(n, 1.0 / sqrt(square));
    trvi_best_pair pair;
    trvi_dvec3 in_world = trvi_dmat3_mul(&duo->a.rotation, n);
    trvi_dvec3 in_b = trvi_dmat3_mul_transposed(&duo->b.rotation, in_world);
    trvi_dvec3 between = trvi_dsub(duo->b.position, duo->a.position);
    double gap = trvi_ddot(in_world, between);
    gap += trvi_lowest_part(&duo->a, trvi_dnegate(n), &pair.part_a);
    gap += trvi_lowest_part(&duo->b, in_b, &pair.part_b);
    double scale = duo->a.reach + duo->b.reach + trvi_dlength(between);
    if (!(gap > TRVI_CLIMB_DOUBT * scale))
        return false;
    const trvi_couple *couple = trvi_duo_hold(duo, pair.part_a, pair.part_b);
    trvi_axis axis = {trvi_dmat3_mul_transposed(&couple->a.rotation, in_world), gap, TRVI_NO_VERTEX,
                      TRVI_NO_VERTEX};
    if (!tell_plane(duo, &axis, &pair, ways, cache, out))
        return false;
    out->remembered = true;
    return true;
}

void trvi_compound_separate(const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                            trv_pose pose_b, const trvi_separators *ways, trv_plane_cache *cache,
                            trv_separation *out)
{
    trvi_ground g;
    if (trvi_ground_set(&g, a, pose_a, b, pose_b)) {
        trvi_view view;
        uint32_t part = trvi_ground_nearest(&g, &view);
        ways->half_space(&view, g.plane, g.plane_pose, g.plane_is_a, out);
        if (out->apart)
            *(g.plane_is_a ? &out->part_b : &out->part_a) = part;
        return;
    }
    trvi_duo duo;
    trvi_best_pair best;
    trv_plane_cache none;
    memset(&none, 0, sizeof none);
    if (cache == NULL)
        cache = &none;
    trvi_duo_set(&duo, a, pose_a, b, pose_b);
    if (tell_remembered(&duo, ways, cache, out))
        return;
    memset(out, 0, sizeof *out);
    if (!trvi_find_nearest(&duo, true, &best) ||
        !tell_plane(&duo, &best.axis, &best, ways, cache, out))
        return;
    out->remembered = false;
}

bool trvi_compound_overlap(const trv_shape *a, trv_pose pose_a, const trv_shape *b, trv_pose pose_b)
{
    trvi_duo duo;
    trvi_pair_walk walk;
    uint32_t part_a, part_b;
    trvi_duo_set(&duo, a, pose_a, b, pose_b);
    trvi_pair_walk_start(&walk, &duo.a, &duo.b);
    while (trvi_pair_walk_next(&walk, 0.0, &part_a, &part_b)) {
        const trvi_couple *couple = trvi_duo_hold(&duo, part_a, part_b);
        trvi_nearest nearest;
        if (!trvi_nearest_apart(couple, trvi_radii(couple) + TRVI_TOUCH * couple->scale, &nearest))
            return true;
    }
    return false;
}

void trvi_compound_distance(const trv_shape *a, trv_pose pose_a, const trv_shape *b,
                            trv_pose pose_b, const trvi_measures *ways, trv_gap *out)
{
    trvi_ground g;
    if (trvi_ground_set(&g, a, pose_a, b, pose_b)) {
        trvi_view view;
        uint32_t part = trvi_ground_nearest(&g, &view);
        ways->half_space(&view, g.plane, g.plane_pose, g.plane_is_a, out);
        *(g.plane_is_a ? &out->part_b : &out->part_a) = part;
        return;
    }
    trvi_duo duo;
    trvi_best_pair best;
    trvi_duo_set(&duo, a, pose_a, b, pose_b);
    trvi_find_nearest(&duo, false, &best);
    ways->couple(trvi_duo_hold(&duo, best.part_a, best.part_b), out);
    out->part_a = best.part_a;
    out->part_b = best.part_b;
}
