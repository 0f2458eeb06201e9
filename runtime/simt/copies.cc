// copies.cc: what a lane has left to copy, by groups. PTX makes a copy at any time up to the wait for its group: here at
// once, or then, as drawn.
#include "machine.h"

namespace simt {

void copy_later(const Copy &c) {
  if (options.shuffled && random_below(2)) c.make(c.to, c.from, c.many);
  else machine.running->copies.push_back({c, machine.running->groups});
}

void close_copies() { machine.running->groups++; }

void await_copies(int groups) {
  Lane *self = machine.running;
  size_t left = 0;
  for (size_t i = 0; i < self->copies.size(); i++) {
    const LateCopy c = self->copies[i];
    if (c.group + (unsigned)groups < self->groups) c.copy.make(c.copy.to, c.copy.from, c.copy.many);
    else self->copies[left++] = c;
  }
  self->copies.resize(left);
}

} // namespace simt
