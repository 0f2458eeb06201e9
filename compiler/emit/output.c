/* output.c: facts of an output: its operands, which functions it has, by what variants are picked. */
#include <limits.h>
#include <string.h>

#include "emit/emit.h"
#include "ir/operator.h"
#include "ir/prior.h"
#include "ir/spectrum_tunables.h"

const char *output_source_name(const Output *o) {
  const char *slash = strrchr(o->file->path, '/');
  return slash ? slash + 1 : o->file->path;
}

const Variant *output_variant(const Output *o, const char *id) {
  for (int i = 0; i < o->nvariants; i++)
    if (strcmp(o->variants[i].plan->id, id) == 0) return &o->variants[i];
  return NULL;
}

bool variant_is_for(const Variant *v, const char *type) {
  for (int i = 0; i < v->ntypes; i++)
    if (strcmp(v->types[i]->name, type) == 0) return true;
  return false;
}

bool output_is_partial(const Output *o) {
  for (int i = 0; i < o->nvariants; i++)
    if (o->variants[i].ntypes < o->ntypes) return true;
  return false;
}

Output output_of_variant(const Output *o, const Variant *v) {
  Output own = *o;
  own.types = v->types;
  own.ntypes = v->ntypes;
  return own;
}

int64_t output_tunable(const TableRow *r, const Tunable *t) {
  const int64_t number = tunables_value(&r->set, t->name);
  return number ? number : t->value;
}

typedef struct TileNames { Arena *a; Tunables *to; const Codelet *codelet; bool multiplies; } TileNames;

static bool add_tile(void *context, const Tree *t) {
  TileNames *n = context;
  if (t->op != OP_DECLARE || t->symbol->kind != SYMBOL_CUT || !plan_cut_has_extent(n->codelet, t->symbol)) return true;
  const char *name = plan_tile_name(n->a, t->symbol);
  const char *const names[] = {name, plan_tile_workers_name(false), plan_tile_workers_name(true)};
  for (int i = 0; i < (n->multiplies ? 3 : 2); i++)
    if (!tunables_find(n->to, names[i])) tunables_add(n->a, n->to, &(Tunable){.name = names[i]});
  return true;
}

/* .. what may lie around tiles that are staged, or a lane's elements. */
static void add_halos(Arena *a, Tunables *to, const Plan *p) {
  PlanTiles t;
  const PlanNode *tiled = plan_tiled(p->root);
  if (!tiled || !plan_tiles(tiled, &t)) return;
  for (int i = 0; i < t.leaf->rule->codelet->nparams; i++)
    for (int d = 0; d < MOST_DIMENSIONS && plan_tile_keeps_halo(&t, i); d++) {
      const char *name = plan_tile_halo_name(a, &t.cut[i][d]);
      if (name && !tunables_find(to, name)) tunables_add(a, to, &(Tunable){.name = name});
    }
}

static bool has_size(const Plan *p, const char *name) {
  bool found = false;
  for (int i = 0; i < p->sizes.n; i++) found |= strcmp(p->sizes.at[i].tunable.name, name) == 0;
  return found;
}

/* .. a CPU's that packs its panels, one of one dimension: their extents are the last of its sizes. */
static void add_packed(Arena *a, Tunables *to, const Plan *p) {
  PlanTiles t;
  const PlanNode *tiled = plan_tiled(p->root);
  if (!tiled || !plan_tiles(tiled, &t) || !(p->machine->is_cpu || t.rank < PLANE)) return;
  for (int i = 1 + p->machine->nlevels + p->spectrum->tunables.n; i < p->sizes.n; i++)
    if (!tunables_find(to, p->sizes.at[i].tunable.name))
      tunables_add(a, to, &(Tunable){.name = p->sizes.at[i].tunable.name});
}

/* Some have tiles, whose extents are tuned. */
static Tunables members_of(Arena *a, const Output *o, const Plan *const *plans, int n) {
  Tunables own = tunables_copy(a, &o->spectrum->tunables);
  TileNames tiles = {.a = a, .to = &own};
  for (int i = 0; i < n; i++) tiles.multiplies |= plan_multiplies(plans[i]->root);
  const Spectra all = o->spectrum->cuts && !output_is_for_cpu(o) ? spectrum_applied(a, o->spectrum) : (Spectra){0};
  for (int k = 0; k < all.n; k++)
    for (int i = 0; i < all.at[k]->ncodelets; i++) {
      tiles.codelet = all.at[k]->codelets[i];
      tree_visit(tiles.codelet->body, add_tile, &tiles);
    }
  for (int i = 0; i < n; i++) add_packed(a, &own, plans[i]);
  for (int i = 0; i < n; i++) add_halos(a, &own, plans[i]);
  const char *const names[] = {plan_tile_stages_name, plan_unit_name, plan_row_name,
                               plan_jam_name,         plan_own_name,  plan_longest_name};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    for (int i = 0; i < n; i++)
      if (has_size(plans[i], names[k]) && !tunables_find(&own, names[k]))
        tunables_add(a, &own, &(Tunable){.name = names[k]});
  return tunables_members(a, &own);
}

void output_plan_members(Arena *a, Output *o, const Plans *plans) {
  const Plan **all = arena_many(a, const Plan *, plans->list.n);
  for (int i = 0; i < plans->list.n; i++) all[i] = plans->list.at[i];
  Tunables *members = arena_one(a, Tunables);
  *members = members_of(a, o, all, plans->list.n);
  o->members = members;
}

Tunables output_members(Arena *a, const Output *o) {
  if (o->members) return *o->members;
  const Plan **all = arena_many(a, const Plan *, o->nvariants);
  for (int i = 0; i < o->nvariants; i++) all[i] = o->variants[i].plan;
  return members_of(a, o, all, o->nvariants);
}

const char *output_no_configuration(Arena *a, const Output *o) {
  const Tunables all = output_members(a, o);
  Buffer b = buffer_new(a);
  for (int i = 0; i < all.n; i++) buffer_puts(&b, i ? ", 0" : "{0");
  buffer_puts(&b, "}");
  return b.text;
}

const Signature *output_operands(const Output *o) {
  static const Signature none = {.result = -1};
  return o->nvariants ? &o->variants[0].program->signature : &none;
}

/* Some operators are exact for integers only. */
bool output_is_exact(const Output *o, const ElementType *e) {
  const Spectrum *s = o->spectrum;
  return s->exact || (s->result == TYPE_ELEM && !element_is_floating(e) && operator_is_exact(s->op, false));
}

bool output_is_reduction(const Output *o) { return signature_is_reduction(output_operands(o)); }

bool output_checks_sizes(const Output *o) {
  for (int i = 0; i < o->nvariants; i++)
    if (o->variants[i].program->compares) return true;
  return false;
}

bool output_starts_from(const Output *o) {
  const Spectrum *s = o->spectrum;
  return !output_is_for_cpu(o) && output_is_reduction(o) && s->op != OPERATOR_NONE &&
         !(s->monoid && s->monoid->finishes);
}

bool output_counts(const Output *o) { return !output_is_for_cpu(o) && output_is_reduction(o); }

bool output_has_complex(const Output *o) {
  for (int i = 0; i < o->ntypes; i++)
    if (o->types[i]->sort == SORT_COMPLEX) return true;
  return false;
}

bool output_has_tf32(const Output *o) {
  for (int i = 0; i < o->ntypes; i++)
    if (strcmp(o->types[i]->text, "tf32") == 0) return true;
  return false;
}

bool output_has_half16(const Output *o) {
  for (int i = 0; i < o->ntypes; i++)
    if (strcmp(o->types[i]->text, "half16") == 0) return true;
  return false;
}

bool output_shuffles_natively(const Output *o) {
  bool whole = true;
  for (int i = 0; i < o->ntypes; i++) whole &= element_is_shuffled_whole(o->types[i]);
  return whole;
}

bool output_changes(const Output *o, const Operand *x) {
  const Codelet *c = o->spectrum->codelets[0];
  for (int i = 0; i < c->nparams && x->kind == OPERAND_ARRAY && x->written; i++)
    if (c->params[i] == x->param) return prior_matters(o->spectrum, i);
  return false;
}

bool output_by_shape(const Output *o) {
  const PartsGiven parts = signature_parts(output_operands(o), o->spectrum);
  return parts.parts >= 0 || parts.elements >= 0;
}

/* Does the size that picks a variant tell all sizes? */
static bool has_one_size(const Output *o) {
  const Signature *s = output_operands(o);
  int sizes = 0;
  for (int i = 0; i < s->n; i++) sizes += s->at[i].kind == OPERAND_SIZE;
  return sizes == 1;
}

bool variant_has_shortcut(const Output *o, const Program *p) {
  return output_is_for_cpu(o) && !program_is_cpp(p) && !p->needs_workspace && !p->tickets &&
         (has_one_size(o) || output_by_shape(o));
}

bool output_has_shortcuts(const Output *o) {
  for (int v = 0; output_is_for_cpu(o) && v < o->nvariants; v++)
    if (variant_has_shortcut(o, o->variants[v].program)) return true;
  return false;
}

int output_workspace_zero(const Output *o) {
  for (int i = 0; i < o->nvariants; i++)
    if (o->variants[i].program->words) return INT_MAX;
  return o->nvariants ? o->variants[0].program->workspace_head : 0;
}

const char *output_table_origin(Arena *a, const Output *o, int *guessed) {
  const char **types = arena_many(a, const char *, o->ntypes);
  for (int i = 0; i < o->ntypes; i++) types[i] = o->types[i]->name;
  return table_origin(a, &o->table, types, o->ntypes, guessed);
}
