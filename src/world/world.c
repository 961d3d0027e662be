// The world: its life, and the step as a list of phases.
//
// A step is: pairs -> manifolds -> waking -> constraints -> sub-steps -> poses and bounds -> sleep.
// Everything that may fail for want of memory happens before the first body moves, and a step that
// failed may be made again. Contacts are taken in the order of their proxies' indices, so the
// result depends on the bodies at hand, not on the history of other bodies.
//
// Based on: E. Catto, "Solver2D" (2024), for sub-stepping with soft contacts and relaxation.
#include "world_data.h"

#include <string.h>

trv_world_def trv_default_world_def(void)
{
    trv_world_def def;
    memset(&def, 0, sizeof def);
    def.cookie = TRVI_COOKIE_WORLD;
    def.sleep = true;
    def.gravity = trvi_vec3(0.0f, -9.81f, 0.0f);
    def.restitution_threshold = 0.5f;
    def.hit_threshold = 1.0f;
    def.push_speed = 1.0f;
    def.sleep_time = 0.5f;
    def.max_bodies = 1u << 20;
    def.max_shapes = 1u << 21;
    def.max_contacts = 1u << 23;
    def.kept_saves = 64;
    return def;
}

static trv_result check_def(const trv_world_def *def)
{
    if (def->cookie != TRVI_COOKIE_WORLD)
        return TRV_ERROR_DEF;
    trv_result result = trvi_check_vec3(def->gravity);
    const float speeds[] = {def->restitution_threshold, def->hit_threshold, def->push_speed,
                            def->sleep_time};
    for (int i = 0; i < 4 && result == TRV_OK; i++)
        result = trvi_check_range(speeds[i], 0.0f, TRV_COORD_MAX);
    if (result == TRV_OK && def->workers.count > TRVI_WORKERS_MAX)
        result = TRV_ERROR_LIMIT;
    bool limits = def->max_bodies > 0 && def->max_shapes > 0 && def->max_contacts > 0;
    return result == TRV_OK && !limits ? TRV_ERROR_RANGE : result;
}

// Sixteen bits that differ between the worlds of a process, from where they live.
static uint16_t tag_of_address(const trv_world *world)
{
    uint64_t bits = (uint64_t)(uintptr_t)world >> 4;
    uint64_t mixed = bits * UINT64_C(0x9E3779B97F4A7C15);
    uint16_t tag = (uint16_t)(mixed >> 48);
    return tag ? tag : 1;
}

static void init_arrays(trv_world *world, const trv_world_def *def)
{
    trvi_pool_init(&world->bodies, sizeof(trvi_body), def->max_bodies);
    trvi_pool_init(&world->shapes, sizeof(trvi_shape), def->max_shapes);
    trvi_pool_init(&world->traits, sizeof(trvi_trait), UINT32_MAX);
    world->trait_lists.stride = sizeof(uint32_t);
    world->contacts.stride = sizeof(trvi_contact);
    world->spare_contacts.stride = sizeof(trvi_contact);
    world->point_steps.stride = TRV_MANIFOLD_POINTS * sizeof(trvi_point_step);
    world->places.stride = sizeof(uint32_t);
    world->awake.stride = sizeof(trvi_entry);
    world->active.stride = sizeof(trvi_entry);
    world->sides.stride = sizeof(trvi_sides);
    world->sides.bare = true;
    world->bearings.stride = sizeof(uint32_t);
    trvi_grounds_init(world);
    world->shifts.stride = sizeof(uint32_t);
    trvi_events_init(world);
    world->retired.stride = sizeof(trvi_retired);
    world->parents.stride = sizeof(uint32_t);
    world->awake_sorted = true;
}

trv_result trv_world_create(const trv_world_def *def, trv_world **out)
{
    if (out == NULL)
        return TRV_ERROR_NULL;
    *out = NULL;
    if (def == NULL)
        return TRV_ERROR_NULL;
    trv_result result = check_def(def);
    if (result != TRV_OK)
        return result;
    trv_allocator allocator = trvi_allocator_or_default(def->allocator);
    trv_world *world = trvi_allocate(&allocator, sizeof *world);
    if (world == NULL)
        return TRV_ERROR_MEMORY;
    world->allocator = allocator;
    world->log = def->log;
    world->workers = def->workers;
    world->tag = def->tag ? def->tag : tag_of_address(world);
    world->sleep = def->sleep;
    world->gravity = def->gravity;
    world->restitution_threshold = def->restitution_threshold;
    world->hit_threshold = def->hit_threshold;
    world->push_speed = def->push_speed;
    world->sleep_time = def->sleep_time;
    world->max_contacts = def->max_contacts;
    world->kept_saves = def->kept_saves;
    world->large_copy = TRVI_LARGE_COPY;
    world->pre_solve = def->pre_solve;
    world->clock = def->clock;
    init_arrays(world, def);
    trvi_solver_init(world);

    trv_broad_def broad = trv_default_broad_def();
    broad.margin = TRVI_BOUNDS_MARGIN_M;
    broad.margin_share = TRVI_BOUNDS_MARGIN_SIZE;
    broad.max_proxies = def->max_shapes;
    broad.max_pairs = def->max_contacts;
    broad.allocator = allocator;
    broad.workers = def->workers;
    result = trv_broad_create(&broad, &world->broad);
    if (result == TRV_OK && !trvi_mobiles_init(world))
        result = TRV_ERROR_MEMORY;
    if (result != TRV_OK) {
        trv_broad_destroy(world->broad);
        trvi_array_free(&allocator, &world->mobiles);
        trvi_free(&allocator, world, sizeof *world);
        return result;
    }
    trvi_broad_expect_filters(world->broad);
    *out = world;
    return TRV_OK;
}

bool trvi_world_reserve(trv_world *world, uint32_t contacts, uint32_t ends, uint32_t sensor_ends,
                        uint32_t sensors)
{
    const trv_allocator *allocator = &world->allocator;
    uint32_t seen = sensors > 0 ? 2 * contacts : 0;
    trvi_pool *pools[] = {&world->bodies, &world->shapes, &world->traits};
    for (int i = 0; i < 3; i++)
        if (!trvi_array_reserve(allocator, &pools[i]->free, pools[i]->items.capacity))
            return false;
    return trvi_array_reserve(allocator, &world->awake, world->mobiles.capacity) &&
           trvi_array_reserve(allocator, &world->shifts, world->mobiles.capacity) &&
           trvi_events_reserve_bodies(world) &&
           trvi_array_reserve(allocator, &world->contacts, contacts) &&
           trvi_array_reserve(allocator, &world->point_steps, contacts) &&
           trvi_array_reserve(allocator, &world->places, contacts) &&
           trvi_array_reserve(allocator, &world->ends, ends + contacts) &&
           trvi_array_reserve(allocator, &world->sensor_ends, sensor_ends + seen);
}

static trvi_array *array_of(trv_world *world, uint32_t index)
{
    trvi_array *const arrays[] = {
        &world->contacts,    &world->awake,      &world->active,         &world->begins,
        &world->ends,        &world->hits,       &world->sensor_begins,  &world->sensor_ends,
        &world->moves,       &world->sleeps,     &world->wakes,          &world->put_to_sleep,
        &world->quarantines, &world->parents,    &world->motions,        &world->solver_bodies,
        &world->blocks,      &world->flights,    &world->meetings,       &world->meeting_heap,
        &world->bouncers,    &world->hastes,     &world->quick,          &world->held,
        &world->strike,      &world->retired,    &world->waiting,        &world->diverted,
        &world->strays,      &world->islands,    &world->members,        &world->trials,
        &world->certified,   &world->far_bodies, &world->guards,         &world->guard_queue,
        &world->knots,       &world->links,      &world->mobiles,        &world->trait_lists,
        &world->sides,       &world->neighbors,  &world->neighbor_ends,  &world->advances,
        &world->bearings,    &world->places,     &world->spare_contacts, &world->dealt,
        &world->couples,     &world->shifts,     &world->point_steps,    &world->tops,
        &world->footings,    &world->heights,    &world->layers,         &world->levels,
        &world->toils,       &world->crowds,     &world->grounds,        &world->ground_nodes,
        &world->blow_places};
    return index < sizeof arrays / sizeof *arrays ? arrays[index] : NULL;
}

void trv_world_destroy(trv_world *world)
{
    if (world == NULL)
        return;
    trvi_holds_free(world);
    trv_allocator allocator = world->allocator;
    trv_broad_destroy(world->broad);
    for (uint32_t i = 0; array_of(world, i) != NULL; i++)
        trvi_array_free(&allocator, array_of(world, i));
    trvi_pool_free(&allocator, &world->bodies);
    trvi_pool_free(&allocator, &world->shapes);
    trvi_pool_free(&allocator, &world->traits);
    trvi_free(&allocator, world, sizeof *world);
}

static void count_members(trv_world *world)
{
    trv_world_counters *counters = &world->counters;
    counters->bodies = world->bodies.items.count - world->bodies.free.count;
    counters->shapes = world->shapes.items.count - world->shapes.free.count;
}

// From places to manifolds, with all that has to wake awake. No sub-steps where nothing will move.
static trv_result find_contacts(trv_world *world, float dt, uint32_t substeps)
{
    if (world->resume != TRVI_RESUME_NOTHING &&
        (world->resume_dt != dt || world->resume_substeps != substeps))
        trvi_resume_drop(world);
    world->resume_dt = dt;
    world->resume_substeps = substeps;
    if (world->resume != TRVI_RESUME_CONTACTS) {
        trvi_events_start(world);
        world->has_impacts = substeps > 0 && trvi_cover_ways(world, dt, substeps);
        trvi_profile_mark(world, TRV_PHASE_WAYS);
        trv_result result = trvi_update_pairs(world);
        trvi_profile_mark(world, TRV_PHASE_PAIRS);
        if (result != TRV_OK)
            return result;
        trvi_test_contacts(world, dt);
        trvi_leave_out_seams(world);
        trvi_profile_mark(world, TRV_PHASE_CONTACTS);
        world->resume = TRVI_RESUME_CONTACTS;
    }
    return trvi_events_reserve_step(world) ? TRV_OK : TRV_ERROR_MEMORY;
}

static trv_result step(trv_world *world, float dt, uint32_t substeps)
{
    trvi_profile_start(world);
    trv_result result = find_contacts(world, dt, substeps);
    world->bounce_time = dt / (float)substeps;
    if (result == TRV_OK)
        result = trvi_solver_prepare(world, dt, substeps);
    trvi_profile_mark(world, TRV_PHASE_PREPARE);
    if (result != TRV_OK)
        return result;
    world->resume = TRVI_RESUME_NOTHING;
    trvi_solver_run(world, dt, substeps);
    trvi_profile_mark(world, TRV_PHASE_PLACE);
    trvi_tell_contacts(world, dt);
    trvi_tell_wakes(world);
    count_members(world);
    trvi_profile_mark(world, TRV_PHASE_EVENTS);
    if (world->sleep)
        trvi_sleep_islands(world);
    trvi_profile_mark(world, TRV_PHASE_SLEEP);
    trvi_tell_moves(world);
    trvi_events_finish(world);
    trvi_profile_mark(world, TRV_PHASE_EVENTS);
    return TRV_OK;
}

static trv_result collide(trv_world *world)
{
    trvi_profile_start(world);
    trv_result result = find_contacts(world, 0.0f, 0);
    if (result != TRV_OK)
        return result;
    world->resume = TRVI_RESUME_NOTHING;
    trvi_tell_contacts(world, 0.0f);
    trvi_tell_wakes(world);
    count_members(world);
    trvi_events_finish(world);
    trvi_profile_mark(world, TRV_PHASE_EVENTS);
    return TRV_OK;
}

trv_result trv_world_step(trv_world *world, float dt, uint32_t substeps)
{
    if (world == NULL)
        return TRV_ERROR_NULL;
    if (world->stepping)
        return TRV_ERROR_BUSY;
    trv_result result = trvi_check_range(dt, 1.0e-6f, 1.0f);
    if (result == TRV_OK && (substeps < 1 || substeps > 64))
        result = TRV_ERROR_RANGE;
    if (result != TRV_OK)
        return result;
    uint64_t found = trvi_floating_begin();
    world->stepping = true;
    result = step(world, dt, substeps);
    world->stepping = false;
    trvi_floating_end(found);
    if (result != TRV_OK)
        trvi_log(&world->log, TRV_LOG_ERROR, "the step was not made: %s", trv_result_text(result));
    return result;
}

trv_result trv_world_collide(trv_world *world)
{
    if (world == NULL)
        return TRV_ERROR_NULL;
    if (world->stepping)
        return TRV_ERROR_BUSY;
    world->stepping = true;
    trv_result result = collide(world);
    world->stepping = false;
    if (result != TRV_OK)
        trvi_log(&world->log, TRV_LOG_ERROR, "contacts were not found: %s",
                 trv_result_text(result));
    return result;
}

trv_result trv_world_counters_get(const trv_world *world, trv_world_counters *counters)
{
    if (counters == NULL)
        return TRV_ERROR_NULL;
    memset(counters, 0, sizeof *counters);
    if (world == NULL)
        return TRV_ERROR_NULL;
    *counters = world->counters;
    uint64_t bytes = sizeof *world;
    for (uint32_t i = 0; array_of((trv_world *)world, i) != NULL; i++) {
        const trvi_array *array = array_of((trv_world *)world, i);
        bytes += (uint64_t)array->capacity * array->stride;
    }
    const trvi_pool *pools[] = {&world->bodies, &world->shapes, &world->traits};
    for (int i = 0; i < 3; i++)
        bytes += (uint64_t)pools[i]->items.capacity * pools[i]->items.stride +
                 (uint64_t)pools[i]->free.capacity * pools[i]->free.stride;
    counters->bytes = bytes;
    return TRV_OK;
}
