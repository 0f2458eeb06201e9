/* codelets.c: where a file's codelets are, what their heads say, and of which sort each is. */
#include "preparation.h"

#include <stdlib.h>

static void note_spectrum(Preparation *p, const char *name) {
  for (int i = 0; i < p->nspectra; i++)
    if (strcmp(p->spectrum[i], name) == 0) return;
  MORE(p->spectrum, p->nspectra);
  p->spectrum[p->nspectra++] = strdup(name);
}

/* Between `first' and the word at `stop', a codelet's head: its notes, result, name and parameters. False: it has
 * none. */
static bool read_head(Preparation *p, File *f, Codelet *c, int first, int stop) {
  int at = first;
  c->result_first = -1;
  c->name = -1;
  for (; at < stop; at++) {
    const Word *w = &f->word[at];
    if (is(w, "__coop")) c->has_coop = true;
    if (is(w, "__tag") && is(&f->word[at + 1], "(") && f->word[at + 1].mate == at + 3) {
      c->tag = f->word[at + 2].at;
      c->tag_length = f->word[at + 2].length;
    }
    if (is_note(w) || is(w, "static") || is(w, "inline")) {
      if (is(&f->word[at + 1], "(") && f->word[at + 1].mate > 0) at = f->word[at + 1].mate;
      continue;
    }
    if (c->result_first < 0) c->result_first = at;
    if (is(w, "(")) {
      c->open = at;
      c->close = w->mate;
      c->name = at - 1;
      break;
    }
  }
  if (c->name <= c->result_first || c->result_first < 0 || f->word[c->name].kind != WORD_NAME || c->close >= stop) {
    words_fail(p, f, f->word[first].line, "a codelet without a result, a name or parameters");
    return false;
  }
  return true;
}

static void name_codelet(Codelet *c, const File *f) {
  Text t = {0};
  c->is.spectrum = words_copy(&f->word[c->name]);
  c->is.line = f->word[c->name].line;
  c->is.file = f->is->name;
  if (c->tag) text_say(&t, "%s__%.*s", c->is.spectrum, c->tag_length, c->tag);
  else text_say(&t, "%s__%d", c->is.spectrum, c->is.line);
  c->is.name = t.at;
}

/* `inline' and `static' functions are the C compiler's, for machines that whoever executes codelets may not have: they
 * go, as do the codelets that call them. */
static bool take_native(File *f, int first, int stop, int last) {
  if (!is(&f->word[first], "inline") && !is(&f->word[first], "static")) return false;
  for (int i = first; i < stop; i++)
    if (is(&f->word[i + 1], "(")) {
      MORE(f->native, f->nnatives);
      f->native[f->nnatives++] = f->word[i];
      break;
    }
  Text lines = {0}; /* as many as there were, directives between words included */
  text_put(&lines, "", 0);
  for (int line = f->word[first].line; line < f->word[last].line; line++) text_put(&lines, "\n", 1);
  edit_replace(f, first, last, "%s", lines.at);
  free(lines.at);
  return true;
}

static bool calls_native(const Preparation *p, const File *f, const Codelet *c) {
  for (int i = c->body; i < c->end; i++)
    for (int k = 0; k < p->nfiles; k++)
      for (int n = 0; n < p->file[k].nnatives; n++)
        if (same(&f->word[i], &p->file[k].native[n]) && is(&f->word[i + 1], "(")) return true;
  return false;
}

void codelets_without_natives(Preparation *p) {
  for (int k = 0; k < p->nfiles; k++)
    for (int i = 0; i < p->file[k].ncodelets; i++) {
      Codelet *c = &p->file[k].codelet[i];
      if (c->body >= 0 && calls_native(p, &p->file[k], c)) c->body = -1;
    }
}

/* One after the other: templates, structs, codelets. What is none of these is left as it is. */
void codelets_read(Preparation *p, File *f) {
  for (int i = 0; f->word[i].kind != WORD_END && !p->error;) {
    Codelet c = {.first = i, .template_first = -1, .body = -1};
    int at = i;
    if (is(&f->word[at], "template")) {
      if (!is(&f->word[at + 1], "<")) return words_fail(p, f, f->word[at].line, "a template without arguments");
      int next = words_behind_arguments(f, at + 1);
      if (next < 0) return words_fail(p, f, f->word[at].line, "a template's arguments do not end");
      c.template_first = at;
      c.template_end = next - 1;
      int names = 0;
      for (int k = at; k < next; k++) names += is(&f->word[k], "typename") || is(&f->word[k], "class");
      c.is.generic = names == 1;
      c.is.operators = names > 1;
      at = next;
    }
    bool codelet = false, structure = false;
    int stop = at;
    for (; f->word[stop].kind != WORD_END && !is(&f->word[stop], "{") && !is(&f->word[stop], ";"); stop++) {
      codelet |= is(&f->word[stop], "__codelet");
      structure |= is(&f->word[stop], "struct");
      if (f->word[stop].mate > stop) stop = f->word[stop].mate;
    }
    const bool body = is(&f->word[stop], "{");
    int last = body ? f->word[stop].mate : stop;
    if (codelet && !structure) {
      if (f->word[stop].kind == WORD_END) return words_fail(p, f, f->word[i].line, "a codelet without a body");
      if (!read_head(p, f, &c, at, stop)) return;
      c.body = body ? stop : -1;
      c.end = last;
      name_codelet(&c, f);
      note_spectrum(p, c.is.spectrum);
      MORE(f->codelet, f->ncodelets);
      f->codelet[f->ncodelets++] = c;
    } else if (body && !structure && take_native(f, at, stop, last)) {
    } else if (body && is(&f->word[last + 1], ";")) {
      last++;
      if (structure) {
        MORE(f->structure, f->nstructures);
        f->structure[f->nstructures++] = (Span){i, last};
      }
    }
    if (f->word[stop].kind == WORD_END) return;
    i = last + 1;
  }
}

/* ---- several files ---- */

static bool same_words(const File *f, int first, int last, const File *g, int from, int to) {
  if (last - first != to - from) return false;
  for (int i = 0; first + i <= last; i++)
    if (!same(&f->word[first + i], &g->word[from + i])) return false;
  return true;
}

static bool defined_before(const Preparation *p, int file, const Codelet *c) {
  const File *f = &p->file[file];
  for (int k = 0; k < file; k++)
    for (int i = 0; i < p->file[k].ncodelets; i++) {
      const Codelet *x = &p->file[k].codelet[i];
      if (x->body >= 0 && same_words(f, c->first, c->end, &p->file[k], x->first, x->end)) return true;
    }
  return false;
}

static bool struct_before(const Preparation *p, int file, Span s) {
  for (int k = 0; k < file; k++)
    for (int i = 0; i < p->file[k].nstructures; i++) {
      const Span x = p->file[k].structure[i];
      if (same_words(&p->file[file], s.first, s.last, &p->file[k], x.first, x.last)) return true;
    }
  return false;
}

/* Codelets without a tag are named for their line, which two files may share. */
static void make_unique(const Preparation *p, int file, Codelet *c) {
  for (int k = 0; k < file && !c->tag; k++)
    for (int i = 0; i < p->file[k].ncodelets; i++)
      if (p->file[k].codelet[i].body >= 0 && strcmp(p->file[k].codelet[i].is.name, c->is.name) == 0) {
        Text t = {0};
        text_say(&t, "%s_%d", c->is.name, file + 1);
        free(c->is.name);
        c->is.name = t.at;
        return;
      }
}

void codelets_merge(Preparation *p) {
  for (int k = 1; k < p->nfiles; k++) {
    File *f = &p->file[k];
    for (int i = 0; i < f->ncodelets; i++) {
      Codelet *c = &f->codelet[i];
      if (c->body >= 0 && defined_before(p, k, c)) c->body = -1;
      if (c->body >= 0) make_unique(p, k, c);
    }
    for (int i = 0; i < f->nstructures; i++)
      if (struct_before(p, k, f->structure[i])) edit_replace(f, f->structure[i].first, f->structure[i].last, "%s", "");
  }
}

/* ---- what sort a codelet is ---- */

static bool is_spectrum(const Preparation *p, const Word *w) {
  if (w->kind != WORD_NAME) return false;
  for (int i = 0; i < p->nspectra; i++)
    if (is(w, p->spectrum[i])) return true;
  return false;
}

/* Is the word the `>' of an Array's type, and not of a comparison? */
static bool ends_array(const File *f, const Codelet *c, int at) {
  int depth = 0;
  for (int i = at; i > c->open; i--) {
    const Word *w = &f->word[i];
    depth += is(w, ">") ? 1 : is(w, "<") ? -1 : 0;
    if (depth == 0) return is(&f->word[i - 1], "Array");
    if (w->kind == WORD_SIGN && !is(w, ">") && !is(w, "<") && !is(w, ",")) return false;
  }
  return false;
}

/* Is the word a variable's name in its declaration: `T sum = 0', `Map map(..)'? */
bool codelets_is_declared_here(const File *f, const Codelet *c, int at) {
  if (at <= c->body + 1) return false;
  const Word *type = &f->word[at - 1], *next = &f->word[at + 1];
  const bool typed = (type->kind == WORD_NAME && !is(type, "return") && !is(type, "else")) || (is(type, ">") && ends_array(f, c, at - 1));
  return typed && (is(next, "=") || is(next, ";") || is(next, "(") || is(next, "[") || is(next, "{") || is(next, ","));
}

static void find_locals(const File *f, Codelet *c) {
  for (int i = c->open + 1; i < c->end; i++) {
    const Word *w = &f->word[i];
    const bool parameter = i < c->close && w->kind == WORD_NAME && (is(w + 1, ",") || i + 1 == c->close);
    if (!parameter && !(w->kind == WORD_NAME && codelets_is_declared_here(f, c, i))) continue;
    MORE(c->local, c->nlocals);
    c->local[c->nlocals++] = *w;
  }
  if (c->nlocals) qsort(c->local, (size_t)c->nlocals, sizeof *c->local, words_by_name);
}

bool codelets_is_local(const Codelet *c, const Word *name) {
  return c->nlocals && bsearch(name, c->local, (size_t)c->nlocals, sizeof *c->local, words_by_name);
}

bool codelets_applies(const Preparation *p, const File *f, const Codelet *c, int at) {
  const Word *w = &f->word[at], *last = &f->word[at - 1];
  return is_spectrum(p, w) && !is(last, ".") && !is(last, "->") && !is(last, "::") && !codelets_is_local(c, w);
}

/* A spectrum of numbers alone is a function. */
static bool codelet_is_function(const File *f, const Codelet *c) {
  for (int i = c->open + 1; i < c->close; i++)
    if (is(&f->word[i], "Array")) return false;
  return true;
}

static bool is_function_name(const Preparation *p, const Word *name) {
  for (int k = 0; k < p->nfiles; k++)
    for (int i = 0; i < p->file[k].ncodelets; i++)
      if (is(name, p->file[k].codelet[i].is.spectrum)) return codelet_is_function(&p->file[k], &p->file[k].codelet[i]);
  return false;
}

void codelets_classify(const Preparation *p, const File *f, Codelet *c) {
  static const char *const lanes[] = {"Vector", "coopIdx", "coopDim", NULL};
  static const char *const primitives[] = {"partition", "Map", "rows", "columns", "elements", "slide", NULL};
  bool coop = c->has_coop, compound = false;
  find_locals(f, c);
  for (int i = c->body + 1; i < c->end; i++) {
    coop |= is_one_of(&f->word[i], lanes) || begins(&f->word[i], "__shared");
    compound |= is_one_of(&f->word[i], primitives) ||
                (codelets_applies(p, f, c, i) && !is_function_name(p, &f->word[i]));
  }
  c->is.kind = codelet_is_function(f, c) ? PREPARED_FUNCTION : coop ? PREPARED_COOPERATIVE
               : compound        ? PREPARED_COMPOUND : PREPARED_AUTONOMOUS;
}

/* Codelets that cut their container and apply their own spectrum to its parts have no end of their own. */
static bool applies_itself(const File *f, const Codelet *c) {
  for (int i = c->body + 1; i < c->end; i++)
    if (same(&f->word[i], &f->word[c->name]) && !codelets_is_local(c, &f->word[i])) return true;
  return false;
}

Codelet *codelets_applied(Preparation *p, const char *spectrum, File **of) {
  Codelet *found = NULL;
  for (int sort = 0; sort < 2 && !found; sort++)
    for (int k = 0; k < p->nfiles && !found; k++)
      for (int i = 0; i < p->file[k].ncodelets && !found; i++) {
        Codelet *c = &p->file[k].codelet[i];
        const bool right = sort == 0 ? c->is.kind <= PREPARED_AUTONOMOUS
                                     : c->is.kind == PREPARED_COMPOUND && !applies_itself(&p->file[k], c);
        if (c->body >= 0 && right && strcmp(c->is.spectrum, spectrum) == 0) *of = &p->file[k], found = c;
      }
  return found;
}
