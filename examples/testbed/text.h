// Words and rectangles on the screen, in pixels from the upper left corner.
#ifndef TESTBED_TEXT_H
#define TESTBED_TEXT_H

#include "render.h"

// The glyphs of a TrueType font, drawn once into an atlas. False where the font cannot be read: then
// words are left out.
bool text_start(renderer *r, const char *font_path);
// `y` is the base line. Returns where the next word would begin.
float text_write(renderer *r, float x, float y, float size, trv_vec3 color, float alpha,
                 const char *words);
float text_width(float size, const char *words);
void text_box(renderer *r, float x, float y, float width, float height, trv_vec3 color,
              float alpha);

#endif
