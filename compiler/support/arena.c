/* arena.c: blocks in a list, each object carved from the newest; freed whole. */
#include "support/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Block Block;
struct Block {
  Block *next;
  size_t size, used;
  _Alignas(16) unsigned char bytes[];
};

struct Arena {
  Block *blocks; /* newest first */
  Block *spare;  /* zeroed, from before a reset */
  size_t handed_out;
};

enum { ALIGNMENT = 16, FIRST_BLOCK = 1 << 14, LARGEST_BLOCK = 1 << 20 };

static void *allocate(size_t n) {
  void *p = calloc(1, n);
  if (!p) abort(); /* the one condition that does not travel up */
  return p;
}

Arena *arena_new(void) { return allocate(sizeof(Arena)); }

static void free_blocks(Block *b) {
  while (b) {
    Block *next = b->next;
    free(b);
    b = next;
  }
}

void arena_free(Arena *a) {
  if (!a) return;
  free_blocks(a->blocks);
  free_blocks(a->spare);
  free(a);
}

void arena_reset(Arena *a) {
  while (a->blocks) {
    Block *b = a->blocks;
    a->blocks = b->next;
    memset(b->bytes, 0, b->used);
    b->used = 0;
    b->next = a->spare;
    a->spare = b;
  }
  a->handed_out = 0;
}

/* A block with room for n bytes: a spare one if the first is large enough, else a new one. */
static Block *block_for(Arena *a, size_t n) {
  Block *b = a->spare;
  if (b && b->size >= n) {
    a->spare = b->next;
    return b;
  }
  size_t size = a->blocks ? a->blocks->size * 2 : FIRST_BLOCK;
  if (size > LARGEST_BLOCK) size = LARGEST_BLOCK;
  if (size < n) size = n;
  b = allocate(sizeof(Block) + size);
  b->size = size;
  return b;
}

void *arena_alloc(Arena *a, size_t n) {
  if (n > SIZE_MAX / 2) abort();
  n = (n + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  Block *b = a->blocks;
  if (!b || b->size - b->used < n) {
    b = block_for(a, n);
    b->next = a->blocks;
    a->blocks = b;
  }
  void *p = b->bytes + b->used;
  b->used += n;
  a->handed_out += n;
  return p;
}

size_t arena_used(const Arena *a) { return a->handed_out; }

char *arena_strndup(Arena *a, const char *s, size_t n) {
  char *copy = arena_alloc(a, n + 1);
  memcpy(copy, s, n);
  return copy;
}

char *arena_strdup(Arena *a, const char *s) { return arena_strndup(a, s, strlen(s)); }

char *arena_vprintf(Arena *a, const char *fmt, va_list ap) {
  char few[128]; /* most texts are names */
  va_list again;
  va_copy(again, ap);
  int n = vsnprintf(few, sizeof few, fmt, ap);
  if (n < 0) abort();
  char *s = arena_alloc(a, (size_t)n + 1);
  if ((size_t)n < sizeof few) memcpy(s, few, (size_t)n);
  else vsnprintf(s, (size_t)n + 1, fmt, again);
  va_end(again);
  return s;
}

char *arena_printf(Arena *a, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  char *s = arena_vprintf(a, fmt, ap);
  va_end(ap);
  return s;
}

void *arena_grow(Arena *a, const void *old, size_t used, int *capacity, size_t each) {
  if (*capacity > INT32_MAX / 2) abort();
  int wanted = *capacity ? *capacity * 2 : 8;
  void *grown = arena_alloc(a, (size_t)wanted * each);
  if (used) memcpy(grown, old, used);
  *capacity = wanted;
  return grown;
}

void *arena_copy(Arena *a, const void *of, size_t n) { return n ? memcpy(arena_alloc(a, n), of, n) : NULL; }
