#include "truth.h"

const truth_row truth_motion_rows[] = {{0}};
