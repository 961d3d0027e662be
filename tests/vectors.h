// Reader and score keeper for files of exact test vectors: CSV whose '#' lines carry the band, the
// tolerances and the classes, and whose first other line names the columns.
//
// A theme file (run_vectors_<theme>.c) has one function per CSV:
//     while (vector_next(table, score)) {
//         bool overlap = trv_...(vector_vec3(table, "p"), ...);
//         if (vector_check_verdict(table, score, "overlap", overlap))
//             vector_check_number(table, score, "dist", dist, vector_tolerance(table, "dist") * scale);
//     }
//     return !table->failed;
// Columns are found by name. A missing column or a field that is no number makes the table failed
// (the first message is kept, with file and line) and reads as NaN, so that functions need no checks.
#ifndef TRV_TESTS_VECTORS_H
#define TRV_TESTS_VECTORS_H

#include <stdbool.h>
#include <stddef.h>

#include <trivet/types.h>

typedef struct vector_table {
    char path[1024];
    char *text;          // the file; line ends and commas of the rows are NUL
    const char **header; // the lines that begin with '#', without it
    size_t header_count;
    const char **columns;
    size_t column_count;
    const char **fields; // row_count * column_count
    size_t *lines;       // line number of each row, from 1
    size_t row_count;
    size_t next;          // rows begun
    size_t row;           // the row that the accessors read
    double band;          // K of the '# band:' line; negative where the file has none
    char margin[32];      // the column that K applies to
    size_t margin_column; // SIZE_MAX without a band
    size_t scale_column;  // SIZE_MAX without one
    size_t strict_column; // SIZE_MAX without one
    bool failed;
    char message[1400]; // path:line: reason
} vector_table;

typedef struct vector_score {
    size_t cases;
    size_t wrong;   // rows with at least one wrong answer
    size_t in_band; // rows whose verdict was not asked
    double worst;   // largest error over its tolerance
    bool row_wrong;
} vector_score;

// One known CSV: `run` puts every row of the table to the test; false when the table is malformed.
// `directory` is where the table came from, for files that refer to others.
typedef struct vector_file {
    const char *name; // without ".csv"
    bool (*run)(const char *directory, struct vector_table *table, struct vector_score *score);
} vector_file;

// The themes; each list ends with a NULL name.
extern const vector_file overlap_vector_files[];
extern const vector_file sweep_vector_files[];
extern const vector_file ray_vector_files[];
extern const vector_file convex_vector_files[];
extern const vector_file points_vector_files[];
extern const vector_file impact_vector_files[];

// Reads directory/name.csv. False with table->message where the file cannot be read or is malformed;
// *absent tells a file that is not there from that. Free the table in every case.
bool vector_table_read(vector_table *table, const char *directory, const char *name, bool *absent);
void vector_table_free(vector_table *table);

// Notes what is wrong with the present row; the first note stays.
void vector_fail(vector_table *table, const char *format, ...);

// Steps to the next row and keeps the score of the one before; false after the last, or once failed.
bool vector_next(vector_table *table, vector_score *score);

// Fields of the present row. Vectors: stem "c0" reads c0x, c0y, c0z; quaternions: stem "qa" reads
// qaw, qax, qay, qaz.
bool vector_has(const vector_table *table, const char *column);
const char *vector_text(vector_table *table, const char *column);
double vector_number(vector_table *table, const char *column);
float vector_float(vector_table *table, const char *column);
int vector_integer(vector_table *table, const char *column);
bool vector_flag(vector_table *table, const char *column); // 0 or 1; anything else fails the table
trv_vec3 vector_vec3(vector_table *table, const char *stem);
trv_quat vector_quat(vector_table *table, const char *stem);

// N * 2^-24 for the N that the '# tol' line gives beside `name` ("name: N*eps..."); fails the table
// where the line names no such output.
double vector_tolerance(vector_table *table, const char *name);

// True when |margin| <= K * 2^-24 * scale and the row is not strict: its verdict is not asked.
bool vector_in_band(vector_table *table);
// The same for another margin column.
bool vector_in_band_of(vector_table *table, const char *margin);

// Compares with a 0/1 column unless the row is in the band. True when the verdict was asked and is
// right: only then do values count.
bool vector_check_verdict(vector_table *table, vector_score *score, const char *column, bool got);
// Any condition; `what` names it in the report of a wrong row.
bool vector_check(vector_table *table, vector_score *score, const char *what, bool right);
// |got - column| <= tolerance; NaN on either side is wrong, equal infinities are right.
bool vector_check_number(vector_table *table, vector_score *score, const char *column, double got,
                         double tolerance);
// The same against a value that is no column.
bool vector_check_near(vector_table *table, vector_score *score, const char *what, double got,
                       double wanted, double tolerance);
// Each component on its own.
bool vector_check_vec3(vector_table *table, vector_score *score, const char *stem, trv_vec3 got,
                       double tolerance);

#endif
