/* table.c: which variant serves which size: what the measured table says where its rows can serve, else a guess. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "compose/choose.h"
#include "driver/compile_parts.h"
#include "emit/conditions.h"
#include "emit/emit.h"
#include "ir/roles.h"
#include "support/paths.h"

/* Of matrices whose columns are contiguous, and of segments by offsets, other variants are the quick ones: they have a
 * table of their own. Where some are by rows, those that are not are named. */
static const char *layout_of(const Compilation *c) {
  const Codelet *any = c->output.spectrum->codelets[0];
  Buffer by_columns = buffer_new(c->arena);
  bool all = true;
  for (int i = 0; i < any->nparams; i++) {
    all &= any->params[i]->by_columns || any->params[i]->rank != 2;
    if (any->params[i]->by_columns) buffer_printf(&by_columns, "_%s", any->params[i]->name);
  }
  if (by_columns.length) return all ? "_by_columns" : arena_printf(c->arena, "_by_columns_of%s", by_columns.text);
  const Signature *s = output_operands(&c->output);
  const OperandRole *roles = roles_of(c->arena, c->output.spectrum, s);
  for (int i = 0; i < s->n; i++)
    if (roles[i].role == ROLE_OFFSETS) return "_by_offsets";
  return "";
}

/* Where a matrix unit multiplies all types of a set, or that of groups of warps, plans with it are the quick ones,
 * which other sets do not have. Of bytes groups have few layouts. What is to be looked for, in this order. */
static void units_of(const Compilation *c, const Types *types, const char *names[3]) {
  bool multiplies = false, all = types->n > 0, groups = all;
  for (int i = 0; i < c->output.spectrum->ncodelets; i++) multiplies |= c->output.spectrum->codelets[i]->matrix;
  for (int i = 0; i < types->n; i++) {
    all &= arch_matrix(c->output.machine, types->at[i]->name) != NULL;
    groups &= types->at[i]->bytes != GROUP_BYTE && arch_group_matrix(c->output.machine, types->at[i]->name);
  }
  int n = 0;
  if (multiplies && groups) names[n++] = "_groups";
  if (multiplies && all) names[n++] = "_units";
  names[n] = "";
}

/* The table that is shipped for the machine; where no promise is wanted, that of all variants, if there is one. NULL:
 * there is none. */
static const char *shipped_table(const Compilation *c, const Types *types) {
  const char *name = arena_printf(c->arena, "tables/%s/%s%s", c->output.machine->tables, c->output.usual, layout_of(c));
  const char *wanted = c->options->determinism, *least = determinism_name(DETERMINISM_NOT_GUARANTEED);
  const char *path = NULL;
  if (wanted && strcmp(wanted, least) == 0)
    path = path_of_data(c->arena, arena_printf(c->arena, "%s_%s.table", name, least));
  const char *units[3] = {NULL};
  units_of(c, types, units);
  for (int i = 0; i < 3 && units[i] && !path; i++)
    path = path_of_data(c->arena, arena_printf(c->arena, "%s%s.table", name, units[i]));
  return path;
}

static bool read_table(Compilation *c, TypeSet *set) {
  const char *name = c->options->table;
  if (name && strcmp(name, "none") == 0) return true;
  const char *path = name ? name : shipped_table(c, &set->chosen);
  if (!path) return true;
  SourceFile *f = source_read(c->arena, path);
  if (!f)
    return compile_refuse(c, (SourceRange){0}, NULL,
                          arena_printf(c->arena, "cannot read `%s': %s", path, strerror(errno)));
  set->has_measured = true;
  return table_read(c->arena, f, &set->measured, c->diagnostics);
}

bool compile_read_table(Compilation *c) {
  bool ok = true;
  for (int i = 0; i < c->sets.n && ok; i++)
    if (c->sets.at[i].chosen.n) ok = read_table(c, &c->sets.at[i]);
  return ok;
}

const char *compile_why_not(const void *context, const TableRow *r) {
  const Compilation *c = context;
  const Variant *v = output_variant(&c->output, r->variant);
  if (!v) return arena_printf(c->arena, "variant %s is not among those that are kept", r->variant);
  if (!variant_is_for(v, r->type)) return arena_printf(c->arena, "variant %s is for other types", r->variant);
  if (r->count && !output_by_shape(&c->output))
    return arena_printf(c->arena, "`%s' has a number of results, and here there is one", table_size(c->arena, r));
  const unsigned more = r->when & ~output_conditions(&c->output);
  if (more) {
    Buffer words = buffer_new(c->arena);
    conditions_print(&words, more, ", ");
    return arena_printf(c->arena, "`%s' asks for what no call of this tells: %s", table_size(c->arena, r), words.text);
  }
  for (int i = 0; i < v->program->nconstants; i++) {
    const Tunable *k = &v->program->constants[i].tunable;
    int64_t number = output_tunable(r, k);
    if (tunable_takes(k, number)) continue;
    Buffer range = buffer_new(c->arena);
    tunable_print_range(&range, k);
    return arena_printf(c->arena, "`%s' of variant %s is %s, not %" PRId64, k->name, r->variant, range.text,
                        number);
  }
  return NULL;
}

/* Each type's rows, of the set that serves it. */
static Table choose(Compilation *c, bool measured) {
  Table all = {.heading = TABLE_GUESS};
  for (int i = 0; i < c->output.ntypes; i++) {
    const TypeSet *set = type_sets_choosing(c, c->output.types[i]);
    const MeasuredTable of = {&set->measured, compile_why_not, c};
    type_sets_note(c, set);
    const Table own = choose_by_size(c->arena, &set->plans, &c->output.types[i], 1,
                                     measured && set->has_measured ? &of : NULL, c->diagnostics);
    for (int k = 0; k < own.rows.n; k++) vec_push(c->arena, &all.rows, own.rows.at[k]);
    if (!own.heading || strcmp(own.heading, TABLE_GUESS) != 0) all.heading = own.heading;
    if (!all.unused) all.unused = own.unused;
  }
  type_sets_note(c, c->sets.at);
  return all;
}

Table compile_guess(Compilation *c) { return choose(c, false); }

static bool names(const Table *t, const char *variant) {
  for (int i = 0; i < t->rows.n; i++)
    if (strcmp(t->rows.at[i].variant, variant) == 0) return true;
  return false;
}

bool compile_may_choose(const Compilation *c, const Table *guess, const char *variant) {
  if (names(guess, variant)) return true;
  for (int i = 0; i < c->sets.n; i++)
    if (names(&c->sets.at[i].measured, variant)) return true;
  return false;
}

/* Numbers of a shipped table that are out of a variant's range, since shared memory has room for fewer elements of the
 * widest type that is asked for: as many as there may be. */
static void fit_numbers(Compilation *c, Table *measured) {
  for (int i = 0; i < measured->rows.n; i++) {
    TableRow *r = &measured->rows.at[i];
    const Variant *v = output_variant(&c->output, r->variant);
    for (int k = 0; v && k < v->program->nconstants; k++) {
      const Tunable *t = &v->program->constants[k].tunable;
      const int64_t number = output_tunable(r, t);
      if (t->max <= 0 || number <= t->max) continue;
      tunables_set(c->arena, &r->set, t->name, tunable_below(t, t->max + 1));
      r->comment = arena_printf(c->arena, "%s (%s %" PRId64 ": there is no room)", r->comment ? r->comment : "#",
                                t->name, number);
    }
  }
}

void compile_choose(Compilation *c) {
  for (int i = 0; i < c->sets.n && !c->options->table; i++) fit_numbers(c, &c->sets.at[i].measured);
  c->output.table = choose(c, true);
}
