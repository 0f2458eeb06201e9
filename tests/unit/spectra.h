/* spectra.h: what most tests need: a parsed file with its codelet passes run, a machine. */
#ifndef TGC_TESTS_SPECTRA_H
#define TGC_TESTS_SPECTRA_H

#include "arch/arch.h"
#include "golden.h"
#include "ir/tree.h"
#include "support/diagnostics.h"

/* The unit of a .cdl file of the source tree; fails the running test when it has errors. */
Unit *spectra_parse(Arena *a, const char *relative);

/* The same of text that is at hand, compiled with an operator (NULL: none); what the passes say goes to `d'. */
Unit *spectra_parse_text(Arena *a, const char *text, const char *operation, Diagnostics *d);
Unit *spectra_parse_source(Arena *a, const SourceFile *file, const char *operation, Diagnostics *d);

/* A shipped machine by name ("sm_60"), or a spec file of the source tree ("tests/specs/micro-gpu.yaml"), cut
 * down to `levels` when not NULL. Fails the running test when it does not load. */
Arch *spectra_machine(Arena *a, const char *name, const char *levels);

#endif
