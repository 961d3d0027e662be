// Makes compounds of what bytes say, each part of which is tried alone first.
#include "crowd.h"

#include <string.h>

static bool fits(trv_vec3 v)
{
    return fabsf(v.x) <= TRV_COORD_MAX && fabsf(v.y) <= TRV_COORD_MAX &&
           fabsf(v.z) <= TRV_COORD_MAX;
}

// A part is good where its shape and pose are, and its bounds in the compound's frame.
static bool is_good(const trv_compound_part *part)
{
    trv_aabb box;
    if (part->shape.kind == TRV_SHAPE_PLANE ||
        trv_bounds_of_shape(&part->shape, part->pose, 0.0f, &box) != TRV_OK)
        return false;
    return fits(box.lower) && fits(box.upper);
}

static bool try_alone(const trv_compound_part *part)
{
    trv_compound_def def = trv_default_compound_def();
    trv_compound *alone = NULL;
    trv_result result = trv_compound_create(part, 1, &def, &alone);
    demand((result == TRV_OK) == (alone != NULL) && (result == TRV_OK) == is_good(part));
    demand(trv_compound_part_count(alone) == (result == TRV_OK ? 1u : 0u));
    trv_compound_release(alone);
    return result == TRV_OK;
}

static void check_made(const fuzz_crowd *crowd)
{
    trv_compound_part part;
    demand(trv_compound_part_count(crowd->compound) == crowd->count);
    for (uint32_t i = 0; i < crowd->count; i++) {
        demand(trv_compound_part_get(crowd->compound, i, &part) == TRV_OK);
        demand(part.shape.kind == crowd->parts[i].shape.kind);
        demand(memcmp(&part.pose, &crowd->parts[i].pose, sizeof part.pose) == 0);
    }
    demand(trv_compound_part_get(crowd->compound, crowd->count, &part) == TRV_ERROR_INDEX);
}

// Mostly near one another.
static trv_pose read_place(fuzz_bytes *r)
{
    trv_pose pose;
    if (take_byte(r) >= 224)
        return scene_read_pose(r);
    pose.position = take_vec3(r, SNAPPED, take_byte(r) < 128 ? 1.0f : 0.3f);
    pose.rotation = take_quat(r);
    return pose;
}

void crowd_read(fuzz_crowd *crowd, fuzz_bytes *r)
{
    memset(crowd, 0, sizeof *crowd);
    uint8_t choice = take_byte(r);
    uint32_t wanted = 1u + choice % CROWD_PARTS;
    crowd->is_compound = choice < 224;
    for (uint32_t i = 0; i < wanted && crowd->is_compound; i++) {
        trv_compound_part *part = &crowd->parts[crowd->count];
        part->shape = scene_read_shape(r, &crowd->hulls[i]);
        part->pose = read_place(r);
        crowd->count += try_alone(part);
    }
    if (!crowd->is_compound)
        return;
    trv_compound_def def = trv_default_compound_def();
    def.max_parts = choice & 1 ? crowd->count : def.max_parts;
    trv_result result = trv_compound_create(crowd->parts, crowd->count, &def, &crowd->compound);
    demand(result == (crowd->count > 0 ? TRV_OK : TRV_ERROR_RANGE));
    if (result == TRV_OK)
        check_made(crowd);
    crowd->shape = trv_make_compound(crowd->compound);
}

void crowd_free(fuzz_crowd *crowd)
{
    trv_compound_release(crowd->compound);
    for (int i = 0; i < CROWD_PARTS; i++)
        trv_hull_release(crowd->hulls[i]);
}

void crowd_be(fuzz_crowd *crowd, const trv_shape *shape)
{
    if (crowd->is_compound)
        return;
    crowd->shape = *shape;
    crowd->count = 1;
    crowd->parts[0].shape = *shape;
}

trv_pose crowd_pose(const fuzz_crowd *crowd, trv_pose pose, uint32_t index)
{
    if (!crowd->is_compound)
        return pose;
    trv_pose part = crowd->parts[index].pose, placed;
    trvi_dmat3 rotation = trvi_dmat3_from_quat(pose.rotation);
    placed.position = trvi_vec3_from_double(trvi_dadd(
        trvi_dmat3_mul(&rotation, trvi_dvec3_from(part.position)), trvi_dvec3_from(pose.position)));
    trv_quat q = trv_quat_multiply(pose.rotation, part.rotation);
    float length = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    placed.rotation = (trv_quat){q.x / length, q.y / length, q.z / length, q.w / length};
    return placed;
}
