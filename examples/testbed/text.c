// Words by stb_truetype: one atlas at twice the usual size, scaled down where smaller is wanted.
#include "text.h"

#include <stdio.h>
#include <stdlib.h>

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#include <stb/stb_truetype.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

enum { ATLAS = 512, FIRST = 32, GLYPHS = 95 };
#define BAKED 26.0f

static stbtt_bakedchar glyphs[GLYPHS];
static bool ready;

static unsigned char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    unsigned char *bytes = NULL;
    long size;
    if (file == NULL)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) > 0 &&
        fseek(file, 0, SEEK_SET) == 0 && (bytes = malloc((size_t)size)) != NULL &&
        fread(bytes, 1, (size_t)size, file) != (size_t)size) {
        free(bytes);
        bytes = NULL;
    }
    fclose(file);
    return bytes;
}

bool text_start(renderer *r, const char *font_path)
{
    unsigned char *font = read_file(font_path), *pixels = calloc(ATLAS, ATLAS);
    ready = font != NULL && pixels != NULL &&
            stbtt_BakeFontBitmap(font, 0, BAKED, pixels, ATLAS, ATLAS, FIRST, GLYPHS, glyphs) > 0;
    if (pixels != NULL)
        render_set_atlas(r, pixels, ATLAS, ATLAS);
    if (!ready)
        fprintf(stderr, "testbed: no words, the font %s cannot be used\n", font_path);
    free(font);
    free(pixels);
    return ready;
}

static void quad(renderer *r, const float at[4], const float uv[4], trv_vec3 color, float alpha)
{
    static const int corners[6][2] = {{0, 1}, {2, 1}, {2, 3}, {0, 1}, {2, 3}, {0, 3}};
    for (int i = 0; i < 6; i++) {
        flat *f = list_add(&r->screen, sizeof *f);
        flat made = {trv_make_vec3(at[corners[i][0]], at[corners[i][1]], 0),
                     uv[corners[i][0]],
                     uv[corners[i][1]],
                     {color.x, color.y, color.z, alpha}};
        if (f != NULL)
            *f = made;
    }
}

float text_write(renderer *r, float x, float y, float size, trv_vec3 color, float alpha,
                 const char *words)
{
    float scale = size / BAKED;
    for (; ready && *words != '\0'; words++) {
        int index = (unsigned char)*words - FIRST;
        if (index < 0 || index >= GLYPHS)
            index = '?' - FIRST;
        const stbtt_bakedchar *g = &glyphs[index];
        float left = x + scale * g->xoff, top = y + scale * g->yoff;
        const float at[4] = {left, top, left + scale * (float)(g->x1 - g->x0),
                             top + scale * (float)(g->y1 - g->y0)};
        const float uv[4] = {(float)g->x0 / ATLAS, (float)g->y0 / ATLAS, (float)g->x1 / ATLAS,
                             (float)g->y1 / ATLAS};
        quad(r, at, uv, color, alpha);
        x += scale * g->xadvance;
    }
    return x;
}

float text_width(float size, const char *words)
{
    float width = 0.0f;
    for (; ready && *words != '\0'; words++) {
        int index = (unsigned char)*words - FIRST;
        width += glyphs[index < 0 || index >= GLYPHS ? '?' - FIRST : index].xadvance;
    }
    return width * size / BAKED;
}

void text_box(renderer *r, float x, float y, float width, float height, trv_vec3 color, float alpha)
{
    const float at[4] = {x, y, x + width, y + height}, none[4] = {-1, -1, -1, -1};
    quad(r, at, none, color, alpha);
}
