/* machines.c: one library over several machines' libraries: each call goes to the newest machine that is not newer
 * than the current device. */
#include "emit/machines.h"

#include <ctype.h>

#include "emit/paste.h"

static const char *upper(Arena *a, const char *s) {
  char *u = arena_strdup(a, s);
  for (char *c = u; *c; c++) *c = (char)toupper((unsigned char)*c);
  return u;
}

/* "sm_80, sm_90" */
static const char *names(Arena *a, const MachineOutputs *m) {
  Buffer b = buffer_new(a);
  for (int i = 0; i < m->n; i++) buffer_printf(&b, "%s%s", i ? ", " : "", m->each[i]->machine->name);
  return b.text;
}

/* ---- the functions that are forwarded ---- */

typedef struct Call {
  const char *name;      /* the suffix: "_float_from" */
  const char *result;
  const char *parameters, *arguments;
} Call;

typedef struct Calls { Arena *arena; VEC(Call) list; } Calls;

typedef void (*PrintSignature)(Buffer *to, const Output *o, const ElementType *e);

static void add(Calls *c, const char *name, const char *parameters, const char *arguments) {
  Call one = {name, "cudaError_t", parameters, arguments};
  vec_push(c->arena, &c->list, one);
}

static void add_typed(Calls *c, const Output *o, const ElementType *e, const char *suffix, PrintSignature signature,
                      const char *arguments) {
  Buffer b = buffer_new(c->arena);
  signature(&b, o, e);
  add(c, arena_printf(c->arena, "_%s%s", e->name, suffix), b.text, arguments);
}

static Calls calls_of(Arena *a, const MachineOutputs *m) {
  const Output *o = m->each[0];
  Calls c = {.arena = a};
  Buffer names = buffer_new(a);
  emit_operand_names(&names, output_operands(o));
  for (int i = 0; i < o->ntypes; i++) {
    const ElementType *e = o->types[i];
    add_typed(&c, o, e, "", emit_signature,
              arena_printf(a, "workspace, workspace_bytes, %s, stream", names.text));
    if (output_starts_from(o))
      add_typed(&c, o, e, "_from", emit_from_signature, "workspace, workspace_bytes, in, n, init, out, stream");
    if (output_counts(o))
      add_typed(&c, o, e, "_counted", emit_counted_signature,
                "workspace, workspace_bytes, in, n, most, out, stream");
    add_typed(&c, o, e, "_async", emit_async_signature, arena_printf(a, "%s, stream", names.text));
  }
  add(&c, "_workspace_init", "void *workspace, size_t workspace_bytes, cudaStream_t stream",
      "workspace, workspace_bytes, stream");
  add(&c, "_load_table", "const char *path", "path");
  if (o->order) {
    add(&c, "_select_online", "int candidates, const char *determinism", "candidates, determinism");
    add(&c, "_select_forget", "void", "");
    add(&c, "_select_save", "const char *path", "path");
  }
  return c;
}

/* ---- files ---- */

void emit_machines_header(Buffer *to, const MachineOutputs *m) {
  const Output *o = m->each[0];
  const char *name = m->name, *guard = upper(to->arena, name);
  Calls c = calls_of(to->arena, m);
  buffer_printf(to, "/* %s.h: %s on a GPU: %s, each with kernels of its own. Made by tgc from %s; this text is yours.\n"
                    " *\n"
                    " * A call goes to the newest of these machines that is not newer than the current device;\n"
                    " * cudaErrorNoKernelImageForDevice: all of them are. What each function does, and which variants "
                    "a machine has, its own\n * header says: %s/%s.h. Ask for a workspace's size, and make it ready, "
                    "on the device that uses it. */\n"
                    "#ifndef TGC_%s_H\n#define TGC_%s_H\n\n"
                    "%s#include <cuda_runtime_api.h>\n#include <stddef.h>\n#include <stdint.h>\n\n"
                    "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n",
                name, o->spectrum->name, names(to->arena, m), output_source_name(o), o->machine->name, o->name, guard,
                guard, output_includes(to->arena, o));
  emit_monoid_structs(to, o);
  if (o->spectrum->monoid) buffer_puts(to, "\n");
  for (int i = 0; i < c.list.n; i++)
    buffer_printf(to, "%s %s%s(%s);\n", c.list.at[i].result, name, c.list.at[i].name, c.list.at[i].parameters);
  buffer_printf(to, "\n/* Why this thread's last call of these functions failed; of another error, CUDA's words. */\n"
                    "const char *%s_error_text(cudaError_t error);\n\n"
                    "/* The machine whose kernels serve the current device: \"%s\"; NULL: none does. */\n"
                    "const char *%s_machine(void);\n\n"
                    "#ifdef __cplusplus\n}\n#endif\n\n#endif\n", name, o->machine->name, name);
}

void emit_machines_dispatch(Buffer *to, const MachineOutputs *m) {
  const char *name = m->name;
  Calls c = calls_of(to->arena, m);
  buffer_printf(to, "// %s.cu: which machine's kernels serve the current device. Made by tgc from %s for %s; this text "
                    "is yours.\n#include \"%s.h\"\n\n",
                name, output_source_name(m->each[0]), names(to->arena, m), name);
  for (int i = 0; i < m->n; i++)
    buffer_printf(to, "#include \"%s/%s.h\"\n", m->each[i]->machine->name, m->each[i]->name);
  buffer_puts(to, "\n#include <atomic>\n#include <cstdio>\n\nnamespace {\n\n"
                  "// The machines' compute capabilities, ascending.\nconst int compute[] = {");
  for (int i = 0; i < m->n; i++) buffer_printf(to, "%s%d", i ? ", " : "", m->each[i]->machine->compute);
  buffer_printf(to, "};\nenum { NONE = -1, MACHINES = %d };\n\n", m->n);
  paste(to, library_machines, "LIBRARY", name, NULL);
  buffer_puts(to, "\n} // namespace\n");
  for (int i = 0; i < c.list.n; i++) {
    const Call *one = &c.list.at[i];
    buffer_printf(to, "\nextern \"C\" %s %s%s(%s) {\n  int machine;\n  const cudaError_t error = pick(&machine);\n"
                      "  if (error != cudaSuccess) return error;\n  switch (machine) {\n",
                  one->result, name, one->name, one->parameters);
    for (int k = 0; k < m->n; k++) {
      if (k + 1 < m->n) buffer_printf(to, "    case %d: ", k);
      else buffer_puts(to, "    default: ");
      buffer_printf(to, "return %s%s(%s);\n", m->each[k]->name, one->name, one->arguments);
    }
    buffer_puts(to, "  }\n}\n");
  }
  buffer_printf(to, "\nextern \"C\" const char *%s_error_text(cudaError_t error) {\n"
                    "  if (error != cudaSuccess && error == why_of) return why;\n  switch (called) {\n", name);
  for (int k = 0; k < m->n; k++) buffer_printf(to, "    case %d: return %s_error_text(error);\n", k, m->each[k]->name);
  buffer_printf(to, "    default: return cudaGetErrorString(error);\n  }\n}\n"
                    "\nextern \"C\" const char *%s_machine(void) {\n  static const char *const names[] = {", name);
  for (int k = 0; k < m->n; k++) buffer_printf(to, "%s\"%s\"", k ? ", " : "", m->each[k]->machine->name);
  buffer_puts(to, "};\n  int machine;\n  return pick(&machine) == cudaSuccess ? names[machine] : nullptr;\n}\n");
}
