/* subproblem.c: compose(s, L) where it stands, expanded once, by the rules that apply (MICRO Fig. 7).
 *
 * What a compose can become depends on where it stands (Context) and on the iterations that are left, on nothing else:
 * equal subproblems are expanded once and shared, and a candidate is a choice among their expansions. Each subproblem's
 * candidates are pruned before they are combined, as Fig. 7 prunes between iterations. What a rule can become,
 * expand.c knows. */
#include "compose/expand.h"

/* Results are as wide as what they are added up in: a matrix unit multiplies elements. */
static bool multiplies_results(const PlanNode *n) {
  return n->combine == COMBINE_SPECTRUM && n->nkids > 1 && plan_multiplies_rows(n->kid[1]);
}

void expand_add(Search *x, PlanNodes *to, PlanNode *n) {
  if (multiplies_results(n)) return;
  vec_push(x->a, to, n);
  x->considered++;
}

/* Iterations that are left below a rule: one for itself, and one for each optional level that it passes over, so that
 * the same is composed there whichever way it is reached. Work comes to a factor besides, and none has to pass it. */
int expand_left(const Site *at) {
  const Rule *r = at->rule;
  int left = at->left;
  if (!r->below || r->parts == r->level) return left - 1;
  for (const Level *l = r->level->sub; l && l != r->below; l = l->sub) left -= !l->can.factor;
  return left - 1;
}

/* Has the spectrum a codelet that applies another one as it is? */
bool expand_has_application(const Search *x, const Spectrum *s) {
  for (int i = 0; i < x->rules.list.n; i++)
    if (x->rules.list.at[i]->spectrum == s && plan_rule_applies(x->rules.list.at[i])) return true;
  return false;
}

bool expand_has_steps(const Search *x, const Spectrum *s) {
  for (int i = 0; i < x->rules.list.n; i++)
    if (x->rules.list.at[i]->spectrum == s && x->rules.list.at[i]->in_steps) return true;
  return false;
}

bool expand_multiplies(const Search *x, const Spectrum *s) {
  for (int i = 0; i < x->rules.list.n; i++) {
    const Rule *r = x->rules.list.at[i];
    const Codelet *c = r->codelet;
    if (r->spectrum == s && c && c->matrix && !c->rows && !r->unfit) return true;
  }
  return false;
}

/* Does the map's codelet have its results added up atomically, and may they be? At that level, `kids' candidates. */
bool expand_accumulates(Search *x, const Rule *r, const Level *l, int kids) {
  const MapChoice choice = r->codelet->results;
  if (!choice.atomic || choice.op == ATOMIC_NONE) return false;
  const char *refused = refuse_atomics(r->spectrum, l);
  if (refused) trace_reason(x, refused, kids);
  return !refused;
}

PlanNodes expand_best(Search *x, const PlanNodes *of, int most, const char *beyond, int each) {
  PlanNodes some = {0};
  vec_copy(x->a, &some, of);
  const int dropped = prune_candidates(x->a, &some, most);
  if (dropped) trace_reason(x, beyond, dropped * each);
  return some;
}

typedef struct Applicable { VEC(const Rule *) list; } Applicable;

/* Insertion sort: stable, and a level has few rules. */
static void sort_rules(Applicable *rules, const Level *l, bool last) {
  for (int i = 1; i < rules->list.n; i++)
    for (int k = i; k > 0 && prune_compare(rules->list.at[k], rules->list.at[k - 1], l, last) < 0; k--) {
      const Rule *r = rules->list.at[k];
      rules->list.at[k] = rules->list.at[k - 1];
      rules->list.at[k - 1] = r;
    }
}

static bool same_context(const Context *a, const Context *b) {
  return a->bound == b->bound && a->adaptive == b->adaptive && a->combination == b->combination &&
         a->serialized == b->serialized && a->devolved == b->devolved && a->private == b->private &&
         a->segment == b->segment && a->spread == b->spread && a->adds == b->adds && a->interleaved == b->interleaved &&
         a->tile == b->tile && a->row == b->row && a->few == b->few && a->strided == b->strided &&
         a->vector == b->vector &&
         a->computed == b->computed && a->handed == b->handed && a->scattered == b->scattered &&
         a->tile_part == b->tile_part && a->apart == b->apart;
}

/* The rules that apply, in the order of Fig. 8; why others do not is noted. */
static Applicable applicable(Search *x, const Spectrum *s, const Level *l, Context c, int left) {
  Applicable rules = {0};
  Buffer why = buffer_new(x->a);
  for (int i = 0; i < x->rules.list.n && left > 0; i++) {
    const Rule *r = x->rules.list.at[i];
    if (r->spectrum != s || r->level != l) continue;
    const char *reason = refuse_rule(r, l, c, left);
    fates_note(x->a, &x->fates, r->codelet, reason);
    if (!reason) { vec_push(x->a, &rules.list, r); continue; }
    trace_reason(x, reason, 1);
    if (x->trace) buffer_printf(&why, "      not %s: %s\n", r->name, reason);
  }
  sort_rules(&rules, l, left == 1);
  if (!x->trace) return rules;
  Buffer *t = trace_of(x, left);
  buffer_printf(t, "  %s:", trace_describe(x, s, l, c));
  for (int i = 0; i < rules.list.n; i++) buffer_printf(t, " %s", rules.list.at[i]->name);
  buffer_printf(t, "%s\n%s", rules.list.n ? "" : " no rule applies", why.text);
  return rules;
}

const PlanNodes *expand(Search *x, const Spectrum *s, const Level *l, Context c, int left) {
  for (int i = 0; i < x->known.n; i++) {
    const Subproblem *k = &x->known.at[i];
    if (k->spectrum == s && k->level == l && k->left == left && same_context(&k->context, &c))
      return &x->known.at[i].found;
  }
  const Applicable rules = applicable(x, s, l, c, left);
  PlanNodes found = {0};
  for (int i = 0; i < rules.list.n; i++) {
    const Site at = {rules.list.at[i], c, left, &found};
    x->apply(x, &at);
  }
  const int dropped = prune_candidates(x->a, &found, l->depth == 0 && !c.combination ? 0 : x->beam);
  if (dropped) {
    const char *why = arena_printf(x->a, "beyond the best %d of compose(%s, %s)", x->beam, s->name, l->letter);
    trace_reason(x, why, dropped);
    if (x->trace) buffer_printf(trace_of(x, left), "      kept the best %d of %d\n", found.n, found.n + dropped);
  }
  Subproblem made = {s, l, c, left, found};
  vec_push(x->a, &x->known, made);
  return &x->known.at[x->known.n - 1].found;
}
