#include "truth.h"

const truth_row truth_ball_rows[] = {{0}};
