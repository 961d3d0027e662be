#include "broad.h"
