// The innermost loops over the entries of a column, four at once, or eight where the processor has
// AVX2.
//
// Comparisons, or the same sums and products in the same order, are all that is done with the
// numbers, so that any width leads to the same answers. What lies behind the column is cut off, or
// above all.
//
// Invariant: a block of entries never makes more hits than TRVI_WIDEST, and a loop stops while
// there is room for what may come next.
#include "kernel.h"

#include "broad_data.h"

static uint32_t sweep_four(const trvi_rows *r, trvi_place *place, uint32_t last, uint32_t end,
                           trvi_hit *hits)
{
    uint32_t count = 0, i = place->i, j = place->j;
    for (; i < last; i++, j = i + 1) {
        trvi_wide_box box = trvi_widen(r, i);
        uint32_t tag = r->tag[i];
        while (j < end) {
            if (count > TRVI_HITS - TRVI_WIDEST) {
                *place = (trvi_place){i, j};
                return count;
            }
            uint32_t in_s = trvi_lanes_at_least(box.upper_s, trvi_lanes_load(r->lower_s + j));
            uint32_t bits = trvi_cut(in_s & trvi_meets_across(r, &box, j), end - j);
            for (uint32_t k = j; bits != 0; k++, bits >>= 1) {
                hits[count] = (trvi_hit){tag, r->tag[k]};
                count += bits & (((tag | r->tag[k]) & TRVI_TAG_FLAGS) == TRVI_TAG_FLAGS);
            }
            // Entries are in order: the last one of the block is the first to lie above.
            if (!(in_s >> (TRVI_LANES - 1)) || end - j <= TRVI_LANES)
                break;
            j += TRVI_LANES;
        }
    }
    *place = (trvi_place){i, j};
    return count;
}

// The first block of [start, end) that reaches up to the lower side of entry i, or one before it.
static inline uint32_t reach_back(const trvi_rows *r, uint32_t i, uint32_t start)
{
    const float lower = r->lower_s[i];
    uint32_t block = i / TRVI_BLOCK, first = start / TRVI_BLOCK; // where a column starts
    while (block > first && r->reach[block - 1] >= lower)
        block--;
    return block * TRVI_BLOCK;
}

static uint32_t around_four(const trvi_rows *r, trvi_place *place, const uint32_t *list,
                            uint32_t listed, uint32_t start, uint32_t end, trvi_hit *hits)
{
    uint32_t count = 0, at = place->i, j = place->j;
    for (; at < listed; at++, j = TRVI_FROM_REACH) {
        const uint32_t i = list[at], tag = r->tag[i];
        const trvi_wide_box box = trvi_widen(r, i);
        uint32_t in_s = 1u << (TRVI_LANES - 1);
        for (j = j == TRVI_FROM_REACH ? reach_back(r, i, start) : j;
             j < end && in_s >> (TRVI_LANES - 1); j += TRVI_LANES) {
            if (count > TRVI_HITS - TRVI_WIDEST) {
                *place = (trvi_place){at, j};
                return count;
            }
            in_s = trvi_lanes_at_least(box.upper_s, trvi_lanes_load(r->lower_s + j));
            uint32_t bits = trvi_lanes_at_least(trvi_lanes_load(r->upper_s + j), box.lower_s);
            bits = trvi_cut(bits & in_s & trvi_meets_across(r, &box, j), end - j);
            for (uint32_t k = j; bits != 0; k++, bits >>= 1) {
                bool told = k > i || !(r->tag[k] & TRVI_TAG_TOUCHED);
                hits[count] = (trvi_hit){tag, r->tag[k]};
                count += bits & told & (((tag | r->tag[k]) & TRVI_TAG_FLAGS) == TRVI_TAG_FLAGS);
            }
        }
    }
    *place = (trvi_place){at, j};
    return count;
}

// Notes where there are any hits, without a branch, and looks at those places later.
static uint32_t watch_four(const trvi_rows *now, const trvi_rows *was, uint32_t *row,
                           uint32_t count, uint32_t *blocks)
{
    uint32_t noted = 0, left = 0, i = *row, last = TRVI_BLOCKS - count / TRVI_LANES - 2;
    for (; i < count && noted <= last; i++) {
        trvi_wide_box box = trvi_widen(now, i);
        uint32_t in_s = 1u << (TRVI_LANES - 1);
        for (uint32_t j = i + 1; in_s >> (TRVI_LANES - 1); j += TRVI_LANES) {
            in_s = trvi_lanes_at_least(box.upper_s, trvi_lanes_load(now->lower_s + j));
            uint32_t bits = in_s & trvi_meets_across(now, &box, j);
            blocks[noted] = i << 20 | j << 8 | bits;
            noted += bits != 0;
        }
    }
    *row = i;
    for (uint32_t n = 0; n < noted; n++) {
        uint32_t j = blocks[n] >> 8 & 0xFFF;
        trvi_wide_box box = trvi_widen(was, blocks[n] >> 20);
        uint32_t before = trvi_meets_across(was, &box, j) &
                          trvi_lanes_at_least(box.upper_s, trvi_lanes_load(was->lower_s + j)) &
                          trvi_lanes_at_least(trvi_lanes_load(was->upper_s + j), box.lower_s);
        blocks[left] = blocks[n] & ~before;
        left += (blocks[left] & 0xFF) != 0;
    }
    return left;
}

static bool left_cell(float was, float now, double inverse)
{
    return trvi_cell((double)was, inverse) != trvi_cell((double)now, inverse);
}

static uint32_t fence_one(const trvi_rows *now, const trvi_rows *was, const trvi_fence *fence,
                          uint32_t count, uint32_t *list)
{
    uint32_t listed = 0;
    const float *lower = fence->lower, *upper = fence->upper;
    for (uint32_t i = 0; i < count; i++) {
        bool out = (now->lower_s[i] < lower[0]) | (now->upper_s[i] > upper[0]) |
                   (now->lower_u[i] < lower[1]) | (now->upper_u[i] > upper[1]) |
                   (now->lower_v[i] < lower[2]) | (now->upper_v[i] > upper[2]);
        list[listed] = i;
        listed += out || left_cell(was->lower_u[i], now->lower_u[i], fence->inverse[0]) ||
                  left_cell(was->upper_u[i], now->upper_u[i], fence->inverse[0]) ||
                  left_cell(was->lower_v[i], now->lower_v[i], fence->inverse[1]) ||
                  left_cell(was->upper_v[i], now->upper_v[i], fence->inverse[1]);
    }
    return listed;
}

// The slack is beyond the rounding of fractions in float32; the last term undoes that of the
// smallest numbers.
static uint32_t look_four(const trvi_rows *rows, const trvi_beam *beam, uint32_t *entry,
                          uint32_t end, uint32_t *list)
{
    const float *const lower[3] = {rows->lower_s, rows->lower_u, rows->lower_v};
    const float *const upper[3] = {rows->upper_s, rows->upper_u, rows->upper_v};
    uint32_t listed = 0, i = *entry, below = 1u << (TRVI_LANES - 1);
    for (; i < end && below >> (TRVI_LANES - 1) && listed <= TRVI_LOOKED - TRVI_LANES;
         i += TRVI_LANES) {
        uint32_t meets = (1u << TRVI_LANES) - 1;
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t starts = trvi_lanes_at_least(trvi_lanes_splat(beam->upper[k]),
                                                  trvi_lanes_load(lower[k] + i));
            below = k == 0 ? starts : below;
            meets &= starts & trvi_lanes_at_least(trvi_lanes_load(upper[k] + i),
                                                  trvi_lanes_splat(beam->lower[k]));
        }
        if (meets == 0)
            continue;
        trvi_lanes enter = trvi_lanes_splat(0.0f), leave = trvi_lanes_splat(1.0f);
        for (uint32_t n = 0; n < beam->count; n++) {
            uint32_t k = beam->axis[n];
            trvi_lanes inverse = trvi_lanes_splat(beam->inverse[k]);
            trvi_lanes a = trvi_lanes_sub(trvi_lanes_load(lower[k] + i),
                                          trvi_lanes_splat(beam->start_upper[k]));
            trvi_lanes b = trvi_lanes_sub(trvi_lanes_load(upper[k] + i),
                                          trvi_lanes_splat(beam->start_lower[k]));
            a = trvi_lanes_mul(a, inverse);
            b = trvi_lanes_mul(b, inverse);
            enter = trvi_lanes_max(enter, trvi_lanes_min(a, b));
            leave = trvi_lanes_min(leave, trvi_lanes_max(a, b));
        }
        enter = trvi_lanes_mul(enter, trvi_lanes_splat(1.0f - TRVI_SLAB_SLACK));
        leave = trvi_lanes_mul(leave, trvi_lanes_splat(1.0f + TRVI_SLAB_SLACK));
        meets &= trvi_lanes_at_least(trvi_lanes_add(leave, trvi_lanes_splat(1.0e-37f)), enter);
        for (uint32_t k = i; meets != 0 && k < end; k++, meets >>= 1) {
            list[listed] = k;
            listed += meets & 1;
        }
    }
    *entry = i < end && below >> (TRVI_LANES - 1) ? i : end;
    return listed;
}

// The sides in all lanes.
static trvi_wide_box widen_sides(const float sides[6])
{
    return (trvi_wide_box){trvi_lanes_splat(sides[0]), trvi_lanes_splat(sides[1]),
                           trvi_lanes_splat(sides[2]), trvi_lanes_splat(sides[3]),
                           trvi_lanes_splat(sides[4]), trvi_lanes_splat(sides[5])};
}

static uint32_t differ_four(const trvi_rows *r, const trvi_shift *shift, uint32_t *entry,
                            uint32_t end, uint32_t *list)
{
    const trvi_wide_box was = widen_sides(shift->was), now = widen_sides(shift->now);
    uint32_t listed = 0, j = *entry, below = 1u << (TRVI_LANES - 1);
    for (; j < end && below >> (TRVI_LANES - 1) && listed <= TRVI_LOOKED - TRVI_LANES;
         j += TRVI_LANES) {
        trvi_lanes lower = trvi_lanes_load(r->lower_s + j), upper = trvi_lanes_load(r->upper_s + j);
        uint32_t before = trvi_lanes_at_least(was.upper_s, lower);
        uint32_t after = trvi_lanes_at_least(now.upper_s, lower);
        below = before | after;
        before &= trvi_lanes_at_least(upper, was.lower_s) & trvi_meets_across(r, &was, j);
        after &= trvi_lanes_at_least(upper, now.lower_s) & trvi_meets_across(r, &now, j);
        uint32_t bits = trvi_cut(before ^ after, end - j);
        for (uint32_t k = j; bits != 0; k++, bits >>= 1) {
            bool first = ((shift->tag | r->tag[k]) & TRVI_TAG_FIRST) == TRVI_TAG_FIRST;
            bool other = r->tag[k] >> TRVI_TAG_BITS != shift->tag >> TRVI_TAG_BITS;
            list[listed] = k;
            listed += bits & first & other;
        }
    }
    *entry = j < end && below >> (TRVI_LANES - 1) ? j : end;
    return listed;
}

static uint32_t seek_one(const uint32_t *tag, uint32_t first, uint32_t end, uint32_t index)
{
    uint32_t i = first;
    while (i < end && tag[i] >> TRVI_TAG_BITS != index)
        i++;
    return i;
}

#if defined(TRVI_CAN_EIGHT)
#include <immintrin.h>

#define EIGHT __attribute__((target("avx2"), always_inline)) static inline

// The sides of one entry in all lanes, as trvi_wide_box.
typedef struct wide_eight {
    __m256 lower_s, upper_s, lower_u, upper_u, lower_v, upper_v;
} wide_eight;

EIGHT wide_eight widen_eight(const trvi_rows *r, uint32_t i)
{
    return (wide_eight){_mm256_set1_ps(r->lower_s[i]), _mm256_set1_ps(r->upper_s[i]),
                        _mm256_set1_ps(r->lower_u[i]), _mm256_set1_ps(r->upper_u[i]),
                        _mm256_set1_ps(r->lower_v[i]), _mm256_set1_ps(r->upper_v[i])};
}

EIGHT __m256 at_most_eight(const float *sides, __m256 most)
{
    return _mm256_cmp_ps(_mm256_loadu_ps(sides), most, _CMP_LE_OQ);
}

EIGHT __m256 at_least_eight(const float *sides, __m256 least)
{
    return _mm256_cmp_ps(_mm256_loadu_ps(sides), least, _CMP_GE_OQ);
}

// As trvi_meets_across, as a mask.
EIGHT __m256 meets_across_eight(const trvi_rows *r, const wide_eight *box, uint32_t j)
{
    __m256 u = _mm256_and_ps(at_most_eight(r->lower_u + j, box->upper_u),
                             at_least_eight(r->upper_u + j, box->lower_u));
    __m256 v = _mm256_and_ps(at_most_eight(r->lower_v + j, box->upper_v),
                             at_least_eight(r->upper_v + j, box->lower_v));
    return _mm256_and_ps(u, v);
}

EIGHT uint32_t bits_of(__m256 mask)
{
    return (uint32_t)_mm256_movemask_ps(mask);
}

EIGHT uint32_t first_of(uint32_t bits)
{
    return (uint32_t)__builtin_ctz(bits);
}

// Writes the hits with the entries from j on. The first two are written whether there are any or
// not: most blocks have no more.
EIGHT trvi_hit *put_hits(trvi_hit *hit, const trvi_rows *r, uint32_t tag, uint32_t j, uint32_t bits)
{
    *hit = (trvi_hit){tag, r->tag[j + first_of(bits | 128)]};
    hit += bits != 0;
    bits &= bits - 1;
    *hit = (trvi_hit){tag, r->tag[j + first_of(bits | 128)]};
    hit += bits != 0;
    for (bits &= bits - 1; bits != 0; bits &= bits - 1)
        *hit++ = (trvi_hit){tag, r->tag[j + first_of(bits)]};
    return hit;
}

__attribute__((target("avx2"))) static uint32_t
sweep_eight(const trvi_rows *rows, trvi_place *place, uint32_t last, uint32_t end, trvi_hit *hits)
{
    const trvi_rows r = *rows; // nobody writes to it
    const __m256i flags = _mm256_set1_epi32(TRVI_TAG_FLAGS);
    trvi_hit *hit = hits, *full = hits + (TRVI_HITS - TRVI_WIDEST);
    uint32_t i = place->i, j = place->j;
    for (; i < last; i++, j = i + 1) {
        const uint32_t tag = r.tag[i];
        const wide_eight box = widen_eight(&r, i);
        // What the other's tag must have: all flags that this one has not.
        const __m256i lacking = _mm256_andnot_si256(_mm256_set1_epi32((int)tag), flags);
        uint32_t in_s = 128;
        for (; j < end && in_s & 128; j += 8) {
            if (hit > full) {
                *place = (trvi_place){i, j};
                return (uint32_t)(hit - hits);
            }
            __m256 s = at_most_eight(r.lower_s + j, box.upper_s);
            __m256i has = _mm256_loadu_si256((const __m256i *)(const void *)(r.tag + j));
            has = _mm256_cmpeq_epi32(_mm256_and_si256(has, lacking), lacking);
            __m256 meets = _mm256_and_ps(s, meets_across_eight(&r, &box, j));
            in_s = bits_of(s);
            uint32_t bits = bits_of(_mm256_and_ps(meets, _mm256_castsi256_ps(has)));
            hit = put_hits(hit, &r, tag, j, trvi_cut(bits, end - j));
        }
    }
    *place = (trvi_place){i, j};
    return (uint32_t)(hit - hits);
}

// As around_four.
__attribute__((target("avx2"))) static uint32_t
around_eight(const trvi_rows *rows, trvi_place *place, const uint32_t *list, uint32_t listed,
             uint32_t start, uint32_t end, trvi_hit *hits)
{
    enum { TOUCHED_TO_SIGN = 29 };
    const trvi_rows r = *rows; // nobody writes to it
    const __m256i flags = _mm256_set1_epi32(TRVI_TAG_FLAGS);
    trvi_hit *hit = hits, *full = hits + (TRVI_HITS - TRVI_WIDEST);
    uint32_t at = place->i, j = place->j;
    for (; at < listed; at++, j = TRVI_FROM_REACH) {
        const uint32_t i = list[at], tag = r.tag[i];
        const wide_eight box = widen_eight(&r, i);
        const __m256i lacking = _mm256_andnot_si256(_mm256_set1_epi32((int)tag), flags);
        uint32_t in_s = 128;
        for (j = j == TRVI_FROM_REACH ? reach_back(&r, i, start) : j; j < end && in_s & 128;
             j += 8) {
            if (hit > full) {
                *place = (trvi_place){at, j};
                return (uint32_t)(hit - hits);
            }
            __m256 s = at_most_eight(r.lower_s + j, box.upper_s);
            __m256i tags = _mm256_loadu_si256((const __m256i *)(const void *)(r.tag + j));
            __m256i has = _mm256_cmpeq_epi32(_mm256_and_si256(tags, lacking), lacking);
            __m256 meets = _mm256_and_ps(s, meets_across_eight(&r, &box, j));
            meets = _mm256_and_ps(meets, at_least_eight(r.upper_s + j, box.lower_s));
            in_s = bits_of(s);
            uint32_t bits = bits_of(_mm256_and_ps(meets, _mm256_castsi256_ps(has)));
            if (j <= i) {
                __m256i touched = _mm256_slli_epi32(tags, TOUCHED_TO_SIGN);
                uint32_t before = i - j < 8 ? (2u << (i - j)) - 1 : 255;
                bits &= ~(bits_of(_mm256_castsi256_ps(touched)) & before);
            }
            hit = put_hits(hit, &r, tag, j, trvi_cut(bits, end - j));
        }
    }
    *place = (trvi_place){at, j};
    return (uint32_t)(hit - hits);
}

// Notes what entry i overlaps among those from j on, if any; returns whether there may be more.
EIGHT bool note_eight(const trvi_rows *r, uint32_t i, uint32_t j, uint32_t *blocks, uint32_t *noted)
{
    const wide_eight box = widen_eight(r, i);
    __m256 s = at_most_eight(r->lower_s + j, box.upper_s);
    uint32_t bits = bits_of(_mm256_and_ps(s, meets_across_eight(r, &box, j)));
    blocks[*noted] = i << 20 | j << 8 | bits;
    *noted += bits != 0;
    return bits_of(s) >> 7;
}

// As watch_four. How many blocks an entry takes cannot be foretold; so some entries take one each,
// those that are to go on the next one, and so on.
__attribute__((target("avx2"))) static uint32_t watch_eight(const trvi_rows *now,
                                                            const trvi_rows *was, uint32_t *row,
                                                            uint32_t count, uint32_t *blocks)
{
    enum { AT_ONCE = 64 };
    const trvi_rows r = *now; // nobody writes to it
    const uint32_t most = count / 8 + 2;
    uint32_t noted = 0, left = 0, i = *row, list[AT_ONCE];
    while (i < count && TRVI_BLOCKS - noted >= most) {
        uint32_t room = (TRVI_BLOCKS - noted) / most, listed = 0;
        room = room < AT_ONCE ? room : AT_ONCE;
        uint32_t last = count - i < room ? count : i + room;
        for (; i < last; i++) {
            list[listed] = i;
            listed += note_eight(&r, i, i + 1, blocks, &noted);
        }
        for (uint32_t step = 9; listed > 0; step += 8) {
            uint32_t going = listed;
            listed = 0;
            for (uint32_t k = 0; k < going; k++) {
                uint32_t at = list[k];
                list[listed] = at;
                listed += note_eight(&r, at, at + step, blocks, &noted);
            }
        }
    }
    *row = i;
    for (uint32_t n = 0; n < noted; n++) {
        uint32_t j = blocks[n] >> 8 & 0xFFF;
        const wide_eight box = widen_eight(was, blocks[n] >> 20);
        __m256 s = _mm256_and_ps(at_most_eight(was->lower_s + j, box.upper_s),
                                 at_least_eight(was->upper_s + j, box.lower_s));
        __m256 met = _mm256_and_ps(s, meets_across_eight(was, &box, j));
        blocks[left] = blocks[n] & ~bits_of(met);
        left += (blocks[left] & 0xFF) != 0;
    }
    return left;
}

// Lanes in which the two may lie in different cells. Cells are powers of two wide, so that the
// products are exact, unless they are too small for that: then the sign tells.
EIGHT __m256 left_eight(const float *was, const float *now, __m256 inverse)
{
    __m256 a = _mm256_loadu_ps(was), b = _mm256_loadu_ps(now);
    __m256 cell_a = _mm256_floor_ps(_mm256_mul_ps(a, inverse));
    __m256 cell_b = _mm256_floor_ps(_mm256_mul_ps(b, inverse));
    return _mm256_or_ps(_mm256_xor_ps(a, b), _mm256_cmp_ps(cell_a, cell_b, _CMP_NEQ_UQ));
}

__attribute__((target("avx2"))) static uint32_t fence_eight(const trvi_rows *now,
                                                            const trvi_rows *was,
                                                            const trvi_fence *fence, uint32_t count,
                                                            uint32_t *list)
{
    const float *sides[6] = {now->lower_s, now->lower_u, now->lower_v,
                             now->upper_s, now->upper_u, now->upper_v};
    const __m256 inverse_u = _mm256_set1_ps((float)fence->inverse[0]);
    const __m256 inverse_v = _mm256_set1_ps((float)fence->inverse[1]);
    uint32_t listed = 0;
    for (uint32_t i = 0; i < count; i += 8) {
        __m256 out = left_eight(was->lower_u + i, now->lower_u + i, inverse_u);
        out = _mm256_or_ps(out, left_eight(was->upper_u + i, now->upper_u + i, inverse_u));
        out = _mm256_or_ps(out, left_eight(was->lower_v + i, now->lower_v + i, inverse_v));
        out = _mm256_or_ps(out, left_eight(was->upper_v + i, now->upper_v + i, inverse_v));
        for (uint32_t k = 0; k < 3; k++) {
            __m256 lower = _mm256_set1_ps(fence->lower[k]), upper = _mm256_set1_ps(fence->upper[k]);
            __m256 below = _mm256_cmp_ps(_mm256_loadu_ps(sides[k] + i), lower, _CMP_LT_OQ);
            __m256 above = _mm256_cmp_ps(_mm256_loadu_ps(sides[k + 3] + i), upper, _CMP_GT_OQ);
            out = _mm256_or_ps(out, _mm256_or_ps(below, above));
        }
        for (uint32_t bits = trvi_cut(bits_of(out), count - i); bits != 0; bits &= bits - 1)
            list[listed++] = i + first_of(bits);
    }
    return listed;
}

// As look_four.
__attribute__((target("avx2"))) static uint32_t look_eight(const trvi_rows *rows,
                                                           const trvi_beam *beam, uint32_t *entry,
                                                           uint32_t end, uint32_t *list)
{
    const float *const lower[3] = {rows->lower_s, rows->lower_u, rows->lower_v};
    const float *const upper[3] = {rows->upper_s, rows->upper_u, rows->upper_v};
    const wide_eight window = {_mm256_set1_ps(beam->lower[0]), _mm256_set1_ps(beam->upper[0]),
                               _mm256_set1_ps(beam->lower[1]), _mm256_set1_ps(beam->upper[1]),
                               _mm256_set1_ps(beam->lower[2]), _mm256_set1_ps(beam->upper[2])};
    uint32_t listed = 0, i = *entry, below = 128;
    for (; i < end && below & 128 && listed <= TRVI_LOOKED - 8; i += 8) {
        __m256 s = at_most_eight(rows->lower_s + i, window.upper_s);
        below = bits_of(s);
        s = _mm256_and_ps(s, at_least_eight(rows->upper_s + i, window.lower_s));
        __m256 meets = _mm256_and_ps(s, meets_across_eight(rows, &window, i));
        if (bits_of(meets) == 0)
            continue;
        __m256 enter = _mm256_setzero_ps(), leave = _mm256_set1_ps(1.0f);
        for (uint32_t n = 0; n < beam->count; n++) {
            uint32_t k = beam->axis[n];
            __m256 inverse = _mm256_set1_ps(beam->inverse[k]);
            __m256 a =
                _mm256_sub_ps(_mm256_loadu_ps(lower[k] + i), _mm256_set1_ps(beam->start_upper[k]));
            __m256 b =
                _mm256_sub_ps(_mm256_loadu_ps(upper[k] + i), _mm256_set1_ps(beam->start_lower[k]));
            a = _mm256_mul_ps(a, inverse);
            b = _mm256_mul_ps(b, inverse);
            enter = _mm256_max_ps(enter, _mm256_min_ps(a, b));
            leave = _mm256_min_ps(leave, _mm256_max_ps(a, b));
        }
        enter = _mm256_mul_ps(enter, _mm256_set1_ps(1.0f - TRVI_SLAB_SLACK));
        leave = _mm256_mul_ps(leave, _mm256_set1_ps(1.0f + TRVI_SLAB_SLACK));
        leave = _mm256_add_ps(leave, _mm256_set1_ps(1.0e-37f));
        meets = _mm256_and_ps(meets, _mm256_cmp_ps(leave, enter, _CMP_GE_OQ));
        for (uint32_t bits = trvi_cut(bits_of(meets), end - i); bits != 0; bits &= bits - 1)
            list[listed++] = i + first_of(bits);
    }
    *entry = i < end && below & 128 ? i : end;
    return listed;
}

EIGHT wide_eight widen_sides_eight(const float sides[6])
{
    return (wide_eight){_mm256_set1_ps(sides[0]), _mm256_set1_ps(sides[1]),
                        _mm256_set1_ps(sides[2]), _mm256_set1_ps(sides[3]),
                        _mm256_set1_ps(sides[4]), _mm256_set1_ps(sides[5])};
}

// As differ_four.
__attribute__((target("avx2"))) static uint32_t differ_eight(const trvi_rows *rows,
                                                             const trvi_shift *shift,
                                                             uint32_t *entry, uint32_t end,
                                                             uint32_t *list)
{
    const trvi_rows r = *rows; // nobody writes to it
    const wide_eight was = widen_sides_eight(shift->was), now = widen_sides_eight(shift->now);
    const __m256i lacking = _mm256_set1_epi32((int)(~shift->tag & TRVI_TAG_FIRST));
    const __m256i own = _mm256_set1_epi32((int)(shift->tag >> TRVI_TAG_BITS));
    uint32_t listed = 0, j = *entry, below = 128;
    for (; j < end && below & 128 && listed <= TRVI_LOOKED - 8; j += 8) {
        __m256 before = at_most_eight(r.lower_s + j, was.upper_s);
        __m256 after = at_most_eight(r.lower_s + j, now.upper_s);
        below = bits_of(_mm256_or_ps(before, after));
        before = _mm256_and_ps(before, at_least_eight(r.upper_s + j, was.lower_s));
        before = _mm256_and_ps(before, meets_across_eight(&r, &was, j));
        after = _mm256_and_ps(after, at_least_eight(r.upper_s + j, now.lower_s));
        after = _mm256_and_ps(after, meets_across_eight(&r, &now, j));
        uint32_t bits = bits_of(_mm256_xor_ps(before, after));
        if (bits == 0)
            continue;
        __m256i tags = _mm256_loadu_si256((const __m256i *)(const void *)(r.tag + j));
        __m256i has = _mm256_cmpeq_epi32(_mm256_and_si256(tags, lacking), lacking);
        __m256i self = _mm256_cmpeq_epi32(_mm256_srli_epi32(tags, TRVI_TAG_BITS), own);
        bits &= bits_of(_mm256_castsi256_ps(_mm256_andnot_si256(self, has)));
        for (bits = trvi_cut(bits, end - j); bits != 0; bits &= bits - 1)
            list[listed++] = j + first_of(bits);
    }
    *entry = j < end && below & 128 ? j : end;
    return listed;
}

// Lanes whose tags are of the proxy.
EIGHT __m256i same_eight(const uint32_t *tag, __m256i index)
{
    __m256i tags = _mm256_loadu_si256((const __m256i *)(const void *)tag);
    return _mm256_cmpeq_epi32(_mm256_srli_epi32(tags, TRVI_TAG_BITS), index);
}

__attribute__((target("avx2"))) static uint32_t seek_eight(const uint32_t *tag, uint32_t first,
                                                           uint32_t end, uint32_t index)
{
    const __m256i own = _mm256_set1_epi32((int)index);
    uint32_t i = first;
    for (; end - i >= 32; i += 32) { // until it is among these
        __m256i same = same_eight(tag + i, own);
        for (uint32_t k = 8; k < 32; k += 8)
            same = _mm256_or_si256(same, same_eight(tag + i + k, own));
        if (bits_of(_mm256_castsi256_ps(same)) != 0)
            break;
    }
    for (; i < end; i += 8) {
        uint32_t bits = bits_of(_mm256_castsi256_ps(same_eight(tag + i, own)));
        if (bits != 0)
            return i + first_of(bits) < end ? i + first_of(bits) : end;
    }
    return end;
}
#endif

bool trvi_kernels_at(uint32_t kind, trvi_kernels *kernels)
{
    if (kind == 0)
        *kernels =
            (trvi_kernels){sweep_four,       around_four,     watch_four,       fence_one,
                           look_four,        differ_four,     seek_one,         trvi_count_one,
                           trvi_squeeze_one, trvi_spread_one, trvi_outside_one, trvi_within_one};
#if defined(TRVI_CAN_EIGHT)
    if (kind == 1 && __builtin_cpu_supports("avx2")) {
        *kernels = (trvi_kernels){sweep_eight,       around_eight,       watch_eight,
                                  fence_eight,       look_eight,         differ_eight,
                                  seek_eight,        trvi_count_eight,   trvi_squeeze_eight,
                                  trvi_spread_eight, trvi_outside_eight, trvi_within_eight};
        return true;
    }
    if (kind == 2 && trvi_kernels_at(1, kernels) && __builtin_cpu_supports("avx512f")) {
        kernels->around = trvi_around_sixteen;
        return true;
    }
#endif
    return kind == 0;
}
