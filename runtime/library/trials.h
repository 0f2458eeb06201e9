/* trials.h: which of a class's candidates the next call goes to, and which one stays: the rules of online selection
 * alone, without a clock, without locks (online.h has these).
 *
 *   TRIALS   Class: the candidates of one class of calls; begin_trials, next_turn, turn_ended, turn_lost, is_decided
 *   LATER    are times known some calls later? Then matches have fewer rounds
 */
#include "alone.h"
#ifndef TRIALS
#define TRIALS 1
#endif
#ifndef LATER
#define LATER CUDA
#endif
// ---- pasted from here on ----
#if TRIALS

// ---- selection while a program runs ----
//
// Calls of one class go to a champion. From time to time some challengers and the champion have a match: calls go to them
// in turn, and are timed. After each round of a match those that are far behind the fastest are out, and the others have
// twice as many calls; the fastest of the last round is the champion. A time is the least one of a match, since whatever
// disturbs a call only adds to it. Slow challengers cost time: a match begins when what was lost so far, and what it is
// expected to lose, is little beside the calls that were made.
// By the end of a round each has had so many calls; who takes more percent of the fastest's time is out.
#if LATER
// Calls may be made long before the times of earlier ones are known: few rounds. Events take time themselves: few calls.
enum { MOST_TRIALS = 32, ROUNDS = 3, NO_MATCH = -1, FIRST_MATCH = 1, LOSS_EXPECTED = 150, CLEAR_WIN = 200 };
static const int calls_by[ROUNDS] = {1, 3, 6}, percent_in[ROUNDS] = {180, 110, 100};
static const uint64_t timing_takes = 3000; // nanoseconds: each event is half a launch to the host
#else
enum { MOST_TRIALS = 32, ROUNDS = 5, NO_MATCH = -1, FIRST_MATCH = 2, LOSS_EXPECTED = 75, CLEAR_WIN = 0 };
static const int calls_by[ROUNDS] = {1, 2, 4, 8, 16}, percent_in[ROUNDS] = {180, 130, 115, 107, 100};
static const uint64_t timing_takes = 0;
#endif
// Nanoseconds that a single call may take longer for being a challenger's very first.
static const uint64_t cold = 300000;
// Percent of a call's time: what may be lost at once, each time that a challenger wins, and by each call (LOSS_EXPECTED:
// what a challenger is expected to lose); above which it has no second match; from which on (CLEAR_WIN) a win says that its
// kind is the right one, on GPUs, where the wrong kind takes many times as long. FIRST_MATCH: the challengers of the first
// match, of which nothing is known.
// DEAR: calls that take up to so many times what timing does are timed once, unless a challenger takes two thirds of the
// champion's time at most, until there were so many that a match is little beside them.
enum { LOSS_AT_ONCE = 200, LOSS_A_WIN = 300, CALLS_A_PERCENT = 2, HOPELESS = 250, DEAR = 3 };
static const uint64_t not_known = UINT64_MAX;

typedef enum Stand { WAITS, PLAYS, OUT } Stand;

typedef struct Trial {
  uint64_t least, spent; // of its calls in this match, in nanoseconds: the least time, and all
  int id, kind;          // its place among the type's candidates; candidates of a kind are slow for the same reasons
  int begun, known;      // its timed calls in this match; those of them whose time is known
  Stand stand;
  bool again;            // it was out after a single round, or as champion, which a disturbance may have caused
} Trial;

// A class of calls whose candidates are on trial.
typedef struct Class {
  int n, champion, stage, wins; // stage: the round of its match
  uint64_t calls, time, lost; // of the champion's calls, the least time that is known; time lost to slower ones
  Trial trials[MOST_TRIALS];
} Class;

// Whom a call goes to, and whether it is to be timed.
typedef struct Turn {
  int trial;
  bool timed;
} Turn;

// Of these candidates, the first is the champion.
PRIVATE void begin_trials(Class *k, const int *ids, const int *kinds, int n) {
  k->n = n;
  k->champion = 0;
  k->stage = NO_MATCH;
  k->wins = 0;
  k->calls = k->lost = 0;
  k->time = not_known;
  for (int i = 0; i < n; i++) {
    const Trial fresh = {not_known, 0, ids[i], kinds[i], 0, 0, WAITS, false};
    k->trials[i] = fresh;
  }
}

// The fastest of a match as far as is known.
PRIVATE int leader(const Class *k) {
  int found = k->champion;
  for (int i = 0; i < k->n && k->stage != NO_MATCH; i++)
    if (k->trials[i].stand == PLAYS && k->trials[i].least < k->trials[found].least) found = i;
  return found;
}

// Whom calls that are not timed go to: a single time makes a leader only if it is far less than the champion's.
PRIVATE int leader_so_far(const Class *k) {
  const int found = leader(k);
  const Trial *x = &k->trials[found], *champion = &k->trials[k->champion];
  if (champion->known == 0 || found == k->champion) return k->champion;
  const bool sure = (x->known > 1 && champion->known > 1) || x->least < champion->least * 7 / 8;
  return sure ? found : k->champion;
}

// Percent of a call's time that a challenger is expected to lose, and timing it, and the champion beside it, takes.
PRIVATE uint64_t expected_loss(const Class *k) {
  const uint64_t timed = 2 * (uint64_t)calls_by[ROUNDS - 1] * timing_takes * 100;
  return LOSS_EXPECTED + (k->time == not_known || k->time == 0 ? 0 : timed / k->time);
}

// Begins a match with as many challengers as can be afforded. False: with none.
PRIVATE bool begin_match(Class *k) {
  const uint64_t expected = expected_loss(k);
  uint64_t percent = LOSS_AT_ONCE + LOSS_A_WIN * (uint64_t)k->wins + k->calls / CALLS_A_PERCENT;
  int challengers = 0;
  if (k->time != not_known) {
    const uint64_t lost = k->time > 0 ? k->lost * 100 / k->time : 0;
    percent = percent > lost ? percent - lost : 0;
  }
  for (int at = 0; at < 2 * k->n; at++) { // those that had a match already come last
    const int i = at % k->n;
    Trial *x = &k->trials[i];
    if (i == k->champion || x->stand != WAITS || x->again != (at >= k->n)) continue;
    if (k->time == not_known ? challengers == FIRST_MATCH : percent < expected) break;
    percent = percent > expected ? percent - expected : 0;
    x->stand = PLAYS;
    challengers++;
  }
  if (challengers == 0) return false;
  k->stage = 0;
  k->trials[k->champion].stand = PLAYS;
  for (int i = 0; i < k->n; i++) {
    k->trials[i].least = not_known;
    k->trials[i].spent = 0;
    k->trials[i].begun = k->trials[i].known = 0;
  }
  return true;
}

PRIVATE void end_match(Class *k) {
  const int fastest = leader(k);
  const uint64_t least = k->trials[fastest].least;
  if (least != not_known) {
    for (int i = 0; i < k->n; i++) {
      const Trial *x = &k->trials[i];
      const uint64_t best = least * (uint64_t)x->known;
      if (i != k->champion && i != fastest && x->spent > best) k->lost += x->spent - best;
    }
    k->time = least;
  }
  const Trial *winner = &k->trials[fastest];
  bool clear = false;
  for (int i = 0; i < k->n && least != not_known; i++) {
    const Trial *x = &k->trials[i];
    if (CLEAR_WIN > 0 && x->known > 0 && x->kind != winner->kind && x->least * 100 >= least * (uint64_t)CLEAR_WIN)
      clear |= i == k->champion || x->known > 1 || x->least - least > cold;
  }
  for (int i = 0; i < k->n; i++)
    if (k->trials[i].stand == PLAYS || (clear && k->trials[i].kind != winner->kind)) k->trials[i].stand = OUT;
  k->wins += fastest != k->champion;
  k->champion = fastest;
  k->stage = NO_MATCH;
}

// Ends rounds whose times are all known, and the match with the last one.
PRIVATE void close_rounds(Class *k) {
  while (k->stage != NO_MATCH) {
    int left = 0;
    for (int i = 0; i < k->n; i++) {
      if (k->trials[i].stand != PLAYS) continue;
      if (k->trials[i].known < calls_by[k->stage]) return;
      left++;
    }
    const int fastest = leader(k);
    const uint64_t most = k->trials[fastest].least * (uint64_t)percent_in[k->stage] / 100;
    const uint64_t champions = k->trials[k->champion].least;
    const bool dear = k->stage == 0 && k->time == not_known && champions <= DEAR * timing_takes;
    for (int i = 0; i < k->n && dear && k->trials[fastest].least * 3 > champions * 2; i++) {
      if (k->trials[i].stand != PLAYS || i == k->champion) continue;
      k->trials[i].stand = WAITS;
      left--;
    }
    for (int i = 0; i < k->n && k->stage < ROUNDS - 1; i++) {
      Trial *x = &k->trials[i];
      if (x->stand != PLAYS || i == fastest || x->least <= most) continue;
      if (i == k->champion && k->stage == 0) continue; // it may have been disturbed
      const bool hopeful = x->least - most < cold || x->least / HOPELESS < most / percent_in[k->stage];
      x->stand = (k->stage == 0 || i == k->champion) && !x->again && hopeful ? WAITS : OUT;
      x->again = true;
      left--;
    }
    if (left <= 1 || ++k->stage == ROUNDS) end_match(k);
  }
}

// Is nobody left who could become the champion?
PRIVATE bool is_decided(const Class *k) {
  for (int i = 0; i < k->n; i++)
    if (i != k->champion && k->trials[i].stand != OUT) return false;
  return true;
}

#if LATER
// How many calls the champion has before another match can be afforded; 0: as far as is known it can be.
PRIVATE uint64_t calls_to_spare(const Class *k) {
  if (k->stage != NO_MATCH || k->time == not_known || k->time == 0) return 0;
  const uint64_t need = expected_loss(k) + k->lost * 100 / k->time;
  const uint64_t have = LOSS_AT_ONCE + LOSS_A_WIN * (uint64_t)k->wins + k->calls / CALLS_A_PERCENT;
  return need > have ? (need - have) * CALLS_A_PERCENT : 0;
}

#endif

// The next call of the class. Its first one pays for all that is cold, and is not timed.
PRIVATE Turn next_turn(Class *k) {
  const bool first = k->calls++ == 0;
  Turn t = {k->champion, false};
  if (first || (k->stage == NO_MATCH && !begin_match(k))) return t;
  for (int i = 0; i < k->n; i++) {
    const int at = (k->champion + i + k->stage) % k->n;
    Trial *x = &k->trials[at];
    if (x->stand != PLAYS || x->begun >= calls_by[k->stage]) continue;
    x->begun++;
    t.trial = at;
    t.timed = true;
    return t;
  }
  t.trial = leader_so_far(k);
  return t;
}

// A timed call took so long.
PRIVATE void turn_ended(Class *k, int trial, uint64_t time) {
  Trial *x = &k->trials[trial];
  x->known++;
  x->spent += time;
  if (time < x->least) x->least = time;
  close_rounds(k);
}

// A timed call has no time: it could not be taken, or (failed) the candidate refused the call.
PRIVATE void turn_lost(Class *k, int trial, bool failed) {
  Trial *x = &k->trials[trial];
  if (failed && trial != k->champion) x->stand = OUT;
  else x->begun--;
  close_rounds(k);
}
#endif
