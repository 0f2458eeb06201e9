/* cuda.c: kernel form as CUDA C++: the dialect of CUDA. */
#include <inttypes.h>
#include <string.h>

#include "emit/instances.h"
#include "emit/printer.h"
#include "emit/variant.h"
#include "ir/native.h"
#include "ir/operator.h"

/* ---- expressions ---- */

static void shuffle(const Printer *p, const Tree *t) {
  static const char *const names[] = {"__shfl_down_sync", "__shfl_up_sync", "__shfl_xor_sync", "__shfl_sync"};
  static const char *const by_words[] = {"shuffle_down", "shuffle_up", "shuffle_xor", "shuffle"};
  if (t->words) buffer_printf(p->to, "%s(", by_words[t->mode]);
  else buffer_printf(p->to, "%s(0xffffffff, ", names[t->mode]);
  print_expression(p, t->kid[0], LOOSEST);
  buffer_puts(p->to, ", ");
  print_expression(p, t->kid[1], LOOSEST);
  buffer_puts(p->to, ")");
}

/* A call of a counter's function, whose last argument is a number of blocks, as unsigned. */
static void counter_call(const Printer *p, const Tree *t) {
  buffer_printf(p->to, "%s(", op_spelling(t->op));
  print_expression(p, t->kid[0], LOOSEST);
  buffer_puts(p->to, ", (unsigned)");
  print_expression(p, t->kid[1], PREFIX);
  buffer_puts(p->to, ")");
}

const char *cuda_element_type(const Program *p) { return p->generic ? type_name(TYPE_ELEM) : type_name(p->element); }

const char *cuda_total_type(const Program *p) {
  return p->totals == TYPE_VOID || p->totals == TYPE_ELEM ? cuda_element_type(p) : type_name(p->totals);
}

/* min and max are overloaded for operands of one type: constants are cast to it. */
static void minmax(const Printer *p, const Tree *t, const char *name) {
  buffer_printf(p->to, "%s(", name);
  for (int i = 0; i < t->nkids; i++) {
    const Tree *x = t->kid[i];
    if (i) buffer_puts(p->to, ", ");
    if (print_is_whole(x)) buffer_printf(p->to, "(%s)", type_name(t->type));
    print_expression(p, x, print_is_whole(x) ? PREFIX : LOOSEST);
  }
  buffer_puts(p->to, ")");
}

/* Where an element is, another block's, too. */
static void print_source(const Printer *p, const Tree *element) {
  if (element->op == OP_PULL) {
    buffer_puts(p->to, "in_block(");
    print_address(p, element->kid[0]);
    buffer_puts(p->to, ", ");
    print_expression(p, element->kid[1], LOOSEST);
    buffer_puts(p->to, ")");
    return;
  }
  buffer_puts(p->to, "&");
  print_expression(p, element, PREFIX);
}

/* "M, ": the operator by which totals are combined, where it is a user's. */
static const char *operator_of_totals(Arena *a, const Program *p) {
  if (type_is_state(p->totals)) return arena_printf(a, "%s, ", state_operator(p->totals));
  return p->monoid ? "M, " : "";
}

static bool cuda_expression_of_dialect(const Printer *p, const Tree *t) {
  Arena *a = p->to->arena;
  switch (t->op) {
    case OP_LIMIT:
      buffer_printf(p->to, "%s<%s>()", t->limit == LIMIT_LOWEST ? "lowest" : "highest", type_name(t->type));
      break;
    case OP_THREAD: buffer_puts(p->to, "thread"); break;
    case OP_WARP: buffer_puts(p->to, "warp"); break;
    case OP_BLOCK_ID: buffer_puts(p->to, "block"); break;
    case OP_CLUSTER_ID: buffer_puts(p->to, "cluster"); break;
    case OP_RANK: buffer_puts(p->to, "rank"); break;
    case OP_GRID_DIM: buffer_puts(p->to, "gridDim.x"); break;
    case OP_MIN: minmax(p, t, t->type == TYPE_INDEX ? "min_index" : "min"); break;
    case OP_MAX: minmax(p, t, t->type == TYPE_INDEX ? "max_index" : "max"); break;
    case OP_SHUFFLE: shuffle(p, t); break;
    case OP_PULL:
      buffer_puts(p->to, "*");
      print_source(p, t);
      break;
    case OP_ANY:
      buffer_puts(p->to, "__any_sync(0xffffffff, ");
      print_expression(p, t->kid[0], LOOSEST);
      buffer_puts(p->to, ")");
      break;
    case OP_ALIKE: print_call(p, "alike", t); break;
    case OP_POPCOUNT: print_call(p, "__popc", t); break;
    case OP_ORDER_BITS: print_call(p, "order_bits", t); break;
    case OP_ORDER_SIZE: buffer_printf(p->to, "8 * (int)sizeof(%s)", type_name(t->element)); break;
    case OP_HALF: case OP_IN_BOXES: case OP_BESIDE: print_call(p, op_spelling(t->op), t); break;
    case OP_REDUCES: buffer_printf(p->to, "reduces<%s>", type_name(t->element)); break;
    case OP_REDUCE:
      buffer_printf(p->to, "__reduce_%s_sync(0xffffffff, ", operator_name(t->combines));
      print_expression(p, t->kid[0], LOOSEST);
      buffer_puts(p->to, ")");
      break;
    case OP_WIDTH: buffer_printf(p->to, "16 / (int)sizeof(%s)", type_name(t->element)); break;
    case OP_COLLECT: print_call(p, arena_printf(a, "%s<%s>", op_spelling(t->op), type_name(t->type)), t); break;
    case OP_LOOK_BACK: case OP_PRIOR_TOTAL:
      print_call(p, arena_printf(a, "%s<%s%s>", op_spelling(t->op), operator_of_totals(a, p->program),
                                 cuda_total_type(p->program)), t);
      break;
    case OP_ARRIVE: case OP_BEGIN: case OP_TICKET: counter_call(p, t); break;
    case OP_MAKE_BOXES:
      buffer_printf(p->to, "make_boxes(&%s, &", t->kid[0]->symbol->name);
      for (int i = 1; i < t->nkids; i++) {
        print_expression(p, t->kid[i], i == 1 ? PREFIX : LOOSEST);
        buffer_puts(p->to, i + 1 < t->nkids ? ", " : ")");
      }
      break;
    case OP_COMES_LAST: case OP_ANY_OF_BLOCK: print_call(p, op_spelling(t->op), t); break;
    case OP_SEE_ANY:
      buffer_puts(p->to, "see_any(");
      print_address(p, t->kid[0]);
      buffer_puts(p->to, ")");
      break;
    case OP_CLAIM:
      buffer_printf(p->to, "claim<%s>(", type_name(t->kid[0]->type));
      print_address(p, t->kid[0]);
      for (int i = 1; i < t->nkids; i++) {
        buffer_puts(p->to, ", ");
        print_expression(p, t->kid[i], LOOSEST);
      }
      buffer_puts(p->to, ")");
      break;
    case OP_TO_ALIGNED:
      buffer_puts(p->to, "to_aligned(&");
      print_expression(p, t->kid[0], PREFIX);
      buffer_puts(p->to, ")");
      break;
    default: return false;
  }
  return true;
}

/* ---- statements ---- */

static void atomic(const Printer *p, const Tree *t) {
  AtomicOp op = t->atomic;
  const char *scope = t->scope == SCOPE_BLOCK ? "_block" : "";
  if (op == ATOMIC_ANY) {
    buffer_printf(p->to, "set_any<%s>(", type_name(t->kid[0]->type));
    print_address(p, t->kid[0]);
    buffer_puts(p->to, ", ");
    print_expression(p, t->kid[1], LOOSEST);
    buffer_puts(p->to, ");\n");
    return;
  }
  if (op == ATOMIC_APPEND) {
    const bool here = t->nkids > 4;
    buffer_printf(p->to, "append%s<%s>(", here ? "_here" : "", type_name(t->kid[2]->type));
    for (int i = 4; i < t->nkids; i++) {
      print_expression(p, t->kid[i], LOOSEST);
      buffer_puts(p->to, ", ");
    }
    print_address(p, t->kid[0]);
    buffer_puts(p->to, ", ");
    print_expression(p, t->kid[1], LOOSEST);
    buffer_puts(p->to, ", ");
    print_address(p, t->kid[2]);
    buffer_puts(p->to, ", ");
    print_expression(p, t->kid[3], LOOSEST);
    buffer_puts(p->to, ");\n");
    return;
  }
  if (op == ATOMIC_USER) buffer_printf(p->to, "atomic_op%s<M>(", scope);
  else if (p->program->helpers & HELPER(op, t->scope)) {
    char name[8];
    snprintf(name, sizeof name, "%s", atomic_name(op));
    name[0] = (char)(name[0] - 'A' + 'a');
    buffer_printf(p->to, "atomic_%s%s(", name, scope);
  } else buffer_printf(p->to, "atomic%s%s(", atomic_name(op), scope);
  print_address(p, t->kid[0]);
  buffer_puts(p->to, ", ");
  print_expression(p, t->kid[1], LOOSEST);
  buffer_puts(p->to, ");\n");
}

/* Lanes beside its threads, behind these. */
static void print_beside(const Printer *p, const Kernel *k) {
  if (k->beside) buffer_puts(p->to, " + ");
  if (k->beside) print_expression(p, k->beside, PRODUCT);
}

static void grid_and_block(const Printer *p, const Tree *launch) {
  Buffer *to = p->to;
  buffer_puts(to, "dim3((unsigned)");
  print_expression(p, launch->kid[0], PREFIX);
  buffer_puts(to, "), dim3(");
  print_expression(p, launch->kid[1], LOOSEST);
  print_beside(p, launch->kernel);
  buffer_puts(to, ")");
}

/* The launch attributes, as an array. */
static void launch_attributes(const Printer *p, const Tree *launch) {
  Buffer *to = p->to;
  bool early = launch->kernel->overlaps;
  if (!launch->kernel->cluster) {
    buffer_puts(to, "cudaLaunchAttribute early = may_begin_early();\n");
    return;
  }
  buffer_printf(to, "cudaLaunchAttribute how[] = {%sin_clusters(", early ? "may_begin_early(), " : "");
  print_expression(p, launch->kernel->cluster, LOOSEST);
  buffer_puts(to, ")};\n");
}

/* Does the launch ask for shared memory? */
static bool asks(const Printer *p, const Tree *launch) {
  return p->program->asks_for_shared == launch->kernel;
}

static void print_tunable(Buffer *to, const Tunable *t) { buffer_puts(to, t->name); }

static void ask_for_shared(const Printer *p, const Tree *launch, int indent) {
  Buffer *to = p->to;
  const Kernel *k = launch->kernel;
  if (k->even_over) {
    buffer_puts(to, "// early blocks would be put where there is room: several beside one another, none elsewhere\n");
    buffer_fill(to, ' ', 2 * indent);
  }
  buffer_printf(to, "const size_t shared = %sshared_bytes<", k->even_over ? "evenly_shared(" : "");
  if (p->program->generic) buffer_printf(to, "%s, ", cuda_template_arguments(to->arena, p->program));
  emit_static_tunables(to, p->program, print_tunable);
  buffer_puts(to, ">()");
  if (k->even_over) {
    buffer_puts(to, ", ");
    print_expression(p, launch->kid[0], LOOSEST);
    buffer_printf(to, ", %" PRId64 ", %" PRId64 ")", k->even_over, k->even_bytes);
  }
  buffer_puts(to, ";\n");
  buffer_fill(to, ' ', 2 * indent);
  buffer_puts(to, "const cudaError_t allowed = ask_for_shared(");
  instances_choose(to, p->program, k);
  buffer_puts(to, ", shared);\n");
  buffer_fill(to, ' ', 2 * indent);
  buffer_puts(to, "if (allowed != cudaSuccess) return allowed;\n");
  buffer_fill(to, ' ', 2 * indent);
}

/* By `grid', with its arguments. */
static void call_kernel(const Printer *p, const Tree *launch) {
  Buffer *to = p->to;
  buffer_puts(to, "const cudaError_t error = cudaLaunchKernelEx(&grid, ");
  instances_choose(to, p->program, launch->kernel);
  for (int i = 2; i < launch->nkids; i++) {
    buffer_puts(to, ", ");
    print_expression(p, launch->kid[i], LOOSEST);
  }
  buffer_puts(to, ");\n");
}

/* A programmatic dependent launch, or one with clusters. */
static void attributed_launch(const Printer *p, const Tree *t, int indent) {
  Buffer *to = p->to;
  const Kernel *k = t->kernel;
  launch_attributes(p, t);
  buffer_fill(to, ' ', 2 * indent);
  buffer_puts(to, "const cudaLaunchConfig_t grid = {");
  grid_and_block(p, t);
  buffer_printf(to, ", %s, stream, %s};\n", asks(p, t) ? "shared" : "0",
                !k->cluster ? "&early, 1" : k->overlaps ? "how, 2" : "how, 1");
  buffer_fill(to, ' ', 2 * indent);
  call_kernel(p, t);
}

/* Of a grid that stays: no more blocks than run at once. */
static void launch_together(const Printer *p, const Tree *t, int indent) {
  Buffer *to = p->to;
  buffer_puts(to, "Index at_once = 0;\n");
  buffer_fill(to, ' ', 2 * indent);
  buffer_puts(to, "const cudaError_t allowed = blocks_at_once(");
  instances_choose(to, p->program, t->kernel);
  buffer_puts(to, ", ");
  print_expression(p, t->kid[1], LOOSEST);
  buffer_puts(to, ", &at_once);\n");
  buffer_fill(to, ' ', 2 * indent);
  buffer_puts(to, "if (allowed != cudaSuccess) return allowed;\n");
  buffer_fill(to, ' ', 2 * indent);
  buffer_puts(to, "if (at_once > ");
  print_expression(p, t->kid[0], PREFIX);
  buffer_puts(to, ") at_once = ");
  print_expression(p, t->kid[0], LOOSEST);
  buffer_puts(to, ";\n");
  buffer_fill(to, ' ', 2 * indent);
  buffer_puts(to, "cudaLaunchAttribute how = all_at_once();\n");
  buffer_fill(to, ' ', 2 * indent);
  buffer_puts(to, "const cudaLaunchConfig_t grid = {dim3((unsigned)at_once), dim3(");
  print_expression(p, t->kid[1], LOOSEST);
  buffer_puts(to, "), 0, stream, &how, 1};\n");
  buffer_fill(to, ' ', 2 * indent);
  call_kernel(p, t);
}

static void plain_launch(const Printer *p, const Tree *t, int indent) {
  Buffer *to = p->to;
  buffer_puts(to, "void *args[] = {");
  for (int i = 2; i < t->nkids; i++) {
    const Tree *argument = t->kid[i];
    bool constant = argument->op == OP_REF && argument->symbol->constant && !argument->symbol->pointer;
    buffer_printf(to, "%s%s&", i > 2 ? ", " : "", constant ? "(void *)" : "");
    print_expression(p, argument, LOOSEST);
  }
  buffer_puts(to, "};\n");
  buffer_fill(to, ' ', 2 * indent);
  buffer_puts(to, "const cudaError_t error = cudaLaunchKernel(");
  instances_choose(to, p->program, t->kernel);
  buffer_puts(to, ", ");
  grid_and_block(p, t);
  buffer_printf(to, ", args, %s, stream);\n", asks(p, t) ? "shared" : "0");
}

/* The host's part: one kernel call, in stream order. */
static void launch(const Printer *p, const Tree *t, int indent) {
  if (asks(p, t)) ask_for_shared(p, t, indent);
  if (t->kernel->together) launch_together(p, t, indent);
  else if (t->kernel->overlaps || t->kernel->cluster) attributed_launch(p, t, indent);
  else plain_launch(p, t, indent);
  buffer_fill(p->to, ' ', 2 * indent);
  buffer_puts(p->to, "if (error != cudaSuccess) return error;\n");
}

/* A function's call of a statement's name: arrays by address, then numbers. */
static void array_call(const Printer *p, const Tree *t, const char *name) {
  Buffer *to = p->to;
  buffer_printf(to, "%s(", name);
  for (int i = 0; i < t->nkids; i++) {
    buffer_puts(to, i ? ", " : "");
    if (t->kid[i]->op == OP_INDEX) buffer_puts(to, "&");
    print_expression(p, t->kid[i], t->kid[i]->op == OP_INDEX ? PREFIX : LOOSEST);
  }
  buffer_puts(to, ");\n");
}

/* The same of a template, of whose kids, by their numbers, some stand between angles. */
static void template_call(const Printer *p, const Tree *t, const char *in_angles, const char *arguments) {
  Buffer *to = p->to;
  buffer_printf(to, "%s<", op_spelling(t->op));
  for (const char *i = in_angles; *i; i++) {
    buffer_puts(to, i > in_angles ? ", " : "");
    print_expression(p, t->kid[*i - '0'], LOOSEST);
  }
  buffer_puts(to, ">(");
  for (const char *i = arguments; *i; i++) {
    const Tree *kid = t->kid[*i - '0'];
    buffer_printf(to, "%s%s", i > arguments ? ", " : "", kid->op == OP_INDEX ? "&" : "");
    print_expression(p, kid, kid->op == OP_INDEX ? PREFIX : LOOSEST);
  }
  buffer_puts(to, ");\n");
}

/* Are rows copied as one run, where they lie so? */
static bool as_a_run(const Tree *copy) { return !tree_equal(copy->kid[7], copy->kid[8]); }

/* The host knows whether the loop has ended once the stream is empty. */
static void ask(const Printer *p, const Tree *t, int indent) {
  Buffer *to = p->to;
  buffer_puts(to, "if (asks_after(");
  print_expression(p, t->kid[1], LOOSEST);
  buffer_puts(to, ")) {\n");
  buffer_fill(to, ' ', 2 * indent + 2);
  buffer_puts(to, "int is_left = 0;\n");
  buffer_fill(to, ' ', 2 * indent + 2);
  buffer_puts(to, "const cudaError_t error = wait_and_ask(&");
  print_expression(p, t->kid[0], PREFIX);
  buffer_puts(to, ", &is_left, stream);\n");
  buffer_fill(to, ' ', 2 * indent + 2);
  buffer_puts(to, "if (error != cudaSuccess) return error;\n");
  buffer_fill(to, ' ', 2 * indent + 2);
  buffer_puts(to, "if (is_left != 0) break;\n");
  buffer_fill(to, ' ', 2 * indent);
  buffer_puts(to, "}\n");
}

static void ask_end(const Printer *p, const Tree *t, int indent) {
  buffer_puts(p->to, "{\n");
  buffer_fill(p->to, ' ', 2 * indent + 2);
  buffer_puts(p->to, "const cudaError_t error = wait_for_end(&");
  print_expression(p, t->kid[0], PREFIX);
  buffer_puts(p->to, ", stream);\n");
  buffer_fill(p->to, ' ', 2 * indent + 2);
  buffer_puts(p->to, "if (error != cudaSuccess) return error;\n");
  buffer_fill(p->to, ' ', 2 * indent);
  buffer_puts(p->to, "}\n");
}

/* `const cudaError_t NAME = captured.open(&stream, ..);', and what an error leads to. */
static void to_node(const Printer *p, const char *call, const char *result, const Tree *t, int indent) {
  Buffer *to = p->to;
  buffer_printf(to, "const cudaError_t %s = captured.%s(&stream, ", result, call);
  if (strcmp(call, "close") == 0) {
    buffer_puts(to, "&");
    print_expression(p, t->kid[0], PREFIX);
    buffer_puts(to, ", ");
  }
  print_expression(p, t->kid[1], LOOSEST);
  buffer_puts(to, ");\n");
  buffer_fill(to, ' ', 2 * indent);
  buffer_printf(to, "if (%s != cudaSuccess) return %s;\n", result, result);
}

static void loop_node(const Printer *p, const Tree *t, int indent) {
  Buffer *to = p->to;
  buffer_puts(to, "{\n");
  buffer_fill(to, ' ', 2 * indent + 2);
  buffer_puts(to, "LoopNode captured;\n");
  buffer_fill(to, ' ', 2 * indent + 2);
  to_node(p, "open", "opened", t, indent + 1);
  print_statements(p, t->kid[2], indent + 1);
  buffer_fill(to, ' ', 2 * indent + 2);
  to_node(p, "close", "closed", t, indent + 1);
  buffer_fill(to, ' ', 2 * indent);
  buffer_puts(to, "}\n");
}

static bool cuda_statement_of_dialect(const Printer *p, const Tree *t, int indent) {
  static const char *const ways[] = {[WIDE_ALIGNED] = "", [WIDE_ANYWHERE] = "_anywhere", [WIDE_ONCE] = "_once",
                                    [WIDE_APART] = "_apart", [WIDE_SHARED] = "_shared"};
  Buffer *to = p->to;
  switch (t->op) {
    case OP_LOAD_WIDE: case OP_STORE_WIDE:
      if (t->move == WIDE_ROW) buffer_printf(to, "load_row<%s>(&", cuda_element_type(p->program));
      else buffer_printf(to, "%s%s(&", op_spelling(t->op), ways[t->move]);
      print_expression(p, t->kid[0], PREFIX);
      buffer_puts(to, ", ");
      print_source(p, t->kid[1]);
      if (t->move == WIDE_APART) {
        buffer_puts(to, ", ");
        print_expression(p, t->kid[2], LOOSEST);
      }
      buffer_puts(to, ");\n");
      break;
    case OP_TAKE_WORDS: template_call(p, t, "0", "12"); break;
    case OP_LOAD_A: case OP_LOAD_B: case OP_LOAD_WORDS: case OP_PART_OF_A: case OP_MULTIPLY: case OP_MULTIPLY_TILE:
    case OP_LOAD_SEVERAL:
      array_call(p, t, op_spelling(t->op));
      break;
    case OP_COPY_AHEAD:
      buffer_puts(to, "copy_ahead<");
      print_expression(p, t->kid[2], POSTFIX);
      buffer_puts(to, ">(&");
      print_expression(p, t->kid[0], PREFIX);
      buffer_puts(to, ", &");
      print_expression(p, t->kid[1], PREFIX);
      buffer_puts(to, ", ");
      print_expression(p, t->kid[3], LOOSEST);
      buffer_puts(to, ");\n");
      break;
    case OP_LOAD_NEAR: template_call(p, t, "0", "123"); break;
    case OP_KEEP_NEAR: template_call(p, t, "0", "12345"); break;
    case OP_UNIT_LOAD: template_call(p, t, "0", "12345"); break;
    case OP_UNIT_STORE: template_call(p, t, "7", "0123456"); break;
    case OP_UNIT_SUMS: template_call(p, t, "0", "12"); break;
    case OP_LOAD_RUN: template_call(p, t, "234", "01"); break;
    case OP_STORE_RUN: template_call(p, t, "23", "014567"); break;
    case OP_UNIT_SCAN: template_call(p, t, "0", "1234"); break;
    case OP_COPY_PANEL: case OP_COPY_CHUNK: case OP_BEGIN_SUMS: array_call(p, t, op_spelling(t->op)); break;
    case OP_STORE_PAIR: array_call(p, t, t->compound ? "add_pair" : op_spelling(t->op)); break;
    case OP_COPY_ROWS: template_call(p, t, "68", as_a_run(t) ? "0123457" : "012345"); break;
    case OP_OPEN_PANELS: template_call(p, t, "01", t->nkids > 2 ? "2" : ""); break;
    case OP_AWAIT_ROOM: case OP_FREE_PANEL: template_call(p, t, "0", "1"); break;
    case OP_DELIVER_BOXES: template_call(p, t, "56", "10234"); break;
    case OP_AWAIT_PANEL: template_call(p, t, "02", "1"); break;
    case OP_MULTIPLY_GROUP: template_call(p, t, "367", "01245"); break;
    case OP_FETCH_AHEAD:
      buffer_puts(to, "fetch_ahead(&");
      print_expression(p, t->kid[0], PREFIX);
      buffer_puts(to, ");\n");
      break;
    case OP_CLOSE_COPIES: case OP_OPEN_PRODUCTS: buffer_printf(to, "%s();\n", op_spelling(t->op)); break;
    case OP_AWAIT_COPIES: case OP_AWAIT_READS: template_call(p, t, "0", ""); break;
    case OP_AWAIT_PRODUCTS: template_call(p, t, "0", t->nkids > 1 && t->kid[1]->op == OP_REF ? "1" : ""); break;
    case OP_ATOMIC: atomic(p, t); break;
    case OP_CLUSTER_ARRIVE: buffer_printf(to, "__cluster_barrier_arrive%s();\n", t->relaxed ? "_relaxed" : ""); break;
    case OP_CLUSTER_WAIT: buffer_puts(to, "__cluster_barrier_wait();\n"); break;
    case OP_SCANNER: /* sizeof(T) is not known here */
      buffer_printf(to, "__shared__ unsigned long long handed[words_each<%s>()];\n", cuda_total_type(p->program));
      buffer_fill(to, ' ', 2 * indent);
      buffer_printf(to, "%s<%s%s>(", op_spelling(t->op), operator_of_totals(to->arena, p->program),
                    cuda_total_type(p->program));
      for (int i = 0; i < t->nkids; i++) {
        print_expression(p, t->kid[i], LOOSEST);
        buffer_puts(to, ", ");
      }
      buffer_puts(to, "handed);\n");
      break;
    case OP_PUSH:
      buffer_puts(to, "*in_block(");
      print_address(p, t->kid[0]);
      buffer_puts(to, ", 0) = ");
      print_value(p, t->kid[1]);
      buffer_puts(to, ";\n");
      break;
    case OP_POST:
      buffer_puts(to, "post(");
      print_expression(p, t->kid[0], LOOSEST);
      buffer_puts(to, ", ");
      print_expression(p, t->kid[1], LOOSEST);
      buffer_puts(to, ", ");
      print_value(p, t->kid[2]);
      buffer_puts(to, ");\n");
      break;
    case OP_BARRIER: buffer_puts(to, t->scope == SCOPE_WARP ? "__syncwarp();\n" : "__syncthreads();\n"); break;
    case OP_AFTER_GRIDS: buffer_puts(to, "after_earlier_grids();\n"); break;
    case OP_APPEND_HELD:
      buffer_printf(to, "append_held<%s>(", type_name(t->kid[5]->type));
      for (int i = 0; i < t->nkids; i++) {
        if (i) buffer_puts(to, ", ");
        if (t->kid[i]->op == OP_INDEX) print_address(p, t->kid[i]);
        else print_expression(p, t->kid[i], LOOSEST);
      }
      buffer_puts(to, ");\n");
      break;
    case OP_RESERVE: array_call(p, t, t->nkids > 4 ? "reserve_here" : "reserve"); break;
    case OP_ADD_OF_BLOCK: case OP_MEET: case OP_GO_ON: case OP_DISPERSE: array_call(p, t, op_spelling(t->op)); break;
    case OP_LAUNCH: launch(p, t, indent); break;
    case OP_ASK: ask(p, t, indent); break;
    case OP_ASK_END: ask_end(p, t, indent); break;
    case OP_LOOP_NODE: loop_node(p, t, indent); break;
    case OP_END_NODE: buffer_puts(to, "if (captured.body) break; // the graph goes on\n"); break;
    case OP_GIVE_UP: buffer_puts(to, "return cudaErrorLaunchTimeout;\n"); break;
    default: return false;
  }
  return true;
}

static const char *native_name(const Printer *p, const Tree *call) {
  (void)p;
  return call->native->name;
}

static const Dialect cuda = {cuda_expression_of_dialect, cuda_statement_of_dialect, "T(%s)", "__shared__ ",
                             "cudaErrorInvalidValue", true, native_name};

void cuda_expression(Buffer *to, const Tree *t) {
  Printer p = {.to = to, .dialect = &cuda};
  print_expression(&p, t, LOOSEST);
}

void cuda_statements(Buffer *to, const Tree *seq, int indent, const Program *program, const char *line_folder) {
  Printer p = {to, program, NULL, line_folder, &cuda};
  print_statements(&p, seq, indent);
}

/* ---- kernels ---- */

static void parameters(const Printer *p, const Kernel *k) {
  for (int i = 0; i < k->nparams; i++) {
    const Symbol *s = k->params[i];
    if (i) buffer_puts(p->to, ", ");
    if (s->pointer && s->constant) buffer_puts(p->to, "const ");
    if (s->type == TYPE_BOXES) buffer_puts(p->to, "const __grid_constant__ ");
    /* With programmatic dependent launch an earlier grid may still store, and a grid that stays stores for its other
     * blocks: loads must not be assumed constant. */
    print_variable(p, s, k->overlaps || k->together || k->goes_on ? "" : "__restrict__ ");
  }
}

static bool kernel_uses(const Kernel *k, Op op) {
  return tree_contains(k->body, op);
}

void cuda_kernel(Buffer *to, const Kernel *k, const Program *program, const char *line_folder) {
  Printer p = {to, program, k, line_folder, &cuda};
  if (k->note) buffer_printf(to, "// %s\n", k->note);
  instances_head(to, program, k);
  buffer_puts(to, "__global__ void ");
  if (k->threads) {
    buffer_printf(to, "__launch_bounds__(%s", k->threads->name);
    print_beside(&p, k);
    print_resident(&p, k);
  }
  buffer_printf(to, "%s(", k->name);
  parameters(&p, k);
  buffer_puts(to, ") {\n");
  if (kernel_uses(k, OP_BLOCK_ID)) buffer_puts(to, "  const Index block = blockIdx.x;\n");
  if (kernel_uses(k, OP_CLUSTER_ID)) buffer_puts(to, "  const Index cluster = __clusterIdx().x;\n");
  if (kernel_uses(k, OP_RANK)) buffer_puts(to, "  const int rank = __clusterRelativeBlockRank();\n");
  if (kernel_uses(k, OP_THREAD)) buffer_puts(to, "  const int thread = threadIdx.x;\n");
  if (kernel_uses(k, OP_LANE)) buffer_puts(to, "  const int lane = threadIdx.x % 32;\n");
  if (kernel_uses(k, OP_WARP)) buffer_puts(to, "  const int warp = threadIdx.x / 32;\n");
  print_statements(&p, k->body, 1);
  buffer_puts(to, "}\n");
}
