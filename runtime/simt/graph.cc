// graph.cc: streams that capture, and their events. What is queued while a stream captures is kept, and done each time that
// the graph is launched; an event has happened when it is recorded, and none is part of a graph.
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "machine.h"
#include "work.h"

struct CUstream_st {
  CUgraph_st *into = nullptr; // what it captures so far; NULL: it does not capture
};
struct CUevent_st {
  bool recorded = false;
  std::chrono::steady_clock::time_point at;
};
struct CUgraph_st {
  std::vector<std::shared_ptr<simt::Work>> work;
};
struct CUgraphExec_st : CUgraph_st {};
struct CUgraphNode_st {};

namespace simt {

static int captures = 0; // streams that do, the first one into a graph of its own

static cudaError_t run_all(const CUgraph_st &graph) {
  for (const auto &each : graph.work) {
    const cudaError_t error = each->run();
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

// Conditions, each with what it is at first: a handle is a number of them, from 1 on.
struct Condition {
  unsigned value, at_first;
};
static std::vector<Condition> conditions;

void set_condition(cudaGraphConditionalHandle handle, unsigned value) { conditions[handle - 1].value = value; }

// A node: its graph, again and again. The word is what it is at first each time that the graph around is launched.
struct Repeated : Work {
  CUgraph_st body, *out = &body;
  CUgraphNode_st node;
  cudaGraphConditionalHandle handle;
  cudaError_t run() override {
    conditions[handle - 1].value = conditions[handle - 1].at_first;
    cudaError_t error = cudaSuccess;
    while (error == cudaSuccess && conditions[handle - 1].value) error = run_all(body);
    return error;
  }
};

cudaError_t do_or_capture(cudaStream_t stream, Work *work) {
  std::shared_ptr<Work> own(work);
  if (!stream || !stream->into) return own->run();
  stream->into->work.push_back(std::move(own));
  return cudaSuccess;
}

} // namespace simt

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t *stream) { return *stream = new CUstream_st, cudaSuccess; }
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return delete stream, cudaSuccess; }

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  if (!stream || simt::captures) return cudaErrorStreamCaptureUnsupported;
  stream->into = new CUgraph_st;
  simt::captures++;
  return cudaSuccess;
}
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *,
                                          const cudaGraphEdgeData *, size_t, cudaStreamCaptureMode) {
  if (!stream || stream->into || !simt::captures) return cudaErrorStreamCaptureUnsupported;
  stream->into = graph;
  simt::captures++;
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
  if (!stream || !stream->into) return cudaErrorIllegalState;
  *graph = std::exchange(stream->into, nullptr);
  simt::captures--;
  return cudaSuccess;
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *status, unsigned long long *,
                                     cudaGraph_t *graph, const cudaGraphNode_t **before, const cudaGraphEdgeData **edges,
                                     size_t *many) {
  if (graph) *graph = stream ? stream->into : nullptr;
  if (before) *before = nullptr;
  if (edges) *edges = nullptr;
  if (many) *many = 0;
  return cudaStreamIsCapturing(stream, status);
}
// Work is done in the order in which it was captured, nodes in that in which they were added.
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *, const cudaGraphEdgeData *, size_t,
                                                unsigned) {
  return stream && stream->into ? cudaSuccess : cudaErrorIllegalState;
}
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t, unsigned value, unsigned) {
  simt::conditions.push_back({value, value});
  *handle = simt::conditions.size();
  return cudaSuccess;
}
cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *, const cudaGraphEdgeData *,
                             size_t, cudaGraphNodeParams *params) {
  if (!graph || params->type != cudaGraphNodeTypeConditional) return cudaErrorInvalidValue;
  auto made = std::make_shared<simt::Repeated>();
  made->handle = params->conditional.handle;
  params->conditional.phGraph_out = &made->out;
  *node = &made->node;
  graph->work.push_back(std::move(made));
  return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status) {
  *status = stream && stream->into ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
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
  if (stream && stream->into) return cudaErrorStreamCaptureUnsupported;
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
  return stream && stream->into ? cudaSuccess : cudaFree(place);
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long) {
  *exec = new CUgraphExec_st{*graph};
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t) { return simt::run_all(*exec); }
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) { return delete exec, cudaSuccess; }
cudaError_t cudaGraphDestroy(cudaGraph_t graph) { return delete graph, cudaSuccess; }

} // extern "C"
