// matrix_groups_product.h: what matrix_groups.cu runs for elements of each size; included beside what it tests, in the same
// namespace.
enum { PANEL = LINE };

template <bool along_a, bool along_b, bool boxes>
__global__ void product(const __grid_constant__ Boxes A_boxes, const __grid_constant__ Boxes B_boxes, const ELEMENT *A, int A_apart,
                        const ELEMENT *B, int B_apart, int K, SUM *C) {
  __shared__ __align__(1024) ELEMENT a[STAGES * M * PANEL];
  __shared__ __align__(1024) ELEMENT b[STAGES * PANEL * N];
  const int thread = threadIdx.x, group = thread / 128;
  const int panels = (K + PANEL - 1) / PANEL;
  SUM held[N / 2] = {};
#if WORDS
  unsigned here[PANEL / 16][8], coming[PANEL / 16][8];
#endif
  const auto ahead = [&](int panel) {
    ELEMENT *to_a = &a[panel % STAGES * M * PANEL], *to_b = &b[panel % STAGES * PANEL * N];
    const int k = panel * PANEL;
    if (boxes) {
      if (panel >= panels) return;
      copy_panel(to_a, A_boxes, along_a ? k : 0, along_a ? 0 : k, panel % STAGES, along_a ? PANEL : M, along_a ? M : PANEL);
      copy_panel(to_b, B_boxes, along_b ? k : 0, along_b ? 0 : k, panel % STAGES, along_b ? PANEL : N, along_b ? N : PANEL);
      return;
    }
    for (int e = CHUNK * thread; e < M * PANEL; e += CHUNK * THREADS) {
      const int x = e % (along_a ? PANEL : M), y = e / (along_a ? PANEL : M), left = K - k;
      copy_chunk(&to_a[in_boxes(x, y, along_a ? M : PANEL)], &A[(along_a ? y : k + y) * A_apart + (along_a ? k + x : x)],
                 along_a ? left - x : y < left ? M - x : 0);
    }
    for (int e = CHUNK * thread; e < N * PANEL; e += CHUNK * THREADS) {
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
    for (int k = 0; k < PANEL; k += DEPTH) {
      const int from_a = along_a ? group * 64 * LINE + k : group * 64 / LINE * PANEL * LINE + k * LINE,
                from_b = along_b ? k : k * LINE;
      const ELEMENT *const at_a = &a[panel % STAGES * M * PANEL + from_a], *const at_b = &b[panel % STAGES * PANEL * N + from_b];
#if WORDS
      if constexpr (!along_a) {
        load_words(coming[k / 16], at_a, PANEL);
        take_words<8>(here[k / 16], coming[k / 16]);
        multiply_group<N, along_a, along_b>(held, here[k / 16], at_b, PANEL, along_b ? N : PANEL);
      } else
#endif
        multiply_group<N, along_a, along_b>(held, at_a, at_b, along_a ? M : PANEL, along_b ? N : PANEL);
    }
    if (WORDS && !along_a) await_products<0>();
    else await_products<1>();
  }
  await_products<0>();
  for (int e = 0; e < N / 2; e += 2) {
    int row = thread / 32 % 4 * 16 + thread % 32 / 4 + e / 2 % 2 * 8;
#if WORDS
    if (!along_a) row = row_of_words(e / 2 % 2);
#endif
    SUM *const to = &C[(group * 64 + row) * N + e / 4 * 8 + thread % 4 * 2];
    if (e % 4) add_pair(to, &held[e]);
    else store_pair(to, &held[e]);
  }
}

template <bool along_a, bool along_b, bool boxes> bool right(int K) {
  const int odd = boxes ? 0 : 1; // elements between the lines of memory
  const int A_apart = ((along_a ? K : M) + CHUNK - 1) / CHUNK * CHUNK + odd, B_apart = ((along_b ? K : N) + CHUNK - 1) / CHUNK * CHUNK + odd;
  ELEMENT *A = zeroed<ELEMENT>((size_t)A_apart * (along_a ? M : K)), *B = zeroed<ELEMENT>((size_t)B_apart * (along_b ? N : K));
  SUM *C = zeroed<SUM>(M * N);
  for (int k = 0; k < K; k++) {
    for (int i = 0; i < M; i++) A[along_a ? i * A_apart + k : k * A_apart + i] = element<ELEMENT>(of_a(i, k));
    for (int j = 0; j < N; j++) B[along_b ? j * B_apart + k : k * B_apart + j] = element<ELEMENT>(of_b(k, j));
  }
  Boxes A_boxes = {}, B_boxes = {};
  const bool made = make_boxes(&A_boxes, A, along_a ? K : M, along_a ? M : K, A_apart, along_a ? M : PANEL) &&
                    make_boxes(&B_boxes, B, along_b ? K : N, along_b ? N : K, B_apart, along_b ? N : PANEL);
  if (made != boxes) return false;
  if (!launched(product<along_a, along_b, boxes>, 1, THREADS, A_boxes, B_boxes, (const ELEMENT *)A, A_apart, (const ELEMENT *)B,
                B_apart, K, C))
    return false;
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      int sum = 0;
      for (int k = 0; k < K; k++) sum += of_a(i, k) * of_b(k, j);
      if (C[i * N + j] != (SUM)sum) return false;
    }
  return true;
}

