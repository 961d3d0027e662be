// Taking the changes that are known over into the list of kept pairs.
#ifndef TRVI_BROAD_EDIT_H
#define TRVI_BROAD_EDIT_H

#include "broad_data.h"

// Begun and ended pairs of the back lists, from broad->found: sorted keys of the pairs that change.
// Nothing that shows is changed before trvi_apply_edits, which cannot fail and leaves the kept
// pairs in the back list.
trv_result trvi_plan_edits(trv_broad *broad);
// The same where nothing was found, and proxies were removed but not changed: their pairs end.
trv_result trvi_plan_cuts(trv_broad *broad);
void trvi_apply_edits(trv_broad *broad);

#endif
