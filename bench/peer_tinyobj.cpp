// tinyobjloader as it is meant to be used, without triangulation, which Trivet does not do either.
#include <tiny_obj_loader.h>

#include "peer_tinyobj.h"

extern "C" bool peer_tinyobj_read(const char *path, unsigned long *vertices, unsigned long *faces)
{
    tinyobj::attrib_t attributes;
    std::vector<tinyobj::shape_t> shapes;
    std::vector<tinyobj::material_t> materials;
    std::string warning, error;
    bool good =
        tinyobj::LoadObj(&attributes, &shapes, &materials, &warning, &error, path, nullptr, false);
    *vertices = attributes.vertices.size() / 3;
    *faces = 0;
    for (const tinyobj::shape_t &shape : shapes)
        *faces += shape.mesh.num_face_vertices.size();
    return good;
}
