/* server.c: the loop. One thread reads messages and answers them; one analysis at a time runs in a process of its own.
 *
 *   an edit         ends the analysis of that text, and has it analysed again a moment later
 *   a question      about a text that is not analysed yet waits until it is
 *   a dead editor   ends the file that messages come from, and so the server */
#include "lsp/server.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "support/paths.h"

enum { PAUSE = 120 /* ms between an edit and the analysis */, MOST_WAITING = 200 };

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1000ll * t.tv_sec + t.tv_nsec / 1000000;
}

/* ---- what is sent ---- */

static void put(Server *s, json_t *message) {
  json_object_set_new(message, "jsonrpc", json_string("2.0"));
  if (!s->gone && !frames_write(s->out, message)) s->gone = s->ended = true;
  json_decref(message);
}

void server_answer(Server *s, const json_t *id, json_t *result) {
  put(s, json_pack("{s:o, s:o}", "id", json_incref((json_t *)id), "result", result));
}

void server_refuse(Server *s, const json_t *id, RpcError code, const char *why) {
  json_t *to = id ? json_incref((json_t *)id) : json_null();
  put(s, json_pack("{s:o, s:{s:i, s:s}}", "id", to, "error", "code", (int)code, "message", why));
}

void server_notify(Server *s, const char *method, json_t *parameters) {
  put(s, json_pack("{s:s, s:o}", "method", method, "params", parameters));
}

void server_publish(Server *s, const Document *d, json_t *diagnostics) {
  server_notify(s, "textDocument/publishDiagnostics",
                json_pack("{s:s, s:I, s:o}", "uri", d->uri, "version", d->version, "diagnostics", diagnostics));
}

/* ---- who waits ---- */

static void take_out(Server *s, int i) {
  json_decref(s->waiting.at[i].id);
  s->waiting.at[i] = s->waiting.at[--s->waiting.n];
}

void server_wait(Server *s, Waiting w) {
  if (!w.of->changed || s->waiting.n >= MOST_WAITING) {
    server_answer(s, w.id, w.answer(w.of, w.at));
    return;
  }
  if (w.of->due > now()) w.of->due = now();
  json_incref(w.id);
  vec_push(s->arena, &s->waiting, w);
}

static void answer_waiting(Server *s, const Document *d) {
  for (int i = 0; i < s->waiting.n; i++) {
    const Waiting *w = &s->waiting.at[i];
    if (w->of != d) continue;
    server_answer(s, w->id, w->answer(w->of, w->at));
    take_out(s, i--);
  }
}

void server_cancel(Server *s, const json_t *id) {
  for (int i = 0; i < s->waiting.n; i++) {
    if (!json_equal(s->waiting.at[i].id, id)) continue;
    server_refuse(s, id, RPC_CANCELLED, "cancelled");
    take_out(s, i--);
  }
}

/* ---- analysis ---- */

static bool reads(const Document *d, const char *path) {
  for (size_t i = 0; i < json_array_size(d->reads); i++)
    if (path_is_same(json_string_value(json_array_get(d->reads, i)), path)) return true;
  return false;
}

static void stop(Server *s) {
  worker_stop(&s->worker);
  s->analysed = NULL;
}

void server_changed(Server *s, Document *d, bool opened) {
  d->due = now() + (opened ? 0 : PAUSE);
  if (s->analysed == d) stop(s);
  for (int i = 0; i < s->documents.all.n; i++) {
    Document *x = s->documents.all.at[i];
    if (!x->open || x == d || !reads(x, d->path)) continue;
    x->changed = true;
    x->due = now() + PAUSE;
    if (s->analysed == x) stop(s);
  }
}

void server_forget(Server *s, Document *d) {
  if (s->analysed == d) stop(s);
  for (int i = 0; i < s->waiting.n; i++) {
    if (s->waiting.at[i].of != d) continue;
    server_answer(s, s->waiting.at[i].id, json_null());
    take_out(s, i--);
  }
}

/* The document whose analysis is due first; NULL: none has changed. */
static Document *next_due(const Server *s) {
  Document *first = NULL;
  for (int i = 0; i < s->documents.all.n; i++) {
    Document *d = s->documents.all.at[i];
    if (d->open && d->changed && (!first || d->due < first->due)) first = d;
  }
  return first;
}

static json_t *trouble(const char *what) {
  enum { WARNING = 2 };
  return json_pack("[{s:{s:{s:i, s:i}, s:{s:i, s:i}}, s:i, s:s, s:s}]", "range", "start", "line", 0, "character", 0,
                   "end", "line", 0, "character", 1, "severity", WARNING, "source", "tgc", "message", what);
}

/* The analysis is over, with a report or because of some trouble. */
static void conclude(Server *s, json_t *report, const char *why) {
  Document *d = s->analysed;
  s->analysed = NULL;
  d->changed = false;
  json_t *diagnostics = json_object_get(report, "diagnostics");
  server_publish(s, d, diagnostics ? json_incref(diagnostics) : trouble(why));
  if (json_object_get(report, "reads")) {
    json_decref(d->reads);
    d->reads = json_incref(json_object_get(report, "reads"));
  }
  if (json_is_true(json_object_get(report, "read"))) {
    json_decref(d->report);
    d->report = json_incref(report);
    d->reported = d->generation;
  }
  json_decref(report);
  answer_waiting(s, d);
}

static void conclude_worker(Server *s) {
  int status;
  json_t *report = worker_end(&s->worker, &status);
  Arena *a = arena_new();
  const char *why = "internal: the analysis of this text failed";
  if (WIFSIGNALED(status))
    why = arena_printf(a, "internal: the analysis of this text ended by signal %d", WTERMSIG(status));
  conclude(s, report, why);
  arena_free(a);
}

static void give_up(Server *s) {
  Arena *a = arena_new();
  worker_stop(&s->worker);
  conclude(s, NULL, arena_printf(a, "the analysis of this text took longer than %d s and was stopped",
                                 s->analyser->seconds));
  arena_free(a);
}

static void start_due(Server *s) {
  Document *d = s->analysed ? NULL : next_due(s);
  if (!d || d->due > now()) return;
  Arena *a = arena_new();
  VEC(LspText) texts = {0};
  int which = 0;
  for (int i = 0; i < s->documents.all.n; i++) {
    const Document *x = s->documents.all.at[i];
    if (!x->open) continue;
    if (x == d) which = texts.n;
    LspText one = {x->path, x->lines.text, x->lines.size};
    vec_push(a, &texts, one);
  }
  s->analysed = d;
  s->deadline = now() + 1000ll * s->analyser->seconds;
  if (!worker_start(&s->worker, s->analyser, texts.at, texts.n, which))
    conclude(s, NULL, "no process can be made to analyse this text");
  arena_free(a);
}

/* ---- the loop ---- */

static void take_messages(Server *s) {
  size_t size;
  bool too_long = false;
  for (const char *text; !s->ended && ((text = frames_next(&s->frames, &size, &too_long)) != NULL || too_long);) {
    if (too_long) {
      server_refuse(s, NULL, RPC_INVALID_REQUEST, "the message is too long");
      continue;
    }
    json_t *message = json_loadb(text, size, JSON_ALLOW_NUL | JSON_DECODE_ANY, NULL);
    if (message) methods_take(s, message);
    else server_refuse(s, NULL, RPC_PARSE, "the message is no JSON");
    json_decref(message);
  }
}

/* How long nothing has to be done, in ms; -1: for ever. */
static int patience(const Server *s) {
  const Document *d = next_due(s);
  if (!s->analysed && !d) return -1;
  const long long left = (s->analysed ? s->deadline : d->due) - now();
  return left < 0 ? 0 : left > 10000 ? 10000 : (int)left;
}

static void turn(Server *s) {
  start_due(s);
  struct pollfd files[] = {{s->in, POLLIN, 0}, {s->analysed ? s->worker.fd : -1, POLLIN, 0}};
  const int n = poll(files, 2, patience(s));
  if (n < 0 && errno != EINTR) s->ended = true;
  if (n <= 0) files[0].revents = files[1].revents = 0;
  if (files[1].revents && !worker_read(&s->worker)) conclude_worker(s);
  else if (s->analysed && now() >= s->deadline) give_up(s);
  if (!files[0].revents) return;
  if (frames_read(&s->frames, s->in)) take_messages(s);
  else s->ended = true;
}

int lsp_serve(const LspAnalyser *analyser, int in, int out) {
  Server s = {.analyser = analyser, .in = in, .out = out, .arena = arena_new()};
  s.documents.arena = s.arena;
  while (!s.ended) turn(&s);
  stop(&s);
  while (s.waiting.n) take_out(&s, 0);
  documents_end(&s.documents);
  frames_end(&s.frames);
  arena_free(s.arena);
  return s.shut ? 0 : 1;
}
