// Leads a remembered plane that parts its shapes no more back between them.
//
// Of shapes with few vertices those between which they are nearest stay the same for much longer
// than any one plane parts them. So the distance search goes on from the ones that were nearest the
// last time: mostly the direction between them is the new one at once, else a step or two away. Of
// many vertices others are nearest in each frame; but there the shapes are all but round, and the
// gap is a smooth function of the direction, whose slope is known: the way between the farthest
// vertices. A step up that slope mostly parts them.
// Directions are only proposed here; what says "apart" is trvi_apart_along. So they may be rough, and
// a search that does not get there soon is left to the one that starts anew.
// Invariant: true is a proof.
// Based on: Cameron 1997, "Enhancing GJK"; van den Bergen 1999, "A fast and robust GJK
// implementation" (the simplex of the frame before).
#include "along.h"

#include "gjk.h"
#include "remember.h"

enum { LEANS = 3, STEPS = 12, ENOUGH = 2 };

// Where a climb along a direction that is new begins: at `vertex`, or at the seed where that is
// higher.
static uint32_t start_of(const trv_shape *shape, trvi_lanes n, uint32_t vertex)
{
    const trv_hull *hull = shape->as.hull;
    if (shape->kind != TRV_SHAPE_HULL || hull == NULL || hull->vertex_count <= TRVI_SCAN_VERTICES)
        return vertex;
    const trv_vec3 d = trvi_narrowed(n);
    uint32_t seed = hull->seeds[trvi_seed_cell(hull->seed_grid, trvi_dvec3_from(d))];
    bool lower = vertex < hull->vertex_count && trvi_float_height(&d, &hull->vertices[seed]) <=
                                                    trvi_float_height(&d, &hull->vertices[vertex]);
    return lower ? vertex : seed;
}

// On its own: in this file it is not to be written out twice.
static bool look_along(trvi_duo *d, trvi_lanes n, trvi_lanes in_world, float margin,
                       trvi_quick *out)
{
    trvi_lanes back =
        trvi_lanes_sub(trvi_lanes_splat(0.0f), trvi_lanes_rotate_inverse(d->rotation_b, in_world));
    d->vertex_a = start_of(d->a, n, d->vertex_a);
    d->vertex_b = start_of(d->b, back, d->vertex_b);
    return trvi_apart_along(d, n, in_world, margin, out);
}

// A vertex of the shape's core, in its own frame. False where there is no such vertex or core.
static bool core_vertex(const trv_shape *shape, uint32_t vertex, trv_vec3 *out)
{
    const trv_obb *box = &shape->as.box;
    switch (shape->kind) {
    case TRV_SHAPE_HULL:
        if (shape->as.hull == NULL || vertex >= shape->as.hull->vertex_count)
            return false;
        *out = shape->as.hull->vertices[vertex];
        return true;
    case TRV_SHAPE_BOX:
        *out = (trv_vec3){vertex & 1 ? box->half.x : -box->half.x,
                          vertex & 2 ? box->half.y : -box->half.y,
                          vertex & 4 ? box->half.z : -box->half.z};
        if (trvi_quat_turns(box->rotation))
            *out = trvi_rotate(box->rotation, *out);
        *out = trvi_add(box->center, *out);
        return vertex < 8;
    case TRV_SHAPE_CAPSULE:
        *out = vertex == 0 ? shape->as.capsule.a : shape->as.capsule.b;
        return vertex < 2;
    case TRV_SHAPE_SPHERE:
        *out = shape->as.sphere.center;
        return vertex == 0;
    default:
        return false;
    }
}

static float radius_of(const trv_shape *shape)
{
    if (shape->kind == TRV_SHAPE_SPHERE)
        return shape->as.sphere.radius;
    return shape->kind == TRV_SHAPE_CAPSULE ? shape->as.capsule.radius : 0.0f;
}

// From a vertex of A to one of B, along the world's axes. False where there are no such vertices.
static bool way_between(const trvi_duo *d, uint32_t a, uint32_t b, trvi_lanes *way)
{
    trv_vec3 of_a, of_b;
    if (!core_vertex(d->a, a, &of_a) || !core_vertex(d->b, b, &of_b))
        return false;
    trvi_lanes turned_a = trvi_lanes_rotate(d->rotation_a, trvi_lanes_load3(&of_a.x));
    trvi_lanes turned_b = trvi_lanes_rotate(d->rotation_b, trvi_lanes_load3(&of_b.x));
    *way = trvi_lanes_add(trvi_lanes_sub(turned_b, turned_a),
                          trvi_lanes_sub(d->position_b, d->position_a));
    return true;
}

// Adds the point of B - A that two vertices make. False where it is there already, or where there
// are no such vertices.
static bool add_point(const trvi_duo *d, uint32_t a, uint32_t b, trvi_simplex *s)
{
    trvi_lanes way;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->points[i].a == a && s->points[i].b == b)
            return false;
    if (!way_between(d, a, b, &way))
        return false;
    trvi_simplex_point *p = &s->points[s->count++];
    p->w = trvi_dvec3_from(trvi_narrowed(way));
    p->a = a;
    p->b = b;
    return true;
}

static bool is_corner(const trvi_sides *sides, uint32_t face, uint32_t vertex)
{
    for (uint32_t e = sides->face_first[face]; e < sides->face_first[face + 1]; e++)
        if (sides->edge_origin[e] == vertex)
            return true;
    return false;
}

// The half-edge from the first of two vertices to the second, or the face that three have in
// common.
static bool find_side(const trv_shape *shape, const uint32_t *vertices, uint32_t count,
                      uint32_t *side)
{
    trvi_sides s;
    if (!trvi_sides_of(shape, &s))
        return false;
    uint32_t first = s.vertex_edge[vertices[0]], edge = first;
    for (uint32_t i = 0; i < s.half_edge_count; i++) { // once round the vertex
        uint32_t face = s.edge_face[edge], begin = s.face_first[face];
        bool found = count == 2
                         ? s.edge_origin[s.edge_twin[edge]] == vertices[1]
                         : is_corner(&s, face, vertices[1]) && is_corner(&s, face, vertices[2]);
        if (found) {
            *side = count == 2 ? edge : face;
            return true;
        }
        edge = s.edge_twin[edge > begin ? edge - 1 : s.face_first[face + 1] - 1];
        if (edge == first)
            break;
    }
    return false;
}

// What the vertices that are nearest make: a face and a vertex, two edges, or an edge and a vertex;
// else the plane leans on the farthest vertices.
static void name_source(const trvi_duo *d, const trvi_simplex *s, trv_plane_cache *cache)
{
    static const uint32_t sources[4][4] = {
        {0, 0, 0, 0},
        {0, TRV_PLANE_VERTICES, TRV_PLANE_EDGE_B, TRV_PLANE_FACE_B},
        {0, TRV_PLANE_EDGE_A, TRV_PLANE_EDGES, 0},
        {0, TRV_PLANE_FACE_A, 0, 0}};
    uint32_t of_a[4], of_b[4];
    uint32_t a = trvi_simplex_vertices(s, false, of_a), b = trvi_simplex_vertices(s, true, of_b);
    bool known = a < 4 && b < 4 && sources[a][b] != 0;
    cache->index_a = of_a[0];
    cache->index_b = of_b[0];
    if (known && a > 1)
        known = find_side(d->a, of_a, a, &cache->index_a);
    if (known && b > 1)
        known = find_side(d->b, of_b, b, &cache->index_b);
    if (known)
        cache->source = sources[a][b];
    else
        trvi_name_vertices(d, cache);
}

// `n` is the plane's normal in A's frame.
static void keep_plane(const trvi_duo *d, trvi_lanes n, const trvi_quick *found,
                       trv_plane_cache *cache)
{
    trv_vec3 own = trvi_narrowed(n);
    if (d->a->kind == TRV_SHAPE_BOX) // in the box's own frame
        own = trvi_rotate_inverse(d->a->as.box.rotation, own);
    cache->normal = own;
    cache->in_world = (trv_vec3){found->normal[0], found->normal[1], found->normal[2]};
    trvi_keep_measured(d, found, cache);
}

static trv_pose pose_of(trvi_lanes rotation, trvi_lanes position)
{
    float q[TRVI_LANES];
    trvi_lanes_store(q, rotation);
    return (trv_pose){trvi_narrowed(position), {q[0], q[1], q[2], q[3]}};
}

// Of two boxes the best of all planes is found as fast as any.
static bool lead_boxes(trvi_duo *d, float margin, trv_plane_cache *cache, trvi_quick *out)
{
    trvi_couple couple;
    trvi_box_gaps gaps;
    trvi_axis axis;
    trvi_lanes n, in_world;
    trv_plane_source source;
    trv_pose pose_a = pose_of(d->rotation_a, d->position_a);
    trv_pose pose_b = pose_of(d->rotation_b, d->position_b);
    trvi_couple_sketch(&couple, d->a, &pose_a, d->b, &pose_b);
    trvi_box_axes(&couple, HUGE_VAL, &gaps, &axis);
    trv_vec3 own = trvi_vec3_from_double(axis.normal);
    trvi_along_cached(d, trvi_lanes_load3(&own.x), false, &n, &in_world);
    if (!look_along(d, n, in_world, margin, out))
        return false;
    trvi_couple_fill(&couple);
    trvi_plane_source(&couple, &axis, &source, &cache->index_a, &cache->index_b);
    cache->source = (uint32_t)source;
    keep_plane(d, n, out, cache);
    return true;
}

static bool has_many(const trv_shape *shape)
{
    return shape->kind == TRV_SHAPE_HULL && shape->as.hull != NULL &&
           shape->as.hull->vertex_count > TRVI_FAN_VERTICES;
}

// Leans the plane, which has just been looked along, towards the way from A's farthest vertex to B's.
// Between two balls it is the best one after one such step. Where hulls are more curved than the balls
// about them, steps are short; where they are flatter, too long, but what lost the gap on one side of
// the best plane is as far off on its other side only where they are twice as flat.
static bool lean(trvi_duo *d, trvi_lanes in_world, float margin, trv_plane_cache *cache,
                 trvi_quick *out)
{
    trvi_lanes way, extent = trvi_lanes_splat(d->a->as.hull->radius + d->b->as.hull->radius);
    for (int step = 0; step < LEANS; step++) {
        if (!way_between(d, d->vertex_a, d->vertex_b, &way))
            return false;
        way = trvi_lanes_add(way, trvi_lanes_mul(in_world, extent));
        float square = trvi_lanes_first(trvi_lanes_sums(trvi_lanes_mul(way, way), way));
        if (!(square > 0.0f) || !(square < HUGE_VALF))
            return false;
        in_world = trvi_lanes_mul(way, trvi_lanes_splat(1.0f / sqrtf(square)));
        trvi_lanes n = trvi_lanes_rotate_inverse(d->rotation_a, in_world);
        if (look_along(d, n, in_world, margin, out)) {
            keep_plane(d, n, out, cache);
            trvi_name_vertices(d, cache);
            return true;
        }
    }
    return false;
}

// The points of B - A between which both were nearest the last time. False where there are none.
static bool begin(const trvi_duo *d, const trv_plane_cache *cache, trvi_simplex *s)
{
    s->count = 0;
    for (uint32_t i = 0; i < 3; i++)
        (void)add_point(d, cache->meeting[i], cache->meeting[i + 3], s);
    return s->count > 0 || add_point(d, d->vertex_a, d->vertex_b, s);
}

// The distance search. `least` is what the cores' distance has to be more than.
static bool search_on(trvi_duo *d, trvi_simplex *s, float margin, double least,
                      trv_plane_cache *cache, trvi_quick *out)
{
    trvi_dvec3 nearest;
    double radii = least - (double)margin, before = HUGE_VAL;
    for (int step = 0; step < STEPS; step++) {
        if (!trvi_simplex_nearest(s, &nearest))
            return false;
        double length = trvi_dlength(nearest);
        // No gap is wider than what is left between two points; and rounding may have the last
        // word.
        if (!(length > least) || !(length < before))
            return false;
        before = length;
        // The vertices nearest each other are the farthest along the way between them, or close by.
        d->vertex_a = s->points[0].a;
        d->vertex_b = s->points[0].b;
        trv_vec3 along = trvi_vec3_from_double(trvi_dscale(nearest, 1.0 / length));
        trvi_lanes in_world = trvi_lanes_load3(&along.x);
        trvi_lanes n = trvi_lanes_rotate_inverse(d->rotation_a, in_world);
        bool apart = look_along(d, n, in_world, margin, out);
        // After some steps any plane will do.
        if (apart && (step >= ENOUGH || (double)out->gap >= TRVI_GOOD_PLANE * (length - radii))) {
            keep_plane(d, n, out, cache);
            name_source(d, s, cache);
            trvi_remember_nearest(s, cache);
            return true;
        }
        if (!add_point(d, d->vertex_a, d->vertex_b, s))
            return false;
    }
    return false;
}

// Is a direction worth a look? No gap along it is wider than any way from A to B is long along it.
static bool may_part(const trvi_duo *d, trvi_lanes in_world, double least)
{
    trvi_lanes way;
    if (!way_between(d, d->vertex_a, d->vertex_b, &way))
        return false;
    way = trvi_lanes_mul(in_world, way);
    return (double)trvi_lanes_first(trvi_lanes_sums(way, way)) > least;
}

bool trvi_lead(trvi_duo *d, float margin, trv_plane_cache *cache, trvi_quick *out)
{
    trvi_simplex s;
    const trvi_duo asked = *d;
    bool steady = cache->steady == 0;
    const trv_vec3 *other = steady ? &cache->in_world : &cache->normal;
    const trv_vec3 *lost = steady ? &cache->normal : &cache->in_world;
    double least = (double)radius_of(d->a) + (double)radius_of(d->b) + (double)margin;
    trvi_lanes n, in_world;
    trvi_along_cached(d, trvi_lanes_load3(&other->x), steady, &n, &in_world);
    if (fabsf(trvi_float_height(other, other) - 1.0f) <= TRVI_QUICK_UNIT &&
        may_part(d, in_world, least) && look_along(d, n, in_world, margin, out)) {
        cache->steady = steady; // the one to try first from now on
        trvi_name_vertices(d, cache);
        trvi_keep_measured(d, out, cache);
        return true;
    }
    *d = asked;
    trvi_along_cached(d, trvi_lanes_load3(&lost->x), !steady, &n, &in_world);
    if (d->a->kind == TRV_SHAPE_BOX && d->b->kind == TRV_SHAPE_BOX)
        return lead_boxes(d, margin, cache, out);
    if (has_many(d->a) && has_many(d->b) && lean(d, in_world, margin, cache, out))
        return true;
    return begin(d, cache, &s) && search_on(d, &s, margin, least, cache, out);
}
