// Decimal text to float32, exactly rounded, for the OBJ reader.
#ifndef TRVI_OBJ_NUMBER_H
#define TRVI_OBJ_NUMBER_H

#include "base.h"

// Reads [+-] digits [. digits] [(e|E) [+-] digits] at *cursor, with a digit on at least one side of
// the point, and moves *cursor past it. The value is the float32 nearest to the decimal, ties to
// even, whatever the locale. What follows the number is the caller's to judge.
// TRV_ERROR_SYNTAX: no such number. TRV_ERROR_NUMBER: NaN or infinity spelled out.
// TRV_ERROR_RANGE: it rounds beyond the largest float32. On error *value is 0 and *cursor stays.
trv_result trvi_obj_number(const char **cursor, const char *end, float *value);

#endif
