/* main.c: the command: options in, exit status out. */
#include "driver/driver.h"

int main(int argc, char **argv) { return driver_main(argc, argv); }
