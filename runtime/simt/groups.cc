// groups.cc: copies of panels and products that go on beside the lanes that asked for them (groups.h). PTX makes them at any
// time up to the wait for them: here at once, or then, as drawn.
#include "machine.h"

namespace simt {

// ---- panels ----

void open_panels(int copies, int warps) {
  Block *b = machine.block;
  if (machine.running->number) return;
  for (Panel &p : b->panels) p = Panel();
  b->copies_of_panel = copies;
  b->warps_of_panel = warps;
}

// What a lane knows goes to a barrier in shared memory, and from there to who waits for it.
static void learn(std::vector<Time> *to, const std::vector<Time> &from) {
  if (to->size() < from.size()) to->resize(from.size());
  for (size_t i = 0; i < from.size(); i++)
    if (from[i] > (*to)[i]) (*to)[i] = from[i];
}

// The running lane's accesses up to here, and those of its warp that it has met, are released there.
static void release(std::vector<Time> *to) {
  const Lane &self = *machine.running;
  const Warp &w = warp_of(self);
  if (to->size() < machine.lanes) to->resize(machine.lanes);
  learn(to, self.panels);
  const unsigned first = self.number - self.lane;
  for (unsigned i = 0; i < warp_lanes && first + i < machine.lanes; i++)
    if (w.seen[self.lane][i] > (*to)[first + i]) (*to)[first + i] = w.seen[self.lane][i];
  (*to)[self.number] = ++machine.now;
}

static Panel &panel_of(int buffer) {
  Block *b = machine.block;
  if (b->copies_of_panel && buffer >= 0 && buffer < (int)most_panels) return b->panels[buffer];
  report(LAUNCH, 0, 0, "a panel is copied to buffer %d, which nobody opened", buffer);
  machine.aborted = true;
  return b->panels[0];
}

static void make(Panel *p, const PanelCopy &c) {
  c.make(c);
  if (machine.block->warps_of_panel) release(&p->filled);
  if (++p->made < machine.block->copies_of_panel) return;
  p->made = 0;
  p->complete++;
}

void copy_later(const PanelCopy &c, int buffer) {
  Panel &p = panel_of(buffer);
  machine.fruitless = 0;
  if (options.shuffled && random_below(2)) return make(&p, c);
  p.late.push_back({c, {}});
  if (machine.block->warps_of_panel) release(&p.late.back().after);
}

void await_panel(int buffer, int number) {
  Panel &p = panel_of(buffer);
  while (p.complete <= (unsigned)number && !machine.aborted) {
    if (p.late.empty()) {
      look_again(&p, 0);
      continue;
    }
    const LatePanel c = p.late.back();
    p.late.pop_back();
    learn(&machine.running->panels, c.after);
    make(&p, c.copy);
  }
  learn(&machine.running->panels, p.filled);
}

void await_room(int buffer, int number) {
  Panel &p = panel_of(buffer);
  while (p.freed < (unsigned)number && !machine.aborted) look_again(&p, 0);
  learn(&machine.running->panels, p.read);
}

void free_panel(int buffer) {
  Panel &p = panel_of(buffer);
  machine.fruitless = 0;
  release(&p.read);
  if (++p.left < machine.block->warps_of_panel) return;
  p.left = 0;
  p.freed++;
}

// ---- boxes to memory ----

void meet_group(unsigned group) {
  Block *b = machine.block;
  Lane *self = machine.running;
  Meeting &m = b->meetings[group % most_groups];
  if (!m.come) m.unfenced = false;
  m.unfenced |= self->unfenced;
  release(&m.known);
  const unsigned before = m.times;
  machine.fruitless = 0;
  if (++m.come == group_lanes) {
    m.come = 0;
    m.times++;
  }
  while (m.times == before && !machine.aborted) look_again(&m, 0);
  learn(&self->panels, m.known);
}

void deliver_later(const Delivery &d) {
  Lane *self = machine.running;
  if (machine.block->meetings[self->number / group_lanes % most_groups].unfenced)
    report(FENCE, 0, 0, "a box goes to memory that lanes filled without fence.proxy.async");
  if (options.shuffled && self->deliveries.empty() && random_below(2)) d.make(d);
  else self->deliveries.push_back(d);
}

void await_reads(int boxes) {
  std::vector<Delivery> &all = machine.running->deliveries;
  while (all.size() > (size_t)boxes) {
    const Delivery d = all.front();
    all.erase(all.begin());
    d.make(d);
  }
}

void panels_end(const Block *b) {
  for (unsigned i = 0; i < machine.lanes; i++)
    if (!b->lane[i].deliveries.empty())
      report(RACE, 0, 0, "block %u ends while a box of its shared memory is still to be read, for which nobody waited", b->number);
  for (const Panel &p : b->panels)
    if (!p.late.empty()) {
      report(RACE, 0, 0, "block %u ends while a panel is copied to its shared memory, for which nobody waited", b->number);
      return;
    }
}

void note_copies() { machine.running->unfenced = true; }

void fence_copies() { machine.running->unfenced = false; }

// ---- products ----

void open_products() { machine.running->opened = true; }

void multiply_later(const GroupProduct &p, int line) {
  Lane *self = machine.running;
  collective(SYNC_WARP, 0xffffffffu, 0, 0, warp_lanes, line);
  if (!self->opened) report(FENCE, 0, 0, "a group multiplies without a fence (wgmma.fence) before it, line %d", line);
  if (machine.block->unfenced)
    report(FENCE, 0, 0, "a group multiplies what lanes copied without fence.proxy.async, line %d", line);
  if ((uintptr_t)p.a % 16 || (uintptr_t)p.b % 16)
    report(ALIGNMENT, 0, 0, "a matrix in shared memory does not begin at a multiple of 16 bytes, line %d", line);
  const bool now = self->products.empty() && options.shuffled && random_below(2);
  if (now) p.make(p);
  else self->products.push_back({p, self->product_groups});
}

void await_products(int groups) {
  Lane *self = machine.running;
  self->product_groups++;
  self->opened = false;
  size_t done = 0;
  while (done < self->products.size() && self->products[done].group + (unsigned)groups < self->product_groups) {
    const GroupProduct p = self->products[done++].product;
    p.make(p);
  }
  self->products.erase(self->products.begin(), self->products.begin() + (ptrdiff_t)done);
  collective(SYNC_WARP, 0xffffffffu, 0, 0, warp_lanes, 0); // other lanes' products read this one's registers
}

} // namespace simt
