/* c_text.c: a variant's file in C11: its kernels and what runs them, once for all types and all numbers of vectors in
 * flight. C has no templates: the file includes itself, with other macros each time.
 *
 *     #ifndef TYPE                   what all share; for each type: #define T float, TYPE float
 *                                    and what is called from outside
 *     #elif !defined loads           one type; for each number: #define loads 4
 *     #else                          one type and one number: the kernels, and what runs them
 *     #endif */
#include "emit/variant.h"
#include "ir/operator.h"

#include <inttypes.h>
#include <string.h>

static const ProgramConstant *unrolled(const Program *p) {
  const ProgramConstant *c = program_constant(p, "loads");
  return c && !c->at_launch ? c : NULL;
}

/* ---- what all types share ---- */

typedef struct Typed { Op op; Type type; bool found; } Typed;

/* An atomic without an instruction of its own is printed as what it does (c.c). */
static bool is_typed(void *context, const Tree *t) {
  Typed *x = context;
  x->found |= t->op == x->op && t->type == x->type;
  x->found |= t->op == OP_ATOMIC && operator_of_atomic((AtomicOp)t->number) == operator_of(x->op) &&
              operator_of(x->op) != OPERATOR_NONE && t->kid[0]->type == x->type;
  return !x->found;
}

static bool has(const Program *p, Op op, Type type) {
  Typed x = {op, type, false};
  tree_visit(p->sizes, is_typed, &x);
  tree_visit(p->launches, is_typed, &x);
  for (int i = 0; i < p->nkernels; i++) tree_visit(p->kernels[i]->body, is_typed, &x);
  return x.found;
}

static bool is_room(void *context, const Tree *t) {
  bool *found = context;
  *found |= t->op == OP_DECLARE && t->symbol->room;
  return !*found;
}

static bool copies(const Program *p) {
  bool found = false;
  for (int i = 0; i < p->nkernels; i++) tree_visit(p->kernels[i]->body, is_room, &found);
  return found;
}

static bool goes_by_halves(const Program *p) {
  bool found = false;
  for (int i = 0; i < p->nkernels; i++) found |= p->kernels[i]->halves;
  return found;
}

static bool is_parallel(void *context, const Tree *t) {
  bool *found = context;
  int64_t workers;
  if (t->op == OP_LAUNCH) *found |= !tree_constant(t->kid[0], &workers);
  return true;
}

static bool wakes_threads(const Program *p) {
  bool found = false;
  tree_visit(p->launches, is_parallel, &found);
  return found;
}

/* The lesser and the greater of two, of types that are the same for all; of reals as OF(min) and OF(max) below. */
static void least_and_greatest(Buffer *to, const Program *p) {
  static const Type types[] = {TYPE_INDEX, TYPE_UINT, TYPE_INT, TYPE_LONG, TYPE_ULONG, TYPE_FLOAT, TYPE_DOUBLE};
  static const struct { Op op; const char *sign; } ops[] = {{OP_MIN, "<"}, {OP_MAX, ">"}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    for (int k = 0; k < 2; k++)
      if (has(p, ops[k].op, types[i]))
        buffer_printf(to, types[i] == TYPE_FLOAT || types[i] == TYPE_DOUBLE
                              ? "\nstatic inline %1$s %2$s(%1$s x, %1$s y) { return isnan(x) || y %3$s x ? y : x; }\n"
                              : "\nstatic inline %1$s %2$s(%1$s x, %1$s y) { return x %3$s y ? x : y; }\n",
                      type_name(types[i]), c_least_of(to->arena, ops[k].op, types[i]), ops[k].sign);
}

static bool has_op(const Program *p, Op op) {
  bool found = false;
  for (int i = 0; i < p->nkernels; i++) found |= tree_contains(p->kernels[i]->body, op);
  return found;
}

/* Elements of 8 bytes fill two vectors: each half of the lanes is picked out of both. Numbers of other sizes, and what
 * is no number, go one by one, as with other compilers. */
static void exchanges(Buffer *to, const Program *p) {
  if (!has_op(p, OP_EXCHANGE)) return;
  buffer_puts(to, "\n// Each lane takes another one's element: whose, say the lists of the first half of the lanes, "
                  "and of the second.\n"
                  "#define LIST(...) __VA_ARGS__\n"
                  "#define EXCHANGE_ANY(to, from, low, high) do { \\\n"
                  "    static const unsigned char whose[threads] = {LIST low, LIST high}; \\\n"
                  "    for (int lane = 0; lane < threads; ++lane) (to)[lane] = (from)[whose[lane]]; \\\n"
                  "  } while (0)\n");
  if (p->monoid) return;
  buffer_puts(to, "#if defined __clang__ || (defined __GNUC__ && __GNUC__ >= 12)\n"
                  "#define EXCHANGE_4(to, from, low, high) do { \\\n"
                  "    typedef T Vector __attribute__((vector_size(threads * sizeof(T)))); \\\n"
                  "    Vector moved; \\\n"
                  "    memcpy(&moved, from, sizeof moved); \\\n"
                  "    moved = __builtin_shufflevector(moved, moved, LIST low, LIST high); \\\n"
                  "    memcpy(to, &moved, sizeof moved); \\\n"
                  "  } while (0)\n"
                  "#define EXCHANGE_8(to, from, low, high) do { \\\n"
                  "    typedef T Vector __attribute__((vector_size(threads / 2 * sizeof(T)))); \\\n"
                  "    Vector moved[2], own[2]; \\\n"
                  "    memcpy(own, from, sizeof own); \\\n"
                  "    moved[0] = __builtin_shufflevector(own[0], own[1], LIST low); \\\n"
                  "    moved[1] = __builtin_shufflevector(own[0], own[1], LIST high); \\\n"
                  "    memcpy(to, moved, sizeof moved); \\\n"
                  "  } while (0)\n"
                  "#else\n#define EXCHANGE_4 EXCHANGE_ANY\n#define EXCHANGE_8 EXCHANGE_ANY\n#endif\n");
}

/* z = of each `chunk' elements of x and y, `many' of x and as many of y in turn, from the first or the middle one on. */
static void weave(Buffer *to, const char *z, const char *x, const char *y, int chunk, int many, int second, int lanes) {
  buffer_printf(to, "    %s = __builtin_shufflevector(%s, %s", z, x, y);
  for (int i = 0; i < lanes; i++) {
    int first = i / chunk * chunk + second * chunk / 2, inside = i % chunk;
    buffer_printf(to, ", %d", first + inside / (2 * many) * many + inside % many + (inside / many % 2) * lanes);
  }
  buffer_puts(to, "); \\\n");
}

/* FOUR(a, b, c, d): blocks of 4 by 4 elements are transposed where they stand. SWAP_4(x, y): blocks of as many on both
 * sides of the diagonal take each other's place. Each line is one instruction of AVX2 and AVX-512. */
static void weaves(Buffer *to, int lanes) {
  buffer_puts(to, "#define FOUR(a, b, c, d) do { \\\n");
  weave(to, "woven[0]", "a", "b", 4, 1, 0, lanes);
  weave(to, "woven[1]", "a", "b", 4, 1, 1, lanes);
  weave(to, "woven[2]", "c", "d", 4, 1, 0, lanes);
  weave(to, "woven[3]", "c", "d", 4, 1, 1, lanes);
  weave(to, "a", "woven[0]", "woven[2]", 4, 2, 0, lanes);
  weave(to, "b", "woven[0]", "woven[2]", 4, 2, 1, lanes);
  weave(to, "c", "woven[1]", "woven[3]", 4, 2, 0, lanes);
  weave(to, "d", "woven[1]", "woven[3]", 4, 2, 1, lanes);
  buffer_puts(to, "  } while (0)\n");
  for (int block = 4; block < lanes; block *= 2) {
    buffer_printf(to, "#define SWAP_%d(x, y) do { \\\n", block);
    weave(to, "woven[0]", "x", "y", 2 * block, block, 0, lanes);
    weave(to, "y", "x", "y", 2 * block, block, 1, lanes);
    buffer_puts(to, "    x = woven[0]; \\\n  } while (0)\n");
  }
}

/* As many rows as there are lanes, as long as a vector, transposed. Numbers of other sizes go one by one. */
static void rows(Buffer *to, const Program *p) {
  int lanes = 0;
  for (int i = 0; i < p->nkernels && !lanes; i++)
    if (tree_contains(p->kernels[i]->body, OP_LOAD_ROWS)) lanes = kernel_vector(p->kernels[i]);
  if (!lanes) return;
  buffer_puts(to, "\n// Each lane gets so many elements of a row of its own, which lie side by side: element k of all rows is a "
                  "vector then.\n"
                  "#define LOAD_ROWS_ANY(to, from, apart) do { \\\n"
                  "    for (int line = 0; line < threads; ++line) \\\n"
                  "      for (int lane = 0; lane < threads; ++lane) \\\n"
                  "        (to)[line * threads + lane] = (from)[lane * (apart) + line]; \\\n"
                  "  } while (0)\n");
  if (p->monoid) return;
  buffer_puts(to, "#if defined __clang__ || (defined __GNUC__ && __GNUC__ >= 12)\n");
  weaves(to, lanes);
  buffer_puts(to, "#define LOAD_ROWS_4(to, from, apart) do { \\\n"
                  "    typedef T Vector __attribute__((vector_size(threads * sizeof(T)))); \\\n"
                  "    Vector lines[threads], woven[4]; \\\n"
                  "    for (int line = 0; line < threads; ++line) \\\n"
                  "      memcpy(&lines[line], (from) + line * (apart), sizeof(Vector)); \\\n");
  for (int line = 0; line < lanes; line += 4)
    buffer_printf(to, "    FOUR(lines[%d], lines[%d], lines[%d], lines[%d]); \\\n", line, line + 1, line + 2, line + 3);
  for (int block = 4; block < lanes; block *= 2)
    for (int line = 0; line < lanes; line++)
      if (line % (2 * block) < block)
        buffer_printf(to, "    SWAP_%d(lines[%d], lines[%d]); \\\n", block, line, line + block);
  buffer_puts(to,
                  "    memcpy(to, lines, sizeof lines); \\\n"
                  "  } while (0)\n"
                  "#else\n#define LOAD_ROWS_4 LOAD_ROWS_ANY\n#endif\n");
}

/* A kernel's flag is known where it is called. */
static void flags(Buffer *to, const Program *p) {
  bool any = false;
  for (int i = 0; i < p->nkernels; i++) any |= p->kernels[i]->flag != NULL;
  if (!any) return;
  buffer_puts(to, "\n// A function that is compiled for each of its calls: their flag, true or false, decides what there is of "
                  "it.\n"
                  "#ifdef __GNUC__\n#define FOR_EACH_CALL inline __attribute__((always_inline))\n"
                  "#else\n#define FOR_EACH_CALL inline\n#endif\n");
}

/* Beside an array of the same function that is read at places which are not known, GCC 12 keeps what a loop accumulates
 * in memory. */
static void unseen(Buffer *to, const Program *p) {
  if (!copies(p)) return;
  buffer_puts(to, "\n// An array of a function's own, which compilers take for any other.\n"
                  "static inline void *unseen(void *volatile array) { return array; }\n");
}

/* The tiles of a scan: which comes next. */
static void tiles(Buffer *to, const Program *p) {
  if (!p->tickets) return;
  buffer_puts(to, "\n// How many have taken a tile that was nobody's.\n"
                  "static inline Index next_tile(unsigned long long *tickets) {\n"
                  "  unsigned long long tile;\n"
                  "  #pragma omp atomic capture\n"
                  "  tile = tickets[0]++;\n"
                  "  return (Index)tile;\n"
                  "}\n");
  buffer_printf(to, "\n// A workspace: the next tile, and behind it so many words with which tiles pass on what stands before the next.\n"
                    "enum { first_word = %d, words = %d };\n", CHAIN_APART, CHAIN_WORDS);
}

/* .. and what stands before one. Who waits for long lets others run. */
static void chains(Buffer *to, const Program *p) {
  if (!p->tickets) return;
  OperatorKind op = p->chained_by;
  Arena *a = to->arena;
  const Type type = p->generic ? TYPE_ELEM : p->element;
  Symbol *x = symbol_new(a, SYMBOL_LOCAL, "before", type), *y = symbol_new(a, SYMBOL_LOCAL, "total", type);
  buffer_printf(to, "// What a tile passes on: how many have done so, and what stands before the next. One thread alone\n"
                    "// looks at it: it lies in lines of the cache that have no other's.\n"
                    "typedef struct OF(Word) {\n"
                    "  unsigned long long passed;\n"
                    "  T before;\n"
                    "  char apart[%d];\n"
                    "} OF(Word);\n\n"
                    "static OF(Word) *OF(word)(unsigned long long *tickets, Index tile) {\n"
                    "  return (OF(Word) *)((char *)tickets + first_word) + tile %% words;\n"
                    "}\n\n"
                    "// No tile has passed on anything yet.\n"
                    "static void OF(clear)(unsigned long long *tickets, Index tiles) {\n"
                    "  tickets[0] = 0;\n"
                    "  for (Index i = 0; i < least(tiles, words); ++i) OF(word)(tickets, i)->passed = 0;\n"
                    "}\n\n", CHAIN_ALONE);
  buffer_puts(to, "// Waits for what stands before the tile, `first' before the first one; passes on what stands "
                  "before the next.\n"
                  "static T OF(chain)(unsigned long long *tickets, Index tile, T first, T total) {\n"
                  "  T before = first;\n"
                  "  if (tile > 0) {\n"
                  "    const OF(Word) *last = OF(word)(tickets, tile - 1);\n"
                  "    unsigned long long passed = 0;\n"
                  "    for (int look = 0; passed < (unsigned long long)tile; look += look < 1000) {\n"
                  "      if (look == 1000) rest();\n"
                  "      #pragma omp atomic read seq_cst\n"
                  "      passed = last->passed;\n"
                  "    }\n"
                  "    before = last->before;\n"
                  "  }\n"
                  "  OF(Word) *own = OF(word)(tickets, tile);\n"
                  "  own->before = ");
  c_expression(to, tree_binary(a, operator_op(op), type, tree_ref(a, x), tree_ref(a, y)));
  buffer_puts(to, ";\n"
                  "  #pragma omp atomic write seq_cst\n"
                  "  own->passed = (unsigned long long)tile + 1;\n"
                  "  return before;\n"
                  "}\n\n");
}

/* ---- one type ---- */

/* Macros of a type's, as a list of names and values. */
enum { MOST_MACROS = 12 };
typedef struct Macro { const char *name, *value; } Macro;

static int macros_of(const Output *o, const Program *p, const ElementType *e, const EntryTypes *t,
                     Macro out[MOST_MACROS]) {
  int n = 0;
  out[n++] = (Macro){"TYPE", e->name};
  if (p->monoid) out[n++] = (Macro){"M", output_monoid(o, e)->monoid};
  if (p->element == TYPE_STORED) out[n++] = (Macro){"E", t->element};
  out[n++] = (Macro){"T", p->generic ? t->state : type_name(p->element)};
  if (p->out && p->out->type == TYPE_FINAL) out[n++] = (Macro){"R", t->result};
  if (has_op(p, OP_EXCHANGE)) {
    Type type = p->generic ? e->type : TYPE_VOID;
    int bytes = type == TYPE_INT || type == TYPE_UINT || type == TYPE_FLOAT    ? 4
                : type == TYPE_LONG || type == TYPE_ULONG || type == TYPE_DOUBLE ? 8 : 0;
    out[n++] = (Macro){"EXCHANGE", bytes == 4 ? "EXCHANGE_4" : bytes == 8 ? "EXCHANGE_8" : "EXCHANGE_ANY"};
  }
  if (has_op(p, OP_LOAD_ROWS)) {
    Type type = p->generic && !p->monoid ? e->type : TYPE_VOID;
    bool four = type == TYPE_INT || type == TYPE_UINT || type == TYPE_FLOAT;
    out[n++] = (Macro){"LOAD_ROWS", four ? "LOAD_ROWS_4" : "LOAD_ROWS_ANY"};
  }
  if (has_op(p, OP_FUSED)) {
    Type type = p->generic ? e->type : TYPE_VOID;
    const char *how = type == TYPE_FLOAT ? "FUSED_FLOAT" : type == TYPE_DOUBLE ? "FUSED_DOUBLE" : "FUSED_NOT";
    out[n++] = (Macro){"FUSED", how};
  }
  if (has(p, OP_MIN, TYPE_ELEM) || has(p, OP_MAX, TYPE_ELEM))
    out[n++] = (Macro){"NONE(x)", e->type == TYPE_FLOAT || e->type == TYPE_DOUBLE ? "isnan(x)" : "false"};
  if (has(p, OP_LIMIT, TYPE_ELEM)) {
    out[n++] = (Macro){"LOWEST", c_limit_of(e->type, LIMIT_LOWEST)};
    out[n++] = (Macro){"HIGHEST", c_limit_of(e->type, LIMIT_HIGHEST)};
  }
  return n;
}

static void include_itself(Buffer *to, const Output *o, const Program *p) {
  buffer_printf(to, "#include \"%s.%s\"\n", p->id, o->spectrum->monoid ? "cc" : "c");
}

static void wrong_launch(Buffer *to, const ProgramConstant *launch) {
  buffer_printf(to, "c->%s < 0", launch->symbol->name);
  if (launch->max > 0) buffer_printf(to, " || c->%s > %" PRId64, launch->symbol->name, launch->max);
}

/* For NAME.c: the function of a configuration that does nothing but the work. */
static void works_alone(Buffer *to, const Output *o, const Program *p, const ElementType *e) {
  const ProgramConstant *launch = variant_bound_at_launch(p), *loads = unrolled(p);
  buffer_puts(to, "\n");
  emit_work_type(to, o, e);
  buffer_printf(to, "// The work alone, in a configuration that was compiled; else NULL.\n"
                    "%1$s_%2$s_work *%1$s_%3$s_%2$s_work(const %1$s_configuration *c) {\n", p->name, e->name, p->id);
  if (program_constant(p, "threads")) buffer_puts(to, "  if (c->threads && c->threads != threads) return NULL;\n");
  if (launch) {
    buffer_puts(to, "  if (");
    wrong_launch(to, launch);
    buffer_puts(to, ") return NULL;\n");
  }
  if (!loads) {
    buffer_printf(to, "  return JOIN(alone, %s);\n}\n", e->name);
    return;
  }
  buffer_puts(to, "#define WORK(");
  emit_compiled(to, p, constant_macro);
  buffer_printf(to, ") if (c->loads == 0 || c->loads == LOADS) return JOIN3(alone, %s, LOADS);\n  ", e->name);
  emit_configurations_macro(to, p);
  buffer_puts(to, "(WORK)\n#undef WORK\n  return NULL;\n}\n");
}

static void entry_point(Buffer *to, const Output *o, const Program *p, const ElementType *e) {
  Arena *a = to->arena;
  const EntryTypes t = output_entry(a, o, p, e, "");
  Macro macros[MOST_MACROS];
  int n = macros_of(o, p, e, &t, macros);
  buffer_puts(to, "\n");
  for (int i = 0; i < n; i++) buffer_printf(to, "#define %s %s\n", macros[i].name, macros[i].value);
  include_itself(to, o, p);
  for (int i = 0; i < n; i++) buffer_printf(to, "#undef %.*s\n", (int)strcspn(macros[i].name, "("), macros[i].name);
  buffer_printf(to, "\n%sint %s_%s_%s(", p->monoid ? "extern \"C\" " : "", p->name, p->id, e->name);
  emit_variant_signature(to, o, e);
  buffer_printf(to, ") {\n  return configured_%s(c, workspace, workspace_bytes, ", e->name);
  emit_operands_as_own(to, o, p, e, "");
  buffer_puts(to, ");\n}\n");
  if (output_works_alone(o, p)) works_alone(to, o, p, e);
}

/* x * y + z of reals by one instruction, if there is one; a call of a function would cost more than it saves. */
static void fused(Buffer *to, const Program *p) {
  if (!has_op(p, OP_FUSED)) return;
  buffer_puts(to, "\n// x * y + z, rounded once where the machine has an instruction for it.\n"
                  "#define FUSED_NOT(x, y, z) ((x) * (y) + (z))\n"
                  "#if (defined __GNUC__ || defined __clang__) && (defined __FMA__ || defined __ARM_FEATURE_FMA)\n"
                  "#define FUSED_FLOAT __builtin_fmaf\n#define FUSED_DOUBLE __builtin_fma\n"
                  "#else\n#define FUSED_FLOAT FUSED_NOT\n#define FUSED_DOUBLE FUSED_NOT\n#endif\n");
}

/* The lesser and the greater of T's. Of reals the same as on GPUs, what is no number counts for nothing; but of -0 and
 * 0, which compare equal, it is the first: to tell them apart costs twice the rest. */
static void of_elements(Buffer *to, const Program *p) {
  static const struct { Op op; const char *name, *less, *of; } rows[] = {{OP_MIN, "min", "<", "lesser"},
                                                                         {OP_MAX, "max", ">", "greater"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (has(p, rows[i].op, TYPE_ELEM))
      buffer_printf(to, "// What is no number is left out; where x is surely one, that takes no more than a comparison.\n"
                        "static inline T OF(%3$s)(T x, T y) { return y %2$s x ? y : x; }\n"
                        "static inline T OF(%1$s)(T x, T y) { return NONE(x) ? y : OF(%3$s)(x, y); }\n\n",
                    rows[i].name, rows[i].less, rows[i].of);
}

static void host_parameters(Buffer *to, const Program *p) {
  buffer_puts(to, "void *workspace, size_t *workspace_bytes, ");
  emit_own_operands(to, &p->signature, NULL);
}

/* From a configuration of the caller's to the text that was compiled for it. */
static void configured(Buffer *to, const Program *p) {
  const ProgramConstant *launch = variant_bound_at_launch(p), *loads = unrolled(p);
  buffer_puts(to, "\n// The same in the configuration c; NULL: the variant's own.\nstatic int JOIN(configured, TYPE)(");
  buffer_printf(to, "const %s_configuration *c, ", p->name);
  host_parameters(to, p);
  buffer_printf(to, ") {\n  const %s_configuration own = {0, 0, 0};\n  if (c == NULL) c = &own;\n", p->name);
  if (program_constant(p, "threads")) buffer_puts(to, "  if (c->threads && c->threads != threads) return ENOTSUP;\n");
  if (launch) {
    const char *name = launch->symbol->name;
    buffer_puts(to, "  if (");
    wrong_launch(to, launch);
    buffer_puts(to, ") return ENOTSUP; // ");
    constant_range(to, launch);
    buffer_printf(to, "\n  const %s %s = c->%s ? c->%s : processors();\n", type_name(launch->symbol->type),
                  name, name, name);
  }
  const char *call = arena_printf(to->arena, "(%s%sworkspace, workspace_bytes, ", launch ? launch->symbol->name : "",
                                  launch ? ", " : "");
  if (!loads) {
    buffer_printf(to, "  return OF(run)%s", call);
    emit_operand_names(to, &p->signature);
    buffer_puts(to, ");\n}\n");
    return;
  }
  buffer_puts(to, "#define RUN(");
  emit_compiled(to, p, constant_macro);
  buffer_printf(to, ") if (c->loads == 0 || c->loads == LOADS) return JOIN3(run, TYPE, LOADS)%s", call);
  emit_operand_names(to, &p->signature);
  buffer_puts(to, ");\n  ");
  emit_configurations_macro(to, p);
  buffer_puts(to, "(RUN)\n#undef RUN\n  return ENOTSUP;\n}\n");
}

/* ---- one type, so many vectors in flight ---- */

/* Sizes are rounded up before anything is divided by them: there has to be some room above. */
static void impossible_sizes(Buffer *to, const Signature *s) {
  for (int i = 0; i < s->n; i++)
    if (s->at[i].kind == OPERAND_SIZE)
      buffer_printf(to, "%1$s < 0 || %1$s > PTRDIFF_MAX / 2 || ", s->at[i].symbol->name);
}

/* Of a variant that needs no workspace: what it does, apart from what it checks; and that for who has checked. */
static void work(Buffer *to, const Output *o, const Program *p) {
  const ProgramConstant *launch = variant_bound_at_launch(p);
  const Signature *s = &p->signature;
  buffer_puts(to, "\nstatic int OF(work)(");
  if (launch) buffer_printf(to, "%s %s, ", type_name(launch->symbol->type), launch->symbol->name);
  emit_own_operands(to, s, NULL);
  buffer_puts(to, ") {\n");
  c_statements(to, p->sizes, 1, p, o->line_directives);
  c_statements(to, p->launches, 1, p, o->line_directives);
  buffer_puts(to, "  return 0;\n}\n"
                  "\n// The same for who has checked what it is given.\n"
                  "static int OF(alone)(int64_t blocks");
  for (int i = 0; i < s->n; i++) {
    buffer_puts(to, ", ");
    emit_parameter(to, &s->at[i], s->at[i].kind == OPERAND_SIZE ? "uint64_t" : type_name(s->at[i].symbol->type));
  }
  buffer_puts(to, ") {\n");
  const char *type = launch ? type_name(launch->symbol->type) : NULL;
  if (launch) buffer_printf(to, "  return OF(work)(blocks ? (%s)blocks : processors(), ", type);
  else buffer_puts(to, "  (void)blocks;\n  return OF(work)(");
  for (int i = 0; i < s->n; i++) {
    buffer_puts(to, i ? ", " : "");
    emit_operand_as(to, &s->at[i], "", "", "");
  }
  buffer_puts(to, ");\n}\n");
}

static void run(Buffer *to, const Output *o, const Program *p) {
  const ProgramConstant *launch = variant_bound_at_launch(p);
  const bool alone = output_works_alone(o, p);
  if (alone) work(to, o, p);
  buffer_puts(to, "\n// With no workspace: says how many bytes one needs. With one: does the work.\nstatic int OF(run)(");
  if (launch) buffer_printf(to, "%s %s, ", type_name(launch->symbol->type), launch->symbol->name);
  host_parameters(to, p);
  buffer_puts(to, ") {\n");
  emit_constant_checks(to, p);
  buffer_puts(to, "  if (");
  impossible_sizes(to, &p->signature);
  buffer_puts(to, "workspace_bytes == NULL) return EINVAL;\n");
  if (!alone) c_statements(to, p->sizes, 1, p, o->line_directives);
  if (p->tickets) buffer_puts(to, "  const size_t need = first_word + words * sizeof(OF(Word));\n");
  else if (p->workspace_elements) {
    buffer_printf(to, "  const size_t need = %d", p->workspace_head);
    if (p->partial) {
      buffer_puts(to, " + (size_t)");
      c_expression(to, p->workspace_elements);
      buffer_printf(to, " * sizeof(%s)", variant_partial_type(p));
    }
    buffer_puts(to, ";\n");
  } else buffer_puts(to, "  const size_t need = 1; // none, but never zero\n");
  buffer_puts(to, "  if (workspace == NULL) {\n    *workspace_bytes = need;\n    return 0;\n  }\n"
                  "  if (*workspace_bytes < need) return EINVAL;\n");
  if (alone) {
    buffer_printf(to, "  return OF(work)(%s%s", launch ? launch->symbol->name : "", launch ? ", " : "");
    emit_operand_names(to, &p->signature);
    buffer_puts(to, ");\n}\n");
    return;
  }
  if (p->tickets) {
    buffer_printf(to, "  unsigned long long *%1$s = (unsigned long long *)workspace;\n  OF(clear)(%1$s, ", p->tickets->name);
    c_expression(to, p->workspace_tiles);
    buffer_puts(to, ");\n");
  }
  if (p->partial)
    buffer_printf(to, "  %1$s *%2$s = (%1$s *)((char *)workspace + %3$d);\n", variant_partial_type(p),
                  p->partial->name, p->workspace_head);
  c_statements(to, p->launches, 1, p, o->line_directives);
  if (p->tickets) buffer_printf(to, "  %s[0] = 0;\n", p->tickets->name);
  buffer_puts(to, "  return 0;\n}\n");
}

static void kernels(Buffer *to, const Output *o, const Program *p) {
  for (int i = 0; i < p->nkernels; i++) {
    buffer_puts(to, i ? "\n" : "");
    c_kernel(to, p->kernels[i], p, o->line_directives);
  }
  run(to, o, p);
}

/* A configuration's text is there when the list of configurations has it. */
static void each_number(Buffer *to, const Output *o, const Program *p, const ProgramConstant *loads) {
  for (int64_t n = 1; n <= loads->max; n *= 2) {
    buffer_puts(to, "#if 0 ");
    emit_configurations_macro(to, p);
    buffer_printf(to, "(HAS_%" PRId64 ")\n#define loads %" PRId64 "\n", n, n);
    include_itself(to, o, p);
    buffer_puts(to, "#undef loads\n#endif\n");
  }
}

static void tests_of_numbers(Buffer *to, const Program *p, const ProgramConstant *loads) {
  for (int64_t n = 1; n <= loads->max; n *= 2) {
    buffer_printf(to, "#define HAS_%" PRId64 "(", n);
    emit_compiled(to, p, constant_macro);
    buffer_printf(to, ") || LOADS == %" PRId64 "\n", n);
  }
}

static void shared(Buffer *to, const Output *o, const Program *p) {
  const ProgramConstant *loads = unrolled(p), *threads = program_constant(p, "threads");
  buffer_puts(to, "#include <assert.h>\n#include <errno.h>\n#include <limits.h>\n#include <math.h>\n"
                  "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n");
  if (variant_bound_at_launch(p)) buffer_puts(to, "#include <stdio.h>\n");
  buffer_puts(to, "#include <string.h>\n"
                  "#ifdef _OPENMP\n#include <omp.h>\n#else\n#define omp_get_num_procs() 1\n"
                  "#define omp_get_max_threads() 1\n");
  if (p->tickets) buffer_puts(to, "#define omp_get_thread_num() 0\n#define omp_get_num_threads() 1\n");
  buffer_puts(to, "#endif\n");
  buffer_puts(to, output_includes(to->arena, o));
  if (copies(p) && !p->monoid) buffer_puts(to, "#include <stdalign.h>\n");
  if (p->tickets)
    buffer_puts(to, "#if defined __unix__ || defined __APPLE__\n#include <sched.h>\n#define rest() sched_yield()\n"
                    "#else\n#define rest() ((void)0)\n#endif\n");
  if (p->monoid) buffer_puts(to, "#include <limits>\n#define restrict __restrict__ // C's word\n");
  buffer_puts(to, "\n// Loops that copy stay loops: what GCC copies by itself goes by halves of a vector, and whoever reads the whole\n"
                  "// waits for them.\n"
                  "#if defined __GNUC__ && !defined __clang__\n"
                  "#pragma GCC optimize(\"no-tree-loop-distribute-patterns\")\n#endif\n");
  if (goes_by_halves(p))
    buffer_puts(to, "// With a pointer for each array GCC 12 reads their lines out of order, which costs a twentieth of what an L2 gives.\n"
                    "#if defined __GNUC__ && !defined __clang__\n#pragma GCC optimize(\"no-ivopts\")\n#endif\n");
  emit_configurations(to, o, p);
  emit_monoid_structs(to, o);
  if (p->monoid) buffer_printf(to, "\nnamespace %s_%s {\n", p->name, p->id);
  buffer_puts(to, "\ntypedef long long Index; // sizes and positions\n");
  if (threads) buffer_printf(to, "enum { threads = %" PRId64 " }; // lanes of a vector\n", threads->value);
  least_and_greatest(to, p);
  if (variant_bound_at_launch(p))
    buffer_puts(to, "\n#ifndef CGROUP\n#define CGROUP \"/sys/fs/cgroup\"\n#endif\n"
                    "// A file's first numbers; how many are there.\n"
                    "static int numbers(const char *path, long long *first, long long *second) {\n"
                    "  FILE *file = fopen(path, \"r\");\n"
                    "  const int found = file ? fscanf(file, \"%lld %lld\", first, second) : 0;\n"
                    "  if (file) fclose(file);\n"
                    "  return found;\n"
                    "}\n\n"
                    "// How many processors' time a container may use, a part of one counted as one.\n"
                    "static int quota(void) {\n"
                    "  long long time = 0, period = 0, none;\n"
                    "  if (numbers(CGROUP \"/cpu.max\", &time, &period) != 2) {\n"
                    "    numbers(CGROUP \"/cpu/cpu.cfs_quota_us\", &time, &none);\n"
                    "    numbers(CGROUP \"/cpu/cpu.cfs_period_us\", &period, &none);\n"
                    "  }\n"
                    "  if (time <= 0 || period <= 0 || time / period >= INT_MAX) return INT_MAX; // as many as there are\n"
                    "  return (int)(time / period) + (time % period > 0);\n"
                    "}\n\n"
                    "// How many processors there are to use; it is asked for once.\n"
                    "static inline int processors(void) {\n"
                    "  static int known;\n"
                    "  int many;\n"
                    "  #pragma omp atomic read\n"
                    "  many = known;\n"
                    "  if (many == 0) {\n"
                    "    const int allowed = quota();\n"
                    "    many = omp_get_num_procs();\n"
                    "    if (many > allowed) many = allowed;\n"
                    "    #pragma omp atomic write\n"
                    "    known = many;\n"
                    "  }\n"
                    "  return many;\n"
                    "}\n");
  if (wakes_threads(p))
    buffer_puts(to, "\n// How many threads do the work of so many: as many as OpenMP is told to have.\n"
                    "static inline int at_once(Index workers) {\n"
                    "  return workers < omp_get_max_threads() ? (int)workers : omp_get_max_threads();\n}\n");
  if (p->monoid && variant_uses_limits(p)) emit_limits(to, o);
  emit_monoid(to, o);
  exchanges(to, p);
  rows(to, p);
  unseen(to, p);
  flags(to, p);
  fused(to, p);
  tiles(to, p);
  buffer_puts(to, "\n// What follows is included for each type");
  buffer_puts(to, loads ? ", and for each number of vectors in flight that a configuration has:\n" : ":\n");
  buffer_puts(to, "// OF(name) is a function's name there.\n"
                  "#define JOIN_(x, y) x##_##y\n#define JOIN(x, y) JOIN_(x, y)\n");
  if (loads) buffer_puts(to, "#define JOIN3(x, y, z) JOIN(JOIN(x, y), z)\n#define OF(name) JOIN3(name, TYPE, loads)\n");
  else buffer_puts(to, "#define OF(name) JOIN(name, TYPE)\n");
  if (loads) tests_of_numbers(to, p, loads);
}

void emit_c_text(Buffer *to, const Output *o, const Program *p) {
  const ProgramConstant *loads = unrolled(p);
  buffer_puts(to, "#ifndef TYPE\n\n");
  shared(to, o, p);
  for (int i = 0; i < o->ntypes; i++) entry_point(to, o, p, o->types[i]);
  emit_configuration_rows(to, p, p->monoid ? "extern \"C\" " : "extern ");
  if (p->monoid) buffer_printf(to, "\n} // namespace %s_%s\n", p->name, p->id);
  if (loads) {
    buffer_puts(to, "\n#elif !defined loads // one type\n\n");
    each_number(to, o, p, loads);
    configured(to, p);
    buffer_puts(to, "\n#else // one type, so many vectors in flight\n\n");
  } else buffer_puts(to, "\n#else // one type\n\n");
  of_elements(to, p);
  chains(to, p);
  kernels(to, o, p);
  if (!loads) configured(to, p);
  buffer_puts(to, "\n#endif\n");
}
