/* compile.c: the whole pipeline, in the order of its steps: compile_front, compile_variants, compile_files.
 *
 * Beside it: types.c, the element types; variants.c, plans as variants; table.c, which of these serves which size. */
#include "driver/compile_parts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "front/front.h"
#include "front/include.h"
#include "ir/function.h"
#include "ir/operator.h"
#include "passes/codelet_passes.h"
#include "support/manifest.h"
#include "support/nearest.h"
#include "support/paths.h"

double compile_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool compile_refuse(Compilation *c, SourceRange where, const char *hint, const char *message) {
  diagnostics_add(c->diagnostics, DIAG_ERROR, where, hint, "%s", message);
  return false;
}

/* Kernels are written for a grid of blocks of threads; clusters, warps and register slots may stand between and
 * below. A CPU's process, its threads and the lanes of their vectors have these parts. */
static bool is_written(Realisation r) {
  return r == REAL_GRID || r == REAL_CLUSTER || r == REAL_BLOCK || r == REAL_WARP || r == REAL_SUBWARP ||
         r == REAL_THREAD || r == REAL_SLOTS;
}

static const Level *level_that_is(const Arch *m, Realisation r) {
  for (int i = 0; i < m->nlevels; i++)
    if (m->levels[i].real == r) return &m->levels[i];
  return NULL;
}

/* Whether text can be written for the machine; else the reason, and the levels that would do. */
static bool check_levels(Compilation *c) {
  static const struct { Realisation real; const char *name[2]; /* of a GPU, of a CPU */ } needed[] = {
      {REAL_GRID, {"grid", "process"}}, {REAL_BLOCK, {"block", "thread, with vectors"}},
      {REAL_THREAD, {"thread", "lane"}}};
  static const char *const all[] = {"kernels need the levels grid, block and thread",
                                    "functions for a CPU need the levels process, thread and lane"};
  const Arch *m = c->output.machine;
  Buffer would_do = buffer_new(c->arena);
  for (int i = 0; i < c->machine->nlevels; i++)
    if (is_written(c->machine->levels[i].real))
      buffer_printf(&would_do, "%s%s", would_do.length ? "," : "", c->machine->levels[i].name);
  bool can = true;
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) can &= level_that_is(c->machine, needed[i].real) != NULL;
  const char *hint = can ? arena_printf(c->arena, "`--levels %s' would do", would_do.text)
                         : "`tgc rules' prints the rules of any machine";
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
    if (!level_that_is(m, needed[i].real))
      return compile_refuse(c, (SourceRange){0}, hint,
                            arena_printf(c->arena, "%s, and there is no `%s'", all[m->is_cpu],
                                         needed[i].name[m->is_cpu]));
  for (int i = 0; i < m->nlevels; i++)
    if (!is_written(m->levels[i].real))
      return compile_refuse(c, (SourceRange){0}, hint,
                            arena_printf(c->arena, "no code can be generated yet for the level `%s' of %s",
                                         m->levels[i].name, m->name));
  return true;
}

/* A library picks among several machines by what the device at hand is: they are GPUs. */
static bool check_several(Compilation *c) {
  if (!c->several || !c->machine->is_cpu) return true;
  return compile_refuse(c, (SourceRange){0}, "leave it out, or write a folder each",
                        arena_printf(c->arena, "`%s' is a CPU: only GPUs can share a folder", c->machine->name));
}

static bool load_machine(Compilation *c) {
  const char *dir = path_of_data(c->arena, "archspec");
  c->machine = arch_load(c->arena, c->options->arch, dir ? dir : "archspec", c->diagnostics);
  if (!c->machine || !check_several(c)) return false;
  const char *levels = c->options->levels;
  if (!levels && c->options->space) levels = space_levels(c->options->space);
  c->output.machine = levels ? arch_with_levels(c->arena, c->machine, levels, c->diagnostics) : c->machine;
  return c->output.machine != NULL;
}

typedef struct Application { const Spectrum *of; bool found; } Application;

static bool mentions_spectrum(void *context, const Tree *t) {
  Application *m = context;
  static const Op ops[] = {OP_CALL, OP_MAP, OP_TRANSFORM, OP_GENERATE, OP_SLIDE, OP_SPECTRUM};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    m->found |= t->op == ops[i] && (t->spectrum == m->of || (t->spectrum && t->spectrum->instance_of == m->of));
  if (t->op == OP_DECLARE && t->symbol->init) tree_visit(t->symbol->init, mentions_spectrum, m);
  return !m->found;
}

const Spectrum *compile_applied_by(const Unit *u, const Spectrum *s) {
  for (int i = 0; i < u->nspectra; i++)
    for (int k = 0; k < u->spectra[i]->ncodelets && u->spectra[i] != s; k++) {
      Application m = {s, false};
      tree_visit(u->spectra[i]->codelets[k]->body, mentions_spectrum, &m);
      if (m.found) return u->spectra[i];
    }
  return NULL;
}

/* The first was taken without a wish: is another one as likely to be meant? One that applies the first, or that nobody
 * applies, as the first. */
static void note_other_spectra(Compilation *c) {
  const Unit *u = c->unit;
  const Spectrum *first = c->output.spectrum, *other = compile_applied_by(u, first);
  for (int i = 0; i < u->nspectra && !other; i++)
    if (u->spectra[i] != first && !function_is(u->spectra[i]) && !compile_applied_by(u, u->spectra[i]))
      other = u->spectra[i];
  if (!other) return;
  diagnostics_add(c->diagnostics, DIAG_NOTE, first->where, arena_printf(c->arena, "`--spectrum %s' compiles that one",
                                                                        other->name),
                  compile_applied_by(u, first) == other ? "`%s' is compiled since it comes first, and `%s' applies it"
                                                : "`%s' is compiled since it comes first; `%s' is another one",
                  first->name, other->name);
}

/* The spectrum asked for; without a wish the first, which others may serve. */
static bool pick_spectrum(Compilation *c) {
  const Unit *u = c->unit;
  if (!c->options->spectrum) {
    c->output.spectrum = u->spectra[0];
    if (!c->mentions) note_other_spectra(c);
    return true;
  }
  c->output.spectrum = unit_spectrum(u, c->options->spectrum);
  if (c->output.spectrum) return true;
  const char **names = arena_many(c->arena, const char *, u->nspectra);
  Buffer all = buffer_new(c->arena);
  for (int i = 0; i < u->nspectra; i++) {
    names[i] = u->spectra[i]->name;
    buffer_printf(&all, "%s%s", i ? ", " : "", names[i]);
  }
  const char *near = nearest_name(c->options->spectrum, names, u->nspectra);
  return compile_refuse(c, source_whole(c->output.file),
                        near ? arena_printf(c->arena, "did you mean `%s'?", near)
                             : arena_printf(c->arena, "it has %s", all.text),
                        arena_printf(c->arena, "the file has no spectrum `%s'", c->options->spectrum));
}

/* What is composed: a spectrum of containers, and compound codelets that can be taken apart. */
/* Machines that a codelet is for (__env) are shipped ones, the one at hand, or what machines may have. */
static bool knows_machines(Compilation *c, const Codelet *x) {
  const char *dir = path_of_data(c->arena, "archspec"), **known;
  int n;
  for (int i = 0; i < x->nenv; i++) {
    if (c->output.machine && arch_is_called(c->output.machine, x->env[i])) continue;
    if (arch_knows(c->arena, dir, x->env[i], &known, &n)) continue;
    const char *near = nearest_name(x->env[i], known, n);
    diagnostics_add(c->diagnostics, DIAG_ERROR, x->where,
                    near ? arena_printf(c->arena, "did you mean `%s'?", near)
                         : "`tgc archs' lists machines; avx2, fma, avx512f, neon and others are what a CPU may have",
                    "`__env(%s)': no machine has this", x->env[i]);
    return false;
  }
  return true;
}

static bool supported(Compilation *c) {
  bool ok = true;
  for (int i = 0; i < c->unit->nspectra; i++)
    for (int n = 0; n < c->unit->spectra[i]->ncodelets; n++) {
      const Codelet *x = c->unit->spectra[i]->codelets[n];
      if (x->kind == CLASS_COMPOUND && !front_compound(x, c->diagnostics)) ok = false;
      ok &= knows_machines(c, x);
    }
  const Spectrum *s = c->output.spectrum;
  if (!s->ncodelets || c->mentions) return ok;
  const Codelet *k = s->codelets[0];
  for (int i = 0; i < k->nparams; i++)
    if (k->params[i]->rank) return ok;
  return compile_refuse(c, k->where,
                        "`T f(const Array<1, T> in)', `void f(const Array<1, T> in, __mutable Array<1, T> out)'",
                        "there is nothing to distribute: no parameter is a container");
}

/* What generated names begin with: `--name', or the spectrum; codelets over an operator are named for it, reduce_max;
 * where there are several machines, C names of one are not those of another. */
static void name_output(Compilation *c) {
  Output *o = &c->output;
  const Spectrum *s = o->spectrum;
  o->usual = arena_printf(c->arena, "%s%s", s->name,
                          s->operators ? operator_suffix(c->arena, c->options->operation) : "");
  c->library = o->library = o->name = c->options->name ? c->options->name : o->usual;
  if (s->monoid) o->types = monoid_elements(c->arena, s->monoid, o->name, o->types, &o->ntypes);
  if (!c->several) return;
  Buffer name = buffer_new(c->arena);
  buffer_printf(&name, "%s_%s", c->library, o->machine->name);
  for (char *at = name.text; *at; at++)
    if (!isalnum((unsigned char)*at)) *at = '_';
  o->name = name.text;
}

/* The files and what they include. NULL after errors. */
static SourceFile *read_files(Compilation *c) {
  const Options *o = c->options;
  const char **paths = arena_many(c->arena, const char *, 1 + o->nmore);
  for (int i = 0; i <= o->nmore; i++) paths[i] = i ? o->more[i - 1] : o->file;
  return include_read(c->arena, paths, 1 + o->nmore, c->reader, c->diagnostics);
}

bool compile_front(Compilation *c) {
  double start = compile_clock();
  if (c->options->arch && !load_machine(c)) return false;
  if (!compile_pick_types(c)) return false;
  SourceFile *file = read_files(c);
  if (!file) return false;
  c->output.file = file;
  const FrontRequest r = {compile_seen_types(c), c->output.ntypes, c->options->operation, c->options->spectrum,
                          c->mentions, c->mentions && !c->options->types};
  c->unit = front_read(c->arena, file, &r, c->diagnostics);
  c->output.unit = c->unit;
  if (!c->unit || !pick_spectrum(c) || !compile_by_columns(c)) return false;
  bool suit = compile_suit_types(c);
  compile_note_types(c, c->output.types, c->output.ntypes);
  if (!supported(c) || !suit) return false;
  name_output(c);
  const Arch *m = c->output.machine;
  bool ok =
      codelet_passes_run(c->arena, c->unit, m ? m->vector_width : 32, m ? m->threads_block : 1024, c->diagnostics);
  c->times.parse += compile_clock() - start;
  return ok;
}

enum { MOST_PLANS = 8192 }; /* of `--keep all', without `--limit' */

bool compile_search(Compilation *c) {
  double start = compile_clock();
  const Options *o = c->options;
  SearchOptions s = {.space = o->space, .trace = o->trace != NULL};
  if (o->iterations) s.iterations = atoi(o->iterations);
  if (o->determinism) determinism_by_name(o->determinism, &s.determinism);
  if (o->keep) s.keep = strcmp(o->keep, "all") == 0 ? -1 : atoi(o->keep);
  s.limit = o->limit ? atoi(o->limit) : MOST_PLANS;
  type_sets_find(c);
  for (int i = c->sets.n - 1; i >= 0; i--) { /* the first one last: what it notes is what is printed */
    SearchReport unsaid = {0};
    type_sets_note(c, &c->sets.at[i]);
    c->sets.at[i].plans = plan_search(c->arena, c->output.spectrum, c->output.machine, &s, i ? &unsaid : &c->report,
                                      i ? diagnostics_new(c->arena) : c->diagnostics);
  }
  c->plans = c->sets.at[0].plans;
  c->times.compose += compile_clock() - start;
  return c->plans.list.n > 0;
}

void compile_end(Compilation *c) {
  spool_end(c->spool);
  c->spool = NULL;
}

bool compile_variants(Compilation *c) {
  return compile_front(c) && check_levels(c) && compile_search(c) && compile_plans(c);
}

/* ---- writing ---- */

/* The folder that a compilation's files go to, as their paths begin with it. */
typedef struct Files {
  OutputFiles *all;
  const char *under;
} Files;

static void add_file(Compilation *c, const Files *f, const char *path, Buffer text) {
  OutputFile file = {.path = arena_printf(c->arena, "%s%s", f->under, path), text.text, text.length};
  vec_push(c->arena, &f->all->list, file);
}

/* .. whose text is on disk. */
static void add_spooled(Compilation *c, const Files *f, const char *path, Spooled text) {
  OutputFile file = {.path = arena_printf(c->arena, "%s%s", f->under, path), .length = text.length, .spooled = text};
  vec_push(c->arena, &f->all->list, file);
}

typedef void (*Printer)(Buffer *to, const Output *o);

static void print_file(Compilation *c, const Files *f, const char *path, Printer print) {
  Buffer text = buffer_new(c->arena);
  print(&text, &c->output);
  if (print == emit_header) compile_in_columns(c, &text);
  add_file(c, f, path, text);
}

/* The manifest of many variants, put together on disk. */
static bool spool_manifest(Compilation *c, Spooled *all) {
  Arena *scratch = arena_new();
  const Output *o = &c->output;
  *all = (Spooled){0};
  bool ok = true;
  for (int i = -1; ok && i <= o->nvariants; i++) {
    Buffer piece = buffer_new(scratch);
    if (i < 0) emit_manifest_begin(&piece, o);
    else if (i < o->nvariants) ok = emit_manifest_variant(&piece, o, i);
    else emit_manifest_end(&piece, o);
    ok = ok && spool_append(c->spool, piece.text, piece.length, all);
    arena_reset(scratch);
  }
  arena_free(scratch);
  return ok || compile_no_spool(c);
}

static bool add_manifest(Compilation *c, const Files *f) {
  Buffer text = buffer_new(c->arena);
  Spooled manifest;
  if (!c->spool && emit_manifest(&text, &c->output)) add_file(c, f, "manifest.json", text);
  else if (c->spool && spool_manifest(c, &manifest)) add_spooled(c, f, "manifest.json", manifest);
  else return false;
  return true;
}

static void add_variant(Compilation *c, const Files *f, const Variant *v) {
  const char *path = arena_printf(c->arena, "variants/%s.%s", v->plan->id, output_extension(&c->output));
  if (v->written.spool) add_spooled(c, f, path, v->written);
  else add_file(c, f, path, v->text);
}

bool compile_files(Compilation *c, const char *under, OutputFiles *all) {
  double start = compile_clock();
  Output *o = &c->output;
  Files f = {all, under};
  const char *name = o->name, *extension = output_extension(o);
  print_file(c, &f, arena_printf(c->arena, "%s.h", name), emit_header);
  print_file(c, &f, arena_printf(c->arena, "%s.%s", name, extension), emit_dispatch);
  if (output_starts_from(o)) print_file(c, &f, arena_printf(c->arena, "%s_from.cu", name), emit_from);
  if (output_counts(o)) print_file(c, &f, arena_printf(c->arena, "%s_counted.cu", name), emit_counted);
  print_file(c, &f, arena_printf(c->arena, "%s.table", name), emit_table);
  print_file(c, &f, "CMakeLists.txt", emit_cmake);
  print_file(c, &f, "check/reference.cc", emit_reference);
  print_file(c, &f, "check/codelets.h", emit_prepared);
  print_file(c, &f, "check/codelets.cc", emit_codelets);
  Buffer read = buffer_new(c->arena);
  emit_read(&read, o, c->diagnostics);
  add_file(c, &f, CODELETS_FILE, read);
  for (const struct EmbeddedFile *w = emit_witness_files; w->path; w++) {
    Buffer text = buffer_new(c->arena);
    buffer_puts(&text, w->text);
    add_file(c, &f, w->path, text);
  }
  if (o->spectrum->monoid || o->spectrum->states) print_file(c, &f, "check/types.h", emit_monoid_layouts);
  if (o->spectrum->monoid) print_file(c, &f, "check/operator.h", emit_monoid_operator);
  for (int i = 0; i < o->nvariants; i++) add_variant(c, &f, &o->variants[i]);
  if (o->machine->detected) { /* what was found on the host, for those who read or compile it elsewhere */
    Buffer spec = buffer_new(c->arena);
    buffer_puts(&spec, o->machine->detected);
    add_file(c, &f, arena_printf(c->arena, "%s.yaml", o->machine->name), spec);
  }
  bool ok = add_manifest(c, &f);
  c->times.emit += compile_clock() - start;
  return ok;
}
