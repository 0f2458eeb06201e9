/* tune.h: tgc tune, a program of its own (compiler/tune): it runs on the machine that is measured, which need not
 * have libclang. */
#ifndef TGC_DRIVER_TUNE_H
#define TGC_DRIVER_TUNE_H

/* `tgc tune ..': becomes tgc-tune, which stands beside this executable or in PATH. Returns an exit status only
 * when there is none. */
int verb_tune(int argc, char **argv);

#endif
