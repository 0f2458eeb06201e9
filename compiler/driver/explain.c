/* explain.c: tgc explain ID [DIR]: one variant of a folder, for people. Everything comes from the folder's manifest. */
#include "driver/verbs.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/manifest_file.h"
#include "support/buffer.h"
#include "support/manifest.h"
#include "table/dispatch.h"
#include "support/nearest.h"

typedef struct Request {
  const char *id, *dir, *svg;
  bool dot, nest, json;
} Request;

/* ---- reading a checked manifest ---- */

static const char *string_of(const json_t *j, const char *key) { return json_string_value(json_object_get(j, key)); }
static long long number_of(const json_t *j, const char *key) { return json_integer_value(json_object_get(j, key)); }

static size_t each_of(const json_t *j, const char *key) { return json_array_size(json_object_get(j, key)); }
static const json_t *item_of(const json_t *j, const char *key, size_t i) {
  return json_array_get(json_object_get(j, key), i);
}

static const char *or_none(const char *s) { return s ? s : "none"; }

static bool is_of_cpu(const json_t *manifest) {
  const char *family = string_of(manifest, KEY_FAMILY);
  return family && strcmp(family, "cpu") == 0;
}

/* What a word of a manifest's is on a CPU, whose threads have the parts of blocks. */
static const char *on_machine(const json_t *manifest, const char *word) {
  static const struct { const char *word, *on_cpu; } rows[] = {
      {"thread", "lane"}, {"block", "thread"}, {"shared", "private"}, {"at launch", "at each call"}};
  const bool cpu = is_of_cpu(manifest);
  for (size_t i = 0; cpu && i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i].word, word) == 0) return rows[i].on_cpu;
  return word;
}

/* ---- the variant that is meant ---- */

static bool is_prefix(const char *prefix, const char *s) { return strncmp(prefix, s, strlen(prefix)) == 0; }

typedef bool (*Means)(const json_t *variant, const char *wanted);

static bool has_id(const json_t *v, const char *wanted) { return strcmp(string_of(v, KEY_ID), wanted) == 0; }

static bool has_letter(const json_t *v, const char *wanted) {
  const char *letter = string_of(v, KEY_LETTER);
  return letter && strcmp(letter, wanted) == 0;
}

static bool has_prefix(const json_t *v, const char *wanted) { return is_prefix(wanted, string_of(v, KEY_ID)); }

static void unknown(Arena *a, const json_t *manifest, const Request *r, Diagnostics *d) {
  size_t n = each_of(manifest, KEY_VARIANTS);
  const char **ids = arena_many(a, const char *, n);
  for (size_t i = 0; i < n; i++) ids[i] = string_of(item_of(manifest, KEY_VARIANTS, i), KEY_ID);
  const char *near = nearest_name(r->id, ids, (int)n);
  enum { FEW = 8 };
  Buffer all = buffer_new(a);
  for (size_t i = 0; i < n && i < FEW; i++) buffer_printf(&all, "%s%s", i ? ", " : "", ids[i]);
  const char *hint = near ? arena_printf(a, "did you mean `%s'?", near)
                     : n <= FEW
                         ? arena_printf(a, "its variants: %s", all.text)
                         : arena_printf(a, "%s/%s lists its %zu variants: %s, ..", r->dir, MANIFEST_FILE, n, all.text);
  diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, hint, "`%s' has no variant `%s'", r->dir, r->id);
}

/* Those that an id, a letter or the beginning of an id may mean, in that order; only one of them is an answer. */
static const json_t *find(Arena *a, const json_t *manifest, const Request *r, Diagnostics *d) {
  static const Means ways[] = {has_id, has_letter, has_prefix};
  for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
    const json_t *found = NULL;
    Buffer all = buffer_new(a);
    int count = 0;
    for (size_t i = 0; i < each_of(manifest, KEY_VARIANTS); i++) {
      const json_t *v = item_of(manifest, KEY_VARIANTS, i);
      if (!ways[w](v, r->id)) continue;
      if (count < 8) buffer_printf(&all, "%s%s", count ? ", " : "", string_of(v, KEY_ID));
      count++;
      found = v;
    }
    if (count == 1) return found;
    if (count == 0) continue;
    diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, arena_printf(a, "%s%s", all.text, count > 8 ? ", .." : ""),
                    "`%s' is ambiguous: the ids of %d variants begin with it", r->id, count);
    return NULL;
  }
  unknown(a, manifest, r, d);
  return NULL;
}

/* ---- what is printed ---- */

static void heading(Buffer *to, const char *name) { buffer_printf(to, "\n%s\n", name); }

static void strings(Buffer *to, const json_t *array) {
  for (size_t i = 0; i < json_array_size(array); i++)
    buffer_printf(to, "%s%s", i ? ", " : "", json_string_value(json_array_get(array, i)));
}

/* Do two rows of the dispatch follow one another: of one type, asking for the same? */
static bool follows(const json_t *row, const json_t *before) {
  return before && strcmp(string_of(row, KEY_TYPE), string_of(before, KEY_TYPE)) == 0 &&
         conditions_of_array(json_object_get(row, KEY_WHEN)) == conditions_of_array(json_object_get(before, KEY_WHEN));
}

/* Are both for the same calls, of which each has some? */
static bool rivals(const json_t *row, const json_t *next) {
  return next && json_object_get(row, KEY_TURN) && follows(next, row) &&
         number_of(row, KEY_UP_TO) == number_of(next, KEY_UP_TO) &&
         number_of(row, KEY_COUNT) == number_of(next, KEY_COUNT);
}

/* ", where a call is aligned and tall". */
static void asks(Buffer *to, const json_t *when) {
  for (size_t i = 0; i < json_array_size(when); i++)
    buffer_printf(to, "%s%s", i ? " and " : ", where a call is ", json_string_value(json_array_get(when, i)));
}

/* A line, unless it was said: of rivals, which differ in their tunables, or for another type. */
static void say_once(Buffer *to, size_t since, const char *line) {
  const char *said = to->text ? strstr(to->text + since, line) : NULL;
  if (!said || (said > to->text + since && said[-1] != '\n')) buffer_puts(to, line);
}

/* The sizes that the dispatch has it serve. */
static void served(Buffer *to, const json_t *m, const char *id) {
  const size_t since = to->length;
  long long from = 0, least = 1;
  for (size_t i = 0; i < each_of(m, KEY_DISPATCH); i++) {
    const json_t *row = item_of(m, KEY_DISPATCH, i), *before = i ? item_of(m, KEY_DISPATCH, i - 1) : NULL;
    if (i && !follows(row, before)) {
      from = 0;
      least = 1;
    } else if (before && number_of(row, KEY_UP_TO) != number_of(before, KEY_UP_TO)) least = 1;
    const bool bounded = json_is_integer(json_object_get(row, KEY_UP_TO));
    const bool counts = json_is_integer(json_object_get(row, KEY_COUNT));
    if (strcmp(string_of(row, KEY_VARIANT), id) == 0) {
      Buffer line = buffer_new(to->arena);
      if (bounded) buffer_printf(&line, "chosen for %lld to %lld elements", from, number_of(row, KEY_UP_TO));
      else buffer_printf(&line, "chosen for %lld elements and more", from);
      if (json_object_get(m, KEY_PARTS)) buffer_puts(&line, " each");
      if (counts) buffer_printf(&line, ", %lld to %lld of them", least, number_of(row, KEY_COUNT));
      else if (least > 1) buffer_printf(&line, ", %lld of them and more", least);
      asks(&line, json_object_get(row, KEY_WHEN));
      if (json_object_get(row, KEY_TURN)) buffer_puts(&line, ", where its tiles are done first");
      buffer_puts(&line, "\n");
      say_once(to, since, line.text);
    }
    if (rivals(row, item_of(m, KEY_DISPATCH, i + 1))) continue;
    least = counts ? number_of(row, KEY_COUNT) + 1 : 1;
    if (!counts) from = number_of(row, KEY_UP_TO) + 1;
  }
}

static void title(Buffer *to, const json_t *m, const json_t *v) {
  const char *letter = string_of(v, KEY_LETTER), *id = string_of(v, KEY_ID);
  buffer_printf(to, "%s, variant %s", string_of(m, KEY_SPECTRUM), id);
  if (letter) buffer_printf(to, " (%s)", letter);
  buffer_printf(to, ": %s\nfrom %s for %s; types ", string_of(v, KEY_CATEGORY), string_of(m, KEY_SOURCE),
                string_of(m, KEY_MACHINE));
  strings(to, json_object_get(m, KEY_TYPES));
  buffer_puts(to, "\n");
  served(to, m, id);
}

static void plan(Buffer *to, const json_t *v) {
  heading(to, "plan");
  buffer_printf(to, "  %s\n", string_of(v, KEY_PLAN));
  for (size_t i = 0; i < each_of(v, KEY_TREE); i++)
    buffer_printf(to, "  %s\n", json_string_value(item_of(v, KEY_TREE, i)));
}

/* Manifests of older tgcs have none. */
static void nest(Buffer *to, const json_t *v) {
  for (size_t i = 0; i < each_of(v, KEY_NEST); i++)
    buffer_printf(to, "%s\n", json_string_value(item_of(v, KEY_NEST, i)));
}

static int longest(const json_t *v, const char *list, const char *key) {
  size_t n = 0;
  for (size_t i = 0; i < each_of(v, list); i++) {
    const char *s = string_of(item_of(v, list, i), key);
    if (s && strlen(s) > n) n = strlen(s);
  }
  return n < 60 ? (int)n : 60;
}

static void choices(Buffer *to, const json_t *v) {
  if (!each_of(v, KEY_CHOICES)) return;
  heading(to, "choices");
  int level = longest(v, KEY_CHOICES, KEY_LEVEL), codelet = longest(v, KEY_CHOICES, KEY_CODELET);
  int what = longest(v, KEY_CHOICES, KEY_WHAT);
  for (size_t i = 0; i < each_of(v, KEY_CHOICES); i++) {
    const json_t *c = item_of(v, KEY_CHOICES, i);
    const char *at = string_of(c, KEY_LEVEL), *tag = string_of(c, KEY_CODELET);
    buffer_printf(to, "  %-*s  %-*s  %-*s  %s\n", level, at ? at : "", codelet, tag ? tag : "", what,
                  string_of(c, KEY_WHAT), string_of(c, KEY_CHOICE));
  }
}

static void kernels(Buffer *to, const json_t *m, const json_t *v) {
  heading(to, "kernels");
  int name = longest(v, KEY_LAUNCHES, KEY_NAME);
  for (size_t i = 0; i < each_of(v, KEY_LAUNCHES); i++) {
    const json_t *k = item_of(v, KEY_LAUNCHES, i);
    long long threads = number_of(k, KEY_THREADS);
    const char *note = string_of(k, KEY_NOTE);
    buffer_printf(to, "  %-*s  %lld %s%s per %s%s%s\n", name, string_of(k, KEY_NAME), threads,
                  on_machine(m, "thread"), threads == 1 ? "" : "s", on_machine(m, "block"), note ? "; " : "",
                  note ? note : "");
  }
}

/* "128 bytes (int, float), 256 bytes (double)" */
static void shared_bytes(Buffer *to, json_t *by_type) {
  const char *type, *other;
  json_t *bytes, *also;
  bool first = true;
  json_object_foreach(by_type, type, bytes) {
    bool said = false, listed = false;
    json_object_foreach(by_type, other, also) {
      if (strcmp(other, type) == 0) break;
      said |= json_equal(also, bytes);
    }
    if (said) continue;
    buffer_printf(to, "%s%lld bytes (", first ? "" : ", ", (long long)json_integer_value(bytes));
    first = false;
    json_object_foreach(by_type, other, also) {
      if (!json_equal(also, bytes)) continue;
      buffer_printf(to, "%s%s", listed ? ", " : "", other);
      listed = true;
    }
    buffer_puts(to, ")");
  }
}

static bool takes_shared(json_t *by_type) {
  const char *type;
  json_t *bytes;
  json_object_foreach(by_type, type, bytes)
    if (json_integer_value(bytes) > 0) return true;
  return false;
}

static void memory(Buffer *to, const json_t *m, const json_t *v) {
  bool any = false;
  const char *workspace = string_of(v, KEY_WORKSPACE), *shared = on_machine(m, "shared");
  heading(to, "memory");
  for (size_t i = 0; i < each_of(v, KEY_LAUNCHES); i++) {
    const json_t *k = item_of(v, KEY_LAUNCHES, i);
    json_t *by_type = json_object_get(k, KEY_SHARED_BYTES);
    if (!takes_shared(by_type)) continue;
    buffer_printf(to, "  %-9s  %s, per %s: ", shared, string_of(k, KEY_NAME), on_machine(m, "block"));
    shared_bytes(to, by_type);
    buffer_puts(to, "\n");
    any = true;
  }
  if (!any) buffer_printf(to, "  %-9s  none\n", shared);
  buffer_printf(to, "  workspace  %s%s\n", or_none(workspace), workspace ? " bytes" : "");
}

/* On a CPU lanes add to what their thread alone has, in turn; several threads to what they share, by atomics. */
static void adds(Buffer *to, const json_t *v, const char *row, const char *space, const char *who) {
  bool any = false;
  for (size_t i = 0; i < each_of(v, KEY_ATOMICS); i++) {
    const json_t *a = item_of(v, KEY_ATOMICS, i);
    if (strcmp(string_of(a, KEY_SPACE), space) != 0) continue;
    if (any) buffer_puts(to, "; ");
    else buffer_printf(to, "%-13s", row);
    buffer_printf(to, "%lld %s", number_of(a, KEY_COUNT), string_of(a, KEY_OP));
    any = true;
  }
  if (any) buffer_printf(to, " %s\n", who);
}

static void exchanges_of_cpu(Buffer *to, const json_t *v) {
  heading(to, "synchronisation, static counts");
  adds(to, v, "  private", "shared", "to a thread's accumulator, by its lanes in turn");
  adds(to, v, "  atomics", "global", "by several threads");
  buffer_printf(to, "  shuffles   %lld of a vector's lanes\n", number_of(v, KEY_SHUFFLES));
}

static void exchanges(Buffer *to, const json_t *m, const json_t *v) {
  const json_t *barriers = json_object_get(v, KEY_BARRIERS);
  if (is_of_cpu(m)) {
    exchanges_of_cpu(to, v);
    return;
  }
  heading(to, "synchronisation, static counts");
  buffer_puts(to, "  atomics    ");
  for (size_t i = 0; i < each_of(v, KEY_ATOMICS); i++) {
    const json_t *a = item_of(v, KEY_ATOMICS, i);
    buffer_printf(to, "%s%lld %s on %s memory, %s scope", i ? "; " : "", number_of(a, KEY_COUNT), string_of(a, KEY_OP),
                  string_of(a, KEY_SPACE), string_of(a, KEY_SCOPE));
  }
  buffer_puts(to, each_of(v, KEY_ATOMICS) ? "\n" : "none\n");
  buffer_printf(to, "  shuffles   %lld\n  barriers   %lld per block, %lld per warp\n", number_of(v, KEY_SHUFFLES),
                number_of(barriers, KEY_BLOCK), number_of(barriers, KEY_WARP));
  if (number_of(barriers, KEY_CLUSTER))
    buffer_printf(to, "             %lld per cluster\n", number_of(barriers, KEY_CLUSTER));
}

static void determinism(Buffer *to, const json_t *v) {
  const char *why = string_of(v, KEY_DETERMINISM_WHY);
  heading(to, "determinism");
  buffer_printf(to, "  %s%s%s\n", string_of(v, KEY_DETERMINISM), why ? ": " : "", why ? why : "");
  const char *invariant_why = string_of(v, KEY_BATCH_INVARIANT_WHY);
  if (invariant_why)
    buffer_printf(to, "  %sbatch-invariant: %s\n", json_is_true(json_object_get(v, KEY_BATCH_INVARIANT)) ? "" : "not ",
                  invariant_why);
}

static void codelets(Buffer *to, const json_t *m, const json_t *v) {
  heading(to, "codelets");
  int tag = longest(v, KEY_CODELETS, KEY_TAG);
  for (size_t i = 0; i < each_of(v, KEY_CODELETS); i++) {
    const json_t *c = item_of(v, KEY_CODELETS, i);
    buffer_printf(to, "  %-*s  %-11s  %s:%lld\n", tag, string_of(c, KEY_TAG), string_of(c, KEY_CLASS),
                  string_of(json_object_get(c, KEY_SOURCE) ? c : m, KEY_SOURCE), number_of(c, KEY_LINE));
  }
}

static void tunables(Buffer *to, const json_t *m, const json_t *v) {
  if (!each_of(v, KEY_TUNABLES)) return;
  heading(to, "tunables");
  for (size_t i = 0; i < each_of(v, KEY_TUNABLES); i++) {
    const json_t *t = item_of(v, KEY_TUNABLES, i);
    const char *what = string_of(t, KEY_WHAT);
    bool launch = strcmp(string_of(t, KEY_BIND), "launch") == 0;
    buffer_printf(to, "  %s = %lld, %s  %s: ", string_of(t, KEY_NAME), number_of(t, KEY_DEFAULT),
                  launch ? on_machine(m, "at launch") : "compiled", what ? what : string_of(t, KEY_NAME));
    if (json_is_integer(json_object_get(t, KEY_MAX)))
      buffer_printf(to, "%lld to %lld", number_of(t, KEY_MIN), number_of(t, KEY_MAX));
    else buffer_printf(to, "at least %lld", number_of(t, KEY_MIN));
    if (number_of(t, KEY_MULTIPLE) > 1) buffer_printf(to, ", a multiple of %lld", number_of(t, KEY_MULTIPLE));
    for (size_t k = 0; k < each_of(t, KEY_VALUES); k++)
      buffer_printf(to, "%s%lld", k ? ", " : ", of these: ", (long long)json_integer_value(item_of(t, KEY_VALUES, k)));
    buffer_puts(to, "\n");
  }
}

static void text(Buffer *to, const Request *r, const json_t *v) {
  const char *type;
  json_t *name;
  heading(to, "text");
  buffer_printf(to, "  %s/%s\n", r->dir, string_of(v, KEY_FILE));
  json_object_foreach(json_object_get(v, KEY_FUNCTIONS), type, name)
    buffer_printf(to, "  %s\n", json_string_value(name));
}

static void explanation(Buffer *to, const Request *r, const json_t *m, const json_t *v) {
  title(to, m, v);
  plan(to, v);
  choices(to, v);
  kernels(to, m, v);
  memory(to, m, v);
  exchanges(to, m, v);
  determinism(to, v);
  codelets(to, m, v);
  tunables(to, m, v);
  text(to, r, v);
}

/* ---- drawing ---- */

static bool feed(int fd, const char *s) {
  for (size_t left = strlen(s); left > 0;) {
    ssize_t n = write(fd, s, left);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    s += n;
    left -= (size_t)n;
  }
  return true;
}

/* Runs Graphviz's dot with `graph` as its input. 0, or the errno of why it did not start, or -1 when it failed. */
static int run_dot(const char *graph, const char *to) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  char *argv[] = {"dot", "-Tsvg", "-o", (char *)to, NULL};
  pid_t child;
  int error = posix_spawnp(&child, "dot", &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  bool fed = error == 0 && feed(ends[1], graph);
  close(ends[1]);
  if (error != 0) return error;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return fed && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

/* The picture appears under its name when it is whole. */
static bool draw(Arena *a, const json_t *v, const char *svg, Diagnostics *d) {
  const char *part = arena_printf(a, "%s.tgc-%ld", svg, (long)getpid());
  int fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) {
    diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, NULL, "cannot write `%s': %s", svg, strerror(errno));
    return false;
  }
  close(fd);
  int error = run_dot(string_of(v, KEY_DOT), part);
  if (error == 0 && rename(part, svg) == 0) return true;
  if (error == ENOENT)
    diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, "install graphviz, or take the graph itself with --dot",
                    "a picture needs Graphviz's `dot', and there is none in the PATH");
  else if (error > 0)
    diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, NULL, "cannot run Graphviz's `dot': %s", strerror(error));
  else if (error < 0) diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, NULL, "Graphviz's `dot' did not draw `%s'", svg);
  else diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, NULL, "cannot write `%s': %s", svg, strerror(errno));
  unlink(part);
  return false;
}

/* ---- the verb ---- */

static bool explain_in(Arena *a, const Request *r, Diagnostics *d) {
  json_t *manifest = manifest_read(a, r->dir, d);
  const json_t *v = manifest ? find(a, manifest, r, d) : NULL;
  bool ok = v && (!r->svg || draw(a, v, r->svg, d));
  if (ok && (r->dot || r->nest || !r->svg)) {
    Buffer b = buffer_new(a);
    if (r->dot) buffer_puts(&b, string_of(v, KEY_DOT));
    else if (r->nest) nest(&b, v);
    else if (r->json) manifest_print(&b, v);
    else explanation(&b, r, manifest, v);
    ok = verbs_print_foreign(&b) == STATUS_DONE;
  }
  json_decref(manifest);
  return ok;
}

static bool knows(const json_t *manifest, const char *wanted) {
  for (size_t i = 0; i < each_of(manifest, KEY_VARIANTS); i++) {
    const json_t *v = item_of(manifest, KEY_VARIANTS, i);
    if (has_prefix(v, wanted) || has_letter(v, wanted)) return true;
  }
  return false;
}

/* Of several machines, those that have the variant, in turn. */
static bool explain_each(Arena *a, const Request *r, const char **folders, int n, Diagnostics *d) {
  const char **known = arena_many(a, const char *, n);
  int count = 0;
  for (int i = 0; i < n; i++) {
    json_t *manifest = manifest_read(a, folders[i], d);
    if (!manifest) return false;
    if (knows(manifest, r->id)) known[count++] = folders[i];
    json_decref(manifest);
  }
  if (count == 0)
    diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, "the manifests list the ids",
                    "no machine of `%s' has a variant `%s'", r->dir, r->id);
  if (count > 1 && (r->svg || r->json))
    diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, arena_printf(a, "name one machine's folder, as `%s'", known[0]),
                    "several machines of `%s' have the variant `%s'", r->dir, r->id);
  bool ok = count == 1 || (count > 1 && !r->svg && !r->json);
  for (int i = 0; ok && i < count; i++) {
    Request one = *r;
    one.dir = known[i];
    Buffer b = buffer_new(a);
    buffer_printf(&b, "%s%s\n", i ? "\n" : "", known[i]);
    ok = (r->svg || r->dot || verbs_print_foreign(&b) == STATUS_DONE) && explain_in(a, &one, d);
  }
  return ok;
}

static bool explain(Arena *a, const Request *r, Diagnostics *d) {
  const char **folders;
  int n = manifest_folders(a, r->dir, &folders, d);
  return n > 1 ? explain_each(a, r, folders, n, d) : n == 1 && explain_in(a, r, d);
}

int verb_explain(Arena *a, const ExplainArguments *given) {
  const Request r = {.id = given->operands.at[0], .dir = verbs_folder(a, given->operands.at[1]), .svg = given->svg,
                     .dot = given->dot != NULL, .nest = given->nest != NULL, .json = given->json != NULL};
  if (r.dot + r.nest + r.json > 1)
    return verbs_misuse("explain", "`--dot', `--nest' and `--json' are different forms: give one of them");
  Diagnostics *d = diagnostics_new(a);
  const bool ok = explain(a, &r, d);
  verbs_say(d, given->color, false);
  return ok ? STATUS_DONE : STATUS_FAILED;
}
