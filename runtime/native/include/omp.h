/* omp.h: the part of OpenMP's own header that variants and their libraries call (../openmp.h). */
#ifndef TGC_NATIVE_OMP_H
#define TGC_NATIVE_OMP_H

#ifdef __cplusplus
extern "C" {
#endif

int omp_get_thread_num(void);
int omp_get_num_threads(void);
int omp_get_max_threads(void);
int omp_get_num_procs(void);
int omp_in_parallel(void);

#ifdef __cplusplus
}
#endif

#endif
