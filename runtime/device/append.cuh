// append.cuh: queues (__append): each element gets a place of its own, in any order. The lanes of a warp that append at
// the same time take neighbouring places by one atomic. What there is no room for is counted, and not stored.
//
//   COLLECT append_here, append_held: the same by way of shared memory
//   RESERVE a lane takes places for several elements at once
#include "alone.cuh"
#ifndef RESERVE
#define RESERVE 1
#endif
#ifndef COLLECT
#define COLLECT 1
#endif
// ---- pasted from here on ----

// What counts is an integer of as many bytes.
template <int bytes> struct Counter;
template <> struct Counter<4> { typedef unsigned Word; };
template <> struct Counter<8> { typedef unsigned long long Word; };

// The next place: of so many, where they are counted.
template <typename Word> __device__ __forceinline__ Word next_place(Word *count) {
#ifdef __CUDA_ARCH__
  const unsigned lanes = __activemask(), before = lanes & ((1u << threadIdx.x % 32) - 1);
  Word at = 0;
  if (before == 0) at = atomicAdd(count, (Word)__popc(lanes));
  return __shfl_sync(lanes, at, __ffs((int)lanes) - 1) + (Word)__popc(before);
#else
  return atomicAdd(count, (Word)1);
#endif
}

template <typename T, typename C>
__device__ __forceinline__ void append(C *count, T value, T *queue, Index room) {
  const unsigned long long at = next_place((typename Counter<sizeof(C)>::Word *)count);
  if (at < (unsigned long long)room) queue[at] = value;
}
#if COLLECT

// Into the warp's share of `here', elements of the block's, of which held[warp] are taken; beyond it as above.
template <typename T, typename C>
__device__ __forceinline__ void append_here(int *held, T *here, int share, C *count, T value, T *queue, Index room) {
  const int warp = (int)threadIdx.x / 32, at = next_place(&held[warp]);
  if (at < share) here[warp * share + at] = value;
  else append<T>(count, value, queue, room);
}

// All lanes of the warp: what it has there goes to the queue, if it is enough.
template <typename T, typename C>
__device__ __forceinline__ void append_held(int *held, T *here, int share, int enough, C *count, T *queue, Index room) {
  typedef typename Counter<sizeof(C)>::Word Word;
  const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
  __syncwarp();
  const int many = held[warp] < share ? held[warp] : share;
  if (many >= enough) {
    Word first = 0;
    if (lane == 0) first = atomicAdd((Word *)count, (Word)many);
    first = __shfl_sync(0xffffffff, first, 0);
#pragma unroll 1
    for (int i = lane; i < many; i += 32)
      if (first + i < (unsigned long long)room) queue[first + i] = here[warp * share + i];
    __syncwarp();
    if (lane == 0) held[warp] = 0;
  }
  __syncwarp();
}
#endif
#if RESERVE

// A lane's places for so many elements: taken[1] of its warp's share of `here` from taken[0] on, and taken[3] of the
// queue's from taken[2] on, as far as it has room.
template <typename C> __device__ __forceinline__ void reserve(C *count, Index many, Index *taken, Index room) {
  typedef typename Counter<sizeof(C)>::Word Word;
  const Index at = many > 0 ? (Index)atomicAdd((Word *)count, (Word)many) : 0, left = at < room ? room - at : 0;
  taken[0] = taken[1] = 0;
  taken[2] = at;
  taken[3] = many < left ? many : left;
}
#if COLLECT

// What the share has no room for gets places of the queue.
template <typename C>
__device__ __forceinline__ void reserve_here(C *count, Index many, Index *taken, Index room, int *held, int share) {
  const int warp = (int)threadIdx.x / 32, at = many <= share ? atomicAdd(&held[warp], (int)many) : share;
  const Index left = at < share ? share - at : 0, here = many < left ? many : left;
  reserve(count, many - here, taken, room);
  taken[0] = warp * share + at;
  taken[1] = here;
}
#endif
#endif
