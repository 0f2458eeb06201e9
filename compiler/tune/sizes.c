/* sizes.c: which sizes, or shapes, are measured: what the command line lists, and what is usual. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tune/tune.h"

/* ---- lists: "64,2^10..2^14/2", "2^4x2^20,64..256x1" ---- */

static bool number(const char *s, const char **end, uint64_t *value) {
  char *stop;
  if (*s < '0' || *s > '9') return false;
  errno = 0;
  *value = strtoull(s, &stop, 10);
  if (*stop == '^') {
    bool digits = stop[1] >= '0' && stop[1] <= '9';
    uint64_t power = strtoull(stop + 1, &stop, 10);
    if (!digits || *value != 2 || power > 40) return false;
    *value = UINT64_C(1) << power;
  }
  *end = stop;
  return errno == 0 && *value <= UINT64_C(1) << 40;
}

typedef VEC(uint64_t) Numbers;

/* "64", "2^6..2^10"; with `/2' behind it the sizes halfway between. */
static bool range(Arena *a, const char **at, Numbers *to) {
  uint64_t first, last;
  const char *s = *at;
  if (!number(s, &s, &first)) return false;
  last = first;
  bool is_range = strncmp(s, "..", 2) == 0;
  if (is_range && (!number(s + 2, &s, &last) || first == 0 || last < first)) return false;
  bool halves = strncmp(s, "/2", 2) == 0;
  if (halves) s += 2;
  for (uint64_t n = first; n <= last; n *= 2) {
    vec_push(a, to, n);
    if (halves && n + n / 2 < last) vec_push(a, to, n + n / 2);
    if (!is_range) break;
  }
  *at = s;
  return true;
}

/* By the number of parts first: along each such line the same variants fall back. */
static int in_order(const void *x, const void *y) {
  const Shape *a = x, *b = y;
  if (a->count != b->count) return a->count < b->count ? -1 : 1;
  return a->n < b->n ? -1 : a->n > b->n;
}

static void put_in_order(Shapes *to) {
  int n = 0;
  if (to->n) qsort(to->at, (size_t)to->n, sizeof *to->at, in_order);
  for (int i = 0; i < to->n; i++)
    if (n == 0 || in_order(&to->at[n - 1], &to->at[i]) != 0) to->at[n++] = to->at[i];
  to->n = n;
}

bool shapes_of(Arena *a, const char *s, bool with_counts, Shapes *to) {
  for (;;) {
    Numbers sizes = {0}, counts = {0};
    if (!range(a, &s, &sizes)) return false;
    if (with_counts && (*s++ != 'x' || !range(a, &s, &counts))) return false;
    const uint64_t no_parts = 0;
    if (!with_counts) vec_push(a, &counts, no_parts);
    for (int i = 0; i < sizes.n; i++)
      for (int k = 0; k < counts.n; k++) {
        Shape shape = {.n = sizes.at[i], .count = counts.at[k]};
        if (with_counts && (shape.n == 0 || shape.count == 0)) return false;
        vec_push(a, to, shape);
      }
    if (*s == '\0') break;
    if (*s++ != ',') return false;
  }
  put_in_order(to);
  return to->n > 0;
}

/* ---- what is usual ---- */

uint64_t shape_elements(Shape s) { return s.count ? s.n * s.count : s.n; }

const char *shape_text(Arena *a, Shape s) {
  const unsigned long long n = s.n, count = s.count;
  Buffer b = buffer_new(a);
  buffer_printf(&b, count ? "%llux%llu" : "%llu", n, count);
  if (s.calls.like || s.calls.unlike) buffer_puts(&b, s.calls.like ? " " : " others");
  conditions_print(&b, s.calls.like, " ");
  return b.text;
}

/* Elements of all parts: as many as tell what happens where memory is what bounds, and no more than a part of it. */
static uint64_t most_elements(const DeviceInfo *d) {
  enum { OF_MEMORY = 64, LEAST = 1 << 12 };
  uint64_t most = UINT64_C(1) << 26;
  while (most > LEAST && most > d->memory_bytes / OF_MEMORY) most /= 2;
  return most;
}

/* On a CPU each look at what no cache holds takes long: it is taken at shapes that have some of both, where long rows
 * and many rows part, and not at the ends of the grid. */
static bool is_worth_a_look(const Folder *f, Shape s) {
  enum { LARGE = 1 << 24, SOME = 1 << 6 };
  return !f->cpu || shape_elements(s) <= LARGE || (s.n >= SOME && s.count >= SOME);
}

/* Numbers of parts grow by 16: what serves changes with them where the machine begins to be full. */
static void grid(Arena *a, const Folder *f, const Shapes *sizes, uint64_t most, Shapes *to) {
  enum { GROWS = 16, FEW = 1 << 6 };
  for (int i = 0; i < sizes->n; i++) {
    const uint64_t n = sizes->at[i].n ? sizes->at[i].n : 1;
    for (uint64_t count = 1; count == 1 || count <= most / n; count *= GROWS) {
      Shape shape = {.n = n, .count = count};
      const bool few = n * count < FEW && count <= most / n / GROWS;
      if (!few && is_worth_a_look(f, shape)) vec_push(a, to, shape);
    }
  }
  put_in_order(to);
}

void shapes_usual(Arena *a, const Folder *f, const DeviceInfo *d, const Shapes *sizes, Shapes *to) {
  const uint64_t most = most_elements(d);
  Shapes own = {0};
  if (!f->by_shape) {
    shapes_of(a, f->cpu || f->operands ? "2^6..2^27/2" : "2^6..2^30/2", false, to);
    return;
  }
  for (uint64_t n = 4; n <= most && !sizes->n; n *= 4) {
    Shape each = {.n = n};
    vec_push(a, &own, each);
  }
  grid(a, f, sizes->n ? sizes : &own, most, to);
}
