// Qhull 2020 through its reentrant library, in double, with its defaults (merged facets).
#include <stdio.h>
#include <stdlib.h>

#include "hull_peers.h"

#include <libqhull_r/qhull_ra.h>

static void show(qhT *qh, const bench_cloud *cloud, bench_hull_judge *judge, void *context)
{
    facetT *facet;
    vertexT *vertex, **vertexp;
    uint32_t faces = 0, corners = 0;
    FORALLfacets
    {
        faces++;
        corners += (uint32_t)qh_setsize(qh, facet->vertices);
    }
    uint32_t *first = malloc((faces + 1) * sizeof *first);
    uint32_t *corner = malloc(corners * sizeof *corner);
    if (first == NULL || corner == NULL)
        abort();
    faces = corners = 0;
    first[0] = 0;
    FORALLfacets
    {
        setT *loop = qh_facet3vertex(qh, facet); // in order round the facet, and oriented
        FOREACHvertex_(loop) corner[corners++] = (uint32_t)qh_pointid(qh, vertex->point);
        qh_settempfree(qh, &loop);
        first[++faces] = corners;
    }
    bench_hull hull = {cloud->count, faces, cloud->doubles, first, corner};
    judge(context, &hull);
    free(first);
    free(corner);
}

bool bench_hull_qhull(const bench_cloud *cloud, bench_hull_judge *judge, void *context)
{
    qhT memory, *qh = &memory;
    char command[] = "qhull Pp";
    FILE *quiet = fopen("/dev/null", "w");
    if (quiet == NULL)
        return false;
    qh_zero(qh, quiet);
    int code = qh_new_qhull(qh, 3, (int)cloud->count, (coordT *)cloud->doubles, False, command,
                            NULL, quiet);
    if (code == 0 && judge)
        show(qh, cloud, judge, context);
    int current, total;
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &current, &total);
    fclose(quiet);
    return code == 0;
}
