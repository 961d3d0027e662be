// Rollback: a game over a network goes on without waiting, and takes back what it guessed wrong.
//
//   rollback
//
// Two players push their pucks. What this machine's player does is known at once; what the other one
// does arrives six frames late. Until then it is guessed: as in the last frame known. Each frame is
// saved before it is stepped. Where an input arrives that is not what was guessed, the world is restored
// to that frame and steps through the frames since again, now with the truth. Another world, which
// knows every input in time, says what is right: both have the same hash, frame for frame.
#include <stdio.h>
#include <stdlib.h>

#include <trivet/world.h>

enum { FRAMES = 180, LATE = 6, KEPT = 8 };

// How a player pushes in one frame: along x and z.
typedef struct input {
    int8_t x, z;
} input;

typedef struct game {
    trv_world *world;
    trv_body_id pucks[2];
} game;

typedef struct frame_save {
    void *bytes;
    size_t capacity, size;
} frame_save;

static void stop_if(trv_result result, const char *what)
{
    if (result == TRV_OK)
        return;
    fprintf(stderr, "rollback: %s: %s\n", what, trv_result_text(result));
    exit(2);
}

static trv_body_id add(trv_world *world, trv_body_kind kind, trv_vec3 position, trv_shape shape)
{
    trv_body_def body_def = trv_default_body_def();
    trv_shape_def shape_def = trv_default_shape_def();
    trv_body_id body;
    trv_shape_id id;
    body_def.kind = kind;
    body_def.position = position;
    shape_def.material.friction = 0.1f;
    stop_if(trv_body_create(world, &body_def, &body), "body");
    stop_if(trv_shape_create(world, body, &shape_def, &shape, &id), "shape");
    return body;
}

static game start(void)
{
    game g;
    trv_world_def def = trv_default_world_def();
    stop_if(trv_world_create(&def, &g.world), "world");
    trv_shape ice = trv_make_box(trv_make_vec3(20, 0.5f, 20));
    add(g.world, TRV_BODY_STATIC, trv_make_vec3(0, -0.5f, 0), ice);
    trv_shape puck = trv_make_box(trv_make_vec3(0.4f, 0.2f, 0.4f));
    g.pucks[0] = add(g.world, TRV_BODY_DYNAMIC, trv_make_vec3(-2, 0.2f, 0), puck);
    g.pucks[1] = add(g.world, TRV_BODY_DYNAMIC, trv_make_vec3(2, 0.2f, 0), puck);
    for (int i = 0; i < 6; i++) // something to push about
        add(g.world, TRV_BODY_DYNAMIC, trv_make_vec3(0, 0.25f + 0.5f * (float)i, 0),
            trv_make_box(trv_make_vec3(0.25f, 0.25f, 0.25f)));
    return g;
}

static void step(const game *g, const input inputs[2])
{
    for (int i = 0; i < 2; i++) {
        trv_vec3 push = {90.0f * (float)inputs[i].x, 0, 90.0f * (float)inputs[i].z};
        stop_if(trv_body_apply_impulse_to_center(g->world, g->pucks[i], push), "push");
    }
    stop_if(trv_world_step(g->world, 1.0f / 60.0f, 4), "step");
}

// What the players do: now and then they change their mind.
static input wish(int player, int frame)
{
    static const input ways[2][6] = {{{1, 0}, {1, 1}, {0, 0}, {1, -1}, {-1, 0}, {0, 1}},
                                     {{-1, 0}, {-1, 0}, {0, 1}, {-1, 1}, {0, 0}, {-1, -1}}};
    return ways[player][frame / 30 % 6];
}

static void save(const game *g, frame_save *to)
{
    size_t need = trv_world_save_size(g->world);
    if (need > to->capacity) {
        free(to->bytes);
        to->bytes = malloc(need);
        to->capacity = to->bytes ? need : 0;
    }
    stop_if(trv_world_save(g->world, to->bytes, to->capacity, &to->size), "save");
}

int main(void)
{
    game here = start(), truth = start();
    static frame_save saves[KEPT];
    static input others[FRAMES]; // of the other player: known, or guessed
    static uint64_t right[FRAMES],
        mine[FRAMES]; // the hash that each frame should end with, and does
    uint32_t rolled_back = 0, again = 0, equal = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
        input both[2] = {wish(0, frame), wish(1, frame)};
        step(&truth, both);
        right[frame] = trv_world_hash(truth.world);

        // An old input arrives. Where it was guessed wrong, so were all that followed from it.
        int arrived = frame - LATE, from = frame;
        if (arrived >= 0) {
            input told = wish(1, arrived);
            if (told.x != others[arrived].x || told.z != others[arrived].z) {
                from = arrived;
                for (int f = arrived; f < frame; f++)
                    others[f] = told;
                const frame_save *old = &saves[from % KEPT];
                stop_if(trv_world_restore(here.world, old->bytes, old->size), "restore");
                rolled_back++;
                again += (uint32_t)(frame - from);
            }
        }
        others[frame] = frame > 0 ? others[frame - 1] : (input){0, 0};
        for (int f = from; f <= frame; f++) {
            input seen[2] = {wish(0, f), others[f]};
            save(&here, &saves[f % KEPT]);
            step(&here, seen);
            mine[f] = trv_world_hash(here.world);
        }
        if (arrived >= 0) // by now every input of that frame, and of all before it, is the truth
            equal += mine[arrived] == right[arrived];
    }
    printf("%d frames; %u times rolled back, %u frames stepped again\n", FRAMES, rolled_back,
           again);
    printf("%u of %d frames whose inputs are all known are right\n", equal, FRAMES - LATE);
    trv_world_destroy(here.world);
    trv_world_destroy(truth.world);
    for (int i = 0; i < KEPT; i++)
        free(saves[i].bytes);
    return equal == FRAMES - LATE ? 0 : 1;
}
