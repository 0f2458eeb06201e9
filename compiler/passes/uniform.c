/* uniform.c: over which axes of a grid a value varies: a forward analysis of the whole body at once. A variable
 * varies like the most varied value or control that ever sets it. */
#include "passes/uniform.h"

static Variance most(Variance x, Variance y) { return x > y ? x : y; }

static Variance of_symbol(const Uniform *u, const Symbol *s) {
  for (int i = 0; i < u->symbols.n; i++)
    if (u->symbols.at[i] == s) return u->variance.at[i];
  /* shared memory that every lane reads alike; parameters, constants */
  return s->kind == SYMBOL_SHARED ? VARIES_BLOCK : VARIES_NOT;
}

Variance uniform_of(const Uniform *u, const Tree *t) {
  if (!t) return VARIES_NOT;
  switch (t->op) {
    case OP_THREAD: case OP_LANE: return VARIES_LANE;
    case OP_WARP: case OP_BESIDE: return VARIES_WARP;
    case OP_BLOCK_ID: case OP_CLUSTER_ID: case OP_RANK: return VARIES_BLOCK;
    case OP_REF: return of_symbol(u, t->symbol);
    case OP_SHUFFLE: {
      bool broadcast = t->mode == SHUFFLE_INDEX && uniform_of(u, t->kid[1]) <= VARIES_WARP;
      Variance v = most(uniform_of(u, t->kid[0]), uniform_of(u, t->kid[1]));
      return v == VARIES_LANE && broadcast ? VARIES_WARP : v;
    }
    case OP_ANY: {
      Variance v = uniform_of(u, t->kid[0]);
      return v == VARIES_LANE ? VARIES_WARP : v;
    }
    default: break;
  }
  /* THREAD / 32 is the warp */
  int64_t c;
  if (t->op == OP_DIV && t->kid[0]->op == OP_THREAD && tree_constant(t->kid[1], &c) && c > 0 && c % 32 == 0)
    return VARIES_WARP;
  if (t->op == OP_SHR && t->kid[0]->op == OP_THREAD && tree_constant(t->kid[1], &c) && c >= 5) return VARIES_WARP;
  /* and so is THREAD < 32 a question about the warp */
  if ((t->op == OP_LT || t->op == OP_GE) && t->kid[0]->op == OP_THREAD && tree_constant(t->kid[1], &c) && c % 32 == 0)
    return VARIES_WARP;
  Variance v = VARIES_NOT;
  for (int i = 0; i < t->nkids; i++) v = most(v, uniform_of(u, t->kid[i]));
  return v;
}

static bool raise(Uniform *u, const Symbol *s, Variance v) {
  int i = 0;
  while (i < u->symbols.n && u->symbols.at[i] != s) i++;
  if (i == u->symbols.n) {
    vec_push(u->a, &u->symbols, s);
    vec_push(u->a, &u->variance, VARIES_NOT);
    vec_push(u->a, &u->depth, u->control.n);
  }
  for (int c = u->depth.at[i]; c < u->control.n; c++) v = most(v, u->control.at[c]);
  if (v <= u->variance.at[i]) return false;
  u->variance.at[i] = v;
  return true;
}

void uniform_add(Uniform *u, const Symbol *s, Variance v) { raise(u, s, v); }

/* Of the breaks and continues of this loop, not of loops inside it. */
static Variance of_exits(const Uniform *u, const Tree *t, Variance control) {
  if (!t || t->op == OP_FOR || t->op == OP_WHILE) return VARIES_NOT;
  if (t->op == OP_BREAK || t->op == OP_CONTINUE) return control;
  if (t->op == OP_IF) control = most(control, uniform_of(u, t->kid[0]));
  Variance v = VARIES_NOT;
  for (int i = 0; i < t->nkids; i++) v = most(v, of_exits(u, t->kid[i], control));
  return v;
}

Variance uniform_of_loop(const Uniform *u, const Tree *loop) {
  const Tree *condition = loop->op == OP_FOR ? loop->kid[1] : loop->kid[0];
  return most(uniform_of(u, condition), of_exits(u, loop->kid[loop->nkids - 1], VARIES_NOT));
}

static bool follow(Uniform *u, const Tree *t) {
  bool changed = false;
  if (!t) return false;
  int depth = u->control.n;
  switch (t->op) {
    case OP_DECLARE:
      if (t->symbol->kind == SYMBOL_SHARED) return false;
      return raise(u, t->symbol, t->nkids ? uniform_of(u, t->kid[0]) : VARIES_NOT);
    case OP_ASSIGN: {
      const Tree *place = t->kid[0];
      Variance v = uniform_of(u, t->kid[1]);
      if (place->op == OP_INDEX) {
        v = most(v, uniform_of(u, place->kid[1]));
        place = place->kid[0];
      }
      return place->op == OP_REF && place->symbol->kind == SYMBOL_LOCAL && !place->symbol->pointer &&
             raise(u, place->symbol, v); /* what memory holds says nothing of its address */
    }
    case OP_LOAD_A: case OP_LOAD_B: case OP_PART_OF_A: /* each lane's own */
    case OP_MULTIPLY: case OP_MULTIPLY_TILE: case OP_MULTIPLY_GROUP:
    case OP_LOAD_WIDE: case OP_LOAD_SEVERAL: case OP_LOAD_WORDS: /* what memory holds is any lane's own */
    case OP_LOAD_RUN:
      return raise(u, t->kid[0]->kid[0]->symbol, VARIES_LANE);
    case OP_LOAD_NEAR: case OP_KEEP_NEAR: case OP_TAKE_WORDS: return raise(u, t->kid[1]->kid[0]->symbol, VARIES_LANE);
    case OP_UNIT_LOAD: case OP_UNIT_SUMS: case OP_UNIT_SCAN: return raise(u, t->kid[1]->symbol, VARIES_LANE);
    case OP_LOAD_ROWS: return raise(u, t->kid[0]->symbol, VARIES_LANE);
    case OP_IF: vec_push(u->a, &u->control, uniform_of(u, t->kid[0])); break;
    case OP_FOR:
      changed = follow(u, t->kid[0]);
      vec_push(u->a, &u->control, uniform_of_loop(u, t));
      break;
    case OP_WHILE: vec_push(u->a, &u->control, uniform_of_loop(u, t)); break;
    default: break;
  }
  for (int i = t->op == OP_FOR; i < t->nkids; i++) changed = follow(u, t->kid[i]) || changed;
  u->control.n = depth;
  return changed;
}

Uniform uniform_find(Arena *a, const Tree *body) {
  Uniform u = {.a = a};
  while (follow(&u, body)) {}
  return u;
}
