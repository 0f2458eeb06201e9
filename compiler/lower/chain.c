/* chain.c: a scan by the threads of a process (MICRO VI-C, sliding).
 *
 * Threads take tiles in order, each as large as stays in a core's cache. Of its tile a thread sums up the total first,
 * which reads it from memory; then it waits for what stands before it, passes on what stands before the next one, and
 * scans the tile, which is in the cache by now: memory is read once and written once, as by one thread alone.
 *
 *     thread 0: | total 0 | scan 0        | total 2 | scan 2        |
 *     thread 1: | total 1 | . scan 1        | total 3 | scan 3        |
 *                         ^ waits for what stands before tile 1
 *
 * A tile that is waited for has been taken, and those before it: whoever runs, the first of them waits for nobody. So
 * it makes no difference how many threads there are, or which of them are at rest. */
#include "ir/operator.h"
#include "lower/lowering.h"

/* The next tile of those that nobody has. */
static Tree *next_tile(Lowering *l) {
  Tree *t = tree_new(l->a, OP_NEXT_TILE, TYPE_INDEX, (SourceRange){0}, 1);
  t->kid[0] = tree_ref(l->a, l->program->tickets);
  return t;
}

static Symbol *pointer(Lowering *l, const char *name, Type type) {
  Symbol *s = symbol_new(l->a, SYMBOL_LOCAL, lowering_name(l, name), type);
  s->pointer = s->writable = true;
  return s;
}

static Tree *host_size(Lowering *l, const char *name, Tree *value) {
  Symbol *s = symbol_new(l->a, SYMBOL_LOCAL, lowering_name(l, name), TYPE_INDEX);
  s->constant = true;
  lowering_add(l, build_declare(l->a, s, value));
  return tree_ref(l->a, s);
}

/* What stands before the tile, whose total is known. */
static Tree *chain(Lowering *l, const PlanNode *n, Tree *tile, Tree *carry, Tree *total) {
  Arena *a = l->a;
  const Spectrum *s = n->rule->spectrum;
  Tree *t = tree_new(a, OP_CHAIN, s->result, (SourceRange){0}, 5);
  Tree *kids[] = {tree_ref(a, l->program->tickets), tree_ref(a, l->program->partial), tile, carry, total};
  for (int i = 0; i < 5; i++) t->kid[i] = kids[i];
  t->number = s->op;
  Symbol *before = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "before"), s->result);
  before->constant = true;
  lowering_add(l, build_declare(a, before, t));
  return tree_ref(a, before);
}

void chain_lower_grid(Lowering *l, const PlanNode *n, Arguments *in, Statements *sizes, Statements *launches) {
  enum { VECTORS = 1024 }; /* of a tile */
  Arena *a = l->a;
  Program *program = l->program;
  const Level *below = n->rule->below;
  const SizeVar *v = &l->plan->sizes.at[n->axis.size];
  const char *what = arena_printf(a, "%s > %s: %s, the next tile for the next %s", n->rule->level->name, below->name,
                                  lowering_source(l, n->rule->codelet), below->name);
  l->to = sizes;
  lowering_comment(l, "%s", what);
  Tree *vectors = build_mul(a, tree_ref(a, l->threads), tree_int(a, TYPE_INT, VECTORS));
  Tree *many = build_ceil_div(a, view_size(l, in->at[0].view), vectors);
  Tree *tiles = host_size(l, "tiles", build_max(a, many, build_index(a, 1)));
  const ProgramConstant *most = lowering_constant(l, "blocks", grid_most_workers(l), v, TYPE_INDEX);
  Tree *p = host_size(l, "p", build_min(a, tiles, tree_ref(a, most->symbol)));
  Environment e = inline_environment(l, n->rule->codelet, in, NULL, NULL);
  Regroup r = lowering_regroup(l, n, &e, tiles);
  if (l->failed) return;
  grid_keep_grain(l, &r, grid_declare_grain(l));
  program->tickets = pointer(l, "tickets", TYPE_ULONG);
  program->partial = pointer(l, "upto", n->rule->spectrum->result);
  program->chained_by = n->rule->spectrum->op;
  program->workspace_elements = build_index(a, 1);

  Statements body = {0}, inner = {0}, start = l->start;
  kernel_open(l, grid_plural(l, below),
              arena_printf(a, "Each %s takes tiles: the total of one, what stands before it, its scan.", below->name));
  int names = l->names.n;
  Symbol *tile = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "tile"), TYPE_INDEX);
  Symbol *total = lowering_shared(l, "total", n->rule->spectrum->result, NULL);
  l->to = &body;
  lowering_comment(l, "%s", what);
  l->to = &inner;
  Place thread = lowering_place(l, below);
  Arguments part = lowering_parts(l, &r, &e, tree_ref(a, tile), "tile");
  if (l->failed) return;
  Arguments whole = lowering_of(part.at[0].view);
  Destination to = {.kind = TO_PLACE, .place = tree_ref(a, total)}, nowhere = {.kind = TO_NOWHERE};
  lowering_node(l, n->kid[1], &thread, &whole, &to);
  if (l->failed) return;
  Tree *before = chain(l, n, tree_ref(a, tile), in->at[1].number, tree_ref(a, total));
  Arguments scanned = {.at = {part.at[0], {.number = before}, part.at[1]}, .n = 3};
  lowering_node(l, n->kid[0], &thread, &scanned, &nowhere);
  if (l->failed) return;
  Statements all = l->start; /* shared variables begin anew with every tile */
  for (int i = 0; i < inner.n; i++) vec_push(a, &all, inner.at[i]);
  l->start = start;
  l->to = &body;
  Tree *loop = tree_new(a, OP_FOR, TYPE_VOID, (SourceRange){0}, 4);
  loop->kid[0] = build_declare(a, tile, next_tile(l));
  loop->kid[1] = build_compare(a, OP_LT, tree_ref(a, tile), tiles);
  loop->kid[2] = build_assign(a, tree_ref(a, tile), next_tile(l));
  loop->kid[3] = tree_seq(a, all.at, all.n);
  lowering_add(l, loop);
  l->names.n = names;
  kernel_close(l, &body, launches, p, tree_ref(a, l->threads));
}
