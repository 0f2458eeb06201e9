/* host_spec.c: the facts about a host as the text of a machine. The levels are those of the CPUs that are shipped. */
#include <ctype.h>
#include <string.h>

#include "arch/host.h"
#include "support/buffer.h"

enum {
  LANE_BYTES = 4,
  L1_USUAL = 32 << 10,
  L2_USUAL = 256 << 10,
  THREADS_USUAL = 1024,
  TITLE_MOST = 64,
  SLUG_MOST = 40 /* of a model's name, in the name of a folder of tables */
};

static const struct {
  const char *name;
  int bytes;
  const char *tables; /* what a folder of tables begins with; NULL: there is none */
  int rows;           /* of two vectors that a thread holds in registers; 0: as many as is usual */
  const char *features; /* what codelets may ask for by name */
} vectors[] = {
    [HOST_NO_VECTORS] = {"CPU of unknown vectors", 16, NULL, 0, ""},
    [HOST_SSE2] = {"x86-64 with SSE2", 16, "sse2", 0, "features: [sse2]\n"},
    [HOST_NEON] = {"Arm with NEON", 16, "neon", 12, "features: [neon]\n"},
    [HOST_AVX2] = {"x86-64 with AVX2", 32, "avx2", 0, "features: [sse2, avx2, fma]\n"},
    [HOST_AVX512] = {"x86-64 with AVX-512", 64, "avx512", 12,
                     "features: [sse2, avx2, fma, avx512, avx512f, avx512bw, avx512dq, avx512vl]\n"},
};

static const char levels[] =
    "levels:\n"
    "  - name: process\n"
    "    letter: P\n"
    "    subordinate: thread\n"
    "    sync: [barrier/join, chained]\n"
    "    prefer: adjacent\n"
    "    realised: host\n"
    "    width: {min: 1, max: %d, default: %d}\n"
    "  - name: thread\n"
    "    letter: T\n"
    "    capability: [vector]\n"
    "    subordinate: lane\n"
    "    sync: [lockstep]\n"
    "    prefer: strided\n"
    "    realised: thread\n"
    "    width: {min: %d, max: %d, default: %d, multiple: %d}\n"
    "  - name: lane\n"
    "    letter: L\n"
    "    capability: [scalar]\n"
    "    subordinate: ilp\n"
    "    sync: [close loop]\n"
    "    prefer: strided\n"
    "    realised: simd\n"
    "    width: {min: 1, max: 16, default: 4}\n"
    "  - name: ilp\n"
    "    letter: I\n"
    "    capability: [scalar]\n"
    "    realised: slots\n\n"
    "instructions: [shuffle]\n%s\n";

static const char *plural(int n) { return n == 1 ? "" : "s"; }

/* As many words of the model as fit, and a comma; nothing when none does. */
static const char *model(Arena *a, const char *words, size_t room) {
  size_t n = words ? strlen(words) : 0;
  if (n > room)
    for (n = room; n > 0 && words[n] != ' ';) n--;
  return n ? arena_printf(a, "%.*s, ", (int)n, words) : "";
}

/* "x86-64 with AVX-512 (AMD EPYC, 2 cores)" */
static const char *title(Arena *a, const HostFacts *f, int cores) {
  const char *many = arena_printf(a, "%d core%s", cores, plural(cores)), *name = vectors[f->vectors].name;
  size_t room = TITLE_MOST - strlen(name) - strlen(many) - strlen(" (, )");
  return arena_printf(a, "%s (%s%s)", name, model(a, f->model, room), many);
}

static const char *source(Arena *a, const HostFacts *f, int threads) {
  Buffer b = buffer_new(a);
  buffer_printf(&b, "detected on %.200s: %d hardware thread%s that the process may use",
                f->model ? f->model : "this host",
                threads, plural(threads));
  if (f->quota) buffer_printf(&b, ", by its quota the time of %d", f->quota);
  const char *assumed = f->vectors == HOST_NO_VECTORS ? ", vectors" : "";
  assumed = arena_printf(a, "%s%s%s%s", assumed, f->threads ? "" : ", threads", f->l1_bytes ? "" : ", level-1 cache",
                         f->l2_bytes ? "" : ", level-2 cache");
  if (*assumed) buffer_printf(&b, "; assumed, since nothing tells them: %s", assumed + 2);
  return b.text;
}

/* "amd-epyc-7742": letters and digits of the model, in lower case, without "(R)" and "(TM)". */
static const char *slug(Arena *a, const char *model) {
  Buffer b = buffer_new(a);
  for (const char *s = model; *s && b.length < SLUG_MOST; s++) {
    if (*s == '(') s += strcspn(s, ")");
    if (!*s) break;
    const bool in_word = isalnum((unsigned char)*s);
    if (in_word || (b.length && b.text[b.length - 1] != '-'))
      buffer_printf(&b, "%c", in_word ? tolower((unsigned char)*s) : '-');
  }
  while (b.length && b.text[b.length - 1] == '-') b.text[--b.length] = '\0';
  return b.length ? b.text : NULL;
}

/* The folder of the tables that hold on this host, as a line: of a model, its vectors, its number of hardware threads
 * and the caches of a core, since virtual machines give all CPUs of a maker the same name. "" where one is not
 * known. */
static const char *tables(Arena *a, const HostFacts *f, int threads) {
  const char *name = f->model ? slug(a, f->model) : NULL;
  if (!name || !f->threads || !f->l1_bytes || !f->l2_bytes || !vectors[f->vectors].tables) return "";
  return arena_printf(a, "tables: %s-%s-%d-l1-%lldk-l2-%lldk\n", vectors[f->vectors].tables, name, threads,
                      (long long)f->l1_bytes >> 10, (long long)f->l2_bytes >> 10);
}

static int64_t at_least(int64_t value, int64_t floor) { return value < floor ? floor : value; }

const char *host_spec(Arena *a, const HostFacts *f) {
  int threads = f->threads > 0 ? f->threads : 1, cores = f->cores > 0 && f->cores <= threads ? f->cores : threads;
  int bytes = vectors[f->vectors].bytes, lanes = bytes / LANE_BYTES;
  int64_t l1 = f->l1_bytes ? f->l1_bytes : L1_USUAL, l2 = at_least(f->l2_bytes ? f->l2_bytes : L2_USUAL, l1);
  int64_t l3 = f->l3_bytes ? at_least(f->l3_bytes, l2) : 0;
  Buffer b = buffer_new(a);
  buffer_printf(&b, "# The machine that tgc ran on, as it found it.\nname: cpu\ntitle: \"%s\"\nfamily: cpu\n"
                "%s%svector_width: %d\n\n", title(a, f, cores), f->tune ? arena_printf(a, "tune: %s\n", f->tune) : "",
                tables(a, f, threads), lanes);
  buffer_printf(&b, levels, threads > THREADS_USUAL ? threads : THREADS_USUAL, threads, lanes, lanes, lanes, lanes,
                vectors[f->vectors].features);
  buffer_printf(&b, "limits:\n  cores: %d\n  l1_bytes: %lld\n  l2_bytes: %lld\n  l3_bytes: %lld\n"
                "  vector_bytes: %d\n\n", cores, (long long)l1, (long long)l2, (long long)l3, bytes);
  const int rows = vectors[f->vectors].rows;
  enum { RAGGED = 8 }; /* where compilers gather */
  if (rows) buffer_printf(&b, "measured:\n  tile_rows: %d\n", rows);
  if (rows && f->tune) buffer_printf(&b, "  ragged_part: %d\n", RAGGED);
  if (rows) buffer_puts(&b, "\n");
  buffer_printf(&b, "source: \"%s\"\n", source(a, f, threads));
  return b.text;
}

Arch *host_arch(Arena *a, const HostFacts *f, Diagnostics *d) {
  const char *text = host_spec(a, f);
  SourceFile *s = arena_one(a, SourceFile);
  *s = (SourceFile){.path = "cpu.yaml", .text = text, .size = strlen(text)};
  Arch *m = arch_parse(a, s, d);
  if (m) m->detected = text;
  return m;
}
