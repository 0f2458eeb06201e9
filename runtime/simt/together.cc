// together.cc: a cooperative launch, whose blocks have all begun: what each knows of the others.
//
// Other launches take it that whoever did an atomic knows of all that was released by then or is later (shadow.cc).
// Blocks that meet again and again, as in a grid that waits for itself, would know too much so. So each word on which
// somebody does atomics has a clock, as each lane has: by block, before which time accesses come before. An atomic
// leaves there what its lane knew at its last fence; what it finds there the lane knows behind its next fence. At a
// barrier a block's lanes tell one another.
#include <unordered_map>

#include "machine.h"

namespace simt {

static std::unordered_map<const void *, Clock> clocks;

static void learn(Known *of, const Known &more) {
  if (more.all > of->all) of->all = more.all;
  if (more.one <= of->one) return;
  of->one = more.one;
  of->lane = more.lane;
}

static void learn(Clock *of, const Clock &more) {
  for (unsigned i = 0; i < most_begun; i++) learn(&of->block[i], more.block[i]);
}

void together_begin() { clocks.clear(); }

void together_begin_lane(Lane *l) { l->known = l->heard = l->fenced = Clock(); }

void together_fence() {
  Lane &self = *machine.running;
  learn(&self.known, self.heard);
  self.fenced = self.known;
  Known &own = self.fenced.block[machine.block->number];
  own.all = machine.block->barrier_time;
  own.one = ++machine.now;
  own.lane = self.number;
}

void together_atomic(const void *place) {
  Lane &self = *machine.running;
  Clock &there = clocks[place];
  learn(&self.heard, there);
  learn(&there, self.fenced);
}

void together_barrier(Block *b) {
  Clock all;
  for (unsigned i = 0; i < machine.lanes; i++) learn(&all, b->lane[i].known);
  for (unsigned i = 0; i < machine.lanes; i++) b->lane[i].known = all;
}

bool together_orders(uint32_t lane, Time time) {
  const Known &of = machine.running->known.block[lane / machine.lanes];
  return time < of.all || (lane % machine.lanes == of.lane && time < of.one);
}

} // namespace simt
