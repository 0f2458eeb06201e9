/* host.c: what the kernel tells of the CPU.
 *
 *     /proc/cpuinfo                              model, instructions of each hardware thread
 *     /sys/devices/system/cpu/online             hardware threads
 *       .../cpu0/topology/thread_siblings_list   those of one core
 *       .../cpu0/cache/index2/                   level, type, size, shared_cpu_list of a cache
 *     /proc/self/cgroup                          the process's groups, in whose folders and those above them is
 *     /sys/fs/cgroup/GROUP/cpu.max               .. how much processor time they may use; of version 1 of groups
 *     /sys/fs/cgroup/cpu/GROUP/cpu.cfs_quota_us
 *
 * A hypervisor or a container may hide any of it. */
#include "arch/host.h"

#include <ctype.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "support/buffer.h"

enum { MOST_THREADS = 1 << 13, MOST_CACHES = 16, MOST_LINE = 1 << 14 };

/* A set of hardware threads, by their numbers. */
typedef struct Threads {
  bool in[MOST_THREADS];
} Threads;

/* ---- files of one line ---- */

/* Its first line, NULL when there is none. */
static const char *line_of(Arena *a, const char *path) {
  char line[MOST_LINE];
  FILE *f = fopen(path, "r");
  bool got = f && fgets(line, sizeof line, f);
  if (f) fclose(f);
  return got ? arena_strndup(a, line, strcspn(line, "\n")) : NULL;
}

/* "0-3,8", which other sets may share members with. False when it is no such list. */
static bool read_list(const char *list, Threads *to) {
  memset(to, 0, sizeof *to);
  for (const char *s = list; s && isdigit((unsigned char)*s);) {
    char *end;
    long first = strtol(s, &end, 10), last = *end == '-' ? strtol(end + 1, &end, 10) : first;
    if (last < first || last >= MOST_THREADS) return false;
    for (long i = first; i <= last; i++) to->in[i] = true;
    if (!*end) return true;
    s = *end == ',' ? end + 1 : NULL;
  }
  return false;
}

/* "48K", in bytes; 0 when it is no size. */
static int64_t read_size(const char *text) {
  char *end;
  long long n = text ? strtoll(text, &end, 10) : 0;
  if (n < 1 || n > INT32_MAX) return 0;
  int shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
  return (int64_t)n << shift;
}

/* ---- a host ---- */

typedef struct Host {
  Arena *a;
  const char *root;
  Threads online, usable;
  Threads core, shared; /* the threads of what is being looked at */
} Host;

static const char *about(Host *h, int thread, const char *what) {
  return line_of(h->a, arena_printf(h->a, "%s/sys/devices/system/cpu/cpu%d/%s", h->root, thread, what));
}

/* The first of `others' that is in `of'; -1 when none is. */
static int first_of(const Threads *others, const Threads *of) {
  for (int i = 0; i < MOST_THREADS; i++)
    if (others->in[i] && of->in[i]) return i;
  return -1;
}

static int count(const Threads *t) {
  int n = 0;
  for (int i = 0; i < MOST_THREADS; i++) n += t->in[i];
  return n;
}

/* The threads of its core: itself alone where nobody says. */
static void siblings(Host *h, int thread, Threads *to) {
  if (read_list(about(h, thread, "topology/thread_siblings_list"), to) && to->in[thread]) return;
  memset(to, 0, sizeof *to);
  to->in[thread] = true;
}

/* How many cores the threads of a set are of. */
static int cores_of(Host *h, const Threads *set) {
  int n = 0;
  for (int i = 0; i < MOST_THREADS; i++) {
    if (!set->in[i]) continue;
    siblings(h, i, &h->core);
    n += first_of(&h->core, set) == i;
  }
  return n;
}

static void least(int64_t *to, int64_t value) {
  if (value > 0 && (*to == 0 || value < *to)) *to = value;
}

/* One cache of a thread, added to the facts. False when it has no such cache. */
static bool add_cache(Host *h, int thread, int index, HostFacts *f) {
  const char *dir = arena_printf(h->a, "cache/index%d", index);
  const char *level = about(h, thread, arena_printf(h->a, "%s/level", dir));
  if (!level) return false;
  const char *type = about(h, thread, arena_printf(h->a, "%s/type", dir));
  int64_t size = read_size(about(h, thread, arena_printf(h->a, "%s/size", dir)));
  if (!size || (type && strcmp(type, "Instruction") == 0)) return true;
  const char *sharing = about(h, thread, arena_printf(h->a, "%s/shared_cpu_list", dir));
  if (!read_list(sharing, &h->shared) || !h->shared.in[thread]) siblings(h, thread, &h->shared);
  if (strcmp(level, "1") == 0) least(&f->l1_bytes, size);
  else if (strcmp(level, "2") == 0) least(&f->l2_bytes, size / cores_of(h, &h->shared));
  else if (strcmp(level, "3") == 0 && first_of(&h->shared, &h->usable) == thread) f->l3_bytes += size;
  return true;
}

/* ---- /proc/cpuinfo ---- */

static bool has_word(const char *words, const char *end, const char *word) {
  size_t n = strlen(word);
  for (const char *s = words; s < end;) {
    s += strspn(s, " \t");
    size_t k = strcspn(s, " \t\n");
    if (k == n && strncmp(s, word, n) == 0) return true;
    if (k == 0) return false;
    s += k;
  }
  return false;
}

/* Best first: the words that must all be there. */
static const struct {
  const char *words[5];
  HostVectors vectors;
} sets[] = {{{"avx512f", "avx512dq", "avx512bw", "avx512vl"}, HOST_AVX512},
            {{"avx2", "fma"}, HOST_AVX2},
            {{"sse2"}, HOST_SSE2},
            {{"asimd"}, HOST_NEON},
            {{"neon"}, HOST_NEON}};

/* GCC 12 takes a Xeon that is newer than it for one of unknown gathers, and makes none. All of these gather as fast as
 * the first that has half-precision vectors. */
static const char *tune_of(const char *words, const char *end, bool intel) {
  return intel && has_word(words, end, "avx512_fp16") ? "sapphirerapids" : NULL;
}

static HostVectors vectors_of(const char *words, const char *end) {
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    bool all = true;
    for (const char *const *w = sets[i].words; *w; w++) all &= has_word(words, end, *w);
    if (all) return sets[i].vectors;
  }
  return HOST_NO_VECTORS;
}

/* Text for people out of a line: no trade marks, nothing behind an @, no bytes that are no plain text. */
static const char *tidy(Arena *a, const char *text, const char *end) {
  static const char *const marks[] = {"(R)", "(r)", "(TM)", "(tm)"};
  Buffer b = buffer_new(a);
  for (const char *s = text; s < end && *s != '@';) {
    size_t skip = 0;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
      if (strncmp(s, marks[i], strlen(marks[i])) == 0) skip = strlen(marks[i]);
    if (skip) { s += skip; continue; }
    bool blank = isspace((unsigned char)*s), plain = *s > ' ' && *s < 127 && *s != '"' && *s != '\\';
    if (blank && b.length && b.text[b.length - 1] != ' ') buffer_puts(&b, " ");
    else if (plain) buffer_putn(&b, s, 1);
    s++;
  }
  while (b.length && b.text[b.length - 1] == ' ') b.text[--b.length] = '\0';
  return b.length ? b.text : NULL;
}

static bool is_key(const char *line, const char *colon, const char *key) {
  while (colon > line && isspace((unsigned char)colon[-1])) colon--;
  return (size_t)(colon - line) == strlen(key) && strncmp(line, key, strlen(key)) == 0;
}

/* Blocks of lines, one for each hardware thread. What one usable thread lacks, they all do without. Numbers that no
 * usable thread has are no reason to believe nothing: a container may number them anew. */
static void read_cpuinfo(Host *h, HostFacts *f) {
  const SourceFile *file = source_read(h->a, arena_printf(h->a, "%s/proc/cpuinfo", h->root));
  HostVectors usable = HOST_AVX512, any = HOST_AVX512;
  bool seen_usable = false, seen_any = false, intel = false;
  long thread = -1;
  for (const char *line = file ? file->text : ""; *line;) {
    const char *end = line + strcspn(line, "\n"), *colon = memchr(line, ':', (size_t)(end - line));
    if (colon && is_key(line, colon, "processor")) thread = strtol(colon + 1, NULL, 10);
    if (colon && is_key(line, colon, "vendor_id")) intel = has_word(colon + 1, end, "GenuineIntel");
    if (colon && !f->model && (is_key(line, colon, "model name") || is_key(line, colon, "Model")))
      f->model = tidy(h->a, colon + 1, end);
    if (colon && (is_key(line, colon, "flags") || is_key(line, colon, "Features"))) {
      HostVectors v = vectors_of(colon + 1, end);
      f->tune = tune_of(colon + 1, end, intel);
      if (v < any) any = v;
      seen_any = true;
      if (thread >= 0 && thread < MOST_THREADS && h->usable.in[thread]) {
        if (v < usable) usable = v;
        seen_usable = true;
      }
    }
    line = *end ? end + 1 : end;
  }
  f->vectors = seen_usable ? usable : seen_any ? any : HOST_NO_VECTORS;
}

/* ---- a share of processor time ---- */

/* Two whole numbers, "150000 100000"; false where there is no such thing, "max 100000" for one. */
static bool two_numbers(const char *time, const char *period, double *processors) {
  char *end = NULL;
  const double t = time ? strtod(time, &end) : 0;
  if (!time || !(t > 0)) return false;
  const double p = strtod(period ? period : end, NULL);
  *processors = t / p;
  return p > 0;
}

/* What one group may use. */
static bool quota_of(Host *h, bool first_version, const char *group, double *processors) {
  if (!first_version)
    return two_numbers(line_of(h->a, arena_printf(h->a, "%s/sys/fs/cgroup%s/cpu.max", h->root, group)), NULL,
                       processors);
  const char *dir = arena_printf(h->a, "%s/sys/fs/cgroup/cpu%s", h->root, group);
  const char *period = line_of(h->a, arena_printf(h->a, "%s/cpu.cfs_period_us", dir));
  return period && two_numbers(line_of(h->a, arena_printf(h->a, "%s/cpu.cfs_quota_us", dir)), period, processors);
}

/* Of a group and all those above it, the least; *least stays where none has one. A container may have the folders from
 * its own group on, and the kernel's name of it: so names that are no folder are as good as any. */
static void least_quota(Host *h, bool first_version, const char *group, double *least) {
  for (size_t n = strlen(group);;) {
    double processors;
    if (quota_of(h, first_version, arena_strndup(h->a, group, n), &processors) && (*least == 0 || processors < *least))
      *least = processors;
    if (n == 0) return;
    while (n > 0 && group[--n] != '/') {}
  }
}

/* Is `cpu' among the names between commas? */
static bool names_cpu(const char *names, size_t n) {
  for (const char *s = names; s < names + n; s += strcspn(s, ",:") + 1)
    if (strcspn(s, ",:") == 3 && strncmp(s, "cpu", 3) == 0) return true;
  return false;
}

/* Processors, a part of one counted as one; 0: as much as there is. Lines are "0::/group", and of version 1
 * "4:cpu,cpuacct:/group". */
static int quota(Host *h) {
  const SourceFile *file = source_read(h->a, arena_printf(h->a, "%s/proc/self/cgroup", h->root));
  double least = 0;
  least_quota(h, false, "", &least);
  least_quota(h, true, "", &least);
  for (const char *line = file ? file->text : "", *end; *line; line = *end ? end + 1 : end) {
    end = line + strcspn(line, "\n");
    const char *names = memchr(line, ':', (size_t)(end - line));
    const char *group = names ? memchr(names + 1, ':', (size_t)(end - names - 1)) : NULL;
    if (!group) continue;
    const bool second_version = group == names + 1;
    if (second_version || names_cpu(names + 1, (size_t)(group - names - 1)))
      least_quota(h, !second_version, arena_strndup(h->a, group + 1, (size_t)(end - group - 1)), &least);
  }
  const int whole = least < MOST_THREADS ? (int)least : MOST_THREADS;
  return whole + (whole < least);
}

static int at_most(int value, int most) { return most > 0 && value > most ? most : value; }

HostFacts host_facts(Arena *a, const char *root, const char *usable) {
  HostFacts f = {0};
  Host *h = arena_one(a, Host);
  h->a = a;
  h->root = root;
  bool told = read_list(line_of(a, arena_printf(a, "%s/sys/devices/system/cpu/online", root)), &h->online);
  if (!usable || !read_list(usable, &h->usable)) h->usable = h->online;
  else if (told && first_of(&h->online, &h->usable) >= 0)
    for (int i = 0; i < MOST_THREADS; i++) h->usable.in[i] &= h->online.in[i];
  read_cpuinfo(h, &f);
  f.quota = quota(h);
  f.threads = at_most(count(&h->usable), f.quota);
  f.cores = at_most(cores_of(h, &h->usable), f.quota);
  for (int i = 0; i < MOST_THREADS; i++)
    for (int k = 0; h->usable.in[i] && k < MOST_CACHES && add_cache(h, i, k, &f);) k++;
  return f;
}

const char *host_affinity(Arena *a) {
  cpu_set_t *set = CPU_ALLOC(MOST_THREADS);
  size_t size = CPU_ALLOC_SIZE(MOST_THREADS);
  Buffer b = buffer_new(a);
  if (set && sched_getaffinity(0, size, set) == 0)
    for (int i = 0; i < MOST_THREADS; i++)
      if (CPU_ISSET_S(i, size, set)) buffer_printf(&b, "%s%d", b.length ? "," : "", i);
  if (set) CPU_FREE(set);
  return b.length ? b.text : NULL;
}
