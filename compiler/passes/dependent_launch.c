/* dependent_launch.c: a grid may be put on the machine while the one before it in the stream still runs.
 *
 * Requires: kernel form; a machine with dependent launches (sm_90 and later).
 * Keeps: what every kernel computes: it waits for the grids before it, and for all that they stored, before its first
 * access to global memory.
 * Breaks: nothing.
 *
 * Blocks that come early are put where there is room beside those that run: two on one multiprocessor, none on
 * another. A kernel with panels in shared memory is as slow as those two. So its blocks ask for so much shared memory
 * that no multiprocessor has room for more of them than the fullest one has where all are shared out evenly.
 *
 * What comes before that wait (lane numbers, shared memory's identities) and the launch itself then cost nothing while
 * another grid runs: half of a small reduction's time on an H200 (bench/results). */
#include "passes/dependent_launch.h"

#include "passes/predicate.h"

static bool is_global(const Tree *t) {
  return t->op == OP_REF && (t->symbol->pointer || t->symbol->type == TYPE_BOXES);
}

static bool note_global(void *context, const Tree *t) {
  bool *found = context;
  *found |= is_global(t);
  return !*found;
}

static bool touches_global(const Tree *t) {
  bool found = false;
  tree_visit(t, note_global, &found);
  return found;
}

/* The body with the wait before the first statement, of those that every lane runs, that names global memory. */
static Tree *with_wait(Arena *a, const Tree *seq, bool *done) {
  TreeList all = {0};
  for (int i = 0; i < seq->nkids; i++) {
    Tree *t = seq->kid[i];
    if (!*done && touches_global(t)) {
      if (t->op == OP_SEQ) {
        vec_push(a, &all, with_wait(a, t, done));
        continue;
      }
      vec_push(a, &all, tree_new(a, OP_AFTER_GRIDS, TYPE_VOID, (SourceRange){0}, 0));
      *done = true;
    }
    vec_push(a, &all, t);
  }
  return tree_seq(a, all.at, all.n);
}

void pass_dependent_launch(Arena *a, Program *p, const Arch *m) {
  if (!m->can.dependent_launch) return;
  for (int i = 0; i < p->nkernels; i++) {
    bool done = false;
    if (p->kernels[i]->together) continue; /* it has all of the machine */
    p->kernels[i]->body = with_wait(a, p->kernels[i]->body, &done);
    p->kernels[i]->overlaps = done;
    if (done && p->asks_for_shared == p->kernels[i] && p->kernels[i]->panels && !p->kernels[i]->cluster) {
      p->kernels[i]->even_over = m->units;
      p->kernels[i]->even_bytes = m->shared_bytes_most;
    }
  }
}
