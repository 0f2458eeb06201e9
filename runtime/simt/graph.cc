// graph.cc: streams that capture, and their events. What is queued while a stream captures is kept, and done each time that
// the graph is launched; an event has happened when it is recorded, and none is part of a graph.
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "machine.h"
#include "work.h"

struct CUstream_st {
  bool capturing = false;
};
struct CUevent_st {
  bool recorded = false;
  std::chrono::steady_clock::time_point at;
};
struct CUgraph_st {
  std::vector<std::shared_ptr<simt::Work>> work;
};
struct CUgraphExec_st : CUgraph_st {};

namespace simt {

static CUgraph_st *captured = nullptr; // what a stream has captured so far

cudaError_t do_or_capture(cudaStream_t stream, Work *work) {
  std::shared_ptr<Work> own(work);
  if (!stream || !stream->capturing) return own->run();
  captured->work.push_back(std::move(own));
  return cudaSuccess;
}

} // namespace simt

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t *stream) { return *stream = new CUstream_st, cudaSuccess; }
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return delete stream, cudaSuccess; }

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  if (!stream || simt::captured) return cudaErrorStreamCaptureUnsupported;
  simt::captured = new CUgraph_st;
  stream->capturing = true;
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
  if (!stream || !stream->capturing) return cudaErrorIllegalState;
  stream->capturing = false;
  *graph = std::exchange(simt::captured, nullptr);
  return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status) {
  *status = stream && stream->capturing ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *mode) {
  static thread_local cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
  std::swap(current, *mode);
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event) { return *event = new CUevent_st, cudaSuccess; }
cudaError_t cudaEventDestroy(cudaEvent_t event) { return delete event, cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (stream && stream->capturing) return cudaErrorStreamCaptureUnsupported;
  event->recorded = true;
  event->at = std::chrono::steady_clock::now();
  return cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to) {
  if (!from->recorded || !to->recorded) return cudaErrorInvalidValue;
  *ms = std::chrono::duration<float, std::milli>(to->at - from->at).count();
  return cudaSuccess;
}

// What a graph took from the pool while it was captured is its own at each launch: it stays.
cudaError_t cudaFreeAsync(void *place, cudaStream_t stream) {
  return stream && stream->capturing ? cudaSuccess : cudaFree(place);
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long) {
  *exec = new CUgraphExec_st{*graph};
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t) {
  for (const auto &each : exec->work) {
    const cudaError_t error = each->run();
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) { return delete exec, cudaSuccess; }
cudaError_t cudaGraphDestroy(cudaGraph_t graph) { return delete graph, cudaSuccess; }

} // extern "C"
