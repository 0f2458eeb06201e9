// test.cc: a unit test of codelets, without tgc's compiler: max.cdl prepared by tgc-witness, executed by its headers.
//
//   tgc-witness ../max.cdl > max.hh
//   c++ -std=c++17 -g -I ../../witness test.cc -o test && ./test
//
// A debugger steps through the codelets' own lines: gdb -ex 'break max.cdl:31' -ex run ./test
#include <algorithm>
#include <cstdio>

#include "max.hh"

int main() {
  int wrong = 0;
  for (int n : {0, 1, 31, 32, 33, 100}) {
    tgc::Array<1, int> in(n);
    int want = tgc::lowest<int>();
    for (int i = 0; i < n; ++i) in[i] = (i * 7919 + 13) % 1000 - 500, want = std::max<int>(want, in[i]);
    for (int parts : {1, 2, 7, 32}) {
      tgc::choices.tunables = {parts};
      wrong += codelets::greatest__tiled<int>(in) != want;
      wrong += codelets::greatest__strided<int>(in) != want;
    }
    for (int lanes : {128, 256}) {
      tgc::choices.lanes = lanes;
      wrong += codelets::greatest__tree<int>(in) != want;
      wrong += codelets::greatest__shared<int>(in) != want;
    }
  }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
