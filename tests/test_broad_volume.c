// Turned boxes, frusta and half-spaces asked of the broadphase, against separating axes over all boxes.
#include "broad_scenes.h"

typedef struct visits {
    const box_world *world;
    uint32_t count, stop_after;
    uint8_t times[MAX_COUNT]; // by user
} visits;

static bool visit(void *context, trv_proxy_id proxy, uint64_t user)
{
    visits *v = context;
    assert_true(user < v->world->count);
    assert_int_equal(proxy.index1, v->world->ids[user].index1);
    assert_int_equal(proxy.generation, v->world->ids[user].generation);
    v->times[user]++;
    return ++v->count != v->stop_after;
}

static void begin(visits *v, const box_world *w, uint32_t stop_after)
{
    memset(v, 0, sizeof *v);
    v->world = w;
    v->stop_after = stop_after;
}

// A convex solid as separating axes see it.
typedef struct solid {
    int corner_count, face_count, edge_count;
    long double corners[8][3], faces[6][3], edges[8][3]; // directions of normals and edges
} solid;

static const int others[3][2] = {{1, 2}, {2, 0}, {0, 1}};

static void cross(const long double a[3], const long double b[3], long double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[others[k][0]] * b[others[k][1]] - a[others[k][1]] * b[others[k][0]];
}

// How far the box is from the solid along an axis of any length, above and below it; < 0 is overlap.
static long double gap_along(const solid *s, trv_aabb box, const long double axis[3],
                             long double *above)
{
    const long double lower[3] = {box.lower.x, box.lower.y, box.lower.z};
    const long double upper[3] = {box.upper.x, box.upper.y, box.upper.z};
    long double length = sqrtl(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    *above = -1e30L;
    if (length < 1e-9L)
        return -1e30L;
    long double least = 1e30L, most = -1e30L, low = 0, high = 0;
    for (int i = 0; i < s->corner_count; i++) {
        long double at = 0;
        for (int k = 0; k < 3; k++)
            at += axis[k] * s->corners[i][k];
        least = fminl(least, at);
        most = fmaxl(most, at);
    }
    for (int k = 0; k < 3; k++) {
        low += axis[k] * (axis[k] > 0 ? lower[k] : upper[k]);
        high += axis[k] * (axis[k] > 0 ? upper[k] : lower[k]);
    }
    *above = (low - most) / length;
    return fmaxl(low - most, least - high) / length;
}

// The largest gap along all axes, and above any of the solid's faces.
static long double gap_between(const solid *s, trv_aabb box, long double *above_faces)
{
    long double gap = -1e30L, above;
    *above_faces = -1e30L;
    for (int i = 0; i < s->face_count; i++) {
        gap = fmaxl(gap, gap_along(s, box, s->faces[i], &above));
        *above_faces = fmaxl(*above_faces, above);
    }
    for (int k = 0; k < 3; k++) {
        long double axis[3] = {k == 0, k == 1, k == 2}, across[3];
        gap = fmaxl(gap, gap_along(s, box, axis, &above));
        for (int i = 0; i < s->edge_count; i++) {
            cross(axis, s->edges[i], across);
            gap = fmaxl(gap, gap_along(s, box, across, &above));
        }
    }
    return gap;
}

// True where the solid's bounds tell that the box is farther away than 1 m; this spares most work.
static bool is_far(const solid *s, trv_aabb box)
{
    const long double lower[3] = {box.lower.x, box.lower.y, box.lower.z};
    const long double upper[3] = {box.upper.x, box.upper.y, box.upper.z};
    for (int k = 0; k < 3; k++) {
        long double least = 1e30L, most = -1e30L;
        for (int i = 0; i < s->corner_count; i++) {
            least = fminl(least, s->corners[i][k]);
            most = fmaxl(most, s->corners[i][k]);
        }
        if (lower[k] > most + 1 || upper[k] < least - 1)
            return true;
    }
    return false;
}

static void axes_of(trv_quat q, long double axes[3][3])
{
    long double x = q.x, y = q.y, z = q.z, w = q.w;
    long double s = 2 / (x * x + y * y + z * z + w * w);
    const long double m[3][3] = {
        {1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)},
        {s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)},
        {s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y)}};
    memcpy(axes, m, sizeof m);
}

static solid solid_of_obb(trv_obb box)
{
    solid s = {.corner_count = 8, .face_count = 3, .edge_count = 3};
    const long double half[3] = {box.half.x, box.half.y, box.half.z};
    const long double center[3] = {box.center.x, box.center.y, box.center.z};
    axes_of(box.rotation, s.faces);
    memcpy(s.edges, s.faces, sizeof s.faces[0] * 3);
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 3; k++) {
            s.corners[i][k] = center[k];
            for (int a = 0; a < 3; a++)
                s.corners[i][k] += (i >> a & 1 ? half[a] : -half[a]) * s.faces[a][k];
        }
    }
    return s;
}

static trv_obb scene_obb(test_random *random, const box_scene *s, int kind)
{
    trv_aabb box = scene_box(random, s);
    float grow = kind % 3 == 0 ? 0 : random_float(random, 0, s->extent[0] * .4f);
    grow = s->lattice ? floorf(grow) : grow;
    trv_obb obb = {{(box.lower.x + box.upper.x) * .5f, (box.lower.y + box.upper.y) * .5f,
                    (box.lower.z + box.upper.z) * .5f},
                   {(box.upper.x - box.lower.x) * .5f + grow, (box.upper.y - box.lower.y) * .5f,
                    (box.upper.z - box.lower.z) * .5f + (float)(kind % 2) * grow},
                   random_quat(random)};
    if (kind % 5 == 0)
        obb.rotation = trv_identity_quat();
    if (kind % 5 == 1)
        obb.rotation = trv_quat_about(trv_make_vec3(0, 1, 0), 1.5707964f);
    return obb;
}

static uint32_t check_obb(const box_world *w, const box_scene *s, trv_obb box, trv_filter filter)
{
    static visits v;
    begin(&v, w, 0);
    expect_result(trv_broad_query_obb(w->broad, box, filter, visit, &v), TRV_OK);
    solid shape = solid_of_obb(box);
    long double slack = 1e-12L * (1000 + 3 * (long double)s->center), above_faces;
    for (uint32_t i = 0; i < w->count; i++) {
        if (!v.times[i] && is_far(&shape, w->boxes[i]))
            continue;
        bool possible = w->live[i] && trv_filters_agree(w->filters[i], filter);
        long double gap = possible ? gap_between(&shape, w->boxes[i], &above_faces) : 1e30L;
        assert_true(v.times[i] <= (gap <= slack));
        assert_true(v.times[i] >= (gap <= 0));
    }
    uint32_t total = v.count;
    if (total > 1) {
        begin(&v, w, total / 2);
        expect_result(trv_broad_query_obb(w->broad, box, filter, visit, &v), TRV_OK);
        assert_int_equal(v.count, total / 2);
    }
    return total;
}

static uint32_t ask_obb(const box_world *w, const box_scene *s, test_random *random, int k,
                        void *context)
{
    (void)context;
    trv_obb box = scene_obb(random, s, k);
    return check_obb(w, s, box, query_filter(random));
}

static void turned_boxes_overlap_what_separating_axes_tell(void **state)
{
    (void)state;
    check_scenes(300, 12, ask_obb, NULL, 10);
}

// A frustum from an eye: corners near and far, and the planes through them, rounded to float.
static solid make_frustum(trv_vec3 eye, trv_quat turn, float length, trv_plane planes[6])
{
    solid s = {.corner_count = 8, .face_count = 6, .edge_count = 8};
    static const int loops[6][4] = {{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1},
                                    {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}};
    long double axes[3][3];
    axes_of(turn, axes);
    const long double start[3] = {eye.x, eye.y, eye.z};
    for (int i = 0; i < 8; i++) {
        long double depth = length * (i & 4 ? 1.0L : 0.05L);
        for (int k = 0; k < 3; k++)
            s.corners[i][k] = start[k] + depth * (axes[2][k] + (i & 1 ? 0.5L : -0.5L) * axes[0][k] +
                                                  (i & 2 ? 0.3L : -0.3L) * axes[1][k]);
    }
    for (int i = 0; i < 4; i++) { // four through the eye, four across, two of each direction
        for (int k = 0; k < 3; k++) {
            s.edges[i][k] = s.corners[i + 4][k] - s.corners[i][k];
            s.edges[i + 4][k] = axes[i % 2][k];
        }
    }
    for (int f = 0; f < 6; f++) {
        long double along[3], up[3], offset = 0, inside = 0;
        for (int k = 0; k < 3; k++) {
            along[k] = s.corners[loops[f][1]][k] - s.corners[loops[f][0]][k];
            up[k] = s.corners[loops[f][2]][k] - s.corners[loops[f][0]][k];
        }
        cross(along, up, s.faces[f]);
        for (int k = 0; k < 3; k++) {
            offset -= s.faces[f][k] * s.corners[loops[f][0]][k];
            inside += s.faces[f][k] * (start[k] + 0.5L * length * axes[2][k]);
        }
        long double sign = inside + offset > 0 ? -1 : 1, size = 0;
        for (int k = 0; k < 3; k++)
            size += fabsl(s.faces[f][k]);
        sign *= (f % 2 ? 1.0L : 3.0L) / size; // normals of any length will do
        offset *= sign;
        for (int k = 0; k < 3; k++)
            s.faces[f][k] *= sign;
        planes[f].normal =
            trv_make_vec3((float)s.faces[f][0], (float)s.faces[f][1], (float)s.faces[f][2]);
        planes[f].offset = (float)offset;
    }
    return s;
}

static uint32_t check_frustum(const box_world *w, const box_scene *s, test_random *random,
                              uint32_t *gained)
{
    static visits v;
    trv_plane planes[6];
    trv_aabb at = scene_box(random, s);
    float length = random_float(random, 1, s->extent[0]);
    solid shape = make_frustum(at.lower, random_quat(random), length, planes);
    trv_filter filter = query_filter(random);
    begin(&v, w, 0);
    expect_result(trv_broad_query_planes(w->broad, planes, 6, filter, visit, &v), TRV_OK);
    // The planes were rounded to float.
    long double slack = 1e-6L * (3 * ((long double)s->center + s->extent[0]) + length);
    for (uint32_t i = 0; i < w->count; i++) {
        if (!v.times[i] && is_far(&shape, w->boxes[i]))
            continue;
        bool possible = w->live[i] && trv_filters_agree(w->filters[i], filter);
        long double above_faces = 1e30L;
        long double gap = possible ? gap_between(&shape, w->boxes[i], &above_faces) : 1e30L;
        assert_true(v.times[i] <= (above_faces <= slack));
        assert_true(v.times[i] >= (gap <= -slack));
        *gained += v.times[i] && gap > slack;
    }
    uint32_t total = v.count;
    if (total > 1) {
        begin(&v, w, total / 2);
        expect_result(trv_broad_query_planes(w->broad, planes, 6, filter, visit, &v), TRV_OK);
        assert_int_equal(v.count, total / 2);
    }
    return total;
}

static uint32_t ask_frustum(const box_world *w, const box_scene *s, test_random *random, int k,
                            void *gained)
{
    (void)k;
    return check_frustum(w, s, random, gained);
}

static void frusta_hold_what_separating_axes_tell(void **state)
{
    (void)state;
    uint32_t gained = 0;
    check_scenes(400, 12, ask_frustum, &gained, 10);
    assert_true(gained > 0); // boxes beyond an edge, as the header says
}

// The answers of two questions to one world.
static void expect_same(const visits *a, const visits *b)
{
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->times, b->times, sizeof a->times);
}

static float ignore_limit(void *context, trv_proxy_id proxy, uint64_t user, float limit)
{
    visit(context, proxy, user);
    return limit;
}

static void one_box_asked_for_in_four_ways_gives_one_answer(void **state)
{
    (void)state;
    static visits wanted, got;
    const box_scene *s = &scenes[2]; // a lattice: boxes touch, all numbers are exact
    test_random random = {500};
    box_world *w = create_world(s, &random);
    for (int round = 0; round < 4; round++) {
        for (int k = 0; k < 40; k++) {
            trv_obb obb = scene_obb(&random, s, 5 * k);
            trv_vec3 c = obb.center, h = obb.half;
            trv_aabb box = {{c.x - h.x, c.y - h.y, c.z - h.z}, {c.x + h.x, c.y + h.y, c.z + h.z}};
            const trv_plane planes[6] = {
                {{1, 0, 0}, -box.upper.x},     {{-2, 0, 0}, 2 * box.lower.x},
                {{0, 1, 0}, -box.upper.y},     {{0, -1, 0}, box.lower.y},
                {{0, 0, 4}, -4 * box.upper.z}, {{0, 0, -1}, box.lower.z}};
            trv_filter filter = query_filter(&random);
            begin(&wanted, w, 0);
            expect_result(trv_broad_query_aabb(w->broad, box, filter, visit, &wanted), TRV_OK);
            begin(&got, w, 0);
            expect_result(trv_broad_query_obb(w->broad, obb, filter, visit, &got), TRV_OK);
            expect_same(&wanted, &got);
            begin(&got, w, 0);
            expect_result(trv_broad_query_planes(w->broad, planes, 6, filter, visit, &got), TRV_OK);
            expect_same(&wanted, &got);
            begin(&got, w, 0);
            expect_result(trv_broad_cast_box(w->broad, box, trv_make_vec3(0, 0, 0), filter,
                                             ignore_limit, &got),
                          TRV_OK);
            expect_same(&wanted, &got);
        }
        if (round == 0)
            update_world(w);
        else
            change_world(w, &random, s);
    }
    destroy_world(w);
}

static void half_spaces_and_none_hold_what_their_plane_tells(void **state)
{
    (void)state;
    static visits v;
    for (size_t n = 0; n < SCENE_COUNT; n++) {
        const box_scene *s = &scenes[n];
        test_random random = {600 + n};
        box_world *w = create_world(s, &random);
        for (int k = 0; k < 20; k++) {
            trv_vec3 normal = random_vec3(&random, 1), at = scene_box(&random, s).lower;
            double offset =
                -((double)normal.x * at.x + (double)normal.y * at.y + (double)normal.z * at.z);
            trv_plane plane = {normal, (float)offset};
            uint32_t planes = k % 5 != 0; // none at all: everything
            begin(&v, w, 0);
            expect_result(trv_broad_query_planes(w->broad, planes ? &plane : NULL, planes,
                                                 trv_default_filter(), visit, &v),
                          TRV_OK);
            for (uint32_t i = 0; i < w->count; i++) {
                trv_aabb b = w->boxes[i];
                double x = normal.x > 0 ? b.lower.x : b.upper.x;
                double y = normal.y > 0 ? b.lower.y : b.upper.y;
                double z = normal.z > 0 ? b.lower.z : b.upper.z;
                double height = normal.x * x + normal.y * y + normal.z * z + (double)plane.offset;
                bool all = !planes && w->live[i];
                if (all || (w->live[i] && height <= 0))
                    assert_int_equal(v.times[i], 1);
                else if (!w->live[i] || height > 1e-12 * (1e3 + 3 * (double)s->center))
                    assert_int_equal(v.times[i], 0);
            }
            if (k == 6)
                update_world(w);
            if (k == 13)
                change_world(w, &random, s);
        }
        destroy_world(w);
    }
}

static void one_box_far_away_costs_no_answer(void **state)
{
    (void)state;
    const box_scene *s = &scenes[3];
    test_random random = {700};
    box_world *w = create_world(s, &random);
    uint32_t found = 0, gained = 0;
    w->boxes[0] = (trv_aabb){{-1e7f, -1e8f, 1e7f}, {-1e7f, -1e8f, 1e7f}};
    expect_result(trv_broad_move(w->broad, w->ids[0], w->boxes[0]), TRV_OK);
    expect_result(trv_broad_set(w->broad, w->ids[0], TRV_PROXY_ASLEEP), TRV_OK);
    update_world(w);
    for (int k = 0; k < 60; k++) {
        found += check_obb(w, s, scene_obb(&random, s, k), trv_default_filter());
        found += check_frustum(w, s, &random, &gained);
    }
    trv_obb all = {{0, 0, 0}, {1e8f, 1e8f, 1e8f}, random_quat(&random)};
    static visits v;
    begin(&v, w, 0);
    expect_result(trv_broad_query_obb(w->broad, all, trv_default_filter(), visit, &v), TRV_OK);
    assert_true(v.count >= w->count - 1);
    assert_true(found > 100);
    destroy_world(w);
}

static void bad_volumes_are_refused(void **state)
{
    (void)state;
    static visits v;
    const box_scene *s = &scenes[0];
    test_random random = {800};
    box_world *w = create_world(s, &random);
    trv_filter filter = trv_default_filter();
    begin(&v, w, 0);
    const trv_obb good = {{0, 0, 0}, {9, 9, 9}, {0, 0, 0, 1}};
    trv_obb bad = good;
    expect_result(trv_broad_query_obb(NULL, good, filter, visit, &v), TRV_ERROR_NULL);
    expect_result(trv_broad_query_obb(w->broad, good, filter, NULL, &v), TRV_ERROR_NULL);
    bad.center.y = NAN;
    expect_result(trv_broad_query_obb(w->broad, bad, filter, visit, &v), TRV_ERROR_NUMBER);
    bad = good;
    bad.half.z = -1;
    expect_result(trv_broad_query_obb(w->broad, bad, filter, visit, &v), TRV_ERROR_RANGE);
    bad.half.z = INFINITY;
    expect_result(trv_broad_query_obb(w->broad, bad, filter, visit, &v), TRV_ERROR_NUMBER);
    bad = good;
    bad.rotation.w = 2;
    expect_result(trv_broad_query_obb(w->broad, bad, filter, visit, &v), TRV_ERROR_ROTATION);
    trv_plane planes[33];
    for (int i = 0; i < 33; i++)
        planes[i] = (trv_plane){{0, 1, 0}, -100};
    expect_result(trv_broad_query_planes(NULL, planes, 1, filter, visit, &v), TRV_ERROR_NULL);
    expect_result(trv_broad_query_planes(w->broad, NULL, 1, filter, visit, &v), TRV_ERROR_NULL);
    expect_result(trv_broad_query_planes(w->broad, planes, 1, filter, NULL, &v), TRV_ERROR_NULL);
    expect_result(trv_broad_query_planes(w->broad, planes, 33, filter, visit, &v), TRV_ERROR_RANGE);
    planes[31].normal.y = 0;
    expect_result(trv_broad_query_planes(w->broad, planes, 32, filter, visit, &v), TRV_ERROR_RANGE);
    planes[31] = (trv_plane){{0, 1, 0}, INFINITY};
    expect_result(trv_broad_query_planes(w->broad, planes, 32, filter, visit, &v),
                  TRV_ERROR_NUMBER);
    assert_int_equal(v.count, 0);
    planes[31].offset = -100;
    expect_result(trv_broad_query_planes(w->broad, planes, 32, filter, visit, &v), TRV_OK);
    assert_true(v.count > 0);
    destroy_world(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turned_boxes_overlap_what_separating_axes_tell),
        cmocka_unit_test(frusta_hold_what_separating_axes_tell),
        cmocka_unit_test(one_box_asked_for_in_four_ways_gives_one_answer),
        cmocka_unit_test(half_spaces_and_none_hold_what_their_plane_tells),
        cmocka_unit_test(one_box_far_away_costs_no_answer),
        cmocka_unit_test(bad_volumes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
