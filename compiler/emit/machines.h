/* machines.h: printers of what stands above the folders of several machines: a library that picks one at run time. */
#ifndef TGC_EMIT_MACHINES_H
#define TGC_EMIT_MACHINES_H

#include "emit/emit.h"

/* The outputs of one spectrum for several machines, in ascending order of compute capability, no two of the same. All
 * have the same types. Each lies in a folder that is named after its machine. */
typedef struct MachineOutputs {
  const char *name;           /* what the library's C names begin with: "sum", where theirs begin with "sum_sm_80" */
  const Output *const *each;
  int n;
} MachineOutputs;

void emit_machines_header(Buffer *to, const MachineOutputs *m);   /* sum.h */
void emit_machines_dispatch(Buffer *to, const MachineOutputs *m); /* sum.cu */
void emit_machines_cmake(Buffer *to, const MachineOutputs *m);    /* CMakeLists.txt (cmake.c) */
void emit_machines_manifest(Buffer *to, const MachineOutputs *m); /* manifest.json (manifest.c) */

#endif
