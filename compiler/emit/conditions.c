/* conditions.c: what rows of a table may ask of an output's calls beside their size (table/conditions.h), and how a
 * library finds out. */
#include "emit/conditions.h"

#include "emit/language.h"

/* A container of several dimensions that is only read: its rows are what variants copy many elements at a time of. Of
 * what is written, too, variants store what fits. */
static bool has_rows(const Operand *x) {
  return x->kind == OPERAND_ARRAY && operand_rank(x) >= 2 && x->read && !x->written;
}

/* The results whose sides no size of the table tells: the one container of several dimensions that is written; NULL:
 * there is none. */
static const Operand *results(const Output *o) {
  const Signature *s = output_operands(o);
  const PartsGiven parts = signature_parts(s, o->spectrum);
  if (parts.results >= 0) return &s->at[parts.results];
  const Operand *found = NULL;
  for (int i = 0; i < s->n && !output_by_shape(o); i++) {
    const Operand *x = &s->at[i];
    if (x->kind != OPERAND_ARRAY || !x->written) continue;
    if (found || operand_rank(x) < 2) return NULL;
    found = x;
  }
  return found;
}

unsigned output_conditions(const Output *o) {
  if (!o->nvariants) return 0;
  const Signature *s = output_operands(o);
  unsigned all = results(o) ? RESULTS_TALL | RESULTS_WIDE : 0;
  for (int i = 0; i < s->n; i++)
    if (has_rows(&s->at[i])) all |= ROWS_ALIGNED;
  return all;
}

/* How many bytes an element takes, in C. Of a half, which a compiler for a CPU may not have, the number. */
static const char *bytes_of(Arena *a, const Operand *x, const ElementType *e) {
  if ((x->symbol->type == TYPE_ELEM || x->symbol->type == TYPE_STORED) && e->bytes == 2) return "2";
  return arena_printf(a, "sizeof *%s", x->symbol->name);
}

/* Where rows begin, and how far they lie apart, in bytes: joined by |, whose low bits are 0 if all of these are. */
static const char *alignments(Arena *a, const Output *o, const ElementType *e) {
  const Signature *s = output_operands(o);
  Buffer b = buffer_new(a);
  for (int i = 0; i < s->n; i++) {
    const Operand *x = &s->at[i];
    if (!has_rows(x)) continue;
    buffer_printf(&b, "%s(uintptr_t)%s", b.length ? " | " : "", x->symbol->name);
    const int rank = operand_rank(x);
    for (int d = 0; d < rank - 1; d++)
      buffer_printf(&b, " | %s * %s", s->at[x->size[rank + d]].symbol->name, bytes_of(a, x, e));
  }
  return b.text;
}

const char *output_call_is_like(Arena *a, const Output *o, const ElementType *e) {
  const unsigned all = output_conditions(o);
  const Operand *x = results(o);
  Buffer b = buffer_new(a);
  if (all & ROWS_ALIGNED)
    buffer_printf(&b, "((%s) %% 16 == 0 ? ROWS_ALIGNED : 0)", alignments(a, o, e));
  if (all & RESULTS_TALL) {
    const Signature *s = output_operands(o);
    const int rank = operand_rank(x);
    const char *rows = s->at[x->size[rank - 2]].symbol->name, *columns = s->at[x->size[rank - 1]].symbol->name;
    buffer_printf(&b, "%s(%s / %d >= %s ? RESULTS_TALL : %s / %d >= %s ? RESULTS_WIDE : 0)",
                  b.length ? " |\n      " : "", rows, CONDITION_SKEW, columns, columns, CONDITION_SKEW, rows);
  }
  return b.length ? b.text : "0";
}
