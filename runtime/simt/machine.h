// machine.h: the executor's state, which its parts share. Not for kernels or harnesses.
#ifndef TGC_SIMT_MACHINE_H
#define TGC_SIMT_MACHINE_H

#include <map>
#include <memory>

#include "fiber.h"
#include "simt.h"

namespace simt {

constexpr unsigned warp_lanes = 32, max_lanes = 1024, max_warps = max_lanes / warp_lanes, max_cluster = 8;
constexpr unsigned most_begun = 4;  // blocks that run by turns, where they are no cluster

// Time is a count of synchronisations: what one orders before another carries a smaller time.
typedef uint32_t Time;

enum State { FRESH, RUNNABLE, AT_WARP, AT_BARRIER, AT_CLUSTER, EXITED };

struct Block;

// Of a cooperative launch: accesses of a block before the time `all', and those of one lane before `one', come before.
struct Known {
  Time all = 0, one = 0;
  unsigned lane = 0;
};
struct Clock {
  Known block[most_begun];
};

struct LateCopy { Copy copy; unsigned group; };
struct LatePanel { PanelCopy copy; std::vector<Time> after; }; // after: what the lane knows that asks for it, as Lane.panels
struct LateProduct { GroupProduct product; unsigned group; };

// A buffer of panels: how many of these are complete, and of the next one the copies that are made, and are not.
struct Panel {
  unsigned complete = 0;
  int made = 0;
  std::vector<LatePanel> late;
  unsigned freed = 0;  // how many times all warps have freed it
  int left = 0;        // .. of the next time, so many have
  std::vector<Time> filled, read; // by lane of the block: its accesses before that time come before what who waits for
                                  // the panel, or for room, does then
};
constexpr unsigned most_panels = 8;

// Where a group of four warps meets: lanes that have come, how often all had, what they know.
struct Meeting {
  unsigned come = 0, times = 0;
  bool unfenced = false;  // a lane came without a fence of its copies
  std::vector<Time> known;
};
constexpr unsigned group_lanes = 128, most_groups = 8;

struct Lane : Position {
  Fiber fiber;
  State state;
  Block *block;
  unsigned number;  // in its block
  unsigned lane;    // in its warp
  int line;         // of its last synchronisation or atomic
  bool early;       // has not waited for the grids ahead
  bool acquired;    // knows of what other blocks released
  int result;       // of the barrier it waited at
  bool arrived;         // at the cluster's barrier, and has not waited there
  unsigned phase;       // .. when so many phases of it were complete
  unsigned seen;        // the phase that it, or a lane that it has met since, waited for; 0: none
  Time released;        // at its last arrival that was not relaxed; 0: none
  std::vector<LateCopy> copies;  // that it has still to make
  unsigned groups;               // of copies that it has closed
  bool unfenced;                 // made some that a matrix unit may not see
  bool opened;                   // may multiply with a group
  std::vector<LateProduct> products;
  std::vector<Delivery> deliveries;
  unsigned product_groups;
  std::vector<Time> panels;  // by lane of the block: its accesses before that time come before this one's; empty: none
  Clock known, heard, fenced;       // of a cooperative launch: what it knows, will know behind a fence, knew at one
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

// A shared variable of the kernel.
struct Variable {
  uintptr_t begin, end;
  size_t offset;  // of its first byte among the bytes of all, which are set apart
  std::string name;
};
constexpr size_t variable_gap = 64;  // between two of them there

// What is known of one 4-byte word.
struct Touch {
  uint32_t lane;   // of the grid
  Time time;       // 0: none
  uint32_t at;     // address in the kernel, from the executable's start
  uint8_t bytes;   // which of the word's four
  uint8_t how;     // Access
};
struct Cell {
  Touch write, read, other_read;
  Time born;        // shared memory: when the block began that these belong to
  uint8_t written;  // which bytes ever were
};

// An access to the shared memory of another block.
struct Remote {
  uint32_t lane;   // of the grid
  Time time;
  uint32_t at;
};

// A block that has begun.
struct Block {
  Lane lane[max_lanes];
  Warp warp[max_warps];
  Lane *ready[max_lanes];
  unsigned ready_count, waiting, exited;
  Barrier barrier_kind;
  int barrier_line, barrier_sum;
  Time born, barrier_time;
  uint32_t number;            // linear, in the grid
  unsigned rank;              // in its cluster
  unsigned slot;              // in Machine.blocks
  uint3 index;
  bool acquired;              // one of its lanes has acquired
  std::vector<Cell> cells;    // of its shared variables, one after the other
  std::vector<Remote> remote; // of other blocks, to its shared memory
  Panel panels[most_panels];
  Meeting meetings[most_groups];
  int copies_of_panel = 0;    // 0: there are no panels
  int warps_of_panel = 0;     // .. that free each
  bool unfenced;              // a lane came to its last barrier without a fence of its copies
};

struct Machine {
  std::unique_ptr<Block> blocks[max_cluster]; // of the cluster that runs, or those that have begun
  Block *block = nullptr;                     // the one that does
  unsigned lanes = 0;                         // of every block
  Lane *running = nullptr;
  bool aborted = false;
  bool together = false;  // all blocks have begun, and may wait for one another
  bool early = false;  // the grid may begin before the one ahead has ended
  unsigned fruitless = 0;  // looks at memory, one after the other, since something last changed

  unsigned phases = 0;  // of the cluster's barrier that are complete
  // By lane of the cluster, for the last phase and the one before: its accesses before that time are released.
  std::vector<Time> phase_released[2];

  Time now = 1, launch_time = 0;
  std::vector<Time> published;       // by lane of the grid: its accesses before that time are released;
                                     // empty: no fence yet
  std::vector<Time> block_published; // by block: accesses of all its lanes before that time are
  uint64_t random = 1;

  void (*run)(void *) = nullptr;
  void *context = nullptr;
  const void *kernel = nullptr;
  const std::vector<Variable> *variables = nullptr;  // its shared ones
  std::map<const void *, size_t> allowed; // by kernel: bytes of shared memory that a launch may ask for
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

inline Warp &warp_of(const Lane &l) { return l.block->warp[l.number / warp_lanes]; }
inline uint32_t grid_number(unsigned lane) { return machine.block->number * machine.lanes + lane; }

// ---- launch.cc ----
unsigned blocks_at_once();  // of a cooperative launch
void make_ready(Lane *l);
void give_way();  // suspends the running lane until it is ready and chosen again
void step_aside();  // .. though it is ready: a lane of any block that has begun, or of one that begins now
// The running lane looks at memory and changes nothing: others may have to. Reports a wait that cannot end.
void look_again(const void *place, uintptr_t at);

// ---- groups.cc ----
void panels_end(const Block *b);  // it has ended

// ---- cluster.cc ----
void cluster_begin_launch(unsigned blocks);
void cluster_begin();            // another cluster's blocks
void cluster_enter(Block *b);    // that block's turn: its shared memory is where the kernel's text has it
void cluster_suspend(Block *b);  // .. no more
bool cluster_make_room();        // for several blocks that are no cluster; false: it had been made
void cluster_poison(const Block *b);  // its shared memory, where it has been set apart
void cluster_leave(Lane *l);     // it exits
// Does the running lane know, by barriers of the cluster, of what a lane of the cluster did at that time?
bool cluster_orders(uint32_t lane, Time time);
// Whose shared memory is it that stands aside there, and where in it? nullptr: nobody's.
Block *cluster_block_at(uintptr_t place, size_t *offset);

// ---- together.cc ----
void together_begin();                   // a launch
void together_begin_lane(Lane *l);
void together_fence();                   // of the running lane
void together_atomic(const void *place);
void together_barrier(Block *b);         // all of its lanes are there
bool together_orders(uint32_t lane, Time time);  // does the running one know of what another block's did?

// ---- report.cc ----
extern const uintptr_t image_begin;  // of the executable, or of the shared library that this is in
void report(Fault f, uintptr_t at, uintptr_t before, const char *format, ...) __attribute__((format(printf, 4, 5)));
const std::vector<Variable> &shared_variables(const void *kernel);  // of that kernel, ascending
std::string kernel_name(const void *kernel);

// ---- shadow.cc ----
void shadow_begin_launch();
void shadow_begin_block(Block *b);
void shadow_end_block(Block *b);
void shadow_forget_times();
void publish();  // at a device atomic: what its lane fenced is released; and it acquires

// ---- memory.cc ----
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
