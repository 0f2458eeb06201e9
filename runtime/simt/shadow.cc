// shadow.cc: checks every access: within bounds, of something written, and in order with the others.
//
// Each word remembers its last write and two of its reads: which lane, when, where in the kernel. Two accesses are in
// order when
//   they are the same lane's;
//   a block barrier, or a chain of __syncwarp between the two lanes, lies between them;
//   they are different blocks': the earlier one's lane, or a lane that met it at a barrier, fenced after it and then
//   did an atomic on the device; and the later one's lane, or one that it met since, did an atomic after that.
// Anything else that touches the same bytes, not both reads and not both atomics, is a race. As blocks run one after
// the other, an atomic acquires whatever was released before it; which word it was on is not looked at.
#include <string.h>

#include "machine.h"

extern "C" char __start_simt_shared[] __attribute__((weak));
extern "C" char __stop_simt_shared[] __attribute__((weak));
extern "C" char __executable_start[] __attribute__((weak));

namespace simt {

static std::vector<Cell> shared_cells;
static uintptr_t shared_begin, shared_bytes;
static const std::vector<Variable> *variables;
static const Region *last_frozen; // most reads are of the input: they are answered first

void shadow_begin_launch() {
  shared_begin = (uintptr_t)__start_simt_shared;
  shared_bytes = (uintptr_t)__stop_simt_shared - shared_begin;
  if (options.hooked && shared_cells.size() * 4 < shared_bytes) shared_cells.resize(shared_bytes / 4 + 1);
  variables = &shared_variables(machine.kernel);
  last_frozen = nullptr;
}

// ---- order ----

static bool in_order(const Touch &t, bool shared) {
  const Lane &self = *machine.running;
  if (t.time < machine.launch_time || t.lane == grid_number(self.number)) return true;
  uint32_t block = t.lane / machine.lanes;
  if (block == machine.block) {
    if (t.time < machine.barrier_time) return true;
    unsigned other = t.lane % machine.lanes;
    return other / warp_lanes == self.number / warp_lanes && t.time < warp_of(self).seen[self.lane][other % warp_lanes];
  }
  if (shared) return true; // another block's
  if (!self.acquired || machine.published.empty()) return false;
  return t.time < machine.published[t.lane] || t.time < machine.block_published[block];
}

void fence() {
  Lane &self = *machine.running;
  const Warp &w = warp_of(self);
  self.fence_barrier = machine.barrier_time;
  memcpy(self.fence_seen, w.seen[self.lane], sizeof self.fence_seen);
  self.fence_seen[self.lane] = ++machine.now;
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
    if (self.fence_barrier > machine.block_published[machine.block])
      machine.block_published[machine.block] = self.fence_barrier;
  }
  self.acquired = true;
  machine.block_acquired = true;
}

// ---- one word ----

struct Now {
  Access how;
  uint8_t bytes;
  bool shared;
  uint32_t at;
  uintptr_t place;
};

// A place is an offset into the executable; an atomic's, which may be a tail call and leave no address, its line.
constexpr uint32_t is_line = 0x80000000;

static uintptr_t address(uint32_t at) {
  return at & is_line ? at & ~is_line : at ? (uintptr_t)__executable_start + at : 0;
}

static std::string name_of(uintptr_t place, bool shared) {
  if (shared) {
    for (const Variable &v : *variables)
      if (place >= v.begin && place < v.end) return "shared " + v.name + "+" + std::to_string(place - v.begin);
    return "shared memory";
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
  return block == machine.block ? s : s + " of block " + std::to_string(block);
}

static void report_race(const Now &now, const Touch &before) {
  bool across = before.lane / machine.lanes != machine.block;
  bool atomics = now.how >= ATOMIC_BLOCK && before.how >= ATOMIC_BLOCK;
  const char *why = atomics                    ? "an atomic of block scope serves one block only"
                    : !across                  ? "no barrier between them"
                    : machine.published.empty() ? "no fence and atomic between them"
                                               : "no chain of fence and atomic between them";
  report(across ? FENCE : RACE, address(now.at), address(before.at), "%s: %s by %s, %s by %s of block %u, %s",
         name_of(now.place, now.shared).c_str(), access_name(before.how), lane_name(before.lane).c_str(),
         access_name(now.how), lane_name(grid_number(machine.running->number)).c_str(), machine.block, why);
}

static bool conflicts(const Now &now, const Touch &before) {
  if (!(before.bytes & now.bytes)) return false;
  if (now.how == READ && before.how == READ) return false;
  if (now.how >= ATOMIC_BLOCK && before.how >= ATOMIC_BLOCK) {
    bool same_block = before.lane / machine.lanes == machine.block;
    if (same_block || (now.how == ATOMIC_DEVICE && before.how == ATOMIC_DEVICE)) return false;
  }
  return !in_order(before, now.shared);
}

static void touch(Cell &c, const Now &now) {
  const uint32_t me = grid_number(machine.running->number);
  if (c.write.bytes && conflicts(now, c.write)) report_race(now, c.write);
  const Touch mine = {me, machine.now, now.at, now.bytes, (uint8_t)now.how};
  if (now.how == READ) {
    if (!c.read.bytes || c.read.lane == me || in_order(c.read, now.shared)) c.read = mine;
    else c.other_read = mine;
    return;
  }
  if (c.read.bytes && conflicts(now, c.read)) report_race(now, c.read);
  else if (c.other_read.bytes && conflicts(now, c.other_read)) report_race(now, c.other_read);
  c.write = mine;
  c.read.bytes = c.other_read.bytes = 0;
}

static void touch_words(Cell *cells, uintptr_t base, uintptr_t place, size_t bytes, Now now) {
  for (size_t done = 0; done < bytes;) {
    uintptr_t offset = place + done - base;
    unsigned first = offset & 3, count = bytes - done < 4 - first ? (unsigned)(bytes - done) : 4 - first;
    Cell &c = cells[offset >> 2];
    now.bytes = (uint8_t)(((1u << count) - 1) << first);
    now.place = place + done;
    if (now.shared && c.born != machine.block_time) {
      c = Cell();
      c.born = machine.block_time;
      memset((void *)(base + (offset & ~(uintptr_t)3)), 0xCD, 4);
    }
    touch(c, now);
    if (now.how != WRITE && (c.written & now.bytes) != now.bytes)
      report(UNINITIALISED, address(now.at), 0, "%s: %s by thread %u of block %u of what was never written%s",
             name_of(now.place, now.shared).c_str(), access_name(now.how),
             machine.running->number, machine.block, now.shared ? " in this block" : "");
    if (now.how != READ) c.written |= now.bytes;
    done += count;
  }
}

// ---- one access ----

static bool in_bounds(uintptr_t place, size_t bytes, bool shared) {
  if (!shared) {
    const Region *r = region_at(place);
    return r && place + bytes <= r->end;
  }
  for (const Variable &v : *variables)
    if (place >= v.begin && place + bytes <= v.end) return true;
  return false;
}

static void report_bounds(uintptr_t place, size_t bytes, Access how, uint32_t at, bool shared) {
  std::string what;
  long long distance = 0;
  bool known = false, after = false;
  auto nearest = [&](uintptr_t begin, uintptr_t end, const std::string &name) {
    bool behind = place >= begin;
    long long d = behind ? (long long)(place + bytes - end) : (long long)(begin - place);
    if (known && d >= distance) return;
    known = true;
    after = behind;
    distance = d;
    what = name;
  };
  if (shared)
    for (const Variable &v : *variables) nearest(v.begin, v.end, v.name);
  else if (const Region *r = region_near(place))
    nearest(r->begin, r->end, "a region of " + std::to_string(r->end - r->begin) + " bytes");
  std::string where = !known ? "outside every region"
                      : std::to_string(distance) + (after ? " bytes past the end of " : " bytes before ") + what;
  report(BOUNDS, address(at), 0, "%s: %s of %zu bytes by thread %u of block %u, %s", shared ? "shared" : "global",
         access_name(how), bytes, machine.running->number, machine.block, where.c_str());
}

static void report_early(Access how, const void *caller, int line) {
  const uint32_t at = line ? is_line | (uint32_t)line : (uint32_t)((uintptr_t)caller - (uintptr_t)__executable_start);
  report(EARLY, address(at), 0, "global: %s by thread %u of block %u before it has waited for the grids ahead", access_name(how),
         machine.running->number, machine.block);
}

void before_access(const void *pointer, size_t bytes, Access how, const void *caller, int line) {
  if (!machine.running) return; // the host's part of the file
  const uintptr_t place = (uintptr_t)pointer;
  if (machine.running->early && place - shared_begin >= shared_bytes && in_arena(place)) {
    report_early(how, caller, line);
    return;
  }
  if (how == READ && last_frozen && place >= last_frozen->begin && place + bytes <= last_frozen->end) return;
  const bool shared = place - shared_begin < shared_bytes;
  if (line) machine.running->line = line;
  if (how == ATOMIC_DEVICE && !shared) publish();
  if (!options.hooked || (!shared && !in_arena(place))) return;
  const uint32_t at = line ? is_line | (uint32_t)line : (uint32_t)((uintptr_t)caller - (uintptr_t)__executable_start);
  if (!in_bounds(place, bytes, shared)) {
    report_bounds(place, bytes, how, at, shared);
    return;
  }
  Now now = {how, 0, shared, at, place};
  if (shared) {
    touch_words(shared_cells.data(), shared_begin, place, bytes, now);
    return;
  }
  Region *r = region_at(place);
  if (r->frozen && how == READ) {
    last_frozen = r;
    return;
  }
  if (r->frozen) {
    report(BOUNDS, address(at), 0, "global: %s by thread %u of block %u to what is only to be read", access_name(how),
           machine.running->number, machine.block);
    return;
  }
  touch_words(r->cells.data(), r->begin & ~(uintptr_t)3, place, bytes, now);
}

void shadow_forget_times() {
  machine.now = 1;
  machine.launch_time = 1;
  for (Cell &c : shared_cells) c = Cell();
  forget_touches();
}

} // namespace simt
