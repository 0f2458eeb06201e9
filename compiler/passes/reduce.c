/* reduce.c: a loop in which all lanes of a warp combine their values becomes one instruction, for the types that it
 * takes (__reduce_add_sync and its kin; PTX ISA, redux.sync: 32-bit integers, from sm_80 on).
 *
 * Requires: kernel form behind the barrier pass; before trim-exchange, whose loops leave lanes out.
 * Keeps: what lane 0 computes, exactly: on integers the order does not matter. Other types keep the loop.
 * Breaks: what other lanes hold after an exchange down, which nothing reads. (After an xor all lanes hold the same,
 * as before.)
 *
 *     for (int offset = 16; offset > 0; offset /= 2) {        if (reduces<T>)                  // when compiled
 *       T other = shuffle_down(val, offset);             ->     val = reduce_add(val);
 *       val += lane + offset < 32 ? other : 0;                else
 *     }                                                         the loop */
#include "passes/reduce.h"

#include "ir/operator.h"
#include "passes/collective.h"

typedef struct Reduce {
  Arena *a;
  const ReduceTarget *target;
  const Tree *body;
  Diagnostics *d;
} Reduce;

static bool takes(Type t) { return t == TYPE_INT || t == TYPE_UINT; }

/* Of the types that the variable may have: some, all. */
static void types_taken(const Reduce *r, Type t, bool *some, bool *all) {
  *some = false;
  *all = true;
  if (t != TYPE_ELEM) { *some = *all = takes(t); return; }
  for (int i = 0; i < r->target->ntypes; i++) {
    bool one = takes(r->target->types[i]->type);
    *some |= one;
    *all &= one;
  }
}

static const char *missed_by(const Reduce *r, const Collective *c, bool some) {
  if (c->widest != 16) return "not all lanes of the warp take part";
  if (c->op == OPERATOR_MUL) return "the machine has none by multiplication";
  if (!some) return "no type here is a 32-bit integer";
  if (c->mode != SHUFFLE_XOR && !collective_is_for_leader(r->body, c))
    return "another lane than lane 0 has its result read";
  return r->target->machine->can.reduce_sync ? NULL : "the machine has none";
}

static Tree *reduction(Arena *a, const Collective *c) {
  Tree *all = tree_unary(a, OP_REDUCE, c->value->type, tree_ref(a, c->value));
  all->combines = c->op;
  Tree *set = tree_binary(a, OP_ASSIGN, TYPE_VOID, tree_ref(a, c->value), all);
  set->where = c->loop->where;
  return set;
}

static Tree *reduced(void *context, Tree *loop) {
  const Reduce *r = context;
  Collective c;
  const char *why;
  bool some = false, all = false, is_one = collective_recognise(loop, WARP_LANES, &c, &why);
  if (!is_one && !why) return loop;
  if (is_one) {
    types_taken(r, c.value->type, &some, &all);
    why = missed_by(r, &c, some);
  }
  if (why) {
    diagnostics_remark(r->d, REMARK_MISSED, "reduce", loop->where, "not a warp reduction: %s", why);
    return loop;
  }
  diagnostics_remark(r->d, REMARK_PASSED, "reduce", loop->where, "warp reduction by %s of `%s'%s", operator_name(c.op),
                     c.value->name, all ? "" : ", where T is a 32-bit integer");
  Tree *set = reduction(r->a, &c);
  if (all) return set;
  Tree *taken = tree_new(r->a, OP_REDUCES, TYPE_BOOL, (SourceRange){0}, 0);
  taken->element = c.value->type;
  Tree *kids[3] = {taken, tree_seq(r->a, &set, 1), tree_seq(r->a, &loop, 1)};
  return tree_with_kids(r->a, &(Tree){.op = OP_IF, .type = TYPE_VOID, .where = loop->where}, kids, 3);
}

Tree *pass_reduce(Arena *a, const ReduceTarget *target, Tree *body, Diagnostics *d) {
  Reduce r = {a, target, body, d};
  return collective_each(a, body, reduced, &r);
}
