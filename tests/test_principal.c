// Principal axes and quaternions of rotations, on random ones.
#include "support.h"

#include "math/math.h"

static void principal_axes_leave_no_products(void **state)
{
    (void)state;
    test_random random = {7};
    for (int n = 0; n < 2000; n++) {
        trvi_dmat3 r = trvi_dmat3_from_quat(random_quat(&random));
        double moments[3], m[6];
        for (int k = 0; k < 3; k++)
            moments[k] =
                n % 4 == 0 && k > 0 ? moments[0] : (double)random_float(&random, 0.01f, 1.0f);
        static const int rows[6] = {0, 1, 2, 0, 0, 1}, columns[6] = {0, 1, 2, 1, 2, 2};
        for (int e = 0; e < 6; e++) {
            m[e] = 0.0;
            for (int k = 0; k < 3; k++)
                m[e] += r.m[rows[e]][k] * moments[k] * r.m[columns[e]][k];
        }
        trvi_dmat3 axes = trvi_principal_axes(m);
        const double full[3][3] = {{m[0], m[3], m[4]}, {m[3], m[1], m[5]}, {m[4], m[5], m[2]}};
        double trace = 0.0;
        for (int e = 0; e < 6; e++) {
            double product = 0.0, dot = 0.0;
            for (int i = 0; i < 3; i++) {
                dot += axes.m[i][rows[e]] * axes.m[i][columns[e]];
                for (int j = 0; j < 3; j++)
                    product += axes.m[i][rows[e]] * full[i][j] * axes.m[j][columns[e]];
            }
            expect_near(dot, e < 3 ? 1.0 : 0.0, 1e-14);
            if (e >= 3)
                expect_near(product, 0.0, 1e-14);
            else
                trace += product;
        }
        expect_near(trace, moments[0] + moments[1] + moments[2], 1e-13);
    }
}

static void the_quaternion_of_a_matrix_gives_the_matrix(void **state)
{
    (void)state;
    test_random random = {8};
    bool largest[4] = {false, false, false, false};
    for (int n = 0; n < 2000; n++) {
        trv_quat q = random_quat(&random);
        trvi_dmat3 r = trvi_dmat3_from_quat(q);
        trv_quat back = trvi_quat_from_dmat3(&r);
        const float parts[4] = {fabsf(q.x), fabsf(q.y), fabsf(q.z), fabsf(q.w)};
        int big = 0;
        for (int i = 1; i < 4; i++)
            big = parts[i] > parts[big] ? i : big;
        largest[big] = true;
        double dot = (double)q.x * back.x + (double)q.y * back.y + (double)q.z * back.z +
                     (double)q.w * back.w;
        expect_near(fabs(dot), 1.0, 3e-7);
    }
    assert_true(largest[0] && largest[1] && largest[2] && largest[3]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(principal_axes_leave_no_products),
        cmocka_unit_test(the_quaternion_of_a_matrix_gives_the_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
