/* prior.c: reads off the text of the codelet that defines a spectrum whether a container's earlier values matter. One
 * codelet is enough: all of a spectrum compute the same. The sequential one comes first, since others may read what
 * they wrote themselves. */
#include "ir/prior.h"

enum { DEEPEST = 8 }; /* calls in calls */

static bool matters(const Spectrum *s, int param, int depth);

static const Codelet *defining_codelet(const Spectrum *s) {
  for (int i = 0; i < s->ncodelets; i++)
    if (s->codelets[i]->kind == CLASS_AUTONOMOUS && s->codelets[i]->body) return s->codelets[i];
  for (int i = 0; i < s->ncodelets; i++)
    if (s->codelets[i]->body) return s->codelets[i];
  return NULL;
}

/* Is it the container, or parts of it? */
static bool is_of(const Tree *t, const Symbol *x) {
  const bool parts = t->op == OP_PARTITION || t->op == OP_PARTS || t->op == OP_ROWS || t->op == OP_COLUMNS;
  if (parts && t->nkids) t = t->kid[0];
  return t->op == OP_REF && t->symbol == x;
}

static bool reads(const Tree *t, const Symbol *x, int depth);

static bool kids_read(const Tree *t, const Symbol *x, int from, int depth) {
  for (int i = from; i < t->nkids; i++)
    if (reads(t->kid[i], x, depth)) return true;
  return false;
}

/* What a call or a map is given goes to the parameters of its spectrum. */
static bool call_reads(const Tree *t, const Symbol *x, int depth) {
  for (int i = 0; i < t->nkids; i++)
    if (is_of(t->kid[i], x) ? matters(t->spectrum, i, depth + 1) : reads(t->kid[i], x, depth)) return true;
  return false;
}

static bool reads(const Tree *t, const Symbol *x, int depth) {
  if (!t) return false;
  switch (t->op) {
    case OP_REF: return t->symbol == x;
    case OP_SIZE: case OP_STRIDE: case OP_APART: return false;
    case OP_CALL: case OP_MAP: return call_reads(t, x, depth);
    case OP_MAP_TO: return reads(t->kid[0], x, depth) || (!is_of(t->kid[1], x) && reads(t->kid[1], x, depth));
    case OP_DECLARE: return (t->symbol->init && reads(t->symbol->init, x, depth)) || kids_read(t, x, 0, depth);
    case OP_ASSIGN: {
      const Tree *to = t->kid[0];
      if (t->compound || to->op != OP_INDEX || !is_of(to->kid[0], x)) return kids_read(t, x, 0, depth);
      return kids_read(to, x, 1, depth) || kids_read(t, x, 1, depth);
    }
    default: return kids_read(t, x, 0, depth);
  }
}

static bool matters(const Spectrum *s, int param, int depth) {
  const Codelet *c = s ? defining_codelet(s) : NULL;
  if (!c || param >= c->nparams || depth > DEEPEST) return true;
  return c->params[param]->atomic != ATOMIC_NONE || reads(c->body, c->params[param], depth);
}

bool prior_matters(const Spectrum *s, int param) { return matters(s, param, 0); }
