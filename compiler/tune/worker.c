/* worker.c: the measuring process: a request a line to its standard input, an answer a line from its output.
 *
 * What it measures may bring it down, or never end: then it is killed and started again, and the measurement has
 * failed in its own way. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tune/tune.h"

extern char **environ;

enum { LINE_MOST = 4096, START_SECONDS = 60, DATA_SECONDS = 1200, MOST_DEATHS = 20 };

struct Worker {
  Arena *arena;
  const char *program;
  pid_t process;        /* 0: none runs */
  int to, from;
  char line[LINE_MOST]; /* what was read of the next answer */
  size_t length;
  int deaths;           /* one after the other, without an answer in between */
  bool ending;          /* its last answer was a failure, with which it may have lost the device and end */
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void stop(Worker *w) {
  if (!w->process) return;
  close(w->to);
  close(w->from);
  kill(w->process, SIGKILL);
  waitpid(w->process, NULL, 0);
  w->process = 0;
  w->length = 0;
  w->ending = false;
}

/* A line of its output, without the newline; NULL when it ended, or took too long. */
static char *answer(Worker *w, double seconds, bool *hung) {
  double until = now() + seconds;
  *hung = false;
  for (;;) {
    char *newline = memchr(w->line, '\n', w->length);
    if (newline) {
      size_t n = (size_t)(newline - w->line);
      char *line = arena_strndup(w->arena, w->line, n);
      w->length -= n + 1;
      memmove(w->line, newline + 1, w->length);
      return line;
    }
    if (w->length == LINE_MOST) return NULL; /* no answer of ours */
    struct pollfd p = {.fd = w->from, .events = POLLIN};
    double left = until - now();
    int ready = left > 0 ? poll(&p, 1, (int)(left * 1e3) + 1) : 0;
    if (ready == 0) { *hung = true; return NULL; }
    ssize_t got = ready < 0 ? -1 : read(w->from, w->line + w->length, LINE_MOST - w->length);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return NULL;
    w->length += (size_t)got;
  }
}

/* The fields of a line between tabs; cuts it up. */
static int fields(char *line, char **field, int most) {
  int n = 0;
  for (char *s = line; s && n < most; n++) {
    field[n] = s;
    s = strchr(s, '\t');
    if (s) *s++ = '\0';
  }
  return n;
}

/* In a process group of its own: Ctrl-C at the terminal is for tgc-tune, and no failure of what is measured then. */
static bool spawn(Worker *w) {
  int down[2], up[2];
  if (pipe(down) != 0) return false;
  if (pipe(up) != 0) { close(down[0]); close(down[1]); return false; }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, down[0], 0);
  posix_spawn_file_actions_adddup2(&actions, up[1], 1);
  int all[] = {down[0], down[1], up[0], up[1]};
  for (int i = 0; i < 4; i++) posix_spawn_file_actions_addclose(&actions, all[i]);
  posix_spawnattr_t how;
  posix_spawnattr_init(&how);
  posix_spawnattr_setpgroup(&how, 0);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP);
  char *argv[] = {(char *)w->program, NULL};
  int error = posix_spawn(&w->process, w->program, &actions, &how, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&how);
  close(down[0]);
  close(up[1]);
  w->to = down[1];
  w->from = up[0];
  if (error == 0) return true;
  w->process = 0;
  close(w->to);
  close(w->from);
  errno = error;
  return false;
}

/* Starts it and reads what it says of the device; an error text, or NULL. */
static const char *start(Worker *w, DeviceInfo *device) {
  if (!spawn(w)) return arena_printf(w->arena, "`%s' does not start: %s", w->program, strerror(errno));
  bool hung;
  char *line = answer(w, START_SECONDS, &hung), *f[10] = {0};
  int n = line ? fields(line, f, 10) : 0;
  if (n >= 8 && strcmp(f[0], "device") == 0) {
    *device = (DeviceInfo){.name = f[1], .compute = atoi(f[2]), .driver = f[3], .toolkit = f[4], .units = atoi(f[5]),
                           .l2_bytes = strtoull(f[6], NULL, 10), .memory_bytes = strtoull(f[7], NULL, 10),
                           .more = f[8], .meeting = f[9] ? strtod(f[9], NULL) : 0};
    return NULL;
  }
  stop(w);
  if (hung) return "the measuring process does not answer";
  return n >= 2 && strcmp(f[0], "launch") == 0 ? f[1] : "the measuring process exits at once";
}

Worker *worker_new(Arena *a, const Folder *f, const char *program, DeviceInfo *device, Diagnostics *d) {
  Worker *w = arena_one(a, Worker);
  w->arena = a;
  w->program = program;
  signal(SIGPIPE, SIG_IGN);
  const char *why = start(w, device);
  if (!why) return w;
  if (f->cpu) diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, NULL, "nothing can be measured: %s", why);
  else diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, "measuring needs a GPU and its driver",
                  "there is no GPU to measure on: %s", why);
  return NULL;
}

void worker_free(Worker *w) { stop(w); }

static bool send(Worker *w, const char *text) {
  size_t left = strlen(text);
  while (left) {
    ssize_t n = write(w->to, text, left);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    text += n;
    left -= (size_t)n;
  }
  return true;
}

static Measured failed(FailureKind kind, const char *message) {
  return (Measured){.failed = kind, .message = message, .mode = {{-1, -1, -1}, {-1, -1, -1}, {-1, -1, -1}}};
}

static bool number(const char *s, double *value) {
  char *end;
  *value = strtod(s, &end);
  return end > s && *end == '\0' && isfinite(*value);
}

/* The answer's meaning; false: it is none. */
static bool understand(char *line, Measured *m) {
  char *f[11];
  int n = fields(line, f, 11);
  *m = failed(FAILED_NOT, NULL);
  if (n == 2 && strcmp(f[0], "wrong") == 0) *m = failed(FAILED_WRONG, f[1]);
  else if (n == 2 && strcmp(f[0], "launch") == 0) *m = failed(FAILED_LAUNCH, f[1]);
  else if (n != 1 + 3 * MODES || strcmp(f[0], "time") != 0) return false;
  else
    for (int i = 0; i < MODES; i++) {
      Timing *t = &m->mode[i];
      char **at = f + 1 + 3 * i;
      if (!number(at[0], &t->median) || !number(at[1], &t->low) || !number(at[2], &t->high)) return false;
    }
  return true;
}

/* What it says to a request. It tells when it makes new inputs, gigabytes perhaps: no variant's time. */
static char *ask(Worker *w, const char *request, double seconds, bool *hung) {
  char *line = send(w, request) ? answer(w, seconds, hung) : NULL;
  for (;;) {
    if (line && strcmp(line, "data") == 0) line = answer(w, DATA_SECONDS, hung);
    else if (line && strcmp(line, "made") == 0) line = answer(w, seconds, hung);
    else return line;
  }
}

/* "256,4,0": what the members of a configuration are set to, in their order. */
static const char *configuration_text(Arena *a, const Folder *f, const Tunables *set) {
  Buffer b = buffer_new(a);
  for (int i = 0; i < f->members.n; i++)
    buffer_printf(&b, "%s%" PRId64, i ? "," : "", tunables_value(set, f->members.at[i].name));
  return b.text;
}

bool worker_measure(Worker *w, const Folder *f, const char *type, const Candidate *c, Shape at, const char *modes,
                    double budget, double timeout_seconds, Measured *m) {
  DeviceInfo again;
  if (!w->process && (w->deaths > MOST_DEATHS || start(w, &again) != NULL)) return false;
  const char *function = folder_function(w->arena, f, c->variant, type);
  const char *calls = calls_text(w->arena, at.calls);
  char *request = arena_printf(w->arena, "run\t%s\t%s\t%s\t%s\t%s\t%" PRIu64 "\t%" PRIu64 "\t%s\t%.0f%s%s\n",
                               c->variant->object, function, type, f->operation,
                               configuration_text(w->arena, f, &c->set), at.n, at.count, modes, budget,
                               *calls ? "\t" : "", calls);
  bool hung = false;
  char *line = ask(w, request, timeout_seconds, &hung);
  if (!line && !hung && w->ending) { /* it ended with what was measured before */
    stop(w);
    if (start(w, &again) != NULL) return false;
    line = ask(w, request, timeout_seconds, &hung);
  }
  if (line && understand(line, m)) {
    w->deaths = 0;
    w->ending = m->failed != FAILED_NOT;
    return true;
  }
  const char *what = hung ? arena_printf(w->arena, "no answer in %g s", timeout_seconds)
                     : line || w->length == LINE_MOST ? "an invalid answer" : "the measuring process died";
  *m = failed(hung ? FAILED_TIMEOUT : FAILED_LAUNCH, what);
  w->deaths++;
  stop(w);
  return true;
}
