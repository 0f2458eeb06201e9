/* check_manifest.c: what there is to check: manifest.json, as far as `tgc check' needs it.
 *
 * Names go into C++ text and options, paths into #include lines: they are held to be what a compiler can take. */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "driver/check_parts.h"
#include "support/manifest_file.h"
#include "support/manifest.h"
#include "support/nearest.h"

static const char *copy(Check *c, const json_t *object, const char *key) {
  const char *s = json_string_value(json_object_get(object, key));
  return arena_strdup(c->arena, s ? s : "");
}

static bool is_identifier(const char *s) {
  if (!*s) return false;
  for (; *s; s++)
    if (!isalnum((unsigned char)*s) && *s != '_') return false;
  return true;
}

static bool is_plain_path(const char *s) {
  if (!*s || *s == '/' || strstr(s, "..")) return false;
  for (; *s; s++)
    if (*s == '"' || *s == '\\' || (unsigned char)*s < ' ') return false;
  return true;
}

static bool refuse(Check *c, const char *what, const char *value) {
  diagnostics_add(c->diagnostics, DIAG_ERROR, (SourceRange){0}, "compile it again with this tgc",
                  "the manifest of `%s' has the %s `%s'", c->options.dir, what, value);
  return false;
}

/* One configuration: the defaults, but so much of the k-th tunable, unless that is 0. */
static void put_configuration(Buffer *to, const Tunables *compiled, int k, int64_t value) {
  for (int i = 0; i < compiled->n; i++)
    buffer_printf(to, "%s%lld", i ? ", " : " C(", (long long)(i == k && value ? value : compiled->at[i].value));
  if (compiled->n) buffer_puts(to, ")");
}

/* Where two numbers are far apart, the last doubling of one that is nearer to it than to the other; 0: they are not. */
static int64_t between(int64_t own, int64_t most) {
  enum { FAR = 64 };
  int64_t middle = own;
  if (own < 1 || most / own < FAR) return 0;
  while (4 * (double)middle * (double)middle <= (double)own * (double)most) middle *= 2;
  return middle;
}

/* The variant's own, those with the least and with the most of each tunable, and one between where those are far
 * apart. */
static const char *configurations_of(Check *c, const json_t *from) {
  const Tunables compiled = manifest_compiled(c->arena, from);
  Buffer b = buffer_new(c->arena);
  const char *macro = copy(c, from, KEY_CONFIGURATIONS_MACRO);
  buffer_printf(&b, "-D%s(C)=", macro);
  const size_t none = b.length;
  put_configuration(&b, &compiled, 0, 0);
  for (int k = 0; k < compiled.n; k++) {
    const int64_t own = compiled.at[k].value, least = compiled.at[k].min, most = compiled.at[k].max;
    if (least != own) put_configuration(&b, &compiled, k, least);
    if (between(own, most)) put_configuration(&b, &compiled, k, between(own, most));
    if (most > own) put_configuration(&b, &compiled, k, most);
  }
  return b.length > none && is_identifier(macro) ? arena_strndup(c->arena, b.text, b.length) : NULL;
}

/* Has this machine what the variant's functions ask for? *options: what tells a compiler of it. */
static bool has_features(Check *c, const json_t *from, const char **options) {
  const json_t *all = json_object_get(from, KEY_FEATURES);
  Buffer b = buffer_new(c->arena);
  for (size_t i = 0; c->native && i < json_array_size(all); i++) {
    const char *word = json_string_value(json_array_get(all, i)), *one = check_feature(word);
    if (!one) c->lacks = arena_strdup(c->arena, word);
    if (!one) return false;
    buffer_printf(&b, " %s", one);
  }
  *options = b.length ? b.text : "";
  return true;
}

static bool read_variant(Check *c, json_t *from, CheckVariant *v) {
  json_t *functions = json_object_get(from, KEY_FUNCTIONS), *value;
  const char *type, *file = copy(c, from, KEY_FILE);
  *v = (CheckVariant){.id = copy(c, from, KEY_ID), .plan = copy(c, from, KEY_PLAN),
                      .category = copy(c, from, KEY_CATEGORY)};
  if (c->native) v->configurations = configurations_of(c, from);
  const char *determinism = json_string_value(json_object_get(from, KEY_DETERMINISM));
  if (!determinism || !determinism_by_name(determinism, &v->promise)) v->promise = DETERMINISM_NOT_GUARANTEED;
  v->functions = arena_many(c->arena, CheckFunction, json_object_size(functions));
  if (!is_identifier(v->id)) return refuse(c, "invalid id", v->id);
  if (!is_plain_path(file)) return refuse(c, "invalid file", file);
  v->file = arena_printf(c->arena, "%s/%s", c->dir, file);
  json_object_foreach(functions, type, value) {
    CheckFunction f = {arena_strdup(c->arena, type), arena_strdup(c->arena, json_string_value(value))};
    if (!is_identifier(f.type)) return refuse(c, "invalid type", f.type);
    if (!is_identifier(f.name)) return refuse(c, "invalid function", f.name);
    v->functions[v->nfunctions++] = f;
  }
  return true;
}

/* ---- operands ---- */

/* The number of the operand of that name; -1: there is none. */
static int operand_number(const json_t *operands, const char *name) {
  for (size_t i = 0; name && i < json_array_size(operands); i++) {
    const char *one = json_string_value(json_object_get(json_array_get(operands, i), KEY_NAME));
    if (one && strcmp(one, name) == 0) return (int)i;
  }
  return -1;
}

static void operand_numbers(const json_t *operands, const json_t *names, int *to, int most) {
  for (int i = 0; i < most; i++)
    to[i] = operand_number(operands, json_string_value(json_array_get(names, (size_t)i)));
}

/* A word of the manifest in the harness's spelling; NULL: no such word. */
static const char *harness_word(const char *word, const char *const (*rows)[2]) {
  if (!word) word = "";
  for (; (*rows)[0]; rows++)
    if (strcmp((*rows)[0], word) == 0) return (*rows)[1];
  return NULL;
}

static bool read_operand(Check *c, const json_t *all, const json_t *from, CheckOperand *o) {
  static const char *const kinds[][2] = {{"array", "ARRAY"}, {"size", "SIZE"}, {"number", "NUMBER"}, {0}};
  static const char *const holds[][2] = {{"data", "DATA"}, {"offsets", "OFFSETS"}, {"indices", "INDICES"},
                                         {"places", "PLACES"}, {"queue", "QUEUE"}, {"counter", "COUNTER"},
                                         {"lengths", "RUN_LENGTHS"}, {"ends", "RUN_ENDS"},
                                         {"", "DATA"}, {0}};
  static const char *const means[][2] = {{"elements", "ELEMENTS"}, {"rows", "ROWS"}, {"columns", "COLUMNS"},
                                         {"leading", "LEADING"}, {"number", "COUNT"}, {"", "NO_SIZE"}, {0}};
  o->name = copy(c, from, KEY_NAME);
  o->kind = harness_word(json_string_value(json_object_get(from, KEY_KIND)), kinds);
  o->holds = harness_word(json_string_value(json_object_get(from, KEY_HOLDS)), holds);
  o->means = harness_word(json_string_value(json_object_get(from, KEY_MEANS)), means);
  o->by_columns = json_is_true(json_object_get(from, KEY_BY_COLUMNS));
  o->read = json_is_true(json_object_get(from, KEY_READ));
  o->written = json_is_true(json_object_get(from, KEY_WRITTEN));
  o->into = operand_number(all, json_string_value(json_object_get(from, KEY_INTO)));
  const json_t *times = json_object_get(from, KEY_TIMES); /* folders of an earlier tgc have none: once */
  o->times = times ? (int)json_integer_value(times) : json_array_size(json_object_get(from, KEY_FACTORS)) > 0;
  o->plus = (int)json_integer_value(json_object_get(from, KEY_PLUS));
  o->addend = operand_number(all, json_string_value(json_object_get(from, KEY_ADDEND)));
  o->more = (int)json_integer_value(json_object_get(from, KEY_MORE));
  o->every = (int)json_integer_value(json_object_get(from, KEY_EVERY));
  o->low = (int)json_integer_value(json_object_get(from, KEY_LOW));
  o->high = (int)json_integer_value(json_object_get(from, KEY_HIGH));
  operand_numbers(all, json_object_get(from, KEY_SIZES), o->sizes, MANIFEST_SIZES);
  operand_numbers(all, json_object_get(from, KEY_FACTORS), o->factors, 2);
  if (!is_identifier(o->name)) return refuse(c, "invalid operand", o->name);
  return o->kind && o->holds && o->means ? true : refuse(c, "operand of no known kind", o->name);
}

static bool read_operands(Check *c, const json_t *operands) {
  c->operands = arena_many(c->arena, CheckOperand, json_array_size(operands) + 1);
  for (size_t i = 0; i < json_array_size(operands); i++)
    if (!read_operand(c, operands, json_array_get(operands, i), &c->operands[c->noperands++])) return false;
  return true;
}

/* ---- variants ---- */

static bool is_wanted(const Check *c, const char *id) {
  return !c->options.variant || strncmp(id, c->options.variant, strlen(c->options.variant)) == 0;
}

static void unknown_variant(Check *c, json_t *variants) {
  int n = (int)json_array_size(variants);
  const char **ids = arena_many(c->arena, const char *, n);
  for (int i = 0; i < n; i++) ids[i] = copy(c, json_array_get(variants, (size_t)i), KEY_ID);
  const char *near = nearest_name(c->options.variant, ids, n);
  diagnostics_add(c->diagnostics, DIAG_ERROR, (SourceRange){0},
                  near ? arena_printf(c->arena, "did you mean `%s'?", near)
                       : "the manifest lists the ids",
                  "`%s' has no variant `%s'", c->options.dir, c->options.variant);
}

static bool read_variants(Check *c, json_t *variants, const json_t *dispatch) {
  c->variants = arena_many(c->arena, CheckVariant, json_array_size(variants));
  for (size_t i = 0; i < json_array_size(variants); i++) {
    json_t *one = json_array_get(variants, i);
    const char *options;
    if (!is_wanted(c, json_string_value(json_object_get(one, KEY_ID)))) continue;
    if (!has_features(c, one, &options)) {
      c->lacking++;
      continue;
    }
    if (!read_variant(c, one, &c->variants[c->nvariants])) return false;
    c->variants[c->nvariants].features = options;
    check_read_borders(c, &c->variants[c->nvariants], one, dispatch);
    c->nvariants++;
  }
  if (c->nvariants && c->options.quick) check_pick_quick(c, dispatch);
  if (c->nvariants || c->lacking) return true;
  if (c->options.variant) unknown_variant(c, variants);
  else diagnostics_add(c->diagnostics, DIAG_ERROR, (SourceRange){0}, NULL, "`%s' has no variants", c->options.dir);
  return false;
}

bool check_read(Check *c) {
  json_t *j = manifest_read(c->arena, c->options.dir, c->diagnostics);
  if (!j) return false;
  char path[PATH_MAX];
  bool ok = realpath(c->options.dir, path) != NULL;
  c->dir = arena_strdup(c->arena, ok ? path : c->options.dir);
  c->spectrum = copy(c, j, KEY_SPECTRUM);
  c->operation = copy(c, j, KEY_OPERATOR);
  c->machine = copy(c, j, KEY_MACHINE);
  c->native = strcmp(copy(c, j, KEY_FAMILY), "cpu") == 0;
  c->workspace_head = (int)json_integer_value(json_object_get(j, KEY_WORKSPACE_HEAD));
  json_t *types = json_object_get(j, KEY_TYPES);
  c->ntypes = (int)json_array_size(types);
  c->types = arena_many(c->arena, const char *, c->ntypes);
  for (int i = 0; ok && i < c->ntypes; i++) {
    c->types[i] = arena_strdup(c->arena, json_string_value(json_array_get(types, (size_t)i)));
    if (!is_identifier(c->types[i])) ok = refuse(c, "invalid type", c->types[i]);
  }
  if (ok && !is_identifier(c->spectrum)) ok = refuse(c, "invalid spectrum", c->spectrum);
  if (ok && *c->operation && !is_identifier(c->operation)) ok = refuse(c, "invalid operator", c->operation);
  if (ok && strpbrk(c->dir, "\"\\\n")) ok = refuse(c, "invalid folder", c->dir);
  ok = ok && read_operands(c, json_object_get(j, KEY_OPERANDS));
  ok = ok && read_variants(c, json_object_get(j, KEY_VARIANTS), json_object_get(j, KEY_DISPATCH));
  if (ok) check_read_literals(c);
  json_decref(j);
  return ok;
}
