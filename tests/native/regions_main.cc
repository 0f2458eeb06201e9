// regions_main.cc: regions.c under many seeds and numbers of threads that are granted; sees that orders differ.
#include <stdio.h>
#include <string.h>

#include <set>
#include <string>

#include "openmp.h"

extern "C" int regions(bool broken);

static std::string order;
static int arrived;

static void arrive(void *) {
  const int i = __atomic_fetch_add(&arrived, 1, __ATOMIC_SEQ_CST);
  order[(size_t)i] = (char)('0' + openmp::number());
}

int main(int argc, char **argv) {
  std::set<std::string> orders;
  int complaints = 0;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    openmp::options.seed = seed;
    order = "....";
    arrived = 0;
    openmp::parallel(4, arrive, nullptr);
    orders.insert(order);
  }
  for (const char *wanted : {"0123", "3210"})
    if (!orders.count(wanted)) complaints++, printf("no seed gives the order %s\n", wanted);
  if (orders.size() < 8) complaints++, printf("%zu orders only\n", orders.size());
  for (int granted : {0, 1, 3}) {
    openmp::options.granted = granted;
    complaints += regions(argc > 1 && strcmp(argv[1], "broken") == 0);
  }
  printf("%zu orders, %d complaints\n", orders.size(), complaints);
  return complaints != 0;
}
