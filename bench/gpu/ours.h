// ours.h: the generated library and its variants among those that compete, for one element type; with its macros
// -DSPECTRUM_HEADER="sum.h" -DSPECTRUM=sum -DTYPE=float.
#ifndef BENCH_OURS_H
#define BENCH_OURS_H

#include SPECTRUM_HEADER

#include "measure.h"

#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)
#define TEXT2(a) #a
#define TEXT(a) TEXT2(a)
#define VARIANT PASTE(SPECTRUM, _variant)
#define VARIANTS PASTE(SPECTRUM, _variants)
#define VARIANT_COUNT PASTE(SPECTRUM, _variant_count)
#define CONFIGURATION PASTE(SPECTRUM, _configuration)
#define WORKSPACE_INIT PASTE(SPECTRUM, _workspace_init)
#define DISPATCH PASTE(PASTE(SPECTRUM, _), TYPE)
#define RUN PASTE(run_, TYPE)

namespace {

template <typename In, typename Out>
using Dispatch = cudaError_t (*)(void *, size_t *, const In *, uint64_t, Out *, cudaStream_t);

template <typename In, typename Out> Contender ours(Dispatch<In, Out> dispatch) {
  Contender c = {"ours"};
  c.init = WORKSPACE_INIT;
  c.call = [dispatch](void *workspace, size_t *bytes, const void *in, uint64_t n, void *out, cudaStream_t stream) {
    return dispatch(workspace, bytes, (const In *)in, n, (Out *)out, stream);
  };
  return c;
}

// One variant in one of the configurations that were compiled.
template <typename In, typename Out> Contender variant(const VARIANT &v, const CONFIGURATION &c) {
  Contender contender = ours<In, Out>(nullptr);
  contender.name = "variant";
  contender.what = std::string(", \"id\": \"") + v.id + "\", \"threads\": " + std::to_string(c.threads) +
                   ", \"loads\": " + std::to_string(c.loads) + ", \"blocks\": " + std::to_string(c.blocks);
  contender.call = [&v, &c](void *workspace, size_t *bytes, const void *in, uint64_t n, void *out,
                            cudaStream_t stream) {
    return v.RUN(&c, workspace, bytes, (const In *)in, n, (Out *)out, stream);
  };
  return contender;
}

template <typename In, typename Out> std::vector<Contender> variants() {
  std::vector<Contender> all;
  for (int i = 0; i < VARIANT_COUNT; i++) {
    const CONFIGURATION *c = VARIANTS[i].configurations; // zeros end them
    do all.push_back(variant<In, Out>(VARIANTS[i], *c));
    while ((++c)->threads);
  }
  return all;
}

} // namespace

#endif
