/* collect.c: lanes append to shared memory, and their warp to the queue: one atomic for all that it has collected.
 *
 *     append(many, value, queue, room);      append_here(held, here, share, many, value, queue, room);
 *                                            ..
 *                                            append_held(held, here, share, enough, many, queue, room);
 *
 * Memory takes atomics on one word one by one. A search of a graph whose lanes appended by themselves spent most of its
 * time so on an H200, though the lanes of a warp that append at once share one atomic. What a warp's share of the place
 * has no room for is appended as before.
 *
 * A warp appends what it has collected at the end of the text, and where half of its share is full at the end of a turn
 * of a loop that all of its lanes take. Warps do not wait for one another: a barrier of the block in each turn cost
 * more than the atomics.
 *
 * Requires: kernel form, of a GPU; whole warps come to the end of a kernel's text, which has no shared memory of its
 * own.
 * Keeps: which elements are appended. Breaks: nothing; their order was not determined. */
#include "passes/collect.h"

#include "ir/build.h"
#include "passes/fresh.h"
#include "passes/predicate.h"

enum { HELD_BYTES = 32 << 10, WARPS = 32, LANES = 32 }; /* of all queues; at most, in a block; of a warp */

typedef struct Queue { const Tree *append; Symbol *held, *here; Tree *share; } Queue;

typedef struct Collecting {
  Arena *a;
  Uniform uniform;
  VEC(Queue) queues;
} Collecting;

static bool appends(const Tree *t) { return t->op == OP_ATOMIC && t->atomic == ATOMIC_APPEND; }

static Queue *queue_of(Collecting *c, const Tree *append) {
  for (int i = 0; i < c->queues.n; i++)
    if (tree_equal(c->queues.at[i].append->kid[2], append->kid[2])) return &c->queues.at[i];
  return NULL;
}

typedef struct Finding { Collecting *c; bool shares; } Finding;

static bool find(void *context, const Tree *t) {
  Finding *f = context;
  f->shares |= t->op == OP_BARRIER || t->op == OP_ANY_OF_BLOCK || t->op == OP_RETURN ||
               (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_SHARED && !t->symbol->passing);
  if (appends(t) && !queue_of(f->c, t)) vec_push(f->c->a, &f->c->queues, (Queue){.append = t});
  return true;
}

static Tree *collected(void *context, Arena *a, Tree *t) {
  if (!appends(t)) return t;
  const Queue *q = queue_of(context, t);
  Tree *kids[] = {t->kid[0], t->kid[1], t->kid[2], t->kid[3], tree_ref(a, q->held), tree_ref(a, q->here), q->share};
  return tree_with_kids(a, t, kids, 7);
}

/* A warp appends what it holds, if that is half of its share; `all': if it is anything. */
static void add_held(const Collecting *c, TreeList *to, bool all) {
  for (int i = 0; i < c->queues.n; i++) {
    const Queue *q = &c->queues.at[i];
    const Tree *t = q->append;
    Tree *enough = tree_int(c->a, TYPE_INT, 1);
    if (!all) enough = build_div(c->a, tree_clone(c->a, q->share), tree_int(c->a, TYPE_INT, 2));
    Tree *kids[] = {tree_ref(c->a, q->held), tree_ref(c->a, q->here), tree_clone(c->a, q->share), enough,
                    tree_clone(c->a, t->kid[0]), tree_clone(c->a, t->kid[2]), tree_clone(c->a, t->kid[3])};
    vec_push(c->a, to, build_tree(c->a, OP_APPEND_HELD, TYPE_VOID, kids, 7));
  }
}

static bool holds_append(const Tree *t) {
  bool found = appends(t);
  for (int i = 0; i < t->nkids && !found; i++) found = t->kid[i] && holds_append(t->kid[i]);
  return found;
}

/* How often it is done is in the text. */
static bool counts_known(const Tree *loop) {
  int64_t n;
  return loop->kid[0] && loop->kid[0]->nkids && tree_constant(loop->kid[0]->kid[0], &n) && loop->kid[1] &&
         loop->kid[1]->nkids == 2 && tree_constant(loop->kid[1]->kid[1], &n);
}

static bool is_turns(const Collecting *c, const Tree *t) {
  return t->op == OP_FOR && holds_append(t) && uniform_of_loop(&c->uniform, t) <= VARIES_WARP;
}

/* .. and one in it, whose turns may be many. */
static bool has_turns(const Collecting *c, const Tree *body) {
  for (int i = 0; i < body->nkids; i++)
    if (is_turns(c, body->kid[i]) && !counts_known(body->kid[i])) return true;
  return false;
}

/* Statements that all lanes of a warp come to: their loops append what turns have collected, the innermost of them. */
static Tree *by_turns(const Collecting *c, Tree *t) {
  TreeList all = {0};
  for (int i = 0; i < t->nkids; i++) {
    Tree *s = t->kid[i];
    if (s->op == OP_SEQ) s = by_turns(c, s);
    else if (is_turns(c, s)) {
      const bool inner = has_turns(c, s->kid[3]);
      const Tree *each = inner ? by_turns(c, s->kid[3]) : s->kid[3];
      TreeList body = {0};
      for (int k = 0; k < each->nkids; k++) vec_push(c->a, &body, each->kid[k]);
      if (!inner) add_held(c, &body, false);
      s = tree_with_kids(c->a, s, (Tree *[]){s->kid[0], s->kid[1], s->kid[2], tree_seq(c->a, body.at, body.n)}, 4);
    }
    vec_push(c->a, &all, s);
  }
  return tree_seq(c->a, all.at, all.n);
}

static Symbol *shared(Collecting *c, Fresh *fresh, const char *name, Type type, Tree *length, TreeList *to) {
  Symbol *s = symbol_new(c->a, SYMBOL_SHARED, fresh_name(fresh, name), type);
  s->array = s->writable = s->aligned = s->passing = true;
  s->length = length;
  vec_push(c->a, to, build_declare(c->a, s, NULL));
  return s;
}

Tree *pass_collect(Arena *a, const Kernel *k, Tree *body) {
  Collecting c = {.a = a};
  Finding f = {&c, false};
  tree_visit(body, find, &f);
  if (!k->threads || !c.queues.n || f.shares) return body;
  c.uniform = uniform_find(a, body);
  Fresh fresh = fresh_begin(a, k, body);
  TreeList all = {0}, begin = {0};
  for (int i = 0; i < c.queues.n; i++) {
    Queue *q = &c.queues.at[i];
    Tree *loads = tree_int(a, TYPE_INT, HELD_BYTES / 16 / c.queues.n);
    Tree *most = build_mul(a, build_width(a, q->append->kid[2]->type), loads);
    q->share = build_div(a, most, build_div(a, tree_ref(a, k->threads), tree_int(a, TYPE_INT, LANES)));
    q->held = shared(&c, &fresh, "held", TYPE_INT, tree_int(a, TYPE_INT, WARPS), &all);
    q->here = shared(&c, &fresh, "here", q->append->kid[2]->type, tree_clone(a, most), &all);
    vec_push(a, &begin, build_assign(a, build_element(a, q->held, build_lane(a, OP_WARP)), tree_int(a, TYPE_INT, 0)));
  }
  Tree *first = build_compare(a, OP_EQ, build_lane(a, OP_LANE), tree_int(a, TYPE_INT, 0));
  vec_push(a, &all, build_if(a, first, tree_seq(a, begin.at, begin.n)));
  Tree *barrier = tree_new(a, OP_BARRIER, TYPE_VOID, (SourceRange){0}, 0);
  barrier->scope = SCOPE_WARP;
  vec_push(a, &all, barrier);
  const Tree *text = tree_rewrite_statements(a, by_turns(&c, body), collected, &c);
  for (int i = 0; i < text->nkids; i++) vec_push(a, &all, text->kid[i]);
  add_held(&c, &all, true);
  return tree_seq(a, all.at, all.n);
}
