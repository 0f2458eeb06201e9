/* writes.c: what codelets write: directly, by contributions, through the spectra that they apply. */
#include "front/writes.h"

#include "ir/function.h"
#include "ir/steps.h"

typedef struct Writes {
  const Codelet *codelet;
  Diagnostics *d;
  bool ok;
} Writes;

static void refuse(Writes *w, const Tree *at, const char *hint, const char *message) {
  diagnostics_add(w->d, DIAG_ERROR, at->where, hint, "%s", message);
  w->ok = false;
}

int writes_parameter(const Codelet *c, const Symbol *s) {
  for (int i = 0; i < c->nparams; i++)
    if (c->params[i] == s) return i;
  return -1;
}

const Symbol *writes_parameter_for(const Tree *t, int i) {
  const Codelet *of = t->spectrum->ncodelets ? t->spectrum->codelets[0] : NULL;
  if (!of) return NULL;
  if (t->op != OP_SLIDE) return i < of->nparams ? of->params[i] : NULL;
  for (int p = 0, at = 2; p < of->nparams; p++) { /* the carry is for its number */
    if (!of->params[p]->rank) continue;
    if (at++ == i) return of->params[p];
  }
  return NULL;
}

/* ---- contributions ---- */

static const Symbol *accumulates(const Tree *t) {
  const Symbol *s = t->op == OP_INDEX && t->kid[0]->op == OP_REF ? t->kid[0]->symbol : NULL;
  return s && s->kind == SYMBOL_PARAM && s->atomic ? s : NULL;
}

/* What is contributed by `bins[i] += v', `bins[i] = max(bins[i], v)'; NULL when it is no contribution by the op. */
static const Tree *contributed(const Tree *assign, AtomicOp op) {
  const Tree *place = assign->kid[0], *value = assign->kid[1];
  const Op compound = op == ATOMIC_ADD   ? OP_ADD
                      : op == ATOMIC_SUB ? OP_SUB
                      : op == ATOMIC_AND ? OP_AND
                      : op == ATOMIC_OR  ? OP_OR
                      : op == ATOMIC_XOR ? OP_XOR
                                         : (Op)0;
  if (compound) return assign->compound == compound ? value : NULL;
  if (op == ATOMIC_APPEND) return NULL;
  if (atomic_stores(op)) return assign->compound ? NULL : value;
  if (assign->compound || value->op != (op == ATOMIC_MAX ? OP_MAX : OP_MIN)) return NULL;
  return tree_equal(value->kid[0], place) ? value->kid[1] : tree_equal(value->kid[1], place) ? value->kid[0] : NULL;
}

static const char *contribution(Writes *w, const Symbol *s) {
  switch (s->atomic) {
    case ATOMIC_ADD: return arena_printf(w->d->arena, "%s[i] += v", s->name);
    case ATOMIC_SUB: return arena_printf(w->d->arena, "%s[i] -= v", s->name);
    case ATOMIC_AND: return arena_printf(w->d->arena, "%s[i] &= v", s->name);
    case ATOMIC_OR: return arena_printf(w->d->arena, "%s[i] |= v", s->name);
    case ATOMIC_XOR: return arena_printf(w->d->arena, "%s[i] ^= v", s->name);
    case ATOMIC_ONCE: case ATOMIC_ANY: return arena_printf(w->d->arena, "%s[i] = v", s->name);
    case ATOMIC_APPEND: return arena_printf(w->d->arena, "%s.append(v)", s->name);
    case ATOMIC_MAX: return arena_printf(w->d->arena, "%s[i] = max(%s[i], v)", s->name, s->name);
    default: return arena_printf(w->d->arena, "%s[i] = min(%s[i], v)", s->name, s->name);
  }
}

/* What may be done with a container that others write to at the same time. */
static void refuse_read(Writes *w, const Tree *at, const Symbol *s, const char *hint) {
  refuse(w, at, hint,
         arena_printf(w->d->arena,
                      s->atomic == ATOMIC_APPEND ? "`%s' is __append: its elements are read in a later step"
                      : s->atomic == ATOMIC_ONCE ? "`%s' is __accum: its elements can be written, not read"
                      : s->atomic == ATOMIC_ANY ? "`%s' is __accum(Any) here, and is read as another container"
                                                : "`%s' is __accum: its elements can be added to, not read",
                      s->name));
}

/* Appends, and claims of places. */
static void check_effects(Writes *w, const Tree *t) {
  const bool alone = t->op == OP_DECLARE && t->nkids && t->kid[0]->op == OP_CLAIM;
  const bool effect = t->op == OP_CLAIM || (t->op == OP_ATOMIC && t->atomic == ATOMIC_APPEND);
  if ((effect || alone) && w->codelet->kind != CLASS_AUTONOMOUS)
    refuse(w, t, "put it into a codelet for one lane, and map that",
           t->op == OP_ATOMIC ? "only an autonomous codelet appends" : "only an autonomous codelet claims places");
  else if (t->op == OP_CLAIM)
    refuse(w, t, "if (levels.claim(i, -1, level)) ..", "a claim stands alone: it is all of a condition, or of a value");
  for (int i = 0; i < t->nkids; i++)
    if (t->kid[i] && !alone) check_effects(w, t->kid[i]);
}

static void check_contributions(Writes *w, const Tree *t) {
  if (!t) return;
  if (t->op == OP_ATOMIC) { /* an append */
    check_contributions(w, t->kid[1]);
    return;
  }
  if (t->op == OP_ADDRESS) { /* whose function adds to it */
    for (int i = 1; i < t->kid[0]->nkids; i++) check_contributions(w, t->kid[0]->kid[i]);
    return;
  }
  const Symbol *s = t->op == OP_ASSIGN ? accumulates(t->kid[0]) : NULL;
  if (s) {
    const Tree *value = contributed(t, s->atomic);
    for (int i = 1; i < t->kid[0]->nkids; i++) check_contributions(w, t->kid[0]->kid[i]);
    if (value) check_contributions(w, value);
    else
      refuse(w, t, contribution(w, s),
             s->counter ? arena_printf(w->d->arena, "`%s' is a queue: elements are appended", s->name)
                        : arena_printf(w->d->arena, "`%s' is written, but not with __accum(%s)", s->name,
                                       atomic_name(s->atomic)));
    return;
  }
  if ((s = accumulates(t)) && s->atomic != ATOMIC_ANY) refuse_read(w, t, s, contribution(w, s));
  if (t->op == OP_DECLARE) check_contributions(w, t->symbol->init);
  for (int i = 0; i < t->nkids; i++) check_contributions(w, t->kid[i]);
}

/* ---- arguments ---- */

/* The container that an argument takes its elements from. */
static const Tree *container_of(const Tree *t) {
  const bool parts = t->op == OP_PARTITION || t->op == OP_PARTS || t->op == OP_ROWS || t->op == OP_COLUMNS ||
                     t->op == OP_ELEMENTS || t->op == OP_BOX;
  return parts ? t->kid[0] : t;
}

static const char *name_of(const Tree *t) { return t->op == OP_REF ? t->symbol->name : op_spelling(t->op); }

/* Does it stand alone between others? Then nobody else has to do with what it writes while it does. */
static bool is_step(const Writes *w, const Tree *applied) { return applied->op == OP_CALL && steps_any(w->codelet); }

/* The container that is written; NULL: it may not be. */
static const Symbol *check_written(Writes *w, const Tree *applied, const Tree *x, const Symbol *param) {
  Arena *a = w->d->arena;
  const Tree *c = container_of(x);
  const Symbol *s = c->op == OP_REF && c->symbol->kind != SYMBOL_MAP ? c->symbol : NULL;
  const char *f = applied->spectrum->name;
  if (!s)
    refuse(w, x, "a parameter that is `__mutable', or `Array<1, T> c(n);'",
           arena_printf(a, "`%s' writes its `%s', and this cannot be written", f, param->name));
  else if (!s->writable)
    refuse(w, c, "declare the parameter `__mutable'",
           arena_printf(a, "`%s' is read-only here, and `%s' writes it", s->name, f));
  else if (param->atomic == ATOMIC_APPEND && s->atomic != ATOMIC_APPEND && s->kind == SYMBOL_PARAM)
    refuse(w, c, "declare the parameter `__append(count)'",
           arena_printf(a, "`%s' is no queue, and `%s' appends to it", s->name, f));
  else if (s->atomic != param->atomic && s->kind == SYMBOL_PARAM && (s->atomic || !is_step(w, applied)) &&
           !applied->spectrum->codelets[0]->own_places)
    /* the codelet's own array begins at the identity */
    refuse(w, c, arena_printf(a, "__accum(%s)", atomic_name(s->atomic ? s->atomic : param->atomic)),
           s->atomic ? arena_printf(a, "`%s' is written by `%s', but not with __accum(%s)", s->name, f,
                                    atomic_name(s->atomic))
                     : arena_printf(a, "`%s' is accumulated by `%s', but is not declared __accum", s->name, f));
  else if (applied->op != OP_CALL && c == x && !param->atomic)
    refuse(w, c, arena_printf(a, "partition(%s, ..)", s->name),
           arena_printf(a, "every part would write all of `%s'", s->name));
  else return s;
  return NULL;
}

/* ---- what is written while it is read ---- */

typedef struct Reads { const Symbol *s; bool found; } Reads;

/* Are its elements read: is it a part, a view, an argument, what a sequence takes values from? A call is a step
 * before. */
static bool find_element(void *context, const Tree *t) {
  Reads *r = context;
  if (tree_is_extent(t) || t->op == OP_CALL) return false;
  if (t->op != OP_REF) return !r->found;
  if (t->symbol->kind == SYMBOL_SEQUENCE || t->symbol->kind == SYMBOL_CUT) tree_visit(t->symbol->init, find_element, r);
  r->found |= t->symbol == r->s;
  return false;
}

static bool reads(const Tree *t, const Symbol *s) {
  Reads r = {s, false};
  tree_visit(t, find_element, &r);
  return r.found;
}

/* Argument i is written: workers of other parts, and other lanes of the same, come in any order. */
static void check_alone(Writes *w, const Tree *applied, int i, const Symbol *s) {
  const Symbol *param = writes_parameter_for(applied, i);
  const bool queue = param && (param->counter || param->atomic == ATOMIC_ADD);
  const bool cut = applied->op == OP_MAP || applied->op == OP_SLIDE;
  for (int k = applied->op == OP_SLIDE ? 2 : 0; k < applied->nkids; k++) {
    const Tree *x = applied->kid[k];
    bool read = k != i && reads(x, s);
    for (int n = 1; k == i && n < x->nkids; n++) read |= reads(x->kid[n], s);
    if (!read) continue;
    refuse(w, x, queue ? "another queue: what one step appends, a later one reads"
                       : "use one `__mutable' parameter for both: each worker reads and writes a part of its own",
           arena_printf(w->d->arena, "`%s' is written by `%s', and read %s", s->name, applied->spectrum->name,
                        cut ? "by other parts at the same time" : "as another container at the same time"));
    return;
  }
}

/* Views, sequences and parts of what is only contributed to. */
static bool find_read(void *context, const Tree *t) {
  Writes *w = context;
  if (tree_is_extent(t)) return false;
  if (t->op == OP_REF && t->symbol->rank && t->symbol->kind == SYMBOL_PARAM && t->symbol->atomic)
    refuse_read(w, t, t->symbol, t->symbol->atomic == ATOMIC_ANY ? "a parameter that is `__accum(Any)', too" : NULL);
  return true;
}

/* The container that an argument is, as it is. */
static const Symbol *given(const Tree *applied, int i) {
  return i >= 0 && i < applied->nkids && applied->kid[i]->op == OP_REF ? applied->kid[i]->symbol : NULL;
}

/* Argument i is a queue: handed on with what counts its elements. */
static void check_queue(Writes *w, const Tree *applied, int i, const Symbol *param) {
  Arena *a = w->d->arena;
  const int by = writes_parameter(applied->spectrum->codelets[0], param->counter);
  const Symbol *queue = given(applied, i), *counter = given(applied, by);
  const char *f = applied->spectrum->name;
  if (!queue || (queue->kind == SYMBOL_PARAM && queue->atomic != ATOMIC_APPEND))
    refuse(w, applied->kid[i], "a parameter that is `__append', or `Array<1, T> c(n);' between steps",
           arena_printf(a, "`%s' appends to its `%s', and this is no queue", f, param->name));
  else if (!counter || (queue->counter && queue->counter != counter))
    refuse(w, applied->kid[by], queue->counter ? queue->counter->name : "Array<1, int> many(1);",
           arena_printf(a, "this does not count the elements of the queue `%s'", queue->name));
  else {
    check_alone(w, applied, i, queue);
    check_alone(w, applied, by, counter);
  }
}

static void check_argument(Writes *w, const Tree *applied, int i) {
  const Symbol *param = writes_parameter_for(applied, i);
  const Tree *x = applied->kid[i];
  if (!param) return;
  if (param->rank && param->writable) {
    const Symbol *s = check_written(w, applied, x, param);
    if (s && !param->atomic) check_alone(w, applied, i, s);
    if (s && param->counter) check_queue(w, applied, i, param);
  }
  if (param->rank ? !param->writable : x->op == OP_ELEMENTS) tree_visit(x, find_read, w);
}

/* Where a map's results are stored nothing else is read than each part's own element. */
static void check_results(Writes *w, const Tree *store) {
  const Tree *map = store->kid[0]->op == OP_REF ? store->kid[0]->symbol->init : store->kid[0];
  const Symbol *s = store->kid[1]->symbol;
  for (int i = 0; map && i < map->nkids; i++) {
    const Tree *x = map->kid[i];
    if ((x->op == OP_ELEMENTS && x->kid[0]->op == OP_REF) || !reads(x, s)) continue;
    refuse(w, x, arena_printf(w->d->arena, "elements(%s), or another container for the results", s->name),
           arena_printf(w->d->arena, "the results are stored in `%s', and other parts read it at the same time",
                        s->name));
    return;
  }
}

static bool visit(void *context, const Tree *t) {
  Writes *w = context;
  switch (t->op) {
    case OP_DECLARE: if (t->symbol->init) tree_visit(t->symbol->init, visit, w); break;
    case OP_MAP:
      if (function_is(t->spectrum))
        refuse(w, t, "define it before the codelet that maps it",
               arena_printf(w->d->arena, "the function `%s' is not defined yet", t->spectrum->name));
      /* fallthrough */
    case OP_CALL: case OP_SLIDE:
      for (int i = t->op == OP_SLIDE ? 2 : 0; i < t->nkids; i++) check_argument(w, t, i);
      break;
    case OP_SEQUENCE: if (t->nkids == 4) tree_visit(t->kid[0], find_read, w); break;
    case OP_MAP_TO: {
      const Tree *to = t->kid[1];
      bool fits = to->op == OP_REF && to->symbol->kind != SYMBOL_MAP && to->symbol->writable && !to->symbol->atomic;
      if (!fits)
        refuse(w, to, "declare the parameter `__mutable'",
               arena_printf(w->d->arena, "`%s' is read-only here, and the map's results are stored in it",
                            name_of(to)));
      else check_results(w, t);
      break;
    }
    default: break;
  }
  return true;
}

bool front_writes(const Codelet *c, Diagnostics *d) {
  Writes w = {c, d, true};
  check_effects(&w, c->body);
  check_contributions(&w, c->body);
  tree_visit(c->body, visit, &w);
  return w.ok;
}

/* ---- all of a container ---- */

typedef struct Maps { const Spectrum *of; int n; } Maps;

static bool count_maps(void *context, const Tree *t) {
  Maps *m = context;
  m->n += (t->op == OP_MAP || t->op == OP_SLIDE || t->op == OP_CALL) && t->spectrum == m->of;
  if (t->op == OP_DECLARE && t->symbol->init) tree_visit(t->symbol->init, count_maps, m);
  return true;
}

bool writes_by_one_map(const Codelet *c, const Tree *map) {
  Maps m = {c->spectrum, 0};
  tree_visit(c->body, count_maps, &m);
  return map->spectrum == c->spectrum && m.n == 1;
}
