/* extract.c: maps between steps become spectra of their own.
 *
 *   Array<1, T> z(X.Size(0));          void fit_score(X, w, z) { Map m(score<T>, rows(X), w);
 *   Map m(score<T>, rows(X), w);                                 m.to(z); }
 *   m.to(z);                           Array<1, T> z(X.Size(0));
 *   return sum(z);                     fit_score(X, w, z);
 *                                      return sum(z);
 *
 * The made codelet has the map's cuts, its numbers of parts, and numbers that are made of sizes. Its parameters are
 * what else the map mentions: containers, and numbers that steps or loops decide. */
#include "front/extract.h"

#include "ir/owned.h"

typedef struct Extract {
  Arena *a;
  Diagnostics *d;
  Unit *unit;
  Codelet *from, *to;
  VEC(Symbol *) old, made; /* what the codelet's symbols are in the made one's text */
  VEC(Symbol *) given;     /* those that are its parameters */
  VEC(Tree *) body;
  int at;                  /* which of the codelet's statements is at hand */
} Extract;

/* ---- which codelets ---- */

static bool is_map(const Tree *t) { return t->op == OP_MAP || (t->op == OP_REF && t->symbol->kind == SYMBOL_MAP); }

/* f(m), f(map(..), x) */
static bool combines_map(const Tree *t) {
  for (int i = 0; t->op == OP_CALL && i < t->nkids; i++)
    if (is_map(t->kid[i])) return true;
  return false;
}

static bool mentions_tunable(const Tree *t) {
  if (t->op == OP_REF && t->symbol->kind == SYMBOL_TUNABLE) return true;
  for (int i = 0; i < t->nkids; i++)
    if (mentions_tunable(t->kid[i])) return true;
  return false;
}

/* The only cut of a container of one dimension, or of one of whose others nothing is cut; NULL: there are several. */
static const Symbol *parts_cut(const Tree *parts) {
  const Symbol *cut = NULL;
  for (int d = 1; d < parts->nkids; d++) {
    const Symbol *of = tree_cut(parts->kid[d]);
    if (of && cut) return NULL;
    if (of) cut = of;
  }
  return cut;
}

static bool is_unit(const Tree *t) { return t->op == OP_MAP_TO || t->op == OP_MAP_RUN || combines_map(t); }

/* How many parts a map has whose number is given, not a tunable; NULL: it is. */
static Tree *given_parts(Arena *a, const Tree *map) {
  Tree *many = NULL;
  for (int i = 0; i < map->nkids; i++) {
    const Tree *x = map->kid[i];
    const Symbol *cut = x->op == OP_PARTS ? parts_cut(x) : NULL;
    if (x->op == OP_PARTS && !cut) return NULL;
    if (x->op == OP_PARTITION || cut) many = cut ? cut->init->kid[0] : x->kid[1];
    if (many && mentions_tunable(many)) return NULL;
    if (many || (x->op != OP_ROWS && x->op != OP_COLUMNS && x->op != OP_ELEMENTS)) continue;
    many = tree_unary(a, OP_SIZE, TYPE_INDEX, x->kid[0]);
    many->dimension = x->op == OP_COLUMNS;
  }
  return many;
}

static const Tree *map_of(const Tree *t) { return t->op == OP_REF ? t->symbol->init : t; }

/* `sum(m)' of given parts: their results are stored, and then combined. */
static bool combines_given(Arena *a, const Codelet *c, const Tree *t) {
  bool any = false;
  for (int i = 0; combines_map(t) && t->spectrum != c->spectrum && i < t->nkids; i++)
    any |= is_map(t->kid[i]) && given_parts(a, map_of(t->kid[i]));
  return any;
}

static bool is_own(const Tree *t) { return t->op == OP_REF && t->symbol->kind == SYMBOL_LOCAL && t->symbol->rank; }

typedef struct Found {
  Arena *a;
  const Codelet *codelet;
  const Tree *map;
  int maps, units, calls;
  bool refused, loops, given;
} Found;

static bool find(void *context, const Tree *t) {
  Found *f = context;
  if (t->op == OP_MAP) f->map = t, f->maps++;
  f->units += is_unit(t);
  f->calls += t->op == OP_CALL && !combines_map(t);
  f->given |= combines_given(f->a, f->codelet, t);
  f->loops |= (t->op == OP_FOR || t->op == OP_WHILE);
  f->refused |= t->op == OP_SLIDE || t->op == OP_MAP_ATOMIC || (t->op == OP_ELEMENTS && is_own(t->kid[0])) ||
                (combines_map(t) && t->spectrum == f->codelet->spectrum);
  if (t->op == OP_DECLARE && t->symbol->init) tree_visit(t->symbol->init, find, f);
  return true;
}

/* Is what a codelet returns more than what one spectrum gives? */
static bool returns_more(const Codelet *c) {
  const Tree *last = c->body->nkids ? c->body->kid[c->body->nkids - 1] : NULL;
  if (!last || last->op != OP_RETURN || !last->nkids) return false;
  const Tree *t = last->kid[0], *is = t->op == OP_REF ? tree_declared(c->body, t->symbol) : t;
  return !is || is->op != OP_CALL;
}

/* Do the map's workers contribute to a container that nothing has written: one of their own, which is to be merged? */
static bool has_private(const Codelet *c, const Tree *map) {
  const Owned own = owned_of(c);
  const Codelet *of = map->spectrum->ncodelets ? map->spectrum->codelets[0] : NULL;
  for (int k = 0; k < own.n && k < MOST_OPERANDS; k++) {
    if (own.merge[k]) return true;
    for (int i = 0; of && i < map->nkids && i < of->nparams; i++) {
      const Tree *x = map->kid[i];
      const bool contributed = of->params[i]->atomic && !atomic_stores(of->params[i]->atomic);
      if (!contributed || x->op != OP_REF || x->symbol != own.container[k]) continue;
      const Tree *first = NULL; /* statement that mentions it */
      for (int s = 0; s < c->body->nkids && !first; s++)
        if (c->body->kid[s]->op != OP_DECLARE && tree_mentions(c->body->kid[s], x->symbol)) first = c->body->kid[s];
      if (!first || tree_holds(first, map)) return true;
    }
  }
  return false;
}

static bool wanted(Arena *a, const Codelet *c) {
  Found f = {.a = a, .codelet = c};
  tree_visit(c->body, find, &f);
  if (!f.maps || f.refused || !f.units) return false;
  if (f.maps == 1 && has_private(c, f.map)) return false;
  return f.units + f.calls > 1 || f.loops || f.given || returns_more(c);
}

/* ---- the made codelet's text ---- */

static Symbol *copy_of(Extract *x, Symbol *s);

static Tree *copied(Extract *x, const Tree *t) {
  if (!t) return NULL;
  Tree **kids = arena_many(x->a, Tree *, t->nkids);
  for (int i = 0; i < t->nkids; i++) kids[i] = copied(x, t->kid[i]);
  Tree *copy = tree_with_kids(x->a, t, kids, t->nkids);
  if (t->op == OP_REF) copy->symbol = copy_of(x, t->symbol);
  return copy;
}

typedef struct Declared { const Symbol *symbol; const Tree *found; } Declared;

static bool find_declared(void *context, const Tree *t) {
  Declared *d = context;
  if (t->op == OP_DECLARE && t->symbol == d->symbol) d->found = t;
  return !d->found;
}

static const Tree *declaration(const Extract *x, const Symbol *s) {
  Declared d = {.symbol = s};
  tree_visit(x->from->body, find_declared, &d);
  return d.found;
}

/* A number that is known before the first step: of sizes, parameters and constants. */
static bool is_known(const Extract *x, const Tree *t) {
  if (!t || t->op == OP_CALL || t->op == OP_INDEX) return false;
  if (t->op == OP_REF && t->symbol->kind == SYMBOL_LOCAL) {
    const Tree *of = declaration(x, t->symbol);
    return of && of->nkids && !tree_assigns(x->from->body, t->symbol) && is_known(x, of->kid[0]);
  }
  for (int i = 0; i < t->nkids; i++)
    if (!is_known(x, t->kid[i])) return false;
  return true;
}

static Symbol *as_parameter(Extract *x, Symbol *s) {
  Symbol *p = arena_one(x->a, Symbol);
  *p = (Symbol){.name = s->name, .kind = SYMBOL_PARAM, .type = s->type, .declared = s->declared, .number = s->number,
                .rank = s->rank, .by_columns = s->by_columns, .where = s->where};
  vec_push(x->a, &x->given, s);
  return p;
}

/* A symbol of the codelet's text, in that of the made one. */
static Symbol *copy_of(Extract *x, Symbol *s) {
  for (int i = 0; i < x->old.n; i++)
    if (x->old.at[i] == s) return x->made.at[i];
  if (s->kind == SYMBOL_CONSTANT) return s;
  Symbol *made;
  const bool number = s->kind == SYMBOL_LOCAL && !s->rank;
  const Tree *of = number || s->kind == SYMBOL_MAP || s->kind == SYMBOL_CUT || s->kind == SYMBOL_SEQUENCE ||
                   s->kind == SYMBOL_TUNABLE ? declaration(x, s) : NULL;
  if (!of || (number && !is_known(x, of->nkids ? of->kid[0] : NULL)) || (number && tree_assigns(x->from->body, s)))
    made = as_parameter(x, s);
  else {
    made = arena_one(x->a, Symbol);
    *made = *s;
    made->init = copied(x, s->init);
    Tree *declare = copied(x, of);
    declare->symbol = made;
    vec_push(x->a, &x->body, declare);
  }
  vec_push(x->a, &x->old, s);
  vec_push(x->a, &x->made, made);
  return made;
}

/* ---- its parameters ---- */

/* Those of the codelet first, in their order: sizes are said by earlier ones. */
static int place_of(const Extract *x, const Symbol *s) {
  for (int i = 0; i < x->from->nparams; i++)
    if (x->from->params[i] == s) return i;
  return x->from->nparams;
}

static void sort_parameters(Extract *x) {
  for (int i = 1; i < x->given.n; i++)
    for (int k = i; k > 0 && place_of(x, x->given.at[k]) < place_of(x, x->given.at[k - 1]); k--) {
      Symbol *s = x->given.at[k];
      x->given.at[k] = x->given.at[k - 1];
      x->given.at[k - 1] = s;
    }
}

/* What a size of the codelet's own container is made of: x.Size(d), and a constant. */
static bool size_of(const Extract *x, const Tree *t, ShapeRule *r) {
  int64_t plus;
  t = tree_uncast(t);
  if (t->op == OP_REF && t->symbol->kind == SYMBOL_LOCAL && !t->symbol->rank) {
    const Tree *of = declaration(x, t->symbol);
    return is_known(x, t) && size_of(x, of->kid[0], r);
  }
  if ((t->op == OP_ADD || t->op == OP_SUB) && tree_constant(t->kid[1], &plus) && size_of(x, t->kid[0], r)) {
    r->plus += t->op == OP_ADD ? plus : -plus;
    return true;
  }
  if (t->op != OP_SIZE || t->kid[0]->op != OP_REF) return false;
  *r = (ShapeRule){.said = true, .times = 1, .of = {t->kid[0]->symbol}, .dim = {t->dimension}};
  return true;
}

/* The first container with that size: of a parameter what it is said to be, of the codelet's own how long it is. */
static ShapeRule size_said(const Extract *x, const Symbol *s, int dim) {
  ShapeRule r = {.said = false};
  if (s->kind == SYMBOL_PARAM) {
    int first = dim;
    const Symbol *of = s;
    shape_first(&of, &first);
    if (of->shape[first].said) return of->shape[first];
    return (ShapeRule){.said = true, .times = 1, .of = {of}, .dim = {first}};
  }
  if (s->length && size_of(x, symbol_extent(s, dim), &r) && r.of[0]->kind == SYMBOL_PARAM) {
    const ShapeRule of = size_said(x, r.of[0], r.dim[0]);
    const int64_t plus = r.plus;
    if (of.said && !plus) return of;
    if (of.said && of.times == 1 && !of.plus && !of.of[1] && !of.of[SHAPE_ADDEND]) {
      r = of;
      r.plus = plus;
      return r;
    }
    return r;
  }
  return (ShapeRule){.said = false};
}

static bool same_rule(const ShapeRule *r, const ShapeRule *q) {
  if (!r->said || !q->said || r->times != q->times || r->more != q->more || r->plus != q->plus) return false;
  for (int k = 0; k < SHAPE_SIZES; k++)
    if (r->of[k] != q->of[k] || (r->of[k] && r->dim[k] != q->dim[k])) return false;
  return true;
}

/* It is the size of an earlier parameter, or is made of such. */
static void say_size(Extract *x, int i, int dim) {
  const ShapeRule is = size_said(x, x->given.at[i], dim);
  Symbol *p = x->to->params[i];
  if (!is.said) return;
  for (int k = 0; k < i; k++)
    for (int e = 0; e < x->given.at[k]->rank; e++) {
      const ShapeRule other = size_said(x, x->given.at[k], e);
      if (!same_rule(&is, &other)) continue;
      p->shape[dim] = (ShapeRule){.said = true, .times = 1, .of = {x->to->params[k]}, .dim = {e}};
      return;
    }
  ShapeRule made = is;
  for (int k = 0; k < SHAPE_SIZES; k++) {
    if (!is.of[k]) continue;
    made.of[k] = NULL;
    for (int j = 0; j < i && !made.of[k]; j++)
      for (int e = 0; e < x->given.at[j]->rank; e++) {
        const ShapeRule other = size_said(x, x->given.at[j], e);
        if (other.times != 1 || other.plus || other.of[1] || other.of[SHAPE_ADDEND] || other.of[0] != is.of[k] ||
            other.dim[0] != is.dim[k])
          continue;
        made.of[k] = x->to->params[j];
        made.dim[k] = e;
        break;
      }
    if (!made.of[k]) return;
  }
  if (is.of[0]) p->shape[dim] = made;
}

/* The container that an argument has, or has parts of. */
static const Symbol *argument_of(const Tree *t) {
  while (t->op == OP_PARTITION || t->op == OP_PARTS || t->op == OP_ROWS || t->op == OP_COLUMNS || t->op == OP_ELEMENTS)
    t = t->kid[0];
  return t->op == OP_REF ? t->symbol : NULL;
}

static Symbol *parameter_for(const Extract *x, const Symbol *s) {
  for (int i = 0; s && i < x->given.n; i++)
    if (x->given.at[i] == s) return x->to->params[i];
  return NULL;
}

/* What the map, or the spectrum of its results, writes, is written here. */
static bool note_written(void *context, const Tree *t) {
  Extract *x = context;
  if (t->op == OP_REF && t->symbol->kind == SYMBOL_MAP) tree_visit(t->symbol->init, note_written, x);
  if (t->op == OP_MAP_TO) {
    Symbol *to = parameter_for(x, argument_of(t->kid[1]));
    if (to) to->writable = true;
  }
  const Codelet *of = (t->op == OP_MAP || t->op == OP_CALL) && t->spectrum->ncodelets ? t->spectrum->codelets[0] : NULL;
  for (int i = 0; of && i < of->nparams && i < t->nkids; i++) {
    const Symbol *p = of->params[i];
    Symbol *to = p->writable ? parameter_for(x, argument_of(t->kid[i])) : NULL;
    if (!to) continue;
    to->writable = true;
    to->atomic = p->atomic;
    for (int k = 0; p->counter && k < of->nparams && k < t->nkids; k++)
      if (of->params[k] == p->counter) to->counter = parameter_for(x, argument_of(t->kid[k]));
  }
  return true;
}

/* ---- the spectrum ---- */

static const char *free_name(const Extract *x, const char *name) {
  const char *made = name;
  for (int n = 2; unit_spectrum(x->unit, made); n++) made = arena_printf(x->a, "%s%d", name, n);
  return made;
}

static const Spectrum *mapped(const Tree *t) {
  if (t->op == OP_MAP) return t->spectrum;
  if (t->op == OP_REF && t->symbol->kind == SYMBOL_MAP) return t->symbol->init->spectrum;
  for (int i = 0; i < t->nkids; i++) {
    const Spectrum *s = mapped(t->kid[i]);
    if (s) return s;
  }
  return NULL;
}

/* The unit as a spectrum of its own; what applies it. */
static Tree *extracted(Extract *x, Tree *t) {
  Arena *a = x->a;
  const Codelet *from = x->from;
  x->old.n = x->made.n = x->given.n = x->body.n = 0;
  Tree *last = copied(x, t);
  if (t->op == OP_CALL) last = tree_unary(a, OP_RETURN, TYPE_VOID, last);
  vec_push(a, &x->body, last);
  Spectrum *s = unit_add(a, x->unit, free_name(x, arena_printf(a, "%s_%s", from->spectrum->name, mapped(t)->name)),
                         t->where);
  s->result = t->op == OP_CALL ? t->spectrum->result : TYPE_VOID;
  s->operators = from->spectrum->operators;
  s->monoid = from->spectrum->monoid;
  sort_parameters(x);
  Codelet *k = x->to = arena_one(a, Codelet);
  *k = (Codelet){.spectrum = s, .tag = "map", .generic = from->generic, .nparams = x->given.n, .env = from->env,
                 .nenv = from->nenv, .tunables = from->tunables, .where = t->where, .extent = t->where};
  k->params = arena_many(a, Symbol *, x->given.n);
  Tree *call = tree_new(a, OP_CALL, s->result, t->where, x->given.n);
  call->spectrum = s;
  for (int i = 0; i < x->given.n; i++) {
    k->params[i] = copy_of(x, x->given.at[i]);
    call->kid[i] = tree_ref(a, x->given.at[i]);
    call->kid[i]->where = t->where;
  }
  for (int i = 0; i < x->given.n; i++)
    for (int d = 0; d < x->given.at[i]->rank; d++) say_size(x, i, d);
  tree_visit(t, note_written, x);
  if (x->given.n > MOST_PARAMETERS)
    diagnostics_add(x->d, DIAG_ERROR, t->where, NULL,
                    "this map is a step of its own, and mentions %d containers and numbers: at most %d are possible",
                    x->given.n, MOST_PARAMETERS);
  k->body = tree_seq(a, x->body.at, x->body.n);
  k->body->where = t->where;
  s->codelets = arena_one(a, Codelet *);
  s->codelets[s->ncodelets++] = k;
  return call;
}

static Tree *apply(void *context, Arena *a, Tree *t) {
  Extract *x = context;
  if (!is_unit(t)) return t;
  Tree *call = extracted(x, t);
  if (t->op == OP_CALL) return call;
  Tree *run = tree_unary(a, OP_RUN, TYPE_VOID, call);
  run->where = t->where;
  return run;
}

/* ---- results of given parts ---- */

static Tree *declared(Arena *a, Symbol *s, SourceRange where) {
  Tree *t = tree_new(a, OP_DECLARE, TYPE_VOID, where, 0);
  t->symbol = s;
  return t;
}

typedef struct Change { const Tree *of; bool found; } Change; /* of: a map, or what it is stored in */

static bool mentions(const Tree *of, const Symbol *s) {
  return s && (tree_mentions(of, s) || (of->op == OP_REF && of->symbol->init && tree_mentions(of->symbol->init, s)));
}

static bool find_change(void *context, const Tree *t) {
  Change *c = context;
  if (t->op == OP_REF && t->symbol->kind == SYMBOL_MAP) tree_visit(t->symbol->init, find_change, c);
  if (t->op == OP_ASSIGN) c->found |= mentions(c->of, argument_of(t->kid[0]));
  if (t->op == OP_MAP_TO) c->found |= mentions(c->of, argument_of(t->kid[1]));
  const Codelet *of = (t->op == OP_MAP || t->op == OP_CALL) && t->spectrum->ncodelets ? t->spectrum->codelets[0] : NULL;
  for (int i = 0; of && i < of->nparams && i < t->nkids; i++)
    if (of->params[i]->writable) c->found |= mentions(c->of, argument_of(t->kid[i]));
  return true;
}

/* Where the codelet has stored all results of a map already, that they are made of the same still, and are there;
 * NULL: nowhere. */
static Tree *stored_before(const Extract *x, const Tree *map) {
  const Tree *in = NULL;
  for (int i = 0; map->op == OP_REF && i < x->at; i++) {
    const Tree *t = x->from->body->kid[i];
    Change map_changes = {map, false}, results_change = {in, false};
    tree_visit(t, find_change, &map_changes);
    if (in) tree_visit(t, find_change, &results_change);
    if (map_changes.found || results_change.found) in = NULL;
    const bool stores = t->op == OP_MAP_TO && t->kid[0]->op == OP_REF && t->kid[0]->symbol == map->symbol;
    const Symbol *to = stores && t->kid[1]->op == OP_REF ? t->kid[1]->symbol : NULL;
    if (to && to->rank == 1 && to->type == map_of(map)->spectrum->result) in = t->kid[1];
  }
  return in ? tree_ref(x->a, in->symbol) : NULL;
}

/* A container of the codelet's own that has a map's results, which are stored there before. */
static Tree *stored(Extract *x, Tree *map) {
  Arena *a = x->a;
  Tree *before = stored_before(x, map);
  if (before) return before;
  Symbol *m = map->op == OP_REF ? map->symbol : symbol_new(a, SYMBOL_MAP, "m", TYPE_CONTAINER);
  const char *name = map->op == OP_REF ? arena_printf(a, "%s_results", m->name) : "results";
  Symbol *own = symbol_new(a, SYMBOL_LOCAL, name, map_of(map)->spectrum->result);
  own->rank = 1;
  own->length = given_parts(a, map_of(map));
  own->where = map->where;
  vec_push(a, &x->body, declared(a, own, map->where));
  if (map->op != OP_REF) {
    m->init = map;
    m->where = map->where;
    vec_push(a, &x->body, declared(a, m, map->where));
  }
  Tree *to = tree_binary(a, OP_MAP_TO, TYPE_VOID, tree_ref(a, m), tree_ref(a, own));
  to->where = map->where;
  vec_push(a, &x->body, to);
  return tree_ref(a, own);
}

static Tree *store(void *context, Arena *a, Tree *t) {
  Extract *x = context;
  if (!combines_given(a, x->from, t)) return t;
  Tree *made = tree_with_kids(a, t, t->kid, t->nkids);
  for (int i = 0; i < t->nkids; i++)
    if (is_map(t->kid[i]) && given_parts(a, map_of(t->kid[i]))) made->kid[i] = stored(x, t->kid[i]);
  return made;
}

/* In statements that are no loops: what a loop's condition combines would be stored before the loop. */
static void store_all(Extract *x, Codelet *c) {
  VEC(Tree *) all = {0};
  for (int i = 0; i < c->body->nkids; i++) {
    Tree *t = c->body->kid[i];
    const bool loop = t->op == OP_FOR || t->op == OP_WHILE;
    x->body.n = 0;
    x->at = i;
    if (!loop) t = tree_rewrite(x->a, t, store, x);
    for (int k = 0; k < x->body.n; k++) vec_push(x->a, &all, x->body.at[k]);
    vec_push(x->a, &all, t);
  }
  c->body = tree_with_kids(x->a, c->body, all.at, all.n);
}

/* ---- the codelet ---- */

/* Declarations that only its maps had a use for. */
static bool is_needless(const Codelet *c, const Tree *t) {
  if (t->op != OP_DECLARE) return false;
  const Symbol *s = t->symbol;
  if (s->kind == SYMBOL_MAP || s->kind == SYMBOL_CUT || s->kind == SYMBOL_SEQUENCE || s->kind == SYMBOL_TUNABLE)
    return true;
  if (s->kind != SYMBOL_LOCAL || s->rank || !t->nkids || tree_contains(t->kid[0], OP_CALL)) return false;
  for (int i = 0; i < c->body->nkids; i++) {
    const Tree *other = c->body->kid[i];
    if (tree_mentions(other, s) || (other->op == OP_DECLARE && tree_mentions(other->symbol->length, s))) return false;
  }
  return true;
}

typedef struct Leaving { const Codelet *codelet; bool any; } Leaving;

static Tree *without_needless(void *context, Arena *a, Tree *t) {
  Leaving *x = context;
  if (t->op != OP_SEQ) return t;
  VEC(Tree *) all = {0};
  for (int i = 0; i < t->nkids; i++)
    if (!is_needless(x->codelet, t->kid[i])) vec_push(a, &all, t->kid[i]);
  if (all.n == t->nkids) return t;
  x->any = true;
  return tree_with_kids(a, t, all.at, all.n);
}

/* In loops, too. */
static bool leave_out(Arena *a, Codelet *c) {
  Leaving x = {c, false};
  c->body = tree_rewrite_statements(a, c->body, without_needless, &x);
  return x.any;
}

void extract_maps(Arena *a, Unit *u, Diagnostics *d) {
  const int n = u->nspectra;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < u->spectra[i]->ncodelets; k++) {
      Codelet *c = u->spectra[i]->codelets[k];
      if (!wanted(a, c)) continue;
      Extract x = {.a = a, .d = d, .unit = u, .from = c};
      store_all(&x, c);
      c->body = tree_rewrite(a, c->body, apply, &x);
      while (leave_out(a, c)) {}
    }
}
