#ifndef HOMING_CGNUTLS_SHIM_H
#define HOMING_CGNUTLS_SHIM_H

#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <stddef.h>
#include <time.h>

/* Its codes are macros and enumerations, which Swift does not see as they are. */

/* What a call has come to, beside a number of bytes. */
enum { HOMING_TLS_WAITS = -1, HOMING_TLS_OVER = -2, HOMING_TLS_FAILED = -3 };

static inline long homing_tls_outcome(ssize_t result) {
    if (result > 0) return (long)result;
    if (result == 0) return HOMING_TLS_OVER;
    /* The client ended the connection of TCP and not that of TLS, as many do. */
    if (result == GNUTLS_E_PREMATURE_TERMINATION) return HOMING_TLS_OVER;
    return gnutls_error_is_fatal((int)result) ? HOMING_TLS_FAILED : HOMING_TLS_WAITS;
}

/* NULL if certificate and key are no pair that can be used; `reason` then says why. */
static inline gnutls_certificate_credentials_t homing_tls_load(
    const void *certificate, unsigned int certificate_size, const void *key, unsigned int key_size,
    const char **reason) {
    gnutls_certificate_credentials_t credentials = NULL;
    gnutls_datum_t chain = {(unsigned char *)certificate, certificate_size};
    gnutls_datum_t secret = {(unsigned char *)key, key_size};
    int code = gnutls_certificate_allocate_credentials(&credentials);
    if (code >= 0) {
        code = gnutls_certificate_set_x509_key_mem(credentials, &chain, &secret, GNUTLS_X509_FMT_PEM);
        if (code >= 0) return credentials;
        gnutls_certificate_free_credentials(credentials);
    }
    *reason = gnutls_strerror(code);
    return NULL;
}

/* When the certificate ends: seconds since 1970, 0 if that is not known. */
static inline long long homing_tls_expiry(gnutls_certificate_credentials_t credentials) {
    gnutls_x509_crt_t *list = NULL;
    unsigned int count = 0;
    if (gnutls_certificate_get_x509_crt(credentials, 0, &list, &count) < 0) return 0;
    time_t expiry = count > 0 ? gnutls_x509_crt_get_expiration_time(list[0]) : 0;
    for (unsigned int index = 0; index < count; index++) gnutls_x509_crt_deinit(list[index]);
    gnutls_free(list);
    return expiry == (time_t)-1 ? 0 : (long long)expiry;
}

/* TLS 1.2 and 1.3, and what the library holds to be safe. NULL if there is no memory. */
static inline gnutls_priority_t homing_tls_priority(void) {
    gnutls_priority_t priority = NULL;
    int code = gnutls_priority_init(&priority, "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2", NULL);
    return code >= 0 ? priority : NULL;
}

/* NULL if there is no memory. */
static inline gnutls_session_t homing_tls_session(
    gnutls_certificate_credentials_t credentials, gnutls_priority_t priority,
    const gnutls_datum_t *ticket_key, int descriptor) {
    gnutls_session_t session = NULL;
    if (gnutls_init(&session, GNUTLS_SERVER | GNUTLS_NONBLOCK | GNUTLS_NO_SIGNAL) < 0) return NULL;
    if (gnutls_priority_set(session, priority) < 0
        || gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, credentials) < 0
        || gnutls_session_ticket_enable_server(session, ticket_key) < 0) {
        gnutls_deinit(session);
        return NULL;
    }
    gnutls_transport_set_int2(session, descriptor, descriptor);
    return session;
}

/* 1 when done. */
static inline long homing_tls_handshake(gnutls_session_t session) {
    int code = gnutls_handshake(session);
    return code >= 0 ? 1 : homing_tls_outcome(code);
}

/* Whether a call that waits does so to write. */
static inline int homing_tls_writes(gnutls_session_t session) {
    return gnutls_record_get_direction(session) == 1;
}

static inline long homing_tls_receive(gnutls_session_t session, void *bytes, size_t size) {
    return homing_tls_outcome(gnutls_record_recv(session, bytes, size));
}

/* Without bytes: sends the rest of what waits. */
static inline long homing_tls_send(gnutls_session_t session, const void *bytes, size_t size) {
    return homing_tls_outcome(gnutls_record_send(session, bytes, size));
}

static inline void homing_tls_say_goodbye(gnutls_session_t session) {
    (void)gnutls_bye(session, GNUTLS_SHUT_WR);
}

#endif
