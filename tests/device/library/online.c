/* Online selection among two variants, by a clock that this test sets: the fastest stays, every call has its result, promises
 * are kept, several threads call and forget at a time.
 *
 * variant: -DBY_SHAPE=0
 * variant: -DBY_SHAPE=1
 * variant: -DBY_SHAPE=0 -DCONDITIONS=1
 * variant: -DBY_SHAPE=1 -DCONDITIONS=1
 * mutant: without the lock: #pragma omp critical(NAME(classes))\n  take_turn => take_turn
 * mutant: no lock for times: #pragma omp critical(NAME(classes))\n  note_time => note_time
 * mutant: any promise: if (promise < least || => if (
 * mutant: any configuration: (least >= GPU_TO_GPU && => (false &&
 * mutant: nobody forgets: for (int i = 0; i < SLOTS; i++) write_slot(i, 0); => ;
 * mutant: times of what was forgotten: return x->forgotten == forgotten && => return
 * mutant: whatever the workspace: if (workspace != NIL && need > *workspace_bytes) continue; => ;
 * mutant: bytes of one: if (need > own->need) own->need = need; => own->need = 1;
 * mutant: refused for good: own.choice.id != own.nearest && => false &&
 * mutant: one class: return key << 1 | 1; => return 1;
 * mutant: never kept: if (is_decided(k)) write_slot => if (false) write_slot
 * mutant: too many: candidates > MOST_TRIALS) => false)
 * mutant: no determinism: if (least == PROMISES) => if (false)
 */
#include <omp.h>

#include "clock.h"

#include "calls.h"

#include "library.h"

enum { THREADS = 4 };
static const char table[] = "TYPE 8 a 8 1 0\nTYPE inf b 0 2 0\n";

static bool is_result(float x) { return x == 1 || x == 2 || x == 4; }

/* So many calls of n elements: the last one's result; 0: a call has failed, or has none. */
static float calls(int many, uint64_t n, size_t bytes) {
  char workspace[16] = {0};
  float in[4] = {0}, out = 0;
  for (int i = 0; i < many; i++) {
    out = 0;
    if (FUNCTION(workspace, &bytes, in, n, &out) != 0 || !is_result(out)) return 0;
  }
  return out;
}

static bool refuses(int candidates, const char *determinism, const char *why) {
  return NAME(select_online)(candidates, determinism) == EINVAL && strstr(NAME(error_text)(EINVAL), why);
}

static bool selects(const char *determinism) { return NAME(select_online)(4, determinism) == 0; }

static int kept(void) {
  int many = 0;
  for (int i = 0; i < SLOTS; i++) many += (read_slot(i) & 255) != 0;
  return many;
}

static bool together(void) {
  bool right[THREADS] = {false};
  int given = 0;
#pragma omp parallel num_threads(THREADS)
  {
    const int me = omp_get_thread_num();
    if (me == 0) given = omp_get_num_threads();
    bool all = true;
    for (int i = 0; i < 12; i++) {
      all = all && calls(20, (uint64_t)1 << (me % 2), 16) != 0;
      if (me == 3 && i % 5 == 2) all = all && NAME(select_forget)() == 0;
    }
    right[me] = all;
  }
  int wrong = 0;
  for (int i = 0; i < given; i++) wrong += !right[i];
  return wrong == 0;
}

/* A call that ends when its class was forgotten, and begun anew. */
static bool late_times_are_nothing(void) {
  int slot = 0;
  if (!selects("not_guaranteed") || calls(2, 4, 16) == 0) return false;
  while (slot < SLOTS && read_slot(slot) == 0) slot++;
  const Choice x = {slot, 1, 1, forgotten, true};
  if (NAME(select_forget)() != 0 || calls(1, 4, 16) == 0) return false;
  const int known = classes[slot].trials[1].known;
  note_time(&x, 1, false);
  return classes[slot].trials[1].known == known;
}

bool test(void) {
  float in[1] = {0}, out = 0;
  size_t bytes = 0;
  second_takes = 3;
  if (!table_is(table) || NAME(load_table)("table") != 0 || calls(1, 4, 16) != 1) return false;
  if (!refuses(-1, "run_to_run", "candidates = -1") || !refuses(33, "run_to_run", "candidates = 33") ||
      !refuses(4, NULL, "NULL") || !refuses(4, "fast", "`fast'")) return false;
  if (!selects("not_guaranteed")) return false;
  if (FUNCTION(NULL, &bytes, in, 4, &out) != 0 || bytes != 3) return false; // for either
  if (calls(1, 0, 16) != 1 || calls(1, 4, 16) != 1) return false; // the table's, at first
  if (calls(600, 4, 16) == 1 || calls(1, 5, 16) == 1 || calls(1, 8, 16) != 1) return false;
  second_takes = 30;
  if (kept() != 1 || calls(100, 4, 16) == 1) return false; // it stays
  refuse_above = 4;
  if (calls(1, 5, 16) != 1) return false; // another serves what it refuses
  refuse_above = 1 << 30;
  if (NAME(select_forget)() != 0 || calls(600, 4, 16) != 1) return false;
  second_takes = 3;
  if (!selects("not_guaranteed") || calls(600, 4, 1) != 1) return false; // no room for the other
  second_takes = 30;
  if (!selects("run_to_run") || calls(600, 4, 16) == 1) return false; // the other does not promise that
  second_takes = 3;
  if (!selects("sequential") || calls(100, 4, 16) != 2 || !selects("gpu_to_gpu") || calls(1, 4, 16) != 2) return false;
  if (!selects("run_to_run") || NAME(load_table)("table") != 0 || selects_among() != 0) return false;
  if (!selects("not_guaranteed") || !together() || !late_times_are_nothing()) return false;
  return NAME(select_online)(0, NULL) == 0 && calls(600, 4, 16) == 1;
}
