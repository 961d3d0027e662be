// Walks over the tree of one set of parts, or over those of two at once.
//
// Depth first with a stack of fixed size; of two children the one of lower bound comes first, so
// that good answers come early and cut off the rest. A walk over two trees opens the larger of two
// boxes.
// Invariant: each step takes one entry off the stack and puts back two from one level further down,
// hence never more entries than levels, and one.
// Based on: Gottschalk, Lin and Manocha 1996, "OBBTree"; Roussopoulos, Kelley and Vincent 1995,
// "Nearest neighbor queries" (branch and bound).
#include "compound.h"

static void push_part(trvi_part_walk *walk, uint32_t node, double bound)
{
    TRVI_ASSERT(walk->count < TRVI_TREE_DEPTH + 2);
    walk->stack[walk->count].node = node;
    walk->stack[walk->count++].bound = bound;
}

void trvi_part_walk_start(trvi_part_walk *walk, const trvi_parts *parts, trvi_node_bound *bound,
                          const void *context)
{
    walk->parts = parts;
    walk->bound = bound;
    walk->context = context;
    walk->count = 0;
    push_part(walk, 0, bound(context, &parts->nodes[0]));
}

bool trvi_part_walk_next(trvi_part_walk *walk, double limit, uint32_t *part)
{
    const trvi_node *nodes = walk->parts->nodes;
    while (walk->count > 0) { // at most once for each node of the tree
        uint32_t at = walk->stack[--walk->count].node;
        if (walk->stack[walk->count].bound > limit)
            continue;
        if (nodes[at].right == 0) {
            *part = nodes[at].part;
            return true;
        }
        uint32_t left = at + 1, right = nodes[at].right;
        double to_left = walk->bound(walk->context, &nodes[left]);
        double to_right = walk->bound(walk->context, &nodes[right]);
        if (to_left <= to_right) {
            push_part(walk, right, to_right);
            push_part(walk, left, to_left);
        } else {
            push_part(walk, left, to_left);
            push_part(walk, right, to_right);
        }
    }
    return false;
}

static trvi_dvec3 absolute(trvi_dvec3 v)
{
    return (trvi_dvec3){fabs(v.x), fabs(v.y), fabs(v.z)};
}

static trvi_dvec3 middle_of(const trvi_node *node)
{
    return trvi_dscale(trvi_dadd(trvi_dvec3_from(node->lower), trvi_dvec3_from(node->upper)), 0.5);
}

static trvi_dvec3 half_of(const trvi_node *node)
{
    return trvi_dscale(trvi_dsub(trvi_dvec3_from(node->upper), trvi_dvec3_from(node->lower)), 0.5);
}

// Distance of two boxes along the axes from the gaps on each; where all overlap, the widest gap.
static double gap_of(trvi_dvec3 gaps)
{
    double widest = trvi_dmax(trvi_dmax(gaps.x, gaps.y), gaps.z);
    if (widest <= 0.0)
        return widest;
    trvi_dvec3 zero = {0.0, 0.0, 0.0};
    trvi_dvec3 apart = {trvi_dmax(gaps.x, zero.x), trvi_dmax(gaps.y, zero.y),
                        trvi_dmax(gaps.z, zero.z)};
    return trvi_dlength(apart);
}

double trvi_box_gap(const trvi_pair_walk *walk, const trvi_node *a, const trvi_node *b)
{
    trvi_dvec3 half_a = half_of(a), half_b = half_of(b);
    trvi_dvec3 to_b = trvi_dadd(trvi_dmat3_mul(&walk->rotation, middle_of(b)), walk->offset);
    trvi_dvec3 between = trvi_dsub(to_b, middle_of(a));
    // In each frame in turn, with the box along the axes that holds the other.
    trvi_dvec3 wide_b = trvi_dmat3_mul(&walk->absolute, half_b);
    trvi_dvec3 in_a = trvi_dsub(absolute(between), trvi_dadd(half_a, wide_b));
    trvi_dvec3 wide_a = trvi_dmat3_mul_transposed(&walk->absolute, half_a);
    trvi_dvec3 in_b = trvi_dsub(absolute(trvi_dmat3_mul_transposed(&walk->rotation, between)),
                                trvi_dadd(half_b, wide_a));
    return trvi_dmax(gap_of(in_a), gap_of(in_b)) - walk->slack;
}

static void push_pair(trvi_pair_walk *walk, uint32_t a, uint32_t b, double bound)
{
    TRVI_ASSERT(walk->count < 2 * TRVI_TREE_DEPTH + 2);
    walk->stack[walk->count].a = a;
    walk->stack[walk->count].b = b;
    walk->stack[walk->count++].bound = bound;
}

void trvi_pair_walk_ask(trvi_pair_walk *walk, const trvi_parts *a, const trvi_parts *b,
                        trvi_pair_bound *bound, const void *context)
{
    walk->a = a;
    walk->b = b;
    walk->bound = bound;
    walk->context = context;
    walk->count = 0;
    push_pair(walk, 0, 0, bound(walk, &a->nodes[0], &b->nodes[0], -HUGE_VAL));
}

static double bound_of_distance(const trvi_pair_walk *walk, const trvi_node *a, const trvi_node *b,
                                double known)
{
    (void)known; // boxes inside boxes are measured anew
    return trvi_box_gap(walk, a, b);
}

void trvi_pair_walk_start(trvi_pair_walk *walk, const trvi_parts *a, const trvi_parts *b)
{
    for (int column = 0; column < 3; column++) {
        trvi_dvec3 axis = {b->rotation.m[0][column], b->rotation.m[1][column],
                           b->rotation.m[2][column]};
        trvi_dvec3 in_a = trvi_dmat3_mul_transposed(&a->rotation, axis);
        const double rows[3] = {in_a.x, in_a.y, in_a.z};
        for (int row = 0; row < 3; row++) {
            walk->rotation.m[row][column] = rows[row];
            walk->absolute.m[row][column] = fabs(rows[row]);
        }
    }
    trvi_dvec3 between = trvi_dsub(b->position, a->position);
    walk->offset = trvi_dmat3_mul_transposed(&a->rotation, between);
    walk->slack = TRVI_BOUND_SLACK * (a->reach + b->reach + trvi_dlength(between)) +
                  TRVI_PLACE_SLACK * (trvi_dlength(a->position) + trvi_dlength(b->position));
    trvi_pair_walk_ask(walk, a, b, bound_of_distance, NULL);
}

static double size_of(const trvi_node *node)
{
    trvi_dvec3 half = half_of(node);
    return half.x + half.y + half.z;
}

bool trvi_pair_walk_next(trvi_pair_walk *walk, double limit, uint32_t *part_a, uint32_t *part_b)
{
    const trvi_node *nodes_a = walk->a->nodes, *nodes_b = walk->b->nodes;
    while (walk->count > 0) { // at most once for each pair of nodes
        uint32_t a = walk->stack[--walk->count].a, b = walk->stack[walk->count].b;
        double known = walk->stack[walk->count].bound;
        if (known > limit)
            continue;
        bool leaf_a = nodes_a[a].right == 0, leaf_b = nodes_b[b].right == 0;
        if (leaf_a && leaf_b) {
            *part_a = nodes_a[a].part;
            *part_b = nodes_b[b].part;
            return true;
        }
        bool open_a = leaf_b || (!leaf_a && size_of(&nodes_a[a]) >= size_of(&nodes_b[b]));
        uint32_t first_a = open_a ? a + 1 : a, first_b = open_a ? b : b + 1;
        uint32_t second_a = open_a ? nodes_a[a].right : a;
        uint32_t second_b = open_a ? b : nodes_b[b].right;
        double first = walk->bound(walk, &nodes_a[first_a], &nodes_b[first_b], known);
        double second = walk->bound(walk, &nodes_a[second_a], &nodes_b[second_b], known);
        if (first <= second) {
            push_pair(walk, second_a, second_b, second);
            push_pair(walk, first_a, first_b, first);
        } else {
            push_pair(walk, first_a, first_b, first);
            push_pair(walk, second_a, second_b, second);
        }
    }
    return false;
}
