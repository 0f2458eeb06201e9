// cuComplex.h: the same as the CPU executor's: memory and no arithmetic.
#include "../include/cuComplex.h"
