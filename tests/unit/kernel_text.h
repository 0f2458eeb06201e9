/* kernel_text.h: kernel form as readable text, for tests of the passes over it.
 *
 *   shared int tmp[threads];  int v = in[thread];  if (lane < 3) { tmp[thread] = v; }  barrier(warp);
 *
 * Of clusters: push(parts[rank], v);  barrier(cluster);  cluster_arrive();  cluster_arrive(relaxed);  cluster_wait();
 *
 * Known without a declaration: threads (a multiple of 32 from 64 to 1024), thread, lane, warp, block, rank, in[],
 * out[], n (Index) and the uniform parameters a and b (int). Types: int, unsigned, bool, Index, float, T. */
#ifndef TGC_TESTS_KERNEL_TEXT_H
#define TGC_TESTS_KERNEL_TEXT_H

#include "ir/program.h"

/* A kernel whose body is the text; the test fails at a fault in it. Everything is in `a`. */
Kernel *kernel_text_read(Arena *a, const char *text);

/* The body printed, as tree_print does. */
const char *kernel_text_print(Arena *a, const Tree *body);

#endif
