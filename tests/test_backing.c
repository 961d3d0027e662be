// The proof that a facet is backed by points that were kept, against every facet there is.
#include "support.h"

#include <string.h>

#include "../src/narrow/backing.h"

// A face of A and B's vertex over it: a facet of B - A.
typedef struct facet {
    trvi_couple couple;
    trvi_axis axis;
    trvi_simplex_point corners[4];
    double slack;
} facet;

// Two boxes that overlap, moved by `way` on.
static void place_facet(const trv_shape shapes[2], const trv_pose poses[2], trv_vec3 way,
                        uint32_t face, facet *out)
{
    trv_pose moved = {trvi_add(poses[1].position, way), poses[1].rotation};
    trvi_couple *c = &out->couple;
    trvi_couple_set(c, &shapes[0], poses[0], &shapes[1], moved);
    out->slack = TRVI_CARRY_SLACK * c->size;
    out->axis.normal = trvi_face_normal(&c->a, face);
    out->axis.vertex_a = out->axis.vertex_b = 0;
    out->axis.gap = trvi_gap_along(c, out->axis.normal, &out->axis.vertex_a, &out->axis.vertex_b);
    for (uint32_t i = 0; i < 4; i++) {
        trvi_simplex_point *p = &out->corners[i];
        p->a = c->a.edge_origin[c->a.face_first[face] + i];
        p->b = out->axis.vertex_b;
        p->w = trvi_dsub(trvi_vertex_of_b(c, p->b), trvi_vertex(&c->a, p->a));
    }
}

// The face of A along which the boxes overlap least.
static uint32_t best_face(const trv_shape shapes[2], const trv_pose poses[2])
{
    double most = -HUGE_VAL;
    uint32_t best = 0;
    for (uint32_t face = 0; face < 6; face++) {
        facet f;
        place_facet(shapes, poses, trv_make_vec3(0, 0, 0), face, &f);
        best = f.axis.gap > most ? face : best;
        most = fmax(most, f.axis.gap);
    }
    return best;
}

static trvi_backing back(const facet *f, trvi_witnesses *known)
{
    return trvi_backing_holds(&f->couple, f->corners, 4, f->slack, &f->axis, known);
}

// What holds is true: no facet at all is a better way out. What was mended for it holds as it is. And
// what is lost is a better way.
static bool holds_truly(const facet *f, const trvi_witnesses *known, uint32_t *mended)
{
    trvi_witnesses now = *known;
    trvi_axis best;
    trvi_backing is = back(f, &now);
    if (is == TRVI_BACKING_UNSURE)
        return false;
    trvi_walk_facets(&f->couple, &best);
    if (is == TRVI_BACKING_LOST) {
        assert_true(best.gap >= f->axis.gap + f->slack - 1.0e-9);
        return false;
    }
    assert_true(best.gap <= f->axis.gap + f->slack + 1.0e-9);
    if (is == TRVI_BACKING_MENDED) {
        assert_int_equal(back(f, &now), TRVI_BACKING_HOLDS);
        (*mended)++;
    } else {
        assert_memory_equal(&now, known, sizeof now);
    }
    return true;
}

static void random_boxes(test_random *random, trv_shape shapes[2], trv_pose poses[2])
{
    for (int i = 0; i < 2; i++) {
        trv_vec3 half = random_vec3(random, 0.4f);
        shapes[i] = trv_make_box(
            trv_make_vec3(0.2f + fabsf(half.x), 0.2f + fabsf(half.y), 0.2f + fabsf(half.z)));
        poses[i].position = random_vec3(random, 0.25f);
        poses[i].rotation = random_quat(random);
    }
}

typedef struct backed_counts {
    uint32_t held, refused, mended;
} backed_counts;

// What is known of the face is asked about at places near by.
static void move_about(test_random *random, const trv_shape shapes[2], const trv_pose poses[2],
                       uint32_t face, const trvi_witnesses *known, backed_counts *counts)
{
    for (int k = 0; k < 8; k++) {
        facet f;
        place_facet(shapes, poses, random_vec3(random, 0.1f), face, &f);
        if (holds_truly(&f, known, &counts->mended))
            counts->held++;
        else
            counts->refused++;
    }
}

static void a_backed_facet_is_the_way_out(void **state)
{
    (void)state;
    test_random random = {31};
    uint32_t kept = 0;
    backed_counts counts = {0};
    for (int i = 0; i < 16000; i++) {
        trv_shape shapes[2];
        trv_pose poses[2];
        trvi_witnesses known;
        facet f;
        random_boxes(&random, shapes, poses);
        uint32_t face = best_face(shapes, poses);
        place_facet(shapes, poses, trv_make_vec3(0, 0, 0), face, &f);
        memset(&known, 0xFF, sizeof known);
        memset(known.faces, 0, sizeof known.faces);
        trvi_axis best = f.axis;
        if (f.axis.gap >= 0.0 ||
            !trvi_expand_facet(&f.couple, f.corners, 4, f.slack, &best, &known) ||
            best.gap > f.axis.gap || known.faces[0] == 0)
            continue;
        kept++;
        assert_true(holds_truly(&f, &known, &counts.mended));
        move_about(&random, shapes, poses, face, &known, &counts);
    }
    assert_true(kept > 200 && counts.held > 200 && counts.refused > 200 && counts.mended > 200);
}

// All of the polytope that was grown, whose facets are pieces of the one to leave by and others.
static void a_whole_surface_backs_the_way_out(void **state)
{
    (void)state;
    test_random random = {33};
    uint32_t kept = 0;
    backed_counts counts = {0};
    for (int i = 0; i < 16000; i++) {
        trv_shape shapes[2];
        trv_pose poses[2];
        trvi_witnesses known;
        trvi_simplex foot;
        trvi_axis best;
        facet f;
        random_boxes(&random, shapes, poses);
        uint32_t face = best_face(shapes, poses);
        place_facet(shapes, poses, trv_make_vec3(0, 0, 0), face, &f);
        memset(&known, 0xFF, sizeof known);
        if (f.axis.gap >= 0.0 ||
            !trvi_expand_again(&f.couple, f.corners, 4, &known, &best, &foot) ||
            best.gap > f.axis.gap + f.slack || !trvi_backing_is_whole(known.faces))
            continue;
        kept++;
        trvi_witnesses now = known;
        assert_int_equal(back(&f, &now), TRVI_BACKING_HOLDS);
        move_about(&random, shapes, poses, face, &known, &counts);
    }
    assert_true(kept > 200 && counts.held > 200 && counts.refused > 200 && counts.mended > 200);
}

// One that is joined in another way, too.
static void what_is_not_a_closed_surface_backs_nothing(void **state)
{
    (void)state;
    test_random random = {32};
    uint32_t tried = 0, mended = 0;
    for (int i = 0; i < 8000; i++) {
        trv_shape shapes[2];
        trv_pose poses[2];
        trvi_witnesses known, spoilt;
        facet f;
        random_boxes(&random, shapes, poses);
        place_facet(shapes, poses, trv_make_vec3(0, 0, 0), best_face(shapes, poses), &f);
        memset(&known, 0xFF, sizeof known);
        trvi_axis best = f.axis;
        if (f.axis.gap >= 0.0 ||
            !trvi_expand_facet(&f.couple, f.corners, 4, f.slack, &best, &known) ||
            best.gap > f.axis.gap || known.faces[0] == 0)
            continue;
        for (uint32_t bit = 0; bit < 96; bit++) {
            spoilt = known;
            spoilt.faces[bit / 32] ^= 1u << bit % 32;
            (void)holds_truly(&f, &spoilt, &mended);
        }
        spoilt = known;
        spoilt.faces[0] ^= 7u; // another corner of the first triangle
        assert_int_equal(back(&f, &spoilt), TRVI_BACKING_UNSURE);
        for (int k = 0; k < 20; k++) {
            for (int n = 0; n < 3; n++)
                spoilt.faces[n] = (uint32_t)random_bits(&random);
            (void)holds_truly(&f, &spoilt, &mended);
        }
        tried++;
    }
    assert_true(tried > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_backed_facet_is_the_way_out),
        cmocka_unit_test(a_whole_surface_backs_the_way_out),
        cmocka_unit_test(what_is_not_a_closed_surface_backs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
