/* barriers.c: order between the lanes of a kernel.
 *
 * Requires: kernel form in lockstep semantics (statement by statement, all lanes load, then all lanes store), no
 * barriers yet.
 * Keeps: what the kernel computes, now for lanes that run on their own; statements in their order.
 * Breaks: lockstep semantics; statements and branches are split where a barrier has to stand inside them.
 *
 * A walk in program order keeps the accesses to shared memory that no barrier has closed off yet. A statement that
 * conflicts with one of them gets a barrier right before it: a warp's where only lanes of one warp can meet, else the
 * block's, which closes all but what other blocks of a cluster have to do with: a PUSH meets every access to that
 * memory, its block's beginning and its end, at the cluster's scope. Loops are walked until what reaches their head
 * from their end is known. A barrier must be met by all lanes of its scope: where control has diverged, it moves before
 * the branch, and when that is not enough, the branch is taken apart (predicate.c). */
#include "passes/kernel_passes.h"

#include "passes/access.h"
#include "passes/predicate.h"

enum { MOST_ROUNDS = 64 };

typedef struct Reason { const Tree *barrier; Access before, after; } Reason;

typedef struct Order {
  Arena *a;
  const Kernel *kernel;
  Diagnostics *d;
  Facts facts;
  Uniform uniform;
  SymbolList strided, strided_by_warp;
  SymbolList exposed; /* other blocks of the cluster store to them, or load from them */
  Predication predication;
  Accesses pending;   /* made since the last barrier */
  Accesses exits;     /* pending at breaks and continues of the loop */
  Variance control;   /* who runs this statement together */
  Scope stuck;        /* a barrier was needed where control has diverged: its scope */
  VEC(Reason) reasons;
  TreeList *to;
  int handed;         /* above 0: in a branch on lanes beside the block: barriers in shared memory order buffers */
  bool apart;         /* a statement was taken apart, or a branch */
  bool failed;
} Order;

static void statement(Order *o, Tree *t);

static Gather gather(Order *o) {
  return (Gather){o->a, &o->facts, &o->uniform, &o->strided, &o->strided_by_warp, &o->exposed};
}

static bool together(Variance control, Scope s) {
  static const Variance most[] = {[SCOPE_NONE] = VARIES_LANE, [SCOPE_WARP] = VARIES_WARP, [SCOPE_BLOCK] = VARIES_BLOCK,
                                  [SCOPE_CLUSTER] = VARIES_NOT, [SCOPE_DEVICE] = VARIES_NOT};
  return control <= most[s];
}

/* ---- barriers ---- */

/* A cluster's barrier orders what other blocks have to do with and nothing else, so that it may be taken apart
 * (cluster.c). */
static void clear(Accesses *pending, Scope s) {
  int kept = 0;
  for (int i = 0; i < pending->n; i++) {
    Access x = pending->at[i];
    if (s == SCOPE_CLUSTER ? x.exposed : s == SCOPE_BLOCK && !x.exposed) continue;
    x.warp_ordered |= s != SCOPE_CLUSTER;
    x.block_ordered |= s == SCOPE_BLOCK;
    pending->at[kept++] = x;
  }
  pending->n = kept;
}

/* The widest barrier that `now` needs behind what came before, of those up to `widest`; why in *reason. */
static Scope needed_within(Order *o, const Accesses *before, const Accesses *now, Scope widest, Reason *reason) {
  Gather g = gather(o);
  Scope most = SCOPE_NONE;
  for (int i = 0; i < now->n; i++)
    for (int j = 0; j < before->n && most < widest; j++) {
      Scope s = access_conflict(&g, &before->at[j], &now->at[i]);
      if (s <= most || s > widest) continue;
      most = s;
      *reason = (Reason){NULL, before->at[j], now->at[i]};
    }
  return most;
}

static Scope needed(Order *o, const Accesses *before, const Accesses *now, Reason *reason) {
  return needed_within(o, before, now, SCOPE_CLUSTER, reason);
}

static void put_barrier(Order *o, Scope s, Reason reason, SourceRange where) {
  if (s == SCOPE_NONE) return;
  if (!together(o->control, s) && s > o->stuck) o->stuck = s;
  Tree *t = tree_new(o->a, OP_BARRIER, TYPE_VOID, where, 0);
  t->scope = s;
  reason.barrier = t;
  vec_push(o->a, &o->reasons, reason);
  vec_push(o->a, o->to, t);
  clear(&o->pending, s);
}

/* The accesses come now: a barrier first, if they need one; then they are pending themselves. */
static void meet(Order *o, const Accesses *now, SourceRange where) {
  Reason reason = {0};
  Scope s = needed(o, &o->pending, now, &reason);
  if (s == SCOPE_CLUSTER) {
    Reason inner = {0};
    Scope own = needed_within(o, &o->pending, now, SCOPE_BLOCK, &inner);
    put_barrier(o, own, inner, where);
  }
  put_barrier(o, s, reason, where);
}

static void add_all(Order *o, Accesses *to, const Accesses *from) {
  for (int i = 0; i < from->n; i++) {
    bool known = false;
    for (int j = 0; j < to->n && !known; j++) {
      Access *x = &to->at[j];
      known = access_equal(x, &from->at[i]);
      if (known && !from->at[i].warp_ordered) x->warp_ordered = false;
      if (known && !from->at[i].block_ordered) x->block_ordered = false;
    }
    if (!known) vec_push(o->a, to, from->at[i]);
  }
}

static Accesses copy_of(Order *o, const Accesses *x) {
  Accesses r = {0};
  vec_copy(o->a, &r, x);
  return r;
}

/* Does `more` add anything to `all`? */
static bool covers(const Accesses *all, const Accesses *more) {
  for (int i = 0; i < more->n; i++) {
    bool known = false;
    for (int j = 0; j < all->n && !known; j++)
      known = access_equal(&all->at[j], &more->at[i]) && (!all->at[j].warp_ordered || more->at[i].warp_ordered) &&
              (!all->at[j].block_ordered || more->at[i].block_ordered);
    if (!known) return false;
  }
  return true;
}

/* ---- going back ---- */

typedef struct Snapshot { Facts facts; Accesses pending, exits; Scope stuck; int emitted; Tree *last; } Snapshot;

static Snapshot save(Order *o) {
  return (Snapshot){facts_copy(&o->facts), copy_of(o, &o->pending), copy_of(o, &o->exits), o->stuck, o->to->n,
                    o->to->n ? o->to->at[o->to->n - 1] : NULL};
}

static void restore(Order *o, const Snapshot *s) {
  facts_return(&o->facts, &s->facts);
  o->pending = copy_of(o, &s->pending);
  o->exits = copy_of(o, &s->exits);
  o->stuck = s->stuck;
  o->to->n = s->emitted;
  if (s->emitted) o->to->at[s->emitted - 1] = s->last; /* a branch may have been joined to it */
}

/* ---- statements ---- */

static void internal(Order *o, const Tree *t, const char *what) {
  if (!o->failed)
    diagnostics_internal(o->d, t->where, "in kernel `%s': %s", o->kernel->name, what);
  o->failed = true;
}

static void check_shuffles(Order *o, const Tree *t, Variance control) {
  if (!t) return;
  const bool multiplies = t->op == OP_LOAD_A || t->op == OP_LOAD_B || t->op == OP_MULTIPLY ||
                          t->op == OP_MULTIPLY_TILE || t->op == OP_MULTIPLY_GROUP || t->op == OP_AWAIT_PRODUCTS ||
                          t->op == OP_DELIVER_BOXES ||
                          t->op == OP_UNIT_SUMS || t->op == OP_UNIT_SCAN || t->op == OP_UNIT_STORE ||
                          t->op == OP_STORE_RUN;
  bool exchanges = t->op == OP_SHUFFLE || t->op == OP_ANY || t->op == OP_ALIKE || multiplies;
  if (exchanges && control == VARIES_LANE) internal(o, t, "an exchange that not all lanes of the warp reach");
  bool choice = t->op == OP_COND || t->op == OP_LAND || t->op == OP_LOR;
  for (int i = 0; i < t->nkids; i++) {
    Variance v = control;
    if (choice && i && uniform_of(&o->uniform, t->kid[0]) > v) v = uniform_of(&o->uniform, t->kid[0]);
    check_shuffles(o, t->kid[i], v);
  }
}

/* Puts a branch behind the others; with the one right before it when both are parts of one. */
static void push_if(Order *o, Tree *t) {
  TreeList *to = o->to;
  Tree *last = to->n ? to->at[to->n - 1] : NULL;
  bool joins = last && last->op == OP_IF && last->kid[0] == t->kid[0] && last->nkids == 2 && t->nkids == 2;
  if (!joins) { vec_push(o->a, to, t); return; }
  TreeList all = {0}; /* statements of one branch that was taken apart */
  for (int i = 0; i < last->kid[1]->nkids; i++) vec_push(o->a, &all, last->kid[1]->kid[i]);
  for (int i = 0; i < t->kid[1]->nkids; i++) vec_push(o->a, &all, t->kid[1]->kid[i]);
  Tree *kids[2] = {t->kid[0], tree_seq(o->a, all.at, all.n)};
  to->at[to->n - 1] = tree_with_kids(o->a, last, kids, 2);
}

static void simple(Order *o, Tree *t) {
  Gather g = gather(o);
  Accesses loads = {0}, written = {0}, all = {0};
  const bool stores_wide = t->op == OP_STORE_WIDE || t->op == OP_COPY_AHEAD || t->op == OP_COPY_ROWS ||
                           t->op == OP_COPY_PANEL || t->op == OP_COPY_CHUNK || t->op == OP_UNIT_STORE ||
                           t->op == OP_STORE_RUN;
  const bool atomic = t->op == OP_ATOMIC || t->op == OP_RESERVE;
  const bool stores = t->op == OP_ASSIGN || atomic || t->op == OP_PUSH || stores_wide;
  Tree *place = stores ? t->kid[0] : NULL;
  for (int i = place ? 1 : 0; i < t->nkids; i++) access_loads(&g, t->kid[i], &loads);
  const bool wide = t->op == OP_LOAD_A || t->op == OP_LOAD_B || t->op == OP_LOAD_WORDS || t->op == OP_MULTIPLY_GROUP ||
                    t->op == OP_AWAIT_PRODUCTS || t->op == OP_LOAD_WIDE;
  for (int i = 0; i < loads.n && wide; i++) loads.at[i].wide = true;
  if (place && place->op == OP_INDEX) access_loads(&g, place->kid[1], &loads);
  Accesses own = {0};
  if (t->op == OP_ASSIGN && t->compound && access_any(place)) access_loads(&g, place, &own);
  if (t->op == OP_PUSH) access_push(&g, place, &written);
  else if (stores_wide) access_store_wide(&g, place, &written);
  else if (place) access_store(&g, place, atomic ? t->atomic : ATOMIC_NONE, &written);
  if (t->op == OP_AWAIT_COPIES || t->op == OP_AWAIT_PANEL) { /* what was copied is stored here, at the latest */
    loads.n = 0;
    for (int i = 0; i < t->nkids; i++) access_store_wide(&g, t->kid[i], &written);
  }
  if (o->handed) access_leave_out_buffers(&loads);
  if (o->handed) access_leave_out_buffers(&written);
  check_shuffles(o, t, o->control);
  add_all(o, &all, &loads);
  add_all(o, &all, &own);

  Reason reason = {0};
  bool value_meets = needed(o, &loads, &written, &reason) != SCOPE_NONE;
  bool place_meets = needed(o, &own, &written, &reason) != SCOPE_NONE;
  if (value_meets || place_meets) { /* all lanes load, then all lanes store: in two statements */
    if (o->control == VARIES_LANE) {
      Scope s = needed(o, &all, &written, &reason);
      if (s > o->stuck) o->stuck = s;
      return;
    }
    o->apart = true;
    TreeList halves = predicate_split(&o->predication, t, place_meets);
    for (int i = 0; i < halves.n; i++) statement(o, halves.at[i]);
    return;
  }
  Accesses now = copy_of(o, &all);
  add_all(o, &now, &written);
  meet(o, &now, t->where);
  add_all(o, &o->pending, &now);
  vec_push(o->a, o->to, t);
  if (t->op == OP_DECLARE) facts_assign(&o->facts, t->symbol, t->nkids ? t->kid[0] : NULL);
  else if (place && place->op == OP_REF && t->op == OP_ASSIGN)
    facts_assign(&o->facts, place->symbol, t->compound ? NULL : t->kid[1]);
  else if (place && t->op != OP_RESERVE) facts_forget(&o->facts, t);
}

static Tree *list(Order *o, const Tree *t, Variance control) {
  TreeList out = {0}, *outer = o->to;
  Variance before = o->control;
  o->to = &out;
  o->control = control;
  if (t->op == OP_SEQ)
    for (int i = 0; i < t->nkids && !o->failed; i++) statement(o, t->kid[i]);
  else statement(o, (Tree *)t);
  o->to = outer;
  o->control = before;
  Tree *r = tree_seq(o->a, out.at, out.n);
  r->where = t->where;
  return r;
}

/* ---- branches ---- */

static void try_branch(Order *o, Tree *t) {
  Gather g = gather(o);
  Accesses loads = {0};
  access_loads(&g, t->kid[0], &loads);
  check_shuffles(o, t->kid[0], o->control);
  meet(o, &loads, t->where);
  add_all(o, &o->pending, &loads);
  Variance v = uniform_of(&o->uniform, t->kid[0]);
  if (v < o->control) v = o->control;
  int mark = facts_mark(&o->facts);
  Tree *kids[3] = {t->kid[0], NULL, NULL};
  Accesses before = copy_of(o, &o->pending);
  o->handed += t->kid[0]->op == OP_BESIDE;
  facts_assume(&o->facts, t->kid[0], true);
  kids[1] = list(o, t->kid[1], v);
  facts_release(&o->facts, mark);
  facts_forget(&o->facts, t->kid[1]);
  if (t->nkids > 2) {
    Accesses then = copy_of(o, &o->pending);
    bool alone = v == VARIES_NOT || (v == VARIES_BLOCK && !o->exposed.n);
    if (alone) o->pending = before;        /* else the lanes of one branch come behind those of the other, */
    else add_all(o, &o->pending, &before); /* who did not meet its barriers */
    facts_assume(&o->facts, t->kid[0], false);
    kids[2] = list(o, t->kid[2], v);
    facts_release(&o->facts, mark);
    facts_forget(&o->facts, t->kid[2]);
    add_all(o, &o->pending, &then);
  } else add_all(o, &o->pending, &before); /* a barrier inside is not everybody's */
  o->handed -= t->kid[0]->op == OP_BESIDE;
  push_if(o, tree_with_kids(o->a, t, kids, t->nkids));
}

static void refuse(Order *o, const Tree *loop) {
  if (!o->failed)
    diagnostics_add(o->d, DIAG_ERROR, loop->where,
                    "let every lane run the loop as often, and make what it does depend on the lane",
                    "lanes that exchange data do not run this loop together");
  o->failed = true;
}

/* Why the last barrier of that scope was wanted. */
static Reason last_reason(const Order *o, Scope s) {
  for (int i = o->reasons.n - 1; i >= 0; i--)
    if (o->reasons.at[i].barrier->scope == s) return o->reasons.at[i];
  return (Reason){0};
}

/* Runs `attempt`; where it needs barriers that cannot stand inside, gives it them before: a cluster's, and then one of
 * the block, which a cluster's does not stand for. False when even that is not enough; then nothing was done, and
 * *scope is what was needed. */
static bool settled(Order *o, Tree *t, void (*attempt)(Order *, Tree *), Scope *scope) {
  Snapshot start = save(o);
  Scope given = SCOPE_DEVICE; /* narrower ones follow */
  for (;;) {
    Snapshot here = save(o);
    o->stuck = SCOPE_NONE;
    attempt(o, t);
    Scope stuck = o->stuck;
    if (stuck == SCOPE_NONE || o->failed) { o->stuck = start.stuck; return true; }
    Reason reason = last_reason(o, stuck);
    *scope = stuck;
    if (stuck >= given || (given == SCOPE_BLOCK && stuck == SCOPE_WARP)) { restore(o, &start); return false; }
    restore(o, &here);
    if (!together(o->control, stuck)) { /* whoever is outside sees to it */
      restore(o, &start);
      o->stuck = stuck > start.stuck ? stuck : start.stuck;
      return true;
    }
    put_barrier(o, stuck, reason, t->where);
    given = stuck;
  }
}

static void branch(Order *o, Tree *t) {
  Scope scope;
  if (settled(o, t, try_branch, &scope)) return;
  const Tree *culprit;
  o->apart = true;
  TreeList parts = predicate_branch(&o->predication, t, scope, &culprit);
  if (culprit) { refuse(o, culprit); return; }
  for (int i = 0; i < parts.n && !o->failed; i++) statement(o, parts.at[i]);
}

/* ---- loops ---- */

static void loads_of(Order *o, const Tree *t, Accesses *to) {
  Gather g = gather(o);
  if (!t) return;
  if (op_is_statement(t->op))
    for (int i = 0; i < t->nkids; i++) access_loads(&g, t->kid[i], to);
  else access_loads(&g, t, to);
}

/* A loop's counter that nothing but its step changes, by a constant; NULL: there is none. */
static const Symbol *counter_of(const Tree *loop, int64_t *step) {
  const Tree *t = loop->op == OP_FOR ? loop->kid[2] : NULL;
  *step = 0;
  if (!t || t->op != OP_ASSIGN || t->kid[0]->op != OP_REF || tree_assigns(loop->kid[3], t->kid[0]->symbol)) return NULL;
  if ((t->compound != OP_ADD && t->compound != OP_SUB) || !tree_constant(t->kid[1], step)) return NULL;
  if (t->compound == OP_SUB) *step = -*step;
  return t->kid[0]->symbol;
}

static void try_loop(Order *o, Tree *t) {
  bool counts = t->op == OP_FOR;
  const Tree *condition = counts ? t->kid[1] : t->kid[0], *step = counts ? t->kid[2] : NULL;
  const Tree *inside = t->kid[t->nkids - 1];
  Accesses loads = {0};
  if (counts && t->kid[0]) {
    loads_of(o, t->kid[0], &loads);
    meet(o, &loads, t->where);
    add_all(o, &o->pending, &loads);
    if (t->kid[0]->op == OP_DECLARE && t->kid[0]->nkids) facts_assign(&o->facts, t->kid[0]->symbol, t->kid[0]->kid[0]);
    else facts_forget(&o->facts, t->kid[0]);
  }
  loads.n = 0;
  loads_of(o, condition, &loads);
  meet(o, &loads, t->where);
  bool runs = condition && facts_decide(&o->facts, condition) == 1;
  access_note_stride(o->a, o->kernel, t, &o->strided, &o->strided_by_warp);

  Variance v = uniform_of_loop(&o->uniform, t);
  if (v < o->control) v = o->control;
  Accesses before = copy_of(o, &o->pending), head = copy_of(o, &o->pending), outer_exits = o->exits;
  Snapshot start = save(o);
  Tree *body = NULL;
  Scope stuck = o->stuck;
  int64_t moves;
  const Symbol *counter = counter_of(t, &moves);
  int round = 0;
  for (; round < MOST_ROUNDS && !o->failed; round++) {
    restore(o, &start);
    o->pending = copy_of(o, &head);
    o->exits = (Accesses){0};
    facts_enter_loop(&o->facts, t);
    const int64_t begun = counter ? facts_changed(&o->facts, counter) : 0;
    access_carried(&o->pending, counter, begun);
    Accesses asked = {0};
    loads_of(o, condition, &asked);
    add_all(o, &o->pending, &asked);
    int mark = facts_mark(&o->facts);
    if (condition) facts_assume(&o->facts, condition, true);
    body = list(o, inside, v);
    facts_release(&o->facts, mark);
    /* what asks for the next round comes behind this one */
    facts_forget(&o->facts, inside);
    if (step) {
      loads_of(o, step, &asked);
      facts_forget(&o->facts, step);
    }
    loads_of(o, condition, &asked);
    Reason reason = {0};
    Scope s = needed(o, &o->pending, &asked, &reason);
    if (s != SCOPE_NONE) {
      TreeList all = {0}, *outer = o->to;
      for (int i = 0; i < body->nkids; i++) vec_push(o->a, &all, body->kid[i]);
      Variance around = o->control;
      o->to = &all;
      o->control = v;
      put_barrier(o, s, reason, t->where);
      o->to = outer;
      o->control = around;
      body = tree_seq(o->a, all.at, all.n);
    }
    add_all(o, &o->pending, &o->exits);
    if (o->stuck > stuck) stuck = o->stuck;
    Accesses next = copy_of(o, &o->pending);
    access_carry(&next, counter, begun, moves);
    if (covers(&head, &next)) break;
    add_all(o, &head, &next);
  }
  access_leave(&o->pending, counter);
  if (round == MOST_ROUNDS) internal(o, t, "the barriers of a loop do not settle");
  o->stuck = stuck;
  if (!runs) add_all(o, &o->pending, &before);
  o->exits = outer_exits;
  facts_forget(&o->facts, t);
  if (o->failed) return;
  Tree *copy = tree_with_kids(o->a, t, t->kid, t->nkids);
  copy->kid[t->nkids - 1] = body;
  vec_push(o->a, o->to, copy);
}

static bool count_barrier(void *context, const Tree *t) {
  *(int *)context += t->op == OP_BARRIER;
  return true;
}

static int barriers_in(const Tree *t) {
  int n = 0;
  tree_visit(t, count_barrier, &n);
  return n;
}

static bool find_widest(void *context, const Tree *t) {
  Scope *widest = context;
  if (t->op == OP_BARRIER && t->scope > *widest) *widest = t->scope;
  return true;
}

static Scope widest_barrier(const Tree *t) {
  Scope widest = SCOPE_NONE;
  tree_visit(t, find_widest, &widest);
  return widest;
}

static void loop(Order *o, Tree *t) {
  Scope scope;
  Snapshot start = save(o);
  if (!settled(o, t, try_loop, &scope)) { refuse(o, t); return; }
  /* One barrier before the loop may do for one in every round. */
  int inside = o->to->n > start.emitted ? barriers_in(o->to->at[o->to->n - 1]) : 0;
  if (o->failed || o->stuck != start.stuck || !inside || !start.pending.n) return;
  Snapshot end = save(o);
  TreeList found = {0};
  for (int i = start.emitted; i < o->to->n; i++) vec_push(o->a, &found, o->to->at[i]);
  Scope widest = widest_barrier(o->to->at[o->to->n - 1]);
  Reason reason = last_reason(o, widest);
  restore(o, &start);
  if (together(o->control, widest)) {
    put_barrier(o, widest, reason, t->where);
    try_loop(o, t);
    if (!o->failed && o->stuck == start.stuck && barriers_in(o->to->at[o->to->n - 1]) < inside) return;
  }
  restore(o, &end);
  o->to->n = start.emitted;
  for (int i = 0; i < found.n; i++) vec_push(o->a, o->to, found.at[i]);
}

static void statement(Order *o, Tree *t) {
  if (o->failed) return;
  switch (t->op) {
    case OP_SEQ: vec_push(o->a, o->to, list(o, t, o->control)); return;
    case OP_IF: branch(o, t); return;
    case OP_FOR: case OP_WHILE: loop(o, t); return;
    case OP_BREAK: case OP_CONTINUE:
      add_all(o, &o->exits, &o->pending);
      vec_push(o->a, o->to, t);
      return;
    case OP_COMMENT: case OP_BARRIER:
      vec_push(o->a, o->to, t);
      if (t->op == OP_BARRIER) clear(&o->pending, t->scope);
      return;
    default: simple(o, t);
  }
}

/* ---- remarks ---- */

static const char *kind_of(const Access *x) {
  if (!x->at->nkids && x->exposed) return x->write ? "beginning or end of" : "load of";
  return x->remote ? "store to the first block's" : x->atomic ? "atomic on" : x->write ? "store to" : "load of";
}

static bool tell(void *context, const Tree *t) {
  static const char *const scopes[] = {[SCOPE_WARP] = "warp", [SCOPE_BLOCK] = "block", [SCOPE_CLUSTER] = "cluster"};
  Order *o = context;
  for (int i = 0; t->op == OP_BARRIER && i < o->reasons.n; i++) {
    const Reason *r = &o->reasons.at[i];
    if (r->barrier != t) continue;
    Buffer before = buffer_new(o->a), after = buffer_new(o->a);
    tree_print(&before, r->before.at, 0);
    tree_print(&after, r->after.at, 0);
    const char *by = kernel_is_one_vector(o->kernel) ? "the end of a loop over lanes"
                                                     : arena_printf(o->a, "a %s barrier", scopes[t->scope]);
    diagnostics_remark(o->d, REMARK_PASSED, "barrier", t->where.file ? t->where : r->after.at->where,
                       "%s in `%s' orders the %s `%s' before the %s `%s'", by, o->kernel->name, kind_of(&r->before),
                       before.text, kind_of(&r->after), after.text);
    break;
  }
  return true;
}

/* ---- clusters ---- */

static bool find_exposed(void *context, const Tree *t) {
  Order *o = context;
  Gather g = gather(o);
  if (t->op != OP_PUSH && t->op != OP_PULL) return true;
  const Symbol *s = t->kid[0]->kid[0]->symbol;
  if (!access_is_exposed(&g, s)) vec_push(o->a, &o->exposed, s);
  return true;
}

/* The beginning or the end of what other blocks store to: like a store to all of it, made by each block in its own. */
static Accesses boundary(Order *o) {
  Accesses all = {0};
  for (int i = 0; i < o->exposed.n; i++) {
    const Symbol *s = o->exposed.at[i];
    Access x = {.at = tree_ref(o->a, (Symbol *)s), .symbol = s, .write = true, .exposed = true, .warp_ordered = true,
                .block_ordered = true};
    vec_push(o->a, &all, x);
  }
  return all;
}

/* No block may end while others store to it; for what its own lanes do it lasts as they do. */
static Tree *with_end(Order *o, Tree *body) {
  TreeList all = {0};
  int remote = 0;
  for (int i = 0; i < o->pending.n; i++)
    if (o->pending.at[i].remote) o->pending.at[remote++] = o->pending.at[i];
  o->pending.n = remote;
  for (int i = 0; i < body->nkids; i++) vec_push(o->a, &all, body->kid[i]);
  Accesses end = boundary(o);
  o->to = &all;
  meet(o, &end, body->where);
  return all.n == body->nkids ? body : tree_with_kids(o->a, body, all.at, all.n);
}

Tree *pass_barriers(Arena *a, const Kernel *k, Tree *body, bool *apart, Diagnostics *d) {
  *apart = false;
  if (!k->threads) return body; /* one lane alone */
  Order o = {.a = a, .kernel = k, .d = d, .facts = facts_begin(a, k), .uniform = uniform_find(a, body)};
  o.facts.bounds = true;
  o.predication = predication_begin(a, k, body, &o.uniform);
  TreeList out = {0};
  o.to = &out;
  tree_visit(body, find_exposed, &o);
  o.pending = boundary(&o);
  Tree *r = list(&o, body, VARIES_NOT);
  if (!o.failed) r = with_end(&o, r);
  if (!o.failed && o.stuck != SCOPE_NONE) internal(&o, body, "a barrier stands where lanes have diverged");
  if (o.failed) return NULL;
  *apart = o.apart;
  tree_visit(r, tell, &o);
  return r;
}
