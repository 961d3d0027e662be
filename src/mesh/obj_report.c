// What a report says of a failure: the reason, quoting the text, and the line and column.
//
// Invariant: a reason is printable ASCII, whatever the text holds.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "obj_reader.h"
#include "obj_text.h"

trv_result trvi_obj_fail(trvi_obj_reader *reader, const char *at, trv_result result,
                         const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->report->reason, sizeof reader->report->reason, format, arguments);
    va_end(arguments);
    reader->error_at = at;
    return result;
}

trvi_obj_quote trvi_obj_quoted(const trvi_obj_reader *reader, const char *token)
{
    trvi_obj_quote quote = {{0}};
    size_t length = 0;
    for (const char *p = token; p < reader->end && length < sizeof quote.text - 4; ++p) {
        bool stop = trvi_obj_at_end(p, reader->end) || trvi_obj_is_blank(*p);
        if (stop && p > token)
            return quote;
        // Only plain ASCII is repeated: the text may be anything.
        quote.text[length++] = *p > ' ' && *p < 127 ? *p : '?';
    }
    if (length == sizeof quote.text - 4)
        memcpy(quote.text + length, "...", 3);
    return quote;
}

// Line and column of a place in the text, both from 1, the column in bytes of the physical line.
static void locate(const char *text, const char *at, uint32_t *line, uint32_t *column)
{
    const char *start = text;
    *line = 1;
    for (const char *p = text; p < at;) {
        if (trvi_obj_is_line_end(*p)) {
            p = trvi_obj_skip_line_end(p, at);
            start = p;
            ++*line;
        } else {
            ++p;
        }
    }
    *column = (uint32_t)(at - start) + 1;
}

trv_result trvi_obj_conclude(trvi_obj_reader *reader, trv_result result)
{
    trv_obj_report *report = reader->report;
    if (result != TRV_OK) {
        trv_obj_report failed = {0};
        memcpy(failed.reason, report->reason, sizeof failed.reason);
        if (failed.reason[0] == 0)
            snprintf(failed.reason, sizeof failed.reason, "%s", trv_result_text(result));
        if (reader->error_at)
            locate(reader->text, reader->error_at, &failed.line, &failed.column);
        *report = failed;
    }
    report->result = result;
    return result;
}
