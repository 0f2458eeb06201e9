// matrix_groups.cuh: products by a group of four warps (PTX: wgmma), of matrices that lie in shared memory as the machine
// copies rectangles of an array there (PTX: cp.async.bulk.tensor): boxes of 128 bytes of each line, lines below each other,
// swizzled; behind a box the one beside it. Elements have 16 bits, or are words or bytes. From sm_90 on; where the text is not
// compiled for sm_90a, each lane multiplies its own elements.
//
//   COPIES     boxes, made by the host; a panel's copies, by boxes
//   LINE, CHUNK, BOX_TYPE: elements of 128 and of 16 bytes, and what a tensor map calls one
//   ROWS_OF_WORDS  row_of_words, load_words, take_words: A from registers
//   PLANES     .. of one matrix
//   MATRICES   .. of several, that lie a stride apart
//   PRODUCED   .. a warp beside the block's asks for them, once all of the block's warps have freed a buffer
//   MULTIPLY   for elements of type ELEMENT, added up in SUM: by INSTRUCTION, for `columns' of C, whose operands are c,
//              at_a, at_b, and whether their elements lie side by side along the inner dimension
//   INTEGERS   sums are
//   DEPTH      elements of the inner dimension that one call multiplies: 16, of bytes 32, which lie along it
//   WORDS      of words, of which it takes half as many of the inner dimension, those of B's along it; where A's lie across
//              it, INSTRUCTION_FROM, whose operand is of_a, a lane's registers, in place of at_a
//   DELIVERED  .. what is held goes to memory by boxes, too
#include "alone.cuh"
#include <cuda.h>
#ifndef MULTIPLY
#define COPIES 1
#define PLANES 1
#define MATRICES 1
#define PRODUCED 1
#define DELIVERED 1
#define MULTIPLY 1
#endif
#ifndef ELEMENT
#define ELEMENT float
#define SUM float
#define INSTRUCTION
#define INTEGERS 0
#define DEPTH 16
#define WORDS 0
#define ROWS_OF_WORDS 1
#define INSTRUCTION_FROM
#endif
#ifndef LINE
#define LINE 64
#define CHUNK 8
#define BOX_TYPE CU_TENSOR_MAP_DATA_TYPE_UINT16
#endif
// ---- pasted from here on ----
#if COPIES

// Where element x of line y of a copy is, whose boxes have so many lines: of each eight lines 16 bytes change places by the
// line's number, so that lines' beginnings meet in no bank. PTX ISA, "Swizzling modes", 128 bytes.
__device__ __forceinline__ int in_boxes(int x, int y, int lines) {
  return (x / LINE * lines + y) * LINE + ((x % LINE / CHUNK ^ y % 8) * CHUNK + x % CHUNK);
}

#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
// An array of lines, of which boxes can be copied.
typedef CUtensorMap Boxes;

#if DELIVERED
// What a tensor map calls an element: of sums it adds.
template <typename E> constexpr CUtensorMapDataType box_type() { return BOX_TYPE; }
template <> constexpr CUtensorMapDataType box_type<float>() { return CU_TENSOR_MAP_DATA_TYPE_FLOAT32; }
template <> constexpr CUtensorMapDataType box_type<int>() { return CU_TENSOR_MAP_DATA_TYPE_INT32; }

#endif
// Says in *to how elements lie in memory, so many in each dimension, the nearest first, and from the second on so many bytes
// apart: boxes are of LINE elements of so many lines. False where the machine does not copy these.
template <typename E, int rank>
inline bool encode_boxes(Boxes *to, const E *from, const cuuint64_t (&sizes)[rank], const cuuint64_t (&apart)[rank - 1],
                         int of_box) {
  typedef CUresult Encode(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
                          const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                          CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
  static void *const found = [] {
    void *function = nullptr;
    cudaDriverEntryPointQueryResult result;
#if CUDART_VERSION >= 12050
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &result);
#else
    cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &function, cudaEnableDefault, &result);
#endif
    return function;
  }();
#if DELIVERED
  const cuuint32_t box[] = {128 / sizeof(E), (cuuint32_t)of_box, 1}, each[] = {1, 1, 1};
  const CUtensorMapDataType type = box_type<E>();
  return found &&
         ((Encode *)found)(to, type, rank, (void *)from, sizes, apart, box, each,
                           CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                           CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
#else
  const cuuint32_t box[] = {LINE, (cuuint32_t)of_box, 1}, each[] = {1, 1, 1};
  return found &&
         ((Encode *)found)(to, BOX_TYPE, rank, (void *)from, sizes, apart, box, each,
                           CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                           CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
#endif
}
#if PLANES

// Lines of `length` elements, one every `apart` elements.
template <typename E>
inline bool make_boxes(Boxes *to, const E *from, Index length, Index lines, Index apart, int of_box) {
  const cuuint64_t sizes[] = {(cuuint64_t)length, (cuuint64_t)lines}, steps[] = {(cuuint64_t)apart * sizeof(E)};
  return encode_boxes(to, from, sizes, steps, of_box);
}
#endif
#if MATRICES

// Matrices, one every `matrix_apart` elements, of lines of `length` elements, one every `apart` elements.
template <typename E>
inline bool make_boxes(Boxes *to, const E *from, Index length, Index lines, Index matrices, Index apart,
                       Index matrix_apart, int of_box) {
  const cuuint64_t sizes[] = {(cuuint64_t)length, (cuuint64_t)lines, (cuuint64_t)matrices};
  const cuuint64_t steps[] = {(cuuint64_t)apart * sizeof(E), (cuuint64_t)matrix_apart * sizeof(E)};
  return encode_boxes(to, from, sizes, steps, of_box);
}
#endif

// What has been copied to a buffer is counted there.
__device__ __forceinline__ unsigned arrivals_of(int buffer) {
  __shared__ unsigned long long arrivals[8];
  return (unsigned)__cvta_generic_to_shared(&arrivals[buffer]);
}
#if PRODUCED

// .. and there the warps that have read it.
__device__ __forceinline__ unsigned rooms_of(int buffer) {
  __shared__ unsigned long long rooms[8];
  return (unsigned)__cvta_generic_to_shared(&rooms[buffer]);
}

// Waits until as many copies, or warps, as make a phase have come there. The phase before the first one is complete.
__device__ __forceinline__ void await_phase(unsigned place, int parity) {
  asm volatile("{\n.reg .pred arrived;\nagain:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 arrived, [%0], %1;\n@!arrived bra again;\n}" ::"r"(place),
               "r"(parity)
               : "memory");
}
#endif
#else // tgc check's executor
using simt::Boxes;
using simt::make_boxes;
#endif

// Before the first copy: there are so many buffers, and a panel comes in so many copies.
#if PRODUCED
// So many warps free each of them.
template <int buffers, int copies> __device__ __forceinline__ void open_panels(int warps) {
#else
template <int buffers, int copies> __device__ __forceinline__ void open_panels() {
#endif
  static_assert(buffers <= 8, "arrivals are counted for eight buffers");
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
  if (threadIdx.x == 0) {
    for (int i = 0; i < buffers; ++i)
      asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(arrivals_of(i)), "n"(copies) : "memory");
#if PRODUCED
    for (int i = 0; i < buffers; ++i)
      asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(rooms_of(i)), "r"(warps) : "memory");
#endif
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
#else
#if PRODUCED
  simt::open_panels(copies, warps);
#else
  simt::open_panels(copies);
#endif
#endif
  __syncthreads();
}
#if PRODUCED

// Is this warp one beside the block's `threads'? By a shuffle, as ptxas serialises products behind a branch that it does not see
// a warp take together.
__device__ __forceinline__ bool is_beside(int threads) {
  return __shfl_sync(0xffffffff, (int)threadIdx.x / 32, 0) >= threads / 32;
}

// What sums begin as is there, ahead of a loop of products: else it would be written between them.
template <int many, typename S> __device__ __forceinline__ void begin_sums(S (&sums)[many]) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#pragma unroll
#if INTEGERS
  for (int i = 0; i < many; ++i) asm volatile("" : "+r"(sums[i])::"memory");
#else
  for (int i = 0; i < many; ++i) asm volatile("" : "+f"(sums[i])::"memory");
#endif
#endif
}

// By the warp that asks for copies: until all warps have freed the panel that was in that one's buffer before.
template <int buffers> __device__ __forceinline__ void await_room(int panel) {
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
  await_phase(rooms_of(panel % buffers), panel / buffers % 2 ^ 1);
#else
  simt::await_room(panel % buffers, panel / buffers);
#endif
}

// The calling warp does not read that panel any more.
template <int buffers> __device__ __forceinline__ void free_panel(int panel) {
  __syncwarp();
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
  if (threadIdx.x % 32 == 0)
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(rooms_of(panel % buffers)) : "memory");
#else
  if (threadIdx.x % 32 == 0) simt::free_panel(panel % buffers);
#endif
}
#endif
#if PLANES

// Copies `length` elements of each of so many lines, which begin at element x of line y, for that buffer's panel. Zeros
// where there are none.
template <typename E>
__device__ __forceinline__ void copy_panel(E *to, const Boxes &boxes, Index x, Index y, int buffer, int length, int lines) {
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
#if PRODUCED
  if (threadIdx.x % 32 == 0) {
#else
  if (threadIdx.x == 0) {
#endif
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(arrivals_of(buffer)),
                 "r"(length * lines * (int)sizeof(E))
                 : "memory");
    for (int i = 0; i < length; i += LINE)
      asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                   "[%0], [%1, {%2, %3}], [%4];" ::"r"((unsigned)__cvta_generic_to_shared(to + i * lines)),
                   "l"(&boxes), "r"((int)x + i), "r"((int)y), "r"(arrivals_of(buffer))
                   : "memory");
  }
#else
#if PRODUCED
  if (threadIdx.x % 32 == 0) simt::ask_for_boxes(to, boxes, x, y, buffer, length, lines);
#else
  simt::copy_by_boxes(to, boxes, x, y, buffer, length, lines);
#endif
#endif
}
#endif
#if MATRICES

// Copies `length` elements of each of so many lines of each of so many matrices, which begin at element x of line y of matrix
// z, for that buffer's panel: one matrix behind the other. Zeros where there are none.
template <typename E>
__device__ __forceinline__ void copy_panel(E *to, const Boxes &boxes, Index x, Index y, Index z, int buffer, int length,
                                           int lines, int matrices) {
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
#if PRODUCED
  if (threadIdx.x % 32 == 0) {
#else
  if (threadIdx.x == 0) {
#endif
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(arrivals_of(buffer)),
                 "r"(length * lines * matrices * (int)sizeof(E))
                 : "memory");
    for (int m = 0; m < matrices; ++m)
      for (int i = 0; i < length; i += LINE)
        asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                     "[%0], [%1, {%2, %3, %4}], [%5];" ::"r"(
                         (unsigned)__cvta_generic_to_shared(to + (m * length + i) * lines)),
                     "l"(&boxes), "r"((int)x + i), "r"((int)y), "r"((int)z + m), "r"(arrivals_of(buffer))
                     : "memory");
  }
#else
#if PRODUCED
  if (threadIdx.x % 32 == 0) simt::ask_for_boxes(to, boxes, x, y, z, buffer, length, lines, matrices);
#else
  simt::copy_by_boxes(to, boxes, x, y, z, buffer, length, lines, matrices);
#endif
#endif
}
#endif

// Copies 16 bytes of neighbouring elements, of which so many exist, to a multiple of 16 bytes; zeros behind them. The matrix
// unit sees them behind await_panel() and a barrier.
template <typename E> __device__ __forceinline__ void copy_chunk(E *to, const E *from, int exist) {
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
  unsigned chunk[4] = {};
  if (exist >= (int)(16 / sizeof(E))) { // words of 4 bytes, shifted by an element where they begin within one
    const unsigned *const words = (const unsigned *)((uintptr_t)from / 4 * 4);
    const unsigned shift = (unsigned)((uintptr_t)from % 4) * 8;
    unsigned word[5];
#pragma unroll
    for (int i = 0; i < 4; ++i) word[i] = words[i];
    word[4] = shift ? words[4] : 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) chunk[i] = (unsigned)(((unsigned long long)word[i + 1] << 32 | word[i]) >> shift);
  } else {
    E element[16 / sizeof(E)];
#pragma unroll
    for (int i = 0; i < (int)(16 / sizeof(E)); ++i) element[i] = i < exist ? from[i] : E(0);
    memcpy(chunk, element, sizeof chunk);
  }
  uint4 wide;
  memcpy(&wide, chunk, sizeof wide);
  *(uint4 *)to = wide;
#else // tgc check's executor
  simt::copy_chunk(to, from, exist);
#endif
}

// Waits for that panel's boxes; or lets the matrix unit see what this lane copied of it.
template <int buffers, bool boxes> __device__ __forceinline__ void await_panel(int panel) {
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
  if (boxes)
    asm volatile("{\n.reg .pred arrived;\nagain:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 arrived, [%0], %1;\n@!arrived bra again;\n}" ::"r"(
                     arrivals_of(panel % buffers)),
                 "r"(panel / buffers % 2)
                 : "memory");
  else asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#else
  if (boxes) simt::await_panel(panel % buffers, panel / buffers);
  else simt::fence_copies();
#endif
}

// Before the first of several products.
__device__ __forceinline__ void open_products() {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#elif !defined(__CUDACC__) && !defined(__CUDA_ARCH__)
  simt::open_products();
#endif
}

// The products since the last call are a group. Waits until no more than so many groups are under way.
template <int groups> __device__ __forceinline__ void await_products() {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned %0;" ::"n"(groups) : "memory");
#elif !defined(__CUDACC__) && !defined(__CUDA_ARCH__)
  simt::await_products(groups);
#endif
}

// .. and says that it changes the sums: what reads them stays behind it, and products need not wait for one another.
template <int groups, int many, typename S> __device__ __forceinline__ void await_products(S (&sums)[many]) {
  await_products<groups>();
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#pragma unroll
#if INTEGERS
  for (int i = 0; i < many; ++i) asm volatile("" : "+r"(sums[i])::"memory");
#else
  for (int i = 0; i < many; ++i) asm volatile("" : "+f"(sums[i])::"memory");
#endif
#endif
}

#if DELIVERED
// The lanes of a group meet.
__device__ __forceinline__ void meet_group() {
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
  asm volatile("bar.sync %0, 128;" ::"r"((int)threadIdx.x / 128 + 1) : "memory");
#else
  simt::meet_group(threadIdx.x / 128);
#endif
}

// Until no more than so many boxes of this lane's are still to be read.
template <int boxes> __device__ __forceinline__ void await_reads() {
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(boxes) : "memory");
#else
  simt::await_reads(boxes);
#endif
}

// A box of 64 lines goes to memory, at element x of line y: stored, or added to what is there. Nothing beyond its end.
template <bool adds, typename S> __device__ __forceinline__ void deliver_box(const Boxes &to, const S *from, Index x, Index y) {
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
  const unsigned at = (unsigned)__cvta_generic_to_shared(from);
  if (adds)
    asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&to),
                 "r"((int)x), "r"((int)y), "r"(at)
                 : "memory");
  else
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&to),
                 "r"((int)x), "r"((int)y), "r"(at)
                 : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
#else
  simt::deliver_box<adds>(to, from, x, y, 64);
#endif
}

// What a group holds of 64 rows, by boxes of 32 columns, of which two have room: one is filled while the other is read.
template <int columns, bool adds, typename S>
__device__ __forceinline__ void deliver_boxes(const Boxes &to, S *room, const S *held, Index x, Index y) {
  const int lane = threadIdx.x % 128, row = lane / 32 * 16 + lane % 32 / 4, column = lane % 4 * 2;
#pragma unroll
  for (int j = 0; j < columns; j += 32) {
    S *const box = room + j / 32 % 2 * 2048;
    if (lane == 0) await_reads<1>();
    meet_group();
#pragma unroll
    for (int e = 0; e < 16; e += 2) {
      const int down = row + e / 2 % 2 * 8, right = e / 4 * 8 + column;
      memcpy(&box[down * 32 + ((right / 4 ^ down % 8) * 4 + right % 4)], &held[j / 2 + e], 2 * sizeof(S));
    }
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#else
    simt::note_copies();
    simt::fence_copies();
#endif
    meet_group();
    if (lane == 0) deliver_box<adds>(to, box, x + j, y);
  }
}

#endif
// Two neighbouring elements, at a multiple of 8 bytes: stored, or added to what is there, which nobody waits for.
template <typename S> __device__ __forceinline__ void store_pair(S *to, const S *from) {
  uint2 pair;
  memcpy(&pair, from, sizeof pair);
  *(uint2 *)to = pair;
}

#if INTEGERS
template <typename S> __device__ __forceinline__ void add_pair(S *to, const S *from) {
#if !defined(__CUDACC__) && !defined(__CUDA_ARCH__) // tgc check's executor
  simt::before_wide(to, 2 * sizeof *to);
#endif
  atomicAdd(&to[0], from[0]);
  atomicAdd(&to[1], from[1]);
}
#else
__device__ __forceinline__ void add_pair(float *to, const float *from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("red.global.add.v2.f32 [%0], {%1, %2};" ::"l"(to), "f"(from[0]), "f"(from[1]) : "memory");
#else
#if !defined(__CUDACC__) && !defined(__CUDA_ARCH__) // tgc check's executor
  simt::before_wide(to, 2 * sizeof *to);
#endif
  atomicAdd(&to[0], from[0]);
  atomicAdd(&to[1], from[1]);
#endif
}
#endif

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
// A matrix in shared memory, whose boxes have so many lines, as the instruction takes it.
__device__ __forceinline__ unsigned long long matrix_at(const void *from, int lines) {
  const unsigned at = (unsigned)__cvta_generic_to_shared(from);
  return (unsigned long long)(at >> 4 & 0x3fff) | (unsigned long long)(lines * 128 >> 4) << 16 |
         (unsigned long long)(1024 >> 4) << 32 | 1ull << 62;
}
#elif defined(__CUDACC__) || defined(__CUDA_ARCH__)
// Element i, k, or k, i, of one there.
template <typename E> __device__ __forceinline__ E element_at(const E *from, int lines, bool along, int i, int k) {
  const int x = along ? k : i, y = along ? i : k;
  const unsigned first = (unsigned)__cvta_generic_to_shared(from);
  const unsigned at = first + (unsigned)((x / LINE * lines + y) * 128 + x % LINE * (int)sizeof(E));
  return *(const E *)((const char *)from + (int)((at ^ (at >> 7 & 7) << 4) - first));
}
#endif
#endif
#if ROWS_OF_WORDS

// Which row of A a lane has in registers, of the two of each instruction, where A's lines lie across the inner dimension: lanes
// that read four lines of 16 rows meet in no bank.
__device__ __forceinline__ int row_of_words(int which) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
  return warp / 2 * 32 + warp % 2 * 8 + lane / 16 * 16 + lane / 4 % 4 + which * 4;
}

// A lane's words of 64 rows of such an A and 16 elements of the inner dimension, whose boxes have so many lines.
template <typename E> __device__ __forceinline__ void load_words(unsigned *to, const E *from, int lines) {
#pragma unroll
  for (int e = 0; e < 8; ++e)
    memcpy(&to[e], &from[in_boxes(row_of_words(e % 2), threadIdx.x % 4 + e / 2 * 4, lines)], sizeof to[e]);
}

// Others in their place, behind the products that read them: up to here no register is another's.
template <int many> __device__ __forceinline__ void take_words(unsigned *to, const unsigned *from) {
#pragma unroll
  for (int i = 0; i < many; ++i) {
#if defined(__CUDA_ARCH__)
    asm volatile("" ::"r"(to[i]) : "memory");
#endif
    to[i] = from[i];
  }
}
#endif
#if MULTIPLY

// C += A B, of 64 rows of A, DEPTH elements of the inner dimension, so many columns of B. Of each 8 columns a lane has 4
// elements of C. `lines`: of A's and B's boxes; `along`: their lines go along the inner dimension.
template <int columns, bool along_a, bool along_b>
__device__ __forceinline__ void multiply_group(SUM *c, const ELEMENT *a, const ELEMENT *b, int lines_a, int lines_b) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#if WORDS
  static_assert(along_a && along_b, "words lie along the inner dimension, or come from registers");
#pragma unroll
  for (int k = 0; k < 16; k += 8) {
    const unsigned long long at_a = matrix_at(a + k, lines_a), at_b = matrix_at(b + k, lines_b);
    INSTRUCTION
  }
#else
  const unsigned long long at_a = matrix_at(a, lines_a), at_b = matrix_at(b, lines_b);
  INSTRUCTION
#endif
#elif defined(__CUDACC__) || defined(__CUDA_ARCH__)
  const int row = threadIdx.x / 32 % 4 * 16 + threadIdx.x % 32 / 4, column = threadIdx.x % 4 * 2;
  for (int k = 0; k < DEPTH; ++k)
#pragma unroll
    for (int e = 0; e < columns / 2; ++e)
      c[e] += (SUM)element_at(a, lines_a, along_a, row + e / 2 % 2 * 8, k) *
              (SUM)element_at(b, lines_b, along_b, e / 4 * 8 + column + e % 2, k);
#else // tgc check's executor
  simt::multiply_group<columns, along_a, along_b>(c, a, b, lines_a, lines_b);
#endif
}
#if WORDS

// The same where A's lines lie across the inner dimension: of the words that load_words gives.
template <int columns, bool along_a, bool along_b>
__device__ __forceinline__ void multiply_group(SUM *c, const unsigned *words, const ELEMENT *b, int, int lines_b) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#pragma unroll
  for (int k = 0; k < 16; k += 8) {
    const unsigned long long at_b = matrix_at(b + k, lines_b);
    const unsigned *const of_a = words + k / 2;
    INSTRUCTION_FROM
  }
#elif defined(__CUDACC__) || defined(__CUDA_ARCH__)
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    const int lane = threadIdx.x % 32 / 4 * 4 + k % 4;
    const float rows[] = {__uint_as_float(__shfl_sync(0xffffffff, words[k / 4 * 2], lane)),
                          __uint_as_float(__shfl_sync(0xffffffff, words[k / 4 * 2 + 1], lane))};
#pragma unroll
    for (int e = 0; e < columns / 2; ++e)
      c[e] += (SUM)rows[e / 2 % 2] * (SUM)element_at(b, lines_b, along_b, e / 4 * 8 + threadIdx.x % 4 * 2 + e % 2, k);
  }
#else // tgc check's executor
  simt::multiply_group<columns, along_b>(c, words, b, lines_b);
#endif
}
#endif
#endif
