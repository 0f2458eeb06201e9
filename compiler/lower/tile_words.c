/* tile_words.c: elements of less than a word that are only moved (tile_moves.c) come to shared memory by words of four
 * bytes, wherever rows begin:
 *
 *     memory       ..|a b c d|e f g h|..|y z ..     a row of the tile is c .. y: it begins two elements behind a word
 *     copy         . .|. . c d|e f g h|..|y . .     .. and so does the row in shared memory
 *                          ^ by elements ^
 *
 * So the copy is in the order of memory, and begins `phase' elements behind a word, as what is copied does. From one
 * index of a dimension to the next it is as far as in memory, but for whole words: then all rows of both begin alike.
 * What a row has before its first whole word, and behind its last one, is as many elements as a word has: these are
 * copied one by one, by lanes that follow one another. Rows are an odd number of words long, or a bit more: neighbouring
 * lanes, which read below one another, meet in few banks.
 *
 * Of 8192 x 8192 bytes an H200 took as long as of floats, one by one: it issued as many instructions.
 *
 * Requires tiles of elements that are moved. Keeps each element. Tiles that are clipped are copied element by element to
 * the same layout. */
#include "lower/tiles.h"

#include "ir/element.h"

bool tile_words_fit(const Tiles *t, int param) {
  return tile_moves_fit(t) && t->codelet->spectrum->narrowest < GROUP_WORD &&
         tiles_operand(t, param)->source.base->type == TYPE_STORED;
}

static Tree *remainder_of(Arena *a, Tree *x, Tree *by) { return tree_binary(a, OP_REM, TYPE_INT, x, by); }

/* Elements of a word, and by how many the copy begins behind one. Rows that are no whole words are copied by
 * elements. */
static void find_phase(Tiles *t, int param, const char *name) {
  Arena *a = t->l->a;
  Staged *s = &t->staged[param];
  const View *from = tiles_operand(t, param);
  Tree *four = tree_int(a, TYPE_INT, GROUP_WORD), *one = tree_int(a, TYPE_INT, 1);
  Tree *width = build_width(a, from->source.base->type), *word = build_div(a, width, four);
  Tree *narrow = build_compare(a, OP_GT, width, four);
  Tree *whole = build_is_multiple(a, s->extent[tiles_unit(t, param)], word);
  word = build_choice(a, narrow, build_choice(a, whole, word, one), one);
  s->word = tiles_at_head(t, arena_printf(a, "%s_word", name), word);
  Tree *first = build_element(a, from->source.base, from->begin);
  Tree *ahead = tiles_as_int(t, tree_unary(a, OP_TO_ALIGNED, TYPE_INDEX, first));
  Tree *phase = remainder_of(a, build_sub(a, s->word, remainder_of(a, ahead, s->word)), s->word);
  s->phase = tiles_constant(t, arena_printf(a, "%s_phase", name), phase);
}

static Tree *whole_words(Arena *a, const Staged *s, Tree *x) {
  return build_mul(a, build_ceil_div(a, x, s->word), s->word);
}

/* From one index of a dimension to the next, where that takes so many elements at least, whole words; .. at most. */
static Tree *step_of(Tiles *t, int param, int d, Tree *least, const char *name) {
  Arena *a = t->l->a;
  Staged *s = &t->staged[param];
  Tree *more = tiles_as_int(t, tree_binary(a, OP_REM, TYPE_INDEX, tiles_step(t, param, d),
                                           build_cast(a, TYPE_INDEX, s->word)));
  s->step[d] = tiles_constant(t, arena_printf(a, "%s_step", name), build_add(a, least, more));
  return build_sub(a, build_add(a, least, s->word), tree_int(a, TYPE_INT, 1));
}

Tree *tile_words_lay(Tiles *t, int param, const char *name, int lanes) {
  Arena *a = t->l->a;
  Staged *s = &t->staged[param];
  const int unit = tiles_unit(t, param);
  find_phase(t, param, name);
  s->step[unit] = tree_int(a, TYPE_INT, 1);
  Tree *length = build_add(a, whole_words(a, s, s->extent[unit]), s->word);
  for (int k = -1; k < tiles_rank(t, param); k++) { /* neighbouring lanes' is a row */
    const int d = k < 0 ? lanes : k;
    if (d == unit || (k >= 0 && d == lanes)) continue;
    length = tiles_at_head(t, arena_printf(a, "%s_pitch", name), length);
    Tree *most = step_of(t, param, d, length, name);
    length = whole_words(a, s, build_mul(a, s->extent[d], most));
  }
  return build_add(a, length, s->word);
}

/* ---- copies ---- */

/* The ends of rows. */
void tile_words_divide(Tiles *t, int param) {
  Arena *a = t->l->a;
  Staged *s = &t->staged[param];
  Tree *rows = build_div(a, tiles_copied(t, param), s->extent[tiles_unit(t, param)]);
  s->many_ends = build_mul(a, rows, s->word);
  s->ends = nest_dimension(a, "s", ROLE_MAP, build_index(a, 0), s->many_ends);
  s->ends_lane = nest_split_workers(a, s->ends, "lane", tree_ref(a, t->l->now.threads), "thread",
                                    build_lane(a, OP_THREAD));
  s->ends->binding = BINDING_UNROLL;
  s->ends->tail = TAIL_GUARD;
}

NestNode *tile_words_ends(Tiles *t, int param, NestValue *from) {
  Arena *a = t->l->a;
  Staged *s = &t->staged[param];
  NestNode *copy = open_copy(a, s->value, from);
  s->end = copy->stage;
  return nest_over(a, s->ends, nest_over(a, s->ends_lane, copy));
}

/* Where an element stands that has these indices, and so many more along the row. */
static Tree *in_copy(const Tiles *t, int param, Tree *const *index) {
  Arena *a = t->l->a;
  const Staged *s = &t->staged[param];
  Tree *at = s->phase;
  for (int d = 0; d < tiles_rank(t, param); d++) at = build_add(a, at, build_mul(a, index[d], s->step[d]));
  return build_element(a, s->value->symbol, at);
}

static Tree *in_memory(Tiles *t, int param, Tree *const *index) {
  Arena *a = t->l->a;
  Tree *at = tiles_operand(t, param)->begin;
  for (int d = 0; d < tiles_rank(t, param); d++)
    at = build_add(a, at, build_mul(a, index[d], tiles_step(t, param, d)));
  return build_element(a, tiles_operand(t, param)->source.base, at);
}

static Tree *less(Arena *a, Tree *element, Tree *by) {
  return build_element(a, element->kid[0]->symbol, build_sub(a, element->kid[1], by));
}

/* The word of a row that begins `behind' elements before those at hand; the first one of a row only if it is whole. */
static Tree *copy_word(Realising *r, Tiles *t, int param, Tree *const *index) {
  Arena *a = r->l->a;
  const Staged *s = &t->staged[param];
  Tree *none = tree_int(a, TYPE_INT, 0), *to = in_copy(t, param, index), *from = in_memory(t, param, index);
  Tree *behind = tree_ref(a, lowering_fixed(r->l, "behind", TYPE_INT, remainder_of(a, to->kid[1], s->word)));
  Tree *move = tree_binary(a, OP_STORE_WIDE, TYPE_VOID, less(a, to, behind), less(a, from, behind));
  move->move = WIDE_WORD;
  Tree *whole = tree_binary(a, OP_LOR, TYPE_BOOL, build_compare(a, OP_EQ, behind, none),
                            build_compare(a, OP_GT, index[tiles_unit(t, param)], none));
  Tree *words = build_if(a, whole, move), *one = build_assign(a, to, from);
  Tree *many = build_compare(a, OP_GT, s->word, tree_int(a, TYPE_INT, 1));
  return build_either(a, many, tree_seq(a, &words, 1), tree_seq(a, &one, 1));
}

/* Of a clipped tile: as many elements, one by one, the last ones again. */
static Tree *copy_clipped(Realising *r, Tiles *t, int param, Tree *const *index) {
  Lowering *l = r->l;
  Arena *a = l->a;
  const Staged *s = &t->staged[param];
  const int unit = tiles_unit(t, param);
  Tree *own[MOST_DIMENSIONS], *last[MOST_DIMENSIONS];
  Block outer, b;
  block_open(l, &outer);
  Symbol *u = block_open_counted(l, &b, "u");
  for (int d = 0; d < tiles_rank(t, param); d++) {
    own[d] = d == unit ? build_add(a, index[d], tree_ref(a, u)) : index[d];
    last[d] = build_cast(a, TYPE_INDEX, build_min(a, own[d], s->last[d]));
  }
  lowering_add(l, build_assign(a, in_copy(t, param, own), in_memory(t, param, last)));
  block_close_unrolled(l, &b, u, s->word);
  block_close(l, &outer);
  return tree_seq(a, outer.inner.at, outer.inner.n);
}

Tree *tile_words_copy(Realising *r, Tiles *t, int param, const NestStage *stage, Tree *const *index) {
  return tile_moves_sure(t, stage) ? copy_word(r, t, param, index) : copy_clipped(r, t, param, index);
}

/* An element of a row's end: of its beginning, or where it has ended. */
void tile_words_copy_end(Realising *r, Tiles *t, int param) {
  Lowering *l = r->l;
  Arena *a = l->a;
  const Staged *s = &t->staged[param];
  const int unit = tiles_unit(t, param), rank = tiles_rank(t, param);
  Tree *index[MOST_DIMENSIONS], *none = tree_int(a, TYPE_INT, 0);
  Tree *number = build_add(a, build_mul(a, iterations_number(r, s->ends), s->ends_lane->extent), s->ends_lane->number);
  Block b;
  block_open(l, &b);
  number = tree_ref(a, lowering_fixed(l, "e", TYPE_INT, number));
  Tree *rest = build_div(a, number, s->word);
  for (int d = rank - 1, left = rank - 1; d >= 0; d--) {
    if (d == unit) continue;
    index[d] = --left ? remainder_of(a, rest, s->extent[d]) : rest;
    rest = build_div(a, rest, s->extent[d]);
  }
  index[unit] = none;
  Tree *behind = remainder_of(a, in_copy(t, param, index)->kid[1], s->word);
  behind = tree_ref(a, lowering_fixed(l, "behind", TYPE_INT, behind));
  Tree *which = remainder_of(a, number, s->word), *first = build_compare(a, OP_LT, which, build_sub(a, s->word, behind));
  Tree *at_end = build_add(a, build_sub(a, s->extent[unit], s->word), which);
  index[unit] = build_choice(a, first, which, at_end);
  Tree *exists = build_compare(a, OP_LT, number, s->many_ends);
  exists = build_both(a, exists, build_compare(a, OP_GT, behind, none));
  lowering_add(l, build_if(a, exists, build_assign(a, in_copy(t, param, index), in_memory(t, param, index))));
  block_close(l, &b);
  for (int i = 0; i < b.inner.n; i++) lowering_add(l, b.inner.at[i]);
}
