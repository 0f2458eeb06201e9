// measure.h: what the parts of the measuring process share: an element type, its data, its expected results.
#ifndef MEASURE_MEASURE_H
#define MEASURE_MEASURE_H

#include <cuda_runtime.h>

#include <cstdint>
#include <functional>
#include <string>

struct Failure { std::string kind, text; };

static inline void must(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  cudaGetLastError();
  throw Failure{"launch", std::string(what) + ": " + cudaGetErrorString(error)};
}
#define CHECK(call) must(call, #call)

enum { MOST_RESULT = 32 }; // bytes of a result

struct AnyType {
  const char *name;
  size_t element, result; // bytes
  std::function<void(void *to, uint64_t n)> make; // n elements in device memory, always the same
  // What differs between a result and that of the first n of them, or "".
  std::function<std::string(const std::string &op, uint64_t n, const void *got)> compare;
};

// NULL: there is no such type.
const AnyType *find_type(const std::string &name, const std::string &op);

#endif
