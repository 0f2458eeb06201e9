/* calls.c: conditions of a table's rows (table/conditions.h) in the tuner: calls that meet them and calls that do not
 * are measured apart, and rows that were not measured now stay. */
#include <string.h>

#include "tune/tune.h"

const char *calls_text(Arena *a, Calls c) {
  Buffer b = buffer_new(a);
  for (int i = 0; i < ROW_CONDITIONS; i++) {
    const RowCondition *one = &row_conditions[i];
    if (!((c.like | c.unlike) & one->bit)) continue;
    buffer_printf(&b, "%s%s%s", b.length ? ", " : "", c.like & one->bit ? "" : "not ", one->word);
  }
  return b.length ? b.text : "";
}

int calls_apart(unsigned conditions, Calls to[MOST_CALLS]) {
  static const unsigned order[MOST_CALLS] = {
      ROWS_ALIGNED | RESULTS_TALL, ROWS_ALIGNED | RESULTS_WIDE, ROWS_ALIGNED, RESULTS_TALL, RESULTS_WIDE, 0};
  int n = 0;
  for (int i = 0; i < MOST_CALLS; i++)
    if (!(order[i] & ~conditions)) to[n++] = (Calls){order[i], conditions & ~order[i]};
  return n;
}

Shapes calls_shapes(Arena *a, const Folder *f, const Shapes *all, Calls c) {
  enum { LEAST = 64 }; /* results, of which the measuring process makes a side 8 times as long, and one an 8th */
  Shapes some = {0};
  for (int i = 0; i < all->n; i++) {
    Shape s = all->at[i];
    s.calls = c;
    const bool sides = c.like & (RESULTS_TALL | RESULTS_WIDE);
    if (!sides || (f->by_shape ? s.count : s.n) >= LEAST) vec_push(a, &some, s);
  }
  return some;
}

unsigned calls_conditions(const char *list) {
  unsigned all = 0;
  for (;; list++) {
    const size_t n = strcspn(list, ",");
    const unsigned one = condition_by_word(list, n);
    if (!one || (all & one)) return 0;
    all |= one;
    list += n;
    if (!*list) return all;
  }
}

/* ---- rows that stay ---- */

static bool has_variant(const Folder *f, const char *id) {
  for (int i = 0; i < f->nvariants; i++)
    if (strcmp(f->variants[i].id, id) == 0) return true;
  return false;
}

/* Are there rows of the type with these conditions, all of them of variants that the folder has? */
static bool may_stay(const Folder *f, const Table *t, const char *type, unsigned when) {
  bool any = false;
  for (int i = 0; i < t->rows.n; i++) {
    const TableRow *r = &t->rows.at[i];
    if (strcmp(r->type, type) != 0 || r->when != when) continue;
    if (!has_variant(f, r->variant)) return false;
    any = true;
  }
  return any && !(when & ~f->conditions);
}

unsigned rows_replaced(const Folder *f, const Table *before, const char *type) {
  return may_stay(f, before, type, ROWS_ALIGNED) && may_stay(f, before, type, 0) ? ROWS_ALIGNED : 0;
}

void rows_keep(Arena *a, const Folder *f, const Table *before, const char *type, unsigned when, bool behind,
               Table *to) {
  bool past = false;
  for (int i = 0; i < before->rows.n; i++) {
    const TableRow *r = &before->rows.at[i];
    if (strcmp(r->type, type) != 0) continue;
    past |= r->when == when;
    if (r->when == when || past != behind || !may_stay(f, before, type, r->when)) continue;
    if (!when && r->when == ROWS_ALIGNED) continue; /* as what was measured now */
    vec_push(a, &to->rows, *r);
  }
}
