// From facet to facet of the difference of two hulls, against supports that look at every vertex.
#include "support.h"

#include <trivet/mesh.h>

#include "../src/narrow/roll.h"

enum { POINTS = 14, PAIRS = 60, ROLLS = 400 };

static trv_hull *random_hull(test_random *random)
{
    trv_vec3 points[POINTS];
    trv_hull_def def = trv_default_hull_def();
    trv_hull *hull = NULL;
    for (uint32_t i = 0; i < POINTS; i++)
        points[i] = random_vec3(random, 1.0f);
    expect_result(trv_hull_create(points, POINTS, &def, &hull), TRV_OK);
    return hull;
}

// An edge as it is in A's frame.
static void place_edge(const trvi_couple *c, bool of_b, uint32_t edge, trvi_dvec3 ends[2])
{
    const trvi_view *view = of_b ? &c->b : &c->a;
    uint32_t from = view->edge_origin[edge], to = view->edge_origin[view->edge_twin[edge]];
    ends[0] = of_b ? trvi_vertex_of_b(c, from) : trvi_vertex(view, from);
    ends[1] = of_b ? trvi_vertex_of_b(c, to) : trvi_vertex(view, to);
}

// The facet's own normal, and how far apart along it its two features are.
static double measure_facet(const trvi_couple *c, trvi_facet *f)
{
    trvi_dvec3 a[2], b[2];
    if (f->source == TRV_PLANE_FACE_A) {
        f->normal = trvi_face_normal(&c->a, f->index_a);
        a[0] = trvi_vertex(&c->a, c->a.edge_origin[c->a.face_first[f->index_a]]);
        b[0] = trvi_vertex_of_b(c, f->vertex_b);
    } else if (f->source == TRV_PLANE_FACE_B) {
        f->normal = trvi_dnegate(trvi_dmat3_mul(&c->rotation, trvi_face_normal(&c->b, f->index_b)));
        a[0] = trvi_vertex(&c->a, f->vertex_a);
        b[0] = trvi_vertex_of_b(c, c->b.edge_origin[c->b.face_first[f->index_b]]);
    } else {
        place_edge(c, false, f->index_a, a);
        place_edge(c, true, f->index_b, b);
        trvi_dvec3 n = trvi_dnormalize_or(trvi_dcross(trvi_dsub(a[1], a[0]), trvi_dsub(b[1], b[0])),
                                          f->normal);
        f->normal = trvi_ddot(n, f->normal) < 0.0 ? trvi_dnegate(n) : n;
    }
    return trvi_ddot(f->normal, trvi_dsub(b[0], a[0]));
}

// Where a contact would be that left the facet over one of its sides.
static void leave(const trvi_couple *c, const trvi_facet *f, test_random *random, trvi_dvec3 *on_a,
                  trvi_dvec3 *on_b)
{
    trvi_dvec3 a[2], b[2];
    *on_a = *on_b =
        (trvi_dvec3){random_float(random, -9.0f, 9.0f), random_float(random, -9.0f, 9.0f),
                     random_float(random, -9.0f, 9.0f)};
    if (f->source != TRV_PLANE_EDGES)
        return;
    place_edge(c, false, f->index_a, a);
    place_edge(c, true, f->index_b, b);
    double share = random_float(random, -2.0f, 2.0f), half = 0.5;
    bool past_a = random_bits(random) % 2 == 0;
    share += share < 0.0 ? 0.0 : 1.0;
    *on_a = trvi_dmul_add(a[0], trvi_dsub(a[1], a[0]), past_a ? share : half);
    *on_b = trvi_dmul_add(b[0], trvi_dsub(b[1], b[0]), past_a ? half : share);
}

static void what_is_rolled_on_to_is_a_facet_of_the_difference(void **state)
{
    (void)state;
    test_random random = {77};
    uint32_t rolled[3] = {0, 0, 0};
    for (int i = 0; i < PAIRS; i++) {
        trv_hull *hulls[2] = {random_hull(&random), random_hull(&random)};
        trv_pose poses[2] = {{random_vec3(&random, 0.5f), random_quat(&random)},
                             {random_vec3(&random, 0.5f), random_quat(&random)}};
        const trv_shape a = trv_make_hull(hulls[0]), b = trv_make_hull(hulls[1]);
        trvi_couple c;
        trvi_couple_set(&c, &a, poses[0], &b, poses[1]);
        trvi_facet f = {.source = TRV_PLANE_FACE_A};
        f.normal = trvi_face_normal(&c.a, 0);
        (void)trvi_gap_along(&c, f.normal, &f.vertex_a, &f.vertex_b);
        for (int k = 0; k < ROLLS; k++) {
            trvi_dvec3 on_a, on_b;
            trvi_facet before = f;
            leave(&c, &f, &random, &on_a, &on_b);
            if (!trvi_roll_on(&c, &on_a, &on_b, &f))
                continue; // it was over the face
            double gap = measure_facet(&c, &f);
            expect_near(gap, trvi_gap_along_every(&c, f.normal), 1.0e-5);
            assert_false(before.source == f.source && before.index_a == f.index_a &&
                         before.index_b == f.index_b);
            rolled[f.source - TRV_PLANE_FACE_A]++;
        }
        trvi_convex_release(hulls[0]);
        trvi_convex_release(hulls[1]);
    }
    assert_true(rolled[0] > 1000 && rolled[1] > 1000 && rolled[2] > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_rolled_on_to_is_a_facet_of_the_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
