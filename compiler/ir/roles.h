/* roles.h: what the codelets of a spectrum take for granted of its operands: which arrays hold positions in others, and
 * which sizes follow from others. `tgc check' makes its data by this.
 *
 * It is read off the codelets' trees and is no proof: what is not recognised is taken to be plain data, and a size
 * to be free.
 *
 *   partition(in, s, sequence(off, 0, 1, s), .., ..)     off: offsets in `in'
 *   for (e = off[v]; e < min(off[v + 1], in.Size()); ..)  off: offsets in `in'
 *   for (e = off[v]; e < off[v + 1]; ..) .. in[e] ..     off: offsets in `in', none of them beyond its end
 *   bins[in[i]], gather(x, in)                           in: indices of bins, of x
 *   x[in[i] - 1] + x[in[i] + 2]                          in: indices of x, at least 1 and below x.Size() - 2
 *   bits[in[i] >> 5], of (x.Size() + 31) / 32 words      in: indices of x
 *   A(in[i], j)                                          in: indices of A's rows
 *   parent[parent[v]]                                    parent: indices of itself
 *   out[in[i]] = x, of out that is __accum(Once)         in: places in out
 *   for (k = 0; k < len[i]; ..) .. x[in[i] + k] ..       in: indices of x; len: lengths of what begins there
 *   for (e = in[i]; e < end[i]; ..) .. x[e] ..           in: indices of x; end: where what begins there ends
 *   out.append(x), of out that is __append(count)        out: a queue; count: its counter
 *   partition(in, out.Size(), sequence(0, size, n), ..)  in.Size() = size * out.Size()
 *   partition(in, out.Size(), sequence(off, 0, 1, s), ..)  off.Size() = out.Size() + 1 */
#ifndef TGC_IR_ROLES_H
#define TGC_IR_ROLES_H

#include "ir/signature.h"

/* Of an array's elements. ROLE_OFFSETS: ascending, from 0 to the number of another array's elements. ROLE_INDICES:
 * below that number. ROLE_PLACES: and no two the same. ROLE_QUEUE: in any order, as many as another one, its
 * ROLE_COUNTER, counts. ROLE_LENGTHS, ROLE_ENDS: how many elements stand from each of another array's indices on, or up
 * to where; none is beyond the end. */
typedef enum Role {
  ROLE_DATA, ROLE_OFFSETS, ROLE_INDICES, ROLE_PLACES, ROLE_QUEUE, ROLE_COUNTER, ROLE_LENGTHS, ROLE_ENDS
} Role;

/* Which positions an element e stands for: `every' * e + `low' to `every' * e + `high'; every 0: not known. */
typedef struct Reach { int64_t every, low, high; } Reach;

typedef struct OperandRole {
  Role role;
  int of;            /* the array it has positions in; of a queue its counter, of a counter the queue, of lengths and
                      * ends the indices; -1 */
  int dimension;     /* .. and which of its dimensions */
  Reach reach;       /* of indices and places */
  bool within;       /* offsets: none is beyond the end, as they are not clipped */
  SizeRule rule;     /* of a size: what it follows from; not said: it is free */
} OperandRole;

/* One for each operand of a spectrum whose signature that is. */
OperandRole *roles_of(Arena *a, const Spectrum *s, const Signature *signature);

/* What positions are in: an array of one dimension, or the size of one of several that they stay below; -1: elements
 * are no positions. */
int role_into(const Signature *s, const OperandRole *r);

#endif
