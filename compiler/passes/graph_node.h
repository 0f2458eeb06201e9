/* graph_node.h: loops that may be nodes of a graph (graph_node.c). */
#ifndef TGC_PASSES_GRAPH_NODE_H
#define TGC_PASSES_GRAPH_NODE_H

#include "ir/program.h"

/* Loops of the host that kernels end: each becomes a LOOP_NODE, where its kernels can find the number of an iteration
 * in memory. What lasts is made in `a'. Never fails: the others stay as they are. */
void pass_graph_node(Arena *a, Program *p);

#endif
