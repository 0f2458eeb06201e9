/* partial.c: several blocks contribute to the same elements of a container (split-K). Each of them has a copy of these
 * in the workspace, and a kernel more adds the copies to what the container holds:
 *
 *     kernel blocks             m * n * s of them: contribute to copy number s from its identity on
 *     join                      by the next launch
 *       kernel sums
 *         elements block x thread
 *           copies loop         in their order
 *
 * So the order of contributions follows from the sizes: results are the same in each run, as atomics' are not. Copies
 * lie as their container does, without its gaps. Lanes have neighbouring elements.
 *
 * Requires that a block sets all of its part (tiles.c does: what it holds begins at the identity), and that the
 * container is the only one that is contributed to. */
#include "lower/cuts.h"
#include "lower/maps.h"

/* The container, and the parameter that it is of the spectrum that is mapped. */
static View *container_of(Map *m, const Tree **argument, const Symbol **parameter) {
  const Tree *t = *argument = cuts_contributed(&m->regroup);
  const Codelet *of = m->regroup.map->spectrum->codelets[0];
  for (int i = 0; i < m->regroup.map->nkids; i++)
    if (m->regroup.map->kid[i] == t) *parameter = of->params[i];
  return inline_view(m->l, &m->e, t->kid[0]);
}

/* Dimension number k of a container, the one whose neighbours lie furthest apart the first. */
static int nth(const View *of, int k) {
  return view_rank(of) == PLANE && build_is(of->plane.row_step, 1) ? 1 - k : k;
}

void partial_declare(Map *m) {
  Lowering *l = m->l;
  Arena *a = l->a;
  const Tree *argument;
  const Symbol *parameter = NULL;
  View *of = container_of(m, &argument, &parameter), *copies = view_new(l, *of);
  Symbol *memory = lowering_pointer(l, "partial", parameter->type);
  copies->source.base = memory;
  copies->begin = build_index(a, 0);
  Tree *step = build_index(a, 1);
  for (int k = view_rank(of) - 1; k >= 0; k--) {
    *view_step_of(copies, nth(of, k)) = step;
    step = build_mul(a, view_extent(l, of, nth(of, k)), step);
  }
  copies->plane.alone = true;
  m->regroup.copies = copies;
  m->regroup.again = parameter->atomic == ATOMIC_MAX || parameter->atomic == ATOMIC_MIN;
  l->program->partial = memory;
  Tree *elements = build_mul(a, view_elements(l, of), cuts_contributing(&m->regroup));
  program_add_array(a, l->program, memory, elements);
  m->results = nest_value(a, "partial", NEST_MEMORY);
  m->results->view = copies;
}

/* Adds a lane's element of all copies to that of the container. */
static NestNode *sum(Map *m, View *to, const Symbol *parameter, Tree *element, Tree *many) {
  Lowering *l = m->l;
  Arena *a = l->a;
  const View *copies = m->regroup.copies;
  Tree *all = view_elements(l, to), *at[MOST_RANK], *rest = element;
  for (int k = view_rank(to) - 1; k > 0; k--) {
    const int d = nth(copies, k);
    at[d] = tree_binary(a, OP_REM, TYPE_INDEX, rest, view_extent(l, to, d));
    rest = build_div(a, rest, view_extent(l, to, d));
  }
  at[nth(copies, 0)] = rest;
  Tree *place = view_element_at(l, to, at, view_rank(to));
  NestNode *made = nest_node(a, NEST_SEQ, NULL);
  NestValue *sum = nest_number(a, made, "sum", parameter->type, place);
  sum->symbol->constant = false;
  NestAxis *copy = nest_dimension(a, "copies", ROLE_ORDER, build_index(a, 0), many);
  Tree *begin = build_mul(a, nest_count(a, copy, "k", TYPE_INDEX), all);
  /* from zero, it was subtracted from */
  const AtomicOp by = parameter->atomic == ATOMIC_SUB ? ATOMIC_ADD : parameter->atomic;
  Tree *one = build_element(a, copies->source.base, build_add(a, begin, element));
  Tree *both = tree_binary(a, operator_op(operator_of_atomic(by)), parameter->type, sum->now, one);
  NestNode *add = nest_sync(a, build_assign(a, sum->now, both)),
           *store = nest_sync(a, build_assign(a, place, sum->now));
  nest_access(a, add, m->results, USE_READ);
  nest_access(a, add, sum, USE_ACCUMULATE);
  nest_access(a, store, sum, USE_READ);
  nest_add(a, made, nest_over(a, copy, add));
  nest_add(a, made, store);
  return made;
}

NestNode *partial_add(Map *m) {
  Lowering *l = m->l;
  Arena *a = l->a;
  const Tree *argument;
  const Symbol *parameter = NULL;
  View *to = container_of(m, &argument, &parameter);
  Tree *threads = tree_ref(a, l->now.threads), *all = view_elements(l, to);
  Tree *blocks = build_min(a, build_ceil_div(a, all, threads), build_index(a, l->plan->machine->grid_max));
  blocks = lowering_size(l, "adding", blocks);
  NestAxis *x = nest_dimension(a, "elements", ROLE_MAP, build_index(a, 0), all);
  Tree *element = nest_count(a, x, "i", TYPE_INDEX);
  NestAxis *block = nest_split_workers(a, x, "block", blocks, "block", build_lane(a, OP_BLOCK_ID));
  NestAxis *thread = nest_split_workers(a, block, "thread", threads, "thread", build_lane(a, OP_THREAD));
  NestNode *kernel = nest_kernel(a, &(NestKernel){.name = "sums",
                                                  .note = "Each thread adds the copies of its elements.",
                                                  .blocks = blocks,
                                                  .when = build_compare(a, OP_GT, all, build_index(a, 0))});
  NestNode *each = sum(m, to, parameter, element, cuts_contributing(&m->regroup));
  nest_add(a, kernel, nest_over(a, x, nest_over(a, block, nest_over(a, thread, each))));
  return kernel;
}
