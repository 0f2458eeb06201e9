/* listing.c: `--list', the variants as a table for people, grouped by category and wrapped at the terminal's width.
 * Nothing is cut off: what is too long goes on in the next line, below where it began. */
#include <inttypes.h>
#include <string.h>

#include "emit/emit.h"
#include "ir/operator.h"

enum { CATEGORIES = CATEGORY_SHUFFLE + 1, NARROWEST_PLAN = 16 };

/* ---- a text in so many columns ---- */

static bool continues(char c) { return ((unsigned char)c & 0xc0) == 0x80; } /* a byte inside a UTF-8 character */

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

/* A line of words, broken where it is too long; its further lines stand two columns in. */
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

static void put_columns(Buffer *to, const Layout *l, const char *id, const char *letter, const char *kernels,
                        const char *determinism, const char *plan) {
  buffer_puts(to, "  ");
  put_padded(to, id, l->id + 2);
  if (l->letter) put_padded(to, letter, l->letter + 2);
  put_padded(to, kernels, 9);
  put_padded(to, determinism, l->determinism + 2);
  put_column(to, plan, l->at, l->plan);
}

static void put_variant(Buffer *to, const Layout *l, const Plan *p) {
  put_columns(to, l, p->id, p->letter ? p->letter : "", arena_printf(to->arena, "%7d", p->kernels),
              determinism_name(p->determinism), p->text);
}

/* ---- above and below the table ---- */

/* "operator Moments, associative, commutative, rounded"; "": it is not known. */
static const char *operator_text(Arena *a, const Spectrum *s) {
  const Monoid *m = s->monoid;
  if (!m) return s->op == OPERATOR_NONE ? "" : arena_printf(a, "operator %s", operator_name(s->op));
  return arena_printf(a, "operator %s, associative%s%s", m->name, m->commutative ? ", commutative" : "",
                      m->rounded ? ", rounded" : "");
}

/* The operator stands behind the types where it fits, else on a line of its own. */
static void head(Buffer *to, const Output *o, int width) {
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

/* "53feb26c to 2048, d79e0a23 to 32768, 5f201818": neighbouring rows of one variant are one. */
static const char *served(Arena *a, const Table *t, const char *type, int width) {
  Buffer text = buffer_new(a);
  size_t line = 0;
  for (int i = 0; i < t->rows.n; i++) {
    const TableRow *r = &t->rows.at[i];
    if (strcmp(r->type, type) != 0) continue;
    const bool last = r->up_to == UINT64_MAX && r->count == 0;
    if (!last && r->count == r[1].count && strcmp(r[1].variant, r->variant) == 0) continue;
    const char *piece = last ? r->variant : arena_printf(a, "%s to %s, ", r->variant, table_size(a, r));
    if (width && text.length - line + strlen(piece) + 2 > (size_t)width) {
      buffer_puts(&text, "\n  ");
      line = text.length;
    }
    buffer_puts(&text, piece);
  }
  return text.length ? text.text : "";
}

/* Types that are served alike share a line. */
static void dispatch(Buffer *to, const Output *o, int width) {
  const char **lines = arena_many(to->arena, const char *, o->ntypes);
  if (!o->table.rows.n) return;
  buffer_puts(to, "\n");
  for (int i = 0; i < o->ntypes; i++) lines[i] = served(to->arena, &o->table, o->types[i]->name, width);
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

/* Each promise and reason that variants have, and how many have it, the most promised first. */
static void promises(Buffer *to, const Output *o, int width) {
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

static void foot(Buffer *to, const Output *o, const int count[CATEGORIES], int width) {
  Buffer line = buffer_new(to->arena);
  buffer_printf(&line, "%d variant%s", o->nvariants, o->nvariants == 1 ? "" : "s");
  const char *before = ": ";
  for (int c = 0; c < CATEGORIES; c++) {
    if (!count[c]) continue;
    buffer_printf(&line, "%s%d %s", before, count[c], category_name((Category)c));
    before = ", ";
  }
  buffer_puts(to, "\n");
  put_wrapped(to, line.text, width);
  promises(to, o, width);
  dispatch(to, o, width);
}

void emit_listing(Buffer *to, const Output *o, int width) {
  int count[CATEGORIES] = {0};
  for (int i = 0; i < o->nvariants; i++) count[o->variants[i].plan->category]++;
  Layout l = layout(o, width);
  head(to, o, width);
  if (o->nvariants) {
    buffer_puts(to, "\n");
    put_columns(to, &l, "id", "letter", "kernels", "determinism", "plan");
  }
  for (int c = 0; c < CATEGORIES; c++) {
    if (!count[c]) continue;
    buffer_printf(to, "%s\n", category_name((Category)c));
    for (int i = 0; i < o->nvariants; i++)
      if (o->variants[i].plan->category == (Category)c) put_variant(to, &l, o->variants[i].plan);
  }
  foot(to, o, count, width);
}
