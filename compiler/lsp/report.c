/* report.c: an analysis as JSON. Places are those of the text that was analysed; what was found in a file that it
 * includes is told at the #include that leads there. */
#include "lsp/report.h"

#include <stdlib.h>
#include <string.h>

#include "lsp/uris.h"
#include "support/buffer.h"

enum { MOST_DIAGNOSTICS = 500 };

json_t *report_string(Arena *a, const char *text) {
  json_t *s = json_string(text);
  if (s) return s;
  char *plain = arena_strdup(a, text);
  for (char *c = plain; *c; c++)
    if ((unsigned char)*c >= 0x80) *c = '?';
  return json_string(plain);
}

/* ---- places ---- */

bool report_is_own(const Report *r, const SourceFile *f, unsigned offset) {
  if (!f->nparts) return f->text == r->text->text;
  return source_part(f, offset)->order == 0;
}

/* Where the text that was analysed begins in a text made of files. */
static unsigned begin_of(const SourceFile *f) {
  for (int i = 0; f && i < f->nparts; i++)
    if (f->parts[i].order == 0) return f->parts[i].begin;
  return 0;
}

json_t *report_range(const Report *r, SourceSpan at) {
  return lines_range(&r->lines, (SourceSpan){at.begin - r->begin, at.end - r->begin});
}

static json_t *location_of(const Report *r, const SourceFile *f, SourceSpan at) {
  if (report_is_own(r, f, at.begin))
    return json_pack("{s:o, s:o}", "uri", report_string(r->a, uri_of(r->a, r->text->path)), "range",
                     report_range(r, at));
  const SourcePart *part = source_part(f, at.begin);
  const unsigned begin = part ? part->begin : 0;
  unsigned end = (unsigned)f->size;
  for (int i = 0; i < f->nparts; i++)
    if (f->parts[i].begin > begin && f->parts[i].begin < end) end = f->parts[i].begin;
  const Lines lines = lines_of(r->a, f->text + begin, end - begin);
  return json_pack("{s:o, s:o}", "uri", report_string(r->a, uri_of(r->a, source_path(f, at.begin))), "range",
                   lines_range(&lines, (SourceSpan){at.begin - begin, at.end - begin}));
}

json_t *report_location(const Report *r, SourceSpan at) { return location_of(r, r->of->file, at); }

/* The line of the text whose #include leads to what includes, at last, what stands at an offset: from 0 on. */
static long long line_of_include(const SourceFile *f, unsigned offset) {
  const SourcePart *part = source_part(f, offset);
  for (int depth = 0; part && part->by && depth < f->nparts; depth++) {
    const char *colon = strrchr(part->by, ':');
    const size_t n = (size_t)(colon - part->by);
    const SourcePart *parent = NULL;
    for (int i = 0; i < f->nparts; i++)
      if (strncmp(f->parts[i].path, part->by, n) == 0 && !f->parts[i].path[n]) parent = &f->parts[i];
    if (parent && parent->order == 0) return strtoll(colon + 1, NULL, 10) - 1;
    part = parent;
  }
  return 0;
}

static json_t *range_of_line(const Report *r, long long line) {
  const LinesPlace from = {line, 0}, to = {line, 1000};
  const size_t begin = lines_offset(&r->lines, from), end = lines_offset(&r->lines, to);
  return lines_range(&r->lines, (SourceSpan){(unsigned)begin, (unsigned)end});
}

/* ---- diagnostics ---- */

static int severity(const Diagnostic *x) {
  static const int severities[] = {[DIAG_ERROR] = 1, [DIAG_WARNING] = 2, [DIAG_NOTE] = 3, [DIAG_REMARK] = 4};
  return severities[x->level];
}

static json_t *diagnostic_json(const Report *r, const Diagnostic *x) {
  const SourceFile *f = x->where.file;
  const SourceSpan at = {x->where.begin, x->where.end};
  const bool own = f && report_is_own(r, f, at.begin);
  Buffer message = buffer_new(r->a);
  if (f && !own) {
    int line, column;
    source_position(f, at.begin, &line, &column);
    buffer_printf(&message, "%s:%d:%d: ", source_path(f, at.begin), line, column);
  }
  buffer_puts(&message, x->message);
  if (x->hint) buffer_printf(&message, "\nhint: %s", x->hint);
  const unsigned begin = begin_of(f);
  json_t *range = own ? lines_range(&r->lines, (SourceSpan){at.begin - begin, at.end - begin})
                      : range_of_line(r, f ? line_of_include(f, at.begin) : 0);
  json_t *d = json_pack("{s:o, s:i, s:s, s:o}", "range", range, "severity", severity(x), "source", "tgc", "message",
                        report_string(r->a, message.text));
  if (x->pass) json_object_set_new(d, "code", report_string(r->a, x->pass));
  if (x->pass && strcmp(x->pass, "unused") == 0) json_object_set_new(d, "tags", json_pack("[i]", 1)); /* shown faded */
  if (f && !own)
    json_object_set_new(d, "relatedInformation",
                        json_pack("[{s:o, s:o}]", "location", location_of(r, f, at), "message",
                                  report_string(r->a, x->message)));
  return d;
}

/* What is good to know of another file is told in that file alone. */
static bool is_shown(const Report *r, const Diagnostic *x) {
  return x->level == DIAG_ERROR || !x->where.file || report_is_own(r, x->where.file, x->where.begin);
}

static json_t *diagnostics_json(const Report *r) {
  json_t *all = json_array();
  const Diagnostics *d = r->of->diagnostics;
  for (int i = 0; i < d->list.n && json_array_size(all) < MOST_DIAGNOSTICS; i++)
    if (is_shown(r, &d->list.at[i])) json_array_append_new(all, diagnostic_json(r, &d->list.at[i]));
  return all;
}

/* ---- names ---- */

static const struct { const char *word; int symbol; } kinds[] = {
    [MENTION_CODELET] = {"codelet", 12},          [MENTION_PARAMETER] = {"parameter", 13},
    [MENTION_VARIABLE] = {"variable", 13},        [MENTION_TYPE_PARAMETER] = {"type parameter", 26},
    [MENTION_STRUCT] = {"struct", 23},            [MENTION_OPERATOR] = {"operator", 25},
    [MENTION_FIELD] = {"field", 8},               [MENTION_FUNCTION] = {"function", 6},
    [MENTION_CONSTANT] = {"constant", 22},        [MENTION_MACRO] = {"macro", 14}};

/* Where a name leads: all codelets of a spectrum, if there are any, else where it is declared. */
static json_t *places_json(const Report *r, const Declared *d) {
  const Mentions *m = &r->of->mentions;
  json_t *all = json_array();
  for (int i = 0; i < m->declared.n && d->kind == MENTION_CODELET; i++) {
    const Declared *x = &m->declared.at[i];
    if (x->kind == MENTION_CODELET && x->defined && strcmp(x->name, d->name) == 0)
      json_array_append_new(all, report_location(r, x->at));
  }
  if (!json_array_size(all)) json_array_append_new(all, report_location(r, d->at));
  return all;
}

static json_t *declared_json(const Report *r) {
  const Mentions *m = &r->of->mentions;
  json_t *all = json_array();
  for (int i = 0; i < m->declared.n; i++) {
    const Declared *d = &m->declared.at[i];
    json_array_append_new(all, json_pack("{s:o, s:s, s:o, s:o}", "name", report_string(r->a, d->name), "kind",
                                         kinds[d->kind].word, "hover", report_string(r->a, hover_of(r, d)), "places",
                                         places_json(r, d)));
  }
  return all;
}

static json_t *mentions_json(const Report *r) {
  const Mentions *m = &r->of->mentions;
  json_t *all = json_array();
  for (int i = 0; i < m->list.n; i++) {
    const Mention *x = &m->list.at[i];
    if (!report_is_own(r, r->of->file, x->at.begin)) continue;
    const LinesPlace at = lines_place(&r->lines, x->at.begin - r->begin);
    json_array_append_new(all, json_pack("[I, I, i]", (json_int_t)at.line, (json_int_t)at.character, x->of));
  }
  return all;
}

/* ---- symbols ---- */

static bool is_member(MentionKind k) { return k == MENTION_FIELD || k == MENTION_FUNCTION || k == MENTION_CONSTANT; }

static json_t *symbol_json(const Report *r, const Declared *d, const char *detail) {
  return json_pack("{s:o, s:o, s:i, s:o, s:o}", "name", report_string(r->a, d->name), "detail",
                   report_string(r->a, detail), "kind", kinds[d->kind].symbol, "range", report_range(r, d->extent),
                   "selectionRange", report_range(r, d->at));
}

static json_t *members_json(const Report *r, const Declared *of) {
  const Mentions *m = &r->of->mentions;
  json_t *all = json_array();
  for (int i = 0; i < m->declared.n; i++) {
    const Declared *d = &m->declared.at[i];
    if (is_member(d->kind) && d->at.begin > of->extent.begin && d->extent.end <= of->extent.end)
      json_array_append_new(all, symbol_json(r, d, ""));
  }
  return all;
}

static bool is_outermost(const Mentions *m, const Declared *d) {
  if (d->kind != MENTION_CODELET && d->kind != MENTION_STRUCT && d->kind != MENTION_OPERATOR) return false;
  for (int i = 0; i < m->declared.n; i++) {
    const Declared *x = &m->declared.at[i];
    if (x != d && (x->kind == MENTION_STRUCT || x->kind == MENTION_OPERATOR) && x->extent.begin < d->at.begin &&
        d->at.end < x->extent.end)
      return false;
  }
  return true;
}

static json_t *symbols_json(const Report *r) {
  const Mentions *m = &r->of->mentions;
  json_t *all = json_array();
  for (int i = 0; i < m->declared.n; i++) {
    const Declared *d = &m->declared.at[i];
    if (!is_outermost(m, d) || !report_is_own(r, r->of->file, d->at.begin)) continue;
    const char *is = hover_class(r, d);
    const char *detail = d->tag && is ? arena_printf(r->a, "%s, %s", d->tag, is) : d->tag ? d->tag : is ? is : "";
    json_t *s = symbol_json(r, d, detail);
    if (d->kind != MENTION_CODELET) json_object_set_new(s, "children", members_json(r, d));
    json_array_append_new(all, s);
  }
  return all;
}

/* ---- files ---- */

static json_t *includes_json(const Report *r) {
  const SourceFile *f = r->of->file;
  json_t *all = json_array();
  for (int i = 0; i < f->nincludes; i++) {
    const SourceInclude *x = &f->includes[i];
    if (x->path && report_is_own(r, f, x->at.begin))
      json_array_append_new(all, json_pack("{s:o, s:o, s:o}", "range", report_range(r, x->at), "path",
                                           report_string(r->a, x->path), "uri",
                                           report_string(r->a, uri_of(r->a, x->path))));
  }
  return all;
}

static json_t *reads_json(const Report *r) {
  const SourceFile *f = r->of->file;
  json_t *all = json_array();
  for (int i = 0; i < f->nparts; i++)
    if (f->parts[i].order) json_array_append_new(all, report_string(r->a, f->parts[i].path));
  return all;
}

json_t *report_make(Arena *a, const LspText *text, const LspAnalysis *of) {
  Report r = {.a = a, .of = of, .text = text, .lines = lines_of(a, text->text, text->size)};
  const SourceFile *f = of->file;
  r.begin = begin_of(f);
  json_t *report = json_pack("{s:o}", "diagnostics", diagnostics_json(&r));
  if (f) json_object_set_new(report, "reads", reads_json(&r));
  if (!f || !of->mentions.read) return report;
  json_object_set_new(report, "read", json_true());
  json_object_set_new(report, "declared", declared_json(&r));
  json_object_set_new(report, "mentions", mentions_json(&r));
  json_object_set_new(report, "symbols", symbols_json(&r));
  json_object_set_new(report, "includes", includes_json(&r));
  return report;
}
