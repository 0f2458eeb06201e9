// lines.cc: which line of the codelets is being run: the innermost frame of the stack that is in one of their files, by
// llvm-symbolizer or addr2line, which read the debug information; "" where neither can tell.
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <map>
#include <vector>

#include "problem.h"

namespace tgc {
inline const char *(*line_now)() = nullptr; // witness/containers.h asks it
}

namespace check {

static std::string image_of(const link_map *map) {
  if (map->l_name && *map->l_name) return map->l_name;
  char self[4096];
  const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  return n > 0 ? std::string(self, (size_t)n) : "";
}

// The first line that a tool prints of a codelets' file: it prints the innermost frame first, inlined ones, too.
static std::string first_codelet(const std::string &command) {
  FILE *from = popen((command + " 2>/dev/null").c_str(), "r");
  if (!from) return "";
  std::string found;
  char line[4096];
  while (fgets(line, sizeof line, from)) {
    const char *end = strstr(line, ".cdl:");
    if (!end || !found.empty()) continue; // to the end: the tool is not to be interrupted
    end += strlen(".cdl:");
    end += strspn(end, "0123456789");
    found.assign((const char *)line, (size_t)(end - line));
    const size_t slash = found.rfind('/');
    if (slash != std::string::npos) found.erase(0, slash + 1);
  }
  pclose(from);
  return found;
}

std::string codelet_line() {
  enum { DEEPEST = 64 };
  void *frame[DEEPEST];
  const int depth = backtrace(frame, DEEPEST);
  std::string image, places;
  for (int i = 1; i < depth; i++) {
    Dl_info info;
    void *map = nullptr;
    if (!dladdr1(frame[i], &info, &map, RTLD_DL_LINKMAP)) continue;
    const std::string own = image_of((const link_map *)map);
    if (image.empty()) image = own;
    if (own != image) continue;
    char place[40];
    snprintf(place, sizeof place, " 0x%zx", (size_t)((char *)frame[i] - 1 - (char *)((const link_map *)map)->l_addr));
    places += place; // the call, and not what it returns to
  }
  static std::map<std::string, std::string> known; // codelets may fail more often than once
  const auto before = known.find(places);
  if (image.empty() || before != known.end()) return image.empty() ? "" : before->second;
  const std::string quoted = "'" + image + "'";
  std::string line = first_codelet("addr2line -i -e " + quoted + places);
  for (const char *tool : {"llvm-symbolizer-19", "llvm-symbolizer"})
    if (line.empty()) line = first_codelet(std::string(tool) + " --functions=none --obj=" + quoted + places);
  return known[places] = line;
}

static const char *text_of_line() {
  static std::string line;
  line = codelet_line();
  return line.c_str();
}
static const bool asked = (tgc::line_now = text_of_line, true);

} // namespace check
