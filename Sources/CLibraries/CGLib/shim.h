#ifndef HOMING_CGLIB_SHIM_H
#define HOMING_CGLIB_SHIM_H

#include <gio/gio.h>
#include <gio/gunixsocketaddress.h>
#include <glib-object.h>
#include <glib-unix.h>
#include <glib.h>

/* Swift cannot read the cast macro G_VARIANT_TYPE nor the variadic g_object_new. */

/// `g_signal_connect` for handlers of the shape `(object, GParamSpec, user_data)`.
typedef void (*homing_notify_handler)(void *object, GParamSpec *property, void *user_data);
static inline gulong homing_connect_notify(
    void *object, const char *signal, homing_notify_handler handler, void *user_data) {
    return g_signal_connect(object, signal, G_CALLBACK(handler), user_data);
}

/// `g_signal_connect` for GDBusConnection::closed.
typedef void (*homing_closed_handler)(
    void *connection, gboolean remote_peer_vanished, GError *error, void *user_data);
static inline gulong homing_connect_closed(
    void *connection, homing_closed_handler handler, void *user_data) {
    return g_signal_connect(connection, "closed", G_CALLBACK(handler), user_data);
}

/// `g_signal_connect` for GDBusProxy::g-properties-changed.
typedef void (*homing_properties_changed_handler)(
    void *proxy, GVariant *changed, void *invalidated, void *user_data);
static inline gulong homing_connect_properties_changed(
    void *proxy, homing_properties_changed_handler handler, void *user_data) {
    return g_signal_connect(proxy, "g-properties-changed", G_CALLBACK(handler), user_data);
}

/// A GOptionEntry with G_OPTION_ARG_CALLBACK, whose function C passes as a data pointer.
static inline GOptionEntry homing_callback_option(
    const char *long_name, char short_name, int flags, GOptionArgFunc callback) {
    GOptionEntry entry = {long_name, short_name, flags, G_OPTION_ARG_CALLBACK, NULL, NULL, NULL};
    entry.arg_data = (gpointer)callback;
    return entry;
}

#endif
