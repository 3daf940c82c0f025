/* floor PORT DATABASE - the least that a relay can do: takes each POST, keeps it in SQLite, answers 201.
 *
 * One thread, one epoll. What arrived in one turn is committed together (WAL, synchronous = FULL) before any of it is
 * answered. It reads no JSON, checks no token, seals nothing, counts but does not limit: what a relay costs beyond this
 * is what it does beyond this. */
#define _GNU_SOURCE
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { TURN = 256, MAILBOXES = 10000 };

static const char answer_body[] =
    "{\"id\":\"AAAAAAAAAAAAAAAAAAAAAA\",\"rateLimits\":{\"successful\":1,\"errors\":0,\"total\":1,\"maximum\":150,"
    "\"remaining\":149,\"resetsAt\":\"2026-11-23T00:00:00.000Z\"}}";

static sqlite3_stmt *begin, *insert, *count, *commit;

static void must(int is_done, const char *what) {
    if (!is_done) {
        perror(what);
        exit(1);
    }
}

static sqlite3_stmt *prepare(sqlite3 *database, const char *sql) {
    sqlite3_stmt *statement = NULL;
    must(sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK, sql);
    return statement;
}

static void run(sqlite3_stmt *statement) {
    int code = sqlite3_step(statement);
    must(code == SQLITE_DONE || code == SQLITE_ROW, "a statement");
    sqlite3_reset(statement);
}

static void open_database(const char *path) {
    sqlite3 *database = NULL;
    must(sqlite3_open(path, &database) == SQLITE_OK, path);
    must(sqlite3_exec(database,
                      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                      "CREATE TABLE IF NOT EXISTS message (mailbox BLOB, number INTEGER, expires INTEGER, body BLOB,"
                      " PRIMARY KEY (mailbox, number)) WITHOUT ROWID;"
                      "CREATE TABLE IF NOT EXISTS tally (mailbox BLOB, day INTEGER, taken INTEGER,"
                      " PRIMARY KEY (mailbox, day)) WITHOUT ROWID",
                      NULL, NULL, NULL) == SQLITE_OK, "the tables");
    begin = prepare(database, "BEGIN IMMEDIATE");
    commit = prepare(database, "COMMIT");
    insert = prepare(database, "INSERT INTO message VALUES (?, ?, ?, ?)");
    count = prepare(database, "INSERT INTO tally VALUES (?, 20779, 1)"
                              " ON CONFLICT DO UPDATE SET taken = taken + 1 RETURNING taken");
}

static void keep(const char *request, size_t size) {
    static sqlite3_int64 number;
    unsigned char mailbox[16] = {0};
    unsigned which = (unsigned)(++number * 2654435761u) % MAILBOXES;
    memcpy(mailbox, &which, sizeof which);
    sqlite3_bind_blob(insert, 1, mailbox, sizeof mailbox, SQLITE_STATIC);
    sqlite3_bind_int64(insert, 2, number);
    sqlite3_bind_int64(insert, 3, 1);
    sqlite3_bind_blob(insert, 4, request, (int)size, SQLITE_STATIC);
    run(insert);
    sqlite3_bind_blob(count, 1, mailbox, sizeof mailbox, SQLITE_STATIC);
    run(count);
}

static int listen_at(int port) {
    int one = 1, server = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((in_port_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    must(bind(server, (struct sockaddr *)&address, sizeof address) == 0, "bind");
    must(listen(server, 4096) == 0, "listen");
    return server;
}

static void accept_all(int server, int epoll) {
    int one = 1, client;
    while ((client = accept4(server, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
        struct epoll_event event = {.events = EPOLLIN, .data.fd = client};
        setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        epoll_ctl(epoll, EPOLL_CTL_ADD, client, &event);
    }
}

int main(int words, char **word) {
    static char request[65536], answer[512];
    must(words == 3, "floor PORT DATABASE");
    int server = listen_at(atoi(word[1])), epoll = epoll_create1(0);
    open_database(word[2]);
    int answer_size = snprintf(answer, sizeof answer,
                               "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                               strlen(answer_body), answer_body);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = server}, ready[TURN];
    epoll_ctl(epoll, EPOLL_CTL_ADD, server, &event);
    for (;;) {
        int waiting[TURN], kept = 0, count_ready = epoll_wait(epoll, ready, TURN, -1);
        for (int index = 0; index < count_ready; index++) {
            int client = ready[index].data.fd;
            if (client == server) {
                accept_all(server, epoll);
                continue;
            }
            ssize_t size = read(client, request, sizeof request);
            if (size <= 0) {
                close(client);
                continue;
            }
            if (kept == 0) run(begin);
            keep(request, (size_t)size);
            waiting[kept++] = client;
        }
        if (kept > 0) run(commit);
        for (int index = 0; index < kept; index++)
            if (write(waiting[index], answer, (size_t)answer_size) < 0) close(waiting[index]);
    }
}
