// sanitizers.h: what the compiler's sanitizers see while a variant runs, kept until its call is over. Part of harness.cc.
//
// Their libraries call the hooks below; where these are not linked, nobody does.
#include <atomic>

extern "C" {
int __tsan_get_report_data(void *report, const char **what, int *count, int *stacks, int *touches, int *locations,
                           int *mutexes, int *threads, int *unique, void **sleep, unsigned long most)
    __attribute__((weak));
int __tsan_get_report_mop(void *report, unsigned long i, int *thread, void **place, int *bytes, int *write, int *atomic,
                          void **trace, unsigned long most) __attribute__((weak));
void *__asan_get_report_pc(void) __attribute__((weak));
void *__asan_get_report_address(void) __attribute__((weak));
int __asan_get_report_access_type(void) __attribute__((weak));
size_t __asan_get_report_access_size(void) __attribute__((weak));
const char *__asan_get_report_description(void) __attribute__((weak));
void __asan_poison_memory_region(void const volatile *place, size_t bytes) __attribute__((weak));
void __asan_unpoison_memory_region(void const volatile *place, size_t bytes) __attribute__((weak));
void __ubsan_get_current_report_data(const char **kind, const char **message, const char **file, unsigned *line,
                                     unsigned *column, char **place) __attribute__((weak));
void __sanitizer_symbolize_pc(void *pc, const char *format, char *to, size_t size) __attribute__((weak));

// What they find is told by us, and ends nothing.
const char *__tsan_default_options(void) { return "exitcode=0:report_signal_unsafe=0:print_summary=0:atexit_sleep_ms=0"; }
const char *__asan_default_options(void) {
  return "exitcode=0:halt_on_error=0:detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_abort=0";
}
const char *__ubsan_default_options(void) { return "halt_on_error=0"; }
}

namespace check {

static std::string name_of(const void *address); // what lies there

enum { FRAMES = 16, MOST_FAULTS = 8 };

struct Touch {
  void *place;
  int bytes, write, atomic;
  void *trace[FRAMES];
};
struct Fault {
  const char *kind;  // "race", "bounds", "undefined"
  int count;         // of its touches
  Touch touches[2];
  char text[200];    // what a sanitizer says, or ""
  char where[100];   // the place in the text, if that is not in the first touch's trace
};
static Fault faults[MOST_FAULTS];
static std::atomic<int> fault_count; // some of them may be lost

static Fault *new_fault(const char *kind) {
  const int i = fault_count++;
  if (i >= MOST_FAULTS) return nullptr;
  faults[i] = {};
  faults[i].kind = kind;
  return &faults[i];
}

static const char *last_part(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// "784a53c3.c:54", the innermost line of the variant's own, or the innermost that is known.
static std::string line_of(void *const *trace) {
  std::string top;
  for (int i = 0; i < FRAMES && trace[i] && __sanitizer_symbolize_pc; i++) {
    char text[400] = "";
    __sanitizer_symbolize_pc(trace[i], "%s:%l", text, sizeof text);
    const std::string here = last_part(text);
    if (at.entry && here.compare(0, strlen(at.entry->variant), at.entry->variant) == 0) return here;
    if (top.empty()) top = here;
  }
  return top.empty() ? "an unknown line" : top;
}

static std::string touch_text(const Touch &t) {
  return std::string(t.atomic ? "atomic " : "") + (t.write ? "write" : "read") + " of " + std::to_string(t.bytes) +
         " byte" + (t.bytes == 1 ? "" : "s");
}

static std::string fault_text(const Fault &f) {
  if (!f.count) return std::string(f.text) + "; at " + f.where;
  const std::string place = f.kind + std::string(": ") + name_of(f.touches[0].place);
  if (f.count == 1) return place + ": " + touch_text(f.touches[0]) + ", " + f.text + "; at " + line_of(f.touches[0].trace);
  return place + ": " + touch_text(f.touches[0]) + " by one thread, " + touch_text(f.touches[1]) +
         " by another, and nothing orders them; the first at " + line_of(f.touches[0].trace) + ", the second at " +
         line_of(f.touches[1].trace);
}

// A failure each. Returns how many.
static int report_faults() {
  const int n = fault_count;
  for (int i = 0; i < n && i < MOST_FAULTS; i++) fail(faults[i].kind, "-", "-", fault_text(faults[i]).c_str());
  fault_count = 0;
  return n;
}

} // namespace check

extern "C" void __tsan_on_report(void *report) {
  using namespace check;
  const char *what;
  int count, stacks, touches, locations, mutexes, threads, unique;
  void *sleep[1];
  __tsan_get_report_data(report, &what, &count, &stacks, &touches, &locations, &mutexes, &threads, &unique, sleep, 1);
  Fault *f = new_fault("race");
  if (!f) return;
  for (int thread; f->count < touches && f->count < 2; f->count++) {
    Touch &t = f->touches[f->count];
    __tsan_get_report_mop(report, (unsigned long)f->count, &thread, &t.place, &t.bytes, &t.write, &t.atomic, t.trace,
                          FRAMES);
  }
  if (f->count < 2) { // no race: a lock that is given back by who has not got it, and the like
    f->count = 0;
    snprintf(f->text, sizeof f->text, "%s", what);
    snprintf(f->where, sizeof f->where, "an unknown line");
  }
}

extern "C" void __asan_on_error(void) {
  using namespace check;
  Fault *f = new_fault("bounds");
  if (!f) return;
  f->count = 1;
  f->touches[0] = {__asan_get_report_address(), (int)__asan_get_report_access_size(), __asan_get_report_access_type(), 0,
                   {__asan_get_report_pc()}};
  snprintf(f->text, sizeof f->text, "%s", __asan_get_report_description());
}

extern "C" void __ubsan_on_report(void) {
  using namespace check;
  const char *kind = "", *message = "", *file = "";
  unsigned line = 0, column = 0;
  char *place = nullptr;
  Fault *f = new_fault("undefined");
  if (!f) return;
  __ubsan_get_current_report_data(&kind, &message, &file, &line, &column, &place);
  snprintf(f->text, sizeof f->text, "%s", message && *message ? message : kind);
  snprintf(f->where, sizeof f->where, "%s:%u", last_part(file ? file : ""), line);
}
