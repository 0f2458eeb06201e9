/* plans.h: a search for tests, and its plans by what their texts say. */
#ifndef TGC_TESTS_PLANS_H
#define TGC_TESTS_PLANS_H

#include "compose/plan.h"
#include "spectra.h"

typedef struct Found {
  Arena *a; /* all else is in it */
  const Arch *m;
  Plans plans;
  SearchReport report;
  Diagnostics *d;
  bool ok; /* what the search returned */
} Found;

/* The plans of the first spectrum of a .cdl file, for a machine (spectra.h says how both are named). */
Found plans_search(const char *file, const char *machine, const char *levels, SearchOptions o);
/* The same of a spectrum and a machine that are at hand, in an arena that may be theirs, too. */
Found plans_of(Arena *a, const Spectrum *s, const Arch *m, SearchOptions o);
/* Frees the arena. */
void plans_end(Found *f);

/* The plan that has this text; NULL: there is none. */
const Plan *plans_named(const Found *f, const char *text);
/* How many have `part` in their text. */
int plans_with(const Found *f, const char *part);

#endif
