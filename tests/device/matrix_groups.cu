// Two groups of warps multiply 128 x K by K x 64 halves, panel after panel of 64 in four buffers, two ahead of the one at hand,
// which come by boxes, or by lanes where the rows of memory do not begin at multiples of 16 bytes: both matrices by rows and by
// columns, as a plain product says, which knows nothing of layouts. The same of words, in panels of 32, with B by columns, and of
// bytes, in panels of 128, along them both. Of halves a warp beside the groups asks for panels, too, and what they hold goes to
// memory by boxes, of which some lie beyond its end.
//
// mutant: copies of half a panel: simt::open_panels(copies) => simt::open_panels(copies - 1)
// mutant: the wrong buffer: simt::copy_by_boxes(to, boxes, x, y, buffer, => simt::copy_by_boxes(to, boxes, x, y, (buffer + 1) % 4,
// mutant: x and y: simt::copy_by_boxes(to, boxes, x, y, => simt::copy_by_boxes(to, boxes, y, x,
// mutant: nobody waits for boxes: if (boxes) simt::await_panel(panel % buffers, panel / buffers); => if (boxes) ;
// mutant: the first panels: simt::await_panel(panel % buffers, panel / buffers) => simt::await_panel(panel % buffers, 0)
// mutant: no fence of copies: else simt::fence_copies(); => else ;
// mutant: what does not exist: simt::copy_chunk(to, from, exist) => simt::copy_chunk(to, from, 8)
// mutant: no fence of products: simt::open_products(); => ;
// mutant: nobody waits for products: simt::await_products(groups) => simt::await_products(groups + 1)
// mutant: another order: simt::multiply_group<columns, along_a, along_b> => simt::multiply_group<columns, along_b, along_a>
// mutant: not swizzled: (x % LINE / CHUNK ^ y % 8) => (x % LINE / CHUNK)
// mutant: boxes over one another: x / LINE * lines + y => y
// mutant: other rows: which * 4; => which * 8;
// mutant: rows side by side: lane / 16 * 16 + => lane / 16 * 4 +
// mutant: the words before: to[i] = from[i]; => to[i] = i ? from[i] : to[i];
// mutant: half a pair: atomicAdd(&to[1], from[1]); =>
// mutant: no room: simt::await_room(panel % buffers, panel / buffers); => ;
// mutant: the first room: simt::await_room(panel % buffers, panel / buffers) => simt::await_room(panel % buffers, 0)
// mutant: few warps: simt::open_panels(copies, warps) => simt::open_panels(copies, warps - 1)
// mutant: another buffer is free: simt::free_panel(panel % buffers) => simt::free_panel((panel + 1) % buffers)
// mutant: lanes that do not meet: meet_group();\n    if (lane == 0) deliver => if (lane == 0) deliver
// mutant: boxes that are filled too early: simt::await_reads(boxes); => ;
// mutant: no fence of boxes: simt::fence_copies();\n#endif => ;\n#endif
// mutant: boxes that are not swizzled: (right / 4 ^ down % 8) => (right / 4)
// mutant: stored in place of added: simt::deliver_box<adds>(to => simt::deliver_box<false>(to
// mutant: a pair of one: atomicAdd(&to[1], from[1]) => atomicAdd(&to[1], from[0])
#include <cuda_fp16.h>

#include "device_test.h"

#include "tf32.cuh"

enum { M = 128, N = 64, STAGES = 4, THREADS = 256 };

// Small integers, whose sums of products are exact.
static int of_a(int i, int k) { return (i * 7 + k * 5) % 11 - 5; }
static int of_b(int k, int j) { return (k * 3 + j * 13) % 7 - 3; }

// An element of that value; of tf32 one with more digits, which are cut off.
template <typename E> E element(int x) { return (E)(float)x; }
template <> tf32 element<tf32>(int x) { return tf32((float)x * (1 + 0x1p-20f)); }

#define COPIES 1
#define PLANES 1
#define MATRICES 0
#define PRODUCED 0
#define DELIVERED 0
#define MULTIPLY 1
#define ELEMENT __half
#define SUM float
#define INSTRUCTION
#define INTEGERS 0
#define DEPTH 16
#define WORDS 0
#define ROWS_OF_WORDS 0
#define INSTRUCTION_FROM
#define LINE 64
#define CHUNK 8
#define BOX_TYPE CU_TENSOR_MAP_DATA_TYPE_UINT16
namespace halves {
#include "matrix_groups.cuh"
#include "matrix_groups_product.h"
}
#undef PRODUCED
#undef DELIVERED
#define PRODUCED 1
#define DELIVERED 1
namespace beside {
#include "matrix_groups.cuh"
#include "matrix_groups_produced.h"
}
#undef PRODUCED
#undef DELIVERED
#define PRODUCED 0
#define DELIVERED 0
#undef ELEMENT
#undef WORDS
#undef ROWS_OF_WORDS
#undef LINE
#undef CHUNK
#define ELEMENT tf32
#define WORDS 1
#define ROWS_OF_WORDS 1
#define LINE 32
#define CHUNK 4
namespace words {
#include "matrix_groups.cuh"
#include "matrix_groups_product.h"
}
#undef ELEMENT
#undef SUM
#undef WORDS
#undef ROWS_OF_WORDS
#undef INTEGERS
#undef DEPTH
#undef LINE
#undef CHUNK
#define ELEMENT signed char
#define SUM int
#define WORDS 0
#define ROWS_OF_WORDS 0
#define INTEGERS 1
#define DEPTH 32
#define LINE 128
#define CHUNK 16
namespace bytes {
#include "matrix_groups.cuh"
#include "matrix_groups_product.h"
}

int main() {
  static int turn;
  return each_seed([] {
    const int K = 1 + 117 * (turn++ % 6); // up to ten panels, in four buffers, the last ones not whole
    if (!beside::right<true, false>(K, turn % 2) || !beside::right<false, true>(K, turn % 3)) return false;
    switch (turn % 4) {
      case 0: return halves::right<true, true, true>(K) && halves::right<true, false, false>(K) && words::right<true, true, true>(K) &&
                     bytes::right<true, true, true>(K);
      case 1: return halves::right<true, false, true>(K) && halves::right<false, true, false>(K) && words::right<false, true, true>(K);
      case 2: return halves::right<false, true, true>(K) && halves::right<false, false, false>(K) && words::right<true, true, false>(K) &&
                     bytes::right<true, true, false>(K);
      default: return halves::right<false, false, true>(K) && halves::right<true, true, false>(K) && words::right<false, true, false>(K);
    }
  });
}
