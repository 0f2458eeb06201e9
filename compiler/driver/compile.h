/* compile.h: the whole pipeline, from a .cdl file to what its folder holds. */
#ifndef TGC_DRIVER_COMPILE_H
#define TGC_DRIVER_COMPILE_H

#include "driver/options.h"
#include "emit/emit.h"
#include "front/mentions.h"
#include "passes/passes.h"
#include "support/spool.h"

/* Where the time of one compilation went, in seconds. */
typedef struct Times {
  double parse, compose, lower, passes, emit, write;
  PassTimes each_pass;
} Times;

typedef VEC(const ElementType *) Types;

/* Element types that are composed together (type_sets.c). */
typedef struct TypeSet {
  Types types;    /* that its variants are for */
  Types chosen;   /* whose sizes are served as its plans and its table say */
  Plans plans;
  Table measured; /* what the measured table says, if there is one */
  bool has_measured;
} TypeSet;

typedef struct Compilation {
  Arena *arena;
  const Options *options; /* with one machine */
  bool whole;           /* every variant's trees stay, however many there are */
  const char *const *only; /* texts or ids of plans, NULL ends them: these are carried out, the first of all, and those
                              that the table may name, so that their texts are what they are among all; NULL: all */
  bool several;         /* there are other machines in the same folder */
  bool beside;          /* .. other spectra, each in a folder of its own */
  const SourceReader *reader; /* where texts come from; NULL: the disk */
  Mentions *mentions;   /* of an editor: what names stand for, and no spectrum is chosen before others; else NULL */
  Diagnostics *diagnostics;
  Output output;        /* filled as far as the stage that was asked for */
  const char *library;  /* what users' names begin with; of several machines, output.name has the machine's behind it */
  Unit *unit;
  Arch *machine;        /* all its levels; output.machine has those asked for */
  VEC(TypeSet) sets;    /* the first one has all types */
  Plans plans;          /* its */
  SearchReport report;
  Spool *spool;         /* texts of many variants; NULL: there are few */
  Times times;
  Buffer dump;          /* what --print-after asked for */
} Compilation;

/* Parses the file and runs the codelet passes; loads the machine when the options name one. */
bool compile_front(Compilation *c);

/* compile_front, then search, lowering, passes and the variants' texts: output is complete. Of many variants the texts
 * wait on disk, until compile_end. */
bool compile_variants(Compilation *c);
void compile_end(Compilation *c);
/* An error for what errno says of these texts. Returns false. */
bool compile_no_spool(Compilation *c);
/* Folds lines of a text as `--columns' says. */
void compile_in_columns(const Compilation *c, Buffer *text);

/* The plans of output.spectrum, within compile_variants. False, with an error, when there are none. */
bool compile_search(Compilation *c);

double compile_clock(void); /* seconds, monotonic */

typedef struct OutputFiles { VEC(OutputFile) list; } OutputFiles;

/* Prints every file of the machine's folder; their paths begin with `under': "", or "sm_80/". False after an error. */
bool compile_files(Compilation *c, const char *under, OutputFiles *all);

#endif
