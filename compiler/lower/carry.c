/* carry.c: what goes from part to part of a scan: the joins that tell each part what stands before it.
 *
 *   carried     by a loop, in a register
 *   a codelet   scans the totals of a warp's lanes, or of a block's warps, each of which does so for itself
 *   look-back   a block posts its tile's total before it knows what stands before it. Then it looks back at what the
 *               blocks before it have posted, until it meets one that knew, and posts the total so far
 *   a scanner   the first block to begin tells all others, from what they have posted, what stands before them
 *
 * Tiles are taken in the order in which blocks begin, so that all that a block waits for have begun: whichever blocks
 * there are at once, the first of them waits for nobody.
 *
 * Requires iterations whose totals a stage has found. Keeps the elements' order: what stands before a part is
 * combined from the left. */
#include "ir/operator.h"
#include "lower/block.h"
#include "lower/counts.h"
#include "lower/scan.h"

static Tree *identity(Scan *s) { return operator_identity(s->l->a, s->spectrum->op, s->type); }

static Tree *combined(Scan *s, Tree *x, Tree *y) {
  return tree_binary(s->l->a, operator_op(s->spectrum->op), s->type, x, y);
}

static Tree *shuffled(Scan *s, Tree *value, Tree *from) {
  Tree *t = tree_binary(s->l->a, OP_SHUFFLE, s->type, value, from);
  t->mode = SHUFFLE_INDEX;
  return t;
}

/* ---- joins ---- */

/* A cooperative codelet: lane i's value of `in' is element i. Returns each lane's own prefix. */
static Tree *by_lanes(Scan *s, const PlanNode *n, const Place *p, View *in) {
  const Codelet *c = n->rule->codelet;
  const Form *form = n->shuffled ? &c->shuffled : &c->plain;
  const Form narrow = s->counts ? counts_narrow(s->l, form, s->spectrum->result) : *form;
  Symbol *upto = block_counter(s->l, spectrum_excludes(c->spectrum) ? "before" : "upto", s->type);
  View out = {.source.register_of = upto, .size = in->source.register_of ? in->size : view_size(s->l, in)};
  Arguments args = {.at = {{.view = in}, {.number = identity(s)}, {.view = &out}}, .n = 3};
  lowering_add(s->l, build_declare(s->l->a, upto, identity(s)));
  lowering_comment(s->l, "%s: %s%s", p->level->name, lowering_source(s->l, c),
                   n->shuffled ? ", exchanging registers" : "");
  inline_codelet(s->l, c, &narrow, p, &args, NULL);
  return tree_ref(s->l->a, upto);
}

/* What the last of so many lanes has. */
static Tree *of_last(Scan *s, const Place *p, Tree *many, Tree *value) {
  Arena *a = s->l->a;
  Tree *last = build_sub(a, many, scan_number(s, 1));
  if (p->level->real == REAL_BLOCK) {
    Symbol *shared = lowering_shared(s->l, "all", s->type, NULL);
    lowering_add(s->l,
                 build_if(a, build_compare(a, OP_EQ, p->lane, last), build_assign(a, tree_ref(a, shared), value)));
    return tree_ref(a, shared);
  }
  if (p->level->real == REAL_SUBWARP) /* lanes are a warp's, where they exchange */
    last = build_add(a, build_mul(a, build_div(a, build_lane(a, OP_LANE), many), many), last);
  return scan_fixed(s, "all", s->type, shuffled(s, value, last));
}

/* Lanes' totals, or items; of warps each scans all of them for itself. */
static void by_codelet(Scan *s, const NestNode *join) {
  Arena *a = s->l->a;
  const NestJoin *j = join->join;
  const PlanNode *n = join->kids.at[0]->plan;
  while (!n->rule->codelet) n = n->kid[0]; /* one of the next level acts for all: here each does the same */
  const Place p = lowering_place(s->l, n->rule->level);
  const bool warps = j->from->space == NEST_SHARED;
  View totals = {.source.register_of = warps ? NULL : j->from->now->symbol, .size = p.lanes};
  if (warps) totals = view_of_memory(s->l, j->from->symbol, j->over->extent);
  Tree *each = by_lanes(s, n, &p, &totals), *own = j->from->now;
  if (warps) {
    Tree *one = build_element(a, j->from->symbol, p.lane), *exists = tails_part_exists(s->l, p.lane, j->over->extent);
    own = scan_fixed(s, "one", s->type, build_choice(a, exists, one, identity(s)));
  }
  Tree *upto = spectrum_excludes(n->rule->codelet->spectrum) ? combined(s, each, own) : each;
  j->all->now = of_last(s, &p, j->over->extent, upto);
  j->to->now = warps ? scan_fixed(s, "above", s->type, shuffled(s, each, j->over->number)) : each;
}

/* What stands before the block's tile; every lane has it afterwards. */
static void among_blocks(Scan *s, const NestJoin *j) {
  Lowering *l = s->l;
  Arena *a = l->a;
  const Blocks *b = &s->blocks;
  const bool scanner = j->way == WAY_SCANNER;
  const Type type = s->spectrum->result; /* within a tile numbers may be narrower */
  Symbol *carry = lowering_shared(l, "carry", type, NULL);
  Tree *kids[] = {tree_ref(a, l->program->words), b->tiles, b->tile, b->ticket, j->from->now, b->each};
  Tree *ask = build_tree(a, scanner ? OP_PRIOR_TOTAL : OP_LOOK_BACK, type, kids, b->each ? 6 : 5);
  ask->combines = s->spectrum->op;
  lowering_comment(l, scanner ? "the first warp posts the tile's total, and waits for what stands before it"
                              : "the first warp looks back at what stands before the tile");
  Block first;
  block_open(l, &first);
  Tree *found = scan_fixed(s, "found", type, ask);
  lowering_add(l, build_if(a, lowering_is_first(s->l, OP_LANE), build_assign(a, tree_ref(a, carry), found)));
  block_close_guarded(l, &first, lowering_is_first(s->l, OP_WARP));
  Tree *told = tree_ref(a, carry);
  const bool nothing = tree_equal(s->carry, operator_identity(a, s->spectrum->op, type));
  j->to->now = nothing ? told : tree_binary(a, operator_op(s->spectrum->op), type, s->carry, told);
}

void carry_join(Scan *s, const NestNode *n) {
  const NestJoin *j = n->join;
  if (j->way == WAY_CODELET) by_codelet(s, n);
  else if (j->way == WAY_CARRY) lowering_add(s->l, build_assign(s->l->a, j->to->now, j->from->now));
  else among_blocks(s, j);
}
