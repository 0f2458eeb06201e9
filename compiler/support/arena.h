/* arena.h: memory by lifetime. One arena a compilation, one a variant; freed whole. */
#ifndef TGC_SUPPORT_ARENA_H
#define TGC_SUPPORT_ARENA_H

#include <stdarg.h>
#include <stddef.h>

typedef struct Arena Arena;

/* A new, empty arena; the caller frees it with arena_free. Memory exhaustion is the one
 * condition that does not travel up as a value: the allocator ends the process (abort). */
Arena *arena_new(void);
void arena_free(Arena *a);

/* Takes back all that was handed out, and keeps the memory for what comes next. */
void arena_reset(Arena *a);

/* n zeroed bytes, aligned to 16; they live as long as the arena. n = 0 gives a valid pointer. */
void *arena_alloc(Arena *a, size_t n);

/* Bytes handed out so far. */
size_t arena_used(const Arena *a);

/* Copies of text in the arena, NUL-terminated. */
char *arena_strdup(Arena *a, const char *s);
char *arena_strndup(Arena *a, const char *s, size_t n);
char *arena_printf(Arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(Arena *a, const char *fmt, va_list ap);

/* One zeroed object, or n of them. */
#define arena_one(a, T) ((T *)arena_alloc((a), sizeof(T)))
#define arena_many(a, T, n) ((T *)arena_alloc((a), sizeof(T) * (size_t)(n)))

/* A growable array in an arena: VEC(int) v = {0}; vec_push(a, &v, 3); v.at[0], v.n. Growing
 * leaves the old storage to the arena. */
#define VEC(T)       \
  struct {           \
    T *at;           \
    int n, capacity; \
  }
#define vec_push(a, v, x)                                                                    \
  do {                                                                                       \
    if ((v)->n == (v)->capacity)                                                             \
      (v)->at = arena_grow((a), (v)->at, (size_t)(v)->n * sizeof *(v)->at, &(v)->capacity,    \
                           sizeof *(v)->at);                                                 \
    (v)->at[(v)->n++] = (x);                                                                 \
  } while (0)
void *arena_grow(Arena *a, const void *old, size_t used, int *capacity, size_t each);
/* `to' becomes a copy of `from', with storage of its own. */
#define vec_copy(a, to, from)                                                          \
  do {                                                                                 \
    (to)->n = (to)->capacity = (from)->n;                                              \
    (to)->at = arena_copy((a), (from)->at, (size_t)(from)->n * sizeof *(from)->at);    \
  } while (0)
void *arena_copy(Arena *a, const void *of, size_t n); /* NULL of nothing */

#endif
