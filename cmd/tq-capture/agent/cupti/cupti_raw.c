/* cupti_raw.c - buffers of CUPTI saved to files, for tests to replay */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cupti_raw.h"
#include "cupti_record.h"
#include "agent/agent.h"

enum {
	TEXTS = 1024,     /* of one buffer; more are dropped */
	TEXT_MOST = 32000 /* bytes; longer ones are cut */
};

struct raw_string {
	const char *p;
	size_t len;
};

static _Atomic bool active;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* under the lock */
static char folder[4096];
static size_t room = RAW_MOST;
static unsigned number;
static struct raw_string texts[TEXTS];
static uint32_t n_texts;

static size_t
padded(size_t n)
{
	return (n + 7) / 8 * 8;
}

static void
stop(enum note_severity severity, const char *why)
{
	atomic_store(&active, false);
	agent_note(severity, why);
}

/* ---- texts ---- */

/*
 * The text of the record at p, of that many bytes; NULL if it has none.  A
 * record that is not complete may point anywhere.
 */
static const char *
text_of(const uint8_t *p, uint32_t kind, size_t bytes)
{
	union record_any r;

	if (cupti_record_bits(kind) == 0 || bytes < cupti_record_least(kind) ||
	    !cupti_record_make(p, bytes, &r))
		return NULL;
	return cupti_record_text(p);
}

/* the bytes of the text in the file; 0 if it is there already */
static size_t
text_bytes(const char *text)
{
	uint32_t i;

	for (i = n_texts; i-- > 0;)
		if (texts[i].p == text)
			return 0;
	return text == NULL || n_texts == TEXTS
		   ? 0
		   : 16 + padded(strnlen(text, TEXT_MOST));
}

/*
 * Collect the texts.  Returns how many bytes of the buffer fit into *most with
 * them: all, or whole records.  *most becomes the size of the file.
 */
static size_t
collect(const uint16_t stride[ARENA_STRIDES], const uint8_t *buffer,
    size_t bytes, size_t *most)
{
	size_t at, n, more, size = sizeof(struct raw_header);
	const char *text;
	uint32_t kind;

	n_texts = 0;
	for (at = 0; bytes - at >= sizeof(kind); at += n, size += n + more) {
		memcpy(&kind, buffer + at, sizeof(kind));
		n = kind < ARENA_STRIDES ? stride[kind] : 0;
		if (n == 0 || n % 8 != 0 || n > bytes - at)
			break;
		text = text_of(buffer + at, kind, n);
		more = text_bytes(text);
		if (size + n + more > *most)
			break;
		if (more != 0)
			texts[n_texts++] =
			    (struct raw_string){text, strnlen(text, TEXT_MOST)};
	}
	/* also the bytes behind the last record */
	if (size + padded(bytes - at) <= *most) {
		size += padded(bytes - at);
		at = bytes;
	}
	*most = size;
	return at;
}

/* ---- files ---- */

static bool
write_bytes(int fd, const void *from, size_t n)
{
	const char *p = from;
	ssize_t done;

	while (n > 0) {
		done = write(fd, p, n);
		if (done < 0 && errno != EINTR)
			return false;
		if (done > 0) {
			p += done;
			n -= (size_t)done;
		}
	}
	return true;
}

static bool
put_padded(int fd, const void *p, size_t n)
{
	static const char zeros[8];

	return write_bytes(fd, p, n) && write_bytes(fd, zeros, padded(n) - n);
}

static bool
put_text(int fd, const struct raw_string *t)
{
	uint64_t head[2] = {(uintptr_t)t->p, t->len};

	return write_bytes(fd, head, sizeof(head)) &&
	       put_padded(fd, t->p, t->len);
}

static bool
put_all(int fd, const struct raw_header *head, const uint8_t *buffer)
{
	uint32_t i;

	if (!write_bytes(fd, head, sizeof(*head)) ||
	    !put_padded(fd, buffer, head->bytes))
		return false;
	for (i = 0; i < n_texts; i++)
		if (!put_text(fd, &texts[i]))
			return false;
	return true;
}

/* a file of that size; above RLIMIT_FSIZE it would end the program */
static bool
write_file(const struct raw_header *head, const uint8_t *buffer, size_t size)
{
	char path[sizeof(folder) + 32];
	struct rlimit most;
	bool ok;
	int fd;

	if (getrlimit(RLIMIT_FSIZE, &most) == 0 && size > most.rlim_cur)
		return false;
	snprintf(
	    path, sizeof(path), "%s/%d-%u.cupti", folder, getpid(), number++);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		return false;
	ok = put_all(fd, head, buffer);
	ok = close(fd) == 0 && ok;
	if (!ok)
		unlink(path);
	return ok;
}

void
cupti_raw_start(void)
{
	const char *where = getenv("TQ_CUPTI_RAW");

	if (where == NULL || where[0] == '\0')
		return;
	if (strlen(where) >= sizeof(folder)) {
		stop(NOTE_WARNING, "TQ_CUPTI_RAW is too long");
		return;
	}
	memcpy(folder, where, strlen(where) + 1);
	atomic_store(&active, true);
}

void
cupti_raw_write(const struct cupti_lib *lib,
    const uint16_t stride[ARENA_STRIDES], uint32_t on, const uint8_t *buffer,
    size_t bytes)
{
	struct raw_header head = {
	    .magic = RAW_MAGIC, .cupti = lib->version, .on = on};
	size_t size;

	if (!atomic_load_explicit(&active, memory_order_relaxed) || bytes == 0)
		return;
	memcpy(head.stride, stride, sizeof(head.stride));
	pthread_mutex_lock(&lock);
	if (atomic_load(&active)) {
		size = room;
		head.bytes = (uint32_t)collect(stride, buffer, bytes, &size);
		head.texts = n_texts;
		if (head.bytes > 0 && !write_file(&head, buffer, size))
			stop(NOTE_WARNING,
			    "can't write to the folder of TQ_CUPTI_RAW");
		else if (head.bytes < bytes)
			stop(NOTE_INFO,
			    "TQ_CUPTI_RAW has as much as it may have");
		else
			room -= size;
	}
	pthread_mutex_unlock(&lock);
}
