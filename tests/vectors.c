// Reads files of test vectors and keeps their score; see vectors.h.
//
// The whole file is one block of text, cut in place: fields are pointers into it. Numbers are parsed
// where they are asked for, so a column of text (class, vertex lists) costs nothing.
#include "vectors.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EPSILON            (1.0 / 16777216.0) // 2^-24
#define WRONG_ROWS_PRINTED 5

static void fail_at(vector_table *table, size_t line, const char *format, va_list arguments)
{
    if (table->failed)
        return;
    table->failed = true;
    int length = snprintf(table->message, sizeof table->message, "%s:%zu: ", table->path, line);
    if (length >= 0 && (size_t)length < sizeof table->message)
        vsnprintf(table->message + length, sizeof table->message - (size_t)length, format,
                  arguments);
}

static bool fail_line(vector_table *table, size_t line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail_at(table, line, format, arguments);
    va_end(arguments);
    return false;
}

void vector_fail(vector_table *table, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail_at(table, table->next > 0 ? table->lines[table->row] : 1, format, arguments);
    va_end(arguments);
}

static size_t column_index(const vector_table *table, const char *name)
{
    for (size_t i = 0; i < table->column_count; ++i)
        if (strcmp(table->columns[i], name) == 0)
            return i;
    return SIZE_MAX;
}

// The whole file with a NUL behind it; NULL when it cannot be read.
static char *read_file(const char *path, size_t *size, bool *absent)
{
    FILE *file = fopen(path, "rb");
    *absent = file == NULL && errno == ENOENT; // one that must not be read is no absent one
    if (file == NULL)
        return NULL;
    char *text = NULL;
    long length = -1;
    if (fseek(file, 0, SEEK_END) == 0)
        length = ftell(file);
    if (length >= 0 && fseek(file, 0, SEEK_SET) == 0)
        text = malloc((size_t)length + 1);
    if (text != NULL && fread(text, 1, (size_t)length, file) != (size_t)length) {
        free(text);
        text = NULL;
    }
    fclose(file);
    if (text != NULL) {
        text[length] = '\0';
        *size = (size_t)length;
    }
    return text;
}

// Cuts a line at its commas; stores at most `room` fields and returns how many there are.
static size_t split(char *line, const char **fields, size_t room)
{
    size_t count = 0;
    for (;;) {
        if (count < room)
            fields[count] = line;
        ++count;
        char *comma = strchr(line, ',');
        if (comma == NULL)
            return count;
        *comma = '\0';
        line = comma + 1;
    }
}

// '# band: verdict=hit  margin=margin  K=16 ...'
static bool read_band(vector_table *table)
{
    table->band = -1.0;
    table->margin_column = SIZE_MAX;
    table->scale_column = column_index(table, "scale");
    table->strict_column = column_index(table, "strict");
    for (size_t i = 0; i < table->header_count; ++i) {
        if (strncmp(table->header[i], " band:", 6) != 0)
            continue;
        const char *margin = strstr(table->header[i], "margin=");
        const char *band = strstr(table->header[i], " K=");
        if (margin == NULL || band == NULL || sscanf(margin, "margin=%31s", table->margin) != 1 ||
            sscanf(band, " K=%lf", &table->band) != 1 || !(table->band >= 0.0))
            return fail_line(table, i + 1, "the band line has no margin=... K=...");
        table->margin_column = column_index(table, table->margin);
        if (table->margin_column == SIZE_MAX || table->scale_column == SIZE_MAX ||
            table->strict_column == SIZE_MAX)
            return fail_line(table, i + 1, "the band needs columns '%s', 'scale' and 'strict'",
                             table->margin);
    }
    return true;
}

// One line of the file, without its end.
static bool take_line(vector_table *table, char *line, size_t number)
{
    if (line[0] == '#' && table->columns == NULL) {
        table->header[table->header_count++] = line + 1;
        return true;
    }
    if (line[0] == '#' || line[0] == '\0')
        return true;
    if (table->columns == NULL) {
        size_t count = 1;
        for (const char *c = line; *c != '\0'; ++c)
            count += *c == ',';
        table->columns = calloc(count, sizeof *table->columns);
        if (table->columns == NULL)
            return fail_line(table, number, "out of memory");
        table->column_count = split(line, table->columns, count);
        return true;
    }
    if (table->fields == NULL)
        return fail_line(table, number, "out of memory");
    size_t count =
        split(line, table->fields + table->row_count * table->column_count, table->column_count);
    if (count != table->column_count)
        return fail_line(table, number, "%zu fields, but %zu columns", count, table->column_count);
    table->lines[table->row_count++] = number;
    return true;
}

bool vector_table_read(vector_table *table, const char *directory, const char *name, bool *absent)
{
    memset(table, 0, sizeof *table);
    *absent = false;
    int length = snprintf(table->path, sizeof table->path, "%s/%s.csv", directory, name);
    if (length < 0 || (size_t)length >= sizeof table->path)
        return fail_line(table, 0, "path too long");
    size_t size = 0;
    table->text = read_file(table->path, &size, absent);
    if (table->text == NULL)
        return *absent ? false : fail_line(table, 0, "cannot be read");
    if (strlen(table->text) != size)
        return fail_line(table, 1, "NUL in the text");

    size_t line_count = 1;
    for (size_t i = 0; i < size; ++i)
        line_count += table->text[i] == '\n';
    table->header = calloc(line_count, sizeof *table->header);
    table->lines = calloc(line_count, sizeof *table->lines);
    if (table->header == NULL || table->lines == NULL)
        return fail_line(table, 0, "out of memory");
    size_t number = 0;
    for (char *line = table->text; line != NULL;) {
        char *end = strchr(line, '\n');
        if (end != NULL)
            *end = '\0';
        size_t last = strlen(line);
        if (last > 0 && line[last - 1] == '\r')
            line[last - 1] = '\0';
        if (!take_line(table, line, ++number))
            return false;
        if (table->columns != NULL && table->fields == NULL)
            table->fields = calloc(line_count * table->column_count, sizeof *table->fields);
        line = end != NULL ? end + 1 : NULL;
    }
    if (table->row_count == 0)
        return fail_line(table, number, "no rows");
    return read_band(table);
}

void vector_table_free(vector_table *table)
{
    free(table->text);
    free(table->header);
    free(table->columns);
    free(table->fields);
    free(table->lines);
}

static void close_row(vector_score *score)
{
    score->wrong += score->row_wrong;
    score->row_wrong = false;
}

bool vector_next(vector_table *table, vector_score *score)
{
    close_row(score);
    if (table->failed || table->next >= table->row_count)
        return false;
    table->row = table->next++;
    score->cases++;
    score->in_band += vector_in_band(table);
    return !table->failed;
}

bool vector_has(const vector_table *table, const char *column)
{
    return column_index(table, column) != SIZE_MAX;
}

const char *vector_text(vector_table *table, const char *column)
{
    size_t index = column_index(table, column);
    if (index != SIZE_MAX)
        return table->fields[table->row * table->column_count + index];
    vector_fail(table, "there is no column '%s'", column);
    return "";
}

static double parse(vector_table *table, size_t column)
{
    const char *text = table->fields[table->row * table->column_count + column];
    char *end = NULL;
    double value = strtod(text, &end);
    if (end == text || *end != '\0') {
        vector_fail(table, "'%s' in column '%s' is no number", text, table->columns[column]);
        return NAN;
    }
    return value;
}

double vector_number(vector_table *table, const char *column)
{
    size_t index = column_index(table, column);
    if (index != SIZE_MAX)
        return parse(table, index);
    vector_fail(table, "there is no column '%s'", column);
    return NAN;
}

float vector_float(vector_table *table, const char *column)
{
    return (float)vector_number(table, column);
}

int vector_integer(vector_table *table, const char *column)
{
    double value = vector_number(table, column);
    if (value == floor(value) && fabs(value) <= 1.0e9)
        return (int)value;
    vector_fail(table, "'%s' in column '%s' is no integer", vector_text(table, column), column);
    return 0;
}

bool vector_flag(vector_table *table, const char *column)
{
    int value = vector_integer(table, column);
    if (value != 0 && value != 1)
        vector_fail(table, "'%d' in column '%s' is neither 0 nor 1", value, column);
    return value == 1;
}

// The column "<stem><letter>".
static double component(vector_table *table, const char *stem, char letter)
{
    char name[32];
    snprintf(name, sizeof name, "%s%c", stem, letter);
    return vector_number(table, name);
}

trv_vec3 vector_vec3(vector_table *table, const char *stem)
{
    return trv_make_vec3((float)component(table, stem, 'x'), (float)component(table, stem, 'y'),
                         (float)component(table, stem, 'z'));
}

trv_quat vector_quat(vector_table *table, const char *stem)
{
    trv_quat q;
    q.w = (float)component(table, stem, 'w');
    q.x = (float)component(table, stem, 'x');
    q.y = (float)component(table, stem, 'y');
    q.z = (float)component(table, stem, 'z');
    return q;
}

// True when `name` is one of the words of a list such as "sep/depth" or "min,max,h".
static bool names_output(const char *list, size_t length, const char *name)
{
    const char *separators = " ,/";
    for (size_t i = 0; i < length;) {
        i += strspn(list + i, separators);
        size_t word = strcspn(list + i, " ,/:;");
        if (i + word > length)
            return false;
        if (word == strlen(name) && strncmp(list + i, name, word) == 0)
            return true;
        i += word > 0 ? word : 1;
    }
    return false;
}

// The number in front of the first "*eps" of an item; negative where there is none.
static double factor_of(const char *item, size_t length)
{
    for (const char *c = item; c + 4 <= item + length; ++c) {
        if (strncmp(c, "*eps", 4) != 0)
            continue;
        const char *digit = c;
        while (digit > item && strchr("0123456789.", digit[-1]) != NULL)
            --digit;
        return digit < c ? strtod(digit, NULL) : -1.0;
    }
    return -1.0;
}

double vector_tolerance(vector_table *table, const char *name)
{
    for (size_t i = 0; i < table->header_count; ++i) {
        const char *item = table->header[i];
        if (strncmp(item, " tol", 4) != 0 || strchr(item, ':') == NULL)
            continue;
        item = strchr(item, ':') + 1;
        while (*item != '\0') {
            size_t length = strcspn(item, ";");
            size_t list = strcspn(item, ":;");
            double factor = factor_of(item, length);
            if (list < length && names_output(item, list, name) && factor >= 0.0)
                return factor * EPSILON;
            item += length + (item[length] == ';');
        }
    }
    vector_fail(table, "the tol line gives no 'N*eps' for '%s'", name);
    return NAN;
}

static bool in_band(vector_table *table, size_t margin_column)
{
    if (table->band < 0.0 || margin_column == SIZE_MAX)
        return false;
    double margin = fabs(parse(table, margin_column));
    double width = table->band * EPSILON * parse(table, table->scale_column);
    return margin <= width && parse(table, table->strict_column) == 0.0;
}

bool vector_in_band(vector_table *table)
{
    return in_band(table, table->margin_column);
}

bool vector_in_band_of(vector_table *table, const char *margin)
{
    size_t index = column_index(table, margin);
    if (index == SIZE_MAX)
        vector_fail(table, "there is no column '%s'", margin);
    return in_band(table, index);
}

static bool report(vector_table *table, vector_score *score, const char *what, double got,
                   double wanted)
{
    if (!table->failed && !score->row_wrong && score->wrong < WRONG_ROWS_PRINTED)
        fprintf(stderr, "%s:%zu: %s is %.9g, wanted %.9g\n", table->path, table->lines[table->row],
                what, got, wanted);
    score->row_wrong = true;
    return false;
}

bool vector_check(vector_table *table, vector_score *score, const char *what, bool right)
{
    return right || report(table, score, what, 0.0, 1.0);
}

bool vector_check_verdict(vector_table *table, vector_score *score, const char *column, bool got)
{
    bool wanted = vector_flag(table, column);
    if (vector_in_band(table))
        return false;
    return got == wanted || report(table, score, column, got, wanted);
}

bool vector_check_near(vector_table *table, vector_score *score, const char *what, double got,
                       double wanted, double tolerance)
{
    if (got == wanted)
        return true;
    double error = fabs(got - wanted);
    double ratio = error / tolerance;
    if (ratio > score->worst)
        score->worst = ratio;
    return error <= tolerance || report(table, score, what, got, wanted);
}

bool vector_check_number(vector_table *table, vector_score *score, const char *column, double got,
                         double tolerance)
{
    return vector_check_near(table, score, column, got, vector_number(table, column), tolerance);
}

bool vector_check_vec3(vector_table *table, vector_score *score, const char *stem, trv_vec3 got,
                       double tolerance)
{
    const float values[3] = {got.x, got.y, got.z};
    bool right = true;
    for (int i = 0; i < 3; ++i) {
        char name[32];
        snprintf(name, sizeof name, "%s%c", stem, "xyz"[i]);
        right &= vector_check_near(table, score, name, values[i], component(table, stem, "xyz"[i]),
                                   tolerance);
    }
    return right;
}
