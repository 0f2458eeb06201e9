// compare.cc: the comparison on a CPU: the folder's library, its best variant, OpenMP's loops, OpenBLAS and the reading
// of as much memory, in turns, by the host's clock. One JSON object a line:
//
//   {"kind": "device", ..}
//   {"kind": "note", "text"}
//   {"kind": "measurement", "type", "n", "all", "contender", "us", "low", "high", "rounds", "calls",
//    "ratio", "least", "most", ..}
//   {"kind": "failure", "type", "n", "all", "contender", "what"}
//
//   compare --cases 64:0,128:0 --rounds 11 [--variants]
//
// A case is n elements; or `all' elements in rows or segments of n each. Data are filled by the threads that will read
// them, and are small whole numbers: every result is the sequential codelet's, in float as in double, bit for bit.
//
// A ratio is a contender's time by that of the folder's library in the same round, so what changes from round to round,
// a clock, a neighbour, is in both: the median of all rounds, and between which two it is with a probability of 95 %.
#include "loops.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <random>

// Of the folder, in the table that the comparison is built with.
extern const char *const spectrum;
extern const char *const variant_ids[];
extern const int variant_count;
extern const char *const other_members[]; // of a configuration: of codelets' own, behind those that all have
extern const int other_count;

namespace {

struct Options {
  std::vector<std::pair<uint64_t, uint64_t>> cases;
  int rounds = 11;
  bool variants = false;
};

// The i-th of a variant's configurations.
Configuration compiled(const void *all, int i) {
  const size_t bytes = offsetof(Configuration, others) + (size_t)other_count * sizeof(int), aligned = alignof(Configuration);
  Configuration c = {};
  std::memcpy(&c, (const char *)all + (size_t)i * ((bytes + aligned - 1) / aligned * aligned), bytes);
  return c;
}

// "threads": 0, "loads": 4, "blocks": 1, and the others.
std::string set_to(const Configuration &c) {
  std::string text = "\"threads\": " + std::to_string(c.threads) + ", \"loads\": " + std::to_string(c.loads) +
                     ", \"blocks\": " + std::to_string(c.blocks);
  for (int i = 0; i < other_count; i++)
    text += std::string(", \"") + other_members[i] + "\": " + std::to_string(c.others[i]);
  return text;
}

struct Contender {
  std::string name, id;
  Configuration c;
  std::function<void(uint64_t calls)> run;
  uint64_t reads; // bytes, where that is all it does; 0: its result is checked
  bool apart;     // it has threads of its own
  uint64_t calls;
  std::vector<double> us; // of each round

  double time() const {
    return time_of([this] { run(calls); }, 1) / (double)calls;
  }
  void warm_up(double wake_us = 200) const {
    ::warm_up([this] { run(1); }, wake_us);
  }
  void call_for(double about_us) {
    calls = calls_for([this] { run(1); }, about_us);
  }
};

// The middle one of several, between the second lowest and the second highest.
struct Spread { double low, middle, high; };
Spread spread_of(std::vector<double> of) {
  std::sort(of.begin(), of.end());
  const size_t n = of.size(), second = n > 2 ? 1 : 0;
  return {of[second], of[n / 2], of[n - 1 - second]};
}

// .. between those of them that the median of many more is between, with a probability of 95 %.
Spread median_of(std::vector<double> of) {
  std::sort(of.begin(), of.end());
  const size_t n = of.size();
  const size_t low = (size_t)std::max(0.0, ((double)n - 1.96 * std::sqrt((double)n)) / 2);
  return {of[low], of[n / 2], of[n - 1 - low]};
}

// Within the quotes of JSON.
std::string quoted(std::string text) {
  for (char &c : text)
    if (c == '"' || c == '\\' || (unsigned char)c < ' ') c = '\'';
  return text;
}

void failed(const Entry &e, uint64_t n, uint64_t all, const Contender &c, const std::string &what) {
  std::printf("{\"kind\": \"failure\", \"type\": \"%s\", \"n\": %llu, \"all\": %llu, \"contender\": \"%s\", "
              "\"id\": \"%s\", \"what\": \"%s\"}\n", e.type, (unsigned long long)n, (unsigned long long)all,
              c.name.c_str(), c.id.c_str(), quoted(what).c_str());
}

// ---- the folder's library ----

struct Ours {
  const Entry &e;
  const Problem &p;
  std::vector<char> workspace;
  std::map<std::string, std::vector<char>> of_variants;

  static void *symbol(const std::string &name) {
    void *f = dlsym(RTLD_DEFAULT, name.c_str());
    if (!f) throw Failure{"launch", "no function " + name};
    return f;
  }
  static void must(int error) {
    if (error) throw Failure{"launch", std::strerror(error)};
  }

  Contender library() {
    void *f = symbol(std::string(spectrum) + "_" + e.type);
    size_t bytes = 0;
    must(e.call_library(f, nullptr, &bytes, p.slots(), 1));
    workspace.assign(std::max<size_t>(bytes, 1), 0);
    return {"ours", "", {}, [this, f](uint64_t calls) {
      size_t given = workspace.size();
      must(e.call_library(f, workspace.data(), &given, p.slots(), calls));
    }, 0, false, 1, {}};
  }

  Contender variant(const std::string &id, const Configuration &c) {
    void *f = symbol(std::string(spectrum) + "_" + id + "_" + e.type);
    size_t bytes = 0;
    must(e.call(f, &c, nullptr, &bytes, p.slots()));
    std::vector<char> &w = of_variants[id + set_to(c)];
    w.assign(std::max<size_t>(bytes, 1), 0);
    return {"variant", id, c, [this, f, c, &w](uint64_t calls) {
      size_t given = w.size();
      for (uint64_t i = 0; i < calls; i++) must(e.call(f, &c, w.data(), &given, p.slots()));
    }, 0, false, 1, {}};
  }

  // Every variant as it was compiled, by one thread and by all.
  std::vector<Contender> variants(uint64_t elements) {
    const uint64_t too_few = 1 << 9, too_many = 1 << 21;
    std::vector<Contender> found;
    for (int i = 0; i < variant_count; i++) {
      const std::string name = std::string(spectrum) + "_" + variant_ids[i] + "_configurations";
      const void *all = symbol(name);
      for (int k = 0; compiled(all, k).threads || compiled(all, k).loads; k++)
        for (int64_t blocks = elements < too_many ? 1 : 0; blocks >= (elements > too_few ? 0 : 1); blocks--) {
          Configuration c = compiled(all, k);
          c.threads = 0; // the lanes that there are
          c.blocks = blocks;
          found.push_back(variant(variant_ids[i], c));
        }
    }
    return found;
  }
};

// ---- one case ----

struct Case {
  const Options &o;
  const Entry &e;
  uint64_t n, all;
  Problem p;
  Ours ours;
  std::vector<Contender> contenders;
  bool apart = false; // did the last one to run have threads of its own?
  Peace peace;

  Case(const Options &options, const Entry &entry, uint64_t n_, uint64_t all_)
      : o(options), e(entry), n(n_), all(all_), p(entry, n_, all_), ours{entry, p, {}, {}} {}

  uint64_t elements() const { return all ? all : n; }

  bool is_right(Contender &c) {
    try {
      p.reset();
      c.run(1);
      const std::string what = c.reads ? "" : p.difference();
      if (what.empty()) return true;
      failed(e, n, all, c, what);
    } catch (const Failure &f) {
      failed(e, n, all, c, f.text);
    }
    p.reset(true); // for the others
    return false;
  }

  // `ratio': to ours; nothing, where there is no such thing.
  void print(const Contender &c, Spread us, size_t rounds, const Spread *ratio) const {
    std::printf("{\"kind\": \"measurement\", \"type\": \"%s\", \"n\": %llu, \"all\": %llu, \"contender\": \"%s\", ",
                e.type, (unsigned long long)n, (unsigned long long)all, c.name.c_str());
    if (!c.id.empty())
      std::printf("\"id\": \"%s\", %s, ", c.id.c_str(), set_to(c.c).c_str());
    if (c.name == "ours") std::printf("\"moved\": %llu, ", (unsigned long long)bytes_moved(p));
    if (c.reads) std::printf("\"bytes\": %llu, ", (unsigned long long)c.reads);
    if (ratio)
      std::printf("\"ratio\": %.4g, \"least\": %.4g, \"most\": %.4g, ", ratio->middle, ratio->low, ratio->high);
    std::printf("\"us\": %.6g, \"low\": %.6g, \"high\": %.6g, \"rounds\": %zu, \"calls\": %llu}\n", us.middle, us.low,
                us.high, rounds, (unsigned long long)c.calls);
  }

  void keep_right() {
    std::vector<Contender> right;
    for (Contender &c : contenders)
      if (is_right(c)) right.push_back(c);
    contenders = right;
  }

  // The variant that a quick look likes best.
  void add_best_variant() {
    const double look_us = 300 * budget_share();
    std::vector<Contender> all_of_them;
    try {
      all_of_them = ours.variants(elements());
    } catch (const Failure &f) {
      failed(e, n, all, {"variant", "", {}, nullptr, 0, false, 1, {}}, f.text);
    }
    const Contender *best = nullptr;
    double least = 0;
    for (Contender &c : all_of_them) {
      if (!is_right(c)) continue;
      c.call_for(look_us);
      double us = c.time();
      for (int i = 0; i < 2; i++) us = std::min(us, c.time());
      if (o.variants) {
        Contender look = c;
        look.name = "look";
        print(look, {us, us, us}, 1, nullptr);
      }
      if (best && us >= least) continue;
      best = &c;
      least = us;
    }
    if (best) contenders.push_back(*best);
  }

  void add(const char *name, std::function<void(uint64_t)> run, uint64_t reads, bool apart) {
    contenders.push_back({name, "", {}, std::move(run), reads, apart, 1, {}});
  }
  void add(const char *name, void (*run)(const Slot *), uint64_t reads, bool apart) {
    add(name, [this, run](uint64_t calls) {
      for (uint64_t i = 0; i < calls; i++) run(p.slots());
    }, reads, apart);
  }

  void gather() {
    const uint64_t serial_most = 1 << 16, reading_least = 1 << 20;
    const Loops *loops = std::find_if(all_loops, all_loops + all_loop_count,
                                      [&](const Loops &l) { return std::string(l.type) == e.type; });
    contenders.push_back(ours.library());
    add_best_variant();
    for (const Loop *l = loops->openmp; l->name; l++) add(l->name, l->run, 0, false);
    if (elements() <= serial_most)
      for (const Loop *l = loops->serial; l->name; l++) add(l->name, l->run, 0, false);
    std::string why;
    if (BlasCalls *run = blas_of(e.type, &why))
      add("openblas", [this, run](uint64_t calls) { run(p.slots(), calls); }, 0, true);
    const uint64_t reads = set_reading(p);
    if (elements() >= reading_least && reads)
      for (const Loop *l = reading_loops; l->name; l++) add(l->name, l->run, reads, false);
  }

  // Threads that have nothing to do spin for a while: those of others must have gone to sleep. So have the next one's,
  // and where they wake, perhaps on one processor, they stay for a while: who comes next would pay for that.
  void change_threads(const Contender &next) {
    const useconds_t spinning_us = 30000;
    const double settling_us = 10000;
    if (next.apart == apart) return;
    usleep((useconds_t)(spinning_us * budget_share()));
    apart = next.apart;
    next.warm_up(settling_us);
  }

  // In another order each round, so that nobody has always the same one before him.
  void take_turns() {
    const double sample_us = 2000 * budget_share(); // several calls even where they come from memory: the first finds what others left
    for (Contender &c : contenders) {
      change_threads(c);
      c.call_for(sample_us);
    }
    std::vector<Contender *> order;
    for (Contender &c : contenders) order.push_back(&c);
    std::mt19937 random(1);
    for (int round = 0; round < o.rounds; round++) {
      std::shuffle(order.begin(), order.end(), random);
      for (Contender *c : order) {
        change_threads(*c);
        c->us.push_back(peace.time([c] {
          c->warm_up();
          return c->time();
        }));
      }
    }
  }

  void print(const Contender &c) const {
    const Contender &ours = contenders[0];
    std::vector<double> ratios;
    for (size_t round = 0; round < c.us.size(); round++) ratios.push_back(c.us[round] / ours.us[round]);
    const Spread ratio = median_of(ratios);
    print(c, spread_of(c.us), c.us.size(), ours.name == "ours" ? &ratio : nullptr);
  }

  void run() {
    gather();
    keep_right();
    take_turns();
    keep_right();
    for (const Contender &c : contenders) print(c);
  }
};

void introduce() {
  const Machine m = this_machine();
  std::printf("{\"kind\": \"device\", \"name\": \"%s\", \"caches\": \"%s\", \"governor\": \"%s\", "
              "\"processors\": %d, \"threads\": %d, \"nodes\": %d, \"last_cache\": %llu, \"memory\": %llu, "
              "\"compiler\": \"%s\", \"meeting\": %.3g, \"waking\": %.3g}\n",
              quoted(m.name).c_str(), m.caches.c_str(), m.governor.c_str(), m.processors, m.threads, m.nodes,
              (unsigned long long)m.last_cache, (unsigned long long)m.memory, m.compiler.c_str(), m.meeting,
              m.waking);
#if !defined LOOPS_none // of what nobody is known to compute there is nothing to say
  for (int i = 0; i < all_loop_count; i++) {
    std::string why;
    if (blas_of(all_loops[i].type, &why)) continue;
    std::printf("{\"kind\": \"note\", \"text\": \"%s.\"}\n", quoted(why).c_str());
  }
#endif
}

bool read_options(int argc, char **argv, Options *o) {
  for (int i = 1; i < argc; i++) {
    const std::string word = argv[i];
    if (word == "--variants") o->variants = true;
    else if (word == "--rounds" && i + 1 < argc) o->rounds = atoi(argv[++i]);
    else if (word == "--cases" && i + 1 < argc)
      for (char *s = argv[++i]; *s; s += *s == ',') {
        const uint64_t n = strtoull(s, &s, 10);
        if (*s++ != ':') return false;
        o->cases.push_back({n, strtoull(s, &s, 10)});
      }
    else return false;
  }
  return o->rounds > 0 && !o->cases.empty();
}

} // namespace

int main(int argc, char **argv) {
  Options o;
  setvbuf(stdout, nullptr, _IOLBF, 0);
  if (!read_options(argc, argv, &o)) return 2;
  introduce();
  for (int i = 0; i < entry_count; i++)
    for (const auto &[n, all] : o.cases) {
      try {
        Case(o, entries[i], n, all).run();
      } catch (const Failure &f) {
        failed(entries[i], n, all, {"ours", "", {}, nullptr, 0, false, 1, {}}, f.text);
      }
    }
  return 0;
}
