/* wraps.c: unsigned numbers that C++ wraps around, and that are positions of 64 bits here.
 *
 * `unsigned k = i - 1;' is 4294967295 in C++ where i is 0, and -1 here. Modulo 2^32 both are the same, so sums,
 * products and what indexes a container do not tell them apart: an element 4294967295 is none. Comparisons, quotients,
 * shifts to the right and conversions do, and are refused where the number may be one that wraps. Two walks of the
 * body: the first, until nothing changes, finds the variables that may hold such a number; the second says where it
 * shows. */
#include "front/wraps.h"

#include "front/bounds.h"

typedef VEC(const Symbol *) Symbols;

typedef struct Wraps {
  Bounds bounds;
  const Written *written;
  Symbols below, over;            /* variables that may be below 0, or 2^32 and above, but for C++'s wrapping */
  Symbols high;                   /* that may be 2^31 and above, though they are no position: of an unsigned number */
  VEC(const Tree *) conditions;   /* of the loops around */
  bool changed, tells, ok;
  Diagnostics *d;
  int deep; /* proofs within one another */
} Wraps;

enum { LARGE = 1 << 16, LARGE_SHIFT = 16 }; /* a factor that positions are not multiplied by */

/* ---- types ---- */

static bool is_unsigned(Type t) { return t == TYPE_UINT || t == TYPE_ULONG; }
static bool is_signed_64(Type t) { return t == TYPE_INDEX || t == TYPE_LONG; }
static bool is_arithmetic(Op op) { return (op >= OP_ADD && op <= OP_XOR) || op == OP_NEG || op == OP_BNOT; }

/* Is it computed in 64 bits here? */
static bool is_wide(const Tree *t) {
  if (t->op == OP_REF) return !t->symbol->rank && !t->symbol->array && t->symbol->type == TYPE_INDEX;
  if (!is_arithmetic(t->op) && t->op != OP_COND && t->op != OP_MIN && t->op != OP_MAX) return t->type == TYPE_INDEX;
  for (int i = t->op == OP_COND ? 1 : 0; i < t->nkids; i++)
    if (is_wide(t->kid[i])) return true;
  return false;
}

static bool has(const Symbols *all, const Symbol *s) {
  for (int i = 0; i < all->n; i++)
    if (all->at[i] == s) return true;
  return false;
}

/* ---- what a value may be ---- */

static bool any(const Wraps *w, const Tree *t, bool (*is)(const Wraps *, const Tree *)) {
  for (int i = t->op == OP_COND ? 1 : 0; i < t->nkids; i++)
    if (is(w, t->kid[i])) return true;
  return false;
}

static bool is_below(const Wraps *w, const Tree *t);
static bool ask_below(void *context, const Tree *t) { return is_below(context, t); }

/* A proof asks of the parts of what is known, `min(i, n - 1)', which may ask for the same proof: of them once more. */
static bool is_sum_below(const Wraps *w, const Tree *t) {
  enum { DEEPEST = 2 };
  if (w->deep == DEEPEST) return true;
  Wraps deeper = *w;
  deeper.deep++;
  deeper.bounds.context = &deeper;
  return !bounds_not_below(&deeper.bounds, t);
}

/* May the value, unless it wraps, be below 0? */
static bool is_below(const Wraps *w, const Tree *t) {
  if (is_unsigned(t->type) && !is_wide(t)) return false; /* it wraps here, too */
  switch (t->op) {
    case OP_INT: return t->number < 0;
    case OP_REF:
      if (t->symbol->kind == SYMBOL_PARAM) return !is_unsigned(t->type) && (!is_wide(t) || t->symbol->number);
      return has(&w->below, t->symbol);
    case OP_INDEX: return !is_unsigned(t->type) && t->type != TYPE_INDEX; /* elements that are long are sizes */
    case OP_CALL: return !is_unsigned(t->type) && t->type != TYPE_BOOL;
    case OP_CAST: return !is_unsigned(t->type) && (t->kid[0]->type == TYPE_ELEM || is_below(w, t->kid[0]));
    case OP_ADD: case OP_SUB: return is_sum_below(w, t);
    case OP_AND: return is_below(w, t->kid[0]) && is_below(w, t->kid[1]);
    case OP_MAX: return is_below(w, t->kid[0]) && is_below(w, t->kid[1]);
    case OP_NEG: case OP_BNOT: case OP_LIMIT: return true;
    case OP_SHL: case OP_SHR: return is_below(w, t->kid[0]);
    case OP_MUL: case OP_DIV: case OP_REM: case OP_OR: case OP_XOR: case OP_COND: case OP_MIN:
      return any(w, t, is_below);
    default: return false;
  }
}

/* Does C++ wrap it there, from below 0? */
static bool wraps_below(const Wraps *w, const Tree *t) {
  if (t->op == OP_REF) return is_unsigned(t->type) && has(&w->below, t->symbol);
  if (t->op == OP_AND) return wraps_below(w, t->kid[0]) && wraps_below(w, t->kid[1]);
  if (!is_arithmetic(t->op) && t->op != OP_COND) return false;
  if (t->op == OP_DIV || t->op == OP_REM || t->op == OP_SHR) return false; /* said of what they divide */
  return (is_unsigned(t->type) ? is_below(w, t) : any(w, t, wraps_below));
}

static bool is_large(const Tree *t, int64_t from) {
  int64_t number;
  return tree_constant(t, &number) && (number >= from || number <= -from);
}

/* Does C++ wrap it there, from 2^32 or more? Not asked of sums and products of positions, which have room there. */
static bool wraps_over(const Wraps *w, const Tree *t) {
  if (t->op == OP_REF) return is_unsigned(t->type) && has(&w->over, t->symbol);
  if (t->op == OP_AND) return wraps_over(w, t->kid[0]) && wraps_over(w, t->kid[1]);
  if (t->op == OP_DIV || t->op == OP_REM || t->op == OP_SHR) return false;
  if (!is_arithmetic(t->op) && t->op != OP_COND) return false;
  if (any(w, t, wraps_over)) return true;
  if (!is_unsigned(t->type) || !is_wide(t)) return false;
  if (t->op == OP_MUL) return is_large(t->kid[0], LARGE) || is_large(t->kid[1], LARGE);
  if (t->op == OP_SHL) return is_large(t->kid[1], LARGE_SHIFT);
  if (t->op == OP_ADD) return is_large(t->kid[0], INT32_MAX) || is_large(t->kid[1], INT32_MAX);
  return t->op == OP_BNOT;
}

/* May it be 2^31 or more without being a position? Such a number is equal to one below 0 that C++ wraps. */
static bool is_high(const Wraps *w, const Tree *t) {
  int64_t number;
  if (tree_constant(t, &number)) return number > INT32_MAX || (is_unsigned(t->type) && number < 0);
  if (t->op == OP_REF && is_wide(t)) return has(&w->high, t->symbol);
  if (t->op == OP_CAST && is_wide(t->kid[0])) return is_high(w, t->kid[0]) || is_below(w, t->kid[0]);
  return is_wide(t) ? any(w, t, is_high) : is_unsigned(t->type);
}

/* ---- where it shows ---- */

static void tell(Wraps *w, const Tree *t, bool below) {
  if (!w->tells) return;
  w->ok = false;
  diagnostics_add(w->d, DIAG_ERROR, t->where,
                  "declare what it is made of `long', or compute it in a function of unsigned numbers",
                  below ? "this may be negative, where C++ wraps an unsigned integer; positions are signed"
                        : "this may exceed 2^32, where C++ wraps an unsigned integer; positions have 64 bits");
}

/* The value is used in a way that tells wrapped numbers from others. */
static void use(Wraps *w, const Tree *t) {
  if (!is_wide(t)) return;
  if (wraps_below(w, t)) tell(w, t, true);
  else if (wraps_over(w, t)) tell(w, t, false);
}

static bool is_real(Type t) { return t == TYPE_FLOAT || t == TYPE_DOUBLE || t == TYPE_ELEM; }

/* Both sides of a comparison, converted to one type as C++ does. */
static void compare(Wraps *w, const Tree *t) {
  const Tree *side[2] = {t->kid[0], t->kid[1]};
  bool real = false, wider = false, without_sign = false, wide = false;
  for (int i = 0; i < 2; i++) {
    const bool literal = side[i]->op == OP_INT && side[i]->number <= INT32_MAX;
    real |= is_real(side[i]->type);
    wider |= !literal && (is_signed_64(side[i]->type) || side[i]->type == TYPE_ULONG);
    without_sign |= !literal && is_unsigned(side[i]->type);
    wide |= is_wide(side[i]);
  }
  const bool equality = t->op == OP_EQ || t->op == OP_NE;
  for (int i = 0; i < 2; i++) {
    const bool differs = !equality || is_high(w, side[1 - i]);
    if (real || wider) use(w, side[i]);
    else if (without_sign && wide && differs && is_below(w, side[i])) tell(w, side[i], true);
    else if (without_sign && wide && wraps_over(w, side[i])) tell(w, side[i], false);
  }
}

static void value(Wraps *w, const Tree *t);

static void assuming(Wraps *w, const Tree *condition, bool holds, const Tree *then) {
  const int facts = w->bounds.facts.n;
  bounds_assume(&w->bounds, condition, holds);
  value(w, then);
  w->bounds.facts.n = facts;
}

static void arguments(Wraps *w, const Tree *t) {
  const Codelet *of = t->spectrum->ncodelets ? t->spectrum->codelets[0] : NULL;
  for (int i = 0; of && of->nparams == t->nkids && i < t->nkids; i++) {
    const Type type = of->params[i]->type;
    if (!of->params[i]->rank && type != TYPE_UINT && type != TYPE_INT) use(w, t->kid[i]);
  }
}

/* Is it the number of the container's elements less one? Of none C++ has 4294967295: no more elements than there
 * are. */
static bool is_all_but_one(const Wraps *w, const Tree *t, const Tree *container) {
  Arena *a = w->bounds.a;
  const Tree *all = tree_unary(a, OP_SIZE, TYPE_INDEX, (Tree *)container), *one = tree_int(a, TYPE_INDEX, 1);
  const Tree *last = tree_binary(a, OP_SUB, TYPE_INDEX, (Tree *)all, (Tree *)one);
  return bounds_not_below(&w->bounds, tree_binary(a, OP_SUB, TYPE_INDEX, (Tree *)last, (Tree *)t)) &&
         bounds_not_below(&w->bounds, tree_binary(a, OP_SUB, TYPE_INDEX, (Tree *)t, (Tree *)last));
}

/* What the text converts to `long', as C++ does: numbers of parts and of elements, and what sequences are made of. */
static void places(Wraps *w, const Tree *t) {
  const ViewRow *view = op_view(t->op);
  if (t->op == OP_PARTITION) use(w, t->kid[1]);
  else if (view && view->count >= 0) {
    if (view->whole || !is_all_but_one(w, t->kid[view->count], t->kid[0])) use(w, t->kid[view->count]);
  }
  else if (t->op == OP_SEQUENCE || t->op == OP_EXTENTS)
    for (int i = t->nkids == 4 ? 1 : 0; i < t->nkids; i++) use(w, t->kid[i]);
}

static void value(Wraps *w, const Tree *t) {
  if (t->op == OP_COND || t->op == OP_LAND || t->op == OP_LOR) {
    value(w, t->kid[0]);
    assuming(w, t->kid[0], t->op != OP_LOR, t->kid[1]);
    if (t->op == OP_COND) assuming(w, t->kid[0], false, t->kid[2]);
    return;
  }
  for (int i = 0; i < t->nkids; i++) value(w, t->kid[i]);
  if (t->op >= OP_LT && t->op <= OP_NE) compare(w, t);
  else if (t->op == OP_CALL || t->op == OP_MAP) arguments(w, t);
  else if (t->op == OP_CAST && t->type != TYPE_INT && t->type != TYPE_UINT && t->type != TYPE_BOOL) use(w, t->kid[0]);
  else if (t->op == OP_DIV || t->op == OP_REM || t->op == OP_SHR || t->op == OP_MIN || t->op == OP_MAX ||
           (is_signed_64(t->type) && (t->op == OP_AND || t->op == OP_OR || t->op == OP_XOR)))
    for (int i = 0; i < t->nkids; i++) use(w, t->kid[i]);
  else places(w, t);
}

/* ---- statements ---- */

static void note(Wraps *w, Symbols *to, const Symbol *s) {
  if (has(to, s)) return;
  vec_push(w->bounds.a, to, s);
  w->changed = true;
}

typedef struct Growth { const Symbol *of; bool grows; } Growth;

static bool find_growth(void *context, const Tree *t) {
  Growth *g = context;
  if (t->op == OP_INDEX || t->op == OP_CALL) return false;
  g->grows |= t->op == OP_MUL && tree_mentions(t, g->of);
  g->grows |= t->op == OP_SHL && tree_mentions(t->kid[0], g->of);
  return !g->grows;
}

/* Is a variable multiplied in each turn of a loop that it does not end? */
static bool grows(const Wraps *w, const Symbol *s, const Tree *value) {
  for (int i = 0; i < w->conditions.n; i++)
    if (tree_mentions(w->conditions.at[i], s)) return false;
  Growth g = {s, false};
  tree_visit(value, find_growth, &g);
  return g.grows && w->conditions.n > 0;
}

/* A variable is given a value. */
static void give(Wraps *w, const Symbol *s, const Tree *v) {
  const Type type = s->declared;
  if (s->rank || s->array || !type_is_whole(type)) return;
  if (is_below(w, v)) note(w, &w->below, s);
  if (is_high(w, v)) note(w, &w->high, s);
  if (s->type != TYPE_INDEX) return;
  if (is_signed_64(type) || type == TYPE_ULONG) use(w, v);
  else if (type == TYPE_INT && wraps_over(w, v)) use(w, v);
  else if (is_unsigned(type) && (wraps_over(w, v) || grows(w, s, v))) note(w, &w->over, s);
}

static void assign(Wraps *w, const Tree *t) {
  const Tree *place = t->kid[0], *v = t->kid[1];
  for (int i = 1; i < place->nkids; i++) value(w, place->kid[i]);
  if (t->compound && type_is_whole(place->type)) {
    Tree *whole = tree_binary(w->bounds.a, t->compound, place->type, t->kid[0], t->kid[1]);
    whole->where = t->where;
    v = whole;
  }
  value(w, v);
  if (place->op == OP_REF) give(w, place->symbol, v);
  else if (is_signed_64(place->type) || place->type == TYPE_ULONG) use(w, v);
}

static void statement(Wraps *w, const Tree *t);

static void scoped(Wraps *w, const Tree *condition, bool holds, const Tree *t) {
  const int facts = w->bounds.facts.n;
  bounds_assume(&w->bounds, condition, holds);
  statement(w, t);
  w->bounds.facts.n = facts;
}

/* As the text has it. */
static Tree *variable(Wraps *w, Symbol *s) {
  Tree *t = tree_ref(w->bounds.a, s);
  t->type = s->declared;
  return t;
}

/* A variable that a loop only ever adds to is no less than where it begins; one that it subtracts from, no more. */
static void assume_begin(Wraps *w, const Tree *t) {
  const Tree *init = t->kid[0], *step = t->kid[2];
  if (init->op != OP_DECLARE || !init->nkids || step->op != OP_ASSIGN) return;
  if (step->kid[0]->op != OP_REF || step->kid[0]->symbol != init->symbol || is_below(w, step->kid[1])) return;
  if (tree_assigns(t->kid[3], init->symbol)) return;
  const Tree *here = variable(w, init->symbol);
  if (step->compound == OP_ADD) bounds_assume_least(&w->bounds, here, init->kid[0]);
  else if (step->compound == OP_SUB) bounds_assume_least(&w->bounds, init->kid[0], here);
}

static void loop(Wraps *w, const Tree *t) {
  const int facts = w->bounds.facts.n, conditions = w->conditions.n;
  const bool counts = t->op == OP_FOR;
  const Tree *condition = t->kid[counts ? 1 : 0], *body = t->kid[t->nkids - 1];
  if (counts) statement(w, t->kid[0]);
  bounds_forget(&w->bounds, t);
  if (counts) assume_begin(w, t);
  value(w, condition);
  bounds_assume(&w->bounds, condition, true);
  vec_push(w->bounds.a, &w->conditions, condition);
  statement(w, body);
  bounds_forget(&w->bounds, body);
  if (counts) statement(w, t->kid[2]);
  w->bounds.facts.n = facts;
  w->conditions.n = conditions;
}

static void declare(Wraps *w, const Tree *t) {
  for (int i = 0; i < t->nkids; i++) value(w, t->kid[i]);
  for (int i = 0; i < w->written->symbols.n; i++) {
    const WrittenSymbol *s = &w->written->symbols.at[i];
    if (s->of != t->symbol) continue;
    if (s->init) value(w, s->init);
    if (s->length) value(w, s->length), use(w, s->length);
  }
  if (t->nkids) give(w, t->symbol, t->kid[0]);
  if (t->nkids && type_is_whole(t->symbol->declared) && !t->symbol->array) {
    const Tree *here = variable(w, t->symbol);
    bounds_assume_least(&w->bounds, here, t->kid[0]);
    bounds_assume_least(&w->bounds, t->kid[0], here);
  }
  if (t->symbol->kind == SYMBOL_TUNABLE) /* a number of parts: one at least */
    bounds_assume_least(&w->bounds, variable(w, t->symbol), tree_int(w->bounds.a, TYPE_INDEX, 1));
}

static void statement(Wraps *w, const Tree *t) {
  switch (t->op) {
    case OP_SEQ:
      for (int i = 0; i < t->nkids; i++) {
        statement(w, t->kid[i]);
        bounds_forget(&w->bounds, t->kid[i]);
      }
      break;
    case OP_DECLARE: declare(w, t); break;
    case OP_ASSIGN: assign(w, t); break;
    case OP_ATOMIC: value(w, t->kid[1]); break; /* an append */
    case OP_IF:
      value(w, t->kid[0]);
      scoped(w, t->kid[0], true, t->kid[1]);
      if (t->nkids > 2) scoped(w, t->kid[0], false, t->kid[2]);
      break;
    case OP_FOR: case OP_WHILE: loop(w, t); break;
    case OP_RETURN:
      for (int i = 0; i < t->nkids; i++) value(w, t->kid[i]);
      if (t->nkids &&
          (is_signed_64(w->written->of->spectrum->result) || w->written->of->spectrum->result == TYPE_ULONG))
        use(w, t->kid[0]);
      break;
    default:
      for (int i = 0; i < t->nkids; i++) value(w, t->kid[i]);
  }
}

typedef struct Notes { Arena *a; Written *to; } Notes;

static bool note_symbol(void *context, const Tree *t) {
  const Notes *n = context;
  if (t->op != OP_DECLARE) return true;
  const Symbol *s = t->symbol;
  const WrittenSymbol one = {s, s->init, s->rank ? s->length : NULL};
  if (one.init || one.length) vec_push(n->a, &n->to->symbols, one);
  return true;
}

Written front_written(Arena *a, const Codelet *c) {
  Written w = {.of = c, .body = c->body};
  tree_visit(c->body, note_symbol, &(Notes){a, &w});
  return w;
}

/* ---- what holds from the start ---- */

/* The container whose elements a sequence has; NULL. */
static const Symbol *elements_of(const Wraps *w, const Tree *t) {
  for (int i = 0; t->op == OP_REF && i < w->written->symbols.n; i++)
    if (w->written->symbols.at[i].of == t->symbol && w->written->symbols.at[i].init) t = w->written->symbols.at[i].init;
  return t->op == OP_SEQUENCE && t->nkids == 4 && t->kid[0]->op == OP_REF ? t->kid[0]->symbol : NULL;
}

/* Offsets, where segments begin and end: one at least, and the C function refuses others. */
static bool assume_offsets(void *context, const Tree *t) {
  Wraps *w = context;
  if (t->op != OP_PARTITION) return true;
  Arena *a = w->bounds.a;
  const Symbol *from = elements_of(w, t->kid[2]);
  if (!from || from != elements_of(w, t->kid[4])) return true;
  Tree *size = tree_unary(a, OP_SIZE, TYPE_INDEX, tree_ref(a, (Symbol *)from));
  bounds_assume_least(&w->bounds, size, tree_int(a, TYPE_INDEX, 1));
  return true;
}

/* Tunables of codelets' own are one at least. */
static bool assume_tunable(void *context, const Tree *t) {
  Wraps *w = context;
  if (t->op == OP_REF && t->symbol->kind == SYMBOL_CONSTANT)
    bounds_assume_least(&w->bounds, variable(w, t->symbol), tree_int(w->bounds.a, TYPE_INDEX, 1));
  return true;
}

static void assume(Wraps *w, const Tree *t) {
  tree_visit(t, assume_offsets, w);
  if (w->written->of->tunables.n) tree_visit(t, assume_tunable, w);
}

static void go(Wraps *w) {
  const Written *all = w->written;
  w->bounds.facts.n = 0;
  assume(w, all->body);
  for (int i = 0; i < all->symbols.n; i++)
    if (all->symbols.at[i].init) assume(w, all->symbols.at[i].init);
  statement(w, all->body);
}

bool front_wraps(Arena *a, const Written *written, Diagnostics *d) {
  Wraps w = {.written = written, .ok = true, .changed = true, .d = d};
  w.bounds = (Bounds){.a = a, .body = written->body, .below = ask_below, .context = &w};
  while (w.changed) {
    w.changed = false;
    go(&w);
  }
  w.tells = true;
  go(&w);
  return w.ok;
}
