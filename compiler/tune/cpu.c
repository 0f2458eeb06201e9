/* cpu.c: what tuning on a CPU has of its own: texts are C's, with OpenMP. */
#include <inttypes.h>
#include <string.h>

#include "support/hash.h"
#include "tune/tune.h"

Words cpu_worker_command(Arena *a, const BuildOptions *o, const Folder *f, const char *to) {
  Words w = {0};
  PUSH(a, &w, o->cxx, "-std=gnu++17", "-O2", "-ffp-contract=off", "-fopenmp", arena_printf(a, "-I%s", f->dir),
       arena_printf(a, "-I%s", o->runtime), "-o", to);
  if (strcmp(f->operation, "user") == 0) /* what `tgc check' has of structs (runtime/measure/own.h) */
    PUSH(a, &w, "-DTGC_NATIVE", arena_printf(a, "-I%s/simt", o->runtime),
         arena_printf(a, "-I%s/simt/include", o->runtime));
  return w;
}

/* As the folder's own CMakeLists.txt has them compiled. */
Words cpu_variant_command(Arena *a, const BuildOptions *o, const Folder *f, const char *to) {
  const bool is_c = strcmp(f->suffix, "c") == 0;
  Words w = {0};
  PUSH(a, &w, is_c ? o->cc : o->cxx, is_c ? "-std=gnu11" : "-std=gnu++17", "-O3", "-ffp-contract=off", "-fwrapv",
       "-fopenmp");
  for (const char *s = o->options; *(s += strspn(s, " ")); s += strcspn(s, " "))
    vec_push(a, &w, arena_strndup(a, s, strcspn(s, " ")));
  PUSH(a, &w, "-o", to);
  return w;
}

const char *cpu_target(Arena *a, const BuildOptions *o, const DeviceInfo *device) {
  uint64_t hash = HASH_START;
  const char *const all[] = {o->cc, o->cxx, o->options, device->name, device->toolkit};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) hash = hash_text(hash, all[i]);
  return arena_printf(a, "cpu-%016" PRIx64, hash);
}
