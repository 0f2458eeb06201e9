// measure.cu: the process that `tgc tune' measures with: one request a line on the standard input, one answer a line.
//
// It knows no spectrum: variants come as shared objects, each with functions of the C API of a generated folder. A
// request that brings the device down ends the process, with its answer given; whoever asks starts another.
//
//   at the start       device <name> <compute capability x 10> <driver> <toolkit> <multiprocessors> <L2 bytes>
//                      <memory bytes>
//   run <object> <function> <type> <operator> <threads> <loads> <blocks> <n> <count> <modes> <budget> [<calls>]
//                      n elements, or n each of so many rows or segments;
//                      modes: g in a replayed graph of many calls, s calls back to back on a stream, y one call and a
//                      synchronisation;
//                      budget: microseconds that one mode may take, about
//   data                                           new inputs are made; made: they are there
//   time <g median> <g low> <g high> <s ..> <y ..>     microseconds a call, the quartiles beside the median; -1: not
//                                                    asked for
//   wrong <what>       the result is not the reference's; nothing was timed
//   launch <what>      CUDA refused or failed
//
// Fields are separated by tabs. Inputs rotate over more memory than the L2 holds from 256 KiB on, and every result is
// compared with a reference of the host's. Both come from reduction.cu, with numbers.cu for add, max and min, with
// folder.cu for all other operators; or, where a spectrum takes other operands than in, n and out, from arrays.cu.
#include "measure.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

// ---- the device ----

struct Device {
  cudaStream_t stream;
  cudaEvent_t begin, end;
  void *workspace = nullptr;
  size_t workspace_bytes = 0, l2 = 0;

  void open() {
    cudaDeviceProp p;
    int driver = 0, runtime = 0;
    CHECK(cudaGetDeviceProperties(&p, 0));
    CHECK(cudaDriverGetVersion(&driver));
    CHECK(cudaRuntimeGetVersion(&runtime));
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    l2 = (size_t)p.l2CacheSize;
    std::printf("device\t%s\t%d\t%d.%d\t%d.%d\t%d\t%zu\t%zu\n", p.name, p.major * 10 + p.minor, driver / 1000,
                driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10, p.multiProcessorCount, l2, p.totalGlobalMem);
  }

  void need_workspace(size_t bytes) {
    if (bytes <= workspace_bytes) return;
    if (workspace) CHECK(cudaFree(workspace));
    workspace_bytes = 0;
    CHECK(cudaMalloc(&workspace, bytes));
    CHECK(cudaMemset(workspace, 0, bytes));
    workspace_bytes = bytes;
  }

  double elapsed() {
    float ms;
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    return 1e3 * ms;
  }
};

// ---- one request ----

struct Quartiles { double median = -1, low = -1, high = -1; };

static Quartiles quartiles(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  return {x[x.size() / 2], x[x.size() / 4], x[x.size() * 3 / 4]};
}

static const double slow_us = 100e3;

struct Measurement {
  Device &d;
  const Request &r;
  Subject &on;
  void *f;

  void call(uint64_t i) {
    size_t given = d.workspace_bytes;
    must(on.call(f, r.configuration, d.workspace, &given, i % on.places(), d.stream), "the call");
  }

  void prepare() {
    size_t bytes = 0;
    must(on.call(f, r.configuration, nullptr, &bytes, 0, d.stream), "the call for its workspace");
    d.need_workspace(std::max<size_t>(bytes, 1 << 20));
    CHECK(cudaMemsetAsync(d.workspace, 0, bytes, d.stream));
  }

  // Twice in one workspace: the first call leaves it ready for the second. What the second takes, in microseconds.
  double verify() {
    double us = 0;
    for (int again = 0; again < 2; again++) {
      on.reset(d.stream);
      CHECK(cudaEventRecord(d.begin, d.stream));
      call(0);
      CHECK(cudaEventRecord(d.end, d.stream));
      us = d.elapsed();
      const std::string what = on.difference(d.stream);
      if (!what.empty()) throw Failure{"wrong", what};
    }
    return us;
  }

  double estimate() {
    enum { CALLS = 6 };
    CHECK(cudaEventRecord(d.begin, d.stream));
    for (int i = 0; i < CALLS; i++) call((uint64_t)i);
    CHECK(cudaEventRecord(d.end, d.stream));
    return d.elapsed() / CALLS;
  }

  // How many calls make a sample, and how many samples the budget has room for. Of what takes a large part of a second,
  // no more than it takes to see that.
  void plan(double each, int *calls, int *samples) const {
    const int least = 3, most = 21, most_calls = 1024;
    *calls = *samples = 1;
    if (each >= slow_us) return;
    *calls = (int)std::max(2.0, std::min((double)most_calls, r.budget / 6 / each));
    *samples = (int)std::max((double)least, std::min((double)most, r.budget / (each * *calls)));
  }

  Quartiles in_graph(double each) {
    int calls, samples;
    plan(each, &calls, &samples);
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamBeginCapture(d.stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < calls; i++) call((uint64_t)i);
    CHECK(cudaStreamEndCapture(d.stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    std::vector<double> all;
    for (int s = 0; s <= samples; s++) {
      CHECK(cudaEventRecord(d.begin, d.stream));
      CHECK(cudaGraphLaunch(exec, d.stream));
      CHECK(cudaEventRecord(d.end, d.stream));
      const double us = d.elapsed() / calls;
      if (s) all.push_back(us); // the first one uploads the graph
    }
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    return quartiles(all);
  }

  Quartiles on_stream(double each) {
    int calls, samples;
    plan(each, &calls, &samples);
    std::vector<double> all;
    for (int s = 0; s <= samples; s++) {
      CHECK(cudaEventRecord(d.begin, d.stream));
      for (int i = 0; i < calls; i++) call((uint64_t)i);
      CHECK(cudaEventRecord(d.end, d.stream));
      const double us = d.elapsed() / calls;
      if (s) all.push_back(us);
    }
    return quartiles(all);
  }

  Quartiles alone(double each) {
    std::vector<double> all;
    for (int s = 0; s < (each < slow_us ? 31 : 2); s++) {
      timespec a, b;
      clock_gettime(CLOCK_MONOTONIC, &a);
      call((uint64_t)s);
      CHECK(cudaStreamSynchronize(d.stream));
      clock_gettime(CLOCK_MONOTONIC, &b);
      if (s) all.push_back(1e6 * (double)(b.tv_sec - a.tv_sec) + 1e-3 * (double)(b.tv_nsec - a.tv_nsec));
    }
    return quartiles(all);
  }
};

static void *function_of(const Request &r) {
  static std::map<std::string, void *> open;
  void *&object = open[r.object];
  if (!object) object = dlopen(r.object.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!object) throw Failure{"launch", dlerror()};
  void *f = dlsym(object, r.function.c_str());
  if (!f) throw Failure{"launch", "no function " + r.function};
  return f;
}

static void serve(Device &d, const Request &r) {
  Measurement m = {d, r, subject_of(r, d.l2), function_of(r)};
  m.prepare();
  const double once = m.verify(), each = once < slow_us ? std::max(0.3, m.estimate()) : once;
  Quartiles g, s, y;
  if (r.modes.find('g') != std::string::npos) g = m.in_graph(each);
  if (r.modes.find('s') != std::string::npos) s = m.on_stream(each);
  if (r.modes.find('y') != std::string::npos) y = m.alone(each);
  std::printf("time");
  for (const Quartiles &q : {g, s, y}) std::printf("\t%.4f\t%.4f\t%.4f", q.median, q.low, q.high);
  std::printf("\n");
}

static bool parse(char *line, Request *r) {
  std::vector<std::string> fields;
  line[strcspn(line, "\n")] = 0;
  for (char *s = line; s; s = *s ? s + 1 : nullptr) {
    const size_t n = strcspn(s, "\t");
    fields.emplace_back(s, n);
    s += n;
    if (!*s) break;
  }
  if (fields.size() == 10) fields.emplace_back(""); // calls as they come
  if (fields.size() != 11 || fields[0] != "run") return false;
  r->object = fields[1];
  r->function = fields[2];
  r->type = fields[3];
  r->op = fields[4];
  r->n = strtoull(fields[6].c_str(), nullptr, 10);
  r->count = strtoull(fields[7].c_str(), nullptr, 10);
  r->modes = fields[8];
  r->budget = atof(fields[9].c_str());
  r->calls = fields[10];
  return read_configuration(fields[5].c_str(), &r->configuration);
}

// The text on one line.
static void answer(const Failure &f) {
  std::string text = f.text;
  for (char &c : text)
    if (c == '\n' || c == '\t') c = ' ';
  std::printf("%s\t%s\n", f.kind.c_str(), text.c_str());
}

int main() {
  setvbuf(stdout, nullptr, _IOLBF, 0);
  Device d;
  try {
    d.open();
  } catch (const Failure &f) {
    answer(f);
    return 3;
  }
  static char line[8192];
  while (fgets(line, sizeof line, stdin)) {
    Request r;
    if (!parse(line, &r)) {
      answer({"launch", "a request that is none"});
      continue;
    }
    try {
      serve(d, r);
    } catch (const Failure &f) {
      answer(f);
      if (f.kind == "launch" && cudaDeviceSynchronize() != cudaSuccess) return 3; // the context is lost
      cudaStreamCaptureStatus status;
      if (cudaStreamIsCapturing(d.stream, &status) != cudaSuccess || status != cudaStreamCaptureStatusNone) return 3;
    }
  }
  return 0;
}
