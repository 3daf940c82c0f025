/* The floor that Homing is measured against: a client of the same libraries that does the same work with
 * nothing around it. Each fix that gpsd reports is sealed and posted, on one warm connection, and that is
 * all: no queue, no proof, no policy, no errors survived.
 *
 *     baseline URL SECRET --gpsd HOST PORT     what gpsd reports, until it hangs up or SIGTERM comes
 *     baseline URL SECRET --fixes COUNT        as many fixes of its own making
 *     baseline URL SECRET --drain COUNT SIZE   as many messages with SIZE bytes of data, as fast as it goes
 *     … --network-manager                      holds an NMClient too, for a fair comparison of memory
 *
 * SECRET is a registration's: 64 hexadecimal digits. Prints counts at the end.
 */

#include <NetworkManager.h>
#include <curl/curl.h>
#include <errno.h>
#include <gps.h>
#include <math.h>
#include <signal.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DATA_SIZE = 64 * 1024, BODY_SIZE = 2 * DATA_SIZE };

struct client {
    CURL *curl;
    unsigned char key[crypto_secretbox_KEYBYTES];
    unsigned char box[crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES + DATA_SIZE];
    char body[BODY_SIZE];
    size_t reply_size;
    long posted, refused;
};

static volatile sig_atomic_t stopped;

static void stop(int number) {
    (void)number;
    stopped = 1;
}

static void fail(const char *what, const char *why) {
    fprintf(stderr, "baseline: %s: %s\n", what, why);
    exit(1);
}

static size_t take_reply(char *bytes, size_t size, size_t count, void *argument) {
    struct client *client = argument;
    (void)bytes;
    client->reply_size += size * count;
    return size * count;
}

static void open_client(struct client *client, const char *url, const char *secret) {
    size_t length;
    if (sodium_init() < 0) fail("sodium_init", "no random numbers");
    if (sodium_hex2bin(client->key, sizeof client->key, secret, strlen(secret), NULL, &length, NULL) != 0
        || length != sizeof client->key)
        fail("SECRET", "not 64 hexadecimal digits");
    curl_global_init(CURL_GLOBAL_DEFAULT);
    client->curl = curl_easy_init();
    if (client->curl == NULL) fail("curl_easy_init", "no memory");
    struct curl_slist *headers = curl_slist_append(NULL, "Content-Type: application/json");
    curl_easy_setopt(client->curl, CURLOPT_URL, url);
    curl_easy_setopt(client->curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(client->curl, CURLOPT_USERAGENT, "baseline/1");
    curl_easy_setopt(client->curl, CURLOPT_TCP_NODELAY, 1L);
    curl_easy_setopt(client->curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(client->curl, CURLOPT_WRITEFUNCTION, take_reply);
    curl_easy_setopt(client->curl, CURLOPT_WRITEDATA, client);
}

/* Seals the data and posts it under its real type, as the mobile_app webhook wants it. */
static void post(struct client *client, const char *type, const char *data, size_t size) {
    unsigned char *nonce = client->box, *sealed = client->box + crypto_secretbox_NONCEBYTES;
    randombytes_buf(nonce, crypto_secretbox_NONCEBYTES);
    crypto_secretbox_easy(sealed, (const unsigned char *)data, size, nonce, client->key);

    size_t length = (size_t)snprintf(
        client->body, BODY_SIZE, "{\"type\":\"%s\",\"encrypted\":true,\"encrypted_data\":\"", type);
    size_t sealed_size = crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES + size;
    size_t base64_size = sodium_base64_encoded_len(sealed_size, sodium_base64_VARIANT_ORIGINAL);
    sodium_bin2base64(
        client->body + length, base64_size, client->box, sealed_size, sodium_base64_VARIANT_ORIGINAL);
    length += base64_size - 1;
    memcpy(client->body + length, "\"}", 3);
    length += 2;

    long status = 0;
    client->reply_size = 0;
    curl_easy_setopt(client->curl, CURLOPT_POSTFIELDS, client->body);
    curl_easy_setopt(client->curl, CURLOPT_POSTFIELDSIZE, (long)length);
    CURLcode code = curl_easy_perform(client->curl);
    if (code != CURLE_OK) fail("post", curl_easy_strerror(code));
    curl_easy_getinfo(client->curl, CURLINFO_RESPONSE_CODE, &status);
    if (status == 200 && client->reply_size > 0)
        client->posted++;
    else
        client->refused++;
}

/* Adds `"key":value` for a number that is a whole one of at least 1, as Homing does. */
static int whole(char *text, size_t size, const char *key, double value) {
    if (!isfinite(value) || value < 0.5) return 0;
    return snprintf(text, size, ",\"%s\":%ld", key, lround(value));
}

static void send_fix(struct client *client, const struct gps_fix_t *fix) {
    char data[512];
    size_t n = (size_t)snprintf(data, sizeof data, "{\"gps\":[%.9g,%.9g],\"gps_accuracy\":%ld",
        fix->latitude, fix->longitude, lround(ceil(isfinite(fix->eph) ? fix->eph : 20)));
    n += (size_t)whole(data + n, sizeof data - n, "speed", fix->speed);
    n += (size_t)whole(data + n, sizeof data - n, "altitude", fix->altMSL);
    n += (size_t)whole(data + n, sizeof data - n, "course", fix->track);
    n += (size_t)whole(data + n, sizeof data - n, "vertical_accuracy", fix->epv);
    data[n++] = '}';
    post(client, "update_location", data, n);
}

/* gpsd may report an epoch several times; each is sent once. */
static void follow_gpsd(struct client *client, const char *host, const char *port) {
    static struct gps_data_t gps;
    timespec_t last = {0, 0};
    if (gps_open(host, port, &gps) != 0) fail("gps_open", gps_errstr(errno));
    gps_stream(&gps, WATCH_ENABLE | WATCH_JSON, NULL);
    while (!stopped) {
        if (!gps_waiting(&gps, 1000 * 1000000)) continue;
        do {
            gps.set = 0;
            if (gps_read(&gps, NULL, 0) < 0) goto over;
            const struct gps_fix_t *fix = &gps.fix;
            bool is_new = fix->time.tv_sec != last.tv_sec || fix->time.tv_nsec != last.tv_nsec;
            if ((gps.set & MODE_SET) == 0 || fix->mode < MODE_2D || !isfinite(fix->latitude) || !is_new) continue;
            last = fix->time;
            send_fix(client, fix);
        } while (gps_waiting(&gps, 0));
    }
over:
    gps_close(&gps);
}

static void send_own_fixes(struct client *client, long count) {
    struct gps_fix_t fix = {
        .mode = MODE_3D, .latitude = 52.0, .longitude = 4.8922, .eph = 5.2, .epv = 7.4, .altMSL = 12.4,
        .speed = 30.0, .track = 359.0};
    for (long i = 0; i < count && !stopped; i++) {
        fix.latitude += 0.0003;
        send_fix(client, &fix);
    }
}

static void drain(struct client *client, long count, size_t size) {
    static char data[DATA_SIZE];
    if (size < 64 || size > DATA_SIZE) fail("SIZE", "not 64 … 65536");
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (long i = 0; i < count && !stopped; i++) {
        memset(data, 'x', size);
        int n = snprintf(data, size, "{\"event_type\":\"bench\",\"event_data\":{\"n\":%ld,\"x\":\"", i);
        data[n] = 'x';
        memcpy(data + size - 3, "\"}}", 3);
        post(client, "fire_event", data, size);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
    printf("seconds %.4f\n", seconds);
}

int main(int count, char **words) {
    static struct client client;
    if (count < 5) fail("usage", "URL SECRET --gpsd HOST PORT | --fixes COUNT | --drain COUNT SIZE");
    struct sigaction action = {.sa_handler = stop};  /* without SA_RESTART, so that select() ends */
    sigaction(SIGTERM, &action, NULL);
    open_client(&client, words[1], words[2]);

    NMClient *network = NULL;
    if (strcmp(words[count - 1], "--network-manager") == 0) {
        network = nm_client_new(NULL, NULL);
        count--;
    }
    const char *mode = words[3];
    if (strcmp(mode, "--gpsd") == 0 && count == 6)
        follow_gpsd(&client, words[4], words[5]);
    else if (strcmp(mode, "--fixes") == 0 && count == 5)
        send_own_fixes(&client, atol(words[4]));
    else if (strcmp(mode, "--drain") == 0 && count == 6)
        drain(&client, atol(words[4]), (size_t)atol(words[5]));
    else
        fail("usage", "no such mode");

    printf("posted %ld\nrefused %ld\n", client.posted, client.refused);
    if (network) g_object_unref(network);
    curl_easy_cleanup(client.curl);
    return 0;
}
