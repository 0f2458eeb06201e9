#include "plans.h"

#include <string.h>

Found plans_of(Arena *a, const Spectrum *s, const Arch *m, SearchOptions o) {
  Found f = {.a = a, .m = m, .d = diagnostics_new(a)};
  f.plans = plan_search(a, s, m, &o, &f.report, f.d);
  f.ok = f.plans.list.n > 0;
  return f;
}

/* Each file is read once: clang's parsing takes as long as a search. */
static const Spectrum *first_spectrum(const char *file) {
  enum { MOST_FILES = 64 };
  static struct { const char *file; const Spectrum *spectrum; } kept[MOST_FILES];
  static Arena *all;
  if (!all) all = arena_new();
  int n = 0;
  while (n < MOST_FILES - 1 && kept[n].file && strcmp(kept[n].file, file) != 0) n++;
  if (!kept[n].file || strcmp(kept[n].file, file) != 0) {
    kept[n].file = arena_strdup(all, file);
    kept[n].spectrum = spectra_parse(all, file)->spectra[0];
  }
  return kept[n].spectrum;
}

Found plans_search(const char *file, const char *machine, const char *levels, SearchOptions o) {
  Arena *a = arena_new();
  return plans_of(a, first_spectrum(file), spectra_machine(a, machine, levels), o);
}

void plans_end(Found *f) { arena_free(f->a); }

const Plan *plans_named(const Found *f, const char *text) {
  for (int i = 0; i < f->plans.list.n; i++)
    if (strcmp(f->plans.list.at[i]->text, text) == 0) return f->plans.list.at[i];
  return NULL;
}

int plans_with(const Found *f, const char *part) {
  int n = 0;
  for (int i = 0; i < f->plans.list.n; i++) n += strstr(f->plans.list.at[i]->text, part) != NULL;
  return n;
}
