/* conditions.c: what rows of a table may ask of an output's calls beside their size (table/conditions.h), and how a
 * library finds out. */
#include "emit/conditions.h"

#include "emit/language.h"

/* A container of several dimensions that is only read: its rows are what variants copy many elements at a time of. Of
 * what is written, too, variants store what fits. */
static bool has_rows(const Operand *x) {
  return x->kind == OPERAND_ARRAY && operand_rank(x) >= 2 && x->read && !x->written;
}

static const Operand *results(const Output *o) { return signature_results(output_operands(o), o->spectrum); }

unsigned output_conditions(const Output *o) {
  if (!o->nvariants) return 0;
  const Signature *s = output_operands(o);
  unsigned all = results(o) ? RESULTS_TALL | RESULTS_WIDE : 0;
  for (int i = 0; i < s->n; i++)
    if (has_rows(&s->at[i])) all |= ROWS_ALIGNED;
  return all;
}

/* The extents of a plan's tiles of what it writes, which has that many dimensions. */
static bool tiles_of(Arena *a, const Plan *p, int rank, OutputTiles *to) {
  const PlanNode *work = plan_tiled(p->root);
  PlanTiles t;
  if (!work || !plan_tiles(work, &t) || t.rank != rank) return false;
  for (int d = 0; d < rank; d++) {
    const Tree *cut = t.cut[t.written][d].grid;
    if (!cut) return false;
    to->member[d] = plan_tile_name(a, tree_cut(cut));
  }
  const Symbol *panels = plan_tile_panels(&t);
  if (panels) to->panel = plan_tile_name(a, panels);
  return true;
}

/* The size of what is read that results have not: those of products are made of so many elements each. */
static const char *inner_of(const Signature *s, const Operand *results) {
  for (int i = 0; i < s->n; i++) {
    const Operand *x = &s->at[i];
    const int rank = x->kind == OPERAND_ARRAY && x->read && x != results ? operand_rank(x) : 0;
    for (int d = rank - 1; rank > 1 && d >= 0; d--) {
      bool own = x->size[d] >= 0;
      for (int k = 0; k < operand_rank(results); k++) own &= x->size[d] != results->size[k];
      if (own) return s->at[x->size[d]].symbol->name;
    }
  }
  return NULL;
}

bool output_tiles(Arena *a, const Output *o, OutputTiles *t) {
  const Operand *x = o->nvariants ? results(o) : NULL;
  if (!x || o->order || output_is_for_cpu(o)) return false;
  const Signature *s = output_operands(o);
  t->rank = operand_rank(x);
  t->inner = inner_of(s, x);
  for (int d = 0; d < t->rank && t->rank <= MOST_DIMENSIONS; d++) t->side[d] = s->at[x->size[d]].symbol->name;
  bool any = false;
  t->panel = NULL;
  for (int i = 0; i < o->nvariants && t->rank <= MOST_DIMENSIONS && !t->panel; i++)
    any |= tiles_of(a, o->variants[i].plan, t->rank, t);
  return any;
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
