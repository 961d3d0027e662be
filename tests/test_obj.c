// The rules of the OBJ reader, one by one, on texts small enough to read.
#include "comma_locale.h"

#include <trivet/mesh.h>

#define TRIANGLE "v 0 0 0\nv 1 0 0\nv 0 1 0\n"

static trv_result read_sized(const char *text, size_t size, trv_mesh **mesh, trv_obj_report *report)
{
    trv_obj_def def = trv_default_obj_def();
    return trv_mesh_read_obj_memory(text, size, &def, mesh, report);
}

static trv_result read_text(const char *text, trv_mesh **mesh, trv_obj_report *report)
{
    return read_sized(text, strlen(text), mesh, report);
}

typedef struct accepted_case {
    const char *text;
    uint32_t vertices, faces;
    const char *corners; // of all faces, "0 1 2/0 2 3"
} accepted_case;

static void write_corners(const trv_mesh *mesh, char *out, size_t size)
{
    const uint32_t *first, *corners;
    uint32_t faces = trv_mesh_faces(mesh, &first, &corners);
    size_t length = 0;
    out[0] = 0;
    for (uint32_t f = 0; f < faces; ++f)
        for (uint32_t c = first[f]; c < first[f + 1] && length < size; ++c)
            length += (size_t)snprintf(out + length, size - length, "%s%u",
                                       c > first[f] ? " "
                                       : f > 0      ? "/"
                                                    : "",
                                       corners[c]);
}

static void legal_texts_are_read_as_written(void **state)
{
    (void)state;
    static const accepted_case cases[] = {
        {TRIANGLE "f 1 2 3\n", 3, 1, "0 1 2"},
        {TRIANGLE "f 1 2 3", 3, 1, "0 1 2"},                                  // no last line end
        {"v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n", 3, 1, "0 1 2"},      // CR LF
        {"v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3\rf 3 2 1", 3, 2, "0 1 2/2 1 0"}, // CR
        {"v 0 0 0\rv 1 0 0\nv 0 1 0\r\nf 1 2 3\n\r", 3, 1, "0 1 2"},          // all of them
        {"\xEF\xBB\xBF" TRIANGLE "f 1 2 3\n", 3, 1, "0 1 2"},                 // byte order mark
        {"f 1 2 3\n" TRIANGLE, 3, 1, "0 1 2"},                                // before the vertices
        {"f 1 2 3\n" TRIANGLE "f -1 -2 -3\nv 5 5 5\nf -1 -2 1\n", 4, 3, "0 1 2/2 1 0/3 2 0"},
        {TRIANGLE "f 1/2 2/9 3/1\nf 1//1 2//5 3//7\nf 1/1/1 2/2/2 3/3/3\nf 1 2/1 3//1\n", 3, 4,
         "0 1 2/0 1 2/0 1 2/0 1 2"},
        {TRIANGLE "f 1// 2/ 3/1/\nf 1/0/0 2/-7 3//-99999999999999999999\n", 3, 2, "0 1 2/0 1 2"},
        {TRIANGLE "f +1 +2 +3\n", 3, 1, "0 1 2"},
        {TRIANGLE "f 0001 2 3\n", 3, 1, "0 1 2"},
        {TRIANGLE "f 1 2 3 # f 3 2 1\n#f 1 1 1\n # f\n", 3, 1, "0 1 2"}, // comments
        {TRIANGLE "f 1 2 3#c\n", 3, 1, "0 1 2"},
        {"v 0 0 0#c\nv 1 0 0 # \\\nv 0 1 0\nf 1 2 3\n", 3, 1, "0 1 2"}, // joins nothing
        {TRIANGLE "# a comment \\\nf 1 2 3\n", 3, 1, "0 1 2"},
        {"v 0 0 0\nvn 1 0 0#c \\\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", 3, 1, "0 1 2"},
        {TRIANGLE "f 1 \\\n2 \\\r\n3\n", 3, 1, "0 1 2"}, // joined lines
        {TRIANGLE "f\\\n1\\\n2\\\n3\\\n", 3, 1, "0 1 2"},
        {TRIANGLE "f 1 2 3 \\", 3, 1, "0 1 2"},
        {"v \\\n0 \\\n0 0\nv 1 0 0 \\\nv 9 9 9\nv 0 1 0\nf 1 2 3\n", 3, 1, "0 1 2"},
        {"xyz 1 \\\nv 9 9 9\n" TRIANGLE "f 1 2 3\n", 3, 1, "0 1 2"}, // of a skipped line
        {"xyz # \\\nv 9 9 9\n" TRIANGLE "f 1 2 3\n", 4, 1, "0 1 2"},
        {"\t v\t0  0\v0 \t\n  v 1 0\f0\n\n \nv 0 1 0\n\tf  1\t2  3\n", 3, 1, "0 1 2"},
        {"v 0 0 0 1\nv 1 0 0 .1 .2 .3\nv 0 1 0 nan x 1,5\nf 1 2 3\n", 3, 1,
         "0 1 2"},                                            // more numbers
        {TRIANGLE "f 1 2\nf 3\nf\nf 1 2 3\n", 3, 1, "0 1 2"}, // too few corners
        {TRIANGLE "f 1 1 1 2 2 3\n", 3, 1, "0 0 0 1 1 2"},    // repeated corners
        {TRIANGLE "fo 1 2 3\nvp 1\nV 1\nF 1 2 9\nl 1 2\np 1\ncall x.obj\nmtllib ../../x\n", 3, 0,
         ""},
        {"v 1 2 3", 1, 0, ""}, // points only
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        trv_mesh *mesh;
        trv_obj_report report;
        trv_result result = read_text(cases[i].text, &mesh, &report);
        char corners[256];
        write_corners(mesh, corners, sizeof corners);
        if (result != TRV_OK || report.vertices != cases[i].vertices ||
            report.faces != cases[i].faces || strcmp(corners, cases[i].corners) != 0) {
            print_error("case %zu: '%s' at %u:%u %s, %u vertices, faces %s\n%s\n", i,
                        trv_result_text(result), report.line, report.column, report.reason,
                        report.vertices, corners, cases[i].text);
            fail();
        }
        assert_int_equal(report.result, TRV_OK);
        assert_int_equal(report.reason[0], 0);
        trv_mesh_destroy(mesh);
    }
}

typedef struct refused_case {
    const char *text;
    trv_result result;
    uint32_t line, column;
    const char *reason; // a part of it
} refused_case;

static void illegal_texts_are_refused_with_place_and_reason(void **state)
{
    (void)state;
    static const refused_case cases[] = {
        {"", TRV_ERROR_NO_GEOMETRY, 0, 0, "no vertex"},
        {"\n\n# nothing\no a\n", TRV_ERROR_NO_GEOMETRY, 0, 0, "no vertex"},
        {"\xEF\xBB\xBF", TRV_ERROR_NO_GEOMETRY, 0, 0, "no vertex"},
        {TRIANGLE "f 1 2 4\n", TRV_ERROR_INDEX, 4, 7, "vertex 4 of 3"},
        {"f 1 2 4\n" TRIANGLE, TRV_ERROR_INDEX, 1, 7, "vertex 4 of 3"},
        {TRIANGLE "f 1 2 3\nf 1 9 3\nf 1 2 8\n", TRV_ERROR_INDEX, 5, 5, "vertex 9 of 3"},
        {TRIANGLE "f 0 1 2\n", TRV_ERROR_INDEX, 4, 3, "vertex 0"},
        {TRIANGLE "f 1 2 -4\n", TRV_ERROR_INDEX, 4, 7, "vertex -4, but only 3"},
        {"f -1 -2 -3\n" TRIANGLE, TRV_ERROR_INDEX, 1, 3, "vertex -1, but only 0"},
        {TRIANGLE "f 1 2 2147483648\n", TRV_ERROR_INDEX, 4, 7, "2147483648 of 3"},
        {TRIANGLE "f 1 2 4294967296\n", TRV_ERROR_INDEX, 4, 7, "4294967296 of 3"},
        {TRIANGLE "f 1 2 4294967297\n", TRV_ERROR_INDEX, 4, 7, "4294967297 of 3"},
        {TRIANGLE "f 1 2 18446744073709551617\n", TRV_ERROR_INDEX, 4, 7, " of 3"},
        {TRIANGLE "f 1 2 -4294967297\n", TRV_ERROR_INDEX, 4, 7, "-4294967297"},
        {TRIANGLE "f 1 2\nf 7\n", TRV_ERROR_INDEX, 5, 3, "7 of 3"}, // though it would be skipped
        {TRIANGLE "f a 2 3\n", TRV_ERROR_SYNTAX, 4, 3, "\"a\" is not a face reference"},
        {TRIANGLE "f 1 2 3x\n", TRV_ERROR_SYNTAX, 4, 7, "\"3x\""},
        {TRIANGLE "f 1 2 3.0\n", TRV_ERROR_SYNTAX, 4, 7, "\"3.0\""},
        {TRIANGLE "f 1/1/1/1 2 3\n", TRV_ERROR_SYNTAX, 4, 3, "\"1/1/1/1\""},
        {TRIANGLE "f 1/x 2 3\n", TRV_ERROR_SYNTAX, 4, 3, "\"1/x\""},
        {TRIANGLE "f /1 2 3\n", TRV_ERROR_SYNTAX, 4, 3, "\"/1\""},
        {TRIANGLE "f 1 2 \\ 3\n", TRV_ERROR_SYNTAX, 4, 7, "\"\\\""},
        {TRIANGLE "f - 2 3\n", TRV_ERROR_SYNTAX, 4, 3, "\"-\""},
        {"v 1 2\n", TRV_ERROR_SYNTAX, 1, 6, "2 of 3"},
        {"v\n", TRV_ERROR_SYNTAX, 1, 2, "0 of 3"},
        {"v 1 # 2 3\n", TRV_ERROR_SYNTAX, 1, 5, "1 of 3"},
        {"v 0 0 0\rv 1 2\r", TRV_ERROR_SYNTAX, 2, 6, "2 of 3"},
        {"v 0 0 0\r\n\r\nv 1 2\r\n", TRV_ERROR_SYNTAX, 3, 6, "2 of 3"},
        {"v 0 \\\n0 x\n", TRV_ERROR_SYNTAX, 2, 3, "\"x\" is not a number"},
        {"\xEF\xBB\xBFv 1 x 0\n", TRV_ERROR_SYNTAX, 1, 8, "\"x\""}, // columns are bytes
        {"v 0,5 0 0\n", TRV_ERROR_SYNTAX, 1, 3, "\"0,5\" is not a number"},
        {"v 0x1p3 0 0\n", TRV_ERROR_SYNTAX, 1, 3, "\"0x1p3\""},
        {"v 1.2.3 0 0\n", TRV_ERROR_SYNTAX, 1, 3, "\"1.2.3\""},
        {"v 0 - 0\n", TRV_ERROR_SYNTAX, 1, 5, "\"-\""},
        {"v 0 0 1e\n", TRV_ERROR_SYNTAX, 1, 7, "\"1e\""},
        {"v 0 0 1f\n", TRV_ERROR_SYNTAX, 1, 7, "\"1f\""},
        {"v 0 \x80\xFF 0\n", TRV_ERROR_SYNTAX, 1, 5, "\"\?\?\" is"},
        {"v nan 0 0\n", TRV_ERROR_NUMBER, 1, 3, "\"nan\" is not finite"},
        {"v 0 -INF 0\n", TRV_ERROR_NUMBER, 1, 5, "not finite"},
        {"v 0 0 infinity\n", TRV_ERROR_NUMBER, 1, 7, "not finite"},
        {"v 1e400 0 0\n", TRV_ERROR_RANGE, 1, 3, "\"1e400\" is beyond"},
        {"v 0 -1e39 0\n", TRV_ERROR_RANGE, 1, 5, "beyond"},
        {"v 0 0 100000008\n", TRV_ERROR_RANGE, 1, 7, "beyond"},
        {"\xFF\xFEv 0", TRV_ERROR_SYNTAX, 1, 1, "UTF-16"},
        {"\xFE\xFF v", TRV_ERROR_SYNTAX, 1, 1, "UTF-16"},
        {"v 0 0 0.123456789012345678901234567890123456789012345678901234567890x\n",
         TRV_ERROR_SYNTAX, 1, 7, "...\" is not a number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        trv_mesh *mesh = (trv_mesh *)&state;
        trv_obj_report report;
        trv_result result = read_text(cases[i].text, &mesh, &report);
        if (result != cases[i].result || report.result != result || mesh != NULL ||
            report.line != cases[i].line || report.column != cases[i].column ||
            strstr(report.reason, cases[i].reason) == NULL) {
            print_error("case %zu: '%s' at %u:%u %s\n%s\n", i, trv_result_text(result), report.line,
                        report.column, report.reason, cases[i].text);
            fail();
        }
        assert_int_equal(report.vertices | report.faces | report.parts, 0);
    }
}

static void a_zero_byte_is_refused_wherever_it_is(void **state)
{
    (void)state;
    static const char text[] = TRIANGLE "f 1 2 3\n# end\n";
    char copy[sizeof text];
    for (size_t i = 0; i < sizeof text - 1; ++i) {
        memcpy(copy, text, sizeof text);
        copy[i] = 0;
        trv_mesh *mesh;
        trv_obj_report report;
        expect_result(read_sized(copy, sizeof text - 1, &mesh, &report), TRV_ERROR_SYNTAX);
        assert_null(mesh);
        assert_int_equal(report.line, 1 + (i > 7) + (i > 15) + (i > 23) + (i > 31));
        assert_non_null(strstr(report.reason, "zero byte"));
    }
}

static void coordinates_are_the_nearest_floats(void **state)
{
    (void)state;
    trv_mesh *mesh;
    expect_result(read_text("v 1. .5 -0\nv +1e0 -.5e+1 1E-2\nv 00012.5 1e05 0.10000000149011612\n"
                            "v 16777217 5e-324 1e-45\nv 1e8 -1e8 99999996\n",
                            &mesh, NULL),
                  TRV_OK);
    static const float wanted[5][3] = {{1.0f, 0.5f, -0.0f},
                                       {1.0f, -5.0f, 0.01f},
                                       {12.5f, 1e5f, 0.1f},
                                       {16777216.0f, 0.0f, 1.4e-45f},
                                       {1e8f, -1e8f, 99999996.0f}};
    uint32_t count;
    const trv_vec3 *vertices = trv_mesh_vertices(mesh, &count);
    assert_int_equal(count, 5);
    for (uint32_t i = 0; i < 5; ++i) {
        float values[3] = {vertices[i].x, vertices[i].y, vertices[i].z};
        assert_memory_equal(values, wanted[i], sizeof values);
    }
    trv_mesh_destroy(mesh);
}

static void every_object_or_group_with_faces_becomes_a_part(void **state)
{
    (void)state;
    static const char text[] = TRIANGLE "f 1 2 3\n"
                                        "o empty\ng also empty\n"
                                        "o  Two  Words \t and\\\nmore # comment\nf 1 2 3\nf 3 2 1\n"
                                        "usemtl red\ns 1\nf 1 2 3\n"
                                        "g a#1\nf 1 2\nf 1 2 3\n"
                                        "g a#1\nf 1 2 3\n"
                                        "g\nf 1 2 3\n"
                                        "o W\xC3\xBCrfel\nf 1 2 3\n"
                                        "g only skipped\nf 1 2\n";
    static const struct {
        const char *name;
        uint32_t first, count;
    } wanted[] = {{"", 0, 1}, {"Two Words and more", 1, 3}, {"a#1", 4, 1}, {"a#1", 5, 1},
                  {"", 6, 1}, {"W\xC3\xBCrfel", 7, 1}};
    enum { PARTS = sizeof wanted / sizeof wanted[0] };
    trv_mesh *mesh;
    trv_obj_report report;
    expect_result(read_text(text, &mesh, &report), TRV_OK);
    assert_int_equal(report.parts, PARTS);
    assert_int_equal(trv_mesh_part_count(mesh), PARTS);
    for (uint32_t i = 0; i < PARTS; ++i) {
        trv_mesh_part part;
        expect_result(trv_mesh_part_get(mesh, i, &part), TRV_OK);
        assert_string_equal(part.name, wanted[i].name);
        assert_int_equal(part.first_face, wanted[i].first);
        assert_int_equal(part.face_count, wanted[i].count);
    }
    trv_mesh_part part;
    expect_result(trv_mesh_part_get(mesh, PARTS, &part), TRV_ERROR_INDEX);
    assert_null(part.name);
    trv_mesh_destroy(mesh);
}

static void a_comment_after_a_joined_line_is_no_part_of_a_name(void **state)
{
    (void)state;
    static const char *const lines[] = {"o a \\\n#c\n", "o a\\\r\n# c\r\n",
                                        "g \\\n \\\na\\\n#c\\\n"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; ++i) {
        char text[128];
        snprintf(text, sizeof text, "%s%s%s", TRIANGLE, lines[i], "f 1 2 3\n");
        trv_mesh *mesh;
        trv_obj_report report;
        expect_result(read_text(text, &mesh, &report), TRV_OK);
        trv_mesh_part part;
        expect_result(trv_mesh_part_get(mesh, 0, &part), TRV_OK);
        assert_string_equal(part.name, "a");
        trv_mesh_destroy(mesh);
    }
}

static void points_without_faces_are_one_part_with_the_last_name(void **state)
{
    (void)state;
    trv_mesh *mesh;
    trv_obj_report report;
    expect_result(read_text("o cloud\nv 1 2 3\nv -1 0 0\nf 1 2\n", &mesh, &report), TRV_OK);
    assert_int_equal(report.parts, 1);
    assert_int_equal(report.skipped_faces, 1);
    trv_mesh_part part;
    expect_result(trv_mesh_part_get(mesh, 0, &part), TRV_OK);
    assert_string_equal(part.name, "cloud");
    assert_int_equal(part.face_count, 0);
    const uint32_t *first, *corners;
    assert_int_equal(trv_mesh_faces(mesh, &first, &corners), 0);
    assert_int_equal(first[0], 0);
    assert_null(corners);
    trv_mesh_destroy(mesh);
}

static void repairs_are_counted(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t skipped, lines, indices;
        bool mark;
    } cases[] = {
        {TRIANGLE "f 1 2 3\n", 0, 0, 0, false},
        {"\xEF\xBB\xBF" TRIANGLE "f 1\nf\nf 1 2\n", 3, 0, 0, true},
        {"mtllib x\n# no\n\n" TRIANGLE "vt 0 0\nvn 0 0 1\ns off\nf 1/1/1 2/1/1 3/1/1\n", 0, 4, 0,
         0},
        {TRIANGLE "f 1/1/1 2/1/1 3/1/1\n", 0, 0, 6, false}, // there are none
        {TRIANGLE "vt 0 0\nf 1/1 2/2 3/0\nf 1/-1 2/-2 3//1\n", 0, 1, 4, false},
        {TRIANGLE "f 1/1 2/2 3/3\nvt 0 0\nvt 1 1\n", 0, 2, 1, false}, // named ahead of the lines
        {TRIANGLE "f 1/1 2/2 3/2\nvt 0 0\nvt 1 1\n", 0, 2, 0, false},
        {TRIANGLE "f 1/1/1 2/2/1 3/3/1\nvt 0 0\nvt 1 1\nf 1 2\n", 1, 2, 4, false},
        {TRIANGLE "f 1/99999999999999999999 2//4294967297 3\n", 0, 0, 2, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        trv_mesh *mesh;
        trv_obj_report report;
        expect_result(read_text(cases[i].text, &mesh, &report), TRV_OK);
        trv_mesh_destroy(mesh);
        if (report.skipped_faces != cases[i].skipped || report.ignored_lines != cases[i].lines ||
            report.ignored_indices != cases[i].indices || report.byte_order_mark != cases[i].mark) {
            print_error("case %zu: skipped %u, lines %u, indices %u\n", i, report.skipped_faces,
                        report.ignored_lines, report.ignored_indices);
            fail();
        }
    }
}

static void limits_hold_exactly(void **state)
{
    (void)state;
    static const char text[] = TRIANGLE "f 1 2 3\nf 3 2 1\n";
    trv_obj_def def = trv_default_obj_def();
    trv_mesh *mesh;
    trv_obj_report report;
    def.max_vertices = 3;
    def.max_corners = 6;
    def.max_bytes = sizeof text - 1;
    expect_result(trv_mesh_read_obj_memory(text, sizeof text - 1, &def, &mesh, NULL), TRV_OK);
    trv_mesh_destroy(mesh);
    def.max_vertices = 2;
    expect_result(trv_mesh_read_obj_memory(text, sizeof text - 1, &def, &mesh, &report),
                  TRV_ERROR_LIMIT);
    assert_int_equal(report.line, 3);
    def.max_vertices = 3;
    def.max_corners = 5;
    expect_result(trv_mesh_read_obj_memory(text, sizeof text - 1, &def, &mesh, &report),
                  TRV_ERROR_LIMIT);
    assert_int_equal(report.line, 5);
    assert_int_equal(report.column, 7);
    def.max_corners = 6;
    def.max_bytes--;
    expect_result(trv_mesh_read_obj_memory(text, sizeof text - 1, &def, &mesh, &report),
                  TRV_ERROR_LIMIT);
    assert_null(mesh);
}

static void null_and_foreign_arguments_are_refused(void **state)
{
    (void)state;
    trv_obj_def def = trv_default_obj_def(), zero = {0};
    trv_mesh *mesh = (trv_mesh *)&def;
    trv_obj_report report;
    expect_result(trv_mesh_read_obj_memory(NULL, 0, &def, &mesh, &report), TRV_ERROR_NULL);
    assert_null(mesh);
    assert_non_null(strstr(report.reason, "NULL"));
    expect_result(trv_mesh_read_obj_memory("v", 1, NULL, &mesh, NULL), TRV_ERROR_NULL);
    expect_result(trv_mesh_read_obj_memory("v", 1, &def, NULL, NULL), TRV_ERROR_NULL);
    expect_result(trv_mesh_read_obj_memory("v", 1, &zero, &mesh, &report), TRV_ERROR_DEF);
    expect_result(trv_mesh_read_obj_file(NULL, &def, &mesh, NULL), TRV_ERROR_NULL);
    expect_result(trv_mesh_read_obj_file("x", NULL, &mesh, NULL), TRV_ERROR_NULL);
    expect_result(trv_mesh_read_obj_file("x", &def, NULL, &report), TRV_ERROR_NULL);
    expect_result(trv_mesh_read_obj_file("x", &zero, &mesh, &report), TRV_ERROR_DEF);
    assert_int_equal(report.result, TRV_ERROR_DEF);
    assert_true(report.reason[0] != 0);

    trv_mesh_destroy(NULL);
    uint32_t count = 7;
    const uint32_t *first = &count, *corners = &count;
    assert_null(trv_mesh_vertices(NULL, &count));
    assert_int_equal(count, 0);
    assert_null(trv_mesh_vertices(NULL, NULL));
    assert_int_equal(trv_mesh_faces(NULL, &first, &corners), 0);
    assert_null(first);
    assert_null(corners);
    assert_int_equal(trv_mesh_part_count(NULL), 0);
    trv_mesh_part part;
    expect_result(trv_mesh_part_get(NULL, 0, &part), TRV_ERROR_NULL);
    expect_result(read_text(TRIANGLE, &mesh, NULL), TRV_OK);
    expect_result(trv_mesh_part_get(mesh, 0, NULL), TRV_ERROR_NULL);
    trv_mesh_destroy(mesh);
}

static void every_failing_allocation_leaves_nothing(void **state)
{
    (void)state;
    // Many short groups and joined lines, so that every array also has to grow.
    static char text[8192];
    size_t length = (size_t)snprintf(text, sizeof text, TRIANGLE);
    for (int i = 0; i < 40; ++i)
        length +=
            (size_t)snprintf(text + length, sizeof text - length,
                             "v\\\n1 2 3\n g part %d\n f 1\\\n2\\\n3\\\n%d\nf 1/5 2 3\n", i, i + 4);
    strcpy(text + length, "vt 0 0\n");
    test_memory memory = {0};
    trv_obj_def def = trv_default_obj_def();
    def.allocator = test_allocator(&memory);
    trv_mesh *mesh = NULL;
    size_t k = 0;
    for (;; ++k) {
        memory.calls = 0;
        memory.fail_at = k;
        trv_obj_report report;
        trv_result result = trv_mesh_read_obj_memory(text, strlen(text), &def, &mesh, &report);
        if (result == TRV_OK)
            break;
        expect_result(result, TRV_ERROR_MEMORY);
        assert_null(mesh);
        assert_int_equal(memory.live, 0);
        assert_int_equal(memory.bytes, 0);
    }
    assert_true(k >= 12);
    assert_int_equal(trv_mesh_part_count(mesh), 40);
    trv_mesh_destroy(mesh);
    assert_int_equal(memory.live, 0);
    assert_int_equal(memory.bytes, 0);
}

// Whatever the reader accepts keeps the promises of the header.
static void expect_sound(const trv_mesh *mesh, const trv_obj_report *report)
{
    uint32_t count;
    const trv_vec3 *vertices = trv_mesh_vertices(mesh, &count);
    assert_int_equal(count, report->vertices);
    assert_true(count > 0);
    for (uint32_t i = 0; i < count; ++i)
        assert_true(fabsf(vertices[i].x) <= TRV_COORD_MAX &&
                    fabsf(vertices[i].y) <= TRV_COORD_MAX && fabsf(vertices[i].z) <= TRV_COORD_MAX);
    const uint32_t *first, *corners;
    uint32_t faces = trv_mesh_faces(mesh, &first, &corners), next = 0;
    for (uint32_t f = 0; f < faces; ++f) {
        assert_true(first[f + 1] >= first[f] + 3);
        for (uint32_t c = first[f]; c < first[f + 1]; ++c)
            assert_true(corners[c] < count);
    }
    for (uint32_t i = 0; i < trv_mesh_part_count(mesh); ++i) {
        trv_mesh_part part;
        expect_result(trv_mesh_part_get(mesh, i, &part), TRV_OK);
        assert_int_equal(part.first_face, next);
        next += part.face_count;
        trv_mesh_topology topology;
        expect_result(trv_mesh_check(mesh, i, &topology), TRV_OK);
    }
    assert_int_equal(next, faces);
}

// Reads from a block of exactly `size` bytes, so that sanitizers see any step past its end.
static bool read_exact(const char *text, size_t size)
{
    char *block = malloc(size + 1);
    assert_non_null(block);
    char *exact = block + 1; // ends where the block ends
    memcpy(exact, text, size);
    trv_mesh *mesh;
    trv_obj_report report;
    trv_result result = read_sized(exact, size, &mesh, &report);
    if (result == TRV_OK) {
        expect_sound(mesh, &report);
    } else {
        assert_null(mesh);
        assert_true(report.reason[0] != 0);
    }
    trv_mesh_destroy(mesh);
    free(block);
    return result == TRV_OK;
}

static void truncated_and_corrupted_files_never_break_the_reader(void **state)
{
    (void)state;
    static const char *const files[] = {"chair", "rock", "barrel", "crate"};
    static const char digits[] = "0123456789+-.eE/\\#\n\r\t fvgont";
    static char text[8192], copy[8192];
    const uint64_t seed = 41;
    print_message("seed %llu\n", (unsigned long long)seed);
    test_random random = {seed};
    int accepted = 0, refused = 0;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i) {
        char path[512];
        snprintf(path, sizeof path, "%s/meshes/%s.obj", TRV_TEST_DATA, files[i]);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        size_t size = fread(text, 1, sizeof text, file);
        fclose(file);
        assert_true(size > 0 && size < sizeof text);
        for (size_t cut = 0; cut <= size; cut += 1 + random_bits(&random) % 5)
            *(read_exact(text, cut) ? &accepted : &refused) += 1;
        for (int round = 0; round < 1500; ++round) {
            memcpy(copy, text, size);
            uint64_t flips = 1 + random_bits(&random) % 6;
            for (uint64_t k = 0; k < flips; ++k) {
                uint64_t bits = random_bits(&random);
                copy[bits % size] =
                    bits >> 60 ? digits[(bits >> 32) % (sizeof digits - 1)] : (char)(bits >> 40);
            }
            *(read_exact(copy, size) ? &accepted : &refused) += 1;
        }
    }
    assert_true(accepted > 500 && refused > 500); // both outcomes were met
}

static void a_decimal_comma_locale_changes_nothing(void **state)
{
    (void)state;
    comma_begin("test_obj_comma");
    trv_mesh *mesh;
    expect_result(read_text("v 1.5 -2.25 1e-2\n", &mesh, NULL), TRV_OK);
    const trv_vec3 *vertices = trv_mesh_vertices(mesh, NULL);
    assert_true(vertices[0].x == 1.5f && vertices[0].y == -2.25f && vertices[0].z == 0.01f);
    trv_mesh_destroy(mesh);
    expect_result(read_text("v 1,5 0 0\n", &mesh, NULL), TRV_ERROR_SYNTAX);
    comma_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(legal_texts_are_read_as_written),
        cmocka_unit_test(illegal_texts_are_refused_with_place_and_reason),
        cmocka_unit_test(a_zero_byte_is_refused_wherever_it_is),
        cmocka_unit_test(coordinates_are_the_nearest_floats),
        cmocka_unit_test(every_object_or_group_with_faces_becomes_a_part),
        cmocka_unit_test(a_comment_after_a_joined_line_is_no_part_of_a_name),
        cmocka_unit_test(points_without_faces_are_one_part_with_the_last_name),
        cmocka_unit_test(repairs_are_counted),
        cmocka_unit_test(limits_hold_exactly),
        cmocka_unit_test(null_and_foreign_arguments_are_refused),
        cmocka_unit_test(every_failing_allocation_leaves_nothing),
        cmocka_unit_test(truncated_and_corrupted_files_never_break_the_reader),
        cmocka_unit_test(a_decimal_comma_locale_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
