/* host.h: the CPU that the compiler runs on, as a machine.
 *
 *     /proc, /sys, the process's affinity -> HostFacts (host_facts) -> the text of a spec (host_spec) -> Arch
 *
 * The text is what a user would write in a file of one's own, and is read and checked like one. */
#ifndef TGC_ARCH_HOST_H
#define TGC_ARCH_HOST_H

#include "arch/arch.h"

typedef enum HostVectors { HOST_NO_VECTORS, HOST_SSE2, HOST_NEON, HOST_AVX2, HOST_AVX512 } HostVectors;

/* What of the host matters here. Numbers that cannot be found out are 0. */
typedef struct HostFacts {
  const char *model; /* "AMD EPYC 7742 64-Core Processor"; NULL: not told */
  const char *tune; /* what C compilers that do not know it take it for, "sapphirerapids"; NULL: they know it */
  HostVectors vectors; /* that all of its usable threads have */
  int quota; /* processors whose time the process's groups may use (cgroup); 0: all there is */
  int threads; /* hardware threads that the process may use, at most as many as that */
  int cores; /* that these are of */
  int64_t l1_bytes, l2_bytes; /* a core's data cache, and its part of the next: the least among them */
  int64_t l3_bytes; /* of all level-3 caches that the threads can fill */
} HostFacts;

/* The facts under a folder that stands for `/' ("" for the host itself), for the hardware threads of a list as the
 * kernel writes them ("0-3,8"); NULL: all that are online. Never fails. */
HostFacts host_facts(Arena *a, const char *root, const char *usable);

/* The hardware threads that the process may use, as such a list; NULL when nobody can tell. */
const char *host_affinity(Arena *a);

/* The text of a machine called `cpu'. What the facts do not tell is assumed, and the text says so. */
const char *host_spec(Arena *a, const HostFacts *f);

/* The machine of that text. */
Arch *host_arch(Arena *a, const HostFacts *f, Diagnostics *d);

#endif
