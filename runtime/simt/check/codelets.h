// codelets.h: every codelet by itself, against the one that its spectrum is applied by: tables of them, which tgc
// writes (check/codelets.cc), and what codelets.cc makes of these.
#ifndef TGC_CHECK_CODELETS_H
#define TGC_CHECK_CODELETS_H

#include "harness.h"

namespace check {

// How a codelet is called: what its tunables are, which of `m.atomicAdd(); return sum(m);', how many lanes.
struct Choice {
  long long parts, others; // the first tunable, and all others: of a map over several cuts
  bool atomic;
  int lanes, vector;
};
void choose(const Choice &c); // for the calls that follow

enum CodeletKind { AUTONOMOUS, COMPOUND, COOPERATIVE };

// One codelet for one element type. Its functions take a spectrum's operands, as a Reference's do.
struct CodeletRow {
  const char *spectrum, *name, *where, *type; // "sum", "sum__tiled", "sum.cdl:21", "float"
  CodeletKind kind;
  bool applied;                     // the others are compared with it
  bool inner;                       // of a spectrum that the compiled one applies, whose operands others make
  bool rounds;                      // its lanes serve any number of elements
  int vector;                       // of the machine: lanes of a vector
  int least_lanes, most_lanes;      // that may work together: those, and four times as many, and so on
  const Operands *operands;
  const Parameter *parameters;      // as kernels have them
  Reference reference;              // what it computes, and how far a kernel may be from that
};
extern const CodeletRow *const codelets;
extern const int codelet_count;

} // namespace check

#define CHECK_CODELET(spectrum, name, where, type, kind, applied, inner, rounds, vector, least, most, operands, bits, \
                      value, bound) \
  {spectrum, name, where, type, check::kind, applied, inner, rounds, vector, least, most, operands, \
   check::Erased<decltype(&bits), &bits>::parameters, \
   check::bounded(check::Erased<decltype(&value), &value>::reference(type, nullptr, nullptr, operands), bound)}

#endif
