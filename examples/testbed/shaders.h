// The shaders: solids with shadow and edges, their depth alone, the ground, strokes, and flat things.
#ifndef TESTBED_SHADERS_H
#define TESTBED_SHADERS_H

// Light: a sun with a soft shadow, and a sky that is brighter above than below.
#define SHADER_LIGHT                                                                               \
    "uniform sampler2DShadow shadow_map;\n"                                                        \
    "uniform vec3 sun;\n"                                                                          \
    "uniform vec3 eye;\n"                                                                          \
    "const vec3 sky_color = vec3(0.50, 0.62, 0.80), ground_color = vec3(0.22, 0.20, 0.20);\n"      \
    "const vec3 sun_color = vec3(1.55, 1.42, 1.22);\n"                                             \
    "const vec3 horizon = vec3(0.075, 0.100, 0.140);\n"                                            \
    "float lit(vec4 at, float facing) {\n"                                                         \
    "  vec3 p = at.xyz * 0.5 + 0.5;\n"                                                             \
    "  if (p.x < 0.0 || p.x > 1.0 || p.y < 0.0 || p.y > 1.0 || p.z > 1.0) return 1.0;\n"           \
    "  float bias = 0.0006 + 0.0016 * (1.0 - facing), sum = 0.0;\n"                                \
    "  vec2 texel = 1.2 / vec2(textureSize(shadow_map, 0));\n"                                     \
    "  for (int y = -2; y <= 2; y++)\n"                                                            \
    "    for (int x = -2; x <= 2; x++)\n"                                                          \
    "      sum += texture(shadow_map, vec3(p.xy + vec2(x, y) * texel, p.z - bias));\n"             \
    "  return sum / 25.0;\n"                                                                       \
    "}\n"                                                                                          \
    "vec3 shade(vec3 color, vec3 n, vec3 place, vec4 at, float gloss) {\n"                         \
    "  vec3 to_eye = normalize(eye - place);\n"                                                    \
    "  float facing = max(dot(n, sun), 0.0);\n"                                                    \
    "  float light = facing > 0.0 ? lit(at, facing) : 0.0;\n"                                      \
    "  vec3 ambient = mix(ground_color, sky_color, 0.5 * n.y + 0.5) * 0.62;\n"                     \
    "  float shine = pow(max(dot(n, normalize(sun + to_eye)), 0.0), 48.0) * gloss * light;\n"      \
    "  float rim = pow(1.0 - max(dot(n, to_eye), 0.0), 4.0) * 0.10 * gloss;\n"                     \
    "  return color * (ambient + sun_color * facing * light) + vec3(0.35 * shine)\n"               \
    "      + sky_color * rim;\n"                                                                   \
    "}\n"                                                                                          \
    "vec3 shown(vec3 c, float away) {\n"                                                           \
    "  c = mix(c, horizon, clamp(1.0 - exp(-0.00018 * away * away), 0.0, 1.0));\n"                 \
    "  c *= 0.72;\n"                                                                               \
    "  c = c * (2.51 * c + 0.03) / (c * (2.43 * c + 0.59) + 0.14);\n"                              \
    "  return pow(clamp(c, 0.0, 1.0), vec3(1.0 / 2.2));\n"                                         \
    "}\n"

// Instances: place and flash, rotation, scale, colour.
#define SHADER_INSTANCE                                                                            \
    "layout(location = 0) in vec3 a_place;\n"                                                      \
    "layout(location = 1) in vec3 a_normal;\n"                                                     \
    "layout(location = 2) in vec4 a_edge;\n"                                                       \
    "layout(location = 3) in vec4 i_place;\n"                                                      \
    "layout(location = 4) in vec4 i_turn;\n"                                                       \
    "layout(location = 5) in vec4 i_scale;\n"                                                      \
    "layout(location = 6) in vec4 i_color;\n"                                                      \
    "vec3 turned(vec3 v) {\n"                                                                      \
    "  return v + 2.0 * cross(i_turn.xyz, cross(i_turn.xyz, v) + i_turn.w * v);\n"                 \
    "}\n"

static const char solid_vertex[] =
    SHADER_INSTANCE "uniform mat4 view, light;\n"
                    "out vec3 place, normal, edge;\n"
                    "out vec4 at_light, color;\n"
                    "out float flash;\n"
                    "void main() {\n"
                    "  place = i_place.xyz + turned(a_place * i_scale.xyz);\n"
                    "  normal = turned(a_normal / i_scale.xyz);\n"
                    "  edge = a_edge.xyz;\n"
                    "  color = vec4(i_color.rgb * a_edge.w, i_color.a);\n"
                    "  flash = i_place.w;\n"
                    "  at_light = light * vec4(place, 1.0);\n"
                    "  gl_Position = view * vec4(place, 1.0);\n"
                    "}\n";

// Edges are where a barycentric coordinate that belongs to one is small, by pixels.
static const char solid_fragment[] =
    SHADER_LIGHT "in vec3 place, normal, edge;\n"
                 "in vec4 at_light, color;\n"
                 "in float flash;\n"
                 "out vec4 result;\n"
                 "void main() {\n"
                 "  vec3 near = smoothstep(vec3(0.0), 1.5 * fwidth(edge), edge);\n"
                 "  float inside = min(near.x, min(near.y, near.z));\n"
                 "  if (color.a < 0.5) {\n"
                 "    result = vec4(0.75, 0.85, 0.95, mix(0.55, 0.045, inside));\n"
                 "    return;\n"
                 "  }\n"
                 "  vec3 c = shade(color.rgb, normalize(normal), place, at_light, 1.0);\n"
                 "  c = mix(c * 0.60, c, inside) + vec3(1.0, 0.75, 0.45) * flash * 0.9;\n"
                 "  result = vec4(shown(c, length(eye - place)), 1.0);\n"
                 "}\n";

static const char depth_vertex[] = SHADER_INSTANCE
    "uniform mat4 light;\n"
    "void main() {\n"
    "  gl_Position = light * vec4(i_place.xyz + turned(a_place * i_scale.xyz), 1.0);\n"
    "}\n";

static const char depth_fragment[] = "void main() {}\n";

static const char ground_vertex[] = "layout(location = 0) in vec3 a_place;\n"
                                    "uniform mat4 view, light;\n"
                                    "out vec3 place;\n"
                                    "out vec4 at_light;\n"
                                    "void main() {\n"
                                    "  place = a_place;\n"
                                    "  at_light = light * vec4(place, 1.0);\n"
                                    "  gl_Position = view * vec4(place, 1.0);\n"
                                    "}\n";

static const char ground_fragment[] =
    SHADER_LIGHT "in vec3 place;\n"
                 "in vec4 at_light;\n"
                 "out vec4 result;\n"
                 "float grid(float size, float wide) {\n"
                 "  vec2 at = place.xz / size, w = fwidth(at);\n"
                 "  vec2 d = abs(fract(at - 0.5) - 0.5);\n"
                 "  vec2 line = 1.0 - smoothstep(w * wide * 0.5, w * (wide * 0.5 + 1.0), d);\n"
                 "  return max(line.x, line.y) * clamp(1.0 - 2.5 * max(w.x, w.y), 0.0, 1.0);\n"
                 "}\n"
                 "void main() {\n"
                 "  vec3 c = vec3(0.100, 0.122, 0.155);\n"
                 "  c = mix(c, vec3(0.20, 0.24, 0.29), 0.55 * grid(1.0, 0.8));\n"
                 "  c = mix(c, vec3(0.30, 0.35, 0.42), 0.65 * grid(10.0, 1.4));\n"
                 "  c = shade(c, vec3(0.0, 1.0, 0.0), place, at_light, 0.15);\n"
                 "  result = vec4(shown(c, 1.6 * length(eye - place)), 1.0);\n"
                 "}\n";

// A segment as a strip of constant width in pixels; a point as a disk: a segment from it to itself.
static const char stroke_vertex[] =
    "layout(location = 0) in vec3 i_from;\n"
    "layout(location = 1) in vec3 i_to;\n"
    "layout(location = 2) in vec4 i_color;\n"
    "uniform mat4 view;\n"
    "uniform vec2 size;\n"
    "uniform float wide;\n"
    "out vec4 color;\n"
    "out vec2 across;\n"
    "void main() {\n"
    "  vec2 corner = vec2(gl_VertexID % 2, gl_VertexID / 2) * 2.0 - 1.0;\n"
    "  vec4 a = view * vec4(i_from, 1.0), b = view * vec4(i_to, 1.0);\n"
    "  bool is_point = i_from == i_to;\n"
    "  float near = 0.01;\n"
    "  if (a.w < near && b.w < near) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }\n"
    "  if (a.w < near) a = mix(b, a, (b.w - near) / (b.w - a.w));\n"
    "  if (b.w < near) b = mix(a, b, (a.w - near) / (a.w - b.w));\n"
    "  vec2 way = (b.xy / b.w - a.xy / a.w) * size;\n"
    "  vec2 along = dot(way, way) > 1e-8 ? normalize(way) : vec2(1.0, 0.0);\n"
    "  vec2 side = vec2(-along.y, along.x);\n"
    "  float w = is_point ? 3.2 * wide : wide;\n"
    "  vec4 end = corner.x > 0.0 ? b : a;\n"
    "  vec2 off = side * corner.y * w + (is_point ? along * corner.x * w : vec2(0.0));\n"
    "  gl_Position = vec4(end.xy + off / size * end.w, end.z - 0.0004 * end.w, end.w);\n"
    "  color = i_color;\n"
    "  across = is_point ? corner : vec2(0.0, corner.y);\n"
    "}\n";

static const char stroke_fragment[] =
    "in vec4 color;\n"
    "in vec2 across;\n"
    "uniform float dim;\n"
    "out vec4 result;\n"
    "void main() {\n"
    "  float r = length(across);\n"
    "  result = vec4(color.rgb, color.a * dim * (1.0 - smoothstep(0.55, 1.0, r)));\n"
    "}\n";

// Triangles in the world (size zero) or on the screen in pixels, with a texture's red as coverage.
static const char flat_vertex[] = "layout(location = 0) in vec3 a_place;\n"
                                  "layout(location = 1) in vec2 a_texture;\n"
                                  "layout(location = 2) in vec4 a_color;\n"
                                  "uniform mat4 view;\n"
                                  "out vec2 texture_at;\n"
                                  "out vec4 color;\n"
                                  "void main() {\n"
                                  "  texture_at = a_texture;\n"
                                  "  color = a_color;\n"
                                  "  gl_Position = view * vec4(a_place, 1.0);\n"
                                  "}\n";

static const char flat_fragment[] =
    "in vec2 texture_at;\n"
    "in vec4 color;\n"
    "uniform sampler2D atlas;\n"
    "out vec4 result;\n"
    "void main() {\n"
    "  float cover = texture_at.x < 0.0 ? 1.0 : texture(atlas, texture_at).r;\n"
    "  result = vec4(color.rgb, color.a * cover);\n"
    "}\n";

#endif
