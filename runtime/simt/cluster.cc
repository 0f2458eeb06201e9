// cluster.cc: blocks of one cluster: their barrier, and the shared memory of those that do not run.
//
// A kernel's text has one place for each shared variable. So the blocks of a cluster take turns: one runs until all its
// lanes have exited or wait; then the bytes of its shared variables are set apart, and another block's come in their
// place. A store to another block's shared memory goes to those that are set apart. The order of turns is drawn from
// the seed; what is a race does not depend on it. Blocks that are no cluster may take turns too (launch.cc).
#include <string.h>

#include "machine.h"

namespace simt {

unsigned block_rank, cluster_blocks = 1;

// ---- shared memory that is set apart ----

static std::vector<char> apart; // of each block of the cluster: a gap, a variable, a gap, ..
static size_t apart_bytes;      // of one block

void cluster_begin_launch(unsigned blocks) {
  cluster_blocks = blocks;
  const std::vector<Variable> &variables = *machine.variables;
  apart_bytes = variable_gap;
  if (!variables.empty()) {
    const Variable &last = variables.back();
    apart_bytes = last.offset + (last.end - last.begin + 15) / 16 * 16 + variable_gap;
  }
  if (blocks > 1) apart.assign(blocks * apart_bytes, (char)0xCD);
  else apart.clear();
}

static char *apart_of(const Block *b) { return apart.data() + b->slot * apart_bytes; }

bool cluster_make_room() {
  if (!apart.empty()) return false;
  apart.assign(most_begun * apart_bytes, (char)0xCD);
  return true;
}

void cluster_poison(const Block *b) {
  if (!apart.empty()) memset(apart_of(b), 0xCD, apart_bytes);
}

void cluster_enter(Block *b) {
  machine.block = b;
  block_index = b->index;
  block_rank = b->rank;
  if (apart.empty()) return;
  for (const Variable &v : *machine.variables) memcpy((void *)v.begin, apart_of(b) + v.offset, v.end - v.begin);
}

void cluster_suspend(Block *b) {
  if (apart.empty()) return;
  for (const Variable &v : *machine.variables) memcpy(apart_of(b) + v.offset, (void *)v.begin, v.end - v.begin);
}

Block *cluster_block_at(uintptr_t place, size_t *offset) {
  const uintptr_t begin = (uintptr_t)apart.data();
  if (place - begin >= apart.size()) return nullptr;
  *offset = (place - begin) % apart_bytes;
  return machine.blocks[(place - begin) / apart_bytes].get();
}

void *in_block(const void *place, unsigned rank, int line) {
  machine.running->line = line;
  const uintptr_t at = (uintptr_t)place;
  if (rank >= cluster_blocks) {
    report(CLUSTER, 0, 0, "thread %u of block %u asks for the shared memory of block %u of a cluster of %u",
           machine.running->number, machine.block->number, rank, cluster_blocks);
    machine.aborted = true;
    give_way();
  }
  if (rank == machine.block->rank) return (void *)place;
  for (const Variable &v : *machine.variables)
    if (at >= v.begin && at <= v.end) return apart.data() + rank * apart_bytes + v.offset + (at - v.begin);
  report(BOUNDS, 0, 0, "thread %u of block %u asks for another block's place of what is no shared variable",
         machine.running->number, machine.block->number);
  machine.aborted = true;
  give_way();
  return (void *)place;
}

// ---- the barrier ----

// in the phase that is not complete yet, of those that have not exited; lanes that have
static unsigned arrived, exited;

void cluster_begin() {
  machine.phases = 0;
  arrived = exited = 0;
  for (auto &times : machine.phase_released) times.assign((size_t)cluster_blocks * machine.lanes, 0);
}

// A phase is complete: who waits goes on, and knows what all had done when they arrived.
static void complete() {
  std::vector<Time> &released = machine.phase_released[++machine.phases & 1];
  Block *running = machine.block;
  arrived = 0;
  machine.now++;
  for (unsigned rank = 0; rank < cluster_blocks; rank++) {
    Block *b = machine.blocks[rank].get();
    machine.block = b; // whose list of ready lanes it is
    for (unsigned i = 0; i < machine.lanes; i++) {
      Lane &l = b->lane[i];
      released[rank * machine.lanes + i] = l.released;
      if (l.state != AT_CLUSTER) continue;
      l.arrived = false;
      l.seen = machine.phases;
      make_ready(&l);
    }
  }
  machine.block = running;
}

static void complete_if_all_came() {
  if (arrived && arrived + exited == cluster_blocks * machine.lanes) complete();
}

static void mismatch(const char *what, int line, const char *where) {
  report(CLUSTER, 0, 0, "thread %u of block %u %s at the cluster's barrier of line %d %s", machine.running->number,
         machine.block->number, what, line, where);
  machine.aborted = true;
}

void cluster_arrive(bool relaxed, int line) {
  Lane *self = machine.running;
  if (self->arrived) {
    mismatch("arrives", line, "again, without having waited there");
    give_way();
  }
  self->line = line;
  self->arrived = true;
  self->phase = machine.phases;
  if (!relaxed) self->released = ++machine.now;
  arrived++;
  complete_if_all_came();
}

void cluster_wait(int line) {
  Lane *self = machine.running;
  if (!self->arrived) {
    mismatch("waits", line, "without having arrived there");
    give_way();
  }
  self->line = line;
  if (self->phase < machine.phases) {
    self->arrived = false;
    self->seen = self->phase + 1;
    return;
  }
  self->state = AT_CLUSTER;
  give_way();
}

void cluster_leave(Lane *l) {
  if (l->arrived && l->phase == machine.phases) arrived--;
  exited++;
  complete_if_all_came();
}

bool cluster_orders(uint32_t lane, Time time) {
  const Lane &self = *machine.running;
  const uint32_t first = (machine.block->number - machine.block->rank) * machine.lanes, number = lane - first;
  if (!self.seen || lane < first || number >= cluster_blocks * machine.lanes) return false;
  return time < machine.phase_released[self.seen & 1][number];
}

} // namespace simt
