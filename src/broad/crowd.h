// Columns whose boxes overlap along s far more often than they meet, or whose filters forbid most
// of the pairs.
#ifndef TRVI_BROAD_CROWD_H
#define TRVI_BROAD_CROWD_H

#include "sink.h"

// What a sweep of a crowd needs for each entry, in numbers of 4 bytes, beside two keys.
enum { TRVI_CROWD_WORDS = 8 };

// Room for a crowd of so many entries.
typedef struct trvi_crowd_room {
    uint32_t *words;
    uint64_t *keys, *spare;
} trvi_crowd_room;

// True when a sweep along s from so many entries would take much longer than that of a crowd.
bool trvi_is_crowd(const trv_broad *broad, const trvi_columns *columns, trvi_entries all,
                   uint32_t sweeps);

// All pairs of a column that its touched entries are in; false when `out` has no room.
bool trvi_sweep_crowd(const trv_broad *broad, const trvi_columns *columns, trvi_entries all,
                      const trvi_crowd_room *room, trvi_sink *out);

#endif
