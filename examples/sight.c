// Sight: who sees whom through a level, asked by rays.
//
//   sight
//
// Three guards look for a thief. Walls hide him; a window does not, since the query's filter leaves
// glass out; a door does until it opens. Whether anything is in the way is trv_world_ray_any, the cheap
// question. What is in the way, for all guards at once, is trv_world_rays.
#include <stdio.h>
#include <stdlib.h>

#include <trivet/query.h>

enum { STONE = 1, GLASS = 2 };                     // categories
enum { NORTH_WALL = 1, SOUTH_WALL, WINDOW, DOOR }; // user values
enum { GUARDS = 3 };

static const char *const names[] = {"nothing", "the north wall", "the south wall", "the window",
                                    "the door"};

static void stop_if(trv_result result, const char *what)
{
    if (result == TRV_OK)
        return;
    fprintf(stderr, "sight: %s: %s\n", what, trv_result_text(result));
    exit(2);
}

static trv_body_id add(trv_world *world, uint64_t category, uint64_t user, trv_vec3 center,
                       trv_vec3 half)
{
    trv_body_def body_def = trv_default_body_def();
    trv_shape_def shape_def = trv_default_shape_def();
    trv_shape box = trv_make_box(half);
    trv_body_id body;
    trv_shape_id shape;
    body_def.position = center;
    shape_def.filter.category = category;
    shape_def.user = user;
    stop_if(trv_body_create(world, &body_def, &body), "body");
    stop_if(trv_shape_create(world, body, &shape_def, &box, &shape), "shape");
    return body;
}

// Prints what each guard sees; the number of those who see the thief.
static int look(const trv_world *world, const trv_vec3 *guards, trv_vec3 thief)
{
    int seen_by = 0;
    trv_ray rays[GUARDS];
    trv_world_hit hits[GUARDS];
    trv_query opaque = trv_default_query();
    opaque.filter.mask = STONE;
    for (int i = 0; i < GUARDS; i++) {
        rays[i].origin = guards[i];
        rays[i].travel = trv_make_vec3(thief.x - guards[i].x, thief.y - guards[i].y,
                                       thief.z - guards[i].z); // ends at the thief, not beyond
    }
    stop_if(trv_world_rays(world, rays, GUARDS, NULL, hits), "rays"); // NULL: everything
    for (int i = 0; i < GUARDS; i++) {
        bool hidden;
        stop_if(trv_world_ray_any(world, rays[i], &opaque, &hidden), "ray");
        seen_by += !hidden;
        printf("  guard %d %s; first in the way: %s", i, hidden ? "sees nobody" : "sees the thief",
               names[hits[i].user]);
        if (hits[i].hit)
            printf(", at %.2f of the way", (double)hits[i].fraction);
        printf("\n");
    }
    return seen_by;
}

int main(void)
{
    trv_world_def def = trv_default_world_def();
    trv_world *world;
    stop_if(trv_world_create(&def, &world), "world");
    // A wall along z: the south wall from -6 to 1 with a door at -2..-1, a window at 1..2, and the
    // north wall from 2 to 6.
    add(world, STONE, SOUTH_WALL, trv_make_vec3(0, 1.5f, -4), trv_make_vec3(0.1f, 1.5f, 2));
    trv_body_id door =
        add(world, STONE, DOOR, trv_make_vec3(0, 1.5f, -1.5f), trv_make_vec3(0.05f, 1.5f, 0.5f));
    add(world, STONE, SOUTH_WALL, trv_make_vec3(0, 1.5f, 0), trv_make_vec3(0.1f, 1.5f, 1));
    add(world, GLASS, WINDOW, trv_make_vec3(0, 1.5f, 1.5f), trv_make_vec3(0.01f, 1.5f, 0.5f));
    add(world, STONE, NORTH_WALL, trv_make_vec3(0, 1.5f, 4), trv_make_vec3(0.1f, 1.5f, 2));

    const trv_vec3 guards[GUARDS] = {{-4, 1.7f, 2}, {-4, 1.7f, -4}, {-3, 1.7f, 8}};
    const trv_vec3 thief = {4, 1.6f, 1};
    printf("the door is shut\n");
    int before = look(world, guards, thief);
    stop_if(trv_body_set_enabled(world, door, false), "door");
    printf("the door is open\n");
    int after = look(world, guards, thief);
    trv_world_destroy(world);
    return before == 1 && after == 2 ? 0 : 1;
}
