// Shapes as triangles for the renderer: vertices with a normal, what edges are near, and a shade.
#ifndef TESTBED_SHAPES_H
#define TESTBED_SHAPES_H

#include <trivet/mesh.h>

typedef struct corner {
    trv_vec3 place, normal;
    float edge[3]; // 0 on the edge of that number, 1 away from it
    float shade;   // of the colour
} corner;

typedef struct surface {
    corner *corners; // three for each triangle
    uint32_t count, capacity;
} surface;

// All of half extent or radius 1. A failed allocation leaves them without corners.
surface make_box_surface(void);
surface make_ball_surface(void);
surface make_half_ball_surface(void); // y >= 0, without the disk
surface make_tube_surface(void);      // about y, from -1 to 1, without the disks
surface make_hull_surface(const trv_hull *hull);
void free_surface(surface *s);

#endif
