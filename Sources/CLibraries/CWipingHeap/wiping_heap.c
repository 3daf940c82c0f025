/*
 * A heap that wipes what is given back, in the program that links this and in all libraries it loads.
 *
 * A token passes through JSON, strings, libcurl and TLS, each of which keeps copies in memory that it frees and does
 * not wipe. glibc serves the memory, and explains in malloc(3), "Replacing malloc", that a program may stand before it.
 * What glibc maps for one block is wiped as well, though the kernel would do it.
 */

#include "wiping_heap.h"

#include <errno.h>
#include <malloc.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define HOMING_HEAP_IS_WATCHED
#endif
#endif

/* A sanitizer stands there itself. */
#ifndef HOMING_HEAP_IS_WATCHED

extern void __libc_free(void *block);

void free(void *block) {
    if (block == NULL) return;
    int before = errno;
    explicit_bzero(block, malloc_usable_size(block));
    __libc_free(block);
    errno = before;
}

void *realloc(void *block, size_t size) {
    if (block == NULL) return malloc(size);
    if (size == 0) {
        free(block);
        return NULL;
    }
    size_t had = malloc_usable_size(block);
    if (size <= had && size >= had / 2) return block;
    void *moved = malloc(size);
    if (moved == NULL) return NULL;
    memcpy(moved, block, had < size ? had : size);
    free(block);
    return moved;
}

#endif
