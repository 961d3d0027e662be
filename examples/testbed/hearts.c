// Two Hearts: the sample of Jeff Lander's articles of 1999, on this library.
//
// Two hearts move and turn. While their bounding boxes are apart nothing else is asked. When the boxes
// overlap, a plane between the hearts is looked for, first the one remembered from the frame before; it
// is shown with the face, the edges or the vertex that made it. Where there is none they collide. A
// heart is no convex solid: it is a compound of two halves that are.
//
// Based on: J. Lander, "When Two Hearts Collide" and "Crashing into the New Year" (1999).
#include "stage.h"

#include <math.h>
#include <stdlib.h>

typedef struct hearts {
    trv_body_id bodies[2];
    trv_shape solid; // in each body's frame
    trv_obb rest;    // its rest box there
    trv_pose poses[2];
    trv_aabb tight[2], fast[2];
    trv_shape halves[2];          // the same two for both
    trv_plane_cache caches[2][2]; // of each half of one heart with each of the other
    trv_separation separation;    // of the two halves that are nearest each other
    uint32_t near[2];             // which these are
    bool boxes_meet, apart;
    uint32_t steps_met, steps_apart, asked, remembered;
} hearts;

// Half a heart, x >= 0: a ball about the lobe's middle, cut off at x = 0, and the tip below.
static const trv_hull *make_half(stage *s, float side)
{
    enum { RINGS = 9, STEPS = 16, CUT = 16 };
    const float middle = 0.42f, high = 0.3f, radius = 0.55f, depth = 0.72f;
    trv_vec3 points[RINGS * STEPS + CUT + 1];
    uint32_t count = 0;
    for (int ring = 0; ring < RINGS; ring++)
        for (int i = 0; i < STEPS; i++) {
            trv_quat tilt =
                trv_quat_about(vec(0, 0, 1), 3.14159265f * ((float)ring + 0.5f) / RINGS);
            trv_quat about = trv_quat_about(vec(0, 1, 0), 6.2831853f * (float)i / STEPS);
            trv_vec3 d = trv_rotate(trv_quat_multiply(about, tilt), vec(0, radius, 0));
            if (middle + d.x >= 0.0f)
                points[count++] = vec(side * (middle + d.x), high + d.y, depth * d.z);
        }
    float cut = sqrtf(radius * radius - middle * middle);
    for (int i = 0; i < CUT; i++) {
        trv_quat about = trv_quat_about(vec(1, 0, 0), 6.2831853f * (float)i / CUT);
        trv_vec3 d = trv_rotate(about, vec(0, cut, 0));
        points[count++] = vec(0, high + d.y, depth * d.z);
    }
    points[count++] = vec(0, -1, 0);
    return stage_hull(s, points, count);
}

// A wave by the library's own rotation, whose bits are the same everywhere.
static float wave(float rate, float t)
{
    return trv_rotate(trv_quat_about(vec(0, 0, 1), rate * t), vec(1, 0, 0)).y;
}

// It begins where the hearts soon come near each other.
static float time_of(uint32_t steps)
{
    return 1.3f * STAGE_STEP * (float)(steps + 110);
}

// Each sways on a curve of its own, turning to and fro: they meet, pass, and part.
static trv_pose way_of(int heart, float t)
{
    float sign = heart ? 1.0f : -1.0f, late = heart ? 1.7f : 0.0f;
    trv_quat spin = trv_quat_multiply(
        trv_quat_about(vec(0, 1, 0), 0.8f * wave(0.5f, t + late)),
        trv_quat_about(vec(0, 0, 1), -0.35f * sign + 0.6f * wave(0.43f, t - late)));
    spin = trv_quat_multiply(trv_quat_about(vec(1, 0, 0), 0.4f * wave(0.31f, t)), spin);
    trv_pose pose = {vec(sign * (0.87f + 0.24f * wave(1.1f, t + 1.6f)),
                         2.1f + 0.3f * sign * wave(0.6f, t), -0.25f * sign * wave(0.37f, t + 1.0f)),
                     spin};
    return pose;
}

static void build_hearts(stage *s)
{
    stage_ground(s);
    hearts *h = s->memory = calloc(1, sizeof *h);
    if (h == NULL) {
        s->result = TRV_ERROR_MEMORY;
        return;
    }
    h->halves[0] = trv_make_hull(make_half(s, 1.0f));
    h->halves[1] = trv_make_hull(make_half(s, -1.0f));
    trv_compound_part parts[2] = {{h->halves[0], at(0, 0, 0)}, {h->halves[1], at(0, 0, 0)}};
    trv_compound_def def = trv_default_compound_def();
    if (s->result == TRV_OK)
        s->result = trv_compound_create(parts, 2, &def, &s->compound);
    h->solid = trv_make_compound(s->compound);
    trv_aabb box = trv_compound_bounds_local(s->compound);
    h->rest.center = vec(0.5f * (box.lower.x + box.upper.x), 0.5f * (box.lower.y + box.upper.y),
                         0.5f * (box.lower.z + box.upper.z));
    h->rest.half = vec(0.5f * (box.upper.x - box.lower.x), 0.5f * (box.upper.y - box.lower.y),
                       0.5f * (box.upper.z - box.lower.z));
    h->rest.rotation = trv_identity_quat();
    for (int i = 0; i < 2; i++) {
        trv_shape_def skin = stage_skin(i ? COLOR_PURPLE : COLOR_RED);
        h->bodies[i] = stage_put(s, TRV_BODY_KINEMATIC, way_of(i, time_of(0)), h->solid, &skin);
    }
}

static bool overlap(trv_aabb a, trv_aabb b)
{
    return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y &&
           b.lower.y <= a.upper.y && a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

static float volume(trv_aabb box)
{
    return (box.upper.x - box.lower.x) * (box.upper.y - box.lower.y) * (box.upper.z - box.lower.z);
}

static const char *text_of(const trv_separation *separation)
{
    switch (separation->source) {
    case TRV_PLANE_FACE_A:
        return "a face of the red heart";
    case TRV_PLANE_FACE_B:
        return "a face of the purple heart";
    case TRV_PLANE_EDGES:
        return "an edge of each";
    case TRV_PLANE_EDGE_A:
    case TRV_PLANE_EDGE_B:
        return "an edge and a vertex";
    default:
        return "two vertices";
    }
}

// Each half of one with each of the other: apart when all four pairs are.
static void find_planes(stage *s, hearts *h)
{
    h->apart = true;
    for (uint32_t i = 0; i < 4 && s->result == TRV_OK; i++) {
        trv_separation found;
        uint32_t a = i / 2, b = i % 2;
        s->result = trv_separate(&h->halves[a], h->poses[0], &h->halves[b], h->poses[1],
                                 &h->caches[a][b], &found);
        h->apart = h->apart && found.apart;
        h->asked += found.apart;
        h->remembered += found.apart && found.remembered;
        if (i == 0 || (found.apart && found.gap < h->separation.gap)) {
            h->separation = found;
            h->near[0] = a;
            h->near[1] = b;
        }
    }
    h->steps_met++;
    h->steps_apart += h->apart;
}

static void look(stage *s, hearts *h)
{
    for (int i = 0; i < 2 && s->result == TRV_OK; i++) {
        s->result = trv_body_pose(s->world, h->bodies[i], &h->poses[i]);
        if (s->result == TRV_OK)
            s->result = trv_bounds_of_shape(&h->solid, h->poses[i], 0.0f, &h->tight[i]);
        h->fast[i] = trv_bounds_of_box(h->rest, h->poses[i]);
    }
    h->boxes_meet = overlap(h->tight[0], h->tight[1]);
    if (h->boxes_meet && s->result == TRV_OK)
        find_planes(s, h);
    if (!h->boxes_meet)
        stage_note(s, 0, "The boxes are apart: nothing else is asked.");
    else if (h->apart)
        stage_note(s, 0, "Apart by %.3f m, by the plane of %s.", (double)h->separation.gap,
                   text_of(&h->separation));
    else
        stage_note(s, 0, "COLLISION: no plane parts them.");
    stage_note(s, 1, "Boxes met in %u steps; the hearts were apart in %u of them.", h->steps_met,
               h->steps_apart);
    stage_note(s, 2, "The remembered plane answered for %u of %u pairs apart (%.1f %%).",
               h->remembered, h->asked, h->asked ? 100.0 * h->remembered / h->asked : 0.0);
    stage_note(s, 3, "Boxes of the red heart: tight %.2f m3, fast %.2f m3.",
               (double)volume(h->tight[0]), (double)volume(h->fast[0]));
}

static void move_hearts(stage *s)
{
    hearts *h = s->memory;
    float t = time_of(s->steps + 1);
    for (int i = 0; i < 2 && s->result == TRV_OK; i++)
        if (s->held.index1 != h->bodies[i].index1)
            s->result = trv_body_move_to(s->world, h->bodies[i], way_of(i, t), STAGE_STEP);
    look(s, h);
}

static void draw_box(const trv_pen *pen, trv_aabb box, trv_ink ink)
{
    trv_obb same = {vec(0.5f * (box.lower.x + box.upper.x), 0.5f * (box.lower.y + box.upper.y),
                        0.5f * (box.lower.z + box.upper.z)),
                    vec(0.5f * (box.upper.x - box.lower.x), 0.5f * (box.upper.y - box.lower.y),
                        0.5f * (box.upper.z - box.lower.z)),
                    {0, 0, 0, 1}};
    trv_shape shape = trv_make_placed_box(same);
    trv_shape_draw(&shape, at(0, 0, 0), ink, pen);
}

static void draw_hearts(const stage *s, const trv_pen *pen)
{
    const hearts *h = s->memory;
    for (int i = 0; i < 2; i++) {
        draw_box(pen, h->tight[i], TRV_INK_BOUNDS_EXACT);
        draw_box(pen, h->fast[i], TRV_INK_BOUNDS_REST);
    }
    if (!h->boxes_meet || !h->apart)
        return;
    const trv_shape *a = &h->halves[h->near[0]], *b = &h->halves[h->near[1]];
    trv_vec3 n = h->separation.plane.normal;
    trv_separation_draw(&h->separation, a, h->poses[0], b, h->poses[1], pen);
    trv_climb_draw(a, h->poses[0], n, pen);
    trv_climb_draw(b, h->poses[1], vec(-n.x, -n.y, -n.z), pen);
}

const scene scene_hearts = {
    "hearts",
    "Two Hearts",
    "Boxes first, then planes between their convex halves: remembered, and shown.",
    build_hearts,
    move_hearts,
    draw_hearts,
    {2.3f, 4.6f, 5.6f},
    {0, 2.0f, 0},
    0};
