/* Whom calls go to, by a clock that this test sets: candidates whose times are drawn, calls whose times are known at once
 * (a CPU's) or some calls later (a GPU's), single calls that are disturbed.
 *
 * variant: -DLATER=0
 * variant: -DLATER=1
 * mutant: the slowest: .least < k->trials[found].least) found = i => .least > k->trials[found].least) found = i
 * mutant: whatever it costs: : percent < LOSS_EXPECTED) break; => : false) break;
 * mutant: losses are forgotten: k->lost += x->spent - best; => ;
 * mutant: no calls without losses: + k->calls / CALLS_A_PERCENT; => ;
 * mutant: no second match: && hopeful ? WAITS : OUT; => && false ? WAITS : OUT;
 * mutant: the champion is out: if (i == k->champion && k->stage == 0) continue; => ;
 * mutant: one time is enough: const bool sure = (x->known > 1 && champion->known > 1) || => const bool sure = true ||
 * mutant: each kind: || (clear && k->trials[i].kind != winner->kind) => || false
 * mutant: all at the first: if (first || => if (
 * mutant: nobody is out: x->least <= most) continue; => true) continue;
 * mutant: more calls than a round has: x->begun >= calls_by[k->stage]) continue; => false) continue;
 * mutant: a champion from nowhere: k->champion = fastest; => ;
 * mutant: times that are lost: else x->begun--; => ;
 */
#include "trials.h"

#include "cpu_test.h"

enum { CALLS = 30000, MOST = 8, MOST_LATE = 64 };

static uint64_t state = 88172645463325252u;
static unsigned drawn(unsigned below) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (unsigned)(state >> 33) % below;
}

typedef struct Run {
  int n, late;              // candidates; after how many calls a time is known
  uint64_t takes[MOST];     // nanoseconds of each one's calls
  int disturbed, lost;      // one in so many calls takes up to three times as long; has no time; 0: none
  int kinds[MOST];
  uint64_t first;           // how much longer the first call of each takes
} Run;

typedef struct Known { int trial, at; uint64_t time; } Known;

/* Calls of a class until its champion stays. Returns it, or -1 where a rule is broken; `over': what was lost, in percent of
 * a champion's call. */
static int run(Run *r, uint64_t *over, int *calls) {
  static Class k;
  Known queue[MOST_LATE];
  int queued = 0, ids[MOST], had[MOST] = {0};
  uint64_t spent = 0, least = UINT64_MAX;
  for (int i = 0; i < r->n; i++) ids[i] = 10 * i;
  for (int i = 0; i < r->n; i++) least = r->takes[i] < least ? r->takes[i] : least;
  begin_trials(&k, ids, r->kinds, r->n);
  for (*calls = 0; *calls < CALLS && !is_decided(&k); ++*calls) {
    for (int i = 0; i < queued; i++)
      if (queue[i].at <= *calls) {
        if (queue[i].time == not_known) turn_lost(&k, queue[i].trial, false);
        else turn_ended(&k, queue[i].trial, queue[i].time);
        queue[i--] = queue[--queued];
      }
    if (is_decided(&k)) break;
    const Turn t = next_turn(&k);
    if (t.trial < 0 || t.trial >= r->n || k.trials[t.trial].id != 10 * t.trial) return -1;
    if (*calls == 0 && (t.timed || t.trial != 0)) return -1;
    uint64_t time = r->takes[t.trial] + (had[t.trial]++ ? 0 : r->first);
    spent += time;
    if (!t.timed) continue;
    if (k.trials[t.trial].stand != PLAYS || k.trials[t.trial].begun > calls_by[ROUNDS - 1]) return -1;
    if (r->disturbed && drawn((unsigned)r->disturbed) == 0) time += drawn(200) * time / 100;
    if (r->lost && drawn((unsigned)r->lost) == 0) time = not_known;
    if (queued == MOST_LATE) return -1;
    const Known one = {t.trial, *calls + 1 + (r->late ? (int)drawn((unsigned)r->late) : 0), time};
    queue[queued++] = one;
  }
  if (!is_decided(&k)) return -1;
  *over = (spent - least * (uint64_t)*calls) * 100 / least;
  return k.champion;
}

static Run draw(int late) {
  Run r = {.n = 1 + (int)drawn(MOST), .late = late};
  const uint64_t unit = 1000u << drawn(14);
  for (int i = 0; i < r.n; i++) r.takes[i] = unit + unit * drawn(300) / 100 + (uint64_t)i;
  return r;
}

static int fastest(const Run *r) {
  int found = 0;
  for (int i = 0; i < r->n; i++)
    if (r->takes[i] < r->takes[found]) found = i;
  return found;
}

/* A clear win of another kind leaves out those of the loser's. */
static bool kinds_are_slow_together(void) {
  static Class k;
  const int ids[] = {0, 1, 2}, kinds[] = {0, 1, 0};
  int calls = 0;
  begin_trials(&k, ids, kinds, 3);
  while (!is_decided(&k) && ++calls < 1000) {
    const Turn t = next_turn(&k);
    if (t.timed) turn_ended(&k, t.trial, t.trial == 1 ? 100 : 210);
    if (LATER && t.trial == 2) return false;
  }
  return k.champion == 1 && calls < 100;
}

/* One disturbed call does not end a champion's match, nor send calls elsewhere. */
static bool champion_stays(void) {
  static Class k;
  const int ids[] = {0, 1}, kinds[] = {0, 0};
  begin_trials(&k, ids, kinds, 2);
  next_turn(&k);
  for (int i = 0; i < 2; i++) {
    const Turn t = next_turn(&k);
    turn_ended(&k, t.trial, t.trial == 0 ? 190 : 100);
  }
  if (k.trials[0].stand != PLAYS || k.stage != 1) return false;
  begin_trials(&k, ids, kinds, 2);
  next_turn(&k);
  for (int i = 0; i < 2; i++) {
    const Turn t = next_turn(&k);
    turn_ended(&k, t.trial, t.trial == 0 ? 105 : 100);
  }
  Turn t = next_turn(&k);
  while (t.timed) t = next_turn(&k);
  return t.trial == 0;
}

bool test(void) {
  uint64_t over;
  int calls, right = 0;
  for (int i = 0; i < 40; i++) {
    Run r = draw(LATER ? 1 + (int)drawn(60) : 0);
    if (i % 4 == 1) r.lost = 10;
    if (i % 4 == 2) { /* each looks slow at first */
      for (int k = 0; k < r.n; k++) r.takes[k] = 100000 + 1000 * (uint64_t)drawn(300) + (uint64_t)k;
      r.first = 250000;
    }
    if (run(&r, &over, &calls) != fastest(&r)) return false; // undisturbed, it is always found
    /* Who begins with the fastest loses two calls, half a percent of all calls, and what a match takes that was begun. */
    r.takes[0] = r.takes[fastest(&r)] - 1;
    r.lost = r.late = 0;
    r.first = 0;
    if (run(&r, &over, &calls) != 0) return false;
    if (over > 200 + (uint64_t)calls / 2 + 2 * 300 + 16 * 30) return false;
  }
  for (int i = 0; i < 100; i++) {
    Run r = {.n = 4, .late = LATER ? 20 : 0, .disturbed = 20};
    for (int k = 0; k < r.n; k++) r.takes[k] = 1000000u * (10 + drawn(20)) / 10;
    const int found = run(&r, &over, &calls);
    if (found < 0) return false;
    right += r.takes[found] <= r.takes[fastest(&r)] * 11 / 10;
  }
  return right >= 96 && champion_stays() && kinds_are_slow_together();
}
