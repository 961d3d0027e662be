// Which columns a proxy has entries in: a rectangle of them, from its home on, which may go round
// the end of the grid; or the giants' one alone.
#ifndef TRVI_BROAD_RING_H
#define TRVI_BROAD_RING_H

#include "broad_data.h"

typedef struct trvi_ring {
    uint32_t home, span_u, span_v; // span: further columns
} trvi_ring;

// Where the row of a column begins, which is those along u.
static inline uint32_t trvi_row_of(uint32_t column, uint32_t size_u)
{
    return column & (0 - size_u);
}

static inline bool trvi_is_among_giants(const trvi_columns *columns, trvi_ring ring)
{
    return ring.home == columns->column_count - 1;
}

static inline uint32_t trvi_ring_column(const trvi_columns *columns, trvi_ring ring, uint32_t u,
                                        uint32_t v)
{
    uint32_t size_u = columns->grid.size[0], size_v = columns->grid.size[1];
    if (trvi_is_among_giants(columns, ring))
        return ring.home;
    // Sizes are powers of two.
    uint32_t column_u = (ring.home + u) & (size_u - 1);
    return ((trvi_row_of(ring.home, size_u) + v * size_u) & (size_u * size_v - 1)) + column_u;
}

// The columns of a ring of up to two along u and v, as nearly all are. Which of them it has cannot
// be foretold: so that is a number, 0 or 1, not a branch.
typedef struct trvi_corners {
    uint32_t column[4]; // first along u and v, second along u, along v, along both; any that it has
                        // not is one of the columns, too
    uint32_t has[4];
} trvi_corners;

// False where there are more.
static inline bool trvi_corners_of(const trvi_columns *columns, trvi_ring ring,
                                   trvi_corners *corners)
{
    const uint32_t size_u = columns->grid.size[0], size_v = columns->grid.size[1];
    const uint32_t all = size_u * size_v; // the giants' column, which is in no row
    const uint32_t row = trvi_row_of(ring.home, size_u) & (all - 1), u = ring.home & (size_u - 1);
    const uint32_t next_row = (row + size_u) & (all - 1), next_u = (u + 1) & (size_u - 1);
    *corners = (trvi_corners){{ring.home, row + next_u, next_row + u, next_row + next_u},
                              {1, ring.span_u, ring.span_v, ring.span_u & ring.span_v}};
    return (ring.span_u | ring.span_v) <= 1;
}

static inline bool trvi_rings_equal(trvi_ring a, trvi_ring b)
{
    return (a.home == b.home) & (a.span_u == b.span_u) & (a.span_v == b.span_v);
}

static inline trvi_ring trvi_ring_of_proxy(const trv_broad *broad, uint32_t index)
{
    uint32_t span = trvi_spans(broad)[index];
    return (trvi_ring){.home = trvi_homes(broad)[index],
                       .span_u = span & TRVI_SPAN_U,
                       .span_v = (span & TRVI_SPAN_V) >> TRVI_SPAN_V_SHIFT};
}

// The cells that a box meets; false when it reaches beyond the range.
#if defined(TRVI_LANES_SSE2)
static inline __m128i trvi_two_cells(__m128d sides, __m128d inverse)
{
    __m128d scaled = _mm_mul_pd(sides, inverse);
    __m128i cells = _mm_cvttpd_epi32(scaled);
    __m128i below = _mm_castpd_si128(_mm_cmplt_pd(scaled, _mm_cvtepi32_pd(cells)));
    return _mm_add_epi32(cells, _mm_shuffle_epi32(below, _MM_SHUFFLE(3, 3, 2, 0)));
}

// The same numbers, two at once.
static inline bool trvi_count_cells(const trvi_grid *grid, const trv_aabb *box, trvi_cells *cells)
{
    uint32_t u = grid->axis[1], v = grid->axis[2];
    if (!trvi_holds_box(&grid->range, box))
        return false;
    __m128d lower = _mm_set_pd(trvi_side_of(&box->lower, v), trvi_side_of(&box->lower, u));
    __m128d upper = _mm_set_pd(trvi_side_of(&box->upper, v), trvi_side_of(&box->upper, u));
    __m128d inverse = _mm_loadu_pd(grid->inverse_cell);
    __m128i first = trvi_two_cells(lower, inverse), last = trvi_two_cells(upper, inverse);
    memcpy(cells->first, &first, sizeof cells->first);
    memcpy(cells->last, &last, sizeof cells->last);
    return true;
}
#else
static inline bool trvi_count_cells(const trvi_grid *grid, const trv_aabb *box, trvi_cells *cells)
{
    if (!trvi_holds_box(&grid->range, box))
        return false;
    *cells = trvi_cells_of(grid, box);
    return true;
}
#endif

// The columns that a box goes to, of so many and the giants' one.
static inline trvi_ring trvi_ring_in(const trvi_grid *grid, uint32_t giants, const trv_aabb *box)
{
    trvi_cells cells;
    if (!trvi_count_cells(grid, box, &cells) || trvi_is_giant(cells))
        return (trvi_ring){.home = giants};
    return (trvi_ring){trvi_column_at(grid, cells.first[0], cells.first[1]),
                       (uint32_t)(cells.last[0] - cells.first[0]),
                       (uint32_t)(cells.last[1] - cells.first[1])};
}

static inline trvi_ring trvi_ring_of(const trvi_columns *columns, const trv_aabb *box)
{
    return trvi_ring_in(&columns->grid, columns->column_count - 1, box);
}

// True when the column is one of the ring's.
static inline bool trvi_ring_holds(const trvi_columns *columns, trvi_ring ring, uint32_t column)
{
    uint32_t size_u = columns->grid.size[0], size_v = columns->grid.size[1];
    uint32_t giants = columns->column_count - 1;
    if (ring.home == giants || column == giants)
        return ring.home == column;
    return ((column - ring.home) & (size_u - 1)) <= ring.span_u &&
           ((trvi_row_of(column, size_u) - trvi_row_of(ring.home, size_u)) &
            (size_u * size_v - 1)) <= ring.span_v * size_u;
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

// The box of the sides along s, u and v, which stand so far from one another.
static inline trv_aabb trvi_box_of_sides(const float *sides, uint32_t stride, const trvi_grid *grid)
{
    float lower[3], upper[3];
    for (uint32_t k = 0; k < 3; k++) {
        lower[grid->axis[k]] = sides[(size_t)(2 * k) * stride];
        upper[grid->axis[k]] = sides[(size_t)(2 * k + 1) * stride];
    }
    return (trv_aabb){{lower[0], lower[1], lower[2]}, {upper[0], upper[1], upper[2]}};
}

#endif
