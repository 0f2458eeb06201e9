/* counted.h: FUNCTION, whose number of elements lies in device memory. SIGNATURE: its parameters; IN, OUT: the
 * operands, cast to types of the namespace NAME(counted). */
#include "alone.h"
#include "errors.h"
namespace example_counted {
typedef cudaError_t (*float_function)(long long blocks, void *workspace, size_t *workspace_bytes, const float *in,
    const unsigned long long *count, long long n, float *out, cudaStream_t stream);
template <typename F> struct Range {
  uint64_t up_to;
  long long blocks;
  F run;
};
extern const Range<float_function> float_ranges[];
}
#ifndef FUNCTION
#define FUNCTION example_float_counted
#define SIGNATURE void *workspace, size_t *workspace_bytes, const float *in, const uint64_t *n, uint64_t most, float *out, \
                  cudaStream_t stream
#define IN in
#define OUT out
#endif
// ---- pasted from here on ----

extern "C" cudaError_t FUNCTION(SIGNATURE) {
  cudaError_t error = NAME(arguments)("FUNCTION", workspace, workspace_bytes, most, in, alignof(decltype(*in)), out,
                                  alignof(decltype(*out)));
  if (error == cudaSuccess && workspace != nullptr && (n == nullptr || (uintptr_t)n % sizeof *n != 0))
    error = NAME(failed)(cudaErrorInvalidValue, "FUNCTION: n, which points to the number of elements, is %s",
                     n == nullptr ? "NULL" : "not aligned to 8 bytes");
  if (error != cudaSuccess) return error;
  const NAME(counted)::Range<NAME(counted)::OF_TYPE(function)> *r = NAME(counted)::OF_TYPE(ranges);
  while (most > r->up_to) ++r;
  const unsigned long long *count = (const unsigned long long *)n;
  error = r->run(r->blocks, workspace, workspace_bytes, IN, count, (long long)most, OUT, stream);
  if (error == cudaSuccess) return error;
  size_t need = 0;
  if (r->run(r->blocks, nullptr, &need, IN, count, (long long)most, OUT, stream) != cudaSuccess) need = 0;
  return NAME(refused)("FUNCTION", error, most, workspace, *workspace_bytes, need);
}
