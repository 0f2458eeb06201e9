// openmp.cc: teams, whose turn it is, barriers, locks.
#include "openmp.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#include "include/omp.h"

namespace openmp {

Options options;

// How threads of a team begin, and go on behind a barrier: at once, after random delays; each when the one before it has
// come to a barrier or its end, in ascending, descending or random order; one when all others have.
enum Order { TOGETHER, ASCENDING, DESCENDING, SHUFFLED, ONE_LATE, ORDERS };

// A thread whose turn does not come goes on all the same: another may wait for what it does.
enum { PATIENCE = 4000 }; // microseconds

struct Team {
  int size;
  void (*body)(void *);
  void *context;
  uint64_t seed;
  pthread_barrier_t barrier;
  int turns;   // how often a thread has come to the end of a phase, which a barrier ends or the region
  int singles; // how many `single's have found who does them
};

struct Member {
  Team *team;
  int number;
  int phase, singles;
  uint64_t random;
};
static thread_local Member *self;

static uint64_t next(uint64_t *state) { // xorshift64*
  uint64_t x = *state ? *state : 1;
  x ^= x >> 12;
  x ^= x << 25;
  x ^= x >> 27;
  *state = x;
  return x * 0x2545F4914F6CDD1Dull;
}

static int64_t microseconds() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

// ---- whose turn it is ----

// How many of its team the thread lets go ahead in this phase.
static int place_in(const Team &t, int number, int phase) {
  uint64_t state = t.seed * 0x9E3779B97F4A7C15ull + (uint64_t)phase * 0xD1B54A32D192ED03ull + 1;
  next(&state);
  const int order = (int)(next(&state) >> 33) % ORDERS, late = (int)(next(&state) >> 33) % t.size;
  int place[MOST];
  switch (order) {
    case ASCENDING: return number;
    case DESCENDING: return t.size - 1 - number;
    case ONE_LATE: return number == late ? t.size - 1 : 0;
    case SHUFFLED:
      for (int i = 0; i < t.size; i++) {
        const int k = (int)(next(&state) >> 33) % (i + 1);
        place[i] = place[k];
        place[k] = i;
      }
      return place[number];
    default: return -1;
  }
}

static void spin(int64_t until) {
  while (microseconds() < until) sched_yield();
}

// Looks at `turns' in a way that nothing else in the process takes for order.
static void wait_for_turn(Member *m) {
  const int place = place_in(*m->team, m->number, m->phase);
  const int64_t begun = microseconds();
  if (place < 0) return spin(begun + (int64_t)(next(&m->random) >> 33) % 40);
  const int before = m->phase * m->team->size + place;
  while (__atomic_load_n(&m->team->turns, __ATOMIC_RELAXED) < before && microseconds() - begun < PATIENCE) sched_yield();
}

static void end_phase(Member *m) {
  __atomic_fetch_add(&m->team->turns, 1, __ATOMIC_RELAXED);
  m->phase++;
}

void dawdle() {
  if (self && next(&self->random) >> 62 == 0) spin(microseconds() + (int64_t)(next(&self->random) >> 33) % 20);
}

// ---- teams ----

static void take_part(Member *m) {
  self = m;
  wait_for_turn(m);
  m->team->body(m->team->context);
  end_phase(m);
  self = nullptr;
}

static void *begin(void *member) {
  take_part((Member *)member);
  return nullptr;
}

void parallel(int asked, void (*body)(void *), void *context) {
  static uint64_t regions;
  int size = asked > 0 ? asked : options.most;
  if (options.granted > 0 && size > options.granted) size = options.granted;
  if (size > MOST) size = MOST;
  if (self || size < 1) size = 1;
  Team t = {size, body, context, options.seed * 1000003 + regions++, {}, 0, 0};
  Member *const outer = self, members[MOST] = {};
  pthread_t threads[MOST];
  pthread_barrier_init(&t.barrier, nullptr, (unsigned)size);
  for (int i = 0; i < size; i++) members[i] = {&t, i, 0, 0, t.seed * 8191 + (uint64_t)i};
  for (int i = 1; i < size; i++)
    if (pthread_create(&threads[i], nullptr, begin, &members[i])) abort();
  take_part(&members[0]);
  for (int i = 1; i < size; i++) pthread_join(threads[i], nullptr);
  pthread_barrier_destroy(&t.barrier);
  self = outer;
}

int number() { return self ? self->number : 0; }
int threads() { return self ? self->team->size : 1; }
bool in_team() { return self && self->team->size > 1; }

void barrier() {
  if (!self) return;
  end_phase(self);
  pthread_barrier_wait(&self->team->barrier);
  wait_for_turn(self);
}

bool first_here() {
  if (!self) return true;
  int mine = self->singles++;
  return __atomic_compare_exchange_n(&self->team->singles, &mine, mine + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

// ---- locks ----

// None is made while threads run: what the sanitizer sees of that, nothing that it sees would order.
enum { MOST_LOCKS = 4096 };
static pthread_mutex_t locks[MOST_LOCKS]; // zeros are PTHREAD_MUTEX_INITIALIZER
static int taken;

void lock(void **name) {
  void *m = __atomic_load_n(name, __ATOMIC_ACQUIRE);
  if (!m) {
    const int next = __atomic_fetch_add(&taken, 1, __ATOMIC_RELAXED);
    if (next >= MOST_LOCKS) abort();
    if (__atomic_compare_exchange_n(name, &m, (void *)&locks[next], false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      m = &locks[next];
  }
  dawdle();
  pthread_mutex_lock((pthread_mutex_t *)m);
}

void unlock(void **name) { pthread_mutex_unlock((pthread_mutex_t *)*name); }

} // namespace openmp

// ---- what programs call themselves ----

extern "C" int omp_get_thread_num(void) { return openmp::number(); }
extern "C" int omp_get_num_threads(void) { return openmp::threads(); }
extern "C" int omp_get_max_threads(void) { return openmp::options.most; }
extern "C" int omp_get_num_procs(void) { return openmp::options.processors; }
extern "C" int omp_in_parallel(void) { return openmp::in_team(); }
