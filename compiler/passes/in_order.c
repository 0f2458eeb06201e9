/* in_order.c: elements that lanes take in turns, of which the simd pass made no vectors: loads are scattered, or an
 * element has loops of its own, or its loop stands among other statements.
 *
 *     for (k = 0; k < 2; ++k)
 *       for each lane of 16:                                     for (i = 0; i < end - begin; ++i)
 *         for (i = begin + lane + k * 16; i < end; i += 32)  ->    y[begin + i] = x[at[begin + i]];
 *           y[i] = x[at[i]];
 *
 * Each lane would go through all of the memory for a sixteenth of its elements. Between two barriers no lane touches
 * what another one changes, and each one's elements stay in their order: so the values are the same. The one loop is
 * for compilers, which gather, or for the strips pass. */
#include "passes/in_order.h"

#include "ir/build.h"

typedef VEC(Tree *) TreeList;

/* Turns at the elements begin, begin + 1, .. up to end: the lane's i-th is own + i * step. */
typedef struct Turns {
  Arena *a;
  const Symbol *own, *turn, *index; /* a lane's first element; the number of its part; what its loop counts */
  const Tree *begin, *end, *loop;
  int64_t step;
  bool counts;                      /* does the loop count turns, not elements? */
  Tree *at;                         /* the element, in the one loop */
  VEC(const Symbol *) locals;       /* .. and what is declared there */
  bool fits;
} Turns;

static bool value_of(const Tree *t, int64_t *v) {
  int64_t x, y;
  if (t->op != OP_MUL) return tree_constant(t, v);
  if (!value_of(t->kid[0], &x) || !value_of(t->kid[1], &y)) return false;
  *v = x * y;
  return true;
}

static const Tree *only_statement(const Tree *t) {
  const Tree *found = t;
  if (t->op != OP_SEQ) return t;
  int n = 0;
  for (int i = 0; i < t->nkids; i++)
    if (t->kid[i]->op != OP_COMMENT) found = t->kid[i], n++;
  return n == 1 ? found : NULL;
}

/* begin + lane + k * lanes; true: that is what t is, and *begin is set. */
static bool begins_side_by_side(Turns *x, const Tree *t, int64_t lanes, bool *lane, bool *turn) {
  int64_t by;
  if (t->op == OP_ADD)
    return begins_side_by_side(x, t->kid[0], lanes, lane, turn) && begins_side_by_side(x, t->kid[1], lanes, lane, turn);
  if (t->op == OP_LANE) return !*lane && (*lane = true);
  if (x->turn && t->op == OP_MUL && t->kid[0]->op == OP_REF && t->kid[0]->symbol == x->turn)
    return !*turn && value_of(t->kid[1], &by) && by == lanes && (*turn = true);
  if (tree_contains(t, OP_LANE) || tree_contains(t, OP_INDEX) || (x->turn && tree_mentions(t, x->turn))) return false;
  x->begin = x->begin ? build_add(x->a, (Tree *)x->begin, (Tree *)t) : t;
  return true;
}

static bool is_ref(const Tree *t, const Symbol *s) { return t->op == OP_REF && t->symbol == s; }

/* for (i = own; i < end; i += step), or for (i = 0; i < (own < end ? .. : 0); ++i) */
static bool takes_steps(Turns *x, const Tree *t) {
  const Tree *end;
  if (t->op != OP_FOR || t->unroll != UNROLL_FREE) return false;
  x->loop = t;
  x->counts = tree_counts(t, &x->index, &end);
  if (x->counts && !x->own) return false;
  if (x->counts) {
    const bool some = end->op == OP_COND && end->kid[0]->op == OP_LT && is_ref(end->kid[0]->kid[0], x->own);
    if (some) x->end = end->kid[0]->kid[1];
    return some;
  }
  const Tree *first = t->kid[0], *below = t->kid[1], *next = t->kid[2];
  if (!first || first->op != OP_DECLARE || !first->nkids || (x->own && !is_ref(first->kid[0], x->own))) return false;
  x->index = first->symbol;
  x->end = below->kid[1];
  return below->op == OP_LT && is_ref(below->kid[0], x->index) && next->op == OP_ASSIGN && next->compound == OP_ADD &&
         is_ref(next->kid[0], x->index) && value_of(next->kid[1], &x->step);
}

/* own + i * step, and i, where that is the element: it is `at' now. */
static Tree *of_element(void *context, Arena *a, Tree *t) {
  Turns *x = context;
  (void)a;
  if (!x->counts) return is_ref(t, x->index) ? x->at : t;
  int64_t step;
  if (t->op != OP_ADD || !is_ref(t->kid[0], x->own) || t->kid[1]->op != OP_MUL) return t;
  if (!is_ref(t->kid[1]->kid[0], x->index) || !value_of(t->kid[1]->kid[1], &step)) return t;
  x->fits &= x->step == 0 || x->step == step;
  x->step = step;
  return x->at;
}

static bool look(void *context, const Tree *t) {
  static const Op others[] = {OP_LANE, OP_BREAK, OP_CONTINUE, OP_RETURN, OP_ATOMIC, OP_NATIVE, OP_LANES, OP_EXCHANGE,
                              OP_CLAIM, OP_SEE_ANY};
  Turns *x = context;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) x->fits &= t->op != others[i];
  if (t->op == OP_DECLARE) vec_push(x->a, &x->locals, t->symbol);
  if (t->op == OP_ASSIGN && t->kid[0]->op != OP_INDEX && t->kid[0]->op != OP_REF) x->fits = false;
  if (t->op != OP_ASSIGN || !x->fits) return x->fits;
  const Tree *place = t->kid[0]->op == OP_INDEX ? t->kid[0]->kid[0] : t->kid[0];
  bool own = place->op == OP_REF && place->symbol->pointer;
  for (int i = 0; i < x->locals.n; i++) own |= place->op == OP_REF && place->symbol == x->locals.at[i];
  x->fits &= own;
  return x->fits;
}

/* What a lane does is an element's alone: it changes memory and variables of its own. */
static bool stands_alone(Turns *x, const Tree *body) {
  if (tree_mentions(body, x->own) || (x->turn && tree_mentions(body, x->turn))) return false;
  if (x->counts && tree_mentions(body, x->index)) return false;
  tree_visit(body, look, x);
  return x->fits;
}

/* The lanes' statement: a comment or two, where a lane begins, and its loop. */
static Tree *one_loop(Turns *x, const Tree *lanes, int64_t width, int64_t parts) {
  Arena *a = x->a;
  const Tree *seq = lanes->kid[0];
  TreeList out = {0};
  bool lane = false, turn = false;
  if (lanes->nkids > 1 || lanes->vectors || seq->op != OP_SEQ) return NULL;
  for (int i = 0; i < seq->nkids; i++) {
    Tree *t = seq->kid[i];
    if (t->op == OP_COMMENT) vec_push(a, &out, t);
    else if (x->loop) return NULL;
    else if (x->own) {
      if (!takes_steps(x, t)) return NULL;
    } else if (t->op != OP_DECLARE || !t->nkids || !begins_side_by_side(x, t->kid[0], width, &lane, &turn)) return NULL;
    else x->own = t->symbol;
  }
  if (!x->loop || !lane || turn != (x->turn != NULL)) return NULL;
  Tree *begin = x->begin ? (Tree *)x->begin : build_index(a, 0), *end = (Tree *)x->end;
  if (tree_contains(end, OP_LANE) || tree_mentions(end, x->own) || tree_contains(end, OP_INDEX)) return NULL;
  Symbol *i = arena_one(a, Symbol);
  *i = *x->index;
  i->type = TYPE_INDEX;
  x->at = build_add(a, begin, tree_ref(a, i));
  Tree *body = tree_rewrite(a, tree_clone(a, x->loop->kid[3]), of_element, x);
  if (!x->fits || x->step != width * parts || !stands_alone(x, body)) return NULL;
  vec_push(a, &out, build_for(a, i, build_index(a, 0), build_sub(a, end, begin), build_index(a, 1), body));
  return tree_seq(a, out.at, out.n);
}

/* ---- lanes that take turns in a loop of their own, among other statements ---- */

/*     for each lane: {                               for each lane: sum[lane] = 0;
 *       T sum = 0;                                   for (j = 0; j + 16 <= n; j += 16)
 *       for (j = lane; j < n; j += 16)        ->       for each lane: sum[lane] += x[j + lane];
 *         sum += x[j];                               for each lane: if (j + lane < n) sum[lane] += x[j + lane];
 *     } */
typedef struct Together {
  Arena *a;
  int64_t width;
  VEC(Symbol *) from, to; /* a lane's variables, and arrays of all lanes' */
  TreeList out, run;
  bool found;
} Together;

static Tree *of_all_lanes(void *context, Arena *a, Tree *t) {
  Together *x = context;
  for (int i = 0; t->op == OP_REF && i < x->from.n; i++)
    if (x->from.at[i] == t->symbol) return build_element(a, x->to.at[i], build_lane(a, OP_LANE));
  return t;
}

static Tree *lanes_of(Together *x, Tree *body) {
  Tree *t = tree_new(x->a, OP_LANES, TYPE_VOID, (SourceRange){0}, 1);
  t->kid[0] = body->op == OP_SEQ ? body : tree_seq(x->a, &body, 1);
  return t;
}

static void end_run(Together *x) {
  if (x->run.n) vec_push(x->a, &x->out, lanes_of(x, tree_seq(x->a, x->run.at, x->run.n)));
  x->run = (TreeList){0};
}

/* The loop by turns of all lanes: whole ones, and one of those that are left. */
static bool by_turns(Together *x, Tree *t) {
  Arena *a = x->a;
  Turns turns = {.a = a, .fits = true};
  bool lane = false, turn = false;
  if (!takes_steps(&turns, t) || turns.step != x->width) return false;
  if (!begins_side_by_side(&turns, t->kid[0]->kid[0], x->width, &lane, &turn) || !lane) return false;
  Tree *end = (Tree *)turns.end, *begin = turns.begin ? (Tree *)turns.begin : build_index(a, 0);
  static const Op others[] = {OP_FOR, OP_WHILE, OP_BREAK, OP_CONTINUE, OP_RETURN, OP_NATIVE, OP_ATOMIC};
  if (tree_contains(end, OP_LANE) || tree_contains(end, OP_INDEX)) return false;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (tree_contains(t->kid[3], others[i])) return false;
  for (int i = 0; i < x->from.n; i++)
    if (tree_mentions(end, x->from.at[i]) || tree_mentions(begin, x->from.at[i])) return false;
  end_run(x);
  Symbol *j = arena_one(a, Symbol);
  *j = *turns.index;
  j->type = TYPE_INDEX;
  j->constant = false;
  Tree *at = tree_ref(a, j);
  turns.at = build_add(a, at, build_lane(a, OP_LANE));
  Tree *body = tree_rewrite(a, tree_rewrite(a, tree_clone(a, t->kid[3]), of_element, &turns), of_all_lanes, x);
  Tree *width = build_index(a, x->width), *seq = body->op == OP_SEQ ? body : tree_seq(a, &body, 1);
  Tree *fits = build_compare(a, OP_LE, build_add(a, at, width), end), *own = lanes_of(x, seq);
  Tree *left = lanes_of(x, build_if(a, build_compare(a, OP_LT, turns.at, end), tree_clone(a, seq)));
  Tree *all[] = {build_declare(a, j, begin), build_onward(a, at, fits, width, tree_seq(a, &own, 1), UNROLL_FREE),
                 build_if(a, build_compare(a, OP_LT, at, end), tree_seq(a, &left, 1))};
  vec_push(a, &x->out, tree_seq(a, all, 3));
  x->found = true;
  return true;
}

static Tree *together(Arena *a, const Kernel *k, Tree *lanes) {
  Together x = {.a = a, .width = kernel_vector(k)};
  Tree *seq = lanes->kid[0];
  if (lanes->nkids > 1 || lanes->vectors || seq->op != OP_SEQ) return lanes;
  for (int i = 0; i < seq->nkids; i++) {
    Symbol *from = seq->kid[i]->symbol;
    if (seq->kid[i]->op != OP_DECLARE) continue;
    if (from->array || from->kind != SYMBOL_LOCAL) return lanes;
    Symbol *to = arena_one(a, Symbol);
    *to = *from;
    to->array = to->writable = true;
    to->constant = false;
    to->length = tree_int(a, TYPE_INT, x.width);
    vec_push(a, &x.from, from);
    vec_push(a, &x.to, to);
    vec_push(a, &x.out, build_declare(a, to, NULL));
  }
  for (int i = 0; i < seq->nkids; i++) {
    Tree *t = seq->kid[i];
    if (t->op == OP_FOR && by_turns(&x, t)) continue;
    if (t->op == OP_DECLARE && !t->nkids) continue;
    if (t->op == OP_DECLARE) t = build_assign(a, tree_ref(a, t->symbol), t->kid[0]);
    vec_push(a, &x.run, tree_rewrite(a, tree_clone(a, t), of_all_lanes, &x));
  }
  end_run(&x);
  return x.found ? tree_seq(a, x.out.at, x.out.n) : lanes;
}

Tree *in_order_statement(Arena *a, const Kernel *k, Tree *t) {
  Turns x = {.a = a, .fits = true};
  const Tree *end, *lanes = t;
  int64_t parts = 1;
  if (t->op == OP_FOR) {
    if (!tree_counts(t, &x.turn, &end) || !tree_constant(end, &parts)) return t;
    lanes = only_statement(t->kid[3]);
  }
  Tree *made = lanes && lanes->op == OP_LANES ? one_loop(&x, lanes, kernel_vector(k), parts) : NULL;
  if (!made && t->op == OP_LANES) return together(a, k, t);
  return made ? made : t;
}
