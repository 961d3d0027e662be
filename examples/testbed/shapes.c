// Triangles of boxes, balls, tubes and hulls.
//
// Flat shapes get the normals of their faces, and know their edges: of a face cut as a fan only the
// outer sides are edges, so a triangle's other sides are marked as far away. Round shapes have smooth
// normals, no edges, and two shades, so that one sees them turn.
#include "shapes.h"

#include <stdlib.h>

#include "space.h"

static void add_corner(surface *s, corner c)
{
    if (s->count == s->capacity) {
        uint32_t capacity = s->capacity ? 2 * s->capacity : 256;
        corner *grown = realloc(s->corners, capacity * sizeof *grown);
        if (grown == NULL)
            return;
        s->corners = grown;
        s->capacity = capacity;
    }
    s->corners[s->count++] = c;
}

// Side k is opposite corner k.
static void add_triangle(surface *s, const trv_vec3 places[3], trv_vec3 normal,
                         const bool is_edge[3])
{
    for (int i = 0; i < 3; i++) {
        corner c = {places[i], normal, {1, 1, 1}, 1.0f};
        for (int k = 0; k < 3; k++)
            c.edge[k] = is_edge[k] && k != i ? 0.0f : 1.0f;
        add_corner(s, c);
    }
}

static void add_polygon(surface *s, const trv_vec3 *places, uint32_t count, trv_vec3 normal)
{
    for (uint32_t i = 1; i + 1 < count; i++) {
        const trv_vec3 corners[3] = {places[0], places[i], places[i + 1]};
        const bool is_edge[3] = {true, i + 2 == count, i == 1};
        add_triangle(s, corners, normal, is_edge);
    }
}

surface make_box_surface(void)
{
    static const uint32_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    surface s = {NULL, 0, 0};
    for (int f = 0; f < 6; f++) {
        trv_vec3 places[4];
        for (int i = 0; i < 4; i++) {
            uint32_t v = faces[f][i];
            places[i] =
                trv_make_vec3(v & 1 ? 1.0f : -1.0f, v & 2 ? 1.0f : -1.0f, v & 4 ? 1.0f : -1.0f);
        }
        float sign = f % 2 ? 1.0f : -1.0f;
        add_polygon(
            &s, places, 4,
            trv_make_vec3(f / 2 == 0 ? sign : 0, f / 2 == 1 ? sign : 0, f / 2 == 2 ? sign : 0));
    }
    return s;
}

surface make_hull_surface(const trv_hull *hull)
{
    surface s = {NULL, 0, 0};
    uint32_t vertices, planes;
    const uint32_t *first, *corners;
    const trv_vec3 *places = trv_hull_vertices(hull, &vertices);
    const trv_plane *plane = trv_hull_planes(hull, &planes);
    uint32_t faces = trv_hull_faces(hull, &first, &corners);
    // Faces of a finely divided hull would be nothing but edges.
    bool fine = faces > 150;
    for (uint32_t f = 0; f < faces; f++)
        for (uint32_t i = first[f] + 1; i + 1 < first[f + 1]; i++) {
            const trv_vec3 three[3] = {places[corners[first[f]]], places[corners[i]],
                                       places[corners[i + 1]]};
            const bool is_edge[3] = {!fine, !fine && i + 2 == first[f + 1],
                                     !fine && i == first[f] + 1};
            add_triangle(&s, three, plane[f].normal, is_edge);
        }
    return s;
}

enum { AROUND = 32, RINGS = 16 };

static corner round_corner(int ring, int step, bool tube)
{
    float turn = 6.2831853f * (float)step / AROUND, rise = 3.1415927f * (float)ring / RINGS;
    float wide = tube ? 1.0f : sinf(rise), high = -cosf(rise);
    trv_vec3 d = trv_make_vec3(wide * cosf(turn), tube ? 0.0f : high, wide * -sinf(turn));
    corner c = {d, d, {1, 1, 1}, 1.0f};
    if (tube)
        c.place.y = ring ? 1.0f : -1.0f;
    return c;
}

static surface make_round(int first, int last, bool tube)
{
    surface s = {NULL, 0, 0};
    for (int ring = first; ring < last; ring++)
        for (int i = 0; i < AROUND; i++) {
            corner quad[4] = {round_corner(ring, i, tube), round_corner(ring, i + 1, tube),
                              round_corner(ring + 1, i + 1, tube), round_corner(ring + 1, i, tube)};
            static const int order[6] = {0, 1, 2, 0, 2, 3};
            bool dark = (i / (AROUND / 4) + (tube ? 0 : ring / (RINGS / 2))) % 2 != 0;
            for (int k = 0; k < 6; k++) {
                corner c = quad[order[k]];
                c.shade = dark ? 0.74f : 1.0f;
                add_corner(&s, c);
            }
        }
    return s;
}

surface make_ball_surface(void)
{
    return make_round(0, RINGS, false);
}

surface make_half_ball_surface(void)
{
    return make_round(RINGS / 2, RINGS, false);
}

surface make_tube_surface(void)
{
    return make_round(0, 1, true);
}

void free_surface(surface *s)
{
    free(s->corners);
    s->corners = NULL;
    s->count = s->capacity = 0;
}
