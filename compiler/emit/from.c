/* from.c: NAME_from.cu: reductions that start from a value of the caller's.
 *
 * The variants' kernels stay as they were measured: one lane of one more kernel combines the value with what they
 * stored, by the sequential codelet on the two, as a plan combines its parts' results. */
#include "emit/emit.h"
#include "lower/lower.h"

const Codelet *output_sequential(const Output *o) {
  for (int i = 0; i < o->spectrum->ncodelets; i++)
    if (o->spectrum->codelets[i]->kind == CLASS_AUTONOMOUS) return o->spectrum->codelets[i];
  return NULL;
}

static void combination(Buffer *to, const Output *o, const Program *p) {
  buffer_puts(to, "\n// What the operator makes of n elements.\n");
  if (p->generic) buffer_puts(to, "template <typename E, typename T>\n");
  const char *element = p->generic ? "E" : type_name(p->result), *result = p->generic ? "T" : type_name(p->result);
  buffer_printf(to, "__device__ void sequential(const %s *in, Index n, %s *out) {\n", element, result);
  cuda_statements(to, p->kernels[0]->body, 1, p, o->line_directives);
  buffer_puts(to, "}\n\n// One lane: the value first, what the kernels before stored second.\n");
  if (p->generic) buffer_puts(to, "template <typename T>\n");
  buffer_printf(to, "__global__ void start_from(%s init, %s *out) {\n  const %s both[2] = {init, *out};\n"
                    "  sequential(both, (Index)2, out);\n}\n", result, result, result);
}

static void entry(Buffer *to, const Output *o, const Program *p, const ElementType *e) {
  const char *name = o->name, *result = output_result(o, e);
  buffer_printf(to, "\nextern \"C\" cudaError_t %s_%s_from(", name, e->name);
  emit_from_signature(to, o, e);
  buffer_printf(to, ") {\n"
                    "  cudaError_t error = %s_%s(workspace, workspace_bytes, in, n, out, stream);\n"
                    "  if (error != cudaSuccess || workspace == nullptr) return error;\n"
                    "  void *args[] = {&init, &out};\n"
                    "  error = cudaLaunchKernel(start_from%s%s%s, dim3(1), dim3(1), args, 0, stream);\n"
                    "  if (error == cudaSuccess) return error;\n"
                    "  return %s_failed(error, \"%s_%s_from: launching: %%s\", cudaGetErrorString(error));\n}\n",
                name, e->name, p->generic ? "<" : "", p->generic ? result : "", p->generic ? ">" : "", name, name,
                e->name);
}

void emit_from(Buffer *to, const Output *o) {
  Program *p = lower_sequential(to->arena, o->spectrum, output_sequential(o), diagnostics_new(to->arena));
  buffer_printf(to, "// %s_from.cu: %s, starting from a value. Made by tgc from %s for %s; this text is yours.\n"
                    "#include \"%s.h\"\n\n#include <cuda_runtime.h>\n#include <limits>\n\n",
                o->name, o->spectrum->name, output_source_name(o), o->machine->name, o->name);
  emit_error_declarations(to, o);
  buffer_puts(to, "\nnamespace {\n");
  emit_support(to, o, p);
  combination(to, o, p);
  buffer_puts(to, "\n} // namespace\n");
  for (int i = 0; i < o->ntypes; i++) entry(to, o, p, o->types[i]);
}
