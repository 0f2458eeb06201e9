/* scan_twice.c: scans over the blocks of a grid, each of which has a part (MICRO's reduce, scan, scan).
 *
 *   sums       each block sums up its part      in                          -> partial[0], .. partial[p - 1]
 *   one_block  scans these sums                 partial[0 .. p)             -> partial[p], .. partial[2 * p - 1]
 *   parts      each block scans its part        in, from partial[p + block] -> out; both its words are zero again
 *
 * Everything is read twice, and nobody waits for anybody but the end of a grid. Both times a part is the same tile of
 * neighbouring elements: as many as the block that scans it takes in so many turns. There are no more of them than
 * blocks, nor than sums that the one block can scan. The codelet's own container is the second half of the workspace.
 * With a process's threads for blocks it is the same. */
#include "lower/scan.h"

/* Does the codelet return what the spectrum that it calls gives? */
static bool returns_total(const Codelet *c) {
  const Tree *last = c->body->nkids ? c->body->kid[c->body->nkids - 1] : NULL;
  const Tree *value = last && last->op == OP_RETURN && last->nkids ? last->kid[0] : NULL;
  if (value && value->op == OP_CALL) return true;
  for (int i = 0; value && value->op == OP_REF && i < c->body->nkids; i++) {
    const Tree *t = c->body->kid[i];
    if (t->op == OP_DECLARE && t->symbol == value->symbol) return t->nkids && t->kid[0]->op == OP_CALL;
  }
  return false;
}

/* What both kernels of parts share. */
typedef struct Parts {
  const PlanNode *n;
  Environment e;
  Tree *p;    /* how many parts there are; */
  Tree *most; /* most elements of one, for the host; NULL: not known */
} Parts;

static void comment_parts(Lowering *l, const PlanNode *n) {
  const char *below = n->rule->below->name;
  lowering_comment(l, "%s > %s: %s, one part a %s", n->rule->level->name, below, lowering_source(l, n->rule->codelet),
                   below);
}

/* What stands before a block's part, for all its lanes. Its leader clears what the block had of the workspace: words of
 * grids that slide lie there, which are zero or of earlier calls (scan.c). A process has none of these. */
static void take_before(Lowering *l, const Parts *x, const Regroup *r, const Place *block, Arguments *part) {
  Arena *a = l->a;
  Symbol *partial = l->program->partial;
  for (int i = 0; i < part->n && !l->plan->machine->is_cpu; i++) {
    if (r->map->kid[i]->op != OP_ELEMENTS) continue;
    Tree *own = build_lane(a, OP_BLOCK_ID), *zero = tree_int(a, partial->type, 0);
    Symbol *before = lowering_shared(l, "before", partial->type, NULL);
    Tree *steps[] = {build_assign(a, tree_ref(a, before), part->at[i].number),
                     build_assign(a, build_element(a, partial, own), zero),
                     build_assign(a, build_element(a, partial, build_add(a, x->p, own)), zero)};
    lowering_comment(l, "the %s's own words of the workspace are left zero", block->level->name);
    lowering_add(l, build_if(a, block->leader, tree_seq(a, steps, 3)));
    part->at[i].number = tree_ref(a, before);
  }
}

/* One of these kernels: worker by worker its part of that map, and what is done with it. */
static void kernel_of_parts(Lowering *l, Parts *x, const Regroup *r, const PlanNode *each, Destination *to,
                            const char *name, const char *note, Statements *launches) {
  Arena *a = l->a;
  Statements body = {0};
  const Level *below = x->n->rule->below;
  kernel_open(l, name, arena_printf(a, note, below->name));
  int names = l->names.n;
  l->to = &body;
  comment_parts(l, x->n);
  Place block = lowering_place(l, below);
  Arguments part = lowering_parts(l, r, &x->e, build_lane(a, OP_BLOCK_ID), below->name);
  if (l->failed) return;
  take_before(l, x, r, &block, &part);
  l->part = lowering_container(&part);
  l->part_most = x->most;
  lowering_node(l, each, &block, &part, to);
  l->names.n = names;
  kernel_close(l, &body, launches, x->p, tree_ref(a, l->threads));
}

/* Declares, for the host, how many parts there are, where so many elements are worth one. */
static Tree *declare_parts(Lowering *l, const PlanNode *n, Tree *elements, Tree *worth) {
  Arena *a = l->a;
  const SizeVar *v = &l->plan->sizes.at[n->axis.size];
  const ProgramConstant *most = lowering_constant(l, "blocks", grid_most_workers(l), v, TYPE_INDEX);
  Tree *p = build_max(a, build_ceil_div(a, elements, worth), build_index(a, 1));
  p = build_min(a, p, tree_ref(a, most->symbol));
  Tree *served = lowering_serves(l, n->kid[1], n->rule->level);
  return lowering_size(l, "p", served ? build_min(a, p, served) : p);
}

void scan_lower_twice(Lowering *l, const PlanNode *n, Arguments *in, Tree *place, Statements *sizes,
                      Statements *launches) {
  Arena *a = l->a;
  Program *program = l->program;
  const Codelet *c = n->rule->codelet;
  Parts x = {.n = n, .e = inline_environment(l, c, in, NULL, NULL)};
  if (!(x.e.own = privatise_container(c)) || (place && !returns_total(c))) {
    lowering_fail(l, c->where, "it is not said what becomes of the sums of the parts");
    return;
  }
  l->to = sizes;
  comment_parts(l, n);
  Scan s = scan_of(l, n->kid[2], in);
  s.per = s.single ? scan_number(&s, 1) : s.width;
  const bool cpu = l->plan->machine->is_cpu;
  Tree *grain = cpu ? grid_declare_grain(l) : lowering_size(l, "turn", scan_tile_size(&s, tree_ref(a, l->threads)));
  x.p = declare_parts(l, n, s.size, cpu ? grid_enough_work(l) : grain);
  Regroup sums = lowering_regroup(l, n, &x.e, x.p), again = lowering_regroup_again(l, n, &x.e);
  if (l->failed) return;
  x.most = grid_keep_grain(l, &sums, grain);
  again.start = sums.start;
  again.end = sums.end;

  Symbol *partial = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "partial"), n->kid[0]->rule->spectrum->result);
  partial->pointer = true;
  program->partial = partial;
  program->workspace_elements = build_mul(a, x.p, build_index(a, 2));
  View all = view_of_memory(l, partial, x.p), before = all;
  before.begin = x.p;
  before.end = program->workspace_elements;
  x.e.own_view = &before;

  Destination to = {.kind = TO_PLACE, .place = build_element(a, partial, build_lane(a, OP_BLOCK_ID))};
  Destination nowhere = {.kind = TO_NOWHERE};
  kernel_of_parts(l, &x, &sums, n->kid[0], &to, "sums", "Each %s sums up its part.", launches);
  if (l->failed) return;
  Arguments of_all = lowering_called(l, &x.e, &all);
  grid_lower_one(l, n->kid[1], &of_all, place, launches);
  if (l->failed) return;
  kernel_of_parts(l, &x, &again, n->kid[2], &nowhere, "parts", "Each %s scans its part, from what stands before it.",
                  launches);
}
