/* example_output.h: an Output made by hand, for the tests of what is printed from one. */
#ifndef TGC_TESTS_EXAMPLE_OUTPUT_H
#define TGC_TESTS_EXAMPLE_OUTPUT_H

#include "emit/emit.h"

/* sum.cdl on a machine of grid > block > thread, for int and double; two variants:
 *   0  aa11bb22, no letter, baseline: a grid of blocks with a tree in shared memory, then one block for the second step
 *   1  aa33cc44, letter m, shuffle: blocks with shuffles that add to the result atomically
 * Up to 4096 elements go to 0, more to 1. */
Output *example_output(Arena *a);

/* The same for a CPU. */
Output *example_cpu_output(Arena *a);

#endif
