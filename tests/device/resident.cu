// Blocks that share a multiprocessor: bounded by lanes, by their tiles' registers, by all registers; never none.
//
// variant: -DBY_REGISTERS=0
// variant: -DBY_REGISTERS=1
// mutant: lanes alone: THREADS / threads ? ROWS / rows => THREADS / threads ? THREADS / threads
// mutant: too many tiles: if (blocks > ROWS / rows) => if (false)
// mutant: too many registers: if (blocks > REGISTERS / (threads * registers)) => if (false)
// mutant: none: return blocks > 1 ? blocks : 1 => return blocks
// mutant: none of large tiles: return rows > ROWS ? 1 : => return
#include "device_test.h"

#include "resident.cuh"

__global__ void ask(int threads, int rows, int *out) {
#if BY_REGISTERS
  *out = resident(threads, rows, rows / threads + 32);
#else
  *out = resident(threads, rows);
#endif
}

static int asked(int threads, int rows) {
  int *out = zeroed<int>(1);
  return launched(ask, 1, 1, threads, rows, out) ? *out : -1;
}

int main() {
  return each_seed([] {
    if (BY_REGISTERS)
      return asked(256, 256) == 7 && asked(1024, 10240) == 1 && asked(256, 3000) == 3 && asked(128, 20000) == 1 &&
             asked(32, 32) == 32;
    return asked(256, 256) == 8 && asked(256, 3000) == 3 && asked(128, 20000) == 1 && asked(1024, 4096) == 2;
  });
}
