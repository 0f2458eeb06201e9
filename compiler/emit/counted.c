/* counted.c: NAME_counted.cu: reductions whose number of elements lies in device memory.
 *
 * It has the variants and configurations that the table names, transformed by passes/counted.c; tables that are
 * loaded at run time do not apply. */
#include <inttypes.h>
#include <string.h>

#include "emit/template.h"
#include "emit/variant.h"
#include "passes/counted.h"

typedef struct Counted {
  const Output *o;
  const Program **programs; /* by variant; NULL: not in the table */
} Counted;

static Counted counted_programs(Arena *a, const Output *o) {
  Counted c = {o, arena_many(a, const Program *, o->nvariants)};
  for (int i = 0; i < o->table.rows.n; i++) {
    const Variant *v = output_variant(o, o->table.rows.at[i].variant);
    const Program **made = v ? &c.programs[v - o->variants] : NULL;
    if (made && !*made) *made = counted_program(a, v->program);
  }
  return c;
}

/* Their union, from which the shared device functions follow. */
static Program *merged_program(Arena *a, const Counted *c) {
  Program *all = arena_one(a, Program);
  VEC(Kernel *) kernels = {0};
  VEC(Tree *) sizes = {0}, launches = {0};
  *all = *c->o->variants[0].program;
  all->helpers = 0;
  for (int i = 0; i < c->o->nvariants; i++) {
    const Program *p = c->programs[i];
    if (!p) continue;
    for (int k = 0; k < p->nkernels; k++) vec_push(a, &kernels, p->kernels[k]);
    vec_push(a, &sizes, p->sizes);
    vec_push(a, &launches, p->launches);
    all->helpers |= p->helpers;
  }
  all->kernels = kernels.at;
  all->nkernels = kernels.n;
  all->sizes = tree_seq(a, sizes.at, sizes.n);
  all->launches = tree_seq(a, launches.at, launches.n);
  return all;
}

/* v53feb26c::run<float, 32, 2> */
static void instance(Buffer *to, const Program *p, const char *arguments, const TableRow *r) {
  buffer_printf(to, "v%s::run<", p->id);
  if (p->generic) buffer_printf(to, "%s, ", arguments);
  const char *before = "";
  for (int i = 0; i < p->nconstants; i++) {
    const Tunable *c = &p->constants[i].tunable;
    if (c->at_launch) continue;
    buffer_printf(to, "%s%" PRId64, before, output_tunable(r, c));
    before = ", ";
  }
  buffer_puts(to, ">");
}

static void ranges(Buffer *to, const Counted *c, const ElementType *e) {
  const Output *o = c->o;
  const TemplateTypes t = output_template_types(to->arena, o, o->variants[0].program, e, "");
  buffer_printf(to, "\ntypedef cudaError_t (*%s_function)(Index blocks, void *workspace, size_t *workspace_bytes, "
                    "const %s *in,\n    const unsigned long long *count, Index n, %s *out, cudaStream_t stream);\n"
                    "const Range<%s_function> %s_ranges[] = {\n",
                e->name, t.element, t.result, e->name, e->name);
  for (int i = 0; i < o->table.rows.n; i++) {
    const TableRow *r = &o->table.rows.at[i];
    const Variant *v = output_variant(o, r->variant);
    if (!v || strcmp(r->type, e->name) != 0) continue;
    const Program *p = c->programs[v - o->variants];
    const ProgramConstant *blocks = program_constant(p, "blocks");
    const char *up_to = r->up_to == UINT64_MAX ? "UINT64_MAX" : arena_printf(to->arena, "%" PRIu64, r->up_to);
    buffer_printf(to, "  {%10s, %4" PRId64 ", ", up_to, blocks ? output_tunable(r, &blocks->tunable) : 0);
    instance(to, p, t.arguments, r);
    buffer_puts(to, "},\n");
  }
  buffer_puts(to, "};\n");
}

static void counted_call(Buffer *to, const Output *o, const ElementType *e) {
  Arena *a = to->arena;
  const TemplateTypes t = output_template_types(a, o, o->variants[0].program, e,
                                                arena_printf(a, "%s_counted::", o->name));
  Buffer signature = buffer_new(a);
  emit_counted_signature(&signature, o, e);
  paste_template(to, o, e, library_counted, "FUNCTION", arena_printf(a, "%s_%s_counted", o->name, e->name),
               "SIGNATURE", signature.text, "IN", arena_printf(a, "%sin", t.cast_in),
               "OUT", arena_printf(a, "%sout", t.cast_out), NULL);
}

void emit_counted(Buffer *to, const Output *o) {
  if (!output_counts(o)) {
    buffer_printf(to, "// %s has no functions that read on the device how many elements there are.\n", o->name);
    return;
  }
  Counted c = counted_programs(to->arena, o);
  const Program *all = merged_program(to->arena, &c);
  buffer_printf(to, "// %s_counted.cu: %s of as many elements as a word in device memory says. Made by tgc from %s for "
                    "%s;\n// this text is yours.\n//\n"
                    "// The variants that the table names, in its configurations. Their kernels read the number; "
                    "how many blocks they have\n// and how much workspace they need follows from the most that it "
                    "may be.\n",
                o->name, o->spectrum->name, output_source_name(o), o->machine->name);
  buffer_printf(to, "#include \"%s.h\"\n\n#include <cuda_runtime.h>\n#include <limits>\n\n", o->name);
  emit_error_declarations(to, o);
  buffer_printf(to, "\nnamespace %s_counted {\n", o->name);
  emit_device_functions(to, o, all);
  for (int i = 0; i < o->nvariants; i++) {
    if (!c.programs[i]) continue;
    buffer_printf(to, "\n// ---- %s ----\n\nnamespace v%s {\n", o->variants[i].plan->text, o->variants[i].plan->id);
    emit_kernels(to, o, c.programs[i]);
    buffer_puts(to, "\n}\n");
  }
  buffer_puts(to, "\n// ---- up to so many elements, in a grid of so many blocks, that function ----\n\n"
                  "template <typename F> struct Range {\n  uint64_t up_to;\n  Index blocks;\n  F run;\n};\n");
  for (int i = 0; i < o->ntypes; i++) ranges(to, &c, o->types[i]);
  buffer_printf(to, "\n} // namespace %s_counted\n", o->name);
  for (int i = 0; i < o->ntypes; i++) counted_call(to, o, o->types[i]);
  if (o->line_folder) emit_lines_back(to);
}
