#ifndef HOMING_CQRENCODE_SHIM_H
#define HOMING_CQRENCODE_SHIM_H

#include <dlfcn.h>
#include <qrencode.h>

/* libqrencode is loaded by the login of `homing setup` alone, and need not be there. */

/* A function of libqrencode, of the type that its header gives it; NULL without the library. */
#define HOMING_QR(function) ((__typeof__(&function))homing_qr_symbol(#function))

static inline void *homing_qr_symbol(const char *name) {
    void *library = dlopen("libqrencode.so.4", RTLD_NOW | RTLD_LOCAL);
    return library ? dlsym(library, name) : (void *)0;
}

/* The smallest code of the lowest redundancy: a screen has no dirt. NULL without the library, without memory, and for a
   text that no code holds. */
static inline QRcode *homing_qr_encode(const char *text) {
    __typeof__(&QRcode_encodeString8bit) encode = HOMING_QR(QRcode_encodeString8bit);
    return encode ? encode(text, 0, QR_ECLEVEL_L) : (QRcode *)0;
}

static inline void homing_qr_free(QRcode *code) {
    __typeof__(&QRcode_free) release = HOMING_QR(QRcode_free);
    if (release) release(code);
}

#endif
