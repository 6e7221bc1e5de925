/* poll.c - one round of reading counters, shared by their sets */

#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "counter_queue.h"
#include "poll.h"
#include "tq/base/mem.h"

static const int64_t SECOND = 1000000000;

uint32_t
poll_define(struct poll *p, const char *name, const char *unit, int64_t device)
{
	return counter_thread_define(p->to, name, unit, device);
}

void
poll_value(struct poll *p, uint32_t info, int pid, double value)
{
	bool fresh;
	struct poll_series *s =
	    keyed_get(&p->series, info, (uint64_t)pid, &fresh);

	if (!fresh && s->value == value && p->now - s->kept_at < SECOND)
		return;
	*s = (struct poll_series){info, pid, value, p->now};
	counter_thread_put(p->to,
	    &(struct counter_sample){
		.ticks = p->ticks, .info = info, .pid = pid, .value = value});
}

void
poll_rate(struct poll *p, uint32_t info, int pid, int64_t total, double scale)
{
	bool fresh;
	struct poll_total *t =
	    keyed_get(&p->totals, info, (uint64_t)pid, &fresh);
	struct poll_total old = fresh ? (struct poll_total){total, 0} : *t;

	*t = (struct poll_total){total, p->now};
	if (fresh || total < old.total || p->now <= old.at)
		return;
	/* in tenths: less is noise */
	poll_value(p, info, pid,
	    nearbyint((double)(total - old.total) * scale * 10 *
		      (double)SECOND / (double)(p->now - old.at)) /
		10);
}

static bool
is_running(const struct poll *p, int pid)
{
	for (size_t i = 0; i < p->pid_count; i++)
		if (p->pids[i] == pid)
			return true;
	return false;
}

void
poll_end_absent(struct poll *p)
{
	for (size_t i = 0; i < p->series.count; i++) {
		const struct poll_series *s = &p->series.all[i];

		if (s->pid != 0 && s->value != 0 && !is_running(p, s->pid))
			poll_value(p, s->info, s->pid, 0);
	}
}

void
poll_note(struct poll *p, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	counter_thread_note(p->to, text);
}

bool
poll_read(struct poll *p, const char *format, ...)
{
	char path[PATH_MAX];
	size_t len = 0;
	va_list args;
	ssize_t n;
	int fd;

	va_start(args, format);
	vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	p->file[0] = '\0';
	if ((fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
		return false;
	do {
		n = read(fd, p->file + len, POLL_FILE - 1 - len);
		len += n > 0 ? (size_t)n : 0;
	} while (n > 0);
	close(fd);
	p->file[len] = '\0';
	return len > 0;
}

int64_t
poll_number(const struct poll *p, const char *word)
{
	const char *at = strstr(p->file, word);

	return at != NULL ? strtoll(at + strlen(word), NULL, 10) : NO_ID;
}
