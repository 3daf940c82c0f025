/* The floor that uses the libraries as their manuals say: libgps reads and unpacks all that gpsd reports, and libcurl
 * makes each transfer. */

#include "client.h"

#include <curl/curl.h>
#include <errno.h>

static CURL *curl;
static size_t reply_size;

static size_t take_reply(char *bytes, size_t size, size_t count, void *argument) {
    (void)bytes;
    (void)argument;
    reply_size += size * count;
    return size * count;
}

void open_connection(const char *url) {
    curl = curl_easy_init();
    if (curl == NULL) fail("curl_easy_init", "no memory");
    struct curl_slist *headers = curl_slist_append(NULL, "Content-Type: application/json");
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_USERAGENT, "baseline/1");
    curl_easy_setopt(curl, CURLOPT_TCP_NODELAY, 1L);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_reply);
}

bool post_body(const char *body, size_t size) {
    long status = 0;
    reply_size = 0;
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, (long)size);
    CURLcode code = curl_easy_perform(curl);
    if (code != CURLE_OK) fail("post", curl_easy_strerror(code));
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    return status == 200 && reply_size > 0;
}

void close_connection(void) {
    curl_easy_cleanup(curl);
}

void follow_gpsd(struct client *client, const char *host, const char *port) {
    static struct gps_data_t gps;
    timespec_t last = {0, 0};
    if (gps_open(host, port, &gps) != 0) fail("gps_open", gps_errstr(errno));
    gps_stream(&gps, WATCH_ENABLE | WATCH_JSON, NULL);
    while (!stopped) {
        if (!gps_waiting(&gps, 1000 * 1000000)) continue;
        do {
            gps.set = 0;
            if (gps_read(&gps, NULL, 0) < 0) goto over;
            if (is_news(gps.set, &gps.fix, &last)) send_fix(client, &gps.fix);
        } while (gps_waiting(&gps, 0));
    }
over:
    gps_close(&gps);
}
