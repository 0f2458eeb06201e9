/* machines.h: one or several machines from one command line: `--arch sm_80,sm_90'. */
#ifndef TGC_DRIVER_MACHINES_H
#define TGC_DRIVER_MACHINES_H

#include "driver/compile.h"
#include "emit/machines.h"

typedef struct Machines {
  Compilation *each;   /* one a machine, in ascending order of compute capability */
  int n;
  MachineOutputs outputs; /* of several */
} Machines;

/* Compiles for every machine that the options name. With several, the C names of each get its machine's name behind the
 * spectrum's. False after an error in `d': of one compilation, or two machines that a device cannot tell apart. */
bool machines_compile(Arena *a, const Options *o, Machines *m, Diagnostics *d);

/* Writes the folder: of one machine its files; of several a folder each, and above them what picks one. */
bool machines_write(Arena *a, Machines *m, const char *dir, Diagnostics *d);

/* Ends the compilations; their output is not used again. */
void machines_end(Machines *m);

#endif
