/* spec_figures.c: what a machine's file says was measured on it (figures.h). */
#include "arch/spec.h"

static const Figures usual[] = {
#define CUDA(value) value
#define CPU(value) 0
#define ANY(value) value
#define USUAL(figure, family, least, most, usual) .figure = family(usual),
    [FAMILY_CUDA] = {FIGURES(USUAL)},
#undef CUDA
#undef CPU
#define CUDA(value) 0
#define CPU(value) value
    [FAMILY_CPU] = {FIGURES(USUAL)},
#undef USUAL
#undef CUDA
#undef CPU
#undef ANY
};

void spec_check_figures(SpecDocument *doc, const Spec *s) {
  const Figures *m = s->measured;
  if (!m) return;
  const SpecNumber all[] = {
#define NUMBER(figure, family, least, most, usual) {#figure, FAMILY_##family, m->figure, least, most, NULL},
      FIGURES(NUMBER)
#undef NUMBER
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) spec_check_number(doc, s, "measured", &all[i]);
  const int64_t fewest = m->tile_fewest ? m->tile_fewest : usual[s->family].tile_fewest;
  const int64_t most = m->tile_vectors ? m->tile_vectors : usual[s->family].tile_vectors;
  const yaml_node_t *measured = spec_at(doc, "measured"), *n = spec_key(doc, measured, "tile_fewest");
  if (fewest > most)
    spec_error(doc, n ? n : measured, NULL, "a tile of at least %lld vectors, and at most %lld", (long long)fewest,
               (long long)most);
}

void spec_take_figures(Arch *m, const Spec *s) {
  m->usual = &usual[s->family];
  m->measured = *m->usual;
  if (!s->measured) return;
#define TAKE(figure, family, least, most, usual) \
  if (s->measured->figure) m->measured.figure = s->measured->figure;
  FIGURES(TAKE)
#undef TAKE
}
