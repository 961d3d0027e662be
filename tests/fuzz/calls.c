// The calls that a world's users make, sane ones mostly.
#include "calls.h"

#include <string.h>

static float small_number(fuzz_bytes *bytes, fuzz_style style)
{
    return take_number(bytes, style) * 0.25f;
}

static void read_solid(call *what, fuzz_bytes *bytes, const call_things *things)
{
    fuzz_style style = take_style(bytes);
    trv_vec3 a = take_vec3(bytes, style, 0.25f);
    float size = take_length(bytes, style, 0.25f);
    switch (take_byte(bytes) % 9) {
    case 0:
    case 1:
        what->solid = trv_make_sphere(a, size);
        break;
    case 2:
        what->solid = trv_make_capsule(a, take_vec3(bytes, style, 0.25f), size);
        break;
    case 3:
    case 4: {
        trv_obb box = {a, {size, size * 0.5f, size}, take_quat(bytes)};
        what->solid = trv_make_placed_box(box);
        break;
    }
    case 5:
    case 6:
        what->solid = trv_make_hull(things->hulls[take_byte(bytes) % CALL_HULLS]);
        break;
    case 7:
        what->solid = trv_make_half_space(a, trv_make_vec3(0, 1, 0));
        break;
    default:
        what->solid = trv_make_compound(things->compound);
        break;
    }
}

static void read_defs(call *what, fuzz_bytes *bytes, const call_things *things)
{
    fuzz_style style = take_style(bytes);
    uint32_t bits = take_byte(bytes);
    what->body_def = trv_default_body_def();
    what->body_def.kind = (trv_body_kind)(bits % 8 < 5 ? TRV_BODY_DYNAMIC : bits % 8 - 5);
    what->body_def.position = what->pose.position;
    what->body_def.rotation = what->pose.rotation;
    what->body_def.linear_velocity = what->a;
    what->body_def.angular_velocity = what->b;
    what->body_def.asleep = (bits & 16) != 0;
    what->body_def.never_sleeps = (bits & 224) == 224;
    what->body_def.user = bits;
    what->shape_def = trv_default_shape_def();
    what->shape_def.material.friction = take_length(bytes, style, 0.125f);
    what->shape_def.material.restitution = things->bounces ? (float)(bits % 5) * 0.25f : 0.0f;
    what->shape_def.material.density = bits == 77 ? 0.0f : 1000.0f;
    what->shape_def.bounds = bits & 1 ? TRV_BOUNDS_REST_BOX : TRV_BOUNDS_EXACT;
    bits = take_byte(bytes);
    what->shape_def.sensor = bits < 24;
    what->shape_def.sees_sensors = bits < 12;
    what->shape_def.by_hand = (bits & 31) == 31;
    what->shape_def.pre_solve = (bits & 15) == 15;
    what->shape_def.material.surface_velocity = bits > 240 ? what->a : trv_make_vec3(0, 0, 0);
    what->shape_def.filter.mask = bits == 200 ? 2 : ~(uint64_t)0;
    what->shape_def.filter.group = bits == 201 ? -1 : 0;
}

// What each kind of call reads, so that bytes are not wasted.
enum { NO_MORE = 0, READS_POSE = 1, READS_VECTORS = 2, READS_NUMBERS = 4, READS_SOLID = 8 };

static uint32_t reads_of(uint32_t kind)
{
    if (kind == 0)
        return READS_POSE | READS_VECTORS | READS_SOLID;
    if (kind <= 3 || kind == 30)
        return READS_SOLID;
    switch (kind) {
    case 10:
    case 21:
        return READS_POSE;
    case 11:
    case 12:
    case 23:
    case 24:
    case 26:
        return READS_VECTORS;
    case 13:
    case 28:
    case 29:
        return READS_POSE | READS_VECTORS;
    case 18:
    case 19:
    case 25:
    case 33:
        return READS_NUMBERS;
    case 20:
    case 31:
        return READS_VECTORS | READS_NUMBERS;
    default:
        return NO_MORE;
    }
}

void call_read(call *what, fuzz_bytes *bytes, const call_names *names, const call_things *things)
{
    memset(what, 0, sizeof *what);
    what->kind = take_byte(bytes) % CALL_KINDS;
    what->word = take_byte(bytes);
    uint32_t reads = reads_of(what->kind);
    fuzz_style style = reads != NO_MORE ? take_style(bytes) : SNAPPED;
    what->body = names->bodies[what->word % CALL_BODIES];
    what->shape = names->shapes[what->word % CALL_SHAPES];
    if (what->word == 255) // of another world
        what->body.world ^= 1u, what->shape.world ^= 1u;
    what->pose = trv_make_pose(trv_make_vec3(0, 0, 0));
    if (reads & READS_POSE) {
        what->pose.position = take_vec3(bytes, style, 1.0f);
        what->pose.rotation = take_quat(bytes);
    }
    if (reads & READS_VECTORS) {
        what->a = take_vec3(bytes, style, 1.0f);
        what->b = take_vec3(bytes, style, 1.0f);
    }
    for (int i = 0; i < 6 && (reads & READS_NUMBERS); i++)
        what->numbers[i] = small_number(bytes, style);
    if (reads & READS_SOLID) {
        read_solid(what, bytes, things);
        read_defs(what, bytes, things);
    }
}

static trv_result change_body(const call *w, trv_world *world)
{
    switch (w->kind) {
    case 10:
        return trv_body_set_pose(world, w->body, w->pose);
    case 11:
        return trv_body_set_velocity(world, w->body, w->a, w->b);
    case 12:
        return trv_body_apply_impulse(world, w->body, w->a, w->b);
    case 13:
        return trv_body_apply_force(world, w->body, w->a, w->b, w->pose.position);
    case 14:
        return trv_body_set_awake(world, w->body, w->word & 16);
    case 15:
        return trv_body_set_kind(world, w->body, (trv_body_kind)(w->word / 16 % 4));
    case 16:
        return trv_body_set_enabled(world, w->body, w->word & 16);
    case 17:
        return trv_body_set_locks(world, w->body, w->word / 2);
    case 18:
        return trv_body_set_damping(world, w->body, w->numbers[0], w->numbers[1]);
    case 19:
        return trv_body_set_gravity_scale(world, w->body, w->numbers[0]);
    case 20:
        return trv_body_set_mass(world, w->body, w->numbers[0], w->a, w->numbers);
    case 21:
        return trv_body_move_to(world, w->body, w->pose, 0.02f);
    case 22:
        return trv_body_set_never_sleeps(world, w->body, w->word & 16);
    default:
        return trv_body_apply_angular_impulse(world, w->body, w->a);
    }
}

static trv_result change_shape(const call *w, trv_world *world)
{
    trv_material material = {0};
    trv_filter filter = trv_default_filter();
    switch (w->kind) {
    case 30:
        return trv_shape_set_solid(world, w->shape, &w->solid);
    case 31:
        material.friction = w->numbers[0];
        material.restitution = w->numbers[1];
        material.density = w->numbers[2] * 1000.0f;
        material.surface_velocity = w->a;
        return trv_shape_set_material(world, w->shape, &material);
    case 32:
        filter.mask = w->word & 16 ? 0 : ~(uint64_t)0;
        return trv_shape_set_filter(world, w->shape, filter);
    case 33:
        return trv_shape_set_switch(world, w->shape, (trv_shape_switch)(1u << w->word / 16 % 8),
                                    w->numbers[0] > 0.0f);
    case 34:
        return trv_shape_destroy(world, w->shape);
    default:
        return trv_shape_set_user(world, w->shape, w->word);
    }
}

static trv_result change_world(const call *w, trv_world *world)
{
    trv_world_settings settings;
    switch (w->kind) {
    case 24:
        return trv_world_set_gravity(world, w->a);
    case 25:
        trv_world_settings_get(world, &settings);
        settings.sleep = w->word & 16;
        settings.sleep_time = w->numbers[0];
        return trv_world_set_settings(world, &settings);
    case 26:
        return trv_world_shift_origin(world, w->word > 200 ? w->a : trv_make_vec3(0, 0, 0));
    default:
        return trv_world_collide(world);
    }
}

// Questions change nothing; what they answer must be the same.
static trv_result ask(const call *w, trv_world *world, call_answer *answer)
{
    trv_world_hit hit;
    trv_world_gap gap;
    trv_ray ray = {w->pose.position, w->a};
    trv_contact contacts[4];
    trv_result result = trv_world_ray_closest(world, ray, NULL, &hit);
    answer->numbers[0] = hit.fraction;
    answer->shape = hit.shape;
    trv_world_closest_to_point(world, w->b, 4.0f, NULL, &gap);
    answer->numbers[1] = gap.distance;
    trv_world_overlap_point(world, w->b, NULL, NULL, 0, &answer->counts[0]);
    trv_world_contacts(world, contacts, 4, &answer->counts[1]);
    trv_body_contacts(world, w->body, contacts, 4, &answer->counts[2]);
    trv_shape_part_count(world, w->shape, &answer->counts[3]);
    trv_vec3 center;
    trv_body_mass(world, w->body, &answer->numbers[2], &center, &answer->numbers[3]);
    return result;
}

call_answer call_make(const call *w, trv_world *world)
{
    call_answer answer;
    memset(&answer, 0, sizeof answer);
    if (w->kind == 0) {
        answer.result = trv_body_create(world, &w->body_def, &answer.body);
    } else if (w->kind <= 3) {
        answer.result = trv_shape_create(world, w->body, &w->shape_def, &w->solid, &answer.shape);
    } else if (w->kind <= 8) {
        answer.result = trv_world_step(world, w->word > 250 ? 0.5f : 1.0f / 60.0f, 1 + w->word % 4);
    } else if (w->kind == 9) {
        answer.result = trv_body_destroy(world, w->body);
    } else if (w->kind <= 23) {
        answer.result = change_body(w, world);
    } else if (w->kind <= 27) {
        answer.result = change_world(w, world);
    } else if (w->kind <= 29) {
        answer.result = ask(w, world, &answer);
    } else if (w->kind <= 35) {
        answer.result = change_shape(w, world);
    } else {
        answer.result = trv_world_step(world, 1.0f / 60.0f, 2);
    }
    return answer;
}

void call_note(const call_answer *answer, call_names *names)
{
    if (answer->body.index1 != 0)
        names->bodies[names->next_body++ % CALL_BODIES] = answer->body;
    if (answer->shape.index1 != 0)
        names->shapes[names->next_shape++ % CALL_SHAPES] = answer->shape;
}
