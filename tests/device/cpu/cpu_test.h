/* cpu_test.h: what the tests of runtime/cpu have in common: each defines test(), which cpu_main.cc calls with many seeds: the
 * orders in which threads begin. */
#ifndef TGC_TESTS_DEVICE_CPU_TEST_H
#define TGC_TESTS_DEVICE_CPU_TEST_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C"
#endif
bool test(void); /* Were the results right? */

#endif
