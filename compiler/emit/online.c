/* online.c: functions that select while a program runs, `--online' (runtime/library/online.h, trials.h, saving.h): in
 * NAME.cu, of a CPU NAME.c or NAME.cc. */
#include <inttypes.h>

#include "emit/conditions.h"
#include "emit/dispatch.h"
#include "emit/template.h"

static void paste_number(Buffer *to, const Output *o, const char *file, const char *piece, int type) {
  paste_template(to, o, o->types[type], file, piece, "1", "NUMBER", arena_printf(to->arena, "%d", type), NULL);
}

void emit_online_classes(Buffer *to, const Output *o) {
  if (!o->order) return;
  const char *cuda = paste_if(!output_is_for_cpu(o)), *cpu = paste_if(output_is_for_cpu(o));
  buffer_puts(to, "\n");
  paste_template(to, o, NULL, library_trials, "TRIALS", "1", "LATER", cuda, NULL);
  buffer_puts(to, "\n");
  paste_template(to, o, NULL, library_online, "CLASSES", "1", "EVENTS", cuda, "CLOCK", cpu, NULL);
}

/* ---- what depends on a type's ranges ---- */

/* What both languages say of ranges and configurations; values of macros are not expanded. */
typedef struct Words {
  const char *ranges, *run_of, *id_of, *is_last, *alike, *none;
} Words;

static const char *alike(Arena *a, const Output *o) {
  const Tunables all = output_members(a, o);
  Buffer b = buffer_new(a);
  for (int i = 0; i < all.n; i++)
    buffer_printf(&b, "%s(x).%s == (y).%s", i ? " && " : "(", all.at[i].name, all.at[i].name);
  buffer_puts(&b, ")");
  return b.text;
}

static Words words_of(Arena *a, const Output *o, const ElementType *e) {
  const bool cpu = output_is_for_cpu(o);
  Words w = {.alike = alike(a, o), .none = output_no_configuration(a, o)};
  w.ranges = cpu ? "Range" : arena_printf(a, "Range<%s_function>", e->name);
  w.run_of = cpu ? arena_printf(a, "(r)->variant->run_%s", e->name) : "(r)->run";
  w.id_of = cpu ? arena_printf(a, "(r)->variant - %s_variants", o->name)
                : arena_printf(a, "%s_id_of((r)->run)", e->name);
  w.is_last = arena_printf(a, "(r)->up_to == UINT64_MAX%s%s", output_by_shape(o) ? " && (r)->count == UINT64_MAX" : "",
                           output_conditions(o) ? " && (r)->when == 0" : "");
  return w;
}

static void begin_unnamed(Buffer *to, const Output *o) {
  if (!output_is_for_cpu(o)) buffer_puts(to, "\nnamespace {\n");
}

static void end_unnamed(Buffer *to, const Output *o) {
  if (!output_is_for_cpu(o)) buffer_puts(to, "\n} // namespace\n");
}

void emit_online_candidates(Buffer *to, const Output *o) {
  if (!o->order) return;
  Buffer order = buffer_new(to->arena);
  for (const PlanCandidate *c = o->order; c->id; c++)
    if (output_variant(o, c->id))
      buffer_printf(&order, "%s  {\"%s\", %d, %d},", order.length ? "\n" : "", c->id, (int)c->suits, (int)c->lanes);
  begin_unnamed(to, o);
  paste_template(to, o, NULL, library_online, "POOL", "1", "ORDER", order.text, "SHORT",
                 arena_printf(to->arena, "%" PRId64, o->machine->measured.lane_part), NULL);
  for (int i = 0; i < o->ntypes; i++) {
    const Words w = words_of(to->arena, o, o->types[i]);
    paste_template(to, o, o->types[i], library_online, "POOL_TYPE", "1", "RANGES", w.ranges, "RUN_OF(r)", w.run_of,
                   "ID_OF(r)", w.id_of, "IS_LAST(r)", w.is_last, "ALIKE(x, y)", w.alike, "NO_CONFIGURATION", w.none,
                   "EXACT", paste_if(output_is_exact(o, o->types[i])), NULL);
  }
  end_unnamed(to, o);
}

void emit_online_call(Buffer *to, const Output *o, const ElementType *e, const SizedCall *call) {
  if (!o->order) return;
  const Words w = words_of(to->arena, o, e);
  int number = 0;
  while (o->types[number] != e) number++;
  begin_unnamed(to, o);
  paste_template(to, o, e, library_online, "CALL", "1", "NUMBER", arena_printf(to->arena, "%d", number), "SIGNATURE",
                 call->signature, "OPERANDS", call->operands, "WORK_SIZE", call->work, "SIZE", call->size, "LIKE",
                 call->like, "RANGES", w.ranges, "RUN_OF(r)", w.run_of, NULL);
  end_unnamed(to, o);
}

void emit_online_functions(Buffer *to, const Output *o) {
  if (!o->order) return;
  Arena *a = to->arena;
  paste_template(to, o, NULL, library_online, "SELECT", "1", NULL);
  for (int i = 0; i < o->ntypes; i++) paste_number(to, o, library_online, "FILL", i);
  paste_template(to, o, NULL, library_online, "SELECTED", "1", NULL);
  begin_unnamed(to, o);
  paste_template(to, o, NULL, library_saving, "BOXES", "1", NULL);
  end_unnamed(to, o);
  const Tunables all = output_members(a, o);
  Buffer others = buffer_new(a);
  for (int i = USUAL_TUNABLES; i < all.n; i++)
    buffer_printf(&others, "%s      if (c->%s != 0) %sfprintf(file, \" %s=%%d\", c->%s);", others.length ? "\n" : "",
                  all.at[i].name, output_is_for_cpu(o) ? "" : "std::", all.at[i].name, all.at[i].name);
  paste_template(to, o, NULL, library_saving, "SAVE", "1", NULL);
  for (int i = 0; i < o->ntypes; i++) {
    const Words w = words_of(a, o, o->types[i]);
    paste_template(to, o, o->types[i], library_saving, "SAVE_TYPE", "1", "NUMBER", arena_printf(a, "%d", i), "RANGES",
                   w.ranges, "ID_OF(r)", w.id_of, "PUT_OTHERS", paste_if(others.length > 0), "OTHERS", others.text,
                   NULL);
  }
  paste_template(to, o, NULL, library_saving, "SAVED", "1", NULL);
}
