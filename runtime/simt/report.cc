// report.cc: reports, and the names that go into them: of kernels and shared variables, from the symbol table of
// the executable, or of the shared library that the executor is in; of lines, from its debug information by
// llvm-symbolizer or addr2line.
#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include "machine.h"

namespace simt {

// ---- the program, or the shared library, that this is part of ----

static const link_map *image() {
  Dl_info info;
  void *map = nullptr;
  static const char inside = 0;
  return dladdr1(&inside, &info, &map, RTLD_DL_LINKMAP) ? (const link_map *)map : nullptr;
}

// Its addresses in files are relative to that.
const uintptr_t image_begin = image() ? image()->l_addr : 0;

static std::string image_path() {
  const link_map *map = image();
  if (map && map->l_name && *map->l_name) return map->l_name;
  char self[4096];
  const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  return n > 0 ? std::string(self, (size_t)n) : "";
}

std::vector<Report> reports;

const char *fault_name(Fault f) {
  static const char *const names[] = {"race",     "bounds", "uninitialised", "fence",   "divergence", "mask",
                                      "deadlock", "launch", "early",         "cluster", "alignment"};
  return names[f];
}

// The same fault at the same places counts as one report; past Options.max_reports of them the launch ends.
void report(Fault f, uintptr_t at, uintptr_t before, const char *format, ...) {
  for (Report &r : reports)
    if (r.fault == f && r.at[0] == at && r.at[1] == before &&
        (at || r.line == (machine.running ? machine.running->line : 0))) {
      if (++r.count > 1000) machine.aborted = true;
      return;
    }
  if (reports.size() >= options.max_reports) {
    machine.aborted = true;
    return;
  }
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  reports.push_back(
      {f, text, {at, before}, machine.running ? machine.running->line : 0, kernel_name(machine.kernel), 1});
}

// ---- the symbol table ----

struct Symbol {
  uintptr_t address, size;
  std::string name; // mangled
};

static std::vector<Symbol> read_symbols() {
  std::vector<Symbol> found;
  int fd = open(image_path().c_str(), O_RDONLY);
  struct stat info;
  if (fd < 0) return found;
  if (fstat(fd, &info) != 0) return close(fd), found;
  char *file = (char *)mmap(nullptr, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  close(fd);
  if (file == MAP_FAILED) return found;
  const Elf64_Ehdr *head = (const Elf64_Ehdr *)file;
  if (memcmp(head->e_ident, ELFMAG, SELFMAG) == 0 && head->e_ident[EI_CLASS] == ELFCLASS64) {
    const Elf64_Shdr *section = (const Elf64_Shdr *)(file + head->e_shoff);
    for (int i = 0; i < head->e_shnum; i++) {
      if (section[i].sh_type != SHT_SYMTAB) continue;
      const Elf64_Sym *symbol = (const Elf64_Sym *)(file + section[i].sh_offset);
      const char *names = file + section[section[i].sh_link].sh_offset;
      for (size_t k = 0; k < section[i].sh_size / sizeof *symbol; k++) {
        int type = ELF64_ST_TYPE(symbol[k].st_info);
        if ((type == STT_OBJECT || type == STT_FUNC) && symbol[k].st_size)
          found.push_back({image_begin + symbol[k].st_value, symbol[k].st_size, names + symbol[k].st_name});
      }
    }
  }
  munmap(file, (size_t)info.st_size);
  return found;
}

static const std::vector<Symbol> &symbols() {
  static const std::vector<Symbol> all = read_symbols();
  return all;
}

static std::string mangled_name(const void *function) {
  for (const Symbol &s : symbols())
    if (s.address == (uintptr_t)function) return s.name;
  return "";
}

static std::string demangled(const std::string &name) {
  int status = 0;
  char *text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string result = status == 0 && text ? text : name;
  free(text);
  return result;
}

// Without its parameters: "sum_3fa9c1d2::sum_block<float>".
std::string kernel_name(const void *kernel) {
  std::string name = demangled(mangled_name(kernel));
  size_t end = name.find('(');
  if (end != std::string::npos) name.resize(end);
  if (name.compare(0, 5, "void ") == 0) name.erase(0, 5);
  return name;
}

// A static of function f is mangled _ZZ<f's encoding>E<name>; a C function's encoding is its name's length and name.
const std::vector<Variable> &shared_variables(const void *kernel) {
  static std::map<const void *, std::vector<Variable>> known;
  auto at = known.find(kernel);
  if (at != known.end()) return at->second;
  std::vector<Variable> &found = known[kernel];
  std::string name = mangled_name(kernel), prefix;
  if (name.empty()) return found;
  prefix = name.compare(0, 2, "_Z") == 0 ? "_ZZ" + name.substr(2) + "E"
                                         : "_ZZ" + std::to_string(name.size()) + name + "E";
  for (const Symbol &s : symbols()) {
    if (s.name.compare(0, prefix.size(), prefix) != 0 || s.name.find("simt_red_zone_") != std::string::npos) continue;
    std::string tail = s.name.substr(prefix.size());
    size_t digits = strspn(tail.c_str(), "0123456789");
    size_t length = strtoul(tail.c_str(), nullptr, 10);
    if (digits == 0 || digits + length > tail.size()) continue;
    found.push_back({s.address, s.address + s.size, 0, tail.substr(digits, length)});
  }
  std::sort(found.begin(), found.end(), [](const Variable &a, const Variable &b) { return a.begin < b.begin; });
  size_t offset = variable_gap;
  for (Variable &v : found) {
    v.offset = offset;
    offset += (v.end - v.begin + 15) / 16 * 16 + variable_gap;
  }
  return found;
}

// ---- lines ----

static std::string first_line_of(const std::string &command) {
  std::string line;
  FILE *from = popen(command.c_str(), "r");
  if (!from) return line;
  for (int c; (c = fgetc(from)) != EOF && c != '\n';) line += (char)c;
  while (fgetc(from) != EOF) {
  }
  return pclose(from) == 0 ? line : "";
}

constexpr uintptr_t most_lines = 1 << 20; // what is less is a line itself, no address

// "sum.cu:41", or "" when no tool can tell.
static std::string line_of(uintptr_t at) {
  if (at < most_lines) return at ? "line " + std::to_string(at) : "";
  static std::map<uintptr_t, std::string> known;
  auto found = known.find(at);
  if (found != known.end()) return found->second;
  std::string &line = known[at];
  if (image_path().empty()) return line;
  char offset[40];
  snprintf(offset, sizeof offset, "0x%zx", (size_t)(at - image_begin));
  std::string quoted = "'" + image_path() + "'";
  line = first_line_of("addr2line -e " + quoted + " " + offset + " 2>/dev/null");
  for (const char *tool : {"llvm-symbolizer-19", "llvm-symbolizer"}) {
    if (!line.empty()) break;
    line = first_line_of(std::string(tool) + " --functions=none --no-inlines --obj=" + quoted + " " + offset +
                         " 2>/dev/null");
  }
  size_t slash = line.rfind('/');
  if (slash != std::string::npos) line.erase(0, slash + 1);
  size_t space = line.find(' ');
  if (space != std::string::npos) line.resize(space);
  if (line.compare(0, 2, "??") == 0 || line.find(":0") != std::string::npos) line.clear();
  size_t colon = line.find(':');
  if (colon != std::string::npos) colon = line.find(':', colon + 1);
  if (colon != std::string::npos) line.resize(colon); // the column
  return line;
}

std::string describe(const Report &r) {
  std::string s = std::string(fault_name(r.fault)) + ": " + r.text;
  std::string here = line_of(r.at[0]), earlier = line_of(r.at[1]);
  if (!earlier.empty())
    s += "; the first at " + earlier + ", the second at " + (here.empty() ? "an unknown line" : here);
  else if (!here.empty()) s += "; at " + here;
  else if (r.line && r.text.find("line ") == std::string::npos) s += "; after line " + std::to_string(r.line);
  s += "; in " + r.kernel;
  if (r.count > 1) s += " (" + std::to_string(r.count) + " times)";
  return s;
}

} // namespace simt
