/* A failed call of a library is told in words; another thread's is not.
 *
 * variant: -DSHORTCUTS=0
 * variant: -DSHORTCUTS=1
 * mutant: no words: STD(vsnprintf)(failure.text, sizeof failure.text, format, arguments); =>
 * mutant: of all threads: static OF_THREAD struct => static struct
 * mutant: of another error: error == failure.error ? failure.text => true ? failure.text
 * mutant: too small a workspace: bytes < need => bytes > need
 * mutant: nobody knows of it: #pragma omp atomic write\n  any_failed = 1; => any_failed = 0;
 */
#include "errors.h"

#include <omp.h>

#include "cpu_test.h"

ERROR NAME(arguments)(const char *who, const void *workspace, const size_t *workspace_bytes, uint64_t n, const void *in,
                      size_t in_aligned, const void *out, size_t out_aligned) {
  (void)n, (void)in_aligned, (void)out_aligned, (void)workspace_bytes;
  return workspace && lies_at(in, 4) && lies_at(out, 4) ? 0 : NAME(failed)(EINVAL, "%s: no workspace", who);
}

bool test(void) {
  bool of[2] = {true, true};
  #pragma omp parallel num_threads(2)
  {
    const int thread = omp_get_thread_num();
    if (thread == 0) NAME(arguments)("example", NULL, NULL, 1, NULL, 1, NULL, 1);
    #pragma omp barrier
    of[thread] = strcmp(NAME(error_text)(EINVAL), thread == 0 ? "example: no workspace" : strerror(EINVAL)) == 0;
  }
  bool right = of[0] && of[1];
#if SHORTCUTS
  right &= has_failed();
#endif
  NAME(refused)("example", EIO, 7, "", 3, 5);
  right &= strstr(NAME(error_text)(EIO), "3 bytes") != NULL;
  return right && strcmp(NAME(error_text)(EINVAL), strerror(EINVAL)) == 0 && !lies_at((char *)16 + 2, 4);
}
