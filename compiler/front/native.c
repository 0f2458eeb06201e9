/* native.c: see native.h. */
#include "front/native.h"

#include <ctype.h>
#include <string.h>

#include "front/complaints.h"

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Where the word stands next in a text, from an offset on; NONE: nowhere. */
enum { NONE = 0xffffffffu };
static unsigned find_word(const char *text, unsigned from, unsigned end, const char *word) {
  const size_t n = strlen(word);
  for (unsigned at = from; at + n <= end; at++)
    if (strncmp(text + at, word, n) == 0 && (at == 0 || !is_word(text[at - 1])) && !is_word(text[at + n])) return at;
  return NONE;
}

static const Body *declaration_at(const Scan *s, unsigned at) {
  for (int i = 0; i < s->natives.n; i++)
    if (s->natives.at[i].begin <= at && at < s->natives.at[i].end) return &s->natives.at[i];
  return NULL;
}

bool native_is_at(const Scan *s, unsigned at) { return declaration_at(s, at) != NULL; }

void native_read_headers(Arena *a, const SourceFile *f, Natives *to) {
  for (int i = 0; i < f->nincludes; i++) {
    const char *header = f->includes[i].header;
    bool known = !header;
    for (int k = 0; k < to->headers.n && !known; k++) known = strcmp(to->headers.at[k], header) == 0;
    if (!known) vec_push(a, &to->headers, header);
  }
}

/* ---- what is declared ---- */

/* Past `static', `inline' and blanks. */
static unsigned past_storage(const char *text, unsigned at) {
  for (;;) {
    while (isspace((unsigned char)text[at])) at++;
    if ((strncmp(text + at, "static", 6) != 0 && strncmp(text + at, "inline", 6) != 0) || is_word(text[at + 6]))
      return at;
    at += 6;
  }
}

/* What the first of its pointers points to, in C's words. */
static const char *element_of(Converter *c, CXCursor function) {
  for (int i = 0; i < clang_Cursor_getNumArguments(function); i++) {
    CXType t = clang_getCanonicalType(clang_getCursorType(clang_Cursor_getArgument(function, (unsigned)i)));
    if (t.kind != CXType_Pointer) continue;
    t = clang_getUnqualifiedType(clang_getCanonicalType(clang_getPointeeType(t)));
    if (t.kind < CXType_Bool || t.kind > CXType_Double) return NULL;
    const char *words = convert_text(c->a, clang_getTypeSpelling(t));
    return strcmp(words, "unsigned int") == 0 ? "unsigned" : words;
  }
  return NULL;
}

void native_read(Converter *c, const Scan *s, CXCursor function, Natives *to) {
  Native *n = arena_one(c->a, Native);
  unsigned at;
  clang_getFileLocation(clang_getCursorLocation(function), NULL, NULL, NULL, &at);
  const Body *whole = declaration_at(s, at);
  n->name = convert_text(c->a, clang_getCursorSpelling(function));
  n->where = (SourceRange){c->file, at, at + (unsigned)strlen(n->name)};
  n->element = element_of(c, function);
  n->all = to;
  const unsigned begin = past_storage(s->text, whole->begin);
  n->text = arena_strndup(c->a, s->text + begin, whole->end - begin);
  n->name_at = at - begin;
  for (int i = 0; i < s->macros.n; i++) {
    const Body m = s->macros.at[i];
    const char *name = arena_strndup(c->a, s->text + m.begin, m.end - m.begin);
    const unsigned used = find_word(s->text, whole->begin, whole->end, name);
    if (used == NONE) continue;
    diagnostics_add(c->d, DIAG_ERROR, (SourceRange){c->file, used, used + (unsigned)strlen(name)},
                    "write its text here", "a macro of a codelet file in a function that the C compiler reads");
    return;
  }
  vec_push(c->a, &to->list, n);
}

/* ---- stand-ins ---- */

/* The function's head, with T's name for the element's. */
static void put_template(Buffer *to, const char *head, unsigned end, const char *element) {
  static const char name[] = "tgc_T";
  buffer_printf(to, "template <class %1$s, typename tgc::Plain<%1$s>::type = 0> ", name);
  for (unsigned at = 0; at < end;) {
    const unsigned next = find_word(head, at, end, element);
    if (next == NONE) {
      buffer_putn(to, head + at, end - at);
      break;
    }
    buffer_putn(to, head + at, next - at);
    buffer_puts(to, name);
    at = next + (unsigned)strlen(element);
  }
  buffer_puts(to, ";\n");
}

const char *native_prelude(Arena *a, const char *text, const Natives *all) {
  Buffer b = buffer_new(a), *to = &b;
  buffer_puts(to, text);
  for (int i = 0; i < all->list.n; i++) {
    const Native *n = all->list.at[i];
    bool first = n->element != NULL;
    for (int k = 0; k < i; k++) first &= strcmp(all->list.at[k]->name, n->name) != 0;
    if (first) put_template(to, n->text, (unsigned)strcspn(n->text, "{"), n->element);
  }
  return b.text;
}

/* The text in which nothing but headers and these functions is left; places stay. */
static char *alone(Arena *a, const SourceFile *f, const Scan *s) {
  char *text = arena_strndup(a, s->text, f->size);
  scan_blank(text, (Body){0, (unsigned)f->size});
  for (int i = 0; i < s->natives.n; i++) {
    const Body b = s->natives.at[i];
    memcpy(text + b.begin, s->text + b.begin, b.end - b.begin);
  }
  for (int i = 0; i < f->nincludes; i++) {
    const SourceSpan at = f->includes[i].at;
    if (f->includes[i].header) memcpy(text + at.begin, f->text + at.begin, at.end - at.begin);
  }
  return text;
}

/* ---- calls ---- */

/* The one of that name that the cursor is of, or any: it is of what stands for all of them. */
static Native *named(const Converter *c, const char *name, CXCursor function, bool *itself) {
  Native *found = NULL;
  *itself = false;
  for (int i = 0; c->unit->natives && i < c->unit->natives->list.n; i++) {
    Native *n = c->unit->natives->list.at[i];
    unsigned at;
    CXFile file;
    clang_getFileLocation(clang_getCursorLocation(function), &file, NULL, NULL, &at);
    if (strcmp(n->name, name) != 0) continue;
    const char *in = convert_text(c->a, clang_getFileName(file));
    const bool is = at == n->where.begin && !strstr(in, "prelude.h");
    if (!found || is) found = n;
    *itself |= is;
  }
  return found;
}

/* `&x[i]', `&A(i, j)': the address of a container's element; NULL, without an error: it is none. */
static Tree *address(Converter *c, CXCursor argument) {
  CXCursor bare = convert_bare(c, argument), of;
  if (clang_getCursorKind(bare) != CXCursor_UnaryOperator ||
      clang_getCursorUnaryOperatorKind(bare) != CXUnaryOperator_AddrOf || !convert_last_expression(c, bare, &of))
    return NULL;
  Tree *element = convert_expression(c, of);
  if (!element) return NULL;
  if (element->op == OP_INDEX && element->kid[0]->op == OP_REF && element->kid[0]->symbol->rank)
    return convert_at(c, tree_unary(c->a, OP_ADDRESS, element->type, element), argument);
  convert_refuse(c, argument, "&x[i], &A(i, j)", "only elements of containers have an address here");
  return NULL;
}

Tree *convert_native(Converter *c, CXCursor call, CXCursor function) {
  const char *name = convert_text(c->a, clang_getCursorSpelling(function));
  bool itself, of_elements = false;
  Native *n = named(c, name, function, &itself);
  if (!n) return NULL;
  if (!c->for_machines) {
    convert_refuse(c, call, "__env(avx2), __env(sm_80): the machines that it is for",
                   "`%s' is a function of the C compiler's, and this codelet is for all machines", name);
    return NULL;
  }
  CXType result = clang_getCanonicalType(clang_getCursorType(call));
  const int arguments = clang_Cursor_getNumArguments(call);
  int rank;
  const Type type = convert_type(c, result, &rank);
  if (type == TYPE_COUNT || rank) {
    convert_refuse(c, call, "numbers, and addresses of elements: &x[i]",
                   "a value of type `%s' does not leave the functions of the C compiler's",
                   convert_text(c->a, clang_getTypeSpelling(result)));
    return NULL;
  }
  Tree *t = tree_new(c->a, OP_NATIVE, type, convert_range(c, call), arguments);
  t->native = n;
  c->native = true;
  for (int i = 0; i < arguments; i++) {
    CXCursor x = clang_Cursor_getArgument(call, (unsigned)i);
    if (!(t->kid[i] = address(c, x)) && !c->failed) t->kid[i] = convert_expression(c, x);
    if (!t->kid[i]) return NULL;
    of_elements |= t->kid[i]->type == TYPE_ELEM;
  }
  if (n->element && of_elements) n->by_element = true;
  if (of_elements || itself) return t;
  convert_refuse(c, call, "add one whose pointers point to what they are given",
                 "there is no function `%s' for these arguments", name);
  return NULL;
}

/* ---- all together ---- */

static Native *for_type(const Natives *all, const char *name, const char *type) {
  for (int i = 0; i < all->list.n; i++) {
    Native *n = all->list.at[i];
    if (strcmp(n->name, name) == 0 && n->element && strcmp(n->element, type) == 0) return n;
  }
  return NULL;
}

/* C has one function of a name, or one for each type that codelets over T call. */
static bool check_name(const Natives *all, Native *n, Diagnostics *d) {
  for (int i = 0; i < all->list.n; i++) {
    Native *other = all->list.at[i];
    if (other == n || strcmp(other->name, n->name) != 0) continue;
    if (n->by_element && !other->by_element) {
      other->by_element = other->element != NULL;
      if (other->by_element) continue;
    }
    if (n->by_element && other->by_element && strcmp(n->element, other->element) != 0) continue;
    diagnostics_add(d, DIAG_ERROR, n->where.begin > other->where.begin ? n->where : other->where,
                    "only those that codelets over T call have one for each type",
                    "there is another function `%s'", n->name);
    return false;
  }
  return true;
}

/* A function for each type has another name in C, which only codelets know. */
static bool check_callers(const Natives *all, const Native *n, const SourceFile *f, const Scan *s, Diagnostics *d) {
  for (int i = 0; n->by_element && i < s->natives.n; i++) {
    const Body b = s->natives.at[i];
    unsigned at = b.begin;
    while ((at = find_word(s->text, at, b.end, n->name)) != NONE) {
      bool own = false;
      for (int k = 0; k < all->list.n; k++) own |= all->list.at[k]->where.begin == at;
      if (!own) {
        diagnostics_add(d, DIAG_ERROR, (SourceRange){f, at, at + (unsigned)strlen(n->name)},
                        "move what both need to a third", "only codelets call `%s', which is one for each type",
                        n->name);
        return false;
      }
      at++;
    }
  }
  return true;
}

static bool is_known(const char *machine) {
#if defined(__x86_64__)
  static const char *const beginnings[] = {"sse", "avx", "fma", NULL};
#else
  static const char *const beginnings[] = {"neon", "sve", NULL};
#endif
  for (int i = 0; beginnings[i]; i++)
    if (strncmp(machine, beginnings[i], strlen(beginnings[i])) == 0) return true;
  return false;
}

/* Can clang tell here whether they are right? It knows the intrinsics of the CPU that it runs on, none of CUDA's. */
static bool is_known_here(const Unit *u) {
  for (int i = 0; i < u->nspectra; i++)
    for (int k = 0; k < u->spectra[i]->ncodelets; k++) {
      const Codelet *c = u->spectra[i]->codelets[k];
      for (int e = 0; c->native && e < c->nenv; e++)
        if (!is_known(c->env[e])) return false;
    }
  return true;
}

typedef struct Lacks { const char *const *types; int ntypes; const char *type; const Native *of; } Lacks;

static bool find_lacking(void *context, const Tree *t) {
  Lacks *x = context;
  for (int i = 0; t->op == OP_NATIVE && t->native->by_element && !x->of && i < x->ntypes; i++)
    if (!for_type(t->native->all, t->native->name, x->types[i])) {
      x->type = x->types[i];
      x->of = t->native;
    }
  return !x->of;
}

/* What a codelet calls and is not there for one of the types; where nobody asked for types (an editor), for any. */
static Lacks lacks(const Codelet *c, const NativeFile *f) {
  Lacks x = {f->types, f->ntypes, NULL, NULL};
  if (!c->native || !c->generic) return x;
  if (f->types_asked) {
    tree_visit(c->body, find_lacking, &x);
    return x;
  }
  for (int i = 0; i < f->ntypes; i++) {
    x = (Lacks){f->types + i, 1, NULL, NULL};
    tree_visit(c->body, find_lacking, &x);
    if (!x.of) break;
  }
  return x;
}

/* A codelet over T that calls what is not there for all of the user's types is none of this spectrum's. */
static void leave_out(Spectrum *s, const NativeFile *f) {
  int n = 0;
  for (int i = 0; i < s->ncodelets; i++) {
    const Codelet *c = s->codelets[i];
    const Lacks x = lacks(c, f);
    if (!x.of) s->codelets[n++] = s->codelets[i];
    else
      diagnostics_add(f->d, DIAG_WARNING, c->where,
                      "add one whose pointers point to that, or leave it out of `--types'",
                      "this codelet is left out: there is no `%s' for `%s'", x.of->name, x.type);
  }
  s->ncodelets = n;
}

/* Who calls which, for what types. */
static bool check_calls(const NativeFile *n) {
  const Natives *all = n->unit->natives;
  bool ok = true;
  for (int i = 0; !all->list.n && i < n->file->nincludes; i++)
    if (n->file->includes[i].header) {
      const SourceSpan at = n->file->includes[i].at;
      diagnostics_add(n->d, DIAG_ERROR, (SourceRange){n->file, at.begin, at.end},
                      "`inline' functions need headers; codelets are included in quotes",
                      "a header, and no function that needs it");
      return false;
    }
  for (int i = 0; i < all->list.n && ok; i++) ok = check_name(all, all->list.at[i], n->d);
  for (int i = 0; i < n->unit->nspectra; i++) leave_out(n->unit->spectra[i], n);
  for (int i = 0; i < all->list.n && ok; i++) ok = check_callers(all, all->list.at[i], n->file, n->scan, n->d);
  return ok;
}

bool native_check(const NativeFile *n, CXIndex index) {
  static const char *const arguments[] = {"-xc++", "-std=gnu++17", "-ferror-limit=0", "-w", "-ffreestanding",
#if defined(__x86_64__)
                                          "-mavx2", "-mfma", "-mf16c", "-mavx512f", "-mavx512bw", "-mavx512dq",
                                          "-mavx512vl", "-mavx512vnni", "-mavx512bf16",
#endif
                                          "-Drestrict=__restrict__"};
  const Natives *all = n->unit->natives;
  if (!all->list.n && !all->headers.n) return true;
  if (!check_calls(n)) return false;
  if (!is_known_here(n->unit)) return true;
  const char *text = alone(n->a, n->file, n->scan);
  struct CXUnsavedFile file = {"/tgc/main.cdl", text, strlen(text)};
  CXTranslationUnit tu = NULL;
  const int narguments = (int)(sizeof arguments / sizeof *arguments), before = n->d->errors;
  if (clang_parseTranslationUnit2(index, file.Filename, arguments, narguments, &file, 1, CXTranslationUnit_None, &tu) !=
          CXError_Success || !tu) {
    diagnostics_add(n->d, DIAG_ERROR, source_whole(n->file), NULL, "the parser gave up on this file");
    return false;
  }
  complaints_add(n->a, tu, n->file, source_whole(n->file), NULL, n->d);
  clang_disposeTranslationUnit(tu);
  return n->d->errors == before;
}

/* ---- machines ---- */

/* "sm_60, sm_70" -> names. */
void convert_machines(Converter *c, Codelet *k, const char *list) {
  VEC(const char *) names = {0};
  const bool given = list != NULL;
  while (list && *list) {
    list += strspn(list, ", ");
    size_t n = strcspn(list, ", ");
    if (n) vec_push(c->a, &names, arena_strndup(c->a, list, n));
    list += n;
  }
  c->for_machines = given;
  c->native = false;
  k->env = names.at;
  k->nenv = names.n;
}
