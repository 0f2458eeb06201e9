// matrices.h: sparse matrices in CSR for benchmarks of spmv: made by name from a seed, or read from a Matrix Market file.
//
//   bcsstk18   11948 rows of 13 elements in the mean, near the diagonal: the shape of that matrix of stiffness
//   grid1024   5-point stencil on a grid of 1024 x 1024; grid2048: of 2048 x 2048
//   powerlaw   2^20 rows, 13 million elements anywhere; lengths of rows follow a power law, up to 2^16
//   rows500    131072 rows of 500 elements, near the diagonal
//   band:RxM   R rows of M elements in the mean, near the diagonal
//   law:RxM    R rows of M elements in the mean, anywhere; lengths of rows follow a power law, up to 2^16
//   few:RxM    R rows of M elements in the mean, anywhere; one in 20000, four at least, has 4000 times as many, up to 2^20
//   one:RxM    R rows, and all R * M elements in one of them, anywhere among 2^20 columns
//   empty:RxM  R rows of M elements in the mean, anywhere; nine of ten have none
//   ten:10xM   10 rows of M elements, half as many, and so on, anywhere among 2^20 columns
//   *.mtx      a file in coordinate format: real, integer or pattern; general, symmetric or skew-symmetric
//
// The same name and seed give the same matrix on any machine. Elements of a row are in the order of their columns.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "random.h"

namespace matrices {

using draws::Random;

struct Csr {
  int rows = 0, columns = 0;
  std::vector<int> offsets, column;
  std::vector<double> value;
  size_t elements() const { return column.size(); }
};

// Closes a row: its columns in their order, each once, and a value for each.
inline void close_row(Csr &m, std::vector<int> &of, Random &r) {
  std::sort(of.begin(), of.end());
  of.erase(std::unique(of.begin(), of.end()), of.end());
  for (int c : of) {
    m.column.push_back(c);
    m.value.push_back(r.value());
  }
  m.offsets.push_back((int)m.column.size());
  of.clear();
}

inline Csr empty(int rows, int columns, size_t elements) {
  Csr m;
  m.rows = rows;
  m.columns = columns;
  m.offsets.reserve((size_t)rows + 1);
  m.offsets.push_back(0);
  m.column.reserve(elements);
  m.value.reserve(elements);
  return m;
}

// `least' to `most' elements a row within `width' columns around the diagonal.
inline Csr banded(int rows, int least, int most, int width, uint64_t seed) {
  Random r(seed);
  Csr m = empty(rows, rows, (size_t)rows * (size_t)(least + most) / 2);
  std::vector<int> of;
  for (int i = 0; i < rows; i++) {
    const int many = least + (int)r.below((uint64_t)(most - least + 1));
    const int first = std::max(0, std::min(i - width / 2, rows - width));
    of.push_back(i);
    while ((int)of.size() < many) {
      of.push_back(first + (int)r.below((uint64_t)width));
      if ((int)of.size() < many) continue;
      std::sort(of.begin(), of.end());
      of.erase(std::unique(of.begin(), of.end()), of.end());
    }
    close_row(m, of, r);
  }
  return m;
}

inline Csr five_points(int side, uint64_t seed) {
  Random r(seed);
  Csr m = empty(side * side, side * side, (size_t)side * (size_t)side * 5);
  std::vector<int> of;
  for (int y = 0; y < side; y++)
    for (int x = 0; x < side; x++) {
      const int at = y * side + x;
      of.push_back(at);
      if (y > 0) of.push_back(at - side);
      if (x > 0) of.push_back(at - 1);
      if (x + 1 < side) of.push_back(at + 1);
      if (y + 1 < side) of.push_back(at + side);
      close_row(m, of, r);
    }
  return m;
}

// Lengths are proportional to (1 - u)^(-1 / exponent), in the mean `mean', at most `most'.
inline Csr power_law(int rows, double mean, int most, uint64_t seed) {
  const double exponent = 1.3;
  Random r(seed);
  std::vector<double> lengths((size_t)rows);
  for (double &x : lengths) x = std::pow(1 - r.unit(), -1 / exponent);
  double scale = 1;
  for (int turn = 0; turn < 40; turn++) {
    double sum = 0;
    for (double x : lengths) sum += std::min(x * scale, (double)most);
    scale *= mean * rows / sum;
  }
  Csr m = empty(rows, rows, (size_t)(mean * rows * 1.05));
  std::vector<int> of;
  for (double x : lengths) {
    for (int n = (int)(std::min(x * scale, (double)most) + r.unit()); n > 0; n--) of.push_back((int)r.below((uint64_t)rows));
    close_row(m, of, r);
  }
  return m;
}

// Rows of these lengths, anywhere among so many columns; the same column may come twice.
inline Csr of_lengths(const std::vector<int> &lengths, int columns, uint64_t seed) {
  Random r(seed);
  Csr m = empty((int)lengths.size(), columns, 0);
  std::vector<int> of;
  for (int length : lengths) {
    for (int n = 0; n < length; n++) of.push_back((int)r.below((uint64_t)columns));
    std::sort(of.begin(), of.end());
    for (int c : of) {
      m.column.push_back(c);
      m.value.push_back(r.value());
    }
    m.offsets.push_back((int)m.column.size());
    of.clear();
  }
  return m;
}

inline Csr few_long(int rows, int mean, uint64_t seed) {
  const int many = std::max(4, rows / 20000), most = 1 << 20;
  Random r(seed + 1);
  std::vector<int> lengths((size_t)rows);
  for (int &x : lengths) x = 1 + (int)r.below((uint64_t)(2 * mean - 1));
  for (int i = 0; i < many; i++)
    lengths[(size_t)r.below((uint64_t)rows)] = (int)std::min<int64_t>((int64_t)mean * 4000, most);
  return of_lengths(lengths, std::max(rows, 1000), seed);
}

inline Csr one_long(int rows, int mean, uint64_t seed) {
  std::vector<int> lengths((size_t)rows);
  lengths[(size_t)rows / 3] = rows * mean;
  return of_lengths(lengths, 1 << 20, seed);
}

inline Csr mostly_empty(int rows, int mean, uint64_t seed) {
  Random r(seed + 1);
  std::vector<int> lengths((size_t)rows);
  for (int &x : lengths)
    if (r.below(10) == 0) x = 1 + (int)r.below((uint64_t)(20 * mean - 1));
  return of_lengths(lengths, std::max(rows, 1000), seed);
}

inline Csr halving(int rows, int longest, uint64_t seed) {
  std::vector<int> lengths((size_t)rows);
  for (int &x : lengths) {
    x = longest;
    longest = (longest + 1) / 2;
  }
  return of_lengths(lengths, 1 << 20, seed);
}

// `many' elements a row, one or two columns apart, around the diagonal.
inline Csr wide_rows(int rows, int many, uint64_t seed) {
  Random r(seed);
  Csr m = empty(rows, rows, (size_t)rows * (size_t)many);
  std::vector<int> of;
  for (int i = 0; i < rows; i++) {
    int at = std::max(0, std::min(i - many / 2, rows - 2 * many));
    for (int k = 0; k < many; k++) {
      of.push_back(at);
      at += r.below(4) ? 1 : 2;
    }
    close_row(m, of, r);
  }
  return m;
}

// ---- Matrix Market ----

struct Entry {
  int row, column;
  double value;
};

struct Header {
  bool pattern = false, symmetric = false, skew = false;
};

inline std::runtime_error bad(const std::string &path, long line, const char *what) {
  return std::runtime_error(path + ":" + std::to_string(line) + ": " + what);
}

inline std::string lower(std::string s) {
  for (char &c : s) c = (char)std::tolower((unsigned char)c);
  return s;
}

inline Header header_of(const std::string &path, const std::string &line) {
  std::istringstream in(line);
  std::string mark, object, format, field, symmetry;
  in >> mark >> object >> format >> field >> symmetry;
  if (mark != "%%MatrixMarket" || lower(object) != "matrix") throw bad(path, 1, "this is no matrix in the Matrix Market format");
  field = lower(field);
  symmetry = lower(symmetry);
  if (lower(format) != "coordinate") throw bad(path, 1, "only the coordinate format is read");
  if (field != "real" && field != "integer" && field != "pattern") throw bad(path, 1, "only real, integer and pattern matrices are read");
  if (symmetry != "general" && symmetry != "symmetric" && symmetry != "skew-symmetric")
    throw bad(path, 1, "only general, symmetric and skew-symmetric matrices are read");
  return {field == "pattern", symmetry != "general", symmetry == "skew-symmetric"};
}

// Entries sorted into rows; what stands twice is added.
inline Csr of_entries(int rows, int columns, std::vector<Entry> &all) {
  std::sort(all.begin(), all.end(), [](const Entry &a, const Entry &b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  });
  Csr m = empty(rows, columns, all.size());
  size_t i = 0;
  for (int row = 0; row < rows; row++) {
    for (; i < all.size() && all[i].row == row; i++) {
      const bool again = i > 0 && all[i - 1].row == row && all[i - 1].column == all[i].column;
      if (again) m.value.back() += all[i].value;
      else {
        m.column.push_back(all[i].column);
        m.value.push_back(all[i].value);
      }
    }
    m.offsets.push_back((int)m.column.size());
  }
  return m;
}

inline Csr read(const std::string &path) {
  std::ifstream file(path);
  std::string line;
  if (!file || !std::getline(file, line)) throw std::runtime_error(path + ": cannot be read");
  const Header h = header_of(path, line);
  long number = 1, rows = 0, columns = 0, count = -1;
  std::vector<Entry> all;
  while (std::getline(file, line)) {
    number++;
    std::istringstream in(line);
    if (line[0] == '%' || line.find_first_not_of(" \t\r") == std::string::npos) continue;
    if (count < 0) {
      if (!(in >> rows >> columns >> count) || !(in >> std::ws).eof() || rows < 0 || columns < 0 || count < 0 ||
          rows >= INT32_MAX || columns > INT32_MAX || count > INT32_MAX / 2)
        throw bad(path, number, "this should be the numbers of rows, columns and entries");
      if (h.symmetric && rows != columns) throw bad(path, number, "a symmetric matrix that is not square");
      continue;
    }
    if (count == 0) throw bad(path, number, "there are more entries than the second line says");
    long i = 0, j = 0;
    double v = 1;
    if (!(in >> i >> j) || (!h.pattern && !(in >> v))) throw bad(path, number, "this should be a row, a column and a value");
    if (i < 1 || i > rows || j < 1 || j > columns) throw bad(path, number, "this element is outside of the matrix");
    all.push_back({(int)i - 1, (int)j - 1, v});
    if (h.symmetric && i != j) all.push_back({(int)j - 1, (int)i - 1, h.skew ? -v : v});
    count--;
  }
  if (count != 0) throw bad(path, number, "the file ends before its last entry");
  return of_entries((int)rows, (int)columns, all);
}

// By name, or from a file; throws std::runtime_error that says what is wrong.
inline Csr made(const std::string &name, uint64_t seed = 1) {
  if (name == "bcsstk18") return banded(11948, 3, 24, 1000, seed);
  if (name == "grid1024") return five_points(1024, seed);
  if (name == "grid2048") return five_points(2048, seed);
  if (name == "powerlaw") return power_law(1 << 20, 12.4, 1 << 16, seed);
  if (name == "rows500") return wide_rows(131072, 500, seed);
  int rows = 0, mean = 0;
  if (std::sscanf(name.c_str(), "band:%dx%d", &rows, &mean) == 2 && mean > 0 && rows / 4 >= mean && rows <= (1 << 30) / mean)
    return banded(rows, (mean + 1) / 2, mean + mean / 2, std::min(rows, std::max(1000, 4 * mean)), seed);
  if (std::sscanf(name.c_str(), "law:%dx%d", &rows, &mean) == 2 && mean > 0 && rows / 4 >= mean && rows <= (1 << 30) / mean)
    return power_law(rows, mean, 1 << 16, seed);
  const struct {
    const char *pattern;
    Csr (*of)(int, int, uint64_t);
  } skewed[] = {{"few:%dx%d", few_long}, {"one:%dx%d", one_long}, {"empty:%dx%d", mostly_empty}, {"ten:%dx%d", halving}};
  for (const auto &s : skewed)
    if (std::sscanf(name.c_str(), s.pattern, &rows, &mean) == 2 && rows > 0 && mean > 0 && rows <= (1 << 30) / mean)
      return s.of(rows, mean, seed);
  if (name.size() > 4 && name.substr(name.size() - 4) == ".mtx") return read(name);
  throw std::runtime_error("no matrix is named `" + name + "', and it is no .mtx file");
}

inline int longest_row(const Csr &m) {
  int longest = 0;
  for (int i = 0; i < m.rows; i++) longest = std::max(longest, m.offsets[(size_t)i + 1] - m.offsets[(size_t)i]);
  return longest;
}

} // namespace matrices
