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

#include <string>
#include <vector>

#include "kernels.h"

namespace simt {

// A struct's size, and bits of its bytes that no member has.
struct Padded {
  unsigned bytes;
  uint64_t padding;
};

struct Options {
  uint64_t seed = 1;
  bool shuffled = true;  // blocks and lanes in random order; else ascending
  bool by_turns = true;  // blocks that are no cluster may run by turns: needs to know all shared variables (clang)
  bool hooked = true;    // kernels were compiled with hooks; else shared memory is poisoned instead of watched
  unsigned max_reports = 8;
  // Kernels exchange structs: in arrays of their own, and in device memory from `structs_from' of a region on. Where
  // they are copied, what lies between their members is read too, and was never written.
  std::vector<Padded> structs;
  unsigned structs_from = 0;
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
