/* monoid.h: an operator that the user declares on a type of his own (design section 3).
 *
 *     struct __monoid(associative, commutative, rounded) Welford {
 *       struct State { float n, mean, m2; };
 *       static State id();                    the identity
 *       static State op(State a, State b);    combines
 *       static State lift(float x);           an element as a state; lift(x, long long i): and where it stands in the
 *                                             container
 *       static float finish(State a);         the result of the whole
 *       static float example(unsigned r);     an element made of 32 random bits, for `tgc check'
 *     };
 *
 * id and op are needed, the others are not: without lift the elements are states, without finish the result is one. A
 * template's one parameter is the element type that the user asks for. */
#ifndef TGC_IR_MONOID_H
#define TGC_IR_MONOID_H

#include "ir/tree.h"

enum { MONOID_LARGEST = 32 }; /* bytes of a state */

/* One number, or array of numbers, in a struct. */
typedef struct Field {
  const char *name, *dimensions; /* "m", "[2][2]" */
  const char *c_type;            /* "unsigned long long" */
  Type type;
  int count;                     /* numbers in it */
  int offset, bytes;             /* of the first; of each */
} Field;

/* An element's, a state's or a result's type: a number, or a struct of numbers. */
typedef struct Carrier {
  const char *text;    /* as the monoid's own text has it: "float", "Welford::State" */
  Type type;           /* of a number; TYPE_STRUCT */
  int bytes, alignment;
  Field *fields;       /* of a struct */
  int nfields;
} Carrier;

/* What a monoid is for one element type. */
typedef struct MonoidType {
  const char *monoid;  /* "Welford", "ArgMax<float>" */
  Carrier element, state, result;
} MonoidType;

struct Monoid {
  const char *name;
  SourceRange where;
  bool generic;        /* a template over the element type */
  bool associative, commutative;
  bool rounded;        /* .. up to rounding */
  bool lifts, lifts_place, finishes, makes_examples;
  const char *text;    /* it and the structs that it uses, as device code */
  MonoidType *types;   /* one for each element type that was asked for; of no template: one */
  int ntypes;
};

/* What composing and lowering need to know of the types of a spectrum's own operator; noted in it. */
void monoid_note(Spectrum *s);

/* The same of a spectrum of states, whose elements a view lifts. */
void monoid_note_states(Spectrum *s);

/* Is it one that no codelet can name, since nothing lifts elements to its states? Loops are taken apart by such ones
 * (front/affine.c). Of whole numbers they round nothing. */
bool monoid_is_of_loops(const Monoid *m);

/* The type of the numbers that its states are made of, as codelets have it: of T, or of the one type that it is for. */
Type monoid_number(const Monoid *m, Type states);

/* May the operands of the spectrum's operator change places? Of built-in ones they may. */
bool spectrum_commutes(const Spectrum *s);

#endif
