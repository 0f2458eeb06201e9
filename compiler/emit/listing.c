/* listing.c: `--list', the variants as a table for people, grouped by category and wrapped at the terminal's width.
 * Nothing is cut off: what is too long goes on in the next line, below where it began. */
#include <inttypes.h>
#include <string.h>

#include "emit/emit.h"
#include "ir/operator.h"

enum { CATEGORIES = CATEGORY_SHUFFLE + 1, NARROWEST_PLAN = 16 };

/* ---- fixed-width text ---- */

static bool continues(char c) { return ((unsigned char)c & 0xc0) == 0x80; } /* a continuation byte of UTF-8 */

static int columns(const char *s) {
  int n = 0;
  for (; *s; s++) n += !continues(*s);
  return n;
}

/* How many bytes of the text fit into so many columns: to a place between two parts of a plan, if there is one in the
 * last two thirds; never inside a character. */
static size_t fitting(const char *s, int width) {
  size_t most = 0, good = 0;
  for (int n = 0; s[most]; most++) {
    if (!continues(s[most]) && n++ == width) break;
    if (strchr(" ,(", s[most]) && n > width / 3) good = most + 1;
  }
  return s[most] && good ? good : most;
}

/* A text in a column that begins at `at' and is so wide; 0: as wide as may be. */
static void put_column(Buffer *to, const char *s, int at, int width) {
  while (width > 0 && columns(s) > width) {
    const size_t n = fitting(s, width);
    buffer_putn(to, s, s[n - 1] == ' ' ? n - 1 : n);
    buffer_puts(to, "\n");
    buffer_fill(to, ' ', at);
    s += n;
  }
  buffer_puts(to, s);
  buffer_puts(to, "\n");
}

/* A paragraph, wrapped; its further lines are indented by two columns. */
static void put_wrapped(Buffer *to, const char *s, int width) {
  for (int taken = 0; *s; s += strspn(s, " ")) {
    size_t n = strcspn(s, " ");
    bool breaks = width && taken && taken + 1 + (int)n > width;
    if (breaks) taken = 0;
    buffer_puts(to, breaks ? "\n  " : taken ? " " : "");
    buffer_putn(to, s, n);
    taken += (int)n + (breaks ? 2 : taken != 0);
    s += n;
  }
  buffer_puts(to, "\n");
}

static void put_padded(Buffer *to, const char *s, int width) {
  buffer_puts(to, s);
  buffer_fill(to, ' ', width - columns(s) > 0 ? width - columns(s) : 0);
}

/* ---- the columns ---- */

typedef struct Layout {
  int id, letter, determinism, plan; /* widths; 0: no such column, or a plan of any width */
  int at;                            /* where plans begin */
} Layout;

static int wider(int x, int y) { return x > y ? x : y; }

static Layout layout(const Output *o, int width) {
  Layout l = {.id = 2, .determinism = (int)strlen("determinism")};
  for (int i = 0; i < o->nvariants; i++) {
    const Plan *p = o->variants[i].plan;
    l.id = wider(l.id, columns(p->id));
    if (p->letter) l.letter = wider(wider(l.letter, 6), columns(p->letter));
    l.determinism = wider(l.determinism, columns(determinism_name(p->determinism)));
  }
  l.at = 2 + l.id + 2 + (l.letter ? l.letter + 2 : 0) + 7 + 2 + l.determinism + 2;
  l.plan = width ? wider(width - l.at, NARROWEST_PLAN) : 0;
  return l;
}

typedef struct Row { const char *id, *letter, *kernels, *determinism, *plan; } Row;

static void put_row(Buffer *to, const Layout *l, Row r) {
  buffer_puts(to, "  ");
  put_padded(to, r.id, l->id + 2);
  if (l->letter) put_padded(to, r.letter, l->letter + 2);
  put_padded(to, r.kernels, 9);
  put_padded(to, r.determinism, l->determinism + 2);
  put_column(to, r.plan, l->at, l->plan);
}

static void put_variant(Buffer *to, const Layout *l, const Plan *p) {
  put_row(to, l, (Row){p->id, p->letter ? p->letter : "", arena_printf(to->arena, "%7d", p->kernels),
                       determinism_name(p->determinism), p->text});
}

/* ---- above and below the table ---- */

/* "operator Moments, associative, commutative, rounded"; "": none is known. */
static const char *operator_text(Arena *a, const Spectrum *s) {
  const Monoid *m = s->monoid;
  if (!m) return s->op == OPERATOR_NONE ? "" : arena_printf(a, "operator %s", operator_name(s->op));
  return arena_printf(a, "operator %s, associative%s%s", m->name, m->commutative ? ", commutative" : "",
                      m->rounded ? ", rounded" : "");
}

/* The operator follows the types if it fits, else it has a line of its own. */
static void put_head(Buffer *to, const Output *o, int width) {
  Buffer line = buffer_new(to->arena);
  buffer_printf(&line, "%s of %s for %s", o->spectrum->name, output_source_name(o), o->machine->name);
  if (o->machine->title) buffer_printf(&line, ", %s", o->machine->title);
  put_wrapped(to, line.text, width);
  line = buffer_new(to->arena);
  buffer_puts(&line, "types");
  for (int i = 0; i < o->ntypes; i++) buffer_printf(&line, "%s %s", i ? "," : "", o->types[i]->name);
  const char *what = operator_text(to->arena, o->spectrum);
  const char *both = *what ? arena_printf(to->arena, "%s; %s", line.text, what) : line.text;
  if (!width || columns(both) <= width) put_wrapped(to, both, width);
  else {
    put_wrapped(to, line.text, width);
    if (*what) put_wrapped(to, what, width);
  }
}

/* Does the row behind it say the same of more? */
static bool merges(const Table *t, int i) {
  const TableRow *r = &t->rows.at[i];
  if (i + 1 == t->rows.n || strcmp(r[1].type, r->type) != 0 || r->turn) return false;
  return r->when == r[1].when && r->count == r[1].count && strcmp(r[1].variant, r->variant) == 0;
}

/* Is it the last of a type that asks for the same? */
static bool ends(const Table *t, int i) {
  const TableRow *r = &t->rows.at[i];
  return i + 1 == t->rows.n || strcmp(r[1].type, r->type) != 0 || r[1].when != r->when;
}

/* "aligned: ", "others: ", ahead of the rows of those that ask for the same; where none asks for anything, nothing. */
static const char *calls_of(Arena *a, const Table *t, int i) {
  const TableRow *r = &t->rows.at[i];
  if (i > 0 && strcmp(r[-1].type, r->type) == 0 && r[-1].when == r->when) return "";
  Buffer b = buffer_new(a);
  conditions_print(&b, r->when, " and ");
  if (b.length) buffer_puts(&b, ": ");
  else if (i > 0 && strcmp(r[-1].type, r->type) == 0) buffer_puts(&b, "others: ");
  return b.length ? b.text : "";
}

/* "64", "16x4096": what a row has room for. */
static const char *room(Arena *a, const TableRow *r) {
  TableRow alone = *r;
  alone.when = 0;
  alone.turn = 0;
  return table_size(a, &alone);
}

/* "53feb26c to 2048, d79e0a23 to 32768, 5f201818": adjacent rows of one variant are merged; a line, or more, for those
 * that ask for the same. */
static const char *ranges_of_type(Arena *a, const Table *t, const char *type, int width) {
  Buffer text = buffer_new(a);
  size_t line = 0;
  for (int i = 0; i < t->rows.n; i++) {
    const TableRow *r = &t->rows.at[i];
    if (strcmp(r->type, type) != 0) continue;
    const char *calls = calls_of(a, t, i);
    if (*calls && text.length) {
      buffer_puts(&text, "\n  ");
      line = text.length;
    }
    buffer_puts(&text, calls);
    if (merges(t, i)) continue;
    if (i + 1 < t->rows.n && table_rivals(r, r + 1)) {
      if (strcmp(r->variant, r[1].variant) != 0) buffer_printf(&text, "%s or ", r->variant);
      continue;
    }
    const bool last = r->up_to == UINT64_MAX && r->count == 0;
    const char *piece = arena_printf(a, "%s%s%s%s", r->variant, last ? "" : " to ", last ? "" : room(a, r),
                                     ends(t, i) ? "" : ", ");
    if (width && text.length - line + strlen(piece) + 2 > (size_t)width) {
      buffer_puts(&text, "\n  ");
      line = text.length;
    }
    buffer_puts(&text, piece);
  }
  return text.length ? text.text : "";
}

/* Types with the same ranges share a line. */
static void put_dispatch(Buffer *to, const Output *o, int width) {
  const char **lines = arena_many(to->arena, const char *, o->ntypes);
  if (!o->table.rows.n) return;
  buffer_puts(to, "\n");
  put_wrapped(to, arena_printf(to->arena, "Dispatch by size: %s", output_table_origin(to->arena, o, NULL)), width);
  for (int i = 0; i < o->ntypes; i++) lines[i] = ranges_of_type(to->arena, &o->table, o->types[i]->name, width);
  for (int i = 0; i < o->ntypes; i++) {
    bool told = false;
    for (int j = 0; j < i; j++) told |= strcmp(lines[i], lines[j]) == 0;
    if (told) continue;
    const char *before = "";
    for (int j = i; j < o->ntypes; j++) {
      if (strcmp(lines[i], lines[j]) != 0) continue;
      buffer_printf(to, "%s%s", before, o->types[j]->name);
      before = ", ";
    }
    buffer_printf(to, ":\n  %s\n", lines[i]);
  }
}

/* Each determinism label with its reason, and the number of variants, the strongest first. */
static void put_determinism(Buffer *to, const Output *o, int width) {
  if (o->nvariants) buffer_puts(to, "\n");
  for (int label = DETERMINISM_SEQUENTIAL; label >= DETERMINISM_NOT_GUARANTEED; label--)
    for (int i = 0; i < o->nvariants; i++) {
      const Plan *p = o->variants[i].plan;
      int count = 0;
      bool told = false;
      for (int k = 0; k < o->nvariants; k++) {
        const Plan *q = o->variants[k].plan;
        bool same = q->determinism == p->determinism && strcmp(q->determinism_why, p->determinism_why) == 0;
        count += same;
        told |= same && k < i;
      }
      if (told || p->determinism != (Determinism)label) continue;
      put_wrapped(to, arena_printf(to->arena, "%d %s, %sbatch-invariant: %s", count, determinism_name(p->determinism),
                                   p->batch_invariant ? "" : "not ", p->determinism_why), width);
    }
}

static void put_foot(Buffer *to, const Output *o, const int count[CATEGORIES], int width) {
  Buffer line = buffer_new(to->arena);
  buffer_printf(&line, "%d variant%s", o->nvariants, o->nvariants == 1 ? "" : "s");
  const char *before = ": ";
  for (int c = 0; c < CATEGORIES; c++) {
    if (!count[c]) continue;
    buffer_printf(&line, "%s%d %s", before, count[c], category_name((Category)c, output_is_for_cpu(o)));
    before = ", ";
  }
  buffer_puts(to, "\n");
  put_wrapped(to, line.text, width);
  put_determinism(to, o, width);
  put_dispatch(to, o, width);
}

void emit_listing(Buffer *to, const Output *o, int width) {
  int count[CATEGORIES] = {0};
  for (int i = 0; i < o->nvariants; i++) count[o->variants[i].plan->category]++;
  Layout l = layout(o, width);
  put_head(to, o, width);
  if (o->nvariants) {
    buffer_puts(to, "\n");
    put_row(to, &l, (Row){"id", "letter", "kernels", "determinism", "plan"});
  }
  for (int c = 0; c < CATEGORIES; c++) {
    if (!count[c]) continue;
    buffer_printf(to, "%s\n", category_name((Category)c, output_is_for_cpu(o)));
    for (int i = 0; i < o->nvariants; i++)
      if (o->variants[i].plan->category == (Category)c) put_variant(to, &l, o->variants[i].plan);
  }
  put_foot(to, o, count, width);
}
