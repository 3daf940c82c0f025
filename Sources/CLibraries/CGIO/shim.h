#ifndef HOMING_CGIO_SHIM_H
#define HOMING_CGIO_SHIM_H

#include <gio/gio.h>
#include <gio/gunixfdlist.h>
#include <gio/gunixsocketaddress.h>
#include <glib-object.h>
#include <glib-unix.h>
#include <glib.h>

/// `g_signal_connect_swapped`, a macro: the handler gets `user_data` first and ignores the arguments
/// of the signal, so one shape serves every signal. `release` is called when it is disconnected.
typedef void (*homing_signal_handler)(void *user_data);
static inline gulong homing_connect_swapped(
    void *object, const char *signal, homing_signal_handler handler, void *user_data,
    GClosureNotify release) {
    return g_signal_connect_data(
        object, signal, G_CALLBACK(handler), user_data, release, G_CONNECT_SWAPPED);
}

#endif
