#ifndef HOMING_CGLIB_SHIM_H
#define HOMING_CGLIB_SHIM_H

#include <glib-unix.h>
#include <glib.h>

#endif
