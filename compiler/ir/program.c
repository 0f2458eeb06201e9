/* program.c: a program's tunables: which there are; a program's outline. */
#include "ir/program.h"

#include <string.h>

const ProgramConstant *program_constant(const Program *p, const char *name) {
  for (int i = 0; i < p->nconstants; i++)
    if (strcmp(p->constants[i].tunable.name, name) == 0) return &p->constants[i];
  return NULL;
}

void program_add_array(Arena *a, Program *p, Symbol *array, Tree *elements) {
  vec_push(a, &p->workspace, ((WorkspaceArray){array, elements}));
}

static Symbol *outline_symbol(Arena *a, const Symbol *s) {
  if (!s) return NULL;
  Symbol *copy = arena_one(a, Symbol);
  *copy = (Symbol){.name = arena_strdup(a, s->name), .kind = s->kind, .type = s->type, .where = s->where};
  return copy;
}

Program *program_outline(Arena *a, const Program *p) {
  Program *o = arena_one(a, Program);
  *o = (Program){.name = p->name, .id = p->id, .generic = p->generic, .monoid = p->monoid,
                 .states = p->states, .widest = p->widest,
                 .element = p->element, .result = p->result, .nconstants = p->nconstants,
                 .chained_by = p->chained_by, .totals = p->totals,
                 .compares = p->compares, .needs_workspace = p->needs_workspace,
                 .workspace_head = p->workspace_head, .helpers = p->helpers};
  o->constants = arena_many(a, ProgramConstant, p->nconstants);
  for (int i = 0; i < p->nconstants; i++) {
    o->constants[i] = p->constants[i];
    o->constants[i].symbol = outline_symbol(a, p->constants[i].symbol);
    o->constants[i].tunable.what = NULL;
  }
  o->words = outline_symbol(a, p->words);
  o->tickets = outline_symbol(a, p->tickets);
  return o;
}

int posting_blocks(int result_bytes) {
  int most = POSTED_BYTES / (result_bytes > 0 ? result_bytes : 1);
  return most < POSTING_BLOCKS ? most : POSTING_BLOCKS;
}

int posting_bytes(int result_bytes) {
  enum { WORD = 8, CARRIED = 4, FEWEST = 2 };
  int words = (result_bytes + CARRIED - 1) / CARRIED, bytes = posting_blocks(result_bytes) * WORD;
  bytes *= words > FEWEST ? words : FEWEST;
  return (bytes + WORKSPACE_COUNTER - 1) / WORKSPACE_COUNTER * WORKSPACE_COUNTER;
}
