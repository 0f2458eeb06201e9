/* simd.c: the lanes of a thread of a CPU, as loops over the elements of a vector.
 *
 * Requires: kernel form behind the barrier pass, of blocks that are one vector.
 * Keeps: what each lane computes, to the last bit.
 * Breaks: that there are lanes: the body is one thread's from here on, and has no barriers and no exchanges.
 *
 *     T val = accum;                                  T val[8];
 *                                                     for each lane: val[lane] = accum[lane];
 *     for (int offset = 4; ..; offset /= 2) {   ->    for (int offset = 4; ..; offset /= 2) {
 *       T other = shuffle_down(val, offset);            for each lane: other[lane] = val[lane + offset < 8 ? ..];
 *       val += lane + offset < 8 ? other : 0;           for each lane: val[lane] += lane + offset < 8 ? other[lane] :
 *                                                       0;
 *     }                                               }
 *
 * Between two barriers no lane touches what another one changes: so they may run one after another, or side by side in
 * a vector unit. Statements between barriers and exchanges make a region, and a region is one loop over the lanes. What
 * all lanes do alike stands outside of the loops and is done once; so do loops and branches that all lanes run
 * together, and they are taken apart. A variable that only one region uses is a variable of its loop; another one
 * becomes an array with an element a lane, which compilers keep in vector registers. */
#include "passes/simd.h"

#include <string.h>

#include "ir/build.h"
#include "passes/fresh.h"
#include "passes/predicate.h"

/* What a LANES statement runs for: all, or this one and number - 1; below LANES_OF_STREAMS all of -number vectors. */
enum { ALL_LANES = 0, ONE_LANE = 1, FOUR_VECTORS = -4 };

typedef struct Spread {
  const Symbol *from; /* a variable that differs from lane to lane */
  Symbol *to;         /* the array in its place; NULL: it stays */
  const Tree *region; /* the one that declares it */
  Tree *value;        /* what it is declared to be, when that can be said again wherever it is used; else NULL */
  bool several;       /* others use it too */
  int wide;           /* of the region's lanes: ALL_LANES, LANES_OF_VECTORS, FOUR_VECTORS */
} Spread;

typedef struct Lanes {
  Arena *a;
  const Kernel *kernel;
  Diagnostics *d;
  Uniform uniform;
  const Tree *body;
  TreeList *to;     /* what comes out */
  TreeList region;  /* statements of the region that is being gathered */
  Symbol *vectors;  /* how many are in flight */
  int wide;         /* of the regions' lanes now: ALL_LANES, LANES_OF_VECTORS, FOUR_VECTORS */
  Symbol *many;     /* how many of these there are; NULL: all */
  bool streams;     /* are we where turns each read a run of memory? */
  VEC(Spread) spread;
  Fresh fresh;
  bool failed;
} Lanes;

static Tree *lane(const Lanes *x) { return tree_new(x->a, OP_LANE, TYPE_INT, (SourceRange){0}, 0); }
static Tree *number(const Lanes *x, int64_t n) { return tree_int(x->a, TYPE_INT, n); }
static Tree *binary(const Lanes *x, Op op, Type type, Tree *l, Tree *r) { return tree_binary(x->a, op, type, l, r); }

/* How many of them regions have. */
static Tree *lanes_of(const Lanes *x, int wide) {
  Tree *lanes = number(x, kernel_vector(x->kernel) * (wide < LANES_OF_VECTORS ? -wide : 1));
  return wide == LANES_OF_VECTORS ? build_mul(x->a, lanes, tree_ref(x->a, x->vectors)) : lanes;
}

static bool varies(const Lanes *x, const Tree *t) { return uniform_of(&x->uniform, t) == VARIES_LANE; }

static void statement(Lanes *x, Tree *t);

/* ---- regions ---- */

static void add_region(Lanes *x, Tree *body, int which) {
  Tree *t = tree_new(x->a, OP_LANES, TYPE_VOID, (SourceRange){0}, x->many ? 2 : 1);
  t->kid[0] = body;
  if (x->many) t->kid[1] = tree_ref(x->a, x->many);
  t->vectors = x->streams ? LANES_OF_STREAMS : x->wide ? x->wide : which;
  t->bytes = x->streams && x->kernel->stream_bytes ? x->kernel->stream_bytes : x->kernel->step_bytes;
  vec_push(x->a, x->to, t);
}

/* Ends the region: what comes next must see all of it, for all lanes. */
static void end_region(Lanes *x) {
  if (!x->region.n) return;
  add_region(x, tree_seq(x->a, x->region.at, x->region.n), ALL_LANES);
  x->region = (TreeList){0};
}

static void once(Lanes *x, Tree *t) {
  end_region(x);
  vec_push(x->a, x->to, t);
}

static void in_region(Lanes *x, Tree *t) { vec_push(x->a, &x->region, t); }

/* Its statements, taken apart, as a body of their own. */
static Tree *inside(Lanes *x, Tree *t) {
  TreeList inner = {0}, *outer = x->to;
  x->to = &inner;
  statement(x, t);
  end_region(x);
  x->to = outer;
  return tree_seq(x->a, inner.at, inner.n);
}

static bool exchanges(const Tree *t) {
  return tree_contains(t, OP_BARRIER) || tree_contains(t, OP_SHUFFLE);
}

/* ---- what is known of numbers ---- */

/* `lane == 0': which lane alone; -1: not one. */
static int only_lane(const Tree *t) {
  int64_t c;
  bool of_lane = t->op == OP_EQ && (t->kid[0]->op == OP_LANE || t->kid[0]->op == OP_THREAD);
  return of_lane && simd_value_at(t->kid[1], &(SimdTurn){0}, &c) ? (int)c : -1;
}

static void stuck(Lanes *x, const Tree *t) {
  diagnostics_internal(x->d, t->where, "lanes that exchange data do not run this together");
  x->failed = true;
}

/* A variable that another region or another lane looks at. */
static void spread(Lanes *x, const Symbol *s) {
  for (int i = 0; i < x->spread.n; i++)
    if (x->spread.at[i].from == s) { x->spread.at[i].several = true; return; }
  Spread made = {.from = s, .several = true};
  vec_push(x->a, &x->spread, made);
}

/* Whose value a lane takes. */
static int lane_taken(ShuffleMode mode, int lane, int by, int lanes) {
  int there = mode == SHUFFLE_XOR ? lane ^ by : mode == SHUFFLE_DOWN ? lane + by : lane - by;
  return there >= 0 && there < lanes ? there : lane;
}

/* The same for all lanes at once, where how far it goes is known. */
static void exchange_all(Lanes *x, const Symbol *to, const Tree *shuffle, int by) {
  int lanes = kernel_vector(x->kernel);
  Tree *declare = tree_new(x->a, OP_DECLARE, TYPE_VOID, shuffle->where, 0);
  declare->symbol = (Symbol *)to;
  add_region(x, tree_seq(x->a, &declare, 1), ALL_LANES);
  Tree *t = tree_new(x->a, OP_EXCHANGE, TYPE_VOID, shuffle->where, 2 + lanes);
  t->kid[0] = tree_ref(x->a, (Symbol *)to);
  t->kid[1] = tree_ref(x->a, shuffle->kid[0]->symbol);
  for (int i = 0; i < lanes; i++) t->kid[2 + i] = number(x, lane_taken(shuffle->mode, i, by, lanes));
  spread(x, to);
  vec_push(x->a, x->to, t);
}

/* Where a lane finds what another one has. */
static Tree *other_lane(const Lanes *x, const Tree *shuffle) {
  Tree *by = shuffle->kid[1], *own = lane(x), *width = number(x, kernel_vector(x->kernel));
  if (shuffle->mode == SHUFFLE_XOR) return binary(x, OP_XOR, TYPE_INT, own, by);
  if (shuffle->mode == SHUFFLE_INDEX) return binary(x, OP_REM, TYPE_INT, by, width);
  bool down = shuffle->mode == SHUFFLE_DOWN;
  Tree *which = tree_new(x->a, OP_COND, TYPE_INT, shuffle->where, 3), *there = binary(x, down ? OP_ADD : OP_SUB,
                                                                                    TYPE_INT, own, by);
  which->kid[0] = down ? binary(x, OP_LT, TYPE_BOOL, there, width) : binary(x, OP_GE, TYPE_BOOL, own, by);
  which->kid[1] = there;
  which->kid[2] = own;
  return which;
}

/* `T other = shuffle(val, by)': all lanes have their val before, and their other after it. */
static void exchange(Lanes *x, Tree *t) {
  Tree **value = t->op == OP_DECLARE && t->nkids ? &t->kid[0] : t->op == OP_ASSIGN && !t->compound ? &t->kid[1] : NULL;
  bool plain = value && (*value)->op == OP_SHUFFLE && (*value)->kid[0]->op == OP_REF;
  if (!plain || (t->op == OP_ASSIGN && tree_equal(t->kid[0], (*value)->kid[0]))) { stuck(x, t); return; }
  Tree *shuffle = *value, *copy = tree_with_kids(x->a, t, t->kid, t->nkids);
  const Symbol *from = shuffle->kid[0]->symbol;
  end_region(x);
  if (uniform_of(&x->uniform, shuffle->kid[0]) == VARIES_LANE) {
    spread(x, from);
    int64_t by;
    if (t->op == OP_DECLARE && shuffle->mode != SHUFFLE_INDEX && simd_value_at(shuffle->kid[1], &(SimdTurn){0}, &by)) {
      exchange_all(x, t->symbol, shuffle, (int)by);
      return;
    }
    Tree *element = tree_new(x->a, OP_INDEX, shuffle->type, shuffle->where, 2);
    element->kid[0] = tree_ref(x->a, (Symbol *)from);
    element->kid[1] = other_lane(x, shuffle);
    copy->kid[t->op == OP_ASSIGN] = element; /* meant so: spread_element leaves it alone */
  } else { /* all have the same */
    copy->kid[t->op == OP_ASSIGN] = shuffle->kid[0];
    const Tree *place = t->op == OP_ASSIGN ? t->kid[0] : tree_ref(x->a, t->symbol);
    if (!varies(x, place)) { once(x, copy); return; }
  }
  add_region(x, tree_seq(x->a, &copy, 1), ALL_LANES);
}

/* ---- statements ---- */

static void branch(Lanes *x, Tree *t) {
  int one = only_lane(t->kid[0]);
  if (one >= 0 && one < kernel_vector(x->kernel) && (t->nkids < 3 || !t->kid[2])) {
    end_region(x);
    add_region(x, t->kid[1], ONE_LANE + one);
    return;
  }
  if (varies(x, t->kid[0])) {
    if (exchanges(t)) stuck(x, t);
    Tree *apart = simd_branch_in_loops(x->a, &x->uniform, t);
    if (apart) statement(x, apart);
    else in_region(x, t);
    return;
  }
  end_region(x);
  Tree *copy = tree_with_kids(x->a, t, t->kid, t->nkids);
  for (int i = 1; i < t->nkids; i++)
    if (t->kid[i]) copy->kid[i] = inside(x, t->kid[i]);
  vec_push(x->a, x->to, copy);
}

/* for (int offset = 8; offset > 0; offset /= 2), whose exchanges want to be known: its turns, one after another. */
enum { MOST_TURNS = 8 };

/* A turn's body: the loop's variable is a number there, and what the body declares is the turn's own. */
typedef struct Writing { Lanes *x; SimdTurn turn; VEC(Symbol *) from, to; } Writing;

static Symbol *own_variable(Writing *w, const Tree *declare) {
  Symbol *made = arena_one(w->x->a, Symbol);
  *made = *declare->symbol;
  uniform_add(&w->x->uniform, made, uniform_of(&w->x->uniform, tree_ref(w->x->a, declare->symbol)));
  vec_push(w->x->a, &w->from, declare->symbol);
  vec_push(w->x->a, &w->to, made);
  return made;
}

static Tree *at_turn(void *context, Arena *a, Tree *t) {
  Writing *w = context;
  if (t->op == OP_REF && t->symbol == w->turn.symbol) return tree_int(a, t->type, w->turn.value);
  if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_LOCAL) {
    Tree *copy = tree_with_kids(a, t, t->kid, t->nkids);
    copy->symbol = own_variable(w, t);
    return copy;
  }
  for (int i = 0; t->op == OP_REF && i < w->from.n; i++)
    if (w->from.at[i] == t->symbol) {
      Tree *copy = tree_ref(a, w->to.at[i]);
      copy->where = t->where;
      return copy;
    }
  return t;
}

/* The values that its variable takes, at most MOST_TURNS; 0: they are not known. */
static int turns_of(Lanes *x, const Tree *t, int64_t values[MOST_TURNS]) {
  const Tree *init = t->op == OP_FOR ? t->kid[0] : NULL, *step = t->op == OP_FOR ? t->kid[2] : NULL;
  bool counts = init && init->op == OP_DECLARE && init->nkids && step && step->op == OP_ASSIGN && step->compound &&
                step->kid[0]->op == OP_REF && step->kid[0]->symbol == init->symbol && t->kid[1] &&
                !tree_assigns(t->kid[3], init->symbol) && !tree_contains(t->kid[3], OP_BREAK) &&
                !tree_contains(t->kid[3], OP_CONTINUE);
  SimdTurn turn = {.symbol = counts ? init->symbol : NULL};
  if (!counts || !simd_value_at(init->kid[0], &turn, &turn.value)) return 0;
  Tree *next = tree_binary(x->a, step->compound, TYPE_INT, step->kid[0], step->kid[1]);
  for (int n = 0; n <= MOST_TURNS; n++) {
    int64_t goes_on;
    if (!simd_value_at(t->kid[1], &turn, &goes_on)) return 0;
    if (!goes_on || n == MOST_TURNS) return goes_on ? 0 : n;
    values[n] = turn.value;
    if (!simd_value_at(next, &turn, &turn.value)) return 0;
  }
  return 0;
}

static bool written_out(Lanes *x, const Tree *t) {
  int64_t values[MOST_TURNS];
  int n = t->unroll != UNROLL_JAM && tree_contains(t, OP_SHUFFLE) ? turns_of(x, t, values) : 0;
  for (int i = 0; i < n; i++) {
    Writing w = {.x = x, .turn = {t->kid[0]->symbol, values[i]}};
    Tree *body = inside(x, tree_rewrite(x->a, t->kid[3], at_turn, &w));
    vec_push(x->a, x->to, body);
  }
  return n > 0;
}

/* for (; turn + 16 <= last; turn += 16), whose turns take neighbours and exchange nothing: the same, several vectors a
 * turn, which goes ahead of it. What the body declares is that loop's own. */
static void several_vectors(Lanes *x, const Tree *t, int wide) {
  Writing w = {.x = x};
  Tree *turn = t->kid[2]->kid[0], *last = t->kid[1]->kid[1], *step = lanes_of(x, wide), *room = step;
  Tree *copy = tree_with_kids(x->a, t, t->kid, t->nkids);
  copy->unroll = UNROLL_FREE;
  if (wide == LANES_OF_VECTORS) step = simd_lanes_left(x->a, x->vectors, build_sub(x->a, last, turn), step, &room);
  copy->kid[1] = binary(x, OP_LE, TYPE_BOOL, build_add(x->a, turn, room), last);
  copy->kid[2] = tree_with_kids(x->a, t->kid[2], (Tree *[]){turn, step}, 2);
  Tree *body = tree_rewrite(x->a, t->kid[3], at_turn, &w);
  x->wide = wide;
  if (wide == LANES_OF_VECTORS) {
    x->many = symbol_new(x->a, SYMBOL_LOCAL, fresh_name(&x->fresh, "many"), TYPE_INT);
    x->many->constant = true;
    body = simd_several_turns(x->a, x->kernel, x->many, body);
  }
  copy->kid[3] = inside(x, body);
  if (x->many) {
    TreeList all = {0};
    vec_push(x->a, &all, build_declare(x->a, x->many, build_cast(x->a, TYPE_INT, step)));
    for (int i = 0; i < copy->kid[3]->nkids; i++) vec_push(x->a, &all, copy->kid[3]->kid[i]);
    copy->kid[3] = tree_seq(x->a, all.at, all.n);
  }
  x->wide = ALL_LANES;
  x->many = NULL;
  vec_push(x->a, x->to, copy);
}

static void loop(Lanes *x, Tree *t) {
  int body = t->nkids - 1;
  bool alike = uniform_of_loop(&x->uniform, t) < VARIES_LANE;
  if (alike && t->op == OP_FOR)
    alike = !(t->kid[0] && varies(x, t->kid[0]->op == OP_DECLARE ? t->kid[0]->kid[0] : t->kid[0]->kid[1]));
  if (!alike) {
    if (exchanges(t)) stuck(x, t);
    in_region(x, t);
    return;
  }
  end_region(x);
  if (written_out(x, t)) return;
  const bool several = t->op == OP_FOR && t->unroll == UNROLL_VECTORS;
  if (several) { /* what is left by many in flight is too much for one at a time */
    several_vectors(x, t, LANES_OF_VECTORS);
    several_vectors(x, t, FOUR_VECTORS);
  }
  Tree *copy = tree_with_kids(x->a, t, t->kid, t->nkids);
  x->streams = t->op == OP_FOR && t->unroll == UNROLL_STREAMS;
  if (several || x->streams) copy->unroll = UNROLL_FREE;
  copy->kid[body] = inside(x, t->kid[body]);
  x->streams = false;
  vec_push(x->a, x->to, copy);
}

/* Do all lanes store the same in the same place, or in a variable that is the same for all? */
static bool assigns_alike(const Lanes *x, const Tree *t) {
  const Tree *place = t->kid[0];
  if (varies(x, t->kid[1]) || varies(x, place)) return false;
  return place->op == OP_REF || !t->compound;
}

static void statement(Lanes *x, Tree *t) {
  if (x->failed) return;
  switch (t->op) {
    case OP_SEQ:
      for (int i = 0; i < t->nkids; i++) statement(x, t->kid[i]);
      return;
    case OP_BARRIER: end_region(x); return;
    case OP_COMMENT:
      if (x->region.n) in_region(x, t);
      else vec_push(x->a, x->to, t);
      return;
    case OP_IF: branch(x, t); return;
    case OP_FOR: case OP_WHILE: loop(x, t); return;
    case OP_BREAK: case OP_CONTINUE: once(x, t); return;
    case OP_LOAD_ROWS:
      once(x, t);
      spread(x, t->kid[0]->symbol);
      return;
    default: break;
  }
  if (tree_contains(t, OP_SHUFFLE)) exchange(x, t);
  else if (t->op == OP_DECLARE && (t->symbol->kind == SYMBOL_SHARED || !varies(x, tree_ref(x->a, t->symbol))))
    once(x, t);
  else if (t->op == OP_ASSIGN && assigns_alike(x, t)) once(x, t);
  else in_region(x, t);
}

/* ---- variables that live longer than a region ---- */

typedef struct Users { Lanes *x; const Tree *region; } Users;

static Spread *spread_of(const Lanes *x, const Symbol *s) {
  for (int i = 0; i < x->spread.n; i++)
    if (x->spread.at[i].from == s) return &x->spread.at[i];
  return NULL;
}

/* Is a variable changed elsewhere than in a loop's step? Else it stays what it is throughout a body. */
typedef struct Changed { const Symbol *symbol; bool found; } Changed;

static bool find_change(void *context, const Tree *t) {
  Changed *c = context;
  if (t->op == OP_ASSIGN && t->kid[0]->op == OP_REF && t->kid[0]->symbol == c->symbol) c->found = true;
  if (t->op != OP_FOR) return !c->found;
  tree_visit(t->kid[3], find_change, c);
  return false;
}

typedef struct Counting { const Lanes *x; bool no; } Counting;

static bool cannot_count(void *context, const Tree *t) {
  Counting *c = context;
  c->no |= t->op == OP_INDEX || t->op == OP_SHUFFLE || t->op == OP_APPLY || t->op == OP_LIFT || t->op == OP_STATE;
  if (t->op == OP_REF && !t->symbol->constant) {
    Changed changed = {t->symbol, false};
    tree_visit(c->x->body, find_change, &changed);
    c->no |= changed.found;
  }
  return !c->no;
}

/* `const Index at = begin + 4 * lane': a number of the lane's, which is rather counted again than kept. */
static Tree *counted_value(const Lanes *x, const Tree *declare) {
  const Symbol *s = declare->symbol;
  Counting c = {x, false};
  if (!s->constant || s->array || s->type == TYPE_ELEM || !declare->nkids) return NULL;
  tree_visit(declare->kid[0], cannot_count, &c);
  return c.no ? NULL : declare->kid[0];
}

static int wide_of(const Tree *region) {
  if (region->vectors == LANES_OF_STREAMS) return LANES_OF_VECTORS;
  return region->vectors < ALL_LANES ? region->vectors : ALL_LANES;
}

static bool note_use(void *context, const Tree *t) {
  Users *u = context;
  if (t->op != OP_REF && t->op != OP_DECLARE) return true;
  const Symbol *s = t->symbol;
  if (s->kind != SYMBOL_LOCAL || !varies(u->x, tree_ref(u->x->a, (Symbol *)s))) return true;
  Spread *known = spread_of(u->x, s);
  if (!known) {
    Spread made = {.from = s, .region = u->region, .value = t->op == OP_DECLARE ? counted_value(u->x, t) : NULL,
                   .wide = wide_of(u->region)};
    vec_push(u->x->a, &u->x->spread, made);
    return true;
  }
  if (known->region && known->region != u->region) known->several = true;
  else known->region = u->region;
  if (t->op == OP_REF && known->value) tree_visit(known->value, note_use, u); /* what is counted again is used again */
  return true;
}

static bool note_region(void *context, const Tree *t) {
  if (t->op != OP_LANES) return true;
  Users u = {context, t};
  tree_visit(t->kid[0], note_use, &u);
  return false;
}

/* An element a lane, of an array as many as that had. */
static Symbol *array_for(Lanes *x, const Symbol *s, int wide) {
  Symbol *made = arena_one(x->a, Symbol);
  *made = *s;
  made->array = made->writable = true;
  made->constant = false;
  Tree *lanes = lanes_of(x, wide);
  made->length = s->array ? binary(x, OP_MUL, TYPE_INT, s->length, lanes) : lanes;
  return made;
}

static Tree *element_of(Lanes *x, const Symbol *array, Tree *index, Type type, SourceRange where) {
  Tree *t = tree_new(x->a, OP_INDEX, type, where, 2);
  t->kid[0] = tree_ref(x->a, (Symbol *)array);
  t->kid[1] = index;
  return t;
}

/* val is val[lane], and items[k] is items[k * 8 + lane]. */
static Tree *spread_element(Lanes *x, Tree *t) {
  if (!t) return NULL;
  bool element = t->op == OP_INDEX && t->kid[0]->op == OP_REF;
  const Spread *s = t->op == OP_REF ? spread_of(x, t->symbol) : element ? spread_of(x, t->kid[0]->symbol) : NULL;
  if (s && s->several && s->value && t->op == OP_REF) return spread_element(x, s->value);
  if (s && s->to && t->op == OP_REF) return element_of(x, s->to, lane(x), t->type, t->where);
  Tree *copy = tree_with_kids(x->a, t, t->kid, t->nkids);
  for (int i = 0; i < t->nkids; i++)
    if (!element || i || !s || !s->to) copy->kid[i] = spread_element(x, t->kid[i]);
  if (!s || !s->to) return copy;
  if (!s->from->array) return element_of(x, s->to, copy->kid[1], t->type, t->where); /* another lane's (exchange) */
  Tree *first = build_mul(x->a, copy->kid[1], lanes_of(x, s->wide));
  return element_of(x, s->to, build_add(x->a, first, lane(x)), t->type, t->where);
}

/* The region's body: declarations of arrays go before it, and what they begin with is assigned. */
static Tree *region_body(Lanes *x, Tree *body, TreeList *before) {
  TreeList out = {0};
  Tree *seq = body->op == OP_SEQ ? body : tree_seq(x->a, &body, 1);
  for (int i = 0; i < seq->nkids; i++) {
    Tree *t = seq->kid[i];
    const Spread *s = t->op == OP_DECLARE ? spread_of(x, t->symbol) : NULL;
    if (s && s->several && s->value) continue;
    if (!s || !s->to) { vec_push(x->a, &out, spread_element(x, t)); continue; }
    Tree *declare = tree_new(x->a, OP_DECLARE, TYPE_VOID, t->where, 0);
    declare->symbol = s->to;
    vec_push(x->a, before, declare);
    if (!t->nkids) continue;
    Tree *place = element_of(x, s->to, lane(x), s->to->type, t->where);
    vec_push(x->a, &out, binary(x, OP_ASSIGN, TYPE_VOID, place, spread_element(x, t->kid[0])));
    out.at[out.n - 1]->where = t->where;
  }
  return tree_seq(x->a, out.at, out.n);
}

static Tree *at_lane(void *context, Arena *a, Tree *t) {
  const int *lane = context;
  return t->op == OP_LANE || t->op == OP_THREAD ? tree_int(a, TYPE_INT, *lane) : t;
}

static bool comments_only(const Tree *seq) {
  for (int i = 0; i < seq->nkids; i++)
    if (seq->kid[i]->op != OP_COMMENT) return false;
  return true;
}

static bool declares(const Tree *seq) {
  for (int i = 0; i < seq->nkids; i++)
    if (seq->kid[i]->op == OP_DECLARE) return true;
  return false;
}

static void finish(Lanes *x, Tree *t, TreeList *to);

static Tree *finish_body(Lanes *x, Tree *t) {
  TreeList inner = {0};
  for (int i = 0; i < t->nkids; i++) finish(x, t->kid[i], &inner);
  return tree_seq(x->a, inner.at, inner.n);
}

static void finish(Lanes *x, Tree *t, TreeList *to) {
  if (t->op == OP_SEQ) { /* a turn, with variables of its own */
    vec_push(x->a, to, finish_body(x, t));
    return;
  }
  if (t->op == OP_EXCHANGE || t->op == OP_LOAD_ROWS) {
    Tree *copy = tree_with_kids(x->a, t, t->kid, t->nkids);
    for (int i = 0; i < (t->op == OP_EXCHANGE ? 2 : 1); i++)
      copy->kid[i] = tree_ref(x->a, spread_of(x, t->kid[i]->symbol)->to);
    vec_push(x->a, to, copy);
    return;
  }
  if (t->op == OP_LANES) {
    Tree *body = region_body(x, t->kid[0], to);
    bool one = t->vectors >= ONE_LANE;
    if (one || comments_only(body)) {
      int lane = t->vectors - ONE_LANE;
      if (one) body = tree_rewrite(x->a, body, at_lane, &lane);
      if (declares(body)) vec_push(x->a, to, body); /* variables of its own */
      else
        for (int i = 0; i < body->nkids; i++) vec_push(x->a, to, body->kid[i]);
      return;
    }
    Tree *made = tree_with_kids(x->a, t, (Tree *[]){body, t->nkids > 1 ? t->kid[1] : NULL}, t->nkids);
    vec_push(x->a, to, made);
    return;
  }
  if (t->op == OP_IF || t->op == OP_FOR || t->op == OP_WHILE) {
    Tree *copy = tree_with_kids(x->a, t, t->kid, t->nkids);
    for (int i = t->op == OP_FOR ? 3 : 1; i < t->nkids; i++)
      if (t->kid[i]) copy->kid[i] = finish_body(x, t->kid[i]);
    vec_push(x->a, to, copy);
    return;
  }
  vec_push(x->a, to, t);
}

/* The block's size is the vector's, and there is one kind of lane. */
static Tree *in_one_vector(void *context, Arena *a, Tree *t) {
  const Lanes *x = context;
  if (t->op == OP_REF && t->symbol == x->kernel->threads) return tree_int(a, t->type, kernel_vector(x->kernel));
  if (t->op == OP_THREAD) return tree_new(a, OP_LANE, TYPE_INT, t->where, 0);
  return t->op == OP_WARP ? tree_int(a, TYPE_INT, 0) : t;
}

static bool size_arrays(void *context, const Tree *t) {
  Lanes *x = context;
  if (t->op == OP_DECLARE && t->symbol->length)
    t->symbol->length = tree_rewrite(x->a, t->symbol->length, in_one_vector, x);
  return true;
}

Tree *pass_simd(Arena *a, const Kernel *k, Symbol *vectors, Tree *body, Diagnostics *d) {
  Lanes x = {.a = a, .kernel = k, .vectors = vectors, .fresh = fresh_begin(a, k, body), .d = d};
  body = tree_rewrite(a, body, in_one_vector, &x);
  tree_visit(body, size_arrays, &x);
  x.uniform = uniform_find(a, body);
  body = simd_common_origins(a, &x.uniform, body);
  x.uniform = uniform_find(a, body);
  x.body = body;
  TreeList apart = {0};
  x.to = &apart;
  statement(&x, body);
  end_region(&x);
  if (x.failed) return NULL;
  Tree *all = tree_seq(a, apart.at, apart.n);
  tree_visit(all, note_region, &x);
  for (int i = 0; i < x.spread.n; i++)
    if (x.spread.at[i].several && !x.spread.at[i].value)
      x.spread.at[i].to = array_for(&x, x.spread.at[i].from, x.spread.at[i].wide);
  all = finish_body(&x, all);
  simd_tell_apart(a, all);
  return all;
}
