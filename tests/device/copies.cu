// Panels go to one of three buffers by turns, two ahead of the one that is added up; the last ones do not exist, and are zeros.
//
// mutant: nobody waits: asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory");\n#else\n  simt::await_copies(groups); => #else
// mutant: no groups: #else\n  simt::close_copies(); => #else
// mutant: what does not exist is copied: simt::copy_ahead(to, from, many, exist) => simt::copy_ahead(to, from, many, true)
// mutant: one of several: simt::copy_ahead(to, from, many, exist) => simt::copy_ahead(to, from, 1, exist)
#include "device_test.h"

#include "copies.cuh"

enum { STAGES = 3, PANEL = 64 };

__global__ void sums(const int *from, int panels, int *to) {
  __shared__ __align__(16) int buffer[STAGES * PANEL];
  const int lane = threadIdx.x;
  const auto ahead = [&](int panel) {
    copy_ahead<2>(&buffer[panel % STAGES * PANEL + 2 * lane], &from[panel * PANEL + 2 * lane], panel < panels);
    close_copies();
  };
  for (int panel = 0; panel < STAGES - 1; panel++) ahead(panel);
  int sum = 0;
  for (int panel = 0; panel < panels + 1; panel++) { // one of zeros
    await_copies<STAGES - 2>();
    __syncthreads();
    ahead(panel + STAGES - 1);
    sum += buffer[panel % STAGES * PANEL + 63 - lane] + buffer[panel % STAGES * PANEL + 31 - lane];
  }
  to[lane] = sum;
}

int main() {
  return each_seed([] {
    for (int panels : {1, 2, 3, 7}) {
      int *from = zeroed<int>((size_t)panels * PANEL), *to = zeroed<int>(32);
      for (int i = 0; i < panels * PANEL; i++) from[i] = i * i;
      if (!launched(sums, 1, 32, (const int *)from, panels, to)) return false;
      for (int lane = 0; lane < 32; lane++) {
        int sum = 0;
        for (int p = 0; p < panels; p++) sum += from[p * PANEL + 63 - lane] + from[p * PANEL + 31 - lane];
        if (to[lane] != sum) return false;
      }
    }
    return true;
  });
}
