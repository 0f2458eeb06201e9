/* spectra.h: printers of what stands above the folders of several spectra: one header, one target. */
#ifndef TGC_EMIT_SPECTRA_H
#define TGC_EMIT_SPECTRA_H

#include "emit/emit.h"

/* The outputs of several spectra for one machine, each in a folder that is named after its library. */
typedef struct SpectraOutputs {
  const char *name; /* of the whole: "blas" */
  const Output *const *each;
  int n;
} SpectraOutputs;

void emit_spectra_header(Buffer *to, const SpectraOutputs *s);   /* blas.h */
void emit_spectra_cmake(Buffer *to, const SpectraOutputs *s);    /* CMakeLists.txt */
void emit_spectra_manifest(Buffer *to, const SpectraOutputs *s); /* manifest.json (manifest.c) */

#endif
