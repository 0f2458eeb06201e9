/* block.c: lists of statements that become bodies of loops and branches. */
#include "lower/block.h"

static Tree *all_of(Lowering *l, const Block *b) { return tree_seq(l->a, b->inner.at, b->inner.n); }

void block_open(Lowering *l, Block *b) {
  *b = (Block){.outer = l->to, .names = l->now.names.n};
  l->to = &b->inner;
}

void block_close(Lowering *l, Block *b) {
  l->to = b->outer;
  l->now.names.n = b->names;
}

void block_close_guarded(Lowering *l, Block *b, Tree *condition) {
  block_close(l, b);
  lowering_add(l, condition ? build_if(l->a, condition, all_of(l, b)) : all_of(l, b));
}

void block_close_counted(Lowering *l, Block *b, Symbol *k, Tree *count, ForUnroll unroll) {
  block_close(l, b);
  Tree *none = tree_int(l->a, TYPE_INT, 0), *one = tree_int(l->a, TYPE_INT, 1);
  Tree *made = build_for(l->a, k, none, count, one, all_of(l, b));
  made->unroll = unroll;
  lowering_add(l, made);
}

void block_close_unrolled(Lowering *l, Block *b, Symbol *k, Tree *count) {
  block_close_counted(l, b, k, count, UNROLL_ALL);
}

void block_close_onward(Lowering *l, Block *b, Tree *at, Tree *condition, Tree *step, ForUnroll unroll) {
  block_close(l, b);
  lowering_add(l, build_onward(l->a, at, condition, step, all_of(l, b), unroll));
}

Symbol *block_open_counted(Lowering *l, Block *b, const char *name) {
  const int names = l->now.names.n;
  Symbol *k = block_counter(l, name, TYPE_INT);
  block_open(l, b);
  b->names = names;
  return k;
}

Symbol *block_counter(Lowering *l, const char *name, Type type) {
  return symbol_new(l->a, SYMBOL_LOCAL, lowering_name(l, name), type);
}
