// gomp.cc: what gcc makes of OpenMP's pragmas calls these. A pragma that needs another does not link.
#include "openmp.h"

extern "C" {

void GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned) {
  openmp::parallel((int)threads, body, data);
}

void GOMP_barrier(void) { openmp::barrier(); }
bool GOMP_single_start(void) { return openmp::first_here(); }

static void *unnamed, *atomics;
void GOMP_critical_start(void) { openmp::lock(&unnamed); }
void GOMP_critical_end(void) { openmp::unlock(&unnamed); }
void GOMP_critical_name_start(void **name) { openmp::lock(name); }
void GOMP_critical_name_end(void **name) { openmp::unlock(name); }
void GOMP_atomic_start(void) { openmp::lock(&atomics); }
void GOMP_atomic_end(void) { openmp::unlock(&atomics); }

} // extern "C"
