// A tree over a hull's planes: whoever asks which planes a place is above looks at few of them.
//
// A subtree's planes are bounded by a box round their normals and the greatest height of one point
// over them. The point is chosen near the faces: then what the box adds for a place near them is the
// product of two small lengths, and planes that miss the place by little are told from it all the
// same. The bounds hold whatever the hull's shape and however its planes were rounded: nothing rests
// on convexity. The faces are halved again and again along the axis on which their normals differ
// most, in proportion to the hull's own extent there.
// Invariant: each node's bounds hold for every face of its leaves; leaves differ by one face at most.
// Based on: Bentley 1975, "Multidimensional binary search trees used for associative searching".
#include <float.h>

#include "convex.h"
#include "sort_key.h"

enum { MIN_FACES = 96, LEAF_FACES = 8, EVEN_TURNS = 16 };

uint32_t trvi_plane_leaves(uint32_t face_count)
{
    if (face_count < MIN_FACES)
        return 0;
    uint32_t leaves = 1;
    while (leaves < (face_count + LEAF_FACES - 1) / LEAF_FACES)
        leaves *= 2;
    return leaves;
}

static float along(trv_vec3 v, uint32_t axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static float value_of_key(uint32_t key)
{
    uint32_t bits = key >> 31 ? key ^ UINT32_C(0x80000000) : ~key;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// Moves the faces of [first, last) so that no normal from `middle` on is less along the axis than one
// ahead of it; all are between `least` and `most`. Halves the range of values, which is quick where they
// are spread evenly, and after some turns that of their keys, which ends after 32 more.
static void halve(const trv_hull *hull, uint32_t first, uint32_t middle, uint32_t last,
                  uint32_t axis, float least, float most)
{
    uint32_t *order = hull->face_order;
    uint32_t low = trvi_sort_key_of_float(least), high = trvi_sort_key_of_float(most);
    for (uint32_t turn = 0; low < high; turn++) {
        uint32_t pivot = low + (high - low) / 2, split = first, below = low, above = high;
        if (turn < EVEN_TURNS) {
            float even = 0.5f * (value_of_key(low) + value_of_key(high));
            uint32_t key = trvi_sort_key_of_float(even);
            pivot = key >= low && key < high ? key : pivot;
        }
        for (uint32_t i = first; i < last; i++) {
            uint32_t face = order[i];
            uint32_t key = trvi_sort_key_of_float(along(hull->planes[face].normal, axis));
            if (key <= pivot) {
                below = key > below ? key : below;
                order[i] = order[split];
                order[split++] = face;
            } else {
                above = key < above ? key : above;
            }
        }
        if (split == middle)
            return;
        if (split < middle)
            first = split, low = above;
        else
            last = split, high = below;
    }
}

// Normals are no longer than 1, so rounding the middle moves it by less than FLT_EPSILON; rounding the
// spread is made up for likewise.
static void bound_axis(float least, float most, float *middle, float *spread)
{
    double half = 0.5 * ((double)most - (double)least);
    *middle = (float)(0.5 * ((double)least + (double)most));
    *spread = (float)((half + (double)FLT_EPSILON) * (1.0 + (double)FLT_EPSILON));
}

// Bounds the normals of the faces of [first, last), and moves the greater ones along the axis that
// matters most to `middle` and behind.
static void part_faces(const trv_hull *hull, uint32_t first, uint32_t middle, uint32_t last,
                       trvi_plane_bounds *bounds)
{
    trv_vec3 least = hull->planes[hull->face_order[first]].normal, most = least;
    for (uint32_t i = first + 1; i < last; i++) {
        trv_vec3 n = hull->planes[hull->face_order[i]].normal;
        least = trvi_min(least, n);
        most = trvi_max(most, n);
    }
    bound_axis(least.x, most.x, &bounds->normal.x, &bounds->spread.x);
    bound_axis(least.y, most.y, &bounds->normal.y, &bounds->spread.y);
    bound_axis(least.z, most.z, &bounds->normal.z, &bounds->spread.z);
    float x = bounds->spread.x * (hull->bounds.upper.x - hull->bounds.lower.x);
    float y = bounds->spread.y * (hull->bounds.upper.y - hull->bounds.lower.y);
    float z = bounds->spread.z * (hull->bounds.upper.z - hull->bounds.lower.z);
    uint32_t axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    if (middle > first)
        halve(hull, first, middle, last, axis, along(least, axis), along(most, axis));
}

// The mean of the faces' corners.
static trv_vec3 middle_of(const trv_hull *hull, uint32_t first, uint32_t last)
{
    trvi_dvec3 sum = {0.0, 0.0, 0.0};
    uint32_t count = 0;
    for (uint32_t i = first; i < last; i++) {
        uint32_t face = hull->face_order[i];
        for (uint32_t e = hull->face_first[face]; e < hull->face_first[face + 1]; e++, count++)
            sum = trvi_dadd(sum, trvi_dvec3_from(hull->vertices[hull->edge_origin[e]]));
    }
    return trvi_vec3_from_double(trvi_dscale(sum, 1.0 / count));
}

// Rounded up.
static float greatest_height(const trv_hull *hull, uint32_t first, uint32_t last, trv_vec3 at)
{
    double greatest = -HUGE_VAL;
    for (uint32_t i = first; i < last; i++) {
        const trv_plane *plane = &hull->planes[hull->face_order[i]];
        double height =
            trvi_ddot(trvi_dvec3_from(plane->normal), trvi_dvec3_from(at)) + (double)plane->offset;
        greatest = height > greatest ? height : greatest;
    }
    return (float)(greatest + (double)FLT_EPSILON * fabs(greatest) + (double)FLT_MIN);
}

void trvi_plane_tree_build(trv_hull *hull)
{
    uint32_t leaves = trvi_plane_leaves(hull->face_count);
    trvi_plane_bounds *bounds = hull->plane_bounds;
    if (leaves == 0)
        return;
    hull->plane_leaves = leaves;
    bounds[0] = (trvi_plane_bounds){{0.0f, 0.0f, 0.0f},
                                    {0.0f, 0.0f, 0.0f},
                                    {0.0f, 0.0f, 0.0f},
                                    0.0f}; // no node has the number 0
    for (uint32_t f = 0; f < hull->face_count; f++)
        hull->face_order[f] = f;
    for (uint32_t width = leaves; width > 0; width /= 2) { // leaves under a node of this level
        for (uint32_t leaf = 0; leaf < leaves; leaf += width)
            part_faces(hull, trvi_leaf_first(hull, leaf), trvi_leaf_first(hull, leaf + width / 2),
                       trvi_leaf_first(hull, leaf + width), &bounds[(leaves + leaf) / width]);
    }
    for (uint32_t leaf = 0; leaf < leaves; leaf++)
        bounds[leaves + leaf].at =
            middle_of(hull, trvi_leaf_first(hull, leaf), trvi_leaf_first(hull, leaf + 1));
    for (uint32_t node = leaves - 1; node > 0; node--)
        bounds[node].at = trvi_scale(trvi_add(bounds[2 * node].at, bounds[2 * node + 1].at), 0.5f);
    for (uint32_t width = leaves; width > 0; width /= 2)
        for (uint32_t leaf = 0; leaf < leaves; leaf += width) {
            trvi_plane_bounds *node = &bounds[(leaves + leaf) / width];
            node->height = greatest_height(hull, trvi_leaf_first(hull, leaf),
                                           trvi_leaf_first(hull, leaf + width), node->at);
        }
}
