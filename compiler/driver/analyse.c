/* analyse.c: a codelet file in an editor: all that a compilation would say of it, up to its plans, of every spectrum
 * that could be compiled. Nothing is written.
 *
 * Where a command line says more than the file does, an editor has to guess:
 *
 *   operator   of codelets over one: the one that is asked for, or Sum; and each that the file defines
 *   codelets   a file of operators alone is tried with those of the shipped reduce.cdl
 *   machine    what cannot be composed on it is noted, and is no error: another may be meant */
#include "driver/analyse.h"

#include <string.h>

#include "driver/compile_parts.h"
#include "ir/function.h"
#include "support/paths.h"

enum { MOST_OPERATORS = 8 };

/* ---- texts that are not saved yet ---- */

typedef struct Texts { const LspText *at; int n; } Texts;

static SourceFile *read_text(const void *context, Arena *a, const char *path) {
  const Texts *texts = context;
  for (int i = 0; i < texts->n; i++) {
    const LspText *t = &texts->at[i];
    if (!path_is_same(t->path, path)) continue;
    SourceFile *f = arena_one(a, SourceFile);
    *f = (SourceFile){.path = arena_strdup(a, path), .text = t->text, .size = t->size};
    return f;
  }
  return source_read(a, path);
}

/* ---- the front end ---- */

typedef struct Analysis {
  Arena *a;
  Options options;
  SourceReader reader;
  LspAnalysis *to;
} Analysis;

/* Compiles the file, with an operator, up to the codelet passes. */
static Compilation front(const Analysis *x, const char *operation, Mentions *mentions, Diagnostics *d) {
  Options *o = arena_one(x->a, Options);
  *o = x->options;
  o->operation = operation;
  Compilation c = {.arena = x->a, .options = o, .diagnostics = d, .reader = &x->reader, .mentions = mentions};
  if (!compile_front(&c)) c.unit = NULL;
  return c;
}

/* The same text was read again: its places are those of the first time. */
static void join_errors(LspAnalysis *to, const Diagnostics *from) {
  for (int i = 0; i < from->list.n; i++) {
    const Diagnostic *x = &from->list.at[i];
    SourceRange at = x->where;
    if (to->file && at.file && at.file->size == to->file->size) at.file = to->file;
    if (x->level == DIAG_ERROR || x->level == DIAG_WARNING)
      diagnostics_add(to->diagnostics, x->level, at, x->hint, "%s", x->message);
  }
}

/* Also with the operators that the file defines: they are codelets' text too. */
static void try_operators(const Analysis *x, const Mentions *m, const char *done) {
  for (int i = 0; i < m->monoids.n && i < MOST_OPERATORS; i++) {
    if (strcmp(m->monoids.at[i], done) == 0) continue;
    Mentions unused = {0};
    Diagnostics *d = diagnostics_new(x->a);
    front(x, m->monoids.at[i], &unused, d);
    join_errors(x->to, d);
  }
}

/* ---- composition ---- */

/* Codelets that some plan uses, by where they stand. */
typedef struct Used { Arena *a; VEC(unsigned) at; } Used;

static void note_used(Used *u, const PlanNode *n) {
  if (n->rule->codelet) vec_push(u->a, &u->at, n->rule->codelet->where.begin);
  for (int i = 0; i < n->nkids; i++) note_used(u, n->kid[i]);
}

static bool is_used(const Used *u, const Diagnostic *d) {
  for (int i = 0; i < u->at.n; i++)
    if (u->at.at[i] == d->where.begin) return true;
  return false;
}

/* Could it be the one that is compiled? */
static bool is_outermost(const Unit *u, const Spectrum *s) {
  bool containers = false;
  if (!s->ncodelets || function_is(s) || compile_applied_by(u, s)) return false;
  for (int i = 0; i < s->codelets[0]->nparams; i++) containers |= s->codelets[0]->params[i]->rank > 0;
  return containers;
}

static void compose(const Analysis *x, Compilation *c) {
  Diagnostics *said = diagnostics_new(x->a), *d = x->to->diagnostics;
  Used used = {.a = x->a};
  c->diagnostics = said;
  for (int i = 0; i < c->unit->nspectra; i++) {
    if (!is_outermost(c->unit, c->unit->spectra[i])) continue;
    c->output.spectrum = c->unit->spectra[i];
    compile_search(c);
    for (int k = 0; k < c->plans.list.n; k++) note_used(&used, c->plans.list.at[k]->root);
  }
  for (int i = 0; i < said->list.n; i++) {
    Diagnostic one = said->list.at[i];
    if (one.pass && strcmp(one.pass, "unused") == 0 && is_used(&used, &one)) continue; /* another spectrum's plans do */
    if (one.level == DIAG_REMARK) diagnostics_remark(d, one.remark, one.pass, one.where, "%s", one.message);
    else if (one.level != DIAG_NOTE) diagnostics_add(d, DIAG_NOTE, one.where, one.hint, "%s", one.message);
  }
}

/* ---- all of it ---- */

void analyse(const void *options, Arena *a, const LspText *texts, int n, int which, LspAnalysis *to) {
  const Options *given = options;
  const Texts all = {texts, n};
  Analysis x = {.a = a, .options = *given, .reader = {read_text, &all}, .to = to};
  x.options.file = texts[which].path;
  Compilation c = front(&x, NULL, &to->mentions, to->diagnostics);
  const char *operation = given->operation ? given->operation : "Sum";
  if (to->mentions.operators) {
    to->diagnostics = diagnostics_new(a); /* that there is none */
    c = front(&x, operation, &to->mentions, to->diagnostics);
  }
  to->file = c.output.file;
  to->unit = c.unit;
  const bool operators_alone = to->mentions.read && !to->mentions.codelets && to->mentions.monoids.n;
  const char *folder = operators_alone ? path_of_data(a, "codelets") : NULL;
  if (operators_alone) to->diagnostics = diagnostics_new(a);
  const char *reduce = folder ? arena_printf(a, "%s/reduce.cdl", folder) : NULL;
  if (folder) {
    x.options.more = &reduce;
    x.options.nmore = 1;
  }
  if (to->mentions.operators || folder) {
    const Mentions own = to->mentions;
    try_operators(&x, &own, operation);
  }
  if (c.unit && given->arch) compose(&x, &c);
}
