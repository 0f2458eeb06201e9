// harness.cc: runs one variant over sizes, seeds, alignments and data, and says what was wrong, a line each.
//
//   harness VARIANT SEEDS ORDERS TIMEOUT SIZE..   runs it; exit status 0 whatever it finds
//   fail KIND TAB TYPE TAB SIZES TAB SEED TAB OFFSET TAB DATA TAB GOT TAB WANT TAB WHAT
//   done RUNS DIGEST                              a hash of the results' bits in its own configuration
// The same text runs on the CPU executor (TGC_SIMT) and on a GPU. A crash or a run past TIMEOUT seconds ends the
// process, after a line that says where it was.
#include "harness.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <string>

#include "problem.h"
#ifdef TGC_SIMT
#include "../simt.h"
#endif

namespace check {

// ---- where we are, for signal handlers too ----

struct Case {
  const Entry *entry;
  uint64_t seed;
  int offset; // elements past a 256-byte boundary
  Data data;
  char sizes[200]; // "n = 33"
};
static Case at;

static void fail(const char *kind, const char *got, const char *want, const char *what) {
  char line[2048];
  int n = snprintf(line, sizeof line, "fail %s\t%s\t%s\t%llu\t%d\t%s\t%s\t%s\t%s\n", kind,
                   at.entry ? at.entry->type : "-", at.sizes, (unsigned long long)at.seed,
                   at.offset, data_name(at.data), got, want, what);
  if (n >= (int)sizeof line) line[(n = sizeof line - 1) - 1] = '\n';
  if (write(STDOUT_FILENO, line, (size_t)n) != n) _exit(4);
}

// snprintf is no signal-safe function; where it goes wrong the process is lost anyway, and the parent says so.
static void on_signal(int number) {
  if (number == SIGALRM) fail("timeout", "-", "-", "no end in sight");
  else fail("crash", "-", "-", number == SIGSEGV || number == SIGBUS ? "invalid memory access" : strsignal(number));
  _exit(3);
}

static void catch_signals() {
  static char stack[64 * 1024];
  stack_t alternative = {};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof stack;
  sigaltstack(&alternative, nullptr);
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_ONSTACK;
  for (int s : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) sigaction(s, &action, nullptr);
}

// ---- memory of the device: exactly what was asked for ----

#ifdef TGC_SIMT

struct Place {
  char *begin;
};
static Place make_place(size_t bytes, size_t offset) { return {(char *)simt::place(bytes, offset)}; }
static void fill(const Place &p, const void *from, size_t bytes) {
  memcpy(p.begin, from, bytes);
  simt::freeze(p.begin);
}
static void poison(const Place &p, size_t) { simt::poison(p.begin); }
// What is read and written.
static void put(const Place &p, const void *from, size_t bytes) {
  simt::poison(p.begin);
  if (bytes) cudaMemcpy(p.begin, from, bytes, cudaMemcpyHostToDevice);
}
static bool is_intact(const Place &, size_t) { return true; } // the executor watches the red zones itself ..
static bool holds(const Place &, const void *, size_t) { return true; } // .. and what is only read
static void fetch(void *to, const Place &p, size_t bytes) { memcpy(to, p.begin, bytes); }
static void release(const std::vector<Place> &) { simt::release_all(); }

#else

constexpr size_t guard = 256;
struct Place {
  char *begin, *block;
  size_t before;
};
static Place make_place(size_t bytes, size_t offset) {
  Place p = {nullptr, nullptr, guard + offset};
  if (cudaMalloc((void **)&p.block, p.before + bytes + guard) != cudaSuccess) return p;
  cudaMemset(p.block, 0x5A, p.before + bytes + guard);
  p.begin = p.block + p.before;
  return p;
}
static void fill(const Place &p, const void *from, size_t bytes) {
  cudaMemcpy(p.begin, from, bytes, cudaMemcpyHostToDevice);
}
static void poison(const Place &p, size_t bytes) { cudaMemset(p.begin, 0xFF, bytes); }
static void put(const Place &p, const void *from, size_t bytes) { fill(p, from, bytes); }
static bool holds(const Place &p, const void *wanted, size_t bytes) {
  std::vector<char> now(bytes + 1);
  cudaMemcpy(now.data(), p.begin, bytes, cudaMemcpyDeviceToHost);
  return memcmp(now.data(), wanted, bytes) == 0;
}
static bool is_intact(const Place &p, size_t bytes) {
  std::vector<unsigned char> before(p.before), after(guard);
  cudaMemcpy(before.data(), p.block, p.before, cudaMemcpyDeviceToHost);
  cudaMemcpy(after.data(), p.begin + bytes, guard, cudaMemcpyDeviceToHost);
  for (unsigned char c : before)
    if (c != 0x5A) return false;
  for (unsigned char c : after)
    if (c != 0x5A) return false;
  return true;
}
static void fetch(void *to, const Place &p, size_t bytes) { cudaMemcpy(to, p.begin, bytes, cudaMemcpyDeviceToHost); }
static void release(const std::vector<Place> &places) {
  for (const Place &p : places)
    if (p.block) cudaFree(p.block);
}

#endif

// ---- one case ----

// What the executor saw, a failure each. Returns how many.
static int report_faults() {
#ifdef TGC_SIMT
  int n = (int)simt::reports.size();
  for (const simt::Report &r : simt::reports) fail(simt::fault_name(r.fault), "-", "-", simt::describe(r).c_str());
  simt::reports.clear();
  return n;
#else
  return 0;
#endif
}

struct Run {
  int orders, timeout, runs; // orders: calls with each data set, each in another order of blocks and lanes
  uint64_t digest;
};

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

// Arrays begin `at.offset' elements past a boundary, each further one another element; a single result at one.
static Placed place_operands(const Problem &p) {
  const Operands &o = *p.operands;
  Placed placed = {&p, std::vector<Place>((size_t)o.count), std::vector<Slot>((size_t)o.count), true};
  int arrays = 0;
  for (int i = 0; i < o.count; i++) {
    Slot &slot = placed.slots[(size_t)i];
    slot.size = p.sizes[(size_t)i];
    if (o.at[i].kind == NUMBER) memcpy(slot.number, p.values[(size_t)i].data(), bytes_of(p.types[i].type));
    if (o.at[i].kind != ARRAY) continue;
    const int offset = o.at[i].sizes[0] < 0 ? 0 : arrays ? (at.offset + arrays) % 4 : at.offset;
    const Place place = make_place(bytes_in(p, i), (size_t)offset * bytes_of(p.types[i].type));
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

// One call into the given workspace; what it wrote in got. Returns false, with the failure reported, when it goes
// wrong. On the CPU call number `which' runs its blocks and lanes in an order of its own.
static bool call(const Run &run, const Place &workspace, size_t bytes, const Placed &placed, const Results &want,
                 int which, int blocks, Written *got) {
  const Problem &p = *placed.problem;
  const Operands &o = *p.operands;
  size_t passed = bytes;
  const char *call = blocks ? "a call with 3 blocks" : which ? "a further call in one workspace" : "the first call";
  alarm((unsigned)run.timeout);
  for (int i = 0; i < o.count; i++) {
    if (o.at[i].kind != ARRAY || !o.at[i].written) continue;
    if (o.at[i].read) put(placed.places[(size_t)i], p.values[(size_t)i].data(), bytes_in(p, i));
    else poison(placed.places[(size_t)i], bytes_in(p, i));
  }
#ifdef TGC_SIMT
  simt::options.seed = at.seed * (uint64_t)run.orders + (uint64_t)which;
#endif
  cudaError_t error = at.entry->run(blocks, workspace.begin, &passed, placed.slots.data(), nullptr);
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  if (report_faults()) return false;
  if (error != cudaSuccess) {
    fail("error", cudaGetErrorName(error), "cudaSuccess", call);
    return false;
  }
  got->assign((size_t)o.count, Bytes());
  for (int i = 0; i < o.count; i++) {
    if (o.at[i].kind != ARRAY || !o.at[i].written) continue;
    Bytes &mine = (*got)[(size_t)i];
    const Results::Array &a = want.arrays[(size_t)i];
    mine.assign(bytes_in(p, i) + MOST_BYTES, 0);
    fetch(mine.data(), placed.places[(size_t)i], bytes_in(p, i));
    const int64_t wrong = first_wrong(p, want, i, mine);
    if (wrong < 0) continue;
    char what[80];
    snprintf(what, sizeof what, "%s; tolerance %.3g", call, a.tolerance[(size_t)wrong]);
    report("wrong", p, i, wrong, mine, a.type, a.value, what);
    return false;
  }
  return true;
}

// Who promises certain bits has given them.
static bool keeps(Promise promise, const Problem &p, const Written &got, const Written &wanted, const char *what) {
  if (at.entry->promise < promise) return true;
  for (size_t i = 0; i < got.size(); i++) {
    if (got[i].empty() || wanted[i].empty()) continue;
    const int64_t other = first_other(p, (int)i, got[i], wanted[i]);
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

// All calls on one place of the data; what the first wrote in `first'.
static bool calls(Run *run, const Place &workspace, size_t bytes, const Placed &placed, const Results &want,
                  Written *first) {
  const Problem &p = *placed.problem;
  Written got;
  if (!call(*run, workspace, bytes, placed, want, 0, 0, first)) return false;
  if (!keeps(SEQUENTIAL, p, *first, own_of(want),
             "other bits than the sequential codelet's, and the variant promises those"))
    return false;
  for (int which = 1; which < run->orders; which++)
    if (!call(*run, workspace, bytes, placed, want, which, 0, &got) ||
        !keeps(RUN_TO_RUN, p, got, *first,
               "a further call gives other bits than the first, and the variant promises the same"))
      return false;
  run->runs += run->orders + 1;
  return call(*run, workspace, bytes, placed, want, 0, 3, &got) &&
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

static bool run_case(Run *run, const Problem &problem, const Results &want, Written *first) {
  const Entry &e = *at.entry;
  alarm((unsigned)run->timeout);
  size_t bytes = 0;
  Placed placed = place_operands(problem);
  bool ok = false;
  cudaError_t error = e.run(0, nullptr, &bytes, placed.slots.data(), nullptr);
  if (error != cudaSuccess || bytes == 0) {
    fail("error", cudaGetErrorName(error), "cudaSuccess", "the workspace query");
    release(placed.places);
    return false;
  }
  Place workspace = make_place(bytes, 0);
  if (!workspace.begin || !placed.ok) {
    fail("error", "out of memory", "-", "the harness has no room for this size");
  } else {
    poison(workspace, bytes);
    cudaMemset(workspace.begin, 0, bytes < workspace_head ? bytes : workspace_head); // as the library's workspace_init
    ok = calls(run, workspace, bytes, placed, want, first);
    if (ok && !all_intact(placed, workspace, bytes)) {
      fail("bounds", "-", "-", "wrote outside its input, output or workspace");
      ok = false;
    }
    if (ok && !head_is_zero(workspace, bytes)) {
      fail("contract", "-", "-", "left the start of its workspace not as the next call needs it: all zero");
      ok = false;
    }
    size_t little = bytes - 1;
    if (ok && bytes > 1 && e.run(0, workspace.begin, &little, placed.slots.data(), nullptr) == cudaSuccess) {
      fail("contract", "cudaSuccess", "cudaErrorInvalidValue", "a workspace one byte too small");
      ok = false;
    }
  }
  placed.places.push_back(workspace);
  release(placed.places);
  alarm(0);
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

// Big sizes cost the most and differ the least: fewer seeds, one alignment.
static int seeds_for(uint64_t n, int seeds) { return n > 100000 ? 1 : n > 10000 && seeds > 2 ? 2 : seeds; }

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
  static const int offsets[] = {0, 1, 3};
  const bool all = alone && (p.n <= 10000 || (at.entry->promise >= GPU_TO_GPU && p.n <= 100000));
  int failures = 0, tried = 0;
  Written first, here;
  for (int k = 0; k < 3; k++) {
    if (!all && k != (at.data + (int)at.seed + turn) % 3) continue;
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
  for (int s = 0; s < sizes; s++) {
    const uint64_t n = strtoull(size[s], nullptr, 10);
    const std::vector<Sizes> shapes = shapes_of(o, n);
    for (size_t shape = 0; shape < shapes.size(); shape++) {
      snprintf(at.sizes, sizeof at.sizes, "%s", shape_text(o, shapes[shape]).c_str());
      for (int data = EXACT; data <= (has_reals(e, o) ? REAL : EXACT); data++) {
        at.data = (Data)data;
        for (int seed = 1; seed <= seeds_for(n, seeds); seed++) {
          at.seed = (uint64_t)seed;
          const Problem p = make_problem(o, e, *reference, shapes[shape], at.data, at.seed, e.promise == SEQUENTIAL);
          const Results want = results_of(p, *reference);
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
#if defined(TGC_SIMT) && defined(TGC_CHECK_PLAIN)
  simt::options.hooked = false;
#endif
#if defined(TGC_SIMT) && !defined(__clang__)
  simt::options.by_turns = false; // blocks' shared memory cannot be set apart
#endif
#ifdef TGC_SIMT
  if (check::state) {
    simt::options.struct_bytes = (unsigned)check::state->bytes;
    simt::options.structs_from = (unsigned)check::workspace_head;
    simt::options.padding = check::padding_of(*check::state);
  }
#endif
  check::Run run = {atoi(argv[3]), atoi(argv[4]), 0, 0xCBF29CE484222325ull};
  for (int i = 0; i < check::entry_count; i++)
    if (strcmp(check::entries[i].variant, argv[1]) == 0)
      check::run_entry(&run, check::entries[i], atoi(argv[2]), argc - 5, argv + 5);
  printf("done %d %016llx\n", run.runs, (unsigned long long)run.digest);
  return fflush(stdout) == 0 ? 0 : 4;
}
