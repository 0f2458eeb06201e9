/* abilities.c: what the workers of each level can do, from how they are realised, once for a machine.
 *
 * Requires levels with their realisation and widths. A new kind of level is a row here; the rules of composition,
 * which ask for abilities, stay as they are. */
#include "arch/spec.h"

/* As on a GPU. */
static const Abilities abilities[] = {
    [REAL_HOST] = {.lanes = LANES_SEPARATE, .bind = BIND_COMPILE},
    [REAL_GRID] = {.lanes = LANES_SEPARATE, .bind = BIND_LAUNCH, .launched = true},
    [REAL_CLUSTER] = {.lanes = LANES_SEPARATE, .bind = BIND_LAUNCH, .reaches = true},
    [REAL_BLOCK] = {.lanes = LANES_TUNED, .bind = BIND_COMPILE, .shares = true},
    [REAL_WARP] = {.lanes = LANES_FIXED, .bind = BIND_CONSTANT, .exchanges = true},
    [REAL_SUBWARP] = {.lanes = LANES_FIXED, .bind = BIND_CONSTANT, .exchanges = true, .factor = true},
    [REAL_THREAD] = {.lanes = LANES_ONE, .bind = BIND_CONSTANT},
    [REAL_SIMD] = {.lanes = LANES_NONE, .bind = BIND_COMPILE},
    [REAL_LOOP] = {.lanes = LANES_NONE, .bind = BIND_COMPILE},
    [REAL_SLOTS] = {.lanes = LANES_NONE, .bind = BIND_COMPILE, .holds = true},
};

/* Widths that are the same wherever there is such a level. */
static int64_t usual_width(const Level *l) {
  enum { WARP = 32, CLUSTER = 8 };
  if (l->real == REAL_WARP) return WARP;
  return l->real == REAL_CLUSTER ? CLUSTER : l->width_default;
}

void arch_derive(Arch *m) {
  for (int i = 0; i < m->nlevels; i++) {
    Level *l = &m->levels[i];
    l->can = abilities[l->real];
    l->can.few = m->is_cpu && l->can.launched;
    l->can.copies = m->is_cpu && l->can.shares;
    l->can.multiplies = (l->capability & CAP_MATRIX) != 0;
    l->optional = l->can.reaches || l->can.factor;
    l->width_usual = usual_width(l);
  }
  m->one_vector = m->threads_block == m->vector_width;
  m->lanes_in_order = m->is_cpu;
  m->loads_align = !m->is_cpu;
  m->orders_zeros = !m->is_cpu;
}
