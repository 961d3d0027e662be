// Questions to the broadphase, against brute force: fresh, and with changes not yet updated.
#include "broad_scenes.h"

typedef struct visits {
    const box_world *world;
    uint32_t last_index;
    uint32_t count, stop_after;
    uint32_t times[MAX_COUNT]; // by user
} visits;

static bool visit_box(void *context, trv_proxy_id proxy, uint64_t user)
{
    visits *v = context;
    assert_true(user < v->world->count);
    assert_true(proxy.index1 > v->last_index);
    assert_int_equal(proxy.index1, v->world->ids[user].index1);
    assert_int_equal(proxy.generation, v->world->ids[user].generation);
    v->last_index = proxy.index1;
    v->times[user]++;
    return ++v->count != v->stop_after;
}

static uint32_t check_box_query(const box_world *w, trv_aabb box, trv_filter filter)
{
    static visits v;
    memset(&v, 0, sizeof v);
    v.world = w;
    expect_result(trv_broad_query_aabb(w->broad, box, filter, visit_box, &v), TRV_OK);
    uint32_t wanted = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        bool found = w->live[i] && boxes_overlap(w->boxes[i], box) &&
                     trv_filters_agree(w->filters[i], filter);
        assert_int_equal(v.times[i], found);
        wanted += found;
    }
    if (wanted > 1) {
        uint32_t half = wanted / 2;
        memset(&v, 0, sizeof v);
        v.world = w;
        v.stop_after = half;
        expect_result(trv_broad_query_aabb(w->broad, box, filter, visit_box, &v), TRV_OK);
        assert_int_equal(v.count, half);
    }
    return wanted;
}

static uint32_t ask_box(const box_world *w, const box_scene *s, test_random *random, int k,
                        void *context)
{
    (void)context;
    trv_aabb box = scene_box(random, s);
    float grow = k % 3 == 0 ? 0 : random_float(random, 0, s->extent[0] * .5f);
    grow = k == 59 ? 1.0e7f : s->lattice ? floorf(grow) : grow;
    box.lower =
        trv_make_vec3(box.lower.x - grow, box.lower.y - grow, box.lower.z - grow * (float)(k % 2));
    box.upper =
        trv_make_vec3(box.upper.x + grow, box.upper.y + grow * (float)(k % 2), box.upper.z + grow);
    return check_box_query(w, box, query_filter(random));
}

static void box_queries_find_what_brute_force_finds(void **state)
{
    (void)state;
    check_scenes(100, 60, ask_box, NULL, 10);
}

// ---- Rays ----

// Where the ray enters a box that is grown by `slack`, or 2. In double; exact for the lattice.
static double enter_box(trv_ray ray, trv_aabb box, double slack)
{
    const double o[3] = {ray.origin.x, ray.origin.y, ray.origin.z};
    const double d[3] = {ray.travel.x, ray.travel.y, ray.travel.z};
    const double lower[3] = {box.lower.x, box.lower.y, box.lower.z};
    const double upper[3] = {box.upper.x, box.upper.y, box.upper.z};
    double enter = 0, leave = 1;
    for (int k = 0; k < 3; k++) {
        double a = lower[k] - slack - o[k], b = upper[k] + slack - o[k];
        if (d[k] == 0) {
            if (a > 0 || b < 0)
                return 2;
            continue;
        }
        enter = fmax(enter, fmin(a / d[k], b / d[k]));
        leave = fmin(leave, fmax(a / d[k], b / d[k]));
    }
    return enter <= leave ? enter : 2;
}

typedef struct ray_visits {
    const box_world *world;
    trv_ray ray;
    float limit; // expected
    bool shorten;
    uint32_t count, stop_after;
    uint32_t times[MAX_COUNT];
} ray_visits;

static float visit_ray(void *context, trv_proxy_id proxy, uint64_t user, float limit)
{
    ray_visits *v = context;
    assert_true(user < v->world->count);
    assert_int_equal(proxy.index1, v->world->ids[user].index1);
    assert_int_equal(proxy.generation, v->world->ids[user].generation);
    expect_near(limit, v->limit, 0);
    v->times[user]++;
    if (++v->count == v->stop_after)
        return 0;
    double enter = enter_box(v->ray, v->world->boxes[user], 0);
    if (v->shorten && enter < (double)v->limit && (float)enter > 0)
        v->limit = (float)enter;
    return v->limit;
}

// The slack of the answer's truth: what is missed by more must not be told.
static double truth_slack(trv_ray ray, const box_scene *s)
{
    return 1e-12 * (fabs((double)ray.travel.x) + fabs((double)ray.travel.y) +
                    fabs((double)ray.travel.z) + 3 * (double)s->center + 1e3);
}

static uint32_t check_ray(const box_world *w, const box_scene *s, trv_ray ray, trv_filter filter)
{
    static ray_visits v;
    memset(&v, 0, sizeof v);
    v.world = w;
    v.ray = ray;
    v.limit = 1;
    expect_result(trv_broad_cast_ray(w->broad, ray, filter, visit_ray, &v), TRV_OK);
    double slack = truth_slack(ray, s), closest = 2;
    uint32_t total = v.count;
    for (uint32_t i = 0; i < w->count; i++) {
        bool possible = w->live[i] && trv_filters_agree(w->filters[i], filter);
        double enter = possible ? enter_box(ray, w->boxes[i], 0) : 2;
        double outer = possible ? enter_box(ray, w->boxes[i], slack) : 2;
        assert_true(v.times[i] <= (outer < 2));
        assert_true(v.times[i] >= (enter < 2));
        closest = fmin(closest, enter);
    }
    memset(&v, 0, sizeof v);
    v.world = w;
    v.ray = ray;
    v.limit = 1;
    v.shorten = true;
    expect_result(trv_broad_cast_ray(w->broad, ray, filter, visit_ray, &v), TRV_OK);
    if (closest > 0 && closest < 1)
        expect_near(v.limit, (float)closest, 1e-12);
    if (total > 1) {
        memset(&v, 0, sizeof v);
        v.world = w;
        v.ray = ray;
        v.limit = 1;
        v.stop_after = total / 2;
        expect_result(trv_broad_cast_ray(w->broad, ray, filter, visit_ray, &v), TRV_OK);
        assert_int_equal(v.count, total / 2);
    }
    return total;
}

static trv_ray scene_ray(test_random *random, const box_scene *s, int kind)
{
    trv_aabb from = scene_box(random, s), to = scene_box(random, s);
    trv_vec3 travel = {to.upper.x - from.lower.x, to.upper.y - from.lower.y,
                       to.upper.z - from.lower.z};
    float *axis = kind % 3 == 0 ? &travel.x : kind % 3 == 1 ? &travel.y : &travel.z;
    trv_ray ray = {from.lower, travel};
    switch (kind / 3 % 6) {
    case 0: // along one axis
        ray.travel = trv_make_vec3(0, 0, 0);
        if (kind % 3 == 0)
            ray.travel.x = travel.x;
        else if (kind % 3 == 1)
            ray.travel.y = travel.y;
        else
            ray.travel.z = travel.z;
        break;
    case 1: // in a plane
        *axis = 0;
        ray.travel = travel;
        break;
    case 2: // short
        ray.travel = trv_make_vec3(travel.x * .02f, travel.y * .02f, travel.z * .02f);
        break;
    case 3: // from far away through all of it
        ray.origin = trv_make_vec3(from.lower.x - 4 * travel.x, from.lower.y - 4 * travel.y,
                                   from.lower.z - 4 * travel.z);
        ray.travel = trv_make_vec3(travel.x * 16, travel.y * 16, travel.z * 16);
        break;
    case 4: // from farther still
        ray.origin = trv_make_vec3(from.lower.x - 4000 * travel.x, from.lower.y - 4000 * travel.y,
                                   from.lower.z - 4000 * travel.z);
        ray.travel = trv_make_vec3(travel.x * 8000, travel.y * 8000, travel.z * 8000);
        break;
    default:
        break;
    }
    return ray;
}

static uint32_t ask_ray(const box_world *w, const box_scene *s, test_random *random, int k,
                        void *context)
{
    (void)context;
    trv_ray ray = scene_ray(random, s, k);
    return check_ray(w, s, ray, query_filter(random));
}

static void rays_meet_what_brute_force_meets(void **state)
{
    (void)state;
    check_scenes(200, 150, ask_ray, NULL, 10);
}

static void a_ray_without_length_meets_the_boxes_around_its_origin(void **state)
{
    (void)state;
    const box_scene *s = &scenes[6];
    test_random random = {9};
    box_world *w = create_world(s, &random);
    update_world(w);
    uint32_t met = 0;
    for (int k = 0; k < 200; k++) {
        trv_ray ray = {scene_box(&random, s).lower, {0, 0, 0}};
        met += check_ray(w, s, ray, trv_default_filter());
    }
    assert_true(met > 20);
    destroy_world(w);
}

static void a_ray_across_the_whole_range_of_coordinates_ends(void **state)
{
    (void)state;
    const box_scene *s = &scenes[6];
    test_random random = {10};
    box_world *w = create_world(s, &random);
    trv_aabb corner = {{-1e8f, -1e8f, -1e8f}, {-1e8f, -1e8f, -1e8f}};
    expect_result(trv_broad_move(w->broad, w->ids[0], corner), TRV_OK);
    w->boxes[0] = corner;
    w->filters[0] = trv_default_filter();
    expect_result(trv_broad_filter(w->broad, w->ids[0], w->filters[0]), TRV_OK);
    update_world(w);
    float e = TRV_COORD_MAX;
    trv_ray ray = {{-e, -e, -e}, {e, e, e}};
    assert_true(check_ray(w, s, ray, trv_default_filter()) > 1);
    ray = (trv_ray){{e, e, e}, {-e, -e, -e}};
    assert_true(check_ray(w, s, ray, trv_default_filter()) > 1);
    destroy_world(w);
}

static float stop_with(void *context, trv_proxy_id proxy, uint64_t user, float limit)
{
    (void)proxy;
    (void)user;
    (void)limit;
    float *values = context; // what to return, and the number of calls
    values[1] += 1;
    return values[0];
}

static void a_limit_that_is_no_positive_number_stops_the_ray(void **state)
{
    (void)state;
    const box_scene *s = &scenes[6];
    test_random random = {11};
    box_world *w = create_world(s, &random);
    trv_ray ray = {{-100, 0, 0}, {200, 0, 0}};
    const float returned[] = {0, -1, NAN, -INFINITY};
    for (int updated = 0; updated < 2; updated++) {
        for (int i = 0; i < 4; i++) {
            float values[2] = {returned[i], 0};
            expect_result(
                trv_broad_cast_ray(w->broad, ray, trv_default_filter(), stop_with, values), TRV_OK);
            expect_near(values[1], 1, 0);
        }
        float values[2] = {INFINITY, 0}; // more than the limit changes nothing
        expect_result(trv_broad_cast_ray(w->broad, ray, trv_default_filter(), stop_with, values),
                      TRV_OK);
        assert_true(values[1] > 2);
        update_world(w);
    }
    destroy_world(w);
}

// ---- Edges ----

static void more_than_a_stackful_of_boxes_come_in_order(void **state)
{
    (void)state;
    box_world *w = create_crowd(1300, 12);
    for (int updated = 0; updated < 2; updated++) {
        check_box_query(w, (trv_aabb){{0, 0, 0}, {0, 0, 0}}, trv_default_filter());
        check_box_query(w, (trv_aabb){{2, 0, 0}, {2, 0, 0}}, trv_default_filter());
        update_world(w);
    }
    destroy_world(w);
}

static void queries_to_an_empty_broadphase_find_nothing(void **state)
{
    (void)state;
    const box_scene s = {.name = "empty"};
    test_random random = {13};
    box_world *w = create_world(&s, &random);
    trv_ray ray = {{0, 0, 0}, {1, 1, 1}};
    for (int updated = 0; updated < 2; updated++) {
        check_box_query(w, (trv_aabb){{-1, -1, -1}, {1, 1, 1}}, trv_default_filter());
        assert_int_equal(check_ray(w, &s, ray, trv_default_filter()), 0);
        update_world(w);
    }
    destroy_world(w);
}

static void bad_queries_are_refused(void **state)
{
    (void)state;
    const box_scene *s = &scenes[0];
    test_random random = {14};
    box_world *w = create_world(s, &random);
    trv_filter filter = trv_default_filter();
    trv_aabb box = {{0, 0, 0}, {1, 1, 1}};
    trv_ray ray = {{0, 0, 0}, {1, 1, 1}}, bad = ray;
    static visits v;
    static ray_visits r;
    v.world = r.world = w;
    expect_result(trv_broad_query_aabb(NULL, box, filter, visit_box, &v), TRV_ERROR_NULL);
    expect_result(trv_broad_query_aabb(w->broad, box, filter, NULL, &v), TRV_ERROR_NULL);
    expect_result(trv_broad_cast_ray(NULL, ray, filter, visit_ray, &r), TRV_ERROR_NULL);
    expect_result(trv_broad_cast_ray(w->broad, ray, filter, NULL, &r), TRV_ERROR_NULL);
    bad.origin.y = NAN;
    expect_result(trv_broad_cast_ray(w->broad, bad, filter, visit_ray, &r), TRV_ERROR_NUMBER);
    bad = ray;
    bad.travel.z = INFINITY;
    expect_result(trv_broad_cast_ray(w->broad, bad, filter, visit_ray, &r), TRV_ERROR_NUMBER);
    bad.travel.z = 1.5e8f;
    expect_result(trv_broad_cast_ray(w->broad, bad, filter, visit_ray, &r), TRV_ERROR_RANGE);
    assert_int_equal(v.count + r.count, 0);
    destroy_world(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_queries_find_what_brute_force_finds),
        cmocka_unit_test(rays_meet_what_brute_force_meets),
        cmocka_unit_test(a_ray_without_length_meets_the_boxes_around_its_origin),
        cmocka_unit_test(a_ray_across_the_whole_range_of_coordinates_ends),
        cmocka_unit_test(a_limit_that_is_no_positive_number_stops_the_ray),
        cmocka_unit_test(more_than_a_stackful_of_boxes_come_in_order),
        cmocka_unit_test(queries_to_an_empty_broadphase_find_nothing),
        cmocka_unit_test(bad_queries_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
