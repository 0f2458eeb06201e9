/* collective.c: which loops are collectives of a warp, and who reads what they leave. */
#include "passes/collective.h"
#include "ir/operator.h"

static bool refuse(const char **why, const char *reason) {
  *why = reason;
  return false;
}

static bool is_ref(const Tree *t, const Symbol *s) { return t->op == OP_REF && t->symbol == s; }

/* ---- the header ---- */

/* offset /= 2, offset >>= 1: -1; offset *= 2, offset <<= 1: 1; anything else: 0. */
static int direction(const Tree *step, const Symbol *offset) {
  int64_t by;
  if (step->op != OP_ASSIGN || !is_ref(step->kid[0], offset) || !tree_constant(step->kid[1], &by)) return 0;
  if ((step->compound == OP_DIV && by == 2) || (step->compound == OP_SHR && by == 1)) return -1;
  if ((step->compound == OP_MUL && by == 2) || (step->compound == OP_SHL && by == 1)) return 1;
  return 0;
}

/* The largest offset for which `offset op limit' holds, among 1, 2, 4, .. below `warp'; 0: none. */
static int64_t last_below(Op op, int64_t limit, int warp) {
  int64_t last = 0;
  if (op != OP_LT && op != OP_LE) return 0;
  for (int64_t k = 1; k < warp && (op == OP_LT ? k < limit : k <= limit); k *= 2) last = k;
  return last;
}

static bool read_header(const Tree *loop, Collective *c, const char **why) {
  static const char *const offsets = "the offsets are no powers of two, from one down to 1 or from 1 up";
  const Tree *init = loop->kid[0], *condition = loop->kid[1], *step = loop->kid[2];
  int64_t first, limit;
  bool counts = init && init->op == OP_DECLARE && init->nkids && condition && step;
  bool whole = counts && (init->symbol->type == TYPE_INT || init->symbol->type == TYPE_UINT);
  if (!whole || !tree_constant(init->kid[0], &first)) return refuse(why, offsets);
  c->offset = init->symbol;
  int way = direction(step, c->offset);
  bool compares = condition->nkids == 2 && is_ref(condition->kid[0], c->offset) &&
                  tree_constant(condition->kid[1], &limit);
  if (!way || !compares || first < 1 || (first & (first - 1))) return refuse(why, offsets);
  c->rises = way > 0;
  if (c->rises) {
    bool above = (condition->op == OP_LT && limit > c->warp) || (condition->op == OP_LE && limit >= c->warp);
    c->widest = last_below(condition->op, limit, c->warp);
    return first == 1 && c->widest && !above ? true : refuse(why, offsets);
  }
  bool to_one = (condition->op == OP_GT && limit == 0) || (condition->op == OP_GE && limit == 1) ||
                (condition->op == OP_NE && limit == 0);
  c->widest = first;
  return to_one && first < c->warp ? true : refuse(why, offsets);
}

/* ---- the body ---- */

/* The lanes of the vectors in which t counts: lane: those of a warp; lane % 8: 8; anything else: 0. */
static int64_t lanes_counted(const Tree *t, int warp) {
  int64_t lanes;
  if (t->op == OP_LANE) return warp;
  bool factor = t->op == OP_REM && t->kid[0]->op == OP_LANE && tree_constant(t->kid[1], &lanes);
  return factor && lanes > 1 && lanes < warp && (lanes & (lanes - 1)) == 0 ? lanes : 0;
}

/* lane + offset < 32, or offset + lane; lane % 8 + offset < 8, where all offsets are less. */
static bool is_end_of_vector(const Tree *t, Collective *c) {
  int64_t limit;
  if ((t->op != OP_LT && t->op != OP_LE) || !tree_constant(t->kid[1], &limit) || t->kid[0]->op != OP_ADD) return false;
  const Tree *x = t->kid[0]->kid[0], *y = t->kid[0]->kid[1];
  c->lanes = is_ref(y, c->offset)   ? lanes_counted(x, c->warp)
             : is_ref(x, c->offset) ? lanes_counted(y, c->warp)
                                    : 0;
  return c->lanes > c->widest && limit == c->lanes - (t->op == OP_LE);
}

/* The statements of a body but comments; false when there are more than two. */
static bool two_statements(const Tree *body, const Tree *s[2]) {
  int n = 0;
  for (int i = 0; i < body->nkids; i++) {
    if (body->kid[i]->op == OP_COMMENT) continue;
    if (n == 2) return false;
    s[n++] = body->kid[i];
  }
  return n == 2;
}

static bool read_exchange(const Tree *t, Collective *c, const char **why) {
  bool declares = t->op == OP_DECLARE && t->nkids && t->kid[0]->op == OP_SHUFFLE && !t->symbol->array;
  if (!declares) return refuse(why, "an iteration does more than one exchange and one combination");
  const Tree *shuffle = t->kid[0];
  c->other = t->symbol;
  c->mode = shuffle->mode;
  if (shuffle->kid[0]->op != OP_REF || shuffle->kid[0]->symbol->kind != SYMBOL_LOCAL || shuffle->kid[0]->symbol->array)
    return refuse(why, "what is exchanged is not a variable");
  c->value = shuffle->kid[0]->symbol;
  if (c->other->type != c->value->type) return refuse(why, "the exchange changes the type");
  if (!is_ref(shuffle->kid[1], c->offset)) return refuse(why, "the exchange is not by the loop's variable");
  if (c->mode == SHUFFLE_UP) return refuse(why, "it is a scan: the last lane gets the result, not lane 0");
  if (c->mode == SHUFFLE_INDEX) return refuse(why, "the exchange is not down or xor");
  return true;
}

/* value op= other; with the guard `lane + offset < 32' around it or in it. */
static bool read_combination(const Tree *t, Collective *c, const char **why) {
  static const char *const wrong_guard = "the guard is not that of the warp's end: some lanes are left out";
  if (t->op == OP_IF) {
    if (t->nkids != 2 || !is_end_of_vector(t->kid[0], c)) return refuse(why, wrong_guard);
    c->guarded = true;
    t = t->kid[1];
    if (t->op == OP_SEQ && t->nkids == 1) t = t->kid[0];
  }
  if (t->op != OP_ASSIGN || !is_ref(t->kid[0], c->value))
    return refuse(why, "an iteration does more than one exchange and one combination");
  const Tree *added = operator_accumulated(t, &c->op);
  if (!added) return refuse(why, "the operator is none of a reduction");
  if (added->op == OP_COND) {
    if (c->guarded || !is_end_of_vector(added->kid[0], c)) return refuse(why, wrong_guard);
    if (!operator_is_identity(c->op, added->kid[2]))
      return refuse(why, "where the guard fails the value is not the identity");
    c->guarded = true;
    added = added->kid[1];
  }
  if (!is_ref(added, c->other)) return refuse(why, "what is combined is not what another lane had");
  if (c->guarded && c->mode != SHUFFLE_DOWN) return refuse(why, wrong_guard);
  return true;
}

bool collective_recognise(const Tree *loop, int warp, Collective *c, const char **why) {
  const Tree *s[2];
  *c = (Collective){.loop = loop, .warp = warp, .lanes = warp};
  *why = NULL;
  if (loop->op != OP_FOR || !tree_contains(loop->kid[3], OP_SHUFFLE)) return false;
  if (!two_statements(loop->kid[3], s))
    return refuse(why, "an iteration does more than one exchange and one combination");
  return read_header(loop, c, why) && read_exchange(s[0], c, why) && read_combination(s[1], c, why);
}

/* ---- who reads the result ---- */

typedef struct Readers {
  const Collective *c;
  bool live;    /* the variable may hold the loop's result here, */
  bool at_jump; /* or did at a break or continue of the loop around */
  bool leader;  /* only lane 0 of a warp runs what stands here */
  bool ok;
} Readers;

static bool asks_for_leader(const Collective *c, const Tree *t) {
  if (t->op == OP_LAND) return asks_for_leader(c, t->kid[0]) || asks_for_leader(c, t->kid[1]);
  int64_t number;
  bool lane = t->op == OP_EQ && (t->kid[0]->op == OP_THREAD || lanes_counted(t->kid[0], c->warp) >= c->lanes);
  return lane && tree_constant(t->kid[1], &number) && number == 0;
}

static void read_by(Readers *r, const Tree *t) {
  if (r->live && !r->leader && tree_mentions(t, r->c->value)) r->ok = false;
}

static void follow(Readers *r, const Tree *t);

static void follow_branch(Readers *r, const Tree *t) {
  bool live = r->live, leader = r->leader, after = false;
  read_by(r, t->kid[0]);
  for (int i = 1; i < t->nkids; i++) {
    r->live = live;
    r->leader = leader || (i == 1 && asks_for_leader(r->c, t->kid[0]));
    follow(r, t->kid[i]);
    after |= r->live;
  }
  r->leader = leader;
  r->live = after || (live && t->nkids == 2);
}

/* Twice round: what one turn leaves, the next one may read. */
static void follow_loop(Readers *r, const Tree *t) {
  bool outer = r->at_jump;
  int first = t->op == OP_FOR ? 1 : 0;
  r->at_jump = false;
  if (first && t->kid[0]) follow(r, t->kid[0]);
  for (int turn = 0; turn < 2; turn++) {
    bool before = r->live;
    if (t->kid[first]) read_by(r, t->kid[first]);
    follow(r, t->kid[t->nkids - 1]);
    r->live |= r->at_jump;
    if (first && t->kid[2]) follow(r, t->kid[2]);
    r->live |= before;
  }
  if (t->kid[first]) read_by(r, t->kid[first]);
  r->at_jump = outer;
}

static void follow(Readers *r, const Tree *t) {
  if (t == r->c->loop) { /* reads it from all lanes, and leaves the result */
    if (r->live) r->ok = false;
    r->live = true;
    return;
  }
  switch (t->op) {
    case OP_SEQ:
      for (int i = 0; i < t->nkids; i++) follow(r, t->kid[i]);
      return;
    case OP_IF: follow_branch(r, t); return;
    case OP_FOR: case OP_WHILE: follow_loop(r, t); return;
    case OP_BREAK: case OP_CONTINUE: r->at_jump |= r->live; return;
    case OP_DECLARE:
      for (int i = 0; i < t->nkids; i++) read_by(r, t->kid[i]);
      if (t->symbol == r->c->value) r->live = false;
      return;
    case OP_ASSIGN:
      if (!is_ref(t->kid[0], r->c->value)) { read_by(r, t); return; }
      if (t->compound) { read_by(r, t); return; }
      read_by(r, t->kid[1]);
      r->live = r->live && tree_mentions(t->kid[1], r->c->value);
      return;
    default: read_by(r, t);
  }
}

bool collective_is_for_leader(const Tree *body, const Collective *c) {
  Readers r = {.c = c, .ok = true};
  follow(&r, body);
  return r.ok;
}

/* ---- all of them ---- */

typedef struct Each { CollectiveRewrite rewrite; void *context; } Each;

static Tree *visit(void *context, Arena *a, Tree *t) {
  (void)a;
  const Each *e = context;
  bool innermost = t->op == OP_FOR && !tree_contains(t->kid[3], OP_FOR) && !tree_contains(t->kid[3], OP_WHILE);
  return innermost ? e->rewrite(e->context, t) : t;
}

Tree *collective_each(Arena *a, Tree *body, CollectiveRewrite rewrite, void *context) {
  Each e = {rewrite, context};
  return tree_rewrite(a, body, visit, &e);
}
