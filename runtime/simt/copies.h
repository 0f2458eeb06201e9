// copies.h: cp.async: copies that a lane makes some time between the call and its wait for them.
#ifndef TGC_SIMT_COPIES_H
#define TGC_SIMT_COPIES_H

#include "kernels.h"

namespace simt {

template <typename E>
void copy_elements(void *to, const void *from, int many) {
  for (int i = 0; i < many; i++) ((E *)to)[i] = from ? ((const E *)from)[i] : E(0);
}

// Of this kernel's text, so that its accesses are watched.
template <typename E>
void copy_ahead(E *to, const E *from, int many, bool exist) {
  const size_t bytes = (size_t)many * sizeof(E);
  if (bytes == 4 || bytes == 8 || bytes == 16) { // at once
    before_wide(to, (unsigned)bytes);
    if (exist) before_wide(from, (unsigned)bytes);
  }
  copy_later({copy_elements<E>, to, exist ? from : nullptr, many});
}

} // namespace simt

#endif
