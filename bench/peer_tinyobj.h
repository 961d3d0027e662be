// tinyobjloader, for bench_obj: a C++ file where it is installed, and otherwise nothing.
#ifndef TRV_BENCH_PEER_TINYOBJ_H
#define TRV_BENCH_PEER_TINYOBJ_H

#include <stdbool.h>

#if defined(BENCH_TINYOBJ) || defined(__cplusplus)
#ifdef __cplusplus
extern "C" {
#endif
// Reads a file, polygons kept as they are, and counts; false where it is refused.
bool peer_tinyobj_read(const char *path, unsigned long *vertices, unsigned long *faces);
#ifdef __cplusplus
}
#endif

static inline bool peer_tinyobj_is_there(void)
{
    return true;
}
#else
static inline bool peer_tinyobj_is_there(void)
{
    return false;
}

static inline bool peer_tinyobj_read(const char *path, unsigned long *vertices,
                                     unsigned long *faces)
{
    (void)path;
    *vertices = *faces = 0;
    return false;
}
#endif

#endif
