// simt.h: runs CUDA kernels on the CPU, a fiber a thread, and watches what they do.
//
// A launch runs its blocks one after the other, in an order drawn from a seed, those of one cluster together, and a few
// by turns where one does an atomic on global memory; within a block the lanes take turns, and give way at barriers,
// warp collectives and some atomics. With a kernel compiled with -fsanitize=thread, and linked with hooks.cc in place
// of the sanitizer's library, every load and store is checked: bounds, races (shared memory and global), values never
// written, missing fences. What is wrong becomes a Report; nothing is printed.
//
// One launch at a time, on one thread of the process: the state is global (machine.h).
#ifndef TGC_SIMT_SIMT_H
#define TGC_SIMT_SIMT_H

#include <stddef.h>
#include <stdint.h>

#include <functional>
#include <string>
#include <vector>

struct uint3 {
  unsigned x, y, z;
};
namespace simt {
// What a load or a store of 16 bytes calls before it touches memory: that lies at a multiple of as many.
void before_wide(const void *place);
} // namespace simt

// 16 bytes, as one load or store takes them.
struct alignas(16) uint4 {
  unsigned x, y, z, w;
  uint4() = default;
  uint4(const uint4 &) = default;
  uint4 &operator=(const uint4 &from) {
    simt::before_wide(this);
    simt::before_wide(&from);
    x = from.x, y = from.y, z = from.z, w = from.w;
    return *this;
  }
};
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};

namespace simt {

// ---- what kernels see (include/cuda_runtime.h) ----

// The lane that runs, its part that kernels read; nullptr outside launches.
struct Position {
  uint3 index;
};
extern Position *current;
extern uint3 block_index;
extern dim3 block_size, grid_size;
extern unsigned block_rank, cluster_blocks; // the block's number in its cluster, and how many are in one

enum Collective { SHUFFLE, SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_XOR, BALLOT, REDUCE_ADD, REDUCE_MAX, REDUCE_MIN,
                 REDUCE_AND, REDUCE_OR, REDUCE_XOR, SYNC_WARP };
enum Barrier { BARRIER, BARRIER_COUNT, BARRIER_AND, BARRIER_OR };
enum Access { READ, WRITE, ATOMIC_BLOCK, ATOMIC_DEVICE };

// Each waits for the others that it names, and compares their call sites with its own.
uint64_t collective(Collective op, unsigned mask, uint64_t value, unsigned argument, unsigned width, int line);
int barrier(Barrier kind, int predicate, int line);
// A cluster's barrier, in halves: says that the calling lane has come, and, unless it is relaxed, that what it did
// comes before what others do behind it; waits until all lanes of the cluster have come that have not exited.
void cluster_arrive(bool relaxed, int line);
void cluster_wait(int line);
// The place in the shared memory of the cluster's block number `rank' that `place' is in the calling lane's own.
void *in_block(const void *place, unsigned rank, int line);
// Orders the calling lane's accesses, and those it has seen, before its next atomic.
void fence();

// Runs run(context) once a lane of every block. `kernel` names the kernel in reports and finds its shared variables.
// False when the configuration is impossible or something was reported.
// `early': the grid may begin before the one ahead has ended, so no lane may touch global memory before after_grids().
// `cluster': so many blocks at a time, neighbours in x, are a cluster.
bool launch(const void *kernel, dim3 grid, dim3 block, size_t shared_bytes, void (*run)(void *), void *context,
            bool early = false, dim3 cluster = dim3());

// The calling lane waits for the grids ahead.
void after_grids();

// What the hooks and the atomics call before they touch memory; `caller` is an address in the kernel, or nullptr.
void before_access(const void *place, size_t bytes, Access how, const void *caller, int line);

// ---- what harnesses use ----

struct Options {
  uint64_t seed = 1;
  bool shuffled = true;  // blocks and lanes in random order; else ascending
  bool by_turns = true;  // blocks that are no cluster may run by turns: needs to know all shared variables (clang)
  bool hooked = true;    // kernels were compiled with hooks; else shared memory is poisoned instead of watched
  unsigned max_reports = 8;
  // Kernels exchange structs of so many bytes: in arrays of their own, and in device memory from `structs_from' of a
  // region on. Where they are copied, what lies between their members is read too, and was never written: bits of the
  // bytes that no member has.
  unsigned struct_bytes = 0, structs_from = 0;
  uint64_t padding = 0;
  bool (*refuses)() = nullptr; // asked before each launch: true fails it, and nothing runs
};
extern Options options;

enum Fault { RACE, BOUNDS, UNINITIALISED, FENCE, DIVERGENCE, MASK, DEADLOCK, LAUNCH, EARLY, CLUSTER, ALIGNMENT };
const char *fault_name(Fault f);  // "race"

struct Report {
  Fault fault;
  std::string text;     // without places
  uintptr_t at[2];      // addresses in the kernel of this access and of the earlier one, or their lines; 0: unknown
  int line;             // of the last barrier, collective or atomic before it; 0: none
  std::string kernel;   // demangled
  int count;            // how often it came
};
extern std::vector<Report> reports;

// The report as one line, its addresses turned into file:line by llvm-symbolizer or addr2line where there is one.
std::string describe(const Report &r);

// Device memory: exactly `bytes`, starting `offset` bytes past a 256-byte boundary, red zones around it, unwritten.
// nullptr when the arena is full.
void *place(size_t bytes, size_t offset);
// From here on the region that starts at `place` is only read: a write is out of bounds; reads cost next to nothing.
void freeze(void *place);
// Forgets that the region was written, and poisons it.
void poison(void *place);
// Gives back every region.
void release_all();

} // namespace simt

#endif
