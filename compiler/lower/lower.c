/* lower.c: a plan as a program: its operands' names, and its root, which realise.c opens and writes.
 *
 * Each node is opened at a place (which lanes run it), on a view (the container as they see it), towards a destination
 * (where the place's leader puts the result).
 *
 * Requires a finished plan. Keeps its order of combining. */
#include "lower/lower.h"

#include <string.h>

#include "ir/monoid.h"
#include "ir/operator.h"
#include "lower/across.h"
#include "lower/jam.h"
#include "lower/realise.h"

/* The library's functions that are called have variables of these names (runtime/library/calls.h), which nobody wants
 * for an operand; kernels may have others. */
static const char *operand_name(Lowering *l, const char *wanted) {
  static const char *const called[] = {"range_", "like_",  "other_",    "bytes_",
                                       "ready_", "freed_", "shortcut_", "shape_"};
  for (size_t i = 0; i < sizeof called / sizeof *called; i++)
    if (strcmp(wanted, called[i]) == 0) wanted = arena_printf(l->a, "%s_", wanted);
  return lowering_name(l, wanted);
}

/* Names for operands that the text has not for something else: in, n and out are kept for the first of such names. */
static void name_operands(Lowering *l, Signature *s) {
  static const char *const usual[] = {"in", "n", "out"};
  bool given[sizeof usual / sizeof *usual] = {false};
  for (int i = 0; i < s->n; i++) {
    Symbol *symbol = s->at[i].symbol;
    bool kept = false;
    for (size_t k = 0; k < sizeof usual / sizeof *usual; k++)
      if (strcmp(symbol->name, usual[k]) == 0 && !given[k]) given[k] = kept = true;
    if (!kept) symbol->name = operand_name(l, symbol->name);
  }
}

/* The first container of T, or what the spectrum is of instead. */
static Type element_of(const Spectrum *s) {
  const Codelet *any = s->codelets[0];
  for (int i = 0; i < any->nparams; i++)
    if (any->params[i]->type == TYPE_ELEM) return s->lifted ? TYPE_STORED : TYPE_ELEM;
  for (int i = 0; i < any->nparams; i++)
    if (any->params[i]->rank) return any->params[i]->type;
  return any->params[0]->type;
}

/* A program with its parameters, and names that it may not use. */
static Program *new_program(Arena *a, Lowering *l, const Spectrum *s, const char *name, const char *id) {
  static const char *const kernels[] = {"blocks", "one_block", "one_cluster", "clusters", "identity", "sums", "parts"};
  const Codelet *any = s->codelets[0];
  Program *program = arena_one(a, Program);
  program->name = name;
  program->id = id;
  program->generic = any->generic;
  program->element = element_of(s);
  program->result = s->result;
  program->monoid = s->monoid;
  program->states = s->states;
  const bool finishes = s->monoid && s->monoid->finishes && s->result == TYPE_ELEM;
  program->signature = signature_of(a, s, program->element, finishes ? TYPE_FINAL : program->result);
  for (int i = 1 + l->plan->machine->nlevels; i < l->plan->sizes.n; i++) /* codelets' own tunables */
    vec_push(a, &l->now.names, l->plan->sizes.at[i].tunable.name);
  name_operands(l, &program->signature);
  for (int i = 0; i < program->signature.n; i++) {
    const Operand *o = &program->signature.at[i];
    if (i == program->signature.result) program->out = o->symbol;
    else if (o->kind == OPERAND_ARRAY && !program->in) {
      program->in = o->symbol;
      program->n = program->signature.at[o->size[0]].symbol;
    }
  }
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
    vec_push(a, &l->now.names, arena_printf(a, "%s_%s", name, kernels[i]));
  l->program = program;
  return program;
}

static Tree *operand(Lowering *l, const Program *p, int which) {
  return which < 0 ? build_index(l->a, 1) : tree_ref(l->a, p->signature.at[which].symbol);
}

/* The host function's operands as the root's arguments. */
static Arguments whole_input(Lowering *l, const Program *p) {
  Arguments made = {.n = 0};
  const Signature *s = &p->signature;
  for (int i = 0; i < s->n; i++) {
    const Operand *o = &s->at[i];
    if (i == s->result || (o->kind == OPERAND_SIZE && o->param->rank)) continue;
    Argument *x = &made.at[made.n++];
    *x = (Argument){0};
    if (o->kind != OPERAND_ARRAY) {
      x->number = tree_ref(l->a, o->symbol);
      continue;
    }
    x->view = view_new(l, view_of_memory(l, o->symbol, operand(l, p, o->size[0])));
    if (o->param->rank < 2) continue;
    const int rank = o->param->rank;
    x->view->plane.alone = l->plan->spectrum->cuts;
    for (int d = 1; d < rank; d++) *view_extent_of(x->view, d) = operand(l, p, o->size[d]);
    for (int d = 0; d < rank; d++) *view_step_of(x->view, d) = lowering_stride(l, o, d);
  }
  return made;
}

static void write_rows(Lowering *l, Environment *e, const Tree *loop) { realise(l, open_rows(l, e, loop)); }

/* What the host computes, it computes of numbers that it has. */
static void with_hosts_numbers(Lowering *l) {
  Program *p = l->program;
  p->sizes = lowering_of_host(l, p->sizes);
  p->launches = lowering_of_host(l, p->launches);
  p->workspace_tiles = lowering_of_host(l, p->workspace_tiles);
  for (int i = 0; i < p->workspace.n; i++)
    p->workspace.at[i].elements = lowering_of_host(l, p->workspace.at[i].elements);
  for (int i = 0; i < p->nkernels; i++) {
    Kernel *k = p->kernels[i];
    k->flag_when = lowering_of_host(l, k->flag_when);
    for (int n = 0; n < MOST_CASES; n++) k->cases_when[n] = lowering_of_host(l, k->cases_when[n]);
    k->takers = lowering_of_host(l, k->takers);
    k->cluster = lowering_of_host(l, k->cluster);
    k->kept = lowering_of_host(l, k->kept);
  }
}

Program *lower_plan(Arena *a, const Plan *plan, const char *name, Diagnostics *d) {
  Lowering l = {.a = a, .d = d, .plan = plan, .rows = write_rows};
  Program *program = new_program(a, &l, plan->spectrum, name, plan->id);
  const char *lanes = plan->machine->is_cpu ? "lanes per vector" : "threads per block";
  l.now.threads = lowering_constant(&l, &plan->sizes.at[0].tunable, lanes, TYPE_INT)->symbol;

  Statements sizes = {0};
  l.to = &sizes;
  program->workspace_head = WORKSPACE_COUNTER;
  program->widest = plan->spectrum->widest;
  if (arch_posts(plan->machine)) program->workspace_head += posting_bytes(plan->spectrum->widest);
  Arguments all = whole_input(&l, program);
  Destination to = {.kind = program->out ? TO_PLACE : TO_NOWHERE};
  if (program->out) to.place = build_element(a, program->out, build_index(a, 0));
  const Place grid = lowering_place(&l, plan->root->rule->level);
  program->nest = open_plan(&l, plan->root, &grid, &all, &to);
  program->nest->comment = plan->text;
  realise(&l, program->nest);
  if (l.failed) return NULL;
  program->sizes = tree_seq(a, sizes.at, sizes.n);
  program->launches = tree_seq(a, l.now.launches.at, l.now.launches.n);
  with_hosts_numbers(&l);
  for (int i = 0; i < program->nkernels && !plan->machine->is_cpu; i++) {
    across_kernel(&l, program->kernels[i]);
    jam_kernel(&l, program->kernels[i]);
  }
  program->needs_workspace = program->workspace.n || program->arrived || program->posts || program->met ||
                             program->queued;
  lowering_local_constants(&l, program->sizes, program->launches);
  return lowering_fit(&l) ? program : NULL;
}
