#ifndef HOMING_CNETWORKMANAGER_SHIM_H
#define HOMING_CNETWORKMANAGER_SHIM_H

#include <NetworkManager.h>

/* nm_client_new_async always takes GLib's shared bus connection, which ends the process when the
 * bus goes away. The property "dbus-connection" gives it one of ours; g_async_initable_new_async
 * is variadic, so Swift cannot say it. Permissions, which NMClient would fetch anew at each change
 * of polkit's rules, are nothing to us. */
static inline void homing_nm_client_new_async(
    GDBusConnection *connection, GCancellable *cancellable, GAsyncReadyCallback callback,
    void *user_data) {
    g_async_initable_new_async(
        NM_TYPE_CLIENT, G_PRIORITY_DEFAULT, cancellable, callback, user_data,
        NM_CLIENT_DBUS_CONNECTION, connection, NM_CLIENT_INSTANCE_FLAGS,
        (guint)NM_CLIENT_INSTANCE_FLAGS_NO_AUTO_FETCH_PERMISSIONS, NULL);
}

#endif
