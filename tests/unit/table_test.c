/* table_test.c: tables of ranges: read, printed, refused with the place where they are wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "table/table.h"

typedef struct Read { Arena *a; Diagnostics *d; Table t; bool ok; } Read;

static Read read_bytes(const char *text, size_t size) {
  Read r = {.a = arena_new()};
  SourceFile *f = arena_one(r.a, SourceFile);
  char *copy = arena_alloc(r.a, size + 1);
  memcpy(copy, text, size);
  *f = (SourceFile){.path = "x.table", .text = copy, .size = size};
  r.d = diagnostics_new(r.a);
  r.ok = table_read(r.a, f, &r.t, r.d);
  return r;
}

static Read read_text(const char *text) { return read_bytes(text, strlen(text)); }

static const char *printed(Read *r) {
  Buffer b = buffer_new(r->a);
  table_print(&b, &r->t);
  return b.text;
}

static const char good[] =
    "# sum, measured on a stand-in\n"
    "# type  up_to        variant           threads  loads  blocks\n"
    "float   64           53feb26c          32       4      0       # 0.58 us in a graph\n"
    "float   2048         d79e0a23          0        0      0      \n"
    "float   inf          5f201818          512      4      264    \n"
    "int     inf          53feb26c          1024     16     0      \n";

static void reads_rows(void **state) {
  (void)state;
  Read r = read_text(good);
  assert_true(r.ok);
  assert_int_equal(r.d->list.n, 0);
  assert_string_equal(r.t.heading, "sum, measured on a stand-in");
  assert_int_equal(r.t.rows.n, 4);
  const TableRow *first = &r.t.rows.at[0], *third = &r.t.rows.at[2];
  assert_string_equal(first->type, "float");
  assert_true(first->up_to == 64);
  assert_string_equal(first->variant, "53feb26c");
  assert_int_equal(tunables_value(&first->set, "threads"), 32);
  assert_int_equal(tunables_value(&first->set, "loads"), 4);
  assert_string_equal(first->comment, "0.58 us in a graph");
  assert_true(third->up_to == UINT64_MAX);
  assert_int_equal(tunables_value(&third->set, "blocks"), 264);
  assert_null(third->comment);
  assert_string_equal(printed(&r), good);
  arena_free(r.a);
}

/* Tunables of codelets' own stand behind the usual ones, by name. */
static void reads_other_tunables(void **state) {
  (void)state;
  static const char text[] = "# type  up_to        variant           threads  loads  blocks\n"
                             "float   64           53feb26c          32       4      0       stages=3 tile_m=8 # why\n"
                             "float   inf          5f201818          512      0      264     tile_m=16\n";
  Read r = read_text(text);
  assert_true(r.ok);
  assert_int_equal(tunables_value(&r.t.rows.at[0].set, "tile_m"), 8);
  assert_int_equal(tunables_value(&r.t.rows.at[1].set, "stages"), 0);
  assert_string_equal(printed(&r), text);
  arena_free(r.a);
  r = read_text("float inf a 0 0 0 tile_m=16 stages=3 none=0\n");
  assert_true(r.ok);
  assert_non_null(strstr(printed(&r), " stages=3 tile_m=16\n"));
  arena_free(r.a);
  static const char *const bad[] = {"tile_m",      "tile_m=",           "=8",        "tile_m=x",
                                    "tile_m=4097", "tile_m=8 tile_m=8", "threads=8", "8"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    Arena *a = arena_new();
    r = read_text(arena_printf(a, "float inf a 0 0 0 %s\n", bad[i]));
    assert_false(r.ok);
    arena_free(r.a);
    arena_free(a);
  }
}

/* What is printed is read back as the same, whatever the text looked like. */
static void goes_round(void **state) {
  (void)state;
  static const char *const texts[] = {
      "", "\n\n", "# only a heading", "float inf a 0 0 0", "float inf a 0 0 0 # why", "float\tinf\ta\t1\t2\t3\r\n",
      "#\n# type  up_to\nfloat inf a 0 0 0\n",
      "   # heading\\\n float 0 a 0 0 0 # note\\ \\\n float inf b 1024 1024 2147483647#",
      "float 9223372036854775807 a 0 0 0\nint inf b 0 0 0\nfloat inf c 0 0 0\n",
      "# type  up_to        variant           threads  loads  blocks\n"
      "float   inf          a                 0        0      0      \n"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    Read r = read_text(texts[i]);
    assert_true(r.ok);
    const char *once = printed(&r);
    Read again = read_text(once);
    assert_true(again.ok);
    assert_int_equal(again.t.rows.n, r.t.rows.n);
    assert_string_equal(printed(&again), once);
    arena_free(again.a);
    arena_free(r.a);
  }
}

/* A heading is a line of its own, and not the names of the columns. */
static void tells_headings(void **state) {
  (void)state;
  static const char *const none[] = {"float inf a 0 0 0 # a note\n", "# type  up_to  variant\nfloat inf a 0 0 0\n",
                                     "#\n#  \n"};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    Read r = read_text(none[i]);
    assert_true(r.ok);
    assert_null(r.t.heading);
    arena_free(r.a);
  }
}

static const char shapes[] =
    "# type  up_to        variant           threads  loads  blocks\n"
    "float   16x64        a                 0        0      1      \n"
    "float   16x4096      b                 0        0      2       # more of them\n"
    "float   16           c                 0        0      0      \n"
    "float   1024         d                 64       2      0      \n"
    "float   infx2        e                 0        0      0      \n"
    "float   inf          f                 0        0      0      \n";

/* Rows of shapes: read, printed, and the row that each shape is in. */
static void serves_shapes(void **state) {
  (void)state;
  Read r = read_text(shapes);
  assert_true(r.ok);
  assert_string_equal(printed(&r), shapes);
  const uint64_t most = UINT64_MAX;
  const struct { uint64_t n, count; char serves; } at[] = {
      {0, 0, 'a'},   {16, 64, 'a'},    {16, 65, 'b'},   {1, 4096, 'b'}, {16, 4097, 'c'}, {2, most, 'c'}, {17, 0, 'd'},
      {17, 64, 'd'}, {1024, most, 'd'}, {1025, 2, 'e'}, {most, 1, 'e'}, {1025, 3, 'f'},  {most, most, 'f'}};
  for (size_t i = 0; i < sizeof at / sizeof *at; i++)
    assert_int_equal(table_row(&r.t, "float", at[i].n, at[i].count, 0)->variant[0], at[i].serves);
  assert_null(table_row(&r.t, "int", 1, 1, 0));
  arena_free(r.a);
}

/* Every shape is in one row and only in one: what leaves a hole or covers another row is refused, where it stands. */
static void refuses_shapes(void **state) {
  (void)state;
  static const struct { const char *text, *says; int line, column; } bad[] = {
      {"float 16x4 a 0 0 0\nfloat inf a 0 0 0\n", "`16x4' wants a row for all other numbers", 2, 7},
      {"float 16x4 a 0 0 0\nfloat 32x4 a 0 0 0\nfloat inf a 0 0 0\n", "`16x4' wants a row", 2, 7},
      {"float 16x4 a 0 0 0\nfloat 8 a 0 0 0\nfloat inf a 0 0 0\n", "`16x4' wants a row", 2, 7},
      {"float 16x4 a 0 0 0\nfloat 16x4 a 0 0 0\nfloat 16 a 0 0 0\nfloat inf a 0 0 0\n", "numbers of results", 2, 7},
      {"float 16x4 a 0 0 0\nfloat 16x3 a 0 0 0\nfloat 16 a 0 0 0\nfloat inf a 0 0 0\n", "numbers of results", 2, 7},
      {"float 16 a 0 0 0\nfloat 16x4 a 0 0 0\nfloat inf a 0 0 0\n", "sizes of a type must ascend", 2, 7},
      {"float inf a 0 0 0\nfloat infx4 a 0 0 0\n", "sizes of a type must ascend", 2, 7},
      {"float infx4 a 0 0 0\n", "do not end with `inf'", 2, 1},
      {"float 16x4 a 0 0 0\n", "do not end with `inf'", 2, 1},
      {"float 16x a 0 0 0\n", "expected a number", 1, 10},
      {"float x16 a 0 0 0\n", "expected a number", 1, 7},
      {"float 16xinf a 0 0 0\n", "expected a number", 1, 10},
      {"float 16x0 a 0 0 0\n", "it begins at 1", 1, 10},
      {"float 16x4x4 a 0 0 0\n", "no number that fits", 1, 10},
      {"float 16x9223372036854775808 a 0 0 0\n", "no number that fits", 1, 10},
      {"float infx99999999999999999999999 a 0 0 0\n", "no number that fits", 1, 11},
      {"float 16X4 a 0 0 0\n", "no number that fits", 1, 7}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    Read r = read_text(bad[i].text);
    assert_false(r.ok);
    const Diagnostic *e = &r.d->list.at[0];
    int line, column;
    source_position(e->where.file, e->where.begin, &line, &column);
    if (!strstr(e->message, bad[i].says))
      fail_msg("%s: %s", bad[i].text, e->message);
    assert_int_equal(line, bad[i].line);
    assert_int_equal(column, bad[i].column);
    arena_free(r.a);
  }
}

/* Rows that ask for something of a call: read, printed, and the row that serves each call: the first one that has room
 * for it and asks for nothing that it is not. */
static const char conditions[] =
    "# type  up_to            variant           threads  loads  blocks\n"
    "half    16x64,aligned,tall a                 0        0      0      \n"
    "half    16,tall          b                 0        0      0      \n"
    "half    16x64,aligned    c                 0        0      0      \n"
    "half    64x32,aligned    d                 0        0      0      # smaller numbers of results of a larger size\n"
    "half    inf,aligned      e                 0        0      0      \n"
    "half    inf,wide         f                 0        0      0      \n"
    "half    16x64            g                 0        0      0      \n"
    "half    16               h                 0        0      0      \n"
    "half    inf              i                 0        0      0      \n";

static void serves_by_conditions(void **state) {
  (void)state;
  Read r = read_text(conditions);
  if (!r.ok) fail_msg("%s", r.d->list.at[0].message);
  Read again = read_text(printed(&r));
  assert_true(again.ok);
  assert_string_equal(printed(&again), printed(&r));
  assert_int_equal(table_conditions(&r.t), ROWS_ALIGNED | RESULTS_TALL | RESULTS_WIDE);
  const unsigned a = ROWS_ALIGNED, t = RESULTS_TALL, w = RESULTS_WIDE;
  const struct { uint64_t n, count; unsigned like; char serves; } at[] = {
      {16, 64, a | t, 'a'}, {16, 65, a | t, 'b'}, {17, 64, a | t, 'e'}, {17, 32, a | t, 'd'}, {16, 64, t, 'b'},
      {17, 64, t, 'i'},     {16, 64, a, 'c'},     {16, 65, a, 'e'},     {20, 33, a, 'e'},     {20, 32, a, 'd'},
      {99, 1, a | w, 'e'},  {99, 1, w, 'f'},      {16, 64, 0, 'g'},     {16, 65, 0, 'h'},     {17, 1, 0, 'i'},
      {0, 0, 0, 'g'},       {0, 0, w, 'f'},       {0, 0, a | w, 'c'}};
  for (size_t i = 0; i < sizeof at / sizeof *at; i++)
    assert_int_equal(table_row(&r.t, "half", at[i].n, at[i].count, at[i].like)->variant[0], at[i].serves);
  arena_free(again.a);
  arena_free(r.a);
}

static void refuses_conditions(void **state) {
  (void)state;
  static const struct { const char *text, *says; int line, column; } bad[] = {
      {"half inf,high a 0 0 0\n", "there are aligned, tall, wide", 1, 10},
      {"half inf,Aligned a 0 0 0\n", "no condition", 1, 10},
      {"half inf, a 0 0 0\n", "no condition", 1, 9},
      {"half inf,,tall a 0 0 0\n", "no condition", 1, 9},
      {"half inf,tall, a 0 0 0\n", "no condition", 1, 14},
      {"half inf,alignedx a 0 0 0\n", "no condition", 1, 10},
      {"half inf,turn=0 a 0 0 0\n", "more than 0", 1, 10},
      {"half inf,turn= a 0 0 0\n", "no condition", 1, 10},
      {"half inf,turn=7,turn=8 a 0 0 0\n", "twice", 1, 17},
      {"half inf,turn=99999999999 a 0 0 0\n", "no number that fits here", 1, 15},
      {"half inf,turn=7 a 0 0 0\nhalf inf b 0 0 0\n", "sizes of a type must ascend", 2, 6},
      {"half 8,tall a 0 0 0\nhalf 8,tall,turn=7 b 0 0 0\nhalf inf a 0 0 0\n", "must ascend", 2, 6},
      {"half 16,tallx4 a 0 0 0\n", "no condition", 1, 9},
      {"half inf,tall,aligned,tall a 0 0 0\n", "twice", 1, 23},
      {"half inf,tall,wide a 0 0 0\n", "both `tall' and `wide'", 1, 15},
      {"half ,tall a 0 0 0\n", "expected a number", 1, 6},
      {"half inf a 0 0 0\nhalf inf,tall b 0 0 0\n", "must stand ahead of those without", 2, 6},
      {"half 8,tall a 0 0 0\nhalf 9,aligned b 0 0 0\nhalf inf,tall c 0 0 0\nhalf inf a 0 0 0\n", "must stand together", 3, 6},
      {"half inf,tall a 0 0 0\nhalf inf,tall,aligned b 0 0 0\nhalf inf a 0 0 0\n",
       "`aligned,tall' must stand ahead of those with `tall' alone", 2, 6},
      {"half 8,tall a 0 0 0\nhalf 8,tall b 0 0 0\nhalf inf a 0 0 0\n", "must ascend", 2, 6},
      {"half 8,tall a 0 0 0\nhalf 7x9,tall b 0 0 0\nhalf inf a 0 0 0\n", "must ascend", 2, 6},
      {"half 8x9,tall a 0 0 0\nhalf 8x9,tall b 0 0 0\nhalf inf a 0 0 0\n", "must ascend", 2, 6},
      {"half 8,tall a 0 0 0\nhalf 8x9,tall b 0 0 0\nhalf inf a 0 0 0\n", "must ascend", 2, 6},
      {"half inf,aligned a 0 0 0\n", "do not end with `inf'", 2, 1}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    Read r = read_text(bad[i].text);
    assert_false(r.ok);
    const Diagnostic *e = &r.d->list.at[0];
    int line, column;
    source_position(e->where.file, e->where.begin, &line, &column);
    if (!strstr(e->message, bad[i].says) || line != bad[i].line || column != bad[i].column)
      fail_msg("%s%d:%d: %s", bad[i].text, line, column, e->message);
    arena_free(r.a);
  }
}

/* Random rows of all conditions in an order that is right: the row that serves a call is the one that a search by hand
 * finds, of those that ask for most ahead. */
static void serves_by_random_conditions(void **state) {
  (void)state;
  static const unsigned order[] = {ROWS_ALIGNED | RESULTS_TALL, ROWS_ALIGNED | RESULTS_WIDE, RESULTS_TALL, ROWS_ALIGNED,
                                   RESULTS_WIDE, 0};
  unsigned x = 12345;
  for (int round = 0; round < 300; round++) {
    Arena *a = arena_new();
    Buffer b = buffer_new(a);
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
      Buffer words = buffer_new(a);
      conditions_print(&words, order[k], ",");
      const char *comma = words.length ? "," : "", *text = words.length ? words.text : "";
      unsigned n = 0;
      for (int rows = (int)((x = x * 1664525 + 1013904223) >> 30); rows > 0; rows--) {
        n += 1 + ((x = x * 1664525 + 1013904223) >> 28);
        buffer_printf(&b, "half %u%s%s v%u_%u 0 0 0\n", n, comma, text, (unsigned)k, n);
      }
      if (!order[k]) buffer_puts(&b, "half inf last 0 0 0\n");
    }
    Read r = read_bytes(b.text, b.length);
    if (!r.ok) fail_msg("%s: %s", b.text, r.d->list.at[0].message);
    for (int call = 0; call < 50; call++) {
      const uint64_t n = (x = x * 1664525 + 1013904223) >> 26;
      unsigned like = (x = x * 1664525 + 1013904223) >> 29;
      if (!conditions_agree(like)) like &= ~(unsigned)RESULTS_WIDE;
      const TableRow *best = NULL; /* the classes ahead of others are tried first; of one, the least size with room */
      for (size_t k = 0; k < sizeof order / sizeof *order && !best; k++)
        for (int i = 0; i < r.t.rows.n && (order[k] & ~like) == 0; i++) {
          const TableRow *row = &r.t.rows.at[i];
          if (row->when == order[k] && n <= row->up_to && (!best || row->up_to < best->up_to)) best = row;
        }
      assert_ptr_equal(table_row(&r.t, "half", n, 1, like), best);
    }
    arena_free(r.a);
    arena_free(a);
  }
}

static void refuses_lines(void **state) {
  (void)state;
  static const struct { const char *line, *says; } bad[] = {
      {"float", "a field is missing"},          {"float inf a 0 0", "a field is missing"},
      {"float inf a 0 0 # 0", "a field is missing"},
      {"float inf a 0 0 0 0", "one field too many"}, {"float -1 a 0 0 0", "expected a number"},
      {"float INF a 0 0 0", "expected a number"}, {"float 1e3 a 0 0 0", "no number that fits"},
      {"float 0x10 a 0 0 0", "no number that fits"}, {"float 9223372036854775808 a 0 0 0", "no number that fits"},
      {"float 99999999999999999999999999 a 0 0 0", "expected a number"}, {"float 64, a 0 0 0", "no condition"},
      {"float inf a 1025 0 0", "no number that fits"}, {"float inf a 0 1025 0", "no number that fits"},
      {"float inf a 0 0 2147483648", "no number that fits"}, {"float inf a 0 0 -1", "expected a number"},
      {"float inf a x 0 0", "expected a number"}, {"fl-oat inf a 0 0 0", "expected a name"},
      {"float inf ../a 0 0 0", "expected a name"}, {"\"float\" inf a 0 0 0", "expected a name"},
      {"int 64 a 0 0 0", "must ascend"},        {"int 63 a 0 0 0", "must ascend"},
      {"uint inf a 0 0 0\nuint inf b 0 0 0", "must ascend"}, {"uint inf a 0 0 0\nuint 5 b 0 0 0", "must ascend"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char text[256];
    snprintf(text, sizeof text, "# one\nint 64 a 0 0 0\n%s\nint inf a 0 0 0\n", bad[i].line);
    Read r = read_text(text);
    assert_false(r.ok);
    assert_true(r.d->list.n >= 1);
    const Diagnostic *e = &r.d->list.at[0];
    int line, column;
    assert_non_null(strstr(e->message, bad[i].says));
    assert_non_null(e->where.file);
    source_position(e->where.file, e->where.begin, &line, &column);
    assert_int_equal(line, strchr(bad[i].line, '\n') ? 4 : 3);
    assert_non_null(e->hint);
    arena_free(r.a);
  }
}

static void wants_a_last_row(void **state) {
  (void)state;
  Read r = read_text("float 64 a 0 0 0\nint inf a 0 0 0\n");
  assert_false(r.ok);
  assert_int_equal(r.d->errors, 1);
  assert_non_null(strstr(r.d->list.at[0].message, "`float' do not end with `inf'"));
  diagnostics_print(r.d, stderr, 0, false); /* its place is the end of the text */
  arena_free(r.a);
}

static void types_may_alternate(void **state) {
  (void)state;
  Read r = read_text("float 64 a 0 0 0\nint 5 b 0 0 0\nfloat inf a 0 0 0\nint inf b 0 0 0\n");
  assert_true(r.ok);
  assert_int_equal(r.t.rows.n, 4);
  arena_free(r.a);
}

/* Several errors, not all of a large file. */
static void says_the_first_errors(void **state) {
  (void)state;
  Arena *a = arena_new();
  Buffer b = buffer_new(a);
  for (int i = 0; i < 200000; i++) buffer_printf(&b, "float %d\n", i);
  Read r = read_bytes(b.text, b.length);
  assert_false(r.ok);
  assert_in_range(r.d->errors, 2, 50);
  arena_free(r.a);
  arena_free(a);
}

static void reads_large_tables(void **state) {
  (void)state;
  enum { ROWS = 100000 };
  Arena *a = arena_new();
  Buffer b = buffer_new(a);
  for (int i = 1; i < ROWS; i++) buffer_printf(&b, "float %d a%d 0 0 0\n", i, i);
  buffer_puts(&b, "float inf last 0 0 0");
  Read r = read_bytes(b.text, b.length);
  assert_true(r.ok);
  assert_int_equal(r.t.rows.n, ROWS);
  arena_free(r.a);
  arena_free(a);
}

static void refuses_bytes(void **state) {
  (void)state;
  static const char zero[] = "float inf a\0b 0 0 0\n", far[] = "\xff\xfe float inf a 0 0 0\n";
  Read r = read_bytes(zero, sizeof zero - 1);
  assert_false(r.ok);
  arena_free(r.a);
  r = read_bytes(far, sizeof far - 1);
  assert_false(r.ok);
  arena_free(r.a);
  char random[4096];
  unsigned x = 1;
  for (int round = 0; round < 200; round++) {
    for (size_t i = 0; i < sizeof random; i++) random[i] = (char)((x = x * 1664525 + 1013904223) >> 24);
    r = read_bytes(random, sizeof random);
    assert_false(r.ok);
    arena_free(r.a);
  }
}

/* ---- as text of a library ---- */

static Ranged *ranged(const Read *r, const char *spectrum, const char *const *types, int ntypes, RangesOf of) {
  Ranged *to = arena_one(r->a, Ranged);
  *to = (Ranged){.spectrum = spectrum, .types = types, .ntypes = ntypes, .of = of,
                 .members = tunables_members(r->a, &(Tunables){0})};
  return to;
}

static void prints_ranges(void **state) {
  (void)state;
  static const char *const types[] = {"float", "int"};
  Read r = read_text(good);
  Buffer b = buffer_new(r.a);
  table_print_ranges(&b, ranged(&r, "sum", types, 2, RANGES_OF_FUNCTIONS), &r.t);
  assert_ptr_equal(strstr(b.text, TABLE_BEGIN), b.text);
  assert_non_null(strstr(b.text, "const Range<float_function> float_ranges[] = {\n"
                                 "  {        64, sum_53feb26c_float, {  32,  4,    0}}, // 0.58 us in a graph\n"));
  assert_non_null(strstr(b.text, "  {UINT64_MAX, sum_53feb26c_int, {1024, 16,    0}},\n};\n" TABLE_END "\n"));
  arena_free(r.a);
}

static void prints_ranges_of_variants(void **state) {
  (void)state;
  static const char *const types[] = {"float", "int"};
  Read r = read_text(good);
  Buffer b = buffer_new(r.a);
  table_print_ranges(&b, ranged(&r, "sum", types, 2, RANGES_OF_VARIANTS), &r.t);
  assert_ptr_equal(strstr(b.text, TABLE_BEGIN), b.text);
  assert_non_null(strstr(b.text, "static const Range float_ranges[] = {\n"
                                 "  {        64, sum_variants + V_53feb26c, {  32,  4,    0}}, // 0.58 us in a"));
  assert_non_null(strstr(b.text, "  {UINT64_MAX, sum_variants + V_53feb26c, {1024, 16,    0}},\n};\n" TABLE_END "\n"));
  arena_free(r.a);
}

static void prints_ranges_of_shapes(void **state) {
  (void)state;
  static const char *const types[] = {"float"};
  Read r = read_text(shapes);
  Buffer b = buffer_new(r.a);
  Ranged *gemv = ranged(&r, "gemv", types, 1, RANGES_OF_VARIANTS);
  gemv->by_shape = true;
  table_print_ranges(&b, gemv, &r.t);
  assert_non_null(strstr(b.text,
                         "  {        16,         64,  3, gemv_variants + V_a, {   0,  0,    1}},\n"
                         "  {        16,       4096,  2, gemv_variants + V_b, {   0,  0,    2}}, // more of them\n"
                         "  {        16, UINT64_MAX,  1, gemv_variants + V_c, {   0,  0,    0}},\n"));
  assert_non_null(strstr(b.text, "  {UINT64_MAX, UINT64_MAX,  1, gemv_variants + V_f, {   0,  0,    0}},\n"));
  arena_free(r.a);
}

static void prints_ranges_with_conditions(void **state) {
  (void)state;
  static const char *const types[] = {"half"};
  Read r = read_text(conditions);
  Buffer b = buffer_new(r.a);
  Ranged *gemm = ranged(&r, "gemm", types, 1, RANGES_OF_VARIANTS);
  gemm->by_shape = gemm->conditions = true;
  table_print_ranges(&b, gemm, &r.t);
  static const char *const lines[] = {
      "where a call is so, that variant",
      "  {        16,         64,  1, ROWS_ALIGNED | RESULTS_TALL, 1, gemm_variants + V_a, {   0,  0,    0}},\n",
      "  {        16,         64,  1, ROWS_ALIGNED, 3, gemm_variants + V_c, ",
      "  {        64,         32,  1, ROWS_ALIGNED, 2, gemm_variants + V_d, ",
      "  {UINT64_MAX, UINT64_MAX,  1, RESULTS_WIDE, 1, gemm_variants + V_f, ",
      "  {        16,         64,  2, 0, 3, gemm_variants + V_g, "};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    if (!strstr(b.text, lines[i])) fail_msg("%s is not in %s", lines[i], b.text);
  arena_free(r.a);
}

/* A comment that ends with a backslash would swallow the row after it. */
static void prints_no_continued_comment(void **state) {
  (void)state;
  static const char *const types[] = {"float"};
  Read r = read_text("# heading \\\nfloat 64 a 0 0 0 # one \\\nfloat inf b 0 0 0 # two\\\\\\  \n");
  assert_true(r.ok);
  Buffer b = buffer_new(r.a);
  table_print_ranges(&b, ranged(&r, "sum", types, 1, RANGES_OF_FUNCTIONS), &r.t);
  assert_null(strstr(b.text, "\\\n"));
  arena_free(r.a);
}

static void lists_configurations(void **state) {
  (void)state;
  Read r = read_text("float 9 a 0 0 0\nfloat 99 a 128 2 0\nfloat 999 b 64 1 0\nfloat inf a 128 2 264\n"
                     "int 9 a 256 4 0\nint 99 a 0 8 0\nint inf a 128 0 7\n");
  Buffer b = buffer_new(r.a);
  Tunables own = {0};
  assert_true(tunables_parse(r.a, "threads=256 loads=4", &own));
  table_print_configurations(&b, &r.t, "a", &own);
  assert_string_equal(b.text, " C(256, 4) C(128, 2) C(256, 8) C(128, 4)");
  b = buffer_new(r.a);
  Tunables alone = {0};
  tunables_set(r.a, &alone, "threads", 32);
  table_print_configurations(&b, &r.t, "b", &alone);
  assert_string_equal(b.text, " C(32) C(64)");
  b = buffer_new(r.a);
  table_print_configurations(&b, &r.t, "none", &own);
  assert_string_equal(b.text, " C(256, 4)");
  arena_free(r.a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_rows),        cmocka_unit_test(reads_other_tunables),
      cmocka_unit_test(goes_round),          cmocka_unit_test(tells_headings),
      cmocka_unit_test(serves_shapes),     cmocka_unit_test(refuses_shapes),
      cmocka_unit_test(serves_by_conditions), cmocka_unit_test(refuses_conditions),
      cmocka_unit_test(serves_by_random_conditions), cmocka_unit_test(prints_ranges_with_conditions),
      cmocka_unit_test(prints_ranges_of_shapes),
      cmocka_unit_test(refuses_lines),     cmocka_unit_test(wants_a_last_row),    cmocka_unit_test(types_may_alternate),
      cmocka_unit_test(says_the_first_errors), cmocka_unit_test(reads_large_tables), cmocka_unit_test(refuses_bytes),
      cmocka_unit_test(prints_ranges),     cmocka_unit_test(prints_ranges_of_variants),
      cmocka_unit_test(prints_no_continued_comment),
      cmocka_unit_test(lists_configurations)};
  return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
