/* steps.c: what a compound codelet may say that applies spectra one after another (ir/steps.h).
 *
 * Each statement is a step, a number made of what steps before it gave, or the return. A step is taken whatever the
 * numbers are. What it gives is used, unless it writes. */
#include "front/steps.h"

#include "front/writes.h"
#include "ir/steps.h"

typedef struct Check { const Codelet *codelet; Steps steps; StepStatements statements; Diagnostics *d; } Check;

static const char unused[] = "leave the step out, or use it";

static bool writes(const Spectrum *s) {
  const Codelet *c = s->ncodelets ? s->codelets[0] : NULL;
  for (int i = 0; c && i < c->nparams; i++)
    if (c->params[i]->rank && c->params[i]->writable) return true;
  return !c;
}

static void refuse(Check *x, SourceRange where, const char *hint, const char *message) {
  diagnostics_add(x->d, DIAG_ERROR, where, hint, "%s", message);
}

/* A step that is taken under a condition only. */
static bool find_conditional(void *context, const Tree *t) {
  Check *x = context;
  const bool choice = t->op == OP_COND || t->op == OP_LAND || t->op == OP_LOR;
  for (int i = 1; choice && i < t->nkids; i++)
    if (tree_contains(t->kid[i], OP_CALL)) {
      refuse(x, t->kid[i]->where, "give its result a name before: `T a = f(x);'",
             "a step is taken whatever the numbers are");
      return false;
    }
  return true;
}

static bool is_mentioned_behind(const Check *x, int statement, const Symbol *s) {
  for (int i = statement + 1; i < x->statements.n; i++)
    if (tree_mentions(x->statements.at[i], s)) return true;
  return false;
}

/* Is the container what counts a queue's elements, in that step? Is it appended to? */
static bool counts(const Tree *call, const Symbol *s, bool appended) {
  const Codelet *of = call->spectrum->ncodelets ? call->spectrum->codelets[0] : NULL;
  for (int i = 0; of && i < of->nparams && i < call->nkids; i++)
    for (int k = 0; of->params[i]->counter && k < call->nkids && k < of->nparams; k++) {
      const bool found = appended ? k == i : of->params[k] == of->params[i]->counter;
      if (found && call->kid[k]->op == OP_REF && call->kid[k]->symbol == s) return true;
    }
  return false;
}

/* Queues have room, and begin with as many elements as a step says. */
static void check_queue(Check *x, const Tree *t, const Tree *first) {
  Arena *a = x->d->arena;
  const Symbol *s = t->symbol;
  int64_t room;
  if (counts(first, s, false))
    refuse(x, first->where, "a step that sets it to 0, before",
           arena_printf(a, "nothing says how many elements are in the queue that `%s' counts", s->name));
  for (int i = 0; i < x->steps.n && i < MOST_STEPS; i++)
    if (counts(x->steps.call[i], s, true) && tree_constant(s->length, &room) && room < 1) {
      refuse(x, t->where, "as many as may be appended",
             arena_printf(a, "the queue `%s' has room for nothing", s->name));
      return;
    }
}

/* Is it in memory, whoever wrote it there? The host has no such number. */
static bool is_in_memory(const Check *x, const Tree *t) {
  if (t->op == OP_INDEX) return true;
  for (int i = 0; t->op == OP_REF && i < x->statements.n; i++) {
    const Tree *declare = x->statements.at[i];
    if (declare->op == OP_DECLARE && declare->symbol == t->symbol && declare->nkids && !t->symbol->rank)
      return is_in_memory(x, declare->kid[0]);
  }
  for (int i = 0; i < t->nkids; i++)
    if (is_in_memory(x, t->kid[i])) return true;
  return false;
}

/* A container between the steps: the first one that mentions it writes it. */
static void check_container(Check *x, const Tree *t) {
  Arena *a = x->d->arena;
  const Symbol *s = t->symbol;
  bool repeated = true;
  if (s->within) return; /* its elements are the caller's */
  for (int i = 0; i < x->codelet->body->nkids; i++) repeated &= x->codelet->body->kid[i] != t;
  if (repeated)
    refuse(x, t->where, "before the loop", arena_printf(a, "`%s' is declared in a loop", s->name));
  else if (steps_decide(x->codelet, s->length))
    refuse(x, t->where, "the most that there can be", arena_printf(a, "a step decides how large `%s' is", s->name));
  else if (is_in_memory(x, s->length))
    refuse(x, t->where, "the most that there can be",
           arena_printf(a, "how large `%s' is lies in memory, and the host makes room for it", s->name));
  for (int i = 0; i < x->steps.n && i < MOST_STEPS; i++) {
    if (!steps_accesses(x->steps.call[i], s)) continue;
    if (!steps_writes(x->steps.call[i], s))
      refuse(x, x->steps.call[i]->where, "a step that writes it, before",
             arena_printf(a, "`%s' is read, and no step has written it", s->name));
    check_queue(x, t, x->steps.call[i]);
    return;
  }
}

/* Containers between the steps whose elements it reads: statements before it write them. */
static void check_reads(Check *x, int statement, const Tree *t) {
  if (t->op == OP_CALL) return;
  const Symbol *s = t->op == OP_INDEX && t->kid[0]->op == OP_REF ? t->kid[0]->symbol : NULL;
  bool written = !s || s->kind != SYMBOL_LOCAL;
  for (int i = 0; i < x->steps.n && i < MOST_STEPS && !written; i++)
    for (int k = 0; k < statement && !written; k++)
      written = x->statements.at[k]->op != OP_FOR && tree_holds(x->statements.at[k], x->steps.call[i]) &&
                steps_writes(x->steps.call[i], s);
  if (!written)
    refuse(x, t->where, "a step that writes it, before",
           arena_printf(x->d->arena, "`%s' is read, and no step has written it", s->name));
  for (int i = 0; i < t->nkids; i++) check_reads(x, statement, t->kid[i]);
}

/* What is declared is a number, made of others, or what a step gives; or a container. */
static void check_number(Check *x, int statement) {
  const Tree *t = x->statements.at[statement];
  Arena *a = x->d->arena;
  const Symbol *s = t->symbol;
  if (s->kind == SYMBOL_TUNABLE)
    refuse(x, t->where, "__tunable unsigned tile = 8;",
           arena_printf(a, "`%s' has no value, and is no number of parts: there are none", s->name));
  if (s->kind != SYMBOL_LOCAL) return;
  if (s->rank) check_container(x, t);
  else if (s->array || !t->nkids)
    refuse(x, t->where, "`T total = sum(x);', `T scale = 1 / total;'", arena_printf(a, "`%s' has no value", s->name));
  else if (tree_mentions(t->kid[0], s))
    refuse(x, t->where, NULL, arena_printf(a, "`%s' is used before it has a value", s->name));
  else if (steps_keep(x->codelet, t)) check_reads(x, statement, t->kid[0]);
  else if (t->kid[0]->op == OP_CALL && !is_mentioned_behind(x, statement, s) && !writes(t->kid[0]->spectrum))
    refuse(x, t->where, unused, arena_printf(a, "`%s' is not used", s->name));
}

/* The loop whose body has that statement; NULL: none has it. */
static const Tree *loop_around(const Check *x, const Tree *t) {
  for (int i = 0; i < x->statements.n; i++) {
    const Tree *loop = x->statements.at[i];
    for (int k = 0; loop->op == OP_FOR && k < loop->kid[3]->nkids; k++)
      if (loop->kid[3]->kid[k] == t) return loop;
  }
  return NULL;
}

static bool is_written_in(const Check *x, const Tree *loop, const Symbol *container) {
  for (int i = 0; i < x->steps.n && i < MOST_STEPS; i++)
    if (tree_holds(loop, x->steps.call[i]) && steps_writes(x->steps.call[i], container)) return true;
  return false;
}

/* Can it become another value in another turn of the loop? */
static bool changes(const Check *x, const Tree *loop, const Tree *t) {
  StepLoop is;
  if (t->op == OP_CALL) return true;
  if (t->op == OP_INDEX && t->kid[0]->op == OP_REF && is_written_in(x, loop, t->kid[0]->symbol)) return true;
  if (t->op == OP_REF && steps_loop(loop, &is) && t->symbol == is.counter) return true;
  const Tree *declared = t->op == OP_REF ? tree_declared(loop->kid[3], t->symbol) : NULL;
  if (declared && changes(x, loop, declared)) return true;
  for (int i = 0; i < t->nkids; i++)
    if (changes(x, loop, t->kid[i])) return true;
  return false;
}

/* A loop is counted, as often as the host knows before it begins; or a condition ends it. */
static void check_loop(Check *x, const Tree *t) {
  StepLoop loop;
  const bool leaves = steps_may_leave(t);
  if (!steps_loop(t, &loop))
    refuse(x, t->where, t->kid[1]->op == OP_LAND ? "the counter first: `k < turns && condition'"
                                                 : "for (int k = 0; k < turns; ++k) { .. }",
           "steps are repeated by a loop that counts up to a number by a constant");
  else if (!loop.counter && !leaves)
    refuse(x, t->where, "`while (condition)', or `if (condition) break;' in it", "this loop never ends");
  else if (!loop.counter && !tree_contains(t->kid[3], OP_CALL))
    refuse(x, t->where, NULL, "a loop between steps has steps in it");
  else if (!loop.counter) ;
  else if (steps_decide(x->codelet, loop.first) || steps_decide(x->codelet, loop.end))
    refuse(x, t->where, "a parameter, or a size",
           "a step, or a loop around it, decides how often this loop goes round");
  else if (is_in_memory(x, loop.first) || is_in_memory(x, loop.end))
    refuse(x, t->where, "a parameter, or a size", "how often this loop goes round lies in memory");
  else if (!tree_contains(t->kid[3], OP_CALL))
    refuse(x, t->where, NULL, "a loop between steps has steps in it");
  for (const Tree *of = loop_around(x, t); leaves && of; of = loop_around(x, of))
    if (steps_may_leave(of))
      refuse(x, t->where, "count one of the two: `for (int k = 0; k < turns; ++k)' without `break'",
             "a condition ends this loop, and the one around it");
}

/* if (condition) break; */
static void check_leave(Check *x, const Tree *t, const Tree *condition) {
  const int errors = x->d->errors;
  tree_visit(condition, find_conditional, x);
  if (x->d->errors == errors && !changes(x, loop_around(x, t), condition))
    refuse(x, condition->where, "the result of a step in the loop, or an element that one of them writes",
           "nothing in the loop changes this condition");
}

/* The host launches kernels for as many elements as there may be: of a container's first few that is known. */
static void check_counts(Check *x, const Tree *t) {
  const ViewRow *view = op_view(t->op);
  if (view && view->count >= 0 && t->op != OP_TAKE && is_in_memory(x, t->kid[view->count]))
    refuse(x, t->where, "take(x, n[0])",
           "how many elements this has is in memory, and how many it may have is not known");
  for (int i = 0; i < t->nkids; i++) check_counts(x, t->kid[i]);
}

static void check_statement(Check *x, int statement) {
  const Tree *t = x->statements.at[statement];
  if (t->op == OP_FOR) {
    check_loop(x, t);
    return;
  }
  const Tree *leave = steps_leave(t);
  if (leave && loop_around(x, t)) {
    check_leave(x, t, leave);
    return;
  }
  if (t->op == OP_DECLARE) check_number(x, statement);
  else if (t->op == OP_RUN && t->kid[0]->spectrum->result != TYPE_VOID && !writes(t->kid[0]->spectrum))
    refuse(x, t->where, unused, arena_printf(x->d->arena, "the result of `%s' is not used", t->kid[0]->spectrum->name));
  else if (t->op == OP_ASSIGN && t->kid[0]->op == OP_REF)
    refuse(x, t->where, "`T found = f(x);' where it is known; what lasts from turn to turn is in `Array<1, T> c(1);'",
           arena_printf(x->d->arena, "`%s' has a value already: a number between steps keeps it",
                        t->kid[0]->symbol->name));
  else if (t->op != OP_RUN && t->op != OP_RETURN)
    refuse(x, t->where, "numbers, spectra that are applied, and last a return: `T scale = total > 0 ? 1 / total : 0;'",
           "this is between steps, and is not a step");
  if (t->op == OP_DECLARE || t->op == OP_RUN || t->op == OP_RETURN) tree_visit(t, find_conditional, x);
}

bool front_steps(const Codelet *c, Diagnostics *d) {
  const int before = d->errors;
  Check x = {c, steps_of(c), steps_statements(d->arena, c), d};
  for (int i = 0; i < x.statements.n; i++) check_statement(&x, i);
  for (int i = 0; i < x.steps.n && i < MOST_STEPS; i++) check_counts(&x, x.steps.call[i]);
  if (x.steps.n > MOST_STEPS)
    refuse(&x, x.steps.call[MOST_STEPS - 1]->where, "put some of them into a spectrum of their own",
           arena_printf(d->arena, "%d steps: a codelet has at most %d", x.steps.n, MOST_STEPS));
  if ((steps_own(c) || steps_repeat(c)) && d->errors == before && steps_decide_sizes(c))
    refuse(&x, c->where, "`take(x, few)' in a spectrum of its own, which has no loop and no container",
           "a step or a loop decides how many elements a step has, and the host launches kernels before it could know");
  for (int i = 0; i < x.steps.n && i < MOST_STEPS; i++)
    if (steps_go_on_forever(c, x.steps.call[i]))
      refuse(&x, x.steps.call[i]->where, "another spectrum, or a part of them",
             arena_printf(d->arena, "`%s' applies itself to all of its containers, and so on", c->spectrum->name));
  return d->errors == before;
}
