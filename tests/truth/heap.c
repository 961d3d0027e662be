#include "truth.h"

const truth_row truth_heap_rows[] = {{0}};
