// place_simt.h: the CPU executor: memory that it watches, and what it saw. Part of harness.cc.
#include "../simt.h"

namespace check {

enum { WORKSPACE_OFFSET = 0 };
enum { FUSES = false }; // does the compiler fuse products with sums? it is told not to
enum { ENDS = false }; // can memory end where a page does?
static const uint64_t most_parts = 4096; // of a problem, whose blocks run one by one
struct Place {
  char *begin;
};
static Place make_place(size_t bytes, int64_t offset, const char *) {
  return {(char *)simt::place(bytes, (size_t)offset)};
}
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
static void zero(const Place &p, size_t bytes) { cudaMemset(p.begin, 0, bytes); }
static bool is_intact(const Place &, size_t) { return true; } // the executor watches the red zones itself ..
static bool holds(const Place &, const void *, size_t) { return true; } // .. and what is only read
static void fetch(void *to, const Place &p, size_t bytes) { memcpy(to, p.begin, bytes); }
static void release(const std::vector<Place> &) { simt::release_all(); }

static const char *error_name(Error error) { return cudaGetErrorName(error); }
static const Error success = cudaSuccess, refusal = cudaErrorInvalidValue;

static void begin_setting(const Setting &) {}
static void begin_call(uint64_t seed) { simt::options.seed = seed; }
static Error finish(Error error) { return error == cudaSuccess ? cudaDeviceSynchronize() : error; }

// What the executor saw, a failure each. Returns how many.
static int report_faults() {
  int n = (int)simt::reports.size();
  for (const simt::Report &r : simt::reports) fail(simt::fault_name(r.fault), "-", "-", simt::describe(r).c_str());
  simt::reports.clear();
  return n;
}

static void spoil(const Place &, size_t) {}
static const char *unrefused(const Entry &, const Operands &) { return nullptr; }
static bool takes_reals() { return true; }
static bool report_access(const void *) { return false; }
static void set_deadline(int seconds) { alarm((unsigned)seconds); }
// The variant's own configuration; and with 3 blocks. If one other was compiled, that too; of several, which a table
// selects, one at every fourth turn, by turns.
static std::vector<Setting> settings_of(const Entry &e, const Run &run, uint64_t, uint64_t turn) {
  enum { SELDOM = 4 };
  std::vector<Setting> all = {{{0, 0, 0}, run.orders, 3, 0}};
  int count = 0;
  while (compiled(e, count).threads) count++;
  if (count == 2 || (count > 2 && turn % SELDOM == 0)) {
    const Configuration c = compiled(e, 1 + (int)(turn / SELDOM) % (count - 1));
    all.push_back({{c.threads, c.loads, 0, c.whole}, 1, 0, 0});
  }
  return all;
}

static void prepare() {
#ifdef TGC_CHECK_PLAIN
  simt::options.hooked = false;
#endif
#ifndef __clang__
  simt::options.by_turns = false; // blocks' shared memory cannot be set apart
#endif
  simt::options.structs_from = (unsigned)workspace_head;
  for (const Layout *const *s = states; *s; s++)
    if (const uint64_t padding = padding_of(**s)) simt::options.structs.push_back({(unsigned)(*s)->bytes, padding});
}

} // namespace check
