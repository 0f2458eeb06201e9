/* exchange.h: a permutation of a vector's lanes.
 *
 * Elements of 8 bytes fill two vectors: each half of the result is shuffled out of both. Elements of other sizes,
 * structs, and other compilers go element by element. */
#include "alone.h"
// ---- pasted from here on ----

// Each lane takes another one's element: whose, say the lists of the first half of the lanes, and of the second.
#define LIST(...) __VA_ARGS__
#define EXCHANGE_ANY(to, from, low, high) do { \
    static const unsigned char whose[threads] = {LIST low, LIST high}; \
    for (int lane = 0; lane < threads; ++lane) (to)[lane] = (from)[whose[lane]]; \
  } while (0)
#if defined __clang__ || (defined __GNUC__ && __GNUC__ >= 12)
#define EXCHANGE_4(to, from, low, high) do { \
    typedef __typeof__(*(to)) Element; \
    typedef Element Vector __attribute__((vector_size(threads * sizeof(Element)))); \
    Vector lanes_moved; \
    memcpy(&lanes_moved, from, sizeof lanes_moved); \
    lanes_moved = __builtin_shufflevector(lanes_moved, lanes_moved, LIST low, LIST high); \
    memcpy(to, &lanes_moved, sizeof lanes_moved); \
  } while (0)
#define EXCHANGE_8(to, from, low, high) do { \
    typedef __typeof__(*(to)) Element; \
    typedef Element Vector __attribute__((vector_size(threads / 2 * sizeof(Element)))); \
    Vector lanes_moved[2], lanes_given[2]; \
    memcpy(lanes_given, from, sizeof lanes_given); \
    lanes_moved[0] = __builtin_shufflevector(lanes_given[0], lanes_given[1], LIST low); \
    lanes_moved[1] = __builtin_shufflevector(lanes_given[0], lanes_given[1], LIST high); \
    memcpy(to, lanes_moved, sizeof lanes_moved); \
  } while (0)
#else
#define EXCHANGE_4 EXCHANGE_ANY
#define EXCHANGE_8 EXCHANGE_ANY
#endif
