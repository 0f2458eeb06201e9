/* compile.h: the whole pipeline, from a .cdl file to what its folder holds. */
#ifndef TGC_DRIVER_COMPILE_H
#define TGC_DRIVER_COMPILE_H

#include "driver/options.h"
#include "emit/emit.h"
#include "passes/passes.h"

/* Where the time of one compilation went, in seconds. */
typedef struct Times {
  double parse, compose, lower, passes, emit, write;
  PassTimes each_pass;
} Times;

typedef struct Compilation {
  Arena *arena;
  const Options *options;
  Diagnostics *diagnostics;
  Output output;        /* filled as far as the stage that was asked for; name: NULL for the spectrum's, or as set */
  Unit *unit;
  Arch *machine;        /* all its levels; output.machine has those asked for */
  Plans plans;
  SearchReport report;
  Times times;
  Buffer dump;          /* what --print-after asked for */
} Compilation;

/* Parses the file and runs the codelet passes; loads the machine when the options name one. */
bool compile_front(Compilation *c);

/* compile_front, then search, lowering, passes and the variants' texts: output is complete. */
bool compile_variants(Compilation *c);

/* Prints every file of the folder and writes them. */
bool compile_write(Compilation *c, const char *dir);

#endif
