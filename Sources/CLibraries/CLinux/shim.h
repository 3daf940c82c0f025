#ifndef HOMING_CLINUX_SHIM_H
#define HOMING_CLINUX_SHIM_H

#include <malloc.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/timex.h>
#include <sys/types.h>
#include <sys/xattr.h>

/* What glibc (2.36) has and Swift's view of it leaves out. */

int pipe2(int ends[2], int flags);
int pidfd_open(pid_t process, unsigned int flags);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

/* Swift calls no function of variable arguments. */
static inline int homing_set_dumpable(int dumpable) {
    return prctl(PR_SET_DUMPABLE, dumpable, 0, 0, 0);
}

#endif
