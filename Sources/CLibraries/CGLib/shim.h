#ifndef HOMING_CGLIB_SHIM_H
#define HOMING_CGLIB_SHIM_H

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

/// A GOptionEntry with G_OPTION_ARG_CALLBACK, whose function C passes as a data pointer.
static inline GOptionEntry homing_callback_option(
    const char *long_name, char short_name, int flags, GOptionArgFunc callback) {
    GOptionEntry entry = {long_name, short_name, flags, G_OPTION_ARG_CALLBACK, NULL, NULL, NULL};
    entry.arg_data = (gpointer)callback;
    return entry;
}

#endif
