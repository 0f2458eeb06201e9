/* lower.c: a plan as a program, and its nodes below the grid as statements of the kernel that is open.
 *
 * Each node is lowered at a place (which lanes run it), on a view (the container as they see it), towards a
 * destination (where the place's leader puts the result). Grid nodes, which become kernels and launches, are
 * grid.c's. */
#include "lower/lower.h"

#include <string.h>

#include "ir/monoid.h"
#include "ir/names.h"
#include "ir/operator.h"
#include "lower/block.h"
#include "lower/maps.h"

/* ---- below the grid ---- */

/* Moves what the lanes hold into shared memory: one lane's element is another's to read (a relayout). */
static View spill(Lowering *l, const Place *p, const View *in) {
  Arena *a = l->a;
  Symbol *parts = lowering_shared(l, "parts", in->source.register_of->type, tree_ref(a, l->now.threads));
  lowering_add(l, build_assign(a, build_element(a, parts, build_lane(a, OP_THREAD)), tree_ref(a, in->source.register_of)));
  Tree *begin = p->first ? p->first : build_index(a, 0);
  return (View){.source.base = parts, .begin = begin, .end = build_add(a, begin, in->size), .step = build_index(a, 1),
                .size = in->size};
}

/* What the lanes hold in registers, in memory. */
static Arguments in_memory(Lowering *l, const Place *p, const Arguments *in) {
  Arguments made = *in;
  for (int i = 0; i < in->n; i++) {
    if (!in->at[i].view || !in->at[i].view->source.register_of) continue;
    made.at[i].view = view_new(l, spill(l, p, in->at[i].view));
  }
  return made;
}

static void lower_devolve(Lowering *l, const PlanNode *n, const Place *p, Arguments *in, Destination *to) {
  Arguments memory = in_memory(l, p, in);
  const Level *sub = n->rule->below;
  Place below = lowering_place(l, sub);
  Tree *first_warp = build_compare(l->a, OP_EQ, build_lane(l->a, OP_WARP), tree_int(l->a, TYPE_INT, 0));
  Tree *one = sub->real == REAL_WARP ? first_warp : p->leader;
  const char *who = arena_printf(l->a, "one %s acts for all", sub->name);
  if (sub->real == REAL_SUBWARP) { /* no lane misses an exchange when all do it; the first one's result counts */
    one = NULL;
    below.leader = p->leader;
    who = "each does the same";
  }
  lowering_comment(l, "%s > %s: %s", p->level->name, sub->name, who);
  Block b;
  block_open(l, &b);
  lowering_node(l, n->kid[0], &below, &memory, to);
  block_close_guarded(l, &b, one);
}

static void lower_compute(Lowering *l, const PlanNode *n, const Place *p, Arguments *in, Destination *to) {
  const Codelet *c = n->rule->codelet;
  const Form *form = n->shuffled ? &c->shuffled : &c->plain;
  bool lanes_differ = c->kind == CLASS_AUTONOMOUS || !inline_reads_own_lane(c, form);
  Arguments read = lanes_differ ? in_memory(l, p, in) : *in;
  if (open_alone(l, n, p, &read, to)) return;
  lowering_comment(l, "%s: %s%s", p->level->name, lowering_source(l, c),
                   n->shuffled ? ", exchanging registers" : "");
  if (c->kind == CLASS_COOPERATIVE && lowering_container(&read)) { /* composition gives it no more */
    const Bounded size = {view_size(l, lowering_container(&read)), p->lanes};
    vec_push(l->a, &l->now.kernel->bounded, size);
  }
  inline_codelet(l, c, form, p, &read, to);
}

/* A map that no mechanism of its own has. */
static void lower_map(Lowering *l, const PlanNode *n, const Place *p, Arguments *in, Destination *to) {
  Arguments memory = in_memory(l, p, in);
  const bool slots = n->axis.real == REAL_SLOTS;
  if (slots && open_slots(l, n, p, &memory, to)) return;
  (slots || n->rule->map == STEP_SERIALIZE ? maps_lower_loop : maps_lower)(l, n, p, &memory, to);
}

static void lower_compound(Lowering *l, const PlanNode *n, const Place *p, Arguments *in, Destination *to) {
  if (plan_applies(n)) {
    Arguments inner = lowering_applied(l, n->rule->codelet, p, in);
    lowering_node(l, n->kid[0], p, &inner, to);
  } else if (n->rule->slides) scan_lower(l, n, p, in, to);
  else if (n->rule->owns) privatise_lower(l, n, p, in, to);
  else if (n->rule->level->real == REAL_CLUSTER) cluster_lower_part(l, n, in, to);
  else if (n->rule->map == STEP_SPREAD) grid_parts_lower_piece(l, n, p, in, to);
  else if (n->rule->map == STEP_SLICE) interleave_lower(l, n, p, in, to);
  else lower_map(l, n, p, in, to);
}

static void lower_if_there(Lowering *l, const PlanNode *n, const Place *p, Arguments *in, Destination *to) {
  Block b;
  Tree *there = l->there;
  block_open(l, &b);
  l->there = NULL;
  lowering_node(l, n, p, in, to);
  l->there = there;
  block_close_guarded(l, &b, there);
}

static void lower_node(Lowering *l, const PlanNode *n, const Place *p, Arguments *in, Destination *to) {
  if (l->failed) return;
  const Codelet *c = n->rule->codelet;
  if (l->there && n->rule->spectrum->result == TYPE_VOID && p->level && p->level->real == REAL_THREAD) {
    lower_if_there(l, n, p, in, to); /* lanes that work alone and only write need not repeat anything */
    return;
  }
  if (!c) lower_devolve(l, n, p, in, to);
  else if (c->kind == CLASS_COMPOUND) lower_compound(l, n, p, in, to);
  else lower_compute(l, n, p, in, to);
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
    if (!kept) symbol->name = lowering_name(l, symbol->name);
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
  bool finishes = s->monoid && s->monoid->finishes;
  program->signature = signature_of(a, s, program->element, finishes ? TYPE_FINAL : program->result);
  for (int i = 0; names_taken[i]; i++) vec_push(a, &l->now.names, names_taken[i]);
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
    Tree *apart = operand(l, p, o->size[2]), *one = build_index(l->a, 1);
    x->view->plane.alone = plan_cuts(l->plan->spectrum);
    x->view->plane.columns = operand(l, p, o->size[1]);
    x->view->plane.row_step = o->param->by_columns ? one : apart;
    x->view->plane.column_step = o->param->by_columns ? apart : one;
  }
  return made;
}

Program *lower_plan(Arena *a, const Plan *plan, const char *name, Diagnostics *d) {
  static const Lowerers lowerers = {lower_node, grid_lower_node, grid_lower_by_one, open_rows};
  Lowering l = {.a = a, .d = d, .plan = plan, .by = &lowerers};
  Program *program = new_program(a, &l, plan->spectrum, name, plan->id);
  program->nest = l.nest = nest_node(a, NEST_PLAN, plan->text);
  l.nest->plan = plan->root;
  const char *lanes = plan->machine->is_cpu ? "lanes of a vector" : "lanes of a block";
  l.now.threads = lowering_constant(&l, "threads", lanes, &plan->sizes.at[0], TYPE_INT)->symbol;

  Statements sizes = {0}, launches = {0};
  program->workspace_head = WORKSPACE_COUNTER;
  program->widest = plan->spectrum->widest;
  program->half_bytes = (int)plan->machine->measured.half_bytes;
  if (arch_posts(plan->machine)) program->workspace_head += posting_bytes(plan->spectrum->widest);
  Arguments all = whole_input(&l, program);
  Tree *place = program->out ? build_element(a, program->out, build_index(a, 0)) : NULL;
  grid_lower(&l, plan->root, &all, place, &sizes, &launches);
  if (l.failed || !lowering_fit(&l)) return NULL;
  program->sizes = tree_seq(a, sizes.at, sizes.n);
  program->launches = tree_seq(a, launches.at, launches.n);
  return program;
}
