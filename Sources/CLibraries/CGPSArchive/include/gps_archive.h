/* Declares nothing: the linker alone uses this module. */
