#include "driver/verbs.h"
int verb_new(Arena *a, const NewArguments *given) { (void)a; (void)given; return 2; }
