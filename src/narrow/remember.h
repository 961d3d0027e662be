// The separating plane that a pair remembers.
#ifndef TRVI_REMEMBER_H
#define TRVI_REMEMBER_H

#include "nearest.h"

// True when the plane in the cache leaves more than `beyond` between the cores; `axis` is then that
// plane. Keeps the vertices in the cache up to date.
bool trvi_remembered(const trvi_couple *couple, trv_plane_cache *cache, double beyond,
                     trvi_axis *axis);

// Puts what was found into the cache, as the line between two vertices where it parts the shapes.
void trvi_remember(const trvi_axis *axis, bool apart, trv_plane_cache *cache);

// Adds the vertices between which the shapes are nearest, from which a search is to go on; a
// simplex of at most three points.
void trvi_remember_nearest(const trvi_simplex *simplex, trv_plane_cache *cache);

// What made the plane: a face or a pair of edges that lie in it, else the supporting vertices.
void trvi_plane_source(const trvi_couple *couple, const trvi_axis *axis, trv_plane_source *source,
                       uint32_t *index_a, uint32_t *index_b);

// Keeps the vertices between which the cores meet: a tetrahedron of B - A that holds the origin;
// all four points of it.
void trvi_remember_meeting(const trvi_simplex *simplex, trv_plane_cache *cache);

// True where those in the cache still show that the cores meet; a proof, whatever is in the cache.
bool trvi_still_meet(const trvi_couple *couple, const trv_plane_cache *cache);

#endif
