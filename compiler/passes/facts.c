/* facts.c: integers as sums of atoms (linear.c), and conditions as facts about them.
 *
 * THREAD is 32 * WARP + LANE, and the block's size is a multiple of 32 (vectors of a CPU have fewer lanes, and a block
 * there is one of them), so that the places of a warp in shared
 * memory and the ends of the block come out of the same arithmetic. */
#include "passes/linear.h"

enum { DEEPEST = 12, MOST_BLOCKS = 16 /* of a cluster, on any machine */ };

bool facts_is_integer(Type t) { return t == TYPE_BOOL || type_is_whole(t); }

/* ---- variables ---- */

/* A few variables share a bit: what follows from one is then found again when another changes. */
static int bit_of(const Symbol *s) { return (int)((uintptr_t)s * UINT64_C(0x9e3779b97f4a7c15) >> 58); }

static Variable *variable(const Facts *f, const Symbol *s) {
  f->found->asked |= UINT64_C(1) << bit_of(s);
  for (int i = f->variables.n - 1; i >= 0; i--)
    if (f->variables.at[i].symbol == s) return &f->variables.at[i];
  return NULL;
}

int64_t facts_changed(const Facts *f, const Symbol *s) {
  const Variable *v = variable(f, s);
  return v ? v->time : 0;
}

/* Memory, and what other lanes have: never the same twice. */
static bool is_others(Op op) { return op == OP_INDEX || op == OP_SHUFFLE || op == OP_ANY || op == OP_ALIKE; }

static int64_t newest(Facts *f, const Tree *t) {
  int64_t time = 0;
  if (is_others(t->op)) return ++f->clock;
  if (t->op == OP_REF) {
    const Variable *v = variable(f, t->symbol);
    return t->symbol->kind == SYMBOL_SHARED ? ++f->clock : v ? v->time : 0;
  }
  for (int i = 0; i < t->nkids; i++) {
    int64_t of_kid = newest(f, t->kid[i]);
    if (of_kid > time) time = of_kid;
  }
  return time;
}

static Linear linear(Facts *f, const Tree *t, int depth);

static Range value_range(Facts *f, const Tree *t, int depth) {
  Linear x = linear(f, t, depth);
  return facts_range(f, &x);
}

static Range divided(Range x, Range y) {
  if (y.lo <= 0) return everything;
  if (x.lo < 0) return range_of(x.lo, x.hi < 0 ? 0 : x.hi);
  return range_of(bounded(y.hi) ? x.lo / y.hi : 0, bounded(x.hi) ? x.hi / y.lo : RANGE_HIGH);
}

static int64_t mask_over(int64_t x) {
  int64_t mask = 1;
  while (mask < x) mask = mask * 2 + 1;
  return mask;
}

/* The range of what is no sum. */
static Range opaque_range(Facts *f, const Tree *t, int depth) {
  Range r = type_range(t->type), x = everything, y = everything;
  if (depth >= DEEPEST) return r;
  int first = t->op == OP_COND ? 1 : 0;
  bool operands = !is_others(t->op) && t->nkids > first && facts_is_integer(t->kid[first]->type);
  if (operands) x = value_range(f, t->kid[first], depth + 1);
  if (operands && t->nkids > first + 1 && facts_is_integer(t->kid[first + 1]->type))
    y = value_range(f, t->kid[first + 1], depth + 1);
  switch (t->op) {
    case OP_LT: case OP_LE: case OP_GT: case OP_GE: case OP_EQ: case OP_NE: case OP_LAND: case OP_LOR: case OP_NOT:
      return range_of(0, 1);
    case OP_POPCOUNT: return range_of(0, 32);
    case OP_ORDER_BITS: return range_of(0, ((int64_t)1 << t->kid[2]->number) - 1);
    default: break;
  }
  if (!operands) return r;
  if (wraps(t->type) && t->op != OP_CAST && (x.lo < 0 || (t->nkids > first + 1 && y.lo < 0))) return r; /* C converts */
  switch (t->op) {
    case OP_MUL:
      if (x.lo >= 0 && y.lo >= 0 && !wraps(t->type))
        return range_of(clamp((__int128)x.lo * y.lo),
                        bounded(x.hi) && bounded(y.hi) ? clamp((__int128)x.hi * y.hi) : RANGE_HIGH);
      return r;
    case OP_SHL: { /* C has no value for a signed one that overflows */
      const bool some = x.lo >= 0 && y.lo >= 0 && y.hi < 63 && !wraps(t->type);
      if (!some) return r;
      return range_of(clamp((__int128)x.lo << y.lo), bounded(x.hi) ? clamp((__int128)x.hi << y.hi) : RANGE_HIGH);
    }
    case OP_DIV: return intersect(r, divided(x, y));
    case OP_REM:
      if (y.lo <= 0) return r;
      return intersect(r, range_of(x.lo < 0 ? -(y.hi - 1) : 0, x.hi < y.hi - 1 && x.lo >= 0 ? x.hi : y.hi - 1));
    case OP_SHR:
      if (x.lo >= 0 && y.lo >= 0 && y.lo < 63) return range_of(0, bounded(x.hi) ? x.hi >> y.lo : RANGE_HIGH);
      return r;
    case OP_AND:
      if (x.lo >= 0 && y.lo >= 0) return range_of(0, x.hi < y.hi ? x.hi : y.hi);
      if (y.lo >= 0) return range_of(0, y.hi);
      if (x.lo >= 0) return range_of(0, x.hi);
      return r;
    case OP_OR: case OP_XOR:
      if (x.lo >= 0 && y.lo >= 0 && bounded(x.hi) && bounded(y.hi)) return range_of(0, mask_over(hull(x, y).hi));
      return r;
    case OP_MIN: return intersect(r, range_of(x.lo < y.lo ? x.lo : y.lo, x.hi < y.hi ? x.hi : y.hi));
    case OP_MAX: return intersect(r, range_of(x.lo > y.lo ? x.lo : y.lo, x.hi > y.hi ? x.hi : y.hi));
    case OP_COND: return intersect(r, hull(x, y));
    case OP_CAST: return r.lo <= x.lo && x.hi <= r.hi ? x : r;
    default: return r;
  }
}

/* No more than what composition has seen to. */
static Range below_bounds(Facts *f, const Tree *t, Range r) {
  const Kernel *k = f->kernel;
  for (int i = 0; f->bounds && i < k->bounded.n; i++)
    if (tree_equal(t, k->bounded.at[i].number))
      r = intersect(r, range_of(RANGE_LOW, facts_value(f, k->bounded.at[i].most).hi));
  return r;
}

static Linear opaque(Facts *f, const Tree *t, int depth) {
  const Range r = below_bounds(f, t, opaque_range(f, t, depth));
  return linear_single(f, (Atom){.kind = ATOM_TREE, .tree = t, .time = newest(f, t), .range = r}, 1);
}

static Linear symbol_linear(Facts *f, const Tree *t, int depth) {
  const Symbol *s = t->symbol;
  if (s->kind == SYMBOL_SHARED || s->array) return opaque(f, t, depth);
  Range r = type_range(s->type);
  if (s->max >= s->min && s->max > 0) r = intersect(r, range_of(s->min, s->max));
  if (s->kind == SYMBOL_CONSTANT) {
    int64_t m = s->multiple > 1 ? s->multiple : 1;
    Range part = range_of(bounded(r.lo) ? r.lo / m : r.lo, bounded(r.hi) ? r.hi / m : r.hi);
    return linear_single(f, (Atom){.kind = ATOM_CONSTANT, .symbol = s, .range = part}, m);
  }
  const Variable *v = variable(f, s);
  if (v && v->value && depth < DEEPEST && newest(f, v->value) < v->time) return linear(f, v->value, depth + 1);
  if (v) r = intersect(r, v->range);
  return linear_single(f, (Atom){.kind = ATOM_SYMBOL, .symbol = s, .time = v ? v->time : 0, .range = r}, 1);
}

/* x = many * unit + rest with 0 <= rest < unit? Gives many and rest. */
static bool split(Facts *f, const Linear *x, int64_t unit, Linear *many, Linear *rest) {
  *many = (Linear){arena_many(f->a, Term, x->n), 0, 0};
  *rest = (Linear){arena_many(f->a, Term, x->n), 0, 0};
  for (int i = 0; i < x->n; i++) {
    Term t = x->term[i];
    if (t.factor % unit == 0) many->term[many->n++] = (Term){t.atom, t.factor / unit};
    else rest->term[rest->n++] = t;
  }
  rest->constant = x->constant % unit;
  if (rest->constant < 0) rest->constant += unit;
  many->constant = (x->constant - rest->constant) / unit;
  Range r = facts_range(f, rest);
  return r.lo >= 0 && r.hi < unit;
}

/* t divided (or the rest of it, or a bitwise op) by a constant that is a power of two or any positive number. */
static bool by_constant(Facts *f, const Tree *t, int depth, Linear *result) {
  int64_t c;
  if (!tree_constant(t->kid[1], &c) || c <= 0) return false;
  Linear x = linear(f, t->kid[0], depth + 1), many, rest;
  bool quotient = t->op == OP_DIV || t->op == OP_SHR;
  int64_t unit = c;
  if (t->op == OP_SHR) { if (c > 40) return false; unit = (int64_t)1 << c; }
  if (t->op == OP_AND) { if (c & (c + 1)) return false; unit = c + 1; }
  bool exact = split(f, &x, unit, &many, &rest);
  /* C rounds towards zero: for negative numbers only what divides exactly is safe */
  bool whole = rest.n == 0 && rest.constant == 0 && !wraps(t->type);
  if (!exact || (!whole && facts_range(f, &x).lo < 0)) return false;
  *result = quotient ? many : rest;
  return true;
}

/* (32 * w + r) ^ y with r and y below 32 stays in its 32. */
static bool xor_in_warp(Facts *f, const Tree *t, int depth, Linear *result) {
  Linear x = linear(f, t->kid[0], depth + 1), many, rest;
  Range y = value_range(f, t->kid[1], depth + 1);
  int lanes = kernel_vector(f->kernel);
  if (y.lo < 0 || y.hi >= lanes || !split(f, &x, lanes, &many, &rest) || !many.n) return false;
  Atom within = {.kind = ATOM_TREE_REST, .tree = t, .time = newest(f, t), .range = {0, lanes - 1}};
  Linear low = linear_single(f, within, 1);
  return linear_combine(f, &low, &many, lanes, result);
}

static Linear thread(Facts *f) {
  Linear lane = facts_linear(f, &(Tree){.op = OP_LANE, .type = TYPE_INT});
  if (kernel_is_one_vector(f->kernel)) return lane;
  Linear warp = facts_linear(f, &(Tree){.op = OP_WARP, .type = TYPE_INT}), both;
  linear_combine(f, &lane, &warp, kernel_vector(f->kernel), &both);
  return both;
}

/* Is x, y or the sum of them, r, what C computes? Unsigned numbers wrap around unless their values keep to the type. */
static bool exact(Facts *f, const Tree *t, const Linear *x, const Linear *y, const Linear *r) {
  if (!wraps(t->type)) return true;
  Range sum = facts_range(f, r), most = type_range(t->type);
  return facts_range(f, x).lo >= 0 && facts_range(f, y).lo >= 0 && sum.lo >= 0 && sum.hi <= most.hi && bounded(sum.hi);
}

static Linear linear_anew(Facts *f, const Tree *t, int depth) {
  int64_t c;
  Linear x, y, r;
  if (!facts_is_integer(t->type) || depth >= DEEPEST) return opaque(f, t, depth);
  switch (t->op) {
    case OP_LANE: return linear_single(f, (Atom){.kind = ATOM_LANE, .range = {0, kernel_vector(f->kernel) - 1}}, 1);
    case OP_WARP: {
      if (kernel_is_one_vector(f->kernel)) return linear_constant(0);
      const Symbol *threads = f->kernel->threads;
      int64_t most = threads && threads->max > 0 ? threads->max : 1024;
      const Range warps = {0, threads ? most / kernel_vector(f->kernel) - 1 : 0};
      return linear_single(f, (Atom){.kind = ATOM_WARP, .range = warps}, 1);
    }
    case OP_THREAD: return thread(f);
    case OP_RANK: return linear_single(f, (Atom){.kind = ATOM_RANK, .range = {0, MOST_BLOCKS - 1}}, 1);
    case OP_BLOCK_ID: return linear_single(f, (Atom){.kind = ATOM_BLOCK, .range = {0, INT32_MAX - 1}}, 1);
    case OP_CLUSTER_ID: return linear_single(f, (Atom){.kind = ATOM_CLUSTER, .range = {0, INT32_MAX - 1}}, 1);
    case OP_REF: return symbol_linear(f, t, depth);
    case OP_ADD: case OP_SUB:
      x = linear(f, t->kid[0], depth + 1);
      y = linear(f, t->kid[1], depth + 1);
      if (linear_combine(f, &x, &y, t->op == OP_ADD ? 1 : -1, &r) && exact(f, t, &x, &y, &r)) return r;
      break;
    case OP_NEG:
      if (wraps(t->type)) break;
      x = linear(f, t->kid[0], depth + 1);
      y = linear_constant(0);
      if (linear_combine(f, &y, &x, -1, &r)) return r;
      break;
    case OP_MUL: case OP_SHL: {
      bool left = t->op == OP_MUL && tree_constant(t->kid[0], &c);
      if (!left && !tree_constant(t->kid[1], &c)) break;
      if (t->op == OP_SHL) { if (c < 0 || c > 40) break; c = (int64_t)1 << c; }
      x = linear(f, t->kid[left ? 1 : 0], depth + 1);
      y = linear_constant(0);
      if (linear_combine(f, &y, &x, c, &r) && (c >= 0 || !wraps(t->type)) && exact(f, t, &x, &y, &r)) return r;
      break;
    }
    case OP_DIV: case OP_REM: case OP_SHR: case OP_AND:
      if (by_constant(f, t, depth, &r)) return r;
      break;
    case OP_XOR:
      if (xor_in_warp(f, t, depth, &r)) return r;
      break;
    case OP_CAST:
      if (!facts_is_integer(t->kid[0]->type) || t->type == TYPE_BOOL) break;
      x = linear(f, t->kid[0], depth + 1);
      Range from = facts_range(f, &x), to = type_range(t->type);
      if ((from.lo >= to.lo && from.hi <= to.hi) || t->type == TYPE_INDEX || t->type == TYPE_LONG) return x;
      break;
    default: break;
  }
  return opaque(f, t, depth);
}

/* Where a tree's sum is: one that was looked into as deep as anything is (DEEPEST) is another at each depth. */
static Sum *place_of(struct Found *found, const Tree *t, int depth) {
  return &found->sums[((uintptr_t)t / sizeof *t + (uintptr_t)depth * 37) % SUMS];
}

/* Is it the tree's, and has nothing changed since that it was made of: variables, or what is known? */
static bool holds(const Facts *f, const Sum *s, const Tree *t) {
  if (s->tree != t || s->knowledge != knowledge(f)) return false;
  for (uint64_t bits = s->clock == f->clock ? 0 : s->variables; bits; bits &= bits - 1)
    if (f->found->changed[__builtin_ctzll(bits)] > s->clock) return false;
  return true;
}

/* The same sum as before, while it holds. */
static const Sum *found_before(Facts *f, const Tree *t, int depth) {
  const Sum *s = place_of(f->found, t, 0);
  if (depth + s->height < DEEPEST && holds(f, s, t)) return s;
  s = place_of(f->found, t, depth + 1);
  return depth + s->height >= DEEPEST && holds(f, s, t) ? s : NULL;
}

static Linear linear(Facts *f, const Tree *t, int depth) {
  struct Found *found = f->found;
  int64_t c;
  if (tree_constant(t, &c)) return linear_constant(c);
  if (depth > found->deepest) found->deepest = depth;
  if (!t->nkids) return linear_anew(f, t, depth); /* may be a passing one, on somebody's stack */
  const Sum *s = found_before(f, t, depth);
  if (s) {
    if (depth + s->height > found->deepest) found->deepest = depth + s->height;
    found->asked |= s->variables;
    return s->value;
  }
  const int64_t clock = f->clock;
  const int outer = found->deepest;
  const uint64_t asked = found->asked;
  found->deepest = depth;
  found->asked = 0;
  const Linear r = linear_anew(f, t, depth);
  const int height = found->deepest - depth;
  if (f->clock == clock)
    *place_of(found, t, found->deepest < DEEPEST ? 0 : depth + 1) =
        (Sum){t, knowledge(f), clock, found->asked, height, r};
  if (outer > found->deepest) found->deepest = outer;
  found->asked |= asked;
  return r;
}

Linear facts_linear(Facts *f, const Tree *t) { return linear(f, t, 0); }
Range facts_value(Facts *f, const Tree *t) { return value_range(f, t, 0); }

/* ---- the walk ---- */

static void add_known(Facts *f, Linear x) {
  vec_push(f->a, &f->known, x);
  vec_push(f->a, &f->numbers, ++f->found->latest);
}

Facts facts_begin(Arena *a, const Kernel *k) {
  Facts f = {.a = a, .kernel = k, .clock = 1, .found = arena_one(a, struct Found)};
  if (!k->threads) return f;
  Tree size = {.op = OP_REF, .type = k->threads->type, .symbol = k->threads};
  Linear one = linear_constant(1), all = facts_linear(&f, &size), last, t = thread(&f);
  if (linear_combine(&f, &t, &all, -1, &last) && linear_combine(&f, &last, &one, 1, &last)) add_known(&f, last);
  Linear w = facts_linear(&f, &(Tree){.op = OP_WARP, .type = TYPE_INT}), warps, rest;
  if (split(&f, &all, kernel_vector(k), &warps, &rest) && !rest.n && linear_combine(&f, &w, &warps, -1, &last) &&
      linear_combine(&f, &last, &one, 1, &last))
    add_known(&f, last);
  return f;
}

Facts facts_copy(const Facts *f) {
  Facts copy = *f;
  vec_copy(f->a, &copy.variables, &f->variables);
  vec_copy(f->a, &copy.known, &f->known);
  vec_copy(f->a, &copy.numbers, &f->numbers);
  return copy;
}

void facts_return(Facts *f, const Facts *to) {
  const int64_t clock = f->clock + 1;
  *f = facts_copy(to);
  f->clock = clock;
  for (int i = 0; i < BITS; i++) f->found->changed[i] = clock;
}

int facts_mark(const Facts *f) { return f->known.n; }
void facts_release(Facts *f, int mark) { f->known.n = f->numbers.n = mark; }

static Range bound_of(Facts *f, const Symbol *s, const Tree *value) {
  return value && facts_is_integer(s->type) && facts_is_integer(value->type) ? facts_value(f, value) : everything;
}

static void set(Facts *f, const Symbol *s, const Tree *value, Range range) {
  Variable *v = variable(f, s);
  if (!v) {
    Variable fresh = {.symbol = s};
    vec_push(f->a, &f->variables, fresh);
    v = &f->variables.at[f->variables.n - 1];
  }
  v->value = value;
  v->range = range;
  v->time = f->found->changed[bit_of(s)] = ++f->clock;
}

void facts_assign(Facts *f, const Symbol *s, const Tree *value) {
  Range r = bound_of(f, s, value);
  bool keeps = value && facts_is_integer(s->type) && facts_is_integer(value->type) && !tree_mentions(value, s) &&
               !tree_contains(value, OP_INDEX) && !tree_contains(value, OP_SHUFFLE);
  Range to = type_range(s->type);
  bool fits = r.lo >= to.lo && r.hi <= to.hi;
  if (!fits && s->type != TYPE_INDEX && s->type != TYPE_LONG) keeps = keeps && s->type == value->type;
  set(f, s, keeps ? value : NULL, fits ? r : everything);
}

static bool forget_one(void *context, const Tree *t) {
  Facts *f = context;
  const Tree *place = t->op == OP_ASSIGN || t->op == OP_ATOMIC ? t->kid[0] : NULL;
  if (place && place->op == OP_INDEX) place = place->kid[0];
  if (place && place->op == OP_REF) set(f, place->symbol, NULL, everything);
  if (t->op == OP_DECLARE) set(f, t->symbol, NULL, everything);
  return op_is_statement(t->op);
}

void facts_forget(Facts *f, const Tree *t) { tree_visit(t, forget_one, f); }

typedef struct Writes { const Symbol *symbol; int n; } Writes;

static bool count_write(void *context, const Tree *t) {
  Writes *w = context;
  if (t->op == OP_ASSIGN && t->kid[0]->op == OP_REF && t->kid[0]->symbol == w->symbol) w->n++;
  return op_is_statement(t->op);
}

/* The loop's variable where its step is made, as its condition and its type have it. */
static Range stepping(Facts *f, const Tree *condition, const Symbol *s) {
  int mark = facts_mark(f);
  set(f, s, NULL, type_range(s->type));
  if (condition) facts_assume(f, condition, true);
  Range r = facts_value(f, &(Tree){.op = OP_REF, .type = s->type, .symbol = (Symbol *)s});
  facts_release(f, mark);
  return r;
}

/* Where a variable that starts in `start` can get to by this step alone. An unsigned one wraps around unless the loop's
 * condition keeps it from that. */
static Range reach(Facts *f, const Tree *loop, const Symbol *s, Range start) {
  const Tree *step = loop->kid[2], *by = step->kid[1];
  Op op = step->compound;
  if (step->compound == 0 && by->nkids == 2 && by->kid[0]->op == OP_REF && by->kid[0]->symbol == s) {
    op = by->op;
    by = by->kid[1];
  } else if (step->compound == 0) return everything;
  if (!facts_is_integer(by->type) || tree_mentions(by, s)) return everything;
  Range r = facts_value(f, by);
  if (wraps(s->type) && op != OP_DIV && op != OP_SHR) {
    Range now = stepping(f, loop->kid[1], s), all = type_range(s->type);
    bool grows = op == OP_ADD || op == OP_MUL || op == OP_SHL;
    __int128 most = op == OP_ADD ? (__int128)now.hi + r.hi : op == OP_MUL ? (__int128)now.hi * r.hi : 0;
    if (op == OP_SHL) most = r.hi < 32 && r.hi >= 0 ? (__int128)now.hi << r.hi : RANGE_HIGH;
    if (r.lo < 0 || now.lo < 0 || !bounded(now.hi) || !bounded(r.hi)) return everything;
    if (grows ? most > all.hi : now.lo < r.hi) return everything;
  }
  switch (op) {
    case OP_ADD: return r.lo >= 0 ? range_of(start.lo, RANGE_HIGH) : everything;
    case OP_SUB: return r.lo >= 0 ? range_of(RANGE_LOW, start.hi) : everything;
    case OP_MUL: case OP_SHL:
      return start.lo >= 0 && r.lo >= (op == OP_MUL) ? range_of(start.lo, RANGE_HIGH) : everything;
    case OP_DIV: case OP_SHR:
      return r.lo >= (op == OP_DIV) ? hull(start, range_of(0, 0)) : everything;
    default: return everything;
  }
}

void facts_enter_loop(Facts *f, const Tree *loop) {
  bool counts = loop->op == OP_FOR && loop->kid[2] && loop->kid[2]->op == OP_ASSIGN &&
                loop->kid[2]->kid[0]->op == OP_REF;
  const Symbol *s = counts ? loop->kid[2]->kid[0]->symbol : NULL;
  Range start = s && facts_is_integer(s->type)
                  ? facts_value(f, &(Tree){.op = OP_REF, .type = s->type, .symbol = (Symbol *)s})
                  : everything;
  for (int i = loop->op == OP_FOR ? 1 : 0; i < loop->nkids; i++)
    if (loop->kid[i]) facts_forget(f, loop->kid[i]);
  if (!s || !facts_is_integer(s->type)) return;
  Writes w = {s, 0};
  tree_visit(loop->kid[3], count_write, &w);
  if (w.n == 0) set(f, s, NULL, reach(f, loop, s, start));
}

/* What is no more than min(a, b) is no more than a, and than b. */
static void know_both(Facts *f, const Linear *x) {
  for (int i = 0; i < x->n; i++) {
    const Atom *least = &x->term[i].atom;
    if (least->kind != ATOM_TREE || least->tree->op != OP_MIN || x->term[i].factor != -1) continue;
    for (int k = 0; k < 2 && newest(f, least->tree) == least->time; k++) {
      Term one = {*least, 1};
      const Linear minimum = {&one, 1, 0}, of = facts_linear(f, least->tree->kid[k]);
      Linear r;
      if (linear_combine(f, x, &minimum, 1, &r) && linear_combine(f, &r, &of, -1, &r) && r.n) add_known(f, r);
    }
  }
}

static void know(Facts *f, const Tree *x, const Tree *y, int64_t plus) { /* x - y + plus <= 0 */
  Linear a = facts_linear(f, x), b = facts_linear(f, y), r;
  Linear c = linear_constant(plus);
  if (!linear_combine(f, &a, &b, -1, &r) || !linear_combine(f, &r, &c, 1, &r) || !r.n) return;
  add_known(f, r);
  if (kernel_is_one_vector(f->kernel)) know_both(f, &r); /* a CPU's threads: their shares end at a minimum */
}

/* Do C's conversions leave both operands' values alone when they are compared? */
static bool comparable(Facts *f, const Tree *t) {
  const Tree *x = t->kid[0], *y = t->kid[1];
  if (!facts_is_integer(x->type) || !facts_is_integer(y->type)) return false;
  if (!wraps(x->type) && !wraps(y->type)) return true;
  return facts_value(f, x).lo >= 0 && facts_value(f, y).lo >= 0;
}

static Op negated(Op op) {
  switch (op) {
    case OP_LT: return OP_GE;
    case OP_LE: return OP_GT;
    case OP_GT: return OP_LE;
    case OP_GE: return OP_LT;
    case OP_EQ: return OP_NE;
    case OP_NE: return OP_EQ;
    default: return OP_COUNT;
  }
}

void facts_assume(Facts *f, const Tree *t, bool holds) {
  if (t->op == OP_NOT) { facts_assume(f, t->kid[0], !holds); return; }
  if (t->op == (holds ? OP_LAND : OP_LOR)) {
    facts_assume(f, t->kid[0], holds);
    facts_assume(f, t->kid[1], holds);
    return;
  }
  if (t->op == OP_REF && t->type == TYPE_BOOL) { /* a condition that was named */
    const Variable *v = variable(f, t->symbol);
    if (v && v->value && v->value->type == TYPE_BOOL && newest(f, v->value) < v->time) facts_assume(f, v->value, holds);
    know(f, t, &(Tree){.op = OP_INT, .type = TYPE_INT, .number = holds}, 0);
    know(f, &(Tree){.op = OP_INT, .type = TYPE_INT, .number = holds}, t, 0);
    return;
  }
  if (negated(t->op) == OP_COUNT || !comparable(f, t)) return;
  const Tree *x = t->kid[0], *y = t->kid[1];
  switch (holds ? t->op : negated(t->op)) {
    case OP_LT: know(f, x, y, 1); break;
    case OP_LE: know(f, x, y, 0); break;
    case OP_GT: know(f, y, x, 1); break;
    case OP_GE: know(f, y, x, 0); break;
    case OP_EQ: know(f, x, y, 0); know(f, y, x, 0); break;
    default: {
      Linear a = facts_linear(f, x), b = facts_linear(f, y), r = facts_difference(f, &a, &b);
      Range d = facts_range(f, &r);
      if (d.lo == 0) know(f, y, x, 1);
      if (d.hi == 0) know(f, x, y, 1);
    }
  }
}

int facts_decide(Facts *f, const Tree *t) {
  int64_t c;
  if (tree_constant(t, &c)) return c != 0;
  if (t->op == OP_NOT) {
    int x = facts_decide(f, t->kid[0]);
    return x < 0 ? x : !x;
  }
  if (t->op == OP_LAND || t->op == OP_LOR) {
    int x = facts_decide(f, t->kid[0]), y = facts_decide(f, t->kid[1]), settles = t->op == OP_LOR;
    if (x == settles || y == settles) return settles;
    return x >= 0 && y >= 0 ? !settles : -1;
  }
  if (t->type == TYPE_BOOL && negated(t->op) == OP_COUNT) {
    Range r = facts_value(f, t);
    return r.lo == r.hi ? r.lo != 0 : -1;
  }
  if (negated(t->op) == OP_COUNT || !comparable(f, t)) return -1;
  Linear x = facts_linear(f, t->kid[0]), y = facts_linear(f, t->kid[1]), r = facts_difference(f, &x, &y);
  Range d = facts_range(f, &r);
  switch (t->op) {
    case OP_LT: return d.hi < 0 ? 1 : d.lo >= 0 ? 0 : -1;
    case OP_LE: return d.hi <= 0 ? 1 : d.lo > 0 ? 0 : -1;
    case OP_GT: return d.lo > 0 ? 1 : d.hi <= 0 ? 0 : -1;
    case OP_GE: return d.lo >= 0 ? 1 : d.hi < 0 ? 0 : -1;
    case OP_EQ: return d.lo == 0 && d.hi == 0 ? 1 : d.lo > 0 || d.hi < 0 ? 0 : -1;
    default: return d.lo == 0 && d.hi == 0 ? 0 : d.lo > 0 || d.hi < 0 ? 1 : -1;
  }
}
