#ifndef HOMING_CGPS_SHIM_H
#define HOMING_CGPS_SHIM_H

#include <gps.h>

#endif
