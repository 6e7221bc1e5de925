/* message.h - messages of protocol buffers, written field by field */
#ifndef MESSAGE_H
#define MESSAGE_H

#include <stddef.h>
#include <stdint.h>

/* {0} is empty */
struct message {
	char *p;
	size_t len, cap;
};

/* Append bytes as they are; of none, p may be NULL. */
void message_raw(struct message *m, const void *p, size_t n);
void message_varint(struct message *m, uint64_t v);

/* Append a field; a negative number takes ten bytes. */
void message_int(struct message *m, unsigned field, int64_t v);
void message_bytes(struct message *m, unsigned field, const void *p, size_t n);
void message_text(struct message *m, unsigned field, const char *s);
void message_double(struct message *m, unsigned field, double v);
void message_float(struct message *m, unsigned field, float v);

/* Append a message as a field, and empty it. */
void message_move(struct message *m, unsigned field, struct message *from);

void message_free(struct message *m);

#endif
