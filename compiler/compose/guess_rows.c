/* guess_rows.c: rows of a guess. A plan of tiles has several: by the number of results, or rivals, and by how a call's
 * rows lie in memory. */
#include "compose/guess_rows.h"

#include "compose/estimate.h"
#include "compose/prefer.h"
#include "compose/search.h"

void guess_add(const Guess *g, const Plan *p, uint64_t up_to, uint64_t count) {
  TableRow row = {.type = g->type->name, .up_to = up_to, .count = count, .variant = p->id,
                  .comment = arena_printf(g->a, TABLE_GUESSED_ROW "%s", p->text)};
  int64_t many;
  const char *rows = plan_packed_rows(p, g->type->bytes, &many);
  if (rows) tunables_set(g->a, &row.set, rows, many);
  vec_push(g->a, &g->to->rows, row);
}

Tunables *guess_set(const Guess *g) { return &g->to->rows.at[g->to->rows.n - 1].set; }

bool guess_rivals(const Guess *g, const Plan *p, uint64_t elements) {
  const Operand *results = signature_results(g->operands, p->spectrum);
  PlanTiles t;
  if (!results || !plan_tiles(plan_tiled(p->root), &t) || operand_rank(results) != t.rank) return false;
  for (int i = -1; (i = estimate_next(p, g->type->bytes, i)) >= 0;) {
    guess_add(g, p, elements, 0);
    g->to->rows.at[g->to->rows.n - 1].turn = estimate_turn(p, i);
    estimate_set_all(g->a, p, i, guess_set(g));
  }
  return true;
}

/* What a share's tile takes beside one of all elements, in hundredths: with steps around a product there is a kernel
 * for each of them, where whole tiles do them themselves. As measured of `syrk', a min-plus product and distances on an
 * H200, 256^2 to 64 x 100000 (bench/results/nvidia-h200/2026-11-27-products-4.txt). */
enum { SHARED = 110, SHARED_IN_STEPS = 175 };

bool guess_shared_rivals(const Guess *g, const Plan *p, const Plan *sharing, uint64_t elements) {
  enum { LARGE = 4 }; /* beside the first tile: what is shared are few results */
  static const int each[] = {1, 2, 4}; /* blocks of a multiprocessor */
  if (!sharing || !guess_rivals(g, p, elements)) return false;
  const int64_t first = estimate_turn(sharing, estimate_next(sharing, g->type->bytes, -1));
  const int64_t weight = plan_in_steps(plan_work(sharing->root)) ? SHARED_IN_STEPS : SHARED;
  for (int i = -1; (i = estimate_next(sharing, g->type->bytes, i)) >= 0;)
    for (size_t k = 0; k < sizeof each / sizeof *each && estimate_turn(sharing, i) <= LARGE * first; k++) {
      guess_add(g, sharing, elements, 0);
      g->to->rows.at[g->to->rows.n - 1].turn = estimate_turn(sharing, i) * weight / 100;
      estimate_set_all(g->a, sharing, i, guess_set(g));
      tunables_set(g->a, guess_set(g), "blocks", g->machine->units * each[k]);
    }
  return true;
}

void guess_tiles(const Guess *g, const Plan *p, uint64_t elements, uint64_t above, bool by_both) {
  enum { LEAST = 1 << 14, CLASSES = 24 }; /* two sizes for each power of 2 */
  if (guess_rivals(g, p, elements)) return;
  const int largest = estimate_tile(p, g->type->bytes, 0);
  uint64_t results = LEAST;
  int tile = -1;
  for (int i = 0; i <= CLASSES; i++) {
    const uint64_t power = (uint64_t)LEAST << (i / 2), now = i % 2 ? power + power / 2 : power;
    const int best_now = i == CLASSES ? largest : estimate_tile(p, g->type->bytes, now);
    if (i > 0 && best_now != tile && results > above) {
      guess_add(g, p, by_both ? elements : results, by_both ? results : 0);
      estimate_set(g->a, p, tile, guess_set(g));
    }
    tile = best_now;
    results = now;
  }
  guess_add(g, p, elements, 0);
  estimate_set(g->a, p, largest, guess_set(g));
}

void guess_shared_tiles(const Guess *g, const Plan *p, uint64_t elements, uint64_t results) {
  enum { BLOCKS_EACH = 4 };
  const int tile = estimate_smallest(p, g->type->bytes);
  guess_add(g, p, elements, results);
  if (tile < 0) return;
  estimate_set(g->a, p, tile, guess_set(g));
  tunables_set(g->a, guess_set(g), "blocks", g->machine->units * BLOCKS_EACH);
}

void guess_moves(const Guess *g, const Plan *p) {
  enum { SQUARE = 64, SHORT = 32, WORD = 4 };
  static const struct { unsigned when; int row, last, lanes; } shapes[] = {
      {RESULTS_TALL, 256, 8, 8}, {RESULTS_WIDE, 8, 128, 32}, {ROWS_ALIGNED, SQUARE, 64, 32}, {0, SHORT, 64, 32}};
  PlanTiles t;
  const PlanNode *tiled = plan_tiled(p->root);
  if (!tiled || !plan_tiles(tiled, &t) || t.rank != PLANE || t.several || !plan_tiles_move(&t)) return;
  g->to->rows.n--;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    guess_add(g, p, UINT64_MAX, 0);
    g->to->rows.at[g->to->rows.n - 1].when = shapes[i].when;
    Tunables *set = guess_set(g);
    const int row = shapes[i].row == SQUARE && g->type->bytes > WORD ? SHORT : shapes[i].row;
    tunables_set(g->a, set, plan_tile_name(g->a, tree_cut(t.cut[t.written][0].grid)), row);
    tunables_set(g->a, set, plan_tile_name(g->a, tree_cut(t.cut[t.written][1].grid)), shapes[i].last);
    tunables_set(g->a, set, plan_tile_workers_name(false), shapes[i].lanes);
  }
}

static bool is_windowed(const Plan *p) {
  const PlanNode *tiled = plan_tiled(p->root);
  return tiled && tiled->kid[0]->traversal == TRAVERSE_WINDOWED;
}

void guess_streams(const Guess *g, const Plan *p) {
  const PlanNode *tiled = plan_tiled(p->root);
  const Plan *best = NULL;
  if (!tiled || tiled->kid[0]->traversal != TRAVERSE_STREAMED) return;
  for (int i = 0; i < g->plans->list.n; i++) {
    const Plan *q = g->plans->list.at[i];
    if (is_windowed(q) && (!best || prefer_plan(q, best))) best = q;
  }
  if (!best) return;
  g->to->rows.at[g->to->rows.n - 1].when = ROWS_ALIGNED;
  guess_add(g, best, UINT64_MAX, 0);
}

/* A row of a plan whose tiles have so many lanes, of so many 16 bytes each, if shared memory has room. */
static void add_scan(const Guess *g, const Plan *p, uint64_t up_to, uint64_t count, int threads, int loads) {
  enum { WIDE = 16 };
  guess_add(g, p, up_to, count);
  if (g->machine->shared_bytes_most <= threads * loads * WIDE) return;
  tunables_set(g->a, guess_set(g), "threads", threads);
  tunables_set(g->a, guess_set(g), "loads", loads);
}

bool guess_scans(const Guess *g) {
  enum { SHORT = 1 << 13, LONG = 1 << 15 };
  enum { THREADS = 256, LOADS = 8, SHARED_THREADS = 96, SHARED_LOADS = 12 };
  const Plan *each = g->best[BY_BLOCKS], *several = g->best[BY_SEVERAL];
  const PlanNode *spread = several ? plan_spread(several->root) : NULL;
  const uint64_t longest = (uint64_t)g->machine->measured.block_part;
  if (!spread || !spread->rule->slides || !each || longest <= LONG) return false;
  guess_add(g, each, SHORT, 0);
  add_scan(g, each, LONG, 0, THREADS, LOADS);
  add_scan(g, several, longest, (uint64_t)g->machine->units, SHARED_THREADS, SHARED_LOADS);
  add_scan(g, each, longest, 0, THREADS, LOADS);
  add_scan(g, several, UINT64_MAX, 0, SHARED_THREADS, SHARED_LOADS);
  return true;
}
