/* spectra.c: the compilations of one command line, a spectrum each, and the folder that they make together. */
#include "driver/spectra.h"

#include <string.h>

bool spectra_are_several(const Options *o) { return o->spectrum && strchr(o->spectrum, ','); }

bool spectra_compile(Arena *a, const Options *o, Spectra *s, Diagnostics *d) {
  *s = (Spectra){.each = arena_many(a, Compilation, strlen(o->spectrum) + 1)};
  const Output **outputs = arena_many(a, const Output *, strlen(o->spectrum) + 1);
  for (const char *at = o->spectrum; at; ) {
    const size_t n = strcspn(at, ",");
    Options *own = arena_one(a, Options);
    *own = *o;
    own->spectrum = arena_strndup(a, at, n);
    own->name = NULL;
    Compilation *c = &s->each[s->n];
    outputs[s->n++] = &c->output;
    /* What is remarked of one spectrum's variants is written into its folder alone. */
    *c = (Compilation){.arena = a, .options = own, .diagnostics = diagnostics_new(a), .beside = true};
    const bool compiled = compile_variants(c);
    diagnostics_join(d, c->diagnostics);
    if (!compiled) return false;
    if (strcmp(c->library, o->name) == 0) {
      diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, "choose another `--name'",
                      "`%s' cannot be the name of a library of several: one of them has it", o->name);
      return false;
    }
    at = at[n] ? at + n + 1 : NULL;
  }
  s->outputs = (SpectraOutputs){o->name, outputs, s->n};
  return true;
}

void spectra_end(Spectra *s) {
  for (int i = 0; i < s->n; i++) compile_end(&s->each[i]);
}

typedef void (*Printer)(Buffer *to, const SpectraOutputs *s);

static void print_file(Arena *a, OutputFiles *f, const char *path, Printer print, const Spectra *s) {
  Buffer text = buffer_new(a);
  print(&text, &s->outputs);
  OutputFile file = {.path = path, text.text, text.length};
  vec_push(a, &f->list, file);
}

bool spectra_write(Arena *a, Spectra *s, const char *dir, Diagnostics *d) {
  OutputFiles f = {0};
  print_file(a, &f, arena_printf(a, "%s.h", s->outputs.name), emit_spectra_header, s);
  print_file(a, &f, "CMakeLists.txt", emit_spectra_cmake, s);
  for (int i = 0; i < s->n; i++)
    if (!compile_files(&s->each[i], arena_printf(a, "%s/", s->each[i].library), &f)) {
      diagnostics_join(d, s->each[i].diagnostics);
      return false;
    }
  print_file(a, &f, "manifest.json", emit_spectra_manifest, s);
  return folder_write(a, dir, f.list.at, f.list.n, d);
}
