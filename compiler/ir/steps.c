/* steps.c: the steps of a compound codelet's text. */
#include "ir/steps.h"

static void note_calls(Steps *all, const Tree *t) {
  if (!t) return;
  for (int i = 0; i < t->nkids; i++) note_calls(all, t->kid[i]);
  if (t->op != OP_CALL) return;
  if (all->n < MOST_STEPS) all->call[all->n] = t;
  all->n++;
}

Steps steps_of(const Codelet *c) {
  Steps all = {.n = 0};
  note_calls(&all, c->body);
  return all;
}

static void add_statements(Arena *a, StepStatements *all, const Tree *body) {
  for (int i = 0; i < body->nkids; i++) {
    const Tree *t = body->kid[i];
    vec_push(a, all, t);
    if (t->op == OP_FOR) add_statements(a, all, t->kid[3]);
  }
}

StepStatements steps_statements(Arena *a, const Codelet *c) {
  StepStatements all = {0};
  add_statements(a, &all, c->body);
  return all;
}

/* ---- loops ---- */

static bool is_counter(const Tree *t, const Symbol *s) {
  t = tree_uncast(t);
  return t->op == OP_REF && t->symbol == s;
}

bool steps_loop(const Tree *t, StepLoop *is) {
  if (t->op != OP_FOR) return false;
  const Tree *declare = t->kid[0], *condition = t->kid[1], *step = t->kid[2];
  *is = (StepLoop){.counter = NULL};
  if (!declare) return true;
  if (declare->op != OP_DECLARE || !declare->nkids || !type_is_whole(declare->symbol->type)) return false;
  const Symbol *s = declare->symbol;
  if ((condition->op != OP_LT && condition->op != OP_LE) || !is_counter(condition->kid[0], s)) return false;
  if (step->op != OP_ASSIGN || !is_counter(step->kid[0], s)) return false;
  int64_t by;
  if (step->compound != OP_ADD || !tree_constant(step->kid[1], &by) || by < 1) return false;
  if (tree_assigns(t->kid[3], s) || tree_mentions(condition->kid[1], s)) return false;
  *is = (StepLoop){s, declare->kid[0], condition->kid[1], by, condition->op == OP_LE};
  return true;
}

const Tree *steps_leave(const Tree *t) {
  if (t->op != OP_IF || t->nkids != 2) return NULL;
  const Tree *then = t->kid[1];
  while (then->op == OP_SEQ && then->nkids == 1) then = then->kid[0];
  return then->op == OP_BREAK ? t->kid[0] : NULL;
}

bool steps_may_leave(const Tree *loop) {
  const Tree *body = loop->kid[3];
  for (int i = 0; i < body->nkids; i++)
    if (steps_leave(body->kid[i])) return true;
  return false;
}

static bool compares(const Tree *t, const Symbol *s) {
  return (t->op == OP_LT || t->op == OP_LE) && is_counter(t->kid[0], s);
}

/* `k < end && rest': kid 0 of the first && is the comparison; what is left of it, or NULL. */
static Tree *behind_counter(Arena *a, Tree *condition, const Symbol *counter, Tree **compared) {
  if (condition->op != OP_LAND) return NULL;
  Tree *first = condition->kid[0], *rest = condition->kid[1];
  if (compares(first, counter)) {
    *compared = first;
    return rest;
  }
  Tree *left = behind_counter(a, first, counter, compared);
  return left ? tree_binary(a, OP_LAND, TYPE_BOOL, left, rest) : NULL;
}

/* .. first of all: if (!condition) break; */
static Tree *headed(Arena *a, Tree *condition, const Tree *body) {
  VEC(Tree *) all = {0};
  int64_t always;
  if (!tree_constant(condition, &always) || !always) {
    Tree *leave = tree_new(a, OP_IF, TYPE_VOID, condition->where, 2), *out;
    leave->kid[0] = tree_unary(a, OP_NOT, TYPE_BOOL, condition);
    out = tree_new(a, OP_BREAK, TYPE_VOID, condition->where, 0);
    leave->kid[1] = tree_seq(a, &out, 1);
    vec_push(a, &all, leave);
  }
  for (int i = 0; i < body->nkids; i++) vec_push(a, &all, body->kid[i]);
  return tree_seq(a, all.at, all.n);
}

Tree *steps_plain(Arena *a, Tree *t) {
  if (t->op == OP_SEQ) {
    VEC(Tree *) all = {0};
    for (int i = 0; i < t->nkids; i++) vec_push(a, &all, steps_plain(a, t->kid[i]));
    return tree_with_kids(a, t, all.at, all.n);
  }
  if (t->op == OP_WHILE)
    return tree_with_kids(a, &(Tree){.op = OP_FOR, .where = t->where},
                          (Tree *[]){NULL, NULL, NULL, headed(a, t->kid[0], steps_plain(a, t->kid[1]))}, 4);
  if (t->op != OP_FOR) return t;
  Tree *compared = t->kid[1], *body = steps_plain(a, t->kid[3]);
  Tree *rest = t->kid[0]->op == OP_DECLARE ? behind_counter(a, compared, t->kid[0]->symbol, &compared) : NULL;
  if (rest) body = headed(a, rest, body);
  return tree_with_kids(a, t, (Tree *[]){t->kid[0], compared, t->kid[2], body}, 4);
}

bool steps_repeat(const Codelet *c) {
  for (int i = 0; i < c->body->nkids; i++)
    if (c->body->kid[i]->op == OP_FOR) return true;
  return false;
}

static bool searches(const Tree *body, const Tree *call) {
  bool found = false;
  for (int i = 0; i < body->nkids; i++) {
    const Tree *loop = body->kid[i];
    if (loop->op == OP_FOR && tree_holds(loop, call)) found |= steps_may_leave(loop) || searches(loop->kid[3], call);
  }
  return found;
}

bool steps_is_searching(const Codelet *c, int step) {
  const Steps all = steps_of(c);
  return step < all.n && searches(c->body, all.call[step]);
}

static bool holds_endless(const Tree *body) {
  for (int i = 0; i < body->nkids; i++) {
    const Tree *t = body->kid[i];
    if (t->op == OP_FOR && (!t->kid[0] || holds_endless(t->kid[3]))) return true;
  }
  return false;
}

bool steps_may_stay(const Tree *loop) { return loop->op == OP_FOR && !holds_endless(loop->kid[3]); }

int steps_staying(const Codelet *c, int step) {
  const Steps all = steps_of(c);
  int n = 0;
  for (int i = 0; i < c->body->nkids; i++) {
    const Tree *t = c->body->kid[i];
    n += steps_may_stay(t) && (step < 0 || (step < all.n && tree_holds(t, all.call[step])));
  }
  return n;
}

/* What a name of the text is declared as, in a loop's body too. */
static const Tree *declared_in(const Tree *body, const Symbol *s) {
  const Tree *found = tree_declared(body, s);
  for (int i = 0; i < body->nkids && !found; i++)
    if (body->kid[i]->op == OP_FOR) found = declared_in(body->kid[i]->kid[3], s);
  return found;
}

static bool find_map(void *context, const Tree *t) {
  bool *found = context;
  *found |= t->op == OP_MAP || t->op == OP_SLIDE;
  if (t->op == OP_DECLARE && t->symbol->init) tree_visit(t->symbol->init, find_map, context);
  return !*found;
}

/* Is it that call, or what was declared to be its result? */
static bool is_result(const Codelet *c, const Tree *t, const Tree *call) {
  return t == call || (t->op == OP_REF && tree_declared(c->body, t->symbol) == call);
}

const Tree *steps_result(const Codelet *c) {
  const Steps all = steps_of(c);
  const Tree *last = c->body->nkids ? c->body->kid[c->body->nkids - 1] : NULL;
  if (!last || last->op != OP_RETURN || !last->nkids) return NULL;
  for (int i = 0; last->kid[0]->op == OP_REF && i < c->body->nkids - 1; i++)
    if (tree_mentions(c->body->kid[i], last->kid[0]->symbol)) return NULL;
  for (int i = 0; i < all.n && i < MOST_STEPS; i++)
    if (is_result(c, last->kid[0], all.call[i])) return all.call[i];
  return NULL;
}

bool steps_decide(const Codelet *c, const Tree *t) {
  if (t->op == OP_CALL) return true;
  if (t->op == OP_REF && tree_assigns(c->body, t->symbol)) return true;
  const Tree *is = t->op == OP_REF ? declared_in(c->body, t->symbol) : NULL;
  if (is && steps_decide(c, is)) return true;
  for (int i = 0; i < t->nkids; i++)
    if (steps_decide(c, t->kid[i])) return true;
  return false;
}

static bool decide_sizes(const Codelet *c, const Tree *t) {
  const ViewRow *view = op_view(t->op);
  if (view && view->count >= 0 && steps_decide(c, t->kid[view->count])) return true;
  for (int i = 0; i < t->nkids; i++)
    if (decide_sizes(c, t->kid[i])) return true;
  return false;
}

bool steps_decide_sizes(const Codelet *c) {
  const Steps all = steps_of(c);
  for (int i = 0; i < all.n && i < MOST_STEPS; i++)
    if (decide_sizes(c, all.call[i])) return true;
  return false;
}

/* Has it a container that lies where a parameter does? */
static bool has_within(const Codelet *c) {
  for (int i = 0; i < c->body->nkids; i++) {
    const Tree *t = c->body->kid[i];
    if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_LOCAL && t->symbol->within) return true;
  }
  return false;
}

bool steps_any(const Codelet *c) {
  bool maps = false;
  tree_visit(c->body, find_map, &maps);
  const Steps all = steps_of(c);
  if (maps || !all.n) return false;
  const Tree *last = c->body->nkids ? c->body->kid[c->body->nkids - 1] : NULL;
  return all.n > 1 || steps_repeat(c) || has_within(c) ||
         (last->op == OP_RETURN && last->nkids && !is_result(c, last->kid[0], all.call[0]));
}

bool steps_go_on_forever(const Codelet *c, const Tree *call) {
  if (call->spectrum != c->spectrum) return false;
  for (int i = 0; i < call->nkids; i++) {
    const Tree *x = call->kid[i];
    if (tree_is_container(x) && !(x->op == OP_REF && x->symbol->kind == SYMBOL_PARAM)) return false;
  }
  return true;
}

bool steps_accesses(const Tree *t, const Symbol *container) {
  if (tree_is_extent(t)) return false;
  if (t->op == OP_REF) return t->symbol == container;
  for (int i = 0; i < t->nkids; i++)
    if (steps_accesses(t->kid[i], container)) return true;
  return false;
}

bool steps_writes(const Tree *call, const Symbol *container) {
  const Codelet *of = call->spectrum->ncodelets ? call->spectrum->codelets[0] : NULL;
  for (int i = 0; of && i < of->nparams && i < call->nkids; i++)
    if (of->params[i]->rank && of->params[i]->writable && call->kid[i]->op == OP_REF &&
        call->kid[i]->symbol == container)
      return true;
  return false;
}

bool steps_read_written(const Codelet *c, const Tree *t) {
  const Steps all = steps_of(c);
  if (t->op == OP_CALL) return false;
  for (int i = 0; t->op == OP_INDEX && t->kid[0]->op == OP_REF && i < all.n && i < MOST_STEPS; i++)
    if (steps_writes(all.call[i], t->kid[0]->symbol)) return true;
  for (int i = 0; i < t->nkids; i++)
    if (steps_read_written(c, t->kid[i])) return true;
  return false;
}

bool steps_keep(const Codelet *c, const Tree *t) {
  return t->op == OP_DECLARE && t->nkids && t->symbol->kind == SYMBOL_LOCAL && !t->symbol->rank && !t->symbol->array &&
         steps_read_written(c, t->kid[0]);
}

static int kept_in(const Codelet *c, const Tree *body, bool launched) {
  int n = 0;
  for (int i = 0; i < body->nkids; i++) {
    const Tree *t = body->kid[i];
    if (t->op == OP_FOR && !(launched && steps_may_stay(t))) n += kept_in(c, t->kid[3], false);
    n += steps_keep(c, t);
  }
  return n;
}

int steps_kept(const Codelet *c, bool stays) { return kept_in(c, c->body, stays); }

bool steps_own(const Codelet *c) {
  for (int i = 0; i < c->body->nkids; i++) {
    const Tree *t = c->body->kid[i];
    if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_LOCAL && t->symbol->rank) return true;
  }
  return false;
}

static bool writes_for(const Tree *call, const Tree *other) {
  const Codelet *of = call->spectrum->ncodelets ? call->spectrum->codelets[0] : NULL;
  for (int i = 0; of && i < of->nparams && i < call->nkids; i++) {
    const Tree *x = call->kid[i];
    if (of->params[i]->rank && of->params[i]->writable && x->op == OP_REF && steps_accesses(other, x->symbol))
      return true;
  }
  return false;
}

bool steps_conflict(const Tree *call, const Tree *other) { return writes_for(call, other) || writes_for(other, call); }
