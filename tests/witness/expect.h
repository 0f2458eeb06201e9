// expect.h: what both programs of tests count failures by.
#ifndef TGC_TESTS_WITNESS_EXPECT_H
#define TGC_TESTS_WITNESS_EXPECT_H

#include <cstdio>
#include <sstream>
#include <vector>

#include "../../witness/entry.h"

inline int failures = 0;

template <typename T>
std::string shown(const T &x) { return (std::ostringstream() << x).str(); }
template <typename F>
std::string shown(const tgc::Number<F> &x) { return shown((long double)x.value()); }
template <typename T>
std::string shown(const std::vector<T> &x) {
  std::string all;
  for (const T &one : x) all += shown(one) + " ";
  return all;
}

inline void failed(const char *file, int line, const std::string &what) {
  if (++failures <= 20) std::printf("%s:%d: %s\n", file, line, what.c_str());
}
#define SAME(computed, expected) \
  do { \
    const auto &c_ = (computed); \
    const auto &e_ = (expected); \
    if (!(c_ == e_)) failed(__FILE__, __LINE__, #computed ": " + shown(c_) + ", not " + shown(e_) + situation()); \
  } while (0)
// What is wrong, in the words that are given.
#define THROWS(call, words) \
  do { \
    std::string said_ = "nothing"; \
    try { \
      (void)(call); \
    } catch (const tgc::Wrong &wrong) { \
      said_ = wrong.what(); \
    } \
    if (said_.find(words) == std::string::npos) failed(__FILE__, __LINE__, #call ": says " + said_); \
  } while (0)

// The choices of this run, for messages.
inline std::string situation() {
  const tgc::Choices &c = tgc::choices;
  return " (p = " + shown(c.tunables[0]) + (c.atomic ? ", atomic" : "") + ", " + shown(c.lanes) + " lanes of " +
         shown(c.vector) + ")";
}

// A compound codelet with several numbers of parts, with and without atomics.
template <typename F>
void with_parts(F f) {
  for (tgc::Index p : {1, 2, 3, 8})
    for (bool atomic : {false, true}) {
      tgc::choices = tgc::Choices{{p}, 0, atomic, 64, 32};
      f();
    }
  tgc::choices = tgc::Choices{};
}
// A cooperative one with several numbers of lanes, if they are enough for n elements.
template <typename F>
void with_lanes(tgc::Index n, F f) {
  for (const auto &[lanes, vector] : {std::pair{32, 32}, {64, 32}, {96, 32}, {64, 8}, {16, 16}}) {
    if (n > lanes) continue;
    tgc::choices = tgc::Choices{{3}, 0, false, lanes, vector};
    f();
  }
  tgc::choices = tgc::Choices{};
}

#endif
