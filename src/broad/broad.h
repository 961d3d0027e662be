// The broad layer's door.
#ifndef TRVI_BROAD_H
#define TRVI_BROAD_H

#include <trivet/broad.h>

#include "base.h"

#endif
