/* codelet_passes.c: the passes on codelets, in order, before composition.
 *
 *   shared_atomics   first: what a write to a shared variable means has to be in the tree
 *   shuffles         on the result, so that atomic writes are no exchanges
 *   map_atomics      on compound codelets only, in any order
 *   lanes            on what was written: an array that shuffles made needless still limits the plain form
 *   rounds, votes    on what was written
 *   serves           on the plain form, for no more lanes than these
 *   order            on the plain form, where the operator does not commute, for those that it serves */
#include "passes/codelet_passes.h"

#include "ir/monoid.h"
#include "ir/spectrum_tunables.h"

typedef struct Count { Form *form; } Count;

static bool count(void *context, const Tree *t) {
  Form *f = ((Count *)context)->form;
  if (t->op == OP_SHUFFLE) f->shuffles++;
  if (t->op == OP_ATOMIC) f->shared_atomics++;
  if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_SHARED) f->shared_arrays++;
  return true;
}

static Form form_of(Tree *body) {
  Form f = {.body = body};
  Count c = {&f};
  tree_visit(body, count, &c);
  return f;
}

static bool run(Arena *a, Codelet *c, int vector_width, int64_t most_lanes, Diagnostics *d) {
  int errors = d->errors;
  if (c->kind == CLASS_COMPOUND) {
    c->results = pass_map_atomics(c, d);
    return d->errors == errors;
  }
  Tree *plain = pass_shared_atomics(a, c, c->body, d);
  if (d->errors > errors || !tree_verify(plain, FORM_CODELET, c->params, c->nparams, "shared_atomics", d)) return false;
  c->plain = form_of(plain);
  c->lanes_max = c->kind == CLASS_COOPERATIVE ? pass_lanes(c, vector_width, d) : 0;
  if (c->kind == CLASS_COOPERATIVE && !pass_votes(a, c, d)) return false;
  c->rounds = c->kind == CLASS_COOPERATIVE && pass_rounds(c, d);
  if (c->kind == CLASS_COOPERATIVE) c->lanes = pass_serves(a, c, vector_width, most_lanes, d);
  if (!spectrum_commutes(c->spectrum)) c->keeps_order = pass_order(c, vector_width, d);
  if (c->kind != CLASS_COOPERATIVE) return true;
  Tree *shuffled = pass_shuffles(a, c, plain, d);
  if (shuffled) {
    if (!tree_verify(shuffled, FORM_CODELET, c->params, c->nparams, "shuffles", d)) return false;
    c->shuffled = form_of(shuffled);
  }
  return d->errors == errors;
}

/* What follows for it from those that it applies. */
static void note_applied(Arena *a, Spectrum *s) {
  const Spectra all = spectrum_applied(a, s);
  for (int i = 0; i < all.n; i++) s->cuts |= all.at[i]->cuts;
  s->tunables = spectrum_tunables(a, s);
}

bool codelet_passes_run(Arena *a, Unit *u, int vector_width, int64_t most_lanes, Diagnostics *d) {
  bool ok = true;
  for (int i = 0; i < u->nspectra; i++)
    for (int k = 0; k < u->spectra[i]->ncodelets; k++)
      /* go on: report all errors together */
      if (!run(a, u->spectra[i]->codelets[k], vector_width, most_lanes, d)) ok = false;
  for (int i = 0; i < u->nspectra; i++) note_applied(a, u->spectra[i]);
  return ok;
}
