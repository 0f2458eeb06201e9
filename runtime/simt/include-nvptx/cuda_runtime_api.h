/* cuda_runtime_api.h: the host's half, the same as the CPU executor's. */
#include "../include/cuda_runtime_api.h"
