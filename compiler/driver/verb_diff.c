/* verb_diff.c: tgc diff A [B]: the machines of two folders in pairs, and what each pair differs in, as diff(1) says. */
#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver/diff.h"
#include "driver/verbs.h"
#include "support/manifest.h"
#include "support/manifest_file.h"
#include "support/terminal.h"

enum { SAME = 0, DIFFERENT = 1, TROUBLE = 2 };

/* ---- text ---- */

typedef struct Colors { const char *one, *other, *none; } Colors;

static void put_section(Buffer *to, const Colors *c, const char *title, const Differences *all) {
  if (all->n) buffer_printf(to, "%s\n", title);
  for (int i = 0; i < all->n; i++) {
    const Difference *x = &all->at[i];
    buffer_printf(to, "  %s\n", x->where);
    if (x->one && *x->one) buffer_printf(to, "    %s- %s%s\n", c->one, x->one, c->none);
    if (x->other && *x->other) buffer_printf(to, "    %s+ %s%s\n", c->other, x->other, c->none);
  }
}

static void put_text(Buffer *to, const FolderDiff *f, const Colors *c) {
  if (!diff_any(f)) {
    buffer_printf(to, "%s and %s are the same\n", f->one, f->other);
    return;
  }
  buffer_printf(to, "%s--- %s%s\n%s+++ %s%s\n", c->one, f->one, c->none, c->other, f->other, c->none);
  put_section(to, c, "manifest", &f->facts);
  put_section(to, c, "variants in one folder only", &f->variants);
  put_section(to, c, "texts that differ", &f->texts);
  put_section(to, c, "dispatch", &f->dispatch);
  put_section(to, c, "best time", &f->measured);
  if (f->sizes_measured >= 0)
    buffer_printf(to, "%d of %d measured sizes differ by more than 3%%\n", f->measured.n, f->sizes_measured);
}

/* The lines in which a file differs, by diff(1). Their order with other output is kept. */
static void print_lines(Arena *a, const FolderDiff *f, const char *file, bool color) {
  char *argv[] = {"diff",
                  "-u",
                  "-N",
                  (char *)(color ? "--color=always" : "--color=never"),
                  "--",
                  arena_printf(a, "%s/%s", f->one, file),
                  arena_printf(a, "%s/%s", f->other, file),
                  NULL};
  pid_t child;
  int status;
  fflush(stdout);
  const int error = posix_spawnp(&child, argv[0], NULL, NULL, argv, environ);
  if (error) fprintf(stderr, "tgc: warning: cannot run `diff': %s\n", strerror(error));
  while (!error && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
}

/* ---- JSON ---- */

static json_t *side(const char *s) { return s && *s ? json_string(s) : json_null(); }

static json_t *differences_json(const Differences *all) {
  json_t *list = json_array();
  for (int i = 0; i < all->n; i++)
    json_array_append_new(list, json_pack("{s:s, s:o, s:o}", "where", all->at[i].where, "one", side(all->at[i].one),
                                          "other", side(all->at[i].other)));
  return list;
}

static json_t *folder_json(const FolderDiff *f) {
  return json_pack("{s:s, s:s, s:b, s:o, s:o, s:o, s:o, s:o}", "one", f->one, "other", f->other, "same", !diff_any(f),
                   "manifest", differences_json(&f->facts), "variants", differences_json(&f->variants), "texts",
                   differences_json(&f->texts), "dispatch", differences_json(&f->dispatch), "measured",
                   differences_json(&f->measured));
}

/* ---- the verb ---- */

typedef struct Pair { json_t *one, *other; } Pair;

/* Reads both manifests and compares what they say. */
static bool compare(Arena *a, FolderDiff *f, Diagnostics *d) {
  Pair p = {manifest_read(a, f->one, d), NULL};
  if (p.one) p.other = manifest_read(a, f->other, d);
  const bool ok = p.one && p.other && diff_folders(a, p.one, p.other, f, d);
  json_decref(p.one);
  json_decref(p.other);
  return ok;
}

static const char *last_part(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* The folders of machines in pairs, by name; a folder of one machine is compared with another as it is. */
static bool pair_up(Arena *a, const char *one, const char *other, FolderDiff **pairs, int *n, Diagnostics *d) {
  const char **ones, **others;
  const int n_ones = manifest_folders(a, one, &ones, d), n_others = n_ones ? manifest_folders(a, other, &others, d) : 0;
  if (!n_ones || !n_others) return false;
  const bool several = strcmp(ones[0], one) != 0 || strcmp(others[0], other) != 0;
  bool ok = !several || n_ones == n_others;
  *pairs = arena_many(a, FolderDiff, n_ones);
  for (*n = 0; *n < n_ones && ok; ++*n) {
    const char *same = several ? NULL : others[0];
    for (int k = 0; k < n_others && !same; k++)
      if (strcmp(last_part(ones[*n]), last_part(others[k])) == 0) same = others[k];
    ok = same != NULL;
    (*pairs)[*n] = (FolderDiff){.one = ones[*n], .other = same};
  }
  if (!ok)
    diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, "name one machine's folder of each",
                    "`%s' and `%s' are for different machines", one, other);
  return ok;
}

static bool print(Arena *a, const DiffArguments *given, const FolderDiff *pairs, int n) {
  Buffer text = buffer_new(a);
  const bool color = terminal_color(given->color, STDOUT_FILENO);
  const Colors c = color ? (Colors){"\033[31m", "\033[32m", "\033[0m"} : (Colors){"", "", ""};
  if (given->json) {
    json_t *all = json_array();
    for (int i = 0; i < n; i++) json_array_append_new(all, folder_json(&pairs[i]));
    manifest_print(&text, n == 1 ? json_array_get(all, 0) : all);
    json_decref(all);
  }
  for (int i = 0; i < n && !given->json; i++) put_text(&text, &pairs[i], &c);
  for (size_t i = 0; i < text.length; i++) /* manifests may come from anywhere; the colors are ours */
    if ((unsigned char)text.text[i] < ' ' && !strchr("\n\t", text.text[i]) && !(color && text.text[i] == '\033'))
      text.text[i] = '?';
  if (verbs_print(&text) != STATUS_DONE) return false;
  for (int i = 0; i < n && given->verbose; i++)
    for (int k = 0; k < pairs[i].texts.n; k++) print_lines(a, &pairs[i], pairs[i].texts.at[k].where, color);
  return true;
}

int verb_diff(Arena *a, const DiffArguments *given) {
  const char *one = verbs_folder(a, given->operands.at[0]), *other = verbs_folder(a, given->operands.at[1]);
  if (given->quiet && given->verbose) return verbs_misuse("diff", "`--quiet' and `--verbose' contradict each other");
  if (given->json && given->verbose) return verbs_misuse("diff", "`--json' and `--verbose' contradict each other");
  Diagnostics *d = diagnostics_new(a);
  FolderDiff *pairs;
  int n = 0, status = SAME;
  bool ok = pair_up(a, one, other, &pairs, &n, d);
  for (int i = 0; i < n && ok; i++) {
    ok = compare(a, &pairs[i], d);
    if (ok && diff_any(&pairs[i])) status = DIFFERENT;
  }
  if (ok && !given->quiet) ok = print(a, given, pairs, n);
  verbs_say(d, given->color, given->quiet != NULL);
  return ok ? status : TROUBLE;
}
