/* worker.c: an analysis in a child process, whose report comes through a pipe. The server itself never parses: whatever
 * a text does to the parser, the server goes on. */
#include "lsp/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lsp/report.h"

enum { AT_ONCE = 64 << 10 };
#define MOST_MEMORY ((rlim_t)8 << 30)

/* Of files it writes none, of core dumps neither; what it prints goes nowhere: the server's output is the editor's. It
 * ends with the server. */
static void confine(int seconds) {
  const struct rlimit none = {0, 0}, time = {(rlim_t)seconds + 1, (rlim_t)seconds + 1};
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#ifndef __SANITIZE_ADDRESS__ /* which takes terabytes of addresses */
  const struct rlimit memory = {MOST_MEMORY, MOST_MEMORY};
  setrlimit(RLIMIT_AS, &memory);
#endif
  setrlimit(RLIMIT_FSIZE, &none);
  setrlimit(RLIMIT_CORE, &none);
  setrlimit(RLIMIT_CPU, &time);
  const int nowhere = open("/dev/null", O_RDWR);
  if (nowhere < 0) return;
  for (int fd = 0; fd < 3; fd++) dup2(nowhere, fd);
  if (nowhere > 2) close(nowhere);
}

/* Is run in the child. */
static _Noreturn void work(const LspAnalyser *by, const LspText *texts, const int n_and_which[2], int to) {
  confine(by->seconds);
  Arena *a = arena_new();
  LspAnalysis found = {.diagnostics = diagnostics_new(a)};
  by->analyse(by->context, a, texts, n_and_which[0], n_and_which[1], &found);
  json_t *report = report_make(a, &texts[n_and_which[1]], &found);
  _exit(report && json_dumpfd(report, to, JSON_COMPACT) == 0 ? 0 : 1);
}

bool worker_start(Worker *w, const LspAnalyser *by, const LspText *texts, int n, int which) {
  int ends[2];
  *w = (Worker){0};
  if (pipe(ends) != 0) return false;
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    const int to = fcntl(ends[1], F_DUPFD, 3); /* a server may have been started without standard files */
    work(by, texts, (const int[]){n, which}, to);
  }
  close(ends[1]);
  if (child < 0) close(ends[0]);
  else *w = (Worker){.process = child, .fd = ends[0]};
  return child > 0;
}

bool worker_read(Worker *w) {
  if (w->capacity - w->size < AT_ONCE) {
    const size_t wanted = w->capacity ? 2 * w->capacity : AT_ONCE;
    char *grown = realloc(w->bytes, wanted);
    if (!grown) return false;
    w->bytes = grown;
    w->capacity = wanted;
  }
  const ssize_t n = read(w->fd, w->bytes + w->size, w->capacity - w->size);
  if (n < 0) return errno == EINTR;
  w->size += (size_t)n;
  return n > 0;
}

json_t *worker_end(Worker *w, int *status) {
  *status = 0;
  while (waitpid(w->process, status, 0) < 0 && errno == EINTR) continue;
  close(w->fd);
  const bool well = WIFEXITED(*status) && WEXITSTATUS(*status) == 0;
  json_t *report = well ? json_loadb(w->bytes ? w->bytes : "", w->size, JSON_ALLOW_NUL, NULL) : NULL;
  free(w->bytes);
  *w = (Worker){0};
  return report;
}

void worker_stop(Worker *w) {
  if (!w->process) return;
  kill(w->process, SIGKILL);
  int status;
  json_decref(worker_end(w, &status));
}
