/* leave.c: what a kernel of a loop does once the loop has ended: nothing.
 *
 * A kernel decides whether the loop of the host's that it is in goes on, and stores that in a word of the workspace.
 * The host does not wait for it in each iteration: it launches some more, whose kernels find the word and return.
 *
 * Requires: kernel form; a word that no kernel which asks for it writes, but for one of a single thread, behind that.
 * Keeps: what every kernel computes in iterations that the loop has.
 * Breaks: nothing. All threads of a grid return, or none: so a barrier, a ticket or a post behind that meets all that
 * it waits for. */
#include "passes/leave.h"

#include "ir/build.h"

void pass_leave(Arena *a, Program *p) {
  for (int i = 0; i < p->nkernels; i++) {
    Kernel *k = p->kernels[i];
    if (!k->unless) continue;
    Tree *back = tree_new(a, OP_RETURN, TYPE_VOID, (SourceRange){0}, 0);
    Tree *left = build_compare(a, OP_NE, tree_clone(a, k->unless), tree_int(a, TYPE_INT, 0));
    VEC(Tree *) all = {0};
    vec_push(a, &all, build_if(a, left, tree_seq(a, &back, 1)));
    for (int s = 0; s < k->body->nkids; s++) vec_push(a, &all, k->body->kid[s]);
    k->body = tree_seq(a, all.at, all.n);
  }
}
