#include "truth.h"

const truth_row truth_bounce_rows[] = {{0}};
