// loops.cuh: loops of the host's that kernels end. In a stream the host launches iterations ahead, and asks now and then.
// While the stream is captured the loop becomes a node of the graph, which repeats one iteration: a conditional node.
//
//   ASK    asks_after, wait_and_ask, LoopNode
//   ENDED  wait_for_end: of a loop that one kernel does
#include "alone.cuh"
#ifndef ASK
#define ASK 1
#endif
#ifndef ENDED
#define ENDED 1
#endif
// ---- pasted from here on ----

#if ENDED
// Waits for the stream: has a loop in a kernel ended, or given up? It is not waited for while it is captured.
inline cudaError_t wait_for_end(const int *left, cudaStream_t stream) {
  cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusNone;
  int is_left = 0;
  cudaError_t error = cudaStreamIsCapturing(stream, &capturing);
  if (error != cudaSuccess || capturing != cudaStreamCaptureStatusNone) return error;
  error = cudaMemcpyAsync(&is_left, left, sizeof *left, cudaMemcpyDeviceToHost, stream);
  if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
  return error == cudaSuccess && is_left == 0 ? cudaErrorLaunchTimeout : error;
}
#endif
#if ASK
// Behind how many iterations the host asks whether the loop has ended: 4, 8, 16, 32, then every 64.
inline bool asks_after(Index turns) { return turns % 64 == 0 || (turns >= 4 && (turns & (turns - 1)) == 0); }

// Waits for the stream, and reads whether the loop has ended. It cannot wait while the stream is captured.
inline cudaError_t wait_and_ask(const int *left, int *is_left, cudaStream_t stream) {
  cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusNone;
  cudaError_t error = cudaStreamIsCapturing(stream, &capturing);
  if (error == cudaSuccess && capturing != cudaStreamCaptureStatusNone) error = cudaErrorStreamCaptureUnsupported;
  if (error == cudaSuccess) error = cudaMemcpyAsync(is_left, left, sizeof *left, cudaMemcpyDeviceToHost, stream);
  if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
  return error;
}

#if CUDART_VERSION >= 13000
// The graph repeats its node until left[0] is not 0, or that was the last iteration; left[1] is its number.
__global__ void repeat_node(const int *left, Index iterations, cudaGraphConditionalHandle node) {
  cudaGraphSetConditional(node, left[0] == 0 && left[1] + 1 < iterations);
}
#endif

// The node of a loop, if the stream is captured: until it is closed, what is launched to `body' is an iteration.
struct LoopNode {
  cudaStream_t body = nullptr, around = nullptr; // body: NULL: there is no node
#if CUDART_VERSION >= 13000
  cudaGraphNode_t node = nullptr;
  cudaGraphConditionalHandle handle = 0;
#endif

  // A loop of so many iterations at most, in *stream, which becomes `body'. Before CUDA 13 there is no node.
  cudaError_t open(cudaStream_t *stream, Index iterations) {
#if CUDART_VERSION >= 13000
    cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusNone;
    cudaGraph_t graph = nullptr;
    const cudaGraphNode_t *before = nullptr;
    const cudaGraphEdgeData *edges = nullptr;
    size_t many = 0;
    cudaError_t error =
        cudaStreamGetCaptureInfo(*stream, &capturing, nullptr, &graph, &before, &edges, &many);
    if (error != cudaSuccess || capturing != cudaStreamCaptureStatusActive || iterations <= 0) return error;
    error = cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault);
    if (error != cudaSuccess) return error;
    cudaGraphNodeParams is = {};
    is.type = cudaGraphNodeTypeConditional;
    is.conditional.handle = handle;
    is.conditional.type = cudaGraphCondTypeWhile;
    is.conditional.size = 1;
    error = cudaGraphAddNode(&node, graph, before, edges, many, &is);
    if (error != cudaSuccess) return error;
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed; // another stream may be made meanwhile
    error = cudaThreadExchangeStreamCaptureMode(&mode);
    if (error != cudaSuccess) return error;
    error = cudaStreamCreate(&body);
    if (error == cudaSuccess)
      error = cudaStreamBeginCaptureToGraph(body, is.conditional.phGraph_out[0], nullptr, nullptr, 0,
                                            cudaStreamCaptureModeRelaxed);
    cudaThreadExchangeStreamCaptureMode(&mode);
    around = *stream;
    if (error == cudaSuccess) *stream = body;
    return error;
#else
    (void)stream, (void)iterations;
    return cudaSuccess;
#endif
  }

  // What has been launched is all of an iteration: *stream goes on behind the node.
  cudaError_t close(cudaStream_t *stream, const int *left, Index iterations) {
#if CUDART_VERSION >= 13000
    if (!body) return cudaSuccess;
    const cudaLaunchConfig_t grid = {dim3(1), dim3(1), 0, body, nullptr, 0};
    cudaError_t error = cudaLaunchKernelEx(&grid, repeat_node, left, iterations, handle);
    cudaGraph_t graph = nullptr;
    const cudaError_t ended = cudaStreamEndCapture(body, &graph);
    if (error == cudaSuccess) error = ended;
    cudaStreamDestroy(body);
    body = nullptr;
    if (error == cudaSuccess)
      error = cudaStreamUpdateCaptureDependencies(around, &node, nullptr, 1, cudaStreamSetCaptureDependencies);
    *stream = around;
    return error;
#else
    (void)stream, (void)left, (void)iterations;
    return cudaSuccess;
#endif
  }

  // Behind an error nothing is left of an iteration that was begun.
  ~LoopNode() {
    if (!body) return;
    cudaGraph_t graph = nullptr;
    cudaStreamEndCapture(body, &graph);
    cudaStreamDestroy(body);
  }
};
#endif
