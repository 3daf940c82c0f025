#ifndef HOMING_CSQLITE_SHIM_H
#define HOMING_CSQLITE_SHIM_H

#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast macro: tells SQLite to copy the bytes it is given. */
static inline sqlite3_destructor_type homing_sqlite_transient(void) {
    return SQLITE_TRANSIENT;
}

#endif
