#ifndef HOMING_WIPING_HEAP_H
#define HOMING_WIPING_HEAP_H

/* Declares nothing: a program that links this library wipes all memory that it frees. */

#endif
