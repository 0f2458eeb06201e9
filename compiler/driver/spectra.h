/* spectra.h: several spectra from one command line: `--spectrum sum,dot --name blas'. */
#ifndef TGC_DRIVER_SPECTRA_H
#define TGC_DRIVER_SPECTRA_H

#include "driver/compile.h"
#include "emit/spectra.h"

typedef struct Spectra {
  Compilation *each; /* in the order in which the user names them */
  int n;
  SpectraOutputs outputs;
} Spectra;

bool spectra_are_several(const Options *o);

/* Compiles each for the one machine. False after an error in `d'. */
bool spectra_compile(Arena *a, const Options *o, Spectra *s, Diagnostics *d);
/* Writes a folder each, and above them the header and the target of all. */
bool spectra_write(Arena *a, Spectra *s, const char *dir, Diagnostics *d);
/* Ends the compilations; their output is not used again. */
void spectra_end(Spectra *s);

#endif
