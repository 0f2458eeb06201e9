/* front.h: codelet text -> Unit, by libclang. */
#ifndef TGC_FRONT_FRONT_H
#define TGC_FRONT_FRONT_H

#include "front/mentions.h"
#include "ir/tree.h"

/* Parses a .cdl file of which `types` lists the element types that the user wants ("float", "int", ..);
 * every generic codelet is also type-checked with each of them. `operation' names the operator that codelets of
 * `template <typename M, typename T>' are compiled with: a built-in one or a monoid of the file; NULL: none. Returns
 * NULL after any error; all errors of the file are in `d`. The unit's codelets are classified and their operators
 * inferred; the codelet passes have not run. */
Unit *front_parse(Arena *a, const SourceFile *file, const char **types, int ntypes, const char *operation,
                  Diagnostics *d);

/* The same for editors. */
typedef struct FrontRequest {
  const char **types;
  int ntypes;
  const char *operation;
  const char *spectrum; /* that is compiled; NULL: the first */
  Mentions *mentions; /* what names stand for, as far as the file can be read; NULL: nobody asks */
  bool any_types;     /* an editor's, which cannot tell for what types the file will be compiled */
} FrontRequest;
Unit *front_read(Arena *a, const SourceFile *file, const FrontRequest *r, Diagnostics *d);

/* Classifies and checks (classify.c): class of each codelet, __coop against its body, equal signatures,
 * unique tags, a spectrum with at least one codelet that computes, no write to what is read-only.
 * Called by front_parse. */
bool front_classify(Arena *a, Unit *u, Diagnostics *d);

/* The reduction operator that a spectrum's codelets compute, by their accumulation (operator.c):
 * `x += in[i]` add, `x = max(x, in[i])` max, .. OPERATOR_NONE with a remark where there is no telling. `real': some of
 * the types that T stands for are floating ones. */
OperatorKind front_operator(Spectrum *s, bool real, Diagnostics *d);

/* Does a spectrum whose codelets have a product, mma(), add up, by the codelet that they are compared with (product.c)?
 * An error says by what else. */
bool front_products_add(const Spectrum *s, Diagnostics *d);

/* Does each partition of a compound codelet cover its container exactly once? (coverage.c, MICRO II)
 * An error names the range that is missed or doubled; what cannot be proved gets a remark. Adjacent tiles keep
 * the elements' order, which the codelet is told.
 * Called by front_parse. */
bool front_coverage(Codelet *c, Diagnostics *d);

/* Does a compound codelet consist of sizes, one map and what becomes of its results? (compound.c) An error says what
 * does not fit. Called by the driver, before the composition: the passes know more shapes than it does. */
bool front_compound(const Codelet *c, Diagnostics *d);

#endif
