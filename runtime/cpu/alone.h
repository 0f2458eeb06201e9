/* alone.h: what a file of this folder finds around it where it is pasted: a variant's file in C, one element type at a
 * time. tgc pastes none of it (../device/README.md). */
#ifndef TGC_CPU_ALONE_H
#define TGC_CPU_ALONE_H

#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef long long Index; // sizes and positions

#define T float
#define OF_(name) name##_float
#define OF(name) OF_(name)
#define NONE(x) isnan(x) // is it no number?
#define rest() sched_yield()
enum { threads = 8 }; // lanes of a vector
static inline Index min_index(Index x, Index y) { return y < x ? y : x; }

#endif
