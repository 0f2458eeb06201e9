/* figures.h: what was measured on a machine, to begin with until the tuner has measured a program itself.
 *
 * A machine's file may say each of them under `measured' (docs/reference/machines.md). What it leaves out
 * is the usual figure: of family cuda it was measured on an H200, of family cpu on AMD EPYCs (bench/results).
 *
 *   figure         the key in the files
 *   family         CUDA, CPU, or ANY: whose files have it
 *   least, most    what it can be
 *   usual          where a file does not say */
#ifndef TGC_ARCH_FIGURES_H
#define TGC_ARCH_FIGURES_H

#include <stdint.h>

/* Which plan serves which sizes (compose/guess.c). */
#define FIGURES_OF_SIZES(X)                                                                                \
  X(one_warp, CUDA, 1, FIGURE_MOST, 2048)     /* elements up to which one warp alone takes least time */   \
  X(one_block, ANY, 1, FIGURE_MOST, 32768)    /* .. one block, or thread of a CPU */                       \
  X(one_block_steps, CUDA, 1, FIGURE_MOST, 2048) /* .. one block that takes all of a codelet's steps */    \
  X(one_cluster, CUDA, 1, FIGURE_MOST, 65536) /* .. one cluster */                                         \
  X(lane_part, ANY, 1, FIGURE_MOST, 32)       /* the longest of many parts that one lane handles as fast   \
                                                 as more lanes would, in elements */                       \
  X(ragged_part, CPU, 1, FIGURE_MOST, 32)     /* .. where parts begin and end where memory says */         \
  X(subwarp_part, CUDA, 1, FIGURE_MOST, 128)  /* .. that one sub-warp */                                   \
  X(warp_part, CUDA, 1, FIGURE_MOST, 2048)    /* .. that one warp */                                       \
  X(block_part, ANY, 1, FIGURE_MOST, 1 << 20) /* .. that one block, or thread of a CPU */                  \
  X(slices_part, CUDA, 1, FIGURE_MOST, 512)   /* the longest part that no blocks share, where warps take   \
                                                 slices of neighbouring parts, in elements */              \
  X(slices_parts, CUDA, 1, FIGURE_MOST, 128)  /* .. and how many of them a multiprocessor needs, to share  \
                                                 none that are longer */                                   \
  X(lines_short, CPU, 1, FIGURE_MOST, 512)    /* the longest line that no threads share, where a line's    \
                                                 elements lie apart */                                     \
  X(lines_shared, CPU, 1, FIGURE_MOST, 8)     /* vectors of them that a thread needs, to share none */     \
  X(lines_many, CPU, 1, FIGURE_MOST, 8)       /* vectors of them a thread from which on it takes .. */     \
  X(lines_loads, CPU, 1, 1024, 256)           /* .. so many at a time */                                   \
  X(rows_shared, CPU, 1, FIGURE_MOST, 2048)   /* vectors of the longest row that no threads share, where   \
                                                 its elements lie side by side */                          \
  X(rows_parts, CPU, 1, FIGURE_MOST, 4)       /* rows that a thread needs, to share none */                \
  X(rows_jammed, CPU, 1, FIGURE_MOST, 256)    /* vectors of a row up to which one is read after the other, \
                                                 not several at once */                                    \
  X(plain_row, CUDA, 1, FIGURE_MOST, 7)       /* the longest row that a lane reads where it lies, in elements; longer \
                                                 ones are copied together */                               \
  X(product_inner, CUDA, 1, FIGURE_MOST, 128) /* the longest inner dimension of a product that no blocks   \
                                                 share, in elements */                                     \
  X(product_results, CUDA, 1, FIGURE_MOST, 4096) /* .. and how many results a multiprocessor needs, to     \
                                                 share none that are longer */                             \
  X(product_added, CUDA, 0, FIGURE_MOST, 64)  /* to add up a share of a tile takes as long as so many elements of \
                                                 the inner dimension */                                    \
  X(parts_together, CUDA, 1, FIGURE_MOST, 32) /* how many parts that each go through what all of them have \
                                                 a multiprocessor needs, for lanes that work alone */      \
  X(product_alone, CPU, 1, FIGURE_MOST, 4096) /* results of a product that one thread has alone */         \
  X(tiny_inner, CPU, 1, FIGURE_MOST, 16)      /* the inner dimension of a product so small that one thread \
                                                 has it without a tile, .. */                              \
  X(tiny_results, CPU, 1, FIGURE_MOST, 128)   /* .. and its results */                                     \
  X(held_inner, CPU, 1, FIGURE_MOST, 128)     /* the inner dimension of a product whose operands are read  \
                                                 where they lie, .. */                                     \
  X(held_results, CPU, 1, FIGURE_MOST, 16384) /* .. and its results; of a batch any */

/* What a plan's sizes begin with (compose/threads.c, compose/finish.c; lower/), and what is written out (emit/). */
#define FIGURES_OF_PLANS(X)                                                                                    \
  X(threads, CUDA, 1, 1024, 256)            /* of a block */                                                   \
  X(threads_wide, CUDA, 1, 1024, 512)       /* .. that loads 16 bytes at a time, or does everything alone */   \
  X(blocks_wide, ANY, 1, 64, 2)             /* that load 16 bytes at a time, for each multiprocessor or core */ \
  X(loads, ANY, 1, 16, 2)                   /* in flight a lane */                                             \
  X(loads_alone, ANY, 1, 16, 8)             /* .. of a lane that goes through parts of its own */              \
  X(lane_elements, CUDA, 1, FIGURE_MOST, 4) /* of a lane that are worth another piece of a shared part */      \
  X(kept_eighths, CUDA, 1, 7, 5)            /* of a multiprocessor's registers, which the tiles of a scan fill \
                                               whose blocks wait for each other */                             \
  X(grain_vectors, CPU, 1, FIGURE_MOST, 16)     /* that stay together where a thread's part ends */            \
  X(thread_vectors, CPU, 1, FIGURE_MOST, 1024)  /* that are worth waking another thread */                     \
  X(tile_vectors, CPU, 1, FIGURE_MOST, 4096)    /* of a tile of a scan that a thread takes next, at most: of   \
                                                   4 bytes a quarter of a core's cache */                      \
  X(tile_fewest, CPU, 1, FIGURE_MOST, 128)      /* .. at least: fewer take less time than to pass on what      \
                                                   stands before the next */                                   \
  X(copy_vectors, CPU, 1, FIGURE_MOST, 1024)    /* .. of one that it copies first */                           \
  X(copy_bytes, CPU, 1, FIGURE_MOST, 256 << 10) /* of a thread's stack for such a copy, at most */             \
  X(tile_rows, CPU, 1, 32, 6)                   /* rows of two vectors that a thread holds in registers */     \
  X(half_bytes, CPU, 4, 4096, 32)               /* of the vectors that get more from several runs of memory,   \
                                                   read side by side, than a machine's larger ones */          \
  X(threads_tiles, CUDA, 1, 1024, 128)      /* of a block whose lanes hold rectangles */                       \
  X(cut_block, CUDA, 1, FIGURE_MOST, 64)    /* elements of a dimension that is cut, in a block's part */       \
  X(cut_thread, CPU, 1, FIGURE_MOST, 16)    /* .. in a thread's */                                             \
  X(own_bytes, ANY, 1, FIGURE_MOST, 32 << 10) /* of a private copy of a container, for all lanes, at most */   \
  X(own_bytes_several, ANY, 1, FIGURE_MOST, 40 << 10) /* .. of several containers' together */                 \

#define FIGURES(X) FIGURES_OF_SIZES(X) FIGURES_OF_PLANS(X)

enum { FIGURE_MOST = 1 << 30 };

typedef struct Figures {
#define FIELD(figure, family, least, most, usual) int64_t figure;
  FIGURES(FIELD)
#undef FIELD
} Figures;

#endif
