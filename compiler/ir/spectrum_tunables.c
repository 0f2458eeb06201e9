/* spectrum_tunables.c: the tunables of codelets' own, over all spectra that one applies. */
#include "ir/spectrum_tunables.h"

typedef struct Seen { Arena *a; Spectra all; } Seen;

static void note(Seen *s, const Spectrum *spectrum) {
  bool known = !spectrum;
  for (int i = 0; i < s->all.n; i++) known |= s->all.at[i] == spectrum;
  if (!known) vec_push(s->a, &s->all, spectrum);
}

static bool visit(void *context, const Tree *t) {
  Seen *s = context;
  switch (t->op) {
    case OP_CALL:
    case OP_MAP:
    case OP_TRANSFORM:
    case OP_GENERATE:
    case OP_SLIDE:
    case OP_SPECTRUM: note(s, t->spectrum); break;
    case OP_DECLARE:
      if (t->symbol->init) tree_visit(t->symbol->init, visit, s);
      break;
    default: break;
  }
  return true;
}

Spectra spectrum_applied(Arena *a, const Spectrum *s) {
  Seen seen = {.a = a};
  note(&seen, s);
  for (int next = 0; next < seen.all.n; next++)
    for (int i = 0; i < seen.all.at[next]->ncodelets; i++)
      if (seen.all.at[next]->codelets[i]->body) tree_visit(seen.all.at[next]->codelets[i]->body, visit, &seen);
  return seen.all;
}

Tunables spectrum_tunables(Arena *a, const Spectrum *s) {
  const Spectra of = spectrum_applied(a, s);
  Tunables all = {0};
  for (int n = 0; n < of.n; n++)
    for (int i = 0; i < of.at[n]->ncodelets; i++) {
      const Codelet *c = of.at[n]->codelets[i];
      for (int k = 0; k < c->tunables.n; k++)
        if (!tunables_find(&all, c->tunables.at[k].name)) tunables_add(a, &all, &c->tunables.at[k]);
    }
  return all;
}
