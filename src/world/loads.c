// Loads: what contacts remember as impulses of a sub-step, when the next one is longer or shorter.
//
// A load is a force; over a sub-step of another length its impulse is as many times another. Taken as
// it stands it would be a blow: a heap that rests would be thrown up, or drop. What was a blow already
// is no load, and does not grow: only what a point has carried on average does.
//
// Those that sleep go along, for what wakes them may be long after. Nothing is done while sub-steps
// stay what they are.
#include "solver_data.h"

#include <float.h>

enum { CONTACTS_EACH = 256 };

typedef struct load_job {
    trv_world *world;
    float share; // of the new sub-step in the old one, no unit
} load_job;

// So that it is a number still, whatever a file says.
static float scaled(float load, float share)
{
    return trvi_smaller(trvi_larger(load * share, -FLT_MAX), FLT_MAX);
}

static void rescale(trvi_impulse *load, float share)
{
    float normal = load->normal;
    load->carried = scaled(load->carried, share);
    load->normal = scaled(load->normal, share);
    if (load->normal > normal) // a sub-step is longer
        load->normal = trvi_smaller(load->normal, trvi_larger(normal, load->carried));
    float kept = normal > 0.0f ? load->normal / normal : 0.0f;
    load->tangent = (trv_vec3){scaled(load->tangent.x, kept), scaled(load->tangent.y, kept),
                               scaled(load->tangent.z, kept)};
}

static void rescale_range(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    const load_job *job = context;
    for (uint32_t i = first; i < last; i++) {
        trvi_contact *contact = &trvi_contacts(job->world)[i];
        if (!(contact->flags & TRVI_CONTACT_LIVE)) // the others hold anything
            continue;
        for (uint32_t p = 0; p < contact->manifold.count; p++)
            rescale(&contact->impulses[p], job->share);
    }
}

void trvi_loads_take(trv_world *world, float h)
{
    load_job job = {world, 1.0f};
    if (world->load_time > 0.0f)
        job.share = h / world->load_time;
    world->load_time = h;
    if (job.share != 1.0f)
        trvi_parallel_for(&world->workers, world->contacts.count, CONTACTS_EACH, rescale_range,
                          &job);
}
