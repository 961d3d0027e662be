// The broad layer's door.
#ifndef TRVI_BROAD_H
#define TRVI_BROAD_H

#include <trivet/broad.h>

#include "base.h"

// For a broadphase without proxies: there is going to be room for filters with every proxy, so that
// trv_broad_filter cannot fail for want of memory.
void trvi_broad_expect_filters(trv_broad *broad);

#endif
