// launch.cc: blocks, the turns that their lanes take, and block barriers.
//
// A block's lanes are `ready', or wait at a collective or at the barrier, or have exited. Whoever waits picks the next
// ready lane and switches to it; when none is ready, the launch's own stack resumes and sees why.
//
// A block runs to its end before the next one begins, unless one of its lanes does an atomic on the device: there it
// may be another block's turn. A few have begun at a time, as on a machine that has room for no more: a block that
// waits for one that has not begun may wait for ever.
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

static std::vector<char *> stacks; // those that are free
static char *all_stacks;
static unsigned stack_count;
static Fiber launcher, abandoned;

// Each stack's lowest page is a guard: a lane that needs more crashes instead of writing over its neighbour's.
static void make_stacks(unsigned count) {
  if (stack_count >= count) return;
  if (all_stacks) munmap(all_stacks, stack_bytes * stack_count);
  size_t bytes = stack_bytes * (count + 1);
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  all_stacks = (char *)(((uintptr_t)memory + stack_bytes - 1) & ~(uintptr_t)(stack_bytes - 1));
  stack_count = count;
  for (unsigned i = 0; i < count; i++) mprotect(all_stacks + i * stack_bytes, 4096, PROT_NONE);
}

static void free_stacks(unsigned count) {
  stacks.clear();
  for (unsigned i = count; i > 0; i--) stacks.push_back(all_stacks + (i - 1) * stack_bytes);
}

static char *take_stack() {
  char *stack = stacks.back();
  stacks.pop_back();
  return stack;
}

// ---- turns ----

void make_ready(Lane *l) {
  l->state = RUNNABLE;
  Block *b = l->block;
  b->ready[b->ready_count++] = l;
}

static Lane *take_ready() {
  Block *b = machine.block;
  unsigned i = options.shuffled ? random_below(b->ready_count) : b->ready_count - 1;
  Lane *l = b->ready[i];
  b->ready[i] = b->ready[--b->ready_count];
  return l;
}

static void make_current(Lane *l) {
  machine.running = l;
  current = l;
}

static void lane_main();

static void resume(Fiber *from, Lane *l) {
  make_current(l);
  if (l->state == FRESH) fiber_prepare(&l->fiber, take_stack(), lane_main);
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
  if (machine.aborted || machine.block->ready_count == 0) {
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

void step_aside() {
  if (machine.aborted) return give_way();
  Lane *self = machine.running;
  Block *b = self->block;
  make_ready(self);
  if (!options.shuffled) { // the last of the list is taken: it goes to the first place
    memmove(b->ready + 1, b->ready, (b->ready_count - 1) * sizeof *b->ready);
    b->ready[0] = self;
  }
  resume_launcher(&self->fiber);
}

constexpr unsigned most_fruitless = 1 << 22, now_and_then = 1 << 6;

void look_again(const void *place, uintptr_t at) {
  const bool waits = machine.together && !machine.block->ready_count; // for another block
  if (++machine.fruitless % now_and_then && !waits) return;
  if (machine.fruitless < most_fruitless) return step_aside();
  const Region *r = region_near((uintptr_t)place);
  const long long offset = r ? (long long)((uintptr_t)place - r->begin) : 0;
  report(DEADLOCK, at, 0,
         "thread %u of block %u waits for a change of %s memory+%lld, and no thread that has started makes one",
         machine.running->number, machine.block->number, in_arena((uintptr_t)place) ? "global" : "shared", offset);
  machine.aborted = true;
  give_way();
}

static void release_barrier();

static void leave(Lane *l) {
  Block *b = l->block;
  l->state = EXITED;
  b->exited++;
  machine.fruitless = 0;
  cluster_leave(l);
  if (b->exited == machine.lanes) {
    panels_end(b);
    shadow_end_block(b);
  }
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
  if (b->waiting && b->waiting + b->exited == machine.lanes) release_barrier();
}

// Runs lanes until the launch ends; a lane that exits leaves its stack to the next fresh one.
static void lane_main() {
  for (;;) {
    machine.run(machine.context);
    leave(machine.running);
    if (machine.aborted || machine.block->ready_count == 0) {
      stacks.push_back(fiber_stack()); // free as soon as the launcher runs
      resume_launcher(&abandoned);
    }
    Lane *next = take_ready();
    if (next->state == FRESH) {
      make_current(next);
      next->state = RUNNABLE;
      continue;
    }
    stacks.push_back(fiber_stack());
    resume(&abandoned, next);
  }
}

// ---- the block's barrier ----

static void release_barrier() {
  Block *b = machine.block;
  b->barrier_time = ++machine.now;
  unsigned waited = b->waiting, seen = 0;
  b->waiting = 0;
  b->unfenced = false;
  for (unsigned i = 0; i < machine.lanes; i++) b->unfenced |= b->lane[i].unfenced;
  int sum = b->barrier_sum;
  for (unsigned i = 0; i < machine.lanes; i++)
    if (b->lane[i].state == AT_BARRIER && b->lane[i].seen > seen) seen = b->lane[i].seen;
  if (machine.together) together_barrier(b);
  for (unsigned i = 0; i < machine.lanes; i++) {
    Lane &l = b->lane[options.shuffled ? i : machine.lanes - 1 - i];
    if (l.state != AT_BARRIER) continue;
    l.acquired |= b->acquired;
    l.seen = seen;
    switch (b->barrier_kind) {
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
  Block *b = machine.block;
  self->line = line;
  machine.fruitless = 0;
  if (b->waiting == 0) {
    b->barrier_kind = kind;
    b->barrier_line = line;
    b->barrier_sum = 0;
  } else if (b->barrier_line != line || b->barrier_kind != kind) {
    report(DIVERGENCE, 0, 0, "block barrier diverges: thread %u is at line %d, others are at line %d",
           self->number, line, b->barrier_line);
    machine.aborted = true;
  }
  b->barrier_sum += predicate;
  b->waiting++;
  self->state = AT_BARRIER;
  if (b->waiting + b->exited == machine.lanes) release_barrier();
  give_way();
  return self->result;
}

void after_grids() { machine.running->early = false; }

// ---- launches ----

static void begin_lanes(Block *b) {
  for (unsigned i = 0; i * warp_lanes < machine.lanes; i++) {
    Warp &w = b->warp[i];
    unsigned count = machine.lanes - i * warp_lanes;
    w.present = count >= warp_lanes ? 0xffffffffu : (1u << count) - 1;
    w.waiting = w.exited = 0;
    if (w.synced) memset(w.seen, 0, sizeof w.seen);
    w.synced = false;
  }
  for (unsigned i = 0; i < machine.lanes; i++) {
    Lane &l = b->lane[i];
    l.block = b;
    l.index = {i % block_size.x, i / block_size.x % block_size.y, i / (block_size.x * block_size.y)};
    l.number = i;
    l.lane = i % warp_lanes;
    l.line = 0;
    l.acquired = l.arrived = false;
    l.early = machine.early;
    l.seen = 0;
    l.released = 0;
    l.fence_barrier = 0;
    l.copies.clear();
    l.products.clear();
    l.panels.clear();
    l.deliveries.clear();
    l.groups = l.product_groups = 0;
    l.unfenced = l.opened = false;
    if (machine.together) together_begin_lane(&l);
    make_ready(&l);
    l.state = FRESH;
  }
  if (!options.shuffled)
    for (unsigned i = 0; i < machine.lanes; i++) b->ready[i] = &b->lane[machine.lanes - 1 - i];
}

static Block *begin_block(uint32_t number, unsigned rank, unsigned slot) {
  if (!machine.blocks[slot]) machine.blocks[slot].reset(new Block());
  Block *b = machine.blocks[slot].get();
  b->number = number;
  b->rank = rank;
  b->slot = slot;
  machine.fruitless = 0;
  b->index = {number % grid_size.x, number / grid_size.x % grid_size.y, number / (grid_size.x * grid_size.y)};
  b->born = b->barrier_time = ++machine.now;
  b->acquired = b->unfenced = false;
  for (Panel &p : b->panels) p.late.clear();
  b->copies_of_panel = 0;
  b->ready_count = b->waiting = b->exited = 0;
  begin_lanes(b);
  shadow_begin_block(b);
  return b;
}

static const char *what_it_waits_at(State s) {
  return s == AT_BARRIER ? "the block barrier" : s == AT_CLUSTER ? "the cluster's barrier" : "a warp collective";
}

// Nobody is ready and not all have exited: the first few that wait say where.
static void report_deadlock(const Block *b) {
  machine.aborted = true;
  std::string who;
  int named = 0;
  for (unsigned i = 0; i < machine.lanes; i++) {
    const Lane &l = b->lane[i];
    bool first = i == 0 || b->lane[i - 1].state != l.state || b->lane[i - 1].line != l.line;
    if (l.state == EXITED || !first || named == 3) continue;
    named++;
    who += (named > 1 ? "; thread " : "thread ") + std::to_string(i) + " waits at " + what_it_waits_at(l.state) +
           " of line " + std::to_string(l.line);
  }
  std::string which = cluster_blocks > 1 ? " of block " + std::to_string(b->number) : "";
  report(DEADLOCK, 0, 0, "%s (%u of %u threads%s exited, %u at the barrier)", who.c_str(), b->exited, machine.lanes,
         which.c_str(), b->waiting);
}

// A block of the cluster that can go on; nullptr: none can.
static Block *take_block() {
  Block *can[max_cluster];
  unsigned n = 0;
  for (unsigned i = 0; i < cluster_blocks; i++)
    if (machine.blocks[i]->ready_count) can[n++] = machine.blocks[i].get();
  return n == 0 ? nullptr : can[options.shuffled && n > 1 ? random_below(n) : 0];
}

// How many blocks there is room for: drawn, since a block that waits for one that has not begun needs room for both.
static unsigned blocks_with_room(uint64_t blocks) {
  const unsigned most = machine.together                       ? most_begun
                        : options.by_turns && options.shuffled ? 1 + random_below(most_begun)
                                                               : 1;
  return blocks < most ? (unsigned)blocks : most;
}

// What nothing watches is at least no zero.
static void poison_shared() {
  if (!options.hooked && __start_simt_shared)
    memset(__start_simt_shared, 0xCD, (size_t)(__stop_simt_shared - __start_simt_shared));
}

static void run_cluster(uint32_t first) {
  free_stacks(machine.lanes * cluster_blocks);
  cluster_begin();
  for (unsigned rank = 0; rank < cluster_blocks; rank++) begin_block(first + rank, rank, rank);
  poison_shared();
  while (Block *b = machine.aborted ? nullptr : take_block()) {
    cluster_enter(b);
    resume(&launcher, take_ready());
    cluster_suspend(b);
  }
  for (unsigned i = 0; i < cluster_blocks && !machine.aborted; i++)
    if (machine.blocks[i]->exited < machine.lanes) report_deadlock(machine.blocks[i].get());
}

// The blocks that have begun and not ended, where they are no cluster.
struct Begun {
  Block *block[most_begun];
  unsigned n = 0;
  bool slot_taken[most_begun] = {};
};

static void begin_another(Begun *begun, uint32_t number) {
  if (begun->n == 0) {
    cluster_begin();
    poison_shared();
  } else {
    if (cluster_make_room()) cluster_suspend(begun->block[0]); // which had it to itself
  }
  unsigned slot = 0;
  while (begun->slot_taken[slot]) slot++;
  begun->slot_taken[slot] = true;
  begun->block[begun->n++] = begin_block(number, 0, slot);
  cluster_poison(begun->block[begun->n - 1]);
}

static void take_turn(Begun *begun, unsigned i) {
  Block *b = begun->block[i];
  cluster_enter(b);
  resume(&launcher, take_ready());
  cluster_suspend(b);
  if (machine.aborted) return;
  if (b->exited == machine.lanes) {
    begun->slot_taken[b->slot] = false;
    begun->block[i] = begun->block[--begun->n];
  } else if (b->ready_count == 0) report_deadlock(b);
}

// In that order, each to its end, unless it steps aside.
static void run_blocks(const std::vector<uint32_t> &order) {
  Begun begun;
  const unsigned most = blocks_with_room(order.size());
  make_stacks(machine.lanes * most);
  free_stacks(machine.lanes * most);
  size_t next = 0;
  while (!machine.aborted && (begun.n > 0 || next < order.size())) {
    const bool more = begun.n < most && next < order.size();
    if (begun.n == 0 || (more && random_below(4))) {
      begin_another(&begun, order[next++]);
      take_turn(&begun, begun.n - 1);
    } else { // the youngest more often, so that older ones fall behind
      take_turn(&begun, begun.n > 1 && random_below(4) == 0 ? random_below(begun.n) : begun.n - 1);
    }
  }
}

// What a launch may ask for without permission (cudaFuncSetAttribute).
constexpr size_t declared_shared = 49152;

static bool is_possible(dim3 grid, uint64_t blocks, uint64_t lanes, size_t shared_bytes, dim3 cluster) {
  if (lanes == 0 || lanes > max_lanes || blocks == 0 || grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535)
    return false;
  if (cluster.x == 0 || cluster.x > max_cluster || cluster.y != 1 || cluster.z != 1 || grid.x % cluster.x) return false;
  const auto asked = machine.allowed.find(machine.kernel);
  const size_t allowed = asked == machine.allowed.end() || asked->second < declared_shared ? declared_shared : asked->second;
  return blocks * lanes <= 0xffffffffu && shared_bytes <= allowed;
}

unsigned blocks_at_once() { return options.by_turns ? most_begun : 1; }

bool launch(const void *kernel, dim3 grid, dim3 block, size_t shared_bytes, void (*run)(void *), void *context,
            bool early, dim3 cluster, bool together) {
  size_t before = reports.size();
  if (options.refuses && options.refuses()) return false;
  machine.kernel = kernel;
  grid_size = grid;
  block_size = block;
  uint64_t lanes = (uint64_t)block.x * block.y * block.z, blocks = (uint64_t)grid.x * grid.y * grid.z;
  if (together && blocks > blocks_at_once()) {
    report(LAUNCH, 0, 0, "impossible launch: %u blocks, of which %u run at once, wait for one another", grid.x,
           blocks_at_once());
    return false;
  }
  if (!is_possible(grid, blocks, lanes, shared_bytes, cluster)) {
    report(LAUNCH, 0, 0,
           "impossible launch: %u x %u x %u blocks of %u x %u x %u threads, %zu bytes of dynamic shared memory, "
           "clusters of %u x %u x %u blocks",
           grid.x, grid.y, grid.z, block.x, block.y, block.z, shared_bytes, cluster.x, cluster.y, cluster.z);
    return false;
  }
  make_stacks((unsigned)lanes * cluster.x);
  if (machine.now > 0x80000000u) shadow_forget_times();
  machine.lanes = (unsigned)lanes;
  machine.run = run;
  machine.context = context;
  machine.aborted = false;
  machine.early = early;
  machine.together = together;
  if (together) together_begin();
  machine.random = options.seed * 0x9E3779B97F4A7C15ull | 1;
  for (int i = 0; i < 4; i++) random32();
  machine.launch_time = ++machine.now;
  machine.published.clear();
  machine.block_published.clear();
  shadow_begin_launch();
  cluster_begin_launch(cluster.x);

  std::vector<uint32_t> order(blocks / cluster.x);
  for (uint32_t i = 0; i < order.size(); i++) order[i] = i * cluster.x;
  for (uint32_t i = (uint32_t)order.size(); options.shuffled && i > 1; i--)
    std::swap(order[i - 1], order[random_below(i)]);
  if (cluster_blocks == 1) run_blocks(order);
  for (size_t i = 0; cluster_blocks > 1 && i < order.size() && !machine.aborted; i++) run_cluster(order[i]);
  machine.running = nullptr;
  current = nullptr;
  return reports.size() == before;
}

} // namespace simt
