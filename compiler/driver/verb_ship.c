/* verb_ship.c: tgc ship [DIR]: writes the release of a folder, and says what is in it. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "driver/ship.h"
#include "driver/verbs.h"
#include "support/manifest_file.h"

/* Is it the same folder? A release takes variants away. */
static bool is_same(const char *one, const char *other) {
  char x[PATH_MAX], y[PATH_MAX];
  return realpath(one, x) && realpath(other, y) && strcmp(x, y) == 0;
}

static void say_machine(Buffer *to, const ShippedMachine *m, const char *out, bool verbose) {
  buffer_printf(to, "%d of %d variants of %s for %s in %s\n", m->kept.n, m->kept.n + m->dropped.n, m->spectrum,
                m->machine, out);
  for (int i = 0; verbose && i < m->kept.n; i++)
    buffer_printf(to, "  %s %s: %s\n", m->kept.at[i].id, m->kept.at[i].configurations, m->kept.at[i].plan);
}

static json_t *machine_json(const ShippedMachine *m) {
  json_t *kept = json_array(), *dropped = json_array();
  for (int i = 0; i < m->kept.n; i++) {
    const ShippedVariant *v = &m->kept.at[i];
    json_array_append_new(kept, json_pack("{s:s, s:s, s:s}", "id", v->id, "plan", v->plan, "configurations",
                                          v->configurations + (*v->configurations == ' ')));
  }
  for (int i = 0; i < m->dropped.n; i++) json_array_append_new(dropped, json_string(m->dropped.at[i]));
  return json_pack("{s:s, s:s, s:o, s:o}", "spectrum", m->spectrum, "machine", m->machine, "variants", kept, "left_out",
                   dropped);
}

static void print(Buffer *to, const Shipped *s, const ShipArguments *given, const char *out) {
  if (!given->json) {
    for (int i = 0; i < s->machines.n && !given->quiet; i++)
      say_machine(to, &s->machines.at[i], out, given->verbose != NULL);
    return;
  }
  json_t *machines = json_array();
  for (int i = 0; i < s->machines.n; i++) json_array_append_new(machines, machine_json(&s->machines.at[i]));
  json_t *all = json_pack("{s:s, s:o}", "folder", out, "machines", machines);
  if (all) manifest_print(to, all);
  json_decref(all);
}

int verb_ship(Arena *a, const ShipArguments *given) {
  const char *dir = verbs_folder(a, given->operands.at[0]), *out = given->out ? verbs_folder(a, given->out) : "release";
  if (given->quiet && given->verbose) return verbs_misuse("ship", "`--quiet' and `--verbose' contradict each other");
  if (is_same(dir, out)) return verbs_misuse("ship", "a release is a folder of its own: give another one with `-o'");
  Diagnostics *d = diagnostics_new(a);
  Shipped s;
  const bool ok = ship_folder(a, dir, &s, d) && folder_write(a, out, s.files.at, s.files.n, d);
  Buffer text = buffer_new(a);
  if (ok) print(&text, &s, given, out);
  ship_end(&s);
  const int status = ok ? verbs_print_foreign(&text) : STATUS_FAILED;
  verbs_say(d, given->color, given->quiet != NULL);
  return status;
}
