/* by_columns.c: `--by-columns A,B': matrices of the spectrum that is compiled are column-major, though their codelets
 * do not say so. A codelet sees a matrix's elements by row and column, wherever they lie: so its text serves for
 * both. */
#include <string.h>

#include "driver/compile_parts.h"
#include "support/nearest.h"

static bool refuse(Compilation *c, const char *name) {
  const Codelet *first = c->output.spectrum->codelets[0];
  const char **names = arena_many(c->arena, const char *, first->nparams);
  Buffer all = buffer_new(c->arena);
  int n = 0;
  for (int i = 0; i < first->nparams; i++)
    if (first->params[i]->rank == 2) {
      buffer_printf(&all, "%s`%s'", n ? ", " : "", first->params[i]->name);
      names[n++] = first->params[i]->name;
    }
  const char *near = nearest_name(name, names, n);
  const char *hint = near ? arena_printf(c->arena, "did you mean `%s'?", near)
                     : n  ? arena_printf(c->arena, "it has %s", all.text)
                          : "leave it out: none of its parameters is a matrix";
  return compile_refuse(c, first->where, hint,
                        arena_printf(c->arena, "`--by-columns %.60s': `%s' has no matrix of that name", name,
                                     c->output.spectrum->name));
}

/* Its codelets have names of their own for their parameters: those of the first one are meant. */
static bool turn(Spectrum *s, const char *name) {
  const Codelet *first = s->ncodelets ? s->codelets[0] : NULL;
  int which = first ? first->nparams - 1 : -1;
  while (which >= 0 && strcmp(first->params[which]->name, name) != 0) which--;
  if (which < 0 || first->params[which]->rank != 2) return false;
  for (int i = 0; i < s->ncodelets; i++) s->codelets[i]->params[which]->by_columns = true;
  return true;
}

bool compile_by_columns(Compilation *c) {
  const char *list = c->options->by_columns;
  for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
    const char *name = arena_strndup(c->arena, at, strcspn(at, ","));
    bool any = turn(unit_spectrum(c->unit, c->output.spectrum->name), name);
    for (int i = 0; i < c->unit->nspectra && c->beside && !any; i++) { /* another spectrum of the folder has it */
      const Spectrum *s = c->unit->spectra[i];
      for (int k = 0; s->ncodelets && k < s->codelets[0]->nparams; k++)
        any |= s->codelets[0]->params[k]->rank == 2 && strcmp(s->codelets[0]->params[k]->name, name) == 0;
    }
    if (!any) return refuse(c, name);
  }
  return true;
}
