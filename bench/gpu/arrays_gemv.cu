// arrays_gemv.cu: y = A x, against cublasSgemv, and, where a row's products are added one after the other, against such
// sums alone. -DBY_COLUMNS=1: A lies by columns.
#include <cublas_v2.h>

#include "arrays_ours.h"

#ifndef BY_COLUMNS
#define BY_COLUMNS 0
#endif

namespace arrays {
namespace {

using Element = Ours::Element<2>;
static_assert(std::is_same<Element, float>::value, "cublasSgemv is of floats");

// What that order costs, whatever the memory gives: a lane for each row, whose sums wait for one another.
__global__ void __launch_bounds__(128) add_in_order(float *out, uint64_t rows, uint64_t columns, float a, float x) {
  const uint64_t row = blockIdx.x * 128ull + threadIdx.x;
  float sum = 0;
  if (row < rows) {
#pragma unroll 16
    for (uint64_t column = 0; column < columns; column++) sum = fmaf(a, x, sum);
  }
  if (sum == 0.123f) *out = sum; // so that they are wanted
}

Shape matrix(uint64_t rows, uint64_t columns, uint64_t beyond = 0, int offset = 0) {
  Shape s;
  s.n = rows;
  s.m = columns;
  s.k = (BY_COLUMNS ? rows : columns) + beyond; // leading
  s.offset = offset;
  s.in_table = false;
  s.read = sizeof(Element) * ((double)rows * columns + columns);
  s.written = sizeof(Element) * (double)rows;
  s.name = std::to_string(rows) + "x" + std::to_string(columns) + (beyond ? " of " + std::to_string(s.k) : "") +
           (offset ? "+" + std::to_string(offset) : "");
  return s;
}

class Gemv : public Workload {
 public:
  explicit Gemv(const std::vector<int> &) {
    spectrum = TEXT(SPECTRUM);
    type = TEXT(TYPE);
    static const uint64_t sizes[][2] = {{0, 5},   {5, 0},    {1, 1},     {3, 7},      {33, 65},    {100, 1000},
                                        {1000, 100}, {257, 4097}, {4097, 33}, {3, 100003}, {100003, 3}, {512, 2048}};
    for (const auto &s : sizes) {
      checked.push_back(matrix(s[0], s[1]));
      checked.push_back(matrix(s[0], s[1], 3, 1));
    }
    checked.push_back(matrix(128, 32768));
    checked.push_back(matrix(32768, 128));
    timed.push_back(matrix(524288, 128));
    timed.push_back(matrix(128, 524288));
    for (Shape &s : timed) s.group = BY_COLUMNS ? "by columns" : "by rows";
    add_ours(candidates, [this](auto f) -> Call {
      return [this, f](void *w, size_t *b, int p, cudaStream_t s) {
        return f(w, b, a_.at(p), shape_.n, shape_.m, shape_.k, x_.at(p), y_.at(p), s);
      };
    });
    if (cublasCreate(&handle_) != CUBLAS_STATUS_SUCCESS) {
      std::fprintf(stderr, "cublasCreate failed\n");
      std::exit(3);
    }
    candidates.push_back(library(cublas_name().c_str(), [this](void *w, size_t *b, int p, cudaStream_t s) {
      *b = WORKSPACE;
      return w ? cublas(w, p, s) : cudaSuccess;
    }));
    Candidate order = library("order", [this](void *w, size_t *b, int, cudaStream_t s) {
      *b = sizeof(float);
      const unsigned blocks = (unsigned)((shape_.n + 127) / 128);
      return w ? launch(add_in_order, blocks, 128, s, false, (float *)w, shape_.n, shape_.m, 1.0f, 1.0f / 64)
               : cudaSuccess;
    });
    order.role = Role::bound;
    candidates.push_back(order);
  }
  ~Gemv() override { cublasDestroy(handle_); }

  void lay_out(const Shape &shape, int places) override {
    shape_ = shape;
    const uint64_t rows = shape.n, columns = shape.m, leading = shape.k;
    a_.lay_out(turns(leading * (BY_COLUMNS ? columns : rows), shape.offset, places));
    x_.lay_out(turns(columns, shape.offset ? 1 : 0, places));
    y_.lay_out(turns(rows, shape.offset ? 4 - shape.offset : 0, places));
    const double scale = (double)scale_of<Element>() * scale_of<Element>();
    for (int p = 0; p < places; p++) {
      const int16_t *a = a_.numbers.data() + a_.at_turns.begin(p), *x = x_.numbers.data() + x_.at_turns.begin(p);
      Element *expected = y_.expected(p);
      in_parallel(rows, [=](uint64_t begin, uint64_t end) {
        std::vector<int> sums(end - begin); // exact: 15 * 15 * 2^19 at most
        if (BY_COLUMNS) {
          for (uint64_t c = 0; c < columns; c++)
            for (uint64_t r = begin; r < end; r++) sums[r - begin] += a[c * leading + r] * x[c];
        } else {
          for (uint64_t r = begin; r < end; r++)
            for (uint64_t c = 0; c < columns; c++) sums[r - begin] += a[r * leading + c] * x[c];
        }
        for (uint64_t r = begin; r < end; r++) expected[r] = (Element)(sums[r - begin] * scale);
      });
    }
    y_.upload_expected();
  }
  void poison(cudaStream_t s) override { y_.poison(s); }
  uint64_t wrong(int places, cudaStream_t s) override { return y_.wrong(places, s); }

 private:
  enum { WORKSPACE = 32 << 20 };
  Shape shape_;
  Input<Element> a_{-15, 15, 1}, x_{-15, 15, 2};
  Output<Element> y_;
  cublasHandle_t handle_;

  static std::string cublas_name() {
    int number[3] = {0, 0, 0};
    const libraryPropertyType parts[] = {MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL};
    for (int i = 0; i < 3; i++) cublasGetProperty(parts[i], &number[i]);
    return "cuBLAS " + std::to_string(number[0]) + "." + std::to_string(number[1]) + "." + std::to_string(number[2]);
  }

  // Its matrices lie by columns: one by rows is the transposed of such a one.
  cudaError_t cublas(void *workspace, int p, cudaStream_t stream) {
    const float one = 1, zero = 0;
    const int rows = (int)shape_.n, columns = (int)shape_.m, leading = (int)shape_.k;
    cublasStatus_t status = cublasSetStream(handle_, stream);
    if (status == CUBLAS_STATUS_SUCCESS) status = cublasSetWorkspace(handle_, workspace, WORKSPACE);
    if (status == CUBLAS_STATUS_SUCCESS)
      status = cublasSgemv(handle_, BY_COLUMNS ? CUBLAS_OP_N : CUBLAS_OP_T, BY_COLUMNS ? rows : columns,
                           BY_COLUMNS ? columns : rows, &one, a_.at(p), leading, x_.at(p), 1, &zero, y_.at(p), 1);
    return status == CUBLAS_STATUS_SUCCESS ? cudaSuccess : cudaErrorUnknown;
  }
};

} // namespace

Workload *make_workload(const std::vector<int> &exponents) { return new Gemv(exponents); }

} // namespace arrays
