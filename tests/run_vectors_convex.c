// Convex hulls against exact vectors.
#include "vectors.h"

const vector_file convex_vector_files[] = {
    {NULL, NULL},
};
