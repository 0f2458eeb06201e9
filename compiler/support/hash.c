#include "support/hash.h"

uint64_t hash_text(uint64_t hash, const char *text) {
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
  return hash;
}
