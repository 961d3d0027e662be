#include "narrow.h"
