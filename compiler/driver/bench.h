/* bench.h: tgc bench. */
#ifndef TGC_DRIVER_BENCH_H
#define TGC_DRIVER_BENCH_H

/* tgc bench ..: becomes bench/bench.py of the installation, with the arguments after the verb. Returns only when it
 * cannot: then the exit status, after an error. */
int verb_bench(int argc, char **argv);

#endif
