// What the names in the manual's pieces of code stand for; .ci/docs compiles the pieces with them.
#ifndef TRIVET_DOCS_CONTEXT_H
#define TRIVET_DOCS_CONTEXT_H

#include <stdio.h>
#include <stdlib.h>

#include <trivet/trivet.h>

extern trv_world *world;       // a world
extern trv_body_id body;       // a body of it, and one of its shapes
extern trv_shape_id shape_id;
extern trv_broad *broad;       // a broadphase
extern trv_proxy_id proxy;     // a box in it
extern trv_mesh *mesh;         // a mesh that was read
extern trv_hull *hull;         // a hull
extern trv_shape a, b;         // two shapes, and where they are
extern trv_pose pose_a, pose_b;
extern float frame_seconds;    // time since the last frame

#endif
