// reading.cc: how fast memory can be read: all threads go through the arrays that a problem reads, each its share, with
// so many vectors under way. Which number of them is best depends on the machine, so the best of these counts.
#include "loops.h"

#include <omp.h>

#include <algorithm>

typedef uint64_t Vector __attribute__((vector_size(64), aligned(16)));

static struct { const Vector *at; uint64_t vectors; } arrays[8];
static int array_count;
volatile uint64_t reading_result; // so that nothing is left out

uint64_t set_reading(const Problem &problem) {
  uint64_t bytes = 0;
  array_count = 0;
  for (int i = 0; i < operand_count && array_count < 8; i++) {
    if (operands[i].kind != ARRAY || !operands[i].read) continue;
    arrays[array_count].at = (const Vector *)problem.slots()[i].pointer;
    arrays[array_count].vectors = problem.bytes_of(i) / sizeof(Vector);
    bytes += arrays[array_count++].vectors * sizeof(Vector);
  }
  return bytes;
}

uint64_t bytes_moved(const Problem &problem) {
  uint64_t bytes = 0;
  for (int i = 0; i < operand_count; i++)
    if (operands[i].kind == ARRAY) bytes += problem.bytes_of(i) * ((uint64_t)operands[i].read + operands[i].written);
  return bytes;
}

template <int K>
static uint64_t read_share(const Vector *from, const Vector *to) {
  Vector sums[K] = {};
  for (; from + K <= to; from += K)
    for (int k = 0; k < K; k++) sums[k] += from[k];
  for (; from < to; from++) sums[0] += *from;
  for (int k = 1; k < K; k++) sums[0] += sums[k];
  uint64_t all = 0;
  for (int lane = 0; lane < 8; lane++) all += sums[0][lane];
  return all;
}

template <int K>
static void read_all(const Slot *) {
  uint64_t all = 0;
#pragma omp parallel reduction(+ : all)
  {
    const uint64_t threads = (uint64_t)omp_get_num_threads(), mine = (uint64_t)omp_get_thread_num();
    for (int a = 0; a < array_count; a++) {
      const uint64_t n = arrays[a].vectors;
      all += read_share<K>(arrays[a].at + n * mine / threads, arrays[a].at + n * (mine + 1) / threads);
    }
  }
  reading_result = all;
}

const Loop reading_loops[] = {{"read-1", read_all<1>}, {"read-2", read_all<2>}, {"read-4", read_all<4>},
                              {"read-8", read_all<8>}, {nullptr, nullptr}};
