/* listing.h: machines for people to read. */
#ifndef TGC_ARCH_LISTING_H
#define TGC_ARCH_LISTING_H

#include "arch/arch.h"
#include "support/buffer.h"

/* A table of `n` machines within so many columns (0: a line each, however long): name, title, levels by letter, what it
 * has; below it what the letters stand for. What does not fit is wrapped. */
void arch_print_table(Buffer *to, const Arch **machines, int n, int columns);

#endif
