/* expand.h: what the parts of an expansion share: compose(s, L), rule by rule (MICRO Fig. 7).
 *
 *   subproblem.c     equal subproblems are expanded once, by the rules that apply
 *   expand.c         what a rule can become
 *   expand_spread.c  parts that several workers of a grid, or of a block, share
 *   expand_equal.c   parts' elements in equal shares, and pieces of long parts
 *   expand_steps.c   spectra that are applied one after another
 *   expand_scans.c   parts that learn what stands before them
 *   trace.c          what was refused, and what was tried */
#ifndef TGC_COMPOSE_EXPAND_H
#define TGC_COMPOSE_EXPAND_H

#include "compose/search.h"

typedef struct Subproblem {
  const Spectrum *spectrum;
  const Level *level;
  Context context;
  int left;
  PlanNodes found;
} Subproblem;

typedef struct Reason { const char *why; int count; } Reason;

typedef struct Search Search;
typedef struct Site Site;

struct Search {
  Arena *a;
  const Spectrum *s;
  const Arch *m;
  Diagnostics *d;
  Rules rules;
  int beam, seconds, iterations; /* candidates that a subproblem passes on; second kernels for each first one */
  bool trace, all;
  VEC(Subproblem) known;
  VEC(Reason) reasons;
  CodeletFates fates;
  VEC(Buffer) traces; /* by iteration, from 0 */
  int considered;
  void (*apply)(Search *x, const Site *at); /* adds a rule's candidates (expand_rule) */
};

/* A rule where it applies: the context, the iterations that are left with its own, and who takes its candidates. */
struct Site {
  const Rule *rule;
  Context context;
  int left;
  PlanNodes *to;
};

/* ---- subproblem.c ---- */
/* All candidates of compose(s, L). */
const PlanNodes *expand(Search *x, const Spectrum *s, const Level *l, Context c, int left);
/* A candidate more. */
void expand_add(Search *x, PlanNodes *to, PlanNode *n);
/* The best `most' of them; that there were others is noted, by such words, for each of so many. */
PlanNodes expand_best(Search *x, const PlanNodes *of, int most, const char *beyond, int each);
/* Iterations that are left below the rule. */
int expand_left(const Site *at);
/* Has the spectrum a codelet that applies another one as it is? */
bool expand_has_application(const Search *x, const Spectrum *s);
/* .. or one that has steps? */
bool expand_has_steps(const Search *x, const Spectrum *s);
/* .. or one that a matrix unit computes? */
bool expand_multiplies(const Search *x, const Spectrum *s);
/* Does the map's codelet have its results added up atomically, and may they be? At that level, `kids' candidates. */
bool expand_accumulates(Search *x, const Rule *r, const Level *l, int kids);

/* ---- expand.c ---- */
/* All candidates of a rule where it applies. */
void expand_rule(Search *x, const Site *at);

/* ---- expand_spread.c ---- */
/* A part that several of the grid's workers share. */
void expand_spread(Search *x, const Site *at);
/* Neighbouring parts that the lanes of each of a block's warps have. */
void expand_slices(Search *x, const Site *at);
/* Can a part of that map of many be shared: is it known at the launch how long each is? */
bool spread_is_possible(const Rule *given, const Spectrum *part);
/* Are the results of a map of many parts stored as they are, in a container that the codelet has for nothing else? */
bool spread_stores_results(const Rule *given, const Spectrum *part);

/* ---- expand_equal.c ---- */
/* Equal shares of all parts' elements. */
void expand_equal(Search *x, const Site *at);
/* Parts of bounded lengths to a worker each; the others' pieces. */
void expand_bounded(Search *x, const Site *at);

/* ---- expand_scans.c ---- */
/* Does it scan, and hand its results on to a map that stores to places, each once? */
bool expand_scatters(const Codelet *c);
/* Such a scan over a grid's blocks, whose stores go through shared memory: of the best of its tiles. */
void expand_compacted(Search *x, const Site *at, const PlanNode *n, const PlanNodes *tiles);

/* A slide over few workers, each of which waits for the one before it, by that way to synchronise. */
void expand_chained_scan(Search *x, const Site *at, const PlanNodes *scans, int sync);
/* The tiles of all parts that are scanned, over the grid's blocks. */
void expand_tiles(Search *x, const Site *at);
/* Parts that are summed up, and scanned from what stands before each. */
void expand_scan_twice(Search *x, const Site *at);

/* ---- expand_steps.c ---- */
/* A codelet's steps, all at one level. */
void expand_steps(Search *x, const Site *at);
/* Of candidates the one whose text is most like another's, and of these the cheapest; NULL: there are none. */
PlanNode *expand_most_like(Arena *a, const PlanNodes *of, const PlanNode *as);

/* ---- trace.c ---- */
/* So many more candidates that are none, and why. */
void trace_reason(Search *x, const char *why, int n);
/* The lines of the iteration at which so many are left. */
Buffer *trace_of(Search *x, int left);
/* "compose(sum, B), a part" */
const char *trace_describe(const Search *x, const Spectrum *s, const Level *l, Context c);
void trace_report(Search *x, const Plans *plans, SearchReport *report);

#endif
