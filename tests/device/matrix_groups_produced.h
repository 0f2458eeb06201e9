// matrix_groups_produced.h: what matrix_groups.cu runs where a warp beside the groups asks for panels, and results go to memory
// by boxes; included beside what it tests, in the same namespace.
enum { PANEL = LINE, ROWS = M - 5, COLUMNS = N - 4 };

template <bool along_a, bool along_b, bool adds>
__global__ void product(const __grid_constant__ Boxes A_boxes, const __grid_constant__ Boxes B_boxes,
                        const __grid_constant__ Boxes C_boxes, int K) {
  __shared__ __align__(1024) ELEMENT a[STAGES * M * PANEL];
  __shared__ __align__(1024) ELEMENT b[STAGES * PANEL * N];
  __shared__ __align__(1024) SUM room[THREADS / 128 * 4096];
  const int group = threadIdx.x / 128, panels = (K + PANEL - 1) / PANEL;
  SUM held[N / 2] = {};
  open_panels<STAGES, 2>(THREADS / 32);
  if (threadIdx.x >= THREADS) {
    for (int panel = 0; panel < panels; panel++) {
      ELEMENT *to_a = &a[panel % STAGES * M * PANEL], *to_b = &b[panel % STAGES * PANEL * N];
      const int k = panel * PANEL;
      await_room<STAGES>(panel);
      copy_panel(to_a, A_boxes, along_a ? k : 0, along_a ? 0 : k, panel % STAGES, along_a ? PANEL : M, along_a ? M : PANEL);
      copy_panel(to_b, B_boxes, along_b ? k : 0, along_b ? 0 : k, panel % STAGES, along_b ? PANEL : N, along_b ? N : PANEL);
    }
    return;
  }
  for (int panel = 0; panel < panels; panel++) {
    await_panel<STAGES, true>(panel);
    open_products();
    for (int k = 0; k < PANEL; k += DEPTH) {
      const int from_a = along_a ? group * 64 * LINE + k : group * 64 / LINE * PANEL * LINE + k * LINE,
                from_b = along_b ? k : k * LINE;
      multiply_group<N, along_a, along_b>(held, &a[panel % STAGES * M * PANEL + from_a], &b[panel % STAGES * PANEL * N + from_b],
                                          along_a ? M : PANEL, along_b ? N : PANEL);
    }
    await_products<1>();
    if (panel > 0) free_panel<STAGES>(panel - 1);
  }
  await_products<0>();
  deliver_boxes<N, adds>(C_boxes, &room[group * 4096], held, 0, group * 64);
  await_reads<0>();
}

template <bool along_a, bool along_b> bool right(int K, bool adds) {
  const int A_apart = ((along_a ? K : M) + CHUNK - 1) / CHUNK * CHUNK, B_apart = ((along_b ? K : N) + CHUNK - 1) / CHUNK * CHUNK;
  ELEMENT *A = zeroed<ELEMENT>((size_t)A_apart * (along_a ? M : K)), *B = zeroed<ELEMENT>((size_t)B_apart * (along_b ? N : K));
  SUM *C = zeroed<SUM>(M * N);
  for (int k = 0; k < K; k++) {
    for (int i = 0; i < M; i++) A[along_a ? i * A_apart + k : k * A_apart + i] = element<ELEMENT>(of_a(i, k));
    for (int j = 0; j < N; j++) B[along_b ? j * B_apart + k : k * B_apart + j] = element<ELEMENT>(of_b(k, j));
  }
  for (int i = 0; i < M * N; i++) C[i] = (SUM)(i % 9);
  Boxes A_boxes = {}, B_boxes = {}, C_boxes = {};
  if (!make_boxes(&A_boxes, A, along_a ? K : M, along_a ? M : K, A_apart, along_a ? M : PANEL) ||
      !make_boxes(&B_boxes, B, along_b ? K : N, along_b ? N : K, B_apart, along_b ? N : PANEL) ||
      !make_boxes(&C_boxes, C, COLUMNS, ROWS, N, 64))
    return false;
  if (!launched(adds ? product<along_a, along_b, true> : product<along_a, along_b, false>, 1, THREADS + 32, A_boxes, B_boxes,
                C_boxes, K))
    return false;
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      const bool exists = i < ROWS && j < COLUMNS;
      int sum = adds || !exists ? (i * N + j) % 9 : 0;
      for (int k = 0; k < K && exists; k++) sum += of_a(i, k) * of_b(k, j);
      if (C[i * N + j] != (SUM)sum) return false;
    }
  return true;
}
