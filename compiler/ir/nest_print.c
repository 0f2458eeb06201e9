/* nest_print.c: nests as text, one line a node, for --print-after=nest and for tests. */
#include "ir/nest.h"

static const char *const bindings[] = {"loop", "unroll", "codelet", "workers", "in step",
                                       "wide", "skewed",  "host",  "grid"};
static const char *const tails[] = {"",       ", clip",     ", empty",  ", peel",  ", guard",
                                    ", skip", ", identity", ", repeat", ", first", ", all"};
static const char *const untils[] = {"", " until aligned", " while whole", " once"};
static const char *const ways[] = {"",           ", atomic",    ", by the next launch", ", by ticket",
                                   ", by posts", ", by pushes", ", by lanes",           ", carried",
                                   ", looking back", ", by a scanner", ", in a chain"};
static const char *const roles[] = {"map", "reduce", "scan", "order"};

static void axis_name(Buffer *to, const NestAxis *x) {
  if (x->name == x->dim->name) buffer_puts(to, x->name);
  else buffer_printf(to, "%s.%s", x->dim->name, x->name);
}

static void axes(Buffer *to, const char *before, NestAxis *const *at, int n, const char *behind) {
  if (!n) return;
  buffer_puts(to, before);
  for (int i = 0; i < n; i++) {
    if (i) buffer_puts(to, ", ");
    axis_name(to, at[i]);
  }
  buffer_puts(to, behind);
}

/* "reduce of 0 .. n" */
static void whole(Buffer *to, const NestDim *d) {
  buffer_printf(to, "%s of ", roles[d->role]);
  if (d->ends_of) { buffer_printf(to, "what %s leaves", d->ends_of->name); return; }
  tree_print(to, d->origin, 0);
  buffer_puts(to, " .. ");
  tree_print(to, d->end, 0);
}

/* "n.lane thread(threads; per)": iterations, and elements from one to the next. */
static void axis(Buffer *to, const NestAxis *x) {
  axis_name(to, x);
  const bool in_step = x->level && x->binding == BINDING_IN_STEP;
  buffer_printf(to, " %s%s(", x->level ? x->level : bindings[x->binding], in_step ? " in step" : "");
  if (x->extent) tree_print(to, x->extent, 0);
  else if (x->many) { tree_print(to, x->many, 0); buffer_puts(to, ": "); whole(to, x->dim); }
  else whole(to, x->dim);
  buffer_puts(to, "; ");
  tree_print(to, x->stride, 0);
  if (x->next) buffer_puts(to, "; as they come");
  if (x->skewed) { buffer_puts(to, "; number "); tree_print(to, x->number, 0); }
  if (x->left) buffer_puts(to, "; until left");
  if (x->bytes) buffer_printf(to, "; by %d bytes", x->bytes);
  buffer_printf(to, ")%s%s", untils[x->binding == BINDING_LOOP ? x->until : 0], tails[x->tail]);
}

static void value(Buffer *to, const NestValue *v) {
  buffer_puts(to, v->name);
  axes(to, "[", v->kept.at, v->kept.n, "]");
}

static void accesses(Buffer *to, const NestStage *s, int from) {
  static const char *const uses[] = {" reads ", " writes ", " accumulates "};
  for (int i = from; i < s->at.n; i++) {
    buffer_puts(to, uses[s->at.at[i].use]);
    value(to, s->at.at[i].value);
  }
}

static void stage(Buffer *to, const NestStage *s) {
  static const char *const words[] = {
      [STAGE_FILL] = "fill ", [STAGE_COPY] = "copy ", [STAGE_COMBINE] = "combine ", [STAGE_NUMBER] = "copy ",
      [STAGE_RESULT] = "result ", [STAGE_BEGIN] = "begin ", [STAGE_DELIVER] = "deliver ", [STAGE_SYNC] = "sync "};
  if (!words[s->kind]) {
    buffer_printf(to, "%s %s:", s->kind == STAGE_WHOLE ? "codelet" : "stage", s->codelet->tag);
    accesses(to, s, 0);
    return;
  }
  if (s->sync && !s->at.n) buffer_puts(to, op_spelling(s->sync->op));
  const bool numbers = s->kind == STAGE_NUMBER && s->at.n > 2;
  for (int i = 0; i < s->at.n && (i < 2 || numbers); i++) {
    buffer_puts(to, i > 1 ? ", " : i ? " <- " : numbers ? "combine " : words[s->kind]);
    value(to, s->at.at[i].value);
  }
  if (!numbers) accesses(to, s, 2);
}

static void line(Buffer *to, const NestNode *n) {
  switch (n->kind) {
    case NEST_SEQ: buffer_puts(to, "in order"); break;
    case NEST_AXIS: axis(to, n->axis); break;
    case NEST_PIECES: axis_name(to, n->axis); buffer_puts(to, " in pieces"); break;
    case NEST_STAGE: stage(to, n->stage); break;
    case NEST_JOIN:
      buffer_puts(to, "join ");
      value(to, n->join->from);
      axes(to, " over ", &n->join->over, 1, ways[n->join->way]);
      if (n->join->to) buffer_printf(to, " -> %s", n->join->to->name);
      if (n->join->all) buffer_printf(to, ", %s", n->join->all->name);
      break;
    case NEST_KERNEL:
      buffer_printf(to, "kernel %s, blocks ", n->kernel->name);
      tree_print(to, n->kernel->blocks, 0);
      if (n->kernel->when) buffer_puts(to, ", when ");
      if (n->kernel->when) tree_print(to, n->kernel->when, 0);
      if (n->kernel->leaves) buffer_printf(to, ", may leave %s", n->kernel->leaves->name);
      break;
    case NEST_WHEN:
      buffer_puts(to, nest_is_nothing(n->kids.at[0]) ? "unless " : "when ");
      tree_print(to, n->when, 0);
      break;
    case NEST_AHEAD:
      buffer_puts(to, n->axis ? "together " : "before all parts");
      if (n->axis) axis_name(to, n->axis);
      break;
    case NEST_UNLESS: buffer_puts(to, "in order, the first one unless the second does it"); break;
    case NEST_OPEN:
      buffer_printf(to, "plan %s%s", n->comment ? n->comment : "", n->stage ? ":" : "");
      if (n->stage) accesses(to, n->stage, 0);
      break;
  }
}

static void node(Buffer *to, const NestNode *n, int indent) {
  buffer_fill(to, ' ', 2 * indent);
  line(to, n);
  buffer_puts(to, "\n");
  for (int i = 0; i < n->home.n; i++) {
    const NestValue *v = n->home.at[i];
    buffer_fill(to, ' ', 2 * indent + 2);
    buffer_puts(to, "home ");
    value(to, v);
    if (v->of) buffer_printf(to, " of %s", v->of->name);
    if (v->is) { buffer_puts(to, " = "); tree_print(to, v->is, 0); }
    axes(to, ", partial over ", v->partial.at, v->partial.n, "");
    buffer_puts(to, "\n");
  }
  for (int i = 0; i < n->kids.n; i++) {
    const NestNode *kid = n->kids.at[i];
    if (n->kind == NEST_WHEN && nest_is_nothing(kid)) continue;
    if (n->kind == NEST_WHEN && i == 1 && !nest_is_nothing(n->kids.at[0])) {
      buffer_fill(to, ' ', 2 * indent);
      buffer_puts(to, "else\n");
    }
    node(to, kid, indent + 1);
  }
}

void nest_print(Buffer *to, const NestNode *n) { node(to, n, 0); }
