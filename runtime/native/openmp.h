// openmp.h: an OpenMP for `tgc check': threads of the system's own, in orders that a schedule seldom has.
//
// A team is made for each parallel region, by pthread_create, and ends in pthread_join; barriers and critical sections are
// POSIX's: so ThreadSanitizer, which knows these, sees all that orders memory, and nothing else does. What decides whose
// turn it is comes from a seed, and is hidden from it: this folder's files are compiled without the sanitizer.
//
// gomp.cc and kmpc.cc are what gcc and clang call.
#ifndef TGC_NATIVE_OPENMP_H
#define TGC_NATIVE_OPENMP_H

#include <stdint.h>

namespace openmp {

struct Options {
  uint64_t seed = 1;   // of the orders
  int processors = 4;  // what the program is told: how many there are ..
  int most = 4;        // .. and of how many threads a team is that says nothing
  int granted = 0;     // a team gets no more, whatever it asks for; 0: what it asks for
};
extern Options options;

enum { MOST = 64 }; // threads of a team

// Runs body(context) by a team of `asked' threads (0: options.most), the caller among them; returns when all have ended.
// Within another team it runs by the caller alone.
void parallel(int asked, void (*body)(void *context), void *context);

int number();   // the calling thread's in its team
int threads();  // of the team
bool in_team();
void barrier(); // of the team; code outside any has none to wait for

// Waits a while or not at all, as the seed says: before a thread enters a critical section.
void dawdle();
// A lock by name, whose place holds NULL until the first asks.
void lock(void **name);
void unlock(void **name);
// Is the calling thread the one that does the next `single' of its team?
bool first_here();

} // namespace openmp

#endif
