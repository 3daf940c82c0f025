#ifndef HOMING_CHIREDIS_SHIM_H
#define HOMING_CHIREDIS_SHIM_H

#include <hiredis/hiredis.h>
#include <stdlib.h>

/* The reader is given functions that make replies; their types, and the number of elements of an array, differ
   between 0.14 and 1.2. Each function may refuse with NULL, which ends the reading: so an announced size is
   judged before anything is allocated for it. */

/* Makes a reply and returns it, or NULL. `parent` is what holds it, at `index`; NULL for a whole reply. */
typedef struct homing_redis_maker {
    void *(*text)(void *context, void *parent, long long index, int type, const char *bytes, size_t size);
    void *(*array)(void *context, void *parent, long long index, long long count);
    void *(*number)(void *context, void *parent, long long index, long long value);
    void *(*nothing)(void *context, void *parent, long long index);
    void (*release)(void *reply);
    void *context;
} homing_redis_maker;

#define HOMING_REDIS_MAKER(task) ((homing_redis_maker *)(task)->privdata)
#define HOMING_REDIS_PARENT(task) ((task)->parent ? (task)->parent->obj : NULL)

static void *homing_redis_text(const redisReadTask *task, char *bytes, size_t size) {
    homing_redis_maker *maker = HOMING_REDIS_MAKER(task);
    return maker->text(maker->context, HOMING_REDIS_PARENT(task), task->idx, task->type, bytes, size);
}

#if HIREDIS_MAJOR >= 1
static void *homing_redis_array(const redisReadTask *task, size_t count) {
    long long number = count > 0x7fffffff ? 0x7fffffff : (long long)count;
#else
static void *homing_redis_array(const redisReadTask *task, int count) {
    long long number = count;
#endif
    homing_redis_maker *maker = HOMING_REDIS_MAKER(task);
    /* A protocol that was not asked for has other kinds of arrays. */
    if (task->type != REDIS_REPLY_ARRAY) return NULL;
    return maker->array(maker->context, HOMING_REDIS_PARENT(task), task->idx, number);
}

static void *homing_redis_number(const redisReadTask *task, long long value) {
    homing_redis_maker *maker = HOMING_REDIS_MAKER(task);
    return maker->number(maker->context, HOMING_REDIS_PARENT(task), task->idx, value);
}

static void *homing_redis_nothing(const redisReadTask *task) {
    homing_redis_maker *maker = HOMING_REDIS_MAKER(task);
    return maker->nothing(maker->context, HOMING_REDIS_PARENT(task), task->idx);
}

#if HIREDIS_MAJOR >= 1
/* Kinds of a protocol that was not asked for. */
static void *homing_redis_fraction(const redisReadTask *task, double value, char *text, size_t size) {
    (void)task, (void)value, (void)text, (void)size;
    return NULL;
}

static void *homing_redis_truth(const redisReadTask *task, int value) {
    (void)task, (void)value;
    return NULL;
}
#endif

typedef struct homing_redis_reader {
    redisReader *reader;
    redisReplyObjectFunctions functions;
    homing_redis_maker maker;
} homing_redis_reader;

/* NULL without memory. The maker's `release` frees a whole reply that was not handed out. */
static inline homing_redis_reader *homing_redis_reader_new(homing_redis_maker maker) {
    homing_redis_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->maker = maker;
    reader->functions.createString = homing_redis_text;
    reader->functions.createArray = homing_redis_array;
    reader->functions.createInteger = homing_redis_number;
    reader->functions.createNil = homing_redis_nothing;
    reader->functions.freeObject = maker.release;
#if HIREDIS_MAJOR >= 1
    reader->functions.createDouble = homing_redis_fraction;
    reader->functions.createBool = homing_redis_truth;
#endif
    reader->reader = redisReaderCreateWithFunctions(&reader->functions);
    if (!reader->reader) {
        free(reader);
        return NULL;
    }
    reader->reader->privdata = &reader->maker;
    return reader;
}

static inline void homing_redis_reader_free(homing_redis_reader *reader) {
    redisReaderFree(reader->reader);
    free(reader);
}

static inline int homing_redis_feed(homing_redis_reader *reader, const void *bytes, size_t size) {
    return redisReaderFeed(reader->reader, bytes, size);
}

/* The next whole reply, or NULL; anything but REDIS_OK is the end of the reading. */
static inline int homing_redis_next(homing_redis_reader *reader, void **reply) {
    return redisReaderGetReply(reader->reader, reply);
}

/* Bytes that were fed and not read yet. */
static inline size_t homing_redis_unread(const homing_redis_reader *reader) {
    return reader->reader->len - reader->reader->pos;
}

/* Bytes of the command, which `redisFreeCommand` frees; negative without memory. */
static inline long long homing_redis_format(
    char **target, int count, const char **words, const size_t *sizes) {
    return redisFormatCommandArgv(target, count, words, sizes);
}

#endif
