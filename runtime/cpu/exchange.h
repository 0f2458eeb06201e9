/* exchange.h: a permutation of a vector's lanes.
 *
 * Elements of 8 bytes fill two vectors: each half of the result is shuffled out of both. Elements of other sizes,
 * structs, and other compilers go element by element.
 *
 *   NUMBERS   T may be a number of 4 or 8 bytes
 */
#include "alone.h"
#ifndef NUMBERS
#define NUMBERS 1
#endif
// ---- pasted from here on ----

// Each lane takes another one's element: whose, say the lists of the first half of the lanes, and of the second.
#define LIST(...) __VA_ARGS__
#define EXCHANGE_ANY(to, from, low, high) do { \
    static const unsigned char whose[threads] = {LIST low, LIST high}; \
    for (int lane = 0; lane < threads; ++lane) (to)[lane] = (from)[whose[lane]]; \
  } while (0)
#if NUMBERS
#if defined __clang__ || (defined __GNUC__ && __GNUC__ >= 12)
#define EXCHANGE_4(to, from, low, high) do { \
    typedef T Vector __attribute__((vector_size(threads * sizeof(T)))); \
    Vector moved; \
    memcpy(&moved, from, sizeof moved); \
    moved = __builtin_shufflevector(moved, moved, LIST low, LIST high); \
    memcpy(to, &moved, sizeof moved); \
  } while (0)
#define EXCHANGE_8(to, from, low, high) do { \
    typedef T Vector __attribute__((vector_size(threads / 2 * sizeof(T)))); \
    Vector moved[2], own[2]; \
    memcpy(own, from, sizeof own); \
    moved[0] = __builtin_shufflevector(own[0], own[1], LIST low); \
    moved[1] = __builtin_shufflevector(own[0], own[1], LIST high); \
    memcpy(to, moved, sizeof moved); \
  } while (0)
#else
#define EXCHANGE_4 EXCHANGE_ANY
#define EXCHANGE_8 EXCHANGE_ANY
#endif
#endif
