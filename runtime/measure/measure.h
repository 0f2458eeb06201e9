// measure.h: what the parts of the measuring process for GPUs share.
//
//   measure.cu     requests, and how calls are timed
//   what is called with: one of
//   reduction.cu   in, n and out; with numbers.cu or folder.cu: an element type, its data, its expected results
//   arrays.cu      operands of any sort (arrays.h)
#ifndef MEASURE_MEASURE_H
#define MEASURE_MEASURE_H

#include <cuda_runtime.h>

#include <cstdint>
#include <functional>
#include <string>

#include "failure.h"

static inline void must(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  cudaGetLastError();
  throw Failure{"launch", std::string(what) + ": " + cudaGetErrorString(error)};
}
#define CHECK(call) must(call, #call)

struct Request {
  std::string object, function, type, op, modes;
  std::string calls; // which conditions of a table's rows they meet (arrays.h)
  Configuration configuration;
  uint64_t n, count; // elements; or of each of so many rows or segments
  double budget;
};

// Operands in device memory, in as many places as there have to be for calls to find them out of the L2.
class Subject {
public:
  virtual ~Subject() {}
  virtual uint64_t places() const = 0;
  virtual cudaError_t call(void *function, const Configuration &c, void *workspace, size_t *workspace_bytes,
                           uint64_t place, cudaStream_t stream) = 0;
  // Before a call in the first place: what is written is as it was. After it: what differs from the reference, or "".
  virtual void reset(cudaStream_t stream) = 0;
  virtual std::string difference(cudaStream_t stream) = 0;
};
// Those of a request, which the next call of this may take back. Prints what the asker has to know: data are made.
Subject &subject_of(const Request &r, size_t l2_bytes);

// ---- of reductions ----

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
