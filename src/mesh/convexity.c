// Whether a closed surface is convex: no point stands above the plane of any face.
//
// Points are put in a tree of boxes, four to a node, so that for each face only the branches that
// reach above its plane are looked at: on a convex surface those near the face. How far a point may
// stand above grows with its distance, as the plane tilts when its corners were rounded.
// On flat sides cut into small faces all of the side is near each face's plane. They get a short cut: where
// faces are looked at for long, the mean direction of those that look the same way is taken for that
// of a side, and every face that lies in the side, but for the tilt that it is allowed, is done with.
// Invariant: a branch is left out only where the bound on its points' heights is allowed.
// Based on: Morton 1966, "A Computer Oriented Geodetic Data Base" (the order of the points);
// Sutherland, Sproull and Schumacker 1974, "A Characterization of Ten Hidden-Surface Algorithms"
// (Newell's normal of a polygon).
#include "sort.h"
#include "surface.h"

// 2^32 points make 16 levels; the stack holds up to three siblings of each and a full last one.
enum { WIDTH = 4, MAX_LEVELS = 16, STACK = WIDTH * MAX_LEVELS };

typedef struct point_tree {
    const trv_vec3 *points;
    const uint32_t *order; // points in leaf order: leaf i holds order[4 i .. 4 i + 4)
    trv_aabb *boxes;       // level by level, leaves first
    uint32_t level_first[MAX_LEVELS + 1];
    uint32_t level_count;
    uint32_t point_count;
} point_tree;

// How far points may stand above planes, by the size of the surface.
typedef struct allowance {
    double base;  // m, everywhere
    double step;  // m, by which rounding may move a point
    double thick; // m, a solid is thicker than this
    double size;  // m, no two points are further apart
} allowance;

// A direction, and how far along it the farthest point is.
typedef struct flat_side {
    trvi_dvec3 normal; // unit
    double farthest;   // m, from the first point
} flat_side;

// More sides than this are not remembered; each is kept for its use to 50 faces and more, but for the first.
enum { MAX_SIDES = 256, SIDE_USE = 50, SHORT_SEARCH = 64 };

typedef struct judge {
    const trvi_surface *surface;
    point_tree tree;
    flat_side sides[MAX_SIDES];
    uint32_t side_count;
    uint32_t last_side; // that was of use
    uint32_t uses;
    uint32_t searched; // nodes beyond short searches since the last side was made
} judge;

// A face's plane with the allowance that its size calls for.
typedef struct judged_plane {
    trvi_dvec3 origin;
    trvi_dvec3 normal; // unit
    double base;       // allowed height at the origin
    double slope;      // allowed height per distance from the origin
    double reach;      // allowed height as far away as any point is
} judged_plane;

static uint32_t spread_bits(uint32_t x) // ten bits, two zeros between each
{
    x = (x | x << 16) & UINT32_C(0x030000FF);
    x = (x | x << 8) & UINT32_C(0x0300F00F);
    x = (x | x << 4) & UINT32_C(0x030C30C3);
    return (x | x << 2) & UINT32_C(0x09249249);
}

static void sort_points(const trvi_surface *surface, trv_aabb box)
{
    double x = box.lower.x, y = box.lower.y, z = box.lower.z;
    double size = fmax(fmax(box.upper.x - x, box.upper.y - y), box.upper.z - z);
    double scale = size > 0.0 ? 1023.0 / size : 0.0;
    for (uint32_t i = 0; i < surface->point_count; ++i) {
        trv_vec3 p = surface->points[i];
        surface->keys[0][i] = spread_bits((uint32_t)((p.x - x) * scale)) |
                              spread_bits((uint32_t)((p.y - y) * scale)) << 1 |
                              spread_bits((uint32_t)((p.z - z) * scale)) << 2;
        surface->order[i] = i;
    }
    trvi_sort_by_key(surface->order, surface->scratch, surface->point_count, surface->keys[0]);
}

// The boxes of all levels; level_first must be set.
static void fill_tree(point_tree *tree)
{
    for (uint32_t i = 0; i < tree->point_count; ++i) {
        trv_vec3 p = tree->points[tree->order[i]];
        trv_aabb *box = &tree->boxes[i / WIDTH];
        *box = i % WIDTH == 0 ? (trv_aabb){p, p} : trvi_aabb_union(*box, (trv_aabb){p, p});
    }
    for (uint32_t level = 1; level < tree->level_count; ++level) {
        const trv_aabb *below = tree->boxes + tree->level_first[level - 1];
        uint32_t count = tree->level_first[level] - tree->level_first[level - 1];
        for (uint32_t i = 0; i < count; ++i) {
            trv_aabb *box = &tree->boxes[tree->level_first[level] + i / WIDTH];
            *box = i % WIDTH == 0 ? below[i] : trvi_aabb_union(*box, below[i]);
        }
    }
}

// Sizes the levels: the last one has a single node.
static void plan_tree(point_tree *tree)
{
    uint32_t nodes = (tree->point_count + WIDTH - 1) / WIDTH;
    tree->level_first[0] = 0;
    for (tree->level_count = 1; tree->level_count < MAX_LEVELS; ++tree->level_count) {
        tree->level_first[tree->level_count] = tree->level_first[tree->level_count - 1] + nodes;
        if (nodes <= 1)
            return;
        nodes = (nodes + WIDTH - 1) / WIDTH;
    }
}

// Whether some point of the box may stand above the plane by more than is allowed.
static bool may_exceed(const judged_plane *plane, const trv_aabb *box)
{
    trvi_dvec3 lower = trvi_dsub(trvi_dvec3_from(box->lower), plane->origin);
    trvi_dvec3 upper = trvi_dsub(trvi_dvec3_from(box->upper), plane->origin);
    trvi_dvec3 center = trvi_dscale(trvi_dadd(lower, upper), 0.5);
    trvi_dvec3 half = trvi_dsub(upper, center);
    trvi_dvec3 n = plane->normal;
    double highest =
        trvi_ddot(n, center) + fabs(n.x) * half.x + fabs(n.y) * half.y + fabs(n.z) * half.z;
    if (highest <= plane->base)
        return false;
    if (highest > plane->reach) // the usual case near the face, decided without square roots
        return true;
    double nearest = trvi_dlength(center) - trvi_dlength(half);
    return highest > plane->base + plane->slope * fmax(nearest, 0.0);
}

static bool exceeds(const judged_plane *plane, trv_vec3 point)
{
    trvi_dvec3 d = trvi_dsub(trvi_dvec3_from(point), plane->origin);
    double height = trvi_ddot(plane->normal, d);
    return height > plane->base && height > plane->base + plane->slope * trvi_dlength(d);
}

// The plane of a polygon by Newell's sum; *area_normal is twice its area along its normal. False
// for polygons so thin that rounding may turn them any way: their neighbours decide.
static bool plane_of(const trvi_surface *surface, const uint32_t *loop, uint32_t sides,
                     const allowance *allowed, judged_plane *plane, trvi_dvec3 *area_normal)
{
    trvi_dvec3 sum = {0.0, 0.0, 0.0}, before = sum;
    double longest = 0.0;
    plane->origin = trvi_dvec3_from(surface->points[loop[0]]);
    for (uint32_t k = 1; k < sides; ++k) {
        trvi_dvec3 d = trvi_dsub(trvi_dvec3_from(surface->points[loop[k]]), plane->origin);
        sum = trvi_dadd(sum, trvi_dcross(before, d));
        longest = fmax(longest, trvi_dlength(d));
        before = d;
    }
    *area_normal = sum;
    double length = trvi_dlength(sum);
    plane->base = allowed->base;
    plane->slope = 1.0;
    if (!(length > 0.0))
        return false;
    plane->normal = trvi_dscale(sum, 1.0 / length);
    plane->slope = 4.0 * allowed->step * longest / length;
    plane->reach = plane->base + plane->slope * allowed->size;
    return plane->slope < 1.0;
}

// Whether any point stands above the plane by more than is allowed; adds to *visited how many nodes that
// took to find out.
static bool search_tree(const point_tree *tree, const judged_plane *plane, uint32_t *visited)
{
    uint32_t levels[STACK], nodes[STACK], size = 1;
    levels[0] = tree->level_count - 1;
    nodes[0] = 0;
    while (size > 0) { // each node is visited once at most
        uint32_t level = levels[--size], node = nodes[size];
        ++*visited;
        if (!may_exceed(plane, &tree->boxes[tree->level_first[level] + node]))
            continue;
        uint32_t count = level == 0 ? tree->point_count
                                    : tree->level_first[level] - tree->level_first[level - 1];
        uint32_t first = node * WIDTH;
        uint32_t last = count - first < WIDTH ? count : first + WIDTH;
        for (uint32_t i = first; i < last; ++i) {
            if (level > 0) {
                levels[size] = level - 1;
                nodes[size++] = i;
            } else if (exceeds(plane, tree->points[tree->order[i]])) {
                return true;
            }
        }
    }
    return false;
}

// Whether the plane leans from a side's by no more than it may, and passes it by no lower than it may.
// With n = c m + r, where m is the side's normal and r is square to it, the height of a point at d from
// the origin is n.d = c m.d + r.d, which is allowed where c m.d <= base and |r| <= slope.
static bool lies_in_side(const flat_side *side, const judged_plane *plane, trvi_dvec3 first)
{
    double cosine = trvi_ddot(side->normal, plane->normal);
    if (!(cosine > 0.5))
        return false;
    trvi_dvec3 lean = trvi_dmul_add(plane->normal, side->normal, -cosine);
    double height = side->farthest - trvi_ddot(side->normal, trvi_dsub(plane->origin, first));
    return trvi_dlength(lean) <= plane->slope && cosine * height <= plane->base;
}

static bool lies_in_any_side(judge *by, const judged_plane *plane)
{
    trvi_dvec3 first = trvi_dvec3_from(by->surface->points[0]);
    uint32_t at = by->last_side;
    for (uint32_t i = 0; i < by->side_count; ++i) {
        if (lies_in_side(&by->sides[at], plane, first)) {
            by->last_side = at;
            ++by->uses;
            return true;
        }
        at = at + 1 < by->side_count ? at + 1 : 0;
    }
    return false;
}

// Makes a side of all faces that look the way of the plane, within about a degree. O(n).
static void add_side(judge *by, const judged_plane *plane, const allowance *allowed)
{
    const trvi_surface *surface = by->surface;
    trvi_dvec3 sum = {0.0, 0.0, 0.0}, area;
    judged_plane other;
    for (uint32_t face = 0; face < surface->face_count; ++face) {
        uint32_t begin = surface->face_first[face], end = surface->face_first[face + 1];
        const uint32_t *loop = surface->corners + (begin - surface->face_first[0]);
        if (plane_of(surface, loop, end - begin, allowed, &other, &area) &&
            trvi_ddot(other.normal, plane->normal) > TRVI_MESH_SIDE_COSINE)
            sum = trvi_dadd(sum, area);
    }
    double length = trvi_dlength(sum);
    if (!(length > 0.0))
        return;
    flat_side side = {trvi_dscale(sum, 1.0 / length), 0.0};
    trvi_dvec3 first = trvi_dvec3_from(surface->points[0]);
    for (uint32_t i = 1; i < surface->point_count; ++i)
        side.farthest =
            fmax(side.farthest,
                 trvi_ddot(side.normal, trvi_dsub(trvi_dvec3_from(surface->points[i]), first)));
    by->last_side = by->side_count;
    by->sides[by->side_count++] = side;
}

// Whether any point stands above the plane by more than is allowed. A side is made when the long
// searches since the last one took as long as making one does.
static bool any_exceeds(judge *by, const judged_plane *plane, const allowance *allowed)
{
    if (lies_in_any_side(by, plane))
        return false;
    uint32_t visited = 0;
    if (search_tree(&by->tree, plane, &visited))
        return true;
    if (visited > SHORT_SEARCH)
        by->searched += visited - SHORT_SEARCH;
    bool worth = by->side_count < 2 || by->uses / SIDE_USE + 2 > by->side_count;
    if (by->searched > by->surface->face_count && by->side_count < MAX_SIDES && worth) {
        by->searched = 0;
        add_side(by, plane, allowed);
    }
    return false;
}

static bool is_planar(const trvi_surface *surface, const uint32_t *loop, uint32_t sides,
                      const judged_plane *plane)
{
    judged_plane below = *plane;
    below.normal = trvi_dscale(plane->normal, -1.0);
    for (uint32_t k = 1; k < sides; ++k)
        if (exceeds(plane, surface->points[loop[k]]) || exceeds(&below, surface->points[loop[k]]))
            return false;
    return true;
}

// Whether no point stands above the face. Adds its share to six times the volume, twice the area.
static bool face_is_convex(judge *by, uint32_t face, const allowance *allowed, double *volume,
                           double *area)
{
    const trvi_surface *surface = by->surface;
    const uint32_t *loop = surface->corners + (surface->face_first[face] - surface->face_first[0]);
    uint32_t sides = surface->face_first[face + 1] - surface->face_first[face];
    judged_plane plane;
    trvi_dvec3 area_normal;
    bool sure = plane_of(surface, loop, sides, allowed, &plane, &area_normal);
    // About the first point, so that what cancels is as small as the surface.
    trvi_dvec3 arm = trvi_dsub(plane.origin, trvi_dvec3_from(surface->points[0]));
    *volume += trvi_ddot(arm, area_normal);
    *area += trvi_dlength(area_normal);
    if (sides == 3 || (sure && is_planar(surface, loop, sides, &plane)))
        return !sure || !any_exceeds(by, &plane, allowed);
    for (uint32_t k = 1; k + 1 < sides; ++k) {
        uint32_t triangle[3] = {loop[0], loop[k], loop[k + 1]};
        if (plane_of(surface, triangle, 3, allowed, &plane, &area_normal) &&
            any_exceeds(by, &plane, allowed))
            return false;
    }
    return true;
}

static trv_aabb bounds_of(const trv_vec3 *points, uint32_t count)
{
    trv_aabb box = {points[0], points[0]};
    for (uint32_t i = 1; i < count; ++i)
        box = trvi_aabb_union(box, (trv_aabb){points[i], points[i]});
    return box;
}

static allowance allowance_for(trv_aabb box)
{
    trv_vec3 far = trvi_max(trvi_abs(box.lower), trvi_abs(box.upper));
    double largest = fmax(fmax(far.x, far.y), far.z);
    double diagonal =
        trvi_dlength(trvi_dsub(trvi_dvec3_from(box.upper), trvi_dvec3_from(box.lower)));
    double step = TRVI_MESH_ROUNDING * largest;
    return (allowance){TRVI_MESH_CONVEX_TOLERANCE * diagonal + 2.0 * step, step, 4.0 * step,
                       1.001 * diagonal};
}

trv_result trvi_surface_convexity(const trvi_surface *surface, const trv_allocator *allocator,
                                  bool *convex, uint32_t *concave_face)
{
    *convex = false;
    *concave_face = TRV_NO_FACE;
    trv_aabb box = bounds_of(surface->points, surface->point_count);
    allowance allowed = allowance_for(box);
    judge by = {.surface = surface,
                .tree = {.points = surface->points,
                         .order = surface->order,
                         .point_count = surface->point_count}};
    point_tree *tree = &by.tree;
    plan_tree(tree);
    size_t size = (tree->level_first[tree->level_count - 1] + (size_t)1) * sizeof(trv_aabb);
    tree->boxes = trvi_allocate(allocator, size);
    if (tree->boxes == NULL)
        return TRV_ERROR_MEMORY;
    sort_points(surface, box);
    fill_tree(tree);

    double volume = 0.0, area = 0.0;
    for (uint32_t face = 0; face < surface->face_count && *concave_face == TRV_NO_FACE; ++face)
        if (!face_is_convex(&by, face, &allowed, &volume, &area))
            *concave_face = face;
    // A plate of thickness t has volume t * area / 2, and the sums hold 6 volumes and 2 areas.
    *convex = *concave_face == TRV_NO_FACE && volume * (2.0 / 3.0) > allowed.thick * area;
    trvi_free(allocator, tree->boxes, size);
    return TRV_OK;
}
