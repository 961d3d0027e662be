// Scenes of meshes: OBJ files, those given or the project's own, dropped into a pit.
#include "stage.h"

static const char *path_of(const stage *s, uint32_t index)
{
    return s->file_count > 0 ? s->files[index % s->file_count] : own_mesh_path(index);
}

static void build_obj(stage *s)
{
    stage_ground(s);
    stage_pit(s, 4.5f, 1.6f, true);
    uint32_t files = s->file_count > 0 ? s->file_count : own_mesh_total();
    uint32_t count = files > 32 ? files : 32;
    for (uint32_t i = 0; i < count && s->result == TRV_OK; i++) {
        trv_pose pose = at(2.0f * (float)(i % 4) - 3.0f, 1.2f + 1.7f * (float)(i / 16),
                           2.0f * (float)(i / 4 % 4) - 3.0f);
        pose.rotation = stage_any_rotation(s);
        stage_drop_file(s, path_of(s, i), pose, 1.6f);
    }
}

const scene scene_obj = {"obj",
                         "OBJ files",
                         "Each part of a file is one convex piece. Drop your own files here.",
                         build_obj,
                         NULL,
                         NULL,
                         {8, 8.5f, 13},
                         {0, 1.2f, 0},
                         0};
