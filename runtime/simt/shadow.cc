// shadow.cc: checks every access: within bounds, of something written, and in order with the others.
//
// Each word remembers its last write and two of its reads: which lane, when, where in the kernel. Two accesses are in
// order when
//   they are the same lane's;
//   a block barrier, or a chain of __syncwarp between the two lanes, lies between them, or of panels that were filled
//   and freed (groups.cc);
//   they are one cluster's, and the cluster's barrier lies between: the earlier one's lane arrived there after it, and
//   the later one's lane, or one that it met since, waited;
//   they are different blocks', or different warps' and of global memory: the earlier one's lane, or a lane that met it
//   at a barrier, fenced after it and then did an atomic on the device; and the later one's lane, or one that it met
//   since, did an atomic after that.
// Anything else that touches the same bytes, not both reads and not both atomics, is a race. An atomic
// acquires whatever was released; which word it was on is not looked at, nor, of blocks that run by turns, which came
// first. Of a cooperative launch both are (together.cc).
#include <string.h>

#include "machine.h"

extern "C" char __start_simt_shared[] __attribute__((weak));
extern "C" char __stop_simt_shared[] __attribute__((weak));

namespace simt {

static uintptr_t shared_begin, shared_bytes;
static const Region *last_frozen; // most reads are of the input: they are answered first

void shadow_begin_launch() {
  shared_begin = (uintptr_t)__start_simt_shared;
  shared_bytes = (uintptr_t)__stop_simt_shared - shared_begin;
  machine.variables = &shared_variables(machine.kernel);
  last_frozen = nullptr;
}

void shadow_begin_block(Block *b) {
  b->remote.clear();
  if (!options.hooked || machine.variables->empty()) return;
  const Variable &last = machine.variables->back();
  size_t cells = (last.offset + (last.end - last.begin)) / 4 + 1;
  if (b->cells.size() < cells) b->cells.resize(cells);
}

// ---- order ----

static bool in_order(const Touch &t, bool shared) {
  const Lane &self = *machine.running;
  if (t.time < machine.launch_time || t.lane == grid_number(self.number)) return true;
  if (cluster_orders(t.lane, t.time)) return true;
  uint32_t block = t.lane / machine.lanes;
  if (block == machine.block->number) {
    if (t.time < machine.block->barrier_time) return true;
    unsigned other = t.lane % machine.lanes;
    if (other < self.panels.size() && t.time < self.panels[other]) return true;
    if (other / warp_lanes == self.number / warp_lanes) return t.time < warp_of(self).seen[self.lane][other % warp_lanes];
    if (machine.together) return false;
  }
  if (shared) return false; // another block of the cluster: nothing but its barrier orders them
  if (machine.together) return together_orders(t.lane, t.time);
  if (!self.acquired || machine.published.empty()) return false;
  return t.time < machine.published[t.lane] || t.time < machine.block_published[block];
}

void fence() {
  Lane &self = *machine.running;
  const Warp &w = warp_of(self);
  self.fence_barrier = machine.block->barrier_time;
  memcpy(self.fence_seen, w.seen[self.lane], sizeof self.fence_seen);
  self.fence_seen[self.lane] = ++machine.now;
  if (machine.together) together_fence();
}

void publish() {
  Lane &self = *machine.running;
  if (self.fence_barrier) {
    if (machine.published.empty()) {
      machine.published.resize((size_t)machine.lanes * grid_size.x * grid_size.y * grid_size.z);
      machine.block_published.resize((size_t)grid_size.x * grid_size.y * grid_size.z);
    }
    uint32_t first = grid_number(self.number - self.lane);
    for (unsigned i = 0; i < warp_lanes && self.number - self.lane + i < machine.lanes; i++)
      if (self.fence_seen[i] > machine.published[first + i]) machine.published[first + i] = self.fence_seen[i];
    if (self.fence_barrier > machine.block_published[machine.block->number])
      machine.block_published[machine.block->number] = self.fence_barrier;
  }
  self.acquired = true;
  machine.block->acquired = true;
}

// ---- one word ----

struct Now {
  Access how;
  uint8_t bytes;
  const Block *owner; // of the shared memory; nullptr: global memory
  uint32_t at;
  uintptr_t place;
};

// A place is an offset into the executable; an atomic's, which may be a tail call and leave no address, its line.
constexpr uint32_t is_line = 0x80000000;

static uintptr_t address(uint32_t at) {
  return at & is_line ? at & ~is_line : at ? image_begin + at : 0;
}

// The shared variable at a place, or the nearest one, and how many bytes into it; of another block when it stands
// apart.
struct Spot {
  const Variable *variable;
  long long offset;
};

static Spot shared_spot(uintptr_t place) {
  size_t apart = 0;
  const bool remote = cluster_block_at(place, &apart) != nullptr;
  Spot best = {nullptr, 0};
  long long best_distance = 0;
  for (const Variable &v : *machine.variables) {
    long long offset = remote ? (long long)apart - (long long)v.offset : (long long)place - (long long)v.begin;
    long long size = (long long)(v.end - v.begin);
    long long distance = offset < 0 ? -offset : offset >= size ? offset - size + 1 : 0;
    if (best.variable && distance >= best_distance) continue;
    best = {&v, offset};
    best_distance = distance;
    if (distance == 0) break;
  }
  return best;
}

static std::string name_of(uintptr_t place, const Block *owner) {
  if (owner) {
    Spot s = shared_spot(place);
    std::string of = owner == machine.block ? "" : " of block " + std::to_string(owner->number);
    return s.variable ? "shared " + s.variable->name + "+" + std::to_string(s.offset) + of : "shared memory" + of;
  }
  const Region *r = region_near(place);
  return r ? "global memory+" + std::to_string((long long)(place - r->begin)) : "global memory";
}

static const char *access_name(unsigned how) {
  static const char *const names[] = {"read", "write", "block atomic", "atomic"};
  return names[how];
}

static std::string lane_name(uint32_t number) {
  uint32_t block = number / machine.lanes, lane = number % machine.lanes;
  std::string s = "thread " + std::to_string(lane);
  return block == machine.block->number ? s : s + " of block " + std::to_string(block);
}

static void report_race(const Now &now, const Touch &before) {
  bool across = before.lane / machine.lanes != machine.block->number;
  bool atomics = now.how >= ATOMIC_BLOCK && before.how >= ATOMIC_BLOCK;
  const char *why = across && now.owner        ? "no barrier of the cluster between them"
                    : atomics                  ? "an atomic of block scope serves one block only"
                    : !across                  ? "no barrier between them"
                    : machine.together          ? "no meeting of the two between them"
                    : machine.published.empty() ? "no fence and atomic between them"
                                               : "no chain of fence and atomic between them";
  report(across && !now.owner ? FENCE : RACE, address(now.at), address(before.at),
         "%s: %s by %s, %s by %s of block %u, %s",
         name_of(now.place, now.owner).c_str(), access_name(before.how), lane_name(before.lane).c_str(),
         access_name(now.how), lane_name(grid_number(machine.running->number)).c_str(), machine.block->number, why);
}

static bool conflicts(const Now &now, const Touch &before) {
  if (!(before.bytes & now.bytes)) return false;
  if (now.how == READ && before.how == READ) return false;
  if (now.how >= ATOMIC_BLOCK && before.how >= ATOMIC_BLOCK) {
    bool same_block = before.lane / machine.lanes == machine.block->number;
    if (same_block || (now.how == ATOMIC_DEVICE && before.how == ATOMIC_DEVICE)) return false;
  }
  return !in_order(before, now.owner);
}

static void touch(Cell &c, const Now &now) {
  const uint32_t me = grid_number(machine.running->number);
  if (c.write.bytes && conflicts(now, c.write)) report_race(now, c.write);
  const Touch mine = {me, machine.now, now.at, now.bytes, (uint8_t)now.how};
  if (now.how == READ) {
    if (!c.read.bytes || c.read.lane == me || in_order(c.read, now.owner)) c.read = mine;
    else c.other_read = mine;
    return;
  }
  if (c.read.bytes && conflicts(now, c.read)) report_race(now, c.read);
  else if (c.other_read.bytes && conflicts(now, c.other_read)) report_race(now, c.other_read);
  c.write = mine;
  c.read.bytes = c.other_read.bytes = 0;
}

// Is it only what lies between the members of a struct, of any that the kernels exchange?
static bool is_padding(uintptr_t place, const Block *owner, uint8_t bytes) {
  if (options.structs.empty()) return false;
  uintptr_t offset = 0;
  if (owner) {
    const Spot s = shared_spot(place);
    offset = (uintptr_t)s.offset;
  } else if (const Region *r = region_at(place)) {
    offset = place - r->begin - options.structs_from;
  }
  for (const Padded &s : options.structs) {
    const unsigned first = (unsigned)(offset % s.bytes) & ~3u;
    if ((bytes & ~(s.padding >> first) & 0xF) == 0) return true;
  }
  return false;
}

static void touch_words(Cell *cells, uintptr_t base, uintptr_t place, size_t bytes, Now now) {
  for (size_t done = 0; done < bytes;) {
    uintptr_t offset = place + done - base;
    unsigned first = offset & 3, count = bytes - done < 4 - first ? (unsigned)(bytes - done) : 4 - first;
    Cell &c = cells[offset >> 2];
    now.bytes = (uint8_t)(((1u << count) - 1) << first);
    now.place = place + done;
    if (now.owner && c.born != now.owner->born) {
      c = Cell();
      c.born = now.owner->born;
      memset((void *)(base + (offset & ~(uintptr_t)3)), 0xCD, 4);
    }
    touch(c, now);
    if (now.how != WRITE && (c.written & now.bytes) != now.bytes && !is_padding(now.place, now.owner, now.bytes))
      report(UNINITIALISED, address(now.at), 0, "%s: %s by thread %u of block %u of what was never written%s",
             name_of(now.place, now.owner).c_str(), access_name(now.how),
             machine.running->number, machine.block->number, now.owner ? " in this block" : "");
    if (now.how != READ) c.written |= now.bytes;
    done += count;
  }
}

// ---- bounds ----

static bool in_bounds(uintptr_t place, size_t bytes) {
  const Region *r = region_at(place);
  return r && place + bytes <= r->end;
}

static bool in_bounds(const Spot &s, size_t bytes) {
  return s.variable && s.offset >= 0 && (size_t)s.offset + bytes <= s.variable->end - s.variable->begin;
}

// `from' bytes into something of `size' bytes, or before it.
static std::string beyond(long long from, size_t size, size_t bytes, const std::string &what) {
  return from >= 0 ? std::to_string(from + (long long)bytes - (long long)size) + " bytes past the end of " + what
                   : std::to_string(-from) + " bytes before " + what;
}

static void report_bounds(uintptr_t place, size_t bytes, Access how, uint32_t at, const Block *owner) {
  std::string where = "outside every region";
  if (owner) {
    Spot s = shared_spot(place);
    if (s.variable) where = beyond(s.offset, s.variable->end - s.variable->begin, bytes, s.variable->name);
  } else if (const Region *r = region_near(place)) {
    where = beyond((long long)(place - r->begin), r->end - r->begin, bytes,
                   "a region of " + std::to_string(r->end - r->begin) + " bytes");
  }
  report(BOUNDS, address(at), 0, "%s: %s of %zu bytes by thread %u of block %u, %s", owner ? "shared" : "global",
         access_name(how), bytes, machine.running->number, machine.block->number, where.c_str());
}

static void report_early(Access how, const void *caller, int line) {
  const uint32_t at = line ? is_line | (uint32_t)line : (uint32_t)((uintptr_t)caller - image_begin);
  report(EARLY, address(at), 0, "global: %s by thread %u of block %u before it has waited for the grids ahead",
         access_name(how), machine.running->number, machine.block->number);
}

void before_wide(const void *place, unsigned bytes) {
  if (!machine.running || (uintptr_t)place % bytes == 0) return;
  report(ALIGNMENT, (uintptr_t)__builtin_return_address(0) - 1, 0,
         "%u bytes at once by thread %u of block %u, %u bytes behind a multiple of %u", bytes, machine.running->number,
         machine.block->number, (unsigned)((uintptr_t)place % bytes), bytes);
}

// ---- the shared memory of other blocks ----

// Is the block there for as long as this lane may touch its memory? Its beginning is known here and now, its end later.
static void touch_remote(Block *owner, const Now &now) {
  const Lane &self = *machine.running;
  const uint32_t me = grid_number(self.number);
  const bool begun = self.seen > 0, ended = owner->exited == machine.lanes;
  if (!begun || ended)
    report(CLUSTER, address(now.at), 0, "%s: %s by thread %u of block %u, and that block %s",
           name_of(now.place, owner).c_str(), access_name(now.how), self.number, machine.block->number,
           ended ? "has ended" : "may not have begun: no barrier of the cluster came before");
  for (Remote &r : owner->remote)
    if (r.lane == me && r.at == now.at) {
      r.time = machine.now;
      return;
    }
  owner->remote.push_back({me, machine.now, now.at});
}

// Its last lane has exited: some lane of it must have waited for all who touched its memory.
void shadow_end_block(Block *b) {
  unsigned seen = 0;
  for (unsigned i = 0; i < machine.lanes; i++)
    if (b->lane[i].seen > seen) seen = b->lane[i].seen;
  const uint32_t first = (b->number - b->rank) * machine.lanes;
  for (const Remote &r : b->remote) {
    if (seen && r.time < machine.phase_released[seen & 1][r.lane - first]) continue;
    report(CLUSTER, address(r.at), 0,
           "block %u ends, and %s touches its shared memory: no barrier of the cluster between",
           b->number, lane_name(r.lane).c_str());
    return;
  }
}

// ---- one access ----

static void touch_shared(Block *owner, uintptr_t place, size_t bytes, Now now) {
  const Spot s = shared_spot(place);
  if (!in_bounds(s, bytes)) {
    report_bounds(place, bytes, now.how, now.at, owner);
    return;
  }
  if (owner != machine.block) touch_remote(owner, now);
  touch_words(owner->cells.data() + s.variable->offset / 4, place - (uintptr_t)s.offset, place, bytes, now);
  if (now.how == WRITE) machine.fruitless = 0;
}

void before_access(const void *pointer, size_t bytes, Access how, const void *caller, int line) {
  if (!machine.running) return; // the host's part of the file
  const uintptr_t place = (uintptr_t)pointer;
  if (machine.running->early && in_arena(place)) {
    report_early(how, caller, line);
    return;
  }
  if (how == READ && last_frozen && place >= last_frozen->begin && place + bytes <= last_frozen->end) return;
  size_t apart;
  Block *owner = place - shared_begin < shared_bytes ? machine.block : cluster_block_at(place, &apart);
  if (line) machine.running->line = line;
  if (how == ATOMIC_DEVICE && !owner) publish();
  if (how == ATOMIC_DEVICE && !owner && machine.together) together_atomic(pointer);
  if (!options.hooked || (!owner && !in_arena(place))) return;
  const uint32_t at = line ? is_line | (uint32_t)line : (uint32_t)((uintptr_t)caller - image_begin);
  Now now = {how, 0, owner, at, place};
  if (owner) {
    touch_shared(owner, place, bytes, now);
    return;
  }
  if (!in_bounds(place, bytes)) {
    report_bounds(place, bytes, how, at, nullptr);
    return;
  }
  Region *r = region_at(place);
  if (r->frozen && how == READ) {
    last_frozen = r;
    return;
  }
  if (r->frozen) {
    report(BOUNDS, address(at), 0, "global: %s by thread %u of block %u to what is only to be read", access_name(how),
           machine.running->number, machine.block->number);
    return;
  }
  touch_words(r->cells.data(), r->begin & ~(uintptr_t)3, place, bytes, now);
  if (how == READ) look_again(pointer, address(at));
  else if (how == WRITE) machine.fruitless = 0;
}

void shadow_forget_times() {
  machine.now = 1;
  machine.launch_time = 1;
  for (auto &b : machine.blocks)
    if (b) b->cells.clear();
  forget_touches();
}

} // namespace simt
