/* The witness's preparation on any bytes, which need not end in NUL: it must end with text or with an error that has a
 * place. Of two files: the first 0xff byte parts them. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../witness/prepare.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const uint8_t *parted = size ? memchr(data, 0xff, size) : NULL;
  const size_t first = parted ? (size_t)(parted - data) : size;
  char *one = malloc(first + 1), *two = malloc(size - first + 1); /* exact, so that reads behind them are seen */
  if (first) one = memcpy(realloc(one, first), data, first);
  const size_t rest = parted ? size - first - 1 : 0;
  if (rest) two = memcpy(realloc(two, rest), parted + 1, rest);
  const PrepareFile files[] = {{"one.cdl", one, first}, {"two.cdl", two, rest}};
  Prepared p = prepare(files, parted ? 2 : 1);
  const bool located = p.error && (strncmp(p.error, "one.cdl:", 8) == 0 || strncmp(p.error, "two.cdl:", 8) == 0);
  if (p.error ? !located : !p.text || strlen(p.text) != p.length) abort();
  prepared_free(&p);
  free(one);
  free(two);
  return 0;
}
