/* check.h: tgc check DIR: runs the variants of a folder on the CPU, or compiles them for many machines. */
#ifndef TGC_DRIVER_CHECK_H
#define TGC_DRIVER_CHECK_H

/* Runs the verb on its command line; an argv[0] or argv[1] that says "check" is the verb's own name. Prints progress on
 * standard error, results on standard output. Returns the exit status: 0 every variant passed; 1 one failed, or the
 * folder, the compiler or the device is missing; 2 misuse; 130 interrupted. */
int verb_check(int argc, char **argv);

#endif
