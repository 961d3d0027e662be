// Compounds: making them, sharing them, reading them.
//
// The tree is built from the top: the parts below a node are sorted along the longest side of the
// box of their centres, and each half goes to a child. Trees are therefore balanced, and the same
// for the same parts whatever their order, but for parts whose boxes have one centre.
// Invariants: a node's box holds the boxes of its children; n parts have n leaves and n - 1 others.
// Based on: Ericson 2004, "Real-Time Collision Detection", section 6.2.
#include "compound.h"

#include <string.h>

#include "heap_sort.h"

trv_compound_def trv_default_compound_def(void)
{
    trv_compound_def def;
    memset(&def, 0, sizeof def);
    def.cookie = TRVI_COOKIE_COMPOUND;
    def.max_parts = 1u << 20;
    return def;
}

static trv_result check_def(const trv_compound_def *def)
{
    if (def == NULL)
        return TRV_ERROR_NULL;
    if (def->cookie != TRVI_COOKIE_COMPOUND)
        return TRV_ERROR_DEF;
    return def->max_parts <= TRVI_MAX_PARTS ? TRV_OK : TRV_ERROR_RANGE;
}

static trv_result check_part(const trv_compound_part *part)
{
    trv_result result = trv_shape_check(&part->shape);
    if (result == TRV_OK)
        result = trvi_check_pose(part->pose);
    if (part->shape.kind == TRV_SHAPE_PLANE || part->shape.kind == TRV_SHAPE_COMPOUND)
        result = TRV_ERROR_KIND;
    return result;
}

// What building needs beside the block.
typedef struct builder {
    trv_aabb *boxes; // [part_count] of the parts
    uint32_t *order; // [part_count] parts, those below one node side by side
    uint32_t *range; // in `order`: what is sorted now
    int axis;
} builder;

static float along(trv_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

// Twice the centre.
static trv_vec3 middle(const trv_aabb *box)
{
    return trvi_add(box->lower, box->upper);
}

static bool comes_before(const void *context, uint32_t i, uint32_t j)
{
    const builder *build = context;
    uint32_t a = build->range[i], b = build->range[j];
    float at_a = along(middle(&build->boxes[a]), build->axis);
    float at_b = along(middle(&build->boxes[b]), build->axis);
    return at_a < at_b || (at_a == at_b && a < b);
}

static void swap_parts(void *context, uint32_t i, uint32_t j)
{
    builder *build = context;
    uint32_t *range = build->range, part = range[i];
    range[i] = range[j];
    range[j] = part;
}

// Fills in a node over `count` parts and sorts them where there are two halves to make.
static void fill_node(builder *build, trvi_node *node, uint32_t first, uint32_t count)
{
    build->range = build->order + first;
    trv_aabb box = build->boxes[build->range[0]];
    trv_aabb centers = {middle(&box), middle(&box)};
    for (uint32_t i = 1; i < count; i++) {
        const trv_aabb *part = &build->boxes[build->range[i]];
        box = trvi_aabb_union(box, *part);
        centers = trvi_aabb_union(centers, (trv_aabb){middle(part), middle(part)});
    }
    node->lower = box.lower;
    node->upper = box.upper;
    node->right = 0;
    node->part = build->range[0];
    trv_vec3 size = trvi_sub(centers.upper, centers.lower);
    build->axis = 0;
    if (size.y > along(size, build->axis))
        build->axis = 1;
    if (size.z > along(size, build->axis))
        build->axis = 2;
    if (count > 1)
        trvi_heap_sort(count, comes_before, swap_parts, build);
}

// Halves differ by one at most, hence the depth: 2^TRVI_TREE_DEPTH parts have leaves at that depth.
static void build_tree(builder *build, trvi_node *nodes, uint32_t part_count)
{
    struct {
        uint32_t node, first, count;
    } stack[TRVI_TREE_DEPTH + 2];
    uint32_t top = 1;
    stack[0].node = stack[0].first = 0;
    stack[0].count = part_count;
    while (top > 0) { // once for each node
        uint32_t node = stack[--top].node, first = stack[top].first, count = stack[top].count;
        fill_node(build, &nodes[node], first, count);
        if (count == 1)
            continue;
        uint32_t left = (count + 1) / 2;
        nodes[node].right = node + 2 * left; // a tree of `left` leaves comes between
        nodes[node].part = 0;
        stack[top].node = nodes[node].right;
        stack[top].first = first + left;
        stack[top++].count = count - left;
        stack[top].node = node + 1;
        stack[top].first = first;
        stack[top++].count = left;
    }
}

// The largest length in the sums about a view.
static double reach_of(const trvi_view *view)
{
    return trvi_dlength(view->position) + view->reach + view->radius;
}

static trv_result measure_parts(trv_compound *compound, builder *build)
{
    trv_vec3 far = {TRV_COORD_MAX, TRV_COORD_MAX, TRV_COORD_MAX};
    trv_aabb most = {trvi_negate(far), far};
    for (uint32_t i = 0; i < compound->part_count; i++) {
        trvi_view view;
        trvi_view_set(&view, &compound->parts[i].shape, compound->parts[i].pose);
        build->boxes[i] = trvi_view_bounds(&view, 0.0);
        build->order[i] = i;
        compound->reach = trvi_dmax(compound->reach, reach_of(&view));
        if (!trvi_aabb_contains(most, build->boxes[i]))
            return TRV_ERROR_RANGE;
    }
    return TRV_OK;
}

static trv_result fill(trv_compound *compound)
{
    size_t count = compound->part_count, size = count * (sizeof(trv_aabb) + sizeof(uint32_t));
    builder build;
    memset(&build, 0, sizeof build);
    build.boxes = trvi_allocate(&compound->allocator, size);
    if (build.boxes == NULL)
        return TRV_ERROR_MEMORY;
    build.order = (uint32_t *)(void *)(build.boxes + count);
    trv_result result = measure_parts(compound, &build);
    if (result == TRV_OK)
        build_tree(&build, compound->nodes, compound->part_count);
    trvi_free(&compound->allocator, build.boxes, size);
    return result;
}

// Parts are good.
static trv_result create(const trv_compound_part *parts, uint32_t count, trv_allocator allocator,
                         trv_compound **out)
{
    size_t size = sizeof(trv_compound) + count * (sizeof *parts + 2 * sizeof(trvi_node));
    trv_compound *compound = trvi_allocate(&allocator, size);
    if (compound == NULL)
        return TRV_ERROR_MEMORY;
    compound->allocator = allocator;
    compound->block_size = size;
    atomic_init(&compound->references, 1u);
    compound->part_count = count;
    compound->parts = (void *)(compound + 1);
    compound->nodes = (void *)(compound->parts + count);
    memcpy(compound->parts, parts, count * sizeof *parts);
    trv_result result = fill(compound);
    if (result != TRV_OK) {
        trvi_free(&allocator, compound, size);
        return result;
    }
    for (uint32_t i = 0; i < count; i++)
        if (parts[i].shape.kind == TRV_SHAPE_HULL)
            trvi_convex_retain(parts[i].shape.as.hull);
    *out = compound;
    return TRV_OK;
}

trv_result trv_compound_create(const trv_compound_part *parts, uint32_t count,
                               const trv_compound_def *def, trv_compound **out)
{
    if (out == NULL)
        return TRV_ERROR_NULL;
    *out = NULL;
    trv_result result = check_def(def);
    if (result != TRV_OK)
        return result;
    if (parts == NULL)
        return TRV_ERROR_NULL;
    if (count == 0)
        return TRV_ERROR_RANGE;
    if (count > def->max_parts)
        return TRV_ERROR_LIMIT;
    for (uint32_t i = 0; i < count && result == TRV_OK; i++)
        result = check_part(&parts[i]);
    if (result != TRV_OK)
        return result;
    return create(parts, count, trvi_allocator_or_default(def->allocator), out);
}

void trv_compound_retain(const trv_compound *compound)
{
    if (compound)
        atomic_fetch_add_explicit(&((trv_compound *)compound)->references, 1u,
                                  memory_order_relaxed);
}

void trv_compound_release(const trv_compound *compound)
{
    trv_compound *own = (trv_compound *)compound;
    if (own == NULL || atomic_fetch_sub_explicit(&own->references, 1u, memory_order_acq_rel) != 1u)
        return;
    for (uint32_t i = 0; i < own->part_count; i++)
        if (own->parts[i].shape.kind == TRV_SHAPE_HULL)
            trvi_convex_release(own->parts[i].shape.as.hull);
    trv_allocator allocator = own->allocator;
    trvi_free(&allocator, own, own->block_size);
}

uint32_t trv_compound_part_count(const trv_compound *compound)
{
    return compound ? compound->part_count : 0;
}

trv_result trv_compound_part_get(const trv_compound *compound, uint32_t index,
                                 trv_compound_part *out)
{
    if (out == NULL)
        return TRV_ERROR_NULL;
    memset(out, 0, sizeof *out);
    if (compound == NULL)
        return TRV_ERROR_NULL;
    if (index >= compound->part_count)
        return TRV_ERROR_INDEX;
    *out = compound->parts[index];
    return TRV_OK;
}

trv_aabb trv_compound_bounds_local(const trv_compound *compound)
{
    trv_aabb none = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    return compound ? (trv_aabb){compound->nodes[0].lower, compound->nodes[0].upper} : none;
}

void trvi_parts_set(trvi_parts *parts, const trv_shape *shape, trv_pose pose)
{
    parts->rotation = trvi_dmat3_from_quat(pose.rotation);
    parts->position = trvi_dvec3_from(pose.position);
    if (shape->kind == TRV_SHAPE_COMPOUND) {
        parts->nodes = shape->as.compound->nodes;
        parts->parts = shape->as.compound->parts;
        parts->reach = shape->as.compound->reach;
        return;
    }
    trvi_view view;
    parts->own_part.shape = *shape;
    parts->own_part.pose = trv_make_pose((trv_vec3){0.0f, 0.0f, 0.0f});
    trvi_view_set(&view, shape, parts->own_part.pose);
    bool is_hull = shape->kind == TRV_SHAPE_HULL; // its vertices may be many, and are measured
    trv_aabb box = is_hull ? shape->as.hull->bounds : trvi_view_bounds(&view, 0.0);
    parts->own_node = (trvi_node){box.lower, 0, box.upper, 0};
    parts->reach = reach_of(&view);
    parts->nodes = &parts->own_node;
    parts->parts = &parts->own_part;
}

void trvi_part_view(const trvi_parts *parts, uint32_t part, trvi_view *view)
{
    trvi_view_set(view, &parts->parts[part].shape, parts->parts[part].pose);
    trvi_view_nest(view, &parts->rotation, parts->position);
}
