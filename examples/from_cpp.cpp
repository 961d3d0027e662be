// From C++: the headers are C++11, too. Owners free what they own, and results become exceptions.
//
//   from_cpp
//
// A std::unique_ptr with the right function to free is all that a handle takes; ids are plain values.
// A dozen dice, hulls of points in a std::vector, fall on a table and are counted when they are at rest.
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <trivet/trivet.h>

namespace
{

void check(trv_result result, const char *what)
{
    if (result != TRV_OK)
        throw std::runtime_error(std::string(what) + ": " + trv_result_text(result));
}

struct free_world {
    void operator()(trv_world *world) const
    {
        trv_world_destroy(world);
    }
};
struct free_hull {
    void operator()(trv_hull *hull) const
    {
        trv_hull_release(hull);
    }
};
using world_ptr = std::unique_ptr<trv_world, free_world>;
using hull_ptr = std::unique_ptr<trv_hull, free_hull>;

world_ptr make_world()
{
    trv_world_def def = trv_default_world_def();
    trv_world *world = nullptr;
    check(trv_world_create(&def, &world), "world");
    return world_ptr(world);
}

hull_ptr make_hull(const std::vector<trv_vec3> &points)
{
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull = nullptr;
    check(trv_hull_create(points.data(), static_cast<uint32_t>(points.size()), &def, &hull),
          "hull");
    return hull_ptr(hull);
}

// A cube with its corners cut off, 2 cm across.
std::vector<trv_vec3> die_points()
{
    std::vector<trv_vec3> points;
    const float far = 0.01f, near = 0.008f;
    for (int corner = 0; corner < 8; corner++) {
        const float x = corner & 1 ? 1.0f : -1.0f, y = corner & 2 ? 1.0f : -1.0f,
                    z = corner & 4 ? 1.0f : -1.0f;
        points.push_back(trv_make_vec3(x * near, y * far, z * far));
        points.push_back(trv_make_vec3(x * far, y * near, z * far));
        points.push_back(trv_make_vec3(x * far, y * far, z * near));
    }
    return points;
}

trv_body_id add(trv_world *world, trv_body_kind kind, trv_pose pose, const trv_shape &shape)
{
    trv_body_def body_def = trv_default_body_def();
    trv_shape_def shape_def = trv_default_shape_def();
    trv_body_id body;
    trv_shape_id id;
    body_def.kind = kind;
    body_def.position = pose.position;
    body_def.rotation = pose.rotation;
    check(trv_body_create(world, &body_def, &body), "body");
    check(trv_shape_create(world, body, &shape_def, &shape, &id), "shape");
    return body;
}

int play()
{
    const world_ptr world = make_world();
    const hull_ptr die = make_hull(die_points());
    uint32_t corners = 0;
    trv_hull_vertices(die.get(), &corners);
    std::printf("a die has %u corners and %u faces\n", corners,
                trv_hull_faces(die.get(), nullptr, nullptr));
    add(world.get(), TRV_BODY_STATIC, trv_make_pose(trv_make_vec3(0, -0.05f, 0)),
        trv_make_box(trv_make_vec3(0.5f, 0.05f, 0.5f)));
    std::vector<trv_body_id> dice;
    for (int i = 0; i < 12; i++) {
        trv_pose pose = trv_make_pose(trv_make_vec3(0.04f * static_cast<float>(i % 4),
                                                    0.1f + 0.05f * static_cast<float>(i / 4),
                                                    0.03f * static_cast<float>(i % 3)));
        pose.rotation = trv_quat_about(trv_make_vec3(1, 2, 3), static_cast<float>(i));
        dice.push_back(add(world.get(), TRV_BODY_DYNAMIC, pose, trv_make_hull(die.get())));
    }
    for (int step = 0; step < 300; step++)
        check(trv_world_step(world.get(), 1.0f / 60.0f, 4), "step");
    int on_table = 0;
    for (const trv_body_id &body : dice) {
        trv_pose pose;
        check(trv_body_pose(world.get(), body, &pose), "pose");
        on_table += pose.position.y > 0.0f;
    }
    std::printf("%d of %d lie on the table\n", on_table, static_cast<int>(dice.size()));
    return on_table == static_cast<int>(dice.size()) ? 0 : 1;
}

} // namespace

int main()
{
    try {
        return play();
    } catch (const std::exception &error) {
        std::fprintf(stderr, "from_cpp: %s\n", error.what());
        return 2;
    }
}
