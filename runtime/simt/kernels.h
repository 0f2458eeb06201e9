// kernels.h: what kernels see of the executor (include/cuda_runtime.h): where a lane is, what it waits for, launches.
//
// Every unit of a check reads it, so it needs little of the standard library.
#ifndef TGC_SIMT_KERNELS_H
#define TGC_SIMT_KERNELS_H

#include <stddef.h>
#include <stdint.h>

struct uint3 {
  unsigned x, y, z;
};
namespace simt {
// What a load or a store of 16 or 8 bytes calls before it touches memory: that lies at a multiple of as many.
void before_wide(const void *place, unsigned bytes = 16);
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
// The same of 8 bytes.
struct alignas(8) uint2 {
  unsigned x, y;
  uint2() = default;
  uint2(const uint2 &) = default;
  uint2 &operator=(const uint2 &from) {
    simt::before_wide(this, 8);
    simt::before_wide(&from, 8);
    x = from.x, y = from.y;
    return *this;
  }
};
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};

namespace simt {

// The lane that runs, its part that kernels read; nullptr outside launches.
struct Position {
  uint3 index;
};
extern Position *current;
extern uint3 block_index;
extern dim3 block_size, grid_size;
extern unsigned block_rank, cluster_blocks; // the block's number in its cluster, and how many are in one

enum Collective { SHUFFLE, SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_XOR, BALLOT, REDUCE_ADD, REDUCE_MAX, REDUCE_MIN,
                 REDUCE_AND, REDUCE_OR, REDUCE_XOR, PRODUCT, SYNC_WARP };
enum Barrier { BARRIER, BARRIER_COUNT, BARRIER_AND, BARRIER_OR };
enum Access { READ, WRITE, ATOMIC_BLOCK, ATOMIC_DEVICE };

// PRODUCT: what a lane has of a matrix unit's operands, and who computes it once all lanes are there.
struct Product {
  void *c;
  const void *a, *b;
  void (*multiply)(const Product *const *lanes);
};

// A copy that the calling lane makes, from nullptr zeros: now, or as late as it may be.
struct Copy {
  void (*make)(void *to, const void *from, int many);
  void *to;
  const void *from;
  int many;
};
void copy_later(const Copy &c);
void close_copies();
// Makes all copies of this lane's but those of its last `groups' groups.
void await_copies(int groups);

// Copies of a panel to a buffer of shared memory, that the block's first lane asks for: groups.h.
// Of an array: lines of `length` elements, one every `apart` elements, of which boxes have so many; of so many matrices,
// one every `matrix_apart` elements.
struct Boxes {
  const void *from;
  int64_t length, lines, matrices, apart, matrix_apart;
  int of_box;
};
struct PanelCopy {
  void (*make)(const PanelCopy &);
  void *to;
  Boxes boxes;
  int64_t x, y, z;
  int length, lines, matrices;
};
void open_panels(int copies, int warps = 0);  // so many make a panel; so many free it
// Waits until panel `number' of those of the buffer can be copied there; this warp is done with the one that is there.
void await_room(int buffer, int number);
void free_panel(int buffer);
void copy_later(const PanelCopy &c, int buffer);
// Waits until panel `number' of those of the buffer is there, from 0 on.
void await_panel(int buffer, int number);
// This lane has copied to shared memory by stores; what it has may be multiplied behind the next barrier.
void note_copies();
void fence_copies();

// A box of shared memory that goes to memory, of so many lines, where it is stored, or added to what is there.
struct Delivery {
  void (*make)(const Delivery &);
  Boxes boxes;
  const void *from;
  int64_t x, y;
  int lines;
};
void deliver_later(const Delivery &d);
void await_reads(int boxes);  // until no more than so many of this lane's are still to be read
void meet_group(unsigned group);

// A lane's elements of a product of a group of warps.
struct GroupProduct {
  void (*make)(const GroupProduct &);
  void *c;
  const void *a, *b;
  int lines_a, lines_b, row, column;
  const unsigned *words[4]; // of A from registers: those of the lanes that have a row together
};
void open_products();
void multiply_later(const GroupProduct &p, int line);
void await_products(int groups);

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
// `together': a cooperative launch, whose blocks may wait for one another: blocks_at_once() at most.
bool launch(const void *kernel, dim3 grid, dim3 block, size_t shared_bytes, void (*run)(void *), void *context,
            bool early = false, dim3 cluster = dim3(), bool together = false);

// The calling lane waits for the grids ahead.
void after_grids();

// What the hooks and the atomics call before they touch memory; `caller` is an address in the kernel, or nullptr.
void before_access(const void *place, size_t bytes, Access how, const void *caller, int line);

} // namespace simt

#endif
