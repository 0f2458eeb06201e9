/* qualifiers.h: what marks declarations in a .cdl file, as a table. The prelude spells them as annotations of
 * these names.
 *
 * QUALIFIER(field, annotation, what it marks) */
#ifndef TGC_FRONT_QUALIFIERS_H
#define TGC_FRONT_QUALIFIERS_H

#define QUALIFIERS(QUALIFIER)                                          \
  QUALIFIER(codelet,    "tgc.codelet",    "a spectrum or a codelet")     \
  QUALIFIER(coop,       "tgc.coop",       "a cooperative codelet")       \
  QUALIFIER(tag,        "tgc.tag:",       "a codelet's name")            \
  QUALIFIER(env,        "tgc.env:",       "the machines it is for")      \
  QUALIFIER(writable,   "tgc.mutable",    "a parameter that is written") \
  QUALIFIER(like,       "tgc.like:",      "as many elements as another parameter")     \
  QUALIFIER(shape,      "tgc.shape:",     "sizes by those of other parameters")        \
  QUALIFIER(by_columns, "tgc.byColumns",  "a parameter whose columns are contiguous")  \
  QUALIFIER(accum,      "tgc.accum:",     "a parameter that is only contributed to")   \
  QUALIFIER(append,     "tgc.append:",    "a queue, and what counts its elements")     \
  QUALIFIER(tunable,    "tgc.tunable",    "a value the tuner picks")     \
  QUALIFIER(monoid,     "tgc.monoid:",    "an operator")                 \
  QUALIFIER(shared,     "tgc.shared",     "one variable for all lanes")  \
  QUALIFIER(atomic,     "tgc.atomic:",    "every write is that atomic")  \
  QUALIFIER(atomic_add, "tgc.atomicAdd",  "every write is that atomic")  \
  QUALIFIER(atomic_sub, "tgc.atomicSub",  "every write is that atomic")  \
  QUALIFIER(atomic_max, "tgc.atomicMax",  "every write is that atomic")  \
  QUALIFIER(atomic_min, "tgc.atomicMin",  "every write is that atomic")

#endif
