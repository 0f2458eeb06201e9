// data.cc: data and expected results.
#include "data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <limits>

namespace check {

size_t bytes_of(Kind k) { return k == HALF ? 2 : k == INT || k == UINT || k == FLOAT ? 4 : 8; }

static bool operation_is(const char *name) { return strcmp(operation, name) == 0; }
static bool selects() { return operation_is("max") || operation_is("min"); }
static bool bitwise() { return operation_is("and") || operation_is("or") || operation_is("xor"); }

struct Random {
  uint64_t state;
  uint64_t next() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545F4914F6CDD1Dull;
  }
  int64_t between(int64_t low, int64_t high) { return low + (int64_t)(next() % (uint64_t)(high - low + 1)); }
  double real() { return (double)(next() >> 11) * 0x1p-53; }
};

// Selections: one element beats all others, at a place that the seed draws, ends included; all lie on the side of zero
// where a start from 0 shows. Sums: |x| <= 8, so that a million of them are exact in a float. Products: 1 and -1.
static double exact_value(Random &r, bool is_signed, uint64_t i, uint64_t best) {
  if (operation_is("max")) return is_signed ? (double)r.between(-1000000, -1000) + (i == best ? 1000000 : 0)
                                            : (double)r.between(0, 1000) + (i == best ? 5000 : 0);
  if (operation_is("min")) return (double)r.between(1000, 1000000) - (i == best ? 999 : 0);
  if (operation_is("mul")) return is_signed ? (r.next() & 1 ? 1 : -1) : 1;
  return (double)(is_signed ? r.between(-8, 8) : r.between(0, 8));
}

// What is selected is a zero, and of two the one with the sign that its rule has.
static double special_value(Random &r) {
  uint64_t kind = r.next() >> 32;
  if (kind % 16 == 0) return NAN;
  if (kind % 4 == 0) return kind % 64 == 4 ? 0.0 : -0.0;
  return operation_is("max") ? -1 - r.real() : 1 + r.real();
}

// Sums: neighbours nearly cancel, so that the result is small beside what it is added up from, and another order shows.
static double real_value(Random &r, uint64_t n, uint64_t i, double previous) {
  if (operation_is("mul")) return 1 + (r.real() - 0.5) / (double)n;
  if (i % 2 && operation_is("add")) return (r.real() - 0.5) * 0x1p-8 - previous;
  return (r.real() - 0.3) * exp2((double)r.between(-6, 6));
}

template <typename T>
constexpr bool is_signed = std::numeric_limits<T>::is_signed;
template <>
constexpr bool is_signed<__half> = true;

template <typename T>
static void fill(Elements &e, uint64_t n, Data data, Random &r, uint64_t best, bool special) {
  T *to = (T *)e.bytes.data();
  for (uint64_t i = 0; i < n; i++) {
    if (bitwise()) {
      uint64_t bits = r.next();
      if (!operation_is("xor")) bits |= r.next() | r.next() | (operation_is("and") ? r.next() | r.next() : 0);
      if (operation_is("or")) bits = ~bits;
      to[i] = (T)bits;
      continue;
    }
    to[i] = (T)(data == EXACT ? exact_value(r, is_signed<T>, i, best)
                 : special ? special_value(r) : real_value(r, n, i, i ? (double)to[i - 1] : 0));
    e.magnitude += fabs((double)to[i]);
  }
}

Elements make_elements(Kind kind, uint64_t n, Data data, uint64_t seed, bool special) {
  special = special && selects();
  Elements e = {std::vector<char>(n * bytes_of(kind) + 1), 0};
  Random r = {seed * 0x9E3779B97F4A7C15ull + n * 77 + 1};
  for (int i = 0; i < 4; i++) r.next();
  uint64_t best = n == 0 || seed % 3 == 2 ? 0 : seed % 3 == 1 ? n - 1 : r.next() % n;
  switch (kind) {
    case INT: fill<int>(e, n, data, r, best, special); break;
    case UINT: fill<unsigned>(e, n, data, r, best, special); break;
    case INT64: fill<long long>(e, n, data, r, best, special); break;
    case UINT64: fill<unsigned long long>(e, n, data, r, best, special); break;
    case HALF: fill<__half>(e, n, data, r, best, special); break;
    case FLOAT: fill<float>(e, n, data, r, best, special); break;
    case DOUBLE: fill<double>(e, n, data, r, best, special); break;
  }
  return e;
}

static double as_double(Kind k, const void *value) {
  float f;
  double d;
  if (k == FLOAT) return memcpy(&f, value, 4), f;
  return memcpy(&d, value, 8), d;
}

Expected expect(const Reference &r, const Elements &e, uint64_t n, Data data, Kind result) {
  Expected want = {r.result, {0}, 0, !is_floating(result) || r.own, {0}};
  r.run(e.bytes.data(), n, want.value);
  if (r.own) r.own(e.bytes.data(), n, want.own);
  else memcpy(want.own, want.value, sizeof want.own);
  if (!is_floating(result) || data == EXACT || selects() || n < 2) return want;
  double eps = result == FLOAT ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  double magnitude = operation_is("mul") ? fabs(as_double(want.kind, want.value)) * 2 : e.magnitude;
  want.tolerance = (double)(n - 1) * eps * magnitude;
  return want;
}

bool is_right(const Expected &want, Kind result, const void *got) {
  if (!is_floating(want.kind)) return memcmp(want.value, got, bytes_of(result)) == 0;
  double w = as_double(want.kind, want.value), g = as_double(result, got);
  if (result == FLOAT && want.tolerance == 0) w = (double)(float)w;
  return g == w || fabs(g - w) <= want.tolerance;
}

void print_value(char *to, size_t size, Kind k, const void *value) {
  int i;
  unsigned u;
  long long l;
  unsigned long long v;
  switch (k) {
    case INT: memcpy(&i, value, 4); snprintf(to, size, "%d", i); break;
    case UINT: memcpy(&u, value, 4); snprintf(to, size, "%u", u); break;
    case INT64: memcpy(&l, value, 8); snprintf(to, size, "%lld", l); break;
    case UINT64: memcpy(&v, value, 8); snprintf(to, size, "%llu", v); break;
    default: snprintf(to, size, "%.*g", k == FLOAT ? 9 : 17, as_double(k, value));
  }
}

} // namespace check
