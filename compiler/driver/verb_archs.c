/* verb_archs.c: tgc archs: the machines that are shipped, and this host. */
#include <string.h>

#include <jansson.h>

#include "arch/arch.h"
#include "arch/listing.h"
#include "driver/verbs.h"
#include "support/manifest_file.h"
#include "support/paths.h"
#include "support/terminal.h"

/* An object a machine: its name, title, family, compute capability of a GPU, and levels, top first. */
static json_t *machine(const Arch *m) {
  json_t *levels = json_array(), *all = json_object();
  for (int i = 0; i < m->nlevels; i++) json_array_append_new(levels, json_string(m->levels[i].name));
  json_object_set_new(all, "name", json_string(m->name));
  json_object_set_new(all, "title", m->title ? json_string(m->title) : json_null());
  json_object_set_new(all, "family", json_string(m->is_cpu ? "cpu" : "cuda"));
  json_object_set_new(all, "compute", m->is_cpu ? json_null() : json_integer(m->compute));
  json_object_set_new(all, "levels", levels);
  return all;
}

static void print_json(Buffer *to, const Arch **machines, int n) {
  json_t *all = json_array();
  for (int i = 0; i < n; i++) json_array_append_new(all, machine(machines[i]));
  manifest_print(to, all);
  json_decref(all);
}

int verb_archs(Arena *a, const ArchsArguments *given) {
  const char *dir = path_of_data(a, "archspec");
  Diagnostics *d = diagnostics_new(a);
  int n = 0;
  const char **names = dir ? arch_names(a, dir, &n) : NULL;
  const Arch **machines = arena_many(a, const Arch *, n + 1);
  int loaded = 0;
  for (int i = 0; dir && i <= n; i++) { /* the last is the host */
    const Arch *m = arch_load(a, i < n ? names[i] : "cpu", dir, d);
    if (m) machines[loaded++] = m;
  }
  if (!dir)
    diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, "TGC_DATA_DIR names the folder that it is in",
                    "cannot find the folder `archspec' with the machines");
  Buffer text = buffer_new(a);
  if (given->json) print_json(&text, machines, loaded);
  else arch_print_table(&text, machines, loaded, terminal_columns());
  const int status = verbs_print(&text);
  verbs_say(d, given->color, false);
  return d->errors == 0 ? status : STATUS_FAILED;
}
