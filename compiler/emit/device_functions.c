/* device_functions.c: the device functions that a program's kernels and its host call: pieces of the files of
 * runtime/device. */
#include <inttypes.h>
#include <string.h>

#include "emit/paste.h"
#include "emit/variant.h"
#include "ir/operator.h"

typedef struct WideMoves { bool load[WIDE_SHARED + 1], store[WIDE_SHARED + 1], several, runs; } WideMoves;

static bool note_wide_move(void *context, const Tree *t) {
  WideMoves *w = context;
  if (t->op == OP_LOAD_WIDE) w->load[t->move] = true;
  if (t->op == OP_LOAD_SEVERAL) w->several = true;
  if (t->op == OP_LOAD_RUN || t->op == OP_STORE_RUN) w->runs = true;
  if (t->op == OP_STORE_WIDE) w->store[t->move] = true;
  if (t->op == OP_UNIT_STORE) w->store[WIDE_ALIGNED] = true;
  return true;
}

/* Rows that are copied as one run where they lie so. */
static bool note_run(void *context, const Tree *t) {
  bool *run = context;
  *run |= t->op == OP_COPY_ROWS && !tree_equal(t->kid[7], t->kid[8]);
  return !*run;
}

static void wide_moves(Buffer *to, const Program *p) {
  WideMoves w = {0};
  for (int i = 0; i < p->nkernels; i++) tree_visit(p->kernels[i]->body, note_wide_move, &w);
  const bool load = w.load[WIDE_ALIGNED] || w.load[WIDE_ANYWHERE] || w.load[WIDE_APART],
      store = w.store[WIDE_ALIGNED] || w.store[WIDE_ANYWHERE];
  const bool aligned = load || store || w.runs || w.load[WIDE_ROW] || tree_contains(p->launches, OP_TO_ALIGNED) ||
                       kernels_use(p, OP_TO_ALIGNED);
  paste(to, device_wide, "TO_ALIGNED", paste_if(aligned), "LOAD", paste_if(load),
        "LOAD_ANYWHERE", paste_if(w.load[WIDE_ANYWHERE]), "LOAD_ONCE", paste_if(w.load[WIDE_ONCE]),
        "LOAD_APART", paste_if(w.load[WIDE_APART]),
        "LOAD_ROW", paste_if(w.load[WIDE_ROW]), "LOAD_SEVERAL", paste_if(w.several), "STORE", paste_if(store),
        "STORE_ANYWHERE", paste_if(w.store[WIDE_ANYWHERE]), "STORE_SHARED", paste_if(w.store[WIDE_SHARED]),
        "RUNS", paste_if(w.runs), "AHEAD", paste_if(kernels_use(p, OP_FETCH_AHEAD)), NULL);
}

static const char *number(Arena *a, int64_t n) { return arena_printf(a, "%" PRId64, n); }

/* The occupancy of a kernel that keeps its tiles in registers. The tiles may fill the share of a multiprocessor's
 * registers that was best (kept_eighths); where the machine's spec has the registers of a lane, no lane may spill. */
static void resident(Buffer *to, const Output *o, const Program *p) {
  enum { REGISTER_BYTES = 4, ROW_BYTES = 16 };
  const Arch *m = o->machine;
  const Kernel *keeps = NULL;
  for (int i = 0; i < p->nkernels; i++)
    if (p->kernels[i]->kept) keeps = p->kernels[i];
  if (!keeps) return;
  Arena *a = to->arena;
  const int64_t bytes = m->registers_unit * REGISTER_BYTES / 8 * m->measured.kept_eighths;
  paste(to, device_resident, "BY_REGISTERS", paste_if(keeps->lane_registers), "KILOBYTES", number(a, bytes >> 10),
        "ROWS", number(a, bytes / ROW_BYTES), "THREADS", number(a, m->threads_unit),
        "BLOCKS", number(a, m->blocks_unit), "REGISTERS", number(a, m->registers_unit), NULL);
}

/* ---- matrix units ---- */

/* `first' and so many more operands of one kind: "%0, %1", or with what binds them. */
static void operands(Buffer *to, int first, int n) {
  buffer_puts(to, "{");
  for (int i = 0; i < n; i++) buffer_printf(to, "%s%%%d", i ? ", " : "", first + i);
  buffer_puts(to, "}");
}

static void bound(Buffer *to, const char *constraint, const char *of, int n) {
  for (int i = 0; i < n; i++) buffer_printf(to, "%s\"%s\"(%s[%d])", i ? ", " : "", constraint, of, i);
}

/* One instruction as inline assembly. Of elements of less than 32 bits several are in a register. */
static const char *instruction(Arena *a, const MatrixUnit *u, const ElementType *e, bool in_order) {
  enum { REGISTER = 4 };
  const int packed = e->bytes < REGISTER ? REGISTER / e->bytes : 1;
  const int na = u->m * u->k / u->lanes / packed, nb = u->k * u->n / u->lanes / packed;
  const bool halves = element_adds_halves(e);
  const int nc = u->m * u->n / u->lanes / (halves ? 2 : 1);
  const char *sums = e->type == TYPE_DOUBLE ? "+d" : e->type == TYPE_FLOAT && !halves ? "+f" : "+r";
  const char *held = e->bytes > REGISTER ? "d" : "r";
  Buffer b = buffer_new(a);
  buffer_printf(&b, "asm%s(\"%s ", in_order ? " volatile" : "", u->instruction);
  operands(&b, 0, nc);
  buffer_puts(&b, ", ");
  operands(&b, nc, na);
  buffer_puts(&b, ", ");
  operands(&b, nc + na, nb);
  buffer_puts(&b, ", ");
  operands(&b, 0, nc);
  buffer_puts(&b, ";\"\n      : ");
  bound(&b, sums, "c", nc);
  buffer_puts(&b, "\n      : ");
  bound(&b, held, "a", na);
  buffer_puts(&b, ", ");
  bound(&b, held, "b", nb);
  buffer_puts(&b, ");");
  return b.text;
}

/* The product of a warp's tiles by its quad pairs: of tiles in shared memory, or of rows that lanes hold. */
static void multiply_in_quads(Buffer *to, const MatrixUnit *u, const ElementType *e, bool tiles, bool rows) {
  paste(to, device_matrix_quads, "MULTIPLY", "1", "ELEMENT", e->text, "SUM", element_accumulator(e)->text,
        "INSTRUCTION", instruction(to->arena, u, e, false), "TILES", paste_if(tiles), "ROWS", paste_if(rows), NULL);
}

/* How many of a lane's elements, so many of types of up to four bytes: of doubles half as many, and of bytes alone,
 * where the machine multiplies more at once, twice as many. */
static const char *in_fragment(Arena *a, const Output *o, bool deep, int many) {
  enum { DOUBLE = 8 };
  int doubles = 0;
  for (int i = 0; i < o->ntypes; i++) doubles += o->types[i]->bytes == DOUBLE;
  if (!doubles) return number(a, deep ? 2 * many : many);
  if (doubles == o->ntypes) return number(a, many / 2);
  return arena_printf(a, "(sizeof(E) < %d ? %d : %d)", DOUBLE, many, many / 2);
}

/* The product of tiles by the machine's instructions, one for each type of elements. */
static void matrix_unit(Buffer *to, const Output *o, const Program *p) {
  const bool scans = kernels_use(p, OP_UNIT_SUMS), tiles = kernels_use(p, OP_MULTIPLY_TILE);
  const bool rows = scans || kernels_use(p, OP_MULTIPLY), loads = !tiles && kernels_use(p, OP_LOAD_A);
  if (!rows && !tiles) return;
  Arena *a = to->arena;
  bool bytes = false, deep = true;
  for (int i = 0; i < o->ntypes; i++) {
    bytes |= o->types[i]->bytes == 1;
    deep &= loads && arch_deep_matrix(o->machine, o->types[i]->name) != NULL; /* then a tile's fragments are of such */
  }
  paste(to, device_matrix, "WIDTHS", paste_if(rows), "LOADS", paste_if(loads), "PARTS",
        paste_if(scans || kernels_use(p, OP_PART_OF_A)), "NEAR", paste_if(kernels_use(p, OP_LOAD_NEAR)), "ROUNDS",
        paste_if(output_has_tf32(o)), "BYTES", paste_if(bytes), "DEEP", paste_if(deep), "OF_A",
        in_fragment(a, o, deep, 8), "OF_B", in_fragment(a, o, deep, 4), NULL);
  for (int i = 0; i < o->ntypes; i++) {
    const ElementType *e = o->types[i];
    const char *sum = element_adds_halves(e) ? "half_sum" : element_accumulator(e)->text;
    const MatrixUnit *u = (deep ? arch_deep_matrix : arch_matrix)(o->machine, e->name);
    if (u && u->lanes == QUAD_PAIR) multiply_in_quads(to, u, e, tiles, rows);
    if (!u || u->lanes == QUAD_PAIR) continue;
    const char *depth = deep ? "32" : loads && e->bytes == 8 ? "8" : "16"; /* of the inner dimension */
    const char *below = e->bytes == 1 ? arena_printf(a, "i * packed<%s>", e->text) : "i";
    paste(to, device_matrix, "MULTIPLY", "1", "ELEMENT", e->text, "SUM", sum, "PACKED_SUMS",
          paste_if(element_adds_halves(e)), "UNIT_M", number(a, u->m), "UNIT_K", number(a, u->k), "DEPTH", depth,
          "PACKED", paste_if(e->bytes <= 4), "ROWS_BELOW", below, "INSTRUCTION", instruction(a, u, e, loads), NULL);
  }
  if (scans) paste(to, device_matrix, "SCANS", "1", "OWN_SUM", output_has_half16(o) ? "Sum<E, T>" : "T", NULL);
}

/* What a group's instruction takes besides sums: matrices in shared memory, of halves with their order, or A as words
 * of a lane; of numbers that are not whole also their signs. */
static void group_operands(Buffer *to, int first, int bytes, bool from_registers) {
  if (from_registers) {
    operands(to, first, 4);
    buffer_printf(to, ", %%%d, 1, 1, 1;\"\n        : ", first + 4);
  } else if (bytes == GROUP_BYTE) buffer_printf(to, "%%%d, %%%d, 1;\"\n        : ", first, first + 1);
  else if (bytes == GROUP_WORD) buffer_printf(to, "%%%d, %%%d, 1, 1, 1;\"\n        : ", first, first + 1);
  else
    buffer_printf(to, "%%%d, %%%d, 1, 1, 1, %%%d, %%%d;\"\n        : ", first, first + 1, first + 2, first + 3);
}

static void bind_group_operands(Buffer *to, int bytes, bool from_registers) {
  buffer_puts(to, "\n        : ");
  if (from_registers) bound(to, "r", "of_a", 4);
  else buffer_puts(to, "\"l\"(at_a)");
  buffer_puts(to, ", \"l\"(at_b)");
  buffer_puts(to, bytes != GROUP_HALF ? ");" : ", \"n\"(!along_a), \"n\"(!along_b));");
}

/* A group's instruction for each number of columns that tiles may have, as inline assembly. */
static const char *group_instruction(Arena *a, const MatrixUnit *u, int bytes, bool from_registers) {
  static const int columns[] = {64, 128, 256};
  enum { OF_A_LINE = 8 };
  const char *n = strchr(u->instruction, 'N');
  Buffer b = buffer_new(a);
  for (size_t i = 0; i < sizeof columns / sizeof *columns && n; i++) {
    const int sums = columns[i] / 2;
    buffer_printf(&b, "%sif constexpr (columns == %d)\n    asm volatile(\n        \"%.*s%d%s \"\n        \"{",
                  i ? "\n  else " : "", columns[i], (int)(n - u->instruction), u->instruction, columns[i], n + 1);
    for (int k = 0; k < sums; k++)
      buffer_printf(&b, "%s%%%d", k % OF_A_LINE ? ", " : k ? ", \"\n        \"" : "", k);
    buffer_puts(&b, "}, \"\n        \"");
    group_operands(&b, sums, bytes, from_registers);
    for (int k = 0; k < sums; k++)
      buffer_printf(&b, "%s\"%s\"(c[%d])", k % OF_A_LINE ? ", " : k ? ",\n          " : "",
                    bytes == GROUP_BYTE ? "+r" : "+f", k);
    bind_group_operands(&b, bytes, from_registers);
  }
  return b.text;
}

/* The same of groups of warps, with the copies that bring what they multiply. */
static void matrix_groups(Buffer *to, const Output *o, const Program *p) {
  static const struct { const char *line, *chunk, *box; } sizes[] = {
      [GROUP_BYTE] = {"128", "16", "CU_TENSOR_MAP_DATA_TYPE_UINT8"},
      [GROUP_HALF] = {"64", "8", "CU_TENSOR_MAP_DATA_TYPE_UINT16"},
      [GROUP_WORD] = {"32", "4", "CU_TENSOR_MAP_DATA_TYPE_UINT32"}};
  if (!kernels_use(p, OP_MULTIPLY_GROUP)) return;
  const int bytes = o->types[0]->bytes;
  const bool words = bytes == GROUP_WORD;
  paste(to, device_matrix_groups, "COPIES", "1", "PRODUCED", paste_if(kernels_use(p, OP_AWAIT_ROOM)),
        "DELIVERED", paste_if(kernels_use(p, OP_DELIVER_BOXES)), "PLANES", paste_if(kernels_copy_boxes(p, false)),
        "MATRICES", paste_if(kernels_copy_boxes(p, true)), "LINE", sizes[bytes].line, "CHUNK", sizes[bytes].chunk,
        "BOX_TYPE", sizes[bytes].box, "INTEGERS", paste_if(bytes == GROUP_BYTE), NULL);
  if (words) paste(to, device_matrix_groups, "ROWS_OF_WORDS", "1", NULL);
  for (int i = 0; i < o->ntypes; i++) {
    const ElementType *e = o->types[i];
    const MatrixUnit *u = arch_group_matrix(o->machine, e->name);
    if (u)
      paste(to, device_matrix_groups, "MULTIPLY", "1", "ELEMENT", e->text, "SUM", element_accumulator(e)->text,
            "INSTRUCTION", group_instruction(to->arena, u, bytes, false), "DEPTH", bytes == GROUP_BYTE ? "32" : "16",
            "WORDS", paste_if(words), "INSTRUCTION_FROM",
            words ? group_instruction(to->arena, u, bytes, true) : "", NULL);
  }
}

/* ---- shuffles ---- */

static const struct { const char *name, *hardware, *lane; } shuffle_functions[] = {
    [SHUFFLE_DOWN] = {"shuffle_down", "__shfl_down_sync", "by"},
    [SHUFFLE_UP] = {"shuffle_up", "__shfl_up_sync", "by"},
    [SHUFFLE_XOR] = {"shuffle_xor", "__shfl_xor_sync", "bits"},
    [SHUFFLE_INDEX] = {"shuffle", "__shfl_sync", "lane"}};

static bool note_shuffle(void *context, const Tree *t) {
  unsigned *used = context;
  if (t->op == OP_SHUFFLE && t->words) *used |= 1u << t->mode;
  /* look_back.cuh uses them */
  if (t->op == OP_LOOK_BACK) *used |= 1u << SHUFFLE_DOWN | 1u << SHUFFLE_INDEX;
  if (t->op == OP_PRIOR_TOTAL) *used |= 1u << SHUFFLE_UP | 1u << SHUFFLE_INDEX;
  return true;
}

static void shuffles(Buffer *to, const Output *o, const Program *p) {
  unsigned used = 0;
  if (output_shuffles_natively(o) && !p->states) return;
  for (int i = 0; i < p->nkernels; i++) tree_visit(p->kernels[i]->body, note_shuffle, &used);
  if (!used) return;
  paste(to, device_shuffles, "WORDS", "1", NULL);
  for (size_t i = 0; i < sizeof shuffle_functions / sizeof *shuffle_functions; i++)
    if (used & 1u << i)
      paste(to, device_shuffles, "SHUFFLE", "1", "NAME", shuffle_functions[i].name,
            "HARDWARE", shuffle_functions[i].hardware, "LANE", shuffle_functions[i].lane, NULL);
}

/* The hardware's shuffle of `value', or the one of several words if some type needs it. */
static const char *shuffle_of_value(Arena *a, bool natively, ShuffleMode kind) {
  const char *arguments = kind == SHUFFLE_INDEX ? "value, lane" : "value, by";
  if (!natively) return arena_printf(a, "%s(%s)", shuffle_functions[kind].name, arguments);
  return arena_printf(a, "%s(0xffffffff, %s)", shuffle_functions[kind].hardware, arguments);
}

/* ---- look-back ---- */

enum { WORDS_TO_TOTAL = 5 }; /* operands of LOOK_BACK and PRIOR_TOTAL without parts */

typedef struct Found { const Tree *look_back, *prior; } Found;

static bool note_look_back(void *context, const Tree *t) {
  Found *f = context;
  if (t->op == OP_LOOK_BACK) f->look_back = t;
  if (t->op == OP_PRIOR_TOTAL) f->prior = t;
  return true;
}

/* A user's operator is a template's argument, M, of those that combine totals: before T where they are declared, and
 * where they are called. */
static const char *over_operator(Arena *a, const char *text) {
  static const char *const combine[] = {"combine", "combined_lanes", "look_back", "scan_from", "scan_totals",
                                       "prior_total"};
  static const char head[] = "template <typename T";
  Buffer all = buffer_new(a);
  for (const char *at; (at = strstr(text, head)) != NULL; text = at + strlen(head)) {
    const char *name = at + strcspn(at, "("); /* ends it */
    bool is = false;
    for (size_t i = 0; i < sizeof combine / sizeof *combine; i++) {
      const char *begins = name - strlen(combine[i]);
      is |= strncmp(begins, combine[i], strlen(combine[i])) == 0 && (begins[-1] == ' ' || begins[-1] == '\n');
    }
    buffer_putn(&all, text, (size_t)(at - text));
    buffer_puts(&all, is ? "template <typename M, typename T" : head);
  }
  buffer_puts(&all, text);
  text = all.text;
  for (size_t i = 0; i < sizeof combine / sizeof *combine; i++)
    text = text_replaced(a, text, arena_printf(a, "%s<T", combine[i]), arena_printf(a, "%s<M, T", combine[i]));
  return text;
}

static void look_back(Buffer *to, const Output *o, const Program *p) {
  Found f = {NULL, NULL};
  for (int i = 0; i < p->nkernels; i++) tree_visit(p->kernels[i]->body, note_look_back, &f);
  const Tree *either = f.look_back ? f.look_back : f.prior;
  if (!either) return;
  Arena *a = to->arena;
  const bool states = type_is_state(p->totals), natively = output_shuffles_natively(o) && !states;
  const OperatorKind op = either->combines;
  Symbol *x = symbol_new(a, SYMBOL_LOCAL, "x", TYPE_ELEM), *y = symbol_new(a, SYMBOL_LOCAL, "y", TYPE_ELEM);
  Buffer combined = buffer_new(a), identity = buffer_new(a);
  cuda_expression(&combined, tree_binary(a, operator_op(op), TYPE_ELEM, tree_ref(a, x), tree_ref(a, y)));
  cuda_expression(&identity, operator_identity(a, op, TYPE_ELEM));
  Buffer text = buffer_new(a);
  paste(&text, device_look_back, "LOOK_BACK", paste_if(f.look_back), "SCANNER", paste_if(f.prior),
        "PARTS", paste_if(either->nkids > WORDS_TO_TOTAL), "COMBINE", combined.text, "IDENTITY", identity.text,
        "SHUFFLE", shuffle_of_value(a, natively, SHUFFLE_INDEX),
        "SHUFFLE_DOWN", shuffle_of_value(a, natively, SHUFFLE_DOWN),
        "SHUFFLE_UP", shuffle_of_value(a, natively, SHUFFLE_UP),
        "SUMS", paste_if(op == OPERATOR_ADD && type_is_whole(p->totals)), NULL);
  buffer_puts(to, p->monoid || states ? over_operator(a, text.text) : text.text);
}

static bool find_append(void *context, const Tree *t) {
  bool *found = context;
  *found |= (t->op == OP_ATOMIC && t->atomic == ATOMIC_APPEND) || t->op == OP_RESERVE;
  return !*found;
}

static bool find_any(void *context, const Tree *t) {
  bool *found = context;
  *found |= t->op == OP_ATOMIC && t->atomic == ATOMIC_ANY;
  return !*found;
}

static void places(Buffer *to, const Program *p) {
  bool set = false;
  const bool see = kernels_use(p, OP_SEE_ANY);
  for (int i = 0; i < p->nkernels; i++) tree_visit(p->kernels[i]->body, find_any, &set);
  bool appends = false;
  for (int i = 0; i < p->nkernels; i++) tree_visit(p->kernels[i]->body, find_append, &appends);
  if (appends) paste(to, device_append, "COLLECT", paste_if(kernels_use(p, OP_APPEND_HELD)), "RESERVE",
                     paste_if(kernels_use(p, OP_RESERVE)), NULL);
  const bool claim = kernels_use(p, OP_CLAIM);
  if (set || see || claim)
    paste(to, device_places, "SET", paste_if(set), "SEE", paste_if(see), "CLAIM", paste_if(claim), NULL);
}

void emit_most_turns(Buffer *to, const Program *p) {
  if (tree_contains(p->launches, OP_GIVE_UP) || tree_contains(p->launches, OP_ASK_END))
    buffer_puts(to, "\n// A loop that goes on longer has no end: the call gives up.\n"
                    "#ifndef TGC_MOST_TURNS\n#define TGC_MOST_TURNS 2147483648LL\n#endif\n");
}

void emit_device_functions(Buffer *to, const Output *o, const Program *p) {
  buffer_puts(to, "\ntypedef long long Index; // sizes and positions\n");
  paste(to, device_integers, "MIN_INDEX", paste_if(program_uses(p, OP_MIN)), "MAX_INDEX",
        paste_if(program_uses(p, OP_MAX)), NULL);
  if (p->generic && output_has_complex(o)) {
    buffer_puts(to, "\n");
    paste(to, device_complex, NULL);
  }
  if (p->generic && output_has_tf32(o)) {
    buffer_puts(to, "\n");
    paste(to, device_tf32, NULL);
  }
  if (p->generic && output_has_half16(o)) {
    const bool units = kernels_use(p, OP_MULTIPLY) || kernels_use(p, OP_UNIT_SUMS);
    buffer_puts(to, "\n");
    paste(to, device_half16, "SUMS", paste_if(units), NULL);
  }
  if (program_uses_limits(p)) emit_limits(to, o);
  emit_monoid(to, o);
  emit_natives(to, o, p);
  wide_moves(to, p);
  resident(to, o, p);
  if (kernels_use(p, OP_ARRIVE)) paste(to, device_ticket, NULL);
  places(to, p);
  if (kernels_use(p, OP_POST)) paste(to, device_posts, NULL);
  if (kernels_use(p, OP_AFTER_GRIDS)) paste(to, device_overlap, NULL);
  emit_most_turns(to, p);
  if (kernels_use(p, OP_DISPERSE))
    paste(to, device_together, "MEET", paste_if(kernels_use(p, OP_MEET)), "ALONE",
          paste_if(kernels_use(p, OP_COMES_LAST)), NULL);
  const bool asks = tree_contains(p->launches, OP_ASK), ends = tree_contains(p->launches, OP_ASK_END);
  if (asks || ends) paste(to, device_loops, "ASK", paste_if(asks), "ENDED", paste_if(ends), NULL);
  const bool rows = kernels_use(p, OP_COPY_ROWS), ahead = o->machine->can.async_copy;
  if (kernels_use(p, OP_COPY_AHEAD) || (rows && ahead)) paste(to, device_copies, NULL);
  bool run = false;
  for (int i = 0; i < p->nkernels; i++) tree_visit(p->kernels[i]->body, note_run, &run);
  if (rows) paste(to, device_rows, "AHEAD", paste_if(ahead), "RUN", paste_if(run), NULL);
  if (p->asks_for_shared) paste(to, device_shared, "EVENLY", paste_if(p->asks_for_shared->even_over > 0), NULL);
  matrix_unit(to, o, p);
  matrix_groups(to, o, p);
  shuffles(to, o, p);
  look_back(to, o, p);
  paste(to, device_collectives, "REDUCES", paste_if(kernels_use(p, OP_REDUCES)), "HALF",
        paste_if(kernels_use(p, OP_HALF)), "SUMS", paste_if(kernels_use(p, OP_ADD_OF_BLOCK)), NULL);
  if (kernels_use(p, OP_ALIKE)) paste(to, device_votes, "ALIKE", "1", NULL);
  if (kernels_use(p, OP_ORDER_BITS)) paste(to, device_order, "ORDER_BITS", "1", NULL);
  if (kernels_use(p, OP_PUSH) || kernels_use(p, OP_PULL)) paste(to, device_clusters, NULL);
  emit_atomics(to, o, p);
}
