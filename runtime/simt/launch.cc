// launch.cc: blocks, the turns that their lanes take, and block barriers.
//
// A block's lanes are `ready', or wait at a collective or at the barrier, or have exited. Whoever waits picks the next
// ready lane and switches to it; when none is ready, the launch's own stack resumes and sees why.
#include <string.h>
#include <sys/mman.h>

#include "machine.h"

extern "C" char __start_simt_shared[] __attribute__((weak));
extern "C" char __stop_simt_shared[] __attribute__((weak));

namespace simt {

Machine machine;
Position *current;
uint3 block_index;
dim3 block_size, grid_size;
Options options;

// ---- stacks ----

static char *stacks[max_lanes];
static unsigned free_stacks;
static char *all_stacks;
static Fiber launcher, abandoned;

// Each stack's lowest page is a guard: a lane that needs more crashes instead of writing over its neighbour's.
static void make_stacks() {
  if (all_stacks) return;
  size_t bytes = stack_bytes * (max_lanes + 1);
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  all_stacks = (char *)(((uintptr_t)memory + stack_bytes - 1) & ~(uintptr_t)(stack_bytes - 1));
  for (unsigned i = 0; i < max_lanes; i++) mprotect(all_stacks + i * stack_bytes, 4096, PROT_NONE);
}

static void free_all_stacks() {
  for (unsigned i = 0; i < max_lanes; i++) stacks[max_lanes - 1 - i] = all_stacks + i * stack_bytes;
  free_stacks = max_lanes;
}

// ---- turns ----

void make_ready(Lane *l) {
  l->state = RUNNABLE;
  machine.ready[machine.ready_count++] = l;
}

static Lane *take_ready() {
  unsigned i = options.shuffled ? random_below(machine.ready_count) : machine.ready_count - 1;
  Lane *l = machine.ready[i];
  machine.ready[i] = machine.ready[--machine.ready_count];
  return l;
}

static void make_current(Lane *l) {
  machine.running = l;
  current = l;
}

static void lane_main();

static void resume(Fiber *from, Lane *l) {
  make_current(l);
  if (l->state == FRESH) fiber_prepare(&l->fiber, stacks[--free_stacks], lane_main);
  l->state = RUNNABLE;
  fiber_switch(from, &l->fiber);
}

static void resume_launcher(Fiber *from) {
  make_current(nullptr);
  current = nullptr;
  fiber_switch(from, &launcher);
}

void give_way() {
  Lane *self = machine.running;
  if (machine.aborted || machine.ready_count == 0) {
    resume_launcher(&self->fiber);
    return;
  }
  Lane *next = take_ready();
  if (next == self) {
    self->state = RUNNABLE;
    return;
  }
  resume(&self->fiber, next);
}

static void release_barrier();

static void leave(Lane *l) {
  l->state = EXITED;
  machine.exited++;
  Warp &w = warp_of(*l);
  w.exited |= 1u << l->lane;
  for (unsigned i = 0; i < warp_lanes; i++)
    if ((w.waiting >> i & 1) && (w.call[i].mask >> l->lane & 1)) {
      report(MASK, 0, 0,
             "thread %u exited, but lane %u waits for it in a warp collective of line %d (mask %08x)",
             l->number, i, w.call[i].line, w.call[i].mask);
      machine.aborted = true;
      return;
    }
  if (machine.waiting && machine.waiting + machine.exited == machine.lanes) release_barrier();
}

// Runs lanes until the launch ends; a lane that exits leaves its stack to the next fresh one.
static void lane_main() {
  for (;;) {
    machine.run(machine.context);
    leave(machine.running);
    if (machine.aborted || machine.ready_count == 0) {
      resume_launcher(&abandoned);
      continue;
    }
    Lane *next = take_ready();
    if (next->state == FRESH) {
      make_current(next);
      next->state = RUNNABLE;
      continue;
    }
    stacks[free_stacks++] = fiber_stack();
    resume(&abandoned, next);
  }
}

// ---- the block's barrier ----

static void release_barrier() {
  machine.now++;
  machine.barrier_time = machine.now;
  unsigned waited = machine.waiting;
  machine.waiting = 0;
  int sum = machine.barrier_sum;
  for (unsigned i = 0; i < machine.lanes; i++) {
    Lane &l = machine.lane[options.shuffled ? i : machine.lanes - 1 - i];
    if (l.state != AT_BARRIER) continue;
    l.acquired |= machine.block_acquired;
    switch (machine.barrier_kind) {
      case BARRIER: break;
      case BARRIER_COUNT: l.result = sum; break;
      case BARRIER_AND: l.result = sum == (int)waited; break;
      case BARRIER_OR: l.result = sum != 0; break;
    }
    make_ready(&l);
  }
}

int barrier(Barrier kind, int predicate, int line) {
  Lane *self = machine.running;
  self->line = line;
  if (machine.waiting == 0) {
    machine.barrier_kind = kind;
    machine.barrier_line = line;
    machine.barrier_sum = 0;
  } else if (machine.barrier_line != line || machine.barrier_kind != kind) {
    report(DIVERGENCE, 0, 0, "block barrier diverges: thread %u is at line %d, others are at line %d",
           self->number, line, machine.barrier_line);
    machine.aborted = true;
  }
  machine.barrier_sum += predicate;
  machine.waiting++;
  self->state = AT_BARRIER;
  if (machine.waiting + machine.exited == machine.lanes) release_barrier();
  give_way();
  return self->result;
}

void after_grids() { machine.running->early = false; }

// ---- launches ----

static void begin_block(uint32_t number) {
  machine.block = number;
  block_index = {number % grid_size.x, number / grid_size.x % grid_size.y, number / (grid_size.x * grid_size.y)};
  machine.block_time = machine.barrier_time = ++machine.now;
  machine.block_acquired = false;
  machine.ready_count = machine.waiting = machine.exited = 0;
  free_all_stacks();
  for (unsigned i = 0; i * warp_lanes < machine.lanes; i++) {
    Warp &w = machine.warp[i];
    unsigned count = machine.lanes - i * warp_lanes;
    w.present = count >= warp_lanes ? 0xffffffffu : (1u << count) - 1;
    w.waiting = w.exited = 0;
    if (w.synced) memset(w.seen, 0, sizeof w.seen);
    w.synced = false;
  }
  for (unsigned i = 0; i < machine.lanes; i++) {
    Lane &l = machine.lane[i];
    l.index = {i % block_size.x, i / block_size.x % block_size.y, i / (block_size.x * block_size.y)};
    l.number = i;
    l.lane = i % warp_lanes;
    l.line = 0;
    l.acquired = false;
    l.early = machine.early;
    l.fence_barrier = 0;
    make_ready(&l);
    l.state = FRESH;
  }
  if (!options.shuffled)
    for (unsigned i = 0; i < machine.lanes; i++) machine.ready[i] = &machine.lane[machine.lanes - 1 - i];
  if (!options.hooked && __start_simt_shared)
    memset(__start_simt_shared, 0xCD, (size_t)(__stop_simt_shared - __start_simt_shared));
}

// Nobody is ready and not all have exited: the first few that wait say where.
static void report_deadlock() {
  machine.aborted = true;
  std::string who;
  int named = 0;
  for (unsigned i = 0; i < machine.lanes; i++) {
    const Lane &l = machine.lane[i];
    bool first = i == 0 || machine.lane[i - 1].state != l.state || machine.lane[i - 1].line != l.line;
    if (l.state == EXITED || !first || named == 3) continue;
    named++;
    who += (named > 1 ? "; thread " : "thread ") + std::to_string(i) + " waits at " +
           (l.state == AT_BARRIER ? "the block barrier" : "a warp collective") + " of line " + std::to_string(l.line);
  }
  report(DEADLOCK, 0, 0, "%s (%u of %u threads exited, %u at the barrier)", who.c_str(), machine.exited, machine.lanes,
         machine.waiting);
}

bool launch(const void *kernel, dim3 grid, dim3 block, size_t shared_bytes, void (*run)(void *), void *context, bool early) {
  size_t before = reports.size();
  machine.kernel = kernel;
  grid_size = grid;
  block_size = block;
  uint64_t lanes = (uint64_t)block.x * block.y * block.z, blocks = (uint64_t)grid.x * grid.y * grid.z;
  if (lanes == 0 || lanes > max_lanes || blocks == 0 || grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535 ||
      blocks * lanes > 0xffffffffu || shared_bytes != 0) {
    report(LAUNCH, 0, 0,
           "impossible launch: %u x %u x %u blocks of %u x %u x %u threads, %zu bytes of dynamic shared memory",
           grid.x, grid.y, grid.z, block.x, block.y, block.z, shared_bytes);
    return false;
  }
  make_stacks();
  if (machine.now > 0x80000000u) shadow_forget_times();
  machine.lanes = (unsigned)lanes;
  machine.run = run;
  machine.context = context;
  machine.aborted = false;
  machine.early = early;
  machine.random = options.seed * 0x9E3779B97F4A7C15ull | 1;
  for (int i = 0; i < 4; i++) random32();
  machine.launch_time = ++machine.now;
  machine.published.clear();
  machine.block_published.clear();
  shadow_begin_launch();

  std::vector<uint32_t> order(blocks);
  for (uint32_t i = 0; i < blocks; i++) order[i] = i;
  for (uint32_t i = (uint32_t)blocks; options.shuffled && i > 1; i--) std::swap(order[i - 1], order[random_below(i)]);
  for (size_t i = 0; i < order.size() && !machine.aborted; i++) {
    begin_block(order[i]);
    resume(&launcher, take_ready());
    if (!machine.aborted && machine.exited < machine.lanes) report_deadlock();
  }
  machine.running = nullptr;
  current = nullptr;
  return reports.size() == before;
}

} // namespace simt
