// place_native.h: this machine's own memory, each array between two pages that nobody may touch; threads by
// ../../native/openmp.h. Part of harness.cc.
#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <time.h>

#include "../../native/openmp.h"

namespace check {

enum { WORKSPACE_OFFSET = -16 }; // as malloc aligns, and no more
enum { FUSES = false }; // does the compiler fuse products with sums? it is told not to
enum { ENDS = true }; // memory can end where a page does
static const uint64_t most_parts = UINT64_MAX; // of a problem, as many as there are elements

// Bytes between the pages that are not the array's hold a canary.
struct Place {
  char *begin, *block; // block: the first page
  size_t bytes, data;  // data: of the pages between the two
  const char *name;    // of the operand
};
enum { MOST_PLACES = 40, CANARY = 0x5A };
static Place places[MOST_PLACES]; // those that there are, for who has only an address
static int place_count;

static size_t page_bytes() {
  static const size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
  return bytes;
}

// It begins `offset' bytes behind a page's begin; or, less than 0, ends at a page's end, or as near as it can when it
// begins at a multiple of -offset bytes.
static Place make_place(size_t bytes, int64_t offset, const char *name) {
  const size_t page = page_bytes(), before = offset < 0 ? 0 : (size_t)offset;
  Place p = {nullptr, nullptr, bytes, (before + bytes + page - 1) / page * page, name};
  if (place_count == MOST_PLACES) return p;
  void *block = mmap(nullptr, p.data + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) return p;
  p.block = (char *)block;
  char *const data = p.block + page;
  if (mprotect(data, p.data, PROT_READ | PROT_WRITE)) return p;
  p.begin = data + (offset < 0 ? (p.data - bytes) / (size_t)-offset * (size_t)-offset : before);
  memset(data, CANARY, (size_t)(p.begin - data));
  memset(p.begin + bytes, CANARY, (size_t)(data + p.data - p.begin) - bytes);
  if (__asan_poison_memory_region) {
    __asan_poison_memory_region(data, (size_t)(p.begin - data));
    __asan_poison_memory_region(p.begin + bytes, (size_t)(data + p.data - p.begin) - bytes);
  }
  places[place_count++] = p;
  return p;
}

static void put(const Place &p, const void *from, size_t bytes) {
  if (bytes) memcpy(p.begin, from, bytes);
}
// What is only read.
static void fill(const Place &p, const void *from, size_t bytes) {
  put(p, from, bytes);
  mprotect(p.block + page_bytes(), p.data, PROT_READ);
}
static void poison(const Place &p, size_t bytes) { memset(p.begin, 0xFF, bytes); }
static void zero(const Place &p, size_t bytes) { memset(p.begin, 0, bytes); }
// What an earlier call left in a workspace, but for its head: nobody may count on it.
static void spoil(const Place &p, size_t bytes) {
  if (bytes > workspace_head) memset(p.begin + workspace_head, 0xFF, bytes - workspace_head);
}
static bool holds(const Place &, const void *, size_t) { return true; } // nobody can write to it
static void fetch(void *to, const Place &p, size_t bytes) { memcpy(to, p.begin, bytes); }

static bool is_intact(const Place &p, size_t bytes) {
  char *const data = p.block + page_bytes();
  if (__asan_unpoison_memory_region) __asan_unpoison_memory_region(data, p.data);
  for (char *c = data; c < data + p.data; c++)
    if ((c < p.begin || c >= p.begin + bytes) && *c != CANARY) return false;
  return true;
}

static void release(const std::vector<Place> &all) {
  for (const Place &p : all) {
    if (!p.block) continue;
    if (__asan_unpoison_memory_region) __asan_unpoison_memory_region(p.block + page_bytes(), p.data);
    munmap(p.block, p.data + 2 * page_bytes());
    for (int i = 0; i < place_count; i++)
      if (places[i].block == p.block) places[i--] = places[--place_count];
  }
}

static const char *const nowhere = "memory of its own";

// "workspace+24"; "in-4, ahead of it": what lies at the address, or near it.
static std::string name_of(const void *address) {
  const char *a = (const char *)address;
  for (int i = 0; i < place_count; i++) {
    const Place &p = places[i];
    if (a < p.block || a >= p.block + p.data + 2 * page_bytes()) continue;
    const std::string place = p.name + std::string(a < p.begin ? "" : "+") + std::to_string(a - p.begin);
    return place + (a < p.begin ? ", ahead of it" : a >= p.begin + p.bytes ? ", past its end" : "");
  }
  return nowhere;
}

// An invalid access: bounds, if it is near an array, or a write to one that is only read.
static bool report_access(const void *address) {
  const char *a = (const char *)address;
  const std::string name = name_of(address);
  bool own = false;
  for (int i = 0; i < place_count; i++) own |= a >= places[i].begin && a < places[i].begin + places[i].bytes;
  if (name == nowhere) return false;
  fail("bounds", "-", "-", (own ? "wrote to " + name + ", which is only read" : "touched " + name).c_str());
  return true;
}

static const char *error_name(Error error) {
  return error == 0 ? "0" : error == EINVAL ? "EINVAL" : error == ENOTSUP ? "ENOTSUP" : error == ENOMEM ? "ENOMEM"
                                                                                              : "another error";
}
static const Error success = 0, refusal = EINVAL;

// The variant's own configuration; with other processors, if a promise says that these change nothing; and those that
// were compiled with a few numbers of threads: `turn' says which. With few elements threads have nothing to share.
static std::vector<Setting> settings_of(const Entry &e, const Run &run, uint64_t n, uint64_t turn) {
  static const int64_t blocks[] = {2, 7, 1, 3};
  std::vector<Setting> all = {{{0, 0, 0}, run.orders, 0, 4}};
  if (e.promise >= GPU_TO_GPU) all.push_back({{0, 0, 0}, 1, 0, 3});
  int count = 0;
  while (compiled(e, count).threads) count++;
  for (int i = 0; i < count; i++) {
    const Configuration c = compiled(e, i);
    const bool is_own = i == 0;
    if (n >= 5000 || (uint64_t)i == turn % (uint64_t)count)
      all.push_back({{c.threads, c.loads, blocks[(turn + (uint64_t)i) % 4], c.whole}, 1, 0, 4});
    if (n >= 5000 && is_own) all.push_back({{c.threads, c.loads, blocks[(turn + 1) % 4], c.whole}, 2, 0, 4});
  }
  return all;
}

static void begin_setting(const Setting &s) { openmp::options.processors = s.processors; }

// How many threads work, and in which order they begin; processors stay as they are.
static void begin_call(uint64_t seed) {
  static const int granted[] = {0, 0, 3, 1, 0, 2, 7}, most[] = {4, 7, 3, 16, 1, 2};
  openmp::options.seed = seed;
  openmp::options.granted = granted[seed % 7];
  openmp::options.most = most[seed % 6];
}
static Error finish(Error error) { return error; }

// Arguments that are to be refused, and are not; NULL: there are none.
static const char *unrefused(const Entry &e, const Operands &o) {
  std::vector<Slot> slots((size_t)o.count);
  size_t bytes = 0;
  memset((void *)slots.data(), 0, slots.size() * sizeof(Slot));
  if (e.run({0, 0, 0}, nullptr, nullptr, slots.data()) != EINVAL) return "no place to tell the workspace's bytes";
  const int lanes = compiled(e, 0).threads;
  if (lanes && e.run({lanes + 1, 0, 0}, nullptr, &bytes, slots.data()) != ENOTSUP)
    return "a configuration that was not compiled";
  for (int i = 0; i < o.count; i++) {
    if (o.at[i].kind != SIZE || o.at[i].times != 0) continue;
    slots[(size_t)i].size = 1ull << 63;
    if (e.run({0, 0, 0}, nullptr, &bytes, slots.data()) != EINVAL) return "a size of 2^63";
    slots[(size_t)i].size = 0;
  }
  return nullptr;
}

// A sanitizer looks at where accesses go, not at values.
static bool takes_reals() { return !__tsan_get_report_data && !__asan_get_report_pc; }

// ---- a run without end ----

// A signal may wait for ever for a thread that runs instrumented code in a circle; a thread that looks does not.
static std::atomic<time_t> deadline;

static time_t now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec;
}

// The thread that runs the sequential codelet tells the line that it is at, if it takes the signal.
static void *watch(void *runner) {
  for (;;) {
    const timespec while_ = {0, 100000000}, long_ = {5, 0};
    nanosleep(&while_, nullptr);
    const time_t by = deadline;
    if (by == 0 || now() < by) continue;
    if (strncmp(endless, "the sequential", 14) == 0 && pthread_kill(*(pthread_t *)runner, SIGALRM) == 0)
      nanosleep(&long_, nullptr);
    fail("timeout", "-", "-", endless);
    _exit(3);
  }
}

static void set_deadline(int seconds) { deadline = seconds ? now() + seconds + 1 : 0; }

static void prepare() {
  static pthread_t runner = pthread_self();
  pthread_t watcher;
  pthread_create(&watcher, nullptr, watch, &runner);
}

} // namespace check
