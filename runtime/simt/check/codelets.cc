// codelets.cc: each codelet by itself against the sequential one of its spectrum, both executed by language.h: no plan,
// no kernel and nothing of the compiler is in between. Its file has the table, and the codelets' choices (language.h).
//
//   codelet SPECTRUM TAB NAME TAB WHERE TAB TYPE TAB RUNS     it agrees
//   wrong SPECTRUM TAB NAME TAB WHERE TAB TYPE TAB HOW TAB SIZES TAB GOT TAB WANT TAB WHAT
#include <stdio.h>
#include <stdlib.h>

#include <algorithm>
#include <exception>
#include <string>

#include "codelets.h"
#include "problem.h"

namespace check {

// A choice, and its words.
struct Told {
  Choice choice;
  std::string text;
};

static std::vector<Told> choices_of(const CodeletRow &row, uint64_t n) {
  std::vector<Told> all;
  const std::pair<long long, long long> parts[] = {{1, 1}, {2, 3}, {3, 2}, {7, 5}, {32, 4}, {(long long)n + 1, 3}};
  if (row.kind == COMPOUND)
    for (const auto &[p, others] : parts)
      for (int atomic = 0; atomic < 2; atomic++)
        all.push_back({{p, others, atomic != 0, 64, 32},
                       "with " + std::to_string(p) + " parts" + (atomic ? ", atomically" : "")});
  if (row.kind == AUTONOMOUS) all.push_back({{3, 3, false, 64, 32}, "alone"});
  for (int lanes = row.least_lanes; row.kind == COOPERATIVE && lanes <= row.most_lanes && lanes <= 4 * row.least_lanes;
       lanes *= 4)
    if ((uint64_t)lanes >= n || row.rounds)
      all.push_back({{3, 3, false, lanes, row.vector}, "with " + std::to_string(lanes) + " lanes"});
  if (row.kind == COOPERATIVE && all.empty() && (uint64_t)row.most_lanes >= n)
    all.push_back({{3, 3, false, row.most_lanes, row.vector}, "with " + std::to_string(row.most_lanes) + " lanes"});
  return all;
}

struct Outcome { int runs; bool failed; };

static void say(const CodeletRow &row, const std::string &how, const std::string &sizes, const char *got,
                const char *want, const std::string &what) {
  printf("wrong %s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", row.spectrum, row.name, row.where, row.type, how.c_str(),
         sizes.c_str(), got, want, what.c_str());
}

// Both know how far they may be from what is right: they may be as far apart as both together.
static bool agree(const CodeletRow &row, const Problem &p, const Results &want, const Results &got,
                  const std::string &how, const std::string &sizes) {
  for (int i = 0; i < p.operands->count; i++) {
    if (!p.operands->at[i].written) continue;
    Results::Array a = want.arrays[(size_t)i];
    const Results::Array &b = got.arrays[(size_t)i];
    for (size_t k = 0; k < a.tolerance.size(); k++) a.tolerance[k] += b.tolerance[k];
    for (uint64_t k = 0; k < a.tolerance.size(); k++) {
      const char *x = a.value.data() + k * bytes_of(a.type), *y = b.value.data() + k * bytes_of(b.type);
      if (is_right(a.type, x, a.tolerance[k], b.type, y)) continue;
      char got_text[200], want_text[200];
      print_value(got_text, sizeof got_text, b.type, y);
      print_value(want_text, sizeof want_text, a.type, x);
      return say(row, how, sizes, got_text, want_text, position_text(*p.operands, i, p.sizes, k)), false;
    }
  }
  return true;
}

// One problem for all codelets of a spectrum and a type; `first' is the row that the others are compared with. Of an
// inner spectrum what is drawn need not be what it is given there: places that are none are no operands of it.
static void compare(const CodeletRow &first, const Shape &shape, Data data, uint64_t seed, Outcome *outcomes) {
  const Entry e = {"", first.type, NOTHING, first.parameters, first.reference.count, nullptr, nullptr};
  const Problem p = make_problem(*first.operands, e, first.reference, shape, data, seed);
  const std::string sizes = shape_text(*first.operands, shape.sizes);
  choose({3, 3, false, 64, 32});
  const Results want = results_of(p, first.reference);
  for (int i = 0; i < codelet_count; i++) {
    const CodeletRow &row = codelets[i];
    if (outcomes[i].failed || strcmp(row.spectrum, first.spectrum) || strcmp(row.type, first.type)) continue;
    if (row.applied && !want.impossible.empty() && !row.inner) {
      say(row, "alone", sizes, "-", "-", want.impossible);
      outcomes[i].failed = true;
    }
    if (row.applied || !want.impossible.empty()) continue;
    for (const Told &c : choices_of(row, p.n)) {
      choose(c.choice);
      const Results got = results_of(p, row.reference);
      outcomes[i].runs++;
      if (!got.impossible.empty()) say(row, c.text, sizes, "-", "-", got.impossible);
      if (!got.impossible.empty() || !agree(row, p, want, got, c.text, sizes)) {
        outcomes[i].failed = true;
        break;
      }
    }
  }
}

static bool has_reals(const CodeletRow &row) {
  for (int i = 0; i < row.operands->count; i++)
    if (row.operands->at[i].kind == ARRAY && is_floating(row.parameters[i].type)) return true;
  return false;
}

static void run_all(const std::vector<uint64_t> &ns) {
  std::vector<Outcome> outcomes((size_t)codelet_count);
  for (int i = 0; i < codelet_count; i++) {
    if (!codelets[i].applied) continue;
    for (uint64_t n : ns)
      for (const Shape &shape : shapes_of(*codelets[i].operands, n, 64))
        for (int data = EXACT; data <= (has_reals(codelets[i]) ? SPECIAL : EXACT); data++)
          compare(codelets[i], shape, (Data)data, n + (uint64_t)data, outcomes.data());
  }
  for (int i = 0; i < codelet_count; i++)
    if (!outcomes[(size_t)i].failed && !codelets[i].applied)
      printf("codelet %s\t%s\t%s\t%s\t%d\n", codelets[i].spectrum, codelets[i].name, codelets[i].where,
             codelets[i].type, outcomes[(size_t)i].runs);
}

} // namespace check

// SIZE..: besides those that are always tried.
int main(int argc, char **argv) {
  std::vector<uint64_t> ns = {0, 1, 2, 3, 7, 31, 32, 33, 100, 257};
  for (int i = 1; i < argc; i++) ns.push_back(strtoull(argv[i], nullptr, 10));
  check::run_all(ns);
  return fflush(stdout) == 0 ? 0 : 4;
}
