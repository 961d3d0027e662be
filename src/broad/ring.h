// Which columns a proxy has entries in: a rectangle of them, from its home on, which may go round the end
// of the grid; or the giants' one alone.
#ifndef TRVI_BROAD_RING_H
#define TRVI_BROAD_RING_H

#include "broad_data.h"

typedef struct trvi_ring {
    uint32_t home, span_u, span_v; // span: further columns
} trvi_ring;

static inline uint32_t trvi_ring_column(const trvi_columns *columns, trvi_ring ring, uint32_t u,
                                        uint32_t v)
{
    uint32_t size_u = columns->grid.size[0], size_v = columns->grid.size[1];
    if (ring.home == columns->column_count - 1)
        return ring.home; // the giants'
    uint32_t column_u = (ring.home + u) & (size_u - 1);
    uint32_t column_v = (ring.home / size_u + v) & (size_v - 1);
    return column_v * size_u + column_u;
}

static inline trvi_ring trvi_ring_of_proxy(const trv_broad *broad, uint32_t index)
{
    uint32_t span = trvi_spans(broad)[index];
    return (trvi_ring){.home = trvi_homes(broad)[index],
                       .span_u = span & TRVI_SPAN_U,
                       .span_v = (span & TRVI_SPAN_V) >> TRVI_SPAN_V_SHIFT};
}

// The columns that a box goes to, of so many and the giants' one; false when its cells cannot be counted.
static inline bool trvi_ring_in(const trvi_grid *grid, uint32_t giants, const trv_aabb *box,
                                trvi_ring *ring)
{
    uint32_t u = grid->axis[1], v = grid->axis[2];
    double lower_u = trvi_side_of(&box->lower, u), upper_u = trvi_side_of(&box->upper, u);
    double lower_v = trvi_side_of(&box->lower, v), upper_v = trvi_side_of(&box->upper, v);
    bool countable = (lower_u >= -grid->limit[0]) & (upper_u <= grid->limit[0]) &
                     (lower_v >= -grid->limit[1]) & (upper_v <= grid->limit[1]);
    if (!countable)
        return false;
    trvi_cells cells = trvi_cells_of(grid, box);
    if (trvi_is_giant(cells)) {
        *ring = (trvi_ring){.home = giants};
        return true;
    }
    *ring = (trvi_ring){trvi_column_at(grid, cells.first[0], cells.first[1]),
                        (uint32_t)(cells.last[0] - cells.first[0]),
                        (uint32_t)(cells.last[1] - cells.first[1])};
    return true;
}

static inline bool trvi_ring_of(const trvi_columns *columns, const trv_aabb *box, trvi_ring *ring)
{
    return trvi_ring_in(&columns->grid, columns->column_count - 1, box, ring);
}

static inline uint8_t trvi_ring_span(trvi_ring ring, uint32_t set)
{
    return (uint8_t)(ring.span_u | ring.span_v << TRVI_SPAN_V_SHIFT | set << TRVI_SPAN_SET_SHIFT);
}

static inline void trvi_ring_set(const trv_broad *broad, uint32_t index, uint32_t set,
                                 trvi_ring ring)
{
    trvi_homes(broad)[index] = ring.home;
    trvi_spans(broad)[index] = trvi_ring_span(ring, set);
}

#endif
