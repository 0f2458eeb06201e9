// cpu.cc: the process that `tgc tune' measures with on a CPU: one request a line on the standard input, one answer a
// line. It speaks as measure.cu does for GPUs.
//
//   at the start       device <name> 0 <threads> <compiler> <processors> <bytes of the last cache> <bytes of memory>
//                      <more of the machine> <microseconds that threads take to meet>
//   run <object> <function> <type> <operator> <threads> <loads> <blocks> <n> <count> <modes> <budget> [<calls>]
//                      n elements, or n each of so many rows or segments; modes: g, the one way to call that there is;
//                      budget: microseconds that it may take, about
//   data                                           new inputs are made; made: they are there
//   time <g median> <g low> <g high> <s ..> <y ..>     microseconds a call, the quartiles beside the median; -1: not
//                                                    asked for
//   wrong <what>       the result is not the sequential codelet's; nothing was timed
//   launch <what>      the call was refused
//
// Calls follow one another on the same data: what fits into a cache is there. No thread is bound to a processor; what
// OMP_NUM_THREADS, OMP_PROC_BIND and the like say holds.
#include "cpu.h"

#include <dlfcn.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>

struct Request {
  std::string object, function, type, modes;
  std::string calls; // which conditions of a table's rows they meet (arrays.h)
  std::string set_to; // the configuration, as text
  Configuration configuration;
  uint64_t n, count;
  double budget;
};

static void introduce() {
  const Machine m = this_machine();
  std::string more = m.caches;
  if (!m.governor.empty()) more += (more.empty() ? "governor " : ", governor ") + m.governor;
  std::printf("device\t%s, %d processor%s\t0\t%d\t%s\t%d\t%llu\t%llu\t%s\t%.2f\n", m.name.c_str(), m.processors,
              m.processors == 1 ? "" : "s", m.threads, m.compiler.c_str(), std::min(m.processors, m.threads),
              (unsigned long long)m.last_cache, (unsigned long long)m.memory, more.c_str(), m.meeting);
}

// ---- one request ----

struct Quartiles { double median = -1, low = -1, high = -1; };

static Quartiles quartiles(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  return {x[x.size() / 2], x[x.size() / 4], x[x.size() * 3 / 4]};
}

struct Measurement {
  Problem &p;
  const Request &r;
  void *function;
  std::vector<char> &workspace;
  Peace &peace;

  void call() {
    size_t bytes = workspace.size();
    const int error = p.entry().call(function, &r.configuration, workspace.data(), &bytes, p.slots());
    if (error != 0) throw Failure{"launch", std::strerror(error)};
  }

  void make_workspace() {
    size_t bytes = 0;
    const int error = p.entry().call(function, &r.configuration, nullptr, &bytes, p.slots());
    if (error != 0) throw Failure{"launch", std::strerror(error)};
    workspace.assign(std::max<size_t>(bytes, 1), 0);
  }

  // Twice in one workspace: the first call leaves it ready for the second.
  void verify() {
    for (int again = 0; again < 2; again++) {
      p.reset();
      call();
      const std::string what = p.difference();
      if (!what.empty()) throw Failure{"wrong", what};
    }
  }

  // Of calls that take longer than there is time for, two.
  Quartiles run() {
    const int most = 12;
    const auto once = [this] { call(); };
    once();
    const double first = time_of(once, 1);
    if (first > 10 * r.budget) return {first, first, first};
    const int fewest = first > r.budget ? 2 : 5;
    const uint64_t calls = first > r.budget ? 1 : calls_for(once, r.budget / most);
    std::vector<double> all;
    double us = 0;
    while ((int)all.size() < fewest || ((int)all.size() < most && us < r.budget)) {
      all.push_back(peace.time([&] {
        once(); // who has lost its processor before gets it again
        return time_of(once, calls);
      }));
      us += all.back() * (double)calls;
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

// The last one stays. Of all that there were it is known which functions gave the right results, in which
// configurations: each size is visited several times, and data are the same each time.
struct Problems {
  std::unique_ptr<Problem> made;
  std::set<std::string> right;

  Problem &of(const Request &r) {
    const Entry *entry = std::find_if(entries, entries + entry_count, [&](const Entry &e) { return r.type == e.type; });
    if (entry == entries + entry_count) throw Failure{"launch", "no type " + r.type};
    const uint64_t all = r.n * r.count;
    if (made && made->is(*entry, r.n, all, r.calls)) return *made;
    made.reset();
    std::printf("data\n");
    made.reset(new Problem(*entry, r.n, all, r.calls));
    std::printf("made\n");
    return *made;
  }
};

static void serve(Problems &problems, const Request &r) {
  static std::vector<char> workspace;
  static Peace peace;
  Quartiles q;
  void *function = function_of(r);
  if (r.modes.find('g') != std::string::npos) {
    Measurement m = {problems.of(r), r, function, workspace, peace};
    m.make_workspace();
    std::string what = r.function + " " + r.set_to + " " + r.calls;
    for (const uint64_t number : {r.n, r.count}) what += " " + std::to_string(number);
    if (problems.right.count(what) == 0) m.verify();
    problems.right.insert(what);
    q = m.run();
  }
  std::printf("time");
  for (const Quartiles &one : {q, Quartiles(), Quartiles()})
    std::printf("\t%.5f\t%.5f\t%.5f", one.median, one.low, one.high);
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
  r->set_to = fields[5];
  r->n = strtoull(fields[6].c_str(), nullptr, 10);
  r->count = strtoull(fields[7].c_str(), nullptr, 10);
  r->modes = fields[8];
  r->budget = atof(fields[9].c_str()) * budget_share();
  r->calls = fields[10];
  return read_configuration(fields[5].c_str(), &r->configuration);
}

int main() {
  setvbuf(stdout, nullptr, _IOLBF, 0);
  introduce();
  Problems problems;
  static char line[8192];
  while (fgets(line, sizeof line, stdin)) {
    Request r;
    try {
      if (!parse(line, &r)) throw Failure{"launch", "a request that is none"};
      serve(problems, r);
    } catch (const Failure &f) {
      problems.made.reset(); // what is wrong may have written where it must not
      std::string text = f.text;
      std::replace_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
      std::printf("%s\t%s\n", f.kind.c_str(), text.c_str());
    }
  }
  return 0;
}
