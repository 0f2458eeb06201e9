#include "plans.h"

#include <string.h>

Found plans_of(Arena *a, const Spectrum *s, const Arch *m, SearchOptions o) {
  Found f = {.a = a, .m = m, .d = diagnostics_new(a)};
  f.plans = plan_search(a, s, m, &o, &f.report, f.d);
  f.ok = f.plans.list.n > 0;
  return f;
}

Found plans_search(const char *file, const char *machine, const char *levels, SearchOptions o) {
  Arena *a = arena_new();
  const Spectrum *s = spectra_parse(a, file)->spectra[0];
  return plans_of(a, s, spectra_machine(a, machine, levels), o);
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
