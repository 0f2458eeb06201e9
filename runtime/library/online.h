/* online.h: online selection (MICRO V and VI-B): while it is on, calls of a class go to several candidates in turn, on the
 * caller's data, until one is known to be the fastest. Every call's result is the caller's. Which candidate is next is
 * trials.h's.
 *
 *   CLASSES      the classes of calls, the lock, what is on; slots are read without the lock
 *   EVENTS       CUDA: times by events, which later calls ask for
 *   CLOCK        CPU: times by a clock
 *   POOL         ORDER: ids of variants, the likeliest to be fast first, a line each; 1: suits parts of more than SHORT
 *                elements, 2: of any length, since workers have equal shares of all, 3: since long ones are several
 *                workers'; lanes of a worker that has parts of its own, 0: as many as the block has, or not known
 *   POOL_TYPE *  the candidates of a type. RANGES: the type of its ranges; ID_OF(r): the index of a range's variant;
 *                IS_LAST(r): is it a type's last range? ALIKE(x, y): are two configurations the same? EXACT: has the type
 *                the same results in any order?
 *   CALL *       a call while selection is on: SIGNATURE, OPERANDS, SIZE, WORK_SIZE, LIKE as in calls.h; RUN_OF(r): the
 *                function of a range's variant
 *   SELECT       NAME(select_online), up to the types' candidates
 *   FILL *
 *   SELECTED     its end; NAME(select_forget)
 *   NUMBER       of a type, PARTIAL, as in tables.h
 */
#include "tables.h"
#include "trials.h"
#ifndef CLASSES
#define CLASSES 1
#define EVENTS CUDA
#define CLOCK !CUDA
#define POOL 1
#define POOL_TYPE 1
#define CALL 1
#define SELECT 1
#define FILL 1
#define SELECTED 1
#include <time.h>
#if CUDA
#include <atomic>
#include <mutex>
#endif
#endif
#ifndef ORDER
#define ORDER {"a", 0, 1}, {"b", 2, 0},
#define SHORT 32
#endif
#ifndef RANGES
#if CUDA
#define RANGES Range<OF_TYPE(function)>
#define RUN_OF(r) (r)->run
#define ID_OF(r) OF_TYPE(id_of)((r)->run)
#else
#define RANGES Range
#define RUN_OF(r) (r)->variant->RUN
#define ID_OF(r) (r)->variant - NAME(variants)
#endif
#if BY_SHAPE
#define OF_COUNT && (r)->count == UINT64_MAX
#else
#define OF_COUNT
#endif
#if CONDITIONS
#define IS_LAST(r) (r)->up_to == UINT64_MAX OF_COUNT && (r)->when == 0
#else
#define IS_LAST(r) (r)->up_to == UINT64_MAX OF_COUNT
#endif
#define ALIKE(x, y) ((x).threads == (y).threads && (x).loads == (y).loads && (x).blocks == (y).blocks)
#define EXACT 0
#endif
#ifndef SIGNATURE
#define SIGNATURE void *workspace, size_t *workspace_bytes, ASYNC_SIGNATURE
#if CUDA
#define ASYNC_SIGNATURE const float *in, uint64_t n, float *out, cudaStream_t stream
#define OPERANDS in, n, out, stream
#else
#define ASYNC_SIGNATURE const float *in, uint64_t n, float *out
#define OPERANDS in, n, out
#endif
#define WORK_SIZE n
#if BY_SHAPE
#define SIZE n, 1
#else
#define SIZE n
#endif
#define LIKE (uintptr_t)in % 16 == 0 ? ROWS_ALIGNED : 0
#endif
// ---- pasted from here on ----
#if CLASSES

// A class is a type, a device, what a call is like, and a power of two of each size by which ranges are picked. Its slot
// holds, in one word, its key and the candidate that stays, once that is known: those are read without the lock.
enum { SLOTS = 64 };
static Class classes[SLOTS];
#if CUDA
std::atomic<uint64_t> slots[SLOTS];
std::atomic<int64_t> spare[SLOTS]; // calls that go to the champion without the lock, and in the last 8 bits which it is
std::atomic<int> candidates_at_most; // 0: selection is off
std::mutex classes_lock;
#else
static uint64_t slots[SLOTS];
static int candidates_at_most; // 0: selection is off
#endif
static unsigned forgotten; // how many times

// A call's candidate, and its trial if it is timed. No id: its class is not known.
typedef struct Choice {
  int slot, trial, id;
  unsigned forgotten;
  bool timed;
} Choice;

PRIVATE Choice no_choice(NO_PARAMETERS) {
  const Choice none = {-1, 0, -1, 0, false};
  return none;
}

PRIVATE int selects_among(NO_PARAMETERS) {
#if CUDA
  return candidates_at_most.load(std::memory_order_acquire);
#else
  int most;
#pragma omp atomic read seq_cst
  most = candidates_at_most;
  return most;
#endif
}

PRIVATE uint64_t read_slot(int slot) {
#if CUDA
  return slots[slot].load(std::memory_order_acquire);
#else
  uint64_t word;
#pragma omp atomic read seq_cst
  word = slots[slot];
  return word;
#endif
}

PRIVATE void write_slot(int slot, uint64_t word) {
#if CUDA
  slots[slot].store(word, std::memory_order_release);
#else
#pragma omp atomic write seq_cst
  slots[slot] = word;
  (void)word;
#endif
}

PRIVATE int bits_of(uint64_t n) {
  int bits = 0;
  while (bits < 64 && n >> bits != 0) ++bits;
  return bits;
}

// Never 0.
PRIVATE uint64_t key_of(int type, int device, KEYS) {
  uint64_t key = ((uint64_t)type << 8 | (uint64_t)(device & 255)) << 7 | (uint64_t)bits_of(n);
#if BY_SHAPE
  key = key << 7 | (uint64_t)bits_of(count);
#endif
#if CONDITIONS
  key = key << 3 | (uint64_t)like;
#endif
  return key << 1 | 1;
}

// The slot of a class, or the free one that it would have; -1: there is none.
PRIVATE int slot_of(uint64_t key, uint64_t *word) {
  const int first = (int)(key * 0x9e3779b97f4a7c15u >> 58);
  for (int i = 0; i < SLOTS; i++) {
    const int slot = (first + i) % SLOTS;
    *word = read_slot(slot);
    if (*word == 0 || *word >> 8 == key) return slot;
  }
  return -1;
}

// With the lock: if a class's champion has no challengers left, it stays.
PRIVATE void settle(int slot) {
  const Class *k = &classes[slot];
  if (is_decided(k)) write_slot(slot, read_slot(slot) | (uint64_t)(k->trials[k->champion].id + 1));
}

// With the lock: is the trial still going on?
PRIVATE bool goes_on(const Choice *x) {
  return x->forgotten == forgotten && (read_slot(x->slot) & 255) == 0;
}

// With the lock: a timed call took so long; not_known: it has no time, and its candidate may have refused it.
PRIVATE void note_time(const Choice *x, uint64_t time, bool refused) {
  if (!goes_on(x)) return;
  Class *k = &classes[x->slot];
  if (time == not_known) turn_lost(k, x->trial, refused);
  else turn_ended(k, x->trial, time);
  settle(x->slot);
}

PRIVATE void forget_all(NO_PARAMETERS) {
  for (int i = 0; i < SLOTS; i++) write_slot(i, 0);
#if CUDA
  for (int i = 0; i < SLOTS; i++) spare[i].store(0, std::memory_order_relaxed);
#endif
  ++forgotten;
}

// Selection is off until it is asked for anew.
PRIVATE void end_selection(NO_PARAMETERS) {
#if CUDA
  const std::lock_guard<std::mutex> hold(classes_lock);
  candidates_at_most.store(0, std::memory_order_release);
  forget_all();
#else
#pragma omp critical(NAME(classes))
  {
#pragma omp atomic write seq_cst
    candidates_at_most = 0;
    forget_all();
  }
#endif
}
#endif
#if EVENTS

// Two events around a call. They are recorded on its stream; whether both have happened later calls ask, of the oldest
// timing first.
enum Stage { FREE, BEGUN, RECORDED };
struct Timing {
  cudaEvent_t from, to;
  int device; // whose events they are
  Choice of;
  Stage stage;
};
enum { MOST_TIMINGS = 64, CALLS_UNASKED = 3 };
Timing timings[MOST_TIMINGS];
bool has_events[MOST_TIMINGS];
unsigned oldest = 0, behind_last = 0; // timings from .. to, by their numbers
int unasked = 0;                      // calls until it is asked again

// What another thread's capture forbids, questions to events among it, is allowed meanwhile.
struct Relaxed {
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  Relaxed() { cudaThreadExchangeStreamCaptureMode(&mode); }
  ~Relaxed() { cudaThreadExchangeStreamCaptureMode(&mode); }
};

// With the lock: notes the times that are known by now.
void ask_events() {
  if (oldest == behind_last || unasked-- > 0) return;
  if (cudaPeekAtLastError() != cudaSuccess) return; // the caller's, who may want to see it
  const Relaxed relaxed;
  for (; oldest != behind_last; ++oldest) {
    Timing *t = &timings[oldest % MOST_TIMINGS];
    if (t->stage == FREE) continue;
    float ms = 0;
    cudaError_t error = t->stage == BEGUN ? cudaErrorNotReady : cudaEventQuery(t->to);
    if (error == cudaErrorNotReady) {
      if (t->stage == RECORDED) cudaGetLastError(); // no failure of a call
      break;
    }
    if (error == cudaSuccess) error = cudaEventElapsedTime(&ms, t->from, t->to);
    t->stage = FREE;
    note_time(&t->of, error == cudaSuccess ? (uint64_t)(ms * 1e6) : not_known, error != cudaSuccess);
  }
  unasked = oldest == behind_last ? 0 : CALLS_UNASKED;
}

// With the lock: a timing of the device; nullptr: there is none.
Timing *new_timing(int device) {
  if (behind_last - oldest == MOST_TIMINGS) return nullptr;
  const unsigned place = behind_last % MOST_TIMINGS;
  Timing *t = &timings[place];
  const Relaxed relaxed;
  if (has_events[place] && t->device != device) {
    cudaEventDestroy(t->from);
    cudaEventDestroy(t->to);
    has_events[place] = false;
  }
  if (!has_events[place]) {
    if (cudaEventCreate(&t->from) != cudaSuccess) return nullptr;
    if (cudaEventCreate(&t->to) != cudaSuccess) {
      cudaEventDestroy(t->from);
      return nullptr;
    }
    t->device = device;
    has_events[place] = true;
  }
  ++behind_last;
  return t;
}

// Before a timed call.
Timing *timing_begins(const Choice *x, int device, cudaStream_t stream) {
  Timing *t;
  {
    const std::lock_guard<std::mutex> hold(classes_lock);
    t = new_timing(device);
    if (t != nullptr) {
      t->stage = BEGUN;
      t->of = *x;
    }
  }
  if (t != nullptr && cudaEventRecord(t->from, stream) == cudaSuccess) return t;
  const std::lock_guard<std::mutex> hold(classes_lock);
  if (t != nullptr) t->stage = FREE;
  note_time(x, not_known, false);
  return nullptr;
}

// .. and behind it.
void timing_ends(Timing *t, cudaError_t error, cudaStream_t stream) {
  const bool known = error == cudaSuccess && cudaEventRecord(t->to, stream) == cudaSuccess;
  const std::lock_guard<std::mutex> hold(classes_lock);
  t->stage = known ? RECORDED : FREE;
  if (!known) note_time(&t->of, not_known, error != cudaSuccess);
}

// What serves a call without a question: the candidate that stays; or, of a class whose next match is some calls away,
// its champion.
Choice without_turn(uint64_t key) {
  Choice x = no_choice();
  uint64_t word;
  x.slot = slot_of(key, &word);
  if (x.slot < 0 || word == 0) return x;
  x.id = (int)(word & 255) - 1;
  if (x.id >= 0 || spare[x.slot].load(std::memory_order_relaxed) >> 8 <= 0) return x;
  const int64_t left = spare[x.slot].fetch_sub(256, std::memory_order_relaxed);
  if (left >> 8 > 0) x.id = (int)(left & 255) - 1;
  return x;
}

// Of this thread; 0 where there is one.
int device_at_hand() {
  static const int devices = [] {
    int many = 0;
    return cudaGetDeviceCount(&many) == cudaSuccess ? many : 2;
  }();
  int device = 0;
  if (devices > 1) cudaGetDevice(&device);
  return device;
}

bool is_captured(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  return cudaStreamIsCapturing(stream, &status) != cudaSuccess || status != cudaStreamCaptureStatusNone;
}
#endif
#if CLOCK

PRIVATE uint64_t nanoseconds(NO_PARAMETERS) {
#ifdef CLOCK_MONOTONIC
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
#else
  struct timespec now;
  timespec_get(&now, TIME_UTC);
#endif
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

PRIVATE void timing_ends(const Choice *x, int error, uint64_t time) {
#pragma omp critical(NAME(classes))
  note_time(x, error == 0 ? time : not_known, error != 0);
}
#endif
#if CLASSES

// With the lock: the next call of a class. Untimed, it goes to the fastest as far as is known.
PRIVATE void take_turn(Choice *x, uint64_t key, bool untimed) {
  if (read_slot(x->slot) >> 8 != key) return; // forgotten meanwhile
  Class *k = &classes[x->slot];
#if CUDA
  if (!untimed) ask_events();
#endif
  x->forgotten = forgotten;
  if (goes_on(x)) {
    Turn t = {leader_so_far(k), false};
    if (!untimed) t = next_turn(k);
#if CUDA
    const uint64_t rest = untimed ? 0 : calls_to_spare(k);
    if (rest > 0) { // they count as made
      k->calls += rest < 4096 ? rest : 4096;
      const int64_t left = (int64_t)(rest < 4096 ? rest : 4096);
      spare[x->slot].store(left << 8 | (int64_t)(k->trials[k->champion].id + 1), std::memory_order_relaxed);
    }
#endif
    x->trial = t.trial;
    x->timed = t.timed;
    x->id = k->trials[t.trial].id;
  } else x->id = (int)(read_slot(x->slot) & 255) - 1;
}

// With the lock: a new class, or one that another thread has begun.
PRIVATE void begin_class(Choice *x, uint64_t key, const int *ids, const int *kinds, int n) {
  uint64_t word;
  x->slot = slot_of(key, &word);
  if (x->slot < 0) return; // too many classes
  if (word == 0) {
    begin_trials(&classes[x->slot], ids, kinds, n);
    write_slot(x->slot, key << 8);
    settle(x->slot); // a single one
  }
  take_turn(x, key, false);
}

PRIVATE Choice choose(uint64_t key, bool untimed) {
  Choice x = no_choice();
  uint64_t word;
  x.slot = slot_of(key, &word);
  if (x.slot < 0 || word == 0) return x;
  x.id = (int)(word & 255) - 1;
  if (x.id >= 0) return x;
#if CUDA
  const std::lock_guard<std::mutex> hold(classes_lock);
  take_turn(&x, key, untimed);
#else
#pragma omp critical(NAME(classes))
  take_turn(&x, key, untimed);
#endif
  return x;
}

PRIVATE Choice choose_of_new(uint64_t key, const int *ids, const int *kinds, int n) {
  Choice x = no_choice();
#if CUDA
  const std::lock_guard<std::mutex> hold(classes_lock);
  begin_class(&x, key, ids, kinds, n);
#else
#pragma omp critical(NAME(classes))
  begin_class(&x, key, ids, kinds, n);
#endif
  return x;
}
#endif
#if POOL

// ---- candidates ----

enum { MOST_CANDIDATES = 128, NEAR = 2 };

// Of a type: which candidates its rows have (-1: none), which variants these are, what they suit, a worker's lanes.
typedef struct Suited {
  int many, rows, of_rows[MOST_RANGES], variant[MOST_CANDIDATES], suits[MOST_CANDIDATES], lanes[MOST_CANDIDATES];
  int alike_before[MOST_CANDIDATES]; // how many suit the same, by as many lanes
  uint64_t up_to[MOST_RANGES];       // of each row
} Suited;

// All variants, the likeliest to be fast first, and what they suit.
enum { SHORT_PARTS, LONG_PARTS, ANY_PARTS, ANY_BOUNDED };
static const struct { const char *id; int suits, lanes; } in_order[] = {
ORDER
  {NIL, 0, 0}
};
static const char *const promises[] = {"not_guaranteed", "run_to_run", "gpu_to_gpu", "sequential"};
enum { PROMISES = 4, GPU_TO_GPU = 2 };

PRIVATE int place_in_order(const char *id) {
  int i = 0;
  while (in_order[i].id != NIL && STD(strcmp)(in_order[i].id, id) != 0) ++i;
  return i;
}

PRIVATE int promise_of(const char *name) {
  int i = 0;
  while (i < PROMISES && STD(strcmp)(promises[i], name) != 0) ++i;
  return i;
}

// What serves a call.
typedef struct Call {
  Choice choice;
  int row, nearest; // of the table in use; the candidate that the table would have
  int ids[MOST_TRIALS], kinds[MOST_TRIALS], n;
  int like, device;
  uint64_t length, key, from; // length: of a part, in the mean
  size_t need;
#if CUDA
  Timing *timing;
#endif
} Call;

#if BY_SHAPE
PRIVATE uint64_t length_of(uint64_t n, uint64_t count) {
  (void)count;
#else
PRIVATE uint64_t length_of(uint64_t n) {
#endif
  return n;
}

// The nearest row that names a candidate; that candidate, or the first.
PRIVATE int nearest_candidate(const Suited *s, int row) {
  for (int d = 0; d < s->rows; d++) {
    if (row - d >= 0 && s->of_rows[row - d] >= 0) return s->of_rows[row - d];
    if (row + d < s->rows && s->of_rows[row + d] >= 0) return s->of_rows[row + d];
  }
  return 0;
}

// What a candidate is to a row's calls: the row's own; that of another row for parts of this length; one whose workers
// have parts of their own, such as these; one that suits any parts; the row's variant in the configurations of rows
// near it; another one.
enum { OWN, OF_LENGTH, OF_SUCH, OF_ANY, NEAR_IT, OTHER };

PRIVATE int relation_of(const Suited *s, int row, uint64_t length, int id, int own) {
  if (id == own) return OWN;
  for (int at = 0; BY_SHAPE && at < s->rows; at++)
    if (s->of_rows[at] == id && s->up_to[at] == s->up_to[row]) return OF_LENGTH;
  for (int at = row - NEAR; at <= row + NEAR; at++)
    if (at >= 0 && at < s->rows && s->of_rows[at] == id && s->variant[id] == s->variant[own]) return NEAR_IT;
  if (s->variant[id] == s->variant[own]) return OTHER;
  if (s->suits[id] >= ANY_PARTS) return OF_ANY;
  return (s->suits[id] == LONG_PARTS) == (length > SHORT) ? OF_SUCH : OTHER;
}

// Candidates of a row's calls in the order in which they are tried: the row's own; then by turns one of another row for
// such parts, in the table's order, one that suits them, the nearest in its number of lanes first, one that suits any,
// and one near the row; then the others. Where the row's own does not suit any parts, one that does comes first. If its
// workers have equal shares, the table expects that parts differ: others that suit any come before those that do not.
typedef struct Picks {
  const Suited *of;
  bool differ;
  int turn, relation[MOST_CANDIDATES], distance[MOST_CANDIDATES]; // TAKEN: it was picked
} Picks;
enum { TAKEN = -1, PICK_TURNS = 4 };

// The distance of those that suit such parts: how far a worker has more, or fewer, lanes than such parts have pairs of
// elements, in binary logarithms; and how many candidates before this one have workers like its own.
PRIVATE void begin_picks(Picks *p, const Suited *s, int row, int own, uint64_t length) {
  enum { BITS_OF_BLOCK = 10 };
  const int wanted = bits_of(length / 2);
  p->of = s;
  p->differ = s->suits[own] == ANY_PARTS;
  p->turn = s->suits[own] >= ANY_PARTS ? 0 : 2;
  for (int i = 0; i < s->many; i++) {
    const int has = s->lanes[i] > 0 ? bits_of((uint64_t)s->lanes[i]) : BITS_OF_BLOCK;
    p->relation[i] = relation_of(s, row, length, i, own);
    p->distance[i] = (has > wanted ? has - wanted : wanted - has) + s->alike_before[i];
    if (p->relation[i] != OF_SUCH) p->distance[i] = i;
    for (int at = s->rows - 1; at >= 0 && p->relation[i] == OF_LENGTH; at--)
      if (s->of_rows[at] == i && s->up_to[at] == s->up_to[row]) p->distance[i] = at;
  }
}

// -1: there are no more.
PRIVATE int next_pick(Picks *p) {
  static const int turns[PICK_TURNS] = {OF_LENGTH, OF_SUCH, OF_ANY, NEAR_IT};
  static const int if_differ[PICK_TURNS] = {OF_LENGTH, OF_ANY, OF_ANY, NEAR_IT}; // OF_SUCH are among the others
  for (int asked = 0; asked <= PICK_TURNS + 1; asked++) {
    const int of_turn = p->differ ? if_differ[p->turn] : turns[p->turn];
    const int wanted = asked == 0 ? OWN : asked <= PICK_TURNS ? of_turn : OTHER;
    int found = -1;
    for (int i = 0; i < p->of->many; i++)
      if ((p->relation[i] == wanted || (wanted == OTHER && p->relation[i] == OF_SUCH)) &&
          (found < 0 || p->distance[i] < p->distance[found]))
        found = i;
    if (asked > 0) p->turn = (p->turn + 1) % PICK_TURNS;
    if (found < 0) continue;
    p->relation[found] = TAKEN;
    return found;
  }
  return -1;
}
#endif
#if POOL_TYPE

// Candidates for TYPE.
static RANGES OF_TYPE(pool)[MOST_CANDIDATES];
static Suited OF_TYPE(suited);

#if CUDA
int OF_TYPE(id_of)(OF_TYPE(function) run) {
  int i = 0;
  while (NAME(variants)[i].RUN != run) ++i;
  return i;
}

#endif
// The candidate that a range would be; -1: none, since its variant does not promise so much.
PRIVATE int OF_TYPE(add)(const RANGES *r, int least, int variant, int place) {
  Suited *s = &OF_TYPE(suited);
#if EXACT
  (void)least;
#else
  const NAME(configuration) none = NO_CONFIGURATION;
  const int promise = promise_of(NAME(variants)[variant].determinism);
  // other numbers of threads or blocks add in another order
  if (promise < least || (least >= GPU_TO_GPU && !ALIKE(r->c, none))) return -1;
#endif
  if (s->many == MOST_CANDIDATES) return -1;
  OF_TYPE(pool)[s->many] = *r;
  s->variant[s->many] = variant;
  s->suits[s->many] = in_order[place].suits;
  s->alike_before[s->many] = 0;
  s->lanes[s->many] = in_order[place].lanes;
  for (int i = 0; i < s->many; i++)
    s->alike_before[s->many] += s->suits[i] == s->suits[s->many] && s->lanes[i] == s->lanes[s->many];
  return s->many++;
}

PRIVATE void OF_TYPE(fill)(int least) {
  Suited *s = &OF_TYPE(suited);
  const NAME(configuration) none = NO_CONFIGURATION;
  s->many = s->rows = 0;
  // the variants themselves, in their order
  for (int i = 0; in_order[i].id != NIL; i++) {
    RANGES one = OF_TYPE(in_use)[0];
    const NAME(variant) *v = variant_of(in_order[i].id);
#if PARTIAL
    if (v == NIL || v->RUN == NIL) continue;
#else
    if (v == NIL) continue;
#endif
#if CUDA
    one.run = v->RUN;
#else
    one.variant = v;
#endif
    one.c = none;
    OF_TYPE(add)(&one, least, (int)(v - NAME(variants)), i);
  }
  // .. and in the configurations of the table
  const RANGES *r = OF_TYPE(in_use);
  for (bool last = false; !last && s->rows < MOST_RANGES; ++r) {
    const int variant = (int)(ID_OF(r));
    int i = 0;
    s->up_to[s->rows] = r->up_to;
    while (i < s->many && !(s->variant[i] == variant && ALIKE(OF_TYPE(pool)[i].c, r->c))) ++i;
    s->of_rows[s->rows++] = i < s->many ? i : OF_TYPE(add)(r, least, variant, place_in_order(NAME(variants)[variant].id));
    last = IS_LAST(r);
  }
}
#endif
#if CALL

// The candidates of a row's calls that can serve this one, with its workspace if it has one. Names of what a function
// with a caller's operands has for its own are names that no operand has (compiler/ir/names.c).
PRIVATE void OF_TYPE(candidates)(Call *own, SIGNATURE) {
  const int most = selects_among();
  Picks picks;
  begin_picks(&picks, &OF_TYPE(suited), own->row, own->nearest, own->length);
  own->n = 0;
  for (int next = next_pick(&picks); next >= 0 && own->n < most; next = next_pick(&picks)) {
    const RANGES *c = &OF_TYPE(pool)[next];
    size_t need = 0;
    if (RUN_OF(c)(&c->c, NIL, &need, OPERANDS) != SUCCESS) continue;
    if (workspace != NIL && need > *workspace_bytes) continue;
    if (need > own->need) own->need = need;
    own->kinds[own->n] = OF_TYPE(suited).suits[next] >= ANY_PARTS;
    own->ids[own->n++] = next;
  }
}

// A call while selection is on, whose arguments are right.
#if CUDA
cudaError_t OF_TYPE(online)(SIGNATURE) {
#else
static int OF_TYPE(online)(SIGNATURE) {
#endif
  Call own;
  own.need = 0;
  own.length = length_of(SIZE);
#if CONDITIONS
  own.like = LIKE;
  own.row = (int)(range_of(OF_TYPE(in_use), SIZE, own.like) - OF_TYPE(in_use));
#else
  own.row = (int)(range_of(OF_TYPE(in_use), SIZE) - OF_TYPE(in_use));
#endif
  own.nearest = nearest_candidate(&OF_TYPE(suited), own.row);
  own.choice = no_choice();
  if (workspace == NIL) {
    OF_TYPE(candidates)(&own, workspace, workspace_bytes, OPERANDS);
    int count = own.n;
#if CONDITIONS && ALIGNED
    // pointers may be others when it is there
    own.row = (int)(range_of(OF_TYPE(in_use), SIZE, own.like ^ ROWS_ALIGNED) - OF_TYPE(in_use));
    OF_TYPE(candidates)(&own, workspace, workspace_bytes, OPERANDS);
    count += own.n;
#endif
    if (count > 0) {
      *workspace_bytes = own.need;
      return SUCCESS;
    }
  } else if ((WORK_SIZE) > 0) {
    own.device = 0;
#if CUDA
    own.device = device_at_hand();
#endif
#if CONDITIONS
    own.key = key_of(NUMBER, own.device, SIZE, own.like);
#else
    own.key = key_of(NUMBER, own.device, SIZE);
#endif
#if CUDA
    own.choice = without_turn(own.key);
    const bool early = own.choice.id < 0 && is_captured(stream); // nothing is timed
#else
    const bool early = false;
#endif
    if (own.choice.id < 0) own.choice = choose(own.key, early);
    if (own.choice.id < 0 && own.choice.slot >= 0 && !early) {
      OF_TYPE(candidates)(&own, workspace, workspace_bytes, OPERANDS);
      if (own.n > 0) own.choice = choose_of_new(own.key, own.ids, own.kinds, own.n);
    }
  }
  const RANGES *c = &OF_TYPE(pool)[own.choice.id >= 0 ? own.choice.id : own.nearest];
#if CUDA
  if (own.choice.timed) own.timing = timing_begins(&own.choice, own.device, stream);
  ERROR error = RUN_OF(c)(&c->c, workspace, workspace_bytes, OPERANDS);
  if (own.choice.timed && own.timing != nullptr) timing_ends(own.timing, error, stream);
#else
  if (own.choice.timed) own.from = nanoseconds();
  ERROR error = RUN_OF(c)(&c->c, workspace, workspace_bytes, OPERANDS);
  if (own.choice.timed) timing_ends(&own.choice, error, nanoseconds() - own.from);
#endif
  if (error == SUCCESS) return error;
  size_t need = 0;
  bool moved = RUN_OF(c)(&c->c, NIL, &need, OPERANDS) != SUCCESS; // does it refuse such calls?
  if (workspace != NIL && own.choice.id >= 0 && own.choice.id != own.nearest && (moved || need > *workspace_bytes)) {
    c = &OF_TYPE(pool)[own.nearest]; // nothing was done yet
    error = RUN_OF(c)(&c->c, workspace, workspace_bytes, OPERANDS);
    if (error == SUCCESS) return error;
    moved = RUN_OF(c)(&c->c, NIL, &need, OPERANDS) != SUCCESS;
  }
  return NAME(refused)("FUNCTION", error, WORK_SIZE, workspace, *workspace_bytes, moved ? 0 : need);
}
#endif
#if SELECT

PUBLIC ERROR NAME(select_online)(int candidates, const char *determinism) {
  static const char who[] = "NAME(select_online)";
  if (candidates < 0 || candidates > MOST_TRIALS)
    return NAME(failed)(INVALID, "%s: candidates = %d: it is 0, which ends selection, to %d", who, candidates,
                     MOST_TRIALS);
  if (candidates == 0) {
    end_selection();
    return SUCCESS;
  }
  const int least = determinism == NIL ? PROMISES : promise_of(determinism);
  if (least == PROMISES)
    return NAME(failed)(INVALID, "%s: determinism is `%.40s': it is not_guaranteed, run_to_run, gpu_to_gpu or sequential",
                     who, determinism == NIL ? "NULL" : determinism);
  const ERROR error = in_environment(who);
  if (error != SUCCESS) return error;
  end_selection();
  const char *pinned = STD(getenv)("TGC_VARIANT");
  if (pinned != NIL && *pinned) return SUCCESS; // that one serves all calls
#endif
#if FILL
  OF_TYPE(fill)(least);
  if (OF_TYPE(suited).many == 0)
    return NAME(failed)(MISSING, "%s: no variant for TYPE is %s", who, promises[least]);
#endif
#if SELECTED
#if CUDA
  candidates_at_most.store(candidates, std::memory_order_release);
#else
#pragma omp atomic write seq_cst
  candidates_at_most = candidates;
#endif
  return SUCCESS;
}

PUBLIC ERROR NAME(select_forget)(NO_PARAMETERS) {
#if CUDA
  const std::lock_guard<std::mutex> hold(classes_lock);
  forget_all();
#else
#pragma omp critical(NAME(classes))
  forget_all();
#endif
  return SUCCESS;
}
#endif
