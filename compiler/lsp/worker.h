/* worker.h: one analysis in a process of its own. It may crash, take too long, or be of no use any more. */
#ifndef TGC_LSP_WORKER_H
#define TGC_LSP_WORKER_H

#include <jansson.h>
#include <sys/types.h>

#include "lsp/lsp.h"

typedef struct Worker {
  pid_t process; /* 0: none runs */
  int fd;        /* its report comes there */
  char *bytes;
  size_t size, capacity;
} Worker;

/* False: no process can be made. */
bool worker_start(Worker *w, const LspAnalyser *by, const LspText *texts, int n, int which);
/* Reads what there is. False: that was all. */
bool worker_read(Worker *w);
/* Waits for its end. Its report; NULL: it has none, and *status is how it ended (waitpid). */
json_t *worker_end(Worker *w, int *status);
/* Ends it. */
void worker_stop(Worker *w);

#endif
