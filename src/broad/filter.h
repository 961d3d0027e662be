// Who is allowed to be a pair with whom: the filters of proxies, and their owners.
//
// Most proxies have the default filter and no owner: TRVI_PROXY_PLAIN tells them, and nothing is read of
// these. A proxy with an owner is not plain, so that owners cost the others nothing.
//
// Invariant: `reserved` of a stored filter is the proxy's owner, whatever it was with the caller.
#ifndef TRVI_BROAD_FILTER_H
#define TRVI_BROAD_FILTER_H

#include "broad_data.h"

static inline trv_filter trvi_filter_of(const trv_broad *broad, uint32_t index)
{
    if (trvi_states(broad)[index] & TRVI_PROXY_PLAIN)
        return trv_default_filter();
    return ((const trv_filter *)broad->filter.items)[index];
}

// True for the default one.
static inline bool trvi_is_default(trv_filter filter)
{
    trv_filter usual = trv_default_filter();
    return filter.category == usual.category && filter.mask == usual.mask &&
           filter.group == usual.group;
}

// Of two filters as they are stored.
static inline bool trvi_may_pair(trv_filter a, trv_filter b)
{
    bool own = a.reserved != 0 && a.reserved == b.reserved;
    return !own && trv_filters_agree(a, b);
}

#endif
