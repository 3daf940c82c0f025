/* A client of the same libraries that does Homing's work with nothing around it: no queue, no proof, no policy, no
 * errors survived. Each fix that gpsd reports is sealed and posted, on one warm connection, and that is all. Linked
 * with baseline.c it is the floor that uses libgps and libcurl as their manuals say; with lean.c, the one that also
 * leaves out what it can.
 *
 *     PROGRAM URL SECRET --gpsd HOST PORT     what gpsd reports, until it hangs up or SIGTERM comes
 *     PROGRAM URL SECRET --drain COUNT SIZE   as many messages with SIZE bytes of data, as fast as it goes
 *     … --network-manager                     holds an NMClient too, for a fair comparison of memory
 *
 * SECRET is a registration's: 64 hexadecimal digits. Prints counts at the end.
 */

#include "client.h"

#include <NetworkManager.h>
#include <curl/curl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

volatile sig_atomic_t stopped;

static void stop(int number) {
    (void)number;
    stopped = 1;
}

void fail(const char *what, const char *why) {
    fprintf(stderr, "floor: %s: %s\n", what, why);
    exit(1);
}

static void take_secret(struct client *client, const char *secret) {
    size_t length;
    if (sodium_init() < 0) fail("sodium_init", "no random numbers");
    if (sodium_hex2bin(client->key, sizeof client->key, secret, strlen(secret), NULL, &length, NULL) != 0
        || length != sizeof client->key)
        fail("SECRET", "not 64 hexadecimal digits");
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

    if (post_body(client->body, length))
        client->posted++;
    else
        client->refused++;
}

/* Adds `"key":value` for a number that is a whole one of at least 1, as Homing does. */
static int whole(char *text, size_t size, const char *key, double value) {
    if (!isfinite(value) || value < 0.5) return 0;
    return snprintf(text, size, ",\"%s\":%ld", key, lround(value));
}

void send_fix(struct client *client, const struct gps_fix_t *fix) {
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

bool is_news(gps_mask_t set, const struct gps_fix_t *fix, timespec_t *last) {
    bool is_new = fix->time.tv_sec != last->tv_sec || fix->time.tv_nsec != last->tv_nsec;
    if ((set & MODE_SET) == 0 || fix->mode < MODE_2D || !isfinite(fix->latitude) || !is_new) return false;
    *last = fix->time;
    return true;
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
    if (count < 6) fail("usage", "URL SECRET --gpsd HOST PORT | --drain COUNT SIZE");
    struct sigaction action = {.sa_handler = stop};  /* without SA_RESTART, so that waiting ends */
    sigaction(SIGTERM, &action, NULL);
    take_secret(&client, words[2]);
    curl_global_init(CURL_GLOBAL_DEFAULT);
    open_connection(words[1]);

    NMClient *network = NULL;
    if (strcmp(words[count - 1], "--network-manager") == 0) {
        network = nm_client_new(NULL, NULL);
        count--;
    }
    const char *mode = words[3];
    if (strcmp(mode, "--gpsd") == 0 && count == 6)
        follow_gpsd(&client, words[4], words[5]);
    else if (strcmp(mode, "--drain") == 0 && count == 6)
        drain(&client, atol(words[4]), (size_t)atol(words[5]));
    else
        fail("usage", "no such mode");

    printf("posted %ld\nrefused %ld\n", client.posted, client.refused);
    if (network) g_object_unref(network);
    close_connection();
    return 0;
}
