#include "trig.h"
#include <math.h>
float trvi_sin(float a){return (float)sin(a);} float trvi_cos(float a){return (float)cos(a);} float trvi_atan2(float y,float x){return (float)atan2(y,x);}
