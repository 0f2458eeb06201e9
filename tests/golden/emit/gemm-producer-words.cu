// gemm, variant 33ee31b2: grid.tiled(block.tiled!producer(warp.panels/loop(warp.unit)))
// Made by tgc from gemm.cdl for sm_90; this text is yours.
//
// baseline, 1 kernel, determinism run_to_run: the order in which a matrix unit adds products is specific to the machine
// batch-invariant: the order does not depend on what else is computed
//
//   grid: regroups by `tiled', over its blocks (G3)
//     each part: block: regroups by `tiled', over its warps (B3)
//       each part, copied ahead to shared memory by rectangles, by a warp beside them: warp: regroups by `panels', over its iterations of a loop (W5s)
//         each part: warp: computes by `unit' (W7)
//
// codelets
//   tiled        gemm.cdl:24
//   panels       gemm.cdl:48
//   unit         gemm.cdl:73
#include <cuda.h>
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, tile_m, tile_n, stages, tile_k); the first is the variant's own.
//   threads: threads per block, 128 to 640, a multiple of 128
//   tile_m: elements of a block's tile, 64, 128 or 256
//   tile_n: elements of a block's tile, 64, 128 or 256
//   stages: panels in shared memory, 3, 4, 5, 6 or 8
//   tile_k: elements of a panel, 32 or 64
#ifndef GEMM_33EE31B2_CONFIGURATIONS
#define GEMM_33EE31B2_CONFIGURATIONS(C) C(256, 128, 128, 4, 32)
#endif

#ifndef GEMM_CONFIGURATION
#define GEMM_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct gemm_configuration {
  int threads, loads;
  int64_t blocks;
  int lanes, stages, tile_k, tile_m, tile_n, warps;
} gemm_configuration;
#endif

namespace gemm_33ee31b2 {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

__host__ __device__ constexpr Index max_index(Index x, Index y) { return x > y ? x : y; }

// A float that a matrix unit multiplies as the nearest number with 10 bits behind the point; anything else reads all of it.
struct tf32 {
  float value;
  tf32() = default;
  __host__ __device__ constexpr explicit tf32(float x) : value(x) {}
  __host__ __device__ constexpr operator float() const { return value; }
};

// Number of elements up to the next 16-byte boundary.
template <typename E> __host__ __device__ __forceinline__ Index to_aligned(const E *from) {
  return (Index)((16 - (uintptr_t)from % 16) % 16 / sizeof(E));
}

// Programmatic dependent launch: the grid may start while the previous one in the stream still runs.
inline cudaLaunchAttribute may_begin_early() {
  cudaLaunchAttribute early = {};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  return early;
}

// Waits until the previous grid has finished and its stores are visible. The kernel's pointers are not __restrict__:
// the compiler could move loads through them above this call.
__device__ __forceinline__ void after_earlier_grids() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
}

// An array of it, which begins where another one ends, the first at `shared_memory`.
#ifndef SHARED_ARRAY
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
#define SHARED_ARRAY(E, name, length, begin) \
  extern __shared__ __align__(1024) unsigned char shared_memory[]; \
  E *const name = (E *)(begin)
#else // tgc check's executor: each array has an end of its own
#define SHARED_ARRAY(E, name, length, begin) __shared__ __align__(1024) E name[length]
#endif
#endif

// Lets a kernel be launched with so many bytes, beside which it has a few of its own.
template <typename Kernel> inline cudaError_t ask_for_shared(Kernel *kernel, size_t bytes) {
  if (bytes <= 48 * 1024 - 1024) return cudaSuccess;
  return cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
}

// .. so much that no multiprocessor has room for more blocks than the fullest of `units' has where all are shared out
// evenly. A block may ask for `most', and a multiprocessor has 1 KB more; each block takes 1 KB beside what it asks for.
inline size_t evenly_shared(size_t own, Index blocks, int units, size_t most) {
  const size_t each = (size_t)((blocks + units - 1) / units);
  const size_t even = most / (each + 1) / 128 * 128;
  return own < even ? even : own;
}

// Where element x of line y of a copy is, whose boxes have so many lines: of each eight lines 16 bytes change places by the
// line's number, so that lines' beginnings meet in no bank. PTX ISA, "Swizzling modes", 128 bytes.
__device__ __forceinline__ int in_boxes(int x, int y, int lines) {
  return (x / 32 * lines + y) * 32 + ((x % 32 / 4 ^ y % 8) * 4 + x % 4);
}

#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
// An array of lines, of which boxes can be copied.
typedef CUtensorMap Boxes;

// Says in *to how elements lie in memory, so many in each dimension, the nearest first, and from the second on so many bytes
// apart: boxes are of 32 elements of so many lines. False where the machine does not copy these.
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
  const cuuint32_t box[] = {32, (cuuint32_t)of_box, 1}, each[] = {1, 1, 1};
  return found &&
         ((Encode *)found)(to, CU_TENSOR_MAP_DATA_TYPE_UINT32, rank, (void *)from, sizes, apart, box, each,
                           CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                           CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

// Lines of `length` elements, one every `apart` elements.
template <typename E>
inline bool make_boxes(Boxes *to, const E *from, Index length, Index lines, Index apart, int of_box) {
  const cuuint64_t sizes[] = {(cuuint64_t)length, (cuuint64_t)lines}, steps[] = {(cuuint64_t)apart * sizeof(E)};
  return encode_boxes(to, from, sizes, steps, of_box);
}

// What has been copied to a buffer is counted there.
__device__ __forceinline__ unsigned arrivals_of(int buffer) {
  __shared__ unsigned long long arrivals[8];
  return (unsigned)__cvta_generic_to_shared(&arrivals[buffer]);
}

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
#else // tgc check's executor
using simt::Boxes;
using simt::make_boxes;
#endif

// Before the first copy: there are so many buffers, and a panel comes in so many copies.
// So many warps free each of them.
template <int buffers, int copies> __device__ __forceinline__ void open_panels(int warps) {
  static_assert(buffers <= 8, "arrivals are counted for eight buffers");
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
  if (threadIdx.x == 0) {
    for (int i = 0; i < buffers; ++i)
      asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(arrivals_of(i)), "n"(copies) : "memory");
    for (int i = 0; i < buffers; ++i)
      asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(rooms_of(i)), "r"(warps) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
#else
  simt::open_panels(copies, warps);
#endif
  __syncthreads();
}

// Is this warp one beside the block's `threads'? By a shuffle, as ptxas serialises products behind a branch that it does not see
// a warp take together.
__device__ __forceinline__ bool is_beside(int threads) {
  return __shfl_sync(0xffffffff, (int)threadIdx.x / 32, 0) >= threads / 32;
}

// What sums begin as is there, ahead of a loop of products: else it would be written between them.
template <int many, typename S> __device__ __forceinline__ void begin_sums(S (&sums)[many]) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#pragma unroll
  for (int i = 0; i < many; ++i) asm volatile("" : "+f"(sums[i])::"memory");
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

// Copies `length` elements of each of so many lines, which begin at element x of line y, for that buffer's panel. Zeros
// where there are none.
template <typename E>
__device__ __forceinline__ void copy_panel(E *to, const Boxes &boxes, Index x, Index y, int buffer, int length, int lines) {
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
  if (threadIdx.x % 32 == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(arrivals_of(buffer)),
                 "r"(length * lines * (int)sizeof(E))
                 : "memory");
    for (int i = 0; i < length; i += 32)
      asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                   "[%0], [%1, {%2, %3}], [%4];" ::"r"((unsigned)__cvta_generic_to_shared(to + i * lines)),
                   "l"(&boxes), "r"((int)x + i), "r"((int)y), "r"(arrivals_of(buffer))
                   : "memory");
  }
#else
  if (threadIdx.x % 32 == 0) simt::ask_for_boxes(to, boxes, x, y, buffer, length, lines);
#endif
}

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
  for (int i = 0; i < many; ++i) asm volatile("" : "+f"(sums[i])::"memory");
#endif
}

// Two neighbouring elements, at a multiple of 8 bytes: stored, or added to what is there, which nobody waits for.
template <typename S> __device__ __forceinline__ void store_pair(S *to, const S *from) {
  uint2 pair;
  memcpy(&pair, from, sizeof pair);
  *(uint2 *)to = pair;
}

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
  const unsigned at = first + (unsigned)((x / 32 * lines + y) * 128 + x % 32 * (int)sizeof(E));
  return *(const E *)((const char *)from + (int)((at ^ (at >> 7 & 7) << 4) - first));
}
#endif

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

// C += A B, of 64 rows of A, 16 elements of the inner dimension, so many columns of B. Of each 8 columns a lane has 4
// elements of C. `lines`: of A's and B's boxes; `along`: their lines go along the inner dimension.
template <int columns, bool along_a, bool along_b>
__device__ __forceinline__ void multiply_group(float *c, const tf32 *a, const tf32 *b, int lines_a, int lines_b) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  static_assert(along_a && along_b, "words lie along the inner dimension, or come from registers");
#pragma unroll
  for (int k = 0; k < 16; k += 8) {
    const unsigned long long at_a = matrix_at(a + k, lines_a), at_b = matrix_at(b + k, lines_b);
    if constexpr (columns == 64)
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, "
        "%8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, "
        "%24, %25, %26, %27, %28, %29, %30, %31}, "
        "%32, %33, 1, 1, 1;"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), "+f"(c[7]),
          "+f"(c[8]), "+f"(c[9]), "+f"(c[10]), "+f"(c[11]), "+f"(c[12]), "+f"(c[13]), "+f"(c[14]), "+f"(c[15]),
          "+f"(c[16]), "+f"(c[17]), "+f"(c[18]), "+f"(c[19]), "+f"(c[20]), "+f"(c[21]), "+f"(c[22]), "+f"(c[23]),
          "+f"(c[24]), "+f"(c[25]), "+f"(c[26]), "+f"(c[27]), "+f"(c[28]), "+f"(c[29]), "+f"(c[30]), "+f"(c[31])
        : "l"(at_a), "l"(at_b));
  else if constexpr (columns == 128)
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, "
        "%8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, "
        "%24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, "
        "%40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, "
        "%56, %57, %58, %59, %60, %61, %62, %63}, "
        "%64, %65, 1, 1, 1;"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), "+f"(c[7]),
          "+f"(c[8]), "+f"(c[9]), "+f"(c[10]), "+f"(c[11]), "+f"(c[12]), "+f"(c[13]), "+f"(c[14]), "+f"(c[15]),
          "+f"(c[16]), "+f"(c[17]), "+f"(c[18]), "+f"(c[19]), "+f"(c[20]), "+f"(c[21]), "+f"(c[22]), "+f"(c[23]),
          "+f"(c[24]), "+f"(c[25]), "+f"(c[26]), "+f"(c[27]), "+f"(c[28]), "+f"(c[29]), "+f"(c[30]), "+f"(c[31]),
          "+f"(c[32]), "+f"(c[33]), "+f"(c[34]), "+f"(c[35]), "+f"(c[36]), "+f"(c[37]), "+f"(c[38]), "+f"(c[39]),
          "+f"(c[40]), "+f"(c[41]), "+f"(c[42]), "+f"(c[43]), "+f"(c[44]), "+f"(c[45]), "+f"(c[46]), "+f"(c[47]),
          "+f"(c[48]), "+f"(c[49]), "+f"(c[50]), "+f"(c[51]), "+f"(c[52]), "+f"(c[53]), "+f"(c[54]), "+f"(c[55]),
          "+f"(c[56]), "+f"(c[57]), "+f"(c[58]), "+f"(c[59]), "+f"(c[60]), "+f"(c[61]), "+f"(c[62]), "+f"(c[63])
        : "l"(at_a), "l"(at_b));
  else if constexpr (columns == 256)
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, "
        "%8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, "
        "%24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, "
        "%40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, "
        "%56, %57, %58, %59, %60, %61, %62, %63, "
        "%64, %65, %66, %67, %68, %69, %70, %71, "
        "%72, %73, %74, %75, %76, %77, %78, %79, "
        "%80, %81, %82, %83, %84, %85, %86, %87, "
        "%88, %89, %90, %91, %92, %93, %94, %95, "
        "%96, %97, %98, %99, %100, %101, %102, %103, "
        "%104, %105, %106, %107, %108, %109, %110, %111, "
        "%112, %113, %114, %115, %116, %117, %118, %119, "
        "%120, %121, %122, %123, %124, %125, %126, %127}, "
        "%128, %129, 1, 1, 1;"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), "+f"(c[7]),
          "+f"(c[8]), "+f"(c[9]), "+f"(c[10]), "+f"(c[11]), "+f"(c[12]), "+f"(c[13]), "+f"(c[14]), "+f"(c[15]),
          "+f"(c[16]), "+f"(c[17]), "+f"(c[18]), "+f"(c[19]), "+f"(c[20]), "+f"(c[21]), "+f"(c[22]), "+f"(c[23]),
          "+f"(c[24]), "+f"(c[25]), "+f"(c[26]), "+f"(c[27]), "+f"(c[28]), "+f"(c[29]), "+f"(c[30]), "+f"(c[31]),
          "+f"(c[32]), "+f"(c[33]), "+f"(c[34]), "+f"(c[35]), "+f"(c[36]), "+f"(c[37]), "+f"(c[38]), "+f"(c[39]),
          "+f"(c[40]), "+f"(c[41]), "+f"(c[42]), "+f"(c[43]), "+f"(c[44]), "+f"(c[45]), "+f"(c[46]), "+f"(c[47]),
          "+f"(c[48]), "+f"(c[49]), "+f"(c[50]), "+f"(c[51]), "+f"(c[52]), "+f"(c[53]), "+f"(c[54]), "+f"(c[55]),
          "+f"(c[56]), "+f"(c[57]), "+f"(c[58]), "+f"(c[59]), "+f"(c[60]), "+f"(c[61]), "+f"(c[62]), "+f"(c[63]),
          "+f"(c[64]), "+f"(c[65]), "+f"(c[66]), "+f"(c[67]), "+f"(c[68]), "+f"(c[69]), "+f"(c[70]), "+f"(c[71]),
          "+f"(c[72]), "+f"(c[73]), "+f"(c[74]), "+f"(c[75]), "+f"(c[76]), "+f"(c[77]), "+f"(c[78]), "+f"(c[79]),
          "+f"(c[80]), "+f"(c[81]), "+f"(c[82]), "+f"(c[83]), "+f"(c[84]), "+f"(c[85]), "+f"(c[86]), "+f"(c[87]),
          "+f"(c[88]), "+f"(c[89]), "+f"(c[90]), "+f"(c[91]), "+f"(c[92]), "+f"(c[93]), "+f"(c[94]), "+f"(c[95]),
          "+f"(c[96]), "+f"(c[97]), "+f"(c[98]), "+f"(c[99]), "+f"(c[100]), "+f"(c[101]), "+f"(c[102]), "+f"(c[103]),
          "+f"(c[104]), "+f"(c[105]), "+f"(c[106]), "+f"(c[107]), "+f"(c[108]), "+f"(c[109]), "+f"(c[110]), "+f"(c[111]),
          "+f"(c[112]), "+f"(c[113]), "+f"(c[114]), "+f"(c[115]), "+f"(c[116]), "+f"(c[117]), "+f"(c[118]), "+f"(c[119]),
          "+f"(c[120]), "+f"(c[121]), "+f"(c[122]), "+f"(c[123]), "+f"(c[124]), "+f"(c[125]), "+f"(c[126]), "+f"(c[127])
        : "l"(at_a), "l"(at_b));
  }
#elif defined(__CUDACC__) || defined(__CUDA_ARCH__)
  const int row = threadIdx.x / 32 % 4 * 16 + threadIdx.x % 32 / 4, column = threadIdx.x % 4 * 2;
  for (int k = 0; k < 16; ++k)
#pragma unroll
    for (int e = 0; e < columns / 2; ++e)
      c[e] += (float)element_at(a, lines_a, along_a, row + e / 2 % 2 * 8, k) *
              (float)element_at(b, lines_b, along_b, e / 4 * 8 + column + e % 2, k);
#else // tgc check's executor
  simt::multiply_group<columns, along_a, along_b>(c, a, b, lines_a, lines_b);
#endif
}

// The same where A's lines lie across the inner dimension: of the words that load_words gives.
template <int columns, bool along_a, bool along_b>
__device__ __forceinline__ void multiply_group(float *c, const unsigned *words, const tf32 *b, int, int lines_b) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#pragma unroll
  for (int k = 0; k < 16; k += 8) {
    const unsigned long long at_b = matrix_at(b + k, lines_b);
    const unsigned *const of_a = words + k / 2;
    if constexpr (columns == 64)
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, "
        "%8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, "
        "%24, %25, %26, %27, %28, %29, %30, %31}, "
        "{%32, %33, %34, %35}, %36, 1, 1, 1;"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), "+f"(c[7]),
          "+f"(c[8]), "+f"(c[9]), "+f"(c[10]), "+f"(c[11]), "+f"(c[12]), "+f"(c[13]), "+f"(c[14]), "+f"(c[15]),
          "+f"(c[16]), "+f"(c[17]), "+f"(c[18]), "+f"(c[19]), "+f"(c[20]), "+f"(c[21]), "+f"(c[22]), "+f"(c[23]),
          "+f"(c[24]), "+f"(c[25]), "+f"(c[26]), "+f"(c[27]), "+f"(c[28]), "+f"(c[29]), "+f"(c[30]), "+f"(c[31])
        : "r"(of_a[0]), "r"(of_a[1]), "r"(of_a[2]), "r"(of_a[3]), "l"(at_b));
  else if constexpr (columns == 128)
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, "
        "%8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, "
        "%24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, "
        "%40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, "
        "%56, %57, %58, %59, %60, %61, %62, %63}, "
        "{%64, %65, %66, %67}, %68, 1, 1, 1;"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), "+f"(c[7]),
          "+f"(c[8]), "+f"(c[9]), "+f"(c[10]), "+f"(c[11]), "+f"(c[12]), "+f"(c[13]), "+f"(c[14]), "+f"(c[15]),
          "+f"(c[16]), "+f"(c[17]), "+f"(c[18]), "+f"(c[19]), "+f"(c[20]), "+f"(c[21]), "+f"(c[22]), "+f"(c[23]),
          "+f"(c[24]), "+f"(c[25]), "+f"(c[26]), "+f"(c[27]), "+f"(c[28]), "+f"(c[29]), "+f"(c[30]), "+f"(c[31]),
          "+f"(c[32]), "+f"(c[33]), "+f"(c[34]), "+f"(c[35]), "+f"(c[36]), "+f"(c[37]), "+f"(c[38]), "+f"(c[39]),
          "+f"(c[40]), "+f"(c[41]), "+f"(c[42]), "+f"(c[43]), "+f"(c[44]), "+f"(c[45]), "+f"(c[46]), "+f"(c[47]),
          "+f"(c[48]), "+f"(c[49]), "+f"(c[50]), "+f"(c[51]), "+f"(c[52]), "+f"(c[53]), "+f"(c[54]), "+f"(c[55]),
          "+f"(c[56]), "+f"(c[57]), "+f"(c[58]), "+f"(c[59]), "+f"(c[60]), "+f"(c[61]), "+f"(c[62]), "+f"(c[63])
        : "r"(of_a[0]), "r"(of_a[1]), "r"(of_a[2]), "r"(of_a[3]), "l"(at_b));
  else if constexpr (columns == 256)
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, "
        "%8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, "
        "%24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, "
        "%40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, "
        "%56, %57, %58, %59, %60, %61, %62, %63, "
        "%64, %65, %66, %67, %68, %69, %70, %71, "
        "%72, %73, %74, %75, %76, %77, %78, %79, "
        "%80, %81, %82, %83, %84, %85, %86, %87, "
        "%88, %89, %90, %91, %92, %93, %94, %95, "
        "%96, %97, %98, %99, %100, %101, %102, %103, "
        "%104, %105, %106, %107, %108, %109, %110, %111, "
        "%112, %113, %114, %115, %116, %117, %118, %119, "
        "%120, %121, %122, %123, %124, %125, %126, %127}, "
        "{%128, %129, %130, %131}, %132, 1, 1, 1;"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), "+f"(c[7]),
          "+f"(c[8]), "+f"(c[9]), "+f"(c[10]), "+f"(c[11]), "+f"(c[12]), "+f"(c[13]), "+f"(c[14]), "+f"(c[15]),
          "+f"(c[16]), "+f"(c[17]), "+f"(c[18]), "+f"(c[19]), "+f"(c[20]), "+f"(c[21]), "+f"(c[22]), "+f"(c[23]),
          "+f"(c[24]), "+f"(c[25]), "+f"(c[26]), "+f"(c[27]), "+f"(c[28]), "+f"(c[29]), "+f"(c[30]), "+f"(c[31]),
          "+f"(c[32]), "+f"(c[33]), "+f"(c[34]), "+f"(c[35]), "+f"(c[36]), "+f"(c[37]), "+f"(c[38]), "+f"(c[39]),
          "+f"(c[40]), "+f"(c[41]), "+f"(c[42]), "+f"(c[43]), "+f"(c[44]), "+f"(c[45]), "+f"(c[46]), "+f"(c[47]),
          "+f"(c[48]), "+f"(c[49]), "+f"(c[50]), "+f"(c[51]), "+f"(c[52]), "+f"(c[53]), "+f"(c[54]), "+f"(c[55]),
          "+f"(c[56]), "+f"(c[57]), "+f"(c[58]), "+f"(c[59]), "+f"(c[60]), "+f"(c[61]), "+f"(c[62]), "+f"(c[63]),
          "+f"(c[64]), "+f"(c[65]), "+f"(c[66]), "+f"(c[67]), "+f"(c[68]), "+f"(c[69]), "+f"(c[70]), "+f"(c[71]),
          "+f"(c[72]), "+f"(c[73]), "+f"(c[74]), "+f"(c[75]), "+f"(c[76]), "+f"(c[77]), "+f"(c[78]), "+f"(c[79]),
          "+f"(c[80]), "+f"(c[81]), "+f"(c[82]), "+f"(c[83]), "+f"(c[84]), "+f"(c[85]), "+f"(c[86]), "+f"(c[87]),
          "+f"(c[88]), "+f"(c[89]), "+f"(c[90]), "+f"(c[91]), "+f"(c[92]), "+f"(c[93]), "+f"(c[94]), "+f"(c[95]),
          "+f"(c[96]), "+f"(c[97]), "+f"(c[98]), "+f"(c[99]), "+f"(c[100]), "+f"(c[101]), "+f"(c[102]), "+f"(c[103]),
          "+f"(c[104]), "+f"(c[105]), "+f"(c[106]), "+f"(c[107]), "+f"(c[108]), "+f"(c[109]), "+f"(c[110]), "+f"(c[111]),
          "+f"(c[112]), "+f"(c[113]), "+f"(c[114]), "+f"(c[115]), "+f"(c[116]), "+f"(c[117]), "+f"(c[118]), "+f"(c[119]),
          "+f"(c[120]), "+f"(c[121]), "+f"(c[122]), "+f"(c[123]), "+f"(c[124]), "+f"(c[125]), "+f"(c[126]), "+f"(c[127])
        : "r"(of_a[0]), "r"(of_a[1]), "r"(of_a[2]), "r"(of_a[3]), "l"(at_b));
  }
#elif defined(__CUDACC__) || defined(__CUDA_ARCH__)
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    const int lane = threadIdx.x % 32 / 4 * 4 + k % 4;
    const float rows[] = {__uint_as_float(__shfl_sync(0xffffffff, words[k / 4 * 2], lane)),
                          __uint_as_float(__shfl_sync(0xffffffff, words[k / 4 * 2 + 1], lane))};
#pragma unroll
    for (int e = 0; e < columns / 2; ++e)
      c[e] += (float)rows[e / 2 % 2] * (float)element_at(b, lines_b, along_b, e / 4 * 8 + threadIdx.x % 4 * 2 + e % 2, k);
  }
#else // tgc check's executor
  simt::multiply_group<columns, along_b>(c, words, b, lines_b);
#endif
}

// Each block processes its part.
template <typename E, typename T, int threads, int tile_m, int tile_n, int stages, int tile_k, bool wide>
__global__ void __launch_bounds__(threads + (wide ? 32 : 0), 1) gemm_blocks(Index q, Index p, Index rows, Index leading, Index B_columns, Index C_leading, Index columns, const __grid_constant__ Boxes A_boxes, const __grid_constant__ Boxes B_boxes, T *C, const E *A, const E *B, Index B_leading) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int m_each = (tile_m + 64 - 1) / 64 * 64;
  const int n_each = ((tile_n + threads / 128 - 1) / (threads / 128) + 63) / 64 * 64;
  const int A_buffer = m_each * tile_k;
  const int B_buffer = tile_k * (n_each * (threads / 128));
  SHARED_ARRAY(E, A_tile, stages * A_buffer, shared_memory);
  SHARED_ARRAY(E, B_tile, stages * B_buffer, A_tile + stages * A_buffer);
  // grid > block: tiled (gemm.cdl:24), one part per block
  const int first_row = (int)block / ((int)q * 8) * 8;
  const int rows_here = min((int)p - first_row, 8);
  const int in_rows = (int)block % ((int)q * 8);
  const Index m_begin = min_index((Index)(first_row + in_rows % rows_here) * tile_m, rows);
  const Index m_size = min_index(tile_m, rows - m_begin);
  const Index A_begin = m_begin * leading;
  const Index n_begin = min_index((Index)(in_rows / rows_here) * tile_n, B_columns);
  const Index n_size = min_index(tile_n, B_columns - n_begin);
  const Index C_begin = m_begin * C_leading + n_begin;
  // block > warp: tiled (gemm.cdl:24), a rectangle each; unit (gemm.cdl:73)
  const int n_group = warp / 4;
  const int m_first = 0;
  const int m_left = (int)m_size - m_first;
  const int n_first = n_group * n_each;
  const int n_left = (int)n_size - n_first;
  T C_held[m_each / 8 * (n_each / 64) * 4];
  unsigned B_here[tile_k / 16 * (n_each / 64) * 8];
  unsigned B_coming[tile_k / 16 * (n_each / 64) * 8];
  #pragma unroll
  for (int i = 0; i < (m_each / 8); ++i) {
    #pragma unroll
    for (int j = 0; j < (n_each / 64); ++j) {
      #pragma unroll
      for (int r = 0; r < 4; ++r)
        C_held[(j * (m_each / 8) + i) * 4 + r] = 0;
    }
  }
  if (wide)
    open_panels<stages, 2>(threads / 32);
  after_earlier_grids();
  if (wide) {
    if (is_beside(threads)) {
      for (int k = 0; k < ((columns + tile_k - 1) / tile_k); ++k) {
        // a warp beside the others: copies of panels, as soon as there is room
        await_room<stages>(k);
        copy_panel(&A_tile[k % stages * A_buffer], A_boxes, (Index)k * tile_k, m_begin, k % stages, tile_k, m_each);
        copy_panel(&B_tile[k % stages * B_buffer], B_boxes, n_begin, (Index)k * tile_k, k % stages, n_each * (threads / 128), tile_k);
      }
    }
    else {
      begin_sums(C_held);
      if (0 < columns) {
        await_panel<stages, true>(0);
      }
      if (0 < columns) {
        #pragma unroll
        for (int s = 0; s < (tile_k / 16); ++s) {
          #pragma unroll
          for (int j = 0; j < (n_each / 64); ++j)
            load_words(&B_here[(s * (n_each / 64) + j) * 8], &B_tile[in_boxes(n_first + j * 64, s * 16, tile_k)], tile_k);
        }
      }
      for (int k = 0; k < ((columns + tile_k - 1) / tile_k); ++k) {
        open_products();
        #pragma unroll
        for (Index k2 = 0; k2 < (tile_k / 16); ++k2) {
          #pragma unroll
          for (int j = 0; j < (n_each / 64); ++j)
            multiply_group<m_each, false, true>(&C_held[j * (m_each / 8 * 4)], &B_here[((int)k2 * (n_each / 64) + j) * 8], &A_tile[k % stages * A_buffer + in_boxes((int)k2 * 16, 0, m_each)], tile_k, m_each);
        }
        if ((Index)(k + 1) * tile_k < columns) {
          await_panel<stages, true>(k + 1);
        }
        if ((Index)(k + 1) * tile_k < columns) {
          #pragma unroll
          for (int s = 0; s < (tile_k / 16); ++s) {
            #pragma unroll
            for (int j = 0; j < (n_each / 64); ++j)
              load_words(&B_coming[(s * (n_each / 64) + j) * 8], &B_tile[(k + 1) % stages * B_buffer + in_boxes(n_first + j * 64, s * 16, tile_k)], tile_k);
          }
        }
        await_products<0>();
        take_words<tile_k / 16 * (n_each / 64) * 8>(&B_here[0], &B_coming[0]);
        free_panel<stages>(k);
      }
      await_products<0>(C_held);
      #pragma unroll
      for (int i = 0; i < (m_each / 8); ++i) {
        #pragma unroll
        for (int j = 0; j < (n_each / 64); ++j) {
          #pragma unroll
          for (int r = 0; r < 4; ++r) {
            const int m_at = i * 8 + (lane % 4 * 2 + r % 2);
            const int n_at = j * 64 + (r / 2 * 4 + warp / 2 % 2 * 32 + warp % 2 * 8 + lane / 16 % 2 * 16 + lane / 4 % 4);
            if (m_at < m_left && (n_at < n_left))
              atomicAdd(&C[C_begin + m_first * C_leading + n_first + (m_at * C_leading + n_at)], C_held[(j * (m_each / 8) + i) * 4 + r]);
          }
        }
      }
    }
  }
  else {
    #pragma unroll
    for (Index ahead = 0; ahead < (stages - 1); ++ahead) {
      const int k_left = (int)max_index(min_index(tile_k, columns - ahead * tile_k), 0);
      #pragma unroll 8
      for (int s = 0; s < ((m_each * tile_k / 4 + threads - 1) / threads); ++s) {
        const int e = (s * threads + thread) * 4;
        if (m_each * tile_k % (threads * 4) == 0 || e < (m_each * tile_k))
          copy_chunk(&A_tile[ahead % stages * A_buffer + in_boxes(e % tile_k, e / tile_k, m_each)], &A[A_begin + e / tile_k * leading + e % tile_k + ahead * tile_k], e / tile_k < (int)m_size ? k_left - e % tile_k : 0);
      }
      #pragma unroll 8
      for (int s = 0; s < ((tile_k * (n_each * (threads / 128)) / 4 + threads - 1) / threads); ++s) {
        const int e = (s * threads + thread) * 4;
        if (tile_k * (n_each * (threads / 128)) % (threads * 4) == 0 || e < (tile_k * (n_each * (threads / 128))))
          copy_chunk(&B_tile[ahead % stages * B_buffer + in_boxes(e % (n_each * (threads / 128)), e / (n_each * (threads / 128)), tile_k)], &B[n_begin + e / (n_each * (threads / 128)) * B_leading + e % (n_each * (threads / 128)) + ahead * tile_k * B_leading], e / (n_each * (threads / 128)) < k_left ? (int)n_size - e % (n_each * (threads / 128)) : 0);
      }
    }
    if (0 < columns) {
      await_panel<stages, false>(0);
    }
    __syncthreads();
    if (0 < columns) {
      #pragma unroll
      for (int s = 0; s < (tile_k / 16); ++s) {
        #pragma unroll
        for (int j = 0; j < (n_each / 64); ++j)
          load_words(&B_here[(s * (n_each / 64) + j) * 8], &B_tile[in_boxes(n_first + j * 64, s * 16, tile_k)], tile_k);
      }
    }
    __syncthreads();
    for (int k = 0; k < ((columns + tile_k - 1) / tile_k); ++k) {
      // warp: panels (gemm.cdl:48), one part after another
      open_products();
      #pragma unroll
      for (Index k2 = 0; k2 < (tile_k / 16); ++k2) {
        #pragma unroll
        for (int j = 0; j < (n_each / 64); ++j)
          multiply_group<m_each, false, true>(&C_held[j * (m_each / 8 * 4)], &B_here[((int)k2 * (n_each / 64) + j) * 8], &A_tile[k % stages * A_buffer + in_boxes((int)k2 * 16, 0, m_each)], tile_k, m_each);
      }
      if ((Index)(k + 1) * tile_k < columns) {
        await_panel<stages, false>(k + 1);
      }
      __syncthreads();
      const int k_left = (int)max_index(min_index(tile_k, columns - (Index)(k + (stages - 1)) * tile_k), 0);
      #pragma unroll 8
      for (int s = 0; s < ((m_each * tile_k / 4 + threads - 1) / threads); ++s) {
        const int e = (s * threads + thread) * 4;
        if (m_each * tile_k % (threads * 4) == 0 || e < (m_each * tile_k))
          copy_chunk(&A_tile[(k + (stages - 1)) % stages * A_buffer + in_boxes(e % tile_k, e / tile_k, m_each)], &A[A_begin + e / tile_k * leading + e % tile_k + (Index)(k + (stages - 1)) * tile_k], e / tile_k < (int)m_size ? k_left - e % tile_k : 0);
      }
      #pragma unroll 8
      for (int s = 0; s < ((tile_k * (n_each * (threads / 128)) / 4 + threads - 1) / threads); ++s) {
        const int e = (s * threads + thread) * 4;
        if (tile_k * (n_each * (threads / 128)) % (threads * 4) == 0 || e < (tile_k * (n_each * (threads / 128))))
          copy_chunk(&B_tile[(k + (stages - 1)) % stages * B_buffer + in_boxes(e % (n_each * (threads / 128)), e / (n_each * (threads / 128)), tile_k)], &B[n_begin + e / (n_each * (threads / 128)) * B_leading + e % (n_each * (threads / 128)) + (Index)(k + (stages - 1)) * tile_k * B_leading], e / (n_each * (threads / 128)) < k_left ? (int)n_size - e % (n_each * (threads / 128)) : 0);
      }
      if ((Index)(k + 1) * tile_k < columns) {
        #pragma unroll
        for (int s = 0; s < (tile_k / 16); ++s) {
          #pragma unroll
          for (int j = 0; j < (n_each / 64); ++j)
            load_words(&B_coming[(s * (n_each / 64) + j) * 8], &B_tile[(k + 1) % stages * B_buffer + in_boxes(n_first + j * 64, s * 16, tile_k)], tile_k);
        }
      }
      await_products<0>();
      take_words<tile_k / 16 * (n_each / 64) * 8>(&B_here[0], &B_coming[0]);
    }
    await_products<0>(C_held);
    #pragma unroll
    for (int i = 0; i < (m_each / 8); ++i) {
      #pragma unroll
      for (int j = 0; j < (n_each / 64); ++j) {
        #pragma unroll
        for (int r = 0; r < 4; ++r) {
          const int m_at = i * 8 + (lane % 4 * 2 + r % 2);
          const int n_at = j * 64 + (r / 2 * 4 + warp / 2 % 2 * 32 + warp % 2 * 8 + lane / 16 % 2 * 16 + lane / 4 % 4);
          if (m_at < m_left && (n_at < n_left))
            atomicAdd(&C[C_begin + m_first * C_leading + n_first + (m_at * C_leading + n_at)], C_held[(j * (m_each / 8) + i) * 4 + r]);
        }
      }
    }
  }
}

// Bytes that a block has in shared memory.
template <typename E, typename T, int threads, int tile_m, int tile_n, int stages, int tile_k>
constexpr size_t shared_bytes() {
  return (size_t)(stages * ((tile_m + 64 - 1) / 64 * 64 * tile_k)) * sizeof(E) +
         (size_t)(stages * (tile_k * (((tile_n + threads / 128 - 1) / (threads / 128) + 64 - 1) / 64 * 64 * (threads / 128)))) * sizeof(E);
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename E, typename T, int threads, int tile_m, int tile_n, int stages, int tile_k>
cudaError_t run(void *workspace, size_t *workspace_bytes, const E *A, Index rows, Index columns, Index leading, const E *B, Index B_columns, Index B_leading, T *C, Index C_leading, cudaStream_t stream) {
  static_assert(threads >= 128 && threads <= 640 && threads % 128 == 0, "threads: threads per block, 128 to 640, a multiple of 128");
  static_assert(tile_m >= 64 && tile_m <= 256 && (tile_m == 64 || tile_m == 128 || tile_m == 256), "tile_m: elements of a block's tile, 64, 128 or 256");
  static_assert(tile_n >= 64 && tile_n <= 256 && (tile_n == 64 || tile_n == 128 || tile_n == 256), "tile_n: elements of a block's tile, 64, 128 or 256");
  static_assert(stages >= 3 && stages <= 8 && (stages == 3 || stages == 4 || stages == 5 || stages == 6 || stages == 8), "stages: panels in shared memory, 3, 4, 5, 6 or 8");
  static_assert(tile_k >= 32 && tile_k <= 64 && (tile_k == 32 || tile_k == 64), "tile_k: elements of a panel, 32 or 64");
  if (rows < 0 || columns < 0 || leading < 0 || B_columns < 0 || B_leading < 0 || C_leading < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: tiled (gemm.cdl:24), one part per block
  const Index p = (rows + tile_m - 1) / tile_m;
  const Index q = (B_columns + tile_n - 1) / tile_n;
  const Index tiles = p * q;
  if (tiles > 2147483647)
    return cudaErrorInvalidValue;
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  Boxes A_boxes = {};
  Boxes B_boxes = {};
  if (tiles > 0) {
    const bool wide = to_aligned(&A[0]) == 0 && (leading % (16 / (int)sizeof(E)) == 0) && make_boxes(&A_boxes, &A[0], columns, rows, leading, (tile_m + 64 - 1) / 64 * 64) && (to_aligned(&B[0]) == 0 && (B_leading % (16 / (int)sizeof(E)) == 0) && make_boxes(&B_boxes, &B[0], B_columns, columns, B_leading, tile_k));
    // early blocks would be put where there is room: several beside one another, none elsewhere
    const size_t shared = evenly_shared(shared_bytes<E, T, threads, tile_m, tile_n, stages, tile_k>(), tiles, 132, 232448);
    const cudaError_t allowed = ask_for_shared(wide ? gemm_blocks<E, T, threads, tile_m, tile_n, stages, tile_k, true> : gemm_blocks<E, T, threads, tile_m, tile_n, stages, tile_k, false>, shared);
    if (allowed != cudaSuccess) return allowed;
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)tiles), dim3(threads + (wide ? 32 : 0)), shared, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, wide ? gemm_blocks<E, T, threads, tile_m, tile_n, stages, tile_k, true> : gemm_blocks<E, T, threads, tile_m, tile_n, stages, tile_k, false>, q, p, rows, leading, B_columns, C_leading, columns, A_boxes, B_boxes, C, A, B, B_leading);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename E, typename T>
cudaError_t configured(const gemm_configuration *c, void *workspace, size_t *workspace_bytes, const E *A, Index rows, Index columns, Index leading, const E *B, Index B_columns, Index B_leading, T *C, Index C_leading, cudaStream_t stream) {
  const gemm_configuration own = {0, 0, 0, 0, 0, 0, 0, 0, 0};
  if (c == nullptr) c = &own;
#define RUN(THREADS, TILE_M, TILE_N, STAGES, TILE_K) if constexpr (shared_bytes<E, T, THREADS, TILE_M, TILE_N, STAGES, TILE_K>() <= 232448) if (serves(THREADS, c->threads) && serves(TILE_M, c->tile_m) && serves(TILE_N, c->tile_n) && serves(STAGES, c->stages) && serves(TILE_K, c->tile_k)) return run<E, T, THREADS, TILE_M, TILE_N, STAGES, TILE_K>(workspace, workspace_bytes, A, rows, columns, leading, B, B_columns, B_leading, C, C_leading, stream);
  GEMM_33EE31B2_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace gemm_33ee31b2

#define ROW(THREADS, TILE_M, TILE_N, STAGES, TILE_K) {THREADS, 0, 0, 0, STAGES, TILE_K, TILE_M, TILE_N, 0},
// Those that were compiled; zeros end them.
extern "C" const gemm_configuration gemm_33ee31b2_configurations[];
const gemm_configuration gemm_33ee31b2_configurations[] = {GEMM_33EE31B2_CONFIGURATIONS(ROW) {0, 0, 0, 0, 0, 0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t gemm_33ee31b2_tf32(const gemm_configuration *c, void *workspace, size_t *workspace_bytes, const float *A, uint64_t rows, uint64_t columns, uint64_t leading, const float *B, uint64_t B_columns, uint64_t B_leading, float *C, uint64_t C_leading, cudaStream_t stream) {
  return gemm_33ee31b2::configured<gemm_33ee31b2::tf32, float>(c, workspace, workspace_bytes, (const gemm_33ee31b2::tf32 *)A, (gemm_33ee31b2::Index)rows, (gemm_33ee31b2::Index)columns, (gemm_33ee31b2::Index)leading, (const gemm_33ee31b2::tf32 *)B, (gemm_33ee31b2::Index)B_columns, (gemm_33ee31b2::Index)B_leading, C, (gemm_33ee31b2::Index)C_leading, stream);
}
