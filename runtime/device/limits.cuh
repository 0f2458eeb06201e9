// limits.cuh: the lowest and the highest value of a type, for host and device.
#include "alone.cuh"
// ---- pasted from here on ----

// The lowest and highest value of a type: infinities where it has them.
template <typename T> constexpr T lowest_value = std::numeric_limits<T>::has_infinity
                                                  ? -std::numeric_limits<T>::infinity()
                                                  : std::numeric_limits<T>::lowest();
template <typename T> constexpr T highest_value = std::numeric_limits<T>::has_infinity
                                                     ? std::numeric_limits<T>::infinity()
                                                     : std::numeric_limits<T>::max();
template <typename T> __host__ __device__ constexpr T lowest() { return lowest_value<T>; }
template <typename T> __host__ __device__ constexpr T highest() { return highest_value<T>; }
