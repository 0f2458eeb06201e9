/* listing.h: machines for people to read. */
#ifndef TGC_ARCH_LISTING_H
#define TGC_ARCH_LISTING_H

#include "arch/arch.h"
#include "support/buffer.h"

/* A table of `n` machines within 80 columns: name, title, levels by letter, what it has; below it
 * what the letters stand for. Lines that do not fit are wrapped. */
void arch_print_table(Buffer *to, const Arch **machines, int n);

#endif
