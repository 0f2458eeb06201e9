// failures.h: every runtime call of every function of a generated library fails once, and once with all behind it.
//
// Each time the first error comes back, nothing stays allocated, and the workspace, made ready again, serves the next
// call, which is right. A call that is refused (a workspace one byte too small, no room to say how large) queues
// nothing.
#ifndef TGC_BENCH_FAILURES_H
#define TGC_BENCH_FAILURES_H

#include <cstdio>
#include <cstdlib>

#include "entries.h"
#include "injection.h"

#define CUDA(call)                                                                            \
  do {                                                                                        \
    const cudaError_t error_ = (call);                                                        \
    if (error_ != cudaSuccess) {                                                              \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_));  \
      std::exit(3);                                                                           \
    }                                                                                         \
  } while (0)

struct Failures {
  long injected = 0, refused = 0, complaints = 0;
  bool (*unseen)() = nullptr; // what watches the calls has seen nothing wrong; NULL: nothing watches

  void expect(bool ok, const Entry &e, const Problem &p, int k, const char *what) {
    if (unseen && !unseen()) ok = false;
    if (ok || ++complaints > 40) return;
    std::printf("FAILED %s n=%llu, call %d: %s\n", e.name.c_str(), (unsigned long long)p.n, k, what);
  }
};

// Where a type's calls are tried: its elements and a result on the device, and a workspace that is large enough.
struct Bench {
  const Type *type;
  char *in;
  void *out, *workspace = nullptr;
  size_t room = 0;
  cudaStream_t stream;

  explicit Bench(const Type &t, cudaStream_t s = nullptr) : type(&t), stream(s) {
    CUDA(cudaMalloc((void **)&in, t.elements.size()));
    CUDA(cudaMemcpy(in, t.elements.data(), t.elements.size(), cudaMemcpyHostToDevice));
    CUDA(cudaMalloc(&out, t.result_bytes));
    CUDA(cudaDeviceSynchronize());
  }
  ~Bench() {
    cudaFree(in);
    cudaFree(out);
    cudaFree(workspace);
  }
  cudaError_t run(const Entry &e, const Problem &p, void *w, size_t *bytes) {
    return e.call(w, bytes, in + p.at * type->bytes, p.n, out, stream);
  }
  // So many bytes, ready for a call.
  void make_ready(size_t bytes) {
    if (bytes > room) {
      CUDA(cudaFree(workspace));
      CUDA(cudaMalloc(&workspace, bytes));
      room = bytes;
    }
    CUDA(workspace_init(workspace, bytes, stream));
  }
  bool right(const Problem &p) {
    char result[8];
    CUDA(cudaStreamSynchronize(stream));
    CUDA(cudaMemcpy(result, out, type->result_bytes, cudaMemcpyDeviceToHost));
    return type->right(p, result);
  }
  void spoil() { CUDA(cudaMemsetAsync(out, 0x5a, type->result_bytes, stream)); }
};

// A call that nothing fails; how many runtime calls it made.
inline int call_well(Bench &b, const Entry &e, const Problem &p, size_t bytes, Failures *f, int k, const char *what) {
  if (e.own_workspace) b.make_ready(bytes);
  b.spoil();
  injection::arm(0, false);
  const cudaError_t error = b.run(e, p, b.workspace, &bytes);
  const int calls = injection::state.calls;
  f->expect(error == cudaSuccess && b.right(p), e, p, k, what);
  f->expect(injection::state.outstanding == 0, e, p, k, "memory of the pool is not given back");
  return calls;
}

inline void refuse(Bench &b, const Entry &e, const Problem &p, size_t bytes, Failures *f) {
  size_t little = bytes - 1;
  b.make_ready(bytes);
  injection::arm(0, false);
  if (little) f->expect(b.run(e, p, b.workspace, &little) == cudaErrorInvalidValue, e, p, 0, "a workspace too small");
  f->expect(b.run(e, p, nullptr, nullptr) == cudaErrorInvalidValue, e, p, 0, "nowhere to say how many bytes");
  f->expect(b.run(e, p, b.workspace, nullptr) == cudaErrorInvalidValue, e, p, 0, "no size of the workspace");
  f->expect(workspace_init(nullptr, bytes, b.stream) == cudaErrorInvalidValue, e, p, 0, "a workspace that is none");
  f->expect(workspace_init(b.workspace, 0, b.stream) == cudaErrorInvalidValue, e, p, 0, "an empty workspace");
  f->expect(injection::state.calls == 0, e, p, 0, "a call that is refused asks nothing of the runtime");
  f->refused += 4 + (little > 0);
}

// Every call of the entry on that problem.
inline void fail_each(Bench &b, const Entry &e, const Problem &p, Failures *f) {
  size_t bytes = 0;
  injection::arm(0, false);
  if (e.own_workspace) {
    f->expect(b.run(e, p, nullptr, &bytes) == cudaSuccess && bytes > 0, e, p, 0, "the query");
    f->expect(injection::state.calls == 0, e, p, 0, "the query asks something of the runtime");
    refuse(b, e, p, bytes, f);
  }
  const int calls = call_well(b, e, p, bytes, f, 0, "a call that nothing fails");
  f->expect(calls > 0, e, p, 0, "it asks nothing of the runtime");
  for (int k = 1; k <= calls; k++)
    for (int further = 0; further < 2; further++) {
      size_t passed = bytes;
      if (e.own_workspace) b.make_ready(bytes);
      injection::arm(k, further);
      const cudaError_t error = b.run(e, p, b.workspace, &passed);
      const cudaError_t wanted = injection::state.error;
      injection::arm(0, false);
      f->injected++;
      f->expect(wanted != cudaSuccess, e, p, k, "it made fewer calls than before");
      f->expect(error == wanted, e, p, k, further ? "another error than the first's that failed" : "another error");
      f->expect(injection::state.outstanding == 0, e, p, k, "memory of the pool is not given back");
      call_well(b, e, p, bytes, f, k, "the next call, in the workspace made ready again");
    }
}

// workspace_init() fails, too.
inline void fail_init(Bench &b, const Entry &e, Failures *f) {
  b.make_ready(1);
  injection::arm(1, false);
  const cudaError_t error = workspace_init(b.workspace, 1, b.stream);
  f->expect(injection::state.calls == 1 && error == injection::state.error, e, {}, 1, "workspace_init()");
  injection::arm(0, false);
  f->injected++;
}

#endif
