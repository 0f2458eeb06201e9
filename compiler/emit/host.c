/* host.c: in CUDA, the host function that launches a variant's kernels, and the dispatch of a caller's configuration
 * to the instance that was compiled for it. */
#include "emit/variant.h"

#include <inttypes.h>

static void host_parameters(Buffer *to, const Program *p) {
  buffer_puts(to, "void *workspace, size_t *workspace_bytes, ");
  emit_kernel_operands(to, &p->signature);
  buffer_puts(to, ", cudaStream_t stream");
}

/* Parameters of a variant of NAME_counted; its first is there with or without a launch tunable. */
static void counted_parameters(Buffer *to, const Program *p, const ProgramConstant *launch) {
  buffer_printf(to, "Index%s%s, void *workspace, size_t *workspace_bytes, const %s *in, "
                    "const unsigned long long *count, Index n, %s *out, cudaStream_t stream",
                launch ? " " : "", launch ? launch->symbol->name : "", type_name(p->element), type_name(p->out->type));
}

/* How many bytes a block has in shared memory, where that decides which configurations there are. */
static void shared_function(Buffer *to, const Program *p) {
  if (!p->nshared) return;
  buffer_puts(to, "\n// Bytes that a block has in shared memory.\ntemplate <");
  if (p->generic) buffer_printf(to, "%s, ", cuda_template_parameters(to->arena, p));
  emit_static_tunables(to, p, tunable_parameter);
  buffer_puts(to, ">\nconstexpr size_t shared_bytes() {\n  return ");
  for (int i = 0; i < p->nshared; i++) {
    buffer_puts(to, i ? " +\n         (size_t)(" : "(size_t)(");
    cuda_expression(to, p->shared[i].length);
    buffer_printf(to, ") * sizeof(%s)", type_name(p->shared[i].type));
  }
  buffer_puts(to, ";\n}\n");
}

static void run_function(Buffer *to, const Output *o, const Program *p) {
  const ProgramConstant *launch = variant_launch_tunable(p);
  buffer_puts(to, "\n// With no workspace: says how many bytes one needs. With one: queues the work on the stream.\n"
                  "template <");
  if (p->generic) buffer_printf(to, "%s, ", cuda_template_parameters(to->arena, p));
  emit_static_tunables(to, p, tunable_parameter);
  buffer_puts(to, ">\ncudaError_t run(");
  if (p->count) counted_parameters(to, p, launch);
  else {
    if (launch) buffer_printf(to, "%s %s, ", type_name(launch->symbol->type), launch->symbol->name);
    host_parameters(to, p);
  }
  buffer_puts(to, ") {\n");
  emit_constant_checks(to, p);
  buffer_puts(to, "  if (");
  emit_impossible_sizes(to, &p->signature);
  buffer_puts(to, "workspace_bytes == nullptr) return cudaErrorInvalidValue;\n");
  cuda_statements(to, p->sizes, 1, p, o->line_folder);
  if (p->workspace_tiles) {
    buffer_printf(to, "  const size_t need = %d + (size_t)", p->workspace_head);
    cuda_expression(to, p->workspace_tiles);
    buffer_printf(to, " * words_of<%s>() * sizeof(unsigned long long);\n", cuda_total_type(p));
  } else if (p->needs_workspace) {
    buffer_puts(to, "  const size_t need = ");
    variant_workspace_bytes(to, p, "(size_t)", cuda_expression);
    buffer_puts(to, ";\n");
  } else buffer_puts(to, "  const size_t need = 1; // none, but never zero\n");
  buffer_puts(to, "  if (workspace == nullptr) {\n    *workspace_bytes = need;\n    return cudaSuccess;\n  }\n"
                  "  if (*workspace_bytes < need) return cudaErrorInvalidValue;\n");
  if (p->arrived) buffer_printf(to, "  unsigned *%s = (unsigned *)workspace;\n", p->arrived->name);
  if (p->met)
    buffer_printf(to, "  unsigned *%s = (unsigned *)((char *)workspace + %d);\n", p->met->name, WORKSPACE_MET);
  if (p->tickets) buffer_printf(to, "  unsigned long long *%s = (unsigned long long *)workspace;\n", p->tickets->name);
  if (p->words)
    buffer_printf(to, "  unsigned long long *%s = (unsigned long long *)((char *)workspace + %d);\n", p->words->name,
                  p->workspace_head);
  if (p->posts)
    buffer_printf(to, "  unsigned long long *%s = (unsigned long long *)((char *)workspace + %d);\n", p->posts->name,
                  WORKSPACE_COUNTER);
  variant_workspace_arrays(to, p, cuda_expression);
  cuda_statements(to, p->launches, 1, p, o->line_folder);
  buffer_puts(to, "  return cudaSuccess;\n}\n");
}

/* Configurations that take more shared memory than a block may have are not compiled. */
static void shared_condition(Buffer *to, const Program *p) {
  if (!p->nshared) return;
  buffer_puts(to, "if constexpr (shared_bytes<");
  if (p->generic) buffer_printf(to, "%s, ", cuda_template_arguments(to->arena, p));
  emit_static_tunables(to, p, tunable_macro);
  buffer_printf(to, ">() <= %" PRId64 ") ", p->most_shared);
}

static void configured_function(Buffer *to, const Output *o, const Program *p) {
  const ProgramConstant *launch = variant_launch_tunable(p);
  if (!p->asks_for_shared) shared_function(to, p);
  buffer_puts(to, "\ninline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }\n"
                  "\n// The same in the configuration c; NULL: the variant's own.\n");
  if (p->generic) buffer_printf(to, "template <%s>\n", cuda_template_parameters(to->arena, p));
  buffer_printf(to, "cudaError_t configured(const %s_configuration *c, ", p->name);
  host_parameters(to, p);
  buffer_printf(to, ") {\n  const %s_configuration own = %s;\n  if (c == nullptr) c = &own;\n", p->name,
                output_no_configuration(to->arena, o));
  if (launch) {
    const char *name = launch->symbol->name;
    buffer_printf(to, "  const %s %s = c->%s ? c->%s : %" PRId64 "; // ",
                  type_name(launch->symbol->type), name, name, name, launch->tunable.value);
    tunable_meaning(to, &launch->tunable);
    buffer_printf(to, "\n  if (%s < %" PRId64, name, launch->tunable.min);
    if (launch->tunable.max > 0) buffer_printf(to, " || %s > %" PRId64, name, launch->tunable.max);
    buffer_puts(to, ") return cudaErrorInvalidConfiguration;\n");
  }
  buffer_puts(to, "#define RUN(");
  emit_static_tunables(to, p, tunable_macro);
  buffer_puts(to, ") ");
  shared_condition(to, p);
  buffer_puts(to, "if (");
  bool first = true;
  for (int i = 0; i < p->nconstants; i++) {
    const Tunable *k = &p->constants[i].tunable;
    if (k->at_launch) continue;
    buffer_printf(to, "%sserves(", first ? "" : " && ");
    tunable_macro(to, k);
    buffer_printf(to, ", c->%s)", k->name);
    first = false;
  }
  buffer_puts(to, ") return run<");
  if (p->generic) buffer_printf(to, "%s, ", cuda_template_arguments(to->arena, p));
  emit_static_tunables(to, p, tunable_macro);
  buffer_puts(to, ">(");
  if (launch) buffer_printf(to, "%s, ", launch->symbol->name);
  buffer_puts(to, "workspace, workspace_bytes, ");
  emit_operand_names(to, &p->signature);
  buffer_puts(to, ", stream);\n  ");
  emit_configurations_macro(to, p);
  buffer_puts(to, "(RUN)\n#undef RUN\n  return cudaErrorInvalidConfiguration;\n}\n");
}

static void entry_points(Buffer *to, const Output *o, const Program *p) {
  buffer_printf(to, "\n} // namespace %s_%s\n", p->name, p->id);
  emit_configuration_rows(to, o, p, "extern \"C\" ");
  for (int i = 0; i < o->ntypes; i++) {
    const ElementType *e = o->types[i];
    const char *own = arena_printf(to->arena, "%s_%s", p->name, p->id);
    const TemplateTypes t = output_template_types(to->arena, o, p, e, arena_printf(to->arena, "%s::", own));
    buffer_printf(to, "\nextern \"C\" cudaError_t %s_%s_%s(", p->name, p->id, e->name);
    emit_variant_signature(to, o, e);
    buffer_printf(to, ") {\n  return %s::configured%s%s%s(c, workspace, workspace_bytes, ",
                  own, p->generic ? "<" : "", p->generic ? t.arguments : "", p->generic ? ">" : "");
    emit_cast_operands(to, o, p, e, arena_printf(to->arena, "%s::", own));
    buffer_puts(to, ", stream);\n}\n");
  }
}

void emit_kernels(Buffer *to, const Output *o, const Program *p) {
  for (int i = 0; i < p->nkernels; i++) {
    buffer_puts(to, "\n");
    cuda_kernel(to, p->kernels[i], p, o->line_folder);
  }
  if (p->asks_for_shared) shared_function(to, p);
  run_function(to, o, p);
}

void emit_cuda_text(Buffer *to, const Output *o, const Program *p) {
  buffer_printf(to, "%s%s#include <cuda_runtime.h>\n#include <stddef.h>\n#include <stdint.h>\n",
                kernels_use(p, OP_MULTIPLY_GROUP) ? "#include <cuda.h>\n" : "", output_includes(to->arena, o));
  if (program_uses_limits(p)) buffer_puts(to, "#include <limits>\n");
  emit_native_headers(to, p);
  emit_configurations(to, o, p);
  emit_monoid_structs(to, o);
  buffer_printf(to, "\nnamespace %s_%s {\n", p->name, p->id);
  emit_device_functions(to, o, p);
  emit_kernels(to, o, p);
  configured_function(to, o, p);
  entry_points(to, o, p);
}
