// Taking the few boxes that moved from place to place.
#ifndef TRVI_BROAD_SLIDE_H
#define TRVI_BROAD_SLIDE_H

#include "broad_data.h"

// Where all that changed is awake and has moved, is new or is removed: brings the columns of what
// is not static up to date, but for what is new to them, which it counts, and notes the pairs that
// change by that.
// *done: false where it is to be done in the other way, of which nothing has been done then.
trv_result trvi_slide(trv_broad *broad, uint32_t *arrivals, bool *done);

// Where more proxies than that are gone, it is done in the other way.
uint32_t trvi_most_slid_out(const trv_broad *broad);

#endif
