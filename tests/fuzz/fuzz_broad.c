// Makes calls to a broadphase as bytes say, and compares each answer with a model's that looks at
// all pairs of boxes: histories of adding, moving, teleporting, sleeping and removing, with numbers
// that no caller should send, ids that are stale, memory and limits that run out, and saves in
// between.
//
// An entry point for libFuzzer, and for the replay of kept inputs (replay.c).
#include "broad_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint32_t two = 2;

// As the tests' deal_backwards: ranges from the last to the first, to two workers in turn.
static void deal(void *user, uint32_t items, uint32_t grain, trv_range_fn *fn, void *context)
{
    uint32_t ranges = (items + grain - 1) / grain;
    for (uint32_t i = ranges; i > 0; i--) {
        uint32_t first = (i - 1) * grain;
        fn(context, first, first + grain < items ? first + grain : items, i % *(uint32_t *)user);
    }
}

static trv_broad *create(fuzz_broad *f)
{
    trv_broad *broad = NULL;
    f->memory.fail_at = SIZE_MAX;
    demand(trv_broad_create(&f->def, &broad) == TRV_OK);
    return broad;
}

// The model is large, so that one serves all inputs.
static model *the_model(float margin)
{
    static model *kept;
    if (kept == NULL)
        kept = model_create(margin);
    model_reset(kept, margin);
    return kept;
}

static void begin(fuzz_broad *f, fuzz_bytes *r)
{
    static const float margins[4] = {0.0f, 0.0f, 0.125f, 3.0f};
    uint8_t choice = take_byte(r);
    f->def = trv_default_broad_def();
    f->def.margin = margins[choice & 3];
    f->def.margin_share = (choice & 3) == 3 ? 0.25f : 0.0f;
    f->def.max_proxies = choice & 4 ? 20 : MOST_BOXES;
    f->def.max_pairs = choice & 8 ? 30 : MODEL_MAX_PAIRS;
    f->def.allocator = (trv_allocator){&f->memory, fuzz_reallocate};
    if (choice & 16)
        f->def.workers = (trv_workers){&two, two, deal};
    f->size = choice & 32 ? take_size(r) : 1.0f;
    f->broad = create(f);
    f->model = the_model(f->def.margin);
    f->model->margin_share = f->def.margin_share;
}

static bool fits(trv_vec3 v)
{
    return fabsf(v.x) <= TRV_COORD_MAX && fabsf(v.y) <= TRV_COORD_MAX &&
           fabsf(v.z) <= TRV_COORD_MAX;
}

static bool is_good(trv_aabb box)
{
    return fits(box.lower) && fits(box.upper) && box.lower.x <= box.upper.x &&
           box.lower.y <= box.upper.y && box.lower.z <= box.upper.z;
}

trv_aabb take_box(fuzz_broad *f, fuzz_bytes *r)
{
    fuzz_style how = take_style(r);
    trv_vec3 a = take_vec3(r, how, f->size), h = take_vec3(r, how, 0.25f * f->size);
    uint8_t shape = take_byte(r);
    if (shape < 250) // else most likely inverted
        h = trv_make_vec3(fabsf(h.x), fabsf(h.y), fabsf(h.z));
    if (shape < 8)
        h = trv_make_vec3(h.x * 100.0f, h.y, h.z * 100.0f);
    return (trv_aabb){a, {a.x + h.x, a.y + h.y, a.z + h.z}};
}

trv_filter take_filter(fuzz_bytes *r)
{
    uint8_t choice = take_byte(r);
    trv_filter filter = trv_default_filter();
    if (choice < 128)
        return filter;
    filter.category = (uint64_t)1 << (choice & 1);
    filter.mask = (choice >> 1) & 3;
    filter.group = (int32_t)((choice >> 3) & 3) - 1;
    return filter;
}

// Among the live ones, or NULL.
static model_proxy *pick(fuzz_broad *f, fuzz_bytes *r)
{
    uint32_t limit = f->model->limit, at = take_byte(r);
    at += 256u * (take_byte(r) & 3);
    for (uint32_t i = 0; i < limit; i++) {
        model_proxy *p = &f->model->proxies[(at + i) % limit];
        if (p->live)
            return p;
    }
    return NULL;
}

static void add(fuzz_broad *f, trv_aabb box, trv_filter filter, uint8_t set)
{
    trv_proxy_id id = {7, 7};
    uint64_t user = ++f->users;
    trv_proxy_set as = (trv_proxy_set)set;
    trv_result result = trv_broad_add(f->broad, box, filter, as, user, &id);
    if (result == TRV_ERROR_MEMORY) {
        demand(f->memory.calls > f->memory.fail_at && id.index1 == 0);
        result = trv_broad_add(f->broad, box, filter, as, user, &id);
    }
    if (!is_good(box) || set > TRV_PROXY_AWAKE) {
        demand(result == TRV_ERROR_NUMBER || result == TRV_ERROR_RANGE);
    } else if (f->live_count == f->def.max_proxies) {
        demand(result == TRV_ERROR_LIMIT);
    } else {
        demand(result == TRV_OK);
        model_add(f->model, id, box, filter, as, user);
        f->live_count++;
        return;
    }
    demand(id.index1 == 0 && id.generation == 0);
}

// Many at once, so that columns are divided: boxes in rows, alike or each a little larger.
static void add_crowd(fuzz_broad *f, fuzz_bytes *r)
{
    uint32_t count = 2u * take_byte(r), row = 1u + (take_byte(r) & 31);
    trv_vec3 at = take_vec3(r, SNAPPED, f->size);
    float step = (float)(1 + (take_byte(r) & 7)) * 0.25f * f->size;
    uint8_t set = take_byte(r), plane = take_byte(r) % 3;
    trv_filter filter = take_filter(r);
    for (uint32_t i = 0; i < count && f->live_count < f->def.max_proxies; i++) {
        float u = step * (float)(i % row), v = step * (float)(i / row);
        float half = (set & 4 ? 0.5f : 0.1f + 0.01f * (float)(i % 40)) * f->size;
        trv_vec3 p = {at.x + (plane == 0 ? 0.0f : u),
                      at.y + (plane == 1 ? 0.0f
                              : plane    ? v
                                         : u),
                      at.z + (plane == 2 ? 0.0f : v)};
        trv_aabb box = {{p.x - half, p.y - half, p.z - half}, {p.x + half, p.y + half, p.z + half}};
        add(f, box, filter, set % 3);
    }
}

static void move(fuzz_broad *f, model_proxy *p, trv_aabb box)
{
    trv_result result = trv_broad_move(f->broad, p->id, box);
    if (is_good(box)) {
        demand(result == TRV_OK);
        model_move(p, model_margin(f->model, box), box);
    } else {
        demand(result == TRV_ERROR_NUMBER || result == TRV_ERROR_RANGE);
    }
}

static void step(fuzz_broad *f, fuzz_bytes *r, model_proxy *p)
{
    trv_vec3 d = take_vec3(r, take_byte(r) & 1 ? SNAPPED : EIGHTHS, 0.125f * f->size);
    trv_aabb b = p->tight;
    move(f, p,
         (trv_aabb){{b.lower.x + d.x, b.lower.y + d.y, b.lower.z + d.z},
                    {b.upper.x + d.x, b.upper.y + d.y, b.upper.z + d.z}});
}

// All of some residue, as in a frame of a world.
static void step_many(fuzz_broad *f, fuzz_bytes *r)
{
    uint32_t every = 1u + (take_byte(r) & 7);
    trv_vec3 d = take_vec3(r, EIGHTHS, 0.0625f * f->size);
    for (uint32_t i = 1; i < f->model->limit; i += every) {
        model_proxy *p = &f->model->proxies[i];
        trv_aabb b = p->tight;
        if (p->live)
            move(f, p,
                 (trv_aabb){{b.lower.x + d.x, b.lower.y + d.y, b.lower.z + d.z},
                            {b.upper.x + d.x, b.upper.y + d.y, b.upper.z + d.z}});
    }
}

static void set(fuzz_broad *f, model_proxy *p, uint8_t choice)
{
    trv_result result = trv_broad_set(f->broad, p->id, (trv_proxy_set)choice);
    demand(result == (choice <= TRV_PROXY_AWAKE ? TRV_OK : TRV_ERROR_RANGE));
    if (result == TRV_OK)
        model_set(p, (trv_proxy_set)choice);
}

static void use_stale(fuzz_broad *f, trv_proxy_id id)
{
    trv_aabb tight, fat, box = {{0, 0, 0}, {1, 1, 1}};
    demand(trv_broad_move(f->broad, id, box) == TRV_ERROR_STALE);
    demand(trv_broad_set(f->broad, id, TRV_PROXY_AWAKE) == TRV_ERROR_STALE);
    demand(trv_broad_filter(f->broad, id, trv_default_filter()) == TRV_ERROR_STALE);
    demand(trv_broad_remove(f->broad, id) == TRV_ERROR_STALE);
    demand(trv_broad_get(f->broad, id, &tight, &fat) == TRV_ERROR_STALE);
}

static void remove_proxy(fuzz_broad *f, model_proxy *p)
{
    demand(trv_broad_remove(f->broad, p->id) == TRV_OK);
    p->live = false;
    f->live_count--;
    use_stale(f, p->id);
    f->stale = p->id;
}

// How many pairs an update would leave. Those that are not looked for were there, and still
// overlap.
MODEL_UNCOUNTED static uint32_t pairs_to_come(model *m)
{
    uint32_t old = 0, count = 0, listed = model_list_few(m);
    for (uint32_t i = 0; i < listed; i++) {
        uint32_t a = (uint32_t)(m->keys[i] >> 32), b = (uint32_t)m->keys[i];
        const model_proxy *p = &m->proxies[a], *q = &m->proxies[b];
        while (old < m->pair_count &&
               (m->pairs[old].a < a || (m->pairs[old].a == a && m->pairs[old].b < b)))
            old++;
        bool is = old < m->pair_count && m->pairs[old].a == a && m->pairs[old].b == b;
        if (model_active(p) || model_active(q))
            is = (p->set != TRV_PROXY_STATIC || q->set != TRV_PROXY_STATIC) &&
                 trv_filters_agree(p->filter, q->filter);
        count += is;
    }
    return count;
}

static void update(fuzz_broad *f)
{
    trv_pairs pairs;
    trv_result result = trv_broad_update(f->broad, &pairs);
    if (result == TRV_ERROR_MEMORY) {
        demand(f->memory.calls > f->memory.fail_at && pairs.slot_limit == 0);
        result = trv_broad_update(f->broad, &pairs);
    }
    if (result == TRV_ERROR_LIMIT) {
        demand(pairs.begun == NULL && pairs.begun_count == 0);
        demand(pairs_to_come(f->model) > f->def.max_pairs);
        return;
    }
    demand(result == TRV_OK);
    model_check_update(f->model, &pairs);
    demand(f->model->pair_count <= f->def.max_pairs);
}

// Goes on with another broadphase that was restored from this one.
static void save_and_restore(fuzz_broad *f)
{
    size_t size = trv_broad_save_size(f->broad), written = 0;
    uint8_t *buffer = malloc(size > 0 ? size : 1);
    demand(buffer != NULL && size > 0);
    demand(trv_broad_save(f->broad, buffer, size - 1, &written) == TRV_ERROR_RANGE);
    demand(trv_broad_save(f->broad, buffer, size, &written) == TRV_OK && written == size);
    trv_broad *other = create(f);
    demand(trv_broad_restore(other, buffer, size - 1) != TRV_OK);
    demand(trv_broad_restore(other, buffer, size) == TRV_OK);
    trv_broad_destroy(f->broad);
    f->broad = other;
    free(buffer);
}

static void act(fuzz_broad *f, fuzz_bytes *r)
{
    uint8_t choice = take_byte(r) % 20;
    model_proxy *p = choice >= 5 && choice < 12 ? pick(f, r) : NULL;
    if (choice < 4) {
        trv_aabb box = take_box(f, r);
        trv_filter filter = take_filter(r);
        add(f, box, filter, take_byte(r) & 3);
    } else if (choice == 4) {
        add_crowd(f, r);
    } else if (p != NULL && choice < 7) {
        step(f, r, p);
    } else if (p != NULL && choice < 8) {
        move(f, p, take_box(f, r));
    } else if (p != NULL && choice < 9) {
        set(f, p, take_byte(r) & 3);
    } else if (p != NULL && choice < 10) {
        trv_filter filter = take_filter(r);
        trv_result result = trv_broad_filter(f->broad, p->id, filter);
        demand(result == TRV_OK || result == TRV_ERROR_MEMORY);
        if (result == TRV_OK) {
            p->filter = filter;
            p->touched = true;
        }
    } else if (p != NULL) {
        remove_proxy(f, p);
    } else if (choice == 12) {
        step_many(f, r);
    } else if (choice == 13) {
        if (f->stale.index1 != 0)
            use_stale(f, f->stale);
        use_stale(f, (trv_proxy_id){take_byte(r) | 1u << 10, 1});
    } else if (choice == 14) {
        f->memory.fail_at = f->memory.calls + (take_byte(r) & 15);
    } else if (choice == 15) {
        save_and_restore(f);
    } else if (choice < 18) {
        update(f);
    } else if (choice >= 18) {
        ask_broad(f, r);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, data + size};
    fuzz_broad f;
    memset(&f, 0, sizeof f);
    begin(&f, &bytes);
    while (bytes.at < bytes.end)
        act(&f, &bytes);
    update(&f);
    trv_broad_destroy(f.broad);
    demand(f.memory.live == 0);
    return 0;
}
