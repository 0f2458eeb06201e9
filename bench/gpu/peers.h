// peers.h: the library functions that compete with a workload. A workload calls them through pointers, so that the
// sources that include CUB and thrust, arrays_*_peers.cu, can be compiled for each version: the toolkit's, and that of
// a checkout of CCCL. CUB's and thrust's inline namespaces carry their versions, so all link into one program.
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include <string>
#include <vector>

namespace arrays {

// "CUB 3.6.0", "CUB 3.6.0 fixed-size": the library, its version (300600, as CUB and thrust write it), which function.
inline std::string peer_name(const char *library, int version, const char *function = "") {
  const std::string number = std::to_string(version / 100000) + "." + std::to_string(version / 100 % 1000) + "." +
                             std::to_string(version % 100);
  return std::string(library) + " " + number + (*function ? std::string(" ") + function : "");
}

// F: the operands, as the workload's header of peers declares them.
template <typename F> struct Peer {
  std::string name;
  F *call;
};
template <typename F> std::vector<Peer<F>> &peers() {
  static std::vector<Peer<F>> all;
  return all;
}
template <typename F> struct AddPeer {
  AddPeer(const std::string &name, F *call) { peers<F>().push_back({name, call}); }
};

} // namespace arrays

#endif
