// Row 30: the same calls give the same bits, whatever the number of workers, whatever else there is far
// away, and after going back. Compilers, instruction sets and machines are for .ci/hashes to compare.
#include "truth.h"

#include "dealt.h"

enum { MOST = 64, WORKERS = 8 };

typedef struct pit {
    trv_body_id bodies[MOST];
    int count;
    double speed; // m/s, in all directions; 0: they fall in from above
    float restitution;
} pit;

static trv_world *world_with(uint32_t *workers)
{
    trv_world_def def = trv_default_world_def();
    trv_world *world = NULL;
    if (workers != NULL)
        def.workers = dealt_workers(workers);
    truth_ok(trv_world_create(&def, &world));
    return world;
}

static trv_shape shape_of(uint64_t *state, int i)
{
    double size = 0.3 + 0.1 * truth_noise(state);
    if (i % 3 == 0)
        return truth_ball(size);
    if (i % 3 == 1)
        return trv_make_capsule(truth_v(-size, 0, 0), truth_v(size, 0.1, 0), (float)(0.5 * size));
    return truth_box(size, 0.7 * size, 1.1 * size);
}

static trv_vec3 any_velocity(double speed, uint64_t *state)
{
    double x = speed * truth_noise(state), y = speed * truth_noise(state);
    return truth_v(x, y, speed * truth_noise(state));
}

static pit pit_for(const truth_variant *v, int count)
{
    return (pit){
        .count = count, .speed = v->speed, .restitution = v->speed > 0 ? v->restitution : 0.2f};
}

// Bodies of three kinds in a pit of four walls, in which a bar turns; with a lid, and room above them,
// where they go in all directions.
static void dig(trv_world *world, trv_vec3 at, uint64_t state, pit *out)
{
    float tall = out->speed > 0 ? 4 : 2, middle = tall - .5f;
    const float sides[6][6] = {{0, -.5f, 0, 6, .5f, 6},      {-4, middle, 0, .5f, tall, 4},
                               {4, middle, 0, .5f, tall, 4}, {0, middle, -4, 4, tall, .5f},
                               {0, middle, 4, 4, tall, .5f}, {0, 2 * tall + .5f, 0, 6, .5f, 6}};
    for (int i = 0; i < (out->speed > 0 ? 6 : 5); i++) {
        const float *s = sides[i];
        truth_part side = {.shape = truth_box(s[3], s[4], s[5]),
                           .position = truth_v(at.x + s[0], at.y + s[1], at.z + s[2]),
                           .friction = 0.6f};
        truth_add(world, &side);
    }
    truth_part bar = {.kind = TRV_BODY_KINEMATIC,
                      .shape = truth_box(1.5, 0.1, 0.1),
                      .position = truth_v(at.x, at.y + 0.3, at.z),
                      .spin = truth_v(0, 2, 0),
                      .friction = 0.6f};
    truth_add(world, &bar);
    for (int i = 0; i < out->count; i++) {
        truth_part part = {
            .kind = TRV_BODY_DYNAMIC, .friction = 0.6f, .restitution = out->restitution};
        part.shape = shape_of(&state, i);
        double x = 2.5 * truth_noise(&state);
        double z = 2.5 * truth_noise(&state);
        double above = out->speed > 0 ? 0.1 * i : 0.25 * i;
        part.position = truth_v(at.x + x, at.y + 1 + above, at.z + z);
        if (out->speed > 0)
            part.velocity = any_velocity(out->speed, &state);
        part.spin = truth_v(3 * truth_noise(&state), 1, 2);
        out->bodies[i] = truth_add(world, &part);
    }
}

static void step_for(const truth_variant *v, trv_world *world, double seconds)
{
    for (int i = 0; i < truth_steps(v, seconds); i++)
        truth_step(v, world);
}

static void workers_agree(const truth_variant *v, truth_report *report)
{
    uint64_t wanted = 0;
    int differ = 0;
    for (uint32_t workers = 0; workers <= WORKERS; workers++) {
        trv_world *world = world_with(workers > 0 ? &workers : NULL);
        pit here = pit_for(v, MOST);
        dig(world, truth_v(0, 0, 0), 30, &here);
        step_for(v, world, 3);
        uint64_t hash = trv_world_hash(world);
        if (workers == 0)
            wanted = hash;
        differ += hash != wanted;
        trv_world_destroy(world);
    }
    truth_claim(report, "hashes that differ", differ, 0, 0, "of 8");
}

static int bodies_that_differ(const trv_world *a, const pit *in_a, const trv_world *b,
                              const pit *in_b)
{
    int differ = 0;
    for (int i = 0; i < in_a->count; i++) {
        trv_pose pose_a = truth_pose(a, in_a->bodies[i]), pose_b = truth_pose(b, in_b->bodies[i]);
        trv_vec3 velocity_a = truth_velocity(a, in_a->bodies[i]);
        trv_vec3 velocity_b = truth_velocity(b, in_b->bodies[i]);
        differ += memcmp(&pose_a, &pose_b, sizeof pose_a) != 0 ||
                  memcmp(&velocity_a, &velocity_b, sizeof velocity_a) != 0;
    }
    return differ;
}

// `count`: which bodies fall into the pit.
static void far_island_is_not_felt(const truth_variant *v, truth_report *report)
{
    int differ = 0;
    uint64_t which = v->count != 0 ? (uint64_t)v->count : 30;
    for (int before = 0; before < 2; before++) {
        trv_world *alone = world_with(NULL), *shared = world_with(NULL);
        pit first = pit_for(v, MOST), same = first, other = pit_for(v, MOST / 2);
        dig(alone, truth_v(0, 0, 0), which, &first);
        if (before)
            dig(shared, truth_v(2000, 0, 500), 5, &other);
        dig(shared, truth_v(0, 0, 0), which, &same);
        if (!before)
            dig(shared, truth_v(2000, 0, 500), 5, &other);
        step_for(v, alone, 4);
        step_for(v, shared, 4);
        differ += bodies_that_differ(alone, &first, shared, &same);
        trv_world_destroy(alone);
        trv_world_destroy(shared);
    }
    truth_claim(report, "bodies that differ", differ, 0, 0, "of 128");
}

// Every half second a save, half a second on, back, and on again.
static void going_back_repeats(const truth_variant *v, truth_report *report)
{
    trv_world *world = world_with(NULL);
    pit here = pit_for(v, MOST);
    int differ = 0;
    dig(world, truth_v(0, 0, 0), 30, &here);
    for (int i = 0; i < 8; i++) {
        size_t size = trv_world_save_size(world), used;
        void *save = malloc(size);
        if (save == NULL)
            truth_ok(TRV_ERROR_MEMORY);
        truth_ok(trv_world_save(world, save, size, &used));
        step_for(v, world, 0.5);
        uint64_t once = trv_world_hash(world);
        truth_ok(trv_world_restore(world, save, used));
        step_for(v, world, 0.5);
        differ += trv_world_hash(world) != once;
        free(save);
    }
    trv_world_destroy(world);
    truth_claim(report, "hashes that differ", differ, 0, 0, "of 8");
}

static void same_bits(const truth_variant *v, truth_report *report)
{
    if (v->kind == 0)
        workers_agree(v, report);
    else if (v->kind == 1)
        far_island_is_not_felt(v, report);
    else
        going_back_repeats(v, report);
}

static const truth_variant states[] = {
    {.name = "main workers"},
    {"main far island", .kind = 1},
    {"main rolled back", .kind = 2},
    {"workers at 240/s", .rate = 240},
    {"far island at 30/s", .kind = 1, .rate = 30},
    {"far island, other pit", .kind = 1, .count = 33},
    {"far island, third pit", .kind = 1, .count = 35},
    {"far island at 100/s", .kind = 1, .rate = 100, .count = 34},
    {"far island at 165/s", .kind = 1, .rate = 165},
    {"far island at 240/s", .kind = 1, .rate = 240, .count = 35},
    {"far island, sixth pit", .kind = 1, .count = 42},
    {"far island, 50 m/s", .kind = 1, .rate = 30, .speed = 50, .restitution = 0.2f},
    {"far island, 100 m/s", .kind = 1, .speed = 100, .restitution = 0.5f, .count = 2},
    {"workers at 100 m/s", .speed = 100, .restitution = 0.5f},
    {"rolled back at 100 m/s", .kind = 2, .speed = 100, .restitution = 0.5f},
    {"rolled back at 30/s", .kind = 2, .rate = 30},
};

const truth_row truth_state_rows[] = {
    TRUTH_ROW(30, "the same calls give the same bits", same_bits, states),
    {0},
};
