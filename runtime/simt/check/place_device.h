// place_device.h: a GPU: memory with red zones. Part of harness.cc.
namespace check {

constexpr size_t guard = 256;
enum { WORKSPACE_OFFSET = 0 };
enum { FUSES = true }; // does the compiler fuse products with sums? nvcc does, not told -fmad=false
enum { ENDS = false }; // can memory end where a page does?
static const uint64_t most_parts = UINT64_MAX; // of a problem, as many as there are elements
struct Place {
  char *begin, *block;
  size_t before;
};
static Place make_place(size_t bytes, int64_t offset, const char *) {
  Place p = {nullptr, nullptr, guard + (size_t)offset};
  if (cudaMalloc((void **)&p.block, p.before + bytes + guard) != cudaSuccess) return p;
  cudaMemset(p.block, 0x5A, p.before + bytes + guard);
  p.begin = p.block + p.before;
  return p;
}
static void fill(const Place &p, const void *from, size_t bytes) {
  cudaMemcpy(p.begin, from, bytes, cudaMemcpyHostToDevice);
}
static void poison(const Place &p, size_t bytes) { cudaMemset(p.begin, 0xFF, bytes); }
static void put(const Place &p, const void *from, size_t bytes) { fill(p, from, bytes); }
static void zero(const Place &p, size_t bytes) { cudaMemset(p.begin, 0, bytes); }
static bool holds(const Place &p, const void *wanted, size_t bytes) {
  std::vector<char> now(bytes + 1);
  cudaMemcpy(now.data(), p.begin, bytes, cudaMemcpyDeviceToHost);
  return memcmp(now.data(), wanted, bytes) == 0;
}
static bool is_intact(const Place &p, size_t bytes) {
  std::vector<unsigned char> before(p.before), after(guard);
  cudaMemcpy(before.data(), p.block, p.before, cudaMemcpyDeviceToHost);
  cudaMemcpy(after.data(), p.begin + bytes, guard, cudaMemcpyDeviceToHost);
  for (unsigned char c : before)
    if (c != 0x5A) return false;
  for (unsigned char c : after)
    if (c != 0x5A) return false;
  return true;
}
static void fetch(void *to, const Place &p, size_t bytes) { cudaMemcpy(to, p.begin, bytes, cudaMemcpyDeviceToHost); }
static void release(const std::vector<Place> &places) {
  for (const Place &p : places)
    if (p.block) cudaFree(p.block);
}

static const char *error_name(Error error) { return cudaGetErrorName(error); }
static const Error success = cudaSuccess, refusal = cudaErrorInvalidValue;

static void begin_setting(const Setting &) {}
static void begin_call(uint64_t) {}
static Error finish(Error error) { return error == cudaSuccess ? cudaDeviceSynchronize() : error; }
static int report_faults() { return 0; }
static void spoil(const Place &, size_t) {}
static const char *unrefused(const Entry &, const Operands &) { return nullptr; }
static bool takes_reals() { return true; }
static bool report_access(const void *) { return false; }
static void set_deadline(int seconds) { alarm((unsigned)seconds); }
// The variant's own configuration; and with 3 blocks.
static std::vector<Setting> settings_of(const Entry &, const Run &run, uint64_t, uint64_t) {
  return {{{0, 0, 0}, run.orders, 3, 0}};
}

static void prepare() {}

} // namespace check
