/*
 * osrt_modules.c - /proc/thread-self/maps as records
 *
 *	ADDRESS-END PERMISSIONS OFFSET MAJOR:MINOR INODE    PATH
 */

#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "agent/nvtx/registry.h"
#include "nvtx_record.h"
#include "osrt_modules.h"

enum {
	AREAS = 8192, /* the first ones; each look writes later ones again */
	LINE = 4608,  /* bytes */
	PATIENCE = 20000000, /* ns for another thread's look, */
	PAUSE = 50000        /* by so many */
};

struct area {
	uint64_t start, end, inode;
};

/* in order of addresses, as the file has them */
struct areas {
	struct area all[AREAS];
	size_t count;
};

/* what the last look found, and what this one does */
static struct areas looks[2];
static struct areas *told = &looks[0], *found = &looks[1];
static size_t passed; /* of told, which stand before the line that is read */
static uint64_t told_at;
/* generations of the process of which a thread looks, and one has looked */
static _Atomic uint32_t is_looking, has_looked;

static bool
was_told(const struct area *a)
{
	const struct area *x;

	while (passed < told->count && told->all[passed].start < a->start)
		passed++;
	x = &told->all[passed];
	return passed < told->count && x->start == a->start &&
	       x->end == a->end && x->inode == a->inode;
}

static void
remember(const struct area *a)
{
	if (found->count < AREAS)
		found->all[found->count++] = *a;
}

static uint64_t
read_number(const char **p, unsigned base)
{
	uint64_t n = 0;

	for (;; ++*p) {
		char c = **p;
		unsigned digit = c >= '0' && c <= '9' ? (unsigned)(c - '0')
				 : c >= 'a' && c <= 'f'
				     ? (unsigned)(c - 'a') + 10
				     : 16;

		if (digit >= base)
			return n;
		n = n * base + digit;
	}
}

static const char *
skip(const char *p, char c)
{
	while (*p == c)
		p++;
	return p;
}

static void
tell_line(const char *p)
{
	struct module_place place;
	struct area area;
	struct blob_piece piece = {&place, sizeof(place)};
	struct nvtx_record e;
	bool runs;

	area.start = read_number(&p, 16);
	p = skip(p, '-');
	area.end = place.end = read_number(&p, 16);
	p = skip(p, ' ');
	runs = strnlen(p, 4) == 4 && p[2] == 'x';
	if (!runs)
		return;
	p = skip(p + 4, ' ');
	place.offset = read_number(&p, 16);
	p = skip(p, ' ');
	place.device = read_number(&p, 16) << 32;
	p = skip(p, ':');
	place.device |= read_number(&p, 16);
	p = skip(p, ' ');
	area.inode = place.inode = read_number(&p, 10);
	p = skip(p, ' ');
	if (was_told(&area)) {
		remember(&area);
		return;
	}
	nvtx_record_init(&e, RECORD_MODULE, LOSS_NAME, 0);
	nvtx_record_set_id(&e, area.start);
	nvtx_record_set_text(&e, p);
	nvtx_record_set_blob(&e, &piece, 1);
	if (registry_write(&e))
		remember(&area);
}

/* each line of the file; one that is too long has no path that can be opened */
static void
tell_lines(int fd)
{
	static char text[LINE];
	size_t len = 0;
	long n;

	while ((n = syscall(SYS_read, fd, text + len, sizeof(text) - 1 - len)) >
	       0) {
		char *line = text, *end;

		len += (size_t)n;
		text[len] = '\0';
		while ((end = strchr(line, '\n')) != NULL) {
			*end = '\0';
			tell_line(line);
			line = end + 1;
		}
		len -= (size_t)(line - text);
		memmove(text, line, len);
	}
}

static void
look(uint32_t generation, uint64_t now)
{
	struct areas *before = told;
	int fd;

	if (has_looked != generation)
		told->count = 0;
	told_at = now;
	passed = found->count = 0;
	/* /proc/self has nothing once the first thread has ended */
	fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/thread-self/maps",
	    O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		tell_lines(fd);
		syscall(SYS_close, fd);
		told = found;
		found = before;
	}
}

/*
 * As long as no mapping of this process is recorded, a stack would come before
 * its code.  A reading may have been left by a jump out of a signal handler: no
 * thread waits for it twice.
 */
static void
wait_for_first(uint32_t generation)
{
	static const struct timespec pause = {.tv_nsec = PAUSE};

	for (int i = 0; i < PATIENCE / PAUSE && has_looked != generation; i++)
		syscall(SYS_nanosleep, &pause, NULL);
	has_looked = generation;
}

void
osrt_modules_tell(struct writer *w, uint64_t now, uint64_t period)
{
	uint32_t generation = process->generation, other = is_looking;

	if (has_looked == generation && now - told_at < period)
		return;
	/* inside: a signal handler must not wait for our lock */
	writer_enter_again(w, WRITER_FRAME());
	/* a thread of the parent that looked at the fork does not go on here */
	if (other != generation &&
	    atomic_compare_exchange_strong(&is_looking, &other, generation)) {
		look(generation, now);
		has_looked = generation;
		atomic_store(&is_looking, 0);
	} else
		wait_for_first(generation);
	writer_leave(w);
}
