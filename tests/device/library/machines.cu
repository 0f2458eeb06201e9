// The machine whose kernels serve the current device: the newest that is not newer; the library has two, 8.0 and 9.0.
//
// mutant: of the same age: compute[newest + 1] <= 10 => compute[newest + 1] < 10
// mutant: not remembered: store(newest + 1 => store(0
// mutant: no reason: return why_of = error; => return error;
#include "device_test.h"

#include <stdlib.h>

#include "machines.h"

int main() {
  int machine = 7;
  setenv("TGC_SIMT_COMPUTE", "75", 1);
  if (pick(&machine) != cudaErrorNoKernelImageForDevice || why_of != cudaErrorNoKernelImageForDevice) return 1;
  setenv("TGC_SIMT_COMPUTE", "80", 1);
  if (pick(&machine) != cudaSuccess || machine != 0 || called != 0 || why_of != cudaSuccess) return 1;
  return found[0] == 1 && pick(&machine) == cudaSuccess && machine == 0 ? 0 : 1;
}
