// bugs_test.cc: each bug of bugs.cu is found, with each of 20 seeds but for a few; the kernels without, never anything,
// with five of them, drawn (in the long mode with each).
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <initializer_list>
#include <string>

#include "bugs.h"
#include "simt.h"

enum { SEEDS = 20 };

static int complaints;

// The sum, or INT_MIN where a report makes it meaningless.
static int run(Shape shape, Bug bug, uint64_t seed, long long n) {
  simt::release_all();
  simt::reports.clear();
  simt::options.seed = seed;
  int *in = (int *)simt::place((size_t)n * sizeof(int), 4);
  for (long long i = 0; i < n; i++) in[i] = (int)(i % 7);
  simt::freeze(in);
  void *partial, *ticket, *posts, *out;
  const size_t blocks = (size_t)(n + 127) / 128;
  cudaMalloc(&partial, 4 * (size_t)(n / 128 + 1) * sizeof(int));
  cudaMalloc(&ticket, sizeof(unsigned));
  cudaMalloc(&posts, blocks * sizeof(unsigned long long));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(posts, 0, blocks * sizeof(unsigned long long));
  cudaMemset(ticket, 0, sizeof(unsigned));
  cudaMemset(out, 0, sizeof(int));
  run_kernel(shape, bug, {in, n, (int *)partial, (int *)out, (unsigned *)ticket, (unsigned long long *)posts});
  return *(int *)out;
}

static void expect_fault(const char *what, Shape shape, Bug bug, std::initializer_list<simt::Fault> any,
                         const char *word, int least = SEEDS) {
  int found = 0;
  std::string other;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    run(shape, bug, seed, 1000);
    bool hit = false;
    for (const simt::Report &r : simt::reports)
      for (simt::Fault f : any) hit |= r.fault == f && r.text.find(word) != std::string::npos;
    found += hit;
    if (!hit) other = simt::reports.empty() ? "nothing" : simt::describe(simt::reports[0]);
  }
  std::string first = simt::reports.empty() ? "" : simt::describe(simt::reports[0]);
  printf("%-20s %2d of %d seeds   %s\n", what, found, SEEDS, first.c_str());
  if (found >= least) return;
  complaints++;
  printf("  FAILED: with some seed there was %s\n", other.c_str());
}

// What only some orders of blocks show: a wrong result with a third of the seeds.
static void expect_wrong(const char *what, Shape shape, Bug bug) {
  int found = 0, want = 0;
  for (int i = 0; i < 1000; i++) want += i % 7;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) found += run(shape, bug, seed, 1000) != want;
  printf("%-20s %2d of %d seeds   wrong\n", what, found, SEEDS);
  if (found * 3 < SEEDS) {
    complaints++;
    printf("  FAILED: too few seeds show it\n");
  }
}

// Every fourth seed, by TGC_SEED; in the long mode each.
static void expect_nothing(const char *what, Shape shape) {
  const char *drawn = getenv("TGC_SEED");
  const bool all = getenv("TGC_LONG");
  int wrong = 0;
  for (uint64_t seed = all ? 1 : 1 + (drawn ? strtoull(drawn, nullptr, 10) : 0) % 4; seed <= SEEDS; seed += all ? 1 : 4)
    for (long long n : {1, 31, 32, 33, 127, 128, 129, 1000, 5000}) {
      int want = 0;
      for (long long i = 0; i < n; i++) want += (int)(i % 7);
      int got = run(shape, NONE, seed, n);
      if (got == want && simt::reports.empty()) continue;
      wrong++;
      printf("  FAILED: %s, n = %lld, seed %llu: got %d, want %d; %s\n", what, n, (unsigned long long)seed, got, want,
             simt::reports.empty() ? "" : simt::describe(simt::reports[0]).c_str());
    }
  printf("%-20s no false alarm: %s\n", what, wrong ? "no" : "yes");
  complaints += wrong;
}

// A report names the kernel, the variable, and the source line of each access.
static void expect_places() {
  run(WARP_TREE, NO_WARP_BARRIER, 1, 1000);
  std::string all;
  for (const simt::Report &r : simt::reports) all += simt::describe(r) + "\n";
  for (const char *part : {"warp_tree<", "values+", "bugs.cu:"})
    if (all.find(part) == std::string::npos) {
      complaints++;
      printf("  FAILED: no `%s' in the reports:\n%s", part, all.c_str());
    }
}

int main() {
  using simt::BOUNDS, simt::CLUSTER, simt::DIVERGENCE, simt::FENCE, simt::LAUNCH, simt::MASK, simt::RACE,
      simt::UNINITIALISED;
  expect_nothing("tree", TREE);
  expect_nothing("shuffles", SHUFFLES);
  expect_nothing("warp tree", WARP_TREE);
  expect_nothing("ticketed", TICKETED);
  expect_nothing("ticketed warps", TICKETED_WARPS);
  expect_nothing("scoped", SCOPED);
  expect_nothing("waiting", WAITING);
  expect_nothing("overlapping", OVERLAPPING);
  expect_nothing("clustered", CLUSTERED);
  expect_nothing("posted", POSTED);
  expect_fault("missing barrier", TREE, NO_BARRIER, {RACE, UNINITIALISED}, "values");
  expect_fault("missing warp barrier", WARP_TREE, NO_WARP_BARRIER, {RACE, UNINITIALISED}, "values");
  expect_fault("plain update", TREE, PLAIN_UPDATE, {FENCE, RACE}, "write");
  expect_fault("past shared", TREE, PAST_SHARED, {BOUNDS}, "bytes past the end of values");
  expect_fault("past the input", SHUFFLES, PAST_INPUT, {BOUNDS}, "past the end");
  expect_fault("misaligned", SHUFFLES, MISALIGNED, {simt::ALIGNMENT}, "4 bytes behind a multiple of 16");
  expect_fault("past the output", TREE, PAST_OUTPUT, {BOUNDS}, "past the end");
  expect_fault("divergent barrier", TREE, DIVERGENT_BARRIER, {DIVERGENCE}, "barrier diverges");
  expect_fault("divergent shuffle", SHUFFLES, DIVERGENT_SHUFFLE, {DIVERGENCE, MASK}, "line");
  expect_fault("outside the mask", SHUFFLES, OUTSIDE_MASK, {simt::MASK}, "not in the mask");
  expect_fault("missing fence", TICKETED, NO_FENCE, {FENCE}, "global");
  expect_fault("fence after ticket", TICKETED, LATE_FENCE, {FENCE}, "global");
  expect_fault("fence before write", TICKETED, EARLY_FENCE, {FENCE}, "global");
  expect_fault("warp's missing fence", TICKETED_WARPS, NO_FENCE, {FENCE, RACE}, "global");
  expect_fault("warp's late fence", TICKETED_WARPS, LATE_FENCE, {FENCE, RACE}, "global");
  expect_fault("warp's early fence", TICKETED_WARPS, EARLY_FENCE, {FENCE, RACE}, "global");
  expect_fault("warp's ticket alone", TICKETED_WARPS, NO_WARP_BARRIER, {FENCE, RACE}, "global");
  expect_fault("ticket unsynchronised", TICKETED, NO_TICKET_BARRIER, {RACE, UNINITIALISED}, "last");
  expect_fault("block scope", SCOPED, BLOCK_SCOPE, {FENCE}, "block atomic");
  expect_fault("unwritten", TREE, UNWRITTEN, {UNINITIALISED}, "values");
  expect_fault("deadlock", WAITING, ::DEADLOCK, {simt::DEADLOCK}, "waits at");
  expect_fault("no wait for grids", OVERLAPPING, NO_WAIT, {simt::EARLY}, "before it has waited");
  expect_fault("late wait for grids", OVERLAPPING, LATE_WAIT, {simt::EARLY}, "read");
  expect_fault("block not begun", CLUSTERED, NOT_BEGUN, {CLUSTER}, "may not have begun");
  expect_fault("wait, no arrival", CLUSTERED, NEVER_ARRIVES, {CLUSTER}, "without having arrived");
  expect_fault("arrival, no wait", CLUSTERED, ARRIVES_TWICE, {CLUSTER}, "arrives at the cluster's barrier");
  expect_fault("relaxed arrival", CLUSTERED, RELAXED, {RACE}, "no barrier of the cluster");
  expect_fault("store after arrival", CLUSTERED, LATE_STORE, {CLUSTER, RACE}, "no barrier of the cluster");
  expect_fault("read at once", CLUSTERED, READS_AT_ONCE, {CLUSTER, RACE, UNINITIALISED}, "");
  expect_fault("block barrier only", CLUSTERED, BLOCK_BARRIER, {CLUSTER, RACE, UNINITIALISED}, "");
  expect_fault("block ends early", CLUSTERED, ENDS_EARLY, {CLUSTER}, "end");
  expect_fault("block never comes", CLUSTERED, NEVER_COMES, {simt::DEADLOCK}, "waits at the cluster's barrier");
  expect_fault("outside the cluster", CLUSTERED, OUTSIDE_CLUSTER, {CLUSTER}, "of block 4 of a cluster of 4");
  expect_fault("past another's parts", CLUSTERED, PAST_PARTS, {BOUNDS}, "parts");
  expect_fault("uneven clusters", CLUSTERED, UNEVEN, {LAUNCH}, "clusters of 4 x 1 x 1 blocks");
  expect_fault("too many blocks", CLUSTERED, TOO_MANY, {LAUNCH}, "clusters of 16 x 1 x 1 blocks");
  expect_fault("nobody posts", POSTED, NOBODY_POSTS, {simt::DEADLOCK}, "waits for a change of global memory+8");
  expect_fault("beyond the posts", POSTED, BEYOND_POSTS, {BOUNDS}, "8 bytes past the end of a region of 64 bytes");
  expect_fault("early post", POSTED, EARLY_POST, {RACE}, "total");
  // Where there is room for one block alone.
  expect_fault("first collects", POSTED, FIRST_COLLECTS, {simt::DEADLOCK}, "no thread that has started", 1);
  expect_wrong("does not wait", POSTED, DOES_NOT_WAIT);
  expect_places();
  printf(complaints ? "%d complaints\n" : "all as expected\n", complaints);
  return complaints ? 1 : 0;
}
