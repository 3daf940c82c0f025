#ifndef HOMING_CSODIUM_SHIM_H
#define HOMING_CSODIUM_SHIM_H

#include <sodium.h>

#endif
