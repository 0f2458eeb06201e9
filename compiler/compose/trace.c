/* trace.c: what a search has to tell: why there is no more, and what was tried where (Figs. 7 and 8 step by step). */
#include <string.h>

#include "compose/expand.h"

void trace_reason(Search *x, const char *why, int n) {
  for (int i = 0; i < x->reasons.n; i++)
    if (strcmp(x->reasons.at[i].why, why) == 0) { x->reasons.at[i].count += n; return; }
  Reason r = {why, n};
  vec_push(x->a, &x->reasons, r);
}

Buffer *trace_of(Search *x, int left) {
  int iteration = x->iterations - left;
  while (x->traces.n <= iteration) vec_push(x->a, &x->traces, buffer_new(x->a));
  return &x->traces.at[iteration];
}

const char *trace_describe(const Search *x, const Spectrum *s, const Level *l, Context c) {
  const char *results = c.bound == BOUND_LANES    ? ", a map's results, one a lane"
                        : c.bound == BOUND_VECTOR ? ", a map's results, a vector at most"
                                                  : ", a map's results";
  const char *of = c.combination             ? results
                   : c.bound == BOUND_VECTOR ? ", a vector at most"
                   : l->depth == 0           ? ""
                   : c.adaptive              ? ", a part"
                                             : ", any container";
  const char *in = c.serialized ? ", serialized" : "";
  return arena_printf(x->a, "compose(%s, %s)%s%s", s->name, l->letter, of, in);
}

void trace_report(Search *x, const Plans *plans, SearchReport *report) {
  report->considered = x->considered;
  report->kept = plans->list.n;
  report->pruned = buffer_new(x->a);
  buffer_printf(&report->pruned, "%d candidates considered, %d plans complete, %d kept\n", report->considered,
                report->complete, report->kept);
  for (int i = 0; i < x->reasons.n; i++)
    buffer_printf(&report->pruned, "%8d  %s\n", x->reasons.at[i].count, x->reasons.at[i].why);
  report->trace = buffer_new(x->a);
  for (int i = 0; i < x->traces.n; i++)
    buffer_printf(&report->trace, "iteration %d\n%s", i + 1, x->traces.at[i].text);
}
