// arrays.cc: stands in for a workload of bench/gpu/arrays.cu: candidates that take as long as is said of them, by a
// clock that is made up, on shapes of 2^16 elements and more, and on 2^16 elements in shapes of which the first is bad
// for the slow one. FAKE_WRONG makes one of them wrong, FAKE_CRASH ends the program and FAKE_HANG never where that one
// is tried; FAKE_SLOW is how many times as long as the best the slow one takes.
#include "arrays.h"

#define TEXT2(a) #a
#define TEXT(a) TEXT2(a)

namespace arrays {
namespace {

double from_environment(const char *name, double otherwise) {
  const char *value = std::getenv(name);
  return value ? std::atof(value) : otherwise;
}

class Waiting : public Workload {
 public:
  explicit Waiting(const std::vector<int> &exponents) {
    spectrum = TEXT(SPECTRUM);
    type = TEXT(TYPE);
    made_up_clock = true;
    checked.push_back(shape(10));
    checked.push_back(shape(20));
    for (int k : exponents)
      if (k >= 16) timed.push_back(shape(k));
    for (int k : exponents) {
      if (k < 16) continue;
      timed.push_back(shape(16));
      timed.back().group = "as many";
      timed.back().name = "2^" + std::to_string(k);
      timed.back().in_table = false;
      timed.back().m = k > 16;
    }
    const double slow = from_environment("FAKE_SLOW", 60);
    add(Role::ours, "ours", "", 2);
    add(Role::variant, "variant", "fast", 1);
    add(Role::variant, "variant", "slow", slow);
    add(Role::variant, "variant", "odd", 1.5);
    add(Role::library, "cub", "", 1.25);
  }
  void lay_out(const Shape &s, int) override { n_ = s.n, good_for_slow_ = s.m; }
  void poison(cudaStream_t) override { wrong_ = 0; }
  uint64_t wrong(int, cudaStream_t) override { return wrong_; }

 private:
  uint64_t n_ = 0, wrong_ = 0;
  bool good_for_slow_ = false;

  static Shape shape(int k) {
    Shape s;
    s.n = 1ull << k;
    s.name = "2^" + std::to_string(k);
    s.group = "waiting";
    s.read = s.written = 4.0 * s.n;
    s.key = 1ull << (k - 8);
    return s;
  }
  void add(Role role, const char *name, const char *id, double factor) {
    Candidate c;
    c.role = role;
    c.name = name;
    c.id = id;
    c.determinism = "run_to_run";
    c.threads = role == Role::variant ? 256 : 0;
    const bool odd = c.id == "odd", slow = c.id == "slow";
    c.call = [=](void *workspace, size_t *bytes, int, cudaStream_t) {
      *bytes = 1;
      if (!workspace) return cudaSuccess;
      if (odd && std::getenv("FAKE_CRASH")) std::abort();
      while (odd && std::getenv("FAKE_HANG")) {}
      wrong_ += odd && std::getenv("FAKE_WRONG");
      fake_launch([=] { work_for((slow && good_for_slow_ ? 1 : factor) * n_ / 16384); });
      return cudaSuccess;
    };
    candidates.push_back(c);
  }
};

} // namespace

Workload *make_workload(const std::vector<int> &exponents) { return new Waiting(exponents); }

} // namespace arrays
