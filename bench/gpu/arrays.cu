// arrays.cu: one spectrum whose results are arrays, in all its variants, against the libraries that do the same, and
// against what the memory allows; built and started by arrays.py, with one of the workloads arrays_*.cu.
//
//   1. Every variant in every configuration is run on sizes where it may go wrong, and compared with the host's.
//   2. At every second size all that were right take a quick look: a call each, and, unless that is far behind the best
//      and the libraries, replays of a captured graph, whose calls rotate over more memory than the L2 holds. What
//      falls back is left out of larger sizes; what takes 20 times as long as the best is dropped there and then, also
//      of more elements, and said to be. The best are also tried on other numbers of blocks.
//   3. At every size the leaders around it, the public function, the libraries, and kernels that only copy or only read
//      as many bytes take turns, a round each. A figure is the median of the rounds, the first one not counted.
//
//   arrays [--sizes 8..29] [--rounds N] [--promise NAME] [--spread ID]* [--skip ID:THREADS:LOADS]* [--after SHAPE]
//
// --spread: a variant that takes a number of blocks; --skip: one that is not to be run; --after: GROUP/SHAPE, done.
// Prints a JSON object a line, one before each attempt, so that whoever reads knows what died or hangs. Exit status 1
// when something was wrong or failed, 3 when the device did.
#include <chrono>
#include <cmath>
#include <map>
#include <set>

#include "arrays_bounds.h"

namespace arrays {
namespace {

struct Options {
  std::vector<int> exponents;
  int rounds = 9;
  std::string promise, after;
  std::set<std::string> spread, skip;
};

struct Device {
  int multiprocessors, l2_bytes;
  double peak; // bytes a second
};

enum { SMALL = 1 << 18, MOST_CALLS = 256, QUICK_CALLS = 64, WAITING_CALLS = 16, TURNED = 1 << 30 };
enum { LEADERS = 6, OF_ONE_VARIANT = 2, SPREAD = 4 };
const double FAR_BEHIND = 2.5, TOO_SLOW = 20, HOPELESS = 30; // times the best, the best, what the memory takes
const double NOT_TRIED = 80; // times the library, as the checked sizes foretell it
const double CALLING = 30, LONG = 20000; // microseconds that say nothing of a kernel; of a call that is timed alone
const double FORETELLING = 1 << 20; // bytes of a checked size

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

const char *const promises[] = {"not_guaranteed", "run_to_run", "gpu_to_gpu", "sequential"};
int rank_of(const std::string &promise) {
  for (int i = 0; i < 4; i++)
    if (promise == promises[i]) return i;
  return 0;
}

// "ID:THREADS:LOADS", and the number of blocks where it is not the variant's own.
std::string key_of(const Candidate &c) {
  if (c.role != Role::variant) return c.name;
  return c.id + ":" + std::to_string(c.threads) + ":" + std::to_string(c.loads) +
         (c.blocks ? ":" + std::to_string(c.blocks) : "");
}

// ---- what is printed ----

std::string members_of(const Candidate &c) {
  static const char *const roles[] = {"variant", "ours", "library", "bound"};
  std::string s = std::string("\"role\": \"") + roles[(int)c.role] + "\", \"name\": \"" + c.name + "\"";
  if (c.role != Role::variant) return s;
  return s + ", \"id\": \"" + c.id + "\", \"threads\": " + std::to_string(c.threads) +
         ", \"loads\": " + std::to_string(c.loads) + ", \"blocks\": " + std::to_string(c.blocks);
}

void print(const char *kind, const Shape &s, const Candidate &c, const std::string &more) {
  std::printf("{\"kind\": \"%s\", \"group\": \"%s\", \"shape\": \"%s\", %s%s}\n", kind, s.group.c_str(), s.name.c_str(),
              members_of(c).c_str(), more.c_str());
  std::fflush(stdout);
}

void print_us(const char *kind, const Shape &s, const Candidate &c, double us, double low, double high) {
  char text[128];
  std::snprintf(text, sizeof text, ", \"us\": %.4f, \"low\": %.4f, \"high\": %.4f", us, low, high);
  print(kind, s, c, text);
}

// ---- one of those that compete, on one shape ----

struct Stage {
  Workload *workload;
  cudaStream_t stream;
  cudaEvent_t begin, end;
  int places = 1, calls = 1;

  double elapsed_us() const {
    float ms;
    CUDA(cudaEventSynchronize(end));
    CUDA(cudaEventElapsedTime(&ms, begin, end));
    return 1e3 * ms;
  }
};

struct Run {
  const Stage &stage;
  Candidate c;
  int calls;
  size_t bytes = 0;
  Memory workspace;
  cudaGraphExec_t graph = nullptr;
  std::vector<double> rounds;
  std::string fault;
  bool refused = false; // it does not serve this size, and says so before anything is queued

  Run(const Stage &s, const Candidate &candidate, int most_calls) : stage(s), c(candidate) {
    calls = std::min(s.calls, c.waits() ? (int)WAITING_CALLS : most_calls);
    if (note(c.call(nullptr, &bytes, 0, s.stream))) {
      refused = true;
      return;
    }
    bytes = std::max<size_t>(bytes, 1);
    workspace.need(bytes);
    if (c.init) {
      CUDA(cudaMemsetAsync(workspace.at(), 0x5a, bytes, s.stream)); // init is to do what is needed
      note(c.init(workspace.at(), bytes, s.stream));
    }
  }
  ~Run() {
    CUDA(cudaStreamSynchronize(stage.stream));
    if (graph) CUDA(cudaGraphExecDestroy(graph));
  }
  Run(const Run &) = delete;

  // Takes down what went wrong, once; true when something did. After some errors the device is of no more use.
  bool note(cudaError_t error) {
    if (error == cudaSuccess) return !fault.empty();
    if (fault.empty()) fault = cudaGetErrorName(error);
    cudaGetLastError();
    CUDA(cudaDeviceSynchronize());
    return true;
  }
  bool call(int i) { return !note(c.call(workspace.at(), &bytes, i % stage.places, stage.stream)); }

  // Each of the first places once, and what came out.
  bool is_right(int places) {
    if (!fault.empty()) return false;
    stage.workload->poison(stage.stream);
    for (int p = 0; p < places && call(p); p++)
      if (c.waits()) c.deliver(p, stage.stream);
    if (!fault.empty() || note(cudaStreamSynchronize(stage.stream))) return false;
    if (c.role == Role::bound) return true;
    const uint64_t wrong = stage.workload->wrong(places, stage.stream);
    if (wrong) fault = std::to_string(wrong) + " wrong elements";
    return wrong == 0;
  }

  double one_call_us() {
    CUDA(cudaEventRecord(stage.begin, stage.stream));
    call(0);
    CUDA(cudaEventRecord(stage.end, stage.stream));
    return stage.elapsed_us();
  }

  void capture() {
    cudaGraph_t captured = nullptr;
    CUDA(cudaStreamBeginCapture(stage.stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < calls && call_captured(i); i++) {}
    const cudaError_t ended = cudaStreamEndCapture(stage.stream, &captured);
    if (fault.empty()) note(ended);
    if (fault.empty()) note(cudaGraphInstantiate(&graph, captured, 0));
    if (captured) CUDA(cudaGraphDestroy(captured));
    cudaGetLastError();
  }
  bool call_captured(int i) { // no synchronisation here
    const cudaError_t error = c.call(workspace.at(), &bytes, i % stage.places, stage.stream);
    if (error != cudaSuccess) fault = cudaGetErrorName(error);
    return error == cudaSuccess;
  }

  void round(bool count) {
    if (!fault.empty()) return;
    double us = 0;
    if (c.waits()) {
      const double start = seconds();
      for (int i = 0; i < calls; i++) call(i);
      us = 1e6 * (seconds() - start) / calls;
    } else {
      if (!graph) capture();
      if (!fault.empty()) return;
      CUDA(cudaEventRecord(stage.begin, stage.stream));
      note(cudaGraphLaunch(graph, stage.stream));
      CUDA(cudaEventRecord(stage.end, stage.stream));
      us = stage.elapsed_us() / calls;
    }
    if (count) rounds.push_back(us);
  }

  double median() const {
    std::vector<double> sorted = rounds;
    std::sort(sorted.begin(), sorted.end());
    return sorted.empty() ? INFINITY : sorted[sorted.size() / 2];
  }
  double least() const { return rounds.empty() ? INFINITY : *std::min_element(rounds.begin(), rounds.end()); }
  double most() const { return rounds.empty() ? INFINITY : *std::max_element(rounds.begin(), rounds.end()); }
};

// ---- the competition ----

struct Quick {
  Candidate c;
  double us;
};

class Competition {
 public:
  Competition(const Options &o, const Device &d) : o_(o), device_(d), workload_(make_workload(o.exponents)) {
    stage_.workload = workload_.get();
    CUDA(cudaStreamCreateWithFlags(&stage_.stream, cudaStreamNonBlocking));
    CUDA(cudaEventCreate(&stage_.begin));
    CUDA(cudaEventCreate(&stage_.end));
    least_promise_ = rank_of(o.promise);
    all_ = workload_->candidates;
    faulty_ = o.skip;
    std::printf("{\"kind\": \"workload\", \"spectrum\": \"%s\", \"type\": \"%s\", \"promise\": \"%s\", "
                "\"candidates\": %d}\n",
                workload_->spectrum, workload_->type, promises[least_promise_], (int)all_.size());
  }

  // False when something was wrong or failed.
  bool run() {
    check();
    const std::vector<Step> steps = in_order();
    size_t from = 0;
    for (size_t k = 0; k < steps.size(); k++) {
      const Shape &s = workload_->timed[steps[k].index];
      if (s.group + "/" + s.name == o_.after) from = k + 1;
    }
    for (size_t k = from; k < steps.size(); k++) {
      if (steps[k].begins) left_out_.clear(), dropped_.clear(), behind_.clear(), winners_.clear();
      for (size_t i : steps[k].around) look(i);
      time(steps[k].index, steps[k].around);
    }
    return right_;
  }

 private:
  // A shape is timed with the leaders of those around it that all were looked at on.
  struct Step {
    size_t index;
    std::vector<size_t> around;
    bool begins; // its group
  };
  const Options &o_;
  const Device &device_;
  std::unique_ptr<Workload> workload_;
  Stage stage_;
  Bounds bounds_;
  int least_promise_, laid_out_ = -1;
  bool right_ = true;
  std::vector<Candidate> all_;
  std::set<std::string> faulty_, left_out_;       // by key
  std::map<std::string, double> behind_;          // by how much at the last size where all were looked at
  std::map<std::string, uint64_t> dropped_;       // of how many elements: not tried on more; on as many, of another
                                                  // shape, it may do better
  std::map<std::string, double> pace_;            // microseconds a byte, the least of the checked sizes
  std::map<size_t, std::vector<Quick>> leaders_;  // of a shape
  std::map<size_t, Candidate> winners_;           // of a shape

  // Every second shape of a group, then the one before it, whose leaders are known by then: each is laid out once.
  std::vector<Step> in_order() const {
    const std::vector<Shape> &shapes = workload_->timed;
    std::vector<Step> steps;
    for (size_t begin = 0, end; begin < shapes.size(); begin = end) {
      for (end = begin; end < shapes.size() && shapes[end].group == shapes[begin].group;) end++;
      for (size_t i = begin; i < end; i += 2) {
        steps.push_back({i, {i}, i == begin});
        if (i > begin) steps.push_back({i - 1, {i - 2, i}, false});
      }
      if ((end - begin) % 2 == 0) steps.push_back({end - 1, {end - 1}, false});
    }
    return steps;
  }

  void failed(const char *when, const Shape &s, const Candidate &c, const std::string &what) {
    print("failure", s, c, std::string(", \"when\": \"") + when + "\", \"what\": \"" + what + "\"");
    faulty_.insert(key_of(c));
    right_ = false;
  }
  void drop(const Shape &s, const Candidate &c, double us, double best, const char *by) {
    char text[160];
    std::snprintf(text, sizeof text, ", \"us\": %.4f, \"best\": %.4f, \"by\": \"%s\"", us, best, by);
    print("dropped", s, c, text);
    dropped_.insert({key_of(c), s.n});
  }
  bool refuses(const Shape &s, const Run &run) {
    if (run.refused) print("refused", s, run.c, ", \"what\": \"" + run.fault + "\"");
    return run.refused;
  }
  bool is_faulty(const Candidate &c) const {
    Candidate own = c;
    own.blocks = 0;
    return faulty_.count(key_of(c)) || faulty_.count(key_of(own));
  }

  // ---- is it right? ----

  void check() {
    for (const Shape &s : workload_->checked) {
      stage_.places = 3; // one after the other in one workspace, which each has to leave ready
      workload_->lay_out(s, stage_.places);
      for (const Candidate &c : all_) {
        if ((c.role != Role::variant && c.role != Role::ours) || is_faulty(c)) continue;
        print("trying", s, c, "");
        Run run(stage_, c, 1);
        if (refuses(s, run)) continue;
        if (!run.is_right(stage_.places)) failed("check", s, c, run.fault);
        else if (s.read + s.written >= FORETELLING) note_pace(c, run.one_call_us() / (s.read + s.written));
      }
    }
    std::printf("{\"kind\": \"checked\", \"shapes\": %d, \"failed\": %d}\n", (int)workload_->checked.size(),
                (int)faulty_.size());
    std::fflush(stdout);
  }

  void note_pace(const Candidate &c, double us) {
    const auto known = pace_.insert({key_of(c), us}).first;
    known->second = std::min(known->second, us);
  }

  // ---- the quick look ----

  void lay_out(size_t index) {
    const Shape &s = workload_->timed[index];
    if (laid_out_ == (int)index) return;
    laid_out_ = (int)index;
    const double bytes = s.read + s.written, us = 1 + 1e6 * bytes / device_.peak;
    stage_.places = bytes < SMALL ? 64 : (int)(3.0 * device_.l2_bytes / bytes) + 1;
    if (bytes < TURNED) stage_.places = std::max(2, stage_.places);
    stage_.calls = std::max(4, std::min<int>(MOST_CALLS, (int)(1000 / us)));
    stage_.calls = (stage_.calls + stage_.places - 1) / stage_.places * stage_.places;
    workload_->lay_out(s, stage_.places);
    bounds_.lay_out(s, stage_.places);
    workload_->poison(stage_.stream);
  }

  // In microseconds a call: of a single one where that tells enough. Infinite for what fails.
  double quick(const Shape &s, const Candidate &c, double best) { // best: of all so far
    print("trying", s, c, "");
    Run run(stage_, c, std::max(4, QUICK_CALLS * stage_.calls / MOST_CALLS));
    if (refuses(s, run)) return INFINITY;
    const double once = run.one_call_us();
    if (once > CALLING + FAR_BEHIND * best) return once;
    for (int r = 0; r < 3; r++) run.round(r > 0);
    if (!run.fault.empty()) return failed("time", s, c, run.fault), INFINITY;
    print_us("quick", s, c, run.least(), run.least(), run.most());
    return run.least();
  }

  void look(size_t index) {
    if (leaders_.count(index)) return;
    const Shape &s = workload_->timed[index];
    lay_out(index);
    std::vector<Quick> quicks;
    double library = INFINITY, best = INFINITY;
    const auto take = [&](const Candidate &c) {
      const double us = quick(s, c, std::min(best, library));
      best = std::min(best, us);
      if (std::isfinite(us)) quicks.push_back({c, us});
      return us;
    };
    for (const Candidate &c : all_)
      if (c.role == Role::library && !c.waits() && !is_faulty(c)) library = std::min(library, quick(s, c, library));
    std::map<std::string, double> times;
    for (const Candidate &c : all_) {
      const std::string key = key_of(c);
      if (c.role != Role::variant || is_faulty(c) || left_out_.count(key)) continue;
      if (rank_of(c.determinism) < least_promise_ || (dropped_.count(key) && dropped_[key] < s.n)) continue;
      const double foretold = pace_.count(key) ? pace_[key] * (s.read + s.written) : 0;
      if (foretold > CALLING + NOT_TRIED * library) drop(s, c, foretold, library, "checked sizes");
      else times[key] = take(c);
    }
    const double hopeless = 50 + HOPELESS * 1e6 * (s.read + s.written) / device_.peak;
    for (const auto &t : times) {
      const double ratio = t.second / best, before = behind_.count(t.first) ? behind_[t.first] : INFINITY;
      const bool falls_back = ratio > FAR_BEHIND && ratio > 1.5 * before; // a small call's cost is not what it reads
      const bool stays_back = ratio > 1.3 && ratio > 0.9 * before && t.second > hopeless;
      if (falls_back || stays_back) left_out_.insert(t.first);
      behind_[t.first] = ratio;
    }
    const auto faster = [](const Quick &x, const Quick &y) { return x.us < y.us; };
    std::sort(quicks.begin(), quicks.end(), faster);
    for (; !quicks.empty() && quicks.back().us > CALLING + TOO_SLOW * best; quicks.pop_back())
      drop(s, quicks.back().c, quicks.back().us, best, "a look");
    const std::vector<Quick> first = quicks;
    int tried = 0;
    for (const Quick &q : first) {
      if (tried == SPREAD) break;
      if (!o_.spread.count(q.c.id)) continue;
      tried++;
      for (const double share : {0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 1e6}) {
        Candidate c = q.c;
        c.blocks = (long long)(share * device_.multiprocessors);
        c.call = c.with_blocks(c.blocks);
        if (!is_faulty(c)) take(c);
      }
    }
    std::sort(quicks.begin(), quicks.end(), faster);
    std::map<std::string, int> alike;
    std::vector<Quick> &few = leaders_[index];
    for (const Quick &q : quicks)
      if (few.size() < LEADERS && alike[q.c.id]++ < OF_ONE_VARIANT) few.push_back(q);
  }

  // ---- in turns ----

  std::vector<Candidate> contenders(size_t index, const std::vector<size_t> &around) const {
    std::vector<Candidate> list;
    std::set<std::string> known;
    const auto add = [&](const Candidate &c) {
      if (!is_faulty(c) && (c.role == Role::bound || known.insert(key_of(c)).second)) list.push_back(c);
    };
    for (size_t before = 1; before <= std::min<size_t>(2, index); before++)
      if (winners_.count(index - before)) add(winners_.at(index - before));
    for (size_t i : around)
      for (const Quick &q : leaders_.at(i)) add(q.c);
    for (const Candidate &c : all_)
      if (c.role != Role::variant) add(c);
    for (const Candidate &c : bounds_.candidates) add(c);
    return list;
  }

  void time(size_t index, const std::vector<size_t> &around) {
    const Shape &s = workload_->timed[index];
    lay_out(index);
    std::printf("{\"kind\": \"shape\", \"group\": \"%s\", \"shape\": \"%s\", \"n\": %llu, \"key\": %llu, "
                "\"read\": %.0f, \"written\": %.0f, \"in_table\": %s, \"places\": %d, \"calls\": %d}\n",
                s.group.c_str(), s.name.c_str(), (unsigned long long)s.n, (unsigned long long)(s.key ? s.key : s.n),
                s.read, s.written, s.in_table ? "true" : "false", stage_.places, stage_.calls);
    double quickest = 0; // of the variants, at the largest size around it
    for (size_t i : around) quickest = leaders_.at(i).empty() ? INFINITY : std::max(quickest, leaders_.at(i)[0].us);
    std::vector<std::unique_ptr<Run>> runs;
    for (const Candidate &c : contenders(index, around)) {
      print("trying", s, c, "");
      std::unique_ptr<Run> run(new Run(stage_, c, stage_.calls));
      if (refuses(s, *run)) continue;
      run->is_right(stage_.places);
      const double once = c.waits() || !run->fault.empty() ? 0 : run->one_call_us();
      if (once > LONG) run->calls = 1;
      if (c.role == Role::ours && once > CALLING + TOO_SLOW * quickest) drop(s, c, once, quickest, "a call");
      else runs.push_back(std::move(run));
    }
    for (int r = 0; r <= o_.rounds; r++)
      for (auto &run : runs) {
        if (r == 0) print("trying", s, run->c, "");
        run->round(r > 0);
      }
    const Run *best = nullptr;
    for (auto &run : runs) {
      if (run->c.role != Role::bound && run->fault.empty()) run->is_right(stage_.places); // after many calls, too
      if (!run->fault.empty()) {
        failed("time", s, run->c, run->fault);
        continue;
      }
      print_us("measurement", s, run->c, run->median(), run->least(), run->most());
      if (run->c.role == Role::variant && (!best || run->median() < best->median())) best = run.get();
    }
    if (best) winners_[index] = best->c;
    std::printf("{\"kind\": \"done\", \"group\": \"%s\", \"shape\": \"%s\"}\n", s.group.c_str(), s.name.c_str());
    std::fflush(stdout);
  }
};

// ---- the device and the command line ----

int attribute(cudaDeviceAttr what) {
  int value, device;
  CUDA(cudaGetDevice(&device));
  CUDA(cudaDeviceGetAttribute(&value, what, device));
  return value;
}

Device look_at_device() {
  Device d = {attribute(cudaDevAttrMultiProcessorCount), attribute(cudaDevAttrL2CacheSize), 0};
  cudaDeviceProp properties;
  int runtime, driver;
  CUDA(cudaGetDeviceProperties(&properties, 0));
  CUDA(cudaRuntimeGetVersion(&runtime));
  CUDA(cudaDriverGetVersion(&driver));
  d.peak = 2e3 * attribute(cudaDevAttrMemoryClockRate) * attribute(cudaDevAttrGlobalMemoryBusWidth) / 8;
  std::printf("{\"kind\": \"device\", \"name\": \"%s\", \"compute\": \"%d.%d\", \"multiprocessors\": %d, "
              "\"l2_bytes\": %d, \"peak_gbs\": %.1f, \"runtime\": %d, \"driver\": %d}\n",
              properties.name, properties.major, properties.minor, d.multiprocessors, d.l2_bytes, d.peak / 1e9, runtime,
              driver);
  std::fflush(stdout);
  if (d.peak == 0) d.peak = 1e12;
  return d;
}

// "8..29" or "10,16,20..24".
bool read_sizes(const char *s, std::vector<int> *to) {
  for (char *end;; s = end + 1) {
    long first = std::strtol(s, &end, 10), last = first;
    if (end == s) return false;
    if (end[0] == '.' && end[1] == '.') {
      s = end + 2;
      last = std::strtol(s, &end, 10);
      if (end == s) return false;
    }
    for (long k = first; k <= last && k <= 40; k++) to->push_back((int)k);
    if (!*end) return true;
    if (*end != ',') return false;
  }
}

bool read_options(int argc, char **argv, Options *o) {
  for (int i = 1; i < argc; i += 2) {
    const std::string a = argv[i];
    const char *value = i + 1 < argc ? argv[i + 1] : nullptr;
    if (!value) return std::fprintf(stderr, "arrays: `%s' wants a value\n", argv[i]), false;
    if (a == "--sizes" && read_sizes(value, &o->exponents)) continue;
    if (a == "--rounds" && (o->rounds = std::atoi(value)) > 0) continue;
    if (a == "--promise") { o->promise = value; continue; }
    if (a == "--after") { o->after = value; continue; }
    if (a == "--spread") { o->spread.insert(value); continue; }
    if (a == "--skip") { o->skip.insert(value); continue; }
    return std::fprintf(stderr, "arrays: what is `%s %s'?\n", argv[i], value), false;
  }
  if (o->exponents.empty()) read_sizes("4..29", &o->exponents);
  return true;
}

} // namespace
} // namespace arrays

int main(int argc, char **argv) {
  arrays::Options o;
  if (!arrays::read_options(argc, argv, &o)) return 2;
  const arrays::Device device = arrays::look_at_device();
  arrays::Competition competition(o, device);
  return competition.run() ? 0 : 1;
}
