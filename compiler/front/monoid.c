/* monoid.c: structs that hold numbers, and operators on them: their words are checked here, their meaning is C++'s. The
 * generated text has them as they were written. */
#include "front/monoid.h"

#include <ctype.h>
#include <string.h>

#include "ir/names.h"
#include "ir/operator.h"

/* ---- words ---- */

/* What a monoid's functions may call, besides each other and the functions of mathematics that C++ has, too. */
static const char *const functions[] = {"min", "max", "lowest", "highest", "ldexp", "sqrtf", "fabsf", "fmaf", "bits_of",
                                        "float_of_bits", "double_of_bits", "sizeof"};
static const char *const keywords[] = {"if", "for", "while", "switch", "return", "int", "unsigned", "long", "short",
                                       "char", "float", "double", "bool", "signed", "static_cast", "__monoid",
                                       "decltype"};
static const char *const refused[] = {"asm", "goto", "new", "delete", "throw", "try", "catch", "extern", "typeid",
                                      "union", "reinterpret_cast", "dynamic_cast", "const_cast", "volatile",
                                      "thread_local", "class", "operator", "virtual", "friend", "namespace", "private",
                                      "protected", "restrict", "tgc", "tgc_elements"};

#define IN(list, word) in_list(list, sizeof(list) / sizeof *(list), word)
static bool in_list(const char *const *list, size_t n, const char *word) {
  for (size_t i = 0; i < n; i++)
    if (strcmp(list[i], word) == 0) return true;
  return false;
}

static bool is_function(const char *word) {
  int n;
  const FunctionRow *rows = op_functions(&n);
  for (int i = 0; i < n; i++)
    if (rows[i].op != OP_RSQRT && strcmp(rows[i].name, word) == 0) return true;
  return IN(functions, word);
}

static bool word_char(char c) { return isalnum((unsigned char)c) || c == '_'; }

typedef VEC(const char *) Words;

/* The names that are declared inside: functions, structs, template parameters. */
static enum CXChildVisitResult note_names(CXCursor cursor, CXCursor parent, CXClientData data) {
  (void)parent;
  struct { Arena *a; Words *names; } *n = data;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  if (kind == CXCursor_CXXMethod || kind == CXCursor_StructDecl || kind == CXCursor_TemplateTypeParameter) {
    const char *name = convert_text(n->a, clang_getCursorSpelling(cursor));
    vec_push(n->a, n->names, name);
  }
  return kind == CXCursor_StructDecl ? CXChildVisit_Recurse : CXChildVisit_Continue;
}

/* Has the field a value that it begins with? */
static bool has_initializer(Converter *c, CXCursor field) {
  CXTranslationUnit tu = clang_Cursor_getTranslationUnit(field);
  CXToken *tokens = NULL;
  unsigned n = 0;
  bool found = false;
  clang_tokenize(tu, clang_getCursorExtent(field), &tokens, &n);
  for (unsigned i = 0; i < n && !found; i++) {
    const char *text = convert_text(c->a, clang_getTokenSpelling(tu, tokens[i]));
    found = strcmp(text, "=") == 0 || strcmp(text, "{") == 0;
  }
  clang_disposeTokens(tu, tokens, n);
  return found;
}

static bool is_ascii(const char *text) {
  while (*text && !(*text & 0x80)) text++;
  return !*text;
}

static void refuse_at(Converter *c, unsigned begin, unsigned end, const char *hint, const char *message) {
  diagnostics_add(c->d, DIAG_ERROR, (SourceRange){c->file, begin, end}, hint, "%s", message);
  c->failed = true;
}

static unsigned skip_comment(const char *t, unsigned at, unsigned end) {
  if (t[at] == '/' && t[at + 1] == '/') while (at < end && t[at] != '\n') at += t[at] == '\\' ? 2 : 1;
  else if (t[at] == '/' && t[at + 1] == '*') {
    for (at += 2; at + 1 < end && !(t[at] == '*' && t[at + 1] == '/');) at++;
    at += 2;
  }
  return at;
}

static bool is_macro(const Converter *c, const Scan *scan, const char *word) {
  size_t n = strlen(word);
  for (int i = 0; i < scan->macros.n; i++) {
    Body m = scan->macros.at[i];
    if (m.end - m.begin == n && strncmp(c->file->text + m.begin, word, n) == 0) return true;
  }
  return false;
}

/* Characters that have no business in a struct: of strings, attributes, directives, `::name'. Past what is refused. */
static unsigned check_character(Converter *c, unsigned at, SourceRange extent) {
  const char *t = c->file->text;
  if (t[at] == '"' || t[at] == '\'') {
    unsigned begin = at;
    for (at++; at < extent.end && t[at] != t[begin] && t[at] != '\n'; at++) at += t[at] == '\\';
    refuse_at(c, begin, at + 1, NULL, "a struct of a codelet file has no strings and no characters");
  } else if (t[at] == '[' && t[at + 1] == '[')
    refuse_at(c, at, at + 2, NULL, "a struct of a codelet file has no attributes");
  else if (t[at] == '#')
    refuse_at(c, at, at + 1, NULL, "a struct of a codelet file has no directives");
  else if (t[at] == ':' && t[at + 1] == ':') {
    unsigned before = at;
    while (before > extent.begin && isspace((unsigned char)t[before - 1])) before--;
    if (!word_char(t[before - 1]) && t[before - 1] != '>')
      refuse_at(c, at, at + 2, "the name alone", "`::' is not supported in a struct of a codelet file");
    at++;
  }
  return at + 1;
}

/* Every word of the declaration: none that has no business there, and calls of known functions only. */
static void check_words(Converter *c, const Scan *scan, CXCursor cursor, SourceRange extent) {
  Words names = {0};
  struct { Arena *a; Words *names; } note = {c->a, &names};
  const char *own = convert_text(c->a, clang_getCursorSpelling(cursor));
  vec_push(c->a, &names, own);
  clang_visitChildren(cursor, note_names, &note);
  const char *t = c->file->text;
  for (unsigned at = extent.begin; at < extent.end;) {
    unsigned past = skip_comment(t, at, extent.end);
    if (past != at) { at = past; continue; }
    if (!word_char(t[at])) { at = check_character(c, at, extent); continue; }
    unsigned end = at;
    if (isdigit((unsigned char)t[at])) { /* 0x1f, 1u, 1'000, 0x1p3 */
      while (word_char(t[end]) || (t[end] == '\'' && word_char(t[end + 1]))) end++;
      at = end;
      continue;
    }
    while (end < extent.end && word_char(t[end])) end++;
    const char *word = arena_strndup(c->a, t + at, end - at);
    unsigned next = end;
    while (next < extent.end && isspace((unsigned char)t[next])) next++;
    bool reserved = word[0] == '_' && (word[1] == '_' || isupper((unsigned char)word[1]));
    if (strcmp(word, "__monoid") == 0) reserved = false;
    if (reserved || IN(refused, word))
      refuse_at(c, at, end, "numbers, fields, and static functions on them",
                arena_printf(c->a, "`%s' is not allowed in a struct of a codelet file", word));
    else if (is_macro(c, scan, word))
      refuse_at(c, at, end,
                arena_printf(c->a, "write it out; use an enum for a constant number: enum { %.40s = .. };", word),
                "a macro in a struct, which is copied into generated text as it is written");
    bool known = is_function(word) || IN(keywords, word);
    for (int i = 0; i < names.n; i++) known |= strcmp(names.at[i], word) == 0;
    if (t[next] == '(' && !known && !c->failed)
      refuse_at(c, at, end, "each other, and min max lowest highest exp log sqrt fabs fma ldexp bits_of ..",
                arena_printf(c->a, "the functions of a monoid cannot call `%s'", word));
    at = end;
  }
}

/* ---- members ---- */

static void read_properties(Converter *c, CXCursor cursor, Monoid *m, const char *list) {
  while (*list) {
    list += strspn(list, ", ");
    size_t n = strcspn(list, ", ");
    if (!n) break;
    const char *word = arena_strndup(c->a, list, n);
    if (strcmp(word, "associative") == 0) m->associative = true;
    else if (strcmp(word, "commutative") == 0) m->commutative = true;
    else if (strcmp(word, "rounded") == 0) m->rounded = true;
    else convert_refuse(c, cursor, "associative, commutative, rounded", "unknown property of a monoid: `%s'", word);
    list += n;
  }
  if (!m->associative && !c->failed)
    convert_refuse(c, cursor, "`__monoid(associative)', when it is",
                   "an operator that is not associative: partial results could not be combined");
}

static void check_method(Converter *c, CXCursor method, Monoid *m, unsigned *seen) {
  static const struct { const char *name; int least, most; } known[] = {
      {"id", 0, 0}, {"op", 2, 2}, {"lift", 1, 2}, {"finish", 1, 1}, {"example", 1, 1}};
  const char *name = convert_text(c->a, clang_getCursorSpelling(method));
  int arguments = clang_Cursor_getNumArguments(method);
  if (!clang_CXXMethod_isStatic(method) || !clang_isCursorDefinition(method)) {
    convert_refuse(c, method, "static State op(State a, State b) { .. }",
                   "the functions of a struct are static and have a body");
    return;
  }
  if (!m) {
    convert_refuse(c, method, "make it a function of the operator", "only a `__monoid' has functions");
    return;
  }
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (strcmp(known[i].name, name) != 0) continue;
    if (arguments < known[i].least || arguments > known[i].most)
      convert_refuse(c, method, "id(), op(a, b), lift(x) or lift(x, place), finish(a), example(random)",
                     "`%s' has %d argument%s", name, arguments, arguments == 1 ? "" : "s");
    else if (*seen & 1u << i) convert_refuse(c, method, "one of each", "`%s' is defined twice", name);
    *seen |= 1u << i;
    if (i == 2) { m->lifts = true; m->lifts_place = arguments == 2; }
    if (i == 3) m->finishes = true;
    if (i == 4) m->makes_examples = true;
  }
}

/* What a function may not do, though each of its words is known. */
static enum CXChildVisitResult check_inside(CXCursor cursor, CXCursor parent, CXClientData data) {
  (void)parent;
  Converter *c = data;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  if (kind == CXCursor_VarDecl && clang_Cursor_getStorageClass(cursor) == CX_SC_Static)
    convert_refuse(c, cursor, "use an enum for a constant number",
                   "a struct of a codelet file has no static variables");
  bool may_point = kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl || kind == CXCursor_CStyleCastExpr ||
                   kind == CXCursor_UnaryOperator;
  if (may_point && clang_getCanonicalType(clang_getCursorType(cursor)).kind == CXType_Pointer)
    convert_refuse(c, cursor, "a field by its name, an element by its index",
                   "a struct of a codelet file has no pointers");
  return kind == CXCursor_LambdaExpr ? CXChildVisit_Continue : CXChildVisit_Recurse;
}

static void check_members(Converter *c, CXCursor cursor, Monoid *m) {
  Cursors k = convert_children(c->a, cursor);
  unsigned seen = 0; /* of a monoid's functions */
  int parameters = 0;
  for (int i = 0; i < k.n && !c->failed; i++) switch (clang_getCursorKind(k.at[i])) {
    case CXCursor_FieldDecl:
      if (clang_Cursor_isBitField(k.at[i]) || clang_isConstQualifiedType(clang_getCursorType(k.at[i])) ||
          convert_children(c->a, k.at[i]).n > 8)
        convert_refuse(c, k.at[i], NULL, "a field is a number or an array of numbers, neither const nor a bit-field");
      else if (has_initializer(c, k.at[i]))
        convert_refuse(c, k.at[i], "let `id' say what it begins with", "a field of a codelet file has no initializer");
      break;
    case CXCursor_StructDecl: check_members(c, k.at[i], NULL); break;
    case CXCursor_CXXMethod: check_method(c, k.at[i], m, &seen); break;
    case CXCursor_TemplateTypeParameter:
      if (++parameters > 1)
        convert_refuse(c, k.at[i], "template <typename T>", "a struct is a template over one type, the elements'");
      break;
    case CXCursor_AnnotateAttr: case CXCursor_EnumDecl: break;
    default:
      convert_refuse(c, k.at[i], "fields, and static functions of a `__monoid'",
                     "a struct of a codelet file does not have this");
  }
}

/* ---- as device code ---- */

static void collect_methods(Converter *c, CXCursor cursor, Cursors *to) {
  Cursors k = convert_children(c->a, cursor);
  for (int i = 0; i < k.n; i++)
    if (clang_getCursorKind(k.at[i]) == CXCursor_CXXMethod) vec_push(c->a, to, k.at[i]);
}

/* Its text; `__monoid(..)' goes, functions are for host and device. */
static const char *device_text(Converter *c, CXCursor cursor, SourceRange extent) {
  Buffer b = buffer_new(c->a);
  Cursors methods = {0};
  collect_methods(c, cursor, &methods);
  const char *t = c->file->text;
  int next = 0;
  for (unsigned at = extent.begin; at < extent.end; at++) {
    unsigned past = skip_comment(t, at, extent.end);
    if (past > at) {
      buffer_putn(&b, t + at, past - at);
      at = past - 1;
      continue;
    }
    if (next < methods.n && convert_range(c, methods.at[next]).begin == at) {
      buffer_puts(&b, "__host__ __device__ ");
      next++;
    }
    if (strncmp(t + at, "__monoid", 8) == 0 && !word_char(t[at + 8])) {
      while (at < extent.end && t[at] != ')') {
        past = skip_comment(t, at, extent.end);
        at = past > at ? past : at + 1;
      }
      while (t[at + 1] == ' ') at++;
      continue;
    }
    buffer_putn(&b, t + at, 1);
  }
  buffer_puts(&b, ";\n");
  return b.text;
}

bool monoid_read_struct(Converter *c, const Scan *scan, CXCursor cursor, Struct *out) {
  c->failed = false;
  SourceRange extent = convert_range(c, cursor);
  *out = (Struct){.name = convert_text(c->a, clang_getCursorSpelling(cursor)), .cursor = cursor};
  unsigned at = 0;
  CXFile f;
  clang_getFileLocation(clang_getCursorLocation(cursor), &f, NULL, NULL, &at);
  out->where = (SourceRange){c->file, at, at + (unsigned)strlen(out->name)};
  out->generic = clang_getCursorKind(cursor) == CXCursor_ClassTemplate;
  Qualities q = convert_qualities(c, cursor);
  if (!*out->name || name_is_taken(out->name) || IN(functions, out->name) || operator_by_name(out->name)) {
    refuse_at(c, out->where.begin, out->where.end, "give it another",
              *out->name ? arena_printf(c->a, "`%s' is already the name of something else", out->name)
                         : "a struct needs a name");
    return false;
  }
  if (!is_ascii(out->name)) {
    refuse_at(c, out->where.begin, out->where.end, "functions of C are named for it",
              "the name of a struct has only ASCII letters, digits and _");
    return false;
  }
  if (q.monoid) {
    out->monoid = arena_one(c->a, Monoid);
    *out->monoid = (Monoid){.name = out->name, .where = out->where, .generic = out->generic};
    read_properties(c, cursor, out->monoid, q.monoid);
  }
  if (!c->failed) check_words(c, scan, cursor, extent);
  if (!c->failed) check_members(c, cursor, out->monoid);
  if (!c->failed) clang_visitChildren(cursor, check_inside, c);
  out->text = device_text(c, cursor, extent);
  return !c->failed;
}

/* Is the word in the text? */
static bool mentions(const char *text, const char *word) {
  size_t n = strlen(word);
  for (const char *at = text; (at = strstr(at, word)) != NULL; at += n)
    if ((at == text || !word_char(at[-1])) && !word_char(at[n])) return true;
  return false;
}

/* The structs that are wanted, and those that they mention, in their order. */
static const char *text_of(Arena *a, const Structs *all, bool *wanted) {
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < all->n; i++)
      for (int k = 0; k < all->n && wanted[i]; k++)
        if (!wanted[k] && mentions(all->at[i].text, all->at[k].name)) wanted[k] = changed = true;
  }
  Buffer b = buffer_new(a);
  for (int i = 0; i < all->n; i++)
    if (wanted[i]) buffer_printf(&b, "%s%s", b.length ? "\n" : "", all->at[i].text);
  return b.text;
}

void monoid_gather_text(Arena *a, Monoid *m, const Structs *all) {
  bool *wanted = arena_many(a, bool, all->n);
  for (int i = 0; i < all->n; i++) wanted[i] = all->at[i].monoid == m;
  m->text = text_of(a, all, wanted);
}

const char *monoid_join_text(Arena *a, const Structs *all, const NamedState *states, int n) {
  bool *wanted = arena_many(a, bool, all->n);
  for (int i = 0; i < all->n; i++)
    for (int k = 0; k < n && all->at[i].monoid; k++)
      wanted[i] |= states[k].monoid && strcmp(states[k].monoid->name, all->at[i].name) == 0;
  return text_of(a, all, wanted);
}

/* ---- types ---- */

const char *monoid_instance(Arena *a, const Monoid *m, const char *element) {
  return m->generic ? arena_printf(a, "%s<%s>", m->name, element) : m->name;
}

void monoid_probe(Buffer *to, const Monoid *m, const char *element, int i) {
  const char *x = monoid_instance(to->arena, m, element);
  buffer_printf(to, "static decltype(%s::id()) *tgc_state_%d;\n", x, i);
  buffer_printf(to, "static decltype(%s::op(%s::id(), %s::id())) *tgc_op_%d;\n", x, x, x, i);
  if (m->lifts) buffer_printf(to, "static decltype(&%s::lift) tgc_lift_%d;\n", x, i);
  if (m->finishes) buffer_printf(to, "static decltype(%s::finish(%s::id())) *tgc_result_%d;\n", x, x, i);
  if (m->makes_examples) buffer_printf(to, "static decltype(%s::example(0u)) *tgc_example_%d;\n", x, i);
}

typedef struct Probe { const char *name; CXType type; bool found; } Probe;

static enum CXChildVisitResult find_probe(CXCursor cursor, CXCursor parent, CXClientData data) {
  (void)parent;
  Probe *p = data;
  if (clang_getCursorKind(cursor) != CXCursor_VarDecl) return CXChildVisit_Continue;
  CXString s = clang_getCursorSpelling(cursor);
  p->found = strcmp(clang_getCString(s), p->name) == 0;
  clang_disposeString(s);
  if (!p->found) return CXChildVisit_Continue;
  p->type = clang_getPointeeType(clang_getCanonicalType(clang_getCursorType(cursor)));
  return CXChildVisit_Break;
}

/* What the variable `tgc_WHAT_i' points to. */
static CXType probed(Converter *c, const char *what, int i) {
  Probe p = {.name = arena_printf(c->a, "tgc_%s_%d", what, i)};
  clang_visitChildren(clang_getTranslationUnitCursor(c->tu), find_probe, &p);
  return clang_getCanonicalType(p.type);
}

const char *monoid_carrier(Converter *c, const Monoid *m, int i) {
  CXType t = probed(c, "state", i);
  const char *text = convert_text(c->a, clang_getTypeSpelling(t));
  if (t.kind < CXType_Bool || t.kind > CXType_Int128) return text;
  diagnostics_add(c->d, DIAG_ERROR, m->where, "struct State { int value; };, or a template on T whose state is T",
                  "the state of `%s' is `%s', the type of positions in codelets", m->name, text);
  return NULL;
}

Type monoid_stands_for(Converter *c, const char *what, int i) {
  int rank;
  return convert_type(c, probed(c, what, i), &rank);
}

/* CUDA's and C's word for a number's type, its size and ours; false for what is none. */
static bool number_type(CXType t, const char **c_type, Type *type) {
  static const struct { enum CXTypeKind kind; const char *c_type; Type type; } rows[] = {
      {CXType_Bool, "bool", TYPE_BOOL}, {CXType_SChar, "signed char", TYPE_INT}, {CXType_Char_S, "char", TYPE_INT},
      {CXType_UChar, "unsigned char", TYPE_UINT}, {CXType_Short, "short", TYPE_INT},
      {CXType_UShort, "unsigned short", TYPE_UINT}, {CXType_Int, "int", TYPE_INT}, {CXType_UInt, "unsigned", TYPE_UINT},
      {CXType_Long, "long long", TYPE_LONG}, {CXType_LongLong, "long long", TYPE_LONG},
      {CXType_ULong, "unsigned long long", TYPE_ULONG}, {CXType_ULongLong, "unsigned long long", TYPE_ULONG},
      {CXType_Float, "float", TYPE_FLOAT}, {CXType_Double, "double", TYPE_DOUBLE}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].kind == t.kind) {
      *c_type = rows[i].c_type;
      *type = rows[i].type;
      return true;
    }
  return false;
}

typedef struct Fields { Converter *c; VEC(Field) list; CXType of; } Fields;

static enum CXVisitorResult read_field(CXCursor cursor, CXClientData data) {
  Fields *f = data;
  Field field = {.name = convert_text(f->c->a, clang_getCursorSpelling(cursor)), .count = 1};
  CXType t = clang_getCanonicalType(clang_getCursorType(cursor));
  Buffer dimensions = buffer_new(f->c->a);
  for (; t.kind == CXType_ConstantArray; t = clang_getCanonicalType(clang_getArrayElementType(t))) {
    buffer_printf(&dimensions, "[%lld]", clang_getArraySize(t));
    field.count *= (int)clang_getArraySize(t); /* the struct is small: looked at before */
  }
  field.dimensions = dimensions.length ? dimensions.text : "";
  field.offset = (int)(clang_Type_getOffsetOf(f->of, field.name) / 8);
  field.bytes = (int)clang_Type_getSizeOf(t);
  if (!number_type(t, &field.c_type, &field.type) || field.count == 0) {
    const bool unnamed = !*field.name || strchr(field.name, '('); /* by libclang 17, by later ones */
    const char *name = unnamed ? "this field" : arena_printf(f->c->a, "the field `%s'", field.name);
    convert_refuse(f->c, cursor, NULL, "%s is neither a number nor an array of numbers", name);
    return CXVisit_Break;
  }
  vec_push(f->c->a, &f->list, field);
  return CXVisit_Continue;
}

static const char *without_namespace(Arena *a, const char *text) {
  Buffer b = buffer_new(a);
  for (const char *at; (at = strstr(text, "tgc::")) != NULL; text = at + 5) buffer_putn(&b, text, (size_t)(at - text));
  buffer_puts(&b, text);
  return b.text;
}

static CXType without_reference(CXType t) {
  t = clang_getCanonicalType(t);
  if (t.kind == CXType_LValueReference) t = clang_getCanonicalType(clang_getPointeeType(t));
  return clang_getUnqualifiedType(t);
}

static bool read_carrier(Converter *c, const Monoid *m, CXType t, const char *what, Carrier *out) {
  t = without_reference(t);
  long long bytes = clang_Type_getSizeOf(t);
  *out = (Carrier){.type = TYPE_STRUCT, .bytes = (int)bytes, .alignment = (int)clang_Type_getAlignOf(t)};
  out->text = without_namespace(c->a, convert_text(c->a, clang_getTypeSpelling(t)));
  const char *word;
  if (number_type(t, &word, &out->type)) {
    out->text = word;
    if (t.kind != CXType_Bool && t.kind != CXType_Char_S) return true;
    diagnostics_add(c->d, DIAG_ERROR, m->where, "signed char, unsigned char, int, ..", "%s of `%s' is `%s'", what,
                    m->name, word);
    return false;
  }
  if (t.kind != CXType_Record) {
    diagnostics_add(c->d, DIAG_ERROR, m->where, "a number, or a struct of numbers", "%s of `%s' is `%s'", what,
                    m->name, out->text);
    return false;
  }
  Fields f = {.c = c, .of = t};
  if (bytes <= MONOID_LARGEST) clang_Type_visitFields(t, read_field, &f);
  out->fields = f.list.at;
  out->nfields = f.list.n;
  if (c->failed) return false;
  if (out->nfields == 0 || bytes % 4) {
    diagnostics_add(c->d, DIAG_ERROR, m->where, "4, 8, 12, .. 32 bytes", "%s of `%s' has %lld bytes", what, m->name,
                    out->nfields || bytes > MONOID_LARGEST ? bytes : 0);
    return false;
  }
  return true;
}

static bool read_lift(Converter *c, const Monoid *m, int i, MonoidType *out) {
  CXType lift = probed(c, "lift", i);
  if (!read_carrier(c, m, clang_getArgType(lift, 0), "the element", &out->element)) return false;
  if (!clang_equalTypes(clang_getCanonicalType(clang_getResultType(lift)), probed(c, "state", i))) {
    diagnostics_add(c->d, DIAG_ERROR, m->where, "State lift(x)", "`%s::lift' does not return a state", m->name);
    return false;
  }
  if (!m->lifts_place) return true;
  enum CXTypeKind place = without_reference(clang_getArgType(lift, 1)).kind;
  if (place == CXType_LongLong || place == CXType_ULongLong) return true;
  if (place == CXType_Long || place == CXType_ULong) return true;
  diagnostics_add(c->d, DIAG_ERROR, m->where, "State lift(x, long long place)",
                  "the position that `%s::lift' takes is not a `long long'", m->name);
  return false;
}

/* An example is an element: the same struct, or a number as the element is. */
static bool check_example(Converter *c, const Monoid *m, int i, const MonoidType *t) {
  CXType example = probed(c, "example", i);
  const char *word;
  Type type;
  bool number = number_type(example, &word, &type);
  const char *text = without_namespace(c->a, convert_text(c->a, clang_getTypeSpelling(example)));
  if (t->element.type == TYPE_STRUCT ? strcmp(text, t->element.text) == 0 : number) return true;
  diagnostics_add(c->d, DIAG_ERROR, m->where, "static float example(unsigned random), of an operator on float",
                  "`%s::example' does not return an element", m->name);
  return false;
}

static bool same_name(const Carrier *x, const Carrier *y) {
  const char *a = strrchr(x->text, ':'), *b = strrchr(y->text, ':');
  return x->type == TYPE_STRUCT && y->type == TYPE_STRUCT && strcmp(x->text, y->text) != 0 &&
         strcmp(a ? a + 1 : x->text, b ? b + 1 : y->text) == 0;
}

/* C has structs by their last name. */
static bool check_names(Converter *c, const Monoid *m, const MonoidType *t) {
  const Carrier *each[] = {&t->state, &t->element, &t->result};
  for (int i = 0; i < 3; i++)
    if (same_name(each[i], each[(i + 1) % 3])) {
      diagnostics_add(c->d, DIAG_ERROR, m->where, "give one of them another name",
                      "`%s' and `%s' have the same name in C",
                      each[i]->text, each[(i + 1) % 3]->text);
      return false;
    }
  return true;
}

bool monoid_read_types(Converter *c, const Monoid *m, const char *element, int i, MonoidType *out) {
  c->failed = false;
  *out = (MonoidType){.monoid = monoid_instance(c->a, m, element)};
  if (!read_carrier(c, m, probed(c, "state", i), "the state", &out->state)) return false;
  CXType op = probed(c, "op", i);
  if (!clang_equalTypes(op, probed(c, "state", i))) {
    diagnostics_add(c->d, DIAG_ERROR, m->where, "State id(), State op(State, State)",
                    "`%s::op' and `%s::id' return different types", m->name, m->name);
    return false;
  }
  out->element = out->result = out->state;
  if (m->lifts && !read_lift(c, m, i, out)) return false;
  if (m->makes_examples && !check_example(c, m, i, out)) return false;
  if (m->finishes && !read_carrier(c, m, probed(c, "result", i), "the result", &out->result)) return false;
  return check_names(c, m, out);
}
