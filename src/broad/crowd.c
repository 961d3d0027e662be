// Sweeping a crowd: a column in which nearly every box overlaps many others along s, but not along
// u and v, or in which filters forbid the pairs.
//
// Two intervals overlap where one of them holds the lower end of the other. So along u the lower
// ends are the points of a tree of segments: a box that spans a segment overlaps, along u, all
// boxes with a point in it, and is compared with them along v, by another such tree; what is left
// is scanned along s. Lower ends are told apart by their ranks, so that any number of them may be
// in one place, and segments are halved until few boxes are left: n boxes with k pairs cost
// n log(n)^2 steps and their sorting, and k.
//
// Before that, the boxes are grouped by their filters, and those by whether they are touched: where
// two groups may not meet, or are not touched, nothing is compared. Only so many filters are told
// apart; boxes with others are a group that may meet all.
//
// Invariant: a pair is met once, from the box whose lower end along the present axis ranks lower.
//
// Based on: Afra Zomorodian, Herbert Edelsbrunner, "Fast Software for Box Intersections", 2000.
#include "crowd.h"

enum {
    SAMPLES = 16,
    CROWD_OVERLAP = 2048,    // mean overlaps along s, from which a crowd's sweep pays. Measured
    FORBIDDEN_OVERLAP = 256, // the same where filters forbid most pairs
    FILTER_KINDS = 16,       // that are told apart, and the others
    GROUPS = 2 * FILTER_KINDS,
    FEW = 12 // boxes that are compared with others one by one
};

// Along u or v: the rank of each entry's lower side, and how many lower sides are up to its upper
// one.
typedef struct ranks {
    uint32_t *rank, *reach;
} ranks;

typedef struct crowd {
    const trv_broad *broad;
    const trvi_columns *columns;
    trvi_rows rows;
    uint32_t first, count; // entries of the column
    ranks along[2];        // v, u; of entry first + i
    trvi_sink *out;
} crowd;

// Entries, counted from the first one of the column.
typedef struct list {
    uint32_t *items, count;
} list;

// How many later entries one overlaps along s, as a sample of them tells.
static uint32_t mean_overlap(const trvi_columns *columns, trvi_entries all)
{
    const float *lower = trvi_part(columns, TRVI_LOWER_S),
                *upper = trvi_part(columns, TRVI_UPPER_S);
    uint32_t count = all.last - all.first;
    uint64_t sum = 0;
    for (uint32_t n = 0; n < SAMPLES; n++) {
        uint32_t i = all.first + (uint32_t)((uint64_t)count * n / SAMPLES);
        sum += trvi_first_above(lower, i + 1, all.last, upper[i]) - i - 1;
    }
    return (uint32_t)(sum / SAMPLES);
}

// The filters of a column that are told apart. The last kind is of all others.
typedef struct kinds {
    trv_filter filter[FILTER_KINDS];
    uint32_t count;
    bool mixed; // there is a last kind
} kinds;

static uint32_t kind_of(kinds *k, trv_filter filter)
{
    for (uint32_t i = 0; i < k->count; i++) {
        const trv_filter *f = &k->filter[i];
        if (f->category == filter.category && f->mask == filter.mask && f->group == filter.group)
            return i;
    }
    if (k->count == FILTER_KINDS - 1) {
        k->mixed = true;
        return k->count;
    }
    k->filter[k->count] = filter;
    return k->count++;
}

static bool kinds_agree(const kinds *k, uint32_t a, uint32_t b)
{
    bool mixed = k->mixed && (a == FILTER_KINDS - 1 || b == FILTER_KINDS - 1);
    return mixed || trv_filters_agree(k->filter[a], k->filter[b]);
}

// True when filters forbid more than half of all pairs.
static bool are_forbidden(const trv_broad *broad, const trvi_columns *columns, trvi_entries all)
{
    const uint32_t *tag = columns->tag.items;
    kinds k = {.count = 0};
    double members[FILTER_KINDS] = {0}, pairs = 0.0, total = (double)(all.last - all.first);
    for (uint32_t i = all.first; i < all.last; i++)
        members[kind_of(&k, trvi_filter_of(broad, tag[i] >> TRVI_TAG_BITS))] += 1.0;
    for (uint32_t a = 0; a < FILTER_KINDS; a++) {
        for (uint32_t b = a; b < FILTER_KINDS; b++) {
            if (members[a] > 0.0 && members[b] > 0.0 && kinds_agree(&k, a, b))
                pairs += members[a] * members[b] * (a == b ? 0.5 : 1.0);
        }
    }
    return pairs < total * total * 0.25;
}

bool trvi_is_crowd(const trv_broad *broad, const trvi_columns *columns, trvi_entries all,
                   uint32_t sweeps)
{
    uint64_t count = all.last - all.first;
    if (sweeps < FORBIDDEN_OVERLAP) // then it makes no difference
        return false;
    uint64_t comparisons = (uint64_t)mean_overlap(columns, all) * sweeps;
    return comparisons > CROWD_OVERLAP * count ||
           (broad->has_filters && comparisons > FORBIDDEN_OVERLAP * count &&
            are_forbidden(broad, columns, all));
}

// ---- Scanning ----

static bool put(const crowd *c, uint32_t i, uint32_t p)
{
    uint32_t a = c->rows.tag[c->first + i], b = c->rows.tag[c->first + p];
    if (((a | b) & TRVI_TAG_FLAGS) != TRVI_TAG_FLAGS)
        return true;
    return trvi_put_tags(c->broad, c->out, a, b);
}

static void sift_down(uint32_t *items, uint32_t at, uint32_t count)
{
    uint32_t value = items[at];
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && items[child] < items[child + 1];
        if (items[child] <= value)
            break;
        items[at] = items[child];
    }
    items[at] = value;
}

// In place (heapsort): lists lie side by side.
static void sort_list(list l)
{
    bool sorted = true;
    for (uint32_t i = 1; i < l.count && sorted; i++)
        sorted = l.items[i - 1] < l.items[i];
    if (sorted)
        return;
    for (uint32_t i = l.count / 2; i > 0; i--)
        sift_down(l.items, i - 1, l.count);
    for (uint32_t end = l.count; end > 1; end--) {
        uint32_t last = l.items[0];
        l.items[0] = l.items[end - 1];
        l.items[end - 1] = last;
        sift_down(l.items, 0, end - 1);
    }
}

// The pairs in which the one of `boxes` comes first along s.
static bool scan(const crowd *c, list boxes, list points)
{
    const float *lower = c->rows.lower_s + c->first, *upper = c->rows.upper_s + c->first;
    sort_list(boxes);
    sort_list(points);
    for (uint32_t k = 0, first = 0; k < boxes.count; k++) {
        uint32_t i = boxes.items[k];
        while (first < points.count && points.items[first] <= i)
            first++;
        for (uint32_t n = first; n < points.count && lower[points.items[n]] <= upper[i]; n++) {
            uint32_t p = points.items[n];
            if (trvi_entries_meet(c->columns, c->first + i, c->first + p) && !put(c, i, p))
                return false;
        }
    }
    return true;
}

// ---- Trees ----

// True when the box holds the point, along axis d > 0.
static bool holds(const crowd *c, uint32_t d, uint32_t box, uint32_t point)
{
    const ranks *r = &c->along[d - 1];
    return r->rank[box] < r->rank[point] && r->rank[point] < r->reach[box];
}

static bool compare_few(const crowd *c, uint32_t d, list boxes, list points)
{
    for (uint32_t k = 0; k < boxes.count; k++) {
        for (uint32_t n = 0; n < points.count; n++) {
            uint32_t i = boxes.items[k], p = points.items[n];
            if (holds(c, d, i, p) && trvi_entries_meet(c->columns, c->first + i, c->first + p) &&
                !put(c, i, p))
                return false;
        }
    }
    return true;
}

// Brings those to the front of the list that rank below `rank` and reach beyond `reach`.
static list part(const ranks *r, list l, uint32_t rank, uint32_t reach)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < l.count; k++) {
        uint32_t i = l.items[k];
        l.items[k] = l.items[count];
        l.items[count] = i;
        count += r->rank[i] < rank && r->reach[i] > reach;
    }
    return (list){l.items, count};
}

static list rest_of(list l, list front)
{
    return (list){l.items + front.count, l.count - front.count};
}

// The pairs in which one of `boxes` holds the point, along axis d, of one of `points`, all of which
// rank in [first, last) there; the other axes below d are looked at, those above have been. Calls
// itself at most log2(count) deep for each axis. All lists keep what they hold, in any order.
static bool stream(const crowd *c, uint32_t d, list boxes, list points, uint32_t first,
                   uint32_t last)
{
    if (boxes.count == 0 || points.count == 0)
        return true;
    if (d == 0)
        return scan(c, boxes, points);
    if (boxes.count <= FEW || points.count <= FEW)
        return compare_few(c, d, boxes, points);
    const ranks *r = &c->along[d - 1];
    list spanning = part(r, boxes, first, last - 1);
    if (!stream(c, d - 1, spanning, points, 0, c->count) ||
        !stream(c, d - 1, points, spanning, 0, c->count))
        return false;
    uint32_t middle = first + (last - first) / 2;
    list others = rest_of(boxes, spanning), below = part(r, points, middle, 0);
    return stream(c, d, part(r, others, middle, first), below, first, middle) &&
           stream(c, d, part(r, others, last, middle), rest_of(points, below), middle, last);
}

// ---- Groups ----

// Ranks along u or v, in order of the lower sides.
static void rank_sides(const crowd *c, const float *lower, const float *upper,
                       const trvi_crowd_room *room, ranks *r)
{
    for (uint32_t i = 0; i < c->count; i++)
        room->keys[i] = (uint64_t)trvi_sort_key_of_float(lower[c->first + i]) << 32 | i;
    const uint64_t *sorted = trvi_sort_bits(room->keys, room->spare, c->count, 32, 32);
    for (uint32_t n = 0; n < c->count; n++)
        r->rank[(uint32_t)sorted[n]] = n;
    for (uint32_t i = 0; i < c->count; i++) {
        uint64_t most = (uint64_t)trvi_sort_key_of_float(upper[c->first + i]) << 32 | UINT32_MAX;
        uint32_t first = r->rank[i] + 1, last = c->count;
        while (first < last) {
            uint32_t middle = first + (last - first) / 2;
            if (sorted[middle] <= most)
                first = middle + 1;
            else
                last = middle;
        }
        r->reach[i] = first;
    }
}

// The entries by groups: that of filter kind k is 2 * k, and 2 * k + 1 where they are touched.
typedef struct groups {
    kinds kinds;
    uint32_t start[GROUPS + 1];
} groups;

// Deals the entries to `dealt`, group after group, by the groups in `own`.
static void make_groups(const crowd *c, groups *g, uint32_t *own, uint32_t *dealt)
{
    *g = (groups){.kinds = {.count = 0}};
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t tag = c->rows.tag[c->first + i];
        uint32_t kind = kind_of(&g->kinds, trvi_filter_of(c->broad, tag >> TRVI_TAG_BITS));
        own[i] = 2 * kind + (tag & TRVI_TAG_TOUCHED ? 1 : 0);
        g->start[own[i] + 1]++;
    }
    for (uint32_t k = 0; k < GROUPS; k++)
        g->start[k + 1] += g->start[k];
    uint32_t at[GROUPS];
    memcpy(at, g->start, sizeof at);
    for (uint32_t i = 0; i < c->count; i++)
        dealt[at[own[i]]++] = i;
}

static bool groups_meet(const groups *g, uint32_t a, uint32_t b)
{
    bool empty = g->start[a] == g->start[a + 1] || g->start[b] == g->start[b + 1];
    bool touched = (a | b) & 1;
    return !empty && touched && kinds_agree(&g->kinds, a / 2, b / 2);
}

static list copy_group(const groups *g, uint32_t group, const uint32_t *dealt, uint32_t *to)
{
    uint32_t count = g->start[group + 1] - g->start[group];
    memcpy(to, dealt + g->start[group], count * sizeof *to);
    return (list){to, count};
}

bool trvi_sweep_crowd(const trv_broad *broad, const trvi_columns *columns, trvi_entries all,
                      const trvi_crowd_room *room, trvi_sink *out)
{
    const uint32_t count = all.last - all.first;
    uint32_t *words = room->words, *own = words + 4 * (size_t)count, *dealt = own + count;
    crowd c = {
        .broad = broad,
        .columns = columns,
        .rows = trvi_rows_of(columns),
        .first = all.first,
        .count = count,
        .along = {{words, words + count}, {words + 2 * (size_t)count, words + 3 * (size_t)count}},
        .out = out};
    groups g;
    make_groups(&c, &g, own, dealt);
    uint32_t *first = dealt + count, *second = first + count;
    // Where only filters are in the way, what they leave is scanned along s.
    uint32_t axes = mean_overlap(columns, all) > CROWD_OVERLAP ? 2 : 0;
    if (axes > 0) {
        rank_sides(&c, c.rows.lower_v, c.rows.upper_v, room, &c.along[0]);
        rank_sides(&c, c.rows.lower_u, c.rows.upper_u, room, &c.along[1]);
    }
    for (uint32_t a = 0; a < GROUPS; a++) {
        for (uint32_t b = a; b < GROUPS; b++) {
            if (!groups_meet(&g, a, b))
                continue;
            list x = copy_group(&g, a, dealt, first), y = copy_group(&g, b, dealt, second);
            if (!stream(&c, axes, x, y, 0, count) || (a != b && !stream(&c, axes, y, x, 0, count)))
                return false;
        }
    }
    return true;
}
