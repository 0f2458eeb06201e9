/* reference.c: check/reference.cc and check/codelets.cc: functions that run the codelets' source on a caller's
 * arrays. Every variant, and every codelet by itself, is compared with their results.
 *
 * Nothing of the compiler has a part in what is computed: the text is the codelets', after the preparation of
 * witness/prepare.h (check/codelets.h), and witness/language.h executes it. Printed here is how pointers and sizes
 * become containers. Of each function there are three: what it computes in numbers that know their rounding; how far
 * a kernel may be from that; and the same in the variants' own types, bit for bit. */
#include <string.h>

#include "emit/emit.h"
#include "ir/monoid.h"
#include "ir/operator.h"
#include "ir/roles.h"
#include "ir/spectrum_tunables.h"
#include "witness/prepare.h"

/* What T is. TRACKED: numbers that carry their rounding errors; OWN: the variants' types. */
typedef enum Numbers { TRACKED, OWN } Numbers;
typedef enum Asked { VALUE, BOUND, BITS } Asked;

static Numbers numbers_of(Asked asked) { return asked == BITS ? OWN : TRACKED; }

/* ---- the codelets' text ---- */

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* A part's name in the check's lines: the last part of its path, with the folder where another has the same. */
static const char *part_name(const SourceFile *f, int part) {
  const char *path = f->nparts ? f->parts[part].path : f->path, *name = base_name(path), *longer = name;
  if (longer > path + 1)
    for (longer--; longer > path && longer[-1] != '/';) longer--;
  for (int i = 0; i < f->nparts; i++)
    if (i != part && strcmp(base_name(f->parts[i].path), name) == 0) return longer;
  return name;
}

static Prepared prepared(Arena *a, const Output *o) {
  const SourceFile *all = o->file;
  const int n = all->nparts ? all->nparts : 1;
  PrepareFile *files = arena_many(a, PrepareFile, n);
  for (int i = 0; i < n; i++) {
    const size_t begin = all->nparts ? all->parts[i].begin : 0;
    const size_t end = i + 1 < n ? all->parts[i + 1].begin : all->size;
    files[i] = (PrepareFile){part_name(all, i), all->text + begin, end - begin};
  }
  return prepare(files, n);
}

void emit_prepared(Buffer *to, const Output *o) {
  Prepared p = prepared(to->arena, o);
  buffer_printf(to, "// The codelets of %s, prepared to be executed by language.h, which includes nothing of tgc's "
                "compiler.\n"
                    "// Included more than once, in namespaces that see ::tgc, Float and Double.\n",
                        output_source_name(o));
  if (p.error) buffer_printf(to, "#error \"%s\"\n", p.error);
  else buffer_putn(to, p.text, p.length);
  prepared_free(&p);
}

static const PreparedCodelet *applied_codelet(const Prepared *p, const char *spectrum) {
  for (int i = 0; i < p->ncodelets; i++)
    if (p->codelets[i].applied && strcmp(p->codelets[i].spectrum, spectrum) == 0) return &p->codelets[i];
  return NULL;
}

/* ---- types ---- */

static const ElementType *wide_accumulator(const ElementType *e) {
  const ElementType *in = element_accumulator(e);
  return in->sort == SORT_REAL      ? element_by_type(TYPE_DOUBLE)
         : in->sort == SORT_COMPLEX ? element_by_type(TYPE_CDOUBLE)
                                    : in;
}

/* T for an element type, without a user's operator. */
static const char *element_in_reference(const ElementType *e, Numbers numbers) {
  const ElementType *in = element_accumulator(e);
  const bool tracked = numbers == TRACKED;
  switch (in->type) {
    case TYPE_FLOAT: return tracked ? "::tgc::Number<float>" : "float";
    case TYPE_DOUBLE: return tracked ? "::tgc::Number<double>" : "double";
    case TYPE_CFLOAT: return tracked ? "::tgc::Complex<::tgc::Number<float>>" : "::tgc::Complex<float>";
    case TYPE_CDOUBLE: return tracked ? "::tgc::Complex<::tgc::Number<double>>" : "::tgc::Complex<double>";
    default: return in->c_type;
  }
}

/* The type of a parameter's elements, or of a scalar parameter, in codelets. */
static const char *codelet_type(Type t, Numbers numbers) {
  switch (t) {
    case TYPE_ELEM: return "T";
    case TYPE_INDEX: return "long";
    case TYPE_FLOAT: return numbers == TRACKED ? "::tgc::Number<float>" : "float";
    case TYPE_DOUBLE: return numbers == TRACKED ? "::tgc::Number<double>" : "double";
    default: return type_name(t);
  }
}

/* ---- one function ---- */

/* A function to print, for one element type; `m': the user's operator, or NULL. */
typedef struct Entry {
  const Output *o;
  const Spectrum *spectrum;
  const Signature *signature;
  const ElementType *e;
  const MonoidType *m;
  const char *codelet;  /* "sum__tiled" */
  const char *function; /* the C function's name */
  const char *linkage;
  Asked asked;
} Entry;

/* The C type of an operand: values and bounds of a floating T are returned in the wide type. */
static const char *c_type_of(Arena *a, const Entry *x, const Operand *operand) {
  const bool result = x->signature->result >= 0 && operand == &x->signature->at[x->signature->result];
  const Type t = operand->symbol->type;
  const bool wide = x->asked != BITS && !x->m && (result ? x->spectrum->result == TYPE_ELEM : t == TYPE_ELEM) &&
                    (operand->written || operand->kind == OPERAND_NUMBER);
  if (wide) return output_c_type(x->o, wide_accumulator(x->e)->c_type);
  if (!result || x->m) return operand_type(a, x->o, x->signature, operand, x->e);
  const Type given = x->spectrum->result; /* not always that of the output's spectrum */
  if (given == TYPE_ELEM) return output_c_type(x->o, element_accumulator(x->e)->c_type);
  return given == TYPE_INDEX ? "long long" : type_name(given);
}

static bool is_name(const char *name, const char *stem, const char *end) {
  const size_t n = strlen(stem);
  return strncmp(name, stem, n) == 0 && strcmp(name + n, end) == 0;
}

/* Does neither the name nor NAME_, its container, collide with those of the operands before it? */
static bool is_unique_name(const Signature *s, int i, const char *name) {
  static const char *const own[] = {"asked_", "result_", "whole_", "result_to"};
  for (size_t k = 0; k < sizeof own / sizeof *own; k++)
    if (strcmp(own[k], name) == 0 || is_name(own[k], name, "_")) return false;
  for (int k = 0; k < i; k++) {
    const char *other = s->at[k].symbol->name;
    if (strcmp(other, name) == 0 || is_name(other, name, "_") || is_name(name, other, "_")) return false;
  }
  return true;
}

/* The operands with unique names: a codelet's parameter may have the name of another's size, or of the result. */
static Signature with_unique_names(Arena *a, const Signature *s) {
  Signature named = *s;
  named.at = arena_many(a, Operand, s->n ? s->n : 1);
  for (int i = 0; i < s->n; i++) {
    named.at[i] = s->at[i];
    Symbol *symbol = named.at[i].symbol = arena_one(a, Symbol);
    *symbol = *s->at[i].symbol;
    for (int number = 2; !is_unique_name(&named, i, symbol->name) && i != s->result; number++)
      symbol->name = arena_printf(a, "%s%d", s->at[i].symbol->name, number);
    if (i == s->result) symbol->name = "result_to";
  }
  return named;
}

static void print_head(Buffer *to, const Entry *x) {
  buffer_printf(to, "\n%svoid %s(", x->linkage, x->function);
  for (int i = 0; i < x->signature->n; i++) {
    const Operand *operand = &x->signature->at[i];
    if (i) buffer_puts(to, ", ");
    buffer_printf(to, "%s%s %s%s", operand->kind == OPERAND_ARRAY && !operand->written ? "const " : "",
                  c_type_of(to->arena, x, operand), operand->kind == OPERAND_ARRAY ? "*" : "", operand->symbol->name);
  }
  buffer_puts(to, ") {\n");
}

/* "A, rows, columns, leading, true" */
static const char *container_arguments(Arena *a, const Entry *x, const Operand *operand, const char *pointer) {
  const Signature *s = x->signature;
  if (operand->size[1] < 0)
    return arena_printf(a, "%s, (::tgc::Index)%s", pointer, s->at[operand->size[0]].symbol->name);
  return arena_printf(a, "%s, (::tgc::Index)%s, (::tgc::Index)%s, (::tgc::Index)%s, %s", pointer,
                      s->at[operand->size[0]].symbol->name, s->at[operand->size[1]].symbol->name,
                      s->at[operand->size[2]].symbol->name, operand->param->by_columns ? "true" : "false");
}

/* "A, {size0, size1, size2}, {stride0, stride1, 1}" */
static const char *volume_arguments(Arena *a, const Entry *x, const Operand *operand, const char *pointer) {
  const Signature *s = x->signature;
  const int rank = operand_rank(operand);
  Buffer b = buffer_new(a);
  for (int i = 0; i < 2 * rank - 1; i++)
    buffer_printf(&b, "%s(::tgc::Index)%s", i == rank ? "}, {" : i ? ", " : "", s->at[operand->size[i]].symbol->name);
  return arena_printf(a, "%s, {%s, 1}", pointer, b.text);
}

/* The pointer to an operand's elements. Of tf32 a kernel may use fewer digits, of half16 of their sums, which tracked
 * numbers allow for. */
static const char *elements_at(Arena *a, const Entry *x, const Operand *operand) {
  const bool fewer = strcmp(x->e->text, "tf32") == 0, halves = element_adds_halves(x->e);
  const char *name = operand->symbol->name;
  if (!(fewer || halves) || operand->param->type != TYPE_ELEM || operand->written || x->asked == BITS) return name;
  return arena_printf(a, "(const ::tgc::%s *)%s", halves ? "Half16<__half>" : "Tf32", name);
}

/* The container of an operand, NAME_. A user's states have C's layout. */
static void print_container(Buffer *to, const Entry *x, const Operand *operand) {
  Arena *a = to->arena;
  const char *name = operand->symbol->name;
  const char *type = codelet_type(operand->param->type, numbers_of(x->asked));
  const bool users = x->m && operand->param->type == TYPE_ELEM;
  if (users && !operand->written) {
    const Monoid *m = x->spectrum->monoid;
    const char *lift = m->lifts_place ? "M::lift(x, i)" : m->lifts ? "M::lift(x)" : "x";
    const char *element = x->m->element.type == TYPE_STRUCT ? "Element" : output_element(x->o, x->e);
    buffer_printf(to, "  const auto %s_ = ::tgc::Array<1, T>::computed((::tgc::Index)%s, [=](::tgc::Index i) {\n"
                      "    %s x;\n    memcpy((void *)&x, &%s[i], sizeof x);\n    return %s;\n  });\n",
                  name, x->signature->at[operand->size[0]].symbol->name, element, name, lift);
  } else if (users) {
    buffer_printf(to, "  auto %s_ = ::tgc::write<T>(%s);\n", name,
                  container_arguments(a, x, operand, arena_printf(a, "(T *)(void *)%s", name)));
  } else if (operand_rank(operand) > 2) {
    buffer_printf(to, "  %s%s_ = ::tgc::%s<%s, %d>(%s);\n", operand->written ? "auto " : "const auto ", name,
                  operand->written ? "written" : "seen", type, operand_rank(operand),
                  volume_arguments(a, x, operand, elements_at(a, x, operand)));
  } else {
    buffer_printf(to, "  %s%s_ = ::tgc::%s<%s>(%s);\n", operand->written ? "auto " : "const auto ", name,
                  operand->written ? "write" : "read", type,
                  container_arguments(a, x, operand, elements_at(a, x, operand)));
  }
  if (operand->param->atomic == ATOMIC_ANY) buffer_printf(to, "  %s_.array.write_any();\n", name);
}

static void print_argument(Buffer *to, const Entry *x, const Symbol *param) {
  const Operand *operand = signature_operand(x->signature, param, -1);
  const char *name = operand->symbol->name, *type = codelet_type(param->type, numbers_of(x->asked));
  if (operand->kind == OPERAND_ARRAY) buffer_printf(to, "%s_%s", name, operand->written ? ".array" : "");
  else if (operand->kind == OPERAND_SIZE) buffer_printf(to, "(::tgc::Index)%s", name);
  else if (x->m && param->type == TYPE_ELEM) buffer_printf(to, "*(const T *)(const void *)&%s", name);
  else buffer_printf(to, "::tgc::lifted<%s>(%s)", type, name);
}

/* The codelets' namespace: their names may be names of the C library. */
static const char *within(Arena *a, const Entry *x) {
  return arena_printf(a, "%s_%s::", x->o->name, x->asked == BITS ? "own" : "tracked");
}

static void print_types(Buffer *to, const Entry *x) {
  const Spectrum *s = x->spectrum;
  const char *operation = operator_word(x->o->unit->operation), *in = within(to->arena, x);
  if (x->m) {
    buffer_printf(to, "  typedef %s%s M;\n  typedef decltype(M::id()) T;\n", in, x->m->monoid);
    if (x->m->element.type == TYPE_STRUCT) buffer_printf(to, "  typedef %s%s Element;\n", in, x->m->element.text);
  } else {
    buffer_printf(to, "  typedef %s T;\n", element_in_reference(x->e, numbers_of(x->asked)));
    if (s->operators) buffer_printf(to, "  typedef ::tgc::%s<T> M;\n", operation);
  }
}

static void print_result(Buffer *to, const Entry *x) {
  const char *out = x->signature->at[x->signature->result].symbol->name;
  if (!x->m) {
    buffer_printf(to, "  ::tgc::lower(%s, result_, asked_);\n", out);
    return;
  }
  buffer_printf(to, "  const auto whole_ = %s;\n  memcpy((void *)%s, &whole_, sizeof *%s);\n",
                x->spectrum->monoid->finishes ? "M::finish(result_)" : "result_", out, out);
}

/* Do workers read what others write: has a container of whose places any of the values stays? */
static bool has_orders(const Unit *u) {
  bool any = false;
  for (int i = 0; i < u->nspectra; i++)
    for (int k = 0; k < u->spectra[i]->ncodelets; k++)
      for (int p = 0; p < u->spectra[i]->codelets[k]->nparams; p++)
        any |= u->spectra[i]->codelets[k]->params[p]->atomic == ATOMIC_ANY;
  return any;
}

static void print_entry(Buffer *to, const Entry *x) {
  const Signature *s = x->signature;
  const Codelet *c = x->spectrum->codelets[0];
  const bool orders = x->asked == BOUND && has_orders(x->o->unit), gives = s->result >= 0;
  print_head(to, x);
  print_types(to, x);
  buffer_printf(to, "  const ::tgc::Asked asked_(%s);\n  (void)asked_;\n", x->asked == BOUND ? "true" : "false");
  for (int i = 0; i < s->n; i++)
    if (s->at[i].kind == OPERAND_ARRAY && i != s->result) print_container(to, x, &s->at[i]);
  buffer_printf(to, "  %s%s%s%s%s(", gives ? "const auto result_ = " : "",
                !orders ? "" : gives ? "::tgc::in_any_order([&] { return " : "::tgc::in_any_order([&] { ",
                within(to->arena, x), x->codelet, x->spectrum->operators ? "<M, T>" : c->generic ? "<T>" : "");
  for (int i = 0; i < c->nparams; i++) {
    if (i) buffer_puts(to, ", ");
    print_argument(to, x, c->params[i]);
  }
  if (orders) buffer_puts(to, gives ? "); }" : "); return 0; }");
  for (int i = 0; i < s->n && orders; i++)
    if (s->at[i].kind == OPERAND_ARRAY && i != s->result && s->at[i].written)
      buffer_printf(to, ", %s_", s->at[i].symbol->name);
  buffer_puts(to, ");\n");
  for (int i = 0; i < s->n; i++)
    if (s->at[i].kind == OPERAND_ARRAY && i != s->result && s->at[i].written)
      buffer_printf(to, "  %s_.give_back(asked_);\n", s->at[i].symbol->name);
  if (s->result >= 0) print_result(to, x);
  buffer_puts(to, "}\n");
}

/* ---- check/reference.cc ---- */

static void print_opening(Buffer *to, const Output *o) {
  buffer_puts(to, output_includes(to->arena, o));
  buffer_puts(to, "#include <math.h>\n#include <stddef.h>\n#include <stdint.h>\n#include "
              "<string.h>\n\n#include \"entry.h\"\n");
  emit_monoid_structs(to, o);
}

static void print_codelets(Buffer *to, const Output *o, Numbers numbers) {
  const bool tracked = numbers == TRACKED;
  buffer_printf(to, "\nnamespace %s_%s {\n\nusing namespace ::tgc;\nusing ::tgc::pow;\nusing ::tgc::fma;\n"
                    "typedef %s Float;\ntypedef %s Double;\n"
                    "#include \"codelets.h\"\n\n} // namespace\n", o->name, tracked ? "tracked" : "own",
                tracked ? "Number<float>" : "float", tracked ? "Number<double>" : "double");
}

static void example_function(Buffer *to, const Output *o, const ElementType *e) {
  const MonoidType *m = output_monoid(o, e);
  buffer_printf(to, "\nextern \"C\" void %s_example_%s(unsigned random, %s *to) {\n"
                    "  const auto made = %s_own::%s::example(random);\n  memcpy((void *)to, &made, sizeof *to);\n}\n",
                o->name, e->name, output_element(o, e), o->name, m->monoid);
}

/* Has a zero result the same sign in every plan? Not in sums, to which +0 may be added, nor in a CPU's min and max
 * (docs/reference/c-api.md). */
static bool sign_of_zero_counts(const Output *o) {
  for (int i = 0; i < o->unit->nspectra; i++) {
    const Spectrum *s = o->unit->spectra[i];
    if (s->op == OPERATOR_ADD) return false;
    for (int k = 0; k < s->ncodelets; k++)
      if (s->codelets[k]->rows) return false;
    for (int k = 0; k < s->ncodelets; k++)
      for (int i = 0; i < s->codelets[k]->nparams; i++)
        if (s->codelets[k]->params[i]->atomic == ATOMIC_ADD || s->codelets[k]->params[i]->atomic == ATOMIC_SUB)
          return false;
    for (int k = 0; k < s->ncodelets && o->machine->is_cpu; k++)
      if (tree_contains(s->codelets[k]->body, OP_MAX) || tree_contains(s->codelets[k]->body, OP_MIN)) return false;
  }
  return true;
}

static void print_signed_zeros(Buffer *to, const Output *o) {
  if (sign_of_zero_counts(o)) buffer_puts(to, "// Of a zero the sign counts.\n#define CHECK_SIGNED_ZEROS true\n");
}

/* Loops that are taken apart into turns that round (front/affine.c) are combined by laws of numbers. */
static void print_numbers_alone(Buffer *to, const Output *o) {
  bool any = false;
  const Spectra of = spectrum_applied(to->arena, o->spectrum);
  for (int i = 0; i < of.n; i++)
    any |= of.at[i]->instance_of && monoid_is_of_loops(of.at[i]->monoid) && of.at[i]->monoid->rounded;
  if (any) buffer_puts(to, "// Laws of numbers, which infinities do not keep.\n#define CHECK_NUMBERS_ALONE true\n");
}

void emit_reference(Buffer *to, const Output *o) {
  Arena *a = to->arena;
  Prepared p = prepared(a, o);
  const PreparedCodelet *c = p.error ? NULL : applied_codelet(&p, o->spectrum->name);
  buffer_printf(to, "// %s, as its codelets' own text computes it (codelets.h): what every variant is checked "
                "against.\n"
                    "// Made by tgc from %s; this text is yours.\n", o->spectrum->name, output_source_name(o));
  if (p.error) buffer_printf(to, "#error \"%s\"\n", p.error);
  else if (!c) buffer_printf(to, "#error \"%s " EMIT_NO_REFERENCE "\"\n", o->spectrum->name);
  if (!c) {
    prepared_free(&p);
    return;
  }
  const bool users = o->spectrum->monoid != NULL;
  print_opening(to, o);
  if (!users) buffer_puts(to, "\n// References say how far from them a variant may be.\n#define CHECK_BOUND(function) "
                              "check::Erased<decltype(&function), &function>::run\n");
  print_signed_zeros(to, o);
  print_numbers_alone(to, o);
  if (!users) print_codelets(to, o, TRACKED);
  print_codelets(to, o, OWN);
  const Signature operands = with_unique_names(a, output_operands(o));
  for (int i = 0; i < o->ntypes; i++) {
    static const char *const names[] = {"reference", "bound", "sequential"};
    const ElementType *e = o->types[i];
    for (int asked = VALUE; asked <= BITS; asked++) {
      if (users && asked == BOUND) continue;
      Entry x = {.o = o, .spectrum = o->spectrum, .signature = &operands, .e = e, .m = output_monoid(o, e),
                 .codelet = c->name, .function = arena_printf(a, "%s_%s_%s", o->name, names[asked], e->name),
                 .linkage = "extern \"C\" ", .asked = users ? BITS : (Asked)asked};
      print_entry(to, &x);
    }
    if (users && o->spectrum->monoid->makes_examples) example_function(to, o, e);
  }
  prepared_free(&p);
}

/* ---- check/codelets.cc: each codelet by itself, a table of them ---- */

static const char *harness_word(OperandKind k) {
  return k == OPERAND_ARRAY ? "ARRAY" : k == OPERAND_SIZE ? "SIZE" : "NUMBER";
}

static const char *all_sizes(Arena *a, const Operand *x) {
  Buffer b = buffer_new(a);
  for (int i = 0; i < MOST_SIZES; i++) buffer_printf(&b, "%s%d", i ? ", " : "", x->size[i]);
  return b.text;
}

static void print_operand_rows(Buffer *to, const Spectrum *s, const Signature *g) {
  static const char *const holds[] = {[ROLE_DATA] = "DATA", [ROLE_OFFSETS] = "OFFSETS", [ROLE_INDICES] = "INDICES",
                                      [ROLE_PLACES] = "PLACES", [ROLE_QUEUE] = "QUEUE", [ROLE_COUNTER] = "COUNTER",
                                      [ROLE_LENGTHS] = "RUN_LENGTHS", [ROLE_ENDS] = "RUN_ENDS"};
  static const char *const matrix[] = {"ROWS", "COLUMNS", "LEADING"};
  const OperandRole *roles = roles_of(to->arena, s, g);
  buffer_printf(to, "\nstatic const check::Operand %s_rows[] = {\n", s->name);
  for (int i = 0; i < g->n; i++) {
    const Operand *x = &g->at[i];
    const bool array = x->kind == OPERAND_ARRAY;
    const SizeRule *r = &roles[i].rule;
    const bool fixed = r->said && r->factor[0] < 0;
    const char *means = x->kind != OPERAND_SIZE       ? "NO_SIZE"
                        : x->dim < 0 || !x->param     ? "COUNT"
                        : x->param->rank == 2         ? matrix[x->dim]
                        : x->dim < x->param->rank     ? "ELEMENTS"
                                                      : "LEADING";
    buffer_printf(to, "    {\"%s\", check::%s, {%s}, %s, %s, %s, check::%s, %d, check::%s, {%d, %d}, %lld, "
                  "%lld, %d, %lld, %lld, %lld, %lld},\n",
                  i == g->result ? "out" : x->symbol->name, harness_word(x->kind), all_sizes(to->arena, x),
                  array && x->param && x->param->by_columns ? "true" : "false", !array || x->read ? "true" : "false",
                  array && x->written ? "true" : "false", array ? holds[roles[i].role] : "DATA",
                  array ? role_into(g, &roles[i]) : -1, means, r->said ? r->factor[0] : -1, r->said ? r->factor[1] : -1,
                  (long long)(!r->said ? 0 : fixed ? r->plus : r->times), (long long)(r->said && !fixed ? r->plus : 0),
                  r->said && r->more ? r->addend : -1, (long long)(r->said ? r->more : 0),
                  (long long)roles[i].reach.every, (long long)roles[i].reach.low, (long long)roles[i].reach.high);
  }
  buffer_printf(to, "};\nstatic const check::Operands %s_operands = {%s_rows, %d};\n", s->name, s->name, g->n);
}

enum { MOST_LANES = 1024 }; /* of a GPU's block */

/* The three functions of one codelet, and its row in the table. */
static void print_codelet(Buffer *to, Buffer *rows, const Entry *of, const PreparedCodelet *c) {
  static const char *const kinds[] = {[PREPARED_AUTONOMOUS] = "AUTONOMOUS", [PREPARED_COMPOUND] = "COMPOUND",
                                      [PREPARED_COOPERATIVE] = "COOPERATIVE"};
  Arena *a = to->arena;
  const char *names[3];
  for (int asked = VALUE; asked <= BITS; asked++) {
    static const char *const words[] = {"value", "bound", "bits"};
    Entry x = *of;
    x.codelet = c->name;
    x.linkage = "static ";
    x.asked = (Asked)asked;
    x.function = names[asked] = arena_printf(a, "%s_%s_%s", words[asked], c->name, of->e->name);
    print_entry(to, &x);
  }
  const Arch *machine = of->o->machine;
  const int vector = machine->vector_width;
  int64_t least = vector, most = machine->is_cpu ? vector : MOST_LANES;
  bool rounds = false;
  for (int i = 0; i < of->spectrum->ncodelets; i++) { /* matched by place; its shared arrays may limit its lanes */
    const Codelet *own = of->spectrum->codelets[i];
    const SourceFile *file = own->where.file;
    const SourcePart *part = source_part(file, own->where.begin);
    int line, column;
    source_position(file, own->where.begin, &line, &column);
    if (line != c->line || strcmp(part_name(file, part ? (int)(part - file->parts) : 0), c->file) != 0) continue;
    rounds = own->rounds;
    if (own->lanes_max && own->lanes_max < most) most = own->lanes_max;
    while (least <= most && !number_list_has(own->lanes, least)) least += vector;
    if (!number_list_has(own->lanes,
                           4 * least) && least < most) most = least; /* the harness would try this number next */
  }
  buffer_printf(rows, "    CHECK_CODELET(\"%s\", \"%s\", \"%s:%d\", \"%s\", %s, %s, %s, %s, %d, %lld, %lld, "
                "&%s_operands, %s, %s,\n"
                      "                  CHECK_OWN(%s)),\n",
                c->spectrum, c->name, c->file, c->line, of->e->name, kinds[c->kind], c->applied ? "true" : "false",
                of->spectrum != of->o->spectrum ? "true" : "false", rounds ? "true" : "false", vector,
                (long long)least, (long long)most, c->spectrum, names[BITS], names[VALUE], names[BOUND]);
}

/* The first integer type and the first floating type: codelets are generic in T. */
static int sample_types(const Output *o, const ElementType **to) {
  int n = 0;
  for (int floating = 0; floating < 2; floating++)
    for (int i = 0, found = 0; i < o->ntypes && !found; i++)
      if (element_is_floating(o->types[i]) == (floating != 0)) to[n++] = element_accumulator(o->types[i]), found = 1;
  return n;
}

static bool has_more_codelets(const Prepared *p, const char *spectrum) {
  int n = 0;
  for (int i = 0; i < p->ncodelets; i++) n += strcmp(p->codelets[i].spectrum, spectrum) == 0;
  return n > 1;
}

void emit_codelets(Buffer *to, const Output *o) {
  Prepared p = prepared(to->arena, o);
  const ElementType *types[2];
  const int n = o->spectrum->monoid ? 0 : sample_types(o, types);
  Buffer rows = buffer_new(to->arena);
  buffer_printf(to, "// Each codelet by itself, to be compared with the sequential one of its spectrum by `tgc "
                "check'.\n"
                    "// Made by tgc from %s; this text is yours.\n#include \"check/codelets.h\"\n",
                        output_source_name(o));
  if (p.error) buffer_printf(to, "#error \"%s\"\n", p.error);
  print_opening(to, o);
  print_signed_zeros(to, o);
  print_codelets(to, o, TRACKED);
  print_codelets(to, o, OWN);
  for (int i = 0; i < o->unit->nspectra && n; i++) {
    const Spectrum *s = o->unit->spectra[i];
    const PreparedCodelet *applied = p.error || s->instance_of ? NULL : applied_codelet(&p, s->name);
    if (!applied || applied->kind == PREPARED_FUNCTION || !has_more_codelets(&p, s->name) || s->monoid) continue;
    const Signature given = signature_of(to->arena, s, TYPE_ELEM, s->result), g = with_unique_names(to->arena, &given);
    print_operand_rows(to, s, &g);
    const bool generic = s->codelets[0]->generic;
    for (int k = 0; k < (generic ? n : 1); k++)
      for (int c = 0; c < p.ncodelets; c++) {
        Entry x = {.o = o, .spectrum = s, .signature = &g, .e = types[k]};
        if (strcmp(p.codelets[c].spectrum, s->name) == 0) print_codelet(to, &rows, &x, &p.codelets[c]);
      }
  }
  if (rows.length) buffer_printf(to, "\nstatic const check::CodeletRow codelet_rows[] = {\n%s};\n", rows.text);
  buffer_printf(to, "const check::CodeletRow *const check::codelets = %s;\nconst int check::codelet_count = %s;\n",
                rows.length ? "codelet_rows" : "nullptr",
                rows.length ? "sizeof codelet_rows / sizeof *codelet_rows" : "0");
  buffer_puts(to, "void check::choose(const Choice &c) {\n  ::tgc::choices.tunables = {c.parts, c.others};\n"
                    "  ::tgc::choices.next = 0;\n  ::tgc::choices.atomic = c.atomic;\n  ::tgc::choices.lanes = "
                        "c.lanes;\n"
                    "  ::tgc::choices.vector = c.vector;\n}\n");
  prepared_free(&p);
}
