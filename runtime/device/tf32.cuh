// tf32.cuh: the elements of --types tf32: floats in memory, of which a matrix unit multiplies the first 10 bits behind the
// point. The default constructor is trivial, as shared memory needs.
#include "alone.cuh"
// ---- pasted from here on ----
// A float that a matrix unit multiplies as the nearest number with 10 bits behind the point; anything else reads all of it.
struct tf32 {
  float value;
  tf32() = default;
  __host__ __device__ constexpr explicit tf32(float x) : value(x) {}
  __host__ __device__ constexpr operator float() const { return value; }
};
