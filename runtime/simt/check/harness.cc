// harness.cc: runs one variant over sizes, seeds, alignments and data, and says what was wrong, a line each.
//
//   harness VARIANT SEEDS ORDERS TIMEOUT SIZE..   runs it; exit status 0 whatever it finds
//   fail KIND TAB TYPE TAB N TAB SEED TAB OFFSET TAB DATA TAB GOT TAB WANT TAB WHAT
//   done RUNS DIGEST                              a hash of the results' bits in its own configuration
// The same text runs on the CPU executor (TGC_SIMT) and on a GPU. A crash or a run past TIMEOUT seconds ends the
// process, after a line that says where it was.
#include "harness.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <string>

#include "data.h"
#ifdef TGC_SIMT
#include "../simt.h"
#endif

namespace check {

// ---- where we are, for signal handlers too ----

struct Case {
  const Entry *entry;
  uint64_t n, seed;
  int offset; // elements past a 256-byte boundary
  Data data;
};
static Case at;

static void fail(const char *kind, const char *got, const char *want, const char *what) {
  char line[2048];
  int n = snprintf(line, sizeof line, "fail %s\t%s\t%llu\t%llu\t%d\t%s\t%s\t%s\t%s\n", kind,
                   at.entry ? at.entry->type : "-", (unsigned long long)at.n, (unsigned long long)at.seed,
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
static bool is_intact(const Place &, size_t) { return true; } // the executor watches the red zones itself
static void fetch(void *to, const Place &p, size_t bytes) { memcpy(to, p.begin, bytes); }
static void release(std::initializer_list<Place>) { simt::release_all(); }

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
static void release(std::initializer_list<Place> places) {
  for (const Place &p : places) cudaFree(p.block);
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

// One call into the given workspace; its result's bytes in got. Returns false, with the failure reported, when it goes
// wrong. On the CPU call number `which' runs its blocks and lanes in an order of its own.
static bool call(const Run &run, const Place &workspace, size_t bytes, const Place &in, const Place &out,
                 const Expected &want, int which, int blocks, char got[MOST_BYTES]) {
  const Entry &e = *at.entry;
  size_t result_bytes = bytes_of(e.result), passed = bytes;
  const char *call = blocks ? "a call with 3 blocks" : which ? "a further call in one workspace" : "the first call";
  alarm((unsigned)run.timeout);
  poison(out, result_bytes);
#ifdef TGC_SIMT
  simt::options.seed = at.seed * (uint64_t)run.orders + (uint64_t)which;
#endif
  cudaError_t error = e.run(blocks, workspace.begin, &passed, in.begin, at.n, out.begin, nullptr);
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  if (report_faults()) return false;
  if (error != cudaSuccess) {
    fail("error", cudaGetErrorName(error), "cudaSuccess", call);
    return false;
  }
  char got_text[200], want_text[200];
  fetch(got, out, result_bytes);
  if (!is_right(want, e.result, got)) {
    print_value(got_text, sizeof got_text, e.result, got);
    print_value(want_text, sizeof want_text, want.type, want.value);
    char what[80];
    snprintf(what, sizeof what, "%s; tolerance %.3g", call, want.tolerance);
    fail("wrong", got_text, want_text, what);
    return false;
  }
  return true;
}

// Who promises certain bits has given them.
static bool keeps(Promise promise, const char got[MOST_BYTES], const char wanted[MOST_BYTES], const char *what) {
  const Entry &e = *at.entry;
  char got_text[200], want_text[200];
  if (e.promise < promise || same_bits(e.result, got, wanted)) return true;
  print_value(got_text, sizeof got_text, e.result, got);
  print_value(want_text, sizeof want_text, e.result, wanted);
  fail("order", got_text, want_text, what);
  return false;
}

// All calls on one place of the data; the bits of the first in `first'.
static bool calls(Run *run, const Place &workspace, size_t bytes, const Place &in, const Place &out,
                  const Expected &want, char first[MOST_BYTES]) {
  alignas(MOST_BYTES) char got[MOST_BYTES] = {0};
  if (!call(*run, workspace, bytes, in, out, want, 0, 0, first)) return false;
  if (want.own_known &&
      !keeps(SEQUENTIAL, first, want.own, "other bits than the sequential codelet's, and the variant promises those"))
    return false;
  for (int which = 1; which < run->orders; which++)
    if (!call(*run, workspace, bytes, in, out, want, which, 0, got) ||
        !keeps(RUN_TO_RUN, got, first,
               "a further call gives other bits than the first, and the variant promises the same"))
      return false;
  run->runs += run->orders + 1;
  return call(*run, workspace, bytes, in, out, want, 0, 3, got) &&
         keeps(SEQUENTIAL, got, first, "3 blocks give other bits, and the variant promises the same in any order");
}

// A call leaves the workspace ready for another, whichever variant's that is.
static bool head_is_zero(const Place &workspace, size_t bytes) {
  std::vector<unsigned char> head(bytes < workspace_head ? bytes : workspace_head);
  fetch(head.data(), workspace, head.size());
  for (unsigned char c : head)
    if (c) return false;
  return true;
}

static bool run_case(Run *run, const Elements &elements, const Expected &want, char first[MOST_BYTES]) {
  const Entry &e = *at.entry;
  alarm((unsigned)run->timeout);
  size_t bytes = 0, element = bytes_of(e.element), in_bytes = at.n * element;
  Place in = make_place(in_bytes, (size_t)at.offset * element), out = make_place(bytes_of(e.result), 0);
  fill(in, elements.bytes.data(), in_bytes);
  bool ok = false;
  cudaError_t error = e.run(0, nullptr, &bytes, in.begin, at.n, out.begin, nullptr);
  if (error != cudaSuccess || bytes == 0) {
    fail("error", cudaGetErrorName(error), "cudaSuccess", "the workspace query");
    release({in, out});
    return false;
  }
  Place workspace = make_place(bytes, 0);
  if (!workspace.begin || !in.begin || !out.begin) {
    fail("error", "out of memory", "-", "the harness has no room for this size");
  } else {
    poison(workspace, bytes);
    cudaMemset(workspace.begin, 0, bytes < workspace_head ? bytes : workspace_head); // as the library's workspace_init
    ok = calls(run, workspace, bytes, in, out, want, first);
    if (ok && !(is_intact(in, in_bytes) && is_intact(out, bytes_of(e.result)) && is_intact(workspace, bytes))) {
      fail("bounds", "-", "-", "wrote outside its input, output or workspace");
      ok = false;
    }
    if (ok && !head_is_zero(workspace, bytes)) {
      fail("contract", "-", "-", "left the start of its workspace not as the next call needs it: all zero");
      ok = false;
    }
    size_t little = bytes - 1;
    if (ok && bytes > 1 && e.run(0, workspace.begin, &little, in.begin, at.n, out.begin, nullptr) == cudaSuccess) {
      fail("contract", "cudaSuccess", "cudaErrorInvalidValue", "a workspace one byte too small");
      ok = false;
    }
  }
  release({in, out, workspace});
  alarm(0);
  return ok;
}

// ---- all cases of a variant ----

static bool same_type(const Type &x, const Type &y) { return x.kind == y.kind && bytes_of(x) == bytes_of(y); }

static const Reference *reference_of(const Entry &e) {
  for (int i = 0; i < reference_count; i++)
    if (strcmp(references[i].type, e.type) == 0 && same_type(references[i].element, e.element)) return &references[i];
  return nullptr;
}

// Big sizes cost the most and differ the least: fewer seeds, one alignment.
static int seeds_for(uint64_t n, int seeds) { return n > 100000 ? 1 : n > 10000 && seeds > 2 ? 2 : seeds; }

static void digest(Run *run, const char result[MOST_BYTES], const Type &type) {
  int count;
  const Member *m = members_of(type, &count);
  for (int i = 0; i < count; i++)
    for (size_t k = 0; k < bytes_of(m[i].kind) * (size_t)m[i].count; k++)
      run->digest = (run->digest ^ (unsigned char)result[(size_t)m[i].offset + k]) * 0x100000001B3ull;
}

// One data set at several places.
static int run_data(Run *run, const Elements &elements, const Expected &want) {
  static const int offsets[] = {0, 1, 3};
  const Entry &e = *at.entry;
  bool all = at.n <= 10000 || (e.promise >= GPU_TO_GPU && at.n <= 100000);
  int failures = 0, tried = 0;
  alignas(MOST_BYTES) char first[MOST_BYTES] = {0};
  alignas(MOST_BYTES) char here[MOST_BYTES] = {0};
  for (int k = 0; k < 3; k++) {
    if (!all && k != (at.data + (int)at.seed) % 3) continue;
    at.offset = offsets[k];
    bool ok = run_case(run, elements, want, here) &&
              (!tried || keeps(GPU_TO_GPU, here, first,
                               "other bits at another address, and the variant promises the same"));
    if (!tried++) memcpy(first, here, sizeof first);
    failures += !ok;
    digest(run, here, e.result);
  }
  return failures;
}

static void run_entry(Run *run, const Entry &e, int seeds, int sizes, char **size) {
  int failures = 0;
  const Reference *reference = reference_of(e);
  at = {&e, 0, 0, 0, EXACT};
  if (!reference) return fail("error", "-", "-", "the reference has no function for this type");
  for (int s = 0; s < sizes; s++) {
    at.n = strtoull(size[s], nullptr, 10);
    for (int data = EXACT; data <= (is_floating(e.element) ? REAL : EXACT); data++) {
      at.data = (Data)data;
      for (int seed = 1; seed <= seeds_for(at.n, seeds); seed++) {
        at.seed = (uint64_t)seed;
        const Elements elements = make_elements(*reference, at.n, at.data, at.seed, e.promise == SEQUENTIAL);
        failures += run_data(run, elements, expect(*reference, elements, at.n, at.data, e.result));
        if (failures >= 3) return; // the rest would say the same
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
