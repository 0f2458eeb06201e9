// work.h: what a stream is to do: at once, or each time that the graph is launched which captures it.
#ifndef TGC_SIMT_WORK_H
#define TGC_SIMT_WORK_H

#include "include/cuda_runtime_api.h"

namespace simt {

struct Work {
  virtual cudaError_t run() = 0;
  virtual ~Work() = default;
};

// Does the work, or keeps it while the stream captures; it is handed over (graph.cc).
cudaError_t do_or_capture(cudaStream_t stream, Work *work);

template <typename F>
struct Task : Work {
  F f;
  explicit Task(const F &from) : f(from) {}
  cudaError_t run() override { return f(); }
};
template <typename F>
cudaError_t do_or_capture(cudaStream_t stream, const F &f) {
  return do_or_capture(stream, static_cast<Work *>(new Task<F>(f)));
}

} // namespace simt

#endif
