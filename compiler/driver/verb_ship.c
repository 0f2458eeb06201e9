#include "driver/verbs.h"
int verb_ship(Arena *a, const ShipArguments *given) { (void)a; (void)given; return 2; }
