/* spec_check.c: whether a machine's values make sense together; if so, the machine.
 *
 * The levels must form one chain, each named once, each with the next as its subordinate; sizes
 * must be possible on the machine. Every check goes on where it can, so that all errors are said in
 * one run. */
#include "arch/spec.h"

#include <ctype.h>
#include <string.h>

#include "support/buffer.h"
#include "support/nearest.h"

static const int64_t WIDEST = (int64_t)1 << 40;
enum { WIDEST_VECTOR = 1024 };

typedef struct Check {
  Arena *a;
  SpecDocument *doc;
  const Spec *s;
} Check;

/* ---- places ---- */

static const yaml_node_t *at(Check *c, const char *key) { return spec_at(c->doc, key); }
static const yaml_node_t *at_level(Check *c, int i, const char *key) { return spec_at_level(c->doc, i, key); }
static const yaml_node_t *at_width(Check *c, int i, const char *key) { return spec_at_width(c->doc, i, key); }

#define complain(c, ...) spec_error((c)->doc, __VA_ARGS__)
#define text(c, ...) arena_printf((c)->a, __VA_ARGS__)

/* ---- names ---- */

static bool only(const char *s, const char *others, int (*kind)(int)) {
  for (; *s; s++)
    if ((unsigned char)*s >= 128 || (!kind(*s) && !strchr(others, *s))) return false;
  return true;
}

/* Names go into file names, comments and listings: no control bytes there. */
static void check_printable(Check *c, const yaml_node_t *n, const char *s, const char *what) {
  for (; *s; s++)
    if ((unsigned char)*s < ' ' || *s == 127) {
      complain(c, n, NULL, "%s has a control character", what);
      return;
    }
}

static void check_head(Check *c) {
  const Spec *s = c->s;
  static const char allowed[] = "letters, digits, `_', `-', `+' and `.'";
  if (!only(s->name, "_-+.", isalnum) || !isalnum((unsigned char)s->name[0]))
    complain(c, at(c, "name"), allowed, "`%s' is not a valid machine name", s->name);
  if (s->tables && (!only(s->tables, "_-+.", isalnum) || !isalnum((unsigned char)s->tables[0])))
    complain(c, at(c, "tables"), allowed, "`%s' is not a valid folder name for tables", s->tables);
  if (s->tune && (!only(s->tune, "-", isalnum) || !isalnum((unsigned char)s->tune[0])))
    complain(c, at(c, "tune"), "letters, digits and `-'", "`%s' is not a valid name of a CPU", s->tune);
  if (s->tune && s->family != FAMILY_CPU)
    complain(c, at(c, "tune"), NULL, "`tune' is for machines of family cpu");
  check_printable(c, at(c, "title"), s->title, "the title");
  for (int i = 0; i < s->nfeatures; i++)
    if (!only(s->features[i], "_", isalnum))
      complain(c, at(c, "features"), "letters, digits and `_'", "`%s' is not a valid name of a feature",
               s->features[i]);
  int v = s->vector_width;
  if (v < 1 || v > WIDEST_VECTOR || (v & (v - 1)))
    complain(c, at(c, "vector_width"), "32 on a GPU, 1 where there are no vectors",
             "the vector width is %d, not a power of two from 1 to %d", v, WIDEST_VECTOR);
}

/* Compute capability times ten; 0 on a cpu. */
static int check_compute(Check *c) {
  const Spec *s = c->s;
  if (s->family != FAMILY_CUDA) {
    if (s->compute)
      complain(c, at(c, "compute"), NULL, "only a machine of family cuda has a compute capability");
    return 0;
  }
  if (!s->compute) {
    complain(c, at(c, "family"), "as in `compute: 6.0'",
             "a machine of family cuda needs its compute capability");
    return 0;
  }
  const char *dot = strchr(s->compute, '.');
  size_t major = strspn(s->compute, "0123456789");
  bool good = dot == s->compute + major && major >= 1 && major <= 2 &&
              isdigit((unsigned char)dot[1]) && !dot[2];
  int value = 0;
  for (const char *d = s->compute; good && *d; d++)
    if (*d != '.') value = value * 10 + (*d - '0');
  if (value >= 30) return value;
  complain(c, at(c, "compute"), "major and minor number, from 3.0 on, as in `compute: 6.0'",
           "`%s' is not a compute capability that can be compiled for", s->compute);
  return 0;
}

/* ---- the chain of levels ---- */

static int level_index(const Spec *s, const char *name) {
  for (int i = 0; i < s->nlevels; i++)
    if (strcmp(s->levels[i].name, name) == 0) return i;
  return -1;
}

/* A sub-warp is called after the warp that it is a factor of and its lanes, warp/8; each stands below a wider one. */
static void check_factor(Check *c, int i) {
  const SpecLevel *l = &c->s->levels[i], *above = i ? &c->s->levels[i - 1] : NULL, *warp = above;
  while (warp > c->s->levels && warp->realised == REAL_SUBWARP) warp--;
  if (!warp || warp->realised != REAL_WARP) {
    complain(c, at_level(c, i, "realised"), NULL, "there is no warp above `%s' that it could be a factor of", l->name);
    return;
  }
  int64_t lanes = l->width ? l->width->max : 0;
  const char *name = text(c, "%s/%lld", warp->name, (long long)lanes);
  bool factor = lanes >= 2 && lanes < c->s->vector_width && (lanes & (lanes - 1)) == 0 && l->width->min == lanes;
  if (!factor)
    complain(c, at_level(c, i, "width"), "as in `width: {min: 8, max: 8}'",
             "a sub-warp has a fixed number of lanes, a power of two below %d", c->s->vector_width);
  else if (above->realised == REAL_SUBWARP && above->width && above->width->max <= lanes)
    complain(c, at_level(c, i, "width"), NULL, "`%s' does not divide `%s' above it", l->name, above->name);
  else if (strcmp(l->name, name) != 0)
    complain(c, at_level(c, i, "name"), text(c, "`name: %s'", name), "`%s' is not a valid sub-warp name", l->name);
}

static void check_level_names(Check *c, int i) {
  const SpecLevel *l = &c->s->levels[i];
  if (l->realised == REAL_SUBWARP) {
    check_factor(c, i);
  } else if (!only(l->name, "_-0123456789", islower) || !islower((unsigned char)l->name[0]))
    complain(c, at_level(c, i, "name"), "small letters, digits, `_' and `-'",
             "`%s' is not a valid level name", l->name);
  if (!only(l->letter, "", isupper) || strlen(l->letter) > 3)
    complain(c, at_level(c, i, "letter"), "as in `letter: B'",
             "`%s' is not one to three capital letters", l->letter);
  for (int k = 0; k < i; k++) {
    if (strcmp(c->s->levels[k].name, l->name) == 0)
      complain(c, at_level(c, i, "name"), NULL, "a second level named `%s'", l->name);
    if (strcmp(c->s->levels[k].letter, l->letter) == 0)
      complain(c, at_level(c, i, "letter"), NULL, "`%s' and `%s' have the same letter `%s'",
               c->s->levels[k].name, l->name, l->letter);
  }
}

static const char *nearest_level(Check *c, const char *wanted) {
  const char **names = arena_many(c->a, const char *, c->s->nlevels);
  for (int i = 0; i < c->s->nlevels; i++) names[i] = c->s->levels[i].name;
  const char *near = nearest_name(wanted, names, c->s->nlevels);
  return near ? text(c, "did you mean `%s'?", near) : text(c, "add it to the list of levels");
}

/* The way from level `from` by subordinates until a level comes again: "thread > grid > block >
 * thread". */
static const char *round_trip(Check *c, int from) {
  Buffer b = buffer_new(c->a);
  buffer_puts(&b, c->s->levels[from].name);
  for (int i = from, steps = 0; steps < c->s->nlevels; steps++) {
    const char *sub = c->s->levels[i].subordinate;
    i = sub ? level_index(c->s, sub) : -1;
    if (i < 0) break;
    buffer_printf(&b, " > %s", sub);
    if (i == from) break;
  }
  return b.text;
}

static void check_subordinate(Check *c, int i) {
  const Spec *s = c->s;
  const SpecLevel *l = &s->levels[i];
  const char *next = i + 1 < s->nlevels ? s->levels[i + 1].name : NULL;
  if (!l->subordinate) {
    if (next)
      complain(c, at_level(c, i, NULL), text(c, "`subordinate: %s'", next),
               "`%s' has no subordinate, but `%s' is below it", l->name, next);
    return;
  }
  const yaml_node_t *n = at_level(c, i, "subordinate");
  int to = level_index(s, l->subordinate);
  if (to < 0)
    complain(c, n, nearest_level(c, l->subordinate), "there is no level `%s'", l->subordinate);
  else if (to <= i)
    complain(c, n,
             text(c, "a level that starts grids says so with `launches: %s'; it is no subordinate",
                  l->subordinate),
             "the levels form a cycle: %s", round_trip(c, i));
  else if (to > i + 1)
    complain(c, n, text(c, "`subordinate: %s', or take the level `%s' away", next, next),
             "`%s' passes over the level `%s'", l->name, next);
}

static void check_launches(Check *c, int i) {
  const SpecLevel *l = &c->s->levels[i];
  if (!l->launches) return;
  const yaml_node_t *n = at_level(c, i, "launches");
  int to = level_index(c->s, l->launches);
  if (to < 0)
    complain(c, n, nearest_level(c, l->launches), "there is no level `%s'", l->launches);
  else if (c->s->levels[to].realised != REAL_GRID)
    complain(c, n, NULL, "`%s' is no grid: only grids are launched", l->launches);
  else if (l->realised != REAL_THREAD)
    complain(c, n, NULL, "only a hardware thread can launch a grid, and `%s' is none", l->name);
}

/* What the compiler knows beyond the notation. */
static SyncKind sync_kind(const char *name) {
  if (strcmp(name, "last-block ticket") == 0) return SYNC_TICKET;
  if (strcmp(name, "chained") == 0) return SYNC_CHAIN;
  if (strcmp(name, "cooperative launch") == 0) return SYNC_TOGETHER;
  if (strcmp(name, "one block") == 0) return SYNC_ONE_BLOCK;
  return strcmp(name, "posted results") == 0 ? SYNC_POST : SYNC_PLAIN;
}

static void check_sync(Check *c, int i) {
  const SpecLevel *l = &c->s->levels[i];
  bool lowest = i + 1 == c->s->nlevels;
  if (!lowest && l->nsync == 0)
    complain(c, at_level(c, i, "sync"), "as in `sync: [__syncthreads()]'",
             "`%s' has no way to synchronise its subordinates", l->name);
  if (lowest && !l->subordinate && l->nsync)
    complain(c, at_level(c, i, "sync"), NULL, "`%s' has no level below it to synchronise", l->name);
  for (int k = 0; k < l->nsync; k++) {
    const yaml_node_t *n = spec_item(c->doc, at_level(c, i, "sync"), k);
    check_printable(c, n, l->sync[k], "a way to synchronise");
    for (int j = 0; j < k; j++)
      if (strcmp(l->sync[j], l->sync[k]) == 0)
        complain(c, n, NULL, "`%s' is listed twice", l->sync[k]);
    SyncKind kind = sync_kind(l->sync[k]);
    if (kind == SYNC_CHAIN && l->realised != REAL_HOST)
      complain(c, n, NULL, "`%s' is for a process's threads, and `%s' is no process", l->sync[k], l->name);
    else if (kind != SYNC_PLAIN && kind != SYNC_CHAIN && l->realised != REAL_GRID)
      complain(c, n, NULL, "`%s' is for a grid's blocks, and `%s' is no grid", l->sync[k], l->name);
  }
}

/* ---- how levels are realised ---- */

/* Where a realisation stands from the host down. */
static int rank(Realisation r) {
  switch (r) {
    case REAL_HOST:
      return 0;
    case REAL_GRID:
      return 1;
    case REAL_CLUSTER:
      return 2;
    case REAL_BLOCK:
      return 3;
    case REAL_WARP:
      return 4;
    case REAL_SUBWARP:
      return 5;
    case REAL_THREAD:
      return 6;
    case REAL_SIMD:
      return 7;
    case REAL_LOOP:
    case REAL_SLOTS:
      return 8;
  }
  return 0;
}

static bool of_gpus_only(Realisation r) {
  return r == REAL_GRID || r == REAL_CLUSTER || r == REAL_BLOCK || r == REAL_WARP || r == REAL_SUBWARP;
}

static void check_realised(Check *c, int i) {
  const Spec *s = c->s;
  const SpecLevel *l = &s->levels[i], *above = i ? &s->levels[i - 1] : NULL;
  const yaml_node_t *n = at_level(c, i, "realised");
  if (s->family == FAMILY_CPU && of_gpus_only(l->realised))
    complain(c, n, "host, thread, simd, loop or slots", "a cpu has no such thing for `%s'",
             l->name);
  bool many = l->realised == REAL_HOST || l->realised == REAL_LOOP || l->realised == REAL_SUBWARP;
  if (above &&
      (rank(above->realised) > rank(l->realised) || (above->realised == l->realised && !many)))
    complain(c, n,
             "from the top: host, grid, cluster, block, warp, subwarp, thread, simd, then loop or slots",
             "`%s' cannot be realised so below `%s'", l->name, above->name);
  if (i + 1 == s->nlevels && (l->capability & (CAP_SCALAR | CAP_MATRIX)) == 0)
    complain(c, at_level(c, i, "capability"), "`capability: [scalar]'",
             "nothing can compute at `%s', the lowest level", l->name);
}

static bool has_level(const Spec *s, Realisation r) {
  for (int i = 0; i < s->nlevels; i++)
    if (s->levels[i].realised == r) return true;
  return false;
}

static void check_cuda_levels(Check *c) {
  static const struct {
    Realisation real;
    const char *name;
  } needed[] = {{REAL_GRID, "grid"}, {REAL_BLOCK, "block"}, {REAL_THREAD, "thread"}};
  for (int i = 0; i < 3; i++)
    if (!has_level(c->s, needed[i].real))
      complain(c, at(c, "levels"),
               "`--levels' of the command line leaves out levels, not the machine",
               "a level is missing: none is realised as a %s", needed[i].name);
}

/* ---- sizes ---- */

/* A width that was given must be possible by itself. */
static bool possible(Check *c, int i, const char *key, int64_t value) {
  const yaml_node_t *width = at_level(c, i, "width");
  if (!spec_key(c->doc, width, key) || (value >= 1 && value <= WIDEST)) return true;
  complain(c, at_width(c, i, key), NULL, "a width of %lld is impossible", (long long)value);
  return false;
}

static void check_width(Check *c, int i) {
  const SpecLevel *l = &c->s->levels[i];
  SpecWidth *w = l->width;
  bool lowest = i + 1 == c->s->nlevels;
  if (!w || lowest) {
    if (w && !l->subordinate)
      complain(c, at_level(c, i, "width"), NULL, "`%s' has no level below it, so it has no width",
               l->name);
    else if (!lowest)
      complain(c, at_level(c, i, NULL), "as in `width: {min: 1, max: 32, default: 8}'",
               "the key `width' is missing in `%s'", l->name);
    return;
  }
  bool fine = possible(c, i, "min", w->min);
  fine &= possible(c, i, "max", w->max);
  fine &= possible(c, i, "default", w->preset);
  fine &= possible(c, i, "multiple", w->multiple);
  if (!fine) return;
  if (w->multiple == 0) w->multiple = 1;
  if (w->min == 0) w->min = w->multiple;
  if (w->preset == 0) w->preset = w->min;
  const struct {
    const char *key;
    int64_t value;
  } each[] = {{"min", w->min}, {"max", w->max}, {"default", w->preset}};
  for (int k = 0; k < 3; k++)
    if (each[k].value % w->multiple)
      complain(c, at_width(c, i, each[k].key), NULL, "%s %lld is no multiple of %lld", each[k].key,
               (long long)each[k].value, (long long)w->multiple);
  if (w->max && w->min > w->max)
    complain(c, at_width(c, i, "min"), NULL, "min %lld is above max %lld", (long long)w->min,
             (long long)w->max);
  else if (w->preset < w->min || (w->max && w->preset > w->max))
    complain(c, at_width(c, i, "default"), NULL, "default %lld is outside min and max",
             (long long)w->preset);
  if (l->realised == REAL_WARP && (w->min != c->s->vector_width || w->max != c->s->vector_width))
    complain(c, at_level(c, i, "width"),
             text(c, "`width: {min: %d, max: %d}'", c->s->vector_width, c->s->vector_width),
             "a warp has exactly %d lanes (vector_width)", c->s->vector_width);
  bool vector = c->s->family == FAMILY_CPU && l->realised == REAL_THREAD && (l->capability & CAP_VECTOR);
  if (vector && (w->min != c->s->vector_width || w->max != c->s->vector_width))
    complain(c, at_level(c, i, "width"),
             text(c, "`width: {min: %d, max: %d}'", c->s->vector_width, c->s->vector_width),
             "a thread's vector has exactly %d lanes (vector_width)", c->s->vector_width);
}

/* ---- instructions ---- */

static Instructions instructions_of(const Spec *s) {
  Instructions can = {0};
  unsigned bit = 1;
#define TAKE(field, from, needs, words) can.field = (s->instructions & bit) != 0, bit <<= 1;
  SPEC_INSTRUCTIONS(TAKE)
#undef TAKE
  return can;
}

/* The place of an instruction in the list. */
static const yaml_node_t *at_instruction(Check *c, const char *name) {
  const yaml_node_t *list = at(c, "instructions"), *item;
  for (int i = 0; (item = spec_item(c->doc, list, i)); i++)
    if (strcmp((const char *)item->data.scalar.value, name) == 0) return item;
  return list;
}

static void check_instructions(Check *c, int compute, const Instructions *can) {
#define CHECK(field, first, needs, words)                                                          \
  if (can->field && !can->needs)                                                                   \
    complain(c, at_instruction(c, #field), "list it too", "`%s' requires `%s'", #field, \
             #needs);                                                                              \
  if (can->field && c->s->family == FAMILY_CUDA && compute && compute < (first))                   \
    complain(c, at_instruction(c, #field), NULL,                                                   \
             "compute capability %s has no `%s': it came with %d.%d", c->s->compute, #field,       \
             (first) / 10, (first) % 10);
  SPEC_INSTRUCTIONS(CHECK)
#undef CHECK
  if (compute >= 70 && !can->independent_threads)
    complain(c, at(c, "instructions"),
             "add `independent_threads': without it, warp barriers that are needed are left out",
             "from compute capability 7.0 on a warp's threads run independently");
  if (has_level(c->s, REAL_CLUSTER) && !can->cluster)
    complain(c, at(c, "instructions"), "add `cluster'",
             "a level is realised as a cluster, which the machine does not have");
}

/* ---- matrix units ---- */

static int warps_of(const SpecMatrix *x) { return x->warps ? x->warps : 1; }

static int lanes_of(const SpecMatrix *x) {
  enum { WARP = 32 };
  return x->lanes ? x->lanes : warps_of(x) * WARP;
}

static bool are_bytes(const SpecMatrix *x) { return strstr(x->elements, "int8") != NULL; }

/* Of a warp, of more of the inner dimension: beside one of less. */
static bool is_deep(const SpecMatrix *x) { return warps_of(x) == 1 && x->k == MATRIX_DEEP; }

/* Shapes of mma.sync, of which one or several make a product; those of wgmma, for elements of 16 bits, tf32 and
 * bytes; that of a quad pair, for halves. */
static bool possible_shape(const SpecMatrix *x) {
  if (x->lanes)
    return x->lanes == QUAD_PAIR && warps_of(x) == 1 && strcmp(x->elements, "half") == 0 && x->m == MATRIX_M / 2 &&
           x->n == MATRIX_N && x->k == MATRIX_K / 4;
  if (warps_of(x) != 1) {
    const bool words = strcmp(x->elements, "tf32") == 0, bytes = are_bytes(x);
    return x->warps == GROUP_WARPS && x->m == GROUP_M && x->n == GROUP_N &&
           x->k == (words ? MATRIX_K / 2 : bytes ? 2 * MATRIX_K : MATRIX_K);
  }
  const bool doubles = strcmp(x->elements, "double") == 0; /* of which tiles have fragments of half the depth */
  const bool fits = (x->k == 4 || x->k == 8 || (x->k == 16 && !doubles)) && x->n == MATRIX_N;
  if (is_deep(x)) return x->m == MATRIX_M && x->n == MATRIX_N && are_bytes(x);
  return fits && (x->m == MATRIX_M || x->m == MATRIX_M / 2);
}

static void check_matrix(Check *c) {
  const Spec *s = c->s;
  bool level = false;
  for (int i = 0; i < s->nlevels; i++) {
    const SpecLevel *l = &s->levels[i];
    if (!(l->capability & CAP_MATRIX)) continue;
    level = true;
    if (l->realised != REAL_WARP)
      complain(c, at_level(c, i, "capability"), "a warp's lanes multiply together", "`%s' has no matrix unit", l->name);
  }
  for (int i = 0; i < s->nmatrix; i++) {
    const SpecMatrix *x = &s->matrix[i];
    const yaml_node_t *row = spec_item(c->doc, at(c, "matrix"), i);
    if (!possible_shape(x))
      complain(c, row,
               "m: 8 or 16, n: 8, k: 4, 8 or 16, of bytes 32, of doubles 4 or 8; of 4 warps 64, 256 and "
               "16, of tf32 8, of bytes 32; of 8 lanes halves, 8, 8 and 4",
               "a matrix unit of %d x %d x %d", x->m, x->n, x->k);
    if (lanes_of(x) != lanes_of(&s->matrix[0]) && (x->lanes || s->matrix[0].lanes))
      complain(c, row, "`lanes: 8' of each, or of none",
               "a machine's products are of a warp's lanes, or of quad pairs'");
    for (int k = 0; k < i; k++)
      if (strcmp(s->matrix[k].elements, x->elements) == 0 && warps_of(&s->matrix[k]) == warps_of(x) &&
          is_deep(&s->matrix[k]) == is_deep(x))
        complain(c, row, "one for each type of elements", "`%s' has two matrix units", x->elements);
  }
  if (level != (s->nmatrix > 0))
    complain(c, at(c, "matrix"), "`capability: [vector, matrix]' of a warp, and `matrix:', what it multiplies",
             level ? "a level has a matrix unit, and the machine does not say which" : "no level has the matrix unit");
}

static void take_matrix(Arena *a, Arch *m, const Spec *s) {
  MatrixUnit *all = arena_many(a, MatrixUnit, s->nmatrix);
  for (int i = 0; i < s->nmatrix; i++) {
    const SpecMatrix *x = &s->matrix[i];
    all[i] = (MatrixUnit){x->elements, x->m, x->n, x->k, warps_of(x), lanes_of(x), x->instruction};
  }
  m->matrix = all;
  m->nmatrix = s->nmatrix;
}

/* ---- the machine ---- */

/* A CPU's levels have parts that a GPU's have too: its process hands out parts as a grid does, a thread with vectors is
 * a block of one vector, and a lane is one of a block's threads. */
static Realisation part_of(const Spec *s, const SpecLevel *l) {
  if (s->family != FAMILY_CPU) return l->realised;
  switch (l->realised) {
    case REAL_HOST: return REAL_GRID;
    case REAL_THREAD: return l->capability & CAP_VECTOR ? REAL_BLOCK : REAL_THREAD;
    case REAL_SIMD: return REAL_THREAD;
    default: return l->realised;
  }
}

static void make_level(Arena *a, Arch *m, int i, const Spec *s) {
  const SpecLevel *from = &s->levels[i];
  Level *to = &m->levels[i];
  *to = (Level){.name = from->name,
                .letter = from->letter,
                .capability = from->capability,
                .depth = i,
                .sub = i + 1 < s->nlevels ? to + 1 : NULL,
                .real = part_of(s, from),
                .nsync = from->nsync,
                .prefer = from->prefer,
                .width_min = 1,
                .width_max = 1,
                .width_default = 1,
                .width_multiple = 1};
  to->sync = arena_many(a, SyncWay, from->nsync);
  for (int k = 0; k < from->nsync; k++) {
    to->sync[k].name = from->sync[k];
    to->sync[k].kind = sync_kind(from->sync[k]);
  }
  if (from->launches) to->launches = &m->levels[level_index(s, from->launches)];
  const SpecWidth *w = from->width;
  if (!w) return;
  to->width_min = w->min;
  to->width_max = w->max;
  to->width_default = w->preset;
  to->width_multiple = w->multiple;
}

Arch *spec_check(Arena *a, SpecDocument *doc, const Spec *s) {
  Check c = {a, doc, s};
  check_head(&c);
  int compute = check_compute(&c);
  for (int i = 0; i < s->nlevels; i++) {
    check_level_names(&c, i);
    check_subordinate(&c, i);
    check_launches(&c, i);
    check_sync(&c, i);
    check_realised(&c, i);
    check_width(&c, i);
  }
  if (s->family == FAMILY_CUDA) check_cuda_levels(&c);
  spec_check_limits(doc, s);
  spec_check_figures(doc, s);
  Instructions can = instructions_of(s);
  check_instructions(&c, compute, &can);
  check_matrix(&c);
  if (doc->errors) return NULL;

  Arch *m = arena_one(a, Arch);
  *m = (Arch){.name = s->name,
              .title = s->title,
              .tune = s->tune,
              .tables = s->tables ? s->tables : s->name,
              .family = s->family == FAMILY_CUDA ? "cuda" : "cpu",
              .is_cpu = s->family == FAMILY_CPU,
              .compute = compute,
              .levels = arena_many(a, Level, s->nlevels),
              .nlevels = s->nlevels,
              .vector_width = s->vector_width,
              .can = can,
              .features = s->features,
              .nfeatures = s->nfeatures,
              .source = s->source};
  spec_take_limits(m, s);
  spec_take_figures(m, s);
  take_matrix(a, m, s);
  for (int i = 0; i < s->nlevels; i++) make_level(a, m, i, s);
  arch_derive(m);
  return m;
}
