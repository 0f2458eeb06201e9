/* passes.h: the passes over kernel form, in order. */
#ifndef TGC_PASSES_PASSES_H
#define TGC_PASSES_PASSES_H

#include "arch/arch.h"
#include "ir/element.h"
#include "ir/program.h"

typedef struct PassOptions {
  const char *print_after; /* a pass's name, "all", or NULL */
  const char *without;     /* comma-separated names of optional passes to leave out, or NULL */
  bool fuses;              /* may products that are added be rounded once? */
} PassOptions;

enum { PASS_COUNT = 27 };

/* Seconds spent in each pass, summed over programs; parallel to passes_name(). */
typedef struct PassTimes { double seconds[PASS_COUNT]; } PassTimes;

/* Runs all passes over a program's kernels, the verifier after each. What they leave is in `a`; `scratch` is theirs
 * while they run. Dumps to `dump` what print_after asks for. False after an error. */
bool passes_run(Arena *a, Arena *scratch, Program *p, const Arch *m, const ElementType **types, int ntypes,
                const PassOptions *o, PassTimes *times, Buffer *dump, Diagnostics *d);

/* Name of pass number i, NULL past the end; may it be left out? */
const char *passes_name(int i);
bool passes_optional(int i);

#endif
