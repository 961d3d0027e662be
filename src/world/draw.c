// The world as strokes of a pen: what a step knew, drawn from the state as it lies there.
//
// Each kind of stroke is one pass over shapes, contacts or bodies in the order of their places, so
// that two worlds of equal state draw the same. Invariant: nothing is written to and nothing is
// allocated.
#include "draw_data.h"
#include "world_data.h"

#include <stdio.h>
#include <string.h>

trv_draw_def trv_default_draw_def(void)
{
    const float far = TRV_COORD_MAX;
    trv_draw_def def;
    memset(&def, 0, sizeof def);
    def.cookie = TRVI_COOKIE_DRAW;
    def.parts = TRV_DRAW_SHAPES | TRV_DRAW_CONTACTS;
    def.within = (trv_aabb){{-far, -far, -far}, {far, far, far}};
    def.normal_length = 0.2f;
    def.velocity_time = 0.1f;
    def.plane_reach = 10.0f;
    return def;
}

typedef struct ink_entry {
    uint32_t rgb;
    const char *text;
} ink_entry;

static const ink_entry inks[TRV_INK_COUNT + 1] = {
    {0x8D99AE, "static"},        {0x4EA8DE, "kinematic"},   {0xF4A259, "awake"},
    {0x5B8E7D, "asleep"},        {0x555555, "disabled"},    {0xB8F2E6, "sensor"},
    {0x80ED99, "exact bounds"},  {0xFFD166, "rest bounds"}, {0xF78C6B, "rest box"},
    {0x5E6472, "fat bounds"},    {0x9D8DF1, "pair"},        {0xEF476F, "contact"},
    {0x9A8C98, "near"},          {0xFFFFFF, "normal"},      {0x48BFE3, "separating plane"},
    {0xFFEE32, "plane feature"}, {0xFF70A6, "support"},     {0xC77DFF, "hill climb"},
    {0x74C69D, "sleeping heap"}, {0xFF9F1C, "centre"},      {0x06D6A0, "velocity"},
    {0xFF3864, "hit"},           {0xFFFFFF, "no ink"}};

static const ink_entry *entry_of(trv_ink ink)
{
    uint32_t index = (uint32_t)ink;
    return &inks[index < TRV_INK_COUNT ? index : TRV_INK_COUNT];
}

uint32_t trv_ink_rgb(trv_ink ink)
{
    return entry_of(ink)->rgb;
}

const char *trv_ink_text(trv_ink ink)
{
    return entry_of(ink)->text;
}

static trv_result check_def(const trv_draw_def *def)
{
    if (def->cookie != TRVI_COOKIE_DRAW)
        return TRV_ERROR_DEF;
    trv_result result = trvi_check_aabb(def->within);
    const float lengths[] = {def->normal_length, def->velocity_time, def->plane_reach};
    for (int i = 0; i < 3 && result == TRV_OK; i++)
        result = trvi_check_range(lengths[i], 0.0f, TRV_COORD_MAX);
    return result == TRV_OK && (def->parts & ~(uint32_t)TRV_DRAW_ALL) ? TRV_ERROR_RANGE : result;
}

static trv_ink ink_of(const trvi_body *body, const trvi_shape *shape)
{
    if (trvi_is_disabled(body))
        return TRV_INK_DISABLED;
    if (shape->flags & TRV_SHAPE_SENSOR)
        return TRV_INK_SENSOR;
    if (body->kind == TRV_BODY_STATIC)
        return TRV_INK_STATIC;
    if (body->kind == TRV_BODY_KINEMATIC)
        return TRV_INK_KINEMATIC;
    return body->flags & TRVI_BODY_AWAKE ? TRV_INK_AWAKE : TRV_INK_ASLEEP;
}

static bool is_shown(const trv_draw_def *def, const trvi_shape *shape)
{
    return (shape->flags & TRVI_SHAPE_LIVE) && trvi_aabb_overlaps(def->within, shape->bounds);
}

// Half-spaces have no bounds worth drawing.
static void draw_boxes(const trv_world *world, const trv_draw_def *def, const trvi_shape *shape)
{
    trv_pose frame = trvi_bodies(world)[shape->body].frame;
    trvi_shape way = *shape;
    if (shape->solid.kind == TRV_SHAPE_PLANE)
        return;
    way.flags &= (uint16_t)~TRVI_SHAPE_REST_BOX;
    trvi_shape_place(&way, frame, 0.0f);
    if (def->parts & TRV_DRAW_BOUNDS_EXACT)
        trvi_draw_aabb(&def->pen, way.bounds, TRV_INK_BOUNDS_EXACT);
    way.flags |= TRVI_SHAPE_REST_BOX;
    trvi_shape_place(&way, frame, 0.0f);
    if (def->parts & TRV_DRAW_BOUNDS_REST)
        trvi_draw_aabb(&def->pen, way.bounds, TRV_INK_BOUNDS_REST);
    if (def->parts & TRV_DRAW_REST_BOXES) {
        trv_shape box = trv_make_placed_box(trvi_rest_box(&shape->solid));
        trvi_draw_solid(&box, frame, false, frame.position, 0.0f, TRV_INK_REST_BOX, &def->pen);
    }
    trv_aabb tight, fat;
    if ((def->parts & TRV_DRAW_BOUNDS_FAT) &&
        trv_broad_get(world->broad, shape->proxy, &tight, &fat) == TRV_OK)
        trvi_draw_aabb(&def->pen, fat, TRV_INK_BOUNDS_FAT);
}

static void draw_shapes(const trv_world *world, const trv_draw_def *def)
{
    trv_vec3 near = trvi_aabb_center(def->within);
    for (uint32_t i = 0; i < world->shapes.items.count; i++) {
        const trvi_shape *shape = &trvi_shapes(world)[i];
        if (!is_shown(def, shape))
            continue;
        const trvi_body *body = &trvi_bodies(world)[shape->body];
        trv_ink ink = ink_of(body, shape);
        for (int faces = 0; faces < 2; faces++)
            if (def->parts & (faces ? TRV_DRAW_FACES : TRV_DRAW_SHAPES))
                trvi_draw_solid(&shape->solid, body->frame, faces, near, def->plane_reach, ink,
                                &def->pen);
        draw_boxes(world, def, shape);
    }
}

static void draw_manifold(const trv_draw_def *def, const trv_manifold *manifold)
{
    for (uint32_t i = 0; i < manifold->count; i++) {
        const trv_manifold_point *p = &manifold->points[i];
        trv_vec3 tip = trvi_mul_add(p->point, manifold->normal, def->normal_length);
        trvi_dot_at(&def->pen, p->point, p->separation <= 0.0f ? TRV_INK_CONTACT : TRV_INK_NEAR);
        trvi_stroke(&def->pen, p->point, tip, TRV_INK_NORMAL);
    }
}

static const char *text_of(trv_plane_source source)
{
    static const char *const texts[] = {"no plane",      "face of A",         "face of B",
                                        "edges of both", "edge of A, vertex", "edge of B, vertex",
                                        "vertices"};
    return texts[(uint32_t)source < sizeof texts / sizeof *texts ? source : TRV_PLANE_NONE];
}

// A copy of what the contact remembers is asked, so that the plane is the remembered one where it
// still parts the shapes, and nothing changes.
static void draw_plane(const trv_world *world, const trv_draw_def *def, const trvi_contact *contact)
{
    const trv_shape *a = &trvi_shapes(world)[contact->shape_a].solid;
    const trv_shape *b = &trvi_shapes(world)[contact->shape_b].solid;
    trv_pose frame_a = trvi_bodies(world)[contact->body_a].frame;
    trv_pose frame_b = trvi_bodies(world)[contact->body_b].frame;
    trv_plane_cache cache = contact->plane;
    trv_separation separation;
    if (trv_separate(a, frame_a, b, frame_b, &cache, &separation) != TRV_OK || !separation.apart)
        return;
    trv_vec3 normal = separation.plane.normal;
    if (def->parts & TRV_DRAW_PLANES)
        trv_separation_draw(&separation, a, frame_a, b, frame_b, &def->pen);
    // Small hulls are looked at vertex by vertex.
    if ((def->parts & TRV_DRAW_CLIMBS) && a->kind == TRV_SHAPE_HULL &&
        a->as.hull->vertex_count > TRVI_SCAN_VERTICES)
        trv_climb_draw(a, frame_a, normal, &def->pen);
    if ((def->parts & TRV_DRAW_CLIMBS) && b->kind == TRV_SHAPE_HULL &&
        b->as.hull->vertex_count > TRVI_SCAN_VERTICES)
        trv_climb_draw(b, frame_b, trvi_negate(normal), &def->pen);
    if ((def->parts & TRV_DRAW_NUMBERS) && (def->parts & TRV_DRAW_PLANES)) {
        const trvi_shape *small = &trvi_shapes(world)[contact->shape_b];
        if (small->solid.kind == TRV_SHAPE_PLANE)
            small = &trvi_shapes(world)[contact->shape_a];
        trv_vec3 middle = trvi_aabb_center(small->bounds);
        float above = trvi_dot(normal, middle) + separation.plane.offset;
        trvi_write(&def->pen, trvi_mul_add(middle, normal, -above), text_of(separation.source),
                   TRV_INK_PLANE);
    }
}

static void draw_contacts(const trv_world *world, const trv_draw_def *def)
{
    for (uint32_t i = 0; i < world->contacts.count; i++) {
        const trvi_contact *contact = &trvi_contacts(world)[i];
        if (!(contact->flags & TRVI_CONTACT_LIVE))
            continue;
        const trvi_shape *a = &trvi_shapes(world)[contact->shape_a];
        const trvi_shape *b = &trvi_shapes(world)[contact->shape_b];
        // A half-space is near everything that is near it.
        bool shown = a->solid.kind == TRV_SHAPE_PLANE   ? is_shown(def, b)
                     : b->solid.kind == TRV_SHAPE_PLANE ? is_shown(def, a)
                                                        : is_shown(def, a) || is_shown(def, b);
        if (!shown)
            continue;
        if ((def->parts & TRV_DRAW_PAIRS) && a->solid.kind != TRV_SHAPE_PLANE &&
            b->solid.kind != TRV_SHAPE_PLANE)
            trvi_stroke(&def->pen, trvi_aabb_center(a->bounds), trvi_aabb_center(b->bounds),
                        TRV_INK_PAIR);
        if (def->parts & TRV_DRAW_CONTACTS)
            draw_manifold(def, &contact->manifold);
        if (def->parts & (TRV_DRAW_PLANES | TRV_DRAW_CLIMBS))
            draw_plane(world, def, contact);
    }
}

static void draw_body(const trv_world *world, const trv_draw_def *def, uint32_t index)
{
    const trvi_body *body = &trvi_bodies(world)[index];
    trv_vec3 center = body->center;
    if (def->parts & TRV_DRAW_CENTERS)
        trvi_dot_at(&def->pen, center, TRV_INK_CENTER);
    if ((def->parts & TRV_DRAW_VELOCITIES) && trvi_body_moves(body))
        trvi_stroke(
            &def->pen, center,
            trvi_mul_add(center, trvi_mobile_of(world, body)->linear_velocity, def->velocity_time),
            TRV_INK_VELOCITY);
    uint32_t next = body->ring_next;
    // A ring of two is one segment.
    if ((def->parts & TRV_DRAW_HEAPS) && body->kind == TRV_BODY_DYNAMIC &&
        !(body->flags & TRVI_BODY_AWAKE) && next != index &&
        (trvi_bodies(world)[next].ring_next != index || index < next))
        trvi_stroke(&def->pen, center, trvi_bodies(world)[next].center, TRV_INK_HEAP);
    if (def->parts & TRV_DRAW_NUMBERS) {
        char text[16];
        snprintf(text, sizeof text, "%u", (unsigned)(index + 1));
        trvi_write(&def->pen, center, text, TRV_INK_CENTER);
    }
}

static void draw_bodies(const trv_world *world, const trv_draw_def *def)
{
    for (uint32_t i = 0; i < world->bodies.items.count; i++) {
        const trvi_body *body = &trvi_bodies(world)[i];
        trv_aabb at = {body->center, body->center};
        if ((body->flags & TRVI_BODY_LIVE) && body->kind != TRV_BODY_STATIC &&
            trvi_aabb_overlaps(def->within, at))
            draw_body(world, def, i);
    }
}

static void draw_hits(const trv_world *world, const trv_draw_def *def)
{
    trv_events events = trv_world_events(world);
    for (uint32_t i = 0; i < events.hit_count; i++) {
        const trv_hit_event *hit = &events.hits[i];
        trv_aabb at = {hit->point, hit->point};
        if (!trvi_aabb_overlaps(def->within, at))
            continue;
        trvi_dot_at(&def->pen, hit->point, TRV_INK_HIT);
        trvi_stroke(&def->pen, hit->point,
                    trvi_mul_add(hit->point, hit->normal, def->velocity_time * hit->speed),
                    TRV_INK_HIT);
    }
}

trv_result trv_world_draw(const trv_world *world, const trv_draw_def *def)
{
    if (world == NULL || def == NULL)
        return TRV_ERROR_NULL;
    trv_result result = check_def(def);
    if (result == TRV_OK && world->stepping)
        result = TRV_ERROR_BUSY;
    if (result != TRV_OK)
        return result;
    const uint32_t of_shapes = TRV_DRAW_SHAPES | TRV_DRAW_FACES | TRV_DRAW_BOUNDS_EXACT |
                               TRV_DRAW_BOUNDS_REST | TRV_DRAW_REST_BOXES | TRV_DRAW_BOUNDS_FAT;
    const uint32_t of_contacts =
        TRV_DRAW_PAIRS | TRV_DRAW_CONTACTS | TRV_DRAW_PLANES | TRV_DRAW_CLIMBS;
    const uint32_t of_bodies =
        TRV_DRAW_HEAPS | TRV_DRAW_CENTERS | TRV_DRAW_VELOCITIES | TRV_DRAW_NUMBERS;
    if (def->parts & of_shapes)
        draw_shapes(world, def);
    if (def->parts & of_contacts)
        draw_contacts(world, def);
    if (def->parts & of_bodies)
        draw_bodies(world, def);
    if (def->parts & TRV_DRAW_HITS)
        draw_hits(world, def);
    return TRV_OK;
}
