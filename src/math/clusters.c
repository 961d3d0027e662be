// Clusters of a hull's vertices, so that the farthest of many is found without a look at each.
//
// Vertices that lie in about the same direction from the hull's centre are a cluster, which a ball holds.
// One whose ball does not reach as far as some vertex has none that is farther.
// Invariant: every vertex is in one cluster, and within its ball.
#include "convex.h"

static uint32_t cluster_of(const trv_hull *hull, uint32_t grid, uint32_t vertex)
{
    trvi_dvec3 center = trvi_dvec3_from(hull->center);
    return trvi_seed_cell(grid, trvi_dsub(trvi_dvec3_from(hull->vertices[vertex]), center));
}

// Sorts the vertices by cluster, ascending within each.
static void sort_vertices(trv_hull *hull, uint32_t grid, uint32_t count)
{
    trvi_cluster *clusters = hull->clusters;
    for (uint32_t i = 0; i < count; i++)
        clusters[i] = (trvi_cluster){{0.0f, 0.0f, 0.0f}, 0.0f, 0, 0};
    for (uint32_t v = 0; v < hull->vertex_count; v++)
        clusters[cluster_of(hull, grid, v)].count++;
    for (uint32_t i = 0, first = 0; i < count; i++) {
        clusters[i].first = first;
        first += clusters[i].count;
        clusters[i].count = 0;
    }
    for (uint32_t v = 0; v < hull->vertex_count; v++) {
        trvi_cluster *to = &clusters[cluster_of(hull, grid, v)];
        hull->cluster_order[to->first + to->count++] = v;
    }
}

static void set_ball(const trv_hull *hull, trvi_cluster *cluster)
{
    const uint32_t *order = hull->cluster_order + cluster->first;
    trvi_dvec3 sum = {0.0, 0.0, 0.0};
    double most = 0.0;
    for (uint32_t i = 0; i < cluster->count; i++)
        sum = trvi_dadd(sum, trvi_dvec3_from(hull->vertices[order[i]]));
    cluster->at = trvi_vec3_from_double(trvi_dscale(sum, 1.0 / (double)cluster->count));
    for (uint32_t i = 0; i < cluster->count; i++) {
        trvi_dvec3 way =
            trvi_dsub(trvi_dvec3_from(hull->vertices[order[i]]), trvi_dvec3_from(cluster->at));
        most = fmax(most, trvi_ddot(way, way));
    }
    cluster->radius = (float)(sqrt(most) * (1.0 + 1.0e-6)); // more than float32 may take away
}

void trvi_clusters_build(trv_hull *hull)
{
    uint32_t count = trvi_cluster_count(hull->vertex_count, hull->seed_grid);
    if (count == 0)
        return;
    sort_vertices(hull, trvi_cluster_grid(hull->seed_grid), count);
    for (uint32_t i = 0; i < count; i++)
        if (hull->clusters[i].count > 0)
            set_ball(hull, &hull->clusters[i]);
}
