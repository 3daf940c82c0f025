/* The floor that also leaves out what it can: it unpacks no line but TPV, and writes HTTP by hand over a connection of
 * libcurl's, whose machinery for transfers it does not use. TLS, names and proxies would still be libcurl's. */

#include "client.h"

#include <curl/curl.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static CURL *curl;
static char path[256], authority[256];

static void take_apart(const char *url) {
    const char *begin = strstr(url, "://");
    const char *slash = begin ? strchr(begin + 3, '/') : NULL;
    if (slash == NULL || (size_t)(slash - begin) > sizeof authority || strlen(slash) >= sizeof path)
        fail("URL", "no path, or too long");
    snprintf(authority, sizeof authority, "%.*s", (int)(slash - begin - 3), begin + 3);
    snprintf(path, sizeof path, "%s", slash);
}

void open_connection(const char *url) {
    take_apart(url);
    curl = curl_easy_init();
    if (curl == NULL) fail("curl_easy_init", "no memory");
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_CONNECT_ONLY, 1L);
    curl_easy_setopt(curl, CURLOPT_TCP_NODELAY, 1L);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    CURLcode code = curl_easy_perform(curl);
    if (code != CURLE_OK) fail("connect", curl_easy_strerror(code));
}

/* A signal ends the wait, and the caller tries again. */
static void wait_for(int descriptor, short events) {
    struct pollfd one = {.fd = descriptor, .events = events};
    poll(&one, 1, -1);
}

static void wait_for_connection(short events) {
    curl_socket_t connection = CURL_SOCKET_BAD;
    curl_easy_getinfo(curl, CURLINFO_ACTIVESOCKET, &connection);
    wait_for(connection, events);
}

static void send_all(const char *bytes, size_t size) {
    while (size > 0) {
        size_t sent = 0;
        CURLcode code = curl_easy_send(curl, bytes, size, &sent);
        if (code == CURLE_AGAIN) wait_for_connection(POLLOUT);
        else if (code != CURLE_OK) fail("send", curl_easy_strerror(code));
        bytes += sent;
        size -= sent;
    }
}

/* Bytes of the whole answer if its head is there, else 0. The bench's Home Assistant tells the length of each answer. */
static size_t size_of_answer(const char *text) {
    const char *end = strstr(text, "\r\n\r\n");
    if (end == NULL) return 0;
    const char *length = strstr(text, "\r\nContent-Length: ");
    if (length == NULL || length > end) fail("answer", "no length");
    return (size_t)(end + 4 - text) + strtoul(length + 18, NULL, 10);
}

bool post_body(const char *body, size_t size) {
    static char message[BODY_SIZE + 1024], answer[4096];
    int head = snprintf(message, sizeof message, "POST %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: lean/1\r\n"
        "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n", path, authority, size);
    memcpy(message + head, body, size);
    send_all(message, (size_t)head + size);

    size_t have = 0, whole = 0;
    while (whole == 0 || have < whole) {
        size_t came = 0;
        if (have + 1 >= sizeof answer) fail("answer", "too long");
        CURLcode code = curl_easy_recv(curl, answer + have, sizeof answer - 1 - have, &came);
        if (code == CURLE_AGAIN) {
            wait_for_connection(POLLIN);
            continue;
        }
        if (code != CURLE_OK) fail("receive", curl_easy_strerror(code));
        if (came == 0) fail("receive", "the server hung up");
        have += came;
        answer[have] = '\0';
        if (whole == 0) whole = size_of_answer(answer);
    }
    return strncmp(answer, "HTTP/1.1 200 ", 13) == 0;
}

void close_connection(void) {
    curl_easy_cleanup(curl);
}

static void take_line(struct client *client, char *line, struct gps_data_t *gps, timespec_t *last) {
    static const char begin[] = "{\"class\":\"TPV\"";
    if (strncmp(line, begin, sizeof begin - 1) != 0) return;
    gps->set = 0;
    if (gps_unpack(line, gps) == 0 && is_news(gps->set, &gps->fix, last)) send_fix(client, &gps->fix);
}

void follow_gpsd(struct client *client, const char *host, const char *port) {
    static struct gps_data_t gps;
    static char buffer[64 * 1024];
    size_t have = 0;
    timespec_t last = {0, 0};
    if (gps_open(host, port, &gps) != 0) fail("gps_open", gps_errstr(errno));
    gps_stream(&gps, WATCH_ENABLE | WATCH_JSON, NULL);
    while (!stopped) {
        if (have == sizeof buffer) fail("gpsd", "a line without end");
        wait_for(gps.gps_fd, POLLIN);
        ssize_t came = read(gps.gps_fd, buffer + have, sizeof buffer - have);
        if (came < 0 && (errno == EAGAIN || errno == EINTR)) continue;
        if (came <= 0) break;
        have += (size_t)came;
        char *line = buffer, *end;
        while ((end = memchr(line, '\n', have - (size_t)(line - buffer))) != NULL) {
            *end = '\0';
            take_line(client, line, &gps, &last);
            line = end + 1;
        }
        have -= (size_t)(line - buffer);
        memmove(buffer, line, have);
    }
    gps_close(&gps);
}
