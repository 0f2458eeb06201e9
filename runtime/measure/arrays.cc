// arrays.cc: operands of one size, in the host's memory, and what the sequential codelet makes of them.
//
// The data are small whole numbers, so results are the same in any order, bit for bit. Arrays are filled by all
// threads, each a share as large as it will work on: on machines with several memories each finds its own near.
#include "arrays.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace {

const uint64_t bins = 256;
const uint64_t most_of_window = 9,
               most_of_side = 3; // elements of what slides along another array; of each of its dimensions
const size_t page = 4096;

uint64_t memory_left() {
  uint64_t kib = 0;
  char line[256];
  FILE *f = std::fopen("/proc/meminfo", "r");
  while (f && std::fgets(line, sizeof line, f))
    if (std::sscanf(line, "MemAvailable: %llu", (unsigned long long *)&kib) == 1) break;
  if (f) std::fclose(f);
  return kib ? kib << 10 : UINT64_MAX;
}

// Of an array; 0: it is one element.
int rank_of(const Operand &o) {
  int sizes = 0;
  while (o.kind == ARRAY && sizes < 7 && o.sizes[sizes] >= 0) sizes++;
  return (sizes + 1) / 2;
}

bool is_size_of(int size, const Operand &o) {
  for (int d = 0; d < rank_of(o); d++)
    if (o.sizes[d] == size) return true;
  return false;
}

// A window's size: another one is that of an array less this one.
bool is_of_window(int size) {
  for (int i = 0; i < operand_count; i++)
    if (operands[i].kind == SIZE && operands[i].times != 0 && operands[i].more < 0 && operands[i].addend == size)
      return true;
  return false;
}

// The number of elements in each dimension of n in all: a table's ranges are those of the first array. 0: it has one.
uint64_t root_of_first(uint64_t n) {
  for (int i = 0; i < operand_count; i++)
    if (const int rank = rank_of(operands[i]))
      return rank > 1 ? std::max<uint64_t>(1, (uint64_t)std::llround(std::pow((double)n, 1.0 / rank))) : 0;
  return 0;
}

// The results whose sides calls may be told apart by: the one array of several dimensions that is written; -1: none.
int sided() {
  int found = parts.results;
  for (int i = 0; i < operand_count && !parts.any; i++) {
    if (operands[i].kind != ARRAY || !operands[i].written) continue;
    if (found >= 0 || rank_of(operands[i]) < 2) return -1;
    found = i;
  }
  return found;
}

// The size that another one is the same as.
int free_size(int size) {
  const Operand &o = operands[size];
  const bool same = o.times == 1 && o.factors[0] >= 0 && o.factors[1] < 0 && o.plus == 0 && o.more == 0;
  return same ? free_size(o.factors[0]) : size;
}

} // namespace

void Problem::Release::operator()(char *p) const { std::free(p); }

Problem::Bytes Problem::allocate(uint64_t bytes) const {
  if (bytes > memory_left() / 10 * 9)
    throw Failure{"launch", "memory for " + std::to_string(bytes >> 20) + " MiB is not there"};
  void *p = nullptr;
  if (posix_memalign(&p, page, bytes + page) != 0) throw Failure{"launch", "no memory"};
  return Bytes((char *)p);
}

// Where results are those of windows: `count' of them, whatever n is. A window of most of the array would take forever,
// and nobody has one.
void Problem::choose_windows(uint64_t count) {
  const Operand &results = operands[parts.operand];
  if (results.times != 1 || results.more != -1 || results.factors[0] < 0 || results.factors[1] >= 0) return;
  slots_[results.addend].size = most_of_window;
  slots_[results.factors[0]].size = count + most_of_window - (uint64_t)(int64_t)results.plus;
}

// As many results, with one side 64 times the other.
void Problem::choose_sides(uint64_t side) {
  const uint64_t times = 8;
  const int results = calls_.skew ? sided() : -1;
  if (results < 0) return;
  const Operand &o = operands[results];
  const int rank = rank_of(o), rows = free_size(o.sizes[rank - 2]), columns = free_size(o.sizes[rank - 1]);
  if (rows == columns || operands[rows].times != 0 || operands[columns].times != 0) return;
  slots_[calls_.skew > 0 ? rows : columns].size = side * times;
  slots_[calls_.skew > 0 ? columns : rows].size = std::max<uint64_t>(1, side / times);
}

// How far lines of so many elements lie apart.
uint64_t Problem::apart(int array, uint64_t line) const {
  const Operand &o = operands[array];
  const uint64_t bytes = entry_.parameters[array].bytes, wide = 16;
  if (!calls_.aligned || !o.read || o.written || bytes == 0 || wide % bytes != 0) return line;
  const uint64_t each = wide / bytes, up = (line + each - 1) / each * each;
  return calls_.aligned > 0 || each == 1 ? up : up + 1;
}

void Problem::choose_distances() {
  for (int i = 0; i < operand_count; i++) {
    const Operand &o = operands[i];
    const int rank = rank_of(o);
    if (rank == 2) slots_[o.sizes[2]].size = apart(i, slots_[o.by_columns ? o.sizes[0] : o.sizes[1]].size);
    for (int d = rank - 2; rank > 2 && d >= 0; d--) {
      const uint64_t within = slots_[o.sizes[d + 1]].size;
      slots_[o.sizes[rank + d]].size = d + 2 < rank ? within * slots_[o.sizes[rank + d + 1]].size : apart(i, within);
    }
  }
}

// Free sizes first: those of the parts and of each; a size that follows from others then has its factors.
void Problem::choose_sizes() {
  const uint64_t n = n_, count = std::max<uint64_t>(1, all_ / std::max<uint64_t>(1, n));
  bool first = true;
  const uint64_t root = root_of_first(n);
  const double dimensions = parts.results >= 0 ? rank_of(operands[parts.results]) : 1;
  const uint64_t side = std::max<uint64_t>(1, (uint64_t)std::llround(std::pow((double)count, 1 / dimensions)));
  for (int i = 0; i < operand_count; i++) {
    const Operand &o = operands[i];
    if (o.kind != SIZE || o.times != 0) continue;
    if (i == parts.operand) slots_[i].size = count + (uint64_t)parts.less;
    else if (parts.results >= 0) slots_[i].size = is_size_of(i, operands[parts.results]) ? side : n;
    else if (parts.any) slots_[i].size = o.means == ELEMENTS ? n * count : n;
    else if (is_of_window(i)) slots_[i].size = root > 0 ? std::min(root, most_of_side) : std::min(n, most_of_window);
    else slots_[i].size = root > 0 ? root : first ? n : bins;
    first = false;
  }
  choose_sides(parts.results >= 0 ? side : root);
  if (parts.any && parts.operand >= 0) choose_windows(count);
  for (int i = 0; i < operand_count; i++) {
    const Operand &o = operands[i];
    if (o.kind != SIZE || o.times == 0) continue;
    int64_t size = o.times;
    for (int factor : o.factors)
      if (factor >= 0) size *= (int64_t)slots_[factor].size;
    if (o.more) size += o.more * (int64_t)slots_[o.addend].size;
    slots_[i].size = (uint64_t)std::max<int64_t>(0, size + o.plus);
  }
  choose_distances();
}

uint64_t Problem::extent(int array) const {
  const Operand &o = operands[array];
  if (o.kind == SIZE) return slots_[array].size; // of an array's dimension
  uint64_t all = 1;
  for (int d = 0; d < rank_of(o); d++) all *= slots_[o.sizes[d]].size;
  return all;
}

// With what lies between rows.
uint64_t Problem::stored(int array) const {
  const Operand &o = operands[array];
  const int rank = rank_of(o);
  if (rank < 2) return extent(array);
  return slots_[o.sizes[rank == 2 && o.by_columns ? 1 : 0]].size * slots_[o.sizes[rank]].size;
}

// What an array holds of positions among n: not those whose neighbours, which are used with them, would be beyond.
static void set_positions(const Operand &o, uint64_t n, Fill *to) {
  const int64_t every = o.every ? o.every : 1, first = o.low < 0 ? (every - 1 - o.low) / every : 0;
  const int64_t behind = (int64_t)n - o.high, end = behind > 0 ? (behind + every - 1) / every : 0;
  to->first = (uint64_t)first;
  to->apart = o.holds == PLACES ? (uint64_t)((o.high - o.low) / every + 1) : 1;
  to->most = end > first ? (uint64_t)(end - first) / to->apart : 0;
}

Problem::Problem(const Entry &entry, uint64_t n, uint64_t all, const std::string &calls)
    : entry_(entry), n_(n), all_(all), calls_(calls), slots_(operand_count), arrays_(operand_count) {
  if (entry.count != operand_count) throw Failure{"launch", "the sequential codelet takes other operands"};
  choose_sizes();
  for (int i = 0; i < operand_count; i++) {
    const Operand &o = operands[i];
    const Parameter &p = entry.parameters[i];
    if (p.kind == NUMBER) p.number(slots_[i].number);
    if (p.kind != ARRAY) continue;
    Array &a = arrays_[i];
    a.fill.operation = operation;
    a.fill.holds = o.holds;
    a.fill.n = stored(i);
    a.fill.seed = (uint64_t)i;
    a.fill.count = n_;
    const bool runs = o.holds == RUN_LENGTHS || o.holds == RUN_ENDS; // of what begins at the positions that another one has
    if (runs) a.fill.seed = (uint64_t)o.into;
    const Operand &at = runs && o.into >= 0 ? operands[o.into] : o;
    if (at.into >= 0) set_positions(at, extent(at.into), &a.fill);
    a.bytes = allocate(a.fill.n * p.bytes);
    p.fill(a.bytes.get(), a.fill);
    slots_[i].pointer = a.bytes.get();
    if (o.written) a.want = allocate(a.fill.n * p.bytes);
  }
  entry.sequential(slots_.data());
  for (int i = 0; i < operand_count; i++)
    if (arrays_[i].want)
      std::memcpy(arrays_[i].want.get(), arrays_[i].bytes.get(), arrays_[i].fill.n * entry.parameters[i].bytes);
}

void Problem::reset(bool inputs_too) {
  for (int i = 0; i < operand_count; i++)
    if (arrays_[i].want || (inputs_too && arrays_[i].bytes))
      entry_.parameters[i].fill(arrays_[i].bytes.get(), arrays_[i].fill);
}

template <typename Word>
static bool same_words(const char *x, const char *y, uint64_t n) {
  std::vector<Word> a(n), b(n);
  std::memcpy(a.data(), x, n * sizeof(Word));
  std::memcpy(b.data(), y, n * sizeof(Word));
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  return a == b;
}

bool same_queue(const char *x, const char *y, const char *counter, uint64_t counter_bytes, uint64_t room, uint64_t each) {
  uint64_t n = 0; // of a little-endian machine
  std::memcpy(&n, counter, std::min<uint64_t>(counter_bytes, sizeof n));
  n = std::min(n, room);
  if (each == 4) return same_words<uint32_t>(x, y, n);
  if (each == 8) return same_words<uint64_t>(x, y, n);
  std::vector<std::string> a, b;
  for (uint64_t i = 0; i < n; i++) a.emplace_back(x + i * each, each), b.emplace_back(y + i * each, each);
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  return a == b;
}

bool Problem::same_appended(int queue) const {
  const int by = operands[queue].into;
  return same_queue(arrays_[queue].want.get(), arrays_[queue].bytes.get(), arrays_[by].want.get(),
                    entry_.parameters[by].bytes, arrays_[queue].fill.n, entry_.parameters[queue].bytes);
}

std::string Problem::difference() const {
  for (int i = 0; i < operand_count; i++) {
    const Array &a = arrays_[i];
    const size_t each = entry_.parameters[i].bytes, all = a.fill.n * each;
    const bool queue = a.want && operands[i].holds == QUEUE && operands[i].into >= 0;
    if (queue && same_appended(i)) continue;
    if (queue)
      return "n = " + std::to_string(n_) + ": " + operands[i].name + " has not what the sequential codelet appends";
    if (!a.want || entry_.parameters[i].right(a.want.get(), a.bytes.get(), a.fill)) continue;
    const uint64_t at = (uint64_t)(std::mismatch(a.want.get(), a.want.get() + all, a.bytes.get()).first - a.want.get());
    return "n = " + std::to_string(n_) + ": " + operands[i].name + "[" + std::to_string(at / each) +
           "] is not the sequential codelet's";
  }
  return "";
}
