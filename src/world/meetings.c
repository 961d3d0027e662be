// Meetings to come in a sub-step, the next one first: a heap.
//
// Of two at one time the lower number comes first. Invariant: a meeting with the stamp of the
// sub-step knows its place in the heap; what has another stamp is in none.
#include "impact_data.h"

#include <string.h>

// In a step: one of its own, and one for each sub-step, of which there may be 64, made twice.
enum { MOST_STAMPS = 256 };

// Stamps go on from step to step, so that nobody need take them off.
void trvi_meetings_renew(trv_world *world)
{
    if (world->impact_stamp >= UINT32_MAX - MOST_STAMPS) {
        memset(world->flights.items, 0, (size_t)world->flights.capacity * sizeof(trvi_flight));
        memset(world->meetings.items, 0, (size_t)world->meetings.capacity * sizeof(trvi_meeting));
        world->impact_stamp = 0;
    }
    world->impact_step = ++world->impact_stamp;
}

trvi_meeting *trvi_meeting_of(const trvi_step *step, uint32_t id)
{
    trvi_meeting *meeting = &trvi_meetings(step)[id];
    if (meeting->stamp != step->world->impact_stamp) {
        meeting->stamp = step->world->impact_stamp;
        meeting->tries = 0;
        meeting->blows = 0;
        meeting->put_off = 0;
        meeting->loose = false;
        meeting->let_through = false;
        meeting->room = -1.0f; // less than any bend
        meeting->place = TRVI_NONE;
    }
    return meeting;
}

// By how much a body's way is bent by now, m: not at all where nobody has asked for its flight.
static float bend_of(const trvi_step *step, uint32_t solver)
{
    const trvi_flight *flight = trvi_flight_if_known(step, solver);
    return flight != NULL ? flight->bent : 0.0f;
}

void trvi_meeting_keep_room(const trvi_step *step, uint32_t meeting, uint32_t a, uint32_t b,
                            float room)
{
    trvi_meeting_of(step, meeting)->room =
        bend_of(step, a) + bend_of(step, b) + TRVI_ROOM_KEPT * room;
}

bool trvi_meeting_has_room(const trvi_step *step, uint32_t meeting, uint32_t a, uint32_t b)
{
    return bend_of(step, a) + bend_of(step, b) <= trvi_meetings(step)[meeting].room;
}

static bool is_before(const trvi_step *step, uint32_t a, uint32_t b)
{
    float time_a = trvi_meetings(step)[a].time, time_b = trvi_meetings(step)[b].time;
    return time_a < time_b || (time_a == time_b && a < b);
}

static void put(const trvi_step *step, uint32_t at, uint32_t meeting)
{
    ((uint32_t *)step->world->meeting_heap.items)[at] = meeting;
    trvi_meetings(step)[meeting].place = at;
}

static void sift(const trvi_step *step, uint32_t at, uint32_t meeting)
{
    const uint32_t *heap = step->world->meeting_heap.items;
    uint32_t count = step->world->meeting_heap.count;
    while (at > 0 && is_before(step, meeting, heap[(at - 1) / 2])) {
        put(step, at, heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && is_before(step, heap[child + 1], heap[child]))
            child++;
        if (is_before(step, meeting, heap[child]))
            break;
        put(step, at, heap[child]);
    }
    put(step, at, meeting);
}

void trvi_meeting_drop(const trvi_step *step, uint32_t meeting)
{
    uint32_t at = trvi_meetings(step)[meeting].place;
    if (at == TRVI_NONE)
        return;
    trvi_meetings(step)[meeting].place = TRVI_NONE;
    uint32_t *heap = step->world->meeting_heap.items;
    uint32_t last = heap[--step->world->meeting_heap.count];
    if (last != meeting)
        sift(step, at, last);
}

void trvi_meeting_expect(const trvi_step *step, uint32_t meeting, float time)
{
    trvi_meeting *m = &trvi_meetings(step)[meeting];
    m->time = time;
    if (m->place == TRVI_NONE)
        m->place = step->world->meeting_heap.count++;
    sift(step, m->place, meeting);
}
