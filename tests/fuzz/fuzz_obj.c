// Reads any bytes as OBJ text, and text made of OBJ's own words by any bytes, and fails where the
// reader breaks a promise.
//
// An entry point for libFuzzer, and for the replay of kept inputs (replay.c).
#include "mesh_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_TEXT = 1 << 16 };

// What one reading came to. It stays where it is: the mesh frees through it.
typedef struct reading {
    trv_mesh *mesh;
    trv_obj_report report;
    fuzz_memory memory;
} reading;

// From a block that ends where the text ends, so that sanitizers see a step past it.
static void read_as(reading *r, const char *text, size_t size, size_t fail_at, bool keep_normals)
{
    char *exact = malloc(size > 0 ? size : 1);
    demand(exact != NULL);
    memcpy(exact, text, size);
    memset(r, 0, sizeof *r);
    r->memory.fail_at = fail_at;
    trv_obj_def def = trv_default_obj_def();
    def.allocator = (trv_allocator){&r->memory, fuzz_reallocate};
    def.keep_normals = keep_normals;
    trv_result result = trv_mesh_read_obj_memory(exact, size, &def, &r->mesh, &r->report);
    free(exact);
    demand(r->report.result == result);
    demand((result == TRV_OK) == (r->mesh != NULL));
    demand((result == TRV_OK) == (r->report.reason[0] == 0));
    demand(r->memory.most + size < 16 * size + (1 << 20));
    if (result != TRV_OK)
        demand(r->memory.live == 0);
}

static void read_text(reading *r, const char *text, size_t size, size_t fail_at)
{
    read_as(r, text, size, fail_at, false);
}

static void forget(reading *r)
{
    trv_mesh_destroy(r->mesh);
    demand(r->memory.live == 0);
}

static void check_report(const reading *r, const char *text, size_t size)
{
    const trv_obj_report *report = &r->report;
    size_t reason = strlen(report->reason), lines = 1;
    demand(reason < sizeof report->reason);
    for (size_t i = 0; i < reason; i++)
        demand(report->reason[i] >= ' ' && report->reason[i] <= '~');
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n' || (text[i] == '\r' && (i + 1 == size || text[i + 1] != '\n'));
    demand(report->line <= lines && report->column <= size + 1);
    demand((report->line == 0) == (report->column == 0));
    if (report->result == TRV_OK)
        demand(report->line == 0);
    else
        demand((report->line == 0) == (report->result == TRV_ERROR_NO_GEOMETRY));
}

static void check_mesh(const reading *r)
{
    uint32_t count, next = 0;
    const uint32_t *first, *corners;
    const trv_vec3 *vertices = trv_mesh_vertices(r->mesh, &count);
    uint32_t faces = trv_mesh_faces(r->mesh, &first, &corners);
    demand(count > 0 && count == r->report.vertices && faces == r->report.faces);
    for (uint32_t i = 0; i < count; i++) {
        const float values[3] = {vertices[i].x, vertices[i].y, vertices[i].z};
        for (int axis = 0; axis < 3; axis++)
            demand(values[axis] >= -TRV_COORD_MAX && values[axis] <= TRV_COORD_MAX);
    }
    demand(first[0] == 0);
    for (uint32_t f = 0; f < faces; f++) {
        demand(first[f + 1] >= first[f] + 3);
        for (uint32_t c = first[f]; c < first[f + 1]; c++)
            demand(corners[c] < count);
    }
    uint32_t parts = trv_mesh_part_count(r->mesh);
    demand(parts >= 1 && parts == r->report.parts);
    for (uint32_t i = 0; i < parts; i++) {
        trv_mesh_part part;
        demand(trv_mesh_part_get(r->mesh, i, &part) == TRV_OK);
        demand(part.first_face == next && (part.face_count > 0 || faces == 0));
        demand(strpbrk(part.name, "\n\r\t") == NULL);
        next += part.face_count;
    }
    demand(next == faces);
}

static void check_triangles(const trv_mesh *mesh)
{
    uint32_t count, made, vertices;
    const uint32_t *first;
    uint32_t faces = trv_mesh_faces(mesh, &first, NULL);
    trv_mesh_vertices(mesh, &vertices);
    demand(trv_mesh_triangulate(mesh, TRV_ALL_PARTS, NULL, 0, &count) == TRV_OK);
    demand(count == first[faces] - 2 * faces);
    uint32_t *triangles = malloc(3 * sizeof *triangles * (count + (size_t)1));
    demand(triangles != NULL);
    demand(trv_mesh_triangulate(mesh, TRV_ALL_PARTS, triangles, count + 1, &made) == TRV_OK);
    demand(made == count);
    for (uint32_t i = 0; i < 3 * count; i++)
        demand(triangles[i] < vertices);
    free(triangles);
}

// Unit normals or zeros, which are counted.
static void check_units(const trv_vec3 *normals, uint32_t count, uint32_t zeros)
{
    for (uint32_t i = 0; i < count; i++) {
        double x = (double)normals[i].x, y = (double)normals[i].y, z = (double)normals[i].z;
        double square = x * x + y * y + z * z;
        demand(square == 0.0 || (square > 0.999999 && square < 1.000001));
        zeros -= square == 0.0;
    }
    demand(zeros == 0);
}

static void check_normals(const trv_mesh *mesh)
{
    uint32_t vertices, count, faces;
    const uint32_t *first, *of_corners;
    trv_mesh_vertices(mesh, &vertices);
    faces = trv_mesh_faces(mesh, &first, NULL);
    const trv_vec3 *normals = trv_mesh_normals(mesh, &count, &of_corners);
    demand((normals != NULL) == (count > 0) && (normals != NULL) == (of_corners != NULL));
    for (uint32_t i = 0; normals != NULL && i < first[faces]; i++)
        demand(of_corners[i] < count || of_corners[i] == TRV_NO_NORMAL);
    uint32_t most = vertices > faces ? vertices : faces;
    trv_vec3 *out = malloc(most * sizeof *out);
    demand(out != NULL);
    for (int how = 0; how < 2; how++) {
        trv_normal_report report;
        demand(trv_mesh_face_normals(mesh, (trv_face_normal)how, out, faces, &report) == TRV_OK);
        check_units(out, faces, report.zero);
        demand(report.replaced <= faces);
        demand(trv_mesh_vertex_normals(mesh, (trv_vertex_normal)how, out, vertices, &report) ==
               TRV_OK);
        check_units(out, vertices, report.zero);
    }
    free(out);
}

// Twins form rings, whose sides are of one edge and as many as it says.
static void check_adjacency(const trv_mesh *mesh, const trv_mesh_topology *topology)
{
    trv_adjacency *adjacency;
    demand(trv_adjacency_create(mesh, TRV_ALL_PARTS, &adjacency) == TRV_OK);
    uint32_t edge_count, side_count, sum = 0, used = 0;
    const trv_mesh_edge *edges = trv_adjacency_edges(adjacency, &edge_count);
    const trv_mesh_side *sides = trv_adjacency_sides(adjacency, &side_count);
    for (uint32_t i = 0; i < side_count; i++)
        used += sides[i].edge != TRV_NO_EDGE;
    for (uint32_t i = 0; i < edge_count; i++) {
        uint32_t side = edges[i].first_side, left = edges[i].side_count;
        demand((sides[side].twin == TRV_NO_SIDE) == (left == 1) && !sides[side].reversed);
        demand((edges[i].faces[1] == TRV_NO_FACE) == (left == 1));
        demand(i == 0 || edges[i - 1].first_side < side);
        sum += left;
        for (; left > 1; left--) {
            demand(sides[side].edge == i && sides[side].twin < side_count);
            demand((sides[side].twin > side) && sides[side].neighbor != TRV_NO_FACE);
            side = sides[side].twin;
        }
        demand(sides[side].edge == i);
        demand(sides[side].twin == (edges[i].side_count > 1 ? edges[i].first_side : TRV_NO_SIDE));
    }
    demand(sum == used);
    demand(!topology->closed || edge_count > 0);
    trv_adjacency_destroy(adjacency);
}

// What is made of a mesh: no answer is known beforehand, but they fit each other.
static void check_uses(const trv_mesh *mesh)
{
    trv_mesh_topology topology;
    trv_mass mass;
    trv_hull *hull;
    trv_hull_def def = trv_default_hull_def();
    demand(trv_mesh_check(mesh, TRV_ALL_PARTS, &topology) == TRV_OK);
    demand(!topology.convex || (topology.closed && topology.manifold));
    demand(!topology.closed || topology.boundary_edges == 0);
    trv_result result = trv_mesh_mass(mesh, TRV_ALL_PARTS, 1.0f, &mass);
    demand((result == TRV_ERROR_OPEN) == !topology.closed);
    demand(result != TRV_OK || mass.mass > 0.0f);
    check_triangles(mesh);
    check_normals(mesh);
    check_adjacency(mesh, &topology);
    result = trv_hull_create_from_mesh(mesh, TRV_ALL_PARTS, &def, &hull);
    demand((result == TRV_OK) == (hull != NULL));
    trv_hull_release(hull);
}

static void demand_same(const reading *a, const reading *b)
{
    demand(a->report.result == b->report.result);
    if (a->mesh == NULL)
        return;
    uint32_t counts[2], faces = a->report.faces;
    const uint32_t *first[2], *corners[2];
    const trv_vec3 *vertices[2];
    const trv_mesh *meshes[2] = {a->mesh, b->mesh};
    for (int i = 0; i < 2; i++) {
        vertices[i] = trv_mesh_vertices(meshes[i], &counts[i]);
        trv_mesh_faces(meshes[i], &first[i], &corners[i]);
    }
    demand(counts[0] == counts[1] && faces == b->report.faces);
    demand(a->report.parts == b->report.parts);
    demand(memcmp(vertices[0], vertices[1], counts[0] * sizeof *vertices[0]) == 0);
    demand(memcmp(first[0], first[1], (faces + (size_t)1) * sizeof *first[0]) == 0);
    if (faces > 0)
        demand(memcmp(corners[0], corners[1], first[0][faces] * sizeof *corners[0]) == 0);
}

// The text with CR LF at the end of each line reads the same, down to the place of an error.
static void check_line_ends(const reading *r, const char *text, size_t size)
{
    static char changed[2 * MOST_TEXT];
    size_t length = 0;
    reading other;
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '\n' && (i == 0 || text[i - 1] != '\r'))
            changed[length++] = '\r';
        changed[length++] = text[i];
    }
    read_text(&other, changed, length, SIZE_MAX);
    demand_same(r, &other);
    demand(r->report.line == other.report.line && r->report.column == other.report.column);
    forget(&other);
}

// A line of no meaning at the end changes nothing.
static void check_appended(const reading *r, const char *text, size_t size)
{
    static char changed[MOST_TEXT + 16];
    static const char end[] = "\n# end\n";
    reading other;
    if (r->mesh == NULL)
        return;
    memcpy(changed, text, size);
    memcpy(changed + size, end, sizeof end - 1);
    read_text(&other, changed, size + sizeof end - 1, SIZE_MAX);
    demand_same(r, &other);
    forget(&other);
}

static void check_file(const reading *r, const char *text, size_t size)
{
    static const char path[] = "fuzz_obj.tmp";
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return; // a folder that cannot be written to
    demand(fwrite(text, 1, size, file) == size && fclose(file) == 0);
    reading other = {.memory = {.fail_at = SIZE_MAX}};
    trv_obj_def def = trv_default_obj_def();
    def.allocator = (trv_allocator){&other.memory, fuzz_reallocate};
    trv_mesh_read_obj_file(path, &def, &other.mesh, &other.report);
    demand_same(r, &other);
    demand(r->report.line == other.report.line && r->report.column == other.report.column);
    demand(strcmp(r->report.reason, other.report.reason) == 0);
    forget(&other);
    remove(path);
}

// Normals that are kept change nothing else.
static void check_with_normals(const reading *r, const char *text, size_t size)
{
    reading other;
    read_as(&other, text, size, SIZE_MAX, true);
    demand_same(r, &other);
    demand(r->report.line == other.report.line && r->report.column == other.report.column);
    demand(r->report.ignored_indices == other.report.ignored_indices);
    demand(r->report.ignored_lines >= other.report.ignored_lines);
    if (other.mesh != NULL)
        check_normals(other.mesh);
    forget(&other);
}

static void check_without_memory(const reading *r, const char *text, size_t size, size_t fail_at)
{
    reading other;
    read_as(&other, text, size, fail_at % (r->memory.calls + 1), fail_at % 2 == 1);
    if (other.report.result != TRV_ERROR_MEMORY)
        demand_same(r, &other);
    forget(&other);
}

static void check_text(const char *text, size_t size)
{
    reading r, cut;
    size_t sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += (unsigned char)text[i];
    read_text(&r, text, size, SIZE_MAX);
    check_report(&r, text, size);
    if (r.mesh != NULL) {
        check_mesh(&r);
        check_uses(r.mesh);
    }
    check_line_ends(&r, text, size);
    check_appended(&r, text, size);
    check_with_normals(&r, text, size);
    check_without_memory(&r, text, size, sum);
    if (sum % 64 == 0)
        check_file(&r, text, size);
    forget(&r);
    const size_t cuts[3] = {size / 2, size - size / 8, size > 0 ? sum % size : 0};
    for (int i = 0; i < 3; i++) {
        read_text(&cut, text, cuts[i], SIZE_MAX);
        check_report(&cut, text, cuts[i]);
        if (cut.mesh != NULL)
            check_mesh(&cut);
        forget(&cut);
    }
}

// Words that mean something; the ordinary ones stand first.
static const char *const starts[] = {"v ", "v ", "v ",  "v ",  "v ",   "f ",  "f ",
                                     "f ", "f ", "o ",  "g ",  "vt ",  "vn ", "usemtl a",
                                     "#",  "",   "fo ", "vp ", "v\\\n"};
static const char *const numbers[] = {"0",     "1",        "-1",  "2",  "0.5", "1e1",     "-2.5e-1",
                                      "3",     "-3",       ".25", "7.", "0.1", "1e39",    "nan",
                                      "1e-45", "99999999", "1,5", "-0", "1e5", "16777217"};
static const char *const corners[] = {"1",  "2", "3",   "4",    "-1",    "-2",        "-3", "-4",
                                      "5",  "6", "1/1", "2//2", "3/3/3", "7",         "8",  "9",
                                      "4/", "0", "99",  "-9",   "5//",   "4294967297"};
static const char *const ends[] = {"\n",     "\n",   "\n", "\n",    "\n",   "\r\n", "\r",
                                   " # x\n", " 1\n", "\\", " \\\n", "\t\n", "x\n"};

// One of the first `usual` words, or rarely of them all.
static const char *pick(fuzz_bytes *bytes, const char *const *words, size_t count, size_t usual)
{
    uint8_t byte = fuzz_byte(bytes);
    return words[byte < 252 ? byte % usual : fuzz_byte(bytes) % count];
}

#define PICK(bytes, words, usual) pick(bytes, words, sizeof(words) / sizeof *(words), usual)

static size_t write_text(const uint8_t *data, size_t size, char *text)
{
    fuzz_bytes bytes = {data, data + size};
    size_t length = 0;
    if (size > 0 && data[size - 1] == 0xEF)
        length = (size_t)sprintf(text, "\xEF\xBB\xBF");
    for (int i = 0; i < 4; i++) // so that the corners which faces name most are there
        length += (size_t)sprintf(text + length, "v %d %d %d\n", i & 1, i >> 1, i * i);
    while (bytes.at < bytes.end && length < MOST_TEXT / 2) {
        const char *start = PICK(&bytes, starts, 15);
        int count = 3 + (start[0] == 'f' ? fuzz_byte(&bytes) % 3 : 0);
        length += (size_t)sprintf(text + length, "%s", start);
        for (int i = 0; i < count; i++) {
            const char *word =
                start[0] == 'f' ? PICK(&bytes, corners, 8) : PICK(&bytes, numbers, 12);
            length += (size_t)sprintf(text + length, "%s%s", i > 0 ? " " : "", word);
        }
        length += (size_t)sprintf(text + length, "%s", PICK(&bytes, ends, 8));
    }
    return length;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char text[MOST_TEXT];
    if (size > MOST_TEXT)
        return 0;
    check_text((const char *)data, size);
    check_text(text, write_text(data, size, text));
    return 0;
}
