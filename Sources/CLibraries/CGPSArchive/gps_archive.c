/*
 * The functions of libdbus that libgps.a names. The archive has gps_unpack, which is called, in one piece with the ways
 * by which libgps reaches gpsd; one of these is D-Bus. Homing has a socket of its own, so none of these ever runs.
 * Hidden, so that no library finds them in place of libdbus.
 */

#include <stdlib.h>

#define NEVER_CALLED(function) __attribute__((visibility("hidden"))) void function(void) { abort(); }

NEVER_CALLED(dbus_bus_add_match)
NEVER_CALLED(dbus_bus_get)
NEVER_CALLED(dbus_connection_add_filter)
NEVER_CALLED(dbus_connection_read_write_dispatch)
NEVER_CALLED(dbus_error_free)
NEVER_CALLED(dbus_error_init)
NEVER_CALLED(dbus_error_is_set)
NEVER_CALLED(dbus_message_get_args)
NEVER_CALLED(dbus_message_is_signal)
