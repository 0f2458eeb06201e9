#include "driver/verbs.h"
int verb_diff(Arena *a, const DiffArguments *given) { (void)a; (void)given; return 2; }
