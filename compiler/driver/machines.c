/* machines.c: the compilations of one command line, a machine each, and the folder that they make together. */
#include "driver/machines.h"

#include <stdlib.h>
#include <string.h>

static const char **split(Arena *a, const char *list, int *n) {
  const char **names = arena_many(a, const char *, strlen(list) + 1);
  *n = 0;
  for (const char *s = list;; s++) {
    size_t length = strcspn(s, ",");
    names[(*n)++] = arena_strndup(a, s, length);
    s += length;
    if (!*s) return names;
  }
}

static int by_compute(const void *x, const void *y) {
  return ((const Compilation *)x)->output.machine->compute - ((const Compilation *)y)->output.machine->compute;
}

/* The device says its compute capability, and nothing else that machines differ in. */
static bool can_tell_apart(const Machines *m, Diagnostics *d) {
  for (int i = 1; i < m->n; i++) {
    const Arch *one = m->each[i - 1].output.machine, *other = m->each[i].output.machine;
    if (one->compute != other->compute) continue;
    diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, "leave one of them out, or write a folder each",
                    "`%s' and `%s' are both of compute capability %d.%d: a library could not pick one", one->name,
                    other->name, one->compute / 10, one->compute % 10);
    return false;
  }
  return true;
}

bool machines_compile(Arena *a, const Options *o, Machines *m, Diagnostics *d) {
  int n;
  const char **names = split(a, o->arch, &n);
  m->n = 0;
  m->each = arena_many(a, Compilation, n);
  for (int i = 0; i < n; i++) {
    Options *own = arena_one(a, Options);
    *own = *o;
    own->arch = names[i];
    Compilation *c = &m->each[m->n++];
    /* What is remarked of one machine's variants is written into its folder alone. */
    *c = (Compilation){.arena = a, .options = own, .diagnostics = diagnostics_new(a), .several = n > 1};
    const bool compiled = compile_variants(c);
    diagnostics_join(d, c->diagnostics);
    if (!compiled) return false;
  }
  qsort(m->each, (size_t)n, sizeof *m->each, by_compute);
  if (!can_tell_apart(m, d)) return false;
  const Output **outputs = arena_many(a, const Output *, n);
  for (int i = 0; i < n; i++) outputs[i] = &m->each[i].output;
  m->outputs = (MachineOutputs){m->each[0].library, outputs, n};
  return true;
}

void machines_end(Machines *m) {
  for (int i = 0; i < m->n; i++) compile_end(&m->each[i]);
}

/* ---- the folder ---- */

typedef void (*Printer)(Buffer *to, const MachineOutputs *m);

static void print_file(Arena *a, OutputFiles *f, const char *path, Printer print, const MachineOutputs *m) {
  Buffer text = buffer_new(a);
  print(&text, m);
  OutputFile file = {.path = path, text.text, text.length};
  vec_push(a, &f->list, file);
}

bool machines_write(Arena *a, Machines *m, const char *dir, Diagnostics *d) {
  OutputFiles f = {0};
  bool printed = true;
  if (m->n == 1) printed = compile_files(&m->each[0], "", &f);
  else {
    print_file(a, &f, arena_printf(a, "%s.h", m->outputs.name), emit_machines_header, &m->outputs);
    print_file(a, &f, arena_printf(a, "%s.cu", m->outputs.name), emit_machines_dispatch, &m->outputs);
    print_file(a, &f, "CMakeLists.txt", emit_machines_cmake, &m->outputs);
    for (int i = 0; i < m->n && printed; i++)
      printed = compile_files(&m->each[i], arena_printf(a, "%s/", m->each[i].output.machine->name), &f);
    print_file(a, &f, "manifest.json", emit_machines_manifest, &m->outputs);
  }
  for (int i = 0; i < m->n; i++) diagnostics_join(d, m->each[i].diagnostics);
  if (!printed) return false;
  double start = compile_clock();
  bool ok = folder_write(a, dir, f.list.at, f.list.n, d);
  m->each[m->n - 1].times.write += compile_clock() - start; /* all of it, in the last one's account */
  return ok;
}
