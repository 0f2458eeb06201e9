/* types.c: the element types of a compilation: those asked for, what codelets see of them, whether the operator takes
 * them, what follows from them for a spectrum. */
#include <string.h>

#include "driver/compile_parts.h"
#include "ir/operator.h"
#include "ir/spectrum_tunables.h"

/* Has C, as compilers for the machine have it, all of the types? */
static bool has_types(Compilation *c) {
  const Arch *m = c->output.machine;
  for (int i = 0; m && m->is_cpu && i < c->output.ntypes; i++)
    if (element_is_of_units(c->output.types[i]) || !language_cpu_type(c->output.types[i]->c_type))
      return compile_refuse(c, (SourceRange){0}, "`--types half', or `float'",
                            arena_printf(c->arena, "`%s' is a CPU: there is no type `%s' in C for it", m->name,
                                         c->output.types[i]->name));
  return true;
}

bool compile_pick_types(Compilation *c) {
  const char *why;
  const char *list = c->options->types ? c->options->types : "int,float,double";
  if (options_types(c->arena, list, &c->output.types, &c->output.ntypes, &why)) return has_types(c);
  return compile_refuse(c, (SourceRange){0}, NULL, why);
}

/* What codelets see of an element type: what it is accumulated in, in the prelude's words. */
static const char *seen_as(Arena *a, const ElementType *e) {
  const ElementType *in = element_accumulator(e);
  return in->sort == SORT_COMPLEX ? arena_printf(a, "tgc_elements::%s", in->name) : in->c_type;
}

const char **compile_seen_types(Compilation *c) {
  const char **types = arena_many(c->arena, const char *, c->output.ntypes);
  for (int i = 0; i < c->output.ntypes; i++) types[i] = seen_as(c->arena, c->output.types[i]);
  return types;
}

static void move_type(Monoid *m, int from, int to) {
  if (m && m->generic) m->types[to] = m->types[from];
}

/* Drops all types but some. */
static void keep_types(Compilation *c, bool (*keeps)(const Spectrum *s, const ElementType *e)) {
  Output *o = &c->output;
  int left = 0;
  for (int i = 0; i < o->ntypes; i++) {
    if (!keeps(o->spectrum, o->types[i])) continue;
    o->types[left] = o->types[i];
    move_type(c->unit->monoid, i, left);
    for (int k = 0; k < MOST_STATES; k++) move_type(c->unit->states[k].monoid, i, left);
    left++;
  }
  o->ntypes = left;
  if (c->unit->monoid && c->unit->monoid->generic) c->unit->monoid->ntypes = left;
  for (int k = 0; k < MOST_STATES; k++)
    if (c->unit->states[k].monoid) c->unit->states[k].monoid->ntypes = left;
}

static bool is_no_integer(const Spectrum *s, const ElementType *e) {
  (void)s;
  return element_is_floating(element_accumulator(e));
}

/* Drops the integers where no types were asked for: a rounding operator, or functions of mathematics. */
static void leave_out_integers(Compilation *c) { keep_types(c, is_no_integer); }

/* Is it a type of the text itself: a parameter's or the result's, or, of an operator, the elements'? */
static bool text_has(const Spectrum *s, const ElementType *e) {
  if (s->monoid) return s->monoid->types[0].element.type == e->own;
  bool has = s->result == e->own || (s->result == TYPE_INDEX && e->own == TYPE_LONG);
  const Codelet *k = s->codelets[0];
  for (int i = 0; i < k->nparams; i++)
    has |= k->params[i]->type == e->own || (k->params[i]->type == TYPE_INDEX && e->own == TYPE_LONG);
  return has;
}

/* Types that were asked for, of a text that is no template and has others: of each there would be the same function. */
static void warn_of_types(Compilation *c) {
  const Spectrum *s = c->output.spectrum;
  if (!c->options->types || !s->ncodelets) return;
  if (s->monoid ? s->monoid->generic : s->codelets[0]->generic) return;
  bool any = false;
  for (int i = 0; i < c->output.ntypes; i++) any |= text_has(s, c->output.types[i]);
  for (int i = 0; i < c->output.ntypes; i++) {
    if (text_has(s, c->output.types[i])) continue;
    diagnostics_add(c->diagnostics, DIAG_WARNING, s->monoid ? s->monoid->where : s->where,
                    "`template <typename T>' makes it one for each of `--types'",
                    "`%s' is not a template: `%s' of `--types' is ignored", s->monoid ? s->monoid->name : s->name,
                    c->output.types[i]->name);
    if (any) keep_types(c, text_has);
    return;
  }
}

static bool find_function(void *context, const Tree *t) {
  const Tree **found = context;
  if (!*found && t->type == TYPE_ELEM && op_function(t->op)) *found = t;
  return !*found;
}

/* A function of mathematics, of T, in a codelet of the spectrum or of one that it applies; NULL: there is none. */
static const Tree *function_of_elements(Arena *a, const Spectrum *s) {
  const Spectra of = spectrum_applied(a, s);
  const Tree *found = NULL;
  for (int i = 0; i < of.n; i++)
    for (int k = 0; k < of.at[i]->ncodelets; k++) tree_visit(of.at[i]->codelets[k]->body, find_function, &found);
  return found;
}

/* Are all types real ones, where functions of mathematics are applied to T? */
static bool suit_functions(Compilation *c) {
  const Tree *at = function_of_elements(c->arena, c->output.spectrum);
  if (!at) return true;
  if (!c->options->types) leave_out_integers(c);
  for (int i = 0; i < c->output.ntypes; i++) {
    const ElementType *e = element_accumulator(c->output.types[i]);
    if (e->sort != SORT_REAL)
      return compile_refuse(c, at->where, "`--types float,double', half or bfloat16",
                            arena_printf(c->arena, "`%s' is of real numbers, which `%s' is not", op_spelling(at->op),
                                         e->name));
  }
  return true;
}

/* The spectrum's own container of T that any worker writes, none of whose values may be torn; NULL: it has none. */
static const Symbol *any_of_elements(const Spectrum *s) {
  const Codelet *c = s->ncodelets ? s->codelets[0] : NULL;
  for (int i = 0; c && i < c->nparams; i++)
    if (c->params[i]->atomic == ATOMIC_ANY && c->params[i]->type == TYPE_ELEM) return c->params[i];
  return NULL;
}

static bool suit_places(Compilation *c) {
  enum { WIDEST = 8 };
  const Symbol *any = any_of_elements(c->output.spectrum);
  for (int i = 0; any && i < c->output.ntypes; i++) {
    const ElementType *e = element_accumulator(c->output.types[i]);
    if (e->bytes > WIDEST || e->sort == SORT_COMPLEX)
      return compile_refuse(c, any->where, "`--types' of real numbers, or two containers",
                            arena_printf(c->arena, "`%s' is __accum(Any), and `%s' is not written at once", any->name,
                                         e->name));
  }
  return true;
}

bool compile_multiplies(const Compilation *c) {
  const Spectra of = spectrum_applied(c->arena, c->output.spectrum);
  for (int i = 0; i < of.n; i++)
    for (int k = 0; k < of.at[i]->ncodelets; k++)
      if (of.at[i]->codelets[k]->matrix) return true;
  return false;
}

/* Only to matrix units are tf32 and half16 what they say: to others they are another type, by a name that promises
 * less. */
static bool suit_units(Compilation *c) {
  const Spectrum *s = c->output.spectrum;
  const Arch *m = c->output.machine;
  if (!s->ncodelets || !s->codelets[0]->generic) return true; /* then it is ignored, which was said */
  const bool multiplies = compile_multiplies(c);
  for (int i = 0; i < c->output.ntypes; i++) {
    const ElementType *e = c->output.types[i];
    if (!element_is_of_units(e)) continue;
    const bool halves = element_adds_halves(e);
    const char *other = e->bytes == sizeof(float) ? "float" : "half";
    if (!multiplies)
      return compile_refuse(c, s->where, halves ? "`--types half'" : "`--types float'",
                            arena_printf(c->arena, "no codelet of `%s' is a product, mma(): others read `%s' as %s",
                                         s->name, e->text, other));
    if (m && !arch_matrix(m, e->text))
      return compile_refuse(c, s->where,
                            halves ? "`--types half'; GPUs from sm_75 on add up half16"
                                   : "`--types float'; GPUs from sm_80 on multiply tf32",
                            arena_printf(c->arena, "`%s' has no matrix unit for `%s', and would read it as %s", m->name,
                                         e->text, other));
  }
  return true;
}

/* A product's factors; NULL: it is none. */
static bool find_factors(void *context, const Tree *t) {
  const Symbol **of = context;
  if (t->op != OP_MUL || t->kid[0]->op != OP_INDEX || t->kid[1]->op != OP_INDEX) return true;
  for (int i = 0; i < 2; i++) of[i] = t->kid[i]->kid[0]->symbol;
  return true;
}

/* Why groups of warps, which the machine has, do not multiply elements of the type; NULL: they do. */
static const char *no_groups(Compilation *c, const Codelet *product, const ElementType *e) {
  enum { A, B, FACTORS, PLANE = 2 };
  if (!arch_group_matrix(c->output.machine, e->name))
    return arena_printf(c->arena, "`%s' has no plan of groups of warps: those of %s do not multiply it", e->name,
                        c->output.machine->name);
  const Symbol *of[FACTORS] = {NULL};
  tree_visit(product->body, find_factors, of);
  if (e->bytes == GROUP_HALF || !of[A]) return NULL;
  const bool bytes = e->bytes == GROUP_BYTE, along_a = !of[A]->by_columns, along_b = of[B]->by_columns;
  if (of[A]->rank > PLANE || of[B]->rank > PLANE)
    return arena_printf(c->arena, "`%s' has no plan of groups of warps in a batch of matrices", e->name);
  if (bytes && !(along_a && along_b))
    return arena_printf(c->arena, "`%s' has no plan of groups of warps: they take bytes along the inner dimension "
                                  "alone, `%s' by rows and `%s' by columns", e->name, of[A]->name, of[B]->name);
  if (along_a || along_b) return NULL;
  return arena_printf(c->arena, "`%s' has no plan of groups of warps: they take one factor at least along the inner "
                                "dimension, `%s' by rows or `%s' by columns", e->name, of[A]->name, of[B]->name);
}

/* Of the spectrum's products the first that a matrix unit may carry out; NULL: it has none. */
static const Codelet *first_product(const Spectrum *s) {
  for (int i = 0; i < s->ncodelets; i++)
    if (s->codelets[i]->matrix && !s->codelets[i]->rows) return s->codelets[i];
  return NULL;
}

/* Says so of each type that a matrix unit multiplies. */
static void remark_of_groups(Compilation *c) {
  const Output *o = &c->output;
  const Spectrum *s = o->spectrum;
  const Codelet *product = o->machine && s->ncodelets && s->codelets[0]->generic ? first_product(s) : NULL;
  bool groups = false;
  for (int i = 0; product && i < o->machine->nmatrix; i++) groups |= o->machine->matrix[i].warps == GROUP_WARPS;
  for (int i = 0; groups && i < o->ntypes; i++) {
    if (!arch_matrix(o->machine, o->types[i]->name)) continue;
    const char *why = no_groups(c, product, o->types[i]);
    if (why) diagnostics_remark(c->diagnostics, REMARK_MISSED, "unit", s->where, "%s", why);
  }
}

/* Do the types suit an operator that is a template over them? */
static bool suit_operator(Compilation *c, const Monoid *m) {
  if (m->rounded && !c->options->types) leave_out_integers(c);
  for (int i = 0; i < c->output.ntypes; i++) {
    const ElementType *e = c->output.types[i];
    if (!m->lifts && element_is_lifted(e) && c->output.spectrum->monoid == m)
      return compile_refuse(c, m->where, "static State lift(T x) { .. }, or other `--types'",
                            arena_printf(c->arena, "`%s' has no `lift' that makes a T of `%s'", m->name, e->name));
    if (m->rounded && !element_is_floating(element_accumulator(e)))
      return compile_refuse(c, m->where, "`--types float', or `int:double', which computes in double",
                            arena_printf(c->arena, "`%s' rounds, and would cut fractions off in `%s'", m->name,
                                         element_accumulator(e)->name));
  }
  return true;
}

bool compile_suit_types(Compilation *c) {
  warn_of_types(c);
  if (!suit_functions(c) || !suit_places(c) || !suit_units(c)) return false;
  remark_of_groups(c);
  Monoid *m = c->unit->monoid;
  if (m && m->generic && c->output.spectrum->monoid == m && !suit_operator(c, m)) return false;
  const Spectra of = spectrum_applied(c->arena, c->output.spectrum);
  for (int i = 0; i < of.n; i++) {
    const Type state = of.at[i]->instance_of ? of.at[i]->instance_type : TYPE_COUNT;
    if (monoid_is_of_loops(of.at[i]->monoid)) continue;
    if (type_is_state(state) && type_is_generic(state) && !suit_operator(c, of.at[i]->monoid)) return false;
  }
  return true;
}

/* Sets what is known of a spectrum for the element types. */
static void note_types(Compilation *c, Spectrum *s, const ElementType *const *types, int ntypes) {
  if (type_is_state(s->instance_type) && s->instance_of) {
    monoid_note_states(s);
    return;
  }
  if (s->monoid) {
    monoid_note(s);
    return;
  }
  if (s->ncodelets && s->codelets[0]->generic) element_note(c->arena, s, types, ntypes);
  bool floating = s->result == TYPE_FLOAT || s->result == TYPE_DOUBLE;
  for (int i = 0; i < ntypes && s->result == TYPE_ELEM; i++) floating |= element_is_floating(types[i]);
  s->real |= floating;
  s->exact = operator_is_exact(s->op, floating);
  const Tree *compared = s->exact && floating ? operator_compared(s) : NULL;
  if (!compared) return;
  s->exact = false;
  diagnostics_remark(c->diagnostics, REMARK_MISSED, "order", compared->where,
                     "elements are compared: of floats the order decides which zero, and whether a NaN, is kept; "
                     "`%s()' has a rule for both", operator_name(s->op));
}

/* What applies spectra of states has room for these. */
static void note_states(Arena *a, Spectrum *s) {
  const Spectra of = spectrum_applied(a, s);
  for (int i = 0; i < of.n; i++) {
    if (!of.at[i]->instance_of || !type_is_state(of.at[i]->instance_type)) continue;
    s->states = true;
    if (of.at[i]->widest > s->widest) s->widest = of.at[i]->widest;
  }
}

void compile_note_types(Compilation *c, const ElementType *const *types, int ntypes) {
  for (int i = 0; i < c->unit->nspectra; i++) note_types(c, c->unit->spectra[i], types, ntypes);
  for (int i = 0; i < c->unit->nspectra; i++) note_states(c->arena, c->unit->spectra[i]);
}
