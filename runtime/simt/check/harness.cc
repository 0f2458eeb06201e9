// harness.cc: runs one variant over sizes, seeds, alignments and data, and says what was wrong, a line each.
//
//   harness VARIANT SEEDS ORDERS TIMEOUT SIZE..   runs it; exit status 0 whatever it finds
//   fail KIND TAB TYPE TAB SIZES TAB SEED TAB OFFSET TAB DATA TAB GOT TAB WANT TAB WHAT
//   done RUNS DIGEST                              a hash of the results' bits in its own configuration
// The same text runs on the CPU executor (TGC_SIMT), on a GPU, and a CPU's own variants (TGC_NATIVE). A crash or a run
// past TIMEOUT seconds ends the process, after a line that says where it was.
#include "harness.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <string>

#include "problem.h"

namespace check {

// ---- where we are, for signal handlers too ----

enum { PAGE_END = -1 };

struct Case {
  const Entry *entry;
  uint64_t seed;
  int offset; // elements past a 256-byte boundary; PAGE_END: it ends where a page does
  Data data;
  char sizes[200]; // "n = 33"
};
static Case at;

// What a run that does not end is reported as: the sequential codelet's is no variant's.
static const char *volatile endless = "no end in sight";

static void fail(const char *kind, const char *got, const char *want, const char *what) {
  char line[2048];
  int n = snprintf(line, sizeof line, "fail %s\t%s\t%s\t%llu\t%d\t%s\t%s\t%s\t%s\n", kind,
                   at.entry ? at.entry->type : "-", at.sizes, (unsigned long long)at.seed,
                   at.offset, data_name(at.data), got, want, what);
  if (n >= (int)sizeof line) line[(n = sizeof line - 1) - 1] = '\n';
  if (write(STDOUT_FILENO, line, (size_t)n) != n) _exit(4);
}

// How all cases are run.
struct Run {
  int orders, timeout, runs; // orders: calls with each data set, each in another order of blocks and lanes
  uint64_t digest;
};

// One way to call a variant: `calls' in one workspace, each in another order of blocks and lanes or of threads, then
// one more with so many `blocks', if that is not 0.
struct Setting {
  Configuration configuration; // 0, 0, 0: the variant's own
  int calls, blocks, processors; // processors: that a CPU has
};

} // namespace check

// Where variants run: memory that is exactly what was asked for, and what is seen there.
#ifdef TGC_NATIVE
#include "sanitizers.h"
#include "place_native.h"
#elif defined(TGC_SIMT)
#include "place_simt.h"
#else
#include "place_device.h"
#endif

namespace check {

// ---- signals ----

// snprintf is no signal-safe function; where it goes wrong the process is lost anyway, and the parent says so.
static void on_signal(int number, siginfo_t *info, void *) {
  const bool access = number == SIGSEGV || number == SIGBUS;
  if (number == SIGALRM) {
    signal(SIGALRM, SIG_DFL); // where asking for the line goes wrong
    alarm(20);
    const std::string line = codelet_line();
    fail("timeout", "-", "-", line.empty() ? endless : (std::string(endless) + ", at " + line).c_str());
  } else if (!access || !report_access(info->si_addr))
    fail("crash", "-", "-", access ? "invalid memory access" : strsignal(number));
  _exit(3);
}

static void catch_signals() {
  static char stack[64 * 1024];
  stack_t alternative = {};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof stack;
  sigaltstack(&alternative, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_ONSTACK | SA_SIGINFO;
  for (int s : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) sigaction(s, &action, nullptr);
}

// ---- one case ----

// The operands of one problem, in the device's memory.
struct Placed {
  const Problem *problem;
  std::vector<Place> places;  // by operand; none for sizes and numbers
  std::vector<Slot> slots;
  bool ok;                    // there was room for all
};

static size_t bytes_in(const Problem &p, int array) {
  return extent_of(*p.operands, array, p.sizes) * bytes_of(p.types[array].type);
}

// Arrays begin `at.offset' elements past a boundary, each further one another element; a single result at one, and all
// arrays of a whole shape.
static Placed place_operands(const Problem &p) {
  const Operands &o = *p.operands;
  Placed placed = {&p, std::vector<Place>((size_t)o.count), std::vector<Slot>((size_t)o.count), true};
  int arrays = 0;
  for (int i = 0; i < o.count; i++) {
    Slot &slot = placed.slots[(size_t)i];
    slot.size = p.sizes[(size_t)i];
    if (o.at[i].kind == NUMBER) memcpy(slot.number, p.values[(size_t)i].data(), bytes_of(p.types[i].type));
    if (o.at[i].kind != ARRAY) continue;
    const int offset = o.at[i].sizes[0] < 0 || p.whole ? 0 : arrays ? (at.offset + arrays) % 4 : at.offset;
    int64_t begin = (int64_t)offset * (int64_t)bytes_of(p.types[i].type);
    if (at.offset == PAGE_END || (ENDS && o.at[i].sizes[0] < 0)) begin = PAGE_END;
    const Place place = make_place(bytes_in(p, i), begin, o.at[i].name);
    arrays++;
    placed.ok &= place.begin != nullptr;
    placed.places[(size_t)i] = place;
    slot.pointer = place.begin;
    if (place.begin && !o.at[i].written) fill(place, p.values[(size_t)i].data(), bytes_in(p, i));
  }
  return placed;
}

typedef std::vector<Bytes> Written; // by operand

// What is wrong with an array: at the first element that is.
static void report(const char *kind, const Problem &p, int array, int64_t i, const Bytes &got, const Type &type,
                   const Bytes &wanted, const char *what) {
  char got_text[200], want_text[200];
  const Type &mine = p.types[array].type;
  print_value(got_text, sizeof got_text, mine, got.data() + (size_t)i * bytes_of(mine));
  print_value(want_text, sizeof want_text, type, wanted.data() + (size_t)i * bytes_of(type));
  const std::string place = position_text(*p.operands, array, p.sizes, (uint64_t)i);
  const std::string words = is_reduction(*p.operands) ? what : place + ", " + what;
  fail(kind, got_text, want_text, words.c_str());
}

// "the first call"
static std::string call_text(const Configuration &c, int which) {
  if (!c.threads && !c.loads && c.blocks) return "a call with " + std::to_string(c.blocks) + " blocks";
  std::string text = which ? "a further call in one workspace" : "the first call";
  if (c.threads) text += " of configuration " + std::to_string(c.threads) + ", " + std::to_string(c.loads) + ", " +
                         std::to_string(c.blocks);
  return text;
}

// One call into the given workspace; what it wrote in got. Returns false, with the failure reported, when it goes
// wrong. On the CPU call number `which' runs its blocks and lanes in an order of its own.
static bool call(const Run &run, const Place &workspace, size_t bytes, const Placed &placed, const Results &want,
                 int which, const Configuration &c, Written *got) {
  const Problem &p = *placed.problem;
  const Operands &o = *p.operands;
  size_t passed = bytes;
  set_deadline(run.timeout);
  for (int i = 0; i < o.count; i++) {
    if (o.at[i].kind != ARRAY || !o.at[i].written) continue;
    if (o.at[i].read) put(placed.places[(size_t)i], p.values[(size_t)i].data(), bytes_in(p, i));
    else poison(placed.places[(size_t)i], bytes_in(p, i));
  }
  if (which) spoil(workspace, bytes);
  begin_call(at.seed * (uint64_t)run.orders + (uint64_t)which);
  const Error error = finish(at.entry->run(c, workspace.begin, &passed, placed.slots.data()));
  const std::string call = call_text(c, which);
  if (report_faults()) return false;
  if (error != success) {
    fail("error", error_name(error), error_name(success), call.c_str());
    return false;
  }
  got->assign((size_t)o.count, Bytes());
  for (int i = 0; i < o.count; i++) {
    if (o.at[i].kind != ARRAY || !o.at[i].written) continue;
    Bytes &mine = (*got)[(size_t)i];
    const Results::Array &a = want.arrays[(size_t)i];
    mine.assign(bytes_in(p, i) + MOST_BYTES, 0);
    fetch(mine.data(), placed.places[(size_t)i], bytes_in(p, i));
    const int counter = o.at[i].holds == QUEUE ? o.at[i].into : -1; // which comes before it
    if (counter >= 0) sort_queue(p, i, p.types[i].type, (*got)[(size_t)counter], p.types[counter].type, &mine);
    const int64_t wrong = first_wrong(p, want, i, mine);
    if (wrong < 0) continue;
    char what[160];
    snprintf(what, sizeof what, "%s; tolerance %.3g", call.c_str(), a.tolerance[(size_t)wrong]);
    report("wrong", p, i, wrong, mine, a.type, a.value, what);
    return false;
  }
  return true;
}

// Who promises certain bits has given them. Where the sign of a zero is the plan's, the sequential codelet has
// another's. With `exact', bits are asked only of elements that are not rounded: whose tolerance there is 0.
static bool keeps(Promise promise, const Problem &p, const Written &got, const Written &wanted, const char *what,
                  const Results *exact = nullptr) {
  if (at.entry->promise < promise) return true;
  for (size_t i = 0; i < got.size(); i++) {
    if (got[i].empty() || wanted[i].empty()) continue;
    const int64_t other = first_other(p, (int)i, got[i], wanted[i], promise == SEQUENTIAL && !zeros_have_signs,
                                      exact ? &exact->arrays[i].tolerance : nullptr);
    if (other < 0) continue;
    report("order", p, (int)i, other, got[i], p.types[i].type, wanted[i], what);
    return false;
  }
  return true;
}

static Written own_of(const Results &want) {
  Written own;
  for (const Results::Array &a : want.arrays) own.push_back(a.own);
  return own;
}

// All calls of a setting on one place of the data; what the first wrote in `first'.
static bool calls(Run *run, const Setting &s, const Place &workspace, size_t bytes, const Placed &placed,
                  const Results &want, Written *first) {
  const Problem &p = *placed.problem;
  Written got;
  Configuration c = s.configuration;
  if (!call(*run, workspace, bytes, placed, want, 0, c, first)) return false;
  if (!keeps(SEQUENTIAL, p, *first, own_of(want),
             "other bits than the sequential codelet's, and the variant promises those", FUSES ? &want : nullptr))
    return false;
  for (int which = 1; which < s.calls; which++)
    if (!call(*run, workspace, bytes, placed, want, which, c, &got) ||
        !keeps(RUN_TO_RUN, p, got, *first,
               "a further call gives other bits than the first, and the variant promises the same"))
      return false;
  run->runs += s.calls + (s.blocks > 0);
  if (!s.blocks) return true;
  c.blocks = s.blocks;
  return call(*run, workspace, bytes, placed, want, 0, c, &got) &&
         keeps(SEQUENTIAL, p, got, *first, "3 blocks give other bits, and the variant promises the same in any order");
}

// A call leaves the workspace ready for another, whichever variant's that is. Where all of it is zero at first, words
// in it say of which call they are.
static bool head_is_zero(const Place &workspace, size_t bytes) {
  if (workspace_head == INT_MAX) return true;
  std::vector<unsigned char> head(bytes < workspace_head ? bytes : workspace_head);
  fetch(head.data(), workspace, head.size());
  for (unsigned char c : head)
    if (c) return false;
  return true;
}

// Nothing was written but what is to be written.
static bool all_intact(const Placed &placed, const Place &workspace, size_t bytes) {
  const Problem &p = *placed.problem;
  for (int i = 0; i < p.operands->count; i++) {
    const Operand &o = p.operands->at[i];
    if (o.kind != ARRAY) continue;
    if (!is_intact(placed.places[(size_t)i], bytes_in(p, i))) return false;
    if (!o.written && !holds(placed.places[(size_t)i], p.values[(size_t)i].data(), bytes_in(p, i))) return false;
  }
  return is_intact(workspace, bytes);
}

// In a workspace of its own; what the first call wrote in `first'.
static bool run_setting(Run *run, const Setting &s, Placed &placed, const Results &want, Written *first) {
  const Entry &e = *at.entry;
  size_t bytes = 0;
  set_deadline(run->timeout);
  begin_setting(s);
  const Error error = e.run(s.configuration, nullptr, &bytes, placed.slots.data());
  if (error != success || bytes == 0) {
    fail("error", error_name(error), error_name(success), "the workspace query");
    return false;
  }
  Place workspace = make_place(bytes, WORKSPACE_OFFSET, "workspace");
  bool ok = false;
  if (!workspace.begin || !placed.ok) {
    fail("error", "out of memory", "-", "the harness has no room for this size");
  } else {
    poison(workspace, bytes);
    zero(workspace, bytes < workspace_head ? bytes : workspace_head); // as the library's workspace_init
    ok = calls(run, s, workspace, bytes, placed, want, first);
    if (ok && !all_intact(placed, workspace, bytes)) {
      fail("bounds", "-", "-", "wrote outside its input, output or workspace");
      ok = false;
    }
    if (ok && !head_is_zero(workspace, bytes)) {
      fail("contract", "-", "-", "left the start of its workspace not as the next call needs it: all zero");
      ok = false;
    }
    size_t little = bytes - 1;
    if (ok && bytes > 1 && e.run(s.configuration, workspace.begin, &little, placed.slots.data()) == success) {
      fail("contract", error_name(success), error_name(refusal), "a workspace one byte too small");
      ok = false;
    }
  }
  placed.places.push_back(workspace); // given back with the rest
  return ok;
}

static bool run_case(Run *run, const Problem &problem, const Results &want, Written *first) {
  Placed placed = place_operands(problem);
  bool ok = true, own = true;
  Written other;
  for (const Setting &s : settings_of(*at.entry, *run, problem.n, at.seed + (uint64_t)at.offset)) {
    ok = ok && run_setting(run, s, placed, want, own ? first : &other) &&
         (own || s.configuration.blocks || s.configuration.threads ||
          keeps(GPU_TO_GPU, problem, other, *first,
                "other bits with other processors, and the variant promises the same"));
    own = false;
  }
  release(placed.places);
  set_deadline(0);
  return ok;
}

// ---- all cases of a variant ----

// Of the same type as far as both see it alike: what is only read.
static bool fits(const Reference &r, const Entry &e, const Operands &o) {
  if (strcmp(r.type, e.type) != 0 || r.count != e.count || o.count != e.count) return false;
  for (int i = 0; i < o.count; i++) {
    const Type &x = r.parameters[i].type, &y = e.parameters[i].type;
    if (r.parameters[i].kind != o.at[i].kind || e.parameters[i].kind != o.at[i].kind) return false;
    if (o.at[i].kind == ARRAY && !o.at[i].written && (x.kind != y.kind || bytes_of(x) != bytes_of(y))) return false;
  }
  return true;
}

static const Operands &operands_of(const Reference &r) { return r.operands ? *r.operands : reduction; }

static const Reference *reference_of(const Entry &e) {
  for (int i = 0; i < reference_count; i++)
    if (fits(references[i], e, operands_of(references[i]))) return &references[i];
  return nullptr;
}

// Big sizes cost the most and differ the least: fewer seeds, one alignment; of the biggest the data in
// which every element counts exactly, and reals only where bits are promised. Of several shapes each has a seed.
enum { FEW = 3000, MANY = 100000, FEW_IN_SHAPES = 300 };
static int seeds_for(uint64_t n, int seeds, bool alone) {
  return n > MANY || (!alone && n > FEW_IN_SHAPES) ? 1 : n > FEW && seeds > 2 ? 2 : seeds;
}

static std::vector<Data> data_for(const Entry &e, uint64_t n, bool reals) {
  if (!reals) return {EXACT};
  if (n > MANY && e.promise == NOTHING) return {EXACT};
  return n > FEW || !takes_specials() ? std::vector<Data>{EXACT, REAL} : std::vector<Data>{EXACT, REAL, SPECIAL};
}

static void digest(Run *run, const Problem &p, const Written &written) {
  for (size_t a = 0; a < written.size(); a++) {
    int count;
    const Type &type = p.types[a].type;
    const Member *m = members_of(type, &count);
    for (uint64_t e = 0; !written[a].empty() && e < extent_of(*p.operands, (int)a, p.sizes); e++)
      for (int i = 0; i < count; i++)
        for (size_t k = 0; k < bytes_of(m[i].kind) * (size_t)m[i].count; k++)
          run->digest = (run->digest ^ (unsigned char)written[a][e * bytes_of(type) + (size_t)m[i].offset + k]) *
                        0x100000001B3ull;
  }
}

// One data set at several places; where there are several shapes, `turn' of them, each at one.
static int run_data(Run *run, const Problem &p, const Results &want, bool alone, int turn) {
  static const int offsets[] = {0, 1, 3, PAGE_END}, places = ENDS ? 4 : 3;
  const bool all = alone && (p.n <= FEW || (at.entry->promise >= GPU_TO_GPU && p.n <= MANY));
  int failures = 0, tried = 0;
  Written first, here;
  for (int k = 0; k < places; k++) {
    if (!all && k != (p.whole ? 0 : (at.data + (int)at.seed + turn) % places)) continue;
    at.offset = offsets[k];
    bool ok = run_case(run, p, want, &here) &&
              (!tried || keeps(GPU_TO_GPU, p, here, first,
                               "other bits at another address, and the variant promises the same"));
    if (!tried++) first = here;
    failures += !ok;
    digest(run, p, here);
  }
  return failures;
}

static bool has_reals(const Entry &e, const Operands &o) {
  for (int i = 0; i < o.count; i++)
    if (o.at[i].kind == ARRAY && is_floating(e.parameters[i].type) && (!is_reduction(o) || i == 0)) return true;
  return false;
}

static void run_entry(Run *run, const Entry &e, int seeds, int sizes, char **size) {
  int failures = 0;
  const Reference *reference = reference_of(e);
  at = {&e, 0, 0, EXACT, "-"};
  if (!reference) return fail("error", "-", "-", "the reference has no function for this type");
  const Operands &o = operands_of(*reference);
  const char *accepted = unrefused(e, o);
  if (accepted) return fail("contract", "no error", "one", accepted);
  for (int s = 0; s < sizes; s++) {
    const uint64_t n = strtoull(size[s], nullptr, 10);
    const std::vector<Shape> shapes = shapes_of(o, n, most_parts);
    for (size_t shape = 0; shape < shapes.size(); shape++) {
      snprintf(at.sizes, sizeof at.sizes, "%s", shape_text(o, shapes[shape].sizes).c_str());
      for (const Data data : data_for(e, n, takes_reals() && has_reals(e, o))) {
        at.data = data;
        const int some = seeds_for(n, seeds, shapes.size() == 1), first = some == 1 ? (int)shape % seeds : 0;
        for (int seed = 1; seed <= some; seed++) {
          at.seed = (uint64_t)(first + seed);
          const Problem p = make_problem(o, e, *reference, shapes[shape], at.data, at.seed);
          endless = "the sequential codelet: no end in sight";
          set_deadline(run->timeout);
          const Results want = results_of(p, *reference);
          set_deadline(0);
          endless = "no end in sight";
          if (!want.impossible.empty()) return fail("error", "-", "-", want.impossible.c_str());
          failures += run_data(run, p, want, shapes.size() == 1, (int)shape);
          if (failures >= 3) return; // the rest would say the same
        }
      }
    }
  }
}

} // namespace check

int main(int argc, char **argv) {
  if (argc < 6) return 2;
  check::catch_signals();
  check::prepare();
  check::Run run = {atoi(argv[3]), atoi(argv[4]), 0, 0xCBF29CE484222325ull};
  for (int i = 0; i < check::entry_count; i++)
    if (strcmp(check::entries[i].variant, argv[1]) == 0)
      check::run_entry(&run, check::entries[i], atoi(argv[2]), argc - 5, argv + 5);
  printf("done %d %016llx\n", run.runs, (unsigned long long)run.digest);
  return fflush(stdout) == 0 ? 0 : 4;
}
