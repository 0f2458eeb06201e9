/* calls.c: the functions that users call: each looks at its arguments, finds the range that they are in, and calls that
 * variant. */
#include <inttypes.h>

#include "emit/dispatch.h"

/* $function: its name; $operands: their names; $looked_at: what is looked at of them; $work: how much there is; $size:
 * what ranges are of: work; or work for each part, and how many parts there are. */
static const char sized[] =
") {\n"
"  $error error = $name_arguments(\"$function\", workspace, workspace_bytes, $looked_at);\n"
"  if (error == $success) error = in_environment(\"$function\");\n"
"  if (error != $success) return error;\n"
"  const $Range *r = range_of($type_in_use, $size);\n"
"  error = $call(&r->c, workspace, workspace_bytes, $operands$stream);\n"
"  if (error == $success) return error;\n"
"  size_t need = 0;\n"
"  if ($call(&r->c, $null, &need, $operands$stream) != $success) need = 0;\n"
"  return $name_refused(\"$function\", error, $work, workspace, *workspace_bytes, need);\n}\n";

/* Of a CPU. */
static const char sized_in_c[] =
") {\n"
"  int error = $name_arguments(\"$function\", workspace, workspace_bytes, $looked_at);\n"
"  if (error == 0 && !has_begun()) error = in_environment(\"$function\");\n"
"  if (error != 0) return error;\n"
"  const Range *r = range_of($type_in_use, $size);\n"
"  error = $call(&r->c, workspace, workspace_bytes, $operands);\n"
"  if (error == 0) return 0;\n"
"  size_t need = 0;\n"
"  if ($call(&r->c, NULL, &need, $operands) != 0) need = 0;\n"
"  return $name_refused(\"$function\", error, $work, workspace, *workspace_bytes, need);\n}\n";

/* .. where variants do their work alone. What a call of a few elements waits for is the way to it: a call that nothing
 * can be wrong with has the shortest one, and what any other needs is in a function of its own. */
static const char shortest_in_c[] =
") {\n"
"  if (has_begun() && !has_failed() && is_sound(workspace, workspace_bytes, $looked_at)) {\n"
"    const $type_shortcut *s = $type_shortcuts;\n$found"
"    if (s->work != NULL && *workspace_bytes > 0) return s->work(s->blocks, $operands);\n"
"  }\n"
"  return checked_$type(workspace, workspace_bytes, $operands);\n}\n";

static const char aside[] =
"\n// A call that something may be wrong with, that is the first one, or that has a failure to forget.\n"
"APART static int checked_$type(";

/* What is wrong with the pointers is found before memory is asked for: `ready' stands for a workspace. */
static const char pooled[] =
") {\n"
"  alignas(16) static char ready[16];\n"
"  void *workspace = nullptr;\n  size_t bytes = sizeof ready;\n"
"  cudaError_t error = $name_arguments(\"$function_async\", ready, &bytes, $looked_at);\n"
"  if (error == cudaSuccess) error = $function(nullptr, &bytes, $operands, stream);\n"
"  if (error != cudaSuccess) return error;\n"
"  error = cudaMallocAsync(&workspace, bytes, stream);\n"
"  if (error != cudaSuccess)\n"
"    return $name_failed(error, \"$function_async: %zu bytes of workspace: %s\", bytes, cudaGetErrorString(error));\n"
"  error = $name_workspace_init(workspace, bytes, stream);\n"
"  if (error == cudaSuccess) error = $function(workspace, &bytes, $operands, stream);\n"
"  const cudaError_t freed = cudaFreeAsync(workspace, stream);\n"
"  return error != cudaSuccess ? error : freed;\n}\n";

/* What ranges of shapes are of: how many elements each part has, or has on average, and how many parts there are. */
static const char *shape(Arena *a, const Output *o, const char *work) {
  const Signature *s = output_operands(o);
  const PartsGiven parts = signature_parts(s, o->spectrum);
  if (parts.parts < 0) {
    const char *each = s->at[parts.elements].symbol->name;
    return arena_printf(a, "%s, %s > 0 ? (%s) / %s + ((%s) %% %s > 0) : 0", each, each, work, each, work, each);
  }
  const char *many = s->at[parts.parts].symbol->name, *less = many;
  if (!parts.less) return arena_printf(a, "%s > 0 ? (%s) / %s : 0, %s", many, work, less, less);
  less = arena_printf(a, "(%s - %" PRId64 ")", many, parts.less);
  return arena_printf(a, "%s > %" PRId64 " ? (%s) / %s : 0, %s > %" PRId64 " ? %s : 0", many, parts.less, work, less,
                      many, parts.less, less);
}

/* The shortcut that serves a call: what its range says of sizes, or of shapes. Rows have as many elements as there are
 * columns, which need no division. */
static const char *shortcut(Arena *a, const Output *o, const char *size) {
  const Signature *s = output_operands(o);
  if (!output_by_shape(o)) return arena_printf(a, "    while (%s > s->up_to) ++s;\n", size);
  const PartsGiven parts = signature_parts(s, o->spectrum);
  const Operand *first = signature_first_array(s);
  for (int d = 0; first && first->size[1] >= 0 && d < 2; d++)
    if (first->size[d] == parts.parts && !parts.less)
      size = arena_printf(a, "%s, %s", s->at[first->size[!d]].symbol->name, s->at[parts.parts].symbol->name);
  return arena_printf(a, "    const uint64_t shape[] = {%s};\n"
                         "    while (shape[0] > s->up_to) s += s->rows;\n"
                         "    while (shape[1] > s->count) ++s; // the last of a size is for any\n", size);
}

/* The words of a function's text. */
typedef struct Entry { const char *function, *type, *operands, *looked_at, *work, *size, *range, *call, *found; } Entry;

static Entry entry_of(Arena *a, const Output *o, const ElementType *e) {
  const Signature *s = output_operands(o);
  Buffer operands = buffer_new(a), looked_at = buffer_new(a);
  emit_operand_names(&operands, s);
  emit_argument_checks(&looked_at, o, e);
  const char *work = output_work(a, s), *size = output_by_shape(o) ? shape(a, o, work) : work;
  return (Entry){.function = arena_printf(a, "%s_%s", o->name, e->name), .type = e->name, .operands = operands.text,
                 .looked_at = looked_at.text, .work = work, .size = size,
                 .range = range_type(a, o, e->name), .call = range_call(a, o, e->name),
                 .found = shortcut(a, o, size)};
}

static void entry_text(Buffer *to, const Output *o, const ElementType *e, const Entry *x, const char *begins,
                       const char *text) {
  emit_worded(to, o, begins, "function", x->function, "type", x->type, NULL);
  emit_signature(to, o, e);
  emit_worded(to, o, text, "function", x->function, "type", x->type, "operands", x->operands, "looked_at", x->looked_at,
              "work", x->work, "size", x->size, "Range", x->range, "call", x->call, "found", x->found, NULL);
}

void emit_calls(Buffer *to, const Output *o, const ElementType *e) {
  static const char begins[] = "\n$public_$error $function(";
  const Entry x = entry_of(to->arena, o, e);
  const bool cpu = output_is_for_cpu(o), shortest = output_has_shortcuts(o);
  if (shortest) entry_text(to, o, e, &x, aside, sized_in_c);
  entry_text(to, o, e, &x, begins, shortest ? shortest_in_c : cpu ? sized_in_c : sized);
  if (cpu) return;
  emit_worded(to, o, "\n$public_$error $function_async(", "function", x.function, NULL);
  emit_async_signature(to, o, e);
  emit_worded(to, o, pooled, "function", x.function, "operands", x.operands, "looked_at", x.looked_at, NULL);
}
