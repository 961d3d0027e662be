#include "truth.h"

const truth_row truth_fast_rows[] = {{0}};
