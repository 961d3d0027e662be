// Two hearts: objects that turn past one another, told apart by boxes first and by a plane then.
//
//   two_hearts [FILE.obj FILE.obj]
//
// Without files it makes two hearts, each of two convex halves; from files it takes the convex hulls of
// their objects or groups. Each frame finds the boxes of both in two ways: the fast one from the eight
// corners of the box at rest, and the tight one from every vertex. Where the fast boxes overlap the
// separating plane is asked for, the one of the frame before first; it is printed with what makes it.
// Where there is none, the objects collide. This is the sample of Lander 1999, "When Two Hearts Collide"
// and "Crashing into the New Year".
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <trivet/mesh.h>
#include <trivet/primitives.h>
#include <trivet/world.h>

enum { FRAMES = 240, OUTLINE = 7 };

typedef struct object {
    char name;
    trv_compound *solid;
    trv_shape shape;
    trv_obb rest;       // the box at rest
    trv_vec3 *vertices; // of all parts
    uint32_t count;
    trv_motion motion;
} object;

static void stop_if(trv_result result, const char *what)
{
    if (result == TRV_OK)
        return;
    fprintf(stderr, "two_hearts: %s: %s\n", what, trv_result_text(result));
    exit(2);
}

// Half a heart, to the right or to the left: its outline, and twice a smaller one before and behind.
static trv_hull *make_half(float side)
{
    static const float outline[OUTLINE][2] = {{0, 0.5f},  {0.35f, 0.8f}, {0.7f, 0.8f},
                                              {1, 0.55f}, {1.05f, 0.2f}, {0.8f, -0.3f},
                                              {0, -1.1f}};
    trv_vec3 points[3 * OUTLINE];
    for (int i = 0; i < OUTLINE; i++) {
        float x = side * outline[i][0], y = outline[i][1];
        points[3 * i] = trv_make_vec3(x, y, 0);
        points[3 * i + 1] = trv_make_vec3(0.8f * x, 0.8f * y, -0.35f);
        points[3 * i + 2] = trv_make_vec3(0.8f * x, 0.8f * y, 0.35f);
    }
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull;
    stop_if(trv_hull_create(points, 3 * OUTLINE, &def, &hull), "heart");
    return hull;
}

static trv_compound *make_heart(void)
{
    trv_compound_def def = trv_default_compound_def();
    trv_compound *heart;
    trv_hull *halves[2] = {make_half(-1.0f), make_half(1.0f)};
    trv_pose here = trv_make_pose(trv_make_vec3(0, 0, 0));
    const trv_compound_part parts[2] = {{trv_make_hull(halves[0]), here},
                                        {trv_make_hull(halves[1]), here}};
    stop_if(trv_compound_create(parts, 2, &def, &heart), "heart");
    trv_hull_release(halves[0]); // the compound has references of its own
    trv_hull_release(halves[1]);
    return heart;
}

static trv_compound *read_solid(const char *path)
{
    trv_obj_def def = trv_default_obj_def();
    trv_obj_report report;
    trv_mesh *mesh;
    trv_compound *solid;
    if (trv_mesh_read_obj_file(path, &def, &mesh, &report) != TRV_OK) {
        fprintf(stderr, "%s:%u: %s\n", path, report.line, report.reason);
        exit(2);
    }
    stop_if(trv_compound_create_from_mesh(mesh, NULL, NULL, &solid, NULL), path);
    trv_mesh_destroy(mesh);
    return solid;
}

static void add_vertices(object *o, uint32_t part)
{
    trv_compound_part p;
    uint32_t count;
    stop_if(trv_compound_part_get(o->solid, part, &p), "part");
    const trv_vec3 *vertices = trv_hull_vertices(p.shape.as.hull, &count);
    trv_vec3 *more = realloc(o->vertices, (o->count + count) * sizeof *more);
    stop_if(more ? TRV_OK : TRV_ERROR_MEMORY, "vertices");
    memcpy(more + o->count, vertices, count * sizeof *more);
    o->vertices = more;
    o->count += count;
}

static object make_object(char name, trv_compound *solid)
{
    object o = {.name = name, .solid = solid, .shape = trv_make_compound(solid)};
    trv_aabb box = trv_compound_bounds_local(solid);
    trv_vec3 low = box.lower, high = box.upper;
    o.rest.center =
        trv_make_vec3(0.5f * (low.x + high.x), 0.5f * (low.y + high.y), 0.5f * (low.z + high.z));
    o.rest.half =
        trv_make_vec3(0.5f * (high.x - low.x), 0.5f * (high.y - low.y), 0.5f * (high.z - low.z));
    o.rest.rotation = trv_identity_quat();
    for (uint32_t part = 0; part < trv_compound_part_count(solid); part++)
        add_vertices(&o, part);
    return o;
}

static trv_aabb fast_box(const object *o, trv_pose pose)
{
    return trv_bounds_of_box(o->rest, pose);
}

// No minus before a zero.
static double shown(float x)
{
    return fabsf(x) < 0.0005f ? 0.0 : (double)x;
}

static void tell_boxes(int frame, const object *o, trv_pose pose)
{
    trv_aabb fast = fast_box(o, pose);
    trv_aabb tight = trv_bounds_of_vertices(o->vertices, o->count, pose);
    printf("frame %3d  %c: fast box %.2f x %.2f x %.2f m, tight %.2f x %.2f x %.2f m\n", frame,
           o->name, shown(fast.upper.x - fast.lower.x), shown(fast.upper.y - fast.lower.y),
           shown(fast.upper.z - fast.lower.z), shown(tight.upper.x - tight.lower.x),
           shown(tight.upper.y - tight.lower.y), shown(tight.upper.z - tight.lower.z));
}

// What makes the plane, and between which parts it is.
static void tell_plane(int frame, const trv_separation *s)
{
    printf("frame %3d  apart by ", frame);
    switch (s->source) {
    case TRV_PLANE_FACE_A:
        printf("face %u of A, a vertex of B", s->index_a);
        break;
    case TRV_PLANE_FACE_B:
        printf("face %u of B, a vertex of A", s->index_b);
        break;
    case TRV_PLANE_EDGES:
        printf("an edge of A, an edge of B");
        break;
    case TRV_PLANE_EDGE_A:
        printf("an edge of A, a vertex of B");
        break;
    case TRV_PLANE_EDGE_B:
        printf("a vertex of A, an edge of B");
        break;
    default:
        printf("a vertex of A, a vertex of B");
    }
    printf("; parts %u and %u, normal %.2f %.2f %.2f, gap %.3f m\n", s->part_a, s->part_b,
           shown(s->plane.normal.x), shown(s->plane.normal.y), shown(s->plane.normal.z),
           shown(s->gap));
}

enum { BOXES_APART, PLANE, COLLISION };

// One frame: tells what has changed since the one before.
static int look(int frame, const object *a, const object *b, trv_plane_cache *cache,
                trv_separation *now, int before)
{
    float t = (float)frame / (float)(FRAMES - 1);
    trv_pose at_a = trv_motion_at(&a->motion, t), at_b = trv_motion_at(&b->motion, t);
    trv_separation last = *now;
    if (!trv_aabb_overlaps_aabb(fast_box(a, at_a), fast_box(b, at_b))) {
        if (before != BOXES_APART)
            printf("frame %3d  the boxes are apart\n", frame);
        return BOXES_APART;
    }
    if (before == BOXES_APART) {
        tell_boxes(frame, a, at_a);
        tell_boxes(frame, b, at_b);
    }
    stop_if(trv_separate(&a->shape, at_a, &b->shape, at_b, cache, now), "separate");
    if (now->apart) {
        bool same = before == PLANE && now->source == last.source && now->part_a == last.part_a &&
                    now->part_b == last.part_b && now->index_a == last.index_a &&
                    now->index_b == last.index_b;
        if (!same)
            tell_plane(frame, now);
        return PLANE;
    }
    trv_gap gap;
    stop_if(trv_distance(&a->shape, at_a, &b->shape, at_b, &gap), "distance");
    if (before != COLLISION)
        printf("frame %3d  COLLISION: part %u of A and part %u of B, normal %.2f %.2f %.2f\n",
               frame, gap.part_a, gap.part_b, shown(gap.normal.x), shown(gap.normal.y),
               shown(gap.normal.z));
    return COLLISION;
}

int main(int argc, char **argv)
{
    if (argc != 1 && argc != 3) {
        fprintf(stderr, "usage: two_hearts [FILE.obj FILE.obj]\n");
        return 2;
    }
    object a = make_object('A', argc == 3 ? read_solid(argv[1]) : make_heart());
    object b = make_object('B', argc == 3 ? read_solid(argv[2]) : make_heart());
    // A turns where it is; B comes past, turning the other way. Ways are as long as the objects.
    float size = 0.0f;
    for (int i = 0; i < 3; i++)
        size = fmaxf(size, (&a.rest.half.x)[i] + (&b.rest.half.x)[i]);
    a.motion = trv_make_motion(trv_make_pose(trv_make_vec3(0, 0, 0)));
    a.motion.turn = trv_make_vec3(0.4f, 5, 0.8f);
    b.motion = trv_make_motion(trv_make_pose(trv_make_vec3(-1.6f * size, 0.62f * size, 0)));
    b.motion.travel = trv_make_vec3(3.2f * size, 0, 0.1f * size);
    b.motion.turn = trv_make_vec3(0.5f, -4, 1.5f);

    trv_plane_cache cache = {0};
    trv_separation now = {0};
    int state = BOXES_APART;
    uint32_t counts[3] = {0, 0, 0}, remembered = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
        state = look(frame, &a, &b, &cache, &now, state);
        counts[state]++;
        remembered += state == PLANE && now.remembered;
    }
    printf("%u frames with boxes apart, %u with a plane, %u in collision\n", counts[BOXES_APART],
           counts[PLANE], counts[COLLISION]);
    printf("the plane of the frame before was enough in %u of %u\n", remembered, counts[PLANE]);
    trv_compound_release(a.solid);
    trv_compound_release(b.solid);
    free(a.vertices);
    free(b.vertices);
    return 0;
}
