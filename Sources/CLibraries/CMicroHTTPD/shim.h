#ifndef HOMING_CMICROHTTPD_SHIM_H
#define HOMING_CMICROHTTPD_SHIM_H

#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

/* Its functions are variadic, and Swift cuts the names of its enumerations where nobody expects it. */

/* Leaves a path and a query as they came. */
static size_t homing_mhd_leave(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return strlen(text);
}

/* Is given a request's target as it came, and returns NULL. */
typedef void *(*homing_mhd_target_callback)(
    void *context, const char *target, struct MHD_Connection *connection);

/* What version 1.0 has and 0.9.75 has not. The programs are built with the header of 0.9.75, and run with either library. */
#define HOMING_MHD_NO_THREAD_SAFETY (1U << 19)
#define HOMING_MHD_CLIENT_DISCIPLINE ((enum MHD_OPTION)38)

/* Without a thread and a listening socket of its own; its epoll descriptor is to be watched. Its own limit of
   time measures inactivity, and is off. What version 0.9.75 would refuse more if it were strict is refused by the
   callers: its own refusal has two heads. */
static inline struct MHD_Daemon *homing_mhd_start(
    homing_mhd_target_callback target, MHD_AccessHandlerCallback handler,
    MHD_RequestCompletedCallback completed, MHD_NotifyConnectionCallback notified, void *context,
    unsigned int connections, size_t memory) {
    int is_later = atoi(MHD_get_version()) >= 1;
    /* One thread uses it. A connection begins when it is given, as with the earlier versions. */
    unsigned int flags = MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME | MHD_ALLOW_UPGRADE
        | (is_later ? HOMING_MHD_NO_THREAD_SAFETY : 0);
    struct MHD_OptionItem later[] = {
        {is_later ? HOMING_MHD_CLIENT_DISCIPLINE : MHD_OPTION_END, 1, NULL}, {MHD_OPTION_END, 0, NULL}};
    return MHD_start_daemon(
        flags, 0, NULL, NULL, handler, context,
        MHD_OPTION_URI_LOG_CALLBACK, target, NULL,
        MHD_OPTION_NOTIFY_COMPLETED, completed, context,
        MHD_OPTION_NOTIFY_CONNECTION, notified, context,
        MHD_OPTION_UNESCAPE_CALLBACK, homing_mhd_leave, NULL,
        MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
        MHD_OPTION_CONNECTION_TIMEOUT, 0U,
        MHD_OPTION_ARRAY, later,
        MHD_OPTION_END);
}

/* -1 if there is none. */
static inline int homing_mhd_epoll(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
}

/* Whether it has something to do that no descriptor shows. */
static inline int homing_mhd_is_pending(struct MHD_Daemon *daemon) {
    MHD_UNSIGNED_LONG_LONG milliseconds = 1;
    return MHD_get_timeout(daemon, &milliseconds) == MHD_YES && milliseconds == 0;
}

static inline int homing_mhd_is_start(enum MHD_ConnectionNotificationCode code) {
    return code == MHD_CONNECTION_NOTIFY_STARTED;
}

/* What was stored when the connection started. */
static inline void *homing_mhd_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/* Bytes of the request's line and fields. */
static inline size_t homing_mhd_head_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

static inline const char *homing_mhd_field(struct MHD_Connection *connection, const char *name) {
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static inline void homing_mhd_fields(
    struct MHD_Connection *connection, MHD_KeyValueIteratorN take, void *context) {
    MHD_get_connection_values_n(connection, MHD_HEADER_KIND, take, context);
}

/* Copies the body. */
static inline struct MHD_Response *homing_mhd_response(const void *body, size_t size) {
    return MHD_create_response_from_buffer(size, (void *)body, MHD_RESPMEM_MUST_COPY);
}

static inline int homing_mhd_set_field(
    struct MHD_Response *response, const char *name, const char *value) {
    return MHD_add_response_header(response, name, value) == MHD_YES;
}

static inline int homing_mhd_queue(
    struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response) {
    return MHD_queue_response(connection, status, response) == MHD_YES;
}

/* Ends the library's part in a connection that was upgraded: it closes its descriptor. */
static inline void homing_mhd_release(struct MHD_UpgradeResponseHandle *upgraded) {
    MHD_upgrade_action(upgraded, MHD_UPGRADE_ACTION_CLOSE);
}

#endif
