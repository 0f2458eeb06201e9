/* check_sizes.c: how many elements a variant is run with. Where its text may take another way: at its own borders,
 * which are the lanes of a block, what they load at once, a tile, a grid's share and the ranges of the dispatch; and at
 * the whole numbers that the codelets name. Of each border one less and one more, too. And some sizes drawn at random.
 *
 *   fixed      none, one, few
 *   near       the codelets' numbers and the least borders, -1, 0 and +1, as long as they are NEAR elements together
 *   middle     one of the others up to MIDDLE, and one past it, each -1, 0 or +1: such runs take long
 *   random     RANDOM_SIZES between 2 and 2^14, each bit length as likely
 *
 * All is drawn from --seed and the variant's id: so the same seed draws the same again, of one variant too. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "driver/check_parts.h"
#include "ir/element.h"
#include "support/hash.h"
#include "support/manifest_file.h"
#include "support/manifest.h"

enum {
  NEAR = 30000,
  MIDDLE = 70000,
  FAR = 1500000,
  USUAL_MIDDLE = 65536,
  USUAL_FAR = 1000007,
  MOST_LITERALS = 12,
  RANDOM_SIZES = 3,
  RANDOM_BITS = 14,
  BY_THEMSELVES = 1100
};

/* A CPU's threads get thousands of elements each, or there is one thread. */
static const int64_t fixed_of_gpu[] = {0, 1, 2, 31, 32, 33, 1025};
static const int64_t fixed_of_cpu[] = {0, 1, 2, 7, 8, 9, 33, 1025, 16385, 40009, 300007};

static void add(Arena *a, CheckSizes *to, int64_t n) {
  if (n < 0) return;
  for (int i = 0; i < to->n; i++)
    if (to->at[i] == n) return;
  vec_push(a, to, n);
}

/* ---- the codelets' own numbers ---- */

/* Past a comment, a text or a directive, none of which names a number of elements; NULL: it is none of these. */
static const char *past_other(const char *at, bool begins_line) {
  const char *end = NULL;
  if (at[0] == '/' && at[1] == '/') end = strchr(at, '\n');
  else if (at[0] == '/' && at[1] == '*') end = strstr(at + 2, "*/");
  else if (at[0] == '#' && begins_line) end = strchr(at, '\n');
  else if (at[0] == '"') {
    for (end = at + 1; *end && *end != '"'; end++)
      if (*end == '\\' && end[1]) end++;
  } else return NULL;
  return end && *end ? end + (*end == '*' ? 2 : *end == '"') : at + strlen(at);
}

/* A word, or a number: "tile2", "517", "0x205u", "1.5e-3f". */
static const char *past_word(const char *at) {
  while (isalnum((unsigned char)*at) || *at == '_' || *at == '.') at++;
  return at;
}

/* Whole numbers above 2: at 0, 1 and 2 there is much else. */
static void add_literals(Check *c, const char *text) {
  bool begins_line = true;
  for (const char *at = text; *at;) {
    const char *past = past_other(at, begins_line);
    if (!past && (isalnum((unsigned char)*at) || *at == '_' || *at == '.')) {
      past = past_word(at);
      char *end;
      const unsigned long long value = isdigit((unsigned char)*at) ? strtoull(at, &end, 0) : 0;
      if (value > 2 && value <= FAR && strspn(end, "uUlL") == (size_t)(past - end))
        add(c->arena, &c->literals, (int64_t)value);
      begins_line = false;
    }
    if (!past) {
      begins_line = *at == '\n' || (begins_line && isspace((unsigned char)*at));
      past = at + 1;
    }
    at = past;
  }
}

/* The prepared text has them as the codelets' file does. */
void check_read_literals(Check *c) {
  FILE *f = fopen(arena_printf(c->arena, "%s/check/codelets.h", c->dir), "r");
  if (!f) return;
  Buffer text = buffer_new(c->arena);
  char part[4096];
  for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;) buffer_putn(&text, part, n);
  fclose(f);
  const char *own = text.length ? strstr(text.text, "#line 1 ") : NULL; /* what the preparation adds stands ahead */
  if (own) add_literals(c, own);
}

/* ---- a variant's borders ---- */

static void add_product(Arena *a, CheckSizes *to, int64_t x, int64_t y) {
  if (x > 0 && y > 0 && x <= FAR && y <= FAR / x) add(a, to, x * y);
}

/* Of lanes that load so many elements at once, so many times: what they do in one go; what three blocks do, with which
 * each variant is called; and what the whole grid does. */
static void add_tiles(Arena *a, CheckSizes *to, int64_t lanes, int64_t loads, int64_t at_once, int64_t blocks) {
  const int64_t tile = lanes * (loads > 0 ? loads : 1) * at_once;
  add_product(a, to, lanes, at_once);
  add_product(a, to, tile, 1);
  add_product(a, to, tile, 3);
  add_product(a, to, tile, blocks);
}

/* Of vectors, or of a codelet's own tiles: with the least, its own and the most of a tunable; lanes have borders of
 * their own. */
static void add_values(Check *c, CheckSizes *to, int64_t lanes, const Tunable *t) {
  if (t->max == t->min || (tunable_is_usual(t->name) && !c->native)) return;
  add_product(c->arena, to, lanes, t->min);
  add_product(c->arena, to, lanes, t->value);
  add_product(c->arena, to, lanes, t->max);
}

/* Of tiles in each of two dimensions: one that is whole, and four of which three are not. */
static void add_squares(Check *c, CheckSizes *to, const Tunable *t) {
  if (strncmp(t->name, "tile_", strlen("tile_")) != 0) return;
  add_product(c->arena, to, t->value, t->value);
  add_product(c->arena, to, t->value + 1, t->value + 1);
}

/* The ends of the ranges that the dispatch calls it for. */
static void add_ranges(Check *c, CheckSizes *to, const json_t *dispatch, const char *id) {
  static const char *const ends[] = {KEY_UP_TO, KEY_COUNT};
  for (size_t i = 0; i < json_array_size(dispatch); i++) {
    const char *own = json_string_value(json_object_get(json_array_get(dispatch, i), KEY_VARIANT));
    if (!own || strcmp(own, id) != 0) continue;
    for (size_t k = i ? i - 1 : 0; k <= i; k++)
      for (int e = 0; e < 2; e++)
        add_product(c->arena, to, json_integer_value(json_object_get(json_array_get(dispatch, k), ends[e])), 1);
  }
}

void check_read_borders(Check *c, CheckVariant *v, const json_t *variant, const json_t *dispatch) {
  CheckSizes *to = &v->borders;
  const Tunables all = manifest_tunables(c->arena, variant), compiled = manifest_compiled(c->arena, variant);
  const int64_t loads = tunables_value(&all, "loads"), blocks = tunables_value(&all, "blocks");
  const json_t *launches = json_object_get(variant, KEY_LAUNCHES), *value;
  const char *type;
  add_ranges(c, to, dispatch, v->id);
  for (size_t i = 0; i < json_array_size(launches); i++) {
    const int64_t lanes = json_integer_value(json_object_get(json_array_get(launches, i), KEY_THREADS));
    add_product(c->arena, to, lanes, 1);
    for (int k = 0; k < compiled.n; k++) {
      add_values(c, to, lanes, &compiled.at[k]);
      add_squares(c, to, &compiled.at[k]);
    }
    if (c->native) continue;
    for (int k = 0; k < c->ntypes; k++) {
      const ElementType *e = element_by_name(c->types[k]);
      add_tiles(c->arena, to, lanes, loads, e && e->bytes < 16 ? 16 / e->bytes : 1, blocks);
    }
  }
  json_object_foreach((json_t *)json_object_get(variant, KEY_EVEN), type, value)
    add_product(c->arena, to, json_integer_value(value), loads > 0 ? loads : 1);
}

/* ---- what is drawn ---- */

typedef struct Draw { uint64_t state; } Draw;

static uint64_t draw(Draw *d) {
  d->state ^= d->state << 13;
  d->state ^= d->state >> 7;
  d->state ^= d->state << 17;
  return d->state * 0x2545F4914F6CDD1Dull >> 16;
}

/* The first `most' of them are any of all. */
static void shuffle(Draw *d, CheckSizes *all, int most) {
  for (int i = 0; i < all->n && i < most; i++) {
    const int other = i + (int)(draw(d) % (uint64_t)(all->n - i));
    const int64_t one = all->at[i];
    all->at[i] = all->at[other];
    all->at[other] = one;
  }
}

static void add_around(Arena *a, CheckSizes *to, int64_t border) {
  for (int64_t n = border - 1; n <= border + 1; n++) add(a, to, n);
}

/* None that is there yet: so every seed gives as many. */
static void add_random(Arena *a, Draw *d, CheckSizes *to, int count, int bits) {
  for (const int all = to->n + count; to->n < all;) {
    const int64_t low = (int64_t)1 << (1 + draw(d) % (uint64_t)(bits - 1));
    add(a, to, low + (int64_t)(draw(d) % (uint64_t)low));
  }
}

static CheckSizes copy(Arena *a, const CheckSizes *from) {
  CheckSizes all = {0};
  for (int i = 0; i < from->n; i++) vec_push(a, &all, from->at[i]);
  return all;
}

static int compare(const void *x, const void *y) {
  const int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
  return a < b ? -1 : a > b;
}

static void add_one_of(Arena *a, Draw *d, CheckSizes *to, const CheckSizes *from) {
  if (from->n) add(a, to, from->at[draw(d) % (uint64_t)from->n] + (int64_t)(draw(d) % 3) - 1);
}

static void set_sizes(Check *c, CheckVariant *v) {
  Arena *a = c->arena;
  Draw d = {hash_text(HASH_START, v->id) + (uint64_t)c->options.seed * 0x9E3779B97F4A7C15ull};
  CheckSizes all = {0}, middle = {0}, far = {0}, literals = copy(a, &c->literals), borders = copy(a, &v->borders);
  if (d.state == 0) d.state = 1;
  shuffle(&d, &literals, MOST_LITERALS);
  if (literals.n > MOST_LITERALS) literals.n = MOST_LITERALS;
  qsort(borders.at, (size_t)borders.n, sizeof *borders.at, compare);
  for (int i = 0; i < borders.n; i++) add(a, &literals, borders.at[i]);
  const int64_t *fixed = c->native ? fixed_of_cpu : fixed_of_gpu;
  const size_t count = c->native ? sizeof fixed_of_cpu / sizeof *fixed : sizeof fixed_of_gpu / sizeof *fixed;
  for (size_t i = 0; i < count; i++) add(a, &all, fixed[i]);
  int64_t left = NEAR;
  for (int i = 0; i < literals.n; i++) {
    const int64_t border = literals.at[i];
    if (border > MIDDLE) add(a, &far, border);
    else if (3 * border > left) add(a, &middle, border);
    else add_around(a, &all, border), left -= 3 * border;
  }
  if (!c->native) add(a, &middle, USUAL_MIDDLE), add(a, &far, USUAL_FAR);
  add_one_of(a, &d, &all, &middle);
  add_one_of(a, &d, &all, &far);
  add_random(a, &d, &all, RANDOM_SIZES, RANDOM_BITS);
  qsort(all.at, (size_t)all.n, sizeof *all.at, compare);
  v->sizes = all;
}

/* Codelets by themselves are compiled without optimisation: a few small ones. */
static void set_own_sizes(Check *c) {
  Draw d = {(uint64_t)c->options.seed * 0x9E3779B97F4A7C15ull + 1};
  CheckSizes literals = copy(c->arena, &c->literals);
  shuffle(&d, &literals, MOST_LITERALS);
  for (int i = 0; i < literals.n && i < MOST_LITERALS; i++)
    if (literals.at[i] < BY_THEMSELVES) add_around(c->arena, &c->own_sizes, literals.at[i]);
  add_random(c->arena, &d, &c->own_sizes, 2, 9);
}

void check_set_sizes(Check *c) {
  for (int i = 0; i < c->nvariants && c->options.sizes.n; i++) c->variants[i].sizes = c->options.sizes;
  if (c->options.sizes.n) return;
  if (c->options.quick) {
    check_quick_sizes(c);
    return;
  }
  if (!c->options.seed) c->options.seed = 1 + (int)(((uint64_t)time(NULL) * 31 + (uint64_t)getpid()) % 9999);
  for (int i = 0; i < c->nvariants; i++) set_sizes(c, &c->variants[i]);
  set_own_sizes(c);
}

void check_push_sizes(Check *c, Words *to, const CheckSizes *sizes) {
  for (int i = 0; i < sizes->n; i++) PUSH(c->arena, to, arena_printf(c->arena, "%lld", (long long)sizes->at[i]));
}
