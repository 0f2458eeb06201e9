// Places that threads of several blocks write and read: one of the values stays.
//
// mutant: plain store: atomicExch((typename Place<sizeof(T)>::Word *)to, bits.word) => *to = value
// mutant: plain load: atomicCAS((typename Place<sizeof(T)>::Word *)from, 0, 0) => *(typename Place<sizeof(T)>::Word *)from
// mutant: claims without an atomic: return atomicCAS((Word *)at, from.word, to.word) == from.word; => return *at == unset && ((*at = value), true);
// mutant: claims what is taken: to.word) == from.word => to.word) != to.word
#include "device_test.h"

#include "places.cuh"

template <typename T> __global__ void write_all(T *places, int n, int *wrong) {
  const int who = blockIdx.x * blockDim.x + threadIdx.x;
  const T seen = see_any(&places[who % n]);
  if (seen != 0 && ((int)seen - 1) % n != who % n) set_any(wrong, 1);
  set_any(&places[who % n], (T)(who + 1));
}

template <typename T> bool one_stays() {
  const int n = 7;
  T *places = zeroed<T>(n);
  int *wrong = zeroed<int>(1);
  if (!launched(write_all<T>, 3, 64, places, n, wrong) || *wrong) return false;
  for (int i = 0; i < n; i++)
    if (places[i] < 1 || ((int)places[i] - 1) % n != i) return false;
  return true;
}

// Of all who claim a place one does.
template <typename T> __global__ void claim_all(T *places, int n, int *claims) {
  const int who = blockIdx.x * blockDim.x + threadIdx.x;
  if (claim<T>(&places[who % n], 0, who + 1)) atomicAdd(&claims[who % n], 1);
}

template <typename T> bool one_claims() {
  const int n = 5;
  T *places = zeroed<T>(n);
  int *claims = zeroed<int>(n);
  if (!launched(claim_all<T>, 3, 64, places, n, claims)) return false;
  for (int i = 0; i < n; i++)
    if (claims[i] != 1 || ((int)places[i] - 1) % n != i) return false;
  return true;
}

int main() {
  return each_seed([] { return one_claims<int>() && one_claims<long long>() && one_stays<int>() && one_stays<float>() && one_stays<double>() && one_stays<long long>(); });
}
