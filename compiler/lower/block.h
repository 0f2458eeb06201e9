/* block.h: lists of statements that become bodies of loops and branches. Names that are taken within one are free
 * behind it. */
#ifndef TGC_LOWER_BLOCK_H
#define TGC_LOWER_BLOCK_H

#include "lower/lowering.h"

typedef struct Block { Statements inner, *outer; int names; } Block;

void block_open(Lowering *l, Block *b);
/* Statements go where they went before; the block's own are `inner'. */
void block_close(Lowering *l, Block *b);
/* `if (condition) ..' around the block; none when it is NULL. */
void block_close_guarded(Lowering *l, Block *b, Tree *condition);
/* for (k = 0; k < count; ++k), written out, around it: its variable, whose name is free behind it, too. */
Symbol *block_open_counted(Lowering *l, Block *b, const char *name);
void block_close_unrolled(Lowering *l, Block *b, Symbol *k, Tree *count);
/* .. as often as that says */
void block_close_counted(Lowering *l, Block *b, Symbol *k, Tree *count, ForUnroll unroll);
/* for (; at < ..; at += step) around it. */
void block_close_onward(Lowering *l, Block *b, Tree *at, Tree *condition, Tree *step, ForUnroll unroll);
/* A variable of a loop. */
Symbol *block_counter(Lowering *l, const char *name, Type type);

#endif
