// Leads a remembered plane that parts its shapes no more back between them.
#ifndef TRVI_LEAD_H
#define TRVI_LEAD_H

#include "along.h"

// Searches on from the cache's vertices, for poses that are good: true where that soon finds a plane
// that leaves more than `margin`, which is then in the cache. False tells nothing.
bool trvi_lead(trvi_duo *duo, float margin, trv_plane_cache *cache, trvi_quick *out);

#endif
