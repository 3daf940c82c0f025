#ifndef HOMING_CSQLITE_SHIM_H
#define HOMING_CSQLITE_SHIM_H

#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast macro: tells SQLite to copy the bytes it is given. */
static inline sqlite3_destructor_type homing_sqlite_transient(void) {
    return SQLITE_TRANSIENT;
}

/* Has each page of a cache allocated when it is needed, in place of 20 pages for each file that is opened
   (SQLITE_DEFAULT_PCACHE_INITSZ). Before anything is opened. */
static inline int homing_sqlite_allocate_late(void) {
    return sqlite3_config(SQLITE_CONFIG_PAGECACHE, (void *)0, 0, 0);
}

#endif
