/* monoid.c: what follows from an operator's declared properties. */
#include "ir/monoid.h"

bool spectrum_commutes(const Spectrum *s) { return !s->monoid || s->monoid->commutative; }

bool monoid_is_of_loops(const Monoid *m) {
  return m && !m->lifts && m->ntypes && m->types[0].state.type == TYPE_STRUCT;
}

Type monoid_number(const Monoid *m, Type states) {
  return type_is_generic(states) ? TYPE_ELEM : m->types[0].state.fields[0].type;
}

/* Bytes that an atomic has to change at once. Compare-and-swap takes words that lie at a multiple of their size. */
static int atom_of(const Carrier *state) {
  return state->bytes == state->alignment ? state->bytes : 2 * MONOID_LARGEST;
}

void monoid_note_states(Spectrum *s) {
  const Monoid *m = s->monoid;
  s->exact = !m->rounded;
  s->atom = 2 * MONOID_LARGEST; /* no atomics */
  for (int i = 0; i < m->ntypes; i++) {
    const int bytes = m->types[i].state.bytes;
    if (bytes > s->widest) s->widest = bytes;
    if (!s->narrowest || bytes < s->narrowest) s->narrowest = bytes;
  }
  s->broadest = s->widest;
}

void monoid_note(Spectrum *s) {
  const Monoid *m = s->monoid;
  s->lifted = s->lacks_identity = m->lifts;
  s->exact = !m->rounded; /* what is composed of it keeps to what it declares */
  for (int i = 0; i < m->ntypes; i++) {
    const Carrier *state = &m->types[i].state, *element = &m->types[i].element;
    if (state->bytes > s->widest) s->widest = state->bytes;
    if (atom_of(state) > s->atom) s->atom = atom_of(state);
    if (!s->narrowest || element->bytes < s->narrowest) s->narrowest = element->bytes;
    if (element->bytes > s->broadest) s->broadest = element->bytes;
    s->unaligned |= element->type == TYPE_STRUCT;
  }
}
