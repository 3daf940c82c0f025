#ifndef HOMING_CLINUX_SHIM_H
#define HOMING_CLINUX_SHIM_H

#include <link.h>
#include <malloc.h>
#include <spawn.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/timex.h>
#include <sys/types.h>
#include <sys/xattr.h>

/* What glibc (2.36) has and Swift's view of it leaves out. */

int pipe2(int ends[2], int flags);
void *memmem(const void *haystack, size_t length, const void *needle, size_t needle_length);
int pidfd_open(pid_t process, unsigned int flags);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

/* dl_iterate_phdr(3): the first members of its struct dl_phdr_info, which never change. */
struct homing_object {
    ElfW(Addr) address;
    const char *name;
    const ElfW(Phdr) *segments;
    ElfW(Half) count;
};
int homing_visit_objects(int (*visit)(struct homing_object *object, size_t size, void *data), void *data)
    __asm__("dl_iterate_phdr");

/* Swift calls no function of variable arguments. */

/* 0, or -1 where the descriptor is no terminal. */
static inline int homing_terminal_size(int descriptor, struct winsize *size) {
    return ioctl(descriptor, TIOCGWINSZ, size);
}

static inline int homing_set_dumpable(int dumpable) {
    return prctl(PR_SET_DUMPABLE, dumpable, 0, 0, 0);
}

/* Wipes 64 KiB below the caller's frame: what functions that have returned left on the stack. */
static __attribute__((noinline, unused)) void homing_wipe_stack(void) {
    char area[64 * 1024];
    explicit_bzero(area, sizeof area);
}

/* What a TCP connection has carried, retransmissions included (TCP_INFO, Linux 4.19). The kernel's own header of the
   structure cannot be beside glibc's older one: these are its fields from the 128th byte on. */
#include <netinet/in.h>
#include <sys/socket.h>

struct homing_traffic {
    unsigned char before[128];
    unsigned long long bytes_received;
    unsigned int segments_sent, segments_received;
    unsigned char between[56];
    unsigned long long bytes_sent;
};

/* 0, or -1 where the socket is no TCP connection or the kernel tells less. */
static inline int homing_socket_traffic(int socket, struct homing_traffic *traffic, int *family) {
    enum { tcp_info = 11 };
    socklen_t size = sizeof *traffic, length = sizeof *family;
    if (getsockopt(socket, SOL_SOCKET, SO_DOMAIN, family, &length) != 0) return -1;
    if (getsockopt(socket, IPPROTO_TCP, tcp_info, traffic, &size) != 0) return -1;
    return size == sizeof *traffic ? 0 : -1;
}

/* Landlock (landlock(7)), which glibc has no functions for. */
#include <linux/landlock.h>
#include <sys/syscall.h>

long syscall(long number, ...);

static const unsigned long long homing_landlock_read_file = LANDLOCK_ACCESS_FS_READ_FILE;
static const unsigned long long homing_landlock_remove_dir = LANDLOCK_ACCESS_FS_REMOVE_DIR;
/* Debian 12's headers (5.19 and later) have it. */
static const unsigned long long homing_landlock_refer = LANDLOCK_ACCESS_FS_REFER;

/* Of the kernel's interface; negative where there is none. */
static inline long homing_landlock_version(void) {
    return syscall(SYS_landlock_create_ruleset, (void *)0, (size_t)0, LANDLOCK_CREATE_RULESET_VERSION);
}

static inline int homing_landlock_create(unsigned long long handled) {
    struct landlock_ruleset_attr attributes = {.handled_access_fs = handled};
    return (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
}

static inline int homing_landlock_permit(int rules, int file, unsigned long long access) {
    struct landlock_path_beneath_attr attributes = {.allowed_access = access, .parent_fd = file};
    return (int)syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &attributes, 0);
}

/* This thread and what it starts gains no privileges from now on, which Landlock asks for. */
static inline int homing_landlock_restrict(int rules) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    return (int)syscall(SYS_landlock_restrict_self, rules, 0);
}

#endif
