// Burdens: bodies that are squeezed by many times their own weight.
//
// What stands under a thousand times its weight is thrown about by the least error of that load: the
// sweeps do not find it, and beyond some ten thousand times its rounding alone does. How such a body
// yields hardly matters, as nearly all that moves there is the load. So it counts as heavier, as if its
// load were no more than so many times its weight; what pulls it down stays what it is, so that all
// that rests presses as it should.
//
// A body is squeezed by what presses on it from two sides: a blow from one is none. Nor is what is jammed,
// beyond what weights and forces can come to: it would be pressed the harder, the heavier it counts.
#include "solver_data.h"

#include <float.h>

float trvi_loads_on(const trvi_step *step, const uint32_t *bodies, uint32_t count)
{
    float sum = 0.0f;
    for (uint32_t i = 0; i < count; i++) {
        const trvi_solver_body *solver = &step->bodies[bodies[i]];
        const trvi_body *body = &trvi_bodies(step->world)[solver->body];
        float inverse = trvi_mobile_of(step->world, body)->inverse_mass;
        sum += trvi_length(solver->acceleration) / trvi_larger(inverse, FLT_MIN);
    }
    return sum * step->h;
}

// Of the points of a contact, N s: by the last sub-step, or on average if that is more.
static float pressed_by(const trvi_contact *contact)
{
    float now = 0.0f, carried = 0.0f;
    for (uint32_t p = 0; p < contact->manifold.count; p++) {
        now += contact->impulses[p].normal;
        carried += contact->impulses[p].carried;
    }
    return trvi_larger(now, carried);
}

// The part of what presses on a body that moves it nowhere, N s.
static float squeeze_of(const trv_world *world, const trvi_body *body)
{
    float all = 0.0f;
    trv_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (uint32_t link = body->first_contact; link != TRVI_NONE;) {
        const trvi_contact *contact = &trvi_contacts(world)[link / 2];
        if (trvi_answer_of(contact) == TRVI_CONTACT && !(contact->flags & TRVI_CONTACT_SENSOR)) {
            float pressed = pressed_by(contact);
            all += pressed;
            sum = trvi_mul_add(sum, contact->manifold.normal, link % 2 == 0 ? -pressed : pressed);
        }
        link = contact->next[link % 2];
    }
    return 0.5f * (all - trvi_length(sum));
}

// Where no body is that much heavier than another none can be a burden to it alone.
static bool has_burdens(const trvi_step *step, const uint32_t *bodies, uint32_t count)
{
    float least = HUGE_VALF, most = 0.0f;
    for (uint32_t i = 0; i < count; i++) {
        float inverse = step->bodies[bodies[i]].inverse_mass;
        if (!(inverse > 0.0f))
            continue;
        least = trvi_smaller(least, inverse);
        most = trvi_larger(most, inverse);
    }
    return most > TRVI_BURDEN * least;
}

// None is squeezed by more than `most`, N s.
static void bear(const trvi_step *step, trvi_solver_body *solver, float most)
{
    const trvi_body *body = &trvi_bodies(step->world)[solver->body];
    float inverse = trvi_mobile_of(step->world, body)->inverse_mass;
    float burden = trvi_smaller(squeeze_of(step->world, body), most) * inverse / step->weight;
    if (!(inverse > 0.0f) || !(burden > TRVI_BURDEN))
        return;
    float share = TRVI_BURDEN / burden;
    trvi_symmetric *j = &solver->inverse_inertia;
    solver->inverse_mass = share * inverse;
    *j = (trvi_symmetric){share * j->xx, share * j->yy, share * j->zz,
                          share * j->xy, share * j->xz, share * j->yz};
}

void trvi_find_burdens(const trvi_step *step, const trvi_island *pack)
{
    const uint32_t *bodies = trvi_island_bodies(step->world) + pack->first_body;
    if (!(step->weight > 0.0f))
        return;
    for (uint32_t k = 0; k < pack->pack; bodies += pack[k].bodies, k++) {
        if (!has_burdens(step, bodies, pack[k].bodies))
            continue;
        float most = TRVI_STRAIN * trvi_loads_on(step, bodies, pack[k].bodies);
        for (uint32_t i = 0; i < pack[k].bodies; i++)
            bear(step, &step->bodies[bodies[i]], most);
    }
}
