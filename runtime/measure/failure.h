// failure.h: what all measuring processes have: how one fails, and what a variant is called with.
#ifndef MEASURE_FAILURE_H
#define MEASURE_FAILURE_H

#include <cstdint>
#include <cstdlib>
#include <string>

struct Failure { std::string kind, text; };

// A library's struct of configurations: the members that all have, and room for those of codelets' own.
enum { MOST_OTHERS = 32 };
struct Configuration {
  int threads, loads;
  int64_t blocks;
  int others[MOST_OTHERS];
};

// Of "256,4,0,8": what the members are set to, in their order. False: there are more than there is room for.
static inline bool read_configuration(const char *text, Configuration *to) {
  char *at;
  *to = Configuration();
  to->threads = (int)strtol(text, &at, 10);
  if (*at == ',') to->loads = (int)strtol(at + 1, &at, 10);
  if (*at == ',') to->blocks = strtoll(at + 1, &at, 10);
  for (int i = 0; *at == ',' && i < MOST_OTHERS; i++) to->others[i] = (int)strtol(at + 1, &at, 10);
  return *at == 0;
}

#endif
