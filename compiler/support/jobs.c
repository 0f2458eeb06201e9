/* jobs.c: child processes: posix_spawn, pipes, one poll loop.
 *
 * Signals come in through a descriptor (signalfd), so nothing here runs in a handler or needs a global. */
#include "support/jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { OUTPUT_LIMIT = 4 << 20 };

typedef struct Waiting Waiting;
struct Waiting { Job job; Waiting *next; };

typedef struct Running {
  Job *job; /* NULL: a free place */
  pid_t pid;
  int from; /* its output */
  double deadline;
  bool timed_out;
} Running;

struct Jobs {
  Arena *arena;
  Waiting *head, *tail;
  Running *running;
  int at_once, count;
  struct pollfd *wait; /* for poll: the signals, then the outputs of those that run */
  int *who;            /* which place of `running' each of them is */
  sigset_t before;     /* the signal mask that children get back */
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void words_push(Arena *a, Words *to, const char *const *words, int n) {
  for (int i = 0; i < n; i++) vec_push(a, to, words[i]);
}

Jobs *jobs_new(Arena *a, int at_once) {
  Jobs *j = arena_one(a, Jobs);
  j->arena = a;
  j->at_once = at_once;
  j->running = arena_many(a, Running, at_once);
  j->wait = arena_many(a, struct pollfd, at_once + 1);
  j->who = arena_many(a, int, at_once + 1);
  return j;
}

void jobs_add(Jobs *j, const Job *job, bool first) {
  Waiting *w = arena_one(j->arena, Waiting);
  w->job = *job;
  w->job.output = buffer_new(j->arena);
  if (first) {
    w->next = j->head;
    j->head = w;
    if (!j->tail) j->tail = w;
    return;
  }
  if (j->tail) j->tail->next = w;
  else j->head = w;
  j->tail = w;
}

static bool spawn(Jobs *j, Running *r, const Job *job) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  posix_spawn_file_actions_init(&files);
  if (job->folder) posix_spawn_file_actions_addchdir_np(&files, job->folder);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, ends[1], STDERR_FILENO);
  posix_spawnattr_init(&how);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_setsigdefault(&how, &defaults);
  posix_spawnattr_setsigmask(&how, &j->before);
  posix_spawnattr_setpgroup(&how, 0);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  int error = posix_spawnp(&r->pid, job->argv[0], &files, &how, (char *const *)(size_t)job->argv, environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&how);
  close(ends[1]);
  if (error) {
    close(ends[0]);
    return false;
  }
  r->from = ends[0];
  r->timed_out = false;
  r->deadline = job->timeout ? now() + job->timeout : 0;
  return true;
}

static void start_some(Jobs *j) {
  for (int i = 0; i < j->at_once && j->head; i++) {
    if (j->running[i].job) continue;
    Job *job = &j->head->job;
    j->head = j->head->next;
    if (!j->head) j->tail = NULL;
    if (spawn(j, &j->running[i], job)) {
      j->running[i].job = job;
      j->count++;
    } else {
      job->status = JOB_NOT_STARTED;
      job->done(job);
      i--; /* the place is still free */
    }
  }
}

static void finish(Jobs *j, Running *r) {
  Job *job = r->job;
  int status = 0;
  close(r->from);
  while (waitpid(r->pid, &status, 0) < 0 && errno == EINTR) {}
  job->status = r->timed_out ? JOB_TIMED_OUT : WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  r->job = NULL;
  j->count--;
  job->done(job);
}

static void read_some(Jobs *j, Running *r) {
  char text[16384];
  ssize_t n = read(r->from, text, sizeof text);
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (n <= 0) finish(j, r);
  else if (r->job->output.length < OUTPUT_LIMIT) buffer_putn(&r->job->output, text, (size_t)n);
}

void jobs_cancel(Jobs *j) {
  j->head = j->tail = NULL;
  for (int i = 0; i < j->at_once; i++) {
    Running *r = &j->running[i];
    if (!r->job) continue;
    kill(-r->pid, SIGKILL);
    close(r->from);
    while (waitpid(r->pid, NULL, 0) < 0 && errno == EINTR) {}
    r->job = NULL;
    j->count--;
  }
}

static void kill_late(Jobs *j) {
  for (int i = 0; i < j->at_once; i++) {
    Running *r = &j->running[i];
    if (!r->job || r->deadline == 0 || r->timed_out || now() < r->deadline) continue;
    r->timed_out = true;
    kill(-r->pid, SIGKILL);
  }
}

/* The signal that came in, or 0. */
static int wait_for_output(Jobs *j, int signals) {
  struct pollfd *wait = j->wait;
  int *who = j->who, n = 1;
  wait[0] = (struct pollfd){.fd = signals, .events = POLLIN};
  for (int i = 0; i < j->at_once; i++)
    if (j->running[i].job) {
      who[n] = i;
      wait[n++] = (struct pollfd){.fd = j->running[i].from, .events = POLLIN};
    }
  if (poll(wait, (nfds_t)n, 200) <= 0) return 0;
  if (wait[0].revents & POLLIN) {
    struct signalfd_siginfo info;
    if (read(signals, &info, sizeof info) == (ssize_t)sizeof info) return (int)info.ssi_signo;
  }
  for (int i = 1; i < n; i++)
    if (wait[i].revents) read_some(j, &j->running[who[i]]);
  return 0;
}

int jobs_run(Jobs *j, void (*tick)(void *context), void *context) {
  sigset_t watched;
  sigemptyset(&watched);
  sigaddset(&watched, SIGINT);
  sigaddset(&watched, SIGTERM);
  sigaddset(&watched, SIGHUP);
  sigprocmask(SIG_BLOCK, &watched, &j->before);
  int signals = signalfd(-1, &watched, SFD_CLOEXEC), interrupted = 0;
  while (!interrupted && (j->head || j->count)) {
    start_some(j);
    if (j->count) interrupted = wait_for_output(j, signals);
    kill_late(j);
    if (tick) tick(context);
  }
  if (interrupted) jobs_cancel(j);
  if (signals >= 0) close(signals);
  sigprocmask(SIG_SETMASK, &j->before, NULL);
  return interrupted;
}
