/* load PORT TOKENS AT_ONCE REQUESTS PID PATH [awake] - posts notifications as Home Assistant does, and measures.
 *
 * TOKENS is a file with a push token in each line; the requests take the tokens in turn. AT_ONCE requests are under way
 * at any time, each on a kept connection of its own. PID is the server, whose processor time is read from /proc. Prints
 * one line of JSON: requests a second, milliseconds of the median and of the 99th percentile, microseconds of the
 * server's processor time for each request, and how often each status came. PATH is /v1/push, or has a %s, which is
 * the token. Awake, the program does not sleep until answers come: a server on the same machine then has no wake-ups of
 * its client to pay, as a server whose clients are elsewhere. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER = 8192, TURN = 256, DESCRIPTORS = 70000, STATUSES = 600 };

static const char body[] =
    "{\"message\": \"The washing machine is done\", \"title\": \"Laundry\", \"data\": {\"group\": \"laundry\", "
    "\"actions\": [{\"action\": \"OK\", \"title\": \"Fine\"}]}, \"push_token\": \"%s\", \"registration_info\": "
    "{\"app_id\": \"io.github.homing\", \"app_version\": \"0.1\", \"webhook_id\": "
    "\"0123456789012345678901234567890123456789012345678901234567890123\", \"os_version\": \"13\"}}";
static const char head[] =
    "POST %s HTTP/1.1\r\nHost: relay.example\r\nUser-Agent: HomeAssistant/2026.11.0 aiohttp/3.14.5 Python/3.14\r\n"
    "Accept: */*\r\nAccept-Encoding: gzip, deflate, br\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n";

static char (*tokens)[128];
static int token_count, next_token;
static const char *path_form;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double processor_time(const char *pid) {
    char path[64], text[1024] = "";
    unsigned long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%s/stat", pid);
    FILE *file = fopen(path, "r");
    if (file == NULL) return 0;
    char *end = fgets(text, sizeof text, file) ? strrchr(text, ')') : NULL;
    fclose(file);
    if (end == NULL || sscanf(end + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) != 2) return 0;
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

static void read_tokens(const char *path) {
    FILE *file = fopen(path, "r");
    int room = 0;
    char line[128];
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        if (token_count == room) tokens = realloc(tokens, sizeof *tokens * (size_t)(room = room * 2 + 64));
        strcpy(tokens[token_count++], line);
    }
    fclose(file);
}

static int connect_to(int port) {
    int one = 1, client = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((in_port_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (connect(client, (struct sockaddr *)&address, sizeof address) != 0) {
        perror("connect");
        exit(1);
    }
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return client;
}

static void post(int client) {
    char text[BUFFER], request[BUFFER], path[512];
    const char *token = tokens[next_token++ % token_count], *place = strstr(path_form, "%s");
    int size = snprintf(text, sizeof text, body, token), before = place ? (int)(place - path_form) : (int)strlen(path_form);
    snprintf(path, sizeof path, "%.*s%s%s", before, path_form, place ? token : "", place ? place + 2 : "");
    int head_size = snprintf(request, sizeof request, head, path, size);
    memcpy(request + head_size, text, (size_t)size);
    if (write(client, request, (size_t)(head_size + size)) < 0) {
        perror("write");
        exit(1);
    }
}

/* The sockets that are ready; 0 after 10 s without an answer. */
static int wait_for_answers(int epoll, struct epoll_event *ready, int awake) {
    double end = now() + 10;
    int count = 0;
    if (!awake) return epoll_wait(epoll, ready, TURN, 10000);
    while ((count = epoll_wait(epoll, ready, TURN, 0)) == 0 && now() < end);
    return count;
}

static int compare(const void *left, const void *right) {
    double difference = *(const double *)left - *(const double *)right;
    return difference < 0 ? -1 : difference > 0;
}

int main(int words, char **word) {
    static double begun[DESCRIPTORS];
    static int statuses[STATUSES];
    char answer[BUFFER];
    if (words != 7 && (words != 8 || strcmp(word[7], "awake") != 0)) {
        fputs("load PORT TOKENS AT_ONCE REQUESTS PID PATH [awake]\n", stderr);
        return 64;
    }
    path_form = word[6];
    int port = atoi(word[1]), at_once = atoi(word[3]), requests = atoi(word[4]), sent = 0, done = 0;
    read_tokens(word[2]);
    double *times = calloc((size_t)(requests + at_once), sizeof *times);
    int epoll = epoll_create1(0);
    struct epoll_event ready[TURN];
    double processor = processor_time(word[5]), start = now();
    for (; sent < at_once && sent < requests; sent++) {
        int client = connect_to(port);
        struct epoll_event event = {.events = EPOLLIN, .data.fd = client};
        epoll_ctl(epoll, EPOLL_CTL_ADD, client, &event);
        begun[client] = now();
        post(client);
    }
    while (done < requests) {
        int count = wait_for_answers(epoll, ready, words == 8);
        if (count <= 0) {
            fputs("no answer for 10 s\n", stderr);
            return 1;
        }
        for (int index = 0; index < count; index++) {
            int client = ready[index].data.fd;
            ssize_t size = read(client, answer, sizeof answer - 1);
            if (size < 12) {
                fputs("a connection ended\n", stderr);
                return 1;
            }
            int status = atoi(answer + 9);
            statuses[status < STATUSES && status > 0 ? status : 0]++;
            times[done++] = now() - begun[client];
            if (sent < requests) {
                begun[client] = now();
                post(client);
                sent++;
            }
        }
    }
    double seconds = now() - start;
    processor = processor_time(word[5]) - processor;
    qsort(times, (size_t)done, sizeof *times, compare);
    printf("{\"rate\": %.1f, \"p50_ms\": %.3f, \"p99_ms\": %.3f, \"cpu_us\": %.2f, \"statuses\": {", done / seconds,
           times[done / 2] * 1e3, times[(int)(done * 0.99)] * 1e3, processor / done * 1e6);
    const char *separator = "";
    for (int status = 0; status < STATUSES; status++)
        if (statuses[status]) {
            printf("%s\"%d\": %d", separator, status, statuses[status]);
            separator = ", ";
        }
    puts("}}");
    return 0;
}
