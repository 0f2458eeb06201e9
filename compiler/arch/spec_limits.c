/* spec_limits.c: the limits of a machine, which differ with its family.
 *
 * A GPU's file gives them as the compiler asks for them. A CPU's gives cores, caches and vectors; a block is one vector
 * there, which a thread of a core runs, so that these stand for the others:
 *
 *     threads_block        vector_width                        lanes of the one vector
 *     units                cores
 *     threads_unit         vector_width x threads a core       what runs on a core at once
 *     shared_bytes_block   l2_bytes, at most STACK_BYTES       what lanes share is on their thread's stack, and near
 *     grid_max             no limit of its own                 threads take parts one after the other */
#include "arch/spec.h"

#include <string.h>

enum { CLUSTER_BLOCKS = 8, LANE_BYTES = 4, STACK_BYTES = 1 << 20 };

static const char *family_name(Family f) { return f == FAMILY_CPU ? "cpu" : "cuda"; }

bool spec_check_number(SpecDocument *doc, const Spec *s, const char *section, const SpecNumber *x) {
  const yaml_node_t *n = spec_key(doc, spec_at(doc, section), x->key);
  if (!n) return true;
  const char *what = strcmp(section, "limits") == 0 ? "limit" : "figure";
  if (x->family != FAMILY_ANY && x->family != s->family)
    spec_error(doc, n, NULL, "`%s' is a %s of family %s, and this is a machine of family %s", x->key, what,
               family_name(x->family), family_name(s->family));
  else if (x->value < x->least || x->value > x->most)
    spec_error(doc, n, x->hint, "%s %lld is impossible", x->key, (long long)x->value);
  else
    return true;
  return false;
}

/* Is it there when it must be, and possible by itself? */
static bool check_limit(SpecDocument *doc, const Spec *s, const SpecNumber *l) {
  const yaml_node_t *limits = spec_at(doc, "limits");
  if (l->family != s->family || spec_key(doc, limits, l->key)) {
    const bool fine = spec_check_number(doc, s, "limits", l);
    return fine || l->family != s->family;
  }
  if (strcmp(l->key, "shared_bytes_most") == 0) return true; /* what is declared, then */
  spec_error(doc, limits, l->hint, "the key `%s' is missing in `limits'", l->key);
  return false;
}

/* ---- GPUs ---- */

/* Threads of the widest block: widths multiply from block down to thread. */
static void check_block(SpecDocument *doc, const Spec *s, int i) {
  int64_t threads = 1, most = s->limits->threads_block;
  for (int k = i; k < s->nlevels && s->levels[k].realised != REAL_THREAD; k++) {
    const SpecWidth *w = s->levels[k].width;
    if (s->levels[k].realised == REAL_SUBWARP) continue;
    if (!w || w->max < 0) return;
    if (w->max == 0 || w->max > most) {
      spec_error(doc, spec_at_width(doc, k, "max"), NULL, "`%s' may be wider than a block's %lld threads",
                 s->levels[k].name, (long long)most);
      return;
    }
    threads *= w->max;
    if (threads > most) {
      spec_error(doc, spec_at_width(doc, i, "max"), "`limits' has threads_block",
                 "a block of %lld threads is more than the machine's %lld", (long long)threads, (long long)most);
      return;
    }
  }
}

static void check_gpu(SpecDocument *doc, const Spec *s, bool fine) {
  const SpecLimits *m = s->limits;
  if (fine && m->threads_unit < m->threads_block)
    spec_error(doc, spec_key(doc, spec_at(doc, "limits"), "threads_unit"), NULL,
               "a multiprocessor holds fewer threads than a block may have (%lld)", (long long)m->threads_block);
  for (int i = 0; i < s->nlevels; i++) {
    const SpecLevel *l = &s->levels[i];
    if (!l->width) continue;
    if (l->realised == REAL_BLOCK && fine) check_block(doc, s, i);
    if (l->realised == REAL_GRID && fine && (l->width->max == 0 || l->width->max > m->grid_max))
      spec_error(doc, spec_at_width(doc, i, "max"), NULL, "a grid may have at most %lld blocks (limits)",
                 (long long)m->grid_max);
    if (l->realised == REAL_CLUSTER && (l->width->max == 0 || l->width->max > CLUSTER_BLOCKS))
      spec_error(doc, spec_at_width(doc, i, "max"), "more need a machine's special permission, kernel by kernel",
                 "a cluster has at most %d blocks", CLUSTER_BLOCKS);
  }
}

/* ---- CPUs ---- */

static void check_cpu(SpecDocument *doc, const Spec *s) {
  const SpecLimits *m = s->limits;
  const yaml_node_t *limits = spec_at(doc, "limits");
  if (m->vector_bytes != (int64_t)s->vector_width * LANE_BYTES)
    spec_error(doc, spec_key(doc, limits, "vector_bytes"), "lanes are of 32 bits",
               "vectors of %lld bytes have %lld lanes, and vector_width is %d", (long long)m->vector_bytes,
               (long long)m->vector_bytes / LANE_BYTES, s->vector_width);
  if (m->l2_bytes < m->l1_bytes)
    spec_error(doc, spec_key(doc, limits, "l2_bytes"), NULL, "a level-2 cache below the level-1 cache's %lld bytes",
               (long long)m->l1_bytes);
  if (m->l3_bytes && m->l3_bytes < m->l2_bytes)
    spec_error(doc, spec_key(doc, limits, "l3_bytes"), "0 where there is none",
               "a level-3 cache below the level-2 cache's %lld bytes", (long long)m->l2_bytes);
}

void spec_check_limits(SpecDocument *doc, const Spec *s) {
  const SpecLimits *m = s->limits;
  if (!m) {
    spec_error(doc, spec_at(doc, "family"), NULL, "a machine of family %s needs the key `limits'",
               family_name(s->family));
    return;
  }
  const SpecNumber all[] = {
#define LIMIT(field, family, least, most, hint) {#field, family, m->field, least, most, hint},
      SPEC_LIMITS(LIMIT)
#undef LIMIT
  };
  bool fine = true;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) fine &= check_limit(doc, s, &all[i]);
  if (s->family == FAMILY_CUDA) check_gpu(doc, s, fine);
  else if (fine) check_cpu(doc, s);
}

/* ---- the machine's ---- */

/* Threads that a process has to begin with, on each core. */
static int64_t threads_a_core(const Spec *s) {
  for (int i = 0; i < s->nlevels; i++)
    if (s->levels[i].realised == REAL_HOST && s->levels[i].width && s->levels[i].width->preset > s->limits->cores)
      return s->levels[i].width->preset / s->limits->cores;
  return 1;
}

void spec_take_limits(Arch *m, const Spec *s) {
  const SpecLimits *from = s->limits;
  m->shared_bytes_block = from->shared_bytes_block;
  m->shared_bytes_most = from->shared_bytes_most;
  if (m->shared_bytes_most < m->shared_bytes_block) m->shared_bytes_most = m->shared_bytes_block;
  m->threads_block = from->threads_block;
  m->threads_unit = from->threads_unit;
  m->blocks_unit = from->blocks_unit;
  m->registers_unit = from->registers_unit;
  m->registers_lane = from->registers_lane;
  m->units = from->units;
  m->grid_max = from->grid_max;
  m->l1_bytes = from->l1_bytes;
  m->l2_bytes = from->l2_bytes;
  m->l3_bytes = from->l3_bytes;
  m->vector_bytes = from->vector_bytes;
  if (s->family != FAMILY_CPU) return;
  m->shared_bytes_block = from->l2_bytes < STACK_BYTES ? from->l2_bytes : STACK_BYTES;
  m->threads_block = s->vector_width;
  m->threads_unit = s->vector_width * threads_a_core(s);
  m->units = from->cores;
  m->grid_max = INT32_MAX;
}
