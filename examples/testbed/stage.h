// A stage: a world with a scene in it, and what scenes are made with. Nothing here draws or needs a
// window; the same calls give the same world everywhere.
#ifndef TESTBED_STAGE_H
#define TESTBED_STAGE_H

#include <trivet/trivet.h>

typedef struct stage stage;

typedef struct scene {
    const char *name;  // for the command line
    const char *title; // for the screen
    const char *text;  // what there is to see
    void (*build)(stage *s);
    void (*before_step)(stage *s);                    // NULL: nothing
    void (*draw)(const stage *s, const trv_pen *pen); // what only the scene knows; NULL: nothing
    trv_vec3 eye, target;
    uint32_t overlays; // of trv_draw_part, on at first
} scene;

enum { STAGE_NOTES = 6, STAGE_NOTE_LENGTH = 96 };

struct stage {
    trv_world *world;
    const scene *scene;
    uint32_t steps;    // made so far
    trv_result result; // the first thing that went wrong; nothing is added after it
    uint64_t random;
    trv_hull **hulls; // made for the scene; released with it
    uint32_t hull_count, hull_capacity;
    trv_compound *compound;   // the same
    void *memory;             // of the scene, freed with it
    trv_body_id held;         // by the player: scripts leave it alone
    const char *const *files; // OBJ files to drop, given by the player
    uint32_t file_count;
    char notes[STAGE_NOTES][STAGE_NOTE_LENGTH]; // told on screen
};

#define STAGE_STEP (1.0f / 60.0f)
enum { STAGE_SUBSTEPS = 4 };

// The scenes, in the order of the list; NULL past the end, and for names that are none.
const scene *stage_scene(uint32_t index);
const scene *stage_find(const char *name);

// Makes the world and fills it. `clock` may be {0}. On an error the stage is closed again, and says why.
trv_result stage_open(stage *s, const scene *which, trv_clock clock, const char *const *files,
                      uint32_t file_count);
trv_result stage_step(stage *s);
void stage_close(stage *s);

// How a shape looks, in trv_shape_def.user: a number of the palette, and whether only its edges are seen.
#define STAGE_GLASS ((uint64_t)1 << 32)
enum {
    COLOR_STONE,
    COLOR_RED,
    COLOR_ORANGE,
    COLOR_YELLOW,
    COLOR_GREEN,
    COLOR_TEAL,
    COLOR_BLUE,
    COLOR_PURPLE,
    COLOR_CREAM,
    COLOR_COUNT
};

trv_shape_def stage_skin(uint32_t color);
trv_vec3 vec(float x, float y, float z);
trv_pose at(float x, float y, float z);
trv_pose turned(float x, float y, float z, trv_vec3 axis, float angle);
trv_shape box(float x, float y, float z); // by half extents
trv_shape ball(float radius);

trv_body_id stage_body(stage *s, trv_body_kind kind, trv_pose pose);
void stage_shape(stage *s, trv_body_id body, trv_shape shape, const trv_shape_def *skin);
// Both at once.
trv_body_id stage_put(stage *s, trv_body_kind kind, trv_pose pose, trv_shape shape,
                      const trv_shape_def *skin);
void stage_ground(stage *s); // a half-space below y = 0
void stage_pit(stage *s, float half, float height, bool glass);

// 0 <= x < 1, from the stage's own numbers.
float stage_random(stage *s);
float stage_between(stage *s, float least, float most);
trv_quat stage_any_rotation(stage *s);
trv_vec3 stage_any_direction(stage *s);

// The hull of points; the stage keeps it. NULL after an error.
const trv_hull *stage_hull(stage *s, const trv_vec3 *points, uint32_t count);
// A stone of about `radius` with up to `points` corners.
const trv_hull *stage_stone(stage *s, float radius, uint32_t points);
// The parts of an OBJ file as bodies about `place`, as large as `size`. What is wrong with a file is told
// in the notes.
void stage_drop_file(stage *s, const char *path, trv_pose place, float size);

void stage_note(stage *s, uint32_t line, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

// The project's own meshes.
uint32_t own_mesh_total(void);
const char *own_mesh_path(uint32_t index);

// piles
extern const scene scene_pyramid, scene_wall, scene_dominoes, scene_cards, scene_arch, scene_hulls;
extern const scene scene_balls, scene_bullets, scene_washer, scene_tiles, scene_spin; // motion
extern const scene scene_obj, scene_hearts;

#endif
