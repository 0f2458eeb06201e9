/* driver.h: the command. */
#ifndef TGC_DRIVER_DRIVER_H
#define TGC_DRIVER_DRIVER_H

/* Runs the command line; prints; returns the exit status: 0 done, 1 an error in the input, 2 misuse. */
int driver_main(int argc, char **argv);

#endif
