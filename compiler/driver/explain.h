/* explain.h: tgc explain ID [DIR]: one variant of a folder, for people. */
#ifndef TGC_DRIVER_EXPLAIN_H
#define TGC_DRIVER_EXPLAIN_H

/* Runs the verb on the command line argv[0..argc), with argv[1] "explain". Prints the variant, its graph
 * (--dot) or draws it (--svg FILE). Returns the exit status: 0 done; 1 no such variant, no readable manifest,
 * no Graphviz, output that cannot be written; 2 misuse. */
int verb_explain(int argc, char **argv);

#endif
