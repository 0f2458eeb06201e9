/* coverage.c: do the parts of a partition cover their container exactly once? (MICRO II; papers' index on Fig. 2(d))
 *
 * Each partition of each map is judged by itself. Where the parts' results are combined, parts that are read have to;
 * else they may leave elements out or share them, which gets a remark. Parts that are written never overlap; where a
 * spectrum writes its own container by the parts of one map, those that leave elements out get a warning.
 *
 * Two shapes are proved: adjacent tiles, whose tile covers a p-th of the container, and strides by the number of parts.
 * Everything else is tried on small containers: the first that is not covered exactly once is the counterexample, and
 * what survives gets a remark that it was tried, not proved. */
#include <inttypes.h>

#include "front/cuts.h"
#include "front/front.h"
#include "front/writes.h"

enum { LONGEST = 40, MOST_PARTS = 9, MOST_OWN = 4, SEQUENCE_PARTS = 3 };

typedef struct Trial {
  const Codelet *codelet;
  const Tree *container; /* whose parts these are */
  int64_t size, parts; /* of the container; what numbers of parts are set to */
  int64_t own;         /* .. and tunables of the codelet's own; 0: their values */
  bool unknown;        /* something depends on data or parameters */
  int depth;
} Trial;

static int64_t value(Trial *t, const Tree *x);

/* What gives a view its size. */
static const Tree *as_many_as(const Tree *t) {
  const ViewRow *view;
  while ((view = op_view(t->op)) && view->whole && view->of >= 0) t = t->kid[view->of];
  return t;
}

/* Have both containers as many elements, by what they are or are declared to be? */
static bool same_size(const Tree *x, int x_dim, const Tree *y, int y_dim) {
  x = as_many_as(x);
  y = as_many_as(y);
  if (x->op != OP_REF || y->op != OP_REF) return x_dim == y_dim && tree_equal(x, y);
  return shape_is_same(x->symbol, x_dim, y->symbol, y_dim);
}

/* A variable's value: its declaration in the codelet's body. */
static int64_t variable(Trial *t, const Symbol *s) {
  if (s->kind == SYMBOL_TUNABLE) return t->parts;
  if (s->kind == SYMBOL_CONSTANT) return t->own ? t->own : tunables_value(&t->codelet->tunables, s->name);
  const Tree *body = t->codelet->body;
  for (int i = 0; i < body->nkids; i++)
    if (body->kid[i]->op == OP_DECLARE && body->kid[i]->symbol == s && body->kid[i]->nkids && ++t->depth < 64) {
      int64_t found = value(t, body->kid[i]->kid[0]);
      t->depth--;
      return found;
    }
  t->unknown = true;
  return 0;
}

static int64_t value(Trial *t, const Tree *x) {
  int64_t k[3] = {0};
  if (x->op == OP_REF) return variable(t, x->symbol);
  if (x->op == OP_SIZE) {
    if (!same_size(x->kid[0], x->dimension, t->container, 0)) t->unknown = true;
    return t->size;
  }
  if (x->op == OP_STRIDE) return 1;
  if (x->nkids > 3) { t->unknown = true; return 0; }
  for (int i = 0; i < x->nkids; i++) k[i] = value(t, x->kid[i]);
  switch (x->op) {
    case OP_INT: case OP_BOOL: return x->number;
    case OP_ADD: return k[0] + k[1];
    case OP_SUB: return k[0] - k[1];
    case OP_MUL: return k[0] * k[1];
    case OP_DIV: if (k[1]) return k[0] / k[1]; break;
    case OP_REM: if (k[1]) return k[0] % k[1]; break;
    case OP_MIN: return k[0] < k[1] ? k[0] : k[1];
    case OP_MAX: return k[0] > k[1] ? k[0] : k[1];
    case OP_LT: return k[0] < k[1];
    case OP_LE: return k[0] <= k[1];
    case OP_GT: return k[0] > k[1];
    case OP_GE: return k[0] >= k[1];
    case OP_EQ: return k[0] == k[1];
    case OP_NE: return k[0] != k[1];
    case OP_NEG: return -k[0];
    case OP_CAST: return k[0];
    case OP_COND: return k[0] ? k[1] : k[2];
    default: break;
  }
  t->unknown = true;
  return 0;
}

/* Value number i of a sequence; a short one stays at its end. */
static int64_t sequence_at(Trial *t, const Tree *s, int64_t i) {
  if (s->nkids == 4) { t->unknown = true; return 0; } /* values of a container */
  if (s->nkids == 1) return value(t, s->kid[0]);
  int64_t start = value(t, s->kid[0]), inc = value(t, s->kid[1]), end = value(t, s->kid[2]);
  int64_t v = start + i * inc;
  return inc >= 0 ? (v < end ? v : end) : (v > end ? v : end);
}

typedef struct Pieces { const Tree *partition; const Tree *sequence[SEQUENCE_PARTS]; } Pieces;

static const Tree *sequence_of(const Tree *t) { return t->op == OP_REF && t->symbol->init ? t->symbol->init : t; }

typedef enum Outcome { COVERED, MISSED, DOUBLED, UNKNOWN } Outcome;

/* One container size and number of parts: counts how often each element is in a part. */
static Outcome try(Trial *t, const Pieces *p, int64_t *from, int64_t *to) {
  int count[LONGEST + 1] = {0};
  int64_t parts = value(t, p->partition->kid[1]);
  if (t->unknown || parts < 0 || parts > 4096) return UNKNOWN;
  for (int64_t i = 0; i < parts; i++) {
    int64_t start = sequence_at(t, p->sequence[0], i), end = sequence_at(t, p->sequence[2], i);
    int64_t inc = sequence_at(t, p->sequence[1], i);
    if (t->unknown) return UNKNOWN;
    if (end > t->size) end = t->size;
    if (start < end && inc <= 0) { *from = *to = start; return DOUBLED; }
    for (int64_t k = start; k < end; k += inc)
      if (k >= 0) count[k]++;
  }
  for (int64_t k = 0; k < t->size; k++) {
    if (count[k] == 1) continue;
    bool missed = count[k] == 0;
    for (*from = *to = k; *to + 1 < t->size && (missed ? count[*to + 1] == 0 : count[*to + 1] > 1);) ++*to;
    return missed ? MISSED : DOUBLED;
  }
  return COVERED;
}

/* ---- the proved shapes ---- */

typedef struct Shape { const Codelet *codelet; const Tree *container, *parts; } Shape;

/* An expression with locals replaced by what they were declared to be. */
static const Tree *resolved(const Shape *s, const Tree *t) {
  for (int depth = 0; t->op == OP_REF && t->symbol->kind == SYMBOL_LOCAL && depth < 16; depth++) {
    const Tree *body = s->codelet->body, *found = NULL;
    for (int i = 0; i < body->nkids && !found; i++)
      if (body->kid[i]->op == OP_DECLARE && body->kid[i]->symbol == t->symbol && body->kid[i]->nkids)
        found = body->kid[i]->kid[0];
    if (!found) return t;
    t = found;
  }
  return t;
}

static bool is_int(const Shape *s, const Tree *t, int64_t n) {
  int64_t v;
  return tree_constant(resolved(s, t), &v) && v == n;
}
static bool is_size(const Shape *s, const Tree *t) {
  t = resolved(s, t);
  return t->op == OP_SIZE && same_size(t->kid[0], t->dimension, s->container, 0);
}
static bool is_parts(const Shape *s, const Tree *t) {
  const Tree *parts = resolved(s, s->parts);
  t = resolved(s, t);
  return t->op == OP_REF && parts->op == OP_REF ? t->symbol == parts->symbol : tree_equal(t, parts);
}

/* size, size + 1: at or beyond the end. */
static bool reaches_end(const Shape *s, const Tree *t) {
  t = resolved(s, t);
  int64_t more;
  return is_size(s, t) || (t->op == OP_ADD && is_size(s, t->kid[0]) && tree_constant(t->kid[1], &more) && more >= 0);
}

/* (size + parts - 1) / parts */
static bool is_tile(const Shape *s, const Tree *t) {
  t = resolved(s, t);
  if (t->op != OP_DIV || !is_parts(s, t->kid[1])) return false;
  const Tree *up = resolved(s, t->kid[0]);
  if (up->op != OP_SUB || !is_int(s, up->kid[1], 1)) return false;
  const Tree *sum = resolved(s, up->kid[0]);
  return sum->op == OP_ADD && ((is_size(s, sum->kid[0]) && is_parts(s, sum->kid[1])) ||
                               (is_parts(s, sum->kid[0]) && is_size(s, sum->kid[1])));
}

static bool adjacent(const Shape *s, const Pieces *p) {
  const Tree *start = p->sequence[0], *inc = p->sequence[1], *end = p->sequence[2];
  return start->nkids == 3 && inc->nkids == 1 && end->nkids == 3 && is_int(s, start->kid[0], 0) &&
         is_tile(s, start->kid[1]) && reaches_end(s, start->kid[2]) && is_int(s, inc->kid[0], 1) &&
         is_tile(s, end->kid[0]) && is_tile(s, end->kid[1]) && reaches_end(s, end->kid[2]);
}

static bool strided(const Shape *s, const Pieces *p) {
  const Tree *start = p->sequence[0], *inc = p->sequence[1], *end = p->sequence[2];
  return start->nkids == 3 && inc->nkids == 1 && end->nkids == 1 && is_int(s, start->kid[0], 0) &&
         is_int(s, start->kid[1], 1) && is_parts(s, start->kid[2]) && is_parts(s, inc->kid[0]) &&
         reaches_end(s, end->kid[0]);
}

/* ---- the check ---- */

typedef struct Check {
  Codelet *codelet;
  Diagnostics *d;
  const Tree *map;      /* a MAP or SLIDE at hand */
  bool combined;        /* its parts' results become one */
  int partitions;
  bool all_adjacent, all_strided;
  bool ok;
} Check;

static bool report(Check *k, const Pieces *p, const Trial *t, Outcome what, int64_t from, int64_t to) {
  Diagnostics *d = k->d;
  const char *range = from == to ? "element %" PRId64 : "elements %" PRId64 " to %" PRId64;
  char *elements = arena_printf(d->arena, range, from, to);
  diagnostics_add(d, DIAG_ERROR, p->partition->where,
                  "parts run from start[i] to below end[i] by inc[i]; "
                  "strided is sequence(0, 1, p), sequence(p), sequence(size)",
                  "the partition does not cover its container exactly once: "
                  "with %" PRId64 " element%s in %" PRId64 " part%s, %s %s %s",
                  t->size, t->size == 1 ? "" : "s", t->parts, t->parts == 1 ? "" : "s", elements,
                  from == to ? "is" : "are", what == MISSED ? "missed" : "taken more than once");
  return false;
}

/* Nobody writes what the parts leave out. */
static void warn_of_gap(Check *k, const Pieces *p, const Trial *t, int64_t element) {
  diagnostics_add(k->d, DIAG_WARNING, p->partition->where,
                  "every p-th element is sequence(0, 1, p), sequence(p), sequence(size); tiles are tiles(p, size)",
                  "these parts leave elements out that the sequential codelet writes: with %" PRId64
                  " element%s in %" PRId64 " part%s, element %" PRId64 " of `%s' is not written",
                  t->size, t->size == 1 ? "" : "s", t->parts, t->parts == 1 ? "" : "s", element,
                  t->container->symbol->name);
}

static void remark(Check *k, const Pieces *p, const char *message) {
  diagnostics_remark(k->d, REMARK_MISSED, "coverage", p->partition->where, "%s", message);
}

/* Small containers in a few parts. How many elements a map's results and a codelet's own containers have is not known
 * here. */
static bool try_all(Check *k, const Pieces *p, bool written) {
  const Tree *container = p->partition->kid[0];
  if (container->op != OP_REF || container->symbol->kind != SYMBOL_PARAM) {
    remark(k, p, "cannot tell whether the parts cover their container exactly once");
    return true;
  }
  const int64_t most_own = k->codelet->tunables.n ? MOST_OWN : 0;
  for (int64_t parts = 1; parts <= MOST_PARTS; parts++)
    for (int64_t i = 0; i < LONGEST * (most_own + 1); i++) {
      const int64_t size = 1 + i % LONGEST;
      Trial t = {.codelet = k->codelet, .container = container, .size = size, .parts = parts, .own = i / LONGEST};
      int64_t from = 0, to = 0;
      Outcome what = try(&t, p, &from, &to);
      if (what == COVERED) continue;
      if (what == UNKNOWN) {
        remark(k, p, "cannot tell whether the parts cover their container exactly once");
        return true;
      }
      if (k->combined || (written && what == DOUBLED)) return report(k, p, &t, what, from, to);
      if (written && what == MISSED && writes_by_one_map(k->codelet, k->map)) {
        warn_of_gap(k, p, &t, from);
        return true;
      }
      remark(k, p, what == MISSED ? "the parts do not cover all of their container" : "parts have elements in common");
      return true;
    }
  remark(k, p, arena_printf(k->d->arena, "covers containers of up to %d elements in up to %d parts exactly once; "
                                         "not proved for all", LONGEST, MOST_PARTS));
  return true;
}

/* As many parts as workers; where nothing is combined, any number. */
static bool check_number(Check *k, const Tree *n) {
  if (!k->combined || (n->op == OP_REF && n->symbol->kind == SYMBOL_TUNABLE)) return true;
  diagnostics_add(k->d, DIAG_ERROR, n->where, "`__tunable unsigned p;', then partition(in, p, ..)",
                  "the number of parts is not a tunable: there are as many as workers");
  return false;
}

static Pieces pieces_of(const Tree *partition) {
  Pieces p = {partition, {NULL}};
  for (int i = 0; i < SEQUENCE_PARTS; i++) p.sequence[i] = sequence_of(partition->kid[2 + i]);
  return p;
}

static bool check_partition(Check *k, const Tree *partition, const Symbol *param) {
  Pieces p = pieces_of(partition);
  k->partitions++;
  for (int i = 0; i < SEQUENCE_PARTS; i++)
    if (p.sequence[i]->nkids == 4 && k->combined) {
      diagnostics_add(k->d, DIAG_ERROR, p.sequence[i]->where, "sequence(start, inc, end)",
                      "sequences whose values come from a container are not supported yet");
      return false;
    }
  if (!check_number(k, partition->kid[1])) return false;
  Shape s = {k->codelet, partition->kid[0], partition->kid[1]};
  bool neighbours = adjacent(&s, &p), turns = strided(&s, &p);
  k->all_adjacent &= neighbours;
  k->all_strided &= turns;
  if (!neighbours && !turns) return try_all(k, &p, param && param->writable);
  diagnostics_remark(k->d, REMARK_PASSED, "coverage", partition->where, "covers its container exactly once: %s",
                     neighbours ? "adjacent tiles" : "strided");
  return true;
}

/* How many elements part i has. */
static int64_t part_size(Trial *t, const Pieces *p, int64_t i) {
  int64_t start = sequence_at(t, p->sequence[0], i), inc = sequence_at(t, p->sequence[1], i);
  int64_t end = sequence_at(t, p->sequence[2], i);
  if (end > t->size) end = t->size;
  return start < end && inc > 0 ? (end - start + inc - 1) / inc : 0;
}

/* Is some part of x, in small containers, not as large as that of y? */
static bool parts_differ(const Check *k, const Tree *x, const Tree *y) {
  Pieces p = pieces_of(x), q = pieces_of(y);
  if (!same_size(x->kid[0], 0, y->kid[0], 0)) return false;
  for (int64_t parts = 1; parts <= MOST_PARTS; parts++)
    for (int64_t size = 1; size <= LONGEST; size++) {
      Trial t = {.codelet = k->codelet, .container = x->kid[0], .size = size, .parts = parts};
      for (int64_t i = 0; i < parts; i++)
        if (part_size(&t, &p, i) != part_size(&t, &q, i)) return !t.unknown;
      if (t.unknown) return false;
    }
  return false;
}

/* A spectrum that wants containers of one size, by __like, gets parts of one size. */
static bool check_sizes(Check *k, const Tree *map, int i) {
  const Symbol *param = writes_parameter_for(map, i);
  const Tree *x = map->kid[i], *of = NULL;
  const Symbol *same = param ? shape_same(&param->shape[0]) : NULL;
  if (!same || same->rank != 1) return true;
  for (int n = map->op == OP_SLIDE ? 2 : 0; n < map->nkids; n++)
    if (writes_parameter_for(map, n) == same) of = map->kid[n];
  if (!of) return true;
  bool cut = of->op == OP_PARTITION, both = cut && x->op == OP_PARTITION;
  if (both ? !parts_differ(k, of, x) : cut == (x->op == OP_PARTITION)) return true;
  diagnostics_add(k->d, DIAG_ERROR, x->where, "the same partition of both",
                  "`%s' of `%s' has as many elements as `%s', and these parts have not", param->name,
                  map->spectrum->name, same->name);
  return false;
}

static const Tree *number_of_parts(const Tree *t) { return t->op == OP_PARTITION ? t->kid[1] : NULL; }

static bool is_tunable(const Tree *n) { return n->op == OP_REF && n->symbol->kind == SYMBOL_TUNABLE; }

/* Has the container one element for each of `number' workers, whatever their number? */
static bool has_one_each(const Shape *s, const Tree *container, const Tree *number) {
  const bool own = container->op == OP_REF && container->symbol->kind == SYMBOL_LOCAL && container->symbol->length;
  return own && tree_equal(resolved(s, container->symbol->length), number);
}

/* As many parts as workers: then nothing else may have a number of parts, or of elements, that callers give it. */
static bool check_workers(Check *k, const Tree *map, const Tree *number) {
  Shape s = {k->codelet, NULL, NULL};
  number = number ? resolved(&s, number) : NULL;
  if (!number || !is_tunable(number)) return true;
  for (int i = map->op == OP_SLIDE ? 2 : 0; i < map->nkids; i++) {
    const Tree *x = map->kid[i];
    const bool lines = x->op == OP_ROWS || x->op == OP_COLUMNS;
    if (!lines && (x->op != OP_ELEMENTS || x->kid[0]->op != OP_REF || x->kid[0]->symbol->kind == SYMBOL_MAP ||
                   has_one_each(&s, x->kid[0], number)))
      continue;
    diagnostics_add(k->d, DIAG_ERROR, x->where,
                    lines ? "partition(c, A.Size(0), ..)" : arena_printf(k->d->arena, "partition(c, %s.Size(), ..)",
                                                                         x->kid[0]->symbol->name),
                    "one part for each of these is needed, and the partition has one per worker");
    return false;
  }
  return true;
}

/* Results of as many parts as workers are stored where there are as many places. */
static bool check_stored(Check *k, const Tree *store) {
  const Tree *map = store->kid[0]->op == OP_REF ? store->kid[0]->symbol->init : store->kid[0], *to = store->kid[1];
  Shape s = {k->codelet, NULL, NULL};
  for (int i = 0; map && map->op == OP_MAP && i < map->nkids; i++) {
    const Tree *n = map->kid[i]->op == OP_PARTITION ? resolved(&s, map->kid[i]->kid[1]) : NULL;
    if (!n || !is_tunable(n) || to->op != OP_REF || has_one_each(&s, to, n)) continue;
    diagnostics_add(k->d, DIAG_ERROR, map->kid[i]->kid[1]->where,
                    arena_printf(k->d->arena, "partition(c, %s.Size(), ..)", to->symbol->name),
                    "`%s' has one element per result, and the partition has one part per worker",
                    to->symbol->name);
    return false;
  }
  return true;
}

static bool check_map(Check *k, const Tree *map) {
  k->map = map;
  if (cuts_any(map) && !cuts_check(k->codelet, map, k->d)) return false;
  if (cuts_any(map) && !cuts_as_sequences(k->d->arena, k->codelet, (Tree *)map)) {
    k->codelet->spectrum->cuts = true;
    return true;
  }
  const Tree *number = NULL;
  Shape s = {k->codelet, NULL, NULL};
  for (int i = map->op == OP_SLIDE ? 2 : 0; i < map->nkids; i++) {
    const Tree *x = map->kid[i], *n = number_of_parts(x);
    if (k->combined && (x->op == OP_ROWS || x->op == OP_COLUMNS)) {
      diagnostics_add(k->d, DIAG_ERROR, x->where, "a spectrum that stores them, by m.to(y), and then one of y",
                      "the number of parts is not a tunable: there are as many as workers");
      return false;
    }
    if (!n) continue;
    if (!check_partition(k, x, writes_parameter_for(map, i))) return false;
    if (number && !tree_equal(resolved(&s, number), resolved(&s, n))) {
      diagnostics_add(k->d, DIAG_ERROR, n->where, "one number for all of them",
                      "the partitions of a map have different numbers of parts");
      return false;
    }
    number = n;
  }
  if (!check_workers(k, map, number)) return false;
  for (int i = map->op == OP_SLIDE ? 2 : 0; i < map->nkids; i++)
    if (!check_sizes(k, map, i)) return false;
  return true;
}

/* Are the results of the map of that symbol combined: accumulated atomically, given to a spectrum? */
typedef struct Combined { const Symbol *s; bool yes; } Combined;

static bool find_combination(void *context, const Tree *t) {
  Combined *c = context;
  if (t->op == OP_MAP_TO || t->op == OP_ELEMENTS) return false;
  if (t->op == OP_REF && t->symbol == c->s) c->yes = true;
  if (t->op == OP_DECLARE && t->symbol->init) tree_visit(t->symbol->init, find_combination, c);
  return !c->yes;
}

static bool visit(void *context, const Tree *t) {
  Check *k = context;
  if (!k->ok) return false;
  bool before = k->combined;
  if (t->op == OP_DECLARE && t->symbol->init) {
    Combined c = {t->symbol, false};
    tree_visit(k->codelet->body, find_combination, &c);
    k->combined = c.yes;
    tree_visit(t->symbol->init, visit, k);
  } else if (t->op == OP_MAP_TO) {
    if (!check_stored(k, t)) k->ok = false;
    k->combined = false;
    if (t->kid[0]->op == OP_MAP) tree_visit(t->kid[0], visit, k);
  } else if (t->op == OP_MAP_RUN) {
    k->combined = false;
    tree_visit(t->kid[0], visit, k);
  } else {
    if (t->op == OP_SLIDE) k->combined = true;
    if ((t->op == OP_MAP || t->op == OP_SLIDE) && !check_map(k, t)) k->ok = false;
    k->combined = true; /* what stands inside an expression is its spectrum's argument */
    for (int i = 0; i < t->nkids; i++)
      if (t->kid[i]) tree_visit(t->kid[i], visit, k);
  }
  k->combined = before;
  return false;
}

bool front_coverage(Codelet *c, Diagnostics *d) {
  Check k = {.codelet = c, .d = d, .combined = true, .all_adjacent = true, .all_strided = true, .ok = true};
  tree_visit(c->body, visit, &k);
  if (k.ok && k.partitions) {
    c->keeps_order = k.all_adjacent;
    c->strides = k.all_strided;
  }
  return k.ok;
}
