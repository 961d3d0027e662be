// OpenGL 3.3 on the desktop, OpenGL ES 3.0 (WebGL 2) in the browser: what both have is enough here.
#ifndef TESTBED_GL_H
#define TESTBED_GL_H

#if defined(__EMSCRIPTEN__)
#include <GLES3/gl3.h>
#define GLSL_HEADER "#version 300 es\nprecision highp float;\nprecision highp sampler2DShadow;\n"
#else
#include <epoxy/gl.h>
#define GLSL_HEADER "#version 330 core\n"
#endif

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#endif
