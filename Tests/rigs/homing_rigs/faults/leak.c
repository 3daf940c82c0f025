// A planted leak: each message that is sent costs what HOMING_LEAK names, "memory" or "descriptors", for ever.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

ssize_t send(int descriptor, const void *bytes, size_t count, int flags) {
    static ssize_t (*real)(int, const void *, size_t, int);
    if (!real) real = dlsym(RTLD_NEXT, "send");
    const char *kind = getenv("HOMING_LEAK");
    if (kind && !strcmp(kind, "memory")) {
        char *lost = malloc(4096);
        if (lost) memset(lost, 1, 4096);
        __asm__ volatile("" : : "r"(lost) : "memory");
    } else if (kind) {
        (void)!dup(descriptor);
    }
    return real(descriptor, bytes, count, flags);
}
