/*
 * mem.h - memory that is there or the program ends: every function prints
 * "tool: out of memory" and exits 1 where malloc would return NULL.
 */
#ifndef TQ_BASE_MEM_H
#define TQ_BASE_MEM_H

#include <stddef.h>

/* n zeroed bytes; free(3) them. */
void *mem_alloc(size_t n);

/* p resized to n elements of size bytes, as realloc(3); checks overflow. */
void *mem_resize(void *p, size_t n, size_t size);

/*
 * p, an array of *cap elements of size bytes, with room for more than count: p
 * itself if count < *cap, else grown to twice count and a few, the new *cap.
 * New elements have no value.  array_add() in array.h calls this.
 */
void *mem_more(void *p, size_t count, size_t *cap, size_t size);

/* A NUL terminated copy of the n bytes at p; free(3) it. */
char *mem_copy(const char *p, size_t n);

#endif
