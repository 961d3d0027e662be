// Events: each begin has its end, sensors see whoever overlaps them, and what moves, sleeps and wakes
// is told.
#include "world_support.h"

static trv_shape_def sensor_def(void)
{
    trv_shape_def def = trv_default_shape_def();
    def.sensor = true;
    def.user = 7;
    return def;
}

static void a_sensor_is_passed_through_and_tells_who_came_and_went(void **state)
{
    (void)state;
    trv_world *world = make_world();
    trv_body_id gate = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0));
    trv_shape_id sensor = add_shape_with(world, gate, sensor_def(), cube(1));
    trv_body_id body = add_dynamic(world, trv_make_vec3(0, 3, 0), ball(0.5f));
    trv_body_id free_fall = add_dynamic(world, trv_make_vec3(50, 3, 0), ball(0.5f));
    uint32_t begins = 0, ends = 0;
    for (int i = 0; i < 120; i++) {
        step_world(world, 1);
        trv_events events = trv_world_events(world);
        for (uint32_t e = 0; e < events.sensor_begin_count; e++) {
            const trv_sensor_event *event = &events.sensor_begins[e];
            assert_true(same_shape(event->sensor, sensor));
            assert_int_equal(event->visitor_body.index1, body.index1);
            assert_int_equal(event->sensor_body.index1, gate.index1);
            assert_int_equal(event->sensor_user, 7);
            expect_near(position_of(world, body).y, 1.5, 0.2); // one step late at most
        }
        begins += events.sensor_begin_count;
        ends += events.sensor_end_count;
        assert_int_equal(events.begin_count + events.hit_count, 0);
    }
    assert_int_equal(begins, 1);
    assert_int_equal(ends, 1);
    trv_vec3 through = position_of(world, body), fell = position_of(world, free_fall);
    expect_near(through.y, fell.y, 0);
    trv_world_destroy(world);
}

static void a_sensor_sees_static_kinematic_and_sleeping_visitors(void **state)
{
    (void)state;
    const trv_body_kind kinds[] = {TRV_BODY_STATIC, TRV_BODY_KINEMATIC, TRV_BODY_DYNAMIC};
    for (int sensor_first = 0; sensor_first < 2; sensor_first++)
        for (int sensor_kind = 0; sensor_kind < 3; sensor_kind++)
            for (int kind = 0; kind < 3; kind++) {
                trv_world *world = make_world();
                expect_result(trv_world_set_gravity(world, trv_make_vec3(0, 0, 0)), TRV_OK);
                trv_body_def def = trv_default_body_def();
                trv_body_id bodies[2];
                for (int i = 0; i < 2; i++) {
                    bool is_sensor = (i == 0) == (sensor_first != 0);
                    def.kind = kinds[is_sensor ? sensor_kind : kind];
                    def.asleep = def.kind == TRV_BODY_DYNAMIC;
                    expect_result(trv_body_create(world, &def, &bodies[i]), TRV_OK);
                    trv_shape_def shape = is_sensor ? sensor_def() : trv_default_shape_def();
                    add_shape_with(world, bodies[i], shape, cube(1));
                    step_world(world, 1);
                }
                assert_int_equal(trv_world_events(world).sensor_begin_count, 1);
                step_world(world, 3);
                assert_int_equal(trv_world_events(world).sensor_begin_count, 0);
                for (int i = 0; i < 2; i++)
                    if (kinds[(i == 0) == (sensor_first != 0) ? sensor_kind : kind] ==
                        TRV_BODY_DYNAMIC)
                        expect_result(trv_body_set_awake(world, bodies[i], false), TRV_OK);
                step_world(world, 2);
                assert_int_equal(trv_world_events(world).sensor_end_count, 0);
                trv_pose away = trv_make_pose(trv_make_vec3(9, 0, 0));
                expect_result(trv_body_set_pose(world, bodies[1], away), TRV_OK);
                step_world(world, 1);
                assert_int_equal(trv_world_events(world).sensor_end_count, 1);
                expect_result(trv_body_set_pose(world, bodies[0], away), TRV_OK);
                step_world(world, 1);
                assert_int_equal(trv_world_events(world).sensor_begin_count, 1);
                trv_pose aside = trv_make_pose(trv_make_vec3(9, 2.015f, 0)); // within the margin
                expect_result(trv_body_set_pose(world, bodies[0], aside), TRV_OK);
                step_world(world, 1);
                assert_int_equal(trv_world_events(world).sensor_end_count, 1);
                trv_world_destroy(world);
            }
}

static void sensors_see_one_another_only_where_asked(void **state)
{
    (void)state;
    for (int asked = 0; asked < 4; asked++) {
        trv_world *world = make_world();
        for (int i = 0; i < 2; i++) {
            trv_body_id body = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0));
            trv_shape_def def = sensor_def();
            def.user = (uint64_t)i;
            def.sees_sensors = (asked >> i & 1) != 0;
            add_shape_with(world, body, def, ball(1));
        }
        step_world(world, 1);
        trv_events events = trv_world_events(world);
        assert_int_equal(events.sensor_begin_count, (asked & 1) + (asked >> 1));
        for (uint32_t e = 0; e < events.sensor_begin_count; e++) {
            uint64_t seer = events.sensor_begins[e].sensor_user;
            assert_true((asked >> seer & 1) && events.sensor_begins[e].visitor_user == 1 - seer);
        }
        trv_world_destroy(world);
    }
}

static void a_sensor_adds_no_mass_and_wakes_nobody(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    trv_body_id sleeper = add_dynamic(world, trv_make_vec3(0, 0.5f, 0), cube(0.5f));
    step_world(world, 120);
    assert_false(is_awake(world, sleeper));
    trv_body_id probe = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 5, 0));
    add_shape_with(world, probe, sensor_def(), ball(0.4f));
    float mass, inertia[6];
    trv_vec3 center;
    expect_result(trv_body_mass(world, probe, &mass, &center, inertia), TRV_OK);
    expect_near(mass, 0, 0);
    uint32_t seen = 0;
    for (int i = 0; i < 120; i++) {
        step_world(world, 1);
        seen += trv_world_events(world).sensor_begin_count;
    }
    assert_int_equal(seen, 2); // the sleeper and the ground
    assert_false(is_awake(world, sleeper));
    trv_world_destroy(world);
}

// What the last step moved is looked at once more, though nothing moves any more.
static void a_sensor_ends_where_what_it_saw_is_put_to_sleep_outside(void **state)
{
    (void)state;
    trv_world *world = make_empty_space();
    trv_body_id post = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0));
    add_shape_with(world, post, sensor_def(), cube(0.5f));
    trv_body_id passer = add_dynamic(world, trv_make_vec3(0.99f, 0, 0), cube(0.5f));
    trv_vec3 away = {3, 0, 0};
    expect_result(trv_body_set_linear_velocity(world, passer, away), TRV_OK);
    step_world(world, 1);
    assert_int_equal(trv_world_events(world).sensor_begin_count, 1);
    expect_result(trv_body_set_awake(world, passer, false), TRV_OK);
    step_world(world, 1);
    assert_false(is_awake(world, passer));
    assert_int_equal(trv_world_events(world).sensor_end_count, 1);
    trv_world_destroy(world);
}

static void events_that_are_switched_off_are_not_told(void **state)
{
    (void)state;
    for (int off = 0; off < 3; off++) {
        trv_world *world = make_world();
        add_ground(world);
        trv_body_id gate = add_body(world, TRV_BODY_STATIC, trv_make_vec3(0, 0, 0));
        add_shape_with(world, gate, sensor_def(), cube(3));
        trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 2, 0));
        trv_shape_def def = trv_default_shape_def();
        def.touch_events = off != 0;
        def.hit_events = off != 1;
        def.sensor_events = off != 2;
        add_shape_with(world, body, def, ball(0.5f));
        uint32_t begins = 0, hits = 0, seen = 0;
        for (int i = 0; i < 60; i++) {
            step_world(world, 1);
            trv_events events = trv_world_events(world);
            begins += events.begin_count;
            hits += events.hit_count;
            for (uint32_t e = 0; e < events.sensor_begin_count; e++)
                seen += events.sensor_begins[e].visitor_body.index1 == body.index1;
        }
        assert_int_equal(begins > 0, off != 0);
        assert_int_equal(hits > 0, off != 1);
        assert_int_equal(seen > 0, off != 2);
        trv_world_destroy(world);
    }
}

// A book of what is open, by ids; every end must close what a begin opened.
typedef struct ledger {
    trv_touch_event open[4096];
    uint32_t count;
    uint32_t begins, ends;
} ledger;

static uint64_t key_of(trv_shape_id id)
{
    return (uint64_t)id.index1 << 16 | id.generation;
}

static void write_begin(ledger *book, trv_touch_event event)
{
    for (uint32_t i = 0; i < book->count; i++)
        assert_false(key_of(book->open[i].shape_a) == key_of(event.shape_a) &&
                     key_of(book->open[i].shape_b) == key_of(event.shape_b) &&
                     book->open[i].part_a == event.part_a && book->open[i].part_b == event.part_b);
    assert_true(book->count < 4096);
    book->open[book->count++] = event;
    book->begins++;
}

static void write_end(ledger *book, trv_touch_event event)
{
    book->ends++;
    for (uint32_t i = 0; i < book->count; i++)
        if (key_of(book->open[i].shape_a) == key_of(event.shape_a) &&
            key_of(book->open[i].shape_b) == key_of(event.shape_b) &&
            book->open[i].part_a == event.part_a && book->open[i].part_b == event.part_b) {
            book->open[i] = book->open[--book->count];
            return;
        }
    fail_msg("an end without its begin");
}

static trv_touch_event as_touch(trv_sensor_event e)
{
    return (trv_touch_event){e.sensor,      e.visitor,      e.sensor_body, e.visitor_body,
                             e.sensor_user, e.visitor_user, e.sensor_part, e.visitor_part};
}

static void read_events(trv_world *world, ledger *touches, ledger *seen)
{
    trv_events events = trv_world_events(world);
    for (uint32_t i = 0; i < events.end_count; i++)
        write_end(touches, events.ends[i]);
    for (uint32_t i = 0; i < events.begin_count; i++)
        write_begin(touches, events.begins[i]);
    for (uint32_t i = 0; i < events.sensor_end_count; i++)
        write_end(seen, as_touch(events.sensor_ends[i]));
    for (uint32_t i = 0; i < events.sensor_begin_count; i++)
        write_begin(seen, as_touch(events.sensor_begins[i]));
}

static trv_shape make_pair_of_balls(trv_compound **compound)
{
    trv_compound_part parts[2] = {{ball(0.3f), trv_make_pose(trv_make_vec3(-0.3f, 0, 0))},
                                  {ball(0.3f), trv_make_pose(trv_make_vec3(0.3f, 0, 0))}};
    trv_compound_def def = trv_default_compound_def();
    expect_result(trv_compound_create(parts, 2, &def, compound), TRV_OK);
    return trv_make_compound(*compound);
}

enum { BRAWLERS = 40 };

typedef struct brawl {
    trv_world *world;
    trv_body_id bodies[BRAWLERS];
    trv_shape shapes[3];
    test_random random;
    ledger touches, seen;
} brawl;

static void add_brawler(brawl *b, int i)
{
    trv_body_def def = trv_default_body_def();
    trv_shape_def shape = trv_default_shape_def();
    trv_shape_id id;
    def.kind = i % 8 == 7 ? TRV_BODY_KINEMATIC : i % 8 == 6 ? TRV_BODY_STATIC : TRV_BODY_DYNAMIC;
    def.position = random_vec3(&b->random, 2.0f);
    def.position.y += 1.5f;
    def.asleep = random_bits(&b->random) % 4 == 0;
    def.disabled = random_bits(&b->random) % 16 == 0;
    shape.sensor = random_bits(&b->random) % 4 == 0;
    shape.sees_sensors = random_bits(&b->random) % 2 == 0;
    shape.by_hand = random_bits(&b->random) % 2 == 0;
    expect_result(trv_body_create(b->world, &def, &b->bodies[i]), TRV_OK);
    expect_result(trv_shape_create(b->world, b->bodies[i], &shape, &b->shapes[i % 3], &id), TRV_OK);
}

// One call of many kinds that bear on contacts.
static void disturb(brawl *b)
{
    int i = (int)(random_bits(&b->random) % BRAWLERS);
    uint64_t choice = random_bits(&b->random) % 11, bit = random_bits(&b->random) % 7;
    bool yes = random_bits(&b->random) % 2 == 0;
    trv_world *world = b->world;
    trv_body_id body = b->bodies[i];
    trv_shape_id shape;
    uint32_t count;
    trv_filter filter = trv_default_filter();
    filter.group = yes ? -1 : 0;
    expect_result(trv_body_shapes(world, body, &shape, 1, &count), TRV_OK);
    assert_int_equal(count, 1);
    trv_pose pose = {random_vec3(&b->random, 2.0f), random_quat(&b->random)};
    switch (choice) {
    case 0:
        expect_result(trv_body_destroy(world, body), TRV_OK);
        add_brawler(b, i);
        break;
    case 1:
        expect_result(trv_body_set_enabled(world, body, yes), TRV_OK);
        break;
    case 2:
        expect_result(trv_body_set_pose(world, body, pose), TRV_OK);
        break;
    case 3:
        expect_result(trv_body_set_kind(world, body, (trv_body_kind)(bit % 3)), TRV_OK);
        break;
    case 4:
        expect_result(trv_shape_set_filter(world, shape, filter), TRV_OK);
        break;
    case 5:
        trv_body_set_awake(world, body, yes);
        break;
    case 6:
        expect_result(trv_shape_set_switch(world, shape, (trv_shape_switch)(1u << bit), yes),
                      TRV_OK);
        break;
    case 7:
        trv_shape_set_solid(world, shape, &b->shapes[bit % 2]); // compounds refuse
        break;
    case 8:
        trv_body_set_linear_velocity(world, body, random_vec3(&b->random, 3.0f));
        break;
    case 9:
        expect_result(trv_world_shift_origin(world, trv_make_vec3(yes ? 8.0f : -8.0f, 0, 0)),
                      TRV_OK);
        expect_result(trv_world_shift_origin(world, trv_make_vec3(yes ? -8.0f : 8.0f, 0, 0)),
                      TRV_OK);
        break;
    default:
        expect_result(trv_world_collide(world), TRV_OK);
        read_events(world, &b->touches, &b->seen);
        break;
    }
}

static void begins_and_ends_pair_up_whatever_is_done(void **state)
{
    (void)state;
    static brawl b;
    memset(&b, 0, sizeof b);
    b.world = make_world();
    b.random.state = 2024;
    b.shapes[0] = ball(0.4f);
    b.shapes[1] = cube(0.35f);
    trv_compound *compound;
    b.shapes[2] = make_pair_of_balls(&compound);
    add_ground(b.world);
    for (int i = 0; i < BRAWLERS; i++)
        add_brawler(&b, i);
    for (int step = 0; step < 1500; step++) {
        const char *broken;
        for (uint64_t calls = random_bits(&b.random) % 4; calls > 0; calls--) {
            disturb(&b);
            if (!trvi_world_check(b.world, &broken))
                fail_msg("seed 2024, step %d: %s", step, broken);
        }
        expect_result(trv_world_step(b.world, 1.0f / 60.0f, 2), TRV_OK);
        read_events(b.world, &b.touches, &b.seen);
    }
    for (int i = 0; i < BRAWLERS; i++)
        expect_result(trv_body_destroy(b.world, b.bodies[i]), TRV_OK);
    step_world(b.world, 1);
    read_events(b.world, &b.touches, &b.seen);
    assert_int_equal(b.touches.count + b.seen.count, 0);
    assert_true(b.touches.begins > 300 && b.seen.begins > 300);
    trv_world_destroy(b.world);
    trv_compound_release(compound);
}

static void moves_sleeps_and_wakes_are_told(void **state)
{
    (void)state;
    trv_world *world = make_world();
    add_ground(world);
    trv_body_def def = trv_default_body_def();
    trv_body_id body;
    def.kind = TRV_BODY_DYNAMIC;
    def.position = trv_make_vec3(0, 0.6f, 0);
    def.user = 99;
    expect_result(trv_body_create(world, &def, &body), TRV_OK);
    add_shape(world, body, cube(0.5f));
    trv_body_id lift = add_body(world, TRV_BODY_KINEMATIC, trv_make_vec3(9, 0, 0));
    int sleeps = 0, moves = 0;
    for (int i = 0; i < 120; i++) {
        step_world(world, 1);
        trv_events events = trv_world_events(world);
        assert_int_equal(events.wake_count, 0);
        for (uint32_t e = 0; e < events.move_count; e++) {
            assert_int_equal(events.moves[e].body.index1, body.index1); // not the lift at rest
            assert_int_equal(events.moves[e].user, 99);
            trv_pose pose;
            expect_result(trv_body_pose(world, body, &pose), TRV_OK);
            assert_memory_equal(&pose, &events.moves[e].pose, sizeof pose);
            assert_int_equal(events.moves[e].fell_asleep, events.sleep_count);
        }
        moves += (int)events.move_count;
        sleeps += (int)events.sleep_count;
        if (events.sleep_count > 0)
            assert_int_equal(events.sleeps[0].user, 99);
    }
    assert_int_equal(sleeps, 1);
    assert_true(moves > 10 && moves < 100);
    expect_result(trv_body_set_awake(world, body, true), TRV_OK);
    expect_result(trv_body_set_awake(world, body, false), TRV_OK);
    step_world(world, 1); // asleep as before: nothing to tell
    assert_int_equal(trv_world_events(world).wake_count, 0);
    assert_int_equal(trv_world_events(world).sleep_count, 0);
    expect_result(trv_body_set_awake(world, body, true), TRV_OK);
    step_world(world, 1);
    assert_int_equal(trv_world_events(world).wake_count, 1);
    assert_int_equal(trv_world_events(world).wakes[0].body.index1, body.index1);
    expect_result(trv_body_set_awake(world, body, false), TRV_OK);
    assert_int_equal(trv_world_events(world).sleep_count, 0);
    step_world(world, 1);
    assert_int_equal(trv_world_events(world).sleep_count, 1);
    for (int i = 0; i < 1000; i++) { // however often in one place: nothing runs over
        trv_body_id other = add_dynamic(world, trv_make_vec3(50, 30, 0), cube(0.5f));
        expect_result(trv_body_set_awake(world, other, false), TRV_OK);
        expect_result(trv_body_set_enabled(world, other, false), TRV_OK);
        expect_result(trv_body_set_enabled(world, other, true), TRV_OK);
        expect_result(trv_body_set_awake(world, other, false), TRV_OK);
        if (i < 999)
            expect_result(trv_body_destroy(world, other), TRV_OK);
    }
    step_world(world, 1);
    assert_int_equal(trv_world_events(world).sleep_count, 1);
    trv_vec3 v = {1, 0, 0};
    expect_result(trv_body_set_linear_velocity(world, lift, v), TRV_OK);
    step_world(world, 1);
    assert_int_equal(trv_world_events(world).move_count, 1);
    assert_int_equal(trv_world_events(world).moves[0].body.index1, lift.index1);
    trv_world_destroy(world);
}

typedef struct naps {
    int sleeps, wakes;
} naps;

static void take_naps(trv_world *world, naps *told)
{
    step_world(world, 1);
    told->sleeps += (int)trv_world_events(world).sleep_count;
    told->wakes += (int)trv_world_events(world).wake_count;
    assert_true(told->wakes == told->sleeps || told->wakes == told->sleeps - 1);
}

// However a body is taken out of its sleep: it is told to wake before it is told asleep again.
static void sleeps_and_wakes_alternate(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        trv_world *world = make_world();
        naps told = {0, 0};
        add_ground(world);
        trv_body_id body = add_dynamic(world, trv_make_vec3(0, 0.5f, 0), cube(0.5f));
        for (int s = 0; s < 60; s++)
            take_naps(world, &told);
        assert_int_equal(told.sleeps, 1);
        if (i < 2) {
            expect_result(trv_body_set_enabled(world, body, false), TRV_OK);
            if (i == 0)
                take_naps(world, &told);
            expect_result(trv_body_set_enabled(world, body, true), TRV_OK);
        } else {
            trv_body_kind other = i == 2 ? TRV_BODY_STATIC : TRV_BODY_KINEMATIC;
            expect_result(trv_body_set_kind(world, body, other), TRV_OK);
            take_naps(world, &told);
            expect_result(trv_body_set_kind(world, body, TRV_BODY_DYNAMIC), TRV_OK);
        }
        take_naps(world, &told);
        assert_true(is_awake(world, body));
        assert_int_equal(told.wakes, 1);
        for (int s = 0; s < 120; s++)
            take_naps(world, &told);
        assert_int_equal(told.sleeps, 2);
        trv_world_destroy(world);
    }
}

static void a_hit_tells_speed_and_impulse(void **state)
{
    (void)state;
    trv_world *world = make_world();
    expect_result(trv_world_set_gravity(world, trv_make_vec3(0, 0, 0)), TRV_OK);
    add_ground(world);
    trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 1, 0));
    trv_shape_def def = trv_default_shape_def();
    def.user = 5;
    def.material.friction = 0.0f;
    add_shape_with(world, body, def, ball(0.5f));
    float mass, inertia[6];
    trv_vec3 center, down = {0, -6, 0};
    expect_result(trv_body_mass(world, body, &mass, &center, inertia), TRV_OK);
    expect_result(trv_body_set_linear_velocity(world, body, down), TRV_OK);
    int hits = 0;
    for (int i = 0; i < 60; i++) {
        step_world(world, 1);
        trv_events events = trv_world_events(world);
        for (uint32_t e = 0; e < events.hit_count; e++) {
            const trv_hit_event *hit = &events.hits[e];
            expect_near(hit->speed, 6, 0.01);
            expect_near(fabsf(hit->normal.y), 1, 1e-6);
            expect_near(hit->point.y, 0, 0.1);
            assert_true(hit->user_a == 5 || hit->user_b == 5);
            assert_true(hit->impulse > 0.2f * mass * 6.0f && hit->impulse < 1.2f * mass * 6.0f);
            hits++;
        }
    }
    assert_int_equal(hits, 1);
    trv_world_destroy(world);
}

// A face comes down on four points at once: the blow is that of all of them.
static void a_hit_by_a_face_tells_the_impulse_of_the_whole_blow(void **state)
{
    (void)state;
    for (int rate = 30; rate <= 240; rate *= 2) {
        trv_world *world = make_world();
        add_ground(world);
        trv_shape_def def = trv_default_shape_def();
        def.material.restitution = 0.5f;
        trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 5.5f, 0));
        add_shape_with(world, body, def, cube(0.5f));
        float impulse = 0.0f, mass = 1000.0f, speed = sqrtf(2.0f * 9.81f * 5.0f);
        for (int i = 0; i < 2 * rate && impulse == 0.0f; i++) {
            expect_result(trv_world_step(world, 1.0f / (float)rate, 4), TRV_OK);
            trv_events events = trv_world_events(world);
            if (events.hit_count > 0)
                impulse = events.hits[0].impulse;
        }
        expect_near(impulse, 1.5f * mass * speed, 0.001f * mass * speed);
        trv_world_destroy(world);
    }
}

static trv_hull *prism(int sides, float radius, float half)
{
    trv_vec3 points[32];
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull = NULL;
    for (int i = 0; i < sides; i++) {
        float angle = 6.2831853f * (float)i / (float)sides;
        float x = radius * cosf(angle), z = radius * sinf(angle);
        points[2 * i] = trv_make_vec3(x, -half, z);
        points[2 * i + 1] = trv_make_vec3(x, half, z);
    }
    expect_result(trv_hull_create(points, 2 * (uint32_t)sides, &def, &hull), TRV_OK);
    return hull;
}

typedef struct landing {
    trv_shape shape;
    float restitution, height;
    int rate, substeps;
} landing;

// The impulse of the first hit of a body that falls on the ground, over its mass times the change of
// its speed.
static float told_share(const landing *l)
{
    trv_world *world = make_world();
    add_ground(world);
    trv_body_id body = add_body(world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 0.25f + l->height, 0));
    add_shape_of(world, body, l->shape, 0.6f, l->restitution);
    float mass, inertia[6], impulse = 0.0f, dt = 1.0f / (float)l->rate;
    trv_vec3 center;
    expect_result(trv_body_mass(world, body, &mass, &center, inertia), TRV_OK);
    for (int i = 0; i < 2 * l->rate && impulse == 0.0f; i++) {
        expect_result(trv_world_step(world, dt, (uint32_t)l->substeps), TRV_OK);
        trv_events events = trv_world_events(world);
        if (events.hit_count > 0)
            impulse = events.hits[0].impulse;
    }
    trv_world_destroy(world);
    return impulse / (mass * (1.0f + l->restitution) * sqrtf(2.0f * 9.81f * l->height));
}

// What is caught before it meets is slowed in several sub-steps, and in the step after.
static void a_hit_tells_the_impulse_of_all_its_substeps_and_steps(void **state)
{
    (void)state;
    trv_hull *hull = prism(7, 0.3f, 0.25f);
    trv_vec3 left = {-0.4f, 0, 0}, right = {0.4f, 0, 0};
    const trv_shape shapes[] = {ball(0.25f), cube(0.25f), trv_make_hull(hull),
                                trv_make_capsule(left, right, 0.25f)};
    for (int s = 0; s < 4; s++)
        for (int rate = 30; rate <= 240; rate *= 2)
            for (int substeps = 1; substeps <= 8; substeps *= 2)
                for (int k = 0; k < 12; k++) {
                    landing l = {shapes[s], 0.5f * (float)(k % 2), 1.0f + 0.27f * (float)k, rate,
                                 substeps};
                    float share = told_share(&l);
                    if (!(share > 0.99f && share < 1.1f))
                        fail_msg("shape %d, restitution %g, %d/s, %d sub-steps, from %g m: %g", s,
                                 (double)l.restitution, rate, substeps, (double)l.height,
                                 (double)share);
                }
    trv_hull_release(hull);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hit_tells_the_impulse_of_all_its_substeps_and_steps),
        cmocka_unit_test(a_sensor_is_passed_through_and_tells_who_came_and_went),
        cmocka_unit_test(a_sensor_sees_static_kinematic_and_sleeping_visitors),
        cmocka_unit_test(sensors_see_one_another_only_where_asked),
        cmocka_unit_test(a_sensor_adds_no_mass_and_wakes_nobody),
        cmocka_unit_test(a_sensor_ends_where_what_it_saw_is_put_to_sleep_outside),
        cmocka_unit_test(events_that_are_switched_off_are_not_told),
        cmocka_unit_test(begins_and_ends_pair_up_whatever_is_done),
        cmocka_unit_test(moves_sleeps_and_wakes_are_told),
        cmocka_unit_test(sleeps_and_wakes_alternate),
        cmocka_unit_test(a_hit_tells_speed_and_impulse),
        cmocka_unit_test(a_hit_by_a_face_tells_the_impulse_of_the_whole_blow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
