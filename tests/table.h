// Tables of expected results: comma-separated values with a line of column names.
#ifndef TRV_TESTS_TABLE_H
#define TRV_TESTS_TABLE_H

#include "support.h"

enum { TABLE_COLUMNS = 64, TABLE_LINE = 8192 };

typedef struct test_table {
    FILE *file;
    int columns;
    char names[TABLE_LINE]; // split in place
    char line[TABLE_LINE];
    const char *name[TABLE_COLUMNS];
    const char *value[TABLE_COLUMNS];
} test_table;

// Splits a line in place at commas outside quotes; a doubled quote inside quotes stands for one.
// Missing columns become "".
static inline int table_split(char *line, const char **fields)
{
    int count = 0;
    bool more = true;
    line[strcspn(line, "\r\n")] = 0;
    for (char *p = line; more && count < TABLE_COLUMNS;) {
        char *out = p;
        bool quoted = false;
        fields[count++] = p;
        for (; *p != 0 && (quoted || *p != ','); ++p) {
            if (*p != '"' || (quoted && p[1] == '"'))
                *out++ = *p;
            if (*p == '"' && quoted && p[1] == '"')
                ++p;
            else if (*p == '"')
                quoted = !quoted;
        }
        more = *p++ == ',';
        *out = 0;
    }
    for (int i = count; i < TABLE_COLUMNS; ++i)
        fields[i] = "";
    return count;
}

// False when the table is not there.
static inline bool table_open(test_table *table, const char *path)
{
    memset(table, 0, sizeof *table);
    table->file = fopen(path, "r");
    if (table->file == NULL || fgets(table->names, TABLE_LINE, table->file) == NULL)
        return false;
    table->columns = table_split(table->names, table->name);
    return true;
}

// The next row; false, and the file is closed, at the end.
static inline bool table_next(test_table *table)
{
    if (fgets(table->line, TABLE_LINE, table->file) == NULL) {
        fclose(table->file);
        table->file = NULL;
        return false;
    }
    table_split(table->line, table->value);
    return true;
}

// The row's value in a column; fails when there is no such column.
static inline const char *table_get(const test_table *table, const char *name)
{
    for (int i = 0; i < table->columns; ++i)
        if (strcmp(table->name[i], name) == 0)
            return table->value[i];
    print_error("the table has no column %s\n", name);
    fail();
    return "";
}

#endif
