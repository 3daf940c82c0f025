/* Preloaded into a program, it keeps beside a folder what a power cut would leave of it: at each fsync of a file, a copy
   of its content under its inode's number; at each fsync of the folder, the list of its names. power_cut.py puts the
   folder back to that. The folder is $HOMING_POWER_FOLDER, the copies are in $HOMING_POWER_SHADOW. */

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

/* Written beside and renamed, so that a kill leaves the old copy or the new. */
static void copy(int descriptor, const struct stat *status, const char *shadow) {
    char temporary[PATH_MAX], final[PATH_MAX], self[64];
    snprintf(temporary, sizeof temporary, "%s/new-%d", shadow, getpid());
    snprintf(final, sizeof final, "%s/%lu", shadow, (unsigned long)status->st_ino);
    snprintf(self, sizeof self, "/proc/self/fd/%d", descriptor);
    int from = open(self, O_RDONLY | O_CLOEXEC);
    int to = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    off_t left = status->st_size;
    while (from >= 0 && to >= 0 && left > 0) {
        ssize_t sent = sendfile(to, from, NULL, (size_t)left);
        if (sent <= 0) break;
        left -= sent;
    }
    if (from >= 0) close(from);
    if (to >= 0) close(to);
    rename(temporary, final);
}

static void list(const char *folder, const char *shadow) {
    char temporary[PATH_MAX], final[PATH_MAX];
    snprintf(temporary, sizeof temporary, "%s/names-%d", shadow, getpid());
    snprintf(final, sizeof final, "%s/names", shadow);
    FILE *names = fopen(temporary, "we");
    DIR *entries = opendir(folder);
    struct dirent *entry;
    while (names && entries && (entry = readdir(entries)))
        if (entry->d_type == DT_REG) fprintf(names, "%lu %s\n", (unsigned long)entry->d_ino, entry->d_name);
    if (entries) closedir(entries);
    if (names) fclose(names);
    rename(temporary, final);
}

static void keep(int descriptor) {
    const char *folder = getenv("HOMING_POWER_FOLDER"), *shadow = getenv("HOMING_POWER_SHADOW");
    char self[64], path[PATH_MAX];
    struct stat status;
    int error = errno;
    snprintf(self, sizeof self, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(self, path, sizeof path - 1);
    if (folder && shadow && length > 0 && fstat(descriptor, &status) == 0) {
        path[length] = 0;
        if (strcmp(path, folder) == 0) list(folder, shadow);
        else if (strncmp(path, folder, strlen(folder)) == 0 && S_ISREG(status.st_mode)) copy(descriptor, &status, shadow);
    }
    errno = error;
}

#define KEEPING(call)                                                          \
    int call(int descriptor) {                                                 \
        static int (*real)(int);                                               \
        if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, #call);               \
        int result = real(descriptor);                                         \
        if (result == 0) keep(descriptor);                                     \
        return result;                                                         \
    }

KEEPING(fsync)
KEEPING(fdatasync)
