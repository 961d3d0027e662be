// Makes a row of calls on two worlds, and fails where an invariant breaks or the worlds part.
//
// One world has a poor allocator: calls fail at any point, and are made again with memory at hand. It
// rolls back by saves in memory. The other has all it wants, and goes back by files, read into
// worlds of their own. Answers and hashes must be the same after each call.
//
// An entry point for libFuzzer, and for the replay of kept inputs (replay.c). A random input makes some 31
// calls: `replay_world tests/data/fuzz/world 33000` makes a million.
#include "fuzz_world.h"

#include "calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world/world_data.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition, what)                                                                   \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, what);              \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

enum { SAVES = 2, MOST_CALLS = 80 };

typedef struct kept {
    void *save, *file; // of either world
    size_t save_size, file_size;
    call_names names;
} kept;

typedef struct pair {
    trv_world *poor, *rich;
    size_t calls, fail_at; // of the poor one's memory
    call_names names;
    call_things things;
    kept kept[SAVES];
} pair;

static void *poor_reallocate(void *user, void *block, size_t old_size, size_t new_size)
{
    pair *both = user;
    (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return both->calls++ >= both->fail_at ? NULL : realloc(block, new_size);
}

// A one-way platform: pure, as it must be.
static void let_pass(void *user, const trv_pre_solve_input *input, trv_pre_solve_output *output)
{
    (void)user;
    output->enable = input->manifold->normal.y > -0.5f;
}

static trv_world *make_world(const trv_allocator *allocator)
{
    trv_world_def def = trv_default_world_def();
    trv_world *world = NULL;
    def.tag = 9;
    def.sleep_time = 0.1f;
    def.kept_saves = 3;
    def.max_bodies = 10;
    def.max_shapes = 24;
    def.pre_solve.fn = let_pass;
    if (allocator != NULL)
        def.allocator = *allocator;
    REQUIRE(trv_world_create(&def, &world) == TRV_OK, "create");
    return world;
}

static void make_things(call_things *things)
{
    const trv_vec3 gem[6] = {{0.5f, 0, 0},  {-0.5f, 0, 0}, {0, 0.5f, 0},
                             {0, -0.5f, 0}, {0, 0, 0.5f},  {0, 0, -0.5f}};
    const trv_vec3 wedge[6] = {{-1, 0, -0.5f}, {1, 0, -0.5f}, {1, 0.5f, -0.5f},
                               {-1, 0, 0.5f},  {1, 0, 0.5f},  {1, 0.5f, 0.5f}};
    trv_hull_def def = trv_default_hull_def();
    trv_compound_def compound = trv_default_compound_def();
    trv_hull_create(gem, 6, &def, &things->hulls[0]);
    trv_hull_create(wedge, 6, &def, &things->hulls[1]);
    trv_compound_part parts[3];
    parts[0].shape = trv_make_box(trv_make_vec3(0.5f, 0.1f, 0.5f));
    parts[1].shape = trv_make_hull(things->hulls[0]);
    parts[2].shape = trv_make_hull(things->hulls[1]);
    for (int i = 0; i < 3; i++)
        parts[i].pose = trv_make_pose(trv_make_vec3(0.5f * (float)i, 0, 0));
    REQUIRE(trv_compound_create(parts, 3, &compound, &things->compound) == TRV_OK, "compound");
}

static void expect_sound(const trv_world *world)
{
    const char *broken;
    bool sound = trvi_world_check(world, &broken);
    REQUIRE(sound, broken);
}

static void expect_same(const pair *both)
{
    expect_sound(both->poor);
    expect_sound(both->rich);
    REQUIRE(trv_world_hash(both->poor) == trv_world_hash(both->rich), "worlds part");
    trv_events a = trv_world_events(both->poor), b = trv_world_events(both->rich);
    REQUIRE(a.begin_count == b.begin_count && a.end_count == b.end_count &&
                a.hit_count == b.hit_count && a.move_count == b.move_count &&
                a.sleep_count == b.sleep_count && a.wake_count == b.wake_count &&
                a.sensor_begin_count == b.sensor_begin_count &&
                a.sensor_end_count == b.sensor_end_count &&
                a.quarantine_count == b.quarantine_count,
            "events");
}

static void keep(pair *both, kept *to)
{
    size_t capacity = trv_world_save_size(both->poor);
    free(to->save);
    to->save = malloc(capacity);
    REQUIRE(trv_world_save(both->poor, to->save, capacity, &to->save_size) == TRV_OK, "save");
    capacity = trv_world_write_size(both->rich);
    free(to->file);
    to->file = malloc(capacity);
    REQUIRE(trv_world_write(both->rich, to->file, capacity, &to->file_size) == TRV_OK, "write");
    to->names = both->names;
}

static void go_back(pair *both, const kept *to, size_t fail_at)
{
    if (to->save == NULL)
        return;
    both->calls = 0;
    both->fail_at = fail_at;
    trv_result result = trv_world_restore(both->poor, to->save, to->save_size);
    both->fail_at = SIZE_MAX;
    if (result == TRV_ERROR_MEMORY) {
        expect_same(both);
        result = trv_world_restore(both->poor, to->save, to->save_size);
    }
    REQUIRE(result == TRV_OK || result == TRV_ERROR_STALE, "restore");
    if (result != TRV_OK)
        return;
    trv_world *fresh = make_world(NULL);
    REQUIRE(trv_world_read(fresh, to->file, to->file_size) == TRV_OK, "read");
    trv_world_destroy(both->rich);
    both->rich = fresh;
    both->names = to->names;
}

// Damage is refused, and nothing happens.
static void offer_damage(pair *both, kept *of, fuzz_bytes *bytes)
{
    if (of->save == NULL)
        return;
    size_t at = take_word(bytes);
    char *in_save = (char *)of->save + at % of->save_size;
    char *in_file = (char *)of->file + at % of->file_size;
    char change = (char)(take_byte(bytes) | 1);
    *in_save ^= change;
    *in_file ^= change;
    REQUIRE(trv_world_restore(both->poor, of->save, of->save_size) != TRV_OK, "damaged save");
    REQUIRE(trv_world_read(both->rich, of->file, of->file_size) != TRV_OK, "damaged file");
    *in_save ^= change;
    *in_file ^= change;
    REQUIRE(trv_world_restore(both->poor, of->save, at % of->save_size) != TRV_OK, "short save");
    REQUIRE(trv_world_read(both->rich, of->file, at % of->file_size) != TRV_OK, "short file");
}

static void make_call(pair *both, fuzz_bytes *bytes, size_t fail_at)
{
    call what;
    call_read(&what, bytes, &both->names, &both->things);
    both->calls = 0;
    both->fail_at = fail_at;
    call_answer poor = call_make(&what, both->poor);
    both->fail_at = SIZE_MAX;
    if (poor.result == TRV_ERROR_MEMORY) {
        expect_sound(both->poor);
        poor = call_make(&what, both->poor);
    }
    call_answer rich = call_make(&what, both->rich);
    REQUIRE(poor.result == rich.result, trv_result_text(poor.result));
    REQUIRE(memcmp(&poor, &rich, sizeof poor) == 0, "answers");
    call_note(&rich, &both->names);
}

// What there is to begin with, so that most calls find something: a floor, and of a bar that turns
// and six bodies above as many as the input's first byte says. Steps are what costs, and blows in
// them: heaps that bounce are rare, so that many short histories are run for each long one.
static void furnish(pair *both, uint8_t choice)
{
    static const int counts[8] = {8, 1, 2, 3, 3, 4, 4, 5};
    both->things.bounces = choice / 8 % 4 == 0;
    for (int i = 0; i < counts[choice % 8]; i++) {
        call what;
        memset(&what, 0, sizeof what);
        what.body_def = trv_default_body_def();
        what.shape_def = trv_default_shape_def();
        what.body_def.kind = i > 1    ? TRV_BODY_DYNAMIC
                             : i == 1 ? TRV_BODY_KINEMATIC
                                      : TRV_BODY_STATIC;
        what.body_def.position = trv_make_vec3((float)(i % 3) - 1.0f, 0.55f * (float)i, 0);
        what.body_def.angular_velocity.y = i == 1 ? 1.0f : 0.0f;
        what.solid = i == 0   ? trv_make_box(trv_make_vec3(6, 0.5f, 6))
                     : i == 1 ? trv_make_box(trv_make_vec3(2, 0.1f, 0.1f))
                     : i < 4  ? trv_make_hull(both->things.hulls[i % 2])
                     : i < 6  ? trv_make_box(trv_make_vec3(0.5f, 0.3f, 0.4f))
                              : trv_make_sphere(trv_make_vec3(0, 0, 0), 0.4f);
        for (what.kind = 0; what.kind < 2; what.kind++) {
            call_answer answer = call_make(&what, both->poor);
            call_make(&what, both->rich);
            call_note(&answer, &both->names);
            what.body = answer.body;
        }
    }
}

uint32_t fuzz_world_calls(const uint8_t *data, size_t size)
{
    uint32_t calls = 0;
    fuzz_bytes bytes = {data, data + size};
    pair both;
    memset(&both, 0, sizeof both);
    both.fail_at = SIZE_MAX;
    trv_allocator poor = {&both, poor_reallocate};
    make_things(&both.things);
    both.poor = make_world(&poor);
    both.rich = make_world(NULL);
    furnish(&both, take_byte(&bytes));
    for (; calls < MOST_CALLS && bytes.at < bytes.end; calls++) {
        uint8_t choice = take_byte(&bytes);
        size_t fail_at = choice % 8 == 7 ? choice / 8 % 8 : SIZE_MAX;
        kept *place = &both.kept[choice / 128];
        if (choice % 16 == 1)
            keep(&both, place);
        else if (choice % 16 == 2)
            go_back(&both, place, choice % 32 == 2 ? SIZE_MAX : choice / 32);
        else if (choice % 32 == 3)
            offer_damage(&both, place, &bytes);
        else
            make_call(&both, &bytes, fail_at);
        expect_same(&both);
    }
    trv_world_destroy(both.poor);
    trv_world_destroy(both.rich);
    for (int i = 0; i < SAVES; i++) {
        free(both.kept[i].save);
        free(both.kept[i].file);
    }
    trv_compound_release(both.things.compound);
    for (int i = 0; i < CALL_HULLS; i++)
        trv_hull_release(both.things.hulls[i]);
    return calls;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_world_calls(data, size);
    return 0;
}
