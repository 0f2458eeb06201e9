/* prepare.c: words, then codelets, then edits of their text (prepare.h). */
#include "preparation.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- what a codelet begins with ---- */

/* A parameter's name: the last word that is none of its notes. */
static int parameter_name(const File *f, int first, int end) {
  int name = -1;
  for (int i = first; i < end; i++) {
    if (f->word[i].mate > i) { i = f->word[i].mate; continue; }
    if (f->word[i].kind == WORD_NAME && !is_note(&f->word[i])) name = i;
  }
  return name;
}

/* `x[i] = v', `A(i, j) = v' of a container that is __accum(Any). */
static void write_any(File *f, const Codelet *c, const Word *name) {
  for (int i = c->body + 1; i + 1 < c->end; i++) {
    const int open = i + 1, close = f->word[open].mate;
    const bool element = is(&f->word[open], "[") || is(&f->word[open], "(");
    if (!same(&f->word[i], name) || !element || close <= open || !is(&f->word[close + 1], "=")) continue;
    if (is(&f->word[open], "(")) {
      edit_insert(f, behind(f, i), ".any");
      continue;
    }
    edit_replace(f, open, open, ".any(");
    edit_replace(f, close, close, ")");
  }
}

static void begin_with_shapes(File *f, const Codelet *c, int first, int end) {
  const int name = parameter_name(f, first, end);
  const char *at = behind(f, c->body);
  for (int i = first; i < end && name >= 0; i++) {
    if (!is_note(&f->word[i]) || !is(&f->word[i + 1], "(")) continue;
    const int open = i + 1, close = f->word[open].mate;
    Text inside = {0};
    text_put(&inside, behind(f, open), (size_t)(before(f, close) - behind(f, open)));
    for (char *s = inside.at; s && *s; s++)
      if (*s == '\n') *s = ' ';
    const Word *x = &f->word[name];
    const char *of = inside.at ? inside.at : "";
    if (is(&f->word[i], "__like")) edit_insert(f, at, " ::tgc::shape_like(%.*s, %s);", x->length, x->at, of);
    if (is(&f->word[i], "__append"))
      edit_insert(f, at, " %.*s.appends(\"%.*s\", %s);", x->length, x->at, x->length, x->at, of);
    const bool once = strcmp(of, "Once") == 0, any = strcmp(of, "Any") == 0; /* written by place */
    if (is(&f->word[i], "__accum") && once)
      edit_insert(f, at, " %.*s.write_once(\"%.*s\");", x->length, x->at, x->length, x->at);
    if (is(&f->word[i], "__accum") && any)
      edit_insert(f, at, " %.*s.step_writes_any();", x->length, x->at);
    if (is(&f->word[i], "__accum") && any && c->is.kind == PREPARED_AUTONOMOUS) write_any(f, c, x);
    if (is(&f->word[i], "__accum") && !once && !any)
      edit_insert(f, at, " %.*s.begin_at(::tgc::%s<typename std::decay_t<decltype(%.*s)>::Element>::id());", x->length,
                  x->at, strcmp(of, "Sub") == 0 || strcmp(of, "Add") == 0 ? "Sum" : of, x->length, x->at);
    for (int k = open + 1, from = open + 1, d = 0; k <= close && is(&f->word[i], "__shape"); k++) {
      if (f->word[k].mate > k) { k = f->word[k].mate; continue; }
      if (k < close && !is(&f->word[k], ",")) continue;
      if (k > from && !(k == from + 1 && is(&f->word[from], "_")))
        edit_insert(f, at, " ::tgc::shape(%.*s, %d, %.*s);", x->length, x->at, d,
                    (int)(behind(f, k - 1) - before(f, from)), before(f, from));
      from = k + 1;
      d++;
    }
    free(inside.at);
    i = close;
  }
  bool container = false, written = false, stored = false, contributed = false;
  for (int i = first; i < end; i++) {
    container |= is(&f->word[i], "Array");
    stored |= is(&f->word[i], "__mutable");
    contributed |= is(&f->word[i], "__accum") || is(&f->word[i], "__append");
    written |= is(&f->word[i], "const") || is(&f->word[i], "__mutable") || is(&f->word[i], "__accum") ||
               is(&f->word[i], "__append");
  }
  if (container && stored && !contributed && name >= 0)
    edit_insert(f, at, " %.*s.hold();", f->word[name].length, f->word[name].at);
  if (container && !written) edit_insert(f, before(f, first), "const ");
}

static void begin(File *f, const Codelet *c) {
  int first = c->open + 1;
  for (int i = first; i <= c->close; i++) {
    if (f->word[i].mate > i) { i = f->word[i].mate; continue; }
    if (is(&f->word[i], "<")) { /* Array<1, T> */
      int next = words_behind_arguments(f, i);
      if (next > 0) i = next - 1;
      continue;
    }
    if (i < c->close && !is(&f->word[i], ",")) continue;
    if (i > first && c->body >= 0) begin_with_shapes(f, c, first, i);
    first = i + 1;
  }
}

/* ---- bodies ---- */

/* The last type that the codelet is a template of, its element; NULL: it is of a type that its text names. */
static const Word *element_of(const File *f, const Codelet *c) {
  const Word *found = NULL;
  for (int i = c->template_first; i >= 0 && i + 1 < c->template_end; i++)
    if ((is(&f->word[i], "typename") || is(&f->word[i], "class")) && f->word[i + 1].kind == WORD_NAME) found = &f->word[i + 1];
  return found;
}

/* 0.7, which is a double in C++ and T's in a codelet over T; not 0.7f, nor where the statement speaks of doubles. */
static bool is_elements_literal(const File *f, const Codelet *c, int at) {
  const Word *w = &f->word[at];
  const bool hexadecimal = w->length > 1 && (w->at[1] == 'x' || w->at[1] == 'X');
  if (w->kind != WORD_NUMBER || hexadecimal || strchr("fFlL", w->at[w->length - 1])) return false;
  bool real = false;
  for (int k = 0; k < w->length; k++) real |= strchr(".eE", w->at[k]) != NULL;
  for (int i = at - 1; real && i > c->body; i--) {
    if (is(&f->word[i], ";") || is(&f->word[i], "{") || is(&f->word[i], "}")) break;
    if (is(&f->word[i], "double") || is(&f->word[i], "float")) return false;
  }
  return real;
}

static void rewrite_names(Preparation *p, File *f, const Codelet *c) {
  const Word *element = element_of(f, c);
  for (int i = c->open + 1; i < c->end; i++) {
    const Word *w = &f->word[i];
    if (is(w, "float")) edit_replace(f, i, i, "Float");
    if (is(w, "double")) edit_replace(f, i, i, "Double");
    if (i < c->body) continue;
    if (element && is_elements_literal(f, c, i))
      edit_replace(f, i, i, "%.*s(%.*s)", element->length, element->at, w->length, w->at);
    if (is(w, "Vector") && is(&f->word[i + 2], "(") && is(&f->word[i + 3], ")")) edit_replace(f, i + 2, i + 3, "{}");
    if (is(w, "__tunable")) {
      int name = i + 1;
      while (positions_is_whole_type(&f->word[name])) name++;
      edit_replace(f, i, name - 1, "Index");
      if (!is(&f->word[name + 1], "=")) edit_insert(f, behind(f, name), " = ::tgc::tunable()"); /* a number of parts */
    }
    if (!codelets_applies(p, f, c, i)) continue;
    int arguments = is(&f->word[i + 1], "<") ? words_behind_arguments(f, i + 1) : -1;
    const bool named = !c->is.operators && arguments > 0 && codelets_is_over(p, w); /* reduce<ArgMin, T> */
    edit_insert(f, before(f, i), named ? "over_" : "apply_");
    if (named) p->counts |= codelets_is_struct(p, &f->word[i + 2]);
    if (arguments > 0) edit_insert(f, behind(f, arguments - 1), named ? "()" : "{}");
    else edit_insert(f, behind(f, i), "<>{}");
  }
}

/* Without a return the result is what the last statement accumulates: `m.atomicAdd();', `m.template atomic<M>();'. */
static void return_accumulated(File *f, const Codelet *c) {
  if (is(&f->word[c->result_first], "void")) return;
  for (int i = c->body; i < c->end; i++)
    if (is(&f->word[i], "return")) return;
  int first = c->end - 1;
  while (first - 1 > c->body && !is(&f->word[first - 1], ";") && !is(&f->word[first - 1], "}")) first--;
  const int call = is(&f->word[first + 2], "template") ? first + 3 : first + 2;
  if (is(&f->word[first + 1], ".") && begins(&f->word[call], "atomic")) edit_insert(f, before(f, first), "return ");
}

/* `while (condition)' says by its place which loop has no end. */
static void bound_loops(File *f, const Codelet *c) {
  const char *name = strpbrk(f->is->name, "\"\\\n") ? "" : f->is->name;
  for (int i = c->body; i < c->end; i++) {
    if (!is(&f->word[i], "while") || !is(&f->word[i + 1], "(") || f->word[i + 1].mate < 0) continue;
    edit_replace(f, i, i, "for (::tgc::Turns turns_(\"%s\", %d); turns_.more() && ", name, f->word[i].line);
    edit_insert(f, behind(f, f->word[i + 1].mate), ";)");
  }
}

static void rewrite(Preparation *p, File *f, Codelet *c) {
  if (c->body < 0) { /* a declaration: its spectrum's codelets follow */
    for (int i = c->first; i <= c->end; i++) edit_replace(f, i, i, "%s", "");
    return;
  }
  for (int i = c->first; i < c->open; i++)
    if (is_note(&f->word[i])) {
      const bool list = is(&f->word[i + 1], "(") && i + 1 != c->open;
      edit_replace(f, i, list ? f->word[i + 1].mate : i, "%s", "");
      if (list) i = f->word[i + 1].mate;
    }
  if (is(&f->word[c->result_first], "float")) edit_replace(f, c->result_first, c->result_first, "Float");
  if (is(&f->word[c->result_first], "double")) edit_replace(f, c->result_first, c->result_first, "Double");
  edit_replace(f, c->name, c->name, "%s", c->is.name);
  for (int i = c->open + 1; i < c->close; i++)
    if (is_note(&f->word[i])) {
      const bool list = is(&f->word[i + 1], "(") && f->word[i + 1].mate < c->close;
      const int last = list ? f->word[i + 1].mate : i;
      edit_replace(f, i, last, "%s", "");
      i = last;
    }
  positions_widen(f, c);
  begin(f, c);
  if (c->is.kind == PREPARED_COOPERATIVE) lockstep_cooperate(p, f, c);
  else bound_loops(f, c);
  rewrite_names(p, f, c);
  return_accumulated(f, c);
}

/* Of operators: `struct __monoid(associative) Mine {'. Where codelets name one that is of a type that its text names, that
 * is one of the numbers that know their rounding. */
static bool has_operators(const Preparation *p) {
  for (int k = 0; k < p->nfiles; k++)
    for (int i = 0; p->file[k].word[i].kind != WORD_END; i++)
      if (is(&p->file[k].word[i], "__monoid")) return true;
  return false;
}

/* Structs of files without operators are those of codelets' variables, which know their rounding, too. */
static void rewrite_structs(const Preparation *p, File *f) {
  const bool numbers = p->counts || !has_operators(p);
  for (int k = 0; k < f->nstructures && numbers; k++)
    for (int i = f->structure[k].first; i <= f->structure[k].last; i++) {
      if (is(&f->word[f->structure[k].first], "template")) break;
      if (is(&f->word[i], "float")) edit_replace(f, i, i, "Float");
      if (is(&f->word[i], "double")) edit_replace(f, i, i, "Double");
    }
  for (int i = 0; f->word[i].kind != WORD_END; i++)
    if (is(&f->word[i], "__monoid") && is(&f->word[i + 1], "(")) edit_replace(f, i, f->word[i + 1].mate, "%s", "");
}

/* ---- the text ---- */

/* Edits of parts of what another edit replaces are left out. */
static void put_edited(Text *to, File *f, const char *from, const char *end) {
  const char *at = from;
  for (int i = 0; i < f->nedits; i++) {
    const Edit *e = &f->edit[i];
    if (e->at < at || e->at > end || (e->at == end && e->length)) continue;
    text_put(to, at, (size_t)(e->at - at));
    text_put(to, e->text, strlen(e->text));
    at = e->at + e->length;
  }
  if (at < end) text_put(to, at, (size_t)(end - at));
}

static bool ends_up_wide(const File *f, int i) {
  for (int k = 0; k < f->nedits; k++)
    if (f->edit[k].at == f->word[i].at && f->edit[k].length && strncmp(f->edit[k].text, "Index", 5) == 0) return true;
  return false;
}

/* The codelet's head, as a declaration: words alone, without notes. */
static void put_declaration(Text *to, const File *f, const Codelet *c) {
  if (c->template_first >= 0)
    text_put(to, before(f, c->template_first), (size_t)(behind(f, c->template_end) - before(f, c->template_first)));
  text_say(to, " ");
  for (int i = c->result_first; i <= c->close; i++) {
    const Word *w = &f->word[i];
    if (is_note(w) && i != c->name) {
      if (is(&f->word[i + 1], "(") && i + 1 != c->open) i = f->word[i + 1].mate;
    } else if (i == c->name) {
      text_say(to, "%s", c->is.name);
    } else if (i > c->open && ends_up_wide(f, i)) { /* a parameter that is a position */
      text_say(to, "Index ");
      while (positions_is_whole_type(&f->word[i + 1])) i++;
    } else if (is(w, "float") || is(w, "double")) {
      text_say(to, is(w, "float") ? "Float " : "Double ");
    } else {
      text_say(to, "%.*s ", w->length, w->at);
    }
  }
  text_say(to, ";\n");
}

/* Of one over operators, where an operator is named: a struct, or a template of the element's type. */
static void put_named(Text *to, const char *spectrum) {
  text_say(to, "template <typename M, typename T = void>\nauto over_%s() { return ::tgc::Over<apply_%s, M>(); }\n"
               "template <template <typename> class M, typename T = void>\n"
               "auto over_%s() { return ::tgc::OverAny<apply_%s, M, T>(); }\n", spectrum, spectrum, spectrum, spectrum);
}

/* What stands for a spectrum that is applied: its sequential codelet, whatever its arguments are deduced to. */
static void put_applied(Text *to, Preparation *p, const char *spectrum) {
  File *f = NULL;
  Codelet *c = codelets_applied(p, spectrum, &f);
  if (!c) return;
  c->is.applied = true;
  put_declaration(to, f, c);
  text_say(to, "template <typename... Ts>\nstruct apply_%s {\n", spectrum);
  if (c->is.kind == PREPARED_FUNCTION) text_say(to, "  typedef void OfNumbers;\n");
  text_say(to, "  template <typename... A>\n  auto operator()(const A &...a) const {\n");
  if (c->template_first >= 0)
    text_say(to, "    if constexpr (sizeof...(Ts) > 0) return %s<Ts...>(a...);\n    else return %s(a...);\n",
             c->is.name, c->is.name);
  else text_say(to, "    return %s(a...);\n", c->is.name);
  text_say(to, "  }\n};\n");
  if (c->is.operators) put_named(to, spectrum);
}

static void put_line(Text *to, const File *f, int line) {
  text_say(to, "\n#line %d \"", line);
  for (const char *s = f->is->name; *s; s++) text_say(to, strchr("\"\\", *s) ? "\\%c" : "%c", *s == '\n' ? ' ' : *s);
  text_say(to, "\"\n");
}

/* Names that a codelet gives its own variables may be macros of C's headers: NAN, EINVAL. */
static void put_names(Text *to, const File *f) {
  for (int k = 0; k < f->ncodelets; k++) {
    const Codelet *c = &f->codelet[k];
    for (int i = 0; i < c->nlocals; i++) {
      const Word *w = &c->local[i];
      const bool again = i > 0 && same(w, w - 1);
      if (isupper((unsigned char)*w->at) && w->length > 1 && !again) text_say(to, "#undef %.*s\n", w->length, w->at);
    }
  }
}

static Prepared finish(Preparation *p) {
  Prepared out = {0};
  Text t = {0};
  text_put(&t, "", 0);
  for (int k = 0; k < p->nfiles; k++) put_names(&t, &p->file[k]);
  for (int i = 0; i < p->nspectra; i++) put_applied(&t, p, p->spectrum[i]);
  for (int k = 0; k < p->nfiles; k++) {
    File *f = &p->file[k];
    if (f->nedits) qsort(f->edit, (size_t)f->nedits, sizeof *f->edit, edit_by_place);
    put_line(&t, f, 1);
    put_edited(&t, f, f->is->text, f->is->text + f->is->length);
    text_put(&t, "\n", 1);
    for (int i = 0; i < f->ncodelets; i++) {
      if (f->codelet[i].body < 0) continue;
      MORE(out.codelets, out.ncodelets);
      out.codelets[out.ncodelets++] = f->codelet[i].is;
      f->codelet[i].is.spectrum = f->codelet[i].is.name = NULL;
    }
  }
  out.text = t.at;
  out.length = t.n;
  return out;
}

static void drop(Preparation *p) {
  for (int k = 0; k < p->nfiles; k++) {
    File *f = &p->file[k];
    for (int i = 0; i < f->ncodelets; i++) {
      free(f->codelet[i].is.spectrum);
      free(f->codelet[i].is.name);
      free(f->codelet[i].local);
    }
    for (int i = 0; i < f->nedits; i++) free(f->edit[i].text);
    free(f->codelet);
    free(f->structure);
    free(f->native);
    free(f->edit);
    free(f->word);
  }
  for (int i = 0; i < p->nspectra; i++) free(p->spectrum[i]);
  free(p->spectrum);
  free(p->file);
}

static void check_names(Preparation *p) {
  for (int k = 0; k < p->nfiles; k++)
    for (int i = 0; i < p->file[k].ncodelets; i++)
      for (int m = 0; m <= k; m++)
        for (int j = 0; j < (m < k ? p->file[m].ncodelets : i); j++) {
          const Codelet *x = &p->file[k].codelet[i], *y = &p->file[m].codelet[j];
          if (x->body >= 0 && y->body >= 0 && strcmp(x->is.name, y->is.name) == 0)
            words_fail(p, &p->file[k], x->is.line, "two codelets of one name");
        }
}

Prepared prepare(const PrepareFile *files, int n) {
  Preparation p = {.file = calloc((size_t)n + 1, sizeof *p.file), .nfiles = n};
  if (!p.file) abort();
  for (int i = 0; i < n; i++) p.file[i].is = &files[i];
  for (int i = 0; i < n && !p.error; i++) words_read(&p, &p.file[i]);
  for (int i = 0; i < n && !p.error; i++) words_match_brackets(&p, &p.file[i]);
  for (int i = 0; i < n && !p.error; i++) codelets_read(&p, &p.file[i]);
  if (!p.error) codelets_without_natives(&p);
  if (!p.error) codelets_merge(&p);
  if (!p.error) check_names(&p);
  for (int i = 0; i < n && !p.error; i++)
    for (int k = 0; k < p.file[i].ncodelets; k++)
      if (p.file[i].codelet[k].body >= 0) codelets_classify(&p, &p.file[i], &p.file[i].codelet[k]);
  for (int i = 0; i < n && !p.error; i++)
    for (int k = 0; k < p.file[i].ncodelets && !p.error; k++) rewrite(&p, &p.file[i], &p.file[i].codelet[k]);
  for (int i = 0; i < n && !p.error; i++) rewrite_structs(&p, &p.file[i]);
  Prepared out = {0};
  if (!p.error) out = finish(&p);
  out.error = p.error;
  drop(&p);
  return out;
}

void prepared_free(Prepared *p) {
  for (int i = 0; i < p->ncodelets; i++) free(p->codelets[i].spectrum), free(p->codelets[i].name);
  free(p->codelets);
  free(p->text);
  free(p->error);
  *p = (Prepared){0};
}
