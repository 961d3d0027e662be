// Bullet's btConvexHullComputer, which works in integers on a grid of its own.
#include <vector>

#include "hull_peers.h"

#include <LinearMath/btConvexHullComputer.h>

static void show(const btConvexHullComputer &hull, bench_hull_judge *judge, void *context)
{
    std::vector<double> places;
    std::vector<uint32_t> first(1, 0), corners;
    for (int i = 0; i < hull.vertices.size(); i++)
        for (int k = 0; k < 3; k++)
            places.push_back(hull.vertices[i][k]);
    for (int f = 0; f < hull.faces.size(); f++) {
        const btConvexHullComputer::Edge *start = &hull.edges[hull.faces[f]], *edge = start;
        do {
            corners.push_back(static_cast<uint32_t>(edge->getSourceVertex()));
            edge = edge->getNextEdgeOfFace();
        } while (edge != start);
        first.push_back(static_cast<uint32_t>(corners.size()));
    }
    bench_hull out = {
        static_cast<uint32_t>(hull.vertices.size()), static_cast<uint32_t>(hull.faces.size()),
        reinterpret_cast<const double(*)[3]>(places.data()), first.data(), corners.data()};
    judge(context, &out);
}

bool bench_hull_bullet(const bench_cloud *cloud, bench_hull_judge *judge, void *context)
{
    btConvexHullComputer hull;
    hull.compute(&cloud->singles[0][0], 3 * sizeof(float), static_cast<int>(cloud->count), 0, 0);
    if (judge)
        show(hull, judge, context);
    return hull.faces.size() > 0;
}
