// warp.cc: collectives of a warp: the lanes of a mask meet at one call, exchange values, go on.
//
// Of them only __syncwarp orders memory; a shuffle does not, on the device either.
#include <string.h>

#include "machine.h"

namespace simt {

static const char *op_name(Collective op) {
  switch (op) {
    case SHUFFLE: case SHUFFLE_UP: case SHUFFLE_DOWN: case SHUFFLE_XOR: return "shuffle";
    case BALLOT: return "vote";
    case SYNC_WARP: return "__syncwarp";
    case PRODUCT: return "mma";
    default: return "warp reduction";
  }
}

static int lowest(unsigned mask) { return __builtin_ctz(mask); }

// What any lane of the mask has seen, all of them see from now on, and what they did up to now themselves.
static void join(Warp &w, unsigned mask) {
  Time seen[warp_lanes] = {0};
  Time now = ++machine.now;
  bool acquired = false;
  Lane *lanes = &machine.block->lane[(&w - machine.block->warp) * warp_lanes];
  unsigned phase = 0;
  if (mask != w.present)
    for (unsigned m = mask; m; m &= m - 1)
      for (unsigned j = 0; j < warp_lanes; j++)
        if (w.seen[lowest(m)][j] > seen[j]) seen[j] = w.seen[lowest(m)][j];
  for (unsigned m = mask; m; m &= m - 1) {
    seen[lowest(m)] = now;
    acquired |= lanes[lowest(m)].acquired;
    if (lanes[lowest(m)].seen > phase) phase = lanes[lowest(m)].seen;
  }
  for (unsigned m = mask; m; m &= m - 1) {
    memcpy(w.seen[lowest(m)], seen, sizeof seen);
    lanes[lowest(m)].acquired = acquired;
    lanes[lowest(m)].seen = phase;
  }
  w.synced = true;
}

static uint64_t combine(const Warp &w, unsigned mask, Collective op) {
  uint64_t total = w.call[lowest(mask)].value;
  if (op == BALLOT) {
    unsigned votes = 0;
    for (unsigned m = mask; m; m &= m - 1)
      if (w.call[lowest(m)].value) votes |= 1u << lowest(m);
    return votes;
  }
  for (unsigned m = mask & (mask - 1); m; m &= m - 1) {
    uint64_t v = w.call[lowest(m)].value;
    if (op == REDUCE_ADD) total += v;
    else if (op == REDUCE_MAX && (int64_t)v > (int64_t)total) total = v;
    else if (op == REDUCE_MIN && (int64_t)v < (int64_t)total) total = v;
    else if (op == REDUCE_AND) total &= v;
    else if (op == REDUCE_OR) total |= v;
    else if (op == REDUCE_XOR) total ^= v;
  }
  return total;
}

// The lane that `lane` reads from.
static int source(Collective op, int lane, int argument, int width) {
  int base = lane & ~(width - 1), from = lane;
  switch (op) {
    case SHUFFLE: return base + (argument & (width - 1));
    case SHUFFLE_UP: from = lane - argument; return from < base ? lane : from;
    case SHUFFLE_DOWN: from = lane + argument; return from >= base + width ? lane : from;
    default: from = lane ^ argument; return from >= base + width ? lane : from;
  }
}

static void shuffle(Warp &w, unsigned mask, Collective op, unsigned first_thread) {
  for (unsigned m = mask; m; m &= m - 1) {
    int lane = lowest(m);
    Warp::Call &c = w.call[lane];
    int from = source(op, lane, (int)c.argument, (int)c.width);
    if (from >= 0 && from < (int)warp_lanes && (mask >> from & 1)) {
      c.result = w.call[from].value;
      continue;
    }
    c.result = 0x7ff7dead7fc0deadull; // undefined on the device: a NaN as float and as double
    report(MASK, 0, 0, "thread %u reads lane %d, which is not in the mask %08x of the shuffle of line %d",
           first_thread + (unsigned)lane, from, mask, c.line);
  }
}

static void complete(Warp &w, unsigned mask, Collective op, unsigned first_thread) {
  if (op == SYNC_WARP) {
    join(w, mask);
  } else if (op == PRODUCT) {
    const Product *lanes[warp_lanes];
    for (unsigned lane = 0; lane < warp_lanes; lane++) lanes[lane] = (const Product *)w.call[lane].value;
    lanes[0]->multiply(lanes);
  } else if (op <= SHUFFLE_XOR) {
    shuffle(w, mask, op, first_thread);
  } else {
    uint64_t total = combine(w, mask, op);
    for (unsigned m = mask; m; m &= m - 1) w.call[lowest(m)].result = total;
  }
}

static bool is_possible(const Warp &w, const Lane &self, unsigned mask, unsigned width, int line) {
  unsigned missing = mask & ~w.present, gone = mask & w.exited;
  if (!(mask >> self.lane & 1))
    report(MASK, 0, 0, "thread %u, lane %u, is not in the mask %08x that it passes on line %d", self.number,
           self.lane, mask, line);
  else if (missing || gone)
    report(MASK, 0, 0, "the mask %08x that thread %u passes on line %d names lane %d, which %s", mask,
           self.number, line, lowest(missing ? missing : gone), missing ? "does not exist" : "has exited");
  else if (width == 0 || width > warp_lanes || (width & (width - 1)))
    report(MASK, 0, 0, "the width %u of the shuffle of line %d is no power of two up to 32", width, line);
  else return true;
  machine.aborted = true;
  return false;
}

// Do all lanes of the mask wait at the same call, with the same mask?
static bool agree(const Warp &w, const Lane &self, unsigned mask) {
  const Warp::Call &mine = w.call[self.lane];
  for (unsigned m = mask; m; m &= m - 1) {
    const Warp::Call &c = w.call[lowest(m)];
    if (c.op == mine.op && c.mask == mask && c.line == mine.line) continue;
    report(DIVERGENCE, 0, 0,
           "warp collectives diverge: thread %u is at the %s of line %d, mask %08x; its lane %d at the %s of "
           "line %d, mask %08x",
           self.number, op_name(mine.op), mine.line, mask, lowest(m), op_name(c.op), c.line, c.mask);
    machine.aborted = true;
    return false;
  }
  return true;
}

uint64_t collective(Collective op, unsigned mask, uint64_t value, unsigned argument, unsigned width, int line) {
  Lane *self = machine.running;
  Warp &w = warp_of(*self);
  self->line = line;
  machine.fruitless = 0;
  w.call[self->lane] = {op, line, mask, argument, width, value, 0};
  w.waiting |= 1u << self->lane;
  bool meets = is_possible(w, *self, mask, width, line) && (w.waiting & mask) == mask && agree(w, *self, mask);
  if (meets) {
    unsigned first = self->number - self->lane;
    complete(w, mask, op, first);
    w.waiting &= ~mask;
    for (unsigned m = mask; m; m &= m - 1)
      if (lowest(m) != (int)self->lane) make_ready(&machine.block->lane[first + (unsigned)lowest(m)]);
    if (!options.shuffled || mask == 1u << self->lane) return w.call[self->lane].result;
    make_ready(self); // another of them may go first
  } else self->state = AT_WARP;
  give_way();
  return w.call[self->lane].result;
}

} // namespace simt
