// Blocks are filled with all lanes at once; lane by lane, in plain C, it is the same.
#include "mixed_scene.h"
#include "solver_step.h"

// One lane of one block, and what it comes from.
typedef struct lane_case {
    const trvi_step *step;
    const trvi_block *block;
    uint32_t lane;
    const trvi_contact *contact;
    const trvi_solver_body *a, *b;
    const trvi_motion *motion_a, *motion_b;
    trv_vec3 center_a, center_b;
    float share_a, share_b;
    trv_vec3 axes[3], middle_a, middle_b;
    trv_vec3 half_way; // of the points, from A's centre; `middle_a` but for what is to land
    float counts;      // the share of the impulses that does
} lane_case;

static uint32_t compared, jams, landings, passings;

// The same bits, or both zero.
static void expect_same(float got, float wanted, const char *what)
{
    compared++;
    if (!(got == wanted))
        fail_msg("%s: %.9g, not %.9g", what, (double)got, (double)wanted);
}

static void expect_same3(const trvi_lane_vec3 *got, uint32_t lane, trv_vec3 wanted,
                         const char *what)
{
    expect_same(got->x[lane], wanted.x, what);
    expect_same(got->y[lane], wanted.y, what);
    expect_same(got->z[lane], wanted.z, what);
}

// What is far below what rounding leaves of the rest is nothing.
static float unless_less(float a, float least)
{
    return fabsf(a) < least ? 0.0f : a;
}

static trv_vec3 direction(trv_vec3 v)
{
    return (trv_vec3){unless_less(v.x, TRVI_RESPONSE_NONE), unless_less(v.y, TRVI_RESPONSE_NONE),
                      unless_less(v.z, TRVI_RESPONSE_NONE)};
}

static float off_diagonal(const trvi_symmetric *m, float share, float off)
{
    return unless_less(off * share,
                       TRVI_RESPONSE_NONE * (m->xx * share + m->yy * share + m->zz * share));
}

static trv_vec3 along(const lane_case *c, trv_vec3 v)
{
    return (trv_vec3){trvi_dot(v, c->axes[0]), trvi_dot(v, c->axes[1]), trvi_dot(v, c->axes[2])};
}

// What the heavier one's inverse mass is multiplied by.
static float share_of(const lane_case *c, float heavy, float light)
{
    float least = light / TRVI_MASS_RATIO, carried = 0.0f;
    float weight = trvi_length(c->step->world->gravity) * c->step->h;
    if (c->block->hard[c->lane] || !(heavy > 0.0f) || !(heavy < least))
        return 1.0f;
    for (uint32_t p = 0; p < c->contact->manifold.count; p++)
        carried += c->contact->impulses[p].carried;
    float share = carried * light / (weight * TRVI_HEAVY_LOAD) - 1.0f;
    return 1.0f + fminf(fmaxf(share, 0.0f), 1.0f) * (least / heavy - 1.0f);
}

// What still counts of the impulses, where the contact is jammed.
static float counts_of(const lane_case *c)
{
    uint32_t lane = c->lane, active = c->block->active[lane];
    float mass = c->block->inverse_mass_a[lane] + c->block->inverse_mass_b[lane];
    float load = fminf(fmaxf(c->a->load, c->b->load), TRVI_JAM_BODIES * (c->a->pull + c->b->pull));
    float most = load * c->step->h + TRVI_JAM_PUSHES * c->step->push_speed / mass;
    float pressed = 0.0f, carried = 0.0f, least = 0.0f;
    for (uint32_t p = 0; p < c->contact->manifold.count; p++) {
        pressed += c->contact->impulses[p].normal;
        carried += c->contact->impulses[p].carried;
        least = fminf(least, c->contact->manifold.points[p].separation);
    }
    float part = least / trvi_sides_of_active(c->step->world)[active].thinner;
    float depth = (-TRVI_JAM_SHALLOW - part) / (TRVI_JAM_DEEP - TRVI_JAM_SHALLOW);
    float over = fminf(fmaxf(carried / most - 1.0f, 0.0f), 1.0f);
    float jammed = fminf(fmaxf(depth, 0.0f), 1.0f) * over;
    expect_same(c->block->jammed[lane], jammed, "jammed");
    jams += jammed > 0.0f;
    float begins = c->block->hard[lane] ? 1.0f : most / fmaxf(pressed, most);
    return fminf(begins, 1.0f - jammed);
}

// Points of faces that are next to nothing apart are not, in what is held rigidly and stands.
static float gap_of(const lane_case *c, uint32_t p)
{
    const trv_manifold *manifold = &c->contact->manifold;
    float gap = manifold->points[p].separation;
    uint32_t active = c->block->active[c->lane];
    float few = TRVI_GAP_LEAST * trvi_sides_of_active(c->step->world)[active].thinner;
    bool stands = c->block->hard[c->lane] && (c->a->stands || c->b->stands);
    return stands && manifold->count > 2 && gap > 0.0f && gap <= few ? 0.0f : gap;
}

// The arms of what is to land on something that does not yield end at the surfaces.
static void meet_surfaces(lane_case *c)
{
    const trv_manifold *manifold = &c->contact->manifold;
    float gap = gap_of(c, 0);
    for (uint32_t p = 1; p < manifold->count; p++)
        gap = fminf(gap, gap_of(c, p));
    bool both = c->a->inverse_mass * c->share_a > 0.0f && c->b->inverse_mass * c->share_b > 0.0f;
    float out = both ? 0.0f : 0.5f * fmaxf(gap, 0.0f);
    float arm = fmaxf(trvi_dot(c->middle_a, c->middle_a), trvi_dot(c->middle_b, c->middle_b));
    if (!(out * out > TRVI_ARM_LONG * TRVI_ARM_LONG * arm))
        return;
    c->middle_a = trvi_sub(c->middle_a, trvi_scale(c->axes[0], out));
    c->middle_b = trvi_add(c->middle_b, trvi_scale(c->axes[0], out));
    landings++;
}

static lane_case case_of(const trvi_step *step, const trvi_block *block, uint32_t lane)
{
    const trv_world *world = step->world;
    uint32_t a = block->body_a[lane], b = block->body_b[lane];
    const trvi_contact *contact = &trvi_contacts(world)[block->contact[lane]];
    lane_case c = {.step = step, .block = block, .lane = lane, .contact = contact};
    c.a = &step->bodies[a];
    c.b = &step->bodies[b];
    c.motion_a = &step->motions[a];
    c.motion_b = &step->motions[b];
    c.center_a = a == TRVI_UNMOVED ? trvi_bodies(world)[contact->body_a].center : c.a->center;
    c.center_b = b == TRVI_UNMOVED ? trvi_bodies(world)[contact->body_b].center : c.b->center;
    bool heavy_a = c.a->inverse_mass < c.b->inverse_mass;
    c.share_a = heavy_a ? share_of(&c, c.a->inverse_mass, c.b->inverse_mass) : 1.0f;
    c.share_b = heavy_a ? 1.0f : share_of(&c, c.b->inverse_mass, c.a->inverse_mass);
    c.axes[0] = direction(contact->manifold.normal);
    c.axes[1] = direction(trvi_tangent_of(c.axes[0]));
    c.axes[2] = direction(trvi_cross(c.axes[0], c.axes[1]));
    trv_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (uint32_t p = 0; p < contact->manifold.count; p++)
        sum = trvi_add(sum, trvi_sub(contact->manifold.points[p].point, c.center_a));
    c.middle_a = trvi_scale(sum, 1.0f / (float)contact->manifold.count);
    c.middle_b = trvi_add(c.middle_a, trvi_sub(c.center_a, c.center_b));
    c.half_way = c.middle_a;
    meet_surfaces(&c);
    c.counts = counts_of(&c);
    return c;
}

static void expect_matter(const lane_case *c)
{
    const trvi_block *block = c->block;
    uint32_t lane = c->lane;
    expect_same3(&block->normal, lane, c->axes[0], "normal");
    expect_same3(&block->tangent_1, lane, c->axes[1], "tangent");
    expect_same3(&block->middle_a, lane, c->middle_a, "middle");
    expect_same3(&block->middle_b, lane, c->middle_b, "middle");
    expect_same(block->inverse_mass_a[lane], c->a->inverse_mass * c->share_a, "inverse mass");
    expect_same(block->inverse_mass_b[lane], c->b->inverse_mass * c->share_b, "inverse mass");
    expect_same(block->inverse_inertia_a.xx[lane], c->a->inverse_inertia.xx * c->share_a, "xx");
    const trvi_symmetric *a = &c->a->inverse_inertia, *b = &c->b->inverse_inertia;
    expect_same(block->inverse_inertia_a.xy[lane], off_diagonal(a, c->share_a, a->xy), "xy");
    expect_same(block->inverse_inertia_b.yz[lane], off_diagonal(b, c->share_b, b->yz), "yz");
    expect_same(block->friction[lane], c->contact->friction, "friction");
    assert_true((block->pushes_a >> lane & 1u) == (c->motion_a->pushable != 0.0f));
    assert_true((block->pushes_b >> lane & 1u) == (c->motion_b->pushable != 0.0f));
}

// Does what is round, and touches at a point or along a line, come past the other in the step?
static void expect_passing(const lane_case *c)
{
    const trvi_block *block = c->block;
    trv_vec3 speed = trvi_sub(c->motion_b->linear, c->motion_a->linear);
    trv_vec3 past = trvi_sub(speed, trvi_scale(c->axes[0], trvi_dot(c->axes[0], speed)));
    float radius_a = block->radius_a[c->lane], radius_b = block->radius_b[c->lane];
    float round = radius_a * radius_a + radius_b * radius_b;
    float way = c->step->dt * c->step->dt * trvi_dot(past, past);
    bool passes = round > 0.0f && c->contact->manifold.count <= 2 &&
                  way > TRVI_BALLS_LEFT * TRVI_BALLS_LEFT * round;
    assert_true((block->balls >> c->lane & 1u) == passes);
    passings += passes;
}

static void expect_softness(const lane_case *c)
{
    const trvi_block *block = c->block;
    uint32_t lane = c->lane;
    bool yields_a = c->a->inverse_mass > 0.0f, yields_b = c->b->inverse_mass > 0.0f;
    float extent = yields_a ? c->a->extent : c->b->extent;
    if (yields_a && yields_b)
        extent = fminf(c->a->extent, c->b->extent);
    trvi_softness soft = trvi_softness_of(c->step, yields_a && yields_b);
    if (block->hard[lane]) {
        float spin = fmaxf(trvi_length(c->motion_a->angular), trvi_length(c->motion_b->angular));
        float share =
            fminf(TRVI_HARD_SHARE + TRVI_WHIRL_SHARE * spin * c->step->h, TRVI_WHIRL_MOST);
        soft = (trvi_softness){share * c->step->inverse_h, 1.0f, 0.0f};
    }
    bool round = block->radius_a[lane] > 0.0f || block->radius_b[lane] > 0.0f;
    bool runs = trvi_dot(c->contact->surface, c->contact->surface) > 0.0f;
    expect_same(block->bias_rate[lane], soft.bias_rate, "bias rate");
    expect_same(block->mass_scale[lane], soft.mass_scale, "mass scale");
    expect_same(block->impulse_scale[lane], soft.impulse_scale, "impulse scale");
    expect_same(block->slop[lane], block->hard[lane] ? TRVI_SLOP * extent : 0.0f, "slop");
    expect_same(block->hold_rate[lane], round || runs ? 0.0f : soft.bias_rate, "hold rate");
    expect_same(block->hold_slop[lane], 0.5f * TRVI_SLOP * extent, "hold slop");
}

// By which springs are raised against the load that they have carried.
static float sag_of(const lane_case *c)
{
    const trvi_block *block = c->block;
    float load = 0.0f, weighted = 0.0f;
    for (uint32_t p = 0; p < c->contact->manifold.count; p++) {
        float carried = c->contact->impulses[p].carried * c->counts;
        float mass = block->point[p].normal_mass[c->lane];
        if (mass > 0.0f) {
            load += carried;
            weighted += carried * carried / mass;
        }
    }
    if (block->hard[c->lane] || !(load > 0.0f))
        return 0.0f;
    float push = block->mass_scale[c->lane] * block->bias_rate[c->lane];
    return fminf(block->impulse_scale[c->lane] * weighted / (load * push), TRVI_SAG_MAX_M);
}

static void expect_points(const lane_case *c)
{
    const trvi_motion *a = c->motion_a, *b = c->motion_b;
    trv_vec3 spin = along(c, trvi_sub(b->angular, a->angular));
    trv_vec3 speed = trvi_sub(trvi_add(b->linear, trvi_cross(b->angular, c->middle_b)),
                              trvi_add(a->linear, trvi_cross(a->angular, c->middle_a)));
    float closing = trvi_dot(speed, c->axes[0]), sag = sag_of(c);
    uint32_t index = (uint32_t)(c->contact - trvi_contacts(c->step->world));
    const trvi_point_step *points = trvi_point_steps(c->step->world, index);
    for (uint32_t p = 0; p < c->contact->manifold.count; p++) {
        const trv_manifold_point *from = &c->contact->manifold.points[p];
        const trvi_impulse *impulse = &c->contact->impulses[p];
        const trvi_block_point *point = &c->block->point[p];
        uint32_t lane = c->lane;
        trv_vec3 at = along(c, trvi_sub(trvi_sub(from->point, c->center_a), c->half_way));
        expect_same3(&point->at, lane, at, "point");
        expect_same(point->gap[lane], gap_of(c, p) - sag, "gap");
        expect_same(point->approach[lane], closing + (at.z * spin.y - at.y * spin.z), "approach");
        float along_1 = trvi_dot(impulse->tangent, c->axes[1]);
        float along_2 = trvi_dot(impulse->tangent, c->axes[2]);
        expect_same(point->normal[lane], impulse->normal * c->counts, "impulse");
        expect_same(point->tangent_1[lane], along_1 * c->counts, "tangent");
        expect_same(point->tangent_2[lane], along_2 * c->counts, "tangent");
        expect_same(point->slip_1[lane], trvi_dot(points[p].drift, c->axes[1]), "slip");
        expect_same(point->slip_2[lane], trvi_dot(points[p].drift, c->axes[2]), "slip");
        expect_same(point->largest[lane], 0.0f, "largest");
        assert_true(point->normal_mass[lane] > 0.0f);
    }
    for (uint32_t p = c->contact->manifold.count; p < c->block->points; p++) {
        expect_same(c->block->point[p].normal_mass[c->lane], 0.0f, "no mass");
        expect_same(c->block->point[p].normal[c->lane], 0.0f, "no impulse");
    }
}

static void expect_blocks(trv_world *world, const trvi_passes *passes)
{
    trvi_step step = solver_step_of(world, passes);
    for (uint32_t i = 0; i < world->blocks.count; i++) {
        trvi_block_prepare(&step, &step.blocks[i]);
        for (uint32_t lane = 0; lane < TRVI_BLOCK_LANES; lane++) {
            if (step.blocks[i].contact[lane] == TRVI_NONE)
                continue;
            lane_case c = case_of(&step, &step.blocks[i], lane);
            expect_matter(&c);
            expect_passing(&c);
            expect_softness(&c);
            expect_points(&c);
        }
    }
}

// By each width that there is.
static void expect_all_blocks(trv_world *world)
{
    expect_blocks(world, &trvi_passes_four);
    if (trvi_has_eight())
        expect_blocks(world, trvi_passes_eight());
}

// Contacts are deep, and have borne what nobody bears.
static void jam_all(trv_world *world)
{
    for (uint32_t i = 0; i < world->contacts.count; i++) {
        trvi_contact *contact = &trvi_contacts(world)[i];
        for (uint32_t p = 0; p < contact->manifold.count; p++) {
            contact->manifold.points[p].separation = -0.002f * (float)(i % 50);
            contact->impulses[p].normal += 200.0f * (float)(i % 7);
            contact->impulses[p].carried += 100.0f * (float)(i % 11);
        }
    }
}

static void lanes_are_filled_as_by_plain_c(void **state)
{
    (void)state;
    mixed_scene scene;
    mixed_begin_in(&scene, mixed_world(NULL, NULL), trv_make_vec3(0, 0, 0), 80, 5);
    compared = 0;
    for (int i = 0; i < 60; i++) {
        mixed_step(&scene);
        if (i % 4 != 0)
            continue;
        expect_all_blocks(scene.world);
    }
    assert_true(compared > 10000 && landings > 10 && passings > 10);
    jam_all(scene.world);
    expect_all_blocks(scene.world);
    assert_true(jams > 10);
    mixed_end(&scene);
}

// The marks that the step leaves on active contacts tell what their impulses tell.
static void marks_tell_what_was_found(void **state)
{
    (void)state;
    mixed_scene scene;
    uint32_t pushed = 0, held = 0, solved = 0;
    mixed_begin_in(&scene, mixed_world(NULL, NULL), trv_make_vec3(0, 0, 0), 80, 6);
    for (int i = 0; i < 60; i++) {
        mixed_step(&scene);
        const trvi_entry *active = scene.world->active.items;
        for (uint32_t k = 0; k < scene.world->active.count; k++) {
            if (!(active[k].extra & TRVI_ENTRY_SOLVED))
                continue;
            const trvi_contact *contact = &trvi_contacts(scene.world)[active[k].value];
            const trvi_point_step *points = trvi_point_steps(scene.world, active[k].value);
            bool presses = false, sticks = false;
            for (uint32_t p = 0; p < contact->manifold.count; p++) {
                const trvi_impulse *impulse = &contact->impulses[p];
                presses = presses || points[p].largest > 0.0f;
                sticks = sticks || (impulse->normal > 0.0f && !trvi_slides_at(contact, p));
            }
            assert_true(((active[k].extra & TRVI_ENTRY_PUSHED) != 0) == presses);
            assert_true(((active[k].extra & TRVI_ENTRY_HELD) != 0) == sticks);
            assert_true(trvi_points_of(&active[k]) == contact->manifold.count);
            pushed += presses;
            held += sticks;
            solved++;
        }
    }
    assert_true(pushed > 100 && held > 50 && solved > pushed);
    mixed_end(&scene);
}

// Workers take each pack once, whatever the order; a large one is never left for the end.
static void each_pack_has_one_turn(void **state)
{
    (void)state;
    enum { MOST = 256 };
    mixed_scene scene;
    uint32_t seen = 0, moved = 0;
    mixed_begin_in(&scene, mixed_world(NULL, NULL), trv_make_vec3(0, 0, 0), 80, 7);
    for (int i = 0; i < 120; i++) {
        mixed_step(&scene);
        const trvi_island *islands = scene.world->islands.items;
        uint32_t turns[MOST] = {0}, packs = 0, blocks = 0, largest = 0;
        assert_in_range(scene.world->islands.count, 0, MOST - 1);
        for (uint32_t k = 0; k < scene.world->packs; k++)
            turns[islands[k].turn]++;
        for (uint32_t k = 0; k < scene.world->islands.count; k++) {
            assert_int_equal(turns[k], islands[k].pack > 0);
            packs += islands[k].pack > 0;
            blocks += islands[k].blocks;
            largest = islands[k].blocks > largest ? islands[k].blocks : largest;
        }
        assert_int_equal(packs, scene.world->packs);
        for (uint32_t k = 1; k < packs; k++)
            moved += islands[k].turn < islands[k - 1].turn;
        if (packs > 0 && 2 * largest > blocks)
            assert_int_equal(islands[islands[0].turn].blocks, largest);
        seen += packs;
    }
    assert_true(seen > 120 && moved > 0);
    mixed_end(&scene);
}

// How many sweeps islands took tells only who is put beside whom; so it may be anything.
static void who_shares_a_pack_changes_only_the_time(void **state)
{
    (void)state;
    mixed_scene by_toil, by_chance;
    test_random random = {1};
    uint32_t few = 0, many = 0, elsewhere = 0;
    mixed_begin_in(&by_toil, mixed_world(NULL, NULL), trv_make_vec3(0, 0, 0), 80, 8);
    mixed_begin_in(&by_chance, mixed_world(NULL, NULL), trv_make_vec3(0, 0, 0), 80, 8);
    for (int i = 0; i < 120; i++) {
        mixed_step(&by_toil);
        mixed_step(&by_chance);
        assert_true(trv_world_hash(by_toil.world) == trv_world_hash(by_chance.world));
        const trvi_island *known = by_toil.world->islands.items;
        const trvi_island *drawn = by_chance.world->islands.items;
        for (uint32_t k = 0; k < by_toil.world->islands.count; k++) {
            few += known[k].sweeps > 0 && known[k].sweeps < 16;
            many += known[k].sweeps > 80;
            elsewhere += known[k].contacts != drawn[k].contacts;
        }
        uint8_t *toils = by_chance.world->toils.items;
        for (uint32_t k = 0; k < by_chance.world->toils.capacity; k++)
            toils[k] = (uint8_t)random_bits(&random);
    }
    assert_true(few > 0 && many > 0 && elsewhere > 0);
    mixed_end(&by_toil);
    mixed_end(&by_chance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_are_filled_as_by_plain_c),
        cmocka_unit_test(marks_tell_what_was_found),
        cmocka_unit_test(each_pack_has_one_turn),
        cmocka_unit_test(who_shares_a_pack_changes_only_the_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
