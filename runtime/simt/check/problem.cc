// problem.cc: problems and their right results.
#include "problem.h"

#include <math.h>
#include <string.h>

#include <algorithm>
#include <exception>

namespace check {

static const Operand in_n_out[] = {
    {"in", ARRAY, {1, -1, -1, -1, -1, -1, -1}, false, true, false, DATA, -1, NO_SIZE, {-1, -1}, 0, 0, -1, 0},
    {"n", SIZE, {-1, -1, -1, -1, -1, -1, -1}, false, true, false, DATA, -1, ELEMENTS, {-1, -1}, 0, 0, -1, 0},
    {"out", ARRAY, {-1, -1, -1, -1, -1, -1, -1}, false, false, true, DATA, -1, NO_SIZE, {-1, -1}, 0, 0, -1, 0}};
const Operands reduction = {in_n_out, 3};

// One array that is read, its size, and one result.
bool is_reduction(const Operands &o) {
  return o.count == 3 && o.at[0].kind == ARRAY && !o.at[0].written && o.at[1].kind == SIZE && o.at[2].kind == ARRAY &&
         !o.at[2].read && o.at[2].sizes[0] < 0;
}

// ---- shapes ----

static bool is_free(const Operand &o) { return o.kind == SIZE && o.means != LEADING && o.times == 0; }

// The free sizes that a size follows from.
static void add_free(const Operands &o, int size, std::vector<int> *to) {
  if (size < 0) return;
  if (is_free(o.at[size])) {
    if (std::find(to->begin(), to->end(), size) == to->end()) to->push_back(size);
    return;
  }
  for (int factor : o.at[size].factors) add_free(o, factor, to);
  add_free(o, o.at[size].addend, to);
}

// How many dimensions an array has; 0: it is one element.
static int rank_of(const Operand &o) {
  int sizes = 0;
  while (o.kind == ARRAY && sizes < 7 && o.sizes[sizes] >= 0) sizes++;
  return (sizes + 1) / 2;
}

// The dimension whose elements lie side by side, and the operand that is the distance in another one.
static int innermost(const Operand &array) { return array.by_columns ? 0 : rank_of(array) - 1; }
static int stride_of(const Operand &array, int d) {
  const int rank = rank_of(array);
  return d == innermost(array) ? -1 : array.sizes[rank == 2 ? 2 : rank + d];
}
static int line_of(const Operand &array) { return array.sizes[innermost(array)]; }

static uint64_t distance(const Operand &a, int d, const Sizes &sizes) {
  const int stride = stride_of(a, d);
  return stride < 0 ? 1 : sizes[(size_t)stride];
}

uint64_t extent_of(const Operands &o, int array, const Sizes &sizes) {
  const Operand &a = o.at[array];
  if (a.kind == SIZE) return sizes[(size_t)array]; // of an array's dimension
  uint64_t last = 0;
  for (int d = 0; d < rank_of(a); d++) {
    const uint64_t size = sizes[(size_t)a.sizes[d]];
    if (size == 0) return 0;
    last += (size - 1) * distance(a, d, sizes);
  }
  return last + 1;
}

// Sizes that it follows from are at least what keeps it from being less than none.
static uint64_t value_of(const Operands &o, int size, Sizes *sizes) {
  const Operand &s = o.at[size];
  if (s.times == 0) return (*sizes)[(size_t)size];
  int64_t plus = s.plus;
  if (s.more) plus += s.more * (int64_t)value_of(o, s.addend, sizes);
  const uint64_t least = plus < 0 ? ((uint64_t)-plus + (uint64_t)s.times - 1) / (uint64_t)s.times : 0;
  uint64_t value = (uint64_t)s.times;
  for (int factor : s.factors) {
    if (factor < 0) continue;
    uint64_t one = value_of(o, factor, sizes);
    if (one < least && o.at[factor].times == 0) one = (*sizes)[(size_t)factor] = least;
    value *= one;
  }
  return (*sizes)[(size_t)size] = value + (uint64_t)plus;
}

// How lines lie: so many elements further apart than they need; where `even', they begin at multiples of EVEN elements,
// but those of the leading dimension `odd' (-1: all do).
struct Gaps {
  uint64_t apart;
  bool even;
  int odd;
};

// Elements of any type that are whole loads.
constexpr uint64_t EVEN = 16;

static uint64_t up_to_even(uint64_t x) { return (x + EVEN - 1) / EVEN * EVEN; }

static uint64_t all_elements(const Operands &o, const Sizes &sizes);

// A queue whose size is free has room for what may be made of all that there is.
static void make_room(const Operands &o, Sizes *sizes) {
  for (int i = 0; i < o.count; i++) {
    const Operand &queue = o.at[i];
    if (queue.holds != QUEUE || o.at[queue.sizes[0]].times != 0) continue;
    (*sizes)[(size_t)queue.sizes[0]] = 0;
    (*sizes)[(size_t)queue.sizes[0]] = all_elements(o, *sizes) + 16;
  }
}

// What follows from the free sizes.
static void complete(const Operands &o, Sizes *sizes, const Gaps &gaps) {
  for (Sizes before; before != *sizes;) { // one may raise what another followed from
    before = *sizes;
    for (int i = 0; i < o.count; i++)
      if (o.at[i].kind == SIZE) value_of(o, i, sizes);
  }
  for (int i = 0; i < o.count; i++) {
    const Operand &a = o.at[i];
    const int rank = rank_of(a);
    for (int k = 1; k < rank; k++) { // from the line on outward
      const int d = a.by_columns ? k : rank - 1 - k, within = a.by_columns ? k - 1 : rank - k, stride = stride_of(a, d);
      const uint64_t least = (*sizes)[(size_t)a.sizes[within]] * distance(a, within, *sizes);
      (*sizes)[(size_t)stride] = (gaps.even ? up_to_even(least) : least) + gaps.apart + (stride == gaps.odd);
    }
  }
}

static uint64_t all_elements(const Operands &o, const Sizes &sizes) {
  uint64_t all = 0;
  for (int i = 0; i < o.count; i++)
    if (o.at[i].kind == ARRAY) all += extent_of(o, i, sizes);
  return all;
}

// What an array of positions may hold.
static Positions positions_of(const Operands &o, const Operand &x, const Sizes &sizes) {
  const int64_t n = (int64_t)extent_of(o, x.into, sizes), every = x.every ? x.every : 1;
  const int64_t first = x.low < 0 ? (every - 1 - x.low) / every : 0, behind = n - x.high; // every * e is below that
  const int64_t end = behind > 0 ? (behind + every - 1) / every : 0;                      // .. and e below that
  const int64_t apart = x.holds == PLACES ? (x.high - x.low) / every + 1 : 1;
  return {(uint64_t)first, end > first ? (uint64_t)((end - first + apart - 1) / apart) : 0, (uint64_t)apart};
}

// Can the arrays hold what they are to hold? There is no position in an array without elements, and there are no more
// different ones than it has elements.
static bool can_be(const Operands &o, const Sizes &sizes) {
  for (int i = 0; i < o.count; i++) {
    if (o.at[i].kind != ARRAY || o.at[i].holds < INDICES || o.at[i].into < 0) continue;
    const uint64_t n = extent_of(o, i, sizes), most = positions_of(o, o.at[i], sizes).many;
    if (o.at[i].holds == PLACES ? n > most : n > 0 && most == 0) return false;
  }
  return true;
}

// Free sizes that the first array does not tell are halved until all arrays together have some ten times n elements.
static Sizes fitted(const Operands &o, Sizes sizes, const std::vector<int> &others, uint64_t n, const Gaps &gaps) {
  complete(o, &sizes, gaps);
  for (bool halved = true; halved && all_elements(o, sizes) > 10 * n + (1 << 16);) {
    halved = false;
    for (int size : others)
      if (sizes[(size_t)size] > 1) {
        sizes[(size_t)size] /= 2;
        halved = true;
      }
    complete(o, &sizes, gaps);
  }
  make_room(o, &sizes);
  complete(o, &sizes, gaps);
  return sizes;
}

// n elements of many dimensions: as many in each, or a few and the rest in one of them.
static void divide_among(const std::vector<int> &leads, int k, uint64_t n, Sizes *sizes) {
  uint64_t left = n;
  const uint64_t root = (uint64_t)round(pow((double)n, 1 / (double)leads.size()));
  for (size_t i = 0; i < leads.size(); i++) {
    const size_t which = leads.size() - 1 - (i + (size_t)k) % leads.size();
    const bool last = i + 1 == leads.size();
    const uint64_t one = last ? left : std::min(left, k == 2 ? root : k == 0 ? 1 : (uint64_t)(3 + i));
    (*sizes)[(size_t)leads[which]] = n == 0 && i > 0 ? 3 : one;
    left /= one > 0 ? one : 1;
  }
}

constexpr uint64_t FEW = 3;
constexpr uint64_t MOST_WORK = 1 << 17; // some tenths of a second, of an executor

// Loads of 16 bytes need sizes, gaps and places in memory that fit, all of them: here all do, but one that n picks, or
// none. Above rows and columns there are a few of each dimension.
static Shape even_shape(const Operands &o, const std::vector<int> &leads, const std::vector<int> &others, uint64_t n) {
  const size_t above = leads.size() - 2;
  const uint64_t plane = std::max<uint64_t>(n / (uint64_t)pow(FEW, (double)above), 1),
                 root = up_to_even((uint64_t)sqrt((double)plane)),
                 worth = MOST_WORK / std::max<uint64_t>(n, 1) / EVEN * EVEN;
  Sizes sizes((size_t)o.count, 0);
  for (size_t i = 0; i < leads.size(); i++) sizes[(size_t)leads[i]] = i < above ? FEW : root;
  for (int size : others) sizes[(size_t)size] = std::max(EVEN, std::min(root, worth));
  std::vector<int> may_be_odd(leads.begin() + (ptrdiff_t)above, leads.end());
  may_be_odd.insert(may_be_odd.end(), others.begin(), others.end());
  for (int i = 0; i < o.count; i++)
    if (o.at[i].means == LEADING) may_be_odd.push_back(i);
  const size_t pick = n % (may_be_odd.size() + 2);
  Gaps gaps = {n % 2 ? EVEN : 0, true, -1};
  if (pick < may_be_odd.size() && o.at[may_be_odd[pick]].means == LEADING) gaps.odd = may_be_odd[pick];
  else if (pick < may_be_odd.size()) sizes[(size_t)may_be_odd[pick]] -= 3;
  return {fitted(o, sizes, others, n, gaps), pick != may_be_odd.size()};
}

// A size of an array of several free dimensions, all of which together are worth so many: 64 weights along each of
// three dimensions are a quarter of a million.
static uint64_t at_most(const Operands &o, const std::vector<int> &others, int size, uint64_t wanted, uint64_t worth) {
  int most = 1;
  for (int i = 0; i < o.count; i++) {
    if (o.at[i].kind != ARRAY) continue;
    const int *begin = o.at[i].sizes, *end = begin + std::max(rank_of(o.at[i]), 1);
    if (std::find(begin, end, size) == end) continue;
    most = std::max(most, (int)std::count_if(begin, end, [&](int one) {
      return std::find(others.begin(), others.end(), one) != others.end();
    }));
  }
  if (most == 1) return wanted;
  return std::min(wanted, std::max<uint64_t>((uint64_t)pow((double)worth, 1.0 / most), 3));
}

std::vector<Shape> shapes_of(const Operands &o, uint64_t n, uint64_t most_parts) {
  std::vector<int> leads, others;
  bool has_leading = false;
  for (int i = 0; i < o.count && leads.empty(); i++)
    if (o.at[i].kind == ARRAY)
      for (int d = 0; d < rank_of(o.at[i]); d++) add_free(o, o.at[i].sizes[d], &leads);
  for (int i = 0; i < o.count; i++) {
    has_leading |= o.at[i].means == LEADING;
    if (is_free(o.at[i]) && std::find(leads.begin(), leads.end(), i) == leads.end()) others.push_back(i);
  }
  const uint64_t root = (uint64_t)sqrt((double)n) + (n == 0);
  // Parts, lines: as many as there are elements, but for time's sake. Of a power of two, another one for each n: some
  // are whole rounds of loads.
  const uint64_t many = std::min(n, most_parts), line = 16u << n % 7;
  // Of the first two sizes of the first array, and of all others.
  const uint64_t one = n > 0;
  const uint64_t first[] = {one, n ? many : 5, n ? root : 0, n / line};
  const uint64_t second[] = {n ? n : 5, n ? n / many : 0, n / root, line};
  // A product of matrices does as much as all sizes make together.
  const uint64_t worth = n ? std::max<uint64_t>(MOST_WORK / n, 3) : 3;
  const uint64_t other[] = {1, n ? std::min(many, worth) : 3, std::min(root + 2, worth), std::min(n / line, worth)};
  const bool alone = leads.size() < 2 && others.empty();
  std::vector<Shape> shapes;
  for (int k = 0; k < (alone ? 1 : n < line ? 3 : 4); k++) {
    if (n > 100000 && !alone && k != 2) continue; // they take their time
    const bool whole = k == 3;
    Sizes sizes((size_t)o.count, 0);
    for (int size : others)
      sizes[(size_t)size] = whole && o.at[size].means == COUNT ? line : at_most(o, others, size, other[k], worth);
    for (size_t i = 0; i < leads.size(); i++)
      sizes[(size_t)leads[i]] = leads.size() == 1 ? n : i == 0 ? first[k] : i == 1 ? second[k] : 1;
    if (leads.size() > 2) divide_among(leads, k, n, &sizes);
    for (int i = 0; i < o.count; i++) // a number of the caller's may be divided by
      if (o.at[i].means == COUNT && is_free(o.at[i]) && sizes[(size_t)i] == 0) sizes[(size_t)i] = 1;
    for (uint64_t apart = 0; apart <= (has_leading ? 3u : 0u); apart += 3) {
      const Shape shape = {fitted(o, sizes, others, n, {apart, false, -1}), whole};
      const auto same = [&](const Shape &other) { return other.sizes == shape.sizes && other.whole == whole; };
      if (can_be(o, shape.sizes) && std::none_of(shapes.begin(), shapes.end(), same)) shapes.push_back(shape);
    }
  }
  if (has_leading && n > 0 && leads.size() >= 2) {
    const Shape even = even_shape(o, leads, others, n);
    if (can_be(o, even.sizes)) shapes.push_back(even);
  }
  return shapes;
}

std::string shape_text(const Operands &o, const Sizes &sizes) {
  std::string text;
  for (int i = 0; i < o.count; i++)
    if (o.at[i].kind == SIZE)
      text += (text.empty() ? "" : ", ") + std::string(o.at[i].name) + " = " + std::to_string(sizes[(size_t)i]);
  return text.empty() ? "-" : text;
}

std::string position_text(const Operands &o, int array, const Sizes &sizes, uint64_t i) {
  const Operand &a = o.at[array];
  std::string name = a.name;
  const int rank = rank_of(a);
  if (rank == 0) return name;
  std::string at[4];
  for (int k = 0; k < rank; k++) { // the widest distance first
    const int d = a.by_columns ? rank - 1 - k : k;
    const uint64_t apart = distance(a, d, sizes), place = apart > 0 ? i / apart : 0;
    if (place >= sizes[(size_t)a.sizes[d]]) return "what lies between the lines of " + name;
    at[d] = "[" + std::to_string(place) + "]";
    i -= place * apart;
  }
  for (int d = 0; d < rank; d++) name += at[d];
  return name;
}

// ---- problems ----

static Bytes make_number(const Type &t, const Reference &r, Data data, uint64_t seed) {
  for (int i = 0;; i++) { // of nothing times something little can be seen
    Bytes number = make_elements(t, r.example, 1, data, seed + (uint64_t)i * 7919).bytes;
    if (i == 20 || std::any_of(number.begin(), number.end() - 1, [](char c) { return c != 0; })) return number;
  }
}

// Runs that begin at positions in an array: their lengths, or ends.
static void make_all_runs(const Operands &o, const Entry &e, const Sizes &sizes, uint64_t seed, Problem *p) {
  for (int i = 0; i < o.count; i++) {
    const Operand &x = o.at[i];
    if ((x.holds != RUN_LENGTHS && x.holds != RUN_ENDS) || x.into < 0 || o.at[x.into].into < 0) continue;
    p->values[(size_t)i] = make_runs(e.parameters[i].type, extent_of(o, i, sizes), e.parameters[x.into].type,
                                     p->values[(size_t)x.into], extent_of(o, o.at[x.into].into, sizes),
                                     x.holds == RUN_ENDS, seed + (uint64_t)i * 1000003);
  }
}

Problem make_problem(const Operands &o, const Entry &e, const Reference &r, const Shape &shape, Data data,
                     uint64_t seed) {
  const Sizes &sizes = shape.sizes;
  Problem p = {&o, e.parameters, sizes, shape.whole, 0, data, std::vector<Bytes>((size_t)o.count), 0};
  bool first = true;
  for (int i = 0; i < o.count; i++) {
    const Operand &x = o.at[i];
    const Type &type = e.parameters[i].type;
    const uint64_t own = seed + (uint64_t)i * 1000003;
    if (x.kind == NUMBER) p.values[(size_t)i] = make_number(type, r, data, own);
    if (x.kind != ARRAY) continue;
    const uint64_t n = extent_of(o, i, sizes);
    p.n = std::max(p.n, n);
    if (!x.read) continue;
    if (x.holds == COUNTER) { // of an empty queue
      p.values[(size_t)i] = Bytes(n * bytes_of(type) + MOST_BYTES, 0);
      continue;
    }
    if (x.holds >= OFFSETS && x.into >= 0) {
      p.values[(size_t)i] = make_positions(type, n, positions_of(o, x, sizes), x.holds == OFFSETS, x.holds == PLACES,
                                           own);
      continue;
    }
    const bool example = first || type.layout; // a user's operator tells of its elements
    Elements elements = make_elements(type, example ? r.example : nullptr, n, data, own);
    if (!first && x.written) without_nan(type, elements.bytes.data(), n);
    p.values[(size_t)i] = std::move(elements.bytes);
    if (first) p.magnitude = elements.magnitude;
    first = false;
  }
  make_all_runs(o, e, sizes, seed, &p);
  return p;
}

// ---- results ----

// The operands as the reference takes them: copies, since it writes.
struct Call {
  std::vector<Bytes> values;
  std::vector<Slot> slots;
};

// Values of the variant's in other types, of which arrays that are only written are zero. False: they cannot be had.
static bool make_call(const Problem &p, const Parameter *types, Call *c) {
  const Operands &o = *p.operands;
  c->values.resize((size_t)o.count);
  c->slots.resize((size_t)o.count);
  for (int i = 0; i < o.count; i++) {
    Slot &slot = c->slots[(size_t)i];
    Bytes &own = c->values[(size_t)i];
    const Bytes &given = p.values[(size_t)i];
    slot.size = p.sizes[(size_t)i];
    if (o.at[i].kind == SIZE) continue;
    const uint64_t n = o.at[i].kind == ARRAY ? extent_of(o, i, p.sizes) : 1;
    own.assign(n * bytes_of(types[i].type) + MOST_BYTES, 0);
    if (!given.empty() && !convert(p.types[i].type, given.data(), types[i].type, own.data(), n)) return false;
    if (o.at[i].kind == ARRAY) slot.pointer = own.data();
    else memcpy(slot.number, own.data(), bytes_of(types[i].type));
  }
  return true;
}

// The greatest of all that the operands hold.
static double make_all_absolute(const Problem &p, const Parameter *types, Call *c) {
  const Operands &o = *p.operands;
  double greatest = 0;
  for (int i = 0; i < o.count; i++) {
    if (p.values[(size_t)i].empty() || o.at[i].holds != DATA) continue;
    const uint64_t n = o.at[i].kind == ARRAY ? extent_of(o, i, p.sizes) : 1;
    greatest = fmax(greatest, make_absolute(types[i].type, c->values[(size_t)i].data(), n));
    if (o.at[i].kind == NUMBER)
      memcpy(c->slots[(size_t)i].number, c->values[(size_t)i].data(), bytes_of(types[i].type));
  }
  return greatest;
}

// What a reference says itself.
static void take_bounds(const Problem &p, const Call &bounds, int i, Results::Array *a) {
  const uint64_t n = extent_of(*p.operands, i, p.sizes);
  a->tolerance.resize(n);
  for (uint64_t k = 0; k < n; k++)
    a->tolerance[k] = greatest_part(a->type, bounds.values[(size_t)i].data() + k * bytes_of(a->type));
}

static void set_tolerances(const Problem &p, const Call &absolute, double largest, int i, Results::Array *a) {
  const Type &mine = p.types[i].type;
  const uint64_t n = extent_of(*p.operands, i, p.sizes);
  const bool reduces = is_reduction(*p.operands);
  a->tolerance.resize(n);
  for (uint64_t k = 0; k < n; k++) {
    const char *want = a->value.data() + k * bytes_of(a->type);
    a->tolerance[k] = reduces ? tolerance_of(a->type, want, mine, p.sizes[1], p.data, p.magnitude)
                              : wide_tolerance_of(a->type, want, absolute.values[(size_t)i].data() +
                                                                     k * bytes_of(a->type), mine, p.n, p.data, largest);
  }
}

void sort_queue(const Problem &p, int array, const Type &type, const Bytes &counter, const Type &counts, Bytes *at) {
  const int64_t count = integer_at(counts.kind, counter.data());
  const uint64_t n = count < 0 ? 0 : std::min((uint64_t)count, extent_of(*p.operands, array, p.sizes));
  const size_t each = bytes_of(type);
  std::vector<std::pair<double, std::string>> all; // by number, where it is one
  const Type real = {is_complex(type) ? CDOUBLE : DOUBLE, nullptr};
  for (uint64_t i = 0; i < n; i++) {
    const char *own = at->data() + i * each;
    double number[2] = {0, 0};
    if (!type.layout && !convert(type, own, real, number, 1)) number[0] = (double)integer_at(type.kind, own);
    all.emplace_back(number[0] == number[0] ? number[0] : INFINITY, std::string(own, each));
  }
  std::sort(all.begin(), all.end());
  for (uint64_t i = 0; i < n; i++) memcpy(at->data() + i * each, all[i].second.data(), each);
}

// Which of a queue's elements is where is not determined: all may be off by as much as one of them.
static void sort_queues(const Problem &p, Results *results) {
  const Operands &o = *p.operands;
  for (int i = 0; i < o.count; i++) {
    if (o.at[i].holds != QUEUE || !o.at[i].written || o.at[i].into < 0) continue;
    Results::Array &a = results->arrays[(size_t)i];
    const Results::Array &counter = results->arrays[(size_t)o.at[i].into];
    sort_queue(p, i, a.type, counter.value, counter.type, &a.value);
    if (!a.own.empty()) sort_queue(p, i, p.types[i].type, counter.value, counter.type, &a.own);
    double most = 0;
    for (double one : a.tolerance) most = fmax(most, one);
    std::fill(a.tolerance.begin(), a.tolerance.end(), most);
  }
}

Results results_of(const Problem &p, const Reference &r) {
  const Operands &o = *p.operands;
  Results results;
  results.arrays.resize((size_t)o.count);
  Call wide, own, absolute;
  if (!make_call(p, r.parameters, &wide) || !make_call(p, r.parameters, &absolute)) {
    results.impossible = "the reference does not take the variant's types";
    return results;
  }
  double largest = 0;
  try {
    r.call(wide.slots.data());
    if (r.bound) r.bound(absolute.slots.data());
  } catch (const std::exception &e) {
    results.impossible = std::string("the sequential codelet: ") + e.what();
    return results;
  }
  if (!r.bound && !is_reduction(o)) {
    largest = make_all_absolute(p, r.parameters, &absolute);
    r.call(absolute.slots.data());
  }
  const bool has_own = r.own && make_call(p, p.types, &own);
  if (has_own) r.own(own.slots.data());
  for (int i = 0; i < o.count; i++) {
    if (!o.at[i].written) continue;
    Results::Array &a = results.arrays[(size_t)i];
    a.type = r.parameters[i].type;
    a.value = std::move(wide.values[(size_t)i]);
    if (has_own) a.own = std::move(own.values[(size_t)i]);
    else if (!is_floating(p.types[i].type)) a.own = a.value;
    if (r.bound) take_bounds(p, absolute, i, &a);
    else set_tolerances(p, absolute, largest, i, &a);
  }
  sort_queues(p, &results);
  return results;
}

int64_t first_wrong(const Problem &p, const Results &want, int array, const Bytes &got) {
  const Results::Array &a = want.arrays[(size_t)array];
  const Type &type = p.types[array].type;
  for (uint64_t i = 0; i < a.tolerance.size(); i++)
    if (!is_right(a.type, a.value.data() + i * bytes_of(a.type), a.tolerance[i], type, got.data() + i * bytes_of(type)))
      return (int64_t)i;
  return -1;
}

int64_t first_other(const Problem &p, int array, const Bytes &x, const Bytes &y, bool any_zero,
                    const std::vector<double> *tolerance) {
  const Type &type = p.types[array].type;
  for (uint64_t i = 0; i < extent_of(*p.operands, array, p.sizes); i++)
    if ((!tolerance || (*tolerance)[i] == 0) &&
        !same_bits_or_nan(type, x.data() + i * bytes_of(type), y.data() + i * bytes_of(type), any_zero))
      return (int64_t)i;
  return -1;
}

} // namespace check
