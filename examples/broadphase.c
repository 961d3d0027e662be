// Broadphase: which of many boxes overlap, without a world.
//
//   broadphase
//
// Boxes drift about in a room. Each frame moves them and asks for the pairs: those that begin, that
// go on, and that end. A pair's slot is a small number that stays its own, so that a game can keep what
// belongs to a pair in an array: here, since when it overlaps. Every tenth frame is compared with the
// answer of all boxes against all.
#include <stdio.h>
#include <stdlib.h>

#include <trivet/broad.h>
#include <trivet/primitives.h>

enum { BOXES = 200, FRAMES = 120, MOST_SLOTS = 4096 };

static void stop_if(trv_result result, const char *what)
{
    if (result == TRV_OK)
        return;
    fprintf(stderr, "broadphase: %s: %s\n", what, trv_result_text(result));
    exit(2);
}

// The same numbers on every machine, in [0, 1).
static float scatter(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) * (1.0f / 16777216.0f);
}

static trv_vec3 scatter_in(uint32_t *state, float reach)
{
    float x = scatter(state), y = scatter(state), z = scatter(state);
    return trv_make_vec3(reach * (2.0f * x - 1.0f), reach * (2.0f * y - 1.0f),
                         reach * (2.0f * z - 1.0f));
}

static trv_aabb box_at(trv_vec3 center)
{
    trv_aabb box = {{center.x - 0.5f, center.y - 0.5f, center.z - 0.5f},
                    {center.x + 0.5f, center.y + 0.5f, center.z + 0.5f}};
    return box;
}

// Each side bounces off the room's walls.
static void drift(float *at, float *speed)
{
    *at += *speed;
    if (*at < -5.0f || *at > 5.0f)
        *speed = -*speed;
}

static uint32_t count_all(const trv_aabb *boxes)
{
    uint32_t count = 0;
    for (int i = 0; i < BOXES; i++)
        for (int k = i + 1; k < BOXES; k++)
            count += trv_aabb_overlaps_aabb(boxes[i], boxes[k]);
    return count;
}

int main(void)
{
    static trv_vec3 centers[BOXES], speeds[BOXES];
    static trv_aabb boxes[BOXES];
    static trv_proxy_id proxies[BOXES];
    static int since[MOST_SLOTS]; // the frame in which the pair in this slot began
    uint32_t state = 7;
    trv_broad_def def = trv_default_broad_def(); // margin 0: pairs of the boxes themselves
    trv_broad *broad;
    stop_if(trv_broad_create(&def, &broad), "broadphase");
    for (int i = 0; i < BOXES; i++) {
        centers[i] = scatter_in(&state, 5.0f);
        speeds[i] = scatter_in(&state, 0.03f);
        boxes[i] = box_at(centers[i]);
        stop_if(trv_broad_add(broad, boxes[i], trv_default_filter(), TRV_PROXY_AWAKE, (uint64_t)i,
                              &proxies[i]),
                "add");
    }
    uint32_t begun = 0, ended = 0, wrong = 0;
    int longest = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
        trv_pairs pairs;
        stop_if(trv_broad_move_many(broad, proxies, boxes, BOXES), "move");
        stop_if(trv_broad_update(broad, &pairs), "update");
        if (pairs.slot_limit > MOST_SLOTS)
            return 2;
        for (uint32_t i = 0; i < pairs.begun_count; i++)
            since[pairs.begun[i].slot] = frame;
        for (uint32_t i = 0; i < pairs.ended_count; i++)
            if (frame - since[pairs.ended[i].slot] > longest)
                longest = frame - since[pairs.ended[i].slot];
        begun += pairs.begun_count;
        ended += pairs.ended_count;
        if (frame % 10 == 0)
            wrong += begun - ended != count_all(boxes);
        if (frame % 30 == 0)
            printf("frame %3d  %u begin, %u go on, %u end\n", frame, pairs.begun_count,
                   pairs.kept_count, pairs.ended_count);
        for (int i = 0; i < BOXES; i++) {
            drift(&centers[i].x, &speeds[i].x);
            drift(&centers[i].y, &speeds[i].y);
            drift(&centers[i].z, &speeds[i].z);
            boxes[i] = box_at(centers[i]);
        }
    }
    printf("%u pairs began and %u ended; the longest lasted %d frames\n", begun, ended, longest);

    trv_proxy_found near[3];
    uint32_t count;
    stop_if(trv_broad_find_nearest(broad, trv_make_vec3(0, 20, 0), 100.0f, trv_default_filter(), 3,
                                   near, &count),
            "nearest");
    for (uint32_t i = 0; i < count; i++)
        printf("near (0, 20, 0): box %u, %.2f m away\n", (unsigned)near[i].user,
               (double)near[i].at);
    trv_broad_destroy(broad);
    printf(wrong ? "some pairs were wrong\n" : "the pairs are those of all against all\n");
    return wrong ? 1 : 0;
}
