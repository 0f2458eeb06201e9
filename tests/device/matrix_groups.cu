// Two groups of warps multiply 128 x K by K x 64 halves, panel after panel of 64 in four buffers, two ahead of the one at hand,
// which come by boxes, or by lanes where the rows of memory do not begin at multiples of 16 bytes: both matrices by rows and by
// columns, as a plain product says, which knows nothing of layouts.
//
// mutant: copies of half a panel: simt::open_panels(copies) => simt::open_panels(copies - 1)
// mutant: the wrong buffer: simt::copy_by_boxes(to, boxes, x, y, buffer, => simt::copy_by_boxes(to, boxes, x, y, (buffer + 1) % 4,
// mutant: x and y: simt::copy_by_boxes(to, boxes, x, y, => simt::copy_by_boxes(to, boxes, y, x,
// mutant: nobody waits for boxes: if (boxes) simt::await_panel(panel % buffers, panel / buffers); => if (boxes) ;
// mutant: the first panels: simt::await_panel(panel % buffers, panel / buffers) => simt::await_panel(panel % buffers, 0)
// mutant: no fence of copies: else simt::fence_copies(); => else ;
// mutant: what does not exist: simt::copy_chunk(to, from, exist) => simt::copy_chunk(to, from, 8)
// mutant: no fence of products: simt::open_products(); => ;
// mutant: nobody waits for products: simt::await_products(groups) => simt::await_products(groups + 1)
// mutant: another order: simt::multiply_group<columns, along_a, along_b> => simt::multiply_group<columns, along_b, along_a>
// mutant: not swizzled: (x % 64 / 8 ^ y % 8) => (x % 64 / 8)
// mutant: boxes over one another: x / 64 * lines + y => y
// mutant: half a pair: atomicAdd(&to[1], from[1]); =>
// mutant: a pair of one: atomicAdd(&to[1], from[1]) => atomicAdd(&to[1], from[0])
#include <cuda_fp16.h>

#include "device_test.h"

#define COPIES 1
#define MULTIPLY 1
#define ELEMENT __half
#define SUM float
#define INSTRUCTION
#include "matrix_groups.cuh"

enum { M = 128, N = 64, PANEL = 64, STAGES = 4, THREADS = 256 };

// Small integers, whose sums of products are exact.
static int of_a(int i, int k) { return (i * 7 + k * 5) % 11 - 5; }
static int of_b(int k, int j) { return (k * 3 + j * 13) % 7 - 3; }

template <bool along_a, bool along_b, bool boxes>
__global__ void product(const __grid_constant__ Boxes A_boxes, const __grid_constant__ Boxes B_boxes, const __half *A, int A_apart,
                        const __half *B, int B_apart, int K, float *C) {
  __shared__ __align__(1024) __half a[STAGES * M * PANEL];
  __shared__ __align__(1024) __half b[STAGES * PANEL * N];
  const int thread = threadIdx.x, group = thread / 128;
  const int panels = (K + PANEL - 1) / PANEL;
  float held[N / 2] = {};
  const auto ahead = [&](int panel) {
    __half *to_a = &a[panel % STAGES * M * PANEL], *to_b = &b[panel % STAGES * PANEL * N];
    const int k = panel * PANEL;
    if (boxes) {
      if (panel >= panels) return;
      copy_panel(to_a, A_boxes, along_a ? k : 0, along_a ? 0 : k, panel % STAGES, along_a ? PANEL : M, along_a ? M : PANEL);
      copy_panel(to_b, B_boxes, along_b ? k : 0, along_b ? 0 : k, panel % STAGES, along_b ? PANEL : N, along_b ? N : PANEL);
      return;
    }
    for (int e = 8 * thread; e < M * PANEL; e += 8 * THREADS) {
      const int x = e % (along_a ? PANEL : M), y = e / (along_a ? PANEL : M), left = K - k;
      copy_chunk(&to_a[in_boxes(x, y, along_a ? M : PANEL)], &A[(along_a ? y : k + y) * A_apart + (along_a ? k + x : x)],
                 along_a ? left - x : y < left ? M - x : 0);
    }
    for (int e = 8 * thread; e < N * PANEL; e += 8 * THREADS) {
      const int x = e % (along_b ? PANEL : N), y = e / (along_b ? PANEL : N), left = K - k;
      copy_chunk(&to_b[in_boxes(x, y, along_b ? N : PANEL)], &B[(along_b ? y : k + y) * B_apart + (along_b ? k + x : x)],
                 along_b ? left - x : y < left ? N - x : 0);
    }
  };
  if (boxes) open_panels<STAGES, 2>();
  for (int panel = 0; panel < STAGES - 2; panel++) ahead(panel);
  for (int panel = 0; panel < panels; panel++) {
    await_panel<STAGES, boxes>(panel);
    __syncthreads();
    ahead(panel + STAGES - 2);
    open_products();
    for (int k = 0; k < PANEL; k += 16) {
      const int from_a = along_a ? group * 64 * 64 + k : group * PANEL * 64 + k * 64, from_b = along_b ? k : k * 64;
      multiply_group<N, along_a, along_b>(held, &a[panel % STAGES * M * PANEL + from_a], &b[panel % STAGES * PANEL * N + from_b],
                                          along_a ? M : PANEL, along_b ? N : PANEL);
    }
    await_products<1>();
  }
  await_products<0>();
  const int row = group * 64 + thread / 32 % 4 * 16 + thread % 32 / 4;
  for (int e = 0; e < N / 2; e += 2) {
    float *const to = &C[(row + e / 2 % 2 * 8) * N + e / 4 * 8 + thread % 4 * 2];
    if (e % 4) add_pair(to, &held[e]);
    else store_pair(to, &held[e]);
  }
}

template <bool along_a, bool along_b, bool boxes> bool right(int K) {
  const int odd = boxes ? 0 : 1; // elements between the lines of memory
  const int A_apart = ((along_a ? K : M) + 7) / 8 * 8 + odd, B_apart = ((along_b ? K : N) + 7) / 8 * 8 + odd;
  __half *A = zeroed<__half>((size_t)A_apart * (along_a ? M : K)), *B = zeroed<__half>((size_t)B_apart * (along_b ? N : K));
  float *C = zeroed<float>(M * N);
  for (int k = 0; k < K; k++) {
    for (int i = 0; i < M; i++) A[along_a ? i * A_apart + k : k * A_apart + i] = (__half)(float)of_a(i, k);
    for (int j = 0; j < N; j++) B[along_b ? j * B_apart + k : k * B_apart + j] = (__half)(float)of_b(k, j);
  }
  Boxes A_boxes = {}, B_boxes = {};
  const bool made = make_boxes(&A_boxes, A, along_a ? K : M, along_a ? M : K, A_apart, along_a ? M : PANEL) &&
                    make_boxes(&B_boxes, B, along_b ? K : N, along_b ? N : K, B_apart, along_b ? N : PANEL);
  if (made != boxes) return false;
  if (!launched(product<along_a, along_b, boxes>, 1, THREADS, A_boxes, B_boxes, (const __half *)A, A_apart, (const __half *)B,
                B_apart, K, C))
    return false;
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      int sum = 0;
      for (int k = 0; k < K; k++) sum += of_a(i, k) * of_b(k, j);
      if (C[i * N + j] != (float)sum) return false;
    }
  return true;
}

int main() {
  static int turn;
  return each_seed([] {
    const int K = 1 + 117 * (turn++ % 6); // up to ten panels, in four buffers, the last ones not whole
    switch (turn % 4) {
      case 0: return right<true, true, true>(K) && right<true, false, false>(K);
      case 1: return right<true, false, true>(K) && right<false, true, false>(K);
      case 2: return right<false, true, true>(K) && right<false, false, false>(K);
      default: return right<false, false, true>(K) && right<true, true, false>(K);
    }
  });
}
