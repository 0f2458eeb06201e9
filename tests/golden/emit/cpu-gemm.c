// gemm, variant 942b1c5d: process.tiled(thread.tiled!packed(lane.panels/loop(lane.serial)))
// Made by tgc from gemm.cdl for avx2; this text is yours.
//
// baseline, 1 kernel, determinism run_to_run: each element is computed by itself, in order; products and sums are one operation where the CPU has it
// batch-invariant: each element is computed by itself
//
//   process: regroups by `tiled', over its threads (P3)
//     each part: thread: regroups by `tiled', over its lanes (T3)
//       each part, its panels packed: lane: regroups by `panels', over its iterations of a loop (L5s)
//         each part: lane: computes by `serial' (L2)
//
// codelets
//   tiled        gemm.cdl:24
//   panels       gemm.cdl:48
//   serial       gemm.cdl:13
#ifndef TYPE

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#else
#define omp_get_num_procs() 1
#define omp_get_max_threads() 1
#endif
#include <stdalign.h>

// Loops that copy stay loops: what GCC copies by itself goes by halves of a vector, and whoever reads the whole
// waits for them. Nobody asks for errno after a root.
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("no-tree-loop-distribute-patterns", "no-math-errno")
#endif

// The configurations that are compiled, C(threads, tile_n, tile_m, tile_k); the first is the variant's own.
//   threads: lanes per vector, 8
//   tile_n: columns of a tile, 128, 256, 512, 1024 or 2048
//   tile_m: rows of a tile, 48, 96, 192 or 384
//   tile_k: elements of a panel, 64, 128, 192, 256, 320 or 384
#ifndef GEMM_942B1C5D_CONFIGURATIONS
#define GEMM_942B1C5D_CONFIGURATIONS(C) C(8, 1024, 192, 320) C(8, 1024, 384, 320)
#endif

#ifndef GEMM_CONFIGURATION
#define GEMM_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct gemm_configuration {
  int threads, loads;
  int64_t blocks;
  int tile_k, tile_m, tile_n;
} gemm_configuration;
#endif

typedef long long Index; // sizes and positions
enum { threads = 8 }; // lanes per vector

static inline Index min_index(Index x, Index y) { return x < y ? x : y; }

static inline Index max_index(Index x, Index y) { return x > y ? x : y; }

#ifndef CGROUP
#define CGROUP "/sys/fs/cgroup"
#endif
// A file's first numbers; how many are there.
static int numbers(const char *path, long long *first, long long *second) {
  FILE *file = fopen(path, "r");
  const int found = file ? fscanf(file, "%lld %lld", first, second) : 0;
  if (file) fclose(file);
  return found;
}

// How many processors' time a container may use, a part of one counted as one.
static int quota(void) {
  long long time = 0, period = 0, none;
  if (numbers(CGROUP "/cpu.max", &time, &period) != 2) {
    numbers(CGROUP "/cpu/cpu.cfs_quota_us", &time, &none);
    numbers(CGROUP "/cpu/cpu.cfs_period_us", &period, &none);
  }
  if (time <= 0 || period <= 0 || time / period >= INT_MAX) return INT_MAX; // as many as there are
  return (int)(time / period) + (time % period > 0);
}

// How many processors there are to use; it is asked for once.
static inline int processors(void) {
  static int known;
  int many;
  #pragma omp atomic read
  many = known;
  if (many == 0) {
    const int allowed = quota();
    many = omp_get_num_procs();
    if (many > allowed) many = allowed;
    #pragma omp atomic write
    known = many;
  }
  return many;
}

// How many threads do the work of so many: as many as OpenMP is told to have.
static inline int at_once(Index workers) {
  return workers < omp_get_max_threads() ? (int)workers : omp_get_max_threads();
}

// A function of its own: compilers know of its arrays that they do not overlap, and keep in registers what they can.
#ifdef __GNUC__
#define APART __attribute__((noinline))
#else
#define APART
#endif

// x * y + z, rounded once where the machine has an instruction for it.
#define FUSED_NOT(x, y, z) ((x) * (y) + (z))
#if (defined __GNUC__ || defined __clang__) && (defined __FMA__ || defined __ARM_FEATURE_FMA)
#define FUSED_FLOAT __builtin_fmaf
#define FUSED_DOUBLE __builtin_fma
#else
#define FUSED_FLOAT FUSED_NOT
#define FUSED_DOUBLE FUSED_NOT
#endif

// What follows is included for each type, and for each value of tile_n, tile_m, tile_k that a configuration has:
// OF(name) is a function's name there.
#define JOIN_(x, y) x##_##y
#define JOIN(x, y) JOIN_(x, y)
#define JOIN3(x, y, z) JOIN(JOIN(x, y), z)
#define OF(name) JOIN(JOIN(JOIN3(name, TYPE, tile_n), tile_m), tile_k)
#define HAS_128(THREADS, TILE_N, TILE_M, TILE_K) || TILE_N == 128
#define HAS_256(THREADS, TILE_N, TILE_M, TILE_K) || TILE_N == 256
#define HAS_512(THREADS, TILE_N, TILE_M, TILE_K) || TILE_N == 512
#define HAS_1024(THREADS, TILE_N, TILE_M, TILE_K) || TILE_N == 1024
#define HAS_2048(THREADS, TILE_N, TILE_M, TILE_K) || TILE_N == 2048
#define HAS_TILE_M_48(THREADS, TILE_N, TILE_M, TILE_K) || (TILE_N == tile_n && TILE_M == 48)
#define HAS_TILE_M_96(THREADS, TILE_N, TILE_M, TILE_K) || (TILE_N == tile_n && TILE_M == 96)
#define HAS_TILE_M_192(THREADS, TILE_N, TILE_M, TILE_K) || (TILE_N == tile_n && TILE_M == 192)
#define HAS_TILE_M_384(THREADS, TILE_N, TILE_M, TILE_K) || (TILE_N == tile_n && TILE_M == 384)
#define HAS_TILE_K_64(THREADS, TILE_N, TILE_M, TILE_K) || (TILE_N == tile_n && TILE_M == tile_m && TILE_K == 64)
#define HAS_TILE_K_128(THREADS, TILE_N, TILE_M, TILE_K) || (TILE_N == tile_n && TILE_M == tile_m && TILE_K == 128)
#define HAS_TILE_K_192(THREADS, TILE_N, TILE_M, TILE_K) || (TILE_N == tile_n && TILE_M == tile_m && TILE_K == 192)
#define HAS_TILE_K_256(THREADS, TILE_N, TILE_M, TILE_K) || (TILE_N == tile_n && TILE_M == tile_m && TILE_K == 256)
#define HAS_TILE_K_320(THREADS, TILE_N, TILE_M, TILE_K) || (TILE_N == tile_n && TILE_M == tile_m && TILE_K == 320)
#define HAS_TILE_K_384(THREADS, TILE_N, TILE_M, TILE_K) || (TILE_N == tile_n && TILE_M == tile_m && TILE_K == 384)

#define TYPE float
#define T float
#define FUSED FUSED_FLOAT
#include "942b1c5d.c"
#undef TYPE
#undef T
#undef FUSED

int gemm_942b1c5d_float(const gemm_configuration *c, void *workspace, size_t *workspace_bytes, const float *A, uint64_t rows, uint64_t columns, uint64_t leading, const float *B, uint64_t B_columns, uint64_t B_leading, float *C, uint64_t C_leading) {
  return configured_float(c, workspace, workspace_bytes, A, (Index)rows, (Index)columns, (Index)leading, B, (Index)B_columns, (Index)B_leading, C, (Index)C_leading);
}

typedef int gemm_float_work(int64_t blocks, const float *A, uint64_t rows, uint64_t columns, uint64_t leading, const float *B, uint64_t B_columns, uint64_t B_leading, float *C, uint64_t C_leading);
// The work alone, in a configuration that was compiled; else NULL.
gemm_float_work *gemm_942b1c5d_float_work(const gemm_configuration *c) {
  if (c->threads && c->threads != threads) return NULL;
  if (c->blocks < 0 || c->blocks > 2147483647) return NULL;
#define WORK(THREADS, TILE_N, TILE_M, TILE_K) if ((c->tile_n == 0 || c->tile_n == TILE_N) && (c->tile_m == 0 || c->tile_m == TILE_M) && (c->tile_k == 0 || c->tile_k == TILE_K)) return JOIN(JOIN(JOIN3(alone, float, TILE_N), TILE_M), TILE_K);
  GEMM_942B1C5D_CONFIGURATIONS(WORK)
#undef WORK
  return NULL;
}

#define TYPE double
#define T double
#define FUSED FUSED_DOUBLE
#include "942b1c5d.c"
#undef TYPE
#undef T
#undef FUSED

int gemm_942b1c5d_double(const gemm_configuration *c, void *workspace, size_t *workspace_bytes, const double *A, uint64_t rows, uint64_t columns, uint64_t leading, const double *B, uint64_t B_columns, uint64_t B_leading, double *C, uint64_t C_leading) {
  return configured_double(c, workspace, workspace_bytes, A, (Index)rows, (Index)columns, (Index)leading, B, (Index)B_columns, (Index)B_leading, C, (Index)C_leading);
}

typedef int gemm_double_work(int64_t blocks, const double *A, uint64_t rows, uint64_t columns, uint64_t leading, const double *B, uint64_t B_columns, uint64_t B_leading, double *C, uint64_t C_leading);
// The work alone, in a configuration that was compiled; else NULL.
gemm_double_work *gemm_942b1c5d_double_work(const gemm_configuration *c) {
  if (c->threads && c->threads != threads) return NULL;
  if (c->blocks < 0 || c->blocks > 2147483647) return NULL;
#define WORK(THREADS, TILE_N, TILE_M, TILE_K) if ((c->tile_n == 0 || c->tile_n == TILE_N) && (c->tile_m == 0 || c->tile_m == TILE_M) && (c->tile_k == 0 || c->tile_k == TILE_K)) return JOIN(JOIN(JOIN3(alone, double, TILE_N), TILE_M), TILE_K);
  GEMM_942B1C5D_CONFIGURATIONS(WORK)
#undef WORK
  return NULL;
}

#define ROW(THREADS, TILE_N, TILE_M, TILE_K) {THREADS, 0, 1024, TILE_K, TILE_M, TILE_N},
// Those that were compiled; zeros end them.
extern const gemm_configuration gemm_942b1c5d_configurations[];
const gemm_configuration gemm_942b1c5d_configurations[] = {GEMM_942B1C5D_CONFIGURATIONS(ROW) {0, 0, 0, 0, 0, 0}};
#undef ROW

#elif !defined tile_n // one type

#if 0 GEMM_942B1C5D_CONFIGURATIONS(HAS_128)
#define tile_n 128
#include "942b1c5d.c"
#undef tile_n
#endif
#if 0 GEMM_942B1C5D_CONFIGURATIONS(HAS_256)
#define tile_n 256
#include "942b1c5d.c"
#undef tile_n
#endif
#if 0 GEMM_942B1C5D_CONFIGURATIONS(HAS_512)
#define tile_n 512
#include "942b1c5d.c"
#undef tile_n
#endif
#if 0 GEMM_942B1C5D_CONFIGURATIONS(HAS_1024)
#define tile_n 1024
#include "942b1c5d.c"
#undef tile_n
#endif
#if 0 GEMM_942B1C5D_CONFIGURATIONS(HAS_2048)
#define tile_n 2048
#include "942b1c5d.c"
#undef tile_n
#endif

// The same in the configuration c; NULL: the variant's own.
static int JOIN(configured, TYPE)(const gemm_configuration *c, void *workspace, size_t *workspace_bytes, const T *A, Index rows, Index columns, Index leading, const T *B, Index B_columns, Index B_leading, T *C, Index C_leading) {
  const gemm_configuration own = {0, 0, 0, 0, 0, 0};
  if (c == NULL) c = &own;
  if (c->threads && c->threads != threads) return ENOTSUP;
  if (c->blocks < 0 || c->blocks > 2147483647) return ENOTSUP; // maximum number of threads, 1 to 2147483647
  const Index blocks = c->blocks ? c->blocks : processors();
#define RUN(THREADS, TILE_N, TILE_M, TILE_K) if ((c->tile_n == 0 || c->tile_n == TILE_N) && (c->tile_m == 0 || c->tile_m == TILE_M) && (c->tile_k == 0 || c->tile_k == TILE_K)) return JOIN(JOIN(JOIN3(run, TYPE, TILE_N), TILE_M), TILE_K)(blocks, workspace, workspace_bytes, A, rows, columns, leading, B, B_columns, B_leading, C, C_leading);
  GEMM_942B1C5D_CONFIGURATIONS(RUN)
#undef RUN
  return ENOTSUP;
}

#elif !defined tile_m // one type

#if 0 GEMM_942B1C5D_CONFIGURATIONS(HAS_TILE_M_48)
#define tile_m 48
#include "942b1c5d.c"
#undef tile_m
#endif
#if 0 GEMM_942B1C5D_CONFIGURATIONS(HAS_TILE_M_96)
#define tile_m 96
#include "942b1c5d.c"
#undef tile_m
#endif
#if 0 GEMM_942B1C5D_CONFIGURATIONS(HAS_TILE_M_192)
#define tile_m 192
#include "942b1c5d.c"
#undef tile_m
#endif
#if 0 GEMM_942B1C5D_CONFIGURATIONS(HAS_TILE_M_384)
#define tile_m 384
#include "942b1c5d.c"
#undef tile_m
#endif

#elif !defined tile_k // one type

#if 0 GEMM_942B1C5D_CONFIGURATIONS(HAS_TILE_K_64)
#define tile_k 64
#include "942b1c5d.c"
#undef tile_k
#endif
#if 0 GEMM_942B1C5D_CONFIGURATIONS(HAS_TILE_K_128)
#define tile_k 128
#include "942b1c5d.c"
#undef tile_k
#endif
#if 0 GEMM_942B1C5D_CONFIGURATIONS(HAS_TILE_K_192)
#define tile_k 192
#include "942b1c5d.c"
#undef tile_k
#endif
#if 0 GEMM_942B1C5D_CONFIGURATIONS(HAS_TILE_K_256)
#define tile_k 256
#include "942b1c5d.c"
#undef tile_k
#endif
#if 0 GEMM_942B1C5D_CONFIGURATIONS(HAS_TILE_K_320)
#define tile_k 320
#include "942b1c5d.c"
#undef tile_k
#endif
#if 0 GEMM_942B1C5D_CONFIGURATIONS(HAS_TILE_K_384)
#define tile_k 384
#include "942b1c5d.c"
#undef tile_k
#endif

#else // one type, one value of each

// Each thread processes its part.
static APART void OF(gemm_threads)(Index thread, Index q, Index m_tile, Index rows, Index leading, Index n_tile, Index B_columns, Index C_leading, Index columns, T *restrict A_tile, const T *restrict A, T *restrict B_tile, const T *restrict B, Index B_leading, T *restrict C) {
  enum { m_each = 6 };
  enum { n_each = 16 / (int)sizeof(T) / 2 };
  enum { n_all = n_each * 8 };
  // process > thread: tiled (gemm.cdl:24), one part per thread
  const Index m_begin = min_index(thread / q * m_tile, rows);
  const Index m_size = min_index(m_tile, rows - m_begin);
  const Index A_begin = m_begin * leading;
  const Index n_begin = min_index(thread % q * n_tile, B_columns);
  const Index n_size = min_index(n_tile, B_columns - n_begin);
  const Index C_begin = m_begin * C_leading + n_begin;
  // thread > lane: tiled (gemm.cdl:24), rectangles of a vector; serial (gemm.cdl:13)
  for (Index k = 0; k < ((columns + tile_k - 1) / tile_k); ++k) {
    // lane: panels (gemm.cdl:48), one part after another
    const Index k_begin = k * tile_k;
    const Index k_size = min_index((Index)tile_k, columns - k_begin);
    for (Index m = 0; m < m_size; m += m_each) {
      for (int e = 0; e < m_each; ++e) {
        for (Index k2 = 0; k2 < k_size; ++k2)
          A_tile[m * tile_k + k2 * m_each + e] = A[A_begin + (k_begin + k2) + min_index(m + e, m_size - 1) * leading];
      }
    }
    for (Index n2 = 0; n2 < n_size; n2 += n_each * 8) {
      if (n2 + (Index)n_all <= n_size) {
        for (Index k2 = 0; k2 < k_size; ++k2) {
          for (int j = 0; j < n_each; ++j) {
            #pragma omp simd
            for (int lane = 0; lane < 8; ++lane)
              B_tile[k2 * n_all + (j * 8 + lane)] = B[n_begin + (k_begin + k2) * B_leading + (n2 + (j * 8 + lane))];
          }
        }
      }
      else {
        for (Index k2 = 0; k2 < k_size; ++k2) {
          for (int j = 0; j < n_each; ++j) {
            const T last = B[n_begin + (k_begin + k2) * B_leading + (n_size - 1)];
            #pragma omp simd
            for (int lane = 0; lane < 8; ++lane)
              B_tile[k2 * n_all + (j * 8 + lane)] = n2 + (j * 8 + lane) < n_size ? B[n_begin + (k_begin + k2) * B_leading + (n2 + (j * 8 + lane))] : last;
          }
        }
      }
      for (Index m2 = 0; m2 < m_size; m2 += m_each) {
        T C_held[m_each * n_each * 8];
        if (m2 + (Index)m_each <= m_size && (n2 + (Index)n_all <= n_size)) {
          for (int i = 0; i < m_each; ++i) {
            for (int j = 0; j < n_each; ++j) {
              #pragma omp simd
              for (int lane = 0; lane < 8; ++lane)
                C_held[(i * n_each + j) * 8 + lane] = C[C_begin + ((m2 + (Index)i) * C_leading + (n2 + (Index)(j * 8 + lane)))];
            }
          }
        }
        else {
          for (int i = 0; i < m_each; ++i) {
            for (int j = 0; j < n_each; ++j) {
              #pragma omp simd
              for (int lane = 0; lane < 8; ++lane)
                C_held[(i * n_each + j) * 8 + lane] = (m2 + (Index)i < m_size && (n2 + (Index)(j * 8 + lane) < n_size)) ? C[C_begin + ((m2 + (Index)i) * C_leading + (n2 + (Index)(j * 8 + lane)))] : (T)0;
            }
          }
        }
        for (Index k2 = 0; k2 < k_size; ++k2) {
          for (int i = 0; i < m_each; ++i) {
            for (int j = 0; j < n_each; ++j) {
              #pragma omp simd
              for (int lane = 0; lane < 8; ++lane)
                C_held[(i * n_each + j) * 8 + lane] = FUSED(A_tile[m2 * tile_k + (i + k2 * m_each)], B_tile[k2 * n_all + (j * 8 + lane)], C_held[(i * n_each + j) * 8 + lane]);
            }
          }
        }
        if (m2 + (Index)m_each <= m_size && (n2 + (Index)n_all <= n_size)) {
          for (int i = 0; i < m_each; ++i) {
            for (int j = 0; j < n_each; ++j) {
              #pragma omp simd
              for (int lane = 0; lane < 8; ++lane)
                C[C_begin + ((m2 + (Index)i) * C_leading + (n2 + (Index)(j * 8 + lane)))] = C_held[(i * n_each + j) * 8 + lane];
            }
          }
        }
        else {
          for (int i = 0; i < m_each; ++i) {
            for (int j = 0; j < n_each; ++j) {
              #pragma omp simd
              for (int lane = 0; lane < 8; ++lane) {
                if (m2 + (Index)i < m_size && (n2 + (Index)(j * 8 + lane) < n_size))
                  C[C_begin + ((m2 + (Index)i) * C_leading + (n2 + (Index)(j * 8 + lane)))] = C_held[(i * n_each + j) * 8 + lane];
              }
            }
          }
        }
      }
    }
  }
}

static int OF(work)(Index blocks, const T *A, Index rows, Index columns, Index leading, const T *B, Index B_columns, Index B_leading, T *C, Index C_leading) {
  // process > thread: tiled (gemm.cdl:24), one part per thread
  const Index takers = min_index(max_index(min_index(rows * B_columns / 1024, 1073741824) * min_index(columns, 1073741824) / 2048, 1), blocks);
  const Index n_rectangle = 16 / (int)sizeof(T) / 2 * 8;
  const Index n_parts = max_index((B_columns + tile_n - 1) / tile_n, 1);
  const Index n_even = max_index(n_parts == 1 ? B_columns : (B_columns + n_parts - 1) / n_parts, 1);
  const Index n_tile = (n_even + n_rectangle - 1) / n_rectangle * n_rectangle;
  const Index q = n_parts == 1 ? min_index(B_columns, 1) : (B_columns + n_tile - 1) / n_tile;
  const Index m_rectangle = 6;
  const Index fewest = max_index((rows + tile_m - 1) / tile_m, 1);
  const Index turns = takers == 1 ? fewest * q : (fewest * q + takers - 1) / takers;
  const Index wanted = max_index(q, 1) == 1 ? turns * takers : (turns * takers + max_index(q, 1) - 1) / max_index(q, 1);
  const Index m_parts = max_index(fewest, min_index(wanted, (rows + m_rectangle * 4 - 1) / (m_rectangle * 4)));
  const Index m_even = max_index(m_parts == 1 ? rows : (rows + m_parts - 1) / m_parts, 1);
  const Index m_tile = (m_even + m_rectangle - 1) / m_rectangle * m_rectangle;
  const Index p = m_parts == 1 ? min_index(rows, 1) : (rows + m_tile - 1) / m_tile;
  const Index tiles = p * q;
  if (tiles > 2147483647)
    return EINVAL;
  if (tiles > 0) {
    const int team = at_once(takers);
    if (team == 1) {
      alignas(64) T A_tile[(tile_m + 6 - 1) / 6 * (6 * tile_k)];
      alignas(64) T B_tile[16 / (int)sizeof(T) / 2 * threads * tile_k];
      for (Index thread = 0; thread < tiles; ++thread)
        OF(gemm_threads)(thread, q, m_tile, rows, leading, n_tile, B_columns, C_leading, columns, A_tile, A, B_tile, B, B_leading, C);
    }
    else {
      Index next_part = 0; // the first part that no thread has taken
      #pragma omp parallel num_threads(team)
      {
        alignas(64) T A_tile[(tile_m + 6 - 1) / 6 * (6 * tile_k)];
        alignas(64) T B_tile[16 / (int)sizeof(T) / 2 * threads * tile_k];
        for (;;) {
          Index thread;
          #pragma omp atomic capture
          thread = next_part++;
          if (thread >= tiles) break;
          OF(gemm_threads)(thread, q, m_tile, rows, leading, n_tile, B_columns, C_leading, columns, A_tile, A, B_tile, B, B_leading, C);
        }
      }
    }
  }
  return 0;
}

// The same for who has checked what it is given.
static int OF(alone)(int64_t blocks, const T *A, uint64_t rows, uint64_t columns, uint64_t leading, const T *B, uint64_t B_columns, uint64_t B_leading, T *C, uint64_t C_leading) {
  return OF(work)(blocks ? (Index)blocks : processors(), A, (Index)rows, (Index)columns, (Index)leading, B, (Index)B_columns, (Index)B_leading, C, (Index)C_leading);
}

// With no workspace: says how many bytes one needs. With one: does the work.
static int OF(run)(Index blocks, void *workspace, size_t *workspace_bytes, const T *A, Index rows, Index columns, Index leading, const T *B, Index B_columns, Index B_leading, T *C, Index C_leading) {
  static_assert(threads >= 8 && threads <= 8 && threads % 8 == 0, "threads: lanes per vector, 8");
  static_assert(tile_n >= 128 && tile_n <= 2048 && (tile_n == 128 || tile_n == 256 || tile_n == 512 || tile_n == 1024 || tile_n == 2048), "tile_n: columns of a tile, 128, 256, 512, 1024 or 2048");
  static_assert(tile_m >= 48 && tile_m <= 384 && (tile_m == 48 || tile_m == 96 || tile_m == 192 || tile_m == 384), "tile_m: rows of a tile, 48, 96, 192 or 384");
  static_assert(tile_k >= 64 && tile_k <= 384 && (tile_k == 64 || tile_k == 128 || tile_k == 192 || tile_k == 256 || tile_k == 320 || tile_k == 384), "tile_k: elements of a panel, 64, 128, 192, 256, 320 or 384");
  if (rows < 0 || rows > PTRDIFF_MAX / 2 || columns < 0 || columns > PTRDIFF_MAX / 2 || leading < 0 || leading > PTRDIFF_MAX / 2 || B_columns < 0 || B_columns > PTRDIFF_MAX / 2 || B_leading < 0 || B_leading > PTRDIFF_MAX / 2 || C_leading < 0 || C_leading > PTRDIFF_MAX / 2 || workspace_bytes == NULL) return EINVAL;
  const size_t need = 1; // none, but never zero
  if (workspace == NULL) {
    *workspace_bytes = need;
    return 0;
  }
  if (*workspace_bytes < need) return EINVAL;
  return OF(work)(blocks, A, rows, columns, leading, B, B_columns, B_leading, C, C_leading);
}

#endif
