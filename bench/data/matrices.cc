// matrices.cc: prints what a matrix of matrices.h is like, or writes it as a Matrix Market file.
//
//   matrices NAME|FILE.mtx [--seed S] [--write FILE.mtx]
#include "matrices.h"

#include <cstdlib>
#include <new>

static int write(const matrices::Csr &m, const char *path) {
  FILE *f = std::fopen(path, "w");
  if (!f) {
    std::perror(path);
    return 1;
  }
  std::fprintf(f, "%%%%MatrixMarket matrix coordinate real general\n%d %d %zu\n", m.rows, m.columns, m.elements());
  for (int i = 0; i < m.rows; i++)
    for (int k = m.offsets[(size_t)i]; k < m.offsets[(size_t)i + 1]; k++)
      std::fprintf(f, "%d %d %.17g\n", i + 1, m.column[(size_t)k] + 1, m.value[(size_t)k]);
  const bool failed = std::ferror(f) != 0;
  if (std::fclose(f) != 0 || failed) {
    std::perror(path);
    std::remove(path);
    return 1;
  }
  return 0;
}

int main(int argc, char **argv) {
  const char *name = nullptr, *to = nullptr;
  uint64_t seed = 1;
  for (int i = 1; i < argc; i++) {
    const bool more = i + 1 < argc;
    if (more && !std::strcmp(argv[i], "--seed")) seed = std::strtoull(argv[++i], nullptr, 10);
    else if (more && !std::strcmp(argv[i], "--write")) to = argv[++i];
    else if (!name) name = argv[i];
    else name = "";
  }
  if (!name || !*name) {
    std::fprintf(stderr, "matrices NAME|FILE.mtx [--seed S] [--write FILE.mtx]\n");
    return 2;
  }
  try {
    const matrices::Csr m = matrices::made(name, seed);
    std::printf("%s: %d rows, %d columns, %zu elements, %.1f a row, at most %d\n", name, m.rows, m.columns, m.elements(),
                m.rows ? (double)m.elements() / m.rows : 0, matrices::longest_row(m));
    return to ? write(m, to) : 0;
  } catch (const std::runtime_error &e) {
    std::fprintf(stderr, "matrices: %s\n", e.what());
    return 1;
  } catch (const std::bad_alloc &) {
    std::fprintf(stderr, "matrices: %s: not enough memory\n", name);
    return 1;
  }
}
