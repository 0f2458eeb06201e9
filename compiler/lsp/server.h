/* server.h: what the loop and the methods share. */
#ifndef TGC_LSP_SERVER_H
#define TGC_LSP_SERVER_H

#include <jansson.h>

#include "lsp/documents.h"
#include "lsp/frames.h"
#include "lsp/lsp.h"
#include "lsp/worker.h"

/* A request about a text that is being analysed. */
typedef struct Waiting {
  json_t *id;
  Document *of;
  LinesPlace at;
  json_t *(*answer)(const Document *d, LinesPlace at);
} Waiting;

typedef struct Server {
  const LspAnalyser *analyser;
  int in, out;
  Arena *arena;
  Frames frames;
  Documents documents;
  Worker worker;
  Document *analysed; /* by the worker */
  long long deadline; /* of the worker, in ms */
  VEC(Waiting) waiting;
  bool initialized, shut, ended, gone; /* gone: nobody reads what is sent */
} Server;

/* JSON-RPC's errors, and the protocol's. */
typedef enum RpcError {
  RPC_PARSE = -32700,
  RPC_INVALID_REQUEST = -32600,
  RPC_NO_METHOD = -32601,
  RPC_INVALID_PARAMETERS = -32602,
  RPC_NOT_INITIALIZED = -32002,
  RPC_CANCELLED = -32800
} RpcError;

/* ---- server.c ---- */
/* A document has another text: it is analysed soon, and so are those that read its file. */
void server_changed(Server *s, Document *d, bool opened);
/* It is closed: nobody waits for it any more. */
void server_forget(Server *s, Document *d);
/* Answers with what is known of the text, once it is analysed. */
void server_wait(Server *s, Waiting w);
void server_cancel(Server *s, const json_t *id);

/* They take `result' and `parameters' over. */
void server_answer(Server *s, const json_t *id, json_t *result);
void server_refuse(Server *s, const json_t *id, RpcError code, const char *why);
void server_notify(Server *s, const char *method, json_t *parameters);
void server_publish(Server *s, const Document *d, json_t *diagnostics);

/* ---- methods.c ---- */
/* Carries out one message, whatever it is. */
void methods_take(Server *s, const json_t *message);

#endif
