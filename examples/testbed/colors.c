// colors FILE.png: which share of a picture, in percent, is of a strong colour, as bodies are and ground and
// sky are not. Exit status 1 where that is less than a tenth, 2 where the file is no picture.
#include <stdio.h>

#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#include <stb/stb_image.h>

// Between the strongest and the weakest of red, green and blue; the ground's greys have some 40.
enum { STRONG = 70 };

static int spread(const stbi_uc *pixel)
{
    int low = pixel[0], high = pixel[0];
    for (int i = 1; i < 3; i++) {
        low = pixel[i] < low ? pixel[i] : low;
        high = pixel[i] > high ? pixel[i] : high;
    }
    return high - low;
}

int main(int argc, char **argv)
{
    int width, height, channels, strong = 0;
    stbi_uc *pixels = argc == 2 ? stbi_load(argv[1], &width, &height, &channels, 3) : NULL;
    if (pixels == NULL) {
        fprintf(stderr, "colors: %s is no picture\n", argc == 2 ? argv[1] : "(nothing)");
        return 2;
    }
    for (int i = 0; i < width * height; i++)
        strong += spread(&pixels[3 * i]) > STRONG;
    stbi_image_free(pixels);
    double share = 100.0 * strong / ((double)width * height);
    printf("%.2f %% in colour\n", share);
    return share < 0.1 ? 1 : 0;
}
