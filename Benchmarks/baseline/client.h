/* What the two floors share: sealing, bodies, modes. Each floor has its own way to read gpsd and to post. */

#ifndef CLIENT_H
#define CLIENT_H

#include <gps.h>
#include <signal.h>
#include <sodium.h>
#include <stdbool.h>
#include <stddef.h>

enum { DATA_SIZE = 64 * 1024, BODY_SIZE = 2 * DATA_SIZE };

struct client {
    unsigned char key[crypto_secretbox_KEYBYTES];
    unsigned char box[crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES + DATA_SIZE];
    char body[BODY_SIZE];
    long posted, refused;
};

extern volatile sig_atomic_t stopped;

/* Ends the program. */
_Noreturn void fail(const char *what, const char *why);

/* Seals and posts what a fix says. */
void send_fix(struct client *client, const struct gps_fix_t *fix);

/* Whether the fix is one, and of another epoch than the last. gpsd may report an epoch several times. */
bool is_news(gps_mask_t set, const struct gps_fix_t *fix, timespec_t *last);

/* The floor's own part: a connection, a post over it (whether it was taken), and what gpsd reports until it hangs up. */
void open_connection(const char *url);
bool post_body(const char *body, size_t size);
void close_connection(void);
void follow_gpsd(struct client *client, const char *host, const char *port);

#endif
