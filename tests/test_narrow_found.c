// What fuzz_narrow found, one claim each; the inputs themselves are in data/fuzz/narrow.
#include "hull_support.h"
#include "support.h"

#include <trivet/mesh.h>

#include <string.h>

#include "../src/narrow/nearest.h"

// Both orders: one verdict, one distance, and an axis along which the gap is what is said.
static void expect_honest_both_ways(const trv_shape *a, trv_pose pa, const trv_shape *b,
                                    trv_pose pb, double wanted, double tolerance)
{
    for (int order = 0; order < 2; order++) {
        trvi_couple couple;
        trvi_nearest nearest;
        trv_separation s;
        if (order == 0)
            trvi_couple_set(&couple, a, pa, b, pb);
        else
            trvi_couple_set(&couple, b, pb, a, pa);
        trvi_nearest_find(&couple, HUGE_VAL, &nearest);
        double along = trvi_gap_along_every(&couple, nearest.axis.normal);
        expect_near(nearest.axis.gap, along, 1.0e-12 * couple.scale);
        expect_near(nearest.axis.gap, wanted, tolerance);
        if (order == 0)
            expect_result(trv_separate(a, pa, b, pb, NULL, &s), TRV_OK);
        else
            expect_result(trv_separate(b, pb, a, pa, NULL, &s), TRV_OK);
        assert_true(s.apart == (wanted > 0.0));
    }
}

// Slivers whose long sides are taken for their normal point anywhere.
static void a_box_beside_a_hull_ten_million_times_larger_is_apart_in_both_orders(void **state)
{
    (void)state;
    static const trv_vec3 points[8] = {
        {23999266.0f, 23999270.0f, 23999270.0f},   {23813964.0f, -23999998.0f, -23999998.0f},
        {-24000002.0f, 23999270.0f, -13785643.0f}, {-23813234.0f, 23999270.0f, 23999270.0f},
        {23999266.0f, -12375731.0f, 23999270.0f},  {23999266.0f, 23999270.0f, -17625730.0f},
        {23999266.0f, 23830080.0f, -23999998.0f},  {23999266.0f, -13785643.0f, 6220461.5f}};
    trv_hull *hull = hull_of(points, 8);
    trv_shape a = trv_make_box((trv_vec3){0.03f, 0.9f, 0.9f}), b = trv_make_hull(hull);
    trv_pose pa = {{-0.008f, 2.34375002e-05f, -0.008f},
                   {-2.62499998e-06f, -1.18749995e-06f, 1.93749997e-06f, 1.0f}};
    trv_pose pb = trv_make_pose((trv_vec3){-5.1875f, 2.8125f, 2.8125f});
    expect_honest_both_ways(&a, pa, &b, pb, 0.354611, 1.0e-4);
    trv_hull_release(hull);
}

// A tetrahedron and the same turned about the line from the origin to one of its corners, where the
// two touch. The planes of its faces are off by metres of its ninety thousand kilometres.
static void no_remembered_face_parts_vast_hulls_that_touch_in_a_corner(void **state)
{
    (void)state;
    static const trv_vec3 points[4] = {{90000016.0f, 90000016.0f, 2.23125005f},
                                       {2.38125014f, 2.38125014f, 2.23125005f},
                                       {2.38125014f, 90000008.0f, 90000008.0f},
                                       {90000008.0f, 90000008.0f, 90000008.0f}};
    trv_hull *hull = hull_of(points, 4);
    trv_shape shape = trv_make_hull(hull);
    for (int i = 0; i < 64; i++) {
        float angle = 0.1f * (float)i;
        trv_vec3 line = {0.57735026f, 0.57735026f, 0.57735026f}, at = {0.0069f, 0.0069f, 0.0069f};
        trv_pose a = {at, {0.5f, 0.5f, 0.5f, 0.5f}}, b = {at, trv_quat_about(line, angle)};
        trv_plane_cache cache = {0};
        for (int turn = 0; turn < 3; turn++) {
            trv_manifold m;
            expect_result(trv_collide(&shape, a, &shape, b, 1.0e-3f, &cache, &m), TRV_OK);
            assert_true(m.count > 0);
        }
    }
    trv_hull_release(hull);
}

// The half turn about the x axis: exact in float32.
static trv_pose half_turned(trv_pose pose)
{
    trv_quat q = pose.rotation;
    return (trv_pose){{pose.position.x, -pose.position.y, -pose.position.z},
                      {q.w, -q.z, q.y, -q.x}};
}

// The faces of the large hull bend by some metres, more than all of the small one: their planes
// part nothing there, while those of their corners do.
static void
a_hull_beside_a_bent_face_ten_million_times_larger_is_apart_however_both_turn(void **state)
{
    (void)state;
    static const trv_vec3 points[12] = {
        {-745318.5f, -19591356.0f, -9986410.0f},   {745318.5f, -19591356.0f, -9986410.0f},
        {-745318.5f, 19591356.0f, -9986410.0f},    {745318.5f, 19591356.0f, -9986410.0f},
        {-745318.5f, -19591356.0f, 9986410.0f},    {745318.5f, -19591356.0f, 9986410.0f},
        {-745318.5f, 19591356.0f, 9986410.0f},     {745318.5f, 19591356.0f, 9986410.0f},
        {-466947.719f, -19591362.0f, -9984970.0f}, {537228.938f, 11773686.0f, 9986402.0f},
        {745313.312f, 19291270.0f, 9986417.0f},    {-589822.188f, -19591372.0f, 9980520.0f}};
    static const trv_vec3 small[5] = {{0.0823704749f, 0.870513976f, -0.380318463f},
                                      {0.837488174f, -0.979719281f, 0.323706985f},
                                      {-0.552043319f, 0.150449917f, 0.341168106f},
                                      {0.545459986f, 0.684512615f, -0.49315539f},
                                      {0.572981954f, 0.147652581f, -0.768260002f}};
    trv_hull *hulls[2] = {hull_of(points, 12), hull_of(small, 5)};
    assert_true(hulls[0]->united);
    trv_shape a = trv_make_hull(hulls[0]), b = trv_make_hull(hulls[1]);
    trv_pose pa = {{13759196.0f, -4840065.0f, 15703649.0f},
                   {-0.0910104364f, 0.546877325f, -0.616378546f, 0.559213579f}};
    trv_pose pb = {{9302610.0f, 1439856.62f, 7486136.0f},
                   {-0.929397583f, -0.17661491f, 0.321004272f, -0.0445371829f}};
    expect_honest_both_ways(&a, pa, &b, pb, 0.01744, 1.0e-3);
    expect_honest_both_ways(&a, half_turned(pa), &b, half_turned(pb), 0.01744, 1.0e-3);
    trv_hull_release(hulls[0]);
    trv_hull_release(hulls[1]);
}

// The nearest face of the hull is a sliver that leans; the box lies past its tip, where that face
// would be deeper in the box than anything is.
static void no_contact_point_is_deeper_than_the_shapes_past_the_tip_of_a_sliver(void **state)
{
    (void)state;
    static const trv_vec3 points[13] = {
        {1.0e-4f, 0.4f, 0.0f},   {-1.0e-4f, -0.3f, -1.0f}, {1.0e-4f, 0.3f, -3.0f},
        {2.0e-4f, 0.0f, 0.0f},   {-1.0e-4f, -0.3f, -2.0f}, {-2.0e-4f, 0.4f, -1.0f},
        {-3.0e-4f, -0.3f, 3.0f}, {3.0e-4f, 0.3f, 0.0f},    {-3.0e-4f, 0.4f, -3.0f},
        {0.0f, 0.0f, 4.0f},      {-3.0e-4f, -0.1f, 0.0f},  {-1.0e-4f, -0.2f, 2.0f},
        {-2.0e-4f, 0.3f, 0.0f}};
    trv_hull *hull = hull_of(points, 13);
    trv_shape a = trv_make_hull(hull), b = trv_make_box((trv_vec3){1.5f, 0.0066875f, 4.375e-8f});
    trv_pose pa = trv_make_pose((trv_vec3){0.0f, 0.0f, 0.0f});
    trv_pose pb = trv_make_pose((trv_vec3){0.0265f, 0.0333f, 0.8875f});
    trv_gap gap;
    trv_manifold m;
    expect_result(trv_distance(&a, pa, &b, pb, &gap), TRV_OK);
    expect_result(trv_collide(&a, pa, &b, pb, 0.8f, NULL, &m), TRV_OK);
    assert_true(gap.distance < -0.28f && m.count > 0);
    for (uint32_t i = 0; i < m.count; i++)
        assert_true(m.points[i].separation >= gap.distance - 0.02f);
    trv_hull_release(hull);
}

// Where rounding ends the search before its bounds meet, the gap is still one that is there.
static void a_search_that_does_not_settle_tells_a_gap_that_is_there(void **state)
{
    (void)state;
    static const trv_vec3 huge[5] = {{90000016.0f, 90000016.0f, 90000016.0f},
                                     {90000016.0f, 0.0f, 90000016.0f},
                                     {-0.9f, 0.0f, 90000016.0f},
                                     {0.0f, 90000016.0f, 90000016.0f},
                                     {0.0f, 0.0f, 0.0f}};
    static const trv_vec3 small[6] = {
        {5.64142132f, 7.64142132f, 5.63669491f}, {5.60078716f, 7.89869022f, 5.16753674f},
        {4.48514986f, 6.48514986f, 4.48514986f}, {5.04555798f, 7.26280069f, 4.08291197f},
        {5.95525455f, 7.38108206f, 5.38108206f}, {4.72449446f, 6.6443119f, 5.90563154f}};
    trv_hull *a = hull_of(huge, 5), *b = hull_of(small, 6);
    trv_shape shape_a = trv_make_hull(a), shape_b = trv_make_hull(b);
    trv_pose pa = {{0.00426196307f, -0.00253344746f, 0.00716625992f},
                   {-2.62499998e-06f, -1.18749995e-06f, 1.93749997e-06f, 1.0f}};
    trv_pose pb = trv_make_pose((trv_vec3){-5.1875f, 2.8125f, 2.8125f});
    expect_honest_both_ways(&shape_a, pa, &shape_b, pb, 0.702601, 2.0e-4);
    trv_hull_release(a);
    trv_hull_release(b);
}

// The depth settles relative to the shapes, not to where they lie in their own frames: these are a
// millimetre wide, a metre from their origin, and overlap themselves.
static void a_plate_far_from_its_own_origin_has_its_depth_to_the_nanometre(void **state)
{
    (void)state;
    static const trv_vec3 points[6] = {
        {0.905935884f, 0.90624994f, 0.905394495f}, {0.905491114f, 0.90625006f, 0.906943381f},
        {0.906971693f, 0.90625006f, 0.906971693f}, {0.907056391f, 0.90625006f, 0.907132566f},
        {0.907159269f, 0.90624994f, 0.905643463f}, {0.905525982f, 0.90624994f, 0.905533016f}};
    trv_hull *hull = hull_of(points, 6);
    trv_shape plate = trv_make_hull(hull);
    trv_pose pose = {{0.00693310564f, 0.00693310564f, 0.00693310564f}, {0.5f, 0.5f, 0.5f, 0.5f}};
    expect_honest_both_ways(&plate, pose, &plate, pose, -1.31488442e-8, 5.0e-10);
    trv_hull_release(hull);
}

// Two long edges that are parallel, and on opposite sides of a thick bar, touch nowhere.
static void contact_points_of_a_rod_through_a_box_are_on_the_rod(void **state)
{
    (void)state;
    static const trv_vec3 points[12] = {
        {-1.3125f, -7874.5874f, 1.47500014f},       {0.224999964f, -5999.5874f, 2.60625005f},
        {-1.0999999f, 14437.9121f, 2.0625f},        {-1.14374995f, -17062.0879f, 2.4937501f},
        {-0.0187500119f, 10500.4121f, 2.45625019f}, {-1.27499998f, -11062.0879f, 2.26250005f},
        {-1.03125f, 3000.4126f, 1.73125005f},       {-1.0625f, -18749.5879f, 1.75625014f},
        {-1.14999998f, -4499.5874f, 2.45625019f},   {-0.337500006f, -16499.5879f, 1.43750012f},
        {-0.681249976f, -22499.5879f, 2.20625019f}, {-0.587499976f, 9375.41211f, 2.44375014f}};
    trv_hull *rod = hull_of(points, 12);
    trv_shape a = trv_make_box((trv_vec3){1.26635742f, 3.09619141f, 4.08666992f});
    trv_shape b = trv_make_hull(rod);
    trv_pose pa = trv_make_pose((trv_vec3){0.0054646f, -0.00735718f, 0.0020686f});
    trv_pose pb = trv_make_pose((trv_vec3){-0.65625f, -0.46875003f, 1.29375005f});
    trv_manifold m;
    expect_result(trv_collide(&a, pa, &b, pb, 1.0f, NULL, &m), TRV_OK);
    assert_true(m.count > 0);
    for (uint32_t i = 0; i < m.count; i++) {
        trv_vec3 p = m.points[i].point;
        assert_true(p.z > 2.5f && p.z < 4.2f); // the rod's breadth there, with the slack of sides
        assert_true(fabsf(p.y) < 3.5f);
    }
    trv_hull_release(rod);
}

// The points where overlapping rods touch first belong together, also far from their middle.
static void points_of_overlapping_rods_do_not_slide_along_them(void **state)
{
    (void)state;
    trv_vec3 points[8];
    for (uint32_t i = 0; i < 8; i++) // hardly askew, so that two axes are nearly as good
        points[i] = (trv_vec3){(i & 1 ? 0.07f : -0.06f) + (i & 4 ? 0.001f : 0.0f),
                               i & 2 ? 0.0007f : -0.0006f, i & 4 ? 2000.0f : -2300.0f};
    trv_hull *hull = hull_of(points, 8);
    trv_shape a = trv_make_box((trv_vec3){0.5f, 600.0f, 1.7e7f}), b = trv_make_hull(hull);
    test_random random = {81};
    for (int i = 0; i < 200; i++) {
        trv_pose pa = trv_make_pose((trv_vec3){0.0f, 0.0f, 0.0f});
        trv_pose pb = {random_vec3(&random, 5.0f), random_quat(&random)};
        trv_gap gap;
        expect_result(trv_distance(&a, pa, &b, pb, &gap), TRV_OK);
        trv_vec3 way = trvi_sub(gap.point_b, gap.point_a);
        trv_vec3 miss = trvi_sub(way, trvi_scale(gap.normal, gap.distance));
        // The axis is off by the tolerance of the depth, and the points by as much of the way.
        expect_near(trvi_length(miss), 0.0, 0.1 + 1.0e-6 * fabs(gap.distance));
    }
    trv_hull_release(hull);
}

// Three vertices that all but coincide make a ridge that no height in float32 leads over.
static void no_remembered_plane_parts_a_box_from_the_hull_that_it_is_deep_in(void **state)
{
    (void)state;
    static const trv_vec3 points[13] = {{0.000144937789f, 100000.0f, 0.0f},
                                        {2.6455893e-05f, 100000.0f, -3.75654976e-19f},
                                        {-1.42094776e-21f, -99996.3984f, 848.045959f},
                                        {-1.09987843e-12f, 1.40891788e-13f, 100000.0f},
                                        {-1.03597991e-36f, -100000.0f, -3.09380231e-27f},
                                        {3.51372056e-11f, -99831.6719f, 5799.81787f},
                                        {-38018.7734f, -92490.9297f, 1.94383456e-33f},
                                        {-1.18353668e-36f, 2.92838613e-17f, -100000.0f},
                                        {-57735.0273f, -57735.0273f, -57735.0273f},
                                        {-1.38074124f, -1.38074124f, -100000.0f},
                                        {-7.8213602e-13f, 1.35571679e-06f, 100000.0f},
                                        {4.95462612e-13f, -59659.8047f, -80254.0234f},
                                        {92.1559372f, -1212.37854f, -99992.6094f}};
    trv_hull *hull = hull_of(points, 13);
    trv_shape a = trv_make_hull(hull), b = trv_make_box((trv_vec3){4.0f, 4.0f, 4.0f});
    trv_pose pose_a = {{4.0f, -2.0f, 2.0f}, {0.5f, 0.5f, 0.5f, 0.5f}};
    trv_pose pose_b = trv_make_pose((trv_vec3){275.5f, -660.2f, -573.3f});
    for (uint32_t start = 0; start < 13; start++) {
        trv_manifold manifold;
        trv_plane_cache cache;
        memset(&cache, 0, sizeof cache);
        cache.normal = (trv_vec3){0.0f, -0.44721359f, 0.89442718f};
        cache.source = TRV_PLANE_FACE_A;
        cache.vertex_a = start;
        expect_result(trv_collide(&a, pose_a, &b, pose_b, 0.0f, &cache, &manifold), TRV_OK);
        assert_true(manifold.count > 0);
    }
    trv_hull_release(hull);
}

// Where rounding ends the search, what it came to is worth more than a plane through the largest
// points.
static void
points_beside_some_a_hundred_million_times_farther_apart_are_not_deep_among_them(void **state)
{
    (void)state;
    static const trv_vec3 large[5] = {{90000016.0f, 90000016.0f, 90000016.0f},
                                      {90000016.0f, 0.0f, 90000016.0f},
                                      {-0.900000036f, 0.0f, 90000016.0f},
                                      {0.0f, 90000016.0f, 90000016.0f},
                                      {0.0f, 0.0f, 0.0f}};
    static const trv_vec3 small[24] = {
        {5.6420145f, 7.64024353f, 5.63728285f},  {5.66750765f, 7.73887491f, 5.4825983f},
        {5.70413685f, 7.70413685f, 5.48274231f}, {5.48812532f, 7.5410347f, 4.29448462f},
        {5.64032888f, 6.74870253f, 5.81592226f}, {4.54835367f, 7.67321587f, 4.46027136f},
        {5.9565444f, 6.90757132f, 4.64216471f},  {5.49578285f, 7.83602858f, 4.59998512f},
        {5.70985651f, 7.70556927f, 4.65336561f}, {5.84405422f, 6.85075569f, 5.64930248f},
        {5.30206251f, 7.68218184f, 5.80989838f}, {5.90833855f, 6.76554775f, 4.61935568f},
        {5.28125572f, 7.19597578f, 4.09589243f}, {5.90083218f, 7.1946454f, 4.5335989f},
        {5.30231571f, 7.74897242f, 5.74897242f}, {5.95525455f, 7.38108206f, 5.38108206f},
        {5.64141369f, 7.63666058f, 4.48353672f}, {5.45821333f, 7.71188831f, 5.71188831f},
        {5.85476494f, 6.51985645f, 4.78347731f}, {5.34064436f, 6.20065212f, 5.48659182f},
        {5.04555798f, 7.26280069f, 4.08291197f}, {4.72681761f, 7.90528107f, 4.64174223f},
        {5.30374956f, 6.37627888f, 4.37627888f}, {4.48514986f, 6.48514986f, 4.48514986f}};
    trv_pose pose_large = {{0.00426196307f, -0.00253344746f, 0.00716625992f},
                           {-2.62499998e-06f, -1.18749995e-06f, 1.93749997e-06f, 1.0f}};
    trv_pose pose_small = trv_make_pose((trv_vec3){-5.1875f, 2.8125f, 2.8125f});
    trv_gap gap;
    expect_result(trv_distance_points(large, 5, pose_large, small, 24, pose_small, &gap), TRV_OK);
    expect_near(gap.distance, 0.511711, 1.0); // the larger set's own rounding is 8
    expect_near(trvi_length(trvi_sub(gap.point_a, gap.point_b)), 0.0, 2.0);
}

// A face that was united of several is bent: where the contact is, its plane may be farther out
// than the face itself by more than the other shape's size.
static void a_speck_on_a_bent_face_of_a_huge_hull_is_no_deeper_than_it_is(void **state)
{
    (void)state;
    static const trv_vec3 speck[9] = {{5.72796926e-05f, -0.000634475553f, -0.000770817685f},
                                      {-0.000578160805f, -0.000578160805f, -0.00057572592f},
                                      {0.000193034459f, -6.28128037e-05f, -0.0009791794f},
                                      {-0.0009227228f, 7.32426706e-05f, 0.000378441822f},
                                      {0.000663136481f, 0.000638375757f, 0.000390802481f},
                                      {0.000572327874f, 0.000704891165f, -0.000419009913f},
                                      {0.000886233931f, -0.000162253302f, -0.000433893205f},
                                      {0.000773894892f, -8.62182351e-05f, 0.000627417932f},
                                      {0.000751486921f, 0.000463937788f, 0.000469072605f}};
    static const trv_vec3 huge[] = {
        {287.475555f, 799.975586f, 794.726501f}, {799.975586f, 799.975586f, 799.975586f},
        {799.975586f, 797.65625f, -653.710938f}, {-716.625977f, 348.974579f, 193.725586f},
        {799.975586f, 799.975586f, 793.75f},     {-800.0f, -800.0f, -800.0f}};
    trv_hull *small = hull_of(speck, 9), *large = hull_of(huge, 6);
    trv_shape a = trv_make_hull(small), b = trv_make_hull(large);
    trv_pose pose_a = {{1.0e-4f, 1.0e-4f, 0.0f},
                       {8.79120876e-07f, 3.51648339e-07f, -1.38461542e-06f, 1.0f}};
    trv_pose pose_b = {{-0.00481225597f, -0.00741992239f, 0.00708447304f},
                       {0.321314245f, -0.438868225f, 0.031347733f, 0.838551819f}};
    trv_manifold manifold;
    trv_gap gap;
    expect_result(trv_distance(&a, pose_a, &b, pose_b, &gap), TRV_OK);
    expect_result(trv_collide(&a, pose_a, &b, pose_b, 0.0f, NULL, &manifold), TRV_OK);
    assert_true(gap.distance < -0.0039f && gap.distance > -0.0041f);
    assert_true(manifold.count > 0);
    for (uint32_t i = 0; i < manifold.count; i++)
        assert_true(manifold.points[i].separation >= 1.01f * gap.distance);
    trv_hull_release(small);
    trv_hull_release(large);
}

// A face so large that its stored normal leaves some of its corners behind is measured at one of
// them: what seems apart by that is not.
static void no_contact_point_over_a_huge_slanted_face_is_beyond_the_margin(void **state)
{
    (void)state;
    static const trv_vec3 huge[9] = {{90000016.0f, 90000016.0f, 90000016.0f},
                                     {90000008.0f, 90000016.0f, 90000016.0f},
                                     {90000016.0f, 90000008.0f, 90000016.0f},
                                     {90000016.0f, 0.0f, 90000016.0f},
                                     {0.0f, 90000016.0f, 90000016.0f},
                                     {9.90000129e-39f, 9.90000129e-39f, 9.90000129e-39f},
                                     {90000016.0f, -0.900000036f, 0.0f},
                                     {0.0f, -90000008.0f, -90000008.0f},
                                     {-90000008.0f, -90000008.0f, -90000008.0f}};
    trv_hull *hull = hull_of(huge, 9);
    trv_shape a = trv_make_hull(hull), b = trv_make_box((trv_vec3){0.003f, 0.003f, 0.003f});
    trv_pose pose_a = {{0.00426196307f, -0.00253344746f, 0.00716625992f},
                       {-2.57142847e-06f, -1.16326532e-06f, -1.85714282e-06f, -1.0f}};
    trv_pose pose_b = {{0.00512500014f, -0.00287500024f, -0.00287500024f},
                       {0.5f, 0.5f, 0.5f, 0.5f}};
    trv_manifold manifold;
    expect_result(trv_collide(&a, pose_a, &b, pose_b, 0.084375f, NULL, &manifold), TRV_OK);
    assert_true(manifold.count > 0);
    for (uint32_t i = 0; i < manifold.count; i++)
        assert_true(manifold.points[i].separation <= 0.084375f);
    trv_hull_release(hull);
}

// Two that cross, a hundredth of a millimetre thick: the normals of their sides are rounding, and the
// edges that part them are found from one of the two only.
static void needles_that_cross_are_as_deep_in_one_order_as_in_the_other(void **state)
{
    (void)state;
    static const trv_vec3 points[5] = {{-5.77350238e-06f, -5.77350235f, -5.77350238e-06f},
                                       {-7.07106801e-06f, 0.0f, -7.07106801e-06f},
                                       {-8.58748081e-06f, 3.62320161f, 3.62320156e-06f},
                                       {5.77350238e-06f, 5.77350235f, 5.77350238e-06f},
                                       {5.77322271e-06f, 5.77322292f, 5.77406308e-06f}};
    trv_hull *hull = hull_of(points, 5);
    trv_shape a = trv_make_hull(hull);
    trv_pose pa = {{0, 0, 0}, {0.5f, 0.5f, 0.5f, 0.5f}};
    trv_pose pb = {{0, 0, 0}, {0.410347253f, 0.410347253f, 0.410347253f, -0.703452468f}};
    for (int order = 0; order < 2; order++) {
        trvi_couple couple;
        trvi_nearest nearest;
        trvi_couple_set(&couple, &a, order == 0 ? pa : pb, &a, order == 0 ? pb : pa);
        trvi_nearest_find(&couple, HUGE_VAL, &nearest);
        expect_near(nearest.axis.gap, -4.281e-6, 1.0e-7);
    }
    trv_hull_release(hull);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_beside_a_hull_ten_million_times_larger_is_apart_in_both_orders),
        cmocka_unit_test(no_remembered_face_parts_vast_hulls_that_touch_in_a_corner),
        cmocka_unit_test(no_contact_point_is_deeper_than_the_shapes_past_the_tip_of_a_sliver),
        cmocka_unit_test(
            a_hull_beside_a_bent_face_ten_million_times_larger_is_apart_however_both_turn),
        cmocka_unit_test(a_search_that_does_not_settle_tells_a_gap_that_is_there),
        cmocka_unit_test(a_plate_far_from_its_own_origin_has_its_depth_to_the_nanometre),
        cmocka_unit_test(contact_points_of_a_rod_through_a_box_are_on_the_rod),
        cmocka_unit_test(points_of_overlapping_rods_do_not_slide_along_them),
        cmocka_unit_test(no_remembered_plane_parts_a_box_from_the_hull_that_it_is_deep_in),
        cmocka_unit_test(
            points_beside_some_a_hundred_million_times_farther_apart_are_not_deep_among_them),
        cmocka_unit_test(a_speck_on_a_bent_face_of_a_huge_hull_is_no_deeper_than_it_is),
        cmocka_unit_test(no_contact_point_over_a_huge_slanted_face_is_beyond_the_margin),
        cmocka_unit_test(needles_that_cross_are_as_deep_in_one_order_as_in_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
