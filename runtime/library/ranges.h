/* ranges.h: which variant serves which size or shape. A range has a function in CUDA, a variant in C.
 *
 *   RANGE         Range: up to so many elements, that variant in that configuration
 *   EXAMPLE       not pasted: the place of the compiled ranges
 *   IN_USE        MOST: the maximum number of ranges of a type
 *   TYPE_IN_USE   the ranges of one type that are in use: the compiled ones, or loaded ones
 *   RANGE_OF      range_of: finds a call's range
 *   USE           CPU, one type: takes ranges in use; with SHORTCUTS, prepares those of variants without workspace
 *   BY_SHAPE      ranges are of shapes: elements of each result, and number of results
 *   TURNS         with CONDITIONS: ranges may say what a tile of the results takes. These have RANK dimensions; EXTENTS:
 *                 a tile's, of c; PANEL: elements of a panel, of c; UNITS: multiprocessors; ADDED: what a share of a
 *                 tile takes besides
 *   CONDITIONS    ranges say what they ask of a call beside its size, of what ALIGNED and SIDES calls can tell
 */
#include "alone.h"
#ifndef RANGE
#define RANGE 1
#define EXAMPLE 1
#define IN_USE 1
#define TYPE_IN_USE 1
#define RANGE_OF 1
#define USE 1
#endif
#ifndef MOST
#define MOST 96
#endif
// ---- pasted from here on ----
#if RANGE

#if CUDA
namespace {

#endif
#if CONDITIONS
// What a range may ask of a call beside its size.
enum {
#if ALIGNED
  ROWS_ALIGNED = 1, // rows of all matrices that are only read begin at multiples of 16 bytes
#endif
#if SIDES
  RESULTS_TALL = 2, // the results have at least SKEW times as many rows as columns
  RESULTS_WIDE = 4, // .. columns as rows
#endif
};

#endif
#if BY_SHAPE && CUDA
// Up to so many elements each, up to so many results, that function in that configuration.
#elif CUDA
// Up to so many elements, that function in that configuration.
#elif BY_SHAPE
// Up to so many elements each, up to so many results, that variant in that configuration.
#else
// Up to so many elements, that variant in that configuration.
#endif
#if CUDA
template <typename F> struct Range {
#else
typedef struct Range {
#endif
#if BY_SHAPE
  uint64_t up_to, count;
  int rows; // of this size, from this one on
#else
  uint64_t up_to;
#endif
#if CONDITIONS
  int when, past; // what it asks of a call; so many ask for the same, from this one on
#endif
#if CUDA
  F run;
  NAME(configuration) c;
#if TURNS
  int turn; // what a tile takes, beside those of the ranges with the same room, its rivals; 0: it has none
#endif
};
#else
  const NAME(variant) *variant;
  NAME(configuration) c;
#if TURNS
  int turn; // what a tile takes, beside those of the ranges with the same room, its rivals; 0: it has none
#endif
} Range;
#endif
#endif
#if EXAMPLE
#if CUDA
const Range<OF_TYPE(function)> OF_TYPE(ranges)[1] = {};
#else
static const Range OF_TYPE(ranges)[1];
#endif
#endif
#if IN_USE

// Those in use: the ranges above, or what was loaded at run time.
enum { MOST_RANGES = MOST };
#endif
#if TYPE_IN_USE
#if CUDA
Range<OF_TYPE(function)> OF_TYPE(loaded)[MOST_RANGES];
const Range<OF_TYPE(function)> *OF_TYPE(in_use) = OF_TYPE(ranges);
#else
static Range OF_TYPE(loaded)[MOST_RANGES];
static const Range *OF_TYPE(in_use) = OF_TYPE(ranges);
#endif
#endif
#if RANGE_OF

#if CONDITIONS
// The first that has room for a call and asks for nothing that it is not; the last is for any.
#endif
#if CUDA
template <typename F> const Range<F> *range_of(const Range<F> *r, KEYS) {
#else
static const Range *range_of(const Range *r, KEYS) {
#endif
#if CONDITIONS && BY_SHAPE
  for (;;) {
    if (r->when & ~like) r += r->past;
    else if (n > r->up_to) r += r->rows;
    else if (count > r->count) ++r;
    else return r;
  }
#elif CONDITIONS
  for (;;) {
    if (r->when & ~like) r += r->past;
    else if (n > r->up_to) ++r;
    else return r;
  }
#elif BY_SHAPE
  while (n > r->up_to) r += r->rows;
  while (count > r->count) ++r; // the last of a size is for any
#else
  while (n > r->up_to) ++r;
#endif
#if !CONDITIONS
  return r;
#endif
}
#if TURNS

// A quotient of whole numbers, up to a whole one: in double, since a division of 64 bits takes several times as long.
#if CUDA
inline double quotient_up(double x, double y) {
#else
static double quotient_up(double x, double y) {
#endif
  const double q = x / y;
  if (q >= 4e15) return q; // all of these are whole
  const double whole = (double)(int64_t)q;
  return whole < q ? whole + 1 : whole;
}

// What the tiles of results of these sides take by a range: those of the multiprocessor that has the most, and the time
// in which it waits, half of it where 48 threads are all that there are. A number of blocks share tiles' sums, of
// sides[RANK] elements each, by whole panels, four at least: to store a share, and to add it, takes as long as ADDED more
// elements. Where tiles are as many as these blocks, or sums are short, nothing is shared, and a copy of all results would
// be for nothing.
#if CUDA
template <typename F> double time_by(const Range<F> *r, const double *sides) {
#else
static double time_by(const Range *r, const double *sides) {
#endif
  const NAME(configuration) c = r->c;
  const int extents[RANK] = {EXTENTS};
  double tiles = 1;
  for (int d = 0; d < RANK; ++d) {
    const double extent = extents[d] > 0 ? extents[d] : 1;
    tiles *= quotient_up(sides[d], extent);
  }
  const double blocks = (double)c.blocks, panel = PANEL > 0 ? PANEL : 16;
  double each = sides[RANK], shares = 1;
  if (tiles > 0 && blocks >= 2 * tiles) {
    each = quotient_up(quotient_up(each, (double)(int64_t)(blocks / tiles)), panel) * panel;
    if (each < 4 * panel) each = 4 * panel;
    shares = quotient_up(sides[RANK], each);
  }
  if (c.blocks > 0 && shares < 2) return 1e300;
  const double most = quotient_up(tiles * shares, UNITS), waits = 48.0 / (c.threads > 0 ? c.threads : 128);
  return r->turn * (most + waits) * (each + (c.blocks > 0 ? ADDED : 0));
}

// Of a range and its rivals the one by which the results are there first.
#if CUDA
template <typename F> const Range<F> *first_of_rivals(const Range<F> *r, const uint64_t *sides) {
  const Range<F> *found = r;
#else
static const Range *first_of_rivals(const Range *r, const uint64_t *sides) {
  const Range *found = r;
#endif
  double of_call[RANK + 1], least = -1; // of those so far; below 0: there are none
  for (int d = 0; d <= RANK; ++d) of_call[d] = (double)sides[d];
#if BY_SHAPE
  for (; r->turn > 0 && r->past > 1 && r[1].up_to == r->up_to && r[1].count == r->count; ++r) {
#else
  for (; r->turn > 0 && r->past > 1 && r[1].up_to == r->up_to; ++r) {
#endif
    if (least < 0) least = time_by(r, of_call);
    const double time = time_by(r + 1, of_call);
    if (time < least) found = r + 1, least = time;
  }
  return found;
}
#endif
#endif
#if USE && !CUDA && SHORTCUTS

// .. which of them no call is refused by: the work alone, in so many parts; else NULL.
typedef struct OF_TYPE(shortcut) {
#if BY_SHAPE
  uint64_t up_to, count;
  int rows; // of this size, from this one on
#else
  uint64_t up_to;
#endif
#if CONDITIONS
  int when, past;
#endif
  WORK *work;
  int64_t blocks;
} OF_TYPE(shortcut);
static OF_TYPE(shortcut) OF_TYPE(shortcuts)[MOST_RANGES];
static void USE_TYPE(const Range *ranges) {
  OF_TYPE(in_use) = ranges;
#if CONDITIONS
  int last = 0;
#if BY_SHAPE
  while (ranges[last].up_to != UINT64_MAX || ranges[last].count != UINT64_MAX || ranges[last].when != 0) ++last;
  const OF_TYPE(shortcut) none = {UINT64_MAX, UINT64_MAX, 1, 0, 1, NULL, 0};
#else
  while (ranges[last].up_to != UINT64_MAX || ranges[last].when != 0) ++last;
  const OF_TYPE(shortcut) none = {UINT64_MAX, 0, 1, NULL, 0};
#endif
  OF_TYPE(shortcuts)[0] = none;
  if (last >= MOST_RANGES) return; // too many to prepare: each call looks for its own
#endif
  for (int i = 0; i < MOST_RANGES; i++) {
    const Range *r = ranges + i;
    OF_TYPE(shortcut) *s = OF_TYPE(shortcuts) + i;
#if BY_SHAPE
    const bool alone = OF_TYPE(works)[r->variant - NAME(variants)] != NULL;
#else
    const bool alone = OF_TYPE(works)[r->variant - NAME(variants)] != NULL && r->up_to <= INT64_MAX / 4;
#endif
    s->up_to = r->up_to;
#if BY_SHAPE
    s->count = r->count;
    s->rows = r->rows;
#endif
#if CONDITIONS
    s->when = r->when;
    s->past = r->past;
#endif
    s->work = alone ? OF_TYPE(works)[r->variant - NAME(variants)](&r->c) : NULL;
    s->blocks = r->c.blocks;
#if BY_SHAPE && CONDITIONS
    if (r->up_to == UINT64_MAX && r->count == UINT64_MAX && r->when == 0) break;
#elif BY_SHAPE
    if (r->up_to == UINT64_MAX && r->count == UINT64_MAX) break;
#elif CONDITIONS
    if (r->up_to == UINT64_MAX && r->when == 0) break;
#else
    if (r->up_to == UINT64_MAX) break;
#endif
  }
}
#elif USE && !CUDA

static void USE_TYPE(const Range *ranges) {
  OF_TYPE(in_use) = ranges;
}
#endif
