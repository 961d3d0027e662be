// Bodies whose motion numbers too large have spoilt: stopped where they were, and told of, so that
// the rest of the world goes on.
//
// What the solver found for their contacts in that step is as unsound as the motion was, and would
// spoil the next step: it is forgotten. Bodies that such a contact has pushed are unsound themselves.
#include "world_data.h"

#include <string.h>

void trvi_quarantine(trv_world *world, uint32_t index)
{
    trvi_body *body = &trvi_bodies(world)[index];
    for (uint32_t link = body->first_contact; link != TRVI_NONE;) {
        trvi_contact *contact = &trvi_contacts(world)[link / 2];
        memset(contact->impulses, 0, sizeof contact->impulses);
        contact->flags &= ~(uint32_t)TRVI_CONTACT_SLIDES_ALL;
        link = contact->next[link % 2];
    }
    TRVI_ASSERT(world->quarantines.count < world->quarantines.capacity);
    trv_quarantine_event *events = world->quarantines.items;
    events[world->quarantines.count++] =
        (trv_quarantine_event){trvi_body_id(world, index), body->user};
    trvi_log(&world->log, TRV_LOG_WARNING,
             "body %u left the range of coordinates and was stopped where it was", index + 1);
}
