// The state of reading one OBJ text, shared by the files that read its lines and its faces
// and tell what went wrong.
//
// Texts are shorter than 4 GiB, so every count and every offset into the text fits 32 bits.
// Errors carry a pointer into the text; line and column are counted once, when one is reported.
#ifndef TRVI_OBJ_READER_H
#define TRVI_OBJ_READER_H

#include "mesh.h"

// What an index can name, in the order of a face reference v/vt/vn.
enum { TRVI_OBJ_POSITION, TRVI_OBJ_TEXTURE, TRVI_OBJ_NORMAL, TRVI_OBJ_KINDS };

// A part whose first face has been seen.
typedef struct trvi_obj_part {
    uint32_t first_face;
    uint32_t name; // offset into `names`
} trvi_obj_part;

typedef struct trvi_obj_reader {
    const char *text;
    const char *end;
    const trv_obj_def *def;
    const trv_allocator *allocator;
    trv_obj_report *report;
    bool has_carriage_returns; // else a line ends with LF only, which memchr finds faster

    trvi_array vertices;   // trv_vec3
    trvi_array face_first; // uint32_t: where each face starts in `corners`
    trvi_array corners;    // uint32_t
    trvi_array parts;      // trvi_obj_part
    trvi_array names;      // char
    // Where normals are kept; else empty.
    trvi_array normals;    // trv_vec3
    trvi_array of_corners; // uint32_t: the normal of each corner, perhaps one that never comes

    // Lines of each kind so far, and how many there are in all (UINT64_MAX before that is known).
    uint32_t counts[TRVI_OBJ_KINDS];
    uint64_t totals[TRVI_OBJ_KINDS];
    // References ahead of the lines read so far: how many, and the furthest.
    uint32_t ahead[TRVI_OBJ_KINDS];
    uint64_t furthest[TRVI_OBJ_KINDS];

    // The last object or group statement: its name in the text, and whether a face followed it.
    const char *name_first;
    const char *name_last;
    bool name_used;

    const char *error_at; // NULL: the text as a whole
} trvi_obj_reader;

// Records a failure at a place in the text and returns its code. printf format.
trv_result trvi_obj_fail(trvi_obj_reader *reader, const char *at, trv_result result,
                         const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;

// A token as it stands in the text, cut and made printable, for use in a reason.
typedef struct trvi_obj_quote {
    char text[40];
} trvi_obj_quote;

trvi_obj_quote trvi_obj_quoted(const trvi_obj_reader *reader, const char *token);

// Puts the outcome into the report; on failure only the place and the reason stay beside it.
trv_result trvi_obj_conclude(trvi_obj_reader *reader, trv_result result);

// Begins the part of the last object or group statement at the next face. False: out of memory.
bool trvi_obj_begin_part(trvi_obj_reader *reader);

// Reads what follows the keyword `f` and moves *cursor to the end of that.
trv_result trvi_obj_read_face(trvi_obj_reader *reader, const char **cursor);

// Reads the whole text into the arrays; they must be empty.
trv_result trvi_obj_read_lines(trvi_obj_reader *reader);

#endif
