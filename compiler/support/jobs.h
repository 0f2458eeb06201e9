/* jobs.h: child processes, a few at a time, their output gathered. */
#ifndef TGC_SUPPORT_JOBS_H
#define TGC_SUPPORT_JOBS_H

#include <stdbool.h>

#include "support/buffer.h"

enum { JOB_NOT_STARTED = -1000, JOB_TIMED_OUT = -1001 };

typedef struct Job Job;
struct Job {
  const char *const *argv;        /* argv[0] is looked up in PATH; NULL ends it */
  const char *folder;             /* where it runs; NULL: where we do */
  int timeout;                    /* seconds after which it is killed; 0: never */
  void (*done)(Job *job);         /* called when it has ended; may add jobs */
  void *context;                  /* for `done' */
  int number;                     /* likewise */
  /* known when it has ended */
  Buffer output;                  /* standard output and error, up to some megabytes */
  int status;                     /* exit status; minus the signal that ended it; JOB_NOT_STARTED; JOB_TIMED_OUT */
};

/* A command line that grows; NULL has to end it. */
typedef VEC(const char *) Words;
void words_push(Arena *a, Words *to, const char *const *words, int n);
#define PUSH(a, to, ...)                                       \
  words_push(a, to, (const char *const[]){__VA_ARGS__},        \
             (int)(sizeof (const char *const[]){__VA_ARGS__} / sizeof(char *)))

typedef struct Jobs Jobs;

/* Runs up to `at_once` processes at a time. */
Jobs *jobs_new(Arena *a, int at_once);

/* Queues a copy of `job`, behind those queued, or before them when `first`. */
void jobs_add(Jobs *j, const Job *job, bool first);

/* Runs until nothing is queued; calls tick(context), if any, several times a second. Children run in process groups of
 * their own, which are killed when SIGINT, SIGTERM or SIGHUP arrives meanwhile: then the signal is returned, else 0. */
int jobs_run(Jobs *j, void (*tick)(void *context), void *context);

/* Drops what is queued and kills what runs; `done` is not called for them. */
void jobs_cancel(Jobs *j);

#endif
