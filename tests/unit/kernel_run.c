/* kernel_run.c: kernel form, run. One evaluator for any set of lanes: all of them in lockstep; or one, in a context
 * of its own that is left where the lane has to wait. */
#include "kernel_run.h"

#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { STACK = 192 * 1024, WARP = 32 };

typedef struct Lanes { int from, to; bool on[RUN_LANES]; } Lanes;

typedef struct Epoch { uint16_t block, warp; } Epoch; /* 0, 0: never */
typedef enum Kind { READ, WRITE, ATOMIC, KINDS } Kind;

typedef struct Memory {
  const Symbol *symbol;
  int length;                /* of an array */
  int64_t value[RUN_SLOTS];  /* by slot; by lane, of a lane's own; by slot and lane of its arrays */
  Epoch *last;               /* [slot][lane][kind] */
} Memory;

typedef enum State { READY, WAITS_WARP, WAITS_BLOCK, DONE } State;

typedef struct Run {
  Arena *a;
  const Kernel *kernel;
  const Tree *body;
  int lanes;
  bool apart;
  RunResult result;
  VEC(Memory *) memory;
  struct Frame *loop;
  /* apart */
  ucontext_t scheduler, context[RUN_LANES];
  State state[RUN_LANES];
  const Tree *at[RUN_LANES];
  Epoch now[RUN_LANES];
  int64_t published[2][RUN_LANES];
  int parity[RUN_LANES];
  struct Frame *frame[RUN_LANES];
  int current;
  unsigned seed;
} Run;

typedef struct Frame { Lanes continued; struct Frame *outer; } Frame;

static void fault(Run *r, const char *what, const Tree *t) {
  if (r->result.fault) return;
  Buffer b = buffer_new(r->a);
  tree_print(&b, t, 0);
  r->result.fault = arena_printf(r->a, "%s at `%s'", what, b.text);
}

#define each_lane(m, l) for (int l = (m)->from; l < (m)->to; l++) if ((m)->on[l])

static bool any(const Lanes *m) {
  each_lane(m, l) return true;
  return false;
}

static void evaluate(Run *r, const Tree *t, const Lanes *m, int64_t *to);

static Memory *memory(Run *r, const Symbol *s) {
  for (int i = 0; i < r->memory.n; i++)
    if (r->memory.at[i]->symbol == s) return r->memory.at[i];
  Memory *x = arena_one(r->a, Memory);
  x->symbol = s;
  x->length = 1;
  if (s->array) {
    Lanes one = {.to = 1, .on = {true}};
    int64_t length[RUN_LANES];
    evaluate(r, s->length, &one, length);
    x->length = (int)length[0];
  }
  if (s->kind == SYMBOL_SHARED && r->apart) x->last = calloc((size_t)(x->length * r->lanes) * KINDS, sizeof(Epoch));
  vec_push(r->a, &r->memory, x);
  return x;
}

static bool ordered_before(const Run *r, Epoch then, int who, int lane) {
  if (then.block < r->now[lane].block) return true;
  return who / WARP == lane / WARP && then.warp < r->now[lane].warp;
}

static void check_race(Run *r, Memory *x, int slot, int lane, Kind kind, const Tree *t) {
  Epoch *last = x->last + (size_t)(slot * r->lanes) * KINDS;
  for (int who = 0; who < r->lanes; who++)
    for (int k = 0; k < KINDS; k++) {
      Epoch then = last[who * KINDS + k];
      bool harmless = who == lane || then.block == 0 || (k == READ && kind == READ) || (k == ATOMIC && kind == ATOMIC);
      if (!harmless && !ordered_before(r, then, who, lane)) fault(r, "a race", t);
    }
  last[lane * KINDS + kind] = r->now[lane];
}

/* The cell of a REF or INDEX for one lane; NULL when it is outside. */
static int64_t *cell(Run *r, const Tree *t, int lane, int64_t index, Kind kind) {
  const Symbol *s = t->op == OP_INDEX ? t->kid[0]->symbol : t->symbol;
  if (s->pointer && index >= 0 && index < RUN_SLOTS && strcmp(s->name, "out") == 0) return &r->result.out[index];
  Memory *x = memory(r, s);
  const bool shared = s->kind == SYMBOL_SHARED;
  if (!shared && !s->array) return &x->value[lane];
  if (index < 0 || index >= x->length || x->length * (shared ? 1 : r->lanes) > RUN_SLOTS) {
    fault(r, "an index outside", t);
    return NULL;
  }
  if (!shared) return &x->value[index * r->lanes + lane];
  if (r->apart) check_race(r, x, (int)index, lane, kind, t);
  return &x->value[index];
}

/* ---- waiting ---- */

static void await(Run *r, int lane, State state, const Tree *at) {
  r->state[lane] = state;
  r->at[lane] = at;
  r->frame[lane] = r->loop;
  swapcontext(&r->context[lane], &r->scheduler);
  r->loop = r->frame[lane];
}

static int64_t exchanged(const Tree *t, const int64_t *values, int lane, int64_t by) {
  int own = lane % WARP, other = own;
  switch (t->mode) {
    case SHUFFLE_DOWN: other = own + (int)by; break;
    case SHUFFLE_UP: other = own - (int)by; break;
    case SHUFFLE_XOR: other = own ^ (int)by; break;
    case SHUFFLE_INDEX: other = (int)by % WARP; break;
  }
  if (other < 0 || other >= WARP) other = own;
  return values[lane - own + other];
}

static void shuffle(Run *r, const Tree *t, const Lanes *m, int64_t *to) {
  int64_t value[RUN_LANES], by[RUN_LANES];
  evaluate(r, t->kid[0], m, value);
  evaluate(r, t->kid[1], m, by);
  if (!r->apart) {
    each_lane(m, l) to[l] = exchanged(t, value, l, by[l]);
    return;
  }
  int lane = m->from, parity = r->parity[lane] ^= 1;
  r->published[parity][lane] = value[lane];
  await(r, lane, WAITS_WARP, t);
  to[lane] = exchanged(t, r->published[parity], lane, by[lane]);
}

/* ---- values ---- */

static int64_t apply(Op op, Type type, int64_t x, int64_t y);

/* All lanes of each warp, combined; in lockstep. */
static void reduce(Run *r, const Tree *t, const Lanes *m, int64_t *to) {
  static const Op ops[] = {[OPERATOR_ADD] = OP_ADD, [OPERATOR_MUL] = OP_MUL, [OPERATOR_MAX] = OP_MAX,
                           [OPERATOR_MIN] = OP_MIN, [OPERATOR_AND] = OP_AND, [OPERATOR_OR] = OP_OR,
                           [OPERATOR_XOR] = OP_XOR};
  int64_t value[RUN_LANES];
  evaluate(r, t->kid[0], m, value);
  for (int w = m->from; w < m->to; w += WARP) {
    int64_t all = value[w];
    for (int l = w; l < w + WARP; l++) {
      if (m->on[l] != m->on[w]) fault(r, "a reduction that not all lanes of the warp reach", t);
      if (l > w) all = apply(ops[t->combines], t->type, all, value[l]);
    }
    for (int l = w; l < w + WARP; l++) to[l] = all;
  }
}

static int64_t half_of(int64_t lanes) {
  int64_t half = 1;
  while (2 * half < lanes && half < WARP / 2) half *= 2;
  return lanes > 1 ? half : 0;
}

static int64_t wrapped(Type t, int64_t x) {
  switch (t) {
    case TYPE_INT: return (int32_t)(uint32_t)(uint64_t)x;
    case TYPE_UINT: return (uint32_t)(uint64_t)x;
    case TYPE_BOOL: return x != 0;
    default: return x;
  }
}

static int64_t apply(Op op, Type type, int64_t x, int64_t y) {
  uint64_t ux = (uint64_t)x, uy = (uint64_t)y;
  int64_t v = 0;
  switch (op) {
    case OP_ADD: v = (int64_t)(ux + uy); break;
    case OP_SUB: v = (int64_t)(ux - uy); break;
    case OP_MUL: v = (int64_t)(ux * uy); break;
    case OP_DIV: v = y ? x / y : 0; break;
    case OP_REM: v = y ? x % y : 0; break;
    case OP_SHL: v = (int64_t)(ux << (uy & 63)); break;
    case OP_SHR: v = x >> (uy & 63); break;
    case OP_AND: v = x & y; break;
    case OP_OR: v = x | y; break;
    case OP_XOR: v = x ^ y; break;
    case OP_LT: v = x < y; break;
    case OP_LE: v = x <= y; break;
    case OP_GT: v = x > y; break;
    case OP_GE: v = x >= y; break;
    case OP_EQ: v = x == y; break;
    case OP_NE: v = x != y; break;
    case OP_MIN: v = x < y ? x : y; break;
    case OP_MAX: v = x > y ? x : y; break;
    default: abort();
  }
  return wrapped(type, v);
}

static int64_t given(const Run *r, const Symbol *s) {
  if (s->kind == SYMBOL_CONSTANT) return r->lanes;
  return s->name[0] == 'a' ? 3 : s->name[0] == 'b' ? 5 : 1000;
}

static void leaf(Run *r, const Tree *t, const Lanes *m, int64_t *to) {
  each_lane(m, l) switch (t->op) {
    case OP_THREAD: to[l] = l; break;
    case OP_LANE: to[l] = l % WARP; break;
    case OP_WARP: to[l] = l / WARP; break;
    case OP_BLOCK_ID: to[l] = 0; break;
    case OP_REF:
      if (t->symbol->kind == SYMBOL_PARAM || t->symbol->kind == SYMBOL_CONSTANT) to[l] = given(r, t->symbol);
      else {
        const int64_t *x = cell(r, t, l, 0, READ);
        to[l] = x ? *x : 0;
      }
      break;
    default: to[l] = t->number;
  }
}

static void choice(Run *r, const Tree *t, const Lanes *m, int64_t *to) {
  int64_t asked[RUN_LANES], value[RUN_LANES];
  evaluate(r, t->kid[0], m, asked);
  for (int i = 1; i < t->nkids; i++) {
    Lanes part = *m;
    each_lane(m, l) part.on[l] = t->op == OP_COND ? (asked[l] != 0) == (i == 1) : (asked[l] != 0) == (t->op == OP_LAND);
    evaluate(r, t->kid[i], &part, value);
    each_lane(&part, l) to[l] = t->op == OP_COND ? value[l] : value[l] != 0;
    if (t->op != OP_COND) each_lane(m, k) if (!part.on[k]) to[k] = asked[k] != 0;
  }
}

static void evaluate(Run *r, const Tree *t, const Lanes *m, int64_t *to) {
  if (!any(m)) return;
  if (t->op == OP_SHUFFLE) { shuffle(r, t, m, to); return; }
  if (t->op == OP_REDUCE) { reduce(r, t, m, to); return; }
  if (t->op == OP_COND || t->op == OP_LAND || t->op == OP_LOR) { choice(r, t, m, to); return; }
  if (t->nkids == 0) { leaf(r, t, m, to); return; }
  int64_t x[RUN_LANES], y[RUN_LANES];
  if (t->op == OP_INDEX) {
    evaluate(r, t->kid[1], m, y);
    each_lane(m, l) {
      if (strcmp(t->kid[0]->symbol->name, "in") == 0) to[l] = y[l] * 7 % 23 - 5;
      else {
        const int64_t *c = cell(r, t, l, y[l], READ);
        to[l] = c ? *c : 0;
      }
    }
    return;
  }
  evaluate(r, t->kid[0], m, x);
  if (t->nkids == 1) {
    each_lane(m, l)
      to[l] = wrapped(t->type, t->op == OP_HALF   ? half_of(x[l])
                               : t->op == OP_NEG  ? -x[l]
                               : t->op == OP_NOT  ? !x[l]
                               : t->op == OP_BNOT ? ~x[l]
                                                  : x[l]);
    return;
  }
  evaluate(r, t->kid[1], m, y);
  each_lane(m, l) to[l] = apply(t->op, t->type, x[l], y[l]);
}

/* ---- statements ---- */

static void execute(Run *r, const Tree *t, Lanes *m);

/* All loads, then all stores. */
static void assign(Run *r, const Tree *t, const Lanes *m) {
  const Tree *place = t->kid[0];
  int64_t index[RUN_LANES] = {0}, value[RUN_LANES];
  if (place->op == OP_INDEX) evaluate(r, place->kid[1], m, index);
  evaluate(r, t->kid[1], m, value);
  Type type = place->type;
  bool atomic = t->op == OP_ATOMIC;
  if (!atomic && t->compound)
    each_lane(m, l) {
      const int64_t *x = cell(r, place, l, index[l], READ);
      value[l] = apply(t->compound, type, x ? *x : 0, value[l]);
    }
  each_lane(m, l) {
    int64_t *x = cell(r, place, l, index[l], atomic ? ATOMIC : WRITE);
    static const Op ops[] = {OP_ADD, OP_ADD, OP_SUB, OP_MAX, OP_MIN};
    if (x) *x = atomic ? apply(ops[t->atomic], type, *x, value[l]) : wrapped(type, value[l]);
  }
}

static void loop(Run *r, const Tree *t, Lanes *m) {
  bool counts = t->op == OP_FOR;
  const Tree *condition = counts ? t->kid[1] : t->kid[0];
  Lanes in = *m;
  if (counts && t->kid[0]) execute(r, t->kid[0], &in);
  for (int round = 0; any(&in) && round < 10000 && !r->result.fault; round++) {
    int64_t asked[RUN_LANES];
    if (condition) evaluate(r, condition, &in, asked);
    each_lane(&in, l) in.on[l] = !condition || asked[l];
    if (!any(&in)) break;
    Frame frame = {.continued = {.from = in.from, .to = in.to}, .outer = r->loop};
    r->loop = &frame;
    execute(r, t->kid[t->nkids - 1], &in);
    r->loop = frame.outer;
    for (int l = in.from; l < in.to; l++) in.on[l] = in.on[l] || frame.continued.on[l];
    if (counts && t->kid[2]) execute(r, t->kid[2], &in);
  }
}

static void execute(Run *r, const Tree *t, Lanes *m) {
  if (!any(m) || r->result.fault) return;
  switch (t->op) {
    case OP_SEQ:
      for (int i = 0; i < t->nkids; i++) execute(r, t->kid[i], m);
      return;
    case OP_DECLARE: {
      if (!t->nkids) return;
      Tree ref = {.op = OP_REF, .type = t->symbol->type, .symbol = t->symbol};
      Tree *kids[2] = {&ref, t->kid[0]};
      Tree set = {.op = OP_ASSIGN, .nkids = 2, .kid = kids};
      assign(r, &set, m);
      return;
    }
    case OP_ASSIGN: case OP_ATOMIC: assign(r, t, m); return;
    case OP_IF: {
      int64_t asked[RUN_LANES];
      evaluate(r, t->kid[0], m, asked);
      Lanes then = *m, otherwise = *m;
      each_lane(m, l) {
        then.on[l] = asked[l] != 0;
        otherwise.on[l] = !asked[l];
      }
      execute(r, t->kid[1], &then);
      if (t->nkids > 2) execute(r, t->kid[2], &otherwise);
      for (int l = m->from; l < m->to; l++) m->on[l] = then.on[l] || otherwise.on[l];
      return;
    }
    case OP_FOR: case OP_WHILE: loop(r, t, m); return;
    case OP_BREAK: case OP_CONTINUE:
      each_lane(m, l) {
        if (t->op == OP_CONTINUE) r->loop->continued.on[l] = true;
        m->on[l] = false;
      }
      return;
    case OP_BARRIER:
      if (r->apart) await(r, m->from, t->scope == SCOPE_WARP ? WAITS_WARP : WAITS_BLOCK, t);
      return;
    default: return;
  }
}

static RunResult finish(Run *r) {
  for (int i = 0; i < r->memory.n; i++) free(r->memory.at[i]->last);
  return r->result;
}

RunResult kernel_run_lockstep(Arena *a, const Kernel *k, const Tree *body, int lanes) {
  Run *r = arena_one(a, Run);
  r->a = a;
  r->kernel = k;
  r->lanes = lanes;
  Lanes all = {.to = lanes};
  for (int l = 0; l < lanes; l++) all.on[l] = true;
  execute(r, body, &all);
  return finish(r);
}

/* ---- lanes on their own ---- */

static unsigned draw(unsigned *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return *seed >> 8;
}

static void one_lane(unsigned high, unsigned low) {
  Run *r = (Run *)((uintptr_t)high << 32 | low);
  int lane = r->current;
  Lanes own = {.from = lane, .to = lane + 1};
  own.on[lane] = true;
  r->loop = NULL;
  execute(r, r->body, &own);
  r->state[lane] = DONE;
}

static bool all_wait(const Run *r, int from, int to, State state) {
  for (int l = from; l < to; l++)
    if (r->state[l] != state || r->at[l] != r->at[from]) return false;
  return true;
}

/* Lets a warp or the block go on; false when nobody can. */
static bool release(Run *r) {
  bool some = false;
  for (int w = 0; w < r->lanes; w += WARP) {
    if (!all_wait(r, w, w + WARP, WAITS_WARP)) continue;
    bool barrier = r->at[w]->op == OP_BARRIER; /* a shuffle orders no memory */
    for (int l = w; l < w + WARP; l++) {
      r->state[l] = READY;
      r->now[l].warp = (uint16_t)(r->now[l].warp + barrier);
    }
    some = true;
  }
  if (some || !all_wait(r, 0, r->lanes, WAITS_BLOCK)) return some;
  for (int l = 0; l < r->lanes; l++) {
    r->state[l] = READY;
    r->now[l].block++;
  }
  return true;
}

RunResult kernel_run_apart(Arena *a, const Kernel *k, const Tree *body, int lanes, unsigned seed) {
  Run *r = arena_one(a, Run);
  r->a = a;
  r->kernel = k;
  r->body = body;
  r->lanes = lanes;
  r->apart = true;
  r->seed = seed;
  char *stacks = malloc((size_t)lanes * STACK);
  uintptr_t self = (uintptr_t)r;
  for (int l = 0; l < lanes; l++) {
    getcontext(&r->context[l]);
    r->context[l].uc_stack.ss_sp = stacks + (size_t)l * STACK;
    r->context[l].uc_stack.ss_size = STACK;
    r->context[l].uc_link = &r->scheduler;
    makecontext(&r->context[l], (void (*)(void))one_lane, 2, (unsigned)(self >> 32), (unsigned)self);
    r->now[l] = (Epoch){1, 1};
  }
  while (!r->result.fault) {
    int ready[RUN_LANES], n = 0, done = 0;
    for (int l = 0; l < lanes; l++) {
      if (r->state[l] == READY) ready[n++] = l;
      done += r->state[l] == DONE;
    }
    if (done == lanes) break;
    if (n == 0) {
      if (release(r)) continue;
      r->result.fault = "lanes wait for each other at different places";
      break;
    }
    r->current = ready[draw(&r->seed) % (unsigned)n];
    swapcontext(&r->scheduler, &r->context[r->current]);
  }
  RunResult result = finish(r);
  free(stacks);
  return result;
}

/* ---- random kernels ---- */

typedef struct Writer { Buffer to; unsigned seed; int names; } Writer;

static unsigned pick(Writer *w, unsigned n) { return draw(&w->seed) % n; }

static const char *one_of(Writer *w, const char *const *list, unsigned n) { return list[pick(w, n)]; }
#define ONE_OF(w, ...) \
  one_of(w, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static const char *any_slot(Writer *w) {
  return ONE_OF(w, "thread", "thread", "thread ^ 1", "thread ^ 31", "thread ^ 32", "(thread + 5) % threads",
                "threads - 1 - thread", "warp * 32 + 31 - lane");
}

/* One of two or three buffers, by turns. */
static const char *any_buffer(Writer *w, const char *offset) {
  const char *ahead = ONE_OF(w, "", "", " + 1", " + 2");
  return arena_printf(w->to.arena, "((%s%s) %s)", offset, ahead, ONE_OF(w, "% 2", "% 3", "& 1"));
}

static void write_block(Writer *w, int depth, bool together, const char *offset);

static void write_exchange(Writer *w, const char *offset) {
  Buffer *to = &w->to;
  switch (pick(w, 15)) {
    case 0: buffer_puts(to, "t[thread] = v; "); break;
    case 1: buffer_printf(to, "t[%s] = v; ", any_slot(w)); break;
    case 2: buffer_printf(to, "v = v * 3 + t[%s]; ", any_slot(w)); break;
    case 3: buffer_printf(to, "v += lane + %s < 32 ? t[thread + %s] : 0; ", offset, offset); break;
    case 4: buffer_printf(to, "v += lane >= %s ? t[thread - %s] : 1; ", offset, offset); break;
    case 5:
      buffer_puts(to, ONE_OF(w, "if (lane == 0) p[warp] = v; ", "if (thread < 32) p[thread] = v; ",
                             "if (warp == 0) p[lane] = v; ", "if (lane == 3) { p[warp] = v; } else { v += 1; } "));
      break;
    case 6: buffer_printf(to, "v ^= p[%s]; ", ONE_OF(w, "warp", "lane", "31 - lane", "warp + 1")); break;
    case 7:
      buffer_puts(to, ONE_OF(w, "if (thread == 0) s = v; ", "if (thread == 33) s = v + 1; ", "v = v * 5 + s; "));
      break;
    case 8: buffer_puts(to, ONE_OF(w, "atomicAdd(c, v); ", "v += c; ", "if (thread == 0) c = 0; ")); break;
    case 9: buffer_printf(to, "t[thread] += t[%s]; ", any_slot(w)); break;
    case 10: buffer_printf(to, "v = t[%s] + v * 3; ", any_slot(w)); break;
    case 11: buffer_printf(to, "r[%s * 64 + thread %% 64] = v; ", any_buffer(w, offset)); break;
    case 12: buffer_printf(to, "v = v * 3 + r[%s * 64 + (%s) %% 64]; ", any_buffer(w, offset), any_slot(w)); break;
    case 13:
      buffer_printf(to, "v += r[%s * 64 + thread %% 64]; r[%s * 64 + (%s) %% 64] = v; ", any_buffer(w, offset),
                    any_buffer(w, offset), any_slot(w));
      break;
    default:
      w->names++;
      buffer_printf(to, "int x%d = t[%s] + v; v ^= x%d; ", w->names, any_slot(w), w->names);
  }
}

static void write_statement(Writer *w, int depth, bool together, const char *offset) {
  Buffer *to = &w->to;
  unsigned kind = pick(w, depth ? 10 : 6);
  if (kind < 6) { write_exchange(w, offset); return; }
  if (kind == 6 && together) {
    buffer_printf(to, "v += shuffle_%s(v, %s); ", ONE_OF(w, "down", "up", "xor"), offset);
    return;
  }
  if (kind <= 7) {
    int i = ++w->names;
    bool halves = pick(w, 2);
    if (halves) buffer_printf(to, "for (int o%d = 16; o%d > 0; o%d /= 2) { ", i, i, i);
    else buffer_printf(to, "for (int o%d = 1; o%d < %s; o%d += 1) { ", i, i, ONE_OF(w, "3", "a", "4"), i);
    char name[16];
    snprintf(name, sizeof name, "o%d", i);
    write_block(w, depth - 1, together, name);
    buffer_puts(to, "} ");
    return;
  }
  const char *condition = ONE_OF(w, "a > 1", "lane < 7", "thread < 40", "warp == 0", "v > 3", "warp < 2", "s > 2",
                                 "lane >= 16", "thread < 32", "t[thread ^ 32] > 1");
  buffer_printf(to, "if (%s) { ", condition);
  write_block(w, depth - 1, together && condition[0] == 'a', offset);
  if (pick(w, 3) == 0) {
    buffer_puts(to, "} else { ");
    write_block(w, depth - 1, together && condition[0] == 'a', offset);
  }
  buffer_puts(to, "} ");
}

static void write_block(Writer *w, int depth, bool together, const char *offset) {
  for (unsigned n = 1 + pick(w, 4); n > 0; n--) write_statement(w, depth, together, offset);
}

const char *kernel_run_random(Arena *a, unsigned seed) {
  Writer w = {.to = buffer_new(a), .seed = seed * 2654435761u};
  buffer_puts(&w.to, "shared int t[threads]; shared int p[33]; shared int s; shared int c; shared int r[192];"
                     " int v = in[thread];\n");
  write_block(&w, 3, true, "1");
  write_block(&w, 3, true, "4");
  buffer_puts(&w.to, "\nout[thread] = v;");
  return w.to.text;
}
