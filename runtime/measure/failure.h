// failure.h: what all measuring processes have: how one fails, and what a variant is called with.
#ifndef MEASURE_FAILURE_H
#define MEASURE_FAILURE_H

#include <cstdint>
#include <string>

struct Failure { std::string kind, text; };

struct Configuration {
  int threads, loads;
  int64_t blocks;
};

#endif
