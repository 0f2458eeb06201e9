/* from.c: NAME_from.cu: reductions with an initial value.
 *
 * The variants' kernels are unchanged, as their timings must hold: one more kernel of one lane combines the initial
 * value with the result. A user's operator that finishes its state has no such function: a finished value cannot be
 * combined. */
#include "emit/emit.h"
#include "emit/paste.h"
#include "emit/variant.h"
#include "ir/operator.h"

/* out[0] = op(init, out[0]) */
static Tree *combine_with_init(Arena *a, const Spectrum *s, Type type) {
  Symbol *init = symbol_new(a, SYMBOL_PARAM, "init", type), *out = symbol_new(a, SYMBOL_PARAM, "out", type);
  Tree *place = tree_binary(a, OP_INDEX, type, tree_ref(a, out), tree_int(a, TYPE_INT, 0));
  return tree_binary(a, OP_ASSIGN, TYPE_VOID, place,
                     tree_binary(a, operator_op(s->op), type, tree_ref(a, init), place));
}

static void init_kernel(Buffer *to, const Output *o, const Program *p) {
  const char *type = type_name(p->result);
  buffer_puts(to, "\n// One lane: the value first, what the kernels before stored second.\n");
  if (p->generic) buffer_printf(to, "template <%stypename T>\n", p->monoid ? "typename M, " : "");
  buffer_printf(to, "__global__ void start_from(%s init, %s *out) {\n", type, type);
  cuda_statements(to, combine_with_init(to->arena, o->spectrum, p->result), 1, p, o->line_folder);
  buffer_puts(to, "}\n");
}

static void entry(Buffer *to, const Output *o, const Program *p, const ElementType *e) {
  const char *name = o->name;
  const char *within = arena_printf(to->arena, "%s_from::", name);
  const TemplateTypes t = output_template_types(to->arena, o, p, e, within);
  const MonoidType *m = output_monoid(o, e);
  const char *own = m ? arena_printf(to->arena, "%s%s, %s", within, m->monoid, t.state) : t.state;
  buffer_printf(to, "\nextern \"C\" cudaError_t %s_%s_from(", name, e->name);
  emit_from_signature(to, o, e);
  buffer_printf(to, ") {\n"
                    "  cudaError_t error = %s_%s(workspace, workspace_bytes, in, n, out, stream);\n"
                    "  if (error != cudaSuccess || workspace == nullptr) return error;\n"
                    "  void *args[] = {&init, &out};\n"
                    "  error = cudaLaunchKernel(%sstart_from%s%s%s, dim3(1), dim3(1), args, 0, stream);\n"
                    "  if (error == cudaSuccess) return error;\n"
                    "  return %s_failed(error, \"%s_%s_from: launching: %%s\", cudaGetErrorString(error));\n}\n",
                name, e->name, within, p->generic ? "<" : "", p->generic ? own : "", p->generic ? ">" : "", name, name,
                e->name);
}

void emit_from(Buffer *to, const Output *o) {
  const Program *p = o->variants[0].program;
  buffer_printf(to, "// %s_from.cu: %s, starting from a value. Made by tgc from %s for %s; this text is yours.\n"
                    "#include \"%s.h\"\n\n#include <cuda_runtime.h>\n#include <limits>\n\n",
                o->name, o->spectrum->name, output_source_name(o), o->machine->name, o->name);
  emit_error_declarations(to, o);
  buffer_printf(to, "\nnamespace %s_from {\n", o->name);
  if (output_has_complex(o)) paste(to, device_complex, NULL);
  if (p->generic && output_has_tf32(o)) paste(to, device_tf32, NULL);
  if (p->generic && output_has_half16(o)) paste(to, device_half16, NULL);
  if (p->monoid) emit_limits(to, o);
  emit_monoid(to, o);
  init_kernel(to, o, p);
  buffer_printf(to, "\n} // namespace %s_from\n", o->name);
  for (int i = 0; i < o->ntypes; i++) entry(to, o, p, o->types[i]);
  if (o->line_folder) emit_lines_back(to);
}
