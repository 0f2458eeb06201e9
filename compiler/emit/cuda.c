/* cuda.c: kernel form as CUDA C++ text. Parentheses where C needs them, and a few where readers do. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "emit/emit.h"
#include "ir/operator.h"

/* ---- expressions ---- */

enum { LOOSEST = 0, CONDITIONAL, LOGICAL_OR, LOGICAL_AND, BIT_OR, BIT_XOR, BIT_AND, EQUALITY, RELATION, SHIFT, SUM,
       PRODUCT, PREFIX, POSTFIX };

static int binding_strength(const Tree *t) {
  switch (t->op) {
    case OP_COND: return CONDITIONAL;
    case OP_LOR: return LOGICAL_OR;
    case OP_LAND: return LOGICAL_AND;
    case OP_OR: return BIT_OR;
    case OP_XOR: return BIT_XOR;
    case OP_AND: return BIT_AND;
    case OP_EQ: case OP_NE: return EQUALITY;
    case OP_LT: case OP_LE: case OP_GT: case OP_GE: return RELATION;
    case OP_SHL: case OP_SHR: return SHIFT;
    case OP_ADD: case OP_SUB: return SUM;
    case OP_MUL: case OP_DIV: case OP_REM: case OP_WIDTH: return PRODUCT;
    case OP_NEG: case OP_NOT: case OP_BNOT: case OP_CAST: case OP_ADDRESS: return PREFIX;
    default: return POSTFIX;
  }
}

static void expression(Buffer *to, const Tree *t, int around);

/* Mixed && and ||, shifts and bit operators get parentheses that C would not ask for: compilers warn, readers too. */
static bool wants_clarity(int inner, int around) {
  if (inner == LOGICAL_AND && around == LOGICAL_OR) return true;
  if (around >= BIT_OR && around <= BIT_AND && inner != around && inner < PREFIX) return true;
  return around == SHIFT && inner < PREFIX && inner > SHIFT;
}

static void infix(Buffer *to, const Tree *t, int strength) {
  expression(to, t->kid[0], strength);
  buffer_printf(to, " %s ", op_spelling(t->op));
  expression(to, t->kid[1], strength + 1);
}

static void call2(Buffer *to, const char *name, const Tree *t) {
  buffer_printf(to, "%s(", name);
  expression(to, t->kid[0], LOOSEST);
  buffer_puts(to, ", ");
  expression(to, t->kid[1], LOOSEST);
  buffer_puts(to, ")");
}

static void integer(Buffer *to, const Tree *t) {
  bool typed = t->type == TYPE_ELEM;
  if (t->type == TYPE_BOOL) { buffer_puts(to, t->number ? "true" : "false"); return; }
  if (typed) buffer_puts(to, "T(");
  buffer_printf(to, "%" PRId64, t->number);
  if (t->type == TYPE_UINT || t->type == TYPE_ULONG) buffer_puts(to, "u");
  if (t->number > INT32_MAX || t->number < INT32_MIN || t->type == TYPE_LONG || t->type == TYPE_ULONG)
    buffer_puts(to, "ll");
  if (typed) buffer_puts(to, ")");
}

static void real(Buffer *to, const Tree *t) {
  char text[40];
  snprintf(text, sizeof text, "%.17g", t->real);
  bool whole = !strpbrk(text, ".einf");
  if (t->type == TYPE_ELEM) buffer_puts(to, "T(");
  buffer_printf(to, "%s%s%s", text, whole ? ".0" : "", t->type == TYPE_FLOAT ? "f" : "");
  if (t->type == TYPE_ELEM) buffer_puts(to, ")");
}

static void shuffle(Buffer *to, const Tree *t) {
  static const char *const names[] = {"__shfl_down_sync", "__shfl_up_sync", "__shfl_xor_sync", "__shfl_sync"};
  static const char *const by_words[] = {"shuffle_down", "shuffle_up", "shuffle_xor", "shuffle"};
  if (t->number >= SHUFFLE_WORDS) buffer_printf(to, "%s(", by_words[t->number - SHUFFLE_WORDS]);
  else buffer_printf(to, "%s(0xffffffff, ", names[t->number]);
  expression(to, t->kid[0], LOOSEST);
  buffer_puts(to, ", ");
  expression(to, t->kid[1], LOOSEST);
  buffer_puts(to, ")");
}

/* -x, and -(-x): two signs in a row are a decrement. */
static void negative(Buffer *to, const Tree *t) {
  const Tree *x = t->kid[0];
  bool sign = x->op == OP_NEG || (x->op == OP_INT && x->number < 0) || (x->op == OP_FLOAT && signbit(x->real));
  buffer_puts(to, "-");
  expression(to, x, sign ? POSTFIX + 1 : PREFIX);
}

static void bare(Buffer *to, const Tree *t, int strength) {
  switch (t->op) {
    case OP_INT: integer(to, t); break;
    case OP_FLOAT: real(to, t); break;
    case OP_BOOL: buffer_puts(to, t->number ? "true" : "false"); break;
    case OP_LIMIT:
      buffer_printf(to, "%s<%s>()", t->number == LIMIT_LOWEST ? "lowest" : "highest", type_name(t->type));
      break;
    case OP_REF: buffer_puts(to, t->symbol->name); break;
    case OP_THREAD: buffer_puts(to, "thread"); break;
    case OP_LANE: buffer_puts(to, "lane"); break;
    case OP_WARP: buffer_puts(to, "warp"); break;
    case OP_BLOCK_ID: buffer_puts(to, "block"); break;
    case OP_RANK: buffer_puts(to, "rank"); break;
    case OP_GRID_DIM: buffer_puts(to, "gridDim.x"); break;
    case OP_NEG: negative(to, t); break;
    case OP_NOT: case OP_BNOT: case OP_ADDRESS:
      buffer_puts(to, op_spelling(t->op));
      expression(to, t->kid[0], strength);
      break;
    case OP_CAST: buffer_printf(to, "(%s)", type_name(t->type)); expression(to, t->kid[0], strength); break;
    case OP_COND:
      expression(to, t->kid[0], strength + 1);
      buffer_puts(to, " ? ");
      expression(to, t->kid[1], strength);
      buffer_puts(to, " : ");
      expression(to, t->kid[2], strength);
      break;
    case OP_MIN: call2(to, t->type == TYPE_INDEX ? "least" : "min", t); break;
    case OP_MAX: call2(to, t->type == TYPE_INDEX ? "greatest" : "max", t); break;
    case OP_INDEX:
      expression(to, t->kid[0], strength);
      buffer_puts(to, "[");
      expression(to, t->kid[1], LOOSEST);
      buffer_puts(to, "]");
      break;
    case OP_APPLY: call2(to, "M::op", t); break;
    case OP_IDENTITY: buffer_puts(to, "M::id()"); break;
    case OP_LIFT:
      if (t->nkids == 2) { call2(to, "M::lift", t); break; }
      /* fall through */
    case OP_FINISH:
      buffer_printf(to, "M::%s(", op_spelling(t->op));
      expression(to, t->kid[0], LOOSEST);
      buffer_puts(to, ")");
      break;
    case OP_SHUFFLE: shuffle(to, t); break;
    case OP_HALF: buffer_puts(to, "half_of("); expression(to, t->kid[0], LOOSEST); buffer_puts(to, ")"); break;
    case OP_REDUCES: buffer_printf(to, "reduces<%s>", type_name((Type)t->number)); break;
    case OP_REDUCE:
      buffer_printf(to, "__reduce_%s_sync(0xffffffff, ", operator_name((OperatorKind)t->number));
      expression(to, t->kid[0], LOOSEST);
      buffer_puts(to, ")");
      break;
    case OP_WIDTH: buffer_printf(to, "16 / (int)sizeof(%s)", type_name((Type)t->number)); break;
    case OP_COLLECT:
      buffer_printf(to, "collect<%s>(", type_name(t->type));
      expression(to, t->kid[0], LOOSEST);
      buffer_puts(to, ", ");
      expression(to, t->kid[1], LOOSEST);
      buffer_puts(to, ")");
      break;
    case OP_LOOK_BACK: case OP_PRIOR_TOTAL:
      buffer_printf(to, "%s<T>(", op_spelling(t->op));
      for (int i = 0; i < t->nkids; i++) {
        if (i) buffer_puts(to, ", ");
        expression(to, t->kid[i], LOOSEST);
      }
      buffer_puts(to, ")");
      break;
    case OP_ARRIVE: case OP_BEGIN: case OP_TICKET:
      buffer_printf(to, "%s(", op_spelling(t->op));
      expression(to, t->kid[0], LOOSEST);
      buffer_puts(to, ", (unsigned)");
      expression(to, t->kid[1], PREFIX);
      buffer_puts(to, ")");
      break;
    case OP_TO_ALIGNED: buffer_puts(to, "to_aligned(&"); expression(to, t->kid[0], PREFIX); buffer_puts(to, ")"); break;
    default: infix(to, t, strength);
  }
}

static void expression(Buffer *to, const Tree *t, int around) {
  int strength = binding_strength(t);
  bool parens = strength < around || wants_clarity(strength, around);
  if (parens) buffer_puts(to, "(");
  bare(to, t, strength);
  if (parens) buffer_puts(to, ")");
}

void cuda_expression(Buffer *to, const Tree *t) { expression(to, t, LOOSEST); }

/* The value of a declaration or assignment: its type is plain from the place, so constants go bare, unless nvcc were to
 * warn of their sign. */
static void value(Buffer *to, const Tree *t) {
  if (t->op == OP_INT && t->type == TYPE_ELEM && t->number >= 0) buffer_printf(to, "%" PRId64, t->number);
  else cuda_expression(to, t);
}

/* ---- statements ---- */

typedef struct Printer {
  Buffer *to;
  const Program *program;
  bool line_directives;
} Printer;

/* M E T R, as far as there are such: the parameters of all templates of a program. */
static void type_parameters(Buffer *to, const Program *p, const char *keyword) {
  bool final = p->out && p->out->type == TYPE_FINAL;
  if (p->monoid) buffer_printf(to, "%sM, ", keyword);
  if (p->element == TYPE_STORED) buffer_printf(to, "%sE, ", keyword);
  buffer_printf(to, "%sT", keyword);
  if (final) buffer_printf(to, ", %sR", keyword);
}

const char *cuda_generic(Arena *a, const Program *p) {
  Buffer b = buffer_new(a);
  type_parameters(&b, p, "typename ");
  return b.text;
}

const char *cuda_arguments(Arena *a, const Program *p) {
  Buffer b = buffer_new(a);
  type_parameters(&b, p, "");
  return b.text;
}

static void statement(Printer *p, const Tree *t, int indent);

static void address(Buffer *to, const Tree *place) {
  int64_t at;
  if (place->op == OP_INDEX && tree_constant(place->kid[1], &at) && at == 0) {
    cuda_expression(to, place->kid[0]);
    return;
  }
  buffer_puts(to, "&");
  expression(to, place, PREFIX);
}

static void atomic(Printer *p, const Tree *t) {
  AtomicOp op = (AtomicOp)t->number;
  const char *scope = t->scope == SCOPE_BLOCK ? "_block" : "";
  if (op == ATOMIC_USER) buffer_printf(p->to, "atomic_op%s<M>(", scope);
  else if (p->program->helpers & HELPER(op, t->scope)) {
    char name[8];
    snprintf(name, sizeof name, "%s", atomic_name(op));
    name[0] = (char)(name[0] - 'A' + 'a');
    buffer_printf(p->to, "atomic_%s%s(", name, scope);
  } else buffer_printf(p->to, "atomic%s%s(", atomic_name(op), scope);
  address(p->to, t->kid[0]);
  buffer_puts(p->to, ", ");
  cuda_expression(p->to, t->kid[1]);
  buffer_puts(p->to, ");\n");
}

static void declaration(Printer *p, const Tree *t) {
  Buffer *to = p->to;
  const Symbol *s = t->symbol;
  if (s->kind == SYMBOL_SHARED) buffer_puts(to, "__shared__ ");
  if (s->constant && t->nkids) buffer_puts(to, "const ");
  buffer_printf(to, "%s %s%s", type_name(s->type), s->pointer ? "*" : "", s->name);
  if (s->array) {
    buffer_puts(to, "[");
    cuda_expression(to, s->length);
    buffer_puts(to, "]");
  }
  if (t->nkids) {
    buffer_puts(to, " = ");
    value(to, t->kid[0]);
  }
}

/* x = y, x += y, ++x */
static void assignment(Printer *p, const Tree *t) {
  int64_t by;
  bool step = (t->number == OP_ADD || t->number == OP_SUB) && t->kid[0]->type != TYPE_ELEM &&
              tree_constant(t->kid[1], &by) && by == 1;
  if (step) {
    buffer_puts(p->to, t->number == OP_ADD ? "++" : "--");
    cuda_expression(p->to, t->kid[0]);
    return;
  }
  cuda_expression(p->to, t->kid[0]);
  buffer_printf(p->to, " %s= ", t->number ? op_spelling((Op)t->number) : "");
  value(p->to, t->kid[1]);
}

static void simple(Printer *p, const Tree *t) {
  if (!t) return;
  if (t->op == OP_DECLARE) declaration(p, t);
  else if (t->op == OP_ASSIGN) assignment(p, t);
  else cuda_expression(p->to, t);
}

/* A body on the next lines: bare when it is one short statement, in braces otherwise. */
static bool is_short(const Tree *t) {
  if (t->op == OP_SEQ) return t->nkids == 1 && is_short(t->kid[0]);
  return t->op == OP_ASSIGN || t->op == OP_ATOMIC || t->op == OP_PUSH || t->op == OP_POST || t->op == OP_LOAD_WIDE ||
         t->op == OP_STORE_WIDE || t->op == OP_RETURN || t->op == OP_BREAK || t->op == OP_CONTINUE;
}

static void body(Printer *p, const Tree *t, int indent) {
  if (is_short(t)) {
    buffer_puts(p->to, "\n");
    statement(p, t->op == OP_SEQ ? t->kid[0] : t, indent + 1);
    return;
  }
  buffer_puts(p->to, " {\n");
  cuda_statements(p->to, t, indent + 1, p->program, p->line_directives);
  buffer_fill(p->to, ' ', 2 * indent);
  buffer_puts(p->to, "}\n");
}

static void conditional(Printer *p, const Tree *t, int indent) {
  /* the other branch may not compile for T */
  buffer_puts(p->to, t->kid[0]->op == OP_REDUCES ? "if constexpr (" : "if (");
  cuda_expression(p->to, t->kid[0]);
  buffer_puts(p->to, ")");
  bool otherwise = t->nkids > 2 && t->kid[2];
  body(p, t->kid[1], indent);
  if (!otherwise) return;
  buffer_fill(p->to, ' ', 2 * indent);
  buffer_puts(p->to, "else");
  body(p, t->kid[2], indent);
}

typedef struct Wanted { const Symbol *symbol; bool found; } Wanted;

static bool look_for(void *context, const Tree *t) {
  Wanted *w = context;
  if (t->op == OP_REF && t->symbol == w->symbol) w->found = true;
  if (t->op == OP_DECLARE && t->symbol->length) tree_visit(t->symbol->length, look_for, w);
  return true;
}

/* A kernel is a template over those of the constants that its text uses. */
static bool takes(const Kernel *k, const ProgramConstant *c) {
  Wanted w = {.symbol = c->symbol, .found = k->threads == c->symbol};
  if (!c->at_launch) tree_visit(k->body, look_for, &w);
  return !c->at_launch && w.found;
}

/* sum_blocks<T, threads, loads, true>; `once' is "true" or "false" where the kernel has that flag. */
static void instance(Buffer *to, const Program *p, const Kernel *k, const char *once) {
  const char *before = "<";
  buffer_puts(to, k->name);
  if (p->generic) { buffer_printf(to, "<%s", cuda_arguments(to->arena, p)); before = ", "; }
  for (int i = 0; i < p->nconstants; i++) {
    if (!takes(k, &p->constants[i])) continue;
    buffer_printf(to, "%s%s", before, p->constants[i].symbol->name);
    before = ", ";
  }
  if (k->once) { buffer_printf(to, "%s%s", before, once); before = ", "; }
  if (*before == ',') buffer_puts(to, ">");
}

/* sum_blocks<..>, or what chooses between its two forms. */
static void launched(Buffer *to, const Program *p, const Kernel *k) {
  if (k->once) {
    buffer_printf(to, "%s ? ", k->once->name);
    instance(to, p, k, "true");
    buffer_puts(to, " : ");
  }
  instance(to, p, k, "false");
}

static void grid_and_block(Buffer *to, const Tree *launch) {
  buffer_puts(to, "dim3((unsigned)");
  expression(to, launch->kid[0], PREFIX);
  buffer_puts(to, "), dim3(");
  cuda_expression(to, launch->kid[1]);
  buffer_puts(to, ")");
}

/* How the grid is launched: its attributes, as an array. */
static void attributes(Buffer *to, const Tree *launch) {
  bool early = launch->kernel->overlaps;
  if (!launch->kernel->cluster) {
    buffer_puts(to, "cudaLaunchAttribute early = may_begin_early();\n");
    return;
  }
  buffer_printf(to, "cudaLaunchAttribute how[] = {%sas_one_cluster(", early ? "may_begin_early(), " : "");
  cuda_expression(to, launch->kid[0]);
  buffer_puts(to, ")};\n");
}

/* A grid that may begin while the one before it runs, or whose blocks are a cluster. */
static void attributed_launch(Printer *p, const Tree *t, int indent) {
  Buffer *to = p->to;
  const Kernel *k = t->kernel;
  attributes(to, t);
  buffer_fill(to, ' ', 2 * indent);
  buffer_puts(to, "const cudaLaunchConfig_t grid = {");
  grid_and_block(to, t);
  buffer_puts(to, !k->cluster    ? ", 0, stream, &early, 1};\n"
                  : k->overlaps ? ", 0, stream, how, 2};\n"
                                : ", 0, stream, how, 1};\n");
  buffer_fill(to, ' ', 2 * indent);
  buffer_puts(to, "const cudaError_t error = cudaLaunchKernelEx(&grid, ");
  launched(to, p->program, t->kernel);
  for (int i = 2; i < t->nkids; i++) {
    buffer_puts(to, ", ");
    cuda_expression(to, t->kid[i]);
  }
  buffer_puts(to, ");\n");
}

static void plain_launch(Printer *p, const Tree *t, int indent) {
  Buffer *to = p->to;
  buffer_puts(to, "void *args[] = {");
  for (int i = 2; i < t->nkids; i++) {
    const Tree *argument = t->kid[i];
    bool constant = argument->op == OP_REF && argument->symbol->constant && !argument->symbol->pointer;
    buffer_printf(to, "%s%s&", i > 2 ? ", " : "", constant ? "(void *)" : "");
    cuda_expression(to, argument);
  }
  buffer_puts(to, "};\n");
  buffer_fill(to, ' ', 2 * indent);
  buffer_puts(to, "const cudaError_t error = cudaLaunchKernel(");
  launched(to, p->program, t->kernel);
  buffer_puts(to, ", ");
  grid_and_block(to, t);
  buffer_puts(to, ", args, 0, stream);\n");
}

/* The host's part: one kernel call, in stream order. */
static void launch(Printer *p, const Tree *t, int indent) {
  if (t->kernel->overlaps || t->kernel->cluster) attributed_launch(p, t, indent);
  else plain_launch(p, t, indent);
  buffer_fill(p->to, ' ', 2 * indent);
  buffer_puts(p->to, "if (error != cudaSuccess) return error;\n");
}

static void statement(Printer *p, const Tree *t, int indent) {
  Buffer *to = p->to;
  if (p->line_directives && t->where.file && t->op != OP_SEQ) {
    int line, column;
    source_position(t->where.file, t->where.begin, &line, &column);
    buffer_printf(to, "#line %d \"%s\"\n", line, source_path(t->where.file, t->where.begin));
  }
  buffer_fill(to, ' ', 2 * indent);
  switch (t->op) {
    case OP_DECLARE: case OP_ASSIGN: simple(p, t); buffer_puts(to, ";\n"); break;
    case OP_IF: conditional(p, t, indent); break;
    case OP_LOAD_WIDE: case OP_STORE_WIDE:
      buffer_printf(to, "%s%s(&", op_spelling(t->op), t->number ? "_anywhere" : "");
      expression(to, t->kid[0], PREFIX);
      buffer_puts(to, ", &");
      expression(to, t->kid[1], PREFIX);
      buffer_puts(to, ");\n");
      break;
    case OP_FOR:
      if (t->number) {
        buffer_puts(to, t->number == UNROLL_NONE ? "#pragma unroll 1\n" : "#pragma unroll\n");
        buffer_fill(to, ' ', 2 * indent);
      }
      buffer_puts(to, "for (");
      simple(p, t->kid[0]);
      buffer_puts(to, "; ");
      simple(p, t->kid[1]);
      buffer_puts(to, "; ");
      simple(p, t->kid[2]);
      buffer_puts(to, ")");
      body(p, t->kid[3], indent);
      break;
    case OP_WHILE:
      buffer_puts(to, "while (");
      cuda_expression(to, t->kid[0]);
      buffer_puts(to, ")");
      body(p, t->kid[1], indent);
      break;
    case OP_SEQ:
      buffer_puts(to, "{\n");
      cuda_statements(to, t, indent + 1, p->program, p->line_directives);
      buffer_fill(to, ' ', 2 * indent);
      buffer_puts(to, "}\n");
      break;
    case OP_RETURN: buffer_puts(to, t->nkids ? "return " : "return cudaErrorInvalidValue");
      if (t->nkids) cuda_expression(to, t->kid[0]);
      buffer_puts(to, ";\n");
      break;
    case OP_BREAK: buffer_puts(to, "break;\n"); break;
    case OP_CONTINUE: buffer_puts(to, "continue;\n"); break;
    case OP_ATOMIC: atomic(p, t); break;
    case OP_COMMENT: buffer_printf(to, "// %s\n", t->text); break;
    case OP_CLUSTER_ARRIVE: buffer_printf(to, "__cluster_barrier_arrive%s();\n", t->number ? "_relaxed" : ""); break;
    case OP_CLUSTER_WAIT: buffer_puts(to, "__cluster_barrier_wait();\n"); break;
    case OP_SCANNER:
      buffer_printf(to, "%s<T>(", op_spelling(t->op));
      for (int i = 0; i < t->nkids; i++) {
        if (i) buffer_puts(to, ", ");
        expression(to, t->kid[i], LOOSEST);
      }
      buffer_puts(to, ");\n");
      break;
    case OP_PUSH:
      buffer_puts(to, "*in_first_block(");
      address(to, t->kid[0]);
      buffer_puts(to, ") = ");
      value(to, t->kid[1]);
      buffer_puts(to, ";\n");
      break;
    case OP_POST:
      buffer_puts(to, "post(");
      expression(to, t->kid[0], LOOSEST);
      buffer_puts(to, ", ");
      expression(to, t->kid[1], LOOSEST);
      buffer_puts(to, ", ");
      value(to, t->kid[2]);
      buffer_puts(to, ");\n");
      break;
    case OP_BARRIER: buffer_puts(to, t->scope == SCOPE_WARP ? "__syncwarp();\n" : "__syncthreads();\n"); break;
    case OP_AFTER_GRIDS: buffer_puts(to, "after_earlier_grids();\n"); break;
    case OP_LAUNCH: launch(p, t, indent); break;
    default: cuda_expression(to, t); buffer_puts(to, ";\n");
  }
}

void cuda_statements(Buffer *to, const Tree *seq, int indent, const Program *program, bool line_directives) {
  Printer p = {to, program, line_directives};
  if (seq->op != OP_SEQ) { statement(&p, seq, indent); return; }
  for (int i = 0; i < seq->nkids; i++) statement(&p, seq->kid[i], indent);
}

/* ---- kernels ---- */

static void parameters(Printer *p, const Kernel *k) {
  for (int i = 0; i < k->nparams; i++) {
    const Symbol *s = k->params[i];
    if (i) buffer_puts(p->to, ", ");
    /* Where other grids may still store, no compiler may take what it loads for constant. */
    if (s->pointer)
      buffer_printf(p->to, "%s%s *%s%s", s->constant ? "const " : "", type_name(s->type),
                    k->overlaps ? "" : "__restrict__ ", s->name);
    else buffer_printf(p->to, "%s %s", type_name(s->type), s->name);
  }
}

static void template_head(Buffer *to, const Program *p, const Kernel *k) {
  const char *before = "template <";
  if (p->generic) { buffer_printf(to, "%s%s", before, cuda_generic(to->arena, p)); before = ", "; }
  for (int i = 0; i < p->nconstants; i++) {
    const Symbol *s = p->constants[i].symbol;
    if (!takes(k, &p->constants[i])) continue;
    buffer_printf(to, "%s%s %s", before, type_name(s->type), s->name);
    before = ", ";
  }
  if (k->once) { buffer_printf(to, "%sbool %s", before, k->once->name); before = ", "; }
  if (*before == ',') buffer_puts(to, ">\n");
}

static bool uses(const Kernel *k, Op op) {
  return tree_contains(k->body, op);
}

void cuda_kernel(Buffer *to, const Kernel *k, const Program *program, bool line_directives) {
  Printer p = {to, program, line_directives};
  if (k->note) buffer_printf(to, "// %s\n", k->note);
  template_head(to, program, k);
  buffer_puts(to, "__global__ void ");
  /* One block a multiprocessor is enough: else ptxas saves registers for more blocks, and loads wait for one
   * another. */
  if (k->threads) {
    buffer_printf(to, "__launch_bounds__(%s, ", k->threads->name);
    if (k->resident) cuda_expression(to, k->resident);
    else buffer_puts(to, "1");
    buffer_puts(to, ") ");
  }
  buffer_printf(to, "%s(", k->name);
  parameters(&p, k);
  buffer_puts(to, ") {\n");
  if (uses(k, OP_BLOCK_ID)) buffer_puts(to, "  const Index block = blockIdx.x;\n");
  if (uses(k, OP_RANK)) buffer_puts(to, "  const int rank = __clusterRelativeBlockRank();\n");
  if (uses(k, OP_THREAD)) buffer_puts(to, "  const int thread = threadIdx.x;\n");
  if (uses(k, OP_LANE)) buffer_puts(to, "  const int lane = threadIdx.x % 32;\n");
  if (uses(k, OP_WARP)) buffer_puts(to, "  const int warp = threadIdx.x / 32;\n");
  cuda_statements(to, k->body, 1, program, line_directives);
  buffer_puts(to, "}\n");
}
