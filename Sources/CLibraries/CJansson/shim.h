#ifndef HOMING_CJANSSON_SHIM_H
#define HOMING_CJANSSON_SHIM_H

#include <jansson.h>

#endif
