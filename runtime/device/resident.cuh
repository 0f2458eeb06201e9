// resident.cuh: the occupancy, in blocks, of a kernel that keeps its tiles in registers while it waits.
//
//   BY_REGISTERS                 it is bounded by each lane's registers, too
//   KILOBYTES, ROWS              the registers that tiles may fill: in KB, and in rows of 16 bytes
//   THREADS, BLOCKS, REGISTERS   a multiprocessor's limits
#include "alone.cuh"
#ifndef BY_REGISTERS
#define BY_REGISTERS 1
#endif
#ifndef ROWS
#define KILOBYTES 160
#define ROWS 10240
#define THREADS 2048
#define BLOCKS 32
#define REGISTERS 65536
#endif
// ---- pasted from here on ----

// How many blocks share a multiprocessor's registers, of which they keep KILOBYTES KB while they wait for others. A row
#if BY_REGISTERS
// is 16 bytes. A lane works with `registers` of REGISTERS.
constexpr int resident(int threads, int rows, int registers) {
  int blocks = BLOCKS;
  if (blocks > THREADS / threads) blocks = THREADS / threads;
  if (blocks > ROWS / rows) blocks = ROWS / rows;
  if (blocks > REGISTERS / (threads * registers)) blocks = REGISTERS / (threads * registers);
  return blocks > 1 ? blocks : 1;
}
#else
// is 16 bytes.
constexpr int resident(int threads, int rows) {
  return rows > ROWS ? 1 : ROWS / rows < THREADS / threads ? ROWS / rows : THREADS / threads;
}
#endif
