/* variant.c: one variant's file: a head comment, its tunables, its kernels, the host function that launches them.
 *
 * The file is self-contained: it needs the CUDA toolkit, or a C compiler with OpenMP, and nothing of tgc. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "emit/variant.h"

static void codelet_lines(Buffer *to, const Output *o, const PlanNode *n, const Codelet **seen, int *nseen) {
  const Codelet *c = n->rule->codelet;
  bool known = !c;
  for (int i = 0; i < *nseen; i++) known |= seen[i] == c;
  if (!known) {
    seen[(*nseen)++] = c;
    int line = 0, column;
    if (c->where.file) source_position(c->where.file, c->where.begin, &line, &column);
    const char *path = c->where.file ? source_path(c->where.file, c->where.begin) : o->file->path;
    const char *slash = strrchr(path, '/');
    buffer_printf(to, "//   %-12s %s:%d\n", c->tag, slash ? slash + 1 : path, line);
  }
  for (int i = 0; i < n->nkids; i++) codelet_lines(to, o, n->kid[i], seen, nseen);
}

static void put_commented(Buffer *to, const char *text) {
  while (*text) {
    size_t n = strcspn(text, "\n");
    buffer_puts(to, "//   ");
    buffer_putn(to, text, n);
    buffer_puts(to, "\n");
    text += n + (text[n] == '\n');
  }
}

static void head_comment(Buffer *to, const Output *o, const Variant *v) {
  const Plan *plan = v->plan;
  Buffer tree = buffer_new(to->arena);
  plan_print_tree(&tree, plan);
  buffer_printf(to, "// %s, variant %s", o->spectrum->name, plan->id);
  if (plan->letter) buffer_printf(to, " (%s)", plan->letter);
  buffer_printf(to, ": %s\n", plan->text);
  buffer_printf(to, "// Made by tgc from %s for %s; this text is yours.\n//\n", output_source_name(o),
                o->machine->name);
  buffer_printf(to, "// %s, %d kernel%s, determinism %s: %s\n", category_name(plan->category, output_is_for_cpu(o)),
                plan->kernels, plan->kernels == 1 ? "" : "s", determinism_name(plan->determinism),
                plan->determinism_why);
  buffer_printf(to, "// %sbatch-invariant: %s\n//\n", plan->batch_invariant ? "" : "not ", plan->batch_invariant_why);
  put_commented(to, tree.text ? tree.text : "");
  buffer_puts(to, "//\n// codelets\n");
  const Codelet **seen = arena_many(to->arena, const Codelet *, 256);
  int nseen = 0;
  codelet_lines(to, o, plan->root, seen, &nseen);
}

void emit_variant(Buffer *to, const Output *o, const Variant *v) {
  const Output own = output_of_variant(o, v);
  head_comment(to, o, v);
  if (o->machine->is_cpu) emit_c_text(to, &own, v->program);
  else emit_cuda_text(to, &own, v->program);
  if (o->line_folder) emit_lines_back(to);
}
