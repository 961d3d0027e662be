// The characters of OBJ text: blanks, line ends, and the backslash that joins lines.
//
// A line ends with LF, CR LF or CR. A backslash right before a line end (or before the end of the
// text) joins two physical lines, and counts as a blank.
#ifndef TRVI_OBJ_TEXT_H
#define TRVI_OBJ_TEXT_H

#include "base.h"

static inline bool trvi_obj_is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

static inline bool trvi_obj_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

// Past the line end at p, if there is one.
static inline const char *trvi_obj_skip_line_end(const char *p, const char *end)
{
    if (p < end && *p == '\r') {
        ++p;
        return p < end && *p == '\n' ? p + 1 : p;
    }
    return p < end && *p == '\n' ? p + 1 : p;
}

// Past blanks and joined lines. A backslash that joins nothing stays, and starts no valid token.
static inline const char *trvi_obj_skip_blanks(const char *p, const char *end)
{
    while (p < end) {
        if (trvi_obj_is_blank(*p))
            ++p;
        else if (*p == '\\' && (p + 1 == end || trvi_obj_is_line_end(p[1])))
            p = trvi_obj_skip_line_end(p + 1, end);
        else
            break;
    }
    return p;
}

// Nothing more to read in this line: a line end, a comment, or the end of the text.
static inline bool trvi_obj_at_end(const char *p, const char *end)
{
    return p == end || *p == '\n' || *p == '\r' || *p == '#';
}

// A token may stop here.
static inline bool trvi_obj_at_token_end(const char *p, const char *end)
{
    return trvi_obj_at_end(p, end) || trvi_obj_is_blank(*p) || *p == '\\';
}

#endif
