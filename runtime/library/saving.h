/* saving.h: what online selection has decided, as a table (tables.h reads it): wherever a class has its candidate, that
 * one; elsewhere what the table in use has, if it is a candidate.
 *
 *   BOXES        rows as a table has them, and how they are made
 *   SAVE         NAME(select_save), up to the types' rows
 *   SAVE_TYPE *  a type's rows. PUT_OTHERS: tables have some members of c by name; OTHERS prints these
 *   SAVED        its end
 *   NUMBER       of a type, as in tables.h
 */
#include "online.h"
#ifndef BOXES
#define BOXES 1
#define SAVE 1
#define SAVE_TYPE 1
#define SAVED 1
#define PUT_OTHERS 0
#endif
// ---- pasted from here on ----
#if BOXES

// ---- decisions as a table ----

// A row: the candidate of calls with up to so many elements, up to so many results, that are like this.
typedef struct Box {
  uint64_t up_to, count;
  int when, id;
} Box;

// Rows that there are, of a type on a device; those that are made.
typedef struct Boxes {
  int type, device, n, made, band; // band: where those of the last size begin
  Box at[MOST_RANGES], to[MOST_RANGES + 1];
} Boxes;

// The candidate of calls of that size.
PRIVATE int candidate_at(const Boxes *b, uint64_t n, uint64_t count, int like) {
  uint64_t word = 0;
#if BY_SHAPE && CONDITIONS
  const int slot = slot_of(key_of(b->type, b->device, n, count, like), &word);
#elif BY_SHAPE
  const int slot = slot_of(key_of(b->type, b->device, n, count), &word);
#elif CONDITIONS
  const int slot = slot_of(key_of(b->type, b->device, n, like), &word);
#else
  const int slot = slot_of(key_of(b->type, b->device, n), &word);
#endif
  if (slot >= 0 && (word & 255) != 0) return (int)(word & 255) - 1;
  for (int i = 0; i < b->n; i++)
    if (n <= b->at[i].up_to && count <= b->at[i].count && (b->at[i].when & ~like) == 0) return b->at[i].id;
  return 0;
}

// The next border above a size, or above a number of results: a row's, or that of a class.
PRIVATE uint64_t next_border(const Boxes *b, uint64_t above, bool of_counts) {
  uint64_t next = UINT64_MAX;
  for (int bits = 0; bits < 63; bits++) {
    const uint64_t last = ((uint64_t)1 << bits) - 1;
    if (last > above && last < next) next = last;
  }
  for (int i = 0; i < b->n; i++) {
    const uint64_t last = of_counts ? b->at[i].count : b->at[i].up_to;
    if (last > above && last < next) next = last;
  }
  return next;
}

// Do the rows of the last size say what those of the size before it say? Rows `before' to `band' and `band' to the end.
PRIVATE bool bands_are_alike(const Boxes *b, int before) {
  if (b->band - before != b->made - b->band) return false;
  for (int i = 0; i < b->band - before; i++)
    if (b->to[before + i].count != b->to[b->band + i].count || b->to[before + i].id != b->to[b->band + i].id)
      return false;
  return true;
}

// The rows for calls that are like this; false: there are too many.
PRIVATE bool make_rows(Boxes *b, int like) {
  int before = b->made;
  b->band = b->made;
  for (uint64_t n = 1, done = 0; !done; done = n == UINT64_MAX, n = next_border(b, n, false)) {
#if BY_SHAPE
    for (uint64_t count = 1, all = 0; !all; all = count == UINT64_MAX, count = next_border(b, count, true)) {
#else
    {
      const uint64_t count = UINT64_MAX;
#endif
      const int id = candidate_at(b, n, count, like);
      if (b->made > b->band && b->to[b->made - 1].id == id) b->to[b->made - 1].count = count;
      else {
        const Box one = {n, count, like, id};
        if (b->made == MOST_RANGES) return false;
        b->to[b->made++] = one;
      }
    }
    if (b->band > before && bands_are_alike(b, before)) {
      for (int i = before; i < b->band; i++) b->to[i].up_to = n;
      b->made = b->band;
    } else {
      before = b->band;
      b->band = b->made;
    }
    // from here on `before' to `band' are the rows of the last size
  }
  return true;
}

#if CONDITIONS
// Has a row, or a class whose candidate is known, just these conditions?
PRIVATE bool has_like(const Boxes *b, int like) {
  for (int i = 0; i < b->n; i++)
    if (b->at[i].when == like) return true;
#if BY_SHAPE
  const int sizes = 14;
#else
  const int sizes = 7;
#endif
  for (int i = 0; i < SLOTS; i++) {
    const uint64_t word = read_slot(i), key = word >> 9;
    if ((word & 255) != 0 && (int)(key & 7) == like && key >> (sizes + 3) == ((uint64_t)b->type << 8 | (uint64_t)(b->device & 255)))
      return true;
  }
  return false;
}

#endif
// All rows; false: there are too many.
PRIVATE bool make_table(Boxes *b) {
  b->made = 0;
#if CONDITIONS
  bool has[8];
  for (int like = 0; like < 8; like++) has[like] = has_like(b, like);
  has[3] |= has[1] && has[2]; // who asks for more stands ahead
  has[5] |= has[1] && has[4];
  static const int order[] = {3, 5, 2, 4, 1};
  for (int i = 0; i < 5; i++)
    if (has[order[i]] && !make_rows(b, order[i])) return false;
#endif
  return make_rows(b, 0);
}

// "64", "16x4096", "inf,aligned"
PRIVATE void put_room(char *to, size_t size, const Box *x) {
  char words[32] = "", count[32] = "";
#if CONDITIONS
#if ALIGNED
  if (x->when & ROWS_ALIGNED) STD(strcat)(words, ",aligned");
#endif
#if SIDES
  if (x->when & RESULTS_TALL) STD(strcat)(words, ",tall");
  if (x->when & RESULTS_WIDE) STD(strcat)(words, ",wide");
#endif
#endif
  if (x->count < UINT64_MAX) STD(snprintf)(count, sizeof count, "x%llu", (unsigned long long)x->count);
  if (x->up_to < UINT64_MAX)
    STD(snprintf)(to, size, "%llu%s%s", (unsigned long long)x->up_to, count, words);
  else STD(snprintf)(to, size, "inf%s%s", count, words);
}

PRIVATE void put_heading(STD(FILE) *file) {
  char date[32] = "";
  const time_t now = time(NIL);
  struct tm day;
  if (gmtime_r(&now, &day) != NIL) STD(strftime)(date, sizeof date, "%Y-%m-%d", &day);
#if CUDA
  int device = 0;
  cudaDeviceProp is;
  const bool known = cudaGetDevice(&device) == cudaSuccess && cudaGetDeviceProperties(&is, device) == cudaSuccess;
  const char *where = known ? is.name : "a GPU";
#else
  const char *where = "a CPU";
#endif
  STD(fprintf)(file, "# Selected by a running program, measured on %s, %s\n"
                     "# type  up_to        variant           threads  loads  blocks\n", where, date);
}
#endif
#if SAVE

PUBLIC ERROR NAME(select_save)(const char *path) {
  static const char who[] = "NAME(select_save)";
  if (path == NIL || *path == 0) return NAME(failed)(INVALID, "%s: there is no path", who);
  if (selects_among() == 0) return NAME(failed)(INVALID, "%s: selection is off, and has decided nothing", who);
  Boxes *b = (Boxes *)STD(malloc)(sizeof *b);
  const size_t length = STD(strlen)(path) + sizeof ".part";
  char *part = (char *)STD(malloc)(length);
  STD(FILE) *file = NIL;
  bool fits = true, written = false;
  if (part != NIL) STD(snprintf)(part, length, "%s.part", path);
  if (b != NIL && part != NIL) file = STD(fopen)(part, "w");
  int why = errno;
  if (file != NIL) {
    put_heading(file);
    b->device = 0;
#if CUDA
    cudaGetDevice(&b->device);
#endif
#endif
#if SAVE_TYPE
    b->type = NUMBER;
    b->n = OF_TYPE(suited).rows;
    for (int i = 0; i < b->n; i++) {
      const RANGES *r = &OF_TYPE(in_use)[i];
#if BY_SHAPE && CONDITIONS
      const Box box = {r->up_to, r->count, r->when, 0};
#elif BY_SHAPE
      const Box box = {r->up_to, r->count, 0, 0};
#elif CONDITIONS
      const Box box = {r->up_to, UINT64_MAX, r->when, 0};
#else
      const Box box = {r->up_to, UINT64_MAX, 0, 0};
#endif
      b->at[i] = box;
      b->at[i].id = nearest_candidate(&OF_TYPE(suited), i);
    }
    fits = fits && make_table(b);
    for (int i = 0; i < b->made && fits; i++) {
      const RANGES *r = &OF_TYPE(pool)[b->to[i].id];
      const NAME(configuration) *c = &r->c;
      char room[96];
      put_room(room, sizeof room, &b->to[i]);
      STD(fprintf)(file, "%-7s %-12s %-17s %-8d %-6d %lld", "TYPE", room, NAME(variants)[ID_OF(r)].id, c->threads,
                   c->loads, (long long)c->blocks);
#if PUT_OTHERS
OTHERS
#endif
      STD(fputc)('\n', file);
    }
#endif
#if SAVED
    const bool whole = STD(fflush)(file) == 0 && !STD(ferror)(file);
    why = errno;
    written = STD(fclose)(file) == 0 && whole && fits;
    if (written && STD(rename)(part, path) != 0) {
      written = false;
      why = errno;
    }
    if (!written) STD(remove)(part);
  }
  STD(free)(part);
  STD(free)(b);
  if (!fits) return NAME(failed)(INVALID, "%s: more than %d rows for a type", who, MOST_RANGES);
  if (!written) return NAME(failed)(INVALID, "%s: cannot write `%.150s': %s", who, path, STD(strerror)(why));
  return SUCCESS;
}
#endif
