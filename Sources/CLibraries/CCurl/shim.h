#ifndef HOMING_CCURL_SHIM_H
#define HOMING_CCURL_SHIM_H

#include <curl/curl.h>

/* curl_easy_setopt and its kin are variadic: one wrapper per argument type. */

typedef size_t (*homing_curl_data_callback)(char *data, size_t size, size_t count, void *context);
typedef int (*homing_curl_socket_callback)(
    CURL *easy, curl_socket_t socket, int what, void *context, void *socket_context);
typedef curl_socket_t (*homing_curl_open_callback)(
    void *context, curlsocktype purpose, struct curl_sockaddr *address);
typedef int (*homing_curl_timer_callback)(CURLM *multi, long milliseconds, void *context);

static inline CURLcode homing_curl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode homing_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode homing_curl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode homing_curl_set_pointer(CURL *easy, CURLoption option, const void *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode homing_curl_set_data_callback(
    CURL *easy, CURLoption option, homing_curl_data_callback callback) {
    return curl_easy_setopt(easy, option, callback);
}
static inline CURLcode homing_curl_set_open_callback(
    CURL *easy, homing_curl_open_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, callback);
}
static inline CURLcode homing_curl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode homing_curl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}
/* The text belongs to the handle. */
static inline CURLcode homing_curl_get_string(CURL *easy, CURLINFO info, const char **value) {
    return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode homing_curl_get_socket(
    CURL *easy, CURLINFO info, curl_socket_t *value) {
    return curl_easy_getinfo(easy, info, value);
}
static inline CURLMcode homing_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}
static inline CURLMcode homing_curl_multi_set_socket_callback(
    CURLM *multi, homing_curl_socket_callback callback, void *context) {
    CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, callback);
    return code != CURLM_OK ? code : curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
}
static inline CURLMcode homing_curl_multi_set_timer_callback(
    CURLM *multi, homing_curl_timer_callback callback, void *context) {
    CURLMcode code = curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, callback);
    return code != CURLM_OK ? code : curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
}
static inline CURLSHcode homing_curl_share_set_long(
    CURLSH *share, CURLSHoption option, long value) {
    return curl_share_setopt(share, option, value);
}

#endif
