// arrays_data.h: random numbers on both sides, operands and results in turns, and their comparison on the device.
//
// Numbers are small whole ones, divided by 64 where the type has fractions: all sums of the sizes here are exact in
// float and in every order, so a result is right or wrong. The host reckons in double or in whole numbers.
#ifndef BENCH_ARRAYS_DATA_H
#define BENCH_ARRAYS_DATA_H

#include <algorithm>
#include <cstring>
#include <thread>
#include <type_traits>

#include "arrays.h"

namespace arrays {

// f(begin, end) on parts of 0 .. n - 1, by as many threads as the host has cores.
template <typename F> void in_parallel(uint64_t n, F f) {
  const uint64_t workers = std::max(1u, std::min(16u, std::thread::hardware_concurrency()));
  const uint64_t part = n / workers + 1;
  std::vector<std::thread> all;
  for (uint64_t begin = 0; begin < n; begin += part)
    all.emplace_back([=] { f(begin, std::min(n, begin + part)); });
  for (std::thread &t : all) t.join();
}

// The parts that n elements of each place are reckoned in: one where there are many places, to be shared by place.
enum { MANY_PLACES = 16, PARTS = 64 };
inline uint64_t part_of(uint64_t n, int places) {
  return std::max<uint64_t>(1, places >= MANY_PLACES || n < 1 << 16 ? n : (n + PARTS - 1) / PARTS);
}

// f(place, part, begin, end) on all parts of all places.
template <typename F> void in_parts(uint64_t n, int places, F f) {
  const uint64_t part = part_of(n, places), parts = (n + part - 1) / part;
  in_parallel(places * parts, [=](uint64_t first, uint64_t last) {
    for (uint64_t i = first; i < last; i++) {
      const uint64_t begin = i % parts * part;
      f((int)(i / parts), i % parts, begin, std::min(n, begin + part));
    }
  });
}

inline uint32_t scrambled(uint64_t i) {
  i = (i ^ (i >> 31)) * 0x7fb5d329728ea185ull;
  i = (i ^ (i >> 27)) * 0x81dadef4bc2dd44dull;
  return (uint32_t)(i >> 33);
}

// Whole numbers least .. most, the same at every run.
class Numbers {
 public:
  void need(uint64_t n, int least, int most, uint64_t seed) {
    if (n <= n_) return;
    n_ = n;
    all_.reset(new int16_t[n]);
    int16_t *to = all_.get();
    in_parallel(n, [=](uint64_t begin, uint64_t end) {
      for (uint64_t i = begin; i < end; i++)
        to[i] = (int16_t)(least + (int)(scrambled(i + (seed << 40)) % (uint32_t)(most - least + 1)));
    });
  }
  const int16_t *data() const { return all_.get(); }
  int operator[](uint64_t i) const { return all_[i]; }

 private:
  std::unique_ptr<int16_t[]> all_;
  uint64_t n_ = 0;
};

template <typename T> __global__ void widen(const int16_t *from, T *to, uint64_t n, float scale) {
  const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
  for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n; i += step) to[i] = (T)(from[i] * scale);
}

// As the numbers are, or as they lie pattern over the guards: floats may differ in the sign of zero alone.
template <typename T>
__global__ void compare(const T *found, const T *expected, uint64_t n, unsigned long long *wrong) {
  const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
  for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n; i += step)
    if (!(found[i] == expected[i])) atomicAdd(wrong, 1ull);
}

inline unsigned blocks_for(uint64_t n) { return (unsigned)std::max<uint64_t>(1, std::min<uint64_t>(1024, n / 256)); }

template <typename T> constexpr float scale_of() { return std::is_integral<T>::value ? 1.0f : 1.0f / 64; }

// An operand that is read: element i of the memory is numbers[i], whatever the shape.
template <typename T> class Input {
 public:
  Numbers numbers;
  Turns at_turns = {};

  Input(int least, int most, uint64_t seed) : least_(least), most_(most), seed_(seed) {}
  T *at(int place) const { return (T *)memory_.at() + at_turns.begin(place); }
  void lay_out(const Turns &t) {
    at_turns = t;
    if (t.all() <= filled_) return;
    numbers.need(t.all(), least_, most_, seed_);
    memory_.need(t.all() * sizeof(T));
    Memory raw(std::min<uint64_t>(t.all(), CHUNK) * sizeof(int16_t));
    for (uint64_t done = 0; done < t.all(); done += CHUNK) {
      const uint64_t n = std::min<uint64_t>(CHUNK, t.all() - done);
      CUDA(cudaMemcpy(raw.at(), numbers.data() + done, n * sizeof(int16_t), cudaMemcpyHostToDevice));
      CUDA(launch(widen<T>, blocks_for(n), 256, 0, false, (const int16_t *)raw.at(), (T *)memory_.at() + done, n,
                  scale_of<T>()));
    }
    CUDA(cudaDeviceSynchronize());
    filled_ = t.all();
  }
  // The number that element i of a place is made from.
  int number(int place, uint64_t i) const { return numbers[at_turns.begin(place) + i]; }

 private:
  enum : uint64_t { CHUNK = 1ull << 27 };
  int least_, most_;
  uint64_t seed_, filled_ = 0;
  Memory memory_;
};

// An operand that is written: poisoned beforehand, or begun with numbers of its own, then compared.
template <typename T> class Output {
 public:
  Turns at_turns = {};

  T *at(int place) const { return (T *)found_.at() + at_turns.begin(place); }
  // Room for it, and on the host for what is expected: guards hold the pattern already.
  void lay_out(const Turns &t, bool begun = false) {
    at_turns = t;
    found_.need(t.all() * sizeof(T));
    expected_.need(t.all() * sizeof(T));
    wrong_.need(sizeof(unsigned long long));
    if (begun) begin_.need(t.all() * sizeof(T));
    begun_ = begun;
    if (host_n_ < t.all()) host_.reset(new T[host_n_ = t.all()]);
    clear();
  }
  T *expected(int place) { return host_.get() + at_turns.begin(place); }
  void upload_expected() { upload(expected_); }
  // Where results are begun: what expected() holds now is what a first call finds. Then expected() is to be filled.
  void upload_begin() {
    upload(begin_);
    clear();
  }
  void poison(cudaStream_t stream) {
    const size_t bytes = at_turns.all() * sizeof(T);
    if (begun_) CUDA(cudaMemcpyAsync(found_.at(), begin_.at(), bytes, cudaMemcpyDeviceToDevice, stream));
    else CUDA(cudaMemsetAsync(found_.at(), POISON, bytes, stream));
  }
  uint64_t wrong(int places, cudaStream_t stream) {
    unsigned long long n = 0;
    CUDA(cudaMemsetAsync(wrong_.at(), 0, sizeof n, stream));
    const uint64_t all = places * at_turns.stride;
    CUDA(launch(compare<T>, blocks_for(all), 256, stream, false, (const T *)found_.at(), (const T *)expected_.at(), all,
                (unsigned long long *)wrong_.at()));
    CUDA(cudaMemcpyAsync(&n, wrong_.at(), sizeof n, cudaMemcpyDeviceToHost, stream));
    CUDA(cudaStreamSynchronize(stream));
    return n;
  }

 private:
  std::unique_ptr<T[]> host_;
  uint64_t host_n_ = 0;
  Memory found_, expected_, begin_, wrong_;
  bool begun_ = false;

  void clear() {
    char *host = (char *)host_.get();
    in_parallel(at_turns.all() * sizeof(T), [=](uint64_t b, uint64_t e) { std::memset(host + b, POISON, e - b); });
  }
  void upload(Memory &to) {
    CUDA(cudaMemcpy(to.at(), host_.get(), at_turns.all() * sizeof(T), cudaMemcpyHostToDevice));
    CUDA(cudaDeviceSynchronize()); // streams that do not wait for the default one follow
  }
};

} // namespace arrays

#endif
