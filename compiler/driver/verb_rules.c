/* verb_rules.c: tgc rules FILE: the composition rules of a spectrum, and those that a machine's levels can carry
 * out. */
#include <string.h>

#include <jansson.h>

#include "compose/search.h"
#include "driver/compile.h"
#include "driver/verbs.h"
#include "support/manifest_file.h"

/* An object a rule: its name, spectrum, codelet and level, and its steps as they are printed. */
static json_t *rules_json(Arena *a, const Rules *rules) {
  json_t *all = json_array();
  for (int i = 0; i < rules->list.n; i++) {
    const Rule *r = rules->list.at[i];
    json_t *steps = json_array();
    for (int k = 0; k < r->nsteps; k++) {
      Buffer b = buffer_new(a);
      step_print(&b, &r->steps[k]);
      json_array_append_new(steps, json_string(b.text));
    }
    json_array_append_new(all, json_pack("{s:s, s:s, s:o, s:o, s:o}", "name", r->name, "spectrum", r->spectrum->name,
                                         "codelet", manifest_text(a, r->codelet ? r->codelet->tag : NULL), "level",
                                         manifest_text(a, r->level ? r->level->name : NULL), "steps", steps));
  }
  return all;
}

static void print_json(Buffer *to, const Rules *program, const Rules *special, const Arch *machine) {
  json_t *all = json_pack("{s:o}", "rules", rules_json(to->arena, program));
  if (machine) {
    json_object_set_new(all, "machine", manifest_text(to->arena, machine->name));
    json_object_set_new(all, "specialized", rules_json(to->arena, special));
  }
  manifest_print(to, all);
  json_decref(all);
}

static int rules(Arena *a, const Options *o, bool json) {
  Compilation c = {.arena = a, .options = o, .diagnostics = diagnostics_new(a)};
  const bool ok = compile_front(&c);
  verbs_say(c.diagnostics, o->color, o->quiet);
  if (!ok) return STATUS_FAILED;
  Buffer text = buffer_new(a);
  const Arch *machine = c.output.machine;
  const Rules program = rules_extract(a, c.output.spectrum);
  const Rules special = machine ? rules_specialise(a, &program, machine) : (Rules){0};
  if (json) {
    print_json(&text, &program, &special, machine);
    return verbs_print(&text);
  }
  rules_print(&text, &program);
  if (machine) {
    buffer_puts(&text, "\n");
    rules_print(&text, &special);
  }
  return verbs_print(&text);
}

int verb_rules(Arena *a, const RulesArguments *given) {
  const CompileArguments all = {.operands = given->operands, .arch = given->arch, .types = given->types,
                                .spectrum = given->spectrum, .operation = given->operation, .levels = given->levels,
                                .space = given->space, .quiet = given->quiet, .color = given->color};
  Options o;
  const char *why = options_read(a, &all, &o);
  if (!why && o.arch && strchr(o.arch, ',')) why = "`tgc rules' takes one machine at a time";
  if (!why && o.spectrum && strchr(o.spectrum, ',')) why = "`tgc rules' takes one spectrum at a time";
  return why ? verbs_misuse("rules", why) : rules(a, &o, given->json != NULL);
}
