#include "table/table.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 3 + USUAL_TUNABLES, MOST_FIELDS = FIELDS + 32, MOST_ERRORS = 20 };

typedef struct Reader {
  Arena *a;
  const SourceFile *f;
  Diagnostics *d;
} Reader;

static const char *a_row_is(Arena *a) {
  Buffer b = buffer_new(a);
  buffer_puts(&b, "a row is: type up_to variant");
  for (int i = 0; i < USUAL_TUNABLES; i++) buffer_printf(&b, " %s", usual_tunables[i].name);
  return b.text;
}

static bool wrong(Reader *r, const char *at, size_t n, const char *what) {
  unsigned begin = (unsigned)(at - r->f->text);
  diagnostics_add(r->d, DIAG_ERROR, (SourceRange){r->f, begin, begin + (unsigned)(n ? n : 1)},
                  a_row_is(r->a), "%s", what);
  return false;
}

static bool number(Reader *r, const char *s, size_t n, uint64_t most, uint64_t *value) {
  char text[24], *end;
  if (n == 0 || n >= sizeof text || !isdigit((unsigned char)*s)) return wrong(r, s, n, "expected a number");
  memcpy(text, s, n);
  text[n] = '\0';
  errno = 0;
  unsigned long long v = strtoull(text, &end, 10);
  if (*end || errno || v > most) return wrong(r, s, n, "no number that fits here");
  *value = v;
  return true;
}

static bool word(Reader *r, const char *s, size_t n, const char **value) {
  for (size_t i = 0; i < n; i++)
    if (!isalnum((unsigned char)s[i]) && s[i] != '_') return wrong(r, s, n, "expected a name");
  *value = arena_strndup(r->a, s, n);
  return true;
}

/* The fields of [s, end), as far as there are; how many. */
static int split(const char *s, const char *end, const char *field[MOST_FIELDS], size_t length[MOST_FIELDS]) {
  int n = 0;
  while (n < MOST_FIELDS) {
    while (s < end && isspace((unsigned char)*s)) s++;
    if (s == end) break;
    field[n] = s;
    while (s < end && !isspace((unsigned char)*s)) s++;
    length[n] = (size_t)(s - field[n]);
    n++;
  }
  return n;
}

/* "turn=3650": what a tile takes. */
static bool turn(Reader *r, const char *s, size_t n, size_t before, TableRow *x) {
  uint64_t value;
  if (x->turn) return wrong(r, s, n, "`turn' stands here twice");
  if (!number(r, s + before, n - before, INT32_MAX, &value)) return false;
  x->turn = (int64_t)value;
  return x->turn > 0 || wrong(r, s, n, "a tile takes more than 0");
}

/* ",aligned,tall,turn=3650": what stands behind a size. */
static bool conditions(Reader *r, const char *s, const char *end, TableRow *x) {
  while (s < end) {
    const char *comma = memchr(s + 1, ',', (size_t)(end - s - 1)), *stop = comma ? comma : end;
    const size_t n = (size_t)(stop - s - 1);
    const size_t named = sizeof TABLE_TURN - 1;
    if (n > named && memcmp(s + 1, TABLE_TURN, named) == 0) {
      if (!turn(r, s + 1, n, named, x)) return false;
      s = stop;
      continue;
    }
    const unsigned one = condition_by_word(s + 1, n);
    if (!one) {
      Buffer known = buffer_new(r->a);
      conditions_print(&known, UINT_MAX, ", ");
      return wrong(r, n ? s + 1 : s, n, arena_printf(r->a, "no condition: there are %s", known.text));
    }
    if (x->when & one) return wrong(r, s + 1, n, "this condition stands here twice");
    x->when |= one;
    if (!conditions_agree(x->when)) return wrong(r, s + 1, n, "no call is both `tall' and `wide'");
    s = stop;
  }
  return true;
}

/* "64", "inf", "16x4096", "infx8", "64,aligned". */
static bool size(Reader *r, const char *s, size_t n, TableRow *x) {
  const char *comma = memchr(s, ',', n);
  if (comma && !conditions(r, comma, s + n, x)) return false;
  if (comma) n = (size_t)(comma - s);
  const char *by = *s != '0' ? memchr(s, 'x', n) : NULL; /* 0x10 is no shape */
  const size_t each = by ? (size_t)(by - s) : n;
  const bool inf = each == 3 && memcmp(s, "inf", 3) == 0;
  if (!inf && !number(r, s, each, INT64_MAX, &x->up_to)) return false;
  if (!by) return true;
  if (!number(r, by + 1, n - each - 1, INT64_MAX, &x->count)) return false;
  return x->count > 0 || wrong(r, by + 1, n - each - 1, "no number of results: it begins at 1");
}

bool table_rivals(const TableRow *x, const TableRow *y) {
  return x->turn && y->turn && x->when == y->when && x->up_to == y->up_to && x->count == y->count &&
         strcmp(x->type, y->type) == 0;
}

/* Rows that ask for something need not serve all sizes, nor all numbers of results of one. */
static bool ascends(const TableRow *before, const TableRow *x) {
  if (before->up_to != x->up_to) return before->up_to < x->up_to;
  return before->count && (x->count == 0 || before->count < x->count);
}

/* What is wrong with two rows of a type, one after the other; NULL: nothing. */
static const char *out_of_order(Arena *a, const TableRow *before, const TableRow *x) {
  if (before->when != x->when || table_rivals(before, x)) return NULL;
  if (x->when) return ascends(before, x) ? NULL : "sizes of rows with the same conditions must ascend";
  if (before->count == 0) return before->up_to < x->up_to ? NULL : "sizes of a type must ascend";
  if (before->up_to != x->up_to)
    return arena_printf(a, "before this, `%s' wants a row for all other numbers of results", table_size(a, before));
  return x->count == 0 || before->count < x->count ? NULL : "numbers of results of a size must ascend";
}

static const char *conditions_text(Arena *a, unsigned when) {
  Buffer b = buffer_new(a);
  conditions_print(&b, when, ",");
  return b.text;
}

/* What is wrong with a row for other calls than the last one's, which is the last of its type; NULL: nothing. Rows
 * ahead that ask for no more would serve all of its calls. */
static const char *out_of_place(Arena *a, const Table *t, const TableRow *last, const TableRow *x) {
  for (int i = 0; i < t->rows.n && last->when != x->when; i++) {
    const TableRow *r = &t->rows.at[i];
    if (strcmp(r->type, x->type) != 0) continue;
    if (r->when == x->when)
      return arena_printf(a, "rows with the conditions `%s' must stand together", conditions_text(a, x->when));
    if (!r->when) return "rows with conditions must stand ahead of those without";
    if ((r->when & ~x->when) == 0)
      return arena_printf(a, "rows with the conditions `%s' must stand ahead of those with `%s' alone",
                          conditions_text(a, x->when), conditions_text(a, r->when));
  }
  return NULL;
}

/* What tunables are set to: the usual ones by their place, others as name=8. */
static bool configuration(Reader *r, const char *const *field, const size_t *length, int n, Tunables *to) {
  enum { MOST_OF_OTHERS = 1 << 12 }; /* elements of a tile of one dimension */
  for (int i = 0; i < n; i++) {
    const char *equals = memchr(field[i], '=', length[i]), *name = NULL;
    const size_t before = equals ? (size_t)(equals - field[i]) + 1 : 0;
    const UsualTunable *usual = i < USUAL_TUNABLES ? &usual_tunables[i] : NULL;
    uint64_t value;
    if (!usual && !equals) return wrong(r, field[i], length[i], "one field too many");
    if (!usual && !word(r, field[i], before - 1, &name)) return false;
    if (!usual && (!*name || tunables_find(to, name)))
      return wrong(r, field[i], length[i], "expected a name that is new here");
    const size_t from = usual ? 0 : before;
    const uint64_t most = usual ? (uint64_t)tunable_most(usual->at_launch) : MOST_OF_OTHERS;
    if (!number(r, field[i] + from, length[i] - from, most, &value)) return false;
    tunables_set(r->a, to, usual ? usual->name : name, (int64_t)value);
  }
  return true;
}

static bool row(Reader *r, const char *line, const char *end, const char *comment, Table *t) {
  const char *field[MOST_FIELDS];
  size_t length[MOST_FIELDS];
  int n = split(line, end, field, length);
  if (n == 0) return true;
  if (n < FIELDS) return wrong(r, field[n - 1], length[n - 1], "a field is missing after this");
  TableRow x = {.up_to = UINT64_MAX, .comment = comment};
  if (!word(r, field[0], length[0], &x.type) || !size(r, field[1], length[1], &x) ||
      !word(r, field[2], length[2], &x.variant) || !configuration(r, field + 3, length + 3, n - 3, &x.set))
    return false;
  for (int i = t->rows.n - 1; i >= 0; i--)
    if (strcmp(t->rows.at[i].type, x.type) == 0) {
      const char *what = out_of_order(r->a, &t->rows.at[i], &x);
      if (!what) what = out_of_place(r->a, t, &t->rows.at[i], &x);
      if (what) return wrong(r, field[1], length[1], what);
      break;
    }
  vec_push(r->a, &t->rows, x);
  return true;
}

/* Every type ends with a row for any number, of any calls. */
static bool complete(Reader *r, const Table *t) {
  for (int i = 0; i < t->rows.n; i++) {
    bool last = t->rows.at[i].up_to == UINT64_MAX && t->rows.at[i].count == 0 && !t->rows.at[i].when;
    for (int j = i + 1; j < t->rows.n && !last; j++)
      last = strcmp(t->rows.at[j].type, t->rows.at[i].type) == 0;
    if (last) continue;
    return wrong(r, r->f->text + r->f->size, 0,
                 arena_printf(r->a, "the rows of `%s' do not end with `inf'", t->rows.at[i].type));
  }
  return true;
}

static const char columns[] = "type  up_to";

static bool is_blank(const char *s, const char *end) {
  while (s < end && isspace((unsigned char)*s)) s++;
  return s == end;
}

/* Without blanks around it, and without backslashes at its end: as a comment of C++ it would swallow the line that
 * follows. NULL: empty. */
static const char *comment_of(Arena *a, const char *s, const char *end) {
  while (s < end && isspace((unsigned char)*s)) s++;
  while (end > s && (isspace((unsigned char)end[-1]) || end[-1] == '\\')) end--;
  return s < end ? arena_strndup(a, s, (size_t)(end - s)) : NULL;
}

bool table_read(Arena *a, const SourceFile *f, Table *t, Diagnostics *d) {
  Reader r = {a, f, d};
  const char *s = f->text, *end = f->text + f->size;
  bool ok = true;
  int errors = 0;
  *t = (Table){0};
  while (s < end && errors < MOST_ERRORS) {
    const char *newline = memchr(s, '\n', (size_t)(end - s)), *stop = newline ? newline : end;
    const char *hash = memchr(s, '#', (size_t)(stop - s)), *comment = hash ? comment_of(a, hash + 1, stop) : NULL;
    bool names_columns = comment && strncmp(comment, columns, strlen(columns)) == 0;
    if (comment && !t->heading && is_blank(s, hash) && !names_columns) t->heading = comment;
    if (!row(&r, s, hash ? hash : stop, comment, t)) { ok = false; errors++; }
    s = newline ? newline + 1 : end;
  }
  return ok && complete(&r, t);
}

const char *table_size(Arena *a, const TableRow *r) {
  Buffer b = buffer_new(a);
  if (r->up_to == UINT64_MAX) buffer_puts(&b, "inf");
  else buffer_printf(&b, "%" PRIu64, r->up_to);
  if (r->count) buffer_printf(&b, "x%" PRIu64, r->count);
  if (r->when) buffer_puts(&b, ",");
  conditions_print(&b, r->when, ",");
  if (r->turn) buffer_printf(&b, ",%s%" PRId64, TABLE_TURN, r->turn);
  return b.text;
}

const TableRow *table_row(const Table *t, const char *type, uint64_t n, uint64_t count, unsigned like) {
  for (int i = 0; i < t->rows.n; i++) {
    const TableRow *r = &t->rows.at[i];
    if (strcmp(r->type, type) != 0 || (r->when & ~like)) continue;
    if (n <= r->up_to && (r->count == 0 || count <= r->count)) return r;
  }
  return NULL;
}

unsigned table_conditions(const Table *t) {
  unsigned all = 0;
  for (int i = 0; i < t->rows.n; i++) all |= t->rows.at[i].when;
  return all;
}

/* The column of sizes is as wide as they take it where they have conditions. */
static int width_of_sizes(Arena *a, const Table *t) {
  int width = 12;
  for (int i = 0; i < t->rows.n; i++) {
    if (!table_conditions(t) && !t->rows.at[i].turn) continue;
    const int n = (int)strlen(table_size(a, &t->rows.at[i]));
    if (n > width) width = n;
  }
  return width;
}

static void print_configuration(Buffer *to, const Tunables *set) {
  for (int i = 0; i < USUAL_TUNABLES; i++) {
    const char *name = usual_tunables[i].name;
    buffer_printf(to, " %-*" PRId64, (int)strlen(name) + 1, tunables_value(set, name));
  }
  for (int i = 0; i < set->n; i++)
    if (set->at[i].value && !tunable_is_usual(set->at[i].name))
      buffer_printf(to, " %s=%" PRId64, set->at[i].name, set->at[i].value);
}

void table_print(Buffer *to, const Table *t) {
  const int width = width_of_sizes(to->arena, t);
  if (t->heading) buffer_printf(to, "# %s\n", t->heading);
  buffer_printf(to, "# %-*s %-16s", width + 6, columns, "variant");
  for (int i = 0; i < USUAL_TUNABLES; i++) buffer_printf(to, "  %s", usual_tunables[i].name);
  buffer_puts(to, "\n");
  for (int i = 0; i < t->rows.n; i++) {
    const TableRow *r = &t->rows.at[i];
    buffer_printf(to, "%-7s %-*s %-17s", r->type, width, table_size(to->arena, r), r->variant);
    print_configuration(to, &r->set);
    if (r->comment) buffer_printf(to, " # %s", r->comment);
    buffer_puts(to, "\n");
  }
}
