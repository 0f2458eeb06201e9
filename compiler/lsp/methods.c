/* methods.c: what each message asks for. A message may be anything: what is missing or of another type makes a request
 * an error, and a notification nothing. */
#include <string.h>

#include "lsp/answers.h"
#include "lsp/server.h"

typedef struct Method {
  const char *name;
  bool request;
  void (*take)(Server *s, const json_t *parameters, json_t *id);
} Method;

static const char *uri_in(const json_t *parameters) {
  return json_string_value(json_object_get(json_object_get(parameters, "textDocument"), "uri"));
}

/* NULL: the message names none that is open. */
static Document *document_in(const Server *s, const json_t *parameters) {
  const char *uri = uri_in(parameters);
  return uri ? documents_find(&s->documents, uri) : NULL;
}

/* ---- the session ---- */

static void initialize(Server *s, const json_t *parameters, json_t *id) {
  enum { INCREMENTAL = 2 };
  (void)parameters;
  if (s->initialized) {
    server_refuse(s, id, RPC_INVALID_REQUEST, "initialized already");
    return;
  }
  s->initialized = true;
  json_t *sync = json_pack("{s:b, s:i}", "openClose", 1, "change", INCREMENTAL);
  json_t *can = json_pack("{s:s, s:o, s:b, s:b, s:b, s:b, s:{s:[s, s]}}", "positionEncoding", "utf-16",
                          "textDocumentSync", sync, "hoverProvider", 1, "definitionProvider", 1,
                          "documentHighlightProvider", 1, "documentSymbolProvider", 1, "completionProvider",
                          "triggerCharacters", ".", "_");
  server_answer(s, id, json_pack("{s:o, s:{s:s, s:s}}", "capabilities", can, "serverInfo", "name", "tgc", "version",
                                 TGC_VERSION));
}

static void nothing(Server *s, const json_t *parameters, json_t *id) { (void)s, (void)parameters, (void)id; }

static void shut_down(Server *s, const json_t *parameters, json_t *id) {
  (void)parameters;
  s->shut = true;
  server_answer(s, id, json_null());
}

static void leave(Server *s, const json_t *parameters, json_t *id) {
  (void)parameters, (void)id;
  s->ended = true;
}

static void cancel(Server *s, const json_t *parameters, json_t *id) {
  (void)id;
  server_cancel(s, json_object_get(parameters, "id"));
}

/* ---- texts ---- */

static void note_version(Document *d, const json_t *parameters) {
  d->version = json_integer_value(json_object_get(json_object_get(parameters, "textDocument"), "version"));
}

static void open_text(Server *s, const json_t *parameters, json_t *id) {
  (void)id;
  const json_t *text = json_object_get(json_object_get(parameters, "textDocument"), "text");
  if (!uri_in(parameters) || !json_is_string(text)) return;
  Document *d = documents_open(&s->documents, uri_in(parameters), json_string_value(text), json_string_length(text));
  if (!d) {
    server_notify(s, "window/logMessage", json_pack("{s:i, s:s}", "type", 1, "message", "too many texts are open"));
    return;
  }
  note_version(d, parameters);
  server_changed(s, d, true);
}

static void change_text(Server *s, const json_t *parameters, json_t *id) {
  (void)id;
  Document *d = document_in(s, parameters);
  if (!d) return;
  documents_edit(&s->documents, d, json_object_get(parameters, "contentChanges"));
  note_version(d, parameters);
  server_changed(s, d, false);
}

static void close_text(Server *s, const json_t *parameters, json_t *id) {
  (void)id;
  Document *d = document_in(s, parameters);
  if (!d) return;
  server_publish(s, d, json_array());
  server_changed(s, d, false); /* what reads it has the file on the disk again */
  server_forget(s, d);
  documents_close(d);
}

/* ---- questions about a place in a text ---- */

static bool place_in(const json_t *parameters, LinesPlace *to) {
  const json_t *at = json_object_get(parameters, "position"), *line = json_object_get(at, "line"),
               *character = json_object_get(at, "character");
  if (!json_is_integer(line) || !json_is_integer(character)) return false;
  *to = (LinesPlace){json_integer_value(line), json_integer_value(character)};
  return true;
}

typedef json_t *(*Answer)(const Document *d, LinesPlace at);

/* True: it is one about a place in an open text. */
static bool question(Server *s, const json_t *parameters, json_t *id, Waiting *w) {
  *w = (Waiting){.id = id, .of = document_in(s, parameters)};
  if (w->of && place_in(parameters, &w->at)) return true;
  server_refuse(s, id, RPC_INVALID_PARAMETERS, w->of ? "no position" : "this text is not open");
  return false;
}

static void ask(Server *s, const json_t *parameters, json_t *id, Answer answer) {
  Waiting w;
  if (!question(s, parameters, id, &w)) return;
  w.answer = answer;
  server_wait(s, w);
}

static void hover(Server *s, const json_t *parameters, json_t *id) { ask(s, parameters, id, answer_hover); }
static void definition(Server *s, const json_t *parameters, json_t *id) { ask(s, parameters, id, answer_definition); }
static void highlights(Server *s, const json_t *parameters, json_t *id) { ask(s, parameters, id, answer_highlights); }

/* Typing goes on: the last report will do. */
static void completion(Server *s, const json_t *parameters, json_t *id) {
  Waiting w;
  if (question(s, parameters, id, &w)) server_answer(s, id, answer_completion(w.of, w.at));
}

static json_t *symbols_of(const Document *d, LinesPlace at) {
  (void)at;
  return answer_symbols(d);
}

static void symbols(Server *s, const json_t *parameters, json_t *id) {
  const Waiting w = {.id = id, .of = document_in(s, parameters), .answer = symbols_of};
  if (w.of) server_wait(s, w);
  else server_refuse(s, id, RPC_INVALID_PARAMETERS, "this text is not open");
}

/* ---- all of them ---- */

static const Method methods[] = {
    {"initialize", true, initialize},
    {"initialized", false, nothing},
    {"shutdown", true, shut_down},
    {"exit", false, leave},
    {"$/cancelRequest", false, cancel},
    {"textDocument/didOpen", false, open_text},
    {"textDocument/didChange", false, change_text},
    {"textDocument/didClose", false, close_text},
    {"textDocument/hover", true, hover},
    {"textDocument/definition", true, definition},
    {"textDocument/documentHighlight", true, highlights},
    {"textDocument/documentSymbol", true, symbols},
    {"textDocument/completion", true, completion},
};

static const Method *method_called(const char *name) {
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    if (strcmp(methods[i].name, name) == 0) return &methods[i];
  return NULL;
}

void methods_take(Server *s, const json_t *message) {
  json_t *id = json_object_get(message, "id");
  const char *name = json_string_value(json_object_get(message, "method"));
  if (json_is_object(message) && !name && (json_object_get(message, "result") || json_object_get(message, "error")))
    return; /* an answer, to nothing that was asked */
  if (id && !json_is_integer(id) && !json_is_string(id)) id = NULL;
  if (!name) {
    server_refuse(s, id, RPC_INVALID_REQUEST, "this is no request");
    return;
  }
  const Method *m = method_called(name);
  if (!id && (!m || m->request)) return; /* a notification that means nothing here */
  if (!m) server_refuse(s, id, RPC_NO_METHOD, "there is no such method");
  else if (id && !m->request) server_refuse(s, id, RPC_INVALID_REQUEST, "this is a notification, not a request");
  else if (s->shut && m->take != leave) {
    if (id) server_refuse(s, id, RPC_INVALID_REQUEST, "shut down already");
  } else if (!s->initialized && m->take != initialize && m->take != leave) {
    if (id) server_refuse(s, id, RPC_NOT_INITIALIZED, "not initialized yet");
  } else m->take(s, json_object_get(message, "params"), id);
}
