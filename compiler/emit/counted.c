/* counted.c: NAME_counted.cu: reductions of as many elements as a word in device memory says.
 *
 * It has the variants that the table names, in the configurations that it names them in, made over by
 * passes/counted.c; tables that are loaded at run time are not for them. */
#include <inttypes.h>
#include <string.h>

#include "emit/emit.h"
#include "passes/counted.h"

typedef struct Counted {
  const Output *o;
  const Program **programs; /* by variant; NULL: the table does not name it */
} Counted;

static Counted make(Arena *a, const Output *o) {
  Counted c = {o, arena_many(a, const Program *, o->nvariants)};
  for (int i = 0; i < o->table.rows.n; i++) {
    const Variant *v = output_variant(o, o->table.rows.at[i].variant);
    const Program **made = v ? &c.programs[v - o->variants] : NULL;
    if (made && !*made) *made = counted_program(a, v->program);
  }
  return c;
}

/* All of them as one program, for the functions that they share. */
static Program *together(Arena *a, const Counted *c) {
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
static void function(Buffer *to, const Program *p, const char *arguments, const TableRow *r) {
  buffer_printf(to, "v%s::run<", p->id);
  if (p->generic) buffer_printf(to, "%s, ", arguments);
  const char *before = "";
  for (int i = 0; i < p->nconstants; i++) {
    const ProgramConstant *c = &p->constants[i];
    if (c->at_launch) continue;
    buffer_printf(to, "%s%" PRId64, before, output_number(r, c));
    before = ", ";
  }
  buffer_puts(to, ">");
}

static void ranges(Buffer *to, const Counted *c, const ElementType *e) {
  const Output *o = c->o;
  const EntryTypes t = output_entry(to->arena, o, o->variants[0].program, e, "");
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
    buffer_printf(to, "  {%10s, %4" PRId64 ", ", up_to, blocks ? output_number(r, blocks) : 0);
    function(to, p, t.arguments, r);
    buffer_puts(to, "},\n");
  }
  buffer_puts(to, "};\n");
}

static const char entry[] = /* %1$s: the function's name; %2$s: the type; %3$s: the output's name; %4$s, %5$s: casts */
") {\n"
"  cudaError_t error = %3$s_arguments(\"%1$s\", workspace, workspace_bytes, most, in, alignof(decltype(*in)), out,\n"
"                                  alignof(decltype(*out)));\n"
"  if (error == cudaSuccess && workspace != nullptr && (n == nullptr || (uintptr_t)n %% sizeof *n != 0))\n"
"    error = %3$s_failed(cudaErrorInvalidValue, \"%1$s: n, which points to the number of elements, is %%s\",\n"
"                     n == nullptr ? \"NULL\" : \"not aligned to 8 bytes\");\n"
"  if (error != cudaSuccess) return error;\n"
"  const %3$s_counted::Range<%3$s_counted::%2$s_function> *r = %3$s_counted::%2$s_ranges;\n"
"  while (most > r->up_to) ++r;\n"
"  const unsigned long long *count = (const unsigned long long *)n;\n"
"  error = r->run(r->blocks, workspace, workspace_bytes, %4$sin, count, (long long)most, %5$sout, stream);\n"
"  if (error == cudaSuccess) return error;\n"
"  size_t need = 0;\n"
"  if (r->run(r->blocks, nullptr, &need, %4$sin, count, (long long)most, %5$sout, stream) != cudaSuccess) need = 0;\n"
"  return %3$s_refused(\"%1$s\", error, most, workspace, *workspace_bytes, need);\n}\n";

void emit_counted(Buffer *to, const Output *o) {
  if (!output_counts(o)) {
    buffer_printf(to, "// %s has no functions that read on the device how many elements there are.\n", o->name);
    return;
  }
  Counted c = make(to->arena, o);
  const Program *all = together(to->arena, &c);
  buffer_printf(to, "// %s_counted.cu: %s of as many elements as a word in device memory says. Made by tgc from %s for "
                    "%s;\n// this text is yours.\n//\n"
                    "// The variants that the table names, in its configurations. Their kernels read the number; "
                    "how many blocks they have\n// and how much workspace they need follows from the most that it "
                    "may be.\n",
                o->name, o->spectrum->name, output_source_name(o), o->machine->name);
  buffer_printf(to, "#include \"%s.h\"\n\n#include <cuda_runtime.h>\n#include <limits>\n\n", o->name);
  emit_error_declarations(to, o);
  buffer_printf(to, "\nnamespace %s_counted {\n", o->name);
  emit_support(to, o, all);
  for (int i = 0; i < o->nvariants; i++) {
    if (!c.programs[i]) continue;
    buffer_printf(to, "\n// ---- %s ----\n\nnamespace v%s {\n", o->variants[i].plan->text, o->variants[i].plan->id);
    emit_run(to, o, c.programs[i]);
    buffer_puts(to, "\n}\n");
  }
  buffer_puts(to, "\n// ---- up to so many elements, in a grid of so many blocks, that function ----\n\n"
                  "template <typename F> struct Range {\n  uint64_t up_to;\n  Index blocks;\n  F run;\n};\n");
  for (int i = 0; i < o->ntypes; i++) ranges(to, &c, o->types[i]);
  buffer_printf(to, "\n} // namespace %s_counted\n", o->name);
  for (int i = 0; i < o->ntypes; i++) {
    const char *name = arena_printf(to->arena, "%s_%s_counted", o->name, o->types[i]->name);
    buffer_printf(to, "\nextern \"C\" cudaError_t %s(", name);
    emit_counted_signature(to, o, o->types[i]);
    const char *within = arena_printf(to->arena, "%s_counted::", o->name);
    const EntryTypes t = output_entry(to->arena, o, o->variants[0].program, o->types[i], within);
    buffer_printf(to, entry, name, o->types[i]->name, o->name, t.cast_in, t.cast_out);
  }
}
