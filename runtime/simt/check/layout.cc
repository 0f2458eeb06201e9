// layout.cc: values that are structs of numbers, member by member: what lies between the members says nothing.
#include "layout.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <limits>

namespace check {

static const Member whole[] = { // of a number: itself
    {INT8, "", 0, 1}, {UINT8, "", 0, 1}, {INT16, "", 0, 1},    {UINT16, "", 0, 1}, {INT, "", 0, 1},
    {UINT, "", 0, 1}, {INT64, "", 0, 1}, {UINT64, "", 0, 1},   {HALF, "", 0, 1},   {BFLOAT16, "", 0, 1},
    {FLOAT, "", 0, 1}, {DOUBLE, "", 0, 1}, {FLOAT, "", 0, 2},  {DOUBLE, "", 0, 2}}; // in Kind's order

const Member *members_of(const Type &t, int *count) {
  *count = t.layout ? t.layout->count : 1;
  return t.layout ? t.layout->members : &whole[t.kind];
}

bool same_bits(const Type &t, const void *x, const void *y) {
  int count;
  const Member *m = members_of(t, &count);
  for (int i = 0; i < count; i++)
    if (memcmp((const char *)x + m[i].offset, (const char *)y + m[i].offset, bytes_of(m[i].kind) * (size_t)m[i].count))
      return false;
  return true;
}

uint64_t padding_of(const Layout &l) {
  uint64_t padding = l.bytes < 64 ? (1ull << l.bytes) - 1 : ~0ull;
  for (int i = 0; i < l.count; i++)
    for (size_t k = 0; k < bytes_of(l.members[i].kind) * (size_t)l.members[i].count; k++)
      padding &= ~(1ull << ((size_t)l.members[i].offset + k));
  return padding;
}

double number_at(Kind k, const void *at) {
  float f;
  double d;
  if (k == FLOAT) return memcpy(&f, at, 4), f;
  if (k == DOUBLE) return memcpy(&d, at, 8), d;
  return (double)integer_at(k, at);
}

int64_t integer_at(Kind k, const void *at) {
  int64_t v = 0;
  memcpy(&v, at, bytes_of(k));
  if (k == INT8) return (int8_t)v;
  if (k == INT16) return (int16_t)v;
  if (k == INT) return (int32_t)v;
  return v;
}

bool is_close(const Type &t, const void *want, const void *got, double relative) {
  int count;
  const Member *m = members_of(t, &count);
  for (int i = 0; i < count; i++)
    for (int k = 0; k < m[i].count; k++) {
      size_t at = (size_t)m[i].offset + (size_t)k * bytes_of(m[i].kind);
      const char *w = (const char *)want + at, *g = (const char *)got + at;
      if (memcmp(w, g, bytes_of(m[i].kind)) == 0) continue;
      if (m[i].kind != FLOAT && m[i].kind != DOUBLE) return false;
      double x = number_at(m[i].kind, w), y = number_at(m[i].kind, g);
      double eps = m[i].kind == FLOAT ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
      bool both_nan = x != x && y != y;
      if (!(x == y || both_nan || fabs(x - y) <= relative * eps * fmax(1, fabs(x)))) return false;
    }
  return true;
}

// The bits of a floating number without its sign, and those of its type's infinity: above it are the NaN.
static uint64_t magnitude_at(Kind k, const void *at) {
  uint64_t bits = 0;
  memcpy(&bits, at, bytes_of(k));
  return bits & ~(1ull << (8 * bytes_of(k) - 1));
}
static uint64_t infinity_of(Kind k) {
  return k == HALF ? 0x7c00 : k == BFLOAT16 ? 0x7f80 : k == FLOAT ? 0x7f800000 : 0x7ff0000000000000;
}

bool same_bits_or_nan(const Type &t, const void *x, const void *y, bool any_zero) {
  int count;
  const Member *m = members_of(t, &count);
  for (int i = 0; i < count; i++)
    for (int k = 0; k < m[i].count; k++) {
      const Kind kind = m[i].kind;
      const size_t at = (size_t)m[i].offset + (size_t)k * bytes_of(kind);
      const char *one = (const char *)x + at, *other = (const char *)y + at;
      if (memcmp(one, other, bytes_of(kind)) == 0) continue;
      if (kind < HALF || kind > DOUBLE) return false;
      const uint64_t a = magnitude_at(kind, one), b = magnitude_at(kind, other);
      const bool both_nan = a > infinity_of(kind) && b > infinity_of(kind);
      if (!both_nan && !(any_zero && a == 0 && b == 0)) return false;
    }
  return true;
}

void print_members(char *to, size_t size, const Type &t, const void *value) {
  int count;
  const Member *m = members_of(t, &count);
  size_t n = 0;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < m[i].count && n + 1 < size; k++) {
      const char *at = (const char *)value + m[i].offset + (size_t)k * bytes_of(m[i].kind);
      const char *before = i || k ? ", " : "{";
      int put = m[i].kind == FLOAT || m[i].kind == DOUBLE
                    ? snprintf(to + n, size - n, "%s%.*g", before, m[i].kind == FLOAT ? 9 : 17,
                               number_at(m[i].kind, at))
                    : snprintf(to + n, size - n, "%s%lld", before, (long long)integer_at(m[i].kind, at));
      n += put > 0 ? (size_t)put : 0;
    }
  if (n + 1 < size) snprintf(to + n, size - n, "}");
}

void fill_members(char *to, const Type &t, uint64_t (*random)(void *), void *state) {
  int count;
  const Member *m = members_of(t, &count);
  memset(to, 0, bytes_of(t));
  for (int i = 0; i < count; i++)
    for (int k = 0; k < m[i].count; k++) {
      char *at = to + m[i].offset + (size_t)k * bytes_of(m[i].kind);
      uint64_t bits = random(state);
      int64_t small = (int64_t)(bits >> 60) - (m[i].kind == UINT8 || m[i].kind >= UINT16 ? 0 : 8);
      float f = (float)((double)(bits >> 11) * 0x1p-52 - 1);
      double d = f;
      if (m[i].kind == FLOAT) memcpy(at, &f, sizeof f);
      else if (m[i].kind == DOUBLE) memcpy(at, &d, sizeof d);
      else memcpy(at, &small, bytes_of(m[i].kind));
    }
}

} // namespace check
