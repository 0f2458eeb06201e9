/* spec_shape.c: YAML nodes with their places, and whether they have the shape that the schema
 * wants.
 *
 * libcyaml stops at its first error and says it to a log; a user wants all of them, underlined. So
 * the nodes are held against libcyaml's own schema here, and libcyaml is given what fits. */
#include "arch/spec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "support/buffer.h"
#include "support/nearest.h"

static const char BYTE_ORDER_MARK[] = "\xEF\xBB\xBF";

/* libyaml counts characters; a place is in bytes. */
static unsigned byte_offset(const SourceFile *f, size_t characters) {
  size_t i = strncmp(f->text, BYTE_ORDER_MARK, 3) == 0 ? 3 : 0;
  for (; characters > 0 && i < f->size; characters--) do
      i++;
    while (i < f->size && ((unsigned char)f->text[i] & 0xC0) == 0x80);
  return (unsigned)i;
}

/* From one mark to another, on one line, without the blanks that a collection ends in. */
static SourceRange range_of(const SourceFile *f, size_t from, size_t upto) {
  unsigned begin = byte_offset(f, from), end = byte_offset(f, upto);
  for (unsigned i = begin; i < end; i++)
    if (f->text[i] == '\n') end = i;
  while (end > begin + 1 && strchr(" \t\r", f->text[end - 1])) end--;
  return (SourceRange){f, begin, end > begin ? end : begin + 1};
}

static void add_error(SpecDocument *doc, SourceRange where, const char *hint, const char *message) {
  if (++doc->errors <= SPEC_MOST_ERRORS)
    diagnostics_add(doc->d, DIAG_ERROR, where, hint, "%s", message);
}

void spec_error(SpecDocument *doc, const yaml_node_t *n, const char *hint, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  const char *message = arena_vprintf(doc->d->arena, fmt, ap);
  va_end(ap);
  SourceRange where = {doc->file, 0, 0};
  if (n) where = range_of(doc->file, n->start_mark.index, n->end_mark.index);
  add_error(doc, where, hint, message);
}

/* ---- the document ---- */

/* Why libyaml gave up, where it did. */
static void not_yaml(SpecDocument *doc, const yaml_parser_t *p) {
  const SourceFile *f = doc->file;
  SourceRange where = range_of(f, p->problem_mark.index, p->problem_mark.index + 1);
  if (p->error == YAML_READER_ERROR) { /* a byte that is no text: its offset is in bytes */
    unsigned at = p->problem_offset < f->size ? (unsigned)p->problem_offset : (unsigned)f->size;
    where = (SourceRange){f, at, at + 1};
  }
  const char *message = arena_printf(doc->d->arena, "this is not YAML: %s",
                                     p->problem ? p->problem : "it cannot be read");
  add_error(doc, where,
            p->context ? arena_printf(doc->d->arena, "seen %s", p->context)
                       : "docs/reference/machines.md has the format and an example",
            message);
}

/* A file that no parser should see. */
static bool unreadable(SpecDocument *doc) {
  const SourceFile *f = doc->file;
  const char *nul = memchr(f->text, '\0', f->size);
  if (nul) {
    unsigned at = (unsigned)(nul - f->text);
    add_error(doc, (SourceRange){f, at, at + 1}, "save it as plain UTF-8 text",
              "a NUL byte in the machine's file");
  } else if (f->size >= 2 &&
             (memcmp(f->text, "\xFF\xFE", 2) == 0 || memcmp(f->text, "\xFE\xFF", 2) == 0)) {
    add_error(doc, (SourceRange){f, 0, 1}, "save it as UTF-8", "the machine's file is UTF-16");
  }
  return doc->errors > 0;
}

/* Is something in so many others that it is no machine? libyaml takes quadratic time for what is nested. What is no
 * YAML is told of later. */
static bool too_deep(SpecDocument *doc) {
  enum { DEEPEST = 64 };
  yaml_parser_t p;
  yaml_event_t e;
  if (!yaml_parser_initialize(&p)) return false;
  yaml_parser_set_input_string(&p, (const unsigned char *)doc->file->text, doc->file->size);
  int depth = 0;
  for (bool more = true; more && yaml_parser_parse(&p, &e); yaml_event_delete(&e)) {
    if (e.type == YAML_SEQUENCE_START_EVENT || e.type == YAML_MAPPING_START_EVENT) depth++;
    if (e.type == YAML_SEQUENCE_END_EVENT || e.type == YAML_MAPPING_END_EVENT) depth--;
    more = e.type != YAML_STREAM_END_EVENT && depth <= DEEPEST;
    if (depth > DEEPEST)
      add_error(doc, range_of(doc->file, e.start_mark.index, e.start_mark.index + 1),
                "docs/reference/machines.md has the format and an example", "this is nested too deeply for a machine");
  }
  yaml_parser_delete(&p);
  return depth > DEEPEST;
}

bool spec_document(SpecDocument *doc, const SourceFile *f, Diagnostics *d) {
  memset(doc, 0, sizeof *doc);
  doc->file = f;
  doc->d = d;
  if (unreadable(doc) || too_deep(doc)) return false;
  yaml_parser_t p;
  if (!yaml_parser_initialize(&p)) {
    spec_error(doc, NULL, NULL, "out of memory");
    return false;
  }
  yaml_parser_set_input_string(&p, (const unsigned char *)f->text, f->size);
  bool loaded = yaml_parser_load(&p, &doc->yaml);
  if (!loaded)
    not_yaml(doc, &p);
  else if (!yaml_document_get_root_node(&doc->yaml))
    spec_error(doc, NULL, "docs/reference/machines.md has the format and an example",
               "the machine's file is empty");
  else {
    yaml_document_t more;
    if (!yaml_parser_load(&p, &more))
      not_yaml(doc, &p);
    else {
      const yaml_node_t *second = yaml_document_get_root_node(&more);
      if (second) spec_error(doc, second, "one file, one machine", "a second document");
      yaml_document_delete(&more);
    }
  }
  yaml_parser_delete(&p);
  if (loaded && doc->errors) yaml_document_delete(&doc->yaml);
  return doc->errors == 0;
}

void spec_document_free(SpecDocument *doc) { yaml_document_delete(&doc->yaml); }

const yaml_node_t *spec_root(SpecDocument *doc) { return yaml_document_get_root_node(&doc->yaml); }

const yaml_node_t *spec_key(SpecDocument *doc, const yaml_node_t *n, const char *key) {
  if (!n || n->type != YAML_MAPPING_NODE) return NULL;
  for (const yaml_node_pair_t *p = n->data.mapping.pairs.start; p < n->data.mapping.pairs.top;
       p++) {
    const yaml_node_t *k = yaml_document_get_node(&doc->yaml, p->key);
    if (k->type == YAML_SCALAR_NODE && strcmp((const char *)k->data.scalar.value, key) == 0)
      return yaml_document_get_node(&doc->yaml, p->value);
  }
  return NULL;
}

const yaml_node_t *spec_item(SpecDocument *doc, const yaml_node_t *n, int i) {
  if (!n || n->type != YAML_SEQUENCE_NODE || i < 0) return NULL;
  const yaml_node_item_t *items = n->data.sequence.items.start;
  return i < n->data.sequence.items.top - items ? yaml_document_get_node(&doc->yaml, items[i])
                                                : NULL;
}

const yaml_node_t *spec_at(SpecDocument *doc, const char *key) {
  const yaml_node_t *root = spec_root(doc), *n = spec_key(doc, root, key);
  return n ? n : root;
}

const yaml_node_t *spec_at_level(SpecDocument *doc, int i, const char *key) {
  const yaml_node_t *level = spec_item(doc, spec_at(doc, "levels"), i), *n = key ? spec_key(doc, level, key) : NULL;
  return n ? n : level;
}

const yaml_node_t *spec_at_width(SpecDocument *doc, int i, const char *key) {
  const yaml_node_t *width = spec_at_level(doc, i, "width"), *n = spec_key(doc, width, key);
  return n ? n : width;
}

/* ---- the shape ---- */

static void check(SpecDocument *doc, const yaml_node_t *n, const cyaml_schema_value_t *v,
                  const char *key);

/* A scalar's text when it has no byte that ends it early; NULL, with an error said, for anything
 * else. */
static const char *scalar(SpecDocument *doc, const yaml_node_t *n, const char *key,
                          const char *wanted) {
  if (n->type != YAML_SCALAR_NODE) {
    spec_error(doc, n, NULL, "`%s' is %s, not %s", key,
               n->type == YAML_MAPPING_NODE ? "a mapping" : "a list", wanted);
    return NULL;
  }
  const char *text = (const char *)n->data.scalar.value;
  if (strlen(text) == n->data.scalar.length) return text;
  spec_error(doc, n, NULL, "`%s' has a NUL byte", key);
  return NULL;
}

static void check_string(SpecDocument *doc, const yaml_node_t *n, const cyaml_schema_value_t *v,
                         const char *key) {
  const char *text = scalar(doc, n, key, "a text");
  if (!text) return;
  size_t length = n->data.scalar.length;
  if (length < v->string.min)
    spec_error(doc, n, NULL, "`%s' is empty", key);
  else if (length > v->string.max)
    spec_error(doc, n, NULL, "`%s' is %zu bytes long; at most %u will do", key, length,
               v->string.max);
}

/* A whole number in the common spelling: libcyaml would take 010 for eight. */
static void check_int(SpecDocument *doc, const yaml_node_t *n, const cyaml_schema_value_t *v,
                      const char *key) {
  const char *text = scalar(doc, n, key, "a number");
  if (!text) return;
  const char *digits = text + (*text == '-');
  bool plain =
      *digits && strspn(digits, "0123456789") == strlen(digits) && (digits[0] != '0' || !digits[1]);
  if (!plain) {
    spec_error(doc, n, "digits only, as in 1024", "`%s' wants a whole number, not `%.40s'", key,
               text);
    return;
  }
  errno = 0;
  int64_t value = strtoll(text, NULL, 10), limit = v->data_size < 8 ? INT32_MAX : INT64_MAX;
  if (errno || value > limit || value < -limit)
    spec_error(doc, n, NULL, "`%s' is too large a number", key);
}

static const char *all_words(Arena *a, const cyaml_schema_value_t *v) {
  Buffer b = buffer_new(a);
  for (uint32_t i = 0; i < v->enumeration.count; i++)
    buffer_printf(&b, "%s%s", i ? ", " : "there are ", v->enumeration.strings[i].str);
  return b.text;
}

/* The number of a word among those of the schema; -1, with an error said, when it is not. */
static int check_word(SpecDocument *doc, const yaml_node_t *n, const cyaml_schema_value_t *v,
                      const char *key) {
  const char *text = scalar(doc, n, key, "a word");
  if (!text) return -1;
  Arena *a = doc->d->arena;
  const char **words = arena_many(a, const char *, v->enumeration.count);
  for (uint32_t i = 0; i < v->enumeration.count; i++) {
    words[i] = v->enumeration.strings[i].str;
    if (strcmp(words[i], text) == 0) return (int)i;
  }
  const char *near = nearest_name(text, words, (int)v->enumeration.count);
  spec_error(doc, n, near ? arena_printf(a, "did you mean `%s'?", near) : all_words(a, v),
             "`%s' cannot be `%.40s'", key, text);
  return -1;
}

static void check_words(SpecDocument *doc, const yaml_node_t *n, const cyaml_schema_value_t *v,
                        const char *key) {
  if (n->type != YAML_SEQUENCE_NODE) {
    spec_error(doc, n, "in brackets, as in [scalar, vector]", "`%s' wants a list of words", key);
    return;
  }
  uint64_t seen = 0;
  const yaml_node_t *item;
  for (int i = 0; doc->errors <= SPEC_MOST_ERRORS && (item = spec_item(doc, n, i)); i++) {
    int word = check_word(doc, item, v, key);
    if (word < 0) continue;
    if (seen >> word & 1)
      spec_error(doc, item, NULL, "`%s' is listed twice", v->enumeration.strings[word].str);
    seen |= (uint64_t)1 << word;
  }
}

static void check_sequence(SpecDocument *doc, const yaml_node_t *n, const cyaml_schema_value_t *v,
                           const char *key) {
  if (n->type != YAML_SEQUENCE_NODE) {
    spec_error(doc, n, "in brackets, or each entry on a line of its own after a dash",
               "`%s' wants a list", key);
    return;
  }
  int64_t count = n->data.sequence.items.top - n->data.sequence.items.start;
  if (count < v->sequence.min)
    spec_error(doc, n, NULL, "`%s' has no entry", key);
  else if (count > v->sequence.max)
    spec_error(doc, n, NULL, "`%s' has %lld entries; at most %u will do", key, (long long)count,
               v->sequence.max);
  else
    for (int i = 0; i < count && doc->errors <= SPEC_MOST_ERRORS; i++)
      check(doc, spec_item(doc, n, i), v->sequence.entry, key);
}

static const char *nearest_key(Arena *a, const char *text, const cyaml_schema_field_t *fields) {
  VEC(const char *) keys = {0};
  Buffer all = buffer_new(a);
  for (int i = 0; fields[i].key; i++) {
    vec_push(a, &keys, fields[i].key);
    buffer_printf(&all, "%s%s", i ? ", " : "there are ", fields[i].key);
  }
  const char *near = nearest_name(text, keys.at, keys.n);
  return near ? arena_printf(a, "did you mean `%s'?", near) : all.text;
}

static void check_mapping(SpecDocument *doc, const yaml_node_t *n, const cyaml_schema_value_t *v,
                          const char *key) {
  if (n->type != YAML_MAPPING_NODE) {
    spec_error(doc, n, NULL, "%s%s%s wants keys with values", *key ? "`" : "",
               *key ? key : "a machine", *key ? "'" : "");
    return;
  }
  const cyaml_schema_field_t *fields = v->mapping.fields;
  uint64_t seen = 0;
  for (const yaml_node_pair_t *p = n->data.mapping.pairs.start; p < n->data.mapping.pairs.top;
       p++) {
    if (doc->errors > SPEC_MOST_ERRORS) return;
    const yaml_node_t *k = yaml_document_get_node(&doc->yaml, p->key);
    const char *text = scalar(doc, k, "a key", "a word");
    if (!text) continue;
    int i = 0;
    while (fields[i].key && strcmp(fields[i].key, text) != 0) i++;
    if (!fields[i].key)
      spec_error(doc, k, nearest_key(doc->d->arena, text, fields), "unknown key `%.40s'", text);
    else if (seen >> i & 1)
      spec_error(doc, k, NULL, "`%s' is given twice", text);
    else
      check(doc, yaml_document_get_node(&doc->yaml, p->value), &fields[i].value, text);
    if (fields[i].key) seen |= (uint64_t)1 << i;
  }
  for (int i = 0; fields[i].key; i++)
    if (!(seen >> i & 1) && !(fields[i].value.flags & CYAML_FLAG_OPTIONAL))
      spec_error(doc, n, NULL, "the key `%s' is missing%s%s%s", fields[i].key, *key ? " in `" : "",
                 key, *key ? "'" : "");
}

static void check(SpecDocument *doc, const yaml_node_t *n, const cyaml_schema_value_t *v,
                  const char *key) {
  switch (v->type) {
    case CYAML_STRING:
      check_string(doc, n, v, key);
      break;
    case CYAML_INT:
      check_int(doc, n, v, key);
      break;
    case CYAML_ENUM:
      check_word(doc, n, v, key);
      break;
    case CYAML_FLAGS:
      check_words(doc, n, v, key);
      break;
    case CYAML_SEQUENCE:
      check_sequence(doc, n, v, key);
      break;
    case CYAML_MAPPING:
      check_mapping(doc, n, v, key);
      break;
    default:
      break; /* the schema has no others */
  }
}

bool spec_shape(SpecDocument *doc, const cyaml_schema_value_t *schema) {
  check(doc, spec_root(doc), schema, "");
  return doc->errors == 0;
}
