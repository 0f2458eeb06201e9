// machine.h: the executor's state, which its parts share. Not for kernels or harnesses.
#ifndef TGC_SIMT_MACHINE_H
#define TGC_SIMT_MACHINE_H

#include "fiber.h"
#include "simt.h"

namespace simt {

constexpr unsigned warp_lanes = 32, max_lanes = 1024, max_warps = max_lanes / warp_lanes;

// Time is a count of synchronisations: what one orders before another carries a smaller time.
typedef uint32_t Time;

enum State { FRESH, RUNNABLE, AT_WARP, AT_BARRIER, EXITED };

struct Lane : Position {
  Fiber fiber;
  State state;
  unsigned number;  // in its block
  unsigned lane;    // in its warp
  int line;         // of its last synchronisation or atomic
  bool early;       // has not waited for the grids ahead
  bool acquired;    // knows of what other blocks released
  int result;       // of the barrier it waited at
  Time fence_barrier;               // the last barrier before its last fence,
  Time fence_seen[warp_lanes];      // and what it had seen of its warp then; 0: no fence yet
};

struct Warp {
  struct Call {
    Collective op;
    int line;
    unsigned mask, argument, width;
    uint64_t value, result;
  };
  unsigned present, waiting, exited;
  Call call[warp_lanes];
  Time seen[warp_lanes][warp_lanes];  // [i][j]: what j did before that time comes before what i does now
  bool synced;                        // `seen` is not all zero
};

struct Machine {
  Lane lane[max_lanes];
  Warp warp[max_warps];
  Lane *ready[max_lanes];
  unsigned ready_count = 0, lanes = 0, waiting = 0, exited = 0;
  Lane *running = nullptr;
  bool aborted = false;
  bool early = false;  // the grid may begin before the one ahead has ended

  Barrier barrier_kind = BARRIER;
  int barrier_line = 0, barrier_sum = 0;

  Time now = 1, launch_time = 0, block_time = 0, barrier_time = 0;
  uint32_t block = 0;                // linear number of the block that runs
  bool block_acquired = false;       // one of its lanes has acquired
  std::vector<Time> published;       // by lane of the grid: its accesses before that time are released;
                                     // empty: no fence yet
  std::vector<Time> block_published; // by block: accesses of all its lanes before that time are
  uint64_t random = 1;

  void (*run)(void *) = nullptr;
  void *context = nullptr;
  const void *kernel = nullptr;
};
extern Machine machine;

inline uint32_t random32() {
  uint64_t &r = machine.random;
  r ^= r << 13;
  r ^= r >> 7;
  r ^= r << 17;
  return (uint32_t)(r >> 32);
}
inline unsigned random_below(unsigned n) { return (unsigned)(((uint64_t)random32() * n) >> 32); }

inline Warp &warp_of(const Lane &l) { return machine.warp[l.number / warp_lanes]; }
inline uint32_t grid_number(unsigned lane) { return machine.block * machine.lanes + lane; }

// ---- launch.cc ----
void make_ready(Lane *l);
void give_way();  // suspends the running lane until it is ready and chosen again

// ---- report.cc ----
void report(Fault f, uintptr_t at, uintptr_t before, const char *format, ...) __attribute__((format(printf, 4, 5)));
struct Variable {
  uintptr_t begin, end;
  std::string name;
};
const std::vector<Variable> &shared_variables(const void *kernel);  // of that kernel, ascending
std::string kernel_name(const void *kernel);

// ---- shadow.cc ----
void shadow_begin_launch();
void shadow_forget_times();
void publish();  // at a device atomic: what its lane fenced is released; and it acquires

// ---- memory.cc ----
struct Touch {
  uint32_t lane;   // of the grid
  Time time;       // 0: none
  uint32_t at;     // address in the kernel, from the executable's start
  uint8_t bytes;   // which of the word's four
  uint8_t how;     // Access
};
// What is known of one 4-byte word.
struct Cell {
  Touch write, read, other_read;
  Time born;        // shared memory: when the block began that these belong to
  uint8_t written;  // which bytes ever were
};
struct Region {
  uintptr_t begin, end;
  bool frozen, freed;
  std::vector<Cell> cells;
};
constexpr size_t arena_bytes = (size_t)1 << 31;
extern uintptr_t arena_begin;  // 0: none yet
inline bool in_arena(uintptr_t place) { return place - arena_begin < arena_bytes; }
Region *region_at(uintptr_t place);  // nullptr: in no region
const Region *region_near(uintptr_t place);  // the one whose bounds are nearest; nullptr: there is none
void forget_touches();                       // drops all times, keeps what was written

} // namespace simt

#endif
