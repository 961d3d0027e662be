// Which strays are to be asked again whom they meet, as somebody goes elsewhere.
//
// After a blow those who were struck are somewhere else, and now and then others are, as they wait or turn
// about another axis from now on: these are listed as diverted. Strays that come near one of them, or were
// to meet one, or are one, are asked again; no others are, as to ask again from a later time rounds
// otherwise. Invariant: what happens far off from a stray has no part in what it meets.
#include "impact_data.h"

bool trvi_is_struck(const trvi_strike *strike, uint32_t solver)
{
    for (uint32_t i = 0; i < strike->body_count; i++)
        if (strike->bodies[i].solver == solver && strike->bodies[i].inverse_mass > 0.0f)
            return true;
    return false;
}

// Each gets in once, and there is room for all.
void trvi_divert(const trvi_step *step, uint32_t solver)
{
    trvi_flight *flight = trvi_flight_of(step, solver);
    trvi_array *diverted = &step->world->diverted;
    if (!(flight->flags & TRVI_FLIGHT_DIVERTED))
        ((uint32_t *)diverted->items)[diverted->count++] = solver;
    flight->flags |= TRVI_FLIGHT_DIVERTED;
}

static void forget_diverted(const trvi_step *step)
{
    trvi_array *diverted = &step->world->diverted;
    const uint32_t *solvers = diverted->items;
    while (diverted->count > 0)
        trvi_flight_of(step, solvers[--diverted->count])->flags &= ~(uint32_t)TRVI_FLIGHT_DIVERTED;
}

static bool goes_elsewhere(const trvi_step *step, uint32_t solver)
{
    const trvi_flight *flight = trvi_flight_if_known(step, solver);
    return trvi_is_struck(step->world->strike.items, solver) ||
           (flight != NULL && (flight->flags & TRVI_FLIGHT_DIVERTED) != 0);
}

static bool was_to_meet_one(const trvi_step *step, uint32_t solver)
{
    const trvi_meeting *meeting = trvi_meeting_of(step, trvi_stray_meeting(step, solver));
    return meeting->place != TRVI_NONE &&
           goes_elsewhere(step,
                          trvi_awake_solver(trvi_body_of_shape(step->world, meeting->shape_b)));
}

static void choose_near(const trvi_step *step, uint32_t solver, float from)
{
    trv_aabb way = trvi_stray_way(step, solver, from);
    trvi_stray *strays = trvi_strays(step);
    for (uint32_t i = 0; i < step->world->strays.count; i++)
        strays[i].asked = strays[i].asked || trvi_aabb_overlaps(strays[i].way, way);
}

void trvi_strays_choose(const trvi_step *step, float from, bool all)
{
    const trvi_array *diverted = &step->world->diverted;
    const trvi_strike *strike = step->world->strike.items;
    trvi_stray *strays = trvi_strays(step);
    for (uint32_t i = 0; i < step->world->strays.count; i++)
        strays[i].asked = all || goes_elsewhere(step, strays[i].solver) ||
                          was_to_meet_one(step, strays[i].solver);
    if (step->world->strays.count > 0) {
        for (uint32_t k = 0; k < strike->body_count; k++)
            if (strike->bodies[k].inverse_mass > 0.0f)
                choose_near(step, strike->bodies[k].solver, from);
        for (uint32_t k = 0; k < diverted->count; k++)
            choose_near(step, ((const uint32_t *)diverted->items)[k], from);
    }
    forget_diverted(step);
}
