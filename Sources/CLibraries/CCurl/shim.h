#ifndef HOMING_CCURL_SHIM_H
#define HOMING_CCURL_SHIM_H

#include <curl/curl.h>
#include <dlfcn.h>
#include <stdbool.h>

/* libcurl is loaded when it is first asked for something, and stays. With the 19 libraries that it brings along it is
   3 MiB of memory, which a relay without requests and most commands do not need.
   docs/decisions/0047-what-is-loaded.md */

/* NULL if it cannot be loaded. Any thread may ask: each finds the same. */
static inline void *homing_curl_library(void) {
    static void *kept;
    void *library = __atomic_load_n(&kept, __ATOMIC_RELAXED);
    if (!library) {
        library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
        __atomic_store_n(&kept, library, __ATOMIC_RELAXED);
    }
    return library;
}

/* Whether libcurl is there, with all options that are set: CURLOPT_PROTOCOLS_STR is the newest (libcurl 7.85). */
static inline bool homing_curl_is_complete(void) {
    if (!homing_curl_library()) return false;
    __typeof__(&curl_version_info) info = (__typeof__(&curl_version_info))dlsym(homing_curl_library(), "curl_version_info");
    return info && info(CURLVERSION_FIRST)->version_num >= 0x075500;
}

/* A function of libcurl, of the type that its header gives it. The library must be there. */
#define HOMING_CURL(function) ({ \
    static __typeof__(&function) homing_kept; \
    __typeof__(&function) homing_address = __atomic_load_n(&homing_kept, __ATOMIC_RELAXED); \
    if (!homing_address) { \
        homing_address = (__typeof__(&function))dlsym(homing_curl_library(), #function); \
        __atomic_store_n(&homing_kept, homing_address, __ATOMIC_RELAXED); \
    } \
    homing_address; \
})

static inline CURLcode homing_curl_global_init(long flags) { return HOMING_CURL(curl_global_init)(flags); }
static inline const curl_version_info_data *homing_curl_version_info(void) {
    return HOMING_CURL(curl_version_info)(CURLVERSION_FIRST);
}
static inline void homing_curl_free(void *text) { HOMING_CURL(curl_free)(text); }
static inline time_t homing_curl_getdate(const char *text) { return HOMING_CURL(curl_getdate)(text, NULL); }

static inline CURL *homing_curl_easy_init(void) { return HOMING_CURL(curl_easy_init)(); }
static inline void homing_curl_easy_cleanup(CURL *easy) { HOMING_CURL(curl_easy_cleanup)(easy); }
static inline const char *homing_curl_easy_strerror(CURLcode code) {
    return HOMING_CURL(curl_easy_strerror)(code);
}
static inline CURLcode homing_curl_easy_recv(CURL *easy, void *bytes, size_t size, size_t *count) {
    return HOMING_CURL(curl_easy_recv)(easy, bytes, size, count);
}
static inline CURLcode homing_curl_easy_send(CURL *easy, const void *bytes, size_t size, size_t *count) {
    return HOMING_CURL(curl_easy_send)(easy, bytes, size, count);
}
static inline CURLHcode homing_curl_easy_header(CURL *easy, const char *name, struct curl_header **header) {
    return HOMING_CURL(curl_easy_header)(easy, name, 0, CURLH_HEADER, -1, header);
}
static inline struct curl_slist *homing_curl_slist_append(struct curl_slist *list, const char *line) {
    return HOMING_CURL(curl_slist_append)(list, line);
}
static inline void homing_curl_slist_free_all(struct curl_slist *list) {
    HOMING_CURL(curl_slist_free_all)(list);
}

static inline CURLM *homing_curl_multi_init(void) { return HOMING_CURL(curl_multi_init)(); }
static inline void homing_curl_multi_cleanup(CURLM *multi) { HOMING_CURL(curl_multi_cleanup)(multi); }
static inline CURLMcode homing_curl_multi_add_handle(CURLM *multi, CURL *easy) {
    return HOMING_CURL(curl_multi_add_handle)(multi, easy);
}
static inline CURLMcode homing_curl_multi_remove_handle(CURLM *multi, CURL *easy) {
    return HOMING_CURL(curl_multi_remove_handle)(multi, easy);
}
static inline CURLMcode homing_curl_multi_socket_action(
    CURLM *multi, curl_socket_t socket, int events, int *running) {
    return HOMING_CURL(curl_multi_socket_action)(multi, socket, events, running);
}
static inline CURLMsg *homing_curl_multi_info_read(CURLM *multi, int *left) {
    return HOMING_CURL(curl_multi_info_read)(multi, left);
}

static inline CURLSH *homing_curl_share_init(void) { return HOMING_CURL(curl_share_init)(); }
static inline void homing_curl_share_cleanup(CURLSH *share) { HOMING_CURL(curl_share_cleanup)(share); }

static inline CURLU *homing_curl_url(void) { return HOMING_CURL(curl_url)(); }
static inline void homing_curl_url_cleanup(CURLU *url) { HOMING_CURL(curl_url_cleanup)(url); }
static inline CURLUcode homing_curl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags) {
    return HOMING_CURL(curl_url_set)(url, part, text, flags);
}
static inline CURLUcode homing_curl_url_get(const CURLU *url, CURLUPart part, char **text) {
    return HOMING_CURL(curl_url_get)(url, part, text, 0);
}

/* curl_easy_setopt and its kin are variadic: one wrapper per argument type. */

typedef size_t (*homing_curl_data_callback)(char *data, size_t size, size_t count, void *context);
typedef int (*homing_curl_socket_callback)(
    CURL *easy, curl_socket_t socket, int what, void *context, void *socket_context);
typedef curl_socket_t (*homing_curl_open_callback)(
    void *context, curlsocktype purpose, struct curl_sockaddr *address);
typedef int (*homing_curl_made_callback)(void *context, curl_socket_t socket, curlsocktype purpose);
typedef int (*homing_curl_close_callback)(void *context, curl_socket_t socket);
typedef int (*homing_curl_timer_callback)(CURLM *multi, long milliseconds, void *context);

static inline CURLcode homing_curl_set_long(CURL *easy, CURLoption option, long value) {
    return HOMING_CURL(curl_easy_setopt)(easy, option, value);
}
static inline CURLcode homing_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return HOMING_CURL(curl_easy_setopt)(easy, option, value);
}
static inline CURLcode homing_curl_set_string(CURL *easy, CURLoption option, const char *value) {
    return HOMING_CURL(curl_easy_setopt)(easy, option, value);
}
static inline CURLcode homing_curl_set_pointer(CURL *easy, CURLoption option, const void *value) {
    return HOMING_CURL(curl_easy_setopt)(easy, option, value);
}
static inline CURLcode homing_curl_set_data_callback(
    CURL *easy, CURLoption option, homing_curl_data_callback callback) {
    return HOMING_CURL(curl_easy_setopt)(easy, option, callback);
}
static inline CURLcode homing_curl_set_open_callback(
    CURL *easy, homing_curl_open_callback callback) {
    return HOMING_CURL(curl_easy_setopt)(easy, CURLOPT_OPENSOCKETFUNCTION, callback);
}
/* `made` hears of each new socket; `close` has to close it. */
static inline CURLcode homing_curl_set_socket_callbacks(
    CURL *easy, homing_curl_made_callback made, homing_curl_close_callback close) {
    CURLcode code = HOMING_CURL(curl_easy_setopt)(easy, CURLOPT_SOCKOPTFUNCTION, made);
    return code != CURLE_OK ? code : HOMING_CURL(curl_easy_setopt)(easy, CURLOPT_CLOSESOCKETFUNCTION, close);
}
static inline CURLcode homing_curl_get_long(CURL *easy, CURLINFO info, long *value) {
    return HOMING_CURL(curl_easy_getinfo)(easy, info, value);
}
static inline CURLcode homing_curl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return HOMING_CURL(curl_easy_getinfo)(easy, info, value);
}
/* The text belongs to the handle. */
static inline CURLcode homing_curl_get_string(CURL *easy, CURLINFO info, const char **value) {
    return HOMING_CURL(curl_easy_getinfo)(easy, info, value);
}
static inline CURLcode homing_curl_get_socket(
    CURL *easy, CURLINFO info, curl_socket_t *value) {
    return HOMING_CURL(curl_easy_getinfo)(easy, info, value);
}
static inline CURLMcode homing_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return HOMING_CURL(curl_multi_setopt)(multi, option, value);
}
static inline CURLMcode homing_curl_multi_set_socket_callback(
    CURLM *multi, homing_curl_socket_callback callback, void *context) {
    CURLMcode code = HOMING_CURL(curl_multi_setopt)(multi, CURLMOPT_SOCKETFUNCTION, callback);
    return code != CURLM_OK ? code : HOMING_CURL(curl_multi_setopt)(multi, CURLMOPT_SOCKETDATA, context);
}
static inline CURLMcode homing_curl_multi_set_timer_callback(
    CURLM *multi, homing_curl_timer_callback callback, void *context) {
    CURLMcode code = HOMING_CURL(curl_multi_setopt)(multi, CURLMOPT_TIMERFUNCTION, callback);
    return code != CURLM_OK ? code : HOMING_CURL(curl_multi_setopt)(multi, CURLMOPT_TIMERDATA, context);
}
static inline CURLSHcode homing_curl_share_set_long(
    CURLSH *share, CURLSHoption option, long value) {
    return HOMING_CURL(curl_share_setopt)(share, option, value);
}

#endif
